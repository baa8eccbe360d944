//! The asker, as a guest or with an account.

use std::net::IpAddr;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use edge::network::{Asker, Network};
use members::client::Client;
use serde::Serialize;
use utoipa::ToSchema;
use wire::{Me, NewName, PersonKind, Player, Welcome};

use super::ask::Body;
use people::Secret;
use tables::lobby::line;

use crate::account::{cookie, secret_of};
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::{ClientIp, Visitor, enter};

/// The most unfinished tables that are shown to their player.
const PLAYING: u32 = 20;

pub(super) async fn me(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    told(&app, address, &headers, Json).await
}

pub(super) async fn welcome(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let whole = |me| {
        Json(Welcome { me, engines: app.hall.tables.opponents().list(), games: super::games::GAMES.clone() })
    };
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
    let kind = app
        .hall
        .known(&secret)
        .await
        .ok()
        .flatten()
        .map_or(store::StoredPersonKind::Guest, |known| known.kind);
    let mut response = answer(who_is(app, player, kind, Network::of(address)).await).into_response();
    if known.is_none() {
        response.headers_mut().insert(header::SET_COOKIE, cookie(&secret, app.jar()));
    }
    Ok(response)
}

/// Returns a person with their unfinished tables.
pub(super) async fn who_is(app: &App, player: Player, kind: store::StoredPersonKind, network: Network) -> Me {
    let asker = Asker { network, person: player.id.clone() };
    let ids = app.hall.store.tables.playing(&player.id, PLAYING).await.unwrap_or_default();
    let mut playing = Vec::new();
    for id in ids {
        playing.extend(app.hall.tables.look(&id, (&asker).into(), line).await.ok());
    }
    let kind = members::staff::desk::shown(kind);
    // Who plays nothing need not be looked up again.
    let waiting = if playing.is_empty() { None } else { app.hall.inbox_next(&player.id, None).await.ok() };
    Me { kind, playing, waiting: waiting.map_or(0, |next| next.waiting), player }
}

pub(super) async fn rename(
    State(app): State<App>,
    visitor: Visitor,
    client: Client,
    Body(wish): Body<NewName>,
) -> Result<Json<Me>, Refusal> {
    let name = super::account::rename(&app, &visitor, &client, &wish).await?;
    let player = Player { name, ..visitor.player };
    Ok(Json(who_is(&app, player, visitor.kind, visitor.asker.network).await))
}

/// A new guest, for programs.
#[derive(Serialize, ToSchema)]
pub(super) struct NewGuest {
    /// The secret for `Authorization: Bearer`; keep it to yourself.
    secret: String,
    player: Player,
}

pub(super) async fn new_guest(
    State(app): State<App>,
    ClientIp(address): ClientIp,
) -> Result<(StatusCode, Json<NewGuest>), Refusal> {
    let secret = Secret::new();
    let player = enter(&app, &secret, address).await?;
    Ok((StatusCode::CREATED, Json(NewGuest { secret: secret.reveal().to_owned(), player })))
}
