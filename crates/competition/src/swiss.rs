//! A Swiss system for 2 to 10 000 entrants: those who have as many points meet, no two of them twice.
//!
//! Entrants stand by points, then by rating, then by number. In each group of equal points the upper half meets the lower half:
//! each takes the nearest to the opposite place whom it has not met and who does not need the same seat. An entrant who is left breaks
//! up a pair that makes two, or moves down to the next group. What is left at the end is paired by the best
//! matching with more and more of the pairs above.

use kernel::Problem;

use crate::field::{Bye, Field, Item, KeptApart, Pairing, Round, Seat, Tenths};
use crate::matching;

/// The most entrants.
pub const MOST: usize = 10_000;
/// The most places from the opposite one that are looked at.
const NEAR: usize = 24;
/// The places that it costs when both want the same seat.
const WANTS: i64 = 8;
/// The most entrants that are paired by the best matching.
const EXACT: usize = 360;

/// Costs of a pair in the best matching, each above the sum of all that are smaller.
const SEATS: i64 = 1 << 30;
const AGAIN: i64 = 1 << 40;
const APART: i64 = 1 << 50;

/// The history of an entrant, as far as a round depends on it.
struct Standing {
    points: Tenths,
    /// First seats less second ones in games that were played.
    balance: i32,
    /// Seats of the last games played, the last first.
    last: Vec<Seat>,
    /// The rounds in which each opponent was met, with the opponent.
    met: Vec<(usize, usize)>,
    /// True if an allocated bye or an opponent who did not come has brought points already.
    is_spared: bool,
    /// The rounds since the entrant was moved down, capped at 9.
    moved_down: u8,
}

impl Standing {
    fn of(items: &[Item], scores: &[Vec<Tenths>], own: usize) -> Standing {
        let mut standing = Standing {
            points: items.iter().map(|item| item.points).sum(),
            balance: 0,
            last: Vec::new(),
            met: Vec::new(),
            is_spared: false,
            moved_down: 9,
        };
        for (round, item) in items.iter().enumerate() {
            standing.is_spared |= item.is_forfeit_win || matches!(item.bye, Some(Bye::Allocated | Bye::Full));
            standing.moved_down = (standing.moved_down + 1).min(9);
            if let Some((other, seat)) = item.met() {
                standing.met.push((round, other));
                standing.balance += if seat == Seat::First { 1 } else { -1 };
                standing.last.insert(0, seat);
                if round > 0 && scores[other][round - 1] < scores[own][round - 1] {
                    standing.moved_down = 0;
                }
            }
        }
        standing
    }

    /// The seat that the entrant must have: after two games more with one, or two in a row.
    fn needs(&self) -> Option<Seat> {
        match (self.balance, self.last.as_slice()) {
            (2.., _) => Some(Seat::Second),
            (..=-2, _) => Some(Seat::First),
            (_, [a, b, ..]) if a == b => Some(a.other()),
            _ => None,
        }
    }

    /// The seat that the entrant would like.
    fn wants(&self) -> Option<Seat> {
        self.needs().or(match self.balance {
            1.. => Some(Seat::Second),
            ..=-1 => Some(Seat::First),
            0 => self.last.first().map(|seat| seat.other()),
        })
    }

    fn when_met(&self, other: usize) -> Option<usize> {
        self.met.iter().rev().find(|(_, met)| *met == other).map(|(round, _)| *round)
    }
}

/// Pairs the next round.
///
/// The same field gives the same round. Two meet again only where no other pairing exists; then those who met longest ago. `field.away`
/// is not paired.
///
/// # Errors
/// `competition-too-many`; `competition-too-few` when fewer than two are there; `competition-open` while a score of the last round is
/// missing, with its board; `competition-apart` when those who may not meet leave no pairing.
///
/// ```
/// use competition::{Entrant, Field, swiss};
///
/// let entrant = |rating| Entrant { rating, ..Entrant::default() };
/// let field = Field { entrants: [1800, 1700, 1600, 1500].map(entrant).to_vec(), ..Field::default() };
/// let round = swiss::pair(&field).expect("a round");
/// assert_eq!(round.pairings.iter().map(|p| (p.first, p.second)).collect::<Vec<_>>(), [(0, 2), (3, 1)]);
/// ```
pub fn pair(field: &Field) -> Result<Round, Problem> {
    if field.entrants.len() > MOST {
        return Err(Problem::new("competition-too-many").with("most", MOST));
    }
    for (number, round) in (1..).zip(&field.rounds) {
        if let Some(board) = round.pairings.iter().position(|pairing| pairing.score.is_none()) {
            return Err(Problem::new("competition-open").with("round", number).with("board", board + 1));
        }
    }
    let items = field.items();
    let sums = |items: &Vec<Item>| {
        let sum = |sum: &mut Tenths, item: &Item| {
            *sum += item.points;
            Some(*sum)
        };
        items.iter().scan(0, sum).collect()
    };
    let scores: Vec<Vec<Tenths>> = items.iter().map(sums).collect();
    let standings: Vec<Standing> =
        items.iter().enumerate().map(|(own, items)| Standing::of(items, &scores, own)).collect();
    let mut there: Vec<usize> =
        (0..field.entrants.len()).filter(|own| field.away.iter().all(|(away, _)| away != own)).collect();
    if there.len() < 2 {
        return Err(Problem::new("competition-too-few").with("there", there.len()));
    }
    there.sort_by_key(|&own| {
        (std::cmp::Reverse(standings[own].points), std::cmp::Reverse(field.entrants[own].rating), own)
    });
    let pairer = Pairer { field, standings: &standings, apart: field.kept_apart() };

    let mut byes = field.away.clone();
    let mut best: Option<(Pairs, Option<usize>)> = None;
    // From below; whoever had one already only if nobody else is left.
    let below: Vec<Option<usize>> = match there.len() % 2 {
        0 => vec![None],
        _ => {
            let (had, not): (Vec<usize>, Vec<usize>) =
                there.iter().rev().partition(|own| standings[**own].is_spared);
            not.into_iter().chain(had).map(Some).collect()
        }
    };
    for bye in below.into_iter().take(NEAR) {
        let playing: Vec<usize> = there.iter().copied().filter(|own| Some(*own) != bye).collect();
        let (cost, pairs) = pairer.round(&playing);
        if best.as_ref().is_none_or(|((least, _), _)| cost < *least) {
            best = Some(((cost, pairs), bye));
        }
        if cost == 0 {
            break;
        }
    }
    let Some(((_, pairs), bye)) = best.filter(|((cost, _), _)| *cost < APART) else {
        return Err(Problem::new("competition-apart"));
    };
    byes.extend(bye.map(|own| (own, Bye::Allocated)));
    let pairings = pairer.seated(pairs, &there);
    Ok(Round { pairings, byes })
}

/// The cost of what had to be breached, and pairs of entrants.
type Pairs = (i64, Vec<(usize, usize)>);

struct Pairer<'a> {
    field: &'a Field,
    standings: &'a [Standing],
    apart: KeptApart,
}

impl Pairer<'_> {
    /// Returns true if two need the same seat.
    fn clash(&self, a: usize, b: usize) -> bool {
        let needs = self.standings[a].needs();
        needs.is_some() && needs == self.standings[b].needs()
    }

    fn may_meet(&self, a: usize, b: usize) -> bool {
        !self.clash(a, b) && self.standings[a].when_met(b).is_none() && !self.apart.holds(a, b)
    }

    fn want_same(&self, a: usize, b: usize) -> bool {
        let wants = self.standings[a].wants();
        wants.is_some() && wants == self.standings[b].wants()
    }

    /// Returns what it costs beyond places that two meet: seats, then having met, then being kept apart.
    fn breach(&self, a: usize, b: usize) -> i64 {
        let mut cost = if self.clash(a, b) { SEATS } else { 0 };
        if let Some(round) = self.standings[a].when_met(b) {
            let ago = (self.field.rounds.len() - round) as i64;
            cost += AGAIN + (AGAIN >> 4) / ago;
        }
        if self.apart.holds(a, b) {
            cost += APART;
        }
        cost
    }

    /// Pairs all of a list, an even number in the order of the ranking. Returns what had to be breached as well.
    fn round(&self, list: &[usize]) -> Pairs {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut down: Vec<usize> = Vec::new();
        let groups: Vec<&[usize]> =
            list.chunk_by(|a, b| self.standings[*a].points == self.standings[*b].points).collect();
        for group in groups {
            let mut open = std::mem::take(&mut down);
            open.extend_from_slice(group);
            down = self.group(open, &mut pairs);
        }
        if down.is_empty() {
            return (0, pairs);
        }
        // What is left, with more and more of the pairs above, the last ones first.
        let mut place = vec![0; self.standings.len()];
        for (at, own) in list.iter().enumerate() {
            place[*own] = at;
        }
        let mut taken = 2;
        loop {
            let keep = pairs.len().saturating_sub(taken);
            let mut open: Vec<usize> =
                pairs[keep..].iter().flat_map(|&(a, b)| [a, b]).chain(down.iter().copied()).collect();
            let is_last = keep == 0 || open.len() * 2 > EXACT;
            open.sort_unstable_by_key(|own| place[*own]);
            let (cost, new) = self.exactly(&open);
            if cost == 0 || is_last {
                pairs.truncate(keep);
                pairs.extend(new);
                return (cost, pairs);
            }
            taken *= 2;
        }
    }

    /// Pairs a group as far as that goes without a breach; returns who moves down.
    fn group(&self, open: Vec<usize>, pairs: &mut Vec<(usize, usize)>) -> Vec<usize> {
        let half = open.len() / 2;
        let mut partner: Vec<Option<usize>> = vec![None; open.len()];
        for upper in 0..half {
            let opposite = upper + half;
            let from = opposite.saturating_sub(NEAR).max(half);
            let to = (opposite + NEAR + 1).min(open.len());
            let free = (from..to)
                .filter(|&lower| partner[lower].is_none() && self.may_meet(open[upper], open[lower]));
            let cost = |lower: &usize| {
                let same = if self.want_same(open[upper], open[*lower]) { WANTS } else { 0 };
                (lower.abs_diff(opposite) as i64 + same, *lower)
            };
            if let Some(lower) = free.min_by_key(cost) {
                partner[upper] = Some(lower);
                partner[lower] = Some(upper);
            }
        }
        // Whoever is left meets another who is left, or the two sides of a pair.
        let mut left: Vec<usize> = (0..open.len()).filter(|&at| partner[at].is_none()).collect();
        let mut at = 0;
        while at < left.len() {
            let one = left[at];
            let rest = &left[at + 1..];
            let straight = rest.iter().copied().find(|&other| self.may_meet(open[one], open[other]));
            let change = straight.map(|other| (other, None)).or_else(|| {
                let near = one.saturating_sub(2 * NEAR)..(one + 2 * NEAR + 1).min(open.len());
                rest.iter().take(NEAR).find_map(|&other| {
                    near.clone().find_map(|a| {
                        let b = partner[a]?;
                        let fits = self.may_meet(open[one], open[a]) && self.may_meet(open[other], open[b]);
                        fits.then_some((other, Some((a, b))))
                    })
                })
            });
            let Some((other, broken)) = change else {
                at += 1;
                continue;
            };
            let new = match broken {
                None => vec![(one, other)],
                Some((a, b)) => vec![(one, a), (other, b)],
            };
            for (a, b) in new {
                partner[a] = Some(b);
                partner[b] = Some(a);
            }
            left.retain(|place| partner[*place].is_none());
        }
        self.spare_the_moved(&open, &mut partner);
        let mut down = Vec::new();
        for (at, partner) in partner.iter().enumerate() {
            match partner {
                None => down.push(open[at]),
                Some(other) if at < *other => pairs.push((open[at], open[*other])),
                Some(_) => {}
            }
        }
        down
    }

    /// Moves an entrant down who was not moved down lately, in the place of one who was.
    fn spare_the_moved(&self, open: &[usize], partner: &mut [Option<usize>]) {
        let lately = |at: usize| self.standings[open[at]].moved_down < 2;
        for one in (0..open.len()).filter(|&at| lately(at)).collect::<Vec<_>>() {
            if partner[one].is_some() {
                continue;
            }
            let better = (0..open.len()).rev().take(NEAR).find(|&other| {
                let against = partner[other];
                other != one && !lately(other) && against.is_some_and(|b| self.may_meet(open[one], open[b]))
            });
            if let Some(other) = better
                && let Some(against) = partner[other].take()
            {
                partner[one] = Some(against);
                partner[against] = Some(one);
            }
        }
    }

    /// Pairs an even number by the best matching; returns what had to be breached.
    fn exactly(&self, open: &[usize]) -> Pairs {
        const PAIR: i64 = 1 << 58;
        let half = open.len() / 2;
        let cost = |a: usize, b: usize| {
            let (own, other) = (open[a], open[b]);
            let gap = i64::from((self.standings[own].points - self.standings[other].points).abs());
            let same = if self.want_same(own, other) { WANTS } else { 0 };
            let off = (b - a).abs_diff(half) as i64;
            self.breach(own, other) + (gap * gap * 4 + off + same).min(SEATS / (EXACT as i64 + 1) - 1)
        };
        let partners = matching::best(open.len(), |a, b| Some(PAIR - cost(a, b)));
        let pairs: Vec<(usize, usize)> =
            partners.iter().enumerate().filter_map(|(a, b)| b.filter(|b| a < *b).map(|b| (a, b))).collect();
        let breach = pairs.iter().map(|&(a, b)| self.breach(open[a], open[b])).sum();
        (breach, pairs.into_iter().map(|(a, b)| (open[a], open[b])).collect())
    }

    /// Gives seats and orders the boards: by points of the better one, of the other, by place.
    fn seated(&self, pairs: Vec<(usize, usize)>, order: &[usize]) -> Vec<Pairing> {
        let mut place = vec![usize::MAX; self.standings.len()];
        for (at, own) in order.iter().enumerate() {
            place[*own] = at;
        }
        let mut pairs: Vec<(usize, usize)> =
            pairs.into_iter().map(|(a, b)| if place[a] < place[b] { (a, b) } else { (b, a) }).collect();
        pairs.sort_by_key(|&(a, b)| {
            let both = self.standings[a].points + self.standings[b].points;
            (std::cmp::Reverse(self.standings[a].points), std::cmp::Reverse(both), place[a])
        });
        let top = self.field.top_seat.unwrap_or(Seat::First);
        let seated = pairs.into_iter().enumerate().map(|(board, (upper, lower))| {
            let drawn = if board % 2 == 0 { top } else { top.other() };
            let (first, second) = if self.seat(upper, lower).unwrap_or(drawn) == Seat::First {
                (upper, lower)
            } else {
                (lower, upper)
            };
            Pairing { first, second, score: None }
        });
        seated.collect()
    }

    /// The seat of the upper one; `None` where a lot decides, since neither has played.
    fn seat(&self, upper: usize, lower: usize) -> Option<Seat> {
        let (a, b) = (&self.standings[upper], &self.standings[lower]);
        match (a.wants(), b.wants()) {
            (None, None) => None,
            (Some(seat), None) => Some(seat),
            (None, Some(seat)) => Some(seat.other()),
            (Some(own), Some(other)) if own != other => Some(own),
            (Some(own), Some(_)) => {
                let strength = |one: &Standing| (one.needs().is_some(), one.balance.abs());
                match strength(a).cmp(&strength(b)) {
                    std::cmp::Ordering::Greater => Some(own),
                    std::cmp::Ordering::Less => Some(own.other()),
                    // The last game in which their seats differed is turned round; else the upper one chooses.
                    std::cmp::Ordering::Equal => {
                        let differ = a.last.iter().zip(&b.last).find(|(a, b)| a != b);
                        Some(differ.map_or(own, |(seat, _)| seat.other()))
                    }
                }
            }
        }
    }
}
