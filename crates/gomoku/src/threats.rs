//! Threats shown to learners: stones that can become five with the next stone, or a straight four.
//!
//! Slow and plain, for people who asked. A *four* here is a row of points that one stone turns into a row that wins;
//! an *open three* one that a stone turns into a straight four, which wins at either end (docs/rules/gomoku.md §8).

use kernel::{Position, Side};

use crate::{Gomoku, Point, Points, Rule, five, five::LINES};

/// Stones that threaten, and the points of the next stone.
///
/// ```
/// use gomoku::{Gomoku, Rule, threats::{Threat, fours}};
/// use kernel::{Notation, Side};
///
/// let pos = Gomoku::usual(Rule::Freestyle).read_fen("7/7/7/1bbbb2/7/1www3/7 w")?;
/// let Threat { side, stones, points } = &fours(&pos)[0];
/// assert_eq!((*side, stones.len(), points.len()), (Side::First, 4, 2), "a straight four");
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Threat {
    /// The side that threatens.
    pub side: Side,
    /// Its stones, along the line.
    pub stones: Vec<Point>,
    /// The empty points where one stone more carries the threat out, along the line.
    pub points: Vec<Point>,
}

/// Stones along a line, and the empty point among or beside them.
type Shape = (Vec<Point>, Point);

/// The fours of both sides: Black's, then White's. None once the game is over.
///
/// ```
/// use gomoku::{Gomoku, Point, Rule, threats::fours};
/// use kernel::Notation;
///
/// let pos = Gomoku::usual(Rule::Standard).read_fen("7/7/7/wbbbb2/7/1www3/7 b")?;
/// let four = &fours(&pos)[0];
/// assert_eq!((four.stones.len(), &four.points[..]), (4, &[Point { row: 3, file: 5 }][..]));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[must_use]
pub fn fours(pos: &Gomoku) -> Vec<Threat> {
    threats(pos, |pos, side, at, line| {
        let windows = windows::<5>(pos, at, line).into_iter();
        windows.filter_map(|window| four_in(pos, side, window)).collect()
    })
}

/// The open threes of both sides that make no four already: Black's, then White's. None once the game is over.
///
/// ```
/// use gomoku::{Gomoku, Rule, threats::open_threes};
/// use kernel::{Notation, Side};
///
/// let pos = Gomoku::usual(Rule::Standard).read_fen("9/9/9/3bbb3/9/9/w6ww/9/9 w")?;
/// let threes = open_threes(&pos);
/// assert_eq!((threes.len(), threes[0].side, threes[0].points.len()), (1, Side::First, 2));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[must_use]
pub fn open_threes(pos: &Gomoku) -> Vec<Threat> {
    threats(pos, |pos, side, at, line| {
        let windows = windows::<6>(pos, at, line).into_iter();
        windows.filter_map(|window| three_in(pos, side, window)).collect()
    })
}

/// Gathers what is found from each point along each line; the same stones with several points are one threat.
fn threats(pos: &Gomoku, found: fn(&Gomoku, Side, Point, (i8, i8)) -> Vec<Shape>) -> Vec<Threat> {
    let mut threats: Vec<Threat> = Vec::new();
    if pos.outcome().is_some() {
        return threats;
    }
    for side in Side::BOTH {
        let points = (0..pos.ranks()).flat_map(|row| (0..pos.files()).map(move |file| Point { row, file }));
        for (at, line) in points.flat_map(|at| LINES.map(|line| (at, line))) {
            for (stones, point) in found(pos, side, at, line) {
                match threats.iter_mut().find(|t| t.side == side && t.stones == stones) {
                    Some(threat) if threat.points.contains(&point) => {}
                    Some(threat) => threat.points.push(point),
                    None => threats.push(Threat { side, stones, points: vec![point] }),
                }
            }
        }
    }
    threats
}

/// The points of a window that begins at `at`, if it is on the board.
fn windows<const LENGTH: usize>(pos: &Gomoku, at: Point, (files, rows): (i8, i8)) -> Option<[Point; LENGTH]> {
    let window = std::array::from_fn(|i| Point {
        row: at.row.wrapping_add_signed(rows * i as i8),
        file: at.file.wrapping_add_signed(files * i as i8),
    });
    window.iter().all(|p| p.row < pos.ranks() && p.file < pos.files()).then_some(window)
}

/// Four stones and an empty point where a fifth wins.
fn four_in(pos: &Gomoku, side: Side, window: [Point; 5]) -> Option<Shape> {
    let (stones, point) = stones_and_gap(pos, side, &window)?;
    wins(pos, side, point).then_some((stones, point))
}

/// Three stones and an empty point between empty ends, where a fourth may be put and would win at either end.
fn three_in(pos: &Gomoku, side: Side, window: [Point; 6]) -> Option<Shape> {
    let ends = [window[0], window[5]];
    let (stones, point) = stones_and_gap(pos, side, &window[1..5])?;
    if ends.iter().any(|&end| pos.at(end).is_some()) || wins(pos, side, point) {
        return None;
    }
    let allowed = side == Side::Second || pos.forbidden_at(point).is_none();
    let mut stones_after = pos.both_stones();
    stones_after[side.index()].put(point);
    let straight = ends.iter().all(|&end| wins_after(pos.rule(), stones_after, side, end));
    (allowed && straight).then_some((stones, point))
}

/// The stones of a side among the points, when all but one are its stones and that one is empty.
fn stones_and_gap(pos: &Gomoku, side: Side, points: &[Point]) -> Option<Shape> {
    let (stones, rest): (Vec<Point>, Vec<Point>) = points.iter().partition(|&&p| pos.at(p) == Some(side));
    match rest[..] {
        [gap] if pos.at(gap).is_none() => Some((stones, gap)),
        _ => None,
    }
}

/// Returns true if a stone of `side` on the empty point `at` would win at once.
fn wins(pos: &Gomoku, side: Side, at: Point) -> bool {
    wins_after(pos.rule(), pos.both_stones(), side, at)
}

fn wins_after(rule: Rule, mut stones: [Points; 2], side: Side, at: Point) -> bool {
    stones[side.index()].put(at);
    five::wins(&stones, side, at, rule)
}
