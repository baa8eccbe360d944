//! The loop over the moves of a node: pruning, reductions, and updates of the histories.

use kernel::Position;

use crate::cuts::Alone;
use crate::evaluator::Evaluator;
use crate::order::{self, Rank, place, select};
use crate::score::{BY_RULE, DRAW, INFINITE, Score};
use crate::transposition::{Bound, Entry, NO_EVAL, NO_MOVE};
use crate::tree::{Node, Searcher};

/// The number of moves that are selected one by one; then the others are sorted.
const SELECTED: usize = 6;

/// The most moves for which all table entries are prefetched at once; of more, each while the one before is searched.
const FEW: usize = 20;

impl<P: Position, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Tries the moves that were listed and returns the best score.
    pub(crate) fn moves_of(&mut self, node: &Node, known: Option<Entry>, eval: Score) -> Score {
        let &Node { count, beta, ply, pv, .. } = node;
        let mut alpha = node.alpha;
        let (mut best, mut best_place, mut bound) = (-INFINITE, NO_MOVE, Bound::Upper);
        let (mut tried, mut quiets) = (0, 0);
        let mut failed = Failed::default();
        let first_choice = known.map_or(NO_MOVE, |entry| entry.best);
        // The table's move often refutes: the others are ranked only once it did not.
        let early = usize::from(first_choice) < count;
        // Whether the places in the table of the positions after these moves are fetched ahead, and whether one by one.
        let fetched = self.policy().fetch_ahead && (node.depth > 1 || self.policy().quiet_table);
        let one_by_one = fetched && count > FEW;
        if fetched && !one_by_one {
            (0..count).for_each(|place| self.fetch(node, place));
        } else if one_by_one && early {
            self.fetch(node, first_choice.into());
        }
        let mut noisy = !early && self.rank(node, first_choice);
        let mut chosen = false;
        for i in 0..count {
            // A capture that was ranked among those that lose nothing need not be asked again.
            let mut sound = false;
            let trial = if i == 0 && early {
                self.trial(node, usize::from(first_choice))
            } else {
                if i == 1 && early {
                    noisy = self.rank(node, first_choice);
                    self.select(node, 0);
                }
                let rank = if chosen { self.ranks[node.base + i] } else { self.select(node, i) };
                chosen = false;
                sound = self.policy().skip_losing && order::is_sound(order::score(rank));
                self.trial(node, place(rank))
            };
            if trial.place == node.excluded || (ply == 0 && self.taken.contains(&trial.place)) {
                continue;
            }
            if ply > 0 && tried > 0 && best > -BY_RULE {
                if !trial.noisy && !trial.kept {
                    let late = if self.are_enough(node, quiets) {
                        // What follows is quiet and comes later still.
                        if !noisy && !self.policy().spares_pressing {
                            break;
                        }
                        true
                    } else {
                        self.is_too_late(node, tried, trial.past, eval, alpha)
                    };
                    if late && !(self.policy().spares_pressing && self.eval.presses(self.line.now(), trial.m))
                    {
                        quiets += 1;
                        continue;
                    }
                }
                if !sound && self.loses(node, &trial) {
                    continue;
                }
            }
            quiets += usize::from(!trial.noisy);
            let mut extra = 0;
            if ply > 0 && self.policy().singular && trial.place == known.map_or(NO_MOVE, |e| e.best) {
                match self.stands_out(node, known) {
                    Some(Alone::Extend(plies)) => extra = plies,
                    Some(Alone::Cut(score)) => return score,
                    None => {}
                }
                if self.halt.halted {
                    return DRAW;
                }
            }
            tried += 1;
            if one_by_one && i + 1 < count && (i > 0 || !early) {
                // The next one is chosen already, so that its place comes while this one is searched.
                let next = self.select(node, i + 1);
                self.fetch(node, place(next));
                chosen = true;
            }
            let score = self.try_move(node, &trial, alpha, extra, tried);
            if self.halt.halted {
                return DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_place = trial.place;
                    if pv {
                        self.found(trial.m, ply);
                    }
                    if ply == 0 {
                        self.best = score;
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        self.reward(node, &trial, &failed);
                        break;
                    }
                    bound = Bound::Exact;
                    alpha = score;
                }
            }
            failed.add(&trial);
        }
        if best == -INFINITE {
            // Everything was left out: what is left is no better than alpha.
            return alpha;
        }
        if node.excluded == NO_MOVE && (ply > 0 || self.taken.is_empty()) {
            let kept = if node.urgent { NO_EVAL } else { eval };
            self.keep(ply, (best_place, best, kept), node.depth, bound);
        }
        best
    }

    /// Moves the `i`th best move to its place, if those before it are in theirs, and returns its rank.
    #[inline(always)]
    fn select(&mut self, node: &Node, i: usize) -> Rank {
        let ranks = &mut self.ranks[node.base..node.base + node.count];
        let rank = if i < SELECTED { select(ranks, i) } else { ranks[i] };
        if i + 1 == SELECTED {
            // No refutation came early, so most of the moves will be tried.
            ranks[SELECTED..].sort_unstable_by(|a, b| b.cmp(a));
        }
        rank
    }

    /// Prefetches the table entry of the position after a move: memory latency is longer than the move.
    #[inline(always)]
    fn fetch(&self, node: &Node, place: usize) {
        self.memory.prefetch(self.line.now().key_after(self.moves[node.base + place]));
    }

    /// The move at that place of the list.
    fn trial(&mut self, node: &Node, place: usize) -> Trial<P::Move> {
        let m = self.moves[node.base + place];
        let pos = self.line.now();
        let noisy = self.eval.is_noisy(pos, m);
        let slot = self.eval.slot(pos, m);
        let mut past =
            if noisy { self.history.noisy(slot) } else { self.history.quiet(slot, self.past(node.ply)) };
        let mut kept = false;
        if self.policy().hint_weight > 0 && !noisy {
            let hint = self.eval.hint(self.line.now(), m);
            past += hint * self.policy().hint_weight / 16;
            kept = hint >= self.policy().hint_kept;
        }
        Trial { m, place: place as u16, slot, noisy, kept, past }
    }

    /// Returns true if a move loses too much material to be searched so near the horizon (SEE pruning).
    fn loses(&mut self, node: &Node, trial: &Trial<P::Move>) -> bool {
        let depth = node.depth;
        if node.urgent || !self.policy().skip_losing || depth > 7 {
            return false;
        }
        let pos = self.line.now();
        if trial.noisy {
            self.eval.gain(pos, trial.m) < -30 * depth * depth
        } else {
            self.eval.risk(pos, trial.m) < -20 * depth * depth
        }
    }

    /// Plays a move, searches it, takes it back. The first one with the whole window; the others only to see whether
    /// they are better, and late ones less deep at first.
    fn try_move(
        &mut self,
        node: &Node,
        trial: &Trial<P::Move>,
        alpha: Score,
        extra: i32,
        tried: usize,
    ) -> Score {
        let &Node { beta, depth, ply, pv, cut, .. } = node;
        let turn = self.line.now().turn();
        self.play(trial.m, ply, trial.slot);
        if pv {
            self.frame(ply + 1).pv.clear();
        }
        let same = self.line.now().turn() == turn;
        let full = depth - 1 + extra;
        if full > 0 || self.policy().quiet_table {
            self.memory.prefetch(self.line.key());
        }
        let score = if tried == 1 {
            self.child((alpha, beta), full, ply, !pv && !cut, same)
        } else {
            let less = self.less(node, tried, trial);
            let reduced = (full - less).clamp(1.min(full), full);
            let mut score = self.child((alpha, alpha + 1), reduced, ply, true, same);
            if score > alpha && reduced < full {
                score = self.child((alpha, alpha + 1), full, ply, !cut, same);
            }
            if score > alpha && score < beta {
                score = self.child((alpha, beta), full, ply, false, same);
            }
            score
        };
        self.undo();
        score
    }

    /// Raises the history of the move that refuted, and lowers those of the moves that failed before it.
    fn reward(&mut self, node: &Node, trial: &Trial<P::Move>, failed: &Failed) {
        let bonus = (160 * node.depth - 100).clamp(20, 1600);
        let past = self.past(node.ply);
        if trial.noisy {
            self.history.note_noisy(trial.slot, bonus);
        } else {
            self.history.note_quiet(trial.slot, past, bonus);
            if self.policy().killers {
                let killers = &mut self.frame(node.ply).killers;
                if killers[0] != Some(trial.m) {
                    *killers = [Some(trial.m), killers[0]];
                }
            }
        }
        for (i, &slot) in failed.slots[..failed.count].iter().enumerate() {
            let slot = usize::from(slot);
            if failed.noisy >> i & 1 == 1 {
                self.history.note_noisy(slot, -bonus);
            } else if !trial.noisy {
                self.history.note_quiet(slot, past, -bonus);
            }
        }
    }

    /// Returns true if enough quiet moves were tried, near the horizon, to skip all others (late move pruning).
    fn are_enough(&self, node: &Node, quiets: usize) -> bool {
        let depth = node.depth;
        let spared = node.pv && !self.policy().skip_in_pv;
        if node.urgent || spared || !node.settled || !self.policy().skip_late || depth > 8 {
            return false;
        }
        let (base, sixteenths) = self.policy().enough;
        let most = (base + depth * depth * sixteenths / 16) / if node.improving || node.pv { 1 } else { 2 };
        quiets as i32 > most
    }

    /// Returns true if a quiet move did so badly elsewhere, or the position stands so badly, that the move is skipped
    /// so near the horizon (history and futility pruning).
    fn is_too_late(&self, node: &Node, tried: usize, past: i32, eval: Score, alpha: Score) -> bool {
        if node.urgent || (node.pv && !self.policy().skip_in_pv) || !node.settled {
            return false;
        }
        let depth = node.depth;
        if self.policy().skip_late && depth <= 3 && past < -4000 * depth {
            return true;
        }
        match self.policy().futility {
            Some(margin) if depth <= self.policy().futility_depth => {
                let late = i32::from(self.lateness[depth.min(63) as usize][tried.min(63)]);
                let left = (depth - late / 16).max(1);
                eval + margin * (left + 1) + past / 128 <= alpha
            }
            _ => false,
        }
    }

    /// Returns the late move reduction (LMR) of a move, in plies.
    fn less(&self, node: &Node, tried: usize, trial: &Trial<P::Move>) -> i32 {
        let depth = node.depth;
        let Some(from) = self.policy().reduce_from else { return 0 };
        if depth < self.policy().reduce_depth || tried <= from || node.urgent {
            return 0;
        }
        let late = i32::from(self.lateness[depth.min(63) as usize][tried.min(63)]);
        let halved = trial.noisy || trial.kept || !node.settled;
        let mut plies = if halved { late / 2 } else { late };
        let improving = node.improving && self.policy().improving_reduces_less;
        plies += 16 * (i32::from(node.cut) - i32::from(node.pv) - i32::from(improving));
        plies -= 16 * trial.past / self.policy().history_a_ply;
        (plies / 16).clamp(0, self.policy().reduce_most)
    }
}

/// A move that is tried.
struct Trial<M> {
    m: M,
    /// Its place in the list.
    place: u16,
    slot: usize,
    noisy: bool,
    /// True if the move is not skipped for being late.
    kept: bool,
    /// The history score of the move.
    past: i32,
}

/// The moves of a node that were tried in vain: their slots, and a bit for each that is noisy.
#[derive(Default)]
struct Failed {
    slots: [u16; 32],
    noisy: u32,
    count: usize,
}

impl Failed {
    fn add<M>(&mut self, trial: &Trial<M>) {
        if let Some(slot) = self.slots.get_mut(self.count) {
            *slot = trial.slot as u16;
            self.noisy |= u32::from(trial.noisy) << self.count;
            self.count += 1;
        }
    }
}
