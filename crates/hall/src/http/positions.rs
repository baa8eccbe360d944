//! Positions of a table's game, in pictures, text and words; and positions that a person sets up. All of it is
//! computed away from the table's task.

use axum::Json;
use axum::extract::State;
use edge::limits::Limits;
use edge::network::Asker;
use edge::workers::{Deadline, GivenUp};
use kernel::{AnyGame, Problem};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::{Details, Lessons, Patch, Replay, SetUp, Standing};
use works::maps::Loaded;

use super::ask::{Body, Path, UrlQuery};
use crate::analysis::{BACK, is_taught};
use crate::app::App;
use crate::refusal::Refusal;
use table::State as Table;

/// Converts a number of plies to the type in answers.
pub(super) fn count(plies: usize) -> u32 {
    u32::try_from(plies).unwrap_or(u32::MAX)
}

/// Runs work on a copy of the game at a table.
async fn of_game<T: Send + 'static>(
    app: &App,
    asker: &Asker,
    id: &str,
    work: impl FnOnce(Box<dyn AnyGame>, &Deadline) -> Result<T, GivenUp> + Send + 'static,
) -> Result<Json<T>, Refusal> {
    let place = app.place(asker).await?;
    let game = app.hall.tables.look(id, asker.into(), |table: &Table| table.game.boxed_clone()).await?;
    let done = place.run(move |deadline| work(game, deadline)).await?;
    Ok(Json(done?))
}

/// The part of the game that is requested.
#[derive(Deserialize)]
pub(super) struct Pages {
    #[serde(default)]
    from: usize,
    plies: Option<usize>,
}

pub(super) async fn replay(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    UrlQuery(pages): UrlQuery<Pages>,
) -> Result<Json<Replay>, Refusal> {
    let limits = **app.hall.limits;
    of_game(&app, &asker, &id, move |game, deadline| film(game, &pages, &limits, deadline)).await
}

fn film(
    mut game: Box<dyn AnyGame>,
    pages: &Pages,
    limits: &Limits,
    deadline: &Deadline,
) -> Result<Replay, GivenUp> {
    let of = game.plies();
    let from = pages.from.min(of);
    let most = limits.replay_plies.max(1);
    let to = of.min(from.saturating_add(pages.plies.unwrap_or(most).min(most)));
    back_to(game.as_mut(), to);
    let mut views = vec![game.players_view()];
    while game.plies() > from && game.undo() {
        deadline.check()?;
        views.push(game.players_view());
    }
    let mut views = views.into_iter().rev();
    let start = views.next().expect("one at least");
    let mut before = start.clone();
    let (mut patches, mut bytes) = (Vec::new(), 0);
    for after in views {
        deadline.check()?;
        let patch = Patch::between(&before, &after);
        bytes += serde_json::to_string(&patch).map_or(0, |text| text.len());
        patches.push(patch);
        if bytes >= limits.replay_bytes {
            break;
        }
        before = after;
    }
    Ok(Replay { from: count(from), of: count(of), start, patches })
}

fn back_to(game: &mut dyn AnyGame, ply: usize) {
    while game.plies() > ply && game.undo() {}
}

#[derive(Deserialize)]
pub(super) struct AtPly {
    ply: Option<usize>,
}

/// A position as text.
#[derive(Serialize, ToSchema)]
pub(super) struct Fen {
    /// The number of plies before the position.
    ply: usize,
    /// The position as FEN.
    fen: String,
}

pub(super) async fn fen(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    UrlQuery(at): UrlQuery<AtPly>,
) -> Result<Json<Fen>, Refusal> {
    let position = move |mut game: Box<dyn AnyGame>, _: &Deadline| {
        back_to(game.as_mut(), at.ply.unwrap_or(usize::MAX));
        Ok(Fen { ply: game.plies(), fen: game.fen() })
    };
    of_game(&app, &asker, &id, position).await
}

pub(super) async fn lessons(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Json<Lessons>, Refusal> {
    let place = app.place(&asker).await?;
    let look = |table: &Table| is_taught(table).map(|()| (table.game.boxed_clone(), table.setup.clone()));
    let (game, setup) = app.hall.tables.look(&id, (&asker).into(), look).await??;
    app.hall.tables.may_help(&setup, game.as_ref(), BACK, &asker.person, (&asker).into()).await?;
    let lessons = move |_: &Deadline| Lessons { ply: count(game.plies()), marks: game.lessons() };
    Ok(Json(place.run(lessons).await?))
}

#[derive(Deserialize)]
pub(super) struct AtCell {
    cell: u16,
}

pub(super) async fn details(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    UrlQuery(at): UrlQuery<AtCell>,
) -> Result<Json<Details>, Refusal> {
    let details = move |game: Box<dyn AnyGame>, _: &Deadline| {
        let told = if game.board().is_place(at.cell) { game.details(at.cell) } else { Vec::new() };
        Ok(Details { details: told.into_iter().map(wire::Problem::from).collect() })
    };
    of_game(&app, &asker, &id, details).await
}

pub(super) async fn position(
    State(app): State<App>,
    asker: Asker,
    Body(wish): Body<SetUp>,
) -> Result<Json<Standing>, Refusal> {
    let place = app.place(&asker).await?;
    let map = app.hall.works.maps.map_of(wish.map.as_deref(), (&asker).into()).await?;
    Ok(Json(place.run(move |_| standing(&wish, map.as_deref())).await??))
}

fn standing(wish: &SetUp, map: Option<&Loaded>) -> Result<Standing, Problem> {
    let entry = catalog::find(&wish.game)?;
    let mut options = entry.settle(&wish.options, catalog::Setting::Faithful)?;
    if let Some(map) = map {
        map.settle(&mut options);
    }
    let fen = wish.fen.as_deref().map(|text| records::pasted(entry.key, text)).transpose()?;
    let mut game = entry.open(map.map(|map| &map.rules), &options, fen.flatten().as_deref())?;
    if wish.fen.is_none() {
        let mut pieces = wish.pieces.clone();
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
    Ok(Standing { fen: game.fen(), board: game.board(), view: game.view() })
}
