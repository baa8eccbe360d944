//! What people have to do with each other: challenges, friends, words at a table, reports; and what programs are told.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Agreement, AnnouncementLine, ClockFace, ClockSpec, MapName, Outcome, Player, Side};

/// Challenges somebody: `POST /api/challenge/<name or id>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewChallenge {
    /// Key of the game, as in `GET /api/games`.
    pub game: String,
    /// Options that differ from the default.
    #[serde(default)]
    #[ts(optional, as = "Option<BTreeMap<String, i32>>")]
    pub options: BTreeMap<String, i64>,
    /// The map's id, for games that come with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<String>,
    /// How long sides may think.
    pub clock: ClockSpec,
    /// The challenger's side; absent: by lot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub side: Option<Side>,
    /// Whether the result counts for ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
}

/// A challenge that waits for an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ChallengeLine {
    /// For the answer.
    pub id: String,
    /// Who challenges.
    pub from: Player,
    /// Who is challenged.
    pub to: Player,
    /// Key of the game.
    pub game: String,
    /// Every option of the game with its value.
    #[ts(type = "Record<string, number>")]
    pub options: BTreeMap<String, i64>,
    /// The map it is played on, in games that come with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<MapName>,
    /// How long sides may think.
    pub clock: ClockSpec,
    /// The challenger's side; absent: by lot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub side: Option<Side>,
    /// Whether the result counts for ratings.
    #[serde(default)]
    pub rated: bool,
    /// When it was made, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// When it expires, in Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: u64,
}

/// The challenges one has to do with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Challenges {
    /// Those that wait for one's answer, the oldest first.
    pub received: Vec<ChallengeLine>,
    /// Those that wait for the answer of others.
    pub sent: Vec<ChallengeLine>,
}

/// Declines a challenge.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Decline {
    /// Why: one of the messages `decline-<reason>`; absent: `generic`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub reason: Option<String>,
}

/// What one is to somebody.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// Wants to know when they are here.
    #[serde(default)]
    pub follows: bool,
    /// Is never paired with them, gets no challenges of them, and does not see their words.
    #[serde(default)]
    pub blocks: bool,
    /// What one noted about them, for oneself; at most 500 letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub note: Option<String>,
}

/// Somebody to whom one is something.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Acquaintance {
    /// Who.
    pub player: Player,
    /// What one is to them.
    pub relation: Relation,
    /// Whether they are here now; told of those whom one follows, unless they block one.
    pub here: bool,
}

/// Something said at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SaidLine {
    /// Its number, by which it is reported.
    #[ts(type = "number")]
    pub n: u64,
    /// Who said it.
    pub who: Player,
    /// Whether it was said among those who watch, and not among the players.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub watching: bool,
    /// A preset phrase: the message `phrase-<key>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub phrase: Option<String>,
    /// Free words, cleaned: never more than one line of 200 letters, without control and bidirectional letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub words: Option<String>,
    /// When, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
}

/// Reports somebody: `POST /api/reports`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// The name or public id of whom it is about. Not needed with `said` or `map`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub who: Option<String>,
    /// What it is about: `person`, `name`, `text` or `map`.
    pub subject: String,
    /// What is wrong, at most 1000 letters.
    #[serde(default)]
    pub words: String,
    /// The table at which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
    /// The number of what was said; for `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub said: Option<u64>,
    /// The id of the map; for `map`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<String>,
}

/// What the hall found when a report came in; it stays although names change and words go.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Evidence {
    /// What they were called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// The table at which it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
    /// What was said, as it was said; the last line is the one that was reported.
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
    /// Its number.
    #[ts(type = "number")]
    pub n: u64,
    /// Who reports.
    pub by: Player,
    /// Whom it is about.
    pub about: Player,
    /// What it is about: the messages `report-<subject>`.
    pub subject: String,
    /// What was said with it.
    pub words: String,
    /// What the hall found.
    pub evidence: Evidence,
    /// When it came in, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// What was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub decided: Option<DecisionLine>,
    /// How many decisions other than `nothing` there are about the same person besides.
    pub before: u32,
}

/// Decides about a report: `POST /api/moderation/reports/<n>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Decide {
    /// `nothing`, `warn`, `mute`, `suspend`, `reset-ratings`, `close`, or `take-down` of the map that a report is about.
    pub decision: String,
    /// Why, in words for whom it is about; at most 1000 letters.
    #[serde(default)]
    pub reason: String,
    /// For how many days somebody is muted or suspended; at most 366.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub days: Option<u32>,
}

/// A decision, as moderators and whom it is about see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DecisionLine {
    /// Number of the report.
    #[ts(type = "number")]
    pub n: u64,
    /// What the report was about.
    pub subject: String,
    /// What was decided: the messages `decision-<key>`.
    pub decision: String,
    /// Why.
    pub reason: String,
    /// When, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// When a mute or a suspension ends, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub until_ms: Option<u64>,
    /// What whom it is about says against it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub appeal: Option<String>,
    /// Whether the appeal was answered.
    #[serde(default)]
    pub answered: bool,
}

/// Appeals a decision: `POST /api/account/decisions/<n>/appeal`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Appeal {
    /// At most 1000 letters.
    pub words: String,
}

/// A line of `GET /api/stream/event`. Names are those that authors of programs know from Lichess.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum StreamEvent {
    /// A game of one's own has begun, or runs when the stream begins.
    GameStart {
        /// The game.
        game: StreamGame,
    },
    /// A game of one's own has ended.
    GameFinish {
        /// The game.
        game: StreamGame,
    },
    /// Somebody challenges one, or one has challenged somebody.
    Challenge {
        /// The challenge.
        challenge: ChallengeLine,
    },
    /// A challenge was withdrawn by who made it.
    ChallengeCanceled {
        /// The challenge.
        challenge: ChallengeLine,
    },
    /// A challenge was declined.
    ChallengeDeclined {
        /// The challenge.
        challenge: ChallengeLine,
        /// Why: the messages `decline-<reason>`.
        reason: String,
    },
    /// The staff announces something to everybody; each announcement comes once, and at the start of the stream.
    Announcement {
        /// The words, in both languages.
        announcement: AnnouncementLine,
    },
}

/// A game in [`StreamEvent`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct StreamGame {
    /// The id of its table.
    pub id: String,
    /// Key of the game.
    pub game: String,
    /// Who plays the first and the second side.
    pub seats: [Option<Player>; 2],
    /// Whether the result counts for ratings.
    pub rated: bool,
    /// How long sides may think.
    pub clock: ClockSpec,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Outcome>,
}

/// A line of `GET /api/bot/game/stream/<id>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "one at a time, written to the stream and dropped")]
pub enum GameEvent {
    /// Everything about the game: the first line.
    GameFull {
        /// The game.
        game: StreamGame,
        /// Every option of the game with its value.
        options: BTreeMap<String, i64>,
        /// The start position, when it is not the usual one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
        /// The sides one plays.
        you: Vec<Side>,
        /// Where it stands.
        state: GameState,
    },
    /// Where the game stands now.
    GameState(GameState),
    /// Something was said.
    ChatLine(SaidLine),
}

/// Where a game stands, as programs are told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct GameState {
    /// The version of the table.
    pub v: u64,
    /// Machine texts of the plies so far.
    pub moves: Vec<String>,
    /// Whose turn it is.
    pub turn: Side,
    /// The position as one line of text.
    pub fen: String,
    /// Machine texts of the legal moves, where it is one's turn; else empty.
    pub legal: Vec<String>,
    /// The clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockFace>,
    /// Whether the other side offers a draw.
    #[serde(default, rename = "drawOffer", skip_serializing_if = "std::ops::Not::not")]
    pub draw_offer: bool,
    /// Whether the other side asks to take back.
    #[serde(default, rename = "takebackOffer", skip_serializing_if = "std::ops::Not::not")]
    pub takeback_offer: bool,
    /// `created` before both have sat down, `started`, or the reason of the end.
    pub status: String,
    /// Who has won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Side>,
}

/// How somebody used their time in a game, or in several.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FairTimes {
    /// Turns whose time is known.
    pub turns: u32,
    /// Half of them took less, in milliseconds.
    #[ts(type = "number")]
    pub median_ms: u64,
    /// Standard deviation by mean, in hundredths.
    pub spread: u32,
    /// Turns of less than a second, in hundredths of all.
    pub quick: u32,
    /// Turns in which the page was left, in hundredths of all; programs and terminals never say so.
    pub away: u32,
}

/// How somebody has played a rated game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FairGame {
    /// Of the table.
    pub id: String,
    /// Key of the game.
    pub game: String,
    /// Their side.
    pub side: Side,
    /// The other player.
    pub opponent: Player,
    /// When it ended, in Unix milliseconds.
    #[ts(type = "number")]
    pub ended_ms: u64,
    /// It is being judged, or will be; without, and without `own`: it cannot be judged.
    pub waits: bool,
    /// Their turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub own: Option<Agreement>,
    /// The opponent's turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub other: Option<Agreement>,
    /// Their time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub times: Option<FairTimes>,
}

/// An opponent with whom somebody has ended several rated games in thirty days.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FairPair {
    /// The other player.
    pub opponent: Player,
    /// Their rated games.
    pub games: u32,
    /// Those of them that the person won.
    pub won: u32,
    /// Those that ended before each had made ten turns.
    pub short: u32,
    /// Both were last seen at one address.
    pub neighbours: bool,
}

/// How somebody has played their last rated games, for moderators: figures, and no verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FairPlay {
    /// Who.
    pub person: Player,
    /// The games, the latest first.
    pub games: Vec<FairGame>,
    /// Their turns in the games that were judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub own: Option<Agreement>,
    /// Their opponents' turns in the same games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub others: Option<Agreement>,
    /// Their time in all of the games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub times: Option<FairTimes>,
    /// With whom they play often, and their neighbours; the one with the most games first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<FairPair>>")]
    pub pairs: Vec<FairPair>,
}
