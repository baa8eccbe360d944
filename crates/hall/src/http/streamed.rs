//! Answers that are written while they are read.

use axum::body::{Body, Bytes};
use futures_util::{StreamExt as _, TryStream, TryStreamExt as _};

/// A body of those parts. It may be asked for another part after its end, as layers that compress do; a part that
/// failed cuts the answer off, so that nobody takes it for whole.
pub(super) fn streamed<S>(parts: S) -> Body
where
    S: TryStream + Send + 'static,
    S::Ok: Into<Bytes>,
    S::Error: Into<axum::BoxError>,
{
    Body::from_stream(parts.into_stream().fuse())
}
