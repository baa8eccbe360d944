//! Work that takes long, away from the threads that answer requests: a bounded number of threads, a queue that is
//! fair between addresses and people, and a charge for the time each piece of work took. The threads have a lower
//! priority than those that answer: a move does not wait for a processor behind another person's search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::budget::Wait;
use crate::fair::{Busy, Fair, Turn};
use crate::limits::{Limits, RateLimits};
use crate::network::Asker;

/// The nice value added for long work, which leaves it about a ninth of the processor under contention.
#[cfg(target_os = "linux")]
const LOWER: i32 = 10;

/// The threads for long work, apart from those of the network.
pub struct Workers {
    fair: Arc<Fair>,
    longest: Duration,
}

/// The right to work on one of the threads. The time it is held is charged once to the person who asked for it,
/// however it ends.
pub struct Place {
    held: Arc<Held>,
    longest: Duration,
}

/// A place in use; it is charged and passed on when its last holder drops it.
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

/// The condition on which work ends early: its time is up, or the result is no longer awaited. Loops check it now and
/// then.
#[derive(Clone, Debug)]
pub struct Deadline {
    at: Instant,
    left: Arc<AtomicBool>,
}

/// The error of work that was given up: it took too long, or its request has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenUp;

impl Deadline {
    /// Creates a deadline after that time.
    #[must_use]
    pub fn after(longest: Duration) -> Deadline {
        Deadline { at: Instant::now() + longest, left: Arc::default() }
    }

    /// Checks that there is time left.
    ///
    /// # Errors
    /// Fails when the work must end.
    pub fn check(&self) -> Result<(), GivenUp> {
        let up = self.left.load(Ordering::Relaxed) || Instant::now() >= self.at;
        if up { Err(GivenUp) } else { Ok(()) }
    }
}

/// A guard that tells the work, when dropped, that its request has gone.
struct Leaves(Arc<AtomicBool>);

impl Drop for Leaves {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The reasons why a request gets no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPlace {
    /// The person or the address has used up the time that work may take.
    Later(Wait),
    /// The address has the most requests waiting that it may.
    Busy,
}

impl From<Busy> for NoPlace {
    fn from(_: Busy) -> Self {
        NoPlace::Busy
    }
}

/// The error of work that has no result because the hall is about to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopping;

/// Returns the number of threads that was asked for; for 0, a share of the cores.
#[must_use]
pub fn threads(wished: usize, share: usize, least: usize) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if wished == 0 { (cores / share).max(least) } else { wished }
}

impl Workers {
    /// Creates the workers without any work.
    #[must_use]
    pub fn new(limits: &Limits) -> Workers {
        let waiting = if limits.on { limits.workers_waiting } else { usize::MAX };
        Workers {
            fair: Fair::new(threads(limits.workers, 1, 2), waiting),
            longest: Duration::from_secs(limits.work_seconds),
        }
    }

    /// Waits for a place. The input of the work is best gathered afterwards, so that those who wait hold no memory.
    ///
    /// # Errors
    /// Fails when too many requests of that address wait already, or its people have used up their time.
    pub async fn place(&self, rates: &Arc<RateLimits>, asker: &Asker) -> Result<Place, NoPlace> {
        rates.work(asker).map_err(NoPlace::Later)?;
        let turn = self.fair.take(asker.network, &asker.person).await?;
        let (rates, asker) = (Arc::clone(rates), asker.clone());
        let held = Arc::new(Held { rates, asker, given: Instant::now(), _turn: turn });
        Ok(Place { held, longest: self.longest })
    }

    /// Returns the number of requests that wait for a place.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.fair.waiting()
    }
}

impl Place {
    /// Runs the work on a thread of its own. The place is held until the work has really ended, even if its result is
    /// no longer awaited.
    ///
    /// # Errors
    /// Fails when the hall is about to stop. A panic of the work goes on here.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(&Deadline) -> T + Send + 'static,
    ) -> Result<T, Stopping> {
        self.part(work).await
    }

    /// Runs a part of the work and keeps the place: more may follow.
    ///
    /// # Errors
    /// See [`Place::run`].
    pub async fn part<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Deadline) -> T + Send + 'static,
    ) -> Result<T, Stopping> {
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

    /// Holds the place while `work` goes on, which goes on to its end even if its result is no longer awaited.
    ///
    /// # Errors
    /// Fails when the hall is about to stop. A panic of the work goes on here.
    pub async fn during<T: Send + 'static>(
        self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, Stopping> {
        let work = async move {
            let done = work.await;
            drop(self);
            done
        };
        ended(tokio::spawn(work).await)
    }
}

/// Runs work on a thread where it blocks no other; for parts of work that holds a place.
///
/// # Errors
/// Fails when the hall is about to stop. A panic goes on here.
pub async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Stopping> {
    match long(work).await {
        Some(Ok(done)) => Ok(done),
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        None => Err(Stopping),
    }
}

/// Runs long work on a thread of its own and of low priority; returns its panic as an error. `None` when there is no
/// thread to be had. The work goes on to its end even if its result is no longer awaited.
pub async fn long<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<std::thread::Result<T>> {
    let (tell, told) = oneshot::channel();
    let work = Box::new(move || {
        let _ = tell.send(catch_unwind(AssertUnwindSafe(work)));
    });
    if let Err(why) = on_a_thread(work) {
        tracing::error!(%why, "no thread for long work");
        return None;
    }
    told.await.ok()
}

/// Starts work on a thread of low priority. One for all kinds of work: a thread for each type is a lot to compile.
fn on_a_thread(work: Box<dyn FnOnce() + Send>) -> std::io::Result<()> {
    let runtime = Handle::current();
    let thread = std::thread::Builder::new().name("long-work".to_owned()).spawn(move || {
        let _within = runtime.enter();
        lower_priority();
        work();
    });
    thread.map(drop)
}

/// Runs work on this thread that may wait for another process, so that other tasks go on meanwhile. A runtime with one
/// thread has no other thread for them and runs it directly. `waits`: false for work that does not wait.
pub fn in_place<T>(waits: bool, work: impl FnOnce() -> T) -> T {
    let others = Handle::try_current().is_ok_and(|h| h.runtime_flavor() == RuntimeFlavor::MultiThread);
    if waits && others { tokio::task::block_in_place(work) } else { work() }
}

/// Lowers the priority of this thread and those it starts. On Linux threads have priorities of their own; elsewhere
/// they stay as they are.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(LOWER);
}

fn ended<T>(task: Result<T, tokio::task::JoinError>) -> Result<T, Stopping> {
    match task {
        Ok(done) => Ok(done),
        Err(why) if why.is_panic() => std::panic::resume_unwind(why.into_panic()),
        Err(_) => Err(Stopping),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;

    fn asker(address: u8) -> Asker {
        Asker { network: Network::of([192, 0, 2, address].into()), person: "p".to_owned() }
    }

    /// A place is charged once, whether it is dropped, used, or used in parts, however long the queue behind it.
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
        assert_eq!(third, NoPlace::Busy);
        task.abort();
        end.await.expect("the work ends with whoever asked");
        let place = second.await.expect("next");
        assert_eq!(place.run(|_| 7).await.expect("done"), 7);
    }
}
