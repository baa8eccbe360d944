//! Support for a file that is one of several copies: the position it has reached in their common log, and the copying
//! itself.

use std::path::Path;

use kernel::Problem;
use rusqlite::{OptionalExtension, params};

use crate::shelf::{Shelf, fault};

impl Shelf {
    /// Returns the number and the id of the last entry that was [noted](Shelf::note_carried_out); `None` in a file
    /// that is not one of several copies.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn carried_out(&self) -> Result<Option<(u64, String)>, Problem> {
        let file = self.lock();
        let known = file.query_row(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'carried_out'",
            [],
            |row| row.get::<_, i64>(0),
        );
        if known.map_err(fault)? == 0 {
            return Ok(None);
        }
        let row = file.query_row("SELECT n, id FROM carried_out", [], |row| {
            Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?))
        });
        row.optional().map_err(fault)
    }

    /// Notes the last entry of the common log that the file has carried out.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn note_carried_out(&self, n: u64, id: &str) -> Result<(), Problem> {
        let file = self.lock();
        file.execute_batch("CREATE TABLE IF NOT EXISTS carried_out (one INTEGER PRIMARY KEY, n INTEGER NOT NULL, id TEXT NOT NULL)")
            .and_then(|()| {
                file.execute("INSERT OR REPLACE INTO carried_out (one, n, id) VALUES (1, ?1, ?2)", params![n as i64, id])
            })
            .map(drop)
            .map_err(fault)
    }

    /// Writes a copy of the file, which must not be there. Nothing is written to this one meanwhile.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn copy_to(&self, path: &Path) -> Result<(), Problem> {
        let path = path.to_string_lossy();
        self.lock().execute("VACUUM INTO ?1", [&*path]).map(drop).map_err(fault)
    }
}
