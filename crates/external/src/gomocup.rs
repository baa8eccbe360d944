//! Driver of programs that speak the Gomocup protocol.

use std::time::{Duration, Instant};

use kernel::{AnyGame, Problem};
use protocol::gomocup::{Field, FromBrain, Thought, ToBrain, Value, Whose};

use super::driver::{Answer, SearchInfo, wait};
use super::process::Process;
use super::{Config, driver};
use catalog::Ruleset;
use engine_core::{Task, Worth};

use crate::dialect;

#[derive(Default)]
pub(super) struct Driver {
    options: Vec<(String, String)>,
    memory: usize,
    /// The time of its last move.
    answered: Option<Instant>,
    /// True if the program answers `ABOUT`.
    says_about: bool,
}

/// The time limit for the answer to `ABOUT` after a move. Some brains send their move a moment before they have
/// finished thinking and skip input that comes meanwhile, even half of a line (Rapfi: "Unknown command: 200"). They
/// are sent `ABOUT` until they answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// The pause after a move of a brain that does not answer `ABOUT`.
const BREATH: Duration = Duration::from_millis(10);

/// Returns the rule bits that a brain is sent: exactly five, renju, Caro.
fn rule_bits(key: &str) -> u32 {
    match key {
        "gomoku/standard" => 1,
        "gomoku/renju" => 4,
        "gomoku/caro" => 8,
        "gomoku/caro-exact" => 9,
        _ => 0,
    }
}

/// The value sent for a clock without a limit.
const UNLIMITED: u128 = i32::MAX as u128;

fn info(key: &str, value: impl ToString) -> String {
    ToBrain::Info { key: key.to_owned(), value: value.to_string() }.lines()
}

impl driver::Driver for Driver {
    fn greet(
        &mut self,
        to: &mut Process,
        config: &Config,
        rules: &Ruleset,
        memory: usize,
        until: Instant,
    ) -> Result<(), Problem> {
        self.options = config.options.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
        self.memory = memory;
        to.say(ToBrain::About.lines())?;
        self.new_game(to, rules, until)
    }

    /// Starts a new game with `START` or `RECTSTART`, which end any game before.
    fn new_game(&mut self, to: &mut Process, rules: &Ruleset, until: Instant) -> Result<(), Problem> {
        self.settle(to)?;
        let board = rules.open(None)?.board();
        let square = board.files == board.ranks;
        to.say(match square {
            true => ToBrain::Start(board.files).lines(),
            false => ToBrain::RectStart(board.files, board.ranks).lines(),
        })?;
        let mut says_about = self.says_about;
        let answer = wait(to, until, |line| match FromBrain::read(line) {
            Ok(Some(FromBrain::Ok)) => Some(None),
            // That one does not say who it is.
            Ok(Some(FromBrain::Unknown(text))) if text.to_uppercase().contains("ABOUT") => None,
            Ok(Some(FromBrain::Error(text) | FromBrain::Unknown(text))) => Some(Some(text)),
            Ok(Some(FromBrain::About(_))) => {
                says_about = true;
                None
            }
            _ => None,
        })?;
        self.says_about = says_about;
        if let Some(text) = answer {
            return Err(to.problem("engine-not-started").with("text", text));
        }
        to.say(info("rule", rule_bits(&rules.key)))?;
        to.say(info("game_type", 1))?;
        // The whole program may use some more than its table.
        to.say(info("max_memory", (self.memory as u64 + 64) << 20))?;
        for (name, value) in &self.options {
            to.say(info(name, value))?;
        }
        Ok(())
    }

    fn ask(&mut self, to: &mut Process, _: &Ruleset, task: &Task, game: &dyn AnyGame) -> Result<(), Problem> {
        self.settle(to)?;
        let limits = &task.limits;
        let clock = limits.clock.filter(|_| limits.time.is_none());
        let turn = match (limits.time, clock) {
            (Some(time), _) => time.as_millis(),
            (None, Some(clock)) => clock.left.as_millis(),
            (None, None) => Duration::from_secs(3600).as_millis(),
        };
        to.say(info("timeout_turn", turn))?;
        to.say(info("timeout_match", clock.map_or(0, |clock| clock.left.as_millis())))?;
        to.say(info("time_left", clock.map_or(UNLIMITED, |clock| clock.left.as_millis())))?;
        // Words of Yixin and Rapfi; others skip what they do not know.
        if let Some(depth) = limits.depth {
            to.say(info("max_depth", depth))?;
        }
        if let Some(nodes) = limits.nodes {
            to.say(info("max_node", nodes))?;
        }
        let fields = stones(game);
        to.say(match fields.is_empty() {
            true => ToBrain::Begin.lines(),
            false => ToBrain::Board { fields, think: true }.lines(),
        })
    }

    fn hear(&mut self, line: &str, game: &dyn AnyGame) -> Option<Answer> {
        match FromBrain::read(line) {
            Ok(Some(FromBrain::Stones(points))) => {
                self.answered = Some(Instant::now());
                let board = game.board();
                let name = points.first().and_then(|&at| dialect::named(&board, at));
                Some(Answer::Move(name.unwrap_or_else(|| line.to_owned())))
            }
            Ok(Some(FromBrain::Error(_))) => Some(Answer::None),
            Ok(Some(FromBrain::Message(text))) => {
                Thought::read(&text).map(|thought| Answer::Info(told(thought)))
            }
            Err(_) if line.starts_with(|c: char| c.is_ascii_digit()) => Some(Answer::Move(line.to_owned())),
            _ => None,
        }
    }

    fn stop(&self) -> &'static str {
        "YXSTOP"
    }
}

impl Driver {
    /// Waits until the brain accepts input after its move.
    fn settle(&mut self, to: &mut Process) -> Result<(), Problem> {
        let Some(answered) = self.answered.take() else { return Ok(()) };
        if !self.says_about {
            std::thread::sleep(BREATH.saturating_sub(answered.elapsed()));
            return Ok(());
        }
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            to.say(ToBrain::About.lines())?;
            // It may have been skipped: then it is asked again in a moment.
            while let Some(line) = to.hear(Some(Instant::now()), &|| false)? {
                if matches!(FromBrain::read(&line), Ok(Some(FromBrain::About(_)))) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Converts a report of a brain; its evaluation scale is assumed to be ours.
fn told(thought: Thought) -> SearchInfo {
    SearchInfo {
        depth: thought.depth,
        furthest: thought.furthest,
        line: 1,
        worth: match thought.value {
            Value::Points(points) => Worth::Hundredths(points),
            Value::Wins(plies) => Worth::Wins(plies),
        },
        bound: None,
        nodes: thought.nodes,
        filled: 0,
        moves: Vec::new(),
    }
}

/// Returns the stones: first those of the start position, sorted by cell, then the others in the order of play.
fn stones(game: &dyn AnyGame) -> Vec<Field> {
    let (view, board) = (game.view(), game.board());
    let played = game.record();
    let order = |at: kernel::Cell| played.iter().position(|text| board.cell_named(text) == Some(at));
    let mut pieces: Vec<_> = view.pieces.iter().map(|piece| (order(piece.at), piece)).collect();
    // `None` comes before every `Some`.
    pieces.sort_by_key(|(order, piece)| (*order, piece.at));
    let field = |(_, piece): (_, &kernel::Piece)| {
        let whose = if piece.owner == Some(view.turn) { Whose::Own } else { Whose::Opponent };
        Some(Field { at: dialect::point(&board, &board.name(piece.at))?, whose })
    };
    pieces.into_iter().filter_map(field).collect()
}
