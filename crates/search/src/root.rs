//! Iterative deepening: iterations, aspiration windows, several lines, several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kernel::{Game, Position};

use crate::evaluator::{Effort, Evaluator};
use crate::limits::{Deadline, SearchLimits};
use crate::score::{DEEPEST, INFINITE, PROVED, Score, win_in};
use crate::transposition::TranspositionTable;
use crate::tree::{Halt, MOST_MOVES, Searcher};

/// Positions that a game's own solver may look at before the search begins: at first, and at last.
const FIRST_SOLVING: u64 = 2_000;
const MOST_SOLVING: u64 = 400_000;

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
    /// Plies searched in full.
    pub depth: u32,
    /// The furthest ply looked at.
    pub furthest: u32,
    /// The number of this line, from 1.
    pub line: usize,
    /// The score, for the side to move.
    pub score: Score,
    /// The bound kind: exact, or a lower or upper bound.
    pub bound: Bound,
    /// Positions looked at, by all threads; those of helper threads as of their last count.
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    /// Thousandths of the table in use.
    pub filled: u32,
    /// The line: legal moves, one after the other.
    pub moves: Vec<M>,
}

/// One of the best moves, with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked<M> {
    /// The score, for the side to move at the root.
    pub score: Score,
    /// The depth at which it was found.
    pub depth: u32,
    /// The move and what is expected after it; never empty.
    pub moves: Vec<M>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict<M> {
    /// The best lines, best first, each beginning with another move: as many as were asked for, or fewer when there are fewer
    /// moves. Never empty. Where the last iteration was cut short, the first ones are from it and the others from the one
    /// before; all are from the one before where they would not be in order otherwise.
    pub lines: Vec<Ranked<M>>,
    /// The lines of the deepest iteration that was finished, best first: all of the same depth, so that their scores can be
    /// compared. Empty when none was finished.
    pub finished: Vec<Ranked<M>>,
    /// The depth of that iteration.
    pub depth: u32,
    /// Positions looked at, by all threads; those of helper threads as of their last count.
    pub nodes: u64,
}

/// Searches the position of `game`, looking back over its past for repetitions; `None` when the game is over.
///
/// `report` hears of each line of each iteration, and of all of them again, best first, when their order has changed since: what
/// it heard last of each line is the verdict. With one thread, an empty memory and limits that do not depend on the
/// clock, the answer is always the same.
pub fn think<P: Position, E: Evaluator<P>>(
    game: &Game<P>,
    evaluator: &E,
    memory: &TranspositionTable,
    limits: &SearchLimits,
    report: &mut dyn FnMut(&Info<P::Move>),
) -> Option<Verdict<P::Move>> {
    think_among(game, evaluator, memory, limits, &[], report)
}

/// Searches as [`think`] does, but only the moves `among`, which are legal; all when it is empty.
pub fn think_among<P: Position, E: Evaluator<P>>(
    game: &Game<P>,
    evaluator: &E,
    memory: &TranspositionTable,
    limits: &SearchLimits,
    among: &[P::Move],
    report: &mut dyn FnMut(&Info<P::Move>),
) -> Option<Verdict<P::Move>> {
    if game.outcome().is_some() {
        return None;
    }
    memory.turn_over();
    let deadline = Deadline::of(limits);
    let over = AtomicBool::new(false);
    let helped = AtomicU64::new(0);
    let searcher = |nodes, helps| {
        let poll = evaluator.policy().poll.max(1);
        let halt = Halt {
            deadline,
            nodes,
            stop: &limits.stop,
            over: &over,
            helped: &helped,
            helps,
            poll,
            halted: false,
        };
        Searcher::new(game, evaluator.clone(), memory, halt, limits.noise)
    };
    let first = searcher(limits.nodes.unwrap_or(u64::MAX), false);
    let helpers: Vec<_> = (1..limits.threads.max(1)).map(|_| searcher(u64::MAX, true)).collect();
    if helpers.is_empty() {
        return Some(Root::new(first, limits, among, report).run(1));
    }
    std::thread::scope(|scope| {
        for (i, helper) in helpers.into_iter().enumerate() {
            let helps = move || {
                let alone = SearchLimits { lines: 1, ..limits.clone() };
                // Half of them begin a ply deeper, so that threads do not all do the same.
                Root::new(helper, &alone, among, &mut |_| {}).run(1 + (i as i32 + 1) % 2)
            };
            // Where the system starts no more threads, fewer help.
            if std::thread::Builder::new().spawn_scoped(scope, helps).is_err() {
                break;
            }
        }
        let verdict = Root::new(first, limits, among, report).run(1);
        over.store(true, Ordering::Relaxed);
        Some(verdict)
    })
}

struct Root<'a, 'b, P: Position, E> {
    searcher: Searcher<'a, P, E>,
    limits: &'b SearchLimits,
    report: &'b mut dyn FnMut(&Info<P::Move>),
    /// The root's moves in the order of [`Evaluator::candidates`].
    moves: Vec<P::Move>,
    /// Places of the moves outside the requested ones, which are not searched; fewer than there are moves.
    unasked: Vec<u16>,
    /// The last report of each line: its first move, score and depth; `None` where that was not exact.
    told: Vec<Option<(P::Move, Score, u32)>>,
    /// The number of positions at the time of the last report.
    told_at: u64,
    lines: Vec<Ranked<P::Move>>,
    /// The lines of the last iteration that was finished.
    finished: Vec<Ranked<P::Move>>,
    /// A win that the game's own solver found: the first of all lines.
    won: Option<Ranked<P::Move>>,
}

impl<'a, 'b, P: Position, E: Evaluator<P>> Root<'a, 'b, P, E> {
    fn new(
        mut searcher: Searcher<'a, P, E>,
        limits: &'b SearchLimits,
        among: &[P::Move],
        report: &'b mut dyn FnMut(&Info<P::Move>),
    ) -> Self {
        let mut moves = Vec::new();
        searcher.eval.candidates(searcher.line.now(), &mut moves);
        if moves.is_empty() {
            // An evaluator that sees no hope must move all the same.
            searcher.line.now().moves(&mut moves);
        }
        // Moves that the evaluator would not consider are searched on request: these moves, or more lines
        // than it has.
        let mut more = Vec::new();
        if !among.is_empty() {
            more.extend_from_slice(among);
        } else if limits.lines > moves.len() && limits.noise.is_none() {
            searcher.line.now().moves(&mut more);
        }
        more.retain(|m| !moves.contains(m));
        moves.extend_from_slice(&more);
        moves.truncate(MOST_MOVES);
        searcher.more = more;
        let places = 0..moves.len() as u16;
        let is_unasked = |place: &u16| !among.is_empty() && !among.contains(&moves[usize::from(*place)]);
        let unasked = places.filter(is_unasked).collect();
        Root {
            searcher,
            limits,
            report,
            moves,
            unasked,
            told: Vec::new(),
            told_at: 0,
            lines: Vec::new(),
            finished: Vec::new(),
            won: None,
        }
    }

    /// Returns the number of moves to look at.
    fn count(&self) -> usize {
        self.moves.len() - self.unasked.len()
    }

    fn run(mut self, first_depth: i32) -> Verdict<P::Move> {
        if self.count() == 0 {
            return Verdict { lines: self.lines, finished: Vec::new(), depth: 0, nodes: 0 };
        }
        let wanted = self.limits.lines.clamp(1, self.count());
        self.told = vec![None; wanted];
        let mut reached = 0;
        // The first iteration is always finished, so that the move played is not just the first one in the
        // list.
        let most = std::mem::replace(&mut self.searcher.halt.nodes, u64::MAX);
        if !self.solved() {
            let deepest = self.limits.depth.map_or(i32::MAX, |d| i32::try_from(d).unwrap_or(i32::MAX));
            let deepest = deepest.min(self.searcher.policy().deepest).min(DEEPEST as i32 - 10);
            let mut changes = 0.0;
            for depth in first_depth..=deepest.max(1) {
                let before = self.lines.first().cloned();
                if !self.iterate(depth, wanted) {
                    if !self.lines.is_sorted_by_key(|line| -line.score) && !self.finished.is_empty() {
                        self.lines.clone_from(&self.finished);
                    }
                    break;
                }
                reached = depth;
                self.finished.clone_from(&self.lines);
                self.tell_all();
                self.searcher.halt.nodes = most;
                let (drop, changed) = match (&before, self.lines.first()) {
                    (Some(old), Some(new)) => (old.score - new.score, old.moves[0] != new.moves[0]),
                    _ => (0, false),
                };
                changes = changes * 0.5 + f64::from(u8::from(changed));
                let unrest = 0.8 + changes * 0.6 + f64::from(drop.clamp(0, 100)) / 100.0;
                if self.is_clear(depth) || self.searcher.halt.deadline.is_late(unrest) {
                    break;
                }
            }
        }
        if self.lines.is_empty() {
            // Not even one move was finished: anything legal is better than nothing.
            let asked = (0..).find(|place| !self.unasked.contains(place)).map_or(0, usize::from);
            self.lines.push(Ranked { score: 0, depth: 0, moves: vec![self.moves[asked]] });
        }
        self.lines.truncate(wanted);
        if self.told_at != self.searcher.nodes {
            // How far the search came in all.
            self.told.fill(None);
        }
        self.tell_all();
        let history = std::mem::take(&mut self.searcher.history);
        self.searcher.memory.keep_history(history);
        let nodes = self.nodes();
        Verdict { lines: self.lines, finished: self.finished, depth: reached as u32, nodes }
    }

    /// Positions looked at, by all threads.
    fn nodes(&self) -> u64 {
        self.searcher.nodes + self.searcher.halt.helped.load(Ordering::Relaxed)
    }

    /// Asks the game's own solver first, except for a player with random errors. Returns true if its win is all that
    /// is asked for.
    fn solved(&mut self) -> bool {
        if self.limits.noise.is_some() {
            return false;
        }
        let most = self.limits.nodes.map_or(MOST_SOLVING, |nodes| (nodes / 4).min(MOST_SOLVING));
        let searcher = &mut self.searcher;
        let mut nodes = most.min(FIRST_SOLVING);
        // The search must have its share, however slow the machine is.
        let until = searcher.halt.deadline.middle();
        let win = loop {
            if let Some(win) = searcher.forced(Effort::Root { nodes, until }) {
                break win;
            }
            // The next try takes four times as long, and the search must have its share: with those before, an eighth.
            if nodes == most || searcher.halt.deadline.is_past(3) {
                return false;
            }
            nodes = most.min(nodes * 4);
        };
        let place = self.moves.iter().position(|&m| m == win.first);
        if !self.unasked.is_empty() && place.is_none_or(|place| self.unasked.contains(&(place as u16))) {
            return false;
        }
        let score = win_in(win.plies as usize);
        let won = Ranked { score, depth: win.plies, moves: vec![win.first] };
        self.lines = vec![won.clone()];
        self.tell(1, score, Bound::Exact, win.plies, vec![win.first]);
        self.won = Some(won);
        self.limits.lines.clamp(1, self.count()) == 1
    }

    /// Returns true if nothing is left to find out: one move only on a clock, or a win that a deeper search cannot
    /// shorten.
    fn is_clear(&self, depth: i32) -> bool {
        let Some(best) = self.lines.first() else { return false };
        let proved = best.score.abs() >= PROVED && win_in(0) - best.score.abs() <= depth;
        let timed = self.limits.time.is_some() || self.limits.clock.is_some();
        let forced = timed && self.count() == 1 && depth >= 4;
        self.lines.len() == self.limits.lines.clamp(1, self.count()) && (proved || forced)
    }

    /// One iteration over all lines; false when it was cut short.
    fn iterate(&mut self, depth: i32, wanted: usize) -> bool {
        self.searcher.depth = depth;
        self.searcher.furthest = 0;
        self.searcher.taken.clone_from(&self.unasked);
        let mut fresh: Vec<Ranked<P::Move>> = Vec::with_capacity(wanted);
        for line in 0..wanted {
            let found = match self.won.clone() {
                // Nothing is better, and the search may not see it.
                Some(won) if line == 0 => {
                    self.tell(1, won.score, Bound::Exact, depth as u32, won.moves.clone());
                    Some((won.score, won.moves))
                }
                _ => {
                    let expected = self.lines.get(line).map(|ranked| ranked.score);
                    self.search(depth, line, expected)
                }
            };
            let Some((score, moves)) = found else {
                self.searcher.taken.clear();
                self.settle(fresh.len());
                return false;
            };
            let ranked = Ranked { score, depth: depth as u32, moves };
            let first = ranked.moves[0];
            if let Some(place) = self.moves.iter().position(|&m| m == first) {
                self.searcher.taken.push(place as u16);
            }
            // The same move may still stand further down from the iteration before.
            fresh.push(ranked);
            let new = |moves: &[P::Move]| fresh.iter().any(|line| line.moves[0] == moves[0]);
            let left = self.lines.iter().filter(|old| !new(&old.moves)).cloned();
            self.lines = fresh.iter().cloned().chain(left).collect();
            if self.searcher.halt.halted {
                self.settle(fresh.len());
                return false;
            }
        }
        self.lines.truncate(wanted);
        self.settle(wanted);
        true
    }

    /// Sorts the lines: the first `fresh`, of this iteration, by score, and behind them those that are left of the
    /// one before.
    fn settle(&mut self, fresh: usize) {
        let fresh = fresh.min(self.lines.len());
        let (new, old) = self.lines.split_at_mut(fresh);
        new.sort_by_key(|ranked| -ranked.score);
        old.sort_by_key(|ranked| -ranked.score);
    }

    /// Searches one line in an aspiration window around the expected score; `None` when it was cut short before a
    /// move was found.
    fn search(&mut self, depth: i32, line: usize, expected: Option<Score>) -> Option<(Score, Vec<P::Move>)> {
        let mut width = self.searcher.policy().window.max(1);
        let (mut alpha, mut beta) = match expected {
            Some(score) if depth >= 4 && score.abs() < PROVED => (score - width, score + width),
            _ => (-INFINITE, INFINITE),
        };
        let mut best: Option<(Score, Vec<P::Move>)> = None;
        loop {
            self.searcher.frame(0).pv.clear();
            let score = self.searcher.node(alpha, beta, depth, 0, false);
            let moves = self.searcher.frame(0).pv.clone();
            if self.searcher.halt.halted {
                // What was found before the end goes deeper than the last iteration's.
                let found = (!moves.is_empty()).then_some((self.searcher.best, moves)).or(best);
                return found.filter(|_| line == 0);
            }
            width += width;
            if score <= alpha && alpha > -INFINITE {
                self.tell(line + 1, score, Bound::Upper, depth as u32, moves);
                beta = (alpha + beta) / 2;
                alpha = if width > 1000 { -INFINITE } else { (score - width).max(-INFINITE) };
            } else if score >= beta && beta < INFINITE {
                self.tell(line + 1, score, Bound::Lower, depth as u32, moves.clone());
                best = Some((score, moves)).filter(|(_, moves)| !moves.is_empty());
                beta = if width > 1000 { INFINITE } else { (score + width).min(INFINITE) };
            } else {
                if moves.is_empty() {
                    return best;
                }
                self.tell(line + 1, score, Bound::Exact, depth as u32, moves.clone());
                return Some((score, moves));
            }
        }
    }

    /// Reports every line once more, best first, unless the last report of each is still right.
    fn tell_all(&mut self) {
        if self.lines.first().is_none_or(|best| best.depth == 0) {
            return;
        }
        let now = |line: &Ranked<P::Move>| Some((line.moves[0], line.score, line.depth));
        if self.lines.iter().map(now).eq(self.told.iter().copied().take(self.lines.len())) {
            return;
        }
        for (place, line) in self.lines.clone().into_iter().enumerate() {
            self.tell(place + 1, line.score, Bound::Exact, line.depth, line.moves);
        }
    }

    fn tell(&mut self, line: usize, score: Score, bound: Bound, depth: u32, moves: Vec<P::Move>) {
        let searcher = &self.searcher;
        let exact = bound == Bound::Exact;
        if let Some(told) = self.told.get_mut(line - 1) {
            *told = moves.first().filter(|_| exact).map(|&first| (first, score, depth));
        }
        let info = Info {
            depth,
            furthest: searcher.furthest as u32,
            line,
            score,
            bound,
            nodes: self.nodes(),
            time: searcher.halt.deadline.elapsed(),
            filled: searcher.memory.filled(),
            moves,
        };
        self.told_at = self.searcher.nodes;
        (self.report)(&info);
    }
}
