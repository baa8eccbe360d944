//! Maps: games that users make, on the shelf.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::maps::{self, About, Draft, Package, Rehearsal, Seen, Source, Timing};
use edge::network::{Asker, Payer};
use edge::workers::blocking;
use engine::trial::Played;
use kernel::Problem;
use serde::Deserialize;
use wire::{
    ExtensionInfo, GamesPlayed, HookTime, MapCheck, MapFault, MapInfo, MapLine, MapPlayed, UploadMap,
};
use works::maps::{Brought, Loaded, NoMap};
use works::publishing::PublicationNotes;
use works::refused::NoWork;

use super::ask::{Body, Path, UrlQuery, bytes};
use super::workshop::shown;
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// The content type of a workbook.
pub(super) const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

pub(super) fn told(problems: Vec<Problem>) -> Vec<wire::Problem> {
    problems.into_iter().map(wire::Problem::from).collect()
}

pub(super) fn brought(upload: UploadMap) -> Result<Brought, Problem> {
    let map = bytes(&upload.map)?;
    let source = |file: wire::ExtensionFile| Ok(Source { bytes: bytes(&file.base64)?, file: file.file });
    let extensions = upload.extensions.into_iter().map(source).collect::<Result<_, Problem>>()?;
    let package = Package { map, extensions };
    Ok(Brought { name: upload.name, package, old_names: upload.old_names, trial: upload.trial })
}

/// Returns the errors of a map, with the warnings about its workbook.
async fn wrong(errors: Vec<Problem>, workbook: Vec<u8>) -> Result<MapCheck, Refusal> {
    let warnings = blocking(move || maps::check(&workbook).warnings).await?;
    Ok(MapCheck { ok: false, errors: told(errors), warnings: told(warnings), played: None })
}

/// Returns the results of the test games on a map, for its author.
fn told_of(played: &Played) -> Box<MapPlayed> {
    let Rehearsal { lengths, stuck, ended, faults, hooks, prints, prints_left_out, .. } = &played.random;
    let hook = |timing: &Timing| HookTime {
        file: timing.file.clone(),
        hook: timing.hook.clone(),
        calls: timing.calls,
        median_us: timing.median_us,
        worst_us: timing.worst_us,
    };
    let fault = |seen: &Seen| MapFault {
        problem: seen.fault.problem().into(),
        games: seen.games,
        game: seen.first.0,
        plies: seen.first.1,
        trace: seen.trace.clone(),
    };
    Box::new(MapPlayed {
        random: games(lengths, *ended),
        stuck: *stuck,
        engine: games(&played.engine.lengths, played.engine.ended),
        hooks: hooks.iter().map(hook).collect(),
        faults: faults.iter().map(fault).collect(),
        prints: prints.clone(),
        prints_left_out: *prints_left_out,
    })
}

fn games(lengths: &[u32], ended: u32) -> GamesPlayed {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    let at = |place: usize| sorted.get(place).copied().unwrap_or_default();
    GamesPlayed {
        games: u32::try_from(sorted.len()).unwrap_or(u32::MAX),
        shortest: at(0),
        median: at(sorted.len() / 2),
        longest: at(sorted.len().saturating_sub(1)),
        ended,
    }
}

/// Returns the number of bytes of an upload, as JSON text.
pub(super) fn length(upload: &UploadMap) -> usize {
    upload.map.len() + upload.extensions.iter().map(|file| file.base64.len()).sum::<usize>()
}

pub(super) async fn check(
    State(app): State<App>,
    visitor: Visitor,
    Body(upload): Body<UploadMap>,
) -> Result<Json<MapCheck>, Refusal> {
    admit(&app, &visitor.asker, length(&upload))?;
    let place = app.place(&visitor.asker).await?;
    let (brought, hall, asker) = (brought(upload)?, Arc::clone(&app.hall), visitor.asker);
    let work = async move {
        let rules = match hall.works.maps.check(&brought, (&asker).into()).await {
            Ok(rules) => rules,
            Err(errors) => return wrong(errors, brought.package.map).await,
        };
        let warnings = told(rules.warnings().to_vec());
        if brought.trial {
            return Ok(MapCheck { ok: true, errors: Vec::new(), warnings, played: None });
        }
        match hall.works.maps.play(&brought.id(), &rules).await {
            Ok(played) => {
                let errors = told(played.refusals());
                Ok(MapCheck { ok: errors.is_empty(), errors, warnings, played: Some(told_of(&played)) })
            }
            Err(problem) => wrong(vec![problem], brought.package.map).await,
        }
    };
    place.during(work).await?.map(Json)
}

pub(super) async fn keep(
    State(app): State<App>,
    visitor: Visitor,
    Body(upload): Body<UploadMap>,
) -> Result<Response, Refusal> {
    admit(&app, &visitor.asker, length(&upload))?;
    let place = app.place(&visitor.asker).await?;
    let (brought, hall) = (brought(upload)?, Arc::clone(&app.hall));
    let work = async move {
        let workbook = brought.package.map.clone();
        let (owner, payer) = (&visitor.player.id, Payer::Asker(&visitor.asker));
        let kept = if brought.trial {
            hall.works.publishing.try_out(brought, owner, payer).await.map_err(NoWork::Map)
        } else {
            hall.works
                .publishing
                .publish(brought, PublicationNotes::default(), owner, payer)
                .await
                .map(|published| published.map)
        };
        match kept {
            Ok(map) => {
                let told = blocking(move || describe(&map)).await?;
                Ok((StatusCode::CREATED, Json(told)).into_response())
            }
            Err(NoWork::Map(NoMap::Broken(errors))) => {
                let check = wrong(errors, workbook).await?;
                Ok((StatusCode::UNPROCESSABLE_ENTITY, Json(check)).into_response())
            }
            Err(NoWork::Map(NoMap::Fails(played))) => {
                let check = wrong(played.refusals(), workbook).await?;
                let check = MapCheck { played: Some(told_of(&played)), ..check };
                Ok((StatusCode::UNPROCESSABLE_ENTITY, Json(check)).into_response())
            }
            Err(why) => Err(Refusal::from(why)),
        }
    };
    place.during(work).await?
}

/// Counts one map that is uploaded, checked or read, of that number of bytes.
pub(super) fn admit(app: &App, asker: &Asker, bytes: usize) -> Result<(), Refusal> {
    let rates = &app.hall.rates;
    rates
        .map(asker)
        .and_then(|()| rates.bytes(asker, bytes as u64))
        .map_err(|wait| Refusal::too_many(wait.seconds()))
}

#[derive(Deserialize)]
pub(super) struct Search {
    #[serde(default)]
    search: String,
}

pub(super) async fn list(
    State(app): State<App>,
    asker: Asker,
    UrlQuery(wish): UrlQuery<Search>,
) -> Result<Json<Vec<MapLine>>, Refusal> {
    let lines = app.hall.works.maps.list(&wish.search, (&asker).into()).await;
    lines.map(Json).map_err(|why| NoMap::Store(why).into())
}

pub(super) async fn info(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Json<MapInfo>, Refusal> {
    let (place, hall) = (app.place(&asker).await?, Arc::clone(&app.hall));
    let work = async move {
        let map = hall.works.maps.map(&id, (&asker).into()).await?;
        let credits = hall.works.extensions.credits(&id).await?;
        let mut told = blocking(move || describe(&map)).await?;
        for extension in &mut told.extensions {
            let by = credits.iter().find(|(file, _)| *file == extension.file);
            extension.shared = by.map(|(_, by)| by.clone());
        }
        told.pool = Some(hall.works.shelf.pool(&id).await?);
        Ok::<_, Refusal>(told)
    };
    place.during(work).await?.map(Json)
}

fn describe(map: &Loaded) -> MapInfo {
    let rules = &map.rules;
    let (board, view) = map.start();
    let about = |about: &About| ExtensionInfo {
        file: about.file.clone(),
        name: about.name.clone(),
        version: about.version.clone(),
        help: about.help.clone(),
        places: about.places.clone(),
        shared: None,
    };
    let line = map.line.clone();
    MapInfo {
        id: line.id,
        name: line.name,
        draft: shown(&Draft::from(rules.map())),
        details: rules.details().into_iter().map(told).collect(),
        extensions: rules.extensions().iter().map(about).collect(),
        warnings: told(rules.warnings().to_vec()),
        old_names: rules.old_names(),
        board: board.clone(),
        view: view.clone(),
        created_ms: line.created_ms,
        ours: line.ours,
        pool: None,
    }
}

fn file(kind: &'static str, name: &str, bytes: Vec<u8>) -> Response {
    // Names of files are not only letters of ASCII.
    let name: String = name.bytes().map(escaped).collect();
    let disposition = format!("attachment; filename*=UTF-8''{name}");
    ([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)], bytes)
        .into_response()
}

fn escaped(byte: u8) -> String {
    let plain = byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if plain { char::from(byte).to_string() } else { format!("%{byte:02X}") }
}

pub(super) async fn workbook(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    app.hall.members.staffed.may_begin_on(&id).map_err(Refusal::forbidden)?;
    let (map, _) = app.hall.works.maps.files(&id).await?;
    Ok(file(XLSX, &format!("{}.xlsx", map.name), map.package.map))
}

pub(super) async fn extension(
    State(app): State<App>,
    Path((id, n)): Path<(String, usize)>,
) -> Result<Response, Refusal> {
    app.hall.members.staffed.may_begin_on(&id).map_err(Refusal::forbidden)?;
    let (map, _) = app.hall.works.maps.files(&id).await?;
    let source = map.package.extensions.into_iter().nth(n);
    let source = source.ok_or(NoMap::Unknown)?;
    Ok(file("text/plain; charset=utf-8", &source.file, source.bytes))
}
