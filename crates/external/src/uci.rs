//! Driver of programs that speak UCI, UCI-Cyclone or UCCI.

use std::time::{Duration, Instant};

use kernel::{AnyGame, Problem};
use protocol::ucci;
use protocol::uci::{self, FromEngine, Go, OptionType, Score, Setting, Start, ToEngine};

use super::driver::{Answer, SearchInfo, wait};
use super::process::Process;
use super::{Config, driver};
use crate::dialect::Ranks;
use catalog::Ruleset;
use engine_core::{Bound, Clock, Limits, Task, Worth};

/// The dialects of UCI.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Uci,
    Cyclone,
    Ucci,
}

pub(super) struct Driver {
    dialect: Dialect,
    settings: Vec<Setting>,
    ranks: Ranks,
    /// True if UCCI times are in milliseconds instead of seconds.
    in_ms: bool,
    /// The number of lines set last, kept so that the option is sent only on a change.
    lines: usize,
    threads: usize,
}

/// The option that chooses a game, in Fairy-Stockfish and in our engine.
const VARIANT: &str = "UCI_Variant";

impl Driver {
    pub(super) fn new(dialect: Dialect) -> Driver {
        Driver { dialect, settings: Vec::new(), ranks: Ranks::FromZero, in_ms: false, lines: 1, threads: 1 }
    }

    fn text(&self, said: &ToEngine) -> String {
        match (self.dialect, said) {
            (Dialect::Uci, said) => said.line(),
            (Dialect::Cyclone, said) => said.cyclone(),
            (Dialect::Ucci, ToEngine::SetOption { name, value }) => {
                ucci::ToEngine::SetOption { name: name.clone(), value: value.clone() }.line()
            }
            (Dialect::Ucci, said) => said.line(),
        }
    }

    fn set(&self, to: &mut Process, name: &str, value: impl ToString) -> Result<(), Problem> {
        let said = ToEngine::SetOption { name: name.to_owned(), value: Some(value.to_string()) };
        to.say(self.text(&said))
    }

    /// Returns the program's spelling of an option, found without regard to case.
    fn named(&self, name: &str) -> Option<String> {
        let found = self.settings.iter().find(|setting| setting.name.eq_ignore_ascii_case(name));
        found.map(|setting| setting.name.clone())
    }

    /// Chooses the game by `UCI_Variant`, if the program has that option.
    fn choose(&mut self, to: &mut Process, config: &Config, rules: &Ruleset) -> Result<(), Problem> {
        if config.options.contains_key(VARIANT) {
            self.ranks = self.ranks_of(rules);
            return Ok(());
        }
        let Some(Setting { kind: OptionType::Combo { usual, values }, .. }) =
            self.settings.iter().find(|setting| setting.name == VARIANT)
        else {
            return Ok(());
        };
        let wanted = [rules.key.as_str(), rules.family()];
        let known = |name: &&str| usual == *name || values.iter().any(|value| value == *name);
        let Some(variant) = wanted.into_iter().find(known) else {
            return Err(driver::no_such_game(config, rules));
        };
        self.set(to, VARIANT, variant)?;
        self.ranks = self.ranks_of(rules);
        Ok(())
    }

    /// Returns the numbering of ranks: programs that choose among games count the ranks of xiangqi from 1, in UCI
    /// alone.
    fn ranks_of(&self, rules: &Ruleset) -> Ranks {
        let fairy = self.dialect == Dialect::Uci && rules.family() == "xiangqi";
        if fairy { Ranks::FromOne } else { Ranks::FromZero }
    }

    fn ready(&mut self, to: &mut Process, until: Instant) -> Result<(), Problem> {
        to.say("isready")?;
        wait(to, until, |line| (line == "readyok").then_some(()))
    }

    fn go(&self, limits: &Limits) -> String {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        if self.dialect == Dialect::Ucci {
            return self.ucci_go(limits);
        }
        let mut go = Go {
            depth: limits.depth,
            nodes: limits.nodes,
            movetime: limits.time.map(|time| ms(time).max(1)),
            ..Go::default()
        };
        if let (Some(Clock { left, increment, moves_to_go }), None) = (limits.clock, limits.time) {
            // The other clock is not told to us; an equal one is the best guess.
            go.time = [Some(ms(left).max(1)); 2];
            go.increment = [Some(ms(increment)); 2];
            go.moves_to_go = moves_to_go;
        }
        go.infinite = go == Go::default();
        ToEngine::Go(go).line()
    }

    /// Formats a UCCI `go` command. UCCI has no time for one move: it is sent as a clock with one move to go.
    fn ucci_go(&self, limits: &Limits) -> String {
        let unit = |time: Duration| {
            let count = if self.in_ms { time.as_millis() } else { time.as_secs().into() };
            u64::try_from(count).unwrap_or(u64::MAX)
        };
        let clock = match (limits.time, limits.clock) {
            (Some(time), _) => Some(Clock { left: time, increment: Duration::ZERO, moves_to_go: Some(1) }),
            (None, clock) => clock,
        };
        let mut go = ucci::Go { depth: limits.depth, nodes: limits.nodes, ..ucci::Go::default() };
        if let Some(clock) = clock {
            go.time = [Some(unit(clock.left).max(1)); 2];
            match clock.moves_to_go {
                Some(moves) => go.moves_to_go = [Some(moves); 2],
                None => go.increment = [Some(unit(clock.increment)); 2],
            }
        }
        go.infinite = go == ucci::Go::default();
        ucci::ToEngine::Go(go).line()
    }

    fn told(&self, info: uci::Info) -> Option<SearchInfo> {
        let worth = match info.score? {
            Score::Hundredths(n) => Worth::Hundredths(n.clamp(-1_000_000, 1_000_000) as i32),
            // Mate in one move is one ply away; being mated in one move, two.
            Score::Mate(n) => {
                let n = n.clamp(-10_000, 10_000) as i32;
                Worth::Wins(if n > 0 { 2 * n - 1 } else { 2 * n })
            }
        };
        let bound = match info.bound {
            uci::Bound::Exact => Bound::Exact,
            uci::Bound::Lower => Bound::Lower,
            uci::Bound::Upper => Bound::Upper,
        };
        Some(SearchInfo {
            depth: info.depth.unwrap_or(0),
            furthest: info.seldepth.unwrap_or(0),
            line: info.multipv.unwrap_or(1) as usize,
            worth,
            bound: Some(bound),
            nodes: info.nodes.unwrap_or(0),
            filled: info.hashfull.unwrap_or(0),
            moves: info.pv.iter().map(|text| self.ranks.heard(text)).collect(),
        })
    }
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
        if self.dialect == Dialect::Ucci {
            to.say("ucci")?;
            let settings = &mut self.settings;
            wait(to, until, |line| match ucci::FromEngine::read(line) {
                Ok(Some(ucci::FromEngine::Option(setting))) => {
                    settings.push(setting);
                    None
                }
                Ok(Some(ucci::FromEngine::UcciOk)) => Some(()),
                _ => None,
            })?;
        } else {
            to.say("uci")?;
            let settings = &mut self.settings;
            wait(to, until, |line| match FromEngine::read(line) {
                Ok(Some(FromEngine::Option(setting))) => {
                    settings.push(setting);
                    None
                }
                Ok(Some(FromEngine::UciOk)) => Some(()),
                _ => None,
            })?;
        }
        self.choose(to, config, rules)?;
        let said = |name: &str| config.options.keys().any(|key| key.eq_ignore_ascii_case(name));
        for (name, value) in [("Hash", memory), ("hashsize", memory), ("Threads", 1)] {
            if let Some(name) = self.named(name).filter(|_| !said(name)) {
                self.set(to, &name, value)?;
            }
        }
        if let Some(map) = rules.map.as_ref().filter(|_| self.named("Map").is_some()) {
            self.set(to, "Map", map)?;
        }
        if self.dialect == Dialect::Ucci && self.named("usemillisec").is_some() {
            self.in_ms = true;
            self.set(to, "usemillisec", true)?;
        }
        for (name, value) in &config.options {
            self.set(to, name, value)?;
        }
        self.ready(to, until)
    }

    fn new_game(&mut self, to: &mut Process, _: &Ruleset, until: Instant) -> Result<(), Problem> {
        if self.dialect == Dialect::Ucci {
            if let Some(name) = self.named("newgame") {
                to.say(ucci::ToEngine::SetOption { name, value: None }.line())?;
            }
            // Fairy-Stockfish has a command for it; others skip a word they do not know.
            to.say(ucci::ToEngine::NewGame.line())?;
        } else {
            to.say("ucinewgame")?;
        }
        self.ready(to, until)
    }

    fn ask(&mut self, to: &mut Process, _: &Ruleset, task: &Task, game: &dyn AnyGame) -> Result<(), Problem> {
        let (lines, threads) = (task.limits.lines.max(1), task.limits.threads.max(1));
        if lines != self.lines && self.named("MultiPV").is_some() {
            self.set(to, "MultiPV", lines)?;
            self.lines = lines;
        }
        if threads != self.threads && self.named("Threads").is_some() {
            self.set(to, "Threads", threads)?;
            self.threads = threads;
        }
        // UCCI has no word for the usual start that all understand.
        let start = match &task.fen {
            None if self.dialect == Dialect::Uci => Start::Usual,
            _ => Start::Fen(game.start_fen()),
        };
        let moves = game.record().iter().map(|text| self.ranks.told(text)).collect();
        to.say(self.text(&ToEngine::Position { start, moves }))?;
        to.say(self.go(&task.limits))
    }

    fn hear(&mut self, line: &str, _: &dyn AnyGame) -> Option<Answer> {
        if self.dialect == Dialect::Ucci {
            return match ucci::FromEngine::read(line).ok()?? {
                ucci::FromEngine::Info(info) => self.told(info).map(Answer::Info),
                ucci::FromEngine::NoBestMove => Some(Answer::None),
                ucci::FromEngine::BestMove(best) if best.resign => Some(Answer::Resigns),
                ucci::FromEngine::BestMove(best) => Some(Answer::Move(best.best)),
                _ => None,
            };
        }
        match FromEngine::read(line).ok()?? {
            FromEngine::Info(info) => self.told(info).map(Answer::Info),
            FromEngine::BestMove { best: Some(best), .. } => Some(Answer::Move(self.ranks.heard(&best))),
            FromEngine::BestMove { best: None, .. } => Some(Answer::None),
            _ => None,
        }
    }

    fn stop(&self) -> &'static str {
        "stop"
    }
}
