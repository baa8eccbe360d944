//! Health checks of the hall; and, on a listener of its own, metrics and the tables of each node.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use metrics_exporter_prometheus::PrometheusHandle;
use store::{NodeRow, Owned};

use crate::app::App;
use crate::health::resident_bytes;

/// Returns the route `/metrics`, for the operator of the hall.
pub(super) fn measured_router(metrics: PrometheusHandle) -> Router<App> {
    Router::new().route("/metrics", get(async move |State(app): State<App>| measured(&app, &metrics).await))
}

pub(super) async fn live() -> &'static str {
    "ok\n"
}

pub(super) async fn ready(State(app): State<App>) -> Response {
    told(is_ready(&app).await)
}

pub(super) async fn health(State(app): State<App>) -> Response {
    told(is_ready(&app).await)
}

fn told(ready: Result<(), String>) -> Response {
    match ready {
        Ok(()) => "ok\n".into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

async fn is_ready(app: &App) -> Result<(), String> {
    // A load balancer sends no requests to a node that is about to stop, or that may not serve.
    let serves = app.hall.cluster.as_ref().is_none_or(|cluster| cluster.serves());
    if !serves || app.hall.cluster.is_some() && *app.hall.stopping.borrow() {
        return Err("this node does not serve now".to_owned());
    }
    app.health.check(app.hall.store.as_ref()).await
}

/// Returns the route `/nodes`, for the operator of a hall of several nodes: the live nodes, and the number of tables
/// of each.
pub(super) fn nodes_router() -> Router<App> {
    Router::new().route("/nodes", get(nodes))
}

/// The most tables of each node on the page.
const SHOWN: u32 = 100;

/// Returns the nodes as JSON, or as a page for clients that accept HTML.
async fn nodes(State(app): State<App>, headers: HeaderMap) -> Response {
    let wants_page = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    if wants_page.is_some_and(|value| value.contains("text/html")) {
        return nodes_page(&app).await;
    }
    let Some(cluster) = &app.hall.cluster else {
        return (StatusCode::NOT_FOUND, "this hall is one process: there are no nodes\n").into_response();
    };
    match app.hall.store.claims.nodes().await {
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

async fn nodes_page(app: &App) -> Response {
    let Some(cluster) = &app.hall.cluster else {
        return (StatusCode::NOT_FOUND, Html(page(0, "", &[]))).into_response();
    };
    let store = app.hall.store.as_ref();
    let read = async {
        let mut all = Vec::new();
        for node in store.claims.nodes().await? {
            let owned = store.claims.owned(&node.incarnation, SHOWN).await?;
            all.push((node, owned));
        }
        Ok::<_, store::StoreError>(all)
    };
    match read.await {
        Ok(all) => Html(page(app.hall.time.now_ms(), &cluster.me, &all)).into_response(),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")).into_response(),
    }
}

/// Renders the page of nodes and their tables, as of `now_ms`; `me` is the node that answers.
fn page(now_ms: u64, me: &str, all: &[(NodeRow, Vec<Owned>)]) -> String {
    let seconds = |ms: u64| format!("{}.{} s", ms / 1000, ms % 1000 / 100);
    let mut html = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"5\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Nodes</title><h1>Nodes</h1>",
    );
    if all.is_empty() {
        html.push_str("<p>This hall is one process: there are no nodes.</p>");
        return html;
    }
    html.push_str(
        "<table border=\"1\" cellpadding=\"4\"><tr><th>Node<th>Incarnation<th>Up<th>Silent<th>Tables</tr>",
    );
    for (node, _) in all {
        let this = if node.incarnation == me { " (this one)" } else { "" };
        html.push_str(&format!(
            "<tr><td>{}{this}<td>{}<td>{}<td>{}<td>{}</tr>",
            escaped(&node.name),
            escaped(&node.incarnation),
            seconds(now_ms.saturating_sub(node.begun_ms)),
            seconds(node.silent_ms),
            node.tables,
        ));
    }
    html.push_str("</table>");
    for (node, owned) in all.iter().filter(|(_, owned)| !owned.is_empty()) {
        html.push_str(&format!("<h2>Tables of {}</h2>", escaped(&node.name)));
        if node.tables > owned.len() as u64 {
            html.push_str(&format!("<p>The {} that changed last, of {}.</p>", owned.len(), node.tables));
        }
        html.push_str(
            "<table border=\"1\" cellpadding=\"4\"><tr><th>Table<th>Owners so far<th>Version<th>Changed</tr>",
        );
        for Owned { id, epoch, ver, at_ms } in owned {
            let ago = seconds(now_ms.saturating_sub(*at_ms));
            html.push_str(&format!("<tr><td>{}<td>{epoch}<td>{ver}<td>{ago} ago</tr>", escaped(id)));
        }
        html.push_str("</table>");
    }
    html
}

/// Escapes a text for HTML.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            other => html.push(other),
        }
    }
    html
}

/// Returns the metrics: the counters, and the gauges that are read at each request.
async fn measured(app: &App, metrics: &PrometheusHandle) -> String {
    if let Some(bytes) = resident_bytes() {
        metrics::gauge!("process_resident_memory_bytes").set(bytes);
    }
    let ready = if is_ready(app).await.is_ok() { 1.0 } else { 0.0 };
    metrics::gauge!("hall_ready").set(ready);
    let store::Strain { connections, idle, queued } = app.hall.store.condition.strain();
    metrics::gauge!("hall_store_connections", "state" => "open").set(f64::from(connections));
    metrics::gauge!("hall_store_connections", "state" => "idle").set(f64::from(idle));
    metrics::gauge!("hall_queue", "queue" => "store").set(queued as f64);
    metrics::gauge!("hall_queue", "queue" => "letters").set(app.hall.members.letters.waiting() as f64);
    metrics.render()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_who_has_what_and_runs_nothing() {
        let node = NodeRow {
            incarnation: "a.1".to_owned(),
            name: "<script>alert('x')</script>".to_owned(),
            silent_ms: 1_250,
            tables: 3,
            begun_ms: 1_000,
        };
        let owned = Owned { id: "t&1".to_owned(), epoch: 7, ver: 42, at_ms: 59_000 };
        let html = page(61_000, "a.1", &[(node, vec![owned])]);
        for part in [
            "(this one)",
            "60.0 s",
            "1.2 s",
            "t&amp;1",
            "<td>7<td>42<td>2.0 s ago",
            "The 1 that changed last, of 3.",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!html.contains("<script") && html.contains("&lt;script&gt;alert(&#39;x&#39;)"), "{html}");
        assert!(page(0, "", &[]).contains("one process"));
    }
}
