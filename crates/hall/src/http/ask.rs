//! What a request brings, read with words for what does not fit.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
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
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(JsonRejection::BytesRejection(why)) => {
                let problem = Problem::new("body-too-large").with("detail", why.body_text());
                Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, problem))
            }
            Err(why) => Err(Problem::new("bad-json").with("detail", why.body_text()).into()),
        }
    }
}

/// What stands behind the `?` of an address.
pub(super) struct Asked<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(asked)) => Ok(Asked(asked)),
            Err(why) => Err(Problem::new("bad-query").with("detail", why.body_text()).into()),
        }
    }
}

/// What stands in Base64.
///
/// # Errors
/// `bad-base64`.
pub(super) fn bytes(base64: &str) -> Result<Vec<u8>, Problem> {
    let bytes = base64::engine::general_purpose::STANDARD.decode(base64.as_bytes());
    bytes.map_err(|why| Problem::new("bad-base64").with("detail", why))
}
