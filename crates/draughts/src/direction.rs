//! Directions on the screen, as bits of a set, clockwise from the top.
//!
//! On a board that is played on its dark squares a straight step leads to the next dark square of the row or column:
//! two files or rows away.

/// Up the screen, towards the first row.
pub const N: u8 = 1;
/// Up and to the right.
pub const NE: u8 = 2;
/// Right along the rank.
pub const E: u8 = 4;
/// Down and to the right.
pub const SE: u8 = 8;
/// Down the screen, towards the last row.
pub const S: u8 = 16;
/// Down and to the left.
pub const SW: u8 = 32;
/// Left along the rank.
pub const W: u8 = 64;
/// Up and to the left.
pub const NW: u8 = 128;

/// The two diagonals that lead up.
pub const UPWARD: u8 = NE | NW;
/// The four diagonal directions.
pub const DIAGONAL: u8 = NE | SE | SW | NW;
/// The four straight directions.
pub const STRAIGHT: u8 = N | E | S | W;

/// The same directions for the side that moves down.
///
/// ```
/// use draughts::direction::{NE, NW, SE, SW, UPWARD, flipped};
///
/// assert_eq!(UPWARD, NE | NW);
/// assert_eq!(flipped(UPWARD), SE | SW);
/// ```
#[must_use]
pub const fn flipped(set: u8) -> u8 {
    let mut flipped = set & (E | W);
    if set & N != 0 {
        flipped |= S;
    }
    if set & S != 0 {
        flipped |= N;
    }
    if set & NE != 0 {
        flipped |= SE;
    }
    if set & SE != 0 {
        flipped |= NE;
    }
    if set & NW != 0 {
        flipped |= SW;
    }
    if set & SW != 0 {
        flipped |= NW;
    }
    flipped
}

/// Returns true if direction `1 << d` is in `set`, which is White's view of it.
pub(crate) const fn has<const UP: bool>(set: u8, d: usize) -> bool {
    (if UP { set } else { flipped(set) }) >> d & 1 == 1
}

/// The direction back from `1 << d`.
pub(crate) const fn back(d: usize) -> usize {
    d ^ 4
}

/// Runs the body for each of the eight directions `1 << d`, with `d` as a constant.
macro_rules! each_direction {
    ($d:ident => $body:expr) => {{
        each_direction!(@ $d, $body, 0 1 2 3 4 5 6 7);
    }};
    (@ $d:ident, $body:expr, $($n:literal)*) => {
        $({ const $d: usize = $n; $body })*
    };
}
pub(crate) use each_direction;
