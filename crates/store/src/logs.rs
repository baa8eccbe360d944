//! The logs of tables: the source of truth, of which everything else about a table is computed.

use kernel::Side;
use table::{Entry, Setup, Standing};
use wire::ClockSpec;

use crate::StoreError;
use crate::games::Finished;

/// A table as it was loaded from the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The agreed settings of the game.
    pub setup: Setup,
    /// All entries of the log, by rising version without gaps.
    pub log: Vec<Entry>,
    /// The sleep state; `None` when the table was not put to sleep, or an entry was appended since.
    pub asleep: Option<Asleep>,
    /// The number of failures of the table's task; see [`Tables::strike`](crate::Tables::strike).
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

/// Logs of tables.
#[async_trait::async_trait]
pub trait Logs: Send + Sync + 'static {
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

    /// Appends the entry that ends a game, like [`append`](Logs::append): the game's row, and the
    /// changes of ratings, are in the same commit.
    async fn finish(
        &self,
        id: &str,
        entry: Entry,
        standing: Standing,
        game: Finished,
    ) -> Result<(), StoreError>;

    /// Appends an entry in a slow game that goes on, like [`append`](Logs::append), and sets the new
    /// deadline in the same commit.
    async fn append_slow(
        &self,
        id: &str,
        entry: Entry,
        standing: Option<Standing>,
        asleep: Asleep,
    ) -> Result<(), StoreError>;

    /// Returns a table with its log; `None` when there is no such table.
    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError>;

    /// Returns the entries after version `since_ver`, at most `most`; empty where there are none, or no such table.
    async fn log(&self, id: &str, since_ver: u64, most: u32) -> Result<Vec<Entry>, StoreError>;
}
