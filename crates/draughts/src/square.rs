//! Squares, and their places in a word.
//!
//! ```text
//!    .  1  .  2  .  3  .  4  .  5         Squares are numbered row by row from the top left, in every variant:
//!    6  .  7  .  8  .  9  . 10  .         the texts of positions and moves use these numbers.
//!    . 11  . 12  . 13  . 14  . 15
//!                                         In a word each row has one or two bits more than squares, ghosts that
//!    0  1  2  3  4  (5)                   are never filled, so that a diagonal step is one shift for the whole
//!      6  7  8  9 10  (11 12)             board: 6 or 7 bits on ten files. Two rows are 13 bits, and a step along
//!   13 14 15 16 17  (18)                  a rank to the next dark square is 1; it, too, ends in a ghost.
//! ```
//!
//! Turkish draughts fills all 64 squares of a word; there a step along a rank is kept from wrapping by a mask.

use crate::Bits;
use crate::bits::Each;
use crate::rules::{Places, Rules};

/// A place where pieces stand, by its number: row by row from the top left, from 1.
///
/// ```
/// use draughts::{International, Square};
///
/// let square = Square::new::<International>(32).unwrap();
/// assert_eq!((square.file::<International>(), square.row::<International>()), (3, 6));
/// assert_eq!(square.letters::<International>(), "d4");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square of that number; `None` when the board of `R` has no such square.
    ///
    /// ```
    /// use draughts::{Canadian, International, Square};
    ///
    /// assert_eq!(Square::new::<International>(51), None);
    /// assert_eq!(Square::new::<Canadian>(51).map(Square::number), Some(51));
    /// ```
    #[must_use]
    pub fn new<R: Rules>(number: u8) -> Option<Square> {
        (1..=squares::<R>()).contains(&number).then_some(Square(number))
    }

    /// The square in that column from the left and row from the top, both from 0; `None` for a place that is not
    /// played on.
    ///
    /// ```
    /// use draughts::{International, Square, Turkish};
    ///
    /// assert_eq!(Square::at::<International>(0, 0), None, "a light square");
    /// assert_eq!(Square::at::<International>(1, 0).map(Square::number), Some(1));
    /// assert_eq!(Square::at::<Turkish>(0, 0).map(Square::number), Some(1));
    /// ```
    #[must_use]
    pub fn at<R: Rules>(file: u8, row: u8) -> Option<Square> {
        if file >= R::SIDE || row >= R::SIDE || !is_played(R::PLACES, R::SIDE, file, row) {
            return None;
        }
        let in_row = if matches!(R::PLACES, Places::All) { file } else { file / 2 };
        Some(Square(row * per_row(R::PLACES, R::SIDE) + in_row + 1))
    }

    /// Its number, from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its column from the left, from 0.
    #[must_use]
    pub fn file<R: Rules>(self) -> u8 {
        file_of(R::PLACES, R::SIDE, self.0 - 1)
    }

    /// Its row from the top, from 0.
    #[must_use]
    pub fn row<R: Rules>(self) -> u8 {
        (self.0 - 1) / per_row(R::PLACES, R::SIDE)
    }

    /// The letter of its file and the number of its rank, a1 at the bottom left.
    ///
    /// ```
    /// use draughts::{Russian, Square};
    ///
    /// assert_eq!(Square::new::<Russian>(22).map(Square::letters::<Russian>).as_deref(), Some("c3"));
    /// ```
    #[must_use]
    pub fn letters<R: Rules>(self) -> String {
        format!("{}{}", char::from(b'a' + self.file::<R>()), R::SIDE - self.row::<R>())
    }

    /// The square that `text` names, by its number or by letter and rank. `None` when there is no such square.
    ///
    /// ```
    /// use draughts::{Russian, Square};
    ///
    /// assert_eq!(Square::read::<Russian>("c3"), Square::new::<Russian>(22));
    /// assert_eq!(Square::read::<Russian>("22"), Square::new::<Russian>(22));
    /// assert_eq!(Square::read::<Russian>("c4"), None, "a light square");
    /// ```
    #[must_use]
    pub fn read<R: Rules>(text: &str) -> Option<Square> {
        let first = text.bytes().next()?;
        let digits = |text: &str| {
            let plain = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
            plain.then(|| text.parse::<u8>().ok())?
        };
        if first.is_ascii_digit() {
            return Square::new::<R>(digits(text)?);
        }
        let file = first.to_ascii_lowercase().checked_sub(b'a')?;
        let row = R::SIDE.checked_sub(digits(text.get(1..)?)?)?;
        Square::at::<R>(file, row)
    }

    /// The square of a bit.
    #[inline]
    pub(crate) fn of_bit<R: Rules>(bit: u8) -> Square {
        let squares = const { &layout(R::PLACES, R::SIDE).square_of };
        Square(squares[usize::from(bit)])
    }

    /// The squares of a set, from its lowest bit.
    ///
    /// ```
    /// use draughts::{Bits, International, Rules, Square};
    ///
    /// let set = Square::new::<International>(50).unwrap().set::<International>();
    /// let numbers: Vec<u8> = Square::each::<International>(set).map(Square::number).collect();
    /// assert_eq!(numbers, [50]);
    /// assert_eq!(Square::each::<International>(Bits::NONE).count(), 0);
    /// ```
    #[inline]
    pub fn each<R: Rules>(set: R::Bits) -> impl Iterator<Item = Square> + use<R> {
        Each(set).map(Square::of_bit::<R>)
    }

    /// The bit of this square.
    #[inline]
    pub(crate) fn bit<R: Rules>(self) -> u8 {
        let bits = const { &layout(R::PLACES, R::SIDE).bit_of };
        bits[usize::from(self.0)]
    }

    /// The set of this square.
    #[inline]
    #[must_use]
    pub fn set<R: Rules>(self) -> R::Bits {
        R::Bits::bit(self.bit::<R>())
    }
}

/// Returns the number of squares the board of `R` has.
///
/// ```
/// use draughts::{Canadian, International, Turkish, squares};
///
/// assert_eq!([squares::<International>(), squares::<Canadian>(), squares::<Turkish>()], [50, 72, 64]);
/// ```
#[must_use]
pub const fn squares<R: Rules>() -> u8 {
    R::SIDE * per_row(R::PLACES, R::SIDE)
}

/// The most pieces a side may have when a position is read or set up: as many as a full start of that board has men,
/// and half as many again in Turkish draughts, where studies have more. Games cannot come to more, and what can be
/// captured in how many ways grows with every piece.
///
/// ```
/// use draughts::{International, Turkish, most_pieces};
///
/// assert_eq!((most_pieces::<International>(), most_pieces::<Turkish>()), (20, 24));
/// ```
#[must_use]
pub const fn most_pieces<R: Rules>() -> u8 {
    match R::PLACES {
        Places::All => 24,
        Places::LeftCorner | Places::RightCorner => R::SIDE * (R::SIDE - 2) / 4,
    }
}

const fn per_row(places: Places, side: u8) -> u8 {
    match places {
        Places::All => side,
        Places::LeftCorner | Places::RightCorner => side / 2,
    }
}

const fn is_played(places: Places, side: u8, file: u8, row: u8) -> bool {
    // The bottom row is row `side - 1`, and sides are even: the bottom left square is as odd as `side - 1`.
    match places {
        Places::All => true,
        Places::LeftCorner => (file + row) % 2 == (side - 1) % 2,
        Places::RightCorner => (file + row) % 2 == side % 2,
    }
}

const fn file_of(places: Places, side: u8, index: u8) -> u8 {
    let width = per_row(places, side);
    let (row, in_row) = (index / width, index % width);
    match places {
        Places::All => in_row,
        _ if is_played(places, side, 0, row) => 2 * in_row,
        _ => 2 * in_row + 1,
    }
}

/// The distance in bits of the shorter diagonal step, down and to the left: the squares of a row and one more, so that
/// a step along a rank over the edge meets a ghost, too.
const fn short_step(side: u8) -> u8 {
    side / 2 + 1
}

/// The places of the squares in a word.
struct Layout {
    /// The bit of each square, by its number. As long as any index: no bounds check is left.
    bit_of: [u8; 256],
    /// The square of each bit; 0 for ghosts.
    square_of: [u8; 256],
    /// The squares of all rows, and of the first and the last.
    all: u128,
    top: u128,
    bottom: u128,
    /// The first and the last square of each row.
    left: u128,
    right: u128,
    /// The diagonal from the bottom left corner to the top right one.
    diagonal: u128,
}

const fn layout(places: Places, side: u8) -> Layout {
    let mut layout = Layout {
        bit_of: [0; 256],
        square_of: [0; 256],
        all: 0,
        top: 0,
        bottom: 0,
        left: 0,
        right: 0,
        diagonal: 0,
    };
    let width = per_row(places, side);
    let step = short_step(side);
    let mut index = 0;
    while index < side * width {
        let (row, in_row) = (index / width, index % width);
        // Two rows are twice the step and one; where the upper of them stands further left, the lower one begins
        // one bit later.
        let lower = if is_played(places, side, 0, 0) { step + 1 } else { step };
        let bit = match places {
            Places::All => index,
            _ => row / 2 * (2 * step + 1) + row % 2 * lower + in_row,
        };
        layout.bit_of[index as usize + 1] = bit;
        layout.square_of[bit as usize] = index + 1;
        let set = 1 << bit;
        layout.all |= set;
        if row == 0 {
            layout.top |= set;
        }
        if row == side - 1 {
            layout.bottom |= set;
        }
        if file_of(places, side, index) + row == side - 1 {
            layout.diagonal |= set;
        }
        if in_row == 0 {
            layout.left |= set;
        }
        if in_row == width - 1 {
            layout.right |= set;
        }
        index += 1;
    }
    layout
}

/// Every square of the board.
#[inline(always)]
pub(crate) fn all<R: Rules>() -> R::Bits {
    R::Bits::cut(const { layout(R::PLACES, R::SIDE).all })
}

/// The diagonal from the bottom left corner to the top right one, where it is played on.
#[inline(always)]
pub(crate) fn long_diagonal<R: Rules>() -> R::Bits {
    R::Bits::cut(const { layout(R::PLACES, R::SIDE).diagonal })
}

/// The row where men of the side that moves up (or down) become kings.
#[inline(always)]
pub(crate) fn last_row<R: Rules, const UP: bool>() -> R::Bits {
    let layout = const {
        let layout = layout(R::PLACES, R::SIDE);
        (layout.top, layout.bottom)
    };
    R::Bits::cut(if UP { layout.0 } else { layout.1 })
}

/// The squares of the row with index `row`, from the top, from 0.
pub(crate) fn row<R: Rules>(row: u8) -> R::Bits {
    let on_row = (1..=squares::<R>()).map(Square).filter(|s| s.row::<R>() == row);
    on_row.fold(R::Bits::NONE, |set, square| set | square.set::<R>())
}

/// Returns the set moved one step in direction `1 << D` of [`direction`](crate::direction). Bits that leave the board
/// come to rest on ghosts or fall off the word: the caller keeps squares only.
#[inline(always)]
pub(crate) fn shift<R: Rules, const D: usize>(set: R::Bits) -> R::Bits {
    let step = const { step::<R>(D) };
    let set = if const { matches!(R::PLACES, Places::All) && (D == 2 || D == 6) } {
        let edge = const {
            let layout = layout(R::PLACES, R::SIDE);
            if D == 2 { layout.right } else { layout.left }
        };
        set & !R::Bits::cut(edge)
    } else {
        set
    };
    if step > 0 { set << step.unsigned_abs() } else { set >> step.unsigned_abs() }
}

/// The set moved by `steps` steps at once. The caller knows that the way does not leave the board.
#[inline(always)]
pub(crate) fn far_shift<R: Rules, const D: usize>(set: R::Bits, steps: u32) -> R::Bits {
    let step = const { step::<R>(D) };
    let bits = step.unsigned_abs() * steps;
    if step > 0 { set << bits } else { set >> bits }
}

/// The most steps there are in direction `1 << d`.
pub(crate) const fn reach<R: Rules>(d: usize) -> u32 {
    let straight = d.is_multiple_of(2) && !matches!(R::PLACES, Places::All);
    if straight { R::SIDE as u32 / 2 - 1 } else { R::SIDE as u32 - 1 }
}

/// Returns the number of bits in a step in direction `1 << d`.
pub(crate) const fn step<R: Rules>(d: usize) -> i32 {
    let side = R::SIDE as i32;
    let short = short_step(R::SIDE) as i32;
    let (down_left, down_right, down, right) = match R::PLACES {
        Places::All => (side - 1, side + 1, side, 1),
        _ => (short, short + 1, 2 * short + 1, 1),
    };
    match d {
        0 => -down,
        1 => -down_left,
        2 => right,
        3 => down_right,
        4 => down,
        5 => down_left,
        6 => -right,
        _ => -down_right,
    }
}

/// [`shift`] by a direction known only at run time.
#[inline]
pub(crate) fn shift_by<R: Rules>(set: R::Bits, d: usize) -> R::Bits {
    match d {
        0 => shift::<R, 0>(set),
        1 => shift::<R, 1>(set),
        2 => shift::<R, 2>(set),
        3 => shift::<R, 3>(set),
        4 => shift::<R, 4>(set),
        5 => shift::<R, 5>(set),
        6 => shift::<R, 6>(set),
        _ => shift::<R, 7>(set),
    }
}
