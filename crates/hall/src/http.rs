//! What is asked over HTTP, and where a WebSocket begins. The story is told in `docs/hall-protocol.md`.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::JsonRejection;
use axum::extract::{
    DefaultBodyLimit, FromRequest, FromRequestParts, Path, Query, Request, State, WebSocketUpgrade,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use base64::Engine as _;
use catalog::maps::Package;
use kernel::Problem;
use metrics_exporter_prometheus::PrometheusHandle;
use serde::{Deserialize, Serialize};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;
use utoipa::{OpenApi, ToSchema};
use wire::{
    CreateTable, Created, Details, EngineInfo, GameInfo, ImportRecord, Lessons, LogLine, Me, NewName,
    OptionInfo, Patch, Player, Replay, SetUp, Standing, Tables, View,
};

mod maps;
mod study;

use crate::account::{Secret, tidy_person, tidy_room};
use crate::hall::{Hall, NoTable};
use crate::maps::{Loaded, NoMap};
use crate::store::StoreError;
use crate::table::{State as Table, line};
use crate::visitor::{Connections, From, Onlooker, Reach, Visitor, guard, player};
use crate::{page, socket};

/// Bytes of a request's body.
const BODY: usize = 16 * 1024;
/// Bytes of an imported record or of a map with its extensions, as JSON text.
const FILE_BODY: usize = 7 << 20;
/// Events in one answer of the log.
const LOG_LINES: usize = 1000;
/// Unfinished tables shown to their player.
const PLAYING: u32 = 20;
/// A request that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(15);

/// What all requests share.
#[derive(Clone)]
pub struct App {
    /// The hall.
    pub hall: Arc<Hall>,
    /// Where it is reached.
    pub reach: Arc<Reach>,
    /// Open WebSockets by address.
    pub connections: Arc<Connections>,
    /// Open analyses by address.
    pub analyses: Arc<Connections>,
    /// What is measured.
    pub metrics: PrometheusHandle,
}

/// All doors of the hall.
pub fn router(app: App) -> Router {
    let api = Router::new()
        .route("/api/games", get(games))
        .route("/api/engines", get(engines))
        .route("/api/me", get(me).put(rename))
        .route("/api/guests", post(new_guest))
        .route("/api/tables", get(tables).post(create))
        .route("/api/rooms/{name}", get(room))
        .route("/api/tables/{id}", get(table))
        .route("/api/tables/{id}/replay", get(replay))
        .route("/api/tables/{id}/fen", get(fen))
        .route("/api/tables/{id}/lessons", get(lessons))
        .route("/api/tables/{id}/details", get(details))
        .route("/api/tables/{id}/record", get(record))
        .route("/api/tables/{id}/log", get(log))
        .route("/api/positions", post(position))
        .route("/api/records", post(import).layer(DefaultBodyLimit::max(FILE_BODY)))
        .merge(maps::router())
        .merge(study::router())
        .route("/api/openapi.json", get(openapi))
        .route("/health", get(health))
        .route("/metrics", get(measured))
        .route("/api/{*rest}", get(nothing_here).fallback(nothing_here))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, PATIENCE));
    Router::new()
        .merge(api)
        .route("/ws", get(table_socket))
        .route("/ws/lobby", get(lobby_socket))
        .merge(study::sockets())
        .fallback(page::serve)
        .layer(DefaultBodyLimit::max(BODY))
        .layer(axum::middleware::from_fn_with_state(app.clone(), guard))
        .layer(axum::middleware::map_response(page::protect))
        .layer(CatchPanicLayer::new())
        .with_state(app)
}

/// The description of all this for programs.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Qiguan hall",
        description = "Games, tables and records of a hall. The WebSocket is described in docs/hall-protocol.md."
    ),
    paths(
        games,
        engines,
        me,
        rename,
        new_guest,
        tables,
        create,
        room,
        table,
        replay,
        fen,
        lessons,
        details,
        record,
        log,
        position,
        import,
        health,
        maps::check,
        maps::keep,
        maps::list,
        maps::info,
        maps::workbook,
        maps::extension,
        maps::read_draft,
        maps::check_draft,
        maps::write_draft,
        study::hint,
        study::aside,
        study::report
    ),
    components(schemas(wire::ServerMessage, wire::ClientMessage, wire::StudyWish, wire::StudyTold))
)]
pub struct Description;

/// An answer that says what is wrong, in the reader's language.
pub struct Refusal {
    status: StatusCode,
    problem: Problem,
    language: texts::Language,
    retry_after: Option<u64>,
}

/// The body of a refusal.
#[derive(Serialize, ToSchema)]
pub struct RefusalBody {
    error: wire::Problem,
    message: String,
}

impl Refusal {
    fn new(status: StatusCode, problem: Problem, headers: &HeaderMap) -> Refusal {
        let wish = headers.get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        Refusal { status, problem, language: texts::Language::preferred(wish), retry_after: None }
    }

    /// 400: what was sent is wrong.
    pub fn bad(problem: Problem, headers: &HeaderMap) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, problem, headers)
    }

    /// 401: the request does not say who it is from.
    pub fn unauthorized(headers: &HeaderMap) -> Refusal {
        Refusal::new(StatusCode::UNAUTHORIZED, Problem::new("who-are-you"), headers)
    }

    /// 403: from the wrong place.
    pub fn forbidden(problem: Problem, headers: &HeaderMap) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, problem, headers)
    }

    /// 404.
    pub fn unknown(problem: Problem, headers: &HeaderMap) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, problem, headers)
    }

    /// 429: wait that many seconds.
    pub fn too_many(seconds: u64, headers: &HeaderMap) -> Refusal {
        let problem = Problem::new("too-many-requests").with("seconds", seconds);
        Refusal {
            retry_after: Some(seconds),
            ..Refusal::new(StatusCode::TOO_MANY_REQUESTS, problem, headers)
        }
    }

    fn no_table(why: &NoTable, headers: &HeaderMap) -> Refusal {
        match why {
            NoTable::Unknown => Refusal::unknown(Problem::new("no-such-table"), headers),
            NoTable::Busy => {
                Refusal::new(StatusCode::SERVICE_UNAVAILABLE, Problem::new("hall-busy"), headers)
            }
            NoTable::Broken(_) => {
                Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, Problem::new("table-unreadable"), headers)
            }
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let message = texts::problem(self.language, &self.problem);
        let body = Json(RefusalBody { error: self.problem.into(), message });
        let mut response = (self.status, body).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// A JSON body; what does not fit is refused with words.
struct Body<T>(T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let headers = request.headers().clone();
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(JsonRejection::BytesRejection(why)) => {
                let problem = Problem::new("body-too-large").with("detail", why.body_text());
                Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, problem, &headers))
            }
            Err(why) => Err(Refusal::bad(Problem::new("bad-json").with("detail", why.body_text()), &headers)),
        }
    }
}

/// What stands behind the `?` of an address; what does not fit is refused with words.
struct Asked<T>(T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, state: &S) -> Result<Self, Refusal> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(why) => {
                Err(Refusal::bad(Problem::new("bad-query").with("detail", why.body_text()), &parts.headers))
            }
        }
    }
}

/// The catalogue.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = Vec<GameInfo>)))]
async fn games() -> Response {
    static TEXT: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
        let all: Vec<GameInfo> = catalog::ENTRIES.iter().map(game_info).collect();
        serde_json::to_string(&all).expect("plain data")
    });
    ([(header::CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}

fn game_info(entry: &catalog::Entry) -> GameInfo {
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
async fn engines(State(app): State<App>) -> Json<Vec<EngineInfo>> {
    Json(app.hall.opponents.list())
}

/// Who the asker is; makes them a guest when they are nobody yet.
#[utoipa::path(get, path = "/api/me", responses((status = 200, body = Me)))]
async fn me(State(app): State<App>, headers: HeaderMap) -> Response {
    let known = Secret::of(&headers);
    let secret = known.clone().unwrap_or_default();
    let mut response = Json(who_is(&app, player(&app, &secret).await).await).into_response();
    if known.is_none() {
        response.headers_mut().insert(header::SET_COOKIE, secret.cookie(app.reach.is_secure()));
    }
    response
}

async fn who_is(app: &App, player: Player) -> Me {
    let ids = app.hall.store.playing(&player.id, PLAYING).await.unwrap_or_default();
    let mut playing = Vec::new();
    for id in ids {
        playing.extend(app.hall.look(&id, line).await.ok());
    }
    Me { player, playing }
}

/// Chooses a name.
#[utoipa::path(put, path = "/api/me", request_body = NewName, responses((status = 200, body = Me), (status = 400, body = RefusalBody)))]
async fn rename(
    State(app): State<App>,
    headers: HeaderMap,
    visitor: Visitor,
    Body(wish): Body<NewName>,
) -> Result<Json<Me>, Refusal> {
    let name = tidy_person(&wish.name).map_err(|p| Refusal::bad(p, &headers))?;
    let kept = app.hall.store.rename(&visitor.player.id, name.as_deref()).await;
    kept.map_err(|_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, Problem::new("not-stored"), &headers))?;
    Ok(Json(who_is(&app, Player { name, ..visitor.player }).await))
}

/// A new guest, for programs.
#[derive(Serialize, ToSchema)]
struct NewGuest {
    /// For `Authorization: Bearer`; tell nobody.
    secret: String,
    player: Player,
}

/// Makes a guest for a program.
#[utoipa::path(post, path = "/api/guests", responses((status = 201, body = NewGuest)))]
async fn new_guest() -> (StatusCode, Json<NewGuest>) {
    let secret = Secret::new();
    let player = Player { id: secret.guest(), name: None, engine: None };
    (StatusCode::CREATED, Json(NewGuest { secret: secret.reveal().to_owned(), player }))
}

/// The lobby.
#[utoipa::path(get, path = "/api/tables", responses((status = 200, body = Tables)))]
async fn tables(State(app): State<App>) -> Json<Tables> {
    Json(app.hall.lobby.tables())
}

/// Opens a table.
#[utoipa::path(post, path = "/api/tables", request_body = CreateTable, responses((status = 201, body = Created), (status = 400, body = RefusalBody), (status = 429, body = RefusalBody)))]
async fn create(
    State(app): State<App>,
    Extension(From(address)): Extension<From>,
    headers: HeaderMap,
    visitor: Visitor,
    Body(wish): Body<CreateTable>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    admit_table(&app, &visitor, address, &headers)?;
    let id = app.hall.open(wish, visitor.player.clone()).await.map_err(|p| Refusal::bad(p, &headers))?;
    created(&app, id, visitor, &headers).await
}

fn admit_table(
    app: &App,
    visitor: &Visitor,
    address: std::net::IpAddr,
    headers: &HeaderMap,
) -> Result<(), Refusal> {
    app.hall.gauges.table(&visitor.player.id, address).map_err(|seconds| Refusal::too_many(seconds, headers))
}

async fn created(
    app: &App,
    id: String,
    visitor: Visitor,
    headers: &HeaderMap,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let who = visitor.player.id;
    let seats = app.hall.look(&id, move |t: &Table| t.seats_of(&who)).await;
    let seats = seats.map_err(|why| Refusal::no_table(&why, headers))?;
    let you = seats.into_iter().map(wire::Side::from).collect();
    Ok((StatusCode::CREATED, Json(Created { id, you })))
}

/// Where a room is.
#[derive(Serialize, ToSchema)]
struct Room {
    /// The table's id.
    id: String,
}

/// The table of an open room.
#[utoipa::path(get, path = "/api/rooms/{name}", params(("name" = String, Path)), responses((status = 200, body = Room), (status = 404, body = RefusalBody)))]
async fn room(
    State(app): State<App>,
    headers: HeaderMap,
    Path(name): Path<String>,
) -> Result<Json<Room>, Refusal> {
    let tidy = tidy_room(&name).ok().flatten().unwrap_or_default();
    let found = app.hall.store.room(&tidy).await.ok().flatten();
    let unknown = || Refusal::unknown(Problem::new("no-such-room").with("room", &tidy), &headers);
    found.map(|id| Json(Room { id })).ok_or_else(unknown)
}

/// Everything about a table.
#[utoipa::path(get, path = "/api/tables/{id}", params(("id" = String, Path)), responses((status = 200, body = wire::ServerMessage), (status = 404, body = RefusalBody)))]
async fn table(
    State(app): State<App>,
    headers: HeaderMap,
    who: Onlooker,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let question = |reply| crate::table::Ask::Full { who: who.player.id.clone(), reply };
    let answer = app.hall.ask(&id, question).await;
    let (_, (_, text)) = answer.map_err(|why| Refusal::no_table(&why, &headers))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response())
}

async fn look<T: Send + 'static>(
    app: &App,
    headers: &HeaderMap,
    id: &str,
    look: impl Fn(&Table) -> T + Send + Clone + 'static,
) -> Result<T, Refusal> {
    app.hall.look(id, look).await.map_err(|why| Refusal::no_table(&why, headers))
}

/// The game as a film.
#[utoipa::path(get, path = "/api/tables/{id}/replay", params(("id" = String, Path)), responses((status = 200, body = Replay), (status = 404, body = RefusalBody)))]
async fn replay(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<Replay>, Refusal> {
    let past = look(&app, &headers, &id, |t| (t.setup.clone(), t.map.clone(), t.game.record())).await?;
    let (setup, map, moves) = past;
    let film = app.hall.maps.replay(map.as_deref(), || film(&setup, map.as_deref(), &moves)).await;
    film.map(Json).map_err(|p| Refusal::bad(p, &headers))
}

fn film(setup: &crate::store::Setup, map: Option<&Loaded>, moves: &[String]) -> Result<Replay, Problem> {
    let entry = catalog::find(&setup.game)?;
    let mut game = entry.open(map.map(|map| &map.rules), &setup.options, setup.fen.as_deref())?;
    let start = View::from(game.view());
    let mut before = start.clone();
    let mut patches = Vec::with_capacity(moves.len());
    for text in moves {
        game.play(text).map_err(kernel::PlayError::problem)?;
        let after = View::from(game.view());
        patches.push(Patch::between(&before, &after));
        before = after;
    }
    Ok(Replay { start, patches })
}

#[derive(Deserialize)]
struct AtPly {
    ply: Option<usize>,
}

/// A position as text.
#[derive(Serialize, ToSchema)]
struct Fen {
    /// After so many plies.
    ply: usize,
    /// The position.
    fen: String,
}

/// A position of the game as one line of text.
#[utoipa::path(get, path = "/api/tables/{id}/fen", params(("id" = String, Path), ("ply" = Option<usize>, Query)), responses((status = 200, body = Fen), (status = 404, body = RefusalBody)))]
async fn fen(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Asked(at): Asked<AtPly>,
) -> Result<Json<Fen>, Refusal> {
    let position = move |t: &Table| {
        let plies = t.game.plies();
        let ply = at.ply.unwrap_or(plies).min(plies);
        let mut game = t.game.boxed_clone();
        for _ in ply..plies {
            game.undo();
        }
        Fen { ply, fen: game.fen() }
    };
    look(&app, &headers, &id, position).await.map(Json)
}

/// What a teacher would point at in the position now.
#[utoipa::path(get, path = "/api/tables/{id}/lessons", params(("id" = String, Path)), responses((status = 200, body = Lessons), (status = 404, body = RefusalBody)))]
async fn lessons(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<Lessons>, Refusal> {
    let lessons = |t: &Table| Lessons {
        ply: u32::try_from(t.game.plies()).unwrap_or(u32::MAX),
        marks: t.game.lessons().into_iter().map(wire::Mark::from).collect(),
    };
    look(&app, &headers, &id, lessons).await.map(Json)
}

#[derive(Deserialize)]
struct AtCell {
    cell: u16,
}

/// What there is to know about the piece on a cell.
#[utoipa::path(get, path = "/api/tables/{id}/details", params(("id" = String, Path), ("cell" = u16, Query)), responses((status = 200, body = Details), (status = 404, body = RefusalBody)))]
async fn details(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Asked(at): Asked<AtCell>,
) -> Result<Json<Details>, Refusal> {
    let details = move |t: &Table| {
        let told = if t.game.board().is_place(at.cell) { t.game.details(at.cell) } else { Vec::new() };
        Details { details: told.into_iter().map(wire::Problem::from).collect() }
    };
    look(&app, &headers, &id, details).await.map(Json)
}

/// Makes a position that a game may start from, or says why none may start so.
#[utoipa::path(post, path = "/api/positions", request_body = SetUp, responses((status = 200, body = Standing), (status = 400, body = RefusalBody)))]
async fn position(
    State(app): State<App>,
    headers: HeaderMap,
    Body(wish): Body<SetUp>,
) -> Result<Json<Standing>, Refusal> {
    let map = app.hall.map_of(wish.map.as_deref()).await.map_err(|p| Refusal::bad(p, &headers))?;
    let standing = app.hall.maps.replay(map.as_deref(), || standing(&wish, map.as_deref())).await;
    standing.map(Json).map_err(|p| Refusal::bad(p, &headers))
}

fn standing(wish: &SetUp, map: Option<&Loaded>) -> Result<Standing, Problem> {
    let entry = catalog::find(&wish.game)?;
    let mut options = entry.settle(&wish.options, catalog::Setting::Faithful)?;
    options.extend(map.iter().flat_map(|map| map.rules.options()));
    let mut game = entry.open(map.map(|map| &map.rules), &options, wish.fen.as_deref())?;
    if wish.fen.is_none() {
        let piece = |p: &wire::Piece| kernel::Piece {
            at: p.0,
            owner: p.1.map(kernel::Side::from),
            face: p.2.clone(),
        };
        let mut pieces: Vec<kernel::Piece> = wish.pieces.iter().map(piece).collect();
        pieces.sort_by_key(|p| p.at);
        let board = game.board();
        if let Some(off) = pieces.iter().find(|p| !board.is_place(p.at)) {
            return Err(Problem::new("set-up-off-board").with("cell", off.at));
        }
        if let Some(two) = pieces.windows(2).find(|w| w[0].at == w[1].at) {
            return Err(Problem::new("set-up-two-on-one").with("at", board.name(two[0].at)));
        }
        game = game.set_up(wish.turn.map_or(kernel::Side::First, kernel::Side::from), &pieces)?;
    }
    Ok(Standing { fen: game.fen(), board: game.board().into(), view: View::from(game.view()) })
}

#[derive(Deserialize)]
struct As {
    format: Option<String>,
}

/// The record as a file.
#[utoipa::path(get, path = "/api/tables/{id}/record", params(("id" = String, Path), ("format" = Option<String>, Query)), responses((status = 200, body = String), (status = 404, body = RefusalBody)))]
async fn record(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Asked(wish): Asked<As>,
) -> Result<Response, Refusal> {
    let format = crate::files::format(wish.format.as_deref().unwrap_or("json"))
        .map_err(|p| Refusal::bad(p, &headers))?;
    let mut record = look(&app, &headers, &id, crate::files::record).await?;
    if let (Some(map), records::Format::Json) = (&mut record.map, format) {
        let (brought, _) = app.hall.files(&map.id).await.map_err(|why| no_map(why, &headers))?;
        let Package { map: bytes, extensions } = brought.package;
        map.files = Some(records::Files { map: bytes, extensions });
    }
    let (kind, ending, content) =
        crate::files::write(format, &record).map_err(|p| Refusal::bad(p, &headers))?;
    let name = format!("attachment; filename=\"qiguan-{id}.{ending}\"");
    Ok(([(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)], content)
        .into_response())
}

#[derive(Deserialize)]
struct Since {
    since: Option<u64>,
}

/// What happened at a table.
#[utoipa::path(get, path = "/api/tables/{id}/log", params(("id" = String, Path), ("since" = Option<u64>, Query)), responses((status = 200, body = Vec<LogLine>), (status = 404, body = RefusalBody)))]
async fn log(
    State(app): State<App>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Asked(wish): Asked<Since>,
) -> Result<Json<Vec<LogLine>>, Refusal> {
    let since = wish.since.unwrap_or(0);
    let lines = move |t: &Table| {
        let after = t.log.iter().filter(|e| e.ver > since).take(LOG_LINES);
        let line = |e: &crate::store::Entry| LogLine {
            v: e.ver,
            at_ms: e.at_ms,
            cmd: e.cmd.clone(),
            e: e.event.clone(),
        };
        after.map(line).collect()
    };
    look(&app, &headers, &id, lines).await.map(Json)
}

/// Opens a table where a record ends.
#[utoipa::path(post, path = "/api/records", request_body = ImportRecord, responses((status = 201, body = Created), (status = 400, body = RefusalBody)))]
async fn import(
    State(app): State<App>,
    Extension(From(address)): Extension<From>,
    headers: HeaderMap,
    visitor: Visitor,
    Body(wish): Body<ImportRecord>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    admit_table(&app, &visitor, address, &headers)?;
    let bad = |p| Refusal::bad(p, &headers);
    let now_ms = app.hall.time.now_ms();
    let content = if wish.base64 { bytes(&wish.content).map_err(bad)? } else { wish.content.into_bytes() };
    let mut record = crate::files::read(wish.format.as_deref(), &content).map_err(bad)?;
    let map = match (crate::files::brought(&mut record), &record.map) {
        (Some(brought), _) => {
            let kept = app.hall.keep_map(brought, &visitor.player.id).await;
            Some(kept.map_err(|why| bad(why.problem()))?)
        }
        (None, named) => app.hall.map_of(named.as_ref().map(|map| map.id.as_str())).await.map_err(bad)?,
    };
    let table = || crate::files::table(record, map.as_deref(), now_ms);
    let table = app.hall.maps.replay(map.as_deref(), table).await;
    let (setup, moves) = table.map_err(bad)?;
    let id = app.hall.open_record(setup, moves, visitor.player.clone()).await.map_err(bad)?;
    created(&app, id, visitor, &headers).await
}

/// What stands in Base64.
fn bytes(base64: &str) -> Result<Vec<u8>, Problem> {
    let bytes = base64::engine::general_purpose::STANDARD.decode(base64.as_bytes());
    bytes.map_err(|why| Problem::new("bad-base64").with("detail", why))
}

/// Why a map cannot be had.
fn no_map(why: NoMap, headers: &HeaderMap) -> Refusal {
    let status = match &why {
        NoMap::Unknown => StatusCode::NOT_FOUND,
        NoMap::Broken(_) => StatusCode::UNPROCESSABLE_ENTITY,
        NoMap::Store(StoreError::Full(_)) => StatusCode::INSUFFICIENT_STORAGE,
        NoMap::Store(_) => StatusCode::SERVICE_UNAVAILABLE,
    };
    Refusal::new(status, why.problem(), headers)
}

async fn openapi() -> Response {
    static TEXT: std::sync::LazyLock<String> =
        std::sync::LazyLock::new(|| Description::openapi().to_json().expect("plain data"));
    ([(header::CONTENT_TYPE, "application/json")], TEXT.as_str()).into_response()
}

/// Whether the hall and its store answer.
#[utoipa::path(get, path = "/health", responses((status = 200, body = String), (status = 503, body = String)))]
async fn health(State(app): State<App>) -> Response {
    match app.hall.store.ping().await {
        Ok(()) => "ok\n".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

async fn measured(State(app): State<App>) -> String {
    if let Some(bytes) = resident_bytes() {
        metrics::gauge!("process_resident_memory_bytes").set(bytes);
    }
    app.metrics.render()
}

/// Memory this process has in use, where the system tells.
fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0)
}

async fn nothing_here(headers: HeaderMap) -> Refusal {
    Refusal::unknown(Problem::new("no-such-address"), &headers)
}

#[derive(Deserialize)]
struct Where {
    table: String,
    since: Option<u64>,
}

async fn table_socket(
    State(app): State<App>,
    Extension(From(address)): Extension<From>,
    headers: HeaderMap,
    who: Onlooker,
    Asked(place): Asked<Where>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let counted = admit(&app, address, &headers)?;
    app.hall.table(&place.table).await.map_err(|why| Refusal::no_table(&why, &headers))?;
    let hall = Arc::clone(&app.hall);
    Ok(frugal(&app, upgrade).on_upgrade(async move |socket| {
        socket::at_table(hall, socket, place.table, who.player, place.since).await;
        drop(counted);
    }))
}

async fn lobby_socket(
    State(app): State<App>,
    Extension(From(address)): Extension<From>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let counted = admit(&app, address, &headers)?;
    let hall = Arc::clone(&app.hall);
    Ok(frugal(&app, upgrade).on_upgrade(async move |socket| {
        socket::in_lobby(hall, socket).await;
        drop(counted);
    }))
}

fn admit(
    app: &App,
    address: std::net::IpAddr,
    headers: &HeaderMap,
) -> Result<crate::visitor::Counted, Refusal> {
    let most = app.hall.limits.on.then_some(app.hall.limits.connections);
    app.connections.admit(address, most).ok_or_else(|| Refusal::too_many(30, headers))
}

/// Small buffers: most of a hall's connections are silent most of the time.
fn frugal(app: &App, upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    // Somewhat too long a message is still read, so that its sender can be told why the connection closes.
    let most = app.hall.limits.message_bytes * 4;
    upgrade
        .protocols([wire::SUBPROTOCOL])
        .read_buffer_size(1024)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20)
        .max_message_size(most)
        .max_frame_size(most)
}
