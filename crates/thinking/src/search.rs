//! What is asked about a game, and how it is worked out.

use std::time::{Duration, Instant};

use catalog::maps::Rules;
use engine::{Info, Limits, Stop, Task, native};
use kernel::{AnyGame, Problem};
use puzzles::Effort;
use puzzles::find::{Found, Played as Record};
use workshop::{Plan, Played};

use crate::memory::{self, Size};
use crate::pool::{EnginePool, Whose};

/// Time for a move there always is.
const SHORTEST: Duration = Duration::from_millis(20);
/// The problems after which an engine of others is asked a second time: it has been started again.
const ONCE_MORE: [&str; 5] =
    ["engine-hangs", "engine-died", "engine-flood", "engine-not-started", "engine-over-limit"];

/// A game as it is named, and as it stands.
pub struct Asked {
    /// The catalogue's key.
    pub key: String,
    /// Every option of the game with its value.
    pub options: catalog::Options,
    /// Id of the map, where it has one.
    pub map: Option<String>,
    /// The map's rules, loaded.
    pub rules: Option<Rules>,
    /// The FEN of the position in which it began; `None`: at its usual start.
    pub fen: Option<String>,
    /// The game with its past.
    pub game: Box<dyn AnyGame>,
}

/// A question about a game.
pub struct Search {
    /// The game.
    pub about: Asked,
    /// The question.
    pub ask: Ask,
}

/// The kind of a question.
#[derive(Clone, Debug)]
pub enum Ask {
    /// The best move in the position.
    Think {
        /// How long to think, and how well. `stop` is of no account: [`Search::perform`] is given another.
        limits: Limits,
        /// How large a table of positions is needed.
        size: Size,
        /// The engine of others that is asked; `None`: ours.
        engine: Option<String>,
        /// The same for all questions about one game.
        table: String,
    },
    /// Which puzzles are in the game.
    Puzzles {
        /// Positions searched for each candidate.
        nodes: u64,
        /// The most puzzles of one game.
        most: usize,
        /// The origin of the game, for the puzzles.
        source: String,
        /// The options and the map, as puzzles name them.
        named: (catalog::Options, Option<String>),
    },
    /// How a game of a balance report goes.
    Balance {
        /// The plan that decides the games of the report.
        plan: Plan,
        /// The level of both sides, and the number of the game within it.
        game: (u8, u32),
    },
}

/// The result of thinking about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The move that is played.
    pub best: String,
    /// The best lines, as they were told last; each has a move at least.
    pub lines: Vec<Info>,
    /// Tells whether time ended the search before positions did.
    pub cut: bool,
}

/// The answer to a question.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// The answer to [`Ask::Think`].
    Thought(Thought),
    /// The answer to [`Ask::Puzzles`].
    Puzzles(Vec<Found>),
    /// The answer to [`Ask::Balance`].
    Played(Box<Played>),
}

/// Sixteen hexadecimal digits that follow from the position and the number of plies, the same on every machine.
#[must_use]
pub fn digest(game: &dyn AnyGame) -> String {
    // Odd, so that no two keys of the same ply are mixed to one.
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    format!("{:016x}", game.key().wrapping_mul(MIX) ^ game.plies() as u64)
}

impl Search {
    /// Works it out, about a position in no more than `most`; `report` hears how far it has come then.
    ///
    /// # Errors
    /// What is wrong with the question, `engine-…` for an engine of others that fails, and `search-stopped`.
    pub fn perform(
        &self,
        pool: &EnginePool,
        most: Option<Duration>,
        stop: &Stop,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Answer, Problem> {
        match &self.ask {
            Ask::Think { limits, size, engine, table } => {
                let time = limits.time.into_iter().chain(most).min();
                let limits = Limits { time, stop: stop.clone(), ..limits.clone() };
                self.think(&limits, *size, engine.as_deref(), table, pool, report).map(Answer::Thought)
            }
            Ask::Puzzles { nodes, most, source, named } => {
                self.puzzles(*nodes, *most, source, named, stop).map(Answer::Puzzles)
            }
            Ask::Balance { plan, game } => {
                let rules = self.about.rules.as_ref().ok_or_else(|| Problem::new("no-such-map"))?;
                let played = workshop::selfplay::one_game(rules, plan, *game, stop)?;
                let played = played.ok_or_else(|| Problem::new("search-stopped"))?;
                Ok(Answer::Played(Box::new(played)))
            }
        }
    }

    fn think(
        &self,
        limits: &Limits,
        size: Size,
        engine: Option<&str>,
        table: &str,
        pool: &EnginePool,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Thought, Problem> {
        let begun = Instant::now();
        let mut lines: Vec<Info> = Vec::new();
        let mut hear = |info: &Info| {
            let at = info.line.saturating_sub(1);
            if !info.moves.is_empty() && at <= lines.len() {
                if at == lines.len() {
                    lines.push(info.clone());
                } else {
                    lines[at] = info.clone();
                }
            }
            report(info);
        };
        let game = self.about.game.as_ref();
        let best = match engine {
            None => memory::with(size, |memory| {
                // Making the table takes time, too, where many want the machine.
                let time = limits.time.map(|time| time.saturating_sub(begun.elapsed()).max(SHORTEST));
                native::think(game, memory, &Limits { time, ..limits.clone() }, &mut hear)
            }),
            Some(name) => {
                let task = Task { fen: self.about.fen.clone(), moves: game.record(), limits: limits.clone() };
                let whose = Whose { game: &self.about.key, options: &self.about.options, table };
                match pool.ask(name, &whose, &task, &mut hear) {
                    Err(problem) if ONCE_MORE.contains(&problem.key) && !limits.stop.is_raised() => {
                        tracing::warn!(%table, %problem, "a program is asked once more");
                        pool.ask(name, &whose, &task, &mut hear)
                    }
                    answer => answer,
                }
            }
        }?;
        // What reads the clock ends a little before the time is up.
        let most = limits.time.unwrap_or(Duration::MAX);
        let cut = limits.stop.is_raised() || begun.elapsed() >= most.mul_f64(0.9);
        Ok(Thought { best, lines, cut })
    }

    fn puzzles(
        &self,
        nodes: u64,
        most: usize,
        source: &str,
        named: &(catalog::Options, Option<String>),
        stop: &Stop,
    ) -> Result<Vec<Found>, Problem> {
        let Asked { key, fen, game, rules, .. } = &self.about;
        let (options, map) = named.clone();
        let record = Record {
            game: key.clone(),
            options,
            map,
            fen: fen.clone(),
            moves: game.record(),
            source: source.to_owned(),
        };
        let effort = Effort { nodes, most, stop: stop.clone() };
        let open = |puzzle: &puzzles::Puzzle, fen: Option<&str>| match rules {
            Some(rules) => rules.open(fen),
            None => puzzles::puzzle::open(puzzle, fen),
        };
        memory::with(Size::Large, |memory| puzzles::find(&record, &effort, &open, memory))
    }
}
