//! A table whose task fails ends alone, says so, and is left alone after three times.

use edge::network::{Network, Payer};
use store::Store;
use tables::ask::{Ask, Handle, Join, Joined, News};
use tables::memory::NoTable;
use tokio::sync::oneshot;
use wire::{ClockSpec, Offer};

use crate::house::{mv, offer, soon};
use crate::slow::{ask, game, hall, person};

async fn join(handle: &Handle) -> Joined {
    let (reply, joined) = oneshot::channel();
    let join = Join { who: person("ann"), network: Network::nobody(), since: None, reply };
    assert!(handle.0.send(Ask::Join(Box::new(join))).await.is_ok(), "the table is there");
    soon(joined).await.expect("joins")
}

/// Returns the last news before the table ends.
async fn last_words(joined: &mut Joined) -> String {
    let mut last = String::new();
    while let Ok(news) = soon(joined.news.recv()).await {
        if let News::Other(words) = news {
            last = words.to_string();
        }
    }
    last
}

#[tokio::test]
async fn a_table_that_panics_ends_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hall, store) = hall(Store::open(folder.path()).await.expect("opens"));
    let clock = ClockSpec::None;
    let ((_, failing), (other, _)) = (game(&hall, clock).await, game(&hall, clock).await);
    for time in 1..=3 {
        let handle = hall
            .tables
            .table(&failing, Payer::Hall)
            .await
            .unwrap_or_else(|why| panic!("time {time}: {why:?}"));
        ask(&hall, &handle, "ann", mv(&format!("h{}", 8 + time))).await;
        ask(&hall, &handle, "bob", mv(&format!("a{}", 1 + time))).await;
        let mut joined = join(&handle).await;
        let fails = Ask::Look(Box::new(|_| panic!("a mistake of ours, made on purpose")));
        assert!(handle.0.send(fails).await.is_ok());
        let told = last_words(&mut joined).await;
        assert!(told.contains("table-failed"), "time {time}: {told}");
        // The others play on.
        ask(&hall, &other, "ann", offer(Offer::Draw)).await;
        ask(&hall, &other, "ann", wire::Act::Decline { what: Offer::Draw }).await;
    }
    assert!(matches!(hall.tables.table(&failing, Payer::Hall).await, Err(NoTable::Quarantined)));
    // The keeper of the hall gives it another chance, and nothing is missing.
    store.inner.tables.pardon(&failing).await.expect("is stored");
    let plies = hall.tables.look(&failing, Payer::Hall, |state| state.record.len()).await.expect("is there");
    assert_eq!(plies, 8);
}
