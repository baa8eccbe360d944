//! Jingbanqi: what the pieces of somebody's map are worth is found out when it is opened.
//!
//! A piece is worth what it can do: how many squares it could go to and how many enemies it could take, on an empty
//! board, a thin and a crowded one; and a little more or less by how much of that it keeps on each square.

use crate::level::Ladder;
use std::sync::Arc;

use jingbanqi::{Jingbanqi, Move, Standing};
use kernel::{Position, Side};
use search::{Evaluator, Policy, Score, Unrest, score};

/// Where the levels stand on the scale of strengths.
pub const LADDER: Ladder = Ladder::EVEN;

/// What the search is told about a map.
#[derive(Clone, Debug)]
pub struct Judge {
    values: Arc<Values>,
    /// Red's pieces less Blue's; one entry for each position of the line.
    sums: Vec<i32>,
}

/// What the pieces of a map are worth.
#[derive(Debug)]
struct Values {
    squares: usize,
    /// By id, from 1, ordinary and promoted; in hundredths of a middling piece.
    piece: Vec<[i32; 2]>,
    /// The same and by square: a bonus. Empty where the map is too large for it.
    place: Vec<[Vec<i8>; 2]>,
    owner: Vec<Option<Side>>,
    policy: Policy,
}

/// How often pieces are asked where they could go, at most, before a game.
const QUESTIONS: usize = 40_000;
/// What a middling piece is worth.
const MIDDLING: f64 = 300.0;
/// The most a piece is worth, in hundredths; a captain's life is not counted.
const MOST_WORTH: i32 = 1500;
/// How full the boards are on which pieces are tried, in hundredths.
const CROWDS: [u64; 3] = [0, 25, 55];
/// Captures weigh more than going somewhere.
const CAPTURE: f64 = 0.6;
const WALK: f64 = 0.4;

impl Values {
    fn of(pos: &Jingbanqi) -> Values {
        let is_slow = pos.extensions().is_some();
        let pos = &pos.by_the_map();
        let map = pos.book().map();
        let squares = map.squares();
        let kinds = map.kinds.len();
        let mut present: Vec<usize> =
            map.start.iter().map(|&id| usize::from(id)).filter(|&id| id > 0).collect();
        present.extend((0..squares as u16).filter_map(|at| pos.piece(at)).map(|piece| usize::from(piece.id)));
        present.sort_unstable();
        present.dedup();
        let owner = std::iter::once(None).chain(map.kinds.iter().map(|kind| kind.owner)).collect();
        let mut values =
            Values { squares, piece: vec![[0; 2]; kinds + 1], place: Vec::new(), owner, policy: policy(0) };
        let boards = CROWDS.map(|crowd| crowded(pos, &present, crowd));
        let asked = present.len().max(1) * 2 * CROWDS.len();
        let samples = (QUESTIONS / asked).clamp(1, squares);
        let mut worth = vec![[0.0; 2]; kinds + 1];
        let mut here = vec![[vec![0.0; squares], vec![0.0; squares]]; kinds + 1];
        for &id in &present {
            for promoted in [false, true] {
                let piece = Standing { id: id as u16, promoted };
                let by_square = &mut here[id][usize::from(promoted)];
                for sample in 0..samples {
                    let at = sample * squares / samples;
                    by_square[at] = boards.iter().map(|board| ability(board, piece, at as u16)).sum::<f64>();
                }
                worth[id][usize::from(promoted)] = by_square.iter().sum::<f64>() / samples as f64;
            }
        }
        let mut ranked: Vec<f64> = present.iter().map(|&id| worth[id][0]).filter(|&w| w > 0.0).collect();
        ranked.sort_by(f64::total_cmp);
        let unit = MIDDLING / ranked.get(ranked.len() / 2).copied().unwrap_or(1.0);
        let promotes = map.promotion;
        for &id in &present {
            let [plain, risen] = worth[id].map(|w| ((w * unit) as i32).clamp(20, MOST_WORTH));
            let hope = if promotes && !map.kinds[id - 1].promotes.0.is_empty() {
                (risen - plain) * 15 / 100
            } else {
                0
            };
            values.piece[id] = [plain + hope, risen];
        }
        if samples == squares {
            let bonus = |id: usize, promoted: usize| {
                let mean = worth[id][promoted];
                here[id][promoted]
                    .iter()
                    .map(|w| ((w - mean) * unit * 0.25).clamp(-60.0, 60.0) as i8)
                    .collect()
            };
            values.place = (0..=kinds).map(|id| [bonus(id, 0), bonus(id, 1)]).collect();
        }
        let most = values.piece.iter().flatten().copied().max().unwrap_or(0);
        values.policy = policy(most);
        if is_slow {
            // Somebody's own code runs at every node.
            values.policy.poll = 1;
        }
        values
    }

    /// What that piece is worth to its owner there; nobody's pieces are worth nothing.
    fn worth(&self, piece: Standing, at: u16) -> i32 {
        let promoted = usize::from(piece.promoted);
        let id = usize::from(piece.id);
        let place = self.place.get(id).map_or(0, |places| i32::from(places[promoted][usize::from(at)]));
        self.piece[id][promoted] + place
    }

    /// Red's view of a piece, whose owner may be another than the map says.
    fn signed(&self, piece: Standing, at: u16, owner: Option<Side>) -> i32 {
        match owner {
            Some(Side::First) => self.worth(piece, at),
            Some(Side::Second) => -self.worth(piece, at),
            None => 0,
        }
    }
}

/// A board on which each square holds some piece with that chance, in hundredths; the same every time.
fn crowded(pos: &Jingbanqi, present: &[usize], crowd: u64) -> Jingbanqi {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let squares = pos.book().map().squares();
    let cells = (0..squares)
        .map(|_| {
            let id = present.get(next(present.len().max(1) as u64) as usize).copied();
            let stands = next(100) < crowd;
            id.filter(|_| stands).map(|id| Standing { id: id as u16, promoted: false })
        })
        .collect();
    pos.at(cells, Side::First, [0; 2], None)
}

/// What a piece can do from a square of that board, whatever else stands there.
fn ability(board: &Jingbanqi, piece: Standing, at: u16) -> f64 {
    let mut worth = 0.0;
    board.destinations(at, piece, |to| worth += if board.piece(to).is_some() { CAPTURE } else { WALK });
    worth
}

/// Shortcuts that do little harm whatever the rules are.
fn policy(most: i32) -> Policy {
    Policy {
        slots: SLOTS,
        reduce_from: Some(3),
        reduce_most: 3,
        reduce_unknown: true,
        futility: (most > 0).then_some(most / 3),
        futility_depth: 2,
        window: 30,
        poll: 4,
        deepest: 60,
        ..Policy::PLAIN
    }
}

/// Pieces and targets share slots where there are more of them.
const SLOTS: usize = 1021;
/// How many plies back a repetition is looked for: the rules are silent about it, so it gains nothing.
const LOOK_BACK: usize = 40;
/// So many plies beyond the horizon captures are tried.
const NOISY_PLIES: usize = 8;
/// After so many only those that cannot lose anything.
const BOLD_PLIES: usize = 3;

impl Judge {
    /// Finds out what the pieces of that map are worth.
    #[must_use]
    pub fn of(pos: &Jingbanqi) -> Judge {
        Judge { values: Arc::new(Values::of(pos)), sums: vec![0] }
    }

    fn sum(&self, pos: &Jingbanqi) -> i32 {
        let squares = 0..self.values.squares as u16;
        let values = &self.values;
        let extended = pos.extensions().is_some();
        let worth = |at| {
            let piece = pos.piece(at)?;
            let by_the_map = values.owner[usize::from(piece.id)];
            let owner = if extended { pos.present(at)?.owner } else { by_the_map };
            Some(values.signed(piece, at, owner))
        };
        squares.filter_map(worth).sum()
    }

    fn value(&self, pos: &Jingbanqi, at: u16) -> i32 {
        pos.piece(at).map_or(0, |piece| self.values.worth(piece, at))
    }
}

impl Evaluator<Jingbanqi> for Judge {
    fn score(&mut self, pos: &Jingbanqi) -> Score {
        let red = self.sums[self.sums.len() - 1];
        let score = if pos.turn() == Side::First { red } else { -red };
        (score + 10).clamp(-score::MOST, score::MOST)
    }

    fn policy(&self) -> &Policy {
        &self.values.policy
    }

    fn reset(&mut self, pos: &Jingbanqi) {
        self.sums = vec![self.sum(pos)];
    }

    fn played(&mut self, before: &Jingbanqi, m: Move, after: &Jingbanqi) {
        let values = &self.values;
        let signed = |pos: &Jingbanqi, at| {
            pos.piece(at).map_or(0, |piece| values.signed(piece, at, values.owner[usize::from(piece.id)]))
        };
        let sum = if before.book().is_restless() || after.extensions().is_some() {
            // Pieces may have changed that did not move.
            self.sum(after)
        } else {
            let was = signed(before, m.from) + if m.from == m.to { 0 } else { signed(before, m.to) };
            self.sums[self.sums.len() - 1] - was + signed(after, m.to)
        };
        self.sums.push(sum);
    }

    fn undone(&mut self) {
        self.sums.pop();
    }

    fn looks_back(&self, _pos: &Jingbanqi) -> usize {
        LOOK_BACK
    }

    fn is_noisy(&self, pos: &Jingbanqi, m: Move) -> bool {
        m.from != m.to && pos.piece(m.to).is_some()
    }

    /// The prey, less a little for who takes it: the least first.
    fn gain(&mut self, pos: &Jingbanqi, m: Move) -> Score {
        self.value(pos, m.to) - self.value(pos, m.from) / 32
    }

    fn slot(&self, pos: &Jingbanqi, m: Move) -> usize {
        let id = pos.piece(m.from).map_or(0, |piece| usize::from(piece.id));
        (id * self.values.squares + usize::from(m.to)) % SLOTS
    }

    fn unrest(&mut self, _pos: &Jingbanqi, plies: usize) -> Unrest {
        if plies < NOISY_PLIES { Unrest::Noise } else { Unrest::Settled }
    }

    fn noise(&mut self, pos: &Jingbanqi, plies: usize, out: &mut Vec<Move>) {
        let first = out.len();
        pos.moves(out);
        let mut kept = first;
        for i in first..out.len() {
            let m = out[i];
            let taken = m.from != m.to && pos.piece(m.to).is_some();
            if taken && (plies < BOLD_PLIES || self.value(pos, m.to) >= self.value(pos, m.from)) {
                out[kept] = m;
                kept += 1;
            }
        }
        out.truncate(kept);
    }
}
