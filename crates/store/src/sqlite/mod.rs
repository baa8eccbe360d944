//! SQLite: write-ahead log, `synchronous=FULL`, one writer that commits in groups.
//!
//! Reading order: `stock` (the store and its readers), `open` (checks before a folder is used), `schema` (migrations), `writer` (all writing), `db` (the
//! SQLite side of the shared SQL in `sql`), `backup`, `rebuild` (derived rows).

/// Runs a read with the pool of readers; if the readers were closed meanwhile because the database is reopened, runs
/// it again with the new ones.
macro_rules! read {
    ($store:ident, $readers:ident => $read:expr) => {{
        let mut tries = 0;
        loop {
            let $readers = &$store.readers();
            let found = $read;
            if found.is_ok() || !$readers.is_closed() || tries == 40 {
                break found;
            }
            tries += 1;
            tokio::time::sleep(std::time::Duration::from_millis(25)).await;
        }
    }};
}

/// Writes the condition that a truth value holds: SQLite has numbers for them, and finds an index of the rows where
/// one holds by exactly this text.
macro_rules! holds {
    ($column:literal) => {
        concat!($column, " = 1")
    };
}

mod backup;
mod db;
mod disk;
mod open;
mod rebuild;
mod schema;
#[path = "../sql/mod.rs"]
mod sql;
mod stock;
mod writer;

pub use backup::{backup, check, check_at_rest, restore};
pub use open::Open;
pub use rebuild::{Rebuilt, rebuild, recompute_ratings};
pub(crate) use stock::Sqlite as Stock;
