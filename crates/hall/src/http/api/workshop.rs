//! The workshop, where maps are edited.

use wire::{BoardCsv, DraftChecked, DraftRead, MapCheck, MapDraft, ReadBoard, Workbook};

use super::resource::resource;
use crate::http::workshop;
use crate::scopes::PLAY;

resource! { workshop;

    /// Reads a workbook into the editor.
    post "/api/workshop/read" => read_draft { needs: PLAY, body: Workbook, 200: DraftRead }

    /// Validates a map that is being edited, and returns all faults.
    post "/api/workshop/check" => check_draft { needs: PLAY, body: MapDraft, 200: DraftChecked }

    /// Writes a map as a workbook.
    post "/api/workshop/write" => write_draft { needs: PLAY, body: MapDraft, 200: Workbook, 422: MapCheck }

    /// Reads a board of comma-separated values into a map that is being edited; faults are returned with their line and
    /// column.
    post "/api/workshop/board/read" => read_board { needs: PLAY, body: ReadBoard, 200: MapDraft }

    /// Writes the board of a map as comma-separated values.
    post "/api/workshop/board/write" => write_board { needs: PLAY, body: MapDraft, 200: BoardCsv }
}
