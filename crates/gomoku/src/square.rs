//! Points, and sets of points.

/// The fewest files, and the fewest ranks, a board may have: a row of five must fit.
pub const LEAST_SIDE: u8 = 5;
/// The most files, and the most ranks: one letter names a file.
pub const MOST_SIDE: u8 = 26;

/// A crossing of two lines, where a stone may stand. It is on every board that is large enough.
///
/// ```
/// use gomoku::{Gomoku, Point, Rule};
/// use kernel::Notation;
///
/// let board = Gomoku::usual(Rule::Standard).board();
/// let middle = Point { row: 7, file: 7 };
/// assert_eq!(board.name(board.cell(middle.file, middle.row)), "h8");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point {
    /// Rows above it: 0 is the top row.
    pub row: u8,
    /// Files to the left of it: 0 is file `a`.
    pub file: u8,
}

/// One row more on every side of the largest board.
const ROWS: usize = MOST_SIDE as usize + 2;

/// A set of points of one board.
///
/// One word a row, one bit a file. Around the board lies a margin of points that are never in the set, so that a walk
/// along a line is stopped at the edge as by any other gap and needs no test for it:
///
/// ```text
/// row 0    . . . . .    margin
/// row 1    . x + + .    bit 1 is file a
/// row 2    . + + x .
/// row 3    . . . . .
/// ```
///
/// ```
/// use gomoku::{Point, Points};
///
/// let (a, b) = (Point { row: 0, file: 0 }, Point { row: 0, file: 1 });
/// let mut stones = Points::EMPTY;
/// stones.put(a);
/// stones.put(b);
/// assert_eq!((stones.count(), stones.has(b)), (2, true));
/// stones.take(a);
/// assert_eq!(stones.iter().collect::<Vec<_>>(), [b]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Points {
    rows: [u32; ROWS],
}

impl Points {
    /// The set without points.
    pub const EMPTY: Points = Points { rows: [0; ROWS] };

    /// Returns true if `at` is in the set.
    #[must_use]
    pub const fn has(&self, at: Point) -> bool {
        self.rows[at.row as usize + 1] >> (at.file + 1) & 1 == 1
    }

    /// Returns the number of points in the set.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }

    /// Takes `at` out of the set.
    pub const fn take(&mut self, at: Point) {
        self.rows[at.row as usize + 1] &= !(1 << (at.file + 1));
    }

    /// Puts `at` into the set.
    pub const fn put(&mut self, at: Point) {
        self.rows[at.row as usize + 1] |= 1 << (at.file + 1);
    }

    /// Returns the number of points in a row that are in the set, from the neighbour of `at` onwards in one
    /// direction.
    ///
    /// ```
    /// use gomoku::{Point, Points};
    ///
    /// let mut stones = Points::EMPTY;
    /// (3..7).for_each(|file| stones.put(Point { row: 7, file }));
    /// let end = Point { row: 7, file: 3 };
    /// assert_eq!((stones.reach(end, (1, 0)), stones.reach(end, (-1, 0))), (3, 0));
    /// ```
    #[must_use]
    pub fn reach(&self, at: Point, (files, rows): (i8, i8)) -> u32 {
        let mut row = (at.row + 1).wrapping_add_signed(rows);
        let mut bit = (at.file + 1).wrapping_add_signed(files);
        let mut reach = 0;
        while self.rows[usize::from(row)] >> bit & 1 == 1 {
            reach += 1;
            row = row.wrapping_add_signed(rows);
            bit = bit.wrapping_add_signed(files);
        }
        reach
    }

    /// Returns true if the point `steps` steps from `at` in one direction is in the set. The steps before the last
    /// are on the board; the last may be one off it, where there are never stones.
    #[must_use]
    pub(crate) fn stands(&self, at: Point, (files, rows): (i8, i8), steps: u32) -> bool {
        let to = |from: u8, step: i8| i32::from(from) + 1 + i32::from(step) * steps as i32;
        self.rows[to(at.row, rows) as usize] >> to(at.file, files) & 1 == 1
    }

    /// The points of the set, row by row from the top left.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        (0..MOST_SIDE).flat_map(|row| files(self.row(row)).map(move |file| Point { row, file }))
    }

    /// One row as bits: bit 0 is file `a`.
    ///
    /// ```
    /// use gomoku::{Point, Points};
    ///
    /// let mut stones = Points::EMPTY;
    /// stones.put(Point { row: 7, file: 2 });
    /// assert_eq!(stones.row(7), 0b100);
    /// ```
    #[must_use]
    pub const fn row(&self, row: u8) -> u32 {
        self.rows[row as usize + 1] >> 1
    }
}

/// The files whose bits are set, from the left.
pub(crate) fn files(mut bits: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let file = u8::try_from(bits.trailing_zeros()).ok().filter(|&f| f < 32)?;
        bits &= bits - 1;
        Some(file)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_is_not_next_to_the_other_side() {
        let mut set = Points::EMPTY;
        let last = MOST_SIDE - 1;
        for (row, file) in [(0, 0), (0, last), (last, 0), (last, last)] {
            set.put(Point { row, file });
        }
        assert_eq!(set.iter().count(), 4);
        for at in set.iter() {
            for step in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
                assert_eq!(set.reach(at, step), 0, "{at:?} {step:?}");
            }
        }
    }
}
