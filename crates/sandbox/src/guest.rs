//! One worker: a process, a thread that talks to it, and a clock.

use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::check;
use crate::console::Console;
use crate::message::{MOST_ASKED, MOST_TOLD, Reply, Request, read, write_bytes};

/// The longest time without a message from a worker, by default. The limits of extensions are CPU time, which its own
/// clock and the system watch; this limit is for a machine that gives it none.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
/// The CPU time that a request may take beside its plies, in seconds; the system ends a worker that takes more.
const CPU_SECONDS: u64 = 3;
/// The most bytes of output for an author, for one request. Crumbs are not counted: one for each line of code, they
/// cost their worker CPU time, and only the last is kept.
const MOST_TOLD_TO_AUTHORS: usize = 1 << 20;

/// The text about a worker that a process with the right to do so killed, or a system without memory.
pub(crate) const KILLED: &str = "Killed";

/// The reasons for the end of a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Death {
    /// The worker could not be started, or ended before it got a request.
    Unborn(String),
    /// The worker ended during a request: how, and the call of an extension it was about to make, where that is
    /// known.
    Ended(String),
    /// The worker was killed because its reply was invalid or too long.
    Killed(&'static str),
    /// The worker sent nothing for too long, without having used the CPU time it has: the machine is too busy. That
    /// says nothing about its extensions.
    Starved,
}

/// A worker process, as the host sees it: its pipes and what it was sent.
#[derive(Debug)]
pub(crate) struct Guest {
    asks: Sender<Vec<u8>>,
    tells: Receiver<Result<Vec<u8>, Death>>,
    child: Arc<Mutex<Option<Child>>>,
    pid: u32,
    /// The process that started it. A fork of that process has a copy of all this, but not the thread, and the worker
    /// is not its own: it neither sends it requests nor ends it.
    host: u32,
    /// The last crumb: the number of the file, the call, and the line it had reached.
    pub crumb: Option<(u16, String, Option<u32>)>,
    /// The receiver of the output of extensions.
    console: Option<Console>,
    /// The longest time without a message.
    patience: Duration,
}

impl Guest {
    /// Starts a worker. The thread that starts it stays with it: a worker dies with that thread.
    pub(crate) fn start(
        program: &Path,
        console: Option<Console>,
        patience: Duration,
    ) -> Result<Guest, Death> {
        let (asks, asked) = channel::<Vec<u8>>();
        let (tell, tells) = channel();
        let (born, birth) = channel();
        let child = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&child);
        let program: PathBuf = program.to_owned();
        let talk = move || match spawn(&program) {
            Ok((process, input, output)) => {
                let _ = born.send(Ok(process.id()));
                *shared.lock().expect("nobody panics with it") = Some(process);
                talk(&asked, &tell, input, output, &shared);
            }
            Err(why) => drop(born.send(Err(why.to_string()))),
        };
        let thread = std::thread::Builder::new().name("extensions".to_owned()).stack_size(256 << 10);
        thread.spawn(talk).map_err(|why| Death::Unborn(why.to_string()))?;
        let pid = birth.recv().map_err(|why| Death::Unborn(why.to_string()))?.map_err(Death::Unborn)?;
        Ok(Guest { asks, tells, child, pid, host: std::process::id(), crumb: None, console, patience })
    }

    /// Sends a request and waits for the reply. After an error the worker is dead.
    ///
    /// `plies`: how many are played for it.
    pub(crate) fn ask(&mut self, request: &Request, plies: usize) -> Result<Reply, Death> {
        self.crumb = None;
        if !self.is_ours() {
            return Err(Death::Unborn("it belongs to the process before the fork".to_owned()));
        }
        let seconds = CPU_SECONDS + plies.min(60) as u64;
        limit_cpu(self.pid, seconds);
        self.asks.send(encoded(request)).map_err(|_| Death::Unborn("it has ended".to_owned()))?;
        let last = Instant::now() + self.patience;
        let mut told_to_authors = 0;
        loop {
            let bytes = match self.tells.recv_timeout(last.saturating_duration_since(Instant::now())) {
                Ok(told) => told?,
                Err(RecvTimeoutError::Timeout) => {
                    self.kill("");
                    return Err(Death::Starved);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(Death::Ended("it has ended".to_owned())),
            };
            match postcard::from_bytes(&bytes) {
                Ok(Reply::Crumb(file, hook, line)) => {
                    self.crumb = Some((file, hook, line));
                }
                Ok(Reply::Told(text, left_out)) => {
                    told_to_authors += bytes.len();
                    if told_to_authors > MOST_TOLD_TO_AUTHORS {
                        return Err(self.kill("it talks too much"));
                    }
                    if let Some(console) = &self.console {
                        console.take(check::lines(&text, left_out));
                    }
                }
                Ok(reply) => {
                    if matches!(reply, Reply::Fault { fatal: true, .. }) {
                        self.kill("");
                    }
                    return Ok(reply);
                }
                Err(_) => return Err(self.kill("it talks nonsense")),
            }
        }
    }

    /// Returns true if the output of extensions is read.
    pub(crate) fn tells_authors(&self) -> bool {
        self.console.is_some()
    }

    fn is_ours(&self) -> bool {
        self.host == std::process::id()
    }

    fn kill(&self, why: &'static str) -> Death {
        // In a fork another thread may have held the lock.
        if self.is_ours()
            && let Some(child) = self.child.lock().expect("nobody panics with it").as_mut()
        {
            let _ = child.kill();
        }
        Death::Killed(why)
    }

    /// Returns the memory that it holds, in kilobytes; 0 where the system does not tell.
    pub(crate) fn memory(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_ascii_whitespace().next()?.parse().ok()).unwrap_or(0)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.kill("");
    }
}

fn encoded(request: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(request).expect("everything we ask can be written")
}

/// A process, where it is asked, and where it answers.
type Spawned = (Child, Box<dyn Write + Send>, Box<dyn Read + Send>);

/// Starts a worker that is asked and answers through a socket: nothing it prints can be taken for an answer.
#[cfg(unix)]
fn spawn(program: &Path) -> std::io::Result<Spawned> {
    use std::os::{fd::OwnedFd, unix::net::UnixStream};
    let (ours, its) = UnixStream::pair()?;
    let child = command(program).stdin(OwnedFd::from(its)).stdout(Stdio::null()).spawn()?;
    Ok((child, Box::new(ours.try_clone()?), Box::new(ours)))
}

#[cfg(not(unix))]
fn spawn(program: &Path) -> std::io::Result<Spawned> {
    let mut child = command(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let input = child.stdin.take().ok_or_else(|| std::io::Error::other("no input"))?;
    let output = child.stdout.take().ok_or_else(|| std::io::Error::other("no output"))?;
    Ok((child, Box::new(input), Box::new(output)))
}

fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg(crate::WORKER).env_clear().current_dir(std::env::temp_dir()).stderr(Stdio::null());
    command
}

/// Carries requests to the worker and replies back, until either side ends; then sees the process off.
fn talk(
    asked: &Receiver<Vec<u8>>,
    tell: &Sender<Result<Vec<u8>, Death>>,
    mut input: Box<dyn Write + Send>,
    output: Box<dyn Read + Send>,
    child: &Mutex<Option<Child>>,
) {
    let mut output = BufReader::new(output);
    'requests: while let Ok(bytes) = asked.recv() {
        // A worker that has ended is found out by reading.
        let _ = write_bytes(&mut input, &bytes, MOST_ASKED).and_then(|()| input.flush());
        drop(bytes);
        loop {
            let Ok(reply) = read(&mut output, MOST_TOLD) else {
                let _ = tell.send(Err(Death::Ended(end(child))));
                break 'requests;
            };
            let last =
                !matches!(postcard::from_bytes::<Reply>(&reply), Ok(Reply::Crumb(..) | Reply::Told(..)));
            if tell.send(Ok(reply)).is_err() {
                break 'requests;
            }
            if last {
                break;
            }
        }
    }
    // Both ends of a socket, so that the worker is asked no more.
    drop((input, output));
    end(child);
}

/// Ends the process if it has not ended, and says how it did.
fn end(child: &Mutex<Option<Child>>) -> String {
    let Some(mut child) = child.lock().expect("nobody panics with it").take() else {
        return "it has ended".to_owned();
    };
    // Its output has ended, so it is about to; who lingers is helped.
    for _ in 0..20 {
        if let Ok(Some(status)) = child.try_wait() {
            return cause(status);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    child.wait().map_or_else(|why| why.to_string(), cause)
}

/// Describes the exit status of a process.
fn cause(status: std::process::ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return match signal {
            9 => KILLED.to_owned(),
            24 => "TimeLimit: too much CPU time".to_owned(),
            // Who has no memory or no stack left says so by calls that the filter forbids.
            6 | 7 | 11 | 31 => "Stopped: no memory was left, or the system was called".to_owned(),
            signal => format!("Ended: signal {signal}"),
        };
    }
    format!("Ended: {status}")
}

/// Allows a worker that many more seconds of CPU time.
fn limit_cpu(pid: u32, seconds: u64) {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let Some(used) = used_cpu(pid) else { return };
        let most = Some(used + seconds);
        if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
            // The system refuses to raise a hard limit; only the soft one is moved.
            let _ = prlimit(Some(pid), Resource::Cpu, Rlimit { current: most, maximum: None });
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (pid, seconds);
}

/// The CPU time of a process, in seconds, rounded up.
#[cfg(target_os = "linux")]
fn used_cpu(pid: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // Behind the name, which may hold anything: the fields from the third on.
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    // The system tells this in hundredths of a second, whatever its own clock does.
    Some((user + system) / 100 + 1)
}
