//! Tokens of programs.

use wire::{MadeToken, NewToken};

use super::resource::resource;
use crate::http::token;
use crate::scopes::Needed::Session;

resource! { token;

    /// Creates a token; its text is shown this once.
    post "/api/account/tokens" => make { needs: Session, body: NewToken, 201: MadeToken }

    /// Revokes a token: it is no longer valid, and its connections end.
    delete "/api/account/tokens/{id}" => revoke { needs: Session, 204 }
}
