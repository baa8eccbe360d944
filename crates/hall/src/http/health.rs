//! Whether the hall is well, and what is measured.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::app::App;

/// `/health` and `/metrics`.
pub(super) fn router() -> Router<App> {
    Router::new().route("/health", get(health)).route("/metrics", get(measured))
}

/// Whether the hall and its store answer.
#[utoipa::path(get, path = "/health", responses((status = 200, body = String), (status = 503, body = String)))]
pub(super) async fn health(State(app): State<App>) -> Response {
    match app.hall.store.ping().await {
        Ok(()) => "ok\n".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

pub(super) async fn measured(State(app): State<App>) -> String {
    if let Some(bytes) = resident_bytes() {
        metrics::gauge!("process_resident_memory_bytes").set(bytes);
    }
    app.metrics.render()
}

/// Memory this process has in use, where the system tells.
pub(super) fn resident_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<f64>().ok().map(|kilobytes| kilobytes * 1024.0)
}
