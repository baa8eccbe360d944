//! A certificate of a safety game: it is read, within its memory, or refused.

#![no_main]

use solver::certificate;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    const MOST: u64 = 1 << 20;
    let Ok(certificate) = certificate::read(bytes, MOST) else { return };
    assert!(certificate.rows.iter().map(|row| row.bits.len() as u64).sum::<u64>() <= MOST);
    let _ = solver::checker::Checker::new(certificate);
});
