//! Rows of five around the last stone.
//!
//! A game of gomoku can only end through the stone just put down, so [`wins`] looks along the four lines through
//! it and nowhere else. [`winners`] looks at a whole board, for positions that were set up and for pictures.

use kernel::Side;

use crate::rule::Row;
use crate::{Point, Points, Rule};

/// The four lines through a point, as steps in files and rows.
pub const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Whether the stone of `side` at `at`, which is in `stones`, stands in a row that wins. `stones` are both sides',
/// by [`Side::index`].
///
/// One good row is enough: a stone that makes five in one line and six in another wins under every rule
/// (docs/rules/gomoku.md §3.3).
#[must_use]
#[inline]
pub fn wins(stones: &[Points; 2], side: Side, at: Point, rule: Rule) -> bool {
    let own = &stones[side.index()];
    LINES.iter().any(|&(files, rows)| {
        let back = (-files, -rows);
        let (ahead, behind) = (own.reach(at, (files, rows)), own.reach(at, back));
        match rule.row(side, 1 + ahead + behind) {
            Row::Nothing => false,
            Row::Wins => true,
            Row::WinsUnlessBlocked => {
                let other = &stones[side.other().index()];
                !(other.stands(at, (files, rows), ahead + 1) && other.stands(at, back, behind + 1))
            }
        }
    })
}

/// The stones of `side` that stand in rows that win.
#[must_use]
pub fn winners(stones: &[Points; 2], side: Side, rule: Rule) -> Points {
    let mut found = Points::EMPTY;
    stones[side.index()].iter().filter(|&at| wins(stones, side, at, rule)).for_each(|at| found.put(at));
    found
}
