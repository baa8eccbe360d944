//! The setup of a served engine: its game, its memory, and the functions that make it and its messages.

use catalog::Ruleset;
use engine::Native;
use engine_core::Engine;
use kernel::Problem;

/// A function that returns the message of a problem.
pub type Say = Box<dyn Fn(&Problem) -> String + Send>;

/// A function that makes an engine for a game, with a transposition table of that size in MiB.
pub type Maker = Box<dyn FnMut(&Ruleset, usize) -> Box<dyn Engine> + Send>;

/// The engine to serve.
pub struct Setup {
    /// The first game; some protocols can change it.
    pub rules: Ruleset,
    /// The size of the transposition table, in MiB.
    pub memory: usize,
    /// Makes the engine, and again for another game.
    pub make: Maker,
    /// Makes the messages about lines that were not understood.
    pub say: Say,
}

impl Setup {
    /// Sets up an engine whose messages are the keys of problems.
    #[must_use]
    pub fn of(rules: Ruleset, memory: usize, make: Maker) -> Setup {
        Setup { rules, memory, make, say: Box::new(ToString::to_string) }
    }

    /// Sets up our own engine for that game.
    #[must_use]
    pub fn native(rules: Ruleset, memory: usize) -> Setup {
        Setup::of(rules, memory, Box::new(|rules, memory| Box::new(Native::of(rules, memory))))
    }
}
