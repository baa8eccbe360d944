//! The HTTP half of the hall: one module for each kind of resource. The story is told in `docs/hall-protocol.md`.
//!
//! Handlers answer or return a [`Refusal`](crate::refusal::Refusal). What holds for every request stands around the
//! router as layers: who may ask and how often ([`guard`]), how long an answer may take, the language of refusals
//! ([`speak`]), and the headers that protect the page.

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use kernel::Problem;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;

mod ask;
mod games;
mod health;
mod maps;
mod people;
mod positions;
mod records;
mod sockets;
mod study;
mod tables;
mod workshop;

use crate::app::App;
use crate::page;
use crate::refusal::{Refusal, speak};
use crate::visitor::guard;

/// Bytes of a request's body.
const BODY: usize = 16 * 1024;
/// Bytes of an imported record or of a map with its extensions, as JSON text.
const FILE_BODY: usize = 7 << 20;
/// A request that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(15);

/// Everything the hall serves.
pub fn router(app: App) -> Router {
    let api = Router::new()
        .merge(games::router())
        .merge(people::router())
        .merge(tables::router())
        .merge(positions::router())
        .merge(records::router())
        .merge(maps::router())
        .merge(workshop::router())
        .merge(study::router())
        .merge(health::router())
        .route("/api/{*rest}", get(nothing_here).fallback(nothing_here))
        .layer(from_fn(in_time));
    Router::new()
        .merge(api)
        .merge(sockets::router())
        .fallback(page::serve)
        .layer(DefaultBodyLimit::max(BODY))
        .layer(from_fn_with_state(app.clone(), guard))
        .layer(from_fn(speak))
        .layer(map_response(page::protect))
        .layer(CatchPanicLayer::new())
        .with_state(app)
}

/// Gives up what takes too long.
async fn in_time(request: Request, next: Next) -> Response {
    let answer = tokio::time::timeout(PATIENCE, next.run(request)).await;
    answer.unwrap_or_else(|_| Refusal::busy().into_response())
}

async fn nothing_here() -> Refusal {
    Refusal::unknown(Problem::new("no-such-address"))
}

/// The description of all this for programs.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Qiguan hall",
        description = "Games, tables and records of a hall. The WebSocket is described in docs/hall-protocol.md."
    ),
    paths(
        games::games,
        games::engines,
        people::me,
        people::rename,
        people::new_guest,
        tables::tables,
        tables::create,
        tables::room,
        tables::table,
        tables::log,
        positions::replay,
        positions::fen,
        positions::lessons,
        positions::details,
        positions::position,
        records::record,
        records::import,
        health::health,
        maps::check,
        maps::keep,
        maps::list,
        maps::info,
        maps::workbook,
        maps::extension,
        workshop::read_draft,
        workshop::check_draft,
        workshop::write_draft,
        study::hint,
        study::aside,
        study::report
    ),
    components(schemas(wire::ServerMessage, wire::ClientMessage, wire::StudyWish, wire::StudyTold))
)]
pub struct Description;
