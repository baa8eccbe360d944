//! The file: its tables and indexes, and its opening.
//!
//! A game has a narrow row, which sorting and filtering read, and a wide one (`body`) with its moves. Positions are
//! stored in sorted runs of compressed blocks ([`crate::runs`]), patterns in lists by piece and place
//! ([`crate::pattern`]).

use std::path::Path;
use std::time::Duration;

use kernel::Problem;
use rusqlite::{Connection, OpenFlags};

use crate::fault;

/// The version of the tables that this program writes.
///
/// 2: spans count the pieces of each kind, too. 3: names of collections are unique by owner, not overall. 4: moves of
/// opening books are stored beside the games.
const VERSION: i64 = 4;
/// The time for which one writer waits for another, such as the hall for `qiguan library import`.
const PATIENCE: Duration = Duration::from_secs(60);

const COLLECTION: &str = "
CREATE TABLE collection (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    owner TEXT NOT NULL,
    access INTEGER NOT NULL,
    games INTEGER NOT NULL DEFAULT 0,
    made_ms INTEGER NOT NULL,
    secret TEXT NOT NULL DEFAULT (lower(hex(randomblob(10)))),
    UNIQUE (owner, folded)
);
CREATE INDEX collection_folded ON collection (folded);
";

/// The migration to names of collections that are unique by owner. It copies the table, because SQLite cannot drop
/// the unique constraint of the old column.
const OWN_NAMES: &str = "
INSERT INTO collection (id, name, folded, owner, access, games, made_ms, secret)
    SELECT id, name, folded, owner, access, games, made_ms, secret FROM collection_before;
DROP TABLE collection_before;
";

/// The table of moves of opening books, with their numbers of games, and a value for the side that makes the move.
const BOOK: &str = "
CREATE TABLE IF NOT EXISTS book (
    collection INTEGER NOT NULL,
    position INTEGER NOT NULL,
    play INTEGER NOT NULL,
    games INTEGER NOT NULL,
    first_wins INTEGER NOT NULL,
    second_wins INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (collection, position, play)
) WITHOUT ROWID;
";

const TABLES: &str = "
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

/// Opens a file for writing, or creates it; `upgrade` migrates a file of the previous version, in the transaction
/// that sets the new version.
pub(crate) fn open(
    path: &Path,
    upgrade: impl FnOnce(&Connection) -> Result<(), Problem>,
) -> Result<Connection, Problem> {
    let mut connection = Connection::open(path).map_err(fault)?;
    connection.busy_timeout(PATIENCE).map_err(fault)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection
        .execute_batch(
            // What was taken in is on the disk before it is acknowledged.
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768;
             PRAGMA journal_size_limit = 67108864; PRAGMA temp_store = MEMORY;",
        )
        .map_err(fault)?;
    let making =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).map_err(fault)?;
    let version: i64 = making.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(fault)?;
    match version {
        0 => {
            making.execute_batch(COLLECTION).map_err(fault)?;
            making.execute_batch(TABLES).map_err(fault)?;
            making.execute_batch(BOOK).map_err(fault)?;
            making.execute_batch(&format!("PRAGMA user_version = {VERSION}")).map_err(fault)?;
        }
        1..VERSION => {
            if version == 1 {
                upgrade(&making)?;
            }
            if version < 3 {
                // An index keeps its name when its table gets another one.
                let aside = "DROP INDEX IF EXISTS collection_folded; ALTER TABLE collection RENAME TO collection_before";
                making.execute_batch(aside).map_err(fault)?;
                making.execute_batch(COLLECTION).map_err(fault)?;
                making.execute_batch(OWN_NAMES).map_err(fault)?;
            }
            making.execute_batch(BOOK).map_err(fault)?;
            making.execute_batch(&format!("PRAGMA user_version = {VERSION}")).map_err(fault)?;
        }
        VERSION => {}
        newer => return Err(Problem::new("library-newer").with("version", newer)),
    }
    making.commit().map_err(fault)?;
    Ok(connection)
}

/// Opens a file for reading.
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

#[cfg(test)]
mod tests {
    use crate::{Access, Library};

    use super::*;

    fn number(connection: &Connection, pragma: &str) -> i64 {
        connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0)).expect("a number")
    }

    /// A11: an import that was acknowledged is on the disk; with NORMAL it was only on its way there.
    #[test]
    fn what_is_acknowledged_is_on_the_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = open(&folder.path().join("games"), |_| Ok(())).expect("opens");
        assert_eq!(number(&connection, "synchronous"), 2, "FULL");
    }

    /// A7: names of collections are unique by owner; the collections of a file of an older version stay as they are.
    #[test]
    fn names_of_a_file_of_before_become_their_owners() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        drop(open(&path, |_| Ok(())).expect("opens"));
        let old = Connection::open(&path).expect("opens");
        let before = COLLECTION.replace("folded TEXT NOT NULL,", "folded TEXT NOT NULL UNIQUE,").replace(
            "(lower(hex(randomblob(10)))),\n    UNIQUE (owner, folded)",
            "(lower(hex(randomblob(10))))",
        );
        let before = before.replace("CREATE INDEX collection_folded ON collection (folded);", "");
        assert_ne!(before, COLLECTION);
        old.execute_batch(&format!("DROP TABLE collection; {before} PRAGMA user_version = 2"))
            .expect("is made");
        let made = "INSERT INTO collection (id, name, folded, owner, access, games, made_ms, secret)
            VALUES (7, 'My games', 'my games', 'ann', 1, 3, 5, 'secret')";
        old.execute_batch(made).expect("is made");
        drop(old);
        let library = Library::open(&path).expect("is brought up to date");
        let mine = library.owned("MY GAMES", "ann").expect("is there");
        assert_eq!((mine.id, mine.games, mine.secret.as_str()), (7, 3, "secret"));
        assert_eq!(library.make("My games", "bob", Access::Private, 9).expect("another's").owner, "bob");
        let taken = library.make("my games", "ann", Access::Private, 9).expect_err("one's own");
        assert_eq!(taken.key, "library-name-taken");
        assert_eq!(number(&open_to_read(&path).expect("opens"), "user_version"), VERSION);
    }
}
