//! Messages on the WebSocket of a table.

use kernel::Cell;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{
    AnnouncementLine, Chance, ClockFace, Outcome, Patch, Player, PlyInfo, PoolLine, Problem, SaidLine, Side,
    TableInfo, TableLine, View,
};

/// A message from the client. At most 4 KiB of JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum ClientMessage {
    /// A command to do something at the table. It is answered by the event that carries its `cmd`, by `ok` if that
    /// event happened before, or by `no`. Sending it again with the same `cmd` is safe: it is executed at most once.
    Do {
        /// The id of the command, chosen by the client: 8 to 40 letters, digits, `-` or `_`; never reused for another
        /// command.
        cmd: String,
        /// The version that the client has seen. A command based on an older position is refused as `stale`.
        #[ts(type = "number")]
        ver: u64,
        /// The act to perform.
        act: Act,
    },
    /// Requests the full state again.
    Full,
    /// Sends a chat message at the table, to the players if the sender has a seat there, else to the spectators: a
    /// preset phrase or free text. It is answered by the `said` that all of them get, or by `no`.
    Say {
        /// The id chosen by the client; a `no` repeats it.
        cmd: String,
        /// A preset phrase: the message `phrase-<key>`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        phrase: Option<String>,
        /// Free text of at most 200 characters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        words: Option<String>,
    },
    /// Requests the recent chat messages; the answer is `chat`.
    Chat,
    /// Asks for a `pong` with the same number.
    Ping {
        /// A number of the client's choice; the `pong` repeats it.
        n: u32,
    },
    /// Tells the server that the page of this connection was hidden or shown again. There is no answer. A page counts
    /// as shown until it says otherwise. A person whose pages are all hidden still counts as present at the table,
    /// but is notified like an absent one.
    Hidden {
        /// True if the page is hidden.
        hidden: bool,
    },
}

/// The acts of a player at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "k", rename_all = "kebab-case")]
pub enum Act {
    /// Take a free seat; any free one when `side` is absent.
    Sit {
        /// The seat to take.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        side: Option<Side>,
    },
    /// Leave one's seat before the game has started.
    Leave,
    /// Play a move.
    Move {
        /// The move in machine text.
        #[serde(rename = "move")]
        text: String,
        /// True if the page was hidden or out of focus at some time since the turn began. Moderators see how often
        /// that was in rated games; other people do not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        away: bool,
    },
    /// Take back one's own last ply, where the rules allow it without asking.
    Withdraw,
    /// Offer something, or do it at once on a one-screen table.
    Offer {
        /// The kind of offer.
        what: Offer,
        /// The number of plies to take back, on one screen; elsewhere a takeback goes back to the offerer's last
        /// turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        plies: Option<u32>,
    },
    /// Agree to what the other side offers.
    Accept {
        /// The kind of offer.
        what: Offer,
    },
    /// Decline the other side's offer, or take one's own back.
    Decline {
        /// The kind of offer.
        what: Offer,
    },
    /// Accept further offers of the other side, or block them; a rematch can always be offered. It holds for this
    /// game.
    Offers {
        /// False if all further offers are to be blocked.
        taken: bool,
    },
    /// Set a premove by its cells; the server plays it when the turn comes if it is legal then, and discards it
    /// otherwise. The answer is `ok`; other clients are not told, and it is not stored.
    Premove {
        /// The cells of the premove: from and to, or the only one; empty: cancels the premove.
        cells: Vec<Cell>,
    },
    /// Resign the game.
    Resign {
        /// The side that resigns, on one screen only; the side to move when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        side: Option<Side>,
    },
    /// Abort a game in which not both sides have made a turn; it has no winner.
    Abort,
    /// Claim that the other side's time is up. Only a hint: the server keeps the time.
    Flag,
    /// Claim the win because the other player has been away for long while it is their move.
    Claim,
}

impl Act {
    /// Returns the name of the act: the word under `k` on the wire.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Act::Sit { .. } => "sit",
            Act::Leave => "leave",
            Act::Move { .. } => "move",
            Act::Withdraw => "withdraw",
            Act::Offer { .. } => "offer",
            Act::Accept { .. } => "accept",
            Act::Decline { .. } => "decline",
            Act::Offers { .. } => "offers",
            Act::Premove { .. } => "premove",
            Act::Resign { .. } => "resign",
            Act::Abort => "abort",
            Act::Flag => "flag",
            Act::Claim => "claim",
        }
    }
}

/// The kinds of offer that one side can make and the other side answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Offer {
    /// Go back to before the offerer's last turn.
    Takeback,
    /// End the game as a draw.
    Draw,
    /// Play again, sides changed; after the end.
    Rematch,
    /// Exchange seats with the other player.
    Swap,
}

/// An event at a table, as stored in its log. Events are never removed: a takeback is an event too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "k", rename_all = "kebab-case")]
pub enum Event {
    /// A player took a seat.
    Sit {
        /// The side whose seat it is.
        side: Side,
        /// The player: a person or a program.
        who: Player,
    },
    /// A player left a seat before the start.
    Leave {
        /// The side whose seat it is.
        side: Side,
    },
    /// A move was played.
    Move {
        /// The side that moved.
        by: Side,
        /// The move in machine notation.
        #[serde(rename = "move")]
        text: String,
    },
    /// A side took its own last ply back by the rules.
    Withdraw {
        /// The side that took its ply back.
        by: Side,
    },
    /// A side made an offer.
    Offer {
        /// The side that made the offer.
        by: Side,
        /// The kind of offer.
        what: Offer,
    },
    /// An offer was declined, or taken back by its own side.
    Decline {
        /// The side that declined, or took its own offer back.
        by: Side,
        /// The kind of offer.
        what: Offer,
    },
    /// A side accepts offers again, or blocks them.
    Offers {
        /// The side that changed its setting.
        by: Side,
        /// False if the side blocks further offers.
        taken: bool,
    },
    /// Plies were taken back by agreement.
    Takeback {
        /// The side that asked for the takeback.
        by: Side,
        /// The number of plies taken back.
        plies: u32,
    },
    /// Both sides agreed to a draw.
    Draw,
    /// Both sides agreed to exchange seats.
    Swap,
    /// A side resigned.
    Resign {
        /// The side that resigned.
        by: Side,
    },
    /// A side ran out of time.
    Flag {
        /// The side whose time was up.
        by: Side,
    },
    /// A game was aborted before both sides had made a turn.
    Abort {
        /// The side that aborted it.
        by: Side,
    },
    /// A program failed during the game and lost by forfeit.
    Forfeit {
        /// The side that the program played.
        by: Side,
        /// The failure: the messages `reason-<reason>`.
        reason: String,
    },
    /// Both sides agreed to a rematch.
    Rematch {
        /// The table of the rematch.
        table: String,
    },
    /// The server was down; the time was charged to neither side.
    Pause,
}

/// The kind of an event, as clients are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// See [`Event::Sit`].
    Sit,
    /// See [`Event::Leave`].
    Leave,
    /// See [`Event::Move`].
    Move,
    /// See [`Event::Withdraw`].
    Withdraw,
    /// See [`Event::Offer`].
    Offer,
    /// See [`Event::Decline`].
    Decline,
    /// See [`Event::Offers`].
    Offers,
    /// See [`Event::Takeback`].
    Takeback,
    /// See [`Event::Draw`].
    Draw,
    /// See [`Event::Swap`].
    Swap,
    /// See [`Event::Resign`].
    Resign,
    /// See [`Event::Flag`].
    Flag,
    /// See [`Event::Abort`].
    Abort,
    /// See [`Event::Forfeit`].
    Forfeit,
    /// See [`Event::Rematch`].
    Rematch,
    /// See [`Event::Pause`].
    Pause,
}

/// An event with all the fields that a client has to set because of it. Fields that did not change are absent: a
/// client stores what is there and derives nothing. `k`, `by` and `what` only serve to describe the event to people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Happened {
    /// The version of the table after the event.
    #[ts(type = "number")]
    pub v: u64,
    /// The id of the receiver's own command that caused the event: its acknowledgement. The event is stored on disk.
    /// Other clients do not see this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cmd: Option<String>,
    /// The kind of the event.
    pub k: EventKind,
    /// The side it is about; absent for a move, whose `ply` says it, and for what both do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub by: Option<Side>,
    /// The offer it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub what: Option<Offer>,
    /// The record keeps this many plies; applied before `ply`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cut: Option<u32>,
    /// A ply to add to the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ply: Option<PlyInfo>,
    /// The changes on the board.
    #[serde(default, skip_serializing_if = "Patch::is_empty")]
    #[ts(optional, as = "Option<Patch>")]
    pub p: Patch,
    /// Both clocks at the moment when the event was first sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub clk: Option<ClockFace>,
    /// The players in the two seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seats: Option<[Option<Player>; 2]>,
    /// True once both seats were taken and the game has begun. It stays true.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub started: bool,
    /// All offers that are not answered yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub offers: Option<Vec<(Side, Offer)>>,
    /// True for the first and the second player if they block offers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub no_offers: Option<[bool; 2]>,
    /// The result of the game; `null`: the game continues after all.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "crate::view::present")]
    #[schema(value_type = Option<Outcome>)]
    #[ts(as = "Option<Option<Outcome>>", optional)]
    pub end: Option<Option<Outcome>>,
    /// The data of the random numbers: the hash when they are drawn, and the secret when the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub chance: Option<Chance>,
    /// The table where the rematch is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<String>,
    /// The time left for the first move of the side to move, at the moment when the event was sent, in milliseconds;
    /// `null`: no such limit runs any more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "crate::view::present")]
    #[schema(value_type = Option<u64>)]
    #[ts(as = "Option<Option<f64>>", optional)]
    pub first_ms: Option<Option<u64>>,
}

/// A message from the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "a message is made and sent, never kept in numbers")]
pub enum ServerMessage {
    /// The full state of the table at version `v`. It replaces all that the client knew.
    Full {
        /// The version: the number of events so far.
        #[ts(type = "number")]
        v: u64,
        /// The game, the players and the settings of the table.
        table: TableInfo,
        /// The current position.
        view: View,
        /// The plies played.
        record: Vec<PlyInfo>,
        /// The clocks, unless there are none.
        clk: Option<ClockFace>,
        /// Offers that are not answered yet, each with the side that made it.
        offers: Vec<(Side, Offer)>,
        /// The result of the game, decided by the rules or by the players.
        end: Option<Outcome>,
        /// The seats the receiver holds.
        you: Vec<Side>,
        /// True for each of the first and the second player who is present.
        here: [bool; 2],
        /// The number of spectators.
        watchers: u32,
        /// The time left for the first move of the side to move, in milliseconds; then the game is aborted. Absent if
        /// no such limit runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        first_ms: Option<u64>,
    },
    /// The next event. `v` is one more than the version before; after a gap the client has to ask for `full`.
    Ev(Happened),
    /// The answer to a command that was sent twice: event `v` has executed it.
    Ok {
        /// The client's id of the command.
        cmd: String,
        /// The version of the event that executed it.
        #[ts(type = "number")]
        v: u64,
    },
    /// The table cannot continue; its game is kept as it was. No event follows on this connection.
    Failed {
        /// The reason why the table stopped.
        why: Problem,
    },
    /// A command that was refused; nothing changed.
    No {
        /// The client's id of the command.
        cmd: String,
        /// The reason for the refusal.
        why: Problem,
    },
    /// The presence of players and spectators; not an event, never replayed.
    Here {
        /// True for each of the first and the second player who is present.
        here: [bool; 2],
        /// The number of spectators.
        watchers: u32,
        /// The time until the side that is not to move may claim the win because the other player has left, in
        /// milliseconds; 0: now. Absent if it may not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        claim_ms: Option<u64>,
    },
    /// The seats the receiver holds, after they changed.
    You {
        /// The sides the receiver plays.
        you: Vec<Side>,
    },
    /// A chat message at the table. It is not in the log: no version, never replayed.
    Said(SaidLine),
    /// The recent chat messages of the table, the oldest first.
    Chat {
        /// The messages, at most 50.
        lines: Vec<SaidLine>,
    },
    /// A notice that a challenge came in, or that a challenge sent or received was answered; sent on every connection
    /// of a page. `GET /api/challenges` returns the challenges.
    Challenged {
        /// The table at which the game begins, if a challenge was accepted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        table: Option<String>,
        /// The person who declined the challenge, if it was declined.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        declined: Option<Player>,
        /// The reason for declining: the messages `decline-<reason>`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        reason: Option<String>,
    },
    /// A notice that the things waiting for the person changed: their turn in a slow game, or challenges. Sent at
    /// each change, and once to a person with an account who connects while something waits; `GET /api/challenges`
    /// and `GET /api/inbox/next` return the details.
    Bell {
        /// The current announcements of the staff for all people, the newest first; they replace the earlier ones.
        /// Sent on connecting if there are any, and at each change.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        announced: Option<Vec<AnnouncementLine>>,
    },
    /// The answer to a ping.
    Pong {
        /// The number of the ping.
        n: u32,
    },
    /// The changes in the lobby since the previous message.
    LobbyChange {
        /// Tables that are new or changed. With both seats taken, it is a game to watch.
        put: Vec<TableLine>,
        /// Ids of tables that have left the lobby.
        gone: Vec<String>,
        /// The people who wait for an opponent, if that has changed; it replaces all that was known of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        pools: Option<Vec<PoolLine>>,
    },
    /// The open tables and rooms, and the games to watch; on the lobby's WebSocket only. It replaces all that was
    /// known.
    Lobby {
        /// Tables waiting for a second player.
        open: Vec<TableLine>,
        /// Games that are being played and can be watched.
        live: Vec<TableLine>,
        /// The people who wait for an opponent, by game and time, at most 100 lines; left out while there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<PoolLine>>")]
        pools: Vec<PoolLine>,
    },
    /// The server is about to restart; the client should keep the position and connect again.
    Stopping,
    /// The state of storage on the server. Sent on connecting if nothing can be stored, and at each change; until it
    /// comes, a client may assume that storing works.
    Storage {
        /// The reason why nothing can be stored: `disk-low` (running games go on) or `hall-read-only` (all games
        /// stop: the disk or the database fails). `None`: storing works again.
        trouble: Option<Problem>,
    },
}
