//! Pruning before the moves of a node are tried, and singular extensions.

use kernel::Position;

use crate::evaluator::Evaluator;
use crate::order::NOTHING;
use crate::score::{BY_RULE, Score};
use crate::transposition::{Bound, Entry, NO_MOVE};
use crate::tree::{BEFORE, Node, Searcher};

impl<P: Position, E: Evaluator<P>> Searcher<'_, P, E> {
    /// Tries to leave a node before its moves are tried: razoring, reverse futility pruning, null move, ProbCut. Not
    /// in the principal variation, and not where something must be answered.
    pub(crate) fn shortcut(&mut self, node: &Node, eval: Score) -> Option<Score> {
        let &Node { alpha, beta, depth, ply, cut, improving, .. } = node;
        if let Some(margin) = self.policy().razor
            && depth <= 3
            && eval + margin * depth <= alpha
        {
            let score = self.qsearch(alpha, beta, ply, 0);
            if score <= alpha || self.halt.halted {
                return Some(score);
            }
        }
        if let Some(margin) = self.policy().futility {
            let depth_left = depth - i32::from(improving);
            if depth <= self.policy().futility_depth && eval - margin * depth_left >= beta {
                return Some((eval + beta) / 2);
            }
        }
        if self.policy().null_move
            && self.passes
            && depth >= 3
            && eval >= beta
            && self.line.has_past()
            && let Some(score) = self.null(beta, depth, ply, eval, cut)
        {
            return Some(score);
        }
        let probcut = self.policy().probcut?;
        if depth < probcut.least_depth || self.halt.halted {
            return None;
        }
        let above = beta + probcut.margin + probcut.margin_a_ply * depth;
        let shallow = (depth * probcut.depth_percent / 100).min(depth - 1);
        if above >= BY_RULE {
            return None;
        }
        if probcut.by_captures {
            return self.probcut_by_captures(above, shallow, ply, cut);
        }
        let score = self.node(above - 1, above, shallow, ply, cut);
        (score >= above && !self.halt.halted).then_some(beta)
    }

    /// Null-move pruning: searches the position with the turn passed, less deep. If passing leaves the side above
    /// beta, so does its best move. Returns the score, or `None` when it does not cut.
    fn null(&mut self, beta: Score, depth: i32, ply: usize, eval: Score, cut: bool) -> Option<Score> {
        if self.frames[ply + BEFORE - 1].slot == NOTHING && ply > 0 {
            return None;
        }
        let next = self.eval.pass(self.line.now())?;
        let less = 3 + depth / 3 + ((eval - beta) / 200).min(3);
        self.frame(ply).slot = NOTHING;
        self.line.pass(next);
        let score = -self.node(-beta, -beta + 1, depth - less, ply + 1, !cut);
        self.line.undo();
        if self.halt.halted || score < beta {
            return None;
        }
        let score = if score >= BY_RULE { beta } else { score };
        if depth < 12 {
            return Some(score);
        }
        // Deep down it is verified without passing.
        let passes = std::mem::replace(&mut self.passes, false);
        let verified = self.node(beta - 1, beta, depth - less, ply, false);
        self.passes = passes;
        (verified >= beta).then_some(score)
    }

    /// ProbCut by captures: a capture that comes out far above beta in a shallow search would do so in a deep one.
    fn probcut_by_captures(&mut self, above: Score, shallow: i32, ply: usize, cut: bool) -> Option<Score> {
        let base = self.moves.len();
        let turn = self.line.now().turn();
        self.eval.noise(self.line.now(), 0, &mut self.moves);
        let mut answer = None;
        for i in base..self.moves.len() {
            let m = self.moves[i];
            let pos = self.line.now();
            if self.eval.gain(pos, m) < 100 {
                continue;
            }
            let slot = self.eval.slot(pos, m);
            self.play(m, ply, slot);
            let same = self.line.now().turn() == turn;
            let sign = |score: Score| if same { score } else { -score };
            let (low, high) = if same { (above - 1, above) } else { (-above, -above + 1) };
            self.ranks.resize(self.moves.len(), 0);
            let mut score = sign(self.qsearch(low, high, ply + 1, 0));
            if score >= above && !self.halt.halted {
                score = sign(self.node(low, high, shallow, ply + 1, !cut));
            }
            self.undo();
            if self.halt.halted {
                break;
            }
            if score >= above {
                answer = Some(score - (above - above.min(score)));
                break;
            }
        }
        self.moves.truncate(base);
        self.ranks.truncate(base);
        answer
    }

    /// Singular search: tests whether the table's move is the only good one, that is, whether all others are clearly
    /// below its score.
    pub(crate) fn stands_out(&mut self, node: &Node, known: Option<Entry>) -> Option<Alone> {
        let entry = known?;
        let depth = node.depth;
        let promises = matches!(entry.bound, Bound::Lower | Bound::Exact) && entry.depth >= depth - 3;
        let sensible = entry.score.abs() < BY_RULE && node.ply < 2 * self.depth as usize;
        if depth < 7 || !promises || !sensible || node.excluded != NO_MOVE {
            return None;
        }
        let below = entry.score - 2 * depth;
        self.frame(node.ply).excluded = entry.best;
        let slot = self.frame(node.ply).slot;
        let score = self.node(below - 1, below, (depth - 1) / 2, node.ply, node.cut);
        let frame = self.frame(node.ply);
        (frame.excluded, frame.slot) = (NO_MOVE, slot);
        if self.halt.halted {
            return None;
        }
        if score < below {
            let by_far = !node.pv && score < below - 30 && node.ply < self.depth as usize;
            Some(Alone::Extend(if by_far { 2 } else { 1 }))
        } else if below >= node.beta {
            Some(Alone::Cut(below))
        } else if entry.score >= node.beta {
            Some(Alone::Extend(-1))
        } else {
            None
        }
    }
}

/// The result of a singular search, which compared the table's move with all others.
pub(crate) enum Alone {
    /// The move is searched deeper by this number of plies.
    Extend(i32),
    /// Other moves are above beta, too: the node is cut with this score.
    Cut(Score),
}
