//! Requests and responses of the HTTP API.

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
    /// The key of the game, such as `gomoku/freestyle`.
    pub key: String,
    /// The words that lead to the game's page, the address of the page first: `/renju` for `renju`. The others are names of
    /// the same game elsewhere.
    #[serde(default)]
    pub addresses: Vec<String>,
    /// The family of the game, such as `gomoku`; games of one family share piece drawings and vocabulary.
    pub family: String,
    /// The names of the two sides: the messages `side-<name>`.
    pub sides: [String; 2],
    /// The options that can be set.
    pub options: Vec<OptionInfo>,
    /// The board of the usual start.
    pub board: Board,
    /// The usual start, for a picture.
    pub view: View,
    /// The formats of records, such as `json`, `text`, `sgf`.
    pub formats: Vec<String>,
    /// Notations players read moves in, the usual one first.
    #[serde(default)]
    pub notations: Vec<String>,
    /// The pieces that can be placed when a position is set up: side and face. Empty: positions cannot be set up.
    #[serde(default)]
    pub palette: Vec<(Side, String)>,
    /// True if a table of this game is opened with a map; board and start are then those of one map, for a picture.
    #[serde(default)]
    pub needs_map: bool,
    /// True if either side may make the first move: the piece that is chosen first decides.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub either_begins: bool,
    /// The number of plies of a turn: by it the plies of a game are told in moves.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    #[ts(optional, as = "Option<u32>")]
    pub turn_plies: u32,
}

const fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_one(plies: &u32) -> bool {
    *plies == 1
}

/// An option of a game: a whole number. Its name is the message `option-<key>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OptionInfo {
    /// The key of the option, such as `size`.
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
    /// The default of the rules, used on one screen.
    #[ts(type = "number")]
    pub usual: i64,
    /// The default for games online.
    #[ts(type = "number")]
    pub online: i64,
}

/// A request to open a table.
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
    /// The start position, in FEN or the game's like notation.
    #[serde(default)]
    #[ts(optional)]
    pub fen: Option<String>,
    /// The way the table is opened.
    pub how: How,
    /// The room's name, 1 to 40 characters; for `how: room`.
    #[serde(default)]
    #[ts(optional)]
    pub room: Option<String>,
    /// The time control.
    pub clock: ClockSpec,
    /// The opener's side; absent: drawn by lot.
    #[serde(default)]
    #[ts(optional)]
    pub side: Option<Side>,
    /// The program that takes the other seat at once. Not with `how: screen`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub opponent: Option<Opponent>,
    /// Set if the result counts for ratings: a game by its usual rules with a clock, between two accounts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
}

/// A request to open a table for players in a range of ratings: `POST /api/tables`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenTable {
    /// The table to open.
    #[serde(flatten)]
    #[ts(flatten)]
    pub table: CreateTable,
    /// The lowest and the highest rating, in this game at this speed, of a player who may take the other seat;
    /// `null`: any. Only for games that can be rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ratings: Option<[Option<i32>; 2]>,
}

/// An engine that plays against people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct EngineInfo {
    /// The engine and its settings, as [`CreateTable`] takes them.
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
    /// The problems found in an imported record: a move that is not possible, at which the game was cut, with its
    /// place; variations and further games of the file, which are not imported.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Problem>>")]
    pub told: Vec<Problem>,
}

/// The person who sent the request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Me {
    /// The person as others see them.
    pub player: Player,
    /// The kind of person: guest, account or program.
    #[serde(default)]
    pub kind: crate::PersonKind,
    /// Their unfinished tables, newest first, at most 20.
    pub playing: Vec<TableLine>,
    /// The number of slow games in which it is this person's turn.
    #[serde(default)]
    pub waiting: u32,
}

/// The data that a page needs when it opens, in one response.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Welcome {
    /// The person who sent the request, as in `GET /api/me`.
    pub me: Me,
    /// The engines, as in `GET /api/engines`.
    pub engines: Vec<EngineInfo>,
    /// The games of the catalogue, as in `GET /api/games`.
    pub games: Vec<GameInfo>,
}

/// A request to change the display name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewName {
    /// The name: 1 to 24 characters; empty: none.
    pub name: String,
}

/// A table as lists and the lobby show it.
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
    /// The way the table was opened.
    pub how: How,
    /// The room's name.
    pub room: Option<String>,
    /// The time control.
    pub clock: ClockSpec,
    /// The players in the two seats; `null`: the seat is free.
    pub seats: [Option<Player>; 2],
    /// The lowest and the highest rating of a player who may take the other seat, if the opener set them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ratings: Option<[Option<i32>; 2]>,
    /// True if the result counts for ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub rated: bool,
    /// The number of moves played.
    pub plies: u32,
    /// The time at which the table was opened, in Unix milliseconds.
    #[ts(type = "number")]
    pub created_ms: u64,
}

/// The lobby at one moment, at most 100 tables in each list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Tables {
    /// Tables waiting for a second player.
    pub open: Vec<TableLine>,
    /// Games that are being played and may be watched.
    pub live: Vec<TableLine>,
}

/// A part of a game for replay: the position at its start, and the changes of each of the next plies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Replay {
    /// The number of plies before `start`.
    pub from: u32,
    /// The number of plies of the whole game; there is more to fetch while `from` and the number of patches add up to
    /// fewer.
    pub of: u32,
    /// The position after `from` plies.
    pub start: View,
    /// The changes of each ply after that.
    pub patches: Vec<Patch>,
}

/// A position to set up: either from `fen`, or from `pieces` and `turn`.
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
    /// The pieces and their cells, at most one piece per cell.
    #[serde(default)]
    pub pieces: Vec<Piece>,
    /// The side to move; the first when absent.
    #[serde(default)]
    #[ts(optional)]
    pub turn: Option<Side>,
}

/// A position that a game can start from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Standing {
    /// The position as one line of text.
    pub fen: String,
    /// The board the position stands on.
    pub board: Board,
    /// The position as clients draw it.
    pub view: View,
}

/// Teaching hints for the position of a table: cells worth pointing out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Lessons {
    /// The number of plies after which the position stands.
    pub ply: u32,
    /// The cells by kind of hint: the messages `lesson-<kind>`.
    pub marks: Vec<Mark>,
}

/// The description of the piece on a cell of a table's board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Details {
    /// The sentences of the description: the messages `detail-<key>`. Empty: there is no more to say than its name.
    /// Arrows in them point as the first player sees the board.
    pub details: Vec<Problem>,
}

/// A record to import: opens a table at its last position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ImportRecord {
    /// The key of the format, such as `sgf`; absent: detected from the content.
    #[serde(default)]
    #[ts(optional)]
    pub format: Option<String>,
    /// The file's text, at most 7 MiB with the rest of the body; or its bytes in Base64.
    pub content: String,
    /// True if `content` is Base64: for files that are not text, or not in UTF-8.
    #[serde(default)]
    pub base64: bool,
}

/// One event of a table's log: `GET /api/tables/<id>/log`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct LogLine {
    /// The version of the table after the event.
    #[ts(type = "number")]
    pub v: u64,
    /// The time of the event, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// The id of the client command that caused it.
    pub cmd: Option<String>,
    /// The event of this version.
    pub e: Event,
}
