//! The pieces that could take on a square, and the moves that give check: asked by exchanges and by cycles, one
//! square at a time.

use kernel::{Position, Side};

use crate::danger::{FILE_A, between};
use crate::position::{self, SLOTS, ahead, in_palace, on_own_bank};
use crate::square::{FILES, SQUARES};
use crate::steps::{ASLANT, STRAIGHT};
use crate::{Kind, Move, Square, Squares, Xiangqi};

/// Pieces of one side: a bit for each number.
pub(crate) type Slots = u16;

/// Returns true if such a piece on `from` could take on `to` when just these squares are occupied, its general's
/// safety aside. Generals do not see each other here.
///
/// ```
/// use kernel::Side;
/// use xiangqi::attacks::attacks;
/// use xiangqi::{Kind, Square, Squares};
///
/// let [a, b, c] = ["a0", "a4", "a9"].map(|name| Square::named(name).unwrap());
/// assert!(attacks(Side::First, Kind::Rook, a, c, Squares::NONE));
/// assert!(!attacks(Side::First, Kind::Cannon, a, c, Squares::NONE), "a cannon needs a screen");
/// assert!(attacks(Side::First, Kind::Cannon, a, c, Squares::of(b)));
/// ```
#[inline]
#[must_use]
pub fn attacks(by: Side, kind: Kind, from: Square, to: Square, occupied: Squares) -> bool {
    if FROM[by.index()][kind as usize][to.i()] >> from.0 & 1 == 0 {
        return false;
    }
    let screens = || between(from, to).and(occupied).len();
    let halfway = |a: u8, b: u8| (a as i8 + (b as i8 - a as i8) / 2) as u8;
    let free_between = || {
        let (file, row) = (halfway(from.file(), to.file()), halfway(from.row(), to.row()));
        !occupied.has(Square(row * FILES + file))
    };
    match kind {
        Kind::Rook => screens() == 0,
        Kind::Cannon => screens() == 1,
        Kind::Horse | Kind::Elephant => free_between(),
        Kind::General | Kind::Advisor | Kind::Soldier => true,
    }
}

/// Pieces of one side that could take on a square if nothing stood in their way, as [`Xiangqi::takers`] finds them.
///
/// ```
/// use kernel::Side;
/// use xiangqi::{Kind, Rules, Square, Xiangqi};
///
/// let start = Xiangqi::new(Rules::Asian);
/// let before_the_general = Square::named("e7").unwrap();
/// let takers = start.takers(Side::Second, before_the_general);
/// assert!(!takers.is_empty());
/// assert_eq!(takers.least(&start, start.occupied()).map(|(_, kind)| kind), Some(Kind::Elephant));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Takers {
    by: Side,
    to: Square,
    slots: Slots,
}

impl Takers {
    /// Returns true if there is no such piece.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.slots == 0
    }

    /// The one of least value among those that stand on `occupied` and could take if just these squares were occupied:
    /// soldiers first, then elephants, advisors, horses, cannons, rooks, the general. `pos` is the position they were found in.
    #[inline]
    #[must_use]
    pub fn least(self, pos: &Xiangqi, occupied: Squares) -> Option<(Square, Kind)> {
        let squares = pos.numbered(self.by.index());
        for (kind, of_kind) in LEAST_FIRST {
            let mut slots = self.slots & of_kind;
            while slots != 0 {
                let from = Square(squares[slots.trailing_zeros() as usize]);
                if occupied.has(from) && attacks(self.by, kind, from, self.to, occupied) {
                    return Some((from, kind));
                }
                slots &= slots - 1;
            }
        }
        None
    }
}

impl Xiangqi {
    /// The pieces of `by` that could take on `to` if nothing stood in their way and their general's safety did not matter.
    ///
    /// ```
    /// use kernel::Side;
    /// use xiangqi::{Kind, Rules, Square, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// let horse = Square::named("h9").unwrap();
    /// let takers = start.takers(Side::First, horse);
    /// assert_eq!(takers.least(&start, start.occupied()), Square::named("h2").map(|at| (at, Kind::Cannon)));
    /// ```
    #[inline]
    #[must_use]
    pub fn takers(&self, by: Side, to: Square) -> Takers {
        let side = by.index();
        let mut slots = 0;
        for from in self.army(by).and(Squares(FROM_ANY[side][to.i()])).iter() {
            if let Some(n) = self.number_at(from) {
                let slot = n % 16;
                slots |= ((FROM[side][SLOTS[slot] as usize][to.i()] >> from.0 & 1) as Slots) << slot;
            }
        }
        Takers { by, to, slots }
    }
}

impl Xiangqi {
    /// Returns true if `m`, a move of the side to move, leaves the other general attacked.
    ///
    /// ```
    /// use kernel::Notation;
    /// use xiangqi::{Move, Rules, Xiangqi};
    ///
    /// let pos = Xiangqi::new(Rules::Asian).read_fen("4k4/9/9/9/9/9/9/9/R8/3K5 w")?;
    /// assert!(pos.gives_check(Move::named("a1a9").unwrap()));
    /// assert!(!pos.gives_check(Move::named("a1a8").unwrap()));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn gives_check(&self, m: Move) -> bool {
        self.may_check(m) && {
            let mut next = self.clone();
            next.play(m);
            next.in_check(next.turn())
        }
    }

    /// Returns false if `m` cannot give check, as most moves cannot: to give check the piece must attack the general
    /// from its new square, if nothing stood in its way, or leave the leg of a horse, or leave or join a line on
    /// which a rook, cannon or general looks at the other general.
    #[inline]
    fn may_check(&self, m: Move) -> bool {
        let us = self.turn();
        let (Some(general), Some(n)) = (self.general(us.other()), self.number_at(m.from)) else {
            return false;
        };
        let from = &FROM[us.index()];
        let at = general.i();
        if from[SLOTS[n % 16] as usize][at] >> m.to.0 & 1 == 1 || LEGS[at] >> m.from.0 & 1 == 1 {
            return true;
        }
        let lines = from[Kind::Rook as usize][at];
        let along = lines & (1 << m.from.0 | 1 << m.to.0) != 0;
        let watchers = &self.numbered(us.index())[..5];
        along && watchers.iter().any(|&square| lines >> square & 1 == 1)
    }
}

/// The squares, by the square of a general, on which a piece blocks the leg of a horse that attacks it.
static LEGS: [u128; SQUARES as usize] = {
    let mut table = [0; SQUARES as usize];
    let mut square = 0;
    while square < SQUARES {
        table[square as usize] = steps(Square(square), &ASLANT);
        square += 1;
    }
    table
};

/// Each kind with its numbers among the sixteen of a side, the least valuable first.
const LEAST_FIRST: [(Kind, Slots); 7] = {
    let order =
        [Kind::Soldier, Kind::Elephant, Kind::Advisor, Kind::Horse, Kind::Cannon, Kind::Rook, Kind::General];
    let mut table = [(Kind::General, 0); 7];
    let mut i = 0;
    while i < 7 {
        let numbers = position::slots(order[i]);
        table[i] = (order[i], ((1_u32 << numbers.end) - (1 << numbers.start)) as Slots);
        i += 1;
    }
    table
};

/// The squares a piece could take from, if nothing were in the way: by side, kind and target.
static FROM: [[[u128; SQUARES as usize]; 7]; 2] = {
    let mut table = [[[0; SQUARES as usize]; 7]; 2];
    let mut square = 0;
    while square < SQUARES {
        let (to, i) = (Square(square), square as usize);
        let cross = (0x1FF << (to.row() * FILES) | FILE_A << to.file()) & !(1 << square);
        let leaps = steps(to, &[(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]);
        let mut us = 0;
        while us < 2 {
            let side = Side::BOTH[us];
            table[us][Kind::Rook as usize][i] = cross;
            table[us][Kind::Cannon as usize][i] = cross;
            table[us][Kind::Horse as usize][i] = leaps;
            if in_palace(side, to) {
                table[us][Kind::General as usize][i] = steps(to, &STRAIGHT);
                table[us][Kind::Advisor as usize][i] = steps(to, &ASLANT);
            }
            if on_own_bank(side, to) {
                table[us][Kind::Elephant as usize][i] = steps(to, &[(2, 2), (-2, 2), (2, -2), (-2, -2)]);
            } else {
                // A soldier beside it has crossed the river, too.
                table[us][Kind::Soldier as usize][i] = steps(to, &[(1, 0), (-1, 0)]);
            }
            table[us][Kind::Soldier as usize][i] |= steps(to, &[(0, -ahead(side))]);
            us += 1;
        }
        square += 1;
    }
    table
};

/// The squares any piece of a side could take from, if nothing were in the way: by side and target.
static FROM_ANY: [[u128; SQUARES as usize]; 2] = {
    let mut table = [[0; SQUARES as usize]; 2];
    let mut i = 0;
    while i < 2 * 7 * SQUARES as usize {
        let (side, kind, to) = (i % 2, i / 2 % 7, i / 14);
        table[side][to] |= FROM[side][kind][to];
        i += 1;
    }
    table
};

/// Returns the squares that each of `steps` leads to from `square`, as bits; steps off the board are left out.
const fn steps(square: Square, steps: &[(i8, i8)]) -> u128 {
    let mut set = 0;
    let mut i = 0;
    while i < steps.len() {
        if let Some(other) = square.step(steps[i]) {
            set |= 1 << other.0;
        }
        i += 1;
    }
    set
}
