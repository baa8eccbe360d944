//! The ranking: points, and what separates those who have as many.

use std::cmp::Reverse;

use crate::field::{Bye, Field, Item, Part, Seat, Tenths};

/// A criterion of a ranking; more is better in all of them but the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Criterion {
    /// Points, in tenths.
    Points,
    /// Points in the games among those whom nothing before has separated, in tenths; only where each two of them have played.
    DirectEncounter,
    /// The number of rounds that brought the points of a win, byes and forfeits included.
    Wins,
    /// The number of games won at the board.
    GamesWon,
    /// The number of games played with the second seat.
    GamesAsSecond,
    /// The number of games won with the second seat.
    WinsAsSecond,
    /// The sum of the opponents' scores (also called Solkoff), in tenths, without the lowest and the highest ones.
    Buchholz {
        /// The number of lowest scores that are left out.
        lowest: u8,
        /// The number of highest scores that are left out.
        highest: u8,
    },
    /// The sum of each opponent's score times what was scored against it, in hundredths.
    SonnebornBerger,
    /// The sum of the own scores after each round, in tenths, without the first ones.
    Progressive {
        /// The number of first rounds that are left out.
        first: u8,
    },
    /// The average rating of the rated opponents of games that were played, to the nearest whole number.
    OpponentsRating,
    /// The number in the list of entrants: less is better.
    Number,
}

/// Codes of criteria, as the International Chess Federation's regulations on tie-breaks (C.07) name them; `NR` is ours.
const CODES: [(&str, Criterion); 15] = [
    ("PTS", Criterion::Points),
    ("DE", Criterion::DirectEncounter),
    ("WIN", Criterion::Wins),
    ("WON", Criterion::GamesWon),
    ("BPG", Criterion::GamesAsSecond),
    ("BWG", Criterion::WinsAsSecond),
    ("BH", Criterion::Buchholz { lowest: 0, highest: 0 }),
    ("BH/C1", Criterion::Buchholz { lowest: 1, highest: 0 }),
    ("BH/C2", Criterion::Buchholz { lowest: 2, highest: 0 }),
    ("BH/M1", Criterion::Buchholz { lowest: 1, highest: 1 }),
    ("BH/M2", Criterion::Buchholz { lowest: 2, highest: 2 }),
    ("SB", Criterion::SonnebornBerger),
    ("PS", Criterion::Progressive { first: 0 }),
    ("ARO", Criterion::OpponentsRating),
    ("NR", Criterion::Number),
];

/// The ranking of most clubs' Swiss systems.
pub const USUAL: [Criterion; 4] = [
    Criterion::Points,
    Criterion::Buchholz { lowest: 1, highest: 0 },
    Criterion::Buchholz { lowest: 0, highest: 0 },
    Criterion::SonnebornBerger,
];

impl Criterion {
    /// Returns the criterion of a code, in letters of either case: `PTS`, `DE`, `BH/C1`, `PS/C2` …
    ///
    /// ```
    /// use competition::ranking::Criterion;
    ///
    /// assert_eq!(Criterion::of("bh/m1"), Some(Criterion::Buchholz { lowest: 1, highest: 1 }));
    /// assert_eq!(Criterion::of("PS/C2"), Some(Criterion::Progressive { first: 2 }));
    /// assert_eq!(Criterion::of("XYZ"), None);
    /// ```
    #[must_use]
    pub fn of(code: &str) -> Option<Criterion> {
        let code = code.trim().to_ascii_uppercase();
        let known = CODES.iter().find(|(known, _)| *known == code).map(|(_, criterion)| *criterion);
        let cut = || code.strip_prefix("PS/C")?.parse().ok().map(|first| Criterion::Progressive { first });
        known.or_else(cut)
    }

    /// Returns the code of a criterion, with its cuts.
    #[must_use]
    pub fn code(self) -> String {
        let known = CODES.iter().find(|(_, one)| *one == self).map(|(code, _)| (*code).to_owned());
        known.unwrap_or_else(|| match self {
            Criterion::Progressive { first } => format!("PS/C{first}"),
            Criterion::Buchholz { lowest, highest } => format!("BH/C{lowest}/H{highest}"),
            _ => String::new(),
        })
    }

    /// Returns a value as people write it: whole, or with as many digits behind the point as it needs.
    #[must_use]
    pub fn written(self, value: i64) -> String {
        let digits = match self {
            Criterion::Points
            | Criterion::DirectEncounter
            | Criterion::Buchholz { .. }
            | Criterion::Progressive { .. } => 1,
            Criterion::SonnebornBerger => 2,
            _ => 0,
        };
        let scale = 10_i64.pow(digits);
        let (whole, rest) = (value / scale, (value % scale).abs());
        match digits {
            0 => whole.to_string(),
            _ => format!("{whole}.{rest:0width$}", width = digits as usize),
        }
    }
}

/// The rule for unplayed rounds in criteria that look at opponents.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Unplayed {
    /// Own ones: an opponent with as many points as oneself. Those of an opponent: what they brought, but a draw each for byes that were asked
    /// for and games that were not come to, after the opponent's last game (the idea of C.07, articles 16.3 and 16.4).
    #[default]
    Fide,
    /// Own ones: an opponent with the lowest score of all, as the World Xiangqi Federation counts.
    Lowest,
    /// Own ones: nothing.
    Zero,
}

/// A line of the ranking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The rank from 1, shared where nothing separates.
    pub rank: usize,
    /// The place in [`Field::entrants`].
    pub entrant: usize,
    /// The values of the criteria, in their order and units.
    pub values: Vec<i64>,
}

/// Ranks all entrants by criteria, each asked of those whom the ones before have not separated.
///
/// ```
/// use competition::ranking::{USUAL, Unplayed, ranking};
/// use competition::{Entrant, Field, Pairing, Round, Score, Seat};
///
/// let won = Pairing { first: 1, second: 0, score: Some(Score::Won(Seat::First)) };
/// let field = Field {
///     entrants: vec![Entrant::default(), Entrant::default()],
///     rounds: vec![Round { pairings: vec![won], byes: Vec::new() }],
///     ..Field::default()
/// };
/// let places = ranking(&field, &USUAL, Unplayed::Fide);
/// assert_eq!((places[0].entrant, places[0].values[0], places[1].rank), (1, 10, 2));
/// ```
#[must_use]
pub fn ranking(field: &Field, criteria: &[Criterion], unplayed: Unplayed) -> Vec<Place> {
    let count = Count::of(field, unplayed);
    let place = |entrant| Place { rank: 1, entrant, values: Vec::with_capacity(criteria.len()) };
    let mut places: Vec<Place> = (0..field.entrants.len()).map(place).collect();
    for &criterion in criteria {
        let mut at = 0;
        while at < places.len() {
            let tied = places[at..].iter().take_while(|one| one.rank == places[at].rank).count();
            let group = &mut places[at..at + tied];
            let members: Vec<usize> = group.iter().map(|one| one.entrant).collect();
            let is_complete = count.have_all_met(criterion, &members);
            for one in group.iter_mut() {
                let value = count.value(criterion, one.entrant, &members, is_complete);
                one.values.push(value);
            }
            group.sort_by_key(|one| {
                (one.values.last().map(|value| Reverse(count.better(criterion, *value))), one.entrant)
            });
            let mut rank = at + 1;
            for own in 0..tied {
                if own > 0 && group[own].values.last() != group[own - 1].values.last() {
                    rank = at + own + 1;
                }
                group[own].rank = rank;
            }
            at += tied;
        }
    }
    places
}

struct Count<'a> {
    field: &'a Field,
    items: Vec<Vec<Item>>,
    scores: Vec<Tenths>,
    /// The score of each entrant as an opponent.
    as_opponent: Vec<Tenths>,
    lowest: Tenths,
    unplayed: Unplayed,
}

impl<'a> Count<'a> {
    fn of(field: &'a Field, unplayed: Unplayed) -> Count<'a> {
        let items = field.items();
        let scores: Vec<Tenths> =
            items.iter().map(|items| items.iter().map(|item| item.points).sum()).collect();
        let draw = field.points.draw[0];
        let adjusted = |(items, score): (&Vec<Item>, &Tenths)| {
            if unplayed != Unplayed::Fide {
                return *score;
            }
            let ends = items.iter().rposition(|item| item.part.is_some()).map_or(0, |last| last + 1);
            let asked = |item: &&Item| {
                let stayed_away = item.paired.is_some() && item.part.is_none() && !item.is_forfeit_win;
                stayed_away || matches!(item.bye, Some(Bye::Half | Bye::Zero | Bye::Absent))
            };
            score + items[ends..].iter().filter(asked).map(|item| draw - item.points).sum::<Tenths>()
        };
        let as_opponent = items.iter().zip(&scores).map(adjusted).collect();
        let lowest = scores.iter().copied().min().unwrap_or(0);
        Count { field, items, scores, as_opponent, lowest, unplayed }
    }

    /// The opponents' scores, each with what the own side scored.
    fn opponents(&self, own: usize) -> impl Iterator<Item = (Tenths, Tenths)> + '_ {
        self.items[own].iter().map(move |item| match (item.met(), self.unplayed) {
            (Some((other, _)), _) => (self.as_opponent[other], item.points),
            (None, Unplayed::Fide) => (self.scores[own], item.points),
            (None, Unplayed::Lowest) => (self.lowest, item.points),
            (None, Unplayed::Zero) => (0, 0),
        })
    }

    fn have_all_met(&self, criterion: Criterion, members: &[usize]) -> bool {
        let met = |a: usize, b: usize| {
            self.items[a].iter().any(|item| item.met().is_some_and(|(other, _)| other == b))
        };
        criterion == Criterion::DirectEncounter
            && members.len() <= 1 + self.field.rounds.len()
            && members.iter().all(|&a| members.iter().all(|&b| a == b || met(a, b)))
    }

    /// Returns a value of which more is better.
    fn better(&self, criterion: Criterion, value: i64) -> i64 {
        if criterion == Criterion::Number { -value } else { value }
    }

    fn value(&self, criterion: Criterion, own: usize, tied: &[usize], is_complete: bool) -> i64 {
        let items = &self.items[own];
        let games = |seat: Option<Seat>| {
            let met = items.iter().filter_map(|item| item.met().map(|(_, own)| (own, item.part)));
            met.filter(move |(own, _)| seat.is_none_or(|seat| seat == *own))
        };
        let won = |seat| games(seat).filter(|(_, part)| *part == Some(Part::Win)).count() as i64;
        match criterion {
            Criterion::Points => self.scores[own].into(),
            Criterion::DirectEncounter if is_complete => {
                let among =
                    items.iter().filter(|item| item.met().is_some_and(|(other, _)| tied.contains(&other)));
                among.map(|item| i64::from(item.points)).sum()
            }
            Criterion::DirectEncounter => 0,
            Criterion::Wins => {
                let whole = self.field.points.win[0].min(self.field.points.win[1]);
                let spared = items.iter().filter(|item| item.part.is_none() && item.points >= whole);
                won(None) + spared.count() as i64
            }
            Criterion::GamesWon => won(None),
            Criterion::GamesAsSecond => games(Some(Seat::Second)).count() as i64,
            Criterion::WinsAsSecond => won(Some(Seat::Second)),
            Criterion::Buchholz { lowest, highest } => {
                let mut scores: Vec<Tenths> = self.opponents(own).map(|(score, _)| score).collect();
                scores.sort_unstable();
                let end = scores.len().saturating_sub(highest.into());
                scores[..end].iter().skip(lowest.into()).map(|score| i64::from(*score)).sum()
            }
            Criterion::SonnebornBerger => {
                self.opponents(own).map(|(score, scored)| i64::from(score) * i64::from(scored)).sum()
            }
            Criterion::Progressive { first } => {
                let mut sum = 0;
                let sums = items.iter().map(|item| {
                    sum += i64::from(item.points);
                    sum
                });
                sums.skip(first.into()).sum()
            }
            Criterion::OpponentsRating => {
                let rating = |item: &Item| item.met().map(|(other, _)| self.field.entrants[other].rating);
                let ratings: Vec<i64> =
                    items.iter().filter_map(rating).filter(|rating| *rating > 0).map(i64::from).collect();
                let (sum, count) = (ratings.iter().sum::<i64>(), ratings.len() as i64);
                if count == 0 { 0 } else { (sum + count / 2) / count }
            }
            Criterion::Number => own as i64 + 1,
        }
    }
}
