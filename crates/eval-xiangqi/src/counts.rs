//! Counts the terms of a position: freedom, safety, threats, and pieces that work together.

use kernel::{Position, Side};
use xiangqi::square::FILES;
use xiangqi::{Kind, Square, Squares, Xiangqi};

use super::terms::{self, ATTACKERS, BROTHERS, Both, CANNON, CROSSED, ESCAPES, FREEDOM, GUARDS, HANGING};
use super::terms::{HOLES, LESSER, MISSING, PAIRS, PRESSURE, ROAMING, ROOK, TEMPO};

/// The receiver of the counted terms: the sum of weights, or the trainer that learns them.
pub trait Counts {
    /// Counts a term `times` times for Red; negative: for Black.
    fn add(&mut self, term: usize, times: i32);
}

/// Adds up weights.
pub struct Sum<'a> {
    pub worth: &'a [Both],
    pub sum: Both,
}

impl Counts for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, term: usize, times: i32) {
        self.sum = self.sum.plus(self.worth[term].times(times));
    }
}

/// The squares a side's pieces see.
#[derive(Clone, Copy)]
struct Views {
    army: Squares,
    /// Squares of pieces of a kind, by [`Kind`].
    kinds: [Squares; 7],
    /// The squares any piece sees: own pieces covered and enemies attacked.
    all: Squares,
    /// The squares soldiers see; those that horses, cannons and guards see.
    soldiers: Squares,
    lesser: Squares,
    /// The squares the general could go to.
    steps: Squares,
    /// The number of pieces that see into the enemy palace.
    attackers: usize,
}

impl Views {
    fn count(&self, kind: Kind) -> i32 {
        self.kinds[kind as usize].len() as i32
    }
}

/// Counts everything but piece placement; returns the fullness of the board, see [`terms::FULL`].
#[inline]
pub fn count(pos: &Xiangqi, to: &mut impl Counts) -> i32 {
    let views = [of(pos, Side::First, 1, to), of(pos, Side::Second, -1, to)];
    let [red, black] = &views;
    between(red, black, 1, to);
    between(black, red, -1, to);
    to.add(TEMPO.at(0), if pos.turn() == Side::First { 1 } else { -1 });
    ROAMING.into_iter().map(|kind| terms::phase(kind) * (red.count(kind) + black.count(kind))).sum()
}

/// Counts the terms of a side by itself and returns the squares it sees; `sign` is 1 for Red.
#[inline(always)]
fn of(pos: &Xiangqi, side: Side, sign: i32, to: &mut impl Counts) -> Views {
    let enemy = side.other();
    let palace = PALACE[enemy.index()];
    let army = pos.army(side);
    let mut views = Views {
        army,
        kinds: [Squares::NONE; 7],
        all: Squares::NONE,
        soldiers: Squares::NONE,
        lesser: Squares::NONE,
        steps: Squares::NONE,
        attackers: 0,
    };
    let occupied = pos.occupied();
    for (i, kind) in ROAMING.into_iter().enumerate() {
        for at in pos.all(side, kind) {
            let sight = pos.sight(side, kind, at);
            let pressed = sight.and(palace).len();
            to.add(FREEDOM[i].at(sight.minus(army).len() as usize), sign);
            to.add(PRESSURE.at(i), sign * pressed as i32);
            views.attackers += usize::from(pressed > 0);
            views.kinds[kind as usize] = views.kinds[kind as usize].with(at);
            // A cannon goes where it does not take.
            let sight = if kind == Kind::Cannon { sight.and(occupied) } else { sight };
            views.all = views.all.or(sight);
            if kind != Kind::Rook {
                views.lesser = views.lesser.or(sight);
            }
        }
    }
    for kind in [Kind::Advisor, Kind::Elephant, Kind::General] {
        for at in pos.all(side, kind) {
            let sight = pos.sight(side, kind, at);
            views.kinds[kind as usize] = views.kinds[kind as usize].with(at);
            views.all = views.all.or(sight);
            if kind == Kind::General {
                views.steps = sight.minus(army);
            } else {
                views.lesser = views.lesser.or(sight);
            }
        }
    }
    let mut crossed = Squares::NONE;
    for at in pos.all(side, Kind::Soldier) {
        let sight = pos.sight(side, Kind::Soldier, at);
        views.kinds[Kind::Soldier as usize] = views.kinds[Kind::Soldier as usize].with(at);
        views.soldiers = views.soldiers.or(sight);
        if (at.row() < 5) == (side == Side::First) {
            crossed = crossed.with(at);
            let pressed = sight.and(palace).len();
            to.add(PRESSURE.at(3), sign * pressed as i32);
            views.attackers += usize::from(pressed > 0);
        }
    }
    views.all = views.all.or(views.soldiers);
    to.add(CROSSED.at(crossed.len() as usize), sign);
    let beside = |at: &Square| at.step((1, 0)).is_some_and(|next| crossed.has(next));
    to.add(BROTHERS.at(0), sign * crossed.iter().filter(beside).count() as i32);
    if let Some(general) = pos.general(enemy) {
        on_lines(pos, &views, general, sign, to);
    }
    views
}

/// Rooks and cannons on the lines of the enemy general.
#[inline(always)]
fn on_lines(pos: &Xiangqi, own: &Views, general: Square, sign: i32, to: &mut impl Counts) {
    let occupied = pos.occupied();
    for at in own.kinds[Kind::Cannon as usize].iter() {
        if at.file() == general.file() {
            match upright_between(at, general).and(occupied).len() {
                0 => {
                    to.add(CANNON.at(0), sign);
                    to.add(CANNON.at(1), sign * own.count(Kind::Rook));
                }
                2 => to.add(CANNON.at(2), sign),
                _ => {}
            }
        } else if at.row() == general.row() && level_between(at, general).and(occupied).is_empty() {
            to.add(CANNON.at(3), sign);
        }
    }
    for at in own.kinds[Kind::Rook as usize].iter().filter(|at| at.file() == general.file()) {
        if upright_between(at, general).and(occupied).len() <= 1 {
            to.add(ROOK.at(0), sign);
        }
    }
}

/// Counts the terms of one side against the other: guards, attackers of the palace, pieces left hanging.
#[inline(always)]
fn between(own: &Views, enemy: &Views, sign: i32, to: &mut impl Counts) {
    let advisors = own.count(Kind::Advisor);
    let elephants = own.count(Kind::Elephant);
    to.add(GUARDS.at((3 * advisors + elephants) as usize), sign);
    for (i, kind) in ROAMING.into_iter().enumerate() {
        let many = enemy.count(kind);
        to.add(MISSING.at(i), sign * (2 - advisors) * many);
        to.add(MISSING.at(3 + i), sign * (2 - elephants) * many);
    }
    let palace = PALACE[if sign > 0 { 1 } else { 0 }];
    to.add(ATTACKERS[2 - (enemy.count(Kind::Advisor) as usize).min(2)].at(own.attackers), sign);
    to.add(HOLES.at(own.all.and(palace).minus(enemy.all).len() as usize), sign);
    to.add(ESCAPES.at(own.steps.minus(enemy.all).len() as usize), sign);
    let alone = own.all.and(enemy.army).minus(enemy.all);
    if !alone.is_empty() {
        for kind in Kind::ALL.into_iter().skip(1) {
            let many = alone.and(enemy.kinds[kind as usize]).len() as i32;
            to.add(HANGING.at(kind as usize), sign * many);
        }
    }
    let kinds = |kind: Kind| enemy.kinds[kind as usize];
    let rooks = kinds(Kind::Rook);
    let middle = kinds(Kind::Horse).or(kinds(Kind::Cannon));
    to.add(LESSER.at(0), sign * own.soldiers.and(middle).len() as i32);
    to.add(LESSER.at(1), sign * own.soldiers.and(rooks).len() as i32);
    to.add(LESSER.at(2), sign * own.lesser.and(rooks).len() as i32);
    let (cannons, horses) = (own.count(Kind::Cannon), own.count(Kind::Horse));
    to.add(PAIRS.at(0), sign * i32::from(cannons > 1));
    to.add(PAIRS.at(1), sign * i32::from(horses > 1));
    to.add(PAIRS.at(2), sign * i32::from(cannons > 0 && horses > 0));
}

const fn in_order(a: Square, b: Square) -> (Square, Square) {
    if a.index() < b.index() { (a, b) } else { (b, a) }
}

/// The squares strictly between two of one file.
fn upright_between(a: Square, b: Square) -> Squares {
    let (low, high) = in_order(a, b);
    (low.row() + 1..high.row()).filter_map(|row| Square::new(row * FILES + a.file())).collect()
}

/// The squares strictly between two of one row.
fn level_between(a: Square, b: Square) -> Squares {
    let (low, high) = in_order(a, b);
    (low.index() + 1..high.index()).filter_map(Square::new).collect()
}

const PALACE: [Squares; 2] = [palace(7), palace(0)];

const fn palace(first_row: u8) -> Squares {
    let mut set = Squares::NONE;
    let mut i = 0;
    while i < 9 {
        if let Some(square) = Square::new((first_row + i / 3) * FILES + 3 + i % 3) {
            set = set.with(square);
        }
        i += 1;
    }
    set
}
