//! The workers of a program: the number awake, and the choice of one to put to sleep when there are too many.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, Weak};
use std::time::{Duration, Instant};

use jingbanqi::Rulebook;
use jingbanqi::extension::{About, BUSY, Extensions, Fault, Loader, Source};
use kernel::Problem;

use crate::check;
use crate::console::Console;
use crate::guest::{Death, Guest, PATIENCE};
use crate::lesson::{Finding, Lesson};
use crate::message::{Played, Reply, Request};
use crate::session::{Loaded, Seat, beginning};

/// The most workers that are awake at a time, by default. Each holds some 20 MB.
const MOST_AWAKE: usize = 48;

/// Runs extensions: a [`Loader`] whose workers are this many at a time. Clones share them.
#[derive(Clone, Debug)]
pub struct Sandbox {
    pool: Arc<Pool>,
}

#[derive(Debug)]
pub(crate) struct Pool {
    program: PathBuf,
    most: usize,
    /// The receiver of the output of extensions.
    console: Option<Console>,
    /// The longest silence of a worker.
    patience: Duration,
    awake: Mutex<Awake>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Awake {
    /// The number of workers that exist or are being started.
    count: usize,
    seats: Vec<Weak<Seat>>,
}

/// The permission to have a worker.
#[derive(Debug)]
pub(crate) struct Permit(Arc<Pool>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.awake.lock().expect("nobody panics with it").count -= 1;
        self.0.freed.notify_one();
    }
}

impl Sandbox {
    /// Makes a sandbox whose workers are started as that program, which calls [`worker_main`](crate::worker_main)
    /// where [`is_worker`](crate::is_worker).
    #[must_use]
    pub fn new(program: PathBuf) -> Sandbox {
        Sandbox::with_most(program, MOST_AWAKE)
    }

    /// Makes a sandbox with at most that many workers awake; the games of the others are replayed at the next
    /// request.
    #[must_use]
    pub fn with_most(program: PathBuf, most: usize) -> Sandbox {
        Sandbox::made(program, most.max(1), None, PATIENCE)
    }

    /// Makes a sandbox with workers of its own, which may send nothing for that long before the machine counts as too
    /// busy. The limit of extensions is CPU time, whatever is set here.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Sandbox {
        Sandbox::made(self.pool.program.clone(), self.pool.most, self.pool.console.clone(), patience)
    }

    fn made(program: PathBuf, most: usize, console: Option<Console>, patience: Duration) -> Sandbox {
        let pool = Pool { program, most, console, patience, awake: Mutex::default(), freed: Condvar::new() };
        Sandbox { pool: Arc::new(pool) }
    }

    /// Makes a sandbox with workers of its own; the output of their extensions and the tracebacks of their exceptions
    /// go to that console. A call of an extension that prints is made by the interpreter, so this is slower.
    #[must_use]
    pub fn telling(self, console: Console) -> Sandbox {
        Sandbox::made(self.pool.program.clone(), self.pool.most, Some(console), self.pool.patience)
    }

    /// Makes a sandbox whose workers are started as this very program; where it has no interpreter, as the program
    /// `sandbox-worker` beside it, which may be installed later.
    #[must_use]
    pub fn here() -> Sandbox {
        let program = std::env::current_exe().unwrap_or_default();
        if cfg!(feature = "extensions") {
            return Sandbox::new(program);
        }
        Sandbox::new(program.with_file_name(format!("sandbox-worker{}", std::env::consts::EXE_SUFFIX)))
    }

    /// Returns the number of workers that are awake.
    #[must_use]
    pub fn awake(&self) -> usize {
        self.pool.awake.lock().expect("nobody panics with it").count
    }
}

impl Pool {
    /// Makes room for a worker: puts the one to sleep that was not asked for the longest time, or waits for one.
    pub(crate) fn permit(self: &Arc<Pool>) -> Permit {
        let mut awake = self.awake.lock().expect("nobody panics with it");
        loop {
            if awake.count < self.most {
                awake.count += 1;
                return Permit(Arc::clone(self));
            }
            awake.seats.retain(|seat| seat.strong_count() > 0);
            let mut seats: Vec<Arc<Seat>> = awake.seats.iter().filter_map(Weak::upgrade).collect();
            // Who is put to sleep gives back its permit, which needs the lock.
            drop(awake);
            seats.sort_by_key(|seat| seat.used());
            let slept = seats.iter().any(|seat| seat.sleep());
            drop(seats);
            awake = self.awake.lock().expect("nobody panics with it");
            if !slept && awake.count >= self.most {
                let wait = Duration::from_millis(50);
                awake = self.freed.wait_timeout(awake, wait).expect("nobody panics with it").0;
            }
        }
    }

    /// A worker that has run those files.
    ///
    /// # Errors
    /// The fault in a file, or that no worker could be had.
    pub(crate) fn loaded(
        self: &Arc<Pool>,
        book: &Rulebook,
        sources: &[Source],
    ) -> Result<(Guest, Permit, Vec<About>), Fault> {
        let (mut guest, permit) = self.fresh(sources)?;
        let about = load(&mut guest, book, sources)?;
        Ok((guest, permit, about))
    }

    /// A worker that has run nothing.
    fn fresh(self: &Arc<Pool>, sources: &[Source]) -> Result<(Guest, Permit), Fault> {
        let permit = self.permit();
        let guest = Guest::start(&self.program, self.console.clone(), self.patience);
        guest.map(|guest| (guest, permit)).map_err(|death| unloaded(sources, said(&death)))
    }

    /// A worker that has looked at those files, and what it has found. One that dies of it has found nothing: what is wrong
    /// shows when the files are loaded.
    fn looked(
        self: &Arc<Pool>,
        book: &Rulebook,
        sources: &[Source],
    ) -> Result<(Guest, Permit, Vec<Finding>), Fault> {
        let (mut guest, permit) = self.fresh(sources)?;
        let text = |source: &Source| String::from_utf8(source.bytes.clone()).unwrap_or_default();
        let request = Request::Look { map: book.map().clone(), texts: sources.iter().map(text).collect() };
        if let Ok(Reply::Found(found)) = guest.ask(&request, 0) {
            return Ok((guest, permit, check::findings(sources.len(), found)));
        }
        drop((guest, permit));
        self.fresh(sources).map(|(guest, permit)| (guest, permit, Vec::new()))
    }

    /// A game that may have a worker.
    pub(crate) fn know(&self, seat: &Arc<Seat>) {
        let mut awake = self.awake.lock().expect("nobody panics with it");
        awake.seats.retain(|seat| seat.strong_count() > 0);
        awake.seats.push(Arc::downgrade(seat));
    }
}

/// Lets a worker run files.
fn load(guest: &mut Guest, book: &Rulebook, sources: &[Source]) -> Result<Vec<About>, Fault> {
    let files = sources.iter().map(|source| (source.file.clone(), source.bytes.clone())).collect();
    let (old_names, seed) = (book.old_names(), book.seed());
    let (map, tells) = (book.map().clone(), guest.tells_authors());
    match guest.ask(&Request::Load { map, old_names, seed, tells, sources: files }, 0) {
        Ok(Reply::Loaded(about)) => Ok(about),
        Ok(Reply::Refused(fault) | Reply::Fault { fault, .. }) => Err(check::fault(fault)),
        Ok(_) => Err(unloaded(sources, "it talks nonsense".to_owned())),
        Err(death) => {
            let fault = unloaded(sources, said(&death));
            let Some((number, _, line)) = guest.crumb.clone() else { return Err(fault) };
            let file = sources.get(usize::from(number)).map(|source| source.file.clone());
            Err(Fault { file: file.unwrap_or_default(), line, ..fault })
        }
    }
}

/// The fault of files that cannot be loaded, where nothing is known of the place.
fn unloaded(sources: &[Source], error: String) -> Fault {
    let file = sources.first().map(|source| source.file.clone()).unwrap_or_default();
    Fault { file, hook: "load".to_owned(), line: None, error }
}

/// Describes a death, in words for a fault.
pub(crate) fn said(death: &Death) -> String {
    match death {
        Death::Unborn(why) => format!("NoWorker: {why}"),
        Death::Ended(why) => why.clone(),
        Death::Killed(why) => format!("Killed: {why}"),
        Death::Starved => BUSY.to_owned(),
    }
}

impl Sandbox {
    /// Plays random games inside a worker, as a search would, and says how much memory the worker took in the end, in
    /// kilobytes where the system tells. `longest`: plies of a game; `remember`: whether answers may be remembered.
    ///
    /// # Errors
    /// The failure.
    pub fn playouts(
        &self,
        book: &Rulebook,
        sources: &[Source],
        (seed, plies, longest): (u64, u32, u32),
        remember: bool,
    ) -> Result<(Played, u64), Fault> {
        let failed = |error: String| Fault { error, file: String::new(), hook: String::new(), line: None };
        let (mut guest, _permit, _) = self.pool.loaded(book, sources)?;
        let begin = Request::Begin(beginning(book.map()), book.seed());
        guest.ask(&begin, 0).map_err(|death| failed(said(&death)))?;
        let request = Request::Playouts { seed, plies, longest, remember };
        match guest.ask(&request, 60) {
            Ok(Reply::Played(played)) => Ok((played, guest.memory())),
            Ok(Reply::Fault { fault, .. }) => Err(check::fault(fault)),
            Ok(_) => Err(failed("it talks nonsense".to_owned())),
            Err(death) => Err(failed(said(&death))),
        }
    }
}

impl Loader for Sandbox {
    fn load(&self, book: &Arc<Rulebook>, sources: &[Source]) -> Result<Arc<dyn Extensions>, Vec<Problem>> {
        if !self.pool.program.exists() {
            let missing = |source: &Source| Problem::new("map-extensions-not-yet").with("text", &source.file);
            return Err(sources.iter().map(missing).collect());
        }
        let (mut guest, permit, found) =
            self.pool.looked(book, sources).map_err(|fault| vec![fault.problem()])?;
        let problems = |which: &dyn Fn(&Finding) -> bool| -> Vec<Problem> {
            found.iter().filter(|finding| which(finding)).map(|finding| finding.problem(sources)).collect()
        };
        let mistakes = problems(&|finding| finding.lesson.is_of_syntax());
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let about = load(&mut guest, book, sources).map_err(|fault| {
            // What the text says about that line explains it.
            let file = sources.iter().position(|source| source.file == fault.file);
            let there = |finding: &Finding| {
                Some(usize::from(finding.file)) == file
                    && (Some(finding.line) == fault.line || finding.lesson == Lesson::NearHook)
            };
            std::iter::once(fault.problem()).chain(problems(&there)).collect::<Vec<_>>()
        })?;
        let files: Vec<&str> = sources.iter().map(|source| source.file.as_str()).collect();
        let about = check::about(&files, about)
            .ok_or_else(|| vec![unloaded(sources, "it talks nonsense".to_owned()).problem()])?;
        let known = (about, problems(&|_| true).into());
        let spare = Some((guest, permit, Instant::now()));
        Ok(Arc::new(Loaded::new(Arc::clone(&self.pool), Arc::clone(book), sources.into(), known, spare)))
    }
}
