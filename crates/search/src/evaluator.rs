//! The description of a game that the search needs beyond its rules.

use std::time::Instant;

use kernel::{Outcome, Position};

use crate::score::Score;

/// The part of the search that belongs to one game. A new game needs [`score`](Evaluator::score) and
/// [`policy`](Evaluator::policy); each further method makes it stronger or faster.
///
/// The search tells an evaluator of every step it takes: [`reset`](Evaluator::reset) at the root, then
/// [`played`](Evaluator::played) and [`undone`](Evaluator::undone) in pairs, so that sums can be kept in step. Each
/// thread has its own clone. A null move ([`null_move`](Evaluator::null_move)) is not told: it moves nothing. Every
/// answer must depend on the position alone (and the sums kept for it), or the search is not reproducible.
pub trait Evaluator<P: Position>: Clone + Send {
    /// Returns the static evaluation of the position for the side to move, in hundredths of a man; within
    /// ±[`MAX_EVAL`](crate::score::MAX_EVAL). Asked only where the game goes on.
    fn score(&mut self, pos: &P) -> Score;

    /// The value of [`policy`](Evaluator::policy), where it is always the same: the search is compiled for it. Law:
    /// only the [history size](Policy::history_size) may differ from it.
    const POLICY: Option<&'static Policy> = None;

    /// Lazy evaluation: returns a lower and an upper bound of the score, estimated cheaply: it costs much less than the
    /// score and is seldom wrong. Asked at the horizon where a bound is enough and nothing urgent is left to do.
    #[inline]
    fn lazy_eval(&mut self, _pos: &P) -> Option<[Score; 2]> {
        None
    }

    /// Returns the search techniques that are sound in this game, and their parameters.
    fn policy(&self) -> &Policy;

    /// Starts a search at `pos`: forgets the last one and computes all sums from scratch.
    fn reset(&mut self, _pos: &P) {}

    /// Updates the sums after `m` has led from `before` to `after`.
    fn played(&mut self, _before: &P, _m: P::Move, _after: &P) {}

    /// Takes the last [`played`](Evaluator::played) back.
    fn undone(&mut self) {}

    /// Appends the moves worth searching, in an order that is always the same: the transposition table remembers a move
    /// by its index in this list. Law: none only where the game is over. Gomoku looks only near stones and answers
    /// threats.
    fn candidates(&mut self, pos: &P, out: &mut Vec<P::Move>) {
        pos.moves(out);
    }

    /// Returns the outcome if the position itself ends the game, as far as that is cheap to see: it is asked at every
    /// node. An end that this overlooks is found when no move is listed.
    fn ended(&mut self, pos: &P) -> Option<Outcome> {
        pos.outcome()
    }

    /// Returns the result of the game with best play by both sides, where the endgame tables (tablebase) have it. Asked
    /// at every node below the root.
    #[inline]
    fn probe_tablebase(&mut self, _pos: &P) -> Option<TablebaseResult> {
        None
    }

    /// Returns the transposition table's key of a position, shared by positions with equal values: the position's own
    /// `key`, unless a counter is about to matter.
    #[inline]
    fn tt_key(&self, _pos: &P, key: u64) -> u64 {
        key
    }

    /// Returns the number of plies to look back for a repetition. Where the rules are silent about repetition, a
    /// repeated position counts as a draw, for nothing was gained.
    fn repetition_plies(&self, pos: &P) -> usize {
        pos.reversible()
    }

    /// Returns true if `m` changes much at once, as captures do: such moves are ordered by [`see`](Evaluator::see),
    /// have a history of their own, and are searched beyond the horizon.
    fn is_tactical(&self, _pos: &P, _m: P::Move) -> bool {
        false
    }

    /// Static exchange evaluation (SEE): returns the gain of a tactical move in hundredths, as far as can be seen
    /// without playing it; in a game without exchanges, the value of what is taken. Negative: the move loses something.
    fn see(&mut self, _pos: &P, _m: P::Move) -> Score {
        0
    }

    /// Returns a hint for the order of quiet moves, from -8000 to 8000, which is added to their history scores.
    fn hint(&mut self, _pos: &P, _m: P::Move) -> i32 {
        0
    }

    /// Returns true if the static evaluation can be trusted here: no threat waits for an answer. Where it is false, no
    /// move is pruned by it.
    fn is_settled(&mut self, _pos: &P) -> bool {
        true
    }

    /// SEE of a quiet move: returns its gain or loss by exchanges on the square it goes to.
    fn see_quiet(&mut self, _pos: &P, _m: P::Move) -> Score {
        0
    }

    /// Returns the index of `m` in the history tables, by the moving piece and its target, below
    /// [`Policy::history_size`].
    fn history_index(&self, _pos: &P, _m: P::Move) -> usize {
        0
    }

    /// Returns true if the side to move has little choice: it is in check, must capture, or must answer a four. Such
    /// positions are not judged by their evaluation: they are searched a ply deeper where [`Policy::check_extensions`]
    /// says so, and nothing is pruned at them.
    fn is_urgent(&mut self, _pos: &P) -> bool {
        false
    }

    /// Returns true if a quiet move gives check, or makes the position urgent for the other side in another way. Asked
    /// only where [`Policy::exempt_checks`] is set and the move is about to be pruned.
    fn gives_check(&mut self, _pos: &P, _m: P::Move) -> bool {
        false
    }

    /// Returns the kind of quiescence search that the position needs, `qs_ply` plies beyond the horizon.
    fn qsearch_kind(&mut self, _pos: &P, _qs_ply: usize) -> QsearchKind {
        QsearchKind::Quiet
    }

    /// Appends the moves of a [tactical](QsearchKind::Tactical) quiescence search, `qs_ply` plies beyond the horizon:
    /// all of them [tactical](Evaluator::is_tactical).
    fn tactical_moves(&mut self, pos: &P, _qs_ply: usize, out: &mut Vec<P::Move>) {
        let first = out.len();
        self.candidates(pos, out);
        let mut kept = first;
        for i in first..out.len() {
            if self.is_tactical(pos, out[i]) {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Returns the position with the turn passed, for the null move; `None` where passing would tell nothing, as with
    /// few pieces left. Asked only when [`Policy::null_move`] is set.
    fn null_move(&mut self, _pos: &P) -> Option<P> {
        None
    }

    /// Returns a win of the side to move found without the tree, as by threat search.
    fn forced(&mut self, _pos: &P, _effort: Effort) -> Option<Forced<P::Move>> {
        None
    }

    /// Returns the number of positions that [`forced`](Evaluator::forced) has searched since the last call; they count
    /// like those of the tree, towards [`SearchLimits::nodes`](crate::SearchLimits::nodes) too.
    fn solver_nodes(&mut self) -> u64 {
        0
    }
}

/// The result of a position with the best play of both sides, from the endgame tables (tablebase).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablebaseResult {
    /// The side to move wins in this number of plies.
    Win(u32),
    /// The side to move loses in this number of plies.
    Loss(u32),
    /// Neither side can win.
    Draw,
}

/// The kinds of quiescence search (qsearch).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QsearchKind {
    /// The position is quiet: its score is its evaluation.
    Quiet,
    /// The side may stand pat, or try the tactical moves.
    Tactical,
    /// The other side threatens something: every move is tried, unless the
    /// [lazy evaluation](Evaluator::lazy_eval) is below alpha.
    Threat,
    /// The side to move must answer a threat: every move is tried.
    Urgent,
}

/// The effort to spend on the search for a forced win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// One search, before the main one begins, with a limited number of positions.
    Root {
        /// Positions to look at, at most.
        nodes: u64,
        /// The moment at which it gives up, if any: positions take as long as they take.
        until: Option<Instant>,
    },
    /// A search at a node of the tree, by its remaining depth.
    Node {
        /// Plies to go, from 1.
        depth: i32,
    },
    /// A quick search at the horizon.
    Leaf,
}

/// A proved win, found by the game's own solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forced<M> {
    /// The first move of it.
    pub first: M,
    /// Plies to the end, this one included, against the longest defence.
    pub plies: u32,
}

/// The search techniques that are sound in a game, and their parameters. [`PLAIN`](Policy::PLAIN) is alpha-beta with a
/// transposition table and killers.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    /// The number of values of [`Evaluator::history_index`]; 1 to 8192.
    pub history_size: usize,
    /// Null-move pruning: if passing leaves the side above beta, so does its best move. Unsound where having to move is
    /// a burden (zugzwang).
    pub null_move: bool,
    /// Late move reductions (LMR): late moves are searched less deep. The first move, counted from 0, to which that
    /// happens; `None`: never.
    pub lmr_first_move: Option<usize>,
    /// LMR: the depth from which on late moves are reduced.
    pub lmr_min_depth: i32,
    /// LMR: the base and the divisor of the reduction, in plies: base + ln(depth) · ln(move number) / divisor. Tactical
    /// moves, [priority hints](Policy::priority_hint) and positions that are not [settled](Evaluator::is_settled) get
    /// half of it.
    pub lmr_base_divisor: (f64, f64),
    /// LMR: the maximal reduction, in plies.
    pub lmr_max: i32,
    /// LMR: the history score that lowers the reduction by one ply, or, where it is negative, raises it.
    pub lmr_history_divisor: i32,
    /// LMR: true if the reduction is a ply less at improving nodes, where the static evaluation got better since the
    /// side's last move.
    pub lmr_improving: bool,
    /// Killer moves: quiet moves that caused a beta cutoff at the same ply come before other quiet ones.
    pub killers: bool,
    /// Internal iterative reduction (IIR): a node without a move in the transposition table is searched a ply less
    /// deep: it will come again with one.
    pub iir: bool,
    /// Futility pruning: the margin in hundredths for each ply of depth. Reverse: a node whose evaluation is above beta
    /// by it is cut. In the move loop: a quiet move is pruned where the evaluation is below alpha by it. `None`: never.
    pub futility_margin: Option<Score>,
    /// The depth up to which futility pruning is done.
    pub futility_max_depth: i32,
    /// Late move pruning (LMP) and history pruning: late quiet moves, and those with a bad history, are skipped near
    /// the horizon.
    pub lmp: bool,
    /// LMP: the number of quiet moves searched before the others are skipped: the first number, and the second in
    /// sixteenths of the depth's square; half of it at nodes that are not improving.
    pub lmp_count: (i32, i32),
    /// True if quiet moves are pruned (LMP, history and futility pruning) at PV nodes, too.
    pub prune_in_pv: bool,
    /// Razoring: the margin in hundredths for each ply of depth; a position that is below alpha by it is handed to
    /// the quiescence search. `None`: never.
    pub razoring_margin: Option<Score>,
    /// SEE pruning: moves that lose material by static exchange evaluation ([`Evaluator::see`],
    /// [`Evaluator::see_quiet`]) are skipped near the horizon and, with delta pruning, in the quiescence search.
    pub see_pruning: bool,
    /// ProbCut: a shallow search that is far above beta cuts.
    pub probcut: Option<ProbCut>,
    /// Singular extensions: the move of the transposition table is searched deeper if it is much better than all
    /// others.
    pub singular_extensions: bool,
    /// Check extensions: urgent positions are searched a ply deeper; otherwise only those with a single move are.
    pub check_extensions: bool,
    /// True if the quiescence search uses the transposition table. Not worth it where an evaluation costs less than a
    /// memory access.
    pub qsearch_tt: bool,
    /// True if table entries of positions after moves are prefetched before the moves are played. Worth it where
    /// [`key_after`](Position::key_after) is cheap.
    pub tt_prefetch: bool,
    /// True if moves that [give check](Evaluator::gives_check) are exempt from late move, history and futility pruning.
    pub exempt_checks: bool,
    /// The weight of a [hint](Evaluator::hint), in sixteenths, when it is added to the history score for pruning and
    /// LMR.
    pub hint_weight: i32,
    /// Moves with such a hint or a higher one come before other quiet moves, are exempt from late move, history and
    /// futility pruning, and are reduced by half.
    pub priority_hint: i32,
    /// Contempt for repetition: the cost in hundredths, for the side that moves at the root, of coming back to a
    /// position where the rules let the game go on. An engine paired with a weaker player should try something else.
    pub repetition_contempt: Score,
    /// Aspiration windows: half the width of the window around the score of the depth before, in hundredths.
    pub aspiration_window: Score,
    /// The deepest the search goes, in plies, whatever the limits.
    pub max_depth: i32,
    /// The number of nodes between two checks of the clock and of the stop flag: few where a move takes long to play.
    pub poll_interval: u64,
}

impl Policy {
    /// The policy without pruning and reductions.
    pub const PLAIN: Policy = Policy {
        history_size: 1,
        null_move: false,
        lmr_first_move: None,
        lmr_min_depth: 3,
        lmr_base_divisor: (0.6, 2.2),
        lmr_max: 0,
        lmr_history_divisor: 8192,
        lmr_improving: true,
        killers: true,
        iir: false,
        futility_margin: None,
        futility_max_depth: 8,
        lmp: false,
        lmp_count: (3, 16),
        prune_in_pv: false,
        razoring_margin: None,
        see_pruning: false,
        probcut: None,
        singular_extensions: false,
        check_extensions: false,
        qsearch_tt: true,
        tt_prefetch: false,
        exempt_checks: false,
        hint_weight: 0,
        priority_hint: i32::MAX,
        repetition_contempt: 0,
        aspiration_window: 25,
        max_depth: 100,
        poll_interval: 256,
    };

    /// Returns true if any technique needs the static evaluation of positions above the horizon. Where none does they
    /// are not evaluated.
    pub(crate) const fn needs_static_eval(&self) -> bool {
        self.razoring_margin.is_some()
            || self.futility_margin.is_some()
            || self.null_move
            || self.lmp
            || (self.lmr_first_move.is_some() && self.lmr_improving)
    }
}

/// The parameters of ProbCut: a shallow search that comes out far above beta spares the deep one (Buro 1995).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbCut {
    /// The minimal depth at which it is tried.
    pub min_depth: i32,
    /// The depth of the shallow search, in hundredths of the node's depth.
    pub depth_percent: i32,
    /// The fixed part of the margin above beta that the shallow search must reach.
    pub margin: Score,
    /// The part of that margin for each ply of depth.
    pub margin_per_ply: Score,
    /// True if only tactical moves that win a man or more by SEE are searched; otherwise the position itself is.
    pub captures_only: bool,
}
