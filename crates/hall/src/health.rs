//! Whether the hall is well. Asking costs nothing: an answer is good for a second.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

use store::Store;

/// An answer is given again for this long.
const FRESH: Duration = Duration::from_secs(1);
/// A store that is silent for this long does not answer.
const SILENCE: Duration = Duration::from_secs(2);

/// What was found last, and when.
#[derive(Debug, Default)]
pub struct Health(Mutex<Option<(Instant, Result<(), String>)>>);

impl Health {
    /// Whether the store can write. One question at a time reaches the store, however many ask.
    ///
    /// # Errors
    /// Why it cannot.
    pub async fn check(&self, store: &dyn Store) -> Result<(), String> {
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

/// Asks the store.
async fn probe(store: &dyn Store) -> Result<(), String> {
    store.probe_write().await.map_err(|why| why.to_string())
}

/// Memory this process has in use, in bytes, where the system tells.
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
