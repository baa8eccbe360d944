//! Puzzles: positions of games in which exactly one turn keeps the result.
//!
//! ```text
//! game ── find ──► candidates ── again with 10 × the positions ──► Puzzle ── Shelf ──► judge: right, wrong, solved
//!           └ gomoku: a forced win that is proved, and whose proof the rules alone agree with
//! ```
//!
//! Values go in and come out, but for [`shelf`], one SQLite file. Reading order: [`puzzle`] (what a puzzle is),
//! [`mod@find`] (made from a game), [`prove`] (wins that are proved), [`themes`] (what it is about, by facts), [`mod@judge`]
//! (whether an answer is right), [`set`] (puzzles that people set on maps), [`selfplay`] (games to make puzzles from),
//! [`starter`] (what every hall begins with), [`shelf`] (the file, ratings, streaks), [`placed`] (those that people set),
//! [`copies`] (for halls of several nodes), [`mod@make`] (many games).

pub mod puzzle;

pub mod find;
pub mod prove;
pub mod themes;

pub mod judge;

pub mod set;

pub mod selfplay;

pub mod starter;

pub mod shelf;

pub mod placed;

pub mod copies;

pub mod make;

pub use find::{Effort, find};
pub use judge::{Answer, judge};
pub use puzzle::{Goal, Opener, Puzzle};
pub use shelf::{PuzzleFilter, Shelf};
