//! Foreign programs: those that just answered stay for a while, so that their table finds them as it left them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use catalog::{Entry, Ruleset};
use engine::{Engine, Info, Task};
use external::{Config, External, Fence};
use kernel::Problem;

/// Which programs of other people there are, and what starts them.
#[derive(Clone, Debug, Default)]
pub struct Foreign {
    /// As the file names them.
    pub engines: Vec<Config>,
    /// The fence that keeps them in their folders.
    pub fence: Fence,
}

/// Tells whether an engine of others plays that game; it knows no maps of ours.
#[must_use]
pub fn plays(config: &Config, entry: &Entry) -> bool {
    config.plays(entry.key) && !entry.needs_map()
}

/// Programs that stay although nobody asks them.
const STAY: usize = 4;
/// For so long at most.
const LONGEST: Duration = Duration::from_secs(300);
/// The size of a program's table, in MiB, where the file does not say otherwise.
const MEMORY: usize = 32;

/// Whose game a program is asked about.
#[derive(Clone, Copy)]
pub(crate) struct Whose<'a> {
    /// The catalogue's key.
    pub game: &'a str,
    /// Every option of the game with its value.
    pub options: &'a catalog::Options,
    /// The id of the table that asks.
    pub table: &'a str,
}

/// The programs that are running between two questions, each with the table that asked it last.
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
    /// None of them runs yet.
    #[must_use]
    pub fn new(foreign: Foreign) -> EnginePool {
        EnginePool { foreign, idle: Mutex::default() }
    }

    /// As the file names them.
    #[must_use]
    pub fn configs(&self) -> &[Config] {
        &self.foreign.engines
    }

    /// The one of that name.
    #[must_use]
    pub fn config(&self, name: &str) -> Option<&Config> {
        self.configs().iter().find(|config| config.name == name)
    }

    /// Asks the program of that name about a game.
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

    /// The one that served this table last, or another one for the same game.
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

    /// Ends those that nobody has asked for a while.
    pub fn tidy(&self) {
        let gone: Vec<Idle> = self.lock().extract_if(.., |idle| idle.since.elapsed() >= LONGEST).collect();
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Idle>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
