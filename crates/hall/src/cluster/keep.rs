//! The periodic tasks of a node: heartbeats, a look at the other nodes, the adoption of tables of dead nodes, and
//! news about the lobby and presence.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use edge::network::Payer;
use store::StoreError;
use store::claims::{RENEW_MS, STOPS_MS};
use tokio::time::{MissedTickBehavior, interval};

use super::talk::Word;
use super::{Cluster, MOST_PARTS, lock};
use crate::hall::Hall;

/// The most tables that are adopted in one round.
const ADOPT: u32 = 64;
/// The most lines of the lobby that are sent whole.
const MOST_LINES: usize = 1000;
/// The most people in one presence message: 115 kB.
const HERE_PART: usize = 5_000;

impl Hall {
    /// Sends heartbeats of this node to the store; returns when other nodes have declared it dead.
    pub async fn keep_living(self: Arc<Self>, cluster: Arc<Cluster>) -> StoreError {
        let mut beats = interval(Duration::from_millis(RENEW_MS));
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beats.tick().await;
            // From before the question: what counts is when the database wrote it at the earliest.
            let begun = Instant::now();
            let patience = Duration::from_millis(STOPS_MS - RENEW_MS / 2);
            match tokio::time::timeout(patience, self.store.claims.renew()).await {
                Ok(Ok(())) => *lock(&cluster.renewed) = begun,
                Ok(Err(StoreError::Fenced)) => {
                    cluster.fenced.store(true, Ordering::Relaxed);
                    tracing::error!(
                        "this node was silent for too long; the others have its tables now, and it stops"
                    );
                    return StoreError::Fenced;
                }
                // The database is not the one that it was.
                Ok(Err(why @ StoreError::Damaged(_))) => {
                    cluster.fenced.store(true, Ordering::Relaxed);
                    tracing::error!(%why, "this node stops");
                    return why;
                }
                Ok(Err(why)) => tracing::warn!(%why, "this node could not say that it lives"),
                Err(_) => tracing::warn!("the database did not answer that this node lives"),
            }
            metrics::gauge!("hall_serves").set(if cluster.serves() { 1.0 } else { 0.0 });
            self.tell_waits();
            // While the database is away, nothing else keeps this node from saying soon after its return that it lives.
            if lock(&cluster.renewed).elapsed() > patience {
                continue;
            }
            let asked = Instant::now();
            if let Ok(Ok(nodes)) = tokio::time::timeout(patience, self.store.claims.nodes()).await {
                metrics::gauge!("hall_nodes").set(nodes.len() as f64);
                *lock(&cluster.nodes) = Some((asked, nodes));
            }
        }
    }

    /// Polls for a new key of the bus, also while this node may not serve.
    pub async fn keep_keys(self: Arc<Self>, cluster: Arc<Cluster>) {
        let mut looks = interval(super::keys::LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            self.read_keys(&cluster).await;
        }
    }

    /// Adopts tables of dead nodes, and tells the others about the lobby, rated games and the people who are connected.
    pub async fn keep_company(self: Arc<Self>, cluster: Arc<Cluster>) {
        let mut looks = interval(Duration::from_millis(500));
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for round in 0_u32.. {
            looks.tick().await;
            if !cluster.serves() || *self.stopping.borrow() {
                continue;
            }
            self.tell_lobby(&cluster);
            if let Some(changes) = self.running.rated_changes() {
                cluster.tell_all(Word::Rated { changes });
            }
            if round.is_multiple_of(20) {
                for list in self.running.rated_list() {
                    cluster.tell_all(Word::RatedWhole { list });
                }
            }
            if round.is_multiple_of(2) {
                self.adopt_orphans(&cluster).await;
                for id in cluster.listed_by_the_dead() {
                    self.lobby.set_from(&id, None);
                }
            }
            if round.is_multiple_of(10) {
                let mut people = self.here.keys();
                people.sort_unstable();
                // An empty one at the end takes the place of what a longer list had there.
                let parts = people.chunks(HERE_PART).chain([&[][..]]);
                for (part, people) in (0..MOST_PARTS).zip(parts) {
                    cluster.tell_all(Word::Here { people: people.to_vec(), part });
                }
            }
            if round.is_multiple_of(60) {
                let mut lines = self.lobby.lines();
                lines.retain(|line| !cluster.is_listed_elsewhere(&line.id));
                lines.truncate(MOST_LINES);
                cluster.tell_all(Word::LobbyWhole { lines });
            }
        }
    }

    fn tell_lobby(&self, cluster: &Cluster) {
        let (put, gone) = self.lobby.own_changes();
        if !put.is_empty() || !gone.is_empty() {
            cluster.tell_all(Word::Lobby { put, gone });
        }
    }

    async fn adopt_orphans(&self, cluster: &Cluster) {
        let orphans = match self.store.claims.orphans(ADOPT).await {
            Ok(orphans) => orphans,
            Err(why) => return tracing::debug!(%why, "nobody knows which tables are orphans"),
        };
        for id in orphans {
            if let Err(why) = self.table(&id, Payer::Hall).await {
                tracing::warn!(table = %id, ?why, "a table whose node died was not adopted");
            }
        }
        metrics::gauge!("hall_adopted").set(cluster.adopted.load(Ordering::Relaxed) as f64);
    }
}
