//! Pairings: would catch an entrant who is paired twice, meets another again, or has one side too often.

use std::collections::BTreeSet;

use competition::{Bye, Entrant, Field, Pairing, Part, Round, Score, Seat, robin, swiss};

/// A small generator, so that a failure names its seed.
struct Lot(u64);

impl Lot {
    fn new(seed: u64) -> Lot {
        Lot(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

fn field(count: usize, lot: &mut Lot) -> Field {
    let mut ratings: Vec<u32> = (0..count).map(|_| 1000 + lot.below(1500) as u32).collect();
    ratings.sort_unstable_by(|a, b| b.cmp(a));
    let entrants = ratings.into_iter().map(|rating| Entrant { rating, ..Entrant::default() }).collect();
    Field { entrants, ..Field::default() }
}

/// Plays a round: the stronger wins more often, some do not come.
fn play(field: &mut Field, mut round: Round, lot: &mut Lot) {
    for pairing in &mut round.pairings {
        let strength = |own: usize| field.entrants[own].rating as usize;
        let stronger = strength(pairing.first) + lot.below(600) > strength(pairing.second) + lot.below(600);
        pairing.score = Some(match lot.below(40) {
            0 => Score::Forfeit(if stronger { Seat::First } else { Seat::Second }),
            1 => Score::NeitherCame,
            2 => Score::Ruled([Part::Loss, Part::Loss]),
            3..12 => Score::Drawn,
            _ => Score::Won(if stronger { Seat::First } else { Seat::Second }),
        });
    }
    field.rounds.push(round);
    field.away =
        (0..field.entrants.len()).filter(|_| lot.below(30) == 0).map(|own| (own, Bye::Half)).collect();
}

/// Asserts what holds of any round: each entrant stands in it once.
fn assert_whole(field: &Field, round: &Round, seed: u64) {
    let mut seen = BTreeSet::new();
    let paired = round.pairings.iter().flat_map(|pairing| [pairing.first, pairing.second]);
    for own in paired.chain(round.byes.iter().map(|(own, _)| *own)) {
        assert!(seen.insert(own), "seed {seed}: {own} twice");
    }
    assert_eq!(seen.len(), field.entrants.len(), "seed {seed}: somebody is missing");
    let allocated = round.byes.iter().filter(|(_, bye)| *bye == Bye::Allocated).count();
    assert_eq!(allocated, (field.entrants.len() - field.away.len()) % 2, "seed {seed}");
}

fn met(field: &Field, pairing: &Pairing) -> bool {
    let both = |old: &Pairing| {
        let is_played = !matches!(old.score, Some(Score::Forfeit(_) | Score::NeitherCame));
        is_played
            && [(old.first, old.second), (old.second, old.first)].contains(&(pairing.first, pairing.second))
    };
    field.rounds.iter().flat_map(|round| &round.pairings).any(both)
}

/// Runs a Swiss and returns the largest difference of sides that anybody had.
fn run(count: usize, rounds: usize, seed: u64) -> i32 {
    let mut lot = Lot::new(seed);
    let mut field = field(count, &mut lot);
    let mut worst = 0;
    for _ in 0..rounds {
        if count - field.away.len() < 2 {
            field.away.clear();
        }
        let round = swiss::pair(&field).expect("a round");
        assert_whole(&field, &round, seed);
        let again: Vec<&Pairing> = round.pairings.iter().filter(|pairing| met(&field, pairing)).collect();
        assert!(
            again.is_empty(),
            "seed {seed}, {count} entrants, round {}: {again:?}",
            field.rounds.len() + 1
        );
        let items = field.items();
        let spared =
            |own: usize| items[own].iter().any(|one| one.is_forfeit_win || one.bye == Some(Bye::Allocated));
        let bye = round.byes.iter().find(|(_, bye)| *bye == Bye::Allocated).map(|(own, _)| *own);
        if bye.is_some_and(spared) {
            let away = |own: usize| field.away.iter().any(|(away, _)| *away == own);
            assert!((0..count).all(|own| away(own) || spared(own)), "seed {seed}: a second bye");
        }
        play(&mut field, round, &mut lot);
        for items in field.items() {
            let sides = items.iter().filter_map(|item| item.met());
            let balance: i32 = sides.map(|(_, seat)| if seat == Seat::First { 1 } else { -1 }).sum();
            worst = worst.max(balance.abs());
        }
    }
    worst
}

#[test]
fn nobody_meets_anybody_twice_while_half_the_field_is_unknown() {
    for seed in 0..1_500 {
        let count = 8 + seed as usize % 25;
        let worst = run(count, count / 2 - 1, seed);
        assert!(worst <= 3, "seed {seed}, {count} entrants: {worst}");
    }
    for seed in 0..12 {
        let worst = run(150 + 31 * seed as usize, 9, seed);
        assert!(worst <= 2, "seed {seed}: {worst}");
    }
}

#[test]
fn ten_thousand_are_paired() {
    assert!(run(10_000, 3, 7) <= 2);
    let mut lot = Lot::new(1);
    assert_eq!(swiss::pair(&field(10_001, &mut lot)).expect_err("too many").key, "competition-too-many");
}

#[test]
fn those_meet_again_who_met_longest_ago() {
    let mut lot = Lot::new(3);
    let mut field = field(4, &mut lot);
    for number in 0..6 {
        let round = swiss::pair(&field).expect("a round");
        let mut pairs: Vec<_> =
            round.pairings.iter().map(|p| (p.first.min(p.second), p.first.max(p.second))).collect();
        pairs.sort_unstable();
        if number >= 3 {
            let old = &field.rounds[number - 3];
            let mut before: Vec<_> =
                old.pairings.iter().map(|p| (p.first.min(p.second), p.first.max(p.second))).collect();
            before.sort_unstable();
            assert_eq!(pairs, before, "round {number}");
        }
        let mut round = round;
        for pairing in &mut round.pairings {
            pairing.score = Some(Score::Drawn);
        }
        field.rounds.push(round);
    }
}

#[test]
fn who_is_kept_apart_does_not_meet() {
    for seed in 0..200 {
        let mut lot = Lot::new(seed);
        let mut field = field(20, &mut lot);
        field.apart = vec![vec![0, 10, 5, 15], vec![1, 2, 3]];
        for _ in 0..5 {
            let round = swiss::pair(&field).expect("a round");
            assert!(
                round.pairings.iter().all(|p| !field.kept_apart().holds(p.first, p.second)),
                "seed {seed}"
            );
            play(&mut field, round, &mut lot);
            field.away.clear();
        }
    }
    let mut field = field(4, &mut Lot::new(1));
    field.apart = vec![vec![0, 1, 2]];
    assert_eq!(swiss::pair(&field).expect_err("no round").key, "competition-apart");
}

#[test]
fn a_round_that_is_open_is_not_gone_over() {
    let mut field = field(4, &mut Lot::new(1));
    let round = swiss::pair(&field).expect("a round");
    field.rounds.push(round);
    let problem = swiss::pair(&field).expect_err("open");
    assert_eq!(
        (problem.key, problem.arg("round"), problem.arg("board")),
        ("competition-open", Some("1"), Some("1"))
    );
    field.rounds.clear();
    field.away = (0..3).map(|own| (own, Bye::Zero)).collect();
    assert_eq!(swiss::pair(&field).expect_err("alone").key, "competition-too-few");
}

/// The tables of the handbook of the International Chess Federation, C.05 annex 1.
const BERGER: [(usize, &str); 3] = [
    (4, "1-4 2-3 | 4-3 1-2 | 2-4 3-1"),
    (6, "1-6 2-5 3-4 | 6-4 5-3 1-2 | 2-6 3-1 4-5 | 6-5 1-4 2-3 | 3-6 4-2 5-1"),
    (
        8,
        "1-8 2-7 3-6 4-5 | 8-5 6-4 7-3 1-2 | 2-8 3-1 4-7 5-6 | 8-6 7-5 1-4 2-3 | 3-8 4-2 5-1 6-7 | 8-7 1-6 2-5 3-4 | 4-8 5-3 6-2 7-1",
    ),
];

#[test]
fn round_robins_are_those_of_the_handbook() {
    for (count, table) in BERGER {
        let told = |round: &Round| {
            let boards = round.pairings.iter().map(|p| format!("{}-{}", p.first + 1, p.second + 1));
            boards.collect::<Vec<_>>().join(" ")
        };
        let rounds: Vec<String> = robin::rounds(count, 1).iter().map(told).collect();
        assert_eq!(rounds.join(" | "), table);
    }
}

#[test]
fn in_a_round_robin_all_meet_as_often_and_sides_are_even() {
    for count in 2..=robin::MOST {
        for cycles in 1..=4 {
            let rounds = robin::rounds(count, cycles);
            let field = field(count, &mut Lot::new(5));
            let mut meetings = vec![vec![0; count]; count];
            let mut balance = vec![0_i32; count];
            for round in &rounds {
                let byes = count % 2;
                assert_eq!((round.pairings.len() * 2 + byes, round.byes.len()), (count, byes));
                let away = Field { away: round.byes.clone(), ..field.clone() };
                assert_whole(&away, round, count as u64);
                for pairing in &round.pairings {
                    meetings[pairing.first][pairing.second] += 1;
                    balance[pairing.first] += 1;
                    balance[pairing.second] -= 1;
                }
            }
            for a in 0..count {
                assert!(
                    balance[a].unsigned_abs() as usize <= cycles % 2,
                    "{count} entrants, {cycles} cycles"
                );
                for b in (0..count).filter(|b| *b != a) {
                    assert_eq!(meetings[a][b] + meetings[b][a], cycles);
                    assert!(meetings[a][b].abs_diff(meetings[b][a]) <= 1);
                }
            }
        }
    }
    assert!(robin::rounds(1, 1).is_empty() && robin::rounds(0, 1).is_empty());
}
