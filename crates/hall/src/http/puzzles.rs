//! Puzzles: the list of them, one to solve, and the judgement of answers.
//!
//! The hall judges every answer; the line is shown only when the puzzle is over. Answers of accounts are rated, the
//! first one to each puzzle alone.

use ::puzzles::shelf::{Counted, Shelved, Standing};
use ::puzzles::{Answer, Puzzle, PuzzleFilter, Shelf, judge};
use axum::Json;
use axum::extract::State;
use catalog::maps::sample;
use edge::network::Asker;
use edge::workers::Deadline;
use engine::{Limits, native};
use kernel::{AnyGame, PlayError, Problem};
use serde::Deserialize;
use thinking::memory::{Size, with};
use wire::{
    Patch, PuzzleAnswer, PuzzleCounted, PuzzleFamilies, PuzzleFamily, PuzzleStanding, PuzzleTold, PuzzleTry,
    Replay,
};
use works::riddles::{Opening, PuzzleAct, PuzzleDone};

use super::ask::{Body, Path, UrlQuery};
use super::positions::count;
use super::set_puzzles::prevented;
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// The most moves of an answer: fifteen turns of five moves.
const MOST_MOVES: usize = 80;
/// The number of positions searched for each turn of a refutation, and the number of its turns.
const REFUTE: (u64, usize) = (20_000, 3);

/// Runs a query of the file of puzzles in the asker's turn.
pub(super) async fn ask<T: Send + 'static>(
    app: &App,
    asker: &Asker,
    work: impl FnOnce(&Shelf, &Deadline) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Refusal> {
    let shelf = app.hall.puzzles.now(&app.hall).await.map_err(Refusal::unknown)?;
    app.work(asker, move |deadline| work(&shelf, deadline)).await?.map_err(of)
}

/// Changes the file of puzzles in the asker's turn.
pub(super) async fn act(app: &App, asker: &Asker, act: PuzzleAct) -> Result<PuzzleDone, Refusal> {
    let _place = app.place(asker).await?;
    app.hall.puzzles.act(&app.hall, act, Vec::new()).await.map_err(of)
}

/// Converts a problem to a refusal: 404 for a missing puzzle, the usual status for others.
fn of(problem: Problem) -> Refusal {
    match problem.key {
        "unknown-puzzle" | "no-puzzle" => Refusal::unknown(problem),
        _ => problem.into(),
    }
}

fn whole(number: f64) -> u32 {
    number.round().clamp(0.0, 10_000.0) as u32
}

fn standing(standing: Standing) -> PuzzleStanding {
    PuzzleStanding {
        rating: whole(standing.rating),
        provisional: standing.provisional,
        tries: standing.tries,
        solved: standing.solved,
        run: standing.run,
        best_run: standing.best_run,
        days: standing.days,
    }
}

fn counted(counted: Counted) -> PuzzleCounted {
    PuzzleCounted { before: whole(counted.rating[0]), standing: standing(counted.standing) }
}

/// Returns the id of a visitor whose answers are rated.
fn rated(visitor: &Visitor) -> Option<String> {
    (visitor.kind == store::StoredPersonKind::Account).then(|| visitor.player.id.clone())
}

pub(super) async fn families(
    State(app): State<App>,
    visitor: Visitor,
) -> Result<Json<PuzzleFamilies>, Refusal> {
    let (person, now_ms) = (rated(&visitor), app.hall.time.now_ms());
    let told = ask(&app, &visitor.asker, move |shelf, _| {
        let one = |tally: ::puzzles::shelf::Tally| {
            let stands = person.as_ref().map(|person| shelf.standing(person, &tally.family, now_ms));
            let own = stands.transpose()?.map(standing);
            Ok(PuzzleFamily { family: tally.family, count: tally.count, themes: tally.themes, standing: own })
        };
        let families = shelf.tally()?.into_iter().map(one).collect::<Result<_, Problem>>()?;
        Ok(PuzzleFamilies { families, rated: person.is_some() })
    });
    told.await.map(Json)
}

/// The query parameters that select a puzzle.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct PuzzleQuery {
    family: String,
    theme: String,
    mine: bool,
    rating: Option<f64>,
}

/// The query parameter that selects the puzzle of the day.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct OfFamily {
    family: String,
}

pub(super) async fn daily(
    State(app): State<App>,
    asker: Asker,
    UrlQuery(wish): UrlQuery<OfFamily>,
) -> Result<Json<PuzzleTold>, Refusal> {
    let now_ms = app.hall.time.now_ms();
    let family = wish.family.clone();
    let without = app.hall.members.staffed.rules().maps_down();
    let chosen = ask(&app, &asker, move |shelf, _| shelf.chosen_daily(&family, now_ms)).await?;
    let found = match chosen.filter(|found| found.puzzle.is_on_none_of(&without)) {
        Some(found) => found,
        None => match act(&app, &asker, PuzzleAct::Daily { family: wish.family, now_ms, without }).await? {
            PuzzleDone::Found(found) => *found,
            _ => return Err(Refusal::busy()),
        },
    };
    told(&app, &asker, found).await.map(Json)
}

pub(super) async fn next(
    State(app): State<App>,
    visitor: Visitor,
    UrlQuery(wish): UrlQuery<PuzzleQuery>,
) -> Result<Json<PuzzleTold>, Refusal> {
    let now_ms = app.hall.time.now_ms();
    let wanted = PuzzleFilter {
        family: wish.family,
        theme: wish.theme,
        // Guests' answers are not kept, but what they missed in their games is.
        person: rated(&visitor).or_else(|| wish.mine.then(|| visitor.player.id.clone())),
        mine: wish.mine,
        near: wish.rating.filter(|rating| rating.is_finite()),
        chance: rand::random(),
        without: app.hall.members.staffed.rules().maps_down(),
    };
    let found = ask(&app, &visitor.asker, move |shelf, _| shelf.next(&wanted, now_ms)).await?;
    told(&app, &visitor.asker, found).await.map(Json)
}

pub(super) async fn one(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Json<PuzzleTold>, Refusal> {
    let found = ask(&app, &asker, move |shelf, _| shelf.puzzle(&id)).await?;
    told(&app, &asker, found).await.map(Json)
}

/// Refuses a puzzle of a map that the staff has taken down.
fn may_show(app: &App, found: &Shelved) -> Result<(), Refusal> {
    let Some(map) = found.puzzle.map.as_deref() else { return Ok(()) };
    app.hall.members.staffed.may_begin_on(map).map_err(Refusal::forbidden)
}

async fn told(app: &App, asker: &Asker, found: Shelved) -> Result<PuzzleTold, Refusal> {
    may_show(app, &found)?;
    let place = app.place(asker).await?;
    let opening = Opening::of(&app.hall.works.maps, found.puzzle.map.as_deref(), asker.into()).await?;
    let map = match found.puzzle.map.as_deref() {
        None => None,
        Some(map) => match sample(map) {
            Some(sample) => Some(sample.name.to_owned()),
            None => Some(app.hall.works.maps.map(map, asker.into()).await?.line.name.clone()),
        },
    };
    let of_map = found.puzzle.map.as_deref().map(works::maps::address);
    let told = place.run(move |_| {
        let Shelved { puzzle, rating, tries } = found;
        let game = opening.open(&puzzle, Some(&puzzle.fen))?;
        let mut view = game.view();
        view.last = puzzle.last.clone();
        let by_us = puzzle.source.contains([' ', '/', '.']);
        Ok(PuzzleTold {
            board: game.board(),
            view,
            solver: game.turn(),
            goal: puzzle.goal.key().to_owned(),
            turns: count(puzzle.turns()),
            rating: whole(rating),
            tries,
            within: puzzle.set.map(|aim| aim.within),
            takes: puzzle.set.and_then(|aim| aim.takes),
            of_map: puzzle.set.and(of_map),
            map,
            table: (!by_us).then(|| puzzle.source.clone()),
            id: puzzle.id,
            game: puzzle.game,
            options: puzzle.options,
            fen: puzzle.fen,
            source: puzzle.source,
        })
    });
    told.await?
}

pub(super) async fn answer(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(wish): Body<PuzzleTry>,
) -> Result<Json<PuzzleAnswer>, Refusal> {
    if wish.moves.len() > MOST_MOVES {
        let problem = Problem::new("record-limit").with("what", "plies");
        return Err(problem.with("found", wish.moves.len()).with("most", MOST_MOVES).into());
    }
    app.hall.rates.puzzle(&visitor.asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let found = ask(&app, &visitor.asker, move |shelf, _| shelf.puzzle(&id)).await?;
    may_show(&app, &found)?;
    let place = app.place(&visitor.asker).await?;
    let opening =
        Opening::of(&app.hall.works.maps, found.puzzle.map.as_deref(), (&visitor.asker).into()).await?;
    let (person, now_ms) = (rated(&visitor), app.hall.time.now_ms());
    let (placed, puzzle) = (found.puzzle.set.is_some(), found.puzzle.id.clone());
    let judged = place.run(move |deadline| judged(&found.puzzle, &wish, &opening, deadline));
    let mut told = judged.await??;
    if let (Some(person), true) = (person, told.state != "on") {
        let solved = told.state == "solved";
        let answered = PuzzleAct::Answered { person, puzzle, placed, solved, now_ms };
        if let PuzzleDone::Counted(first) = act(&app, &visitor.asker, answered).await? {
            told.counted = first.map(counted);
        }
    }
    Ok(Json(told))
}

fn judged(
    puzzle: &Puzzle,
    wish: &PuzzleTry,
    opening: &Opening,
    deadline: &Deadline,
) -> Result<PuzzleAnswer, Refusal> {
    let open = |puzzle: &Puzzle, fen: Option<&str>| opening.open(puzzle, fen);
    if wish.give_up {
        let mut game = open(puzzle, Some(&puzzle.fen))?;
        for text in puzzle.line.iter().flatten() {
            game.play(text).map_err(PlayError::problem)?;
        }
        let film = film(game.as_ref(), opening, puzzle)?;
        return Ok(PuzzleAnswer {
            state: "shown".to_owned(),
            played: 0,
            film,
            right: 0,
            themes: puzzle.themes.clone(),
            counted: None,
        });
    }
    let (state, game, right, over) = match judge(puzzle, &wish.moves, &open)? {
        Answer::On(game) => {
            let solver = game.turn();
            let turns = whole_turns(game.as_ref(), solver);
            ("on", game, turns, false)
        }
        Answer::Solved(game) => ("solved", game, puzzle.turns(), true),
        Answer::Wrong(game, at) => ("wrong", game, at, true),
    };
    let mut game = game;
    let answered = game.movers().iter().rev().take_while(|mover| **mover != solver_of(game.as_ref())).count();
    let played = if over { game.plies() } else { game.plies() - answered };
    match puzzle.set.filter(|_| state == "wrong") {
        Some(aim) => prevented(puzzle, aim, game.as_mut(), &open)?,
        None if state == "wrong" => refute(game.as_mut(), deadline)?,
        None => {}
    }
    let film = film(game.as_ref(), opening, puzzle)?;
    // A turn that was wrong leaves the rest to be found: what it is about would help.
    let themes = if state == "solved" { puzzle.themes.clone() } else { Vec::new() };
    Ok(PuzzleAnswer {
        state: state.to_owned(),
        film,
        played: count(played),
        right: count(right),
        themes,
        counted: None,
    })
}

/// Returns the side to move at the start of the puzzle.
fn solver_of(game: &dyn AnyGame) -> kernel::Side {
    game.movers().first().copied().unwrap_or_else(|| game.turn())
}

/// Returns the number of the solver's turns that are complete.
fn whole_turns(game: &dyn AnyGame, solver: kernel::Side) -> usize {
    let movers = game.movers();
    movers.windows(2).filter(|pair| pair[0] == solver && pair[1] != solver).count()
}

/// Plays a few turns of the engine's best line, which shows the mistake.
fn refute(game: &mut dyn AnyGame, deadline: &Deadline) -> Result<(), Refusal> {
    let (nodes, turns) = REFUTE;
    for _ in 0..turns {
        if game.outcome().is_some() || deadline.check().is_err() {
            break;
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let turn = with(Size::Small, |memory| native::turn(game, memory, &limits, &mut |_| {}))?;
        for text in turn {
            game.play(&text).map_err(PlayError::problem)?;
        }
    }
    Ok(())
}

/// Returns the game from the puzzle's position on.
fn film(game: &dyn AnyGame, opening: &Opening, puzzle: &Puzzle) -> Result<Replay, Problem> {
    let mut again = opening.open(puzzle, Some(&puzzle.fen))?;
    let mut start = again.view();
    start.last = puzzle.last.clone();
    let (mut before, mut patches) = (start.clone(), Vec::new());
    for text in game.record() {
        again.play(&text).map_err(PlayError::problem)?;
        let view = again.view();
        patches.push(Patch::between(&before, &view));
        before = view;
    }
    Ok(Replay { from: 0, of: count(patches.len()), start, patches })
}
