//! The workshop, where maps are edited: a workbook becomes a draft, a draft is checked and becomes a workbook.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use catalog::maps::{self, Draft, DraftKind, Reading, Sheets2, Value};
use edge::network::Asker;
use edge::workers::Deadline;
use records::csv;
use wire::{
    AttributeValue, BoardCsv, DraftChecked, DraftRead, KindDraft, MapCheck, MapDraft, ReadBoard, SheetsDraft,
    Workbook,
};

use super::ask::{Body, bytes};
use super::maps::{admit, told};
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// The most rows and columns of a board.
const MOST_SIDE: u32 = 64;

pub(super) async fn read_draft(
    State(app): State<App>,
    visitor: Visitor,
    Body(book): Body<Workbook>,
) -> Result<Json<DraftRead>, Refusal> {
    admit(&app, &visitor.asker, book.base64.len())?;
    let read = move |_: &Deadline| {
        let reading = maps::check(&bytes(&book.base64)?);
        let Reading { map, errors, warnings } = reading;
        let draft = map.as_ref().map(|map| shown(&Draft::from(map)));
        Ok(Json(DraftRead { draft, errors: told(errors), warnings: told(warnings) }))
    };
    app.work(&visitor.asker, read).await?
}

pub(super) async fn check_draft(
    State(app): State<App>,
    asker: Asker,
    Body(draft): Body<MapDraft>,
) -> Result<Json<DraftChecked>, Refusal> {
    let check = move |_: &Deadline| {
        let reading = understood(draft).read();
        let (details, view, board) = match reading.map.map(maps::preview) {
            Some(maps::Preview { details, view, board }) => (details, Some(view), Some(board)),
            None => (Vec::new(), None, None),
        };
        DraftChecked {
            errors: told(reading.errors),
            warnings: told(reading.warnings),
            details: details.into_iter().map(told).collect(),
            view,
            board,
        }
    };
    app.work(&asker, check).await.map(Json)
}

pub(super) async fn write_draft(
    State(app): State<App>,
    asker: Asker,
    Body(draft): Body<MapDraft>,
) -> Result<Response, Refusal> {
    let write = move |_: &Deadline| {
        let reading = understood(draft).read();
        let wrong = |errors, warnings| MapCheck {
            ok: false,
            errors: told(errors),
            warnings: told(warnings),
            played: None,
        };
        let map = reading.map.ok_or_else(|| Box::new(wrong(reading.errors, reading.warnings)))?;
        records::map::write(&map).map_err(|problem| Box::new(wrong(vec![problem], Vec::new())))
    };
    Ok(match app.work(&asker, write).await? {
        Ok(bytes) => {
            let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
            Json(Workbook { base64 }).into_response()
        }
        Err(check) => (StatusCode::UNPROCESSABLE_ENTITY, Json(check)).into_response(),
    })
}

pub(super) async fn read_board(
    State(app): State<App>,
    visitor: Visitor,
    Body(wish): Body<ReadBoard>,
) -> Result<Json<MapDraft>, Refusal> {
    admit(&app, &visitor.asker, wish.csv.len())?;
    let read = move |_: &Deadline| {
        let names: Vec<&str> = wish.draft.kinds.iter().map(|kind| kind.name.as_str()).collect();
        let csv::Board { rows, cols, cells } = csv::read(wish.csv.as_bytes(), &names)?;
        Ok(Json(MapDraft { rows, cols, cells, ..wish.draft }))
    };
    app.work(&visitor.asker, read).await?
}

pub(super) async fn write_board(
    State(app): State<App>,
    asker: Asker,
    Body(draft): Body<MapDraft>,
) -> Result<Json<BoardCsv>, Refusal> {
    let write = move |_: &Deadline| {
        // A draft says how large its board is; no more rows are written than a board may have.
        let [rows, cols] = [draft.rows, draft.cols].map(|side| side.min(MOST_SIDE));
        BoardCsv { csv: csv::write(&csv::Board { rows, cols, cells: draft.cells }) }
    };
    app.work(&asker, write).await.map(Json)
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
        owner: kind.owner,
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
        level2: draft.level2.map_or_else(Sheets2::default, |sheets| {
            let SheetsDraft { rules2, terrain, look, hand, bag } = sheets;
            Sheets2 { rules2, terrain, look, hand, bag }
        }),
    }
}

/// Converts a draft to the form for clients.
pub(super) fn shown(draft: &Draft) -> MapDraft {
    let value = |value: &Value| match value {
        Value::Bool(set) => AttributeValue::Bool(*set),
        Value::Int(n) => AttributeValue::Int(*n),
        Value::Float(n) => AttributeValue::Float(*n),
        Value::Text(text) => AttributeValue::Text(text.clone()),
    };
    let kind = |kind: &DraftKind| KindDraft {
        name: kind.name.clone(),
        owner: kind.owner,
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
        level2: (draft.level2 != Sheets2::default()).then(|| {
            let Sheets2 { rules2, terrain, look, hand, bag } = draft.level2.clone();
            SheetsDraft { rules2, terrain, look, hand, bag }
        }),
    }
}
