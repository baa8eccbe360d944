//! The look of boards and pieces of a family: the page's own `paints.json`.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::Value;

const PAINTS: &str = include_str!("../../../web/src/faces/paints.json");

/// The styles of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Pieces {
    Stone,
    Token,
    Disc,
    Character,
    Tile,
}

/// The styles of marks for the last move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Last {
    Dot,
    Square,
    Corners,
}

/// The fields of the page's `Paint` that a picture needs.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Paint {
    /// Class of the board in the style sheet.
    pub(crate) name: String,
    pub(crate) pieces: Pieces,
    /// Radius of a piece; a cell is 100 wide.
    pub(crate) radius: f32,
    /// Squares in two shades, where there are no gaps.
    pub(crate) chequered: bool,
    /// Lines of grain across the board.
    #[serde(default)]
    pub(crate) grain: bool,
    pub(crate) last: Last,
    /// Characters in the river, left and right.
    pub(crate) river: Option<[String; 2]>,
}

static FAMILIES: LazyLock<HashMap<String, Paint>> = LazyLock::new(|| {
    let all: serde_json::Map<String, Value> = serde_json::from_str(PAINTS).expect("the page's own file");
    let plain = all["plain"].as_object().expect("an object");
    let whole = |own: &Value| {
        let mut paint = plain.clone();
        paint.extend(own.as_object().expect("an object").clone());
        serde_json::from_value(Value::Object(paint)).expect("a paint")
    };
    all.iter().map(|(family, own)| (family.clone(), whole(own))).collect()
});

/// Returns the paint of a family; the plain one for an unknown family.
pub(crate) fn of(family: &str) -> &'static Paint {
    FAMILIES.get(family).unwrap_or_else(|| &FAMILIES["plain"])
}
