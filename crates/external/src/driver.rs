//! The interface that each protocol implements to drive a program.

use std::time::Instant;

use kernel::{AnyGame, Problem};

use super::process::Process;
use super::{Config, Protocol, dxp, gomocup, hub, uci};
use catalog::Ruleset;
use engine_core::{Bound, Task, Worth};

/// The client side of one protocol.
pub(super) trait Driver: Send {
    /// Performs the handshake and sets the options, until the program is ready.
    fn greet(
        &mut self,
        to: &mut Process,
        config: &Config,
        rules: &Ruleset,
        memory: usize,
        until: Instant,
    ) -> Result<(), Problem>;

    /// Announces a new game.
    fn new_game(&mut self, to: &mut Process, rules: &Ruleset, until: Instant) -> Result<(), Problem>;

    /// Asks for a move in `game`, which is the game after the moves of `task`.
    fn ask(
        &mut self,
        to: &mut Process,
        rules: &Ruleset,
        task: &Task,
        game: &dyn AnyGame,
    ) -> Result<(), Problem>;

    /// Parses a line of output that comes after a request for a move.
    fn hear(&mut self, line: &str, game: &dyn AnyGame) -> Option<Answer>;

    /// Returns the command that makes the program stop and send its move; empty if the protocol has none.
    fn stop(&self) -> &'static str;
}

/// The answers of a program to a request for a move.
pub(super) enum Answer {
    /// A report of its progress.
    Info(SearchInfo),
    /// Its move, in our notation.
    Move(String),
    /// The program has no move.
    None,
    /// The program resigns.
    Resigns,
}

/// A progress report of a program. Values that the program did not send are 0 or empty.
pub(super) struct SearchInfo {
    pub(super) depth: u32,
    pub(super) furthest: u32,
    pub(super) line: usize,
    pub(super) worth: Worth,
    pub(super) bound: Option<Bound>,
    pub(super) nodes: u64,
    pub(super) filled: u32,
    /// The moves of the line in our notation, legal or not.
    pub(super) moves: Vec<String>,
}

/// Creates the driver for a protocol.
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

/// Returns the problem for a program that does not play that game.
pub(super) fn no_such_game(config: &Config, rules: &Ruleset) -> Problem {
    let problem = Problem::new("engine-game").with("name", &config.name).with("game", &rules.key);
    problem.with("protocol", config.protocol.key())
}

/// Waits for a line for which `found` returns a value, and returns the value.
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
