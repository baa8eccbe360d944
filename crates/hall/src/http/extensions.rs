//! The shelf of extensions: shared by name and version.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use edge::network::Asker;
use serde::Deserialize;
use store::shelf::ShelfChange;
use wire::{ExtensionList, NewExtension, NewListing, SharedExtension};
use works::refused::NoWork;

use super::ask::{Body, Path, UrlQuery, bytes};
use super::maps::admit;
use super::works::change_shelf;
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

#[derive(Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    search: String,
    #[serde(default)]
    mine: bool,
}

pub(super) async fn list(
    State(app): State<App>,
    asker: Asker,
    UrlQuery(wish): UrlQuery<Search>,
) -> Result<Json<ExtensionList>, Refusal> {
    Ok(Json(app.hall.works.extensions.list(&wish.search, wish.mine, &asker.person).await?))
}

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

pub(super) async fn one(
    State(app): State<App>,
    asker: Asker,
    Path(name): Path<String>,
) -> Result<Json<SharedExtension>, Refusal> {
    app.hall.works.extensions.one(&name, &asker.person).await.map(Json).map_err(of)
}

pub(super) async fn file(
    State(app): State<App>,
    Path((name, n)): Path<(String, u32)>,
) -> Result<Response, Refusal> {
    let found = app.hall.store.shelf.extension_file(&name, n).await.map_err(|why| of(why.into()))?;
    let bytes = found.ok_or_else(|| of(NoWork::Unknown))?;
    let disposition = format!("attachment; filename=\"{name}@{n}.py\"");
    let kind = "text/plain; charset=utf-8".to_owned();
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], bytes).into_response())
}

pub(super) async fn listed(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
    Body(NewListing { listed }): Body<NewListing>,
) -> Result<StatusCode, Refusal> {
    let change = ShelfChange::ListExtension { name, owner: visitor.player.id, listed };
    change_shelf(&app, change, "extension-used", "no-such-extension").await
}

pub(super) async fn remove(
    State(app): State<App>,
    visitor: Visitor,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    let change = ShelfChange::DeleteExtension { name, owner: visitor.player.id };
    change_shelf(&app, change, "extension-used", "no-such-extension").await
}
