//! A position: the pieces, the side to move, the counters. Start, play, outcome, key.

use kernel::{Outcome, Position, Problem, Reason, Side};

use crate::bits::{Bits, Each};
use crate::direction::{back, each_direction, has};
use crate::draws::Counters;
use crate::moves::{Board, Move, MovingPiece, Tally};
use crate::rules::{Colour, Goal, Rules};
use crate::square::{Square, all, long_diagonal, most_pieces, row, shift};

/// A position of draughts by the rules `R`.
///
/// ```
/// use draughts::{Draughts, International};
/// use kernel::{AnyGame, any};
///
/// let mut game = any(Draughts::<International>::start());
/// for text in ["32-28", "19-23", "28x19"] {
///     game.play(text).unwrap();
/// }
/// assert_eq!(game.moves(), ["13x24x19", "14x23x19"], "from, to, and what is captured");
/// ```
#[derive(Copy, PartialEq, Eq, Hash, Debug)]
pub struct Draughts<R: Rules> {
    /// The pieces of the side to move, and those of the other.
    pub(crate) us: R::Bits,
    pub(crate) them: R::Bits,
    /// The kings of both. A bit without a piece is a ghost: a piece that was captured and is not yet taken off.
    pub(crate) kings: R::Bits,
    pub(crate) white_to_move: bool,
    pub(crate) counters: Counters,
}

const _: () = assert!(size_of::<Draughts<crate::International>>() <= 64, "a 10x10 position is cheap to copy");
const _: () = assert!(size_of::<Draughts<crate::Canadian>>() <= 64, "kernel: a position copies small");

/// Copied as one block of memory. The derived clone copies field by field, and the next read of the copy then waits
/// for narrow writes.
impl<R: Rules> Clone for Draughts<R> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rules> Default for Draughts<R> {
    fn default() -> Self {
        Self::start()
    }
}

impl<R: Rules> Draughts<R> {
    /// The usual start. §2.3.
    ///
    /// ```
    /// use draughts::{Colour, Draughts, English, International};
    /// use kernel::Position;
    ///
    /// assert_eq!(Draughts::<International>::start().count(), 9);
    /// assert_eq!(Draughts::<English>::start().colour(), Colour::Black);
    /// assert_eq!(Draughts::<English>::start().count(), 7);
    /// ```
    #[must_use]
    pub fn start() -> Self {
        let (behind, rows) = R::START;
        let men = |from: u8| (from..from + rows).fold(R::Bits::NONE, |set, r| set | row::<R>(r));
        let (black, white) = (men(behind), men(R::SIDE - behind - rows));
        Self::of(R::BEGINS, white, black, R::Bits::NONE)
    }

    /// Creates a position of these pieces, without a past. The kings of both are among the pieces; men do not stand
    /// on their last row.
    ///
    /// ```
    /// use draughts::{Colour, Draughts, International, Square};
    /// use kernel::Notation;
    ///
    /// let set = |number| Square::new::<International>(number).unwrap().set::<International>();
    /// let pos = Draughts::<International>::of(Colour::White, set(32) | set(47), set(19), set(47));
    /// assert_eq!(pos.fen(), "W:W32,K47:B19");
    /// ```
    #[must_use]
    pub fn of(turn: Colour, white: R::Bits, black: R::Bits, kings: R::Bits) -> Self {
        let white_to_move = turn == Colour::White;
        let (us, them) = if white_to_move { (white, black) } else { (black, white) };
        Draughts { us, them, kings, white_to_move, counters: Counters::default() }
    }

    /// Checks that no side has more pieces than it may; see [`most_pieces`](crate::most_pieces).
    pub(crate) fn checked(self) -> Result<Self, Problem> {
        let most = most_pieces::<R>();
        let ghosts = (self.kings & !(self.us | self.them)).count();
        for (pieces, colour) in
            [(self.us.count(), self.colour()), (self.them.count() + ghosts, self.colour().other())]
        {
            if pieces > u32::from(most) {
                let problem = Problem::new("draughts-too-many-pieces").with("found", pieces);
                return Err(problem.with("most", most).with("side", colour.name()));
            }
        }
        Ok(self)
    }

    /// The colour to move.
    ///
    /// ```
    /// use draughts::{Colour, Draughts, International, Pool};
    ///
    /// assert_eq!(Draughts::<International>::start().colour(), Colour::White);
    /// assert_eq!(Draughts::<Pool>::start().colour(), Colour::Black);
    /// ```
    #[must_use]
    pub fn colour(&self) -> Colour {
        if self.white_to_move { Colour::White } else { Colour::Black }
    }

    /// The men of a colour, by rising square.
    ///
    /// ```
    /// use draughts::{Colour, Draughts, International, Square};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W32,K47:B19")?;
    /// let numbers = |squares: Vec<Square>| squares.into_iter().map(Square::number).collect::<Vec<u8>>();
    /// assert_eq!(numbers(pos.men(Colour::White).collect()), [32]);
    /// assert_eq!(numbers(pos.kings(Colour::White).collect()), [47]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    pub fn men(&self, colour: Colour) -> impl Iterator<Item = Square> + use<R> {
        Square::each::<R>(self.men_set(colour))
    }

    /// The kings of a colour, by rising square.
    pub fn kings(&self, colour: Colour) -> impl Iterator<Item = Square> + use<R> {
        Square::each::<R>(self.king_set(colour))
    }

    /// Returns true if any king is on the board.
    ///
    /// ```
    /// use draughts::{Draughts, International};
    /// use kernel::Notation;
    ///
    /// let start = Draughts::<International>::start();
    /// assert!(!start.has_kings());
    /// assert!(start.read_fen("W:WK47:B19")?.has_kings());
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn has_kings(&self) -> bool {
        (self.kings & (self.us | self.them)).any()
    }

    /// The men of a colour as a set.
    ///
    /// ```
    /// use draughts::{Bits, Colour, Draughts, International};
    ///
    /// let start = Draughts::<International>::start();
    /// assert_eq!(start.men_set(Colour::Black).count(), 20);
    /// assert!(!start.king_set(Colour::Black).any());
    /// ```
    #[inline]
    #[must_use]
    pub fn men_set(&self, colour: Colour) -> R::Bits {
        self.pieces(colour) & !self.kings
    }

    /// The kings of a colour as a set.
    #[inline]
    #[must_use]
    pub fn king_set(&self, colour: Colour) -> R::Bits {
        self.pieces(colour) & self.kings
    }

    /// Returns the number of empty squares the kings of a colour see, and the number of those that no piece of the
    /// other colour is ready to capture on from the square beside.
    ///
    /// ```
    /// use draughts::{Colour, Draughts, International};
    /// use kernel::Notation;
    ///
    /// // A king on 47 sees 36 and 41, and on along 42 to 15.
    /// let pos = Draughts::<International>::start().read_fen("W:WK47:B1")?;
    /// assert_eq!(pos.king_room(Colour::White).0, 9);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn king_room(&self, colour: Colour) -> (u32, u32) {
        let enemies = self.pieces(colour.other());
        let empty = all::<R>() & !(self.us | self.them | self.kings);
        let (mut seen, mut taken) = (R::Bits::NONE, R::Bits::NONE);
        let board = Board::<R> { kings: self.king_set(colour), empty, ..self.view() };
        each_direction!(D => {
            if const { has::<true>(R::KING_MOVES, D) } {
                seen |= board.slide::<D>(board.kings);
            }
            if const { has::<true>(R::KING_TAKES, D) } {
                taken |= shift::<R, D>(enemies) & shift::<R, { back(D) }>(empty);
            }
        });
        (seen.count(), (seen & !taken).count())
    }

    /// Returns true if a king of that colour stands on the diagonal from the bottom left corner to the top right one.
    ///
    /// ```
    /// use draughts::{Colour, Draughts, International};
    /// use kernel::Notation;
    ///
    /// let start = Draughts::<International>::start();
    /// assert!(start.read_fen("W:WK28:B1")?.holds_long_diagonal(Colour::White));
    /// assert!(!start.read_fen("W:W28:B1")?.holds_long_diagonal(Colour::White), "a man does not count");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn holds_long_diagonal(&self, colour: Colour) -> bool {
        (self.king_set(colour) & long_diagonal::<R>()).any()
    }

    /// Returns true if more than `count` pieces are on the board.
    #[inline]
    #[must_use]
    pub fn has_more_than(&self, count: u32) -> bool {
        let mut pieces = self.us | self.them;
        for _ in 0..count {
            if pieces.is_none() {
                return false;
            }
            pieces = pieces.without_lowest();
        }
        pieces.any()
    }

    /// Returns true if a king stands on that square.
    ///
    /// ```
    /// use draughts::{Draughts, International, Square};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W32,K47:B19")?;
    /// assert!(pos.is_king(Square::new::<International>(47).unwrap()));
    /// assert!(!pos.is_king(Square::new::<International>(32).unwrap()));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn is_king(&self, at: Square) -> bool {
        (at.set::<R>() & self.kings & (self.us | self.them)).any()
    }

    /// Pieces that were captured by a move that is not over: they are out of play, and in the way. A FEN can hold
    /// them; they belong to the side that is not to move, and leave with the next move.
    ///
    /// ```
    /// use draughts::{Draughts, International, Square};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W32:B19,G28")?;
    /// assert_eq!(pos.ghosts().map(Square::number).collect::<Vec<_>>(), [28]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    pub fn ghosts(&self) -> impl Iterator<Item = Square> + use<R> {
        Each(self.kings & !(self.us | self.them)).map(Square::of_bit::<R>)
    }

    /// Returns true if the side to move has to capture.
    ///
    /// ```
    /// use draughts::{Draughts, International};
    /// use kernel::{Notation, Position};
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W28,48:B23")?;
    /// assert!(pos.must_capture());
    /// assert_eq!(pos.count(), 1, "48 has to wait");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn must_capture(&self) -> bool {
        let board = self.view();
        let men =
            if self.white_to_move { board.capturing_men::<true>() } else { board.capturing_men::<false>() };
        men.any() || (board.kings.any() && board.capturing_kings().any())
    }

    /// Returns true if a piece can move without capturing, in a game that is not over.
    #[inline]
    #[must_use]
    pub fn has_quiet_move(&self) -> bool {
        let board = self.view();
        let has = if self.white_to_move { board.has_quiet::<true>() } else { board.has_quiet::<false>() };
        has && !self.has_first_king()
    }

    /// Returns true if the other side could capture if it were to move.
    ///
    /// ```
    /// use draughts::{Draughts, International};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W28,48:B23")?;
    /// assert!(pos.is_threatened(), "23 could take 28 as well");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn is_threatened(&self) -> bool {
        let passed = Draughts { us: self.them, them: self.us, white_to_move: !self.white_to_move, ..*self };
        passed.must_capture()
    }

    /// Returns the number of men of a colour with one of their own right behind them, counted once for each direction
    /// they move in.
    ///
    /// ```
    /// use draughts::{Colour, Draughts, International};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W28,32,33:B1")?;
    /// assert_eq!(pos.backed(Colour::White), 2, "28 has two men behind it");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn backed(&self, colour: Colour) -> u32 {
        let men = self.pieces(colour) & !self.kings;
        let mut backed = 0;
        each_direction!(D => if const { has::<true>(R::MAN_MOVES, D) } {
            // Pairs look the same from both ends.
            backed += (shift::<R, D>(men) & men).count();
        });
        backed
    }

    pub(crate) fn pieces(&self, colour: Colour) -> R::Bits {
        if colour == self.colour() { self.us } else { self.them }
    }

    /// The king to move that has used up its moves without a capture. §7.
    #[inline(always)]
    pub(crate) fn tired(&self) -> R::Bits {
        match R::KING_MOVE_LIMIT {
            Some(limit) if (self.us & !self.kings).any() => {
                self.counters.tired::<R>(limit, self.white_to_move)
            }
            _ => R::Bits::NONE,
        }
    }

    #[inline(always)]
    fn can_move(&self) -> bool {
        if self.white_to_move { self.can_move_as::<true>() } else { self.can_move_as::<false>() }
    }

    #[inline(always)]
    fn can_move_as<const UP: bool>(&self) -> bool {
        let board: Board<R> = self.view();
        board.has_quiet::<UP>() || board.capturing_men::<UP>().any() || board.capturing_kings().any()
    }

    /// Returns true if the first king has won: then there are no moves.
    #[inline(always)]
    fn has_first_king(&self) -> bool {
        matches!(R::GOAL, Goal::FirstKing) && (self.kings & (self.us | self.them)).any()
    }

    /// The number of moves after each of `moves`. `UP` is the side to move now.
    #[inline(always)]
    fn count_after_as<const UP: bool>(&self, moves: &[Move<R>]) -> u64 {
        let mut tally = Tally::new();
        for &m in moves {
            if m.kind == MovingPiece::Man && self.kings.is_none() {
                // No kings before and after: nothing to play but the men.
                let (from, to) = (R::Bits::bit(m.from), R::Bits::bit(m.to));
                let (men, them) = (self.them & !m.taken, (self.us & !from) | to);
                let board = Board::<R> {
                    men,
                    them,
                    kings: R::Bits::NONE,
                    their_kings: R::Bits::NONE,
                    empty: all::<R>() & !(men | them),
                    tired: R::Bits::NONE,
                };
                if UP {
                    board.generate::<false>(&mut tally);
                } else {
                    board.generate::<true>(&mut tally);
                }
            } else if const { R::KING_MOVE_LIMIT.is_some() || matches!(R::GOAL, Goal::FirstKing) } {
                tally.moves += self.count_after_one(m);
            } else {
                self.count_after_with_kings::<UP>(m, &mut tally);
            }
        }
        tally.moves
    }

    #[inline(never)]
    fn count_after_with_kings<const UP: bool>(&self, m: Move<R>, tally: &mut Tally<R>) {
        self.pieces_after(m).view().generate_as(!UP, tally);
    }

    #[inline(never)]
    fn count_after_one(&self, m: Move<R>) -> u64 {
        let mut next = *self;
        next.play(m);
        next.count()
    }

    /// The position after `m`, its counters at zero.
    #[inline(always)]
    fn pieces_after(&self, m: Move<R>) -> Self {
        let (from, to) = (R::Bits::bit(m.from), R::Bits::bit(m.to));
        let us = (self.us & !from) | to;
        let them = self.them & !m.taken;
        let king = if m.kind == MovingPiece::Man { R::Bits::NONE } else { to };
        // Ghosts, and kings that were captured, lose their bits here.
        let kings = ((self.kings & !from) | king) & (us | them);
        Draughts {
            us: them,
            them: us,
            kings,
            white_to_move: !self.white_to_move,
            counters: Counters::default(),
        }
    }

    /// The side a colour is.
    ///
    /// ```
    /// use draughts::{Colour, Draughts, English, International};
    /// use kernel::Side;
    ///
    /// assert_eq!(Draughts::<International>::side(Colour::White), Side::First);
    /// assert_eq!(Draughts::<English>::side(Colour::White), Side::Second);
    /// ```
    #[must_use]
    pub const fn side(colour: Colour) -> Side {
        if colour as u8 == R::BEGINS as u8 { Side::First } else { Side::Second }
    }

    /// The colour a side has.
    ///
    /// ```
    /// use draughts::{Colour, Draughts, English, International};
    /// use kernel::Side;
    ///
    /// assert_eq!(Draughts::<International>::colour_of(Side::First), Colour::White);
    /// assert_eq!(Draughts::<English>::colour_of(Side::First), Colour::Black);
    /// ```
    #[must_use]
    pub const fn colour_of(side: Side) -> Colour {
        match side {
            Side::First => R::BEGINS,
            Side::Second => R::BEGINS.other(),
        }
    }
}

impl<R: Rules> Position for Draughts<R> {
    type Move = Move<R>;

    const JUDGED_AT: usize = if R::DRAWS.repeats > 0 { R::DRAWS.repeats } else { 3 };

    #[inline]
    fn turn(&self) -> Side {
        Self::side(self.colour())
    }

    fn moves(&self, out: &mut Vec<Move<R>>) {
        if !self.has_first_king() {
            self.view().generate_as(self.white_to_move, out);
        }
    }

    fn count(&self) -> u64 {
        let mut tally = Tally::new();
        if !self.has_first_king() {
            self.view().generate_as(self.white_to_move, &mut tally);
        }
        tally.moves
    }

    fn count_after(&self, moves: &[Move<R>]) -> u64 {
        if self.white_to_move {
            self.count_after_as::<true>(moves)
        } else {
            self.count_after_as::<false>(moves)
        }
    }

    #[inline]
    fn play(&mut self, m: Move<R>) {
        let before = *self;
        *self = before.pieces_after(m);
        if self.kings.any() {
            self.count_ply(&before, m);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let (mover, other) = (self.turn(), self.turn().other());
        if matches!(R::GOAL, Goal::FirstKing) {
            if (self.them & self.kings).any() {
                return Some(Outcome::Win(other, "first-king"));
            }
            if (self.us & self.kings).any() {
                return Some(Outcome::Win(mover, "first-king"));
            }
        }
        if !self.can_move() {
            let losing = matches!(R::GOAL, Goal::LoseAll);
            let winner = if losing { mover } else { other };
            return Some(Outcome::Win(
                winner,
                match (losing, self.us.is_none()) {
                    (false, true) => "no-pieces",
                    (false, false) => "blocked",
                    (true, true) => "rid-of-all",
                    (true, false) => "blocked-wins",
                },
            ));
        }
        None
    }

    fn drawn(&self) -> Option<Reason> {
        self.run_out()
    }

    #[inline]
    fn key(&self) -> u64 {
        let mix = |a: u64, b: u64| {
            let wide = u128::from(a) * u128::from(b);
            wide as u64 ^ (wide >> 64) as u64
        };
        let fold = |set: R::Bits| {
            let wide = set.wide();
            wide as u64 ^ mix((wide >> 64) as u64 ^ 0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
        };
        let (us, them, kings) = (fold(self.us), fold(self.them), fold(self.kings));
        let limits = if R::KING_MOVE_LIMIT.is_some() { self.counters.limits() } else { 0 };
        let one = mix(us ^ 0xA076_1D64_78BD_642F, them ^ 0xE703_7ED1_A0B4_28DB);
        let two = mix(
            kings ^ 0x8EBC_6AF0_9C88_C6E3,
            limits ^ 0x5899_65CC_7537_4CC3 ^ u64::from(self.white_to_move),
        );
        mix(one ^ 0x1D8E_4E27_C47D_124F, two ^ one.rotate_left(32))
    }

    #[inline]
    fn key_after(&self, m: Move<R>) -> u64 {
        let mut next = self.pieces_after(m);
        if R::KING_MOVE_LIMIT.is_some() && next.kings.any() {
            next.count_ply(self, m);
        }
        next.key()
    }

    #[inline]
    fn reversible(&self) -> usize {
        self.counters.reversible()
    }

    fn judge_cycle(_line: &[Self], _moves: &[Self::Move]) -> Option<Outcome> {
        (R::DRAWS.repeats > 0).then_some(Outcome::Draw("position-repeated"))
    }
}
