//! Games that the reference program played with extensions, ply by ply.
//!
//! With `QIGUAN_JBQ` set to a folder of `golden`, `maps` and `extensions`, and `QIGUAN_JBQ_ALSO` to another place of maps and
//! extensions, those games are followed too.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jingbanqi::extension::{Loader, Source};
use jingbanqi::{Jingbanqi, Move, Rulebook, read};
use kernel::{Game, Notation, Position, Side};
use serde_json::Value;

use crate::support::{data, sandbox};

fn board(pos: &Jingbanqi) -> String {
    let squares = 0..pos.book().map().squares() as u16;
    let text = |at| match pos.present(at) {
        None => ".".to_owned(),
        Some(piece) => format!("{}{}", piece.id, if piece.promoted { "+" } else { "" }),
    };
    squares.map(text).collect::<Vec<_>>().join(" ")
}

fn listed(pos: &Jingbanqi) -> Vec<(u16, u16)> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let mut pairs: Vec<(u16, u16)> = moves.into_iter().map(|m| (m.from, m.to)).collect();
    pairs.sort_unstable();
    pairs
}

fn wanted(line: &Value) -> Vec<(u16, u16)> {
    let number = |value: &Value| value.as_u64().expect("a square") as u16;
    let mut pairs = Vec::new();
    for (from, tos) in line["moves"].as_object().expect("moves") {
        let from: u16 = from.parse().expect("a square");
        pairs.extend(tos.as_array().expect("squares").iter().map(|to| (from, number(to))));
    }
    pairs.sort_unstable();
    pairs
}

/// Follows one recorded game.
fn follow(lines: &[Value], start: Jingbanqi, name: &str) {
    let mut game = Game::new(start);
    assert_eq!(board(game.position()), lines[1]["board"].as_str().expect("a board"), "{name}: the start");
    for (ply, line) in lines[2..].iter().enumerate() {
        let at = format!("{name}, line {ply}");
        if let Some(result) = line["result"].as_str() {
            let outcome = game.outcome();
            match result {
                "red" => assert_eq!(outcome.and_then(|o| o.winner()), Some(Side::First), "{at}"),
                "blue" => assert_eq!(outcome.and_then(|o| o.winner()), Some(Side::Second), "{at}"),
                "stalemate" => assert_eq!(outcome.map(|o| o.reason()), Some("extension-draw"), "{at}"),
                "stuck" => assert_eq!(outcome.map(|o| o.reason()), Some("stuck"), "{at}"),
                "fault" => assert_eq!(outcome.map(|o| o.reason()), Some("extension-failed"), "{at}"),
                _ => assert_eq!(outcome, None, "{at}: {result}"),
            }
            continue;
        }
        if let Some(back) = line["undo"].as_i64() {
            if line["ok"].as_bool() == Some(true) || line["ok"].as_i64() == Some(1) {
                let moves = game.moves().to_vec();
                assert!(back > 0, "{at}: the recorded games are followed backwards only");
                (0..back).for_each(|_| assert!(game.undo().is_some(), "{at}"));
                assert_eq!(board(game.position()), line["board"].as_str().expect("a board"), "{at}");
                // Forwards again, and back: the future is what it was.
                let again = &moves[game.moves().len()..];
                again.iter().for_each(|&m| game.play(m));
                (0..back).for_each(|_| assert!(game.undo().is_some(), "{at}"));
            }
            continue;
        }
        let pos = game.position();
        if line["fault"].is_string() && !line["move"].is_array() {
            let fault = pos.fault().unwrap_or_else(|| panic!("{at}: no fault"));
            let exception = line["exc"].as_str().unwrap_or_default();
            let class = exception.split([':', '(']).next().unwrap_or_default();
            assert!(fault.error.starts_with(class), "{at}: {fault:?} for {exception}");
            continue;
        }
        assert_eq!(listed(pos), wanted(line), "{at}: {}\n{:?}", pos.fen(), pos.fault());
        let Some(played) = line["move"].as_array() else { continue };
        let square = |value: &Value| value.as_u64().expect("a square") as u16;
        let before = pos.fen();
        game.play(Move::new(square(&played[0]), square(&played[1])));
        let pos = game.position();
        if line["fault"].is_string() {
            assert!(pos.fault().is_some(), "{at}: no fault");
            let board = |fen: &str| fen.split(' ').next().map(str::to_owned);
            assert_eq!(board(&pos.fen()), board(&before), "{at}: the ply is rolled back");
            continue;
        }
        assert_eq!(board(pos), line["board"].as_str().expect("a board"), "{at}: {:?}", pos.fault());
        if let Some(names) = line["names"].as_object() {
            for (square, name) in names {
                let there = pos.present(square.parse().expect("a square")).and_then(|piece| piece.name);
                assert_eq!(there.as_deref(), name.as_str(), "{at}: the name on {square}");
            }
        }
        let pair = |key: &str| -> Option<[i64; 2]> {
            let pair = line[key].as_array()?;
            Some([pair[0].as_i64()?, pair[1].as_i64()?])
        };
        if let Some(neutral) = pair("ne") {
            assert_eq!(pos.neutral().map(i64::from), neutral, "{at}");
        }
        if let Some(checks) = pair("check") {
            assert_eq!(pos.checks().map(i64::from), checks, "{at}");
        }
    }
}

/// Follows every game of a file; how many there were, and how many could not be followed for want of a file.
fn follow_file(golden: &Path, find: &dyn Fn(&str) -> Option<PathBuf>, most: usize) -> (usize, usize) {
    let text = std::fs::read_to_string(golden).expect("golden games");
    let mut games: Vec<Vec<Value>> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let value: Value = serde_json::from_str(line).expect("JSON");
        if value["game"].is_string() {
            games.push(Vec::new());
        }
        games.last_mut().expect("a header first").push(value);
    }
    let sandbox = sandbox();
    let (mut followed, mut skipped) = (0, 0);
    for lines in games.iter().take(most) {
        let header = &lines[0];
        let files: Vec<&str> = header["ext"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|file| file.as_str().expect("a name"))
            .collect();
        let paths: Option<Vec<PathBuf>> = files.iter().map(|file| find(file)).collect();
        let (Some(map), Some(paths)) = (find(header["map"].as_str().expect("a map")), paths) else {
            skipped += 1;
            continue;
        };
        let reading = read(&std::fs::read(map).expect("the map"));
        let book =
            Arc::new(Rulebook::new(reading.map.unwrap_or_else(|| panic!("{:?}", reading.errors)), false));
        let source = |(file, path): (&&str, &PathBuf)| Source {
            file: (*file).to_owned(),
            bytes: std::fs::read(path).expect("an extension"),
        };
        let sources: Vec<Source> = files.iter().zip(&paths).map(source).collect();
        let start = if sources.is_empty() {
            Jingbanqi::new(book)
        } else {
            let extensions = sandbox.load(&book, &sources).unwrap_or_else(|problems| panic!("{problems:?}"));
            Jingbanqi::with_extensions(book, extensions)
        };
        follow(lines, start, header["game"].as_str().expect("a name"));
        followed += 1;
    }
    (followed, skipped)
}

#[test]
fn games_of_the_reference_program_with_extensions() {
    let find = |name: &str| Some(data(name)).filter(|path| path.exists());
    let most = if std::env::var_os("QIGUAN_DEEP").is_some() { usize::MAX } else { 5 };
    for file in ["t7_a", "t7_b", "t7_ab", "t7_ba"] {
        let (followed, skipped) = follow_file(&data(&format!("{file}.jsonl")), &find, most);
        assert!(followed >= 5 && skipped == 0, "{file}: {followed} games, {skipped} skipped");
    }
}

#[test]
fn the_houses_own_extensions_run_in_the_reference_program() {
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../maps");
    let find = |name: &str| Some(maps.join(name)).filter(|path| path.exists());
    for file in ["leap", "magnets"] {
        let (followed, skipped) = follow_file(&data(&format!("{file}.jsonl")), &find, usize::MAX);
        assert!(followed == 3 && skipped == 0, "{file}: {followed} games, {skipped} skipped");
    }
}

#[test]
fn games_that_lie_elsewhere() {
    let Some(folder) = std::env::var_os("QIGUAN_JBQ").map(PathBuf::from) else { return };
    let also = std::env::var_os("QIGUAN_JBQ_ALSO").map(PathBuf::from).unwrap_or_default();
    let find = |name: &str| {
        let places =
            [folder.join("maps"), folder.join("extensions"), also.join("map"), also.join("extensions")];
        places.into_iter().map(|place| place.join(name)).find(|path| path.exists())
    };
    for entry in std::fs::read_dir(folder.join("golden")).expect("golden games") {
        let path = entry.expect("a file").path();
        let (followed, skipped) = follow_file(&path, &find, usize::MAX);
        println!("{}: {followed} followed, {skipped} skipped", path.display());
    }
}
