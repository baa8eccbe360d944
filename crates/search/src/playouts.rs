//! Search by playouts (Monte Carlo tree search, MCTS): for games whose aim no evaluation sees.
//!
//! A tree of positions grows by one move with each playout: from the root along the moves that promise most (UCT:
//! Kocsis and Szepesvári 2006), then by random moves to the end of the game, or to where a [`Walker`] judges. A move is
//! also worth what it was worth wherever its side played it later (AMAF, RAVE: Gelly and Silver 2007), and what is won
//! or lost for certain is not tried again (MCTS-Solver: Winands, Björnsson and Saito 2008). With one thread, limits by
//! positions and the same seed the answer is always the same.

use kernel::{Outcome, Position, Side};

use crate::limits::{Deadline, SearchLimits};
use crate::root::{Bound, Info, PvLine, SearchResult};
use crate::score::{DRAW, Score, win_in};

/// The part of a search by playouts that belongs to one game.
pub trait Walker<P: Position> {
    /// Plays `first` from a position, then random moves that follow from `seed`; at most `longest` plies, or as many as
    /// the walker thinks right. With `first` it plays at least that move.
    fn walk(&mut self, pos: &P, first: Option<P::Move>, longest: Option<u32>, seed: u64) -> Walk<P::Move>;

    /// Returns the score, in hundredths for the side to move, of a chance to win from 0 to 1.
    fn score(&self, chance: f64) -> Score;

    /// Returns the most positions that may be kept at the same time: memory is bounded by it.
    fn most_positions(&self) -> usize;

    /// Returns true if a position that was found to be won is won for certain: nothing was left to chance on the way.
    fn may_prove(&self) -> bool;

    /// Returns true if no further playout is of use: those before have failed.
    fn has_failed(&self) -> bool {
        false
    }
}

/// The course of a playout.
#[derive(Clone, PartialEq, Debug)]
pub struct Walk<M> {
    /// The moves in order, each with the side that made it.
    pub moves: Vec<(Side, M)>,
    /// The chance of the first side to win at the end, from 0 to 1.
    pub chance: f64,
    /// True if the game was over at the end.
    pub is_over: bool,
}

/// The most moves in the tree, of all positions together: some 16 MB.
const MOST_EDGES: usize = 1 << 18;
/// The weight of curiosity: a move that was tried seldom counts as this much better, times √(ln N / n).
const CURIOSITY: f64 = 0.45;
/// The number of playouts after which a move's own results weigh about as much as those of the same move later on.
const EQUAL_WEIGHT: f64 = 100.0;
/// The weight of what a position is worth before a move of it was tried, in playouts.
const PRIOR: f64 = 2.0;
/// The share of the positions that may be spent on looking at each move of the root once.
const SWEEP: u64 = 4;
/// The longest line that is shown, in plies.
const LONGEST_LINE: usize = 32;

/// Searches positions by playouts; `None` when the game is over there. `starts` are one position, or the same position
/// in several worlds in which chance goes on otherwise: then a move is worth its average. `among`: the moves of the
/// root that are tried, all when it is empty.
///
/// Positions are counted by plies, those of playouts included. The depth of a line is that of the tree along it.
pub fn think<P: Position, W: Walker<P>>(
    starts: &[P],
    walker: &mut W,
    limits: &SearchLimits,
    among: &[P::Move],
    seed: u64,
    report: &mut dyn FnMut(&Info<P::Move>),
) -> Option<SearchResult<P::Move>> {
    let first = starts.first()?;
    if first.outcome().is_some() {
        return None;
    }
    let trees: Vec<Tree<P>> = starts.iter().map(|start| Tree::new(start.clone(), among, seed)).collect();
    if trees[0].nodes[0].edges.is_empty() {
        return None;
    }
    let deadline = Deadline::of(limits);
    Some(Playouts { trees, walker, limits, deadline, seed, spent: 0, number: 0, report }.run())
}

/// A search in progress.
struct Playouts<'a, P: Position, W> {
    /// The tree of each world.
    trees: Vec<Tree<P>>,
    walker: &'a mut W,
    limits: &'a SearchLimits,
    deadline: Deadline,
    seed: u64,
    /// Plies played so far.
    spent: u64,
    /// Playouts so far.
    number: u64,
    report: &'a mut dyn FnMut(&Info<P::Move>),
}

/// The positions that were met in one world.
struct Tree<P: Position> {
    nodes: Vec<Node<P>>,
    edges: usize,
    /// True if ends are proofs in it.
    proves: bool,
    /// The numbers for equal moves.
    mixed: u64,
}

struct Node<P: Position> {
    pos: P,
    turn: Side,
    visits: u32,
    /// The sum of the results for the side to move.
    sum: f64,
    edges: Vec<Edge<P::Move>>,
}

/// A move of a position in the tree.
struct Edge<M> {
    m: M,
    visits: u32,
    /// The sum of the results for the side that moves.
    sum: f64,
    /// The number and the sum of the results of playouts in which the side made this move, now or later.
    later: [f32; 2],
    /// The value for the side that moves before it was tried, from 0 to 1; a little apart, so that equal moves come in
    /// no order.
    prior: f64,
    /// The position that it leads to, once it is in the tree.
    node: Option<u32>,
    /// The result with best play, and the plies to it.
    known: Option<(End, u32)>,
}

/// A result that is certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Win(Side),
    Even,
}

impl End {
    fn of(chance: f64) -> End {
        if chance >= 1.0 {
            End::Win(Side::First)
        } else if chance <= 0.0 {
            End::Win(Side::Second)
        } else {
            End::Even
        }
    }

    fn of_outcome(outcome: Outcome) -> End {
        outcome.winner().map_or(End::Even, End::Win)
    }

    /// The chance of a side to win.
    fn chance(self, side: Side) -> f64 {
        match self {
            End::Win(winner) if winner == side => 1.0,
            End::Win(_) => 0.0,
            End::Even => 0.5,
        }
    }
}

/// A number from 0 to 1 that follows from another (the finaliser of SplitMix64: Steele, Lea and Flood 2014).
fn fraction(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

fn for_side(chance: f64, side: Side) -> f64 {
    if side == Side::First { chance } else { 1.0 - chance }
}

impl<M> Edge<M> {
    /// The value for the side that moves, from 0 to 1, by all that is known.
    fn value(&self, mean: f64) -> f64 {
        let visits = f64::from(self.visits);
        let prior = (mean + self.prior) / 2.0;
        let [count, sum] = self.later.map(f64::from);
        let later = (sum + PRIOR * prior) / (count + PRIOR);
        let weight = (EQUAL_WEIGHT / (3.0 * visits + EQUAL_WEIGHT)).sqrt();
        let own = if self.visits == 0 { later } else { self.sum / visits };
        (1.0 - weight) * own + weight * later
    }
}

impl<P: Position> Node<P> {
    fn new(pos: P, moves: impl Iterator<Item = P::Move>, mixed: &mut u64) -> Node<P> {
        let turn = pos.turn();
        let edge = |m| Edge {
            m,
            visits: 0,
            sum: 0.0,
            later: [0.0; 2],
            prior: 0.5 + 0.001 * fraction(mixed),
            node: None,
            known: None,
        };
        Node { turn, edges: moves.map(edge).collect(), pos, visits: 0, sum: 0.0 }
    }

    fn mean(&self) -> f64 {
        (self.sum + 0.5) / (f64::from(self.visits) + 1.0)
    }

    /// The move to try next: the one that promises most, and none that is lost while there are others.
    fn chosen(&self) -> usize {
        let mean = self.mean();
        let log = f64::from(self.visits + 1).ln();
        let promise = |edge: &Edge<P::Move>| match edge.known {
            Some((End::Even, _)) => 0.5,
            Some((end, _)) => 3.0 * end.chance(self.turn) - 1.0,
            None => edge.value(mean) + CURIOSITY * (log / f64::from(edge.visits + 1)).sqrt(),
        };
        let mut best = (0, f64::NEG_INFINITY);
        for (at, edge) in self.edges.iter().enumerate() {
            let promise = promise(edge);
            if promise > best.1 {
                best = (at, promise);
            }
        }
        best.0
    }

    /// The result with best play, if it follows from the moves, and the plies to it.
    fn known(&self) -> Option<(End, u32)> {
        let ends = || self.edges.iter().filter_map(|edge| edge.known);
        let won = ends().filter(|(end, _)| *end == End::Win(self.turn)).min_by_key(|known| known.1);
        if won.is_some() {
            return won;
        }
        if self.edges.iter().any(|edge| edge.known.is_none()) {
            return None;
        }
        let even = ends().find(|(end, _)| *end == End::Even);
        even.or_else(|| ends().max_by_key(|known| known.1))
    }
}

impl<P: Position> Tree<P> {
    fn new(start: P, among: &[P::Move], seed: u64) -> Tree<P> {
        let mut mixed = seed;
        let mut moves = Vec::new();
        start.moves(&mut moves);
        moves.retain(|m| among.is_empty() || among.contains(m));
        let root = Node::new(start, moves.into_iter(), &mut mixed);
        Tree { edges: root.edges.len(), nodes: vec![root], proves: false, mixed }
    }

    /// Puts the position after a move into the tree, and returns its number; `None` where there is no room, or the game
    /// is over there.
    fn grow(&mut self, node: usize, edge: usize, most: usize) -> Option<usize> {
        if self.nodes.len() >= most || self.edges >= MOST_EDGES {
            return None;
        }
        let mut pos = self.nodes[node].pos.clone();
        pos.play(self.nodes[node].edges[edge].m);
        if let Some(outcome) = pos.outcome() {
            if self.proves {
                self.nodes[node].edges[edge].known = Some((End::of_outcome(outcome), 1));
            }
            return None;
        }
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        let new = Node::new(pos, moves.into_iter(), &mut self.mixed);
        self.edges += new.edges.len();
        let number = self.nodes.len();
        self.nodes.push(new);
        self.nodes[node].edges[edge].node = Some(number as u32);
        Some(number)
    }

    /// Adds the result of a playout to the moves on the way to it, and notes what is certain now.
    fn learn(&mut self, path: &[(usize, usize)], walk: &Walk<P::Move>) {
        let mut later = walk.moves.clone();
        let mut is_known = self.proves;
        for &(number, at) in path.iter().rev() {
            if let Some(child) = self.nodes[number].edges[at].node.filter(|_| is_known) {
                let known = self.nodes[child as usize].known();
                self.nodes[number].edges[at].known = known.map(|(end, plies)| (end, plies + 1));
            }
            let node = &mut self.nodes[number];
            let result = for_side(walk.chance, node.turn);
            node.visits += 1;
            node.sum += result;
            let edge = &mut node.edges[at];
            edge.visits += 1;
            edge.sum += result;
            is_known &= edge.known.is_some();
            let made = (node.turn, edge.m);
            if !later.contains(&made) {
                later.push(made);
            }
            for edge in &mut node.edges {
                if later.contains(&(node.turn, edge.m)) {
                    edge.later[0] += 1.0;
                    edge.later[1] += result as f32;
                }
            }
        }
    }

    /// The move of a position that was tried most, of those that are not lost.
    fn best(&self, number: usize) -> Option<usize> {
        let node = &self.nodes[number];
        let edges =
            (0..node.edges.len()).filter(|&at| node.edges[at].visits > 0 || node.edges[at].known.is_some());
        edges.max_by(|&one, &other| {
            let rank = |at: usize| Rank::of([&node.edges[at]].into_iter(), node.turn, node.mean());
            rank(one).order(&rank(other))
        })
    }

    /// The moves that are expected after a move of the root.
    fn line(&self, at: usize) -> Vec<P::Move> {
        let mut edge = &self.nodes[0].edges[at];
        let mut moves = vec![edge.m];
        while let Some(node) = edge.node.filter(|_| moves.len() < LONGEST_LINE) {
            let Some(best) = self.best(node as usize) else { break };
            edge = &self.nodes[node as usize].edges[best];
            moves.push(edge.m);
        }
        moves
    }
}

/// The standing of a move among others, over all worlds.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Rank {
    /// 1 for a win, -1 for a loss, 0 where nothing is certain; and the plies to it.
    known: (i32, u32),
    is_even: bool,
    visits: u32,
    /// The chance of the side that moves.
    value: f64,
}

impl Rank {
    fn of<'a, M: 'a>(edges: impl Iterator<Item = &'a Edge<M>>, turn: Side, mean: f64) -> Rank {
        let (mut visits, mut sum, mut count, mut worlds) = (0, 0.0, 0, 0);
        let mut known = None;
        for edge in edges {
            visits += edge.visits;
            sum += if edge.visits == 0 { edge.value(mean) } else { edge.sum };
            count += edge.visits.max(1);
            worlds += 1;
            known = edge.known;
        }
        // In several worlds nothing is certain.
        let known = known.filter(|_| worlds == 1);
        // A few playouts that were all won are no certainty.
        let shrunk = (sum + 0.5) / (f64::from(count) + 1.0);
        let value = known.map_or(shrunk, |(end, _)| end.chance(turn));
        let certain = match known {
            Some((End::Win(winner), plies)) => (if winner == turn { 1 } else { -1 }, plies),
            _ => (0, 0),
        };
        Rank { known: certain, is_even: matches!(known, Some((End::Even, _))), visits, value }
    }

    /// Wins first, the shortest before; then by how often a move was tried; last what is lost, the longest before.
    fn order(&self, other: &Rank) -> std::cmp::Ordering {
        let plies = |rank: &Rank| -i64::from(rank.known.0) * i64::from(rank.known.1);
        (self.known.0.cmp(&other.known.0))
            .then_with(|| plies(self).cmp(&plies(other)))
            .then_with(|| match (self.is_even, other.is_even) {
                // A draw is better than what promises less, however often that was tried.
                (true, false) => 0.5_f64.total_cmp(&other.value),
                (false, true) => self.value.total_cmp(&0.5),
                _ => std::cmp::Ordering::Equal,
            })
            .then_with(|| self.visits.cmp(&other.visits))
            .then_with(|| self.value.total_cmp(&other.value))
    }

    fn score(&self, of_chance: impl Fn(f64) -> Score) -> Score {
        match self.known {
            (1, plies) => win_in(plies as usize),
            (-1, plies) => -win_in(plies as usize),
            _ if self.is_even => DRAW,
            _ => of_chance(self.value),
        }
    }
}

impl<P: Position, W: Walker<P>> Playouts<'_, P, W> {
    fn run(mut self) -> SearchResult<P::Move> {
        let proves = self.trees.len() == 1 && self.walker.may_prove();
        self.trees.iter_mut().for_each(|tree| tree.proves = proves);
        let moves = self.trees[0].nodes[0].edges.len() as u64;
        let affords = self.limits.nodes.is_none_or(|nodes| moves * SWEEP <= nodes);
        if affords && moves > 1 && self.trees.len() == 1 {
            self.sweep();
        }
        let mut told = 0;
        // One playout at least, so that the first move that is listed is not played unseen.
        while self.number == 0 || !self.is_over() {
            self.playout();
            if self.number >= told * 2 {
                told = self.number;
                self.tell(&self.ranked());
            }
        }
        let lines = self.ranked();
        self.tell(&lines);
        let depth = lines.first().map_or(0, |line| line.depth);
        SearchResult { finished: lines.clone(), lines, depth, nodes: self.spent }
    }

    fn is_over(&self) -> bool {
        self.limits.stop.is_raised()
            || self.walker.has_failed()
            || self.limits.nodes.is_some_and(|nodes| self.spent >= nodes)
            || self.deadline.is_soft_limit_reached(1.0)
            || (self.trees.len() == 1 && self.trees[0].nodes[0].known().is_some())
            || (self.trees[0].nodes[0].edges.len() == 1 && self.deadline.hard.is_some())
    }

    fn next_seed(&mut self) -> u64 {
        self.number += 1;
        let mut state = self.seed ^ self.number.wrapping_mul(0xD134_2543_DE82_EF95);
        (fraction(&mut state) * (1u64 << 53) as f64) as u64
    }

    /// Looks at the position after each move of the root once: what ends the game is known before anything is tried.
    fn sweep(&mut self) {
        for at in 0..self.trees[0].nodes[0].edges.len() {
            if self.limits.stop.is_raised() || self.deadline.has_used_percent(25) {
                return;
            }
            let seed = self.next_seed();
            let tree = &mut self.trees[0];
            let root = &tree.nodes[0];
            let walk = self.walker.walk(&root.pos, Some(root.edges[at].m), Some(1), seed);
            self.spent += walk.moves.len().max(1) as u64;
            let turn = root.turn;
            let known = (walk.is_over && tree.proves).then(|| (End::of(walk.chance), 1));
            let prior = for_side(walk.chance, turn);
            let edge = &mut tree.nodes[0].edges[at];
            edge.known = known;
            edge.prior += prior - 0.5;
            if known == Some((End::Win(turn), 1)) {
                return;
            }
        }
    }

    /// One playout, in the world whose turn it is.
    fn playout(&mut self) {
        let seed = self.next_seed();
        let world = self.number as usize % self.trees.len();
        let most = self.walker.most_positions() / self.trees.len();
        let mut path = Vec::new();
        let mut node = 0;
        let walk = loop {
            let tree = &mut self.trees[world];
            let at = tree.nodes[node].chosen();
            path.push((node, at));
            let edge = &tree.nodes[node].edges[at];
            if let Some((end, _)) = edge.known {
                self.spent += 1;
                break Walk { moves: Vec::new(), chance: end.chance(Side::First), is_over: true };
            }
            if let Some(child) = edge.node {
                node = child as usize;
                continue;
            }
            // The second time a move is tried the position after it joins the tree.
            if edge.visits > 0 && path.len() < LONGEST_LINE {
                let grown = tree.grow(node, at, most);
                self.spent += 1;
                if let Some(child) = grown {
                    node = child;
                    continue;
                }
            }
            let (pos, edge) = (&tree.nodes[node].pos, &tree.nodes[node].edges[at]);
            if let Some((end, _)) = edge.known {
                break Walk { moves: Vec::new(), chance: end.chance(Side::First), is_over: true };
            }
            let walk = self.walker.walk(pos, Some(edge.m), None, seed);
            self.spent += walk.moves.len().max(1) as u64;
            if walk.is_over && walk.moves.len() == 1 && tree.proves {
                tree.nodes[node].edges[at].known = Some((End::of(walk.chance), 1));
            }
            break walk;
        };
        self.trees[world].learn(&path, &walk);
    }

    /// The best moves, as many as are asked for, the best first.
    fn ranked(&self) -> Vec<PvLine<P::Move>> {
        let root = &self.trees[0].nodes[0];
        let mean = root.mean();
        let rank = |at: usize| {
            let edges = self.trees.iter().filter_map(move |tree| tree.nodes[0].edges.get(at));
            (Rank::of(edges, root.turn, mean), at)
        };
        let mut ranks: Vec<(Rank, usize)> = (0..root.edges.len()).map(rank).collect();
        ranks.sort_by(|one, other| other.0.order(&one.0));
        ranks.truncate(self.limits.lines.max(1));
        let mut worst = Score::MAX;
        let line = |(rank, at): (Rank, usize)| {
            // A move that was tried less often may promise more by chance.
            worst = worst.min(rank.score(|chance| self.walker.score(chance)));
            let moves = if self.trees.len() == 1 { self.trees[0].line(at) } else { vec![root.edges[at].m] };
            PvLine { score: worst, depth: moves.len() as u32, moves }
        };
        ranks.into_iter().map(line).collect()
    }

    fn tell(&mut self, lines: &[PvLine<P::Move>]) {
        for (index, line) in lines.iter().enumerate() {
            (self.report)(&Info {
                depth: line.depth,
                seldepth: line.depth,
                line: index + 1,
                score: line.score,
                bound: Bound::Exact,
                nodes: self.spent,
                time: self.deadline.elapsed(),
                hashfull: 0,
                moves: line.moves.clone(),
            });
        }
    }
}
