//! The loop over the moves of a node: late move pruning (LMP), futility, history and SEE pruning, late move reductions
//! (LMR), and updates of the histories.

use kernel::Position;

use crate::evaluator::Evaluator;
use crate::order::{self, Rank, move_index, select_best};
use crate::pruning::SingularResult;
use crate::score::{BY_RULE, DRAW, INFINITE, Score};
use crate::transposition::{NO_EVAL, NO_MOVE, TtBound, TtEntry};
use crate::tree::{Node, Searcher};

/// The number of moves that are selected one by one; then the others are sorted.
const MAX_SELECTED: usize = 6;

/// The most moves for which all table entries are prefetched at once; of more, each while the one before is searched.
const MAX_PREFETCHED: usize = 20;

impl<P: Position, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Searches the generated moves and returns the best score.
    pub(crate) fn search_moves(
        &mut self,
        node: &Node,
        tt_entry: Option<TtEntry>,
        static_eval: Score,
    ) -> Score {
        let &Node { move_count, beta, ply, pv_node, .. } = node;
        let mut alpha = node.alpha;
        let (mut best_score, mut best_move, mut bound) = (-INFINITE, NO_MOVE, TtBound::Upper);
        let (mut move_number, mut quiet_count) = (0, 0);
        let mut failed = FailedMoves::default();
        let tt_move = tt_entry.map_or(NO_MOVE, |entry| entry.tt_move);
        // The table's move often refutes: the others are ranked only once it did not.
        let tt_move_first = usize::from(tt_move) < move_count;
        // Entries of the positions after these moves are prefetched all at once, or one by one if the moves are many.
        let prefetches = self.policy().tt_prefetch && (node.depth > 1 || self.policy().qsearch_tt);
        let prefetches_one_by_one = prefetches && move_count > MAX_PREFETCHED;
        if prefetches && !prefetches_one_by_one {
            (0..move_count).for_each(|move_index| self.prefetch(node, move_index));
        } else if prefetches_one_by_one && tt_move_first {
            self.prefetch(node, tt_move.into());
        }
        let mut has_tactical = !tt_move_first && self.rank_moves(node, tt_move);
        let mut next_is_selected = false;
        for i in 0..move_count {
            // A capture that was ranked among those that lose nothing need not be asked again.
            let mut passes_see = false;
            let candidate = if i == 0 && tt_move_first {
                self.candidate(node, usize::from(tt_move))
            } else {
                if i == 1 && tt_move_first {
                    has_tactical = self.rank_moves(node, tt_move);
                    self.select_best(node, 0);
                }
                let rank = if next_is_selected {
                    self.ranks[node.moves_start + i]
                } else {
                    self.select_best(node, i)
                };
                next_is_selected = false;
                passes_see = self.policy().see_pruning && order::is_good_tactical(order::score(rank));
                self.candidate(node, move_index(rank))
            };
            if candidate.move_index == node.excluded_move
                || (ply == 0 && self.excluded_root_moves.contains(&candidate.move_index))
            {
                continue;
            }
            if ply > 0 && move_number > 0 && best_score > -BY_RULE {
                if !candidate.tactical && !candidate.has_priority {
                    let is_pruned = if self.late_move_pruning(node, quiet_count) {
                        // What follows is quiet and comes later still.
                        if !has_tactical && !self.policy().exempt_checks {
                            break;
                        }
                        true
                    } else {
                        self.prunes_quiet(node, move_number, candidate.history_score, static_eval, alpha)
                    };
                    if is_pruned
                        && !(self.policy().exempt_checks
                            && self.eval.gives_check(self.positions.current(), candidate.m))
                    {
                        quiet_count += 1;
                        continue;
                    }
                }
                if !passes_see && self.see_prunes(node, &candidate) {
                    continue;
                }
            }
            quiet_count += usize::from(!candidate.tactical);
            let mut extension = 0;
            if ply > 0
                && self.policy().singular_extensions
                && candidate.move_index == tt_entry.map_or(NO_MOVE, |e| e.tt_move)
            {
                match self.singular_search(node, tt_entry) {
                    Some(SingularResult::Extend(plies)) => extension = plies,
                    Some(SingularResult::Cut(score)) => return score,
                    None => {}
                }
                if self.halt.stopped {
                    return DRAW;
                }
            }
            move_number += 1;
            if prefetches_one_by_one && i + 1 < move_count && (i > 0 || !tt_move_first) {
                // The next one is selected already, so that its entry arrives while this one is searched.
                let next = self.select_best(node, i + 1);
                self.prefetch(node, move_index(next));
                next_is_selected = true;
            }
            let score = self.search_move(node, &candidate, alpha, extension, move_number);
            if self.halt.stopped {
                return DRAW;
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = candidate.move_index;
                    if pv_node {
                        self.update_pv(candidate.m, ply);
                    }
                    if ply == 0 {
                        self.root_best_score = score;
                    }
                    if score >= beta {
                        bound = TtBound::Lower;
                        self.update_histories(node, &candidate, &failed);
                        break;
                    }
                    bound = TtBound::Exact;
                    alpha = score;
                }
            }
            failed.add(&candidate);
        }
        if best_score == -INFINITE {
            // Every move was pruned or excluded: none is assumed to be better than alpha.
            return alpha;
        }
        if node.excluded_move == NO_MOVE && (ply > 0 || self.excluded_root_moves.is_empty()) {
            let static_eval = if node.urgent { NO_EVAL } else { static_eval };
            self.store_tt(ply, (best_move, best_score, static_eval), node.depth, bound);
        }
        best_score
    }

    /// Selects the `i`th best move, where those before it are selected already, and returns its rank.
    #[inline(always)]
    fn select_best(&mut self, node: &Node, i: usize) -> Rank {
        let ranks = &mut self.ranks[node.moves_start..node.moves_start + node.move_count];
        let rank = if i < MAX_SELECTED { select_best(ranks, i) } else { ranks[i] };
        if i + 1 == MAX_SELECTED {
            // No refutation came early, so most of the moves will be tried.
            ranks[MAX_SELECTED..].sort_unstable_by(|a, b| b.cmp(a));
        }
        rank
    }

    /// Prefetches the table entry of the position after a move: memory latency is longer than the move.
    #[inline(always)]
    fn prefetch(&self, node: &Node, move_index: usize) {
        self.tt.prefetch(self.positions.current().key_after(self.moves[node.moves_start + move_index]));
    }

    /// Collects what the loop needs to know of the move with that index in the list.
    fn candidate(&mut self, node: &Node, move_index: usize) -> Candidate<P::Move> {
        let m = self.moves[node.moves_start + move_index];
        let pos = self.positions.current();
        let tactical = self.eval.is_tactical(pos, m);
        let history_index = self.eval.history_index(pos, m);
        let mut history_score = if tactical {
            self.history.tactical(history_index)
        } else {
            self.history.quiet(history_index, self.continuation(node.ply))
        };
        let mut has_priority = false;
        if self.policy().hint_weight > 0 && !tactical {
            let hint = self.eval.hint(self.positions.current(), m);
            history_score += hint * self.policy().hint_weight / 16;
            has_priority = hint >= self.policy().priority_hint;
        }
        Candidate { m, move_index: move_index as u16, history_index, tactical, has_priority, history_score }
    }

    /// SEE pruning: returns true if a move loses too much material to be searched so near the horizon.
    fn see_prunes(&mut self, node: &Node, candidate: &Candidate<P::Move>) -> bool {
        let depth = node.depth;
        if node.urgent || !self.policy().see_pruning || depth > 7 {
            return false;
        }
        let pos = self.positions.current();
        if candidate.tactical {
            self.eval.see(pos, candidate.m) < -30 * depth * depth
        } else {
            self.eval.see_quiet(pos, candidate.m) < -20 * depth * depth
        }
    }

    /// Plays a move, searches it, takes it back: the first one with the full window, the others with a zero window,
    /// which late moves get at a reduced depth first (LMR); a move that is above alpha is searched again.
    fn search_move(
        &mut self,
        node: &Node,
        candidate: &Candidate<P::Move>,
        alpha: Score,
        extension: i32,
        move_number: usize,
    ) -> Score {
        let &Node { beta, depth, ply, pv_node, cut_node, .. } = node;
        if let Some(score) = self.search_chance(candidate.m, candidate.history_index, depth - 1, ply) {
            return score;
        }
        let turn = self.positions.current().turn();
        self.play(candidate.m, ply, candidate.history_index);
        if pv_node {
            self.frame(ply + 1).pv.clear();
        }
        let same_side = self.positions.current().turn() == turn;
        let new_depth = depth - 1 + extension;
        if new_depth > 0 || self.policy().qsearch_tt {
            self.tt.prefetch(self.positions.key());
        }
        let score = if move_number == 1 {
            self.search_child((alpha, beta), new_depth, ply, !pv_node && !cut_node, same_side)
        } else {
            let reduction = self.lmr_reduction(node, move_number, candidate);
            let reduced_depth = (new_depth - reduction).clamp(1.min(new_depth), new_depth);
            let mut score = self.search_child((alpha, alpha + 1), reduced_depth, ply, true, same_side);
            if score > alpha && reduced_depth < new_depth {
                score = self.search_child((alpha, alpha + 1), new_depth, ply, !cut_node, same_side);
            }
            if score > alpha && score < beta {
                score = self.search_child((alpha, beta), new_depth, ply, false, same_side);
            }
            score
        };
        self.undo();
        score
    }

    /// Raises the history score of the move that caused the beta cutoff, and lowers those of the moves before it.
    fn update_histories(&mut self, node: &Node, candidate: &Candidate<P::Move>, failed: &FailedMoves) {
        let bonus = (160 * node.depth - 100).clamp(20, 1600);
        let continuation = self.continuation(node.ply);
        if candidate.tactical {
            self.history.update_tactical(candidate.history_index, bonus);
        } else {
            self.history.update_quiet(candidate.history_index, continuation, bonus);
            if self.policy().killers {
                let killers = &mut self.frame(node.ply).killers;
                if killers[0] != Some(candidate.m) {
                    *killers = [Some(candidate.m), killers[0]];
                }
            }
        }
        for (i, &history_index) in failed.history_indices[..failed.count].iter().enumerate() {
            let history_index = usize::from(history_index);
            if failed.tactical >> i & 1 == 1 {
                self.history.update_tactical(history_index, -bonus);
            } else if !candidate.tactical {
                self.history.update_quiet(history_index, continuation, -bonus);
            }
        }
    }

    /// Late move pruning (LMP): returns true if the number of quiet moves so far is above the limit for this depth, so
    /// that all others are skipped.
    fn late_move_pruning(&self, node: &Node, quiet_count: usize) -> bool {
        let depth = node.depth;
        let is_spared = node.pv_node && !self.policy().prune_in_pv;
        if node.urgent || is_spared || !node.settled || !self.policy().lmp || depth > 8 {
            return false;
        }
        let (base, sixteenths) = self.policy().lmp_count;
        let lmp_count =
            (base + depth * depth * sixteenths / 16) / if node.improving || node.pv_node { 1 } else { 2 };
        quiet_count as i32 > lmp_count
    }

    /// Returns true if history or futility pruning skips a quiet move.
    fn prunes_quiet(
        &self,
        node: &Node,
        move_number: usize,
        history_score: i32,
        static_eval: Score,
        alpha: Score,
    ) -> bool {
        if node.urgent || (node.pv_node && !self.policy().prune_in_pv) || !node.settled {
            return false;
        }
        self.history_pruning(node.depth, history_score)
            || self.futility_pruning(node.depth, move_number, history_score, static_eval, alpha)
    }

    /// History pruning: returns true if a quiet move did too badly elsewhere to be searched so near the horizon.
    fn history_pruning(&self, depth: i32, history_score: i32) -> bool {
        self.policy().lmp && depth <= 3 && history_score < -4000 * depth
    }

    /// Futility pruning: returns true if the position is worth too little for a quiet move to reach alpha so near the
    /// horizon. What counts is the depth after LMR.
    fn futility_pruning(
        &self,
        depth: i32,
        move_number: usize,
        history_score: i32,
        static_eval: Score,
        alpha: Score,
    ) -> bool {
        match self.policy().futility_margin {
            Some(margin) if depth <= self.policy().futility_max_depth => {
                let table_reduction = i32::from(self.lmr_table[depth.min(63) as usize][move_number.min(63)]);
                let lmr_depth = (depth - table_reduction / 16).max(1);
                static_eval + margin * (lmr_depth + 1) + history_score / 128 <= alpha
            }
            _ => false,
        }
    }

    /// Returns the late move reduction (LMR) of a move, in plies.
    fn lmr_reduction(&self, node: &Node, move_number: usize, candidate: &Candidate<P::Move>) -> i32 {
        let depth = node.depth;
        let Some(first_reduced) = self.policy().lmr_first_move else { return 0 };
        if depth < self.policy().lmr_min_depth || move_number <= first_reduced || node.urgent {
            return 0;
        }
        let table_reduction = i32::from(self.lmr_table[depth.min(63) as usize][move_number.min(63)]);
        let halved = candidate.tactical || candidate.has_priority || !node.settled;
        let mut reduction = if halved { table_reduction / 2 } else { table_reduction };
        let improving = node.improving && self.policy().lmr_improving;
        reduction += 16 * (i32::from(node.cut_node) - i32::from(node.pv_node) - i32::from(improving));
        reduction -= 16 * candidate.history_score / self.policy().lmr_history_divisor;
        (reduction / 16).clamp(0, self.policy().lmr_max)
    }
}

/// A move of the list, before it is pruned or searched.
struct Candidate<M> {
    m: M,
    /// Its index in the list of candidates.
    move_index: u16,
    history_index: usize,
    tactical: bool,
    /// True if the move is exempt from late move, history and futility pruning, by its hint.
    has_priority: bool,
    /// The history score of the move, with its hint.
    history_score: i32,
}

/// The moves of a node that were searched without a cutoff: their history indices, and a bit for each that is tactical.
#[derive(Default)]
struct FailedMoves {
    history_indices: [u16; 32],
    tactical: u32,
    count: usize,
}

impl FailedMoves {
    fn add<M>(&mut self, candidate: &Candidate<M>) {
        if let Some(history_index) = self.history_indices.get_mut(self.count) {
            *history_index = candidate.history_index as u16;
            self.tactical |= u32::from(candidate.tactical) << self.count;
            self.count += 1;
        }
    }
}
