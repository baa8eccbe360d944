//! Positions of a table's game, in pictures, text and words; and positions that somebody sets up.

use axum::extract::{Path, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use kernel::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::{Details, Lessons, Patch, Replay, SetUp, Standing, View};

use super::ask::{Asked, Body};
use crate::app::App;
use crate::maps::Loaded;
use crate::refusal::{Refusal, RefusalBody};
use table::State as Table;

/// What is asked about a table's positions, and `/api/positions`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/tables/{id}/replay", get(replay))
        .route("/api/tables/{id}/fen", get(fen))
        .route("/api/tables/{id}/lessons", get(lessons))
        .route("/api/tables/{id}/details", get(details))
        .route("/api/positions", post(position))
}

/// The game as a film.
#[utoipa::path(get, path = "/api/tables/{id}/replay", params(("id" = String, Path)), responses((status = 200, body = Replay), (status = 404, body = RefusalBody)))]
pub(super) async fn replay(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Replay>, Refusal> {
    let (setup, moves) = app.hall.look(&id, |t: &Table| (t.setup.clone(), t.game.record())).await?;
    let map = app.hall.map_of(setup.map.as_ref().map(|map| map.id.as_str())).await?;
    let film = app.hall.maps.replay(map.as_deref(), || film(&setup, map.as_deref(), &moves)).await;
    film.map(Json).map_err(Refusal::from)
}

pub(super) fn film(setup: &table::Setup, map: Option<&Loaded>, moves: &[String]) -> Result<Replay, Problem> {
    let entry = catalog::find(&setup.game)?;
    let mut game = entry.open(map.map(|map| &map.rules), &setup.options, setup.fen.as_deref())?;
    let start = View::from(game.view());
    let mut before = start.clone();
    let mut patches = Vec::with_capacity(moves.len());
    for text in moves {
        game.play(text).map_err(kernel::PlayError::problem)?;
        let after = View::from(game.view());
        patches.push(Patch::between(&before, &after));
        before = after;
    }
    Ok(Replay { start, patches })
}

#[derive(Deserialize)]
pub(super) struct AtPly {
    ply: Option<usize>,
}

/// A position as text.
#[derive(Serialize, ToSchema)]
pub(super) struct Fen {
    /// After so many plies.
    ply: usize,
    /// The position.
    fen: String,
}

/// A position of the game as one line of text.
#[utoipa::path(get, path = "/api/tables/{id}/fen", params(("id" = String, Path), ("ply" = Option<usize>, Query)), responses((status = 200, body = Fen), (status = 404, body = RefusalBody)))]
pub(super) async fn fen(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(at): Asked<AtPly>,
) -> Result<Json<Fen>, Refusal> {
    let position = move |t: &Table| {
        let plies = t.game.plies();
        let ply = at.ply.unwrap_or(plies).min(plies);
        let mut game = t.game.boxed_clone();
        for _ in ply..plies {
            game.undo();
        }
        Fen { ply, fen: game.fen() }
    };
    Ok(Json(app.hall.look(&id, position).await?))
}

/// What a teacher would point at in the position now.
#[utoipa::path(get, path = "/api/tables/{id}/lessons", params(("id" = String, Path)), responses((status = 200, body = Lessons), (status = 404, body = RefusalBody)))]
pub(super) async fn lessons(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Json<Lessons>, Refusal> {
    let lessons = |t: &Table| Lessons {
        ply: u32::try_from(t.game.plies()).unwrap_or(u32::MAX),
        marks: t.game.lessons().into_iter().map(wire::Mark::from).collect(),
    };
    Ok(Json(app.hall.look(&id, lessons).await?))
}

#[derive(Deserialize)]
pub(super) struct AtCell {
    cell: u16,
}

/// What there is to know about the piece on a cell.
#[utoipa::path(get, path = "/api/tables/{id}/details", params(("id" = String, Path), ("cell" = u16, Query)), responses((status = 200, body = Details), (status = 404, body = RefusalBody)))]
pub(super) async fn details(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(at): Asked<AtCell>,
) -> Result<Json<Details>, Refusal> {
    let details = move |t: &Table| {
        let told = if t.game.board().is_place(at.cell) { t.game.details(at.cell) } else { Vec::new() };
        Details { details: told.into_iter().map(wire::Problem::from).collect() }
    };
    Ok(Json(app.hall.look(&id, details).await?))
}

/// Makes a position that a game may start from, or says why none may start so.
#[utoipa::path(post, path = "/api/positions", request_body = SetUp, responses((status = 200, body = Standing), (status = 400, body = RefusalBody)))]
pub(super) async fn position(
    State(app): State<App>,
    Body(wish): Body<SetUp>,
) -> Result<Json<Standing>, Refusal> {
    let map = app.hall.map_of(wish.map.as_deref()).await?;
    let standing = app.hall.maps.replay(map.as_deref(), || standing(&wish, map.as_deref())).await;
    standing.map(Json).map_err(Refusal::from)
}

pub(super) fn standing(wish: &SetUp, map: Option<&Loaded>) -> Result<Standing, Problem> {
    let entry = catalog::find(&wish.game)?;
    let mut options = entry.settle(&wish.options, catalog::Setting::Faithful)?;
    options.extend(map.iter().flat_map(|map| map.rules.options()));
    let mut game = entry.open(map.map(|map| &map.rules), &options, wish.fen.as_deref())?;
    if wish.fen.is_none() {
        let piece = |p: &wire::Piece| kernel::Piece {
            at: p.0,
            owner: p.1.map(kernel::Side::from),
            face: p.2.clone(),
        };
        let mut pieces: Vec<kernel::Piece> = wish.pieces.iter().map(piece).collect();
        pieces.sort_by_key(|p| p.at);
        let board = game.board();
        if let Some(off) = pieces.iter().find(|p| !board.is_place(p.at)) {
            return Err(Problem::new("set-up-off-board").with("cell", off.at));
        }
        if let Some(two) = pieces.windows(2).find(|w| w[0].at == w[1].at) {
            return Err(Problem::new("set-up-two-on-one").with("at", board.name(two[0].at)));
        }
        game = game.set_up(wish.turn.map_or(kernel::Side::First, kernel::Side::from), &pieces)?;
    }
    Ok(Standing { fen: game.fen(), board: game.board().into(), view: View::from(game.view()) })
}
