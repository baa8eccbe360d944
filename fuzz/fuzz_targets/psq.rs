//! Whatever claims to be a PSQ file: it is read or refused, and what was read is written and read again.

#![no_main]

use records::{Format, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    let Ok(record) = read(Format::Psq, bytes) else { return };
    let written = write(Format::Psq, &record).expect("a record that was read is within the limits");
    assert_eq!(read(Format::Psq, &written).as_ref(), Ok(&record));
});
