//! Hints, analysis and reports: what our engine thinks of a table's positions.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{Problem, Side};

/// What a position is worth, for the first player: `{"hundredths":35}` or `{"wins":-4}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    /// Hundredths of a man or soldier; positive when the first player stands better.
    Hundredths(i32),
    /// The first player wins in so many plies at the latest (turns in locked chess); when negative, the second.
    Wins(i32),
}

/// A line of moves that our engine expects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StudyLine {
    /// What it comes to.
    pub worth: Worth,
    /// Plies searched in full; turns in locked chess.
    pub depth: u32,
    /// Move texts in order; legal, at least one.
    pub moves: Vec<String>,
    /// Each in the table's notations, like a ply of the record.
    pub names: Vec<Vec<String>>,
}

/// What to play, for somebody who asked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Hint {
    /// After so many plies.
    pub ply: u32,
    /// The best move and what may follow.
    pub line: StudyLine,
}

/// A position beside the game: after `ply` plies of the record, and these moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Aside {
    /// Plies of the record.
    pub ply: u32,
    /// Moves that were not played, at most 40.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// What a client says on the WebSocket of an analysis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum StudyWish {
    /// Look at a position; ends looking at another one.
    Look {
        /// Comes back with what is told about it.
        n: u32,
        /// Plies of the record.
        ply: u32,
        /// How many of the best moves, 1 to 5.
        lines: u8,
        /// A foreign program of `GET /api/engines`; absent: ours.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        engine: Option<String>,
    },
    /// Look at nothing.
    Rest,
}

/// What the hall says on the WebSocket of an analysis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "t", rename_all = "kebab-case")]
pub enum StudyTold {
    /// The best lines found so far.
    Found {
        /// Of which wish.
        n: u32,
        /// Positions looked at.
        #[ts(type = "number")]
        nodes: u64,
        /// Since it began, in milliseconds.
        ms: u32,
        /// The best moves, the best one first; none where the game is over.
        lines: Vec<StudyLine>,
        /// No more comes.
        done: bool,
    },
    /// It is not looked at.
    No {
        /// Of which wish.
        n: u32,
        /// The reason for the refusal.
        why: Problem,
    },
}

/// How bad a turn was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// Something better was there: `?!`.
    Slip,
    /// It cost much: `?`.
    Mistake,
    /// It changed who wins: `??`.
    Blunder,
}

/// A turn that changed the game for the worse of who made it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct FaultyTurn {
    /// Plies before it.
    pub from: u32,
    /// Plies after it.
    pub to: u32,
    /// The side that made the turn.
    pub by: Side,
    /// How much the turn cost.
    pub fault: Fault,
    /// What would have been better.
    pub better: StudyLine,
}

/// A finished game, judged turn by turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Report {
    /// Positions judged so far.
    pub done: u32,
    /// Positions to be judged.
    pub of: u32,
    /// What each position between two turns is worth: plies before it, worth.
    pub points: Vec<(u32, Worth)>,
    /// What changed the game.
    pub faults: Vec<FaultyTurn>,
    /// How the turns of the first and the second side compare with the engine's; absent in reports of older halls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub agreement: Option<[Agreement; 2]>,
}

/// How a side's turns compare with the engine's: those where there was something to choose, after the first four.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Agreement {
    /// Turns that count.
    pub turns: u32,
    /// Those of them that the engine would have played, too.
    pub same: u32,
    /// What they cost in all of the chance to win, in thousandths.
    pub cost: u32,
}
