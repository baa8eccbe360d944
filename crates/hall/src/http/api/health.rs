//! Probes of supervisors and load balancers.

use super::resource::resource;
use crate::http::health;
use crate::scopes::Needed::Probe;

resource! { health;

    /// Answers like `/ready`, under its older name.
    get "/health" => health { needs: Probe, 200: String, 503: String }

    /// Answers if the process runs, whatever the state of its store: one that does not answer should be restarted.
    get "/live" => live { needs: Probe, 200: String }

    /// Answers whether people may be sent here: the store can be written, and the hall is not about to stop.
    get "/ready" => ready { needs: Probe, 200: String, 503: String }
}
