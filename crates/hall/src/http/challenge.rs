//! Challenges by name.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use kernel::Problem;
use wire::{ChallengeLine, Challenges, Created, Decline, NewChallenge};

use super::ask::{Body, Path};
use super::tables::created;
use crate::app::App;
use crate::refusal::{Refusal, RefusalBody};
use crate::visitor::Visitor;

/// Returns the routes under `/api/challenges` and `/api/challenge/…`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/challenges", get(list))
        .route("/api/challenge/{id}", post(make))
        .route("/api/challenge/{id}/accept", post(accept))
        .route("/api/challenge/{id}/decline", post(decline))
        .route("/api/challenge/{id}/cancel", post(cancel))
}

/// Converts a problem to a refusal, with the status that fits.
fn refused(problem: Problem) -> Refusal {
    match problem.key {
        "no-such-challenge" | "no-such-person" => Refusal::unknown(problem),
        "challenge-refused" | "blocked-by-you" => Refusal::forbidden(problem),
        "challenges-full" | "challenger-away" => Refusal::new(StatusCode::CONFLICT, problem),
        _ => problem.into(),
    }
}

/// Returns the challenges that wait for the asker's answer, and those the asker has sent.
#[utoipa::path(get, path = "/api/challenges", responses((status = 200, body = Challenges), (status = 401, body = RefusalBody)))]
pub(super) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Json<Challenges>, Refusal> {
    Ok(Json(app.hall.challenges(&visitor.player.id).await?))
}

/// Challenges a person, by name or public id.
#[utoipa::path(post, path = "/api/challenge/{id}", params(("id" = String, Path)), request_body = NewChallenge, responses((status = 201, body = ChallengeLine), (status = 400, body = RefusalBody), (status = 403, body = RefusalBody), (status = 404, body = RefusalBody), (status = 409, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub(super) async fn make(
    State(app): State<App>,
    visitor: Visitor,
    Path(who): Path<String>,
    Body(wish): Body<NewChallenge>,
) -> Result<(StatusCode, Json<ChallengeLine>), Refusal> {
    app.hall.rates.challenge(&visitor.asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let line = app.hall.challenge(wish, &visitor.player, &who, &visitor.asker).await.map_err(refused)?;
    Ok((StatusCode::CREATED, Json(line)))
}

/// Accepts a challenge; the game begins.
#[utoipa::path(post, path = "/api/challenge/{id}/accept", params(("id" = String, Path)), responses((status = 201, body = Created), (status = 404, body = RefusalBody), (status = 409, body = RefusalBody)))]
pub(super) async fn accept(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let Visitor { player, asker, .. } = visitor;
    let table = app.hall.accept_challenge(&id, &player, (&asker).into()).await.map_err(refused)?;
    created(&app, table, player, &asker).await
}

/// Declines a challenge, with a reason.
#[utoipa::path(post, path = "/api/challenge/{id}/decline", params(("id" = String, Path)), request_body = Decline, responses((status = 204), (status = 400, body = RefusalBody), (status = 404, body = RefusalBody)))]
pub(super) async fn decline(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Refusal> {
    let Decline { reason } = if body.is_empty() {
        Decline::default()
    } else {
        serde_json::from_slice(&body).map_err(|why| Problem::new("bad-json").with("detail", why))?
    };
    app.hall.decline_challenge(&id, &visitor.player.id, reason.as_deref()).await.map_err(refused)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Withdraws a challenge.
#[utoipa::path(post, path = "/api/challenge/{id}/cancel", params(("id" = String, Path)), responses((status = 204), (status = 404, body = RefusalBody)))]
pub(super) async fn cancel(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    app.hall.cancel_challenge(&id, &visitor.player.id).await.map_err(refused)?;
    Ok(StatusCode::NO_CONTENT)
}
