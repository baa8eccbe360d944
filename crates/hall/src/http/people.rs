//! Who the asker is.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Serialize;
use utoipa::ToSchema;
use wire::{Me, NewName, Player};

use super::ask::Body;
use people::Secret;

use crate::account::{cookie, guest_name, secret_of};
use crate::app::App;
use crate::refusal::{Refusal, RefusalBody};
use crate::table_task::line;
use crate::visitor::{ClientIp, Visitor, enter};

/// Unfinished tables shown to their player.
const PLAYING: u32 = 20;

/// `/api/me` and `/api/guests`.
pub(super) fn router() -> Router<App> {
    Router::new().route("/api/me", get(me).put(rename)).route("/api/guests", post(new_guest))
}

/// Who the asker is; makes them a guest when they are nobody yet.
#[utoipa::path(get, path = "/api/me", responses((status = 200, body = Me)))]
pub(super) async fn me(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let known = secret_of(&headers, app.reach.is_secure())?;
    let secret = known.clone().unwrap_or_default();
    if headers.contains_key(header::AUTHORIZATION)
        && app.hall.person(&secret).await.map_err(|_| Refusal::not_stored())?.is_none()
    {
        return Err(Refusal::unauthorized());
    }
    let player = enter(&app, &secret, address).await?;
    let mut response = Json(who_is(&app, player).await).into_response();
    if known.is_none() {
        response.headers_mut().insert(header::SET_COOKIE, cookie(&secret, app.reach.is_secure()));
    }
    Ok(response)
}

pub(super) async fn who_is(app: &App, player: Player) -> Me {
    let ids = app.hall.store.playing(&player.id, PLAYING).await.unwrap_or_default();
    let mut playing = Vec::new();
    for id in ids {
        playing.extend(app.hall.look(&id, line).await.ok());
    }
    Me { player, playing }
}

/// Chooses a name.
#[utoipa::path(put, path = "/api/me", request_body = NewName, responses((status = 200, body = Me), (status = 400, body = RefusalBody)))]
pub(super) async fn rename(
    State(app): State<App>,
    visitor: Visitor,
    Body(wish): Body<NewName>,
) -> Result<Json<Me>, Refusal> {
    let name = guest_name(&wish.name)?.map(|name| name.as_str().to_owned());
    let kept = app.hall.rename(&visitor.player.id, name.as_deref()).await;
    kept.map_err(|_| Refusal::not_stored())?;
    Ok(Json(who_is(&app, Player { name, ..visitor.player }).await))
}

/// A new guest, for programs.
#[derive(Serialize, ToSchema)]
pub(super) struct NewGuest {
    /// For `Authorization: Bearer`; tell nobody.
    secret: String,
    player: Player,
}

/// Makes a guest for a program.
#[utoipa::path(post, path = "/api/guests", responses((status = 201, body = NewGuest)))]
pub(super) async fn new_guest(
    State(app): State<App>,
    ClientIp(address): ClientIp,
) -> Result<(StatusCode, Json<NewGuest>), Refusal> {
    let secret = Secret::new();
    let player = enter(&app, &secret, address).await?;
    Ok((StatusCode::CREATED, Json(NewGuest { secret: secret.reveal().to_owned(), player })))
}
