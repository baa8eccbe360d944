//! Tables: the lobby, creation, pairing, and the log of a table.

use std::cmp::Reverse;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse, Response};
use edge::network::Asker;
use kernel::Problem;
use serde::{Deserialize, Serialize};
use table::{Entry, State as Table};
use tables::lobby::is_full;
use tables::memory::NoTable;
use tables::opening::room_name;
use utoipa::ToSchema;
use wire::{Created, LogLine, OpenTable, PlayNow, PlayNowTold, Player, PoolLeft, TableLine, Tables};

use super::ask::{Body, Path, UrlQuery};
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::{Onlooker, Visitor};

/// The most events in one answer of the log.
const LOG_LINES: u32 = 1000;

/// The query parameters of the lobby.
#[derive(Deserialize)]
pub(super) struct LobbyPages {
    kind: Option<ListKind>,
    after: Option<String>,
    most: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ListKind {
    Open,
    Live,
}

pub(super) async fn tables(
    State(app): State<App>,
    UrlQuery(pages): UrlQuery<LobbyPages>,
) -> Result<Response, Refusal> {
    let after = pages.after.as_deref().map(read_key).transpose()?;
    let limit = app.hall.limits.lobby_lines.max(1);
    let most = pages.most.map_or(limit, |most| most.clamp(1, limit));
    let (live, open): (Vec<_>, Vec<_>) =
        app.hall.tables.lobby().fair_lines().into_iter().partition(|(_, line)| is_full(line));
    let mut links = Vec::new();
    let mut page = |kind: ListKind, name: &str, lines: Vec<(bool, TableLine)>| {
        if pages.kind.is_some_and(|wanted| wanted != kind) {
            return Vec::new();
        }
        let comes_after = |(later, line): &(bool, TableLine)| {
            after.as_ref().is_none_or(|(told, ms, id)| {
                (*later, Reverse((line.created_ms, &line.id))) > (*told, Reverse((*ms, id)))
            })
        };
        let mut rest = lines.into_iter().filter(comes_after);
        let page: Vec<(bool, TableLine)> = rest.by_ref().take(most).collect();
        if let (Some((later, last)), Some(_)) = (page.last(), rest.next()) {
            let key = format!("{}.{}.{}", u8::from(*later), last.created_ms, last.id);
            links.push(format!("</api/tables?kind={name}&after={key}&most={most}>; rel=\"next\""));
        }
        page.into_iter().map(|(_, line)| line).collect()
    };
    let told = Tables { open: page(ListKind::Open, "open", open), live: page(ListKind::Live, "live", live) };
    let links = links.into_iter().filter_map(|link| Some((header::LINK, link.parse().ok()?)));
    let headers: Vec<(header::HeaderName, header::HeaderValue)> = links.collect();
    Ok((AppendHeaders(headers), Json(told)).into_response())
}

pub(super) async fn tv(State(app): State<App>) -> Json<Vec<TableLine>> {
    Json(app.tv.best(&app.hall).await)
}

/// Parses the position in the lobby that a key names.
fn read_key(key: &str) -> Result<(bool, u64, String), Problem> {
    let bad = || Problem::new("bad-query").with("detail", format!("after={key}"));
    let [later, ms, id] = *key.splitn(3, '.').collect::<Vec<_>>() else { return Err(bad()) };
    Ok((later == "1", ms.parse().map_err(|_| bad())?, id.to_owned()))
}

pub(super) async fn create(
    State(app): State<App>,
    visitor: Visitor,
    Body(wish): Body<OpenTable>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    app.hall.rates.table(&visitor.asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let id = app.hall.tables.open_table(wish, visitor.player.clone(), (&visitor.asker).into()).await?;
    let told = created(&app, id.clone(), visitor.player, &visitor.asker).await;
    app.hall.tables.lobby().opened_by(&id, &visitor.asker);
    told
}

pub(super) async fn play_now(
    State(app): State<App>,
    visitor: Visitor,
    Body(wish): Body<PlayNow>,
) -> Result<Json<PlayNowTold>, Refusal> {
    Ok(Json(app.hall.tables.play_now(wish, visitor.player, &visitor.asker).await?))
}

pub(super) async fn leave_pool(State(app): State<App>, visitor: Visitor) -> Response {
    match app.hall.tables.leave_pool(&visitor.player.id, (&visitor.asker).into()).await {
        Some(table) => Json(PoolLeft { table }).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

pub(super) async fn close_pool(State(app): State<App>, visitor: Visitor) -> StatusCode {
    app.hall.tables.leave_queues(&visitor.player.id);
    StatusCode::NO_CONTENT
}

/// Makes the answer to the person who opened a table.
pub(super) async fn created(
    app: &App,
    id: String,
    player: Player,
    asker: &Asker,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let you = app.hall.tables.look(&id, asker.into(), move |t: &Table| t.seats_of(&player.id)).await?;
    Ok((StatusCode::CREATED, Json(Created { id, you, told: Vec::new() })))
}

/// The address of a room.
#[derive(Serialize, ToSchema)]
pub(super) struct Room {
    /// The table's id.
    id: String,
}

pub(super) async fn room(State(app): State<App>, Path(name): Path<String>) -> Result<Json<Room>, Refusal> {
    let tidy = room_name(&name).ok().flatten().map_or_else(String::new, |name| name.as_str().to_owned());
    let found = app.hall.store.tables.room(&tidy).await.ok().flatten();
    let unknown = || Refusal::unknown(Problem::new("no-such-room").with("room", &tidy));
    found.map(|id| Json(Room { id })).ok_or_else(unknown)
}

pub(super) async fn table(
    State(app): State<App>,
    asker: Asker,
    who: Onlooker,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let question = |reply| tables::ask::Ask::Full { who: who.player.id.clone(), reply };
    let answer = app.hall.tables.ask(&id, (&asker).into(), question).await;
    let (_, (_, text)) = answer?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response())
}

#[derive(Deserialize)]
pub(super) struct Since {
    since: Option<u64>,
}

pub(super) async fn log(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    UrlQuery(wish): UrlQuery<Since>,
) -> Result<Json<Vec<LogLine>>, Refusal> {
    let since = wish.since.unwrap_or(0);
    app.hall.tables.table(&id, (&asker).into()).await?;
    let log = app.hall.store.logs.log(&id, since, LOG_LINES).await;
    let log = log.map_err(|why| NoTable::Broken(why.to_string()))?;
    let line =
        |e: Entry| LogLine { v: e.ver, at_ms: e.at_ms, cmd: e.cmd.map(|c| c.id), e: (&e.event).into() };
    Ok(Json(log.into_iter().map(line).collect()))
}
