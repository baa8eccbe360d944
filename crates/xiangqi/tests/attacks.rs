//! Tests of the quick answers about attacks against slow ones: they catch a missed check, or a piece that takes out
//! of turn.

use kernel::laws::Random;
use kernel::{Position, Side};
use xiangqi::attacks::attacks;
use xiangqi::{Kind, Rules, Square, Squares, Xiangqi};

const LEAST_FIRST: [Kind; 7] =
    [Kind::Soldier, Kind::Elephant, Kind::Advisor, Kind::Horse, Kind::Cannon, Kind::Rook, Kind::General];

/// Positions of random games.
fn positions(seed: u64, games: u32, mut see: impl FnMut(&Xiangqi)) {
    let mut random = Random(seed);
    for _ in 0..games {
        let mut pos = Xiangqi::new(Rules::Asian);
        for _ in 0..150 {
            see(&pos);
            let mut moves = Vec::new();
            pos.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            pos.play(moves[random.below(moves.len())]);
        }
    }
}

#[test]
fn a_move_gives_check_if_the_general_is_attacked_after_it() {
    let mut checks = 0;
    positions(1, 60, |pos| {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        for m in moves {
            let mut next = pos.clone();
            next.play(m);
            let check = next.in_check(next.turn());
            checks += u32::from(check);
            assert_eq!(pos.gives_check(m), check, "{m:?}\n{pos:?}");
        }
    });
    assert!(checks > 1000, "{checks}");
}

/// The least piece that takes on a square, found by asking each.
fn least(pos: &Xiangqi, by: Side, to: Square, occupied: Squares) -> Option<(Square, Kind)> {
    LEAST_FIRST.into_iter().find_map(|kind| {
        let mut able = pos.all(by, kind);
        let from = able.find(|&from| occupied.has(from) && attacks(by, kind, from, to, occupied))?;
        Some((from, kind))
    })
}

#[test]
fn the_least_takes_first() {
    let mut found = 0;
    positions(2, 4, |pos| {
        for (by, to) in Side::BOTH.into_iter().flat_map(|by| Squares::ALL.iter().map(move |to| (by, to))) {
            let (takers, mut occupied) = (pos.takers(by, to), pos.occupied());
            // One after the other leaves the board.
            loop {
                let next = takers.least(pos, occupied);
                assert_eq!(next, least(pos, by, to, occupied), "{by:?} on {to}\n{pos:?}");
                let Some((from, _)) = next else { break };
                found += 1;
                occupied = occupied.without(from);
            }
            assert!(!takers.is_empty() || takers.least(pos, Squares::ALL).is_none());
        }
    });
    assert!(found > 10_000, "{found}");
}
