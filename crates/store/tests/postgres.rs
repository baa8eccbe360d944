//! Catches PostgreSQL answering otherwise than SQLite does: the same tests once more, and what only several
//! processes can do to each other. Where PostgreSQL is not installed, the shared tests ask SQLite again and the
//! others return; `scripts/test.sh` names them as skipped.

#![allow(clippy::duplicate_mod, reason = "the same tests with another store, and what they share")]

mod common;

#[path = "accounts.rs"]
mod accounts;
#[path = "conformance.rs"]
mod conformance;
#[path = "folded.rs"]
mod folded;
#[path = "games.rs"]
mod games;
#[path = "journal.rs"]
mod journal;
#[path = "mail.rs"]
mod mail;
#[path = "notices.rs"]
mod notices;
#[path = "questions.rs"]
mod questions;
#[path = "shelf.rs"]
mod shelf;
#[path = "slow.rs"]
mod slow;
#[path = "studies.rs"]
mod studies;
#[path = "store.rs"]
mod plain;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use common::{WAITING, entry, join, postgres_in, setup};
use sqlx::Connection as _;
use store::{Claim, Join, Store, StoreError};

async fn open(folder: &tempfile::TempDir, node: &str) -> Store {
    Store::join(&join(folder, node)).await.expect("opens")
}

fn is_here() -> bool {
    let is_here = common::server::server().is_some();
    if !is_here {
        eprintln!("skipped: there is no PostgreSQL");
    }
    is_here
}

/// A node of a program that knows no folded games leaves the column empty that says what it can read.
#[tokio::test]
async fn nothing_is_folded_while_a_node_could_not_read_it() {
    if !is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(&folder, "a").await;
    common::sql(
        folder.path(),
        "INSERT INTO node (incarnation, name, begun_ms, beat_ms) VALUES ('old.1', 'old', now_ms(), now_ms());
        INSERT INTO game (n, id, format, setup, players, first, second, void, reason, plies, begun_ms, ended_ms, record)
            VALUES (1, 't', 1, '', '', 'ann', 'bob', false, '', 0, 1, 1, '')",
    )
    .await;
    store
        .logs
        .create("t", &setup(None), vec![entry(1, None), entry(2, None)], WAITING)
        .await
        .expect("stored");
    common::sql(folder.path(), "UPDATE seating SET stage = 2").await;
    let oldest = "SELECT oldest FROM hall_schema ORDER BY version DESC LIMIT 1";
    let folded = store.upkeep.fold(u64::MAX).await.expect("answers");
    assert!(folded.waits && folded.games == 0, "{folded:?}");
    assert_eq!(common::number(folder.path(), oldest).await, 1, "and that program may still enter");
    common::sql(folder.path(), "DELETE FROM node WHERE name = 'old'").await;
    let folded = store.upkeep.fold(u64::MAX).await.expect("answers");
    assert!(!folded.waits && folded.games == 1 && folded.is_done, "{folded:?}");
    assert_eq!(common::number(folder.path(), oldest).await, 19, "and now it is refused");
    let log = store.logs.load("t").await.expect("reads").expect("is there").log;
    assert_eq!(log, [entry(1, None), entry(2, None)]);
    // An append whose answer was lost is looked up by the checksum before it, which is folded.
    store.logs.append("t", entry(3, None), None).await.expect("stored");
    assert_eq!(store.logs.log("t", 2, 9).await, Ok(vec![entry(3, None)]));
}

#[tokio::test]
async fn a_table_has_one_owner_and_nobody_else_writes() {
    if !is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (open(&folder, "a").await, open(&folder, "b").await);
    a.logs.create("t", &setup(None), vec![entry(1, None)], WAITING).await.expect("stored");
    let claimed = b.claims.claim("t").await.expect("answers");
    assert!(matches!(&claimed, Claim::Elsewhere(node) if node.name == "a"), "{claimed:?}");
    assert_eq!(b.logs.append("t", entry(2, None), None).await, Err(StoreError::Fenced));
    assert_eq!(b.tables.sleep("t", store::Asleep::until(1, 2)).await, Err(StoreError::Fenced));
    assert_eq!(a.logs.append("t", entry(2, None), None).await, Ok(()));
    assert_eq!(b.claims.claim("nothing").await, Err(StoreError::Missing));
    a.claims.release("t").await.expect("released");
    assert!(matches!(b.claims.claim("t").await, Ok(Claim::Taken { .. })));
    assert_eq!(b.logs.append("t", entry(3, None), None).await, Ok(()));
    assert_eq!(a.logs.append("t", entry(4, None), None).await, Err(StoreError::Fenced), "late");
    assert_eq!(b.logs.append("t", entry(4, None), None).await, Ok(()));
    let names: Vec<_> =
        b.claims.nodes().await.expect("reads").into_iter().map(|node| (node.name, node.tables)).collect();
    assert_eq!(names, [("a".to_owned(), 0), ("b".to_owned(), 1)]);
    let me = b.claims.node().expect("is a node");
    let owned = b.claims.owned(me, 9).await.expect("reads");
    assert!(matches!(&owned[..], [one] if (one.id.as_str(), one.epoch, one.ver) == ("t", 2, 4)), "{owned:?}");
    // Who leaves gives all back at once.
    b.condition.close().await;
    assert!(matches!(a.claims.claim("t").await, Ok(Claim::Taken { .. })));
    assert_eq!(a.logs.append("t", entry(5, None), None).await, Ok(()));
}

/// A node that was stopped for longer than others wait is buried; when it goes on, it writes nothing, and its
/// tables go on without it, with what its players had thought until its last beat.
#[tokio::test]
async fn who_is_buried_writes_nothing() {
    if !is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (open(&folder, "a").await, open(&folder, "b").await);
    let standing = table::Standing { stage: table::Stage::Playing, seats: [None, None] };
    a.logs.create("t", &setup(None), vec![entry(1, None)], standing).await.expect("stored");
    assert_eq!(b.claims.orphans(9).await, Ok(vec![]));
    common::server::server()
        .expect("is there")
        .psql(&database(&folder), "UPDATE node SET beat_ms = beat_ms - 9000 WHERE name = 'a'")
        .expect("is done");
    b.claims.renew().await.expect("lives");
    assert_eq!(
        b.claims.orphans(9).await,
        Ok(vec![]),
        "b came a moment ago: perhaps all were cut off until then"
    );
    assert!(matches!(b.claims.claim("t").await, Ok(Claim::Elsewhere(_))));
    let older = "UPDATE node SET since_ms = since_ms - 9000 WHERE name = 'b'";
    common::server::server().expect("is there").psql(&database(&folder), older).expect("is done");
    b.claims.renew().await.expect("lives");
    assert_eq!(b.claims.orphans(9).await, Ok(vec!["t".to_owned()]));
    assert_eq!(a.logs.append("t", entry(2, None), None).await, Err(StoreError::Fenced));
    let begun = a.claims.clock_ms().await.expect("reads").expect("has a clock");
    let Ok(Claim::Adopted { epoch, beat_ms }) = b.claims.claim("t").await else { panic!("not adopted") };
    assert!(epoch == 2 && beat_ms < begun - 8_000, "{epoch} {beat_ms} {begun}");
    assert_eq!(b.logs.append("t", entry(2, None), None).await, Ok(()));
    assert_eq!(a.logs.append("t", entry(3, None), None).await, Err(StoreError::Fenced));
    assert_eq!(a.claims.renew().await, Err(StoreError::Fenced));
    assert_eq!(a.claims.claim("t").await, Err(StoreError::Fenced));
    assert_eq!(b.claims.orphans(9).await, Ok(vec![]));
    assert_eq!(
        b.logs.load("t").await.expect("reads").expect("is there").log,
        [entry(1, None), entry(2, None)]
    );
}

/// The end of a game does not wait for sign-ins and uploads. All of them stood in one queue of all nodes before.
#[tokio::test]
async fn a_game_ends_while_others_sign_in_and_files_come() {
    if !is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(open(&folder, "a").await);
    store.logs.create("t", &setup(None), vec![entry(1, None)], WAITING).await.expect("stored");
    // Another node is at the desk of accounts and at that of files, and does not leave.
    let url = join(&folder, "x").url;
    let mut other = sqlx::PgConnection::connect(&url).await.expect("connects");
    for desk in [0x7169_6775_616e_0101_i64, 0x7169_6775_616e_0105] {
        sqlx::query("SELECT pg_advisory_lock($1)").bind(desk).execute(&mut other).await.expect("is free");
    }
    let waiting = Arc::clone(&store);
    let mut enrolls =
        tokio::spawn(async move { waiting.people.enroll(common::person("ann", 1, None)).await });
    let waiting = Arc::clone(&store);
    let mut brings = tokio::spawn(async move {
        let (subject, owner) = ("x".to_owned(), "y".to_owned());
        let chunk = store::journal::JournalDeed::Chunk { subject, owner, at: 0, body: vec![1], now_ms: 1 };
        waiting.journals.write(chunk).await
    });
    let over = table::Standing { stage: table::Stage::Over, seats: [None, None] };
    // A withdrawal takes back a counted game, and the end of a game counts one: both use the desk of games.
    let ends = table::Entry { event: table::Event::Withdraw { by: kernel::Side::First }, ..entry(2, None) };
    let ended = tokio::time::timeout(Duration::from_secs(10), store.logs.append("t", ends, Some(over))).await;
    assert_eq!(ended.expect("does not wait"), Ok(()));
    for waits in [
        tokio::time::timeout(Duration::from_millis(200), &mut enrolls).await.is_err(),
        tokio::time::timeout(Duration::from_millis(200), &mut brings).await.is_err(),
    ] {
        assert!(waits, "these do");
    }
    other.close().await.expect("closes");
    enrolls.await.expect("runs").expect("is kept");
    brings.await.expect("runs").expect("is kept");
}

/// The first node that is back after an outage does not bury the others, however long they were silent.
#[tokio::test]
async fn an_outage_is_nobodys_silence() {
    if !is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (open(&folder, "a").await, open(&folder, "b").await);
    let psql = |sql: &str| {
        common::server::server().expect("is there").psql(&database(&folder), sql).expect("is done")
    };
    // Both have lived for a minute; then neither reached the database for forty seconds.
    psql("UPDATE node SET since_ms = since_ms - 100000, beat_ms = beat_ms - 40000");
    a.claims.renew().await.expect("lives");
    a.claims.renew().await.expect("lives");
    assert_eq!(psql("SELECT string_agg(name, ' ' ORDER BY name) FROM node"), "a b");
    b.claims.renew().await.expect("was not buried");
    // One of them stays away, and the other has been back for long enough.
    psql("UPDATE node SET beat_ms = beat_ms - 7000 WHERE name = 'b'");
    psql("UPDATE node SET since_ms = since_ms - 6000 WHERE name = 'a'");
    a.claims.renew().await.expect("lives");
    assert_eq!(psql("SELECT string_agg(name, ' ' ORDER BY name) FROM node"), "a");
    assert_eq!(b.claims.renew().await, Err(StoreError::Fenced));
}

/// A copy of an older day took the place of the database: the nodes say so and stop, also those that start again.
#[tokio::test]
async fn an_older_copy_is_named() {
    if !is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let a = open(&folder, "a").await;
    for _ in 0..5 {
        a.claims.renew().await.expect("lives");
    }
    let seen = a.claims.beats_seen();
    assert_eq!(seen, 5);
    let back = "UPDATE hall SET value = 2 WHERE key = 'beats'";
    common::server::server().expect("is there").psql(&database(&folder), back).expect("is done");
    let why = a.claims.renew().await.expect_err("is older").to_string();
    for part in ["older copy", "counted 3 beats", "has seen 5", "restore", "database.seen"] {
        assert!(why.contains(part), "{part}: {why}");
    }
    assert_eq!(a.claims.claim("t").await, Err(StoreError::Fenced), "and nothing is written any more");
    let b = open(&folder, "b").await;
    b.claims.expect_beats(seen);
    assert!(matches!(b.claims.renew().await, Err(StoreError::Damaged(_))), "also for who was away meanwhile");
}

fn database(folder: &tempfile::TempDir) -> String {
    join(folder, "x").url.rsplit('/').next().expect("a name").to_owned()
}

/// Two nodes fight for tables: whatever is told to be stored is there once, in order, and each version is one node's.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_that_fight_for_tables_lose_nothing() {
    if !is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let nodes = [Arc::new(open(&folder, "a").await), Arc::new(open(&folder, "b").await)];
    for n in 0..4 {
        nodes[0].logs.create(&format!("t{n}"), &setup(None), vec![], WAITING).await.expect("stored");
        nodes[0].claims.release(&format!("t{n}")).await.expect("released");
    }
    let mut writers = tokio::task::JoinSet::new();
    for (n, node) in (0..4).flat_map(|n| nodes.iter().map(move |node| (n, Arc::clone(node)))) {
        writers.spawn(async move {
            let (id, mut told) = (format!("t{n}"), Vec::new());
            for round in 0..60 {
                let Ok(Claim::Kept | Claim::Taken { .. }) = node.claims.claim(&id).await else {
                    tokio::time::sleep(Duration::from_millis(3)).await;
                    continue;
                };
                let log = node.logs.log(&id, 0, 9999).await.expect("reads");
                let cmd = format!("{}-{round}", node.claims.node().expect("has one"));
                let entry = entry(log.len() as u64 + 1, Some(&cmd));
                match node.logs.append(&id, entry.clone(), None).await {
                    Ok(()) => told.push(entry),
                    Err(StoreError::Conflict | StoreError::Fenced) => {}
                    Err(why) => panic!("{why}"),
                }
                if round % 5 == 4 {
                    node.claims.release(&id).await.expect("released");
                }
            }
            node.claims.release(&id).await.expect("released");
            (id, told)
        });
    }
    let mut logs: BTreeMap<String, Vec<table::Entry>> = BTreeMap::new();
    while let Some(done) = writers.join_next().await {
        let (id, told) = done.expect("no panic");
        logs.entry(id).or_default().extend(told);
    }
    for (id, mut told) in logs {
        told.sort_by_key(|entry| entry.ver);
        assert!(told.len() > 20, "{id}: {}", told.len());
        assert_eq!(nodes[1].logs.load(&id).await.expect("reads").expect("is there").log, told, "{id}");
    }
}

/// The server is killed again and again while entries are written: what was told to be stored is there, and nothing
/// twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_killed_loses_nothing() {
    if !is_here() {
        return;
    }
    // A server of its own, so that no other test is harmed.
    let Some(server) = common::server::another() else { return };
    server.make("killed");
    let join = Join { url: server.url("killed"), node: "a".to_owned() };
    let store = Arc::new(Store::join(&join).await.expect("opens"));
    for n in 0..8 {
        store.logs.create(&format!("t{n}"), &setup(None), vec![], WAITING).await.expect("stored");
    }
    let mut writers = tokio::task::JoinSet::new();
    let end = tokio::time::Instant::now() + Duration::from_secs(6);
    for n in 0..8 {
        let store = Arc::clone(&store);
        writers.spawn(async move {
            let mut ver = 0;
            while tokio::time::Instant::now() < end {
                let next = entry(ver + 1, Some(&format!("cmd-{ver}")));
                match store.logs.append(&format!("t{n}"), next, None).await {
                    Ok(()) => ver += 1,
                    // It says so, and then it is not there.
                    Err(why) => panic!("{n}, {ver}: {why}"),
                }
            }
            (n, ver)
        });
    }
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_millis(700)).await;
        tokio::task::block_in_place(|| server.restart());
    }
    while let Some(done) = writers.join_next().await {
        let (n, ver) = done.expect("no panic");
        let log = store.logs.load(&format!("t{n}")).await.expect("reads").expect("is there").log;
        assert_eq!(log.len() as u64, ver, "t{n}");
        assert!(ver > 10, "t{n}: {ver}");
    }
    store.condition.close().await;
}

#[tokio::test]
async fn what_cannot_be_opened_says_what_to_do() {
    if !is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let refused = async |url: &str, node: &str| {
        let join = Join { url: url.to_owned(), node: node.to_owned() };
        Store::join(&join).await.err().expect("is refused").to_string()
    };
    let (url, server) = (join(&folder, "a").url, common::server::server().expect("is there"));
    let has = |why: &str, parts: &[&str]| assert!(parts.iter().all(|part| why.contains(part)), "{why}");
    has(&refused("mysql://x", "a").await, &["postgres://user:password@host:5432/database"]);
    has(&refused("postgres://x:secret@%2Fnowhere/x", "a").await, &["does not answer", "--store"]);
    assert!(!refused("postgres://x:secret@%2Fnowhere/x", "a").await.contains("secret"), "a password");
    has(&refused(&server.url("nothing"), "a").await, &["no such database", "createdb"]);
    has(&refused(&url, "a node").await, &["--node"]);
    let first = postgres_in(&folder, "a").await;
    let keeper = Arc::clone(&first);
    let beats = tokio::spawn(async move {
        loop {
            let _ = keeper.claims.renew().await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    has(&refused(&url, "a").await, &["a node named a is at work", "--node"]);
    beats.abort();
    let database = database(&folder);
    // A step with a lower number may come later than one with a higher.
    server
        .psql(&database, "DROP TABLE question; DELETE FROM hall_schema WHERE version = 9")
        .expect("is done");
    Store::join(&join(&folder, "b")).await.expect("the step is made up for").condition.close().await;
    assert_eq!(server.psql(&database, "SELECT count(*) FROM question").expect("is there"), "0");
    server.psql(&database, "INSERT INTO hall_schema VALUES (1000, 1)").expect("is done");
    Store::join(&join(&folder, "b"))
        .await
        .expect("a newer schema that serves this program")
        .condition
        .close()
        .await;
    server.psql(&database, "UPDATE hall_schema SET oldest = 1000 WHERE version = 1000").expect("is done");
    has(&refused(&url, "b").await, &["newer hall", "1000"]);
    server.psql("postgres", "CREATE ROLE weak LOGIN").expect("is done");
    server.make("others");
    let weak = server.url("others").replace("hall@", "weak@");
    has(&refused(&weak, "a").await, &["may not make or change", "OWNER TO"]);
    assert_eq!(
        server.psql("others", "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").as_deref(),
        Ok("0")
    );
}
