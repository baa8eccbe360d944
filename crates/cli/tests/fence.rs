//! A foreign engine that means harm: this test's own program, started behind the fence, tries one attack a time and prints
//! whether it came to something. And engines that mean well, which must not notice the fence.
#![cfg(target_os = "linux")]

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use catalog::Ruleset;
use engine::{Engine, Limits, Task};
use external::External;
use external::{Config, Fence, Protocol};
use kernel::Problem;

const QIGUAN: &str = env!("CARGO_BIN_EXE_qiguan");
/// The variable that makes this program the engine, with the attack to try.
const ATTACK: &str = "QIGUAN_ATTACK";
/// The variable with the target of the attack.
const TARGET: &str = "QIGUAN_TARGET";
/// The variable with a secret that the hall has and the engine must not get.
const SECRET: &str = "QIGUAN_TEST_SECRET";

/// Runs one attack inside the fence. Outside, as a test, it does nothing.
#[test]
fn the_engine() {
    let Ok(attack) = std::env::var(ATTACK) else { return };
    let target = std::env::var(TARGET).unwrap_or_default();
    let came = attempt(&attack, &target);
    println!(
        "\n{attack}: {}",
        came.map_or_else(|why| format!("refused {why}"), |what| format!("came {what}"))
    );
}

type Tried = Result<String, String>;

fn done<T, E: std::fmt::Display>(result: Result<T, E>) -> Tried {
    result.map(|_| String::new()).map_err(|why| why.to_string())
}

fn attempt(attack: &str, target: &str) -> Tried {
    use rustix::process;
    let parent = || process::getppid().expect("a parent");
    match attack {
        "signal 0" => done(process::test_kill_process(parent())),
        "signal TERM" => done(process::kill_process(parent(), process::Signal::TERM)),
        "the hall's limits" => {
            let none = process::Rlimit { current: Some(1), maximum: None };
            done(process::prlimit(Some(parent()), process::Resource::Nofile, none))
        }
        "the hall's group" => done(
            process::getpgid(Some(parent()))
                .and_then(|group| process::kill_process_group(group, process::Signal::TERM)),
        ),
        "outliving the hall" => done(process::set_parent_process_death_signal(None)),
        "a session of its own" => done(process::setpgid(None, None).and_then(|()| process::setsid())),
        "its environment" => done(std::env::var(SECRET)),
        "read" => File::open(target).map_err(|why| why.to_string()).and_then(|file| {
            let mut bytes = Vec::new();
            file.take(1 << 16).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }),
        "list" => done(fs::read_dir(target)),
        "write" => done(File::create(target)),
        "append" => done(OpenOptions::new().append(true).open(target)),
        "remove" => done(fs::remove_file(target)),
        "change mode" => done(fs::set_permissions(target, fs::Permissions::from_mode(0o777))),
        "change time" => {
            done(File::open(target).and_then(|file| file.set_modified(std::time::SystemTime::UNIX_EPOCH)))
        }
        "udp" => done(UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.send_to(b"x", target))),
        "tcp" => done(TcpStream::connect(target)),
        "wait for tcp" => done(TcpListener::bind("127.0.0.1:0")),
        "abstract socket" => done(
            SocketAddr::from_abstract_name(target).and_then(|address| UnixStream::connect_addr(&address)),
        ),
        "socket file" => done(UnixStream::connect(target)),
        "a pair of sockets" => done(UnixDatagram::pair()),
        "memory" => {
            let mut bytes: Vec<u8> = Vec::new();
            done(bytes.try_reserve_exact(16 << 30))
        }
        "memory in files" => done(rustix::fs::memfd_create("x", rustix::fs::MemfdFlags::empty())),
        "a large file" => File::create(target)
            .and_then(|mut file| {
                let block = vec![1; 1 << 20];
                (0..400).try_for_each(|_| file.write_all(&block))
            })
            .map_or_else(|why| Err(why.to_string()), |()| Ok(String::new())),
        "a process" => done(Command::new("/bin/true").status()),
        "a namespace" => {
            done(Command::new("/usr/bin/unshare").args(["-U", "true"]).status().and_then(|status| {
                if status.success() { Ok(()) } else { Err(std::io::Error::other(status.to_string())) }
            }))
        }
        "serve" => serve(),
        "threads" => threads(),
        "processes" => processes(),
        other => Ok(format!("unknown attack {other}")),
    }
}

/// Serves draughts by DXP, on the port that is the last word of the command: no attack.
fn serve() -> Tried {
    use served::{Setup, dxp};
    let port: u16 = std::env::args().next_back().and_then(|word| word.parse().ok()).ok_or("no port")?;
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(|why| why.to_string())?;
    let (output, _) = listener.accept().map_err(|why| why.to_string())?;
    let input = output.try_clone().map_err(|why| why.to_string())?;
    let rules = Ruleset::new("draughts/international", &catalog::Options::new()).expect("a game of ours");
    let games = dxp::serve(Setup::native(rules, 1), dxp::Role::Follower, input, output);
    games.map(|_| String::new()).map_err(|why| why.to_string())
}

/// Starts threads until it fails, up to far more than an engine needs.
fn threads() -> Tried {
    let (hold, held) = std::sync::mpsc::channel::<()>();
    let held = std::sync::Arc::new(std::sync::Mutex::new(held));
    for count in 0..6000 {
        let waits = std::sync::Arc::clone(&held);
        let work = move || drop(waits.lock().map(|waits| waits.recv()));
        if let Err(why) = std::thread::Builder::new().stack_size(32 << 10).spawn(work) {
            drop(hold);
            return Err(format!("after {count}: {why}"));
        }
    }
    Ok("6000".to_owned())
}

fn processes() -> Tried {
    let mut held = Vec::new();
    for count in 0..6000 {
        match Command::new("/bin/sleep").arg("30").spawn() {
            Ok(child) => held.push(child),
            Err(why) => {
                for child in &mut held {
                    let _ = child.kill().and_then(|()| child.wait());
                }
                return Err(format!("after {count}: {why}"));
            }
        }
    }
    Ok("6000".to_owned())
}

/// A place that the engine's user may reach: `engine/`, with this program in it, and `hall/`, with a secret.
struct Place {
    top: tempfile::TempDir,
    program: PathBuf,
}

impl Place {
    fn new() -> Place {
        let top = tempfile::tempdir().unwrap();
        let program = top.path().join("engine/attacker");
        for folder in ["", "engine", "engine/kept", "hall"] {
            fs::create_dir_all(top.path().join(folder)).unwrap();
            let mode = if folder == "engine/kept" { 0o777 } else { 0o755 };
            fs::set_permissions(top.path().join(folder), fs::Permissions::from_mode(mode)).unwrap();
        }
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        for name in ["hall/secret", "engine/network", "engine/kept/book"] {
            fs::write(top.path().join(name), format!("this is {name}")).unwrap();
            fs::set_permissions(top.path().join(name), fs::Permissions::from_mode(0o666)).unwrap();
        }
        Place { top, program }
    }

    fn path(&self, name: &str) -> String {
        self.top.path().join(name).display().to_string()
    }

    /// Returns the output of an attack behind a fence with these further options.
    fn attack(&self, attack: &str, target: &str, words: &[&str]) -> String {
        let temporary = tempfile::tempdir().unwrap();
        let mut command = Command::new(QIGUAN);
        command.env(SECRET, "known to the hall").current_dir(self.top.path().join("engine"));
        command.args(["confined", "--memory-mb", "4096", "--folder"]).arg(self.top.path().join("engine"));
        command.arg("--writes").arg(self.top.path().join("engine/kept"));
        command.arg("--temporary").arg(temporary.path());
        command.arg("--environment").arg(format!("{ATTACK}={attack}"));
        command.arg("--environment").arg(format!("{TARGET}={target}"));
        command.args(words).arg("--").arg(&self.program);
        said(&mut command, attack)
    }

    /// Returns the output of an attack without a fence.
    fn attack_freely(&self, attack: &str, target: &str) -> String {
        let mut command = Command::new(&self.program);
        command.env(SECRET, "known to the hall").env(ATTACK, attack).env(TARGET, target);
        said(&mut command, attack)
    }
}

/// Returns the answer of this program as an engine, or how it ended without one.
fn said(command: &mut Command, attack: &str) -> String {
    command.args(["the_engine", "--exact", "--nocapture", "--test-threads=1"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = said.lines().find_map(|line| line.strip_prefix(&format!("{attack}: ")));
    line.map_or_else(
        || format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)),
        str::to_owned,
    )
}

/// Returns true if this kernel lacks that part of the fence: rows about it are left out, with a message.
fn lacks(key: &str) -> bool {
    let lacks = external::confine::lacking().iter().any(|problem| problem.key == key);
    if lacks {
        println!("skipped in part: {key}");
    }
    lacks
}

#[test]
fn attacks_are_refused() {
    if lacks("fence-no-files") || lacks("fence-no-filter") {
        return;
    }
    let place = Place::new();
    let parent = std::process::id();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (tcp_address, udp_address) = (tcp.local_addr().unwrap(), udp.local_addr().unwrap());
    let name = format!("qiguan-fence-{parent}");
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let socket = place.path("engine/socket");
    let _socket = UnixListener::bind(&socket).unwrap();
    fs::set_permissions(&socket, fs::Permissions::from_mode(0o777)).unwrap();
    let (secret, outside) = (place.path("hall/secret"), place.path("hall/new"));
    let mine = place.path("engine/network");
    for (attack, target) in [
        ("signal 0", ""),
        ("signal TERM", ""),
        ("the hall's limits", ""),
        ("the hall's group", ""),
        ("outliving the hall", ""),
        ("a session of its own", ""),
        ("its environment", ""),
        ("read", &format!("/proc/{parent}/environ")),
        ("read", &format!("/proc/{parent}/cmdline")),
        ("read", &format!("/proc/{parent}/status")),
        ("read", &format!("/proc/{parent}/mem")),
        ("list", "/proc"),
        ("list", &format!("/proc/{parent}/fd")),
        ("read", "/etc/shadow"),
        ("read", "/etc/hostname"),
        ("read", &secret),
        ("append", &secret),
        ("remove", &secret),
        ("change mode", &secret),
        ("list", &place.path("hall")),
        ("write", &outside),
        ("write", &place.path("engine/new")),
        ("append", &mine),
        ("change mode", &mine),
        ("change time", &mine),
        ("udp", &udp_address.to_string()),
        ("tcp", &tcp_address.to_string()),
        ("wait for tcp", ""),
        ("abstract socket", &name),
        ("socket file", &socket),
        ("a pair of sockets", ""),
        ("memory", ""),
        ("memory in files", ""),
        ("a large file", &place.path("engine/kept/large")),
        ("a process", ""),
        ("a namespace", ""),
        ("threads", ""),
        ("processes", ""),
    ] {
        // An engine that stays root has the fence all the same; but root's threads are not limited, only watched.
        if rustix::process::geteuid().is_root() && attack != "threads" {
            let said = place.attack(attack, target, &["--user", "0"]);
            assert!(!said.starts_with("came"), "as root: {attack} {target}: {said}");
        }
        let said = place.attack(attack, target, &[]);
        // The signal of a file that is too large ends the engine, unless it minds it.
        let ended = attack == "a large file" && said.contains("signal: 25");
        assert!(said.starts_with("refused") || ended, "{attack} {target}: {said}");
    }
    assert_eq!(fs::read_to_string(&secret).unwrap(), "this is hall/secret");
    assert_eq!(fs::metadata(&secret).unwrap().permissions().mode() & 0o777, 0o666);
    assert!(!Path::new(&outside).exists());
    assert!(fs::metadata(place.path("engine/kept/large")).unwrap().len() <= 256 << 20);
}

/// The attacks succeed without a fence: what refuses them is the fence.
#[test]
fn the_attacks_are_real() {
    let place = Place::new();
    let parent = std::process::id();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let name = format!("qiguan-no-fence-{parent}");
    let _abstract = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    for (attack, target) in [
        ("signal 0", ""),
        ("outliving the hall", ""),
        ("its environment", ""),
        ("read", &format!("/proc/{parent}/environ")),
        ("list", "/proc"),
        ("read", &place.path("hall/secret")),
        ("append", &place.path("hall/secret")),
        ("change mode", &place.path("hall/secret")),
        ("change time", &place.path("hall/secret")),
        ("write", &place.path("hall/new")),
        ("remove", &place.path("hall/new")),
        ("udp", &udp.local_addr().unwrap().to_string()),
        ("tcp", &tcp.local_addr().unwrap().to_string()),
        ("wait for tcp", ""),
        ("abstract socket", &name),
        ("a pair of sockets", ""),
        ("memory in files", ""),
        ("a large file", &place.path("hall/large")),
        ("a process", ""),
    ] {
        let said = place.attack_freely(attack, target);
        assert!(said.starts_with("came"), "{attack} {target}: {said}");
    }
}

/// Each permission allows what it names, and the rest is still refused.
#[test]
fn what_is_allowed_works() {
    if lacks("fence-no-files") || lacks("fence-no-filter") {
        return;
    }
    let place = Place::new();
    let (kept, secret) = (place.path("engine/kept/new"), place.path("hall/secret"));
    let helpers: &[&str] = &["--processes", "4"];
    let reads = ["--reads", secret.as_str()];
    let came: &[(&str, &str, &[&str])] = &[
        ("read", "network", &[]),
        ("list", ".", &[]),
        ("write", &kept, &[]),
        ("append", "kept/book", &[]),
        ("read", "/proc/cpuinfo", &[]),
        ("read", "/proc/meminfo", &[]),
        ("read", "/proc/self/status", &[]),
        ("list", "/sys/devices/system/cpu", &[]),
        ("read", &secret, &reads),
        ("a process", "", helpers),
    ];
    for (attack, target, words) in came {
        let said = place.attack(attack, target, words);
        assert!(said.starts_with("came"), "{attack} {target}: {said}");
    }
    for (attack, target, words) in [
        ("append", secret.as_str(), &reads[..]),
        ("a namespace", "", helpers),
        ("processes", "", helpers),
        ("signal 0", "", helpers),
        ("signal TERM", "", helpers),
    ] {
        let said = place.attack(attack, target, words);
        assert!(said.starts_with("refused"), "{attack} {target}: {said}");
    }
}

/// Root's files are out of reach of the engines of a hall that runs as root: they run as another user.
#[test]
fn an_engine_of_root_is_nobody() {
    if !rustix::process::geteuid().is_root() || lacks("fence-no-user") {
        return println!("skipped: this is not root");
    }
    let place = Place::new();
    let user = |words: &[&str]| {
        let mut command = Command::new(QIGUAN);
        command.args(["confined", "--folder", "/usr"]).args(words).args(["--", "id", "-u"]);
        String::from_utf8_lossy(&command.current_dir("/").output().unwrap().stdout).trim().to_owned()
    };
    assert_eq!((user(&[]), user(&["--user", "1234"])), ("65534".to_owned(), "1234".to_owned()));
    assert_eq!(user(&["--user", "0"]), "0");
    // A file that only root may read is refused with a reason, though the fence would let it be read.
    let closed = place.path("engine/network");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o600)).unwrap();
    let said = place.attack("read", &closed, &[]);
    assert!(said.starts_with("refused Permission denied"), "{said}");
    let root = place.attack("read", "/etc/shadow", &["--user", "0"]);
    assert!(root.starts_with("refused"), "{root}");
    fs::set_permissions(place.top.path().join("engine"), fs::Permissions::from_mode(0o700)).unwrap();
    let said = place.attack("read", &closed, &[]);
    assert!(said.contains("user 65534, as which engines run, may not run it"), "{said}");
}

/// Returns an engine of this test's program, with the protocol spoken by the shell.
fn scripted(folder: &Path, go: &str) -> External {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    let script = format!(
        "while read -r line; do case \"$line\" in\nuci) echo uciok;;\nisready) echo readyok;;\n{go}\nesac; done\n"
    );
    fs::write(folder.join("engine.sh"), script).unwrap();
    let mut config = Config::of_command(Protocol::Uci, "sh engine.sh");
    config.folder = folder.to_owned();
    external(config)
}

fn external(config: Config) -> External {
    let rules = Ruleset::new("xiangqi", &catalog::Options::new()).unwrap();
    External::new(config, rules, Fence { program: Some(QIGUAN.into()), nice: 5 }, 1).unwrap()
}

fn task(ms: u64) -> Task {
    let limits = Limits { time: Some(Duration::from_millis(ms)), ..Limits::default() };
    Task { limits, ..Task::default() }
}

fn ask(engine: &mut External, ms: u64) -> Result<String, Problem> {
    engine.think(&task(ms), &mut |_| {})
}

/// An engine that goes on thinking after its answer is ended, and started again for the next question.
#[test]
fn thinking_at_rest_ends() {
    let folder = tempfile::tempdir().unwrap();
    let go = "go*) echo bestmove h2e2; while :; do :; done;;";
    let mut engine = scripted(folder.path(), go);
    assert_eq!(ask(&mut engine, 50).unwrap(), "h2e2");
    let id = engine.process_id().unwrap();
    let stat = || fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let runs = || stat().rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('R'));
    let began = Instant::now();
    while runs() || began.elapsed() < Duration::from_secs(1) {
        assert!(began.elapsed() < Duration::from_secs(120), "it still thinks: {}", stat());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(ask(&mut engine, 50).unwrap(), "h2e2");
    assert_ne!(engine.process_id(), Some(id));
}

/// An engine gets a folder for temporary files, which is removed with it.
#[test]
fn it_has_a_home_that_goes_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let go =
        "go*) echo mine > \"$HOME/file\" && echo \"info string $HOME $QIGUAN_TEST_SECRET\" >&2; exit 3;;";
    let mut engine = scripted(folder.path(), go);
    let problem = ask(&mut engine, 50).unwrap_err();
    let said = problem.to_string();
    let home = said.split_whitespace().find(|word| word.contains("qiguan-engine-")).unwrap_or_default();
    assert!(problem.key == "engine-died" && !home.is_empty(), "{problem}");
    assert!(!Path::new(home.trim_matches(|c: char| !c.is_alphanumeric() && c != '/')).exists(), "{home}");
}

/// A program that listens on the port of its protocol is connected to there.
#[test]
fn a_program_of_dxp_is_called() {
    let place = Place::new();
    let command =
        format!("{} the_engine --exact --nocapture --test-threads=1 {{port}}", place.program.display());
    let mut config = Config::of_command(Protocol::Dxp, &command);
    config.folder = place.top.path().join("engine");
    config.environment = [(ATTACK.to_owned(), "serve".to_owned())].into();
    let rules = Ruleset::new("draughts/international", &catalog::Options::new()).unwrap();
    let mut engine =
        External::new(config, rules, Fence { program: Some(QIGUAN.into()), nice: 0 }, 1).unwrap();
    let answer = ask(&mut engine, 50).unwrap();
    assert!(answer.contains('-'), "{answer}");
}

/// Debian's Fairy-Stockfish plays with several threads and a table, as it does outside.
#[test]
fn an_honest_engine_plays() {
    let Some(fairy) = ["/usr/games/fairy-stockfish", "/usr/bin/fairy-stockfish"]
        .into_iter()
        .find(|p| Path::new(p).exists())
    else {
        return println!(
            "skipped: fairy-stockfish is not installed (Debian: apt-get install fairy-stockfish)"
        );
    };
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::of_command(Protocol::Uci, fairy);
    config.folder = folder.path().to_owned();
    let options = [("Threads", 4), ("Hash", 256)];
    config.options =
        options.map(|(name, value)| (name.to_owned(), external::config::Value::Whole(value))).into();
    let mut engine = external(config);
    for _ in 0..2 {
        let answer = ask(&mut engine, 300).unwrap();
        assert_eq!(answer.len(), 4, "{answer}");
    }
}

/// A worker asks the engine that it has, and is named in the search, behind the same fence.
#[test]
fn an_engine_at_a_worker_is_behind_the_fence() {
    let game = catalog::find("xiangqi").unwrap().open(None, &catalog::Options::new(), None).unwrap();
    let limits = wire::WorkLimits {
        time_ms: 3_000,
        engine: Some("Fake".to_owned()),
        match_id: "t".to_owned(),
        ..wire::WorkLimits::default()
    };
    let work = wire::Work {
        id: "w".to_owned(),
        deadline_ms: 60_000,
        game: wire::WorkGame {
            key: "xiangqi".to_owned(),
            digest: thinking::digest(game.as_ref()),
            ..wire::WorkGame::default()
        },
        ask: wire::WorkAsk::Think(limits),
    };
    for unconfined in [false, true] {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(outside.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let mark = outside.path().join("mark");
        let script = format!(
            "while read -r line; do case \"$line\" in\nuci) echo uciok;;\nisready) echo readyok;;\n\
             go*) echo x >{} ; echo bestmove h2e2;;\nesac; done\n",
            mark.display()
        );
        fs::write(folder.path().join("engine.sh"), script).unwrap();
        let mut config = Config::of_command(Protocol::Uci, "sh engine.sh");
        config.name = "Fake".to_owned();
        config.folder = folder.path().to_owned();
        config.games = vec!["xiangqi".to_owned()];
        config.unconfined = unconfined;
        let fence = Fence { program: Some(QIGUAN.into()), nice: 5 };
        let pool = thinking::EnginePool::new(thinking::Foreign { engines: vec![config], fence });
        let search = thinking::Search::told(&work, None).unwrap();
        let answer = search.answer(search.perform(&pool, None, &engine::Stop::default(), &mut |_| {}));
        assert_eq!(answer.best.as_deref(), Some("h2e2"), "{:?}", answer.failed);
        assert_eq!(mark.exists(), unconfined, "the attack is real, and the fence holds it");
    }
}
