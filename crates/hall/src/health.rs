//! The health check of the store. Frequent checks are cheap: a result is kept for a second.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use store::Store;

/// The time for which a result is kept.
const FRESH: Duration = Duration::from_secs(1);
/// The time after which a silent store counts as failed.
const SILENCE: Duration = Duration::from_secs(2);

/// The latest result, with its time.
#[derive(Debug, Default)]
pub struct Health(Mutex<Option<(Instant, Result<(), String>)>>);

impl Health {
    /// Checks that the store can write. One probe at a time reaches the store, however many requests there are.
    ///
    /// # Errors
    /// The reason why it cannot.
    pub async fn check(&self, store: &Store) -> Result<(), String> {
        self.fresh(probe(store)).await
    }

    async fn fresh(&self, probe: impl Future<Output = Result<(), String>>) -> Result<(), String> {
        let mut last = self.0.lock().await;
        if let Some((at, found)) = &*last
            && at.elapsed() < FRESH
        {
            return found.clone();
        }
        let found = match tokio::time::timeout(SILENCE, probe).await {
            Ok(found) => found,
            Err(_) => Err("the store does not answer".to_owned()),
        };
        *last = Some((Instant::now(), found.clone()));
        found
    }
}

/// Probes the store by a write.
async fn probe(store: &Store) -> Result<(), String> {
    store.condition.probe_write().await.map_err(|why| why.to_string())
}

/// Returns the memory that this process uses, in bytes; `None` where the system does not tell.
#[must_use]
pub fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test(start_paused = true)]
    async fn a_flood_of_questions_is_one_question_a_second() {
        let (health, asked) = (Health::default(), AtomicU32::new(0));
        let probe = async || {
            asked.fetch_add(1, Ordering::Relaxed);
            Ok(())
        };
        for _ in 0..1000 {
            health.fresh(probe()).await.expect("well");
        }
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        tokio::time::advance(FRESH).await;
        let full = async || Err("the disk is full".to_owned());
        assert_eq!(health.fresh(full()).await, Err("the disk is full".to_owned()));
        assert_eq!(health.fresh(probe()).await, Err("the disk is full".to_owned()), "for a second");
        tokio::time::advance(FRESH).await;
        assert_eq!(health.fresh(probe()).await, Ok(()));
        tokio::time::advance(FRESH).await;
        let silent = async || std::future::pending().await;
        assert_eq!(health.fresh(silent()).await, Err("the store does not answer".to_owned()));
    }
}
