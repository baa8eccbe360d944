//! Locked chess (锁棋): a turn is five steps, nothing is captured, and a side that cannot move has lost.
//!
//! ```text
//!      a b c d e f g h i j k l
//!   4  . . . b . . . . w . . .
//!   5  . . . . b . . w . . . .       b  Black, who moves first
//!   6  . . . . . . . . . . . .       w  White
//!   7  . . . . . . . . . . . .
//!   8  . . . . w . . b . . . .       Rows 1 to 3 and 10 to 12 are empty at the start.
//!   9  . . . w . . . . b . . .
//! ```
//!
//! Rules: `docs/rules/locked.md`. Reading order: [`square`] (places, sets of them), [`step`] (the five steps),
//! [`position`] (play, outcome, key), [`moves`] (what is legal), [`notation`] (text and picture), [`json`] (the
//! reference program's saved game), [`error`] (what can be wrong with a state from outside).

pub mod square;
pub mod step;

pub mod position;

pub mod moves;

pub mod notation;

pub mod fen;

pub mod json;

pub mod error;

pub use error::LockedError;
pub use position::{Locked, Rules};
pub use square::{Square, Stones};
pub use step::{Axis, Direction, Move, Step};
