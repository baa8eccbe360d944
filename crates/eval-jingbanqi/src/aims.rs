//! Evaluation of maps of level 2: material, and how near each colour is to the aims that the map states.
//!
//! What of it depends on the map alone is worked out once: which squares touch, which rows of squares may become a
//! line, and how far each kind is from its goals.

use std::collections::VecDeque;
use std::sync::Arc;

use jingbanqi::level2::turns::{Stuck, Turns};
use jingbanqi::level2::{Level2, UNLIMITED};
use jingbanqi::{Jingbanqi, Map, Move, Standing};
use kernel::{Position, Side};
use search::{Evaluator, Policy, QsearchKind, Score, score};

use crate::map::{HISTORY_SIZE, LOOK_BACK, TACTICAL_PLIES};
use crate::reach::Reach;

/// The value of a captain, in hundredths, where it may be lost like others.
const CAPTAIN: i32 = 900;
/// The share of a value by which two values may differ that are nearly the same: one in this many.
const NEARLY: i32 = 5;
/// The value of a piece in hand, as a share of that on the board, in hundredths.
const IN_HAND: i32 = 90;
/// The value of being near a goal, in hundredths, by the plies that are left: more for the last ones.
const GOAL: [i32; NEVER as usize + 1] = [0, 220, 130, 80, 50, 30, 15, 5];
/// The distance that stands for all longer ones.
const NEVER: u8 = 7;
/// The distance by the empty board up to which a piece looks for its way on the board as it stands, and how many plies
/// more it looks than that.
const LOOKS_FROM: u8 = 4;
const LOOKS_FURTHER: u8 = 2;
/// The most squares that a piece looks at for its way.
const MOST_LOOKED: usize = 24;
/// The value of a square less to fill between two regions, in hundredths.
const CONNECTION: i32 = 70;
/// The value of a square by which one of the shortest ways leads, in hundredths, and the most that count: a side with
/// many of them is not cut off by one stone.
const BY_WAY: (i32, i32) = (4, 12);
/// The distance between regions that cannot be connected any more.
const CUT_OFF: i32 = 40;
/// The value of the stones in a line that can still be completed, by their number.
const LINE: [i32; 6] = [0, 4, 16, 60, 220, 400];
/// The most squares of all lines together that are looked at for an evaluation.
const MOST_LINED: usize = 1 << 14;
/// The value of a point, in hundredths.
const POINT: i32 = 60;
/// The value of a square that a piece could go to, in hundredths, where being stuck is the aim.
const ROOM: i32 = 8;

/// The evaluator of a map of level 2.
#[derive(Clone, Debug)]
pub struct AimEval {
    known: Arc<Aims>,
    scratch: Scratch,
}

/// The weights of a map, and what of its aims can be known before a game.
#[derive(Debug)]
struct Aims {
    squares: usize,
    /// The owner of each kind by id.
    owner: Vec<Option<Side>>,
    /// The value of each kind by id, ordinary and promoted, in hundredths; negative where pieces are a burden.
    piece: Vec<[i32; 2]>,
    /// The plies of each kind to the nearest of its goals on an empty board, by id and square; empty for a kind without
    /// goals.
    goals: Vec<Vec<u8>>,
    connections: Vec<Connection>,
    /// The squares that touch each square; empty where nothing is to be connected.
    touching: Vec<Vec<u16>>,
    /// The number of stones in a row that win, and all rows of this many squares, one after the other.
    lines: Option<(usize, Vec<u16>)>,
    counts_points: bool,
    /// The value of a square to go to.
    room: i32,
    must_take: bool,
    policy: Policy,
}

/// Two regions that a colour connects, as sets of squares.
#[derive(Debug)]
struct Connection {
    side: Side,
    regions: [Vec<bool>; 2],
}

/// The buffers used while evaluating, so that no memory is allocated.
#[derive(Clone, Debug, Default)]
struct Scratch {
    /// The squares to fill from each of two regions to each square, the square itself included.
    fill: [Vec<i32>; 2],
    open: VecDeque<u16>,
    /// The squares on a piece's way, with the plies to them.
    way: Vec<(u16, u8)>,
    moves: Vec<Move>,
}

impl AimEval {
    /// Creates the evaluator of a map of level 2; `None` for a map of level 1.
    #[must_use]
    pub fn of(pos: &Jingbanqi) -> Option<AimEval> {
        let pos = &pos.by_the_map();
        let map = pos.book().map();
        let level2 = map.level2.as_deref()?;
        let turns = &level2.turns;
        let is_burden = turns.bare_wins == Some(true) || turns.stuck == Stuck::Win;
        let sign = if is_burden { -1 } else { 1 };
        let mut piece = Reach::of(pos).piece;
        equalise(&mut piece, map);
        for (value, kind) in piece.iter_mut().skip(1).zip(&map.kinds) {
            let captain = if kind.captain && !is_burden { CAPTAIN } else { 0 };
            *value = value.map(|value| sign * value + captain);
        }
        let none = std::iter::once(None);
        let goals = (1..=map.kinds.len()).map(|id| distances(pos, level2, id as u16));
        let connections = turns.connections.iter().map(|one| Connection {
            side: one.side,
            regions: one
                .regions
                .each_ref()
                .map(|name| level2.terrain.iter().map(|names| names.contains(name)).collect()),
        });
        let touching = |at: u16| {
            let mut near = Vec::new();
            pos.touching(at, |to| near.push(to));
            near
        };
        let is_connected = !turns.connections.is_empty();
        Some(AimEval {
            known: Arc::new(Aims {
                squares: map.squares(),
                owner: none.chain(map.kinds.iter().map(|kind| kind.owner)).collect(),
                piece,
                goals: std::iter::once(Vec::new()).chain(goals).collect(),
                connections: connections.collect(),
                touching: if is_connected {
                    (0..map.squares() as u16).map(touching).collect()
                } else {
                    Vec::new()
                },
                lines: turns.line.map(|length| (length as usize, rows(pos, length as usize))),
                counts_points: turns.score.is_some(),
                room: room(map, turns),
                must_take: turns.must_take,
                policy: Policy {
                    history_size: HISTORY_SIZE,
                    lmr_first_move: Some(4),
                    lmr_max: 2,
                    iir: true,
                    aspiration_window: 50,
                    max_depth: 60,
                    ..Policy::PLAIN
                },
            }),
            scratch: Scratch::default(),
        })
    }

    fn value(&self, pos: &Jingbanqi, at: u16) -> i32 {
        pos.piece(at).map_or(0, |piece| self.known.piece[usize::from(piece.id)][usize::from(piece.promoted)])
    }
}

/// Gives kinds of both colours that are worth nearly the same the same value: reach is tried on boards that are not alike for
/// both. The first kind of a colour belongs to the first of the other, and so on.
fn equalise(piece: &mut [[i32; 2]], map: &Map) {
    let of = |side: Side| {
        let ids = (1..).zip(&map.kinds).filter(move |(_, kind)| kind.owner == Some(side));
        ids.map(|(id, _)| id).collect::<Vec<usize>>()
    };
    let [red, blue] = Side::BOTH.map(of);
    if red.len() != blue.len() {
        return;
    }
    for (red, blue) in red.into_iter().zip(blue) {
        for promoted in [0, 1] {
            let (one, other) = (piece[red][promoted], piece[blue][promoted]);
            if (one - other).abs() * NEARLY <= one.max(other) {
                let mean = (one + other) / 2;
                (piece[red][promoted], piece[blue][promoted]) = (mean, mean);
            }
        }
    }
}

/// The value of a square that a piece could go to: where being stuck decides and no other aim does.
fn room(map: &Map, turns: &Turns) -> i32 {
    let others = map.kinds.iter().any(|kind| kind.captain)
        || !turns.goals.is_empty()
        || !turns.connections.is_empty()
        || turns.line.is_some()
        || turns.score.is_some()
        || turns.bare_wins.is_some();
    match turns.stuck {
        _ if others => 0,
        Stuck::Lose => ROOM,
        Stuck::Win => -ROOM,
        Stuck::Draw | Stuck::Pass => 0,
    }
}

/// The plies of a kind to the nearest square of its goals on an empty board, by square. Empty for a kind without goals.
fn distances(pos: &Jingbanqi, level2: &Level2, id: u16) -> Vec<u8> {
    let goals = level2.turns.goals.iter().enumerate().filter(|(_, goal)| goal.kinds.contains(&id));
    let goals: Vec<usize> = goals.map(|(at, _)| at).collect();
    if goals.is_empty() {
        return Vec::new();
    }
    let squares = pos.book().map().squares();
    let empty = pos.at(vec![None; squares], Side::First, [0; 2], None);
    let piece = Standing { id, promoted: false };
    let mut before: Vec<Vec<u16>> = vec![Vec::new(); squares];
    for from in 0..squares as u16 {
        empty.destinations(from, piece, |to| before[usize::from(to)].push(from));
    }
    let mut far = vec![NEVER; squares];
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

/// Every row of that many squares of a board, in four directions. None where there are very many.
fn rows(pos: &Jingbanqi, length: usize) -> Vec<u16> {
    let mut rows = Vec::new();
    for at in 0..pos.book().map().squares() as u16 {
        for direction in 4..8 {
            let row = std::iter::successors(Some(at), |&at| pos.neighbour(at, direction)).take(length);
            let begun = rows.len();
            rows.extend(row);
            if rows.len() - begun < length {
                rows.truncate(begun);
            }
        }
    }
    if rows.len() > MOST_LINED { Vec::new() } else { rows }
}

impl Aims {
    /// Returns the balance in hundredths for red.
    fn balance(&self, pos: &Jingbanqi, scratch: &mut Scratch) -> i32 {
        let mut sum = [0i32; 2];
        for at in 0..self.squares as u16 {
            let Some(piece) = pos.piece(at) else { continue };
            let id = usize::from(piece.id);
            let Some(owner) = self.owner[id] else { continue };
            sum[owner.index()] += self.piece[id][usize::from(piece.promoted)];
            if let Some(&far) = self.goals[id].get(usize::from(at)) {
                sum[owner.index()] += GOAL[usize::from(self.way(pos, (at, piece), far, scratch))];
            }
            if self.room != 0 {
                let mut squares = 0;
                pos.destinations(at, piece, |_| squares += 1);
                sum[owner.index()] += self.room * squares;
            }
        }
        for (side, kind, count) in pos.hands() {
            if count != UNLIMITED {
                let value = self.piece[usize::from(kind)][0] * IN_HAND / 100;
                sum[side.index()] += value * i32::from(count.min(64));
            }
        }
        for one in &self.connections {
            sum[one.side.index()] += self.connected(pos, one, scratch);
        }
        if let Some((length, rows)) = &self.lines {
            self.open_lines(pos, *length, rows, &mut sum);
        }
        if self.counts_points {
            let points = pos.points();
            Side::BOTH
                .iter()
                .for_each(|&side| sum[side.index()] += POINT * points[side.index()].min(1_000) as i32);
        }
        sum[0] - sum[1]
    }

    /// The plies of a piece to its goals on the board as it stands: those on an empty board, where they are many; some
    /// more where no way was found.
    fn way(&self, pos: &Jingbanqi, (at, piece): (u16, Standing), far: u8, scratch: &mut Scratch) -> u8 {
        if far == 0 || far > LOOKS_FROM {
            return far;
        }
        let goals = &self.goals[usize::from(piece.id)];
        let most = far + LOOKS_FURTHER;
        let way = &mut scratch.way;
        way.clear();
        way.push((at, 0));
        let (mut next, mut found) = (0, most);
        while next < way.len() && found == most {
            let (from, plies) = way[next];
            next += 1;
            pos.destinations(from, piece, |to| {
                let left = goals[usize::from(to)];
                if left == 0 {
                    found = found.min(plies + 1);
                }
                // Only squares from which the goal is near enough.
                let is_near = plies + 1 + left < most && way.len() < MOST_LOOKED;
                if is_near && !way.iter().any(|&(met, _)| met == to) {
                    way.push((to, plies + 1));
                }
            });
        }
        found
    }

    /// The value of being near to connecting two regions.
    fn connected(&self, pos: &Jingbanqi, one: &Connection, scratch: &mut Scratch) -> i32 {
        let Scratch { fill, open, .. } = scratch;
        let cost = |at: u16| match pos.piece(at) {
            None => 1,
            Some(piece) if self.owner[usize::from(piece.id)] == Some(one.side) => 0,
            Some(_) => CUT_OFF,
        };
        for (fill, region) in fill.iter_mut().zip(&one.regions) {
            self.flood(&cost, region, fill, open);
        }
        let (mut least, mut ways) = (CUT_OFF, 0);
        for at in 0..self.squares as u16 {
            let cost = cost(at);
            let whole = fill[0][usize::from(at)] + fill[1][usize::from(at)] - cost;
            if whole < least {
                (least, ways) = (whole, 0);
            }
            ways += i32::from(whole == least && cost == 1);
        }
        if least == CUT_OFF {
            -CONNECTION * CUT_OFF
        } else {
            BY_WAY.0 * ways.min(BY_WAY.1) - CONNECTION * least
        }
    }

    /// The squares to fill from a region to each square.
    fn flood(
        &self,
        cost: &impl Fn(u16) -> i32,
        region: &[bool],
        fill: &mut Vec<i32>,
        open: &mut VecDeque<u16>,
    ) {
        fill.clear();
        fill.resize(self.squares, CUT_OFF);
        open.clear();
        let reach = |open: &mut VecDeque<u16>, fill: &mut [i32], at: u16, so_far: i32| {
            let cost = cost(at);
            if so_far + cost < fill[usize::from(at)] {
                fill[usize::from(at)] = so_far + cost;
                if cost == 0 { open.push_front(at) } else { open.push_back(at) }
            }
        };
        for at in (0..self.squares as u16).filter(|&at| region[usize::from(at)]) {
            reach(open, fill, at, 0);
        }
        while let Some(at) = open.pop_front() {
            let here = fill[usize::from(at)];
            for &to in &self.touching[usize::from(at)] {
                reach(open, fill, to, here);
            }
        }
    }

    /// Adds the value of all rows of squares in which one colour may still complete a line.
    fn open_lines(&self, pos: &Jingbanqi, length: usize, rows: &[u16], sum: &mut [i32; 2]) {
        for row in rows.chunks_exact(length.max(1)) {
            let mut stones = [0; 2];
            let mut is_shut = false;
            for &at in row {
                let Some(piece) = pos.piece(at) else { continue };
                match self.owner[usize::from(piece.id)] {
                    Some(side) => stones[side.index()] += 1,
                    None => is_shut = true,
                }
            }
            let (side, own) = match stones {
                [0, 0] => continue,
                [own, 0] => (0, own),
                [0, own] => (1, own),
                _ => continue,
            };
            if !is_shut {
                // The nearer to the end, the more: the last stones of a long line count like those of a short one.
                let missing = length - own;
                sum[side] += LINE[LINE.len().saturating_sub(1 + missing).max(1)];
            }
        }
    }
}

impl Evaluator<Jingbanqi> for AimEval {
    fn score(&mut self, pos: &Jingbanqi) -> Score {
        let balance = self.known.balance(pos, &mut self.scratch);
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
        (usize::from(id) * self.known.squares + usize::from(m.to)) % HISTORY_SIZE
    }

    fn qsearch_kind(&mut self, pos: &Jingbanqi, qs_ply: usize) -> QsearchKind {
        if qs_ply >= TACTICAL_PLIES {
            return QsearchKind::Quiet;
        }
        if !self.known.must_take {
            return QsearchKind::Tactical;
        }
        // Who has to take may not stand pat: all moves take, or none does.
        let moves = &mut self.scratch.moves;
        moves.clear();
        pos.moves(moves);
        let takes = moves.first().is_some_and(|m| m.from != m.to && pos.piece(m.to).is_some());
        if takes { QsearchKind::Urgent } else { QsearchKind::Quiet }
    }
}
