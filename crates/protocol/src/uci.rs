//! UCI: engines on standard input and output, for any game whose moves are words.
//!
//! Sources: "Description of the universal chess interface" by Stefan Meyer-Kahlen (April 2006), and what Pikafish and
//! Fairy-Stockfish add to it for xiangqi. Moves and FENs are passed on as they are written: which ranks a square of
//! xiangqi has is a matter between the two programs (`docs/protocols.md`). UCI-Cyclone, an older dialect for xiangqi,
//! leaves out the word `position`; it is read, and [`ToEngine::cyclone`] writes it.
//!
//! Words that we do not know are skipped, as the protocol asks.
//!
//! ```
//! use protocol::uci::{FromEngine, Go, Score, ToEngine};
//!
//! let go = Go { movetime: Some(100), ..Go::default() };
//! assert_eq!(ToEngine::read("go movetime 100"), Ok(Some(ToEngine::Go(go))));
//! let Ok(Some(FromEngine::Info(info))) = FromEngine::read("info depth 3 score cp -7 pv h2e2 h9g7") else { panic!() };
//! assert_eq!((info.depth, info.score, info.pv.len()), (Some(3), Some(Score::Hundredths(-7)), 2));
//! ```

use crate::Fault;
use crate::words::{Sentence, Words};

mod info;
mod option;

pub use info::{Bound, Info, Score};
pub use option::{OptionType, Setting};

pub(crate) use info::Scores;
pub(crate) use option::Naming;

/// The longest line read, in bytes: a game of locked chess may have some ten thousand steps.
pub const MOST_LINE: usize = 256 << 10;

/// The position from which the moves are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The usual start.
    Usual,
    /// The position of that FEN.
    Fen(String),
}

/// The limits of a search. A limit that is `None` does not apply. Times are in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Searches in the opponent's time (pondering): the expected move is already in the position.
    pub ponder: bool,
    /// Searches until `stop`.
    pub infinite: bool,
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// The most positions searched.
    pub nodes: Option<u64>,
    /// Searches for a mate in this number of moves.
    pub mate: Option<u32>,
    /// The time for this move.
    pub movetime: Option<u64>,
    /// The time left on the clock of the first side (`wtime`) and the second (`btime`).
    pub time: [Option<u64>; 2],
    /// The increment per move of either side.
    pub increment: [Option<u64>; 2],
    /// The number of moves until the clock is filled again.
    pub moves_to_go: Option<u32>,
    /// The moves to consider at the root; empty for all.
    pub search_moves: Vec<String>,
    /// The depth of a perft, which counts move paths instead of searching (`go perft 4`).
    pub perft: Option<u32>,
}

/// A command from a program to its engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToEngine {
    /// Asks the engine to speak UCI.
    Uci,
    /// Asks the engine to answer with `ReadyOk` once it has carried out the commands before.
    IsReady,
    /// Sets a setting; `None` for a button.
    SetOption {
        /// The name of the setting, as the engine told it.
        name: String,
        /// The new value of the setting.
        value: Option<String>,
    },
    /// Announces another game: the next position is unrelated to those before.
    NewGame,
    /// Sets the position: a start and the moves played since.
    Position {
        /// The position from which the moves are played.
        start: Start,
        /// The moves played since.
        moves: Vec<String>,
    },
    /// Searches the position within these limits.
    Go(Go),
    /// Stops the search; the engine answers with its move.
    Stop,
    /// Reports that the expected move was played.
    PonderHit,
    /// Shows the position (`d`), for testers.
    Show,
    /// Shows the static evaluation of the position, without a search (`eval`).
    Eval,
    /// Benchmark: searches some positions to a depth and reports positions per second (`bench`).
    Bench(Option<u32>),
    /// Switches debug messages on (`debug on`) or off.
    Debug(bool),
    /// An answer of the user to an engine with copy protection (`register later`).
    Register(String),
    /// Ends the engine.
    Quit,
}

/// Commands of one word.
const PLAIN: [(&str, ToEngine); 8] = [
    ("uci", ToEngine::Uci),
    ("isready", ToEngine::IsReady),
    ("ucinewgame", ToEngine::NewGame),
    ("stop", ToEngine::Stop),
    ("ponderhit", ToEngine::PonderHit),
    ("d", ToEngine::Show),
    ("eval", ToEngine::Eval),
    ("quit", ToEngine::Quit),
];

impl ToEngine {
    /// Reads a line; `None` for an empty one and for a command that we do not know.
    ///
    /// # Errors
    /// `line-too-long`, `argument-missing`, `number`, and `position` where neither `startpos` nor `fen` stands.
    pub fn read(line: &str) -> Result<Option<ToEngine>, Fault> {
        let mut words = Words::of(line, MOST_LINE)?;
        let Some(command) = words.peek() else { return Ok(None) };
        if let Some((_, plain)) = PLAIN.iter().find(|(word, _)| *word == command) {
            return Ok(Some(plain.clone()));
        }
        Ok(Some(match command {
            "position" | "fen" | "startpos" => {
                words.take("position");
                read_position(&mut words)?
            }
            "setoption" => {
                words.next();
                read_set_option(&mut words)?
            }
            "go" => {
                words.next();
                ToEngine::Go(read_go(&mut words)?)
            }
            "bench" => {
                words.next();
                let depth = words.peek().is_some().then(|| words.small("depth")).transpose()?;
                ToEngine::Bench(depth)
            }
            "debug" => {
                words.next();
                ToEngine::Debug(words.next() != Some("off"))
            }
            "register" => {
                words.next();
                ToEngine::Register(words.rest().join(" "))
            }
            _ => return Ok(None),
        }))
    }

    /// Writes it as a line, without the line break.
    #[must_use]
    pub fn line(&self) -> String {
        if let Some((word, _)) = PLAIN.iter().find(|(_, plain)| plain == self) {
            return (*word).to_owned();
        }
        match self {
            ToEngine::SetOption { name, value } => {
                Sentence::new("setoption").known("name", Some(name)).known("value", value.as_ref()).done()
            }
            ToEngine::Position { start, moves } => write_position(Sentence::new("position"), start, moves),
            ToEngine::Go(go) => write_go(go),
            ToEngine::Bench(depth) => match depth {
                Some(depth) => format!("bench {depth}"),
                None => "bench".to_owned(),
            },
            ToEngine::Debug(on) => format!("debug {}", if *on { "on" } else { "off" }),
            ToEngine::Register(how) => Sentence::new("register").push(how).done(),
            _ => unreachable!("commands of one word were written above"),
        }
    }

    /// Writes it as UCI-Cyclone has it: a position without the word `position`.
    #[must_use]
    pub fn cyclone(&self) -> String {
        let line = self.line();
        line.strip_prefix("position ").map_or(line.clone(), str::to_owned)
    }
}

pub(crate) fn read_position(words: &mut Words) -> Result<ToEngine, Fault> {
    let start = match words.needed("position")? {
        "startpos" => Start::Usual,
        "fen" => match words.until(&["moves"]) {
            fen if fen.is_empty() => return Err(Fault::new("argument-missing", "fen")),
            fen => Start::Fen(fen),
        },
        other => return Err(Fault::new("position", other)),
    };
    let moves = if words.take("moves") { words.rest() } else { Vec::new() };
    Ok(ToEngine::Position { start, moves })
}

pub(crate) fn write_position(mut out: Sentence, start: &Start, moves: &[String]) -> String {
    match start {
        Start::Usual => out.push("startpos"),
        Start::Fen(fen) => out.push("fen").push(fen),
    };
    out.list("moves", moves).done()
}

fn read_set_option(words: &mut Words) -> Result<ToEngine, Fault> {
    words.take("name");
    let name = words.until(&["value"]);
    if name.is_empty() {
        return Err(Fault::new("argument-missing", "name"));
    }
    let value = words.take("value").then(|| words.rest().join(" "));
    Ok(ToEngine::SetOption { name, value })
}

/// The words that may stand behind `go`, which therefore end a list of moves.
const GO: [&str; 13] = [
    "ponder",
    "infinite",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "searchmoves",
    "perft",
];

fn read_go(words: &mut Words) -> Result<Go, Fault> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "depth" => go.depth = Some(words.small("depth")?),
            "nodes" => go.nodes = Some(words.large("nodes")?),
            "mate" => go.mate = Some(words.small("mate")?),
            "movetime" => go.movetime = Some(words.large("movetime")?),
            "wtime" => go.time[0] = Some(words.large("wtime")?),
            "btime" => go.time[1] = Some(words.large("btime")?),
            "winc" => go.increment[0] = Some(words.large("winc")?),
            "binc" => go.increment[1] = Some(words.large("binc")?),
            "movestogo" => go.moves_to_go = Some(words.small("movestogo")?),
            "perft" => go.perft = Some(words.small("perft")?),
            "searchmoves" => {
                go.search_moves = words.until(&GO).split_whitespace().map(str::to_owned).collect();
            }
            _ => {}
        }
    }
    Ok(go)
}

fn write_go(go: &Go) -> String {
    let mut out = Sentence::new("go");
    if go.ponder {
        out.push("ponder");
    }
    if go.infinite {
        out.push("infinite");
    }
    out.known("depth", go.depth).known("nodes", go.nodes).known("mate", go.mate);
    out.known("movetime", go.movetime);
    out.known("wtime", go.time[0]).known("btime", go.time[1]);
    out.known("winc", go.increment[0]).known("binc", go.increment[1]);
    out.known("movestogo", go.moves_to_go).known("perft", go.perft);
    out.list("searchmoves", &go.search_moves).done()
}

/// A message from an engine to its program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FromEngine {
    /// The name of the engine.
    Name(String),
    /// The author of the engine.
    Author(String),
    /// Announces a setting.
    Option(Setting),
    /// Reports that the engine has sent its name and all its settings.
    UciOk,
    /// Reports that the engine is ready for the next commands.
    ReadyOk,
    /// The progress of the search.
    Info(Info),
    /// The search is over.
    BestMove {
        /// The move to play; `None` if there is none.
        best: Option<String>,
        /// The answer that the engine expects.
        ponder: Option<String>,
    },
}

/// Words in place of a move that mean no move.
const NO_MOVE: [&str; 4] = ["(none)", "0000", "none", "null"];

impl FromEngine {
    /// Reads a line; `None` for an empty one and for a command that we do not know.
    ///
    /// # Errors
    /// `line-too-long`, `argument-missing`, `number`, and `kind` for a type of option that there is not.
    pub fn read(line: &str) -> Result<Option<FromEngine>, Fault> {
        let mut words = Words::of(line, MOST_LINE)?;
        Ok(Some(match words.next() {
            Some("id") => match words.next() {
                Some("name") => FromEngine::Name(words.rest().join(" ")),
                Some("author") => FromEngine::Author(words.rest().join(" ")),
                _ => return Ok(None),
            },
            Some("option") => FromEngine::Option(Setting::read(&mut words)?),
            Some("uciok") => FromEngine::UciOk,
            Some("readyok") => FromEngine::ReadyOk,
            Some("info") => FromEngine::Info(Info::read(&mut words)?),
            Some("bestmove") => {
                let best = Some(words.needed("bestmove")?.to_owned()).filter(|m| !NO_MOVE.contains(&&**m));
                let ponder = if words.take("ponder") { words.next().map(str::to_owned) } else { None };
                FromEngine::BestMove { best, ponder: ponder.filter(|m| !NO_MOVE.contains(&&**m)) }
            }
            _ => return Ok(None),
        }))
    }

    /// Writes it as a line, without the line break.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            FromEngine::Name(name) => Sentence::new("id name").push(name).done(),
            FromEngine::Author(author) => Sentence::new("id author").push(author).done(),
            FromEngine::Option(setting) => setting.line(Naming::Uci),
            FromEngine::UciOk => "uciok".to_owned(),
            FromEngine::ReadyOk => "readyok".to_owned(),
            FromEngine::Info(info) => info.line(Scores::Uci),
            FromEngine::BestMove { best, ponder } => {
                let best = best.as_deref().unwrap_or(NO_MOVE[0]);
                Sentence::new("bestmove").push(best).known("ponder", ponder.as_ref()).done()
            }
        }
    }
}
