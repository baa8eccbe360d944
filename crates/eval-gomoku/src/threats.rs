//! Solver for victory by threats (VCT): fours and threes, each of which must be answered.
//!
//! A stone is a threat when the attacker, if nothing were answered, would win by [continuous fours](super::fours).
//! The answers that could matter are the points of that win and the defender's own fours. Proof-number search (Allis
//! 1994) goes where the fewest open questions are left, in a tree that is kept in memory:
//!
//! ```text
//! attacker to move    solved when one stone wins
//!   └ defender to move    solved when each answer loses; then every answer that was not looked at is tried
//!                         against the threat itself, and one that stops it becomes a question more
//! ```
//!
//! So a win that is found is a proof for all defences, and [`check`](super::check) agrees.

use std::time::Instant;

use kernel::Side;

use super::fours::FourSolver;
use super::kind::StoneKind;
use super::proof::{Proof, Then};
use super::shapes::Shapes;
use ::gomoku::Rule;

/// The number that stands for no node and no proof.
const NONE: u32 = u32::MAX;
/// More questions than any tree has.
const HOPELESS: u32 = 1 << 30;
/// Positions of continuous fours looked at for one question of the tree, and for the first.
const FOURS_AT_A_NODE: u64 = 300;
const FOURS_AT_THE_ROOT: u64 = 20_000;
/// The cost of a node of the tree, in positions of continuous fours.
const NODE_COST: u64 = 4;
/// Positions the tree holds at most, some 30 bytes each.
const MOST_HELD: usize = 1 << 19;
/// Plies from the root to the furthest question.
const DEEPEST: u32 = 80;

/// A solver of wins by fours and threes.
#[derive(Clone, Default)]
pub struct ThreatSolver {
    tree: Vec<Node>,
    /// Wins by fours: of the attacker to move, and of the attacker if the defender passed.
    proofs: Vec<Proof>,
    /// Positions looked at.
    nodes: u64,
    /// The moment after which no position is looked at.
    pub until: Option<Instant>,
}

/// A position of the tree.
#[derive(Clone, Copy)]
struct Node {
    /// The stone that led here.
    put: u16,
    /// True if the attacker is to move, false if the defender is.
    attacks: bool,
    expanded: bool,
    /// The least number of questions to be answered to prove the win, and, in the next field, to refute it (proof and
    /// disproof number).
    to_prove: u32,
    to_refute: u32,
    parent: u32,
    first: u32,
    next: u32,
    /// The index of its proof by fours.
    proof: u32,
}

impl Node {
    const fn new(put: usize, parent: u32, attacks: bool, to_prove: u32) -> Node {
        Node {
            put: put as u16,
            attacks,
            expanded: false,
            to_prove,
            to_refute: 1,
            parent,
            first: NONE,
            next: NONE,
            proof: NONE,
        }
    }
}

/// One search: a board, the attacker, and the solvers it uses.
struct Quest<'a> {
    solver: &'a mut ThreatSolver,
    fours: &'a mut FourSolver,
    shapes: &'a mut Shapes,
    side: Side,
    /// Plies from the root to the node at hand.
    ply: u32,
}

impl ThreatSolver {
    /// A solver that has not looked at anything.
    #[must_use]
    pub fn new() -> ThreatSolver {
        ThreatSolver::default()
    }

    /// Positions looked at since the solver was made, those of continuous fours apart.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A win of `side`, to move, by fours and threes; `effort` is how many positions of continuous fours the whole
    /// search may cost, a position of its own tree counting as four.
    pub fn solve(
        &mut self,
        fours: &mut FourSolver,
        shapes: &mut Shapes,
        side: Side,
        effort: u64,
    ) -> Option<Proof> {
        self.tree.clear();
        self.proofs.clear();
        self.tree.push(Node::new(0, NONE, true, 1));
        let mut quest = Quest { solver: self, fours, shapes, side, ply: 0 };
        quest.run(effort);
        (self.tree[0].to_prove == 0).then(|| self.proof(0, shapes))
    }

    /// The children of a node.
    fn children(&self, node: u32) -> impl Iterator<Item = u32> {
        let mut next = self.tree[node as usize].first;
        std::iter::from_fn(move || {
            let child = next;
            let node = self.tree.get(child as usize)?;
            next = node.next;
            Some(child)
        })
    }

    fn add(&mut self, parent: u32, put: usize, to_prove: u32) {
        let attacks = !self.tree[parent as usize].attacks;
        let child = self.tree.len() as u32;
        let last = self.children(parent).last();
        self.tree.push(Node::new(put, parent, attacks, to_prove));
        match last {
            Some(last) => self.tree[last as usize].next = child,
            None => self.tree[parent as usize].first = child,
        }
    }

    /// The proof of a node where the attacker is to move and wins.
    fn proof(&self, node: u32, shapes: &Shapes) -> Proof {
        let here = self.tree[node as usize];
        if here.proof != NONE {
            return self.proofs[here.proof as usize].clone();
        }
        let solved = |child: &u32| self.tree[*child as usize].to_prove == 0;
        let child = self.children(node).find(solved).expect("a stone of a won node wins");
        let answer = |child: u32| {
            let at = usize::from(self.tree[child as usize].put);
            (shapes.point(at), self.proof(child, shapes))
        };
        let named = self.children(child).map(answer).collect();
        let child = self.tree[child as usize];
        let others = Box::new(self.proofs[child.proof as usize].clone());
        Proof { put: shapes.point(child.put.into()), then: Then::Answers { named, others } }
    }
}

impl Quest<'_> {
    fn run(&mut self, effort: u64) {
        let start = (self.solver.nodes, self.fours.nodes());
        let mut node = 0;
        loop {
            let root = self.solver.tree[0];
            let spent = (self.solver.nodes - start.0) * NODE_COST + self.fours.nodes() - start.1;
            let full = spent >= effort || self.solver.tree.len() >= MOST_HELD;
            let late = || self.solver.until.is_some_and(|until| Instant::now() >= until);
            if root.to_prove == 0 || root.to_refute == 0 || full || late() {
                break;
            }
            node = self.descend(node);
            self.expand(node);
            node = self.update(node);
        }
        while self.solver.tree[node as usize].parent != NONE {
            node = self.ascend(node);
        }
    }

    /// Puts the stones from a node to the most promising question below it.
    fn descend(&mut self, mut node: u32) -> u32 {
        loop {
            let here = self.solver.tree[node as usize];
            if !here.expanded {
                return node;
            }
            let number = |child: &u32| {
                let child = self.solver.tree[*child as usize];
                if here.attacks { child.to_prove } else { child.to_refute }
            };
            let best = self.solver.children(node).min_by_key(number);
            node = best.expect("an open node has children");
            let side = if here.attacks { self.side } else { self.side.other() };
            self.shapes.lay(side, self.solver.tree[node as usize].put.into());
            self.ply += 1;
        }
    }

    /// Takes the stone of a node back and returns its parent.
    fn ascend(&mut self, node: u32) -> u32 {
        self.shapes.take();
        self.ply -= 1;
        self.solver.tree[node as usize].parent
    }

    /// Recomputes the numbers of a node and of those above it whose numbers change with it; the board follows.
    fn update(&mut self, mut node: u32) -> u32 {
        loop {
            let here = self.solver.tree[node as usize];
            if here.expanded && here.first != NONE {
                let (to_prove, to_refute) = self.numbers(node);
                if here.to_prove == to_prove && here.to_refute == to_refute && node != 0 {
                    // Only a node just expanded may say what it said before.
                    return node;
                }
                let now = &mut self.solver.tree[node as usize];
                (now.to_prove, now.to_refute) = (to_prove, to_refute);
                if to_prove == 0 && !here.attacks && self.finds_more(node) {
                    continue;
                }
            }
            if self.solver.tree[node as usize].parent == NONE {
                return node;
            }
            node = self.ascend(node);
        }
    }

    /// The numbers of a node from those of its children.
    fn numbers(&self, node: u32) -> (u32, u32) {
        let attacks = self.solver.tree[node as usize].attacks;
        let (mut least, mut sum) = (HOPELESS, 0_u32);
        for child in self.solver.children(node) {
            let child = self.solver.tree[child as usize];
            let (one, all) =
                if attacks { (child.to_prove, child.to_refute) } else { (child.to_refute, child.to_prove) };
            least = least.min(one);
            sum = sum.saturating_add(all).min(HOPELESS);
        }
        if attacks { (least, sum) } else { (sum, least) }
    }

    /// Tries every answer that was not looked at against the threat of a node that seems won; those that stop it are
    /// added as questions.
    fn finds_more(&mut self, node: u32) -> bool {
        let here = self.solver.tree[node as usize];
        let threat = self.solver.proofs[here.proof as usize].clone();
        if self.is_plain(&threat) {
            return false;
        }
        let other = self.side.other();
        let mut more = Vec::new();
        for at in self.shapes.empty_cells() {
            let known = |child: u32| usize::from(self.solver.tree[child as usize].put) == at;
            if self.shapes.is_forbidden(other, at) || self.solver.children(node).any(known) {
                continue;
            }
            self.shapes.lay(other, at);
            if !holds(self.shapes, self.side, &threat) {
                more.push(at);
            }
            self.shapes.take();
        }
        more.iter().for_each(|&at| self.solver.add(node, at, 1));
        !more.is_empty()
    }

    /// Returns true if only answers on the points of the threat, and fours, can stop it.
    fn is_plain(&self, threat: &Proof) -> bool {
        let Then::Answers { named, .. } = &threat.then else { return true };
        let straight = !named.is_empty() && named.iter().all(|(_, proof)| proof.then == Then::Wins);
        let steady = match self.shapes.rule() {
            Rule::Freestyle | Rule::Standard => true,
            // Stones of White may make a point forbidden, by allowing another.
            Rule::Renju => {
                self.side == Side::Second || !self.shapes.is_suspect(self.side, self.shapes.cell(threat.put))
            }
            Rule::Caro | Rule::CaroExact => false,
        };
        straight && steady
    }

    fn expand(&mut self, node: u32) {
        self.solver.nodes += 1;
        let here = self.solver.tree[node as usize];
        let open = self.ply < DEEPEST && if here.attacks { self.attack(node) } else { self.defend(node) };
        let here = &mut self.solver.tree[node as usize];
        here.expanded = true;
        // Without children a node is decided: won by the proof at hand, or lost.
        if here.first == NONE {
            (here.to_prove, here.to_refute) = if open { (0, HOPELESS) } else { (HOPELESS, 0) };
            if open && !here.attacks && self.finds_more(node) {
                let (to_prove, to_refute) = self.numbers(node);
                let here = &mut self.solver.tree[node as usize];
                (here.to_prove, here.to_refute) = (to_prove, to_refute);
            }
        }
    }

    /// Lists the attacker's threats; false when there are none.
    fn attack(&mut self, node: u32) -> bool {
        let (side, other) = (self.side, self.side.other());
        let most = if node == 0 { FOURS_AT_THE_ROOT } else { FOURS_AT_A_NODE };
        if let Some(proof) = self.fours.solve(self.shapes, side, most) {
            self.keep(node, proof);
            return true;
        }
        if let Some(five) = self.shapes.set(other, StoneKind::Five).first() {
            for stop in self.shapes.stops(other, five).iter() {
                self.offer(node, stop, 1);
            }
        } else {
            let kinds = [StoneKind::FourThree, StoneKind::Four, StoneKind::DoubleThree, StoneKind::Three];
            for (kind, to_prove) in kinds.into_iter().zip([1, 2, 1, 2]) {
                let cells = *self.shapes.set(side, kind);
                cells.iter().for_each(|at| self.offer(node, at, to_prove));
            }
        }
        self.solver.tree[node as usize].first != NONE
    }

    /// Adds a stone of the attacker unless it is forbidden.
    fn offer(&mut self, node: u32, at: usize, to_prove: u32) {
        if !self.shapes.is_forbidden(self.side, at) {
            self.solver.add(node, at, to_prove);
        }
    }

    /// Lists the answers to the attacker's stone; false when it is no threat.
    fn defend(&mut self, node: u32) -> bool {
        let (side, other) = (self.side, self.side.other());
        if self.shapes.has_five(other) {
            return false;
        }
        let mut answers = Vec::new();
        if let Some(five) = self.shapes.set(side, StoneKind::Five).first() {
            answers.extend(self.shapes.stops(side, five).iter());
            let proof = Proof::wins(self.shapes.point(five));
            self.keep(node, proof);
        } else {
            let Some(threat) = self.fours.solve(self.shapes, side, FOURS_AT_A_NODE) else { return false };
            let mut points = Vec::new();
            threat.points(&mut points);
            answers.extend(points.into_iter().map(|at| self.shapes.cell(at)));
            answers.extend(self.shapes.fours(other).iter());
            self.keep(node, threat);
        }
        let mut seen = super::cells::Cells::EMPTY;
        for at in answers {
            if !seen.has(at) && !self.shapes.is_forbidden(other, at) {
                self.solver.add(node, at, 1);
            }
            seen.put(at);
        }
        true
    }

    fn keep(&mut self, node: u32, proof: Proof) {
        self.solver.tree[node as usize].proof = self.solver.proofs.len() as u32;
        self.solver.proofs.push(proof);
    }
}

/// Returns true if a win by fours holds on this board, its side to move.
fn holds(shapes: &mut Shapes, side: Side, proof: &Proof) -> bool {
    let at = shapes.cell(proof.put);
    if shapes.is_taken(at) {
        return false;
    }
    let Then::Answers { named, others } = &proof.then else {
        return shapes.kind(side, at) == StoneKind::Five;
    };
    if shapes.is_forbidden(side, at) {
        return false;
    }
    shapes.lay(side, at);
    let stands = !shapes.has_five(side.other()) && stands(shapes, side, named, others);
    shapes.take();
    stands
}

/// Returns true if every answer that could stop the five of a four just made is refuted by the proof.
fn stands(shapes: &mut Shapes, side: Side, named: &[(::gomoku::Point, Proof)], others: &Proof) -> bool {
    let five = shapes.cell(others.put);
    if shapes.is_taken(five) || shapes.kind(side, five) != StoneKind::Five {
        return false;
    }
    shapes.stops(side, five).iter().all(|stop| {
        if shapes.is_forbidden(side.other(), stop) {
            return true;
        }
        let point = shapes.point(stop);
        let Some((_, proof)) = named.iter().find(|(answer, _)| *answer == point) else { return false };
        shapes.lay(side.other(), stop);
        let stands = holds(shapes, side, proof);
        shapes.take();
        stands
    })
}
