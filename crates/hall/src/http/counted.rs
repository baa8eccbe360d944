//! Limits on large answers under way, by address: a client that requests many and reads none would make the hall hold
//! them all.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use edge::connections::Counted;
use edge::network::Network;
use http_body_util::BodyExt as _;
use hyper::body::{Frame, SizeHint};

use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::ClientIp;

/// The size in bytes above which an answer is counted.
const LARGE: u64 = 64 << 10;
/// The number of bytes that are handed over at once: an answer under way is held until almost all of it was sent.
const PART: usize = 64 << 10;
/// The seconds in `Retry-After`.
const AGAIN: u64 = 5;

/// Counts a large answer until it is sent; refuses it if too many bytes are not sent yet.
pub(super) async fn large(State(app): State<App>, request: Request, next: Next) -> Response {
    let client = request.extensions().get::<ClientIp>().copied();
    let answer = next.run(request).await;
    let size = answer.body().size_hint().exact().unwrap_or_default();
    let Some(ClientIp(address)) = client.filter(|_| size > LARGE) else { return answer };
    let limits = &app.hall.limits;
    let most = limits.on.then_some(limits.answers_bytes);
    let Some(counted) = app.answers.admit_bytes(Network::of(address), size, most) else {
        return Refusal::too_many(AGAIN).into_response();
    };
    let (head, body) = answer.into_parts();
    // It is there as a whole: nothing is waited for, and nothing fails.
    let left = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    Response::from_parts(head, Body::new(OnItsWay { left, _counted: counted }))
}

/// An answer that is sent part by part, and counted until it is dropped.
struct OnItsWay {
    left: Bytes,
    _counted: Counted<Network>,
}

impl HttpBody for OnItsWay {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let at = self.left.len().min(PART);
        let part = self.left.split_to(at);
        Poll::Ready((!part.is_empty()).then(|| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}
