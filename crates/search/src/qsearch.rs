//! Quiescence search (qsearch) beyond the horizon: no position is evaluated in the middle of an exchange.

use kernel::Position;

use crate::chance::keep_choices;
use crate::evaluator::{Effort, Evaluator, QsearchKind};
use crate::order::{self, move_index, rank, select_best};
use crate::score::{DRAW, INFINITE, MAX_PLY, Score, win_in};
use crate::transposition::{NO_EVAL, NO_MOVE, TtBound};
use crate::tree::{MAX_MOVES, Searcher};

/// The margin of delta pruning, in hundredths: a move that would not come near alpha even with this bonus is not
/// tried.
const DELTA_MARGIN: Score = 150;

impl<P: Position, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Returns the score of the current position, `qs_ply` plies beyond the horizon: its evaluation once no exchange
    /// is left open.
    pub(crate) fn qsearch(&mut self, alpha: Score, beta: Score, ply: usize, qs_ply: usize) -> Score {
        if self.count_node(ply) {
            return DRAW;
        }
        if ply > 0
            && let Some(score) = self.terminal_score(ply)
        {
            return score;
        }
        if ply + 1 >= MAX_PLY {
            return self.evaluate();
        }
        let uses_tt = self.policy().qsearch_tt;
        let tt_entry = if uses_tt { self.tt.probe(self.tt_key(), ply) } else { None };
        // How far beyond the horizon decides what is still tried.
        let depth = -(qs_ply.min(3) as i32);
        if let Some(entry) = tt_entry {
            let cuts = match entry.bound {
                TtBound::Exact => true,
                TtBound::Lower => entry.score >= beta,
                TtBound::Upper => entry.score <= alpha,
                TtBound::None => false,
            };
            if cuts && beta - alpha == 1 && entry.tt_depth >= depth {
                return entry.score;
            }
        }
        if tt_entry.is_none()
            && let Some(win) = self.forced(Effort::Leaf)
        {
            let score = win_in(ply + win.plies as usize);
            self.store_tt(ply, (NO_MOVE, score, NO_EVAL), depth, TtBound::Lower);
            return score;
        }
        let kind = self.eval.qsearch_kind(self.positions.current(), qs_ply);
        let all_moves = matches!(kind, QsearchKind::Urgent | QsearchKind::Threat);
        if tt_entry.is_none()
            && matches!(kind, QsearchKind::Quiet | QsearchKind::Threat)
            && beta - alpha == 1
            && self.eval_noise.is_none()
            && let Some([lower, upper]) = self.eval.lazy_eval(self.positions.current())
        {
            if kind == QsearchKind::Quiet && lower >= beta {
                return lower;
            }
            if upper <= alpha {
                return upper;
            }
        }
        let static_eval = match tt_entry {
            _ if all_moves => NO_EVAL,
            Some(entry) if entry.static_eval != NO_EVAL => entry.static_eval,
            _ => self.evaluate(),
        };
        if kind == QsearchKind::Quiet || (kind == QsearchKind::Tactical && static_eval >= beta) {
            if uses_tt && tt_entry.is_none() {
                let bound = if kind == QsearchKind::Quiet { TtBound::Exact } else { TtBound::Lower };
                self.store_tt(ply, (NO_MOVE, static_eval, static_eval), depth, bound);
            }
            return static_eval;
        }
        let moves_start = self.moves.len();
        if all_moves {
            self.eval.candidates(self.positions.current(), &mut self.moves);
        } else {
            self.eval.tactical_moves(self.positions.current(), qs_ply, &mut self.moves);
        }
        keep_choices(self.positions.current(), &mut self.moves, moves_start);
        self.moves.truncate(moves_start + MAX_MOVES);
        let tt_move = if all_moves { tt_entry.map_or(NO_MOVE, |entry| entry.tt_move) } else { NO_MOVE };
        let (best_score, best_move) = if all_moves && self.moves.len() == moves_start {
            (self.no_moves_score(ply), NO_MOVE)
        } else {
            self.rank_qsearch_moves(moves_start, ply, tt_move);
            self.search_qsearch_moves((alpha, beta), moves_start, ply, qs_ply, static_eval)
        };
        self.moves.truncate(moves_start);
        self.ranks.truncate(moves_start);
        if self.halt.stopped {
            return DRAW;
        }
        if !uses_tt {
            return best_score;
        }
        let bound = if best_score >= beta {
            TtBound::Lower
        } else if best_score > alpha && beta - alpha > 1 {
            TtBound::Exact
        } else {
            TtBound::Upper
        };
        self.store_tt(
            ply,
            (if all_moves { best_move } else { NO_MOVE }, best_score, static_eval),
            depth,
            bound,
        );
        best_score
    }

    fn rank_qsearch_moves(&mut self, moves_start: usize, ply: usize, tt_move: u16) {
        let continuation = self.continuation(ply);
        let Searcher { positions, eval, history, moves, ranks, .. } = self;
        let (pos, quiet_scores) = (positions.current(), history.quiet_scores(continuation));
        // Where ProbCut lists moves it leaves no ranks.
        ranks.resize(moves_start, 0);
        for (move_index, &m) in moves[moves_start..].iter().enumerate() {
            let score = if move_index == usize::from(tt_move) {
                order::TT_MOVE_SCORE
            } else if eval.is_tactical(pos, m) {
                order::qsearch_score(eval.see(pos, m))
            } else {
                quiet_scores.quiet(eval.history_index(pos, m))
            };
            ranks.push(rank(score, move_index));
        }
    }

    /// Searches the ranked moves and returns the best score and the index of its move. `static_eval` is the score of
    /// standing pat, [`NO_EVAL`] where the side may not.
    fn search_qsearch_moves(
        &mut self,
        (mut alpha, beta): (Score, Score),
        moves_start: usize,
        ply: usize,
        qs_ply: usize,
        static_eval: Score,
    ) -> (Score, u16) {
        let can_stand_pat = static_eval != NO_EVAL;
        let mut best_score = if can_stand_pat { static_eval } else { -INFINITE };
        let mut best_move = NO_MOVE;
        alpha = alpha.max(best_score);
        let turn = self.positions.current().turn();
        let pv_node = beta - alpha > 1;
        for i in 0..self.moves.len() - moves_start {
            let ranked = select_best(&mut self.ranks[moves_start..], i);
            let move_index = move_index(ranked);
            let m = self.moves[moves_start + move_index];
            if can_stand_pat && self.policy().see_pruning {
                // What follows wins no more.
                let see = order::qsearch_see(order::score(ranked)).unwrap_or(0);
                if see < 0 {
                    break;
                }
                if static_eval + see + DELTA_MARGIN <= alpha {
                    best_score = best_score.max(static_eval + see + DELTA_MARGIN);
                    break;
                }
            }
            let history_index = self.eval.history_index(self.positions.current(), m);
            // Beyond the horizon outcomes are evaluated, and not searched on.
            let score = match self.search_chance(m, history_index, -1, ply) {
                Some(score) => score,
                None => {
                    self.play(m, ply, history_index);
                    if pv_node {
                        self.frame(ply + 1).pv.clear();
                    }
                    if self.policy().qsearch_tt {
                        self.tt.prefetch(self.positions.key());
                    }
                    let score = if self.positions.current().turn() == turn {
                        self.qsearch(alpha, beta, ply + 1, qs_ply + 1)
                    } else {
                        -self.qsearch(-beta, -alpha, ply + 1, qs_ply + 1)
                    };
                    self.undo();
                    score
                }
            };
            if self.halt.stopped {
                return (DRAW, NO_MOVE);
            }
            if score > best_score {
                best_score = score;
                if score > alpha {
                    best_move = move_index as u16;
                    if pv_node {
                        self.update_pv(m, ply);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
        }
        (best_score, best_move)
    }
}
