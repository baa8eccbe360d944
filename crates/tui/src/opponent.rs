//! The trait [`Opponent`], through which the screen plays against engines.
//!
//! A table knows no more of an engine than this; [`OwnEngines`] are those of the crate `engine`.

use std::time::Duration;

use engine::native::{self, USUAL_MEMORY};
use engine::{Info, Level, Limits, Stop, TranspositionTable, Worth};
use kernel::{AnyGame, Side};

/// What an engine reports while it searches.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    /// Search depth in plies.
    pub depth: u32,
    /// Evaluation for the first side: -1000 is lost, 0 is even, 1000 is won.
    pub first_permille: i32,
    /// The same as text: `+1.24`, or `#5` for a win in five.
    pub score: String,
    /// Machine texts of the expected moves (principal variation).
    pub line: Vec<String>,
}

/// One of our engines.
pub trait Opponent: Send {
    /// The machine text of its move; `None` when it has none. `tell` is called with each report.
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
    /// The highest level in that game, levels counting from 1; 0: no engine plays it.
    fn levels(&self, game: &dyn AnyGame) -> u8;
    /// An engine of that level; `None` where there is none.
    fn player(&self, level: u8) -> Option<Box<dyn Opponent>>;
    /// An engine for analysis, at full strength.
    fn analyst(&self) -> Option<Box<dyn Opponent>>;
}

/// How long an engine thinks about a move where nothing else limits it.
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

/// The engine's report for people.
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
