//! Studies that people save.

use wire::{NewStudy, StudyDone, StudyFilm, StudyFormat, StudyList, StudyShown, StudyStart, StudyWished};

use super::described::records;
use super::resource::resource;
use crate::http::studies;
use crate::scopes::Needed::{Public, Session};
use crate::scopes::STUDY;

resource! { studies;

    /// Returns public studies, or with `mine` those the asker owns or may change; changed last first.
    get "/api/studies" => list {
        needs: Public,
        query: { "search": Option<String>, "page": Option<u32>, "mine": Option<bool> },
        200: StudyList,
    }

    /// Creates a study from a table, a file, a position or the start of a game; for people with an account.
    post "/api/studies" => make { needs: STUDY, body: NewStudy, 201: StudyShown }

    /// Returns a study with all its chapters, and the asker's role in it.
    get "/api/studies/{id}" => one { needs: Public, 200: StudyShown }

    /// Deletes a study of the asker's own.
    delete "/api/studies/{id}" => remove { needs: Session, 204 }

    /// Changes a study. The answer has the events; people who look at the study get the same.
    post "/api/studies/{id}/changes" => change {
        needs: STUDY,
        body: StudyWished,
        200: StudyDone,
        refuses: 409,
    }

    /// Adds chapters: one, or one for each game of a file.
    post "/api/studies/{id}/chapters" => add { needs: STUDY, body: StudyStart, 200: StudyDone }

    /// Returns a line of a chapter as positions: through `node`, to the end of its line or as far as one answer goes.
    get "/api/studies/{id}/chapters/{chapter}/film" => film {
        needs: Public,
        parts: { "chapter": u32 },
        query: { "node": Option<u32> },
        200: StudyFilm,
        refuses: 409,
    }

    /// Returns the formats that a chapter can be saved in, or without `chapter` the whole study, with the parts that
    /// each of them does not keep.
    get "/api/studies/{id}/formats" => formats {
        needs: Public,
        query: { "chapter": Option<u32> },
        200: Vec<StudyFormat>,
    }

    /// Returns a chapter as a file, or without `chapter` the whole study. The parts that the format cannot keep are
    /// named in the header `qiguan-lost`, with commas between.
    get "/api/studies/{id}/record" => record {
        needs: Public,
        query: { "chapter": Option<u32>, "format": String },
        formats: records(&[]),
    }
}
