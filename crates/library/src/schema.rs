//! The file: tables, indexes, and how it is opened.
//!
//! A game is a narrow row, which sorting and filtering read, and a wide one (`body`) with its moves. Positions stand in
//! sorted runs of compressed blocks ([`crate::runs`]), patterns in lists by piece and place ([`crate::pattern`]).

use std::path::Path;
use std::time::Duration;

use kernel::Problem;
use rusqlite::{Connection, OpenFlags};

use crate::fault;

/// The version of the tables that this program writes.
///
/// 2: spans count the pieces of each kind, too.
const VERSION: i64 = 2;
/// How long one writer waits for another, such as the hall for `qiguan library import`.
const PATIENCE: Duration = Duration::from_secs(60);

const TABLES: &str = "
CREATE TABLE collection (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    access INTEGER NOT NULL,
    games INTEGER NOT NULL DEFAULT 0,
    made_ms INTEGER NOT NULL,
    secret TEXT NOT NULL DEFAULT (lower(hex(randomblob(10))))
);
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    folded TEXT NOT NULL,
    games INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE event (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, folded TEXT NOT NULL);
CREATE TABLE rules (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    options TEXT NOT NULL,
    map TEXT NOT NULL,
    UNIQUE (game, options, map)
);
CREATE TABLE move (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    rules INTEGER NOT NULL,
    first INTEGER NOT NULL,
    second INTEGER NOT NULL,
    event INTEGER NOT NULL,
    day INTEGER NOT NULL,
    result INTEGER NOT NULL,
    rating INTEGER NOT NULL,
    first_rating INTEGER NOT NULL,
    second_rating INTEGER NOT NULL,
    plies INTEGER NOT NULL
);
CREATE UNIQUE INDEX game_hash ON game (collection, hash);
CREATE INDEX game_first ON game (first);
CREATE INDEX game_second ON game (second);
CREATE INDEX game_day ON game (day);
CREATE INDEX game_rating ON game (rating);
CREATE INDEX game_plies ON game (plies);
CREATE TABLE body (game INTEGER PRIMARY KEY, start TEXT, moves BLOB NOT NULL, extra BLOB, link TEXT);
CREATE INDEX body_link ON body (link) WHERE link IS NOT NULL;
CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL,
    first_game INTEGER NOT NULL,
    last_game INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    first_block INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    directory BLOB NOT NULL
);
CREATE INDEX run_collection ON run (collection);
CREATE TABLE block (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE hits (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE spans (run INTEGER NOT NULL, feature INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (run, feature));
CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    print TEXT NOT NULL,
    name TEXT NOT NULL,
    read INTEGER NOT NULL DEFAULT 0,
    added INTEGER NOT NULL DEFAULT 0,
    doubles INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    UNIQUE (collection, print)
);
CREATE TABLE refused (
    source INTEGER NOT NULL,
    number INTEGER NOT NULL,
    line INTEGER NOT NULL,
    problem TEXT NOT NULL,
    PRIMARY KEY (source, number)
) WITHOUT ROWID;
";

/// Opens a file to write, or makes it; `upgrade` gets one of the version before, within the transaction that says that it
/// is of this version.
pub(crate) fn open(
    path: &Path,
    upgrade: impl FnOnce(&Connection) -> Result<(), Problem>,
) -> Result<Connection, Problem> {
    let mut connection = Connection::open(path).map_err(fault)?;
    connection.busy_timeout(PATIENCE).map_err(fault)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;
             PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY;",
        )
        .map_err(fault)?;
    let making =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(fault)?;
    let version: i64 = making.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(fault)?;
    match version {
        0 => {
            making.execute_batch(TABLES).map_err(fault)?;
            making.execute_batch(&format!("PRAGMA user_version = {VERSION}")).map_err(fault)?;
        }
        1 => {
            upgrade(&making)?;
            making.execute_batch(&format!("PRAGMA user_version = {VERSION}")).map_err(fault)?;
        }
        VERSION => {}
        newer => return Err(Problem::new("library-newer").with("version", newer)),
    }
    making.commit().map_err(fault)?;
    Ok(connection)
}

/// Opens a file to read.
pub(crate) fn open_to_read(path: &Path) -> Result<Connection, Problem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(fault)?;
    connection.busy_timeout(PATIENCE).map_err(fault)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection
        .execute_batch("PRAGMA cache_size = -16384; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;")
        .map_err(fault)?;
    Ok(connection)
}
