//! Fuzz target for position strings and lines of openings: the input is read or refused, and a line that was read is
//! written and read again as the same moves.

#![no_main]

use records::{Format, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    for format in [Format::Pos, Format::Opening] {
        let Ok(record) = read(format, bytes) else { continue };
        let written = write(Format::Pos, &record).expect("a record that was read is within the limits");
        assert_eq!(read(Format::Pos, &written).map(|again| again.tree).as_ref(), Ok(&record.tree));
    }
});
