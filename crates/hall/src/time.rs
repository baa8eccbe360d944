//! What time it is: Unix milliseconds that never jump while the hall runs.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// A clock that was set once, at the start.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    start: Instant,
    start_ms: u64,
}

impl Time {
    /// Sets it by the machine's clock.
    #[must_use]
    pub fn set() -> Time {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Time { start: Instant::now(), start_ms: u64::try_from(since.as_millis()).unwrap_or(0) }
    }

    /// Now, in Unix milliseconds.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        self.start_ms + u64::try_from(self.start.elapsed().as_millis()).unwrap_or(0)
    }

    /// The moment of that many Unix milliseconds, not before the start.
    #[must_use]
    pub fn instant(&self, at_ms: u64) -> Instant {
        self.start + Duration::from_millis(at_ms.saturating_sub(self.start_ms))
    }
}
