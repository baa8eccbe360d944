//! A hall of the built program, on a free port. It dies with its owner. `QIGUAN_BINARY`: of another build.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// The running program.
pub struct Hall {
    child: Child,
    /// Where it is, without a slash at the end.
    pub url: String,
    // What it says when it closes wants a reader.
    _words: BufReader<ChildStdout>,
}

impl Hall {
    /// Returns as soon as it says that it is open.
    pub fn start(data: &Path) -> Hall {
        let built = std::env::var_os("QIGUAN_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_qiguan").into());
        let child = Command::new(built)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
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

    /// Whether it still runs.
    #[expect(clippy::allow_attributes, reason = "not every test asks")]
    #[allow(dead_code, reason = "not every test asks")]
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Its memory, in MB; 0 where the system does not say.
    #[expect(clippy::allow_attributes, reason = "not every test asks")]
    #[allow(dead_code, reason = "not every test asks")]
    pub fn megabytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.split_whitespace().next().and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) / 1024
    }

    /// SIGKILL.
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
