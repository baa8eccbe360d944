//! Whether the hall is well; and, on a listener of its own, what is measured.

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;

use crate::app::App;
use crate::health::resident_bytes;
use crate::visitor::HEALTH;

/// The route `/health`.
pub(super) fn router() -> Router<App> {
    Router::new().route(HEALTH, get(health))
}

/// `/metrics`, for the hall's keeper.
pub(super) fn measured_router(metrics: PrometheusHandle) -> Router<App> {
    Router::new().route("/metrics", get(async move || measured(&metrics)))
}

/// Whether the hall and its store answer.
#[utoipa::path(get, path = "/health", responses((status = 200, body = String), (status = 503, body = String)))]
pub(super) async fn health(State(app): State<App>) -> Response {
    match app.health.check(app.hall.store.as_ref()).await {
        Ok(()) => "ok\n".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

fn measured(metrics: &PrometheusHandle) -> String {
    if let Some(bytes) = resident_bytes() {
        metrics::gauge!("process_resident_memory_bytes").set(bytes);
    }
    metrics.render()
}
