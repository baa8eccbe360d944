//! Engine searches of the hall, all in one place: programs' turns, hints, analyses, reports, puzzles and balance.
//!
//! A [`WantedSearch`] search is done at one of two `Place`s: `Here`, on a thread of this process once there is a turn for
//! it, or `Elsewhere`, by a worker on another machine. A search that waits for a turn is offered to the workers
//! meanwhile; the first that is free takes it. A worker that fails costs a second try: its answer is checked by the
//! rules, and where none comes in time the search is done here. `docs/workers.md` describes the worker's side.
//!
//! Reading order: this file, `board` (the queue for workers), `keys` (the keys of workers, and their records),
//! `checks` (spot checks of answers).

mod board;
mod checks;
pub mod keys;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use edge::fair::{Fair, Turn};
use edge::network::Asker;
use edge::time::Time;
use edge::workers::long;
use engine::{Info, Stop};
use futures_util::FutureExt;
use kernel::Problem;
use people::secret::WORKER_SCOPES;
use store::Store;
use thinking::{Answer, Disbelief, EnginePool, Search};
use wire::WorkAnswer;

pub use board::{Board, WorkerEnd};
use board::{Offered, Stage};
use keys::{Fault, Keys};

/// The number of times that a search is given to workers before it is done here.
const TRIES: usize = 2;
/// The time that a worker has beyond that of the search, for the network.
const GRACE: Duration = Duration::from_millis(1_500);
/// The time for which a background search is left to workers before the hall does it.
const PREFERRED: Duration = Duration::from_secs(1);
/// The time without a report after which a worker counts as gone.
const SILENT: Duration = Duration::from_secs(4);
/// The interval of checks whether the search is still wanted.
const LOOK: Duration = Duration::from_millis(100);
/// The time for a move below which a program does not ask a worker: the network would take too much of it.
const HURRIED: Duration = Duration::from_millis(500);
/// The interval at which the list of workers' keys is read.
const LOOKED: Duration = Duration::from_secs(5);
/// The least time for a move.
const SHORTEST: Duration = Duration::from_millis(20);

/// The purpose of a search, in order of priority.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Purpose {
    /// A program's turn at a table.
    Play,
    /// A hint or an analysis, for which a person waits, or a report.
    Study,
    /// Puzzles and balance, without a person who waits.
    Background,
}

impl Purpose {
    /// All purposes, in order of priority.
    pub const ALL: [Purpose; 3] = [Purpose::Play, Purpose::Study, Purpose::Background];

    /// Returns the scope that a worker's key needs for it: `play`, `study` or `background`.
    #[must_use]
    pub const fn scope(self) -> &'static str {
        WORKER_SCOPES[self as usize]
    }
}

/// A callback for the progress of a search.
pub type Report = Arc<Mutex<dyn FnMut(&Info) + Send>>;

/// A search that is wanted, with its limits.
#[derive(Clone)]
pub struct WantedSearch {
    /// The search that is to be done.
    pub search: Arc<Search>,
    /// The person and network it is for: people take turns.
    pub asker: Asker,
    /// The purpose of the search.
    pub purpose: Purpose,
    /// The time for it from now on, as of a clock, including its wait in the queue; `None`: only the limits of the
    /// search itself count.
    pub budget: Option<Duration>,
    /// A flag that ends the search from outside.
    pub stop: Stop,
    /// The callback for its progress; after a second try it is called from the beginning.
    pub report: Report,
}

impl WantedSearch {
    /// Makes a search without a callback for its progress.
    #[must_use]
    pub fn new(search: Search, asker: Asker, purpose: Purpose, stop: Stop) -> WantedSearch {
        WantedSearch::of(Arc::new(search), asker, purpose, stop)
    }

    /// Makes the same from a search that is shared with others.
    #[must_use]
    pub fn of(search: Arc<Search>, asker: Asker, purpose: Purpose, stop: Stop) -> WantedSearch {
        let report = Arc::new(Mutex::new(|_: &Info| {}));
        WantedSearch { search, asker, purpose, budget: None, stop, report }
    }

    fn tell(&self, info: &Info) {
        (self.report.lock().unwrap_or_else(PoisonError::into_inner))(info);
    }
}

/// The reasons why a search has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Undone {
    /// The asker's address has too many searches waiting.
    Busy,
    /// The search was stopped, because it is not wanted any more.
    Stopped,
    /// The search panicked, or there was no thread for it.
    Broken,
    /// The search, or the engine that was asked, failed with this problem.
    Failed(Problem),
}

/// A place where searches are done.
trait Place {
    /// The reason why there is no answer.
    type Why;

    /// Runs a search to its end.
    async fn search(self, wanted: &WantedSearch) -> Result<Answer, Self::Why>;
}

/// This process, with a turn that allows one thread of low priority.
struct Here {
    pool: Arc<EnginePool>,
    turn: Turn,
    /// The time at which the search was asked for.
    asked: Instant,
}

impl Place for Here {
    type Why = Undone;

    async fn search(self, wanted: &WantedSearch) -> Result<Answer, Undone> {
        if wanted.stop.is_raised() {
            return Err(Undone::Stopped);
        }
        let Here { pool, turn, asked } = self;
        let wanted = wanted.clone();
        let work = move || {
            let _turn = turn;
            let begun = Instant::now();
            let left = wanted.budget.map(|budget| budget.saturating_sub(asked.elapsed()).max(SHORTEST));
            let done = wanted.search.perform(&pool, left, &wanted.stop, &mut |info| wanted.tell(info));
            if wanted.purpose == Purpose::Play {
                metrics::histogram!("hall_search_seconds").record(begun.elapsed().as_secs_f64());
            }
            done.map_err(
                |problem| if wanted.stop.is_raised() { Undone::Stopped } else { Undone::Failed(problem) },
            )
        };
        match long(work).await {
            Some(Ok(done)) => done,
            Some(Err(_)) => {
                tracing::error!("a search panicked");
                Err(Undone::Broken)
            }
            None => Err(Undone::Broken),
        }
    }
}

/// A worker that has taken a search.
struct Elsewhere<'a> {
    searches: &'a Searches,
    offered: Offered,
}

/// The reasons why a worker's search has no answer.
enum Lost {
    /// The search was stopped, because it is not wanted any more.
    Stopped,
    /// The worker failed, or its answer was rejected; the id of its key.
    Worker(String),
    /// The question has no answer: an engine of others failed there.
    Failed(Problem),
}

impl Place for Elsewhere<'_> {
    type Why = Lost;

    async fn search(mut self, wanted: &WantedSearch) -> Result<Answer, Lost> {
        let begun = Instant::now();
        let longest = self.offered.longest + GRACE;
        let mut told = 0;
        loop {
            let Stage::Taken { key, heard, step, so_far, end } = self.offered.stage() else {
                return Err(Lost::Worker(String::new()));
            };
            let fault = |fault| {
                self.searches.keys.fault(&key, fault);
                Err(Lost::Worker(key.clone()))
            };
            match end {
                None => {}
                Some(WorkerEnd::Answer) => {
                    let answer = so_far.unwrap_or_default();
                    return match wanted.search.believe(&answer) {
                        Ok(Ok(answer)) => {
                            self.searches.keys.answered(&key);
                            metrics::counter!("hall_worker_answers_total").increment(1);
                            if let Answer::Thought(thought) = &answer {
                                thought.lines.iter().for_each(|info| wanted.tell(info));
                            }
                            self.searches.look_again(wanted, &answer, &key);
                            Ok(answer)
                        }
                        Ok(Err(problem)) => Err(Lost::Failed(problem)),
                        Err(Disbelief(why)) => fault(Fault::Wrong(why)),
                    };
                }
                Some(WorkerEnd::Aborted) => return Err(Lost::Worker(key)),
                Some(WorkerEnd::Garbage) => return fault(Fault::Wrong("garbage")),
            }
            if wanted.stop.is_raised() {
                return Err(Lost::Stopped);
            }
            if begun.elapsed() >= longest {
                return fault(Fault::Late);
            }
            if heard.elapsed() >= SILENT {
                return fault(Fault::Silent);
            }
            if step > told {
                told = step;
                if let Some(so_far) = so_far {
                    match wanted.search.believe_lines(&so_far) {
                        Ok(lines) => lines.iter().for_each(|info| wanted.tell(info)),
                        Err(Disbelief(why)) => return fault(Fault::Wrong(why)),
                    }
                }
            }
            let _ = tokio::time::timeout(LOOK, self.offered.changed()).await;
        }
    }
}

/// The searches of the hall, here and by workers.
pub struct Searches {
    /// The foreign programs that this process starts.
    pub pool: Arc<EnginePool>,
    /// The keys of the workers.
    pub keys: Arc<Keys>,
    board: OnceLock<Arc<Board>>,
    /// The queue of spot checks of workers' answers, one at a time.
    checks: Arc<Fair>,
}

impl Searches {
    /// Creates the searches of a hall: none runs yet, and there are no workers.
    #[must_use]
    pub fn new(pool: EnginePool) -> Searches {
        Searches {
            pool: Arc::new(pool),
            keys: Arc::default(),
            board: OnceLock::new(),
            checks: Fair::new(1, checks::WAITING),
        }
    }

    /// Admits workers whose keys are in that store.
    pub fn open(&self, store: &Arc<Store>, time: &Time) {
        self.keys.open(store, time);
        let _ = self.board.set(Arc::new(Board::new(Arc::clone(store))));
    }

    /// Returns the queue for workers; `None` before the hall is open.
    pub fn board(&self) -> Option<&Arc<Board>> {
        self.board.get()
    }

    /// Runs a search, here when there is a turn of `queue` for it, or at a worker that is free before.
    ///
    /// # Errors
    /// See [`Undone`].
    pub async fn run(&self, queue: &Arc<Fair>, wanted: &WantedSearch) -> Result<Answer, Undone> {
        let asked = Instant::now();
        let here = |turn| Here { pool: Arc::clone(&self.pool), turn, asked }.search(wanted);
        let take = || Box::pin(queue.take(wanted.asker.network, &wanted.asker.person));
        // Background work goes to workers first, and to the hall's own processors only second.
        if wanted.purpose == Purpose::Background
            && self.keys.were_lately_here()
            && let Some(mut offered) = self.offer(wanted, asked, None).await
        {
            let is_taken = tokio::time::timeout(PREFERRED, offered.taken()).await.is_ok();
            if (is_taken || !offered.withdraw().await)
                && let Ok(done) = self.by_worker(wanted, offered).await
            {
                return done;
            }
        }
        let mut turn = take();
        if let Some(given) = turn.as_mut().now_or_never() {
            return here(given.map_err(|_| Undone::Busy)?).await;
        }
        let mut but = None;
        for _ in 0..TRIES {
            let Some(mut offered) = self.offer(wanted, asked, but.take()).await else { break };
            let given = tokio::select! {
                given = &mut turn => Some(given),
                () = offered.taken() => None,
            };
            if let Some(given) = given {
                let given = given.map_err(|_| Undone::Busy)?;
                // A worker may have taken it at the same moment; then this turn goes to another search.
                if offered.withdraw().await {
                    return here(given).await;
                }
                drop(given);
            }
            // What a worker has takes no place in the line.
            drop(turn);
            match self.by_worker(wanted, offered).await {
                Ok(done) => return done,
                Err(key) => but = Some(key),
            }
            turn = take();
            if let Some(given) = turn.as_mut().now_or_never() {
                return here(given.map_err(|_| Undone::Busy)?).await;
            }
        }
        here(turn.await.map_err(|_| Undone::Busy)?).await
    }

    /// Waits for the worker that has taken a search. Returns the id of its key if it failed, and another place must
    /// do it.
    async fn by_worker(
        &self,
        wanted: &WantedSearch,
        offered: Offered,
    ) -> Result<Result<Answer, Undone>, String> {
        match (Elsewhere { searches: self, offered }).search(wanted).await {
            Ok(answer) => Ok(Ok(answer)),
            Err(Lost::Stopped) => Ok(Err(Undone::Stopped)),
            Err(Lost::Failed(problem)) => Ok(Err(Undone::Failed(problem))),
            Err(Lost::Worker(key)) => {
                metrics::counter!("hall_worker_retries_total").increment(1);
                Err(key)
            }
        }
    }

    /// Offers a search to workers; `None` if none may have it.
    async fn offer(&self, wanted: &WantedSearch, asked: Instant, but: Option<String>) -> Option<Offered> {
        let board = self.board.get()?;
        if !self.keys.are_there() || !wanted.search.may_leave() || wanted.stop.is_raised() {
            return None;
        }
        let left = wanted.budget.map(|budget| budget.saturating_sub(asked.elapsed()));
        if left.is_some_and(|left| left < HURRIED) {
            return None;
        }
        let longest = wanted.search.longest();
        let longest = left.map_or(longest, |left| left.min(longest));
        board.offer(wanted, longest, but).await
    }
}

impl Searches {
    /// Reads the list of workers' keys, and the results of searches that workers of other nodes have, for as long as
    /// the hall is open.
    pub async fn keep_workers(&self) {
        let looking = async {
            let mut looks = tokio::time::interval(LOOKED);
            loop {
                looks.tick().await;
                self.keys.refresh().await;
            }
        };
        let following = async {
            if let Some(board) = self.board() {
                board.follow().await;
            }
        };
        tokio::join!(looking, following);
    }
}

/// Parses the answer of a worker.
pub fn read(body: &[u8]) -> Option<WorkAnswer> {
    serde_json::from_slice(body).ok()
}

#[cfg(test)]
mod tests;
