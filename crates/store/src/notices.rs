//! Storage of notices (Web Push and mail digests): subscribed browsers, quiet hours, and notices that are due.

use people::notices::{Quiet, Topic};

use crate::StoreError;

/// The most browsers of one person that receive notices; one more replaces the oldest.
pub const MOST_DEVICES: u32 = 10;
/// The number of failed deliveries in a row after which a browser is forgotten.
pub const MOST_FAILURES: u32 = 8;

/// A browser that receives notices by Web Push.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    /// Id of the session of that browser; when it ends, this subscription is deleted.
    pub session: String,
    /// Public id of the person who is signed in there.
    pub person: String,
    /// The address of its push service.
    pub endpoint: String,
    /// Its public key: a point of P-256, uncompressed (RFC 8291, 3.1).
    pub point: Vec<u8>,
    /// 16 bytes that it shares with the hall (RFC 8291, 3.2).
    pub secret: Vec<u8>,
    /// The language of its notices: `en` or `zh`.
    pub lang: String,
}

/// A notice that is due. Times are Unix milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueNotice {
    /// Public id of the recipient.
    pub person: String,
    /// The table, or the challenge.
    pub subject: String,
    /// The topic of the notice.
    pub topic: Topic,
    /// The number of failed delivery attempts.
    pub tries: u32,
    /// True if the notice still applies: the person is to move there and their clock runs, or the challenge is open.
    pub holds: bool,
    /// The moment at which the person's clock runs out or the challenge expires; 0 where the notice no longer
    /// applies.
    pub until_ms: u64,
    /// Key of the game; empty where there is no such table or challenge.
    pub game: String,
    /// The name of the other player; `None` where there is none, or the other player has no name.
    pub other: Option<String>,
}

/// A notice to be queued.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewNotice {
    /// Public id of the person who is to be told.
    pub person: String,
    /// The table, or the challenge.
    pub subject: String,
    /// The topic of the notice.
    pub topic: Topic,
    /// The earliest moment to send it, in Unix milliseconds.
    pub due_ms: u64,
}

/// The changes to notices, subscribed browsers and secrets of the hall. Times are Unix milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoticeChange {
    /// Stores the subscription of a browser, instead of another one of the same session and of one with the same
    /// endpoint.
    Device {
        /// The browser and how it is reached.
        device: Device,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
    /// Forgets the browser of that session.
    NoDevice {
        /// Id of the session.
        session: String,
    },
    /// Records the result of a delivery to a browser.
    Delivered {
        /// Id of the session of the browser.
        session: String,
        /// True if the delivery succeeded. After [`MOST_FAILURES`] failures in a row the browser is forgotten.
        done: bool,
    },
    /// Sets the hours in which a person gets no notices.
    Quiet {
        /// Public id of the person who is told.
        person: String,
        /// The quiet hours; `None`: none.
        quiet: Option<Quiet>,
    },
    /// Updates the queue of notices: first drops those of `looked`, then queues those of `tell`, unless the person
    /// has a notice about the same subject already and has not looked since. A warning that the clock is nearly out
    /// is queued all the same.
    Words {
        /// The people who have looked, each with the table or the challenge; also those for whom nothing is left to
        /// look at.
        looked: Vec<(String, String)>,
        /// The notices to queue; at most one for each person and subject.
        tell: Vec<NewNotice>,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
    /// Marks a notice as sent.
    Sent {
        /// Public id of the person who is told.
        person: String,
        /// The table, or the challenge.
        subject: String,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
    /// Counts a failed delivery and schedules a retry.
    Again {
        /// Public id of the person who is told.
        person: String,
        /// The table, or the challenge.
        subject: String,
        /// The time of the retry, in Unix milliseconds.
        due_ms: u64,
    },
    /// Keeps a secret of the hall, unless there is one of that name.
    Secret {
        /// The name of the secret, which says its use.
        name: &'static str,
        /// The bytes of the secret.
        body: Vec<u8>,
    },
    /// Replaces a secret of the hall, if it is still the one that was read.
    NewSecret {
        /// The name of the secret, which says its use.
        name: &'static str,
        /// The secret that was read.
        before: Vec<u8>,
        /// The bytes of the new secret.
        body: Vec<u8>,
    },
}

/// Storage of notices, of the browsers that receive them, and of secrets of the hall.
#[async_trait::async_trait]
pub trait Notices: Send + Sync + 'static {
    /// Carries out a change.
    async fn change(&self, change: NoticeChange) -> Result<(), StoreError>;

    /// Returns the secret of the hall with that name.
    async fn hall_secret(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Returns the browsers in which a person receives notices, the newest first.
    async fn devices(&self, person: &str) -> Result<Vec<Device>, StoreError>;

    /// Returns the public ids of all people who receive notices in a browser or by mail.
    async fn told_people(&self) -> Result<Vec<String>, StoreError>;

    /// Returns the quiet hours of a person; `None` where they have set none.
    async fn quiet(&self, person: &str) -> Result<Option<Quiet>, StoreError>;

    /// Returns the pairs of person and subject, out of `of`, that have a notice.
    async fn noticed(&self, of: &[(String, String)]) -> Result<Vec<(String, String)>, StoreError>;

    /// Returns the notices that are due, the earliest first; without those to the people of the ids `but`.
    async fn notices_due(&self, now_ms: u64, most: u32, but: &[String])
    -> Result<Vec<DueNotice>, StoreError>;

    /// Returns slow games in which a clock is nearly out ([`warning_ms`](people::notices::warning_ms)) and its owner
    /// receives notices but has had no warning yet: person, table and deadline.
    async fn nearly_out(&self, now_ms: u64, most: u32) -> Result<Vec<(String, String, u64)>, StoreError>;
}
