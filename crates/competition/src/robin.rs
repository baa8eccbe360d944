//! Round robins by Berger tables: everybody meets everybody.

use crate::field::{Bye, Pairing, Round};

/// The most entrants of a round robin.
pub const MOST: usize = 40;

/// Returns the rounds of a round robin: each two meet once in each cycle.
///
/// `entrants` is from 2 to [`MOST`], `cycles` from 1 to 4. With an odd number, the entrant who would meet the missing last one has a bye without points. An even cycle has
/// the sides of the one before reversed; before it the last two rounds are exchanged, so that no entrant has one side three
/// times in a row. The tables are those of the International Chess Federation's handbook, C.05, annex 1.
///
/// ```
/// let rounds = competition::robin::rounds(4, 1);
/// let boards: Vec<_> = rounds.iter().map(|r| r.pairings.iter().map(|p| (p.first + 1, p.second + 1)).collect::<Vec<_>>()).collect();
/// assert_eq!(boards, [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]);
/// ```
#[must_use]
pub fn rounds(entrants: usize, cycles: usize) -> Vec<Round> {
    let mut once = cycle(entrants);
    let mut all = Vec::new();
    for number in 0..cycles {
        let mut rounds = once.clone();
        let last = rounds.len();
        if number % 2 == 0 && number + 1 < cycles && last >= 3 {
            rounds.swap(last - 1, last - 2);
        }
        all.append(&mut rounds);
        for pairing in once.iter_mut().flat_map(|round| &mut round.pairings) {
            std::mem::swap(&mut pairing.first, &mut pairing.second);
        }
    }
    all
}

/// Returns one cycle. The last entrant of an even number sits still; the others stand in a circle and are turned by half of it.
fn cycle(entrants: usize) -> Vec<Round> {
    let even = entrants + entrants % 2;
    let Some(circle) = even.checked_sub(1).filter(|_| entrants > 1) else { return Vec::new() };
    let (mut rounds, mut at) = (Vec::new(), 0);
    for number in 0..circle {
        let mut round = Round::default();
        let last = even - 1;
        let (first, second) = if number % 2 == 0 { (at, last) } else { (last, at) };
        if last < entrants {
            round.pairings.push(Pairing { first, second, score: None });
        } else {
            round.byes.push((at, Bye::Zero));
        }
        for step in 1..even / 2 {
            let (first, second) = ((at + step) % circle, (at + circle - step) % circle);
            round.pairings.push(Pairing { first, second, score: None });
        }
        rounds.push(round);
        at = (at + even / 2) % circle;
    }
    rounds
}
