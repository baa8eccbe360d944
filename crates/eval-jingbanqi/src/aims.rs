//! Evaluation of maps of level 2: material, and how near each colour is to the aims that the map states.

use std::collections::VecDeque;
use std::sync::Arc;

use jingbanqi::level2::turns::Stuck;
use jingbanqi::level2::{Level2, UNLIMITED};
use jingbanqi::{Jingbanqi, Move};
use kernel::Side;
use search::{Evaluator, Policy, QsearchKind, Score, score};

use crate::reach::Reach;
use crate::{HISTORY_SIZE, LOOK_BACK, TACTICAL_PLIES};

/// The value of a captain, in hundredths, where it may be lost like others.
const CAPTAIN: i32 = 900;
/// The value of a piece in hand, as a share of that on the board, in hundredths.
const IN_HAND: i32 = 90;
/// The value of a step nearer to a goal, in hundredths: more for the last ones.
const GOAL: [i32; 8] = [0, 220, 130, 80, 50, 30, 15, 5];
/// The value of a square less to fill between two regions, in hundredths.
const CONNECTION: i32 = 70;
/// The distance between regions that cannot be connected any more.
const CUT_OFF: i32 = 40;
/// The value of the stones in a line that can still be completed, by their number.
const LINE: [i32; 6] = [0, 4, 16, 60, 220, 400];
/// The value of a point, in hundredths.
const POINT: i32 = 60;

/// The evaluator of a map of level 2.
#[derive(Clone, Debug)]
pub struct AimEval {
    known: Arc<Aims>,
}

/// The weights of a map.
#[derive(Debug)]
struct Aims {
    /// The value of each kind by id, ordinary and promoted, in hundredths; negative where pieces are a burden.
    piece: Vec<[i32; 2]>,
    /// The squares of each goal in moves, by kind and square; empty for a kind without goals.
    goals: Vec<Vec<u8>>,
    policy: Policy,
}

impl AimEval {
    /// Creates the evaluator of a map of level 2; `None` for a map of level 1.
    #[must_use]
    pub fn of(pos: &Jingbanqi) -> Option<AimEval> {
        let map = pos.book().map();
        let level2 = map.level2.as_deref()?;
        let turns = &level2.turns;
        let is_burden = turns.bare_wins == Some(true) || turns.stuck == Stuck::Win;
        let sign = if is_burden { -1 } else { 1 };
        let mut piece = Reach::of(pos).piece;
        for (value, kind) in piece.iter_mut().skip(1).zip(&map.kinds) {
            let captain = if kind.captain && !is_burden { CAPTAIN } else { 0 };
            *value = value.map(|value| sign * value + captain);
        }
        let goals = (1..=map.kinds.len()).map(|id| distances(pos, level2, id as u16)).collect();
        let policy = Policy {
            history_size: HISTORY_SIZE,
            lmr_first_move: Some(4),
            lmr_max: 2,
            iir: true,
            aspiration_window: 50,
            max_depth: 60,
            ..Policy::PLAIN
        };
        Some(AimEval { known: Arc::new(Aims { piece, goals, policy }) })
    }

    /// Returns the balance in hundredths for red.
    fn balance(&self, pos: &Jingbanqi) -> i32 {
        let Some(level2) = pos.book().map().level2.as_deref() else { return 0 };
        let map = pos.book().map();
        let mut sum = [0i32; 2];
        for at in 0..map.squares() as u16 {
            let Some(piece) = pos.piece(at) else { continue };
            let id = usize::from(piece.id);
            let Some(owner) = map.kinds[id - 1].owner else { continue };
            let near = self.known.goals[id - 1].get(usize::from(at)).map_or(0, |&far| GOAL[usize::from(far)]);
            sum[owner.index()] += self.known.piece[id][usize::from(piece.promoted)] + near;
        }
        for (side, kind, count) in pos.hands() {
            if count != UNLIMITED {
                let value = self.known.piece[usize::from(kind)][0] * IN_HAND / 100;
                sum[side.index()] += value * i32::from(count.min(64));
            }
        }
        for one in &level2.turns.connections {
            sum[one.side.index()] -= CONNECTION * resistance(pos, level2, one.side, &one.regions);
        }
        if let Some(length) = level2.turns.line {
            Side::BOTH.iter().for_each(|&side| sum[side.index()] += open_lines(pos, side, length as usize));
        }
        if level2.turns.score.is_some() {
            let points = pos.points();
            Side::BOTH.iter().for_each(|&side| sum[side.index()] += POINT * points[side.index()] as i32);
        }
        sum[0] - sum[1]
    }

    fn value(&self, pos: &Jingbanqi, at: u16) -> i32 {
        pos.piece(at).map_or(0, |piece| self.known.piece[usize::from(piece.id)][usize::from(piece.promoted)])
    }
}

/// The moves of a kind to the nearest square of its goals on an empty board, by square; 7 stands for more. Empty for a
/// kind without goals.
fn distances(pos: &Jingbanqi, level2: &Level2, id: u16) -> Vec<u8> {
    let goals = level2.turns.goals.iter().enumerate().filter(|(_, goal)| goal.kinds.contains(&id));
    let goals: Vec<usize> = goals.map(|(at, _)| at).collect();
    if goals.is_empty() {
        return Vec::new();
    }
    let squares = pos.book().map().squares();
    let empty = pos.at(vec![None; squares], Side::First, [0; 2], None);
    let piece = jingbanqi::Standing { id, promoted: false };
    let mut before: Vec<Vec<u16>> = vec![Vec::new(); squares];
    for from in 0..squares as u16 {
        empty.destinations(from, piece, |to| before[usize::from(to)].push(from));
    }
    let mut far = vec![7u8; squares];
    let mut open: VecDeque<u16> =
        (0..squares as u16).filter(|&at| goals.iter().any(|&g| empty.is_goal(g, at))).collect();
    open.iter().for_each(|&at| far[usize::from(at)] = 0);
    while let Some(at) = open.pop_front() {
        let next = far[usize::from(at)] + 1;
        for &from in &before[usize::from(at)] {
            if next < far[usize::from(from)] {
                far[usize::from(from)] = next;
                open.push_back(from);
            }
        }
    }
    far
}

/// The fewest squares that a colour has to fill to connect two regions.
fn resistance(pos: &Jingbanqi, level2: &Level2, side: Side, regions: &[String; 2]) -> i32 {
    let map = pos.book().map();
    let is_in = |at: u16, name: &String| level2.terrain[usize::from(at)].contains(name);
    let cost = |at: u16| match pos.piece(at) {
        None => Some(1),
        Some(piece) => (map.kinds[usize::from(piece.id) - 1].owner == Some(side)).then_some(0),
    };
    let mut known = vec![CUT_OFF; map.squares()];
    let mut open = VecDeque::new();
    let reach = |open: &mut VecDeque<u16>, known: &mut [i32], at: u16, so_far: i32| {
        let Some(cost) = cost(at) else { return };
        if so_far + cost < known[usize::from(at)] {
            known[usize::from(at)] = so_far + cost;
            if cost == 0 { open.push_front(at) } else { open.push_back(at) }
        }
    };
    for at in (0..map.squares() as u16).filter(|&at| is_in(at, &regions[0])) {
        reach(&mut open, &mut known, at, 0);
    }
    while let Some(at) = open.pop_front() {
        let here = known[usize::from(at)];
        if is_in(at, &regions[1]) {
            return here;
        }
        pos.touching(at, |to| reach(&mut open, &mut known, to, here));
    }
    CUT_OFF
}

/// The value of all rows of squares in which a colour may still complete a line.
fn open_lines(pos: &Jingbanqi, side: Side, length: usize) -> i32 {
    let map = pos.book().map();
    let owner = |at: u16| pos.piece(at).map(|piece| map.kinds[usize::from(piece.id) - 1].owner == Some(side));
    let mut sum = 0;
    for at in 0..map.squares() as u16 {
        for direction in 4..8 {
            let mut own = 0;
            let mut to = Some(at);
            let mut left = length;
            while let Some(here) = to.filter(|_| left > 0) {
                match owner(here) {
                    Some(false) => break,
                    Some(true) => own += 1,
                    None => {}
                }
                left -= 1;
                to = pos.neighbour(here, direction);
            }
            if left == 0 {
                // The nearer to the end, the more: the last stones of a long line count like those of a short one.
                let missing = length - own;
                sum += if own == 0 { 0 } else { LINE[LINE.len().saturating_sub(1 + missing).max(1)] };
            }
        }
    }
    sum
}

impl Evaluator<Jingbanqi> for AimEval {
    fn score(&mut self, pos: &Jingbanqi) -> Score {
        let balance = self.balance(pos);
        let score = if pos.colour() == Side::First { balance } else { -balance };
        score.clamp(-score::MAX_EVAL, score::MAX_EVAL)
    }

    fn policy(&self) -> &Policy {
        &self.known.policy
    }

    fn repetition_plies(&self, _pos: &Jingbanqi) -> usize {
        LOOK_BACK
    }

    fn is_tactical(&self, pos: &Jingbanqi, m: Move) -> bool {
        m.from != m.to && pos.piece(m.to).is_some()
    }

    fn see(&mut self, pos: &Jingbanqi, m: Move) -> Score {
        self.value(pos, m.to) - self.value(pos, m.from) / 32
    }

    fn history_index(&self, pos: &Jingbanqi, m: Move) -> usize {
        let id = if m.pick == 0 { pos.piece(m.from).map_or(0, |piece| piece.id) } else { m.pick };
        (usize::from(id) * pos.book().map().squares() + usize::from(m.to)) % HISTORY_SIZE
    }

    fn qsearch_kind(&mut self, _pos: &Jingbanqi, qs_ply: usize) -> QsearchKind {
        if qs_ply < TACTICAL_PLIES { QsearchKind::Tactical } else { QsearchKind::Quiet }
    }
}
