//! Storage of studies, and queries for them.
//!
//! A study is stored as a snapshot at some version, and the entries since. Both are text to the store. An entry is
//! kept only as the next version: of two concurrent writers, one gets [`Conflict`](StoreError::Conflict), reads the
//! new entries, and tries again. So any node may write, and all see one order.

use crate::StoreError;

/// The levels of read access to a study.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Access {
    /// Its owner and contributors.
    #[default]
    Private,
    /// Any person who has its address.
    Link,
    /// Any person; lists show it.
    Public,
}

/// The properties of a study that lists show.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shown {
    /// The title of the study.
    pub name: String,
    /// The level of read access.
    pub access: Access,
    /// Keys of the games in it, each once.
    pub games: Vec<String>,
    /// The number of chapters.
    pub chapters: u32,
    /// Ids of the maps that it needs.
    pub maps: Vec<String>,
    /// Public ids of the people who may change it, except its owner.
    pub members: Vec<String>,
}

/// A study in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyRow {
    /// The id of the study, which is its address.
    pub id: String,
    /// Public id of its owner.
    pub owner: String,
    /// The owner's name, if they have one.
    pub owner_name: Option<String>,
    /// The title of the study.
    pub name: String,
    /// The level of read access.
    pub access: Access,
    /// Keys of the games in it.
    pub games: Vec<String>,
    /// The number of chapters.
    pub chapters: u32,
    /// The moment of the last change, in Unix milliseconds.
    pub changed_ms: u64,
}

/// A study as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredStudy {
    /// The snapshot at some version.
    pub whole: String,
    /// The entries since, by rising version.
    pub entries: Vec<String>,
}

/// A query for a list of studies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WantedStudies {
    /// Part of the name, or of the owner's; empty: all.
    pub search: String,
    /// Public id of a person who owns them or may change them; `None`: public ones.
    pub person: Option<String>,
    /// The number of studies to skip.
    pub skip: u32,
    /// The most studies to return.
    pub most: u32,
}

/// The changes to a study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StudyDeed {
    /// Creates a study at version 1. [`Taken`](StoreError::Taken): the id; [`Full`](StoreError::Full): the owner has
    /// that many.
    Make {
        /// The id of the study, which is its address.
        id: String,
        /// Public id of its owner.
        owner: String,
        /// The properties that lists show.
        shown: Shown,
        /// The snapshot of the study.
        whole: String,
        /// The most studies that a person may have.
        most: u32,
        /// The current time, in Unix milliseconds.
        at_ms: u64,
    },
    /// Appends the next entry. [`Missing`](StoreError::Missing): there is no such study;
    /// [`Conflict`](StoreError::Conflict): `ver` is not the next version.
    Append {
        /// The id of the study, which is its address.
        id: String,
        /// The version of the study after this entry.
        ver: u64,
        /// The entry as text.
        entry: String,
        /// The properties that lists show from now on, where they change.
        shown: Option<Shown>,
        /// The snapshot at that version, given now and then. Entries before the previous snapshot are forgotten.
        whole: Option<String>,
        /// The current time, in Unix milliseconds.
        at_ms: u64,
    },
    /// Deletes a study. [`Missing`](StoreError::Missing): no such study of that owner.
    Delete {
        /// The id of the study, which is its address.
        id: String,
        /// Public id of the person who asks for it.
        owner: String,
    },
}

/// Analyses that people save.
#[async_trait::async_trait]
pub trait Studies: Send + Sync {
    /// Carries out what happens to a study.
    async fn change_study(&self, deed: StudyDeed) -> Result<(), StoreError>;

    /// Returns a consistent snapshot of a study with its entries.
    async fn study(&self, id: &str) -> Result<Option<StoredStudy>, StoreError>;

    /// The version of a study.
    async fn study_ver(&self, id: &str) -> Result<Option<u64>, StoreError>;

    /// The entries after a version, oldest first; `None` where some of them are forgotten, or there is no such study.
    async fn study_entries(&self, id: &str, since: u64) -> Result<Option<Vec<String>>, StoreError>;

    /// Studies that are wanted, changed last first, and how many there are without the limit.
    async fn studies_wanted(&self, wanted: &WantedStudies) -> Result<(Vec<StudyRow>, u64), StoreError>;

    /// Returns the number of studies that a person owns.
    async fn studies_of(&self, owner: &str) -> Result<u64, StoreError>;
}
