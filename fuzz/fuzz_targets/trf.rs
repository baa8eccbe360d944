//! Tournament reports: what was read is written and read again, and can be paired, ranked and checked.

#![no_main]

use competition::ranking::{USUAL, Unplayed, ranking};
use competition::{check, swiss, trf};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(report) = trf::read(text) else { return };
    let written = trf::write(&report);
    let again = trf::read(&written).unwrap_or_else(|faults| panic!("{faults:?}\n{written}"));
    assert_eq!(again.field.rounds, report.field.rounds);
    assert_eq!(trf::write(&again), written);
    assert_eq!(ranking(&report.field, &USUAL, Unplayed::Fide).len(), report.numbers.len());
    let _ = check::odd(&report.field);
    let _ = swiss::pair(&report.field);
});
