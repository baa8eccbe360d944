//! A program's decisions at a table: its move, and its answer to an offer of a draw.

use std::sync::Arc;
use std::time::Duration;

use edge::network::Asker;
use engine::{Evaluation, Level, Limits, Stop, Worth};
use kernel::{AnyGame, Problem};
use thinking::{Answer as Found, Ask, GameSnapshot, Search, Size};
use wire::{ClockFace, ClockSpec, Opponent, Side};

use super::Opponents;
use crate::searches::{Purpose, Undone, WantedSearch};

/// The time of the strongest level, and of a foreign program, for a move without a clock.
const USUAL: Duration = Duration::from_secs(3);
/// The time limit of a level's search, which counts positions and not seconds; it applies on machines and maps that
/// are very slow.
const SAFEGUARD: Duration = Duration::from_secs(8);
/// The time limit of a level's search where extensions are called at each position and are slow.
const SAFEGUARD_WAITING: Duration = Duration::from_secs(3);
/// The longest time for a move, with any amount of time on the clock.
const LONGEST: Duration = Duration::from_secs(10);
/// The number of turns of both sides before a draw is considered.
const EARLIEST_DRAW: usize = 30;
/// The number of positions searched to decide about a draw.
const DRAW_NODES: u64 = 20_000;
/// The evaluation below which a position is even, in hundredths: half a man.
const EVEN: i32 = 50;
/// The identity of a game for a search: the catalogue's key and options, its map, its start; and the table.
#[derive(Clone)]
pub struct Rules {
    /// The key of the game in the catalogue.
    pub key: String,
    /// The options of the game.
    pub options: catalog::Options,
    /// The id of its map, if it has one.
    pub map: Option<String>,
    /// The start position, if it is not the usual one.
    pub fen: Option<String>,
    /// The public id of the table.
    pub table: String,
}

impl Rules {
    /// Combines these rules with the current position, for a search.
    pub fn about(&self, game: Box<dyn AnyGame>) -> GameSnapshot {
        let Rules { key, options, map, fen, .. } = self.clone();
        GameSnapshot { key, options, map, rules: None, fen, game }
    }
}

/// A question of a table to a program.
pub struct Question {
    /// The id of the table.
    pub table: String,
    /// The public id of the person who plays against the program: their searches wait for each other.
    pub person: String,
    /// The network that person comes from: searches of one network wait for each other, too.
    pub network: edge::network::Network,
    /// The program that is to answer.
    pub opponent: Opponent,
    /// The catalogue's key and options, and the start FEN of the game.
    pub rules: (String, catalog::Options, Option<String>),
    /// The id of its map, if it has one.
    pub map: Option<String>,
    /// The game as it stands.
    pub game: Box<dyn AnyGame>,
    /// The time that it may take; `None` without a clock.
    pub budget: Option<Duration>,
    /// The seed of the program's random choices, where it must not follow from the table's id.
    pub seed: Option<u64>,
    /// A flag that ends the search from outside.
    pub stop: Stop,
}

/// The answer of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The text of its move.
    Move(String),
    /// The program resigns.
    Resigns,
    /// The program failed; the text is the reason key of the end of the game.
    Failed(&'static str),
    /// The search was stopped, because it is not wanted any more.
    Stopped,
    /// The program's answer to an offer of a draw: true if it agrees.
    Draw(bool),
    /// The person's address has too many searches waiting; the table asks again later.
    Busy,
}

/// Returns the time that a side may spend on its next ply, from its clock; `None` without a clock.
#[must_use]
pub fn budget(spec: ClockSpec, face: Option<ClockFace>, side: Side) -> Option<Duration> {
    let face = face?;
    let i = usize::from(side == Side::Second);
    let left = face.ms[i];
    let ms = match spec {
        ClockSpec::None => return None,
        // A program needs no days.
        ClockSpec::PerMove { .. } if spec.days_a_move().is_some() => return None,
        ClockSpec::Fischer { increment_ms, .. } => (left / 30 + increment_ms / 2).min(left / 4),
        ClockSpec::ByoYomi { period_ms, .. } if face.byo.is_none_or(|byo| !byo[i]) => {
            (left / 30).max(period_ms / 4)
        }
        // Some turns have several plies.
        ClockSpec::ByoYomi { .. } | ClockSpec::PerMove { .. } => left / 8,
    };
    Some(Duration::from_millis(ms))
}

impl Opponents {
    /// Returns the program's move, once it was found. The clock runs meanwhile.
    pub async fn think(self: Arc<Self>, question: Question) -> Answer {
        if question.stop.is_raised() {
            return Answer::Stopped;
        }
        let (only, question) = if question.game.waits() {
            let Some(known) = apart(move || (only_move(question.game.as_ref()), question)).await else {
                return Answer::Failed("engine-died");
            };
            known
        } else {
            (only_move(question.game.as_ref()), question)
        };
        if let Some(only) = only {
            return Answer::Move(only);
        }
        let (table, stop) = (question.table.clone(), question.stop.clone());
        match self.searches.run(&self.games, &to_play(question)).await {
            Ok(Found::Thought(thought)) => Answer::Move(thought.best),
            Ok(Found::Puzzles(_) | Found::Played(_)) | Err(Undone::Broken) => Answer::Failed("engine-died"),
            Err(Undone::Busy) => Answer::Busy,
            Err(Undone::Stopped) => Answer::Stopped,
            Err(Undone::Failed(_)) if stop.is_raised() => Answer::Stopped,
            Err(Undone::Failed(problem)) if problem.key == "engine-resigns" => Answer::Resigns,
            Err(Undone::Failed(problem)) => {
                tracing::warn!(%table, %problem, "a program failed");
                metrics::counter!("hall_engine_failures_total").increment(1);
                Answer::Failed(reason(&problem))
            }
        }
    }

    /// Decides whether a program would agree to a draw in this position: not before some turns, and not while it stands
    /// better.
    pub async fn agrees(self: Arc<Self>, question: Question, side: kernel::Side, turns: usize) -> Answer {
        if turns < EARLIEST_DRAW {
            return Answer::Draw(false);
        }
        let turn = question.game.turn();
        match self.searches.run(&self.games, &to_agree(question)).await {
            Ok(Found::Thought(thought)) => {
                let better = match thought.lines.first().map(|line| line.worth) {
                    Some(Worth::Hundredths(score)) => score,
                    Some(Worth::Wins(plies)) => plies.signum() * i32::MAX / 2,
                    None => 0,
                };
                let own = if turn == side { better } else { -better };
                Answer::Draw(own < EVEN)
            }
            Err(Undone::Busy) => Answer::Busy,
            _ => Answer::Draw(false),
        }
    }
}

/// Makes the search for a move.
fn to_play(question: Question) -> WantedSearch {
    let level = match &question.opponent {
        Opponent::Level(number) => Some(Level::new(*number).unwrap_or(Level::MOST)),
        Opponent::Engine(_) => None,
    };
    // A level counts positions, and is not hurried by a clock unless there is hardly any time.
    let counts = level.is_some_and(|level| level != Level::MOST);
    let time = match (counts, question.budget) {
        (true, _) if question.game.waits() => SAFEGUARD_WAITING,
        (true, _) => SAFEGUARD,
        (false, Some(_)) => LONGEST,
        (false, None) => USUAL,
    };
    let limits = Limits {
        time: Some(time),
        level,
        seed: question.seed.unwrap_or_else(|| seed(&question.table)),
        ..Limits::default()
    };
    let size = if counts || level.is_none() { Size::Small } else { Size::Large };
    let engine = match &question.opponent {
        Opponent::Engine(name) => Some(name.clone()),
        Opponent::Level(_) => None,
    };
    wanted(question, |table| Ask::Think { limits, size, engine, table })
}

/// Makes the search for the evaluation of a position, for the answer to a draw offer.
fn to_agree(question: Question) -> WantedSearch {
    let limits = Limits {
        // Half a man is half a man in the terms; the network's scale is another one.
        evaluation: Evaluation::Terms,
        nodes: Some(DRAW_NODES),
        time: Some(USUAL),
        ..Limits::default()
    };
    wanted(question, |table| Ask::Think { limits, size: Size::Small, engine: None, table })
}

fn wanted(question: Question, ask: impl FnOnce(String) -> Ask) -> WantedSearch {
    let Question { table, person, network, rules: (key, options, fen), map, game, budget, stop, .. } =
        question;
    let about = GameSnapshot { key, options, map, rules: None, fen, game };
    let search = Search { about, ask: ask(table) };
    let wanted = WantedSearch::new(search, Asker { network, person }, Purpose::Play, stop);
    WantedSearch { budget: budget.map(|budget| budget.min(LONGEST)), ..wanted }
}

/// Returns the move of a side that has no choice.
fn only_move(game: &dyn AnyGame) -> Option<String> {
    let mut moves = game.moves();
    if moves.len() == 1 { moves.pop() } else { None }
}

/// Derives the seed of a level's random choices from the table's id, so that they are the same throughout a game.
fn seed(table: &str) -> u64 {
    table
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

/// Returns the reason key for the end of a game by a program's fault.
fn reason(problem: &Problem) -> &'static str {
    const KNOWN: [&str; 5] =
        ["engine-hangs", "engine-died", "engine-illegal", "engine-no-move", "engine-not-started"];
    KNOWN.into_iter().find(|known| *known == problem.key).unwrap_or("engine-died")
}

/// Runs work on a thread of its own, where it blocks no other task; `None` when it panicked.
pub async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let done = edge::workers::long(work).await?;
    done.inspect_err(|_| tracing::error!("a search panicked")).ok()
}
