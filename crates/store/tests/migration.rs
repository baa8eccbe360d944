//! Folders of older halls are brought up to date, and lose nothing by it.

mod common;

use std::collections::BTreeMap;

use common::hash;
use kernel::Side::{First, Second};
use sqlx::{Connection, SqliteConnection};
use store::{Adoption, Store, check};
use table::{Command, Entry, Event, Setup};
use wire::{ClockSpec, How, MapName, Offer, Opponent, Player};

/// A folder as the last hall without migrations left it: dumped from what that hall wrote.
const OLD: &str = include_str!("data/hall-2.sql");

async fn old_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    common::sql_create(folder.path(), OLD).await;
    folder
}

fn player(id: &str, name: Option<&str>, engine: Option<Opponent>) -> Player {
    Player { id: id.to_owned(), name: name.map(str::to_owned), engine, program: false }
}

/// Returns an entry of the old format, which did not record the sender of a command.
fn entry(ver: u64, cmd: Option<&str>, spent_ms: Option<u64>, event: Event) -> Entry {
    let cmd = cmd.map(|id| Command { person: String::new(), id: id.to_owned() });
    Entry { ver, at_ms: 1_700_000_000_000 + ver * 1500, cmd, spent_ms, event }
}

fn setup(game: &str, how: How, clock: ClockSpec, created: u64) -> Setup {
    Setup {
        game: game.to_owned(),
        options: BTreeMap::from([("size".to_owned(), 15)]),
        map: None,
        fen: None,
        how,
        room: None,
        clock,
        rated: false,
        created_ms: 4_000_000_000_000 + created,
        heading: None,
    }
}

/// One of each kind.
fn every(first: &str, second: &str) -> Vec<Entry> {
    let events = [
        Event::Sit { side: First, who: player(first, Some("Ada"), None), secret: None },
        Event::Sit { side: Second, who: player("z8h4n6p2r5t3", None, None), secret: None },
        Event::Leave { side: Second },
        Event::Sit { side: Second, who: player(second, Some("棋手 \"2\""), None), secret: None },
        Event::Move { by: First, text: "h8".to_owned(), away: false },
        Event::Withdraw { by: First },
        Event::Move { by: First, text: "h9".to_owned(), away: false },
        Event::Offer { by: Second, what: Offer::Takeback },
        Event::Decline { by: First, what: Offer::Takeback },
        Event::Offer { by: First, what: Offer::Draw },
        Event::Offer { by: First, what: Offer::Rematch },
        Event::Offer { by: First, what: Offer::Swap },
        Event::Takeback { by: Second, plies: 2 },
        Event::Draw,
        Event::Swap,
        Event::Resign { by: Second },
        Event::Flag { by: First },
        Event::Abort { by: First },
        Event::Forfeit { by: Second, reason: "engine-silent".to_owned() },
        Event::Rematch { table: "next23456789".to_owned() },
        Event::Pause,
    ];
    let line = |(ver, event)| {
        let cmd = format!("wish-{ver}");
        entry(ver, (ver != 21).then_some(cmd.as_str()), (ver % 3 == 0).then_some(ver * 10), event)
    };
    (1..).zip(events).map(line).collect()
}

fn tables() -> Vec<(&'static str, Setup, Vec<Entry>)> {
    let fischer = ClockSpec::Fischer { base_ms: 300_000, increment_ms: 2_000 };
    let byo_yomi = ClockSpec::ByoYomi { base_ms: 1000, period_ms: 30_000, periods: 3 };
    let foreign = Opponent::Engine("Pikafish".to_owned());
    vec![
        (
            "every2345678",
            setup("gomoku/freestyle", How::Invite, ClockSpec::None, 1),
            every("k3m9q2w7x4y5", "b7c5d9e2f4g6"),
        ),
        (
            "room23456789",
            Setup {
                fen: Some("15/15 w".to_owned()),
                room: Some("茶馆 tea".to_owned()),
                ..setup("gomoku/renju", How::Room, fischer, 2)
            },
            vec![entry(
                1,
                Some("a"),
                None,
                Event::Sit { side: First, who: player("k3m9q2w7x4y5", Some("Ada"), None), secret: None },
            )],
        ),
        (
            "machine23456",
            setup("locked", How::Screen, byo_yomi, 3),
            vec![
                entry(
                    1,
                    Some("a"),
                    None,
                    Event::Sit { side: First, who: player("z8h4n6p2r5t3", None, None), secret: None },
                ),
                entry(
                    2,
                    Some("b"),
                    None,
                    Event::Sit {
                        side: Second,
                        who: player("level-3", None, Some(Opponent::Level(3))),
                        secret: None,
                    },
                ),
            ],
        ),
        (
            "foreign23456",
            Setup {
                map: Some(MapName { id: "m1".to_owned(), name: "a map".to_owned() }),
                ..setup("jingbanqi", How::Open, ClockSpec::per_move(60_000), 4)
            },
            vec![entry(
                1,
                None,
                None,
                Event::Sit {
                    side: First,
                    who: player("engine-Pikafish", Some("Pikafish"), Some(foreign)),
                    secret: None,
                },
            )],
        ),
        ("empty2345678", setup("gomoku/freestyle", How::Open, ClockSpec::None, 5), vec![]),
    ]
}

async fn has_all(store: &Store) {
    for (id, setup, log) in tables() {
        let found = store.logs.load(id).await.expect("reads").expect("is there");
        assert_eq!((found.setup, found.log), (setup, log), "{id}");
    }
    assert_eq!(store.tables.room("茶馆 tea").await, Ok(Some("room23456789".to_owned())));
    assert_eq!(store.tables.playing("z8h4n6p2r5t3", 9).await, Ok(vec!["machine23456".to_owned()]));
    assert_eq!(store.people.name("k3m9q2w7x4y5").await, Ok(Some("Ada".to_owned())));
    assert_eq!(store.tables.report("every2345678").await, Ok(Some((20, "{\"turns\":[]}".to_owned()))));
    let map = store.maps.map("m1").await.expect("reads").expect("is there");
    assert_eq!(map.package.map, [80, 75, 3, 4, 0, 255]);
    assert_eq!(map.package.extensions[0].bytes, b"pass\n");
    assert!(map.old_names && !map.trial);
}

#[tokio::test]
async fn a_folder_of_the_hall_before_this_one_is_read() {
    let folder = old_folder().await;
    for _ in 1..=2 {
        let store = Store::open(folder.path()).await.expect("opens");
        has_all(&store).await;
        store.condition.close().await;
        let report = check(folder.path(), None).await.expect("reads");
        assert!(report.is_whole() && (report.tables, report.events) == (5, 25), "{report:?}");
    }
}

#[tokio::test]
async fn guests_of_that_time_are_adopted_with_or_without_a_name() {
    let folder = old_folder().await;
    let store = Store::open(folder.path()).await.expect("opens");
    for (old, new, reload) in [
        ("k3m9q2w7x4y5", "new-ada", &["room23456789"][..]),
        ("z8h4n6p2r5t3", "new-nameless", &["machine23456"]),
        ("b7c5d9e2f4g6", "new-other", &[]),
    ] {
        let hash = hash(old.as_bytes()[0]);
        let adopted = store.people.adopt(old, new, &hash, 5).await;
        let reload = reload.iter().map(|id| (*id).to_owned()).collect();
        assert_eq!(adopted, Ok(Adoption::Done { reload }), "{old}");
        assert_eq!(store.people.person_by(&hash).await.expect("reads").expect("is there").id, new);
    }
    assert_eq!(store.people.adopt("23456789abcd", "x", &hash(1), 5).await, Ok(Adoption::Unknown));
    let mut wanted = every("new-ada", "new-other");
    wanted[1].event = Event::Sit { side: Second, who: player("new-nameless", None, None), secret: None };
    assert_eq!(store.logs.load("every2345678").await.expect("reads").expect("is there").log, wanted);
    assert_eq!(store.people.name("new-ada").await, Ok(Some("Ada".to_owned())));
    store.condition.close().await;
    assert!(check(folder.path(), None).await.expect("reads").is_whole());
}

#[tokio::test]
async fn other_states_of_a_folder_are_brought_up_to_date() {
    // From nothing, from an empty file, and from the counters that tables of the same form had before.
    for (what, user_version) in [("nothing", None), ("an empty file", None), ("0", Some(0)), ("1", Some(1))] {
        let folder = tempfile::tempdir().expect("a folder");
        if what == "an empty file" {
            std::fs::write(folder.path().join("hall.db"), "").expect("writes");
        }
        if let Some(version) = user_version {
            common::sql_create(folder.path(), OLD).await;
            common::sql(folder.path(), &format!("PRAGMA user_version = {version}; DROP TABLE report")).await;
        }
        let store = Store::open(folder.path()).await.expect(what);
        store.condition.probe_write().await.expect("writes");
        let there = store.logs.load("every2345678").await.expect("reads").is_some();
        assert_eq!(there, user_version.is_some(), "{what}");
        store.condition.close().await;
    }
}

/// A migration that breaks off is done again: a hall that is killed in the middle leaves some migrations done, and
/// the next one not at all.
#[tokio::test]
async fn a_migration_that_breaks_off_is_done_again() {
    for (what, obstacle, removed) in [
        // The second migration makes a table of that name after it has changed others.
        ("in a migration", "CREATE TABLE session (x)", "DROP TABLE session"),
        ("at its end", "CREATE TABLE hall (x)", "DROP TABLE hall"),
    ] {
        let folder = old_folder().await;
        common::sql(folder.path(), obstacle).await;
        let why = Store::open(folder.path()).await.err().expect("stopped").to_string();
        assert!(why.contains("already exists"), "{what}: {why}");
        common::sql(folder.path(), removed).await;
        let mut old = connect(folder.path()).await;
        let sum = sqlx::query("SELECT sum FROM event").fetch_optional(&mut old).await;
        assert!(sum.is_err(), "{what}: the migration left nothing behind");
        old.close().await.expect("closes");
        let store = Store::open(folder.path()).await.expect("opens");
        has_all(&store).await;
        store.condition.close().await;
    }
    // While the checksums of old logs are computed: as if the last table had not been reached.
    let folder = old_folder().await;
    Store::open(folder.path()).await.expect("opens").condition.close().await;
    common::sql(
        folder.path(),
        "DELETE FROM tip; DELETE FROM sat; UPDATE event SET sum = 0; DELETE FROM hall WHERE key = 'sealed';
         CREATE TRIGGER stop BEFORE INSERT ON tip WHEN new.seating = 'machine23456'
            BEGIN SELECT raise(ABORT, 'stopped in the middle'); END",
    )
    .await;
    let why = Store::open(folder.path()).await.err().expect("stopped").to_string();
    assert!(why.contains("stopped in the middle"), "{why}");
    let mut half = connect(folder.path()).await;
    let row = sqlx::query("SELECT count(*) FROM tip").fetch_one(&mut half).await.expect("reads");
    assert_eq!(sqlx::Row::get::<i64, _>(&row, 0), 0, "all or nothing");
    half.close().await.expect("closes");
    common::sql(folder.path(), "DROP TRIGGER stop").await;
    let store = Store::open(folder.path()).await.expect("opens");
    has_all(&store).await;
    store.condition.close().await;
}

async fn connect(folder: &std::path::Path) -> SqliteConnection {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("hall.db"));
    SqliteConnection::connect_with(&options).await.expect("opens")
}
