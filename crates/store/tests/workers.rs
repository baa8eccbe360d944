//! Catches keys of workers that count after they were removed, a search that two workers get, and one whose turn comes before
//! its time.

#![allow(clippy::duplicate_mod, reason = "the same tests with another store, and what they share")]

mod common;

use std::sync::Arc;

use common::{join, server};
use store::workers::{SearchOffer, SearchTaker, SearchWord};
use store::{KeyDeed, KeyRow, SharedSearches, Store, StoreError};

fn key(id: &str) -> KeyRow {
    KeyRow {
        id: id.to_owned(),
        name: "laptop".to_owned(),
        scopes: "play".to_owned(),
        made_ms: 7,
        aside: None,
    }
}

async fn keys_are_kept(store: &Store) {
    let keys = &store.worker_keys;
    let add = |id: &str, hash: u8| KeyDeed::Add { key: key(id), hash: [hash; 32] };
    keys.change_worker_key(add("a", 1)).await.expect("stored");
    assert_eq!(keys.change_worker_key(add("b", 1)).await, Err(StoreError::Taken), "the same secret");
    assert_eq!(keys.change_worker_key(add("a", 2)).await, Err(StoreError::Taken), "the same id");
    keys.change_worker_key(add("b", 2)).await.expect("stored");
    assert_eq!(keys.worker_keys().await.expect("reads"), [key("a"), key("b")]);
    assert_eq!(keys.worker_key(&[2; 32]).await.expect("reads"), Some(key("b")));
    assert_eq!(keys.worker_key(&[3; 32]).await.expect("reads"), None);
    let why = Some((9, "illegal".to_owned()));
    keys.change_worker_key(KeyDeed::Aside { id: "b".to_owned(), why: why.clone() }).await.expect("stored");
    assert_eq!(keys.worker_key(&[2; 32]).await.expect("reads").expect("is there").aside, why);
    keys.change_worker_key(KeyDeed::Aside { id: "b".to_owned(), why: None }).await.expect("stored");
    assert_eq!(keys.worker_key(&[2; 32]).await.expect("reads"), Some(key("b")));
    let remove = || KeyDeed::Remove { id: "b".to_owned() };
    keys.change_worker_key(remove()).await.expect("removed");
    assert_eq!(keys.change_worker_key(remove()).await, Err(StoreError::Missing));
    assert_eq!(keys.worker_key(&[2; 32]).await.expect("reads"), None, "it counts nowhere");
}

#[tokio::test]
async fn keys_in_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).await.expect("opens");
    keys_are_kept(&store).await;
    assert!(store.searches.as_deref().is_none(), "one process keeps them in memory");
    store.condition.close().await;
}

fn offer(id: &str, person: &str, rank: u8) -> SearchOffer {
    SearchOffer {
        id: id.to_owned(),
        person: person.to_owned(),
        scope: "play".to_owned(),
        rank,
        engine: None,
        extensions: false,
        but: None,
        body: format!("the question {id}"),
    }
}

fn taker(key: &str) -> SearchTaker {
    SearchTaker {
        key: key.to_owned(),
        scopes: vec!["play".to_owned()],
        engines: Vec::new(),
        extensions: false,
    }
}

fn goes_on() -> SearchWord {
    SearchWord { ended: None, told: None }
}

/// The searches that a node shares with others.
fn shared(store: &Store) -> Arc<dyn SharedSearches> {
    store.searches.clone().expect("there are several nodes")
}

async fn take(store: &Store, key: &str) -> Option<String> {
    shared(store).take_search(&taker(key)).await.expect("answers").map(|offer| offer.id)
}

#[tokio::test]
async fn searches_of_several_nodes() {
    if server::server().is_none() {
        eprintln!("skipped: there is no PostgreSQL");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let a = Store::join(&join(&folder, "a")).await.expect("opens");
    let b = Store::join(&join(&folder, "b")).await.expect("opens");
    let (at_a, at_b) = (shared(&a), shared(&b));
    keys_are_kept(&a).await;

    // People take turns, and what is more urgent goes first; any node gives what all have.
    at_a.offer_search(&offer("late", "greedy", 2)).await.expect("offered");
    for id in ["g1", "g2", "g3"] {
        at_a.offer_search(&offer(id, "greedy", 0)).await.expect("offered");
    }
    at_b.offer_search(&offer("o1", "other", 0)).await.expect("offered");
    let mut order = Vec::new();
    while let Some(id) = take(&b, "k").await {
        order.push(id);
    }
    assert_eq!(order, ["g1", "o1", "g2", "g3", "late"]);

    // Only the worker that holds a search reports on it, and each node sees its own searches.
    assert!(!at_b.hear_search("g1", "another", &goes_on()).await.expect("answers"), "another worker has it");
    let so_far = SearchWord { ended: None, told: Some("{}".to_owned()) };
    assert!(at_b.hear_search("g1", "k", &so_far).await.expect("answers"));
    assert!(at_b.hear_search("g1", "k", &goes_on()).await.expect("answers"));
    let last = SearchWord { ended: Some("answer".to_owned()), told: Some("{\"x\":1}".to_owned()) };
    assert!(at_b.hear_search("g1", "k", &last).await.expect("answers"));
    assert!(!at_b.hear_search("g1", "k", &last).await.expect("answers"), "once");
    let rows = at_a.taken_searches().await.expect("reads");
    assert_eq!(rows.len(), 4, "that of the other node is not among them");
    let row = rows.iter().find(|row| row.id == "g1").expect("is there");
    assert_eq!((row.step, &row.word, row.key.as_str()), (2, &last, "k"));
    assert!(!at_a.withdraw_search("g2", false).await.expect("answers"), "a worker has it");
    assert!(at_a.withdraw_search("g2", true).await.expect("answers"));
    assert!(!at_b.hear_search("g2", "k", &goes_on()).await.expect("answers"), "nobody waits for it");

    // Workers that ask at the same moment at two nodes never get the same.
    for n in 0..20 {
        at_a.offer_search(&offer(&format!("n{n}"), &format!("p{}", n % 3), 0)).await.expect("offered");
    }
    let both = async |store: &Store, key: &str| {
        let mut own = Vec::new();
        while let Some(id) = take(store, key).await {
            own.push(id);
        }
        own
    };
    let (mut all, more, rest) = tokio::join!(both(&a, "x"), both(&b, "y"), both(&b, "z"));
    all.extend(more);
    all.extend(rest);
    assert_eq!(all.len(), 20, "{all:?}");
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 20);

    // What a worker has failed with it does not get again, and what it cannot do neither.
    at_a.offer_search(&SearchOffer { but: Some("k".to_owned()), ..offer("f", "p", 0) })
        .await
        .expect("offered");
    at_a.offer_search(&SearchOffer { engine: Some("Pika".to_owned()), ..offer("e", "p", 0) })
        .await
        .expect("offered");
    assert_eq!(take(&b, "k").await, None);
    assert_eq!(take(&b, "other").await.as_deref(), Some("f"));
    let able = SearchTaker { engines: vec!["Pika".to_owned()], ..taker("k") };
    assert_eq!(at_b.take_search(&able).await.expect("answers").map(|offer| offer.id).as_deref(), Some("e"));

    // A node that has left waits for nothing.
    at_a.offer_search(&offer("gone", "p", 0)).await.expect("offered");
    a.condition.close().await;
    assert_eq!(take(&b, "k").await, None);
    at_b.sweep_searches().await.expect("swept");
    assert!(!at_b.withdraw_search("gone", true).await.expect("answers"), "it is forgotten");
    b.condition.close().await;
}
