//! The commands for authors of maps: would catch a case that is passed although the map plays otherwise, a report that plays
//! its games again, or that mixes games of two plans.
#![cfg(feature = "extensions")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn qiguan(words: &[&str]) -> Output {
    let program = Command::new(env!("CARGO_BIN_EXE_qiguan")).args(words).env("LC_ALL", "C").output();
    program.expect("qiguan runs")
}

fn maps() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_built_in_maps_play_as_their_cases_say() {
    let folder = maps().display().to_string();
    let done = qiguan(&["map", "test", &folder]);
    let said = text(&done.stdout);
    assert!(done.status.success(), "{said}{}", text(&done.stderr));
    for name in ["mountains", "leap", "magnets"] {
        assert!(said.contains(&format!("{name}.xlsx: ")), "{said}");
    }
    assert!(!said.contains("WRONG"), "{said}");
}

#[test]
fn a_case_that_is_not_so_is_told_and_ends_with_1() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(maps().join("mountains.xlsx"), folder.path().join("m.xlsx")).expect("copies");
    let place = folder.path().display().to_string();
    let fine = qiguan(&["map", "test", &place]);
    assert!(fine.status.success() && text(&fine.stdout).contains("m.cases.toml"), "{}", text(&fine.stdout));
    let case = "[[case]]\nname = \"a wrong one\"\npiece = \"7,2\"\nmoves = [\"7,2-1,1\"]\n";
    std::fs::write(folder.path().join("m.cases.toml"), case).expect("writes");
    let wrong = qiguan(&["map", "test", &place]);
    let said = text(&wrong.stdout);
    assert_eq!(wrong.status.code(), Some(1), "{said}");
    for part in ["WRONG: a wrong one", "should be: 7,2-1,1", "should not be: 7,2-6,2", "0 of 1"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    std::fs::write(folder.path().join("m.cases.toml"), "[[case]]\nnamed = 1\n").expect("writes");
    let unread = qiguan(&["map", "test", &place]);
    assert_eq!(unread.status.code(), Some(1));
    assert!(text(&unread.stdout).contains("line 2"), "{}", text(&unread.stdout));
    let empty = tempfile::tempdir().expect("a folder");
    let none = qiguan(&["map", "test", &empty.path().display().to_string()]);
    assert_eq!(none.status.code(), Some(1));
}

#[test]
fn a_report_is_written_and_its_games_are_not_played_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("report").display().to_string();
    let map = maps().join("starter.xlsx").display().to_string();
    let words = ["map", "report", &map, "--levels", "1,2", "--games", "3", "--longest", "40", "--out", &out];
    let done = qiguan(&words);
    let said = text(&done.stdout);
    assert!(done.status.success(), "{said}{}", text(&done.stderr));
    for part in ["Balance of starter", "6 of 6 games", "level 1: ", "[AdvantageP1]", "Wins by force"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let read = |name: &str| std::fs::read_to_string(Path::new(&out).join(name)).unwrap_or_default();
    for plot in ["shares", "lengths", "lead", "choices", "pieces", "visits"] {
        assert!(read(&format!("report-{plot}.svg")).starts_with("<svg"), "{plot}");
    }
    assert!(read("report.html").contains("<svg"));
    let report: wire::BalanceReport = serde_json::from_str(&read("report.json")).expect("a report");
    assert_eq!((report.done, report.of), (6, 6));
    // Again: nothing is played, and the same is told. Half a line at the end, as of a program that was killed, is made good.
    let games = read("report.games.jsonl");
    assert_eq!(games.lines().count(), 7, "what decides the games, and six of them");
    let cut = &games[..games.len() - 20];
    std::fs::write(Path::new(&out).join("report.games.jsonl"), cut).expect("writes");
    let again = qiguan(&words);
    assert_eq!(text(&again.stdout), said);
    let mended = read("report.games.jsonl");
    assert_eq!(mended.lines().count(), 7);
    assert_eq!(mended.lines().take(6).collect::<Vec<_>>(), games.lines().take(6).collect::<Vec<_>>());
    // Games of another plan are not mixed with them.
    let other = qiguan(&[&words[..], &["--seed", "2"]].concat());
    assert_eq!(other.status.code(), Some(1));
    assert!(text(&other.stderr).contains("report.games.jsonl"), "{}", text(&other.stderr));
    // Two maps side by side.
    let second = maps().join("mountains.xlsx").display().to_string();
    let both =
        qiguan(&["map", "report", &map, "--against", &second, "--levels", "1", "--games", "2", "--json"]);
    let list: Vec<wire::BalanceReport> = serde_json::from_slice(&both.stdout).expect("two reports");
    assert_eq!(list.len(), 2);
}

#[test]
fn a_hall_takes_the_weights_of_its_folder_and_refuses_what_is_none() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = data.path().join("weights");
    std::fs::create_dir(&folder).expect("makes");
    let place = data.path().display().to_string();
    let words = ["serve", "--listen", "127.0.0.1:0", "--data", &place];
    std::fs::write(folder.join("a.weights"), "0123456789abcdef 1 -2 3\n\nfedcba9876543210 4\n")
        .expect("writes");
    let mut command = Command::new(env!("CARGO_BIN_EXE_qiguan"));
    let mut hall =
        command.args(words).env("LC_ALL", "C").stdout(Stdio::piped()).spawn().expect("qiguan runs");
    let said = BufReader::new(hall.stdout.take().expect("is piped")).lines().map_while(Result::ok);
    let said: Vec<String> = said.take(2).collect();
    hall.kill().expect("ends");
    hall.wait().expect("ends");
    assert!(said[1].contains("2 maps"), "{said:?}");

    std::fs::write(folder.join("b.weights"), "0123456789abcdef 1\n0123 none\n").expect("writes");
    let refused = qiguan(&words);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("b.weights:2"), "{}", text(&refused.stderr));
}

/// Puzzles are refused at once on a map that needs its extensions, and not game by game: they are made by the rules
/// alone.
#[test]
fn puzzles_are_not_made_on_a_map_that_needs_its_extensions() {
    let data = tempfile::tempdir().expect("a folder");
    let place = data.path().display().to_string();
    let made = qiguan(&["puzzles", "make", "--game", "jingbanqi", "--map", "leap", "--data", &place]);
    let said = text(&made.stderr);
    assert_eq!(made.status.code(), Some(1), "{said}");
    assert!(said.contains("extension"), "{said}");
}
