//! Games of our engine against itself, a line of JSON each.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use arena::Journal;
use arena::opening::{Openings, USUAL_NODES};
use arena::random::Random;
use catalog::Ruleset;
use engine::task::Bound;
use engine::{Limits, TranspositionTable, Worth};
use kernel::{PlayError, Problem, Side};
use serde::{Deserialize, Serialize};

/// The plan of self-play games: the same plan gives the same games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The key of the game.
    pub game: String,
    /// The options of the game.
    pub options: BTreeMap<String, i64>,
    /// The number of positions searched for each move.
    pub nodes: u64,
    /// The minimal number of random turns at the beginning of a game; every second game has one more, so that both
    /// sides come first.
    pub opening_turns: usize,
    /// The maximal number of random turns; each game draws a number between both. 0: there is no such range.
    #[serde(default)]
    pub opening_most: usize,
    /// The maximal advantage of either side after the random turns, in hundredths.
    pub balance: i32,
    /// The score in hundredths, and the number of moves for which both sides must agree on it, until a game is ended
    /// as decided.
    pub decided: (i32, u32),
    /// The number of moves after which a game is a draw.
    pub most_plies: usize,
    /// The seed of the openings.
    pub seed: u64,
    /// The version of our program.
    pub version: String,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Selfplay {
    /// Its number, from 0.
    pub number: usize,
    /// The random moves that began it.
    pub opening: Vec<String>,
    /// The moves of the engine.
    pub moves: Vec<String>,
    /// The score of each move from the view of the side to move, in hundredths; a forced win is 30 000. Always an
    /// exact score.
    pub worth: Vec<i32>,
    /// The places in `moves` whose score was then found to be too high or too low by an unfinished iteration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubtful: Vec<usize>,
    /// The result of the first side: 1, 0 or −1.
    pub result: i8,
}

/// The size of the transposition table, in MiB; it is cleared before each game, so that games do not depend on each
/// other.
const MEMORY: usize = 8;
/// The maximal number of positions searched to judge an opening: there are many random turns, and most are not
/// balanced.
const JUDGING: u64 = 200;
/// The score of a forced win, in hundredths.
const WIN: i32 = 30_000;

impl Plan {
    /// Plays the games below `count` that are not in the file yet, on that number of threads. `watch` gets the number
    /// of games after each, and ends the run by returning `false`.
    ///
    /// # Errors
    /// The fault in the game or the file.
    pub fn play(
        &self,
        rules: &Ruleset,
        count: usize,
        threads: usize,
        out: &Path,
        watch: &mut dyn FnMut(usize) -> bool,
    ) -> Result<(), Problem> {
        let (mut journal, known) = Journal::open::<Plan, Selfplay>(out, self)?;
        let mut waits = vec![true; count];
        for game in known {
            if let Some(waits) = waits.get_mut(game.number) {
                *waits = false;
            }
        }
        let waiting: Vec<usize> = (0..count).filter(|&number| waits[number]).collect();
        let mut ready = count - waiting.len();
        let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let failed = Mutex::new(None);
        let (ended, games) = channel();
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                let (ended, waiting, next, over, failed) = (ended.clone(), &waiting, &next, &over, &failed);
                scope.spawn(move || {
                    let mut memory = TranspositionTable::mebibytes(MEMORY);
                    while let Some(&number) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let game = self.game(rules, number, &mut memory, over);
                        match game {
                            Ok(Some(game)) => {
                                if ended.send(game).is_err() {
                                    return;
                                }
                            }
                            Ok(None) => return,
                            Err(problem) => {
                                over.store(true, Ordering::Relaxed);
                                *failed.lock().unwrap_or_else(|e| e.into_inner()) = Some(problem);
                                return;
                            }
                        }
                    }
                });
            }
            drop(ended);
            // Written in the order of their numbers, so that the file does not depend on the threads.
            let mut early = BTreeMap::new();
            let mut due = waiting.iter();
            let mut next_due = due.next();
            'hearing: for game in games {
                early.insert(game.number, game);
                while let Some(game) = next_due.and_then(|number| early.remove(number)) {
                    journal.add(&game)?;
                    next_due = due.next();
                    ready += 1;
                    if !watch(ready) {
                        break 'hearing;
                    }
                }
            }
            over.store(true, Ordering::Relaxed);
            Ok(())
        })?;
        failed.into_inner().unwrap_or_else(|e| e.into_inner()).map_or(Ok(()), Err)
    }

    /// Returns the command that makes the same games.
    #[must_use]
    pub fn told(&self) -> String {
        let options: String =
            self.options.iter().map(|(name, value)| format!(" --option {name}={value}")).collect();
        format!(
            "qiguan learn games --game {}{options} --nodes {} --opening-plies {} --opening-most {} --balance {} \
             --adjudicate {}cp,{} --max-plies {} --seed {}",
            self.game,
            self.nodes,
            self.opening_turns,
            self.opening_most,
            self.balance,
            self.decided.0,
            self.decided.1,
            self.most_plies,
            self.seed
        )
    }

    /// Returns the number of random turns at the beginning of the game with that number.
    fn turns(&self, number: usize) -> usize {
        match self.opening_most.checked_sub(self.opening_turns) {
            Some(more) => {
                let seed = self.seed ^ (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                self.opening_turns + Random::seeded(seed).below(more + 1)
            }
            None => self.opening_turns + number % 2,
        }
    }

    /// Plays the game with that number; `None` if it was interrupted.
    fn game(
        &self,
        rules: &Ruleset,
        number: usize,
        memory: &mut TranspositionTable,
        over: &AtomicBool,
    ) -> Result<Option<Selfplay>, Problem> {
        let turns = self.turns(number);
        let nodes = if self.opening_most > 0 { JUDGING } else { USUAL_NODES };
        let opening =
            Openings { turns, seed: self.seed, balance: self.balance, nodes }.moves(rules, number)?;
        let mut game = rules.play(None, &opening)?;
        memory.clear();
        let mut chance = kernel::laws::Random(self.seed ^ (number as u64 + 1).wrapping_mul(0x9E37_79B9));
        let mut played = Selfplay {
            number,
            opening,
            moves: Vec::new(),
            worth: Vec::new(),
            doubtful: Vec::new(),
            result: 0,
        };
        let limits = Limits { nodes: Some(self.nodes), seed: self.seed, ..Limits::default() };
        // For how many moves in a row the same side was found to win.
        let (mut ahead, mut since) = (None, 0);
        while game.outcome().is_none() && played.moves.len() < self.most_plies {
            if over.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let side = game.turn();
            let (mut worth, mut doubtful, mut known) = (0, false, None);
            let turn = engine::native::turn(game.as_ref(), memory, &limits, &mut |info| {
                if info.bound != Bound::Exact {
                    doubtful = true;
                    return;
                }
                // The last word of a search says once more what was known; what was only bounded since stays so.
                if known == Some(info.depth) {
                    return;
                }
                (doubtful, known) = (false, Some(info.depth));
                worth = match info.worth {
                    Worth::Hundredths(n) => n.clamp(-WIN + 1000, WIN - 1000),
                    Worth::Wins(n) => WIN * n.signum(),
                };
            })?;
            for text in turn {
                if doubtful {
                    played.doubtful.push(played.moves.len());
                }
                let text = kernel::by_lot(game.as_ref(), &text, |sum| chance.bits() % sum);
                game.play(&text).map_err(PlayError::problem)?;
                played.moves.push(text);
                played.worth.push(worth);
            }
            let says = match worth {
                w if w >= self.decided.0 => Some(side),
                w if w <= -self.decided.0 => Some(side.other()),
                _ => None,
            };
            since = if says.is_some() && says == ahead { since + 1 } else { u32::from(says.is_some()) };
            ahead = says;
            if since >= self.decided.1.max(2) {
                break;
            }
        }
        let winner = match game.outcome() {
            Some(outcome) => outcome.winner(),
            None => ahead.filter(|_| since >= self.decided.1.max(2)),
        };
        played.result = match winner {
            Some(Side::First) => 1,
            Some(Side::Second) => -1,
            None => 0,
        };
        Ok(Some(played))
    }
}

/// Reads a file: its plan, and its games by number.
///
/// # Errors
/// The fault in the file.
pub fn read(path: &Path) -> Result<(Plan, Vec<Selfplay>), Problem> {
    let (plan, mut games) = arena::journal::look::<Plan, Selfplay>(path)?;
    games.sort_by_key(|game: &Selfplay| game.number);
    games.dedup_by_key(|game| game.number);
    Ok((plan, games))
}
