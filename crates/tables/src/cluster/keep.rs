//! The heartbeat of a node, and its look at the other nodes.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use store::claims::{RENEW_MS, STOPS_MS};
use store::{Store, StoreError};
use tokio::time::{MissedTickBehavior, interval};

use super::{Cluster, lock};

impl Cluster {
    /// Sends heartbeats of this node to the store, and calls `told` after each; returns when other nodes have declared
    /// this one dead.
    pub async fn keep_living(&self, store: &Store, told: impl Fn()) -> StoreError {
        let mut beats = interval(Duration::from_millis(RENEW_MS));
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beats.tick().await;
            // From before the question: what counts is when the database wrote it at the earliest.
            let begun = Instant::now();
            let patience = Duration::from_millis(STOPS_MS - RENEW_MS / 2);
            match tokio::time::timeout(patience, store.claims.renew()).await {
                Ok(Ok(())) => *lock(&self.renewed) = begun,
                Ok(Err(StoreError::Fenced)) => {
                    self.fenced.store(true, Ordering::Relaxed);
                    tracing::error!(
                        "this node was silent for too long; the others have its tables now, and it stops"
                    );
                    return StoreError::Fenced;
                }
                // The database is not the one that it was.
                Ok(Err(why @ StoreError::Damaged(_))) => {
                    self.fenced.store(true, Ordering::Relaxed);
                    tracing::error!(%why, "this node stops");
                    return why;
                }
                Ok(Err(why)) => tracing::warn!(%why, "this node could not say that it lives"),
                Err(_) => tracing::warn!("the database did not answer that this node lives"),
            }
            metrics::gauge!("hall_serves").set(if self.serves() { 1.0 } else { 0.0 });
            told();
            // While the database is away, nothing else keeps this node from saying soon after its return that it lives.
            if lock(&self.renewed).elapsed() > patience {
                continue;
            }
            let asked = Instant::now();
            if let Ok(Ok(nodes)) = tokio::time::timeout(patience, store.claims.nodes()).await {
                metrics::gauge!("hall_nodes").set(nodes.len() as f64);
                *lock(&self.nodes) = Some((asked, nodes));
            }
        }
    }
}
