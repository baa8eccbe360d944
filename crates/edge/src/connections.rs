//! Counts of open connections, or of bytes that are being sent, for each address or each person.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number that is open for each key.
#[derive(Debug)]
pub struct Connections<K: Hash + Eq>(Mutex<HashMap<K, u64>>);

/// One of them; counted until it is dropped.
#[derive(Debug)]
pub struct Counted<K: Hash + Eq> {
    all: Arc<Connections<K>>,
    key: K,
    count: u64,
}

impl<K: Hash + Eq> Default for Connections<K> {
    fn default() -> Self {
        Connections(Mutex::default())
    }
}

impl<K: Hash + Eq + Clone> Connections<K> {
    /// Returns true if nothing is open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Returns true if anything is open for `key`.
    #[must_use]
    pub fn has<Q>(&self, key: &Q) -> bool
    where
        K: std::borrow::Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.lock().contains_key(key)
    }

    /// Returns the keys for which anything is open.
    #[must_use]
    pub fn keys(&self) -> Vec<K> {
        self.lock().keys().cloned().collect()
    }

    /// Counts one more; `None` when `key` has `most` already.
    #[must_use]
    pub fn admit(self: &Arc<Self>, key: K, most: Option<u32>) -> Option<Counted<K>> {
        self.count(key, 1, |open| most.is_none_or(|most| open < u64::from(most)))
    }

    /// Counts `bytes` more for `key`; `None` when that would exceed `most`, unless `key` had none before.
    #[must_use]
    pub fn admit_bytes(self: &Arc<Self>, key: K, bytes: u64, most: Option<u64>) -> Option<Counted<K>> {
        self.count(key, bytes, |open| open == 0 || most.is_none_or(|most| open.saturating_add(bytes) <= most))
    }

    fn count(self: &Arc<Self>, key: K, count: u64, fits: impl Fn(u64) -> bool) -> Option<Counted<K>> {
        let mut open = self.lock();
        let before = open.get(&key).copied().unwrap_or(0);
        if !fits(before) {
            return None;
        }
        open.insert(key.clone(), before.saturating_add(count));
        Some(Counted { all: Arc::clone(self), key, count })
    }
}

impl<K: Hash + Eq> Connections<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Hash + Eq> Drop for Counted<K> {
    fn drop(&mut self) {
        let mut open = self.all.lock();
        if let Some(count) = open.get_mut(&self.key) {
            *count = count.saturating_sub(self.count);
            if *count == 0 {
                open.remove(&self.key);
            }
        }
    }
}
