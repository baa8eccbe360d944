//! People as they are stored, and their first sessions.

use crate::StoreError;

/// The kinds of people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoredPersonKind {
    /// A guest, known by a session only.
    Guest,
    /// A person with an account and a name.
    Account,
    /// A program with a token of its own.
    Program,
    /// A closed account, whose owner asked to be forgotten.
    Closed,
    /// An account that a moderator closed: its owner can sign in, read and appeal, and do nothing else.
    Suspended,
}

/// A person as they are stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PersonRow {
    /// The public id, which others may see.
    pub id: String,
    /// The kind of person.
    pub kind: StoredPersonKind,
    /// The name they chose.
    pub name: Option<String>,
    /// The moment of their first visit, in Unix milliseconds.
    pub made_ms: u64,
    /// The moment of their last visit, in Unix milliseconds.
    pub seen_ms: u64,
}

/// A person to be stored, with their first session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPerson {
    /// Public id: random, not made from a secret.
    pub id: String,
    /// The kind of person.
    pub kind: StoredPersonKind,
    /// The name they chose.
    pub name: Option<String>,
    /// The folded form that makes the name unique: names with the same folded form are one name. `None`: others may
    /// have the same name, too.
    pub folded: Option<String>,
    /// SHA-256 of the session's secret.
    pub hash: [u8; 32],
    /// The name of the device, by which people tell their sessions apart.
    pub label: Option<String>,
    /// The current time, in Unix milliseconds.
    pub made_ms: u64,
}

/// The outcomes of an [`adopt`](People::adopt).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Adoption {
    /// The old person has the new id everywhere. A table that is held in memory still has the old one: these are the
    /// unfinished tables that must be loaded again.
    Done {
        /// Ids of tables, in order.
        reload: Vec<String>,
    },
    /// The old id is not known. Nothing was stored.
    Unknown,
    /// The old id was adopted before. Nothing was stored.
    Before,
}

/// People, with or without accounts.
#[async_trait::async_trait]
pub trait People: Send + Sync + 'static {
    /// The person whose session's secret has that SHA-256.
    async fn person_by(&self, hash: &[u8; 32]) -> Result<Option<PersonRow>, StoreError>;

    /// The person of that public id, or of that name, however it is written.
    async fn find_person(&self, name_or_id: &str) -> Result<Option<PersonRow>, StoreError>;

    /// Stores a new person with their first session. [`Taken`](StoreError::Taken): the id, the name, or the session.
    async fn enroll(&self, person: NewPerson) -> Result<(), StoreError>;

    /// Records the last visit of a session and of its person. Does nothing where there is no such session.
    async fn seen(&self, hash: &[u8; 32], now_ms: u64) -> Result<(), StoreError>;

    /// The name a person chose.
    async fn name(&self, person: &str) -> Result<Option<String>, StoreError>;

    /// Keeps the name a person chose; `None` forgets it. `folded` as in [`NewPerson::folded`];
    /// [`Taken`](StoreError::Taken) when another person has it. A person without a row becomes a guest.
    async fn rename(&self, person: &str, name: Option<&str>, folded: Option<&str>) -> Result<(), StoreError>;

    /// Gives a guest from the time before sessions were stored a session and a new public id, in everything they took
    /// part in. `old_id` is the id that follows from their secret, `hash` the SHA-256 of that secret.
    /// [`Taken`](StoreError::Taken): another person has the new id, or that session is known.
    async fn adopt(
        &self,
        old_id: &str,
        new_id: &str,
        hash: &[u8; 32],
        now_ms: u64,
    ) -> Result<Adoption, StoreError>;
}
