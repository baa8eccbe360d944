//! A hall of the built program, on a free port. It dies with its owner. `QIGUAN_BINARY`: of another build.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use wire::{ClockSpec, CreateTable, How, Side};

/// Returns a table of that game on one screen, without clocks.
#[expect(clippy::allow_attributes, reason = "not every test asks")]
#[allow(dead_code, reason = "not every test asks")]
pub fn on_one_screen(game: &str, map: Option<&str>) -> CreateTable {
    CreateTable {
        game: game.to_owned(),
        options: std::collections::BTreeMap::new(),
        map: map.map(str::to_owned),
        fen: None,
        how: How::Screen,
        room: None,
        clock: ClockSpec::None,
        side: Some(Side::First),
        opponent: None,
        rated: false,
    }
}

/// The running program.
pub struct Hall {
    child: Child,
    /// The address of the hall, without a slash at the end.
    pub url: String,
    // What it says when it closes wants a reader.
    _words: BufReader<ChildStdout>,
}

impl Hall {
    /// Starts a hall and returns as soon as it is open.
    #[expect(clippy::allow_attributes, reason = "not every test asks")]
    #[allow(dead_code, reason = "not every test asks")]
    pub fn start(data: &Path) -> Hall {
        Hall::start_with(data, &[])
    }

    /// Starts a hall with further options on its command line.
    pub fn start_with(data: &Path, words: &[&str]) -> Hall {
        let built = std::env::var_os("QIGUAN_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_qiguan").into());
        let child = Command::new(built)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .args(words)
            .env("LANG", "en_US.UTF-8")
            .env("RUST_LOG", "error")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.expect("the program was built with this test");
        let mut words = BufReader::new(child.stdout.take().expect("is piped"));
        let mut line = String::new();
        words.read_line(&mut line).expect("says where it is");
        let url = line.split_whitespace().last().filter(|word| word.starts_with("http://"));
        let url = url.unwrap_or_else(|| panic!("it did not open: {line}")).to_owned();
        Hall { child, url, _words: words }
    }

    /// Returns true if the process still runs.
    #[expect(clippy::allow_attributes, reason = "not every test asks")]
    #[allow(dead_code, reason = "not every test asks")]
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Limits the size of files it can write to `most` bytes, or removes the limit.
    #[cfg(target_os = "linux")]
    #[expect(clippy::allow_attributes, reason = "not every test asks")]
    #[allow(dead_code, reason = "not every test asks")]
    pub fn limit_files(&self, most: Option<u64>) {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let id = Pid::from_child(&self.child);
        prlimit(Some(id), Resource::Fsize, Rlimit { current: most, maximum: None }).expect("is ours");
    }

    /// Returns the memory of the process itself, in kilobytes.
    #[expect(clippy::allow_attributes, reason = "not every test asks")]
    #[allow(dead_code, reason = "not every test asks")]
    pub fn memory(&self) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.split_ascii_whitespace().next().and_then(|number| number.parse().ok()).expect("a number")
    }

    /// Returns the number of its child processes that still run.
    #[expect(clippy::allow_attributes, reason = "not every test asks")]
    #[allow(dead_code, reason = "not every test asks")]
    pub fn children(&self) -> usize {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("it runs");
        let of = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("children"));
        let lists = tasks.flatten().filter_map(|task| of(task).ok());
        lists.map(|list| list.split_ascii_whitespace().count()).sum()
    }

    /// Kills the process with SIGKILL and waits until it is gone.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.kill();
    }
}
