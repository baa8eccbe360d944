//! The asker, as a guest or with an account.

use wire::{Me, NewName, Welcome};

use super::resource::resource;
use crate::http::people::{self, NewGuest};
use crate::scopes::Needed::{Nothing, Session};
use crate::scopes::READ;

resource! { people;

    /// Returns the asker; makes a new guest of a visitor without a session.
    get "/api/me" => me { needs: READ, 200: Me }

    /// Chooses a name; that of an account once in thirty days.
    put "/api/me" => rename { needs: Session, body: NewName, 200: Me, refuses: 409 }

    /// Returns all that a page needs to open the hall; makes a new guest of a visitor without a session.
    get "/api/welcome" => welcome { needs: READ, 200: Welcome }

    /// Creates a guest for a program.
    post "/api/guests" => new_guest { needs: Nothing, 201: NewGuest }
}
