//! What people have to do with each other: challenges, whom they follow or block, what they say at tables, and reports.

use people::challenge::RatingRange;
use people::moderation::{Decision, Subject};
use people::phrases::Said;
use table::Setup;
use wire::Side;

use crate::{PersonRow, StoreError};

/// A challenge that waits for an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Challenge {
    /// Random.
    pub id: String,
    /// Public id of who challenges.
    pub from: String,
    /// Public id of who is challenged.
    pub to: String,
    /// What is to be played; `created_ms` is when the challenge was made.
    pub setup: Setup,
    /// The side of the challenger; `None`: by lot.
    pub side: Option<Side>,
    /// When it expires, in Unix milliseconds.
    pub until_ms: u64,
}

/// What somebody is to somebody else.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Relation {
    /// Wants to know when they are here.
    pub follows: bool,
    /// Wants to have nothing to do with them.
    pub blocks: bool,
    /// What they noted, for themselves alone.
    pub note: Option<String>,
}

/// Something that was said at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidRow {
    /// Counts what was said in all; 0 before it is stored.
    pub n: u64,
    /// The id of the table.
    pub table: String,
    /// Public id of who said it.
    pub person: String,
    /// The name they had then.
    pub name: Option<String>,
    /// Whether it was said among those who watch, and not among the players.
    pub watching: bool,
    /// What was said.
    pub said: Said,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
}

/// A report about somebody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// Counts reports; 0 before it is stored.
    pub n: u64,
    /// Public id of who reports.
    pub by: String,
    /// Public id of whom it is about.
    pub about: String,
    /// What about them.
    pub subject: Subject,
    /// What was said with it.
    pub words: String,
    /// What the hall found when it came in, as JSON.
    pub evidence: String,
    /// When it came in, in Unix milliseconds.
    pub made_ms: u64,
    /// What was decided.
    pub decided: Option<Decided>,
    /// The appeal of whom it is about, and when it came in, in Unix milliseconds. A decision about it answers it.
    pub appeal: Option<(String, u64)>,
}

/// What a moderator decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decided {
    /// Public id of the moderator.
    pub by: String,
    /// What.
    pub decision: Decision,
    /// Why, in words for whom it is about.
    pub reason: String,
    /// When, in Unix milliseconds.
    pub at_ms: u64,
    /// When a mute or a suspension ends, in Unix milliseconds.
    pub until_ms: Option<u64>,
}

/// Which reports are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which<'a> {
    /// Those that wait for a decision, and appeals, the oldest first.
    Open,
    /// All about that person, the newest first.
    About(&'a str),
    /// All that person sent, the newest first.
    By(&'a str),
    /// The one of that number.
    One(u64),
}

/// Something that people do with each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deed {
    /// Keeps a challenge. [`Conflict`](StoreError::Conflict): there are as many as people may send, receive, or send to one
    /// person; [`Taken`](StoreError::Taken): the id.
    Challenge(Challenge),
    /// Takes a challenge out, because it was answered or withdrawn. [`Missing`](StoreError::Missing): somebody else did.
    EndChallenge {
        /// Of the challenge.
        id: String,
    },
    /// Sets what somebody is to somebody else. [`Conflict`](StoreError::Conflict): they know too many.
    Relate {
        /// Whose relation it is.
        person: String,
        /// To whom.
        other: String,
        /// What it is from now on.
        relation: Relation,
        /// Now, in Unix milliseconds.
        now_ms: u64,
    },
    /// Keeps what was said; returns its number.
    Say(SaidRow),
    /// Keeps a report; returns its number. [`Conflict`](StoreError::Conflict): who reports has sent too many, or has
    /// reported the same person for the same before.
    Complain(Complaint),
    /// Appeals a decision. [`Missing`](StoreError::Missing): there is none about that person of that number;
    /// [`Conflict`](StoreError::Conflict): it was appealed before.
    Appeal {
        /// Number of the report.
        n: u64,
        /// Public id of whom it is about.
        person: String,
        /// What they say.
        words: String,
        /// Now, in Unix milliseconds.
        now_ms: u64,
    },
    /// Notes that somebody left a game.
    Leave {
        /// Public id.
        person: String,
        /// The table.
        table: String,
        /// Now, in Unix milliseconds.
        now_ms: u64,
    },
    /// Keeps which ratings whoever opened a table wants to play against.
    Seek {
        /// The table.
        table: String,
        /// The ratings.
        range: RatingRange,
    },
    /// Makes an account that of a program. [`Missing`](StoreError::Missing): there is no such account;
    /// [`Conflict`](StoreError::Conflict): it has played.
    BecomeProgram {
        /// Public id of the account.
        person: String,
    },
}

/// What people have to do with each other.
#[async_trait::async_trait]
pub trait Together: Send + Sync + 'static {
    /// Carries a deed out; returns the number of what was kept, or 0.
    async fn deed(&self, deed: Deed) -> Result<u64, StoreError>;

    /// A challenge that has not expired.
    async fn challenge(&self, id: &str, now_ms: u64) -> Result<Option<Challenge>, StoreError>;

    /// The challenges that somebody has sent or received and that have not expired, the oldest first.
    async fn challenges(&self, person: &str, now_ms: u64) -> Result<Vec<Challenge>, StoreError>;

    /// What somebody is to somebody else.
    async fn relation(&self, person: &str, other: &str) -> Result<Relation, StoreError>;

    /// Everybody to whom somebody is something, by name.
    async fn relations(&self, person: &str) -> Result<Vec<(PersonRow, Relation)>, StoreError>;

    /// Public ids of those whom somebody blocks.
    async fn blocked(&self, person: &str) -> Result<Vec<String>, StoreError>;

    /// Public ids of those who block somebody, or whom they block.
    async fn apart(&self, person: &str) -> Result<Vec<String>, StoreError>;

    /// What was said last at a table among players or watchers, the oldest first, without the free words of those who are
    /// muted or whose account was closed.
    async fn said(
        &self,
        table: &str,
        watching: bool,
        most: u32,
        now_ms: u64,
    ) -> Result<Vec<SaidRow>, StoreError>;

    /// Everything somebody said after `after`, the oldest first.
    async fn said_by(&self, person: &str, after: u64, most: u32) -> Result<Vec<SaidRow>, StoreError>;

    /// What was said under that number, and just before it at the same place of the same table.
    async fn said_around(&self, n: u64, most: u32) -> Result<Vec<SaidRow>, StoreError>;

    /// Reports.
    async fn complaints(&self, which: Which<'_>, most: u32) -> Result<Vec<Complaint>, StoreError>;

    /// Until when somebody is muted or suspended, in Unix milliseconds; `None` when they are not.
    async fn muted_until(&self, person: &str, now_ms: u64) -> Result<Option<u64>, StoreError>;

    /// Which ratings whoever opened a table wants to play against.
    async fn seek(&self, table: &str) -> Result<Option<RatingRange>, StoreError>;

    /// Public id of who brought a map, and its name.
    async fn map_owner(&self, id: &str) -> Result<Option<(String, String)>, StoreError>;

    /// How many games somebody has left since then, in Unix milliseconds.
    async fn left_since(&self, person: &str, since_ms: u64) -> Result<u32, StoreError>;
}
