//! WebSockets; `docs/hall-protocol.md` describes their messages.

use super::resource::resource;
use crate::http::sockets;
use crate::scopes::{PLAY, READ, STUDY};

resource! { sockets;

    /// Opens the connection to a table: all that happens there since a version, and what the asker does there.
    get "/ws" => table_socket { needs: PLAY, query: { "table": String, "since": Option<u64> }, 101 }

    /// Opens the connection to the lobby: the list of its tables, then the changes, and the asker's own news.
    get "/ws/lobby" => lobby_socket { needs: READ, 101 }

    /// Opens the connection of a page that is neither the lobby nor a table: its person counts as present, and gets
    /// their own news.
    get "/ws/here" => here_socket { needs: READ, 101 }

    /// Opens an analysis of a table's game.
    get "/ws/study" => study_socket { needs: STUDY, query: { "table": String, "since": Option<u64> }, 101 }

    /// Opens the connection of a page that shows a saved study: the events since a version, then new ones.
    get "/ws/studies/{id}" => saved_socket { needs: READ, query: { "since": u64 }, 101 }
}
