//! The evaluation by hand: material and places, summed as moves are played. For variants without learned weights.

use draughts::rules::Goal;
use draughts::{Colour, Draughts, Move, Rules, Square, squares};
use kernel::{Position, Side};

/// Square numbers run from 1 to 72 on the largest board.
pub(super) const SQUARES: usize = 73;

/// The value of a man, in hundredths.
pub(super) const MAN: i32 = 100;
/// A king that flies, and one that does not.
const KING: [i32; 2] = [300, 145];
/// The bonus for each step of a man towards the last row.
const STEP: i32 = 2;
/// The bonus for each file nearer to the middle.
const MIDDLE: i32 = 2;
/// A man on its own last row: no enemy becomes a king there.
const GUARD: i32 = 7;
/// Two men, one right behind the other.
const BACKED: i32 = 2;

/// The values of pieces by side and square number, and their sums along the line, the first side's less the second's.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    man: [[i32; SQUARES]; 2],
    king: [[i32; SQUARES]; 2],
    line: Vec<i32>,
}

impl Sums {
    pub(super) fn new<R: Rules>() -> Sums {
        let mut sums = Sums { man: [[0; SQUARES]; 2], king: [[0; SQUARES]; 2], line: vec![0] };
        for square in (1..=squares::<R>()).filter_map(Square::new::<R>) {
            for colour in Colour::BOTH {
                let side = Draughts::<R>::side(colour).index();
                let number = usize::from(square.number());
                let rank = i32::from(match colour {
                    Colour::White => R::SIDE - 1 - square.row::<R>(),
                    Colour::Black => square.row::<R>(),
                });
                let file = i32::from(square.file::<R>());
                let middle = MIDDLE * file.min(i32::from(R::SIDE) - 1 - file);
                sums.man[side][number] = man::<R>(rank) + middle;
                sums.king[side][number] = king::<R>() + middle;
            }
        }
        sums
    }

    pub(super) fn reset<R: Rules>(&mut self, pos: &Draughts<R>) {
        let sum = self.of(pos, Side::First) - self.of(pos, Side::Second);
        self.line.clear();
        self.line.push(sum);
    }

    pub(super) fn played<R: Rules>(&mut self, before: &Draughts<R>, m: Move<R>) {
        let side = before.turn();
        let is_king = m.by_king();
        let mut gain =
            self.worth(side, m.to(), is_king || m.promotes()) - self.worth(side, m.from(), is_king);
        if m.is_capture() {
            gain += m.captured().map(|at| self.worth(side.other(), at, before.is_king(at))).sum::<i32>();
        }
        let first = if side == Side::First { gain } else { -gain };
        self.line.push(self.now() + first);
    }

    pub(super) fn undone(&mut self) {
        self.line.pop();
    }

    /// Returns the score of the current position for the first side.
    pub(super) fn score<R: Rules>(&self, pos: &Draughts<R>) -> i32 {
        if R::GOAL == Goal::LoseAll {
            return self.now();
        }
        let [first, second] = Side::BOTH.map(Draughts::<R>::colour_of);
        self.now() + BACKED * (pos.backed(first) as i32 - pos.backed(second) as i32)
    }

    fn now(&self) -> i32 {
        self.line[self.line.len() - 1]
    }

    fn worth(&self, side: Side, square: Square, is_king: bool) -> i32 {
        let table = if is_king { &self.king } else { &self.man };
        table[side.index()][usize::from(square.number())]
    }

    fn of<R: Rules>(&self, pos: &Draughts<R>, side: Side) -> i32 {
        let colour = Draughts::<R>::colour_of(side);
        let men = pos.men(colour).map(|at| self.worth(side, at, false)).sum::<i32>();
        men + pos.kings(colour).map(|at| self.worth(side, at, true)).sum::<i32>()
    }
}

/// Returns the value of a man on that rank, from its own side, from 0.
fn man<R: Rules>(rank: i32) -> i32 {
    match R::GOAL {
        Goal::LoseAll => -MAN,
        // The first king wins: being near is everything.
        Goal::FirstKing => MAN + 2 * rank * rank + if rank == 0 { 2 * GUARD } else { 0 },
        Goal::Stop => MAN + STEP * rank + if rank == 0 { GUARD } else { 0 },
    }
}

/// Returns the value of a king on any square.
pub(super) fn king<R: Rules>() -> i32 {
    match R::GOAL {
        Goal::LoseAll => -MAN,
        _ if R::FLYING => KING[0],
        _ => KING[1],
    }
}
