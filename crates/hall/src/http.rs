//! The HTTP half of the hall: one module for each kind of resource. The protocol is described in
//! `docs/hall-protocol.md`.
//!
//! Handlers answer or return a [`Refusal`]. The rules for every request are layers around the router: access and rate
//! limits ([`guard`]), the time limit of an answer, the language of refusals ([`speak`]), and the headers that
//! protect the page.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use kernel::Problem;
use metrics_exporter_prometheus::PrometheusHandle;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;

mod account;
mod ask;
mod balance;
mod bot;
mod challenge;
mod counted;
mod extensions;
pub(crate) mod games;
mod health;
mod inbox;
mod library;
mod links;
mod mail;
mod maps;
mod moderation;
mod notices;
mod openid;
mod packed;
mod people;
#[cfg(test)]
mod places;
mod positions;
mod puzzles;
mod profile;
mod records;
mod refused;
mod session;
mod set_puzzles;
mod sockets;
mod staff;
mod streamed;
mod studies;
mod study;
mod tables;
mod together;
mod token;
pub(crate) mod worker;
mod works;
mod workshop;

use refused::{Everywhere, Files};

use crate::app::App;
use crate::measured;
use crate::page;
use crate::refusal::{Refusal, speak};
use crate::scopes;
use crate::traces;
use crate::visitor::{accounts_only, bearer, guard, our_host};

/// The time after which a request is given up.
const PATIENCE: Duration = Duration::from_secs(15);

/// Builds the router of all that the hall serves, under the path at which it is reached.
pub fn router(app: App) -> Router {
    let prefix = app.reach.prefix().to_owned();
    under(&prefix, everything(app))
}

fn everything(app: App) -> Router {
    let files = DefaultBodyLimit::max(app.hall.limits.file_bytes);
    let body = DefaultBodyLimit::max(app.hall.limits.body_bytes);
    let api = Router::new()
        .merge(maps::router())
        .merge(works::router())
        .merge(extensions::router())
        .merge(workshop::router())
        .merge(records::router())
        .merge(library::router())
        .merge(puzzles::router())
        .merge(set_puzzles::router())
        .merge(studies::router())
        .layer(files)
        .merge(balance::router())
        .merge(games::router())
        .merge(people::router())
        .merge(account::router())
        .merge(session::router())
        .merge(openid::router())
        .merge(token::router())
        .merge(profile::router())
        .merge(tables::router())
        .merge(inbox::router())
        .merge(notices::router())
        .merge(mail::router())
        .merge(bot::router())
        .merge(challenge::router())
        .merge(together::router())
        .merge(moderation::router())
        .merge(staff::router())
        .merge(positions::router())
        .merge(links::router())
        .merge(study::router())
        .merge(worker::router())
        .merge(health::router())
        .route("/api/{*rest}", get(nothing_here).fallback(nothing_here))
        .method_not_allowed_fallback(not_so)
        .layer(from_fn_with_state(app.clone(), packed::large))
        .layer(from_fn_with_state(app.clone(), counted::large))
        .layer(packed::small())
        .layer(from_fn(in_time));
    Router::new()
        .merge(api)
        .merge(sockets::router())
        .merge(bot::streams())
        .fallback(page::serve)
        .layer(body)
        .layer(from_fn_with_state(app.clone(), accounts_only))
        .layer(from_fn_with_state(app.clone(), bearer))
        .layer(from_fn_with_state(app.clone(), guard))
        .layer(from_fn(speak))
        .layer(from_fn(scopes::share))
        .layer(map_response_with_state(app.clone(), page::protect))
        .layer(CatchPanicLayer::new())
        .layer(from_fn(traces::request))
        .layer(from_fn(measured::request))
        .with_state(app)
}

/// Puts a router under a path: a proxy may pass the path on or remove it.
fn under(prefix: &str, router: Router) -> Router {
    if prefix.is_empty() {
        return router;
    }
    let prefix: Arc<str> = prefix.into();
    Router::new().fallback_service(router).layer(from_fn_with_state(prefix, without_prefix))
}

/// Removes the hall's path, where it is still there.
async fn without_prefix(State(prefix): State<Arc<str>>, mut request: Request, next: Next) -> Response {
    let uri = request.uri();
    let Some(rest) = uri.path().strip_prefix(&*prefix) else { return next.run(request).await };
    let query = uri.query().map_or_else(String::new, |query| format!("?{query}"));
    if rest.is_empty() {
        return Redirect::permanent(&format!("{prefix}/{query}")).into_response();
    }
    if rest.starts_with('/') {
        let mut parts = uri.clone().into_parts();
        // What was a path before is one without its beginning.
        parts.path_and_query = format!("{rest}{query}").parse().ok();
        if let Ok(uri) = Uri::from_parts(parts) {
            *request.uri_mut() = uri;
        }
    }
    next.run(request).await
}

/// Builds the router of the keeper's own listener: health and metrics.
pub fn admin_router(app: App, metrics: PrometheusHandle) -> Router {
    Router::new()
        .merge(health::router())
        .merge(health::measured_router(metrics))
        .merge(health::nodes_router())
        .layer(from_fn_with_state(app.clone(), our_host))
        .layer(from_fn(speak))
        .layer(map_response_with_state(app.clone(), page::protect))
        .with_state(app)
}

/// Gives up requests that take too long.
async fn in_time(request: Request, next: Next) -> Response {
    let answer = tokio::time::timeout(PATIENCE, next.run(request)).await;
    answer.unwrap_or_else(|_| Refusal::busy().into_response())
}

async fn nothing_here() -> Refusal {
    Refusal::unknown(Problem::new("no-such-address"))
}

/// Answers 405: the address exists, but not with this method.
async fn not_so(method: Method) -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, Problem::new("no-such-method").with("method", method))
}

/// The description of all this for programs; `openapi.json` is this, written down.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Qiguan hall",
        description = "Games, tables and records of a hall. The WebSocket is described in docs/hall-protocol.md."
    ),
    paths(
        games::games,
        games::engines,
        people::me,
        people::welcome,
        people::rename,
        people::new_guest,
        account::account,
        account::sign_up,
        account::close,
        account::export,
        account::set_password,
        account::set_recovery,
        account::ask_new_passkey,
        account::add_passkey,
        account::remove_credential,
        account::end_session,
        account::confirm_device,
        account::noted,
        session::sign_in,
        session::sign_out,
        session::end_others,
        session::ask_passkey,
        session::sign_in_by_passkey,
        session::recover,
        session::confirm,
        session::device_waits,
        session::device_asks,
        openid::openid,
        openid::ask,
        openid::answer,
        token::make,
        token::revoke,
        profile::profile,
        profile::games,
        profile::against,
        profile::export,
        tables::tables,
        tables::tv,
        tables::create,
        tables::room,
        tables::table,
        tables::log,
        tables::play_now,
        tables::leave_pool,
        tables::close_pool,
        inbox::inbox,
        inbox::next,
        inbox::vacation,
        inbox::start_vacation,
        inbox::stop_vacation,
        inbox::plan,
        inbox::set_plan,
        inbox::look,
        inbox::note,
        notices::notices,
        notices::tell_in,
        notices::tell_no_more,
        notices::set_quiet,
        mail::mail,
        mail::set_mail,
        mail::remove_mail,
        mail::set_digest,
        mail::confirm,
        mail::stop,
        mail::lost_password,
        mail::recover,
        bot::events,
        bot::game,
        bot::upgrade,
        bot::play,
        bot::chat,
        bot::abort,
        bot::resign,
        bot::draw,
        bot::takeback,
        together::list,
        together::one,
        together::set,
        moderation::report,
        moderation::queue,
        moderation::decide,
        moderation::play,
        moderation::decisions,
        moderation::appeal,
        staff::house,
        staff::me,
        staff::search,
        staff::person,
        staff::decide,
        staff::role,
        staff::forget,
        staff::down,
        staff::work,
        staff::bans,
        staff::hits,
        staff::ban,
        staff::lift,
        staff::announce,
        staff::withdraw,
        staff::register,
        staff::invitations,
        staff::invite,
        staff::uninvite,
        staff::log,
        challenge::list,
        challenge::make,
        challenge::accept,
        challenge::decline,
        challenge::cancel,
        positions::replay,
        positions::fen,
        positions::lessons,
        positions::details,
        positions::position,
        records::record,
        records::import,
        health::health,
        health::live,
        health::ready,
        maps::check,
        maps::keep,
        maps::list,
        maps::info,
        maps::workbook,
        maps::extension,
        balance::begin,
        balance::look,
        balance::picture,
        works::list,
        works::publish,
        works::work,
        works::remove,
        works::stars,
        works::listed,
        works::diff,
        works::picture,
        extensions::list,
        extensions::share,
        extensions::one,
        extensions::file,
        extensions::listed,
        extensions::remove,
        workshop::read_draft,
        workshop::check_draft,
        workshop::write_draft,
        workshop::read_board,
        workshop::write_board,
        study::hint,
        study::aside,
        study::report,
        library::collections,
        library::make,
        library::remove,
        library::import,
        library::search,
        library::explore,
        library::game,
        library::file,
        puzzles::families,
        puzzles::daily,
        puzzles::next,
        puzzles::one,
        puzzles::answer,
        set_puzzles::list,
        set_puzzles::place,
        set_puzzles::remove,
        studies::list,
        studies::make,
        studies::one,
        studies::remove,
        studies::change,
        studies::add,
        studies::film,
        studies::formats,
        studies::record,
        worker::key,
        worker::acquire,
        worker::analysis,
        worker::answer,
        worker::abort,
        worker::map,
        worker::weights,
        worker::keys,
        worker::make,
        worker::remove,
        worker::restore,
        links::table,
        links::oembed,
        links::qr
    ),
    components(schemas(
        wire::ServerMessage,
        wire::ClientMessage,
        wire::StudyWish,
        wire::StudyTold,
        wire::StudySay,
        wire::StudyHear
    )),
    modifiers(&Everywhere, &Files)
)]
pub struct Description;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::Value;
    use utoipa::OpenApi;

    use super::Description;

    /// Writes a line for each address and type, so that a change is a short diff.
    fn written(value: &Value, depth: usize) -> String {
        match value {
            Value::Object(parts) if depth < 3 => {
                let sorted: BTreeMap<_, _> = parts.iter().collect();
                let lines: Vec<String> = sorted
                    .into_iter()
                    .map(|(name, part)| {
                        format!("{}:{}", Value::from(name.as_str()), written(part, depth + 1))
                    })
                    .collect();
                format!("{{\n{}\n}}", lines.join(",\n"))
            }
            _ => value.to_string(),
        }
    }

    #[test]
    fn the_description_is_written_down() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
        let description = serde_json::to_value(Description::openapi()).expect("plain data");
        let text = written(&description, 0) + "\n";
        if std::env::var_os("QIGUAN_BLESS").is_some() {
            std::fs::write(path, &text).expect("writes");
        }
        let known = std::fs::read_to_string(path).expect("openapi.json");
        assert!(known == text, "openapi.json is stale: QIGUAN_BLESS=1 cargo test -p hall --lib written_down");
    }
}
