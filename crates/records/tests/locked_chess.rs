//! Saved games that the reference program was given, loaded by the native API.

use kernel::laws::Random;
use kernel::{Notation, Position};
use locked::{Locked, json::state_json};
use records::locked_chess::loads_game;
use serde_json::Value;

/// Loaded by the reference through Python's loose equality; refused here (docs/rules/locked.md §7).
const LOOSE: &str = "odd-";

#[test]
fn recorded_loads() {
    for line in include_str!("data/locked_loads_game.jsonl").lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (name, input) = (row["name"].as_str().unwrap(), row["input"].as_str().unwrap());
        let loaded = loads_game(input);
        let expected = row["class"]["ok"] == true && !name.starts_with(LOOSE);
        assert_eq!(loaded.is_ok(), expected, "{name}: {loaded:?}");
        if let Ok(pos) = loaded {
            assert_eq!(pos.fen(), row["class"]["fen"].as_str().unwrap(), "{name}");
        }
    }
}

#[test]
fn what_is_written_is_read() {
    let mut random = Random(3);
    let mut pos = Locked::default();
    for _ in 0..500 {
        assert_eq!(loads_game(&state_json(&pos)), Ok(pos));
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        match moves.len() {
            0 => pos = Locked::default(),
            n => pos.play(moves[random.below(n)]),
        }
    }
}

/// Changed texts load or are refused.
#[test]
fn mutated_texts_never_panic() {
    let good = state_json(&Locked::default());
    let letters: Vec<char> = "[](){}'\",:\\un0123456789-.e 黑TrueNone".chars().collect();
    let mut random = Random(5);
    for _ in 0..5_000 {
        let mut text: Vec<char> = good.chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len());
            text[at] = letters[random.below(letters.len())];
        }
        let text: String = text.into_iter().collect();
        if let Ok(pos) = loads_game(&text) {
            assert_eq!(loads_game(&state_json(&pos)), Ok(pos), "{text}");
        }
        let _ = records::locked_chess::literal::parse(&text);
    }
}
