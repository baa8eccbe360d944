//! Our own search as an [`Engine`].

use catalog::Ruleset;
use engine_core::think::Request;
use engine_core::{Engine, Info, Limits, Task};
use kernel::{AnyGame, Problem};
use search::TranspositionTable;

use crate::FAMILIES;

/// The default size of the transposition table, in MiB.
pub const USUAL_MEMORY: usize = 64;

/// The default number of pieces up to which endgame tables are generated.
pub const USUAL_ENDINGS: u32 = eval_draughts::endings::USUAL;

/// Our engine for one game. It keeps its transposition table between moves.
///
/// Mate in one:
///
/// ```
/// use engine::{Engine, Limits, Native, Task};
///
/// let mut engine = Native::new("xiangqi", &catalog::Options::new(), 1)?;
/// let fen = "4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1";
/// let limits = Limits { nodes: Some(500), ..Limits::default() };
/// let task = Task { fen: Some(fen.to_owned()), moves: Vec::new(), limits };
/// assert_eq!(engine.think(&task, &mut |_| {})?, "b1b9");
/// # Ok::<(), kernel::Problem>(())
/// ```
pub struct Native {
    open: Opener,
    memory: TranspositionTable,
}

/// Opens the game at a FEN, or at its usual start.
type Opener = Box<dyn Fn(Option<&str>) -> Result<Box<dyn AnyGame>, Problem> + Send>;

impl Native {
    /// Creates the engine for a game of the catalogue; `options` as [`catalog::Entry::settle`] takes them, `memory`
    /// in MiB.
    ///
    /// ```
    /// use engine::{Engine, Limits, Native, Task};
    ///
    /// let mut engine = Native::new("gomoku/standard", &catalog::Options::new(), 1)?;
    /// let limits = Limits { nodes: Some(200), ..Limits::default() };
    /// assert_eq!(engine.think(&Task { limits, ..Task::default() }, &mut |_| {})?, "h8", "the middle");
    /// assert_eq!(Native::new("chess", &catalog::Options::new(), 1).err().map(|p| p.key), Some("unknown-game"));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    ///
    /// # Errors
    /// The problem of [`catalog::find`] for an unknown game, or that of [`catalog::Entry::settle`] for an unknown
    /// option.
    pub fn new(key: &str, options: &catalog::Options, memory: usize) -> Result<Native, Problem> {
        let entry = catalog::find(key)?;
        let options = entry.settle(options, catalog::Setting::Faithful)?;
        Ok(Native::opening(Box::new(move |fen| entry.open(None, &options, fen)), memory))
    }

    /// Creates the engine for that game, with a transposition table of `memory` MiB.
    ///
    /// ```
    /// use catalog::{Options, Ruleset};
    /// use engine::{Engine, Limits, Native, Task};
    ///
    /// let mut engine = Native::of(&Ruleset::new("gomoku/freestyle", &Options::new())?, 1);
    /// let moves = ["h8", "a1", "i8", "a2", "j8", "a3", "k8", "a4"].map(str::to_owned).to_vec();
    /// let limits = Limits { depth: Some(1), ..Limits::default() };
    /// let five = engine.think(&Task { fen: None, moves, limits }, &mut |_| {})?;
    /// assert!(["g8", "l8"].contains(&five.as_str()));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn of(rules: &Ruleset, memory: usize) -> Native {
        let rules = rules.clone();
        Native::opening(Box::new(move |fen| rules.open(fen)), memory)
    }

    /// Creates the engine for games that `open` opens, such as those on a user's map.
    ///
    /// ```
    /// use engine::{Engine, Limits, Native, Task};
    /// use gomoku::{Gomoku, Rule};
    ///
    /// let small = Gomoku::new(Rule::Freestyle, 7, 7)?;
    /// let mut engine = Native::opening(Box::new(move |fen| kernel::any_at(small.clone(), fen)), 1);
    /// let limits = Limits { nodes: Some(200), ..Limits::default() };
    /// assert_eq!(engine.think(&Task { limits, ..Task::default() }, &mut |_| {})?, "d4");
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn opening(open: Opener, memory: usize) -> Native {
        if let Ok(game) = open(None) {
            prepare(game.as_ref(), USUAL_ENDINGS);
        }
        Native { open, memory: TranspositionTable::mebibytes(memory) }
    }

    /// Clears the transposition table, for a new game.
    ///
    /// ```
    /// use engine::{Engine, Limits, Native, Task};
    ///
    /// let mut engine = Native::new("locked", &catalog::Options::new(), 1)?;
    /// let task = Task { limits: Limits { nodes: Some(500), ..Limits::default() }, ..Task::default() };
    /// let first = engine.think(&task, &mut |_| {})?;
    /// engine.forget();
    /// assert_eq!(engine.think(&task, &mut |_| {})?, first);
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    pub fn forget(&mut self) {
        self.memory.clear();
    }
}

impl Engine for Native {
    fn think(&mut self, task: &Task, report: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        let mut game = (self.open)(task.fen.as_deref())?;
        for text in &task.moves {
            game.play(text).map_err(kernel::PlayError::problem)?;
        }
        think(game.as_ref(), &self.memory, &task.limits, report)
    }

    fn prepare(&mut self) {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        if let Ok(game) = (self.open)(None) {
            // What is wrong with the game, who asks about it will be told.
            let _ = think(game.as_ref(), &self.memory, &limits, &mut |_| {});
        }
        // Writes to all of it, so that the system hands it out now.
        self.memory.clear();
    }
}

/// Returns our engine's move in `game`; the moves played before count for repetition.
///
/// ```
/// use engine::{Limits, TranspositionTable, Worth, native::think};
/// use kernel::Notation;
/// use xiangqi::{Rules, Xiangqi};
///
/// let pos = Xiangqi::new(Rules::Asian).read_fen("4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1")?;
/// let limits = Limits { nodes: Some(500), ..Limits::default() };
/// let mut worth = None;
/// let memory = TranspositionTable::mebibytes(1);
/// let best = think(&*kernel::any(pos), &memory, &limits, &mut |info| worth = Some(info.worth))?;
/// assert_eq!((best.as_str(), worth), ("b1b9", Some(Worth::Wins(1))));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `game-over`, and `no-engine` for a game that we do not play.
pub fn think(
    game: &dyn AnyGame,
    memory: &TranspositionTable,
    limits: &Limits,
    report: &mut dyn FnMut(&Info),
) -> Result<String, Problem> {
    Ok(turn(game, memory, limits, report)?.swap_remove(0))
}

/// Returns all moves of the turn that the engine plans, at least one.
///
/// Locked chess has five moves in a turn:
///
/// ```
/// use engine::{Limits, TranspositionTable, native::turn};
///
/// let limits = Limits { nodes: Some(200), ..Limits::default() };
/// let game = kernel::any(locked::Locked::default());
/// let moves = turn(&*game, &TranspositionTable::mebibytes(1), &limits, &mut |_| {})?;
/// assert_eq!(moves.len(), 5);
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// The errors of [`think`].
pub fn turn(
    game: &dyn AnyGame,
    memory: &TranspositionTable,
    limits: &Limits,
    report: &mut dyn FnMut(&Info),
) -> Result<Vec<String>, Problem> {
    if let Some(outcome) = game.outcome() {
        return Err(Problem::new("game-over").with("reason", outcome.reason()));
    }
    let request = Request { memory, limits };
    let found = FAMILIES.iter().find_map(|family| (family.turn)(game, &request, report));
    found.ok_or_else(|| Problem::new("no-engine").with("game", game.fen()))
}

/// Generates the tables that would otherwise be generated in the middle of a game. For draughts these are endgame
/// tables for up to `endings` pieces, 4 at most; other games need nothing.
///
/// ```
/// let game = kernel::any(gomoku::Gomoku::usual(gomoku::Rule::Renju));
/// engine::native::prepare(&*game, 2);
/// assert_eq!(game.plies(), 0, "other games than draughts need nothing");
/// ```
pub fn prepare(game: &dyn AnyGame, endings: u32) {
    for family in &FAMILIES {
        (family.prepare)(game, endings);
    }
}
