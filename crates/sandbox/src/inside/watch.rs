//! The worker's own clock: a thread that looks every ten milliseconds whether a call of an extension takes too long.
//!
//! It measures CPU time, so that no game is lost because the machine is busy. The parent has a clock of its own for
//! what this one cannot see. Reading a clock at each call would cost as much as a short call does; here a call writes
//! two numbers.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::Thread;
use std::time::Duration;

use jingbanqi::extension::Fault;
use jingbanqi::limits::{CALL, LOAD, PLY};

use super::replies::Replies;
use crate::message::Reply;

/// The interval at which the clock is read.
const TICK: Duration = Duration::from_millis(10);

/// The ways in which an extension is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hook {
    /// The code of its file.
    Load,
    /// The function `check_can_go`: the squares that a piece may go to.
    CheckCanGo,
    /// The function `after_move`.
    AfterMove,
    /// The function `choices` of level 2.
    Choices,
    /// The function `may_drop` of level 2.
    MayDrop,
    /// The function `score` of level 2.
    Score,
    /// The place of that number in `loc_rules`.
    Place(u16),
}

impl Hook {
    pub(crate) fn number(self) -> u32 {
        match self {
            Hook::Load => 0,
            Hook::CheckCanGo => 1,
            Hook::AfterMove => 2,
            Hook::Choices => 3,
            Hook::MayDrop => 4,
            Hook::Score => 5,
            Hook::Place(place) => 6 + u32::from(place),
        }
    }

    fn of(number: u32) -> Hook {
        match number {
            0 => Hook::Load,
            1 => Hook::CheckCanGo,
            2 => Hook::AfterMove,
            3 => Hook::Choices,
            4 => Hook::MayDrop,
            5 => Hook::Score,
            place => Hook::Place((place - 6) as u16),
        }
    }

    /// Returns the name of the hook for people.
    pub(crate) fn name(self, places: &[String]) -> String {
        match self {
            Hook::Load => "load".to_owned(),
            Hook::CheckCanGo => "check_can_go".to_owned(),
            Hook::AfterMove => "after_move".to_owned(),
            Hook::Choices => "choices".to_owned(),
            Hook::MayDrop => "may_drop".to_owned(),
            Hook::Score => "score".to_owned(),
            Hook::Place(place) => places.get(usize::from(place)).cloned().unwrap_or_default(),
        }
    }
}

#[derive(Debug)]
struct Seen {
    replies: Replies,
    busy: AtomicBool,
    /// The number of begun and ended calls: odd while an extension is running.
    calls: AtomicU64,
    plies: AtomicU64,
    /// The file and what is asked of it.
    file: AtomicU32,
    hook: AtomicU32,
    /// The line that is being run, from 1, where lines are followed; 0 if unknown.
    line: AtomicU32,
    /// The number of plies that stand.
    stands: AtomicU32,
    /// Names of files and places.
    names: Mutex<(Vec<String>, Vec<String>)>,
}

impl Seen {
    fn new(replies: Replies) -> Seen {
        Seen {
            replies,
            busy: AtomicBool::default(),
            calls: AtomicU64::default(),
            plies: AtomicU64::default(),
            file: AtomicU32::default(),
            hook: AtomicU32::default(),
            line: AtomicU32::default(),
            stands: AtomicU32::default(),
            names: Mutex::default(),
        }
    }
}

/// The handle through which the worker writes for the watcher.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    seen: Arc<Seen>,
    thread: Thread,
}

impl Watch {
    /// Starts the thread, and waits until it needs nothing of the system any more that the filter forbids.
    pub(crate) fn start(replies: Replies) -> std::io::Result<Watch> {
        let seen = Arc::new(Seen::new(replies));
        let watched = Arc::clone(&seen);
        let (ready, started) = std::sync::mpsc::channel();
        let run = move || {
            // The clock is looked for when it is read first.
            cpu();
            let _ = ready.send(());
            watch(&watched);
        };
        let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(run)?.thread().clone();
        started.recv().map_err(std::io::Error::other)?;
        Ok(Watch { seen, thread })
    }

    /// Tells the parent.
    pub(crate) fn send(&self, reply: &Reply) -> std::io::Result<()> {
        self.seen.replies.send(reply)
    }

    /// Sets the names for the report of a late call.
    pub(crate) fn know(&self, files: Vec<String>, places: Vec<String>) {
        *self.seen.names.lock().expect("nobody panics with it") = (files, places);
    }

    /// Begins watching: a request is about to be handled.
    pub(crate) fn wake(&self) {
        self.seen.busy.store(true, Relaxed);
        self.thread.unpark();
    }

    /// Ends watching: the request is done.
    pub(crate) fn rest(&self) {
        self.seen.busy.store(false, Relaxed);
    }

    /// Records that a ply begins, or the listing after it. `stands`: the number of plies that stand.
    pub(crate) fn ply(&self, stands: usize) {
        self.seen.plies.store(self.seen.plies.load(Relaxed) + 1, Relaxed);
        self.seen.stands.store(stands as u32, Relaxed);
    }

    /// Records that an extension is about to run.
    pub(crate) fn enter(&self, file: usize, hook: Hook) {
        self.seen.file.store(file as u32, Relaxed);
        self.seen.hook.store(hook.number(), Relaxed);
        self.seen.line.store(0, Relaxed);
        self.seen.calls.store(self.seen.calls.load(Relaxed) + 1, Relaxed);
    }

    /// Returns the name of the call in progress, for people.
    pub(crate) fn asked(&self) -> String {
        let names = self.seen.names.lock().expect("nobody panics with it");
        Hook::of(self.seen.hook.load(Relaxed)).name(&names.1)
    }

    /// Records the line of a file that the call has reached.
    pub(crate) fn line(&self, file: usize, line: u32) {
        self.seen.file.store(file as u32, Relaxed);
        self.seen.line.store(line, Relaxed);
    }

    /// Records that the call has returned.
    pub(crate) fn leave(&self) {
        self.seen.calls.store(self.seen.calls.load(Relaxed) + 1, Relaxed);
    }
}

/// CPU time of this process.
pub(crate) fn cpu() -> Duration {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
    #[cfg(not(unix))]
    {
        use std::sync::OnceLock;
        static START: OnceLock<std::time::Instant> = OnceLock::new();
        START.get_or_init(std::time::Instant::now).elapsed()
    }
}

fn watch(seen: &Seen) {
    let (mut call, mut ply) = ((0, Duration::ZERO), (0, Duration::ZERO));
    loop {
        if !seen.busy.load(Relaxed) {
            std::thread::park();
            (call.0, ply.0) = (u64::MAX, u64::MAX);
            continue;
        }
        std::thread::park_timeout(TICK);
        let now = cpu();
        for (known, counter) in [(&mut call, &seen.calls), (&mut ply, &seen.plies)] {
            let count = counter.load(Relaxed);
            if known.0 != count {
                *known = (count, now);
            }
        }
        let hook = seen.hook.load(Relaxed);
        let most = if hook == 0 { LOAD } else { CALL };
        let late = call.0 % 2 == 1 && now - call.1 > most;
        if late && seen.busy.load(Relaxed) {
            tell(seen, format!("TimeLimit: more than {} ms", most.as_millis()));
        } else if now - ply.1 > PLY && seen.busy.load(Relaxed) {
            tell(seen, format!("TimeLimit: more than {} s for a ply", PLY.as_secs()));
        }
    }
}

/// Reports the fault to the parent, which ends this process, and waits for that.
fn tell(seen: &Seen, error: String) {
    let names = seen.names.lock().expect("nobody panics with it");
    let file = names.0.get(seen.file.load(Relaxed) as usize).cloned().unwrap_or_default();
    let hook = Hook::of(seen.hook.load(Relaxed));
    let line = Some(seen.line.load(Relaxed)).filter(|&line| line > 0);
    let fault = Fault { file, hook: hook.name(&names.1), line, error };
    let reply = Reply::Fault { fault, stands: seen.stands.load(Relaxed), fatal: true };
    let _ = seen.replies.send(&reply);
    loop {
        std::thread::park();
    }
}
