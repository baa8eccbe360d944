//! Hints, lines beside a game, and reports.

use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use edge::network::Asker;
use edge::workers::Deadline;
use kernel::{AnyGame, PlayError};
use wire::{Aside, Hint, Patch, Replay, Report};

use super::ask::{Body, Path};
use super::positions::count;
use crate::app::App;
use crate::refusal::{Refusal, RefusalBody};
use crate::study::check_aside;
use crate::visitor::Visitor;

/// Returns the routes for engine help at a table.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/tables/{id}/hint", post(hint))
        .route("/api/tables/{id}/aside", post(aside))
        .route("/api/tables/{id}/report", post(report))
}

/// Returns the best move, for the player who is to move; on one screen, and against a program.
#[utoipa::path(post, path = "/api/tables/{id}/hint", params(("id" = String, Path)), responses((status = 200, body = Hint), (status = 400, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub(super) async fn hint(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<Hint>, Refusal> {
    app.hall.rates.hint(&visitor.asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    Ok(Json(app.hall.hint(&id, &visitor.player.id, &visitor.asker).await?))
}

/// Returns the positions along a line beside the game.
#[utoipa::path(post, path = "/api/tables/{id}/aside", params(("id" = String, Path)), request_body = Aside, responses((status = 200, body = Replay), (status = 400, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub(super) async fn aside(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    Body(wish): Body<Aside>,
) -> Result<Json<Replay>, Refusal> {
    check_aside(&wish)?;
    let place = app.place(&asker).await?;
    let (game, _) = app.hall.studied(&id, wish.ply, &asker).await?;
    let walked = place.run(move |deadline| walk(game, &wish, deadline));
    walked.await?.map(Json)
}

fn walk(mut game: Box<dyn AnyGame>, wish: &Aside, deadline: &Deadline) -> Result<Replay, Refusal> {
    let start = game.view();
    let mut before = start.clone();
    let mut patches = Vec::with_capacity(wish.moves.len());
    for text in &wish.moves {
        deadline.check()?;
        game.play(text).map_err(PlayError::problem)?;
        let view = game.view();
        patches.push(Patch::between(&before, &view));
        before = view;
    }
    Ok(Replay { from: wish.ply, of: count(game.plies()), start, patches })
}

/// Returns the report about a finished game, as far as it has come; the first request begins it.
#[utoipa::path(post, path = "/api/tables/{id}/report", params(("id" = String, Path)), responses((status = 200, body = Report), (status = 400, body = RefusalBody), (status = 401, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub(super) async fn report(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<Report>, Refusal> {
    Ok(Json(app.hall.report_anywhere(&id, &visitor.asker).await?))
}
