//! Where a WebSocket begins: at a table, in the lobby, at an analysis.

use std::sync::Arc;

use axum::Router;
use axum::extract::{State, WebSocketUpgrade};
use axum::response::Response;
use axum::routing::get;
use serde::Deserialize;

use super::ask::Asked;
use crate::app::App;
use crate::connections::Counted;
use crate::network::{Asker, Network};
use crate::refusal::Refusal;
use crate::socket;
use crate::visitor::Onlooker;

/// `/ws`, `/ws/lobby` and `/ws/study`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/ws", get(table_socket))
        .route("/ws/lobby", get(lobby_socket))
        .route("/ws/study", get(study_socket))
}

#[derive(Deserialize)]
pub(super) struct Where {
    table: String,
    since: Option<u64>,
}

pub(super) async fn table_socket(
    State(app): State<App>,
    asker: Asker,
    who: Onlooker,
    Asked(place): Asked<Where>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let counted = admit(&app, &asker)?;
    app.hall.table(&place.table).await?;
    let hall = Arc::clone(&app.hall);
    Ok(frugal(&app, upgrade).on_upgrade(async move |socket| {
        socket::at_table(hall, socket, place.table, who, asker.network, place.since).await;
        drop(counted);
    }))
}

pub(super) async fn lobby_socket(
    State(app): State<App>,
    asker: Asker,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let counted = admit(&app, &asker)?;
    let hall = Arc::clone(&app.hall);
    Ok(frugal(&app, upgrade).on_upgrade(async move |socket| {
        socket::in_lobby(hall, socket).await;
        drop(counted);
    }))
}

pub(super) async fn study_socket(
    State(app): State<App>,
    asker: Asker,
    Asked(place): Asked<Where>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let counted = admit(&app, &asker)?;
    let limits = &app.hall.limits;
    let of_address = app.analyses.admit(asker.network, limits.on.then_some(limits.analyses));
    let of_person = app.analysts.admit(asker.person.clone(), limits.on.then_some(limits.analyses_person));
    let analysis = of_address.zip(of_person).ok_or_else(|| Refusal::too_many(10))?;
    app.hall.table(&place.table).await?;
    let hall = Arc::clone(&app.hall);
    Ok(frugal(&app, upgrade).on_upgrade(move |socket| async move {
        socket::in_study(hall, socket, place.table, asker).await;
        drop((counted, analysis));
    }))
}

fn admit(app: &App, asker: &Asker) -> Result<Counted<Network>, Refusal> {
    let most = app.hall.limits.on.then_some(app.hall.limits.connections);
    app.connections.admit(asker.network, most).ok_or_else(|| Refusal::too_many(30))
}

/// Small buffers: most of a hall's connections are silent most of the time.
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
