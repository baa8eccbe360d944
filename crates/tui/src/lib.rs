//! The hall in a terminal: a game between two people at one keyboard.
//!
//! Everything here reads lines and writes lines, and neither knows a terminal nor a clock, so that a transcript is a
//! test. Reading order: [`console`] (the five-in-a-row console this house grew from), [`lines`] (any game, line by
//! line), `picture` (a board in letters), `input` (lines of bounded length).

pub mod console;
mod input;
pub mod lines;
mod picture;

use catalog::Entry;
use kernel::Problem;

/// The game of a key, or the first of a family where only that is named, as in `gomoku`.
///
/// # Errors
/// `unknown-game`.
pub fn entry(key: &str) -> Result<&'static Entry, Problem> {
    let first = catalog::ENTRIES.iter().find(|entry| entry.family == key);
    first.map_or_else(|| catalog::find(key), Ok)
}
