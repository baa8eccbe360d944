//! The requests to an engine and the reports from it.

use std::time::Duration;

use kernel::Problem;
pub use search::{Bound, Clock, Stop};

use crate::level::Level;

/// An engine that can be asked for a move: our search, or a program that speaks a protocol.
pub trait Engine: Send {
    /// Returns the best move found, as text. `report` is called with the progress of the search.
    ///
    /// # Errors
    /// The problem of the task: an invalid FEN, an illegal move, a game that is over.
    fn think(&mut self, task: &Task, report: &mut dyn FnMut(&Info)) -> Result<String, Problem>;

    /// Prepares tables and memory before the first request, so that it need not wait for them. Changes no answer.
    fn prepare(&mut self) {}
}

/// A position to search, and the limits of the search.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// The start position; `None`: the usual start of the game.
    pub fen: Option<String>,
    /// The moves since the start position, in order.
    pub moves: Vec<String>,
    /// The limits of the search, and the playing strength.
    pub limits: Limits,
}

/// The limits of a search, and the playing strength. The first limit reached ends the search; without limits it runs
/// until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The greatest depth in plies; in locked chess in turns.
    pub depth: Option<u32>,
    /// The most positions searched (nodes).
    pub nodes: Option<u64>,
    /// The time limit for this move.
    pub time: Option<Duration>,
    /// The player's clock, from which the time for this move is derived.
    pub clock: Option<Clock>,
    /// The number of best moves to report (MultiPV); 0 counts as 1.
    pub lines: usize,
    /// The first moves to search, as text; empty: all moves. Moves that are not legal are ignored.
    pub among: Vec<String>,
    /// The number of search threads; 0 counts as 1.
    pub threads: usize,
    /// The level, for weaker play; `None`: full strength.
    pub level: Option<Level>,
    /// The strength as a place on the scale of [`Strength`](crate::level::Strength), which may lie between levels; it
    /// takes precedence over `level`.
    pub scale: Option<f32>,
    /// The seed of the random choices of a level: the same game and the same seed give the same moves.
    pub seed: u64,
    /// The evaluation used.
    pub evaluation: Evaluation,
    /// The kind of search used.
    pub method: Method,
    /// The flag by which the search is stopped from outside.
    pub stop: Stop,
}

/// The evaluations to choose from, in games that have several.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Evaluation {
    /// The evaluation that plays best at equal time.
    #[default]
    Usual,
    /// The hand-written sum of terms.
    Terms,
    /// The network; in a game without one, the terms.
    Network,
}

/// The kinds of search to choose from, in games that have several.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Method {
    /// The search that won the match on the map; alpha-beta until there was one, and where a depth is given.
    #[default]
    Usual,
    /// Alpha-beta with an evaluation.
    AlphaBeta,
    /// Playouts; in a game without them, alpha-beta.
    Playouts,
}

/// The worth of a position: a score, or a proven win or loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// A score in hundredths of a man or soldier; positive when the side to move stands better.
    Hundredths(i32),
    /// A proven win of the side to move in at most that many plies (turns in locked chess); when negative, a loss.
    Wins(i32),
}

impl Worth {
    /// Converts a score of the search.
    #[must_use]
    pub const fn of(score: search::Score) -> Worth {
        match search::score::distance(score) {
            Some(plies) => Worth::Wins(plies),
            None => Worth::Hundredths(score),
        }
    }

    /// Returns the number of plies to a win by the repetition rule, negative for a loss; `None` for every other
    /// worth. Such a win is not proven: the other side may still deviate.
    #[must_use]
    pub const fn by_rule(self) -> Option<i32> {
        match self {
            Worth::Hundredths(n) if n > search::score::MAX_EVAL && n <= search::score::BY_RULE => {
                Some(search::score::BY_RULE - n)
            }
            Worth::Hundredths(n) if n < -search::score::MAX_EVAL && n >= -search::score::BY_RULE => {
                Some(-search::score::BY_RULE - n)
            }
            _ => None,
        }
    }
}

/// A report of an engine's progress with one of its lines.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// The depth searched in full, in plies.
    pub depth: u32,
    /// The selective depth: the furthest ply searched.
    pub furthest: u32,
    /// The index of this line among the best lines, from 1 (MultiPV).
    pub line: usize,
    /// The worth of the line for the side to move.
    pub worth: Worth,
    /// The kind of the score: exact, or a lower or upper bound.
    pub bound: Bound,
    /// The number of positions searched (nodes).
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    /// The share of the transposition table in use, in thousandths.
    pub filled: u32,
    /// The expected moves (principal variation): legal moves, in order.
    pub moves: Vec<String>,
}
