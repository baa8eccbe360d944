//! Helpers that several tests share.
#![allow(dead_code, reason = "each test takes what it needs")]

pub mod server;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

use kernel::Side;
use sqlx::{Connection, SqliteConnection};
use store::{Join, NewPerson, Store, StoreError, StoredPersonKind};
use table::{Command, Entry, Event, Setup, Stage, Standing};
use wire::{ClockSpec, How, Offer, Player};

pub const WAITING: Standing = Standing { stage: Stage::Waiting, seats: [None, None] };

pub fn setup(room: Option<&str>) -> Setup {
    Setup {
        game: "gomoku/freestyle".to_owned(),
        options: BTreeMap::from([("size".to_owned(), 15)]),
        map: None,
        fen: None,
        how: if room.is_some() { How::Room } else { How::Invite },
        room: room.map(str::to_owned),
        clock: ClockSpec::None,
        rated: false,
        created_ms: 4_000_000_000_000,
        heading: None,
    }
}

pub fn entry(ver: u64, cmd: Option<&str>) -> Entry {
    let event = Event::Offer { by: Side::First, what: Offer::Draw };
    let cmd = cmd.map(|id| Command { person: "ann".to_owned(), id: id.to_owned() });
    Entry { ver, at_ms: 1_700_000_000_000 + ver, cmd, spent_ms: Some(ver), event }
}

/// Returns an entry by which a player sits down.
pub fn pair(ver: u64, id: &str, name: &str) -> Entry {
    let side = if ver % 2 == 1 { Side::First } else { Side::Second };
    let who = Player { id: id.to_owned(), name: Some(name.to_owned()), engine: None, program: false };
    Entry { event: Event::Sit { side, who, secret: None }, ..entry(ver, None) }
}

/// Gives all games of a guest to an account; returns their tables.
pub async fn merged(store: &Opened, guest: &str, account: &str) -> Result<Vec<String>, StoreError> {
    store.accounts.merge(guest, account).await?;
    let mut all = Vec::new();
    while let Some(tables) = store.accounts.merge_part(guest).await? {
        all.extend(tables);
    }
    Ok(all)
}

pub fn hash(n: u8) -> [u8; 32] {
    [n; 32]
}

pub fn person(id: &str, session: u8, folded: Option<&str>) -> NewPerson {
    NewPerson {
        id: id.to_owned(),
        kind: StoredPersonKind::Guest,
        name: folded.map(str::to_owned),
        folded: folded.map(str::to_owned),
        hash: hash(session),
        label: None,
        made_ms: 50,
    }
}

/// A store that is open.
pub type Opened = Arc<Store>;

/// Returns true if this is the test `postgres`, which runs the other tests once more with that store.
pub fn is_postgres() -> bool {
    module_path!().starts_with("postgres::") && crate::common::server::server().is_some()
}

/// The store in a folder; in the test `postgres` that of the database which belongs to the folder.
pub async fn store_in(folder: &tempfile::TempDir) -> Opened {
    if is_postgres() { postgres_in(folder, "node").await } else { sqlite_in(folder).await }
}

pub async fn sqlite_in(folder: &tempfile::TempDir) -> Opened {
    Arc::new(Store::open(folder.path()).await.expect("opens"))
}

fn database_of(folder: &Path) -> String {
    let mut hash = DefaultHasher::new();
    folder.hash(&mut hash);
    format!("test{:x}", hash.finish())
}

/// Returns the address of the database that belongs to a folder, for that node.
pub fn join(folder: &tempfile::TempDir, node: &str) -> Join {
    let server = crate::common::server::server().expect("there is PostgreSQL");
    let database = database_of(folder.path());
    server.make(&database);
    Join { url: server.url(&database), node: node.to_owned() }
}

/// Opens the store as that node, and claims all tables that are there and free, as if each had been asked for.
pub async fn postgres_in(folder: &tempfile::TempDir, node: &str) -> Opened {
    let store: Opened = Arc::new(Store::join(&join(folder, node)).await.expect("opens"));
    let url = join(folder, node).url;
    let mut connection = sqlx::PgConnection::connect(&url).await.expect("connects");
    let rows = sqlx::query("SELECT seating FROM tip").fetch_all(&mut connection).await.expect("reads");
    connection.close().await.expect("closes");
    for row in rows {
        store.claims.claim(sqlx::Row::get(&row, 0)).await.expect("claims");
    }
    store
}

/// Runs SQL on the database that no hall would run.
pub async fn sql(folder: &Path, sql: &str) {
    if is_postgres() {
        crate::common::server::server().expect("is there").psql(&database_of(folder), sql).expect("is done");
        return;
    }
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("hall.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.expect("opens");
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.expect("is done");
    connection.close().await.expect("closes");
}

/// The number that a question to the database is answered by.
pub async fn number(folder: &Path, sql: &str) -> u64 {
    if is_postgres() {
        let server = crate::common::server::server().expect("is there");
        let answer = server.psql(&database_of(folder), sql).expect("is answered");
        return answer.parse().expect("a number");
    }
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("hall.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.expect("opens");
    let row = sqlx::query(sqlx::AssertSqlSafe(sql.to_owned()))
        .fetch_one(&mut connection)
        .await
        .expect("is answered");
    connection.close().await.expect("closes");
    sqlx::Row::get::<i64, _>(&row, 0).cast_unsigned()
}

/// Makes a database from a dump.
pub async fn sql_create(folder: &Path, dump: &str) {
    let options =
        sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("hall.db")).create_if_missing(true);
    let mut connection = SqliteConnection::connect_with(&options).await.expect("opens");
    sqlx::raw_sql(sqlx::AssertSqlSafe(dump.to_owned())).execute(&mut connection).await.expect("is done");
    connection.close().await.expect("closes");
}
