//! Move ordering: the table's move first, then tactical moves that lose nothing by SEE, killers, and quiet moves by
//! history and continuation history; tactical moves that lose something come last.

use std::hint::select_unpredictable;

/// The history scores of moves, by their [index](crate::Evaluator::history_index): ± [`MAX_HISTORY`] at most.
#[derive(Clone, Default, Debug)]
pub(crate) struct History {
    size: usize,
    quiet: Vec<i16>,
    tactical: Vec<i16>,
    /// Continuation history: the scores after another move, one ply before (the opponent's) and two (one's own).
    continuation: Vec<i16>,
}

/// The largest history size with a continuation history, which takes 2 bytes times its square.
const MAX_CONTINUATION_SIZE: usize = 1536;
const MAX_HISTORY: i32 = 16_384;

/// The history index of no move: a null move, or nothing before the root.
pub(crate) const NO_HISTORY_INDEX: usize = usize::MAX;

impl History {
    pub(crate) fn new(size: usize) -> History {
        let continuation_size = if size <= MAX_CONTINUATION_SIZE { size * size } else { 0 };
        History {
            size,
            quiet: vec![0; size],
            tactical: vec![0; size],
            continuation: vec![0; continuation_size],
        }
    }

    /// Returns the number of history indices.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Returns the scores of quiet moves after the moves one and two plies before.
    #[inline]
    pub(crate) fn quiet_scores(&self, previous: [usize; 2]) -> QuietScores<'_> {
        let row = |previous: usize| {
            let has_row = previous != NO_HISTORY_INDEX && !self.continuation.is_empty();
            if has_row { &self.continuation[previous * self.size..][..self.size] } else { &[] }
        };
        QuietScores { quiet: &self.quiet, continuation: previous.map(row) }
    }

    /// Returns the score of a quiet move, after the moves one and two plies before.
    #[inline]
    pub(crate) fn quiet(&self, index: usize, previous: [usize; 2]) -> i32 {
        self.quiet_scores(previous).quiet(index)
    }

    pub(crate) fn tactical(&self, index: usize) -> i32 {
        i32::from(self.tactical[index])
    }

    pub(crate) fn update_quiet(&mut self, index: usize, previous: [usize; 2], bonus: i32) {
        apply_bonus(&mut self.quiet[index], bonus);
        for earlier in previous.into_iter().filter(|&earlier| earlier != NO_HISTORY_INDEX) {
            if let Some(h) = self.continuation.get_mut(earlier * self.size + index) {
                apply_bonus(h, bonus);
            }
        }
    }

    pub(crate) fn update_tactical(&mut self, index: usize, bonus: i32) {
        apply_bonus(&mut self.tactical[index], bonus);
    }
}

/// The history scores of the quiet moves of a node.
pub(crate) struct QuietScores<'a> {
    quiet: &'a [i16],
    continuation: [&'a [i16]; 2],
}

impl QuietScores<'_> {
    /// Returns the score of the quiet move with that history index.
    #[inline]
    pub(crate) fn quiet(&self, index: usize) -> i32 {
        let row_score = |row: &[i16]| row.get(index).map_or(0, |&h| i32::from(h));
        i32::from(self.quiet[index]) + row_score(self.continuation[0]) + row_score(self.continuation[1])
    }
}

/// Adds the bonus to a history score, the less of it the nearer the score is to its limit (history gravity).
fn apply_bonus(h: &mut i16, bonus: i32) {
    let old = i32::from(*h);
    *h = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}

/// A move's score and index as one number: a higher score first, then the earlier index, which is in the low bits.
pub(crate) type Rank = u64;

pub(crate) fn rank(score: i32, move_index: usize) -> Rank {
    (score as i64 + (1 << 40)) as u64 * (1 << 16) + (0xFFFF - move_index as u64)
}

/// The score of a ranked move.
pub(crate) fn score(rank: Rank) -> i32 {
    ((rank >> 16) as i64 - (1 << 40)) as i32
}

/// The scores of the table's move and of killer moves, above those of quiet ones.
pub(crate) const TT_MOVE_SCORE: i32 = 1 << 30;
pub(crate) const KILLER_SCORE: i32 = 1 << 22;

/// The score of a tactical move: by SEE and history; below quiet moves if it loses something.
pub(crate) fn tactical_score(see: i32, history: i32) -> i32 {
    if see < 0 { (see - 20_000) * 64 } else { GOOD_TACTICAL + see * 64 + history }
}

/// Returns true if a move with that score is tactical and loses nothing by SEE (a good capture).
pub(crate) fn is_good_tactical(score: i32) -> bool {
    (GOOD_TACTICAL - MAX_HISTORY..TT_MOVE_SCORE).contains(&score)
}

const GOOD_TACTICAL: i32 = 1 << 24;

/// The score of a tactical move in the quiescence search: above all quiet ones, by SEE.
pub(crate) fn qsearch_score(see: i32) -> i32 {
    QSEARCH_TACTICAL + see
}

/// Returns the SEE of a move with that score in the quiescence search; `None` if it is quiet.
pub(crate) fn qsearch_see(score: i32) -> Option<i32> {
    (score.abs_diff(QSEARCH_TACTICAL) < QSEARCH_TACTICAL as u32 / 2).then_some(score - QSEARCH_TACTICAL)
}

const QSEARCH_TACTICAL: i32 = 1 << 20;

/// The index of a ranked move in the list.
pub(crate) fn move_index(rank: Rank) -> usize {
    0xFFFF - (rank & 0xFFFF) as usize
}

/// Brings the highest of `ranks[from..]` to its front.
pub(crate) fn select_best(ranks: &mut [Rank], from: usize) -> Rank {
    // Which is the highest cannot be foreseen, so nothing branches on it.
    let (mut best, mut move_index) = (ranks[from], from);
    for (i, &rank) in ranks.iter().enumerate().skip(from + 1) {
        move_index = select_unpredictable(rank > best, i, move_index);
        best = best.max(rank);
    }
    ranks.swap(from, move_index);
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_in_bounds() {
        let mut h = History::new(4);
        for _ in 0..1000 {
            h.update_quiet(3, [2, NO_HISTORY_INDEX], 1600);
        }
        assert!((1..=2 * MAX_HISTORY).contains(&h.quiet(3, [2, 1])));
        assert!(h.quiet(3, [NO_HISTORY_INDEX; 2]) < h.quiet(3, [2, 1]));
        for _ in 0..1000 {
            h.update_quiet(3, [NO_HISTORY_INDEX; 2], -1600);
        }
        assert!(h.quiet(3, [NO_HISTORY_INDEX; 2]) >= -MAX_HISTORY);
    }

    #[test]
    fn a_rank_tells_what_it_is_made_of() {
        for won in [-20_000, -1, 0, 250, 20_000] {
            let ranked = rank(qsearch_score(won), 17);
            assert_eq!((qsearch_see(score(ranked)), move_index(ranked)), (Some(won), 17));
        }
        for quiet in [-3 * MAX_HISTORY, -1, 3 * MAX_HISTORY, TT_MOVE_SCORE] {
            assert_eq!((qsearch_see(quiet), score(rank(quiet, 0))), (None, quiet));
        }
        assert!(
            is_good_tactical(tactical_score(0, -MAX_HISTORY / 32))
                && is_good_tactical(tactical_score(20_000, MAX_HISTORY / 32))
        );
        assert!(
            ![
                tactical_score(-1, MAX_HISTORY / 32),
                KILLER_SCORE + KILLER_SCORE,
                TT_MOVE_SCORE,
                3 * MAX_HISTORY
            ]
            .into_iter()
            .any(is_good_tactical)
        );
    }

    #[test]
    fn equal_ranks_keep_their_order() {
        let mut ranks: Vec<Rank> =
            [5, -7, 9, 9, -1_000_000].iter().enumerate().map(|(i, &s)| rank(s, i)).collect();
        let order: Vec<usize> = (0..5).map(|i| move_index(select_best(&mut ranks, i))).collect();
        assert_eq!(order, [2, 3, 0, 1, 4]);
    }
}
