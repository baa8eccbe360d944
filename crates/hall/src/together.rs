//! People at tables: who may sit down with whom, by their relations and their ratings.

use edge::network::Payer;
use kernel::Problem;
use members::failed::busy;
use people::challenge::RatingRange;
use people::{Pool, Rating};
use store::StoreError;
use store::together::Deed;
use table::Setup;
use wire::{OpenTable, Player, Relation};

use crate::hall::{Context, Hall};
use crate::remembered;

impl Context {
    /// Checks that a person may sit down at a table with those people: none of them and `person` blocks the other,
    /// and the rating of `person` is in the range of the table.
    ///
    /// # Errors
    /// `seat-refused`, which does not say who; `rating-too-low`, `rating-too-high`; `rated-often`, `rated-neighbours`; `hall-busy`.
    pub async fn may_sit(
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

    /// Returns the rating of a person in games like that; without one, the initial rating.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn rating_of(&self, setup: &Setup, person: &str) -> Result<Rating, StoreError> {
        let ratings = self.store.games.ratings(person).await?;
        let pool = remembered::speed(setup).map(|speed| Pool { game: setup.game.clone(), speed });
        let own = ratings.iter().find(|(known, _)| Some(known) == pool.as_ref()).map(|(_, rating)| *rating);
        Ok(own.unwrap_or_else(|| {
            let is_related = |other: &Pool| pool.as_ref().is_some_and(|pool| pool.is_related(other));
            let related = ratings.iter().filter(|(other, _)| is_related(other)).map(|(_, rating)| rating);
            Rating::first(related, self.time.now_ms())
        }))
    }
}

impl Hall {
    /// Opens a table, limited to a range of ratings if the request names one; returns its id.
    ///
    /// # Errors
    /// The errors of [`open`](Hall::open); `rating-range`, `rating-range-here`.
    pub async fn open_table(
        &self,
        wish: OpenTable,
        opener: Player,
        payer: Payer<'_>,
    ) -> Result<String, Problem> {
        let range = match wish.ratings {
            Some([None, None]) | None => None,
            Some([min, max]) => Some(RatingRange::new(min, max)?),
        };
        let Some(range) = range else { return self.open(wish.table, opener, payer).await };
        let table = &wish.table;
        let is_public = matches!(table.how, wire::How::Open | wire::How::Room) && table.opponent.is_none();
        let is_usual = table.fen.is_none() && table.map.is_none();
        if !is_public || !is_usual || table::clock::budget_ms(table.clock).is_none() {
            return Err(Problem::new("rating-range-here"));
        }
        let id = self.open(wish.table, opener, payer).await?;
        // The table is not known to any other person yet.
        self.store.together.deed(Deed::Seek { table: id.clone(), range }).await.map_err(busy)?;
        self.lobby.set_range(&id, range);
        Ok(id)
    }

    /// Sets the relation of a person to the one with that name or public id.
    ///
    /// # Errors
    /// `no-such-person`, `relation-self`, `relations-full`, `words-too-long`, `hall-busy`.
    pub async fn relate(&self, person: &str, other: &str, relation: Relation) -> Result<Relation, Problem> {
        let told = self.members.relations.relate(person, other, relation).await?;
        // Who waits for an opponent asks again in a second, and is then kept apart from whom they block.
        self.leave_queues(person);
        Ok(told)
    }
}
