//! What can be played here: games, programs, and the description of the API.

use std::sync::LazyLock;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use utoipa::OpenApi;
use wire::{EngineInfo, GameInfo, OptionInfo, View};

use crate::app::App;

/// `/api/games`, `/api/engines` and `/api/openapi.json`.
pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/games", get(games))
        .route("/api/engines", get(engines))
        .route("/api/openapi.json", get(openapi))
}

/// The catalogue.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = Vec<GameInfo>)))]
pub(super) async fn games() -> Response {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let all: Vec<GameInfo> = catalog::ENTRIES.iter().map(game_info).collect();
        serde_json::to_string(&all).expect("plain data")
    });
    ([(header::CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
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
        family: entry.family.to_owned(),
        sides: entry.sides.map(str::to_owned),
        options: options.iter().map(option).collect(),
        board: game.board().into(),
        view: View::from(game.view()),
        formats: ["json", "text"].iter().chain(entry.formats).map(|f| (*f).to_owned()).collect(),
        notations: game.notations().iter().map(|&n| n.to_owned()).collect(),
        palette: game.palette().into_iter().map(|(side, face)| (side.into(), face.into_owned())).collect(),
        needs_map: entry.needs_map(),
    }
}

/// Programs that sit down with people, and their games.
#[utoipa::path(get, path = "/api/engines", responses((status = 200, body = Vec<EngineInfo>)))]
pub(super) async fn engines(State(app): State<App>) -> Json<Vec<EngineInfo>> {
    Json(app.hall.opponents.list())
}

pub(super) async fn openapi() -> Response {
    static TEXT: LazyLock<String> =
        LazyLock::new(|| super::Description::openapi().to_json().expect("plain data"));
    ([(header::CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}
