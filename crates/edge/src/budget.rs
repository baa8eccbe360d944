//! Token buckets: a burst up to the size of the bucket, and a steady rate with time. The cost of a request may be
//! known before it or only after; in that case a bucket may be negative for a while.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The time to wait until the next request is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait(pub Duration);

impl Wait {
    /// Returns the time in whole seconds, for `Retry-After`: at least one.
    #[must_use]
    pub fn seconds(self) -> u64 {
        self.0.as_secs() + 1
    }
}

/// The size of a bucket and the rate at which it fills.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    most: f64,
    per_second: f64,
}

impl Quota {
    /// Creates a quota of `most` at once; an empty bucket is full again after `refill`.
    #[must_use]
    pub fn new(most: u64, refill: Duration) -> Quota {
        let most = most.max(1) as f64;
        Quota { most, per_second: most / refill.as_secs_f64().max(0.001) }
    }
}

/// The content of a bucket at a point in time.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    /// Creates a full bucket.
    #[must_use]
    pub fn full(quota: Quota, now: Instant) -> Bucket {
        Bucket { left: quota.most, at: now }
    }

    fn fill(&mut self, quota: Quota, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * quota.per_second).min(quota.most);
        self.at = now;
    }

    /// Takes `cost`. What costs more than a full bucket is given when the bucket is full, and leaves a debt.
    ///
    /// # Errors
    /// The time until there is enough; nothing is taken.
    pub fn take(&mut self, quota: Quota, cost: f64, now: Instant) -> Result<(), Wait> {
        self.take_above(quota, cost, 0.0, now)
    }

    /// Takes `cost` where `kept` of a full bucket, a share of 1, is left afterwards.
    ///
    /// # Errors
    /// The time until there is enough; nothing is taken.
    fn take_above(&mut self, quota: Quota, cost: f64, kept: f64, now: Instant) -> Result<(), Wait> {
        self.fill(quota, now);
        let missing = (cost + kept * quota.most).min(quota.most) - self.left;
        if missing > 0.0 {
            return Err(Wait(Duration::from_secs_f64((missing / quota.per_second).min(1e9))));
        }
        self.left -= cost;
        Ok(())
    }
}

/// A bucket for each key.
#[derive(Debug)]
pub struct Budget<K> {
    state: Mutex<State<K>>,
}

#[derive(Debug)]
struct State<K> {
    quota: Quota,
    buckets: HashMap<K, Bucket>,
}

impl<K: Hash + Eq + Clone> Budget<K> {
    /// Creates a budget in which all buckets are full.
    #[must_use]
    pub fn new(quota: Quota) -> Budget<K> {
        Budget { state: Mutex::new(State { quota, buckets: HashMap::new() }) }
    }

    /// Returns the size of a bucket and the rate at which it fills.
    #[must_use]
    pub fn quota(&self) -> Quota {
        self.lock().quota
    }

    /// Changes the size and the rate of all buckets; their content stays, up to the new size.
    pub fn set_quota(&self, quota: Quota) {
        self.lock().quota = quota;
    }

    /// Takes `cost` from the bucket of `key`.
    ///
    /// # Errors
    /// The time until there is enough; nothing is taken.
    pub fn take(&self, key: &K, cost: u64, now: Instant) -> Result<(), Wait> {
        self.take_above(key, cost, 0.0, now).map(drop)
    }

    /// Takes `cost` where `kept` of a full bucket, a share of 1, is left afterwards; the share that is left then.
    ///
    /// # Errors
    /// The time until there is enough; nothing is taken.
    pub fn take_above(&self, key: &K, cost: u64, kept: f64, now: Instant) -> Result<f64, Wait> {
        let mut state = self.lock();
        let quota = state.quota;
        let bucket = state.buckets.entry(key.clone()).or_insert_with(|| Bucket::full(quota, now));
        bucket.take_above(quota, cost as f64, kept, now)?;
        Ok(bucket.left / quota.most)
    }

    /// Gives back `cost` that was taken.
    pub fn give_back(&self, key: &K, cost: u64) {
        let mut state = self.lock();
        let most = state.quota.most;
        if let Some(bucket) = state.buckets.get_mut(key) {
            bucket.left = (bucket.left + cost as f64).min(most);
        }
    }

    /// Takes `cost` for work that is done already, which may leave a debt.
    pub fn charge(&self, key: &K, cost: u64, now: Instant) {
        let mut state = self.lock();
        let quota = state.quota;
        let bucket = state.buckets.entry(key.clone()).or_insert_with(|| Bucket::full(quota, now));
        bucket.fill(quota, now);
        bucket.left -= cost as f64;
    }

    /// Forgets buckets that are full again, so that memory stays bounded.
    pub fn forget_full(&self, now: Instant) {
        let mut state = self.lock();
        let quota = state.quota;
        state.buckets.retain(|_, bucket| {
            bucket.fill(quota, now);
            bucket.left < quota.most
        });
    }

    /// Returns the number of buckets that are not known to be full.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().buckets.len()
    }

    /// Returns true if all buckets are full.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().buckets.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(s: f64) -> Duration {
        Duration::from_secs_f64(s)
    }

    #[test]
    fn a_bucket_gives_what_it_holds_and_fills_with_time() {
        let start = Instant::now();
        let budget = Budget::new(Quota::new(10, seconds(20.0)));
        let steps: [(&str, f64, u64, Option<f64>); 7] = [
            ("all of it at once", 0.0, 10, None),
            ("nothing is left", 0.0, 1, Some(2.0)),
            ("half a token is none", 1.0, 1, Some(1.0)),
            ("a token in two seconds", 2.0, 1, None),
            ("five in ten", 12.0, 5, None),
            ("never more than it holds", 1000.0, 10, None),
            ("others' buckets are others'", 1000.0, 3, Some(6.0)),
        ];
        for (name, at, cost, wait) in steps {
            let told = budget.take(&"me", cost, start + seconds(at));
            assert_eq!(told.err().map(|w| w.0.as_secs_f64().round()), wait, "{name}");
        }
        assert!(budget.take(&"you", 10, start + seconds(1000.0)).is_ok());
    }

    #[test]
    fn a_debt_is_paid_before_anything_is_given() {
        let start = Instant::now();
        let budget = Budget::new(Quota::new(10, seconds(10.0)));
        budget.charge(&"me", 25, start);
        assert_eq!(budget.take(&"me", 1, start), Err(Wait(seconds(16.0))));
        assert!(budget.take(&"me", 1, start + seconds(16.0)).is_ok());
        // What can never be afforded is given once, at a full bucket.
        assert!(budget.take(&"big", 30, start).is_ok());
        assert_eq!(budget.take(&"big", 1, start), Err(Wait(seconds(21.0))));
        budget.give_back(&"big", 30);
        assert!(budget.take(&"big", 10, start).is_ok());
    }

    #[test]
    fn a_share_can_be_left_to_others() {
        let start = Instant::now();
        let budget = Budget::new(Quota::new(30, seconds(30.0)));
        for n in 1..=20 {
            let left = budget.take_above(&"all", 1, 1.0 / 3.0, start).expect("above a third");
            assert!((left - f64::from(30 - n) / 30.0).abs() < 1e-9);
        }
        let told = budget.take_above(&"all", 1, 1.0 / 3.0, start);
        assert_eq!(told.map_err(|wait| wait.0.as_secs_f64().round()), Err(1.0), "the last third");
        assert!(budget.take(&"all", 10, start).is_ok(), "is for others");
    }

    #[test]
    fn who_is_quiet_is_forgotten() {
        let start = Instant::now();
        let budget = Budget::new(Quota::new(10, seconds(10.0)));
        for key in 0..100 {
            budget.take(&key, 1 + key % 3, start).expect("full");
        }
        budget.forget_full(start + seconds(1.5));
        assert_eq!(budget.len(), 66, "those who took two or three");
        budget.forget_full(start + seconds(10.0));
        assert!(budget.is_empty());
    }
}
