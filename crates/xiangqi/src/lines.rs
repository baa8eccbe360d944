//! Rooks and cannons: what one row or one file of the board offers them, by table.
//!
//! A line is a small number, one bit a square. Who stands where on it and what is occupied decide everything, so each
//! combination is worked out when the program is compiled: two lookups answer for a piece.
//!
//! ```text
//! . x . R . x x . .      a row, x occupied, seen from the rook R
//! . r r . r r . . .      what a rook reaches: up to the first piece each way, own or not
//! . . c . c . c . .      what a cannon there reaches: the empty squares before them, and the piece behind a screen
//! ```

use crate::square::{FILES, ROWS};

/// The targets a line offers to a piece that stands on it. Bits are squares of the line; own pieces are not taken
/// out.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    /// The targets of a rook.
    pub(crate) rook: u16,
    /// The targets of a cannon.
    pub(crate) cannon: u16,
}

/// Along a row: by the file of the piece, then the nine bits of the row.
pub(crate) static ALONG_ROW: [[Reach; 1 << FILES]; FILES as usize] = reaches::<FILES, _, _>();
/// Along a file: by the row of the piece, then the ten bits of the file. The row after the last is that of pieces
/// off the board: nothing.
pub(crate) static ALONG_FILE: [[Reach; 1 << ROWS]; ROWS as usize + 1] = reaches::<ROWS, _, _>();

const fn reaches<const LENGTH: u8, const LINES: usize, const PLACES: usize>() -> [[Reach; LINES]; PLACES] {
    let mut table = [[Reach { rook: 0, cannon: 0 }; LINES]; PLACES];
    let mut at = 0;
    while at < LENGTH {
        let mut line = 0;
        while line < LINES {
            let (up, down) = (walk(line, at, 1, LENGTH), walk(line, at, -1, LENGTH));
            table[at as usize][line] = Reach { rook: up.rook | down.rook, cannon: up.cannon | down.cannon };
            line += 1;
        }
        at += 1;
    }
    table
}

/// Returns the targets in one direction.
const fn walk(line: usize, at: u8, step: i8, length: u8) -> Reach {
    let mut reach = Reach { rook: 0, cannon: 0 };
    let mut met = 0;
    let mut next = at.wrapping_add_signed(step);
    while next < length && met < 2 {
        let occupied = line >> next & 1 == 1;
        if occupied {
            met += 1;
        }
        match (met, occupied) {
            (0, _) => {
                reach.rook |= 1 << next;
                reach.cannon |= 1 << next;
            }
            (1, true) => reach.rook |= 1 << next,
            (2, _) => reach.cannon |= 1 << next,
            _ => {}
        }
        next = next.wrapping_add_signed(step);
    }
    reach
}

/// The number of bits set in each line: for processors without a population count instruction.
pub(crate) static BITS: [u8; 1 << ROWS] = {
    let mut table = [0; 1 << ROWS];
    let mut line = 1;
    while line < 1 << ROWS {
        table[line] = table[line >> 1] + (line & 1) as u8;
        line += 1;
    }
    table
};
