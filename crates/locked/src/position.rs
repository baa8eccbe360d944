//! The position between two steps: start, play, outcome, key.

use kernel::{Outcome, Position, Side};

use crate::{Axis, Direction, LockedError, Move, Square, Step, Stones};

/// The fewest stones a side may have. Docs §1.
pub const FEWEST_STONES: u32 = 3;

/// The rules by which a match can end in a draw. The default, both off, is the faithful game, which has no draws.
///
/// ```
/// use kernel::{Notation, Outcome, Position};
/// use locked::{Locked, Rules};
///
/// let rules = Rules { turn_limit: Some(60), ..Rules::default() };
/// let fen = "12/12/12/3b4w3/4b2w4/12/12/4w2b4/3w4b3/12/12/12 b 1 - - 60";
/// assert_eq!(Locked::new(rules).read_fen(fen)?.outcome(), Some(Outcome::Draw("turn-limit")));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// A draw when the same position begins a turn for the third time.
    pub repetition: bool,
    /// A draw after this many turns, both sides counted together; `None`: no limit.
    pub turn_limit: Option<u16>,
}

/// The stones, whose turn it is and which step of it: 64 bytes.
///
/// ```
/// use kernel::Notation;
/// let start = locked::Locked::default();
/// assert_eq!(start.fen(), "12/12/12/3b4w3/4b2w4/12/12/4w2b4/3w4b3/12/12/12 b 1 - -");
/// assert_eq!(kernel::perft::perft(&start, 5), 192);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Locked {
    pub(crate) stones: [Stones; 2],
    pub(crate) side: Side,
    pub(crate) step: Step,
    pub(crate) axis: Option<Axis>,
    pub(crate) chosen: Option<Square>,
    /// Turns completed; counted only under a turn limit, else 0.
    pub(crate) turns: u16,
    pub(crate) rules: Rules,
}

/// The usual start of the faithful game.
impl Default for Locked {
    fn default() -> Self {
        Locked::new(Rules::default())
    }
}

impl Locked {
    /// The usual start under `rules`.
    ///
    /// ```
    /// use kernel::Side;
    /// use locked::{Locked, Rules};
    ///
    /// let start = Locked::new(Rules { repetition: true, turn_limit: None });
    /// assert_eq!(Side::BOTH.map(|side| start.stones(side).len()), [4, 4]);
    /// ```
    #[must_use]
    pub const fn new(rules: Rules) -> Locked {
        const BLACK: Stones = Stones::of([(4, 4), (5, 5), (8, 8), (9, 9)]);
        const WHITE: Stones = Stones::of([(9, 4), (8, 5), (5, 8), (4, 9)]);
        Locked {
            stones: [BLACK, WHITE],
            side: Side::First,
            step: Step::ShiftAll,
            axis: None,
            chosen: None,
            turns: 0,
            rules,
        }
    }

    /// Any position of the faithful game; `stones` are Black's and White's.
    ///
    /// ```
    /// use kernel::{Position, Side};
    /// use locked::{Locked, Step, Stones};
    ///
    /// let black = Stones::of([(4, 4), (5, 5), (8, 8)]);
    /// let white = Stones::of([(9, 4), (8, 5), (5, 8)]);
    /// let pos = Locked::at([black, white], Side::Second, Step::ShiftAll, None, None)?;
    /// assert_eq!((pos.turn(), pos.count()), (Side::Second, 4));
    /// # Ok::<(), locked::LockedError>(())
    /// ```
    ///
    /// # Errors
    /// [`LockedError`] rows 8, 9, 12 and 13: two stones on a square, too few stones, an axis or a chosen stone that
    /// does not fit the step.
    pub fn at(
        stones: [Stones; 2],
        side: Side,
        step: Step,
        axis: Option<Axis>,
        chosen: Option<Square>,
    ) -> Result<Locked, LockedError> {
        if let Some(square) = stones[0].and(stones[1]).by_row().next() {
            return Err(LockedError::SharedSquare { at: square.to_string(), stones: "b, w".to_owned() });
        }
        let [black, white] = stones.map(Stones::len);
        if black.min(white) < FEWEST_STONES {
            return Err(LockedError::TooFewStones { black, white });
        }
        if axis.is_some() != step.is_across() {
            let found = axis.map_or("-", |a| if a == Axis::Vertical { "v" } else { "h" });
            return Err(LockedError::AxisMisfit { found: found.to_owned(), step: step.number() });
        }
        if chosen.is_some() != step.is_single() || chosen.is_some_and(|c| !stones[side.index()].has(c)) {
            let found = chosen.map_or_else(|| "-".to_owned(), |c| c.to_string());
            return Err(LockedError::ChosenMisfit { found, step: step.number() });
        }
        Ok(Locked { stones, side, step, axis, chosen, turns: 0, rules: Rules::default() })
    }

    /// Returns the position once the side to move has brought its stones to `own` and `step` comes next, with the
    /// axis and the chosen stone of that step: later in this turn, or, at step 1, at the start of the other side's.
    /// For a caller that knows that steps lead there, and plays them all at once.
    ///
    /// ```
    /// use kernel::{Position, Side};
    /// use locked::{Locked, Step};
    ///
    /// // All of a turn at once: Black's stones end where they began.
    /// let start = Locked::default();
    /// let next = start.further(start.stones(Side::First), Step::ShiftAll, None, None);
    /// assert_eq!(next.turn(), Side::Second);
    /// ```
    #[inline]
    #[must_use]
    pub fn further(mut self, own: Stones, step: Step, axis: Option<Axis>, chosen: Option<Square>) -> Locked {
        self.stones[self.side.index()] = own;
        (self.step, self.axis, self.chosen) = (step, axis, chosen);
        if step == Step::ShiftAll {
            self.pass();
        }
        self
    }

    /// The stones of a side.
    ///
    /// ```
    /// use kernel::Side;
    /// use locked::{Locked, Stones};
    ///
    /// let white = Locked::default().stones(Side::Second);
    /// assert_eq!(white, Stones::of([(9, 4), (8, 5), (5, 8), (4, 9)]));
    /// ```
    #[must_use]
    pub const fn stones(&self, side: Side) -> Stones {
        self.stones[side.index()]
    }

    /// The step that comes next.
    #[must_use]
    pub const fn step(&self) -> Step {
        self.step
    }

    /// The axis of the step before, at steps 2 and 5.
    ///
    /// ```
    /// use kernel::Position;
    /// use locked::{Axis, Direction, Locked, Move};
    ///
    /// let mut pos = Locked::default();
    /// assert_eq!(pos.axis(), None);
    /// pos.play(Move::Go(Direction::Up));
    /// assert_eq!(pos.axis(), Some(Axis::Vertical), "the next step goes left or right");
    /// assert_eq!(pos.count(), 2);
    /// ```
    #[must_use]
    pub const fn axis(&self) -> Option<Axis> {
        self.axis
    }

    /// The chosen stone, at steps 4 and 5.
    ///
    /// ```
    /// use kernel::{AnyGame, Game};
    /// use locked::{Locked, Square};
    ///
    /// let mut game = Game::new(Locked::default());
    /// for text in ["u", "l", "c3"] {
    ///     AnyGame::play(&mut game, text).unwrap();
    /// }
    /// assert_eq!(game.position().chosen(), Square::named("c3"));
    /// ```
    #[must_use]
    pub const fn chosen(&self) -> Option<Square> {
        self.chosen
    }

    /// Returns the rules by which this game can end in a draw.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The same position under other rules, with no turns counted yet.
    ///
    /// ```
    /// use kernel::Position;
    /// use locked::{Locked, Rules};
    ///
    /// let pos = Locked::default().with_rules(Rules { turn_limit: Some(0), repetition: false });
    /// assert_eq!(pos.outcome().map(|outcome| outcome.reason()), Some("turn-limit"));
    /// ```
    #[must_use]
    pub const fn with_rules(mut self, rules: Rules) -> Locked {
        self.rules = rules;
        self.turns = 0;
        self
    }

    /// Turns completed; 0 where no limit counts them.
    ///
    /// ```
    /// use kernel::{AnyGame, Game};
    /// use locked::{Locked, Rules};
    ///
    /// let mut game = Game::new(Locked::new(Rules { turn_limit: Some(60), repetition: false }));
    /// for text in ["u", "l", "c3", "u", "l"] {
    ///     AnyGame::play(&mut game, text).unwrap();
    /// }
    /// assert_eq!(game.position().turns(), 1);
    /// ```
    #[must_use]
    pub const fn turns(&self) -> u16 {
        self.turns
    }

    #[inline]
    pub(crate) fn own(&self) -> Stones {
        self.stones[self.side.index()]
    }

    /// Returns true if the turn limit stops play here.
    #[inline]
    pub(crate) fn is_at_limit(&self) -> bool {
        self.step == Step::ShiftAll && self.rules.turn_limit.is_some_and(|limit| self.turns >= limit)
    }

    #[inline]
    fn go(&mut self, to: Direction) {
        match self.step {
            Step::ShiftAll => {
                self.shift(to);
                (self.step, self.axis) = (Step::ShiftAcross, Some(to.axis()));
            }
            Step::ShiftAcross => {
                self.shift(to);
                (self.step, self.axis) = (Step::Choose, None);
            }
            Step::MoveOne => {
                self.carry(to);
                (self.step, self.axis) = (Step::MoveAcross, Some(to.axis()));
            }
            Step::MoveAcross | Step::Choose => {
                self.carry(to);
                self.axis = None;
                self.pass();
            }
        }
    }

    #[inline]
    fn shift(&mut self, to: Direction) {
        let own = &mut self.stones[self.side.index()];
        *own = own.shifted(to);
    }

    #[inline]
    fn carry(&mut self, to: Direction) {
        let Some(from) = self.chosen else { return };
        let target = from.beside(to);
        self.stones[self.side.index()].carry(from, target);
        self.chosen = Some(target);
    }

    #[inline]
    fn pass(&mut self) {
        self.step = Step::ShiftAll;
        self.chosen = None;
        self.side = self.side.other();
        if self.rules.turn_limit.is_some() {
            self.turns = self.turns.saturating_add(1);
        }
    }
}

impl Position for Locked {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        self.side
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Move>) {
        if !self.is_at_limit() {
            self.operations(out);
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        match m {
            Move::Go(to) => self.go(to),
            Move::Choose(stone) => {
                self.chosen = Some(stone);
                self.step = Step::MoveOne;
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        // Being stuck is looked at first: the limit does not save a side that has lost.
        if self.is_stuck() {
            return Some(Outcome::Win(self.side.other(), "no-moves"));
        }
        self.is_at_limit().then_some(Outcome::Draw("turn-limit"))
    }

    #[inline]
    fn count(&self) -> u64 {
        if self.is_at_limit() { 0 } else { self.operation_count() }
    }

    fn key(&self) -> u64 {
        // Collective shifts touch every stone, so a key kept in step costs more than one made when asked.
        let chosen = self.chosen.map_or(0, |c| u64::from(c.cell()) + 1);
        let axis = self.axis.map_or(0, |a| a as u64 + 1);
        let rest = chosen << 16 | axis << 8 | u64::from(self.step.number()) << 1 | self.side.index() as u64;
        let words = self.stones[0].0.into_iter().chain(self.stones[1].0).chain([rest]);
        words.zip(SALTS).fold(0, |key, (word, salt)| stir(key ^ word.wrapping_add(salt)))
    }

    fn reversible(&self) -> usize {
        // Nothing is ever lost, but only a rule about repetition, and only between turns, makes looking back worth it.
        if self.rules.repetition && self.step == Step::ShiftAll { usize::MAX } else { 0 }
    }

    fn withdraws(&self) -> bool {
        self.step == Step::MoveOne
    }

    fn judge_cycle(line: &[Self], _moves: &[Move]) -> Option<Outcome> {
        let now = line.last()?;
        (now.rules.repetition && now.step == Step::ShiftAll).then_some(Outcome::Draw("threefold-repetition"))
    }
}

/// One number a word of the key, so that the same stones in another word or colour give another key.
const SALTS: [u64; 7] = salts();

const fn salts() -> [u64; 7] {
    let mut salts = [0; 7];
    let mut i = 0;
    while i < salts.len() {
        salts[i] = stir((i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        i += 1;
    }
    salts
}

/// The finisher of SplitMix64 (Steele, Lea, Flood 2014): every bit in reaches every bit out.
const fn stir(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
