//! Checks and pins: the squares that the safety of the general leaves to the other pieces, found once a position, so
//! that no move needs to be tried.
//!
//! Only what stands on a line with the general matters, a horse a leap away, or a soldier beside it. Each such threat
//! leaves the pieces that hold it up certain squares, and certain squares to all the others; a legal move is one that
//! every threat allows. Two checks at once need no rule of their own.
//!
//! | enemy | between it and the general | the pieces between may | the others may |
//! |---|---|---|---|
//! | rook, general | nothing: check | | step between or take it |
//! | rook, general | one of ours | stay between or take it | go anywhere |
//! | cannon | nothing | | not step between |
//! | cannon | one: check | leave the line or take it (ours) | step between or take it |
//! | cannon | two | stay between or take it (ours) | go anywhere |
//! | horse | nothing on its leg: check | | step on the leg or take it |
//! | horse | one of ours on its leg | take it | go anywhere |
//! | soldier | beside it: check | | take it |

use kernel::Side;

use crate::square::FILES;
use crate::steps::{NEAR, bit, home};
use crate::{Kind, Square, Squares, Xiangqi};

/// The most pieces of a side that can threaten a general: two rooks, cannons and horses, the general and the soldiers
/// that stand beside it.
const MOST: usize = 12;

/// One enemy that restricts our pieces.
#[derive(Clone, Copy)]
struct Threat {
    /// Our pieces between it and the general.
    holders: Squares,
    /// The squares the holders may go to.
    held: Squares,
    /// The squares all other pieces may go to.
    others: Squares,
}

/// Every threat to one general.
pub(crate) struct Threats {
    list: [Threat; MOST],
    count: usize,
    holders: Squares,
    others: Squares,
}

impl Threats {
    /// Returns our pieces that are restricted, if all the others are free.
    pub(crate) fn only_holders(&self) -> Option<Squares> {
        (self.others == Squares::ALL).then_some(self.holders)
    }

    /// Returns the squares the threats let the piece on `from` go to.
    pub(crate) fn allow(&self, from: Square) -> Squares {
        let ask = |threat: &Threat| if threat.holders.has(from) { threat.held } else { threat.others };
        self.list[..self.count].iter().map(ask).fold(Squares::ALL, Squares::and)
    }

    fn add(&mut self, holders: Squares, held: Squares, others: Squares) {
        self.list[self.count] = Threat { holders, held, others };
        self.count += 1;
        self.holders = self.holders.or(holders);
        self.others = self.others.and(others);
    }
}

impl Xiangqi {
    /// Returns the threats to the general of `side`, on `general`, each with the squares it leaves to the other
    /// pieces.
    pub(crate) fn threats(&self, side: Side, general: Square) -> Threats {
        const NOTHING: Threat = Threat { holders: Squares::NONE, held: Squares::NONE, others: Squares::NONE };
        let mut threats =
            Threats { list: [NOTHING; MOST], count: 0, holders: Squares::NONE, others: Squares::ALL };
        let (us, enemy) = (side.index(), side.other());
        let here = bit(general.0, home(us));
        let ours = self.army(side);

        for at in self.all(enemy, Kind::Rook).chain(self.general(enemy)) {
            if NEAR.line[us][at.i()] & here == 0 {
                continue;
            }
            let between = between(at, general);
            let held = between.with(at);
            let blockers = between.and(self.occupied());
            match blockers.len() {
                0 => threats.add(Squares::NONE, Squares::NONE, held),
                1 if !blockers.and(ours).is_empty() => threats.add(blockers, held, Squares::ALL),
                _ => {}
            }
        }
        for at in self.all(enemy, Kind::Cannon) {
            if NEAR.line[us][at.i()] & here == 0 {
                continue;
            }
            let between = between(at, general);
            let blockers = between.and(self.occupied());
            let stay = between.minus(blockers).with(at);
            match blockers.len() {
                0 => threats.add(Squares::NONE, Squares::NONE, Squares::ALL.minus(between)),
                1 => threats.add(blockers.and(ours), Squares::ALL.minus(between), stay),
                2 => threats.add(blockers.and(ours), stay, Squares::ALL),
                _ => {}
            }
        }
        for at in self.all(enemy, Kind::Horse).filter(|at| NEAR.horse[us][at.i()] & here != 0) {
            let leg = Squares::of(leg(at, general));
            if leg.and(self.occupied()).is_empty() {
                threats.add(Squares::NONE, Squares::NONE, leg.with(at));
            } else {
                threats.add(leg.and(ours), Squares::of(at), Squares::ALL);
            }
        }
        for at in self.all(enemy, Kind::Soldier).filter(|at| NEAR.soldier[us][at.i()] & here != 0) {
            threats.add(Squares::NONE, Squares::NONE, Squares::of(at));
        }
        threats
    }

    /// Returns true if the general of `side` would be attacked on `place`, a square of its palace to which it has
    /// gone, taking the piece there.
    pub(crate) fn is_attacked(&self, side: Side, place: Square) -> bool {
        let (us, enemy) = (side.index(), side.other());
        let here = bit(place.0, home(us));
        let lifted = self.general(side).map_or(self.occupied(), |general| self.occupied().without(general));
        let screens = |at: Square| between(at, place).and(lifted).len();
        let in_line = |at: &Square| NEAR.line[us][at.i()] & here != 0;

        let free_leg = |at: Square| !lifted.has(leg(at, place));
        let facing = |at: Square| at.file() == place.file() && screens(at) == 0;
        self.all(enemy, Kind::Rook).filter(in_line).any(|at| screens(at) == 0)
            || self.all(enemy, Kind::Cannon).filter(in_line).any(|at| screens(at) == 1)
            || self.all(enemy, Kind::Horse).any(|at| NEAR.horse[us][at.i()] & here != 0 && free_leg(at))
            || self.all(enemy, Kind::Soldier).any(|at| NEAR.soldier[us][at.i()] & here != 0)
            || self.general(enemy).is_some_and(facing)
    }
}

/// The squares strictly between two squares of one row or one file.
pub(crate) fn between(a: Square, b: Square) -> Squares {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let numbers = ((1_u128 << high.0) - 1) & !((2 << low.0) - 1);
    if a.row() == b.row() { Squares(numbers) } else { Squares(numbers & FILE_A << a.file()) }
}

pub(crate) const FILE_A: u128 = {
    let mut file = 0;
    let mut square = 0;
    while square < 90 {
        file |= 1 << square;
        square += FILES;
    }
    file
};

/// The leg of a horse on `at` that leaps to `to`.
fn leg(at: Square, to: Square) -> Square {
    let (files, rows) = (to.file() as i8 - at.file() as i8, to.row() as i8 - at.row() as i8);
    let step = (files / 2, rows / 2);
    at.step(step).expect("a leg lies between two squares of the board")
}
