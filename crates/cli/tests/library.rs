//! `qiguan library` as people use it: imported games come out again, damaged ones are reported with their place, an
//! interrupted import goes on, and memory is bounded.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use kernel::laws::Random;
use kernel::{AnyGame, Side};
use records::{Ending, Format, Record, Score, write};

fn qiguan(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
    command.current_dir(folder).env("LC_ALL", "C").arg("library").args(args);
    command.output().expect("the program runs")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn start(key: &str) -> Box<dyn AnyGame> {
    let entry = catalog::find(key).expect("a game");
    let options = entry.settle(&catalog::Options::new(), catalog::Setting::Faithful).expect("options");
    entry.open(None, &options, None).expect("the start")
}

fn games(key: &str, count: u64) -> Vec<Record> {
    (1..=count)
        .map(|seed| {
            let mut random = Random(seed);
            let mut game = start(key);
            for _ in 0..30 {
                let moves = game.moves();
                if moves.is_empty() {
                    break;
                }
                game.play(&moves[random.below(moves.len().min(4))]).expect("legal");
            }
            let mut record = Record { start: None, ..Record::of(key, &*game) };
            record.players = [format!("Ann {seed}"), "Bo".to_owned()];
            record.date = "2026-11-21".to_owned();
            record.ending = Some(Ending { score: Score::Win(Side::First), reason: String::new() });
            record
        })
        .collect()
}

fn file(format: Format, records: &[Record]) -> Vec<u8> {
    let mut all = Vec::new();
    for record in records {
        all.extend(write(format, record).expect("our own record"));
        all.extend(format.between());
    }
    all
}

#[test]
fn games_go_in_are_found_and_come_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let empty = qiguan(at, &["search"]);
    assert!(!empty.status.success() && said(&empty).contains("qiguan library import"), "{}", said(&empty));
    let records = games("xiangqi", 40);
    fs::write(at.join("games.pgn"), file(Format::Pgn, &records)).unwrap();
    let done = qiguan(at, &["import", "games.pgn", "--into", "Cup"]);
    assert!(done.status.success(), "{}", said(&done));
    assert!(said(&done).contains("40 games read, 40 added, 0 there already, 0 refused"), "{}", said(&done));
    let again = qiguan(at, &["import", "games.pgn", "--into", "cup"]);
    assert!(said(&again).contains("40 added"), "an import that is done is not done again: {}", said(&again));
    fs::copy(at.join("games.pgn"), at.join("copy.pgn")).unwrap();
    let double = qiguan(at, &["import", "copy.pgn", "--into", "Cup"]);
    assert!(said(&double).contains("0 added, 40 there already"), "{}", said(&double));
    // By name, by position, by a move order that leads to it, by a pattern.
    let one = said(&qiguan(at, &["search", "--player", "ANN 7", "--json"]));
    assert_eq!(one.lines().count(), 1, "{one}");
    let first: Vec<String> =
        records[6].tree.main_line().take(3).map(|id| records[6].tree[id].text.clone()).collect();
    let position = said(&qiguan(
        at,
        &["search", "--game", "xiangqi", "--moves", &first.join(" "), "--json", "--limit", "100"],
    ));
    assert!(position.lines().count() >= 1 && position.contains("\"Ann 7\""), "{position}");
    assert!(position.lines().all(|line| line.contains("\"ply\":3")), "{position}");
    let explored = said(&qiguan(at, &["explore", "--game", "xiangqi", &first[0]]));
    assert!(explored.contains(&first[1]), "{explored}");
    let pattern = said(&qiguan(
        at,
        &[
            "search",
            "--game",
            "xiangqi",
            "--piece",
            "red:general@e0",
            "--piece",
            "black:general@e9",
            "--json",
            "--limit",
            "100",
        ],
    ));
    assert_eq!(pattern.lines().count(), 40, "every game begins so");
    let odd = qiguan(at, &["search", "--game", "xiangqi", "--piece", "red:e0"]);
    assert!(said(&odd).contains("SIDE:PIECE@CELL"), "{}", said(&odd));
    let out = qiguan(at, &["export", "--to", "pgn", "--player", "ann 7", "out.pgn"]);
    assert!(out.status.success(), "{}", said(&out));
    let back = records::read(Format::Pgn, &fs::read(at.join("out.pgn")).unwrap()).expect("a PGN");
    assert_eq!((&back.tree, &back.players), (&records[6].tree, &records[6].players));
    let info = said(&qiguan(at, &["info"]));
    assert!(info.contains("Cup: 40 games"), "{info}");
    assert!(qiguan(at, &["remove", "cup"]).status.success());
    assert!(!said(&qiguan(at, &["info"])).contains("Cup"));
}

#[test]
fn every_format_comes_in_and_archives_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let mut archive = Vec::new();
    for (key, format) in [
        ("draughts/international", Format::Pdn),
        ("gomoku/freestyle", Format::Sgf),
        ("gomoku/renju", Format::Lib),
        ("gomoku/standard", Format::Psq),
        ("locked", Format::Text),
        ("xiangqi", Format::Json),
    ] {
        archive
            .push((format!("sub/{}.{}", key.replace('/', "-"), format.key()), file(format, &games(key, 1))));
    }
    let rif = include_bytes!("../../../fuzz/seeds/rif/small.rif");
    archive.push(("renjunet.rif".to_owned(), rif.to_vec()));
    let mut out = std::io::Cursor::new(Vec::new());
    let mut zip = zip::ZipWriter::new(&mut out);
    for (name, bytes) in &archive {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut zip, bytes).unwrap();
    }
    zip.finish().unwrap();
    fs::write(at.join("all.zip"), out.into_inner()).unwrap();
    let done = qiguan(at, &["import", "all.zip", "--into", "All"]);
    assert!(said(&done).contains("8 games read, 8 added"), "{}", said(&done));
    assert!(done.status.success(), "{}", said(&done));
}

#[test]
fn what_is_broken_is_told_with_file_number_line_and_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let mut text = String::from_utf8(file(Format::Pdn, &games("draughts/russian", 300))).unwrap();
    // One in a hundred is broken, in several ways.
    for (nth, broken) in [(50, "1. a3-b4 h6xa9"), (150, "1. ?? nonsense"), (250, "1. c3-c4")] {
        let tag = text.match_indices("[GameType").nth(nth).map(|(found, _)| found);
        let begin = tag.and_then(|found| text[..found].rfind("\n\n")).map_or(0, |found| found + 2);
        text.insert_str(begin, &format!("[Event \"broken {nth}\"]\n[GameType \"25\"]\n\n{broken} *\n\n"));
    }
    fs::write(at.join("games.pdn"), &text).unwrap();
    let done = qiguan(at, &["import", "games.pdn", "--into", "R", "--report", "report.jsonl"]);
    assert!(!done.status.success());
    // Of one the first move is kept, of one nothing is wrong but that it has no moves, and of one nothing is left.
    for told in ["302 added", "1 kept in part", "1 refused"] {
        assert!(said(&done).contains(told), "{told}: {}", said(&done));
    }
    let report = fs::read_to_string(at.join("report.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> =
        report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kept: Vec<&str> = rows.iter().map(|row| row["kept"].as_str().unwrap()).collect();
    assert_eq!(kept, ["part", "nothing"], "{report}");
    for row in &rows {
        assert_eq!(row["file"], "games.pdn");
        assert!(row["line"].as_u64().unwrap() > 100, "{row}");
        assert!(row["game"].as_u64().unwrap() > 0 && !row["reason"].as_str().unwrap().is_empty(), "{row}");
        assert!(!row["reason"].as_str().unwrap().starts_with("problem-"), "{row}");
    }
    let info = said(&qiguan(at, &["info", "R"]));
    assert_eq!(info.lines().count(), 2, "{info}");
}

/// Measures the peak of resident memory of a run, in kB, on Linux.
#[cfg(target_os = "linux")]
fn peak_kb(folder: &Path, args: &[&str]) -> (u64, String) {
    let mut command = Command::new("/bin/sh");
    command.current_dir(folder).env("LC_ALL", "C").env("QIGUAN", env!("CARGO_BIN_EXE_qiguan"));
    let line = format!(
        "\"$QIGUAN\" library {} >out 2>&1 & pid=$!; peak=0; \
         while k=$(sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$pid/status 2>/dev/null) && [ -n \"$k\" ]; do peak=$k; sleep 0.05; done; \
         wait $pid; echo $peak",
        args.join(" ")
    );
    let output = command.arg("-c").arg(line).output().expect("a shell");
    let peak = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap_or(0);
    (peak, fs::read_to_string(folder.join("out")).unwrap_or_default())
}

#[test]
#[cfg(target_os = "linux")]
fn hostile_files_take_bounded_memory_and_are_told_in_words() {
    const MOST_KB: u64 = 300 << 10;
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    // Variations nested ten thousand deep.
    let deep = format!(
        "[Event \"x\"]\n[GameType \"25\"]\n\n1. a3-b4 {}{} *\n",
        "(1. a3-b4 ".repeat(10_000),
        ")".repeat(10_000)
    );
    fs::write(at.join("deep.pdn"), deep).unwrap();
    let sgf = format!("(;GM[4];B[aa]{}{})", "(;W[bb]".repeat(10_000), ")".repeat(10_000));
    fs::write(at.join("deep.sgf"), sgf).unwrap();
    // A gigabyte without a game in it, which takes no room on the disk.
    fs::File::create(at.join("huge.pgn")).unwrap().set_len(1 << 30).unwrap();
    fs::write(
        at.join("bad.pgn"),
        [b"[Red \"".as_slice(), &[0xff, 0xfe, 0x80, 0x81], b"\"]\n\n1. \xff\xff\n"].concat(),
    )
    .unwrap();
    let mut bomb = std::io::Cursor::new(Vec::new());
    let mut zip = zip::ZipWriter::new(&mut bomb);
    let packed =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    zip.start_file("bomb.pgn", packed).unwrap();
    let block = vec![b'\n'; 1 << 20];
    for _ in 0..256 {
        std::io::Write::write_all(&mut zip, &block).unwrap();
    }
    zip.finish().unwrap();
    fs::write(at.join("bomb.zip"), bomb.into_inner()).unwrap();
    for name in ["deep.pdn", "deep.sgf", "huge.pgn", "bad.pgn", "bomb.zip"] {
        let format = if name == "huge.pgn" { vec!["--from", "pgn"] } else { Vec::new() };
        let args = [vec!["import", name, "--into", "X"], format].concat();
        let (peak, said) = peak_kb(at, &args);
        assert!(peak > 0 && peak < MOST_KB, "{name}: {peak} kB\n{said}");
        assert!(!said.contains("panicked") && !said.contains("problem-"), "{name}: {said}");
        assert!(said.contains("refused") || said.contains("read"), "{name}: {said}");
    }
}

/// Files of other programs come out of `convert` and `library import` as `data/records/cases.tsv` lists.
#[test]
fn files_of_other_programs_come_out_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records");
    let cases = fs::read_to_string(folder.join("cases.tsv")).expect("the list of cases");
    let home = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for (number, line) in cases.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, words, wants] = fields[..] else { panic!("{line}") };
        let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
        command.env("LC_ALL", "C").current_dir(home.path());
        if words == "import" {
            let data = home.path().join(format!("data{number}"));
            command.args(["library", "import", "--into", "check", "--data"]).arg(data);
        } else {
            command.args(["convert", "--to", "json"]).args(words.split_whitespace());
        }
        let output = command.arg(folder.join(name)).output().expect("the program runs");
        let lines = String::from_utf8_lossy(&output.stdout).into_owned();
        let records: Vec<serde_json::Value> =
            lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        for want in wants.split(';') {
            if !holds(want, &output, &records) {
                wrong.push(format!("{name} {words}: {want}, but {}", said(&output)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns true if an output agrees with a word of the list of cases.
fn holds(want: &str, output: &Output, records: &[serde_json::Value]) -> bool {
    let (key, value) = want.split_once('=').expect("a word and a value");
    let moves = |record: &serde_json::Value| {
        let all = record["moves"].as_array().expect("moves");
        all.iter().filter(|m| m.get("after").is_none()).count()
    };
    let first = records.first();
    match key {
        "rc" => output.status.code().is_some_and(|code| code.to_string() == value),
        "says" => !output.stderr.is_empty(),
        "added" => said(output).contains(&format!(" {value} added")),
        "games" => records.len().to_string() == value,
        "n" => first.is_some_and(|record| moves(record).to_string() == value),
        "game" => first.is_some_and(|record| record["game"] == value),
        "result" => first.is_some_and(|record| record["result"]["score"] == value),
        "names" => first.is_some_and(|record| {
            let name = |side: &str| record["players"][side].as_str().unwrap_or_default().to_owned();
            format!("{}/{}", name("first"), name("second")) == value
        }),
        "has" => String::from_utf8_lossy(&output.stdout).contains(value),
        "lacks" => !String::from_utf8_lossy(&output.stdout).contains(value),
        key => panic!("{key}"),
    }
}

/// A pipe has no length and cannot be read twice; a folder is no file. Both are answered with the result or a sentence.
#[cfg(unix)]
#[test]
fn pipes_are_read_and_folders_are_told() {
    use std::io::Write as _;
    use std::process::Stdio;
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let piped = |args: &[&str], bytes: &[u8]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
        command.current_dir(at).env("LC_ALL", "C").args(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let (mut pipe, bytes) = (child.stdin.take().expect("a pipe"), bytes.to_vec());
        // Who refuses what is piped does not read it to its end.
        let writing = std::thread::spawn(move || pipe.write_all(&bytes).is_ok());
        let output = child.wait_with_output().expect("it ends");
        let _ = writing.join();
        output
    };
    let games = file(Format::Pgn, &games("xiangqi", 2_000));
    assert!(games.len() > 500_000, "more than a pipe holds, and than is looked at first");
    let import = ["library", "import", "/dev/stdin", "--into", "Piped"];
    let first = piped(&import, &games);
    assert!(first.status.success() && said(&first).contains("2000 added"), "{}", said(&first));
    let second = piped(&import, &games);
    assert!(said(&second).contains("0 added, 2000 there already"), "{}", said(&second));
    let archive = piped(&import, b"PK\x03\x04 and so on");
    assert!(!archive.status.success() && said(&archive).contains("pipe"), "{}", said(&archive));
    let converted = piped(&["convert", "--to", "json", "/dev/stdin"], &games);
    assert_eq!(String::from_utf8_lossy(&converted.stdout).lines().count(), 2_000, "{}", said(&converted));
    for args in [&["library", "import", ".", "--into", "A"][..], &["convert", "--to", "json", "."]] {
        let told = piped(args, b"");
        assert_eq!(told.status.code(), Some(1), "{args:?}");
        assert!(said(&told).contains("is a folder"), "{args:?}: {}", said(&told));
    }
}

/// A part that a format cannot hold is reported, and the exit status says so.
#[test]
fn what_is_left_out_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let mut games = games("gomoku/freestyle", 3);
    let last = games[1].tree.main_line().last().expect("a move");
    games[1].tree[last].comment = "好".to_owned();
    fs::write(at.join("games.json"), file(Format::Json, &games)).unwrap();
    let convert = |to: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
        let args = ["convert", "--to", to, "games.json", &format!("out.{to}")];
        command.current_dir(at).env("LC_ALL", "C").args(args).output().expect("the program runs")
    };
    let short = convert("pos");
    assert_eq!(short.status.code(), Some(1));
    let told = said(&short);
    assert!(
        told.contains("players (3)") && told.contains("remarks (1)") && told.contains("the day (3)"),
        "{told}"
    );
    assert_eq!(fs::read_to_string(at.join("out.pos")).unwrap().lines().count(), 3, "all are written");
    for whole in ["txt", "sgf", "fen"] {
        let done = convert(whole);
        assert!(done.status.success() && said(&done).is_empty(), "{whole}: {}", said(&done));
    }
}
