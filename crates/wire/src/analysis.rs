//! Hints, analysis and reports: our engine's evaluation of a table's positions.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Problem, Side};

/// The evaluation of a position, for the first player: `{"hundredths":35}` or `{"wins":-4}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    /// A score in hundredths of a man or soldier; positive if the first player stands better.
    Hundredths(i32),
    /// A forced win of the first player within that number of plies (turns in locked chess); if negative, of the
    /// second.
    Wins(i32),
}

/// A principal variation: a line of moves that the engine expects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct AnalysisLine {
    /// The evaluation of the line.
    pub worth: Worth,
    /// The search depth: plies searched in full; turns in locked chess.
    pub depth: u32,
    /// The moves in machine notation, in order; legal, at least one.
    pub moves: Vec<String>,
    /// The moves in each of the table's notations, like a ply of the record.
    pub names: Vec<Vec<String>>,
}

/// A hint: the best move in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Hint {
    /// The number of plies after which the position stands.
    pub ply: u32,
    /// The best move and a likely continuation.
    pub line: AnalysisLine,
}

/// A position beside the game: after `ply` plies of the record, and these moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Aside {
    /// The number of plies of the record.
    pub ply: u32,
    /// Moves that were not played, at most 40.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A message from the client on the WebSocket of an analysis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum AnalysisRequest {
    /// Start analysing a position; ends the analysis of another one.
    Look {
        /// The number of the request, which the answers repeat.
        n: u32,
        /// The number of plies of the record.
        ply: u32,
        /// The number of best moves to find, 1 to 5 (MultiPV).
        lines: u8,
        /// An external engine of `GET /api/engines`; absent: the built-in one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        engine: Option<String>,
    },
    /// Stop the analysis.
    Rest,
}

/// A message from the server on the WebSocket of an analysis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum AnalysisMessage {
    /// The best lines found so far.
    Found {
        /// The number of the request.
        n: u32,
        /// The number of positions searched.
        #[ts(type = "number")]
        nodes: u64,
        /// The time since the start, in milliseconds.
        ms: u32,
        /// The best moves, the best one first; none if the game is over.
        lines: Vec<AnalysisLine>,
        /// True if the analysis is complete and no more messages come.
        done: bool,
    },
    /// A refused request.
    No {
        /// The number of the request.
        n: u32,
        /// The reason for the refusal.
        why: Problem,
    },
}

/// The severity of a bad turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// An inaccuracy: there was a better turn: `?!`.
    Slip,
    /// A mistake that cost much: `?`.
    Mistake,
    /// A blunder that changed the winner: `??`.
    Blunder,
}

/// A turn that made the position worse for the side that made it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FaultyTurn {
    /// The number of plies before it.
    pub from: u32,
    /// The number of plies after it.
    pub to: u32,
    /// The side that made the turn.
    pub by: Side,
    /// The severity of the turn.
    pub fault: Fault,
    /// The better line.
    pub better: AnalysisLine,
}

/// A report on a finished game, turn by turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Report {
    /// The number of positions evaluated so far.
    pub done: u32,
    /// The number of positions to evaluate.
    pub of: u32,
    /// The evaluation of each position between two turns: the number of plies before it, and its value.
    pub points: Vec<(u32, Worth)>,
    /// The bad turns of the game.
    pub faults: Vec<FaultyTurn>,
    /// The agreement of the first and the second side's turns with the engine's; absent in reports of older servers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub agreement: Option<[Agreement; 2]>,
}

/// The agreement of a side's turns with the engine's, counting turns with a choice, after the first four.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Agreement {
    /// The number of turns that count.
    pub turns: u32,
    /// The number of them that the engine would have played, too.
    pub same: u32,
    /// The winning chance that they lost in all, in thousandths.
    pub cost: u32,
}
