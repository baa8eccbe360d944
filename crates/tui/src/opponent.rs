//! The trait [`Opponent`], by which the screen plays against engines.
//!
//! A table knows no more of an engine than this trait; [`OwnEngines`] are the engines of the crate `engine`.

use std::time::Duration;

use engine::native::{self, USUAL_MEMORY};
use engine::{Info, Level, Limits, Stop, TranspositionTable, Worth};
use kernel::{AnyGame, Side};

/// A report of an engine during a search.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    /// The search depth, in plies.
    pub depth: u32,
    /// The evaluation for the first side: -1000 is lost, 0 is even, 1000 is won.
    pub first_permille: i32,
    /// The evaluation as text: `+1.24`, or `#5` for a win in five.
    pub score: String,
    /// The machine texts of the expected moves (principal variation).
    pub line: Vec<String>,
}

/// One of our engines.
pub trait Opponent: Send {
    /// Returns the machine text of the engine's move; `None` if it has none. `tell` is called with each report.
    fn think(
        &mut self,
        game: &dyn AnyGame,
        time: Option<Duration>,
        stop: Stop,
        tell: &mut dyn FnMut(Thought),
    ) -> Option<String>;
}

/// A source of engines.
pub trait Players: Send + Sync {
    /// Returns the highest level in that game, levels counting from 1; 0: no engine plays it.
    fn levels(&self, game: &dyn AnyGame) -> u8;
    /// Returns an engine of that level; `None` if there is none.
    fn player(&self, level: u8) -> Option<Box<dyn Opponent>>;
    /// Returns an engine for analysis, at full strength.
    fn analyst(&self) -> Option<Box<dyn Opponent>>;
}

/// The default time limit of an engine for a move.
const USUAL_TIME: Duration = Duration::from_secs(4);

/// The engines of this program, at every level.
pub struct OwnEngines;

impl Players for OwnEngines {
    fn levels(&self, game: &dyn AnyGame) -> u8 {
        let limits = Limits { depth: Some(1), nodes: Some(1), ..Limits::default() };
        let asked = native::think(game, &TranspositionTable::new(1 << 16), &limits, &mut |_| {});
        let plays = asked.err().is_none_or(|problem| problem.key != "no-engine");
        if plays { Level::MOST.number() } else { 0 }
    }

    fn player(&self, level: u8) -> Option<Box<dyn Opponent>> {
        let level = Level::new(level)?;
        // Only the strongest profits from a large table.
        let memory = TranspositionTable::mebibytes(if level == Level::MOST { USUAL_MEMORY } else { 1 });
        Some(Box::new(Player { level: Some(level), memory }))
    }

    fn analyst(&self) -> Option<Box<dyn Opponent>> {
        Some(Box::new(Player { level: None, memory: TranspositionTable::mebibytes(USUAL_MEMORY) }))
    }
}

/// Our engine at a level, or at full strength.
struct Player {
    level: Option<Level>,
    memory: TranspositionTable,
}

impl Opponent for Player {
    fn think(
        &mut self,
        game: &dyn AnyGame,
        time: Option<Duration>,
        stop: Stop,
        tell: &mut dyn FnMut(Thought),
    ) -> Option<String> {
        let usual = self.level.map(|_| USUAL_TIME);
        let limits = Limits {
            time: time.into_iter().chain(usual).min(),
            level: self.level,
            // Another game, another seed; the same position in the same game gives the same move.
            seed: game.plies() as u64,
            stop,
            ..Limits::default()
        };
        let turn = game.turn();
        native::think(game, &self.memory, &limits, &mut |info| tell(thought(info, turn))).ok()
    }
}

/// Converts an engine's report for display.
fn thought(info: &Info, turn: Side) -> Thought {
    let sign = if turn == Side::First { 1 } else { -1 };
    let (first_permille, score) = match info.worth {
        Worth::Hundredths(worth) => {
            let worth = sign * worth;
            // A score of three soldiers is shown as nearly won.
            let permille = (f64::from(worth) / 300.0).tanh() * 1000.0;
            (permille as i32, format!("{:+.2}", f64::from(worth) / 100.0))
        }
        Worth::Wins(plies) => {
            let first = sign * plies;
            (
                if first > 0 { 1000 } else { -1000 },
                format!("{}#{}", if first > 0 { "+" } else { "-" }, plies.abs()),
            )
        }
    };
    Thought { depth: info.depth, first_permille, score, line: info.moves.clone() }
}
