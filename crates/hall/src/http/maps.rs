//! The doors of games that users make: the shelf of maps, and the workshop where maps are written.

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use base64::Engine as _;
use catalog::maps::{self, About, Draft, DraftKind, Package, Source, Value};
use kernel::Problem;
use serde::Deserialize;
use wire::{
    AttributeValue, DraftChecked, DraftRead, ExtensionInfo, KindDraft, MapCheck, MapDraft, MapInfo, MapLine,
    UploadMap, View, Workbook,
};

use super::{App, Asked, Body, FILE_BODY, Refusal, RefusalBody, bytes, no_map};
use crate::maps::{Brought, Loaded, NoMap, apart};
use crate::visitor::{From as Address, Visitor};

/// What a workbook is on the web.
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// These doors.
pub fn router() -> Router<App> {
    let large = Router::new()
        .route("/api/maps/check", post(check))
        .route("/api/maps", post(keep).get(list))
        .route("/api/workshop/read", post(read_draft))
        .route("/api/workshop/check", post(check_draft))
        .route("/api/workshop/write", post(write_draft))
        .layer(DefaultBodyLimit::max(FILE_BODY));
    Router::new()
        .route("/api/maps/{id}", get(info))
        .route("/api/maps/{id}/map.xlsx", get(workbook))
        .route("/api/maps/{id}/extensions/{n}", get(extension))
        .merge(large)
}

fn told(problems: Vec<Problem>) -> Vec<wire::Problem> {
    problems.into_iter().map(wire::Problem::from).collect()
}

fn brought(upload: UploadMap) -> Result<Brought, Problem> {
    let map = bytes(&upload.map)?;
    let source = |file: wire::ExtensionFile| Ok(Source { bytes: bytes(&file.base64)?, file: file.file });
    let extensions = upload.extensions.into_iter().map(source).collect::<Result<_, Problem>>()?;
    let package = Package { map, extensions };
    Ok(Brought { name: upload.name, package, old_names: upload.old_names, trial: upload.trial })
}

/// The errors of a map, beside what its author should know of the workbook.
fn wrong(errors: Vec<Problem>, workbook: &[u8]) -> MapCheck {
    let warnings = apart(true, || maps::check(workbook)).warnings;
    MapCheck { ok: false, errors: told(errors), warnings: told(warnings) }
}

/// Says everything that is wrong with a map and its extensions; keeps nothing.
#[utoipa::path(post, path = "/api/maps/check", request_body = UploadMap, responses((status = 200, body = MapCheck), (status = 400, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub async fn check(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    headers: HeaderMap,
    visitor: Visitor,
    Body(upload): Body<UploadMap>,
) -> Result<Json<MapCheck>, Refusal> {
    admit(&app, &visitor, address, &headers)?;
    let brought = brought(upload).map_err(|p| Refusal::bad(p, &headers))?;
    Ok(Json(match app.hall.check_map(&brought).await {
        Ok(rules) => MapCheck { ok: true, errors: Vec::new(), warnings: told(rules.warnings().to_vec()) },
        Err(errors) => wrong(errors, &brought.package.map),
    }))
}

/// Keeps a map for everybody. The same files are the same map, however often they come.
#[utoipa::path(post, path = "/api/maps", request_body = UploadMap, responses((status = 201, body = MapInfo), (status = 400, body = RefusalBody), (status = 422, body = MapCheck), (status = 429, body = RefusalBody), (status = 507, body = RefusalBody)))]
pub async fn keep(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    headers: HeaderMap,
    visitor: Visitor,
    Body(upload): Body<UploadMap>,
) -> Result<Response, Refusal> {
    admit(&app, &visitor, address, &headers)?;
    let brought = brought(upload).map_err(|p| Refusal::bad(p, &headers))?;
    let workbook = brought.package.map.clone();
    match app.hall.keep_map(brought, &visitor.player.id).await {
        Ok(map) => Ok((StatusCode::CREATED, Json(describe(&map))).into_response()),
        Err(NoMap::Broken(errors)) => {
            Ok((StatusCode::UNPROCESSABLE_ENTITY, Json(wrong(errors, &workbook))).into_response())
        }
        Err(why) => Err(no_map(why, &headers)),
    }
}

fn admit(
    app: &App,
    visitor: &Visitor,
    address: std::net::IpAddr,
    headers: &HeaderMap,
) -> Result<(), Refusal> {
    app.hall.gauges.map(&visitor.player.id, address).map_err(|seconds| Refusal::too_many(seconds, headers))
}

#[derive(Deserialize)]
pub struct Search {
    #[serde(default)]
    search: String,
}

/// The shelf: the house's own maps, and the newest of the others whose names hold `search`, at most 100.
#[utoipa::path(get, path = "/api/maps", params(("search" = Option<String>, Query)), responses((status = 200, body = Vec<MapLine>)))]
pub async fn list(
    State(app): State<App>,
    headers: HeaderMap,
    Asked(wish): Asked<Search>,
) -> Result<Json<Vec<MapLine>>, Refusal> {
    let lines = app.hall.list_maps(&wish.search).await;
    lines.map(Json).map_err(|why| no_map(NoMap::Store(why), &headers))
}

/// What players may want to know of a map before they sit down.
#[utoipa::path(get, path = "/api/maps/{id}", params(("id" = String, Path)), responses((status = 200, body = MapInfo), (status = 404, body = RefusalBody)))]
pub async fn info(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<MapInfo>, Refusal> {
    let map = app.hall.map(&id).await.map_err(|why| no_map(why, &headers))?;
    Ok(Json(describe(&map)))
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
    };
    let line = map.line.clone();
    MapInfo {
        id: line.id,
        name: line.name,
        draft: shown(&Draft::from(rules.map())),
        details: rules.details().into_iter().map(told).collect(),
        extensions: rules.extensions().iter().map(about).collect(),
        warnings: told(rules.warnings().to_vec()),
        old_names: rules.options().values().any(|&on| on == 1),
        board: board.clone(),
        view: view.clone(),
        created_ms: line.created_ms,
        ours: line.ours,
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

/// The map's workbook.
#[utoipa::path(get, path = "/api/maps/{id}/map.xlsx", params(("id" = String, Path)), responses((status = 200, body = Vec<u8>, content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"), (status = 404, body = RefusalBody)))]
pub async fn workbook(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let (map, _) = app.hall.files(&id).await.map_err(|why| no_map(why, &headers))?;
    Ok(file(XLSX, &format!("{}.xlsx", map.name), map.package.map))
}

/// One of the map's extensions, counted from 0.
#[utoipa::path(get, path = "/api/maps/{id}/extensions/{n}", params(("id" = String, Path), ("n" = usize, Path)), responses((status = 200, body = String), (status = 404, body = RefusalBody)))]
pub async fn extension(
    State(app): State<App>,
    headers: HeaderMap,
    Path((id, n)): Path<(String, usize)>,
) -> Result<Response, Refusal> {
    let (map, _) = app.hall.files(&id).await.map_err(|why| no_map(why, &headers))?;
    let source = map.package.extensions.into_iter().nth(n);
    let source = source.ok_or_else(|| no_map(NoMap::Unknown, &headers))?;
    Ok(file("text/plain; charset=utf-8", &source.file, source.bytes))
}

/// Reads a workbook into the editor.
#[utoipa::path(post, path = "/api/workshop/read", request_body = Workbook, responses((status = 200, body = DraftRead), (status = 400, body = RefusalBody), (status = 429, body = RefusalBody)))]
pub async fn read_draft(
    State(app): State<App>,
    Extension(Address(address)): Extension<Address>,
    headers: HeaderMap,
    visitor: Visitor,
    Body(book): Body<Workbook>,
) -> Result<Json<DraftRead>, Refusal> {
    admit(&app, &visitor, address, &headers)?;
    let content = bytes(&book.base64).map_err(|p| Refusal::bad(p, &headers))?;
    let reading = apart(true, || maps::check(&content));
    let draft = reading.map.as_ref().map(|map| shown(&Draft::from(map)));
    Ok(Json(DraftRead { draft, errors: told(reading.errors), warnings: told(reading.warnings) }))
}

/// Says everything that is wrong with a map that is being written.
#[utoipa::path(post, path = "/api/workshop/check", request_body = MapDraft, responses((status = 200, body = DraftChecked), (status = 400, body = RefusalBody)))]
pub async fn check_draft(Body(draft): Body<MapDraft>) -> Json<DraftChecked> {
    Json(apart(true, || {
        let reading = understood(draft).read();
        let preview = reading.map.map(maps::preview);
        let (details, view) = preview.map(|(details, view)| (details, View::from(view))).unzip();
        DraftChecked {
            errors: told(reading.errors),
            warnings: told(reading.warnings),
            details: details.unwrap_or_default().into_iter().map(told).collect(),
            view,
        }
    }))
}

/// Writes a map as a workbook.
#[utoipa::path(post, path = "/api/workshop/write", request_body = MapDraft, responses((status = 200, body = Workbook), (status = 400, body = RefusalBody), (status = 422, body = MapCheck)))]
pub async fn write_draft(Body(draft): Body<MapDraft>) -> Response {
    let written = apart(true, || {
        let reading = understood(draft).read();
        let wrong = |errors, warnings| MapCheck { ok: false, errors: told(errors), warnings: told(warnings) };
        let map = reading.map.ok_or_else(|| wrong(reading.errors, reading.warnings))?;
        records::map::write(&map).map_err(|problem| wrong(vec![problem], Vec::new()))
    });
    match written {
        Ok(bytes) => {
            let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
            Json(Workbook { base64 }).into_response()
        }
        Err(check) => (StatusCode::UNPROCESSABLE_ENTITY, Json(check)).into_response(),
    }
}

fn understood(draft: MapDraft) -> Draft {
    let value = |value: AttributeValue| match value {
        AttributeValue::Bool(set) => Value::Bool(set),
        AttributeValue::Int(n) => Value::Int(n),
        AttributeValue::Float(n) => Value::Float(n),
        AttributeValue::Text(text) => Value::Text(text),
    };
    let kind = |kind: KindDraft| DraftKind {
        name: kind.name,
        owner: kind.owner.map(kernel::Side::from),
        captain: kind.captain,
        rule: kind.rule,
        promotes: kind.promotes,
        promoted: kind.promoted,
        attributes: kind.attributes.into_iter().map(|(name, v)| (name, value(v))).collect(),
    };
    Draft {
        rows: draft.rows,
        cols: draft.cols,
        cells: draft.cells,
        kinds: draft.kinds.into_iter().map(kind).collect(),
        promotion: draft.promotion,
        undo: draft.undo,
        neutral_limit: draft.neutral_limit,
    }
}

fn shown(draft: &Draft) -> MapDraft {
    let value = |value: &Value| match value {
        Value::Bool(set) => AttributeValue::Bool(*set),
        Value::Int(n) => AttributeValue::Int(*n),
        Value::Float(n) => AttributeValue::Float(*n),
        Value::Text(text) => AttributeValue::Text(text.clone()),
    };
    let kind = |kind: &DraftKind| KindDraft {
        name: kind.name.clone(),
        owner: kind.owner.map(wire::Side::from),
        captain: kind.captain,
        rule: kind.rule.clone(),
        promotes: kind.promotes.clone(),
        promoted: kind.promoted.clone(),
        attributes: kind.attributes.iter().map(|(name, v)| (name.clone(), value(v))).collect(),
    };
    MapDraft {
        rows: draft.rows,
        cols: draft.cols,
        cells: draft.cells.clone(),
        kinds: draft.kinds.iter().map(kind).collect(),
        promotion: draft.promotion,
        undo: draft.undo,
        neutral_limit: draft.neutral_limit,
    }
}
