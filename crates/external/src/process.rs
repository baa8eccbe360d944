//! A running program: lines in, lines out, and a limit on every wait.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use kernel::Problem;

use super::scratch::Scratch;
use super::watch::{Allowance, Watch};
use super::{Config, Protocol};

/// The longest line read, in bytes; a longer one counts as a flood.
const MOST_LINE: u64 = 64 << 10;
/// The most bytes read for one request.
const MOST_BYTES: usize = 64 << 20;
/// The capacity of the queues of lines to be read and to be written; a full queue blocks its writer.
const WAITING: usize = 256;
/// The number of bytes kept of its standard error.
const LAST_WORDS: usize = 400;
/// The placeholder for the port in a command.
const PORT: &str = "{port}";
/// The polling interval of waits.
const GLANCE: Duration = Duration::from_millis(5);

/// The launcher that starts programs inside a fence: our own program, as `qiguan confined …`. Without it, programs
/// run unconfined.
#[derive(Clone, Debug, Default)]
pub struct Fence {
    /// The path of the launcher; `None`: no fence.
    pub program: Option<PathBuf>,
    /// The amount by which the scheduling priority of engines is lowered (`nice`), from 0 to 19.
    pub nice: u8,
}

/// A started program. It is killed when this is dropped.
pub(crate) struct Process {
    name: String,
    child: Child,
    to: SyncSender<String>,
    from: Receiver<ProgramOutput>,
    errors: Arc<Mutex<String>>,
    heard: usize,
    /// The port on which it listens, if its protocol uses one; else 0.
    port: u16,
    /// Its standard input after the switch to a TCP connection; it is kept open.
    console: Option<SyncSender<String>>,
    /// The watch over its resources, when it has a fence.
    watch: Option<Watch>,
    /// Its folder for temporary files, when it has a fence. Removed after the process has ended.
    scratch: Option<Scratch>,
}

/// The output of a program: a line or a message, or more than may come at once.
enum ProgramOutput {
    Line(String),
    Flood,
}

/// The prefix of the environment variables that are meant for `qiguan` itself.
const OURS: &str = "QIGUAN_";

impl Process {
    /// Starts a program. `table`: the size of its hash table in MiB, which counts for its memory limit.
    pub(crate) fn start(config: &Config, fence: &Fence, table: usize) -> Result<Process, Problem> {
        let refused = |why: &dyn std::fmt::Display| {
            Problem::new("engine-not-started").with("name", &config.name).with("text", why)
        };
        let port = port(config).map_err(|why| refused(&why))?;
        let guard = fence.program.as_ref().filter(|_| !config.unconfined);
        let scratch = guard.map(|_| Scratch::new()).transpose().map_err(|why| refused(&why))?;
        let mut words = words(config, port);
        if let (Some(program), Some(scratch)) = (guard, &scratch) {
            let launched = launcher(config, fence.nice, port, scratch, table);
            words = std::iter::once(program.into()).chain(launched).chain(words).collect();
        }
        let (program, arguments) = words.split_first().ok_or_else(|| refused(&"no command"))?;
        let file = program.to_str().and_then(find).unwrap_or_else(|| program.into());
        let mut command = Command::new(file);
        command.args(arguments).current_dir(&config.folder);
        if guard.is_none() {
            // For the others the launcher does it. What the hall was told, such as where its data are, is its own.
            for (name, _) in std::env::vars_os() {
                if name.to_string_lossy().starts_with(OURS) {
                    command.env_remove(name);
                }
            }
            command.envs(&config.environment);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (to, said) = sync_channel(WAITING);
        let mut child = spawn(command, said).map_err(|why| refused(&why))?;
        let missing = "was asked for";
        let stdout = child.stdout.take().expect(missing);
        let stderr = child.stderr.take().expect(missing);
        let errors = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&errors);
        thread::spawn(move || keep_last_words(stderr, &kept));
        let (heard, from) = sync_channel(WAITING);
        thread::spawn(move || read_lines(stdout, &heard));
        let watch = scratch.as_ref().map(|scratch| {
            let most = Allowance { memory_mb: config.most_memory(table), processes: config.processes };
            Watch::start(child.id(), most, scratch.path(), config.threads())
        });
        let name = config.name.clone();
        Ok(Process { name, child, to, from, errors, heard: 0, port, console: None, watch, scratch })
    }

    /// Connects to the program's port and retries until `until`. From then on messages go over that connection; each
    /// ends with a zero byte and has at most `most` bytes before it. Its standard output is read and discarded.
    pub(crate) fn call(&mut self, until: Instant, most: usize) -> Result<(), Problem> {
        let stream = loop {
            if let Ok(stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)) {
                break stream;
            }
            // A program that has ended will not be there later, either.
            if self.child.try_wait().ok().flatten().is_some() {
                return Err(self.died());
            }
            if Instant::now() >= until {
                return Err(self.problem("engine-hangs"));
            }
            thread::sleep(GLANCE);
        };
        let not_started = |why: std::io::Error| self.problem("engine-not-started").with("text", why);
        stream.set_nodelay(true).map_err(not_started)?;
        let input = stream.try_clone().map_err(not_started)?;
        let (heard, from) = sync_channel(WAITING);
        let (to, said) = sync_channel(WAITING);
        thread::spawn(move || read_messages(input, most, &heard));
        thread::spawn(move || write_messages(stream, &said));
        self.console = Some(std::mem::replace(&mut self.to, to));
        let output = std::mem::replace(&mut self.from, from);
        thread::spawn(move || output.iter().for_each(drop));
        Ok(())
    }

    /// Writes one or more lines to the program. A program that does not read its input counts as hung.
    pub(crate) fn say(&mut self, line: impl Into<String>) -> Result<(), Problem> {
        match self.to.try_send(line.into()) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(self.problem("engine-hangs")),
            Err(TrySendError::Disconnected(_)) => Err(self.died()),
        }
    }

    /// Starts the next request, to be answered with `threads` threads: the counters of output and processor time
    /// start again.
    pub(crate) fn begin(&mut self, threads: u32) {
        self.heard = 0;
        if let Some(watch) = &self.watch {
            watch.thinks(threads);
        }
    }

    /// Ends a request: until the next one the program should be idle.
    pub(crate) fn rest(&self) {
        if let Some(watch) = &self.watch {
            watch.rests();
        }
    }

    /// Returns true if the program was killed because it exceeded a limit.
    pub(crate) fn is_over_its_limit(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.verdict().is_some())
    }

    /// Returns the next line, or `None` when `until` has come or `glance`, which is polled meanwhile, returns true.
    pub(crate) fn hear(
        &mut self,
        until: Option<Instant>,
        glance: &dyn Fn() -> bool,
    ) -> Result<Option<String>, Problem> {
        loop {
            match self.from.recv_timeout(GLANCE) {
                Ok(ProgramOutput::Line(line)) => {
                    // A line is work, however short.
                    self.heard += line.len() + 64;
                    if self.heard > MOST_BYTES {
                        return Err(self.problem("engine-flood"));
                    }
                    return Ok(Some(line));
                }
                Ok(ProgramOutput::Flood) => return Err(self.problem("engine-flood")),
                Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if glance() || until.is_some_and(|until| Instant::now() >= until) {
                return Ok(None);
            }
        }
    }

    pub(crate) fn problem(&self, key: &'static str) -> Problem {
        Problem::new(key).with("name", &self.name)
    }

    /// Returns the id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    fn died(&mut self) -> Problem {
        // It closed its output; what it said on standard error and how it ended may come a moment later.
        thread::sleep(Duration::from_millis(20));
        let status = self.child.try_wait().ok().flatten().map(|s| s.to_string()).unwrap_or_default();
        if let Some(excess) = self.watch.as_ref().and_then(Watch::verdict) {
            return self.problem("engine-over-limit").with("what", excess.key());
        }
        let words = self.errors.lock().map(|words| words.clone()).unwrap_or_default();
        // What the fence says about it, and its own last line.
        let mut lines: Vec<&str> = words.trim().lines().collect();
        let last = lines.pop().unwrap_or_default();
        lines.retain(|line| line.starts_with("qiguan: "));
        lines.push(last);
        let last = lines.join(" ");
        self.problem("engine-died").with("text", format!("{status} {last}").trim())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(watch) = self.watch.take() {
            // And whatever it has started.
            watch.end();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        drop(self.scratch.take());
    }
}

/// Returns the port that the program is to listen on; 0 for protocols without one.
fn port(config: &Config) -> std::io::Result<u16> {
    if config.protocol != Protocol::Dxp {
        return Ok(0);
    }
    if !config.command.iter().any(|word| word.contains(PORT)) {
        return Ok(config.port);
    }
    // It is free now. If another program takes it in between, that is noticed: two programs cannot listen on
    // one port.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

/// Returns the command of the configuration, with the port in place of `{port}`.
fn words(config: &Config, port: u16) -> Vec<OsString> {
    let with_port = |word: &String| match port {
        0 => word.clone(),
        port => word.replace(PORT, &port.to_string()),
    };
    config.command.iter().map(with_port).map(OsString::from).collect()
}

/// Returns the arguments of the launcher, up to the engine's command.
fn launcher(config: &Config, nice: u8, port: u16, scratch: &Scratch, table: usize) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["confined".into()];
    let mut say = |name: &str, value: &dyn AsRef<OsStr>| words.extend([name.into(), value.as_ref().into()]);
    say("--folder", &config.folder);
    config.reads.iter().for_each(|path| say("--reads", path));
    config.writes.iter().for_each(|path| say("--writes", path));
    say("--temporary", &scratch.path());
    say("--memory-mb", &config.most_memory(table).to_string());
    say("--processes", &config.processes.to_string());
    say("--nice", &nice.to_string());
    say("--parent", &std::process::id().to_string());
    if let Some(user) = config.user {
        say("--user", &user.to_string());
    }
    if port > 0 {
        say("--port", &port.to_string());
    }
    for (name, value) in &config.environment {
        say("--environment", &format!("{name}={value}"));
    }
    words.push("--".into());
    words
}

/// Starts the program from a thread that also writes its input until the end: the parent-death signal follows the
/// thread that started the program.
fn spawn(mut command: Command, said: Receiver<String>) -> std::io::Result<Child> {
    let (started, start) = sync_channel(1);
    thread::spawn(move || match command.spawn() {
        Ok(mut child) => {
            let stdin = child.stdin.take();
            if started.send(Ok(child)).is_ok()
                && let Some(stdin) = stdin
            {
                write_lines(stdin, &said);
            }
        }
        Err(why) => {
            // Fails if the caller has stopped waiting, which does no harm.
            let _ = started.send(Err(why));
        }
    });
    start.recv().unwrap_or_else(|_| Err(std::io::Error::other("the thread that starts it has ended")))
}

fn read_lines(from: impl Read, to: &SyncSender<ProgramOutput>) {
    let mut from = BufReader::new(from);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match from.by_ref().take(MOST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) if bytes.len() as u64 == MOST_LINE && bytes.last() != Some(&b'\n') => {
                let _ = to.send(ProgramOutput::Flood);
                return;
            }
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        if to.send(ProgramOutput::Line(line)).is_err() {
            return;
        }
    }
}

fn read_messages(from: impl Read, most: usize, to: &SyncSender<ProgramOutput>) {
    let mut from = BufReader::new(from);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let heard = match from.by_ref().take(most as u64 + 1).read_until(0, &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) if bytes.pop() == Some(0) => {
                ProgramOutput::Line(String::from_utf8_lossy(&bytes).into_owned())
            }
            Ok(_) => ProgramOutput::Flood,
        };
        if to.send(heard).is_err() {
            return;
        }
    }
}

fn write_messages(mut to: TcpStream, from: &Receiver<String>) {
    while let Ok(message) = from.recv() {
        if to.write_all(message.as_bytes()).and_then(|()| to.write_all(&[0])).is_err() {
            return;
        }
    }
    // The other thread still holds the connection: it shall hear the end.
    let _ = to.shutdown(Shutdown::Both);
}

fn write_lines(mut to: impl Write, from: &Receiver<String>) {
    while let Ok(line) = from.recv() {
        if to.write_all(line.as_bytes()).and_then(|()| to.write_all(b"\n")).and_then(|()| to.flush()).is_err()
        {
            return;
        }
    }
}

fn keep_last_words(mut from: impl Read, kept: &Mutex<String>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        let Ok(mut kept) = kept.lock() else { return };
        kept.push_str(&String::from_utf8_lossy(&bytes[..count]));
        let excess = kept.len().saturating_sub(LAST_WORDS);
        if let Some(cut) = (excess..kept.len()).find(|&i| kept.is_char_boundary(i)) {
            kept.drain(..cut);
        }
    }
}

/// The additional search folders for programs: Debian installs games there.
const ALSO: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Returns the path of a program: itself when its name has a `/`, else the first match on `PATH` or in the folders of
/// games.
pub(super) fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return std::path::Path::new(program).canonicalize().ok();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(ALSO.map(PathBuf::from));
    folders.map(|folder| folder.join(program)).find(|file| file.is_file())
}
