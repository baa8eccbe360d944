//! Challenges by name.

use wire::{ChallengeLine, Challenges, Created, Decline, NewChallenge};

use super::resource::resource;
use crate::http::challenge;
use crate::scopes::{CHALLENGE, READ};

resource! { challenge;

    /// Returns the challenges that wait for the asker's answer, and those the asker has sent.
    get "/api/challenges" => list { needs: READ, 200: Challenges }

    /// Challenges a person, by name or public id.
    post "/api/challenge/{id}" => make {
        needs: CHALLENGE,
        body: NewChallenge,
        201: ChallengeLine,
        refuses: 409,
    }

    /// Accepts a challenge; the game begins.
    post "/api/challenge/{id}/accept" => accept { needs: CHALLENGE, 201: Created, refuses: 409 }

    /// Declines a challenge, with a reason.
    post "/api/challenge/{id}/decline" => decline { needs: CHALLENGE, bytes: Decline, 204 }

    /// Withdraws a challenge.
    post "/api/challenge/{id}/cancel" => cancel { needs: CHALLENGE, 204 }
}
