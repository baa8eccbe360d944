//! Squares, and sets of squares.

use std::fmt;

/// The number of files of the board.
pub const FILES: u8 = 9;
/// The number of rows of the board.
pub const ROWS: u8 = 10;
/// The number of squares of the board.
pub const SQUARES: u8 = FILES * ROWS;

/// The place of a piece that was taken: the number after the last square.
pub(crate) const OFF: u8 = SQUARES;

/// A crossing of the board, counted row by row from the top left, as Red sees it: Black's back rank is row 0.
///
/// ```
/// use xiangqi::Square;
///
/// let square = Square::named("h2").unwrap();
/// assert_eq!((square.file(), square.row(), square.index()), (7, 7, 70));
/// assert_eq!(square.to_string(), "h2");
/// assert_eq!(Square::named("j0"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub(crate) u8);

impl Square {
    /// The square number `index`, 0 to 89; `None` beyond.
    ///
    /// ```
    /// use xiangqi::Square;
    ///
    /// assert_eq!(Square::new(0), Square::named("a9"));
    /// assert_eq!(Square::new(89), Square::named("i0"));
    /// assert_eq!(Square::new(90), None);
    /// ```
    #[must_use]
    pub const fn new(index: u8) -> Option<Square> {
        if index < SQUARES { Some(Square(index)) } else { None }
    }

    /// The square in `file` from the left and `row` from the top, both from 0; `None` off the board. Signed, so that
    /// steps can be added without a check.
    ///
    /// ```
    /// use xiangqi::Square;
    ///
    /// assert_eq!(Square::at(4, 9), Square::named("e0"));
    /// assert_eq!(Square::at(-1, 9), None);
    /// ```
    #[must_use]
    pub const fn at(file: i8, row: i8) -> Option<Square> {
        let on_board = 0 <= file && file < FILES as i8 && 0 <= row && row < ROWS as i8;
        if on_board { Some(Square(row as u8 * FILES + file as u8)) } else { None }
    }

    /// The square of that ICCS name: files `a` to `i` from Red's left, ranks `0` to `9` from Red's side. The letter
    /// may be a capital.
    ///
    /// ```
    /// use xiangqi::Square;
    ///
    /// assert_eq!(Square::named("E0"), Square::at(4, 9));
    /// assert_eq!(Square::named("e10"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Square> {
        let &[file, rank] = name.as_bytes() else { return None };
        let file = file.to_ascii_lowercase().checked_sub(b'a')?;
        let rank = rank.checked_sub(b'0')?;
        Square::at(file as i8, 9_i8.checked_sub_unsigned(rank)?)
    }

    /// 0 to 89, row by row from the top left.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Files to the left of it, as Red sees it.
    #[must_use]
    #[inline]
    pub const fn file(self) -> u8 {
        (self.i() % FILES as usize) as u8
    }

    /// Rows above it: 0 is Black's back rank.
    #[must_use]
    #[inline]
    pub const fn row(self) -> u8 {
        (self.i() / FILES as usize) as u8
    }

    /// The square that many files to the right and rows down; `None` off the board.
    ///
    /// ```
    /// use xiangqi::Square;
    ///
    /// let horse = Square::named("b0").unwrap();
    /// assert_eq!(horse.step((1, -2)), Square::named("c2"));
    /// assert_eq!(horse.step((-2, -1)), None);
    /// ```
    #[must_use]
    pub const fn step(self, (files, rows): (i8, i8)) -> Option<Square> {
        Square::at(self.file() as i8 + files, self.row() as i8 + rows)
    }

    /// Returns the index of the square in tables. The comparison tells the compiler the range, so that it need not
    /// check each index, nor the row and file computed from it.
    #[inline(always)]
    pub(crate) const fn i(self) -> usize {
        if self.0 < OFF { self.0 as usize } else { OFF as usize }
    }
}

/// The ICCS name: `h2`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), ROWS - 1 - self.row())
    }
}

/// A set of squares.
///
/// ```
/// use xiangqi::{Square, Squares};
///
/// let [a, b] = ["d0", "f0"].map(|name| Square::named(name).unwrap());
/// let advisors: Squares = [a, b].into_iter().collect();
/// assert_eq!((advisors.len(), advisors.has(a)), (2, true));
/// assert_eq!(advisors.without(a), Squares::of(b));
/// assert_eq!(Squares::ALL.minus(advisors).len(), 88);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Squares(pub(crate) u128);

impl Squares {
    /// The empty set.
    pub const NONE: Squares = Squares(0);
    /// The whole board.
    pub const ALL: Squares = Squares((1 << SQUARES) - 1);

    /// The set of one square.
    #[must_use]
    pub const fn of(square: Square) -> Squares {
        Squares(1 << square.0)
    }

    /// Returns true if `square` is in the set.
    #[must_use]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// The set with `square` in it.
    #[must_use]
    pub const fn with(self, square: Square) -> Squares {
        Squares(self.0 | 1 << square.0)
    }

    /// The set with `square` out of it.
    #[must_use]
    pub const fn without(self, square: Square) -> Squares {
        Squares(self.0 & !(1 << square.0))
    }

    /// Returns the squares in both sets.
    #[must_use]
    pub const fn and(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }

    /// Returns the squares in either set.
    #[must_use]
    pub const fn or(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }

    /// Returns the squares in this set and not in the other.
    #[must_use]
    pub const fn minus(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }

    /// Returns the number of squares.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns true if the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The squares by rising index.
    ///
    /// ```
    /// use xiangqi::{Square, Squares};
    ///
    /// let squares = Squares::of(Square::named("i0").unwrap()).with(Square::named("a9").unwrap());
    /// let names: Vec<String> = squares.iter().map(|square| square.to_string()).collect();
    /// assert_eq!(names, ["a9", "i0"]);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Square> {
        std::iter::successors(Some(self.0), |bits| Some(bits & bits.wrapping_sub(1)))
            .take_while(|&bits| bits != 0)
            .map(|bits| Square(bits.trailing_zeros() as u8))
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares.into_iter().fold(Squares::NONE, Squares::with)
    }
}
