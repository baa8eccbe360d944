//! Puzzles: positions in which one turn keeps the result, and what somebody's answers came to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Board, Replay, Side, View};

/// Which puzzles there are, and how the asker stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleFamilies {
    /// The families of games that have puzzles.
    pub families: Vec<PuzzleFamily>,
    /// Whether the asker's answers are rated: accounts' are.
    pub rated: bool,
}

/// The puzzles of a family of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleFamily {
    /// The part of the key that games of one kind share.
    pub family: String,
    /// How many there are.
    pub count: u32,
    /// The same by theme: the messages `puzzle-theme-<theme>`.
    pub themes: Vec<(String, u32)>,
    /// How the asker stands; absent for those who have no account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub standing: Option<PuzzleStanding>,
}

/// How somebody stands with the puzzles of a family.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleStanding {
    /// On the scale of Elo.
    pub rating: u32,
    /// Whether that is little more than a guess.
    pub provisional: bool,
    /// Puzzles tried.
    pub tries: u32,
    /// Puzzles solved at the first try.
    pub solved: u32,
    /// Right answers in a row, now.
    pub run: u32,
    /// The longest such run.
    pub best_run: u32,
    /// Days in a row on which a puzzle was solved.
    pub days: u32,
}

/// A puzzle as it is asked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleTold {
    /// Its id.
    pub id: String,
    /// Key of the game in the catalogue.
    pub game: String,
    /// Options that differ from the usual ones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, i64>>")]
    pub options: BTreeMap<String, i64>,
    /// What the map is called, for games that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub map: Option<String>,
    /// The board.
    pub board: Board,
    /// The position.
    pub view: View,
    /// The position as one line of text.
    pub fen: String,
    /// Who has to find the turn.
    pub solver: Side,
    /// `win`: every other turn lets the win go; `hold`: every other turn loses; `take`: a piece has to be taken.
    pub goal: String,
    /// How many turns are to be found.
    pub turns: u32,
    /// How hard it is, on the scale of Elo.
    pub rating: u32,
    /// How many people tried it.
    pub tries: u32,
    /// Where it comes from: a table's id where `table` is set, else words of its maker.
    pub source: String,
    /// The hall's table it was found at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub table: Option<String>,
    /// In how many moves the solver has to reach the goal, where a person set it; then every move is right that still does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub within: Option<u8>,
    /// The cell of the piece that has to be taken, for the goal `take`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub takes: Option<u16>,
    /// The id of the map that a person set it on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub of_map: Option<String>,
}

/// A puzzle to be set on a map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewPuzzle {
    /// The position; whoever is to move has to find the way.
    pub fen: String,
    /// In how many moves, from 1 to 5.
    pub within: u8,
    /// The cell of the piece that has to be taken; absent: the game has to be won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub takes: Option<u16>,
    /// Whether it is to be kept; otherwise it is only proved.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub keep: bool,
}

/// A puzzle that was proved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleProved {
    /// Its id, where it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub id: Option<String>,
    /// How many moves it takes; may be fewer than were allowed.
    pub within: u8,
    /// Moves of both sides against the longest defence.
    pub line: Vec<String>,
    /// How many first moves are right.
    pub firsts: u32,
}

/// The puzzles that people set on a map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapPuzzles {
    /// The newest first, at most 200.
    pub puzzles: Vec<MapPuzzle>,
}

/// A puzzle that somebody set on a map.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MapPuzzle {
    /// Its id.
    pub id: String,
    /// `win` or `take`.
    pub goal: String,
    /// In how many moves.
    pub within: u8,
    /// Who set it, if they have a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub author: Option<String>,
    /// Whether it belongs to whoever asks.
    pub mine: bool,
    /// People with an account who tried it.
    pub tries: u32,
    /// How many of them solved it at the first try.
    pub solved: u32,
    /// When it was set, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
}

/// An answer to a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleTry {
    /// All moves of the solver so far; the hall knows what is answered.
    pub moves: Vec<String>,
    /// Gives up: the line is shown, and the puzzle counts as not solved.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub give_up: bool,
}

/// What came of an answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleAnswer {
    /// `on`: right so far; `solved`; `wrong`; `shown`: given up, and the film is the line.
    pub state: String,
    /// From the position through the solver's moves and what was answered. A wrong turn is followed by its refutation.
    pub film: Replay,
    /// Plies of the film up to the end of the solver's last turn; what comes after refutes it, or is the answer.
    pub played: u32,
    /// How many of the solver's turns were right.
    pub right: u32,
    /// What it is about, once it is over: the messages `puzzle-theme-<theme>`.
    pub themes: Vec<String>,
    /// What the first answer did to a rating; absent where it was not the first, or nobody is rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub counted: Option<PuzzleCounted>,
}

/// What an answer changed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PuzzleCounted {
    /// The rating before.
    pub before: u32,
    /// How they stand now.
    pub standing: PuzzleStanding,
}
