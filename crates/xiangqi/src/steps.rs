//! Pieces that step or leap: generals, advisors, elephants, horses, soldiers, by table.
//!
//! None of them moves far. So the board is kept as two halves that overlap, each in one 64-bit word of seven rows, and
//! each piece finds all its targets in one of them:
//!
//! ```text
//! row 0  ┐           Black's generals, advisors, elephants: north.   Horses on rows 0 to 4: north.
//! row 3  │ ┐         Red's soldiers: north, for they start on row 6 and only go up.
//! row 6  ┘ │         Red's generals, advisors, elephants: south.     Horses on rows 5 to 9: south.
//! row 9    ┘         Black's soldiers: south.
//! ```

use kernel::Side;

use crate::position::{ahead, in_palace, on_own_bank};
use crate::square::{FILES, OFF, SQUARES, Square};

/// Squares of one half, bit 0 its top left corner.
pub(crate) type Half = u64;

/// The half that holds rows 0 to 6.
pub(crate) const NORTH: usize = 0;
/// The half that holds rows 3 to 9.
pub(crate) const SOUTH: usize = 1;

/// The square at bit 0 of each half.
pub(crate) const CORNER: [u8; 2] = [0, 3 * FILES];

/// All squares of a half.
pub(crate) const WHOLE: Half = (1 << (7 * FILES)) - 1;

/// A number for each square, and one more for [`OFF`].
pub(crate) type BySquare<T> = [T; OFF as usize + 1];

/// The half that holds a side's own bank, and more.
pub(crate) const fn home(side: usize) -> usize {
    1 - side
}

/// The bit of a square in a half; 0 where it is not in it.
pub(crate) const fn bit(square: u8, half: usize) -> Half {
    let local = square.wrapping_sub(CORNER[half]);
    if square < SQUARES && local < 7 * FILES { 1 << local } else { 0 }
}

/// Each square in both halves.
pub(crate) static BIT: BySquare<[Half; 2]> = {
    let mut table = [[0; 2]; OFF as usize + 1];
    let mut square = 0;
    while square < OFF {
        table[square as usize] = [bit(square, NORTH), bit(square, SOUTH)];
        square += 1;
    }
    table
};

/// The four steps along the lines.
pub(crate) const STRAIGHT: [(i8, i8); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];
/// The four steps along the diagonals.
pub(crate) const ASLANT: [(i8, i8); 4] = [(-1, -1), (1, -1), (-1, 1), (1, 1)];

/// The steps of a general, in the home half; both sides share the table, for their palaces share no square.
pub(crate) static GENERAL: BySquare<Half> = palace_steps(STRAIGHT);
/// The steps of an advisor, in the home half.
pub(crate) static ADVISOR: BySquare<Half> = palace_steps(ASLANT);

const fn palace_steps(steps: [(i8, i8); 4]) -> BySquare<Half> {
    let mut table = [0; OFF as usize + 1];
    let mut square = 0;
    while square < OFF {
        let from = Square(square);
        let side = if in_palace(Side::First, from) { Side::First } else { Side::Second };
        let mut i = 0;
        while i < 4 && in_palace(side, from) {
            if let Some(to) = from.step(steps[i])
                && in_palace(side, to)
            {
                table[square as usize] |= bit(to.0, home(side.index()));
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// A horse's legs and an elephant's eyes: pieces that stand there are in the way. Four squares around its own, gathered
/// into a number below 16 by one multiplication.
#[derive(Clone, Copy)]
pub(crate) struct Blocks {
    /// The squares in question, once the half is turned so that their first is bit 0.
    mask: Half,
    /// Sends the four bits to bits 60 to 63, in whatever order; found by trying.
    gather: Half,
    /// The offset of the first of them before the piece's own bit.
    before: u8,
}

/// Beside the piece: above, left, right, below.
pub(crate) const LEGS: Blocks =
    Blocks { mask: 1 | 1 << 8 | 1 << 10 | 1 << 18, gather: 0x1020_1000_0000_0000, before: 9 };
/// The four squares at the piece's corners: above left, above right, below left, below right.
pub(crate) const EYES: Blocks =
    Blocks { mask: 1 | 1 << 2 | 1 << 18 | 1 << 20, gather: 0x1000_0800_0000_0000, before: 10 };

impl Blocks {
    /// Returns the occupied squares among the four, as a number below 16, for the piece at bit `local` of a half.
    /// Squares off the board give arbitrary bits: the tables have no target behind them.
    #[inline(always)]
    pub(crate) const fn around(self, local: u32, occupied: Half) -> usize {
        let turned = occupied.rotate_right(local.wrapping_sub(self.before as u32) & 63);
        ((turned & self.mask).wrapping_mul(self.gather) >> 60) as usize
    }
}

/// The half in which a horse on each square finds all its targets.
pub(crate) const fn horse_half(square: u8) -> usize {
    (square >= 5 * FILES) as usize
}

/// The leaps of a horse, by its square and [`Blocks::around`] with [`LEGS`]; in its [`horse_half`].
pub(crate) static HORSE: BySquare<[Half; 16]> = {
    let mut table = [[0; 16]; OFF as usize + 1];
    let mut square = 0;
    while square < OFF {
        let half = horse_half(square);
        let local = square - CORNER[half];
        let mut i = 0;
        while i < 4 {
            let (f, r) = STRAIGHT[i];
            if let Some(leg) = Square(square).step((f, r)) {
                let leaps = if f == 0 { [(1, 2 * r), (-1, 2 * r)] } else { [(2 * f, 1), (2 * f, -1)] };
                let mut to = 0;
                let mut j = 0;
                while j < 2 {
                    if let Some(target) = Square(square).step(leaps[j]) {
                        to |= bit(target.0, half);
                    }
                    j += 1;
                }
                open(&mut table[square as usize], LEGS.around(local as u32, bit(leg.0, half)), to);
            }
            i += 1;
        }
        square += 1;
    }
    table
};

/// The leaps of an elephant, by its square and [`Blocks::around`] with [`EYES`]; in the home half.
pub(crate) static ELEPHANT: BySquare<[Half; 16]> = {
    let mut table = [[0; 16]; OFF as usize + 1];
    let mut square = 0;
    while square < OFF {
        let from = Square(square);
        let side = if on_own_bank(Side::First, from) { Side::First } else { Side::Second };
        let half = home(side.index());
        let local = square - CORNER[half];
        let mut i = 0;
        while i < 4 {
            let (f, r) = ASLANT[i];
            if let Some(to) = from.step((2 * f, 2 * r))
                && let Some(eye) = from.step((f, r))
                && on_own_bank(side, to)
            {
                open(
                    &mut table[square as usize],
                    EYES.around(local as u32, bit(eye.0, half)),
                    bit(to.0, half),
                );
            }
            i += 1;
        }
        square += 1;
    }
    table
};

/// Adds targets to every entry in which the one block is not set.
const fn open(entries: &mut [Half; 16], block: usize, to: Half) {
    let mut blocks = 0;
    while blocks < 16 {
        if blocks & block == 0 {
            entries[blocks] |= to;
        }
        blocks += 1;
    }
}

/// File a and file i of a half.
const LEFT_EDGE: Half = {
    let mut edge = 0;
    let mut row = 0;
    while row < 7 {
        edge |= 1 << (row * FILES);
        row += 1;
    }
    edge
};
const RIGHT_EDGE: Half = LEFT_EDGE << (FILES - 1);

/// Returns the targets of a set of soldiers, in the half that is not home: forward, and across the river to the left
/// and right.
#[inline(always)]
pub(crate) const fn soldiers(side: usize, set: Half) -> [Half; 3] {
    let bank: Half = (1 << (5 * FILES)) - 1;
    let (forward, across) = if side == Side::First.index() {
        (set >> FILES, set & bank)
    } else {
        (set << FILES & WHOLE, set & bank << (2 * FILES))
    };
    [forward, (across & !LEFT_EDGE) >> 1, (across & !RIGHT_EDGE) << 1]
}

/// The squares of a palace that an enemy on each square might attack, by the side that lives there, in its home half.
/// Open legs and lines are not looked at: most enemies are far away, and then nothing else need be asked.
pub(crate) struct Near {
    /// Squares on one line with a rook or cannon.
    pub(crate) line: [BySquare<Half>; 2],
    /// Squares a horse could leap to.
    pub(crate) horse: [BySquare<Half>; 2],
    /// Squares a soldier attacks.
    pub(crate) soldier: [BySquare<Half>; 2],
}

/// [`Near`] for every square.
pub(crate) static NEAR: Near = {
    let mut near = Near {
        line: [[0; OFF as usize + 1]; 2],
        horse: [[0; OFF as usize + 1]; 2],
        soldier: [[0; OFF as usize + 1]; 2],
    };
    let mut i = 0;
    while i < 2 * OFF as usize * OFF as usize {
        let (side, from, to) = (Side::BOTH[i % 2], i / 2 / OFF as usize, i / 2 % OFF as usize);
        let (enemy, target) = (Square(from as u8), Square(to as u8));
        let files = enemy.file().abs_diff(target.file());
        let rows = enemy.row().abs_diff(target.row());
        let us = side.index();
        if in_palace(side, target) && from != to {
            let place = bit(target.0, home(us));
            if files == 0 || rows == 0 {
                near.line[us][from] |= place;
            }
            if files * rows == 2 {
                near.horse[us][from] |= place;
            }
            let forward = target.row() as i8 - enemy.row() as i8 == ahead(side.other());
            // In our palace an enemy soldier has crossed the river, whatever side it comes from.
            if files == 0 && forward || files == 1 && rows == 0 {
                near.soldier[us][from] |= place;
            }
        }
        i += 1;
    }
    near
};
