//! Settings of notices to the asker while they are away.

use axum::Json;
use axum::extract::State;
use wire::{NewPush, NewQuietHours, Notices};

use super::ask::Body;
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Signed;

async fn told(app: &App, signed: &Signed) -> Result<Json<Notices>, Refusal> {
    Ok(Json(app.hall.members.notices.notices_of(&signed.person.id, &signed.session.id).await?))
}

pub(super) async fn notices(State(app): State<App>, signed: Signed) -> Result<Json<Notices>, Refusal> {
    told(&app, &signed.account()?).await
}

pub(super) async fn tell_in(
    State(app): State<App>,
    signed: Signed,
    Body(wish): Body<NewPush>,
) -> Result<Json<Notices>, Refusal> {
    let signed = signed.account()?;
    app.hall.members.notices.tell_in(&signed.person.id, &signed.session.id, wish).await?;
    told(&app, &signed).await
}

pub(super) async fn tell_no_more(State(app): State<App>, signed: Signed) -> Result<Json<Notices>, Refusal> {
    let signed = signed.account()?;
    app.hall.members.notices.tell_no_more(&signed.person.id, &signed.session.id).await?;
    told(&app, &signed).await
}

pub(super) async fn set_quiet(
    State(app): State<App>,
    signed: Signed,
    Body(wish): Body<NewQuietHours>,
) -> Result<Json<Notices>, Refusal> {
    let signed = signed.account()?;
    app.hall.members.notices.set_quiet(&signed.person.id, wish.quiet).await?;
    told(&app, &signed).await
}
