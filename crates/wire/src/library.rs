//! Collections of games, what is found in them, and what was played in a position.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Board, Problem, Replay};

/// A collection that the asker may see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct GameCollection {
    /// What it is asked for with: a number, and behind it, of one that is shared by link, a secret.
    pub key: String,
    /// What it is called.
    pub name: String,
    /// Number of games.
    pub games: u32,
    /// Whether moves of opening books are in it, too.
    #[serde(default)]
    pub has_book: bool,
    /// `private`, `link` or `public`.
    pub access: String,
    /// Whether it is the asker's own: games may be added.
    pub mine: bool,
    /// Whether it has the hall's own finished games.
    pub hall: bool,
}

/// A game of a collection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FoundGame {
    /// Its number.
    pub id: u32,
    /// Key of the game in the catalogue.
    pub game: String,
    /// Who played the first and the second side, as it was written; empty: nobody knows.
    pub players: [String; 2],
    /// Their ratings; 0: not known.
    pub ratings: [u32; 2],
    /// Where it was played.
    pub event: String,
    /// When, as `2026-11-21` or as much of it as is known.
    pub date: String,
    /// `first`, `second`, `draw`, `void`, or empty where nobody knows.
    pub result: String,
    /// Number of plies.
    pub plies: u32,
    /// The number of its last move, as players count: two turns, one of each side, have one number.
    pub moves: u32,
    /// The ply at which the position or the pattern that was asked for first stands; 0 is the start.
    pub ply: u32,
    /// The table of the hall it was played at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
}

/// A page of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FoundGames {
    /// The games, in the order that was asked for.
    pub games: Vec<FoundGame>,
    /// What to send as `after` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub next: Option<String>,
    /// How many games have the position or the pattern; absent when neither was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub hits: Option<u32>,
}

/// A move that was played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlayedMove {
    /// Its machine text.
    pub text: String,
    /// The move in the notations of the game, the usual one first, like a ply of the record.
    pub names: Vec<String>,
    /// Number of games.
    pub games: u32,
    /// Games that the first side won.
    pub first: u32,
    /// Games that the second side won.
    pub second: u32,
    /// Games that were drawn.
    pub draws: u32,
    /// The average rating of the players; absent where none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rating: Option<u32>,
    /// When it was last played; empty where that is not known.
    pub last: String,
    /// The value that an opening book gives it, for the side that makes it, in the book's own unit; absent where no book
    /// has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub value: Option<i32>,
}

/// What was played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PlayedMoves {
    /// Number of games that went on.
    pub games: u32,
    /// Number of games that ended here.
    pub ended: u32,
    /// The message that names the opening the game began with; left out where it has no name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub opening: Option<String>,
    /// The moves, the most played first.
    pub moves: Vec<PlayedMove>,
}

/// A game of a collection, to be looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct LibraryGame {
    /// What is known of it.
    pub about: FoundGame,
    /// The name of its collection.
    pub collection: String,
    /// Options that it is opened with.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, i64>>")]
    pub options: BTreeMap<String, i64>,
    /// Where it starts; absent: at the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fen: Option<String>,
    /// Its board.
    pub board: Board,
    /// Each ply in the notations of the game, the usual one first; where there are none, its machine text.
    pub names: Vec<Vec<String>>,
    /// The moves' machine texts.
    pub moves: Vec<String>,
    /// The side that made each ply: `true` is the second.
    pub seconds: Vec<bool>,
    /// What was said about each ply, from the start on: one more than plies.
    pub comments: Vec<String>,
    /// The film of the game.
    pub film: Replay,
}

/// Makes a collection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewCollection {
    /// What it is to be called.
    pub name: String,
    /// `private`, `link` or `public`.
    pub access: String,
}

/// Brings the games of a file into a collection.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ImportGames {
    /// What the file is called.
    pub name: String,
    /// The file, in Base64.
    pub content: String,
    /// The game that positions belong to, where the file has nothing else.
    #[serde(default)]
    #[ts(optional, as = "Option<String>")]
    pub game: String,
}

/// A game that was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct RefusedGame {
    /// Which game of the file, from 1.
    pub number: u32,
    /// The line on which it begins; 0 in files without lines.
    pub line: u32,
    /// What is wrong with it.
    pub why: Problem,
}

/// What came of an import.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct ImportedGames {
    /// Games that were read.
    pub read: u32,
    /// Games that came in.
    pub added: u32,
    /// Games that were there already.
    pub doubles: u32,
    /// Games that were refused.
    pub refused: u32,
    /// Games that came in with a part of their moves.
    #[serde(default)]
    pub cut: u32,
    /// Moves of opening books that came in.
    #[serde(default)]
    pub book_moves: u32,
    /// Moves of opening books that were refused.
    #[serde(default)]
    pub book_refused: u32,
    /// The first of those, with the reasons.
    pub problems: Vec<RefusedGame>,
    /// Whether the file was read to its end; if not, the same request goes on with it.
    pub done: bool,
}
