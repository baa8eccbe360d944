//! The engine's side of the Hub protocol.

use std::collections::VecDeque;
use std::time::Duration;

use kernel::{AnyGame, Problem};
use protocol::hub::{self, FromEngine, Go, Param, ParameterType, ToEngine};
use protocol::{Fault, Move, Place};

use super::desk::Desk;
use super::faults::{misread, too_long, unknown, within};
use catalog::Ruleset;
use engine::native;
use engine_core::Level;
use engine_core::{Clock, Info, Limits, Task, Worth};
use external::dialect;
use external::variant;

pub(super) struct Voice {
    squares: usize,
    game: Option<Box<dyn AnyGame>>,
    fen: Option<String>,
    asked: hub::Level,
    threads: usize,
    level: u8,
    /// The number of pieces up to which endings are known exactly.
    endings: u32,
    /// True if the last search was started to ponder.
    ponders: bool,
    /// The expected moves of each question that is not answered yet, the oldest first.
    expected: VecDeque<Vec<String>>,
}

impl Voice {
    pub(super) fn new(rules: &Ruleset) -> Result<Voice, Problem> {
        let game = rules.past_draws().open(None)?;
        let squares = dialect::place(rules, game.as_ref())?.squares.len();
        let asked = hub::Level { move_time: Some(1.0), ..hub::Level::default() };
        let (threads, level, endings) = (1, 0, native::USUAL_ENDINGS);
        let (ponders, expected) = (false, VecDeque::new());
        Ok(Voice { squares, game: Some(game), fen: None, asked, threads, level, endings, ponders, expected })
    }

    fn greet(&self, desk: &mut Desk) {
        desk.say(
            FromEngine::Id {
                name: "Qiguan".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                author: "the authors of Qiguan".to_owned(),
                country: String::new(),
            }
            .line(),
        );
        let whole = |name: &str, value: i64, min, max| Param {
            name: name.to_owned(),
            value: value.to_string(),
            kind: ParameterType::Int { min, max },
        };
        let keys = catalog::ENTRIES.iter().filter(|entry| entry.family == "draughts").map(|entry| entry.key);
        let variants = Param {
            name: "variant".to_owned(),
            value: variant(&desk.rules().key).to_owned(),
            kind: ParameterType::Enum(keys.map(|key| variant(key).to_owned()).collect()),
        };
        let memory = i64::try_from(desk.memory).unwrap_or(1);
        let params = [
            variants,
            whole("threads", 1, 1, 256),
            whole("memory", memory, 1, 16 << 10),
            whole("level", self.level.into(), 0, 10),
            whole("endings", self.endings.into(), native::USUAL_ENDINGS.into(), 4),
        ];
        params.into_iter().for_each(|param| desk.say(FromEngine::Param(param).line()));
        desk.say(FromEngine::Wait.line());
    }

    fn set(&mut self, name: &str, value: &str, desk: &mut Desk) -> Result<(), Problem> {
        let wrong = || Problem::new("option-value").with("option", name).with("value", value);
        let number = |least: i64, most: i64| within(name, value, least..=most);
        match name {
            "variant" => {
                let entry =
                    catalog::ENTRIES.iter().find(|e| e.family == "draughts" && variant(e.key) == value);
                let rules = Ruleset::new(entry.ok_or_else(wrong)?.key, &catalog::Options::new())?;
                desk.take_up(rules);
                let game = desk.rules().open(None)?;
                self.squares = dialect::place(desk.rules(), game.as_ref())?.squares.len();
                (self.game, self.fen) = (Some(game), None);
            }
            "threads" => self.threads = number(1, 256)? as usize,
            "memory" => {
                desk.memory = number(1, 16 << 10)? as usize;
                desk.forget();
            }
            "level" => self.level = number(0, 10)? as u8,
            "endings" => self.endings = number(native::USUAL_ENDINGS.into(), 4)? as u32,
            _ => return Err(Problem::new("engine-option").with("option", name)),
        }
        Ok(())
    }

    fn place(&mut self, place: &Place, moves: Vec<Move>, desk: &Desk) -> Result<(), Problem> {
        self.game = None;
        if place.squares.len() != self.squares {
            let problem = Problem::new("hub-squares").with("found", place.squares.len());
            return Err(problem.with("wanted", self.squares));
        }
        let fen = dialect::fen(place);
        let moves: Vec<String> = moves.into_iter().map(|m| m.sorted().text()).collect();
        self.game = Some(desk.rules().play(Some(&fen), &moves)?);
        self.fen = Some(fen);
        Ok(())
    }

    fn go(&mut self, go: Go, desk: &mut Desk) {
        self.ponders = false;
        let Some((task, holds)) = self.question(go) else {
            self.expected.push_back(Vec::new());
            return desk.refuse(Problem::new("engine-no-position"));
        };
        self.ponders = go == Go::Ponder;
        self.expected.push_back(Vec::new());
        desk.think(task, holds);
    }

    /// Returns the task of the search, and true if the answer waits for a `stop`; `None` without a position.
    fn question(&self, go: Go) -> Option<(Task, bool)> {
        let game = self.game.as_ref()?;
        let limits = if go == Go::Think { limits(&self.asked) } else { Limits::default() };
        let holds = limits.depth.is_none()
            && limits.nodes.is_none()
            && limits.time.is_none()
            && limits.clock.is_none();
        let limits = Limits { threads: self.threads, level: Level::new(self.level), ..limits };
        Some((Task { fen: self.fen.clone(), moves: game.record(), limits }, holds))
    }

    /// Continues as a normal search with a clock, since the expected move, which is in the position already, was
    /// played.
    fn ponder_hit(&mut self, desk: &mut Desk) {
        if !std::mem::take(&mut self.ponders) {
            return;
        }
        if let Some((task, holds)) = self.question(Go::Think) {
            desk.think_again(task, holds);
        }
    }

    /// Handles a line that was not understood. If it set a position, the old one is discarded.
    fn misheard(&mut self, line: &str, fault: &Fault, desk: &mut Desk) {
        if line.split(|c: char| !c.is_ascii_alphabetic()).next() == Some("pos") {
            self.game = None;
        }
        complain(&misread(fault), desk);
    }

    fn heard(&mut self, line: &str, desk: &mut Desk) -> Result<bool, Fault> {
        match ToEngine::read(line)? {
            Some(ToEngine::Hub) => self.greet(desk),
            Some(ToEngine::SetParam { name, value }) => {
                if let Err(problem) = self.set(&name, &value, desk) {
                    complain(&problem, desk);
                }
            }
            Some(ToEngine::Init) => {
                // What takes time is done before the first clock runs.
                if let Some(game) = &self.game {
                    native::prepare(game.as_ref(), self.endings);
                }
                desk.prepare();
                desk.say(FromEngine::Ready.line());
            }
            Some(ToEngine::NewGame) => {
                desk.forget();
                desk.prepare();
            }
            Some(ToEngine::Position { place, moves }) => {
                if let Err(problem) = self.place(&place, moves, desk) {
                    complain(&problem, desk);
                }
            }
            Some(ToEngine::Level(asked)) => self.asked = asked,
            Some(ToEngine::Go(go)) => self.go(go, desk),
            Some(ToEngine::PonderHit) => self.ponder_hit(desk),
            Some(ToEngine::Stop) => {
                self.ponders = false;
                desk.stop();
            }
            Some(ToEngine::Ping) => desk.say(FromEngine::Pong.line()),
            Some(ToEngine::Quit) => return Ok(false),
            None if line.is_empty() => {}
            None => complain(&unknown(line), desk),
        }
        Ok(true)
    }
}

fn complain(problem: &Problem, desk: &mut Desk) {
    let text = desk.sentence(problem);
    desk.say(FromEngine::Error(text).line());
}

fn limits(asked: &hub::Level) -> Limits {
    let time = |seconds: f64| Duration::from_secs_f64(seconds.clamp(0.0, 1e6));
    let clock = asked.time.map(|left| {
        let increment = time(asked.increment.unwrap_or(0.0));
        // Hub tells the clock as it stood before the increment is added.
        Clock { left: time(left) + increment, increment, moves_to_go: asked.moves.filter(|&n| n > 0) }
    });
    let limits = Limits {
        depth: asked.depth,
        nodes: asked.nodes,
        time: asked.move_time.map(time),
        clock,
        ..Limits::default()
    };
    if asked.infinite { Limits::default() } else { limits }
}

impl super::voice::Voice for Voice {
    fn hear(&mut self, line: &str, desk: &mut Desk) -> bool {
        self.heard(line, desk).unwrap_or_else(|fault| {
            self.misheard(line, &fault, desk);
            true
        })
    }

    fn overheard(&mut self, begin: &str, desk: &mut Desk) {
        self.misheard(begin, &too_long(), desk);
    }

    fn tell(&mut self, info: &Info, desk: &mut Desk) {
        if info.line > 1 {
            return;
        }
        let Some(expected) = self.expected.front_mut() else { return };
        expected.clone_from(&info.moves);
        let seconds = info.time.as_secs_f64();
        let said = hub::Info {
            depth: Some(info.depth),
            mean_depth: Some(info.furthest.max(info.depth).into()),
            // A win in `n` plies is 100 - n / 100 men, as Scan has it.
            score: Some(match info.worth {
                Worth::Hundredths(n) => f64::from(n) / 100.0,
                Worth::Wins(n) => f64::from(n.signum()) * (10_000.0 - f64::from(n.abs().min(900))) / 100.0,
            }),
            nodes: Some(info.nodes),
            time: Some((seconds * 1000.0).round() / 1000.0),
            speed: Some((info.nodes as f64 / seconds.max(1e-6) / 1e6 * 100.0).round() / 100.0),
            line: info.moves.iter().filter_map(|text| Move::read(text).ok()).collect(),
        };
        desk.say(FromEngine::Info(said).line());
    }

    fn done(&mut self, answer: Result<String, Problem>, desk: &mut Desk) {
        let expected = self.expected.pop_front().unwrap_or_default();
        let read = |text: &String| Move::read(text).ok();
        match answer.as_ref().map(read) {
            Ok(Some(best)) => {
                let goes_on = expected.first() == answer.as_ref().ok();
                let ponder = expected.get(1).filter(|_| goes_on).and_then(read);
                desk.say(FromEngine::Done { best, ponder }.line());
            }
            Ok(None) => complain(&Problem::new("engine-no-position"), desk),
            Err(problem) => complain(problem, desk),
        }
    }
}
