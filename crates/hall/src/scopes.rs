//! The scopes that a token needs for each request, and the public data that other sites may read. A session of a
//! person or a program needs no scope.
//!
//! A path that is not in this table needs a session: a route that is missing here is closed to tokens and other
//! sites, not open.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use people::token::Scope;

/// The right that a request needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needed {
    /// Any token, or none, is enough.
    Nothing,
    /// A session, or a token that may read; answers to requests without either may be read by other sites.
    Public,
    /// A session, or a token with that scope.
    Scope(Scope),
    /// A session: no token is enough.
    Session,
}

use Needed::{Nothing, Public, Session};

const READ: Needed = Needed::Scope(Scope::Read);
const PLAY: Needed = Needed::Scope(Scope::Play);
const CHALLENGE: Needed = Needed::Scope(Scope::Challenge);
const STUDY: Needed = Needed::Scope(Scope::Study);
const ADMIN: Needed = Needed::Scope(Scope::Admin);

/// The rows of method, path and right; the first one that fits counts. `*` stands for one part of a path or, before
/// an ending, for the text before it; `**` at the end for any number of parts. `GET` is also `HEAD`.
const TABLE: &[(&str, &str, Needed)] = &[
    ("GET", "/api/account/**", Session),
    ("GET", "/api/admin/**", ADMIN),
    ("GET", "/api/bot/**", PLAY),
    // A worker has a key of its own.
    ("GET", "/api/worker/**", Nothing),
    ("POST", "/api/worker/**", Nothing),
    ("POST", "/api/admin/workers", ADMIN),
    ("POST", "/api/admin/workers/*/restore", ADMIN),
    ("DELETE", "/api/admin/workers/*", ADMIN),
    ("GET", "/api/notices", Session),
    ("GET", "/api/mail", Session),
    ("GET", "/api/relations/**", Session),
    ("GET", "/api/relations", Session),
    ("GET", "/api/moderation/**", ADMIN),
    ("POST", "/api/moderation/reports/*", ADMIN),
    ("POST", "/api/moderation/play/*", ADMIN),
    ("GET", "/api/openapi.json", Public),
    // What the desk looks at and small deeds; strong deeds take a session's fresh proof, which no token has.
    ("GET", "/api/staff", ADMIN),
    ("GET", "/api/staff/**", ADMIN),
    ("POST", "/api/staff/**", ADMIN),
    ("PUT", "/api/staff/**", ADMIN),
    ("DELETE", "/api/staff/**", ADMIN),
    ("GET", "/api/house", Public),
    ("GET", "/api/games", Public),
    ("GET", "/api/engines", Public),
    ("GET", "/api/tables", Public),
    ("GET", "/api/tables/*", Public),
    ("GET", "/api/tables/*/details", Public),
    ("GET", "/api/tables/*/fen", Public),
    ("GET", "/api/tables/*/lessons", Public),
    ("GET", "/api/tables/*/log", Public),
    ("GET", "/api/tables/*/qr", Public),
    ("GET", "/api/tables/*/record", Public),
    ("GET", "/api/tables/*/replay", Public),
    ("GET", "/api/rooms/*", Public),
    ("GET", "/api/tv", Public),
    ("GET", "/api/people/**", Public),
    ("GET", "/api/maps", Public),
    ("GET", "/api/maps/**", Public),
    ("GET", "/api/works", Public),
    ("GET", "/api/works/*", Public),
    ("GET", "/api/extensions", Public),
    ("GET", "/api/extensions/**", Public),
    ("GET", "/api/library", Public),
    ("GET", "/api/library/**", Public),
    ("GET", "/api/puzzles", Public),
    ("GET", "/api/puzzles/*", Public),
    ("GET", "/api/studies", Public),
    ("GET", "/api/studies/**", Public),
    ("GET", "/oembed", Public),
    ("GET", "/card.png", Public),
    ("GET", "/t/*.png", Public),
    ("GET", "/t/*.gif", Public),
    ("GET", "/rules/*.png", Public),
    ("GET", "/maps/*.png", Public),
    ("GET", "/api/**", READ),
    ("POST", "/api/guests", Nothing),
    ("POST", "/api/tables", CHALLENGE),
    ("POST", "/api/pool", CHALLENGE),
    ("DELETE", "/api/pool", CHALLENGE),
    ("POST", "/api/pool/leave", CHALLENGE),
    ("POST", "/api/vacation", PLAY),
    ("DELETE", "/api/vacation", PLAY),
    ("PUT", "/api/tables/*/plan", PLAY),
    ("POST", "/api/tables/*/plan/look", PLAY),
    ("PUT", "/api/tables/*/note", PLAY),
    ("POST", "/api/challenge/*", CHALLENGE),
    ("POST", "/api/challenge/*/*", CHALLENGE),
    // For good: a token that plays must not decide that for its owner.
    ("POST", "/api/bot/account/upgrade", Needed::Scope(Scope::Program)),
    ("POST", "/api/bot/game/*/*", PLAY),
    ("POST", "/api/bot/game/*/*/*", PLAY),
    ("POST", "/api/tables/*/hint", STUDY),
    ("POST", "/api/tables/*/aside", STUDY),
    ("POST", "/api/tables/*/report", STUDY),
    ("POST", "/api/positions", READ),
    ("POST", "/api/records", PLAY),
    ("POST", "/api/maps", PLAY),
    ("POST", "/api/maps/check", PLAY),
    ("POST", "/api/workshop/*", PLAY),
    ("POST", "/api/workshop/board/*", PLAY),
    ("POST", "/api/maps/*/balance", STUDY),
    ("POST", "/api/works", PLAY),
    ("POST", "/api/extensions", PLAY),
    ("POST", "/api/library", STUDY),
    ("POST", "/api/library/collections/*/games", STUDY),
    ("POST", "/api/puzzles/*/try", STUDY),
    ("POST", "/api/maps/*/puzzles", STUDY),
    ("POST", "/api/studies", STUDY),
    ("POST", "/api/studies/*/chapters", STUDY),
    ("POST", "/api/studies/*/changes", STUDY),
    ("GET", "/ws", PLAY),
    ("GET", "/ws/lobby", READ),
    ("GET", "/ws/here", READ),
    ("GET", "/ws/study", STUDY),
    ("GET", "/ws/studies/*", READ),
    // What is thrown away, shown or starred is a person's choice.
    ("DELETE", "/api/library/collections/*", Session),
    ("DELETE", "/api/works/*", Session),
    ("DELETE", "/api/extensions/*", Session),
    ("PUT", "/api/extensions/*/*", Session),
    ("DELETE", "/api/puzzles/*", Session),
    ("DELETE", "/api/studies/*", Session),
    ("PUT", "/api/works/*/*", Session),
    // Who one is, is not a program's to change.
    ("PUT", "/api/me", Session),
    ("PUT", "/api/relations/*", Session),
    ("PUT", "/api/notices/*", Session),
    ("DELETE", "/api/notices/*", Session),
    ("PUT", "/api/mail", Session),
    ("DELETE", "/api/mail", Session),
    ("PUT", "/api/mail/*", Session),
    ("POST", "/api/mail/*", Session),
    ("POST", "/api/reports", Session),
    ("POST", "/api/account/**", Session),
    ("PUT", "/api/account/**", Session),
    ("DELETE", "/api/account/**", Session),
    ("POST", "/api/session/**", Session),
    ("DELETE", "/api/session/**", Session),
];

/// Returns true if that request makes, plays or says something, which guests may not do where only accounts play.
#[must_use]
pub fn acts(method: &Method, path: &str) -> bool {
    let acts = [PLAY, CHALLENGE, STUDY].contains(&needed(method, path));
    acts && !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Returns true if the path needs an identification of the person: all but the page's own files.
#[must_use]
pub fn is_guarded(path: &str) -> bool {
    path.starts_with("/api/") || path == "/ws" || path.starts_with("/ws/")
}

/// Returns the right that a token needs for that request.
#[must_use]
pub fn needed(method: &Method, path: &str) -> Needed {
    row(method.as_str(), path).unwrap_or(Session)
}

fn row(method: &str, path: &str) -> Option<Needed> {
    let method = if method == "HEAD" { "GET" } else { method };
    TABLE.iter().find(|(m, pattern, _)| *m == method && fits(pattern, path)).map(|(_, _, needed)| *needed)
}

fn fits(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut found) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), found.next()) {
            (Some("**"), _) | (None, None) => return true,
            (Some(wanted), Some(found)) if wanted == found => {}
            (Some(wanted), Some(found))
                if wanted.strip_prefix('*').is_some_and(|ending| found.ends_with(ending)) => {}
            _ => return false,
        }
    }
}

/// Returns true if other sites may read the answer to that request.
#[must_use]
pub fn is_public(method: &Method, path: &str) -> bool {
    matches!(*method, Method::GET | Method::HEAD) && needed(method, path) == Public
}

/// Returns true if the request is a browser's question (preflight) whether another site may read public data.
#[must_use]
pub fn is_preflight(request: &Request) -> bool {
    let wished = request.headers().get(header::ACCESS_CONTROL_REQUEST_METHOD);
    let wished = wished.and_then(|method| Method::from_bytes(method.as_bytes()).ok());
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ORIGIN)
        && wished.is_some_and(|method| is_public(&method, request.uri().path()))
}

/// Answers a preflight request. Neither cookies nor `Authorization` are allowed, so the answer never depends on a
/// person.
#[must_use]
pub fn preflight() -> Response {
    let told: [(HeaderName, &str); 3] = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD"),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "accept, accept-language, if-none-match, range"),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ];
    (StatusCode::NO_CONTENT, told).into_response()
}

/// Lets other sites read public answers, refusals too. Their browsers show them only answers to requests without
/// cookies.
pub async fn share(request: Request, next: Next) -> Response {
    let is_shared = is_public(request.method(), request.uri().path()) || is_preflight(&request);
    let mut response = next.run(request).await;
    if is_shared {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        let told = HeaderValue::from_static("etag, content-disposition, retry-after");
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, told);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_route_says_what_a_token_needs() {
        let api =
            serde_json::to_value(<crate::http::Description as utoipa::OpenApi>::openapi()).expect("JSON");
        let paths = api["paths"].as_object().expect("paths");
        assert!(paths.len() > 30);
        for (path, methods) in paths.iter().filter(|(path, _)| is_guarded(path)) {
            for method in methods.as_object().expect("methods").keys() {
                let method = method.to_uppercase();
                assert!(row(&method, path).is_some(), "{method} {path}: add a row to the table in scopes.rs");
            }
        }
    }

    #[test]
    fn what_is_not_in_the_table_is_closed() {
        for (method, path, wanted) in [
            ("GET", "/api/tables", Public),
            ("HEAD", "/api/tables/x", Public),
            ("GET", "/api/tables/x/plan", READ),
            ("GET", "/t/x.png", Public),
            ("GET", "/t/x", Session),
            ("GET", "/api/me", READ),
            ("GET", "/api/inbox", READ),
            ("POST", "/api/maps", PLAY),
            ("POST", "/api/tables/x/hint", STUDY),
            ("POST", "/api/tables/x/hint/y", Session),
            ("POST", "/api/tables/", Session),
            ("GET", "/api/account", Session),
            ("GET", "/api/account/export", Session),
            ("GET", "/api/accounts", READ),
            ("GET", "/api/admin/noted", ADMIN),
            ("DELETE", "/api/tables/x", Session),
            ("PATCH", "/api/tables", Session),
            ("GET", "/ws/elsewhere", Session),
        ] {
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            assert_eq!(needed(&method, path), wanted, "{method} {path}");
        }
    }
}
