//! The library of games: collections of records that can be searched, and statistics of the moves in each position.
//!
//! A [`Library`] is one SQLite file beside the hall's database (docs/adr/0024). [`import`] takes records in, each of
//! their moves checked by the game's own rules; [`search`] finds games by their data, by a position or by a pattern;
//! [`explorer`] gives the moves played in a position with their results; [`book`] takes opening books of other
//! programs in, for the explorer; [`copies`] is for halls of several nodes.
//!
//! Reading order: [`walk`] (a record, played through), [`schema`] (the file), [`runs`] (positions, in sorted runs),
//! [`pattern`] (which piece stood where, and how long), [`import`], [`book`], [`search`], [`explorer`], [`export`].

pub mod book;
pub mod copies;
pub mod day;
pub mod explorer;
pub mod export;
pub mod fold;
pub mod import;
pub mod openings;
pub mod pattern;
pub mod runs;
pub mod schema;
pub mod search;
pub mod varint;
pub mod walk;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::Problem;
use rusqlite::{Connection, OptionalExtension, params};

pub use book::Book;
pub use day::Day;
pub use explorer::{Explored, ExplorerQuery, Move};
pub use import::{Import, ImportProgress};
pub use search::{Found, Page, Query, Sort};
pub use walk::{Opener, Walked};

/// The most connections for reading that are kept open.
const KEPT: usize = 4;
/// The most directories of runs that are kept in memory.
const MOST_DIRECTORIES: usize = 512;
/// The longest name of a collection, in letters.
pub const MOST_NAME: usize = 60;

/// The query whose rows [`collection_of`] reads.
const COLLECTIONS: &str = "SELECT id, name, owner, access, games, made_ms, secret,
    EXISTS (SELECT 1 FROM book WHERE book.collection = collection.id) FROM collection";

/// The audience of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Visible only to its owner.
    Private,
    /// Visible to every person who has the link.
    Link,
    /// Visible to everybody.
    Public,
}

impl Access {
    /// Returns the key: `private`, `link` or `public`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Access::Private => "private",
            Access::Link => "link",
            Access::Public => "public",
        }
    }

    /// Returns the access with that key.
    #[must_use]
    pub fn keyed(key: &str) -> Option<Access> {
        [Access::Private, Access::Link, Access::Public].into_iter().find(|access| access.key() == key)
    }

    pub(crate) const fn number(self) -> i64 {
        self as i64
    }

    pub(crate) const fn numbered(number: i64) -> Access {
        match number {
            1 => Access::Link,
            2 => Access::Public,
            _ => Access::Private,
        }
    }
}

/// A named collection of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    /// The number of the collection in this library.
    pub id: i64,
    /// The name, unique among the collections of one owner.
    pub name: String,
    /// The id of the owner; empty for a collection of the hall's operator.
    pub owner: String,
    /// The people who may see it.
    pub access: Access,
    /// The number of games.
    pub games: u64,
    /// The time at which it was made, in Unix milliseconds.
    pub made_ms: u64,
    /// The random secret in a link to it.
    pub secret: String,
    /// True if it has moves of opening books, too.
    pub has_book: bool,
}

/// The sizes of the file and its indexes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes {
    /// The number of distinct pairs of a position and a move, counted by collection; pairs in two runs of one
    /// collection count twice until the runs are merged.
    pub entries: u64,
    /// The bytes of the index of positions.
    pub position_bytes: u64,
    /// The bytes of the index of patterns.
    pub pattern_bytes: u64,
    /// The bytes of the whole file.
    pub file_bytes: u64,
    /// The number of sorted runs.
    pub runs: u64,
}

/// A file of games. It can be used from many threads; one at a time writes.
pub struct Library {
    path: PathBuf,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
    directories: Mutex<HashMap<i64, Arc<runs::Directory>>>,
}

/// A connection for reading, given back to the pool when it is dropped.
pub(crate) struct Reader<'a> {
    library: &'a Library,
    connection: Option<Connection>,
}

impl std::ops::Deref for Reader<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection.as_ref().expect("it is given back when this is dropped")
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        let mut readers = lock(&self.library.readers);
        if let Some(connection) = self.connection.take()
            && readers.len() < KEPT
        {
            readers.push(connection);
        }
    }
}

/// Locks a mutex, poisoned or not: a panic leaves nothing half done, because SQLite rolls back.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Converts an error of SQLite to `library-storage`.
pub(crate) fn fault(why: rusqlite::Error) -> Problem {
    Problem::new("library-storage").with("detail", why)
}

impl Library {
    /// The name of the file in a data folder.
    pub const FILE: &str = "library.sqlite";

    /// Opens a library, or creates one.
    ///
    /// # Errors
    /// `library-storage`, and `library-newer` for a file of a later version of this program.
    pub fn open(path: &Path) -> Result<Library, Problem> {
        let writer = schema::open(path, import::count_pieces)?;
        Ok(Library {
            path: path.to_owned(),
            writer: Mutex::new(writer),
            readers: Mutex::default(),
            directories: Mutex::default(),
        })
    }

    pub(crate) fn reader(&self) -> Result<Reader<'_>, Problem> {
        let kept = lock(&self.readers).pop();
        let connection = match kept {
            Some(connection) => connection,
            None => schema::open_to_read(&self.path)?,
        };
        Ok(Reader { library: self, connection: Some(connection) })
    }

    pub(crate) fn writer(&self) -> MutexGuard<'_, Connection> {
        lock(&self.writer)
    }

    /// Returns the directory of a run, which is read once.
    pub(crate) fn directory(
        &self,
        connection: &Connection,
        run: i64,
    ) -> Result<Arc<runs::Directory>, Problem> {
        if let Some(known) = lock(&self.directories).get(&run) {
            return Ok(Arc::clone(known));
        }
        let read = Arc::new(runs::Directory::read(connection, run)?);
        let mut known = lock(&self.directories);
        // Another process may merge runs; their ids are never given again.
        if known.len() >= MOST_DIRECTORIES {
            known.clear();
        }
        known.insert(run, Arc::clone(&read));
        Ok(read)
    }

    /// Clears the cached directories of runs, after runs were deleted.
    pub(crate) fn forget_directories(&self) {
        lock(&self.directories).clear();
    }

    /// Returns every collection, by name.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn collections(&self) -> Result<Vec<Collection>, Problem> {
        let reader = self.reader()?;
        let mut rows = reader.prepare_cached(&format!("{COLLECTIONS} ORDER BY name")).map_err(fault)?;
        let found = rows.query_map([], collection_of).map_err(fault)?;
        found.collect::<Result<_, _>>().map_err(fault)
    }

    /// Returns the collection of that name, in any case: of several, the operator's, else the oldest.
    ///
    /// # Errors
    /// `library-no-collection`, `library-storage`.
    pub fn collection(&self, name: &str) -> Result<Collection, Problem> {
        let sql = format!("{COLLECTIONS} WHERE folded = ?1 ORDER BY owner = '' DESC, id LIMIT 1");
        self.found(name, &sql, params![fold::fold(name)])
    }

    /// Returns the collection of that name, in any case, that this person owns.
    ///
    /// # Errors
    /// `library-no-collection`, `library-storage`.
    pub fn owned(&self, name: &str, owner: &str) -> Result<Collection, Problem> {
        let sql = format!("{COLLECTIONS} WHERE folded = ?1 AND owner = ?2");
        self.found(name, &sql, params![fold::fold(name), owner])
    }

    fn found(&self, name: &str, sql: &str, asked: &[&dyn rusqlite::ToSql]) -> Result<Collection, Problem> {
        let found = self.reader()?.query_row(sql, asked, collection_of).optional().map_err(fault)?;
        found.ok_or_else(|| Problem::new("library-no-collection").with("name", name))
    }

    /// Creates a collection. The caller decides which letters a name may have.
    ///
    /// # Errors
    /// `library-name`, `library-name-taken`, `library-storage`.
    pub fn make(&self, name: &str, owner: &str, access: Access, now_ms: u64) -> Result<Collection, Problem> {
        self.make_with(name, owner, access, None, now_ms)
    }

    /// Creates a collection like [`make`](Library::make), with a given secret for links to it; `None`: a new one.
    ///
    /// # Errors
    /// The errors of [`make`](Library::make).
    pub fn make_with(
        &self,
        name: &str,
        owner: &str,
        access: Access,
        secret: Option<&str>,
        now_ms: u64,
    ) -> Result<Collection, Problem> {
        let name = name.trim();
        let letters = name.chars().count();
        if letters == 0 || letters > MOST_NAME || name.chars().any(char::is_control) {
            return Err(Problem::new("library-name").with("limit", MOST_NAME));
        }
        let writer = self.writer();
        let made = writer.execute(
            "INSERT INTO collection (name, folded, owner, access, made_ms, secret)
             VALUES (?1, ?2, ?3, ?4, ?5, coalesce(?6, lower(hex(randomblob(10))))) ON CONFLICT (owner, folded) DO NOTHING",
            params![name, fold::fold(name), owner, access.number(), now_ms as i64, secret],
        );
        if made.map_err(fault)? == 0 {
            return Err(Problem::new("library-name-taken").with("name", name));
        }
        drop(writer);
        self.owned(name, owner)
    }

    /// Changes the audience of a collection.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn set_access(&self, collection: i64, access: Access) -> Result<(), Problem> {
        let changed = self
            .writer()
            .execute("UPDATE collection SET access = ?2 WHERE id = ?1", params![collection, access.number()]);
        changed.map(drop).map_err(fault)
    }

    /// Deletes a collection and its games.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn remove(&self, collection: i64) -> Result<(), Problem> {
        let mut writer = self.writer();
        let all = writer.transaction().map_err(fault)?;
        runs::remove_all(&all, collection)?;
        for statement in [
            "DELETE FROM body WHERE game IN (SELECT id FROM game WHERE collection = ?1)",
            "DELETE FROM game WHERE collection = ?1",
            "DELETE FROM refused WHERE source IN (SELECT id FROM source WHERE collection = ?1)",
            "DELETE FROM source WHERE collection = ?1",
            "DELETE FROM book WHERE collection = ?1",
            "DELETE FROM collection WHERE id = ?1",
        ] {
            all.execute(statement, [collection]).map_err(fault)?;
        }
        all.commit().map_err(fault)?;
        self.forget_directories();
        Ok(())
    }

    /// Returns the sizes of the file and its indexes on the disk.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn sizes(&self) -> Result<Sizes, Problem> {
        let reader = self.reader()?;
        let one = |sql: &str| -> Result<u64, Problem> {
            reader.query_row(sql, [], |row| row.get::<_, i64>(0)).map(|n| n.unsigned_abs()).map_err(fault)
        };
        Ok(Sizes {
            entries: one("SELECT coalesce(sum(entries), 0) FROM run")?,
            position_bytes: one("SELECT coalesce(sum(bytes + length(directory)), 0) FROM run")?
                + one("SELECT coalesce(sum(length(data)), 0) FROM hits")?,
            pattern_bytes: one("SELECT coalesce(sum(length(data)), 0) FROM spans")?,
            file_bytes: one("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")?,
            runs: one("SELECT count(*) FROM run")?,
        })
    }
}

fn collection_of(row: &rusqlite::Row) -> rusqlite::Result<Collection> {
    Ok(Collection {
        id: row.get(0)?,
        name: row.get(1)?,
        owner: row.get(2)?,
        access: Access::numbered(row.get(3)?),
        games: row.get::<_, i64>(4)?.unsigned_abs(),
        made_ms: row.get::<_, i64>(5)?.unsigned_abs(),
        secret: row.get(6)?,
        has_book: row.get(7)?,
    })
}
