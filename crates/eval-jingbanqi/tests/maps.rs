//! Tests of the weights computed for a map when it is opened, and of their worth in play. All by counts, none by the
//! clock.

use std::sync::Arc;

use eval_jingbanqi::MapEval;
use jingbanqi::rule::{move_rule, place_rule};
use jingbanqi::{Jingbanqi, Map, PieceKind, Rulebook};
use kernel::laws::Random;
use kernel::{Game, Outcome, Position, Side};
use search::{Effort, Evaluator, SearchLimits, TranspositionTable, think};

fn file(path: &str) -> Jingbanqi {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("the map is there");
    Jingbanqi::new(Arc::new(Rulebook::new(jingbanqi::read(&bytes).map.expect("a good map"), false)))
}

/// A player: an evaluator and its limits; `None` plays at random.
type Player<'a> = Option<(&'a MapEval, SearchLimits)>;

/// Points of the first of two players in pairs of games, each pair from one random opening.
fn points(start: &Jingbanqi, [a, b]: [&Player<'_>; 2], pairs: u64) -> (u32, u32, u32) {
    let mut points = (0, 0, 0);
    for number in 0..2 * pairs {
        let mut random = Random(number / 2 + 1);
        let mut game = Game::new(start.clone());
        let mut moves = Vec::new();
        let memory = [TranspositionTable::new(1 << 20), TranspositionTable::new(1 << 20)];
        let colour = if number % 2 == 0 { Side::First } else { Side::Second };
        while game.outcome().is_none() && game.moves().len() < 300 {
            moves.clear();
            game.position().moves(&mut moves);
            let mine = game.position().turn() == colour;
            let chosen = match if mine { a } else { b } {
                Some((judge, limits)) if game.moves().len() >= 4 => {
                    let memory = &memory[usize::from(mine)];
                    think(&game, *judge, memory, limits, &mut |_| {}).expect("it goes on").lines[0].moves[0]
                }
                _ => moves[random.below(moves.len())],
            };
            assert!(moves.contains(&chosen), "not legal");
            game.play(chosen);
        }
        match game.outcome() {
            Some(Outcome::Win(side, _)) if side == colour => points.0 += 1,
            Some(Outcome::Win(..)) => points.2 += 1,
            _ => points.1 += 1,
        }
    }
    points
}

fn nodes(nodes: u64) -> SearchLimits {
    SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
}

fn depth(depth: u32) -> SearchLimits {
    SearchLimits { depth: Some(depth), ..SearchLimits::default() }
}

#[test]
fn a_map_is_found_out_the_same_each_time() {
    for path in ["maps/mountains.xlsx", "crates/jingbanqi/tests/data/maps/t4_promote(5x5).xlsx"] {
        let start = file(path);
        let judges = [MapEval::of(&start), MapEval::of(&start), MapEval::afresh(&start)];
        for judge in &judges {
            for id in 1..=start.book().map().kinds.len() as u16 {
                assert_eq!(judge.worth(id), judges[0].worth(id), "{path}: {id}");
            }
        }
        let counted = judges.map(|judge| {
            let memory = TranspositionTable::new(1 << 20);
            let limits = SearchLimits { depth: Some(6), ..SearchLimits::default() };
            let verdict = think(&Game::new(start.clone()), &judge, &memory, &limits, &mut |_| {});
            let verdict = verdict.expect("it goes on");
            (verdict.nodes, verdict.lines[0].score, verdict.lines[0].moves.clone())
        });
        assert!(counted[0] == counted[1] && counted[1] == counted[2], "{path}: {counted:?}");
    }
}

/// A board of 64 times 64 with pieces everywhere but in the middle is played, too.
#[test]
fn the_largest_map_is_played() {
    let mut map = shaped_like_xiangqi();
    (map.rows, map.cols) = (64, 64);
    map.start = (0..64 * 64).map(|at| if (20..44).contains(&(at / 64)) { 0 } else { 1 + at % 8 }).collect();
    let start = Jingbanqi::new(Arc::new(Rulebook::new(map, false)));
    let verdict = think(
        &Game::new(start.clone()),
        &MapEval::of(&start),
        &TranspositionTable::new(1 << 20),
        &nodes(50),
        &mut |_| {},
    );
    let mut moves = Vec::new();
    start.moves(&mut moves);
    assert!(moves.contains(&verdict.expect("it goes on").lines[0].moves[0]));
}

/// The evaluator finds a move that takes a captain exactly when the rules list one.
#[test]
fn a_captain_is_attacked_by_the_moves_that_take_him() {
    for path in ["maps/mountains.xlsx", "crates/jingbanqi/tests/data/maps/t1_grammar(6x8).xlsx"] {
        let start = file(path);
        let mut judge = MapEval::of(&start);
        let (mut random, mut attacked) = (Random(3), 0);
        for _ in 0..60 {
            let mut game = Game::new(start.clone());
            let mut moves = Vec::new();
            while game.outcome().is_none() && game.moves().len() < 80 {
                moves.clear();
                let pos = game.position();
                pos.moves(&mut moves);
                let kinds = &pos.book().map().kinds;
                let takes = |m: &jingbanqi::Move| {
                    let taken = pos.piece(m.to).map(|piece| &kinds[usize::from(piece.id) - 1]);
                    taken.is_some_and(|kind| kind.captain && kind.owner == Some(pos.turn().other()))
                };
                let found = judge.forced(pos, Effort::Leaf).map(|forced| forced.first);
                assert_eq!(found.is_some(), moves.iter().any(takes), "{path}");
                assert!(found.is_none_or(|m| takes(&m) && moves.contains(&m)), "{path}");
                attacked += usize::from(found.is_some());
                game.play(moves[random.below(moves.len())]);
            }
        }
        assert!(attacked > 20, "{path}: {attacked}");
    }
}

/// Rooks go along lines; what stands for cannons goes up and down at will, else one step; horses one step anywhere.
fn shaped_like_xiangqi() -> Map {
    let kind = |name: &str, owner, captain, rule: &str| PieceKind {
        name: name.to_owned(),
        owner: Some(owner),
        captain,
        rule: move_rule(rule).expect("a good rule"),
        promotes: place_rule("").expect("a good rule"),
        promoted: move_rule(";").expect("a good rule"),
        attributes: Vec::new(),
        level2: None,
    };
    let both = |name: &str, captain, red: &str, blue: &str| {
        [kind(name, Side::First, captain, red), kind(name, Side::Second, captain, blue)]
    };
    let kinds = [
        both("K", true, "2,4,5,7;", "2,4,5,7;"),
        both("R", false, ";2,4,5,7", ";2,4,5,7"),
        both("C", false, "4,5;2,7", "4,5;2,7"),
        both("H", false, "1,2,3,4,5,6,7,8;", "1,2,3,4,5,6,7,8;"),
        both("P", false, "2;", "7;"),
    ];
    let row = |at: [u16; 9], side: u16| at.map(|piece| if piece == 0 { 0 } else { 2 * piece - 1 + side });
    let (back, cannons) = ([2, 4, 0, 0, 1, 0, 0, 4, 2], [0, 3, 0, 0, 0, 0, 0, 3, 0]);
    let (soldiers, none) = ([5, 0, 5, 0, 5, 0, 5, 0, 5], [0; 9]);
    let rows = [
        row(back, 1),
        none,
        row(cannons, 1),
        row(soldiers, 1),
        none,
        none,
        row(soldiers, 0),
        row(cannons, 0),
        none,
        row(back, 0),
    ];
    Map {
        rows: 10,
        cols: 9,
        kinds: kinds.concat(),
        start: rows.concat(),
        promotion: false,
        undo: false,
        neutral_limit: false,
        level2: None,
    }
}

#[test]
fn pieces_of_a_known_game_are_worth_about_what_they_are_there() {
    let start = Jingbanqi::new(Arc::new(Rulebook::new(shaped_like_xiangqi(), false)));
    let judge = MapEval::of(&start);
    for side in 0..2 {
        let [rook, cannon, horse, soldier] = [3, 5, 7, 9].map(|id| judge.worth(id + side)[0]);
        assert!(rook > cannon && cannon > soldier && horse > soldier, "{rook} {cannon} {horse} {soldier}");
        assert!(rook > horse && soldier > 0, "{rook} {horse} {soldier}");
    }
}

#[test]
fn looking_ahead_beats_greed_and_chance_on_a_map_of_the_house() {
    let start = file("maps/mountains.xlsx");
    let judge = MapEval::of(&start);
    let full = Some((&judge, nodes(2000)));
    let (won, drawn, lost) = points(&start, [&full, &Some((&judge, depth(1)))], 6);
    assert!(2 * won + drawn >= 18 && lost <= 1, "greed: +{won} ={drawn} -{lost}");
    let (won, drawn, lost) = points(&start, [&full, &None], 3);
    assert!(won >= 5, "chance: +{won} ={drawn} -{lost}");
}
