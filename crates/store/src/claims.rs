//! Which process owns which table, where several share one database.
//!
//! A *node* is one run of a hall: a row with a name that its keeper chose and an incarnation that is never used
//! again. Its beat is written by the database's own clock. A node whose beat is older than [`EXPIRES_MS`] is
//! buried: its row is deleted, which waits for its commits in flight, and from then on every write of it finds no
//! row and is [`Fenced`](crate::StoreError::Fenced). Only then may others claim its tables. Who buries has said for as long
//! without a break that it lives: an outage that all of them had is nobody's silence.

use crate::StoreError;

/// How often a node says that it lives, in milliseconds.
pub const RENEW_MS: u64 = 2_000;
/// A node that could not say so for this long by its own monotonic clock serves nobody any more, in milliseconds.
pub const STOPS_MS: u64 = 4_000;
/// A table that so many nodes died with one after the other is not adopted again: it may be what they die of.
pub const MOST_TRIED: u32 = 3;
/// Others may bury a node after this long by the database's clock, in milliseconds.
pub const EXPIRES_MS: u64 = 6_000;
/// A node that could not say for longer than this that it lives was cut off itself, in milliseconds. It buries nobody until it has
/// said so for [`EXPIRES_MS`] without such a break: what it missed, the others may have missed with it, as when the database was
/// away, and by then each of them has had the time to say that it lives.
pub const BREAK_MS: u64 = 3_000;

/// What became of a claim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// The table was this node's already, or this store has one process only.
    Kept,
    /// The table is this node's from now on: nobody had it, or its node had released it.
    Taken {
        /// Counts the owners of the table.
        epoch: u64,
    },
    /// The same, from a node that has died.
    Adopted {
        /// Counts the owners of the table.
        epoch: u64,
        /// When that node last said that it lived, by the database's clock, in Unix milliseconds.
        beat_ms: u64,
    },
    /// Another node that lives has it.
    Elsewhere(NodeRow),
}

/// A node as it is listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeRow {
    /// Never used again.
    pub incarnation: String,
    /// What its keeper calls it.
    pub name: String,
    /// Since its last beat, by the database's clock, in milliseconds.
    pub silent_ms: u64,
    /// How many tables it owns; 0 where that was not asked.
    pub tables: u64,
    /// When it began, by the database's clock, in Unix milliseconds.
    pub begun_ms: u64,
}

/// A table as the list of its owner's tables shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Owned {
    /// The table's id.
    pub id: String,
    /// Counts its owners.
    pub epoch: u64,
    /// The version of its last entry.
    pub ver: u64,
    /// When that entry was made, in Unix milliseconds.
    pub at_ms: u64,
}

impl NodeRow {
    /// Whether others may bury it.
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

    /// Says that a table which was [`Adopted`](Claim::Adopted) goes on. Whoever dies without having said so leaves
    /// one of [`MOST_TRIED`] tries behind; after the last one its failures are counted up to where nobody opens it
    /// any more ([`Store::strike`](crate::Store::strike)), until the keeper of the hall pardons it.
    async fn goes_on(&self, id: &str) -> Result<(), StoreError>;

    /// Gives a table back that this node owns; others may claim it at once. Returns whether it owned it.
    async fn release(&self, id: &str) -> Result<bool, StoreError>;

    /// The node that owns a table, with how long it has been silent; `None` where nobody does, or it was buried.
    async fn owner(&self, id: &str) -> Result<Option<NodeRow>, StoreError>;

    /// Says that this node lives, and buries those that have not for [`EXPIRES_MS`], where this one has without a
    /// [break](BREAK_MS). [`Fenced`](StoreError::Fenced): this one was buried. [`Damaged`](StoreError::Damaged): the database is an
    /// older copy of what it was when this node last said so.
    async fn renew(&self) -> Result<(), StoreError>;

    /// Ids of tables at which a game is on and whose owner was buried, at most `most`; without those that sleep,
    /// which are [due](crate::Store::due) when their time is up. Two nodes that ask at the same moment may get the
    /// same, and only one will have the claim.
    async fn orphans(&self, most: u32) -> Result<Vec<String>, StoreError>;

    /// All nodes that were not buried, by name, with how many tables they own.
    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError>;

    /// The tables that a node owns, at most `most`, what changed last first.
    async fn owned(&self, incarnation: &str, most: u32) -> Result<Vec<Owned>, StoreError>;

    /// What time it is by the database's clock, in Unix milliseconds; `None` where it has none of its own.
    async fn clock_ms(&self) -> Result<Option<u64>, StoreError>;

    /// This node's incarnation; `None` where there is but one process.
    fn node(&self) -> Option<&str>;

    /// The largest count of beats that this node has seen, of all nodes since there is the database; 0: none yet.
    fn beats_seen(&self) -> u64 {
        0
    }

    /// Says what an earlier run of this node has seen. A database that has counted fewer is an older copy.
    fn expect_beats(&self, _beats: u64) {}
}
