//! Answers that are sent while they are written.

use axum::body::{Body, Bytes};
use futures_util::{StreamExt as _, TryStream, TryStreamExt as _};

/// Makes a body of those parts. It may be polled again after its end, as compressing layers do; a part that failed
/// cuts the answer off, so that clients do not take it for complete.
pub(super) fn streamed<S>(parts: S) -> Body
where
    S: TryStream + Send + 'static,
    S::Ok: Into<Bytes>,
    S::Error: Into<axum::BoxError>,
{
    Body::from_stream(parts.into_stream().fuse())
}
