//! Upkeep of a store: deleting unused data, folding finished games, and copies.

use std::path::Path;

use crate::StoreError;
use crate::report::Report;

const DAY_MS: u64 = 86_400_000;

/// The default retention of names of rooms that wait for a player, in milliseconds.
pub const ROOMS_MS: u64 = 7 * DAY_MS;

/// The retention periods of unused data. Ages are in milliseconds; `None` is for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retention {
    /// The retention of finished tables at which no account sat, counted from their last event.
    pub guest_tables_ms: Option<u64>,
    /// The retention of guests who sit at no table and own no map, counted from their last visit.
    pub guests_ms: Option<u64>,
    /// The retention of names of rooms that wait for a player, counted from the opening of the room. Links to the
    /// rooms work as before.
    pub rooms_ms: Option<u64>,
    /// The retention of maps with which no table was opened, counted from their upload.
    pub maps_ms: Option<u64>,
}

impl Default for Retention {
    fn default() -> Self {
        Retention {
            guest_tables_ms: None,
            guests_ms: Some(30 * DAY_MS),
            rooms_ms: Some(ROOMS_MS),
            maps_ms: Some(90 * DAY_MS),
        }
    }
}

/// The numbers of things that [`Upkeep::forget`] deleted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Forgotten {
    /// Number of tables deleted.
    pub tables: u64,
    /// Number of guests deleted.
    pub guests: u64,
    /// The number of rooms whose names are free again.
    pub rooms: u64,
    /// Number of maps deleted.
    pub maps: u64,
}

/// The result of a round of folding.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Folded {
    /// Games whose rows became one.
    pub games: u64,
    /// The number of those rows.
    pub rows: u64,
    /// True if nothing is left to fold.
    pub is_done: bool,
    /// A node of an older program is at work, which could not read a folded game: nothing was folded.
    pub waits: bool,
}

/// Upkeep of a store.
#[async_trait::async_trait]
pub trait Upkeep: Send + Sync + 'static {
    /// Deletes data that are older than their retention period.
    async fn forget(&self, retention: Retention, now_ms: u64) -> Result<Forgotten, StoreError>;

    /// Folds the rows of the next few games that ended before that moment, in Unix milliseconds: they take less room,
    /// and read as before. It is one short commit; a caller that wants more asks again, until
    /// [`is_done`](Folded::is_done).
    async fn fold(&self, before_ms: u64) -> Result<Folded, StoreError>;

    /// Writes a copy of everything to the file `path`, which must not exist, while the store is used, and checks it.
    /// A table that is damaged here is damaged in the copy; the report names it.
    async fn backup(&self, path: &Path) -> Result<Report, StoreError>;
}
