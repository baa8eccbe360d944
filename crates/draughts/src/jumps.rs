//! Captures of men for the whole side at once.
//!
//! For each direction the squares from which a jump would succeed are one set: two shifts. The men among them jump
//! together, and where they land the same sets say who can jump on. Sets keep the directions jumped, one set each, so
//! that a bit is a path, and as long as captures are short a path is a move:
//!
//! - In up to three jumps along diagonals no piece comes back to its origin or to a piece it captured, and no two ways
//!   have the same end: offsets of jumps are odd there, sums of two or three of them never vanish. Along all eight
//!   directions of Frisian draughts that is true of two jumps, and a third may end on the origin.
//! - The time at which captured pieces leave does not matter: no piece lands on the square of a captured one.
//!
//! Longer captures are walked, and so is everything where a side has kings.

use crate::bits::Bits;
use crate::direction::{back, each_direction, has};
use crate::moves::{Board, Sink};
use crate::rules::{Priority, Promotion, Rules};
use crate::square::{last_row, shift, step};

/// One set for each direction.
type ByDirection<R> = [<R as Rules>::Bits; 8];

impl<R: Rules> Board<R> {
    /// The captures the priority prefers; false when there are none.
    #[inline(always)]
    pub(crate) fn capture<const UP: bool>(&self, sink: &mut impl Sink<R>) -> bool {
        let able = self.able::<UP>(self.empty);
        let men = self.men & union::<R, UP, NO_DIRECTION>(&able);
        if self.kings.any() {
            let kings = self.capturing_kings();
            if kings.any() {
                sink.walked(self, UP, kings, men, R::Bits::NONE);
                return true;
            }
        }
        if men.is_none() {
            return false;
        }
        let left = if self.values_differ() { men } else { self.short_captures::<UP>(&able, men, sink) };
        if left.any() {
            sink.walked(self, UP, R::Bits::NONE, left, men & !left);
        }
        true
    }

    /// Returns true if two captures of men with equally many pieces may be worth different things.
    #[inline(always)]
    fn values_differ(&self) -> bool {
        match R::PRIORITY {
            Priority::MostThenKings | Priority::Value => self.their_kings.any(),
            Priority::Any | Priority::Most | Priority::Italian | Priority::WithKing => false,
        }
    }

    /// Returns, for each direction, the squares from which a man of this side could jump if it stood there.
    #[inline(always)]
    fn able<const UP: bool>(&self, empty: R::Bits) -> ByDirection<R> {
        let prey = self.prey_of_men();
        let mut able = [R::Bits::NONE; 8];
        each_direction!(D => if const { has::<UP>(R::MAN_TAKES, D) } {
            able[D] = shift::<R, { back(D) }>(shift::<R, { back(D) }>(empty) & prey);
        });
        able
    }

    /// Captures of up to two pieces, or three along diagonals. When there are longer ones, nothing is done, and the
    /// men are returned whose captures may be the preferred ones. `men` can capture.
    #[inline(always)]
    fn short_captures<const UP: bool>(
        &self,
        able: &ByDirection<R>,
        men: R::Bits,
        sink: &mut impl Sink<R>,
    ) -> R::Bits {
        let once = self.jump_once::<UP>(able);
        if crowned::<R, UP>(union::<R, UP, NO_DIRECTION>(&once)).any() {
            return men;
        }
        // A jump back from there is impossible: the origin is not empty in `able`.
        let second = union::<R, UP, NO_DIRECTION>(&once) & union::<R, UP, NO_DIRECTION>(able);
        if second.any() {
            return self.longer_captures::<UP>(able, &once, men, sink);
        }
        each_direction!(D => if const { has::<UP>(R::MAN_TAKES, D) } {
            one::<R, UP, D>(once[D], sink);
        });
        R::Bits::NONE
    }

    /// Lists the longer captures. Out of line, for it is large and asked for at one node in seven.
    #[inline(never)]
    fn longer_captures<const UP: bool>(
        &self,
        able: &ByDirection<R>,
        once: &ByDirection<R>,
        men: R::Bits,
        sink: &mut impl Sink<R>,
    ) -> R::Bits {
        // A third jump along eight directions, a fourth along diagonals may end on the origin, which is empty then.
        let reopened = self.able::<UP>(self.empty | men);
        let mut third = R::Bits::NONE;
        each_direction!(D => if const { has::<UP>(R::MAN_TAKES, D) } {
            third |= on_from_two::<R, UP, D>(once[D], able, if const { long_ways::<R>() } { &reopened } else { able });
        });
        if third.is_none() {
            each_direction!(D => if const { has::<UP>(R::MAN_TAKES, D) } {
                if free::<R>() {
                    one::<R, UP, D>(once[D] & !union::<R, UP, NO_DIRECTION>(able), sink);
                }
                two::<R, UP, D>(once[D], able, sink);
            });
            return R::Bits::NONE;
        }
        if const { long_ways::<R>() } {
            return third;
        }
        if const { free::<R>() } {
            return men;
        }
        self.captures_of_three::<UP>(able, once, &reopened, men, sink)
    }

    #[inline(always)]
    fn captures_of_three<const UP: bool>(
        &self,
        able: &ByDirection<R>,
        once: &ByDirection<R>,
        reopened: &ByDirection<R>,
        men: R::Bits,
        sink: &mut impl Sink<R>,
    ) -> R::Bits {
        let mut fourth = R::Bits::NONE;
        each_direction!(D => if const { has::<UP>(R::MAN_TAKES, D) } {
            fourth |= on_from_three::<R, UP, D>(once[D], able, reopened);
        });
        if fourth.any() {
            return men;
        }
        each_direction!(D => if const { has::<UP>(R::MAN_TAKES, D) } {
            three::<R, UP, D>(once[D], able, sink);
        });
        R::Bits::NONE
    }

    /// Returns the landing squares of the capturing men, by direction.
    #[inline(always)]
    fn jump_once<const UP: bool>(&self, able: &ByDirection<R>) -> ByDirection<R> {
        let mut once = [R::Bits::NONE; 8];
        each_direction!(D => if const { has::<UP>(R::MAN_TAKES, D) } {
            once[D] = jump::<R, D>(self.men & able[D]);
        });
        once
    }
}

/// The index past every direction.
const NO_DIRECTION: usize = 8;

/// Returns true if any capture will do, so that short ones stand beside longer ones.
#[inline(always)]
const fn free<R: Rules>() -> bool {
    matches!(R::PRIORITY, Priority::Any | Priority::WithKing)
}

/// Returns true if men capture in eight directions, of which three may add up to nothing.
const fn long_ways<R: Rules>() -> bool {
    R::MAN_TAKES.count_ones() > 4
}

/// The squares of `set` moved two steps in direction `D`: where a jump over the next square lands.
#[inline(always)]
fn jump<R: Rules, const D: usize>(set: R::Bits) -> R::Bits {
    shift::<R, D>(shift::<R, D>(set))
}

/// Moves the set two steps against the direction `D`.
#[inline(always)]
fn jump_back<R: Rules, const D: usize>(set: R::Bits) -> R::Bits {
    let mut before = R::Bits::NONE;
    each_direction!(E => if const { E == back(D) } {
        before = jump::<R, E>(set);
    });
    before
}

/// The union of the sets of all directions but one.
#[inline(always)]
fn union<R: Rules, const UP: bool, const BUT: usize>(sets: &ByDirection<R>) -> R::Bits {
    let mut union = R::Bits::NONE;
    each_direction!(D => if const { has::<UP>(R::MAN_TAKES, D) && D != BUT } {
        union |= sets[D];
    });
    union
}

/// The men among `landings` that capture on as kings.
#[inline(always)]
fn crowned<R: Rules, const UP: bool>(landings: R::Bits) -> R::Bits {
    match R::PROMOTION {
        Promotion::CapturesOn => landings & last_row::<R, UP>(),
        Promotion::WhereItStops | Promotion::EndsMove => R::Bits::NONE,
    }
}

/// Returns a set that is not empty if men can jump on by `then` after a jump in direction `D1` and another one. Along
/// eight directions these are the squares they come from: most men cannot, and need not be walked.
#[inline(always)]
fn on_from_two<R: Rules, const UP: bool, const D1: usize>(
    once: R::Bits,
    able: &ByDirection<R>,
    then: &ByDirection<R>,
) -> R::Bits {
    let mut on = R::Bits::NONE;
    // Most of eight directions are empty; of four it is quicker not to ask.
    if const { long_ways::<R>() } && once.is_none() {
        return on;
    }
    each_direction!(D2 => if const { has::<UP>(R::MAN_TAKES, D2) && D2 != back(D1) } {
        let twice = jump::<R, D2>(once & able[D2]);
        let ready = (twice & union::<R, UP, { back(D2) }>(then)) | crowned::<R, UP>(twice);
        on |= if const { long_ways::<R>() } { jump::<R, { back(D2) }>(ready) } else { ready };
    });
    if const { long_ways::<R>() } { jump_back::<R, D1>(on) } else { on }
}

/// Returns the same set after three jumps.
#[inline(always)]
fn on_from_three<R: Rules, const UP: bool, const D1: usize>(
    once: R::Bits,
    able: &ByDirection<R>,
    then: &ByDirection<R>,
) -> R::Bits {
    let mut on = R::Bits::NONE;
    each_direction!(D2 => if const { has::<UP>(R::MAN_TAKES, D2) && D2 != back(D1) } {
        on |= on_from_two::<R, UP, D2>(jump::<R, D2>(once & able[D2]), able, then);
    });
    on
}

/// Captures of one piece in direction `D`.
#[inline(always)]
fn one<R: Rules, const UP: bool, const D: usize>(once: R::Bits, sink: &mut impl Sink<R>) {
    sink.men::<UP>(once, const { 2 * step::<R>(D) }, const { &[step::<R>(D)] });
}

/// Captures of two pieces, the first in direction `D1`.
#[inline(always)]
fn two<R: Rules, const UP: bool, const D1: usize>(
    once: R::Bits,
    able: &ByDirection<R>,
    sink: &mut impl Sink<R>,
) {
    if const { long_ways::<R>() } && once.is_none() {
        return;
    }
    each_direction!(D2 => if const { has::<UP>(R::MAN_TAKES, D2) && D2 != back(D1) } {
        let (back, captured) = const {
            let (a, b) = (step::<R>(D1), step::<R>(D2));
            (2 * (a + b), &[b, 2 * b + a])
        };
        sink.men::<UP>(jump::<R, D2>(once & able[D2]), back, captured);
    });
}

/// Captures of three pieces, the first in direction `D1`.
#[inline(always)]
fn three<R: Rules, const UP: bool, const D1: usize>(
    once: R::Bits,
    able: &ByDirection<R>,
    sink: &mut impl Sink<R>,
) {
    each_direction!(D2 => if const { has::<UP>(R::MAN_TAKES, D2) && D2 != back(D1) } {
        three_by_two::<R, UP, D1, D2>(jump::<R, D2>(once & able[D2]), able, sink);
    });
}

#[inline(always)]
fn three_by_two<R: Rules, const UP: bool, const D1: usize, const D2: usize>(
    twice: R::Bits,
    able: &ByDirection<R>,
    sink: &mut impl Sink<R>,
) {
    each_direction!(D3 => if const { has::<UP>(R::MAN_TAKES, D3) && D3 != back(D2) } {
        let (back, captured) = const {
            let (a, b, c) = (step::<R>(D1), step::<R>(D2), step::<R>(D3));
            (2 * (a + b + c), &[c, 2 * c + b, 2 * (c + b) + a])
        };
        sink.men::<UP>(jump::<R, D3>(twice & able[D3]), back, captured);
    });
}
