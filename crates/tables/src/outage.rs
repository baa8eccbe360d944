//! Outages of the store while the hall runs on. No player causes one, so the time of an outage is charged to no
//! player.
//!
//! The hall notes every second that it is alive. Where that fails, or gets no answer for a moment, an outage has begun, with the last
//! note that was answered; it ends with the next one. Until then no flag falls. When it is over, clocks that lie in the store are
//! moved by its length in one commit, and each table in memory writes the event `pause`, with what had been thought before it began.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The state of the store, as of the last outage. All moments are of the hall's time, in Unix milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Outage {
    /// The number of outages that are over.
    pub over: u32,
    /// The moment at which the store last took something before the outage.
    pub from_ms: u64,
    /// The moment at which the store took something again; `None` while it is away.
    pub to_ms: Option<u64>,
}

impl Outage {
    /// Tells whether the store is away.
    #[must_use]
    pub fn lasts(&self) -> bool {
        self.from_ms > 0 && self.to_ms.is_none()
    }
}

/// The last outage, for all tables.
#[derive(Default)]
pub struct Outages(Mutex<Outage>);

impl Outages {
    /// The last one.
    #[must_use]
    pub fn last(&self) -> Outage {
        *self.lock()
    }

    /// Notes that the store is away since `from_ms`; returns false where that was known.
    pub(crate) fn begin(&self, from_ms: u64) -> bool {
        let mut last = self.lock();
        if last.lasts() {
            return false;
        }
        *last = Outage { over: last.over, from_ms: from_ms.max(1), to_ms: None };
        true
    }

    /// Notes that the store has taken something again at `to_ms`.
    pub(crate) fn end(&self, to_ms: u64) {
        let mut last = self.lock();
        *last = Outage { over: last.over.wrapping_add(1), to_ms: Some(to_ms), ..*last };
    }

    fn lock(&self) -> MutexGuard<'_, Outage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_has_a_beginning_and_an_end() {
        let outages = Outages::default();
        assert!(!outages.last().lasts());
        assert!(outages.begin(500));
        assert!(!outages.begin(700), "it lasts already");
        assert!(outages.last().lasts() && outages.last().from_ms == 500);
        outages.end(900);
        assert_eq!(outages.last(), Outage { over: 1, from_ms: 500, to_ms: Some(900) });
        assert!(outages.begin(900) && outages.last().lasts());
        assert_eq!(outages.last().over, 1);
    }
}
