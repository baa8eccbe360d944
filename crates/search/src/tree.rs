//! Alpha-beta: principal variation search, with the shortcuts a game's policy calls sound.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use kernel::{Game, Outcome, Position, Side};

use crate::evaluator::{Effort, Evaluator, Forced, Known, Policy};
use crate::limits::{Deadline, Noise, Stop};
use crate::line::Line;
use crate::order::{self, History, NOTHING, Rank, rank};
use crate::score::{BY_RULE, DEEPEST, DRAW, INFINITE, MOST, PROVED, Score, win_in};
use crate::transposition::{Bound, Entry, NO_EVAL, NO_MOVE, TranspositionTable};

/// One thread's search.
pub(crate) struct Searcher<'a, P: Position, E> {
    pub(crate) line: Line<P>,
    pub(crate) eval: E,
    /// True while null moves may be tried, where the policy allows them.
    pub(crate) passes: bool,
    pub(crate) memory: &'a TranspositionTable,
    pub(crate) history: History,
    pub(crate) frames: Vec<Frame<P::Move>>,
    /// The moves of all nodes from the root to here, one list after the other; and their ranks.
    pub(crate) moves: Vec<P::Move>,
    pub(crate) ranks: Vec<Rank>,
    /// Positions looked at, those of the game's own solver too; and how many of them are the tree's.
    pub(crate) nodes: u64,
    /// The number of nodes left until the clock is looked at.
    unpolled: u64,
    /// The number of nodes, of a helper thread, already added to [`Halt::helped`].
    told: u64,
    /// The furthest ply of this iteration.
    pub(crate) furthest: usize,
    pub(crate) halt: Halt<'a>,
    pub(crate) noise: Option<Noise>,
    /// Places of root moves that are left out: outside the requested moves, or already first in other lines.
    pub(crate) taken: Vec<u16>,
    /// Moves that are tried at the root behind the candidates: more lines are wanted than there are candidates, or these moves.
    pub(crate) more: Vec<P::Move>,
    /// The side to move at the root.
    root_turn: Side,
    /// True if the rules declared the game drawn before the root, yet it goes on: their counts are ignored from then
    /// on.
    past_draws: bool,
    /// The depth of the iteration.
    pub(crate) depth: i32,
    /// The best score at the root in the current pass.
    pub(crate) best: Score,
    pub(crate) lateness: Lateness,
}

/// The state of one ply of the current line.
#[derive(Clone)]
pub(crate) struct Frame<M> {
    eval: Score,
    /// The slot of the move played here; [`NOTHING`] for a pass.
    pub(crate) slot: usize,
    /// The place of a move left out, while it is asked whether the others are worse.
    pub(crate) excluded: u16,
    pub(crate) killers: [Option<M>; 2],
    /// The best line from here. Only nodes of the principal variation write it; the one above empties it.
    pub(crate) pv: Vec<M>,
}

/// The conditions at which the search ends.
pub(crate) struct Halt<'a> {
    pub(crate) deadline: Deadline,
    pub(crate) nodes: u64,
    pub(crate) stop: &'a Stop,
    /// Set when the first thread is done.
    pub(crate) over: &'a AtomicBool,
    /// Positions that the other threads have looked at; and whether this is one of them.
    pub(crate) helped: &'a AtomicU64,
    pub(crate) helps: bool,
    pub(crate) poll: u64,
    pub(crate) halted: bool,
}

/// Moves of a node that are looked at, at most: their places are kept in 16 bits.
pub(crate) const MOST_MOVES: usize = 60_000;

/// The bonus, in move ordering, of a move whose hint is at least [`Policy::hint_kept`].
const KEPT: i32 = 1 << 20;

/// The frames before the root, so that every ply has two before it.
pub(crate) const BEFORE: usize = 2;

/// The reduction of a late move, by depth and place, in 1/16 ply.
pub(crate) type Lateness = Box<[[i16; 64]; 64]>;

/// Computes the table from the number of plies that every late move loses, and the divisor of what depth and lateness
/// add.
fn lateness((base, divisor): (f64, f64)) -> Lateness {
    let mut table = Box::new([[0; 64]; 64]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (late, plies) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (late as f64).ln();
            *plies = (16.0 * (base + product / divisor)) as i16;
        }
    }
    table
}

impl<'a, P: Position, E: Evaluator<P>> Searcher<'a, P, E> {
    pub(crate) fn new(
        game: &Game<P>,
        mut eval: E,
        memory: &'a TranspositionTable,
        halt: Halt<'a>,
        noise: Option<Noise>,
    ) -> Self {
        eval.reset(game.position());
        let policy = eval.policy();
        let slots = policy.slots;
        debug_assert!(E::POLICY.is_none_or(|named| Policy { slots, ..named.clone() } == *policy));
        let lateness = lateness(policy.lateness);
        let frame =
            Frame { eval: DRAW, slot: NOTHING, excluded: NO_MOVE, killers: [None; 2], pv: Vec::new() };
        Searcher {
            line: Line::new(game),
            eval,
            history: memory.take_history(slots),
            lateness,
            passes: true,
            memory,
            frames: vec![frame; DEEPEST + BEFORE + 1],
            moves: Vec::with_capacity(4096),
            ranks: Vec::with_capacity(4096),
            nodes: 0,
            unpolled: halt.poll,
            told: 0,
            furthest: 0,
            halt,
            noise,
            taken: Vec::new(),
            more: Vec::new(),
            root_turn: game.position().turn(),
            past_draws: game.position().drawn().is_some(),
            depth: 0,
            best: -INFINITE,
        }
    }

    /// Returns the shortcuts that are sound; a constant where the game has [`Evaluator::POLICY`].
    #[inline(always)]
    pub(crate) fn policy(&self) -> &Policy {
        E::POLICY.unwrap_or_else(|| self.eval.policy())
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
        self.unpolled -= 1;
        if self.unpolled == 0 {
            self.unpolled = halt.poll;
            halt.halted =
                halt.stop.is_raised() || halt.over.load(Ordering::Relaxed) || halt.deadline.is_over();
            if halt.helps {
                halt.helped.fetch_add(self.nodes - self.told, Ordering::Relaxed);
                self.told = self.nodes;
            }
        }
        self.furthest = self.furthest.max(ply);
        self.halt.halted
    }

    /// Returns the score if the game is over here, by the position, by a counter, or by repetition; or if an endgame
    /// table has the result.
    #[inline]
    pub(crate) fn end(&mut self, ply: usize) -> Option<Score> {
        let pos = self.line.now();
        if let Some(outcome) = self.eval.ended(pos) {
            return Some(worth(outcome, pos.turn(), win_in(ply)));
        }
        if !self.past_draws && pos.drawn().is_some() {
            // A mate on the last move counts before the count.
            return Some(pos.outcome().map_or(DRAW, |outcome| worth(outcome, pos.turn(), win_in(ply))));
        }
        let back = self.eval.looks_back(pos);
        if let Some(verdict) = self.line.repeats(back) {
            let pos = self.line.now();
            let cost = self.policy().shuns_repeats;
            let silent = if pos.turn() == self.root_turn { -cost } else { cost };
            return Some(
                verdict.map_or(silent, |outcome| worth(outcome, pos.turn(), BY_RULE - ply as Score)),
            );
        }
        Some(match self.eval.known(self.line.now())? {
            Known::Win(plies) => win_in(ply + plies as usize),
            Known::Loss(plies) => -win_in(ply + plies as usize),
            Known::Draw => DRAW,
        })
    }

    /// A win that the game's own solver finds here.
    #[inline]
    pub(crate) fn forced(&mut self, effort: Effort) -> Option<Forced<P::Move>> {
        let win = self.eval.forced(self.line.now(), effort);
        self.nodes += self.eval.looked_at();
        win
    }

    /// Returns the score of a position for which no move was listed.
    pub(crate) fn stuck(&self, ply: usize) -> Score {
        let pos = self.line.now();
        pos.outcome().map_or(DRAW, |outcome| worth(outcome, pos.turn(), win_in(ply)))
    }

    /// The evaluation, as a player of this level sees it.
    pub(crate) fn evaluate(&mut self) -> Score {
        let error = self.noise.map_or(0, |noise| noise.at(self.line.key()));
        (self.eval.score(self.line.now()) + error).clamp(-MOST, MOST)
    }

    /// Returns the key of the position in the transposition table.
    #[inline]
    pub(crate) fn key(&mut self) -> u64 {
        let key = self.line.key();
        self.eval.key(self.line.now(), key)
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

    /// Returns the score of the position after a move, from the view of the side that moved: it changes its sign only
    /// if the turn changed.
    pub(crate) fn child(
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
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Score {
        if depth <= 0 {
            return self.qsearch(alpha, beta, ply, 0);
        }
        let pv = beta - alpha > 1;
        let excluded = self.frame(ply).excluded;
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

        let known = if excluded == NO_MOVE { self.memory.get(self.key(), ply) } else { None };
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

        if ply > 0
            && known.is_none()
            && excluded == NO_MOVE
            && let Some(win) = self.forced(Effort::Node { depth })
        {
            let score = win_in(ply + win.plies as usize);
            self.keep(ply, (NO_MOVE, score, NO_EVAL), depth, Bound::Lower);
            return score;
        }

        let urgent = self.eval.is_urgent(self.line.now());
        let eval = match known {
            _ if urgent => self.frames[ply].eval,
            Some(entry) if entry.eval != NO_EVAL => entry.eval,
            _ if self.policy().judges() => self.evaluate(),
            _ => NO_EVAL,
        };
        self.frame(ply).eval = eval;
        let improving = !urgent && eval > self.frames[ply].eval;
        // A search of the position, however shallow, knows more than a glance.
        let guess = match known {
            Some(entry) if !urgent && entry.score.abs() < BY_RULE => match entry.bound {
                Bound::Lower => eval.max(entry.score),
                Bound::Upper => eval.min(entry.score),
                Bound::Exact => entry.score,
                Bound::None => eval,
            },
            _ => eval,
        };

        let mut node = Node {
            base: self.moves.len(),
            count: 0,
            alpha,
            beta,
            depth,
            ply,
            pv,
            cut,
            improving,
            urgent,
            settled: urgent || self.eval.is_settled(self.line.now()),
            excluded,
        };
        if !pv && !urgent && node.settled && excluded == NO_MOVE && beta.abs() < BY_RULE {
            if let Some(score) = self.shortcut(&node, guess) {
                return score;
            }
            if self.halt.halted {
                return DRAW;
            }
        }
        if self.policy().reduce_unknown && first_choice == NO_MOVE && depth >= 4 && excluded == NO_MOVE {
            node.depth -= 1;
        }
        let base = node.base;
        self.list(ply);
        node.count = self.moves.len() - base;
        let may_extend = ply > 0 && ply < 2 * self.depth as usize;
        if may_extend && if self.policy().extend { urgent } else { node.count == 1 } {
            node.depth += 1;
        }
        let score = if node.count == 0 { self.stuck(ply) } else { self.moves_of(&node, known, eval) };
        self.moves.truncate(base);
        self.ranks.truncate(base);
        score
    }

    /// Lists the moves of the position now behind those of the nodes above; they have no ranks yet.
    fn list(&mut self, ply: usize) {
        let base = self.moves.len();
        self.eval.candidates(self.line.now(), &mut self.moves);
        if ply == 0 {
            self.moves.extend_from_slice(&self.more);
        }
        self.moves.truncate(base + MOST_MOVES);
        self.ranks.resize(self.moves.len(), 0);
    }

    /// Ranks the moves of a node; returns true if any is noisy.
    pub(crate) fn rank(&mut self, node: &Node, first_choice: u16) -> bool {
        let past = self.past(node.ply);
        let hint_kept = self.policy().hint_kept;
        let Searcher { line, eval, history, moves, ranks, .. } = self;
        let (pos, known) = (line.now(), history.after(past));
        let killers = &self.frames[node.ply + BEFORE].killers;
        let mut noisy = false;
        let listed = moves[node.base..].iter().zip(&mut ranks[node.base..]);
        for (place, (&m, ranked)) in listed.take(node.count).enumerate() {
            let is_noisy = eval.is_noisy(pos, m);
            noisy |= is_noisy;
            let score = if place == usize::from(first_choice) {
                order::FIRST
            } else if is_noisy {
                let gain = eval.gain(pos, m);
                let past = history.noisy(eval.slot(pos, m)) / 32;
                order::capture(gain, past)
            } else if killers.contains(&Some(m)) {
                order::KILLER
            } else {
                let hint = eval.hint(pos, m);
                let first = if hint >= hint_kept { KEPT } else { 0 };
                known.quiet(eval.slot(pos, m)) + hint + first
            };
            *ranked = rank(score, place);
        }
        noisy
    }

    /// Stores the result of the current position in the table.
    pub(crate) fn keep(
        &mut self,
        ply: usize,
        (best, score, eval): (u16, Score, Score),
        depth: i32,
        bound: Bound,
    ) {
        let key = self.key();
        self.memory.put(key, ply, Entry { best, score, eval, depth, bound });
    }

    /// Records a new best move at `ply`: it and the line that follows it.
    pub(crate) fn found(&mut self, m: P::Move, ply: usize) {
        let (above, below) = self.frames.split_at_mut(ply + BEFORE + 1);
        let pv = &mut above[ply + BEFORE].pv;
        pv.clear();
        pv.push(m);
        pv.extend_from_slice(&below[0].pv);
    }
}

/// A node whose moves are tried.
pub(crate) struct Node {
    pub(crate) base: usize,
    pub(crate) count: usize,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    pub(crate) pv: bool,
    pub(crate) cut: bool,
    pub(crate) improving: bool,
    pub(crate) urgent: bool,
    pub(crate) settled: bool,
    pub(crate) excluded: u16,
}

/// Returns the score of an outcome for `turn`, when a win is worth `win`.
fn worth(outcome: Outcome, turn: Side, win: Score) -> Score {
    match outcome.winner() {
        Some(side) if side == turn => win,
        Some(_) => -win,
        None => DRAW,
    }
}

const _: () = assert!(PROVED > BY_RULE && BY_RULE > MOST);
