//! The position of xiangqi: start, play, outcome, key; and the questions that rules about cycles ask.

use kernel::{Outcome, Position, Problem, Reason, Side};

use crate::square::{FILES, OFF, SQUARES};
use crate::steps::{BIT, CORNER, Half, NORTH, SOUTH};
use crate::{Kind, Move, Piece, Square, Squares, cycle};

/// The rules that end a game.
///
/// ```
/// use kernel::{Notation, Position};
/// use xiangqi::{Rules, Xiangqi};
///
/// // A rook attacks the general of Red, whose advisor can step between; at home Red need not answer.
/// let fen = "3k5/9/9/9/4r4/9/9/9/9/4KA3 w";
/// assert_eq!(Xiangqi::new(Rules::Asian).read_fen(fen)?.count(), 1);
/// assert_eq!(Xiangqi::new(Rules::Home).read_fen(fen)?.count(), 3);
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// A general may not be left in danger; mate and stalemate win; perpetual check and chase lose.
    Asian,
    /// Home rules: every move of a piece is legal, and the side that takes the general wins. Repetition has no
    /// effect.
    Home,
}

/// A position of xiangqi.
///
/// ```
/// use kernel::{AnyGame, any};
/// use xiangqi::{Rules, Xiangqi};
///
/// let mut game = any(Xiangqi::new(Rules::Asian));
/// for m in ["h2e2", "h9g7", "e2e6"] {
///     game.play(m).unwrap();
/// }
/// assert_eq!(game.fen(), "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2");
/// ```
#[derive(Debug)]
pub struct Xiangqi {
    pub(crate) halves: [[Half; 2]; 2], // by side, north and south
    pub(crate) rows: [[u16; 11]; 2], // by side: bit 0 of each is file a; the last is for pieces off the board
    pub(crate) files: [[u16; 9]; 2], // by side: bit 0 of each is row 0; the same
    pub(crate) squares: [u8; PIECES], // where each piece stands; OFF when it was taken
    board: [u8; SQUARES as usize],   // which piece stands there, or NOBODY
    key: u64,
    idle: u16,  // plies since the last capture
    limit: u16, // the number of idle plies that makes a draw; 0: no such limit
    ply: u16,   // since the start of the game, for the move number of a FEN
    turn: Side,
    rules: Rules,
}

/// Pieces are numbered: Red's from 0, Black's from 16, in the order of [`SLOTS`].
const PIECES: usize = 32;
const NOBODY: u8 = 32;

/// The kind of piece that each number of a side stands for.
pub(crate) const SLOTS: [Kind; 16] = [
    Kind::General,
    Kind::Rook,
    Kind::Rook,
    Kind::Cannon,
    Kind::Cannon,
    Kind::Horse,
    Kind::Horse,
    Kind::Advisor,
    Kind::Advisor,
    Kind::Elephant,
    Kind::Elephant,
    Kind::Soldier,
    Kind::Soldier,
    Kind::Soldier,
    Kind::Soldier,
    Kind::Soldier,
];

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Moves without a capture that make a draw. Natural move limit: docs/rules/xiangqi.md.
pub const USUAL_LIMIT: u16 = 60;

impl Xiangqi {
    /// The usual start: Red moves, and under Asian rules 60 moves without a capture are a draw.
    ///
    /// ```
    /// use kernel::{Notation, Position};
    /// use xiangqi::{Rules, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// assert_eq!(start.fen(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
    /// assert_eq!(start.count(), 44);
    /// ```
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        let limit = if rules == Rules::Asian { USUAL_LIMIT } else { 0 };
        Self::empty(rules, Side::First).with_limit(limit).read_start()
    }

    fn read_start(&self) -> Self {
        use kernel::Notation;
        self.read_fen(START).expect("the start is a FEN")
    }

    /// The same position, drawn after `moves` moves of each side without a capture; 0: never.
    ///
    /// ```
    /// use kernel::{Notation, Position};
    /// use xiangqi::{Rules, Xiangqi};
    ///
    /// let fen = "4k4/9/9/9/P8/9/9/9/9/3K5 w - - 80 41";
    /// let start = Xiangqi::new(Rules::Asian);
    /// assert_eq!(start.read_fen(fen)?.drawn(), None);
    /// assert_eq!(start.with_limit(40).read_fen(fen)?.drawn(), Some("natural-limit"));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn with_limit(mut self, moves: u16) -> Self {
        self.limit = moves.saturating_mul(2);
        self
    }

    fn empty(rules: Rules, turn: Side) -> Self {
        Xiangqi {
            halves: [[0; 2]; 2],
            rows: [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (1 << FILES) - 1]; 2],
            files: [[0; 9]; 2],
            squares: [OFF; PIECES],
            board: [NOBODY; SQUARES as usize],
            key: if turn == Side::First { 0 } else { TURN_KEY },
            idle: 0,
            limit: 0,
            ply: 0,
            turn,
            rules,
        }
    }

    /// Pieces on a board under these rules, whether a game could stand so or not; with the plies without a capture and the plies
    /// before.
    ///
    /// # Errors
    /// `xiangqi-square-taken`, `xiangqi-too-many`.
    pub(crate) fn with_pieces(
        &self,
        pieces: &[(Square, Piece)],
        turn: Side,
        (idle, ply): (u16, u16),
    ) -> Result<Self, Problem> {
        let mut pos = Self::empty(self.rules, turn);
        (pos.limit, pos.idle, pos.ply) = (self.limit, idle, ply);
        for &(square, piece) in pieces {
            if pos.board[square.i()] != NOBODY {
                return Err(Problem::new("xiangqi-square-taken").with("square", square));
            }
            let unused = numbers(piece).find(|&n| pos.squares[usize::from(n)] == OFF).ok_or_else(|| {
                Problem::new("xiangqi-too-many")
                    .with("side", paint(piece.side))
                    .with("piece", piece.kind.face())
                    .with("most", piece.kind.most())
            })?;
            pos.put(unused, square);
        }
        Ok(pos)
    }

    /// Puts the piece numbered `n` on an empty square.
    fn put(&mut self, n: u8, square: Square) {
        self.toggle(piece(n).side.index(), square);
        self.squares[usize::from(n)] = square.0;
        self.board[square.i()] = n;
        self.key ^= PIECE_KEYS[square.i()][usize::from(n)];
    }

    /// Puts a piece of a side on a square, or takes it off.
    #[inline(always)]
    fn toggle(&mut self, side: usize, square: Square) {
        let [north, south] = BIT[square.i()];
        self.halves[side][NORTH] ^= north;
        self.halves[side][SOUTH] ^= south;
        self.rows[side][usize::from(square.row())] ^= 1 << square.file();
        self.files[side][usize::from(square.file())] ^= 1 << square.row();
    }

    /// Plays `m` with the piece numbered `n`, which takes the piece numbered `taken`; the turn has passed already.
    #[inline(always)]
    fn carry(&mut self, m: Move, n: u8, taken: u8) {
        let us = self.turn.other().index();
        self.key = self.key_with(m, n, taken);
        let number = usize::from(n) % PIECES;
        self.board[m.from.i()] = NOBODY;
        self.board[m.to.i()] = n;
        self.squares[number] = m.to.0;
        self.toggle(us, m.from);
        self.toggle(us, m.to);
        self.ply = self.ply.saturating_add(1);
        self.idle = self.idle.saturating_add(1);
        if taken != NOBODY {
            let number = usize::from(taken) % PIECES;
            self.squares[number] = OFF;
            self.toggle(1 - us, m.to);
            self.idle = 0;
        }
    }

    /// The key after `m` with the piece numbered `n`, which takes the piece numbered `taken`.
    #[inline(always)]
    fn key_with(&self, m: Move, n: u8, taken: u8) -> u64 {
        let [from, to] = [m.from, m.to].map(|at| &PIECE_KEYS[at.i()]);
        let number = usize::from(n) % PIECES;
        let gone = if taken == NOBODY { 0 } else { to[usize::from(taken) % PIECES] };
        self.key ^ from[number] ^ to[number] ^ gone ^ TURN_KEY
    }

    /// Returns the rules that end the game.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Plies since the last capture.
    ///
    /// ```
    /// use kernel::Position;
    /// use xiangqi::{Move, Rules, Xiangqi};
    ///
    /// let mut pos = Xiangqi::new(Rules::Asian);
    /// for (text, idle) in [("h2e2", 1), ("h9g7", 2), ("e2e6", 0)] {
    ///     pos.play(Move::named(text).unwrap());
    ///     assert_eq!(pos.idle(), idle);
    /// }
    /// ```
    #[must_use]
    pub const fn idle(&self) -> u16 {
        self.idle
    }

    /// Plies without a capture that make a draw; `None`: never.
    ///
    /// ```
    /// use xiangqi::{Rules, Xiangqi};
    ///
    /// assert_eq!(Xiangqi::new(Rules::Asian).idle_limit(), Some(120));
    /// assert_eq!(Xiangqi::new(Rules::Home).idle_limit(), None);
    /// ```
    #[must_use]
    pub const fn idle_limit(&self) -> Option<u16> {
        if self.limit == 0 { None } else { Some(self.limit) }
    }

    /// Plies since the game began, as far as its FEN told.
    #[must_use]
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// Returns the piece on `square`.
    ///
    /// ```
    /// use xiangqi::{Kind, Rules, Square, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// let piece = start.piece_at(Square::named("h2").unwrap()).unwrap();
    /// assert_eq!((piece.kind, piece.letter()), (Kind::Cannon, 'C'));
    /// assert_eq!(start.piece_at(Square::named("e1").unwrap()), None);
    /// ```
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let n = self.board[square.i()];
        (n != NOBODY).then(|| piece(n))
    }

    /// The number of the piece on `square`.
    #[inline]
    pub(crate) fn number_at(&self, square: Square) -> Option<usize> {
        let n = self.board[square.i()];
        (n != NOBODY).then_some(usize::from(n))
    }

    /// Returns the squares of a side's pieces of a kind.
    ///
    /// ```
    /// use kernel::Side;
    /// use xiangqi::{Kind, Rules, Xiangqi};
    ///
    /// let cannons = Xiangqi::new(Rules::Asian).pieces(Side::First, Kind::Cannon);
    /// let names: Vec<String> = cannons.iter().map(|square| square.to_string()).collect();
    /// assert_eq!(names, ["b2", "h2"]);
    /// ```
    #[must_use]
    pub fn pieces(&self, side: Side, kind: Kind) -> Squares {
        self.all(side, kind).collect()
    }

    /// Returns the squares of a side's pieces.
    ///
    /// ```
    /// use kernel::Side;
    /// use xiangqi::{Rules, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// assert_eq!(start.army(Side::First).len(), 16);
    /// assert_eq!(start.occupied(), start.army(Side::First).or(start.army(Side::Second)));
    /// ```
    #[must_use]
    pub const fn army(&self, side: Side) -> Squares {
        let halves = self.halves[side.index()];
        Squares(halves[NORTH] as u128 | (halves[SOUTH] as u128) << CORNER[SOUTH])
    }

    /// Returns the occupied squares.
    #[must_use]
    pub const fn occupied(&self) -> Squares {
        self.army(Side::First).or(self.army(Side::Second))
    }

    /// Returns the square of a side's general; `None` once it was taken, under the home rules.
    ///
    /// ```
    /// use kernel::Side;
    /// use xiangqi::{Rules, Square, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// assert_eq!(start.general(Side::Second), Square::named("e9"));
    /// ```
    #[must_use]
    pub const fn general(&self, side: Side) -> Option<Square> {
        Square::new(self.squares[side.index() * 16])
    }

    /// The pieces of `by` that reach `square` as things stand, their own general's safety aside. Meant for squares
    /// where no piece of `by` stands; on an empty square a cannon that could only move there counts.
    ///
    /// ```
    /// use kernel::Side;
    /// use xiangqi::{Rules, Square, Squares, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// let horse = Square::named("h9").unwrap();
    /// let cannon = Square::named("h2").unwrap();
    /// assert_eq!(start.attackers(horse, Side::First), Squares::of(cannon), "over the other cannon");
    /// ```
    #[must_use]
    pub fn attackers(&self, square: Square, by: Side) -> Squares {
        self.army(by).iter().filter(|&from| self.targets(from).has(square)).collect()
    }

    /// The pieces that attack a side's general: by the rules of moving, or as the other general on an open file.
    ///
    /// ```
    /// use kernel::{Notation, Side};
    /// use xiangqi::{Rules, Square, Squares, Xiangqi};
    ///
    /// let pos = Xiangqi::new(Rules::Asian).read_fen("R3k4/9/9/9/9/9/9/9/9/3K5 b")?;
    /// assert_eq!(pos.checkers(Side::Second), Squares::of(Square::named("a9").unwrap()));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn checkers(&self, side: Side) -> Squares {
        self.general(side).map_or(Squares::NONE, |g| self.attackers(g, side.other()))
    }

    /// Returns true if a side's general is attacked.
    ///
    /// ```
    /// use kernel::{Notation, Outcome, Position, Side};
    /// use xiangqi::{Rules, Xiangqi};
    ///
    /// let pos = Xiangqi::new(Rules::Asian).read_fen("R3k4/R8/9/9/9/9/9/9/9/3K5 b")?;
    /// assert!(pos.in_check(Side::Second));
    /// assert_eq!(pos.outcome(), Some(Outcome::Win(Side::First, "checkmate")));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn in_check(&self, side: Side) -> bool {
        self.general(side).is_some_and(|general| self.is_attacked(side, general))
    }

    /// Returns true if `m` would be legal with its side to move: asked about captures and recaptures by the rules of
    /// cycles. Draws by count are not looked at.
    ///
    /// ```
    /// use xiangqi::{Move, Rules, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// assert!(start.is_legal(Move::named("b0c2").unwrap()));
    /// assert!(!start.is_legal(Move::named("b0d1").unwrap()), "the elephant on c0 is in its way");
    /// ```
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        let Some(piece) = self.piece_at(m.from) else { return false };
        if !self.targets(m.from).has(m.to) {
            return false;
        }
        if self.rules == Rules::Home {
            return true;
        }
        let mut next = self.with_turn(piece.side);
        next.play(m);
        !next.in_check(piece.side)
    }

    /// The same position with `side` to move.
    ///
    /// ```
    /// use kernel::{Position, Side};
    /// use xiangqi::{Rules, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// let passed = start.with_turn(Side::Second);
    /// assert_eq!((passed.turn(), passed.count()), (Side::Second, 44));
    /// assert_ne!(passed.key(), start.key());
    /// ```
    #[must_use]
    pub fn with_turn(&self, side: Side) -> Self {
        let mut pos = self.clone();
        if pos.turn != side {
            pos.turn = side;
            pos.key ^= TURN_KEY;
        }
        pos
    }

    /// Returns the squares of a side's pieces, by number.
    #[inline(always)]
    pub(crate) fn numbered(&self, side: usize) -> &[u8; 16] {
        let [red, black] = self.squares.as_chunks().0 else { unreachable!("there are twice sixteen") };
        if side == 0 { red } else { black }
    }

    /// A side's pieces of a kind, by number: the quickest way to find them.
    ///
    /// ```
    /// use kernel::Side;
    /// use xiangqi::{Kind, Rules, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// assert_eq!(start.all(Side::First, Kind::Soldier).count(), 5);
    /// ```
    #[inline]
    pub fn all(&self, side: Side, kind: Kind) -> impl Iterator<Item = Square> {
        numbers(Piece { side, kind }).filter_map(|n| Square::new(self.squares[n as usize]))
    }

    /// A side's pieces, by number.
    pub(crate) fn every(&self, side: Side) -> impl Iterator<Item = Square> {
        self.numbered(side.index()).iter().filter_map(|&square| Square::new(square))
    }
}

/// Written by hand, so that the parts are copied one by one: a copy of all at once goes through `memcpy`, and on
/// processors with wide stores `play` then waits for them. Playing every leaf of a perft takes a third less time so.
impl Clone for Xiangqi {
    #[inline]
    fn clone(&self) -> Self {
        Xiangqi { board: std::array::from_fn(|i| self.board[i]), ..*self }
    }
}

impl Position for Xiangqi {
    type Move = Move;

    fn turn(&self) -> Side {
        self.turn
    }

    fn moves(&self, out: &mut Vec<Move>) {
        self.list(out);
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let (n, taken) = (self.board[m.from.i()], self.board[m.to.i()]);
        self.turn = self.turn.other();
        self.carry(m, n, taken);
    }

    /// Returns the outcome: stalemate loses like mate. Under the home rules a side whose general was taken has lost,
    /// and one that cannot move, too.
    fn outcome(&self) -> Option<Outcome> {
        let lost = |reason| Some(Outcome::Win(self.turn.other(), reason));
        if self.general(self.turn).is_none() {
            return lost("general-taken");
        }
        if self.count_legal() > 0 {
            return None;
        }
        let mated = self.rules == Rules::Asian && self.in_check(self.turn);
        lost(if mated { "checkmate" } else { "stalemate" })
    }

    /// Returns the reason of a declared draw: insufficient material on both sides, or too many moves without a
    /// capture. The home rules are silent on the first, and on the second unless the players chose a limit.
    fn drawn(&self) -> Option<Reason> {
        let attacker = |at: Square| self.piece_at(at).is_some_and(|piece| piece.kind.attacks());
        if self.rules == Rules::Asian && !self.occupied().iter().any(attacker) {
            return Some("dead-position");
        }
        (self.limit > 0 && self.idle >= self.limit).then_some("natural-limit")
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    #[inline]
    fn key_after(&self, m: Move) -> u64 {
        self.key_with(m, self.board[m.from.i()], self.board[m.to.i()])
    }

    #[inline]
    fn count(&self) -> u64 {
        self.count_legal()
    }

    fn reversible(&self) -> usize {
        self.idle.into()
    }

    fn judge_cycle(line: &[Self], moves: &[Move]) -> Option<Outcome> {
        (line[0].rules == Rules::Asian).then(|| cycle::judge(line, moves).outcome())
    }
}

/// The palace of a side: files d to f of its three back rows.
pub(crate) const fn in_palace(side: Side, square: Square) -> bool {
    let row = square.row();
    let back = match side {
        Side::First => row >= 7,
        Side::Second => row <= 2,
    };
    back && 3 <= square.file() && square.file() <= 5
}

/// Returns true if a square is on a side's own bank of the river.
pub(crate) const fn on_own_bank(side: Side, square: Square) -> bool {
    match side {
        Side::First => square.row() >= 5,
        Side::Second => square.row() <= 4,
    }
}

/// Returns the change of the row when a piece of `side` goes forward.
pub(crate) const fn ahead(side: Side) -> i8 {
    match side {
        Side::First => -1,
        Side::Second => 1,
    }
}

/// The name of a side's colour, as in the messages `side-red` and `side-black`.
pub(crate) const fn paint(side: Side) -> &'static str {
    match side {
        Side::First => "red",
        Side::Second => "black",
    }
}

const fn piece(n: u8) -> Piece {
    let side = if n < 16 { Side::First } else { Side::Second };
    Piece { side, kind: SLOTS[(n % 16) as usize] }
}

/// The numbers of a kind among the sixteen of a side.
pub(crate) const fn slots(kind: Kind) -> std::ops::Range<usize> {
    match kind {
        Kind::General => 0..1,
        Kind::Rook => 1..3,
        Kind::Cannon => 3..5,
        Kind::Horse => 5..7,
        Kind::Advisor => 7..9,
        Kind::Elephant => 9..11,
        Kind::Soldier => 11..16,
    }
}

/// The numbers of the pieces that are like this one.
fn numbers(like: Piece) -> impl Iterator<Item = u8> {
    let first = like.side.index() * 16;
    slots(like.kind).map(move |n| (first + n) as u8)
}

/// The part of the Zobrist key that stands for Black to move.
const TURN_KEY: u64 = scatter(0);

/// A random number for each piece on each square: a key is the exclusive or of what is there (Zobrist 1970).
static PIECE_KEYS: [[u64; PIECES]; SQUARES as usize] = {
    let mut keys = [[0; PIECES]; SQUARES as usize];
    let mut square = 0;
    while square < SQUARES as usize {
        let mut n = 0;
        while n < PIECES {
            // Equal pieces are interchangeable: what counts is the kind.
            let like = n / 16 * 7 + piece(n as u8).kind as usize;
            keys[square][n] = scatter((like * SQUARES as usize + square) as u64 + 1);
            n += 1;
        }
        square += 1;
    }
    keys
};

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014): neighbouring numbers become unlike.
const fn scatter(n: u64) -> u64 {
    let z = (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// docs/adr/0002: copies are cheap up to 256 bytes.
const _: () = assert!(size_of::<Xiangqi>() <= 256);
