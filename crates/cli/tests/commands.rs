//! The program as scripts call it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

fn qiguan(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
    command.args(args).env("LANG", "en_US.UTF-8").env("RUST_LOG", "error");
    command.env_remove("LC_ALL").env_remove("LC_MESSAGES");
    command
}

fn run(args: &[&str]) -> Output {
    qiguan(args).stdin(Stdio::null()).output().expect("the program was built with this test")
}

fn stdout(args: &[&str]) -> String {
    let output = run(args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A built-in map.
const MOUNTAINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/mountains.xlsx");

#[test]
fn a_map_is_begun_checked_and_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.xlsx");
    let file = file.to_str().expect("UTF-8");
    let said = stdout(&["map", "new", file]);
    assert!(said.contains("mine.xlsx"), "{said}");
    let again = run(&["map", "new", file]);
    assert!(!again.status.success(), "what is there is left alone");
    let mut check: Value = serde_json::from_str(&stdout(&["map", "check", file, "--json"])).expect("JSON");
    let played = check.as_object_mut().and_then(|check| check.remove("played")).expect("it was played");
    assert!(played["ended"].as_u64().is_some_and(|games| games > 100), "{played}");
    assert_eq!(check, serde_json::json!({"ok": true, "errors": [], "warnings": []}));
    assert!(stdout(&["map", "show", file]).contains("2,4(X[1|2|3]),5(X[1|2|3]);"));
    assert!(figures(&stdout(&["perft", "jingbanqi", "2", "--map", file])).0 > 50);
    let chinese = qiguan(&["map", "new", &format!("{file}.zh.xlsx")]).env("LANG", "zh_CN.UTF-8").output();
    let chinese = String::from_utf8(chinese.expect("ends").stdout).expect("UTF-8");
    assert!(chinese.contains("已写好"), "{chinese}");
    for (args, words) in [
        (&["perft", "jingbanqi", "1"][..], "needs a map"),
        (&["perft", "gomoku/standard", "1", "--map", file], "without a map"),
        (&["map", "check", file, "--extension", "nowhere.py"], "nowhere.py"),
    ] {
        let output = run(args);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && errors.contains(words), "{args:?}: {errors}");
    }
}

#[test]
fn games_lists_the_catalogue() {
    let text = stdout(&["games"]);
    let keys: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let wanted: Vec<&str> = catalog::ENTRIES.iter().map(|entry| entry.key).collect();
    assert_eq!(keys, wanted);
    let list: Vec<Value> = serde_json::from_str(&stdout(&["games", "--json"])).expect("a list");
    let keys: Vec<&str> = list.iter().filter_map(|game| game["key"].as_str()).collect();
    assert_eq!(keys, wanted);
    for game in &list {
        for language in ["zh", "en"] {
            let name = game[language].as_str().expect("a name");
            assert!(!name.is_empty() && !name.starts_with("game-"), "{game}");
            assert!(text.contains(name), "{name} in both lists");
        }
        assert!(game["options"].is_array());
    }
}

/// Returns the figures of the last line: `nodes N  seconds S  nps R`.
fn figures(text: &str) -> (u64, f64, u64) {
    let last = text.lines().last().expect("a last line");
    let parts: Vec<&str> = last.split("  ").collect();
    let [nodes, seconds, nps] = parts[..] else { panic!("{last:?}") };
    let number =
        |part: &str, name: &str| part.strip_prefix(name).and_then(|n| n.strip_prefix(' ')).map(str::to_owned);
    (
        number(nodes, "nodes").and_then(|n| n.parse().ok()).expect("nodes"),
        number(seconds, "seconds").and_then(|n| n.parse().ok()).expect("seconds"),
        number(nps, "nps").and_then(|n| n.parse().ok()).expect("nodes a second"),
    )
}

#[test]
fn perft_counts_and_its_parts_add_up() {
    for (args, wanted) in [
        (&["perft", "gomoku/standard", "1"][..], 225),
        (&["perft", "gomoku/standard", "2"], 225 * 224),
        (&["perft", "gomoku/standard", "0"], 1),
        (&["perft", "gomoku/freestyle", "2", "--option", "size=5", "--threads", "2"], 25 * 24),
        (&["perft", "gomoku/freestyle", "2", "--option", "size=5", "--fen", "4b/5/5/5/w4 b"], 23 * 22),
    ] {
        assert_eq!(figures(&stdout(args)).0, wanted, "{args:?}");
    }
    for entry in catalog::ENTRIES.iter() {
        let map: &[&str] = if entry.needs_map() { &["--map", MOUNTAINS] } else { &[] };
        let whole = figures(&stdout(&[&["perft", entry.key, "2"], map].concat())).0;
        let text = stdout(&[&["perft", entry.key, "2", "--divide"], map].concat());
        let parts: Vec<(&str, u64)> = text
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(name, n)| (name, n.parse().expect("a count")))
            .collect();
        assert!(parts.len() > 1, "{text}");
        assert_eq!(parts.iter().map(|part| part.1).sum::<u64>(), whole, "{}", entry.key);
        assert_eq!(figures(&text).0, whole, "{}", entry.key);
    }
}

#[test]
fn what_is_asked_wrongly_is_refused_with_words() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let a_file = file.path().to_str().expect("text");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().to_str().expect("text");
    for (args, code, words) in [
        (&["perft", "chess", "2"][..], 1, "chess"),
        (&["perft", "gomoku/standard", "2", "--fen", "nonsense"], 1, "qiguan: "),
        (&["perft", "gomoku/standard", "2", "--option", "size=99"], 1, "5 to 26"),
        (&["perft", "gomoku/standard", "2", "--option", "colour=1"], 1, "colour"),
        (&["perft", "gomoku/standard", "2", "--option", "size"], 2, "NAME=VALUE"),
        (&["perft", "gomoku/standard", "2", "--option", "size=big"], 2, "whole number"),
        (&["perft", "gomoku/standard", "many"], 2, "many"),
        (&["perft", "gomoku/standard"], 2, "DEPTH"),
        (&["dance"], 2, "dance"),
        (&[], 2, "Usage"),
        (&["serve", "--listen", "nowhere"], 2, "nowhere"),
        (&["serve", "--limits", "some"], 2, "some"),
        (&["serve", "--public-url", "hall.example", "--data", folder], 2, "https://"),
        (&["serve", "--listen", "127.0.0.1:0", "--data", a_file], 4, "cannot be used"),
        (&["serve", "--listen", &address, "--data", folder], 3, "cannot listen on"),
        (&["load", "--connections", "1"], 2, "2..=100000"),
        (&["play", "gomoku", "--plain", "--level", "99"], 2, "1..=10"),
        (&["play", "gomoku", "--plain", "-l", "0"], 2, "1..=10"),
        (&["perft", "xiangqi", "1", "--threads", "0"], 2, "1..=256"),
        (&["perft", "xiangqi", "50000"], 2, "60"),
        (&["perft", "xiangqi", "50", "--seconds", "1"], 1, "--seconds"),
        (&["perft", "gomoku/standard", "50", "--seconds", "1", "--threads", "2"], 1, "after one second"),
        (&["perft", "xiangqi", "40", "--seconds", "1", "--divide"], 1, "--seconds"),
        (&["engine", "xiangqi", "--hash", "0"], 2, "1..=16384"),
        (&["match", "--game", "xiangqi", "--a", "our", "--b", "our", "--pairs", "0"], 2, "1..=1000000"),
        (&["match", "--game", "xiangqi", "--a", "our", "--b", "our", "--concurrency", "0"], 2, "1..=256"),
        (&["match", "--game", "xiangqi", "--a", "our:level=99", "--b", "our"], 1, "our:level=10"),
        (
            &["load", "--hall", "http://127.0.0.1:9", "--seconds", "1", "--connections", "2"],
            1,
            "does not answer",
        ),
    ] {
        let output = run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
        assert!(errors.contains(words), "{args:?}: {errors}");
        assert!(!errors.contains("panicked"), "{args:?}: {errors}");
    }
}

/// Runs the program with that on its standard input.
fn piped(args: &[&str], input: &[u8]) -> Output {
    let mut child = qiguan(args);
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().expect("starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let output = child.wait_with_output().expect("ends");
    writer.join().expect("written or not wanted");
    output
}

/// The output and the errors of an extension go to its author, without control characters, and to no other place.
#[test]
fn an_extension_tells_its_author_on_debug() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.py");
    let text =
        "EX_NAME = 'x'\nprint('loaded \\x1b[31m')\ndef after_move(a, b):\n    print('from', a)\n    [][1]\n";
    std::fs::write(&file, text).expect("it is written");
    let starter = concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/starter.xlsx");
    let game = ["play", starter, "--extension", file.to_str().expect("UTF-8")];
    for (more, told) in [(&[][..], false), (&["--debug"], true), (&["--debug", "--plain"], true)] {
        let output = piped(&[&game[..], more].concat(), b"5,1-4,1\n");
        assert!(output.status.success(), "{more:?}: {output:?}");
        let errors = String::from_utf8(output.stderr).expect("UTF-8");
        let lines: Vec<&str> = errors.lines().collect();
        assert!(!errors.contains('\x1b'), "{more:?}: {errors:?}");
        assert_eq!(lines.first() == Some(&"loaded \u{fffd}[31m"), told, "{more:?}: {errors}");
        let failed = [
            "from (4, 0)",
            "Traceback (most recent call last):",
            "  x.py:5 in after_move: [][1]",
            "IndexError: list index out of range",
        ];
        assert_eq!(lines.windows(4).any(|lines| lines == failed), told, "{more:?}: {errors}");
        let from = errors.matches("from (4, 0)\nTraceback").count();
        assert_eq!(
            from,
            usize::from(told),
            "once, although the move is tried before it is played: {more:?}: {errors}"
        );
        assert!(!String::from_utf8_lossy(&output.stdout).contains("Traceback"), "{more:?}");
    }
}

/// Two games in GBK and one in UTF-8 go through every format that holds them, and one slip costs one game.
#[test]
fn convert_brings_games_from_format_to_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let game = |red: &str, moves: &str| format!("[Game \"Chinese Chess\"]\n[Red \"{red}\"]\n\n{moves}\n\n");
    let file = [game("a", "1. C2=5 H8+7 (1... H2+3) *"), game("b", "1. h2e2 {; [} 1-0")].concat();
    std::fs::write(path("in.pgn"), &file).expect("written");
    assert_eq!(stdout(&["convert", "--from", "pgn", "--to", "json", &path("in.pgn"), &path("out.json")]), "");
    assert_eq!(
        stdout(&["convert", "--from", "json", "--to", "txt", &path("out.json"), &path("out.txt")]),
        ""
    );
    let back = stdout(&["convert", "--to", "pgn", &path("out.txt")]);
    assert!(back.contains("1. 炮二平五 马8进7 (1... 马2进3) *\n\n[Game"), "{back}");
    assert!(back.ends_with("1. 炮二平五 {; [} 1-0\n"), "{back}");
    let wxf = piped(
        &["convert", "--from", "txt", "--to", "pgn", "--notation", "wxf"],
        &std::fs::read(path("out.txt")).expect("read"),
    );
    assert!(String::from_utf8_lossy(&wxf.stdout).contains("1. C2=5 H8+7 (1... H2+3) *"), "{wxf:?}");
    let slip = [game("a", "h2e2 *"), game("b", "1. h2e2 h9h1"), game("c", "a3a4 *")].concat();
    let output = piped(&["convert", "--from", "pgn", "--to", "json", "-", "-"], slip.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    // What comes before the slip is kept.
    let records = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!((records.lines().count(), records.matches("h2e2").count()), (3, 2), "{records}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("Game 2, kept up to this point: Line 9, column 9: h9h1"), "{errors}");
    assert!(errors.contains("1 of 3 games"), "{errors}");
    let cyrillic = b"[White \"\xd8\xe2\xe0\xf0\xf6\xec\xe0\xed\"]\n[GameType \"25\"]\n\n1. c3-d4 *\n";
    let output = piped(&["convert", "--to", "txt"], cyrillic);
    assert!(String::from_utf8_lossy(&output.stdout).contains("Шварцман"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("windows-1251"), "{output:?}");
}

#[test]
fn convert_knows_positions() {
    let fen = |args: &[&str], input: &str| {
        let output = piped(&[&["convert"], args].concat(), input.as_bytes());
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let rows = "5/1b3/2w2/5/5 b";
    let of = ["--game", "gomoku/standard", "--from", "fen"];
    assert_eq!(
        fen(&[&of[..], &["--to", "fen"]].concat(), &format!("{rows}\n{rows}\n")),
        (true, format!("{rows}\n{rows}\n"))
    );
    let (done, sgf) = fen(&[&of[..], &["--to", "sgf"]].concat(), rows);
    assert!(done && sgf.contains("AB[bb]") && sgf.contains("AW[cc]"), "{sgf}");
    // A game becomes the position it ends with.
    assert_eq!(fen(&["--to", "fen"], "(;GM[4]SZ[5];B[aa];W[ee])"), (true, "b4/5/5/5/4w b\n".to_owned()));
}

#[test]
fn convert_says_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    std::fs::write(path("noise"), "?").expect("written");
    std::fs::write(path("kept.json"), "kept").expect("written");
    std::fs::write(path("one.sgf"), "(;GM[4];B[zz])").expect("written");
    for (args, code, words) in [
        (&["--to", "json", &path("noise")][..], 1, "--from"),
        (&["--from", "pgn", "--to", "json"], 1, "no game"),
        (&["--from", "chess", "--to", "cbf"], 2, "cbf"),
        (&["--from", "runes", "--to", "json"], 2, "runes"),
        (&["--from", "pgn"], 2, "--to"),
        (&["--from", "fen", "--to", "fen", &path("noise")], 1, "Name the game"),
        (&["--from", "fen", "--to", "fen", "--game", "ludo", &path("noise")], 1, "ludo"),
        (&["--from", "sgf", "--to", "json", &path("nowhere.sgf")], 1, "nowhere.sgf: "),
        (&["--from", "sgf", "--to", "json", &path("one.sgf"), &path("kept.json")], 1, "zz"),
        (&["--from", "sgf", "--to", "json", &path("one.sgf"), &path("one.sgf")], 1, "at once"),
    ] {
        let output = run(&[&["convert"], args].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
        assert!(errors.contains(words), "{args:?}: {errors}");
    }
    assert_eq!(
        std::fs::read_to_string(path("kept.json")).expect("read"),
        "kept",
        "nothing came, nothing was lost"
    );
}

#[test]
fn help_and_version() {
    let help = stdout(&["--help"]);
    for family in ["xiangqi", "draughts", "gomoku", "locked chess", "maps"] {
        assert!(help.lines().next().is_some_and(|first| first.contains(family)), "{family}: {help}");
    }
    for command in ["serve", "referee", "games", "perft", "convert", "load", "solve", "completions", "man"] {
        assert!(help.lines().any(|line| line.trim_start().starts_with(command)), "{command}: {help}");
        assert!(stdout(&[command, "--help"]).contains("Usage"), "{command}");
    }
    assert!(stdout(&["--version"]).starts_with("qiguan "));
}

#[test]
fn the_referee_answers_over_pipes() {
    let mut child =
        qiguan(&["referee"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    // Each answer comes before the next question: a bot waits for it.
    for (request, wanted) in [
        (r#"{"id":1,"game":"gomoku/standard","moves":["h8"],"ask":["turn"]}"#, r#"{"id":1,"turn":"second"}"#),
        (r#"{"id":2,"game":"gomoku/standard","perft":2}"#, r#"{"id":2,"perft":50400}"#),
    ] {
        writeln!(input, "{request}").expect("is read");
        let mut line = String::new();
        output.read_line(&mut line).expect("answers");
        let (found, wanted): (Value, Value) =
            (serde_json::from_str(&line).expect("JSON"), serde_json::from_str(wanted).expect("JSON"));
        assert_eq!(found, wanted);
    }
    writeln!(input, "nonsense").expect("is read");
    let mut line = String::new();
    output.read_line(&mut line).expect("answers");
    assert!(line.contains("bad-request"), "{line}");
    drop(input);
    assert!(child.wait().expect("ends").success(), "the end of the input is the end");
}

/// A hall of the real program. It ends with its owner.
struct Hall {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
    url: String,
    admin: String,
    data: tempfile::TempDir,
}

impl Hall {
    fn open() -> Hall {
        let data = tempfile::tempdir().expect("a folder");
        let folder = data.path().to_str().expect("text").to_owned();
        let any = "127.0.0.1:0";
        let args = ["serve", "--listen", any, "--admin-listen", any, "--limits", "off", "--data", &folder];
        let mut child = qiguan(&args).stdout(Stdio::piped()).spawn().expect("starts");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut address = || {
            let mut line = String::new();
            output.read_line(&mut line).expect("says where it is");
            let url = line.split_whitespace().find(|word| word.starts_with("http://"));
            url.expect("an address").to_owned()
        };
        let (url, admin) = (address(), address());
        let admin = admin.trim_end_matches("/metrics").to_owned();
        Hall { child, output, url, admin, data }
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn load_prints_its_figures() {
    let hall = Hall::open();
    // Two play several boards full within that time, with a rematch between them.
    let text = stdout(&[
        "load",
        "--hall",
        &hall.url,
        "--admin",
        &hall.admin,
        "--connections",
        "2",
        "--seconds",
        "2",
    ]);
    for name in ["connections  2", "hall memory", "moves  ", "moves/s", "wait  ", "p99", "on the wire"] {
        assert!(text.contains(name), "{name}: {text}");
    }
    let text = stdout(&["load", "--hall", &hall.url, "--admin", &hall.admin, "--connections", "4", "--idle"]);
    assert!(text.contains("kB a connection") && !text.contains("moves/s"), "{text}");
    let text = stdout(&["load", "--hall", &hall.url, "--connections", "4", "--seconds", "1", "--rate", "20"]);
    assert!(text.contains("moves/s"), "{text}");
}

/// A check of a run without any acknowledged move fails, so that it is not taken for one without losses (O7).
#[test]
fn a_check_of_nothing_is_no_success() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = folder.path().join("told");
    std::fs::write(&told, "").expect("writes");
    let file = told.to_str().expect("UTF-8");
    let output = run(&["load", "--check", file, "--store", "postgres://hall@127.0.0.1:1/hall"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("nothing was acknowledged"), "{said}");
}

#[test]
fn the_file_of_settings_is_read_or_refused_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hall.toml");
    let path = file.to_str().expect("text");
    let data = folder.path().join("data");
    for (name, text, words) in [
        ("an unknown limit", "[limits]\nrequests = 9\nfriends = 3\n", &["line 3", "friends"][..]),
        ("an unknown section", "[limit]\n", &["line 1", "limit"]),
        (
            "a provider in the clear",
            "[openid]\nissuer = \"http://id.example\"\nclient_id = \"q\"\nname = \"Club\"\n",
            &["openid.issuer", "https"],
        ),
    ] {
        std::fs::write(&file, text).expect("writes");
        for check in [&[][..], &["--check"]] {
            let words_of =
                [&["serve", "--config", path, "--data", data.to_str().expect("text")], check].concat();
            let output = run(&words_of);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{name}: {errors}");
            assert!(
                words.iter().all(|word| errors.contains(word)) && errors.contains(path),
                "{name}: {errors}"
            );
        }
    }
    std::fs::write(&file, "[limits]\nrequests = 9\n").expect("writes");
    let said = stdout(&["serve", "--config", path, "--data", data.to_str().expect("text"), "--check"]);
    assert_eq!(said, "The settings are fine; the hall was not opened.\n");
    assert!(!data.exists(), "nothing was made");
    // The files for database and bus are read, and nothing is connected to.
    let data = data.to_str().expect("text");
    let pem = folder.path().join("pem").to_str().expect("text").to_owned();
    std::fs::write(&pem, "no certificate").expect("writes");
    let database = |query: &str| format!("postgres://hall@127.0.0.1:1/hall{query}");
    for (name, store, words, part) in [
        ("no file for the bus", database(""), &["--bus-creds", "nowhere"][..], "nowhere"),
        (
            "no certificate for the bus",
            database(""),
            &["--bus-cert", &pem, "--bus-key", &pem],
            "no certificate",
        ),
        ("half a pair", database(""), &["--bus-cert", &pem], "--bus-key"),
        ("no certificate for the database", database(&format!("?sslcert={pem}")), &[], "sslcert"),
        ("no address", "mysql://x".to_owned(), &[], "postgres://user"),
    ] {
        let words_of = ["serve", "--check", "--data", data, "--bus", "nats://127.0.0.1:1", "--store", &store];
        let output = run(&[&words_of[..], words].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {errors}");
        assert!(errors.contains(part), "{name}: {errors}");
    }
    let words_of =
        ["serve", "--check", "--data", data, "--bus", "nats://127.0.0.1:1", "--store", &database("")];
    assert!(stdout(&words_of).contains("fine"));
}

/// The check asks for what the hall will need, where it is told to, and names what is not to be had.
#[test]
fn a_check_asks_database_and_addresses_where_it_is_told_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let data = data.to_str().expect("text");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let words_of = ["serve", "--data", data, "--listen", &address, "--check"];
    assert!(stdout(&words_of).contains("was not opened"), "asks nothing");
    let connect = [&words_of[..], &["--connect"]].concat();
    let output = run(&connect);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains(&address), "{output:?}");
    drop(taken);
    assert!(stdout(&connect).contains("to be had"));
    std::fs::create_dir(data).expect("makes");
    let held = std::fs::File::open(data).expect("opens");
    held.try_lock().expect("is free");
    assert_eq!(run(&connect).status.code(), Some(4));
    drop(held);
    let away = [&connect[..], &["--store", "postgres://hall@127.0.0.1:1/hall", "--bus", "postgres"]].concat();
    let output = run(&away);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert!(!run(&["serve", "--connect"]).status.success(), "only with --check");
}

#[test]
fn a_certificate_that_cannot_serve_is_refused_before_anything_is_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let made = || rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let (one, other) = (made(), made());
    std::fs::write(path("cert"), one.cert.pem()).expect("writes");
    std::fs::write(path("key"), other.signing_key.serialize_pem()).expect("writes");
    std::fs::write(path("text"), "no certificate").expect("writes");
    let data = path("data");
    for (name, cert, key, words) in [
        ("no certificate there", "nowhere", "key", "nowhere cannot be read"),
        ("no key there", "cert", "nowhere", "nowhere cannot be read"),
        ("text for a certificate", "text", "key", "holds no certificate"),
        ("text for a key", "cert", "text", "holds no private key"),
        ("a key of another certificate", "cert", "key", "do not serve together"),
    ] {
        let (cert, key) = (path(cert), path(key));
        let words_of =
            ["serve", "--listen", "127.0.0.1:0", "--data", &data, "--tls-cert", &cert, "--tls-key", &key];
        for words_of in [words_of.to_vec(), [&words_of[..], &["--check"]].concat()] {
            let output = run(&words_of);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{name}: {errors}");
            assert!(errors.contains(words), "{name}: {errors}");
            assert!(!std::path::Path::new(&data).exists(), "{name}: nothing was made");
        }
    }
}

/// A bus that refuses the password is reported before the database is touched, in both languages, without the
/// password (O1).
#[test]
fn a_bus_that_lets_nobody_in_is_a_sentence() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    drop(listener);
    let mut words = Command::new("nats-server");
    words.args(["-a", "127.0.0.1", "-p", &port.to_string(), "--user", "hall", "--pass", "s3cret"]);
    let Ok(mut server) = words.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
        eprintln!("skipped: there is no nats-server");
        return;
    };
    for _ in 0..100 {
        if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let data = tempfile::tempdir().expect("a folder");
    let creds = data.path().join("creds");
    std::fs::write(&creds, "hall:wr0ng\n").expect("writes");
    let (plain, with) = (format!("nats://127.0.0.1:{port}"), format!("nats://hall:wr0ng@127.0.0.1:{port}"));
    let path = creds.to_str().expect("UTF-8");
    let refused = |language: &str, bus: &str, creds: &str| {
        let mut hall = qiguan(&["serve", "--listen", "127.0.0.1:0", "--data"]);
        hall.arg(data.path()).env("LANG", language).stdin(Stdio::null());
        hall.env("QIGUAN_STORE", "postgres://hall@127.0.0.1:1/hall").env("QIGUAN_BUS", bus);
        let output = hall.env("QIGUAN_BUS_CREDS", creds).output().expect("ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(!said.contains("wr0ng"), "{said}");
        said
    };
    let rows = [
        ("en_US.UTF-8", &with, "", "does not accept this password"),
        ("zh_CN.UTF-8", &with, "", "不接受这个密码"),
        ("en_US.UTF-8", &plain, path, "does not accept this password"),
        ("en_US.UTF-8", &plain, "", "--bus-creds"),
        ("zh_CN.UTF-8", &plain, "", "没有凭证"),
    ];
    let wrong: Vec<String> = rows
        .into_iter()
        .map(|(language, bus, creds, part)| (refused(language, bus, creds), part))
        .filter_map(|(said, part)| (!said.contains(part)).then_some(said))
        .collect();
    let _ = server.kill();
    let _ = server.wait();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn small_boards_of_locked_chess_are_solved_and_other_files_are_no_proofs() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("small").to_str().expect("text").to_owned();
    let said = stdout(&["solve", "locked", "--board", "4", "--stones", "2", "--box", "4", "--out", &file]);
    assert!(said.contains("28 formations") && said.contains("0 positions are safe no more"), "{said}");
    let map = MOUNTAINS;
    for (args, words) in [
        (&["solve", "check", &file][..], "a board of 4x4 with 2 stones"),
        (&["solve", "check", map], "no certificate"),
        (&["solve", "check", "/nowhere"], "/nowhere"),
        (&["solve", "locked", "--board", "5"], "even number"),
        (&["solve", "locked", "--out", "/nowhere/there"], "/nowhere/there"),
        (&["solve", "locked", "--board", "4", "--stones", "2", "--box", "4", "--out", &file], "--force"),
    ] {
        let output = run(args);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {errors}");
        assert!(errors.contains(words), "{args:?}: {errors}");
    }
}

#[test]
fn a_second_hall_on_the_same_data_is_refused() {
    let hall = Hall::open();
    let folder = hall.data.path().to_str().expect("text");
    let output = run(&["serve", "--listen", "127.0.0.1:0", "--data", folder]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{errors}");
    assert!(errors.contains("Another hall uses the data"), "{errors}");
}

#[cfg(unix)]
#[test]
fn a_hall_that_is_asked_to_end_says_goodbye_to_everybody() {
    use client::Guest;
    use wire::{ClockSpec, CreateTable, How, ServerMessage};

    let mut hall = Hall::open();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let wish = CreateTable {
        game: "gomoku/standard".to_owned(),
        options: std::collections::BTreeMap::new(),
        map: None,
        fen: None,
        how: How::Invite,
        room: None,
        clock: ClockSpec::None,
        side: None,
        opponent: None,
        rated: false,
    };
    let patience = std::time::Duration::from_secs(30);
    runtime.block_on(async {
        let guest = Guest::enter(&hall.url).await.expect("enters");
        let table = guest.open(&wish).await.expect("a table").id;
        let mut lines = Vec::new();
        for _ in 0..20 {
            let mut line = guest.connect(&table, None).await.expect("opens");
            line.hear().await.expect("everything");
            lines.push(line);
        }
        let pid = hall.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().is_ok_and(|status| status.success()));
        for mut line in lines {
            let goodbye = async { while !matches!(line.hear().await, Ok(ServerMessage::Stopping)) {} };
            tokio::time::timeout(patience, goodbye).await.expect("everybody is told");
        }
    });
    assert!(hall.child.wait().expect("ends").success(), "and it ends well");
    let rest: Vec<String> = std::mem::take(&mut hall.output_lines());
    assert!(rest.iter().any(|line| line.contains("closes")), "{rest:?}");
}

impl Hall {
    fn output_lines(&mut self) -> Vec<String> {
        (&mut self.output).lines().map_while(Result::ok).collect()
    }
}

#[test]
fn a_reader_that_has_gone_ends_a_command_in_silence() {
    for args in [
        &["games"][..],
        &["games", "--json"],
        &["perft", "xiangqi", "2", "--divide"],
        &["perft", "xiangqi", "2", "--json"],
        &["--help"],
        &["completions", "bash"],
        &["map", "show", MOUNTAINS],
        &[
            "match",
            "-g",
            "gomoku",
            "-a",
            "random",
            "-b",
            "random",
            "-p",
            "1",
            "--max-plies",
            "2",
            "--balance",
            "0",
            "--movetime",
            "100",
        ],
    ] {
        let mut child =
            qiguan(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    // What answers line by line, too.
    for (args, input) in [
        (&["referee"][..], "{\"game\":\"locked\"}\n"),
        (&["engine", "locked"], "uci\n"),
        (&["convert", "--to", "json"], "(;GM[4];B[aa])"),
        (&["play", "locked"], "u\n"),
        (&["play", "locked", "--plain"], "u\n"),
    ] {
        let mut child = qiguan(args);
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().expect("it starts");
        drop(child.stdout.take());
        let mut pipe = child.stdin.take().expect("a pipe");
        let input = input.repeat(if args[0] == "convert" { 1 } else { 200 });
        let writer = std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
        let output = child.wait_with_output().expect("it ends");
        writer.join().expect("written or not wanted");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A full disk is reported on standard error, without a panic; when standard error is full too, the message is
/// dropped.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device");
    for (args, input) in [
        (&["games"][..], ""),
        (&["games", "--json"], ""),
        (&["perft", "xiangqi", "1"], ""),
        (&["perft", "xiangqi", "2", "--divide"], ""),
        (&["--help"], ""),
        (&["--version"], ""),
        (&["completions", "zsh"], ""),
        (&["map", "show", MOUNTAINS], ""),
        (&["referee"], "{}\n"),
        (&["engine", "locked"], "uci\n"),
        (&["convert", "--to", "json"], "(;GM[4];B[aa])"),
        (&["play", "locked"], "u\n"),
    ] {
        let mut child = qiguan(args);
        child.stdin(Stdio::piped()).stdout(full()).stderr(Stdio::piped());
        let mut child = child.spawn().expect("it starts");
        drop(child.stdin.take().expect("a pipe").write_all(input.as_bytes()));
        let output = child.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {errors}");
        assert!(errors.contains("the disk is full") && !errors.contains("panicked"), "{args:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{args:?}: {errors}");
    }
    let both = qiguan(&["perft", "chess", "1"]).stdout(full()).stderr(full()).status();
    assert_eq!(both.expect("ends").code(), Some(1));
}

/// The language follows the variables of the environment as POSIX defines them.
#[test]
fn the_environment_chooses_the_language() {
    let first = |variables: &[(&str, &str)]| {
        let output = qiguan(&["perft", "chess", "1"]).envs(variables.iter().copied()).output().expect("ends");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(first(&[("LC_ALL", "zh_CN.UTF-8")]).contains("没有"));
    assert!(first(&[("LC_MESSAGES", "zh_CN.UTF-8")]).contains("没有"));
    assert!(first(&[("LC_ALL", "en_US.UTF-8"), ("LANG", "zh_CN.UTF-8")]).contains("no game"));
}

/// Logs that go to a file have no colours in them.
#[test]
fn a_log_in_a_file_is_plain() {
    let data = tempfile::tempdir().expect("a folder");
    let log = data.path().join("log");
    let folder = data.path().join("data");
    let args = ["serve", "--listen", "127.0.0.1:0", "--data", folder.to_str().expect("text")];
    let mut hall = qiguan(&args);
    hall.env("RUST_LOG", "trace").stdout(Stdio::piped()).stderr(std::fs::File::create(&log).expect("a file"));
    let mut hall = hall.spawn().expect("starts");
    let mut first = String::new();
    BufReader::new(hall.stdout.take().expect("a pipe")).read_line(&mut first).expect("it is open");
    let _ = hall.kill();
    let _ = hall.wait();
    let log = std::fs::read_to_string(log).expect("text");
    assert!(!log.is_empty() && !log.contains('\u{1b}'), "{log}");
}

/// A family or a variant alone names a game, in every command.
#[test]
fn games_are_named_alike_everywhere() {
    for (name, key) in
        [("renju", "gomoku/renju"), ("GOMOKU", "gomoku/freestyle"), ("draughts", "draughts/international")]
    {
        let told: Value = serde_json::from_str(&stdout(&["perft", name, "1", "--json"])).expect("JSON");
        assert_eq!(told["game"], key);
        assert_eq!(told["nodes"].as_u64(), Some(figures(&stdout(&["perft", key, "1"])).0));
        for args in [
            &["play", name, "--plain"][..],
            &["convert", "-g", name, "-f", "fen", "-t", "fen"],
            &["engine", name],
            &[
                "match",
                "-g",
                name,
                "-a",
                "random",
                "-b",
                "random",
                "-p",
                "1",
                "--max-plies",
                "1",
                "--balance",
                "0",
            ],
        ] {
            let errors = String::from_utf8_lossy(&run(args).stderr).into_owned();
            assert!(!errors.contains("no game called"), "{args:?}: {errors}");
        }
    }
}

#[test]
fn what_an_engine_cannot_read_is_told_in_a_sentence() {
    let output = piped(
        &["engine", "xiangqi"],
        b"dance\nsetoption name Threads value 0\nposition startpos moves h2e3\ngo depth 1\n",
    );
    let said = String::from_utf8_lossy(&output.stdout);
    for sentence in ["There is no command \"dance\"", "from 1 to 256", "There is no position"] {
        assert!(said.contains(sentence), "{sentence}: {said}");
    }
    let keys =
        said.lines().filter(|line| line.split_whitespace().nth(2).is_some_and(|word| word.contains('-')));
    assert_eq!(keys.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn perft_can_be_read_by_programs() {
    let told: Value =
        serde_json::from_str(&stdout(&["perft", "xiangqi", "2", "--divide", "--json"])).expect("JSON");
    assert_eq!((&told["nodes"], &told["depth"]), (&Value::from(1920), &Value::from(2)));
    let parts = told["divide"].as_array().expect("a list");
    assert_eq!(parts.iter().filter_map(|part| part["nodes"].as_u64()).sum::<u64>(), 1920);
    // Counting in parts counts the same.
    for (game, depth, threads) in
        [("xiangqi", "5", "1"), ("xiangqi", "5", "3"), ("draughts/russian", "8", "2")]
    {
        let fen: &[&str] =
            if game == "xiangqi" { &["--fen", "4k4/9/9/9/9/3R5/9/9/9/5K3 w - - 118 80"] } else { &[] };
        let whole = stdout(&[&["perft", game, depth, "--threads", threads], fen].concat());
        let parts = stdout(&[&["perft", game, depth, "--divide"], fen].concat());
        assert_eq!(figures(&whole).0, figures(&parts).0, "{game}");
    }
}

#[test]
fn shells_and_manuals_are_served() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&["completions", shell]);
        assert!(script.contains("perft") && script.contains("qiguan"), "{shell}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    stdout(&["man", pages.to_str().expect("text")]);
    for page in ["qiguan.1", "qiguan-play.1", "qiguan-map-check.1"] {
        let text = std::fs::read_to_string(pages.join(page)).unwrap_or_else(|why| panic!("{page}: {why}"));
        assert!(text.contains(".TH") && text.contains("Exit status: 0"), "{page}");
    }
    let read = |page: &str| std::fs::read_to_string(pages.join(page)).expect("a page");
    assert!(read("qiguan.1").contains("LC_MESSAGES") && read("qiguan-serve.1").contains("QIGUAN_STORE"));
    assert!(read("qiguan-serve.1").contains("3 an address"), "statuses of a hall");
    assert!(!pages.join("qiguan-help.1").exists());
}

/// Messages of the operating system are in Chinese, not English ones amid Chinese sentences.
#[test]
fn what_the_system_says_is_told_in_chinese() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().to_str().expect("UTF-8");
    let (gone, data) = (format!("{at}/none/gone.pgn"), format!("{at}/data"));
    let match_with = |option| ["match", "--game", "xiangqi", "--a", "our", "--b", "our", option, &gone];
    for args in [
        &["convert", &gone, "--to", "json"][..],
        &["convert", at, "--to", "json"],
        &["library", "import", &gone, "--into", "x", "--data", &data],
        &["library", "import", at, "--into", "x", "--data", &data],
        &["library", "search", "--data", "/dev/null"],
        &["map", "check", &gone],
        &["map", "show", at],
        &["admin", "check", "--data", &gone],
        &["serve", "--config", &gone, "--data", &data],
        &["serve", "--listen", "127.0.0.1:0", "--data", "/dev/null"],
        &match_with("--openings"),
        &match_with("--engines"),
        &["load", "--check", &gone, "--store", "postgres://hall@127.0.0.1:1/hall"],
        &["load", "--hall", "http://127.0.0.1:9", "--seconds", "1", "--connections", "2"],
        &["man", "/dev/null/pages"],
    ] {
        let output = qiguan(args).env("LC_ALL", "zh_CN.UTF-8").stdin(Stdio::null()).output().expect("ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && !said.is_empty(), "{args:?}: {said}");
        for word in ["os error", "No such", "directory", "refused", "denied", "not answer"] {
            assert!(!said.contains(word), "{args:?}, {word}: {said}");
        }
        assert!(said.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c)), "{args:?}: {said}");
    }
}

/// Help is in the language of the user to the last line.
#[test]
fn help_is_told_in_chinese() {
    for args in [&["--help"][..], &["match", "-h"], &["help", "admin", "check"]] {
        let output = qiguan(args).env("LC_ALL", "zh_CN.UTF-8").output().expect("ends");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && text.contains("用法: ") && text.contains("选项:"),
            "{args:?}: {text}"
        );
        for word in ["Usage", "Options", "Print", "[default", "Exit status"] {
            assert!(!text.contains(word), "{args:?}, {word}: {text}");
        }
    }
}

#[test]
fn convert_overwrites_only_when_told_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    std::fs::write(path("in.sgf"), "(;GM[4];B[aa])").expect("written");
    std::fs::write(path("out.json"), "kept").expect("written");
    let args = ["convert", "-t", "json", &path("in.sgf"), &path("out.json")];
    let output = run(&args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && errors.contains("--force"), "{errors}");
    assert_eq!(std::fs::read_to_string(path("out.json")).expect("read"), "kept");
    stdout(&[&args[..], &["--force"]].concat());
    assert!(std::fs::read_to_string(path("out.json")).expect("read").starts_with('{'));
}

/// A game played line by line is saved when the system ends the program.
#[test]
fn a_game_in_lines_is_saved_when_the_system_ends_it() {
    for (signal, saved_before) in [("-TERM", false), ("-HUP", false), ("-TERM", true)] {
        let home = tempfile::tempdir().expect("a folder");
        let mut child = qiguan(&["play", "xiangqi", "--plain"])
            .env("XDG_DATA_HOME", home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        let mut input = child.stdin.take().expect("is piped");
        let mut heard = BufReader::new(child.stdout.take().expect("is piped")).lines();
        heard.next().expect("the start").expect("text");
        let mut lines = vec!["h2e2".to_owned(), "h9g7".to_owned()];
        if saved_before {
            lines.push(format!("save {}", home.path().join("mine.json").display()));
        }
        for line in lines {
            writeln!(input, "{line}").expect("writes");
            heard.next().expect("an answer").expect("text");
        }
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().is_ok_and(|status| status.success()));
        let output = child.wait_with_output().expect("ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let own = std::fs::read_dir(home.path().join("qiguan")).map(|all| all.flatten().collect::<Vec<_>>());
        let files: Vec<_> = own
            .unwrap_or_default()
            .into_iter()
            .map(|file| file.path())
            .filter(|path| path.extension().is_some_and(|e| e == "json"))
            .collect();
        if saved_before {
            assert!(files.is_empty(), "{files:?}: {said}");
            continue;
        }
        assert_eq!(files.len(), 1, "{signal}: {said}");
        assert!(said.contains("--load"), "{signal}: {said}");
        let record = std::fs::read_to_string(&files[0]).expect("reads");
        assert!(record.contains("h2e2") && record.contains("h9g7"), "{record}");
    }
}

/// Commands overwrite a file only when told to, a refused one leaves it as it was, and a match finds out before its
/// first game where it cannot write.
#[test]
fn files_are_overwritten_when_that_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (games, there) = (path("games.jsonl"), path("there.pdn"));
    std::fs::write(&there, "mine").expect("can be written");
    stdout(&[
        "learn",
        "games",
        "-g",
        "draughts/russian",
        "-o",
        &games,
        "--games",
        "1",
        "--nodes",
        "1",
        "--max-plies",
        "4",
    ]);
    let play = [
        "match",
        "-g",
        "draughts",
        "-a",
        "random",
        "-b",
        "random",
        "-p",
        "1",
        "--nodes",
        "1",
        "--max-plies",
        "4",
    ];
    let play = |records: &str| [&play[..], &["--balance", "0", "--records", records]].concat().join("\u{1}");
    let words = |line: &str| line.split('\u{1}').map(str::to_owned).collect::<Vec<_>>();
    let pack = |more: &str| {
        format!(
            "learn\u{1}positions\u{1}-g\u{1}draughts/russian\u{1}--data\u{1}{games}\u{1}-o\u{1}{there}{more}"
        )
    };
    for line in [
        pack(""),
        play(&there),
        format!("puzzles\u{1}export\u{1}-o\u{1}{there}\u{1}--data\u{1}{}", path("data")),
    ] {
        let words = words(&line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = run(&words);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains("--force"), "{words:?}: {errors}");
        assert_eq!(std::fs::read_to_string(&there).expect("is there"), "mine", "{words:?}");
    }
    for records in [path("none/x.pdn"), path("x.nothing")] {
        let words = words(&play(&records));
        let output = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(!output.status.success() && output.stdout.is_empty(), "{records}: {output:?}");
    }
    let forced = words(&format!("{}\u{1}--force", play(&there)));
    assert!(run(&forced.iter().map(String::as_str).collect::<Vec<_>>()).status.success());
    assert!(std::fs::read_to_string(&there).expect("is there").contains("[Event"));
    assert!(!std::path::Path::new(&path("there.pdn.part")).exists());
}

/// The first word of an interface that passes no arguments, or only the game, decides the protocol.
#[test]
fn the_first_word_decides() {
    for (args, line, wanted) in [
        (&[][..], "uci\nquit\n", "uciok"),
        (&[], "ucci\nquit\n", "ucciok"),
        (&[], "START 15\nEND\n", "OK"),
        (&[], "hub\nquit\n", "wait"),
        (&["engine"], "ucci\nquit\n", "ucciok"),
        (&["engine", "xiangqi"], "\nucci\nquit\n", "ucciok"),
        (&["engine", "xiangqi"], "uci\nquit\n", "uciok"),
        (&["engine", "locked"], "uci\nquit\n", "uciok"),
    ] {
        let output = piped(args, line.as_bytes());
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.lines().any(|said| said == wanted), "{args:?} {line:?}: {said}");
    }
    let output = piped(&[], b"hello\n");
    assert_eq!(output.status.code(), Some(2), "what is no protocol is answered with the help");
    let two = run(&["engine", "xiangqi", "locked"]);
    assert!(String::from_utf8_lossy(&two.stderr).contains("one game at a time"));
}

/// The output with `--json` is all JSON, errors too; and errors are in the language of the user.
#[test]
fn everything_can_be_read_by_programs() {
    let json = |text: &[u8]| -> Value {
        serde_json::from_slice(text).unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(text)))
    };
    for args in [
        &["perft", "chess", "2", "--json"][..],
        &["dance", "--json"],
        &["convert", "--json", "-t", "pgn", "/nowhere.xqf"],
        &["library", "search", "--json", "--data", "/nowhere"],
        &["map", "check", "/nowhere.xlsx", "--json"],
        &["serve", "--json", "--listen", "127.0.0.1:0", "--data", "/dev/null"],
    ] {
        let output = run(args);
        assert!(!output.status.success(), "{args:?}");
        let told = if output.stderr.is_empty() { json(&output.stdout) } else { json(&output.stderr) };
        assert!(told.is_object(), "{args:?}: {told}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.xlsx");
    let said = json(stdout(&["map", "new", "--json", file.to_str().expect("UTF-8")]).as_bytes());
    assert!(said["said"].as_str().is_some_and(|said| said.contains("mine.xlsx")), "{said}");
    let again = run(&["map", "new", "--json", file.to_str().expect("UTF-8")]);
    assert_eq!(again.status.code(), Some(1));
    assert!(json(&again.stderr)["error"].as_str().is_some_and(|why| why.contains("--force")));
    stdout(&["map", "new", "--force", file.to_str().expect("UTF-8")]);
    let chinese = qiguan(&["play", "--levl", "3"]).env("LANG", "zh_CN.UTF-8").output().expect("ends");
    let told = String::from_utf8_lossy(&chinese.stderr).into_owned();
    assert!(told.starts_with("qiguan: ") && told.contains("--level") && told.contains("用法"), "{told}");
}

/// Games that earlier programs saved can be continued, and the classic console carries out its commands.
#[test]
fn what_the_programs_of_before_saved_is_played_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    const FEN: &str = "12/12/12/3b4w3/4b2w4/12/12/4w2b4/3w4b3/12/12/12 b 2 v -";
    std::fs::write(path("at.fen"), format!("{FEN}\n")).expect("can be written");
    let saved = stdout(&["convert", "-g", "locked", "-f", "fen", "-t", "locked", &path("at.fen")]);
    assert!(saved.starts_with("{\"all_locate\": \"[[0, 0,"), "{saved}");
    std::fs::write(path("saved.json"), &saved).expect("can be written");
    assert_eq!(stdout(&["convert", "-t", "fen", &path("saved.json")]).trim(), FEN);
    for args in [
        &["play", "--plain", "--load", &path("saved.json")][..],
        &["play", "locked", "--plain", "--fen", &saved],
    ] {
        let output = piped(args, b"fen\nquit\n");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains(FEN), "{args:?}: {said} {}", String::from_utf8_lossy(&output.stderr));
    }
    std::fs::write(path("five.pos"), "h8i9").expect("can be written");
    let output = piped(&["play", "--seed-console", "--load", &path("five.pos")], b"");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("[0, 0, 0, 0, 0, 0, 0, 1,") && said.ends_with("请输入黑方落点(x y): "), "{said}");
    let output = piped(&["play", "--seed-console", "--level", "1", "--side", "second"], b"");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("电脑黑方落点(x y): "), "{said}");
    let refused = run(&["play", "--seed-console", "--plain"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--plain"));
}
