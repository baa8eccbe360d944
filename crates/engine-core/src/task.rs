//! What an engine is asked, and what it tells.

use std::time::Duration;

use kernel::Problem;
pub use search::{Bound, Clock, Stop};

use crate::level::Level;

/// Anything that can be asked for a move: our search, or a program that speaks a protocol.
pub trait Engine: Send {
    /// The best move it finds, as text. `report` hears how far it has come.
    ///
    /// # Errors
    /// What is wrong with the task: a FEN, a move that is not legal, a game that is over.
    fn think(&mut self, task: &Task, report: &mut dyn FnMut(&Info)) -> Result<String, Problem>;

    /// Does what a first question would otherwise wait for: tables, memory. Changes no answer.
    fn prepare(&mut self) {}
}

/// A position and how long to think about it.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Where the game began; `None`: at its usual start.
    pub fen: Option<String>,
    /// The moves since, in order.
    pub moves: Vec<String>,
    /// How long to think, and how well.
    pub limits: Limits,
}

/// How long to think, and how well. The first limit reached ends it; with none it ends when it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Plies; in locked chess turns.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// A clock to live with.
    pub clock: Option<Clock>,
    /// How many of the best moves to tell about; 0 is 1.
    pub lines: usize,
    /// The first moves that are looked at, as texts; empty: all. Those that are not legal are passed over.
    pub among: Vec<String>,
    /// How many threads may search; 0 is 1.
    pub threads: usize,
    /// Plays more weakly; `None`: as well as it can.
    pub level: Option<Level>,
    /// The same on the scale of [`Strength`](crate::level::Strength), between levels; it counts before `level`.
    pub scale: Option<f32>,
    /// Decides what a level's chance decides: the same game, the same seed.
    pub seed: u64,
    /// Which evaluation judges positions.
    pub evaluation: Evaluation,
    /// Ends the thinking from outside.
    pub stop: Stop,
}

/// Which evaluation judges positions, in games that have several.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Evaluation {
    /// The one that plays best at equal time.
    #[default]
    Usual,
    /// A sum of terms.
    Terms,
    /// A network; the terms, in a game that has none.
    Network,
}

/// What a position is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// Hundredths of a man or soldier; positive when the side to move stands better.
    Hundredths(i32),
    /// The side to move wins in so many plies (turns in locked chess), at the latest; when negative, it loses.
    Wins(i32),
}

impl Worth {
    /// What a score of the search means.
    #[must_use]
    pub const fn of(score: search::Score) -> Worth {
        match search::score::distance(score) {
            Some(plies) => Worth::Wins(plies),
            None => Worth::Hundredths(score),
        }
    }

    /// In how many plies a win by the rule of repetition is reached, negative for a loss; `None` for every other worth. It is
    /// no proof: the other side may still deviate.
    #[must_use]
    pub const fn by_rule(self) -> Option<i32> {
        match self {
            Worth::Hundredths(n) if n > search::score::MOST && n <= search::score::BY_RULE => {
                Some(search::score::BY_RULE - n)
            }
            Worth::Hundredths(n) if n < -search::score::MOST && n >= -search::score::BY_RULE => {
                Some(-search::score::BY_RULE - n)
            }
            _ => None,
        }
    }
}

/// How far an engine has come with one of its lines.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// Plies searched in full.
    pub depth: u32,
    /// The furthest ply looked at.
    pub furthest: u32,
    /// Which line this is, from 1.
    pub line: usize,
    /// For the side to move.
    pub worth: Worth,
    /// Whether that is exact.
    pub bound: Bound,
    /// Positions looked at.
    pub nodes: u64,
    /// Since the thinking began.
    pub time: Duration,
    /// Thousandths of the table in use.
    pub filled: u32,
    /// What is expected to be played; legal moves, in order.
    pub moves: Vec<String>,
}
