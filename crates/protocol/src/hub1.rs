//! Hub, version 1: older draughts engines on standard input and output.
//!
//! Source: what Scan 2.0 reads and writes. A line is a command and values in a fixed order, with spaces between
//! them. It differs from version 2 in that the side to move is a small letter, times are in milliseconds, the score
//! is in hundredths of a man, and moves after a position are told one by one.

use crate::fault::{number, within};
use crate::hub::MOST_LINE;
use crate::{Colour, Fault, Move, Place};

/// A command from a program to its engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToEngine {
    /// Asks the engine to speak Hub.
    Hub,
    /// Sets a variable of the engine.
    Set {
        /// The name of the variable.
        name: String,
        /// The new value of the variable.
        value: String,
    },
    /// Makes the engine ready to play.
    Init,
    /// Announces another game: the next position is unrelated to those before.
    New,
    /// Sets the usual start.
    Start,
    /// Sets the position up.
    Position(Place),
    /// Plays this move.
    Move(Move),
    /// Searches to this depth, in plies.
    Depth(u32),
    /// Searches for this time, in milliseconds.
    Time(u32),
    /// Sets the clock.
    Level {
        /// Moves until the clock is filled again; 0 for the whole game.
        moves: u32,
        /// Milliseconds left to the side to move.
        time: u32,
        /// Milliseconds added each move.
        increment: u32,
    },
    /// Searches for a move to play.
    Go,
    /// Analyses the position until stopped.
    Analyse,
    /// Searches in the opponent's time (pondering).
    Ponder,
    /// Reports that the expected move was played.
    PonderHit,
    /// Stops the search; the engine answers with its move.
    Stop,
    /// Asks the engine to answer with `Pong`, which shows that it still runs.
    Ping,
    /// Ends the engine.
    Quit,
}

/// Commands without values.
const PLAIN: [(&str, ToEngine); 11] = [
    ("hub", ToEngine::Hub),
    ("init", ToEngine::Init),
    ("new", ToEngine::New),
    ("start", ToEngine::Start),
    ("go", ToEngine::Go),
    ("analyse", ToEngine::Analyse),
    ("ponder", ToEngine::Ponder),
    ("ponder-hit", ToEngine::PonderHit),
    ("stop", ToEngine::Stop),
    ("ping", ToEngine::Ping),
    ("quit", ToEngine::Quit),
];

impl ToEngine {
    /// Reads a line; `None` for an empty one and for a command that we do not know.
    ///
    /// # Errors
    /// `line-too-long`, `argument-missing`, `number`, `squares`, `turn`, `move`.
    pub fn read(line: &str) -> Result<Option<ToEngine>, Fault> {
        let mut words = within("line-too-long", line, MOST_LINE)?.split_whitespace();
        let Some(command) = words.next() else { return Ok(None) };
        if let Some((_, plain)) = PLAIN.iter().find(|(name, _)| *name == command) {
            return Ok(Some(plain.clone()));
        }
        let mut next = || words.next().ok_or_else(|| Fault::new("argument-missing", line));
        Ok(Some(match command {
            "set" => ToEngine::Set { name: next()?.to_owned(), value: next()?.to_owned() },
            "pos" => ToEngine::Position(read_place(next()?)?),
            "move" => ToEngine::Move(Move::read(next()?)?),
            "depth" => ToEngine::Depth(number(next()?)?),
            "time" => ToEngine::Time(number(next()?)?),
            "level" => ToEngine::Level {
                moves: number(next()?)?,
                time: number(next()?)?,
                increment: number(next()?)?,
            },
            _ => return Ok(None),
        }))
    }

    /// Writes it as a line, without the line break.
    #[must_use]
    pub fn line(&self) -> String {
        if let Some((name, _)) = PLAIN.iter().find(|(_, plain)| plain == self) {
            return (*name).to_owned();
        }
        match self {
            ToEngine::Set { name, value } => format!("set {} {}", word(name), word(value)),
            ToEngine::Position(place) => format!("pos {}", write_place(place)),
            ToEngine::Move(m) => format!("move {}", m.text()),
            ToEngine::Depth(plies) => format!("depth {plies}"),
            ToEngine::Time(ms) => format!("time {ms}"),
            ToEngine::Level { moves, time, increment } => format!("level {moves} {time} {increment}"),
            _ => unreachable!("commands without values were written above"),
        }
    }
}

/// Reduces a value to one word, since version 1 has no quotes.
fn word(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect()
}

fn read_place(text: &str) -> Result<Place, Fault> {
    let turn = match text.chars().next() {
        Some('w') => Colour::White,
        Some('b') => Colour::Black,
        _ => return Err(Fault::new("turn", text)),
    };
    Ok(Place { turn, squares: Place::squares_of(&text[1..], 'b', 'B')? })
}

fn write_place(place: &Place) -> String {
    let turn = if place.turn == Colour::White { 'w' } else { 'b' };
    format!("{turn}{}", place.signs('b', 'B'))
}

/// The progress of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// The depth reached, in plies.
    pub depth: u32,
    /// The mean depth of the lines searched, in plies.
    pub mean_depth: f64,
    /// The score in hundredths of a man, for the side to move.
    pub score: i32,
    /// The number of positions searched.
    pub nodes: u64,
    /// Seconds spent on the move.
    pub time: f64,
    /// Million positions a second.
    pub speed: f64,
    /// The principal variation: the moves that the engine expects from both sides.
    pub line: Vec<Move>,
}

/// A message from an engine to its program.
#[derive(Clone, PartialEq, Debug)]
pub enum FromEngine {
    /// Its name and version.
    Name(String),
    /// The author of the engine.
    Author(String),
    /// The country of the author.
    Country(String),
    /// Announces that variables may be set now.
    Wait,
    /// Ready to search.
    Ready,
    /// The progress of the search.
    Info(Info),
    /// The search is over.
    Move {
        /// The move to play.
        best: Move,
        /// The answer that the engine expects.
        ponder: Option<Move>,
    },
    /// The answer to `Ping`.
    Pong,
    /// An error message, in words.
    Error(String),
}

impl FromEngine {
    /// Reads a line; `None` for an empty one and for a command that we do not know.
    ///
    /// # Errors
    /// The errors of [`ToEngine::read`].
    pub fn read(line: &str) -> Result<Option<FromEngine>, Fault> {
        let line = within("line-too-long", line, MOST_LINE)?.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let mut words = rest.split_whitespace();
        let mut next = || words.next().ok_or_else(|| Fault::new("argument-missing", line));
        Ok(Some(match command {
            "name" => FromEngine::Name(rest.to_owned()),
            "author" => FromEngine::Author(rest.to_owned()),
            "country" => FromEngine::Country(rest.to_owned()),
            "wait" => FromEngine::Wait,
            "ready" => FromEngine::Ready,
            "pong" => FromEngine::Pong,
            "error" => FromEngine::Error(rest.to_owned()),
            "move" => FromEngine::Move {
                best: Move::read(next()?)?,
                ponder: words.next().map(Move::read).transpose()?,
            },
            "info" => FromEngine::Info(Info {
                depth: number(next()?)?,
                mean_depth: parsed(next()?)?,
                score: parsed(next()?)?,
                nodes: parsed(next()?)?,
                time: parsed(next()?)?,
                speed: parsed(next()?)?,
                line: words.map(Move::read).collect::<Result<_, _>>()?,
            }),
            _ => return Ok(None),
        }))
    }

    /// Writes it as a line, without the line break.
    #[must_use]
    pub fn line(&self) -> String {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self {
            FromEngine::Name(text) => format!("name {}", plain(text)),
            FromEngine::Author(text) => format!("author {}", plain(text)),
            FromEngine::Country(text) => format!("country {}", plain(text)),
            FromEngine::Wait => "wait".to_owned(),
            FromEngine::Ready => "ready".to_owned(),
            FromEngine::Pong => "pong".to_owned(),
            FromEngine::Error(text) => format!("error {}", plain(text)),
            FromEngine::Move { best, ponder } => {
                let ponder = ponder.as_ref().map(|m| format!(" {}", m.text())).unwrap_or_default();
                format!("move {}{ponder}", best.text())
            }
            FromEngine::Info(info) => {
                let Info { depth, mean_depth, score, nodes, time, speed, line } = info;
                let line: String = line.iter().map(|m| format!(" {}", m.text())).collect();
                format!("info {depth} {mean_depth} {score} {nodes} {time} {speed}{line}")
            }
        }
    }
}

/// Parses a number of a type that has no infinite values.
fn parsed<T: std::str::FromStr>(text: &str) -> Result<T, Fault> {
    let plain =
        text.len() <= 40 && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    text.parse().ok().filter(|_| plain).ok_or_else(|| Fault::new("number", text))
}
