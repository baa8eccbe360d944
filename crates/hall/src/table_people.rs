//! The answers about people that tables get, and the news of tables that people get.
//!
//! The answers come from the rows of the store, and from what this process remembers of the people who were here.

use std::sync::Arc;

use async_trait::async_trait;
use edge::limits::Live;
use edge::network::Network;
use edge::time::Time;
use kernel::Problem;
use people::pool::{DAY_MS, NEIGHBOUR_GAMES_A_DAY, NEIGHBOURS_A_DAY, PAIR_A_DAY};
use people::{Pool, Rating};
use store::games::{Filter, GameRow};
use store::{Kind, Store, StoreError};
use table::{Setup, State};
use tables::persons::Persons;
use tables::remembered;

use crate::challenges::busy;
use crate::events::Events;
use crate::neighbours::Neighbours;
use crate::notices::Notices;
use crate::staff::Staffed;
use crate::vacations::Vacations;

/// The most games of a day that are looked at: the latest.
const GAMES_A_DAY: u32 = 200;

/// The people of a hall, as its tables know them.
pub struct TablePeople {
    pub(crate) store: Arc<Store>,
    pub(crate) time: Time,
    pub(crate) limits: Arc<Live>,
    pub(crate) vacations: Arc<Vacations>,
    pub(crate) events: Arc<Events>,
    pub(crate) notices: Arc<Notices>,
    pub(crate) neighbours: Arc<Neighbours>,
    pub(crate) staffed: Arc<Staffed>,
}

impl TablePeople {
    /// Counts a rated game that two people are about to begin.
    ///
    /// # Errors
    /// `rated-often` with the `most` games a day, for two people; `rated-neighbours`, where they are at one address.
    pub(crate) async fn begin_rated(&self, one: &str, other: &str) -> Result<(), Problem> {
        if self.limits.on {
            self.is_rated_again(one, other, &self.rated_today(one).await.map_err(busy)?)?;
            self.neighbours.begin(one, other, self.time.now_ms());
        }
        Ok(())
    }

    /// Returns the opponents of a person's rated games that ended in the last day, one for each game.
    async fn rated_today(&self, person: &str) -> Result<Vec<String>, StoreError> {
        let since_ms = Some(self.time.now_ms().saturating_sub(DAY_MS));
        let filter = Filter { rated: Some(true), since_ms, ..Filter::default() };
        let rows = self.store.games.list(person, &filter, None, GAMES_A_DAY).await?;
        let opponent = |row: &GameRow| row.players[usize::from(row.players[0].id == person)].id.clone();
        Ok(rows.iter().map(opponent).collect())
    }

    fn is_rated_again(&self, one: &str, other: &str, today: &[String]) -> Result<(), Problem> {
        let ended = today.iter().filter(|id| *id == other).count();
        let together = ended.max(self.neighbours.begun(one, other, self.time.now_ms()));
        if together >= PAIR_A_DAY {
            return Err(Problem::new("rated-often").with("most", PAIR_A_DAY));
        }
        if self.neighbours.are(one, other) {
            let near = today.iter().filter(|id| self.neighbours.are(one, id)).count();
            if together >= NEIGHBOURS_A_DAY || near >= NEIGHBOUR_GAMES_A_DAY {
                let problem = Problem::new("rated-neighbours").with("most", NEIGHBOURS_A_DAY);
                return Err(problem.with("all", NEIGHBOUR_GAMES_A_DAY));
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Persons for TablePeople {
    async fn has_account(&self, person: &str) -> Result<(), Problem> {
        match self.store.people.find_person(person).await {
            Ok(Some(found)) if found.id == person && found.kind == Kind::Account => Ok(()),
            Ok(_) => Err(Problem::new("rated-needs-account")),
            Err(why) => {
                tracing::error!(%why, "a person cannot be read");
                Err(Problem::new("hall-busy"))
            }
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
                self.begin_rated(person, other).await?;
            }
        }
        Ok(())
    }

    fn may_begin_on(&self, map: &str) -> Result<(), Problem> {
        self.staffed.may_begin_on(map)
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
        if !self.limits.on {
            return Ok(Vec::new());
        }
        let today = self.rated_today(person).await?;
        let mut often: Vec<String> = today.clone();
        often.sort();
        often.dedup();
        often.retain(|other| self.is_rated_again(person, other, &today).is_err());
        Ok(often)
    }

    fn is_away(&self, person: &str) -> bool {
        self.vacations.is_away(person)
    }

    fn away_since_ms(&self, person: &str) -> Option<u64> {
        self.vacations.since_ms(person)
    }

    fn comes_from(&self, person: &str, network: Network, now_ms: u64) {
        self.neighbours.note(person, network, now_ms);
    }

    fn looks(&self, person: &str, table: &str) {
        self.notices.looks(person, table);
    }

    fn looks_away(&self, person: &str, table: &str) {
        self.notices.looks_away(person, table);
    }

    fn closed(&self, table: &str) {
        self.notices.closed(table);
    }

    fn begun(&self, state: &State) {
        self.events.begun(state);
    }

    fn ended(&self, state: &State) {
        self.events.ended(state);
    }

    fn turn(&self, state: &State) {
        self.notices.turn(state);
        self.events.turn(state);
    }
}
