//! A FEN and a move from anywhere are read or refused, never panicked on.
#![no_main]

use kernel::Notation;
use locked::{Locked, Rules};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for rules in [Rules::default(), Rules { repetition: true, turn_limit: Some(40) }] {
        if let Ok(pos) = Locked::new(rules).read_fen(text) {
            let again = pos.read_fen(&pos.fen()).expect("what was written is read");
            assert_eq!(again, pos);
        }
    }
    let start = Locked::default();
    if start.read_move(text).is_none() {
        let _ = start.refusal(text);
    }
});
