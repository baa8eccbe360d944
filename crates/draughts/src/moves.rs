//! Listing moves: one generator for all variants.
//!
//! Captures are found for the whole side at once, direction by direction; from a piece that can capture the tree of
//! its captures is walked, and only what the priority of the variant prefers is kept. A move is from, to, the set of
//! captured pieces and whether it promotes: two ways to the same end are one move.

use crate::bits::{Bits, Each};
use crate::position::Draughts;
use crate::rules::{Landing, Priority, Promotion, Removal, Rules, direction};
use crate::square::{Square, all, last_row, shift};

/// A whole move of one piece, captures included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move<R: Rules> {
    pub(crate) taken: R::Bits,
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) kind: Kind,
}

/// What moves, and what it is afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(crate) enum Kind {
    Man,
    Promotes,
    King,
}

impl<R: Rules> Move<R> {
    /// Where the piece stands before.
    #[must_use]
    pub fn from(self) -> Square {
        Square::of_bit::<R>(self.from)
    }

    /// Where it stands afterwards; in a circle the same square.
    #[must_use]
    pub fn to(self) -> Square {
        Square::of_bit::<R>(self.to)
    }

    /// The captured pieces, by rising square.
    pub fn captured(self) -> impl Iterator<Item = Square> {
        Each(self.taken).map(Square::of_bit::<R>)
    }

    /// Whether it captures.
    #[must_use]
    pub fn is_capture(self) -> bool {
        self.taken.any()
    }

    /// How many pieces it captures.
    #[must_use]
    pub fn captures(self) -> u32 {
        self.taken.count()
    }

    /// Whether a man becomes a king.
    #[must_use]
    pub fn promotes(self) -> bool {
        self.kind == Kind::Promotes
    }

    /// Whether a king moves.
    #[must_use]
    pub fn by_king(self) -> bool {
        self.kind == Kind::King
    }
}

/// Runs the body for each of the eight directions, with the direction as a constant.
macro_rules! each_direction {
    ($d:ident => $body:expr) => {{
        each_direction!(@ $d, $body, 0 1 2 3 4 5 6 7);
    }};
    (@ $d:ident, $body:expr, $($n:literal)*) => {
        $({ const $d: usize = $n; $body })*
    };
}

/// Whether direction `1 << D` is in `set`, which is White's view of it.
const fn has<const UP: bool>(set: u8, d: usize) -> bool {
    (if UP { set } else { direction::flipped(set) }) >> d & 1 == 1
}

/// The direction back.
const fn back(d: usize) -> usize {
    d ^ 4
}

/// The sets that moves are made from, as the side to move sees them.
#[derive(Clone, Copy)]
pub(crate) struct Board<R: Rules> {
    pub(crate) men: R::Bits,
    pub(crate) kings: R::Bits,
    pub(crate) them: R::Bits,
    pub(crate) their_kings: R::Bits,
    pub(crate) empty: R::Bits,
    /// The king that has used up its moves; it may still capture.
    pub(crate) tired: R::Bits,
}

impl<R: Rules> Board<R> {
    /// What a man may capture.
    #[inline(always)]
    fn prey_of_men(&self) -> R::Bits {
        if R::MAN_TAKES_KING { self.them } else { self.them & !self.their_kings }
    }

    /// The men that can capture at least once.
    #[inline(always)]
    pub(crate) fn capturing_men<const UP: bool>(&self) -> R::Bits {
        let prey = self.prey_of_men();
        let mut able = R::Bits::NONE;
        each_direction!(D => if const { has::<UP>(R::MAN_TAKES, D) } {
            let behind = shift::<R, { back(D) }>(self.empty);
            able |= shift::<R, { back(D) }>(behind & prey);
        });
        able & self.men
    }

    /// Whether any piece can move without capturing.
    #[inline(always)]
    pub(crate) fn has_quiet<const UP: bool>(&self) -> bool {
        let mut targets = R::Bits::NONE;
        each_direction!(D => if const { has::<UP>(R::MAN_MOVES, D) } {
            targets |= shift::<R, D>(self.men);
        });
        each_direction!(D => if const { has::<UP>(R::KING_MOVES, D) } {
            targets |= shift::<R, D>(self.kings & !self.tired);
        });
        (targets & self.empty).any()
    }

    /// Appends the moves without captures.
    pub(crate) fn quiet<const UP: bool>(&self, out: &mut Vec<Move<R>>) {
        each_direction!(D => if const { has::<UP>(R::MAN_MOVES, D) } {
            let targets = shift::<R, D>(self.men) & self.empty;
            for to in Each(targets) {
                let target = R::Bits::bit(to);
                let from = shift::<R, { back(D) }>(target).lowest();
                let promotes = (target & last_row::<R, UP>()).any();
                let kind = if promotes { Kind::Promotes } else { Kind::Man };
                out.push(Move { taken: R::Bits::NONE, from, to, kind });
            }
        });
        for from in Each(self.kings & !self.tired) {
            let king = R::Bits::bit(from);
            each_direction!(D => if const { has::<true>(R::KING_MOVES, D) } {
                let mut target = shift::<R, D>(king) & self.empty;
                while target.any() {
                    out.push(Move { taken: R::Bits::NONE, from, to: target.lowest(), kind: Kind::King });
                    if !R::FLYING {
                        break;
                    }
                    target = shift::<R, D>(target) & self.empty;
                }
            });
        }
    }

    /// Appends the captures the priority prefers.
    pub(crate) fn captures<const UP: bool>(&self, out: &mut Vec<Move<R>>) {
        let first = out.len();
        let mut walk = Walk::<R, UP> {
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
        };
        for from in Each(self.kings) {
            walk.start(from, self.empty);
            walk.king(R::Bits::bit(from), R::Bits::NONE, 0, NOWHERE, NOWHERE);
        }
        walk.by_king = false;
        for from in Each(self.capturing_men::<UP>()) {
            walk.start(from, self.empty);
            walk.man(R::Bits::bit(from), R::Bits::NONE, 0);
        }
    }
}

/// No direction.
const NOWHERE: usize = 8;

/// The captures of a side as they are walked.
struct Walk<'a, R: Rules, const UP: bool> {
    out: &'a mut Vec<Move<R>>,
    /// Where this list begins in `out`, and where the moves of this piece do.
    first: usize,
    first_of_piece: usize,
    /// The highest value met.
    best: u64,
    origin: u8,
    by_king: bool,
    /// Empty while this piece captures: its own origin, too.
    empty: R::Bits,
    prey: R::Bits,
    prey_of_men: R::Bits,
    their_kings: R::Bits,
}

impl<R: Rules, const UP: bool> Walk<'_, R, UP> {
    fn start(&mut self, from: u8, empty: R::Bits) {
        self.origin = from;
        self.first_of_piece = self.out.len();
        self.empty = empty | R::Bits::bit(from);
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
        if !matches!(R::PRIORITY, Priority::Italian) {
            return 0;
        }
        let king = u64::from((victim & self.their_kings).any());
        order | king << 31u32.saturating_sub(taken.count())
    }

    /// Walks on with a man at `at`; whether it could capture.
    fn man(&mut self, at: R::Bits, taken: R::Bits, order: u64) -> bool {
        let mut captured = false;
        each_direction!(D => if const { has::<UP>(R::MAN_TAKES, D) } {
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
        let on_last = (at & last_row::<R, UP>()).any();
        match R::PROMOTION {
            Promotion::EndsMove if on_last => self.leaf(at, taken, order, Kind::Promotes),
            Promotion::CapturesOn if on_last => {
                if !self.king(at, taken, order, back(d), NOWHERE) {
                    self.leaf(at, taken, order, Kind::Promotes);
                }
            }
            _ => {
                if !self.man(at, taken, order) {
                    let kind = if on_last { Kind::Promotes } else { Kind::Man };
                    self.leaf(at, taken, order, kind);
                }
            }
        }
    }

    /// Walks on with a king at `at`, but not in the directions `not` and `nor`; whether it could capture.
    fn king(&mut self, at: R::Bits, taken: R::Bits, order: u64, not: usize, nor: usize) -> bool {
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
        let kind = if self.by_king { Kind::King } else { Kind::Promotes };
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

    /// A capture played to its end: kept when none is better, and not there already.
    fn leaf(&mut self, to: R::Bits, taken: R::Bits, order: u64, kind: Kind) {
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

    /// What the priority compares; 0 for all where any capture will do.
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

impl<R: Rules> Draughts<R> {
    /// Appends every legal move of the side that moves up (or down), whatever the counters say.
    #[inline(always)]
    pub(crate) fn list<const UP: bool>(&self, out: &mut Vec<Move<R>>) {
        let board = self.view();
        let before = out.len();
        board.captures::<UP>(out);
        if out.len() == before {
            board.quiet::<UP>(out);
        }
    }

    /// The sets moves are made from.
    #[inline(always)]
    pub(crate) fn view(&self) -> Board<R> {
        // A king's bit without a piece is a ghost: captured, in the way, not yet removed.
        Board {
            men: self.us & !self.kings,
            kings: self.us & self.kings,
            them: self.them,
            their_kings: self.them & self.kings,
            empty: all::<R>() & !(self.us | self.them | self.kings),
            tired: self.tired(),
        }
    }
}
