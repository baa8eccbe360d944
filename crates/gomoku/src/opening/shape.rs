//! Patterns of stones that are the same but for turning, mirroring and shifting.
//!
//! "The proposals have to be unequal in all respects": two fifth moves that lead to the same pattern of stones are
//! one proposal, also where only the stones are symmetrical and the board around them is not. A. Meritee, who
//! proposed renju's rules, gives the example h8 h9 h7 h6, where g8, g7, i8 and i7 are one fifth move.

use crate::Point;

/// Stones of an opening with its fifth move.
pub(crate) const STONES: usize = 5;

/// The pattern of five stones in the order of being put: one value for all that differ by turning, mirroring,
/// shifting, or by which stone of a colour came first.
pub(crate) fn shape(stones: [Point; STONES]) -> [u16; STONES] {
    let turned = |way: u8| {
        let places = stones.map(|at| turn(at, way));
        let left = places.iter().map(|p| p.0).min().unwrap_or(0);
        let top = places.iter().map(|p| p.1).min().unwrap_or(0);
        let mut codes = [0; STONES];
        for (i, (file, row)) in places.into_iter().enumerate() {
            let colour = (i % 2) as u16;
            codes[i] = colour << 10 | ((row - top) as u16) << 5 | (file - left) as u16;
        }
        codes.sort_unstable();
        codes
    };
    (0..8).map(turned).min().expect("there are eight ways to turn a board")
}

/// One of the eight ways to turn and mirror a board; where it lies afterwards does not matter.
fn turn(at: Point, way: u8) -> (i8, i8) {
    let (file, row) = (at.file as i8, at.row as i8);
    let file = if way & 1 == 0 { file } else { -file };
    let row = if way & 2 == 0 { row } else { -row };
    if way & 4 == 0 { (file, row) } else { (row, file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_known_wherever_it_lies() {
        let stones = [(7, 7), (7, 6), (8, 5), (4, 9), (6, 6)].map(|(file, row)| Point { row, file });
        for way in 0..8 {
            let turned = stones.map(|at| turn(at, way));
            for shift in [20, 14, 25] {
                let moved = turned.map(|(file, row)| Point {
                    row: (row + shift).unsigned_abs(),
                    file: (file + 15).unsigned_abs(),
                });
                assert_eq!(shape(moved), shape(stones), "way {way}, shift {shift}");
            }
        }
        let [one, two, three, four, five] = stones;
        assert_eq!(
            shape([five, four, one, two, three]),
            shape(stones),
            "the order of a colour does not matter"
        );
        assert_ne!(shape([two, one, three, four, five]), shape(stones), "colours do");
    }
}
