//! Records of games: a table as a file, a file as a table.

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use catalog::maps::Package;
use serde::Deserialize;
use wire::{Created, ImportRecord};

use super::FILE_BODY;
use super::ask::{Asked, Body, bytes};
use super::tables::{admit_table, created};
use crate::app::App;
use crate::maps::NoMap;
use crate::refusal::{Refusal, RefusalBody};
use crate::visitor::{ClientIp, Visitor};

/// `/api/tables/{id}/record` and `/api/records`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/tables/{id}/record", get(record))
        .route("/api/records", post(import).layer(DefaultBodyLimit::max(FILE_BODY)))
}

#[derive(Deserialize)]
pub(super) struct As {
    format: Option<String>,
}

/// The record as a file.
#[utoipa::path(get, path = "/api/tables/{id}/record", params(("id" = String, Path), ("format" = Option<String>, Query)), responses((status = 200, body = String), (status = 404, body = RefusalBody)))]
pub(super) async fn record(
    State(app): State<App>,
    Path(id): Path<String>,
    Asked(wish): Asked<As>,
) -> Result<Response, Refusal> {
    let format = crate::files::format(wish.format.as_deref().unwrap_or("json"))?;
    let mut record = app.hall.look(&id, crate::files::record).await?;
    if let (Some(map), records::Format::Json) = (&mut record.map, format) {
        let (brought, _) = app.hall.files(&map.id).await?;
        let Package { map: bytes, extensions } = brought.package;
        map.files = Some(records::Files { map: bytes, extensions });
    }
    let (kind, ending, content) = crate::files::write(format, &record)?;
    let name = format!("attachment; filename=\"qiguan-{id}.{ending}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], content)
        .into_response())
}

/// Opens a table where a record ends.
#[utoipa::path(post, path = "/api/records", request_body = ImportRecord, responses((status = 201, body = Created), (status = 400, body = RefusalBody)))]
pub(super) async fn import(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    visitor: Visitor,
    Body(wish): Body<ImportRecord>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    admit_table(&app, &visitor, address)?;
    let now_ms = app.hall.time.now_ms();
    let content = if wish.base64 { bytes(&wish.content)? } else { wish.content.into_bytes() };
    let mut record = crate::files::read(wish.format.as_deref(), &content)?;
    let map = match (crate::files::brought(&mut record), &record.map) {
        (Some(brought), _) => {
            let kept = app.hall.keep_map(brought, &visitor.player.id).await;
            Some(kept.map_err(NoMap::problem)?)
        }
        (None, named) => app.hall.map_of(named.as_ref().map(|map| map.id.as_str())).await?,
    };
    let table = || crate::files::table(record, map.as_deref(), now_ms);
    let table = app.hall.maps.replay(map.as_deref(), table).await;
    let (setup, moves) = table?;
    let id = app.hall.open_record(setup, moves, visitor.player.clone()).await?;
    created(&app, id, visitor).await
}
