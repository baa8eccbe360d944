//! Folded games. They would catch one that does not read as before, one that is folded too early or while an older
//! program is at work, a name that stays in it, damage to it that is not noticed, and one that is lost where the
//! process is killed.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command as Program, Stdio};
use std::sync::Arc;
use std::time::Duration;

use common::{Opened, merged, number, person, setup, sql, store_in};
use kernel::Side;
use store::games::Finished;
use store::{
    Asleep, Change, Judged, NewPerson, Retention, Store, StoreError, Stored, StoredMap, StoredPersonKind,
    check,
};
use table::{Command, Entry, Event, State};
use wire::Player;

/// The moment at which the first game begins.
const NOW: u64 = 4_000_000_000_000;
/// Later than the end of every game here.
const LATER: u64 = NOW + 1_000_000_000;
/// Plies of a game.
const PLIES: u64 = 60;

fn open_game(id: &str) -> State {
    let setup = setup(None);
    let game =
        catalog::find(&setup.game).and_then(|game| game.open(None, &setup.options, None)).expect("opens");
    State::new(id.to_owned(), setup, true, game)
}

fn ended(state: &State) -> Option<Finished> {
    Some(Finished { game: state.ended()?, speed: None, pool: None })
}

fn judge(id: &str, stored: &Stored, _: Option<&StoredMap>) -> Result<Judged, String> {
    let state = open_game(id).replay(stored.log.clone()).map_err(|why| why.to_string())?;
    Ok(Judged { standing: state.standing(), finished: ended(&state), deadline: None::<Asleep> })
}

/// A game of Ann and Bob, number `n` of a test, as a hall writes it: moves with commands, thinking times, a resignation.
async fn play(store: &Opened, n: u64) -> String {
    let id = format!("game{n:08}");
    let mut state = open_game(&id);
    let mut log = Vec::new();
    let mut random = kernel::laws::Random(n + 1);
    for (side, who) in Side::BOTH.into_iter().zip(["ann", "bob"]) {
        let who = Player { id: who.to_owned(), name: Some(who.to_uppercase()), engine: None, program: false };
        let event = Event::Sit { side, who, secret: None };
        let entry = Entry { ver: state.ver + 1, at_ms: NOW, cmd: None, spent_ms: None, event };
        log.push(state.apply(entry).expect("fits").entry);
    }
    for ply in 0..PLIES {
        let by = state.turn();
        let mut moves = state.game.moves();
        // Each side keeps to places of which no five lie in a line.
        moves.retain(|text| {
            let column = usize::from(text.as_bytes()[0] - b'a');
            let row: usize = text[1..].parse().expect("a row");
            (column / 2 + row) % 2 == by.index()
        });
        let text = moves.swap_remove(random.below(moves.len()));
        let person = ["ann", "bob"][by.index()].to_owned();
        let name = format!("{:012x}", (random.below(1 << 30) as u64) << 18 | random.below(1 << 18) as u64);
        let entry = Entry {
            ver: state.ver + 1,
            at_ms: NOW + n * 1_000 + ply * 2_345 + random.below(2_000) as u64,
            cmd: Some(Command { person, id: name }),
            spent_ms: Some(random.below(9_000) as u64),
            event: Event::Move { by, text, away: random.below(20) == 0 },
        };
        let applied = state.apply(entry).expect("fits");
        assert!(applied.ended.is_none(), "the game goes on");
        log.push(applied.entry);
    }
    store.logs.create(&id, &setup(None), log, state.standing()).await.expect("is kept");
    let at_ms = NOW + n * 1_000 + 200_000;
    let event = Event::Resign { by: Side::Second };
    let applied =
        state.apply(Entry { ver: state.ver + 1, at_ms, cmd: None, spent_ms: None, event }).expect("fits");
    let (standing, game) = (applied.standing.expect("is over"), ended(&state).expect("is over"));
    store.logs.finish(&id, applied.entry, standing, game).await.expect("is kept");
    id
}

async fn fold_all(store: &Opened, before_ms: u64) -> u64 {
    let mut games = 0;
    loop {
        let folded = store.upkeep.fold(before_ms).await.expect("folds");
        games += folded.games;
        if folded.is_done {
            return games;
        }
    }
}

async fn load(store: &Opened, id: &str) -> Stored {
    store.logs.load(id).await.expect("reads").expect("is there")
}

/// The number of rows that a table of the database has of that game.
async fn rows(folder: &tempfile::TempDir, table: &str, id: &str) -> u64 {
    number(folder.path(), &format!("SELECT count(*) FROM {table} WHERE seating = '{id}'")).await
}

#[tokio::test]
async fn a_folded_game_reads_as_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    let mut games = Vec::new();
    for n in 0..20 {
        games.push(play(&store, n).await);
    }
    let mut before = Vec::new();
    for id in &games {
        before.push(load(&store, id).await);
    }
    // The last five have not ended for long enough.
    let edge = NOW + 15_000 + 200_000;
    assert_eq!(fold_all(&store, edge).await, 15);
    assert_eq!(fold_all(&store, edge).await, 0, "and not again");
    assert_eq!(rows(&folder, "event", &games[14]).await, 0);
    assert_eq!(rows(&folder, "folded", &games[14]).await, 1);
    assert_eq!(rows(&folder, "folded", &games[15]).await, 0);
    for (id, before) in games.iter().zip(&before) {
        assert_eq!(load(&store, id).await, *before, "{id}");
        // Pages of any size, from anywhere.
        for since in [0, 1, 30, PLIES, PLIES + 2, PLIES + 3, PLIES + 9] {
            for most in [1, 7, 1000] {
                let wanted: Vec<Entry> =
                    before.log.iter().filter(|e| e.ver > since).take(most).cloned().collect();
                let page = store.logs.log(id, since, u32::try_from(most).expect("small")).await;
                assert_eq!(page, Ok(wanted), "{id}, {most} after {since}");
            }
        }
    }
    // The others when it is their time.
    assert_eq!(fold_all(&store, LATER).await, 5);
    for (id, before) in games.iter().zip(before) {
        assert_eq!(load(&store, id).await, before, "{id}");
    }
}

#[tokio::test]
async fn what_happens_after_the_fold_is_kept_as_ever() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    let id = play(&store, 1).await;
    assert_eq!(fold_all(&store, LATER).await, 1);
    let mut wanted = load(&store, &id).await;
    for ver in PLIES + 4..PLIES + 7 {
        let event = Event::Rematch { table: "next23456789".to_owned() };
        let entry = Entry { ver, at_ms: LATER, cmd: None, spent_ms: None, event };
        store.logs.append(&id, entry.clone(), None).await.expect("is kept");
        wanted.log.push(entry);
        assert_eq!(load(&store, &id).await, wanted);
    }
    for since in [3, PLIES + 2, PLIES + 3, PLIES + 4, PLIES + 5, PLIES + 6] {
        let after: Vec<Entry> = wanted.log.iter().filter(|e| e.ver > since).take(4).cloned().collect();
        assert_eq!(store.logs.log(&id, since, 4).await, Ok(after), "after {since}");
    }
    let twice = Entry { ver: PLIES + 4, at_ms: LATER, cmd: None, spent_ms: None, event: Event::Draw };
    assert_eq!(
        store.logs.append(&id, twice, None).await,
        Err(StoreError::Conflict),
        "no version is written twice"
    );
}

#[tokio::test]
async fn names_are_taken_out_of_folded_games_and_ids_are_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    store
        .people
        .enroll(NewPerson { kind: StoredPersonKind::Account, ..person("bob", 1, Some("bob")) })
        .await
        .expect("is kept");
    store
        .people
        .enroll(NewPerson { kind: StoredPersonKind::Account, ..person("eve", 2, Some("eve")) })
        .await
        .expect("is kept");
    store.people.enroll(person("ann", 3, None)).await.expect("is kept");
    let id = play(&store, 1).await;
    let other = play(&store, 2).await;
    fold_all(&store, LATER).await;
    let event = Event::Rematch { table: other.clone() };
    let cmd = Some(Command { person: "ann".to_owned(), id: "wish-0001".to_owned() });
    let entry = Entry { ver: PLIES + 4, at_ms: LATER, cmd, spent_ms: None, event };
    store.logs.append(&id, entry, None).await.expect("is kept");
    let before = load(&store, &id).await;

    let mut moved = merged(&store, "ann", "eve").await.expect("is merged");
    moved.sort();
    assert_eq!(moved, [id.clone(), other.clone()]);
    let after = load(&store, &id).await;
    let renamed = |entry: &Entry| {
        let mut entry = entry.clone();
        if let Some(cmd) = entry.cmd.as_mut().filter(|cmd| cmd.person == "ann") {
            "eve".clone_into(&mut cmd.person);
        }
        if let Event::Sit { who, .. } = &mut entry.event
            && who.id == "ann"
        {
            "eve".clone_into(&mut who.id);
        }
        entry
    };
    assert_eq!(after.log, before.log.iter().map(renamed).collect::<Vec<_>>());
    assert_eq!(rows(&folder, "event", &id).await, 1, "what was folded stays so");

    let close = Change::Close { person: "bob".to_owned() };
    store.accounts.change(close, None).await.expect("is closed");
    while !store.accounts.scrub("bob").await.expect("goes on").is_empty() {}
    for id in [&id, &other] {
        let log = load(&store, id).await.log;
        let named = log.iter().filter_map(|entry| match &entry.event {
            Event::Sit { who, .. } => Some((who.id.as_str(), who.name.as_deref())),
            _ => None,
        });
        assert_eq!(named.collect::<Vec<_>>(), [("eve", Some("ANN")), ("bob", None)]);
    }
}

#[tokio::test]
async fn folded_games_of_guests_are_forgotten_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    for (n, id) in [(3, "ann"), (4, "bob")] {
        store.people.enroll(person(id, n, None)).await.expect("is kept");
    }
    let id = play(&store, 1).await;
    fold_all(&store, LATER).await;
    let retention = Retention { guest_tables_ms: Some(1_000), ..Retention::default() };
    assert_eq!(store.upkeep.forget(retention, LATER).await.expect("forgets").tables, 1);
    assert_eq!(store.logs.load(&id).await, Ok(None));
    assert_eq!(rows(&folder, "folded", &id).await, 0);
}

#[tokio::test]
async fn damage_to_a_folded_game_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    let (id, other) = (play(&store, 1).await, play(&store, 2).await);
    fold_all(&store, LATER).await;
    let whole = load(&store, &other).await;
    let theirs = format!("SELECT body FROM folded WHERE seating = '{other}'");
    sql(folder.path(), &format!("UPDATE folded SET body = ({theirs}) WHERE seating = '{id}'")).await;
    assert!(matches!(store.logs.load(&id).await, Err(StoreError::Damaged(_))), "another's log");
    assert!(matches!(store.logs.log(&id, 5, 5).await, Err(StoreError::Damaged(_))), "a page of it");
    sql(folder.path(), &format!("UPDATE folded SET format = 9 WHERE seating = '{id}'")).await;
    let why = store.logs.load(&id).await.expect_err("of a newer program").to_string();
    assert!(why.contains("format 9"), "{why}");
    sql(folder.path(), &format!("DELETE FROM folded WHERE seating = '{id}'")).await;
    assert!(matches!(store.logs.load(&id).await, Err(StoreError::Damaged(_))), "gone");
    assert_eq!(load(&store, &other).await, whole, "the others are not affected");
}

/// The folder that the process to be killed works on.
const FOLDER: &str = "QIGUAN_TEST_FOLDER";
const KILLED: u64 = 240;

/// The process that is killed is this test, started again with a folder to work on.
#[cfg(unix)]
#[tokio::test]
async fn a_fold_that_is_killed_leaves_every_game_whole() {
    const NAME: &str = "a_fold_that_is_killed_leaves_every_game_whole";
    if common::is_postgres() {
        return;
    }
    if let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) {
        let store: Opened = Arc::new(Store::open(&folder).await.expect("opens"));
        fold_all(&store, LATER).await;
        store.condition.close().await;
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let store: Opened = Arc::new(Store::open(folder.path()).await.expect("opens"));
    let mut games = Vec::new();
    for n in 0..KILLED {
        let id = play(&store, n).await;
        games.push((load(&store, &id).await, id));
    }
    store.condition.close().await;
    let child = |folder: &Path| {
        let mut command = Program::new(std::env::current_exe().expect("a program"));
        command.args(["--exact", NAME]).env(FOLDER, folder).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("starts")
    };
    let (mut at_work, mut wait) = (0, 20);
    loop {
        let mut child = child(folder.path());
        std::thread::sleep(Duration::from_millis(wait));
        let alive = matches!(child.try_wait(), Ok(None));
        child.kill().expect("is killed");
        child.wait().expect("ends");
        let report = check(folder.path(), Some(&judge)).await.expect("reads");
        assert!(report.is_whole(), "{report:?}");
        assert_eq!((report.tables, report.events), (KILLED, KILLED * (PLIES + 3)));
        if !alive {
            break;
        }
        at_work += 1;
        wait += 15;
    }
    println!("killed {at_work} times");
    assert!(at_work > 1, "nothing was tried");
    let store: Opened = Arc::new(Store::open(folder.path()).await.expect("opens"));
    assert_eq!(fold_all(&store, LATER).await, 0, "the last one came to the end");
    for (before, id) in games {
        assert_eq!(load(&store, &id).await, before, "{id}");
    }
    store.condition.close().await;
}

/// The room that a finished game takes with its index, in bytes: told, and held to a bound.
#[tokio::test]
async fn a_folded_game_takes_a_fraction_of_the_room() {
    const GAMES: u64 = 400;
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    for n in 0..GAMES {
        play(&store, n).await;
    }
    let bytes = async || {
        let used = if common::is_postgres() {
            sql(folder.path(), "VACUUM FULL event").await;
            "SELECT pg_total_relation_size('event') + pg_total_relation_size('folded')"
        } else {
            "SELECT sum(pgsize - unused) FROM dbstat
                WHERE name IN ('event', 'folded', 'sqlite_autoindex_event_1', 'sqlite_autoindex_folded_1')"
        };
        number(folder.path(), used).await / GAMES
    };
    let before = bytes().await;
    assert_eq!(fold_all(&store, LATER).await, GAMES);
    let after = bytes().await;
    println!("a game of {} entries: {before} bytes, folded {after}", PLIES + 3);
    assert!(after * 4 < before, "{before} bytes became {after}");
}
