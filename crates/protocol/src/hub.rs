//! Hub, version 2: draughts engines on standard input and output.
//!
//! Source: `protocol.txt` of Scan 3.1 by Fabien Letouzey. A line is a command and `name=value` arguments; a value
//! with a space, a `=` or nothing in it stands in double quotes, and an argument without a value is a flag. Commands
//! and arguments that we do not know are ignored, as the protocol asks.
//!
//! ```
//! use protocol::hub::{FromEngine, Go, ToEngine};
//!
//! assert_eq!(ToEngine::read("go think"), Ok(Some(ToEngine::Go(Go::Think))));
//! assert_eq!(ToEngine::read("dance on=table"), Ok(None));
//! let Ok(Some(FromEngine::Done { best, ponder })) = FromEngine::read("done move=28x19x23 ponder=14x23x19")
//! else { panic!() };
//! assert_eq!((best.captured.as_slice(), ponder.unwrap().text()), (&[23][..], "14x23x19".to_owned()));
//! ```

use crate::fault::{number, within};
use crate::{Colour, Fault, Move, Place};

/// The longest line read, in bytes: a position with a long game behind it, or a deep line of an engine.
pub const MOST_LINE: usize = 64 << 10;
/// The most arguments of a line.
const MOST_ARGUMENTS: usize = 64;
/// The longest time accepted, in seconds: a week.
const MOST_SECONDS: f64 = 7.0 * 24.0 * 3600.0;

/// A line, cut into its command and arguments, before they are interpreted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawCommand {
    /// The first word.
    pub command: String,
    /// Names and values, in order. A flag has an empty value.
    pub arguments: Vec<(String, String)>,
}

impl RawCommand {
    /// Cuts a line into its words.
    ///
    /// # Errors
    /// `line-too-long`, `line-empty`, `line-name` where a name should stand, `line-quote` for one that is not
    /// closed, `line-arguments` for too many.
    pub fn read(line: &str) -> Result<RawCommand, Fault> {
        let mut rest = within("line-too-long", line, MOST_LINE)?.trim();
        if rest.is_empty() {
            return Err(Fault::new("line-empty", line));
        }
        let command = take_name(&mut rest)?.to_owned();
        let mut arguments = Vec::new();
        while !rest.is_empty() {
            if arguments.len() == MOST_ARGUMENTS {
                return Err(Fault::new("line-arguments", rest));
            }
            let name = take_name(&mut rest)?.to_owned();
            let value = match rest.strip_prefix('=') {
                Some(after) => {
                    rest = after.trim_start();
                    take_value(&mut rest)?
                }
                None => "",
            };
            arguments.push((name, value.to_owned()));
        }
        Ok(RawCommand { command, arguments })
    }

    /// The value of the first argument of that name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    fn needed(&self, name: &'static str) -> Result<&str, Fault> {
        self.value(name).ok_or_else(|| Fault::new("argument-missing", name))
    }
}

/// The name in front, which ends at a space, `=` or quote, and the blanks behind it.
fn take_name<'a>(rest: &mut &'a str) -> Result<&'a str, Fault> {
    let end = rest.find(|c| !is_name_sign(c)).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    if name.is_empty() {
        return Err(Fault::new("line-name", *rest));
    }
    *rest = after.trim_start();
    Ok(name)
}

fn take_value<'a>(rest: &mut &'a str) -> Result<&'a str, Fault> {
    let Some(quoted) = rest.strip_prefix('"') else { return take_name(rest) };
    let (value, after) = quoted.split_once('"').ok_or_else(|| Fault::new("line-quote", *rest))?;
    *rest = after.trim_start();
    Ok(value)
}

fn is_name_sign(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !matches!(c, '=' | '"')
}

/// A line under construction. The protocol has no way to write a double quote or a line break, so values lose them.
struct Writer(String);

impl Writer {
    fn new(command: &str) -> Self {
        Writer(command.to_owned())
    }

    fn push(&mut self, name: &str, value: &str) {
        let plain: String = value.chars().map(|c| if c == '"' || c.is_control() { ' ' } else { c }).collect();
        let is_name = !plain.is_empty() && plain.chars().all(is_name_sign);
        let quote = if is_name { "" } else { "\"" };
        self.0.push_str(&format!(" {name}={quote}{plain}{quote}"));
    }

    fn push_known(&mut self, name: &str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.push(name, &value.to_string());
        }
    }

    fn push_flag(&mut self, name: &str) {
        self.0.push(' ');
        self.0.push_str(name);
    }
}

/// The mode of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Go {
    /// Searches for a move to play.
    Think,
    /// Searches in the opponent's time (pondering); the expected move is already in the position.
    Ponder,
    /// Analyses the position until stopped.
    Analyze,
}

impl Go {
    const ALL: [(&'static str, Go); 3] =
        [("think", Go::Think), ("ponder", Go::Ponder), ("analyze", Go::Analyze)];
}

/// The limits of a search. A limit that is `None` does not apply. Times are in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Level {
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
    /// The most positions searched.
    pub nodes: Option<u64>,
    /// The time for this move, in seconds.
    pub move_time: Option<f64>,
    /// The number of moves until the clock is filled again.
    pub moves: Option<u32>,
    /// The time left on the clock, in seconds.
    pub time: Option<f64>,
    /// The increment added before each move, in seconds.
    pub increment: Option<f64>,
    /// Searches until `stop`.
    pub infinite: bool,
}

/// A command from a program to its engine.
#[derive(Clone, PartialEq, Debug)]
pub enum ToEngine {
    /// Asks the engine to speak Hub.
    Hub,
    /// Sets a parameter of the engine; sent before `Init`.
    SetParam {
        /// The name of the parameter, as the engine told it.
        name: String,
        /// The new value of the parameter.
        value: String,
    },
    /// Makes the engine ready to play, with these parameters.
    Init,
    /// Sets the position, with the reversible moves made from it.
    Position {
        /// The position from which the moves are played.
        place: Place,
        /// The moves played from that position, in order.
        moves: Vec<Move>,
    },
    /// Sets the limits of the next search.
    Level(Level),
    /// Searches the position within these limits.
    Go(Go),
    /// Reports that the expected move was played.
    PonderHit,
    /// Stops the search; the engine answers with its move.
    Stop,
    /// Announces another game: the next position is unrelated to those before.
    NewGame,
    /// Asks the engine to answer with `Pong`, which shows that it still runs.
    Ping,
    /// Ends the engine.
    Quit,
}

/// Commands without arguments.
const PLAIN: [(&str, ToEngine); 7] = [
    ("hub", ToEngine::Hub),
    ("init", ToEngine::Init),
    ("ponder-hit", ToEngine::PonderHit),
    ("stop", ToEngine::Stop),
    ("new-game", ToEngine::NewGame),
    ("ping", ToEngine::Ping),
    ("quit", ToEngine::Quit),
];

impl ToEngine {
    /// Reads a line; `None` for an empty one and for a command that we do not know.
    ///
    /// # Errors
    /// The errors of [`RawCommand::read`], and `argument-missing`, `number`, `squares`, `turn`, `move`, `go`.
    pub fn read(line: &str) -> Result<Option<ToEngine>, Fault> {
        if line.trim().is_empty() {
            return Ok(None);
        }
        let line = RawCommand::read(line)?;
        if let Some((_, plain)) = PLAIN.iter().find(|(name, _)| *name == line.command) {
            return Ok(Some(plain.clone()));
        }
        Ok(Some(match line.command.as_str() {
            "set-param" => ToEngine::SetParam {
                name: line.needed("name")?.to_owned(),
                value: line.needed("value")?.to_owned(),
            },
            "pos" => ToEngine::Position {
                place: read_place(line.needed("pos")?)?,
                moves: read_moves(line.value("moves").unwrap_or_default())?,
            },
            "level" => ToEngine::Level(read_level(&line)?),
            "go" => ToEngine::Go(read_go(&line)?),
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
            ToEngine::SetParam { name, value } => {
                let mut out = Writer::new("set-param");
                out.push("name", name);
                out.push("value", value);
                out.0
            }
            ToEngine::Position { place, moves } => {
                let mut out = Writer::new("pos");
                out.push("pos", &write_place(place));
                if !moves.is_empty() {
                    out.push("moves", &write_moves(moves));
                }
                out.0
            }
            ToEngine::Level(level) => write_level(level),
            ToEngine::Go(go) => {
                let mut out = Writer::new("go");
                out.push_flag(Go::ALL.iter().find(|(_, g)| g == go).expect("all are listed").0);
                out.0
            }
            _ => unreachable!("commands without arguments were written above"),
        }
    }
}

fn read_place(text: &str) -> Result<Place, Fault> {
    let turn = match text.chars().next() {
        Some('W') => Colour::White,
        Some('B') => Colour::Black,
        _ => return Err(Fault::new("turn", text)),
    };
    Ok(Place { turn, squares: Place::squares_of(&text[1..], 'b', 'B')? })
}

fn write_place(place: &Place) -> String {
    let turn = if place.turn == Colour::White { 'W' } else { 'B' };
    format!("{turn}{}", place.signs('b', 'B'))
}

fn read_moves(text: &str) -> Result<Vec<Move>, Fault> {
    text.split_whitespace().map(Move::read).collect()
}

fn write_moves(moves: &[Move]) -> String {
    moves.iter().map(Move::text).collect::<Vec<_>>().join(" ")
}

fn read_go(line: &RawCommand) -> Result<Go, Fault> {
    let named = |name: &str| Go::ALL.into_iter().find(|(n, _)| *n == name).map(|(_, go)| go);
    let found = line.arguments.iter().find_map(|(name, _)| named(name));
    found.ok_or_else(|| Fault::new("go", line.arguments.first().map_or("", |(name, _)| name)))
}

fn read_level(line: &RawCommand) -> Result<Level, Fault> {
    let count = |name| line.value(name).map(number).transpose();
    let seconds = |name| line.value(name).map(read_seconds).transpose();
    Ok(Level {
        depth: count("depth")?,
        nodes: line.value("nodes").map(read_large).transpose()?,
        move_time: seconds("move-time")?,
        moves: count("moves")?,
        time: seconds("time")?,
        increment: seconds("inc")?,
        infinite: line.value("infinite").is_some(),
    })
}

fn write_level(level: &Level) -> String {
    let mut out = Writer::new("level");
    out.push_known("depth", level.depth);
    out.push_known("nodes", level.nodes);
    out.push_known("move-time", level.move_time);
    out.push_known("moves", level.moves);
    out.push_known("time", level.time);
    out.push_known("inc", level.increment);
    if level.infinite {
        out.push_flag("infinite");
    }
    out.0
}

/// Parses seconds; a negative time counts as 0, since a clock may have run out while the line was under way.
fn read_seconds(text: &str) -> Result<f64, Fault> {
    Ok(read_real(text)?.clamp(0.0, MOST_SECONDS))
}

fn read_real(text: &str) -> Result<f64, Fault> {
    let number = if text.len() <= 40 { text.parse::<f64>().ok() } else { None };
    number.filter(|n| n.is_finite()).ok_or_else(|| Fault::new("number", text))
}

fn read_large(text: &str) -> Result<u64, Fault> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| Fault::new("number", text))
}

/// The type of a parameter, with the values allowed.
#[derive(Clone, PartialEq, Debug)]
pub enum ParameterType {
    /// `true` or `false`.
    Bool,
    /// A whole number in a range.
    Int {
        /// The smallest value that may be set.
        min: i64,
        /// The largest value that may be set.
        max: i64,
    },
    /// A number in a range.
    Real {
        /// The smallest value that may be set.
        min: f64,
        /// The largest value that may be set.
        max: f64,
    },
    /// Any text without a line break.
    Text,
    /// One of these words.
    Enum(Vec<String>),
}

/// A parameter of an engine that the user can set.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// The name of the parameter.
    pub name: String,
    /// The current value of the parameter.
    pub value: String,
    /// The type of the parameter.
    pub kind: ParameterType,
}

/// The progress of a search. A value that is `None` was not sent.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Info {
    /// The depth reached, in plies.
    pub depth: Option<u32>,
    /// The mean depth of the lines searched, in plies.
    pub mean_depth: Option<f64>,
    /// The score in men, for the side to move.
    pub score: Option<f64>,
    /// The number of positions searched.
    pub nodes: Option<u64>,
    /// Seconds spent so far.
    pub time: Option<f64>,
    /// Million positions a second.
    pub speed: Option<f64>,
    /// The principal variation: the moves that the engine expects from both sides.
    pub line: Vec<Move>,
}

/// A message from an engine to its program.
#[derive(Clone, PartialEq, Debug)]
pub enum FromEngine {
    /// The identity of the engine.
    Id {
        /// The name of the parameter, as the engine told it.
        name: String,
        /// Its version; empty when not told.
        version: String,
        /// The author of the engine; empty when not told.
        author: String,
        /// The country of the author; empty when not told.
        country: String,
    },
    /// Announces a parameter that can be set.
    Param(Param),
    /// All parameters were sent; the engine waits for `Init`.
    Wait,
    /// Ready to search.
    Ready,
    /// The progress of the search.
    Info(Info),
    /// The search is over.
    Done {
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
    /// The errors of [`ToEngine::read`], and `kind` for a type of parameter that there is not.
    pub fn read(line: &str) -> Result<Option<FromEngine>, Fault> {
        if line.trim().is_empty() {
            return Ok(None);
        }
        let line = RawCommand::read(line)?;
        let text = |name| line.value(name).unwrap_or_default().to_owned();
        Ok(Some(match line.command.as_str() {
            "id" => FromEngine::Id {
                name: text("name"),
                version: text("version"),
                author: text("author"),
                country: text("country"),
            },
            "param" => FromEngine::Param(read_param(&line)?),
            "wait" => FromEngine::Wait,
            "ready" => FromEngine::Ready,
            "info" => FromEngine::Info(read_info(&line)?),
            "done" => FromEngine::Done {
                best: Move::read(line.needed("move")?)?,
                ponder: line.value("ponder").map(Move::read).transpose()?,
            },
            "pong" => FromEngine::Pong,
            "error" => FromEngine::Error(text("message")),
            _ => return Ok(None),
        }))
    }

    /// Writes it as a line, without the line break.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            FromEngine::Id { name, version, author, country } => {
                let mut out = Writer::new("id");
                for (key, value) in
                    [("name", name), ("version", version), ("author", author), ("country", country)]
                {
                    out.push_known(key, Some(value).filter(|v| !v.is_empty()));
                }
                out.0
            }
            FromEngine::Param(param) => write_param(param),
            FromEngine::Wait => "wait".to_owned(),
            FromEngine::Ready => "ready".to_owned(),
            FromEngine::Info(info) => write_info(info),
            FromEngine::Done { best, ponder } => {
                let mut out = Writer::new("done");
                out.push("move", &best.text());
                out.push_known("ponder", ponder.as_ref().map(Move::text));
                out.0
            }
            FromEngine::Pong => "pong".to_owned(),
            FromEngine::Error(message) => {
                let mut out = Writer::new("error");
                out.push("message", message);
                out.0
            }
        }
    }
}

fn read_param(line: &RawCommand) -> Result<Param, Fault> {
    let whole = |name, usual| line.value(name).map_or(Ok(usual), read_whole);
    let real = |name, usual| line.value(name).map_or(Ok(usual), read_real);
    let kind = match line.value("type").unwrap_or("string") {
        "bool" => ParameterType::Bool,
        "int" => ParameterType::Int { min: whole("min", i64::MIN)?, max: whole("max", i64::MAX)? },
        "real" => ParameterType::Real { min: real("min", f64::MIN)?, max: real("max", f64::MAX)? },
        "string" => ParameterType::Text,
        "enum" => ParameterType::Enum(line.needed("values")?.split_whitespace().map(str::to_owned).collect()),
        other => return Err(Fault::new("kind", other)),
    };
    Ok(Param {
        name: line.needed("name")?.to_owned(),
        value: line.value("value").unwrap_or_default().to_owned(),
        kind,
    })
}

fn read_whole(text: &str) -> Result<i64, Fault> {
    text.parse().map_err(|_| Fault::new("number", text))
}

fn write_param(param: &Param) -> String {
    let mut out = Writer::new("param");
    out.push("name", &param.name);
    out.push("value", &param.value);
    match &param.kind {
        ParameterType::Bool => out.push("type", "bool"),
        ParameterType::Int { min, max } => {
            out.push("type", "int");
            out.push_known("min", Some(min).filter(|&&n| n > i64::MIN));
            out.push_known("max", Some(max).filter(|&&n| n < i64::MAX));
        }
        ParameterType::Real { min, max } => {
            out.push("type", "real");
            out.push_known("min", Some(min).filter(|&&n| n > f64::MIN));
            out.push_known("max", Some(max).filter(|&&n| n < f64::MAX));
        }
        ParameterType::Text => out.push("type", "string"),
        ParameterType::Enum(values) => {
            out.push("type", "enum");
            out.push("values", &values.join(" "));
        }
    }
    out.0
}

fn read_info(line: &RawCommand) -> Result<Info, Fault> {
    let real = |name| line.value(name).map(read_real).transpose();
    Ok(Info {
        depth: line.value("depth").map(number).transpose()?,
        mean_depth: real("mean-depth")?,
        score: real("score")?,
        nodes: line.value("nodes").map(read_large).transpose()?,
        time: real("time")?,
        speed: real("nps")?,
        line: read_moves(line.value("pv").unwrap_or_default())?,
    })
}

fn write_info(info: &Info) -> String {
    let mut out = Writer::new("info");
    out.push_known("depth", info.depth);
    out.push_known("mean-depth", info.mean_depth);
    out.push_known("score", info.score);
    out.push_known("nodes", info.nodes);
    out.push_known("time", info.time);
    out.push_known("nps", info.speed);
    if !info.line.is_empty() {
        // In quotes always, as engines have it, for programs that look for them.
        out.0.push_str(&format!(" pv=\"{}\"", write_moves(&info.line)));
    }
    out.0
}
