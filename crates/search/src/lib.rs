//! One search for every game, without knowledge of any.
//!
//! The search looks for the best move of a [`kernel::Position`] by principal variation search. What a game must add is
//! an [`Evaluator`]: how good a position looks, which moves are worth a try, and a [`Policy`] that says which
//! shortcuts are sound. Nothing here is told whose game it is, and a side may move several times in a row: a child's
//! score changes its sign only when the turn did.
//!
//! Reading order: [`score`] (what a number means), [`evaluator`] (what a game adds), [`limits`] (how long),
//! [`transposition`] (the transposition table), `order` (which move first), `line` (the way here, and repetition), `tree`
//! (alpha-beta), `cuts` and `trial` (its nodes), `qsearch` (the end of it), [`root`] (deeper and deeper, several lines, several threads).

mod cuts;
pub mod evaluator;
pub mod limits;
mod line;
pub mod transposition;
mod order;
mod qsearch;
pub mod root;
pub mod score;
mod tree;
mod trial;

pub use evaluator::{Effort, Evaluator, Forced, Known, Policy, ProbCut, Unrest};
pub use limits::{Clock, Noise, SearchLimits, Stop};
pub use root::{Bound, Info, Ranked, Verdict, think, think_among};
pub use score::Score;
pub use transposition::TranspositionTable;
