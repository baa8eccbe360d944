//! Faults of a hall besides SIGKILL: it is frozen, its disk is slow or full, its write-ahead log is damaged.
//!
//! Disks are made slow and full by `strace`, which answers system calls on the database's files in the kernel's place.
//! Where there is none, or where it may not attach itself, those faults are counted as skipped.

use std::fmt;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use kernel::laws::Random;
use rustix::process::{Pid, Signal, kill_process};
use store::{Store, tip};
use table::{Entry, Event};

/// The number of times that each fault happened.
#[derive(Default)]
pub struct Faults {
    kills: u32,
    frozen: u32,
    slow: u32,
    full: u32,
    damaged: u32,
    /// The number of damaged logs that had lost something acknowledged, all of which were refused.
    lost: u32,
    skipped: u32,
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Faults { kills, frozen, slow, full, damaged, lost, skipped } = self;
        write!(
            f,
            "{kills} kills; {frozen} freezes, {slow} times a slow disk, {full} times a full one, {damaged} damaged logs \
             ({lost} with losses, all of them said), {skipped} faults skipped"
        )
    }
}

impl Faults {
    /// Lets the hall run for a moment, in which something may happen to it.
    pub async fn trouble(&mut self, hall: u32, data: &Path, random: &mut Random) {
        let pid = i32::try_from(hall).ok().and_then(Pid::from_raw).expect("a process");
        match random.below(10) {
            0 | 1 => {
                self.frozen += 1;
                pause(random).await;
                let _ = kill_process(pid, Signal::STOP);
                tokio::time::sleep(Duration::from_millis(20 + random.below(1500) as u64)).await;
                // Now and then it is killed as it stands.
                if random.below(3) > 0 {
                    let _ = kill_process(pid, Signal::CONT);
                    pause(random).await;
                }
            }
            2 => {
                let micros = 1000 * (5 + random.below(300));
                let slow = format!("inject=fsync,fdatasync:delay_exit={micros}");
                self.slow += u32::from(self.by_strace(hall, data, &slow, random).await);
            }
            3 => {
                let full = "inject=pwrite64,write,ftruncate,fallocate:error=ENOSPC";
                self.full += u32::from(self.by_strace(hall, data, full, random).await);
            }
            _ => pause(random).await,
        }
    }

    pub fn killed(&mut self) {
        self.kills += 1;
    }

    /// Injects a fault by `strace`; returns true if that was possible.
    async fn by_strace(&mut self, hall: u32, data: &Path, inject: &str, random: &mut Random) -> bool {
        pause(random).await;
        let Some(mut strace) = Strace::attach(hall, data, inject).await else {
            self.skipped += 1;
            return false;
        };
        for _ in 0..3 {
            pause(random).await;
        }
        // Now and then the trouble is over before the hall is.
        if random.below(2) == 0 {
            strace.detach();
            pause(random).await;
        }
        true
    }

    /// Damages a copy of the files of a killed hall. Either the hall reports it and does not open, or everything
    /// acknowledged is there. Returns what is wrong.
    pub async fn damage(&mut self, data: &Path, tables: &[String], random: &mut Random) -> Option<String> {
        let [whole, damaged] = [copy(data), copy(data)];
        let how = spoil(&damaged.path().join("hall.db-wal"), random)?;
        self.damaged += 1;
        // The hall may have been killed after its last commit and before anybody was told of that.
        let told = tip::read(data).expect("reads").map_or(0, |tip| tip.commits);
        let stored = store::check(whole.path(), None).await.expect("what SIGKILL leaves is whole").commits;
        let untold = usize::from(stored == told + 1);
        let (opened, words) = opens(damaged.path()).await;
        let before = logs(whole.path(), tables).await.expect("what SIGKILL leaves is whole");
        if opened {
            // The hall may have added to them: that it was away. A table waits for its store, so that a commit has one
            // entry of it at most.
            let after = logs(damaged.path(), tables).await.unwrap_or_default();
            let is_whole = |(after, before): (&Vec<Entry>, &Vec<Entry>)| {
                after.starts_with(&before[..before.len().saturating_sub(untold)])
            };
            let whole = after.len() == before.len() && after.iter().zip(&before).all(is_whole);
            return (!whole).then(|| {
                format!("log {how}: the hall opened in silence on other logs ({stored} commits, {told} told)")
            });
        }
        self.lost += 1;
        if !words.contains("hall.db") || !words.contains("qiguan admin") {
            return Some(format!("log {how}: the hall says neither what is damaged nor what to do: {words}"));
        }
        // A keeper who accepts the damage gets the beginnings of the logs, or is told which of them cannot be
        // read.
        let accepted = qiguan(&["admin", "accept-damage"], damaged.path());
        // Where the database itself is no longer whole, that is said again: only a backup helps.
        let only_backup = |why: &str| why.contains("qiguan admin restore");
        if !accepted.0 && only_backup(&accepted.1) {
            return None;
        }
        if !accepted.0 {
            return Some(format!("log {how}: the damage cannot be accepted: {}", accepted.1));
        }
        let after = match logs(damaged.path(), tables).await {
            Ok(after) => after,
            Err(why) if only_backup(&why) => return None,
            Err(why) => return Some(format!("log {how}: after accepting: {why}")),
        };
        let is_beginning = |(after, before): (&Vec<Entry>, &Vec<Entry>)| before.starts_with(after);
        let begins = after.len() <= before.len() && after.iter().zip(&before).all(is_beginning);
        (!begins).then(|| format!("log {how}: what is left is not a beginning of what was"))
    }
}

/// Waits for a random time: mostly long enough for some moves, sometimes hardly for the start.
pub async fn pause(random: &mut Random) {
    let ms = match random.below(10) {
        0 => 0,
        1 | 2 => random.below(60),
        3..8 => 100 + random.below(300),
        _ => 400 + random.below(500),
    };
    tokio::time::sleep(Duration::from_millis(ms as u64)).await;
}

/// A tracer that answers system calls on the files of the store. It lets go when it is dropped.
struct Strace(Child);

impl Strace {
    async fn attach(hall: u32, data: &Path, inject: &str) -> Option<Strace> {
        let mut command = Command::new("strace");
        command.args(["-f", "-q", "-o", "/dev/null", "-e", inject]);
        for name in ["hall.db", "hall.db-wal", "hall.tip"] {
            command.arg("-P").arg(data.join(name));
        }
        command.args(["-p", &hall.to_string()]).stdin(Stdio::null()).stderr(Stdio::null());
        let mut strace = Strace(command.spawn().ok()?);
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(5) {
            let status = fs::read_to_string(format!("/proc/{hall}/status")).unwrap_or_default();
            if status.lines().any(|line| line.strip_prefix("TracerPid:").is_some_and(|id| id.trim() != "0")) {
                return Some(strace);
            }
            if !matches!(strace.0.try_wait(), Ok(None)) {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        None
    }

    /// Ends the tracer by SIGTERM, on which it lets go of the hall. After SIGKILL the hall might stay stopped.
    fn detach(&mut self) {
        let pid = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw).expect("a process");
        let _ = kill_process(pid, Signal::TERM);
        let _ = self.0.wait();
    }
}

impl Drop for Strace {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            self.detach();
        }
    }
}

fn copy(data: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for file in fs::read_dir(data).expect("the data") {
        let file = file.expect("a file");
        // SQLite creates the file shared between processes again.
        if file.file_type().expect("a type").is_file() && file.file_name() != "hall.db-shm" {
            fs::copy(file.path(), folder.path().join(file.file_name())).expect("copies");
        }
    }
    folder
}

/// Damages the log; returns a description, or `None` when there is nothing to damage.
fn spoil(log: &PathBuf, random: &mut Random) -> Option<&'static str> {
    let mut bytes = fs::read(log).ok().filter(|bytes| bytes.len() > 32)?;
    let at = random.below(bytes.len());
    let how = match random.below(5) {
        0 => {
            bytes.clear();
            "emptied"
        }
        1 => {
            fs::remove_file(log).expect("deletes");
            return Some("deleted");
        }
        2 => {
            bytes.truncate(at);
            "torn"
        }
        // Where the newest commits are.
        3 => {
            let end = bytes.len();
            bytes.truncate(end - 1 - random.below(end.min(10_000) - 1));
            "torn at its end"
        }
        _ => {
            bytes[at] ^= 1 << random.below(8);
            "with a flipped bit"
        }
    };
    fs::write(log, bytes).expect("writes");
    Some(how)
}

/// Opens a hall on that folder; returns true if it opens, and its output if not.
async fn opens(data: &Path) -> (bool, String) {
    let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address: SocketAddr = socket.local_addr().expect("an address");
    drop(socket);
    let mut hall = Command::new(env!("CARGO_BIN_EXE_qiguan"))
        .args(["serve", "--listen", &address.to_string(), "--data"])
        .arg(data)
        .env("LANG", "en_US.UTF-8")
        .env("RUST_LOG", "error")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program was built with this test");
    let begun = Instant::now();
    let opened = loop {
        if client::Guest::enter(&format!("http://{address}")).await.is_ok() {
            break true;
        }
        if !matches!(hall.try_wait(), Ok(None)) {
            break false;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "it neither opens nor ends");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let _ = hall.kill();
    let output = hall.wait_with_output().expect("it has ended");
    let words = [&output.stdout[..], &output.stderr].concat();
    (opened, String::from_utf8_lossy(&words).into_owned())
}

fn qiguan(args: &[&str], data: &Path) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
    command.args(args).arg("--data").arg(data).env("LANG", "en_US.UTF-8").env("RUST_LOG", "error");
    let output = command.output().expect("the program was built with this test");
    let words = [&output.stdout[..], &output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&words).into_owned())
}

/// Returns the logs of these tables and of the rematches that followed.
async fn logs(data: &Path, tables: &[String]) -> Result<Vec<Vec<Entry>>, String> {
    let store = Store::open(data).await.map_err(|why| why.to_string())?;
    let mut logs = Vec::new();
    for first in tables {
        let mut id = first.clone();
        let mut one = Vec::new();
        loop {
            let Some(stored) = store.logs.load(&id).await.map_err(|why| why.to_string())? else { break };
            let next = stored.log.iter().find_map(|entry| match &entry.event {
                Event::Rematch { table } => Some(table.clone()),
                _ => None,
            });
            one.extend(stored.log);
            match next {
                Some(next) => id = next,
                None => break,
            }
        }
        logs.push(one);
    }
    store.condition.close().await;
    Ok(logs)
}
