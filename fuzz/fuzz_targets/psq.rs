//! Fuzz target for PSQ files: the input is read or refused, and a game that was read is written and read again.

#![no_main]

use records::{Format, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    let Ok(record) = read(Format::Psq, bytes) else { return };
    let written = write(Format::Psq, &record).expect("a record that was read is within the limits");
    assert_eq!(read(Format::Psq, &written).as_ref(), Ok(&record));
});
