//! What is asked and answered over HTTP.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{
    Board, ClockSpec, Event, How, MapName, Mark, Opponent, Patch, Piece, Player, Problem, Side, View,
};

/// One game of the catalogue. Its name is the message `game-<key>`, with `/` written `-`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct GameInfo {
    /// Such as `gomoku/freestyle`.
    pub key: String,
    /// Games of one family share paint and words: `gomoku`.
    pub family: String,
    /// What the sides are called: the messages `side-<name>`.
    pub sides: [String; 2],
    /// What may be chosen.
    pub options: Vec<OptionInfo>,
    /// The board of the usual start.
    pub board: Board,
    /// The usual start, for a picture.
    pub view: View,
    /// Record formats, such as `json`, `text`, `sgf`.
    pub formats: Vec<String>,
    /// Notations players read moves in, the usual one first.
    #[serde(default)]
    pub notations: Vec<String>,
    /// The pieces one may place when setting up a position: side and face. Empty: it cannot be set up.
    #[serde(default)]
    pub palette: Vec<(Side, String)>,
    /// Whether a table of it is opened with a map; board and start are then those of one map, for a picture.
    #[serde(default)]
    pub needs_map: bool,
    /// True where either side may make the first move: the piece that is chosen first decides.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub either_begins: bool,
}

/// Something to choose about a game: a whole number. Its name is the message `option-<key>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OptionInfo {
    /// Such as `size`.
    pub key: String,
    /// Smallest value. With `max` 1 and `min` 0 it is a switch.
    #[ts(type = "number")]
    pub min: i64,
    /// Largest value, inclusive.
    #[ts(type = "number")]
    pub max: i64,
    /// Names of the values from `min` on: the messages `option-<key>-<name>`. Empty: plain numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub names: Vec<String>,
    /// In the game as its rules have it, and on one screen.
    #[ts(type = "number")]
    pub usual: i64,
    /// When played online.
    #[ts(type = "number")]
    pub online: i64,
}

/// Opens a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct CreateTable {
    /// Key of the game, as in `GET /api/games`.
    pub game: String,
    /// Options that differ from the default.
    #[serde(default)]
    #[ts(optional, as = "Option<BTreeMap<String, i32>>")]
    pub options: BTreeMap<String, i64>,
    /// The map's id, for games that come with one.
    #[serde(default)]
    #[ts(optional)]
    pub map: Option<String>,
    /// A start position.
    #[serde(default)]
    #[ts(optional)]
    pub fen: Option<String>,
    /// How it is opened.
    pub how: How,
    /// The room's name, 1 to 40 characters; for `how: room`.
    #[serde(default)]
    #[ts(optional)]
    pub room: Option<String>,
    /// How long sides may think.
    pub clock: ClockSpec,
    /// The opener's side; absent: by lot.
    #[serde(default)]
    #[ts(optional)]
    pub side: Option<Side>,
    /// Who takes the other seat at once: a program. Not with `how: screen`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub opponent: Option<Opponent>,
    /// Whether the result counts for ratings: a game by its usual rules with a clock, between two accounts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
}

/// Opens a table for people of some ratings: `POST /api/tables`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenTable {
    /// The table.
    #[serde(flatten)]
    #[ts(flatten)]
    pub table: CreateTable,
    /// The lowest and the highest rating in this game at this speed of who may take the other seat; `null`: any. Only for games
    /// that could be rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ratings: Option<[Option<i32>; 2]>,
}

/// A program that sits down with people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct EngineInfo {
    /// As [`CreateTable`] asks for it.
    pub opponent: Opponent,
    /// The catalogue keys of the games it plays.
    pub games: Vec<String>,
}

/// The answer to opening a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Created {
    /// The table's id; its page is `/t/<id>`.
    pub id: String,
    /// The seats the opener holds.
    pub you: Vec<Side>,
    /// What a record says that the table does not hold, and what is wrong with it: a move that is not possible, from
    /// which on it was cut, with the place; variations; further games of the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Problem>>")]
    pub told: Vec<Problem>,
}

/// Who the asker is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Me {
    /// As others see them.
    pub player: Player,
    /// Whether they have an account.
    #[serde(default)]
    pub kind: crate::PersonKind,
    /// Their unfinished tables, newest first, at most 20.
    pub playing: Vec<TableLine>,
    /// In how many slow games they are to move.
    #[serde(default)]
    pub waiting: u32,
}

/// All that a page needs to open the hall, in one answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Welcome {
    /// As in `GET /api/me`.
    pub me: Me,
    /// As in `GET /api/engines`.
    pub engines: Vec<EngineInfo>,
    /// As in `GET /api/games`.
    pub games: Vec<GameInfo>,
}

/// Chooses a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewName {
    /// 1 to 24 characters; empty: none.
    pub name: String,
}

/// One line of the lobby.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct TableLine {
    /// The table's id, the last part of its link.
    pub id: String,
    /// Key of the game, as in `GET /api/games`.
    pub game: String,
    /// Every option of the game with its value.
    #[ts(type = "Record<string, number>")]
    pub options: BTreeMap<String, i64>,
    /// The map it is played on, in games that come with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<MapName>,
    /// How it was opened.
    pub how: How,
    /// The room's name.
    pub room: Option<String>,
    /// How long sides may think.
    pub clock: ClockSpec,
    /// Who sits where.
    pub seats: [Option<Player>; 2],
    /// The lowest and the highest rating of who may take the other seat, where whoever opened the table asks for some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ratings: Option<[Option<i32>; 2]>,
    /// Whether the result counts for ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
    /// Moves so far.
    pub plies: u32,
    /// When it was opened, in Unix milliseconds.
    #[ts(type = "number")]
    pub created_ms: u64,
}

/// The lobby at one moment, at most 100 lines each.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Tables {
    /// Waiting for a second player.
    pub open: Vec<TableLine>,
    /// Games that are being played and may be watched.
    pub live: Vec<TableLine>,
}

/// A part of a game as a film: a picture, and what each of the next plies changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Replay {
    /// The plies before `start`.
    pub from: u32,
    /// The plies of the whole game; there is more to be had while `from` and the patches are fewer.
    pub of: u32,
    /// The picture after `from` plies.
    pub start: View,
    /// What each ply after that changed.
    pub patches: Vec<Patch>,
}

/// A position to be made: either from `fen`, or from `pieces` and `turn`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SetUp {
    /// Key of the game, as in `GET /api/games`.
    pub game: String,
    /// Options that differ from the default.
    #[serde(default)]
    #[ts(optional, as = "Option<BTreeMap<String, i32>>")]
    pub options: BTreeMap<String, i64>,
    /// The map's id, for games that come with one.
    #[serde(default)]
    #[ts(optional)]
    pub map: Option<String>,
    /// The position as one line of text.
    #[serde(default)]
    #[ts(optional)]
    pub fen: Option<String>,
    /// What stands where, at most one piece a cell.
    #[serde(default)]
    pub pieces: Vec<Piece>,
    /// The side to move; the first when absent.
    #[serde(default)]
    #[ts(optional)]
    pub turn: Option<Side>,
}

/// A position that a game may start from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Standing {
    /// As one line of text.
    pub fen: String,
    /// The board the position stands on.
    pub board: Board,
    /// The position as clients draw it.
    pub view: View,
}

/// What a teacher would point at in a table's position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Lessons {
    /// After so many plies.
    pub ply: u32,
    /// Cells by kind: the messages `lesson-<kind>`.
    pub marks: Vec<Mark>,
}

/// What there is to know about the piece on a cell of a table's board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Details {
    /// Sentence by sentence: the messages `detail-<key>`. Empty: no more than its name. Arrows in them point as the
    /// first player sees the board.
    pub details: Vec<Problem>,
}

/// An imported record: opens a table at its last position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ImportRecord {
    /// A format's key, such as `sgf`; absent: told from the content.
    #[serde(default)]
    #[ts(optional)]
    pub format: Option<String>,
    /// The file's text, at most 7 MiB with the rest of the body; or its bytes in Base64.
    pub content: String,
    /// Whether `content` is Base64: for files that are not text, or not in UTF-8.
    #[serde(default)]
    pub base64: bool,
}

/// One event as the log keeps it: `GET /api/tables/<id>/log`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct LogLine {
    /// The version after it.
    #[ts(type = "number")]
    pub v: u64,
    /// When, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// The wish it fulfilled.
    pub cmd: Option<String>,
    /// The event of this version.
    pub e: Event,
}
