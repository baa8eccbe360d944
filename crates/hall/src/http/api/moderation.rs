//! Reports, the moderators' queue, and appeals.

use wire::{Appeal, Decide, DecisionLine, FairPlay, NewReport, ReportLine};

use super::resource::resource;
use crate::http::moderation::{self, Kept};
use crate::scopes::ADMIN;
use crate::scopes::Needed::Session;

resource! { moderation;

    /// Reports a person, a name, a text or a map to the moderators.
    post "/api/reports" => report { needs: Session, body: NewReport, 201: Kept, refuses: 404 409 }

    /// Returns the reports and appeals that wait for a decision, the oldest first; or all about one person, the latest
    /// first. At most 50.
    get "/api/moderation/reports" => queue {
        needs: ADMIN,
        query: { "about": Option<String> },
        200: Vec<ReportLine>,
    }

    /// Decides about a report.
    post "/api/moderation/reports/{n}" => decide { needs: ADMIN, parts: { "n": u64 }, body: Decide, 204 }

    /// Returns statistics of a person's last rated games: figures, and no verdict. The request has the games judged,
    /// one after the other: repeat it until none `waits`.
    post "/api/moderation/play/{who}" => play { needs: ADMIN, 200: FairPlay }

    /// Returns the decisions about the asker.
    get "/api/account/decisions" => decisions { needs: Session, 200: Vec<DecisionLine> }

    /// Appeals a decision, once.
    post "/api/account/decisions/{n}/appeal" => appeal {
        needs: Session,
        parts: { "n": u64 },
        body: Appeal,
        204,
        refuses: 409,
    }
}
