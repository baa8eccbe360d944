//! Catches a certificate that is read as something else than what was written, and a checker that finds no fault in a false one.

use solver::certificate::{self, Certificate};
use solver::checker::{Checked, Checker};
use solver::safety::Safety;

/// The board of 12x12 with formations of three columns and rows, solved, as a file.
fn small() -> Vec<u8> {
    let mut safety = Safety::<4>::new(12, 3);
    while safety.round(2).fallen > 0 {}
    let mut file = Vec::new();
    certificate::write(&safety, 3, true, &mut file).expect("memory takes everything");
    file
}

fn chance() -> impl FnMut(usize) -> usize {
    let mut seed = 3_u64;
    move |below| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    }
}

/// Whether 30 positions by chance keep what the certificate says.
fn keeps(certificate: Certificate) -> bool {
    let checker = Checker::new(certificate).expect("a final one of 12x12");
    let (mut random, mut checked) = (chance(), Checked::default());
    (0..30).all(|_| checker.look(&checker.any(&mut random), &mut checked).is_ok())
}

#[test]
fn what_is_written_is_read_and_kept() {
    let file = small();
    let read = || certificate::read(&*file).expect("is one");
    assert_eq!((read().size, read().stones, read().side, read().is_final), (12, 4, 3, true));
    assert!(read().rows.iter().any(|row| row.bits.iter().any(|byte| *byte != 0)), "something is safe");
    assert!(keeps(read()));

    // Everything safe: the checker finds a turn without an answer.
    let mut lie = read();
    lie.rows.iter_mut().for_each(|row| row.bits.fill(0xFF));
    assert!(!keeps(lie));

    let mut early = read();
    early.is_final = false;
    assert!(Checker::new(early).is_err_and(|why| why.contains("not final")));
}

#[test]
fn what_is_broken_is_refused() {
    let file = small();
    for cut in [0, 23, 35, 36, 50, file.len() - 1] {
        assert!(certificate::read(&file[..cut]).is_err(), "cut off at {cut}");
    }
    for (at, byte) in [(0, b'Q'), (24, 14), (24, 11), (25, 5), (35, 0xFF)] {
        let mut wrong = file.clone();
        wrong[at] = byte;
        assert!(certificate::read(&*wrong).is_err(), "byte {at}");
    }
}
