//! Relations between people, whose blocks end a search for an opponent.

use kernel::Problem;
use wire::Relation;

use crate::hall::Hall;

impl Hall {
    /// Sets the relation of a person to the one with that name or public id.
    ///
    /// # Errors
    /// `no-such-person`, `relation-self`, `relations-full`, `words-too-long`, `hall-busy`.
    pub async fn relate(&self, person: &str, other: &str, relation: Relation) -> Result<Relation, Problem> {
        let told = self.members.relations.relate(person, other, relation).await?;
        // Who waits for an opponent asks again in a second, and is then kept apart from whom they block.
        self.tables.leave_queues(person);
        Ok(told)
    }
}
