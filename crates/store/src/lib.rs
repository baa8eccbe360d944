//! Storage of everything that survives a restart: tables with their logs, people, maps and reports.
//!
//! The log of a table is the source of truth: the state of a table is computed from its entries. An entry that was
//! appended is on disk before [`Store::append`] returns, and it is there exactly once, in the order of its version.
//! Data that were damaged on disk are reported when they are read ([`StoreError::Damaged`]) and never returned as
//! whole.
//!
//! Reading order: [`Store`], [`games`], [`slow`], [`notices`], [`mail`], [`shelf`], [`studies`], [`questions`] and [`journal`] (what can be asked), [`error`], [`format`](mod@format) (events as they are written),
//! [`accounts`] (what changes about people), [`together`] (what they have to do with each other), [`staff`] (what the staff decides, and its log), [`chain`] (checksums of a log), [`folded`] (logs of finished games in little room), [`claims`] (which process owns
//! which table), [`moving`] (from one database to the other), [`workers`] (who thinks for the hall), [`wal`] and [`tip`] (whether commits were lost), [`sqlite`] and [`postgres`] (the two implementations, whose
//! SQL is mostly the same and lies in the folder `sql`; nothing else knows SQL).

#![allow(
    clippy::duplicate_mod,
    reason = "the files in `sql` are compiled once for each database, on purpose"
)]

pub mod accounts;
pub mod chain;
pub mod claims;
pub mod error;
pub mod folded;
pub mod format;
pub mod games;
pub mod journal;
pub mod mail;
pub mod moving;
pub mod notices;
pub mod postgres;
pub mod questions;
pub mod shelf;
pub mod slow;
pub mod sqlite;
pub mod staff;
pub mod studies;
pub mod tip;
pub mod together;
pub mod wal;
pub mod workers;

use std::path::Path;

use catalog::maps::Package;
use kernel::Side;
use table::{Entry, Setup, Standing};
use wire::{ClockSpec, MapLine};

pub use accounts::{Account, Change, Find, Note, SessionOf, TokenOf};
pub use claims::{Claim, Claims, NodeRow, Owned};
pub use error::{Damage, StoreError, Whose};
pub use games::Games;
pub use journal::Journals;
pub use mail::Mail;
pub use moving::{Moved, move_to_postgres};
pub use notices::Notices;
pub use postgres::{Join, Postgres};
pub use questions::Questions;
pub use shelf::Shelf;
pub use slow::SlowGames;
pub use sqlite::{
    Judge, Judged, Open, Rebuilt, Report, Sqlite, backup, check, check_at_rest, rebuild, recompute_ratings,
    restore,
};
pub use staff::StaffDesk;
pub use studies::Studies;
pub use together::Together;
pub use workers::{KeyDeed, KeyRow, SharedSearches, WorkerKeys};

/// A table as it was loaded from the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The agreed settings of the game.
    pub setup: Setup,
    /// All entries of the log, by rising version without gaps.
    pub log: Vec<Entry>,
    /// The sleep state; `None` when the table was not put to sleep, or an entry was appended since.
    pub asleep: Option<Asleep>,
    /// The number of failures of the table's task; see [`Store::strike`].
    pub strikes: u32,
}

/// The sleep state of a table that is not held in memory: since when, and until which deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asleep {
    /// The moment at which it was put to sleep, in Unix milliseconds.
    pub since_ms: u64,
    /// The moment at which the clock of the side to move runs out, in Unix milliseconds.
    pub deadline_ms: u64,
    /// The side to move in a slow game, which has such a row whether it sleeps or not; `None` in other games.
    pub turn: Option<Side>,
    /// The moment since which the clock is stopped because the side to move is on vacation; the deadline does not
    /// count then.
    pub held_ms: Option<u64>,
}

impl Asleep {
    /// Builds the sleep state of a game that is not slow.
    #[must_use]
    pub fn until(since_ms: u64, deadline_ms: u64) -> Asleep {
        Asleep { since_ms, deadline_ms, turn: None, held_ms: None }
    }

    /// Returns the same state after its clock was stopped from `from_ms` to `to_ms`: the time that is left stays.
    #[must_use]
    pub fn stood_still(self, clock: ClockSpec, from_ms: u64, to_ms: u64) -> Asleep {
        let budget_ms = clock.counted_ms(self.since_ms, self.deadline_ms);
        let since_ms = clock.begun_ms(to_ms, clock.counted_ms(self.since_ms, from_ms));
        Asleep { since_ms, deadline_ms: clock.deadline_ms(since_ms, budget_ms), ..self }
    }
}

/// The kinds of people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
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
    pub kind: Kind,
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
    pub kind: Kind,
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

/// The outcomes of an [`adopt`](Store::adopt).
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

/// The limits on the number of maps and on their total size, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapRoom {
    /// The most maps of one person.
    pub maps_each: u32,
    /// The most bytes that the maps of one person take.
    pub bytes_each: u64,
    /// The most maps of all people together.
    pub maps: u32,
    /// The most bytes that all maps together take.
    pub bytes: u64,
}

/// A map to be kept.
#[derive(Clone, PartialEq, Debug)]
pub struct NewMap {
    /// The line that lists show of it.
    pub line: MapLine,
    /// Public id of the person who brings it.
    pub owner: String,
    /// The workbook and its extensions.
    pub package: Package,
    /// True if the old names of places are known in it.
    pub old_names: bool,
    /// The names and versions of the shared extensions of which it has copies; those that are not on the shelf are left
    /// out.
    pub uses: Vec<(String, u32)>,
    /// The version of a work as which it is published; `None` if its author is only trying it out. No map is public
    /// without being a version of a work.
    pub version: Option<shelf::NewVersion>,
}

/// A map as it was loaded from the store.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredMap {
    /// The line that lists show of it.
    pub line: MapLine,
    /// The workbook and its extensions.
    pub package: Package,
    /// True if the old names of places are known in it.
    pub old_names: bool,
    /// True if its author is only trying it out.
    pub trial: bool,
}

/// The disk usage of a store, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The bytes that the store takes.
    pub bytes_used: u64,
    /// The bytes that are free on its file system for this user.
    pub bytes_free_on_disk: u64,
}

/// The load of a store.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Strain {
    /// The number of open connections to the database.
    pub connections: u32,
    /// The number of open connections that are idle.
    pub idle: u32,
    /// The number of writes that wait for a commit.
    pub queued: usize,
}

/// The retention periods of unused data. Ages are in milliseconds; `None` is for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retention {
    /// The retention of finished tables at which no account sat, counted from their last event.
    pub guest_tables_ms: Option<u64>,
    /// The retention of guests who sit at no table and own no map, counted from their last visit.
    pub guests_ms: Option<u64>,
    /// The retention of names of rooms that wait for a player, counted from the opening of the room. Links to the
    /// rooms work as before.
    pub rooms_ms: Option<u64>,
    /// The retention of maps with which no table was opened, counted from their upload.
    pub maps_ms: Option<u64>,
}

/// Returns the time of the machine's clock, in Unix milliseconds. The environment variable `QIGUAN_CLOCK_OFF_S`
/// shifts it by a number of seconds, for `scripts/chaos.sh`.
#[must_use]
pub fn now_ms() -> u64 {
    static OFF_S: std::sync::LazyLock<i64> = std::sync::LazyLock::new(|| {
        std::env::var("QIGUAN_CLOCK_OFF_S").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
    });
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let now_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    now_ms.saturating_add_signed(OFF_S.saturating_mul(1_000))
}

const DAY_MS: u64 = 86_400_000;
/// The default retention of names of rooms that wait for a player, in milliseconds.
pub const ROOMS_MS: u64 = 7 * DAY_MS;

impl Default for Retention {
    fn default() -> Self {
        Retention {
            guest_tables_ms: None,
            guests_ms: Some(30 * DAY_MS),
            rooms_ms: Some(ROOMS_MS),
            maps_ms: Some(90 * DAY_MS),
        }
    }
}

/// The numbers of things that [`Store::forget`] deleted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Forgotten {
    /// Number of tables deleted.
    pub tables: u64,
    /// Number of guests deleted.
    pub guests: u64,
    /// The number of rooms whose names are free again.
    pub rooms: u64,
    /// Number of maps deleted.
    pub maps: u64,
}

/// The result of a round of folding.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Folded {
    /// Games whose rows became one.
    pub games: u64,
    /// The number of those rows.
    pub rows: u64,
    /// True if nothing is left to fold.
    pub is_done: bool,
    /// A node of an older program is at work, which could not read a folded game: nothing was folded.
    pub waits: bool,
}

/// The store of a hall. A method that returns `Ok` has its data on disk.
#[async_trait::async_trait]
pub trait Store: Claims + Games + Mail + Notices + SlowGames + StaffDesk + Together {
    /// Opens a table whose log begins with `log`. [`Taken`](StoreError::Taken): the id, or the room's name.
    async fn create(
        &self,
        id: &str,
        setup: &Setup,
        log: Vec<Entry>,
        standing: Standing,
    ) -> Result<(), StoreError>;

    /// Appends one entry; `standing` is given when it changed. The table is no longer asleep.
    ///
    /// Refused with [`Conflict`](StoreError::Conflict) when the version is not the next, with
    /// [`Taken`](StoreError::Taken) when the new standing opens a room whose name another table has. The owner of the
    /// table, which knows its log, makes sure that no command is carried out twice; two owners would meet in a
    /// conflict.
    async fn append(&self, id: &str, entry: Entry, standing: Option<Standing>) -> Result<(), StoreError>;

    /// Returns a table with its log; `None` when there is no such table.
    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError>;

    /// Returns the entries after version `since_ver`, at most `most`; empty where there are none, or no such table.
    async fn log(&self, id: &str, since_ver: u64, most: u32) -> Result<Vec<Entry>, StoreError>;

    /// Returns the id of the open room of that name.
    async fn room(&self, name: &str) -> Result<Option<String>, StoreError>;

    /// Returns the ids of the tables that wait for a player and stay open while their owner is away: rooms, and open
    /// tables of slow games that were opened after `since_ms`, in Unix milliseconds. First come the newest ones of
    /// accounts, then those of guests, and last the ones beyond the share of one person; in each group the newest
    /// come first.
    async fn waiting_tables(&self, since_ms: u64, most: u32) -> Result<Vec<String>, StoreError>;

    /// Ids of the unfinished tables at which that person sits, newest first.
    async fn playing(&self, person: &str, most: u32) -> Result<Vec<String>, StoreError>;

    /// Records that a table is put to sleep while a clock runs. The next entry, or [`wake`](Store::wake), undoes it.
    async fn sleep(&self, id: &str, asleep: Asleep) -> Result<(), StoreError>;

    /// Undoes [`sleep`](Store::sleep), without an entry in the log.
    async fn wake(&self, id: &str) -> Result<(), StoreError>;

    /// Ids of the sleeping tables whose deadline is not after `now_ms`, the earliest first; without those whose clock is
    /// held.
    async fn due(&self, now_ms: u64, most: u32) -> Result<Vec<String>, StoreError>;

    /// Counts one more failure of a table's task and returns the number of failures.
    async fn strike(&self, id: &str) -> Result<u32, StoreError>;

    /// Forgets the failures of a table's task.
    async fn pardon(&self, id: &str) -> Result<(), StoreError>;

    /// Records a heartbeat of the hall at `now_ms`, in Unix milliseconds. Called about once a second: the write also
    /// reveals the loss of later commits.
    async fn beat(&self, now_ms: u64) -> Result<(), StoreError>;

    /// Returns the last [`beat`](Store::beat) of the previous run, in Unix milliseconds.
    fn last_beat(&self) -> Option<u64>;

    /// The person whose session's secret has that SHA-256.
    async fn person_by(&self, hash: &[u8; 32]) -> Result<Option<PersonRow>, StoreError>;

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

    /// An account, or a guest where one is looked for by id.
    async fn account(&self, find: Find<'_>) -> Result<Option<Account>, StoreError>;

    /// The session whose secret has that SHA-256.
    async fn session(&self, hash: &[u8; 32]) -> Result<Option<SessionOf>, StoreError>;

    /// The token whose secret has that SHA-256; also one that has expired.
    async fn token(&self, hash: &[u8; 32]) -> Result<Option<TokenOf>, StoreError>;

    /// Carries out a change to an account and records the note on it, in one transaction.
    async fn change(&self, change: Change, note: Option<Note>) -> Result<(), StoreError>;

    /// Returns the notes about one person, or about all, the newest first, each with its number; only those with a
    /// number below `below`.
    async fn noted(
        &self,
        person: Option<&str>,
        below: Option<u64>,
        most: u32,
    ) -> Result<Vec<(u64, Note)>, StoreError>;

    /// Ids of the tables at which that person ever sat, after `after`, by rising id.
    async fn tables_of(&self, person: &str, after: &str, most: u32) -> Result<Vec<String>, StoreError>;

    /// Ids of the maps that person brought.
    async fn maps_of(&self, person: &str) -> Result<Vec<String>, StoreError>;

    /// Ends the sessions of a guest, gives the maps to an account, and records that the games are to follow by
    /// [`merge_part`](Store::merge_part). [`Missing`](StoreError::Missing): there is no such guest, or no such
    /// account, or the games are being moved already.
    async fn merge(&self, guest: &str, account: &str) -> Result<(), StoreError>;

    /// Public ids of guests whose games are on their way, each with that of the account.
    async fn merging(&self) -> Result<Vec<(String, String)>, StoreError>;

    /// Moves some of a guest's games to the account, unfinished ones first, and returns their tables, which may be
    /// held in memory. Tables at which both ever sat stay as they are. `None`: all is done.
    async fn merge_part(&self, guest: &str) -> Result<Option<Vec<String>>, StoreError>;

    /// Public ids of closed accounts whose name is still in logs.
    async fn closing(&self) -> Result<Vec<String>, StoreError>;

    /// Removes the name of a closed account from the logs of some of its tables, and returns these; empty where all
    /// is done.
    async fn scrub(&self, person: &str) -> Result<Vec<String>, StoreError>;

    /// Stores a map if the limits of `room` allow it, and publishes it if it comes with a version, in one transaction.
    /// A map that is there already stays as it is, but for a trial that is published now.
    /// [`Missing`](StoreError::Missing): no such work of that owner. [`Conflict`](StoreError::Conflict): another
    /// version was published first. The same files again change nothing, or the name and the tags of their work.
    async fn keep_map(&self, map: NewMap, room: MapRoom) -> Result<(), StoreError>;

    /// A map with its files.
    async fn map(&self, id: &str) -> Result<Option<StoredMap>, StoreError>;

    /// Maps whose name holds `search`, newest first.
    async fn maps(&self, search: &str, most: u32) -> Result<Vec<MapLine>, StoreError>;

    /// The shelf of maps.
    fn shelf(&self) -> &dyn Shelf;

    /// Returns the storage of studies.
    fn studies(&self) -> &dyn Studies;

    /// Returns the storage of pending questions.
    fn questions(&self) -> &dyn Questions;

    /// The journals of files of which each node has a copy.
    fn journals(&self) -> &dyn Journals;

    /// Returns the storage of keys of workers.
    fn worker_keys(&self) -> &dyn WorkerKeys;

    /// Returns the storage of searches that wait for workers of all nodes; `None` where there is one process only.
    fn searches(&self) -> Option<&dyn SharedSearches>;

    /// The report that was kept about a table, and the version of the table it is about.
    async fn report(&self, id: &str) -> Result<Option<(u64, String)>, StoreError>;

    /// Stores a report about a table, instead of an older one.
    async fn keep_report(&self, id: &str, ver: u64, body: &str) -> Result<(), StoreError>;

    /// Deletes data that are older than their retention period.
    async fn forget(&self, retention: Retention, now_ms: u64) -> Result<Forgotten, StoreError>;

    /// Folds the rows of the next few games that ended before that moment, in Unix milliseconds: they take less room,
    /// and read as before. It is one short commit; a caller that wants more asks again, until
    /// [`is_done`](Folded::is_done).
    async fn fold(&self, before_ms: u64) -> Result<Folded, StoreError>;

    /// Returns the disk usage of the store and the free space.
    async fn size(&self) -> Result<Size, StoreError>;

    /// Returns the current load of the store; costs nothing.
    fn strain(&self) -> Strain;

    /// Tests whether the database answers.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Writes a row and waits for the disk. After a full disk this tests whether writing works again.
    async fn probe_write(&self) -> Result<(), StoreError>;

    /// Returns true if the store can only be read, because there was no room on the disk when it was opened.
    fn is_read_only(&self) -> bool;

    /// Writes a copy of everything to the file `path`, which must not exist, while the store is used, and checks it.
    /// A table that is damaged here is damaged in the copy; the report names it.
    async fn backup(&self, path: &Path) -> Result<Report, StoreError>;

    /// Waits until a check of a large database, which runs beside its use, finds damage; for ever where it finds none.
    async fn damage(&self) -> StoreError;

    /// Stops writing: waits for pending writes and records a clean stop. Later writes are refused.
    async fn close(&self);
}
