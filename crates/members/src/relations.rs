//! Relations between people: following, blocking, and private notes.

use std::collections::HashSet;
use std::sync::Arc;

use edge::time::Time;
use kernel::Problem;
use people::block::{MOST_RELATIONS, note};
use store::together::Deed;
use store::{Store, StoreError};
use wire::{Acquaintance, Relation};

use crate::failed::busy;
use crate::handed::Handed;
use crate::identity::player;

fn told(relation: store::together::Relation) -> Relation {
    let store::together::Relation { follows, blocks, note } = relation;
    Relation { follows, blocks, note }
}

/// Relations between people.
pub struct Relations {
    store: Arc<Store>,
    time: Time,
}

impl Relations {
    /// Creates the handle.
    #[must_use]
    pub(crate) fn new(handed: &Handed) -> Relations {
        Relations { store: Arc::clone(&handed.store), time: handed.time.clone() }
    }

    /// Returns all people with whom the person has a relation, and the presence, by `is_here`, of those whom
    /// they follow and who do not block them.
    ///
    /// # Errors
    /// `hall-busy`.
    pub async fn acquaintances(
        &self,
        person: &str,
        is_here: impl Fn(&str) -> bool + Sync,
    ) -> Result<Vec<Acquaintance>, Problem> {
        let all = self.store.together.relations(person).await.map_err(busy)?;
        let apart: HashSet<String> =
            self.store.together.apart(person).await.map_err(busy)?.into_iter().collect();
        let line = |(row, relation): (store::PersonRow, store::together::Relation)| {
            let here = relation.follows && !apart.contains(&row.id) && is_here(&row.id);
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
        Ok(told(relation))
    }
}
