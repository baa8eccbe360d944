//! Foreign engines: programs that speak a protocol, started from a file, watched, and kept in their folder.
//!
//! No fault of such a program harms its caller. The start and each answer have a time limit; a program that hangs,
//! dies or floods its output is ended and started again for the next request; an illegal move is an error, not a
//! move. [`confine`] keeps it in its folder, and ends it with its parent.
//!
//! Reading order: [`config`] (the configuration file), `process` (a running program), `driver` (the interface of a
//! protocol) and one module for each protocol, [`confine`].

use std::time::{Duration, Instant};

use kernel::{AnyGame, Problem};

pub mod config;
pub mod confine;
pub mod dialect;
mod driver;
mod dxp;
mod gomocup;
mod hub;
mod process;
mod scratch;
mod uci;
mod watch;

pub use config::{Config, Protocol};
pub use hub::variant;
pub use process::Fence;

use catalog::Ruleset;
use driver::{Answer, Driver, SearchInfo};
use engine_core::Bound;
use engine_core::{Engine, Info, Limits, Task};
use process::Process;

/// The time limit of a search that has no limit on its time: after that the program counts as hung.
const MOST_THOUGHT: Duration = Duration::from_secs(600);
/// The problems after which the program is started again.
const FATAL: [&str; 5] =
    ["engine-hangs", "engine-died", "engine-flood", "engine-not-started", "engine-over-limit"];

/// A foreign engine for one game. The program runs from the first request, or [`start`](External::start), on.
pub struct External {
    config: Config,
    rules: Ruleset,
    fence: Fence,
    memory: usize,
    driver: Box<dyn Driver>,
    process: Option<Process>,
    is_new: bool,
}

impl External {
    /// Creates an engine without starting it. `memory` is the size of its hash table in MiB, unless the file sets
    /// another.
    ///
    /// # Errors
    /// `engine-game` when its configuration or its protocol does not include that game.
    pub fn new(config: Config, rules: Ruleset, fence: Fence, memory: usize) -> Result<External, Problem> {
        if !config.plays(&rules.key) {
            return Err(driver::no_such_game(&config, &rules));
        }
        let driver = driver::of(config.protocol);
        Ok(External { config, rules, fence, memory, driver, process: None, is_new: true })
    }

    /// Returns the name shown to people.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.config.name
    }

    /// Returns the id of its process while it runs.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// Starts the program unless it runs.
    ///
    /// # Errors
    /// `engine-not-started`, `engine-died`, `engine-hangs`, `engine-flood`, `engine-over-limit`, each with its `name`.
    pub fn start(&mut self) -> Result<(), Problem> {
        // A process ended at a limit between two requests is replaced: the next request is not at fault.
        if self.process.as_ref().is_some_and(|process| !process.is_over_its_limit()) {
            return Ok(());
        }
        self.process = None;
        let mut process = Process::start(&self.config, &self.fence, self.memory)?;
        let until = Instant::now() + self.config.start();
        for line in &self.config.says {
            process.say(line)?;
        }
        self.driver = driver::of(self.config.protocol);
        self.driver.greet(&mut process, &self.config, &self.rules, self.memory, until)?;
        process.rest();
        self.process = Some(process);
        self.is_new = true;
        Ok(())
    }

    /// Marks the next request as the first of a new game: the engine is told to forget the last one.
    pub fn new_game(&mut self) {
        self.is_new = true;
    }

    fn ask(
        &mut self,
        task: &Task,
        game: &dyn AnyGame,
        report: &mut dyn FnMut(&Info),
    ) -> Result<String, Problem> {
        self.start()?;
        let process = self.process.as_mut().expect("it was started");
        process.begin(self.config.threads().max(u32::try_from(task.limits.threads).unwrap_or(u32::MAX)));
        if std::mem::take(&mut self.is_new) {
            let until = Instant::now() + self.config.start();
            self.driver.new_game(process, &self.rules, until)?;
        }
        self.driver.ask(process, &self.rules, task, game)?;
        let began = Instant::now();
        let (patience, limit) = (self.config.patience(), limit(&task.limits));
        let mut until = limit.map(|limit| began + limit + patience);
        let mut was_stopped = false;
        loop {
            let glance = || !was_stopped && task.limits.stop.is_raised();
            match process.hear(until, &glance)? {
                Some(line) => match self.driver.hear(&line, game) {
                    Some(Answer::Info(told)) => report(&info(told, game, began)),
                    Some(Answer::Move(text)) => return Ok(text),
                    Some(Answer::None) => return Err(process.problem("engine-no-move")),
                    Some(Answer::Resigns) => return Err(process.problem("engine-resigns")),
                    None => {}
                },
                None if was_stopped => return Err(process.problem("engine-hangs")),
                None => {
                    was_stopped = true;
                    until = Some(Instant::now() + patience);
                    if !self.driver.stop().is_empty() {
                        process.say(self.driver.stop())?;
                    }
                }
            }
        }
    }
}

impl Engine for External {
    fn think(&mut self, task: &Task, report: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        let game = self.rules.play(task.fen.as_deref(), &task.moves)?;
        if let Some(outcome) = game.outcome() {
            return Err(Problem::new("game-over").with("reason", outcome.reason()));
        }
        let answer = self.ask(task, game.as_ref(), report);
        if answer.as_ref().is_err_and(|problem| FATAL.contains(&problem.key)) {
            self.process = None;
        }
        if let Some(process) = &self.process {
            process.rest();
        }
        let text = answer?;
        game.read(&text)
            .map_err(|_| Problem::new("engine-illegal").with("name", &self.config.name).with("move", &text))
    }
}

/// Returns the longest time that a search within these limits should take; `None`: until it is stopped.
fn limit(limits: &Limits) -> Option<Duration> {
    let clock = limits.clock.map(|clock| clock.left);
    let counted = limits.depth.is_some() || limits.nodes.is_some();
    limits.time.or(clock).or_else(|| counted.then_some(MOST_THOUGHT))
}

/// Converts a program's report to that of our engines. Of its expected moves, only legal ones are passed on.
fn info(told: SearchInfo, game: &dyn AnyGame, began: Instant) -> Info {
    let mut game = game.boxed_clone();
    let mut legal = |text: &String| {
        game.play(text).ok()?;
        game.last_move()
    };
    Info {
        depth: told.depth,
        furthest: told.furthest.max(told.depth),
        line: told.line.max(1),
        worth: told.worth,
        bound: told.bound.unwrap_or(Bound::Exact),
        nodes: told.nodes,
        time: began.elapsed(),
        filled: told.filled,
        moves: told.moves.iter().map_while(&mut legal).collect(),
    }
}
