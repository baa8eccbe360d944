//! Compression of large answers on a worker thread, in the asker's turn, away from the threads that answer everybody.
//! If no thread is free before long, or no time is left, the answer is sent uncompressed.

use std::io::Write;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{FromRequestParts as _, Request, State};
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::Response;
use edge::network::Asker;
use edge::workers::{Deadline, GivenUp};
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::BodyExt as _;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

use crate::app::App;
use crate::page::accepts;

/// The size in bytes above which answers are compressed.
const WORTH: u64 = 1024;
/// The size in bytes above which answers wait for a worker thread: to compress that many takes about a millisecond,
/// and a large study 20.
const LARGE: u64 = 64 << 10;
/// The level of compression: higher ones take much longer and save little.
const LEVEL: u8 = 4;
/// The time to wait for a worker thread, after which an answer is sent uncompressed.
const PATIENCE: Duration = Duration::from_secs(1);
/// The number of bytes that are compressed between two checks of the deadline.
const AT_ONCE: usize = 64 << 10;

/// A mark on a large answer that is sent uncompressed.
#[derive(Clone)]
struct AsItIs;

/// Returns the condition for compression while an answer is sent: its content is not compressed already, and it is
/// not a large one.
fn is_worth_it() -> impl Predicate {
    let plain = |_: StatusCode, _: Version, _: &HeaderMap, told: &Extensions| told.get::<AsItIs>().is_none();
    let of_kind = NotForContentType::new(super::maps::XLSX).and(NotForContentType::IMAGES);
    SizeAbove::new(WORTH).and(of_kind).and(plain)
}

/// Compresses small answers while they are sent.
pub(super) fn small() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().quality(CompressionLevel::Precise(LEVEL.into())).compress_when(is_worth_it())
}

/// Compresses a large answer before it is sent.
pub(super) async fn large(State(app): State<App>, request: Request, next: Next) -> Response {
    if !accepts(request.headers(), "gzip") {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    let asked = Request::from_parts(parts.clone(), body);
    let mut answer = next.run(asked).await;
    let size = answer.body().size_hint().exact().unwrap_or_default();
    let packed = answer.headers().contains_key(header::CONTENT_ENCODING);
    if size <= LARGE || packed || !is_worth_it().should_compress(&answer) {
        return answer;
    }
    let asker = match Asker::from_request_parts(&mut parts, &app).await {
        Ok(asker) => asker,
        Err(never) => match never {},
    };
    let (mut head, body) = answer.into_parts();
    let place = tokio::time::timeout(PATIENCE, app.place(&asker)).await;
    // It is there as a whole: nothing is waited for, and nothing fails.
    let bytes = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let small = match place {
        Ok(Ok(place)) => {
            let bytes = bytes.clone();
            place.run(move |deadline| gzipped(&bytes, deadline)).await.ok().and_then(Result::ok)
        }
        _ => None,
    };
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    match small {
        Some(small) => {
            head.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            answer = Response::from_parts(head, Body::from(small));
        }
        None => {
            head.extensions.insert(AsItIs);
            answer = Response::from_parts(head, Body::from(bytes));
        }
    }
    answer
}

fn gzipped(bytes: &Bytes, deadline: &Deadline) -> Result<Vec<u8>, GivenUp> {
    let mut out = GzEncoder::new(Vec::new(), Compression::new(LEVEL.into()));
    for part in bytes.chunks(AT_ONCE) {
        deadline.check()?;
        out.write_all(part).expect("memory takes everything");
    }
    Ok(out.finish().expect("memory takes everything"))
}
