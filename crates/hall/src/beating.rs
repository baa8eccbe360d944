//! The heartbeat of the hall: it notes every second in the store that it is alive, and so finds out when the store is
//! away. [Outages](tables::outage) say what follows from that for clocks.

use std::pin::pin;
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
            let lasts = self.tables.outages().last().lasts();
            if resumed && (lasts || !self.tables.memory().is_empty() || beat.is_multiple_of(QUIET_BEATS)) {
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
        if !self.tables.outages().last().lasts()
            && let Err(why) = self.first_beat(asked_ms, good_ms).await
        {
            self.begin_outage(good_ms);
            return Err(why);
        }
        let last = self.tables.outages().last();
        if last.lasts() {
            // Rather than a beat, which would hide how long the store was away. And before any table is told: it may read its clock
            // in the store.
            let moved_ms = self.store.pulse.resume_from(last.from_ms, self.time.now_ms()).await?;
            self.tables.end_outage(self.time.now_ms());
            tracing::warn!(moved_ms, "the store is back; the outage is charged to nobody");
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
        if !*self.stopping.borrow() && self.tables.begin_outage(good_ms) {
            metrics::counter!("hall_outages_total").increment(1);
            tracing::warn!("the store is away; clocks stand still");
        }
    }
}
