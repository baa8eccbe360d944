//! Fuzz target for rows of the store, its write-ahead log and its counter: the input is read or refused, and an event
//! that was read is written and read again.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = store::wal::survey(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = store::tip::parse(text);
    for format in 0..=store::format::NEWEST + 1 {
        if let Ok(event) = store::format::event(format, text) {
            let again = store::format::write_event(&event);
            assert_eq!(store::format::event(store::format::NEWEST, &again), Ok(event));
        }
        if let Ok(setup) = store::format::setup(format, text) {
            let again = store::format::write_setup(&setup);
            assert_eq!(store::format::setup(store::format::NEWEST, &again), Ok(setup));
        }
        let _ = store::format::map_line(format, text);
    }
});
