//! The names of renju's 26 openings.
//!
//! The first stone stands on the centre, the second beside it (a *direct* opening) or diagonally beside it (an
//! *indirect* one), the third in the middle 5x5. But for turning and mirroring there are 13 of each, numbered from
//! the top of the half they are drawn in, left to right (renju.net, "Openings"; docs/rules/gomoku.md §9.8).

use kernel::Side;

use crate::Gomoku;

/// Third stones of the direct openings 1 to 13, as files and ranks from the centre; the second is at (0, 1).
const DIRECT: [(i8, i8); 13] = [
    (0, 2),
    (1, 2),
    (2, 2),
    (1, 1),
    (2, 1),
    (1, 0),
    (2, 0),
    (0, -1),
    (1, -1),
    (2, -1),
    (0, -2),
    (1, -2),
    (2, -2),
];

/// Third stones of the indirect openings 1 to 13; the second is at (1, 1).
const INDIRECT: [(i8, i8); 13] = [
    (2, 2),
    (2, 1),
    (2, 0),
    (2, -1),
    (2, -2),
    (1, 0),
    (1, -1),
    (1, -2),
    (0, -1),
    (0, -2),
    (-1, -1),
    (-1, -2),
    (-2, -2),
];

const DIRECT_KEYS: [&str; 13] = [
    "renju-1d",
    "renju-2d",
    "renju-3d",
    "renju-4d",
    "renju-5d",
    "renju-6d",
    "renju-7d",
    "renju-8d",
    "renju-9d",
    "renju-10d",
    "renju-11d",
    "renju-12d",
    "renju-13d",
];

const INDIRECT_KEYS: [&str; 13] = [
    "renju-1i",
    "renju-2i",
    "renju-3i",
    "renju-4i",
    "renju-5i",
    "renju-6i",
    "renju-7i",
    "renju-8i",
    "renju-9i",
    "renju-10i",
    "renju-11i",
    "renju-12i",
    "renju-13i",
];

/// The opening that three stones on 15x15 form: the key of the message `caption-<key>`, such as `renju-4d`
/// (Kagetsu). `None` for any other number of stones, and where the stones are no opening.
///
/// ```
/// use gomoku::{Gomoku, Rule, opening::pattern::pattern};
/// use kernel::{Notation, Position};
///
/// let mut board = Gomoku::usual(Rule::Renju);
/// for text in ["h8", "h9", "h10"] {
///     board.play(board.read_move(text).unwrap());
/// }
/// assert_eq!(pattern(&board), Some("renju-1d"));
/// ```
#[must_use]
pub fn pattern(board: &Gomoku) -> Option<&'static str> {
    if (board.files(), board.ranks()) != (15, 15) {
        return None;
    }
    let from_centre = |side| {
        let mut stones = board.stones(side).iter().map(|at| (at.file as i8 - 7, 7 - at.row as i8));
        [stones.next(), stones.next(), stones.next()]
    };
    let [Some(white), None, None] = from_centre(Side::Second) else { return None };
    let third = match from_centre(Side::First) {
        [Some((0, 0)), Some(other), None] | [Some(other), Some((0, 0)), None] => other,
        _ => return None,
    };
    (0..8).find_map(|way| named(turn(white, way), turn(third, way)))
}

/// The name of an opening as it is usually drawn.
fn named(white: (i8, i8), third: (i8, i8)) -> Option<&'static str> {
    let (thirds, keys) = match white {
        (0, 1) => (&DIRECT, &DIRECT_KEYS),
        (1, 1) => (&INDIRECT, &INDIRECT_KEYS),
        _ => return None,
    };
    thirds.iter().position(|&at| at == third).map(|i| keys[i])
}

/// One of the eight ways to turn and mirror the board around its centre.
const fn turn((file, rank): (i8, i8), way: u8) -> (i8, i8) {
    let file = if way & 1 == 0 { file } else { -file };
    let rank = if way & 2 == 0 { rank } else { -rank };
    if way & 4 == 0 { (file, rank) } else { (rank, file) }
}
