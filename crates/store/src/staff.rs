//! What the staff of a hall decides about people, addresses and maps, how the hall is open, and the log of all that.
//!
//! Each deed and its line in the log are one transaction. All of them change the row `staff` of the table `hall` first, so
//! deeds of several nodes come one after the other, and a node sees by that number that there is news.

use people::account::Role;
use people::staff::Registration;

use crate::together::{Complaint, Decided};
use crate::{KeyDeed, PersonRow, StoreError};

/// Lines of the log that are kept; the oldest go.
pub const MOST_LOGGED: u32 = 200_000;

/// A ban of a range of addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ban {
    /// Counts bans; 0 before it is stored.
    pub n: u64,
    /// The range, such as `192.0.2.0/24`.
    pub network: String,
    /// Public id of who banned it; `None`: the keeper.
    pub by: Option<String>,
    /// Why, in words for whom it hits.
    pub reason: String,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// When it ends, in Unix milliseconds.
    pub until_ms: u64,
    /// Accounts that are older than that number of days are let through.
    pub spares_days: Option<u32>,
}

/// Words for everybody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announcement {
    /// Counts announcements; 0 before it is stored.
    pub n: u64,
    /// In English.
    pub en: String,
    /// In Chinese.
    pub zh: String,
    /// Public id of who announced it; `None`: the keeper.
    pub by: Option<String>,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// Until when it is shown, in Unix milliseconds.
    pub until_ms: u64,
}

/// A code by which accounts are made where registration is by invitation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invitation {
    /// Random, and not the code.
    pub id: String,
    /// The label that whoever made it gave it.
    pub label: String,
    /// Public id of who made it; `None`: the keeper.
    pub by: Option<String>,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// Until when it counts, in Unix milliseconds.
    pub until_ms: u64,
    /// Accounts it makes at most.
    pub uses: u32,
    /// Accounts it has made.
    pub used: u32,
}

/// A work that was taken down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenDown {
    /// Its address.
    pub work: String,
    /// Ids of the files of its versions.
    pub maps: Vec<String>,
    /// Public id of its owner.
    pub owner: String,
    /// The name of the work; empty where it is gone.
    pub name: String,
    /// The number of the decision.
    pub decision: u64,
    /// Why.
    pub reason: String,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
}

/// A person who is suspended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspended {
    /// Public id.
    pub person: String,
    /// Until when, in Unix milliseconds.
    pub until_ms: u64,
    /// Why.
    pub reason: String,
    /// The number of the decision.
    pub decision: u64,
}

/// How the hall is open, and to whom not, at some moment.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct House {
    /// Grows with each deed of the staff.
    pub version: u64,
    /// The rule for who may make an account.
    pub registration: Registration,
    /// Tells whether only accounts play.
    pub accounts_only: bool,
    /// Bans of addresses that are in force, the newest first.
    pub bans: Vec<Ban>,
    /// The people who are suspended.
    pub suspended: Vec<Suspended>,
    /// The announcements, the newest first.
    pub announcements: Vec<Announcement>,
    /// The works that were taken down, the newest first.
    pub taken_down: Vec<TakenDown>,
}

/// A line of the log of the staff.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logged {
    /// Counts lines; 0 before it is stored.
    pub n: u64,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// Public id of who did it; empty for the keeper.
    pub by: String,
    /// A key: `looked`, `banned`, …
    pub act: String,
    /// The public id of the person it was done to, if to one.
    pub about: Option<String>,
    /// The details of the act.
    pub detail: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// Which lines of the log are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LogOf<'a> {
    /// About that person only.
    pub about: Option<&'a str>,
    /// Only lines below that number.
    pub below: Option<u64>,
}

/// A person who shares networks or devices with another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sharing {
    /// Who.
    pub person: PersonRow,
    /// The networks both were noted at.
    pub networks: Vec<String>,
    /// Devices that were noted at these networks for both.
    pub devices: Vec<String>,
}

/// Something the staff does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StaffDeed {
    /// Decides about a report, with all that follows: sessions and tokens of a closed account end, ratings begin anew. What was
    /// decided before about the same report is undone as far as it can be. [`Missing`](StoreError::Missing): there is no such
    /// report; [`Conflict`](StoreError::Conflict): an account that would be closed is the last admin's;
    /// [`Taken`](StoreError::Taken): its map is no work, or is down already.
    Decide {
        /// Number of the report.
        n: u64,
        /// The decision on the report.
        decided: Decided,
    },
    /// The same without a report of anybody: it is kept as one that the staff made. Returns its number.
    DecideAnew {
        /// The complaint that is kept; `decided` is set.
        complaint: Complaint,
    },
    /// Gives or takes a role. [`Missing`](StoreError::Missing): there is no such account;
    /// [`Conflict`](StoreError::Conflict): it is the last admin's.
    SetRole {
        /// Public id.
        person: String,
        /// Which.
        role: Role,
        /// Tells whether the role is given.
        give: bool,
    },
    /// Closes an account for good. Where the staff had closed or suspended it, its mailbox and accounts elsewhere are
    /// held back. Errors as in [`SetRole`](StaffDeed::SetRole).
    Forget {
        /// Public id.
        person: String,
    },
    /// Bans a range; returns its number. [`Full`](StoreError::Full): there are as many as there may be.
    Ban(Ban),
    /// Lifts a ban. [`Missing`](StoreError::Missing): there is none of that number.
    Lift {
        /// Its number.
        n: u64,
    },
    /// Announces something; returns its number. [`Full`](StoreError::Full).
    Announce(Announcement),
    /// Withdraws an announcement. [`Missing`](StoreError::Missing).
    Withdraw {
        /// Its number.
        n: u64,
    },
    /// Decides who may make an account, and whether only accounts play.
    Register {
        /// The rule for who may make one.
        registration: Registration,
        /// Tells whether only accounts play.
        accounts_only: bool,
    },
    /// Keeps an invitation. [`Full`](StoreError::Full).
    Invite {
        /// SHA-256 of its code.
        hash: [u8; 32],
        /// The invitation, without its code.
        invitation: Invitation,
    },
    /// Takes an invitation back. [`Missing`](StoreError::Missing).
    Uninvite {
        /// Its id.
        id: String,
    },
    /// Makes, removes or restores a worker's key; errors as [`KeyDeed`] tells them.
    WorkerKey(KeyDeed),
    /// Does nothing: what was looked at is logged, once an hour.
    Look,
}

/// The desk of the staff.
#[async_trait::async_trait]
pub trait StaffDesk: Send + Sync {
    /// Carries a deed out and logs it, both or neither; returns the number of what was kept. `spares_last`: the last admin
    /// stays one.
    async fn staff(&self, deed: StaffDeed, logged: Logged, spares_last: bool) -> Result<u64, StoreError>;

    /// A number that grows with each deed of the staff.
    async fn staff_version(&self) -> Result<u64, StoreError>;

    /// How the hall is open.
    async fn house(&self, now_ms: u64) -> Result<House, StoreError>;

    /// Lines of the log, the newest first.
    async fn staff_log(&self, of: LogOf<'_>, most: u32) -> Result<Vec<Logged>, StoreError>;

    /// Lines of the log after that number, the oldest first.
    async fn staff_news(&self, after: u64, most: u32) -> Result<Vec<Logged>, StoreError>;

    /// Accounts whose folded name begins so, by name.
    async fn accounts_like(&self, folded: &str, most: u32) -> Result<Vec<PersonRow>, StoreError>;

    /// Accounts that were noted at the same networks as somebody.
    async fn accounts_sharing(&self, person: &str, most: u32) -> Result<Vec<Sharing>, StoreError>;

    /// Invitations that count, the newest first.
    async fn invitations(&self, now_ms: u64) -> Result<Vec<Invitation>, StoreError>;

    /// Tells whether a name of that folded form is held back because its account was closed for good.
    async fn name_is_gone(&self, folded: &str) -> Result<bool, StoreError>;

    /// Tells whether a mailbox or an account elsewhere is held back, by its key.
    async fn is_held(&self, key: &[u8], now_ms: u64) -> Result<bool, StoreError>;

    /// When somebody made their account, as far as that is noted; otherwise when they first came, in Unix milliseconds.
    async fn account_since(&self, person: &str) -> Result<u64, StoreError>;
}
