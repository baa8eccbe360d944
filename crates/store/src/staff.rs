//! Decisions of the staff about people, addresses, maps and registration, and the log of them.
//!
//! Each deed and its line in the log are one transaction. All of them change the row `staff` of the table `hall`
//! first, so deeds of several nodes come one after the other, and a node sees by that number that something has
//! changed.

use people::account::Role;
use people::staff::Registration;

use crate::together::{Complaint, Decided};
use crate::{KeyDeed, PersonRow, StoreError};

/// The most lines of the log that are kept; the oldest are deleted.
pub const MOST_LOGGED: u32 = 200_000;

/// A ban of a range of addresses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ban {
    /// The number of the ban; 0 before it is stored.
    pub n: u64,
    /// The range, such as `192.0.2.0/24`.
    pub network: String,
    /// Public id of who banned it; `None`: the keeper.
    pub by: Option<String>,
    /// The reason, in words for the people it hits.
    pub reason: String,
    /// The moment of the ban, in Unix milliseconds.
    pub at_ms: u64,
    /// The moment at which it ends, in Unix milliseconds.
    pub until_ms: u64,
    /// The age in days from which accounts are let through; `None`: none is.
    pub spares_days: Option<u32>,
}

/// An announcement to all visitors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announcement {
    /// The number of the announcement; 0 before it is stored.
    pub n: u64,
    /// The text in English.
    pub en: String,
    /// The text in Chinese.
    pub zh: String,
    /// Public id of the person who announced it; `None`: the keeper.
    pub by: Option<String>,
    /// The moment of the announcement, in Unix milliseconds.
    pub at_ms: u64,
    /// The moment until which it is shown, in Unix milliseconds.
    pub until_ms: u64,
}

/// A code by which accounts are made where registration is by invitation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invitation {
    /// Random, and not the code.
    pub id: String,
    /// The label that its maker gave it.
    pub label: String,
    /// Public id of the person who made it; `None`: the keeper.
    pub by: Option<String>,
    /// The moment at which it was made, in Unix milliseconds.
    pub at_ms: u64,
    /// The moment at which it expires, in Unix milliseconds.
    pub until_ms: u64,
    /// The most accounts that can be made with it.
    pub uses: u32,
    /// The number of accounts that were made with it.
    pub used: u32,
}

/// A work that was taken down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TakenDown {
    /// The address of the work.
    pub work: String,
    /// Ids of the files of its versions.
    pub maps: Vec<String>,
    /// Public id of its owner.
    pub owner: String,
    /// The name of the work; empty where it is gone.
    pub name: String,
    /// The number of the decision.
    pub decision: u64,
    /// The reason of the decision.
    pub reason: String,
    /// The moment of the decision, in Unix milliseconds.
    pub at_ms: u64,
}

/// A person who is suspended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspended {
    /// Public id of the person.
    pub person: String,
    /// The moment at which the suspension ends, in Unix milliseconds.
    pub until_ms: u64,
    /// The reason of the suspension.
    pub reason: String,
    /// The number of the decision.
    pub decision: u64,
}

/// The rules of access to the hall at some moment: registration, bans, suspensions and announcements.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct House {
    /// The version of these rules, which grows with each deed of the staff.
    pub version: u64,
    /// The rule for who may make an account.
    pub registration: Registration,
    /// True if only accounts may play.
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
    /// The number of the line; 0 before it is stored.
    pub n: u64,
    /// The moment of the act, in Unix milliseconds.
    pub at_ms: u64,
    /// Public id of the member of the staff; empty for the keeper.
    pub by: String,
    /// A key: `looked`, `banned`, …
    pub act: String,
    /// The public id of the person whom the act is about, if there is one.
    pub about: Option<String>,
    /// The details of the act.
    pub detail: Option<String>,
    /// The reason that was given.
    pub reason: Option<String>,
}

/// A filter for lines of the log.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LogOf<'a> {
    /// Public id of the person whom the lines are about; `None`: any.
    pub about: Option<&'a str>,
    /// An upper limit: lines with lower numbers only.
    pub below: Option<u64>,
}

/// A person who shares networks or devices with another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sharing {
    /// The person with whom something is shared.
    pub person: PersonRow,
    /// The networks both were noted at.
    pub networks: Vec<String>,
    /// Devices that were noted at these networks for both.
    pub devices: Vec<String>,
}

/// The deeds of the staff.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StaffDeed {
    /// Decides about a report, with all that follows: sessions and tokens of a closed account end, ratings are reset.
    /// The previous decision about the same report is undone as far as it can be. [`Missing`](StoreError::Missing):
    /// there is no such report; [`Conflict`](StoreError::Conflict): an account that would be closed is the last
    /// admin's; [`Taken`](StoreError::Taken): its map is no work, or is down already.
    Decide {
        /// Number of the report.
        n: u64,
        /// The decision on the report.
        decided: Decided,
    },
    /// Decides without a report of another person: the complaint is stored as one that the staff made. Returns its
    /// number.
    DecideAnew {
        /// The complaint that is kept; `decided` is set.
        complaint: Complaint,
    },
    /// Gives or takes a role. [`Missing`](StoreError::Missing): there is no such account;
    /// [`Conflict`](StoreError::Conflict): it is the last admin's.
    SetRole {
        /// Public id of the account.
        person: String,
        /// The role to give or to take.
        role: Role,
        /// True if the role is given, false if it is taken.
        give: bool,
    },
    /// Closes an account for good. Where the staff had closed or suspended it, its mailbox and accounts elsewhere are
    /// held back. Errors as in [`SetRole`](StaffDeed::SetRole).
    Forget {
        /// Public id of the account.
        person: String,
    },
    /// Bans a range; returns its number. [`Full`](StoreError::Full): there are as many as there may be.
    Ban(Ban),
    /// Lifts a ban. [`Missing`](StoreError::Missing): there is none of that number.
    Lift {
        /// The number of the ban.
        n: u64,
    },
    /// Announces something; returns its number. [`Full`](StoreError::Full).
    Announce(Announcement),
    /// Withdraws an announcement. [`Missing`](StoreError::Missing).
    Withdraw {
        /// The number of the announcement.
        n: u64,
    },
    /// Decides who may make an account, and whether only accounts play.
    Register {
        /// The rule for who may make one.
        registration: Registration,
        /// True if only accounts may play.
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
        /// The id of the invitation.
        id: String,
    },
    /// Makes, removes or restores a worker's key; errors as [`KeyDeed`] tells them.
    WorkerKey(KeyDeed),
    /// Changes nothing: only logs what was looked at, once an hour.
    Look,
}

/// Storage of the deeds of the staff and their log.
#[async_trait::async_trait]
pub trait StaffDesk: Send + Sync {
    /// Carries out a deed and logs it in one transaction; returns the number of the stored row. `spares_last`: the
    /// last admin keeps the role.
    async fn decide(&self, deed: StaffDeed, logged: Logged, spares_last: bool) -> Result<u64, StoreError>;

    /// A number that grows with each deed of the staff.
    async fn staff_version(&self) -> Result<u64, StoreError>;

    /// Returns the rules of access to the hall at that time.
    async fn house(&self, now_ms: u64) -> Result<House, StoreError>;

    /// Lines of the log, the newest first.
    async fn staff_log(&self, of: LogOf<'_>, most: u32) -> Result<Vec<Logged>, StoreError>;

    /// Lines of the log after that number, the oldest first.
    async fn staff_news(&self, after: u64, most: u32) -> Result<Vec<Logged>, StoreError>;

    /// Returns accounts whose folded name begins with `folded`, by name.
    async fn accounts_like(&self, folded: &str, most: u32) -> Result<Vec<PersonRow>, StoreError>;

    /// Returns accounts that were noted at the same networks as a person.
    async fn accounts_sharing(&self, person: &str, most: u32) -> Result<Vec<Sharing>, StoreError>;

    /// Returns accounts that were here since that time, each with the network at which it was noted last: an IPv4
    /// address, or a /64 of IPv6.
    async fn accounts_seen_at(&self, since_ms: u64, most: u32) -> Result<Vec<(String, String)>, StoreError>;

    /// Returns the valid invitations, the newest first.
    async fn invitations(&self, now_ms: u64) -> Result<Vec<Invitation>, StoreError>;

    /// Tells whether a name of that folded form is held back because its account was closed for good.
    async fn name_is_gone(&self, folded: &str) -> Result<bool, StoreError>;

    /// Tells whether a mailbox or an account elsewhere is held back, by its key.
    async fn is_held(&self, key: &[u8], now_ms: u64) -> Result<bool, StoreError>;

    /// Returns the moment at which a person made their account, as far as that is noted; otherwise the moment of
    /// their first visit, in Unix milliseconds.
    async fn account_since(&self, person: &str) -> Result<u64, StoreError>;
}
