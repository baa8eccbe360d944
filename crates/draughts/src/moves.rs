//! A move, and the listing of moves: one generator for all variants.
//!
//! Quiet moves and the captures of men are found for the whole side at once, direction by direction ([`jumps`]); long
//! captures and those of kings are walked piece by piece ([`walk`]). A move is from, to, the set of captured pieces
//! and whether it promotes: two ways to the same end are one move.
//!
//! [`jumps`]: crate::jumps
//! [`walk`]: crate::walk

use crate::bits::{Bits, Each};
use crate::direction::{back, each_direction, has};
use crate::position::Draughts;
use crate::rules::Rules;
use crate::square::{Square, all, far_shift, last_row, reach, shift, step};

/// A whole move of one piece, captures included.
///
/// ```
/// use draughts::{Draughts, International};
/// use kernel::{Notation, Position};
///
/// let mut moves = Vec::new();
/// Draughts::<International>::start().read_fen("W:W28:B23,14")?.moves(&mut moves);
/// let m = moves[0];
/// assert_eq!((m.from().number(), m.to().number(), m.captures()), (28, 10, 2));
/// assert!(!m.promotes() && !m.by_king());
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move<R: Rules> {
    pub(crate) taken: R::Bits,
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) kind: MovingPiece,
}

const _: () = assert!(size_of::<Move<crate::International>>() <= 16);

/// The kind of the moving piece: a man, a man that becomes a king, or a king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(crate) enum MovingPiece {
    Man,
    Promotes,
    King,
}

impl<R: Rules> Move<R> {
    /// Returns the square where the piece stands before the move.
    #[must_use]
    pub fn from(self) -> Square {
        Square::of_bit::<R>(self.from)
    }

    /// Returns the square where it stands afterwards; in a circle the same square.
    #[must_use]
    pub fn to(self) -> Square {
        Square::of_bit::<R>(self.to)
    }

    /// The captured pieces, by rising square.
    ///
    /// ```
    /// use draughts::{Draughts, International, Square};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W28:B23,14")?;
    /// let m = pos.read_move("28x10").unwrap();
    /// assert_eq!(m.captured().map(Square::number).collect::<Vec<_>>(), [14, 23]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    pub fn captured(self) -> impl Iterator<Item = Square> {
        Each(self.taken).map(Square::of_bit::<R>)
    }

    /// Returns true if it captures.
    #[must_use]
    pub fn is_capture(self) -> bool {
        self.taken.any()
    }

    /// Returns the number of pieces it captures.
    #[must_use]
    pub fn captures(self) -> u32 {
        self.taken.count()
    }

    /// Returns true if a man becomes a king.
    ///
    /// ```
    /// use draughts::{Draughts, International};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W7:B45")?;
    /// assert!(pos.read_move("7-1").unwrap().promotes());
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn promotes(self) -> bool {
        self.kind == MovingPiece::Promotes
    }

    /// Returns true if a king moves.
    #[must_use]
    pub fn by_king(self) -> bool {
        self.kind == MovingPiece::King
    }
}

/// The receiver of the moves that are found: a list, or only their number.
pub(crate) trait Sink<R: Rules> {
    /// Moves of men that end on `landings`. Each began `back` bits below its end; each of `captured` is the distance
    /// in bits of a captured piece below that end.
    fn men<const UP: bool>(&mut self, landings: R::Bits, back: i32, captured: &[i32]);
    /// Quiet moves of kings.
    fn kings(&mut self, slides: &Slides<R>, board: &Board<R>);
    /// Captures of these kings and men, which can capture. `others` are men that capture one or two pieces at most.
    fn walked(&mut self, board: &Board<R>, up: bool, kings: R::Bits, men: R::Bits, others: R::Bits);
}

impl<R: Rules> Sink<R> for Vec<Move<R>> {
    #[inline(always)]
    fn men<const UP: bool>(&mut self, landings: R::Bits, back: i32, captured: &[i32]) {
        if landings.any() {
            push_men(self, landings, last_row::<R, UP>(), back, captured);
        }
    }

    #[inline]
    fn kings(&mut self, slides: &Slides<R>, board: &Board<R>) {
        for from in Each(board.kings & !board.tired) {
            each_direction!(D => if const { has::<true>(R::KING_MOVES, D) } {
                let mut target = shift::<R, D>(R::Bits::bit(from)) & slides[D];
                while target.any() {
                    self.push(Move { taken: R::Bits::NONE, from, to: target.lowest(), kind: MovingPiece::King });
                    if !R::FLYING {
                        break;
                    }
                    target = shift::<R, D>(target) & slides[D];
                }
            });
        }
    }

    fn walked(&mut self, board: &Board<R>, up: bool, kings: R::Bits, men: R::Bits, others: R::Bits) {
        board.walk(up, kings, men, others, self);
    }
}

/// Appends the moves of men that end on `landings`. Out of line: it is called once a direction.
#[inline(never)]
fn push_men<R: Rules>(out: &mut Vec<Move<R>>, landings: R::Bits, last: R::Bits, back: i32, captured: &[i32]) {
    for to in Each(landings) {
        let before = |bits: i32| (i32::from(to) - bits) as u8;
        let taken = captured.iter().fold(R::Bits::NONE, |set, &bits| set | R::Bits::bit(before(bits)));
        let kind = if (R::Bits::bit(to) & last).any() { MovingPiece::Promotes } else { MovingPiece::Man };
        out.push(Move { taken, from: before(back), to, kind });
    }
}

/// A sink that counts legal moves and keeps none of them: what `Position::count` uses.
pub(crate) struct Tally<R: Rules> {
    pub(crate) moves: u64,
    /// A buffer for the walks, which compare captures.
    buffer: Vec<Move<R>>,
}

impl<R: Rules> Tally<R> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Tally { moves: 0, buffer: Vec::new() }
    }
}

impl<R: Rules> Sink<R> for Tally<R> {
    #[inline(always)]
    fn men<const UP: bool>(&mut self, landings: R::Bits, _back: i32, _captured: &[i32]) {
        self.moves += u64::from(landings.count());
    }

    #[inline(always)]
    fn kings(&mut self, slides: &Slides<R>, _board: &Board<R>) {
        each_direction!(D => if const { has::<true>(R::KING_MOVES, D) } {
            self.moves += u64::from(slides[D].count());
        });
    }

    #[inline(never)]
    fn walked(&mut self, board: &Board<R>, up: bool, kings: R::Bits, men: R::Bits, others: R::Bits) {
        self.buffer.clear();
        board.walk(up, kings, men, others, &mut self.buffer);
        self.moves += self.buffer.len() as u64;
    }
}

/// The empty squares that kings see from their squares, by direction. Kings on one line stand in each other's way, so
/// that in one direction no square is seen by two of them.
pub(crate) type Slides<R> = [<R as Rules>::Bits; 8];

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
    /// Returns the pieces a man may capture.
    #[inline(always)]
    pub(crate) fn prey_of_men(&self) -> R::Bits {
        if R::MAN_TAKES_KING { self.them } else { self.them & !self.their_kings }
    }

    /// Every legal move.
    #[inline(always)]
    pub(crate) fn generate<const UP: bool>(&self, sink: &mut impl Sink<R>) {
        if !self.capture::<UP>(sink) {
            self.quiet::<UP>(sink);
        }
    }

    /// The same, with the side known only at run time.
    #[inline(never)]
    pub(crate) fn generate_as(&self, up: bool, sink: &mut impl Sink<R>) {
        if up { self.generate::<true>(sink) } else { self.generate::<false>(sink) }
    }

    /// Returns true if any piece can move without capturing.
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

    /// Moves without captures.
    #[inline(always)]
    fn quiet<const UP: bool>(&self, sink: &mut impl Sink<R>) {
        each_direction!(D => if const { has::<UP>(R::MAN_MOVES, D) } {
            sink.men::<UP>(shift::<R, D>(self.men) & self.empty, const { step::<R>(D) }, &[]);
        });
        if self.kings.any() {
            let mut slides = [R::Bits::NONE; 8];
            each_direction!(D => if const { has::<true>(R::KING_MOVES, D) } {
                slides[D] = self.slide::<D>(self.kings & !self.tired);
            });
            sink.kings(&slides, self);
        }
    }

    /// Returns the empty squares that these kings see in one direction, only the adjacent ones where kings do not
    /// fly.
    #[inline(always)]
    pub(crate) fn slide<const D: usize>(&self, kings: R::Bits) -> R::Bits {
        if !R::FLYING {
            return shift::<R, D>(kings) & self.empty;
        }
        // The reach doubles. `open` holds the squares with an empty path of `far` squares behind them.
        let mut open = self.empty & shift::<R, D>(all::<R>());
        let mut seen = open & shift::<R, D>(kings);
        let mut far = 1;
        while far < const { reach::<R>(D) } {
            seen |= open & far_shift::<R, D>(seen, far);
            open &= far_shift::<R, D>(open, far);
            far *= 2;
        }
        seen
    }

    /// The kings that can capture.
    #[inline(always)]
    pub(crate) fn capturing_kings(&self) -> R::Bits {
        let mut able = R::Bits::NONE;
        each_direction!(D => if const { has::<true>(R::KING_TAKES, D) } {
            // Seen from the prey: a king that stands next to it, or that looks along empty squares at it.
            let prey = self.them & shift::<R, { back(D) }>(self.empty);
            able |= shift::<R, { back(D) }>(prey);
            if R::FLYING {
                able |= shift::<R, { back(D) }>(self.slide::<{ back(D) }>(prey));
            }
        });
        able & self.kings
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
}

impl<R: Rules> Draughts<R> {
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
