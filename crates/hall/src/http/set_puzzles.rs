//! Puzzles that people set on maps: proved before they are stored, listed with their map, deleted by their authors.

use std::collections::HashMap;

use ::puzzles::placed::{Placed, PlacedRoom};
use ::puzzles::set::{self, Aim, Verdict};
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{delete, get};
use axum::{Json, Router};
use catalog::maps::SAMPLES;
use edge::network::Asker;
use kernel::{AnyGame, Problem};
use wire::{MapPuzzle, MapPuzzles, NewPuzzle, PuzzleProved};

use super::ask::{Body, Path};
use super::puzzles::{act, ask};
use crate::app::App;
use crate::maps::ours;
use crate::refusal::{Refusal, RefusalBody};
use crate::riddles::PuzzleAct;
use crate::visitor::Visitor;

/// The source of puzzles that people set.
const SOURCE: &str = "set by hand";

/// Returns the routes under `/api/maps/{id}/puzzles`, and the deletion of a puzzle.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/maps/{id}/puzzles", get(list).post(place))
        .route("/api/puzzles/{id}", delete(remove))
}

/// Returns the name of a map in puzzles: built-in ones have their key.
fn named(id: &str) -> String {
    let own = ours(id).and_then(|own| SAMPLES.iter().find(|sample| sample.name == own.name));
    own.map_or_else(|| id.to_owned(), |sample| sample.key.to_owned())
}

/// Proves a puzzle on a map: the side to move wins, or takes a piece, within a number of moves against any answer.
/// Otherwise it is refused with the line that prevents it. With `keep` it is stored, and listed among the puzzles of
/// the map.
#[utoipa::path(post, path = "/api/maps/{id}/puzzles", params(("id" = String, Path)), request_body = NewPuzzle, responses((status = 200, body = PuzzleProved), (status = 201, body = PuzzleProved), (status = 400, body = RefusalBody), (status = 401, body = RefusalBody), (status = 403, body = RefusalBody), (status = 404, body = RefusalBody), (status = 422, body = RefusalBody), (status = 429, body = RefusalBody), (status = 507, body = RefusalBody)))]
pub(super) async fn place(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(wish): Body<NewPuzzle>,
) -> Result<(StatusCode, Json<PuzzleProved>), Refusal> {
    app.hall.rates.puzzle(&visitor.asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let work = app.place(&visitor.asker).await?;
    app.hall.may_begin_on(&id).map_err(Refusal::forbidden)?;
    let map = app.hall.map(&id).await?;
    if map.trial {
        return Err(Problem::new("puzzle-set-trial").into());
    }
    if wish.keep {
        app.hall.has_room()?;
    }
    app.hall.puzzles.here().map_err(Refusal::unknown)?;
    let limits = &app.hall.limits;
    let room = PlacedRoom {
        each: limits.most(limits.set_puzzles),
        of_map: limits.most(limits.set_puzzles_map),
        all: limits.most(limits.set_puzzles_all),
    };
    let (owner, now_ms) = (visitor.player.id.clone(), app.hall.time.now_ms());
    let proved = work.run(move |deadline| {
        let aim = Aim { within: wish.within, takes: wish.takes };
        let game = map.rules.open(Some(&wish.fen))?;
        let verdict = set::prove(game.as_ref(), aim, &|| deadline.check().is_ok())?;
        if let Some(why) = verdict.refusal(aim) {
            return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, why));
        }
        let Verdict::Proved { within, line, firsts } = verdict else { return Err(Refusal::busy()) };
        let moves = line.iter().flatten().cloned().collect();
        let puzzle = set::puzzle(game.as_ref(), &named(&id), aim, within, line, SOURCE.to_owned());
        let told = PuzzleProved { id: wish.keep.then(|| puzzle.id.clone()), within, line: moves, firsts };
        Ok((wish.keep.then(|| Box::new(puzzle)), told))
    });
    let (kept, told) = proved.await??;
    let Some(puzzle) = kept else { return Ok((StatusCode::OK, Json(told))) };
    let _place = app.place(&visitor.asker).await?;
    let place = PuzzleAct::Place { puzzle, owner, room, now_ms };
    app.hall.puzzles.act(&app.hall, place, Vec::new()).await.map_err(full)?;
    Ok((StatusCode::CREATED, Json(told)))
}

fn full(problem: Problem) -> Refusal {
    match problem.key {
        "puzzle-set-full" => Refusal::new(StatusCode::INSUFFICIENT_STORAGE, problem),
        "puzzle-set-known" => Refusal::new(StatusCode::CONFLICT, problem),
        _ => problem.into(),
    }
}

/// Returns the puzzles that people set on a map, and on the other versions of it; the newest first, at most 200.
#[utoipa::path(get, path = "/api/maps/{id}/puzzles", params(("id" = String, Path)), responses((status = 200, body = MapPuzzles), (status = 403, body = RefusalBody), (status = 404, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub(super) async fn list(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Json<MapPuzzles>, Refusal> {
    app.hall.may_begin_on(&id).map_err(Refusal::forbidden)?;
    let maps = versions(&app, &id).await?;
    let found = ask(&app, &asker, move |shelf, _| shelf.placed_on(&maps)).await?;
    let mut names: HashMap<String, Option<String>> = HashMap::new();
    for placed in &found {
        if !names.contains_key(&placed.owner) {
            let name = app.hall.store.people.name(&placed.owner).await.ok().flatten();
            names.insert(placed.owner.clone(), name);
        }
    }
    let line = |placed: Placed| {
        let aim = placed.puzzle.set?;
        Some(MapPuzzle {
            id: placed.puzzle.id,
            goal: placed.puzzle.goal.key().to_owned(),
            within: aim.within,
            author: names.get(&placed.owner).cloned().flatten(),
            mine: placed.owner == asker.person,
            tries: placed.tries,
            solved: placed.solved,
            made_ms: placed.made_ms,
        })
    };
    Ok(Json(MapPuzzles { puzzles: found.into_iter().filter_map(line).collect() }))
}

/// Returns the map, and the other versions of its work.
async fn versions(app: &App, id: &str) -> Result<Vec<String>, Refusal> {
    let shelf = app.hall.shelf();
    let unread = |why| Refusal::from(crate::maps::NoMap::Store(why));
    let mut maps = vec![named(id)];
    if let Some(work) = shelf.work(id).await.map_err(unread)? {
        let versions = shelf.versions(&work.id).await.map_err(unread)?;
        maps.extend(versions.into_iter().map(|version| version.map).filter(|map| map != id));
    }
    Ok(maps)
}

/// Deletes a puzzle that the asker set.
#[utoipa::path(delete, path = "/api/puzzles/{id}", params(("id" = String, Path)), responses((status = 204), (status = 401, body = RefusalBody), (status = 404, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub(super) async fn remove(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let owner = visitor.player.id.clone();
    act(&app, &visitor.asker, PuzzleAct::Remove { puzzle: id, owner }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Plays the answer that prevents the aim of a set puzzle, after a turn that was wrong.
pub(super) fn prevented(
    puzzle: &::puzzles::Puzzle,
    aim: Aim,
    game: &mut dyn AnyGame,
    open: &::puzzles::Opener,
) -> Result<(), Problem> {
    if let Some(text) = set::refutation(puzzle, aim, game, open)? {
        game.play(&text).map_err(kernel::PlayError::problem)?;
    }
    Ok(())
}
