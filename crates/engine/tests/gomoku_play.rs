//! Tests of gomoku in play: the search under every rule, with and without openings.

use engine::{Engine, Limits, Native, Task, Worth};
use engine_core::Strength;
use eval_gomoku::{GomokuEval, Solving};
use gomoku::{Gomoku, Move, Opening, Rule};
use kernel::{Game, Notation, Position};
use search::{Effort, Evaluator, TranspositionTable};

fn best(pos: &Gomoku, nodes: u64) -> String {
    let limits = search::SearchLimits { nodes: Some(nodes), ..search::SearchLimits::default() };
    let game = Game::new(pos.clone());
    let verdict =
        search::think(&game, &GomokuEval::default(), &TranspositionTable::mebibytes(1), &limits, &mut |_| {});
    pos.move_text(verdict.expect("the game goes on").lines[0].moves[0])
}

fn position(rule: Rule, moves: &str) -> Gomoku {
    let mut pos = Gomoku::new(rule, 15, 15).expect("a legal size");
    for m in moves.split_whitespace() {
        pos.play(pos.read_move(m).expect("a legal move"));
    }
    pos
}

#[test]
fn what_must_be_played_is_played() {
    let rows: [(&str, Rule, &str, &[&str]); 7] = [
        ("the middle of an empty board", Rule::Freestyle, "", &["h8"]),
        ("five", Rule::Standard, "h8 a1 i8 a2 j8 a3 k8 a5", &["g8", "l8"]),
        ("five before stopping five", Rule::Freestyle, "h8 a1 i8 a2 j8 a3 k8 a4", &["g8", "l8"]),
        ("a four is answered", Rule::Freestyle, "g8 f8 h8 a1 i8 a3 j8", &["k8"]),
        ("an open three is answered", Rule::Freestyle, "h8 a1 i8 a15 j8", &["g8", "k8", "f8", "l8"]),
        ("a six is no answer to a four where it is none", Rule::Standard, "g8 f8 h8 a1 i8 a3 j8", &["k8"]),
        ("a lost game is played on", Rule::Freestyle, "h8 a1 i8 a3 j8 a5 k8", &["g8", "l8"]),
    ];
    for (what, rule, moves, wanted) in rows {
        let m = best(&position(rule, moves), 2_000);
        assert!(wanted.contains(&m.as_str()), "{what}: {m} after {moves}");
    }
}

/// The engine announces the win in each VCF puzzle and plays its first move.
#[test]
fn puzzles_are_announced_as_wins() {
    let rows = include_str!("../../eval-gomoku/tests/data/vcf.jsonl").lines();
    let rows = rows.map(|row| serde_json::from_str::<serde_json::Value>(row).expect("the data are JSON"));
    for row in rows.filter(|row| row["kind"] == "vcf") {
        let game = format!("gomoku/{}", row["rule"].as_str().expect("a rule"));
        let options = [("size".to_owned(), 15)].into_iter().collect();
        let mut engine = Native::new(&game, &options, 1).expect("a game of the catalogue");
        let moves = row["moves"].as_array().expect("moves").iter();
        let moves = moves.map(|m| m.as_str().expect("a text").to_owned()).collect();
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let mut told = None;
        let m = engine.think(&Task { fen: None, moves, limits }, &mut |info| told = Some(info.clone()));
        let m = serde_json::Value::from(m.expect("a move"));
        assert!(row["first_moves"].as_array().expect("moves").contains(&m), "{}: {m}", row["id"]);
        let plies = row["vcf_plies"].as_i64().expect("a number") as i32;
        assert_eq!(told.map(|info| info.worth), Some(Worth::Wins(plies)), "{}", row["id"]);
    }
}

/// Self-play games on small and odd boards end by the rules under every rule, without a stone on a forbidden point.
#[test]
fn games_are_played_to_their_end() {
    for rule in Rule::ALL {
        for (files, ranks) in [(5, 5), (9, 7), (6, 13)] {
            let mut pos = Gomoku::new(rule, files, ranks).expect("a legal size");
            while pos.outcome().is_none() {
                let m = best(&pos, 60);
                pos.play(pos.read_move(&m).expect("a legal move"));
            }
            assert_eq!(pos.losing_stone(), None, "{rule:?} {}", pos.fen());
        }
    }
}

#[test]
fn equal_limits_give_equal_games() {
    let game = || {
        let mut pos = position(Rule::Renju, "h8 i9");
        let mut moves = Vec::new();
        while pos.outcome().is_none() && moves.len() < 16 {
            moves.push(best(&pos, 400));
            pos.play(pos.read_move(&moves[moves.len() - 1]).expect("a legal move"));
        }
        moves
    };
    assert_eq!(game(), game());
}

/// The node counts are fixed: they change only with an intended change of the search or of an evaluation.
#[test]
fn the_same_search_has_the_same_nodes() {
    let counted = Rule::ALL.map(|rule| {
        let depths = [("h8 i9 h9 h10 i7 g9 j6", 9), ("h8 g9 j8 i9", 9), ("h8 h9 i7", 8)];
        depths.map(|(moves, depth)| {
            let game = Game::new(position(rule, moves));
            let limits = search::SearchLimits { depth: Some(depth), ..search::SearchLimits::default() };
            let memory = TranspositionTable::mebibytes(4);
            let verdict = search::think(&game, &GomokuEval::default(), &memory, &limits, &mut |_| {});
            verdict.expect("the game goes on").nodes
        })
    });
    assert_eq!(counted, NODES);
}

/// Node counts by rule, in the order of [`Rule::ALL`]. They include the positions that the solvers searched, which
/// are most of the first of the three.
const NODES: [[u64; 3]; 5] = [
    [249_108, 8_365, 3_213],
    [258_441, 16_454, 5_524],
    [232_785, 9_707, 3_243],
    [426_021, 38_208, 13_436],
    [389_788, 37_968, 17_092],
];

/// An incrementally updated evaluator gives the same results as a new one, wherever the search has been.
#[test]
fn a_judge_that_played_equals_a_new_one() {
    let moves = "h8 i9 i8 g8 j8 k8 i7 i10 g7 h7 k9 f6";
    for rule in Rule::ALL {
        let mut old = GomokuEval::default();
        let mut line = vec![position(rule, "")];
        old.reset(&line[0]);
        let check = |old: &mut GomokuEval, pos: &Gomoku| {
            let mut new = GomokuEval::default();
            new.reset(pos);
            assert_eq!(old.score(pos), new.score(pos), "{rule:?} {}", pos.fen());
            let (mut a, mut b) = (Vec::new(), Vec::new());
            old.candidates(pos, &mut a);
            new.candidates(pos, &mut b);
            assert_eq!(a, b, "{rule:?} {}", pos.fen());
            assert_eq!(
                old.forced(pos, Effort::Leaf),
                new.forced(pos, Effort::Leaf),
                "{rule:?} {}",
                pos.fen()
            );
        };
        for (i, m) in moves.split_whitespace().enumerate() {
            let before = line[line.len() - 1].clone();
            let m = before.read_move(m).expect("a legal move");
            let mut after = before.clone();
            after.play(m);
            old.played(&before, m, &after);
            // Some stones are never looked at before they are taken back.
            if i % 3 == 2 {
                check(&mut old, &after);
            }
            line.push(after);
        }
        while line.len() > 1 {
            old.undone();
            line.pop();
            if line.len() % 2 == 0 {
                check(&mut old, &line[line.len() - 1]);
            }
        }
    }
}

#[test]
fn a_win_that_comes_too_late_is_none() {
    let moves = "h8 a1 i8 a3 j8 a5 g12 a7";
    let forced = |stones: u16| {
        let mut pos = Gomoku::new(Rule::Renju, 15, 15).expect("a legal size").drawn_at(stones);
        moves.split_whitespace().for_each(|m| pos.play(pos.read_move(m).expect("a legal move")));
        let mut judge = GomokuEval::default();
        judge.reset(&pos);
        judge.forced(&pos, Effort::Root { nodes: 5_000, until: None })
    };
    // Three plies: the open four, an answer, the five.
    assert_eq!(forced(200).map(|win| win.plies), Some(3));
    assert_eq!(forced(11).map(|win| win.plies), Some(3), "the last stone may win");
    assert_eq!(forced(10), None, "two stones more and the game is drawn");
}

#[test]
fn beginners_see_no_combinations() {
    let pos = position(Rule::Freestyle, "h8 a1 i8 a3 j8 a5 g12 a7");
    let sees = |solving| {
        let mut judge = GomokuEval::new(solving);
        judge.reset(&pos);
        judge.forced(&pos, Effort::Root { nodes: 5_000, until: None }).is_some()
    };
    assert!(!sees(Solving::Nothing) && sees(Solving::Fours) && sees(Solving::Threats));
    let at = |scale| Solving::at(Some(Strength::at(scale)));
    let seen = [at(0.0), at(2.9), at(3.0), at(5.9), at(6.0), at(8.0), Solving::at(None)];
    assert_eq!(seen.map(|s| s as u8), [0, 0, 1, 1, 2, 2, 2]);
}

/// Returns the catalogue's options for a game with that opening; number 0 is no opening.
fn options(opening: Opening) -> catalog::Options {
    let number = Opening::ALL.iter().position(|&each| each == opening).expect("one of all") as i64 + 1;
    [("opening".to_owned(), number)].into_iter().collect()
}

/// Every opening is played through with legal choices, and the game goes on for a few stones.
#[test]
fn openings_are_played() {
    for opening in Opening::ALL {
        let rule = if opening.fits(20, 20).is_ok() { "gomoku/standard" } else { "gomoku/renju" };
        let mut engine = Native::new(rule, &options(opening), 1).expect("a game of the catalogue");
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        let mut task = Task { fen: None, moves: Vec::new(), limits };
        // No opening has more acts than these, the game after it ends by five or goes on.
        for _ in 0..30 {
            match engine.think(&task, &mut |_| {}) {
                Ok(m) => task.moves.push(m),
                Err(problem) => {
                    let five = problem.args.iter().any(|(_, value)| value == "five-in-a-row");
                    assert!(five && task.moves.len() > 16, "{}: {problem:?}", opening.key());
                    break;
                }
            }
        }
    }
}

/// A player who may choose a colour takes the one that stands better.
#[test]
fn the_better_colour_is_taken() {
    let mut engine =
        Native::new("gomoku/freestyle", &options(Opening::Swap), 1).expect("a game of the catalogue");
    let mut choice = |moves: &str| {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        engine.think(&Task { fen: None, moves, limits }, &mut |_| {}).expect("a choice")
    };
    // Two black stones together, the white one far away: Black wins.
    assert_eq!(choice("j10 a1 k10"), "black");
}

/// The engine answers a pass in renju with a stone.
#[test]
fn passes_are_lived_with() {
    let mut pos = Gomoku::usual(Rule::Renju).with_passes();
    for m in [Move::Pass, pos.read_move("h8").expect("a point"), Move::Pass] {
        pos.play(m);
    }
    assert_ne!(best(&pos, 500), "pass");
}
