//! Driver of programs that speak Hub, in either version.

use std::time::{Duration, Instant};

use kernel::{AnyGame, Problem};
use protocol::hub::{self, FromEngine, Go, Level, ParameterType, ToEngine};
use protocol::{Move, hub1};

use super::driver::{Answer, SearchInfo, wait};
use super::process::Process;
use super::{Config, driver};
use catalog::Ruleset;
use engine_core::{Limits, Task, Worth};

use crate::dialect;

/// The versions of Hub.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

pub(super) struct Driver {
    version: Version,
}

/// Returns Hub's name of a variant: Scan's name where there is one, else the part of our key after the slash.
#[must_use]
pub fn variant(key: &str) -> &str {
    match key {
        "draughts/international" => "normal",
        "draughts/breakthrough" => "bt",
        key => key.strip_prefix("draughts/").unwrap_or(key),
    }
}

impl Driver {
    pub(super) fn new(version: Version) -> Driver {
        Driver { version }
    }

    fn level(&self, limits: &Limits) -> Vec<String> {
        match self.version {
            Version::One => level_one(limits),
            Version::Two => vec![ToEngine::Level(level_two(limits)).line()],
        }
    }
}

fn level_two(limits: &Limits) -> Level {
    let mut level = Level {
        depth: limits.depth,
        nodes: limits.nodes,
        move_time: limits.time.map(|time| time.as_secs_f64()),
        ..Level::default()
    };
    if let (Some(clock), None) = (limits.clock, limits.time) {
        // The engine adds the increment before it thinks, and our clock holds it already.
        level.time = Some(clock.left.saturating_sub(clock.increment).as_secs_f64());
        level.increment = Some(clock.increment.as_secs_f64());
        level.moves = clock.moves_to_go;
    }
    level.infinite = level == Level::default();
    level
}

/// Returns the limits for version 1. It has no limit on positions; searches limited in that way are bounded by an
/// hour.
fn level_one(limits: &Limits) -> Vec<String> {
    let ms = |time: Duration| u32::try_from(time.as_millis()).unwrap_or(u32::MAX).min(999_999_999);
    let mut said = Vec::new();
    if let Some(depth) = limits.depth {
        said.push(hub1::ToEngine::Depth(depth).line());
    }
    match (limits.time, limits.clock) {
        (Some(time), _) => said.push(hub1::ToEngine::Time(ms(time)).line()),
        (None, Some(clock)) => {
            let (moves, time) = (clock.moves_to_go.unwrap_or(0), ms(clock.left));
            said.push(hub1::ToEngine::Level { moves, time, increment: ms(clock.increment) }.line());
        }
        (None, None) if limits.depth.is_none() => {
            said.push(hub1::ToEngine::Time(ms(Duration::from_secs(3600))).line());
        }
        (None, None) => {}
    }
    said
}

/// Converts a score. In Scan, a win in `n` plies is `100 - n / 100` men.
fn worth(score: f64) -> Worth {
    let hundredths = (score * 100.0).clamp(-1e6, 1e6).round() as i32;
    let plies = 10_000 - hundredths.abs();
    match hundredths.abs() > 9_000 && plies > 0 {
        true => Worth::Wins(plies * hundredths.signum()),
        false => Worth::Hundredths(hundredths),
    }
}

fn told(depth: Option<u32>, score: f64, nodes: u64, line: Vec<Move>) -> Answer {
    Answer::Info(SearchInfo {
        depth: depth.unwrap_or(0),
        furthest: 0,
        line: 1,
        worth: worth(score),
        bound: None,
        nodes,
        filled: 0,
        moves: line.into_iter().map(|m| m.sorted().text()).collect(),
    })
}

impl driver::Driver for Driver {
    fn greet(
        &mut self,
        to: &mut Process,
        config: &Config,
        rules: &Ruleset,
        _: usize,
        until: Instant,
    ) -> Result<(), Problem> {
        to.say(ToEngine::Hub.line())?;
        let mut variants = None;
        let version = self.version;
        wait(to, until, |line| match version {
            Version::One => {
                matches!(hub1::FromEngine::read(line), Ok(Some(hub1::FromEngine::Wait))).then_some(())
            }
            Version::Two => match FromEngine::read(line) {
                Ok(Some(FromEngine::Param(param))) if param.name == "variant" => {
                    variants = Some(param.kind);
                    None
                }
                Ok(Some(FromEngine::Wait)) => Some(()),
                _ => None,
            },
        })?;
        let wanted = variant(&rules.key);
        let known = match &variants {
            Some(ParameterType::Enum(values)) => values.iter().any(|value| value == wanted),
            Some(_) => true,
            None => wanted == "normal",
        };
        if !known {
            return Err(driver::no_such_game(config, rules));
        }
        let mut set = |name: &str, value: String| {
            to.say(match version {
                Version::One => hub1::ToEngine::Set { name: name.to_owned(), value }.line(),
                Version::Two => ToEngine::SetParam { name: name.to_owned(), value }.line(),
            })
        };
        if variants.is_some() && !config.options.contains_key("variant") {
            set("variant", wanted.to_owned())?;
        }
        for (name, value) in &config.options {
            set(name, value.to_string())?;
        }
        to.say(ToEngine::Init.line())?;
        wait(to, until, |line| (line.split_whitespace().next() == Some("ready")).then_some(()))
    }

    fn new_game(&mut self, to: &mut Process, _: &Ruleset, until: Instant) -> Result<(), Problem> {
        to.say(match self.version {
            Version::One => hub1::ToEngine::New.line(),
            Version::Two => ToEngine::NewGame.line(),
        })?;
        to.say(ToEngine::Ping.line())?;
        wait(to, until, |line| (line == "pong").then_some(()))
    }

    fn ask(
        &mut self,
        to: &mut Process,
        rules: &Ruleset,
        task: &Task,
        game: &dyn AnyGame,
    ) -> Result<(), Problem> {
        let record = game.record();
        let (place, from) = dialect::since_last_change(rules, task.fen.as_deref(), &record)?;
        let moves: Vec<Move> = record[from..].iter().filter_map(|text| Move::read(text).ok()).collect();
        match self.version {
            Version::One => {
                to.say(hub1::ToEngine::Position(place).line())?;
                for m in moves {
                    to.say(hub1::ToEngine::Move(m).line())?;
                }
            }
            Version::Two => to.say(ToEngine::Position { place, moves }.line())?,
        }
        for line in self.level(&task.limits) {
            to.say(line)?;
        }
        to.say(match self.version {
            Version::One => hub1::ToEngine::Go.line(),
            Version::Two => ToEngine::Go(Go::Think).line(),
        })
    }

    fn hear(&mut self, line: &str, _: &dyn AnyGame) -> Option<Answer> {
        match self.version {
            Version::One => match hub1::FromEngine::read(line).ok()?? {
                hub1::FromEngine::Info(info) => {
                    Some(told(Some(info.depth), f64::from(info.score) / 100.0, info.nodes, info.line))
                }
                hub1::FromEngine::Move { best, .. } => Some(Answer::Move(best.sorted().text())),
                hub1::FromEngine::Error(_) => Some(Answer::None),
                _ => None,
            },
            Version::Two => match FromEngine::read(line).ok()?? {
                FromEngine::Info(hub::Info { depth, score: Some(score), nodes, line, .. }) => {
                    Some(told(depth, score, nodes.unwrap_or(0), line))
                }
                FromEngine::Done { best, .. } => Some(Answer::Move(best.sorted().text())),
                // It will not answer what it did not understand.
                FromEngine::Error(_) => Some(Answer::None),
                _ => None,
            },
        }
    }

    fn stop(&self) -> &'static str {
        "stop"
    }
}
