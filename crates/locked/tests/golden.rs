//! Games and positions recorded from the reference program: operations in order, saved text, endings.

use kernel::{Game, Notation, Outcome, Position, Side, any::AnyGame};
use locked::{Locked, json::state_json};
use serde_json::Value;

/// CRC-32 as zlib has it.
fn crc32(bytes: &[u8]) -> String {
    let mut crc = !0u32;
    for &b in bytes {
        crc ^= u32::from(b);
        for _ in 0..8 {
            crc = crc >> 1 ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
        }
    }
    format!("{:08x}", !crc)
}

fn rows(text: &str) -> impl Iterator<Item = Value> {
    text.lines().filter(|l| !l.is_empty()).map(|l| serde_json::from_str(l).unwrap())
}

/// `udlr`, or squares split by commas.
fn operations(text: &str) -> Vec<String> {
    if text.contains(|c: char| c.is_ascii_digit()) {
        return text.split(',').map(str::to_owned).collect();
    }
    text.chars().map(String::from).collect()
}

#[test]
fn games() {
    for row in rows(include_str!("data/games.jsonl")) {
        let id = row["id"].as_str().unwrap();
        let start = match row["start"].as_str().unwrap() {
            "startpos" => Locked::default(),
            fen => Locked::default().read_fen(fen).unwrap(),
        };
        let mut game = Game::new(start);
        let mut turns = Vec::new();
        let steps = row["steps"].as_array().unwrap();
        for (i, step) in steps.iter().enumerate() {
            let field = |n: usize| step[n].as_str().unwrap();
            assert_eq!(AnyGame::moves(&game), operations(field(0)), "{id} step {i}");
            assert_eq!(crc32(state_json(game.position()).as_bytes()), field(2), "{id} step {i}");
            if game.position().step().number() == 1 {
                turns.push(Value::from(AnyGame::fen(&game)));
            }
            if !field(1).is_empty() {
                AnyGame::play(&mut game, field(1)).unwrap();
            }
        }
        assert_eq!(row["turns"], Value::from(turns), "{id}");
        assert_eq!(row["final"], AnyGame::fen(&game), "{id}");
        assert_eq!(row["final_json"], state_json(game.position()), "{id}");
        let side = |v: &Value| if v == "b" { Side::First } else { Side::Second };
        let end = (row["end"] == "fail").then(|| Outcome::Win(side(&row["winner"]), "no-moves"));
        assert_eq!(AnyGame::outcome(&game), end, "{id}");
    }
}

#[test]
fn positions() {
    let both = [include_str!("data/positions.jsonl"), include_str!("data/edge.jsonl")];
    for row in both.into_iter().flat_map(rows) {
        let fen = row["fen"].as_str().unwrap();
        let pos = Locked::default().read_fen(fen).unwrap();
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let texts: Vec<Value> = moves.into_iter().map(|m| pos.move_text(m).into()).collect();
        assert_eq!(row["ops"], Value::from(texts), "{fen}");
        assert_eq!(crc32(state_json(&pos).as_bytes()), row["crc"].as_str().unwrap(), "{fen}");
        assert_eq!(pos.outcome().is_some(), row["end"] == "fail", "{fen}");
        if let Some(json) = row["json"].as_str() {
            assert_eq!(state_json(&pos), json, "{fen}");
        }
        assert_eq!(pos.fen(), fen);
    }
}
