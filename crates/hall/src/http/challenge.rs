//! Challenges by name.

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use kernel::Problem;
use wire::{ChallengeLine, Challenges, Created, Decline, NewChallenge};

use super::ask::{Body, Path};
use super::tables::created;
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// Converts a problem to a refusal, with the status that fits.
fn refused(problem: Problem) -> Refusal {
    match problem.key {
        "no-such-challenge" | "no-such-person" => Refusal::unknown(problem),
        "challenge-refused" | "blocked-by-you" => Refusal::forbidden(problem),
        "challenges-full" | "challenger-away" => Refusal::new(StatusCode::CONFLICT, problem),
        _ => problem.into(),
    }
}

pub(super) async fn list(State(app): State<App>, visitor: Visitor) -> Result<Json<Challenges>, Refusal> {
    Ok(Json(app.hall.members.challenges.of(&visitor.player.id).await?))
}

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

pub(super) async fn accept(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let Visitor { player, asker, .. } = visitor;
    let table = app.hall.accept_challenge(&id, &player, (&asker).into()).await.map_err(refused)?;
    created(&app, table, player, &asker).await
}

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

pub(super) async fn cancel(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    app.hall.cancel_challenge(&id, &visitor.player.id).await.map_err(refused)?;
    Ok(StatusCode::NO_CONTENT)
}
