//! The scopes that a token needs for each request, and the public data that other sites may read. A session of a
//! person or a program needs no scope.
//!
//! The rows of [`http::api`](crate::http::api) say what each route needs. A route without a row would need a session: it is
//! closed to tokens and other sites, not open.

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use people::token::Scope;

/// The right that a request needs of the token that it comes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needed {
    /// The absence of any right, not even of the hall's name: a supervisor or a balancer asks whether the hall is there.
    Probe,
    /// Any token, or none, is enough.
    Nothing,
    /// A session, or a token that may read; answers to requests without either may be read by other sites.
    Public,
    /// `Public` for paths with one of these endings, `Nothing` for others.
    Files(&'static [&'static str]),
    /// A session, or a token with that scope.
    Scope(Scope),
    /// A session: no token is enough.
    Session,
}

use Needed::{Files, Nothing, Public, Session};

/// A token that may read.
pub const READ: Needed = Needed::Scope(Scope::Read);
/// A token that may play.
pub const PLAY: Needed = Needed::Scope(Scope::Play);
/// A token that may open tables and challenge people.
pub const CHALLENGE: Needed = Needed::Scope(Scope::Challenge);
/// A token that may analyse, and keep studies.
pub const STUDY: Needed = Needed::Scope(Scope::Study);
/// A token that may do what the staff does.
pub const ADMIN: Needed = Needed::Scope(Scope::Admin);
/// A token that may make its owner a program, for good: one that plays must not decide that.
pub const PROGRAM: Needed = Needed::Scope(Scope::Program);

/// A route, as the layers around the router know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Route {
    /// The method, in small letters; `get` is also `HEAD`.
    pub method: &'static str,
    /// The path, its parts in braces.
    pub path: &'static str,
    /// The right that a token needs.
    pub needs: Needed,
}

/// The rows of all routes, by resource. Each request has them as an extension.
#[derive(Clone, Copy, Debug)]
pub struct Routes(pub &'static [&'static [Route]]);

impl Routes {
    /// Returns the row of a route, by its method and the path as its row has it.
    #[must_use]
    pub fn row(self, method: &str, path: &str) -> Option<&'static Route> {
        let is_it = |row: &&Route| row.path == path && row.method.eq_ignore_ascii_case(method);
        self.0.iter().copied().flatten().find(is_it)
    }

    /// Returns the right that a token needs for a request to `path`, which fits the path of a route, `route`, or of none.
    /// Beside the routes there are the page and refusals: who may read learns that there is nothing at an address of the
    /// API.
    #[must_use]
    pub fn needed(self, method: &Method, route: Option<&str>, path: &str) -> Needed {
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        match route.and_then(|route| self.row(method.as_str(), route)).map(|row| row.needs) {
            Some(Files(endings)) if endings.iter().any(|ending| path.ends_with(ending)) => Public,
            Some(Files(_)) => Nothing,
            Some(needed) => needed,
            None if *method == Method::GET && path.starts_with("/api/") => READ,
            None => Session,
        }
    }
}

/// Returns the right that a token needs for that request.
#[must_use]
pub fn needed(request: &Request) -> Needed {
    needed_by(request.method(), request)
}

fn needed_by(method: &Method, request: &Request) -> Needed {
    let routes = request.extensions().get::<Routes>().copied().unwrap_or(Routes(&[]));
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    routes.needed(method, route, request.uri().path())
}

/// Returns true if that request makes, plays or says something, which guests may not do where only accounts play.
#[must_use]
pub fn acts(request: &Request) -> bool {
    let acts = [PLAY, CHALLENGE, STUDY].contains(&needed(request));
    acts && !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Returns true if the path needs an identification of the person: all but the page's own files.
#[must_use]
pub fn is_guarded(path: &str) -> bool {
    path.starts_with("/api/") || path == "/ws" || path.starts_with("/ws/")
}

/// Returns true if other sites may read the answer to that request.
fn is_public(method: &Method, request: &Request) -> bool {
    matches!(*method, Method::GET | Method::HEAD) && needed_by(method, request) == Public
}

/// Returns true if the request is a browser's question (preflight) whether another site may read public data.
#[must_use]
pub fn is_preflight(request: &Request) -> bool {
    let wished = request.headers().get(header::ACCESS_CONTROL_REQUEST_METHOD);
    let wished = wished.and_then(|method| Method::from_bytes(method.as_bytes()).ok());
    request.method() == Method::OPTIONS
        && request.headers().contains_key(header::ORIGIN)
        && wished.is_some_and(|method| is_public(&method, request))
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
    let is_shared = is_public(request.method(), &request) || is_preflight(&request);
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
    fn what_is_not_in_the_table_is_closed() {
        for (method, route, path, wanted) in [
            ("GET", Some("/api/tables"), "/api/tables", Public),
            ("HEAD", Some("/api/tables/{id}"), "/api/tables/x", Public),
            ("GET", Some("/api/tables/{id}/plan"), "/api/tables/x/plan", READ),
            ("GET", Some("/t/{file}"), "/t/x.png", Public),
            ("GET", Some("/t/{file}"), "/t/x", Nothing),
            ("GET", Some("/rules/{file}"), "/rules/x.gif", Nothing),
            ("GET", Some("/api/me"), "/api/me", READ),
            ("POST", Some("/api/maps"), "/api/maps", PLAY),
            ("POST", Some("/api/tables/{id}/hint"), "/api/tables/x/hint", STUDY),
            ("GET", Some("/api/account"), "/api/account", Session),
            ("GET", Some("/api/admin/noted"), "/api/admin/noted", ADMIN),
            ("DELETE", Some("/api/tables/{id}"), "/api/tables/x", Session),
            ("PATCH", Some("/api/tables"), "/api/tables", Session),
            ("GET", Some("/api/{*rest}"), "/api/accounts", READ),
            ("POST", Some("/api/{*rest}"), "/api/tables/x/hint/y", Session),
            ("GET", None, "/ws/elsewhere", Session),
            ("GET", None, "/", Session),
        ] {
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            let found = crate::http::api::ROUTES.needed(&method, route, path);
            assert_eq!(found, wanted, "{method} {path}");
        }
    }

    /// A scope that is missing on the page cannot be chosen for a token.
    #[test]
    fn every_scope_is_on_the_page_and_in_the_documents() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a text file");
        for scope in Scope::ALL {
            let name = scope.name();
            for (path, wanted) in [
                ("texts/en/account.ftl", format!("\nscope-{name} = ")),
                ("texts/zh/account.ftl", format!("\nscope-{name} = ")),
                ("web/src/ui/AccountPage.svelte", format!("'{name}'")),
                ("docs/hall-protocol.md", format!("\n| `{name}` | ")),
            ] {
                assert!(read(path).contains(&wanted), "{path} does not have the scope {name}: {wanted:?}");
            }
        }
    }
}
