//! The evaluator of gomoku for the search: the evaluation of a position, the points that are worth a stone, and the
//! wins that need no search.
//!
//! A position is worth the sum over its empty points of what a stone of either side would do there, and something more
//! for threats that are already on the board. Fours and fives are not judged: they are answered, or solved.

use ::gomoku::{Gomoku, Move, Point, Rule};
use kernel::{Position, Side};
use search::{Effort, Evaluator, Forced, Policy, QsearchKind, Score};

use super::cells::Cells;
use super::fours::FourSolver;
use super::kind::StoneKind;
use super::network;
use super::shapes::Shapes;
use super::terms::standing;
use super::threats::ThreatSolver;
use engine_core::Evaluation;
use engine_core::level::Strength;

/// The kinds of wins that are looked for beside the search.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Solving {
    /// The search alone: threats are seen as far as it sees.
    Nothing,
    /// Wins by continuous fours.
    Fours,
    /// Continuous fours everywhere, threats before the search begins.
    Threats,
}

impl Solving {
    /// Returns the kinds of wins a player of that strength looks for; `None` is the strongest. Beginners do not see a
    /// win of ten fours.
    #[must_use]
    pub fn at(strength: Option<Strength>) -> Solving {
        match strength.map_or(Strength::MOST, |strength| strength.scale) {
            ..3.0 => Solving::Nothing,
            3.0..6.0 => Solving::Fours,
            _ => Solving::Threats,
        }
    }
}

/// Judges positions of gomoku, under every rule and on every board.
#[derive(Clone)]
pub struct GomokuEval {
    solving: Solving,
    /// True if the network is used, too, where there is one.
    networked: bool,
    policy: Policy,
    shapes: Shapes,
    fours: FourSolver,
    threats: ThreatSolver,
    /// The moves since the root: a stone, or `None` for a pass, which leaves the board as it is.
    played: Vec<Option<(Side, usize)>>,
    /// The number of these moves already put on the shapes. The rest is put on demand: many a position is found in
    /// the transposition table and left at once.
    known: usize,
    /// The number of positions of the solvers already reported.
    told: u64,
}

/// The table of continuous fours has 2 to this power of entries.
const FOURS_TABLE: u32 = 16;
/// Positions that continuous fours may take at a node, and at the horizon; and how many fours in a row.
const AT_A_NODE: (u64, u8) = (150, 12);
const AT_A_LEAF: (u64, u8) = (60, 8);

impl GomokuEval {
    /// Creates an evaluator that looks for those wins.
    #[must_use]
    pub fn new(solving: Solving) -> GomokuEval {
        GomokuEval {
            solving,
            networked: true,
            policy: POLICY,
            shapes: Shapes::of(&Gomoku::usual(Rule::Freestyle)),
            fours: FourSolver::new(FOURS_TABLE),
            threats: ThreatSolver::new(),
            played: Vec::with_capacity(256),
            known: 0,
            told: 0,
        }
    }

    /// Returns the evaluator with or without the network, as that evaluation demands.
    #[must_use]
    pub fn by(self, evaluation: Evaluation) -> GomokuEval {
        GomokuEval { networked: evaluation != Evaluation::Terms, ..self }
    }

    /// Puts the stones that are not yet on the shapes.
    #[inline]
    fn catch_up(&mut self) {
        while let Some(&stone) = self.played.get(self.known) {
            self.known += 1;
            if let Some((side, at)) = stone {
                self.shapes.put(side, at);
            }
        }
    }

    /// A win by force: the cell of its first stone, the plies to its end, and those of the longest line it may take.
    fn solve(&mut self, side: Side, effort: Effort) -> Option<(usize, u32, u32)> {
        let GomokuEval { shapes, fours, threats, solving, .. } = self;
        let (most_fours, nodes) = match effort {
            Effort::Root { nodes, until } => {
                (threats.until, fours.until) = (until, until);
                let proof = fours.solve(shapes, side, nodes).or_else(|| {
                    let asked = *solving == Solving::Threats;
                    if asked { threats.solve(fours, shapes, side, nodes) } else { None }
                });
                // Questions in the tree are small, and come when that time is over, too.
                fours.until = None;
                let proof = proof?;
                return Some((shapes.cell(proof.put), proof.plies(), proof.longest()));
            }
            Effort::Node { .. } => (AT_A_NODE.1, AT_A_NODE.0),
            Effort::Leaf => (AT_A_LEAF.1, AT_A_LEAF.0),
        };
        let (put, plies) = fours.glance(shapes, side, most_fours, nodes)?;
        Some((put, plies, plies))
    }

    /// Returns the points one of which must be played at once; `None` when the side is free.
    fn pressing(&self, side: Side) -> Option<Cells> {
        let (shapes, other) = (&self.shapes, side.other());
        if shapes.has_five(side) {
            return Some(*shapes.set(side, StoneKind::Five));
        }
        if let Some(five) = shapes.set(other, StoneKind::Five).first() {
            return Some(shapes.stops(other, five).iter().collect());
        }
        // An open four is stopped only on the points that would make fours, or put off by fours of one's own. In caro
        // its five is also stopped from further away.
        let open = shapes.set(other, StoneKind::OpenFour);
        let caro = matches!(shapes.rule(), Rule::Caro | Rule::CaroExact);
        if caro || open.iter().all(|at| shapes.is_forbidden(other, at)) {
            return None;
        }
        Some(shapes.fours(other).or(&shapes.fours(side)))
    }
}

impl Default for GomokuEval {
    fn default() -> GomokuEval {
        GomokuEval::new(Solving::Threats)
    }
}

/// The least hint of an urgent move: a stone that threatens, or stops what could not be stopped later.
const URGENT: i32 = 5000;

/// The search policy: passing is legal to imagine, but a threat is worth too much for the null move to
/// tell anything.
const POLICY: Policy = Policy {
    history_size: 2,
    tt_prefetch: true,
    lmr_first_move: Some(2),
    lmr_min_depth: 2,
    lmr_base_divisor: (1.5, 1.3),
    lmr_max: 12,
    iir: true,
    futility_margin: Some(40),
    futility_max_depth: 6,
    lmp: true,
    lmp_count: (3, 4),
    prune_in_pv: true,
    razoring_margin: Some(150),
    singular_extensions: true,
    check_extensions: true,
    hint_weight: 8,
    priority_hint: URGENT,
    aspiration_window: 30,
    ..Policy::PLAIN
};

impl Evaluator<Gomoku> for GomokuEval {
    const POLICY: Option<&'static Policy> = Some(&POLICY);

    fn policy(&self) -> &Policy {
        &self.policy
    }

    fn reset(&mut self, pos: &Gomoku) {
        let before = (self.shapes.rule(), self.shapes.size());
        self.shapes = Shapes::of(pos);
        if self.networked {
            let points = usize::from(pos.files()) * usize::from(pos.ranks());
            self.shapes.judge_by(network::built_in(pos.rule(), points));
        }
        if before != (self.shapes.rule(), self.shapes.size()) {
            self.fours.forget();
        }
        self.played.clear();
        self.known = 0;
        let (files, ranks) = self.shapes.size();
        self.policy.history_size = 2 * usize::from(files) * usize::from(ranks);
    }

    fn played(&mut self, before: &Gomoku, m: Move, _after: &Gomoku) {
        self.played.push(match m {
            Move::Put(at) => Some((before.turn(), self.shapes.cell(at))),
            Move::Pass => None,
        });
    }

    fn undone(&mut self) {
        let stone = self.played.pop().flatten();
        if self.known > self.played.len() {
            self.known -= 1;
            if stone.is_some() {
                self.shapes.take();
            }
        }
    }

    fn score(&mut self, pos: &Gomoku) -> Score {
        self.catch_up();
        standing(&mut self.shapes, pos.turn()) + self.shapes.by_network(pos.turn())
    }

    fn candidates(&mut self, pos: &Gomoku, out: &mut Vec<Move>) {
        self.catch_up();
        let side = pos.turn();
        let first = out.len();
        if let Some(pressing) = self.pressing(side) {
            let points = pressing.iter().filter(|&at| !self.shapes.is_forbidden(side, at));
            out.extend(points.map(|at| Move::Put(self.shapes.point(at))));
        } else {
            // Where a stone may matter: near others, and of some use to one side.
            let shapes = &self.shapes;
            let matters = |&at: &Point| {
                let cell = shapes.cell(at);
                shapes.worth(side, cell) + shapes.worth(side.other(), cell) > 0
                    && !shapes.is_forbidden(side, cell)
            };
            out.extend(near(pos).filter(matters).map(Move::Put));
        }
        if out.len() == first && pos.outcome().is_none() {
            self.anything(pos, out);
        }
    }

    fn hint(&mut self, pos: &Gomoku, m: Move) -> i32 {
        self.catch_up();
        let Move::Put(at) = m else { return -8000 };
        let (side, at) = (pos.turn(), self.shapes.cell(at));
        let (own, other) = (self.shapes.worth(side, at), self.shapes.worth(side.other(), at));
        let worth = (40 * own + 35 * other).min(URGENT - 1);
        // What must be answered, and what stops more than one stone can answer later.
        let forces = self.shapes.kind(side, at).is_threat();
        let stops = matches!(
            self.shapes.kind(side.other(), at),
            StoneKind::DoubleThree | StoneKind::FourThree | StoneKind::OpenFour | StoneKind::Five
        );
        if forces || stops { (URGENT + worth / 2).min(8000) } else { worth }
    }

    fn is_settled(&mut self, pos: &Gomoku) -> bool {
        self.catch_up();
        self.shapes.count(pos.turn().other(), StoneKind::OpenFour) == 0
    }

    fn history_index(&self, pos: &Gomoku, m: Move) -> usize {
        let Move::Put(at) = m else { return 0 };
        2 * self.shapes.cell(at) + pos.turn().index()
    }

    fn is_urgent(&mut self, pos: &Gomoku) -> bool {
        self.catch_up();
        self.shapes.has_five(pos.turn().other())
    }

    fn qsearch_kind(&mut self, pos: &Gomoku, _qs_ply: usize) -> QsearchKind {
        if self.is_urgent(pos) { QsearchKind::Urgent } else { QsearchKind::Quiet }
    }

    fn forced(&mut self, pos: &Gomoku, effort: Effort) -> Option<Forced<Move>> {
        self.catch_up();
        let side = pos.turn();
        if self.solving == Solving::Nothing && !self.shapes.has_five(side) {
            return None;
        }
        let (put, plies, longest) = self.solve(side, effort)?;
        // A win that comes after the last point is filled, or the last stone is counted, is none.
        let fits = longest <= plies_left(pos);
        fits.then(|| Forced { first: Move::Put(self.shapes.point(put)), plies })
    }

    fn solver_nodes(&mut self) -> u64 {
        let now = self.fours.nodes() + self.threats.nodes();
        now - std::mem::replace(&mut self.told, now)
    }
}

impl GomokuEval {
    /// Appends a legal move where no point is worth a stone: in the middle of an empty board, or anywhere that does
    /// not lose.
    fn anything(&self, pos: &Gomoku, out: &mut Vec<Move>) {
        let points = u16::from(pos.files()) * u16::from(pos.ranks());
        if pos.empty_points() == points {
            out.push(Move::Put(Point { row: pos.ranks() / 2, file: pos.files() / 2 }));
            return;
        }
        let first = out.len();
        pos.moves(out);
        let all = out.split_off(first);
        let loses = |m: &Move| match *m {
            Move::Put(at) => self.shapes.is_forbidden(pos.turn(), self.shapes.cell(at)),
            Move::Pass => false,
        };
        out.extend(all.iter().filter(|m| !loses(m)));
        if out.len() == first {
            out.extend(all);
        }
    }
}

/// Returns the number of plies until neither side can win any more.
fn plies_left(pos: &Gomoku) -> u32 {
    let points = u16::from(pos.files()) * u16::from(pos.ranks());
    let least_empty = pos.stone_limit().map_or(0, |stones| points.saturating_sub(stones));
    u32::from(pos.empty_points().saturating_sub(least_empty))
}

/// The empty points at most two files and two rows from a stone, row by row from the top left.
fn near(pos: &Gomoku) -> impl Iterator<Item = Point> {
    let ranks = pos.ranks();
    let taken = |row: u8| pos.stones(Side::First).row(row) | pos.stones(Side::Second).row(row);
    let mut wide = [0_u32; 32];
    let mut free = [0_u32; 32];
    for row in 0..ranks {
        let stones = taken(row);
        wide[usize::from(row) + 2] = stones | stones << 1 | stones << 2 | stones >> 1 | stones >> 2;
        free[usize::from(row)] = !stones & ((1 << pos.files()) - 1);
    }
    (0..ranks).flat_map(move |row| {
        let around = wide[usize::from(row)..=usize::from(row) + 4].iter().fold(0, |all, row| all | row);
        bits(around & free[usize::from(row)]).map(move |file| Point { row, file })
    })
}

/// The bits that are set, from the lowest.
fn bits(mut word: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as u8)?;
        word &= word - 1;
        Some(bit)
    })
}
