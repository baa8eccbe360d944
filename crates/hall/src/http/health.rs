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
    // Whoever stands before several nodes sends nobody to one that is about to stop, or that may not serve.
    let serves = app.hall.cluster.as_ref().is_none_or(|cluster| cluster.serves());
    if !serves || app.hall.cluster.is_some() && *app.hall.stopping.borrow() {
        return (StatusCode::SERVICE_UNAVAILABLE, "this node does not serve now\n").into_response();
    }
    match app.health.check(app.hall.store.as_ref()).await {
        Ok(()) => "ok\n".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

/// `/nodes`, for the keeper of a hall that has several: who lives, and how many tables each owns.
pub(super) fn nodes_router() -> Router<App> {
    Router::new().route("/nodes", get(nodes))
}

async fn nodes(State(app): State<App>) -> Response {
    let Some(cluster) = &app.hall.cluster else {
        return (StatusCode::NOT_FOUND, "this hall is one process: there are no nodes\n").into_response();
    };
    match app.hall.store.nodes().await {
        Ok(nodes) => {
            let node = |node: store::NodeRow| {
                serde_json::json!({
                    "name": node.name,
                    "incarnation": node.incarnation,
                    "this": node.incarnation == cluster.me,
                    "begun_ms": node.begun_ms,
                    "silent_ms": node.silent_ms,
                    "tables": node.tables,
                })
            };
            axum::Json(nodes.into_iter().map(node).collect::<Vec<_>>()).into_response()
        }
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

fn measured(metrics: &PrometheusHandle) -> String {
    if let Some(bytes) = resident_bytes() {
        metrics::gauge!("process_resident_memory_bytes").set(bytes);
    }
    metrics.render()
}
