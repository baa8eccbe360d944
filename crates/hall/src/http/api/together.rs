//! Relations between people.

use wire::{Acquaintance, Relation};

use super::resource::resource;
use crate::http::together;
use crate::scopes::Needed::Session;

resource! { together;

    /// Returns the people whom the asker follows, blocks or keeps notes about, and which of the followed are online.
    get "/api/relations" => list { needs: Session, 200: Vec<Acquaintance> }

    /// Returns the asker's relation to a person.
    get "/api/relations/{who}" => one { needs: Session, 200: Relation }

    /// Sets the asker's relation to a person: follows, blocks, a note. The answer is the stored relation.
    put "/api/relations/{who}" => set { needs: Session, body: Relation, 200: Relation, refuses: 409 }
}
