//! Puzzles: positions in which exactly one turn keeps the result, and the results of people's answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Board, Replay, Side, View};

/// The available puzzles and the person's results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleFamilies {
    /// The families of games that have puzzles.
    pub families: Vec<PuzzleFamily>,
    /// True if the person's answers are rated, as for accounts.
    pub rated: bool,
}

/// The puzzles of a family of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleFamily {
    /// The key of the family: the part of a game's key that related games share.
    pub family: String,
    /// The number of puzzles.
    pub count: u32,
    /// The numbers of puzzles by theme: the messages `puzzle-theme-<theme>`.
    pub themes: Vec<(String, u32)>,
    /// The person's results; absent without an account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub standing: Option<PuzzleStanding>,
}

/// A person's results with the puzzles of a family.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleStanding {
    /// The puzzle rating on the Elo scale.
    pub rating: u32,
    /// True if the rating is still uncertain (provisional).
    pub provisional: bool,
    /// The number of puzzles tried.
    pub tries: u32,
    /// The number of puzzles solved at the first try.
    pub solved: u32,
    /// The current number of right answers in a row.
    pub run: u32,
    /// The highest number of right answers in a row.
    pub best_run: u32,
    /// The number of days in a row on which a puzzle was solved.
    pub days: u32,
}

/// A puzzle without its solution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleTold {
    /// The id of the puzzle.
    pub id: String,
    /// Key of the game in the catalogue.
    pub game: String,
    /// Options that differ from the default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, i64>>")]
    pub options: BTreeMap<String, i64>,
    /// The name of the map, for games that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<String>,
    /// The board of the game.
    pub board: Board,
    /// The position as clients draw it.
    pub view: View,
    /// The position as one line of text.
    pub fen: String,
    /// The side that has to find the turns.
    pub solver: Side,
    /// The goal: `win`: every other turn gives up the win; `hold`: every other turn loses; `take`: a piece has to be
    /// captured.
    pub goal: String,
    /// The number of turns to find.
    pub turns: u32,
    /// The difficulty, as a rating on the Elo scale.
    pub rating: u32,
    /// The number of people who tried it.
    pub tries: u32,
    /// The source: a table's id if `table` is set, else a description by its maker.
    pub source: String,
    /// The table on this server at which it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
    /// The number of moves within which the solver has to reach the goal, in a puzzle set by a person; then every
    /// move is right that still does so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub within: Option<u8>,
    /// The cell of the piece to capture, for the goal `take`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub takes: Option<u16>,
    /// The id of the map, for a puzzle that a person set on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub of_map: Option<String>,
}

/// A puzzle to set on a map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewPuzzle {
    /// The position; the side to move has to find the solution.
    pub fen: String,
    /// The number of moves for the solution, from 1 to 5.
    pub within: u8,
    /// The cell of the piece to capture; absent: the game has to be won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub takes: Option<u16>,
    /// True if the puzzle is to be stored; false: its solution is only proved.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub keep: bool,
}

/// The result of proving a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleProved {
    /// The id of the puzzle, if it was stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub id: Option<String>,
    /// The number of moves that the solution takes; may be fewer than were allowed.
    pub within: u8,
    /// The moves of both sides against the longest defence.
    pub line: Vec<String>,
    /// The number of first moves that are right.
    pub firsts: u32,
}

/// The puzzles that people set on a map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapPuzzles {
    /// The puzzles, the newest first, at most 200.
    pub puzzles: Vec<MapPuzzle>,
}

/// A puzzle that a person set on a map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapPuzzle {
    /// The id of the puzzle.
    pub id: String,
    /// The goal: `win` or `take`.
    pub goal: String,
    /// The number of moves for the solution.
    pub within: u8,
    /// The name of the person who set it, if they have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub author: Option<String>,
    /// True if it belongs to the person who asks.
    pub mine: bool,
    /// The number of people with an account who tried it.
    pub tries: u32,
    /// The number of them who solved it at the first try.
    pub solved: u32,
    /// The time at which it was set, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
}

/// A try at a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleTry {
    /// All moves of the solver so far; the server knows the replies.
    pub moves: Vec<String>,
    /// Set to give up: the solution is shown, and the puzzle counts as not solved.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub give_up: bool,
}

/// The result of a try.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleAnswer {
    /// The state: `on`: right so far; `solved`; `wrong`; `shown`: given up, and the film is the solution.
    pub state: String,
    /// The moves for replay: from the position through the solver's moves and the replies. A wrong turn is followed
    /// by its refutation.
    pub film: Replay,
    /// The number of plies of the film up to the end of the solver's last turn; those after it are the refutation or
    /// the reply.
    pub played: u32,
    /// The number of the solver's turns that were right.
    pub right: u32,
    /// The themes of the puzzle, once it is over: the messages `puzzle-theme-<theme>`.
    pub themes: Vec<String>,
    /// The change of the rating by the first try; absent for later tries, and for people without a rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub counted: Option<PuzzleCounted>,
}

/// The change of a person's results by a try.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleCounted {
    /// The rating before the try.
    pub before: u32,
    /// The results after the try.
    pub standing: PuzzleStanding,
}
