//! Balance reports of maps, and their pictures.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use edge::network::Asker;
use kernel::Problem;
use serde::Deserialize;
use texts::Language;
use wire::BalanceReport;
use workshop::plot::{self, Plot, Style};

use super::ask::{Path, UrlQuery};
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

pub(super) async fn begin(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<Json<BalanceReport>, Refusal> {
    Ok(Json(app.hall.balance_anywhere(&id, &visitor.asker, true).await?.1))
}

pub(super) async fn look(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
) -> Result<Json<BalanceReport>, Refusal> {
    Ok(Json(app.hall.balance_anywhere(&id, &asker, false).await?.1))
}

#[derive(Deserialize)]
pub(super) struct Looks {
    #[serde(default)]
    dark: bool,
    #[serde(default)]
    lang: String,
}

pub(super) async fn picture(
    State(app): State<App>,
    asker: Asker,
    Path((id, file)): Path<(String, String)>,
    UrlQuery(looks): UrlQuery<Looks>,
) -> Result<Response, Refusal> {
    let plot = file.strip_suffix(".svg").and_then(Plot::of);
    let plot = plot.ok_or_else(|| Refusal::unknown(Problem::new("no-such-address")))?;
    let place = app.place(&asker).await?;
    let (map, report) = app.hall.balance_anywhere(&id, &asker, false).await?;
    let drawn = place.run(move |_| {
        let language = Language::preferred(&looks.lang);
        let say = |key: &str, facts: &[(&str, &str)]| texts::say(language, key, facts);
        let shape = map.rules.map();
        let style = Style { dark: looks.dark, board: (shape.rows, shape.cols), say: &say };
        plot::draw(plot, &report, &style)
    });
    let drawn = drawn.await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], drawn).into_response())
}
