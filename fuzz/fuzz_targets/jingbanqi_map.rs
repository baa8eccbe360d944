//! Fuzz target for maps: the input is read or refused, and a map that was read can be played.

#![no_main]

use std::sync::Arc;

use jingbanqi::{Jingbanqi, Rulebook, read, rule};
use kernel::Position;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // The rules alone are reached sooner than through an archive.
    if let Ok(text) = std::str::from_utf8(bytes) {
        if let Ok(rule) = rule::move_rule(text) {
            assert_eq!(rule::move_rule(&rule.to_string()), Ok(rule));
        }
        if let Ok(rule) = rule::place_rule(text) {
            assert_eq!(rule::place_rule(&rule.to_string()), Ok(rule));
        }
    }
    let reading = read(bytes);
    assert_eq!(reading.map.is_none(), !reading.errors.is_empty());
    let Some(map) = reading.map else { return };
    let mut pos = Jingbanqi::new(Arc::new(Rulebook::new(map, bytes.len().is_multiple_of(2))));
    for _ in 0..20 {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let Some(&m) = moves.last() else { break };
        pos.play(m);
    }
});
