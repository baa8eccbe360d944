//! The trait [`Opponent`], through which the screen plays against engines.
//!
//! A table knows no more of an engine than this; [`OwnEngines`] are those of the crate `engine`.

use std::time::Duration;

use engine::native::{self, USUAL_MEMORY};
use engine::{Info, Level, Limits, Memory, Stop, Worth};
use kernel::{AnyGame, Side};

/// What a player thinks while it thinks.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    /// How many plies it looked ahead.
    pub depth: u32,
    /// How the first side stands: -1000 is lost, 0 is even, 1000 is won.
    pub first_permille: i32,
    /// The same in figures: `+1.24`, or `#5` for a win in five.
    pub score: String,
    /// Machine texts of the moves it expects.
    pub line: Vec<String>,
}

/// A player of this program.
pub trait Opponent: Send {
    /// The machine text of its move; `None` when there is none. What it thinks meanwhile is told to `tell`.
    fn think(
        &mut self,
        game: &dyn AnyGame,
        time: Option<Duration>,
        stop: Stop,
        tell: &mut dyn FnMut(Thought),
    ) -> Option<String>;
}

/// Where players come from.
pub trait Players: Send + Sync {
    /// How many levels there are in that game, from 1; 0: nobody here plays it.
    fn levels(&self, game: &dyn AnyGame) -> u8;
    /// A player of that level; `None` where there is none.
    fn player(&self, level: u8) -> Option<Box<dyn Opponent>>;
    /// Who looks at positions as long as one lets it.
    fn analyst(&self) -> Option<Box<dyn Opponent>>;
}

/// How long a player thinks about a move where nothing else limits it.
const USUAL_TIME: Duration = Duration::from_secs(4);

/// The engines of this program, at every level.
pub struct OwnEngines;

impl Players for OwnEngines {
    fn levels(&self, game: &dyn AnyGame) -> u8 {
        let limits = Limits { depth: Some(1), nodes: Some(1), ..Limits::default() };
        let asked = native::think(game, &Memory::new(1 << 16), &limits, &mut |_| {});
        let plays = asked.err().is_none_or(|problem| problem.key != "no-engine");
        if plays { Level::MOST.number() } else { 0 }
    }

    fn player(&self, level: u8) -> Option<Box<dyn Opponent>> {
        let level = Level::new(level)?;
        // Only the strongest profits from a large table.
        let memory = Memory::mebibytes(if level == Level::MOST { USUAL_MEMORY } else { 1 });
        Some(Box::new(Player { level: Some(level), memory }))
    }

    fn analyst(&self) -> Option<Box<dyn Opponent>> {
        Some(Box::new(Player { level: None, memory: Memory::mebibytes(USUAL_MEMORY) }))
    }
}

/// Our engine at a level, or as well as it can.
struct Player {
    level: Option<Level>,
    memory: Memory,
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
            // Another game, another seed; the same position in it, the same move.
            seed: game.plies() as u64,
            stop,
            ..Limits::default()
        };
        let turn = game.turn();
        native::think(game, &self.memory, &limits, &mut |info| tell(thought(info, turn))).ok()
    }
}

/// What the engine tells, for people.
fn thought(info: &Info, turn: Side) -> Thought {
    let sign = if turn == Side::First { 1 } else { -1 };
    let (first_permille, score) = match info.worth {
        Worth::Hundredths(worth) => {
            let worth = sign * worth;
            // Three soldiers ahead is as good as won to the eye.
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
