//! Sets of squares as machine words: one bit a square, 64 or 128 of them.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A machine word used as a set of squares. The rules choose the narrowest that holds their board.
///
/// ```
/// use draughts::Bits;
///
/// let squares = u64::bit(3) | u64::bit(9);
/// assert_eq!((squares.count(), squares.lowest(), squares.any()), (2, 3, true));
/// ```
pub trait Bits:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The empty set.
    const NONE: Self;
    /// The low bits of `wide`. Folded away where `wide` is a constant.
    fn cut(wide: u128) -> Self;
    /// The same set in the widest word.
    fn wide(self) -> u128;
    /// The set of that one bit.
    fn bit(index: u8) -> Self;
    /// Returns the number of bits set.
    fn count(self) -> u32;
    /// The lowest bit set. The set is not empty.
    fn lowest(self) -> u8;
    /// The set without its lowest bit. The set is not empty.
    #[must_use]
    fn without_lowest(self) -> Self;
    /// Returns true if no bit is set.
    #[inline(always)]
    fn is_none(self) -> bool {
        self == Self::NONE
    }
    /// Returns true if any bit is set.
    #[inline(always)]
    fn any(self) -> bool {
        self != Self::NONE
    }
}

macro_rules! bits {
    ($word:ty) => {
        impl Bits for $word {
            const NONE: Self = 0;
            #[inline(always)]
            fn cut(wide: u128) -> Self {
                wide as $word
            }
            #[inline(always)]
            fn wide(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn bit(index: u8) -> Self {
                1 << index
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> u8 {
                self.trailing_zeros() as u8
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}
bits!(u64);
bits!(u128);

/// The bits of a set, from the lowest.
pub(crate) struct Each<B>(pub(crate) B);

impl<B: Bits> Iterator for Each<B> {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0.is_none() {
            return None;
        }
        let lowest = self.0.lowest();
        self.0 = self.0.without_lowest();
        Some(lowest)
    }
}
