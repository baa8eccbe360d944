//! The threats of gomoku, kept up to date stone by stone, against a board read from scratch and against the rules.

use eval_gomoku::Shapes;
use eval_gomoku::kind::StoneKind;
use gomoku::{Gomoku, Move, Point, Rule};
use kernel::laws::Random;
use kernel::{Outcome, Position, Side};

/// Boards of all shapes, the extremes among them.
const SIZES: [(u8, u8); 8] = [(5, 5), (6, 5), (5, 9), (15, 15), (12, 20), (20, 20), (26, 6), (26, 26)];

/// Asserts that both give the same answers to all questions.
fn assert_equal(a: &mut Shapes, b: &mut Shapes, what: &str) {
    assert_same_threats(a, b, what);
    for side in Side::BOTH {
        for on_the_move in [true, false] {
            let [a, b] = [&mut *a, b].map(|shapes| shapes.value(side, on_the_move));
            assert_eq!(a, b, "{what}: the value for {side:?}, on the move: {on_the_move}");
        }
    }
}

/// Asserts that both have the same threats; values are left out, for laid stones do not change them.
fn assert_same_threats(a: &Shapes, b: &Shapes, what: &str) {
    assert_eq!(a.key(), b.key(), "{what}: the key");
    for side in Side::BOTH {
        for kind in StoneKind::ALL.into_iter().filter(|kind| kind.is_threat()) {
            assert_eq!(a.set(side, kind), b.set(side, kind), "{what}: {kind:?} of {side:?}");
            assert_eq!(a.count(side, kind), a.set(side, kind).count(), "{what}: the count of {kind:?}");
        }
        for at in a.empty_cells() {
            assert_eq!(a.classes(side, at), b.classes(side, at), "{what}: cell {at} for {side:?}");
            assert_eq!(a.worth(side, at), b.worth(side, at), "{what}: cell {at} for {side:?}");
            assert_eq!(a.sort(side, at), b.sort(side, at), "{what}: cell {at} for {side:?}");
        }
    }
}

#[test]
fn stone_by_stone_equals_a_board_read_anew() {
    for rule in Rule::ALL {
        for (files, ranks) in SIZES {
            let mut random = Random(u64::from(files) * 100 + u64::from(ranks) + rule as u64);
            let mut pos = Gomoku::new(rule, files, ranks).expect("the sizes are legal");
            let mut shapes = Shapes::of(&pos);
            let mut boards = vec![pos.clone()];
            let mut moves = Vec::new();
            while pos.outcome().is_none() {
                moves.clear();
                pos.moves(&mut moves);
                let Move::Put(at) = moves[random.below(moves.len())] else { continue };
                shapes.put(pos.turn(), shapes.cell(at));
                pos.play(Move::Put(at));
                boards.push(pos.clone());
                if boards.len() % 7 == 0 {
                    assert_equal(&mut shapes, &mut Shapes::of(&pos), &format!("{rule:?} {files}x{ranks}"));
                }
            }
            while boards.len() > 1 {
                boards.pop();
                shapes.take();
                if boards.len() % 7 == 1 {
                    let before = boards.last().expect("the start is left");
                    assert_equal(
                        &mut shapes,
                        &mut Shapes::of(before),
                        &format!("back, {rule:?} {files}x{ranks}"),
                    );
                }
            }
        }
    }
}

/// Stones of both sorts in any order, taken back to different depths: what stands is always what a new board says, and
/// nothing of a laid stone is left when it is taken.
#[test]
fn laid_stones_are_put_but_for_the_values() {
    for rule in Rule::ALL {
        for (files, ranks) in [(7, 6), (15, 15), (26, 11)] {
            let mut random = Random(u64::from(files) + 31 * rule as u64);
            let start = Gomoku::new(rule, files, ranks).expect("the sizes are legal");
            let mut shapes = Shapes::of(&start);
            let mut line = vec![start];
            for round in 0..60 {
                let laid = round % 2 == 0;
                let stood = line.len();
                for _ in 0..random.below(9) {
                    let pos = &line[line.len() - 1];
                    let mut moves = Vec::new();
                    pos.moves(&mut moves);
                    if pos.outcome().is_some() || moves.is_empty() {
                        break;
                    }
                    let m = moves[random.below(moves.len())];
                    let Move::Put(at) = m else { continue };
                    let cell = shapes.cell(at);
                    if laid {
                        shapes.lay(pos.turn(), cell)
                    } else {
                        shapes.put(pos.turn(), cell)
                    }
                    let mut after = pos.clone();
                    after.play(m);
                    line.push(after);
                }
                let what = format!("{rule:?} {files}x{ranks} round {round}");
                assert_same_threats(&shapes, &Shapes::of(&line[line.len() - 1]), &what);
                let left = if laid { stood } else { 1 + random.below(line.len()) };
                while line.len() > left {
                    line.pop();
                    shapes.take();
                }
                assert_equal(&mut shapes, &mut Shapes::of(&line[line.len() - 1]), &what);
            }
        }
    }
}

/// The answer foretold for a four is the one that stops it once it is made.
#[test]
fn fours_are_seen_before_they_are_made() {
    let (mut last, mut others, mut none) = (0, 0, 0);
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        for seed in 1..=40 {
            let mut random = Random(seed * 104_729);
            let mut pos = Gomoku::new(rule, 10, 9).expect("the size is legal");
            while pos.outcome().is_none() {
                let mut shapes = Shapes::of(&pos);
                for side in Side::BOTH {
                    for at in shapes
                        .fours(side)
                        .iter()
                        .filter(|&at| !shapes.is_forbidden(side, at))
                        .collect::<Vec<_>>()
                    {
                        let ready = shapes.has_five(side);
                        let four = shapes.four(side, at);
                        let kind = shapes.kind(side, at);
                        let what =
                            format!("{four:?} at {at}, {kind:?}, {rule:?} {}", kernel::Notation::fen(&pos));
                        shapes.lay(side, at);
                        match four {
                            Some(four) if !ready => {
                                assert!(shapes.set(side, StoneKind::Five).has(four.answer), "{what}");
                                let single = shapes.count(side, StoneKind::Five) == 1;
                                assert!(single || kind == StoneKind::OpenFour, "{what}");
                                shapes.lay(side.other(), four.answer);
                                let left = shapes.count_fours(side) + shapes.count(side, StoneKind::Five);
                                assert!(!four.is_last || left == 0, "{what}: {left}");
                                if four.is_last {
                                    last += 1
                                } else {
                                    others += 1
                                }
                                shapes.take();
                            }
                            Some(_) => {}
                            None => none += 1,
                        }
                        shapes.take();
                        if let Some(four) = four {
                            let key = shapes.key_with(side, at, four.answer);
                            shapes.lay(side, at);
                            shapes.lay(side.other(), four.answer);
                            assert_eq!(shapes.key(), key, "{what}");
                            shapes.take();
                            shapes.take();
                        }
                    }
                }
                let mut moves = Vec::new();
                pos.moves(&mut moves);
                pos.play(moves[random.below(moves.len())]);
            }
        }
    }
    assert!(last > 500 && others > 100 && none > 10, "last {last}, others {others}, none {none}");
}

/// The kind of a stone agrees with the rules when the stone is put: five, forbidden, and the possible fives that
/// follow.
#[test]
fn kinds_are_what_the_rules_do() {
    let mut seen = [0; StoneKind::COUNT];
    for rule in Rule::ALL {
        for seed in 1..=12 {
            let mut random = Random(seed * 7919);
            let mut pos = Gomoku::new(rule, 9, 11).expect("the size is legal");
            let mut moves = Vec::new();
            while pos.outcome().is_none() {
                moves.clear();
                pos.moves(&mut moves);
                let shapes = Shapes::of(&pos);
                for &m in moves.iter().step_by(5) {
                    let Move::Put(at) = m else { continue };
                    let side = pos.turn();
                    let kind = shapes.kind(side, shapes.cell(at));
                    seen[kind as usize] += 1;
                    let mut after = pos.clone();
                    after.play(m);
                    let what = || format!("{kind:?} at {at:?}, {rule:?} {}", kernel::Notation::fen(&pos));
                    let outcome = after.outcome();
                    let winner = outcome.and_then(Outcome::winner);
                    assert_eq!(kind == StoneKind::Five, winner == Some(side), "{}", what());
                    let forbidden = winner == Some(side.other());
                    assert_eq!(shapes.is_forbidden(side, shapes.cell(at)), forbidden, "{}", what());
                    // If a five was threatened before, the effect of the new stone alone cannot be seen.
                    if outcome.is_none() && fives(&pos, side).is_empty() {
                        let fours = [StoneKind::Four, StoneKind::FourThree, StoneKind::OpenFour];
                        assert_eq!(fours.contains(&kind), !fives(&after, side).is_empty(), "{}", what());
                    }
                }
                pos.play(moves[random.below(moves.len())]);
            }
        }
    }
    assert!(seen.iter().all(|&times| times > 10), "each kind was met: {seen:?}");
}

/// The empty points where a stone of `side` would win.
fn fives(pos: &Gomoku, side: Side) -> Vec<Point> {
    let points = (0..pos.ranks()).flat_map(|row| (0..pos.files()).map(move |file| Point { row, file }));
    let wins = |&at: &Point| {
        let mut stones = [*pos.stones(Side::First), *pos.stones(Side::Second)];
        stones[side.index()].put(at);
        pos.at(at).is_none() && gomoku::five::wins(&stones, side, at, pos.rule())
    };
    points.filter(wins).collect()
}
