//! Who plays: our engine at some level, a foreign one from a file, or a command line.

use std::time::Duration;

use engine::external::{Config, Fence, Protocol};
use engine::{Engine, External, Info, Level, Native, Ruleset, Task};
use kernel::Problem;

/// An engine as a command line names it: `our`, `our:level=3`, `uci:fairy-stockfish`, or a name from the file of
/// engines.
#[derive(Clone, Debug)]
pub struct Spec {
    /// As it was written.
    pub text: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Ours { level: Option<Level> },
    Foreign(Config),
}

impl Spec {
    /// Reads it; `known` are the engines of the file.
    ///
    /// # Errors
    /// `engine-unknown` when nothing is called so, `engine-level` for a level that is not 1 to 10.
    pub fn read(text: &str, known: &[Config]) -> Result<Spec, Problem> {
        let spec = |kind| Ok(Spec { text: text.to_owned(), kind });
        if let Some(config) = known.iter().find(|config| config.name == text) {
            return spec(Kind::Foreign(config.clone()));
        }
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        if word == "our" {
            let wrong = || Problem::new("engine-level").with("found", rest);
            let level = match rest.strip_prefix("level=") {
                Some(level) => Some(level.parse().ok().and_then(Level::new).ok_or_else(wrong)?),
                None if rest.is_empty() => None,
                None => return Err(wrong()),
            };
            return spec(Kind::Ours { level });
        }
        match Protocol::keyed(word) {
            Some(protocol) if !rest.trim().is_empty() => {
                spec(Kind::Foreign(Config::of_command(protocol, rest)))
            }
            _ => Err(Problem::new("engine-unknown").with("name", text)),
        }
    }

    /// Gets the engine ready to play. `memory` in MiB is for its table.
    ///
    /// # Errors
    /// `engine-game` when it does not play that game, and why it cannot be started.
    pub fn player(&self, rules: &Ruleset, fence: &Fence, memory: usize) -> Result<Player, Problem> {
        let seat = match &self.kind {
            Kind::Ours { level } => Seat::Ours {
                engine: Box::new(rules.native(memory)),
                rules: rules.clone(),
                memory,
                level: *level,
            },
            Kind::Foreign(config) => {
                let mut engine = External::new(config.clone(), rules.clone(), fence.clone(), memory)?;
                engine.start()?;
                Seat::Foreign(Box::new(engine))
            }
        };
        Ok(Player { name: self.text.clone(), seat })
    }
}

/// An engine that is ready to play.
pub struct Player {
    name: String,
    seat: Seat,
}

enum Seat {
    Ours { engine: Box<Native>, rules: Ruleset, memory: usize, level: Option<Level> },
    Foreign(Box<External>),
    Other(Box<dyn Engine>),
}

impl Player {
    /// Any engine under a name.
    #[must_use]
    pub fn of(name: &str, engine: Box<dyn Engine>) -> Player {
        Player { name: name.to_owned(), seat: Seat::Other(engine) }
    }

    /// What it was called on the command line.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Another game begins: nothing of the last one is kept, no table either. `seed` decides what chance decides.
    pub fn new_game(&mut self) {
        match &mut self.seat {
            Seat::Ours { engine, rules, memory, .. } => **engine = rules.native(*memory),
            Seat::Foreign(engine) => engine.new_game(),
            Seat::Other(_) => {}
        }
    }

    /// Its move.
    ///
    /// # Errors
    /// As [`Engine::think`].
    pub fn think(&mut self, mut task: Task, report: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        match &mut self.seat {
            Seat::Ours { engine, level, .. } => {
                task.limits.level = *level;
                engine.think(&task, report)
            }
            Seat::Foreign(engine) => engine.think(&task, report),
            Seat::Other(engine) => engine.think(&task, report),
        }
    }

    /// The processor's time it has used so far, where the system tells. For an engine of ours that is the time of the
    /// thread that asks.
    #[must_use]
    pub fn processor(&self) -> Option<Duration> {
        match &self.seat {
            Seat::Foreign(engine) => process_time(engine.process_id()?),
            _ => thread_time(),
        }
    }
}

/// What this thread has used. Linux tells it in nanoseconds.
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// What a process has used, in hundredths of a second (`man 5 proc_pid_stat`, fields 14 and 15; `USER_HZ` is 100).
fn process_time(id: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The second field is the program's name in brackets and may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i)?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
}
