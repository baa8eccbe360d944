//! Our engine as a program: it reads commands, searches, and answers in a standard engine protocol.
//!
//! Three threads: one reads lines, one searches, and the calling thread does the rest, so that `stop` and `ping` are
//! handled during a search. All input is answered or skipped; only `quit` and the end of input end the program, and
//! the latter lets a search with limits finish first. Every question gets its answer, in the order they were asked: a
//! `go` that follows during another search stops that one, which answers first.
//!
//! Reading order: `desk` (the search queue), then a module for each protocol. [`dxp`] is different: two programs that
//! play each other over a network.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use kernel::Problem;
use protocol::Fault;

use catalog::Ruleset;
use engine::Native;
use engine_core::{Engine, Info};
use external::Protocol;
use external::dialect;

mod desk;
pub mod dxp;
mod gomocup;
mod hub;
mod uci;

use desk::{Desk, Event};

/// The maximal length of a line, in bytes; of a longer one only the command is read.
const MOST_LINE: usize = protocol::uci::MOST_LINE;

/// The number of bytes of such a line that are kept to find its command.
const BEGINNING: usize = 64;

/// A function that returns the message of a problem.
pub type Say = Box<dyn Fn(&Problem) -> String + Send>;

/// A function that makes an engine for a game, with a transposition table of that size in MiB.
pub type Maker = Box<dyn FnMut(&Ruleset, usize) -> Box<dyn Engine> + Send>;

/// The engine to serve.
pub struct Setup {
    /// The first game; some protocols can change it.
    pub rules: Ruleset,
    /// The size of the transposition table, in MiB.
    pub memory: usize,
    /// Makes the engine, and again for another game.
    pub make: Maker,
    /// Makes the messages about lines that were not understood.
    pub say: Say,
}

impl Setup {
    /// Sets up an engine whose messages are the keys of problems.
    #[must_use]
    pub fn of(rules: Ruleset, memory: usize, make: Maker) -> Setup {
        Setup { rules, memory, make, say: Box::new(ToString::to_string) }
    }

    /// Sets up our own engine for that game.
    #[must_use]
    pub fn native(rules: Ruleset, memory: usize) -> Setup {
        Setup::of(rules, memory, Box::new(|rules, memory| Box::new(Native::of(rules, memory))))
    }
}

/// Returns the problem of a value outside of an option's range.
fn not_within(option: &str, value: &str, range: std::ops::RangeInclusive<i64>) -> Problem {
    let problem = Problem::new("option-not-within").with("option", option).with("value", value);
    problem.with("min", range.start()).with("max", range.end())
}

/// Reads a whole number within a range.
fn within(option: &str, value: &str, range: std::ops::RangeInclusive<i64>) -> Result<i64, Problem> {
    let number = value.trim().parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| not_within(option, value, range))
}

/// Returns the problem of a line that was not understood.
fn misread(fault: &Fault) -> Problem {
    Problem::new("protocol-misread").with("why", fault.key).with("found", &fault.found)
}

/// Returns the fault of a line that is too long.
fn too_long() -> Fault {
    Fault { key: "line-too-long", found: String::new() }
}

/// Returns the problem of a command that the protocol does not have.
fn unknown(line: &str) -> Problem {
    Problem::new("protocol-misread").with("why", "unknown-command").with("found", format!("{line:.60}"))
}

/// Returns the protocol that a first word belongs to, for programs that were started without one; `None` for a word
/// that several have.
#[must_use]
pub fn protocol_of(line: &str) -> Option<Protocol> {
    let word = line.split_whitespace().next()?;
    match word.to_ascii_lowercase().as_str() {
        "uci" => Some(Protocol::Uci),
        "ucci" => Some(Protocol::Ucci),
        "hub" => Some(Protocol::Hub),
        "start" | "rectstart" | "info" | "about" | "begin" | "board" => Some(Protocol::Gomocup),
        _ => None,
    }
}

/// The handler of one protocol.
trait Voice {
    /// Handles a line; false ends the session.
    fn hear(&mut self, line: &str, desk: &mut Desk) -> bool;
    /// Handles a line that is too long, of which only the beginning was kept.
    fn overheard(&mut self, begin: &str, desk: &mut Desk);
    /// Sends an intermediate result of the search.
    fn tell(&mut self, info: &Info, desk: &mut Desk);
    /// Sends the move that was found.
    fn done(&mut self, answer: Result<String, Problem>, desk: &mut Desk);
}

/// Serves one session, from the first line to the last.
///
/// # Errors
/// `engine-protocol` for a protocol that we do not serve, or not for that game.
pub fn serve(
    protocol: Protocol,
    setup: Setup,
    input: impl Read + Send + 'static,
    mut output: impl Write,
) -> Result<io::Result<()>, Problem> {
    if !protocol.plays(setup.rules.family()) {
        let problem = Problem::new("engine-protocol").with("protocol", protocol.key());
        return Err(problem.with("game", &setup.rules.key));
    }
    let mut voice: Box<dyn Voice> = match protocol {
        Protocol::Uci | Protocol::Cyclone => Box::new(uci::Voice::new(uci::Dialect::Uci, &setup.rules)),
        Protocol::Ucci => Box::new(uci::Voice::new(uci::Dialect::Ucci, &setup.rules)),
        Protocol::Hub => Box::new(hub::Voice::new(&setup.rules)?),
        Protocol::Gomocup => Box::new(gomocup::Voice::new(&setup.rules)?),
        Protocol::Hub1 | Protocol::Dxp => {
            let problem = Problem::new("engine-protocol").with("protocol", protocol.key());
            return Err(problem.with("game", &setup.rules.key));
        }
    };
    let (events, heard) = channel();
    let lines = events.clone();
    thread::spawn(move || read_lines(input, &lines));
    let mut desk = Desk::new(setup, events);
    let mut has_ended = false;
    while let Ok(event) = heard.recv() {
        let goes_on = match event {
            Event::Line(line) => voice.hear(&line, &mut desk),
            Event::TooLong(begin) => {
                voice.overheard(&begin, &mut desk);
                true
            }
            Event::End => {
                has_ended = true;
                desk.release_endless();
                true
            }
            Event::Aside(lines) => {
                desk.aside_done(lines);
                true
            }
            Event::Told(id, info) => {
                if desk.is_current(id) {
                    voice.tell(&info, &mut desk);
                }
                true
            }
            Event::Done(id, answer) => {
                desk.keep(id, answer);
                true
            }
        };
        while let Some(answer) = desk.take_answer() {
            voice.done(answer, &mut desk);
        }
        if let Err(why) = write_lines(&mut output, &mut desk) {
            desk.stop();
            return Ok(Err(why));
        }
        if !goes_on || (has_ended && !desk.is_thinking() && !desk.has_asides()) {
            break;
        }
    }
    desk.stop();
    Ok(Ok(()))
}

fn write_lines(output: &mut impl Write, desk: &mut Desk) -> io::Result<()> {
    let said = desk.said();
    if said.is_empty() {
        return Ok(());
    }
    for line in said {
        output.write_all(line.as_bytes())?;
        output.write_all(b"\n")?;
    }
    output.flush()
}

fn read_lines(input: impl Read, to: &Sender<Event>) {
    let mut input = BufReader::new(input);
    loop {
        let event = match next_line(&mut input) {
            Ok(Some(Ok(line))) => Event::Line(line),
            Ok(Some(Err(begin))) => Event::TooLong(begin),
            Ok(None) | Err(_) => Event::End,
        };
        let ends = matches!(event, Event::End);
        if to.send(event).is_err() || ends {
            return;
        }
    }
}

/// Reads the next line; of a line that is too long, its beginning as an error; `None` at the end.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    let mut begin = None;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    loop {
        let part = input.by_ref().take(MOST_LINE as u64).read_until(b'\n', &mut bytes)?;
        if part == 0 && bytes.is_empty() && begin.is_none() {
            return Ok(None);
        }
        if part == 0 || bytes.last() == Some(&b'\n') {
            return Ok(Some(begin.map_or_else(|| Ok(text(&bytes)), Err)));
        }
        if bytes.len() >= MOST_LINE {
            begin.get_or_insert_with(|| text(&bytes[..BEGINNING]));
            bytes.clear();
        }
    }
}
