//! Records of games: a table as a file, a file as a table.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::maps::Package;
use edge::network::Asker;
use edge::workers::blocking;
use kernel::Problem;
use serde::Deserialize;
use wire::{Created, ImportRecord, Player};
use works::publishing::PublicationNotes;
use works::refused::NoWork;

use super::ask::{Body, Path, UrlQuery, bytes};
use super::tables::created;
use crate::app::App;
use crate::files::{self, FromRecord};
use crate::hall::Hall;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

#[derive(Deserialize)]
pub(super) struct As {
    format: Option<String>,
}

pub(super) async fn record(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    UrlQuery(wish): UrlQuery<As>,
) -> Result<Response, Refusal> {
    let format = files::format(wish.format.as_deref().unwrap_or("json"))?;
    let place = app.place(&asker).await?;
    let mut record = app.hall.tables.look(&id, (&asker).into(), files::record).await?;
    if let (Some(map), records::Format::Json) = (&mut record.map, format) {
        let (brought, _) = app.hall.works.maps.files(&map.id).await?;
        let Package { map: bytes, extensions } = brought.package;
        map.files = Some(records::Files { map: bytes, extensions });
    }
    let (kind, ending, content) = place.run(move |_| files::write(format, &record)).await??;
    let name = format!("attachment; filename=\"qiguan-{id}.{ending}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], content)
        .into_response())
}

pub(super) async fn import(
    State(app): State<App>,
    visitor: Visitor,
    Body(wish): Body<ImportRecord>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let Visitor { player, asker, .. } = visitor;
    let rates = &app.hall.rates;
    let counted = rates.table(&asker).and_then(|()| rates.bytes(&asker, wish.content.len() as u64));
    counted.map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let place = app.place(&asker).await?;
    let (hall, who, by) = (Arc::clone(&app.hall), player.clone(), asker.clone());
    let work = async move { brought_in(&hall, wish, who, &by).await };
    let (id, told) = place.during(work).await??;
    let (status, Json(made)) = created(&app, id, player, &asker).await?;
    let told = told.into_iter().map(wire::Problem::from).collect();
    Ok((status, Json(Created { told, ..made })))
}

/// Reads the record, plays it and opens the table; returns its id, and the parts of the record that a table does not
/// keep.
async fn brought_in(
    hall: &Arc<Hall>,
    wish: ImportRecord,
    who: Player,
    asker: &Asker,
) -> Result<(String, Vec<Problem>), Refusal> {
    let most = if hall.limits.on { hall.limits.record_plies } else { u64::MAX };
    let read = move || {
        let content = if wish.base64 { bytes(&wish.content)? } else { wish.content.into_bytes() };
        files::read(wish.format.as_deref(), &content, most)
    };
    let (mut record, mut told) = blocking(read).await??;
    let plies = record.tree.main_line().count() as u64;
    hall.rates.plies(asker, plies).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let map = match (files::brought(&mut record), &record.map) {
        (Some(brought), _) => {
            let published = hall
                .works
                .publishing
                .publish(brought, PublicationNotes::default(), &who.id, asker.into())
                .await;
            Some(published.map_err(NoWork::problem)?.map)
        }
        (None, named) => {
            hall.works.maps.map_of(named.as_ref().map(|map| map.id.as_str()), asker.into()).await?
        }
    };
    let now_ms = hall.time.now_ms();
    let table = blocking(move || files::table(record, map.as_deref(), now_ms)).await??;
    let FromRecord { setup, moves, end, told: mut left_out } = table;
    told.append(&mut left_out);
    Ok((hall.tables.open_record(setup, moves, end, who, asker.into()).await?, told))
}
