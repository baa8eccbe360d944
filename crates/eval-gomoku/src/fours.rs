//! Solver for victory by continuous fours (VCF): each stone of the attacker threatens five, so the defender's answers
//! are forced.
//!
//! The tree is narrow and is searched to its end: deeper and deeper, so that short wins come first, with a table of
//! positions from which no win with a given number of fours was found. A found win comes as a [`Proof`].

use std::time::Instant;

use ::gomoku::Rule;
use kernel::Side;

use super::cells::Cells;
use super::kind::StoneKind;
use super::proof::{Proof, Then};
use super::shapes::Shapes;

/// The kinds of fours, the strongest first.
const FOURS: [StoneKind; 3] = [StoneKind::OpenFour, StoneKind::FourThree, StoneKind::Four];
/// The most fours tried in a row; a board of 26 by 26 has no room for more that matter.
const DEEPEST: u8 = 100;
/// The depth of a table entry for which no four was left out.
const EXHAUSTED: u8 = 0xFF;

/// A solver of wins by continuous fours.
#[derive(Clone)]
pub struct FourSolver {
    /// The positions where no win was found: the high bits of a key, and the number of fours it was tried with in the
    /// low eight.
    table: Vec<u64>,
    /// The moves of all nodes from the root to here, one list after the other.
    moves: Vec<u16>,
    nodes: u64,
    most_nodes: u64,
    /// Set if a line was left because it was too long.
    cut: bool,
    /// The moment after which no position is looked at; the clock is checked now and then.
    pub until: Option<Instant>,
}

/// The number of positions between two looks at the clock.
const POLL: u64 = 128;

/// A win that was found.
struct Won {
    /// The cell of the first stone.
    put: usize,
    /// Plies to the end, against the longest defence.
    plies: u32,
    /// The proof, if it was asked for.
    proof: Option<Proof>,
}

impl FourSolver {
    /// A solver whose table has 2 to the power of `bits` entries of eight bytes.
    #[must_use]
    pub fn new(bits: u32) -> FourSolver {
        FourSolver {
            table: vec![0; 1 << bits],
            moves: Vec::new(),
            nodes: 0,
            most_nodes: 0,
            cut: false,
            until: None,
        }
    }

    /// Forgets every position; needed between boards of different sizes or rules.
    pub fn forget(&mut self) {
        self.table.fill(0);
    }

    /// Positions looked at since the solver was made.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A win of `side`, to move, by continuous fours, looking at no more than `nodes` positions; the shortest, unless
    /// the table remembers too little.
    pub fn solve(&mut self, shapes: &mut Shapes, side: Side, nodes: u64) -> Option<Proof> {
        self.most_nodes = self.nodes + nodes;
        let mut depth = 1;
        while depth <= DEEPEST && self.nodes < self.most_nodes {
            self.cut = false;
            if let Some(won) = self.attack::<true>(shapes, side, depth) {
                return won.proof;
            }
            if !self.cut {
                return None;
            }
            depth += 1;
        }
        None
    }

    /// Searches once with at most `fours` fours, and without a proof: quick, and not always the shortest win. Returns
    /// the cell of the first stone, and the plies to the end.
    pub fn glance(&mut self, shapes: &mut Shapes, side: Side, fours: u8, nodes: u64) -> Option<(usize, u32)> {
        self.most_nodes = self.nodes + nodes;
        self.attack::<false>(shapes, side, fours).map(|won| (won.put, won.plies))
    }

    /// A win of `side`, to move, with no more than `depth` fours before the five.
    fn attack<const PROVES: bool>(&mut self, shapes: &mut Shapes, side: Side, depth: u8) -> Option<Won> {
        if let Some(five) = shapes.set(side, StoneKind::Five).first() {
            let proof = PROVES.then(|| Proof::wins(shapes.point(five)));
            return Some(Won { put: five, plies: 1, proof });
        }
        if shapes.count_fours(side) == 0 {
            return None;
        }
        if depth == 0 || self.nodes >= self.most_nodes {
            self.cut = true;
            return None;
        }
        let key = position_key(shapes.key(), side);
        if self.is_known(key, depth) {
            return None;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL) && self.until.is_some_and(|until| Instant::now() >= until) {
            self.most_nodes = self.nodes;
        }
        let cut_before = std::mem::take(&mut self.cut);
        let first = self.moves.len();
        self.list(shapes, side, depth);
        // An open four wins, whatever the answer, unless the other side has a five or the answer may come from further
        // away.
        let is_plain = !matches!(shapes.rule(), Rule::Caro | Rule::CaroExact)
            && shapes.count(side.other(), StoneKind::Five) <= 1;
        // Where each four has one answer, and that may be given.
        let is_steady = match shapes.rule() {
            Rule::Freestyle | Rule::Standard => true,
            Rule::Renju => side == Side::First,
            Rule::Caro | Rule::CaroExact => false,
        };
        let mut found = None;
        for i in first..self.moves.len() {
            let at = usize::from(self.moves[i]);
            if shapes.is_forbidden(side, at) {
                continue;
            }
            if !PROVES && is_plain && shapes.kind(side, at) == StoneKind::OpenFour {
                found = Some(Won { put: at, plies: 3, proof: None });
                break;
            }
            if is_steady && let Some(four) = shapes.four(side, at) {
                if four.is_last {
                    continue;
                }
                if depth > 1
                    && shapes.count(side.other(), StoneKind::Five) <= 1
                    && self.nodes < self.most_nodes
                {
                    let then = position_key(shapes.key_with(side, at, four.answer), side);
                    if self.is_known(then, depth - 1) {
                        continue;
                    }
                }
            }
            shapes.lay(side, at);
            let then = self.defend::<PROVES>(shapes, side, depth);
            shapes.take();
            if let Some((plies, then)) = then {
                let proof = then.map(|then| Proof { put: shapes.point(at), then });
                found = Some(Won { put: at, plies: 2 + plies, proof });
                break;
            }
        }
        self.moves.truncate(first);
        if found.is_none() && self.nodes < self.most_nodes {
            let tried = if self.cut { depth } else { EXHAUSTED };
            let slot = self.slot(key);
            self.table[slot] = key & !0xFF | u64::from(tried);
        }
        self.cut |= cut_before;
        found
    }

    /// Returns true if the table knows that this number of fours does not win there.
    #[inline]
    fn is_known(&mut self, key: u64, fours: u8) -> bool {
        let entry = self.table[self.slot(key)];
        let known = entry >> 8 == key >> 8 && entry as u8 >= fours;
        self.cut |= known && entry as u8 != EXHAUSTED;
        known
    }

    const fn slot(&self, key: u64) -> usize {
        key as usize >> 8 & (self.table.len() - 1)
    }

    /// Returns the plies of the longest answer to the four just made, and the refutations, if each answer loses;
    /// otherwise `None`.
    fn defend<const PROVES: bool>(
        &mut self,
        shapes: &mut Shapes,
        side: Side,
        depth: u8,
    ) -> Option<(u32, Option<Then>)> {
        let other = side.other();
        let five = shapes.set(side, StoneKind::Five).first()?;
        if shapes.has_five(other) {
            return None;
        }
        let mut plies = 1;
        let mut named = Vec::new();
        for stop in shapes.stops(side, five).iter() {
            if shapes.is_forbidden(other, stop) {
                continue;
            }
            shapes.lay(other, stop);
            let won = self.attack::<PROVES>(shapes, side, depth - 1);
            shapes.take();
            let won = won?;
            plies = plies.max(won.plies);
            named.extend(won.proof.map(|proof| (shapes.point(stop), proof)));
        }
        let others = || Box::new(Proof::wins(shapes.point(five)));
        Some((plies, PROVES.then(|| Then::Answers { named, others: others() })))
    }

    /// Appends the fours worth trying: all of them, or only what stops the other side's five.
    fn list(&mut self, shapes: &Shapes, side: Side, depth: u8) {
        let other = side.other();
        let stops = |five| shapes.stops(other, five).iter().collect::<Cells>();
        let stops: Option<Cells> = shapes.set(other, StoneKind::Five).first().map(stops);
        // The last four must leave two fives, or, in renju, an answer that is forbidden.
        let last = depth == 1 && (shapes.rule() != Rule::Renju || side == Side::First);
        self.cut |= last && shapes.count(side, StoneKind::OpenFour) < shapes.count_fours(side);
        let kinds = if last { &FOURS[..1] } else { &FOURS[..] };
        for &kind in kinds {
            let first = self.moves.len();
            let cells = shapes.set(side, kind).iter();
            let cells = cells.filter(|&at| stops.is_none_or(|stops| stops.has(at)));
            self.moves.extend(cells.map(|at| at as u16));
            self.moves[first..].sort_by_key(|&at| -shapes.worth(side, usize::from(at)));
        }
    }
}

/// Equal for equal stones with the same side to move.
const fn position_key(stones: u64, side: Side) -> u64 {
    match side {
        Side::First => stones,
        Side::Second => !stones,
    }
}
