//! Random games after a line: would catch one that leaves a trace in the game, that plays what is not legal, that tells
//! another end than it came to, or that a hostile extension makes endless.

use std::time::{Duration, Instant};

use jingbanqi::Jingbanqi;
use jingbanqi::extension::WalkPlan;
use kernel::{Outcome, Position as _, Side};

use crate::support::{game, moves, play};

const PLAN: WalkPlan = WalkPlan { seed: 7, longest: 30, cpu_ms: 10_000 };

/// Remembers how often it was called and what it drew, forbids moves by that, and ends the game after forty plies.
const REMEMBERS: &str = "
class Remembers:
    def __init__(self):
        self.plies = 0
        self.drawn = []
    def go(self, can_go, chess, arr):
        return can_go[:2 + (self.plies + len(self.drawn)) % 3]
    def moved(self, a, b):
        import random
        self.plies += 1
        if random.random() < 0.3:
            self.drawn.append(b)
        if self.plies == 40:
            JBQ.win(JBQ.turn)
remembers = Remembers()
check_can_go = remembers.go
after_move = remembers.moved
";

/// Fails when the fourth ply has been played.
fn fourth(what: &str) -> String {
    let text = "
class Counts:
    def __init__(self):
        self.plies = 0
    def moved(self, a, b):
        self.plies += 1
        WHAT
counts = Counts()
after_move = counts.moved
";
    text.replace("WHAT", what)
}

fn walk(pos: &Jingbanqi, plan: WalkPlan) -> jingbanqi::walk::Walk {
    let mut listed = Vec::new();
    pos.moves(&mut listed);
    assert!(!listed.is_empty(), "{:?}", pos.fault());
    pos.walk(listed.first().copied(), plan).expect("it is played by a worker").expect("nothing fails")
}

#[test]
fn a_walk_is_a_legal_game_and_tells_where_it_ended() {
    let start = game(REMEMBERS);
    for seed in 1..12 {
        let walked = walk(&start, WalkPlan { seed, ..PLAN });
        let mut pos = start.clone();
        for &(side, m) in &walked.moves {
            let mut listed = Vec::new();
            pos.moves(&mut listed);
            assert!(listed.contains(&m), "seed {seed}: {m:?} of {listed:?}");
            assert_eq!(side, pos.turn(), "seed {seed}");
            pos.play(m);
        }
        assert_eq!(walked.is_over, pos.outcome().is_some(), "seed {seed}");
        assert!(walked.moves.len() <= 31, "seed {seed}");
        assert!(walked.is_over || walked.moves.len() == 31, "seed {seed}: {}", walked.moves.len());
        for square in 0..16 {
            assert_eq!(walked.end.present(square), pos.present(square), "seed {seed}: {square}");
        }
        assert_eq!(walked.end.turn(), pos.turn(), "seed {seed}");
        if walked.is_over {
            assert_eq!(walked.end.outcome(), pos.outcome(), "seed {seed}");
        }
    }
}

#[test]
fn the_same_seed_walks_the_same_way_and_others_do_not() {
    let start = game(REMEMBERS);
    let moves = |seed| walk(&start, WalkPlan { seed, ..PLAN }).moves;
    assert_eq!(moves(3), moves(3));
    let ways: Vec<_> = (1..8).map(moves).collect();
    assert!(ways.iter().any(|way| *way != ways[0]));
}

#[test]
fn a_walk_leaves_no_trace() {
    // A game in which walks are made between the plies goes on as one without, whatever the extension remembers and
    // draws.
    let (mut one, mut other) = (game(REMEMBERS), game(REMEMBERS));
    for ply in 0..20 {
        assert_eq!(moves(&one), moves(&other), "ply {ply}");
        assert_eq!(one.drawn(), other.drawn(), "ply {ply}");
        let mut listed = Vec::new();
        one.moves(&mut listed);
        let Some(&m) = listed.get(ply % listed.len().max(1)) else { break };
        for seed in 1..4 {
            one.walk(Some(m), WalkPlan { seed, ..PLAN }).expect("a worker").expect("nothing fails");
            one.walk(None, WalkPlan { seed, ..PLAN }).expect("a worker").expect("nothing fails");
        }
        one.play(m);
        other.play(m);
    }
}

#[test]
fn a_walk_into_a_fault_is_over_and_the_game_goes_on() {
    let mut pos = game(&fourth("if self.plies == 4: raise ValueError('four')"));
    let walked = walk(&pos, PLAN);
    assert!(walked.is_over);
    assert_eq!(walked.moves.len(), 3, "the ply that fails has not happened");
    assert_eq!(walked.end.fault().map(|fault| fault.error.as_str()), Some("ValueError: four"));
    assert_eq!(walked.end.outcome(), Some(Outcome::Void("extension-failed")));
    let first = moves(&pos)[0].clone();
    play(&mut pos, &first);
    assert_eq!(pos.outcome(), None);
    // The line itself fails.
    let failing = game("def after_move(a, b):\n    raise ValueError('at once')\n");
    let mut listed = Vec::new();
    failing.moves(&mut listed);
    let fault = failing.walk(listed.first().copied(), PLAN).expect("a worker").expect_err("it fails");
    assert_eq!(fault.error, "ValueError: at once");
}

#[test]
fn a_slow_extension_cuts_a_walk_short_and_an_endless_one_ends_it() {
    let slow = game("def after_move(a, b):\n    for i in range(20000):\n        str(i)\n");
    let begun = Instant::now();
    let walked = walk(&slow, WalkPlan { longest: 1000, cpu_ms: 60, ..PLAN });
    assert!(walked.moves.len() < 1000 && begun.elapsed() < Duration::from_secs(60), "{}", walked.moves.len());
    let mut pos = game(&fourth("while self.plies > 3: pass"));
    let mut listed = Vec::new();
    pos.moves(&mut listed);
    let answer = pos.walk(listed.first().copied(), PLAN).expect("a worker");
    assert!(answer.is_err(), "{answer:?}");
    let first = moves(&pos)[0].clone();
    play(&mut pos, &first);
    assert_eq!((pos.outcome(), pos.turn()), (None, Side::Second), "another worker goes on");
}
