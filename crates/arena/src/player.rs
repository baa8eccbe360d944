//! The players of a match: our engine at some level, a foreign one from a file, or a command line.

use std::time::Duration;

use catalog::Ruleset;
use engine::level::Strength;
use engine::native::{self, USUAL_ENDINGS};
use engine::{Engine, Evaluation, Info, Level, Method, Native, Task};
use external::External;
use external::{Config, Fence, Protocol};
use kernel::Problem;

use crate::random::Random;

/// An engine as a command line names it: `our`, `our:level=3`, `our:depth=2,nodes=500`, `our:endings=4`,
/// `our:evaluation=network`, `our:search=playouts`, `greedy`, `random`, `uci:fairy-stockfish`, or a name from the file of engines.
///
/// `random` plays any legal move. `greedy` takes the move after which its evaluation likes the board best, and looks no
/// further than captures: our search with a depth of one.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The text that names the player, as it was written.
    pub text: String,
    kind: PlayerKind,
}

/// The kinds of player: our engine, random moves, or an external engine.
#[derive(Clone, Debug)]
enum PlayerKind {
    Ours(Handicap),
    Random,
    Foreign(Box<Config>),
}

/// The limits on our engine.
#[derive(Clone, Copy, Default, Debug)]
struct Handicap {
    level: Option<Level>,
    scale: Option<f32>,
    depth: Option<u32>,
    nodes: Option<u64>,
    /// The number of pieces up to which it knows the endings (tablebases); not a handicap, but given in the same
    /// place.
    endings: Option<u32>,
    /// The evaluation to use, in games that have several; not a handicap either.
    evaluation: Evaluation,
    /// The search to use, in games that have several; not a handicap either.
    method: Method,
}

impl Handicap {
    /// Reads `level=3`, `scale=2.5`, `depth=2,nodes=500`, `endings=4`, `evaluation=terms` or `search=playouts`; `None` when
    /// it is none of them, or a level and a place on the scale.
    fn read(text: &str) -> Option<Handicap> {
        let mut handicap = Handicap::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            match part.split_once('=')? {
                ("level", number) => handicap.level = Some(Level::new(number.parse().ok()?)?),
                ("scale", number) => {
                    let within = |scale: &f32| (0.0..=Strength::MOST).contains(scale);
                    handicap.scale = Some(number.parse().ok().filter(within)?);
                }
                ("depth", number) => handicap.depth = Some(number.parse().ok().filter(|&depth| depth > 0)?),
                ("endings", number) => {
                    handicap.endings =
                        Some(number.parse().ok().filter(|pieces| (USUAL_ENDINGS..=4).contains(pieces))?);
                }
                ("evaluation", "terms") => handicap.evaluation = Evaluation::Terms,
                ("evaluation", "network") => handicap.evaluation = Evaluation::Network,
                ("search", "alpha-beta") => handicap.method = Method::AlphaBeta,
                ("search", "playouts") => handicap.method = Method::Playouts,
                ("nodes", number) => handicap.nodes = Some(number.parse().ok().filter(|&nodes| nodes > 0)?),
                _ => return None,
            }
        }
        // Both say how strong it is.
        (handicap.level.is_none() || handicap.scale.is_none()).then_some(handicap)
    }
}

impl Spec {
    /// Reads the name of an engine; `known` are the engines of the file.
    ///
    /// # Errors
    /// `engine-unknown` when nothing is called so, `engine-level` for a level that is not 1 to 10.
    pub fn read(text: &str, known: &[Config]) -> Result<Spec, Problem> {
        let spec = |kind| Ok(Spec { text: text.to_owned(), kind });
        if let Some(config) = known.iter().find(|config| config.name == text) {
            return spec(PlayerKind::Foreign(Box::new(config.clone())));
        }
        let (word, rest) = text.split_once(':').unwrap_or((text, ""));
        match (word, rest) {
            ("our", rest) => {
                let wrong = || Problem::new("engine-level").with("found", rest);
                return spec(PlayerKind::Ours(Handicap::read(rest).ok_or_else(wrong)?));
            }
            ("greedy", "") => {
                return spec(PlayerKind::Ours(Handicap { depth: Some(1), ..Handicap::default() }));
            }
            ("random", "") => return spec(PlayerKind::Random),
            _ => {}
        }
        match Protocol::keyed(word) {
            Some(protocol) if !rest.trim().is_empty() => {
                spec(PlayerKind::Foreign(Box::new(Config::of_command(protocol, rest))))
            }
            _ => Err(Problem::new("engine-unknown").with("name", text)),
        }
    }

    /// Starts the engine. `memory` in MiB is for its transposition table.
    ///
    /// # Errors
    /// `engine-game` when it does not play that game, and why it cannot be started.
    pub fn player(&self, rules: &Ruleset, fence: &Fence, memory: usize) -> Result<Player, Problem> {
        let seat = match &self.kind {
            PlayerKind::Ours(handicap) => {
                if let Some(pieces) = handicap.endings {
                    native::prepare(rules.open(None)?.as_ref(), pieces);
                }
                Seat::Ours {
                    engine: Box::new(Native::of(rules, memory)),
                    rules: rules.clone(),
                    memory,
                    handicap: *handicap,
                }
            }
            PlayerKind::Random => Seat::Other(Box::new(Chance(rules.clone()))),
            PlayerKind::Foreign(config) => {
                let mut engine =
                    External::new(config.as_ref().clone(), rules.clone(), fence.clone(), memory)?;
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
    Ours { engine: Box<Native>, rules: Ruleset, memory: usize, handicap: Handicap },
    Foreign(Box<External>),
    Other(Box<dyn Engine>),
}

impl Player {
    /// Wraps any engine under a name.
    #[must_use]
    pub fn of(name: &str, engine: Box<dyn Engine>) -> Player {
        Player { name: name.to_owned(), seat: Seat::Other(engine) }
    }

    /// Returns its name as given on the command line.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Starts another game: the state of the last one is dropped, the transposition table included. `seed` is the
    /// random seed of the engine.
    pub fn new_game(&mut self) {
        match &mut self.seat {
            Seat::Ours { engine, rules, memory, .. } => **engine = Native::of(rules, *memory),
            Seat::Foreign(engine) => engine.new_game(),
            Seat::Other(_) => {}
        }
    }

    /// Searches a position and returns the move to play.
    ///
    /// # Errors
    /// The errors of [`Engine::think`].
    pub fn think(&mut self, mut task: Task, report: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        match &mut self.seat {
            Seat::Ours { engine, handicap, .. } => {
                let limits = &mut task.limits;
                limits.level = handicap.level;
                limits.scale = handicap.scale;
                limits.evaluation = handicap.evaluation;
                limits.method = handicap.method;
                limits.depth = limits.depth.into_iter().chain(handicap.depth).min();
                limits.nodes = limits.nodes.into_iter().chain(handicap.nodes).min();
                engine.think(&task, report)
            }
            Seat::Foreign(engine) => engine.think(&task, report),
            Seat::Other(engine) => engine.think(&task, report),
        }
    }

    /// Returns the processor time that it has used so far, where the system tells it. For our engine it is the time
    /// of the calling thread.
    #[must_use]
    pub fn processor(&self) -> Option<Duration> {
        match &self.seat {
            Seat::Foreign(engine) => process_time(engine.process_id()?),
            _ => thread_time(),
        }
    }
}

/// An engine that plays any legal move, chosen by the seed and the number of the move.
struct Chance(Ruleset);

impl Engine for Chance {
    fn think(&mut self, task: &Task, _report: &mut dyn FnMut(&Info)) -> Result<String, Problem> {
        let game = self.0.play(task.fen.as_deref(), &task.moves)?;
        let mut moves = game.moves();
        if moves.is_empty() {
            return Err(Problem::new("engine-no-move"));
        }
        let seed = task.limits.seed ^ (task.moves.len() as u64).wrapping_mul(0xD134_2543_DE82_EF95);
        let chosen = Random::seeded(seed).below(moves.len());
        Ok(moves.swap_remove(chosen))
    }
}

/// Returns the processor time that this thread has used. Linux gives it in nanoseconds.
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Returns the processor time that a process has used; Linux gives it in hundredths of a second
/// (`man 5 proc_pid_stat`, fields 14 and 15; `USER_HZ` is 100).
fn process_time(id: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The second field is the program's name in brackets and may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |i: usize| fields.get(i)?.parse::<u64>().ok();
    Some(Duration::from_millis((ticks(11)? + ticks(12)?) * 10))
}
