//! Keys of workers: their rate limits, the statistics of their answers, and the measures against workers that fail or
//! lie.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use edge::budget::{Budget, Quota, Wait};
use edge::time::Time;
use people::Secret;
use store::{KeyDeed, KeyRow, Store, StoreError};
use wire::WorkerKey;

/// The number of impossible answers after which a key is set aside.
const MOST_LIES: u32 = 3;
/// The most searches that the workers of one key have at the same time.
const MOST_OPEN: usize = 64;
/// The most requests of one key that wait for work at the same time.
const MOST_WAITING: usize = 64;
/// The rate limit of one key: that number of requests at once, which refills in that time.
const REQUESTS: (u64, Duration) = (2_000, Duration::from_secs(10));
/// The pause of a worker after its first failure; it doubles with each further failure in a row.
const REST: Duration = Duration::from_secs(5);
/// The longest pause after failures.
const LONGEST_REST: Duration = Duration::from_secs(600);
/// The time after which a search that a worker has is forgotten.
const FORGOTTEN: Duration = Duration::from_secs(700);
/// The longest time between two requests of a worker that counts as present, in milliseconds.
const HERE_MS: u64 = 30_000;

/// A fault of a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The worker did not answer in time.
    Late,
    /// The worker sent no more reports.
    Silent,
    /// The answer is impossible; the text is a word for the log.
    Wrong(&'static str),
}

impl Fault {
    const fn word(self) -> &'static str {
        match self {
            Fault::Late => "late",
            Fault::Silent => "silent",
            Fault::Wrong(word) => word,
        }
    }
}

/// The keys of workers, with this process's records of their use.
pub struct Keys {
    store: OnceLock<(Arc<Store>, Time)>,
    any: AtomicBool,
    requests: Budget<String>,
    known: Mutex<HashMap<String, KnownKey>>,
}

/// The record of the worker that has a key.
#[derive(Default)]
struct KnownKey {
    seen_ms: u64,
    answers: u64,
    faults: u64,
    lies: u32,
    /// The number of failures in a row.
    failures: u32,
    rests_until: Option<Instant>,
    open: HashMap<String, Instant>,
    waiting: usize,
}

impl Default for Keys {
    fn default() -> Keys {
        Keys {
            store: OnceLock::new(),
            any: AtomicBool::new(false),
            requests: Budget::new(Quota::new(REQUESTS.0, REQUESTS.1)),
            known: Mutex::default(),
        }
    }
}

/// A request that waits for work; counted until it is dropped.
pub struct WaitsForWork(Arc<Keys>, String);

impl Drop for WaitsForWork {
    fn drop(&mut self) {
        if let Some(known) = self.0.lock().get_mut(&self.1) {
            known.waiting = known.waiting.saturating_sub(1);
        }
    }
}

impl Keys {
    pub(super) fn open(&self, store: &Arc<Store>, time: &Time) {
        let _ = self.store.set((Arc::clone(store), time.clone()));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, KnownKey>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self) -> Result<&(Arc<Store>, Time), StoreError> {
        self.store.get().ok_or_else(|| StoreError::Failed("the hall is not open".to_owned()))
    }

    /// Returns true if there is a key that is not set aside.
    pub(super) fn are_there(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    /// Returns true if a worker has asked this process in the last half minute.
    pub(super) fn were_lately_here(&self) -> bool {
        let Ok((_, time)) = self.place() else { return false };
        let since_ms = time.now_ms().saturating_sub(HERE_MS);
        self.lock().values().any(|known| known.seen_ms > since_ms)
    }

    /// Reads the list of keys, and drops the records of those that are gone. Called every few seconds.
    pub async fn refresh(&self) {
        let Ok((store, _)) = self.place() else { return };
        let Ok(keys) = store.worker_keys.worker_keys().await else { return };
        self.any.store(keys.iter().any(|key| key.aside.is_none()), Ordering::Relaxed);
        let now = Instant::now();
        let mut known = self.lock();
        known.retain(|id, known| {
            known.open.retain(|_, since| now.saturating_duration_since(*since) < FORGOTTEN);
            keys.iter().any(|key| key.id == *id)
        });
        self.requests.forget_full(tokio::time::Instant::now());
    }

    /// Returns the key with that text; `None` for an unknown key.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn find(&self, text: &str) -> Result<Option<KeyRow>, StoreError> {
        let Some(secret) = Secret::read_worker(text) else { return Ok(None) };
        let (store, _) = self.place()?;
        store.worker_keys.worker_key(&secret.hash()).await
    }

    /// Counts a request of a key.
    ///
    /// # Errors
    /// The time to wait, if there are too many requests.
    pub fn request(&self, key: &str, now_ms: u64) -> Result<(), Wait> {
        self.lock().entry(key.to_owned()).or_default().seen_ms = now_ms;
        self.requests.take(&key.to_owned(), 1, tokio::time::Instant::now())
    }

    /// Registers a request that waits for work.
    ///
    /// # Errors
    /// The time to wait, if the worker pauses after a failure, or too many of its requests wait or have work.
    pub fn wait(self: &Arc<Self>, key: &str) -> Result<WaitsForWork, Wait> {
        let mut all = self.lock();
        let known = all.entry(key.to_owned()).or_default();
        let now = Instant::now();
        if let Some(until) = known.rests_until
            && until > now
        {
            return Err(Wait(until - now));
        }
        if known.waiting >= MOST_WAITING || known.open.len() >= MOST_OPEN {
            return Err(Wait(Duration::from_secs(2)));
        }
        known.waiting += 1;
        Ok(WaitsForWork(Arc::clone(self), key.to_owned()))
    }

    /// Notes that a worker has a search.
    pub fn has(&self, key: &str, search: &str) {
        let mut all = self.lock();
        all.entry(key.to_owned()).or_default().open.insert(search.to_owned(), Instant::now());
    }

    /// Notes that the worker no longer has the search.
    pub fn has_no_more(&self, key: &str, search: &str) {
        if let Some(known) = self.lock().get_mut(key) {
            known.open.remove(search);
        }
    }

    /// Notes an answer that was used.
    pub(super) fn answered(&self, key: &str) {
        let mut all = self.lock();
        let known = all.entry(key.to_owned()).or_default();
        known.answers += 1;
        known.failures = 0;
    }

    /// Returns the number of answers of a key that were used.
    pub(super) fn answers(&self, key: &str) -> u64 {
        self.lock().get(key).map_or(0, |known| known.answers)
    }

    /// Notes a worker's fault: one that fails pauses a while, one that lies is set aside after a few times.
    pub(super) fn fault(&self, key: &str, fault: Fault) {
        if key.is_empty() {
            return;
        }
        metrics::counter!("hall_worker_faults_total", "kind" => fault.word()).increment(1);
        let lies = {
            let mut all = self.lock();
            let known = all.entry(key.to_owned()).or_default();
            known.faults += 1;
            if matches!(fault, Fault::Wrong(_)) {
                known.lies += 1;
            } else {
                let rest = REST.saturating_mul(1 << known.failures.min(10)).min(LONGEST_REST);
                known.failures += 1;
                known.rests_until = Some(Instant::now() + rest);
            }
            known.lies
        };
        tracing::warn!(key, fault = fault.word(), "a worker failed");
        if lies < MOST_LIES {
            return;
        }
        let Ok((store, time)) = self.place() else { return };
        tracing::error!(
            key,
            fault = fault.word(),
            "a worker's key is set aside: its answers cannot be believed"
        );
        let (store, id) = (Arc::clone(store), key.to_owned());
        let why = Some((time.now_ms(), fault.word().to_owned()));
        tokio::spawn(async move {
            if let Err(why) = store.worker_keys.change_worker_key(KeyDeed::Aside { id, why }).await {
                tracing::error!(%why, "a worker's key could not be set aside");
            }
        });
    }

    /// Adds to lines of the list what this process knows of each worker.
    pub fn fill(&self, lines: &mut [WorkerKey]) {
        let all = self.lock();
        for line in lines {
            if let Some(known) = all.get(&line.id) {
                line.seen_ms = Some(known.seen_ms).filter(|seen| *seen > 0);
                line.answers = known.answers;
                line.faults = known.faults;
            }
        }
    }

    /// Forgets what is known of a worker whose key was removed, or gets work again.
    pub fn forget(&self, id: &str) {
        self.lock().remove(id);
    }
}
