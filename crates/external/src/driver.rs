//! What a protocol must do to drive a program.

use std::time::Instant;

use kernel::{AnyGame, Problem};

use super::process::Process;
use super::{Config, Protocol, dxp, gomocup, hub, uci};
use catalog::Ruleset;
use engine_core::{Bound, Task, Worth};

/// A program on the other side of one protocol.
pub(super) trait Driver: Send {
    /// The first words, up to a program that is set up and ready.
    fn greet(
        &mut self,
        to: &mut Process,
        config: &Config,
        rules: &Ruleset,
        memory: usize,
        until: Instant,
    ) -> Result<(), Problem>;

    /// Another game begins.
    fn new_game(&mut self, to: &mut Process, rules: &Ruleset, until: Instant) -> Result<(), Problem>;

    /// Asks for a move in `game`, which is where the task leads.
    fn ask(
        &mut self,
        to: &mut Process,
        rules: &Ruleset,
        task: &Task,
        game: &dyn AnyGame,
    ) -> Result<(), Problem>;

    /// Understands a line that comes then.
    fn hear(&mut self, line: &str, game: &dyn AnyGame) -> Option<Answer>;

    /// What makes it stop and tell its move; empty where there is no word for it.
    fn stop(&self) -> &'static str;
}

/// What a program says while it is asked for a move.
pub(super) enum Answer {
    /// How far it has come.
    Told(Told),
    /// Its move, in our words.
    Move(String),
    /// It has no move.
    None,
    /// It resigns.
    Resigns,
}

/// How far a program has come. What was not told is nothing.
pub(super) struct Told {
    pub(super) depth: u32,
    pub(super) furthest: u32,
    pub(super) line: usize,
    pub(super) worth: Worth,
    pub(super) bound: Option<Bound>,
    pub(super) nodes: u64,
    pub(super) filled: u32,
    /// In our words, legal or not.
    pub(super) moves: Vec<String>,
}

/// The driver for a protocol.
pub(super) fn of(protocol: Protocol) -> Box<dyn Driver> {
    match protocol {
        Protocol::Uci => Box::new(uci::Driver::new(uci::Dialect::Uci)),
        Protocol::Cyclone => Box::new(uci::Driver::new(uci::Dialect::Cyclone)),
        Protocol::Ucci => Box::new(uci::Driver::new(uci::Dialect::Ucci)),
        Protocol::Hub => Box::new(hub::Driver::new(hub::Version::Two)),
        Protocol::Hub1 => Box::new(hub::Driver::new(hub::Version::One)),
        Protocol::Gomocup => Box::new(gomocup::Driver::default()),
        Protocol::Dxp => Box::new(dxp::Driver::default()),
    }
}

/// The problem of a program that does not play that game.
pub(super) fn no_such_game(config: &Config, rules: &Ruleset) -> Problem {
    let problem = Problem::new("engine-game").with("name", &config.name).with("game", &rules.key);
    problem.with("protocol", config.protocol.key())
}

/// Waits for a line that `found` wants.
pub(super) fn wait<T>(
    from: &mut Process,
    until: Instant,
    mut found: impl FnMut(&str) -> Option<T>,
) -> Result<T, Problem> {
    loop {
        match from.hear(Some(until), &|| false)? {
            Some(line) => {
                if let Some(value) = found(&line) {
                    return Ok(value);
                }
            }
            None => return Err(from.problem("engine-hangs")),
        }
    }
}
