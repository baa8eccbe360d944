//! The shelf of extensions: shared by name and version.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, put};
use axum::{Json, Router};
use edge::network::Asker;
use serde::Deserialize;
use store::shelf::ShelfChange;
use wire::{ExtensionList, NewExtension, NewListing, SharedExtension};
use works::refused::NoWork;

use super::ask::{Asked, Body, Path, bytes};
use super::maps::admit;
use super::works::change_shelf;
use crate::app::App;
use crate::refusal::{Refusal, RefusalBody};
use crate::visitor::Visitor;

/// Returns the routes under `/api/extensions`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/extensions", get(list).post(share))
        .route("/api/extensions/{name}", get(one).delete(remove))
        .route("/api/extensions/{name}/listed", put(listed))
        .route("/api/extensions/{name}/{n}", get(file))
}

#[derive(Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    search: String,
    #[serde(default)]
    mine: bool,
}

/// Returns the extensions that people share, changed last first; `mine` finds the asker's own, including unlisted
/// ones.
#[utoipa::path(get, path = "/api/extensions", params(("search" = Option<String>, Query), ("mine" = Option<bool>, Query)), responses((status = 200, body = ExtensionList)))]
pub(super) async fn list(
    State(app): State<App>,
    asker: Asker,
    Asked(wish): Asked<Search>,
) -> Result<Json<ExtensionList>, Refusal> {
    Ok(Json(app.hall.works.extensions.list(&wish.search, wish.mine, &asker.person).await?))
}

/// Shares an extension, or its next version; for people with an account. It is loaded first, as a test; copies in
/// maps never change.
#[utoipa::path(post, path = "/api/extensions", request_body = NewExtension, responses((status = 201, body = SharedExtension), (status = 400, body = RefusalBody), (status = 403, body = RefusalBody), (status = 409, body = RefusalBody), (status = 422, body = RefusalBody), (status = 429, body = RefusalBody), (status = 507, body = RefusalBody)))]
pub(super) async fn share(
    State(app): State<App>,
    visitor: Visitor,
    Body(wish): Body<NewExtension>,
) -> Result<(StatusCode, Json<SharedExtension>), Refusal> {
    visitor.must_have_account("extension-needs-account")?;
    admit(&app, &visitor.asker, wish.base64.len())?;
    let place = app.place(&visitor.asker).await?;
    let new = store::shelf::NewExtension {
        name: wish.name.trim().to_owned(),
        base: wish.base,
        owner: visitor.player.id.clone(),
        about: wish.about.trim().to_owned(),
        note: wish.note.trim().to_owned(),
        bytes: bytes(&wish.base64)?,
        at_ms: app.hall.time.now_ms(),
    };
    let hall = app.hall.clone();
    let shared = async move { hall.works.extensions.share(new, (&visitor.asker).into()).await };
    let told = place.during(shared).await?.map_err(refused)?;
    Ok((StatusCode::CREATED, Json(told)))
}

fn refused(why: NoWork) -> Refusal {
    let status = match &why {
        NoWork::Refused(problem) => match problem.key {
            "extension-taken" | "extension-newer" => Some(StatusCode::CONFLICT),
            "extensions-full" => Some(StatusCode::INSUFFICIENT_STORAGE),
            _ => None,
        },
        _ => None,
    };
    match (status, why) {
        (Some(status), NoWork::Refused(problem)) => Refusal::new(status, problem),
        (_, why) => of(why),
    }
}

fn of(why: NoWork) -> Refusal {
    match why {
        NoWork::Unknown => Refusal::unknown(kernel::Problem::new("no-such-extension")),
        why => why.into(),
    }
}

/// Returns an extension and its versions.
#[utoipa::path(get, path = "/api/extensions/{name}", params(("name" = String, Path)), responses((status = 200, body = SharedExtension), (status = 404, body = RefusalBody)))]
pub(super) async fn one(
    State(app): State<App>,
    asker: Asker,
    Path(name): Path<String>,
) -> Result<Json<SharedExtension>, Refusal> {
    app.hall.works.extensions.one(&name, &asker.person).await.map(Json).map_err(of)
}

/// Returns the file of a version, which never changes.
#[utoipa::path(get, path = "/api/extensions/{name}/{n}", params(("name" = String, Path), ("n" = u32, Path)), responses((status = 200, body = String), (status = 404, body = RefusalBody)))]
pub(super) async fn file(
    State(app): State<App>,
    Path((name, n)): Path<(String, u32)>,
) -> Result<Response, Refusal> {
    let found = app.hall.store.shelf().extension_file(&name, n).await.map_err(|why| of(why.into()))?;
    let bytes = found.ok_or_else(|| of(NoWork::Unknown))?;
    let disposition = format!("attachment; filename=\"{name}@{n}.py\"");
    let kind = "text/plain; charset=utf-8".to_owned();
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], bytes).into_response())
}

/// Shows the asker's own extension in lists, or hides it; maps that use it go on.
#[utoipa::path(put, path = "/api/extensions/{name}/listed", params(("name" = String, Path)), request_body = NewListing, responses((status = 204), (status = 404, body = RefusalBody)))]
pub(super) async fn listed(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    Body(NewListing { listed }): Body<NewListing>,
) -> Result<StatusCode, Refusal> {
    let change = ShelfChange::ListExtension { name, owner: visitor.player.id, listed };
    change_shelf(&app, change, "extension-used", "no-such-extension").await
}

/// Deletes the asker's own extension, as long as no map of another person uses it.
#[utoipa::path(delete, path = "/api/extensions/{name}", params(("name" = String, Path)), responses((status = 204), (status = 404, body = RefusalBody), (status = 409, body = RefusalBody)))]
pub(super) async fn remove(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    let change = ShelfChange::DeleteExtension { name, owner: visitor.player.id };
    change_shelf(&app, change, "extension-used", "no-such-extension").await
}
