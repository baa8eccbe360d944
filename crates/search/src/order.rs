//! Move ordering: the table's move first, then moves that win something, then moves that did well elsewhere.

use std::hint::select_unpredictable;

/// The history scores of moves, by their [slot](crate::Evaluator::slot): ± 16384 at most.
#[derive(Clone, Default, Debug)]
pub(crate) struct History {
    slots: usize,
    quiet: Vec<i16>,
    noisy: Vec<i16>,
    /// The scores after another move: one ply before (the opponent's) and two (one's own).
    follow: Vec<i16>,
}

/// The most slots for which scores of moves after moves are kept: they take 2 bytes times its square.
const MOST_FOLLOWED: usize = 1536;
const MOST: i32 = 16_384;

/// The slot of no move: a pass, or nothing before.
pub(crate) const NOTHING: usize = usize::MAX;

impl History {
    pub(crate) fn new(slots: usize) -> History {
        let follows = if slots <= MOST_FOLLOWED { slots * slots } else { 0 };
        History { slots, quiet: vec![0; slots], noisy: vec![0; slots], follow: vec![0; follows] }
    }

    /// Returns the number of slots.
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// Returns the scores of quiet moves after the moves one and two plies before.
    #[inline]
    pub(crate) fn after(&self, before: [usize; 2]) -> After<'_> {
        let row = |before: usize| {
            let known = before != NOTHING && !self.follow.is_empty();
            if known { &self.follow[before * self.slots..][..self.slots] } else { &[] }
        };
        After { quiet: &self.quiet, follow: before.map(row) }
    }

    /// Returns the score of a quiet move, after the moves one and two plies before.
    #[inline]
    pub(crate) fn quiet(&self, slot: usize, before: [usize; 2]) -> i32 {
        self.after(before).quiet(slot)
    }

    pub(crate) fn noisy(&self, slot: usize) -> i32 {
        i32::from(self.noisy[slot])
    }

    pub(crate) fn note_quiet(&mut self, slot: usize, before: [usize; 2], bonus: i32) {
        learn(&mut self.quiet[slot], bonus);
        for past in before.into_iter().filter(|&past| past != NOTHING) {
            if let Some(h) = self.follow.get_mut(past * self.slots + slot) {
                learn(h, bonus);
            }
        }
    }

    pub(crate) fn note_noisy(&mut self, slot: usize, bonus: i32) {
        learn(&mut self.noisy[slot], bonus);
    }
}

/// The history scores of the quiet moves of a node.
pub(crate) struct After<'a> {
    quiet: &'a [i16],
    follow: [&'a [i16]; 2],
}

impl After<'_> {
    /// Returns the score of the quiet move with that slot.
    #[inline]
    pub(crate) fn quiet(&self, slot: usize) -> i32 {
        let followed = |row: &[i16]| row.get(slot).map_or(0, |&h| i32::from(h));
        i32::from(self.quiet[slot]) + followed(self.follow[0]) + followed(self.follow[1])
    }
}

/// Moves a history score towards the bonus, the less the nearer it is to the limit.
fn learn(h: &mut i16, bonus: i32) {
    let old = i32::from(*h);
    *h = (old + bonus - old * bonus.abs() / MOST) as i16;
}

/// A move with its rank: a higher rank first, then the earlier place in the list. Its low bits are that place.
pub(crate) type Rank = u64;

pub(crate) fn rank(score: i32, place: usize) -> Rank {
    (score as i64 + (1 << 40)) as u64 * (1 << 16) + (0xFFFF - place as u64)
}

/// The score of a ranked move.
pub(crate) fn score(rank: Rank) -> i32 {
    ((rank >> 16) as i64 - (1 << 40)) as i32
}

/// The scores of the table's move and of killer moves, above those of quiet ones.
pub(crate) const FIRST: i32 = 1 << 30;
pub(crate) const KILLER: i32 = 1 << 22;

/// The score of a noisy move: by what it wins, and how well it did; last, if it loses something.
pub(crate) fn capture(gain: i32, past: i32) -> i32 {
    if gain < 0 { (gain - 20_000) * 64 } else { SOUND + gain * 64 + past }
}

/// Returns true if a move with that score is noisy and loses nothing.
pub(crate) fn is_sound(score: i32) -> bool {
    (SOUND - MOST..FIRST).contains(&score)
}

const SOUND: i32 = 1 << 24;

/// The score of a noisy move in the quiescence search: above all quiet ones, the more it wins the higher.
pub(crate) fn noisy(gain: i32) -> i32 {
    NOISY + gain
}

/// Returns the gain of a move with that score in the quiescence search; `None` if it is quiet.
pub(crate) fn gain(score: i32) -> Option<i32> {
    (score.abs_diff(NOISY) < NOISY as u32 / 2).then_some(score - NOISY)
}

const NOISY: i32 = 1 << 20;

/// The place in the list of a ranked move.
pub(crate) fn place(rank: Rank) -> usize {
    0xFFFF - (rank & 0xFFFF) as usize
}

/// Brings the highest of `ranks[from..]` to its front.
pub(crate) fn select(ranks: &mut [Rank], from: usize) -> Rank {
    // Which is the highest cannot be foreseen, so nothing branches on it.
    let (mut best, mut place) = (ranks[from], from);
    for (i, &rank) in ranks.iter().enumerate().skip(from + 1) {
        place = select_unpredictable(rank > best, i, place);
        best = best.max(rank);
    }
    ranks.swap(from, place);
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_in_bounds() {
        let mut h = History::new(4);
        for _ in 0..1000 {
            h.note_quiet(3, [2, NOTHING], 1600);
        }
        assert!((1..=2 * MOST).contains(&h.quiet(3, [2, 1])));
        assert!(h.quiet(3, [NOTHING; 2]) < h.quiet(3, [2, 1]));
        for _ in 0..1000 {
            h.note_quiet(3, [NOTHING; 2], -1600);
        }
        assert!(h.quiet(3, [NOTHING; 2]) >= -MOST);
    }

    #[test]
    fn a_rank_tells_what_it_is_made_of() {
        for won in [-20_000, -1, 0, 250, 20_000] {
            let ranked = rank(noisy(won), 17);
            assert_eq!((gain(score(ranked)), place(ranked)), (Some(won), 17));
        }
        for quiet in [-3 * MOST, -1, 3 * MOST, FIRST] {
            assert_eq!((gain(quiet), score(rank(quiet, 0))), (None, quiet));
        }
        assert!(is_sound(capture(0, -MOST / 32)) && is_sound(capture(20_000, MOST / 32)));
        assert!(![capture(-1, MOST / 32), KILLER + KILLER, FIRST, 3 * MOST].into_iter().any(is_sound));
    }

    #[test]
    fn equal_ranks_keep_their_order() {
        let mut ranks: Vec<Rank> =
            [5, -7, 9, 9, -1_000_000].iter().enumerate().map(|(i, &s)| rank(s, i)).collect();
        let order: Vec<usize> = (0..5).map(|i| place(select(&mut ranks, i))).collect();
        assert_eq!(order, [2, 3, 0, 1, 4]);
    }
}
