//! Programs that play: what is answered at once.

use super::resource::resource;
use crate::http::bot::{self, Words};
use crate::scopes::{PLAY, PROGRAM};

resource! { bot;

    /// Converts the asker's account to a program's, for good. It is marked, plays casual games, and must not have sat
    /// at a table before.
    post "/api/bot/account/upgrade" => upgrade { needs: PROGRAM, 204, refuses: 409 }

    /// Plays a move, by its machine text.
    post "/api/bot/game/{id}/move/{move}" => play { needs: PLAY, 204 }

    /// Sends a chat message to the other player: one of `phrase` and `text`.
    post "/api/bot/game/{id}/chat" => chat { needs: PLAY, body: Words, 204 }

    /// Aborts a game in which not both sides have moved.
    post "/api/bot/game/{id}/abort" => abort { needs: PLAY, 204 }

    /// Resigns a game.
    post "/api/bot/game/{id}/resign" => resign { needs: PLAY, 204 }

    /// Offers or accepts a draw (`yes`), or declines one (`no`).
    post "/api/bot/game/{id}/draw/{yes}" => draw { needs: PLAY, 204 }

    /// Asks for or grants a takeback (`yes`), or declines one (`no`).
    post "/api/bot/game/{id}/takeback/{yes}" => takeback { needs: PLAY, 204 }
}
