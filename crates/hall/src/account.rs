//! Secrets, names and ids as requests bring them. What they must look like is the business of `people`.

use axum::http::{HeaderMap, HeaderValue, header};
use kernel::Problem;
use people::cookie::{self, Credentials, Jar};
use people::{Name, Secret, name};
use sha2::{Digest, Sha256};

/// Letters of an id that follows from another: 5 bits each.
const ID: usize = 20;
/// Digits and letters that are not mistaken for each other.
const ALPHABET: &[u8; 32] = b"23456789abcdefghijkmnpqrstuvwxyz";

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
    unless_blank(text, name::NameKind::Guest)
}

/// Returns a room's name as it is kept; `None` when nothing is left of it.
///
/// # Errors
/// The fault in it.
pub fn room_name(text: &str) -> Result<Option<Name>, Problem> {
    unless_blank(text, name::NameKind::Room)
}

fn unless_blank(text: &str, kind: name::NameKind) -> Result<Option<Name>, Problem> {
    if text.trim().is_empty() { Ok(None) } else { Name::read(text, kind).map(Some) }
}

/// Derives a public id from `source`: 100 bits of its SHA-256.
#[must_use]
pub fn derived_id(source: &str) -> String {
    text_from(source, ID)
}

/// Derives a seed for the random numbers of extensions from a table's id.
#[must_use]
pub fn seed_from(id: &str) -> i64 {
    let hash = Sha256::digest(format!("seed of {id}").as_bytes());
    i64::from(u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]))
}

/// Derives a text of at most 32 letters from `source`, from which the source cannot be recovered.
#[must_use]
pub fn text_from(source: &str, letters: usize) -> String {
    let letter = |byte: &u8| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()]);
    Sha256::digest(source.as_bytes()).iter().take(letters).map(letter).collect()
}
