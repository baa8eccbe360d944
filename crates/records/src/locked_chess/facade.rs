//! The Python API of the locked chess reference program: its names, its variables, its error texts.
//!
//! For those who have programs or habits from there; new code plays with [`locked::Locked`]. Names are kept exactly,
//! "oppsite" included. Differences, all deliberate: a failed call changes nothing unless
//! [`destroy_on_error`](LockedChessClass::destroy_on_error) is set, no text is ever evaluated, numbers such as `1.0`
//! and `True` are taken as whole numbers and written as such, an enemy stone as the chosen one is refused like any
//! other unfit value, and a bad board in a saved game is a `ValueError` in both variants.

use std::fmt;

use kernel::{Position as _, Side};
use locked::{Locked, LockedError, Move};

use super::literal::Literal;
use super::variables::{Numbers, Variables, stone};
use super::{load, variables};

/// The interface of the reference program whose error messages are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// The messages of `LockedChessClass`.
    #[default]
    Class,
    /// The messages of `locked_chess_game_module`, imported.
    Module,
}

/// The type of a Python exception.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exception {
    /// The exception `GameHasNotStartedError`.
    GameHasNotStarted,
    /// The exception `TypeError`.
    Type,
    /// The exception `ValueError`.
    Value,
    /// The exception `IllegalLocationError`.
    IllegalLocation,
    /// The exception `IllegalOperationError`.
    IllegalOperation,
    /// `GameFailedError` in the documents, `GameFailError` in the module, `GameIsOverError` in the class.
    GameFailed,
}

impl Exception {
    /// The names it is known under; the first is the one in the documents.
    #[must_use]
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            Exception::GameHasNotStarted => &["GameHasNotStartedError"],
            Exception::Type => &["TypeError"],
            Exception::Value => &["ValueError"],
            Exception::IllegalLocation => &["IllegalLocationError"],
            Exception::IllegalOperation => &["IllegalOperationError"],
            Exception::GameFailed => &["GameFailedError", "GameFailError", "GameIsOverError"],
        }
    }
}

/// The exception that a call raises.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Raised {
    /// The type of the exception in the reference program.
    pub exception: Exception,
    /// The message: the text of `str(exception)`.
    pub message: String,
    /// The same error in the native API.
    pub cause: LockedError,
}

/// Writes the exception like the last line of a traceback.
impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.exception.names()[0], self.message)
    }
}

impl std::error::Error for Raised {}

/// A game with the variables and functions of the reference program. `None` is a variable that does not exist.
///
/// ```
/// use records::locked_chess::{Literal, LockedChessClass};
/// let mut example = LockedChessClass::new();
/// example.operation(&"u".into()).unwrap();
/// assert_eq!(example.legal_operation().unwrap().to_string(), "['l', 'r']");
/// assert_eq!(example.operation_number, Some(Literal::Int(2)));
/// let refused = example.operation(&"d".into()).unwrap_err();
/// assert_eq!(refused.exception.names(), ["IllegalOperationError"]);
/// assert_eq!(
///     refused.message,
///     "Operation 'd' is not in list 'all_operation' .Please check your operation .",
/// );
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LockedChessClass {
    /// The set of stones, each `(x, y, '黑')`.
    pub game: Option<Literal>,
    /// The step, 1 to 5.
    pub operation_number: Option<Literal>,
    /// The side to act: `黑` or `白`.
    pub operation_oppsite: Option<Literal>,
    /// `无`, `上下` or `左右`.
    pub operation_last_direction: Option<Literal>,
    /// `无`, or the stone.
    pub choose_chess_locate: Option<Literal>,
    /// The list of legal operations, as of the last call that worked. Written and never read.
    pub all_operation: Option<Literal>,
    /// The interface whose error messages are used.
    pub variant: Variant,
    /// True if a failed check deletes all variables but `operation_last_direction`, as in the reference program.
    pub destroy_on_error: bool,
}

impl LockedChessClass {
    /// A game at its start, as the class's constructor makes it.
    #[must_use]
    pub fn new() -> LockedChessClass {
        let mut game = LockedChessClass::default();
        game.game_start();
        game
    }

    /// The module as it is imported: no game has started.
    ///
    /// ```
    /// use records::locked_chess::LockedChessClass;
    ///
    /// let mut module = LockedChessClass::module();
    /// assert!(module.return_game().is_err(), "no game has started");
    /// module.game_start();
    /// assert!(module.return_game().is_ok());
    /// ```
    #[must_use]
    pub fn module() -> LockedChessClass {
        LockedChessClass { variant: Variant::Module, ..LockedChessClass::default() }
    }

    /// Begins a new game and drops the one before.
    pub fn game_start(&mut self) {
        self.set(&Locked::default());
    }

    /// Checks the variables, sets `all_operation`, and returns it, or `'fail'` when it is empty.
    ///
    /// # Errors
    /// The first row of docs/rules/locked.md §8 that the variables break.
    pub fn legal_operation(&mut self) -> Result<Literal, Raised> {
        let pos = self.position()?;
        self.set(&pos);
        let all = operations(&pos);
        Ok(if all.is_empty() { "fail".into() } else { Literal::List(all) })
    }

    /// Plays one step: `'u'`, `'d'`, `'l'`, `'r'`, or at step 3 the stone.
    ///
    /// # Errors
    /// The errors of [`legal_operation`](Self::legal_operation); `GameFailedError` after a loss;
    /// `IllegalOperationError`.
    pub fn operation(&mut self, x: &Literal) -> Result<(), Raised> {
        let mut pos = self.position()?;
        let mut moves = Vec::new();
        pos.operations(&mut moves);
        if moves.is_empty() {
            return Err(self.raise(LockedError::GameOver { loser: pos.turn() }));
        }
        let Some(&m) = moves.iter().find(|&&m| value(m, pos.turn()).equals(x)) else {
            return Err(self.raise(LockedError::IllegalOperation { found: x.str() }));
        };
        pos.play(m);
        self.set(&pos);
        Ok(())
    }

    /// The game as JSON text.
    ///
    /// ```
    /// use records::locked_chess::{LockedChessClass, loads_game};
    ///
    /// let mut game = LockedChessClass::new();
    /// assert_eq!(loads_game(&game.return_game().unwrap()), Ok(locked::Locked::default()));
    /// ```
    ///
    /// # Errors
    /// The errors of [`legal_operation`](Self::legal_operation).
    pub fn return_game(&mut self) -> Result<String, Raised> {
        let pos = self.position()?;
        self.set(&pos);
        Ok(locked::json::state_json(&pos))
    }

    /// Takes the game from JSON text.
    ///
    /// ```
    /// use records::locked_chess::LockedChessClass;
    ///
    /// let mut game = LockedChessClass::new();
    /// let refused = game.loads_game("{}").unwrap_err();
    /// assert_eq!(refused.exception.names(), ["ValueError"]);
    /// ```
    ///
    /// # Errors
    /// `ValueError` around the text of what is wrong.
    pub fn loads_game(&mut self, text: &str) -> Result<(), Raised> {
        match load::read(text, Numbers::Loose).and_then(|saved| saved.check(Numbers::Loose)) {
            Ok(pos) => {
                self.set(&pos);
                Ok(())
            }
            Err(cause) => {
                self.destroy();
                Err(Raised { exception: Exception::Value, message: wrapped(&cause, self.variant), cause })
            }
        }
    }

    /// Takes the choice of a stone back, at step 4, as the button 撤回 does; also when that stone cannot move.
    ///
    /// ```
    /// use records::locked_chess::{Literal, LockedChessClass};
    ///
    /// let mut game = LockedChessClass::new();
    /// game.operation(&"u".into()).unwrap();
    /// game.operation(&"l".into()).unwrap();
    /// let Ok(Literal::List(stones)) = game.legal_operation() else { panic!("stones may be chosen") };
    /// game.operation(&stones[0]).unwrap();
    /// game.withdraw().unwrap();
    /// assert_eq!(game.operation_number, Some(Literal::Int(3)));
    /// ```
    ///
    /// # Errors
    /// The errors of [`legal_operation`](Self::legal_operation); `IllegalOperationError` at any other step.
    pub fn withdraw(&mut self) -> Result<(), Raised> {
        let pos = self.position()?;
        if !pos.withdraws() {
            return Err(self.raise(LockedError::IllegalOperation { found: "撤回".to_owned() }));
        }
        let mut back = Variables::from(&pos);
        back.operation_number = Literal::Int(3);
        back.choose_chess_locate = variables::NONE.into();
        self.set(&back.check(Numbers::Whole).expect("step 4 without its stone is step 3"));
        Ok(())
    }

    /// The position that the variables describe.
    ///
    /// ```
    /// use records::locked_chess::LockedChessClass;
    ///
    /// assert_eq!(LockedChessClass::new().position(), Ok(locked::Locked::default()));
    /// assert!(LockedChessClass::module().position().is_err());
    /// ```
    ///
    /// # Errors
    /// The errors of [`legal_operation`](Self::legal_operation).
    pub fn position(&mut self) -> Result<Locked, Raised> {
        self.variables().and_then(|v| v.check(Numbers::Loose)).map_err(|cause| {
            self.destroy();
            self.raise(cause)
        })
    }

    fn variables(&self) -> Result<Variables, LockedError> {
        let there = |variable: &Option<Literal>, name: &str| {
            variable.clone().ok_or_else(|| LockedError::NotStarted { missing: name.to_owned() })
        };
        Ok(Variables {
            game: there(&self.game, "game")?,
            operation_number: there(&self.operation_number, "operation_number")?,
            operation_oppsite: there(&self.operation_oppsite, "operation_oppsite")?,
            operation_last_direction: there(&self.operation_last_direction, "operation_last_direction")?,
            choose_chess_locate: there(&self.choose_chess_locate, "choose_chess_locate")?,
        })
    }

    fn set(&mut self, pos: &Locked) {
        let from = Variables::from(pos);
        self.game = Some(from.game);
        self.operation_number = Some(from.operation_number);
        self.operation_oppsite = Some(from.operation_oppsite);
        self.operation_last_direction = Some(from.operation_last_direction);
        self.choose_chess_locate = Some(from.choose_chess_locate);
        self.all_operation = Some(Literal::List(operations(pos)));
    }

    fn destroy(&mut self) {
        if self.destroy_on_error {
            *self = LockedChessClass {
                operation_last_direction: self.operation_last_direction.take(),
                variant: self.variant,
                destroy_on_error: true,
                ..LockedChessClass::default()
            };
        }
    }

    fn raise(&self, cause: LockedError) -> Raised {
        let (exception, message) = said(&cause, self.variant);
        Raised { exception, message, cause }
    }
}

fn operations(pos: &Locked) -> Vec<Literal> {
    let mut moves = Vec::new();
    pos.operations(&mut moves);
    moves.into_iter().map(|m| value(m, pos.turn())).collect()
}

fn value(m: Move, side: Side) -> Literal {
    match m {
        Move::Go(to) => to.letter().into(),
        Move::Choose(at) => stone(at, side),
    }
}

/// A variable or function as the texts call it, quotes included.
fn name(of: &str, variant: Variant) -> String {
    match variant {
        Variant::Class => format!("'{of}'"),
        Variant::Module => format!(
            "'example.{of}' if you use 'import locked_chess_game_module as example' or '{of}' if you use \
             'from locked_chess_game_module import *'"
        ),
    }
}

fn not_started(variant: Variant) -> String {
    format!("The game has not started yet .Please start the game with {} .", name("game_start()", variant))
}

/// The type and text of one row of docs/rules/locked.md §8, row 16 aside, which [`wrapped`] knows.
fn said(cause: &LockedError, variant: Variant) -> (Exception, String) {
    let name = |of| name(of, variant);
    match cause {
        LockedError::StonesNotSet { .. } => {
            (Exception::Type, format!("The type of {} is not 'set' .", name("game")))
        }
        LockedError::StoneNotTuple { found } => {
            (Exception::Type, format!("The type of '{found}' in {} is not 'tuple' .", name("game")))
        }
        LockedError::StoneNotTriple { found } => {
            (Exception::Value, format!("The length of the tuple '{found}' in {} is wrong .", name("game")))
        }
        LockedError::CoordinateNotInt { found } => (
            Exception::Type,
            format!(
                "The type of the first or second values in '{found}' in {} are not all 'int' .",
                name("game")
            ),
        ),
        LockedError::OffBoard { found } => {
            (Exception::IllegalLocation, format!("Chess '{found}' is not on the board ."))
        }
        LockedError::UnknownColour { found } => {
            (Exception::IllegalLocation, format!("Chess '{found}' is unknown which oppsite it belongs to ."))
        }
        LockedError::SharedSquare { at, stones } => {
            (Exception::IllegalLocation, format!("Location '{at}' has two or more chesses: '{stones}' ."))
        }
        LockedError::TooFewStones { .. } => {
            (Exception::Value, "The number of the chess is illegal .".to_owned())
        }
        LockedError::BadStep { .. } => (
            Exception::Value,
            format!("The value of {} should be in '(1,2,3,4,5)' .", name("operation_number")),
        ),
        LockedError::BadSide { .. } => (
            Exception::Value,
            format!("The value of {} should be in '('黑','白')' .", name("operation_oppsite")),
        ),
        LockedError::AxisMisfit { .. } => {
            (Exception::Value, format!("The value of {} is illegal .", name("operation_last_direction")))
        }
        LockedError::ChosenMisfit { .. } => {
            (Exception::Value, format!("The value of {} is illegal .", name("choose_chess_locate")))
        }
        LockedError::IllegalOperation { found } => (
            Exception::IllegalOperation,
            format!(
                "Operation '{found}' is not in list {} .Please check your operation .",
                name("all_operation")
            ),
        ),
        LockedError::GameOver { loser } => (
            Exception::GameFailed,
            format!(
                "The game is over ,and operatior '{}' has failed .Please start a new game with {}",
                locked::json::colour(*loser),
                name("game_start()")
            ),
        ),
        LockedError::NotStarted { .. }
        | LockedError::Unreadable { .. }
        | LockedError::NoBoard
        | LockedError::TwoBoards
        | LockedError::BoardNotTwelveRows
        | LockedError::RowNotTwelve
        | LockedError::BadCell { .. } => (Exception::GameHasNotStarted, not_started(variant)),
    }
}

const ALL_EXIST: &str = "operation_number ,operation_oppsite ,operation_last_direction ,choose_chess_locate are all \
                         exist and legal.";
const NOT_ALL_EXIST: &str = "operation_number ,operation_oppsite ,operation_last_direction ,choose_chess_locate are \
                             not all exist and legal :";
const ONE_BOARD: &str = "only one key 'all_locate' and 'game' is exist .It is legal .";
const NO_BOARD: &str = "both key 'all_locate' and 'game' are not exist .It is illegal .";
const TWO_BOARDS: &str = "both key 'all_locate' and 'game' are exist .It is illegal .";

/// Row 16: the text of `loads_game` around what is wrong. Nothing of the saved game counts until all of it is read,
/// so what could not be read is followed by the text of row 1.
fn wrapped(cause: &LockedError, variant: Variant) -> String {
    let (_, text) = said(cause, variant);
    if variant == Variant::Module {
        return format!("Wrong json : '{text}' Please check your input.");
    }
    let (keys, board) = match cause {
        LockedError::NotStarted { missing } => (format!("{NOT_ALL_EXIST}'{missing}'."), String::new()),
        LockedError::Unreadable { what: "json" | "choose_chess_locate", detail } => {
            (format!("{NOT_ALL_EXIST}{detail}."), String::new())
        }
        LockedError::NoBoard => (ALL_EXIST.to_owned(), NO_BOARD.to_owned()),
        LockedError::TwoBoards => (ALL_EXIST.to_owned(), TWO_BOARDS.to_owned()),
        other => {
            let but = board_detail(other).map_or_else(String::new, |detail| format!("but {detail}"));
            (ALL_EXIST.to_owned(), format!("{ONE_BOARD}{but}"))
        }
    };
    format!("Wrong json .'{keys} {board} {text}' Please check your input . ")
}

/// Returns the message about a bad text of a board.
fn board_detail(cause: &LockedError) -> Option<String> {
    let text = match cause {
        LockedError::Unreadable { detail, .. } => detail,
        LockedError::BoardNotTwelveRows => {
            "length of key's value's eval whose name is  'all_locate' should be 12 ."
        }
        LockedError::RowNotTwelve => {
            "length of values in key's value's eval whose name is  'all_locate' should be 12 ."
        }
        LockedError::BadCell { .. } => {
            "values in key's value's eval whose name is  'all_locate' should be only in (-1,0,1)"
        }
        _ => return None,
    };
    Some(text.to_owned())
}
