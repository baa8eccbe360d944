//! The beginnings of WebSockets: at a table, in the lobby, at an analysis.

use std::sync::Arc;

use axum::extract::{State, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::Response;
use edge::connections::Counted;
use edge::network::{Asker, Network};
use members::identity::Recognized;
use people::Secret;
use serde::Deserialize;

use super::ask::{Path, Upgrade, UrlQuery};
use crate::account::secret_of;
use crate::app::App;
use crate::refusal::Refusal;
use crate::socket;
use crate::visitor::Onlooker;

#[derive(Deserialize)]
pub(super) struct Where {
    table: String,
    since: Option<u64>,
}

pub(super) async fn table_socket(
    State(app): State<App>,
    asker: Asker,
    who: Onlooker,
    UrlQuery(place): UrlQuery<Where>,
    Upgrade(upgrade): Upgrade,
) -> Result<Response, Refusal> {
    let counted = admit(&app, &asker)?;
    app.hall.tables.table(&place.table, (&asker).into()).await?;
    let who = if may_sit(&app, &who, &place.table, &asker).await { who } else { Onlooker::nobody() };
    let hall = Arc::clone(&app.hall);
    let here = hall.here.admit(who.player.id.clone(), None);
    Ok(frugal(&app, upgrade).on_upgrade(async move |socket| {
        socket::at_table(hall, socket, place.table, who, asker, place.since).await;
        drop((counted, here));
    }))
}

pub(super) async fn lobby_socket(
    State(app): State<App>,
    asker: Asker,
    headers: HeaderMap,
    Upgrade(upgrade): Upgrade,
) -> Result<Response, Refusal> {
    hall_socket(&app, &asker, &headers, upgrade, true).await
}

pub(super) async fn here_socket(
    State(app): State<App>,
    asker: Asker,
    headers: HeaderMap,
    Upgrade(upgrade): Upgrade,
) -> Result<Response, Refusal> {
    hall_socket(&app, &asker, &headers, upgrade, false).await
}

async fn hall_socket(
    app: &App,
    asker: &Asker,
    headers: &HeaderMap,
    upgrade: WebSocketUpgrade,
    lists: bool,
) -> Result<Response, Refusal> {
    let counted = admit(app, asker)?;
    let who = known(app, headers).await;
    let person = who.as_ref().map(|(known, _)| known.player.id.clone());
    let here = person.as_ref().map(|person| app.hall.here.admit(person.clone(), None));
    let (hall, network) = (Arc::clone(&app.hall), asker.network);
    Ok(frugal(app, upgrade).on_upgrade(async move |socket| {
        socket::in_hall(Arc::clone(&hall), socket, who, network, lists).await;
        drop((counted, here));
        // A page that was closed looks for no opponent.
        if let Some(person) = person.filter(|person| !hall.is_here(person)) {
            hall.tables.play_now_queues().hush(&person);
        }
    }))
}

pub(super) async fn study_socket(
    State(app): State<App>,
    asker: Asker,
    headers: HeaderMap,
    UrlQuery(place): UrlQuery<Where>,
    Upgrade(upgrade): Upgrade,
) -> Result<Response, Refusal> {
    let counted = admit(&app, &asker)?;
    let known = known(&app, &headers).await;
    app.hall
        .members
        .staffed
        .may_act(known.as_ref().map(|(known, _)| known), asker.network)
        .await
        .map_err(Refusal::forbidden)?;
    let secret = known.map(|(_, secret)| secret);
    let limits = &app.hall.limits;
    let of_address = app.analyses.admit(asker.network, limits.on.then_some(limits.analyses));
    let of_person = app.analysts.admit(asker.person.clone(), limits.on.then_some(limits.analyses_person));
    let analysis = of_address.zip(of_person).ok_or_else(|| Refusal::too_many(10))?;
    app.hall.tables.table(&place.table, (&asker).into()).await?;
    let hall = Arc::clone(&app.hall);
    Ok(frugal(&app, upgrade).on_upgrade(move |socket| async move {
        socket::in_analysis(hall, socket, place.table, asker, secret).await;
        drop((counted, analysis));
    }))
}

/// Returns true if a person may act at a table: where only accounts play, a guest only goes on with a game.
async fn may_sit(app: &App, who: &Onlooker, table: &str, asker: &Asker) -> bool {
    if !app.hall.members.staffed.rules().house().accounts_only {
        return true;
    }
    let Some(secret) = &who.secret else { return true };
    let is_guest = match app.hall.known(secret).await {
        Ok(known) => known.is_none_or(|known| known.kind == store::StoredPersonKind::Guest),
        Err(_) => false,
    };
    let person = who.player.id.clone();
    let sits = move |state: &table::State| !state.seats_of(&person).is_empty();
    !is_guest || app.hall.tables.look(table, asker.into(), sits).await.unwrap_or(false)
}

#[derive(Deserialize)]
pub(super) struct Since {
    since: u64,
}

pub(super) async fn saved_socket(
    State(app): State<App>,
    asker: Asker,
    headers: HeaderMap,
    Path(id): Path<String>,
    UrlQuery(seen): UrlQuery<Since>,
    Upgrade(upgrade): Upgrade,
) -> Result<Response, Refusal> {
    let counted = admit(&app, &asker)?;
    let known = known(&app, &headers).await;
    let (player, secret) = known.map(|(known, secret)| (known.player, secret)).unzip();
    let person = player.as_ref().map_or(asker.person, |player| player.id.clone());
    let name = player.and_then(|player| player.name);
    let role = app.hall.role_in(&id, &person).await?;
    let who = wire::StudyMember { id: person, name };
    let (hall, network) = (Arc::clone(&app.hall), asker.network);
    Ok(frugal(&app, upgrade).on_upgrade(move |socket| async move {
        socket::in_study(hall, socket, id, (who, secret), role, network, seen.since).await;
        drop(counted);
    }))
}

/// Returns the person with a valid session, and the secret.
async fn known(app: &App, headers: &HeaderMap) -> Option<(Recognized, Secret)> {
    let secret = secret_of(headers, app.jar()).ok().flatten()?;
    let known = app.hall.known(&secret).await.ok().flatten()?;
    Some((known, secret))
}

/// Counts one more WebSocket of that address, and of that person if they have a session.
fn admit(app: &App, asker: &Asker) -> Result<(Counted<Network>, Option<Counted<String>>), Refusal> {
    let limits = &app.hall.limits;
    let most = |number| limits.on.then_some(number);
    let too_many = || Refusal::too_many(30);
    let of_person = if asker.is_known() {
        let person = app.sockets.admit(asker.person.clone(), most(limits.connections_person));
        Some(person.ok_or_else(too_many)?)
    } else {
        None
    };
    let of_address = app.connections.admit(asker.network, most(limits.connections));
    Ok((of_address.ok_or_else(too_many)?, of_person))
}

/// Sets small buffers: most of a hall's connections are silent most of the time.
pub(super) fn frugal(app: &App, upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    // Somewhat too long a message is still read, so that its sender can be told why the connection closes.
    let most = app.hall.limits.message_bytes * 4;
    upgrade
        .protocols([wire::SUBPROTOCOL])
        .read_buffer_size(1024)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20)
        .max_message_size(most)
        .max_frame_size(most)
}
