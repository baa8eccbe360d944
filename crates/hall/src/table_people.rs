//! The answers about people that tables get, and the news of tables that people get.
//!
//! The answers come from the rows of the store, and from what this process remembers of the people who were here.

use std::sync::Arc;

use async_trait::async_trait;
use edge::network::Network;
use edge::time::Time;
use kernel::Problem;
use members::Members;
use members::failed::busy;
use people::{Pool, Rating};
use store::{Store, StoreError};
use table::{Setup, State};
use tables::persons::Persons;
use tables::remembered;

use crate::events::Events;

/// The people of a hall, as its tables know them.
pub struct TablePeople {
    pub(crate) store: Arc<Store>,
    pub(crate) time: Time,
    pub(crate) members: Arc<Members>,
    pub(crate) events: Arc<Events>,
}

#[async_trait]
impl Persons for TablePeople {
    async fn has_account(&self, person: &str) -> Result<(), Problem> {
        match self.members.accounts.has(person).await? {
            true => Ok(()),
            false => Err(Problem::new("rated-needs-account")),
        }
    }

    async fn may_sit(
        &self,
        table: &str,
        setup: &Setup,
        person: &str,
        with: &[String],
    ) -> Result<(), Problem> {
        if with.iter().all(|other| other == person) {
            return Ok(());
        }
        let apart = self.store.together.apart(person).await.map_err(busy)?;
        if with.iter().any(|other| apart.contains(other)) {
            return Err(Problem::new("seat-refused"));
        }
        if let Some(range) = self.store.together.seek(table).await.map_err(busy)? {
            range.admits(self.rating_of(setup, person).await.map_err(busy)?.rating)?;
        }
        if setup.rated {
            for other in with.iter().filter(|other| *other != person) {
                self.members.neighbours.begin_rated(person, other).await?;
            }
        }
        Ok(())
    }

    fn may_begin_on(&self, map: &str) -> Result<(), Problem> {
        self.members.staffed.may_begin_on(map)
    }

    async fn rating_of(&self, setup: &Setup, person: &str) -> Result<Rating, StoreError> {
        let ratings = self.store.games.ratings(person).await?;
        let pool = remembered::speed(setup).map(|speed| Pool { game: setup.game.clone(), speed });
        let own = ratings.iter().find(|(known, _)| Some(known) == pool.as_ref()).map(|(_, rating)| *rating);
        Ok(own.unwrap_or_else(|| {
            let is_related = |other: &Pool| pool.as_ref().is_some_and(|pool| pool.is_related(other));
            let related = ratings.iter().filter(|(other, _)| is_related(other)).map(|(_, rating)| rating);
            Rating::first(related, self.time.now_ms())
        }))
    }

    async fn rated_enough(&self, person: &str) -> Result<Vec<String>, StoreError> {
        self.members.neighbours.rated_enough(person).await
    }

    fn is_away(&self, person: &str) -> bool {
        self.members.vacations.is_away(person)
    }

    fn away_since_ms(&self, person: &str) -> Option<u64> {
        self.members.vacations.since_ms(person)
    }

    fn comes_from(&self, person: &str, network: Network) {
        self.members.neighbours.note(person, network);
    }

    fn looks(&self, person: &str, table: &str) {
        self.members.notices.looks(person, table);
    }

    fn looks_away(&self, person: &str, table: &str) {
        self.members.notices.looks_away(person, table);
    }

    fn closed(&self, table: &str) {
        self.members.notices.closed(table);
    }

    fn begun(&self, state: &State) {
        self.events.begun(state);
    }

    fn ended(&self, state: &State) {
        self.events.ended(state);
    }

    fn turn(&self, state: &State) {
        self.members.notices.turn(state);
        self.events.turn(state);
    }
}
