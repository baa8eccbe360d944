//! Work that takes long, away from the threads that answer everybody: a bounded number of threads, a queue that is fair
//! between addresses and people, and a bill for the time each piece of work took. The threads have a lower priority than
//! those that answer: whoever moves does not wait for a processor behind somebody's search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::fair::{Busy, Fair, Turn};
use crate::limits::{Limits, RateLimits};
use crate::network::Asker;
use crate::refusal::Refusal;

/// How much lower the priority of long work is: about a ninth of the processor where others want it, too.
#[cfg(target_os = "linux")]
const LOWER: i32 = 10;

/// Threads for what takes long, apart from those of the network.
pub struct Workers {
    fair: Arc<Fair>,
    longest: Duration,
}

/// The right to work on one of the threads. The time it is held is charged to whoever asked for it, once, however it ends.
pub struct Place {
    held: Arc<Held>,
    longest: Duration,
}

/// A place that was given; it is paid for and passed on when nobody holds it any more.
struct Held {
    rates: Arc<RateLimits>,
    asker: Asker,
    given: Instant,
    _turn: Turn,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.rates.worked(&self.asker, self.given.elapsed());
    }
}

/// When work is to end early: its time is up, or nobody waits for it any more. Loops ask it now and then.
#[derive(Clone, Debug)]
pub struct Deadline {
    at: Instant,
    left: Arc<AtomicBool>,
}

/// Work was given up: it took too long, or whoever asked has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp;

impl Deadline {
    /// After so long.
    #[must_use]
    pub fn after(longest: Duration) -> Deadline {
        Deadline { at: Instant::now() + longest, left: Arc::default() }
    }

    /// Goes on only if there is time.
    ///
    /// # Errors
    /// When work is to end.
    pub fn check(&self) -> Result<(), GivenUp> {
        let up = self.left.load(Ordering::Relaxed) || Instant::now() >= self.at;
        if up { Err(GivenUp) } else { Ok(()) }
    }
}

/// Tells the work that whoever asked has gone.
struct Leaves(Arc<AtomicBool>);

impl Drop for Leaves {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl From<GivenUp> for Refusal {
    fn from(_: GivenUp) -> Self {
        Refusal::busy()
    }
}

impl From<Busy> for Refusal {
    /// 429: too much of one's own waits.
    fn from(_: Busy) -> Self {
        Refusal::own_queue_full()
    }
}

/// As many as wished; 0: a share of the cores.
pub(crate) fn threads(wished: usize, share: usize, least: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if wished == 0 { (cores / share).max(least) } else { wished }
}

impl Workers {
    /// Nobody works yet.
    #[must_use]
    pub fn new(limits: &Limits) -> Workers {
        let waiting = if limits.on { limits.workers_waiting } else { usize::MAX };
        Workers {
            fair: Fair::new(threads(limits.workers, 1, 2), waiting),
            longest: Duration::from_secs(limits.work_seconds),
        }
    }

    /// Waits for a place. What the work needs is best gathered afterwards, so that those who wait hold nothing.
    ///
    /// # Errors
    /// 429 when too much of that address waits already, or its people have used up their time.
    pub async fn place(&self, rates: &Arc<RateLimits>, asker: &Asker) -> Result<Place, Refusal> {
        rates.work(asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
        let turn = self.fair.take(asker.network, &asker.person).await?;
        let (rates, asker) = (Arc::clone(rates), asker.clone());
        let held = Arc::new(Held { rates, asker, given: Instant::now(), _turn: turn });
        Ok(Place { held, longest: self.longest })
    }
}

#[cfg(test)]
impl Workers {
    /// How many wait for a place.
    pub(crate) fn waiting(&self) -> usize {
        self.fair.waiting()
    }
}

impl Place {
    /// Does the work on a thread of its own. The place is held until the work has really ended, whoever waits for it.
    ///
    /// # Errors
    /// When the hall is about to stop. A panic of the work goes on here.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(&Deadline) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        self.part(work).await
    }

    /// The same with a part of what the place was taken for: more may follow.
    ///
    /// # Errors
    /// See [`Place::run`].
    pub async fn part<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Deadline) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let deadline = Deadline::after(self.longest);
        let _leaves = Leaves(Arc::clone(&deadline.left));
        let held = Arc::clone(&self.held);
        blocking(move || {
            let done = work(&deadline);
            drop(held);
            done
        })
        .await
    }

    /// Holds the place while `work` goes on, which goes on to its end, whoever waits for it.
    ///
    /// # Errors
    /// When the hall is about to stop. A panic of the work goes on here.
    pub async fn during<T: Send + 'static>(
        self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Refusal> {
        let work = async move {
            let done = work.await;
            drop(self);
            done
        };
        ended(tokio::spawn(work).await)
    }
}

/// Does something on a thread where it disturbs nobody; for parts of work that holds a place.
///
/// # Errors
/// When the hall is about to stop. A panic goes on here.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
    match long(work).await {
        Some(Ok(done)) => Ok(done),
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        None => Err(Refusal::busy()),
    }
}

/// Does something long on a thread of its own and of low priority; the panic, when it did. `None` when there is no thread
/// to be had. The work goes on to its end, whoever waits for it.
pub(crate) async fn long<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<std::thread::Result<T>> {
    let (tell, told) = oneshot::channel();
    let runtime = Handle::current();
    let thread = std::thread::Builder::new().name("long-work".to_owned()).spawn(move || {
        let _within = runtime.enter();
        lower_priority();
        let _ = tell.send(catch_unwind(AssertUnwindSafe(work)));
    });
    if let Err(why) = thread {
        tracing::error!(%why, "no thread for long work");
        return None;
    }
    told.await.ok()
}

/// Of this thread and those it starts. On Linux threads have priorities of their own; elsewhere they stay as they are.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(LOWER);
}

fn ended<T>(task: Result<T, tokio::task::JoinError>) -> Result<T, Refusal> {
    match task {
        Ok(done) => Ok(done),
        Err(why) if why.is_panic() => std::panic::resume_unwind(why.into_panic()),
        Err(_) => Err(Refusal::busy()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;

    fn asker(address: u8) -> Asker {
        Asker { network: Network::of([192, 0, 2, address].into()), person: "p".to_owned() }
    }

    /// What was held and not run was free, however long the queue behind it.
    #[tokio::test(start_paused = true)]
    async fn a_place_is_paid_for_once_however_it_ends() {
        let held = Duration::from_millis(400);
        for how in ["dropped", "run", "in parts", "during"] {
            let limits = Limits { work_ms: 1000, ..Limits::default() };
            let (workers, rates) = (Workers::new(&limits), Arc::new(RateLimits::new(&limits)));
            let mut given = 0;
            while let Ok(place) = workers.place(&rates, &asker(1)).await {
                given += 1;
                tokio::time::advance(held).await;
                match how {
                    "dropped" => drop(place),
                    "run" => place.run(|_| ()).await.expect("runs"),
                    "in parts" => {
                        place.part(|_| ()).await.expect("runs");
                        place.part(|_| ()).await.expect("goes on");
                    }
                    _ => place.during(async {}).await.expect("runs"),
                }
                assert!(given < 10, "{how}: nobody pays");
            }
            assert_eq!(given, 3, "{how}: three times 400 ms are more than 1000");
        }
    }

    #[tokio::test]
    async fn work_is_bounded_and_whoever_leaves_ends_it() {
        let limits = Limits { workers: 1, workers_waiting: 1, work_seconds: 3600, ..Limits::default() };
        let (workers, rates) = (Arc::new(Workers::new(&limits)), Arc::new(RateLimits::new(&limits)));
        let (began, begun) = tokio::sync::oneshot::channel();
        let (ended, end) = tokio::sync::oneshot::channel();
        let task = tokio::spawn({
            let (workers, rates) = (Arc::clone(&workers), Arc::clone(&rates));
            async move {
                let place = workers.place(&rates, &asker(1)).await.expect("free");
                let endless = move |deadline: &Deadline| {
                    let _ = began.send(());
                    while deadline.check().is_ok() {
                        std::thread::yield_now();
                    }
                    let _ = ended.send(());
                };
                let _ = place.run(endless).await;
            }
        });
        begun.await.expect("begins");
        let neighbour = asker(1);
        let mut second = Box::pin(workers.place(&rates, &neighbour));
        let waits = tokio::time::timeout(Duration::from_millis(1), &mut second);
        assert!(waits.await.is_err(), "there is one thread");
        let third = workers.place(&rates, &asker(1)).await.err().expect("one may wait");
        assert_eq!((third.status.as_u16(), third.problem.key), (429, "hall-busy"));
        assert!(third.retry_after.is_some());
        task.abort();
        end.await.expect("the work ends with whoever asked");
        let place = second.await.expect("next");
        assert_eq!(place.run(|_| 7).await.expect("done"), 7);
    }
}
