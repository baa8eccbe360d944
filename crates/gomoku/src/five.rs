//! Rows of five around the last stone.
//!
//! A game of gomoku can only end through the stone just put down, so [`wins`] looks along the four lines through
//! it and nowhere else. [`winners`] looks at a whole board, for positions that were set up and for pictures.

use crate::{Point, Points, Rule};

/// The four lines through a point, as steps in files and rows.
const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Whether the stone at `at`, which is in `stones`, stands in a row that wins.
///
/// One good row is enough: a stone that makes five in one line and six in another wins under every rule
/// (docs/rules/gomoku.md §3.3).
#[must_use]
pub fn wins(stones: &Points, at: Point, rule: Rule) -> bool {
    LINES.iter().any(|&line| rule.wins(row(stones, at, line)))
}

/// The stones that stand in rows that win.
#[must_use]
pub fn winners(stones: &Points, rule: Rule) -> Points {
    let mut found = Points::EMPTY;
    stones.iter().filter(|&at| wins(stones, at, rule)).for_each(|at| found.put(at));
    found
}

/// How many stones stand unbroken along one line through `at`.
fn row(stones: &Points, at: Point, (files, rows): (i8, i8)) -> u32 {
    1 + stones.reach(at, (files, rows)) + stones.reach(at, (-files, -rows))
}
