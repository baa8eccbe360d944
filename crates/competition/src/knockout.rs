//! Knock-outs: brackets in which one loss or two put an entrant out.

use crate::field::Seat;

/// The most entrants of a knock-out.
pub const MOST: usize = 1_024;

/// The form of a knock-out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One loss puts out; with or without a match for the third place.
    Single {
        /// True if the losers of the semi-finals meet.
        third_place: bool,
    },
    /// Two losses put out. The winner of all meets the winner of those who have lost once.
    Double {
        /// True if the final is played again where the one without a loss loses it.
        second_final: bool,
    },
}

/// The origin of a side of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// An entrant by its seed, from 0.
    Seed(usize),
    /// The winner of an earlier match, by its place in [`Bracket::matches`].
    Winner(usize),
    /// The loser of an earlier match.
    Loser(usize),
}

/// A place in the bracket.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Section {
    /// The bracket of those who have not lost.
    Upper,
    /// The bracket of those who have lost once.
    Lower,
    /// The match for the third place.
    Third,
    /// The final of a double knock-out, and its second one.
    Final,
}

/// A match of a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// The section of the bracket that it stands in.
    pub section: Section,
    /// The round in that section, from 0.
    pub round: usize,
    /// The origins of the upper and the lower side.
    pub sides: [Source; 2],
    /// The match that the lower side must have won for this one to be played; `None` for most.
    pub only_after: Option<usize>,
}

/// All matches of a knock-out, each after those that it follows from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bracket {
    /// The matches, the first round first.
    pub matches: Vec<Match>,
    entrants: usize,
}

impl Bracket {
    /// Returns the bracket of 1 to [`MOST`] entrants in the order of their seeds.
    ///
    /// The first seed meets the last, and the first two can meet in the last match only. Where the number is no power of two, the first seeds have
    /// no match in the first round.
    ///
    /// ```
    /// use competition::knockout::{Bracket, Form, Source};
    ///
    /// let bracket = Bracket::new(6, Form::Single { third_place: false });
    /// let first: Vec<_> = bracket.matches.iter().map(|one| one.sides).take(2).collect();
    /// assert_eq!(first, [[Source::Seed(3), Source::Seed(4)], [Source::Seed(2), Source::Seed(5)]]);
    /// assert_eq!(bracket.matches.len(), 5);
    /// ```
    #[must_use]
    pub fn new(entrants: usize, form: Form) -> Bracket {
        let mut bracket = Bracket { matches: Vec::new(), entrants };
        let size = entrants.next_power_of_two();
        let mut open: Vec<Option<Source>> =
            order(size).into_iter().map(|seed| (seed < entrants).then_some(Source::Seed(seed))).collect();
        let mut fallen: Vec<Vec<Option<Source>>> = Vec::new();
        while open.len() > 1 {
            let round = fallen.len();
            let before = bracket.matches.len();
            let mut lost = Vec::new();
            open = open
                .chunks_exact(2)
                .map(|two| {
                    let winner = bracket.meet(Section::Upper, round, two[0], two[1]);
                    lost.push(match winner {
                        Some(Source::Winner(at)) if at >= before => Some(Source::Loser(at)),
                        _ => None,
                    });
                    winner
                })
                .collect();
            fallen.push(lost);
        }
        match form {
            Form::Single { third_place } => {
                let semi = fallen.iter().rev().nth(1).filter(|_| third_place);
                if let Some(&[Some(a), Some(b)]) = semi.map(Vec::as_slice) {
                    bracket.add(Section::Third, 0, [a, b], None);
                }
            }
            Form::Double { second_final } => {
                let lower = bracket.lower(fallen);
                if let (Some(&Some(upper)), Some(lower)) = (open.first(), lower) {
                    let last = bracket.add(Section::Final, 0, [upper, lower], None);
                    if second_final {
                        bracket.add(
                            Section::Final,
                            1,
                            [Source::Winner(last), Source::Loser(last)],
                            Some(last),
                        );
                    }
                }
            }
        }
        bracket
    }

    /// Adds the bracket of those who have lost once; returns its winner.
    fn lower(&mut self, fallen: Vec<Vec<Option<Source>>>) -> Option<Source> {
        let mut rounds = fallen.into_iter();
        let mut open = rounds.next()?;
        let mut round = 0;
        for (number, mut new) in rounds.enumerate() {
            open = self.halved(&open, round);
            // From the other end, so that those who have met do not meet again at once.
            if number % 2 == 0 {
                new.reverse();
            } else {
                new.rotate_left(open.len() / 2);
            }
            open = open
                .iter()
                .zip(&new)
                .map(|(own, new)| self.meet(Section::Lower, round + 1, *own, *new))
                .collect();
            round += 2;
        }
        while open.len() > 1 {
            open = self.halved(&open, round);
            round += 1;
        }
        open.first().copied().flatten()
    }

    fn halved(&mut self, open: &[Option<Source>], round: usize) -> Vec<Option<Source>> {
        if open.len() < 2 {
            return open.to_vec();
        }
        open.chunks_exact(2).map(|two| self.meet(Section::Lower, round, two[0], two[1])).collect()
    }

    /// Adds a match if both sides are there; returns who goes on.
    fn meet(
        &mut self,
        section: Section,
        round: usize,
        a: Option<Source>,
        b: Option<Source>,
    ) -> Option<Source> {
        match (a, b) {
            (Some(a), Some(b)) => Some(Source::Winner(self.add(section, round, [a, b], None))),
            (one, other) => one.or(other),
        }
    }

    fn add(
        &mut self,
        section: Section,
        round: usize,
        sides: [Source; 2],
        only_after: Option<usize>,
    ) -> usize {
        self.matches.push(Match { section, round, sides, only_after });
        self.matches.len() - 1
    }

    /// Returns the entrants of a match as far as they are known, for the winners of the matches before.
    #[must_use]
    pub fn sides(&self, at: usize, winners: &[Option<Seat>]) -> [Option<usize>; 2] {
        self.matches[at].sides.map(|from| self.entrant(from, winners))
    }

    fn entrant(&self, from: Source, winners: &[Option<Seat>]) -> Option<usize> {
        let (at, is_winner) = match from {
            Source::Seed(seed) => return Some(seed),
            Source::Winner(at) => (at, true),
            Source::Loser(at) => (at, false),
        };
        let winner = winners.get(at).copied().flatten()?;
        let side = if is_winner { winner } else { winner.other() };
        self.entrant(self.matches[at].sides[side as usize], winners)
    }

    /// Returns the matches that can be played now, each with its entrants by seed.
    ///
    /// `winners` has the side that won each match, in the order of [`Bracket::matches`]; it may be shorter.
    #[must_use]
    pub fn ready(&self, winners: &[Option<Seat>]) -> Vec<(usize, [usize; 2])> {
        let won = |at: usize| winners.get(at).copied().flatten();
        let open = (0..self.matches.len()).filter(|&at| {
            let is_on = self.matches[at].only_after.is_none_or(|last| won(last) == Some(Seat::Second));
            is_on && won(at).is_none()
        });
        let known = |at: usize| match self.sides(at, winners) {
            [Some(a), Some(b)] => Some((at, [a, b])),
            _ => None,
        };
        open.filter_map(known).collect()
    }

    /// Returns the winner of the whole, by seed; `None` while a match is open.
    #[must_use]
    pub fn champion(&self, winners: &[Option<Seat>]) -> Option<usize> {
        if self.entrants == 1 {
            return Some(0);
        }
        let decides = |one: &Match| matches!(one.section, Section::Final | Section::Upper);
        let won = |at: usize| winners.get(at).copied().flatten();
        let skipped = |one: &Match| one.only_after.is_some_and(|last| won(last) == Some(Seat::First));
        let last = self.matches.iter().rposition(|one| decides(one) && !skipped(one))?;
        self.ready(winners).is_empty().then(|| self.entrant(Source::Winner(last), winners)).flatten()
    }
}

/// Returns the seeds of a full bracket from top to bottom: 1-8, 4-5, 2-7, 3-6 for eight.
fn order(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = seeds.len() * 2 - 1;
        seeds = seeds.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    seeds
}
