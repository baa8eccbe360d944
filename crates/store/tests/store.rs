//! Entries that were written are found again, and one that does not fit is refused alone.

mod common;

use std::sync::Arc;

use common::{WAITING, entry, hash, pair, person, setup, store_in};
use store::shelf::NewVersion;
use store::{Adoption, Asleep, MapRoom, NewMap, Open, Retention, Store, StoreError, StoredPersonKind, Whose};
use table::{Command, Entry, Stage, Standing};
use wire::MapLine;

#[tokio::test]
async fn what_was_stored_is_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let log: Vec<Entry> = (1..=300).map(|v| entry(v, None)).collect();
    {
        let store = store_in(&folder).await;
        store.logs.create("long", &setup(None), log.clone(), WAITING).await.expect("stored");
        store.logs.create("short", &setup(Some("tea")), Vec::new(), WAITING).await.expect("stored");
        store.logs.append("short", entry(1, Some("a wish")), None).await.expect("stored");
        let over = Standing { stage: Stage::Over, seats: [Some("ann".into()), Some("bob".into())] };
        store.logs.append("long", entry(301, None), Some(over)).await.expect("stored");
        store.people.rename("ann", Some("Ann"), None).await.expect("stored");
        store.tables.keep_report("long", 301, "{}").await.expect("stored");
        store.condition.close().await;
    }
    let store = store_in(&folder).await;
    let found = store.logs.load("long").await.expect("reads").expect("is there");
    assert_eq!(found.setup, setup(None));
    assert_eq!(found.log, [log, vec![entry(301, None)]].concat());
    assert_eq!((found.asleep, found.strikes), (None, 0));
    assert_eq!(
        store.logs.load("short").await.expect("reads").expect("is there").log,
        [entry(1, Some("a wish"))]
    );
    assert_eq!(store.logs.load("other").await.expect("reads"), None);
    assert_eq!(store.people.name("ann").await.expect("reads").as_deref(), Some("Ann"));
    assert_eq!(store.tables.room("tea").await.expect("reads").as_deref(), Some("short"));
    assert_eq!(store.tables.waiting_tables(0, 9).await.expect("reads"), ["short"]);
    assert_eq!(store.tables.playing("ann", 9).await.expect("reads"), [""; 0], "that game is over");
    assert_eq!(store.tables.report("long").await.expect("reads"), Some((301, "{}".to_owned())));
    assert_eq!(store.tables.report("short").await.expect("reads"), None);
}

#[tokio::test]
async fn a_log_is_read_in_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    store
        .logs
        .create("t", &setup(None), (1..=10).map(|v| entry(v, None)).collect(), WAITING)
        .await
        .expect("stored");
    for (since, most, wanted) in [
        (0, 3, 1..4),
        (3, 3, 4..7),
        (8, 3, 9..11),
        (7, 3, 8..11),
        (10, 3, 11..11),
        (99, 3, 1..1),
        (0, 0, 1..1),
    ] {
        let wanted: Vec<Entry> = wanted.map(|v| entry(v, None)).collect();
        assert_eq!(store.logs.log("t", since, most).await.expect("reads"), wanted, "{most} after {since}");
    }
    assert_eq!(store.logs.log("t", u64::MAX, 1).await.expect("reads"), []);
    assert_eq!(store.logs.log("nothing", 0, 1).await.expect("reads"), []);
}

#[tokio::test]
async fn a_room_nobody_came_to_for_a_week_gives_its_name_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    let old =
        table::Setup { created_ms: now.as_secs() * 1000 - 7 * 86_400_000 - 60_000, ..setup(Some("tea")) };
    let store = store_in(&folder).await;
    store.logs.create("old", &old, Vec::new(), WAITING).await.expect("stored");
    assert_eq!(store.tables.room("tea").await.expect("reads").as_deref(), Some("old"));
    let forgotten = store.upkeep.forget(Retention::default(), store::now_ms()).await.expect("written");
    assert_eq!(forgotten.rooms, 1);
    assert_eq!(store.tables.room("tea").await.expect("reads"), None);
    assert!(store.logs.load("old").await.expect("reads").is_some(), "its link works as before");
    store.condition.close().await;
}

#[tokio::test]
async fn one_spoiled_entry_does_not_harm_its_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(store_in(&folder).await);
    let tables: Vec<String> = (0..100).map(|i| format!("table-{i}")).collect();
    for id in &tables {
        store
            .logs
            .create(id, &setup(None), vec![entry(1, Some("first-wish"))], WAITING)
            .await
            .expect("stored");
    }
    // All at once, so that they share commits.
    let mut at_work = tokio::task::JoinSet::new();
    for (i, id) in tables.iter().enumerate() {
        let (store, id) = (Arc::clone(&store), id.clone());
        let (entry, wanted) = match i % 4 {
            0 => (entry(1, Some("another-wish")), Err(StoreError::Conflict)),
            1 => (entry(0, Some("first-wish")), Err(StoreError::Conflict)),
            2 => (entry(3, Some("second-wish")), Err(StoreError::Conflict)),
            _ => (entry(2, Some("second-wish")), Ok(())),
        };
        at_work.spawn(async move { (i, wanted, store.logs.append(&id, entry, None).await) });
    }
    while let Some(done) = at_work.join_next().await {
        let (i, wanted, result) = done.expect("no panic");
        assert_eq!(result, wanted, "table {i}");
        let log = store.logs.load(&tables[i]).await.expect("reads").expect("is there").log;
        assert_eq!(log.len(), 1 + usize::from(wanted.is_ok()), "table {i}");
    }
}

#[tokio::test]
async fn names_of_rooms_and_tables_are_taken_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    store.logs.create("one", &setup(Some("tea")), Vec::new(), WAITING).await.expect("stored");
    for (id, room) in [("two", Some("tea")), ("one", None)] {
        let refused = store.logs.create(id, &setup(room), vec![entry(1, None)], WAITING).await;
        assert_eq!(refused, Err(StoreError::Taken), "{id} {room:?}");
    }
    assert_eq!(store.logs.load("two").await.expect("reads"), None, "nothing of it was stored");
    assert_eq!(store.logs.load("one").await.expect("reads").expect("is there").log, []);
    assert_eq!(store.logs.append("two", entry(1, None), None).await, Err(StoreError::Missing));
}

/// The standing was dropped without a word, and the entry kept.
#[tokio::test]
async fn a_room_that_opens_again_while_its_name_is_taken_is_refused_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(store_in(&folder).await);
    let over = Standing { stage: Stage::Over, seats: [None, None] };
    store.logs.create("old", &setup(Some("tea")), Vec::new(), over).await.expect("stored");
    store.logs.create("new", &setup(Some("tea")), Vec::new(), WAITING).await.expect("stored");
    store.logs.create("other", &setup(None), Vec::new(), WAITING).await.expect("stored");
    let (old, new, other) = tokio::join!(
        store.logs.append("old", entry(1, None), Some(WAITING)),
        store.logs.append("new", entry(1, None), Some(WAITING)),
        store.logs.append("other", entry(1, None), None),
    );
    assert_eq!((old, new, other), (Err(StoreError::Taken), Ok(()), Ok(())));
    assert_eq!(store.logs.load("old").await.expect("reads").expect("is there").log, []);
    assert_eq!(store.tables.room("tea").await.expect("reads").as_deref(), Some("new"));
}

#[tokio::test]
async fn a_sleeping_table_is_due_until_something_happens() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    for (id, deadline_ms) in [("late", 300), ("soon", 100), ("never", 200)] {
        store.logs.create(id, &setup(None), Vec::new(), WAITING).await.expect("stored");
        store.tables.sleep(id, Asleep::until(1, 7)).await.expect("stored");
        store.tables.sleep(id, Asleep::until(10, deadline_ms)).await.expect("stored");
    }
    assert_eq!(store.tables.due(99, 9).await, Ok(vec![]));
    assert_eq!(store.tables.due(250, 9).await, Ok(vec!["soon".to_owned(), "never".to_owned()]));
    assert_eq!(store.tables.due(250, 1).await, Ok(vec!["soon".to_owned()]));
    let found = store.logs.load("soon").await.expect("reads").expect("is there");
    assert_eq!(found.asleep, Some(Asleep::until(10, 100)));
    store.logs.append("soon", entry(1, None), None).await.expect("stored");
    store.tables.wake("never").await.expect("stored");
    assert_eq!(store.tables.due(u64::MAX, 9).await, Ok(vec!["late".to_owned()]));
    assert_eq!(store.tables.sleep("no table", Asleep::until(0, 0)).await, Err(StoreError::Missing));
    store.condition.close().await;
    let store = store_in(&folder).await;
    store.logs.append("late", entry(1, None), None).await.expect("stored");
    assert_eq!(
        store.tables.due(u64::MAX, 9).await,
        Ok(vec![]),
        "what the writer does not remember is woken, too"
    );
}

#[tokio::test]
async fn failures_and_beats_are_counted_over_restarts() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    assert_eq!(store.pulse.last_beat(), None);
    store.logs.create("t", &setup(None), Vec::new(), WAITING).await.expect("stored");
    store.pulse.beat(1000).await.expect("stored");
    store.pulse.beat(2000).await.expect("stored");
    assert_eq!(store.pulse.last_beat(), None, "of the run before");
    assert_eq!(store.tables.strike("t").await, Ok(1));
    store.condition.close().await;
    let store = store_in(&folder).await;
    assert_eq!(store.pulse.last_beat(), Some(2000));
    assert_eq!(store.tables.strike("t").await, Ok(2));
    assert_eq!(store.logs.load("t").await.expect("reads").expect("is there").strikes, 2);
    store.tables.pardon("t").await.expect("stored");
    assert_eq!(store.tables.strike("t").await, Ok(1));
    assert_eq!(store.tables.strike("nothing").await, Err(StoreError::Missing));
}

#[tokio::test]
async fn people_are_known_by_their_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    assert_eq!(store.people.person_by(&hash(1)).await, Ok(None));
    store.people.enroll(person("ann", 1, Some("ann"))).await.expect("stored");
    let found = store.people.person_by(&hash(1)).await.expect("reads").expect("is there");
    assert_eq!(
        (found.id.as_str(), found.kind, found.made_ms, found.seen_ms),
        ("ann", StoredPersonKind::Guest, 50, 50)
    );
    for (what, clash) in [
        ("the id", person("ann", 2, None)),
        ("the name", person("bob", 2, Some("ann"))),
        ("the session", person("bob", 1, None)),
    ] {
        assert_eq!(store.people.enroll(clash).await, Err(StoreError::Taken), "{what}");
        assert_eq!(store.people.person_by(&hash(2)).await, Ok(None), "{what}: nothing was stored");
    }
    store.people.enroll(person("bob", 2, None)).await.expect("stored");
    assert_eq!(store.people.rename("bob", Some("Ann"), Some("ann")).await, Err(StoreError::Taken));
    store.people.rename("ann", Some("Anna"), Some("anna")).await.expect("stored");
    store.people.rename("bob", Some("Ann"), Some("ann")).await.expect("the name is free now");
    assert_eq!(store.people.name("bob").await, Ok(Some("Ann".to_owned())));
    store.people.rename("bob", None, None).await.expect("stored");
    assert_eq!(store.people.name("bob").await, Ok(None));
    store.people.seen(&hash(2), 70).await.expect("stored");
    store.people.seen(&hash(2), 60).await.expect("stored");
    store.people.seen(&hash(9), 60).await.expect("nobody is nobody");
    assert_eq!(store.people.person_by(&hash(2)).await.expect("reads").expect("is there").seen_ms, 70);
}

/// Catches ids in the order of a database's pages: PostgreSQL moves a row that is written again.
#[tokio::test]
async fn tables_to_load_again_are_told_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    for id in ["c", "a", "d", "b"] {
        let seats = [Some("old".to_owned()), None];
        let log = vec![entry(1, None)];
        store
            .logs
            .create(id, &setup(None), log, Standing { stage: Stage::Playing, seats })
            .await
            .expect("stored");
    }
    let reload = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    assert_eq!(store.people.adopt("old", "new", &hash(1), 5).await, Ok(Adoption::Done { reload }));
}

#[tokio::test]
async fn an_old_guest_s_games_stay_theirs_under_a_new_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    let own = |ver, who: &str| Entry {
        cmd: Some(Command { person: who.to_owned(), id: format!("wish-{ver}") }),
        ..entry(ver, None)
    };
    for id in ["open", "over"] {
        let log = vec![pair(1, "old", "Old"), pair(2, "other", "old"), own(3, "old"), own(4, "other")];
        let seats = [Some("old".to_owned()), Some("other".to_owned())];
        let stage = if id == "open" { Stage::Playing } else { Stage::Over };
        store.logs.create(id, &setup(None), log, Standing { stage, seats }).await.expect("stored");
    }
    store.logs.create("strange", &setup(None), vec![own(1, "old")], WAITING).await.expect("stored");
    // `other` has no name, and no row.
    store.people.rename("old", Some("Old"), Some("old-name")).await.expect("stored");

    assert_eq!(store.people.adopt("nobody", "new", &hash(1), 5).await, Ok(Adoption::Unknown));
    assert_eq!(store.people.person_by(&hash(1)).await, Ok(None), "nothing was stored");
    assert_eq!(store.people.adopt("old", "other", &hash(1), 5).await, Err(StoreError::Taken));
    let done = store.people.adopt("old", "new", &hash(1), 5).await;
    assert_eq!(done, Ok(Adoption::Done { reload: vec!["open".to_owned()] }));
    for again in ["new-2", "new"] {
        assert_eq!(store.people.adopt("old", again, &hash(2), 6).await, Ok(Adoption::Before), "{again}");
    }
    assert_eq!(store.people.adopt("new", "newer", &hash(2), 6).await, Ok(Adoption::Before), "has a session");
    assert!(matches!(store.people.adopt("other", "fresh", &hash(3), 7).await, Ok(Adoption::Done { .. })));
    let found = store.people.person_by(&hash(1)).await.expect("reads").expect("is there");
    assert_eq!(
        (found.id.as_str(), found.name.as_deref(), found.kind),
        ("new", Some("Old"), StoredPersonKind::Guest)
    );
    assert_eq!(
        store.people.enroll(person("x", 4, Some("old-name"))).await,
        Err(StoreError::Taken),
        "the name is theirs"
    );
    assert_eq!(
        store.people.enroll(person("old", 4, None)).await,
        Err(StoreError::Taken),
        "nobody gets the old id"
    );
    assert_eq!(store.tables.playing("old", 9).await, Ok(vec![]));
    assert_eq!(store.tables.playing("new", 9).await, Ok(vec!["open".to_owned()]));
    assert_eq!(store.tables.playing("fresh", 9).await, Ok(vec!["open".to_owned()]));
    for id in ["open", "over"] {
        let log = store.logs.load(id).await.expect("reads").expect("is there").log;
        let wanted = vec![pair(1, "new", "Old"), pair(2, "fresh", "old"), own(3, "new"), own(4, "fresh")];
        assert_eq!(log, wanted, "{id}");
        store.logs.append(id, own(5, "new"), None).await.expect("the log goes on");
        assert_eq!(store.logs.log(id, 4, 9).await, Ok(vec![own(5, "new")]));
    }
    let strange = store.logs.load("strange").await.expect("reads").expect("is there").log;
    assert_eq!(strange, [own(1, "old")], "where they never sat");
}

fn map(n: u64, trial: bool) -> NewMap {
    NewMap {
        line: MapLine {
            id: format!("m{n}"),
            name: format!("map {n}%"),
            rows: 1,
            cols: 1,
            kinds: 1,
            extensions: Vec::new(),
            created_ms: n,
            ours: false,
        },
        owner: "ann".to_owned(),
        package: catalog::maps::Package {
            map: vec![1, 2, 3],
            extensions: vec![catalog::maps::Source { file: "e.py".to_owned(), bytes: vec![n as u8] }],
        },
        old_names: n.is_multiple_of(2),
        uses: Vec::new(),
        version: (!trial).then(NewVersion::default),
    }
}

const ROOM: MapRoom = MapRoom { maps_each: 2, bytes_each: 100, maps: 20, bytes: 1000 };

#[tokio::test]
async fn maps_are_kept_as_long_as_there_is_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    for n in [1, 2, 2] {
        store.maps.keep_map(map(n, false), ROOM).await.expect("kept");
    }
    assert_eq!(store.maps.keep_map(map(3, false), ROOM).await, Err(StoreError::Full(Whose::Visitor)));
    let narrow = MapRoom { maps: 2, ..ROOM };
    assert_eq!(store.maps.keep_map(map(3, true), narrow).await, Err(StoreError::Full(Whose::All)));
    store.maps.keep_map(map(3, true), ROOM).await.expect("kept");
    let found = store.maps.map("m2").await.expect("reads").expect("is there");
    let wanted = map(2, false);
    assert_eq!((found.line, found.package, found.old_names), (wanted.line, wanted.package, true));
    assert!(store.maps.map("m3").await.expect("reads").expect("is there").trial);
    assert_eq!(store.maps.map("m4").await, Ok(None));
    for (search, wanted) in
        [("", vec!["m2", "m1"]), ("1", vec!["m1"]), ("%", vec!["m2", "m1"]), ("_", vec![])]
    {
        let lines = store.maps.search(search, 9).await.expect("reads");
        assert_eq!(lines.iter().map(|l| l.id.as_str()).collect::<Vec<_>>(), wanted, "{search:?}");
    }
    for n in 4..15 {
        store.maps.keep_map(map(n, true), ROOM).await.expect("kept");
    }
    assert_eq!(store.maps.map("m3").await, Ok(None), "the oldest trial went");
    assert!(store.maps.map("m14").await.expect("reads").is_some());
}

#[tokio::test]
async fn what_is_old_is_forgotten_and_what_is_used_is_not() {
    const DAY: u64 = 86_400_000;
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    let over = |first: &str| Standing { stage: Stage::Over, seats: [Some(first.to_owned()), None] };
    let sit = |who: &str| Entry { at_ms: DAY, ..pair(1, who, "x") };
    let old = |room| table::Setup { created_ms: 0, ..setup(room) };
    for (id, kind, hash) in [
        ("guest", StoredPersonKind::Guest, 1),
        ("member", StoredPersonKind::Account, 2),
        ("idle", StoredPersonKind::Guest, 3),
    ] {
        store.people.enroll(store::NewPerson { kind, ..person(id, hash, None) }).await.expect("stored");
    }
    store.logs.create("guests", &old(None), vec![sit("guest")], over("guest")).await.expect("stored");
    store.logs.create("members", &old(None), vec![sit("member")], over("member")).await.expect("stored");
    store.logs.create("playing", &old(None), vec![sit("guest")], WAITING).await.expect("stored");
    store
        .logs
        .create("later", &old(None), vec![Entry { at_ms: 9 * DAY, ..sit("guest") }], over("guest"))
        .await
        .expect("stored");
    store.logs.create("room", &old(Some("tea")), vec![], WAITING).await.expect("stored");
    let named =
        table::Setup { map: Some(wire::MapName { id: "m2".to_owned(), name: String::new() }), ..old(None) };
    store.maps.keep_map(map(1, false), ROOM).await.expect("kept");
    store.maps.keep_map(map(2, false), ROOM).await.expect("kept");
    store.logs.create("map", &named, vec![], WAITING).await.expect("stored");

    let retention = Retention { guest_tables_ms: Some(2 * DAY), ..Retention::default() };
    let forgotten = store.upkeep.forget(retention, 5 * DAY).await.expect("done");
    assert_eq!((forgotten.tables, forgotten.guests, forgotten.rooms, forgotten.maps), (1, 0, 0, 0));
    for (id, there) in [("guests", false), ("members", true), ("playing", true), ("later", true)] {
        assert_eq!(store.logs.load(id).await.expect("reads").is_some(), there, "{id}");
    }
    let forgotten = store.upkeep.forget(Retention::default(), 100 * DAY).await.expect("done");
    assert_eq!((forgotten.tables, forgotten.guests, forgotten.rooms, forgotten.maps), (0, 1, 1, 1));
    assert!(store.people.person_by(&hash(3)).await.expect("reads").is_none());
    assert!(store.people.person_by(&hash(1)).await.expect("reads").is_some());
    assert!(store.logs.load("room").await.expect("reads").is_some());
    let size = store.condition.size().await.expect("reads");
    assert!(size.bytes_used > 4096 && size.bytes_free_on_disk > 0, "{size:?}");
    if common::is_postgres() {
        return;
    }
    let report = store::check(folder.path(), None).await.expect("reads");
    assert!(report.is_whole(), "{report:?}");
}

#[tokio::test]
async fn what_is_closed_says_so_and_what_is_newer_is_refused() {
    if common::is_postgres() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    store.condition.probe_write().await.expect("writes");
    store.condition.ping().await.expect("answers");
    store.condition.close().await;
    store.condition.close().await;
    assert!(matches!(store.condition.probe_write().await, Err(StoreError::Failed(_))));
    drop(store);
    common::sql(folder.path(), "PRAGMA user_version = 1000").await;
    let why = Store::open(folder.path()).await.err().expect("refused").to_string();
    assert!(why.contains("newer hall"), "{why}");
    common::sql(
        folder.path(),
        "PRAGMA user_version = 3; INSERT INTO _sqlx_migrations (version, description,
        success, checksum, execution_time) VALUES (9999, 'x', 1, x'00', 0)",
    )
    .await;
    let why = Store::open_with(folder.path(), Open { accept_damage: true, ..Open::default() })
        .await
        .err()
        .expect("refused");
    assert!(why.to_string().contains("newer hall"), "{why}");
}
