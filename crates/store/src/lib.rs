//! Storage of everything that survives a restart: tables with their logs, people, maps and reports.
//!
//! A [`Store`] is a handle for each subject: `store.mail.mail_address("ann")`. A part of the hall that needs one subject
//! is handed that one only, as an `Arc<dyn Mail>`.
//!
//! The log of a table is the source of truth: the state of a table is computed from its entries. An entry that was
//! appended is on disk before [`Logs::append`] returns, and it is there exactly once, in the order of its version.
//! Data that were damaged on disk are reported when they are read ([`StoreError::Damaged`]) and never returned as
//! whole.
//!
//! Reading order: [`Store`]; the subjects, which are what can be asked: [`logs`], [`tables`], [`claims`] (which process
//! owns which table), [`games`], [`slow`], [`people`], [`accounts`] (what changes about people), [`together`] (what
//! they have to do with each other), [`staff`] (what the staff decides, and its log), [`mail`], [`notices`],
//! [`questions`], [`maps`], [`shelf`], [`studies`], [`journal`], [`workers`] (who thinks for the hall), [`pulse`],
//! [`condition`], [`upkeep`]; [`error`]; [`format`](mod@format) (events as they are written), [`chain`] (checksums of a
//! log), [`folded`] (logs of finished games in little room), [`wal`] and [`tip`] (whether commits were lost), [`report`]
//! (results of a check), [`moving`] (from one database to the other), `work` (requests to a writer), [`sqlite`] and
//! [`postgres`] (the two databases, whose SQL is nearly all the same and lies in the folder `sql`; nothing else knows
//! SQL).
//!
//! # A new thing to be stored
//!
//! It touches four files, two of which are new:
//!
//! 1. `src/NAME.rs`: its types and its trait, which is what the hall can ask.
//! 2. `src/lib.rs`: `pub mod`, a field of [`Store`] with its line in `Store::of`, and a word in `subjects!`.
//! 3. `src/sql/NAME.rs`: its tables, its statements, and its trait for both databases. Changes implement `Work`, which
//!    the writers carry out in their transactions without knowing what it is.
//! 4. `src/sql/mod.rs`: `mod`, and its tables in the list of migrations.
//!
//! `tests/statements.rs` prepares every statement on both databases and finds a column that one of them does not have.

#![allow(
    clippy::duplicate_mod,
    reason = "the files in `sql` are compiled once for each database, on purpose"
)]

pub mod accounts;
pub mod chain;
pub mod claims;
pub mod condition;
pub mod error;
pub mod folded;
pub mod format;
pub mod games;
pub mod journal;
pub mod logs;
pub mod mail;
pub mod maps;
pub mod moving;
pub mod notices;
pub mod people;
pub mod postgres;
pub mod pulse;
pub mod questions;
pub mod report;
pub mod shelf;
pub mod slow;
pub mod sqlite;
pub mod staff;
pub mod studies;
pub mod tables;
pub mod tip;
pub mod together;
pub mod upkeep;
pub mod wal;
pub mod workers;
mod work;

use std::sync::Arc;

pub use accounts::{Account, Accounts, Change, Find, Note, SessionOf, TokenOf};
pub use claims::{Claim, Claims, NodeRow, Owned};
pub use condition::{Condition, Size, Strain};
pub use error::{Damage, StoreError, Whose};
pub use games::Games;
pub use journal::Journals;
pub use logs::{Asleep, Logs, Stored};
pub use mail::Mail;
pub use maps::{MapRoom, Maps, NewMap, StoredMap};
pub use moving::{Moved, move_to_postgres};
pub use notices::Notices;
pub use people::{Adoption, NewPerson, People, PersonRow, StoredPersonKind};
pub use postgres::{Join, check_address, check_connection, check_database};
pub use pulse::Pulse;
pub use questions::Questions;
pub use report::{Judge, Judged, Report};
pub use shelf::Shelf;
pub use slow::SlowGames;
pub use sqlite::{Open, Rebuilt, backup, check, check_at_rest, rebuild, recompute_ratings, restore};
pub use staff::StaffDesk;
pub use studies::Studies;
pub use tables::Tables;
pub use together::Together;
pub use upkeep::{Folded, Forgotten, ROOMS_MS, Retention, Upkeep};
pub use workers::{KeyDeed, KeyRow, SharedSearches, WorkerKeys};

/// The store of a hall: a handle for each subject. A method that returns `Ok` has its data on disk.
///
/// A copy is the same store. Another store may take the place of one handle, as a test does whose disk is to be slow:
/// `Store { logs: Arc::new(slow), ..store }`.
#[derive(Clone)]
pub struct Store {
    /// The logs of tables.
    pub logs: Arc<dyn Logs>,
    /// Tables, beside their logs.
    pub tables: Arc<dyn Tables>,
    /// The owners of tables, among several processes.
    pub claims: Arc<dyn Claims>,
    /// Finished games, and ratings.
    pub games: Arc<dyn Games>,
    /// Slow games, vacations and plans.
    pub slow: Arc<dyn SlowGames>,
    /// People, with or without accounts.
    pub people: Arc<dyn People>,
    /// Accounts, with their sessions and tokens.
    pub accounts: Arc<dyn Accounts>,
    /// Challenges, relations, words at tables, and reports.
    pub together: Arc<dyn Together>,
    /// The desk of the staff.
    pub staff: Arc<dyn StaffDesk>,
    /// Mail addresses, links in letters and digests.
    pub mail: Arc<dyn Mail>,
    /// Notices to people and their devices.
    pub notices: Arc<dyn Notices>,
    /// Questions that wait for their answers.
    pub questions: Arc<dyn Questions>,
    /// Maps that people brought.
    pub maps: Arc<dyn Maps>,
    /// The shelf of works and extensions.
    pub shelf: Arc<dyn Shelf>,
    /// Studies and their events.
    pub studies: Arc<dyn Studies>,
    /// Journals of files of which each node has a copy.
    pub journals: Arc<dyn Journals>,
    /// Keys of workers.
    pub worker_keys: Arc<dyn WorkerKeys>,
    /// Heartbeats of the hall, and outages.
    pub pulse: Arc<dyn Pulse>,
    /// The condition of the store.
    pub condition: Arc<dyn Condition>,
    /// Upkeep: deleting, folding, copying.
    pub upkeep: Arc<dyn Upkeep>,
    /// Searches that wait for workers of all nodes; `None` where there is one process only.
    pub searches: Option<Arc<dyn SharedSearches>>,
}

macro_rules! subjects {
    ($($subject:ident),+ $(,)?) => {
        /// All subjects of a store, which a database has to answer.
        pub(crate) trait Subjects: $($subject +)+ {}

        impl<T: $($subject +)+> Subjects for T {}
    };
}

subjects! {
    Logs, Tables, Claims, Games, SlowGames, People, Accounts, Together, StaffDesk, Mail, Notices, Questions, Maps, Shelf,
    Studies, Journals, WorkerKeys, Pulse, Condition, Upkeep,
}

impl Store {
    /// Hands out a database by its subjects.
    pub(crate) fn of<D: Subjects>(database: Arc<D>, searches: Option<Arc<dyn SharedSearches>>) -> Store {
        Store {
            logs: Arc::clone(&database) as _,
            tables: Arc::clone(&database) as _,
            claims: Arc::clone(&database) as _,
            games: Arc::clone(&database) as _,
            slow: Arc::clone(&database) as _,
            people: Arc::clone(&database) as _,
            accounts: Arc::clone(&database) as _,
            together: Arc::clone(&database) as _,
            staff: Arc::clone(&database) as _,
            mail: Arc::clone(&database) as _,
            notices: Arc::clone(&database) as _,
            questions: Arc::clone(&database) as _,
            maps: Arc::clone(&database) as _,
            shelf: Arc::clone(&database) as _,
            studies: Arc::clone(&database) as _,
            journals: Arc::clone(&database) as _,
            worker_keys: Arc::clone(&database) as _,
            pulse: Arc::clone(&database) as _,
            condition: Arc::clone(&database) as _,
            upkeep: Arc::clone(&database) as _,
            searches,
        }
    }
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
