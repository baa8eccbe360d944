//! Contacts between people: challenges, follows and blocks, chat, reports; and the streams for programs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Agreement, AnnouncementLine, ClockFace, ClockSpec, MapName, Outcome, Player, Side};

/// A challenge to a person: `POST /api/challenge/<name or id>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewChallenge {
    /// The key of the game, as in `GET /api/games`.
    pub game: String,
    /// Options that differ from the default.
    #[serde(default)]
    #[ts(optional, as = "Option<BTreeMap<String, i32>>")]
    pub options: BTreeMap<String, i64>,
    /// The map's id, for games that come with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<String>,
    /// The time control.
    pub clock: ClockSpec,
    /// The challenger's side; absent: drawn by lot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub side: Option<Side>,
    /// Set if the result counts for ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
}

/// A challenge that waits for an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ChallengeLine {
    /// The id of the challenge, used to answer it.
    pub id: String,
    /// The person who sent the challenge.
    pub from: Player,
    /// The person who was challenged.
    pub to: Player,
    /// The key of the game.
    pub game: String,
    /// Every option of the game with its value.
    #[ts(type = "Record<string, number>")]
    pub options: BTreeMap<String, i64>,
    /// The map it is played on, in games that come with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<MapName>,
    /// The time control.
    pub clock: ClockSpec,
    /// The challenger's side; absent: drawn by lot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub side: Option<Side>,
    /// True if the result counts for ratings.
    #[serde(default)]
    pub rated: bool,
    /// The time at which it was made, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// The time at which it expires, in Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: u64,
}

/// The open challenges of the person who asks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Challenges {
    /// Received challenges, the oldest first.
    pub received: Vec<ChallengeLine>,
    /// Sent challenges that are not answered yet.
    pub sent: Vec<ChallengeLine>,
}

/// A request to decline a challenge.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Decline {
    /// The reason: one of the messages `decline-<reason>`; absent: `generic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
}

/// The person's own settings about another person.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// True if the person follows the other one and is shown when they are online.
    #[serde(default)]
    pub follows: bool,
    /// True if the person is never paired with the other one, gets no challenges from them, and does not see their
    /// chat messages.
    #[serde(default)]
    pub blocks: bool,
    /// A private note about the other one; at most 500 letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
}

/// A person to whom one has a relation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Acquaintance {
    /// The other person.
    pub player: Player,
    /// One's own settings about them.
    pub relation: Relation,
    /// True if they are online now; shown only for people one follows who do not block one.
    pub here: bool,
}

/// A chat message at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SaidLine {
    /// The number of the message, by which it is reported.
    #[ts(type = "number")]
    pub n: u64,
    /// The sender of the message.
    pub who: Player,
    /// True if it was sent among the spectators and not among the players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub watching: bool,
    /// A preset phrase: the message `phrase-<key>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phrase: Option<String>,
    /// Free text, sanitized: one line of at most 200 letters, without control and bidirectional characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub words: Option<String>,
    /// The time at which it was sent, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
}

/// A report about a person: `POST /api/reports`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// The name or public id of the reported person. Not needed with `said` or `map`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub who: Option<String>,
    /// The subject: `person`, `name`, `text` or `map`.
    pub subject: String,
    /// A description of the offence, at most 1000 letters.
    #[serde(default)]
    pub words: String,
    /// The table at which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
    /// The number of the chat message; for `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub said: Option<u64>,
    /// The id of the map; for `map`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<String>,
}

/// The evidence that the server stored when a report came in; it stays when names change or messages are deleted.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Evidence {
    /// The reported person's name at that time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// The table at which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
    /// The chat messages, unchanged; the last one is the one that was reported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<SaidLine>>")]
    pub said: Vec<SaidLine>,
    /// The id of the map, and its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<(String, String)>,
}

/// A report, as moderators see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ReportLine {
    /// The number of the report.
    #[ts(type = "number")]
    pub n: u64,
    /// The person who reports.
    pub by: Player,
    /// The reported person.
    pub about: Player,
    /// The subject: the messages `report-<subject>`.
    pub subject: String,
    /// The description given with the report.
    pub words: String,
    /// The evidence stored with the report.
    pub evidence: Evidence,
    /// The time of the report, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// The decision, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub decided: Option<DecisionLine>,
    /// The number of other decisions about the same person, except `nothing`.
    pub before: u32,
}

/// A decision about a report: `POST /api/moderation/reports/<n>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Decide {
    /// The decision: `nothing`, `warn`, `mute`, `suspend`, `reset-ratings`, `close`, or `take-down` of the map that a
    /// report is about.
    pub decision: String,
    /// The reason, shown to the reported person; at most 1000 letters.
    #[serde(default)]
    pub reason: String,
    /// The number of days of a mute or a suspension; at most 366.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub days: Option<u32>,
}

/// A decision, as moderators and the person it is about see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DecisionLine {
    /// The number of the report.
    #[ts(type = "number")]
    pub n: u64,
    /// The subject of the report.
    pub subject: String,
    /// The decision: the messages `decision-<key>`.
    pub decision: String,
    /// The reason that was given.
    pub reason: String,
    /// The time of the decision, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// The time at which the mute or suspension ends, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub until_ms: Option<u64>,
    /// The text of the appeal by the person it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub appeal: Option<String>,
    /// True if the appeal was answered.
    #[serde(default)]
    pub answered: bool,
}

/// An appeal against a decision: `POST /api/account/decisions/<n>/appeal`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Appeal {
    /// The text of the appeal, at most 1000 letters.
    pub words: String,
}

/// A line of `GET /api/stream/event`. Names are those of the Lichess API.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum StreamEvent {
    /// A game of the person has begun, or was already running when the stream began.
    GameStart {
        /// The game that has begun.
        game: StreamGame,
    },
    /// A game of the person has ended.
    GameFinish {
        /// The game that has ended.
        game: StreamGame,
    },
    /// The person received or sent a challenge.
    Challenge {
        /// The challenge that was made.
        challenge: ChallengeLine,
    },
    /// A challenge was withdrawn by the challenger.
    ChallengeCanceled {
        /// The challenge that was withdrawn.
        challenge: ChallengeLine,
    },
    /// A challenge was declined.
    ChallengeDeclined {
        /// The challenge that was declined.
        challenge: ChallengeLine,
        /// The reason: the messages `decline-<reason>`.
        reason: String,
    },
    /// The staff made an announcement; each comes once, and the current ones at the start of the stream.
    Announcement {
        /// The announcement, in both languages.
        announcement: AnnouncementLine,
    },
}

/// A game in [`StreamEvent`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct StreamGame {
    /// The id of its table.
    pub id: String,
    /// The key of the game.
    pub game: String,
    /// The first and the second player.
    pub seats: [Option<Player>; 2],
    /// True if the result counts for ratings.
    pub rated: bool,
    /// The time control.
    pub clock: ClockSpec,
    /// The result of the game, if it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Outcome>,
}

/// A line of `GET /api/bot/game/stream/<id>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "one at a time, written to the stream and dropped")]
pub enum GameEvent {
    /// The full state of the game, in the first line.
    GameFull {
        /// The table with the players and the clock.
        game: StreamGame,
        /// Every option of the game with its value.
        options: BTreeMap<String, i64>,
        /// The start position, if it is not the usual one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
        /// The sides that the program plays.
        you: Vec<Side>,
        /// The current state.
        state: GameState,
    },
    /// The state of the game after a change.
    GameState(GameState),
    /// A chat message at the table.
    ChatLine(SaidLine),
}

/// The state of a game, as programs get it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct GameState {
    /// The version of the table.
    pub v: u64,
    /// The plies so far, in machine notation.
    pub moves: Vec<String>,
    /// The side to move.
    pub turn: Side,
    /// The position as one line of text.
    pub fen: String,
    /// The legal moves in machine notation if it is the program's turn; else empty.
    pub legal: Vec<String>,
    /// The clocks of both sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockFace>,
    /// True if the other side offers a draw.
    #[serde(default, rename = "drawOffer", skip_serializing_if = "std::ops::Not::not")]
    pub draw_offer: bool,
    /// True if the other side asks for a takeback.
    #[serde(default, rename = "takebackOffer", skip_serializing_if = "std::ops::Not::not")]
    pub takeback_offer: bool,
    /// The status: `created` before both seats are taken, `started`, or the reason of the end.
    pub status: String,
    /// The side that has won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Side>,
}

/// A player's use of time in one or more games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FairTimes {
    /// The number of turns whose time is known.
    pub turns: u32,
    /// The median time of a turn, in milliseconds.
    #[ts(type = "number")]
    pub median_ms: u64,
    /// The standard deviation divided by the mean, in hundredths.
    pub spread: u32,
    /// The share of turns of less than a second, in hundredths.
    pub quick: u32,
    /// The share of turns in which the page was left, in hundredths; programs and terminals do not report it.
    pub away: u32,
}

/// A player's moves and times in a rated game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FairGame {
    /// The id of the table.
    pub id: String,
    /// The key of the game.
    pub game: String,
    /// The side of the player.
    pub side: Side,
    /// The other player.
    pub opponent: Player,
    /// The time at which it ended, in Unix milliseconds.
    #[ts(type = "number")]
    pub ended_ms: u64,
    /// True if the analysis of the game is running or queued; false and without `own`: it cannot be analysed.
    pub waits: bool,
    /// The agreement of the player's turns with the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub own: Option<Agreement>,
    /// The agreement of the opponent's turns with the engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub other: Option<Agreement>,
    /// The player's use of time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub times: Option<FairTimes>,
}

/// An opponent with whom a person has finished several rated games in thirty days.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FairPair {
    /// The other player.
    pub opponent: Player,
    /// The number of their rated games.
    pub games: u32,
    /// The number of them that the person won.
    pub won: u32,
    /// The number of them that ended before each side had made ten turns.
    pub short: u32,
    /// True if both were last seen at the same network address.
    pub neighbours: bool,
}

/// Figures about a person's last rated games for moderators, without a verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FairPlay {
    /// The person who is examined.
    pub person: Player,
    /// The games, the latest first.
    pub games: Vec<FairGame>,
    /// The agreement of the person's turns with the engine, over all analysed games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub own: Option<Agreement>,
    /// The agreement of the opponents' turns with the engine, in the same games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub others: Option<Agreement>,
    /// The person's use of time, over all games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub times: Option<FairTimes>,
    /// Frequent opponents, and those at the same address; the one with the most games first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<FairPair>>")]
    pub pairs: Vec<FairPair>,
}
