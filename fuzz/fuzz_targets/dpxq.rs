//! Fuzz target for DPXQ texts: the input is read or refused, and a game that was read is kept by our own format.

#![no_main]

use records::{Format, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    let Ok(record) = read(Format::Dpxq, bytes) else { return };
    let text = write(Format::Json, &record).expect("a record that was read is within the limits");
    assert_eq!(read(Format::Json, &text).as_ref(), Ok(&record));
    // It may hold moves that no game allows.
    let _ = write(Format::Pgn, &record);
});
