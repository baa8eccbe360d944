//! Signing in by an OpenID provider.

use wire::{OpenIdAnswer, OpenIdDone, OpenIdQuestion, OpenIdTold, OpenIdWish};

use super::resource::resource;
use crate::http::openid;
use crate::scopes::Needed::Session;
use crate::scopes::READ;

resource! { openid;

    /// Returns the name of the OpenID provider; none if the hall has no provider.
    get "/api/session/openid" => openid { needs: READ, 200: OpenIdTold }

    /// Handles the provider's answer, which the browser brings back: signs in, links the OpenID account, or confirms
    /// the owner of the session.
    post "/api/session/openid" => answer { needs: Session, body: OpenIdAnswer, 200: OpenIdDone, refuses: 502 }

    /// Returns the address of the provider's sign-in page for this visitor.
    post "/api/session/openid/ask" => ask {
        needs: Session,
        body: OpenIdWish,
        200: OpenIdQuestion,
        refuses: 502,
    }
}
