//! Tables: the lobby, opening one, finding one, and what happened at it.

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use kernel::Problem;
use serde::{Deserialize, Serialize};
use table::{Entry, State as Table};
use utoipa::ToSchema;
use wire::{CreateTable, Created, LogLine, Tables};

use super::ask::{Asked, Body};
use crate::account::tidy_room;
use crate::app::App;
use crate::hall::NoTable;
use crate::refusal::{Refusal, RefusalBody};
use crate::visitor::{ClientIp, Onlooker, Visitor};

/// Events in one answer of the log.
const LOG_LINES: u32 = 1000;

/// `/api/tables`, `/api/rooms`, and a table with its log.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/tables", get(tables).post(create))
        .route("/api/rooms/{name}", get(room))
        .route("/api/tables/{id}", get(table))
        .route("/api/tables/{id}/log", get(log))
}

/// The lobby.
#[utoipa::path(get, path = "/api/tables", responses((status = 200, body = Tables)))]
pub(super) async fn tables(State(app): State<App>) -> Json<Tables> {
    Json(app.hall.lobby.tables())
}

/// Opens a table.
#[utoipa::path(post, path = "/api/tables", request_body = CreateTable, responses((status = 201, body = Created), (status = 400, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub(super) async fn create(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    visitor: Visitor,
    Body(wish): Body<CreateTable>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    admit_table(&app, &visitor, address)?;
    let id = app.hall.open(wish, visitor.player.clone()).await?;
    created(&app, id, visitor).await
}

pub(super) fn admit_table(app: &App, visitor: &Visitor, address: std::net::IpAddr) -> Result<(), Refusal> {
    app.hall.rates.table(&visitor.player.id, address).map_err(Refusal::too_many)
}

pub(super) async fn created(
    app: &App,
    id: String,
    visitor: Visitor,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let who = visitor.player.id;
    let seats = app.hall.look(&id, move |t: &Table| t.seats_of(&who)).await;
    let seats = seats?;
    let you = seats.into_iter().map(wire::Side::from).collect();
    Ok((StatusCode::CREATED, Json(Created { id, you })))
}

/// Where a room is.
#[derive(Serialize, ToSchema)]
pub(super) struct Room {
    /// The table's id.
    id: String,
}

/// The table of an open room.
#[utoipa::path(get, path = "/api/rooms/{name}", params(("name" = String, Path)), responses((status = 200, body = Room), (status = 404, body = RefusalBody)))]
pub(super) async fn room(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Room>, Refusal> {
    let tidy = tidy_room(&name).ok().flatten().unwrap_or_default();
    let found = app.hall.store.room(&tidy).await.ok().flatten();
    let unknown = || Refusal::unknown(Problem::new("no-such-room").with("room", &tidy));
    found.map(|id| Json(Room { id })).ok_or_else(unknown)
}

/// Everything about a table.
#[utoipa::path(get, path = "/api/tables/{id}", params(("id" = String, Path)), responses((status = 200, body = wire::ServerMessage), (status = 404, body = RefusalBody)))]
pub(super) async fn table(
    State(app): State<App>,
    who: Onlooker,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let question = |reply| crate::table_task::Ask::Full { who: who.player.id.clone(), reply };
    let answer = app.hall.ask(&id, question).await;
    let (_, (_, text)) = answer?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response())
}

#[derive(Deserialize)]
pub(super) struct Since {
    since: Option<u64>,
}

/// What happened at a table.
#[utoipa::path(get, path = "/api/tables/{id}/log", params(("id" = String, Path), ("since" = Option<u64>, Query)), responses((status = 200, body = Vec<LogLine>), (status = 404, body = RefusalBody)))]
pub(super) async fn log(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(wish): Asked<Since>,
) -> Result<Json<Vec<LogLine>>, Refusal> {
    let since = wish.since.unwrap_or(0);
    app.hall.table(&id).await?;
    let log = app.hall.store.log(&id, since, LOG_LINES).await;
    let log = log.map_err(|why| NoTable::Broken(why.to_string()))?;
    let line =
        |e: Entry| LogLine { v: e.ver, at_ms: e.at_ms, cmd: e.cmd.map(|c| c.id), e: (&e.event).into() };
    Ok(Json(log.into_iter().map(line).collect()))
}
