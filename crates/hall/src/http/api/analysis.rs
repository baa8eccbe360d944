//! Hints, lines beside a game, and reports.

use wire::{Aside, Hint, Replay, Report};

use super::resource::resource;
// Programs know these operations by the tag `study`.
use crate::http::analysis as study;
use crate::scopes::STUDY;

resource! { study;

    /// Returns the best move, for the player who is to move; on one screen, and against a program.
    post "/api/tables/{id}/hint" => hint { needs: STUDY, 200: Hint }

    /// Returns the positions along a line beside the game.
    post "/api/tables/{id}/aside" => aside { needs: STUDY, body: Aside, 200: Replay }

    /// Returns the report about a finished game, as far as it has come; the first request begins it.
    post "/api/tables/{id}/report" => report { needs: STUDY, 200: Report }
}
