//! The shelf of maps as works: the gallery, versions, forks, stars.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use edge::network::Asker;
use members::staff::rules::taken_down;
use serde::Deserialize;
use store::shelf::{ShelfChange, Sorted};
use wire::{Gallery, MapDiff, NewListing, NewStars, NewWork, WorkInfo};
use works::publishing::PublicationNotes;
use works::refused::NoWork;

use super::ask::{Body, Path, UrlQuery};
use super::maps::{admit, brought, length};
use crate::app::App;
use crate::hall::Hall;
use crate::links::drawn;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

#[derive(Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    search: String,
    #[serde(default)]
    sort: String,
    #[serde(default)]
    page: u32,
    #[serde(default)]
    mine: bool,
}

pub(super) async fn list(
    State(app): State<App>,
    asker: Asker,
    UrlQuery(wish): UrlQuery<Search>,
) -> Result<Json<Gallery>, Refusal> {
    let sorted = match wish.sort.as_str() {
        "played" => Sorted::Played,
        "stars" => Sorted::Stars,
        "even" => Sorted::Even,
        "name" => Sorted::Name,
        _ => Sorted::Newest,
    };
    let owner = wish.mine.then_some(asker.person.as_str());
    Ok(Json(app.hall.works.shelf.page(&wish.search, sorted, owner, wish.page).await?))
}

pub(super) async fn publish(
    State(app): State<App>,
    visitor: Visitor,
    Body(wish): Body<NewWork>,
) -> Result<(StatusCode, Json<WorkInfo>), Refusal> {
    admit(&app, &visitor.asker, length(&wish.upload))?;
    let place = app.place(&visitor.asker).await?;
    let NewWork { upload, work, base, note, tags, made_from } = wish;
    if let Some(work) = &work {
        app.hall.members.staffed.may_begin_on(work).map_err(Refusal::forbidden)?;
    }
    let said = PublicationNotes { work, base, note, tags, made_from };
    let (brought, hall, asker) = (brought(upload)?, app.hall.clone(), visitor.asker);
    let person = visitor.player.id;
    let published = async move {
        let published = hall.works.publishing.publish(brought, said, &person, (&asker).into()).await?;
        told(&hall, &published.work, &person).await
    };
    let told = place.during(published).await??;
    Ok((StatusCode::CREATED, Json(told)))
}

pub(super) async fn work(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Json<WorkInfo>, Refusal> {
    Ok(Json(told(&app.hall, &id, &asker.person).await?))
}

/// Returns all data of a work for that person. One that the staff has taken down is shown to its owner alone.
async fn told(hall: &Hall, id: &str, person: &str) -> Result<WorkInfo, Refusal> {
    let mut work = hall.works.shelf.work(id, Some(person)).await?;
    if let Some(down) = hall.members.staffed.rules().down(&work.line.id) {
        if !work.mine {
            return Err(Refusal::forbidden(taken_down(down)));
        }
        work.down = Some(down.reason.clone());
    }
    Ok(work)
}

pub(super) async fn remove(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let versions = app.hall.store.shelf.versions(&id).await.map_err(NoWork::from)?;
    let change = ShelfChange::Delete { work: id, owner: visitor.player.id };
    let done = change_shelf(&app, change, "work-was-played", "no-such-map").await?;
    app.hall.forget_maps_in_puzzles(versions.into_iter().map(|version| version.map).collect()).await;
    Ok(done)
}

pub(super) async fn stars(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(NewStars { stars }): Body<NewStars>,
) -> Result<StatusCode, Refusal> {
    if !(1..=5).contains(&stars) {
        return Err(kernel::Problem::new("work-stars").into());
    }
    change_shelf(
        &app,
        ShelfChange::Star { work: id, person: visitor.player.id, stars },
        "work-stars",
        "no-such-map",
    )
    .await
}

pub(super) async fn listed(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(NewListing { listed }): Body<NewListing>,
) -> Result<StatusCode, Refusal> {
    change_shelf(
        &app,
        ShelfChange::List { work: id, owner: visitor.player.id, listed },
        "no-such-map",
        "no-such-map",
    )
    .await
}

pub(super) async fn diff(
    State(app): State<App>,
    asker: Asker,
    Path((id, other)): Path<(String, String)>,
) -> Result<Json<MapDiff>, Refusal> {
    let (place, hall) = (app.place(&asker).await?, app.hall.clone());
    let compared = async move { hall.works.shelf.diff(&id, &other).await };
    Ok(Json(place.during(compared).await??))
}

pub(super) async fn picture(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let drawn = drawn::of_map(&app, &asker, &id).await?;
    // The same id has the same files for ever.
    let kept = "public, max-age=31536000, immutable";
    Ok(([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, kept)], drawn).into_response())
}

/// Carries a change out; `conflict` and `missing` are the problem keys if another person's change stands against it,
/// or there is nothing of that name.
pub(super) async fn change_shelf(
    app: &App,
    change: ShelfChange,
    conflict: &'static str,
    missing: &'static str,
) -> Result<StatusCode, Refusal> {
    app.hall.has_room()?;
    match app.hall.store.shelf.shelve(change).await {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(store::StoreError::Conflict) => {
            Err(Refusal::new(StatusCode::CONFLICT, kernel::Problem::new(conflict)))
        }
        Err(store::StoreError::Missing) => Err(Refusal::unknown(kernel::Problem::new(missing))),
        Err(why) => Err(NoWork::from(why).into()),
    }
}
