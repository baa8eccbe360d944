//! How safe a side's stones stand by the proof about locked chess (docs/rules/locked.md §10), wherever the other side is.

use std::sync::LazyLock;

use locked::Stones;
use solver::board::{Board, Sets};
use solver::safety::formations;

/// Columns and rows that a formation fits into.
const BOX: u8 = 6;
/// From `qiguan solve locked --shelter`: for each formation, 16 times the binary logarithm of one in how many places of the
/// other side it is not proved safe against.
static BYTES: &[u8] = include_bytes!("../weights/shelter.bin");

struct Table {
    sets: Sets<4>,
    /// By number of the set; 0 for what is no formation.
    shelter: Vec<u8>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let sets = Sets::<4>::new(72);
    let mut shelter = vec![0; sets.count()];
    for (number, &byte) in formations(&Board::new(12), &sets, BOX).zip(BYTES) {
        shelter[number] = byte;
    }
    Table { sets, shelter }
});

/// In sixteenths: one in 2 to the power of how many places of the other side these stones are not proved safe against. 0 for
/// stones that are no formation: too far apart, not four, or not all on squares of one colour.
#[inline]
pub fn shelter(stones: Stones) -> u8 {
    let mut set = [0; 4];
    let mut count = 0;
    // The defender's squares in the proof; in a mirror those of the other colour.
    let mut colours = 0;
    for square in stones.by_row() {
        let (x, y) = (square.x() - 1, square.y() - 1);
        let Some(place) = set.get_mut(count) else { return 0 };
        *place = y * 6 + x / 2;
        count += 1;
        colours += (x + y) % 2;
    }
    if count < 4 || !colours.is_multiple_of(4) {
        return 0;
    }
    if colours == 0 {
        for place in &mut set {
            *place = *place / 6 * 6 + 5 - *place % 6;
        }
        set.sort_unstable();
    }
    TABLE.shelter[TABLE.sets.number(&set)]
}

#[cfg(test)]
mod tests {
    use locked::Locked;

    use super::*;
    use kernel::Side;

    #[test]
    fn the_file_has_a_byte_for_each_formation() {
        assert_eq!(formations(&Board::new(12), &TABLE.sets, BOX).count(), BYTES.len());
        assert!(BYTES.iter().all(|&byte| byte > 0));
    }

    /// Both sides of the start are one picture, and so are all mirrors of a formation; the best is known by name.
    #[test]
    fn pictures_are_worth_the_same() {
        let start = Locked::default();
        let [black, white] = [Side::First, Side::Second].map(|side| shelter(start.stones(side)));
        assert!(black > 0 && black == white, "{black} {white}");
        // docs/lab/locked-proof.md: safe against 1 026 006 of 1 028 790.
        let best = [(7, 2), (5, 4), (9, 4), (7, 6)];
        let worth = (-16.0 * (1.0 - 1_026_006.0_f64 / 1_028_790.0).log2()).round() as u8;
        for picture in [
            best,
            best.map(|(x, y)| (13 - x, y)),
            best.map(|(x, y)| (x, 13 - y)),
            best.map(|(x, y)| (y, x)),
            best.map(|(x, y)| (13 - y, x)),
        ] {
            assert_eq!(shelter(Stones::of(picture)), worth, "{picture:?}");
        }
        assert_eq!(BYTES.iter().max(), Some(&worth));
        for none in [[(1, 2), (12, 1), (5, 4), (7, 6)], [(7, 2), (5, 5), (9, 4), (7, 6)]] {
            assert_eq!(shelter(Stones::of(none)), 0, "{none:?}");
        }
        assert_eq!(shelter(Stones::of([(7, 2), (5, 4), (9, 4)])), 0);
    }
}
