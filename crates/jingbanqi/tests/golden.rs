//! Games that the reference program played, ply by ply: destinations, boards, promotions, counters, checks, ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jingbanqi::{Jingbanqi, Rulebook, read};
use kernel::{AnyGame, Fact, any};
use serde_json::Value;

fn data(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder)
}

fn text(fact: &Fact) -> String {
    match fact {
        Fact::Text(text) => text.clone(),
        other => panic!("{other:?} is no text"),
    }
}

fn numbers(fact: &Fact) -> Vec<i64> {
    let Fact::List(list) = fact else { panic!("{fact:?} is no list") };
    list.iter().map(|f| if let Fact::Count(n) = f { *n } else { panic!("{f:?} is no number") }).collect()
}

fn fact(game: &dyn AnyGame, name: &str) -> Fact {
    game.facts().into_iter().find(|(key, _)| *key == name).expect("is there").1
}

/// Returns the moves of each piece, in the form of the recorded games.
fn listed(game: &dyn AnyGame, cols: i64) -> Vec<(i64, i64)> {
    let square = |text: &str| {
        let (row, col) = text.split_once(',').expect("a pair");
        (row.parse::<i64>().expect("a row") - 1) * cols + col.parse::<i64>().expect("a column") - 1
    };
    let moves = game.moves();
    let pairs = moves.iter().map(|m| m.split_once('-').expect("two squares"));
    let mut moves: Vec<_> = pairs.map(|(from, to)| (square(from), square(to))).collect();
    moves.sort_unstable();
    moves
}

/// One recorded game, line by line; the header first.
fn follow(lines: &[Value], start: &Jingbanqi, name: &str) {
    let cols = lines[0]["cols"].as_i64().expect("columns");
    let mut game = any(start.clone());
    assert_eq!(
        text(&fact(&*game, "board")),
        lines[1]["board"].as_str().expect("a board"),
        "{name}: the start"
    );
    for (ply, line) in lines[2..].iter().enumerate() {
        let at = format!("{name}, line {ply}");
        if let Some(result) = line["result"].as_str() {
            let ended = game.outcome();
            match result {
                "red" | "blue" => {
                    let side = [kernel::Side::First, kernel::Side::Second][usize::from(result == "blue")];
                    assert_eq!(ended.and_then(|o| o.winner()), Some(side), "{at}");
                }
                "stuck" => assert_eq!(ended.map(|o| o.reason()), Some("stuck"), "{at}"),
                _ => assert_eq!(ended, None, "{at}: {result}"),
            }
            continue;
        }
        if let Some(back) = line["undo"].as_i64() {
            if line["ok"].as_bool() == Some(true) || line["ok"].as_i64() == Some(1) {
                assert!(back > 0, "{at}: the recorded games are followed backwards only");
                for _ in 0..back {
                    assert!(game.undo(), "{at}");
                }
                assert_eq!(text(&fact(&*game, "board")), line["board"].as_str().expect("a board"), "{at}");
            }
            continue;
        }
        let mut wanted = Vec::new();
        for (from, tos) in line["moves"].as_object().expect("moves") {
            let from: i64 = from.parse().expect("a square");
            wanted.extend(
                tos.as_array().expect("squares").iter().map(|to| (from, to.as_i64().expect("a square"))),
            );
        }
        wanted.sort_unstable();
        assert_eq!(listed(&*game, cols), wanted, "{at}: {}", game.fen());
        let Some(played) = line["move"].as_array() else { continue };
        let name = |square: &Value| {
            let square = square.as_i64().expect("a square");
            format!("{},{}", square / cols + 1, square % cols + 1)
        };
        game.play(&format!("{}-{}", name(&played[0]), name(&played[1])))
            .unwrap_or_else(|e| panic!("{at}: {e:?}"));
        assert_eq!(text(&fact(&*game, "board")), line["board"].as_str().expect("a board"), "{at}");
        let array = |key: &str| {
            line[key].as_array().map(|a| a.iter().map(|v| v.as_i64().expect("a number")).collect())
        };
        if let Some(neutral) = array("ne") as Option<Vec<i64>> {
            assert_eq!(numbers(&fact(&*game, "neutral")), neutral, "{at}");
        }
        if let Some(check) = array("check") as Option<Vec<i64>> {
            assert_eq!(numbers(&fact(&*game, "check")), check, "{at}");
        }
    }
}

/// Replays every game of a file of recorded games and returns their number.
fn follow_file(golden: &Path, maps: &Path) -> usize {
    let text = std::fs::read_to_string(golden).expect("golden games");
    let mut games: Vec<Vec<Value>> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let value: Value = serde_json::from_str(line).expect("JSON");
        if value["game"].is_string() {
            games.push(Vec::new());
        }
        games.last_mut().expect("a header first").push(value);
    }
    for lines in &games {
        let bytes = std::fs::read(maps.join(lines[0]["map"].as_str().expect("a map"))).expect("the map");
        let reading = read(&bytes);
        let map = reading.map.unwrap_or_else(|| panic!("{:?}", reading.errors));
        // The recorded games with an extension use one that supplies the old names of places.
        let old_names = !lines[0]["ext"].as_array().expect("a list").is_empty();
        let start = Jingbanqi::new(Arc::new(Rulebook::new(map, old_names)));
        follow(lines, &start, lines[0]["game"].as_str().expect("a name"));
    }
    games.len()
}

#[test]
fn games_of_the_reference_program() {
    for file in ["t1", "t2", "t2_noext", "t3_free", "t3_limit", "t4", "t4_off", "t5", "t6", "t7_noext"] {
        let games = follow_file(&data("golden").join(format!("{file}.jsonl")), &data("maps"));
        assert!(games > 2, "{file}: {games} games");
    }
}
