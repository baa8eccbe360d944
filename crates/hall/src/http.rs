//! The HTTP half of the hall. [`api`] has a row for each route; the other modules have their handlers, one for each kind
//! of resource. The protocol is described in `docs/hall-protocol.md`.
//!
//! Handlers answer or return a [`Refusal`]. The rules for every request are layers around the router: access and rate
//! limits ([`guard`]), the time limit of an answer, the language of refusals ([`speak`]), and the headers that
//! protect the page.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use kernel::Problem;
use metrics_exporter_prometheus::PrometheusHandle;
use tower_http::catch_panic::CatchPanicLayer;

mod account;
mod analysis;
pub mod api;
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
mod session;
mod set_puzzles;
mod sockets;
mod staff;
mod streamed;
mod studies;
mod tables;
mod together;
mod traced;
mod token;
pub(crate) mod worker;
mod works;
mod workshop;

use crate::app::App;
use crate::measured;
use crate::page;
use crate::refusal::{Refusal, speak};
use crate::scopes;
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
    let api = api::files()
        .layer(files)
        .merge(api::answers())
        .route("/api/{*rest}", get(nothing_here).fallback(nothing_here))
        .method_not_allowed_fallback(not_so)
        .layer(from_fn_with_state(app.clone(), packed::large))
        .layer(from_fn_with_state(app.clone(), counted::large))
        .layer(packed::small())
        .layer(from_fn(in_time));
    Router::new()
        .merge(api)
        .merge(api::lasting())
        .fallback(page::serve)
        .layer(body)
        .layer(from_fn_with_state(app.clone(), accounts_only))
        .layer(from_fn_with_state(app.clone(), bearer))
        .layer(from_fn_with_state(app.clone(), guard))
        .layer(from_fn(speak))
        .layer(from_fn(scopes::share))
        .layer(Extension(api::ROUTES))
        .layer(map_response_with_state(app.clone(), page::protect))
        .layer(CatchPanicLayer::new())
        .layer(from_fn(traced::request))
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
        .merge(api::probes())
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
