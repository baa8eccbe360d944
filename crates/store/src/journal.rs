//! Replication of files of which every node of a hall keeps a copy, by a journal of changes in one order for all
//! nodes.
//!
//! The file itself is SQLite's and belongs to another crate (the library, the puzzles); here are only the *entries*
//! that make up its content, numbered without gaps, and now and then the whole file as it was after one of them, its
//! *base*. A node that has the base and carries out the entries after it, in order, has the same file as the others.
//! Entries that a base includes are forgotten one base later.

use crate::StoreError;

/// The size of one part of an upload, in bytes.
pub const CHUNK: usize = 1 << 20;

/// The state of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalHead {
    /// The number of the last entry; 0 before the first.
    pub last: u64,
    /// The number of the last entry that the base includes.
    pub base: u64,
    /// The id of that entry; of base 0, an id of its own, which identifies this journal.
    pub base_id: String,
    /// The id that the parts of the base are found by.
    pub upload: String,
    /// The number of parts of the base.
    pub chunks: u32,
    /// The bytes of the entries after the base.
    pub since: u64,
}

/// An entry of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalEntry {
    /// Its number, from 1.
    pub n: u64,
    /// Its id, which is random, so that a replaced history is noticed.
    pub id: String,
    /// The content of the entry, as its owner writes it.
    pub body: String,
}

/// An operation on a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JournalDeed {
    /// Stores a part of a large upload, before the base or the entry that names it.
    Chunk {
        /// The name of the journal.
        subject: String,
        /// The id of the base or the entry that it belongs to.
        owner: String,
        /// The index of the part, from 0.
        at: u32,
        /// The part, at most [`CHUNK`] bytes.
        body: Vec<u8>,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
    /// Sets a new base, whose parts are stored already. [`Conflict`](StoreError::Conflict): the journal has one that
    /// is as new.
    Base {
        /// The name of the journal.
        subject: String,
        /// The number of the last entry in it.
        n: u64,
        /// The id of that entry.
        id: String,
        /// The id of its parts.
        upload: String,
        /// The number of its parts.
        chunks: u32,
    },
    /// Adds the next entry. [`Missing`](StoreError::Missing): there is no such journal, as it has no base yet.
    Add {
        /// The name of the journal.
        subject: String,
        /// Its id. One that is there already is not added again.
        id: String,
        /// The content of the entry.
        body: String,
        /// The bytes that count for it, parts included.
        bytes: u64,
    },
}

/// Storage of the journals of replicated files.
#[async_trait::async_trait]
pub trait Journals: Send + Sync {
    /// Carries out an operation; returns the number of the entry that was added, 0 for other operations.
    async fn write(&self, deed: JournalDeed) -> Result<u64, StoreError>;

    /// The state of a journal; `None` before its first base.
    async fn journal_head(&self, subject: &str) -> Result<Option<JournalHead>, StoreError>;

    /// The entries from number `from` on, at most `most`, in order.
    async fn journal_entries(
        &self,
        subject: &str,
        from: u64,
        most: u32,
    ) -> Result<Vec<JournalEntry>, StoreError>;

    /// Returns a part of a base or of an entry; `None` where it is no longer there.
    async fn journal_chunk(&self, owner: &str, at: u32) -> Result<Option<Vec<u8>>, StoreError>;
}
