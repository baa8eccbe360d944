//! Renju's forbidden points: recorded positions, and the fast question against the definition written plainly.
//!
//! The plain definition stands in `plain_renju`.

mod plain_renju;

use std::collections::{BTreeMap, BTreeSet};

use gomoku::{Forbidden, Gomoku, Rule};
use kernel::{Notation, Position, laws::Random};
use plain_renju::{Place, Plain};
use serde_json::Value;

/// Positions tried; `QIGUAN_DEEP` asks for more.
fn positions() -> u64 {
    if std::env::var_os("QIGUAN_DEEP").is_some() { 1_000_000 } else { 20_000 }
}

/// Stones thrown on a board, or only on a part of it, more or fewer of them.
fn random(random: &mut Random) -> Plain {
    let (files, ranks) =
        if random.below(4) > 0 { (15, 15) } else { (5 + random.below(22), 5 + random.below(22)) };
    let (black, white) = (8 + random.below(35), random.below(25));
    let (left, top) = (random.below(files / 2), random.below(ranks / 2));
    let (wide, high) = (5 + random.below(files - 4), 5 + random.below(ranks - 4));
    let mut stone = |row: usize, file: usize| {
        let inside = (left..left + wide).contains(&file) && (top..top + high).contains(&row);
        match random.below(100) {
            n if inside && n < black => b'b',
            n if inside && n < black + white => b'w',
            _ => b'+',
        }
    };
    Plain { grid: (0..ranks).map(|row| (0..files).map(|file| stone(row, file)).collect()).collect() }
}

#[test]
fn the_fast_question_is_the_plain_definition() {
    let mut numbers = Random(64);
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..positions() {
        let mut plain = random(&mut numbers);
        let fen = plain.fen();
        let Ok(pos) = Gomoku::usual(Rule::Renju).read_fen(&fen) else { continue };
        let expected = plain.forbidden();
        let fast: BTreeMap<Place, Forbidden> = pos
            .forbidden_points()
            .into_iter()
            .map(|(at, why)| ((i32::from(at.row), i32::from(at.file)), why))
            .collect();
        assert_eq!(fast, expected, "position {number}: {fen}");
        for why in fast.values() {
            *seen.entry(why.key()).or_default() += 1;
        }
        // One point alone, and a stone put down there.
        if number % 16 == 0 {
            each_point_alone(&pos, &expected, &fen);
        }
    }
    for why in [Forbidden::Overline, Forbidden::DoubleFour, Forbidden::DoubleThree] {
        assert!(seen[why.key()] > positions() / 10, "each reason is met: {seen:?}");
    }
}

fn each_point_alone(pos: &Gomoku, expected: &BTreeMap<Place, Forbidden>, fen: &str) {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    for m in moves {
        let gomoku::Move::Put(at) = m else { panic!("nobody may pass") };
        let why = expected.get(&(i32::from(at.row), i32::from(at.file))).copied();
        assert_eq!(pos.forbidden_at(at), why, "{at:?} in {fen}");
        let mut next = pos.clone();
        next.play(m);
        let reason = next.outcome().filter(|o| o.winner() == Some(kernel::Side::Second)).map(|o| o.reason());
        assert_eq!(reason, why.map(Forbidden::reason), "{at:?} played in {fen}");
        let read = pos.read_fen(&next.fen()).unwrap_or_else(|e| panic!("{e}: {}", next.fen()));
        assert_eq!((read.outcome(), read.key()), (next.outcome(), next.key()), "{}", next.fen());
    }
}

/// `data/renju-forbidden.jsonl`: positions on which four programs agree, with the reason of each forbidden point.
#[test]
fn recorded_positions_have_their_forbidden_points() {
    let rows: Vec<Value> = include_str!("data/renju-forbidden.jsonl")
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    assert_eq!(rows.len(), 280);
    for row in rows {
        let mut plain = Plain { grid: vec![vec![b'+'; 15]; 15] };
        for (list, stone) in [("black", b'b'), ("white", b'w')] {
            for name in row[list].as_array().unwrap() {
                plain.set(place(name.as_str().unwrap()), stone);
            }
        }
        let pos = Gomoku::usual(Rule::Renju).read_fen(&plain.fen()).unwrap();
        let expected: BTreeMap<String, String> = row["reasons"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, why)| (name.clone(), why.as_str().unwrap().to_owned()))
            .collect();
        let said: BTreeMap<String, String> =
            pos.forbidden().into_iter().map(|(name, why)| (name, why.to_owned())).collect();
        assert_eq!(said, expected, "{}", row["id"]);
        // They are on the board for people too, and nowhere else, as long as there is a game to lose.
        if pos.outcome().is_some() {
            continue;
        }
        let board = pos.board();
        let marks = pos.diagram().marks;
        let marked = marks.iter().filter(|mark| mark.kind == "forbidden").flat_map(|mark| &mark.cells);
        let marked: BTreeSet<String> = marked.map(|&cell| board.name(cell)).collect();
        assert_eq!(marked, expected.into_keys().collect(), "{}", row["id"]);
    }
}

fn place(name: &str) -> Place {
    (15 - name[1..].parse::<i32>().unwrap(), i32::from(name.as_bytes()[0] - b'a'))
}
