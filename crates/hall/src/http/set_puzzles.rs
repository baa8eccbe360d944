//! Puzzles that people set on maps: proved before they are stored, listed with their map, deleted by their authors.

use std::collections::HashMap;

use ::puzzles::placed::Placed;
use ::puzzles::set::{self, Aim};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use edge::network::Asker;
use kernel::{AnyGame, Problem};
use wire::{MapPuzzle, MapPuzzles, NewPuzzle, PuzzleProved};
use works::riddles::{self, PuzzleAct, Unproved};

use super::ask::{Body, Path};
use super::puzzles::{act, ask};
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

pub(super) async fn place(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(wish): Body<NewPuzzle>,
) -> Result<(StatusCode, Json<PuzzleProved>), Refusal> {
    app.hall.rates.puzzle(&visitor.asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let work = app.place(&visitor.asker).await?;
    app.hall.members.staffed.may_begin_on(&id).map_err(Refusal::forbidden)?;
    let map = app.hall.works.maps.map(&id, (&visitor.asker).into()).await?;
    if map.trial {
        return Err(Problem::new("puzzle-set-trial").into());
    }
    if wish.keep {
        app.hall.has_room()?;
    }
    app.hall.puzzles.here().map_err(Refusal::unknown)?;
    let room = riddles::room(&app.hall.limits);
    let (owner, now_ms) = (visitor.player.id.clone(), app.hall.time.now_ms());
    let proved = work.run(move |deadline| riddles::prove(&map, &wish, deadline));
    let (kept, told) = proved.await??;
    let Some(puzzle) = kept else { return Ok((StatusCode::OK, Json(told))) };
    let _place = app.place(&visitor.asker).await?;
    let place = PuzzleAct::Place { puzzle, owner, room, now_ms };
    app.hall.puzzles.act(&app.hall, place, Vec::new()).await.map_err(full)?;
    Ok((StatusCode::CREATED, Json(told)))
}

impl From<Unproved> for Refusal {
    fn from(why: Unproved) -> Self {
        match why {
            Unproved::Wrong(problem) => problem.into(),
            Unproved::Refuted(why) => Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, why),
            Unproved::GivenUp => Refusal::busy(),
        }
    }
}

fn full(problem: Problem) -> Refusal {
    match problem.key {
        "puzzle-set-full" => Refusal::new(StatusCode::INSUFFICIENT_STORAGE, problem),
        "puzzle-set-known" => Refusal::new(StatusCode::CONFLICT, problem),
        _ => problem.into(),
    }
}

pub(super) async fn list(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Json<MapPuzzles>, Refusal> {
    app.hall.members.staffed.may_begin_on(&id).map_err(Refusal::forbidden)?;
    let maps = riddles::versions(&app.hall.store, &id).await?;
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
