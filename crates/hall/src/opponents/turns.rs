//! So many searches at the same time, and the others wait: not who came first is next, but whoever had the least.
//!
//! Those who wait stand in lines, one for each key, and the lines are served in turn. Who asks for a hundred
//! searches waits for their own, and nobody else does.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// How many may search, and who waits.
#[derive(Debug)]
pub struct Turns(Mutex<Waiting>);

#[derive(Debug)]
struct Waiting {
    free: usize,
    lines: VecDeque<(String, VecDeque<oneshot::Sender<Turn>>)>,
}

/// The right to search; given on when it is dropped.
#[derive(Debug)]
pub struct Turn(Option<Arc<Turns>>);

impl Turns {
    /// So many at the same time.
    #[must_use]
    pub fn new(most: usize) -> Arc<Turns> {
        Arc::new(Turns(Mutex::new(Waiting { free: most, lines: VecDeque::new() })))
    }

    /// Waits for a turn. Dropping the future gives the place up.
    pub async fn take(self: &Arc<Self>, key: &str) -> Turn {
        let (give, given) = oneshot::channel();
        {
            let mut waiting = self.lock();
            if waiting.free > 0 {
                waiting.free -= 1;
                return Turn(Some(Arc::clone(self)));
            }
            match waiting.lines.iter_mut().find(|(whose, _)| whose == key) {
                Some((_, line)) => line.push_back(give),
                None => waiting.lines.push_back((key.to_owned(), VecDeque::from([give]))),
            }
        }
        metrics::gauge!("hall_searches_waiting").increment(1.0);
        let _counted = Counted;
        given.await.expect("whoever waits is given a turn, or leaves")
    }

    /// The next one of the next line, until somebody takes it.
    fn give_on(self: &Arc<Self>) {
        let mut turn = Turn(Some(Arc::clone(self)));
        loop {
            let next = {
                let mut waiting = self.lock();
                let Some((key, mut line)) = waiting.lines.pop_front() else {
                    waiting.free += 1;
                    turn.0 = None;
                    return;
                };
                let next = line.pop_front();
                if !line.is_empty() {
                    waiting.lines.push_back((key, line));
                }
                next
            };
            let Some(next) = next else { continue };
            match next.send(turn) {
                Ok(()) => return,
                // They have left.
                Err(back) => turn = back,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.give_on();
        }
    }
}

/// Somebody who waits.
struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        metrics::gauge!("hall_searches_waiting").decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn settle() {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn those_who_want_much_wait_for_themselves() {
        let turns = Turns::new(1);
        let served = Arc::new(Mutex::new(Vec::new()));
        let first = turns.take("nobody").await;
        let mut tasks = Vec::new();
        for key in ["greedy", "greedy", "greedy", "modest"] {
            let (turns, served) = (Arc::clone(&turns), Arc::clone(&served));
            tasks.push(tokio::spawn(async move {
                let _turn = turns.take(key).await;
                served.lock().expect("whole").push(key);
                tokio::task::yield_now().await;
            }));
            settle().await;
        }
        drop(first);
        for task in tasks {
            task.await.expect("ends");
        }
        assert_eq!(*served.lock().expect("whole"), ["greedy", "modest", "greedy", "greedy"]);
    }

    #[tokio::test]
    async fn who_leaves_holds_nobody_up() {
        let turns = Turns::new(1);
        let first = turns.take("a").await;
        for _ in 0..3 {
            let leaves = tokio::time::timeout(std::time::Duration::from_millis(1), turns.take("b"));
            assert!(leaves.await.is_err(), "there is no turn yet");
        }
        drop(first);
        let again = turns.take("c").await;
        let waits = tokio::time::timeout(std::time::Duration::from_millis(1), turns.take("d"));
        assert!(waits.await.is_err(), "there is one turn only");
        drop(again);
        drop(turns.take("d").await);
    }
}
