//! Pairing: the queue of one pool as values. The caller keeps the queue and gives the time.

use std::collections::{BTreeSet, HashSet};

/// The gap in rating that is accepted at once.
const NARROW: f64 = 100.0;
/// The gap that is accepted from [`WIDE_AFTER_MS`] on.
const WIDE: f64 = 500.0;
/// The waiting time until the accepted gap is at its widest, in milliseconds.
const WIDE_AFTER_MS: u64 = 20_000;
/// The distance, in rating points, that is added for each time by which both had the same side more often lately.
const SAME_SIDE: f64 = 15.0;
/// The distance that is added between two people who have just played each other. It is more than the gap that is
/// accepted at once: for a moment both wait for other opponents.
const SAME_OPPONENT: f64 = 300.0;
/// The number of neighbours by rating that are examined for each person. With more, a full queue would take long and
/// the pairs would be no better.
const NEIGHBOURS: usize = 24;

/// A person who waits for an opponent.
#[derive(Clone, PartialEq, Debug)]
pub struct Waiting {
    /// The public id of the person.
    pub person: String,
    /// Their rating in this pool.
    pub rating: f64,
    /// The beginning of the wait, in milliseconds of the caller's clock; a person with a beginning in the future is
    /// not paired before it.
    pub since_ms: u64,
    /// The number of recent games as first player less those as second player.
    pub first_sides: i32,
    /// The opponents of the latest games, by public id.
    pub lately: Vec<String>,
    /// People who are never to be paired with this person, because either of the two blocked the other.
    pub never: BTreeSet<String>,
}

impl Waiting {
    /// Returns the gap in rating that the person accepts by now: from 100 at once to 500 after 20 seconds.
    #[must_use]
    pub fn accepts(&self, now_ms: u64) -> f64 {
        let waited = now_ms.saturating_sub(self.since_ms).min(WIDE_AFTER_MS);
        NARROW + (WIDE - NARROW) * waited as f64 / WIDE_AFTER_MS as f64
    }
}

/// Returns the extra wait of a person who has left that number of games lately, in milliseconds: none for two of
/// them, which happens to everybody, then ten seconds for each, at most a minute.
#[must_use]
pub fn leaver_waits_ms(left: u32) -> u64 {
    u64::from(left.saturating_sub(2)).min(6) * 10_000
}

/// A pair of people who are to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The player of the first side.
    pub first: String,
    /// The player of the second side.
    pub second: String,
}

/// Returns the games that can begin now. Each person is in one of them at most; the others go on waiting.
///
/// The gap of a pair is at most the mean of what the two accept. The closest pairs come first; having had the same
/// side, or each other, lately counts as distance. Two people who have just met meet again only if no other opponent
/// comes for a while. The same queue gives the same pairs, in any order.
#[must_use]
pub fn pair(queue: &[Waiting], now_ms: u64) -> Vec<Pair> {
    let mut order: Vec<&Waiting> = queue.iter().filter(|waiting| waiting.since_ms <= now_ms).collect();
    order.sort_by(|a, b| a.rating.total_cmp(&b.rating).then_with(|| a.person.cmp(&b.person)));
    order.dedup_by(|a, b| a.person == b.person);
    let mut candidates = Vec::new();
    for (i, one) in order.iter().enumerate() {
        for (j, other) in order.iter().enumerate().skip(i + 1).take(NEIGHBOURS) {
            if let Some(distance) = distance(one, other, now_ms) {
                candidates.push((distance, i, j));
            }
        }
    }
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut taken = HashSet::new();
    let mut pairs = Vec::new();
    for (_, i, j) in candidates {
        if taken.contains(&i) || taken.contains(&j) {
            continue;
        }
        taken.extend([i, j]);
        pairs.push(seated(order[i], order[j]));
    }
    pairs
}

/// Returns the distance of two people, in rating points; `None` when they are not to play, or not yet.
fn distance(one: &Waiting, other: &Waiting, now_ms: u64) -> Option<f64> {
    let gap = (one.rating - other.rating).abs();
    let accepted = f64::midpoint(one.accepts(now_ms), other.accepts(now_ms));
    let never =
        one.person == other.person || one.never.contains(&other.person) || other.never.contains(&one.person);
    let met = one.lately.contains(&other.person) || other.lately.contains(&one.person);
    let far = gap + if met { SAME_OPPONENT } else { 0.0 };
    // A rating that is not a number is near no other.
    if never || far.is_nan() || far > accepted {
        return None;
    }
    let same_side = if one.first_sides.signum() == other.first_sides.signum() {
        f64::from(one.first_sides.unsigned_abs().min(other.first_sides.unsigned_abs()).min(4))
    } else {
        0.0
    };
    Some(far + same_side * SAME_SIDE)
}

/// Assigns the sides: the person who was first player less often lately is first now; between equals, the order of
/// ids decides, which says nothing about them.
fn seated(one: &Waiting, other: &Waiting) -> Pair {
    let one_first = (one.first_sides, &one.person) < (other.first_sides, &other.person);
    let (first, second) = if one_first { (one, other) } else { (other, one) };
    Pair { first: first.person.clone(), second: second.person.clone() }
}
