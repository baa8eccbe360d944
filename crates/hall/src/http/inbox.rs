//! Slow games: the asker's games and vacation, and their private plans and notes at a table.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post, put};
use axum::{Json, Router};
use serde::Deserialize;
use wire::{Inbox, InboxNext, NewPlan, PlanBoard, PlanLook, PlanTold, SeatNote, VacationTold};

use super::ask::{Asked, Body, Path};
use crate::app::App;
use crate::inbox::Refused;
use crate::refusal::{Refusal, RefusalBody};
use crate::visitor::Visitor;

/// Returns the routes `/api/inbox`, `/api/vacation`, and the players' own at `/api/tables/{id}`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/inbox", get(inbox))
        .route("/api/inbox/next", get(next))
        .route("/api/vacation", get(vacation).post(start_vacation).delete(stop_vacation))
        .route("/api/tables/{id}/plan", get(plan).put(set_plan))
        .route("/api/tables/{id}/plan/look", post(look))
        .route("/api/tables/{id}/note", put(note))
}

impl From<Refused> for Refusal {
    fn from(why: Refused) -> Self {
        match why {
            Refused::Table(why) => why.into(),
            Refused::Wish(why) => why.into(),
        }
    }
}

/// Returns the slow games of the asker: those in which they are to move first, by deadline.
#[utoipa::path(get, path = "/api/inbox", responses((status = 200, body = Inbox), (status = 401, body = RefusalBody)))]
pub(super) async fn inbox(State(app): State<App>, visitor: Visitor) -> Result<Json<Inbox>, Refusal> {
    let _place = app.place(&visitor.asker).await?;
    Ok(Json(app.hall.inbox(&visitor.player.id, (&visitor.asker).into()).await?))
}

#[derive(Deserialize)]
pub(super) struct But {
    but: Option<String>,
}

/// Returns the table at which the asker is to move next, other than `but`.
#[utoipa::path(get, path = "/api/inbox/next", params(("but" = Option<String>, Query)), responses((status = 200, body = InboxNext), (status = 401, body = RefusalBody)))]
pub(super) async fn next(
    State(app): State<App>,
    visitor: Visitor,
    Asked(wish): Asked<But>,
) -> Result<Json<InboxNext>, Refusal> {
    Ok(Json(app.hall.inbox_next(&visitor.player.id, wish.but.as_deref()).await?))
}

/// Returns the asker's vacation.
#[utoipa::path(get, path = "/api/vacation", responses((status = 200, body = VacationTold), (status = 401, body = RefusalBody)))]
pub(super) async fn vacation(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<VacationTold>, Refusal> {
    Ok(Json(app.hall.vacation(&visitor.player.id).await?))
}

/// Begins the asker's vacation: no clock of theirs runs in slow games.
#[utoipa::path(post, path = "/api/vacation", responses((status = 200, body = VacationTold), (status = 400, body = RefusalBody), (status = 401, body = RefusalBody)))]
pub(super) async fn start_vacation(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<VacationTold>, Refusal> {
    Ok(Json(app.hall.start_vacation(&visitor.player.id).await?))
}

/// Ends the asker's vacation.
#[utoipa::path(delete, path = "/api/vacation", responses((status = 200, body = VacationTold), (status = 401, body = RefusalBody)))]
pub(super) async fn stop_vacation(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<VacationTold>, Refusal> {
    Ok(Json(app.hall.stop_vacation(&visitor.player.id).await?))
}

/// Returns the asker's plans and notes at a table, which only they can see.
#[utoipa::path(get, path = "/api/tables/{id}/plan", params(("id" = String, Path)), responses((status = 200, body = PlanTold), (status = 400, body = RefusalBody), (status = 404, body = RefusalBody)))]
pub(super) async fn plan(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<PlanTold>, Refusal> {
    Ok(Json(app.hall.plan(&id, &visitor.player.id, (&visitor.asker).into()).await?))
}

/// Plans conditional moves in a slow game while the opponent is to move: where the opponent's move fits a line, the
/// hall plays the next one at once. An empty list removes the plan.
#[utoipa::path(put, path = "/api/tables/{id}/plan", params(("id" = String, Path)), request_body = NewPlan, responses((status = 200, body = PlanTold), (status = 400, body = RefusalBody), (status = 404, body = RefusalBody)))]
pub(super) async fn set_plan(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(wish): Body<NewPlan>,
) -> Result<Json<PlanTold>, Refusal> {
    let _place = app.place(&visitor.asker).await?;
    let payer = (&visitor.asker).into();
    Ok(Json(app.hall.set_plan(&id, &visitor.player.id, wish, payer).await?))
}

/// Returns the board after a line that the asker may plan.
#[utoipa::path(post, path = "/api/tables/{id}/plan/look", params(("id" = String, Path)), request_body = PlanLook, responses((status = 200, body = PlanBoard), (status = 400, body = RefusalBody), (status = 404, body = RefusalBody)))]
pub(super) async fn look(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(wish): Body<PlanLook>,
) -> Result<Json<PlanBoard>, Refusal> {
    let _place = app.place(&visitor.asker).await?;
    let payer = (&visitor.asker).into();
    Ok(Json(app.hall.look_at_plan(&id, &visitor.player.id, wish.moves, payer).await?))
}

/// Stores the asker's notes about a game.
#[utoipa::path(put, path = "/api/tables/{id}/note", params(("id" = String, Path)), request_body = SeatNote, responses((status = 204), (status = 400, body = RefusalBody), (status = 404, body = RefusalBody)))]
pub(super) async fn note(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(wish): Body<SeatNote>,
) -> Result<StatusCode, Refusal> {
    app.hall.set_note(&id, &visitor.player.id, &wish.text, (&visitor.asker).into()).await?;
    Ok(StatusCode::NO_CONTENT)
}
