//! Tables beside their logs: where they are found, when they sleep, how often they failed, and what was reported
//! about them.

use crate::StoreError;
use crate::logs::Asleep;

/// Tables, beside their logs.
#[async_trait::async_trait]
pub trait Tables: Send + Sync + 'static {
    /// Returns the id of the open room of that name.
    async fn room(&self, name: &str) -> Result<Option<String>, StoreError>;

    /// Returns the ids of the tables that wait for a player and stay open while their owner is away: rooms, and open
    /// tables of slow games that were opened after `since_ms`, in Unix milliseconds. First come the newest ones of
    /// accounts, then those of guests, and last the ones beyond the share of one person; in each group the newest
    /// come first.
    async fn waiting_tables(&self, since_ms: u64, most: u32) -> Result<Vec<String>, StoreError>;

    /// Ids of the unfinished tables at which that person sits, newest first.
    async fn playing(&self, person: &str, most: u32) -> Result<Vec<String>, StoreError>;

    /// Ids of the tables at which that person ever sat, after `after`, by rising id.
    async fn tables_of(&self, person: &str, after: &str, most: u32) -> Result<Vec<String>, StoreError>;

    /// Records that a table is put to sleep while a clock runs. The next entry, or [`wake`](Tables::wake), undoes it.
    async fn sleep(&self, id: &str, asleep: Asleep) -> Result<(), StoreError>;

    /// Undoes [`sleep`](Tables::sleep), without an entry in the log.
    async fn wake(&self, id: &str) -> Result<(), StoreError>;

    /// Ids of the sleeping tables whose deadline is not after `now_ms`, the earliest first; without those whose clock is
    /// held.
    async fn due(&self, now_ms: u64, most: u32) -> Result<Vec<String>, StoreError>;

    /// Counts one more failure of a table's task and returns the number of failures.
    async fn strike(&self, id: &str) -> Result<u32, StoreError>;

    /// Forgets the failures of a table's task.
    async fn pardon(&self, id: &str) -> Result<(), StoreError>;

    /// The report that was kept about a table, and the version of the table it is about.
    async fn report(&self, id: &str) -> Result<Option<(u64, String)>, StoreError>;

    /// Stores a report about a table, instead of an older one.
    async fn keep_report(&self, id: &str, ver: u64, body: &str) -> Result<(), StoreError>;
}
