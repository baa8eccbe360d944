//! Journals: would catch entries that two nodes get in another order, that are doubled or lost, a base that hides what comes after
//! it, and what an old base leaves behind for ever.

mod common;

use std::sync::Arc;

use common::{Opened, store_in};
use store::StoreError;
use store::journal::JournalDeed;

async fn opened() -> (tempfile::TempDir, Opened) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    (folder, store)
}

fn add(id: &str, bytes: u64) -> JournalDeed {
    JournalDeed::Add { subject: "x".to_owned(), id: id.to_owned(), body: format!("body of {id}"), bytes }
}

fn chunk(owner: &str, at: u32, now_ms: u64) -> JournalDeed {
    let body = vec![at as u8; 3];
    JournalDeed::Chunk { subject: "x".to_owned(), owner: owner.to_owned(), at, body, now_ms }
}

fn base(n: u64, id: &str, upload: &str) -> JournalDeed {
    let (id, upload) = (id.to_owned(), upload.to_owned());
    JournalDeed::Base { subject: "x".to_owned(), n, id, upload, chunks: 2 }
}

async fn ids(store: &Opened, from: u64) -> Vec<(u64, String)> {
    let found = store.journals.journal_entries("x", from, 1000).await.expect("reads");
    found.into_iter().map(|entry| (entry.n, entry.id)).collect()
}

#[tokio::test]
async fn entries_follow_a_base_in_order() {
    let (_folder, store) = opened().await;
    let journals = &store.journals;
    assert_eq!(journals.write(add("too early", 1)).await, Err(StoreError::Missing));
    assert_eq!(journals.journal_head("x").await, Ok(None));
    for at in 0..2 {
        journals.write(chunk("up0", at, 1)).await.expect("is kept");
    }
    journals.write(base(0, "begin", "up0")).await.expect("is the first");
    assert_eq!(journals.write(base(0, "other", "up9")).await, Err(StoreError::Conflict), "of two, one is");
    assert_eq!(journals.write(add("one", 10)).await, Ok(1));
    assert_eq!(journals.write(add("two", 20)).await, Ok(2));
    assert_eq!(journals.write(add("one", 10)).await, Ok(1), "asked again, it is not added again");
    let head = journals.journal_head("x").await.expect("reads").expect("is there");
    assert_eq!((head.last, head.base, head.base_id.as_str(), head.since), (2, 0, "begin", 30));
    assert_eq!(ids(&store, 2).await, [(2, "two".to_owned())]);
    assert_eq!(journals.journal_chunk("up0", 1).await, Ok(Some(vec![1; 3])));
    assert_eq!(journals.journal_chunk("up0", 2).await, Ok(None));
    assert_eq!(journals.journal_head("y").await, Ok(None), "each file has its own");
}

/// Checks that a node which is one base behind finds what it needs; older entries and files go.
#[tokio::test]
async fn what_a_base_includes_is_forgotten_one_base_later() {
    let (_folder, store) = opened().await;
    let journals = &store.journals;
    let mut uploads = Vec::new();
    journals.write(base(0, "begin", "up0")).await.expect("is the first");
    for round in 1..=3_u64 {
        for n in 1..=4 {
            let id = format!("{round}{n}");
            journals.write(chunk(&id, 0, round)).await.expect("is kept");
            journals.write(add(&id, 1)).await.expect("is added");
        }
        let upload = format!("up{round}");
        journals.write(chunk(&upload, 0, round)).await.expect("is kept");
        journals.write(base(4 * round, &format!("{round}4"), &upload)).await.expect("is newer");
        uploads.push(upload);
        let first = ids(&store, 0).await.first().map(|(n, _)| *n);
        assert_eq!(first, Some((4 * round).saturating_sub(4) + 1).filter(|_| round > 0), "round {round}");
    }
    let head = journals.journal_head("x").await.expect("reads").expect("is there");
    assert_eq!((head.last, head.base, head.upload.as_str(), head.since), (12, 12, "up3", 0));
    for (owner, there) in
        [("up1", false), ("up2", false), ("up3", true), ("11", false), ("24", false), ("31", true)]
    {
        let found = journals.journal_chunk(owner, 0).await.expect("reads");
        assert_eq!(found.is_some(), there, "{owner}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_writes_at_once_gets_numbers_without_gaps() {
    let (_folder, store) = opened().await;
    store.journals.write(base(0, "begin", "up0")).await.expect("is the first");
    let writers: Vec<_> = (0..40)
        .map(|n| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.journals.write(add(&format!("e{n}"), 1)).await })
        })
        .collect();
    let mut numbers = Vec::new();
    for writer in writers {
        numbers.push(writer.await.expect("runs").expect("is added"));
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
    assert_eq!(ids(&store, 1).await.len(), 40);
}
