//! Hints, lines beside a game, reports, and where an analysis begins.

use std::sync::Arc;

use axum::extract::{Path, State, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use wire::{Aside, Hint, Replay, Report};

use super::{App, Asked, Body, Refusal, RefusalBody, Where, admit, frugal};
use crate::socket;
use crate::study::NoStudy;
use crate::visitor::{From, Visitor};

/// Analyses of one address at the same time.
const ANALYSES: u32 = 4;

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/tables/{id}/hint", post(hint))
        .route("/api/tables/{id}/aside", post(aside))
        .route("/api/tables/{id}/report", post(report))
}

pub(super) fn sockets() -> Router<App> {
    Router::new().route("/ws/study", get(study_socket))
}

fn refusal(why: NoStudy, headers: &HeaderMap) -> Refusal {
    match why {
        NoStudy::NoTable(why) => Refusal::no_table(&why, headers),
        NoStudy::Refused(problem) => Refusal::bad(problem, headers),
    }
}

/// The best move, for who is to move; on one screen, and against a program.
#[utoipa::path(post, path = "/api/tables/{id}/hint", params(("id" = String, Path)), responses((status = 200, body = Hint), (status = 400, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub(super) async fn hint(
    State(app): State<App>,
    Extension(From(address)): Extension<From>,
    headers: HeaderMap,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<Hint>, Refusal> {
    let counted = app.hall.gauges.study(address);
    counted.map_err(|seconds| Refusal::too_many(seconds, &headers))?;
    app.hall.hint(&id, &visitor.player.id).await.map(Json).map_err(|why| refusal(why, &headers))
}

/// What the board looks like along a line beside the game.
#[utoipa::path(post, path = "/api/tables/{id}/aside", params(("id" = String, Path)), request_body = Aside, responses((status = 200, body = Replay), (status = 400, body = RefusalBody)))]
pub(super) async fn aside(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Body(wish): Body<Aside>,
) -> Result<Json<Replay>, Refusal> {
    app.hall.aside(&id, &wish).await.map(Json).map_err(|why| refusal(why, &headers))
}

/// The report about a finished game, as far as it has come; the first who asks begins it.
#[utoipa::path(post, path = "/api/tables/{id}/report", params(("id" = String, Path)), responses((status = 200, body = Report), (status = 400, body = RefusalBody)))]
pub(super) async fn report(
    State(app): State<App>,
    Extension(From(address)): Extension<From>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<Report>, Refusal> {
    let report = app.hall.report(&id, &address.to_string()).await;
    report.map(Json).map_err(|why| refusal(why, &headers))
}

async fn study_socket(
    State(app): State<App>,
    Extension(From(address)): Extension<From>,
    headers: HeaderMap,
    Asked(place): Asked<Where>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let counted = admit(&app, address, &headers)?;
    let most = app.hall.limits.on.then_some(ANALYSES);
    let analysis = app.analyses.admit(address, most).ok_or_else(|| Refusal::too_many(10, &headers))?;
    app.hall.table(&place.table).await.map_err(|why| Refusal::no_table(&why, &headers))?;
    let hall = Arc::clone(&app.hall);
    Ok(frugal(&app, upgrade).on_upgrade(move |socket| async move {
        socket::in_study(hall, socket, place.table, address).await;
        drop((counted, analysis));
    }))
}
