//! Conversion of questions and answers to and from the messages of workers, and validation of the answers.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalog::maps::{Loader, OLD_NAMES, Package, Rules, Source};
use engine::{Bound, Evaluation, Info, Level, Limits, Worth, learned};
use kernel::{AnyGame, PlayError, Problem, Side};
use puzzles::Puzzle;
use puzzles::find::Found;
use serde::{Deserialize, Serialize};
use wire::{ExtensionFile, SearchLine, UploadMap, Work, WorkAnswer, WorkAsk, WorkGame, WorkLimits};
use workshop::Played;
use workshop::selfplay::End;

use crate::memory::Size;
use crate::search::{Answer, Ask, GameSnapshot, Search, Thought, digest};

/// The maximal length of an answer, in bytes: a game of a balance report, or three puzzles.
pub const MOST_ANSWER_BYTES: usize = 256 << 10;
/// The maximal length of a map with its extensions, in bytes, as it is sent.
pub const MOST_MAP_BYTES: usize = 16 << 20;
/// The maximal time for finding puzzles in one game, in seconds.
pub const PUZZLE_SECONDS: u64 = 180;
/// The longest line of weights for a map that is read, in bytes: 20 000 weights of at most eight characters, and the print of
/// the map.
pub const MOST_WEIGHTS_BYTES: usize = 192 << 10;
/// The maximal number of lines that are sent, and of moves in a line.
const MOST_LINES: usize = 8;
const MOST_MOVES: usize = 64;
/// The maximal time of a question, in milliseconds; longer times are reduced to it.
const LONGEST_MS: u32 = 60_000;

/// The reason for which an answer is rejected: a word for the log and the list of keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Disbelief(pub &'static str);

/// A puzzle in a worker's answer.
#[derive(Serialize, Deserialize)]
struct PuzzleTold {
    puzzle: Puzzle,
    first: bool,
    missed: bool,
}

/// Returns the maximal time for a game of a balance report by its plan, in seconds.
#[must_use]
pub fn play_seconds(plan: &workshop::Plan) -> u64 {
    (u64::from(plan.longest).saturating_mul(plan.ply_ms) / 1000).clamp(5, 600)
}

impl Search {
    /// Returns true if the search may be sent to a worker, because it needs no secrets of the server. In games with
    /// chance, the secret random numbers decide, so they are searched on the server itself. A game of a report has
    /// random numbers of its own.
    #[must_use]
    pub fn may_leave(&self) -> bool {
        matches!(self.ask, Ask::Balance { .. }) || !self.about.game.has_chance()
    }

    /// Returns true if the same question has the same answer on every machine, unless time ended the search there:
    /// the search is limited by positions, and there are no weights local to a host for the game.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        match &self.ask {
            Ask::Think { limits, engine, .. } => {
                let counts = limits.nodes.is_some() || limits.level.is_some_and(|level| level != Level::MOST);
                counts && engine.is_none() && self.about.map.is_none()
            }
            Ask::Puzzles { .. } => self.about.map.is_none(),
            Ask::Balance { .. } => false,
        }
    }

    /// Returns the external engine that is asked, if any.
    #[must_use]
    pub fn engine(&self) -> Option<&str> {
        match &self.ask {
            Ask::Think { engine, .. } => engine.as_deref(),
            Ask::Puzzles { .. } | Ask::Balance { .. } => None,
        }
    }

    /// Returns true if the game is played with extensions.
    #[must_use]
    pub fn needs_extensions(&self) -> bool {
        self.about.rules.as_ref().is_some_and(|rules| !rules.extensions().is_empty())
            || self.about.game.waits()
    }

    /// Returns the maximal time that the search may take on an otherwise idle machine.
    #[must_use]
    pub fn longest(&self) -> Duration {
        match &self.ask {
            Ask::Think { limits, .. } => limits.time.unwrap_or(Duration::from_secs(10)),
            Ask::Puzzles { .. } => Duration::from_secs(PUZZLE_SECONDS),
            Ask::Balance { plan, .. } => Duration::from_secs(play_seconds(plan)),
        }
    }

    /// Returns the message to a worker with this question, which limits the search of a position to `most`.
    #[must_use]
    pub fn tell(&self, id: String, most: Duration, deadline: Duration) -> Work {
        let GameSnapshot { key, options, map, fen, game, .. } = &self.about;
        let ask = match &self.ask {
            Ask::Think { limits, size, engine, table } => WorkAsk::Think(WorkLimits {
                time_ms: limits.time.map_or(LONGEST_MS, milliseconds).min(milliseconds(most)).min(LONGEST_MS),
                nodes: limits.nodes,
                lines: limits.lines,
                level: limits.level.map(Level::number),
                seed: limits.seed,
                terms: limits.evaluation == Evaluation::Terms,
                large: *size == Size::Large,
                engine: engine.clone(),
                match_id: table.clone(),
            }),
            Ask::Puzzles { nodes, most, .. } => WorkAsk::Puzzles { nodes: *nodes, most: *most },
            Ask::Balance { plan, game: (level, number) } => WorkAsk::Balance {
                plan: serde_json::to_value(plan).unwrap_or_default(),
                level: *level,
                number: *number,
            },
        };
        let game = WorkGame {
            key: key.clone(),
            options: options.clone(),
            map: map.clone(),
            weights: map.as_ref().and_then(|_| learned::brought(game.as_ref())),
            fen: fen.clone(),
            moves: game.record(),
            digest: digest(game.as_ref()),
        };
        Work { id, deadline_ms: milliseconds(deadline), game, ask }
    }

    /// Reads the question from the message to a worker, with the rules of its map if it has one.
    ///
    /// # Errors
    /// The fault in the game; `work-digest` if its moves lead to another position here, as in a program of another
    /// version.
    pub fn told(work: &Work, rules: Option<Rules>) -> Result<Search, Problem> {
        let WorkGame { key, options, map, fen, moves, digest: told, weights: _ } = &work.game;
        let mut game = catalog::find(key)?.open(rules.as_ref(), options, fen.as_deref())?;
        for text in moves {
            game.play(text).map_err(PlayError::problem)?;
        }
        if digest(game.as_ref()) != *told {
            return Err(Problem::new("work-digest"));
        }
        let ask = match &work.ask {
            WorkAsk::Think(limits) => Ask::Think {
                limits: Limits {
                    time: Some(Duration::from_millis(limits.time_ms.min(LONGEST_MS).into())),
                    nodes: limits.nodes,
                    lines: limits.lines.min(MOST_LINES),
                    level: limits.level.and_then(Level::new),
                    seed: limits.seed,
                    evaluation: if limits.terms { Evaluation::Terms } else { Evaluation::Usual },
                    ..Limits::default()
                },
                size: if limits.large { Size::Large } else { Size::Small },
                engine: limits.engine.clone(),
                table: limits.match_id.clone(),
            },
            WorkAsk::Puzzles { nodes, most } => Ask::Puzzles {
                nodes: *nodes,
                most: *most,
                source: String::new(),
                // The hall names the game in its own way.
                named: (options.clone(), map.clone()),
            },
            WorkAsk::Balance { plan, level, number } => {
                let plan = serde_json::from_value(plan.clone()).map_err(|_| Problem::new("report-plan"))?;
                Ask::Balance { plan, game: (*level, *number) }
            }
        };
        let about = GameSnapshot {
            key: key.clone(),
            options: options.clone(),
            map: map.clone(),
            rules,
            fen: fen.clone(),
            game,
        };
        Ok(Search { about, ask })
    }

    /// Returns the message with the worker's answer.
    #[must_use]
    pub fn answer(&self, answer: Result<Answer, Problem>) -> WorkAnswer {
        let mut told = WorkAnswer { digest: digest(self.about.game.as_ref()), ..WorkAnswer::default() };
        match answer {
            Ok(Answer::Thought(Thought { best, lines, cut })) => {
                told.best = Some(best);
                told.lines = lines.iter().take(MOST_LINES).map(line).collect();
                told.cut = cut;
            }
            Ok(Answer::Puzzles(found)) => {
                let found = found.into_iter().map(|Found { puzzle, side, missed }| PuzzleTold {
                    puzzle,
                    first: side == Side::First,
                    missed,
                });
                told.puzzles = serde_json::to_value(found.collect::<Vec<_>>()).ok();
            }
            Ok(Answer::Played(played)) => told.played = serde_json::to_value(played).ok(),
            Err(problem) => told.failed = Some(problem.into()),
        }
        told
    }

    /// Returns the message with the lines found so far.
    #[must_use]
    pub fn so_far(&self, lines: &[Info]) -> WorkAnswer {
        let lines = lines.iter().take(MOST_LINES).map(line).collect();
        WorkAnswer { digest: digest(self.about.game.as_ref()), lines, ..WorkAnswer::default() }
    }

    /// Validates an intermediate result and returns its lines: those of this position whose moves are legal.
    ///
    /// # Errors
    /// The first thing in them that is impossible.
    pub fn believe_lines(&self, told: &WorkAnswer) -> Result<Vec<Info>, Disbelief> {
        if told.digest != digest(self.about.game.as_ref()) {
            return Err(Disbelief("position"));
        }
        if told.lines.len() > MOST_LINES {
            return Err(Disbelief("lines"));
        }
        told.lines.iter().enumerate().map(|(at, line)| self.believe_line(at, line)).collect()
    }

    fn believe_line(&self, at: usize, line: &SearchLine) -> Result<Info, Disbelief> {
        let mut game = self.about.game.boxed_clone();
        if line.moves.is_empty() || line.moves.len() > MOST_MOVES {
            return Err(Disbelief("lines"));
        }
        for (nth, text) in line.moves.iter().enumerate() {
            // Where extensions have a say, playing a line takes long; the first move is enough.
            if nth > 0 && game.waits() {
                break;
            }
            if !is_machine_text(game.as_ref(), text) || game.play(text).is_err() {
                return Err(Disbelief("illegal"));
            }
        }
        let worth = match line.worth {
            wire::Worth::Hundredths(n) => Worth::Hundredths(n.clamp(-40_000, 40_000)),
            wire::Worth::Wins(n) => Worth::Wins(n),
        };
        Ok(Info {
            depth: line.depth,
            furthest: line.depth,
            line: at + 1,
            worth,
            bound: Bound::Exact,
            nodes: line.nodes,
            time: Duration::from_millis(line.ms.into()),
            filled: 0,
            moves: line.moves.clone(),
        })
    }

    /// Validates an answer: it must be about this very position and obey the rules. A question without an answer,
    /// because an engine failed, is an error within.
    ///
    /// # Errors
    /// The first thing in it that is impossible.
    pub fn believe(&self, told: &WorkAnswer) -> Result<Result<Answer, Problem>, Disbelief> {
        let lines = self.believe_lines(told)?;
        if let Some(failed) = &told.failed {
            let is_theirs = matches!(&self.ask, Ask::Think { engine: Some(_), .. });
            const KNOWN: [&str; 6] = [
                "engine-resigns",
                "engine-hangs",
                "engine-died",
                "engine-illegal",
                "engine-no-move",
                "engine-not-started",
            ];
            let key = KNOWN.into_iter().find(|key| is_theirs && *key == failed.key);
            return key.map(|key| Err(Problem::new(key))).ok_or(Disbelief("failed"));
        }
        match &self.ask {
            Ask::Think { .. } => {
                let best = told.best.clone().ok_or(Disbelief("no-move"))?;
                if !is_machine_text(self.about.game.as_ref(), &best) {
                    return Err(Disbelief("illegal"));
                }
                Ok(Ok(Answer::Thought(Thought { best, lines, cut: told.cut })))
            }
            Ask::Puzzles { most, source, named, .. } => {
                let told = told.puzzles.clone().ok_or(Disbelief("no-puzzles"))?;
                let told: Vec<PuzzleTold> = serde_json::from_value(told).map_err(|_| Disbelief("garbage"))?;
                if told.len() > *most {
                    return Err(Disbelief("puzzles"));
                }
                let found = told.into_iter().map(|told| self.believe_puzzle(told, source, named));
                Ok(Ok(Answer::Puzzles(found.collect::<Result<_, _>>()?)))
            }
            Ask::Balance { plan, game } => {
                let told = told.played.clone().ok_or(Disbelief("no-game"))?;
                let played: Played = serde_json::from_value(told).map_err(|_| Disbelief("garbage"))?;
                self.believe_played(&played, plan, *game)?;
                Ok(Ok(Answer::Played(Box::new(played))))
            }
        }
    }

    /// Validates a puzzle: it belongs to a position of the game, and its line is legal. A second search has to check
    /// that its solution is the only one.
    fn believe_puzzle(
        &self,
        told: PuzzleTold,
        source: &str,
        (options, map): &(catalog::Options, Option<String>),
    ) -> Result<Found, Disbelief> {
        let PuzzleTold { mut puzzle, first, missed } = told;
        source.clone_into(&mut puzzle.source);
        self.about.key.clone_into(&mut puzzle.game);
        puzzle.options.clone_from(options);
        puzzle.map.clone_from(map);
        puzzle.set = None;
        let mut game = self.about.game.boxed_clone();
        while game.fen() != puzzle.fen {
            if !game.undo() {
                return Err(Disbelief("position"));
            }
        }
        let side = if first { Side::First } else { Side::Second };
        let turns = puzzle.line.len();
        if game.turn() != side
            || turns == 0
            || turns > puzzles::puzzle::MOST_TURNS
            || puzzle.themes.len() > 32
        {
            return Err(Disbelief("puzzles"));
        }
        for text in puzzle.line.iter().flatten() {
            game.play(text).map_err(|_| Disbelief("illegal"))?;
        }
        let map = puzzle.map.as_deref();
        puzzle.id = Puzzle::id_of(&puzzle.game, &puzzle.options, map, &puzzle.fen);
        Ok(Found { puzzle, side, missed })
    }

    /// Validates a game of a report: it follows the rules to the end that it states.
    fn believe_played(
        &self,
        played: &Played,
        plan: &workshop::Plan,
        (level, number): (u8, u32),
    ) -> Result<(), Disbelief> {
        let rules = self.about.rules.as_ref().ok_or(Disbelief("position"))?;
        let plies = played.moves.len();
        if (played.level, played.number) != (level, number) {
            return Err(Disbelief("position"));
        }
        if played.worth.len() != plies + 1
            || plies > plan.longest as usize
            || played.choices.len() > plies + 1
        {
            return Err(Disbelief("game"));
        }
        let mut game = Played::rules(rules, level, number).open(None).map_err(|_| Disbelief("game"))?;
        for text in &played.moves {
            game.play(text).map_err(|_| Disbelief("illegal"))?;
        }
        let winner = game.outcome().map(|outcome| outcome.winner());
        let fits = match (winner, played.end) {
            (Some(winner), End::Red | End::Blue | End::Drawn) => winner == played.end.winner(),
            (None, End::Cut) => plies == plan.longest as usize,
            (_, End::Failed) => played.fault.is_some(),
            _ => false,
        };
        if fits { Ok(()) } else { Err(Disbelief("game")) }
    }
}

/// Returns true if the text is a legal move in exactly the game's own notation.
fn is_machine_text(game: &dyn AnyGame, text: &str) -> bool {
    text.len() <= 200 && game.read(text).is_ok_and(|read| read == text)
}

fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

fn line(info: &Info) -> SearchLine {
    SearchLine {
        worth: match info.worth {
            Worth::Hundredths(n) => wire::Worth::Hundredths(n),
            Worth::Wins(n) => wire::Worth::Wins(n),
        },
        depth: info.depth,
        nodes: info.nodes,
        ms: milliseconds(info.time),
        moves: info.moves.iter().take(MOST_MOVES).cloned().collect(),
    }
}

/// Returns the message that sends a map to a worker.
#[must_use]
pub fn upload_of(name: &str, package: &Package, old_names: bool) -> UploadMap {
    let extensions = package
        .extensions
        .iter()
        .map(|source| ExtensionFile { file: source.file.clone(), base64: STANDARD.encode(&source.bytes) });
    UploadMap {
        name: name.to_owned(),
        map: STANDARD.encode(&package.map),
        extensions: extensions.collect(),
        old_names,
        trial: false,
    }
}

/// Loads the rules of a map that was sent to a worker.
///
/// # Errors
/// The fault in the map, or that it needs extensions which do not run here.
pub fn map_of(upload: &UploadMap, loader: Option<&dyn Loader>) -> Result<Rules, Problem> {
    let bytes = |text: &str| STANDARD.decode(text).map_err(|_| Problem::new("map-base64"));
    let extensions = upload
        .extensions
        .iter()
        .map(|file| Ok(Source { file: file.file.clone(), bytes: bytes(&file.base64)? }));
    let package =
        Package { map: bytes(&upload.map)?, extensions: extensions.collect::<Result<_, Problem>>()? };
    let options = catalog::Options::from([(OLD_NAMES.to_owned(), i64::from(upload.old_names))]);
    Rules::load(&package, &options, loader).map_err(|mut problems| problems.swap_remove(0))
}
