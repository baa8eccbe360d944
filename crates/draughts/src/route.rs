//! The way a piece goes when it captures: the squares it comes down on.
//!
//! A move says what is captured, not in which order. Of all legal ways to the same end the one whose squares come
//! first, compared from the start, is shown; no two legal moves are shown alike, for between two of its squares there
//! is always exactly one captured piece.

use std::collections::HashSet;

use crate::bits::{Bits, Each};
use crate::direction;
use crate::moves::Move;
use crate::position::Draughts;
use crate::rules::{Colour, Landing, Priority, Promotion, Removal, Rules};
use crate::square::{Square, last_row, shift_by};
use crate::walk::order_with;

/// The state of a piece in the middle of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State<R: Rules> {
    at: R::Bits,
    taken: R::Bits,
    king: bool,
    /// The direction of the last jump; 8 before the first.
    came: usize,
    /// True if the last jump came down right behind the captured piece.
    close: bool,
    /// The number of the wanted squares that were passed.
    passed: usize,
    /// The [order](order_with) of the captures.
    order: u64,
}

/// One jump of a capture: the state after it and the squares it crossed.
struct Jump<R: Rules> {
    next: State<R>,
    /// Every square from the start of the jump to its end, without the start.
    walked: Vec<Square>,
}

impl<R: Rules> Draughts<R> {
    /// The squares `m` comes down on, its origin first: two for a quiet move or a single capture.
    ///
    /// They are the squares PDN writes: where a king turns it is the square of the turn, where it goes straight on
    /// the square right behind the captured piece.
    ///
    /// ```
    /// use draughts::{Draughts, International, Square};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W28:B23,14")?;
    /// let route = pos.route(pos.legal()[0]);
    /// assert_eq!(route.into_iter().map(Square::number).collect::<Vec<_>>(), [28, 19, 10]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn route(&self, m: Move<R>) -> Vec<Square> {
        let mut route = vec![m.from()];
        if m.is_capture() {
            let found = self.search(m, &[], Some(self.best_order(m)), &mut route);
            debug_assert!(found, "a legal capture has a way");
        } else {
            route.push(m.to());
        }
        route
    }

    /// Returns true if some way of `m` passes the squares `over` in this order between its ends, coming down there or
    /// not. People write ways that the rules would not allow, to the same end; they are read, too.
    ///
    /// ```
    /// use draughts::{Draughts, International, Square};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W28:B23,14")?;
    /// let over = |number| pos.passes(pos.legal()[0], &[Square::new::<International>(number).unwrap()]);
    /// assert!(over(19) && !over(20));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn passes(&self, m: Move<R>, over: &[Square]) -> bool {
        if m.is_capture() {
            return self.search(m, over, None, &mut vec![m.from()]);
        }
        over.is_empty()
    }

    fn first_state(m: Move<R>) -> State<R> {
        State {
            at: R::Bits::bit(m.from),
            taken: R::Bits::NONE,
            king: m.by_king(),
            came: 8,
            close: true,
            passed: 0,
            order: 0,
        }
    }

    /// The highest order of captures of all ways of `m`: kings as early as can be. 0 where it does not count.
    fn best_order(&self, m: Move<R>) -> u64 {
        if !matches!(R::PRIORITY, Priority::Italian) {
            return 0;
        }
        let (mut best, mut seen, mut open) = (0, HashSet::new(), vec![Self::first_state(m)]);
        while let Some(state) = open.pop() {
            if state.taken == m.taken && state.at == R::Bits::bit(m.to) {
                best = best.max(state.order);
            } else if seen.insert(state) {
                open.extend(self.jumps(m, state, m.taken & !state.taken).into_iter().map(|jump| jump.next));
            }
        }
        best
    }

    /// Finds the first way of `m` that passes `over`, and appends its squares to `route`. With an `order` only legal ways count.
    fn search(&self, m: Move<R>, over: &[Square], order: Option<u64>, route: &mut Vec<Square>) -> bool {
        self.walk(m, over, order, Self::first_state(m), &mut HashSet::new(), route)
    }

    fn walk(
        &self,
        m: Move<R>,
        over: &[Square],
        order: Option<u64>,
        state: State<R>,
        dead: &mut HashSet<State<R>>,
        route: &mut Vec<Square>,
    ) -> bool {
        if state.taken == m.taken
            && state.at == R::Bits::bit(m.to)
            && state.passed == over.len()
            && order.is_none_or(|order| order == state.order)
        {
            return true;
        }
        if dead.contains(&state) {
            return false;
        }
        let mut jumps = self.jumps(m, state, m.taken & !state.taken);
        // The last jump must not have another landing from which the piece captures on, nor go too far behind a king.
        if order.is_some() {
            let goes_on: Vec<usize> = jumps
                .iter()
                .filter(|jump| jump.next.taken == m.taken && self.captures_on(m, jump.next))
                .map(|jump| jump.next.came)
                .collect();
            jumps.retain(|jump| !goes_on.contains(&jump.next.came));
            if matches!(R::LANDING, Landing::BehindLastKing) && state.king {
                let kings = self.view().their_kings;
                let king = |next: &State<R>| (next.taken & !state.taken & kings).any();
                jumps.retain(|jump| jump.next.close || jump.next.taken != m.taken || !king(&jump.next));
            }
        }
        jumps.sort_by_key(|jump| jump.next.at.lowest());
        for Jump { mut next, walked } in jumps {
            for square in walked {
                if over.get(next.passed) == Some(&square) {
                    next.passed += 1;
                }
            }
            route.push(Square::of_bit::<R>(next.at.lowest()));
            if self.walk(m, over, order, next, dead, route) {
                return true;
            }
            route.pop();
        }
        dead.insert(state);
        false
    }

    /// Returns true if the piece could capture one more piece, whichever.
    fn captures_on(&self, m: Move<R>, state: State<R>) -> bool {
        let last_row =
            if self.colour() == Colour::White { last_row::<R, true>() } else { last_row::<R, false>() };
        if !state.king && matches!(R::PROMOTION, Promotion::EndsMove) && (state.at & last_row).any() {
            return false;
        }
        let board = self.view();
        let prey = if state.king { board.them } else { board.prey_of_men() };
        !self.jumps(m, state, prey & !state.taken).is_empty()
    }

    /// The jumps over one of the pieces `left`.
    fn jumps(&self, m: Move<R>, state: State<R>, left: R::Bits) -> Vec<Jump<R>> {
        let up = self.colour() == Colour::White;
        let dirs = match (state.king, up) {
            (true, _) => R::KING_TAKES,
            (false, true) => R::MAN_TAKES,
            (false, false) => direction::flipped(R::MAN_TAKES),
        };
        let flying = R::FLYING && state.king;
        let mut empty = self.view().empty | R::Bits::bit(m.from);
        if matches!(R::REMOVAL, Removal::AtOnce) {
            empty |= state.taken;
        }
        let mut jumps = Vec::new();
        for d in Each(u64::from(dirs)).map(usize::from) {
            // Straight on is seen from right behind; back is not possible, or not allowed.
            let back = state.came < 8
                && d == state.came ^ 4
                && !(matches!(R::REMOVAL, Removal::AtOnce) && R::TURNS_BACK);
            if back || (d == state.came && !state.close) {
                continue;
            }
            let mut walked = Vec::new();
            let mut over = shift_by::<R>(state.at, d);
            while flying && (over & empty).any() {
                walked.push(Square::of_bit::<R>(over.lowest()));
                over = shift_by::<R>(over, d);
            }
            let victim = over & left;
            let mut at = shift_by::<R>(victim, d) & empty;
            let mut close = true;
            while at.any() {
                walked.push(Square::of_bit::<R>(at.lowest()));
                let crowned = match R::PROMOTION {
                    Promotion::CapturesOn if up => (at & last_row::<R, true>()).any(),
                    Promotion::CapturesOn => (at & last_row::<R, false>()).any(),
                    _ => false,
                };
                let taken = state.taken | victim;
                let order =
                    order_with::<R>(state.order, state.taken, (victim & self.view().their_kings).any());
                let king = state.king || crowned;
                let next = State { at, taken, king, came: d, close, passed: state.passed, order };
                jumps.push(Jump { next, walked: walked.clone() });
                if !flying || matches!(R::LANDING, Landing::RightBehind) {
                    break;
                }
                at = shift_by::<R>(at, d) & empty;
                close = false;
            }
        }
        jumps
    }
}
