//! The rules of one variant as constants, and the types of their values.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Bits, direction};

/// The colour of a side. White stands at the bottom and moves up the board; the side that begins depends on the
/// rules.
///
/// ```
/// use draughts::Colour;
///
/// assert_eq!(Colour::White.other(), Colour::Black);
/// assert_eq!(Colour::BOTH.map(Colour::letter), ['W', 'B']);
/// assert_eq!(Colour::BOTH.map(Colour::name), ["white", "black"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// The side at the bottom, moving up: towards the lower numbers.
    White,
    /// The side at the top, moving down.
    Black,
}

impl Colour {
    /// Both colours, White first, as a FEN has them.
    pub const BOTH: [Colour; 2] = [Colour::White, Colour::Black];

    /// The opposite colour.
    #[must_use]
    pub const fn other(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }

    /// `W` or `B`, as a FEN and PDN have it.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Colour::White => 'W',
            Colour::Black => 'B',
        }
    }

    /// `white` or `black`, as in the messages `side-white` and `side-black`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Colour::White => "white",
            Colour::Black => "black",
        }
    }
}

/// The squares of the grid that are played on.
///
/// ```
/// use draughts::{Italian, Rules, Square, Turkish, rules::Places};
///
/// assert_eq!(Italian::PLACES, Places::RightCorner);
/// assert_eq!(Square::read::<Italian>("h1").map(Square::number), Some(32));
/// assert_eq!(Turkish::PLACES, Places::All);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Places {
    /// Every second square, the bottom left corner among them.
    LeftCorner,
    /// Every second square, the bottom right corner among them.
    RightCorner,
    /// Every square of the board.
    All,
}

/// The rules that choose between several captures.
///
/// ```
/// use draughts::{Draughts, Russian, School};
/// use kernel::{Notation, Position};
///
/// // One man can capture one piece or two: only Russian rules leave the choice.
/// let fen = "W:W23:B18,19,10";
/// assert_eq!(Draughts::<Russian>::start().read_fen(fen)?.count(), 2);
/// assert_eq!(Draughts::<School>::start().read_fen(fen)?.count(), 1);
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Priority {
    /// Any capture, played to its end.
    Any,
    /// The most pieces.
    Most,
    /// The most pieces, then the most kings among them.
    MostThenKings,
    /// The most pieces, then with a king, then the most kings, then a king as early as possible.
    Italian,
    /// The highest value, a king counting a little less than two men; then with a king.
    Value,
    /// A capture with a king, if a king can capture.
    WithKing,
}

/// The fate of a man that reaches the last row in the middle of a capture.
///
/// ```
/// use draughts::{Draughts, English, Russian};
/// use kernel::Notation;
///
/// // A man takes on the last row and stands before another piece: only in Russian draughts it goes on.
/// let (english, russian) = (Draughts::<English>::start(), Draughts::<Russian>::start());
/// let captures = |takes: Vec<u32>| takes.into_iter().max();
/// let fen = "W:W9:B6,7";
/// assert_eq!(captures(english.read_fen(fen)?.legal().iter().map(|m| m.captures()).collect()), Some(1));
/// assert_eq!(captures(russian.read_fen(fen)?.legal().iter().map(|m| m.captures()).collect()), Some(2));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promotion {
    /// The man captures on as a man and is promoted only where it ends there.
    WhereItStops,
    /// The move ends there, and it is promoted.
    EndsMove,
    /// The man captures on as a king.
    CapturesOn,
}

/// The times at which captured pieces leave the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removal {
    /// Together, when the move is over: until then they stand in the way and cannot be captured again.
    AfterMove,
    /// Each as soon as it is jumped over.
    AtOnce,
}

/// The squares behind the captured piece on which a flying king may come down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Landing {
    /// Every empty square behind it.
    Anywhere,
    /// Every empty square behind it, but only the next one when the last piece captured is a king.
    BehindLastKing,
    /// The square next to the captured piece.
    RightBehind,
}

/// The goal of the game.
///
/// ```
/// use draughts::{Draughts, International, Losing};
/// use kernel::{Notation, Outcome, Position, Side};
///
/// let fen = "W:W:B1";
/// let winner = |outcome: Option<Outcome>| outcome.and_then(Outcome::winner);
/// let usual = Draughts::<International>::start().read_fen(fen)?;
/// let losing = Draughts::<Losing>::start().read_fen(fen)?;
/// assert_eq!(winner(usual.outcome()), Some(Side::Second));
/// assert_eq!(winner(losing.outcome()), Some(Side::First));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// A side that cannot move has lost.
    Stop,
    /// The same as `Stop`, and the first king wins.
    FirstKing,
    /// A side that cannot move has won.
    LoseAll,
}

/// A limit on plies for a class of material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endgames {
    /// The variant has no such limits.
    None,
    /// FMJD: a lone king against three pieces, a king among them: 16 moves each; against two or one: 5.
    International,
    /// FMJD-64: limits by the number of pieces, and one for a lone king that holds the long diagonal.
    SixtyFour,
    /// Two kings against one: 7 moves each; one against one: 2.
    Frisian,
    /// Three kings against one: 12 moves each.
    Iberian,
    /// One piece against one, none of which can be captured at once: a draw.
    OneEach,
}

/// The conditions under which a game is drawn.
///
/// ```
/// use draughts::{International, Rules, Turkish};
///
/// assert_eq!((International::DRAWS.repeats, International::DRAWS.king_plies), (3, 50));
/// assert_eq!(Turkish::DRAWS.endgames, draughts::rules::Endgames::OneEach);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draws {
    /// The number of occurrences of a position, with the same side to move, that makes a draw.
    pub repeats: usize,
    /// The number of plies in a row, with moves of kings only and no capture, that makes a draw; 0: no limit.
    pub king_plies: u8,
    /// Limits that depend on what is left on the board.
    pub endgames: Endgames,
}

/// The rules of one variant: a type without values, all of it constants. docs/rules/draughts.md has the paragraphs.
///
/// ```
/// use draughts::{Colour, International, Rules, Turkish};
///
/// assert_eq!((International::KEY, International::SIDE, International::LETTERS), ("international", 10, false));
/// assert_eq!((Turkish::CATALOGUE_KEY, Turkish::BEGINS), ("draughts/turkish", Colour::White));
/// ```
pub trait Rules: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The word that holds a set of squares.
    type Bits: Bits;

    /// The variant's part of the catalogue key `draughts/<key>`. §1.
    const KEY: &'static str;
    /// The whole catalogue key, `draughts/<key>`.
    const CATALOGUE_KEY: &'static str;
    /// The number of PDN's tag `GameType`; private numbers are lidraughts's, `None` where there is none.
    const GAME_TYPE: Option<u8>;
    /// Squares along an edge. §2.1.
    const SIDE: u8 = 10;
    /// The squares that are played on. §2.2.
    const PLACES: Places = Places::LeftCorner;
    /// Empty rows behind a side's men at the start, and rows of men. §2.3.
    const START: (u8, u8) = (0, 4);
    /// The colour that begins. §2.4.
    const BEGINS: Colour = Colour::White;
    /// True if people name the squares a1, b2 … instead of by number. §2.5.
    const LETTERS: bool = false;

    /// The directions in which White's men move. §3.1.
    const MAN_MOVES: u8 = direction::UPWARD;
    /// The directions in which White's men capture. §4.1.
    const MAN_TAKES: u8 = direction::DIAGONAL;
    /// The directions in which kings move. §3.2.
    const KING_MOVES: u8 = direction::DIAGONAL;
    /// The directions in which kings capture. §4.2.
    const KING_TAKES: u8 = direction::DIAGONAL;
    /// True if kings fly along empty squares. §3.2.
    const FLYING: bool = true;
    /// True if a man may capture a king. §4.3.
    const MAN_TAKES_KING: bool = true;
    /// The squares on which a flying king may come down. §4.4.
    const LANDING: Landing = Landing::Anywhere;
    /// True if a king may turn back on its own line between two captures. It matters only where captured pieces leave
    /// at once. §4.5.
    const TURNS_BACK: bool = true;
    /// The time at which captured pieces leave. §4.6.
    const REMOVAL: Removal = Removal::AfterMove;
    /// The captures that go before others. §5.
    const PRIORITY: Priority = Priority::Most;
    /// The fate of a man that reaches the last row while it captures. §6.
    const PROMOTION: Promotion = Promotion::WhereItStops;
    /// The number of moves in a row one king may make without a capture while its side has men. §7.
    const KING_MOVE_LIMIT: Option<u8> = None;

    /// The goal of the game. §8.
    const GOAL: Goal = Goal::Stop;
    /// The conditions of a draw. §9.
    const DRAWS: Draws;
}
