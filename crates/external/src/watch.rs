//! The resource watch: the use of processor, memory, processes and disk by a confined engine, sampled while it runs.
//!
//! No system limit fits an engine that lives for days and thinks now and then. So processor time is limited by the
//! time of each request and the number of threads it may use, and to next to nothing between requests. The memory of
//! all its processes together, their number, and its temporary files are checked as well. An engine that exceeds a
//! limit is killed together with the processes it started; the next request reports the reason.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::scratch;

/// The sampling interval.
const PAUSE: Duration = Duration::from_millis(250);
/// The number of samples between two checks of its files.
const RARELY: u32 = 8;
/// The processor time that is free in each request and in each rest: starting, compiling, tidying up.
const FREE: Duration = Duration::from_secs(5);
/// The share of a processor that it may use while it rests.
const RESTING: f64 = 0.05;
/// The most threads, of all processes together.
const MOST_THREADS: u64 = 512;
/// The most bytes of temporary files.
const MOST_FILES: u64 = 1 << 30;

/// The limits of an engine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// The most resident memory of all its processes, in MiB.
    pub(super) memory_mb: u64,
    /// The most processes besides the first.
    pub(super) processes: u32,
}

/// The limits that an engine can exceed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Excess {
    Processor,
    Memory,
    Processes,
    Files,
}

impl Excess {
    /// Returns the name of the limit in the message texts.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Excess::Processor => "processor",
            Excess::Memory => "memory",
            Excess::Processes => "processes",
            Excess::Files => "files",
        }
    }
}

/// The resources that an engine has used.
#[derive(Clone, Copy, Default, Debug)]
struct Use {
    /// The processor time since the start.
    cpu: Duration,
    /// The resident memory, in bytes.
    memory: u64,
    threads: u64,
    processes: u64,
}

/// The phase of a request, or of the rest after one.
#[derive(Clone, Copy, Debug)]
struct Phase {
    began: Instant,
    /// The processor time used before the phase.
    cpu: Duration,
    /// The number of processors that it may keep busy.
    rate: f64,
}

impl Phase {
    /// Returns the total processor time allowed at `elapsed` after the beginning of the phase.
    fn allows(&self, elapsed: Duration) -> Duration {
        self.cpu + FREE + elapsed.mul_f64(self.rate)
    }
}

struct State {
    phase: Phase,
    excess: Option<Excess>,
    /// Set when the process has ended: from then on its id may belong to another process.
    has_ended: bool,
}

/// A thread that samples the resources of a process.
pub(super) struct Watch {
    id: u32,
    has_helpers: bool,
    state: Arc<Mutex<State>>,
    /// The thread ends when this is dropped.
    _lives: SyncSender<()>,
}

impl Watch {
    /// Starts the watch over a process that has just been started and initializes with `threads` threads.
    pub(super) fn start(id: u32, most: Allowance, files: &Path, threads: u32) -> Watch {
        let phase = Phase { began: Instant::now(), cpu: Duration::ZERO, rate: busy(threads) };
        let state = Arc::new(Mutex::new(State { phase, excess: None, has_ended: false }));
        let (lives, ends) = sync_channel::<()>(0);
        let (shared, files) = (Arc::clone(&state), files.to_path_buf());
        // Without a thread for it there is no watch; the fence stands all the same.
        let _ =
            thread::Builder::new().name("engine-watch".to_owned()).stack_size(256 << 10).spawn(move || {
                let mut looks = 0_u32;
                while ends.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                    looks = looks.wrapping_add(1);
                    let files = looks.is_multiple_of(RARELY).then_some(&files);
                    if look(id, most, files, &shared) {
                        return;
                    }
                }
            });
        Watch { id, has_helpers: most.processes > 0, state, _lives: lives }
    }

    /// Starts the phase of a request with `threads` threads.
    pub(super) fn thinks(&self, threads: u32) {
        self.enter(busy(threads));
    }

    /// Starts the phase of rest after a request.
    pub(super) fn rests(&self) {
        self.enter(RESTING);
    }

    fn enter(&self, rate: f64) {
        let cpu = taken(self.id, self.has_helpers).map_or(Duration::ZERO, |taken| taken.cpu);
        lock(&self.state).phase = Phase { began: Instant::now(), cpu, rate };
    }

    /// Returns the limit for which the process was killed.
    pub(super) fn verdict(&self) -> Option<Excess> {
        lock(&self.state).excess
    }

    /// Kills the process and those that it started, and ends the watch.
    pub(super) fn end(self) {
        let mut state = lock(&self.state);
        if !std::mem::replace(&mut state.has_ended, true) {
            kill(self.id);
        }
    }
}

/// Returns the number of processors that may be busy: one more than `threads`, for the thread that reads the input.
fn busy(threads: u32) -> f64 {
    f64::from(threads.max(1)) + 1.0
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the process if it exceeds a limit. Returns true if the watch is over.
fn look(id: u32, most: Allowance, files: Option<&PathBuf>, state: &Mutex<State>) -> bool {
    let Some(taken) = taken(id, most.processes > 0) else { return true };
    // Files first, without the lock: a slow disk holds up no other thread.
    let many = files.is_some_and(|folder| scratch::size(folder).is_none_or(|bytes| bytes > MOST_FILES));
    let mut state = lock(state);
    if state.has_ended {
        return true;
    }
    let found = excess(&taken, most, &state.phase, Instant::now()).or(many.then_some(Excess::Files));
    if found.is_some() {
        state.excess = found;
        kill(id);
    }
    found.is_some()
}

fn excess(taken: &Use, most: Allowance, phase: &Phase, now: Instant) -> Option<Excess> {
    let elapsed = now.saturating_duration_since(phase.began);
    let rules = [
        (Excess::Processor, taken.cpu > phase.allows(elapsed)),
        (Excess::Memory, taken.memory > most.memory_mb.saturating_mul(1 << 20)),
        (Excess::Processes, taken.threads > MOST_THREADS),
        (Excess::Processes, taken.processes > u64::from(most.processes) + 1),
    ];
    rules.into_iter().find(|(_, is_over)| *is_over).map(|(excess, _)| excess)
}

#[cfg(target_os = "linux")]
fn kill(id: u32) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    if let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        // It may not have its group yet; then it has started no other process.
        let _ = kill_process_group(pid, Signal::KILL);
        let _ = kill_process(pid, Signal::KILL);
    }
}

#[cfg(not(target_os = "linux"))]
fn kill(_: u32) {}

/// Reads the resources used by a process, or by its whole group; `None` if the system does not report them.
#[cfg(target_os = "linux")]
fn taken(id: u32, with_group: bool) -> Option<Use> {
    let mut all = read(id)?.1;
    if with_group {
        for entry in std::fs::read_dir("/proc").ok()?.flatten() {
            let other = entry.file_name().to_str().and_then(|name| name.parse().ok());
            let Some((group, taken)) = other.filter(|other| *other != id).and_then(read) else { continue };
            if group == id {
                all.cpu += taken.cpu;
                all.memory += taken.memory;
                all.threads += taken.threads;
                all.processes += 1;
            }
        }
    }
    Some(all)
}

#[cfg(not(target_os = "linux"))]
fn taken(_: u32, _: bool) -> Option<Use> {
    None
}

/// Reads the group of a process and the resources that it and its reaped children have used: `proc_pid_stat(5)`.
#[cfg(target_os = "linux")]
fn read(id: u32) -> Option<(u32, Use)> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    parse(&text, rustix::param::clock_ticks_per_second(), rustix::param::page_size() as u64)
}

#[cfg(target_os = "linux")]
fn parse(text: &str, ticks: u64, page: u64) -> Option<(u32, Use)> {
    // Behind the name, which may hold anything: the fields from the third on.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let number = |field: usize| -> Option<u64> { fields.get(field - 3)?.parse().ok() };
    let cpu: u64 = (14..=17).filter_map(number).sum();
    let cpu = Duration::from_millis(cpu.saturating_mul(1000) / ticks.max(1));
    let group = u32::try_from(number(5)?).ok()?;
    let memory = number(24)?.saturating_mul(page);
    Some((group, Use { cpu, memory, threads: number(20)?, processes: 1 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: Allowance = Allowance { memory_mb: 100, processes: 1 };

    fn phase(rate: f64) -> Phase {
        Phase { began: Instant::now(), cpu: Duration::from_secs(100), rate }
    }

    #[test]
    fn each_excess_is_found() {
        let secs = Duration::from_secs;
        let fine = Use { cpu: secs(100), memory: 100 << 20, threads: 8, processes: 2 };
        for (name, elapsed, rate, taken, wanted) in [
            ("nothing", 0, 2.0, fine, None),
            ("an honest search", 60, 2.0, Use { cpu: secs(160), ..fine }, None),
            ("more threads than told", 60, 2.0, Use { cpu: secs(340), ..fine }, Some(Excess::Processor)),
            ("a long rest", 100, RESTING, Use { cpu: secs(109), ..fine }, None),
            ("thinking at rest", 10, RESTING, Use { cpu: secs(107), ..fine }, Some(Excess::Processor)),
            ("memory", 0, 2.0, Use { memory: (100 << 20) + 1, ..fine }, Some(Excess::Memory)),
            ("threads", 0, 2.0, Use { threads: 513, ..fine }, Some(Excess::Processes)),
            ("processes", 0, 2.0, Use { processes: 3, ..fine }, Some(Excess::Processes)),
        ] {
            let phase = phase(rate);
            assert_eq!(excess(&taken, MOST, &phase, phase.began + secs(elapsed)), wanted, "{name}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_name_may_hold_anything() {
        let text = "7 (a) 9 (b) S 1 5 5 0 -1 0 0 0 0 0 150 50 7 3 20 0 4 0 100 9999 25 0";
        let (group, taken) = parse(text, 100, 4096).unwrap();
        assert_eq!((group, taken.cpu, taken.threads), (5, Duration::from_millis(2100), 4));
        assert_eq!(taken.memory, 25 * 4096);
        assert!(parse("7 (a", 100, 4096).is_none() && parse("", 100, 4096).is_none());
    }
}
