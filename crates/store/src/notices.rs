//! What people are told while they look elsewhere: the browsers that are told, quiet hours, and notices that are due.

use people::notices::{Quiet, Topic};

use crate::StoreError;

/// Browsers of one person that are told; one more takes the place of the oldest.
pub const MOST_DEVICES: u32 = 10;
/// A browser that could not be told this often in a row is forgotten.
pub const MOST_FAILURES: u32 = 8;

/// A browser that is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    /// Id of the session of that browser; one that ends takes this with it.
    pub session: String,
    /// Public id of the person who is signed in there.
    pub person: String,
    /// The address of its push service.
    pub endpoint: String,
    /// Its public key: a point of P-256, uncompressed (RFC 8291, 3.1).
    pub point: Vec<u8>,
    /// 16 bytes that it shares with the hall (RFC 8291, 3.2).
    pub secret: Vec<u8>,
    /// The language it is told in: `en` or `zh`.
    pub lang: String,
}

/// A notice that is to be sent. Times are Unix milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueNotice {
    /// Public id of who is to be told.
    pub person: String,
    /// The table, or the challenge.
    pub subject: String,
    /// What about it.
    pub topic: Topic,
    /// How often it was tried in vain.
    pub tries: u32,
    /// Whether it still holds: the person is to move there and their clock runs, or the challenge stands.
    pub holds: bool,
    /// When the clock of the person runs out, or the challenge expires; 0 where it does not hold.
    pub until_ms: u64,
    /// Key of the game; empty where there is no such table or challenge.
    pub game: String,
    /// The name of the other player; `None` where there is none, or they have no name.
    pub other: Option<String>,
}

/// Something to tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewNotice {
    /// Public id of the person who is to be told.
    pub person: String,
    /// The table, or the challenge.
    pub subject: String,
    /// What about it.
    pub topic: Topic,
    /// When to tell them, in Unix milliseconds.
    pub due_ms: u64,
}

/// What happens to notices. Times are Unix milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoticeChange {
    /// Keeps a browser, instead of another one of the same session and of one with the same endpoint.
    Device {
        /// The browser and how it is reached.
        device: Device,
        /// When this is, in Unix milliseconds.
        now_ms: u64,
    },
    /// Forgets the browser of that session.
    NoDevice {
        /// Id of the session.
        session: String,
    },
    /// A browser was told, or could not be.
    Delivered {
        /// Id of the session of the browser.
        session: String,
        /// Whether it was told. Where it was not [`MOST_FAILURES`] times in a row, it is forgotten.
        done: bool,
    },
    /// Sets when somebody is not told.
    Quiet {
        /// Public id of the person who is told.
        person: String,
        /// `None`: never.
        quiet: Option<Quiet>,
    },
    /// What was left for people: first they have looked, or there is nothing to look at any more; then others are to be told,
    /// unless they were told about the same subject and have not looked since. That the clock is nearly out is told all the same.
    Words {
        /// Who, and at which table or challenge.
        looked: Vec<(String, String)>,
        /// Nobody about the same subject twice.
        tell: Vec<NewNotice>,
        /// When this is, in Unix milliseconds.
        now_ms: u64,
    },
    /// Somebody was told.
    Sent {
        /// Public id of the person who is told.
        person: String,
        /// The table, or the challenge.
        subject: String,
        /// When this is, in Unix milliseconds.
        now_ms: u64,
    },
    /// Somebody could not be told; it is tried again.
    Again {
        /// Public id of the person who is told.
        person: String,
        /// The table, or the challenge.
        subject: String,
        /// When.
        due_ms: u64,
    },
    /// Keeps a secret of the hall, unless there is one of that name.
    Secret {
        /// What it is for.
        name: &'static str,
        /// The secret.
        body: Vec<u8>,
    },
    /// Replaces a secret of the hall, if it is still the one that was read.
    NewSecret {
        /// What it is for.
        name: &'static str,
        /// The secret that was read.
        before: Vec<u8>,
        /// The new one.
        body: Vec<u8>,
    },
}

/// Notices.
#[async_trait::async_trait]
pub trait Notices: Send + Sync + 'static {
    /// Carries out a change.
    async fn notice(&self, change: NoticeChange) -> Result<(), StoreError>;

    /// A secret of the hall.
    async fn hall_secret(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// The browsers at which a person is told, the newest first.
    async fn devices(&self, person: &str) -> Result<Vec<Device>, StoreError>;

    /// Public ids of everybody who is told somewhere: in a browser, or by letter.
    async fn told_people(&self) -> Result<Vec<String>, StoreError>;

    /// When somebody is not told.
    async fn quiet(&self, person: &str) -> Result<Option<Quiet>, StoreError>;

    /// Those of these people and subjects of which there is a notice.
    async fn noticed(&self, of: &[(String, String)]) -> Result<Vec<(String, String)>, StoreError>;

    /// Notices that are due, the earliest first; not those to the people of the ids `but`.
    async fn notices_due(&self, now_ms: u64, most: u32, but: &[String])
    -> Result<Vec<DueNotice>, StoreError>;

    /// Slow games in which the clock of somebody who is told somewhere is nearly out
    /// ([`warning_ms`](people::notices::warning_ms)), of which they have not been told: person, table and deadline.
    async fn nearly_out(&self, now_ms: u64, most: u32) -> Result<Vec<(String, String, u64)>, StoreError>;
}
