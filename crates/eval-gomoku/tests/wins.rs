//! Forced wins of gomoku: recorded puzzles, small ones by hand, and whatever random boards hold. Each win that is found
//! is a proof, and each proof is tried against every defence by the rules alone.
//!
//! `data/vcf.jsonl` is the project's collection: positions from games between programs; the wins by continuous
//! fours (`vcf`) were worked out by an exhaustive search from the rules, with their length in plies and every first move
//! that wins as fast; those by threats (`vct`) are another program's claim.

use eval_gomoku::{FourSolver, Proof, Shapes, Then, ThreatSolver, check};
use gomoku::{Gomoku, Move, Rule};
use kernel::laws::Random;
use kernel::{Game, Notation, Outcome, Piece, Position, Side};
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
    let rows = include_str!("data/vcf.jsonl").lines();
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
    let mut by_forbidden = 0;
    for Puzzle { id, pos, row, .. } in &fours {
        let proof = by_fours(pos).unwrap_or_else(|| panic!("{id} has a win"));
        assert_proved(pos, &proof, id);
        let first = pos.move_text(Move::Put(proof.put));
        let firsts = row["first_moves"].as_array().expect("moves");
        assert!(firsts.iter().any(|m| m.as_str() == Some(&first)), "{id}: {first} is not among {firsts:?}");
        assert_eq!(Some(u64::from(proof.plies())), row["vcf_plies"].as_u64(), "{id}: plies");
        by_forbidden += usize::from(has_no_answer(&proof));
    }
    assert!(by_forbidden > 0, "some are won because Black may not answer");
}

/// Returns true if the defender comes to a four that must be answered on a forbidden point.
fn has_no_answer(proof: &Proof) -> bool {
    match &proof.then {
        Then::Wins => false,
        Then::Answers { named, .. } => {
            named.is_empty() || named.iter().any(|(_, proof)| has_no_answer(proof))
        }
    }
}

/// Most claims of the other program are found again within a fraction of a second, and all that is found is proved.
#[test]
fn puzzles_of_threats() {
    let deep = std::env::var_os("QIGUAN_DEEP").is_some();
    let threats: Vec<Puzzle> = puzzles().into_iter().filter(|p| p.kind == "vct").collect();
    assert_eq!(threats.len(), 24);
    let effort = if deep { 2_000_000 } else { 100_000 };
    let solved = threats.iter().filter_map(|puzzle| Some((puzzle, by_threats(&puzzle.pos, effort)?)));
    let solved = solved.inspect(|(puzzle, proof)| assert_proved(&puzzle.pos, proof, &puzzle.id)).count();
    assert!(solved >= 14, "{solved} of 24");
}

/// A glance claims only what is proved, though it looks for no proof, and no shorter win than there is.
#[test]
fn a_glance_sees_what_is_there() {
    let mut seen = 0;
    for Puzzle { id, pos, .. } in puzzles() {
        let mut shapes = Shapes::of(&pos);
        let glanced = FourSolver::new(14).glance(&mut shapes, pos.turn(), 12, 20_000);
        let Some((put, plies)) = glanced else { continue };
        seen += 1;
        let shortest = by_fours(&pos).unwrap_or_else(|| panic!("{id} has a win")).plies();
        assert!(plies >= shortest, "{id}: {plies} plies, {shortest} is the shortest");
        // Once the stone stands and every answer that could help is given, the rest is won as well.
        let mut after = pos.clone();
        after.play(Move::Put(shapes.point(put)));
        if after.outcome().is_some() {
            assert_eq!((plies, after.outcome().and_then(Outcome::winner)), (1, Some(pos.turn())), "{id}");
            continue;
        }
        let mut answers = Vec::new();
        after.moves(&mut answers);
        for answer in answers {
            let mut then = after.clone();
            then.play(answer);
            let lost = then.outcome().and_then(Outcome::winner) == Some(pos.turn());
            assert!(lost || by_fours(&then).is_some(), "{id}: {}", pos.move_text(answer));
        }
    }
    assert!(seen > 30, "{seen} wins were seen");
}

#[test]
fn the_same_question_has_the_same_answer() {
    for Puzzle { id, pos, .. } in puzzles().iter().take(12) {
        assert_eq!(by_fours(pos), by_fours(pos), "{id}");
        assert_eq!(by_threats(pos, 20_000), by_threats(pos, 20_000), "{id}");
    }
}

/// A board from a picture: X is Black, O is White.
fn board(rule: Rule, side: Side, rows: &[&str]) -> Gomoku {
    let files = rows[0].len();
    let stones = rows.concat().chars().collect::<Vec<char>>();
    let pieces = stones.iter().enumerate().filter_map(|(cell, &c)| {
        let owner = match c {
            'X' => Side::First,
            'O' => Side::Second,
            _ => return None,
        };
        Some(Piece { at: cell as u16, owner: Some(owner), face: "stone".into() })
    });
    let empty = Gomoku::new(rule, files as u8, rows.len() as u8).expect("a legal size");
    empty.set_up(side, &pieces.collect::<Vec<_>>()).expect("nobody has won twice")
}

#[test]
fn white_wins_where_black_may_not_answer() {
    let rows = [
        "...........",
        "....X......",
        "XOOO.......",
        "....X......",
        "....X......",
        "....X......",
        "...........",
    ];
    // White's four is answered at its open end: Black's line at e would be a five, not an overline.
    let pos = board(Rule::Renju, Side::Second, &rows);
    let open = by_fours(&pos);
    assert_eq!(open, None, "Black answers next to the four");
    let rows = [
        ".....X.....",
        ".....X.....",
        "XOOO.......",
        ".....X.....",
        ".....X.....",
        ".....X.....",
        "...........",
    ];
    let pos = board(Rule::Renju, Side::Second, &rows);
    let proof = by_fours(&pos).expect("the answer at f5 would be an overline");
    assert_eq!((pos.move_text(Move::Put(proof.put)).as_str(), proof.plies()), ("e5", 3));
    assert_proved(&pos, &proof, "white");
    // The same stones under the rule that has no forbidden points: f5 answers, and by a five.
    assert_eq!(by_fours(&board(Rule::Freestyle, Side::Second, &rows)), None);
}

#[test]
fn black_does_not_win_by_what_is_forbidden() {
    let rows = [
        "...........",
        "...........",
        ".....X.....",
        ".....X.....",
        "..XX.......",
        "...........",
        "...O.......",
        ".....O.O...",
        "..O........",
        "...........",
        "...........",
    ];
    let free = board(Rule::Freestyle, Side::First, &rows);
    let proof = by_threats(&free, 50_000).expect("two threes at once win");
    assert_proved(&free, &proof, "freestyle");
    let renju = board(Rule::Renju, Side::First, &rows);
    let crossing = renju.read_move("f7").expect("a point");
    assert!(renju.forbidden().iter().any(|(at, why)| at == "f7" && *why == "double-three"));
    if let Some(proof) = by_threats(&renju, 50_000) {
        assert_ne!(Move::Put(proof.put), crossing, "it is forbidden");
        assert_proved(&renju, &proof, "renju");
    }
}

/// Random stones, close enough for threats: what is found on them is proved, under every rule and on boards of all
/// shapes.
#[test]
fn what_is_found_on_random_boards_is_true() {
    let deep = std::env::var_os("QIGUAN_DEEP").is_some();
    for rule in Rule::ALL {
        let mut found = [0; 2];
        for seed in 1..=if deep { 2_000 } else { 60 } {
            let (files, ranks) = [(9, 9), (15, 15), (7, 12), (5, 26), (11, 6)][seed as usize % 5];
            let Some(pos) = random_board(rule, files, ranks, seed) else { continue };
            for (i, proof) in [by_fours(&pos), by_threats(&pos, 3_000)].into_iter().enumerate() {
                if let Some(proof) = proof {
                    assert_proved(&pos, &proof, &format!("seed {seed}"));
                    found[i] += 1;
                }
            }
        }
        assert!(found.iter().all(|&found| found >= 8), "{rule:?}: {found:?}");
    }
}

/// Returns a random board with a quarter of its points taken, at most, around the middle, without a winner.
fn random_board(rule: Rule, files: u8, ranks: u8, seed: u64) -> Option<Gomoku> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ rule as u64);
    let mut pos = Gomoku::new(rule, files, ranks).expect("a legal size");
    let stones = 4 + random.below(usize::from(files) * usize::from(ranks) / 4);
    let mut moves = Vec::new();
    for _ in 0..stones {
        moves.clear();
        pos.moves(&mut moves);
        let central = |m: &&Move| match m {
            Move::Put(at) => at.row.abs_diff(ranks / 2) <= 4 && at.file.abs_diff(files / 2) <= 4,
            Move::Pass => false,
        };
        let near: Vec<Move> = moves.iter().filter(central).copied().collect();
        let from = if near.is_empty() { &moves } else { &near };
        pos.play(*from.get(random.below(from.len().max(1)))?);
    }
    pos.outcome().is_none().then_some(pos)
}

/// The solver finds a win by fours on small boards exactly where playing everything out finds one.
#[test]
fn fours_are_all_found() {
    for rule in Rule::ALL {
        let mut wins = 0;
        for seed in 1..=250 {
            let Some(pos) = random_board(rule, 7, 7, seed * 31) else { continue };
            let fours = FourSolver::new(12).glance(&mut Shapes::of(&pos), pos.turn(), 3, u64::MAX >> 1);
            let wanted = wins_by_fours(&pos, 3);
            assert_eq!(fours.is_some(), wanted, "{rule:?} {}", pos.fen());
            wins += usize::from(wanted);
        }
        assert!(wins >= 8, "{rule:?}: {wins}");
    }
}

/// Returns true if the side to move wins with at most `fours` fours: by the rules alone, every answer tried.
fn wins_by_fours(pos: &Gomoku, fours: u32) -> bool {
    let side = pos.turn();
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let after = |pos: &Gomoku, m: Move| {
        let mut after = pos.clone();
        after.play(m);
        after
    };
    let won = |pos: &Gomoku| pos.outcome().and_then(Outcome::winner) == Some(side);
    let wins_now = |pos: &Gomoku| {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        moves.iter().any(|&m| won(&after(pos, m)))
    };
    if wins_now(pos) {
        return true;
    }
    fours > 0
        && moves.iter().any(|&m| {
            let four = after(pos, m);
            let mut passed = four.clone();
            // Whether it is a four: with the turn passed, as another move far away would do, five follows.
            let threatens = four.outcome().is_none() && {
                let fen = four.fen();
                let turned = match side {
                    Side::First => fen.replace(" w", " b"),
                    Side::Second => fen.replace(" b", " w"),
                };
                passed = passed.read_fen(&turned).expect("our own FEN");
                wins_now(&passed)
            };
            let mut answers = Vec::new();
            four.moves(&mut answers);
            threatens
                && answers.iter().all(|&answer| {
                    let next = after(&four, answer);
                    match next.outcome() {
                        Some(_) => won(&next),
                        None => wins_by_fours(&next, fours - 1),
                    }
                })
        })
}
