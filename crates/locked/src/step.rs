//! The five steps of a turn.
//!
//! ```text
//! 1  all own stones, one square          4  the chosen stone, one square
//! 2  all again, across the first         5  again, across the fourth
//! 3  choose a stone                         ... and the other side is at step 1
//! ```
//! Rules: docs/rules/locked.md §2.

use crate::Square;

/// The steps of a turn.
///
/// ```
/// use kernel::Position;
/// use locked::{Direction, Locked, Move, Step};
///
/// let mut pos = Locked::default();
/// assert_eq!(pos.step(), Step::ShiftAll);
/// pos.play(Move::Go(Direction::Up));
/// assert_eq!((pos.step(), pos.step().is_across()), (Step::ShiftAcross, true));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// Step 1: all own stones shift.
    ShiftAll = 1,
    /// Step 2: they shift again, across.
    ShiftAcross,
    /// Step 3: a stone is chosen.
    Choose,
    /// Step 4: it moves.
    MoveOne,
    /// Step 5: it moves again, across.
    MoveAcross,
}

impl Step {
    /// All five, in order.
    pub const ALL: [Step; 5] =
        [Step::ShiftAll, Step::ShiftAcross, Step::Choose, Step::MoveOne, Step::MoveAcross];

    /// The step of that number, 1 to 5.
    ///
    /// ```
    /// use locked::Step;
    ///
    /// assert_eq!(Step::numbered(3), Some(Step::Choose));
    /// assert_eq!(Step::numbered(6), None);
    /// assert_eq!(Step::ALL.map(Step::number), [1, 2, 3, 4, 5]);
    /// ```
    #[must_use]
    pub fn numbered(n: u8) -> Option<Step> {
        Step::ALL.into_iter().find(|s| s.number() == n)
    }

    /// Its number, 1 to 5.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// Returns true if it must go across the step before, so that an axis is remembered.
    #[inline]
    #[must_use]
    pub const fn is_across(self) -> bool {
        matches!(self, Step::ShiftAcross | Step::MoveAcross)
    }

    /// Returns true if it moves the chosen stone.
    #[must_use]
    pub const fn is_single(self) -> bool {
        matches!(self, Step::MoveOne | Step::MoveAcross)
    }
}

/// A line of travel.
///
/// ```
/// use locked::{Axis, Direction};
///
/// let across: Vec<Direction> = Direction::ALL.into_iter().filter(|d| d.axis() != Axis::Vertical).collect();
/// assert_eq!(across, [Direction::Left, Direction::Right]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    /// Up and down (上下).
    Vertical,
    /// Left and right (左右).
    Horizontal,
}

/// One square's travel. Up is towards row 1.
///
/// ```
/// use locked::{Axis, Direction};
///
/// assert_eq!(Direction::ALL.map(Direction::letter), ["u", "d", "l", "r"]);
/// assert_eq!(Direction::Left.axis(), Axis::Horizontal);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// y - 1.
    Up,
    /// y + 1.
    Down,
    /// x - 1.
    Left,
    /// x + 1.
    Right,
}

impl Direction {
    /// All four, in the order of every list.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The line it travels on.
    #[inline]
    #[must_use]
    pub const fn axis(self) -> Axis {
        match self {
            Direction::Up | Direction::Down => Axis::Vertical,
            Direction::Left | Direction::Right => Axis::Horizontal,
        }
    }

    /// Its machine text: `u`, `d`, `l` or `r`.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Direction::Up => "u",
            Direction::Down => "d",
            Direction::Left => "l",
            Direction::Right => "r",
        }
    }

    /// Returns the number to add to the bit of a square for one step, wrapping.
    #[inline]
    pub(crate) const fn stride(self) -> u8 {
        match self {
            Direction::Up => 16u8.wrapping_neg(),
            Direction::Down => 16,
            Direction::Left => 1u8.wrapping_neg(),
            Direction::Right => 1,
        }
    }
}

/// One step of a turn.
///
/// ```
/// use kernel::Notation;
/// use locked::{Direction, Locked, Move};
///
/// let start = Locked::default();
/// assert_eq!(start.read_move("u"), Some(Move::Go(Direction::Up)));
/// assert_eq!(start.move_text(Move::Go(Direction::Left)), "l");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Steps 1, 2, 4 and 5: everything, or the chosen stone, goes there.
    Go(Direction),
    /// Step 3: this stone is chosen.
    Choose(Square),
}
