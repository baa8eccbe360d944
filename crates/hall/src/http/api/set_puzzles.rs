//! Puzzles that people set on maps.

use wire::{MapPuzzles, NewPuzzle, PuzzleProved};

use super::resource::resource;
use crate::http::set_puzzles;
use crate::scopes::Needed::{Public, Session};
use crate::scopes::STUDY;

resource! { set_puzzles;

    /// Returns the puzzles that people set on a map, and on the other versions of it; the newest first, at most 200.
    get "/api/maps/{id}/puzzles" => list { needs: Public, 200: MapPuzzles }

    /// Proves a puzzle on a map: the side to move wins, or takes a piece, within a number of moves against any answer.
    /// Otherwise it is refused with the line that prevents it. With `keep` it is stored, and listed among the puzzles
    /// of the map.
    post "/api/maps/{id}/puzzles" => place {
        needs: STUDY,
        body: NewPuzzle,
        200: PuzzleProved,
        201: PuzzleProved,
        refuses: 422 507,
    }

    /// Deletes a puzzle that the asker set.
    delete "/api/puzzles/{id}" => remove { needs: Session, 204 }
}
