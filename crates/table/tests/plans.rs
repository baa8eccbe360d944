//! Catches a planned move that is played where it does not fit, or that is not legal.

use std::collections::{BTreeMap, HashMap};

use kernel::{AnyGame, Side};
use table::plan::{MOST_LINES, MOST_PLIES, check, rest};
use wire::PlyInfo;

fn game(key: &str, moves: &str) -> Box<dyn AnyGame> {
    let entry = catalog::find(key).expect("is there");
    let options = entry.settle(&BTreeMap::new(), catalog::Setting::Online).expect("the usual");
    let mut game = entry.open(None, &options, None).expect("opens");
    for text in moves.split_whitespace() {
        game.play(text).unwrap_or_else(|_| panic!("{text} is legal"));
    }
    game
}

fn lines(text: &str) -> Vec<Vec<String>> {
    text.split('|').map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

fn written(lines: &[Vec<PlyInfo>]) -> String {
    let line = |line: &Vec<PlyInfo>| line.iter().map(|ply| ply.0.to_string()).collect::<Vec<_>>().join(" ");
    lines.iter().map(line).collect::<Vec<_>>().join(" | ")
}

#[test]
fn a_plan_answers_each_move_once_and_legally() {
    // It is Second's turn in xiangqi after one move; First plans.
    for (name, plan, wanted) in [
        ("one answer", "h9g7 h0g2", Ok("h9g7 h0g2")),
        ("two moves, two answers", "h9g7 h0g2 | b9c7 b0c2", Ok("h9g7 h0g2 | b9c7 b0c2")),
        (
            "a tree",
            "h9g7 h0g2 a9a8 i0h0 | h9g7 h0g2 i9h9 b0c2",
            Ok("h9g7 h0g2 a9a8 i0h0 | h9g7 h0g2 i9h9 b0c2"),
        ),
        ("a move of theirs at the end is left out", "h9g7 h0g2 a9a8", Ok("h9g7 h0g2")),
        ("their move alone", "h9g7", Ok("")),
        ("the same twice", "h9g7 h0g2 | h9g7 h0g2", Ok("h9g7 h0g2")),
        ("the beginning of another", "h9g7 h0g2 a9a8 i0h0 | h9g7 h0g2", Ok("h9g7 h0g2 a9a8 i0h0")),
        ("the beginning first", "h9g7 h0g2 | h9g7 h0g2 a9a8 i0h0", Ok("h9g7 h0g2 a9a8 i0h0")),
        ("two answers to one move", "h9g7 h0g2 | h9g7 b0c2", Err("plan-two-answers")),
        ("an illegal move", "h9g7 a0a9", Err("illegal-move")),
        ("one's own move first", "h0g2 h9g7", Err("illegal-move")),
        ("no move at all", "h9g7 hello", Err("bad-move-text")),
    ] {
        let found = check(game("xiangqi", "h2e2").as_ref(), Side::First, &lines(plan));
        match (found, wanted) {
            (Ok(found), Ok(wanted)) => assert_eq!(written(&found), wanted, "{name}"),
            (Err(_), Err("illegal-move" | "bad-move-text")) => {}
            (Err(why), Err(wanted)) => assert_eq!(why.key, wanted, "{name}"),
            (found, wanted) => panic!("{name}: {found:?}, not {wanted:?}"),
        }
    }
    let start = game("xiangqi", "h2e2 h9g7");
    assert_eq!(
        check(start.as_ref(), Side::First, &lines("h0g2")).expect_err("one's turn").key,
        "plan-on-your-turn"
    );
    let many = vec![lines("h9g7 h0g2").remove(0); MOST_LINES + 1];
    assert_eq!(
        check(game("xiangqi", "h2e2").as_ref(), Side::First, &many).expect_err("many").key,
        "plan-too-long"
    );
    let long = vec![vec!["h9g7".to_owned(); MOST_PLIES + 1]];
    assert_eq!(
        check(game("xiangqi", "h2e2").as_ref(), Side::First, &long).expect_err("long").key,
        "plan-too-long"
    );
}

#[test]
fn nothing_is_planned_after_the_end() {
    let game = game("gomoku/freestyle", "h8 a1 h9 a2 h10 a3 h11");
    let why = check(game.as_ref(), Side::First, &lines("a4 h12 a5 h13")).expect_err("five in a row");
    assert_eq!(
        (why.key, why.args.iter().any(|(name, value)| *name == "ply" && value == "3")),
        ("plan-after-end", true)
    );
    assert!(check(game.as_ref(), Side::First, &lines("a4 h12")).is_ok(), "the winning move may be planned");
}

#[test]
fn what_is_left_of_a_plan_follows_from_the_record() {
    let plan = lines("a1 h9 a2 h10 | b1 g8 | a1 h9 b2 g8");
    let ply = |text: &str| PlyInfo(text.into(), wire::Side::First, None, [].into());
    let record = |played: &str| -> Vec<PlyInfo> { played.split_whitespace().map(ply).collect() };
    for (name, played, wanted) in [
        ("nothing happened", "h8", "a1 h9 a2 h10 | b1 g8 | a1 h9 b2 g8"),
        ("their first move", "h8 a1", "h9 a2 h10 | h9 b2 g8"),
        ("and the answer", "h8 a1 h9", "a2 h10 | b2 g8"),
        ("another answer, by hand", "h8 a1 h10", ""),
        ("another move", "h8 c1", ""),
        ("to the end", "h8 b1 g8", ""),
        ("taken back", "", ""),
    ] {
        let record = record(played);
        let left: Vec<String> = rest(1, &plan, &record).map(|line| line.join(" ")).collect();
        assert_eq!(left.join(" | "), wanted, "{name}");
    }
}

/// A small generator, so that a failure can be played again.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % limit as u64).expect("less than the limit")
    }
}

/// Random lines that answer each of their positions once.
fn random_plan(game: &dyn AnyGame, side: Side, random: &mut Random) -> Vec<Vec<String>> {
    let mut answers: HashMap<Vec<String>, String> = HashMap::new();
    let mut lines = Vec::new();
    for _ in 0..1 + random.below(6) {
        let (mut game, mut line) = (game.boxed_clone(), Vec::new());
        for _ in 0..1 + random.below(12) {
            let moves = game.moves();
            if moves.is_empty() || game.outcome().is_some() {
                break;
            }
            let mut text = moves[random.below(moves.len().min(5))].clone();
            if game.turn() == side {
                text = answers.entry(line.clone()).or_insert(text).clone();
            }
            game.play(&text).unwrap_or_else(|_| panic!("{text} was listed"));
            line.push(game.last_move().unwrap_or(text));
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

/// The answers of a plan are legal and are those of one of its lines, in every game of the catalogue, also where a
/// turn has several plies.
#[test]
fn a_checked_plan_is_never_illegal_when_it_fits() {
    let mut answered = 0;
    for entry in catalog::ENTRIES.iter().filter(|entry| !entry.needs_map()) {
        for seed in 0..6_u64 {
            let mut random = Random(seed * 97 + 5);
            let mut game = game(entry.key, "");
            for _ in 0..random.below(9) {
                let moves = game.moves();
                if game.outcome().is_none() && !moves.is_empty() {
                    game.play(&moves[random.below(moves.len())]).unwrap_or_else(|_| panic!("was listed"));
                }
            }
            if game.outcome().is_some() {
                continue;
            }
            let side = game.turn().other();
            let plan = random_plan(game.as_ref(), side, &mut random);
            let found = check(game.as_ref(), side, &plan);
            let found = found.unwrap_or_else(|why| panic!("{} seed {seed}: {why:?} {plan:?}", entry.key));
            let lines: Vec<Vec<String>> =
                found.iter().map(|line| line.iter().map(|ply| ply.0.to_string()).collect()).collect();
            assert!(found.iter().all(|line| line.last().is_some_and(|ply| ply.1 == side)));
            let mut record: Vec<PlyInfo> = Vec::new();
            while game.outcome().is_none() {
                let left: Vec<Vec<String>> = rest(0, &lines, &record).map(<[String]>::to_vec).collect();
                if left.is_empty() {
                    break;
                }
                let planned = left[if game.turn() == side { 0 } else { random.below(left.len()) }][0].clone();
                let by = game.turn();
                if by == side {
                    answered += 1;
                    assert!(
                        left.iter().all(|line| line[0] == planned),
                        "{} seed {seed}: two answers",
                        entry.key
                    );
                }
                game.play(&planned)
                    .unwrap_or_else(|_| panic!("{} seed {seed}: {planned} is legal", entry.key));
                record.push(PlyInfo(planned.as_str().into(), by, None, [].into()));
            }
        }
    }
    assert!(answered > 100, "only {answered} moves were planned");
}
