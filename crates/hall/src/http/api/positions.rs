//! Positions of games, and positions that a person sets up.

use wire::{Details, Lessons, Replay, SetUp, Standing};

use super::resource::resource;
use crate::http::positions::{self, Fen};
use crate::scopes::Needed::Public;
use crate::scopes::READ;

resource! { positions;

    /// Returns a part of the game as a film: the picture after `from` plies, and the changes of each of the next plies.
    /// At most `plies` of them, and no more than the hall returns at once: a further request from the end of this one
    /// returns the rest.
    get "/api/tables/{id}/replay" => replay {
        needs: Public,
        query: { "from": Option<usize>, "plies": Option<usize> },
        200: Replay,
    }

    /// Returns a position of the game as one line of text.
    get "/api/tables/{id}/fen" => fen { needs: Public, query: { "ply": Option<usize> }, 200: Fen }

    /// Returns the patterns that a teacher would point at in the current position; not while two people play.
    get "/api/tables/{id}/lessons" => lessons { needs: Public, 200: Lessons }

    /// Returns details about the piece on a cell.
    get "/api/tables/{id}/details" => details { needs: Public, query: { "cell": u16 }, 200: Details }

    /// Validates a position from which a game may start, or returns the reason why none may.
    post "/api/positions" => position { needs: READ, body: SetUp, 200: Standing }
}
