//! Catches a safety game that takes a lost pair for safe, or a safe one for lost: against small boards that are solved
//! outright, and against the rules of `locked` on the board of 12x12.

use kernel::Side;
use locked::{Locked, Square, Step, Stones};
use solver::board::Sets;
use solver::checker::turns;
use solver::complete::Complete;
use solver::safety::{ATTACKER, DEFENDER, Safety};

type Places<const K: usize> = [(u8, u8); K];

fn places<const K: usize>(safety: &Safety<K>, colour: usize, set: [u8; K]) -> Places<K> {
    set.map(|square| safety.board().place(colour, square))
}

fn word<const K: usize>(size: u8, places: Places<K>) -> u64 {
    places.iter().fold(0, |word, (x, y)| word | 1 << (y * size + x))
}

/// Every pair of the board, in every round.
fn agree<const K: usize>(size: u8, rounds: u32) {
    let mut safety = Safety::<K>::new(size, size);
    let sets: Vec<[u8; K]> = (0..safety.sets().count()).map(|number| safety.sets().set(number)).collect();
    let words = |colour| sets.iter().map(|set| word(size, places(&safety, colour, *set))).collect();
    let mut complete = Complete::new(size, words(DEFENDER), words(ATTACKER));
    for round in 1..=rounds {
        let fallen = safety.round(2).fallen;
        assert_eq!(complete.round() == 0, fallen == 0, "round {round}");
        for (d, defender) in sets.iter().enumerate() {
            let defender = places(&safety, DEFENDER, *defender);
            for (a, attacker) in sets.iter().enumerate() {
                let attacker = places(&safety, ATTACKER, *attacker);
                assert_eq!(
                    safety.is_safe(defender, attacker),
                    Some(complete.is_safe(d, a)),
                    "round {round}: {defender:?} against {attacker:?}"
                );
            }
        }
        if fallen == 0 {
            return;
        }
    }
    panic!("it goes on after {rounds} rounds");
}

#[test]
fn boards_of_4_6_and_8() {
    agree::<2>(4, 20);
    agree::<3>(4, 20);
    agree::<2>(6, 20);
    agree::<3>(6, 20);
    agree::<2>(8, 20);
    if std::env::var_os("QIGUAN_DEEP").is_some() {
        agree::<4>(6, 60);
        agree::<3>(8, 60);
    }
}

fn stones<const K: usize>(places: Places<K>) -> Stones {
    Stones::of(places.map(|(x, y)| (x + 1, y + 1)))
}

fn places_of<const K: usize>(stones: Stones) -> Places<K> {
    let all: Vec<(u8, u8)> = stones.by_row().map(|square: Square| (square.x() - 1, square.y() - 1)).collect();
    all.try_into().expect("nothing is captured")
}

/// Pairs of 12x12, some drawn and some that just fell, in every round: safe when each turn of the attacker, by the rules,
/// has an answer that was safe before.
fn holds_by_the_rules<const K: usize>(side: u8, rounds: u32, pairs: usize) {
    let mut safety = Safety::<K>::new(12, side);
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut fell = 0;
    for round in 1..=rounds {
        let before = safety.clone();
        safety.round(2);
        let originals: Vec<[u8; K]> = safety.originals().map(|(set, _)| *set).collect();
        let fallen: Vec<&[u64]> = safety.fallen().collect();
        for pair in 0..pairs {
            let (defender, attacker) = if pair % 2 == 0 {
                (safety.formations()[random(safety.formations().len())], random(safety.sets().count()))
            } else {
                // One that fell, where there is one near.
                let original = random(originals.len());
                let from = random(fallen[original].len());
                let word = (from..fallen[original].len()).find(|&at| fallen[original][at] != 0);
                let number = word.map_or(0, |at| at * 64 + fallen[original][at].trailing_zeros() as usize);
                (originals[original], number)
            };
            let defender = places(&safety, DEFENDER, defender);
            let attacker = places(&safety, ATTACKER, safety.sets().set(attacker));
            let position = |side| {
                Locked::at([stones(attacker), stones(defender)], side, Step::ShiftAll, None, None)
                    .expect("stands")
            };
            let answers = |after: Locked| {
                turns(after).into_iter().any(|answer| {
                    let defender = places_of(answer.stones(Side::Second));
                    before.is_safe(defender, places_of(answer.stones(Side::First))) == Some(true)
                })
            };
            let wanted = turns(position(Side::First)).into_iter().all(answers);
            assert_eq!(
                safety.is_safe(defender, attacker),
                Some(wanted),
                "round {round}: {defender:?} against {attacker:?}"
            );
            assert!(safety.can_answer(defender, attacker).is_some());
            fell += usize::from(!wanted);
        }
    }
    assert!(fell > rounds as usize, "{fell} pairs were lost");
}

#[test]
fn the_board_of_12_by_the_rules() {
    holds_by_the_rules::<3>(3, 4, 40);
    holds_by_the_rules::<4>(3, 4, 40);
}

#[test]
fn sets_are_numbered_without_gaps() {
    let sets = Sets::<4>::new(18);
    assert_eq!(sets.count(), 3060);
    for number in 0..sets.count() {
        assert_eq!(sets.number(&sets.set(number)), number);
    }
    assert_eq!(Sets::<4>::new(72).count(), 1_028_790);
    // What docs/rules/locked.md says of the start's box of 6x6.
    assert_eq!(Safety::<2>::new(12, 12).formations().len(), 72 * 71 / 2);
}
