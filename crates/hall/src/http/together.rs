//! Relations between people: following, blocking, notes.

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use kernel::Problem;
use wire::{Acquaintance, Relation};

use super::ask::{Body, Path};
use crate::app::App;
use crate::refusal::{Refusal, RefusalBody};
use crate::visitor::Signed;

/// Returns the routes under `/api/relations…`.
pub(super) fn router() -> Router<App> {
    Router::new().route("/api/relations", get(list)).route("/api/relations/{who}", get(one).put(set))
}

fn refused(problem: Problem) -> Refusal {
    match problem.key {
        "no-such-person" => Refusal::unknown(problem),
        "relations-full" => Refusal::new(StatusCode::CONFLICT, problem),
        _ => problem.into(),
    }
}

/// Returns the people whom the asker follows, blocks or keeps notes about, and which of the followed are online.
#[utoipa::path(get, path = "/api/relations", responses((status = 200, body = Vec<Acquaintance>), (status = 403, body = RefusalBody)))]
pub(super) async fn list(State(app): State<App>, signed: Signed) -> Result<Json<Vec<Acquaintance>>, Refusal> {
    let Signed { person, .. } = signed.account()?;
    Ok(Json(app.hall.acquaintances(&person.id).await.map_err(refused)?))
}

/// Returns the asker's relation to a person.
#[utoipa::path(get, path = "/api/relations/{who}", params(("who" = String, Path)), responses((status = 200, body = Relation), (status = 403, body = RefusalBody), (status = 404, body = RefusalBody)))]
pub(super) async fn one(
    State(app): State<App>,
    signed: Signed,
    Path(who): Path<String>,
) -> Result<Json<Relation>, Refusal> {
    let Signed { person, .. } = signed.account()?;
    Ok(Json(app.hall.relation(&person.id, &who).await.map_err(refused)?))
}

/// Sets the asker's relation to a person: follows, blocks, a note. The answer is the stored relation.
#[utoipa::path(put, path = "/api/relations/{who}", params(("who" = String, Path)), request_body = Relation, responses((status = 200, body = Relation), (status = 400, body = RefusalBody), (status = 403, body = RefusalBody), (status = 404, body = RefusalBody), (status = 409, body = RefusalBody)))]
pub(super) async fn set(
    State(app): State<App>,
    signed: Signed,
    Path(who): Path<String>,
    Body(relation): Body<Relation>,
) -> Result<Json<Relation>, Refusal> {
    let Signed { person, .. } = signed.account()?;
    Ok(Json(app.hall.relate(&person.id, &who, relation).await.map_err(refused)?))
}
