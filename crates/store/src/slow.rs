//! Slow games: their deadlines, vacations, and what players keep to themselves about a game.

use kernel::Side;
use people::vacation::Vacation;
use table::{Entry, Standing};

use crate::{Asleep, StoreError};

/// A slow game that is being played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlowGame {
    /// The table's id.
    pub id: String,
    /// The side the asker plays.
    pub side: Side,
    /// Since when the side to move may think, and until when.
    pub asleep: Asleep,
}

impl SlowGame {
    /// Whether the asker is to move.
    #[must_use]
    pub fn is_mine(&self) -> bool {
        self.asleep.turn == Some(self.side)
    }
}

/// Lines that somebody has planned: machine texts of moves, first the opponent's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPlan {
    /// Public id of the person whose moves they hold.
    pub person: String,
    /// The plies of the game before the first move of each line.
    pub from_ply: u32,
    /// None of them is empty.
    pub lines: Vec<Vec<String>>,
}

/// What only slow games need.
#[async_trait::async_trait]
pub trait SlowGames: Send + Sync + 'static {
    /// As [`Store::append`](crate::Store::append), in a slow game that goes on: it says until when, in the same commit.
    async fn append_slow(
        &self,
        id: &str,
        entry: Entry,
        standing: Option<Standing>,
        asleep: Asleep,
    ) -> Result<(), StoreError>;

    /// Takes the time in which no hall ran out of the clocks of all sleeping tables, and returns how much it was, in
    /// milliseconds. To be called once, when a hall opens.
    async fn resume(&self, now_ms: u64) -> Result<u64, StoreError>;

    /// The same for a hall that ran on while the store was away, since `from_ms` as far as it knows: the time since the last beat
    /// of any hall is taken out, and no more than since `from_ms`.
    async fn resume_from(&self, from_ms: u64, now_ms: u64) -> Result<u64, StoreError>;

    /// The slow games that person plays, at most `most`: those in which they are to move first, by deadline.
    async fn slow_games(&self, person: &str, most: u32) -> Result<Vec<SlowGame>, StoreError>;

    /// The vacation of a person; `None`: they never had one.
    async fn vacation(&self, person: &str) -> Result<Option<Vacation>, StoreError>;

    /// Who is on vacation.
    async fn on_vacation(&self) -> Result<Vec<(String, Vacation)>, StoreError>;

    /// Keeps a vacation that begins or ends at `now_ms`, and holds the clocks of that person or lets them go on. Returns the
    /// tables at which that person is to move.
    async fn set_vacation(
        &self,
        person: &str,
        vacation: Vacation,
        now_ms: u64,
    ) -> Result<Vec<String>, StoreError>;

    /// The plans at a table.
    async fn plans(&self, id: &str) -> Result<Vec<StoredPlan>, StoreError>;

    /// Keeps a plan instead of the one there was; without lines: forgets it.
    async fn set_plan(&self, id: &str, plan: StoredPlan) -> Result<(), StoreError>;

    /// Ids of the tables at which somebody is to move who has planned something: a hall that stopped may have left a move
    /// of theirs unplayed.
    async fn plans_due(&self, most: u32) -> Result<Vec<String>, StoreError>;

    /// What that person noted about a game; empty where they did not.
    async fn seat_note(&self, id: &str, person: &str) -> Result<String, StoreError>;

    /// Keeps what that person notes; empty: forgets it.
    async fn set_seat_note(&self, id: &str, person: &str, text: &str) -> Result<(), StoreError>;
}
