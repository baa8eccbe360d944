//! Outages of the store while the hall runs on. No player causes one, so the time of an outage is charged to no
//! player.
//!
//! The hall notes every second that it is alive. Where that fails, or gets no answer for a moment, an outage has begun, with the last
//! note that was answered; it ends with the next one. Until then no flag falls. When it is over, clocks that lie in the store are
//! moved by its length in one commit, and each table in memory writes the event `pause`, with what had been thought before it began.

use std::pin::pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use store::StoreError;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::hall::Hall;

/// A store that has not answered for this long is away.
const AWAY: Duration = Duration::from_secs(2);
/// The hall notes that it is alive this often while tables are in memory.
const BEAT: Duration = Duration::from_secs(1);
/// The number of beats per note while no table is in memory.
const QUIET_BEATS: u32 = 30;
/// The number of beats per attempt to write while the store cannot be written.
const PROBE_BEATS: u32 = 10;

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

    /// The store is away since `from_ms`; false where that was known.
    fn begin(&self, from_ms: u64) -> bool {
        let mut last = self.lock();
        if last.lasts() {
            return false;
        }
        *last = Outage { over: last.over, from_ms: from_ms.max(1), to_ms: None };
        true
    }

    fn end(&self, to_ms: u64) {
        let mut last = self.lock();
        *last = Outage { over: last.over.wrapping_add(1), to_ms: Some(to_ms), ..*last };
    }

    fn lock(&self) -> MutexGuard<'_, Outage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hall {
    /// Notes again and again that the hall is alive, often while tables are in memory, and tells everybody whether the store can be
    /// written.
    pub async fn keep_beating(&self) {
        let mut beats = interval(BEAT);
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Whether what was written last was stored.
        let mut writes = true;
        // A hall that opens on a full disk moves the clocks as soon as it can, before a beat hides how long none ran.
        let mut resumed = !self.store.condition.is_read_only();
        // The store took something then, or later.
        let mut good_ms = self.time.now_ms();
        for beat in 0_u32.. {
            beats.tick().await;
            if !resumed && !self.store.condition.is_read_only() {
                resumed = self.resume().await.is_ok();
            }
            let lasts = self.outages.last().lasts();
            if resumed && (lasts || !self.tables.is_empty() || beat.is_multiple_of(QUIET_BEATS)) {
                let asked_ms = self.time.now_ms();
                match self.beat(asked_ms, good_ms).await {
                    Ok(()) => (writes, good_ms) = (true, asked_ms),
                    Err(why) => {
                        tracing::warn!(%why, "the store could not note that the hall is alive");
                        writes = false;
                    }
                }
            } else if !writes && beat.is_multiple_of(PROBE_BEATS) {
                writes = self.store.condition.probe_write().await.is_ok();
            }
            self.tell_storage(writes);
        }
    }

    /// Notes that the hall is alive; `good_ms`: the last note before that was answered. An outage begins or ends by it.
    async fn beat(&self, asked_ms: u64, good_ms: u64) -> Result<(), StoreError> {
        if !self.outages.last().lasts()
            && let Err(why) = self.first_beat(asked_ms, good_ms).await
        {
            self.begin_outage(good_ms);
            return Err(why);
        }
        let last = self.outages.last();
        if last.lasts() {
            // Rather than a beat, which would hide how long the store was away. And before any table is told: it may read its clock
            // in the store.
            let moved_ms = self.store.pulse.resume_from(last.from_ms, self.time.now_ms()).await?;
            self.outages.end(self.time.now_ms());
            tracing::warn!(moved_ms, "the store is back; the outage is charged to nobody");
            self.tables.look_up();
        }
        Ok(())
    }

    /// A beat; an outage begins where it has to wait.
    async fn first_beat(&self, asked_ms: u64, good_ms: u64) -> Result<(), StoreError> {
        let away_ms = u64::try_from(AWAY.as_millis()).unwrap_or(u64::MAX);
        let mut beat = pin!(self.store.pulse.beat(asked_ms));
        loop {
            match timeout(AWAY, &mut beat).await {
                Ok(beat) => return beat,
                // The whole process stood still, and with it the hall's time.
                Err(_) if self.time.now_ms().saturating_sub(asked_ms) < away_ms => {}
                Err(_) => {
                    self.begin_outage(good_ms);
                    self.tell_storage(false);
                    return beat.await;
                }
            }
        }
    }

    fn begin_outage(&self, good_ms: u64) {
        // A hall that stops closes its store itself.
        if !*self.stopping.borrow() && self.outages.begin(good_ms) {
            metrics::counter!("hall_outages_total").increment(1);
            tracing::warn!("the store is away; clocks stand still");
            self.tables.look_up();
        }
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
