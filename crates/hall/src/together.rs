//! Relations between people: following, blocking, and private notes.

use std::collections::HashSet;

use kernel::Problem;
use people::block::{MOST_RELATIONS, note};
use store::StoreError;
use store::together::Deed;
use wire::{Acquaintance, Relation};

use crate::challenges::busy;
use crate::hall::Hall;
use crate::identity::player;

fn told(relation: store::together::Relation) -> Relation {
    let store::together::Relation { follows, blocks, note } = relation;
    Relation { follows, blocks, note }
}

impl Hall {
    /// Returns all people with whom the person has a relation, and the presence of those whom they follow and who do
    /// not block them.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn acquaintances(&self, person: &str) -> Result<Vec<Acquaintance>, Problem> {
        let all = self.store.together.relations(person).await.map_err(busy)?;
        let apart: HashSet<String> =
            self.store.together.apart(person).await.map_err(busy)?.into_iter().collect();
        let line = |(row, relation): (store::PersonRow, store::together::Relation)| {
            let here = relation.follows && !apart.contains(&row.id) && self.is_here(&row.id);
            Acquaintance { player: player(row), relation: told(relation), here }
        };
        Ok(all.into_iter().map(line).collect())
    }

    /// Returns the relation of a person to the one with that name or public id.
    ///
    /// # Errors
    /// `no-such-person`, `hall-busy`.
    pub async fn relation(&self, person: &str, other: &str) -> Result<Relation, Problem> {
        let other = self.store.people.find_person(other).await.map_err(busy)?;
        let other = other.ok_or_else(|| Problem::new("no-such-person"))?;
        self.store.together.relation(person, &other.id).await.map(told).map_err(busy)
    }

    /// Sets the relation of a person to the one with that name or public id.
    ///
    /// # Errors
    /// `no-such-person`, `relation-self`, `relations-full`, `words-too-long`, `hall-busy`.
    pub async fn relate(&self, person: &str, other: &str, relation: Relation) -> Result<Relation, Problem> {
        let other = self.store.people.find_person(other).await.map_err(busy)?;
        let other = other.ok_or_else(|| Problem::new("no-such-person"))?;
        if other.id == person {
            return Err(Problem::new("relation-self"));
        }
        let Relation { follows, blocks, note: text } = relation;
        let relation = store::together::Relation {
            // A block ends the following.
            follows: follows && !blocks,
            blocks,
            note: note(text.as_deref().unwrap_or_default())?,
        };
        let deed = Deed::Relate {
            person: person.to_owned(),
            other: other.id,
            relation: relation.clone(),
            now_ms: self.time.now_ms(),
        };
        match self.store.together.deed(deed).await {
            Ok(_) => {}
            Err(StoreError::Conflict) => {
                return Err(Problem::new("relations-full").with("limit", MOST_RELATIONS));
            }
            Err(why) => return Err(busy(why)),
        }
        // Who waits for an opponent asks again in a second, and is then kept apart from whom they block.
        self.tables.leave_queues(person);
        Ok(told(relation))
    }
}
