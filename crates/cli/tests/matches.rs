//! `qiguan engine`, `qiguan match` and `qiguan confined` as other programs use them; and other people's programs, where
//! they are installed (`scripts/setup.sh test`).
#![cfg(unix)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use catalog::Ruleset;

const QIGUAN: &str = env!("CARGO_BIN_EXE_qiguan");

fn qiguan(words: &[&str]) -> Command {
    let mut command = Command::new(QIGUAN);
    command.args(words).env("LANG", "en").env_remove("LC_ALL").env_remove("LC_MESSAGES");
    command
}

/// Returns the output of a command that must succeed.
fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// A process that is ended with the test, however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn our_engine_answers() {
    for (words, input, wanted) in [
        (&["engine", "xiangqi"][..], "uci\nposition startpos moves h2e2\ngo depth 2\n", "bestmove "),
        (&["engine", "xiangqi", "--protocol", "ucci"], "ucci\nposition startpos\ngo depth 2\n", "bestmove "),
        (&["engine", "uci", "locked"], "isready\ngo depth 1\n", "bestmove "),
        (&["engine", "hub"], "hub\ninit\nlevel depth=2\ngo think\n", "done move="),
        (&["engine", "gomoku"], "START 15\nABOUT\n", "name=\"Qiguan\""),
    ] {
        let mut child = qiguan(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.lines().any(|line| line.starts_with(wanted)), "{words:?}: {said}");
    }
    let refused = qiguan(&["engine", "locked", "--protocol", "hub"]).output().unwrap();
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("protocol"), "{refused:?}");
}

/// A run that makes openings and was killed in the middle goes on where it was.
#[test]
fn openings_are_made_once_and_begin_each_pair() {
    let folder = tempfile::tempdir().unwrap();
    let (file, games) = (folder.path().join("openings.txt"), folder.path().join("games.jsonl"));
    let (file, games) = (file.to_str().unwrap(), games.to_str().unwrap());
    let make = ["learn", "openings", "--game", "draughts/russian", "--count", "2", "--nodes", "500"];
    printed(qiguan(&make).args(["--balance", "100", "--out", file]));
    let made = std::fs::read_to_string(file).unwrap();
    let openings: Vec<&str> =
        made.lines().filter(|line| !line.starts_with('#') && !line.contains(':')).collect();
    assert_eq!(openings.len(), 2, "{made}");
    let play = ["match", "-g", "draughts/russian", "-a", "our", "-b", "greedy", "--depth", "1", "-p", "3"];
    printed(qiguan(&play).args(["--openings", file, "-o", games]));
    let mut begun = BTreeMap::new();
    for line in lines(Path::new(games)).iter().skip(1) {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let words: Vec<&str> = game["opening"].as_array().unwrap().iter().flat_map(|m| m.as_str()).collect();
        begun.insert(game["number"].as_u64().unwrap(), words.join(" "));
    }
    let begun: Vec<&str> = begun.values().map(String::as_str).collect();
    let [one, two] = [openings[0], openings[1]];
    assert_eq!(begun, [one, one, two, two, one, one], "after the last comes the first");
    // Another game's openings, and a move that cannot be played, are refused with the line.
    for (text, wanted) in [("game: xiangqi\nh2e2\n", "xiangqi"), ("\nc3-d4 c3-d4\n", "Line 2")] {
        std::fs::write(file, text).unwrap();
        let output = qiguan(&play).args(["--openings", file]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(wanted), "{text}: {said}");
    }
}

#[test]
fn a_match_survives_being_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (out, records) = (folder.path().join("match.jsonl"), folder.path().join("match.pdn"));
    let words = |pairs: &'static str| {
        let mut command =
            qiguan(&["match", "--game", "draughts/russian", "--a", "our:level=2", "--b", "our:level=1"]);
        command.args([
            "--nodes",
            "60",
            "--hash",
            "1",
            "--opening-plies",
            "4",
            "--max-plies",
            "60",
            "--balance",
            "0",
        ]);
        command.args(["--pairs", pairs, "--out"]).arg(&out);
        command
    };
    let killed = words("5000").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut killed = Running(killed);
    until("games are played", || lines(&out).len() >= 3);
    killed.0.kill().unwrap();
    killed.0.wait().unwrap();
    let before: Vec<String> = lines(&out);
    let whole = before.iter().filter(|line| line.ends_with('}')).count();
    assert!(whole >= 3);
    let pairs: &'static str = Box::leak((whole / 2 + 1).to_string().into_boxed_str());
    let table = printed(words(pairs).arg("--records").arg(&records).args(["--sprt", "0,5,norm"]));
    for word in ["Games:", "Pairs:", "Elo:", "SPRT:", "our:level=2:", "our:level=1:"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let after = lines(&out);
    assert_eq!(after[..whole], before[..whole]);
    let mut numbers: Vec<u64> = after[1..]
        .iter()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["number"].as_u64().unwrap())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
    let pdn = std::fs::read_to_string(&records).unwrap();
    assert_eq!(pdn.matches("[White \"").count(), numbers.len(), "{pdn}");
    let other = words("1").args(["--seed", "9"]).output().unwrap();
    assert!(String::from_utf8_lossy(&other.stderr).contains("other settings"), "{other:?}");
}

/// Games lost on time are counted apart and reported.
#[test]
fn games_lost_on_time_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("games.pgn");
    let mut command = qiguan(&[
        "match",
        "-g",
        "xiangqi",
        "-a",
        "uci:sh slow.sh",
        "-b",
        "random",
        "-p",
        "1",
        "--balance",
        "0",
    ]);
    let slow = "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                *moves*) move=a9a8;; position*) move=a0a1;; go*) i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo bestmove $move;; esac; done\n";
    std::fs::write(folder.path().join("slow.sh"), slow).unwrap();
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    command.args(["--movetime", "1", "--margin", "0", "--opening-plies", "0", "--records"]).arg(&records);
    let table = printed(command.current_dir(folder.path()));
    assert!(table.contains("2 lost by its own fault, 2 of them on time"), "{table}");
    assert!(table.contains("2 of 2 games were lost on time"), "{table}");
    let pgn = std::fs::read_to_string(&records).unwrap();
    for tag in ["[Event \"uci:sh slow.sh – random\"]", "[Site \"Qiguan ", "[Date \"20", "[Red \"random\"]"]
    {
        assert!(pgn.contains(tag), "{tag}: {pgn}");
    }
}

#[test]
fn a_match_can_be_read_by_programs() {
    let words =
        ["match", "-g", "gomoku", "-a", "our:level=1", "-b", "random", "-p", "1", "-n", "60", "--json"];
    let table =
        printed(qiguan(&words).args(["--hash", "1", "--max-plies", "6", "--balance", "0", "--sprt", "0,5"]));
    let told: serde_json::Value = serde_json::from_str(&table).unwrap_or_else(|why| panic!("{why}: {table}"));
    assert_eq!((&told["games"]["played"], &told["interrupted"]), (&2.into(), &false.into()), "{told}");
    assert!(told["elo"]["value"].is_number() && told["sprt"]["verdict"].is_string(), "{told}");
    assert_eq!(told["engines"][1]["name"], "random");
}

/// A match that is interrupted by Ctrl-C prints its table, and goes on later.
#[test]
fn an_interrupted_match_prints_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("match.jsonl");
    for json in [false, true] {
        let mut command =
            qiguan(&["match", "-g", "locked", "-a", "our:level=1", "-b", "random", "-p", "100000"]);
        command
            .args(["--nodes", "60", "--hash", "1", "--balance", "0", "--max-plies", "40", "--out"])
            .arg(&out);
        command.args(if json { &["--json"][..] } else { &[] });
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let before = lines(&out).len();
        let mut child = Running(child);
        until("games are played", || lines(&out).len() >= before + 3);
        let id = child.0.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let status = child.0.wait().unwrap();
        let read = |mut pipe: Box<dyn std::io::Read>| {
            let mut text = String::new();
            pipe.read_to_string(&mut text).unwrap();
            text
        };
        let said = read(Box::new(child.0.stdout.take().unwrap()));
        let errors = read(Box::new(child.0.stderr.take().unwrap()));
        assert_eq!(status.code(), Some(130), "{said}{errors}");
        assert!(errors.contains("was stopped after"), "{errors}");
        let wanted = if json { "\"interrupted\":true" } else { "Games:" };
        assert!(said.contains(wanted), "{said}{errors}");
    }
}

/// An engine ends with the process that started it, even after a SIGKILL and without reading its input.
#[test]
#[cfg(target_os = "linux")]
fn an_engine_ends_with_its_parent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("id");
    let config = folder.path().join("engines.toml");
    std::fs::write(
        &config,
        "[[engine]]\nname = \"Deaf\"\ncommand = [\"sh\", \"-c\", \"echo $$ > id; exec sleep 100\"]\nwrites = [\".\"]\nprotocol = \"uci\"\n",
    )
    .unwrap();
    // If this runs as root, the engine runs as another user.
    std::fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
    let mut command = qiguan(&["match", "--game", "xiangqi", "--a", "Deaf", "--b", "our", "--engines"]);
    let parent = command.arg(&config).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut parent = Running(parent);
    until("the engine has started", || lines(&file).len() == 1);
    let place = PathBuf::from(format!("/proc/{}", lines(&file)[0]));
    let runs = || {
        let status = std::fs::read_to_string(place.join("status")).unwrap_or_default();
        status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
    };
    assert!(runs());
    parent.0.kill().unwrap();
    parent.0.wait().unwrap();
    until("the engine has ended", || !runs());
}

/// Debian's Fairy-Stockfish, if it is here.
fn fairy() -> Option<&'static str> {
    let found = ["/usr/games/fairy-stockfish", "/usr/bin/fairy-stockfish"]
        .into_iter()
        .find(|p| Path::new(p).exists());
    if found.is_none() {
        println!("skipped: fairy-stockfish is not installed (Debian: apt-get install fairy-stockfish)");
    }
    found
}

/// Python with the packages that test/setup installs, if it is here.
fn python(module: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/programs/bin/python");
    let works = |python: &PathBuf| {
        let output = Command::new(python).args(["-c", &format!("import {module}")]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let found = [own, PathBuf::from("python3")].into_iter().find(works);
    if found.is_none() {
        println!("skipped: Python has no {module} (scripts/setup.sh test installs it)");
    }
    found
}

/// Our engine as a program plays against the built-in one, by every protocol, also where squares have letters.
#[test]
fn ours_plays_as_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let (engines, out) = (folder.path().join("engines.toml"), folder.path().join("games.jsonl"));
    for (game, protocol) in [
        ("xiangqi", "uci"),
        ("xiangqi", "ucci"),
        ("draughts/international", "hub"),
        ("draughts/russian", "hub"),
        ("draughts/turkish", "hub"),
        ("draughts/english", "uci"),
        ("gomoku/renju", "gomocup"),
    ] {
        let text = format!(
            "[[engine]]\nname = \"program\"\nprotocol = \"{protocol}\"\n\
             command = [{QIGUAN:?}, \"engine\", \"{game}\", \"-p\", \"{protocol}\"]\n"
        );
        std::fs::write(&engines, text).unwrap();
        let mut command =
            qiguan(&["match", "--game", game, "--a", "program", "--b", "our", "--nodes", "300"]);
        command.args(["--hash", "1", "--pairs", "1", "--max-plies", "20", "--margin", "5000", "--engines"]);
        let table = printed(command.arg(&engines).arg("--out").arg(&out));
        let games = lines(&out);
        assert_eq!(games.len(), 3, "{game} by {protocol}: {table}");
        for told in &games[1..] {
            let told: serde_json::Value = serde_json::from_str(told).unwrap();
            assert_eq!(told.get("fault"), None, "{game} by {protocol}: {told}");
        }
        std::fs::remove_file(&out).unwrap();
    }
}

/// Fairy-Stockfish plays by both protocols that it speaks well, with its games judged by us and again by its own
/// rules. Asked by UCI-Cyclone, release 11.1 plays chess.
#[test]
fn fairy_stockfish_plays() {
    let Some(fairy) = fairy() else { return };
    let folder = tempfile::tempdir().unwrap();
    for protocol in ["uci", "ucci"] {
        let out = folder.path().join(format!("{protocol}.jsonl"));
        let engine = format!("{protocol}:{fairy}");
        let mut command =
            qiguan(&["match", "--game", "xiangqi", "--a", "our", "--b", &engine, "--nodes", "300"]);
        command
            .args(["--hash", "1", "--pairs", "1", "--max-plies", "24", "--opening-plies", "4", "--out"])
            .arg(&out);
        let table = printed(command.current_dir(folder.path()));
        let games = lines(&out);
        assert_eq!(games.len(), 3, "{protocol}: {table}");
        for game in &games[1..] {
            let game: serde_json::Value = serde_json::from_str(game).unwrap();
            assert_eq!(game.get("fault"), None, "{protocol}: {game}");
            // Both told what they think of each move.
            let worth = game["worth"].as_array().unwrap();
            assert!(worth.len() > 4 && worth.iter().all(serde_json::Value::is_i64), "{protocol}: {game}");
        }
        let Some(python) = python("pyffish") else { continue };
        let judge = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/second_referee.py");
        let said = printed(Command::new(python).arg(judge).arg(&out));
        assert!(said.starts_with("judged 2 games"), "{said}");
    }
}

/// Fairy-Stockfish plays by a clock, which UCCI reports in its own way.
#[test]
fn fairy_stockfish_minds_its_clock() {
    let Some(fairy) = fairy() else { return };
    let folder = tempfile::tempdir().unwrap();
    for protocol in ["uci", "ucci"] {
        let engine = format!("{protocol}:{fairy}");
        let mut command = qiguan(&["match", "--game", "xiangqi", "--a", &engine, "--b", "our:level=1"]);
        command.args([
            "--hash",
            "1",
            "--pairs",
            "1",
            "--max-plies",
            "16",
            "--tc",
            "2+0.1",
            "--margin",
            "3000",
        ]);
        let table = printed(command.current_dir(folder.path()));
        assert!(table.contains(", 0 lost by its own fault"), "{protocol}: {table}");
    }
}

/// XBoard's adapter drives our engine by UCCI, for a fixed time and by a clock, as XBoard would ask it to.
#[test]
fn xboards_adapter_drives_ours() {
    let adapter = Path::new("/usr/games/uci2wb");
    if !adapter.exists() {
        println!("skipped: uci2wb is not installed (Debian: apt-get install uci2wb)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let engine = format!("{QIGUAN} engine ucci");
    let mut command = Command::new(adapter);
    command.args(["-x", &engine]).current_dir(folder.path());
    let mut adapter = Running(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap());
    let mut input = adapter.0.stdin.take().unwrap();
    let output = BufReader::new(adapter.0.stdout.take().unwrap());
    let (lines, heard) = channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| lines.send(line)));
    let mut heard = std::iter::from_fn(|| heard.recv_timeout(Duration::from_secs(60)).ok());
    let mut say = |line: &str| writeln!(input, "{line}").unwrap();
    say("xboard\nprotover 2");
    assert!(heard.any(|line| line.starts_with("feature variants=") && line.contains("xiangqi")));
    let mut game = Ruleset::new("xiangqi", &BTreeMap::new()).unwrap().open(None).unwrap();
    say("new\nvariant xiangqi\npost\nst 1");
    for (limit, theirs) in [("st 1", "h2e2"), ("level 40 5 0\ntime 6000\notim 6000", "h0g2")] {
        say(limit);
        say(&format!("usermove {theirs}"));
        game.play(theirs).unwrap();
        // Each iteration is told as depth, score, hundredths of a second, positions, moves.
        let mut positions = 0;
        let ours = heard.by_ref().find_map(|line| {
            let numbers: Vec<u64> =
                line.split_whitespace().take(4).filter_map(|word| word.parse().ok()).collect();
            positions = numbers.last().copied().unwrap_or(positions);
            line.strip_prefix("move ").map(str::to_owned)
        });
        let ours = ours.expect("a move");
        game.play(&ours).unwrap();
        assert!(positions > 5_000, "{limit}: {ours} after {positions} positions");
    }
    say("quit");
}

/// pydraughts' wrapper of Hub drives our engine and plays by its own rules.
#[test]
fn pydraughts_drives_ours() {
    let Some(python) = python("draughts") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/hub_player.py");
    for variant in ["standard", "frisian"] {
        let said = printed(Command::new(&python).arg(&script).args([QIGUAN, variant, "12"]));
        assert!(said.starts_with("played 12 "), "{variant}: {said}");
    }
}

/// Runs a match on the map with this extension, without openings; returns success, standard output and standard
/// error.
#[cfg(feature = "extensions")]
fn match_with(extension: &str, pairs: &str, more: &[&str]) -> (bool, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.py");
    std::fs::write(&path, extension).unwrap();
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/leap.xlsx");
    let words = ["match", "--game", "jingbanqi", "--a", "random", "--b", "random", "--pairs", pairs];
    let output = qiguan(&words)
        .args(["--opening-plies", "0", "--max-plies", "6", "-j", "1", "--map", map, "--extension"])
        .arg(&path)
        .args(more)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

/// A game in which an extension raises is counted as void, and the match goes on.
#[test]
#[cfg(feature = "extensions")]
fn a_void_game_is_counted_and_the_match_goes_on() {
    // Raises in some games and not in others, on the squares the chance of each game chose.
    let extension = "EX_NAME = 'x'\ndef after_move(a, b):\n    if a[1] == 3: {}[b]\n";
    let (done, said, errors) = match_with(extension, "4", &["--json"]);
    assert!(done, "{errors}");
    let told: serde_json::Value = serde_json::from_str(&said).unwrap();
    let games = |name: &str| told["games"][name].as_u64().unwrap();
    assert_eq!(games("played"), 8, "{said}");
    assert!((1..=7).contains(&games("void")), "{said}");
    assert_eq!(errors.matches("counts for nobody").count(), 1, "one kind, told once: {errors}");
    for wanted in ["mine.py", "after_move", ": 3: ", "KeyError"] {
        assert!(errors.contains(wanted), "{wanted}: {errors}");
    }
    let (done, said, errors) = match_with(extension, "4", &[]);
    assert!(done, "{errors}");
    assert!(said.contains(&format!(", {} void:", games("void"))), "{said}");
}

#[test]
#[cfg(feature = "extensions")]
fn a_match_ends_when_most_games_are_void() {
    let (done, _, errors) = match_with("EX_NAME = 'x'\ndef after_move(a, b):\n    [][7]\n", "20", &[]);
    assert!(!done, "{errors}");
    for wanted in ["10 of 10", "mine.py", "after_move", ": 3: ", "IndexError"] {
        assert!(errors.contains(wanted), "{wanted}: {errors}");
    }
}
