//! Questions about a game, and the searches that answer them.

use std::time::{Duration, Instant};

use catalog::maps::Rules;
use engine::{Info, Limits, Stop, Task, native};
use kernel::{AnyGame, Problem};
use puzzles::Effort;
use puzzles::find::{Found, Played as Record};
use workshop::{Plan, Played};

use crate::memory::{self, Size};
use crate::pool::{EnginePool, Whose};

/// The minimal thinking time for a move.
const SHORTEST: Duration = Duration::from_millis(20);
/// The problems after which an external engine is asked a second time: by then it has been restarted.
const ONCE_MORE: [&str; 5] =
    ["engine-hangs", "engine-died", "engine-flood", "engine-not-started", "engine-over-limit"];

/// A game: its rules and its current state.
pub struct GameSnapshot {
    /// The key of the game in the catalogue.
    pub key: String,
    /// Every option of the game with its value.
    pub options: catalog::Options,
    /// The id of the map, if it has one.
    pub map: Option<String>,
    /// The map's rules, loaded.
    pub rules: Option<Rules>,
    /// The FEN of the start position; `None`: the usual one.
    pub fen: Option<String>,
    /// The game with its history.
    pub game: Box<dyn AnyGame>,
}

/// A question about a game.
pub struct Search {
    /// The game that the question is about.
    pub about: GameSnapshot,
    /// The question with its limits.
    pub ask: Ask,
}

/// The kinds of question.
#[derive(Clone, Debug)]
pub enum Ask {
    /// The best move in the position.
    Think {
        /// The limits and the strength of the search. Their `stop` is ignored: [`Search::perform`] takes one of its
        /// own.
        limits: Limits,
        /// The size of the transposition table.
        size: Size,
        /// The external engine to ask; `None`: the built-in one.
        engine: Option<String>,
        /// A key that is the same for all questions about one game.
        table: String,
    },
    /// The puzzles in the game.
    Puzzles {
        /// The number of positions searched for each candidate.
        nodes: u64,
        /// The maximal number of puzzles of one game.
        most: usize,
        /// The origin of the game, for the puzzles.
        source: String,
        /// The options and the map, as they are written in puzzles.
        named: (catalog::Options, Option<String>),
    },
    /// A game of a balance report, played by the engine against itself.
    Balance {
        /// The plan of the report, which determines its games.
        plan: Plan,
        /// The level of both sides, and the number of the game within it.
        game: (u8, u32),
    },
}

/// The result of searching a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The move to play.
    pub best: String,
    /// The best lines, as last reported; each has at least one move.
    pub lines: Vec<Info>,
    /// True if the search was ended by time and not by the number of positions.
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

/// Returns a digest of the position and the number of plies, in sixteen hexadecimal digits, the same on every
/// machine.
#[must_use]
pub fn digest(game: &dyn AnyGame) -> String {
    // Odd, so that no two keys of the same ply are mixed to one.
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    format!("{:016x}", game.key().wrapping_mul(MIX) ^ game.plies() as u64)
}

impl Search {
    /// Runs the search; on a position it takes no longer than `most` and passes intermediate results to `report`.
    ///
    /// # Errors
    /// The fault in the question, `engine-…` for an external engine that fails, and `search-stopped`.
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
        let GameSnapshot { key, fen, game, rules, .. } = &self.about;
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
