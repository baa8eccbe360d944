//! A game with its opening: start, play, outcome, key.

use kernel::{Outcome, Position, Problem, Reason, Side};

use super::script::Script;
use super::steps::Ask;
use super::{Choice, Opening};
use crate::square::files;
use crate::{Gomoku, Move, Point};

/// A gomoku that begins with an opening.
///
/// Its sides are *players*: the first player plays Black unless the players have swapped. So `turn` says whose
/// decision it is, outcomes name players, and [`is_swapped`](Opened::is_swapped) says who has which colour.
///
/// ```
/// use gomoku::{Gomoku, Opened, Opening, Rule};
/// use kernel::{AnyGame, Side, any};
///
/// let mut game = any(Opened::new(Opening::Swap2, Gomoku::usual(Rule::Standard))?);
/// for text in ["h8", "i9", "c3", "two", "d4", "e12", "white"] {
///     game.play(text).unwrap();
/// }
/// assert_eq!(game.turn(), Side::First); // the first player took White, and White puts the sixth stone
/// assert!(game.view().swapped);
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, Debug)]
pub struct Opened {
    pub(super) stage: Stage,
    pub(super) opening: Opening,
    swapped: bool,
}

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all of a game is play, and it is copied at every node")]
pub(super) enum Stage {
    Opening(Script),
    Play(Gomoku),
}

/// An act in a game with an opening: a stone, an offer or a pick is a point; the rest is pressed.
///
/// ```
/// use gomoku::opening::{Act, Choice};
/// use gomoku::{Gomoku, Opened, Opening, Rule};
/// use kernel::{Game, Notation};
///
/// let mut game = Game::new(Opened::new(Opening::Swap1, Gomoku::usual(Rule::Standard))?);
/// game.play(game.position().read_move("h8").unwrap());
/// let white = game.position().read_move("white");
/// assert_eq!(white, Some(Act::Choice(Choice::White)));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Act {
    /// A point touched.
    Stone(Point),
    /// A decision of the opening.
    Choice(Choice),
    /// A pass, where passes were agreed on and the opening is over.
    Pass,
}

// Copies are cheap up to 256 bytes (docs/adr/0002).
const _: () = assert!(size_of::<Opened>() <= 256);

impl Opened {
    /// The first step of `opening` on the empty board that `board` is.
    ///
    /// ```
    /// use gomoku::{Gomoku, Opened, Opening, Rule};
    ///
    /// let opened = Opened::new(Opening::Swap2, Gomoku::usual(Rule::Standard))?;
    /// assert_eq!((opened.opening(), opened.is_open()), (Opening::Swap2, false));
    /// let problem = Opened::new(Opening::Rif, Gomoku::usual(Rule::Freestyle)).unwrap_err();
    /// assert_eq!(problem.key, "opening-needs-15");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Opening::fits`].
    pub fn new(opening: Opening, board: Gomoku) -> Result<Self, Problem> {
        opening.fits(board.files(), board.ranks())?;
        Ok(Self::at(Script::new(opening, &board)))
    }

    pub(super) const fn at(script: Script) -> Self {
        Opened { opening: script.opening, swapped: script.swapped, stage: Stage::Opening(script) }
    }

    /// A position in which the opening is over.
    pub(super) const fn over(opening: Opening, board: Gomoku, swapped: bool) -> Self {
        Opened { opening, swapped, stage: Stage::Play(board) }
    }

    /// The opening this game began with.
    #[must_use]
    pub const fn opening(&self) -> Opening {
        self.opening
    }

    /// Returns true if the opening is over, so that only stones are put.
    ///
    /// ```
    /// use gomoku::{Gomoku, Opened, Opening, Rule};
    /// use kernel::{Game, Notation};
    ///
    /// let mut game = Game::new(Opened::new(Opening::Swap1, Gomoku::usual(Rule::Standard))?);
    /// for (text, is_open) in [("h8", false), ("white", true)] {
    ///     game.play(game.position().read_move(text).unwrap());
    ///     assert_eq!(game.position().is_open(), is_open);
    /// }
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.stage, Stage::Play(_))
    }

    /// Returns true if the first player plays White at present.
    ///
    /// ```
    /// use gomoku::{Gomoku, Opened, Opening, Rule};
    /// use kernel::{Game, Notation};
    ///
    /// let mut game = Game::new(Opened::new(Opening::Swap1, Gomoku::usual(Rule::Standard))?);
    /// for (text, is_swapped) in [("h8", false), ("black", true)] {
    ///     game.play(game.position().read_move(text).unwrap());
    ///     assert_eq!(game.position().is_swapped(), is_swapped);
    /// }
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub const fn is_swapped(&self) -> bool {
        self.swapped
    }

    /// The stones as a plain position, whose sides are colours; offered fifth moves are not on it.
    ///
    /// ```
    /// use gomoku::{Gomoku, Opened, Opening, Rule};
    /// use kernel::{Game, Notation, Side};
    ///
    /// let mut game = Game::new(Opened::new(Opening::Swap2, Gomoku::usual(Rule::Standard))?);
    /// for text in ["h8", "i9", "c3"] {
    ///     game.play(game.position().read_move(text).unwrap());
    /// }
    /// let stones = game.position().stones();
    /// assert_eq!(Side::BOTH.map(|side| stones.stones(side).count()), [2, 1]);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn stones(&self) -> Gomoku {
        match &self.stage {
            Stage::Opening(script) => script.agreed(),
            Stage::Play(board) => board.clone(),
        }
    }

    /// Returns the player who has that colour, or the colour that player has: the calculation is the same.
    pub(super) const fn exchange(&self, side: Side) -> Side {
        if self.swapped { side.other() } else { side }
    }
}

impl Position for Opened {
    type Move = Act;

    fn turn(&self) -> Side {
        match &self.stage {
            Stage::Opening(script) => script.decides(script.step()),
            Stage::Play(board) => self.exchange(board.turn()),
        }
    }

    fn moves(&self, out: &mut Vec<Act>) {
        match &self.stage {
            Stage::Opening(script) => {
                out.extend(script.points().into_iter().map(Act::Stone));
                out.extend(script.choices().iter().map(|&choice| Act::Choice(choice)));
            }
            Stage::Play(board) if board.outcome().is_none() => {
                let all = (1 << board.files()) - 1;
                for row in 0..board.ranks() {
                    let taken = Side::BOTH.map(|side| board.stones(side).row(row));
                    let empty = files(all & !taken[0] & !taken[1]);
                    out.extend(empty.map(|file| Act::Stone(Point { row, file })));
                }
                if board.may_pass() {
                    out.push(Act::Pass);
                }
            }
            Stage::Play(_) => {}
        }
    }

    fn uses_up(&self, act: Act) -> bool {
        matches!((&self.stage, act), (Stage::Play(_), Act::Stone(_)))
    }

    #[inline]
    fn play(&mut self, act: Act) {
        match (&mut self.stage, act) {
            (Stage::Opening(script), act) => {
                let over = script.play(act);
                *self = if over {
                    Opened::over(self.opening, script.agreed(), script.swapped)
                } else {
                    Opened::at(*script)
                };
            }
            (Stage::Play(board), Act::Stone(at)) => board.put(at),
            (Stage::Play(board), Act::Pass) => board.play(Move::Pass),
            (Stage::Play(_), Act::Choice(_)) => unreachable!("the opening is over, and no choice is legal"),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let Stage::Play(board) = &self.stage else { return None };
        Some(match board.outcome()? {
            Outcome::Win(colour, reason) => Outcome::Win(self.exchange(colour), reason),
            nobodys => nobodys,
        })
    }

    fn drawn(&self) -> Option<Reason> {
        match &self.stage {
            Stage::Play(board) => board.drawn(),
            Stage::Opening(_) => None,
        }
    }

    fn key(&self) -> u64 {
        match &self.stage {
            Stage::Play(board) if self.swapped => board.key() ^ SWAPPED,
            Stage::Play(board) => board.key(),
            Stage::Opening(script) => {
                let seats = if self.swapped { SWAPPED } else { 0 };
                let step = (script.at() as u64 + 1) << 8 | u64::from(script.fifths);
                let offers = script
                    .offers()
                    .into_iter()
                    .map(|at| scatter(u64::from(at.row) << 8 | u64::from(at.file)));
                offers.fold(script.board().key() ^ seats ^ scatter(step << 16), |key, offer| key ^ offer)
            }
        }
    }

    fn count(&self) -> u64 {
        match &self.stage {
            Stage::Play(board) => board.count(),
            Stage::Opening(script) => match script.step().ask {
                Ask::Choice(choices) => choices.len() as u64,
                _ => script.points().len() as u64,
            },
        }
    }

    /// Returns 0, for no position comes back: stones stay, and each step is passed once.
    fn reversible(&self) -> usize {
        0
    }

    /// Returns true if the last act may be taken back: a player who puts several stones or offers in a row may take
    /// the last one back until the other player acts.
    fn withdraws(&self) -> bool {
        match &self.stage {
            Stage::Opening(script) => script.withdraws(),
            Stage::Play(board) => board.withdraws(),
        }
    }
}

/// The part of the Zobrist key that stands for swapped colours.
const SWAPPED: u64 = scatter(u64::MAX - 1);

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014), begun elsewhere than for stones.
const fn scatter(n: u64) -> u64 {
    let z = (n ^ 0x5151_7EA7_0F1F_7457).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
