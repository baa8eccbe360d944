//! The heartbeat of the hall, by which it knows after an outage how long clocks stood still.

use crate::StoreError;

/// Heartbeats of the hall, and outages.
#[async_trait::async_trait]
pub trait Pulse: Send + Sync + 'static {
    /// Records a heartbeat of the hall at `now_ms`, in Unix milliseconds. Called about once a second: the write also
    /// reveals the loss of later commits.
    async fn beat(&self, now_ms: u64) -> Result<(), StoreError>;

    /// Returns the last [`beat`](Pulse::beat) of the previous run, in Unix milliseconds.
    fn last_beat(&self) -> Option<u64>;

    /// Moves the clocks of all sleeping tables by the time in which no hall ran, so that it is charged to no player,
    /// and returns that time, in milliseconds. To be called once, when a hall opens.
    async fn resume(&self, now_ms: u64) -> Result<u64, StoreError>;

    /// The same for a hall that ran on while the store was away, since `from_ms` as far as it knows: the time since the last beat
    /// of any hall is taken out, and no more than since `from_ms`.
    async fn resume_from(&self, from_ms: u64, now_ms: u64) -> Result<u64, StoreError>;
}
