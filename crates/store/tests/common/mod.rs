//! What several tests need.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::collections::BTreeMap;
use std::path::Path;

use kernel::Side;
use sqlx::{Connection, SqliteConnection};
use store::{Kind, NewPerson, Sqlite};
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
    }
}

pub fn entry(ver: u64, cmd: Option<&str>) -> Entry {
    let event = Event::Offer { by: Side::First, what: Offer::Draw };
    let cmd = cmd.map(|id| Command { person: "ann".to_owned(), id: id.to_owned() });
    Entry { ver, at_ms: 1_700_000_000_000 + ver, cmd, spent_ms: Some(ver), event }
}

/// Somebody sits down.
pub fn pair(ver: u64, id: &str, name: &str) -> Entry {
    let side = if ver % 2 == 1 { Side::First } else { Side::Second };
    let who = Player { id: id.to_owned(), name: Some(name.to_owned()), engine: None, program: false };
    Entry { event: Event::Sit { side, who }, ..entry(ver, None) }
}

pub fn hash(n: u8) -> [u8; 32] {
    [n; 32]
}

pub fn person(id: &str, session: u8, folded: Option<&str>) -> NewPerson {
    NewPerson {
        id: id.to_owned(),
        kind: Kind::Guest,
        name: folded.map(str::to_owned),
        folded: folded.map(str::to_owned),
        hash: hash(session),
        label: None,
        made_ms: 50,
    }
}

pub async fn store_in(folder: &tempfile::TempDir) -> Sqlite {
    Sqlite::open(folder.path()).await.expect("opens")
}

/// Does something to the database that no hall does.
pub async fn sql(folder: &Path, sql: &str) {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("hall.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.expect("opens");
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&mut connection).await.expect("is done");
    connection.close().await.expect("closes");
}

/// Makes a database from a dump.
pub async fn sql_create(folder: &Path, dump: &str) {
    let options =
        sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("hall.db")).create_if_missing(true);
    let mut connection = SqliteConnection::connect_with(&options).await.expect("opens");
    sqlx::raw_sql(sqlx::AssertSqlSafe(dump.to_owned())).execute(&mut connection).await.expect("is done");
    connection.close().await.expect("closes");
}
