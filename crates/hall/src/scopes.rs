//! What a token must allow for each request. Whoever comes with a session, a person or a program, is not asked.
//!
//! A path that is not in this table needs a session: a route that somebody forgets here is closed to tokens, not open.

use axum::http::Method;
use people::token::Scope;

/// What is needed for a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needed {
    /// Anybody may ask, with any token or none.
    Nothing,
    /// A session, or a token with that scope.
    Scope(Scope),
    /// A session: no token is enough.
    Session,
}

use Needed::{Nothing, Session};

const READ: Needed = Needed::Scope(Scope::Read);
const PLAY: Needed = Needed::Scope(Scope::Play);
const CHALLENGE: Needed = Needed::Scope(Scope::Challenge);
const STUDY: Needed = Needed::Scope(Scope::Study);
const ADMIN: Needed = Needed::Scope(Scope::Admin);

/// Method, path and need; the first row that fits counts. `*` stands for one part of a path, `**` at the end for any
/// number. `GET` is also `HEAD`.
const TABLE: &[(&str, &str, Needed)] = &[
    ("GET", "/api/account/**", Session),
    ("GET", "/api/admin/**", ADMIN),
    ("GET", "/api/bot/**", PLAY),
    ("GET", "/api/notices", Session),
    ("GET", "/api/mail", Session),
    ("GET", "/api/relations/**", Session),
    ("GET", "/api/relations", Session),
    ("GET", "/api/moderation/**", ADMIN),
    ("POST", "/api/moderation/reports/*", ADMIN),
    ("POST", "/api/moderation/play/*", ADMIN),
    ("GET", "/api/**", READ),
    ("POST", "/api/guests", Nothing),
    ("POST", "/api/tables", CHALLENGE),
    ("POST", "/api/pool", CHALLENGE),
    ("DELETE", "/api/pool", CHALLENGE),
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

/// Whether who asks matters there: not for the page's own files.
#[must_use]
pub fn is_guarded(path: &str) -> bool {
    path.starts_with("/api/") || path == "/ws" || path.starts_with("/ws/")
}

/// What a token must allow for that request.
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
            (Some(wanted), Some(found)) if wanted == "*" || wanted == found => {}
            _ => return false,
        }
    }
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
            ("GET", "/api/tables", READ),
            ("HEAD", "/api/tables/x", READ),
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
