//! A move for a table, and whether to agree to a draw.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Evaluation, Info, Level, Limits, Stop, Task, Worth, native};
use kernel::{AnyGame, Problem};
use wire::{ClockFace, ClockSpec, Opponent, Side};

use super::Opponents;
use super::memory::{self, Size};
use super::pool::Whose;

/// How long the strongest thinks about a move where no clock says otherwise, and a foreign program too.
const USUAL: Duration = Duration::from_secs(3);
/// A level counts positions and not seconds; this is for machines and maps that are very slow.
const SAFEGUARD: Duration = Duration::from_secs(8);
/// Where extensions have a say at each position, nobody waits that long.
const SAFEGUARD_WAITING: Duration = Duration::from_secs(3);
/// Nobody thinks longer about a move, however much time there is.
const LONGEST: Duration = Duration::from_secs(10);
/// Time for a move there always is.
const SHORTEST: Duration = Duration::from_millis(20);
/// Turns of both sides before a draw is thought about.
const EARLIEST_DRAW: usize = 30;
/// Positions that are looked at to decide about a draw.
const DRAW_NODES: u64 = 20_000;
/// A position is even that is worth less than this, in hundredths: half a man.
const EVEN: i32 = 50;
/// What is worth asking a second time: the program has been started again.
const ONCE_MORE: [&str; 5] =
    ["engine-hangs", "engine-died", "engine-flood", "engine-not-started", "engine-over-limit"];

/// The catalogue's key and options, and where the game began; and the table.
#[derive(Clone)]
pub(crate) struct Rules(pub (String, catalog::Options, Option<String>), pub String);

/// What a table asks.
pub struct Question {
    /// The id of the table it sits at.
    pub table: String,
    /// Public id of the person who plays against the program: their searches wait for each other.
    pub person: String,
    /// The network that person comes from: searches of one network wait for each other, too.
    pub network: crate::network::Network,
    /// Who is to answer.
    pub opponent: Opponent,
    /// The catalogue's key and options, and where the game began.
    pub rules: (String, catalog::Options, Option<String>),
    /// The game as it stands.
    pub game: Box<dyn AnyGame>,
    /// How long it may take.
    pub budget: Option<Duration>,
    /// The seed of what the program leaves to chance, where that must not follow from the table's id.
    pub seed: Option<u64>,
    /// Ends the search from outside.
    pub stop: Stop,
}

/// What a program answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// This is its move.
    Move(String),
    /// It gives up.
    Resigns,
    /// It failed: the reason key of the end of the game.
    Failed(&'static str),
    /// It was stopped, and nobody waits for it any more.
    Stopped,
    /// Whether it agrees to a draw.
    Draw(bool),
    /// That address has too many searches waiting; the table asks again later.
    Busy,
}

/// How much of its clock a side may spend on the ply to come; `None` without a clock.
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
    /// The program's move, once there is a turn for it. The clock runs meanwhile.
    pub async fn think(self: Arc<Self>, question: Question) -> Answer {
        let asked = Instant::now();
        let Ok(turn) = self.games.take(question.network, &question.person).await else {
            return Answer::Busy;
        };
        if question.stop.is_raised() {
            return Answer::Stopped;
        }
        let work = move || {
            let _turn = turn;
            let begun = Instant::now();
            let answer = self.answer(&question, asked.elapsed());
            metrics::histogram!("hall_search_seconds").record(begun.elapsed().as_secs_f64());
            answer
        };
        apart(work).await.unwrap_or(Answer::Failed("engine-died"))
    }

    /// Whether a program would agree to a draw in this position: not before some turns, and not while it stands better.
    pub async fn agrees(self: Arc<Self>, question: Question, side: kernel::Side, turns: usize) -> Answer {
        if turns < EARLIEST_DRAW {
            return Answer::Draw(false);
        }
        let Ok(turn) = self.games.take(question.network, &question.person).await else {
            return Answer::Busy;
        };
        let work = move || {
            let _turn = turn;
            let limits = Limits {
                // Half a man is half a man in the terms; the network's scale is another one.
                evaluation: Evaluation::Terms,
                nodes: Some(DRAW_NODES),
                time: Some(USUAL),
                stop: question.stop.clone(),
                ..Limits::default()
            };
            let mut worth = None;
            let told = memory::with(Size::Small, |memory| {
                native::think(question.game.as_ref(), memory, &limits, &mut |info| worth = Some(info.worth))
            });
            let better = match worth {
                Some(Worth::Hundredths(score)) => score,
                Some(Worth::Wins(plies)) => plies.signum() * i32::MAX / 2,
                None => 0,
            };
            let own = if question.game.turn() == side { better } else { -better };
            Answer::Draw(told.is_ok() && own < EVEN)
        };
        apart(work).await.unwrap_or(Answer::Draw(false))
    }

    fn answer(&self, question: &Question, waited: Duration) -> Answer {
        if let Some(only) = only_move(question.game.as_ref()) {
            return Answer::Move(only);
        }
        let left = question.budget.map(|budget| budget.saturating_sub(waited).clamp(SHORTEST, LONGEST));
        let told = match &question.opponent {
            Opponent::Level(number) => self.ours(question, Level::new(*number).unwrap_or(Level::MOST), left),
            Opponent::Engine(name) => self.theirs(question, name, left),
        };
        match told {
            Ok(text) => Answer::Move(text),
            Err(_) if question.stop.is_raised() => Answer::Stopped,
            Err(problem) if problem.key == "engine-resigns" => Answer::Resigns,
            Err(problem) => {
                tracing::warn!(table = %question.table, %problem, "a program failed");
                metrics::counter!("hall_engine_failures_total").increment(1);
                Answer::Failed(reason(&problem))
            }
        }
    }

    fn ours(&self, question: &Question, level: Level, left: Option<Duration>) -> Result<String, Problem> {
        let counts = level != Level::MOST;
        let safeguard = if question.game.waits() { SAFEGUARD_WAITING } else { SAFEGUARD };
        let most = if counts { safeguard } else { USUAL };
        // Who counts positions is not hurried by a clock, unless there is hardly any time.
        let time = left.map_or(most, |left| if counts { left.min(most) } else { left });
        // Making the table takes time, too, where many want the machine.
        let begun = Instant::now();
        memory::with(if counts { Size::Small } else { Size::Large }, |memory| {
            let limits = Limits {
                time: Some(time.saturating_sub(begun.elapsed()).max(SHORTEST)),
                level: Some(level),
                seed: question.seed.unwrap_or_else(|| seed(&question.table)),
                stop: question.stop.clone(),
                ..Limits::default()
            };
            native::think(question.game.as_ref(), memory, &limits, &mut |_| {})
        })
    }

    fn theirs(&self, question: &Question, name: &str, left: Option<Duration>) -> Result<String, Problem> {
        let (game, options, fen) = &question.rules;
        let limits =
            Limits { time: Some(left.unwrap_or(USUAL)), stop: question.stop.clone(), ..Limits::default() };
        let task = Task { fen: fen.clone(), moves: question.game.record(), limits };
        let whose = Whose { game, options, table: &question.table };
        let ask = || self.pool.ask(name, &whose, &task, &mut |_| {});
        match ask() {
            Err(problem) if ONCE_MORE.contains(&problem.key) && !question.stop.is_raised() => {
                tracing::warn!(table = %question.table, %problem, "a program is asked once more");
                ask()
            }
            answer => answer,
        }
    }

    /// What a foreign program thinks of a game, within these limits.
    pub(crate) fn study(
        &self,
        name: &str,
        rules: &Rules,
        game: &dyn AnyGame,
        limits: &Limits,
        report: &mut dyn FnMut(&Info),
    ) -> Result<String, Problem> {
        let (key, options, fen) = &rules.0;
        let task = Task { fen: fen.clone(), moves: game.record(), limits: limits.clone() };
        // Apart from the games it plays.
        let table = format!("study of {}", rules.1);
        let whose = Whose { game: key, options, table: &table };
        let answer = self.pool.ask(name, &whose, &task, report);
        // What it said last is for the keeper of the hall.
        answer.map_err(|problem| {
            tracing::warn!(%table, %problem, "a program failed");
            let text = problem.arg("move").unwrap_or_default();
            Problem::new(problem.key).with("name", name).with("text", "").with("move", text)
        })
    }

    /// Ends foreign programs that nobody has asked for a while.
    pub fn tidy(&self) {
        self.pool.tidy();
    }
}

/// The move of a side that has no choice.
fn only_move(game: &dyn AnyGame) -> Option<String> {
    let mut moves = game.moves();
    if moves.len() == 1 { moves.pop() } else { None }
}

/// What a table's chance is decided by: the same game, the same character.
fn seed(table: &str) -> u64 {
    table
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

/// Why a game ends by what a program did.
fn reason(problem: &Problem) -> &'static str {
    const KNOWN: [&str; 5] =
        ["engine-hangs", "engine-died", "engine-illegal", "engine-no-move", "engine-not-started"];
    KNOWN.into_iter().find(|known| *known == problem.key).unwrap_or("engine-died")
}

/// On a thread of its own, where it disturbs nobody; `None` when it panicked.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let done = crate::workers::long(work).await?;
    done.inspect_err(|_| tracing::error!("a search panicked")).ok()
}
