//! Fuzz target for PGN files of xiangqi: the input is read or refused, and a game that was read is written and read
//! again.

#![no_main]

use records::pgn::Style;
use records::{Format, Manner, detect, read, write, write_as};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    let Ok(record) = read(Format::Pgn, bytes) else { return };
    let text = write(Format::Json, &record).expect("a record that was read is within the limits");
    assert_eq!(read(Format::Json, &text).as_ref(), Ok(&record));
    let style = Style::ALL[bytes.len() % 3];
    let text = write_as(Format::Pgn, &record, Manner { pgn: style }).expect("what was read is xiangqi");
    // A closing brace in a remark of several lines becomes a full-width one, once.
    let again = read(Format::Pgn, &text).expect("what was written is read");
    assert_eq!(again.tree.plies(), record.tree.plies());
    let text = write_as(Format::Pgn, &again, Manner { pgn: style }).expect("what was read is xiangqi");
    assert_eq!(read(Format::Pgn, &text).as_ref(), Ok(&again));
});
