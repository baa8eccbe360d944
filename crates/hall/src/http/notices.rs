//! Settings of notices to the asker while they are away.

use axum::extract::State;
use axum::routing::{get, put};
use axum::{Json, Router};
use wire::{NewPush, NewQuietHours, Notices};

use super::ask::Body;
use crate::app::App;
use crate::refusal::{Refusal, RefusalBody};
use crate::visitor::Signed;

/// Returns the routes under `/api/notices…`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/notices", get(notices))
        .route("/api/notices/device", put(tell_in).delete(tell_no_more))
        .route("/api/notices/quiet", put(set_quiet))
}

async fn told(app: &App, signed: &Signed) -> Result<Json<Notices>, Refusal> {
    Ok(Json(app.hall.notices_of(&signed.person.id, &signed.session.id).await?))
}

/// Returns the asker's settings of notices.
#[utoipa::path(get, path = "/api/notices", responses((status = 200, body = Notices), (status = 401, body = RefusalBody), (status = 403, body = RefusalBody)))]
pub(super) async fn notices(State(app): State<App>, signed: Signed) -> Result<Json<Notices>, Refusal> {
    told(&app, &signed.account()?).await
}

/// Subscribes this browser to the asker's notices, until it is signed out.
#[utoipa::path(put, path = "/api/notices/device", request_body = NewPush, responses((status = 200, body = Notices), (status = 400, body = RefusalBody), (status = 403, body = RefusalBody)))]
pub(super) async fn tell_in(
    State(app): State<App>,
    signed: Signed,
    Body(wish): Body<NewPush>,
) -> Result<Json<Notices>, Refusal> {
    let signed = signed.account()?;
    app.hall.tell_in(&signed.person.id, &signed.session.id, wish).await?;
    told(&app, &signed).await
}

/// Removes this browser's subscription to notices.
#[utoipa::path(delete, path = "/api/notices/device", responses((status = 200, body = Notices), (status = 403, body = RefusalBody)))]
pub(super) async fn tell_no_more(State(app): State<App>, signed: Signed) -> Result<Json<Notices>, Refusal> {
    let signed = signed.account()?;
    app.hall.tell_no_more(&signed.person.id, &signed.session.id).await?;
    told(&app, &signed).await
}

/// Sets the asker's quiet hours.
#[utoipa::path(put, path = "/api/notices/quiet", request_body = NewQuietHours, responses((status = 200, body = Notices), (status = 400, body = RefusalBody), (status = 403, body = RefusalBody)))]
pub(super) async fn set_quiet(
    State(app): State<App>,
    signed: Signed,
    Body(wish): Body<NewQuietHours>,
) -> Result<Json<Notices>, Refusal> {
    let signed = signed.account()?;
    app.hall.set_quiet(&signed.person.id, wish.quiet).await?;
    told(&app, &signed).await
}
