//! Quiet hours: what was accepted ends later than now, and within a day and the longest change of a clock.
//!
//! Eight bytes say when it is, two each when the hours begin and end, and the rest names the time zone.

#![no_main]

use people::notices::{Quiet, due_ms};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((now_ms, rest)) = bytes.split_first_chunk() else { return };
    let Some((from_min, rest)) = rest.split_first_chunk() else { return };
    let Some((to_min, zone)) = rest.split_first_chunk() else { return };
    let Ok(zone) = std::str::from_utf8(zone) else { return };
    let now_ms = u64::from_le_bytes(*now_ms);
    let quiet = Quiet::new(u16::from_le_bytes(*from_min), u16::from_le_bytes(*to_min), zone);
    let Ok(quiet) = quiet else { return };
    assert_eq!(Quiet::new(quiet.from_min(), quiet.to_min(), quiet.zone()).as_ref(), Ok(&quiet));
    if let Some(end_ms) = quiet.end_ms(now_ms) {
        assert!(end_ms > now_ms && end_ms - now_ms <= 50 * 3_600_000);
        assert_eq!(due_ms(now_ms, Some(&quiet), u64::MAX), end_ms);
        assert_eq!(due_ms(now_ms, Some(&quiet), end_ms), now_ms);
    }
});
