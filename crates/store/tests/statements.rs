//! Catches a statement that one of the two databases does not understand: a column that it does not have, a word that is
//! not its own.
//!
//! The statements are read from the sources, where each is one text, and prepared on both databases with the schema of
//! today. A few are made of parts, by `QueryBuilder`; these are carried out with every filter that they know.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::server;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use store::games::{Ending, Filter, Place};
use store::shelf::{Sorted, WantedWorks};
use store::studies::WantedStudies;
use store::{Join, Store};

/// The databases that understand a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dialect {
    Sqlite,
    Postgres,
}

/// The first words of statements.
const VERBS: [&str; 5] = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "];

/// The sources of a folder, without the tests in them.
fn sources(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let source = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).expect("is text");
        let code =
            text.find("#[cfg(test)]\nmod tests").map_or(text.as_str(), |tests| &text[..tests]).to_owned();
        (path.file_name().expect("a name").to_string_lossy().into_owned(), code)
    };
    let mut sources: Vec<_> = files.map(source).collect();
    sources.sort();
    sources
}

/// Reads texts from Rust, as the compiler puts them together.
struct Reader<'a> {
    dialect: Dialect,
    /// The text of each macro that stands for a part of a statement.
    parts: BTreeMap<String, &'a str>,
}

impl<'a> Reader<'a> {
    fn new(dialect: Dialect, sources: &'a [(String, String)]) -> Reader<'a> {
        let mut parts = BTreeMap::new();
        for (_, code) in sources {
            for part in code.split("macro_rules! ").skip(1) {
                let (name, rest) = part.split_once([' ', '{']).expect("a macro has a body");
                if let Some((_, text)) = rest.split_once("() => {") {
                    parts.insert(name.to_owned(), text);
                }
            }
        }
        Reader { dialect, parts }
    }

    /// Returns the text at the beginning of `code`, and the code after it; `None` where there is no text.
    fn text<'c>(&self, code: &'c str) -> Option<(String, &'c str)> {
        let code = code.trim_start();
        if let Some(rest) = code.strip_prefix('"') {
            return Some(literal(rest));
        }
        if let Some(mut rest) = code.strip_prefix("concat!(") {
            let mut whole = String::new();
            loop {
                rest = rest.trim_start_matches([' ', '\n', ',']);
                if let Some(rest) = rest.strip_prefix(')') {
                    return Some((whole, rest));
                }
                let (part, after) = self.text(rest)?;
                whole += &part;
                rest = after;
            }
        }
        let (name, rest) = code.split_once("!(")?;
        if name == "holds" {
            let (column, rest) = self.text(rest)?;
            let holds = if self.dialect == Dialect::Sqlite { " = 1" } else { "" };
            return Some((column + holds, rest.strip_prefix(')')?));
        }
        let (text, _) = self.text(self.parts.get(name)?)?;
        Some((text, rest.strip_prefix(')')?))
    }

    /// Returns the statements in a source, each with the number of its line.
    fn statements(&self, code: &str) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        let mut rest = code;
        while let Some(at) = rest.find(['"', '/', '\'', 'c', 'm']) {
            let before = &code[..code.len() - rest.len() + at];
            rest = &rest[at..];
            let begins_word = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if rest.starts_with("//") {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            } else if rest.starts_with("'\"'") {
                rest = &rest[3..];
            } else if begins_word && rest.starts_with("macro_rules!") {
                rest = &rest[rest.find("\n}").expect("a macro ends")..];
            } else if rest.starts_with('"') || begins_word && rest.starts_with("concat!(") {
                let made = before.trim_end().ends_with("QueryBuilder::<Db>::new(");
                let Some((text, after)) = self.text(rest) else {
                    rest = &rest[1..];
                    continue;
                };
                if !made && VERBS.iter().any(|verb| text.starts_with(verb)) {
                    found.push((before.lines().count(), text));
                }
                rest = after;
            } else {
                rest = &rest[1..];
            }
        }
        found
    }
}

/// Reads a literal whose first quote is read already.
fn literal(code: &str) -> (String, &str) {
    let mut text = String::new();
    let mut signs = code.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => return (text, &code[at + 1..]),
            '\\' => match signs.next() {
                Some((_, '\n')) => {
                    let rest = signs.as_str();
                    signs = code.char_indices();
                    let skipped = code.len() - rest.trim_start().len();
                    while signs.offset() < skipped {
                        signs.next();
                    }
                }
                Some((_, 'n')) => text.push('\n'),
                Some((_, sign)) => text.push(sign),
                None => break,
            },
            sign => text.push(sign),
        }
    }
    panic!("a text does not end: {text}");
}

/// Returns the statements that a database is asked, each with its place.
fn statements(dialect: Dialect) -> Vec<(String, String)> {
    let own = if dialect == Dialect::Sqlite { "sqlite" } else { "postgres" };
    let mut all = Vec::new();
    for folder in ["sql", own] {
        let sources = sources(folder);
        let reader = Reader::new(dialect, &sources);
        for (name, code) in &sources {
            let found = reader.statements(code);
            for (line, text) in found {
                // SQLite's writer has texts of several statements.
                let each = text.split(';').map(str::trim).filter(|statement| !statement.is_empty());
                all.extend(each.map(|one| (format!("src/{folder}/{name}:{line}"), one.to_owned())));
            }
        }
    }
    assert!(all.len() > 300, "only {} statements were found", all.len());
    all
}

#[tokio::test]
async fn sqlite_understands_each_statement() {
    let folder = tempfile::tempdir().expect("a folder");
    Store::open(folder.path()).await.expect("opens").condition.close().await;
    let options = SqliteConnectOptions::new().filename(folder.path().join("hall.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.expect("opens");
    let mut refused = Vec::new();
    for (place, text) in statements(Dialect::Sqlite) {
        let asked = sqlx::raw_sql(AssertSqlSafe(format!("EXPLAIN {text}"))).execute(&mut connection).await;
        refused.extend(asked.err().map(|why| format!("{place}: {why}\n{text}")));
    }
    connection.close().await.expect("closes");
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
}

#[tokio::test]
async fn postgres_understands_each_statement() {
    let Some(server) = server::server() else {
        eprintln!("skipped: there is no PostgreSQL");
        return;
    };
    server.make("statements");
    let url = server.url("statements");
    let join = Join { url: url.clone(), node: "statements".to_owned() };
    Store::join(&join).await.expect("opens").condition.close().await;
    let mut connection = PgConnection::connect(&url).await.expect("connects");
    let mut refused = Vec::new();
    for (place, text) in statements(Dialect::Postgres) {
        let asked = format!("PREPARE one AS {text}; DEALLOCATE one");
        let asked = sqlx::raw_sql(AssertSqlSafe(asked)).execute(&mut connection).await;
        refused.extend(asked.err().map(|why| format!("{place}: {why}\n{text}")));
    }
    connection.close().await.expect("closes");
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
}

/// Asks for everything that a statement of parts can be asked for.
async fn ask_for_all(store: &Store) {
    for owner in [None, Some("ann".to_owned())] {
        for search in ["", "100%"] {
            for sorted in [Sorted::Newest, Sorted::Played, Sorted::Stars, Sorted::Even, Sorted::Name] {
                let wanted =
                    WantedWorks { search: search.to_owned(), owner: owner.clone(), sorted, skip: 0, most: 9 };
                assert_eq!(store.shelf.works(&wanted).await.expect("is understood").1, 0, "{wanted:?}");
            }
            let wanted = WantedStudies { search: search.to_owned(), person: owner.clone(), skip: 0, most: 9 };
            assert_eq!(
                store.studies.studies_wanted(&wanted).await.expect("is understood").1,
                0,
                "{wanted:?}"
            );
        }
    }
    let none = Filter::default();
    let filters = [
        Filter { game: Some("xiangqi".to_owned()), ..none.clone() },
        Filter { opponent: Some("bob".to_owned()), ..none.clone() },
        Filter { side: Some(1), ..none.clone() },
        Filter { speed: Some(people::Speed::Blitz), ..none.clone() },
        Filter { rated: Some(true), ..none.clone() },
        Filter { since_ms: Some(1), until_ms: Some(2), ..none.clone() },
        Filter { result: Some(Ending::Win), ..none.clone() },
        Filter { result: Some(Ending::Draw), ..none.clone() },
        Filter { result: Some(Ending::Loss), ..none.clone() },
        Filter { result: Some(Ending::Void), ..none.clone() },
        none,
    ];
    for filter in filters {
        for before in [None, Some(Place { ended_ms: 5, n: 5 })] {
            let found = store.games.list("ann", &filter, before, 9).await;
            assert_eq!(found.expect("is understood"), [], "{filter:?}");
        }
    }
}

#[tokio::test]
async fn each_filter_is_understood() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).await.expect("opens");
    ask_for_all(&store).await;
    store.condition.close().await;
    if let Some(server) = server::server() {
        server.make("filters");
        let join = Join { url: server.url("filters"), node: "filters".to_owned() };
        let store = Store::join(&join).await.expect("opens");
        ask_for_all(&store).await;
        store.condition.close().await;
    }
}
