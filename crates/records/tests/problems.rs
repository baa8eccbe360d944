//! Each problem that locked chess and the records can tell of has its sentence in both languages, and is met.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use kernel::Notation;
use locked::Locked;
use records::locked_chess::{LockedChessClass, loads_game};

fn house() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file below, as text.
fn sources(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(sources(&path));
        } else {
            all.push(fs::read_to_string(path).unwrap());
        }
    }
    all
}

/// The prefixes of the keys of locked chess and of the records.
const OURS: [&str; 11] =
    ["locked-", "record-", "sgf-", "pgn-", "pdn-", "boards-", "xqf-", "cbr-", "cbl-", "dpxq-", "chess-"];

/// The string literals in a source that have the form of our keys.
fn keys(source: &str) -> impl Iterator<Item = &str> {
    let is_key = |s: &&str| {
        OURS.iter().any(|start| s.starts_with(start))
            && !s.ends_with('-')
            && s.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    };
    source.split('"').filter(is_key)
}

/// The names of the messages of a language.
fn messages(language: &str) -> BTreeSet<String> {
    let files = sources(&house().join("texts").join(language));
    let names = files.iter().flat_map(|f| f.lines()).filter_map(|l| l.split_once(" ="));
    names.map(|(name, _)| name.to_owned()).collect()
}

#[test]
fn each_key_has_its_sentence() {
    let rooms = ["crates/locked/src", "crates/records/src"].map(|room| sources(&house().join(room)));
    let keys: BTreeSet<&str> = rooms.iter().flatten().flat_map(|s| keys(s)).collect();
    assert!(keys.len() > 60, "{keys:?}");
    for language in ["en", "zh"] {
        let messages = messages(language);
        for key in &keys {
            let is_there =
                ["problem", "prompt"].iter().any(|kind| messages.contains(&format!("{kind}-{key}")));
            assert!(is_there, "{key} has no sentence in {language}");
        }
        for name in &messages {
            let Some(key) = name.strip_prefix("problem-") else { continue };
            let is_ours = OURS.iter().any(|start| key.starts_with(start));
            assert!(!is_ours || keys.contains(key), "nothing tells of {name} in {language}");
        }
    }
}

/// Every variant of `LockedError` is met through a border: a saved game or an operation.
#[test]
fn every_error_of_locked_chess_is_met() {
    const REST: &str = r#""operation_last_direction": "无", "choose_chess_locate": "无""#;
    const GOOD: &str = "{(1, 1, '黑'), (1, 2, '黑'), (1, 3, '黑'), (5, 5, '白'), (6, 6, '白'), (7, 7, '白')}";
    let at = |step: &str, side: &str, rest: &str| {
        format!(r#"{{"game": "{GOOD}", "operation_number": {step}, "operation_oppsite": "{side}", {rest}}}"#)
    };
    let with =
        |board: &str| format!(r#"{{{board} "operation_number": 1, "operation_oppsite": "黑", {REST}}}"#);
    let mut met: BTreeSet<&str> = [
        "{}".to_owned(),
        "[]".to_owned(),
        at("6", "黑", REST),
        at("1", "红", REST),
        at("2", "黑", REST),
        at("4", "黑", REST),
        with(""),
        with(&format!(r#""game": "{GOOD}", "all_locate": "[]","#)),
        with(r#""all_locate": "[]","#),
        with(r#""all_locate": "[[], [], [], [], [], [], [], [], [], [], [], []]","#),
        with(&format!(r#""all_locate": "[{}]","#, ["[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]"; 12].join(", "))),
        with(r#""game": "[]","#),
        with(r#""game": "{1}","#),
        with(r#""game": "{(1,)}","#),
        with(r#""game": "{('1', 1, '黑')}","#),
        with(r#""game": "{(0, 1, '黑')}","#),
        with(r#""game": "{(1, 1, '红')}","#),
        with(r#""game": "{(1, 1, '黑'), (1, 1, '白')}","#),
        with(r#""game": "set()","#),
    ]
    .iter()
    .map(|text| loads_game(text).unwrap_err().problem().key)
    .collect();
    let mut game = LockedChessClass::new();
    met.insert(game.operation(&"x".into()).unwrap_err().cause.problem().key);
    let stuck = Locked::default().read_fen("b11/12/12/12/12/12/12/12/12/12/5b6/3www5b b 1 - -").unwrap();
    game.loads_game(&locked::json::state_json(&stuck)).unwrap();
    met.insert(game.operation(&"u".into()).unwrap_err().cause.problem().key);
    let source = fs::read_to_string(house().join("crates/locked/src/error.rs")).unwrap();
    assert_eq!(met, keys(&source).collect());
}
