//! The queue of searches for workers: in memory where this process is the whole hall, as rows of the database where
//! several share one, so that a worker at any node takes the searches of all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use people::secret::random_text;
use store::workers::{SearchOffer, SearchTaker, SearchWord};
use store::{SharedSearches, Store, StoreError};
use tokio::sync::{Notify, watch};
use wire::WorkAnswer;

use super::{GRACE, WantedSearch, read};

/// The most searches of this process that are offered to workers; further ones wait for their turn here.
const MOST: usize = 512;
/// The longest question, in bytes.
const MOST_BYTES: usize = 256 << 10;
/// The interval at which the database is polled for the results of searches, and for searches of other nodes.
const ASKED: Duration = Duration::from_millis(50);
/// The number of letters of a search's id: 100 bits.
const ID: usize = 20;

/// The progress of a search that was offered to workers.
#[derive(Clone, Debug)]
pub(crate) enum Stage {
    /// The search waits for a worker.
    Waiting,
    /// A worker has taken the search.
    Taken {
        /// The id of the worker's key.
        key: String,
        /// The time of the worker's last report.
        heard: Instant,
        /// The number of reports so far.
        step: u64,
        /// The answer in the last report.
        so_far: Option<Arc<WorkAnswer>>,
        /// The way in which the worker ended it; `None` while it runs.
        end: Option<WorkerEnd>,
    },
}

/// The ways in which a worker ends a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WorkerEnd {
    /// The worker's last report is its answer.
    Answer,
    /// The worker gave the search back.
    Aborted,
    /// The worker sent something that cannot be read.
    Garbage,
}

impl WorkerEnd {
    const ALL: [(WorkerEnd, &str); 3] =
        [(WorkerEnd::Answer, "answer"), (WorkerEnd::Aborted, "abort"), (WorkerEnd::Garbage, "garbage")];

    fn word(self) -> &'static str {
        WorkerEnd::ALL.into_iter().find(|(end, _)| *end == self).map_or("garbage", |(_, word)| word)
    }

    fn of(word: &str) -> WorkerEnd {
        WorkerEnd::ALL
            .into_iter()
            .find(|(_, known)| *known == word)
            .map_or(WorkerEnd::Garbage, |(end, _)| end)
    }
}

/// A search in the form in which a worker gets it.
#[derive(Clone, Debug)]
pub struct Given {
    /// The id of the search.
    pub id: String,
    /// The question, as JSON.
    pub body: String,
}

/// The searches that wait for workers, and those of this process that workers have.
pub struct Board {
    store: Arc<Store>,
    /// The searches of this process.
    own: Mutex<HashMap<String, watch::Sender<Stage>>>,
    /// The searches that wait in memory; empty where they are rows of the database.
    waiting: Mutex<SearchQueue>,
    more: Notify,
    /// Wakes the task that polls the database for results.
    offered: Notify,
}

/// A queue of searches in which people take turns.
#[derive(Default)]
struct SearchQueue {
    count: u64,
    waiting: Vec<Waiting>,
    /// The next turn of each person with searches waiting or running, by priority.
    turns: HashMap<(String, u8), (u64, usize)>,
    /// The person and priority of each search, so that a turn is forgotten with the last one.
    whose: HashMap<String, (String, u8)>,
}

struct Waiting {
    offer: SearchOffer,
    turn: u64,
    n: u64,
}

impl SearchQueue {
    fn put(&mut self, offer: SearchOffer) {
        let whose = (offer.person.clone(), offer.rank);
        let now =
            self.waiting.iter().filter(|other| other.offer.rank == offer.rank).map(|other| other.turn).min();
        let next = self.turns.entry(whose.clone()).or_insert((0, 0));
        let turn = next.0.max(now.unwrap_or(0));
        *next = (turn + 1, next.1 + 1);
        self.whose.insert(offer.id.clone(), whose);
        self.count += 1;
        self.waiting.push(Waiting { offer, turn, n: self.count });
    }

    fn take(&mut self, taker: &SearchTaker) -> Option<SearchOffer> {
        let fits = |offer: &SearchOffer| {
            taker.scopes.contains(&offer.scope)
                && offer.engine.as_ref().is_none_or(|engine| taker.engines.contains(engine))
                && (taker.extensions || !offer.extensions)
                && offer.but.as_ref() != Some(&taker.key)
        };
        let fitting = self.waiting.iter().enumerate().filter(|(_, waiting)| fits(&waiting.offer));
        let next = fitting.min_by_key(|(_, waiting)| (waiting.offer.rank, waiting.turn, waiting.n));
        let at = next.map(|(at, _)| at)?;
        Some(self.waiting.swap_remove(at).offer)
    }

    /// Removes a search that no worker has taken; returns false if it does not wait.
    fn withdraw(&mut self, id: &str) -> bool {
        let at = self.waiting.iter().position(|waiting| waiting.offer.id == id);
        at.map(|at| self.waiting.swap_remove(at)).is_some()
    }

    fn forget(&mut self, id: &str) {
        let Some(whose) = self.whose.remove(id) else { return };
        if let Some((_, count)) = self.turns.get_mut(&whose) {
            *count -= 1;
            if *count == 0 {
                self.turns.remove(&whose);
            }
        }
    }
}

impl Board {
    pub(super) fn new(store: Arc<Store>) -> Board {
        Board {
            store,
            own: Mutex::default(),
            waiting: Mutex::default(),
            more: Notify::new(),
            offered: Notify::new(),
        }
    }

    fn shared(&self) -> Option<&dyn SharedSearches> {
        self.store.searches.as_deref()
    }

    fn own(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Stage>>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn line(&self) -> MutexGuard<'_, SearchQueue> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Offers a search to workers; `None` where too many are offered, or the store fails.
    pub(super) async fn offer(
        self: &Arc<Self>,
        wanted: &WantedSearch,
        longest: Duration,
        but: Option<String>,
    ) -> Option<Offered> {
        let id = random_text(ID);
        let work = wanted.search.tell(id.clone(), longest, longest + GRACE);
        let body = serde_json::to_string(&work).ok().filter(|body| body.len() <= MOST_BYTES)?;
        let offer = SearchOffer {
            id: id.clone(),
            person: format!("{} {}", wanted.asker.network, wanted.asker.person),
            scope: wanted.purpose.scope().to_owned(),
            rank: wanted.purpose as u8,
            engine: wanted.search.engine().map(str::to_owned),
            extensions: wanted.search.needs_extensions(),
            but,
            body,
        };
        let (sender, stage) = watch::channel(Stage::Waiting);
        {
            let mut own = self.own();
            if own.len() >= MOST {
                return None;
            }
            own.insert(id.clone(), sender);
        }
        let offered = Offered { board: Arc::clone(self), id, longest, stage, is_there: true };
        match self.shared() {
            Some(shared) => {
                if let Err(why) = shared.offer_search(&offer).await {
                    tracing::warn!(%why, "a search could not be offered to workers");
                    return None;
                }
                self.offered.notify_one();
            }
            None => self.line().put(offer),
        }
        self.more.notify_waiters();
        Some(offered)
    }

    /// Waits for the next search for a worker; `None` after `patience` without one.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn take(&self, taker: &SearchTaker, patience: Duration) -> Result<Option<Given>, StoreError> {
        let until = tokio::time::Instant::now() + patience;
        loop {
            let more = self.more.notified();
            tokio::pin!(more);
            more.as_mut().enable();
            let taken = match self.shared() {
                Some(shared) => shared.take_search(taker).await?,
                None => self.line().take(taker),
            };
            if let Some(SearchOffer { id, body, .. }) = taken {
                self.heard(&id, &taker.key, 0, None, None);
                return Ok(Some(Given { id, body }));
            }
            let now = tokio::time::Instant::now();
            if now >= until {
                return Ok(None);
            }
            let look = if self.shared().is_some() { (now + ASKED).min(until) } else { until };
            let _ = tokio::time::timeout_at(look, more).await;
        }
    }

    /// Handles a worker's report on a search; returns false if the search is not wanted any more.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn hear(
        &self,
        id: &str,
        key: &str,
        told: Option<String>,
        end: Option<WorkerEnd>,
    ) -> Result<bool, StoreError> {
        if let Some(shared) = self.shared() {
            let word = SearchWord { ended: end.map(|end| end.word().to_owned()), told };
            let is_heard = shared.hear_search(id, key, &word).await?;
            self.offered.notify_one();
            return Ok(is_heard);
        }
        let step = match self.own().get(id).map(|stage| stage.borrow().clone()) {
            Some(Stage::Taken { key: other, step, end: None, .. }) if other == key => step,
            _ => return Ok(false),
        };
        self.heard(id, key, step + u64::from(told.is_some()), told.as_deref(), end);
        Ok(true)
    }

    /// Passes a worker's report on to the waiting task, with the current time.
    fn heard(&self, id: &str, key: &str, step: u64, told: Option<&str>, end: Option<WorkerEnd>) {
        self.heard_at(id, key, Instant::now(), step, told, end);
    }

    fn heard_at(
        &self,
        id: &str,
        key: &str,
        heard: Instant,
        step: u64,
        told: Option<&str>,
        end: Option<WorkerEnd>,
    ) {
        let own = self.own();
        let Some(sender) = own.get(id) else { return };
        let before = match &*sender.borrow() {
            Stage::Taken { step: known, so_far, end, .. } => Some((*known, so_far.clone(), *end)),
            Stage::Waiting => None,
        };
        if before.as_ref().is_some_and(|(_, _, end)| end.is_some()) {
            return;
        }
        let (mut so_far, mut end) = (before.as_ref().and_then(|(_, so_far, _)| so_far.clone()), end);
        if let Some(told) = told
            && before.as_ref().is_none_or(|(known, _, _)| *known < step)
        {
            match read(told.as_bytes()) {
                Some(answer) => so_far = Some(Arc::new(answer)),
                None => end = Some(WorkerEnd::Garbage),
            }
        }
        if end == Some(WorkerEnd::Answer) && so_far.is_none() {
            end = Some(WorkerEnd::Garbage);
        }
        sender.send_replace(Stage::Taken { key: key.to_owned(), heard, step, so_far, end });
    }

    /// Polls the database for the results of this node's searches; returns at once if the hall has one process only.
    pub(crate) async fn follow(&self) {
        let Some(shared) = self.shared() else { return };
        let mut swept = Instant::now();
        loop {
            if self.own().is_empty() {
                let _ = tokio::time::timeout(Duration::from_secs(60), self.offered.notified()).await;
            }
            match shared.taken_searches().await {
                Ok(rows) => {
                    for row in rows {
                        let heard = Instant::now().checked_sub(Duration::from_millis(row.silent_ms));
                        let heard = heard.unwrap_or_else(Instant::now);
                        let end = row.word.ended.as_deref().map(WorkerEnd::of);
                        self.heard_at(&row.id, &row.key, heard, row.step, row.word.told.as_deref(), end);
                    }
                }
                Err(why) => tracing::warn!(%why, "what workers have done cannot be read"),
            }
            if swept.elapsed() >= Duration::from_secs(60) {
                swept = Instant::now();
                if let Err(why) = shared.sweep_searches().await {
                    tracing::warn!(%why, "old searches are still there");
                }
            }
            let _ = tokio::time::timeout(ASKED, self.offered.notified()).await;
        }
    }

    /// Withdraws a search; with `from_worker`, also from a worker that has it. Returns false if it was not withdrawn.
    async fn withdraw(&self, id: &str, from_worker: bool) -> bool {
        let withdrawn = match self.shared() {
            Some(shared) => shared.withdraw_search(id, from_worker).await.unwrap_or_else(|why| {
                tracing::warn!(%why, "a search could not be taken back from workers");
                true
            }),
            None => self.line().withdraw(id) || from_worker,
        };
        if withdrawn {
            self.own().remove(id);
            self.line().forget(id);
        }
        withdrawn
    }
}

/// A search that was offered to workers. It is withdrawn when this is dropped.
pub(crate) struct Offered {
    board: Arc<Board>,
    id: String,
    /// The time that the worker has for it.
    pub(super) longest: Duration,
    stage: watch::Receiver<Stage>,
    is_there: bool,
}

impl Offered {
    pub(super) fn stage(&self) -> Stage {
        self.stage.borrow().clone()
    }

    /// Waits for the next change of its stage.
    pub(super) async fn changed(&mut self) {
        let _ = self.stage.changed().await;
    }

    /// Waits until a worker has taken it.
    pub(super) async fn taken(&mut self) {
        if self.stage.wait_for(|stage| matches!(stage, Stage::Taken { .. })).await.is_err() {
            std::future::pending().await
        }
    }

    /// Withdraws it; returns false if a worker has it.
    pub(super) async fn withdraw(&mut self) -> bool {
        let withdrawn = self.board.withdraw(&self.id, false).await;
        self.is_there = !withdrawn;
        if self.is_there {
            self.taken().await;
        }
        withdrawn
    }
}

impl Drop for Offered {
    fn drop(&mut self) {
        if !self.is_there {
            return;
        }
        // At once for this process; what is in the database follows.
        self.board.own().remove(&self.id);
        if self.board.shared().is_none() {
            let mut line = self.board.line();
            line.withdraw(&self.id);
            line.forget(&self.id);
        } else if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (board, id) = (Arc::clone(&self.board), std::mem::take(&mut self.id));
            runtime.spawn(async move { board.withdraw(&id, true).await });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(id: &str, person: &str, rank: u8) -> SearchOffer {
        SearchOffer {
            id: id.to_owned(),
            person: person.to_owned(),
            scope: "play".to_owned(),
            rank,
            engine: None,
            extensions: false,
            but: None,
            body: String::new(),
        }
    }

    fn taker() -> SearchTaker {
        SearchTaker {
            key: "k".to_owned(),
            scopes: vec!["play".to_owned()],
            engines: Vec::new(),
            extensions: false,
        }
    }

    /// People take turns, and searches that a person waits for go before the background: a person with many searches
    /// does not make the others wait.
    #[test]
    fn people_take_turns_and_who_waits_goes_before_the_background() {
        let mut line = SearchQueue::default();
        line.put(offer("b1", "greedy", 2));
        for n in 1..=3 {
            line.put(offer(&format!("a{n}"), "greedy", 0));
        }
        line.put(offer("c1", "other", 0));
        let mut order = Vec::new();
        while let Some(next) = line.take(&taker()) {
            order.push(next.id.clone());
            if next.id == "a2" {
                // Who comes later is not put behind all that the other has asked for, nor before everybody.
                line.put(offer("d1", "third", 0));
            }
        }
        assert_eq!(order, ["a1", "c1", "a2", "a3", "d1", "b1"]);
        for id in ["a1", "a2", "a3", "b1", "c1", "d1"] {
            line.forget(id);
        }
        assert!(line.turns.is_empty() && line.whose.is_empty(), "nothing is kept of who has gone");
    }

    #[test]
    fn who_has_failed_or_lacks_something_does_not_get_it() {
        let mut line = SearchQueue::default();
        line.put(SearchOffer { but: Some("k".to_owned()), ..offer("1", "a", 0) });
        line.put(SearchOffer { engine: Some("Pika".to_owned()), ..offer("2", "a", 0) });
        line.put(SearchOffer { extensions: true, ..offer("3", "a", 0) });
        line.put(SearchOffer { scope: "study".to_owned(), ..offer("4", "a", 1) });
        assert!(line.take(&taker()).is_none());
        let able = SearchTaker { engines: vec!["Pika".to_owned()], extensions: true, ..taker() };
        assert_eq!(line.take(&able).map(|offer| offer.id).as_deref(), Some("2"));
        assert_eq!(line.take(&able).map(|offer| offer.id).as_deref(), Some("3"));
        let other = SearchTaker { key: "other".to_owned(), ..taker() };
        assert_eq!(line.take(&other).map(|offer| offer.id).as_deref(), Some("1"));
        assert!(line.withdraw("4") && !line.withdraw("4"));
    }
}
