//! Secrets, names and ids as requests bring them. What they must look like is the business of `people`.

use axum::http::{HeaderMap, HeaderValue, header};
use kernel::Problem;
use people::cookie::{self, Credentials, Jar};
use people::{Name, Secret, name};

/// Returns the secret a request carries: `Authorization: Bearer …` of a program, or the cookie of a page that is in
/// `jar`.
///
/// # Errors
/// `session-too-large`, `session-bearer`, `session-twice`: the person cannot be determined.
pub fn secret_of(headers: &HeaderMap, jar: Jar<'_>) -> Result<Option<Secret>, Problem> {
    Ok(credentials(headers, jar)?.secret().cloned())
}

/// Returns the secret a request carries, and how.
///
/// # Errors
/// The errors of [`secret_of`].
pub fn credentials(headers: &HeaderMap, jar: Jar<'_>) -> Result<Credentials, Problem> {
    let values = |name| headers.get_all(name).into_iter().map(HeaderValue::as_bytes);
    Credentials::read(values(header::AUTHORIZATION), values(header::COOKIE), jar)
}

/// Returns the cookie that makes a browser forget a secret.
#[must_use]
pub fn no_cookie(jar: Jar<'_>) -> HeaderValue {
    HeaderValue::from_str(&cookie::clear(jar)).expect("letters, digits and signs")
}

/// Returns the cookie that makes a browser remember a secret.
#[must_use]
pub fn cookie(secret: &Secret, jar: Jar<'_>) -> HeaderValue {
    HeaderValue::from_str(&cookie::set(secret, jar)).expect("letters, digits and signs")
}

/// Returns a guest's name as it is kept; `None` when nothing is left of it.
///
/// # Errors
/// The fault in it.
pub fn guest_name(text: &str) -> Result<Option<Name>, Problem> {
    if text.trim().is_empty() { Ok(None) } else { Name::read(text, name::NameKind::Guest).map(Some) }
}
