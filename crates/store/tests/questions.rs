//! Questions: would catch one that is answered twice or too late, an address that pushes out the questions of others,
//! and rows that stay when no answer comes.

mod common;

use std::sync::Arc;

use common::{Opened, hash, store_in};
use store::questions::NewQuestion;
use store::{Retention, StoreError};

async fn opened() -> (tempfile::TempDir, Opened) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder).await;
    (folder, store)
}

fn numbered(n: u32) -> [u8; 32] {
    let mut hash = [0; 32];
    hash[..4].copy_from_slice(&n.to_be_bytes());
    hash
}

fn question(asker: &str, hash: [u8; 32], until_ms: u64, now_ms: u64) -> NewQuestion {
    let (asker, body) = (asker.to_owned(), "sealed".to_owned());
    NewQuestion { kind: "passkey", hash, asker, body, until_ms, most: 10, most_each: 4, now_ms }
}

#[tokio::test]
async fn a_question_is_taken_once_and_in_time() {
    let (_folder, store) = opened().await;
    let questions = &store.questions;
    questions.ask_question(question("a", hash(1), 500, 100)).await.expect("is kept");
    assert_eq!(questions.question("device", hash(1), 200).await, Ok(None), "another sort");
    assert_eq!(questions.question("passkey", hash(1), 499).await, Ok(Some("sealed".to_owned())));
    assert_eq!(questions.question("passkey", hash(1), 500).await, Ok(None), "late");
    assert_eq!(
        questions.change_question("passkey", hash(2), "x".to_owned(), 1).await,
        Err(StoreError::Missing)
    );
    questions.change_question("passkey", hash(1), "ann".to_owned(), 200).await.expect("is there");
    assert_eq!(questions.take_question("passkey", hash(1), 300).await, Ok(Some("ann".to_owned())));
    assert_eq!(questions.take_question("passkey", hash(1), 300).await, Ok(None), "once");
    questions.ask_question(question("a", hash(3), 500, 100)).await.expect("is kept");
    assert_eq!(questions.take_question("passkey", hash(3), 501).await, Ok(None), "late");
    assert_eq!(questions.take_question("passkey", hash(3), 200).await, Ok(None), "and gone");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_answer_at_once_one_counts() {
    let (_folder, store) = opened().await;
    store.questions.ask_question(question("a", hash(1), 500, 100)).await.expect("is kept");
    let takers: Vec<_> = (0..20)
        .map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.questions.take_question("passkey", hash(1), 200).await })
        })
        .collect();
    let mut taken = 0;
    for taker in takers {
        taken += u32::from(taker.await.expect("runs").expect("answers").is_some());
    }
    assert_eq!(taken, 1);
}

#[tokio::test]
async fn nobody_takes_the_room_of_others_and_all_of_it_is_bounded() {
    let (_folder, store) = opened().await;
    let there = async |n: u32, now_ms| {
        store.questions.question("passkey", numbered(n), now_ms).await.expect("reads").is_some()
    };
    store.questions.ask_question(question("kept", numbered(0), 900, 0)).await.expect("is kept");
    for n in 1..=30_u32 {
        store
            .questions
            .ask_question(question("one", numbered(n), 900 + u64::from(n), 1))
            .await
            .expect("is kept");
    }
    assert!(there(0, 2).await, "another's stays");
    let mut own = Vec::new();
    for n in 1..=30 {
        if there(n, 2).await {
            own.push(n);
        }
    }
    assert_eq!(own, [27, 28, 29, 30], "the newest of its own");
    // Many addresses: the oldest of all give way.
    for n in 100..110_u32 {
        let asker = format!("address {n}");
        store
            .questions
            .ask_question(question(&asker, numbered(n), 2000 + u64::from(n), 1))
            .await
            .expect("is kept");
    }
    let mut all = Vec::new();
    for n in 0..200 {
        if there(n, 2).await {
            all.push(n);
        }
    }
    assert_eq!(all, (100..110).collect::<Vec<_>>());
    // Unanswered: the next question, or the upkeep, deletes them.
    store.upkeep.forget(Retention::default(), 5000).await.expect("forgets");
    for n in 100..110 {
        assert!(!there(n, 0).await, "{n}");
    }
}
