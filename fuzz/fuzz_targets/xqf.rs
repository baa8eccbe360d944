//! Fuzz target for XQF files: the input is read or refused, and a game that was read is kept by our own format. The
//! long empty part of the head is put in, so that the bytes of the fuzzer go where they matter.

#![no_main]

use records::{Format, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    let Some((head, moves)) = bytes.split_at_checked(61) else { return };
    let mut file = b"XQ".to_vec();
    file.extend(head);
    file.resize(0x400, 0);
    file.extend(moves);
    let _ = read(Format::Xqf, bytes);
    let Ok(record) = read(Format::Xqf, &file) else { return };
    let text = write(Format::Json, &record).expect("a record that was read is within the limits");
    assert_eq!(read(Format::Json, &text).as_ref(), Ok(&record));
    // It may hold moves that no game allows.
    let _ = write(Format::Pgn, &record);
});
