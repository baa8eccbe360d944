//! A saved game from anywhere loads or is refused, never panicked on or evaluated.
#![no_main]

use records::locked_chess::{literal, loads_game};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = literal::parse(text);
    if let Ok(pos) = loads_game(text) {
        assert_eq!(loads_game(&locked::json::state_json(&pos)), Ok(pos));
    }
});
