//! The tree of the captures of one piece, walked jump by jump: right for every variant and every piece.
//!
//! [`jumps`](crate::jumps) answers for men whose captures are short; everything else comes here. Only captures that the
//! priority of the variant prefers are kept.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::bits::{Bits, Each};
use crate::direction::{back, each_direction, flipped, has};
use crate::moves::{Board, Move, MovingPiece};
use crate::rules::{Landing, Priority, Promotion, Removal, Rules};
use crate::square::{last_row, shift};

impl<R: Rules> Board<R> {
    /// Appends the captures the priority prefers, of these pieces, which can capture. `others` are men that
    /// capture one or two pieces at most.
    #[inline(never)]
    pub(crate) fn walk(
        &self,
        up: bool,
        kings: R::Bits,
        men: R::Bits,
        others: R::Bits,
        out: &mut Vec<Move<R>>,
    ) {
        let first = out.len();
        let mut walk = Walk::<R> {
            out,
            first,
            first_of_piece: first,
            best: 0,
            origin: 0,
            by_king: true,
            empty: self.empty,
            prey: self.them,
            prey_of_men: self.prey_of_men(),
            their_kings: self.their_kings,
            jumps: 0,
            seen: HashMap::default(),
            man_takes: if up { R::MAN_TAKES } else { flipped(R::MAN_TAKES) },
            last_row: if up { last_row::<R, true>() } else { last_row::<R, false>() },
        };
        for from in Each(kings) {
            walk.start(from, self.empty);
            walk.king(R::Bits::bit(from), R::Bits::NONE, 0, NOWHERE, NOWHERE);
        }
        walk.by_king = false;
        walk.men(men, self.empty);
        // The men that were thought to capture three may have been hindered by their own side.
        if others.any() && walk.out[first].captures() < 3 {
            walk.men(others, self.empty);
        }
    }
}

/// The index used in place of a direction before the first jump.
const NOWHERE: usize = 8;

/// Returns true if men of one of the sides capture in direction `1 << d`.
const fn either<R: Rules>(d: usize) -> bool {
    has::<true>(R::MAN_TAKES, d) || has::<false>(R::MAN_TAKES, d)
}

/// The captures of a side as they are walked.
struct Walk<'a, R: Rules> {
    out: &'a mut Vec<Move<R>>,
    /// The index in `out` at which this list begins, and the one at which the moves of this piece do.
    first: usize,
    first_of_piece: usize,
    /// The highest value of a capture found so far.
    best: u64,
    origin: u8,
    by_king: bool,
    /// Empty while this piece captures: its own origin, too.
    empty: R::Bits,
    prey: R::Bits,
    prey_of_men: R::Bits,
    their_kings: R::Bits,
    /// The depth in the capture: its jumps and one.
    jumps: u32,
    /// The crossings this piece reached on long ways, and whether it could capture on from them: a position set up
    /// for it has millions of ways to a few ends.
    seen: HashMap<Crossing<R>, bool, BuildHasherDefault<Fold>>,
    /// The directions in which the men of this side capture, and the row on which they become kings.
    man_takes: u8,
    last_row: R::Bits,
}

/// A piece in the middle of a long capture: all that decides how it can go on, and the value of the result.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Crossing<R: Rules> {
    at: R::Bits,
    taken: R::Bits,
    order: u64,
    /// The direction that a king may not look in; for a man `MAN`.
    not: u8,
}

/// Past every direction, and past none.
const MAN: u8 = 9;

/// The most crossings that are remembered: some dozens of megabytes.
const MOST_CROSSINGS: usize = 1 << 20;

/// The number of jumps from which on crossings are remembered: shorter ways are walked again faster than they are
/// looked up.
const LONG: u32 = 4;

/// A hasher that mixes words by multiplication; its input is positions, not data of users.
#[derive(Default)]
struct Fold(u64);

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
        self.0 = wide as u64 ^ (wide >> 64) as u64;
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The order of captures with one more captured piece after `taken`: from the highest bit on, whether it was a king. 0 where
/// the order does not count.
#[inline(always)]
pub(crate) fn order_with<R: Rules>(order: u64, taken: R::Bits, king: bool) -> u64 {
    if !matches!(R::PRIORITY, Priority::Italian) {
        return 0;
    }
    order | u64::from(king) << 31u32.saturating_sub(taken.count())
}

impl<R: Rules> Walk<'_, R> {
    fn start(&mut self, from: u8, empty: R::Bits) {
        self.origin = from;
        self.first_of_piece = self.out.len();
        self.empty = empty | R::Bits::bit(from);
        self.seen.clear();
    }

    fn men(&mut self, men: R::Bits, empty: R::Bits) {
        for from in Each(men) {
            self.start(from, empty);
            self.man(R::Bits::bit(from), R::Bits::NONE, 0);
        }
    }

    /// Squares that are empty after `taken` was captured.
    #[inline(always)]
    fn empty_now(&self, taken: R::Bits) -> R::Bits {
        match R::REMOVAL {
            Removal::AfterMove => self.empty,
            Removal::AtOnce => self.empty | taken,
        }
    }

    /// `order` with one more captured piece: from the highest bit on, whether it was a king.
    #[inline(always)]
    fn order_with(&self, order: u64, taken: R::Bits, victim: R::Bits) -> u64 {
        order_with::<R>(order, taken, (victim & self.their_kings).any())
    }

    /// Calls `walk_on`, but only once at each crossing.
    fn once(&mut self, crossing: Crossing<R>, walk_on: impl Fn(&mut Self) -> bool) -> bool {
        if let Some(&captured) = self.seen.get(&crossing) {
            return captured;
        }
        let captured = walk_on(self);
        if self.seen.len() < MOST_CROSSINGS {
            self.seen.insert(crossing, captured);
        }
        captured
    }

    /// Walks on with a man at `at`; returns true if it could capture.
    fn man(&mut self, at: R::Bits, taken: R::Bits, order: u64) -> bool {
        self.jumps += 1;
        let captured = if self.jumps <= LONG {
            self.man_on(at, taken, order)
        } else {
            let crossing = Crossing { at, taken, order, not: MAN };
            self.once(crossing, |walk| walk.man_on(at, taken, order))
        };
        self.jumps -= 1;
        captured
    }

    #[inline(always)]
    fn man_on(&mut self, at: R::Bits, taken: R::Bits, order: u64) -> bool {
        let mut captured = false;
        each_direction!(D => if const { either::<R>(D) } && self.man_takes >> D & 1 == 1 {
            let victim = shift::<R, D>(at) & self.prey_of_men & !taken;
            let landing = shift::<R, D>(victim) & self.empty_now(taken);
            if landing.any() {
                captured = true;
                let order = self.order_with(order, taken, victim);
                self.man_landed(landing, taken | victim, order, D);
            }
        });
        captured
    }

    fn man_landed(&mut self, at: R::Bits, taken: R::Bits, order: u64, d: usize) {
        let on_last = (at & self.last_row).any();
        match R::PROMOTION {
            Promotion::EndsMove if on_last => self.leaf(at, taken, order, MovingPiece::Promotes),
            Promotion::CapturesOn if on_last => {
                if !self.king(at, taken, order, back(d), NOWHERE) {
                    self.leaf(at, taken, order, MovingPiece::Promotes);
                }
            }
            _ => {
                if !self.man(at, taken, order) {
                    let kind = if on_last { MovingPiece::Promotes } else { MovingPiece::Man };
                    self.leaf(at, taken, order, kind);
                }
            }
        }
    }

    /// Walks on with a king at `at`, but not in the directions `not` and `nor`; returns true if it could capture.
    fn king(&mut self, at: R::Bits, taken: R::Bits, order: u64, not: usize, nor: usize) -> bool {
        self.jumps += 1;
        let captured = if self.jumps <= LONG {
            self.king_on(at, taken, order, not, nor)
        } else {
            // Directions that would lead nowhere new need not be left out: fewer crossings differ.
            let not = if R::TURNS_BACK { NOWHERE } else { not };
            let crossing = Crossing { at, taken, order, not: not as u8 };
            self.once(crossing, |walk| walk.king_on(at, taken, order, not, NOWHERE))
        };
        self.jumps -= 1;
        captured
    }

    #[inline(always)]
    fn king_on(&mut self, at: R::Bits, taken: R::Bits, order: u64, not: usize, nor: usize) -> bool {
        let mut captured = false;
        each_direction!(D => if const { has::<true>(R::KING_TAKES, D) } && D != not && D != nor {
            captured |= self.king_towards::<D>(at, taken, order);
        });
        captured
    }

    #[inline(always)]
    fn king_towards<const D: usize>(&mut self, at: R::Bits, taken: R::Bits, order: u64) -> bool {
        let empty = self.empty_now(taken);
        let mut victim = shift::<R, D>(at);
        if R::FLYING {
            while (victim & empty).any() {
                victim = shift::<R, D>(victim);
            }
        }
        victim = victim & self.prey & !taken;
        let landing = shift::<R, D>(victim) & empty;
        if landing.is_none() {
            return false;
        }
        let order = self.order_with(order, taken, victim);
        self.king_landed::<D>(landing, taken | victim, order, (victim & self.their_kings).any());
        true
    }

    /// Tries every square a king may come down on; where it can capture on, it must.
    fn king_landed<const D: usize>(&mut self, right_behind: R::Bits, taken: R::Bits, order: u64, king: bool) {
        // The piece just captured still stands on the way back, or turning back is forbidden.
        let way_back = match R::REMOVAL {
            Removal::AtOnce if R::TURNS_BACK => NOWHERE,
            _ => back(D),
        };
        let mut on = self.king(right_behind, taken, order, way_back, NOWHERE);
        let kind = if self.by_king { MovingPiece::King } else { MovingPiece::Promotes };
        if !R::FLYING || matches!(R::LANDING, Landing::RightBehind) {
            if !on {
                self.leaf(right_behind, taken, order, kind);
            }
            return;
        }
        // What lies straight on was seen from right behind.
        let empty = self.empty_now(taken);
        let mut at = shift::<R, D>(right_behind) & empty;
        while at.any() {
            on |= self.king(at, taken, order, way_back, D);
            at = shift::<R, D>(at) & empty;
        }
        if on {
            return;
        }
        let mut at = right_behind;
        while at.any() {
            self.leaf(at, taken, order, kind);
            if matches!(R::LANDING, Landing::BehindLastKing) && king {
                return;
            }
            at = shift::<R, D>(at) & empty;
        }
    }

    /// Adds a capture played to its end, if none is better and it is not in the list already.
    #[inline(never)]
    fn leaf(&mut self, to: R::Bits, taken: R::Bits, order: u64, kind: MovingPiece) {
        let value = self.value(taken, order);
        if value < self.best {
            return;
        }
        if value > self.best {
            self.best = value;
            self.out.truncate(self.first);
            self.first_of_piece = self.first;
        }
        let m = Move { taken, from: self.origin, to: to.lowest(), kind };
        if !self.out[self.first_of_piece..].contains(&m) {
            self.out.push(m);
        }
    }

    /// Returns the value the priority compares; 0 for all where any capture will do.
    #[inline(always)]
    fn value(&self, taken: R::Bits, order: u64) -> u64 {
        let all = || u64::from(taken.count());
        let kings = || u64::from((taken & self.their_kings).count());
        let by_king = u64::from(self.by_king);
        match R::PRIORITY {
            Priority::Any => 0,
            Priority::Most => all(),
            Priority::MostThenKings => all() << 8 | kings(),
            Priority::Italian => all() << 48 | by_king << 47 | kings() << 40 | order,
            // A man is 64, a king 126: a little less than two men.
            Priority::Value => (64 * all() + 62 * kings()) << 1 | by_king,
            Priority::WithKing => by_king,
        }
    }
}
