//! Import of opening books of other programs: their moves come into a collection, beside the games.
//!
//! The keys of a book do not tell which positions they are of, so a book is walked through from the start, along its
//! own moves and, where a position is not in the book, one move further, since many books have the moves of one side
//! only. Rows that are not reached so are reported. A book is a file of SQLite from an untrusted source: it is opened
//! read-only, without its log, nothing in it is run, and the amount read from it is bounded.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;

use kernel::{AnyGame, Problem, Side};
use records::Record;
use records::book::{Seen, obk_keys, obk_move, xqb_key, xqb_move};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};

use crate::import::{Kept, Refused, source};
use crate::walk::{position_key, print, salt};
use crate::{Import, ImportProgress, Library, fault};

/// The most rows of a book, which take 32 bytes of memory each.
pub const MOST_ROWS: usize = 8_000_000;
/// The longest value of a row, in bytes.
const LONGEST_VALUE: i32 = 1 << 16;
/// The longest statement that makes the table, in bytes.
const LONGEST_STATEMENT: i32 = 1 << 14;
/// The most moves that are tried after positions that the book does not have.
const MOST_TRIED: u64 = 2_000_000;
/// The most refused rows that are reported one by one.
const MOST_TOLD: u64 = 1_000;
/// The number of moves after which the import reports its progress.
pub const TOLD_EACH: u32 = 256;
/// The most games that one move of a book counts for.
const MOST_GAMES: u32 = 100_000_000;
/// The game of all supported books.
const GAME: &str = "xiangqi";

/// Returns true if a file may be a book, by its first bytes: a file of SQLite.
#[must_use]
pub fn begins_like_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SQLite format 3\0")
}

/// The supported formats of books.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BookFormat {
    Obk,
    Xqb,
}

impl BookFormat {
    const ALL: [BookFormat; 2] = [BookFormat::Obk, BookFormat::Xqb];

    const fn table(self) -> &'static str {
        match self {
            BookFormat::Obk => "bhobk",
            BookFormat::Xqb => "book",
        }
    }

    /// Returns the columns for key, move, value, games won, drawn and lost, and the one that marks a row as valid.
    const fn columns(self) -> [&'static str; 7] {
        match self {
            BookFormat::Obk => ["vkey", "vmove", "vscore", "vwin", "vdraw", "vlost", "vvalid"],
            BookFormat::Xqb => ["key", "move", "score", "win", "draw", "lost", "valid"],
        }
    }

    /// Reads the hash key of a row, as the format stores it.
    fn key(self, value: ValueRef) -> Option<u64> {
        match (self, value) {
            (BookFormat::Obk, ValueRef::Integer(key)) => Some(key.cast_unsigned()),
            // Some programs wrote the bits of a number with a sign as those of a number with a fraction.
            (BookFormat::Obk, ValueRef::Real(key)) => Some(key.to_bits()),
            (BookFormat::Xqb, ValueRef::Blob(key)) => Some(print(key)),
            _ => None,
        }
    }

    /// Returns the keys under which the moves of a position may be stored, each with the orientation of its board.
    fn keys(self, fen: &str) -> Vec<(u64, Seen)> {
        let mirrored = Seen { turned: false, mirrored: true };
        match self {
            BookFormat::Obk => obk_keys(fen)
                .map(|[key, mirror]| vec![(key, Seen::default()), (mirror, mirrored)])
                .unwrap_or_default(),
            BookFormat::Xqb => xqb_key(fen).map_or_else(Vec::new, |(key, seen)| {
                let key = print(&key);
                // A position that is its own mirror image has each move twice.
                let other = Seen { mirrored: !seen.mirrored, ..seen };
                let own = obk_keys(fen).is_some_and(|[key, mirror]| key == mirror);
                std::iter::once((key, seen)).chain(own.then_some((key, other))).collect()
            }),
        }
    }

    fn text(self, number: u16, seen: Seen) -> Option<String> {
        match self {
            BookFormat::Obk => obk_move(i64::from(number), seen.mirrored),
            BookFormat::Xqb => xqb_move(i64::from(number), seen),
        }
    }
}

/// A row of a book: a move in a position.
#[derive(Clone, Copy)]
struct BookEntry {
    key: u64,
    number: u16,
    valid: bool,
    met: bool,
    value: i32,
    /// The numbers of games that the mover won, drew and lost.
    games: [u32; 3],
}

/// The rows of a book, by their keys.
pub struct Book {
    kind: BookFormat,
    lines: Vec<BookEntry>,
    /// The number of rows without a key or a move.
    odd: u64,
}

impl Book {
    /// Reads a book from a file.
    ///
    /// # Errors
    /// `book-unknown` for a file of something else, `book-file` for one that is damaged, `book-limit` when it has too
    /// many rows.
    pub fn read(path: &Path) -> Result<Book, Problem> {
        Book::of(&open(path).map_err(damaged)?)
    }

    /// Reads a book from the content of a file.
    ///
    /// # Errors
    /// The errors of [`Book::read`].
    pub fn of_bytes(mut bytes: Vec<u8>) -> Result<Book, Problem> {
        // A file that was written with a log beside it says so here, and there is none (SQLite's file format, 1.3.3).
        if let Some(versions) = bytes.get_mut(18..20) {
            versions.fill(1);
        }
        if is_cut(&bytes) {
            let why = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
            return Err(damaged(rusqlite::Error::SqliteFailure(why, None)));
        }
        let mut connection = Connection::open_in_memory().map_err(damaged)?;
        let size = bytes.len();
        connection.deserialize_read_exact("main", &*bytes, size, true).map_err(damaged)?;
        drop(bytes);
        guard(&connection).map_err(damaged)?;
        Book::of(&connection)
    }

    fn of(connection: &Connection) -> Result<Book, Problem> {
        let mut there = None;
        for kind in BookFormat::ALL {
            if there.is_none() && has_table(connection, kind).map_err(damaged)? {
                there = Some(kind);
            }
        }
        let kind = there.ok_or_else(|| Problem::new("book-unknown"))?;
        let [key, number, ..] = kind.columns();
        let known = columns(connection, kind.table()).map_err(damaged)?;
        if ![key, number].iter().all(|name| known.iter().any(|known| known == name)) {
            return Err(Problem::new("book-unknown"));
        }
        let mut sql = String::from("SELECT ");
        for (at, name) in kind.columns().into_iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            let name = if known.iter().any(|known| known == name) { name } else { "NULL" };
            let _ = write!(sql, "{comma}{name}");
        }
        let _ = write!(sql, " FROM {} NOT INDEXED", kind.table());
        let mut statement = connection.prepare(&sql).map_err(damaged)?;
        let mut rows = statement.query([]).map_err(damaged)?;
        let mut book = Book { kind, lines: Vec::new(), odd: 0 };
        let mut count = 0;
        while let Some(row) = rows.next().map_err(damaged)? {
            count += 1;
            if count > MOST_ROWS {
                return Err(Problem::new("book-limit").with("most", MOST_ROWS));
            }
            match line(kind, row).map_err(damaged)? {
                Some(line) => book.lines.push(line),
                None => book.odd += 1,
            }
        }
        book.lines.sort_by_key(|line| (line.key, line.number));
        Ok(book)
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.lines.len() as u64 + self.odd
    }

    /// Returns the range of rows with that key.
    fn rows_of(&self, key: u64) -> std::ops::Range<usize> {
        let begin = self.lines.partition_point(|line| line.key < key);
        let count = self.lines[begin..].iter().take_while(|line| line.key == key).count();
        begin..begin + count
    }
}

/// Returns true if the end of a file is missing, by the number of pages in its header; SQLite would read nothing
/// there (SQLite's file format, 1.3).
fn is_cut(bytes: &[u8]) -> bool {
    let Some(head) = bytes.get(..100) else { return false };
    let number =
        |at: usize| head[at..at + 4].iter().fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    let page = match u64::from(head[16]) << 8 | u64::from(head[17]) {
        1 => 1 << 16,
        page => page,
    };
    // The count holds where the last change was made by a program that kept it.
    number(24) == number(92) && (bytes.len() as u64) < number(28) * page
}

/// Opens a book read-only, as it stands in the file, with nothing in it run.
fn open(path: &Path) -> rusqlite::Result<Connection> {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(*byte))
            }
            byte => {
                let _ = write!(uri, "%{byte:02x}");
            }
        }
    }
    uri.push_str("?mode=ro&immutable=1");
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(uri, flags)?;
    guard(&connection)?;
    Ok(connection)
}

/// Restricts a connection to an untrusted file: read-only, and bounded in size.
fn guard(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST_STATEMENT)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_COLUMN, 100)?;
    connection.set_limit(Limit::SQLITE_LIMIT_EXPR_DEPTH, 20)?;
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;")
}

/// Returns true if the table of that format exists and is a plain table: neither a view nor a virtual table.
fn has_table(connection: &Connection, kind: BookFormat) -> rusqlite::Result<bool> {
    let sql: Option<String> = connection
        .query_row(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND lower(name) = ?1",
            [kind.table()],
            |row| row.get(0),
        )
        .optional()?;
    Ok(sql.is_some_and(|sql| {
        let words: Vec<String> = sql.split_whitespace().take(2).map(str::to_ascii_lowercase).collect();
        words == ["create", "table"]
    }))
}

/// Returns the stored columns of a table in small letters, without generated ones.
fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut rows = connection.prepare(&format!("PRAGMA table_xinfo({table})"))?;
    let rows = rows.query_map([], |row| Ok((row.get::<_, String>(1)?, row.get::<_, i64>(6)?)))?;
    let all: Vec<(String, i64)> = rows.collect::<Result<_, _>>()?;
    Ok(all
        .into_iter()
        .filter(|(_, hidden)| *hidden == 0)
        .map(|(name, _)| name.to_ascii_lowercase())
        .collect())
}

/// Reads a row; `None` where it has no key or no move.
fn line(kind: BookFormat, row: &Row) -> rusqlite::Result<Option<BookEntry>> {
    let number = |at: usize| -> rusqlite::Result<Option<i64>> {
        Ok(match row.get_ref(at)? {
            ValueRef::Integer(number) => Some(number),
            ValueRef::Real(number) => Some(number as i64),
            _ => None,
        })
    };
    let games = |at: usize| -> rusqlite::Result<u32> {
        Ok(number(at)?.unwrap_or(0).clamp(0, i64::from(MOST_GAMES)) as u32)
    };
    let moved = number(1)?.and_then(|number| u16::try_from(number).ok());
    let (Some(key), Some(moved)) = (kind.key(row.get_ref(0)?), moved) else { return Ok(None) };
    let value = number(2)?.unwrap_or(0).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    let valid = number(6)?.is_none_or(|valid| valid != 0);
    let games = [games(3)?, games(4)?, games(5)?];
    Ok(Some(BookEntry { key, number: moved, valid, met: false, value, games }))
}

/// Converts SQLite's error about a file that it cannot read.
fn damaged(why: rusqlite::Error) -> Problem {
    Problem::new("book-file").with("detail", why)
}

/// A move of the book in a position of the game.
struct Found {
    position: u64,
    text: String,
    value: i32,
    wins: [u32; 2],
    draws: u32,
}

/// A walk through a book, from the start.
struct Walk<'a> {
    book: &'a mut Book,
    game: Box<dyn AnyGame>,
    salt: u64,
    seen: HashSet<u64>,
    tried: u64,
    /// The number of moves that are impossible in their positions.
    impossible: u64,
    told: Vec<Problem>,
}

/// The moves of one position that are still to be followed.
struct Stop {
    moves: std::vec::IntoIter<String>,
    /// True if the book does not have the position: a move from it is followed only where the book has the next
    /// position.
    beyond: bool,
}

impl Walk<'_> {
    /// Looks up the moves of the current position in the book, and the moves to follow from it.
    fn look(
        &mut self,
        beyond: bool,
        found: &mut dyn FnMut(Found) -> Result<(), Problem>,
    ) -> Result<Option<Stop>, Problem> {
        let position = position_key(self.salt, &*self.game);
        if self.seen.contains(&position) {
            return Ok(None);
        }
        let fen = self.game.fen();
        let mut texts: Vec<String> = Vec::new();
        let mut known = false;
        for (key, lies) in self.book.kind.keys(&fen) {
            for at in self.book.rows_of(key) {
                known = true;
                let first = !std::mem::replace(&mut self.book.lines[at].met, true);
                let line = self.book.lines[at];
                let text = self.book.kind.text(line.number, lies);
                let played = text.filter(|text| self.game.play(text).is_ok());
                let Some(text) = played else {
                    if first {
                        self.impossible += 1;
                        self.tell(Problem::new("book-move").with("move", line.number).with("fen", &fen));
                    }
                    continue;
                };
                let _ = self.game.undo();
                if texts.contains(&text) {
                    continue;
                }
                let [won, drawn, lost] = line.games;
                let wins = if self.game.turn() == Side::First { [won, lost] } else { [lost, won] };
                if line.valid {
                    found(Found { position, text: text.clone(), value: line.value, wins, draws: drawn })?;
                }
                texts.push(text);
            }
        }
        if known {
            self.seen.insert(position);
            return Ok(Some(Stop { moves: texts.into_iter(), beyond: false }));
        }
        if beyond || self.tried >= MOST_TRIED {
            return Ok(None);
        }
        self.seen.insert(position);
        let all = self.game.moves();
        self.tried += all.len() as u64;
        Ok(Some(Stop { moves: all.into_iter(), beyond: true }))
    }

    fn tell(&mut self, problem: Problem) {
        if (self.told.len() as u64) < MOST_TOLD {
            self.told.push(problem);
        }
    }

    /// Walks through every position of the book that can be reached from the start.
    fn go(
        &mut self,
        found: &mut dyn FnMut(Found) -> Result<(), Problem>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Problem> {
        let mut stops: Vec<Stop> = self.look(false, found)?.into_iter().collect();
        while let Some(stop) = stops.last_mut() {
            let beyond = stop.beyond;
            let Some(text) = stop.moves.next() else {
                stops.pop();
                if !stops.is_empty() {
                    let _ = self.game.undo();
                }
                continue;
            };
            if !goes_on() {
                return Ok(());
            }
            if self.game.play(&text).is_err() {
                continue;
            }
            match self.look(beyond, found)? {
                Some(next) => stops.push(next),
                None => {
                    let _ = self.game.undo();
                }
            }
        }
        Ok(())
    }
}

impl Library {
    /// Returns the number of moves from opening books in these collections.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn book_moves(&self, collections: &[i64]) -> Result<u64, Problem> {
        let reader = self.reader()?;
        let mut count =
            reader.prepare_cached("SELECT count(*) FROM book WHERE collection = ?1").map_err(fault)?;
        let each = collections.iter().map(|id| count.query_row([id], |row| row.get::<_, i64>(0)));
        Ok(each.sum::<Result<i64, _>>().map_err(fault)?.unsigned_abs())
    }

    /// Imports an opening book into a collection: all of it or, when it is stopped, nothing. `watch` is called with
    /// the progress now and then, with each row that is refused, and with the totals at the end.
    ///
    /// In the totals, `read` is the number of rows, `added` the number of those that are reached from the start, and
    /// `refused` that of the others.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn import_book(
        &self,
        wish: &Import,
        mut book: Book,
        watch: &mut dyn FnMut(&ImportProgress, Option<&Refused>),
    ) -> Result<ImportProgress, Problem> {
        let connection = self.writer();
        let (source, before, done) = source(&connection, wish)?;
        if done {
            return Ok(before);
        }
        let game = (wish.open)(&Record { game: GAME.to_owned(), ..Record::default() })?;
        connection.execute_batch("BEGIN IMMEDIATE").map_err(fault)?;
        let result = take_in(&connection, wish, source, &mut book, game, watch);
        let ended = match &result {
            Ok(Some(_)) => connection.execute_batch("COMMIT").map_err(fault),
            // The error itself matters more than what came of rolling back.
            _ => connection.execute_batch("ROLLBACK").or(Ok(())),
        };
        ended.and(result).map(Option::unwrap_or_default)
    }
}

/// Writes the moves of a book; `None` when it was stopped.
fn take_in(
    connection: &Connection,
    wish: &Import,
    source: i64,
    book: &mut Book,
    mut game: Box<dyn AnyGame>,
    watch: &mut dyn FnMut(&ImportProgress, Option<&Refused>),
) -> Result<Option<ImportProgress>, Problem> {
    game.play_past_draws(true);
    let rows = book.rows();
    let odd = book.odd;
    let mut walk = Walk {
        book,
        game,
        salt: salt(GAME, ""),
        seen: HashSet::new(),
        tried: 0,
        impossible: 0,
        told: Vec::new(),
    };
    let mut found = |found: Found| write(connection, wish.collection, &found);
    let so_far = ImportProgress::default();
    let mut moves = 0_u32;
    let mut goes_on = || {
        moves += 1;
        if moves.is_multiple_of(TOLD_EACH) {
            watch(&so_far, None);
        }
        !wish.stop.load(Ordering::Relaxed)
    };
    walk.go(&mut found, &mut goes_on)?;
    if wish.stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let (impossible, told) = (walk.impossible, walk.told);
    let unmet = book.lines.iter().filter(|line| !line.met).count() as u64;
    let refused = odd + impossible + unmet;
    let told_all = ImportProgress { read: rows, added: rows - refused, refused, ..ImportProgress::default() };
    let whole = [("book-odd", odd), ("book-unmet", unmet)];
    let whole = whole
        .into_iter()
        .filter(|(_, rows)| *rows > 0)
        .map(|(key, rows)| Problem::new(key).with("rows", rows));
    for (number, problem) in (1_i64..).zip(told.into_iter().chain(whole)) {
        connection
            .execute(
                "INSERT OR REPLACE INTO refused (source, number, line, problem) VALUES (?1, ?2, 0, ?3)",
                params![source, number, problem.to_string()],
            )
            .map_err(fault)?;
        let number = number.unsigned_abs();
        watch(&told_all, Some(&Refused { kept: Kept::Nothing, number, line: 0, problem }));
    }
    connection
        .execute(
            "UPDATE source SET read = ?2, added = ?3, refused = ?4, done = 1 WHERE id = ?1",
            params![source, rows as i64, told_all.added as i64, refused as i64],
        )
        .map_err(fault)?;
    watch(&told_all, None);
    Ok(Some(told_all))
}

/// Writes a move; where another book has it, the games are added up and the later value counts.
fn write(connection: &Connection, collection: i64, found: &Found) -> Result<(), Problem> {
    let play = crate::import::move_number(connection, &found.text)?;
    let games = (found.draws + found.wins[0] + found.wins[1]).min(MOST_GAMES);
    connection
        .prepare_cached(
            "INSERT INTO book (collection, position, play, games, first_wins, second_wins, draws, value)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT DO UPDATE SET games = min(games + excluded.games, ?9),
             first_wins = min(first_wins + excluded.first_wins, ?9),
             second_wins = min(second_wins + excluded.second_wins, ?9),
             draws = min(draws + excluded.draws, ?9), value = excluded.value",
        )
        .and_then(|mut write| {
            write.execute(params![
                collection,
                found.position.cast_signed(),
                play,
                games,
                found.wins[0],
                found.wins[1],
                found.draws,
                found.value,
                MOST_GAMES
            ])
        })
        .map(drop)
        .map_err(fault)
}
