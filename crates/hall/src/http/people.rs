//! The asker, as a guest or with an account.

use std::net::IpAddr;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Serialize;
use utoipa::ToSchema;
use wire::{Me, NewName, PersonKind, Player, Welcome};

use super::ask::Body;
use people::Secret;

use crate::account::{cookie, secret_of};
use crate::accounts::Client;
use crate::app::App;
use crate::refusal::{Refusal, RefusalBody};
use crate::table_task::line;
use crate::visitor::{ClientIp, Visitor, enter};

/// The most unfinished tables that are shown to their player.
const PLAYING: u32 = 20;

/// Returns the routes `/api/me`, `/api/welcome` and `/api/guests`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/me", get(me).put(rename))
        .route("/api/welcome", get(welcome))
        .route("/api/guests", post(new_guest))
}

/// Returns the asker; makes a new guest of a visitor without a session.
#[utoipa::path(get, path = "/api/me", responses((status = 200, body = Me)))]
pub(super) async fn me(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    told(&app, address, &headers, Json).await
}

/// Returns all that a page needs to open the hall; makes a new guest of a visitor without a session.
#[utoipa::path(get, path = "/api/welcome", responses((status = 200, body = Welcome), (status = 429, body = RefusalBody)))]
pub(super) async fn welcome(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let whole =
        |me| Json(Welcome { me, engines: app.hall.opponents.list(), games: super::games::GAMES.clone() });
    told(&app, address, &headers, whole).await
}

/// Answers with data about the asker, and sets a cookie if they brought none.
async fn told<T: IntoResponse>(
    app: &App,
    address: IpAddr,
    headers: &HeaderMap,
    answer: impl FnOnce(Me) -> T,
) -> Result<Response, Refusal> {
    let known = secret_of(headers, app.jar())?;
    let secret = known.clone().unwrap_or_default();
    let player = match enter(app, &secret, address).await {
        // A banned visitor may only watch, and is not stored as a person.
        Err(why) if why.problem.key == "banned" => {
            let player = Player { id: people::secret::new_id(), name: None, engine: None, program: false };
            let me = Me { kind: PersonKind::Guest, playing: Vec::new(), waiting: 0, player };
            return Ok(answer(me).into_response());
        }
        entered => entered?,
    };
    let kind = app.hall.known(&secret).await.ok().flatten().map_or(store::Kind::Guest, |known| known.kind);
    let mut response = answer(who_is(app, player, kind).await).into_response();
    if known.is_none() {
        response.headers_mut().insert(header::SET_COOKIE, cookie(&secret, app.jar()));
    }
    Ok(response)
}

/// Returns a person with their unfinished tables.
pub(super) async fn who_is(app: &App, player: Player, kind: store::Kind) -> Me {
    let ids = app.hall.store.tables.playing(&player.id, PLAYING).await.unwrap_or_default();
    let mut playing = Vec::new();
    for id in ids {
        playing.extend(app.hall.look(&id, line).await.ok());
    }
    let kind = crate::staff::desk::shown(kind);
    // Who plays nothing need not be looked up again.
    let waiting = if playing.is_empty() { None } else { app.hall.inbox_next(&player.id, None).await.ok() };
    Me { kind, playing, waiting: waiting.map_or(0, |next| next.waiting), player }
}

/// Chooses a name; that of an account once in thirty days.
#[utoipa::path(put, path = "/api/me", request_body = NewName, responses((status = 200, body = Me), (status = 400, body = RefusalBody), (status = 409, body = RefusalBody)))]
pub(super) async fn rename(
    State(app): State<App>,
    visitor: Visitor,
    client: Client,
    Body(wish): Body<NewName>,
) -> Result<Json<Me>, Refusal> {
    let name = super::account::rename(&app, &visitor, &client, &wish).await?;
    Ok(Json(who_is(&app, Player { name, ..visitor.player }, visitor.kind).await))
}

/// A new guest, for programs.
#[derive(Serialize, ToSchema)]
pub(super) struct NewGuest {
    /// The secret for `Authorization: Bearer`; keep it to yourself.
    secret: String,
    player: Player,
}

/// Creates a guest for a program.
#[utoipa::path(post, path = "/api/guests", responses((status = 201, body = NewGuest)))]
pub(super) async fn new_guest(
    State(app): State<App>,
    ClientIp(address): ClientIp,
) -> Result<(StatusCode, Json<NewGuest>), Refusal> {
    let secret = Secret::new();
    let player = enter(&app, &secret, address).await?;
    Ok((StatusCode::CREATED, Json(NewGuest { secret: secret.reveal().to_owned(), player })))
}
