//! The claims of processes on tables, where several processes share one database.
//!
//! A *node* is one run of a hall: a row with a name that its keeper chose and an incarnation that is never used
//! again. Its heartbeat is written by the database's own clock. A node whose heartbeat is older than [`EXPIRES_MS`]
//! is buried: its row is deleted, which waits for its commits in flight, and from then on every write of it finds no
//! row and is [`Fenced`](crate::StoreError::Fenced). Only then may others claim its tables. A node buries others only
//! if its own heartbeats have had no break for as long: an outage that all nodes had proves no node dead.

use crate::StoreError;

/// The interval of heartbeats of a node, in milliseconds.
pub const RENEW_MS: u64 = 2_000;
/// The time without a successful heartbeat, by a node's own monotonic clock, after which it stops serving, in
/// milliseconds.
pub const STOPS_MS: u64 = 4_000;
/// The number of nodes in a row that may die with a table before it is no longer adopted: the table may be the cause.
pub const MOST_TRIED: u32 = 3;
/// The age of a heartbeat, by the database's clock, after which others may bury the node, in milliseconds.
pub const EXPIRES_MS: u64 = 6_000;
/// The longest gap between two heartbeats of a node that does not count as a break, in milliseconds. A node with a
/// longer gap was cut off itself. It buries no other node until it has had heartbeats for [`EXPIRES_MS`] without a
/// break: the others may have had the same outage, as when the database was away, and by then each of them has had
/// the time for a heartbeat.
pub const BREAK_MS: u64 = 3_000;

/// The outcomes of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The table was this node's already, or this store has one process only.
    Kept,
    /// The table belongs to this node from now on: it had no owner, or its owner had released it.
    Taken {
        /// The number of owners that the table has had.
        epoch: u64,
    },
    /// The table belongs to this node from now on, and its previous owner has died.
    Adopted {
        /// The number of owners that the table has had.
        epoch: u64,
        /// The last heartbeat of that node by the database's clock, in Unix milliseconds.
        beat_ms: u64,
    },
    /// Another node that lives has it.
    Elsewhere(NodeRow),
}

/// A node as it is listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeRow {
    /// The id of this run of the node, which is never used again.
    pub incarnation: String,
    /// The name that its keeper gave it.
    pub name: String,
    /// The time since its last heartbeat, by the database's clock, in milliseconds.
    pub silent_ms: u64,
    /// The number of tables that it owns; 0 where that was not asked.
    pub tables: u64,
    /// The moment at which it started, by the database's clock, in Unix milliseconds.
    pub begun_ms: u64,
}

/// A table as the list of its owner's tables shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owned {
    /// The table's id.
    pub id: String,
    /// The number of owners that the table has had.
    pub epoch: u64,
    /// The version of its last entry.
    pub ver: u64,
    /// The moment of that entry, in Unix milliseconds.
    pub at_ms: u64,
}

impl NodeRow {
    /// Returns true if other nodes may bury it.
    #[must_use]
    pub fn is_expired(&self) -> bool {
        self.silent_ms > EXPIRES_MS
    }
}

/// Claims of tables. Where a store has one process only, every table is its own and nothing here costs anything.
#[async_trait::async_trait]
pub trait Claims: Send + Sync + 'static {
    /// Makes this node the owner of a table, unless another that lives has it. [`Missing`](StoreError::Missing):
    /// there is no such table; [`Fenced`](StoreError::Fenced): this node was buried.
    async fn claim(&self, id: &str) -> Result<Claim, StoreError>;

    /// Records that a table which was [`Adopted`](Claim::Adopted) goes on. A node that dies without having recorded
    /// it uses up one of [`MOST_TRIED`] tries; after the last one the table's failures are set so high that it is no
    /// longer opened ([`Tables::strike`](crate::Tables::strike)), until the keeper of the hall pardons it.
    async fn goes_on(&self, id: &str) -> Result<(), StoreError>;

    /// Gives a table back that this node owns; others may claim it at once. Returns whether it owned it.
    async fn release(&self, id: &str) -> Result<bool, StoreError>;

    /// Returns the node that owns a table, with the time since its last heartbeat; `None` where the table has no
    /// owner, or its owner was buried.
    async fn owner(&self, id: &str) -> Result<Option<NodeRow>, StoreError>;

    /// Writes the heartbeat of this node, and buries the nodes that have had none for [`EXPIRES_MS`], if this one has
    /// had no [break](BREAK_MS). [`Fenced`](StoreError::Fenced): this one was buried.
    /// [`Damaged`](StoreError::Damaged): the database is an older copy than at the last heartbeat of this node.
    async fn renew(&self) -> Result<(), StoreError>;

    /// Returns ids of tables with a running game whose owner was buried, at most `most`; without those that sleep,
    /// which are [due](crate::Tables::due) when their time is up. Two nodes that ask at the same moment may get the
    /// same table, and only one will have the claim.
    async fn orphans(&self, most: u32) -> Result<Vec<String>, StoreError>;

    /// All nodes that were not buried, by name, with how many tables they own.
    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError>;

    /// Returns the tables that a node owns, at most `most`, the last changed first.
    async fn owned(&self, incarnation: &str, most: u32) -> Result<Vec<Owned>, StoreError>;

    /// Returns the time of the database's clock, in Unix milliseconds; `None` where it has none of its own.
    async fn clock_ms(&self) -> Result<Option<u64>, StoreError>;

    /// This node's incarnation; `None` where there is but one process.
    fn node(&self) -> Option<&str>;

    /// Returns the largest count of heartbeats that this node has seen, over all nodes since the database was
    /// created; 0: none yet.
    fn beats_seen(&self) -> u64 {
        0
    }

    /// Sets the count of heartbeats that an earlier run of this node has seen. A database that has counted fewer is
    /// an older copy.
    fn expect_beats(&self, _beats: u64) {}
}
