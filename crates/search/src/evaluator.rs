//! The description of a game that the search needs beyond its rules.

use std::time::Instant;

use kernel::{Outcome, Position};

use crate::score::Score;

/// The part of the search that belongs to one game. A new game needs [`score`](Evaluator::score) and
/// [`policy`](Evaluator::policy); each further method makes it stronger or faster.
///
/// The search tells an evaluator of every step it takes: [`reset`](Evaluator::reset) at the root, then
/// [`played`](Evaluator::played) and [`undone`](Evaluator::undone) in pairs, so that sums can be kept in step. Each
/// thread has its own clone. A passed turn ([`pass`](Evaluator::pass)) is not told: it moves nothing. Every answer must depend on the position alone (and the sums kept for it), or the search
/// is not reproducible.
pub trait Evaluator<P: Position>: Clone + Send {
    /// Returns the evaluation of the position for the side to move, in hundredths of a man; within
    /// ±[`MOST`](crate::score::MOST). Asked only where the game goes on.
    fn score(&mut self, pos: &P) -> Score;

    /// The value of [`policy`](Evaluator::policy), where it is always the same: the search is compiled for it. Law:
    /// only the number of [slots](Policy::slots) may differ from it.
    const POLICY: Option<&'static Policy> = None;

    /// Returns a lower and an upper bound of the score, estimated cheaply (lazy evaluation): it costs much less than
    /// the score and is seldom wrong. Asked at the horizon where a bound is enough and nothing urgent is left to do.
    #[inline]
    fn glance(&mut self, _pos: &P) -> Option<[Score; 2]> {
        None
    }

    /// Returns the shortcuts that are sound in this game.
    fn policy(&self) -> &Policy;

    /// Starts a search at `pos`: forgets the last one and computes all sums from scratch.
    fn reset(&mut self, _pos: &P) {}

    /// Updates the sums after `m` has led from `before` to `after`.
    fn played(&mut self, _before: &P, _m: P::Move, _after: &P) {}

    /// Takes the last [`played`](Evaluator::played) back.
    fn undone(&mut self) {}

    /// Appends the moves worth searching, in an order that is always the same: the table of positions remembers a move
    /// by its place in this list. Law: none only where the game is over. Gomoku looks only near stones and answers
    /// threats.
    fn candidates(&mut self, pos: &P, out: &mut Vec<P::Move>) {
        pos.moves(out);
    }

    /// Returns the outcome if the position itself ends the game, as far as that is cheap to see: it is asked at every
    /// node. An end that this overlooks is found when no move is listed.
    fn ended(&mut self, pos: &P) -> Option<Outcome> {
        pos.outcome()
    }

    /// Returns the result of the game with best play by both sides, where an endgame table has it. Asked at every
    /// node below the root.
    #[inline]
    fn known(&mut self, _pos: &P) -> Option<Known> {
        None
    }

    /// Returns the transposition table's key of a position, shared by positions with equal values: the position's own
    /// `key`, unless a counter is about to matter.
    #[inline]
    fn key(&self, _pos: &P, key: u64) -> u64 {
        key
    }

    /// Returns the number of plies to look back for a repetition. Where the rules are silent about repetition, a
    /// repeated position counts as even, for nothing was gained.
    fn looks_back(&self, pos: &P) -> usize {
        pos.reversible()
    }

    /// Returns true if `m` changes much at once, as captures do: such moves are ordered by [`gain`](Evaluator::gain),
    /// kept out of histories, and tried at the horizon.
    fn is_noisy(&self, _pos: &P, _m: P::Move) -> bool {
        false
    }

    /// Returns the gain of a noisy move in hundredths, as far as can be seen without playing it: captures by static
    /// exchange evaluation (SEE). Negative: it loses something.
    fn gain(&mut self, _pos: &P, _m: P::Move) -> Score {
        0
    }

    /// A hint for the order of quiet moves, from -8000 to 8000, added to what histories say.
    fn hint(&mut self, _pos: &P, _m: P::Move) -> i32 {
        0
    }

    /// Returns true if the evaluation can be trusted here: no threat waits for an answer. Where it is false, no move
    /// is skipped on the word of the evaluation.
    fn is_settled(&mut self, _pos: &P) -> bool {
        true
    }

    /// Returns the gain or loss by exchanges on the square a quiet move goes to; moves below zero are searched less
    /// deep.
    fn risk(&mut self, _pos: &P, _m: P::Move) -> Score {
        0
    }

    /// Returns the index of `m` in tables of histories, by the moving piece and its target, below [`Policy::slots`].
    fn slot(&self, _pos: &P, _m: P::Move) -> usize {
        0
    }

    /// Returns true if the side to move has little choice: it is in check, must capture, or must answer a four. Such
    /// positions are not judged by their evaluation: they are searched a ply deeper where [`Policy::extend`] says so,
    /// and no shortcut is taken at them.
    fn is_urgent(&mut self, _pos: &P) -> bool {
        false
    }

    /// Returns true if a quiet move makes the position urgent for the other side, as a check does: such moves are
    /// never skipped, however late they come. Asked only where a move is about to be skipped.
    fn presses(&mut self, _pos: &P, _m: P::Move) -> bool {
        false
    }

    /// Returns the kind of search that is still needed at the horizon, `plies` plies beyond it.
    fn unrest(&mut self, _pos: &P, _plies: usize) -> Unrest {
        Unrest::Settled
    }

    /// Appends the moves tried at the horizon when there is [noise](Unrest::Noise): all of them [noisy](Evaluator::is_noisy).
    fn noise(&mut self, pos: &P, _plies: usize, out: &mut Vec<P::Move>) {
        let first = out.len();
        self.candidates(pos, out);
        let mut kept = first;
        for i in first..out.len() {
            if self.is_noisy(pos, out[i]) {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Returns the position with the turn passed, for the null move; `None` where passing would tell nothing, as with
    /// few pieces left. Asked only when [`Policy::null_move`] is set.
    fn pass(&mut self, _pos: &P) -> Option<P> {
        None
    }

    /// Returns a win of the side to move found without the tree, as by threat search.
    fn forced(&mut self, _pos: &P, _effort: Effort) -> Option<Forced<P::Move>> {
        None
    }

    /// Returns the number of positions that [`forced`](Evaluator::forced) has looked at since the last call; they
    /// count like those of the tree, towards [`SearchLimits::nodes`](crate::SearchLimits::nodes) too.
    fn looked_at(&mut self) -> u64 {
        0
    }
}

/// The result of a position with the best play of both sides, beyond doubt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// The side to move wins in this number of plies.
    Win(u32),
    /// The side to move loses in this number of plies.
    Loss(u32),
    /// Neither side can win.
    Draw,
}

/// The kinds of search that a position at the horizon still needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unrest {
    /// The position is quiet: it is worth its evaluation.
    Settled,
    /// The side may rest, or try the noisy moves.
    Noise,
    /// The other side threatens something: every move is tried, unless a [glance](Evaluator::glance) says that all are too bad.
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

/// The shortcuts that are sound in a game. The default takes none: plain alpha-beta with a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Policy {
    /// The number of values [`Evaluator::slot`] has; 1 to 8192.
    pub slots: usize,
    /// Null-move pruning: if passing leaves the side above beta, so does its best move. Unsound where having to move is a burden.
    pub null_move: bool,
    /// Late move reductions (LMR): late quiet moves are searched less deep. The first one, counted from 0, to which that
    /// happens; `None`: never.
    pub reduce_from: Option<usize>,
    /// The depth from which on late moves are reduced.
    pub reduce_depth: i32,
    /// The reduction of a late move, in plies: the first number for every late move, and the product of the
    /// logarithms of depth and place, divided by the second number.
    pub lateness: (f64, f64),
    /// The most plies a late move is searched less deep.
    pub reduce_most: i32,
    /// The history score that makes a late move be searched one ply deeper, or, if it is against the move, one ply
    /// less deep.
    pub history_a_ply: i32,
    /// A late move is searched a ply deeper where the position got better since the side's last move.
    pub improving_reduces_less: bool,
    /// Killer moves: those that refuted other moves at the same ply come before other quiet ones.
    pub killers: bool,
    /// Internal iterative reduction (IIR): a node of which no best move is known yet is searched a ply less deep: it will come again with one.
    pub reduce_unknown: bool,
    /// Reverse futility pruning: the margin in hundredths for each ply of depth; a position that is above beta by it
    /// is left. `None`: never.
    pub futility: Option<Score>,
    /// The depth up to which reverse futility pruning is done.
    pub futility_depth: i32,
    /// Late move pruning (LMP): late quiet moves are skipped near the horizon.
    pub skip_late: bool,
    /// The number of quiet moves tried before the others are skipped (late move pruning): the first number, and the
    /// second in sixteenths of the depth's square; half of it where the position got no better.
    pub enough: (i32, i32),
    /// True if late moves are skipped in the principal variation, too.
    pub skip_in_pv: bool,
    /// Razoring: the margin in hundredths for each ply of depth; a position that is below alpha by it is handed to
    /// the quiescence search. `None`: never.
    pub razor: Option<Score>,
    /// SEE pruning: moves that lose material by static exchange evaluation ([`Evaluator::gain`], [`Evaluator::risk`]) are
    /// skipped near the horizon.
    pub skip_losing: bool,
    /// ProbCut: a shallow search far above beta cuts.
    pub probcut: Option<ProbCut>,
    /// Singular extensions: a move much better than all others is searched deeper.
    pub singular: bool,
    /// Check extensions: urgent positions are searched a ply deeper; otherwise only those with a single move are.
    pub extend: bool,
    /// True if positions beyond the horizon are looked up in the table and kept there. Where evaluating one costs
    /// less than a memory access, they are not.
    pub quiet_table: bool,
    /// True if table entries of positions after moves are prefetched before the moves are played. Worth it where
    /// [`key_after`](Position::key_after) is cheap.
    pub fetch_ahead: bool,
    /// Moves that [press](Evaluator::presses) are never skipped.
    pub spares_pressing: bool,
    /// The weight of a [hint](Evaluator::hint), in sixteenths, beside histories when the reduction of a late move is
    /// computed.
    pub hint_weight: i32,
    /// Moves with such a hint or a higher one come before other quiet moves and are not skipped for being late.
    pub hint_kept: i32,
    /// Contempt for repetition: the cost in hundredths, for the side that moves at the root, of coming back to a
    /// position where the rules let the game go on. An engine paired with a weaker player should try something else.
    pub shuns_repeats: Score,
    /// Aspiration windows: half the width of the window around the score of the depth before, in hundredths.
    pub window: Score,
    /// The deepest the search goes, in plies, whatever the limits.
    pub deepest: i32,
    /// The number of nodes between two looks at the clock: few where a move takes long to play.
    pub poll: u64,
}

impl Policy {
    /// The policy without shortcuts.
    pub const PLAIN: Policy = Policy {
        slots: 1,
        null_move: false,
        reduce_from: None,
        reduce_depth: 3,
        lateness: (0.6, 2.2),
        reduce_most: 0,
        history_a_ply: 8192,
        improving_reduces_less: true,
        killers: true,
        reduce_unknown: false,
        futility: None,
        futility_depth: 8,
        skip_late: false,
        enough: (3, 16),
        skip_in_pv: false,
        razor: None,
        skip_losing: false,
        probcut: None,
        singular: false,
        extend: false,
        quiet_table: true,
        fetch_ahead: false,
        spares_pressing: false,
        hint_weight: 0,
        hint_kept: i32::MAX,
        shuns_repeats: 0,
        window: 25,
        deepest: 100,
        poll: 256,
    };

    /// Returns true if any shortcut needs the evaluation of positions above the horizon. Where none does they are not
    /// evaluated.
    pub(crate) const fn judges(&self) -> bool {
        self.razor.is_some()
            || self.futility.is_some()
            || self.null_move
            || self.skip_late
            || (self.reduce_from.is_some() && self.improving_reduces_less)
    }
}

/// The parameters of ProbCut: a shallow search that comes out far above beta spares the deep one (Buro 1995).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbCut {
    /// The least depth at which it is tried.
    pub least_depth: i32,
    /// The shallow depth, in hundredths of the deep one.
    pub depth_percent: i32,
    /// The margin above beta that the shallow search must reach: this much,
    pub margin: Score,
    /// plus this much for each ply of depth.
    pub margin_a_ply: Score,
    /// True if only noisy moves are tried, and only above beta in the exchange; otherwise the position itself is
    /// searched.
    pub by_captures: bool,
}
