//! Previews of links: pictures of tables, rules and maps; embedded boards; oEmbed; QR codes.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use edge::network::Asker;
use kernel::Problem;
use picture::Card;
use serde::Deserialize;
use texts::{Language, say};

use super::ask::{Path, UrlQuery};
use crate::app::App;
use crate::links::drawn::{self, Query};
use crate::links::embed::{self, OEmbed};
use crate::links::head::Head;
use crate::links::{About, Origin, Spoken, map_name};
use crate::page;
use crate::refusal::Refusal;

const PNG: &str = "image/png";
const GIF: &str = "image/gif";
/// The caching of pictures that will not change, for a day; others are cached for a minute.
const DAY: &str = "public, max-age=86400";
const MINUTE: &str = "public, max-age=60";

/// Returns a picture, or 304 if the browser has it already.
fn shown(
    headers: &HeaderMap,
    name: &str,
    kind: &'static str,
    keep: &'static str,
    bytes: axum::body::Bytes,
) -> Response {
    let tag = format!("\"{name}\"");
    let has = headers.get(header::IF_NONE_MATCH).and_then(|v| v.to_str().ok());
    let has =
        has.is_some_and(|tags| tags.split(',').any(|known| known.trim().trim_start_matches("W/") == tag));
    let mut response = if has { StatusCode::NOT_MODIFIED.into_response() } else { bytes.into_response() };
    let out = response.headers_mut();
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    out.insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    out.insert(header::ETAG, HeaderValue::from_str(&tag).expect("hexadecimal digits"));
    response
}

/// Returns the text in the corner of a card: the name of the hall, and its host.
fn place_name(Origin(origin): &Origin) -> String {
    let host = origin.split_once("://").map_or("", |(_, host)| host);
    let local = host.starts_with("127.") || host.starts_with("localhost") || host.starts_with('[');
    if local { "Qiguan 棋馆".to_owned() } else { format!("Qiguan 棋馆 · {host}") }
}

/// A request for a file of a place, or for the place's page.
pub(super) struct Asks {
    asker: Asker,
    origin: Origin,
    spoken: Spoken,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
}

impl axum::extract::FromRequestParts<App> for Asks {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        app: &App,
    ) -> Result<Self, Self::Rejection> {
        Ok(Asks {
            asker: Asker::from_request_parts(parts, app).await?,
            origin: Origin::from_request_parts(parts, app).await?,
            spoken: Spoken::from_request_parts(parts, app).await?,
            method: parts.method.clone(),
            uri: parts.uri.clone(),
            headers: parts.headers.clone(),
        })
    }
}

impl Asks {
    async fn page(self, app: App) -> Response {
        let Asks { asker, origin, spoken, method, uri, headers } = self;
        page::serve(State(app), asker, origin, spoken, method, uri, headers).await
    }
}

pub(super) async fn table(
    State(app): State<App>,
    Path(file): Path<String>,
    asks: Asks,
    query: Result<UrlQuery<Query>, Refusal>,
) -> Result<Response, Refusal> {
    let (id, film) = match file.rsplit_once('.') {
        Some((id, "png")) => (id, false),
        Some((id, "gif")) => (id, true),
        _ => return Ok(asks.page(app).await),
    };
    let wish = query?.0.wish(film)?;
    // What came before the last move stays as it is, unless moves are taken back.
    let place = place_name(&asks.origin);
    let (name, bytes, about) = drawn::of_table(&app, &asks.asker, id, wish, place).await?;
    let keep = if about.end.is_some() { DAY } else { MINUTE };
    Ok(shown(&asks.headers, &name, if film { GIF } else { PNG }, keep, bytes))
}

pub(super) async fn rules(
    State(app): State<App>,
    Path(file): Path<String>,
    asks: Asks,
    query: Result<UrlQuery<Query>, Refusal>,
) -> Result<Response, Refusal> {
    let Some(name) = file.strip_suffix(".png") else { return Ok(asks.page(app).await) };
    let unknown = || Refusal::unknown(Problem::new("no-such-address"));
    let wish = query?.0.wish(false)?;
    let language = Language::preferred(wish.language);
    let (entry, title, status) = match catalog::ENTRIES.iter().find(|entry| entry.family == name) {
        Some(entry) => {
            let title = say(language, &format!("family-{}", entry.family), &[]);
            let status = say(language, "link-rules", &[("game", &title)]);
            (entry, title, status)
        }
        None => {
            let entry = catalog::addresses::find(name).ok_or_else(unknown)?;
            let status = say(language, "link-game-card", &[]);
            (entry, texts::game(language, entry.key), status)
        }
    };
    let card = Card { title, status, place: place_name(&asks.origin), ..Card::default() };
    let options = entry.settle(&catalog::Options::default(), catalog::Setting::Faithful)?;
    // A game that comes with a map begins as the first map does.
    let start = move || {
        entry.open(None, &options, None).or_else(|problem| {
            let sample = catalog::maps::SAMPLES.first().ok_or(problem)?;
            let map = catalog::maps::Rules::load(&sample.package(), &catalog::Options::default(), None);
            let map = map.map_err(|problems| problems.into_iter().next().expect("what is wrong"))?;
            entry.open(Some(&map), &options, None)
        })
    };
    let of = format!("rules {name}");
    let what = async { Ok((card, start)) };
    let (name, bytes) = drawn::of_start(&app, &asks.asker, (&of, entry), wish, what).await?;
    Ok(shown(&asks.headers, &name, PNG, DAY, bytes))
}

pub(super) async fn map(
    State(app): State<App>,
    Path(file): Path<String>,
    asks: Asks,
    query: Result<UrlQuery<Query>, Refusal>,
) -> Result<Response, Refusal> {
    let Some(id) = file.strip_suffix(".png") else { return Ok(asks.page(app).await) };
    let wish = query?.0.wish(false)?;
    let language = Language::preferred(wish.language);
    let entry = catalog::find(catalog::maps::KEY)?;
    let what = async {
        let map = app.hall.works.maps.map(id, (&asks.asker).into()).await?;
        let title = map_name(&map.line.name, language);
        let game = texts::game(language, entry.key);
        let title = if picture::is_drawable(&title) { title } else { game.clone() };
        let card = Card { title, status: game, place: place_name(&asks.origin), ..Card::default() };
        Ok::<_, Refusal>((card, move || edge::workers::in_place(map.waits(), || map.rules.open(None))))
    };
    let of = format!("map {id}");
    let (name, bytes) = drawn::of_start(&app, &asks.asker, (&of, entry), wish, what).await?;
    Ok(shown(&asks.headers, &name, PNG, DAY, bytes))
}

pub(super) async fn hall(
    State(app): State<App>,
    asks: Asks,
    UrlQuery(query): UrlQuery<Query>,
) -> Result<Response, Refusal> {
    let wish = query.card().wish(false)?;
    let language = Language::preferred(wish.language);
    let entry = catalog::ENTRIES.iter().next().expect("there are games");
    let options = entry.settle(&catalog::Options::default(), catalog::Setting::Faithful)?;
    let title = say(language, "hall", &[]);
    let card = Card {
        title,
        status: say(language, "hall-line", &[]),
        place: place_name(&asks.origin),
        ..Card::default()
    };
    let start = move || entry.open(None, &options, None);
    let what = async { Ok((card, start)) };
    let (name, bytes) = drawn::of_start(&app, &asks.asker, ("hall", entry), wish, what).await?;
    Ok(shown(&asks.headers, &name, PNG, DAY, bytes))
}

#[derive(Deserialize)]
pub(super) struct AtPly {
    ply: Option<usize>,
}

pub(super) async fn embed(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    Spoken(language): Spoken,
    UrlQuery(at): UrlQuery<AtPly>,
) -> Result<Response, Refusal> {
    let about = app.hall.tables.look(&id, (&asker).into(), About::of).await?;
    let mut response =
        axum::response::Html(embed::page(&about, at.ply, language, app.reach.prefix())).into_response();
    let policy = HeaderValue::from_str(&embed::POLICY).expect("printable");
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// The query parameters of oEmbed; see <https://oembed.com>.
#[derive(Deserialize)]
pub(super) struct OEmbedQuery {
    url: String,
    maxwidth: Option<u32>,
    maxheight: Option<u32>,
    format: Option<String>,
}

pub(super) async fn oembed(
    State(app): State<App>,
    asker: Asker,
    Origin(origin): Origin,
    Spoken(language): Spoken,
    UrlQuery(wish): UrlQuery<OEmbedQuery>,
) -> Result<Json<OEmbed>, Refusal> {
    if wish.format.as_deref().is_some_and(|format| format != "json") {
        return Err(Refusal::new(StatusCode::NOT_IMPLEMENTED, Problem::new("oembed-format")));
    }
    let unknown = || Refusal::unknown(Problem::new("no-such-address"));
    let path = wish.url.strip_prefix(&origin).ok_or_else(unknown)?;
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let id = path.strip_prefix("/t/").or_else(|| path.strip_prefix("/embed/")).ok_or_else(unknown)?;
    let about = app.hall.tables.look(id.trim_end_matches('/'), (&asker).into(), About::of).await?;
    let title = Head::table(&about, None, language).title;
    Ok(Json(OEmbed::of(&about, title, &origin, [wish.maxwidth, wish.maxheight], language)))
}

pub(super) async fn qr(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    Origin(origin): Origin,
) -> Result<Response, Refusal> {
    let id = app.hall.tables.look(&id, (&asker).into(), |table: &table::State| table.id.clone()).await?;
    let svg = picture::qr(&format!("{origin}/t/{id}"));
    let svg = svg.ok_or_else(|| Refusal::unknown(Problem::new("no-such-address")))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, DAY)], svg).into_response())
}
