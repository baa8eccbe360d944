//! Slow games: their deadlines, vacations, conditional moves, and private notes of players.

use kernel::Side;
use people::vacation::Vacation;

use crate::{Asleep, StoreError};

/// A slow game that is being played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlowGame {
    /// The table's id.
    pub id: String,
    /// The side of the person who asked.
    pub side: Side,
    /// The start and the deadline of the thinking time of the side to move.
    pub asleep: Asleep,
}

impl SlowGame {
    /// Returns true if the person who asked is to move.
    #[must_use]
    pub fn is_mine(&self) -> bool {
        self.asleep.turn == Some(self.side)
    }
}

/// The conditional moves of a person: lines of machine texts of moves, each beginning with the opponent's move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredPlan {
    /// Public id of the person whose moves they hold.
    pub person: String,
    /// The plies of the game before the first move of each line.
    pub from_ply: u32,
    /// The planned lines, of which none is empty.
    pub lines: Vec<Vec<String>>,
}

/// Storage of slow games.
#[async_trait::async_trait]
pub trait SlowGames: Send + Sync + 'static {
    /// The slow games that person plays, at most `most`: those in which they are to move first, by deadline.
    async fn slow_games(&self, person: &str, most: u32) -> Result<Vec<SlowGame>, StoreError>;

    /// The vacation of a person; `None`: they never had one.
    async fn vacation(&self, person: &str) -> Result<Option<Vacation>, StoreError>;

    /// Returns the people who are on vacation, each with the vacation.
    async fn on_vacation(&self) -> Result<Vec<(String, Vacation)>, StoreError>;

    /// Stores a vacation that begins or ends at `now_ms`, and stops the clocks of that person or lets them go on.
    /// Returns the tables at which that person is to move.
    async fn set_vacation(
        &self,
        person: &str,
        vacation: Vacation,
        now_ms: u64,
    ) -> Result<Vec<String>, StoreError>;

    /// The plans at a table.
    async fn plans(&self, id: &str) -> Result<Vec<StoredPlan>, StoreError>;

    /// Stores a plan instead of the previous one; without lines: deletes it.
    async fn set_plan(&self, id: &str, plan: StoredPlan) -> Result<(), StoreError>;

    /// Returns the ids of the tables at which the side to move has conditional moves: a hall that stopped may have
    /// left one of them unplayed.
    async fn plans_due(&self, most: u32) -> Result<Vec<String>, StoreError>;

    /// Returns the note of that person about a game; empty where they have none.
    async fn seat_note(&self, id: &str, person: &str) -> Result<String, StoreError>;

    /// Stores the note of that person; empty: deletes it.
    async fn set_seat_note(&self, id: &str, person: &str, text: &str) -> Result<(), StoreError>;
}
