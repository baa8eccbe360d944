//! Shared loading: a value is loaded once for all requests that wait for it, in turns that are fair between addresses
//! and people.
//!
//! Every request has a place of its own in the line, and the first one to get a turn loads for all: no request waits
//! behind those that another person has queued.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::watch;

use crate::fair::{Fair, Turn};
use crate::network::Asker;

/// The loads under way, and the queue for turns.
pub struct Loads<T> {
    turns: Arc<Fair>,
    under_way: Mutex<HashMap<String, Weak<Load<T>>>>,
}

struct Load<T> {
    begun: AtomicBool,
    /// The result of the load; the inner `None` where it ended early.
    done: watch::Sender<Option<Option<T>>>,
}

/// Waits for a turn of a queue without a bound, which refuses no request.
pub async fn turn(fair: &Arc<Fair>, asker: &Asker) -> Turn {
    fair.take(asker.network, &asker.person).await.expect("as many may wait as like")
}

impl<T: Clone + Send + Sync + 'static> Loads<T> {
    /// Allows `at_once` loads at the same time.
    #[must_use]
    pub fn new(at_once: usize) -> Loads<T> {
        Loads { turns: Fair::new(at_once, usize::MAX), under_way: Mutex::default() }
    }

    /// Waits for a turn to load a value that is not shared.
    pub async fn turn(&self, asker: &Asker) -> Turn {
        turn(&self.turns, asker).await
    }

    /// Returns the result of `load` for `id`. The load runs to its end even when no request waits for it any more;
    /// `None` if it ended early.
    pub async fn of<F>(&self, id: &str, asker: &Asker, load: impl FnOnce(Turn) -> F) -> Option<T>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let known = self.load(id);
        let mut done = known.done.subscribe();
        let turn = tokio::select! {
            biased;
            outcome = outcome(&mut done) => return outcome,
            turn = self.turn(asker) => turn,
        };
        if known.begun.swap(true, Ordering::Relaxed) {
            // Another request has taken the turn meanwhile.
            drop((turn, known));
        } else {
            let work = tokio::spawn(load(turn));
            tokio::spawn(async move { known.done.send_replace(Some(work.await.ok())) });
        }
        outcome(&mut done).await
    }

    fn load(&self, id: &str) -> Arc<Load<T>> {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.retain(|_, load| load.strong_count() > 0);
        let known = under_way.get(id).and_then(Weak::upgrade);
        // A request that comes after the end loads again: the load may have failed.
        known.filter(|load| load.done.borrow().is_none()).unwrap_or_else(|| {
            let load = Arc::new(Load { begun: AtomicBool::new(false), done: watch::Sender::new(None) });
            under_way.insert(id.to_owned(), Arc::downgrade(&load));
            load
        })
    }
}

async fn outcome<T: Clone>(done: &mut watch::Receiver<Option<Option<T>>>) -> Option<T> {
    done.wait_for(Option::is_some).await.ok()?.clone().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;
    use tokio::sync::Semaphore;

    fn asker(address: u8, person: &str) -> Asker {
        Asker { network: Network::of([192, 0, 2, address].into()), person: person.to_owned() }
    }

    /// Loads that are counted, each of which ends when the test lets it.
    #[derive(Clone)]
    struct Counted {
        begun: Arc<Mutex<Vec<String>>>,
        may_end: Arc<Semaphore>,
    }

    impl Counted {
        fn new() -> Counted {
            Counted { begun: Arc::default(), may_end: Arc::new(Semaphore::new(0)) }
        }

        async fn ask(self, loads: Arc<Loads<String>>, id: String, asker: Asker) -> Option<String> {
            let name = id.clone();
            let load = |turn| async move {
                self.begun.lock().expect("locks").push(name.clone());
                self.may_end.acquire().await.expect("is open").forget();
                drop(turn);
                assert_ne!(name, "bad", "meant to fail");
                name
            };
            loads.of(&id, &asker, load).await
        }
    }

    /// Waits until all other tasks wait.
    async fn settle() {
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
    }

    /// A hundred requests for one map have it loaded once.
    #[tokio::test]
    async fn many_who_ask_for_the_same_have_it_loaded_once() {
        let (loads, counted) = (Arc::new(Loads::new(2)), Counted::new());
        let ask = |n: u8| {
            tokio::spawn(counted.clone().ask(
                Arc::clone(&loads),
                "m".to_owned(),
                asker(n % 3, &n.to_string()),
            ))
        };
        let first = ask(200);
        settle().await;
        // Who asked first has gone; what they began goes on.
        first.abort();
        let all: Vec<_> = (0..100).map(ask).collect();
        settle().await;
        counted.may_end.add_permits(1);
        for one in all {
            assert_eq!(one.await.expect("ends").as_deref(), Some("m"));
        }
        assert_eq!(*counted.begun.lock().expect("locks"), ["m"]);
        assert_eq!(loads.turns.waiting(), 0);
    }

    #[tokio::test]
    async fn nobody_waits_for_what_somebody_else_has_put_before_it() {
        let (loads, counted) = (Arc::new(Loads::new(1)), Counted::new());
        let ask = |id: &str, asker: Asker| {
            tokio::spawn(counted.clone().ask(Arc::clone(&loads), id.to_owned(), asker))
        };
        let mut all = Vec::new();
        for id in ["slow0", "slow1", "slow2", "slow3", "ann's"] {
            all.push(ask(id, asker(1, "eve")));
            settle().await;
        }
        all.push(ask("ann's", asker(2, "ann")));
        settle().await;
        counted.may_end.add_permits(9);
        for one in all {
            one.await.expect("ends").expect("is loaded");
        }
        assert_eq!(*counted.begun.lock().expect("locks"), ["slow0", "ann's", "slow1", "slow2", "slow3"]);
    }

    #[tokio::test]
    async fn what_fails_keeps_nobody_waiting_and_is_tried_again() {
        let (loads, counted) = (Arc::new(Loads::new(1)), Counted::new());
        let ask =
            |n: u8| tokio::spawn(counted.clone().ask(Arc::clone(&loads), "bad".to_owned(), asker(n, "p")));
        let both = [ask(1), ask(2)];
        settle().await;
        counted.may_end.add_permits(2);
        for one in both {
            assert_eq!(one.await.expect("ends"), None);
        }
        assert_eq!(ask(3).await.expect("ends"), None);
        assert_eq!(counted.begun.lock().expect("locks").len(), 2);
    }
}
