//! Catches PostgreSQL answering otherwise than SQLite does: the same tests once more, and what only several
//! processes can do to each other. Where PostgreSQL is not installed, the shared tests ask SQLite again and the
//! others return; `scripts/test.sh` names them as skipped.

#![allow(clippy::duplicate_mod, reason = "the same tests with another store, and what they share")]

mod common;

#[path = "accounts.rs"]
mod accounts;
#[path = "conformance.rs"]
mod conformance;
#[path = "games.rs"]
mod games;
#[path = "mail.rs"]
mod mail;
#[path = "notices.rs"]
mod notices;
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
use store::{Claim, Claims, Join, Postgres, Store, StoreError};

async fn open(folder: &tempfile::TempDir, node: &str) -> Postgres {
    Postgres::open(&join(folder, node)).await.expect("opens")
}

fn is_here() -> bool {
    let is_here = common::server::server().is_some();
    if !is_here {
        eprintln!("skipped: there is no PostgreSQL");
    }
    is_here
}

#[tokio::test]
async fn a_table_has_one_owner_and_nobody_else_writes() {
    if !is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (open(&folder, "a").await, open(&folder, "b").await);
    a.create("t", &setup(None), vec![entry(1, None)], WAITING).await.expect("stored");
    let claimed = b.claim("t").await.expect("answers");
    assert!(matches!(&claimed, Claim::Elsewhere(node) if node.name == "a"), "{claimed:?}");
    assert_eq!(b.append("t", entry(2, None), None).await, Err(StoreError::Fenced));
    assert_eq!(b.sleep("t", store::Asleep::until(1, 2)).await, Err(StoreError::Fenced));
    assert_eq!(a.append("t", entry(2, None), None).await, Ok(()));
    assert_eq!(b.claim("nothing").await, Err(StoreError::Missing));
    a.release("t").await.expect("released");
    assert!(matches!(b.claim("t").await, Ok(Claim::Taken { .. })));
    assert_eq!(b.append("t", entry(3, None), None).await, Ok(()));
    assert_eq!(a.append("t", entry(4, None), None).await, Err(StoreError::Fenced), "late");
    assert_eq!(b.append("t", entry(4, None), None).await, Ok(()));
    let names: Vec<_> =
        b.nodes().await.expect("reads").into_iter().map(|node| (node.name, node.tables)).collect();
    assert_eq!(names, [("a".to_owned(), 0), ("b".to_owned(), 1)]);
    let me = b.node().expect("is a node");
    let owned = b.owned(me, 9).await.expect("reads");
    assert!(matches!(&owned[..], [one] if (one.id.as_str(), one.epoch, one.ver) == ("t", 2, 4)), "{owned:?}");
    // Who leaves gives all back at once.
    b.close().await;
    assert!(matches!(a.claim("t").await, Ok(Claim::Taken { .. })));
    assert_eq!(a.append("t", entry(5, None), None).await, Ok(()));
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
    a.create("t", &setup(None), vec![entry(1, None)], standing).await.expect("stored");
    assert_eq!(b.orphans(9).await, Ok(vec![]));
    common::server::server()
        .expect("is there")
        .psql(&database(&folder), "UPDATE node SET beat_ms = beat_ms - 9000 WHERE name = 'a'")
        .expect("is done");
    b.renew().await.expect("lives");
    assert_eq!(b.orphans(9).await, Ok(vec!["t".to_owned()]));
    assert_eq!(a.append("t", entry(2, None), None).await, Err(StoreError::Fenced));
    let begun = a.clock_ms().await.expect("reads").expect("has a clock");
    let Ok(Claim::Adopted { epoch, beat_ms }) = b.claim("t").await else { panic!("not adopted") };
    assert!(epoch == 2 && beat_ms < begun - 8_000, "{epoch} {beat_ms} {begun}");
    assert_eq!(b.append("t", entry(2, None), None).await, Ok(()));
    assert_eq!(a.append("t", entry(3, None), None).await, Err(StoreError::Fenced));
    assert_eq!(a.renew().await, Err(StoreError::Fenced));
    assert_eq!(a.claim("t").await, Err(StoreError::Fenced));
    assert_eq!(b.orphans(9).await, Ok(vec![]));
    assert_eq!(b.load("t").await.expect("reads").expect("is there").log, [entry(1, None), entry(2, None)]);
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
        nodes[0].create(&format!("t{n}"), &setup(None), vec![], WAITING).await.expect("stored");
        nodes[0].release(&format!("t{n}")).await.expect("released");
    }
    let mut writers = tokio::task::JoinSet::new();
    for (n, node) in (0..4).flat_map(|n| nodes.iter().map(move |node| (n, Arc::clone(node)))) {
        writers.spawn(async move {
            let (id, mut told) = (format!("t{n}"), Vec::new());
            for round in 0..60 {
                let Ok(Claim::Kept | Claim::Taken { .. }) = node.claim(&id).await else {
                    tokio::time::sleep(Duration::from_millis(3)).await;
                    continue;
                };
                let log = node.log(&id, 0, 9999).await.expect("reads");
                let cmd = format!("{}-{round}", node.node().expect("has one"));
                let entry = entry(log.len() as u64 + 1, Some(&cmd));
                match node.append(&id, entry.clone(), None).await {
                    Ok(()) => told.push(entry),
                    Err(StoreError::Conflict | StoreError::Fenced) => {}
                    Err(why) => panic!("{why}"),
                }
                if round % 5 == 4 {
                    node.release(&id).await.expect("released");
                }
            }
            node.release(&id).await.expect("released");
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
        assert_eq!(nodes[1].load(&id).await.expect("reads").expect("is there").log, told, "{id}");
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
    let store = Arc::new(Postgres::open(&join).await.expect("opens"));
    for n in 0..8 {
        store.create(&format!("t{n}"), &setup(None), vec![], WAITING).await.expect("stored");
    }
    let mut writers = tokio::task::JoinSet::new();
    let end = tokio::time::Instant::now() + Duration::from_secs(6);
    for n in 0..8 {
        let store = Arc::clone(&store);
        writers.spawn(async move {
            let mut ver = 0;
            while tokio::time::Instant::now() < end {
                let next = entry(ver + 1, Some(&format!("cmd-{ver}")));
                match store.append(&format!("t{n}"), next, None).await {
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
        let log = store.load(&format!("t{n}")).await.expect("reads").expect("is there").log;
        assert_eq!(log.len() as u64, ver, "t{n}");
        assert!(ver > 10, "t{n}: {ver}");
    }
    store.close().await;
}

#[tokio::test]
async fn what_cannot_be_opened_says_what_to_do() {
    if !is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let refused = async |url: &str, node: &str| {
        let join = Join { url: url.to_owned(), node: node.to_owned() };
        Postgres::open(&join).await.err().expect("is refused").to_string()
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
            let _ = keeper.renew().await;
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    has(&refused(&url, "a").await, &["a node named a is at work", "--node"]);
    beats.abort();
    let database = database(&folder);
    server.psql(&database, "INSERT INTO hall_schema VALUES (1000, 1)").expect("is done");
    Postgres::open(&join(&folder, "b")).await.expect("a newer schema that serves this program").close().await;
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
