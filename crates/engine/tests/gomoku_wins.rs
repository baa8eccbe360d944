//! Forced wins of gomoku: recorded puzzles, small ones by hand, and whatever random boards hold. Each win that is found
//! is a proof, and each proof is tried against every defence by the rules alone.
//!
//! `data/gomoku-vcf.jsonl` is the project's collection: positions from games between programs; the wins by continuous
//! fours (`vcf`) were worked out by an exhaustive search from the rules, with their length in plies and every first move
//! that wins as fast; those by threats (`vct`) are another program's claim.

use engine::gomoku::{FourSolver, Proof, Shapes, ThreatSolver, check};
use gomoku::{Gomoku, Move, Rule};
use kernel::laws::Random;
use kernel::{Game, Notation, Position, Side};
use serde_json::Value;

/// Positions that the fours of one puzzle may take.
const FOURS: u64 = 400_000;

struct Puzzle {
    id: String,
    kind: String,
    pos: Gomoku,
    row: Value,
}

fn puzzles() -> Vec<Puzzle> {
    let rows = include_str!("data/gomoku-vcf.jsonl").lines();
    rows.map(|row| {
        let row: Value = serde_json::from_str(row).expect("the data are JSON");
        let text = |key: &str| row[key].as_str().expect("a text").to_owned();
        let side = row["size"].as_u64().expect("a size") as u8;
        let rule = Rule::keyed(&text("rule")).expect("a rule of ours");
        let mut game = Game::new(Gomoku::new(rule, side, side).expect("a legal size"));
        for m in row["moves"].as_array().expect("moves") {
            let m = game.position().read_move(m.as_str().expect("a text")).expect("a legal move");
            game.play(m);
        }
        Puzzle { id: text("id"), kind: text("kind"), pos: game.position().clone(), row }
    })
    .collect()
}

fn by_fours(pos: &Gomoku) -> Option<Proof> {
    FourSolver::new(14).solve(&mut Shapes::of(pos), pos.turn(), FOURS)
}

fn by_threats(pos: &Gomoku, effort: u64) -> Option<Proof> {
    ThreatSolver::new().solve(&mut FourSolver::new(14), &mut Shapes::of(pos), pos.turn(), effort)
}

fn assert_proved(pos: &Gomoku, proof: &Proof, what: &str) {
    if let Err(flaw) = check(pos, proof) {
        let line: Vec<String> = flaw.line.iter().map(|&at| pos.move_text(Move::Put(at))).collect();
        panic!("{what}: {} after {} in {} ({:?})", flaw.why, line.join(" "), pos.fen(), pos.rule());
    }
}

#[test]
fn every_puzzle_of_fours_is_solved_as_fast_as_can_be() {
    let fours: Vec<Puzzle> = puzzles().into_iter().filter(|p| p.kind == "vcf").collect();
    assert_eq!(fours.len(), 40);
    for Puzzle { id, pos, row, .. } in &fours {
        let started = std::time::Instant::now();
        let proof = by_fours(pos).unwrap_or_else(|| panic!("{id} has a win"));
        eprintln!("{id} {} {} us", proof.plies(), started.elapsed().as_micros());
        assert_proved(pos, &proof, id);
        let first = pos.move_text(Move::Put(proof.put));
        let firsts = row["first_moves"].as_array().expect("moves");
        assert!(firsts.iter().any(|m| m.as_str() == Some(&first)), "{id}: {first} is not among {firsts:?}");
        assert_eq!(Some(u64::from(proof.plies())), row["vcf_plies"].as_u64(), "{id}: plies");
    }
}

#[test]
fn puzzles_of_threats() {
    let deep = std::env::var_os("QIGUAN_DEEP").is_some();
    let threats = puzzles().into_iter().filter(|p| p.kind == "vct");
    let mut solved = 0;
    for Puzzle { id, pos, .. } in threats {
        let started = std::time::Instant::now();
        let proof = by_threats(&pos, if deep { 4_000_000 } else { 200_000 });
        eprintln!("{id} {:?} {} ms", proof.as_ref().map(Proof::plies), started.elapsed().as_millis());
        if let Some(proof) = proof {
            let started = std::time::Instant::now();
            assert_proved(&pos, &proof, &id);
            eprintln!("  checked in {} ms", started.elapsed().as_millis());
            solved += 1;
        }
    }
    assert!(solved >= 1, "{solved}");
}
