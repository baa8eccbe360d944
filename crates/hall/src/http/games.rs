//! The catalogue of games and programs, and the description of the API.

use std::sync::LazyLock;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::draws::{DRAWN, LEG};
use tables::derived::text_from;
use wire::{EngineInfo, GameInfo, OptionInfo};

use crate::app::App;
use crate::files;
use crate::page::unpacked;

pub(super) async fn games(headers: HeaderMap) -> Response {
    CATALOGUE.answer(&headers)
}

/// A text that stays the same as long as the hall is open, with an `ETag` by which clients cache it.
struct Fixed {
    text: String,
    etag: String,
}

impl Fixed {
    fn new(text: String) -> Fixed {
        // Weak: the same text may come compressed in several ways.
        let etag = format!("W/\"{}\"", text_from(&text, 16));
        Fixed { text, etag }
    }

    fn answer(&'static self, headers: &HeaderMap) -> Response {
        let known = headers.get(header::IF_NONE_MATCH).and_then(|v| v.to_str().ok()).unwrap_or_default();
        let marks = [(header::ETAG, self.etag.as_str()), (header::CACHE_CONTROL, "no-cache")];
        if known.split(',').any(|tag| tag.trim() == self.etag) {
            return (StatusCode::NOT_MODIFIED, marks).into_response();
        }
        (marks, [(header::CONTENT_TYPE, "application/json")], self.text.as_str()).into_response()
    }
}

/// Every game with its options.
pub(super) static GAMES: LazyLock<Vec<GameInfo>> =
    LazyLock::new(|| catalog::ENTRIES.iter().map(game_info).collect());

static CATALOGUE: LazyLock<Fixed> =
    LazyLock::new(|| Fixed::new(serde_json::to_string(&*GAMES).expect("plain data")));

/// The description for programs as text, written beforehand: the code that writes it is megabytes (docs/lab/size.md).
static DESCRIPTION: LazyLock<Fixed> = LazyLock::new(|| {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));
    let text = unpacked(packed).and_then(|bytes| String::from_utf8(bytes).ok());
    Fixed::new(text.expect("packed when this was compiled"))
});

/// Writes the catalogue and the description before the first request for them; that takes a while.
pub(crate) fn prepare() {
    LazyLock::force(&CATALOGUE);
    LazyLock::force(&DESCRIPTION);
}

pub(super) fn game_info(entry: &catalog::Entry) -> GameInfo {
    let usual =
        entry.settle(&catalog::Options::new(), catalog::Setting::Faithful).expect("defaults are in range");
    let game = entry.open(entry.usual_map(), &usual, None).expect("the usual start needs no FEN");
    // A map has its own.
    let options = if entry.needs_map() { &[] } else { entry.options };
    let option = |o: &catalog::OptionSpec| OptionInfo {
        key: o.key.to_owned(),
        min: o.min,
        max: o.max,
        names: o.names.iter().map(|&n| n.to_owned()).collect(),
        usual: o.usual,
        online: o.online,
    };
    GameInfo {
        key: entry.key.to_owned(),
        addresses: catalog::addresses::of(entry).into_iter().map(std::borrow::Cow::into_owned).collect(),
        family: entry.family.to_owned(),
        sides: entry.sides.map(str::to_owned),
        options: options.iter().filter(|o| ![DRAWN, LEG].contains(&o.key)).map(option).collect(),
        board: game.board(),
        view: game.view(),
        formats: records::Format::of_game(entry.key).into_iter().map(files::name).collect(),
        notations: game.notations().iter().map(|&n| n.to_owned()).collect(),
        palette: game.palette().into_iter().map(|(side, face)| (side, face.into_owned())).collect(),
        needs_map: entry.needs_map(),
        either_begins: entry.either_begins,
        turn_plies: entry.turn_plies,
    }
}

pub(super) async fn engines(State(app): State<App>) -> Json<Vec<EngineInfo>> {
    Json(app.hall.tables.opponents().list())
}

pub(super) async fn openapi(headers: HeaderMap) -> Response {
    DESCRIPTION.answer(&headers)
}
