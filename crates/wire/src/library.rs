//! Collections of games: search and opening statistics.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Board, Problem, Replay};

/// A collection of games that the user may see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct GameCollection {
    /// The key of the collection: its number, followed by a secret if it is shared by link.
    pub key: String,
    /// The name of the collection.
    pub name: String,
    /// The number of games.
    pub games: u32,
    /// True if it also contains moves of opening books.
    #[serde(default)]
    pub has_book: bool,
    /// The access: `private`, `link` or `public`.
    pub access: String,
    /// True if it belongs to the user, who may then add games.
    pub mine: bool,
    /// True if it holds the finished games of this server.
    pub hall: bool,
}

/// A game found in a collection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FoundGame {
    /// The number of the game.
    pub id: u32,
    /// Key of the game in the catalogue.
    pub game: String,
    /// The names of the first and the second player, as recorded; empty: unknown.
    pub players: [String; 2],
    /// The players' ratings; 0: unknown.
    pub ratings: [u32; 2],
    /// The event at which it was played.
    pub event: String,
    /// The date, such as `2026-11-21`, or the known part of it.
    pub date: String,
    /// The result: `first`, `second`, `draw`, `void`, or empty if unknown.
    pub result: String,
    /// The number of plies.
    pub plies: u32,
    /// The number of its last move, as players count: two turns, one of each side, have one number.
    pub moves: u32,
    /// The ply at which the position or the pattern that was asked for first stands; 0 is the start.
    pub ply: u32,
    /// The table on this server at which it was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
}

/// A page of games found in a collection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FoundGames {
    /// The games, in the order that was asked for.
    pub games: Vec<FoundGame>,
    /// The value of `after` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<String>,
    /// The number of games that contain the position or the pattern; absent if neither was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hits: Option<u32>,
}

/// A move played in a position, with its results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlayedMove {
    /// The move in machine notation.
    pub text: String,
    /// The move in the notations of the game, the usual one first, like a ply of the record.
    pub names: Vec<String>,
    /// The number of games with this move.
    pub games: u32,
    /// The number of games won by the first side.
    pub first: u32,
    /// The number of games won by the second side.
    pub second: u32,
    /// The number of drawn games.
    pub draws: u32,
    /// The average rating of the players; absent where none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rating: Option<u32>,
    /// The date of the latest game with this move; empty if unknown.
    pub last: String,
    /// The value that an opening book gives it, for the side that makes it, in the book's own unit; absent where no book
    /// has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub value: Option<i32>,
}

/// The moves played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlayedMoves {
    /// The number of games that continued from here.
    pub games: u32,
    /// The number of games that ended here.
    pub ended: u32,
    /// The message that names the opening the game began with; left out where it has no name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub opening: Option<String>,
    /// The moves, the most played first.
    pub moves: Vec<PlayedMove>,
}

/// A game of a collection, to be viewed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct LibraryGame {
    /// The game's entry in search results.
    pub about: FoundGame,
    /// The name of its collection.
    pub collection: String,
    /// The options of the game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, i64>>")]
    pub options: BTreeMap<String, i64>,
    /// The start position; absent: the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fen: Option<String>,
    /// The board of the game.
    pub board: Board,
    /// Each ply in the notations of the game, the usual one first; in machine notation if it has none.
    pub names: Vec<Vec<String>>,
    /// The moves in machine notation.
    pub moves: Vec<String>,
    /// The side that made each ply: `true` is the second.
    pub seconds: Vec<bool>,
    /// The comments on the start position and on each ply: one more than plies.
    pub comments: Vec<String>,
    /// The game for replay.
    pub film: Replay,
}

/// A request to make a collection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewCollection {
    /// The name of the new collection.
    pub name: String,
    /// The access: `private`, `link` or `public`.
    pub access: String,
}

/// A request to import the games of a file into a collection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ImportGames {
    /// The name of the file.
    pub name: String,
    /// The file, in Base64.
    pub content: String,
    /// The game that positions belong to, if the file does not say.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    pub game: String,
}

/// A game that was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct RefusedGame {
    /// The number of the game in the file, from 1.
    pub number: u32,
    /// The line on which it begins; 0 in files without lines.
    pub line: u32,
    /// The reason for the refusal.
    pub why: Problem,
}

/// The result of an import.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ImportedGames {
    /// The number of games read.
    pub read: u32,
    /// The number of games added.
    pub added: u32,
    /// The number of games that were in the collection already.
    pub doubles: u32,
    /// The number of games refused.
    pub refused: u32,
    /// The number of games added with only a part of their moves.
    #[serde(default)]
    pub cut: u32,
    /// The number of opening book moves added.
    #[serde(default)]
    pub book_moves: u32,
    /// The number of opening book moves refused.
    #[serde(default)]
    pub book_refused: u32,
    /// The first refused games, with the reasons.
    pub problems: Vec<RefusedGame>,
    /// True if the file was read to its end; if false, the same request continues the import.
    pub done: bool,
}
