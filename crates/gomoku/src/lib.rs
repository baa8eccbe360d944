//! Gomoku: two sides put stones on points in turn, and a row of five wins.
//!
//! ```text
//! 15 + + + + + + + + + + + + + + +     The usual start of standard gomoku: 15 files, 15 ranks, no stone.
//! 14 + + + + + + + + + + + + + + +     Black moves first and is `Side::First`; White is `Side::Second`.
//!  ⋮                                   A point is named by its file from the left and its rank from the
//!  8 + + + + + + + * + + + + + + +     bottom: the middle is h8. Inside, rows are counted from the top,
//!  ⋮                                   as they are written in a FEN and drawn on a screen.
//!  1 + + + + + + + + + + + + + + +
//!    a b c d e f g h i j k l m n o
//! ```
//!
//! Stones never move and never leave, so there is no repetition. Variants differ in how a game ends, not in how
//! a stone is put down: [`Rule`] is a plain field of the position.
//!
//! Reading order: [`square`] (points and sets of them), [`rule`] (which rows win), [`five`] (rows through a
//! stone), [`renju`] (Black's forbidden points), [`position`] (start, play, outcome, key), [`threats`] (for
//! learners), `notation` (FEN, move text, picture), [`opening`] (how serious games begin).
//! Rules: docs/rules/gomoku.md.

pub mod five;
mod notation;
pub mod opening;
pub mod position;
pub mod renju;
pub mod rule;
pub mod square;
pub mod threats;

pub use opening::{Opened, Opening};
pub use position::{Gomoku, Move};
pub use renju::Forbidden;
pub use rule::Rule;
pub use square::{Point, Points};
