//! One search for every game, without knowledge of any.
//!
//! The search looks for the best move of a [`kernel::Position`] by principal variation search. What a game must add is
//! an [`Evaluator`]: how good a position looks, which moves are worth a try, and a [`Policy`] that says which
//! techniques are sound. Nothing here depends on the game, and a side may move several times in a row: a child's score
//! is negated only when the turn has changed.
//!
//! Reading order: [`score`] (what a number means), [`evaluator`] (what a game adds), [`limits`] (time management),
//! [`transposition`] (the transposition table), `order` (move ordering, histories), `position_stack` (the positions up
//! to here, repetition), `tree` (a node of alpha-beta), `pruning` (razoring, reverse futility, null move, ProbCut,
//! singular extensions), `move_loop` (LMR, LMP, futility, SEE pruning), `chance` (nodes of chance), `qsearch`
//! (quiescence search), [`root`] (iterative deepening, aspiration windows, MultiPV, threads). Beside it stands
//! [`playouts`], for games whose aim no evaluation sees.

mod chance;
mod pruning;
pub mod evaluator;
pub mod limits;
mod position_stack;
pub mod transposition;
mod order;
mod qsearch;
pub mod root;
pub mod score;
mod tree;
mod move_loop;
pub mod playouts;

pub use evaluator::{Effort, Evaluator, Forced, Policy, ProbCut, QsearchKind, TablebaseResult};
pub use limits::{Clock, Noise, SearchLimits, Stop};
pub use root::{Bound, Info, PvLine, SearchResult, think, think_among};
pub use score::Score;
pub use transposition::TranspositionTable;
