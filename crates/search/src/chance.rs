//! Moves whose result chance decides: nodes of chance (expectimax) between those of the players.
//!
//! The rules list each outcome as a move. A player chooses among choices, so a node keeps the first outcome of each, which
//! stands for all; its score is the mean of their scores by weight. Where outcomes times depth are few all are searched,
//! else a sample that follows from the position alone, so that the same search has the same answer. No score of chance is a
//! proof: a win in all that was looked at counts as the best evaluation there is.
//!
//! Games without chance pay nothing: [`Position::MAY_DRAW`] is a constant.

use kernel::Position;

use crate::evaluator::Evaluator;
use crate::score::{DRAW, INFINITE, MAX_EVAL, Score};
use crate::tree::Searcher;

/// The most outcomes times plies to go for which all outcomes are searched; beyond, this number over the depth is sampled.
const MOST_IN_FULL: usize = 24;
/// The least number of outcomes of a sample.
const LEAST_SAMPLED: usize = 3;
/// The most outcomes that are evaluated beyond the horizon.
const MOST_AT_LEAVES: usize = 4;

/// Keeps the first outcome of each choice among the moves from `start` on.
#[inline(always)]
pub(crate) fn keep_choices<P: Position>(pos: &P, moves: &mut Vec<P::Move>, start: usize) {
    if !P::MAY_DRAW {
        return;
    }
    let mut last = None;
    let mut kept = start;
    for i in start..moves.len() {
        let choice = pos.by_chance(moves[i]).map(|by_chance| by_chance.choice);
        if choice.is_none() || choice != last {
            moves[kept] = moves[i];
            kept += 1;
        }
        last = choice;
    }
    moves.truncate(kept);
}

/// Returns the first outcome of the choice that `m` is an outcome of; `m` itself where chance has no part in it.
pub(crate) fn standing_for<P: Position>(pos: &P, m: P::Move) -> P::Move {
    let Some(by_chance) = pos.by_chance(m).filter(|_| P::MAY_DRAW) else { return m };
    outcomes(pos, by_chance.choice).first().map_or(m, |&(first, _)| first)
}

/// The outcomes of a choice with their weights.
fn outcomes<P: Position>(pos: &P, choice: P::Move) -> Vec<(P::Move, u32)> {
    let mut moves = Vec::new();
    pos.moves(&mut moves);
    let outcome = |m: P::Move| {
        let by_chance = pos.by_chance(m).filter(|by_chance| by_chance.choice == choice)?;
        Some((m, by_chance.weight))
    };
    moves.into_iter().filter_map(outcome).collect()
}

/// Returns `count` draws among outcomes, each once with the number of times that it was drawn as its weight.
fn sample<M: Copy>(outcomes: &[(M, u32)], count: usize, seed: u64) -> Vec<(M, u32)> {
    let sum: u64 = outcomes.iter().map(|(_, weight)| u64::from(*weight)).sum();
    let mut drawn = vec![0u32; outcomes.len()];
    let mut state = seed;
    for _ in 0..count {
        // SplitMix64, public domain.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let mut left = (bits ^ (bits >> 31)) % sum;
        for (times, (_, weight)) in drawn.iter_mut().zip(outcomes) {
            match left.checked_sub(u64::from(*weight)) {
                Some(rest) => left = rest,
                None => {
                    *times += 1;
                    break;
                }
            }
        }
    }
    let met = outcomes.iter().zip(drawn).filter(|(_, times)| *times > 0);
    met.map(|(&(m, _), times)| (m, times)).collect()
}

impl<P: Position, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Returns the score of a choice that chance decides, for the side to move; `None` where chance has no part in `m`.
    /// `depth` are the plies to go after it.
    #[inline(always)]
    pub(crate) fn search_chance(
        &mut self,
        m: P::Move,
        history_index: usize,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        if !P::MAY_DRAW {
            return None;
        }
        let choice = self.positions.current().by_chance(m)?.choice;
        Some(self.expected(choice, history_index, depth, ply))
    }

    fn expected(&mut self, choice: P::Move, history_index: usize, depth: i32, ply: usize) -> Score {
        let all = outcomes(self.positions.current(), choice);
        let plies = depth.max(1) as usize;
        let most = if depth < 0 { MOST_AT_LEAVES } else { (MOST_IN_FULL / plies).max(LEAST_SAMPLED) };
        let tried = if all.len() <= most { all } else { sample(&all, most, self.positions.key()) };
        let turn = self.positions.current().turn();
        let (mut sum, mut weights) = (0i64, 0i64);
        for (m, weight) in tried {
            self.play(m, ply, history_index);
            self.frame(ply + 1).pv.clear();
            let same_side = self.positions.current().turn() == turn;
            let score = if depth < 0 {
                self.leaf(ply + 1)
            } else {
                self.search_node(-INFINITE, INFINITE, depth, ply + 1, false)
            };
            self.undo();
            if self.halt.stopped {
                return DRAW;
            }
            let score = if same_side { score } else { -score };
            sum += i64::from(score.clamp(-MAX_EVAL, MAX_EVAL)) * i64::from(weight);
            weights += i64::from(weight);
        }
        // What follows depends on what is drawn.
        self.frame(ply + 1).pv.clear();
        (sum / weights.max(1)) as Score
    }

    /// The score of the current position without a search, for the side to move.
    fn leaf(&mut self, ply: usize) -> Score {
        if self.count_node(ply) {
            return DRAW;
        }
        self.terminal_score(ply).unwrap_or_else(|| self.evaluate())
    }
}

#[cfg(test)]
mod tests {
    use super::sample;

    #[test]
    fn samples_follow_the_weights_and_the_seed() {
        let outcomes = [('a', 5), ('b', 2), ('c', 1)];
        assert_eq!(sample(&outcomes, 6, 7), sample(&outcomes, 6, 7));
        let many = sample(&outcomes, 8_000, 1);
        for ((m, times), (one, weight)) in many.iter().zip(outcomes) {
            assert_eq!(*m, one);
            let expected = 1_000 * weight;
            assert!(times.abs_diff(expected) < 150, "{m}: {times} of {expected}");
        }
    }
}
