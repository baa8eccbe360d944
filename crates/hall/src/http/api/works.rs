//! The shelf of maps as works.

use wire::{Gallery, MapDiff, NewListing, NewStars, NewWork, WorkInfo};

use super::resource::resource;
use crate::http::works;
use crate::scopes::Needed::{Public, Session};
use crate::scopes::PLAY;

resource! { works;

    /// Returns a page of the gallery: `sort` is `newest`, `played`, `stars`, `even` or `name`; `mine` finds the asker's
    /// own, including unlisted ones.
    get "/api/works" => list {
        needs: Public,
        query: { "search": Option<String>, "sort": Option<String>, "page": Option<u32>, "mine": Option<bool> },
        200: Gallery,
    }

    /// Puts a map on the shelf as a work, or as the next version of the asker's own. It is played first, as by
    /// `/api/maps`. An author who did not see the newest version gets `work-newer-version` (409), and may publish again
    /// with that `base`, or as a new work.
    post "/api/works" => publish { needs: PLAY, body: NewWork, 201: WorkInfo, refuses: 404 409 422 507 }

    /// Returns all data of a work, by its address or by the map of one of its versions.
    get "/api/works/{id}" => work { needs: Public, 200: WorkInfo }

    /// Deletes the asker's own work, as long as no other person has played it.
    delete "/api/works/{id}" => remove { needs: Session, 204, refuses: 409 }

    /// Gives a work stars, in place of the asker's earlier ones; for people who finished a game on it.
    put "/api/works/{id}/stars" => stars { needs: Session, body: NewStars, 204 }

    /// Shows the asker's own work in lists, or hides it; its address works as before.
    put "/api/works/{id}/listed" => listed { needs: Session, body: NewListing, 204 }

    /// Returns the differences of a map from another one: board, rules, code.
    get "/api/maps/{id}/diff/{other}" => diff { needs: Public, 200: MapDiff, refuses: 422 }

    /// Returns a small picture of a map's board.
    get "/api/maps/{id}/picture.svg" => picture { needs: Public, 200: String as "image/svg+xml" }
}
