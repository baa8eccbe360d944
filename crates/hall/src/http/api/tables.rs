//! Tables: the lobby, creation, pairing, and the log of a table.

use wire::{Created, LogLine, OpenTable, PlayNow, PlayNowTold, PoolLeft, TableLine, Tables};

use super::resource::resource;
use crate::http::tables::{self, Room};
use crate::scopes::CHALLENGE;
use crate::scopes::Needed::Public;

resource! { tables;

    /// Returns the lobby, the newest tables first: those that wait (`open`) and those that are played (`live`), or only
    /// one kind. Of one person, and from one address, more than a few come after all others. Where there are more, a
    /// `Link` header has the next page; its `after` names the last line of this one.
    get "/api/tables" => tables {
        needs: Public,
        query: { "kind": Option<String>, "after": Option<String>, "most": Option<usize> },
        200: Tables,
    }

    /// Opens a table.
    post "/api/tables" => create { needs: CHALLENGE, body: OpenTable, 201: Created }

    /// Returns the running game of each family that is most worth watching: by ratings, then by the number of
    /// spectators.
    get "/api/tv" => tv { needs: Public, 200: Vec<TableLine> }

    /// Returns the table of an open room.
    get "/api/rooms/{name}" => room { needs: Public, 200: Room }

    /// Returns the whole state of a table.
    get "/api/tables/{id}" => table { needs: Public, 200: wire::ServerMessage }

    /// Returns the events of a table.
    get "/api/tables/{id}/log" => log { needs: Public, query: { "since": Option<u64> }, 200: Vec<LogLine> }

    /// Waits for an opponent who wants to play the same, or returns the table at which one was found. Repeat the
    /// request every second until there is a table; a person without a request for five seconds leaves the queue.
    post "/api/pool" => play_now { needs: CHALLENGE, body: PlayNow, 200: PlayNowTold }

    /// Leaves the queue. If an opponent was found meanwhile, the answer is the table at which they wait.
    delete "/api/pool" => leave_pool { needs: CHALLENGE, 200: PoolLeft, 204 }

    /// Leaves the queue, as a page requests when it is closed: the answer is empty, since the page cannot read it.
    post "/api/pool/leave" => close_pool { needs: CHALLENGE, 204 }
}
