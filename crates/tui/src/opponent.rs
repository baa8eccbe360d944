//! The narrow door through which players of this program come in: text goes in, text comes out.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// A position with its past, as text.
#[derive(Clone, Debug)]
pub struct Question {
    /// Catalogue key.
    pub game: String,
    /// Every option of the game with its value.
    pub options: BTreeMap<String, i64>,
    /// The start position.
    pub start: String,
    /// Machine texts of the moves from there.
    pub moves: Vec<String>,
    /// How long to think at most, in milliseconds; `None`: as long as the level thinks, or until stopped.
    pub time_ms: Option<u64>,
}

/// What a player thinks while it thinks.
#[derive(Clone, Debug, Default)]
pub struct Thought {
    /// How many plies it looked ahead.
    pub depth: u32,
    /// How the first side stands: -1000 is lost, 0 is even, 1000 is won.
    pub first_permille: i32,
    /// The same in the player's own words, such as `+1.24`.
    pub score: String,
    /// Machine texts of the moves it expects.
    pub line: Vec<String>,
}

/// A player of this program.
pub trait Opponent: Send {
    /// The machine text of its move; `None` when it was stopped before it had one, or there is none. What it thinks
    /// meanwhile is told to `tell`.
    fn think(
        &mut self,
        question: &Question,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(Thought),
    ) -> Option<String>;
}

/// Where players come from.
pub trait Players: Send + Sync {
    /// How many levels there are in that game, from 1; 0: nobody here plays it.
    fn levels(&self, game: &str) -> u8;
    /// A player of that level; `None` where there is none.
    fn player(&self, game: &str, level: u8) -> Option<Box<dyn Opponent>>;
    /// Who looks at positions as long as one lets it.
    fn analyst(&self, game: &str) -> Option<Box<dyn Opponent>> {
        self.player(game, self.levels(game))
    }
}

/// Nobody.
pub struct Nobody;

impl Players for Nobody {
    fn levels(&self, _game: &str) -> u8 {
        0
    }

    fn player(&self, _game: &str, _level: u8) -> Option<Box<dyn Opponent>> {
        None
    }
}
