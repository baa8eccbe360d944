//! Tests of opening books. They catch a move that is reported in another position or with the result of the other
//! side, rows that are dropped without a report, a file that makes the program run, wait or write something.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use kernel::laws::Random;
use kernel::{AnyGame, Problem};
use library::import::Refused;
use library::{Access, Book, Explored, ExplorerQuery, Import, ImportProgress, Library, walk};
use records::Record;
use records::book::{obk_keys, xqb_key};
use rusqlite::{Connection, params};

static NOBODY_STOPS: AtomicBool = AtomicBool::new(false);

const OBK: &str =
    "CREATE TABLE bhobk (id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER, vscore INTEGER, vwin INTEGER,
    vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo TEXT, vindex INTEGER)";
const XQB: &str =
    "CREATE TABLE book (Id INTEGER PRIMARY KEY, Key BLOB, Move INTEGER, Score INTEGER, Win INTEGER,
    Draw INTEGER, Lost INTEGER, Valid INTEGER, Memo TEXT)";

/// Returns a game of xiangqi after these moves.
fn after(moves: &[&str]) -> Box<dyn AnyGame> {
    let record = Record { game: "xiangqi".to_owned(), ..Record::default() };
    let mut game = walk::without_maps(&record).expect("a game of the catalogue");
    moves.iter().for_each(|text| game.play(text).expect("legal"));
    game
}

/// Encodes a move as obk does, from and to with rank and file from the top left; `mirrored`: left for right.
fn obk_number(text: &str, mirrored: bool) -> i64 {
    let bytes = text.as_bytes();
    let point = |at: usize| {
        let (file, rank) = (i64::from(bytes[at] - b'a'), 9 - i64::from(bytes[at + 1] - b'0'));
        ((rank + 3) << 4) | (if mirrored { 8 - file } else { file } + 3)
    };
    point(0) << 8 | point(2)
}

/// A row of a test book: the moves to its position, its move, value, games won, drawn and lost, and whether it
/// counts.
type Row<'a> = (&'a [&'a str], &'a str, i64, [i64; 3], i64);

fn obk(path: &Path, rows: &[Row], mirrored: bool) {
    let file = Connection::open(path).expect("opens");
    file.execute_batch(OBK).expect("a table");
    for (moves, text, value, [won, drawn, lost], valid) in rows {
        let keys = obk_keys(&after(moves).fen()).expect("a position");
        file.execute(
            "INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![keys[usize::from(mirrored)].cast_signed(), obk_number(text, mirrored), value, won, drawn, lost, valid],
        )
        .expect("a row");
    }
}

fn xqb(path: &Path, rows: &[Row]) {
    let file = Connection::open(path).expect("opens");
    file.execute_batch(XQB).expect("a table");
    for (moves, text, value, [won, drawn, lost], valid) in rows {
        let (key, seen) = xqb_key(&after(moves).fen()).expect("a position");
        let bytes = text.as_bytes();
        let point = |at: usize| {
            let (mut file, mut rank) = (i64::from(bytes[at] - b'a'), 9 - i64::from(bytes[at + 1] - b'0'));
            if seen.turned {
                (file, rank) = (8 - file, 9 - rank);
            }
            rank << 4 | if seen.mirrored { 8 - file } else { file }
        };
        let number = point(0) << 8 | point(2);
        file.execute(
            "INSERT INTO book (Key, Move, Score, Win, Draw, Lost, Valid) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![key, number, value, won, drawn, lost, valid],
        )
        .expect("a row");
    }
}

const ROWS: &[Row] = &[
    (&[], "h2e2", 30, [5, 3, 2], 1),
    (&[], "c3c4", 10, [1, 1, 1], 1),
    (&["h2e2"], "h9g7", -20, [4, 3, 3], 1),
    // A row that does not count is a way on all the same.
    (&["h2e2", "h9g7"], "h0g2", 5, [7, 7, 7], 0),
    (&["h2e2", "h9g7", "h0g2"], "i9h9", 0, [0, 0, 0], 1),
];

struct Opened {
    _folder: tempfile::TempDir,
    path: std::path::PathBuf,
    library: Library,
    id: i64,
}

fn opened() -> Opened {
    let folder = tempfile::tempdir().expect("a folder");
    let library = Library::open(&folder.path().join(Library::FILE)).expect("a library");
    let id = library.make("Books", "", Access::Private, 1).expect("a collection").id;
    Opened { path: folder.path().join("book"), _folder: folder, library, id }
}

impl Opened {
    fn import(&self, print: &str) -> Result<(ImportProgress, Vec<Problem>), Problem> {
        let wish = Import {
            collection: self.id,
            name: "book",
            print,
            open: &walk::without_maps,
            threads: 1,
            stop: &NOBODY_STOPS,
            entry: None,
        };
        let mut problems = Vec::new();
        let mut watch = |_: &ImportProgress, refused: Option<&Refused>| {
            problems.extend(refused.map(|refused| refused.problem.clone()))
        };
        let told = self.library.import_book(&wish, Book::read(&self.path)?, &mut watch)?;
        Ok((told, problems))
    }

    fn explore(&self, moves: &[&str]) -> Explored {
        let position = walk::position_key(walk::salt("xiangqi", ""), &*after(moves));
        let wish = ExplorerQuery { collections: vec![self.id], position, player: String::new() };
        self.library.explore(&wish).expect("answers")
    }

    /// Returns the explorer's answer about a move: games, wins of Red and Black, draws, value.
    fn told(&self, moves: &[&str], text: &str) -> Option<(u32, [u32; 2], u32, Option<i32>)> {
        let found = self.explore(moves).moves.into_iter().find(|m| m.text == text)?;
        Some((found.games, found.wins, found.draws, found.value))
    }
}

fn check(opened: &Opened) {
    let (told, problems) = opened.import("one").expect("a book");
    assert_eq!((told.read, told.added, told.refused), (5, 5, 0), "{problems:?}");
    // A book tells results for the side that moves, the explorer for Red and Black.
    assert_eq!(opened.told(&[], "h2e2"), Some((10, [5, 2], 3, Some(30))));
    assert_eq!(opened.told(&["h2e2"], "h9g7"), Some((10, [3, 4], 3, Some(-20))));
    assert_eq!(opened.told(&["h2e2", "h9g7"], "h0g2"), None, "it does not count");
    assert_eq!(opened.told(&["h2e2", "h9g7", "h0g2"], "i9h9"), Some((0, [0, 0], 0, Some(0))));
    // What is true of a position is true of its mirror image.
    assert_eq!(opened.told(&[], "b2e2"), Some((10, [5, 2], 3, Some(30))));
    assert_eq!(opened.told(&["b2e2"], "b9c7"), Some((10, [3, 4], 3, Some(-20))));
    let order: Vec<String> = opened.explore(&[]).moves.into_iter().map(|m| m.text).collect();
    assert_eq!(order, ["b2e2", "h2e2", "c3c4", "g3g4"]);
    // Once more is not twice; another file adds to it.
    opened.import("one").expect("it is known");
    assert_eq!(opened.told(&[], "h2e2"), Some((10, [5, 2], 3, Some(30))));
    opened.import("other").expect("a book");
    assert_eq!(opened.told(&[], "h2e2"), Some((20, [10, 4], 6, Some(30))));
    opened.library.remove(opened.id).expect("is removed");
    assert!(opened.explore(&[]).moves.is_empty());
}

#[test]
fn obk_says_what_its_rows_say() {
    let book = opened();
    obk(&book.path, ROWS, false);
    check(&book);
}

#[test]
fn obk_may_have_mirror_images_alone() {
    let book = opened();
    obk(&book.path, ROWS, true);
    check(&book);
}

/// A book uploaded by a browser, which has no file and may have been written with a log beside it, reads the same as
/// its file.
#[test]
fn a_book_of_bytes_says_the_same_as_its_file() {
    let book = opened();
    obk(&book.path, ROWS, false);
    let file = Connection::open(&book.path).expect("opens");
    file.pragma_update(None, "journal_mode", "wal").expect("a log");
    drop(file);
    let bytes = std::fs::read(&book.path).expect("a file");
    assert_eq!(bytes[18..20], [2, 2], "it says so");
    assert_eq!(Book::of_bytes(bytes.clone()).expect("a book").rows(), 5);
    for (bytes, key) in [
        (&bytes[..bytes.len() / 2], "book-file"),
        (&bytes[..100], "book-file"),
        (&bytes[..16], "book-file"),
        (b"", "book-file"),
    ] {
        let refused = Book::of_bytes(bytes.to_vec()).err().map(|problem| problem.key);
        assert_eq!(refused, Some(key), "{} bytes", bytes.len());
    }
}

/// An import that takes too long is stopped, and nothing is left of it.
#[test]
fn a_book_that_is_stopped_leaves_nothing() {
    let book = opened();
    // It knows nothing of the position after its second row, so that all moves are tried there.
    let rows: [Row; 2] = [(&[], "h2e2", 1, [1, 0, 0], 1), (&["h2e2", "h9g7"], "h0g2", 1, [1, 0, 0], 1)];
    obk(&book.path, &rows, false);
    let stop = AtomicBool::new(false);
    let wish = Import {
        collection: book.id,
        name: "book",
        print: "one",
        open: &walk::without_maps,
        threads: 1,
        stop: &stop,
        entry: None,
    };
    let read = Book::read(&book.path).expect("a book");
    let mut heard = 0;
    let mut watch = |_: &ImportProgress, _: Option<&Refused>| {
        heard += 1;
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    };
    let told = book.library.import_book(&wish, read, &mut watch).expect("no fault");
    // Whether it is long enough to be stopped or not: all or nothing.
    assert!(heard > 0 && (told.read == 0) == book.told(&[], "h2e2").is_none(), "{told:?}");
}

#[test]
fn xqb_says_what_its_rows_say() {
    let book = opened();
    xqb(&book.path, ROWS);
    check(&book);
}

/// A book with the moves of one side only is walked through: any move of the other side is followed.
#[test]
fn a_book_for_one_side_is_walked_through() {
    let book = opened();
    let rows: [Row; 3] = [
        (&[], "h2e2", 1, [1, 0, 0], 1),
        (&["h2e2", "b7e7"], "e2e6", 2, [1, 0, 0], 1),
        (&["h2e2", "g6g5"], "h0g2", 3, [1, 0, 0], 1),
    ];
    obk(&book.path, &rows, false);
    let (told, problems) = book.import("one").expect("a book");
    assert_eq!((told.added, told.refused), (3, 0), "{problems:?}");
    assert!(book.told(&["h2e2", "b7e7"], "e2e6").is_some());
    assert!(book.told(&["h2e2", "g6g5"], "h0g2").is_some());
}

#[test]
fn every_row_is_taken_in_or_told() {
    let book = opened();
    let rows: [Row; 3] = [
        (&[], "h2e2", 1, [1, 0, 0], 1),
        (&[], "a0a9", 1, [1, 0, 0], 1),
        (&["c3c4", "g6g5", "b2c2", "h7g7", "a3a4"], "i6i5", 1, [1, 0, 0], 1),
    ];
    obk(&book.path, &rows, false);
    let file = Connection::open(&book.path).expect("opens");
    file.execute_batch(
        "INSERT INTO bhobk (vkey, vmove) VALUES (NULL, 1), (5, NULL), (6, -1), (7, 99999), ('x', 1), (8, 2.5)",
    )
    .expect("rows");
    drop(file);
    let (told, problems) = book.import("one").expect("a book");
    assert_eq!((told.read, told.added, told.refused), (9, 1, 8));
    let keys: Vec<(&str, Option<&str>)> = problems.iter().map(|p| (p.key, p.arg("rows"))).collect();
    assert_eq!(keys, [("book-move", None), ("book-odd", Some("5")), ("book-unmet", Some("2"))]);
    let kept = book.library.refused(book.id).expect("answers");
    assert_eq!(kept.len(), 3, "{kept:?}");
}

/// A book cannot run anything, nor read or write a file beside it.
#[test]
fn a_file_can_do_nothing() {
    for (sql, key) in [
        ("CREATE TABLE other (a)", "book-unknown"),
        ("CREATE TABLE bhobk (id)", "book-unknown"),
        ("CREATE VIEW bhobk AS SELECT 1 AS vkey, 2 AS vmove", "book-unknown"),
        (
            "CREATE VIEW book AS WITH RECURSIVE c(key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM c) \
             SELECT key, 2 AS move FROM c",
            "book-unknown",
        ),
        (
            "CREATE TABLE bhobk (a, vkey INTEGER GENERATED ALWAYS AS (length(zeroblob(1000000000))) VIRTUAL, vmove)",
            "book-unknown",
        ),
    ] {
        let book = opened();
        Connection::open(&book.path).expect("opens").execute_batch(sql).expect(sql);
        assert_eq!(Book::read(&book.path).map(|_| ()).map_err(|problem| problem.key), Err(key), "{sql}");
    }
    // A value larger than any that a book has.
    let book = opened();
    let file = Connection::open(&book.path).expect("opens");
    file.execute_batch(&format!("{XQB}; INSERT INTO book (Key, Move) VALUES (zeroblob(1000000), 1)"))
        .expect("a row");
    drop(file);
    assert_eq!(Book::read(&book.path).map(|_| ()).map_err(|problem| problem.key), Err("book-file"));
    // A log beside the file, as a program leaves one that was killed: the file counts as it stands, and stays so.
    let book = opened();
    obk(&book.path, ROWS, false);
    let file = Connection::open(&book.path).expect("opens");
    file.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; DELETE FROM bhobk")
        .expect("a log");
    let folder = book.path.parent().expect("a folder");
    let copied = folder.join("copied");
    std::fs::copy(&book.path, &copied).expect("a copy");
    std::fs::copy(folder.join("book-wal"), folder.join("copied-wal")).expect("a copy");
    let before = std::fs::read(&copied).expect("bytes");
    assert_eq!(Book::read(&copied).expect("a book").rows(), 5);
    assert_eq!(std::fs::read(&copied).expect("bytes"), before);
    assert!(!folder.join("copied-shm").exists());
    // A name that would mean something in an address.
    let odd = folder.join("50%3f?mode=rwc#x 象棋");
    std::fs::copy(&copied, &odd).expect("a copy");
    assert_eq!(Book::read(&odd).expect("a book").rows(), 5);
}

/// Files with random damage are read or refused, and their rows are imported or reported.
#[test]
fn damage_is_told() {
    let book = opened();
    obk(&book.path, ROWS, false);
    let whole = std::fs::read(&book.path).expect("bytes");
    let mut read = 0;
    for seed in 1..=300 {
        let random = &mut Random(seed);
        let mut bytes = whole.clone();
        match seed % 3 {
            0 => bytes.truncate(random.below(bytes.len())),
            1 => (0..bytes.len() / 100).for_each(|_| {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }),
            // Where SQLite keeps the tree of the table.
            _ => (0..8).for_each(|_| {
                let at = 4_096 + random.below(bytes.len() - 4_096);
                bytes[at] = random.below(256) as u8;
            }),
        }
        std::fs::write(&book.path, &bytes).expect("a file");
        match book.import(&seed.to_string()) {
            Ok((told, _)) => {
                assert_eq!(told.added + told.refused, told.read, "seed {seed}");
                read += 1;
            }
            Err(problem) => assert!(problem.key.starts_with("book-"), "seed {seed}: {problem}"),
        }
    }
    assert!(read > 30, "{read} of 300 are read in part");
}
