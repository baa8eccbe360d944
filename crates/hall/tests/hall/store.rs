//! What is on disk, and what happens when the disk is full.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use hall::limits::Limits;
use hall::maps::Maps;
use hall::opponents::{Foreign, Opponents};
use hall::store::{Entry, Setup, Sqlite, Stage, Standing, Store, StoreError};
use wire::{Act, ClockSpec, Event, How, Offer, ServerMessage, Side};

use crate::house::{House, done, gomoku, level, moves, mv, offer, refused, serve, table_of};

/// A week ago, as long as a room waits for somebody to come.
fn a_week_ago() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    now.as_secs() * 1000 - 7 * 86_400_000
}

fn setup(room: Option<&str>) -> Setup {
    let created_ms = if room == Some("forgotten") { a_week_ago() - 60_000 } else { 4_000_000_000_000 };
    Setup {
        game: "gomoku/freestyle".to_owned(),
        options: BTreeMap::from([("size".to_owned(), 15)]),
        map: None,
        fen: None,
        how: if room.is_some() { How::Room } else { How::Invite },
        room: room.map(str::to_owned),
        clock: ClockSpec::None,
        created_ms,
    }
}

fn entry(ver: u64, cmd: Option<&str>) -> Entry {
    let event = Event::Offer { by: Side::First, what: Offer::Draw };
    Entry { ver, at_ms: 1_700_000_000_000 + ver, cmd: cmd.map(str::to_owned), spent_ms: Some(ver), event }
}

const WAITING: Standing = Standing { stage: Stage::Waiting, seats: [None, None] };

#[tokio::test]
async fn what_was_stored_is_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let log: Vec<Entry> = (1..=300).map(|v| entry(v, None)).collect();
    {
        let store = Sqlite::open(folder.path()).await.expect("opens");
        store.create("long", &setup(None), log.clone(), WAITING).await.expect("stored");
        store.create("short", &setup(Some("tea")), Vec::new(), WAITING).await.expect("stored");
        store.append("short", entry(1, Some("a wish")), None).await.expect("stored");
        let over = Standing { stage: Stage::Over, seats: [Some("ann".into()), Some("bob".into())] };
        store.append("long", entry(301, None), Some(over)).await.expect("stored");
        store.rename("ann", Some("Ann")).await.expect("stored");
    }
    let store = Sqlite::open(folder.path()).await.expect("opens again");
    let found = store.load("long").await.expect("reads").expect("is there");
    assert_eq!(found.setup, setup(None));
    assert_eq!(found.log, [log, vec![entry(301, None)]].concat());
    assert_eq!(store.load("short").await.expect("reads").expect("is there").log, [entry(1, Some("a wish"))]);
    assert_eq!(store.load("other").await.expect("reads"), None);
    assert_eq!(store.name("ann").await.expect("reads").as_deref(), Some("Ann"));
    assert_eq!(store.room("tea").await.expect("reads").as_deref(), Some("short"));
    assert_eq!(store.waiting_rooms(9).await.expect("reads"), ["short"]);
    assert_eq!(store.playing("ann", 9).await.expect("reads"), [""; 0], "that game is over");
}

#[tokio::test]
async fn a_room_nobody_came_to_for_a_week_gives_its_name_back() {
    let folder = tempfile::tempdir().expect("a folder");
    for (opened, found) in [(false, Some("old")), (true, None)] {
        let store = Sqlite::open(folder.path()).await.expect("opens");
        if !opened {
            store.create("old", &setup(Some("forgotten")), Vec::new(), WAITING).await.expect("stored");
        }
        assert_eq!(store.room("forgotten").await.expect("reads").as_deref(), found, "opened again: {opened}");
        assert!(store.load("old").await.expect("reads").is_some(), "its link works as before");
    }
}

#[tokio::test]
async fn one_spoiled_entry_does_not_harm_its_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(Sqlite::open(folder.path()).await.expect("opens"));
    let tables: Vec<String> = (0..100).map(|i| format!("table-{i}")).collect();
    for id in &tables {
        store.create(id, &setup(None), vec![entry(1, Some("first-wish"))], WAITING).await.expect("stored");
    }
    // All at once, so that they share commits; each third spoils its group.
    let mut at_work = tokio::task::JoinSet::new();
    for (i, id) in tables.iter().enumerate() {
        let (store, id) = (Arc::clone(&store), id.clone());
        let (entry, fits) = match i % 3 {
            0 => (entry(1, Some("another-wish")), false),
            1 if i % 2 == 0 => (entry(2, Some("first-wish")), false),
            _ => (entry(2, Some("second-wish")), true),
        };
        at_work.spawn(async move { (i, fits, store.append(&id, entry, None).await) });
    }
    while let Some(done) = at_work.join_next().await {
        let (i, fits, result) = done.expect("no panic");
        match result {
            Ok(()) => assert!(fits, "table {i} took what does not fit"),
            Err(StoreError::Conflict) => assert!(!fits, "table {i} was refused what fits"),
            Err(why) => panic!("table {i}: {why}"),
        }
        let log = store.load(&tables[i]).await.expect("reads").expect("is there").log;
        assert_eq!(log.len(), 1 + usize::from(fits), "table {i}");
    }
}

#[tokio::test]
async fn names_of_rooms_and_tables_are_taken_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Sqlite::open(folder.path()).await.expect("opens");
    store.create("one", &setup(Some("tea")), Vec::new(), WAITING).await.expect("stored");
    for (id, room) in [("two", Some("tea")), ("one", None)] {
        let refused = store.create(id, &setup(room), vec![entry(1, None)], WAITING).await;
        assert!(matches!(refused, Err(StoreError::Taken)), "{id} {room:?}: {refused:?}");
    }
    assert_eq!(store.load("two").await.expect("reads"), None, "nothing of it was stored");
    assert_eq!(store.load("one").await.expect("reads").expect("is there").log, []);
}

/// A small file system of its own; `None` where this user may not make one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn new() -> Option<SmallDisk> {
        let folder = tempfile::tempdir().expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(folder.path())
            .stderr(std::process::Stdio::null())
            .status();
        mounted.is_ok_and(|status| status.success()).then(|| SmallDisk(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Leaves no room.
    fn fill(&self) {
        let mut file = std::fs::File::create(self.path().join("filler")).expect("makes a file");
        for size in [65_536, 4_096, 512, 1] {
            while std::io::Write::write_all(&mut file, &vec![b'x'; size]).is_ok() {}
        }
    }

    fn make_room(&self) {
        std::fs::remove_file(self.path().join("filler")).expect("removes it");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}

#[tokio::test]
async fn a_full_disk_loses_nothing_and_promises_nothing() {
    let Some(disk) = SmallDisk::new() else {
        println!("not tried: this user may not mount a small file system");
        return;
    };
    let limits = Limits { on: false, ..Limits::default() };
    let running = serve(disk.path(), limits).await.expect("opens");
    let base = format!("http://{}", running.address);
    let data = tempfile::tempdir().expect("a folder");
    let house = House { running: Some(running), data, base, http: reqwest::Client::new() };
    let mut seats = house.pair(gomoku(How::Invite)).await;
    // Clocks whose flag falls while there is no room.
    let clock = ClockSpec::Fischer { base_ms: 300, increment_ms: 1 };
    let mut timed = house.pair(crate::house::timed(clock)).await;
    moves(&mut seats, "h8 a1").await;
    moves(&mut timed, "h8 a1").await;
    disk.fill();
    let table = table_of(&seats[0]);
    let before = house.full(&table).await;
    // The log on disk may have room for a few pages more.
    let mut reached = None;
    for i in 0..200 {
        let mover = i % 2;
        let text = format!("{}{}", char::from(b'a' + (i % 10) as u8), 2 + i / 10);
        match seats[mover].wish(mv(&text)).await.expect("kept") {
            client::Answer::Done(_) => level(&mut seats).await,
            client::Answer::Refused(why) => {
                assert_eq!(why.key, "not-stored");
                reached = Some((mover, text));
                break;
            }
        }
    }
    let (mover, text) = reached.expect("the disk is full");
    let full = house.full(&table).await;
    let ServerMessage::Full { v, record, view, .. } = &full else { panic!("full") };
    assert_eq!((*v, record.len()), (seats[0].ver, seats[0].record.len()), "nothing has changed");
    assert_eq!(Some(view), seats[0].view.as_ref());
    assert!(matches!(before, ServerMessage::Full { .. }));
    assert_eq!(refused(&mut seats[mover], mv(&text)).await, "not-stored");
    assert_eq!(refused(&mut seats[mover], Act::Resign { side: None }).await, "not-stored");
    let guest = house.guest().await;
    let Err(client::Error::Refused(why)) = guest.open(&gomoku(How::Invite)).await else { panic!("opened") };
    assert_eq!(why.key, "not-stored");
    // A fallen flag that cannot be written down does not make the table deaf.
    tokio::time::sleep(std::time::Duration::from_millis(1_200)).await;
    let deaf = house.full(&table_of(&timed[0])).await;
    assert!(matches!(deaf, ServerMessage::Full { end: None, .. }), "not told before it is on disk");
    disk.make_room();
    done(&mut seats[mover], mv(&text)).await;
    level(&mut seats).await;
    done(&mut seats[mover], offer(Offer::Draw)).await;
    while timed[0].end.is_none() {
        crate::house::hear(&mut timed[0]).await;
    }
    assert_eq!(timed[0].end.as_ref().map(|end| end.reason.as_ref()), Some("flag"));
    // And all of it is found again.
    let now = house.full(&table).await;
    house.running.expect("open").stop().await;
    let running = serve(disk.path(), limits).await.expect("opens again");
    let again = client::Guest::enter(&format!("http://{}", running.address)).await.expect("enters");
    let found = again.get(&format!("/api/tables/{table}")).await.expect("is there");
    let found: ServerMessage = serde_json::from_value(found).expect("full");
    let (ServerMessage::Full { v, view, .. }, ServerMessage::Full { v: v2, view: view2, .. }) =
        (&now, &found)
    else {
        panic!("full")
    };
    assert_eq!((v, view), (v2, view2));
    running.stop().await;
}

#[tokio::test]
async fn a_rematch_that_was_opened_but_not_noted_is_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(Sqlite::open(folder.path()).await.expect("opens"));
    let hall =
        hall::hall::Hall::new(store, Limits::default(), Maps::new(None), Opponents::new(Foreign::default()));
    let state = |id: &str| hall::table::State::new(id.to_owned(), setup(None), None).expect("a game");
    let first = hall.open_rematch(&state("played")).await.expect("opens");
    assert_eq!(hall.open_rematch(&state("played")).await.expect("is there"), first);
    assert_ne!(hall.open_rematch(&state("another")).await.expect("opens"), first);
}
