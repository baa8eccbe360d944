//! Relations between people: challenges, following and blocking, chat at tables, and reports.

use people::challenge::RatingRange;
use people::moderation::{Decision, Subject};
use people::phrases::ChatMessage;
use table::Setup;
use wire::Side;

use crate::{PersonRow, StoreError};

/// A challenge that waits for an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Challenge {
    /// The id of the challenge: random.
    pub id: String,
    /// Public id of the challenger.
    pub from: String,
    /// Public id of the person who is challenged.
    pub to: String,
    /// The settings of the game to be played; `created_ms` is when the challenge was made.
    pub setup: Setup,
    /// The side of the challenger; `None`: drawn by lot.
    pub side: Option<Side>,
    /// The moment at which it expires, in Unix milliseconds.
    pub until_ms: u64,
}

/// The relation of one person to another.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Relation {
    /// True if they follow the other person and want to know when that one is online.
    pub follows: bool,
    /// True if they block the other person.
    pub blocks: bool,
    /// Their private note about the other person.
    pub note: Option<String>,
}

/// A chat line at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SaidRow {
    /// The number of the line, counted over all tables; 0 before it is stored.
    pub n: u64,
    /// The id of the table.
    pub table: String,
    /// Public id of the author.
    pub person: String,
    /// The name they had then.
    pub name: Option<String>,
    /// True if it was said in the chat of the spectators, not in that of the players.
    pub watching: bool,
    /// The text or the phrase that was said.
    pub said: ChatMessage,
    /// The moment at which it was said, in Unix milliseconds.
    pub at_ms: u64,
}

/// A report about a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The number of the report; 0 before it is stored.
    pub n: u64,
    /// Public id of the person who reports.
    pub by: String,
    /// Public id of the person who is reported.
    pub about: String,
    /// The subject of the report.
    pub subject: Subject,
    /// The words of the person who reports.
    pub words: String,
    /// The evidence that the hall found when it came in, as JSON.
    pub evidence: String,
    /// The moment at which it came in, in Unix milliseconds.
    pub made_ms: u64,
    /// The decision, if there is one.
    pub decided: Option<Decided>,
    /// The appeal of the reported person, and when it came in, in Unix milliseconds. A decision about it answers it.
    pub appeal: Option<(String, u64)>,
}

/// A decision of a moderator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decided {
    /// Public id of the moderator.
    pub by: String,
    /// The measure that was taken.
    pub decision: Decision,
    /// The reason, in words for the reported person.
    pub reason: String,
    /// The moment of the decision, in Unix milliseconds.
    pub at_ms: u64,
    /// The moment at which a mute or a suspension ends, in Unix milliseconds.
    pub until_ms: Option<u64>,
}

/// The selections of reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which<'a> {
    /// Reports that wait for a decision, and appeals, the oldest first.
    Open,
    /// All about that person, the newest first.
    About(&'a str),
    /// All that person sent, the newest first.
    By(&'a str),
    /// The one of that number.
    One(u64),
}

/// The changes to relations between people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deed {
    /// Keeps a challenge. [`Conflict`](StoreError::Conflict): there are as many as people may send, receive, or send to one
    /// person; [`Taken`](StoreError::Taken): the id.
    Challenge(Challenge),
    /// Deletes a challenge that was answered or withdrawn. [`Missing`](StoreError::Missing): it was deleted before.
    EndChallenge {
        /// The id of the challenge.
        id: String,
    },
    /// Sets the relation of one person to another. [`Conflict`](StoreError::Conflict): they have too many relations.
    Relate {
        /// Public id of the person whose relation it is.
        person: String,
        /// Public id of the other person.
        other: String,
        /// The new relation.
        relation: Relation,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
    /// Keeps what was said; returns its number.
    Say(SaidRow),
    /// Keeps a report; returns its number. [`Conflict`](StoreError::Conflict): the person has sent too many reports,
    /// or has reported the same person for the same before.
    Complain(Complaint),
    /// Appeals a decision. [`Missing`](StoreError::Missing): there is none about that person of that number;
    /// [`Conflict`](StoreError::Conflict): it was appealed before.
    Appeal {
        /// Number of the report.
        n: u64,
        /// Public id of the reported person.
        person: String,
        /// The words of the appeal.
        words: String,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
    /// Records that a person left a game.
    Leave {
        /// Public id of the person who left.
        person: String,
        /// The id of the table.
        table: String,
        /// The current time, in Unix milliseconds.
        now_ms: u64,
    },
    /// Keeps the range of ratings against which the person who opened a table wants to play.
    Seek {
        /// The id of the table.
        table: String,
        /// The range of ratings of the opponent.
        range: RatingRange,
    },
    /// Makes an account that of a program. [`Missing`](StoreError::Missing): there is no such account;
    /// [`Conflict`](StoreError::Conflict): it has played.
    BecomeProgram {
        /// Public id of the account.
        person: String,
    },
}

/// Storage of relations between people: challenges, following and blocking, chat, and reports.
#[async_trait::async_trait]
pub trait Together: Send + Sync + 'static {
    /// Carries out a change; returns the number of the stored row, or 0.
    async fn deed(&self, deed: Deed) -> Result<u64, StoreError>;

    /// A challenge that has not expired.
    async fn challenge(&self, id: &str, now_ms: u64) -> Result<Option<Challenge>, StoreError>;

    /// Returns the challenges that a person has sent or received and that have not expired, the oldest first.
    async fn challenges(&self, person: &str, now_ms: u64) -> Result<Vec<Challenge>, StoreError>;

    /// Returns the relation of one person to another.
    async fn relation(&self, person: &str, other: &str) -> Result<Relation, StoreError>;

    /// Returns the relations of a person to all others, by the others' names.
    async fn relations(&self, person: &str) -> Result<Vec<(PersonRow, Relation)>, StoreError>;

    /// Returns the public ids of the people whom a person blocks.
    async fn blocked(&self, person: &str) -> Result<Vec<String>, StoreError>;

    /// Returns the public ids of the people who block a person or whom that person blocks.
    async fn apart(&self, person: &str) -> Result<Vec<String>, StoreError>;

    /// Returns the last lines said at a table among players or spectators, the oldest first, without the free words
    /// of people who are muted or whose account was closed.
    async fn said(
        &self,
        table: &str,
        watching: bool,
        most: u32,
        now_ms: u64,
    ) -> Result<Vec<SaidRow>, StoreError>;

    /// Returns the lines that a person said after number `after`, the oldest first.
    async fn said_by(&self, person: &str, after: u64, most: u32) -> Result<Vec<SaidRow>, StoreError>;

    /// Returns the line of that number, and the lines just before it in the same chat of the same table.
    async fn said_around(&self, n: u64, most: u32) -> Result<Vec<SaidRow>, StoreError>;

    /// Returns the selected reports.
    async fn complaints(&self, which: Which<'_>, most: u32) -> Result<Vec<Complaint>, StoreError>;

    /// Returns the moment until which a person is muted or suspended, in Unix milliseconds; `None` when they are not.
    async fn muted_until(&self, person: &str, now_ms: u64) -> Result<Option<u64>, StoreError>;

    /// Returns the range of ratings against which the person who opened a table wants to play.
    async fn seek(&self, table: &str) -> Result<Option<RatingRange>, StoreError>;

    /// Returns the number of games that a person has left since `since_ms`, in Unix milliseconds.
    async fn left_since(&self, person: &str, since_ms: u64) -> Result<u32, StoreError>;
}
