//! Relations between people: following, blocking, notes.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kernel::Problem;
use wire::{Acquaintance, Relation};

use super::ask::{Body, Path};
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Signed;

fn refused(problem: Problem) -> Refusal {
    match problem.key {
        "no-such-person" => Refusal::unknown(problem),
        "relations-full" => Refusal::new(StatusCode::CONFLICT, problem),
        _ => problem.into(),
    }
}

pub(super) async fn list(State(app): State<App>, signed: Signed) -> Result<Json<Vec<Acquaintance>>, Refusal> {
    let Signed { person, .. } = signed.account()?;
    Ok(Json(
        app.hall
            .members
            .relations
            .acquaintances(&person.id, |id| app.hall.is_here(id))
            .await
            .map_err(refused)?,
    ))
}

pub(super) async fn one(
    State(app): State<App>,
    signed: Signed,
    Path(who): Path<String>,
) -> Result<Json<Relation>, Refusal> {
    let Signed { person, .. } = signed.account()?;
    Ok(Json(app.hall.members.relations.relation(&person.id, &who).await.map_err(refused)?))
}

pub(super) async fn set(
    State(app): State<App>,
    signed: Signed,
    Path(who): Path<String>,
    Body(relation): Body<Relation>,
) -> Result<Json<Relation>, Refusal> {
    let Signed { person, .. } = signed.account()?;
    Ok(Json(app.hall.relate(&person.id, &who, relation).await.map_err(refused)?))
}
