//! Finished games, stored beside their logs, and their effect on ratings.

use people::{Pool, Rating, Speed};
use table::{Ended, Setup};
use wire::{Outcome, Player};

use crate::StoreError;

/// A game that has ended, with its speed class and its rating pool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The game as it was remembered when it ended.
    pub game: Ended,
    /// The class of its clock; `None` without one.
    pub speed: Option<Speed>,
    /// The rating pool in which the result counts, if both players have accounts; `None`: it counts in none.
    pub pool: Option<Pool>,
}

/// A remembered game without its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRow {
    /// The order in which it ended among all games of the store.
    pub n: u64,
    /// The id of its table.
    pub id: String,
    /// The agreed settings of the game.
    pub setup: Setup,
    /// The players of the first and the second side, by the names they had then.
    pub players: [Player; 2],
    /// The winner, and the reason.
    pub outcome: Outcome,
    /// Number of plies.
    pub plies: u32,
    /// The class of its clock.
    pub speed: Option<Speed>,
    /// The moment at which the second player sat down, in Unix milliseconds.
    pub begun_ms: u64,
    /// The moment at which it ended, in Unix milliseconds.
    pub ended_ms: u64,
    /// The change of the ratings of the first and the second player; `None` for a casual game.
    pub rated: Option<[Step; 2]>,
}

/// A rating before and after a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The rating before the game, in Glicko points.
    pub before: f64,
    /// The rating after the game, in Glicko points.
    pub after: f64,
}

/// The position of a page in a list of games: the page begins with games that ended before this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The moment at which the last game of the previous page ended, in Unix milliseconds.
    pub ended_ms: u64,
    /// The [`GameRow::n`] of that game.
    pub n: u64,
}

/// A filter for the games of a person. `None`: any.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    /// Key of the game in the catalogue.
    pub game: Option<String>,
    /// Public id of the opponent.
    pub opponent: Option<String>,
    /// The side the person played: 0 or 1.
    pub side: Option<u8>,
    /// The result for the person.
    pub result: Option<Ending>,
    /// The class of the clock.
    pub speed: Option<Speed>,
    /// True: rated games only; false: casual games only.
    pub rated: Option<bool>,
    /// Ended at this moment or later, in Unix milliseconds.
    pub since_ms: Option<u64>,
    /// Ended before this moment, in Unix milliseconds.
    pub until_ms: Option<u64>,
}

/// The results of a game for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The player won.
    Win,
    /// The game was a draw.
    Draw,
    /// The player lost.
    Loss,
    /// The game counts for neither player.
    Void,
}

/// The numbers of games of a kind that a person has won, drawn and lost; void games are not counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Key of the game in the catalogue.
    pub game: String,
    /// Number of wins.
    pub wins: u64,
    /// Number of draws.
    pub draws: u64,
    /// Number of losses.
    pub losses: u64,
}

/// Machine texts of plies, each with the thinking time that was charged, in milliseconds.
pub type Plies = Vec<(String, Option<u64>)>;

/// Moments in Unix milliseconds, and the rating after each, by pool.
pub type Curves = std::collections::BTreeMap<Pool, Vec<(u64, f64)>>;

/// Games that have ended, and ratings.
#[async_trait::async_trait]
pub trait Games: Send + Sync + 'static {
    /// A remembered game by the id of its table.
    async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError>;

    /// The games of a person, the latest first.
    async fn list(
        &self,
        person: &str,
        filter: &Filter,
        before: Option<Place>,
        most: u32,
    ) -> Result<Vec<GameRow>, StoreError>;

    /// The moves of the game with that [`GameRow::n`]; `None` when there is none.
    async fn plies(&self, n: u64) -> Result<Option<Plies>, StoreError>;

    /// Returns finished games after that [`GameRow::n`], in the order in which they ended.
    async fn games_after(&self, n: u64, most: u32) -> Result<Vec<GameRow>, StoreError>;

    /// Returns the numbers of games that a person has won, drawn and lost, by game; against one opponent only where
    /// one is named.
    async fn tally(&self, person: &str, opponent: Option<&str>) -> Result<Vec<Tally>, StoreError>;

    /// The ratings of a person.
    async fn ratings(&self, person: &str) -> Result<Vec<(Pool, Rating)>, StoreError>;

    /// Returns the rating history of a person: for each pool the last change of each day, at most `most` days, the
    /// oldest first. Moments are in Unix milliseconds.
    async fn curves(&self, person: &str, most: u32) -> Result<Curves, StoreError>;
}
