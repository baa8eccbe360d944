//! The errors of a state or an operation from outside: one variant for each row of docs/rules/locked.md §8.

use kernel::{Problem, Side};

/// The reason a state or an operation was refused. The position is unchanged.
///
/// ```
/// use kernel::Side;
/// use locked::{Locked, LockedError, Step, Stones};
///
/// let two = Stones::of([(1, 1), (2, 2)]);
/// let three = Stones::of([(5, 5), (6, 6), (7, 7)]);
/// let refused = Locked::at([two, three], Side::First, Step::ShiftAll, None, None);
/// assert_eq!(refused, Err(LockedError::TooFewStones { black: 2, white: 3 }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LockedError {
    /// 1: a needed value is not there.
    NotStarted {
        /// The name of the missing value in the saved state.
        missing: String,
    },
    /// 2: the stones are not a set.
    StonesNotSet {
        /// The value found in place of a set.
        found: String,
    },
    /// 3: a stone is not a tuple.
    StoneNotTuple {
        /// The value found in place of a tuple.
        found: String,
    },
    /// 4: a stone is not column, row and colour.
    StoneNotTriple {
        /// The value found in place of column, row and colour.
        found: String,
    },
    /// 5: a column or row is not a whole number.
    CoordinateNotInt {
        /// The stone as it was written.
        found: String,
    },
    /// 6: a stone is off the board.
    OffBoard {
        /// The stone as it was written.
        found: String,
    },
    /// 7: a stone is neither black nor white.
    UnknownColour {
        /// The stone as it was written.
        found: String,
    },
    /// 8: two stones stand on one square.
    SharedSquare {
        /// The square by name, such as `d9`.
        at: String,
        /// Both stones as they were written.
        stones: String,
    },
    /// 9: a side has fewer than three stones.
    TooFewStones {
        /// The number of black stones.
        black: u32,
        /// The number of white stones.
        white: u32,
    },
    /// 10: the step is not 1 to 5.
    BadStep {
        /// The value found as the step.
        found: String,
    },
    /// 11: the side is neither black nor white.
    BadSide {
        /// The value found as the side.
        found: String,
    },
    /// 12: the axis does not fit the step.
    AxisMisfit {
        /// The axis found.
        found: String,
        /// The step, 1 to 5.
        step: u8,
    },
    /// 13: the chosen stone does not fit the step, is not there, or is not of the side to move.
    ChosenMisfit {
        /// The chosen stone as it was found.
        found: String,
        /// The step, 1 to 5.
        step: u8,
    },
    /// 14: not a legal operation now.
    IllegalOperation {
        /// The operation that was tried.
        found: String,
    },
    /// 15: the game is over.
    GameOver {
        /// The side that has lost.
        loser: Side,
    },
    /// 16: a saved game is not JSON, or one of its texts is no literal.
    Unreadable {
        /// The unreadable text: `json`, or the name of a key.
        what: &'static str,
        /// The part that did not fit.
        detail: String,
    },
    /// 16: a saved game has neither `all_locate` nor `game`.
    NoBoard,
    /// 16: a saved game has both `all_locate` and `game`.
    TwoBoards,
    /// 16: `all_locate` is not 12 rows.
    BoardNotTwelveRows,
    /// 16: a row of `all_locate` is not 12 numbers.
    RowNotTwelve,
    /// 16: a number of `all_locate` is not 1, 0 or -1.
    BadCell {
        /// The value found in the cell.
        found: String,
    },
}

impl LockedError {
    /// The same as a problem that can be said in any language.
    ///
    /// ```
    /// use locked::LockedError;
    ///
    /// let problem = LockedError::TooFewStones { black: 2, white: 3 }.problem();
    /// assert_eq!(problem.to_string(), r#"locked-too-few-stones black="2" white="3""#);
    /// ```
    #[must_use]
    pub fn problem(&self) -> Problem {
        let found = |key, found: &String| Problem::new(key).with("found", found);
        match self {
            LockedError::NotStarted { missing } => {
                Problem::new("locked-not-started").with("missing", missing)
            }
            LockedError::StonesNotSet { found: f } => found("locked-stones-not-set", f),
            LockedError::StoneNotTuple { found: f } => found("locked-stone-not-tuple", f),
            LockedError::StoneNotTriple { found: f } => found("locked-stone-not-triple", f),
            LockedError::CoordinateNotInt { found: f } => found("locked-coordinate-not-int", f),
            LockedError::OffBoard { found: f } => found("locked-off-board", f),
            LockedError::UnknownColour { found: f } => found("locked-unknown-colour", f),
            LockedError::SharedSquare { at, stones } => {
                Problem::new("locked-shared-square").with("at", at).with("stones", stones)
            }
            LockedError::TooFewStones { black, white } => {
                Problem::new("locked-too-few-stones").with("black", black).with("white", white)
            }
            LockedError::BadStep { found: f } => found("locked-bad-step", f),
            LockedError::BadSide { found: f } => found("locked-bad-side", f),
            LockedError::AxisMisfit { found: f, step } => found("locked-axis-misfit", f).with("step", step),
            LockedError::ChosenMisfit { found: f, step } => {
                found("locked-chosen-misfit", f).with("step", step)
            }
            LockedError::IllegalOperation { found: f } => found("locked-illegal-operation", f),
            LockedError::GameOver { loser } => {
                Problem::new("locked-game-over").with("loser", ["black", "white"][loser.index()])
            }
            LockedError::Unreadable { what, detail } => {
                Problem::new("locked-unreadable").with("what", what).with("detail", detail)
            }
            LockedError::NoBoard => Problem::new("locked-no-board"),
            LockedError::TwoBoards => Problem::new("locked-two-boards"),
            LockedError::BoardNotTwelveRows => Problem::new("locked-board-not-twelve-rows"),
            LockedError::RowNotTwelve => Problem::new("locked-row-not-twelve"),
            LockedError::BadCell { found: f } => found("locked-bad-cell", f),
        }
    }
}

impl std::fmt::Display for LockedError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.problem().fmt(f)
    }
}

impl std::error::Error for LockedError {}
