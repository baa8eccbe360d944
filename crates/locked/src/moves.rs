//! Legal operations: shifts that are not blocked, and any own stone at step three.
//!
//! Which of the four directions are open is found for all at once, as four bits, without a branch: search and perft
//! ask this more often than anything else.

use crate::square::{blocks_beside, blocks_upright};
use crate::{Axis, Direction, Locked, Move, Step, Stones};

/// The moves of each set of open directions: bit 0 up, 1 down, 2 left, 3 right, as in [`Direction::ALL`].
static OPEN: [[Move; 4]; 16] = {
    let mut table = [[Move::Go(Direction::Up); 4]; 16];
    let mut open = 0;
    while open < 16 {
        let (mut count, mut bit) = (0, 0);
        while bit < 4 {
            if open >> bit & 1 == 1 {
                table[open][count] = Move::Go(Direction::ALL[bit]);
                count += 1;
            }
            bit += 1;
        }
        open += 1;
    }
    table
};

/// The bits of up and down, and of left and right.
const UPRIGHT: u8 = 0b0011;
const BESIDE: u8 = 0b1100;

/// Returns the number of bits set among the four: the counts of 0 to 15 are kept in one number, for processors
/// without a population count instruction.
#[inline]
const fn count(open: u8) -> u64 {
    0x4332_3221_3221_2110 >> (open * 4) & 0xF
}

impl Locked {
    /// Appends the legal operations of the faithful game, whatever limit a match may have set.
    ///
    /// ```
    /// use locked::{Direction, Locked, Move};
    ///
    /// let mut operations = Vec::new();
    /// Locked::default().operations(&mut operations);
    /// assert_eq!(operations, Direction::ALL.map(Move::Go));
    /// ```
    #[inline]
    pub fn operations(&self, out: &mut Vec<Move>) {
        if self.step == Step::Choose {
            out.extend(self.own().by_column().map(Move::Choose));
            return;
        }
        let open = self.open();
        out.extend_from_slice(&OPEN[open as usize][..count(open) as usize]);
    }

    /// Returns the number of [`operations`](Locked::operations).
    ///
    /// ```
    /// use kernel::Position;
    /// use locked::{Direction, Locked, Move};
    ///
    /// let mut pos = Locked::default();
    /// assert_eq!(pos.operation_count(), 4);
    /// pos.play(Move::Go(Direction::Up));
    /// pos.play(Move::Go(Direction::Left));
    /// assert_eq!(pos.operation_count(), 4, "a stone for each");
    /// ```
    #[inline]
    #[must_use]
    pub fn operation_count(&self) -> u64 {
        if self.step == Step::Choose { u64::from(self.own().len()) } else { count(self.open()) }
    }

    /// Returns true if the side to move has no operation left, and so has lost.
    ///
    /// ```
    /// use kernel::{Notation, Outcome, Position, Side};
    /// use locked::Locked;
    ///
    /// // Black stands in the corner, walled in by White and the edge.
    /// let start = Locked::default();
    /// assert!(!start.is_stuck());
    /// let pos = start.read_fen("bbw9/bw10/w11/12/12/12/12/12/12/12/12/12 b 1 - -")?;
    /// assert!(pos.is_stuck());
    /// assert_eq!(pos.outcome(), Some(Outcome::Win(Side::Second, "no-moves")));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.step != Step::Choose && self.open() == 0
    }

    /// The open directions of this step, which is not step 3: bit 0 up, 1 down, 2 left, 3 right.
    #[inline]
    fn open(&self) -> u8 {
        match self.chosen {
            Some(stone) => {
                let blocked = match self.axis {
                    None => blocks_upright(&self.stones, stone) | blocks_beside(&self.stones, stone),
                    Some(Axis::Vertical) => UPRIGHT | blocks_beside(&self.stones, stone),
                    Some(Axis::Horizontal) => BESIDE | blocks_upright(&self.stones, stone),
                };
                !blocked & (UPRIGHT | BESIDE)
            }
            None => {
                let across = match self.axis {
                    None => UPRIGHT | BESIDE,
                    Some(Axis::Vertical) => BESIDE,
                    Some(Axis::Horizontal) => UPRIGHT,
                };
                across & !self.stones[self.side.other().index()].blocks_all(self.own())
            }
        }
    }

    /// Returns the stones that block this step to `to`: own stones that would leave the board, or the stones in the
    /// way.
    pub(crate) fn blockers(&self, to: Direction) -> Stones {
        let going = self.chosen.map_or(self.own(), |stone| Stones::NONE.with(stone));
        let in_the_way = match self.chosen {
            Some(_) => self.stones[0].or(self.stones[1]),
            None => self.stones[self.side.other().index()],
        };
        let leaving = going.on_edge(to);
        let staying = going.and(leaving.complement());
        leaving.or(staying.shifted(to).and(in_the_way))
    }
}
