//! The care of stored data: old ones are forgotten or folded, the disk is measured, and everybody is told when nothing
//! can be stored.

use std::sync::atomic::Ordering;
use std::time::Duration;

use kernel::Problem;

use crate::hall::Hall;

impl Hall {
    /// Checks that the disk has room for new data.
    ///
    /// # Errors
    /// `disk-low`.
    pub fn has_room(&self) -> Result<(), Problem> {
        self.disk.check()
    }

    /// Returns the times for which unused data are kept.
    #[must_use]
    pub fn retention(&self) -> store::Retention {
        let days = u64::from(self.guest_games_days.load(Ordering::Relaxed));
        let guest_tables_ms = (days > 0).then_some(days * 86_400_000);
        store::Retention { guest_tables_ms, ..store::Retention::default() }
    }

    /// Folds the rows of games that ended long enough ago: some at a time, with pauses, so that no move waits. One node of a hall
    /// does it for all.
    pub async fn fold_games(&self) {
        /// Between two commits.
        const PAUSE: Duration = Duration::from_millis(50);
        /// Commits of a round; the rest waits for the next one.
        const COMMITS: u32 = 4_000;
        let days = u64::from(self.fold_days.load(Ordering::Relaxed));
        let is_others = self.cluster.as_ref().is_some_and(|cluster| cluster.keeper("folding").is_some());
        if days == 0 || is_others || self.store.condition.is_read_only() {
            return;
        }
        let before_ms = self.time.now_ms().saturating_sub(days * 86_400_000);
        let (mut games, mut rows) = (0, 0);
        for _ in 0..COMMITS {
            match self.store.upkeep.fold(before_ms).await {
                Ok(folded) => {
                    games += folded.games;
                    rows += folded.rows;
                    if folded.waits {
                        tracing::info!("no game is folded while a node of an older program is at work");
                    }
                    if folded.is_done {
                        break;
                    }
                }
                Err(why) => {
                    tracing::warn!(%why, "finished games were not folded");
                    break;
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
        if games > 0 {
            metrics::counter!("hall_folded_games_total").increment(games);
            tracing::info!(games, rows, "finished games were folded");
        }
    }

    /// Measures the free space on the disk.
    pub async fn measure_disk(&self) {
        let Ok(size) = self.store.condition.size().await else { return };
        let low = self.limits.on && size.bytes_free_on_disk < self.limits.free_disk_bytes;
        if self.disk.note(low) {
            tracing::warn!(free = size.bytes_free_on_disk, low, "room on the disk");
        }
        metrics::gauge!("hall_disk_free_bytes").set(size.bytes_free_on_disk as f64);
        metrics::gauge!("hall_store_bytes").set(size.bytes_used as f64);
    }

    /// Tells every connection whether the store can be written, when that has changed. `writes`: the last attempt to
    /// write succeeded.
    pub fn tell_storage(&self, writes: bool) {
        let trouble = if self.store.condition.is_read_only() || !writes || self.waits() {
            Some(Problem::new("hall-read-only"))
        } else {
            self.has_room().err()
        };
        self.tell_trouble(trouble);
    }

    /// Returns true if this node of several waits for the database: its heartbeat has failed for a while.
    fn waits(&self) -> bool {
        self.cluster.as_ref().is_some_and(|cluster| !cluster.serves())
    }

    /// Tells every connection that this node waits for the database, before a move has waited in vain. The next
    /// successful write tells them that it is back.
    pub(crate) fn tell_waits(&self) {
        if self.waits() {
            self.tell_trouble(Some(Problem::new("hall-read-only")));
        }
    }

    fn tell_trouble(&self, trouble: Option<Problem>) {
        self.trouble.send_if_modified(|told| {
            let news = *told != trouble;
            *told = trouble;
            news
        });
    }
}
