//! Fuzz target for games and libraries of CCBridge: the input is read or refused, and a game that was read is kept by
//! our own format. The long head is put in, so that the bytes of the fuzzer go where they matter.

#![no_main]

use records::{Format, Games, detect, read, write};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = detect(bytes);
    let _ = read(Format::Cbl, bytes);
    let _ = Games::new(Format::Cbl, bytes).count();
    let Some((head, moves)) = bytes.split_at_checked(90) else { return };
    let mut file = b"CCBridge Record\0".to_vec();
    file.resize(2120, 0);
    file.extend(head);
    file.resize(2214, 0);
    file.extend(moves);
    let mut library = b"CCBridgeLibrary\0".to_vec();
    library.resize(66_624, 0);
    library.extend(&file);
    let record = read(Format::Cbr, &file);
    match Games::new(Format::Cbl, &library[..]).next() {
        // What has neither moves nor a position is the heading of a chapter.
        None => assert!(record.is_err()),
        game => assert_eq!(game, Some(record.clone())),
    }
    let Ok(record) = record else { return };
    let text = write(Format::Json, &record).expect("a record that was read is within the limits");
    assert_eq!(read(Format::Json, &text).as_ref(), Ok(&record));
    // It may hold moves that no game allows.
    let _ = write(Format::Pgn, &record);
});
