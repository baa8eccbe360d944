//! The name of the hall and its keys on the bus: generated once, kept in the database, polled by each node.

use std::time::Duration;

use bus::Keys;
use bus::keys::{ROW, Row};
use store::notices::NoticeChange;
use store::{Store, StoreError};
use tokio::time::{MissedTickBehavior, interval};

use super::Cluster;

/// The interval at which a node looks for a new key; well below [`bus::keys::KEY_RESTS_MS`].
const LOOK: Duration = Duration::from_secs(10);

/// Reads the row, and the database's time in Unix milliseconds.
async fn read(store: &Store) -> Result<(Option<Vec<u8>>, u64), StoreError> {
    let now_ms = store.claims.clock_ms().await?.unwrap_or_else(store::now_ms);
    Ok((store.notices.hall_secret(ROW).await?, now_ms))
}

/// Reads the hall's keys. The first node of a hall makes them.
///
/// # Errors
/// An error when the store fails. `None`: the row is damaged.
pub async fn open_keys(store: &Store) -> Result<Option<Keys>, StoreError> {
    let (mut row, now_ms) = read(store).await?;
    if row.is_none() {
        let body = Row::fresh(now_ms).write().into_bytes();
        store.notices.change(NoticeChange::Secret { name: ROW, body }).await?;
        row = read(store).await?.0;
    }
    Ok(row.and_then(|row| Row::read(&row)).map(|row| Keys::new(&row, now_ms)))
}

/// Generates a new key, which the nodes use half a minute later; or a new name with it, for a copy of a database that
/// is to be another hall. Returns the name and the number of the key.
///
/// # Errors
/// An error when the store fails.
pub async fn renew_keys(store: &Store, new_name: bool) -> Result<(String, u32), StoreError> {
    loop {
        let (before, now_ms) = read(store).await?;
        let kept = before.as_deref().and_then(Row::read).filter(|_| !new_name);
        let row = match kept {
            Some(mut row) => {
                row.add_key(now_ms);
                row
            }
            None => Row::fresh(now_ms),
        };
        let body = row.write().into_bytes();
        let change = match before {
            Some(before) => NoticeChange::NewSecret { name: ROW, before, body: body.clone() },
            None => NoticeChange::Secret { name: ROW, body: body.clone() },
        };
        store.notices.change(change).await?;
        // Another node may have been faster.
        if store.notices.hall_secret(ROW).await? == Some(body) {
            return Ok((row.hall.clone(), row.newest()));
        }
    }
}

impl Cluster {
    /// Polls for a new key of the bus, also while this node may not serve.
    pub async fn keep_keys(&self, store: &Store) {
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            self.read_keys(store).await;
        }
    }

    /// Reads the keys again, and the database's time.
    async fn read_keys(&self, store: &Store) {
        match read(store).await {
            Ok((row, now_ms)) => match row.as_deref().and_then(Row::read) {
                Some(row) if self.keys.renew(&row, now_ms) => {}
                Some(_) => tracing::error!("the hall's name on the bus was changed: start this node again"),
                None => tracing::error!("the row {ROW} of hall_secret is damaged; this node keeps its keys"),
            },
            Err(why) => tracing::debug!(%why, "the keys of the bus were not read"),
        }
    }
}
