//! A program in a terminal of tmux.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The time for which a screen is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

static NEXT: AtomicU32 = AtomicU32::new(0);

/// One terminal; dropping it ends what runs there.
pub struct Pane {
    socket: String,
    /// Width in columns.
    pub width: usize,
    home: tempfile::TempDir,
}

impl Pane {
    /// Opens the program in a terminal of that size; `None`, with a message, where there is no tmux.
    pub fn open(args: &[&str], lang: &str, width: usize, height: usize) -> Option<Pane> {
        Pane::open_with(args, lang, "", width, height)
    }

    /// Opens it with variables of the environment, as `NAME=value`.
    pub fn open_with(
        args: &[&str],
        lang: &str,
        variables: &str,
        width: usize,
        height: usize,
    ) -> Option<Pane> {
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("not run here: there is no tmux (scripts/setup.sh test installs it)");
            return None;
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let socket = format!("qiguan-{}-{number}", std::process::id());
        let home = tempfile::tempdir().expect("a folder");
        let quoted: Vec<String> = args.iter().map(|arg| format!("'{arg}'")).collect();
        // What is left behind is seen, too: the exit status and how the terminal is set.
        let command = format!(
            "env -u NO_COLOR LC_ALL={lang} LANG={lang} XDG_DATA_HOME='{}' {variables} {} {}; echo \"left with $?\"; stty -a; exec sleep 100",
            home.path().display(),
            env!("CARGO_BIN_EXE_qiguan"),
            quoted.join(" ")
        );
        let pane = Pane { socket, width, home };
        let (columns, rows) = (width.to_string(), height.to_string());
        let config = pane.home.path().join("tmux.conf");
        std::fs::write(
            &config,
            "set -g default-terminal screen-256color\nset -g status off\nset -s escape-time 0\n",
        )
        .expect("written");
        let config = config.display().to_string();
        pane.tmux(&["-u", "-f", &config, "new-session", "-d", "-x", &columns, "-y", &rows, &command]);
        Some(pane)
    }

    fn tmux(&self, args: &[&str]) -> String {
        // A locale that exists everywhere and is UTF-8.
        let mut command = Command::new("tmux");
        command.arg("-L").arg(&self.socket).args(args).env("LC_ALL", "C.UTF-8").env_remove("TMUX");
        let output = command.output().expect("tmux runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Presses keys, by tmux's names for them.
    pub fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Types `text` literally; key names such as `Enter` are typed as letters.
    pub fn type_text(&self, text: &str) {
        self.tmux(&["send-keys", "-l", text]);
    }

    /// Returns a file of that name that goes when the terminal does.
    pub fn file(&self, name: &str) -> String {
        self.home.path().join(name).display().to_string()
    }

    /// Sends the program a signal.
    pub fn signal(&self, signal: &str) {
        let shell = self.tmux(&["list-panes", "-F", "#{pane_pid}"]);
        let children = Command::new("pgrep").args(["-P", shell.trim()]).output().expect("pgrep runs");
        let child = String::from_utf8_lossy(&children.stdout).trim().to_owned();
        let sent = Command::new("kill").args([&format!("-{signal}"), &child]).status().expect("kill runs");
        assert!(sent.success(), "the program {child:?} runs");
    }

    pub fn resize(&mut self, width: usize, height: usize) {
        self.width = width;
        self.tmux(&["resize-window", "-x", &width.to_string(), "-y", &height.to_string()]);
    }

    /// Returns the rows of the screen, without spaces at their ends.
    pub fn text(&self) -> String {
        let text = self.tmux(&["capture-pane", "-p"]);
        text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    /// Waits until the screen is as wished, and stays so for a moment; returns it.
    pub fn wait(&self, wished: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let text = self.text();
            std::thread::sleep(Duration::from_millis(60));
            if wished(&text) && self.text() == text {
                return text;
            }
            assert!(Instant::now() < until, "waited in vain; the screen is\n{text}");
        }
    }

    /// Compares a whole screen with one that a person has checked.
    pub fn golden(&self, name: &str, text: &str) {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/terminal");
        let path = folder.join(format!("{name}.txt"));
        if std::env::var_os("QIGUAN_BLESS").is_some() {
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(&path, text).expect("written");
        }
        let wanted = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(wanted == text, "{name} has changed; it is now\n{text}\nand was\n{wanted}");
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
