//! Quiescence search at the end of the tree: no position is evaluated in the middle of an exchange.

use kernel::Position;

use crate::evaluator::{Effort, Evaluator, Unrest};
use crate::order::{self, place, rank, select};
use crate::score::{DEEPEST, DRAW, INFINITE, Score, win_in};
use crate::transposition::{Bound, NO_EVAL, NO_MOVE};
use crate::tree::{MOST_MOVES, Searcher};

/// The margin of delta pruning, in hundredths: a move that would not come near alpha even with this bonus is not
/// tried.
const HOPE: Score = 150;

impl<P: Position, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Returns the score of the current position, `plies` plies beyond the horizon: its evaluation once no exchange
    /// is left open.
    pub(crate) fn qsearch(&mut self, alpha: Score, beta: Score, ply: usize, plies: usize) -> Score {
        if self.enter(ply) {
            return DRAW;
        }
        if ply > 0
            && let Some(score) = self.end(ply)
        {
            return score;
        }
        if ply + 1 >= DEEPEST {
            return self.evaluate();
        }
        let table = self.policy().quiet_table;
        let known = if table { self.memory.get(self.key(), ply) } else { None };
        // How far beyond the horizon decides what is still tried.
        let depth = -(plies.min(3) as i32);
        if let Some(entry) = known {
            let fits = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
                Bound::None => false,
            };
            if fits && beta - alpha == 1 && entry.depth >= depth {
                return entry.score;
            }
        }
        if known.is_none()
            && let Some(win) = self.forced(Effort::Leaf)
        {
            let score = win_in(ply + win.plies as usize);
            self.keep(ply, (NO_MOVE, score, NO_EVAL), depth, Bound::Lower);
            return score;
        }
        let unrest = self.eval.unrest(self.line.now(), plies);
        let all = matches!(unrest, Unrest::Urgent | Unrest::Threat);
        if known.is_none()
            && matches!(unrest, Unrest::Settled | Unrest::Threat)
            && beta - alpha == 1
            && self.noise.is_none()
            && let Some([low, high]) = self.eval.glance(self.line.now())
        {
            if unrest == Unrest::Settled && low >= beta {
                return low;
            }
            if high <= alpha {
                return high;
            }
        }
        let eval = match known {
            _ if all => NO_EVAL,
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.evaluate(),
        };
        if unrest == Unrest::Settled || (unrest == Unrest::Noise && eval >= beta) {
            if table && known.is_none() {
                let bound = if unrest == Unrest::Settled { Bound::Exact } else { Bound::Lower };
                self.keep(ply, (NO_MOVE, eval, eval), depth, bound);
            }
            return eval;
        }
        let base = self.moves.len();
        if all {
            self.eval.candidates(self.line.now(), &mut self.moves);
        } else {
            self.eval.noise(self.line.now(), plies, &mut self.moves);
        }
        self.moves.truncate(base + MOST_MOVES);
        let first_choice = if all { known.map_or(NO_MOVE, |entry| entry.best) } else { NO_MOVE };
        let (best, best_place) = if all && self.moves.len() == base {
            (self.stuck(ply), NO_MOVE)
        } else {
            self.order_noise(base, ply, first_choice);
            self.try_noise((alpha, beta), base, ply, plies, eval)
        };
        self.moves.truncate(base);
        self.ranks.truncate(base);
        if self.halt.halted {
            return DRAW;
        }
        if !table {
            return best;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha && beta - alpha > 1 {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.keep(ply, (if all { best_place } else { NO_MOVE }, best, eval), depth, bound);
        best
    }

    fn order_noise(&mut self, base: usize, ply: usize, first_choice: u16) {
        let past = self.past(ply);
        let Searcher { line, eval, history, moves, ranks, .. } = self;
        let (pos, known) = (line.now(), history.after(past));
        // Where ProbCut lists moves it leaves no ranks.
        ranks.resize(base, 0);
        for (place, &m) in moves[base..].iter().enumerate() {
            let score = if place == usize::from(first_choice) {
                order::FIRST
            } else if eval.is_noisy(pos, m) {
                order::noisy(eval.gain(pos, m))
            } else {
                known.quiet(eval.slot(pos, m))
            };
            ranks.push(rank(score, place));
        }
    }

    /// The best score and the place of its move; `eval` is what resting is worth, if the side may rest.
    fn try_noise(
        &mut self,
        (mut alpha, beta): (Score, Score),
        base: usize,
        ply: usize,
        plies: usize,
        eval: Score,
    ) -> (Score, u16) {
        let rests = eval != NO_EVAL;
        let mut best = if rests { eval } else { -INFINITE };
        let mut best_place = NO_MOVE;
        alpha = alpha.max(best);
        let turn = self.line.now().turn();
        let pv = beta - alpha > 1;
        for i in 0..self.moves.len() - base {
            let ranked = select(&mut self.ranks[base..], i);
            let place = place(ranked);
            let m = self.moves[base + place];
            if rests && self.policy().skip_losing {
                // What follows wins no more.
                let gain = order::gain(order::score(ranked)).unwrap_or(0);
                if gain < 0 {
                    break;
                }
                if eval + gain + HOPE <= alpha {
                    best = best.max(eval + gain + HOPE);
                    break;
                }
            }
            let slot = self.eval.slot(self.line.now(), m);
            self.play(m, ply, slot);
            if pv {
                self.frame(ply + 1).pv.clear();
            }
            if self.policy().quiet_table {
                self.memory.prefetch(self.line.key());
            }
            let score = if self.line.now().turn() == turn {
                self.qsearch(alpha, beta, ply + 1, plies + 1)
            } else {
                -self.qsearch(-beta, -alpha, ply + 1, plies + 1)
            };
            self.undo();
            if self.halt.halted {
                return (DRAW, NO_MOVE);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_place = place as u16;
                    if pv {
                        self.found(m, ply);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        (best, best_place)
    }
}
