//! Games of our engine against itself on a user's map.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use catalog::maps::Rules;
use engine::{Info, Level, Limits, Stop, TranspositionTable, Worth};
use kernel::laws::Random;
use kernel::{AnyGame, Outcome, Problem, Side};
use serde::{Deserialize, Serialize};

/// The plan of the games. Equal plans give equal games, unless an extension is so slow that time decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Levels of both sides, 1 to 10, the weakest first.
    pub levels: Vec<u8>,
    /// Games of each level.
    pub games: u32,
    /// The number of plies after which a game is cut off.
    pub longest: u32,
    /// The positions searched to evaluate a position, without the errors of a level.
    pub judge: u64,
    /// The longest search for a ply, in milliseconds: levels are limited by positions, but an extension may be slow.
    pub ply_ms: u64,
    /// The seed of the errors that levels make.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { levels: vec![2, 4, 7], games: 100, longest: 200, judge: 400, ply_ms: 400, seed: 1 }
    }
}

/// The most games of a report.
pub const MOST_GAMES: u32 = 30_000;
/// The size of the transposition table, in MiB.
const MEMORY: usize = 4;
/// The evaluation of a forced win, less a hundred for each ply, in hundredths: higher than every other evaluation.
pub const WINS: i32 = 30_000;

/// A game of the engine against itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// The level of both sides.
    pub level: u8,
    /// Its number within the level, from 0; with the level and the plan it decides every move.
    pub number: u32,
    /// Texts of the moves.
    pub moves: Vec<String>,
    /// The evaluation of each position for red, in hundredths, from the start to the end: one more than moves.
    pub worth: Vec<i32>,
    /// The number of legal moves before each ply.
    pub choices: Vec<u32>,
    /// The result of the game.
    pub end: End,
    /// The key of the outcome's reason; empty for a game that was cut off.
    pub reason: String,
    /// The fault of an extension, if one failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Failed>,
}

/// The results of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// Red won the game.
    Red,
    /// Blue won the game.
    Blue,
    /// The game is a draw by the rules.
    Drawn,
    /// The game was cut off because it took too many plies.
    Cut,
    /// An extension failed.
    Failed,
}

impl End {
    /// Returns red's points: 1, ½ or 0; `None` for a game that does not count.
    #[must_use]
    pub const fn points(self) -> Option<f64> {
        match self {
            End::Red => Some(1.0),
            End::Blue => Some(0.0),
            End::Drawn | End::Cut => Some(0.5),
            End::Failed => None,
        }
    }

    /// Returns the side that won; `None` for a draw, a game that was cut off and a game that failed.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            End::Red => Some(Side::First),
            End::Blue => Some(Side::Second),
            End::Drawn | End::Cut | End::Failed => None,
        }
    }
}

/// A fault of an extension that ended a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Failed {
    /// The extension's file.
    pub file: String,
    /// The hook that was called.
    pub hook: String,
    /// The line, from 1, or `?`.
    pub line: String,
    /// The error as Python names it.
    pub error: String,
}

impl Plan {
    /// Checks that the plan can be played: levels from 1 to 10, at least one game, no more than [`MOST_GAMES`].
    ///
    /// # Errors
    /// `report-plan`.
    pub fn check(&self) -> Result<(), Problem> {
        let count = u64::from(self.games) * self.levels.len() as u64;
        let known = self.levels.iter().all(|&level| Level::new(level).is_some());
        if !known || count == 0 || count > u64::from(MOST_GAMES) || self.longest == 0 {
            return Err(Problem::new("report-plan").with("most", MOST_GAMES));
        }
        Ok(())
    }

    /// Lists level and number of every game, in the order in which they are played: all levels in turn, from the
    /// start.
    pub fn games(&self) -> impl Iterator<Item = (u8, u32)> + '_ {
        (0..self.games).flat_map(|number| self.levels.iter().map(move |&level| (level, number)))
    }

    /// Returns the number of games of the plan.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.games * u32::try_from(self.levels.len()).unwrap_or(0)
    }
}

impl Played {
    /// Returns the rules of that game: extensions that draw random numbers draw others in each game.
    #[must_use]
    pub fn rules(rules: &Rules, level: u8, number: u32) -> Rules {
        rules.seeded(u128::from(number) * 16 + u128::from(level) + 1)
    }

    /// Returns true if the game can be one of that plan, to check a game that was read from a file. The legality of
    /// its moves is checked when it is replayed.
    #[must_use]
    pub fn fits(&self, plan: &Plan) -> bool {
        plan.levels.contains(&self.level)
            && self.number < plan.games
            && self.moves.len() <= plan.longest as usize
            && self.worth.len() == self.moves.len() + 1
            && self.choices.len() == self.moves.len()
    }
}

/// Plays the games of a plan that are not among `done`, with `threads` threads, and passes each finished game to
/// `hear`. When stopped, the games in progress are dropped.
///
/// # Errors
/// `report-plan`, what is wrong with the start, or `no-engine`.
pub fn play(
    rules: &Rules,
    plan: &Plan,
    done: &HashSet<(u8, u32)>,
    threads: usize,
    stop: &Stop,
    hear: &mut dyn FnMut(Played),
) -> Result<(), Problem> {
    plan.check()?;
    // What is wrong with the map is known before a thread begins.
    rules.open(None)?;
    let left: Vec<(u8, u32)> = plan.games().filter(|game| !done.contains(game)).collect();
    let next = AtomicUsize::new(0);
    let (tell, told) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, left.len().max(1)) {
            let (tell, left, next) = (tell.clone(), &left, &next);
            scope.spawn(move || {
                let memory = TranspositionTable::mebibytes(MEMORY);
                while let Some(&(level, number)) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if stop.is_raised()
                        || tell.send(one(rules, plan, (level, number), &memory, stop)).is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(tell);
        for played in told {
            match played {
                Ok(Some(played)) => hear(played),
                Ok(None) => {}
                Err(problem) => {
                    stop.stop();
                    return Err(problem);
                }
            }
        }
        Ok(())
    })
}

/// Plays one game of a plan, as [`play`] does; `None` when it was stopped.
///
/// # Errors
/// The errors of [`play`].
pub fn one_game(rules: &Rules, plan: &Plan, game: (u8, u32), stop: &Stop) -> Result<Option<Played>, Problem> {
    plan.check()?;
    one(rules, plan, game, &TranspositionTable::mebibytes(MEMORY), stop)
}

/// Plays one game; `None` when it was stopped.
fn one(
    rules: &Rules,
    plan: &Plan,
    (level, number): (u8, u32),
    memory: &TranspositionTable,
    stop: &Stop,
) -> Result<Option<Played>, Problem> {
    let mut game = Played::rules(rules, level, number).open(None)?;
    memory.clear();
    let mut random =
        Random(plan.seed ^ (u64::from(number) * 16 + u64::from(level) + 1).wrapping_mul(0x9E37_79B9));
    let mut played = Played {
        level,
        number,
        moves: Vec::new(),
        worth: Vec::new(),
        choices: Vec::new(),
        end: End::Cut,
        reason: String::new(),
        fault: None,
    };
    loop {
        played.worth.push(judged(game.as_ref(), memory, plan, stop)?);
        if let Some(outcome) = game.outcome() {
            played.end = match outcome {
                Outcome::Win(Side::First, _) => End::Red,
                Outcome::Win(Side::Second, _) => End::Blue,
                Outcome::Draw(_) => End::Drawn,
                Outcome::Void(_) => End::Failed,
            };
            outcome.reason().clone_into(&mut played.reason);
            played.fault =
                game.caption().filter(|told| told.key == "extension-failed").map(|told| failed(&told));
            break;
        }
        if played.moves.len() >= plan.longest as usize {
            break;
        }
        // Each side has a character of its own: an error that both shared would not be punished.
        let seed = plan.seed.wrapping_mul(0x9E37_79B9) ^ (u64::from(number) * 2 + game.turn().index() as u64);
        let limits = Limits {
            level: Level::new(level),
            seed,
            time: Some(Duration::from_millis(plan.ply_ms)),
            stop: stop.clone(),
            ..Limits::default()
        };
        played.choices.push(u32::try_from(game.moves().len()).unwrap_or(u32::MAX));
        let text = engine::native::think(game.as_ref(), memory, &limits, &mut |_| {})?;
        if stop.is_raised() {
            return Ok(None);
        }
        let text = kernel::by_lot(game.as_ref(), &text, |sum| random.bits() % sum);
        game.play(&text).map_err(kernel::PlayError::problem)?;
        played.moves.push(text);
    }
    Ok(Some(played))
}

fn failed(told: &Problem) -> Failed {
    let fact = |name: &str| told.arg(name).unwrap_or_default().to_owned();
    Failed { file: fact("place"), hook: fact("hook"), line: fact("line"), error: fact("text") }
}

/// Evaluates a position for red, by a search without errors.
fn judged(game: &dyn AnyGame, memory: &TranspositionTable, plan: &Plan, stop: &Stop) -> Result<i32, Problem> {
    let limits = Limits {
        nodes: Some(plan.judge),
        time: Some(Duration::from_millis(plan.ply_ms)),
        stop: stop.clone(),
        ..Limits::default()
    };
    Ok(judge(game, memory, &limits)?.0)
}

/// Evaluates a position for red, in hundredths, and returns the best move too; a game that is over has the value of
/// its outcome.
///
/// # Errors
/// `no-engine`.
pub(crate) fn judge(
    game: &dyn AnyGame,
    memory: &TranspositionTable,
    limits: &Limits,
) -> Result<(i32, Option<String>), Problem> {
    if let Some(outcome) = game.outcome() {
        let worth = match outcome.winner() {
            Some(Side::First) => WINS,
            Some(Side::Second) => -WINS,
            None => 0,
        };
        return Ok((worth, None));
    }
    let mut worth = 0;
    let mut hear = |info: &Info| {
        if info.line == 1 {
            worth = match info.worth {
                Worth::Hundredths(score) => score.clamp(-WINS / 2, WINS / 2),
                Worth::Wins(plies) => plies.signum() * (WINS - 100 * plies.abs().min(100)),
            };
        }
    };
    let best = engine::native::think(game, memory, limits, &mut hear)?;
    Ok((if game.turn() == Side::First { worth } else { -worth }, Some(best)))
}
