//! Recorded games and how they ended, by rules that other programs agree on.
//!
//! `data/gomoku-wins.jsonl` is the project's collection: 15x15 games under each rule with the ply that won or lost,
//! and in `ignored` the plies that made a row that does not count.

use gomoku::{Gomoku, Rule};
use kernel::{Outcome, Side, any};
use serde_json::Value;

#[test]
fn recorded_games_end_as_recorded() {
    let rows = include_str!("data/gomoku-wins.jsonl").lines();
    let games: Vec<Value> = rows.map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(games.len(), 207);
    for game in &games {
        check(game);
    }
}

fn check(row: &Value) {
    let rule = Rule::keyed(row["rule"].as_str().unwrap()).expect("a rule of ours");
    let side = row["size"].as_u64().unwrap() as u8;
    let mut game = any(Gomoku::new(rule, side, side).unwrap());
    for (i, text) in row["moves"].as_array().unwrap().iter().enumerate() {
        assert_eq!(game.outcome(), None, "{} goes on before ply {}", row["id"], i + 1);
        game.play(text.as_str().unwrap()).unwrap_or_else(|e| panic!("{} ply {}: {e:?}", row["id"], i + 1));
    }
    let forbidden = match row["reason"].as_str().unwrap() {
        "forbidden:overline" => Some("forbidden-overline"),
        "forbidden:double-four" => Some("forbidden-double-four"),
        "forbidden:double-three" => Some("forbidden-double-three"),
        _ => None,
    };
    let expected = match row["winner"].as_str().unwrap() {
        "white" if forbidden.is_some() => forbidden.map(|reason| Outcome::Win(Side::Second, reason)),
        "black" => Some(Outcome::Win(Side::First, "five-in-a-row")),
        "white" => Some(Outcome::Win(Side::Second, "five-in-a-row")),
        "draw" => Some(Outcome::Draw("board-full")),
        "none" => None,
        other => panic!("unknown winner {other}"),
    };
    assert_eq!(game.outcome(), expected, "{} {}", row["id"], row["reason"]);
    if expected.is_some_and(|o| o.winner().is_some()) {
        assert_eq!(row["win_ply"].as_u64(), Some(game.plies() as u64), "{}", row["id"]);
    }
}
