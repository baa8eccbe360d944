//! The counters of the federations' draw rules. docs/rules/draughts.md §7 and §9.

use crate::bits::Bits;
use crate::moves::{Move, MovingPiece};
use crate::position::Draughts;
use crate::rules::{Colour, Endgames, Rules};
use crate::square::{Square, long_diagonal};

/// The counters a position keeps of the moves before it, in plies. None of them counts beyond 255.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Counters {
    /// Plies since the last move of a man or capture: kings only.
    pub(crate) idle: u8,
    /// Plies since the material came into the class of endgames it is in.
    pub(crate) endgame: u8,
    /// Plies since the lone king has stood on the long diagonal.
    pub(crate) diagonal: u8,
    /// White's and Black's limited king: moves it made in a row, and the number of its square; 0 and 0 for none.
    pub(crate) tired: [(u8, u8); 2],
}

impl Counters {
    /// The king of the side to move that must rest.
    #[inline(always)]
    pub(crate) fn tired<R: Rules>(self, limit: u8, white: bool) -> R::Bits {
        let (moves, square) = self.tired[usize::from(!white)];
        match Square::new::<R>(square) {
            Some(square) if moves >= limit => square.set::<R>(),
            _ => R::Bits::NONE,
        }
    }

    /// The limited kings as one number.
    pub(crate) fn limits(self) -> u64 {
        let [(a, b), (c, d)] = self.tired;
        u64::from(u32::from_le_bytes([a, b, c, d]))
    }

    /// Plies that may be looked back: all of them once the counter is full.
    pub(crate) fn reversible(self) -> usize {
        if self.idle == u8::MAX { usize::MAX } else { usize::from(self.idle) }
    }
}

/// A class of endgames that ends in a draw when it lasts too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Class {
    /// The name of the class; classes with the same name go on counting when one becomes the other.
    pub(crate) name: &'static str,
    /// The most plies that such an endgame may last.
    pub(crate) limit: u8,
}

const fn class(name: &'static str, moves_each: u8) -> Option<Class> {
    Some(Class { name, limit: 2 * moves_each })
}

impl<R: Rules> Draughts<R> {
    /// Counts the ply `m`, which led from `before` to here. Only positions with kings come here.
    #[inline(never)]
    pub(crate) fn count_ply(&mut self, before: &Self, m: Move<R>) {
        let one_more = |count: u8| count.saturating_add(1);
        let quiet_king = m.kind == MovingPiece::King && m.taken.is_none();
        self.counters.tired = before.counters.tired;
        self.counters.idle = if quiet_king { one_more(before.counters.idle) } else { 0 };
        if R::KING_MOVE_LIMIT.is_some() {
            self.tire(before, m, quiet_king);
        }
        if R::DRAWS.endgames == Endgames::None {
            return;
        }
        let now = self.class();
        if now.is_none() {
            return;
        }
        // FMJD-64 counts from each change of balance; elsewhere moves within a class go on counting.
        let restarts =
            R::DRAWS.endgames == Endgames::SixtyFour && (m.taken.any() || m.kind == MovingPiece::Promotes);
        let goes_on = now.map(|c| c.name) == before.class().map(|c| c.name) && !restarts;
        self.counters.endgame = if goes_on { one_more(before.counters.endgame) } else { 0 };
        if R::DRAWS.endgames == Endgames::SixtyFour {
            let goes_on = self.on_long_diagonal() && before.on_long_diagonal() && !restarts;
            self.counters.diagonal = if goes_on { one_more(before.counters.diagonal) } else { 0 };
        }
    }

    /// Counts the moves in a row of the mover's king. §7.
    fn tire(&mut self, before: &Self, m: Move<R>, quiet_king: bool) {
        let mover = usize::from(!before.white_to_move);
        let (moves, square) = before.counters.tired[mover];
        let mover_has_men = (self.them & !self.kings).any();
        self.counters.tired[mover] = if !quiet_king || !mover_has_men {
            (0, 0)
        } else if square == m.from().number() {
            (moves.saturating_add(1), m.to().number())
        } else {
            (1, m.to().number())
        };
        // A limited king that was captured, or whose side has no men left, is limited no more.
        let other = 1 - mover;
        let (_, square) = self.counters.tired[other];
        let stands = Square::new::<R>(square).is_some_and(|s| (s.set::<R>() & self.us & self.kings).any());
        if !stands || (self.us & !self.kings).is_none() {
            self.counters.tired[other] = (0, 0);
        }
    }

    /// Returns the number of men and of kings of a colour.
    ///
    /// ```
    /// use draughts::{Colour, Draughts, International};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W31,32,K47:B19")?;
    /// assert_eq!(pos.material(Colour::White), (2, 1));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn material(&self, colour: Colour) -> (u32, u32) {
        let pieces = self.pieces(colour);
        ((pieces & !self.kings).count(), (pieces & self.kings).count())
    }

    /// The class of endgames this position is in. §9.
    pub(crate) fn class(&self) -> Option<Class> {
        let lone = |set: R::Bits| set.any() && set.without_lowest().is_none();
        let few = R::DRAWS.endgames == Endgames::SixtyFour && (self.us | self.them).count() <= 7;
        if !few && !lone(self.us) && !lone(self.them) {
            return None;
        }
        let (white, black) = (self.material(Colour::White), self.material(Colour::Black));
        // The side with less, then the side with more.
        let (weak, strong) =
            if white.0 + white.1 <= black.0 + black.1 { (white, black) } else { (black, white) };
        let lone_king = weak == (0, 1);
        let (men, kings) = strong;
        let all = men + kings + weak.0 + weak.1;
        match R::DRAWS.endgames {
            Endgames::International if lone_king && kings >= 1 => match men + kings {
                1 | 2 => class("few-pieces", 5),
                3 => class("three-against-one", 16),
                _ => None,
            },
            Endgames::SixtyFour if lone_king && men == 0 && kings >= 3 => class("three-kings", 15),
            Endgames::SixtyFour if weak.1 >= 1 && kings >= 1 => match all {
                2 | 3 => class("few-pieces", 5),
                4 | 5 => class("balance-small", 30),
                6 | 7 => class("balance-large", 60),
                _ => None,
            },
            Endgames::Frisian if lone_king && men == 0 => match kings {
                1 => class("king-against-king", 2),
                2 => class("two-kings", 7),
                _ => None,
            },
            Endgames::Iberian if lone_king && men == 0 && kings == 3 => class("three-kings", 12),
            _ => None,
        }
    }

    /// Returns true if a lone king stands on the long diagonal against three pieces, a king among them. §9.2.
    pub(crate) fn on_long_diagonal(&self) -> bool {
        let lone = |ours: R::Bits, theirs: R::Bits| {
            ours.count() == 1
                && (ours & self.kings & long_diagonal::<R>()).any()
                && theirs.count() == 3
                && (theirs & self.kings).any()
        };
        R::DRAWS.endgames == Endgames::SixtyFour && (lone(self.us, self.them) || lone(self.them, self.us))
    }

    /// The counters that are running: key, plies now, limit.
    pub(crate) fn running(&self) -> impl Iterator<Item = (&'static str, u8, u8)> + use<R> {
        let kings =
            (R::DRAWS.king_plies > 0).then_some(("kings-only", self.counters.idle, R::DRAWS.king_plies));
        let endgame = self.class().map(|c| (c.name, self.counters.endgame, c.limit));
        let diagonal = self.on_long_diagonal().then_some(("long-diagonal", self.counters.diagonal, 10));
        kings.into_iter().chain(endgame).chain(diagonal)
    }

    /// Returns the number of plies an ending with this material may last before it is drawn, where such endings are
    /// limited. §9.2.
    ///
    /// ```
    /// use draughts::{Draughts, International};
    /// use kernel::Notation;
    ///
    /// let start = Draughts::<International>::start();
    /// assert_eq!(start.plies_allowed(), None);
    /// assert_eq!(start.read_fen("W:WK28:BK1,K2")?.plies_allowed(), Some(10), "five moves each");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn plies_allowed(&self) -> Option<u8> {
        self.class().map(|class| class.limit)
    }

    /// Returns the number of plies left until a counter makes a draw, if one is running.
    ///
    /// ```
    /// use draughts::{Draughts, International};
    /// use kernel::Notation;
    ///
    /// let start = Draughts::<International>::start();
    /// assert_eq!(start.plies_to_draw(), None);
    /// let kings = start.read_fen("W:W31,32,K28:B1,2,K3:H40")?;
    /// assert_eq!(kings.plies_to_draw(), Some(10), "of fifty plies with kings alone");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn plies_to_draw(&self) -> Option<u8> {
        let Counters { idle, endgame, diagonal, .. } = self.counters;
        if idle | endgame | diagonal == 0 {
            return None;
        }
        self.running().map(|(_, now, limit)| limit.saturating_sub(now)).min()
    }

    /// Returns the reason the counters make a draw of this position, if they do.
    #[inline]
    pub(crate) fn run_out(&self) -> Option<&'static str> {
        if R::DRAWS.endgames == Endgames::OneEach {
            let one_each = self.us.count() == 1 && self.them.count() == 1;
            if one_each && !self.must_capture() {
                return Some("one-against-one");
            }
        }
        let Counters { idle, endgame, diagonal, .. } = self.counters;
        if idle | endgame | diagonal == 0 {
            return None;
        }
        self.running().find(|(_, now, limit)| now >= limit).map(|(key, _, _)| key)
    }
}
