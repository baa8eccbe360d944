//! The API for workers, which run engine searches for the hall on other machines, and the list of their keys for
//! staff. `docs/workers.md` describes the protocol.

use std::time::Duration;

use axum::Json;
use axum::body::{Body as Bytes, to_bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use kernel::Problem;
use members::staff::desk::{StaffAnswer, StaffWish};
use members::staff::worker_keys;
use people::Secret;
use store::KeyRow;
use store::workers::SearchTaker;
use tables::searches::{WorkerEnd, read};
use thinking::{MOST_ANSWER_BYTES, upload_of};
use wire::{MadeWorkerKey, NewWorkerKey, UploadMap, WorkAbort, WorkWish, WorkerKey};

use super::ask::{Body, Path};
use super::staff::{Staff, ask, done, told};
use crate::app::App;
use crate::refusal::{Refusal, broken};

/// The prefix of the addresses for workers.
const PATH: &str = "/api/worker/";
/// The longest that a request waits for work.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// The longest question that is read, in bytes.
const MOST_WISH_BYTES: usize = 16 << 10;
/// The most engines of a worker that are considered.
const MOST_ENGINES: usize = 64;

/// Returns true if a path is one for workers.
pub(crate) fn is_for(path: &str) -> bool {
    path.starts_with(PATH)
}

/// Returns true if a request is a worker's with a known key: it is counted by that key, not by the address.
pub(crate) async fn has_key(app: &App, request: &mut Request) -> bool {
    if !is_for(request.uri().path()) {
        return false;
    }
    let Some(secret) = shown(request.headers()) else { return false };
    match app.hall.tables.opponents().searches.keys.find(&secret).await {
        Ok(Some(key)) => {
            request.extensions_mut().insert(Worker(key));
            true
        }
        Ok(None) => false,
        Err(why) => {
            tracing::warn!(%why, "the key of a worker cannot be looked up");
            request.extensions_mut().insert(Unread);
            false
        }
    }
}

/// Marks a request whose key could not be looked up.
#[derive(Clone)]
struct Unread;

/// Returns the key in the headers of a request.
fn shown(headers: &HeaderMap) -> Option<String> {
    let told = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = told.split_once(' ')?;
    let secret = secret.trim();
    let is_one = scheme.eq_ignore_ascii_case("bearer") && Secret::read_worker(secret).is_some();
    is_one.then(|| secret.to_owned())
}

/// A worker with a valid key.
#[derive(Clone)]
pub(super) struct Worker(KeyRow);

impl FromRequestParts<App> for Worker {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        // A worker that is told that its key is unknown ends.
        if parts.extensions.get::<Unread>().is_some() {
            return Err(Refusal::busy());
        }
        let unknown = || Refusal::new(StatusCode::UNAUTHORIZED, Problem::new("worker-key-unknown"));
        let worker = parts.extensions.get::<Worker>().cloned().ok_or_else(unknown)?;
        let keys = &app.hall.tables.opponents().searches.keys;
        keys.request(&worker.0.id, app.hall.time.now_ms())
            .map_err(|wait| Refusal::too_many(wait.seconds()))?;
        Ok(worker)
    }
}

impl Worker {
    /// Refuses a key that is set aside.
    fn counts(self) -> Result<KeyRow, Refusal> {
        match &self.0.aside {
            Some((_, why)) => Err(Refusal::forbidden(Problem::new("worker-key-aside").with("why", why))),
            None => Ok(self.0),
        }
    }
}

pub(super) async fn key(State(app): State<App>, worker: Worker) -> Result<Json<WorkerKey>, Refusal> {
    let mut all = worker_keys::listed(app.hall.store.as_ref()).await.map_err(broken)?;
    all.retain(|key| key.id == worker.0.id);
    app.hall.tables.opponents().searches.keys.fill(&mut all);
    all.pop()
        .map(Json)
        .ok_or_else(|| Refusal::new(StatusCode::UNAUTHORIZED, Problem::new("worker-key-unknown")))
}

pub(super) async fn acquire(
    State(app): State<App>,
    worker: Worker,
    request: Request,
) -> Result<Response, Refusal> {
    let key = worker.counts()?;
    let wish: WorkWish = json(request.into_body(), MOST_WISH_BYTES).await?;
    let own = env!("CARGO_PKG_VERSION");
    if wish.version != own {
        let theirs: String = wish.version.chars().take(40).collect();
        let problem = Problem::new("worker-version").with("hall", own).with("worker", theirs);
        return Err(Refusal::new(StatusCode::CONFLICT, problem));
    }
    let families = engine::learned::hashes();
    let other = families.iter().filter(|(family, hash)| wish.weights.get(*family) != Some(*hash));
    let other: Vec<&str> = other.map(|(family, _)| family.as_str()).collect();
    if !other.is_empty() {
        let problem = Problem::new("worker-weights").with("families", other.join(", "));
        return Err(Refusal::new(StatusCode::CONFLICT, problem));
    }
    let searches = &app.hall.tables.opponents().searches;
    let Some(board) = searches.board() else { return Err(Refusal::busy()) };
    let _waits = searches.keys.wait(&key.id).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let taker = SearchTaker {
        key: key.id.clone(),
        scopes: key.scopes.split_whitespace().map(str::to_owned).collect(),
        engines: wish.engines.into_iter().take(MOST_ENGINES).collect(),
        extensions: wish.extensions,
    };
    let patience = Duration::from_millis(wish.wait_ms.into()).min(LONGEST_WAIT);
    let mut stopping = app.hall.stopping.subscribe();
    let taken = tokio::select! {
        taken = board.take(&taker, patience) => taken.map_err(broken)?,
        _ = stopping.wait_for(|stopping| *stopping) => None,
    };
    let Some(given) = taken else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    searches.keys.has(&key.id, &given.id);
    let json = [(header::CONTENT_TYPE, "application/json")];
    Ok((StatusCode::ACCEPTED, json, given.body).into_response())
}

pub(super) async fn analysis(
    State(app): State<App>,
    worker: Worker,
    Path(id): Path<String>,
    request: Request,
) -> Result<StatusCode, Refusal> {
    hear(&app, worker.counts()?, &id, request.into_body(), false).await
}

pub(super) async fn answer(
    State(app): State<App>,
    worker: Worker,
    Path(id): Path<String>,
    request: Request,
) -> Result<StatusCode, Refusal> {
    hear(&app, worker.counts()?, &id, request.into_body(), true).await
}

pub(super) async fn abort(
    State(app): State<App>,
    worker: Worker,
    Path(id): Path<String>,
    request: Request,
) -> Result<StatusCode, Refusal> {
    let wish: WorkAbort = json(request.into_body(), MOST_WISH_BYTES).await.unwrap_or_default();
    let why: String = wish.why.chars().filter(|c| !c.is_control()).take(60).collect();
    tracing::info!(key = %worker.0.id, %why, "a worker gives a search back");
    said(&app, &worker.0, &id, None, Some(WorkerEnd::Aborted)).await
}

/// Handles a worker's message about a search, within limits; one that cannot be read ends the search there.
async fn hear(app: &App, key: KeyRow, id: &str, body: Bytes, is_last: bool) -> Result<StatusCode, Refusal> {
    let Ok(bytes) = to_bytes(body, MOST_ANSWER_BYTES).await else {
        said(app, &key, id, None, Some(WorkerEnd::Garbage)).await?;
        let problem =
            Problem::new("body-too-large").with("detail", format!("at most {MOST_ANSWER_BYTES} bytes"));
        return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, problem));
    };
    if !is_last && bytes.is_empty() {
        return said(app, &key, id, None, None).await;
    }
    let Some(_) = read(&bytes) else {
        said(app, &key, id, None, Some(WorkerEnd::Garbage)).await?;
        return Err(Problem::new("bad-json").with("detail", "an answer was expected").into());
    };
    let text = String::from_utf8(bytes.into()).unwrap_or_default();
    said(app, &key, id, Some(text), is_last.then_some(WorkerEnd::Answer)).await
}

/// Passes on a worker's message; 410 if the search is not wanted any more.
async fn said(
    app: &App,
    key: &KeyRow,
    id: &str,
    told: Option<String>,
    end: Option<WorkerEnd>,
) -> Result<StatusCode, Refusal> {
    let searches = &app.hall.tables.opponents().searches;
    let Some(board) = searches.board() else { return Err(Refusal::busy()) };
    if end.is_some() {
        searches.keys.has_no_more(&key.id, id);
    }
    if board.hear(id, &key.id, told, end).await.map_err(broken)? {
        return Ok(StatusCode::NO_CONTENT);
    }
    searches.keys.has_no_more(&key.id, id);
    Err(Refusal::new(StatusCode::GONE, Problem::new("worker-gone")))
}

pub(super) async fn map(
    State(app): State<App>,
    worker: Worker,
    Path(id): Path<String>,
) -> Result<Json<UploadMap>, Refusal> {
    worker.counts()?;
    let (brought, _) = app.hall.works.maps.files(&id).await?;
    Ok(Json(upload_of(&brought.name, &brought.package, brought.old_names)))
}

pub(super) async fn weights(worker: Worker, Path(hash): Path<String>) -> Result<String, Refusal> {
    worker.counts()?;
    engine::learned::brought_line(&hash).ok_or_else(|| Refusal::unknown(Problem::new("no-such-weights")))
}

/// Parses a JSON body of at most `most` bytes.
async fn json<T: serde::de::DeserializeOwned>(body: Bytes, most: usize) -> Result<T, Refusal> {
    let bytes = to_bytes(body, most).await.map_err(|_| {
        let problem = Problem::new("body-too-large").with("detail", format!("at most {most} bytes"));
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, problem)
    })?;
    serde_json::from_slice(&bytes).map_err(|why| Problem::new("bad-json").with("detail", why).into())
}

pub(super) async fn keys(State(app): State<App>, staff: Staff) -> Result<Json<Vec<WorkerKey>>, Refusal> {
    told!(app, staff, StaffWish::WorkerKeys, WorkerKeys)
}

pub(super) async fn make(
    State(app): State<App>,
    staff: Staff,
    Body(wish): Body<NewWorkerKey>,
) -> Result<(StatusCode, Json<MadeWorkerKey>), Refusal> {
    let made: Result<Json<MadeWorkerKey>, Refusal> = told!(app, staff, StaffWish::Hire(wish), WorkerKey);
    Ok((StatusCode::CREATED, made?))
}

pub(super) async fn remove(
    State(app): State<App>,
    staff: Staff,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Dismiss { id }).await
}

pub(super) async fn restore(
    State(app): State<App>,
    staff: Staff,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Rehire { id }).await
}
