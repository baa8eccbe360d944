//! Places of the 12x12 board, and sets of them that shift in one stroke.

use crate::Direction;

/// Columns and rows of the board.
pub const SIZE: u8 = 12;

/// A place: column and row from the top left, kept as the bit it has in [`Stones`].
///
/// ```
/// use locked::{Direction, Square};
///
/// let square = Square::new(4, 9).unwrap();
/// assert_eq!((square.to_string(), square.cell()), ("d9".into(), 8 * 12 + 3));
/// assert_eq!(square.next(Direction::Up), Square::named("d8"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

/// Returns the blocked directions of the stone at `from` among up (bit 0) and down (bit 1), blocked by those armies
/// or the edge.
#[inline]
pub(crate) const fn blocks_upright(armies: &[Stones; 2], from: Square) -> u8 {
    let at = from.0;
    let (above, below) = (at.wrapping_sub(16), at.wrapping_add(16));
    let up = (at < 16) | (word(armies, above) >> (above % 64) & 1 == 1);
    let down = (at >= 176) | (word(armies, below) >> (below % 64) & 1 == 1);
    up as u8 | (down as u8) << 1
}

/// Returns the blocked directions of the stone at `from` among left (bit 2) and right (bit 3).
#[inline]
pub(crate) const fn blocks_beside(armies: &[Stones; 2], from: Square) -> u8 {
    // The unused bits of a row stand for the edges beside it; a rotation brings the wrapped neighbour there, too.
    let row = word(armies, from.0) | !ROWS;
    let left = row.rotate_left(1) >> (from.0 % 64) & 1;
    let right = row.rotate_right(1) >> (from.0 % 64) & 1;
    (left as u8) << 2 | (right as u8) << 3
}

/// The word of both armies that holds the bit of a square; any, when the number is off the board.
#[inline]
const fn word(armies: &[Stones; 2], at: u8) -> u64 {
    let word = at as usize / 64;
    let word = if word < 3 { word } else { 2 };
    armies[0].0[word] | armies[1].0[word]
}

impl Square {
    /// The place in column `x` and row `y`, both from 1 as players count; `None` off the board.
    ///
    /// ```
    /// use locked::Square;
    ///
    /// assert_eq!(Square::new(12, 12), Square::named("l12"));
    /// assert_eq!(Square::new(0, 1), None);
    /// ```
    #[must_use]
    pub const fn new(x: u8, y: u8) -> Option<Square> {
        if x >= 1 && x <= SIZE && y >= 1 && y <= SIZE { Some(Square((y - 1) * 16 + x - 1)) } else { None }
    }

    /// The column from the left, 1 to 12.
    #[must_use]
    pub const fn x(self) -> u8 {
        self.0 % 16 + 1
    }

    /// The row from the top, 1 to 12.
    #[must_use]
    pub const fn y(self) -> u8 {
        self.0 / 16 + 1
    }

    /// The place next to this one; `None` off the board.
    ///
    /// ```
    /// use locked::{Direction, Square};
    ///
    /// let corner = Square::named("a1").unwrap();
    /// assert_eq!(corner.next(Direction::Right), Square::named("b1"));
    /// assert_eq!(corner.next(Direction::Up), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn next(self, to: Direction) -> Option<Square> {
        let square = self.beside(to);
        if Stones::BOARD.has(square) { Some(square) } else { None }
    }

    /// The place next to this one, which must be on the board, as it is for every legal move.
    #[inline]
    pub(crate) const fn beside(self, to: Direction) -> Square {
        Square(self.0.wrapping_add(to.stride()))
    }

    /// Returns the index of the square in the views of `kernel`, row by row from 0.
    #[must_use]
    pub fn cell(self) -> kernel::Cell {
        kernel::Cell::from(self.y() - 1) * kernel::Cell::from(SIZE) + kernel::Cell::from(self.x() - 1)
    }

    /// The place called `d9`: column letter, then row from the top. Letters may be capitals.
    ///
    /// ```
    /// use locked::Square;
    ///
    /// assert_eq!(Square::named("D9"), Square::new(4, 9));
    /// assert_eq!(Square::named("m1"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Square> {
        let (&letter, digits) = name.as_bytes().split_first()?;
        let x = letter.to_ascii_lowercase().checked_sub(b'a')?.checked_add(1)?;
        let y = match digits {
            [d @ b'1'..=b'9'] => d - b'0',
            [b'1', d @ b'0'..=b'2'] => 10 + d - b'0',
            _ => return None,
        };
        Square::new(x, y)
    }
}

/// The name as players write it: `d9`.
impl std::fmt::Display for Square {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.x() - 1), self.y())
    }
}

/// A set of places: four rows of sixteen bits a word, the last four bits of a row unused.
///
/// ```text
/// word 0   bits 0..11 row 1   16..27 row 2   32..43 row 3   48..59 row 4
/// ```
///
/// ```
/// use locked::{Direction, Square, Stones};
///
/// let stones = Stones::of([(4, 4), (5, 5)]);
/// assert_eq!((stones.len(), stones.has(Square::new(4, 4).unwrap())), (2, true));
/// assert_eq!(stones.shifted(Direction::Right), Stones::of([(5, 4), (6, 5)]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stones(pub(crate) [u64; 3]);

const ROWS: u64 = 0x0FFF_0FFF_0FFF_0FFF;
const LEFT_EDGE: u64 = 0x0001_0001_0001_0001;

impl Stones {
    /// The empty set.
    pub const NONE: Stones = Stones([0; 3]);
    /// All 144 places.
    pub const BOARD: Stones = Stones([ROWS; 3]);

    /// The set of those places, given as column and row from 1.
    ///
    /// ```
    /// use locked::{Square, Stones};
    ///
    /// let stones = Stones::of([(1, 1), (12, 12)]);
    /// assert!(stones.has(Square::named("l12").unwrap()));
    /// ```
    ///
    /// # Panics
    /// Panics when one is off the board.
    #[must_use]
    pub const fn of<const N: usize>(places: [(u8, u8); N]) -> Stones {
        let mut stones = Stones::NONE;
        let mut i = 0;
        while i < N {
            let square = Square::new(places[i].0, places[i].1).expect("on the board");
            stones = stones.with(square);
            i += 1;
        }
        stones
    }

    /// Returns true if `square` is in the set.
    #[inline]
    #[must_use]
    pub const fn has(self, square: Square) -> bool {
        // The stride off the top wraps round to a high number, so that one comparison finds both ends.
        (square.0 as usize) < 192 && self.0[square.0 as usize / 64] >> (square.0 % 64) & 1 == 1
    }

    /// The set and `square`.
    #[inline]
    #[must_use]
    pub const fn with(mut self, square: Square) -> Stones {
        self.0[square.0 as usize / 64] |= 1 << (square.0 % 64);
        self
    }

    /// The set without `square`.
    #[inline]
    #[must_use]
    pub const fn without(mut self, square: Square) -> Stones {
        self.0[square.0 as usize / 64] &= !(1 << (square.0 % 64));
        self
    }

    /// The number of places in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// Returns true if the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Returns the places in both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Stones) -> Stones {
        Stones([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }

    /// Returns the places in either set.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Stones) -> Stones {
        Stones([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }

    /// Returns the places of the board that are not in the set.
    ///
    /// ```
    /// use locked::Stones;
    ///
    /// assert_eq!(Stones::of([(1, 1)]).complement().len(), 143);
    /// assert!(Stones::BOARD.complement().is_empty());
    /// ```
    #[must_use]
    pub const fn complement(self) -> Stones {
        Stones([!self.0[0] & ROWS, !self.0[1] & ROWS, !self.0[2] & ROWS])
    }

    /// Returns the places from which a step to `to` would leave the board.
    ///
    /// ```
    /// use locked::{Direction, Stones};
    ///
    /// let stones = Stones::of([(1, 5), (6, 12), (7, 7)]);
    /// assert_eq!(stones.on_edge(Direction::Left), Stones::of([(1, 5)]));
    /// assert!(stones.on_edge(Direction::Up).is_empty());
    /// ```
    #[must_use]
    pub const fn on_edge(self, to: Direction) -> Stones {
        self.and(Stones(match to {
            Direction::Up => [0xFFF, 0, 0],
            Direction::Down => [0, 0, 0xFFF << 48],
            Direction::Left => [LEFT_EDGE; 3],
            Direction::Right => [LEFT_EDGE << 11; 3],
        }))
    }

    /// All of them one step to `to`. None may stand [`on_edge`](Stones::on_edge).
    ///
    /// ```
    /// use locked::{Direction, Stones};
    ///
    /// let stones = Stones::of([(4, 4), (5, 5)]);
    /// assert_eq!(stones.shifted(Direction::Up), Stones::of([(4, 3), (5, 4)]));
    /// ```
    #[inline]
    #[must_use]
    pub const fn shifted(self, to: Direction) -> Stones {
        let [a, b, c] = self.0;
        Stones(match to {
            Direction::Up => [a >> 16 | b << 48, b >> 16 | c << 48, c >> 16],
            Direction::Down => [a << 16, b << 16 | a >> 48, c << 16 | b >> 48],
            Direction::Left => [a >> 1, b >> 1, c >> 1],
            Direction::Right => [a << 1, b << 1, c << 1],
        })
    }

    /// Returns the directions in which all of `army` together is blocked by these stones, which are the enemy's, or
    /// by the edge: bit 0 up, 1 down, 2 left, 3 right.
    #[inline]
    #[must_use]
    pub(crate) const fn blocks_all(self, army: Stones) -> u8 {
        let [a, b, c] = army.0;
        let [p, q, r] = self.0;
        let up = a & 0xFFF | (a >> 16 | b << 48) & p | (b >> 16 | c << 48) & q | (c >> 16) & r;
        let down = c >> 48 | (a << 16) & p | (b << 16 | a >> 48) & q | (c << 16 | b >> 48) & r;
        let left = a.rotate_right(1) & (p | !ROWS)
            | b.rotate_right(1) & (q | !ROWS)
            | c.rotate_right(1) & (r | !ROWS);
        let right = a << 1 & (p | !ROWS) | b << 1 & (q | !ROWS) | c << 1 & (r | !ROWS);
        (up != 0) as u8 | ((down != 0) as u8) << 1 | ((left != 0) as u8) << 2 | ((right != 0) as u8) << 3
    }

    /// Moves the stone at `from`. The set is changed in place: a copy of it would wait for the word just written.
    #[inline]
    pub(crate) const fn carry(&mut self, from: Square, to: Square) {
        self.0[from.0 as usize / 64] &= !(1 << (from.0 % 64));
        self.0[to.0 as usize / 64] |= 1 << (to.0 % 64);
    }

    /// Iterates by rising row, then column: the order of cells.
    ///
    /// ```
    /// use locked::{Square, Stones};
    ///
    /// let stones = Stones::of([(2, 1), (1, 3)]);
    /// let names: Vec<String> = stones.by_row().map(|square| square.to_string()).collect();
    /// assert_eq!(names, ["b1", "a3"]);
    /// ```
    #[inline]
    pub fn by_row(self) -> impl Iterator<Item = Square> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| {
            std::iter::successors(Some(bits), |b| Some(b & b.wrapping_sub(1)))
                .take_while(|&b| b != 0)
                .map(move |b| Square((word as u32 * 64 + b.trailing_zeros()) as u8))
        })
    }

    /// Iterates by rising column, then row: the order in which the game lists stones.
    ///
    /// ```
    /// use locked::Stones;
    ///
    /// let stones = Stones::of([(2, 1), (1, 3)]);
    /// let names: Vec<String> = stones.by_column().map(|square| square.to_string()).collect();
    /// assert_eq!(names, ["a3", "b1"]);
    /// ```
    #[inline]
    pub fn by_column(self) -> impl Iterator<Item = Square> {
        let rows = self.0[0] | self.0[1] | self.0[2];
        let columns = (rows | rows >> 16 | rows >> 32 | rows >> 48) & 0xFFF;
        let used =
            std::iter::successors(Some(columns), |c| Some(c & c.wrapping_sub(1))).take_while(|&c| c != 0);
        used.flat_map(move |c| self.and(Stones([LEFT_EDGE << c.trailing_zeros(); 3])).by_row())
    }
}
