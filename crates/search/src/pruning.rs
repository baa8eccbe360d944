//! Pruning before the moves of a node are searched, and singular extensions.

use kernel::Position;

use crate::evaluator::Evaluator;
use crate::order::NO_HISTORY_INDEX;
use crate::score::{BY_RULE, Score};
use crate::transposition::{NO_MOVE, TtBound, TtEntry};
use crate::tree::{FRAMES_BEFORE_ROOT, Node, Searcher};

impl<P: Position, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Prunes a node before its moves are searched: razoring, reverse futility pruning, null move, ProbCut. Called
    /// neither at PV nodes nor at urgent ones. `refined_eval` is the static evaluation, or a bound of the table that is
    /// better. Returns the score, or `None` when nothing prunes.
    pub(crate) fn prune_node(&mut self, node: &Node, refined_eval: Score) -> Option<Score> {
        let &Node { alpha, beta, depth, ply, cut_node, improving, .. } = node;
        if let Some(margin) = self.policy().razoring_margin
            && depth <= 3
            && refined_eval + margin * depth <= alpha
        {
            let score = self.qsearch(alpha, beta, ply, 0);
            if score <= alpha || self.halt.stopped {
                return Some(score);
            }
        }
        if let Some(margin) = self.policy().futility_margin {
            let depth_left = depth - i32::from(improving);
            if depth <= self.policy().futility_max_depth && refined_eval - margin * depth_left >= beta {
                return Some((refined_eval + beta) / 2);
            }
        }
        if self.policy().null_move
            && self.null_move_allowed
            && depth >= 3
            && refined_eval >= beta
            && self.positions.has_previous()
            && let Some(score) = self.null_move_pruning(beta, depth, ply, refined_eval, cut_node)
        {
            return Some(score);
        }
        let probcut = self.policy().probcut?;
        if depth < probcut.min_depth || self.halt.stopped {
            return None;
        }
        let probcut_beta = beta + probcut.margin + probcut.margin_per_ply * depth;
        let probcut_depth = (depth * probcut.depth_percent / 100).min(depth - 1);
        if probcut_beta >= BY_RULE {
            return None;
        }
        if probcut.captures_only {
            return self.probcut_by_captures(probcut_beta, probcut_depth, ply, cut_node);
        }
        let score = self.search_node(probcut_beta - 1, probcut_beta, probcut_depth, ply, cut_node);
        (score >= probcut_beta && !self.halt.stopped).then_some(beta)
    }

    /// Null-move pruning: searches the position with the turn passed, to a reduced depth. If passing leaves the side
    /// above beta, so does its best move. Returns the score, or `None` when it does not cut.
    fn null_move_pruning(
        &mut self,
        beta: Score,
        depth: i32,
        ply: usize,
        refined_eval: Score,
        cut_node: bool,
    ) -> Option<Score> {
        if self.frames[ply + FRAMES_BEFORE_ROOT - 1].history_index == NO_HISTORY_INDEX && ply > 0 {
            return None;
        }
        let next = self.eval.null_move(self.positions.current())?;
        let reduction = 3 + depth / 3 + ((refined_eval - beta) / 200).min(3);
        self.frame(ply).history_index = NO_HISTORY_INDEX;
        self.positions.play_null_move(next);
        let score = -self.search_node(-beta, -beta + 1, depth - reduction, ply + 1, !cut_node);
        self.positions.undo();
        if self.halt.stopped || score < beta {
            return None;
        }
        let score = if score >= BY_RULE { beta } else { score };
        if depth < 12 {
            return Some(score);
        }
        // With much depth left, a search without null moves verifies it.
        let was_allowed = std::mem::replace(&mut self.null_move_allowed, false);
        let verification = self.search_node(beta - 1, beta, depth - reduction, ply, false);
        self.null_move_allowed = was_allowed;
        (verification >= beta).then_some(score)
    }

    /// ProbCut by captures: a capture that comes out far above beta in a shallow search would do so in a deep one.
    fn probcut_by_captures(
        &mut self,
        probcut_beta: Score,
        probcut_depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Option<Score> {
        let moves_start = self.moves.len();
        let turn = self.positions.current().turn();
        self.eval.tactical_moves(self.positions.current(), 0, &mut self.moves);
        if P::MAY_DRAW {
            // A mean of outcomes is no bound.
            let pos = self.positions.current();
            let kept: Vec<P::Move> =
                self.moves.drain(moves_start..).filter(|&m| pos.by_chance(m).is_none()).collect();
            self.moves.extend(kept);
        }
        let mut answer = None;
        for i in moves_start..self.moves.len() {
            let m = self.moves[i];
            let pos = self.positions.current();
            if self.eval.see(pos, m) < 100 {
                continue;
            }
            let history_index = self.eval.history_index(pos, m);
            self.play(m, ply, history_index);
            let same_side = self.positions.current().turn() == turn;
            let sign = |score: Score| if same_side { score } else { -score };
            let (child_alpha, child_beta) =
                if same_side { (probcut_beta - 1, probcut_beta) } else { (-probcut_beta, -probcut_beta + 1) };
            self.ranks.resize(self.moves.len(), 0);
            let mut score = sign(self.qsearch(child_alpha, child_beta, ply + 1, 0));
            if score >= probcut_beta && !self.halt.stopped {
                score = sign(self.search_node(child_alpha, child_beta, probcut_depth, ply + 1, !cut_node));
            }
            self.undo();
            if self.halt.stopped {
                break;
            }
            if score >= probcut_beta {
                answer = Some(score - (probcut_beta - probcut_beta.min(score)));
                break;
            }
        }
        self.moves.truncate(moves_start);
        self.ranks.truncate(moves_start);
        answer
    }

    /// Singular extensions and multi-cut: searches all moves but the table's, to see whether they stay below
    /// `singular_beta`, a margin below the score of the table.
    pub(crate) fn singular_search(
        &mut self,
        node: &Node,
        tt_entry: Option<TtEntry>,
    ) -> Option<SingularResult> {
        let entry = tt_entry?;
        let depth = node.depth;
        let is_deep_lower_bound =
            matches!(entry.bound, TtBound::Lower | TtBound::Exact) && entry.tt_depth >= depth - 3;
        let is_searchable = entry.score.abs() < BY_RULE && node.ply < 2 * self.root_depth as usize;
        if depth < 7 || !is_deep_lower_bound || !is_searchable || node.excluded_move != NO_MOVE {
            return None;
        }
        let singular_beta = entry.score - 2 * depth;
        self.frame(node.ply).excluded_move = entry.tt_move;
        let history_index = self.frame(node.ply).history_index;
        let score =
            self.search_node(singular_beta - 1, singular_beta, (depth - 1) / 2, node.ply, node.cut_node);
        let frame = self.frame(node.ply);
        (frame.excluded_move, frame.history_index) = (NO_MOVE, history_index);
        if self.halt.stopped {
            return None;
        }
        if score < singular_beta {
            let is_double =
                !node.pv_node && score < singular_beta - 30 && node.ply < self.root_depth as usize;
            Some(SingularResult::Extend(if is_double { 2 } else { 1 }))
        } else if singular_beta >= node.beta {
            Some(SingularResult::Cut(singular_beta))
        } else if entry.score >= node.beta {
            Some(SingularResult::Extend(-1))
        } else {
            None
        }
    }
}

/// The result of a singular search, which compared the other moves with the table's.
pub(crate) enum SingularResult {
    /// The table's move is searched deeper by this number of plies: 1 if it is singular, 2 if by far (double
    /// extension), -1 if it is not singular and expected to be above beta all the same (negative extension).
    Extend(i32),
    /// Other moves are above beta, too: the node is cut with this score (multi-cut).
    Cut(Score),
}
