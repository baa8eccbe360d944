//! Support for a file that is one of several copies: the position it has reached in their common log, and the copying
//! itself.

use std::path::Path;

use kernel::Problem;
use rusqlite::{Connection, OptionalExtension, params};

use crate::{Library, fault};

/// Notes the last entry that was carried out, within the open transaction.
pub(crate) fn note(connection: &Connection, n: u64, id: &str) -> Result<(), Problem> {
    connection
        .execute_batch("CREATE TABLE IF NOT EXISTS carried_out (one INTEGER PRIMARY KEY, n INTEGER NOT NULL, id TEXT NOT NULL)")
        .and_then(|()| {
            connection.execute("INSERT OR REPLACE INTO carried_out (one, n, id) VALUES (1, ?1, ?2)", params![n as i64, id])
        })
        .map(drop)
        .map_err(fault)
}

impl Library {
    /// Returns the number and the id of the last entry that was [noted](Library::note_carried_out); `None` in a file
    /// that is not one of several copies.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn carried_out(&self) -> Result<Option<(u64, String)>, Problem> {
        let writer = self.writer();
        let known = writer.query_row(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'carried_out'",
            [],
            |row| row.get::<_, i64>(0),
        );
        if known.map_err(fault)? == 0 {
            return Ok(None);
        }
        let row = writer.query_row("SELECT n, id FROM carried_out", [], |row| {
            Ok((row.get::<_, i64>(0)?.unsigned_abs(), row.get(1)?))
        });
        row.optional().map_err(fault)
    }

    /// Notes the last entry of the common log that the file has carried out.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn note_carried_out(&self, n: u64, id: &str) -> Result<(), Problem> {
        note(&self.writer(), n, id)
    }

    /// Writes a copy of the file, which must not be there. Nothing is written to this one meanwhile.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn copy_to(&self, path: &Path) -> Result<(), Problem> {
        let path = path.to_string_lossy();
        self.writer().execute("VACUUM INTO ?1", [&*path]).map(drop).map_err(fault)
    }
}
