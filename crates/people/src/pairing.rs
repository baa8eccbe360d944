//! Who plays whom: the queue of one pool as values. The caller keeps the queue and says what time it is.

use std::collections::{BTreeSet, HashSet};

/// The gap in rating that is accepted at once.
const NARROW: f64 = 100.0;
/// The gap that is accepted after [`WIDE_AFTER_MS`] and for ever after.
const WIDE: f64 = 500.0;
/// After this long the accepted gap grows no more.
const WIDE_AFTER_MS: u64 = 20_000;
/// What a game counts as farther away where both had the same side more often lately, for each time more.
const SAME_SIDE: f64 = 15.0;
/// What a game counts as farther away between those who have just played each other. It is more than what is accepted at
/// once: for a moment both wait for somebody else.
const SAME_OPPONENT: f64 = 300.0;
/// Neighbours by rating that are looked at for each person. With more, a full queue would be looked at for long and nobody
/// would be paired better.
const NEIGHBOURS: usize = 24;

/// Somebody who waits for an opponent.
#[derive(Clone, PartialEq, Debug)]
pub struct Waiting {
    /// Public id.
    pub person: String,
    /// In this pool.
    pub rating: f64,
    /// Since when, in milliseconds of the caller's clock; who is to wait longer is paired only then.
    pub since_ms: u64,
    /// Games as first player less games as second player, lately.
    pub first_sides: i32,
    /// The opponents of the latest games.
    pub lately: Vec<String>,
    /// People with whom there is to be no game, whoever of the two said so.
    pub never: BTreeSet<String>,
}

impl Waiting {
    /// The gap in rating that they accept by now: from 100 at once to 500 after 20 seconds.
    #[must_use]
    pub fn accepts(&self, now_ms: u64) -> f64 {
        let waited = now_ms.saturating_sub(self.since_ms).min(WIDE_AFTER_MS);
        NARROW + (WIDE - NARROW) * waited as f64 / WIDE_AFTER_MS as f64
    }
}

/// How much longer somebody waits who has left that many games lately, in milliseconds: nothing for two of them, which happens to
/// everybody, then ten seconds for each, at most a minute.
#[must_use]
pub fn leaver_waits_ms(left: u32) -> u64 {
    u64::from(left.saturating_sub(2)).min(6) * 10_000
}

/// Two people who are to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Plays the first side.
    pub first: String,
    /// Plays the second side.
    pub second: String,
}

/// The games that can begin now. Nobody is in two of them; those who are in none go on waiting.
///
/// The gap of a pair is at most the mean of what the two accept. The closest pairs come first; having had the same side, or
/// each other, lately counts as distance. Those who have just met meet again only where nobody else comes for a while. The same queue gives the same pairs, in whatever order it stands.
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

/// How far the two are from a good game; `None` when they are not to play, or not yet.
fn distance(one: &Waiting, other: &Waiting, now_ms: u64) -> Option<f64> {
    let gap = (one.rating - other.rating).abs();
    let accepted = f64::midpoint(one.accepts(now_ms), other.accepts(now_ms));
    let never =
        one.person == other.person || one.never.contains(&other.person) || other.never.contains(&one.person);
    let met = one.lately.contains(&other.person) || other.lately.contains(&one.person);
    let far = gap + if met { SAME_OPPONENT } else { 0.0 };
    // A rating that is no number is near nobody.
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

/// Who was the first player less often lately is it now; between equals, whose id comes first by an order that says
/// nothing about them.
fn seated(one: &Waiting, other: &Waiting) -> Pair {
    let one_first = (one.first_sides, &one.person) < (other.first_sides, &other.person);
    let (first, second) = if one_first { (one, other) } else { (other, one) };
    Pair { first: first.person.clone(), second: second.person.clone() }
}
