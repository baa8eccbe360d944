//! What is said over the WebSocket of a table.

use kernel::Cell;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{
    AnnouncementLine, Chance, ClockFace, Outcome, Patch, Player, PlyInfo, Problem, SaidLine, Side, TableInfo,
    TableLine, View,
};

/// What a client says. At most 4 KiB of JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum ClientMessage {
    /// Wishes to do something at the table. It is answered by the event that carries its `cmd`, by `ok` when that
    /// event happened before, or by `no`. Sending it again with the same `cmd` is safe: it is done at most once.
    Do {
        /// Chosen by the client, 8 to 40 letters, digits, `-` or `_`; never used twice for different wishes.
        cmd: String,
        /// The version the client has seen. A wish that rests on an older board is refused as `stale`.
        #[ts(type = "number")]
        ver: u64,
        /// What to do.
        act: Act,
    },
    /// Asks for everything anew.
    Full,
    /// Says something at the table, among the players where one sits there, else among those who watch: a preset phrase, or
    /// free words. It is answered by the `said` that everybody gets, or by `no`.
    Say {
        /// Chosen by the client; comes back in a `no`.
        cmd: String,
        /// A preset phrase: the message `phrase-<key>`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        phrase: Option<String>,
        /// Free words; at most 200 letters.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        words: Option<String>,
    },
    /// Asks for what was said last; the answer is `chat`.
    Chat,
    /// Asks for a `pong` with the same number.
    Ping {
        /// A number of the client's choice; the `pong` repeats it.
        n: u32,
    },
    /// The page of this connection is out of sight, or is seen again. Nothing answers. Until it is told, a page is seen.
    /// Whose pages are all hidden is still here, and is told what happens as somebody who is not.
    Hidden {
        /// Whether it is out of sight.
        hidden: bool,
    },
}

/// Something to do at a table.
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
        /// Whether the page was out of sight, or lost the focus, since it was the player's turn. Moderators see how often
        /// that was in rated games; nobody else does.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[ts(optional, as = "Option<bool>")]
        away: bool,
    },
    /// Take back one's own last ply, where the rules allow it without asking.
    Withdraw,
    /// Offer something, or do it at once on a one-screen table.
    Offer {
        /// What the offer is about.
        what: Offer,
        /// Takeback on one screen: how many plies; elsewhere it goes back to the offerer's last turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        plies: Option<u32>,
    },
    /// Agree to what the other side offers.
    Accept {
        /// What the offer is about.
        what: Offer,
    },
    /// Decline the other side's offer, or take one's own back.
    Decline {
        /// What the offer is about.
        what: Offer,
    },
    /// Take offers of the other side, or take none; a rematch may always be offered. It holds for this game.
    Offers {
        /// False: none is heard of any more.
        taken: bool,
    },
    /// Choose one move ahead by its places; the hall plays it when the turn comes, if it is legal then, and forgets it else.
    /// It is answered by `ok`, nobody else is told, and nothing of it is written down.
    Premove {
        /// From and to, or the only place; none: nothing is chosen any more.
        cells: Vec<Cell>,
    },
    /// Give the game up.
    Resign {
        /// One screen only: which side gives up; the side to move when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        side: Option<Side>,
    },
    /// End a game in which not both sides have made a turn; nobody wins.
    Abort,
    /// Claim that the other side's time is up. Only a hint: the hall keeps the time.
    Flag,
    /// Claim the win because the other player has left for long while it is their move.
    Claim,
}

impl Act {
    /// What kind of act it is: the word under `k` on the wire.
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

/// What one side may offer and the other answer.
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

/// Something that happened at a table, as its log tells it. It is true for ever: a takeback is an event too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "k", rename_all = "kebab-case")]
pub enum Event {
    /// Someone took a seat.
    Sit {
        /// The side whose seat it is.
        side: Side,
        /// The person or program.
        who: Player,
    },
    /// Someone left a seat before the start.
    Leave {
        /// The side whose seat it is.
        side: Side,
    },
    /// A move was played.
    Move {
        /// The side that did it.
        by: Side,
        /// Its machine text.
        #[serde(rename = "move")]
        text: String,
    },
    /// A side took its own last ply back by the rules.
    Withdraw {
        /// The side that did it.
        by: Side,
    },
    /// A side offered something.
    Offer {
        /// The side that did it.
        by: Side,
        /// What the offer is about.
        what: Offer,
    },
    /// An offer was declined, or taken back by its own side.
    Decline {
        /// The side that did it.
        by: Side,
        /// What the offer is about.
        what: Offer,
    },
    /// A side takes offers, or takes none any more.
    Offers {
        /// The side that did it.
        by: Side,
        /// False: it hears of none any more.
        taken: bool,
    },
    /// Plies were taken back by agreement.
    Takeback {
        /// Who had asked.
        by: Side,
        /// Number of plies taken back.
        plies: u32,
    },
    /// Both agreed to a draw.
    Draw,
    /// Both agreed to exchange seats.
    Swap,
    /// A side gave up.
    Resign {
        /// The side that did it.
        by: Side,
    },
    /// A side's time was up.
    Flag {
        /// The side whose time was up.
        by: Side,
    },
    /// The game ended before it had begun in earnest.
    Abort {
        /// The side that did it.
        by: Side,
    },
    /// A program that sat there failed, and lost by that.
    Forfeit {
        /// The side that the program played.
        by: Side,
        /// What it did: the messages `reason-<reason>`.
        reason: String,
    },
    /// Both agreed to play again.
    Rematch {
        /// The new table.
        table: String,
    },
    /// The hall was away; nobody was charged for it.
    Pause,
}

/// The kind of an event, as clients are told of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
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

/// An event and all that a client has to set because of it. Fields that did not change are absent: a client stores what
/// is there and decides nothing. `k`, `by` and `what` only say what to tell people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Happened {
    /// The version after it.
    #[ts(type = "number")]
    pub v: u64,
    /// The receiver's own wish that it fulfils: the acknowledgement. It is on disk. Others do not see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cmd: Option<String>,
    /// The kind of the event.
    pub k: Kind,
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
    /// What changed on the board.
    #[serde(default, skip_serializing_if = "Patch::is_empty")]
    #[ts(optional, as = "Option<Patch>")]
    pub p: Patch,
    /// Both clocks at the moment when the event was first told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub clk: Option<ClockFace>,
    /// Who sits where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seats: Option<[Option<Player>; 2]>,
    /// Both seats have been taken: the game begins. It never ceases to have begun.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub started: bool,
    /// All offers that stand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub offers: Option<Vec<(Side, Offer)>>,
    /// True for the first and the second player where they take no offers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub no_offers: Option<[bool; 2]>,
    /// How the game ended; `null`: it goes on again.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "crate::view::present")]
    #[schema(value_type = Option<Outcome>)]
    #[ts(as = "Option<Option<Outcome>>", optional)]
    pub end: Option<Option<Outcome>>,
    /// What may be known of how chance decides: when that was drawn, and again when the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub chance: Option<Chance>,
    /// The table where the rematch is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<String>,
    /// Time left for the first move of the side to move, at the moment when the event was told, in milliseconds;
    /// `null`: no such time runs any more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "crate::view::present")]
    #[schema(value_type = Option<u64>)]
    #[ts(as = "Option<Option<f64>>", optional)]
    pub first_ms: Option<Option<u64>>,
}

/// What the hall says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
#[expect(clippy::large_enum_variant, reason = "a message is made and sent, never kept in numbers")]
pub enum ServerMessage {
    /// Everything about the table as of version `v`. Replaces whatever the client knew.
    Full {
        /// The version: the number of events so far.
        #[ts(type = "number")]
        v: u64,
        /// Who and what.
        table: TableInfo,
        /// The board now.
        view: View,
        /// The moves so far.
        record: Vec<PlyInfo>,
        /// The clocks, unless there are none.
        clk: Option<ClockFace>,
        /// Offers that wait for an answer: who offers what.
        offers: Vec<(Side, Offer)>,
        /// How the game ended, by the rules or by the players.
        end: Option<Outcome>,
        /// The seats the receiver holds.
        you: Vec<Side>,
        /// Whether the first and the second player are here.
        here: [bool; 2],
        /// How many others look on.
        watchers: u32,
        /// Time left for the first move of the side to move, in milliseconds; then the game is called off. Absent where
        /// no such time runs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        first_ms: Option<u64>,
    },
    /// The next event. `v` is one more than the version before; a gap means: ask for `full`.
    Ev(Happened),
    /// A wish sent twice: it was fulfilled by event `v`.
    Ok {
        /// The client's id of the wish.
        cmd: String,
        /// The version of the event that fulfilled it.
        #[ts(type = "number")]
        v: u64,
    },
    /// The table cannot go on; its game is kept as it stood. No event follows on this connection.
    Failed {
        /// Why the table stopped.
        why: Problem,
    },
    /// A wish that was not fulfilled; nothing changed.
    No {
        /// The client's id of the wish.
        cmd: String,
        /// The reason for the refusal.
        why: Problem,
    },
    /// Who is here; not an event, never replayed.
    Here {
        /// Whether the first and the second player are here.
        here: [bool; 2],
        /// How many others look on.
        watchers: u32,
        /// In how many milliseconds the side that is not to move may claim the win, because the other has left; 0: now.
        /// Absent where it may not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional, type = "number")]
        claim_ms: Option<u64>,
    },
    /// The seats the receiver holds, after they changed.
    You {
        /// The sides the receiver plays.
        you: Vec<Side>,
    },
    /// Something was said at the table. It is beside the log: no version, never replayed.
    Said(SaidLine),
    /// What was said last at the table, the oldest first.
    Chat {
        /// At most 50 lines.
        lines: Vec<SaidLine>,
    },
    /// Somebody challenges one, or a challenge one has to do with was answered; on every connection of a page. `GET
    /// /api/challenges` says what there is.
    Challenged {
        /// The table at which the game begins, where a challenge was accepted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        table: Option<String>,
        /// The other person, where they have declined one's challenge.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        declined: Option<Player>,
        /// Why they have: the messages `decline-<reason>`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        reason: Option<String>,
    },
    /// Something waits for one that did not before, or no longer: one's turn in a slow game, challenges. Told when it
    /// changes, and once to somebody with an account who connects while something waits; `GET /api/challenges` and `GET
    /// /api/inbox/next` say what it is.
    Bell {
        /// It rings for everybody: what the staff announces, the newest first, in place of what was announced before. Sent at once
        /// where there is something, and whenever it changes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        announced: Option<Vec<AnnouncementLine>>,
    },
    /// The answer to a ping.
    Pong {
        /// The number of the ping.
        n: u32,
    },
    /// What changed in the lobby since the message before.
    LobbyChange {
        /// Lines that are new or different. Both seats taken: a game to watch.
        put: Vec<TableLine>,
        /// Ids of tables that are gone.
        gone: Vec<String>,
    },
    /// The open tables and rooms, and games to watch; on the lobby's WebSocket only. Replaces whatever was known.
    Lobby {
        /// Waiting for a second player.
        open: Vec<TableLine>,
        /// Games that are being played and may be watched.
        live: Vec<TableLine>,
    },
    /// The hall is about to stop and comes back; keep the board and connect again.
    Stopping,
    /// Whether the hall can store anything. Sent at once where it cannot, and whenever that changes; until it is sent, a
    /// connection may assume that the hall can.
    Storage {
        /// Why it cannot: `disk-low` (running games go on) or `hall-read-only` (nothing does: the disk or the database). `None`: it can again.
        trouble: Option<Problem>,
    },
}
