//! Fuzz target for RenLib libraries: the input is read or refused, and a library that was read is written and read
//! again.

#![no_main]

use records::{Format, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    let Ok(record) = read(Format::Lib, bytes) else { return };
    let written = write(Format::Lib, &record).expect("a record that was read is within the limits");
    assert_eq!(read(Format::Lib, &written).as_ref(), Ok(&record));
});
