//! The routes of the hall, each in one row: method, path, handler, the right that a token needs, body, answers, refusals,
//! and the sentence about them. The router, the rights of tokens ([`scopes`](crate::scopes)) and the description for
//! programs are made of the rows, so a route has all three or does not exist.
//!
//! A resource has a file with its rows, and a module of handlers beside this folder. How a row reads stands at `resource`;
//! `described` has what is the same for all rows. The messages on WebSockets are in `docs/hall-protocol.md`.

use axum::Router;
use utoipa::OpenApi as _;

use crate::app::App;
use crate::scopes::Routes;

mod resource;
mod described;
#[cfg(test)]
mod queries;

mod account;
mod analysis;
mod balance;
mod bot;
mod challenge;
mod extensions;
mod games;
mod health;
mod inbox;
mod library;
mod links;
mod mail;
mod maps;
mod moderation;
mod notices;
mod openid;
mod people;
mod positions;
mod profile;
mod puzzles;
mod records;
mod session;
mod set_puzzles;
mod sockets;
mod staff;
mod streams;
mod studies;
mod tables;
mod together;
mod token;
mod worker;
mod works;
mod workshop;

/// Makes a router of each group of resources, and the table and the description of all.
macro_rules! resources {
    ($($(#[doc = $doc:tt])+ $group:ident: $($resource:ident)+;)+) => {
        $(
            $(#[doc = $doc])+
            pub(super) fn $group() -> Router<App> {
                Router::new()$(.merge($resource::router()))+
            }
        )+

        /// The rows of all routes, by resource.
        pub const ROUTES: Routes = Routes(&[$($($resource::ROUTES),+),+]);

        /// Returns the description of all routes for programs; `openapi.json` is this, written down.
        #[must_use]
        pub fn description() -> utoipa::openapi::OpenApi {
            let mut api = Head::openapi();
            $($(api.merge($resource::described());)+)+
            described::complete(&mut api, ROUTES);
            api
        }

        /// Returns the query parameters of all rows, as they are described and as handlers read them.
        #[cfg(test)]
        fn queries() -> Vec<queries::Row> {
            let mut all = Vec::new();
            $($(all.extend($resource::queries());)+)+
            all
        }
    };
}

resources! {
    /// Returns the routes whose bodies may be files.
    files: maps works extensions workshop records library puzzles set_puzzles studies;
    /// Returns the other routes that are answered at once.
    answers: balance games people account session openid token profile tables inbox notices mail bot challenge
        together moderation staff positions links analysis worker health;
    /// Returns the routes that go on until one side ends them.
    lasting: sockets streams;
}

/// Returns the probes, for the keeper's own listener.
pub(super) fn probes() -> Router<App> {
    health::router()
}

/// The head of the description, and the types that no row names.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Qiguan hall",
        description = "Games, tables and records of a hall. The WebSocket is described in docs/hall-protocol.md."
    ),
    components(schemas(
        crate::refusal::RefusalBody,
        wire::ServerMessage,
        wire::ClientMessage,
        wire::AnalysisRequest,
        wire::AnalysisMessage,
        wire::StudySay,
        wire::StudyHear
    ))
)]
struct Head;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::description;
    use serde_json::Value;

    /// Writes a line for each address and type, so that a change is a short diff.
    fn written(value: &Value, depth: usize) -> String {
        match value {
            Value::Object(parts) if depth < 3 => {
                let sorted: BTreeMap<_, _> = parts.iter().collect();
                let lines: Vec<String> = sorted
                    .into_iter()
                    .map(|(name, part)| {
                        format!("{}:{}", Value::from(name.as_str()), written(part, depth + 1))
                    })
                    .collect();
                format!("{{\n{}\n}}", lines.join(",\n"))
            }
            _ => value.to_string(),
        }
    }

    #[test]
    fn the_description_is_written_down() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
        let described = serde_json::to_value(description()).expect("plain data");
        let text = written(&described, 0) + "\n";
        if std::env::var_os("QIGUAN_BLESS").is_some() {
            std::fs::write(path, &text).expect("writes");
        }
        let known = std::fs::read_to_string(path).expect("openapi.json");
        assert!(known == text, "openapi.json is stale: QIGUAN_BLESS=1 cargo test -p hall --lib written_down");
    }
}
