//! The configuration file of foreign engines.
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

/// The default memory of an engine besides its hash table, in MiB.
pub const MEMORY_MB: u64 = 4096;
/// The most additional processes that the file may allow an engine.
const MOST_PROCESSES: u32 = 256;

/// The protocols that an engine can speak.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// UCI: xiangqi as in Pikafish and Fairy-Stockfish, and all our other games.
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
    /// DXP, for draughts on 10x10: the program listens on a TCP port.
    Dxp,
}

impl Protocol {
    /// Every protocol, in the order of declaration.
    pub const ALL: [Protocol; 7] = [
        Protocol::Uci,
        Protocol::Cyclone,
        Protocol::Ucci,
        Protocol::Hub,
        Protocol::Hub1,
        Protocol::Gomocup,
        Protocol::Dxp,
    ];

    /// Returns the name in the file: `uci`, `cyclone`, `ucci`, `hub`, `hub1`, `gomocup` or `dxp`.
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

    /// Returns the protocol with that key.
    #[must_use]
    pub fn keyed(key: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|protocol| protocol.key() == key)
    }

    /// Returns true if games of that family can be played over this protocol.
    #[must_use]
    pub fn plays(self, family: &str) -> bool {
        match self {
            Protocol::Uci => true,
            Protocol::Cyclone | Protocol::Ucci => family == "xiangqi",
            Protocol::Hub | Protocol::Hub1 | Protocol::Dxp => family == "draughts",
            Protocol::Gomocup => family == "gomoku",
        }
    }

    /// Returns the protocol that engines for games of that family usually speak.
    #[must_use]
    pub fn usual(family: &str) -> Protocol {
        match family {
            "draughts" => Protocol::Hub,
            "gomoku" => Protocol::Gomocup,
            _ => Protocol::Uci,
        }
    }
}

/// The configuration of a foreign engine.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The name shown to people.
    pub name: String,
    /// The program and its arguments. A program without a `/` is searched for on `PATH` and in the folders of games.
    pub command: Vec<String>,
    /// The working directory, which the engine may read; the folder of the configuration file by default. A relative
    /// path starts there, too.
    #[serde(default)]
    pub folder: PathBuf,
    /// Other files and folders that the engine may read.
    #[serde(default)]
    pub reads: Vec<PathBuf>,
    /// Files and folders that the engine may write, besides a private folder for temporary files; a relative path
    /// starts in its folder.
    #[serde(default)]
    pub writes: Vec<PathBuf>,
    /// The most memory of a process, in MiB of address space; by default [`MEMORY_MB`] and twice its hash table.
    #[serde(default)]
    pub memory_mb: Option<u64>,
    /// The most additional processes at a time. Threads do not count; a wrapper script that ends with `exec` needs
    /// none.
    #[serde(default)]
    pub processes: u32,
    /// The number of search threads, and so of processors that the engine may keep busy; by default the value of its
    /// option `Threads`, or 1.
    #[serde(default)]
    pub threads: Option<u32>,
    /// The numeric id of the user that the engine runs as where the hall is root; 0: root. By default an unprivileged
    /// user.
    #[serde(default)]
    pub user: Option<u32>,
    /// Additional environment variables, besides `PATH`, `LANG`, `HOME` and `TMPDIR`.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// The protocol that the engine speaks.
    pub protocol: Protocol,
    /// The games offered: keys, or families such as `draughts`. Empty: all games of the protocol.
    #[serde(default)]
    pub games: Vec<String>,
    /// The engine's own options, by the names that the engine uses.
    #[serde(default)]
    pub options: BTreeMap<String, Value>,
    /// Lines that are written to its standard input at the start, whatever the protocol.
    #[serde(default)]
    pub says: Vec<String>,
    /// The TCP port that a DXP program listens on. If its command contains `{port}`, it is given a free port instead.
    #[serde(default = "usual_port")]
    pub port: u16,
    /// The time limit for the start, in milliseconds.
    #[serde(default = "usual_start")]
    pub start_ms: u64,
    /// The grace period, in milliseconds: an engine that exceeds its time by more counts as hung.
    #[serde(default = "usual_patience")]
    pub patience_ms: u64,
    /// Set to run the engine outside the fence, if it needs more than its folder.
    #[serde(default)]
    pub unconfined: bool,
}

/// The value of an engine option in the file.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A boolean, such as `true`.
    Flag(bool),
    /// An integer, such as `64`.
    Whole(i64),
    /// A decimal number, such as `0.5`.
    Real(f64),
    /// A text, such as `"normal"`.
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
    /// Returns the configuration for a command line, with default settings and the current folder as its folder.
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

    /// Returns true if the engine may be asked for that game.
    #[must_use]
    pub fn plays(&self, key: &str) -> bool {
        let family = key.split('/').next().unwrap_or_default();
        let listed = self.games.is_empty() || self.games.iter().any(|game| game == key || game == family);
        listed && self.protocol.plays(family)
    }

    /// Returns the most address space of a process, in MiB; `table` is the size of its hash table in MiB.
    pub(crate) fn most_memory(&self, table: usize) -> u64 {
        let table = self.number("hash").or(self.number("hashsize")).unwrap_or(0).max(table as u64);
        self.memory_mb.unwrap_or_else(|| MEMORY_MB.saturating_add(table.saturating_mul(2)))
    }

    /// Returns the number of threads that the engine may use; 1 by default.
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

    /// Returns true if the fence lets the engine read that folder or something in it. The data of a hall must not be
    /// there.
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

/// Parses the text of a configuration file; `home` is the folder of the file.
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

/// Reads a configuration file.
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
