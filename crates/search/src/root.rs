//! Iterative deepening: iterations, aspiration windows, several lines (MultiPV), several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kernel::{Game, Position};

use crate::chance::{keep_choices, standing_for};
use crate::evaluator::{Effort, Evaluator};
use crate::limits::{Deadline, SearchLimits};
use crate::score::{INFINITE, MAX_PLY, PROVED, Score, win_in};
use crate::transposition::TranspositionTable;
use crate::tree::{Halt, MAX_MOVES, Searcher};

/// Positions that a game's own solver may look at before the search begins: at first, and at last.
const MIN_SOLVER_NODES: u64 = 2_000;
const MAX_SOLVER_NODES: u64 = 400_000;

/// The ways a reported score can relate to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is the true one.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// The progress of a search.
#[derive(Clone, Debug)]
pub struct Info<M> {
    /// The depth of the iteration, in plies.
    pub depth: u32,
    /// The selective depth: the furthest ply searched.
    pub seldepth: u32,
    /// The index of this line among the best lines, from 1 (MultiPV).
    pub line: usize,
    /// The score, for the side to move.
    pub score: Score,
    /// The bound kind: exact, or a lower or upper bound.
    pub bound: Bound,
    /// Positions looked at, by all threads; those of helper threads as of their last count.
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    /// The part of the transposition table in use, in thousandths.
    pub hashfull: u32,
    /// The principal variation: legal moves, one after the other.
    pub moves: Vec<M>,
}

/// One of the best moves, with its score and principal variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PvLine<M> {
    /// The score, for the side to move at the root.
    pub score: Score,
    /// The depth at which it was found.
    pub depth: u32,
    /// The move and what is expected after it; never empty.
    pub moves: Vec<M>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult<M> {
    /// The best lines, best first, each beginning with another move: as many as were asked for, or fewer when there are
    /// fewer moves. Never empty. Where the last iteration was cut short, the first ones are from it and the others from
    /// the one before; all are from the one before where they would not be in order otherwise.
    pub lines: Vec<PvLine<M>>,
    /// The lines of the deepest iteration that was finished, best first: all of the same depth, so that their scores
    /// can be compared. Empty when none was finished.
    pub finished: Vec<PvLine<M>>,
    /// The depth of that iteration.
    pub depth: u32,
    /// Positions looked at, by all threads; those of helper threads as of their last count.
    pub nodes: u64,
}

/// Searches the position of `game`, looking back over its past for repetitions; `None` when the game is over.
///
/// `report` gets each line of each iteration, and all of them again, best first, when their order has changed since:
/// the last report of each line is the result. With one thread, an empty table and limits that do not depend on the
/// clock, the answer is always the same.
pub fn think<P: Position, E: Evaluator<P>>(
    game: &Game<P>,
    evaluator: &E,
    tt: &TranspositionTable,
    limits: &SearchLimits,
    report: &mut dyn FnMut(&Info<P::Move>),
) -> Option<SearchResult<P::Move>> {
    think_among(game, evaluator, tt, limits, &[], report)
}

/// Searches as [`think`] does, but only the moves `among`, which are legal; all when it is empty.
pub fn think_among<P: Position, E: Evaluator<P>>(
    game: &Game<P>,
    evaluator: &E,
    tt: &TranspositionTable,
    limits: &SearchLimits,
    among: &[P::Move],
    report: &mut dyn FnMut(&Info<P::Move>),
) -> Option<SearchResult<P::Move>> {
    if game.outcome().is_some() {
        return None;
    }
    tt.new_search();
    let deadline = Deadline::of(limits);
    let main_done = AtomicBool::new(false);
    let helper_nodes = AtomicU64::new(0);
    let searcher = |max_nodes, is_helper| {
        let poll_interval = evaluator.policy().poll_interval.max(1);
        let halt = Halt {
            deadline,
            max_nodes,
            stop: &limits.stop,
            main_done: &main_done,
            helper_nodes: &helper_nodes,
            is_helper,
            poll_interval,
            stopped: false,
        };
        Searcher::new(game, evaluator.clone(), tt, halt, limits.noise)
    };
    let first = searcher(limits.nodes.unwrap_or(u64::MAX), false);
    let helpers: Vec<_> = (1..limits.threads.max(1)).map(|_| searcher(u64::MAX, true)).collect();
    if helpers.is_empty() {
        return Some(Root::new(first, limits, among, report).run(1));
    }
    std::thread::scope(|scope| {
        for (i, helper) in helpers.into_iter().enumerate() {
            let help = move || {
                let alone = SearchLimits { lines: 1, ..limits.clone() };
                // Half of them begin a ply deeper, so that threads do not all do the same.
                Root::new(helper, &alone, among, &mut |_| {}).run(1 + (i as i32 + 1) % 2)
            };
            // Where the system starts no more threads, fewer help.
            if std::thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        let result = Root::new(first, limits, among, report).run(1);
        main_done.store(true, Ordering::Relaxed);
        Some(result)
    })
}

struct Root<'a, 'b, P: Position, E> {
    searcher: Searcher<'a, P, E>,
    limits: &'b SearchLimits,
    report: &'b mut dyn FnMut(&Info<P::Move>),
    /// The root's moves in the order of [`Evaluator::candidates`].
    moves: Vec<P::Move>,
    /// Indices of the moves that were not requested and are not searched; fewer than there are moves.
    unrequested: Vec<u16>,
    /// The last report of each line: its first move, score and depth; `None` where that was not exact.
    last_reports: Vec<Option<(P::Move, Score, u32)>>,
    /// The number of positions at the time of the last report.
    reported_nodes: u64,
    lines: Vec<PvLine<P::Move>>,
    /// The lines of the last iteration that was finished.
    finished: Vec<PvLine<P::Move>>,
    /// A win that the game's own solver found: the first of all lines.
    solver_win: Option<PvLine<P::Move>>,
}

impl<'a, 'b, P: Position, E: Evaluator<P>> Root<'a, 'b, P, E> {
    fn new(
        mut searcher: Searcher<'a, P, E>,
        limits: &'b SearchLimits,
        among: &[P::Move],
        report: &'b mut dyn FnMut(&Info<P::Move>),
    ) -> Self {
        let mut moves = Vec::new();
        let pos = searcher.positions.current();
        searcher.eval.candidates(pos, &mut moves);
        if moves.is_empty() {
            // An evaluator that sees no hope must move all the same.
            pos.moves(&mut moves);
        }
        keep_choices(pos, &mut moves, 0);
        // One outcome that was asked for stands for its choice.
        let among: Vec<P::Move> = among.iter().map(|&m| standing_for(pos, m)).collect();
        // Moves that are no candidates are searched on request: these moves, or more lines than there are candidates.
        let mut extra_moves = Vec::new();
        if !among.is_empty() {
            extra_moves.extend_from_slice(&among);
        } else if limits.lines > moves.len() && limits.noise.is_none() {
            pos.moves(&mut extra_moves);
        }
        keep_choices(pos, &mut extra_moves, 0);
        extra_moves.retain(|m| !moves.contains(m));
        moves.extend_from_slice(&extra_moves);
        moves.truncate(MAX_MOVES);
        searcher.extra_root_moves = extra_moves;
        let indices = 0..moves.len() as u16;
        let is_unrequested = |index: &u16| !among.is_empty() && !among.contains(&moves[usize::from(*index)]);
        let unrequested = indices.filter(is_unrequested).collect();
        Root {
            searcher,
            limits,
            report,
            moves,
            unrequested,
            last_reports: Vec::new(),
            reported_nodes: 0,
            lines: Vec::new(),
            finished: Vec::new(),
            solver_win: None,
        }
    }

    /// Returns the number of moves to search.
    fn move_count(&self) -> usize {
        self.moves.len() - self.unrequested.len()
    }

    fn run(mut self, first_depth: i32) -> SearchResult<P::Move> {
        if self.move_count() == 0 {
            return SearchResult { lines: self.lines, finished: Vec::new(), depth: 0, nodes: 0 };
        }
        let multipv = self.limits.lines.clamp(1, self.move_count());
        self.last_reports = vec![None; multipv];
        let mut completed_depth = 0;
        // The first iteration is always finished, so that the first move of the list is not played unsearched.
        let max_nodes = std::mem::replace(&mut self.searcher.halt.max_nodes, u64::MAX);
        if !self.solve_root() {
            let max_depth = self.limits.depth.map_or(i32::MAX, |d| i32::try_from(d).unwrap_or(i32::MAX));
            let max_depth = max_depth.min(self.searcher.policy().max_depth).min(MAX_PLY as i32 - 10);
            let mut best_move_changes = 0.0;
            for depth in first_depth..=max_depth.max(1) {
                let previous = self.lines.first().cloned();
                if !self.iterate(depth, multipv) {
                    if !self.lines.is_sorted_by_key(|line| -line.score) && !self.finished.is_empty() {
                        self.lines.clone_from(&self.finished);
                    }
                    break;
                }
                completed_depth = depth;
                self.finished.clone_from(&self.lines);
                self.report_lines();
                self.searcher.halt.max_nodes = max_nodes;
                let (drop, best_move_changed) = match (&previous, self.lines.first()) {
                    (Some(old), Some(new)) => (old.score - new.score, old.moves[0] != new.moves[0]),
                    _ => (0, false),
                };
                best_move_changes = best_move_changes * 0.5 + f64::from(u8::from(best_move_changed));
                let instability = 0.8 + best_move_changes * 0.6 + f64::from(drop.clamp(0, 100)) / 100.0;
                if self.is_decided(depth) || self.searcher.halt.deadline.is_soft_limit_reached(instability) {
                    break;
                }
            }
        }
        if self.lines.is_empty() {
            // Not even one move was finished: anything legal is better than nothing.
            let asked = (0..).find(|index| !self.unrequested.contains(index)).map_or(0, usize::from);
            self.lines.push(PvLine { score: 0, depth: 0, moves: vec![self.moves[asked]] });
        }
        self.lines.truncate(multipv);
        if self.reported_nodes != self.searcher.nodes {
            // How far the search came in all.
            self.last_reports.fill(None);
        }
        self.report_lines();
        let history = std::mem::take(&mut self.searcher.history);
        self.searcher.tt.store_history(history);
        let nodes = self.nodes();
        SearchResult { lines: self.lines, finished: self.finished, depth: completed_depth as u32, nodes }
    }

    /// Returns the number of positions searched by all threads.
    fn nodes(&self) -> u64 {
        self.searcher.nodes + self.searcher.halt.helper_nodes.load(Ordering::Relaxed)
    }

    /// Asks the game's own solver first, except for a player with random errors. Returns true if its win is all that
    /// is asked for.
    fn solve_root(&mut self) -> bool {
        if self.limits.noise.is_some() {
            return false;
        }
        let max_nodes = self.limits.nodes.map_or(MAX_SOLVER_NODES, |nodes| (nodes / 4).min(MAX_SOLVER_NODES));
        let searcher = &mut self.searcher;
        let mut nodes = max_nodes.min(MIN_SOLVER_NODES);
        // The search must have its share, however slow the machine is.
        let until = searcher.halt.deadline.half_time();
        let win = loop {
            if let Some(win) = searcher.forced(Effort::Root { nodes, until }) {
                break win;
            }
            // The next try takes four times as long, and the search must have its share: with those before, an eighth.
            if nodes == max_nodes || searcher.halt.deadline.has_used_percent(3) {
                return false;
            }
            nodes = max_nodes.min(nodes * 4);
        };
        let index = self.moves.iter().position(|&m| m == win.first);
        if !self.unrequested.is_empty()
            && index.is_none_or(|index| self.unrequested.contains(&(index as u16)))
        {
            return false;
        }
        let score = win_in(win.plies as usize);
        let win_line = PvLine { score, depth: win.plies, moves: vec![win.first] };
        self.lines = vec![win_line.clone()];
        self.report_line(1, score, Bound::Exact, win.plies, vec![win.first]);
        self.solver_win = Some(win_line);
        self.limits.lines.clamp(1, self.move_count()) == 1
    }

    /// Returns true if nothing is left to find out: one move only on a clock, or a win that a deeper search cannot
    /// shorten.
    fn is_decided(&self, depth: i32) -> bool {
        let Some(best) = self.lines.first() else { return false };
        let proved = best.score.abs() >= PROVED && win_in(0) - best.score.abs() <= depth;
        let timed = self.limits.time.is_some() || self.limits.clock.is_some();
        let forced = timed && self.move_count() == 1 && depth >= 4;
        self.lines.len() == self.limits.lines.clamp(1, self.move_count()) && (proved || forced)
    }

    /// One iteration over all lines; false when it was cut short.
    fn iterate(&mut self, depth: i32, multipv: usize) -> bool {
        self.searcher.root_depth = depth;
        self.searcher.seldepth = 0;
        self.searcher.excluded_root_moves.clone_from(&self.unrequested);
        let mut new_lines: Vec<PvLine<P::Move>> = Vec::with_capacity(multipv);
        for line in 0..multipv {
            let found = match self.solver_win.clone() {
                // Nothing is better, and the search may not see it.
                Some(win_line) if line == 0 => {
                    self.report_line(1, win_line.score, Bound::Exact, depth as u32, win_line.moves.clone());
                    Some((win_line.score, win_line.moves))
                }
                _ => {
                    let previous_score = self.lines.get(line).map(|ranked| ranked.score);
                    self.aspiration_search(depth, line, previous_score)
                }
            };
            let Some((score, moves)) = found else {
                self.searcher.excluded_root_moves.clear();
                self.sort_lines(new_lines.len());
                return false;
            };
            let ranked = PvLine { score, depth: depth as u32, moves };
            let first = ranked.moves[0];
            if let Some(index) = self.moves.iter().position(|&m| m == first) {
                self.searcher.excluded_root_moves.push(index as u16);
            }
            // The same move may still stand further down from the iteration before.
            new_lines.push(ranked);
            let new = |moves: &[P::Move]| new_lines.iter().any(|line| line.moves[0] == moves[0]);
            let left = self.lines.iter().filter(|old| !new(&old.moves)).cloned();
            self.lines = new_lines.iter().cloned().chain(left).collect();
            if self.searcher.halt.stopped {
                self.sort_lines(new_lines.len());
                return false;
            }
        }
        self.lines.truncate(multipv);
        self.sort_lines(multipv);
        true
    }

    /// Sorts the lines: the first `new_count`, of this iteration, by score, and behind them those that are left of the
    /// one before.
    fn sort_lines(&mut self, new_count: usize) {
        let new_count = new_count.min(self.lines.len());
        let (new, old) = self.lines.split_at_mut(new_count);
        new.sort_by_key(|ranked| -ranked.score);
        old.sort_by_key(|ranked| -ranked.score);
    }

    /// Searches one line in an aspiration window around its score in the iteration before, and widens the window after
    /// a fail low or fail high. Returns `None` when it was cut short before a move was found.
    fn aspiration_search(
        &mut self,
        depth: i32,
        line: usize,
        previous_score: Option<Score>,
    ) -> Option<(Score, Vec<P::Move>)> {
        let mut delta = self.searcher.policy().aspiration_window.max(1);
        let (mut alpha, mut beta) = match previous_score {
            Some(score) if depth >= 4 && score.abs() < PROVED => (score - delta, score + delta),
            _ => (-INFINITE, INFINITE),
        };
        let mut best: Option<(Score, Vec<P::Move>)> = None;
        loop {
            self.searcher.frame(0).pv.clear();
            let score = self.searcher.search_node(alpha, beta, depth, 0, false);
            let moves = self.searcher.frame(0).pv.clone();
            if self.searcher.halt.stopped {
                // What was found before the end goes deeper than the last iteration's.
                let found = (!moves.is_empty()).then_some((self.searcher.root_best_score, moves)).or(best);
                return found.filter(|_| line == 0);
            }
            delta += delta;
            if score <= alpha && alpha > -INFINITE {
                self.report_line(line + 1, score, Bound::Upper, depth as u32, moves);
                beta = (alpha + beta) / 2;
                alpha = if delta > 1000 { -INFINITE } else { (score - delta).max(-INFINITE) };
            } else if score >= beta && beta < INFINITE {
                self.report_line(line + 1, score, Bound::Lower, depth as u32, moves.clone());
                best = Some((score, moves)).filter(|(_, moves)| !moves.is_empty());
                beta = if delta > 1000 { INFINITE } else { (score + delta).min(INFINITE) };
            } else {
                if moves.is_empty() {
                    return best;
                }
                self.report_line(line + 1, score, Bound::Exact, depth as u32, moves.clone());
                return Some((score, moves));
            }
        }
    }

    /// Reports every line once more, best first, unless the last report of each is still right.
    fn report_lines(&mut self) {
        if self.lines.first().is_none_or(|best| best.depth == 0) {
            return;
        }
        let now = |line: &PvLine<P::Move>| Some((line.moves[0], line.score, line.depth));
        if self.lines.iter().map(now).eq(self.last_reports.iter().copied().take(self.lines.len())) {
            return;
        }
        for (index, line) in self.lines.clone().into_iter().enumerate() {
            self.report_line(index + 1, line.score, Bound::Exact, line.depth, line.moves);
        }
    }

    fn report_line(&mut self, line: usize, score: Score, bound: Bound, depth: u32, moves: Vec<P::Move>) {
        let searcher = &self.searcher;
        let exact = bound == Bound::Exact;
        if let Some(last_report) = self.last_reports.get_mut(line - 1) {
            *last_report = moves.first().filter(|_| exact).map(|&first| (first, score, depth));
        }
        let info = Info {
            depth,
            seldepth: searcher.seldepth as u32,
            line,
            score,
            bound,
            nodes: self.nodes(),
            time: searcher.halt.deadline.elapsed(),
            hashfull: searcher.tt.hashfull(),
            moves,
        };
        self.reported_nodes = self.searcher.nodes;
        (self.report)(&info);
    }
}
