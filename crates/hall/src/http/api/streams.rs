//! Streams for programs, which go on until one side ends them.

use super::resource::resource;
use crate::http::bot;
use crate::scopes::{PLAY, READ};

resource! { bot;

    /// Streams the asker's events: games that begin and end, challenges. Lines of JSON (`StreamEvent`), and empty lines
    /// every seven seconds; it begins with the games that run and the challenges that wait.
    get "/api/stream/event" => events { needs: READ, 200: wire::StreamEvent as "application/x-ndjson" }

    /// Streams a game of the asker's own: everything (`gameFull`), then the state after each event, with the legal
    /// moves when the asker is to move. Lines of JSON (`GameEvent`), and empty lines every seven seconds; it ends with
    /// the game.
    get "/api/bot/game/stream/{id}" => game { needs: PLAY, 200: wire::GameEvent as "application/x-ndjson" }
}
