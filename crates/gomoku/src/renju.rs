//! Renju's forbidden points: where a stone makes Black lose.
//!
//! The definition is the federation's (docs/rules/gomoku.md §6.2 to §6.6). With the stone on the board, in this
//! order: exactly five in a row wins; a row of six or more is an overline; two fours or more are a double four;
//! threes along two lines or more are a double three. A three counts only when the stone that would make it a
//! straight four is itself neither five nor forbidden, and so the question goes on from stone to stone.
//!
//! Everything a stone can do along one line is decided by the five points on either side of it:
//!
//! ```text
//!  . . . . . p . . . . .      bit 5 of a line word is the stone, bits 0 to 4 lie behind it, 6 to 10 ahead
//!    └───────┘                a window of five that holds p, and what stops its five from being six:
//!  x           x              the points beside it
//! ```
//!
//! [`Field::judge`] answers for one stone. [`forbidden`] first finds the few points of a whole board that could be
//! forbidden, every row of the board at once as bits of a word, and judges only those.

use crate::square::{MOST_SIDE, files};
use crate::{Point, Points, five::LINES};

/// The reasons a point is forbidden to Black.
///
/// ```
/// use gomoku::Forbidden;
///
/// assert_eq!(Forbidden::DoubleThree.key(), "double-three");
/// assert_eq!(Forbidden::DoubleThree.reason(), "forbidden-double-three");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours or more.
    DoubleFour,
    /// Threes along two lines or more.
    DoubleThree,
}

impl Forbidden {
    /// The stable key: `overline`, `double-four` or `double-three`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Forbidden::Overline => "overline",
            Forbidden::DoubleFour => "double-four",
            Forbidden::DoubleThree => "double-three",
        }
    }

    /// The reason of a game that was lost by it.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        match self {
            Forbidden::Overline => "forbidden-overline",
            Forbidden::DoubleFour => "forbidden-double-four",
            Forbidden::DoubleThree => "forbidden-double-three",
        }
    }
}

/// The verdict of renju's rules on a black stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The stone makes exactly five in a row and wins, whatever else it makes.
    Five,
    /// The move loses, for this reason.
    Forbidden(Forbidden),
    /// The move neither wins nor is forbidden.
    Fine,
}

/// The number of empty rows above and below the board: a line word looks five points far, a window one more.
const MARGIN: usize = 6;
const TALL: usize = MOST_SIDE as usize + 2 * MARGIN;

/// The most stones tried for one question. Games need a few, and the worst boards that a search for bad ones found
/// need some thousands for all their points together; the limit bounds the time a position from outside can take.
const MOST_TRIED: u32 = 1 << 16;

/// The index of the stone in a line word.
const MIDDLE: u32 = 5;

/// A board reduced to Black's stones and the empty points. A point in neither stops a row, be it a white stone or the
/// edge.
///
/// ```
/// use gomoku::renju::{Field, Verdict};
/// use gomoku::{Point, Points};
///
/// let mut stones = [Points::EMPTY; 2];
/// [3, 4, 5, 6].map(|file| stones[0].put(Point { row: 7, file }));
/// let mut field = Field::new(&stones, 15, 15);
/// assert_eq!(field.judge(Point { row: 7, file: 7 }), Verdict::Five);
/// ```
#[derive(Clone)]
pub struct Field {
    black: [u32; TALL],
    empty: [u32; TALL],
    ranks: usize,
    left: u32, // stones that may still be tried for the question at hand
}

impl Field {
    /// The field of a board.
    #[must_use]
    #[inline]
    pub fn new(stones: &[Points; 2], files: u8, ranks: u8) -> Field {
        let mut field = Field { black: [0; TALL], empty: [0; TALL], ranks: ranks.into(), left: 0 };
        let board = (1 << files) - 1;
        for row in 0..ranks {
            let black = stones[0].row(row);
            field.black[usize::from(row) + MARGIN] = black;
            field.empty[usize::from(row) + MARGIN] = board & !(black | stones[1].row(row));
        }
        field
    }

    /// Returns the verdict on a black stone that would be put at the empty point `at`.
    ///
    /// ```
    /// use gomoku::renju::{Field, Verdict};
    /// use gomoku::{Forbidden, Point, Points};
    ///
    /// let mut stones = [Points::EMPTY; 2];
    /// [2, 3, 4, 6, 7].map(|file| stones[0].put(Point { row: 7, file }));
    /// let mut field = Field::new(&stones, 15, 15);
    /// assert_eq!(field.judge(Point { row: 7, file: 5 }), Verdict::Forbidden(Forbidden::Overline));
    /// assert_eq!(field.judge(Point { row: 0, file: 0 }), Verdict::Fine);
    /// ```
    #[must_use]
    pub fn judge(&mut self, at: Point) -> Verdict {
        self.left = MOST_TRIED;
        self.try_stone(at)
    }

    /// Returns the verdict on the black stone that was put at `at` last.
    #[must_use]
    pub fn judge_stone(&mut self, at: Point) -> Verdict {
        self.left = MOST_TRIED;
        self.verdict(at)
    }

    fn try_stone(&mut self, at: Point) -> Verdict {
        self.put(at);
        let verdict = self.verdict(at);
        self.take(at);
        verdict
    }

    fn verdict(&mut self, at: Point) -> Verdict {
        let black = LINES.map(|line| word(&self.black, at, line));
        let rows = black.map(row);
        if rows.contains(&5) {
            return Verdict::Five;
        }
        if rows.iter().any(|&row| row > 5) {
            return Verdict::Forbidden(Forbidden::Overline);
        }
        // A four and a three need three stones within four points; most lines have fewer.
        const NEAR: u32 = 0b01_1111_1110;
        let mut fours = 0;
        let mut threes = [0; 4];
        let mut lines = 0;
        for (i, &line) in LINES.iter().enumerate() {
            if (black[i] & NEAR).count_ones() >= 3 {
                let empty = word(&self.empty, at, line);
                fours += count_fours(black[i], empty);
                threes[i] = straight_windows(black[i], empty);
                lines += u32::from(threes[i] != 0);
            }
        }
        if fours >= 2 {
            return Verdict::Forbidden(Forbidden::DoubleFour);
        }
        // Only here the question goes on: is the stone that would make the three a straight four allowed itself?
        let mut found = 0;
        for (&windows, line) in threes.iter().zip(LINES).filter(|(windows, _)| **windows != 0) {
            if found + lines < 2 {
                break;
            }
            lines -= 1;
            found += u32::from(self.is_three(at, line, windows));
        }
        if found >= 2 { Verdict::Forbidden(Forbidden::DoubleThree) } else { Verdict::Fine }
    }

    /// Returns true if one of the straight fours that a stone more would make along `line` may be made.
    fn is_three(&mut self, at: Point, line: (i8, i8), windows: u32) -> bool {
        let empty = word(&self.empty, at, line);
        files(windows).any(|start| {
            let inside = empty & (0b1111 << (start + 1));
            let steps = inside.trailing_zeros() as i8 - MIDDLE as i8;
            let next = Point {
                row: at.row.wrapping_add_signed(line.1 * steps),
                file: at.file.wrapping_add_signed(line.0 * steps),
            };
            // A stone for which no time is left to try it is taken to be allowed.
            let Some(left) = self.left.checked_sub(1) else { return true };
            self.left = left;
            self.try_stone(next) == Verdict::Fine
        })
    }

    fn put(&mut self, at: Point) {
        self.black[usize::from(at.row) + MARGIN] |= 1 << at.file;
        self.empty[usize::from(at.row) + MARGIN] &= !(1 << at.file);
    }

    fn take(&mut self, at: Point) {
        self.black[usize::from(at.row) + MARGIN] &= !(1 << at.file);
        self.empty[usize::from(at.row) + MARGIN] |= 1 << at.file;
    }
}

/// The line word of a set at `at`: eleven points along `line`, `at` in the middle.
#[inline]
fn word(set: &[u32; TALL], at: Point, (files, rows): (i8, i8)) -> u32 {
    let row = usize::from(at.row) + MARGIN;
    if rows == 0 {
        return ((u64::from(set[row]) << MIDDLE >> at.file) & 0x7FF) as u32;
    }
    let mut word = 0;
    for i in 0..=2 * MIDDLE {
        let steps = i as isize - MIDDLE as isize;
        // Points left of the board fall below bit 5 and are shifted out, as points right of it find no bit.
        let there = u64::from(set[row.wrapping_add_signed(steps * rows as isize)]) << MIDDLE;
        let bit = usize::from(at.file) as isize + MIDDLE as isize + steps * files as isize;
        word |= ((there >> bit & 1) as u32) << i;
    }
    word
}

/// Returns the length of the unbroken row around the middle; a row longer than six may be cut.
#[inline]
const fn row(black: u32) -> u32 {
    1 + (black >> (MIDDLE + 1)).trailing_ones() + (black << (32 - MIDDLE)).leading_ones()
}

/// Returns the number of fours the middle stone stands in: sets of four stones that one more makes exactly five. The
/// windows of five with one empty point are counted; the two windows of a straight four are the same four.
#[inline]
const fn count_fours(black: u32, empty: u32) -> u32 {
    let free = black | empty;
    let five = free & free >> 1 & free >> 2 & free >> 3 & free >> 4;
    let exact = !(black << 1) & !(black >> 5);
    // Bit s is the window that begins there: those from 1 to 5 hold the middle.
    let windows = five & exact & one_of(empty, 5) & 0b11_1110;
    let straight = windows & windows >> 1 & empty;
    windows.count_ones() - straight.count_ones()
}

/// Returns the first points of the straight fours that could hold the middle stone and one stone more: the windows of
/// six that are empty at both ends, with three stones and an empty point between, and no stone beside them to make
/// six.
#[inline]
const fn straight_windows(black: u32, empty: u32) -> u32 {
    let free = black | empty;
    let ends = empty & empty >> 5;
    let inside = free >> 1 & free >> 2 & free >> 3 & free >> 4;
    let exact = !(black << 1) & !(black >> 6);
    ends & inside & exact & one_of(empty >> 1, 4) & 0b1_1110
}

/// The windows of `length` points that hold exactly one point of the set, by their first point.
#[inline]
const fn one_of(set: u32, length: u32) -> u32 {
    let (mut any, mut more, mut i) = (0, 0, 0);
    while i < length {
        more |= any & set >> i;
        any |= set >> i;
        i += 1;
    }
    any & !more
}

/// Every forbidden point, row by row from the top left, with the reason.
///
/// ```
/// use gomoku::renju::{Field, forbidden};
/// use gomoku::{Forbidden, Point, Points};
///
/// let mut stones = [Points::EMPTY; 2];
/// [2, 3, 4, 6, 7].map(|file| stones[0].put(Point { row: 7, file }));
/// let found: Vec<_> = forbidden(&mut Field::new(&stones, 15, 15)).collect();
/// assert_eq!(found, [(Point { row: 7, file: 5 }, Forbidden::Overline)]);
/// ```
pub fn forbidden(field: &mut Field) -> impl Iterator<Item = (Point, Forbidden)> {
    let suspects = suspects(field);
    let points = (0..field.ranks as u8)
        .flat_map(move |row| files(suspects[usize::from(row) + MARGIN]).map(move |file| Point { row, file }));
    points.filter_map(|at| match field.judge(at) {
        Verdict::Forbidden(why) => Some((at, why)),
        Verdict::Five | Verdict::Fine => None,
    })
}

/// The points that could be forbidden: overlines, two windows for a four, or lines for a three in two directions.
fn suspects(field: &Field) -> [u32; TALL] {
    let mut found = Found { suspects: [0; TALL], fours: [0; TALL], threes: [0; TALL] };
    found.look_along::<1, 0>(field);
    found.look_along::<0, 1>(field);
    found.look_along::<1, 1>(field);
    found.look_along::<1, -1>(field);
    found.suspects
}

/// The findings of the directions looked along so far.
struct Found {
    suspects: [u32; TALL],
    /// Points that would make a four.
    fours: [u32; TALL],
    /// Points from which two stones more could make a straight four.
    threes: [u32; TALL],
}

impl Found {
    fn look_along<const FILES: i32, const ROWS: isize>(&mut self, field: &Field) {
        let rows = MARGIN..MARGIN + field.ranks;
        // The windows of five that need two stones, and of six as in `straight_windows`, by their first points.
        let (mut fives, mut sixes) = ([0; TALL], [0; TALL]);
        for row in rows.clone() {
            let black: [u32; 8] =
                std::array::from_fn(|i| shifted::<FILES, ROWS>(&field.black, row, i as i32 - 1));
            let empty: [u32; 6] =
                std::array::from_fn(|i| shifted::<FILES, ROWS>(&field.empty, row, i as i32));
            let free: [u32; 6] = std::array::from_fn(|i| black[i + 1] | empty[i]);
            let inner = free[1] & free[2] & free[3] & free[4];
            let (two, three) = counts([empty[1], empty[2], empty[3], empty[4]]);
            // The first point counts as the others do: two empty points of five.
            let one = !(two | three) & (empty[1] | empty[2] | empty[3] | empty[4]);
            let two_of_five = (empty[0] & one) | (!empty[0] & two);
            fives[row] = free[0] & inner & two_of_five & !black[0] & !black[6];
            sixes[row] = empty[0] & inner & empty[5] & two & !black[0] & !black[7];
        }
        for row in rows {
            let black = |steps| shifted::<FILES, ROWS>(&field.black, row, steps);
            let (mut fours, mut twice, mut threes) = (0, 0, 0);
            for steps in 0..5 {
                let window = shifted::<FILES, ROWS>(&fives, row, -steps);
                twice |= fours & window;
                fours |= window;
            }
            for steps in 1..5 {
                threes |= shifted::<FILES, ROWS>(&sixes, row, -steps);
            }
            let long = long_rows(
                [black(1), black(2), black(3), black(4), black(5)],
                [black(-1), black(-2), black(-3), black(-4), black(-5)],
            );
            let second = twice | (fours & self.fours[row]) | (threes & self.threes[row]);
            self.suspects[row] |= field.empty[row] & (second | long);
            self.fours[row] |= fours;
            self.threes[row] |= threes;
        }
    }
}

/// Returns the bits set in exactly two of four words, and those set in three or more.
const fn counts([a, b, c, d]: [u32; 4]) -> (u32, u32) {
    let (odd_ab, both_ab) = (a ^ b, a & b);
    let (odd_cd, both_cd) = (c ^ d, c & d);
    let three = both_ab & (c | d) | both_cd & (a | b);
    let two = (both_ab | both_cd | odd_ab & odd_cd) & !three;
    (two, three)
}

/// Returns the points at which one stone more would join the stones ahead and behind to a row of six or more.
const fn long_rows(ahead: [u32; 5], behind: [u32; 5]) -> u32 {
    let a2 = ahead[0] & ahead[1];
    let a3 = a2 & ahead[2];
    let a4 = a3 & ahead[3];
    let b2 = behind[0] & behind[1];
    let b3 = b2 & behind[2];
    let b4 = b3 & behind[3];
    (a4 & ahead[4]) | (a4 & behind[0]) | (a3 & b2) | (a2 & b3) | (ahead[0] & b4) | (b4 & behind[4])
}

/// A row of the set moved so that each point finds, in its own place, the point `steps` steps further along the line.
#[inline]
fn shifted<const FILES: i32, const ROWS: isize>(set: &[u32; TALL], row: usize, steps: i32) -> u32 {
    let there = set[row.wrapping_add_signed(steps as isize * ROWS)];
    let by = steps * FILES;
    if by >= 0 { there >> by } else { there << -by }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

    /// The points that could be forbidden, window by window and point by point.
    fn suspects_one_by_one(field: &Field, files: i32) -> [u32; TALL] {
        let ranks = field.ranks as i32;
        let has = |set: &[u32; TALL], (file, row): (i32, i32)| {
            (0..files).contains(&file)
                && (0..ranks).contains(&row)
                && set[row as usize + MARGIN] >> file & 1 == 1
        };
        let mut suspects = [0; TALL];
        let (mut fours_before, mut threes_before) = ([0; TALL], [0; TALL]);
        for direction in DIRECTIONS {
            let on = |(file, row), steps: i32| (file + steps * direction.0, row + steps * direction.1);
            let mark =
                |set: &mut [u32; TALL], (file, row): (i32, i32)| set[row as usize + MARGIN] |= 1 << file;
            let (mut fours, mut twice, mut threes) = ([0; TALL], [0; TALL], [0; TALL]);
            let points = (0..ranks).flat_map(|row| (0..files).map(move |file| (file, row)));
            for point in points.clone() {
                let black = |steps| has(&field.black, on(point, steps));
                let empty = |steps| has(&field.empty, on(point, steps));
                let free = |steps| black(steps) || empty(steps);
                if (0..5).all(free) && (0..5).filter(|&i| empty(i)).count() == 2 && !black(-1) && !black(5) {
                    for i in 0..5 {
                        let at = on(point, i);
                        if has(&fours, at) {
                            mark(&mut twice, at);
                        }
                        mark(&mut fours, at);
                    }
                }
                let inner = (1..5).all(free) && (1..5).filter(|&i| empty(i)).count() == 2;
                if empty(0) && empty(5) && inner && !black(-1) && !black(6) {
                    (1..5).for_each(|i| mark(&mut threes, on(point, i)));
                }
            }
            for point in points {
                let ahead = (1..).take_while(|&i| has(&field.black, on(point, i))).count();
                let behind = (1..).take_while(|&i| has(&field.black, on(point, -i))).count();
                let second = has(&twice, point)
                    || has(&fours, point) && has(&fours_before, point)
                    || has(&threes, point) && has(&threes_before, point);
                if has(&field.empty, point) && (second || ahead + behind >= 5) {
                    mark(&mut suspects, point);
                }
            }
            for row in 0..TALL {
                fours_before[row] |= fours[row];
                threes_before[row] |= threes[row];
            }
        }
        suspects
    }

    /// The suspects are exactly those of the definition. Too many cost time, too few let a forbidden move pass:
    /// neither is seen by looking at verdicts alone.
    #[test]
    fn suspects_are_those_of_the_definition() {
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut found = 0;
        for _ in 0..3_000 {
            let side = 5 + random(16) as usize;
            let (black, white) = (1 + random(60), random(20));
            let mut field = Field { black: [0; TALL], empty: [0; TALL], ranks: side, left: 0 };
            for row in MARGIN..MARGIN + side {
                for file in 0..side {
                    match random(100) {
                        n if n < black => field.black[row] |= 1 << file,
                        n if n < black + white => {}
                        _ => field.empty[row] |= 1 << file,
                    }
                }
            }
            let mask = (1_u32 << side) - 1;
            let rows = suspects(&field).map(|row| row & mask);
            assert_eq!(
                rows,
                suspects_one_by_one(&field, side as i32),
                "{:x?} {:x?}",
                field.black,
                field.empty
            );
            found += rows.iter().map(|row| row.count_ones()).sum::<u32>();
        }
        assert!(found > 10_000, "{found}");
    }
}
