//! Keys of workers, which search for the hall on other machines, and the searches that wait for them where several
//! processes share one database.

use crate::StoreError;

/// The most keys of workers that a hall has.
pub const MOST_KEYS: u32 = 200;

/// A worker's key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyRow {
    /// Its id, which is no secret.
    pub id: String,
    /// The name that its maker gave it.
    pub name: String,
    /// The kinds of work that it may be given, separated by spaces.
    pub scopes: String,
    /// The moment at which it was made, in Unix milliseconds.
    pub made_ms: u64,
    /// The moment since which it gets no work, in Unix milliseconds, and the reason.
    pub aside: Option<(u64, String)>,
}

/// An operation on the keys of workers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeyDeed {
    /// A key is made. [`Taken`](StoreError::Taken): the id or the secret is known; [`Conflict`](StoreError::Conflict): there
    /// are [`MOST_KEYS`].
    Add {
        /// The new key.
        key: KeyRow,
        /// The SHA-256 of its text.
        hash: [u8; 32],
    },
    /// Revokes a key. [`Missing`](StoreError::Missing): there is none of that id.
    Remove {
        /// The id of the key.
        id: String,
    },
    /// Suspends a key, so that it gets no work, or lets it get work again. [`Missing`](StoreError::Missing): there is
    /// none of that id.
    Aside {
        /// The id of the key.
        id: String,
        /// The moment since which it gets no work, in Unix milliseconds, and the reason; `None`: it gets work again.
        why: Option<(u64, String)>,
    },
}

/// Keys of workers.
#[async_trait::async_trait]
pub trait WorkerKeys: Send + Sync {
    /// Carries out what happens to a key.
    async fn change_worker_key(&self, deed: KeyDeed) -> Result<(), StoreError>;

    /// All keys, the oldest first.
    async fn worker_keys(&self) -> Result<Vec<KeyRow>, StoreError>;

    /// The key whose text has that SHA-256.
    async fn worker_key(&self, hash: &[u8; 32]) -> Result<Option<KeyRow>, StoreError>;
}

/// A search that a worker may take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchOffer {
    /// Its id, random.
    pub id: String,
    /// Public id of the person for whom the search is done: people take turns.
    pub person: String,
    /// The scope that a worker's key must allow.
    pub scope: String,
    /// The rank of the search: smaller goes first.
    pub rank: u8,
    /// The external engine that the worker must have.
    pub engine: Option<String>,
    /// True if the worker must run extensions.
    pub extensions: bool,
    /// Id of a key that must not get it.
    pub but: Option<String>,
    /// The task, as it is sent to the worker.
    pub body: String,
}

/// A worker that asks for a search, with the searches that it can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchTaker {
    /// Id of the worker's key.
    pub key: String,
    /// The scopes that the key allows.
    pub scopes: Vec<String>,
    /// The external engines that the worker has.
    pub engines: Vec<String>,
    /// True if the worker runs extensions.
    pub extensions: bool,
}

/// A message of a worker about a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchWord {
    /// The way in which the search ended: `answer`, `abort` or `garbage`; `None`: it goes on.
    pub ended: Option<String>,
    /// The text of the message; `None`: only a sign that the search goes on.
    pub told: Option<String>,
}

/// A search that was taken, as the node that asks sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchRow {
    /// The id of the search.
    pub id: String,
    /// Id of the key of the worker that has it.
    pub key: String,
    /// The time since the worker was last heard, in milliseconds.
    pub silent_ms: u64,
    /// The number of messages so far.
    pub step: u64,
    /// The message that was told last.
    pub word: SearchWord,
}

/// Searches that wait for workers of all nodes.
#[async_trait::async_trait]
pub trait SharedSearches: Send + Sync {
    /// Puts a search where workers of all nodes find it.
    async fn offer_search(&self, offer: &SearchOffer) -> Result<(), StoreError>;

    /// Gives the next search that fits to a worker, and to no other.
    async fn take_search(&self, taker: &SearchTaker) -> Result<Option<SearchOffer>, StoreError>;

    /// Stores a message of a worker; returns false where the search is no longer wanted, or another worker has it.
    async fn hear_search(&self, id: &str, key: &str, word: &SearchWord) -> Result<bool, StoreError>;

    /// This node's searches that workers have.
    async fn taken_searches(&self) -> Result<Vec<SearchRow>, StoreError>;

    /// Withdraws a search that no worker has, or, with `from_worker`, one that a worker may have; returns false where
    /// it was not withdrawn.
    async fn withdraw_search(&self, id: &str, from_worker: bool) -> Result<bool, StoreError>;

    /// Forgets the searches of nodes that were buried, and those that are older than a quarter of an hour.
    async fn sweep_searches(&self) -> Result<(), StoreError>;
}
