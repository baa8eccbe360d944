//! Catches a certificate that is read as something else than what was written, and a checker that finds no fault in a false one.

use std::sync::LazyLock;

use kernel::Side;
use locked::{Locked, Step, Stones};
use solver::board::{Board, Sets};
use solver::certificate::{self, Certificate, Row};
use solver::checker::{Checked, Checker};
use solver::safety::{ATTACKER, Safety};

/// The board of 12x12 with formations of three columns and rows, solved, as a file.
static SMALL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut safety = Safety::<4>::new(12, 3);
    while safety.round(2).fallen > 0 {}
    let mut file = Vec::new();
    certificate::write(&safety, 3, true, &mut file).expect("memory takes everything");
    file
});
const MOST: u64 = 1 << 30;

/// Returns true if each turn of the attacker from those positions has an answer.
fn keeps(certificate: Certificate, positions: &[Locked]) -> bool {
    let checker = Checker::new(certificate).expect("a final one of 12x12");
    let mut checked = Checked::default();
    positions.iter().all(|position| checker.look(position, &mut checked).is_ok())
}

/// The first positions of a row that it says that of.
fn positions(row: &Row, is_safe: bool) -> Vec<Locked> {
    let (board, sets) = (Board::new(12), Sets::<4>::new(72));
    let bits = (0..sets.count()).filter(|n| (row.bits[n / 8] >> (n % 8) & 1 == 1) == is_safe);
    let attackers =
        bits.step_by(100).map(|number| sets.set(number).map(|square| board.place(ATTACKER, square)));
    let formation = [0, 1, 2, 3].map(|i| row.formation[i]);
    let stones = |places: [(u8, u8); 4]| Stones::of(places.map(|(x, y)| (x + 1, y + 1)));
    attackers
        .filter_map(|attackers| {
            let sides = [stones(attackers), stones(formation)];
            Locked::at(sides, Side::First, Step::ShiftAll, None, None).ok()
        })
        .take(3)
        .collect()
}

#[test]
fn what_is_written_is_read_and_kept() {
    let file = &*SMALL;
    let read = || certificate::read(&**file, MOST).expect("is one");
    assert_eq!((read().size, read().stones, read().side, read().is_final), (12, 4, 3, true));
    let some = |row: &Row| row.bits.iter().any(|byte| *byte != 0);
    let row = read().rows.into_iter().find(some).expect("something is safe");
    let (safe, unsafe_ones) = (positions(&row, true), positions(&row, false));
    assert_eq!((safe.len(), unsafe_ones.len()), (3, 3));
    assert!(keeps(read(), &safe));
    // What is not safe has a turn without an answer, and the checker finds it.
    for position in unsafe_ones {
        assert!(!keeps(read(), &[position]), "{position:?}");
    }

    let mut early = read();
    early.is_final = false;
    assert!(Checker::new(early).is_err_and(|why| why.contains("not final")));
}

#[test]
fn what_is_broken_is_refused() {
    let file = &*SMALL;
    let small = certificate::read(&**file, 1_000_000).expect_err("takes more");
    assert!(small.to_string().contains("1 MB may be used"), "{small}");
    for cut in [0, 23, 35, 36, 50, file.len() - 1] {
        assert!(certificate::read(&file[..cut], MOST).is_err(), "cut off at {cut}");
    }
    for (at, byte) in [(0, b'Q'), (24, 14), (24, 11), (25, 5), (35, 0xFF)] {
        let mut wrong = file.clone();
        wrong[at] = byte;
        assert!(certificate::read(&*wrong, MOST).is_err(), "byte {at}");
    }
}
