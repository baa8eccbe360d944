//! Fuzz target for our own JSON records: the input is read or refused, and a record that was read is written and read
//! again.

#![no_main]

use records::{Format, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    let Ok(record) = read(Format::Json, bytes) else { return };
    let text = write(Format::Json, &record).expect("a record that was read is within the limits");
    assert_eq!(read(Format::Json, &text).as_ref(), Ok(&record));
});
