//! PostgreSQL: the same promises as in one file, for several processes that share one database.
//!
//! Reading order: `stock` (the store and its readers), `open` (checks before a database is used, and the start of a node), `writer` (all writing, and its
//! fencing), `claimed` (ownership of tables), `searches` (searches that wait for workers), `db` (the PostgreSQL side
//! of the shared SQL in `sql`).

/// Runs a read with the pool of readers.
macro_rules! read {
    ($store:ident, $readers:ident => $read:expr) => {{
        let $readers = &$store.readers();
        $read
    }};
}

/// Writes the condition that a truth value holds.
macro_rules! holds {
    ($column:literal) => {
        $column
    };
}

mod claimed;
mod db;
mod open;
mod searches;
#[path = "../sql/mod.rs"]
mod sql;
mod stock;
mod writer;

pub use open::{Join, check_address, check_connection};
pub(crate) use stock::Postgres as Stock;
pub use stock::check_database;
