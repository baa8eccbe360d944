//! E-mail: the address of an account, links in letters, mailboxes that want no more letters, and slow games that are
//! named in a digest.
//!
//! Confirming an address or setting a password by a link is a [`Change`](crate::Change) of an account.

use people::mail::Purpose;

use crate::StoreError;

/// The most links of one purpose that a person may have open; one more replaces the oldest.
pub const MOST_LINKS: u32 = 5;
/// The most games that one digest names.
pub const MOST_WAITING: u32 = 20;

/// A keyed hash of an address, which only the hall can compute.
pub type Mailbox = [u8; 20];

/// The confirmed address of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailAddress {
    /// Public id of the account.
    pub person: String,
    /// The address as its owner wrote it.
    pub address: String,
    /// The hash by which it is found.
    pub mailbox: Mailbox,
    /// The language of letters: `en` or `zh`.
    pub lang: String,
    /// The moment at which it was confirmed, in Unix milliseconds.
    pub since_ms: u64,
    /// True if its owner gets a digest of the slow games in which they are to move.
    pub digest: bool,
}

/// A link in a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailLink {
    /// The hash of its secret.
    pub hash: [u8; 32],
    /// Public id of the account.
    pub person: String,
    /// The effect of following the link.
    pub purpose: Purpose,
    /// The address to which the letter went.
    pub address: String,
    /// The hash of that address, by which it is found.
    pub mailbox: Mailbox,
    /// The language of the letter.
    pub lang: String,
    /// The moment at which the link expires, in Unix milliseconds.
    pub until_ms: u64,
}

/// A slow game in which a person is to move and that they have not opened since.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WaitingGame {
    /// The id of the table.
    pub table: String,
    /// Key of the game; empty where the game no longer waits.
    pub game: String,
    /// The name of the other player; `None` where they have none.
    pub other: Option<String>,
    /// The moment at which the player's time runs out, in Unix milliseconds; 0 where the game no longer waits.
    pub until_ms: u64,
    /// The time that is left until then, as the clock counts it, in milliseconds.
    pub left_ms: u64,
}

/// The changes to mail links, digests and mailboxes. Times are Unix milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MailChange {
    /// Keeps a link, and forgets those that have expired.
    Link {
        /// The link to keep.
        link: MailLink,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
    /// Stops all letters to a mailbox, or allows them again. Digests to it end.
    Stop {
        /// The hash of the address.
        mailbox: Mailbox,
        /// True if it wants no letters.
        stop: bool,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
    /// Switches the digest of an account on or off. [`Missing`](StoreError::Missing): it has no address.
    Digest {
        /// Public id of the account.
        person: String,
        /// True if the digest is switched on.
        on: bool,
        /// The language it is written in.
        lang: String,
    },
    /// Records that a digest is about to be sent.
    Digested {
        /// Public id of the account.
        person: String,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
}

/// Storage of e-mail addresses, links in letters and digests.
#[async_trait::async_trait]
pub trait Mail: Send + Sync + 'static {
    /// Carries out a change.
    async fn change(&self, change: MailChange) -> Result<(), StoreError>;

    /// The address of an account.
    async fn mail_address(&self, person: &str) -> Result<Option<MailAddress>, StoreError>;

    /// The accounts that have confirmed that mailbox, with their names, the oldest first.
    async fn accounts_at(&self, mailbox: Mailbox) -> Result<Vec<(MailAddress, String)>, StoreError>;

    /// Returns the address to which the last link of an account was sent and which is not confirmed yet.
    async fn unconfirmed(&self, person: &str, now_ms: u64) -> Result<Option<String>, StoreError>;

    /// The link with that hash, with the name of its account; `None` when there is none, or it has expired.
    async fn mail_link(&self, hash: [u8; 32], now_ms: u64) -> Result<Option<(MailLink, String)>, StoreError>;

    /// Returns whether a mailbox wants no letters.
    async fn is_stopped(&self, mailbox: Mailbox) -> Result<bool, StoreError>;

    /// Returns the accounts that are due a digest: it is switched on, the last one was
    /// [a day](people::mail::DIGEST_EVERY_MS) ago, and a game has waited [long enough](people::mail::DIGEST_AFTER_MS)
    /// that had not then.
    async fn digests_due(&self, now_ms: u64, most: u32) -> Result<Vec<MailAddress>, StoreError>;

    /// Returns the games that have waited long enough for an account to be named in a digest, the most urgent first;
    /// games that no longer wait come before them.
    async fn waiting_games(&self, person: &str, now_ms: u64) -> Result<Vec<WaitingGame>, StoreError>;
}
