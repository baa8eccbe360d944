//! Hints, lines beside a game, and reports.

use axum::extract::{Path, State};
use axum::routing::post;
use axum::{Json, Router};
use wire::{Aside, Hint, Replay, Report};

use super::ask::Body;
use crate::app::App;
use crate::refusal::{Refusal, RefusalBody};
use crate::visitor::{ClientIp, Visitor};

/// What our engine is asked about a table.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/tables/{id}/hint", post(hint))
        .route("/api/tables/{id}/aside", post(aside))
        .route("/api/tables/{id}/report", post(report))
}

/// The best move, for who is to move; on one screen, and against a program.
#[utoipa::path(post, path = "/api/tables/{id}/hint", params(("id" = String, Path)), responses((status = 200, body = Hint), (status = 400, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub(super) async fn hint(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<Hint>, Refusal> {
    let counted = app.hall.rates.study(address);
    counted.map_err(Refusal::too_many)?;
    app.hall.hint(&id, &visitor.player.id).await.map(Json).map_err(Refusal::from)
}

/// What the board looks like along a line beside the game.
#[utoipa::path(post, path = "/api/tables/{id}/aside", params(("id" = String, Path)), request_body = Aside, responses((status = 200, body = Replay), (status = 400, body = RefusalBody)))]
pub(super) async fn aside(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(wish): Body<Aside>,
) -> Result<Json<Replay>, Refusal> {
    app.hall.aside(&id, &wish).await.map(Json).map_err(Refusal::from)
}

/// The report about a finished game, as far as it has come; the first who asks begins it.
#[utoipa::path(post, path = "/api/tables/{id}/report", params(("id" = String, Path)), responses((status = 200, body = Report), (status = 400, body = RefusalBody)))]
pub(super) async fn report(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    Path(id): Path<String>,
) -> Result<Json<Report>, Refusal> {
    let report = app.hall.report(&id, &address.to_string()).await;
    report.map(Json).map_err(Refusal::from)
}
