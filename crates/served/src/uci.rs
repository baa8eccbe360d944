//! The engine's side of UCI and UCCI.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use kernel::{AnyGame, Problem, Side};
use protocol::uci::{Bound, FromEngine, Go, OptionType, Score, Setting, Start, ToEngine};
use protocol::{Fault, ucci, uci};

use super::desk::Desk;
use super::faults::{misread, too_long, unknown, within};
use catalog::Ruleset;
use engine_core::task::{self, Clock, Info, Limits, Task, Worth};
use engine_core::{Family, Level};
use external::dialect::Ranks;

mod tools;

/// The two dialects; UCI-Cyclone is handled with UCI.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Uci,
    Ucci,
}

pub(super) struct Voice {
    dialect: Dialect,
    ranks: Ranks,
    /// The current game; `None` if the last position was not understood.
    game: Option<Box<dyn AnyGame>>,
    fen: Option<String>,
    /// The moves that are banned in this position; UCCI only.
    banned: Vec<String>,
    lines: usize,
    threads: usize,
    level: u8,
    /// The Elo to play at, if the interface limits it; it takes precedence over the level.
    elo: Option<i64>,
    limits_elo: bool,
    /// The time reserved from every limit for the transmission of the move.
    overhead: Duration,
    shows_wdl: bool,
    seed: u64,
    in_ms: bool,
    /// True if the opponent offers a draw with this question; UCCI only.
    draw_offered: bool,
    /// The task of the normal search that follows a ponder hit.
    real: Option<Task>,
    /// The questions that are not answered yet, the oldest first.
    questions: VecDeque<Question>,
}

/// The state of a question until it is answered.
#[derive(Default)]
struct Question {
    /// The moves that may be played (`searchmoves`); empty: all.
    among: Vec<String>,
    ranks: Ranks,
    lines: usize,
    /// The moves of each line, as last sent.
    told: Vec<Vec<String>>,
    /// The value of the best line, as last sent.
    worth: Option<Worth>,
    /// True if only the value is asked for, no move.
    is_eval: bool,
    /// True if the opponent offers a draw with it.
    draw_offered: bool,
}

impl Question {
    /// Returns the best move among those that may be played.
    fn allowed(&self, best: String) -> String {
        let may = |text: &&String| self.among.is_empty() || self.among.contains(text);
        let ranked = self.told.iter().filter_map(|line| line.first());
        let chosen = [&best].into_iter().chain(ranked).find(may).or(self.among.first()).cloned();
        chosen.unwrap_or(best)
    }
}

/// The maximal size of the table, in MiB.
const MOST_MEMORY: i64 = 16 << 10;
/// The maximal number of threads.
const MOST_THREADS: i64 = 256;
/// The maximal number of lines.
const MOST_LINES: i64 = 64;
/// The maximal time reserved for the transmission of a move, in milliseconds.
const MOST_OVERHEAD: i64 = 5_000;
/// The value of `UCI_Variant` that changes nothing. Interfaces do not send a default value, so no game may be the
/// default: an interface that names a variant counts ranks as Fairy-Stockfish does.
const NO_VARIANT: &str = "none";
/// The largest number that all interfaces can read: some store it in 31 bits.
const MOST_NUMBER: i64 = i32::MAX as i64;
/// Options of UCCI 3.0 that every interface may send and that have no effect here: opening books and endgame tables
/// are chosen by us, and there is one search algorithm.
const UCCI_STANDARD: [&str; 14] = [
    "batch",
    "debug",
    "ponder",
    "usebook",
    "useegtb",
    "bookfiles",
    "egtbpaths",
    "evalapi",
    "idle",
    "promotion",
    "pruning",
    "knowledge",
    "randomness",
    "style",
];

impl Voice {
    pub(super) fn new(dialect: Dialect, rules: &Ruleset) -> Voice {
        Voice {
            dialect,
            ranks: Ranks::FromZero,
            game: rules.past_draws().open(None).ok(),
            fen: None,
            banned: Vec::new(),
            lines: 1,
            threads: 1,
            level: 0,
            elo: None,
            limits_elo: false,
            overhead: Duration::ZERO,
            shows_wdl: false,
            seed: 0,
            in_ms: false,
            draw_offered: false,
            real: None,
            questions: VecDeque::new(),
        }
    }

    fn greet(&self, desk: &mut Desk) {
        let name = format!("Qiguan {}", env!("CARGO_PKG_VERSION"));
        let author = "the authors of Qiguan".to_owned();
        let settings = self.settings(desk);
        match self.dialect {
            Dialect::Uci => {
                desk.say(FromEngine::Name(name).line());
                desk.say(FromEngine::Author(author).line());
                settings.into_iter().for_each(|setting| desk.say(FromEngine::Option(setting).line()));
                desk.say(FromEngine::UciOk.line());
            }
            Dialect::Ucci => {
                desk.say(ucci::FromEngine::Name(name).line());
                desk.say(ucci::FromEngine::Author(author).line());
                settings.into_iter().for_each(|setting| desk.say(ucci::FromEngine::Option(setting).line()));
                desk.say(ucci::FromEngine::UcciOk.line());
            }
        }
    }

    fn settings(&self, desk: &Desk) -> Vec<Setting> {
        let setting = |name: &str, kind| Setting { name: name.to_owned(), kind };
        let spin = |name: &str, usual: i64, min, max| setting(name, OptionType::Spin { usual, min, max });
        let memory = i64::try_from(desk.memory).unwrap_or(MOST_MEMORY);
        let mut all = match self.dialect {
            Dialect::Uci => vec![
                spin("Hash", memory, 1, MOST_MEMORY),
                setting("Clear Hash", OptionType::Button),
                setting("Ponder", OptionType::Check(false)),
            ],
            Dialect::Ucci => vec![
                setting("usemillisec", OptionType::Check(false)),
                setting("newgame", OptionType::Button),
                spin("hashsize", memory, 1, MOST_MEMORY),
            ],
        };
        all.push(spin("Threads", 1, 1, MOST_THREADS));
        all.push(spin("MultiPV", 1, 1, MOST_LINES));
        all.push(spin("Level", 0, 0, 10));
        all.push(spin("Seed", 0, 0, MOST_NUMBER));
        if self.dialect == Dialect::Uci {
            all.push(spin("Move Overhead", 0, 0, MOST_OVERHEAD));
            all.push(setting("UCI_LimitStrength", OptionType::Check(false)));
            let (least, most) = elo_of(desk);
            all.push(spin("UCI_Elo", most, least, most));
            all.push(setting("UCI_ShowWDL", OptionType::Check(false)));
            all.push(setting("UCI_AnalyseMode", OptionType::Check(false)));
            let values = catalog::ENTRIES.iter().map(|entry| entry.key.to_owned());
            let values = [NO_VARIANT.to_owned()].into_iter().chain(values).collect();
            all.push(setting("UCI_Variant", OptionType::Combo { usual: NO_VARIANT.to_owned(), values }));
            all.push(setting("Map", OptionType::Text(desk.rules().map.clone().unwrap_or_default())));
        }
        all
    }

    fn set(&mut self, name: &str, value: &str, desk: &mut Desk) -> Result<(), Problem> {
        let number = |least: i64, most: i64| within(name, value, least..=most);
        // UCCI has no blanks in names.
        match name.to_ascii_lowercase().replace('_', " ").as_str() {
            "hash" | "hashsize" => {
                desk.memory = number(1, MOST_MEMORY)? as usize;
                desk.forget();
            }
            "clear hash" | "newgame" => desk.forget(),
            "threads" => self.threads = number(1, MOST_THREADS)? as usize,
            "multipv" => self.lines = number(1, MOST_LINES)? as usize,
            "level" => self.level = number(0, 10)? as u8,
            "seed" => self.seed = number(0, u32::MAX.into())? as u64,
            "usemillisec" => self.in_ms = value == "true",
            "ponder" | "uci analysemode" | "uci chess960" | "uci opponent" => {}
            name if self.dialect == Dialect::Ucci && UCCI_STANDARD.contains(&name) => {}
            "move overhead" => self.overhead = Duration::from_millis(number(0, MOST_OVERHEAD)? as u64),
            "uci limitstrength" => self.limits_elo = value == "true",
            // Interfaces send what stands in their own lists: what lies beyond the ends is the ends.
            "uci elo" => self.elo = Some(number(0, 10_000)?),
            "uci showwdl" => self.shows_wdl = value == "true",
            "uci variant" if value == NO_VARIANT => {}
            "uci variant" if self.dialect == Dialect::Uci => {
                if value != desk.rules().key {
                    let rules = Ruleset::new(value, &catalog::Options::new())?;
                    self.take_up(rules, desk);
                }
                // Who names the variant counts as Fairy-Stockfish does.
                let xiangqi = desk.rules().family() == "xiangqi";
                self.ranks = if xiangqi { Ranks::FromOne } else { Ranks::FromZero };
            }
            "map" if self.dialect == Dialect::Uci => {
                if desk.rules().map.as_deref() != Some(value) {
                    let rules = Ruleset::of_map(Path::new(value), &catalog::Options::new());
                    self.take_up(rules?, desk);
                }
            }
            _ => return Err(Problem::new("engine-option").with("option", name)),
        }
        Ok(())
    }

    fn take_up(&mut self, rules: Ruleset, desk: &mut Desk) {
        desk.take_up(rules);
        (self.game, self.fen) = (desk.rules().open(None).ok(), None);
        self.ranks = Ranks::FromZero;
    }

    fn place(&mut self, start: Start, moves: &[String], desk: &Desk) -> Result<(), Problem> {
        (self.game, self.banned) = (None, Vec::new());
        self.fen = match start {
            Start::Usual => None,
            Start::Fen(fen) => Some(fen),
        };
        let moves: Vec<String> = moves.iter().map(|text| self.ranks.heard(text)).collect();
        self.game = Some(desk.rules().play(self.fen.as_deref(), &moves)?);
        Ok(())
    }

    /// Starts a search; `wanted`: the moves to search, all if it is empty.
    fn go(&mut self, limits: Limits, wanted: &[String], ponders: bool, endless: bool, desk: &mut Desk) {
        self.real = None;
        let Some(game) = &self.game else { return self.refuse(Problem::new("engine-no-position"), desk) };
        let all = if wanted.is_empty() && self.banned.is_empty() { Vec::new() } else { game.moves() };
        let known = |text: &&String| all.contains(text);
        let odd: Vec<String> = wanted.iter().filter(|text| !all.contains(text)).cloned().collect();
        let mut among: Vec<String> = wanted.iter().filter(known).cloned().collect();
        if among.is_empty() && !self.banned.is_empty() {
            among = all.iter().filter(|text| !self.banned.contains(text)).cloned().collect();
        }
        let limits = Limits {
            threads: self.threads,
            lines: self.lines,
            level: self.wanted_level(),
            scale: self.wanted_place(desk),
            seed: self.seed,
            among: among.clone(),
            ..limits
        };
        let mut task = Task { fen: self.fen.clone(), moves: game.record(), limits };
        if ponders {
            self.real = Some(task.clone());
            let limits = &mut task.limits;
            (limits.depth, limits.nodes, limits.time, limits.clock) = (None, None, None, None);
        }
        if !odd.is_empty() {
            self.complain(&Problem::new("engine-search-moves").with("moves", odd.join(" ")), desk);
        }
        let draw_offered = std::mem::take(&mut self.draw_offered);
        let question =
            Question { among, ranks: self.ranks, lines: self.lines, draw_offered, ..Question::default() };
        self.questions.push_back(question);
        desk.think(task, ponders || endless);
    }

    /// Returns the level to play at, unless the interface limits the Elo; `None`: full strength.
    fn wanted_level(&self) -> Option<Level> {
        if self.limits_elo { None } else { Level::new(self.level) }
    }

    /// Returns the point on the scale of strengths with the Elo that the interface wants; `None`: no limit, or one
    /// above the scale.
    fn wanted_place(&self, desk: &Desk) -> Option<f32> {
        let elo = self.elo.filter(|_| self.limits_elo)?;
        family(desk).ladder.place(i32::try_from(elo).unwrap_or(i32::MAX))
    }

    /// Subtracts the time reserved for the transmission of the move.
    fn less_overhead(&self, mut limits: Limits) -> Limits {
        const LEAST: Duration = Duration::from_millis(1);
        let less = |time: Duration| time.saturating_sub(self.overhead).max(LEAST.min(time));
        limits.time = limits.time.map(less);
        limits.clock = limits.clock.map(|clock| Clock { left: less(clock.left), ..clock });
        limits
    }

    /// Answers a question with the reason for which there is no move.
    fn refuse(&mut self, problem: Problem, desk: &mut Desk) {
        self.real = None;
        self.questions.push_back(Question::default());
        desk.refuse(problem);
    }

    /// Handles a line that was not understood. A `go` is answered nevertheless. If it set a position, the old one is
    /// discarded.
    fn misheard(&mut self, line: &str, fault: &Fault, desk: &mut Desk) {
        let problem = misread(fault);
        match line.split(|c: char| c.is_whitespace() || c.is_control()).find(|word| !word.is_empty()) {
            Some("go") => return self.refuse(problem, desk),
            Some("position" | "fen" | "startpos") => (self.game, self.banned) = (None, Vec::new()),
            _ => {}
        }
        self.complain(&problem, desk);
    }

    /// Handles a ponder hit: repeats the search with the real limits. The transposition table keeps the results so
    /// far.
    fn ponder_hit(&mut self, desk: &mut Desk) {
        let Some(task) = self.real.take() else { return };
        let endless = is_endless(&task.limits);
        if let Some(question) = self.questions.back_mut() {
            question.told.clear();
        }
        desk.think_again(task, endless);
    }

    fn stop(&mut self, desk: &mut Desk) {
        self.real = None;
        desk.stop();
    }

    /// Bans moves in this position; moves that are not legal are reported.
    fn ban(&mut self, moves: Vec<String>, desk: &mut Desk) {
        let legal = self.game.as_ref().map(|game| game.moves()).unwrap_or_default();
        let (known, odd): (Vec<_>, Vec<_>) = moves.into_iter().partition(|text| legal.contains(text));
        self.banned = known;
        if !odd.is_empty() {
            self.complain(&Problem::new("engine-search-moves").with("moves", odd.join(" ")), desk);
        }
    }

    fn complain(&self, problem: &Problem, desk: &mut Desk) {
        let info = uci::Info::text(desk.sentence(problem));
        desk.say(match self.dialect {
            Dialect::Uci => FromEngine::Info(info).line(),
            Dialect::Ucci => ucci::FromEngine::Info(info).line(),
        });
    }

    /// Sends the score of a game that is over, from the view of the side that would have to move: interfaces
    /// recognise a mate by it.
    fn tell_end(&self, desk: &mut Desk) {
        let Some(outcome) = self.game.as_ref().and_then(|game| game.outcome()) else { return };
        let turn = self.game.as_ref().map(|game| game.turn());
        let score = match outcome.winner() {
            Some(winner) if Some(winner) == turn => return,
            Some(_) => Score::Mate(0),
            None => Score::Hundredths(0),
        };
        let info = uci::Info { depth: Some(0), score: Some(score), ..uci::Info::default() };
        desk.say(match self.dialect {
            Dialect::Uci => FromEngine::Info(info).line(),
            Dialect::Ucci => ucci::FromEngine::Info(info).line(),
        });
    }

    fn nothing(&self, desk: &mut Desk) {
        desk.say(match self.dialect {
            Dialect::Uci => FromEngine::BestMove { best: None, ponder: None }.line(),
            Dialect::Ucci => ucci::FromEngine::NoBestMove.line(),
        });
    }

    fn hear_uci(&mut self, line: &str, desk: &mut Desk) -> Result<bool, Fault> {
        match ToEngine::read(line)? {
            Some(ToEngine::Uci) => self.greet(desk),
            Some(ToEngine::IsReady) => {
                desk.prepare();
                desk.say(FromEngine::ReadyOk.line());
            }
            Some(ToEngine::NewGame) => desk.forget(),
            Some(ToEngine::SetOption { name, value }) => {
                if let Err(problem) = self.set(&name, value.as_deref().unwrap_or_default(), desk) {
                    self.complain(&problem, desk);
                }
            }
            Some(ToEngine::Position { start, moves }) => {
                if let Err(problem) = self.place(start, &moves, desk) {
                    self.complain(&problem, desk);
                }
            }
            Some(ToEngine::Go(Go { perft: Some(depth), .. })) => self.count(depth, desk),
            Some(ToEngine::Show) => self.show(desk),
            Some(ToEngine::Eval) => self.eval(desk),
            Some(ToEngine::Bench(depth)) => self.bench(depth, desk),
            // Nothing is hidden that could be told besides, and nothing is sold.
            Some(ToEngine::Debug(_) | ToEngine::Register(_)) => {}
            Some(ToEngine::Go(go)) => {
                let wanted: Vec<String> = go.search_moves.iter().map(|m| self.ranks.heard(m)).collect();
                let turn = self.game.as_ref().map_or(Side::First, |game| game.turn());
                let limits = self.less_overhead(limits(&go, turn));
                let endless = go.infinite || is_endless(&limits);
                self.go(limits, &wanted, go.ponder, endless, desk);
            }
            Some(ToEngine::Stop) => self.stop(desk),
            Some(ToEngine::PonderHit) => self.ponder_hit(desk),
            Some(ToEngine::Quit) => return Ok(false),
            None if line.is_empty() => {}
            None => self.complain(&unknown(line), desk),
        }
        Ok(true)
    }

    fn hear_ucci(&mut self, line: &str, desk: &mut Desk) -> Result<bool, Fault> {
        use ucci::ToEngine;
        match ToEngine::read(line)? {
            Some(ToEngine::Ucci) => self.greet(desk),
            Some(ToEngine::IsReady) => {
                desk.prepare();
                desk.say(ucci::FromEngine::ReadyOk.line());
            }
            Some(ToEngine::NewGame) => desk.forget(),
            Some(ToEngine::SetOption { name, value }) => {
                if let Err(problem) = self.set(&name, value.as_deref().unwrap_or_default(), desk) {
                    self.complain(&problem, desk);
                }
            }
            Some(ToEngine::Position { start, moves }) => {
                if let Err(problem) = self.place(start, &moves, desk) {
                    self.complain(&problem, desk);
                }
            }
            Some(ToEngine::BanMoves(moves)) => self.ban(moves, desk),
            Some(ToEngine::Go(go)) => {
                let limits = self.ucci_limits(&go);
                self.draw_offered = go.aim == ucci::Aim::Draw;
                let endless = go.infinite || is_endless(&limits);
                self.go(limits, &[], go.aim == ucci::Aim::Ponder, endless, desk);
            }
            Some(ToEngine::PonderHit { draw }) => {
                if let Some(question) = self.questions.back_mut() {
                    question.draw_offered = draw;
                }
                self.ponder_hit(desk);
            }
            Some(ToEngine::Stop) => self.stop(desk),
            // The table is our own affair.
            Some(ToEngine::Probe { .. }) => {}
            Some(ToEngine::Quit) => {
                desk.say(ucci::FromEngine::Bye.line());
                return Ok(false);
            }
            None if line.is_empty() => {}
            None => self.complain(&unknown(line), desk),
        }
        Ok(true)
    }

    fn ucci_limits(&self, go: &ucci::Go) -> Limits {
        let unit = if self.in_ms { 1 } else { 1000 };
        let time = |n: u64| Duration::from_millis(n.saturating_mul(unit));
        let clock = go.time[0].map(|left| Clock {
            left: time(left),
            increment: time(go.increment[0].unwrap_or(0)),
            moves_to_go: go.moves_to_go[0],
        });
        // Programs that bring XBoard's words into UCCI say `go time 0 opptime 0 movetime 970`.
        let own = go.movetime.map(|n| Duration::from_millis(n.min(u64::from(u32::MAX))));
        let limits = Limits { depth: go.depth, nodes: go.nodes, time: own, clock, ..Limits::default() };
        if go.infinite { Limits::default() } else { limits }
    }
}

/// Returns a value as a score of the protocol. A win by the rule of repetition is a mate as well, as in other engines
/// for xiangqi.
fn score(worth: Worth) -> Score {
    // In moves: a mate in one or two plies of one's own is one move.
    let mate = |n: i32| Score::Mate(i64::from(if n > 0 { (n + 1) / 2 } else { (n - 1) / 2 }));
    match (worth, worth.by_rule()) {
        (Worth::Wins(n), _) | (_, Some(n)) => mate(n),
        (Worth::Hundredths(n), None) => Score::Hundredths(n.into()),
    }
}

/// Returns true for a side that accepts a draw: it does not stand better.
fn is_glad_of_a_draw(worth: Option<Worth>) -> bool {
    match worth {
        Some(Worth::Hundredths(n)) => n <= 0,
        Some(Worth::Wins(n)) => n < 0,
        None => false,
    }
}

/// Returns the family of the game that is played.
fn family(desk: &Desk) -> Family {
    engine::family(desk.rules().family()).expect("our engine plays every family of the catalogue")
}

/// Returns the Elo of the first level and of the last.
fn elo_of(desk: &Desk) -> (i64, i64) {
    let ladder = family(desk).ladder;
    let ends =
        [Level::all().next(), Some(Level::MOST)].map(|level| level.map_or(0, |level| ladder.elo(level)));
    (ends[0].into(), ends[1].into())
}

fn is_endless(limits: &Limits) -> bool {
    limits.depth.is_none() && limits.nodes.is_none() && limits.time.is_none() && limits.clock.is_none()
}

fn limits(go: &Go, turn: Side) -> Limits {
    let ms = |n: u64| Duration::from_millis(n.min(u64::from(u32::MAX)));
    let clock = go.time[turn.index()].map(|left| Clock {
        left: ms(left),
        increment: ms(go.increment[turn.index()].unwrap_or(0)),
        moves_to_go: go.moves_to_go,
    });
    let depth = go.depth.or(go.mate.map(|moves| moves.saturating_mul(2)));
    let limits = Limits { depth, nodes: go.nodes, time: go.movetime.map(ms), clock, ..Limits::default() };
    if go.infinite { Limits::default() } else { limits }
}

impl super::voice::Voice for Voice {
    fn hear(&mut self, line: &str, desk: &mut Desk) -> bool {
        let heard = match self.dialect {
            Dialect::Uci => self.hear_uci(line, desk),
            Dialect::Ucci => self.hear_ucci(line, desk),
        };
        heard.unwrap_or_else(|fault| {
            self.misheard(line, &fault, desk);
            true
        })
    }

    fn overheard(&mut self, begin: &str, desk: &mut Desk) {
        self.misheard(begin, &too_long(), desk);
    }

    fn tell(&mut self, info: &Info, desk: &mut Desk) {
        let line = info.line.max(1);
        let Some(question) = self.questions.front_mut() else { return };
        if line == 1 {
            question.worth = Some(info.worth);
        }
        if question.is_eval {
            return;
        }
        // Levels look at more lines than the user wants to see.
        if line > question.lines {
            return;
        }
        if question.told.len() < line {
            question.told.resize(line, Vec::new());
        }
        question.told[line - 1] = info.moves.clone();
        let (lines, ranks) = (question.lines, question.ranks);
        let ms = u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX);
        let said = uci::Info {
            depth: Some(info.depth),
            seldepth: Some(info.furthest),
            multipv: (lines > 1).then_some(line as u32),
            score: Some(score(info.worth)),
            wdl: self.shows_wdl.then(|| family(desk).chances.of(info.worth)),
            bound: match info.bound {
                task::Bound::Exact => Bound::Exact,
                task::Bound::Lower => Bound::Lower,
                task::Bound::Upper => Bound::Upper,
            },
            nodes: Some(info.nodes),
            nps: Some(info.nodes.saturating_mul(1000) / ms.max(1)),
            time: Some(ms),
            hashfull: Some(info.filled),
            pv: info.moves.iter().map(|text| ranks.told(text)).collect(),
            text: None,
        };
        desk.say(match self.dialect {
            Dialect::Uci => FromEngine::Info(said).line(),
            Dialect::Ucci => ucci::FromEngine::Info(said).line(),
        });
    }

    fn done(&mut self, answer: Result<String, Problem>, desk: &mut Desk) {
        let question = self.questions.pop_front().unwrap_or_default();
        let best = match answer {
            Ok(best) => question.allowed(best),
            Err(problem) => {
                self.complain(&problem, desk);
                if question.is_eval {
                    return;
                }
                self.tell_end(desk);
                return self.nothing(desk);
            }
        };
        if question.is_eval {
            return self.tell_eval(question.worth, desk);
        }
        let line = question.told.iter().find(|line| line.first() == Some(&best));
        let ponder = line.and_then(|line| line.get(1)).map(|text| question.ranks.told(text));
        let best = question.ranks.told(&best);
        desk.say(match self.dialect {
            Dialect::Uci => FromEngine::BestMove { best: Some(best), ponder }.line(),
            Dialect::Ucci => {
                let draw = question.draw_offered && is_glad_of_a_draw(question.worth);
                let resign = matches!(question.worth, Some(Worth::Wins(n)) if n < 0);
                ucci::FromEngine::BestMove(ucci::Best { best, ponder, draw, resign }).line()
            }
        });
    }
}
