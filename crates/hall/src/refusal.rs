//! Answers to requests that are refused.
//!
//! A handler returns a [`Refusal`] and knows nothing of languages: the layer [`speak`] writes the body, in the language
//! the reader prefers.

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use edge::fair::Busy;
use edge::workers::{GivenUp, NoPlace, Stopping};
use kernel::Problem;
use serde::Serialize;
use tables::memory::NoTable;
use utoipa::ToSchema;

use crate::analysis::NoAnalysis;
use store::StoreError;
use works::maps::NoMap;
use works::refused::NoWork;
use works::reports::NoReport;

/// A refused request: the problem and the HTTP status.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The HTTP status.
    pub status: StatusCode,
    /// The problem, as a key and facts.
    pub problem: Problem,
    /// Seconds to wait before the next attempt.
    pub retry_after: Option<u64>,
    /// The problem that a table reported, in place of `problem`.
    pub said: Option<wire::Problem>,
}

/// The body of a refusal.
#[derive(Serialize, ToSchema)]
pub struct RefusalBody {
    /// The problem, for programs.
    error: wire::Problem,
    /// The same as a sentence, in the language of `Accept-Language`.
    message: String,
}

impl Refusal {
    /// Creates a refusal with that status.
    #[must_use]
    pub fn new(status: StatusCode, problem: Problem) -> Refusal {
        Refusal { status, problem, retry_after: None, said: None }
    }

    /// Answers 400: a table refused an act.
    #[must_use]
    pub fn said(problem: wire::Problem) -> Refusal {
        let refusal = Refusal::new(StatusCode::BAD_REQUEST, Problem::new("wish-refused"));
        Refusal { said: Some(problem), ..refusal }
    }

    /// 401: the request does not say who it is from.
    #[must_use]
    pub fn unauthorized() -> Refusal {
        Refusal::new(StatusCode::UNAUTHORIZED, Problem::new("who-are-you"))
    }

    /// 403: from the wrong place.
    #[must_use]
    pub fn forbidden(problem: Problem) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, problem)
    }

    /// 404: there is no such thing.
    #[must_use]
    pub fn unknown(problem: Problem) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, problem)
    }

    /// 429: wait that many seconds.
    #[must_use]
    pub fn too_many(seconds: u64) -> Refusal {
        let problem = Problem::new("too-many-requests").with("seconds", seconds);
        Refusal { retry_after: Some(seconds), ..Refusal::new(StatusCode::TOO_MANY_REQUESTS, problem) }
    }

    /// Answers 429: as many requests of this address wait as may.
    #[must_use]
    pub fn own_queue_full() -> Refusal {
        Refusal {
            retry_after: Some(2),
            ..Refusal::new(StatusCode::TOO_MANY_REQUESTS, Problem::new("hall-busy"))
        }
    }

    /// 503: the hall has too much to do, or is about to stop.
    #[must_use]
    pub fn busy() -> Refusal {
        Refusal {
            retry_after: Some(1),
            ..Refusal::new(StatusCode::SERVICE_UNAVAILABLE, Problem::new("hall-busy"))
        }
    }

    /// 503: the store refused.
    #[must_use]
    pub fn not_stored() -> Refusal {
        metrics::counter!("hall_store_failures_total").increment(1);
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, Problem::new("not-stored"))
    }
}

/// Returns 503, for a store that does not read or store an account.
pub(crate) fn broken(why: StoreError) -> Refusal {
    tracing::error!(%why, "an account was not read or stored");
    Refusal::not_stored()
}

/// Answers 400 for an error of the client, and 503 for trouble of the hall.
impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        match problem.key {
            "hall-busy" => Refusal::busy(),
            "not-stored" => Refusal::not_stored(),
            "disk-low" => Refusal::new(StatusCode::INSUFFICIENT_STORAGE, problem),
            "session-bearer" | "session-twice" | "bearer-unknown" => {
                Refusal::new(StatusCode::UNAUTHORIZED, problem)
            }
            _ => Refusal::new(StatusCode::BAD_REQUEST, problem),
        }
    }
}

impl From<NoTable> for Refusal {
    fn from(why: NoTable) -> Self {
        match why {
            NoTable::Unknown => Refusal::unknown(Problem::new("no-such-table")),
            NoTable::Busy => Refusal::busy(),
            NoTable::Quarantined => {
                Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, Problem::new("table-quarantined"))
            }
            NoTable::Broken(_) => {
                Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, Problem::new("table-unreadable"))
            }
        }
    }
}

impl From<NoMap> for Refusal {
    fn from(why: NoMap) -> Self {
        let status = match &why {
            NoMap::Later(wait) => return Refusal::too_many(wait.seconds()),
            NoMap::Unknown => StatusCode::NOT_FOUND,
            NoMap::Broken(_) | NoMap::Fails(_) => StatusCode::UNPROCESSABLE_ENTITY,
            NoMap::Store(StoreError::Full(_)) => StatusCode::INSUFFICIENT_STORAGE,
            NoMap::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        Refusal::new(status, why.problem())
    }
}

impl From<NoWork> for Refusal {
    fn from(why: NoWork) -> Self {
        match why {
            NoWork::Unknown => Refusal::unknown(Problem::new("no-such-map")),
            NoWork::Map(why) => why.into(),
            NoWork::Refused(problem) if problem.key == "work-newer-version" => {
                Refusal::new(StatusCode::CONFLICT, problem)
            }
            NoWork::Refused(problem) => problem.into(),
        }
    }
}

impl From<NoAnalysis> for Refusal {
    fn from(why: NoAnalysis) -> Self {
        match why {
            NoAnalysis::NoTable(why) => why.into(),
            NoAnalysis::Refused(problem) => problem.into(),
            NoAnalysis::Busy => Refusal::own_queue_full(),
        }
    }
}

impl From<NoReport> for Refusal {
    fn from(why: NoReport) -> Self {
        match why {
            NoReport::NoMap(why) => why.into(),
            NoReport::NotBegun => Refusal::unknown(Problem::new("no-balance")),
            NoReport::Busy => Refusal::own_queue_full(),
            NoReport::Refused(problem) => problem.into(),
        }
    }
}

impl From<NoPlace> for Refusal {
    fn from(why: NoPlace) -> Self {
        match why {
            NoPlace::Later(wait) => Refusal::too_many(wait.seconds()),
            NoPlace::Busy => Refusal::own_queue_full(),
        }
    }
}

/// Answers 429: too many requests of this address wait.
impl From<Busy> for Refusal {
    fn from(_: Busy) -> Self {
        Refusal::own_queue_full()
    }
}

impl From<GivenUp> for Refusal {
    fn from(_: GivenUp) -> Self {
        Refusal::busy()
    }
}

impl From<Stopping> for Refusal {
    fn from(_: Stopping) -> Self {
        Refusal::busy()
    }
}

impl IntoResponse for Refusal {
    /// Answers with the status alone; [`speak`] adds the body.
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Writes refusals in the language of the request.
pub async fn speak(request: Request, next: Next) -> Response {
    let wish = request.headers().get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok());
    let language = texts::Language::preferred(wish.unwrap_or_default());
    let mut response = next.run(request).await;
    let Some(refusal) = response.extensions_mut().remove::<Refusal>() else { return response };
    metrics::counter!("hall_refused_total", "reason" => refusal.problem.key).increment(1);
    let problem = refusal.problem.clone();
    let error = refusal.said.unwrap_or_else(|| refusal.problem.into());
    let args: Vec<(&str, &str)> =
        error.args.iter().map(|(name, value)| (name.as_ref(), value.as_str())).collect();
    let message = texts::say(language, &format!("problem-{}", error.key), &args);
    let body = Json(RefusalBody { error, message });
    let mut response = (refusal.status, body).into_response();
    if let Some(challenge) = challenge(refusal.status, &problem) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    if let Some(seconds) = refusal.retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Returns the value of `WWW-Authenticate` for that status (RFC 6750, 3): the scheme, and the error of a secret that
/// was sent.
fn challenge(status: StatusCode, problem: &Problem) -> Option<HeaderValue> {
    const REALM: &str = "Bearer realm=\"qiguan\"";
    let text = match (status, problem.key) {
        (StatusCode::UNAUTHORIZED, "who-are-you" | "session-twice") => REALM.to_owned(),
        (StatusCode::UNAUTHORIZED, _) => format!("{REALM}, error=\"invalid_token\""),
        (StatusCode::FORBIDDEN, "token-scope") => {
            let scope = problem.arg("scope").unwrap_or_default();
            format!("{REALM}, error=\"insufficient_scope\", scope=\"{scope}\"")
        }
        _ => return None,
    };
    HeaderValue::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use edge::budget::Wait;
    use std::time::Duration;

    #[test]
    fn work_that_finds_no_place_is_refused_by_its_reason() {
        let later = NoPlace::Later(Wait(Duration::from_secs(40)));
        for (name, refusal, status, key, retry_after) in [
            ("time used up", Refusal::from(later), 429, "too-many-requests", 41),
            ("a full queue", NoPlace::Busy.into(), 429, "hall-busy", 2),
            ("a full queue of searches", Busy.into(), 429, "hall-busy", 2),
            ("an address with many reports", NoReport::Busy.into(), 429, "hall-busy", 2),
            ("work that took too long", GivenUp.into(), 503, "hall-busy", 1),
            ("a hall that stops", Stopping.into(), 503, "hall-busy", 1),
        ] {
            let found = (refusal.status.as_u16(), refusal.problem.key, refusal.retry_after);
            assert_eq!(found, (status, key, Some(retry_after)), "{name}");
        }
    }
}
