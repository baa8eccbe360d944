//! Alpha-beta: principal variation search, with the shortcuts a game's policy calls sound.

use std::sync::atomic::{AtomicBool, Ordering};

use kernel::{Game, Outcome, Position, Side};

use crate::evaluator::{Effort, Evaluator, Policy};
use crate::limits::{Deadline, Noise, Stop};
use crate::line::Line;
use crate::memory::{Bound, Entry, Memory, NO_EVAL, NO_MOVE};
use crate::order::{History, NOTHING, Rank, place, rank, select};
use crate::score::{BY_RULE, DEEPEST, DRAW, INFINITE, MOST, PROVED, Score, win_in};

/// One thread's search.
pub(crate) struct Searcher<'a, P: Position, E> {
    pub(crate) line: Line<P>,
    pub(crate) eval: E,
    pub(crate) policy: Policy,
    pub(crate) memory: &'a Memory,
    pub(crate) history: History,
    pub(crate) frames: Vec<Frame<P::Move>>,
    /// The moves of all nodes from the root to here, one list after the other; and their ranks.
    pub(crate) moves: Vec<P::Move>,
    pub(crate) ranks: Vec<Rank>,
    pub(crate) nodes: u64,
    /// The furthest ply of this iteration.
    pub(crate) furthest: usize,
    pub(crate) halt: Halt<'a>,
    pub(crate) noise: Option<Noise>,
    /// Places of root moves that other lines have taken.
    pub(crate) taken: Vec<u16>,
    /// The depth of the iteration.
    pub(crate) depth: i32,
    /// The best score of the root in the pass at hand.
    pub(crate) best: Score,
    lateness: Lateness,
}

/// What is remembered of a ply of the line at hand.
#[derive(Clone)]
pub(crate) struct Frame<M> {
    eval: Score,
    /// The slot of the move played here; [`NOTHING`] for a pass.
    slot: usize,
    /// The place of a move left out, while it is asked whether the others are worse.
    excluded: u16,
    killers: [Option<M>; 2],
    pub(crate) pv: Vec<M>,
}

/// When to end.
pub(crate) struct Halt<'a> {
    pub(crate) deadline: Deadline,
    pub(crate) nodes: u64,
    pub(crate) stop: &'a Stop,
    /// The first thread is done.
    pub(crate) over: &'a AtomicBool,
    pub(crate) poll: u64,
    pub(crate) halted: bool,
}

/// The frames before the root, so that every ply has two before it.
const BEFORE: usize = 2;

/// How many plies less a late move is searched, by depth and place, in 1/16 ply.
type Lateness = Box<[[i16; 64]; 64]>;

fn lateness() -> Lateness {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (late, plies) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (late as f64).ln();
            *plies = (16.0 * (0.6 + product / 2.2)) as i16;
        }
    }
    table
}

impl<'a, P: Position, E: Evaluator<P>> Searcher<'a, P, E> {
    pub(crate) fn new(
        game: &Game<P>,
        mut eval: E,
        memory: &'a Memory,
        halt: Halt<'a>,
        noise: Option<Noise>,
    ) -> Self {
        eval.reset(game.position());
        let policy = eval.policy().clone();
        let frame =
            Frame { eval: DRAW, slot: NOTHING, excluded: NO_MOVE, killers: [None; 2], pv: Vec::new() };
        Searcher {
            line: Line::new(game),
            eval,
            history: History::new(policy.slots),
            policy,
            memory,
            frames: vec![frame; DEEPEST + BEFORE + 1],
            moves: Vec::with_capacity(4096),
            ranks: Vec::with_capacity(4096),
            nodes: 0,
            furthest: 0,
            halt,
            noise,
            taken: Vec::new(),
            depth: 0,
            best: -INFINITE,
            lateness: lateness(),
        }
    }

    pub(crate) fn frame(&mut self, ply: usize) -> &mut Frame<P::Move> {
        &mut self.frames[ply + BEFORE]
    }

    /// Counts a node; true when the search has to end.
    #[inline]
    pub(crate) fn enter(&mut self, ply: usize) -> bool {
        let halt = &mut self.halt;
        if halt.halted {
            return true;
        }
        if self.nodes >= halt.nodes {
            halt.halted = true;
            return true;
        }
        self.nodes += 1;
        if self.nodes % halt.poll == 0 {
            halt.halted =
                halt.stop.is_raised() || halt.over.load(Ordering::Relaxed) || halt.deadline.is_over();
        }
        self.furthest = self.furthest.max(ply);
        self.halt.halted
    }

    /// What the game is worth if it is over here: by the position, by a count, or because it repeats.
    #[inline]
    pub(crate) fn end(&mut self, ply: usize) -> Option<Score> {
        let pos = self.line.now();
        if let Some(outcome) = self.eval.ended(pos) {
            return Some(worth(outcome, pos.turn(), win_in(ply)));
        }
        if pos.drawn().is_some() {
            // A mate on the last move counts before the count.
            return Some(pos.outcome().map_or(DRAW, |outcome| worth(outcome, pos.turn(), win_in(ply))));
        }
        let verdict = self.line.repeats(self.eval.looks_back(pos))?;
        Some(verdict.map_or(DRAW, |outcome| worth(outcome, pos.turn(), BY_RULE - ply as Score)))
    }

    /// What the position is worth if no move was listed.
    pub(crate) fn stuck(&self, ply: usize) -> Score {
        let pos = self.line.now();
        pos.outcome().map_or(DRAW, |outcome| worth(outcome, pos.turn(), win_in(ply)))
    }

    /// The evaluation, as a player of this level sees it.
    pub(crate) fn evaluate(&mut self) -> Score {
        let error = self.noise.map_or(0, |noise| noise.at(self.line.key()));
        (self.eval.score(self.line.now()) + error).clamp(-MOST, MOST)
    }

    #[inline]
    pub(crate) fn play(&mut self, m: P::Move, ply: usize, slot: usize) {
        self.frame(ply).slot = slot;
        self.line.play(m);
        self.eval.played(self.line.before(), m, self.line.now());
    }

    #[inline]
    pub(crate) fn undo(&mut self) {
        self.line.undo();
        self.eval.undone();
    }

    /// The slots of the moves one and two plies before.
    pub(crate) fn past(&self, ply: usize) -> [usize; 2] {
        [self.frames[ply + BEFORE - 1].slot, self.frames[ply + BEFORE - 2].slot]
    }

    /// The score of the position after a move, from the view of whoever moved: it changes its sign only if the turn
    /// changed.
    fn child(
        &mut self,
        (alpha, beta): (Score, Score),
        depth: i32,
        ply: usize,
        cut: bool,
        same: bool,
    ) -> Score {
        if same {
            self.node(alpha, beta, depth, ply + 1, cut)
        } else {
            -self.node(-beta, -alpha, depth, ply + 1, cut)
        }
    }

    /// The score of the position now, at `ply` plies from the root, searched `depth` plies deep; exact between `alpha`
    /// and `beta`, and a bound outside. `cut`: a move above beta is expected.
    pub(crate) fn node(
        &mut self,
        mut alpha: Score,
        mut beta: Score,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiet(alpha, beta, ply, 0);
        }
        let pv = beta - alpha > 1;
        let excluded = self.frame(ply).excluded;
        self.frame(ply).pv.clear();
        if self.enter(ply) {
            return DRAW;
        }
        if ply > 0 {
            if let Some(score) = self.end(ply) {
                return score;
            }
            if ply + 1 >= DEEPEST {
                return self.evaluate();
            }
            // Nothing here can be better than winning at once, nor worse than having lost.
            alpha = alpha.max(-win_in(ply));
            beta = beta.min(win_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        let key = self.eval.key(self.line.now());
        let known = if excluded == NO_MOVE { self.memory.get(key, ply) } else { None };
        if let Some(entry) = known {
            let fits = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
                Bound::None => false,
            };
            if fits && !pv && entry.depth >= depth {
                return entry.score;
            }
        }
        let first_choice = known.map_or(NO_MOVE, |entry| entry.best);

        if ply > 0 && known.is_none() && excluded == NO_MOVE {
            if let Some(win) = self.eval.forced(self.line.now(), Effort::Node { depth }) {
                let score = win_in(ply + win.plies as usize);
                self.keep(key, ply, (NO_MOVE, score, NO_EVAL), depth, Bound::Lower);
                return score;
            }
        }

        let urgent = self.eval.is_urgent(self.line.now());
        let eval = match known {
            _ if urgent => self.frames[ply].eval,
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ => self.evaluate(),
        };
        self.frame(ply).eval = eval;
        let improving = !urgent && eval > self.frames[ply].eval;

        if !pv && !urgent && excluded == NO_MOVE && beta.abs() < BY_RULE {
            if let Some(score) = self.shortcut(alpha, beta, depth, ply, eval, improving, cut) {
                return score;
            }
            if self.halt.halted {
                return DRAW;
            }
        }
        if self.policy.reduce_unknown && first_choice == NO_MOVE && depth >= 4 && excluded == NO_MOVE {
            depth -= 1;
        }
        if urgent && self.policy.extend && ply < 2 * self.depth as usize {
            depth += 1;
        }

        let base = self.moves.len();
        self.list(ply, first_choice);
        let count = self.moves.len() - base;
        let score = if count == 0 {
            self.stuck(ply)
        } else {
            let node = Node { base, count, alpha, beta, depth, ply, pv, cut, improving, urgent, excluded };
            self.moves_of(&node, key, known, eval)
        };
        self.moves.truncate(base);
        self.ranks.truncate(base);
        score
    }

    /// Lists the moves of the position now behind those of the nodes above, with their ranks.
    fn list(&mut self, ply: usize, first_choice: u16) {
        let base = self.moves.len();
        let pos = self.line.now();
        self.eval.candidates(pos, &mut self.moves);
        let killers = self.frames[ply + BEFORE].killers;
        let past = self.past(ply);
        for place in 0..self.moves.len() - base {
            let m = self.moves[base + place];
            let score = if place == usize::from(first_choice) {
                1 << 30
            } else if self.eval.is_noisy(pos, m) {
                let gain = self.eval.gain(pos, m);
                let past = self.history.noisy(self.eval.slot(pos, m)) / 32;
                if gain < 0 { (gain - 20_000) * 64 } else { (1 << 24) + gain * 64 + past }
            } else if killers.contains(&Some(m)) {
                1 << 22
            } else {
                let slot = self.eval.slot(pos, m);
                self.history.quiet(slot, past) + self.eval.hint(pos, m)
            };
            self.ranks.push(rank(score, place));
        }
    }

    fn moves_of(&mut self, node: &Node, key: u64, known: Option<Entry>, eval: Score) -> Score {
        let &Node { base, count, beta, ply, pv, .. } = node;
        let (mut alpha, mut depth) = (node.alpha, node.depth);
        if count == 1 && !self.policy.extend && ply > 0 && ply < 2 * self.depth as usize {
            depth += 1;
        }
        let turn = self.line.now().turn();
        let past = self.past(ply);
        let (mut best, mut best_place) = (-INFINITE, NO_MOVE);
        let mut bound = Bound::Upper;
        let mut tried = 0; // moves that were searched
        let mut quiets = 0; // quiet ones that were considered
        let mut failed: [(usize, bool); 32] = [(0, false); 32];
        let mut failures = 0;
        for i in 0..count {
            let place = place(select(&mut self.ranks[base..base + count], i));
            let place_key = place as u16;
            if place_key == node.excluded || (ply == 0 && self.taken.contains(&place_key)) {
                continue;
            }
            let m = self.moves[base + place];
            let pos = self.line.now();
            let noisy = self.eval.is_noisy(pos, m);
            let slot = self.eval.slot(pos, m);
            let past_score = if noisy { self.history.noisy(slot) } else { self.history.quiet(slot, past) };

            if ply > 0 && best > -BY_RULE && tried > 0 {
                if !noisy && self.is_too_late(node, quiets, past_score, eval, alpha) {
                    quiets += 1;
                    continue;
                }
                if self.policy.skip_losing && depth <= 7 && !node.urgent {
                    let pos = self.line.now();
                    let (value, least) = if noisy {
                        (self.eval.gain(pos, m), -30 * depth * depth)
                    } else {
                        (self.eval.risk(pos, m), -20 * depth * depth)
                    };
                    if value < least {
                        continue;
                    }
                }
            }
            if !noisy {
                quiets += 1;
            }

            let mut extra = 0;
            if ply > 0 && self.policy.singular && place_key == known.map_or(NO_MOVE, |e| e.best) {
                match self.stands_out(node, known, depth) {
                    Some(Alone::Extend(plies)) => extra = plies,
                    Some(Alone::Cut(score)) => return score,
                    None => {}
                }
                if self.halt.halted {
                    return DRAW;
                }
            }

            self.play(m, ply, slot);
            let same = self.line.now().turn() == turn;
            let full = depth - 1 + extra;
            tried += 1;
            let mut score = -INFINITE;
            if tried == 1 {
                score = self.child((alpha, beta), full, ply, if pv { false } else { !node.cut }, same);
            } else {
                let less = self.less(node, depth, tried, noisy, past_score);
                let reduced = (full - less).clamp(1.min(full), full);
                score = score.max(self.child((alpha, alpha + 1), reduced, ply, true, same));
                if score > alpha && reduced < full {
                    score = self.child((alpha, alpha + 1), full, ply, !node.cut, same);
                }
                if score > alpha && score < beta {
                    score = self.child((alpha, beta), full, ply, false, same);
                }
            }
            self.undo();
            if self.halt.halted {
                return DRAW;
            }

            if score > best {
                best = score;
                if score > alpha {
                    best_place = place_key;
                    if pv {
                        self.found(m, ply);
                    }
                    if ply == 0 {
                        self.best = score;
                    }
                    if score >= beta {
                        bound = Bound::Lower;
                        self.reward(node, m, slot, noisy, &failed[..failures]);
                        break;
                    }
                    bound = Bound::Exact;
                    alpha = score;
                }
            }
            if failures < failed.len() {
                failed[failures] = (slot, noisy);
                failures += 1;
            }
        }
        if best == -INFINITE {
            // Everything was left out: what is left is no better than alpha.
            return alpha;
        }
        if node.excluded == NO_MOVE && (ply > 0 || self.taken.is_empty()) {
            let kept = if node.urgent { NO_EVAL } else { eval };
            self.keep(key, ply, (best_place, best, kept), depth, bound);
        }
        best
    }

    pub(crate) fn keep(
        &self,
        key: u64,
        ply: usize,
        (best, score, eval): (u16, Score, Score),
        depth: i32,
        bound: Bound,
    ) {
        self.memory.put(key, ply, Entry { best, score, eval, depth, bound });
    }

    /// A new best move at `ply`: it and what follows it.
    pub(crate) fn found(&mut self, m: P::Move, ply: usize) {
        let (above, below) = self.frames.split_at_mut(ply + BEFORE + 1);
        let pv = &mut above[ply + BEFORE].pv;
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(&below[0].pv);
    }

    /// The move that refuted rises, and those that failed before it sink.
    fn reward(&mut self, node: &Node, m: P::Move, slot: usize, noisy: bool, failed: &[(usize, bool)]) {
        let bonus = (160 * node.depth - 100).clamp(20, 1600);
        let past = self.past(node.ply);
        if noisy {
            self.history.note_noisy(slot, bonus);
        } else {
            self.history.note_quiet(slot, past, bonus);
            let killers = &mut self.frame(node.ply).killers;
            if killers[0] != Some(m) {
                *killers = [Some(m), killers[0]];
            }
        }
        for &(slot, was_noisy) in failed {
            if was_noisy {
                self.history.note_noisy(slot, -bonus);
            } else if !noisy {
                self.history.note_quiet(slot, past, -bonus);
            }
        }
    }

    /// Whether a quiet move comes so late, near the horizon, that it is not worth a look.
    fn is_too_late(&self, node: &Node, quiets: usize, past: i32, eval: Score, alpha: Score) -> bool {
        if node.urgent || node.pv {
            return false;
        }
        let depth = node.depth;
        if self.policy.skip_late && depth <= 8 {
            let most = (3 + depth * depth) / if node.improving { 1 } else { 2 };
            if quiets as i32 > most {
                return true;
            }
            if depth <= 3 && past < -4000 * depth {
                return true;
            }
        }
        match self.policy.futility {
            Some(margin) if depth <= self.policy.futility_depth.min(6) => {
                eval + margin * (depth + 1) + past / 128 <= alpha
            }
            _ => false,
        }
    }

    /// How many plies less a move is searched that comes so late.
    fn less(&self, node: &Node, depth: i32, tried: usize, noisy: bool, past: i32) -> i32 {
        let Some(from) = self.policy.reduce_from else { return 0 };
        if depth < 3 || tried <= from || node.urgent {
            return 0;
        }
        let late = i32::from(self.lateness[depth.min(63) as usize][tried.min(63)]);
        let mut plies = if noisy { late / 2 } else { late };
        plies += 16 * (i32::from(node.cut) - i32::from(node.pv) - i32::from(node.improving));
        plies -= past / 512;
        (plies / 16).clamp(0, self.policy.reduce_most)
    }

    /// Ways to leave a node before its moves are tried. Not in the principal variation, and not where something must be
    /// answered.
    #[expect(clippy::too_many_arguments, reason = "they are the node")]
    fn shortcut(
        &mut self,
        alpha: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        eval: Score,
        improving: bool,
        cut: bool,
    ) -> Option<Score> {
        if let Some(margin) = self.policy.razor {
            if depth <= 3 && eval + margin * depth <= alpha {
                let score = self.quiet(alpha, beta, ply, 0);
                if score <= alpha || self.halt.halted {
                    return Some(score);
                }
            }
        }
        if let Some(margin) = self.policy.futility {
            let depth_left = depth - i32::from(improving);
            if depth <= self.policy.futility_depth && eval - margin * depth_left >= beta {
                return Some((eval + beta) / 2);
            }
        }
        if self.policy.null_move && depth >= 3 && eval >= beta && self.line.has_past() {
            if let Some(score) = self.null(beta, depth, ply, eval, cut) {
                return Some(score);
            }
        }
        let probcut = self.policy.probcut?;
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

    /// If passing leaves the side above beta, so does its best move.
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
        let null_move = std::mem::replace(&mut self.policy.null_move, false);
        let verified = self.node(beta - 1, beta, depth - less, ply, false);
        self.policy.null_move = null_move;
        (verified >= beta).then_some(score)
    }

    /// A capture that comes out far above beta in a shallow search would do so in a deep one.
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
            let mut score = sign(self.quiet(low, high, ply + 1, 0));
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

    /// Asks whether the table's move is the only good one: whether all others are clearly below what it promises.
    fn stands_out(&mut self, node: &Node, known: Option<Entry>, depth: i32) -> Option<Alone> {
        let entry = known?;
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

/// What follows from a move that was compared with all others.
enum Alone {
    /// It is searched so many plies deeper.
    Extend(i32),
    /// Several moves are above beta.
    Cut(Score),
}

/// A node whose moves are tried.
struct Node {
    base: usize,
    count: usize,
    alpha: Score,
    beta: Score,
    depth: i32,
    ply: usize,
    pv: bool,
    cut: bool,
    improving: bool,
    urgent: bool,
    excluded: u16,
}

/// What an end is worth for `turn`, when a win is worth `win`.
fn worth(outcome: Outcome, turn: Side, win: Score) -> Score {
    match outcome.winner() {
        Some(side) if side == turn => win,
        Some(_) => -win,
        None => DRAW,
    }
}

const _: () = assert!(PROVED > BY_RULE && BY_RULE > MOST);
