//! Slow games: the asker's games and vacation, and their private plans and notes at a table.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use wire::{Inbox, InboxNext, NewPlan, PlanBoard, PlanLook, PlanTold, SeatNote, VacationTold};

use super::ask::{Body, Path, UrlQuery};
use crate::app::App;
use crate::inbox::Refused;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

impl From<Refused> for Refusal {
    fn from(why: Refused) -> Self {
        match why {
            Refused::Table(why) => why.into(),
            Refused::Wish(why) => why.into(),
        }
    }
}

pub(super) async fn inbox(State(app): State<App>, visitor: Visitor) -> Result<Json<Inbox>, Refusal> {
    let _place = app.place(&visitor.asker).await?;
    Ok(Json(app.hall.inbox(&visitor.player.id, (&visitor.asker).into()).await?))
}

#[derive(Deserialize)]
pub(super) struct But {
    but: Option<String>,
}

pub(super) async fn next(
    State(app): State<App>,
    visitor: Visitor,
    UrlQuery(wish): UrlQuery<But>,
) -> Result<Json<InboxNext>, Refusal> {
    Ok(Json(app.hall.inbox_next(&visitor.player.id, wish.but.as_deref()).await?))
}

pub(super) async fn vacation(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<VacationTold>, Refusal> {
    Ok(Json(app.hall.members.vacations.of(&visitor.player.id).await?))
}

pub(super) async fn start_vacation(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<VacationTold>, Refusal> {
    Ok(Json(app.hall.start_vacation(&visitor.player.id).await?))
}

pub(super) async fn stop_vacation(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<VacationTold>, Refusal> {
    Ok(Json(app.hall.stop_vacation(&visitor.player.id).await?))
}

pub(super) async fn plan(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<PlanTold>, Refusal> {
    Ok(Json(app.hall.plan(&id, &visitor.player.id, (&visitor.asker).into()).await?))
}

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

pub(super) async fn note(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(wish): Body<SeatNote>,
) -> Result<StatusCode, Refusal> {
    app.hall.set_note(&id, &visitor.player.id, &wish.text, (&visitor.asker).into()).await?;
    Ok(StatusCode::NO_CONTENT)
}
