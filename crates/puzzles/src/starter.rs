//! The puzzles that every hall begins with: made by our engine from its own games. `data/README.md` has the commands.

use crate::puzzle::{Puzzle, open};

/// A line of JSON each.
const LINES: &str = include_str!("../data/starter.jsonl");

/// All of them.
///
/// # Panics
/// Never: a test reads them.
pub fn puzzles() -> impl Iterator<Item = Puzzle> {
    LINES.lines().map(|line| serde_json::from_str(line).expect("a test reads the starter's puzzles"))
}

/// One of them that can be played, or what is wrong with it.
///
/// # Errors
/// As [`Puzzle::check`].
pub fn check(puzzle: &Puzzle) -> Result<(), kernel::Problem> {
    puzzle.check(&open)
}
