//! The file that names foreign engines.
//!
//! ```toml
//! [[engine]]
//! name = "Pikafish"
//! command = ["/opt/pikafish/pikafish"]
//! folder = "/opt/pikafish"
//! protocol = "uci"
//! games = ["xiangqi"]
//! [engine.options]
//! Threads = 1
//! EvalFile = "pikafish.nnue"
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kernel::Problem;
use serde::Deserialize;

/// The longest file read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Memory of an engine beside its table, in MiB.
pub const MEMORY_MB: u64 = 4096;
/// The most further processes a file may allow an engine.
const MOST_PROCESSES: u32 = 256;

/// What an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// UCI, for xiangqi as Pikafish and Fairy-Stockfish have it, and for every game of ours.
    Uci,
    /// UCI-Cyclone, for xiangqi.
    Cyclone,
    /// UCCI, for xiangqi.
    Ucci,
    /// Hub, for draughts.
    Hub,
    /// The older Hub, for draughts (Scan 2).
    Hub1,
    /// Gomocup's, for gomoku and renju.
    Gomocup,
    /// DXP, for draughts on 10x10: the program waits on a port.
    Dxp,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 7] = [
        Protocol::Uci,
        Protocol::Cyclone,
        Protocol::Ucci,
        Protocol::Hub,
        Protocol::Hub1,
        Protocol::Gomocup,
        Protocol::Dxp,
    ];

    /// `uci`, `cyclone`, `ucci`, `hub`, `hub1`, `gomocup` or `dxp`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Cyclone => "cyclone",
            Protocol::Ucci => "ucci",
            Protocol::Hub => "hub",
            Protocol::Hub1 => "hub1",
            Protocol::Gomocup => "gomocup",
            Protocol::Dxp => "dxp",
        }
    }

    /// The protocol with that key.
    #[must_use]
    pub fn keyed(key: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|protocol| protocol.key() == key)
    }

    /// Whether games of that family can be played over it.
    #[must_use]
    pub fn plays(self, family: &str) -> bool {
        match self {
            Protocol::Uci => true,
            Protocol::Cyclone | Protocol::Ucci => family == "xiangqi",
            Protocol::Hub | Protocol::Hub1 | Protocol::Dxp => family == "draughts",
            Protocol::Gomocup => family == "gomoku",
        }
    }

    /// What engines for games of that family usually speak.
    #[must_use]
    pub fn usual(family: &str) -> Protocol {
        match family {
            "draughts" => Protocol::Hub,
            "gomoku" => Protocol::Gomocup,
            _ => Protocol::Uci,
        }
    }
}

/// A foreign engine.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// What people call it.
    pub name: String,
    /// The program and its arguments. A program without a `/` is looked for where programs are.
    pub command: Vec<String>,
    /// Where it starts and may read; the folder of the file when it is not said. Relative ones begin there, too.
    #[serde(default)]
    pub folder: PathBuf,
    /// Other files and folders that it may read.
    #[serde(default)]
    pub reads: Vec<PathBuf>,
    /// Files and folders that it may write, beside a private folder for temporary files; relative ones begin in its folder.
    #[serde(default)]
    pub writes: Vec<PathBuf>,
    /// The most memory of a process, in MiB of address space; else [`MEMORY_MB`] and twice its table.
    #[serde(default)]
    pub memory_mb: Option<u64>,
    /// How many further processes it may have at a time. Threads are free; a wrapper script that ends with `exec` needs none.
    #[serde(default)]
    pub processes: u32,
    /// How many threads it thinks with, and so how many processors it may keep busy; else what its option `Threads` says, or 1.
    #[serde(default)]
    pub threads: Option<u32>,
    /// The number of the user that it runs as where the hall is root; 0: root, too. Else `nobody`.
    #[serde(default)]
    pub user: Option<u32>,
    /// Environment variables that it finds, beside `PATH`, `LANG`, `HOME` and `TMPDIR`.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// What it speaks.
    pub protocol: Protocol,
    /// The games it may be asked for: keys, or families such as `draughts`. Empty: all of its protocol.
    #[serde(default)]
    pub games: Vec<String>,
    /// Its settings, by the names it gives them.
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
    /// Lines that it is told on its standard input at once, whatever its protocol.
    #[serde(default)]
    pub says: Vec<String>,
    /// The port that a program of DXP waits on, unless its command has `{port}` in it: then it is given a free one.
    #[serde(default = "usual_port")]
    pub port: u16,
    /// How long it may take to start, in milliseconds.
    #[serde(default = "usual_start")]
    pub start_ms: u64,
    /// How long beyond its time it may go on before it is taken for hung, in milliseconds.
    #[serde(default = "usual_patience")]
    pub patience_ms: u64,
    /// Runs it outside the fence; for engines that need more than their folder.
    #[serde(default)]
    pub unconfined: bool,
}

/// A setting as a file has it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// `true`
    Flag(bool),
    /// `64`
    Whole(i64),
    /// `0.5`
    Real(f64),
    /// `"normal"`
    Text(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Flag(flag) => flag.fmt(f),
            Value::Whole(number) => number.fmt(f),
            Value::Real(number) => number.fmt(f),
            Value::Text(text) => text.fmt(f),
        }
    }
}

const fn usual_port() -> u16 {
    protocol::dxp::PORT
}

const fn usual_start() -> u64 {
    10_000
}

const fn usual_patience() -> u64 {
    5_000
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    engine: Vec<Config>,
}

impl Config {
    /// The engine that is started by that command line and was written down nowhere. It lives where we do.
    #[must_use]
    pub fn of_command(protocol: Protocol, command: &str) -> Config {
        let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let program = command.first().cloned().unwrap_or_default();
        let name =
            Path::new(&program).file_name().map_or(program.clone(), |n| n.to_string_lossy().into_owned());
        Config {
            name,
            command,
            folder: PathBuf::from("."),
            reads: Vec::new(),
            writes: Vec::new(),
            memory_mb: None,
            processes: 0,
            threads: None,
            user: None,
            environment: BTreeMap::new(),
            protocol,
            games: Vec::new(),
            options: BTreeMap::new(),
            says: Vec::new(),
            port: usual_port(),
            start_ms: usual_start(),
            patience_ms: usual_patience(),
            unconfined: false,
        }
    }

    /// Whether it may be asked for that game.
    #[must_use]
    pub fn plays(&self, key: &str) -> bool {
        let family = key.split('/').next().unwrap_or_default();
        let listed = self.games.is_empty() || self.games.iter().any(|game| game == key || game == family);
        listed && self.protocol.plays(family)
    }

    /// The most address space of a process in MiB, when its table is of so many.
    pub(crate) fn most_memory(&self, table: usize) -> u64 {
        let table = self.number("hash").or(self.number("hashsize")).unwrap_or(0).max(table as u64);
        self.memory_mb.unwrap_or_else(|| MEMORY_MB.saturating_add(table.saturating_mul(2)))
    }

    /// How many threads it may think with; 1 when nothing says so.
    pub(crate) fn threads(&self) -> u32 {
        let own = self.threads.map(u64::from);
        let told = own.or(self.number("threads")).or(self.number("thread_num")).unwrap_or(1);
        u32::try_from(told.clamp(1, 1024)).expect("at most 1024")
    }

    fn number(&self, option: &str) -> Option<u64> {
        let found = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case(option))?;
        match found.1 {
            Value::Whole(number) => u64::try_from(*number).ok(),
            _ => None,
        }
    }

    /// Whether the fence lets it read something in that folder, or the folder itself: what a hall keeps must not be there.
    #[must_use]
    pub fn sees(&self, folder: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let wanted = real(folder);
        let program = self.command.first().and_then(|program| super::process::find(program));
        let home = program.as_deref().and_then(Path::parent).map(Path::to_path_buf);
        let granted = self.reads.iter().chain(&self.writes).chain([&self.folder]).cloned().chain(home);
        self.unconfined || granted.map(|path| real(&path)).any(|path| wanted.starts_with(path))
    }

    pub(crate) fn start(&self) -> Duration {
        Duration::from_millis(self.start_ms)
    }

    pub(crate) fn patience(&self) -> Duration {
        Duration::from_millis(self.patience_ms)
    }
}

/// The engines of a file's text; `home` is the folder of the file.
///
/// # Errors
/// `engine-file` with what is wrong with it.
pub fn read(text: &str, home: &Path) -> Result<Vec<Config>, Problem> {
    let wrong = |why: String| Problem::new("engine-file").with("text", why);
    let mut file: File =
        toml::from_str(text).map_err(|why| wrong(why.to_string().trim().replace('\n', " ")))?;
    // A file with a bare name lies in no folder: "" is none to start a program in.
    let home = if home.as_os_str().is_empty() { Path::new(".") } else { home };
    for config in &mut file.engine {
        if config.name.trim().is_empty() || config.command.is_empty() {
            return Err(wrong(format!("engine {:?} needs a name and a command", config.name)));
        }
        config.folder = home.join(&config.folder);
        if config.processes > MOST_PROCESSES {
            return Err(wrong(format!("engine {:?}: at most {MOST_PROCESSES} processes", config.name)));
        }
        config.reads.iter_mut().for_each(|path| *path = home.join(&*path));
        let folder = config.folder.clone();
        config.writes.iter_mut().for_each(|path| *path = folder.join(&*path));
        // `./engine` is a file of the folder; `engine` is looked for.
        if config.command[0].contains('/') {
            config.command[0] = config.folder.join(&config.command[0]).display().to_string();
        }
    }
    Ok(file.engine)
}

/// The engines of a file.
///
/// # Errors
/// `engine-file` with what is wrong with it.
pub fn read_file(path: &Path) -> Result<Vec<Config>, Problem> {
    let wrong = |why: &dyn std::fmt::Display| {
        Problem::new("engine-file").with("text", format!("{}: {why}", path.display()))
    };
    let size = std::fs::metadata(path).map_err(|why| wrong(&why))?.len();
    if size > MOST_BYTES {
        return Err(wrong(&format!("{size} bytes")));
    }
    let text = std::fs::read_to_string(path).map_err(|why| wrong(&why))?;
    read(&text, path.parent().unwrap_or(Path::new("")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_engines() {
        let text = r#"
            [[engine]]
            name = "Fairy"
            command = ["fairy-stockfish", "-x"]
            protocol = "ucci"
            games = ["xiangqi"]
            start-ms = 500
            [engine.options]
            Threads = 2
            Ponder = false
            EvalFile = "a.nnue"
            [[engine]]
            name = "Scan"
            command = ["./scan", "hub"]
            folder = "scan"
            reads = ["/opt/books"]
            writes = ["learned"]
            memory-mb = 512
            processes = 2
            threads = 3
            user = 1001
            protocol = "hub"
            [engine.environment]
            LC_ALL = "C"
        "#;
        let engines = read(text, Path::new("/etc/qiguan")).unwrap();
        let [fairy, scan] = engines.as_slice() else { panic!() };
        assert_eq!(
            (fairy.command[0].as_str(), fairy.folder.as_path()),
            ("fairy-stockfish", Path::new("/etc/qiguan"))
        );
        assert!(fairy.plays("xiangqi") && fairy.plays("xiangqi/free") && !fairy.plays("locked"));
        assert_eq!(fairy.options["Threads"].to_string(), "2");
        assert_eq!(scan.command[0], "/etc/qiguan/scan/./scan");
        assert!(scan.plays("draughts/frisian") && !scan.plays("xiangqi"));
        assert_eq!(scan.writes, [Path::new("/etc/qiguan/scan/learned")]);
        assert_eq!((scan.most_memory(64), scan.processes, scan.user), (512, 2, Some(1001)));
        assert_eq!(scan.threads(), 3);
        assert_eq!((fairy.most_memory(64), fairy.threads()), (MEMORY_MB + 128, 2));
        assert!(fairy.sees(Path::new("/etc/qiguan")) && fairy.sees(Path::new("/etc/qiguan/data")));
        assert!(!scan.sees(Path::new("/etc/qiguan")) && scan.sees(Path::new("/opt/books/x")));
        let bare = read(text, Path::new("")).unwrap();
        assert_eq!(bare[0].folder, Path::new("."));
    }

    #[test]
    fn a_wrong_file_is_refused() {
        for text in [
            "engine",
            "[[engine]]\nname = \"a\"",
            "[[engine]]\nname = \"a\"\ncommand = []\nprotocol = \"uci\"",
            "[[engine]]\nname = \"a\"\ncommand = [\"a\"]\nprotocol = \"telepathy\"",
            "[[engine]]\nname = \"a\"\ncommand = [\"a\"]\nprotocol = \"uci\"\ncolour = 1",
            "[[engine]]\nname = \"a\"\ncommand = [\"a\"]\nprotocol = \"uci\"\nprocesses = 9999",
        ] {
            assert_eq!(read(text, Path::new(".")).unwrap_err().key, "engine-file", "{text}");
        }
    }
}
