//! The span of each request, by which it can be followed through the hall.

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use tables::traces::TARGET;
use tracing::{Instrument, field};

/// Opens the span of a request, named by the pattern of its path: the path itself may hold private data.
pub async fn request(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("page", MatchedPath::as_str);
    let span = tracing::info_span!(
        target: TARGET,
        "request",
        otel.name = format_args!("{} {route}", request.method()),
        otel.kind = "server",
        http.request.method = %request.method(),
        http.route = route,
        http.response.status_code = field::Empty,
    );
    let answer = next.run(request).instrument(span.clone()).await;
    span.record("http.response.status_code", answer.status().as_u16());
    answer
}
