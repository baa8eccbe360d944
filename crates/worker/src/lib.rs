//! A worker: runs searches for a server on another machine, on as many cores as it is given.
//!
//! It asks the server for work, runs the search with [`thinking`] as the server would, sends a heartbeat every
//! second, and answers. It stores nothing of the server but maps in memory. If the server does not answer, it retries
//! with growing delays; if the server does not know its key, it ends. `docs/workers.md` describes the protocol.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use catalog::maps::{Loader, Rules};
use client::{Employer, Error, Http};
use engine::{Info, Stop, learned};
use kernel::Problem;
use thinking::{EnginePool, MOST_WEIGHTS_BYTES, Search, map_of};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use wire::{Work, WorkAnswer, WorkAsk, WorkWish};

/// The time that the server may wait for work before it answers that there is none, in milliseconds.
const WAIT_MS: u32 = 8_000;
/// The interval at which intermediate results are sent.
const TOLD: Duration = Duration::from_millis(250);
/// The maximal interval between heartbeats, which tell the server that the work goes on.
const BEAT: Duration = Duration::from_secs(1);
/// The first delay before the server is asked again after a failure; it doubles with each failure.
const AGAIN: Duration = Duration::from_secs(1);
/// The maximal delay before the server is asked again.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The time that running work may still take when the worker is told to end.
const LAST: Duration = Duration::from_secs(10);
/// The maximal number of attempts to send an answer.
const SENT: u32 = 4;
/// The maximal number of maps kept loaded.
const MAPS: usize = 8;

/// The settings of a worker.
pub struct Worker {
    /// The base URL of the server, such as `https://hall.example`.
    pub hall: String,
    /// The HTTP client for the server.
    pub http: Http,
    /// The worker's key.
    pub key: String,
    /// The number of searches that run at the same time.
    pub cores: usize,
    /// The external engines that it has.
    pub pool: EnginePool,
    /// Runs extensions of maps; without a loader, the worker gets no work on such maps.
    pub loader: Option<Arc<dyn Loader>>,
}

/// The events that are reported to the operator of a worker.
#[derive(Debug)]
pub enum WorkerEvent {
    /// The server knows the key, under that name.
    Known(String),
    /// The server does not answer; the worker retries after that number of seconds.
    Lost(Error, u64),
    /// The server gives no work, and the worker retries after that number of seconds: the key is set aside, or
    /// versions differ.
    Refused(wire::Problem, u64),
    /// The server answers again.
    Back,
}

/// The numbers of searches that a worker did until it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Done {
    /// The number of searches that were answered.
    pub answered: u64,
    /// The number of searches that were returned undone, or whose answers were no longer wanted.
    pub given_back: u64,
}

/// The loaded maps by id, the newest last.
type Maps = Mutex<VecDeque<(String, Rules)>>;

/// A search that is over.
struct Searched {
    id: String,
    begun: Instant,
    deadline: Duration,
    end: SearchEnd,
}

impl Searched {
    /// Returns the time until the hall stops waiting for the answer.
    fn left(&self) -> Duration {
        self.deadline.saturating_sub(self.begun.elapsed())
    }
}

/// The ways in which a search ends.
enum SearchEnd {
    /// An answer was found.
    Found(WorkAnswer),
    /// The search ended without an answer, for that reason; the hall searches elsewhere.
    Undone(String),
    /// The hall does not wait for it any more.
    Unwanted,
}

struct Shared<T> {
    employer: Employer,
    wish: WorkWish,
    pool: EnginePool,
    loader: Option<Arc<dyn Loader>>,
    maps: Maps,
    done: Mutex<Done>,
    lost: Mutex<bool>,
    tell: T,
}

impl Worker {
    /// Works until `stop` is true; running work is then finished within ten seconds, or returned.
    ///
    /// # Errors
    /// The server's refusal if it does not know the key.
    pub async fn run(
        self,
        stop: watch::Receiver<bool>,
        tell: impl Fn(WorkerEvent) + Send + Sync + 'static,
    ) -> Result<Done, Error> {
        let engines = self.pool.configs().iter().map(|config| config.name.clone()).collect();
        let wish = WorkWish {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            weights: learned::hashes().clone(),
            engines,
            extensions: self.loader.is_some(),
            wait_ms: WAIT_MS,
        };
        let shared = Arc::new(Shared {
            employer: Employer::new(self.http, &self.hall, &self.key),
            wish,
            pool: self.pool,
            loader: self.loader,
            maps: Mutex::default(),
            done: Mutex::default(),
            lost: Mutex::new(false),
            tell,
        });
        if !shared.is_known(stop.clone()).await? {
            return Ok(Done::default());
        }
        let mut cores = JoinSet::new();
        for _ in 0..self.cores.max(1) {
            cores.spawn(Arc::clone(&shared).core(stop.clone()));
        }
        while let Some(ended) = cores.join_next().await {
            match ended {
                Ok(ended) => ended?,
                Err(why) => return Err(Error::Strange(why.to_string())),
            }
        }
        let done = *shared.done.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(done)
    }
}

/// Tells whether a text is a SHA-256 in hexadecimal digits.
fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns true if the server refused because it does not know the key.
fn is_unknown(why: &Error) -> bool {
    matches!(why, Error::Refused(problem) if problem.key == "worker-key-unknown")
}

/// Refusals after which the search is not this worker's any more, or its answer is not wanted. Others pass: there were too many
/// requests, or the hall cannot reach its database.
const FINAL: [&str; 5] =
    ["worker-gone", "worker-key-unknown", "worker-key-aside", "bad-json", "body-too-large"];

fn passes(problem: &wire::Problem) -> bool {
    !FINAL.contains(&problem.key.as_ref())
}

/// Waits for that time or until the worker is to end; returns true if it is to end.
async fn pause(time: Duration, stop: &mut watch::Receiver<bool>) -> bool {
    tokio::select! {
        () = tokio::time::sleep(time) => false,
        _ = stop.wait_for(|stop| *stop) => true,
    }
}

impl<T: Fn(WorkerEvent) + Send + Sync + 'static> Shared<T> {
    /// Asks the server about the key until it answers; returns false if the worker is to end before.
    async fn is_known(&self, mut stop: watch::Receiver<bool>) -> Result<bool, Error> {
        let mut failures = 0;
        loop {
            match self.employer.key().await {
                Ok(key) => {
                    (self.tell)(WorkerEvent::Known(key.name));
                    return Ok(true);
                }
                Err(why) if is_unknown(&why) => return Err(why),
                Err(why) => {
                    let time = self.troubled(why, &mut failures);
                    if pause(time, &mut stop).await {
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// Returns the delay before the server is asked again. The first failure in a row is reported to the operator.
    fn troubled(&self, why: Error, failures: &mut u32) -> Duration {
        let time = AGAIN.saturating_mul(1 << (*failures).min(6)).min(LONGEST_PAUSE);
        *failures += 1;
        let time = match &why {
            Error::Refused(problem) if problem.key == "too-many-requests" => {
                let seconds =
                    problem.args.get("seconds").and_then(|seconds| seconds.parse().ok()).unwrap_or(1);
                return Duration::from_secs(seconds).clamp(AGAIN, LONGEST_PAUSE);
            }
            _ => time,
        };
        // Many workers that lost one hall do not come back at the same moment.
        let time = time.mul_f64(rand::random_range(0.5..1.0));
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut *lost, true) {
            let seconds = time.as_secs().max(1);
            (self.tell)(match why {
                Error::Refused(problem) => WorkerEvent::Refused(problem, seconds),
                why => WorkerEvent::Lost(why, seconds),
            });
        }
        time
    }

    /// Reports that the server answers again, if it did not before.
    fn answers_again(&self) {
        let mut lost = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *lost, false) {
            (self.tell)(WorkerEvent::Back);
        }
    }

    /// Runs one piece of work after the other. The next one is fetched while the last answer is on its way, so that a core
    /// does not wait for both ways to a busy hall.
    async fn core(self: Arc<Self>, mut stop: watch::Receiver<bool>) -> Result<(), Error> {
        let (mut failures, mut sending) = (0, None::<JoinHandle<()>>);
        let ended = loop {
            if *stop.borrow() {
                break Ok(());
            }
            let acquired = tokio::select! {
                acquired = self.employer.acquire(&self.wish) => acquired,
                // Work that is just on its way is missed by its deadline: the hall does it itself.
                _ = stop.wait_for(|stop| *stop) => break Ok(()),
            };
            match acquired {
                Ok(work) => {
                    failures = 0;
                    self.answers_again();
                    if let Some(work) = work {
                        let searched = self.search(work, stop.clone()).await;
                        if let Some(last) = sending.take() {
                            let _ = last.await;
                        }
                        sending = Some(tokio::spawn(Arc::clone(&self).deliver(searched)));
                    }
                }
                Err(why) if is_unknown(&why) => break Err(why),
                Err(why) => {
                    let time = self.troubled(why, &mut failures);
                    if pause(time, &mut stop).await {
                        break Ok(());
                    }
                }
            }
        };
        if let Some(last) = sending {
            let _ = last.await;
        }
        ended
    }

    /// Sends the end of a search to the hall, and counts it.
    async fn deliver(self: Arc<Self>, searched: Searched) {
        let is_answered = match &searched.end {
            SearchEnd::Found(answer) => self.send(&searched.id, answer, searched.left()).await,
            SearchEnd::Undone(why) => {
                self.give_back(&searched.id, why).await;
                false
            }
            SearchEnd::Unwanted => false,
        };
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        if is_answered {
            done.answered += 1;
        } else {
            done.given_back += 1;
        }
    }

    /// Runs a search until it has an answer or cannot go on.
    async fn search(self: &Arc<Self>, work: Work, stop: watch::Receiver<bool>) -> Searched {
        let (id, begun) = (work.id.clone(), Instant::now());
        let deadline = Duration::from_millis(work.deadline_ms.into());
        let end = self.end_of(work, stop, begun, deadline).await;
        Searched { id, begun, deadline, end }
    }

    async fn end_of(
        self: &Arc<Self>,
        work: Work,
        mut stop: watch::Receiver<bool>,
        begun: Instant,
        deadline: Duration,
    ) -> SearchEnd {
        let rules = match self.rules_of(&work).await {
            Ok(rules) => rules,
            Err(why) => return SearchEnd::Undone(why),
        };
        if let Err(why) = self.weigh(&work, rules.as_ref()).await {
            return SearchEnd::Undone(why.to_owned());
        }
        let halt = Stop::default();
        let (found, mut done) = (Arc::new(Mutex::new(None)), tokio::sync::oneshot::channel());
        let id = work.id.clone();
        {
            let (shared, halt, found, tell) = (Arc::clone(self), halt.clone(), Arc::clone(&found), done.0);
            let think = move || {
                let _ = tell.send(shared.think(&work, rules, &halt, &found));
            };
            let thread = std::thread::Builder::new().name("search".to_owned()).spawn(think);
            if thread.is_err() {
                return SearchEnd::Undone("busy".to_owned());
            }
        }
        let (mut beat, mut last) = (Instant::now(), None);
        let answer = loop {
            let tick = tokio::time::sleep(TOLD);
            tokio::select! {
                answer = &mut done.1 => break answer.unwrap_or_else(|_| Err("panic".to_owned())),
                () = tick => {}
                _ = stop.wait_for(|stop| *stop), if last.is_none() => last = Some(Instant::now()),
            }
            if begun.elapsed() > deadline || last.is_some_and(|since: Instant| since.elapsed() > LAST) {
                halt.stop();
                return SearchEnd::Undone(if last.is_some() { "stopping" } else { "late" }.to_owned());
            }
            let told: Option<WorkAnswer> = found.lock().unwrap_or_else(PoisonError::into_inner).take();
            if told.is_some() || beat.elapsed() >= BEAT {
                beat = Instant::now();
                match self.employer.so_far(&id, told.as_ref()).await {
                    Err(Error::Refused(problem)) if !passes(&problem) => {
                        // The hall does not wait for it any more.
                        halt.stop();
                        return SearchEnd::Unwanted;
                    }
                    _ => {}
                }
            }
        };
        answer.map_or_else(SearchEnd::Undone, SearchEnd::Found)
    }

    /// Sends an answer, with retries; returns false if it did not get through or is no longer wanted.
    async fn send(&self, id: &str, answer: &WorkAnswer, left: Duration) -> bool {
        let sending = async {
            for attempt in 0..SENT {
                match self.employer.answer(id, answer).await {
                    Ok(()) => return true,
                    Err(Error::Refused(problem)) if !passes(&problem) => {
                        tracing::info!(key = %problem.key, "an answer was not wanted");
                        return false;
                    }
                    Err(why) => {
                        tracing::warn!(%why, "an answer did not get through");
                        tokio::time::sleep(Duration::from_millis(100 << attempt)).await;
                    }
                }
            }
            false
        };
        tokio::time::timeout(left.max(AGAIN), sending).await.unwrap_or(false)
    }

    async fn give_back(&self, id: &str, why: &str) -> bool {
        tracing::info!(%why, "a search is given back");
        let _ = tokio::time::timeout(AGAIN, self.employer.abort(id, why)).await;
        false
    }

    /// Returns the loaded rules of the map that a piece of work is about; `None` if there is no map.
    async fn rules_of(self: &Arc<Self>, work: &Work) -> Result<Option<Rules>, String> {
        let Some(id) = &work.game.map else { return Ok(None) };
        let known = {
            let maps = self.maps.lock().unwrap_or_else(PoisonError::into_inner);
            maps.iter().find(|(known, _)| known == id).map(|(_, rules)| rules.clone())
        };
        if known.is_some() {
            return Ok(known);
        }
        let upload = self.employer.map(id).await.map_err(|_| "map".to_owned())?;
        let shared = Arc::clone(self);
        let loaded = tokio::task::spawn_blocking(move || map_of(&upload, shared.loader.as_deref())).await;
        let rules = loaded.map_err(|_| "map".to_owned())?.map_err(|problem| problem.key.to_owned())?;
        let mut maps = self.maps.lock().unwrap_or_else(PoisonError::into_inner);
        if maps.len() >= MAPS {
            maps.pop_front();
        }
        maps.push_back((id.clone(), rules.clone()));
        Ok(Some(rules))
    }

    /// Judges the map of a piece of work by the weights that the hall judges it by, and fetches them where they are
    /// missing.
    async fn weigh(&self, work: &Work, rules: Option<&Rules>) -> Result<(), &'static str> {
        let Some(rules) = rules else { return Ok(()) };
        let game = rules.open(None).map_err(|_| "map")?;
        let wanted = work.game.weights.as_deref();
        if learned::brought(game.as_ref()).as_deref() == wanted {
            return Ok(());
        }
        let line = match wanted {
            Some(hash) if is_hash(hash) => Some(self.employer.weights(hash).await.map_err(|_| "weights")?),
            Some(_) => return Err("weights"),
            None => None,
        };
        if line.as_ref().is_some_and(|line| line.len() > MOST_WEIGHTS_BYTES) {
            return Err("weights");
        }
        learned::bring(game.as_ref(), line.as_deref());
        // The hash follows from what is here now, so that no other weights pass for those that are wanted.
        if learned::brought(game.as_ref()).as_deref() == wanted {
            return Ok(());
        }
        learned::bring(game.as_ref(), None);
        Err("weights")
    }

    /// Runs a search and returns its answer, or the reason for returning the work undone.
    fn think(
        &self,
        work: &Work,
        rules: Option<Rules>,
        halt: &Stop,
        found: &Mutex<Option<WorkAnswer>>,
    ) -> Result<WorkAnswer, String> {
        let search = Search::told(work, rules).map_err(|problem: Problem| problem.key.to_owned())?;
        // Only where several lines or an engine is asked does anybody look at it meanwhile.
        let is_shown = matches!(&work.ask, WorkAsk::Think(limits) if limits.large && limits.nodes.is_none());
        let mut lines: Vec<Info> = Vec::new();
        let answer = search.perform(&self.pool, None, halt, &mut |info| {
            let at = info.line.saturating_sub(1);
            if !is_shown || info.moves.is_empty() || at > lines.len() {
                return;
            }
            if at == lines.len() {
                lines.push(info.clone());
            } else {
                lines[at] = info.clone();
            }
            *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(search.so_far(&lines));
        });
        match answer {
            Err(problem) if !problem.key.starts_with("engine-") => Err(problem.key.to_owned()),
            answer => Ok(search.answer(answer)),
        }
    }
}
