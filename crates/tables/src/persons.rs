//! The people at tables: what tables ask about them before they decide, and tell them afterwards.
//!
//! Accounts, blocks, ratings, vacations and notices are the business of the layer above. It implements [`Persons`], so
//! that nothing here needs to know how a person signs in.

use async_trait::async_trait;
use edge::network::Network;
use kernel::Problem;
use people::Rating;
use store::StoreError;
use table::{Setup, State};

/// The answers about people that tables need, and the news of tables that people get. People are named by their public
/// ids.
#[async_trait]
pub trait Persons: Send + Sync {
    /// Checks that a person has an account.
    ///
    /// # Errors
    /// `rated-needs-account`, `hall-busy`.
    async fn has_account(&self, person: &str) -> Result<(), Problem>;

    /// Checks that a person may sit down at a table with those people; a rated game that begins by it is counted.
    ///
    /// # Errors
    /// `seat-refused`, which does not say who refused; `rating-too-low`, `rating-too-high`; `rated-often`,
    /// `rated-neighbours`; `hall-busy`.
    async fn may_sit(&self, table: &str, setup: &Setup, person: &str, with: &[String])
    -> Result<(), Problem>;

    /// Checks that games may be begun on a map.
    ///
    /// # Errors
    /// `map-taken-down`, with the `reason`.
    fn may_begin_on(&self, map: &str) -> Result<(), Problem>;

    /// Returns the rating of a person in games like that; without one, the initial rating.
    ///
    /// # Errors
    /// An error when the store fails.
    async fn rating_of(&self, setup: &Setup, person: &str) -> Result<Rating, StoreError>;

    /// Returns the opponents with whom a person may begin no other rated game today.
    ///
    /// # Errors
    /// An error when the store fails.
    async fn rated_enough(&self, person: &str) -> Result<Vec<String>, StoreError>;

    /// Returns true if a person is on vacation.
    fn is_away(&self, person: &str) -> bool;

    /// Returns the start of a person's vacation, in Unix milliseconds.
    fn away_since_ms(&self, person: &str) -> Option<u64>;

    /// Notes the network from which a person has come to a table, and the time, in Unix milliseconds.
    fn comes_from(&self, person: &str, network: Network);

    /// Notes that a player looks at a slow game.
    fn looks(&self, person: &str, table: &str);

    /// Notes that a person does not look at a table any more.
    fn looks_away(&self, person: &str, table: &str);

    /// Notes that a table is not in memory any more.
    fn closed(&self, table: &str);

    /// Tells the players that a game has begun.
    fn begun(&self, state: &State);

    /// Tells the players that a game has ended.
    fn ended(&self, state: &State);

    /// Tells the players of a slow game that the turn may have changed.
    fn turn(&self, state: &State);
}
