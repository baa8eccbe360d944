//! Fuzz target for drafts of maps that the page sends: each is checked, and a valid one can be written and read.

#![no_main]

use jingbanqi::{Draft, DraftKind, Value};
use wire::{AttributeValue, KindDraft, MapDraft};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(draft) = serde_json::from_str::<MapDraft>(text) else { return };
    let reading = understood(draft).read();
    assert_eq!(reading.map.is_none(), !reading.errors.is_empty());
    let Some(map) = reading.map else { return };
    assert_eq!(jingbanqi::words::kinds(&map, &["D", "R", "T", "NP", "C"]).len(), map.kinds.len());
    let bytes = records::map::write(&map).expect("what is within the limits can be written");
    assert!(jingbanqi::read(&bytes).errors.is_empty());
});

fn understood(draft: MapDraft) -> Draft {
    let value = |value| match value {
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
        ..Draft::default()
    }
}
