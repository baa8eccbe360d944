//! Alpha-beta: principal variation search (PVS), with the techniques that a game's policy calls sound.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kernel::{Game, Outcome, Position, Side};

use crate::chance::keep_choices;
use crate::evaluator::{Effort, Evaluator, Forced, Policy, TablebaseResult};
use crate::limits::{Deadline, Noise, Stop};
use crate::order::{self, History, NO_HISTORY_INDEX, Rank, rank};
use crate::position_stack::PositionStack;
use crate::score::{BY_RULE, DRAW, INFINITE, MAX_EVAL, MAX_PLY, PROVED, Score, win_in};
use crate::transposition::{NO_EVAL, NO_MOVE, TranspositionTable, TtBound, TtEntry};

/// One thread's search.
pub(crate) struct Searcher<'a, P: Position, E> {
    pub(crate) positions: PositionStack<P>,
    pub(crate) eval: E,
    /// True while null moves may be tried, where the policy allows them.
    pub(crate) null_move_allowed: bool,
    pub(crate) tt: &'a TranspositionTable,
    pub(crate) history: History,
    pub(crate) frames: Vec<Frame<P::Move>>,
    /// The moves of all nodes from the root to here, one list after the other; and their ranks.
    pub(crate) moves: Vec<P::Move>,
    pub(crate) ranks: Vec<Rank>,
    /// Positions searched, with those of the game's own solver.
    pub(crate) nodes: u64,
    /// The number of nodes left until the clock is looked at.
    nodes_until_poll: u64,
    /// The number of nodes, of a helper thread, already added to [`Halt::helper_nodes`].
    counted_nodes: u64,
    /// The selective depth: the furthest ply of this iteration.
    pub(crate) seldepth: usize,
    pub(crate) halt: Halt<'a>,
    pub(crate) eval_noise: Option<Noise>,
    /// Indices of root moves that are not searched: not requested, or already first in other lines (MultiPV).
    pub(crate) excluded_root_moves: Vec<u16>,
    /// Root moves searched besides the candidates: they were requested, or MultiPV asks for more lines than there are
    /// candidates.
    pub(crate) extra_root_moves: Vec<P::Move>,
    /// The side to move at the root.
    root_turn: Side,
    /// True if the rules declared the game drawn before the root, yet it goes on: their counts are ignored from then
    /// on.
    drawn_before_root: bool,
    /// The depth of the current iteration.
    pub(crate) root_depth: i32,
    /// The best score at the root in the current search of it.
    pub(crate) root_best_score: Score,
    pub(crate) lmr_table: LmrTable,
}

/// The state of one ply of the current line (search stack).
#[derive(Clone)]
pub(crate) struct Frame<M> {
    static_eval: Score,
    /// The history index of the move played here; [`NO_HISTORY_INDEX`] for a null move.
    pub(crate) history_index: usize,
    /// The index of the move that a singular search leaves out; [`NO_MOVE`] otherwise.
    pub(crate) excluded_move: u16,
    pub(crate) killers: [Option<M>; 2],
    /// The principal variation from here. Only PV nodes write it; the one above empties it.
    pub(crate) pv: Vec<M>,
}

/// The conditions at which the search ends.
pub(crate) struct Halt<'a> {
    pub(crate) deadline: Deadline,
    pub(crate) max_nodes: u64,
    pub(crate) stop: &'a Stop,
    /// Set when the main thread is done.
    pub(crate) main_done: &'a AtomicBool,
    /// Positions searched by the helper threads, as of their last count.
    pub(crate) helper_nodes: &'a AtomicU64,
    pub(crate) is_helper: bool,
    pub(crate) poll_interval: u64,
    pub(crate) stopped: bool,
}

/// The maximal number of moves of a node: their indices are kept in 16 bits.
pub(crate) const MAX_MOVES: usize = 60_000;

/// The bonus, in move ordering, of a move whose hint is at least [`Policy::priority_hint`].
const PRIORITY_BONUS: i32 = 1 << 20;

/// The frames before the root, so that every ply has two before it.
pub(crate) const FRAMES_BEFORE_ROOT: usize = 2;

/// The late move reduction, by depth and move number, in 1/16 ply.
pub(crate) type LmrTable = Box<[[i16; 64]; 64]>;

/// Computes the table from [`Policy::lmr_base_divisor`].
fn lmr_table((base, divisor): (f64, f64)) -> LmrTable {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (move_number, reduction) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (move_number as f64).ln();
            *reduction = (16.0 * (base + product / divisor)) as i16;
        }
    }
    table
}

impl<'a, P: Position, E: Evaluator<P>> Searcher<'a, P, E> {
    pub(crate) fn new(
        game: &Game<P>,
        mut eval: E,
        tt: &'a TranspositionTable,
        halt: Halt<'a>,
        eval_noise: Option<Noise>,
    ) -> Self {
        eval.reset(game.position());
        let policy = eval.policy();
        let history_size = policy.history_size;
        debug_assert!(E::POLICY.is_none_or(|named| Policy { history_size, ..named.clone() } == *policy));
        let lmr_table = lmr_table(policy.lmr_base_divisor);
        let frame = Frame {
            static_eval: DRAW,
            history_index: NO_HISTORY_INDEX,
            excluded_move: NO_MOVE,
            killers: [None; 2],
            pv: Vec::new(),
        };
        Searcher {
            positions: PositionStack::new(game),
            eval,
            history: tt.take_history(history_size),
            lmr_table,
            null_move_allowed: true,
            tt,
            frames: vec![frame; MAX_PLY + FRAMES_BEFORE_ROOT + 1],
            moves: Vec::with_capacity(4096),
            ranks: Vec::with_capacity(4096),
            nodes: 0,
            nodes_until_poll: halt.poll_interval,
            counted_nodes: 0,
            seldepth: 0,
            halt,
            eval_noise,
            excluded_root_moves: Vec::new(),
            extra_root_moves: Vec::new(),
            root_turn: game.position().turn(),
            drawn_before_root: game.position().drawn().is_some(),
            root_depth: 0,
            root_best_score: -INFINITE,
        }
    }

    /// Returns the search policy; a constant where the game has [`Evaluator::POLICY`].
    #[inline(always)]
    pub(crate) fn policy(&self) -> &Policy {
        E::POLICY.unwrap_or_else(|| self.eval.policy())
    }

    pub(crate) fn frame(&mut self, ply: usize) -> &mut Frame<P::Move> {
        &mut self.frames[ply + FRAMES_BEFORE_ROOT]
    }

    /// Counts a node; returns true when the search has to stop.
    #[inline]
    pub(crate) fn count_node(&mut self, ply: usize) -> bool {
        let halt = &mut self.halt;
        if halt.stopped {
            return true;
        }
        if self.nodes >= halt.max_nodes {
            halt.stopped = true;
            return true;
        }
        self.nodes += 1;
        self.nodes_until_poll -= 1;
        if self.nodes_until_poll == 0 {
            self.nodes_until_poll = halt.poll_interval;
            halt.stopped = halt.stop.is_raised()
                || halt.main_done.load(Ordering::Relaxed)
                || halt.deadline.is_hard_limit_reached();
            if halt.is_helper {
                halt.helper_nodes.fetch_add(self.nodes - self.counted_nodes, Ordering::Relaxed);
                self.counted_nodes = self.nodes;
            }
        }
        self.seldepth = self.seldepth.max(ply);
        self.halt.stopped
    }

    /// Returns the score if the game is over here, by the position, by a counter, or by repetition; or if the endgame
    /// tables (tablebase) have the result.
    #[inline]
    pub(crate) fn terminal_score(&mut self, ply: usize) -> Option<Score> {
        let pos = self.positions.current();
        if let Some(outcome) = self.eval.ended(pos) {
            return Some(outcome_score(outcome, pos.turn(), win_in(ply)));
        }
        if !self.drawn_before_root && pos.drawn().is_some() {
            // A mate on the last move counts before the count.
            return Some(
                pos.outcome().map_or(DRAW, |outcome| outcome_score(outcome, pos.turn(), win_in(ply))),
            );
        }
        let plies = self.eval.repetition_plies(pos);
        if let Some(verdict) = self.positions.repetition(plies) {
            let pos = self.positions.current();
            let contempt = self.policy().repetition_contempt;
            let silent = if pos.turn() == self.root_turn { -contempt } else { contempt };
            return Some(
                verdict.map_or(silent, |outcome| outcome_score(outcome, pos.turn(), BY_RULE - ply as Score)),
            );
        }
        Some(match self.eval.probe_tablebase(self.positions.current())? {
            TablebaseResult::Win(plies) => win_in(ply + plies as usize),
            TablebaseResult::Loss(plies) => -win_in(ply + plies as usize),
            TablebaseResult::Draw => DRAW,
        })
    }

    /// Returns a win that the game's own solver finds here.
    #[inline]
    pub(crate) fn forced(&mut self, effort: Effort) -> Option<Forced<P::Move>> {
        let win = self.eval.forced(self.positions.current(), effort);
        self.nodes += self.eval.solver_nodes();
        win
    }

    /// Returns the score of a position without moves, such as mate and stalemate.
    pub(crate) fn no_moves_score(&self, ply: usize) -> Score {
        let pos = self.positions.current();
        pos.outcome().map_or(DRAW, |outcome| outcome_score(outcome, pos.turn(), win_in(ply)))
    }

    /// Returns the static evaluation, with the random error of a weaker level.
    pub(crate) fn evaluate(&mut self) -> Score {
        let error = self.eval_noise.map_or(0, |noise| noise.at(self.positions.key()));
        (self.eval.score(self.positions.current()) + error).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Returns the key of the position in the transposition table.
    #[inline]
    pub(crate) fn tt_key(&mut self) -> u64 {
        let key = self.positions.key();
        self.eval.tt_key(self.positions.current(), key)
    }

    #[inline]
    pub(crate) fn play(&mut self, m: P::Move, ply: usize, history_index: usize) {
        self.frame(ply).history_index = history_index;
        self.positions.play(m);
        self.eval.played(self.positions.previous(), m, self.positions.current());
    }

    #[inline]
    pub(crate) fn undo(&mut self) {
        self.positions.undo();
        self.eval.undone();
    }

    /// Returns the history indices of the moves one and two plies before, for the continuation history.
    pub(crate) fn continuation(&self, ply: usize) -> [usize; 2] {
        [
            self.frames[ply + FRAMES_BEFORE_ROOT - 1].history_index,
            self.frames[ply + FRAMES_BEFORE_ROOT - 2].history_index,
        ]
    }

    /// Returns the score of the position after a move, from the view of the side that moved: it is negated only if the
    /// turn changed.
    pub(crate) fn search_child(
        &mut self,
        (alpha, beta): (Score, Score),
        depth: i32,
        ply: usize,
        cut_node: bool,
        same_side: bool,
    ) -> Score {
        if same_side {
            self.search_node(alpha, beta, depth, ply + 1, cut_node)
        } else {
            -self.search_node(-beta, -alpha, depth, ply + 1, cut_node)
        }
    }

    /// Searches the current position, `ply` plies from the root, `depth` plies deep. Returns its score: exact between
    /// `alpha` and `beta`, a bound outside (fail-soft). `cut_node`: a beta cutoff is expected (node type); a node that
    /// is neither a cut node nor, by its window, a PV node is an all node.
    pub(crate) fn search_node(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.qsearch(alpha, beta, ply, 0);
        }
        let pv_node = beta - alpha > 1;
        let excluded_move = self.frame(ply).excluded_move;
        if self.count_node(ply) {
            return DRAW;
        }
        if ply > 0 {
            if let Some(score) = self.terminal_score(ply) {
                return score;
            }
            if ply + 1 >= MAX_PLY {
                return self.evaluate();
            }
            // Mate distance pruning: nothing is better than winning at once, nor worse than having lost.
            alpha = alpha.max(-win_in(ply));
            beta = beta.min(win_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let tt_entry = if excluded_move == NO_MOVE { self.tt.probe(self.tt_key(), ply) } else { None };
        if let Some(entry) = tt_entry {
            let cuts = match entry.bound {
                TtBound::Exact => true,
                TtBound::Lower => entry.score >= beta,
                TtBound::Upper => entry.score <= alpha,
                TtBound::None => false,
            };
            if cuts && !pv_node && entry.tt_depth >= depth {
                return entry.score;
            }
        }
        let tt_move = tt_entry.map_or(NO_MOVE, |entry| entry.tt_move);

        if ply > 0
            && tt_entry.is_none()
            && excluded_move == NO_MOVE
            && let Some(win) = self.forced(Effort::Node { depth })
        {
            let score = win_in(ply + win.plies as usize);
            self.store_tt(ply, (NO_MOVE, score, NO_EVAL), depth, TtBound::Lower);
            return score;
        }

        let urgent = self.eval.is_urgent(self.positions.current());
        let static_eval = match tt_entry {
            _ if urgent => self.frames[ply].static_eval,
            Some(entry) if entry.static_eval != NO_EVAL => entry.static_eval,
            _ if self.policy().needs_static_eval() => self.evaluate(),
            _ => NO_EVAL,
        };
        self.frame(ply).static_eval = static_eval;
        let improving = !urgent && static_eval > self.frames[ply].static_eval;
        // A search of the position, however shallow, knows more than its evaluation.
        let refined_eval = match tt_entry {
            Some(entry) if !urgent && entry.score.abs() < BY_RULE => match entry.bound {
                TtBound::Lower => static_eval.max(entry.score),
                TtBound::Upper => static_eval.min(entry.score),
                TtBound::Exact => entry.score,
                TtBound::None => static_eval,
            },
            _ => static_eval,
        };

        let mut node = Node {
            moves_start: self.moves.len(),
            move_count: 0,
            alpha,
            beta,
            depth,
            ply,
            pv_node,
            cut_node,
            improving,
            urgent,
            settled: urgent || self.eval.is_settled(self.positions.current()),
            excluded_move,
        };
        if !pv_node && !urgent && node.settled && excluded_move == NO_MOVE && beta.abs() < BY_RULE {
            if let Some(score) = self.prune_node(&node, refined_eval) {
                return score;
            }
            if self.halt.stopped {
                return DRAW;
            }
        }
        if self.policy().iir && tt_move == NO_MOVE && depth >= 4 && excluded_move == NO_MOVE {
            node.depth -= 1;
        }
        let moves_start = node.moves_start;
        self.generate_moves(ply);
        node.move_count = self.moves.len() - moves_start;
        let may_extend = ply > 0 && ply < 2 * self.root_depth as usize;
        if may_extend && if self.policy().check_extensions { urgent } else { node.move_count == 1 } {
            node.depth += 1;
        }
        let score = if node.move_count == 0 {
            self.no_moves_score(ply)
        } else {
            self.search_moves(&node, tt_entry, static_eval)
        };
        self.moves.truncate(moves_start);
        self.ranks.truncate(moves_start);
        score
    }

    /// Appends the moves of the current position to those of the nodes above; they have no ranks yet.
    fn generate_moves(&mut self, ply: usize) {
        let moves_start = self.moves.len();
        self.eval.candidates(self.positions.current(), &mut self.moves);
        keep_choices(self.positions.current(), &mut self.moves, moves_start);
        if ply == 0 {
            self.moves.extend_from_slice(&self.extra_root_moves);
        }
        self.moves.truncate(moves_start + MAX_MOVES);
        self.ranks.resize(self.moves.len(), 0);
    }

    /// Ranks the moves of a node for move ordering; returns true if any is tactical.
    pub(crate) fn rank_moves(&mut self, node: &Node, tt_move: u16) -> bool {
        let continuation = self.continuation(node.ply);
        let priority_hint = self.policy().priority_hint;
        let Searcher { positions, eval, history, moves, ranks, .. } = self;
        let (pos, quiet_scores) = (positions.current(), history.quiet_scores(continuation));
        let killers = &self.frames[node.ply + FRAMES_BEFORE_ROOT].killers;
        let mut has_tactical = false;
        let listed = moves[node.moves_start..].iter().zip(&mut ranks[node.moves_start..]);
        for (move_index, (&m, ranked)) in listed.take(node.move_count).enumerate() {
            let is_tactical = eval.is_tactical(pos, m);
            has_tactical |= is_tactical;
            let score = if move_index == usize::from(tt_move) {
                order::TT_MOVE_SCORE
            } else if is_tactical {
                let see = eval.see(pos, m);
                let history_score = history.tactical(eval.history_index(pos, m)) / 32;
                order::tactical_score(see, history_score)
            } else if killers.contains(&Some(m)) {
                order::KILLER_SCORE
            } else {
                let hint = eval.hint(pos, m);
                let priority_bonus = if hint >= priority_hint { PRIORITY_BONUS } else { 0 };
                quiet_scores.quiet(eval.history_index(pos, m)) + hint + priority_bonus
            };
            *ranked = rank(score, move_index);
        }
        has_tactical
    }

    /// Stores the result of the current position in the transposition table.
    pub(crate) fn store_tt(
        &mut self,
        ply: usize,
        (tt_move, score, static_eval): (u16, Score, Score),
        depth: i32,
        bound: TtBound,
    ) {
        let key = self.tt_key();
        self.tt.store(key, ply, TtEntry { tt_move, score, static_eval, tt_depth: depth, bound });
    }

    /// Updates the principal variation at `ply`: the move and the line that follows it.
    pub(crate) fn update_pv(&mut self, m: P::Move, ply: usize) {
        let (above, below) = self.frames.split_at_mut(ply + FRAMES_BEFORE_ROOT + 1);
        let pv = &mut above[ply + FRAMES_BEFORE_ROOT].pv;
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(&below[0].pv);
    }
}

/// A node whose moves are searched; a PV node, a cut node, or else an all node.
pub(crate) struct Node {
    pub(crate) moves_start: usize,
    pub(crate) move_count: usize,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    pub(crate) pv_node: bool,
    pub(crate) cut_node: bool,
    pub(crate) improving: bool,
    pub(crate) urgent: bool,
    pub(crate) settled: bool,
    pub(crate) excluded_move: u16,
}

/// Returns the score of an outcome for `turn`, when a win is worth `win`.
fn outcome_score(outcome: Outcome, turn: Side, win: Score) -> Score {
    match outcome.winner() {
        Some(side) if side == turn => win,
        Some(_) => -win,
        None => DRAW,
    }
}

const _: () = assert!(PROVED > BY_RULE && BY_RULE > MAX_EVAL);
