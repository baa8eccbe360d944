//! Our engine as a program: it reads commands, searches, and answers in a standard engine protocol.
//!
//! Three threads: one reads lines, one searches, and the calling thread does the rest, so that `stop` and `ping` are
//! handled during a search. All input is answered or skipped; only `quit` and the end of input end the program, and
//! the latter lets a search with limits finish first. Every question gets its answer, in the order they were asked: a
//! `go` that follows during another search stops that one, which answers first.
//!
//! Reading order: `setup`, `desk` (the search queue), `voice` (the trait of a protocol), then a module for each protocol. [`dxp`] is different: two programs that
//! play each other over a network.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use external::Protocol;
use kernel::Problem;

mod setup;
mod faults;
mod desk;
mod voice;
pub mod dxp;
mod gomocup;
mod hub;
mod uci;

use desk::{Desk, Event};
pub use setup::{Maker, Say, Setup};
use voice::Voice;

/// The maximal length of a line, in bytes; of a longer one only the command is read.
const MOST_LINE: usize = protocol::uci::MOST_LINE;

/// The number of bytes of such a line that are kept to find its command.
const BEGINNING: usize = 64;

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
