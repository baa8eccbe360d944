//! Hints, lines beside a game, and reports.

use axum::Json;
use axum::extract::State;
use edge::network::Asker;
use edge::workers::Deadline;
use kernel::{AnyGame, PlayError};
use wire::{Aside, Hint, Patch, Replay, Report};

use super::ask::{Body, Path};
use super::positions::count;
use crate::analysis::check_aside;
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

pub(super) async fn hint(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<Hint>, Refusal> {
    app.hall.rates.hint(&visitor.asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    Ok(Json(app.hall.hint(&id, &visitor.player.id, &visitor.asker).await?))
}

pub(super) async fn aside(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    Body(wish): Body<Aside>,
) -> Result<Json<Replay>, Refusal> {
    check_aside(&wish)?;
    let place = app.place(&asker).await?;
    let (game, _) = app.hall.analysed(&id, wish.ply, &asker).await?;
    let walked = place.run(move |deadline| walk(game, &wish, deadline));
    walked.await?.map(Json)
}

fn walk(mut game: Box<dyn AnyGame>, wish: &Aside, deadline: &Deadline) -> Result<Replay, Refusal> {
    let start = game.view();
    let mut before = start.clone();
    let mut patches = Vec::with_capacity(wish.moves.len());
    for text in &wish.moves {
        deadline.check()?;
        game.play(text).map_err(PlayError::problem)?;
        let view = game.view();
        patches.push(Patch::between(&before, &view));
        before = view;
    }
    Ok(Replay { from: wish.ply, of: count(game.plies()), start, patches })
}

pub(super) async fn report(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<Report>, Refusal> {
    Ok(Json(app.hall.report_anywhere(&id, &visitor.asker).await?))
}
