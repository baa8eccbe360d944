//! Extractors for the parts of a request, which answer faults with a problem in words.

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{self, FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use base64::Engine as _;
use kernel::Problem;
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;

/// A JSON body.
pub(super) struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let too_large = |why: String| {
            let problem = Problem::new("body-too-large").with("detail", why);
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, problem)
        };
        let wrong = |why: String| Refusal::from(Problem::new("bad-json").with("detail", why));
        let (head, body) = request.into_parts();
        let asked = Request::from_parts(head.clone(), body);
        let bytes = Bytes::from_request(asked, state).await.map_err(|why| too_large(why.body_text()))?;
        // A list would be read as the values of the fields in their order, an empty one as none of them.
        if bytes.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|first| *first != b'{') {
            return Err(wrong("a JSON object, which begins with {, is expected".to_owned()));
        }
        match Json::<T>::from_request(Request::from_parts(head, bytes.into()), state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(JsonRejection::BytesRejection(why)) => Err(too_large(why.body_text())),
            Err(why) => Err(wrong(why.body_text())),
        }
    }
}

/// The query parameters of an address.
pub(super) struct UrlQuery<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for UrlQuery<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(UrlQuery(asked)),
            Err(why) => Err(Problem::new("bad-query").with("detail", why.body_text()).into()),
        }
    }
}

/// The parts of a path. A path with an invalid part, such as a letter in a number, is not found.
pub(super) struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(extract::Path(found)) => Ok(Path(found)),
            Err(_) => Err(Refusal::unknown(Problem::new("no-such-address"))),
        }
    }
}

/// A request that asks for a WebSocket.
pub(super) struct Upgrade(pub WebSocketUpgrade);

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let upgrade = WebSocketUpgrade::from_request_parts(parts, state).await;
        upgrade.map(Upgrade).map_err(|_| Problem::new("no-websocket").into())
    }
}

/// Decodes a file that a request holds as Base64.
///
/// # Errors
/// `bad-base64`.
pub(super) fn bytes(base64: &str) -> Result<Vec<u8>, Problem> {
    let bytes = base64::engine::general_purpose::STANDARD.decode(base64.as_bytes());
    bytes.map_err(|why| Problem::new("bad-base64").with("detail", why))
}
