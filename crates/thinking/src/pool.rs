//! A pool of external engines: they stay for a while after an answer, so that the same table finds them with the
//! state it left.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use catalog::{Entry, Ruleset};
use engine::{Engine, Info, Task};
use external::{Config, External, Fence};
use kernel::Problem;

/// The external engines, and the sandbox in which they run.
#[derive(Clone, Debug, Default)]
pub struct Foreign {
    /// The engines in the order of the configuration file.
    pub engines: Vec<Config>,
    /// The sandbox that restricts them to their folders.
    pub fence: Fence,
}

/// Returns true if the external engine plays that game; no external engine plays our maps.
#[must_use]
pub fn plays(config: &Config, entry: &Entry) -> bool {
    config.plays(entry.key) && !entry.needs_map()
}

/// The maximal number of idle engines that are kept running.
const STAY: usize = 4;
/// The maximal time that an idle engine is kept running.
const LONGEST: Duration = Duration::from_secs(300);
/// The size of an engine's transposition table, in MiB, unless the file says otherwise.
const MEMORY: usize = 32;

/// The game and the table that an engine is asked about.
#[derive(Clone, Copy)]
pub(crate) struct Whose<'a> {
    /// The key of the game in the catalogue.
    pub game: &'a str,
    /// Every option of the game with its value.
    pub options: &'a catalog::Options,
    /// The id of the table that asks.
    pub table: &'a str,
}

/// The pool of idle external engines, each with the table that used it last.
pub struct EnginePool {
    foreign: Foreign,
    idle: Mutex<Vec<Idle>>,
}

struct Idle {
    name: String,
    rules: (String, catalog::Options),
    table: String,
    since: Instant,
    engine: External,
}

impl EnginePool {
    /// Makes an empty pool; engines are started when they are first asked.
    #[must_use]
    pub fn new(foreign: Foreign) -> EnginePool {
        EnginePool { foreign, idle: Mutex::default() }
    }

    /// Returns the engines in the order of the configuration file.
    #[must_use]
    pub fn configs(&self) -> &[Config] {
        &self.foreign.engines
    }

    /// Returns the engine of that name.
    #[must_use]
    pub fn config(&self, name: &str) -> Option<&Config> {
        self.configs().iter().find(|config| config.name == name)
    }

    /// Asks the engine of that name about a game.
    pub(crate) fn ask(
        &self,
        name: &str,
        whose: &Whose<'_>,
        task: &Task,
        report: &mut dyn FnMut(&Info),
    ) -> Result<String, Problem> {
        let Whose { game, options, table } = *whose;
        let rules = (game.to_owned(), options.clone());
        let mut engine = match self.fetch(name, &rules, table) {
            Some(Idle { mut engine, table: last, .. }) => {
                if last != table {
                    engine.new_game();
                }
                engine
            }
            None => {
                let config =
                    self.config(name).ok_or_else(|| Problem::new("engine-not-started").with("name", name))?;
                let rules = Ruleset::new(game, options)?;
                External::new(config.clone(), rules, self.foreign.fence.clone(), MEMORY)?
            }
        };
        let answer = engine.think(task, report);
        if engine.process_id().is_some() {
            let (name, table) = (name.to_owned(), table.to_owned());
            self.bring(Idle { name, rules, table, since: Instant::now(), engine });
        }
        answer
    }

    /// Takes an idle engine from the pool: the one that this table used last, or else one that played the same game.
    fn fetch(&self, name: &str, rules: &(String, catalog::Options), table: &str) -> Option<Idle> {
        let mut idle = self.lock();
        let fits = |other: &Idle| other.name == name && other.rules == *rules;
        let own = idle.iter().position(|other| fits(other) && other.table == table);
        let found = own.or_else(|| idle.iter().position(fits))?;
        Some(idle.remove(found))
    }

    fn bring(&self, new: Idle) {
        let mut idle = self.lock();
        idle.push(new);
        let too_many = idle.len().saturating_sub(STAY);
        let gone: Vec<Idle> = idle.drain(..too_many).collect();
        drop(idle);
        // Ending a program may take a moment.
        drop(gone);
    }

    /// Ends the engines that were idle for five minutes.
    pub fn tidy(&self) {
        let gone: Vec<Idle> = self.lock().extract_if(.., |idle| idle.since.elapsed() >= LONGEST).collect();
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
