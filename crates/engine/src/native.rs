//! Our own search behind the [`Engine`] trait.

use catalog::Ruleset;
use engine_core::think::Request;
use engine_core::{Engine, Info, Limits, Task};
use kernel::{AnyGame, Problem};
use search::TranspositionTable;

use crate::FAMILIES;

/// How large the table of positions is unless somebody says otherwise, in MiB.
pub const USUAL_MEMORY: usize = 64;

/// With how many pieces on the board endings are known unless somebody says otherwise.
pub const USUAL_ENDINGS: u32 = eval_draughts::endings::USUAL;

/// Our engine for one game; it keeps its table between moves.
pub struct Native {
    open: Opener,
    memory: TranspositionTable,
}

/// Opens the game at a FEN, or at its usual start.
type Opener = Box<dyn Fn(Option<&str>) -> Result<Box<dyn AnyGame>, Problem> + Send>;

impl Native {
    /// The engine for a game of the catalogue; `options` as [`catalog::Entry::settle`] takes them, `memory` in MiB.
    ///
    /// # Errors
    /// No such game, or no such option.
    pub fn new(key: &str, options: &catalog::Options, memory: usize) -> Result<Native, Problem> {
        let entry = catalog::find(key)?;
        let options = entry.settle(options, catalog::Setting::Faithful)?;
        Ok(Native::opening(Box::new(move |fen| entry.open(None, &options, fen)), memory))
    }

    /// The engine for that game, with a table of so many MiB.
    #[must_use]
    pub fn of(rules: &Ruleset, memory: usize) -> Native {
        let rules = rules.clone();
        Native::opening(Box::new(move |fen| rules.open(fen)), memory)
    }

    /// The engine for games that are opened so, as those on somebody's map.
    #[must_use]
    pub fn opening(open: Opener, memory: usize) -> Native {
        if let Ok(game) = open(None) {
            prepare(game.as_ref(), USUAL_ENDINGS);
        }
        Native { open, memory: TranspositionTable::mebibytes(memory) }
    }

    /// Forgets what it found out: another game begins.
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

/// Our engine's move in `game`, whose past it minds.
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

/// The same, but all moves of the turn that it plans; at least one.
///
/// # Errors
/// As [`think`].
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

/// Gets ready to play `game` as well as we can: tables that would otherwise be made in the middle of a game. For draughts
/// that is how endings with up to so many pieces end, 4 at most; other games need nothing.
pub fn prepare(game: &dyn AnyGame, endings: u32) {
    for family in &FAMILIES {
        (family.prepare)(game, endings);
    }
}
