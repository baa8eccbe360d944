//! The condition of a store: how full and how busy it is, and whether it can be written.

use crate::StoreError;

/// The disk usage of a store, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The bytes that the store takes.
    pub bytes_used: u64,
    /// The bytes that are free on its file system for this user.
    pub bytes_free_on_disk: u64,
}

/// The load of a store.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Strain {
    /// The number of open connections to the database.
    pub connections: u32,
    /// The number of open connections that are idle.
    pub idle: u32,
    /// The number of writes that wait for a commit.
    pub queued: usize,
}

/// The condition of a store.
#[async_trait::async_trait]
pub trait Condition: Send + Sync + 'static {
    /// Returns the disk usage of the store and the free space.
    async fn size(&self) -> Result<Size, StoreError>;

    /// Returns the current load of the store; costs nothing.
    fn strain(&self) -> Strain;

    /// Tests whether the database answers.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Writes a row and waits for the disk. After a full disk this tests whether writing works again.
    async fn probe_write(&self) -> Result<(), StoreError>;

    /// Returns true if the store can only be read, because there was no room on the disk when it was opened.
    fn is_read_only(&self) -> bool;

    /// Waits until a check of a large database, which runs beside its use, finds damage; for ever where it finds none.
    async fn damage(&self) -> StoreError;

    /// Stops writing: waits for pending writes and records a clean stop. Later writes are refused.
    async fn close(&self);
}
