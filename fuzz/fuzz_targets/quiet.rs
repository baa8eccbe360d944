//! Quiet hours: what was accepted ends later than now, and within a day and the longest change of a clock.

#![no_main]

use people::notices::{Quiet, due_ms};

libfuzzer_sys::fuzz_target!(|wish: (u16, u16, String, u64)| {
    let (from_min, to_min, zone, now_ms) = wish;
    let Ok(quiet) = Quiet::new(from_min, to_min, &zone) else { return };
    assert_eq!(Quiet::new(quiet.from_min(), quiet.to_min(), quiet.zone()).as_ref(), Ok(&quiet));
    if let Some(end_ms) = quiet.end_ms(now_ms) {
        assert!(end_ms > now_ms && end_ms - now_ms <= 50 * 3_600_000);
        assert_eq!(due_ms(now_ms, Some(&quiet), u64::MAX), end_ms);
        assert_eq!(due_ms(now_ms, Some(&quiet), end_ms), now_ms);
    }
});
