//! Studies: what is kept of them, and who finds them.
//!
//! A study is its whole as it was at some version, and the entries since. Both are text to the store. An entry is kept only as
//! the next version: of two who write at once, one is told [`Conflict`](StoreError::Conflict), reads what came, and tries
//! again. So any node may write, and all see one order.

use crate::StoreError;

/// Who may read a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Access {
    /// Its owner and contributors.
    #[default]
    Private,
    /// Whoever has its address.
    Link,
    /// Everybody.
    Public,
}

/// What lists show of a study.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    /// What it is called.
    pub name: String,
    /// Who may read it.
    pub access: Access,
    /// Keys of the games in it, each once.
    pub games: Vec<String>,
    /// How many chapters it has.
    pub chapters: u32,
    /// Ids of the maps that it needs.
    pub maps: Vec<String>,
    /// Public ids of those who may change it, its owner left out.
    pub members: Vec<String>,
}

/// A study in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyRow {
    /// Its address.
    pub id: String,
    /// Public id of its owner.
    pub owner: String,
    /// The owner's name, if they have one.
    pub owner_name: Option<String>,
    /// What it is called.
    pub name: String,
    /// Who may read it.
    pub access: Access,
    /// Keys of the games in it.
    pub games: Vec<String>,
    /// How many chapters it has.
    pub chapters: u32,
    /// When it was last changed, in Unix milliseconds.
    pub changed_ms: u64,
}

/// A study as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredStudy {
    /// As it was at some version.
    pub whole: String,
    /// The entries since, by rising version.
    pub entries: Vec<String>,
}

/// Which studies are wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WantedStudies {
    /// Part of the name, or of the owner's; empty: all.
    pub search: String,
    /// Public id of somebody who owns them or may change them; `None`: public ones.
    pub person: Option<String>,
    /// How many are passed over.
    pub skip: u32,
    /// How many at most.
    pub most: u32,
}

/// What happens to a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StudyDeed {
    /// A new one, at version 1. [`Taken`](StoreError::Taken): the id; [`Full`](StoreError::Full): the owner has that many.
    Make {
        /// Its address.
        id: String,
        /// Public id of its owner.
        owner: String,
        /// What lists show.
        shown: Shown,
        /// All of it.
        whole: String,
        /// How many a person may have.
        most: u32,
        /// When, in Unix milliseconds.
        at_ms: u64,
    },
    /// The next entry. [`Missing`](StoreError::Missing): there is no such study; [`Conflict`](StoreError::Conflict): `ver` is
    /// not the next version.
    Append {
        /// Its address.
        id: String,
        /// Its version after it.
        ver: u64,
        /// The entry.
        entry: String,
        /// What lists show from now on, where that changes.
        shown: Option<Shown>,
        /// All of it at that version, now and then. Entries before the one before that are forgotten.
        whole: Option<String>,
        /// When, in Unix milliseconds.
        at_ms: u64,
    },
    /// It goes. [`Missing`](StoreError::Missing): no such study of that owner.
    Delete {
        /// Its address.
        id: String,
        /// Public id of who wishes it.
        owner: String,
    },
}

/// Analyses that people save.
#[async_trait::async_trait]
pub trait Studies: Send + Sync {
    /// Carries out what happens to a study.
    async fn change_study(&self, deed: StudyDeed) -> Result<(), StoreError>;

    /// A study, all of one moment.
    async fn study(&self, id: &str) -> Result<Option<StoredStudy>, StoreError>;

    /// The version of a study.
    async fn study_ver(&self, id: &str) -> Result<Option<u64>, StoreError>;

    /// The entries after a version, oldest first; `None` where some of them are forgotten, or there is no such study.
    async fn study_entries(&self, id: &str, since: u64) -> Result<Option<Vec<String>>, StoreError>;

    /// Studies that are wanted, changed last first, and how many there are without the limit.
    async fn studies_wanted(&self, wanted: &WantedStudies) -> Result<(Vec<StudyRow>, u64), StoreError>;

    /// How many studies a person owns.
    async fn studies_of(&self, owner: &str) -> Result<u64, StoreError>;
}
