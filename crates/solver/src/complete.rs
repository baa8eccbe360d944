//! Small boards solved outright, step by step as the rules say it, to hold the safety game against.
//!
//! Nothing here knows of colours, formations, symmetries or rows of bits; squares are bits of a word.

use std::collections::HashMap;

/// A turn that one's own stones allow: squares the other side must not be on, and one's stones after it.
type Turn = (u64, u64);

/// Every pair of sets that `defenders` and `attackers` hold, solved.
pub struct Complete {
    defenders: Vec<u64>,
    attackers: Vec<u64>,
    turns: [Vec<Vec<(u64, usize)>>; 2],
    /// True, for each pair of sets, if the defender is safe with the attacker to move.
    safe: Vec<bool>,
}

impl Complete {
    /// Creates the game on a board of `size` by `size`, at most 8; each list holds every set that a turn from one of
    /// its sets leads to, as the sets on squares of one colour do.
    ///
    /// # Panics
    /// Panics when a turn leads out of a list.
    #[must_use]
    pub fn new(size: u8, defenders: Vec<u64>, attackers: Vec<u64>) -> Complete {
        assert!(size <= 8, "a square is a bit of 64");
        let numbered = |sets: &[u64]| {
            let number: HashMap<u64, usize> = sets.iter().enumerate().map(|(i, &set)| (set, i)).collect();
            let turns = |&set| turns(size, set).into_iter().map(|(free, to)| (free, number[&to])).collect();
            sets.iter().map(turns).collect::<Vec<Vec<(u64, usize)>>>()
        };
        let turns = [numbered(&defenders), numbered(&attackers)];
        let safe = vec![true; defenders.len() * attackers.len()];
        Complete { defenders, attackers, turns, safe }
    }

    /// Returns true if the defender with that set is safe for as many turns as there were rounds, the attacker to
    /// move.
    #[must_use]
    pub fn is_safe(&self, defender: usize, attacker: usize) -> bool {
        self.safe[defender * self.attackers.len() + attacker]
    }

    /// Plays one more round and returns the number of pairs that fell in it.
    pub fn round(&mut self) -> u64 {
        let count = self.attackers.len();
        let mut answered = vec![false; self.safe.len()];
        for (d, turns) in self.turns[0].iter().enumerate() {
            for (a, &stones) in self.attackers.iter().enumerate() {
                answered[d * count + a] =
                    turns.iter().any(|&(free, to)| free & stones == 0 && self.safe[to * count + a]);
            }
        }
        let mut fallen = 0;
        for (d, &stones) in self.defenders.iter().enumerate() {
            for (a, turns) in self.turns[1].iter().enumerate() {
                let at = d * count + a;
                let is_safe = turns.iter().all(|&(free, to)| free & stones != 0 || answered[d * count + to]);
                fallen += u64::from(self.safe[at] && !is_safe);
                self.safe[at] = is_safe;
            }
        }
        fallen
    }
}

/// The whole turns of a side alone on the board.
fn turns(size: u8, own: u64) -> Vec<Turn> {
    let mut all = Vec::new();
    for first in DIRECTIONS {
        let Some(halfway) = shift(size, own, first) else { continue };
        for second in DIRECTIONS.into_iter().filter(|second| is_across(first, *second)) {
            let Some(shifted) = shift(size, halfway, second) else { continue };
            for stone in 0..size * size {
                if shifted >> stone & 1 == 0 {
                    continue;
                }
                let others = shifted & !(1 << stone);
                for third in DIRECTIONS {
                    let Some(over) = beside(size, stone, third).filter(|over| others >> over & 1 == 0) else {
                        continue;
                    };
                    for fourth in DIRECTIONS.into_iter().filter(|fourth| is_across(third, *fourth)) {
                        let end = beside(size, over, fourth).filter(|end| others >> end & 1 == 0);
                        if let Some(end) = end {
                            all.push((halfway | shifted | 1 << over | 1 << end, others | 1 << end));
                        }
                    }
                }
            }
        }
    }
    all
}

const DIRECTIONS: [(i8, i8); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];

fn is_across(a: (i8, i8), b: (i8, i8)) -> bool {
    (a.0 == 0) != (b.0 == 0)
}

fn beside(size: u8, square: u8, (dx, dy): (i8, i8)) -> Option<u8> {
    let x = (square % size).checked_add_signed(dx)?;
    let y = (square / size).checked_add_signed(dy)?;
    (x < size && y < size).then_some(y * size + x)
}

fn shift(size: u8, own: u64, to: (i8, i8)) -> Option<u64> {
    let mut shifted = 0;
    for stone in (0..size * size).filter(|stone| own >> stone & 1 == 1) {
        shifted |= 1 << beside(size, stone, to)?;
    }
    Some(shifted)
}
