//! Maps that users make.

use wire::{MapCheck, MapInfo, MapLine, UploadMap};

use super::resource::resource;
use crate::http::maps::{self, XLSX};
use crate::scopes::Needed::Public;
use crate::scopes::PLAY;

resource! { maps;

    /// Validates a map and its extensions and returns all faults; stores nothing. Unless it is a `trial` it is played,
    /// too: 200 random games and 20 of the engine, as when it is put on the shelf, which may take ten seconds.
    post "/api/maps/check" => check { needs: PLAY, body: UploadMap, 200: MapCheck }

    /// Stores a map for everybody. The same files are the same map, however often they are uploaded. Unless it is a
    /// `trial` it is played first, as by `/api/maps/check`; where something fails it is not stored.
    post "/api/maps" => keep { needs: PLAY, body: UploadMap, 201: MapInfo, 422: MapCheck, refuses: 507 }

    /// Returns the shelf: the hall's own maps, and the newest of the others whose names contain `search`, at most 100.
    get "/api/maps" => list { needs: Public, query: { "search": Option<String> }, 200: Vec<MapLine> }

    /// Returns a description of a map for players, before they sit down.
    get "/api/maps/{id}" => info { needs: Public, 200: MapInfo }

    /// Returns the map's workbook.
    get "/api/maps/{id}/map.xlsx" => workbook { needs: Public, formats: vec![XLSX] }

    /// Returns one of the map's extensions, counted from 0.
    get "/api/maps/{id}/extensions/{n}" => extension { needs: Public, parts: { "n": usize }, 200: String }
}
