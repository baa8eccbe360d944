//! The library of games.

use wire::{FoundGames, GameCollection, ImportGames, ImportedGames, LibraryGame, NewCollection, PlayedMoves};

use super::described::records;
use super::resource::resource;
use crate::http::library;
use crate::scopes::Needed::{Public, Session};
use crate::scopes::STUDY;

resource! { library;

    /// Returns the collections that the asker may see. Where there are more, a `Link` header has the address of the
    /// next page.
    get "/api/library" => collections {
        needs: Public,
        query: { "page": Option<usize> },
        200: Vec<GameCollection>,
        refuses: 404,
    }

    /// Creates a collection; for people with an account.
    post "/api/library" => make { needs: STUDY, body: NewCollection, 201: GameCollection }

    /// Deletes a collection of the asker's own with its games.
    delete "/api/library/collections/{key}" => remove { needs: Session, 200 }

    /// Imports the games of a file into a collection of the asker's own. A long file takes several requests: the same
    /// request again goes on where the last one stopped.
    post "/api/library/collections/{key}/games" => import {
        needs: STUDY,
        body: ImportGames,
        200: ImportedGames,
    }

    /// Returns the games that fit, a page at a time.
    get "/api/library/games" => search {
        needs: Public,
        query: {
            "collection": Option<String>, "player": Option<String>, "first": Option<String>,
            "second": Option<String>, "event": Option<String>, "since": Option<String>,
            "until": Option<String>, "result": Option<String>, "rating": Option<u32>, "least": Option<u32>,
            "most": Option<u32>, "pieces": Option<String>, "counts": Option<String>, "sort": Option<String>,
            "after": Option<String>, "table": Option<String>, "ply": Option<u32>, "game": Option<String>,
            "options": Option<String>, "fen": Option<String>, "moves": Option<String>
        },
        200: FoundGames,
        refuses: 404,
    }

    /// Returns a game of a collection, with its positions.
    get "/api/library/games/{id}" => game {
        needs: Public,
        parts: { "id": u32 },
        query: { "collection": Option<String> },
        200: LibraryGame,
    }

    /// Returns a game of a collection as a file.
    get "/api/library/games/{id}/record" => file {
        needs: Public,
        parts: { "id": u32 },
        query: { "collection": Option<String>, "format": Option<String> },
        formats: records(&[]),
    }

    /// Returns the moves that were played in a position, with their results.
    get "/api/library/explore" => explore {
        needs: Public,
        query: {
            "collection": Option<String>, "player": Option<String>, "table": Option<String>,
            "ply": Option<u32>, "game": Option<String>, "options": Option<String>, "fen": Option<String>,
            "moves": Option<String>
        },
        200: PlayedMoves,
        refuses: 404,
    }
}
