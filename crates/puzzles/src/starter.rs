//! The puzzles that every hall begins with, made by the engine from its own games. `data/README.md` has the commands.

use crate::puzzle::{Puzzle, open};

/// The puzzles, each as a line of JSON.
const LINES: &str = include_str!("../data/starter.jsonl");

/// Returns all the starter's puzzles.
///
/// # Panics
/// The built-in data cannot make it panic, because a test reads them.
pub fn puzzles() -> impl Iterator<Item = Puzzle> {
    LINES.lines().map(|line| serde_json::from_str(line).expect("a test reads the starter's puzzles"))
}

/// Checks that one of them can be played.
///
/// # Errors
/// The errors of [`Puzzle::check`].
pub fn check(puzzle: &Puzzle) -> Result<(), kernel::Problem> {
    puzzle.check(&open)
}
