//! Tests with foreign engines that behave and with engines that do not. They are shell scripts.
#![cfg(unix)]

use std::path::Path;
use std::time::{Duration, Instant};

use catalog::Ruleset;
use engine_core::{Engine, Info, Limits, Stop, Task, Worth};
use external::External;
use external::{Config, Fence, Protocol};

/// The handshake of every engine in these tests.
const GREETING: &str =
    "uci) echo 'id name Fake'; echo 'option name Hash type spin default 1 min 1 max 9'; echo uciok;;
isready) echo readyok;;";

fn config(folder: &Path, go: &str) -> Config {
    let script = format!("while read -r line; do case \"$line\" in\n{GREETING}\n{go}\nesac; done\n");
    std::fs::write(folder.join("engine.sh"), script).unwrap();
    let mut config = Config::of_command(Protocol::Uci, "sh engine.sh");
    config.name = "Fake".to_owned();
    config.folder = folder.to_owned();
    config.patience_ms = 300;
    config
}

fn external(config: Config) -> External {
    let rules = Ruleset::new("xiangqi", &catalog::Options::new()).unwrap();
    External::new(config, rules, Fence::default(), 1).unwrap()
}

fn task() -> Task {
    Task { limits: Limits { time: Some(Duration::from_millis(50)), ..Limits::default() }, ..Task::default() }
}

#[test]
fn one_that_behaves() {
    let folder = tempfile::tempdir().unwrap();
    let go = "position*) echo \"$line\" >> said; echo hello world;;
go*) echo \"$line\" >> said; echo 'info depth 3 seldepth 9 score mate 2 nodes 8 pv h2e2 h9g7 a0a9'; echo 'info depth';
echo 'bestmove h2e2 ponder h9g7';;";
    let mut engine = external(config(folder.path(), go));
    let mut told: Vec<Info> = Vec::new();
    let answer = engine.think(&task(), &mut |info| told.push(info.clone())).unwrap();
    assert_eq!(answer, "h2e2");
    // What is not legal in a line of moves is left out.
    assert_eq!(
        (told[0].moves.as_slice(), told[0].furthest),
        (&["h2e2".to_owned(), "h9g7".to_owned()][..], 9)
    );
    assert_eq!(told[0].worth, engine_core::Worth::Wins(3));
    let later = Task { moves: vec!["b2e2".into(), "h9g7".into()], ..task() };
    assert_eq!(engine.think(&later, &mut |_| {}).unwrap_err().key, "engine-illegal");
    let said = std::fs::read_to_string(folder.path().join("said")).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[..2], ["position startpos", "go movetime 50"]);
    assert_eq!(lines[2], "position startpos moves b2e2 h9g7");
}

#[test]
fn those_that_do_not() {
    for (go, key) in [
        ("go*) echo bestmove h2e3;;", "engine-illegal"),
        ("go*) echo 'bestmove (none)';;", "engine-no-move"),
        ("go*) sleep 20;;", "engine-hangs"),
        ("go*) echo out of paper >&2; exit 3;;", "engine-died"),
        ("go*) yes | tr -d '\\n';;", "engine-flood"),
        ("go*) yes 'info depth 1';;", "engine-flood"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut engine = external(config(folder.path(), go));
        // The flood of lines is counted, not timed.
        let long = Limits {
            time: Some(Duration::from_secs(if go.contains("yes") { 60 } else { 0 })),
            ..Limits::default()
        };
        let began = Instant::now();
        let problem = engine.think(&Task { limits: long, ..Task::default() }, &mut |_| {}).unwrap_err();
        assert_eq!(problem.key, key, "{go}: {problem}");
        assert!(began.elapsed() < Duration::from_secs(15), "{go}");
        if key == "engine-died" {
            assert!(problem.to_string().contains("out of paper"), "{problem}");
            assert_eq!(engine.process_id(), None);
        }
    }
}

/// An engine without a fence has the variables of its configuration, too.
#[test]
fn its_variables_are_set() {
    let folder = tempfile::tempdir().unwrap();
    let go = "go*) echo \"bestmove ${QIGUAN_STORE:-$FIRST}\";;";
    let mut config = config(folder.path(), go);
    config.environment = [("FIRST".to_owned(), "h2e2".to_owned())].into();
    assert_eq!(external(config).think(&task(), &mut |_| {}).unwrap(), "h2e2");
}

/// An engine does not inherit the hall's own variables: the test above passes with such a variable set.
#[test]
fn the_halls_variables_are_its_own() {
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "its_variables_are_set"]).env("QIGUAN_STORE", "a secret");
    let said = again.output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
    assert!(String::from_utf8_lossy(&said.stdout).contains("1 passed"));
}

/// An engine that died is started again for the next request.
#[test]
fn a_dead_one_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let go = "go*) if [ -e died ]; then echo bestmove h2e2; else touch died; exit; fi;;";
    let mut engine = external(config(folder.path(), go));
    assert_eq!(engine.think(&task(), &mut |_| {}).unwrap_err().key, "engine-died");
    assert_eq!(engine.think(&task(), &mut |_| {}).unwrap(), "h2e2");
}

#[test]
fn a_start_has_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut slow = config(folder.path(), "");
    slow.command = vec!["sleep".into(), "20".into()];
    slow.start_ms = 200;
    assert_eq!(external(slow.clone()).start().unwrap_err().key, "engine-hangs");
    slow.command = vec!["./not-there".into()];
    assert_eq!(external(slow.clone()).start().unwrap_err().key, "engine-not-started");
    slow.command = vec!["false".into()];
    assert_eq!(external(slow).start().unwrap_err().key, "engine-died");
}

/// A program that thinks without a limit receives `stop`.
#[test]
fn it_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = external(config(folder.path(), "go*) ;;\nstop) echo bestmove h2e2;;"));
    let stop = Stop::default();
    let limits = Limits { stop: stop.clone(), ..Limits::default() };
    let waits = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        stop.stop();
    });
    assert_eq!(engine.think(&Task { limits, ..Task::default() }, &mut |_| {}).unwrap(), "h2e2");
    waits.join().unwrap();
}

/// A program ends when its handle is dropped.
#[test]
fn nothing_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut engine = external(config(folder.path(), ""));
    engine.start().unwrap();
    let id = engine.process_id().unwrap();
    let alive = || {
        std::process::Command::new("kill").args(["-0", &id.to_string()]).output().unwrap().status.success()
    };
    assert!(alive());
    drop(engine);
    assert!(!alive());
}

#[test]
fn a_game_it_does_not_play_is_refused() {
    let rules = Ruleset::new("locked", &catalog::Options::new()).unwrap();
    let config = Config::of_command(Protocol::Ucci, "true");
    let refused = External::new(config, rules, Fence::default(), 1).err().unwrap();
    assert_eq!(refused.key, "engine-game");
}

/// Gomoku brains are sent the whole board each time, in the order of play.
#[test]
fn a_brain_of_gomoku() {
    let folder = tempfile::tempdir().unwrap();
    let script = "while read -r line; do echo \"$line\" >> said; case \"$line\" in
START*) echo OK;; BEGIN) echo 7,7;; DONE) echo 'MESSAGE thinking'; echo 'MESSAGE depth 4-7 ev -20 n 1234 pv i9'; echo 8,6;; esac; done";
    std::fs::write(folder.path().join("brain.sh"), script).unwrap();
    let mut config = Config::of_command(Protocol::Gomocup, "sh brain.sh");
    config.folder = folder.path().to_owned();
    let rules = Ruleset::new("gomoku/standard", &catalog::Options::new()).unwrap();
    let mut engine = External::new(config, rules, Fence::default(), 1).unwrap();
    assert_eq!(engine.think(&task(), &mut |_| {}).unwrap(), "h8");
    let moves = ["h8", "i8", "h9"].map(String::from).to_vec();
    let mut told = Vec::new();
    let answer = engine.think(&Task { moves, ..task() }, &mut |info| {
        told.push((info.depth, info.furthest, info.worth, info.nodes));
    });
    assert_eq!(answer.unwrap(), "i9");
    assert_eq!(told, [(4, 7, Worth::Hundredths(-20), 1234)]);
    let said = std::fs::read_to_string(folder.path().join("said")).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines.contains(&"START 15")
            && lines.contains(&"INFO rule 1")
            && lines.contains(&"INFO timeout_turn 50")
    );
    let board = lines.iter().position(|line| *line == "BOARD").unwrap();
    assert_eq!(lines[board..], ["BOARD", "7,7,2", "8,7,1", "7,6,2", "DONE"]);
}

/// A brain like Rapfi, which sends its move before it has finished thinking and skips input meanwhile, loses no
/// command.
#[test]
fn a_brain_that_is_not_done_when_it_answers() {
    let folder = tempfile::tempdir().unwrap();
    let skips = "skip() { for _ in 1 2 3 4 5 6 7 8; do read -r line; done; }
while read -r line; do case \"$line\" in
ABOUT) echo 'name=\"Hasty\", version=\"1\"';; START*) echo OK;; BEGIN) echo 7,7; skip;; DONE) echo 8,6; skip;;
INFO*|BOARD|*,*) ;; *) echo \"UNKNOWN $line\";; esac; done";
    std::fs::write(folder.path().join("brain.sh"), skips).unwrap();
    let mut config = Config::of_command(Protocol::Gomocup, "sh brain.sh");
    config.folder = folder.path().to_owned();
    let rules = Ruleset::new("gomoku/standard", &catalog::Options::new()).unwrap();
    let mut engine = External::new(config, rules, Fence::default(), 1).unwrap();
    assert_eq!(engine.think(&task(), &mut |_| {}).unwrap(), "h8");
    let moves = ["h8", "i8"].map(String::from).to_vec();
    assert_eq!(engine.think(&Task { moves, ..task() }, &mut |_| {}).unwrap(), "i9");
    engine.new_game();
    assert_eq!(engine.think(&task(), &mut |_| {}).unwrap(), "h8", "another game");
}

/// A draughts engine is sent the position after the last irreversible move and the moves since.
#[test]
fn an_engine_of_draughts() {
    let folder = tempfile::tempdir().unwrap();
    let script = "while read -r line; do echo \"$line\" >> said; case \"$line\" in
hub) echo 'id name=Fake'; echo 'param name=variant value=normal type=enum values=\"normal frisian\"'; echo wait;;
init) echo ready;; ping) echo pong;;
go*) echo 'info depth=3 score=99.97 pv=\"32-28 19-23 28x19x23\"'; echo 'done move=32-28';; esac; done";
    std::fs::write(folder.path().join("hub.sh"), script).unwrap();
    let mut config = Config::of_command(Protocol::Hub, "sh hub.sh");
    config.folder = folder.path().to_owned();
    let rules = |key| Ruleset::new(key, &catalog::Options::new()).unwrap();
    let mut engine =
        External::new(config.clone(), rules("draughts/international"), Fence::default(), 1).unwrap();
    let mut told = Vec::new();
    assert_eq!(engine.think(&task(), &mut |info| told.push(info.clone())).unwrap(), "32-28");
    assert_eq!((told[0].worth, told[0].moves.len()), (engine_core::Worth::Wins(3), 3));
    let said = std::fs::read_to_string(folder.path().join("said")).unwrap();
    assert!(said.contains("level move-time=0.05\ngo think\n"), "{said}");
    assert!(said.contains("pos pos=Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww\n"), "{said}");
    let mut other = External::new(config, rules("draughts/russian"), Fence::default(), 1).unwrap();
    assert_eq!(other.start().unwrap_err().key, "engine-game");
}
