//! Gomoku: threats, solved and judged.
//!
//! Reading order: [`class`] (what a stone does along one line), [`kind`] (in all four together), `cells` (sets of
//! points), [`shapes`] (the board, kept up to date), [`proof`] (forced wins and their checker), [`fours`] (continuous
//! fours), [`threats`] (fours and threes), [`terms`] (what counts, and how much), [`judge`] (what the search is told), [`opening`] (how games
//! begin).

pub mod cells;
pub mod class;
pub mod fours;
pub mod judge;
pub mod kind;
pub mod opening;
pub mod proof;
pub mod shapes;
pub mod terms;
pub mod threats;

use crate::level::Ladder;
pub use fours::FourSolver;
pub use judge::{Judge, Solving};
pub use proof::{Proof, Then, check};
pub use shapes::Shapes;
pub use terms::Terms;
pub use threats::ThreatSolver;

/// Where the levels stand on the scale of strengths.
pub const LADDER: Ladder = Ladder([0.0, 1.36, 2.34, 3.08, 3.42, 3.87, 4.4, 4.88, 5.5]);
