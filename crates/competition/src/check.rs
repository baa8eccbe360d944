//! Checks of the rounds that were paired, and competitions made by a seed to check programs with.

use std::collections::BTreeSet;

use kernel::Problem;

use crate::field::{Bye, Entrant, Field, Pairing, Points, Round, Score, Seat};
use crate::swiss;

/// The most times that anybody should have one seat more often than the other.
const BALANCE: i32 = 2;

/// The boards of a round that another pairing has otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compared {
    /// The number of the round, from 1.
    pub round: usize,
    /// The boards of the round as it was paired.
    pub boards: usize,
    /// The number of them that have the same two entrants in ours.
    pub same_pairs: usize,
    /// The number of them that have the same two entrants in the same seats.
    pub same_seats: usize,
}

/// Pairs each round of a field again, by what was known before it.
///
/// # Errors
/// The problems of [`swiss::pair`].
pub fn compare(field: &Field) -> Result<Vec<Compared>, Problem> {
    (0..field.rounds.len())
        .map(|at| {
            let round = &field.rounds[at];
            // Where the lot of the first round is not told, it was as that round shows.
            let first = field.rounds.iter().take(1).flat_map(|round| &round.pairings);
            let mut shown = first
                .filter(|one| one.first == 0 || one.second == 0)
                .map(|one| if one.first == 0 { Seat::First } else { Seat::Second });
            let before = Field {
                top_seat: field.top_seat.or(shown.next()),
                rounds: field.rounds[..at].to_vec(),
                away: round.byes.iter().copied().filter(|(_, bye)| *bye != Bye::Allocated).collect(),
                ..field.clone()
            };
            let ours = swiss::pair(&before)?;
            let seats: BTreeSet<(usize, usize)> =
                ours.pairings.iter().map(|one| (one.first, one.second)).collect();
            let has = |a, b| seats.contains(&(a, b));
            let same_seats = round.pairings.iter().filter(|one| has(one.first, one.second)).count();
            let turned = round.pairings.iter().filter(|one| has(one.second, one.first)).count();
            Ok(Compared {
                round: at + 1,
                boards: round.pairings.len(),
                same_pairs: same_seats + turned,
                same_seats,
            })
        })
        .collect()
}

/// Returns what no Swiss system does: two who meet again or are kept apart, a second bye, a seat too often.
///
/// Each problem has `round` and the places of entrants, from 0, as `entrant` and `opponent`: `paired-again`, `paired-apart`, `bye-again`,
/// `seats-uneven` with `more`.
#[must_use]
pub fn odd(field: &Field) -> Vec<Problem> {
    let (mut odd, apart) = (Vec::new(), field.kept_apart());
    let mut met: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut spared: BTreeSet<usize> = BTreeSet::new();
    let mut balance = vec![0_i32; field.entrants.len()];
    for (number, round) in (1..).zip(&field.rounds) {
        let told = |key, entrant| Problem::new(key).with("round", number).with("entrant", entrant);
        for &Pairing { first, second, score } in &round.pairings {
            if apart.holds(first, second) {
                odd.push(told("paired-apart", first).with("opponent", second));
            }
            match score {
                Some(Score::Forfeit(winner)) => {
                    spared.insert(if winner == Seat::First { first } else { second });
                }
                Some(Score::NeitherCame) => {}
                _ => {
                    if !met.insert((first.min(second), first.max(second))) {
                        odd.push(told("paired-again", first).with("opponent", second));
                    }
                    for (own, step) in [(first, 1), (second, -1)] {
                        balance[own] += step;
                        if balance[own].abs() > BALANCE && balance[own].signum() == step {
                            odd.push(told("seats-uneven", own).with("more", balance[own].abs()));
                        }
                    }
                }
            }
        }
        for &(own, bye) in &round.byes {
            if matches!(bye, Bye::Allocated | Bye::Full) && !spared.insert(own) && bye == Bye::Allocated {
                odd.push(told("bye-again", own));
            }
        }
    }
    odd
}

/// The settings of a competition that is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Made {
    /// The number of entrants, from 2 to [`swiss::MOST`].
    pub entrants: usize,
    /// The number of rounds.
    pub rounds: usize,
    /// The same seed, the same competition.
    pub seed: u64,
    /// The points of each result.
    pub points: Points,
}

/// Makes a competition: ratings, rounds paired by [`swiss`], results by rating and lot, some who are away or do not come.
///
/// # Errors
/// The problems of [`swiss::pair`].
pub fn make(wish: &Made) -> Result<Field, Problem> {
    let mut lot = Lot(wish.seed);
    let mut ratings: Vec<u32> = (0..wish.entrants).map(|_| 1_000 + lot.below(1_600)).collect();
    ratings.sort_unstable_by(|a, b| b.cmp(a));
    let entrant =
        |(own, rating)| Entrant { name: format!("Entrant {}", own + 1), rating, ..Entrant::default() };
    let entrants: Vec<Entrant> = ratings.into_iter().enumerate().map(entrant).collect();
    let top_seat = Some(if lot.below(2) == 0 { Seat::First } else { Seat::Second });
    let mut field =
        Field { entrants, points: wish.points, planned: wish.rounds, top_seat, ..Field::default() };
    for _ in 0..wish.rounds {
        field.away = (0..wish.entrants).filter(|_| lot.below(40) == 0).map(|own| (own, Bye::Half)).collect();
        if wish.entrants - field.away.len() < 2 {
            field.away.clear();
        }
        let mut round = swiss::pair(&field)?;
        score(&field, &mut round, &mut lot);
        field.rounds.push(round);
    }
    field.away.clear();
    Ok(field)
}

fn score(field: &Field, round: &mut Round, lot: &mut Lot) {
    for pairing in &mut round.pairings {
        let strength = |own: usize, lot: &mut Lot| field.entrants[own].rating + lot.below(500);
        let (first, second) = (strength(pairing.first, lot), strength(pairing.second, lot));
        let winner = if first > second { Seat::First } else { Seat::Second };
        pairing.score = Some(match lot.below(100) {
            0 => Score::NeitherCame,
            1 | 2 => Score::Forfeit(winner),
            _ if first.abs_diff(second) < 120 => Score::Drawn,
            _ => Score::Won(winner),
        });
    }
}

/// Numbers by a seed: SplitMix64.
struct Lot(u64);

impl Lot {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 33) as u32 % limit
    }
}
