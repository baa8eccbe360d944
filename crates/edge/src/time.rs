//! The hall's clock: Unix milliseconds that never jump, and that stand still while the hall does.
//!
//! While the whole process was frozen (SIGSTOP, a suspended machine, workers that were all busy), players could not
//! move and are not charged: a heartbeat notices the gap, and the gap is taken out of the hall's time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior};

/// Interval of the task that notices stalls of the machine.
const BEAT: Duration = Duration::from_millis(50);
/// A beat that comes later than this was a stall.
const STALL_MS: u64 = 250;

/// The hall's clock. Clones show the same time.
#[derive(Clone, Debug)]
pub struct Time {
    start: Instant,
    start_ms: u64,
    beats: Arc<Mutex<Beats>>,
}

/// The time of the last heartbeat, and the sum of the stalls. All in milliseconds since the start.
#[derive(Clone, Copy, Debug, Default)]
struct Beats {
    last: u64,
    stalled: u64,
    /// The time that tests have let pass at once.
    passed: u64,
}

impl Beats {
    /// Notes a heartbeat. Returns the length of the stall before it.
    fn beat(&mut self, elapsed: u64) -> u64 {
        let stall = elapsed.saturating_sub(self.last + STALL_MS);
        self.stalled += stall;
        self.last = elapsed;
        stall
    }

    /// Returns the hall's time since the start. It does not run ahead of the heartbeat.
    fn now(&self, elapsed: u64) -> u64 {
        elapsed.min(self.last + STALL_MS) + self.passed - self.stalled
    }
}

impl Time {
    /// Starts the clock from that of the machine, `machine_ms`, and not before `not_before_ms`: time goes on where an
    /// earlier run ended, even after the machine's clock was set back.
    #[must_use]
    pub fn start(machine_ms: u64, not_before_ms: u64) -> Time {
        Time::at(machine_ms.max(not_before_ms))
    }

    /// Starts the clock from a time in Unix milliseconds: where several nodes share a database, from its clock, so that
    /// the machine's own clock, or a change of it, does not matter. The heartbeat goes on as long as the runtime lives.
    #[must_use]
    pub fn at(now_ms: u64) -> Time {
        let time = Time { start: Instant::now(), start_ms: now_ms, beats: Arc::default() };
        let heart = time.clone();
        tokio::spawn(async move {
            let mut beats = tokio::time::interval(BEAT);
            beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
            // The other clones end with the hall.
            while Arc::strong_count(&heart.beats) > 1 {
                beats.tick().await;
                let stall = heart.lock().beat(heart.elapsed_ms());
                if stall > 0 {
                    tracing::warn!(stall_ms = stall, "the hall stood still; nobody is charged for it");
                    metrics::counter!("hall_stalled_ms_total").increment(stall);
                }
            }
        });
        time
    }

    /// Returns the present time, in Unix milliseconds.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        self.start_ms + self.lock().now(self.elapsed_ms())
    }

    /// Returns the time at which this run began, in Unix milliseconds.
    #[must_use]
    pub fn start_ms(&self) -> u64 {
        self.start_ms
    }

    /// Returns the instant of that many Unix milliseconds, not before the start, unless the hall stands still until
    /// then.
    #[must_use]
    pub fn instant(&self, at_ms: u64) -> Instant {
        let Beats { stalled, passed, .. } = *self.lock();
        let since_ms = at_ms.saturating_sub(self.start_ms) + stalled;
        self.start + Duration::from_millis(since_ms.saturating_sub(passed))
    }

    /// Lets time pass at once, in tests.
    #[doc(hidden)]
    pub fn pass(&self, by: Duration) {
        self.lock().passed += u64::try_from(by.as_millis()).unwrap_or(0);
    }

    fn elapsed_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(0)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Beats> {
        self.beats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_stands_still_while_the_hall_does() {
        let mut beats = Beats::default();
        for at in (0..=1_000).step_by(50) {
            assert_eq!(beats.beat(at), 0);
        }
        assert_eq!(beats.now(1_040), 1_040);
        // Frozen for ten seconds: a reader before the next heartbeat sees no more than a late beat.
        assert_eq!(beats.now(11_000), 1_250);
        assert_eq!(beats.beat(11_000), 9_750);
        assert_eq!(beats.now(11_000), 1_250, "and the same after it");
        beats.beat(11_050);
        assert_eq!(beats.now(11_060), 1_310, "then it goes on");
    }

    #[tokio::test]
    async fn time_goes_on_where_an_earlier_run_ended() {
        for (machine_ms, not_before_ms, start_ms) in [(7, 9, 9), (9, 7, 9)] {
            assert_eq!(Time::start(machine_ms, not_before_ms).start_ms(), start_ms);
        }
    }
}
