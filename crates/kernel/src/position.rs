//! The basis of every game: a position that lists its moves and plays one.

/// The two players, in order of moving. Red, black and white are paint.
///
/// ```
/// use kernel::Side;
///
/// assert_eq!(Side::First.other(), Side::Second);
/// let mut wins = [0, 0];
/// wins[Side::Second.index()] += 1;
/// assert_eq!(Side::BOTH.map(|side| wins[side.index()]), [0, 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Side {
    /// Moves first in the usual start.
    First,
    /// Moves second in the usual start.
    Second,
}

impl Side {
    /// Both sides, in order of moving.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent of this side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for `First`, 1 for `Second`: the place of this side in an array of two.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The eyes with which a game is looked at, where not everybody sees everything.
///
/// ```
/// use kernel::{Eyes, Side};
///
/// assert!(Eyes::All.sees(Side::First) && Eyes::Seat(Side::First).sees(Side::First));
/// assert!(!Eyes::Seat(Side::Second).sees(Side::First) && !Eyes::Watcher.sees(Side::First));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Eyes {
    /// The player of a side.
    Seat(Side),
    /// A watcher, who sees what both players see and no more: a second window gains a player nothing.
    Watcher,
    /// The truth: for the program that keeps the game, and for everybody once it is over.
    All,
}

impl Eyes {
    /// The eyes of those who may not see everything while a game goes on.
    pub const LIMITED: [Eyes; 3] = [Eyes::Seat(Side::First), Eyes::Seat(Side::Second), Eyes::Watcher];

    /// Returns true if they see what the player of `side` keeps from the other.
    #[must_use]
    pub fn sees(self, side: Side) -> bool {
        self == Eyes::All || self == Eyes::Seat(side)
    }
}

/// The reason a game ended: a stable kebab-case key such as `"checkmate"`. Clients own the sentence.
pub type Reason = &'static str;

/// The ways a game can end.
///
/// ```
/// use kernel::{Outcome, Side};
///
/// let mate = Outcome::Win(Side::First, "checkmate");
/// assert_eq!((mate.winner(), mate.reason()), (Some(Side::First), "checkmate"));
/// assert_eq!(Outcome::Draw("repetition").winner(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This side has won.
    Win(Side, Reason),
    /// Neither side has won, by the rules.
    Draw(Reason),
    /// The game was broken off through neither player's fault, e.g. a user's extension crashed; never rated.
    Void(Reason),
}

impl Outcome {
    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side, _) => Some(side),
            Outcome::Draw(_) | Outcome::Void(_) => None,
        }
    }

    /// Returns the reason key.
    #[must_use]
    pub const fn reason(self) -> Reason {
        match self {
            Outcome::Win(_, reason) | Outcome::Draw(reason) | Outcome::Void(reason) => reason,
        }
    }
}

/// The part of a move that chance has: the choice of the player, and the weight of this outcome among all that it may
/// have.
///
/// ```
/// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
/// # use noughts::Noughts;
/// use kernel::Position;
///
/// assert_eq!(Noughts::default().by_chance(4), None, "nothing is left to chance");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByChance<M> {
    /// The move without its outcome: equal for all outcomes of one choice. It is not legal itself.
    pub choice: M,
    /// The weight of this outcome, at least 1; its probability is this over the sum of all outcomes of the choice.
    pub weight: u32,
}

/// The most outcomes of one choice.
pub const MOST_OUTCOMES: usize = 4096;

/// A position of one game: all that decides the future. It knows the rules, but not the moves before it.
///
/// Positions are copied at every node of every search; keep native ones within 256 bytes (`docs/adr/0002`).
///
/// A whole game in a dozen lines: take one or two stones, who takes the last one wins.
///
/// ```
/// use kernel::{Game, Outcome, Position, Side};
///
/// #[derive(Clone)]
/// struct Stones(u8, Side);
///
/// impl Position for Stones {
///     type Move = u8;
///     fn turn(&self) -> Side { self.1 }
///     fn moves(&self, out: &mut Vec<u8>) { out.extend(1..=self.0.min(2)) }
///     fn play(&mut self, m: u8) { *self = Stones(self.0 - m, self.1.other()) }
///     fn outcome(&self) -> Option<Outcome> {
///         (self.0 == 0).then_some(Outcome::Win(self.1.other(), "last-stone"))
///     }
///     fn key(&self) -> u64 { u64::from(self.0) * 2 + self.1.index() as u64 }
/// }
///
/// let mut game = Game::new(Stones(3, Side::First));
/// game.play(1);
/// game.play(2);
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::Second, "last-stone")));
/// assert_eq!(game.undo(), Some(2));
/// assert_eq!(kernel::perft::perft(&Stones(3, Side::First), 2), 3);
/// ```
pub trait Position: Clone + Send + Sync + 'static {
    /// The smallest act the rules know; what [`play`](Position::play) takes.
    type Move: Copy + Eq + std::fmt::Debug + Send + Sync + 'static;

    /// The number of occurrences of a position from which on [`judge_cycle`](Position::judge_cycle) is asked; at
    /// least 2.
    const JUDGED_AT: usize = 3;

    /// The side to move. It need not alternate: in locked chess a side moves five times in a row.
    fn turn(&self) -> Side;

    /// Appends every legal move, in the game's own stable order. Law: none exactly when `outcome` is `Some`.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::Position;
    ///
    /// let mut moves = Vec::new();
    /// Noughts::default().moves(&mut moves);
    /// assert_eq!(moves, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    /// ```
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// Returns the choice and the weight of a legal move whose result chance decides; `None` for all others. Law: the
    /// outcomes of a choice stand next to each other in [`moves`](Position::moves), at most [`MOST_OUTCOMES`] of them.
    /// The one who plays for a player draws one of them.
    #[inline(always)]
    fn by_chance(&self, _m: Self::Move) -> Option<ByChance<Self::Move>> {
        None
    }

    /// True for games in which [`by_chance`](Position::by_chance) may say something.
    const MAY_DRAW: bool = false;

    /// Returns true if playing `m` takes just `m` off the list of moves, as long as the game goes on: every other
    /// move stays legal, in its order, and none is new. A caller that keeps a list need not generate it again then.
    fn uses_up(&self, _m: Self::Move) -> bool {
        false
    }

    /// Plays `m`, which must be one of `moves`.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Position, Side};
    ///
    /// let mut pos = Noughts::default();
    /// pos.play(4);
    /// assert_eq!((pos.turn(), pos.count()), (Side::Second, 8));
    /// ```
    fn play(&mut self, m: Self::Move);

    /// Returns the outcome if the position itself ends the game: mate, five in a row, move counters.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::{Notation, Outcome, Position, Side};
    ///
    /// let won = Noughts::default().read_fen("xxxoo....")?;
    /// assert_eq!(won.outcome(), Some(Outcome::Win(Side::First, "three-in-a-row")));
    /// assert_eq!(won.count(), 0);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    fn outcome(&self) -> Option<Outcome>;

    /// Returns the reason for which the rules declare the position drawn although it has moves: a counter has run
    /// out, or neither side has the material to win. The game ends with it; counts of move paths (perft) look past
    /// it, as is usual.
    fn drawn(&self) -> Option<Reason> {
        None
    }

    /// Equal for positions the rules call the same; counters are left out.
    fn key(&self) -> u64;

    /// The [key](Position::key) of the position after `m`, which is legal here. Override it where that is cheaper than
    /// playing the move.
    ///
    /// ```
    /// # mod noughts { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/noughts.rs")); }
    /// # use noughts::Noughts;
    /// use kernel::Position;
    ///
    /// let mut pos = Noughts::default();
    /// let ahead = pos.key_after(4);
    /// pos.play(4);
    /// assert_eq!(pos.key(), ahead);
    /// ```
    fn key_after(&self, m: Self::Move) -> u64 {
        let mut next = self.clone();
        next.play(m);
        next.key()
    }

    /// Returns the number of legal moves. Override it where counting is cheaper than listing: perft's last ply asks
    /// only this.
    fn count(&self) -> u64 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.len() as u64
    }

    /// Returns the number of legal moves after each of `moves`, added up; these are legal here. Override it where
    /// that is cheaper than playing each: perft's last two plies ask only this.
    #[inline]
    fn count_after(&self, moves: &[Self::Move]) -> u64 {
        let after = |&m| {
            let mut next = self.clone();
            next.play(m);
            next.count()
        };
        moves.iter().map(after).sum()
    }

    /// Returns the number of plies since the last irreversible move. Repetition looks no further back.
    fn reversible(&self) -> usize {
        usize::MAX
    }

    /// Returns true if the side that made the last ply may take it back alone, by the rules of the game and without
    /// asking (locked chess: the choice of a stone). It may be so even in a position that is already lost.
    fn withdraws(&self) -> bool {
        false
    }

    /// Judges a line whose last position stood earlier, at `_line[0]`. `None`: the rules are silent.
    ///
    /// `_moves[i]` leads from `_line[i]` to `_line[i + 1]`.
    fn judge_cycle(_line: &[Self], _moves: &[Self::Move]) -> Option<Outcome> {
        None
    }
}
