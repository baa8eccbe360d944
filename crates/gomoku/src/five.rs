//! Rows of five around the last stone.
//!
//! A game of gomoku can only end through the stone just put down, so [`wins`] looks along the four lines through
//! it and nowhere else. [`winners`] looks at a whole board, for positions that were set up and for pictures.

use kernel::Side;

use crate::{Point, Points, Rule};

/// The four lines through a point, as steps in files and rows.
pub const LINES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Returns true if the stone of `side` at `at`, which is in `stones`, stands in a row that wins. `stones` are both
/// sides', by [`Side::index`].
///
/// One good row is enough: a stone that makes five in one line and six in another wins under every rule
/// (docs/rules/gomoku.md §3.3).
///
/// ```
/// use gomoku::{Point, Points, Rule, five::wins};
/// use kernel::Side;
///
/// let mut stones = [Points::EMPTY; 2];
/// (0..6).for_each(|file| stones[0].put(Point { row: 7, file }));
/// let at = Point { row: 7, file: 2 };
/// assert!(wins(&stones, Side::First, at, Rule::Freestyle));
/// assert!(!wins(&stones, Side::First, at, Rule::Standard), "six are not five");
/// ```
#[must_use]
pub fn wins(stones: &[Points; 2], side: Side, at: Point, rule: Rule) -> bool {
    let own = &stones[side.index()];
    // Asked once and not for each line: the plain rules are the fast ones.
    match (rule, side) {
        (Rule::Freestyle, _) | (Rule::Renju, Side::Second) => {
            LINES.iter().any(|&line| row(own, at, line) >= 5)
        }
        (Rule::Standard, _) | (Rule::Renju, Side::First) => LINES.iter().any(|&line| row(own, at, line) == 5),
        (Rule::Caro, _) => LINES.iter().any(|&line| match row(own, at, line) {
            5 => !is_blocked(stones, side, at, line),
            stones => stones > 5,
        }),
        (Rule::CaroExact, _) => {
            LINES.iter().any(|&line| row(own, at, line) == 5 && !is_blocked(stones, side, at, line))
        }
    }
}

/// Returns the length of the unbroken row of stones along one line through `at`.
fn row(own: &Points, at: Point, (files, rows): (i8, i8)) -> u32 {
    1 + own.reach(at, (files, rows)) + own.reach(at, (-files, -rows))
}

/// Returns true if the opponent's stones stand at both ends of the row of `side` through `at`.
fn is_blocked(stones: &[Points; 2], side: Side, at: Point, (files, rows): (i8, i8)) -> bool {
    let (own, other) = (&stones[side.index()], &stones[side.other().index()]);
    [(files, rows), (-files, -rows)].into_iter().all(|step| other.stands(at, step, own.reach(at, step) + 1))
}

/// The stones of `side` that stand in rows that win.
///
/// ```
/// use gomoku::{Point, Points, Rule, five::winners};
/// use kernel::Side;
///
/// let mut stones = [Points::EMPTY; 2];
/// (0..5).for_each(|file| stones[1].put(Point { row: 7, file }));
/// stones[1].put(Point { row: 0, file: 0 });
/// assert_eq!(winners(&stones, Side::Second, Rule::Standard).count(), 5);
/// ```
#[must_use]
pub fn winners(stones: &[Points; 2], side: Side, rule: Rule) -> Points {
    let mut found = Points::EMPTY;
    stones[side.index()].iter().filter(|&at| wins(stones, side, at, rule)).for_each(|at| found.put(at));
    found
}
