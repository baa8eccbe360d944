//! Puzzles, and the judgement of answers.

use wire::{PuzzleAnswer, PuzzleFamilies, PuzzleTold, PuzzleTry};

use super::resource::resource;
use crate::http::puzzles;
use crate::scopes::Needed::Public;
use crate::scopes::STUDY;

resource! { puzzles;

    /// Returns the numbers of puzzles by family, with the asker's rating and counts.
    get "/api/puzzles" => families { needs: Public, 200: PuzzleFamilies, refuses: 404 }

    /// Returns the puzzle of the day of a family, the same for everybody.
    get "/api/puzzles/daily" => daily {
        needs: Public,
        query: { "family": String },
        200: PuzzleTold,
        refuses: 404,
    }

    /// Returns a puzzle of a family, by theme, near a rating or the asker's own, or from those they missed in their
    /// games.
    get "/api/puzzles/next" => next {
        needs: Public,
        query: { "family": String, "theme": Option<String>, "mine": Option<bool>, "rating": Option<f64> },
        200: PuzzleTold,
        refuses: 404,
    }

    /// Returns a puzzle by its id.
    get "/api/puzzles/{id}" => one { needs: Public, 200: PuzzleTold }

    /// Judges an answer: all moves of the solver so far. A wrong turn is played, and refuted by our engine.
    post "/api/puzzles/{id}/try" => answer { needs: STUDY, body: PuzzleTry, 200: PuzzleAnswer }
}
