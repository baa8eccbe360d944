//! Catches what is left behind when the data of a folder are moved into PostgreSQL. Where PostgreSQL is not installed,
//! this returns.

mod common;

use std::collections::BTreeMap;

use common::{WAITING, entry, join, pair, person, setup};
use sqlx::{Connection, Row, SqliteConnection};
use store::shelf::NewVersion;
use store::{Asleep, Join, NewPerson, Store, StoredPersonKind};
use table::{Stage, Standing};

/// The number of rows of each table.
type Rows = BTreeMap<String, u64>;

async fn rows_of(folder: &tempfile::TempDir) -> Rows {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("hall.db"));
    let mut connection = SqliteConnection::connect_with(&options).await.expect("opens");
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name NOT LIKE '_sqlx_%'";
    let mut all = Rows::new();
    for row in sqlx::query(sql).fetch_all(&mut connection).await.expect("reads") {
        let name: String = row.get(0);
        let but = if name == "hall" { " WHERE key NOT IN ('commits', 'sealed', 'mark')" } else { "" };
        let sql = format!("SELECT count(*) FROM {name}{but}");
        let count = sqlx::query(sqlx::AssertSqlSafe(sql)).fetch_one(&mut connection).await.expect("reads");
        all.insert(name, count.get::<i64, _>(0).cast_unsigned());
    }
    connection.close().await.expect("closes");
    all
}

/// A folder with tables, people, a map and a work.
async fn filled(folder: &tempfile::TempDir) {
    let store = Store::open(folder.path()).await.expect("opens");
    store
        .people
        .enroll(NewPerson { kind: StoredPersonKind::Account, ..person("ann", 1, Some("ann")) })
        .await
        .expect("stored");
    store.people.enroll(person("bob", 2, None)).await.expect("stored");
    for n in 0..1_203 {
        let id = format!("t{n}");
        store.logs.create(&id, &setup(None), vec![pair(1, "ann", "Ann")], WAITING).await.expect("stored");
        let seats = [Some("ann".to_owned()), Some("bob".to_owned())];
        let playing = Standing { stage: Stage::Playing, seats };
        store.logs.append(&id, pair(2, "bob", "Bob"), Some(playing)).await.expect("stored");
        for ver in 3..3 + n % 3 {
            store.logs.append(&id, entry(ver, Some(&format!("cmd-{ver}"))), None).await.expect("stored");
        }
    }
    store.tables.sleep("t7", Asleep::until(5, 6)).await.expect("stored");
    store.tables.strike("t9").await.expect("counts");
    let line = wire::MapLine {
        id: "m1".to_owned(),
        name: "a map".to_owned(),
        rows: 3,
        cols: 3,
        kinds: 2,
        extensions: Vec::new(),
        created_ms: store::now_ms(),
        ours: false,
    };
    let package = catalog::maps::Package { map: vec![0, 255, 7], extensions: vec![] };
    let (owner, version) = ("ann".to_owned(), Some(NewVersion::default()));
    let map = store::NewMap { line, owner, package, old_names: false, uses: Vec::new(), version };
    let room = store::MapRoom { maps_each: 9, bytes_each: 1 << 20, maps: 9, bytes: 1 << 20 };
    store.maps.keep_map(map, room).await.expect("is kept");
    let over = "INSERT INTO game (n, id, format, setup, players, first, second, void, reason, plies, begun_ms, ended_ms, record)
            VALUES (1, 't11', 1, '', '', 'ann', 'bob', 0, '', 0, 1, 1, x'00');
        UPDATE seating SET stage = 2 WHERE id = 't11'";
    common::sql(folder.path(), over).await;
    assert_eq!(store.upkeep.fold(u64::MAX).await.expect("folds").games, 1, "a folded game moves, too");
    store.condition.close().await;
}

#[tokio::test]
async fn every_row_is_moved_and_every_table_reads_the_same() {
    if common::server::server().is_none() {
        eprintln!("skipped: there is no PostgreSQL");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    filled(&folder).await;
    // Litestream keeps tables of its own beside ours; once they kept a hall from moving.
    let before = rows_of(&folder).await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("hall.db"));
    let mut beside = SqliteConnection::connect_with(&options).await.expect("opens");
    sqlx::query("CREATE TABLE _litestream_lock (id INTEGER)").execute(&mut beside).await.expect("makes");
    beside.close().await.expect("closes");
    let to = join(&folder, "mover");
    let steps = std::sync::Mutex::new(Vec::new());
    let told = |step: store::Moved<'_>| {
        let step = match step {
            store::Moved::Written { table, rows, of } => (table.to_owned(), rows, of),
            store::Moved::Compared { tables, of } => ("compared".to_owned(), tables, of),
        };
        steps.lock().expect("nobody panics").push(step);
    };
    let moved = store::move_to_postgres(folder.path(), &to, &told).await.expect("is moved");
    // O9: what takes minutes tells how far it is.
    let steps = steps.into_inner().expect("nobody panics");
    for (table, rows) in
        moved.iter().map(|(table, rows)| (table.clone(), *rows)).chain([("compared".to_owned(), 1_203)])
    {
        assert!(steps.contains(&(table.clone(), rows, rows)), "{table}: {steps:?}");
    }
    assert_eq!(moved, before);
    // Four of the entries are folded.
    let counts =
        [("seating", 1_203), ("event", 3 * 1_203 - 4), ("folded", 1), ("person", 2), ("map", 1), ("work", 1)];
    for (table, count) in counts {
        assert_eq!(moved[table], count, "{table}");
    }
    let old = Store::open(folder.path()).await.expect("opens");
    let new = Store::join(&Join { node: "a".to_owned(), ..to.clone() }).await.expect("opens");
    for n in 0..1_203 {
        let id = format!("t{n}");
        let (before, after) =
            (old.logs.load(&id).await.expect("reads"), new.logs.load(&id).await.expect("reads"));
        assert!(before.is_some() && before == after, "{id}: {before:?}, {after:?}");
    }
    assert_eq!(old.maps.map("m1").await, new.maps.map("m1").await);
    assert_eq!(old.shelf.work("m1").await, new.shelf.work("m1").await);
    assert_eq!(old.people.person_by(&common::hash(1)).await, new.people.person_by(&common::hash(1)).await);
    // It goes on there.
    new.claims.claim("t3").await.expect("is nobody's");
    let ver = new.logs.load("t3").await.expect("reads").expect("is there").log.len() as u64 + 1;
    new.logs.append("t3", entry(ver, None), None).await.expect("goes on");
    new.condition.close().await;
    // And once is enough.
    let again =
        store::move_to_postgres(folder.path(), &to, &|_| {}).await.expect_err("is refused").to_string();
    assert!(again.contains("used by a hall already") && again.contains("createdb"), "{again}");
}
