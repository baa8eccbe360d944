//! What is legal: shifts that nothing blocks, and any own stone at step three.

use crate::{Direction, Locked, Move, Step, Stones};

impl Locked {
    /// Appends the legal operations of the faithful game, whatever limit a match may have set.
    pub fn operations(&self, out: &mut Vec<Move>) {
        if self.step == Step::Choose {
            out.extend(self.own().by_column().map(Move::Choose));
            return;
        }
        out.extend(Direction::ALL.into_iter().filter(|&to| self.can_go(to)).map(Move::Go));
    }

    /// How many [`operations`](Locked::operations) there are.
    #[must_use]
    pub fn operation_count(&self) -> u64 {
        match self.step {
            Step::Choose => u64::from(self.own().len()),
            _ => Direction::ALL.into_iter().map(|to| u64::from(self.can_go(to))).sum(),
        }
    }

    /// Whether the side to move has no operation left, and so has lost.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.step != Step::Choose && !Direction::ALL.into_iter().any(|to| self.can_go(to))
    }

    /// Whether `to` is legal at this step, which is not step 3.
    fn can_go(&self, to: Direction) -> bool {
        if self.axis == Some(to.axis()) {
            return false;
        }
        match self.chosen {
            Some(stone) => {
                stone.next(to).is_some_and(|target| !self.stones[0].or(self.stones[1]).has(target))
            }
            None => {
                let own = self.own();
                let enemy = self.stones[self.side.other().index()];
                own.on_edge(to).is_empty() && own.shifted(to).and(enemy).is_empty()
            }
        }
    }

    /// What keeps this step from going to `to`: own stones that would leave the board, or the stones in the way.
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
