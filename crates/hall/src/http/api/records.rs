//! Records of games: a table as a file, a file as a table.

use wire::{Created, ImportRecord};

use super::described::records;
use super::resource::resource;
use crate::http::records;
use crate::scopes::Needed::Public;
use crate::scopes::PLAY;

resource! { records;

    /// Returns the record of a table as a file.
    get "/api/tables/{id}/record" => record {
        needs: Public,
        query: { "format": Option<String> },
        formats: records(&[]),
    }

    /// Opens a table at the end of a record.
    post "/api/records" => import { needs: PLAY, body: ImportRecord, 201: Created }
}
