//! UCCI: xiangqi engines on standard input and output.
//!
//! Source: "UCCI 3.0" of the ElephantEye project. It is like [`crate::uci`], with these differences: the clock is told
//! for the side to move (`time`) and its opponent (`opptime`), in seconds unless `usemillisec` is set; `banmoves` names
//! moves that repetition forbids; an engine may offer a draw, resign, or have no move; options have no word `name`.
//!
//! ```
//! use protocol::ucci::{FromEngine, ToEngine};
//!
//! assert_eq!(ToEngine::read("banmoves h2e2 b2e2"), Ok(Some(ToEngine::BanMoves(vec!["h2e2".into(), "b2e2".into()]))));
//! let Ok(Some(FromEngine::BestMove(best))) = FromEngine::read("bestmove h2e2 ponder h9g7 draw") else { panic!() };
//! assert!(best.draw && !best.resign);
//! ```

use crate::Fault;
use crate::uci::{self, Info, Naming, Scores, Setting, Start};
use crate::words::{Sentence, Words, words};

pub use crate::uci::MOST_LINE;

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aim {
    /// Searches for a move to play.
    #[default]
    Move,
    /// Searches for a move, and for the answer to the opponent's offer of a draw.
    Draw,
    /// Searches in the opponent's time (pondering).
    Ponder,
}

/// The limits and the purpose of a search. Times are in seconds, or in milliseconds once `usemillisec` is set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// The purpose of the search: a move, pondering, or the answer to an offer of a draw.
    pub aim: Aim,
    /// Searches until `stop`.
    pub infinite: bool,
    /// The deepest iteration, in plies.
    pub depth: Option<u32>,
    /// The most positions searched.
    pub nodes: Option<u64>,
    /// The time for this move in milliseconds, whatever the clock says. UCCI has no such word; XBoard's adapter
    /// UCI2WB sends it.
    pub movetime: Option<u64>,
    /// The time left on the clock of the side to move, and of its opponent.
    pub time: [Option<u64>; 2],
    /// The increment per move of the side to move, and of its opponent.
    pub increment: [Option<u64>; 2],
    /// The number of moves until the clock of each side is filled again.
    pub moves_to_go: [Option<u32>; 2],
}

/// A command from a program to its engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToEngine {
    /// Asks the engine to speak UCCI.
    Ucci,
    /// Asks the engine to answer with `ReadyOk`.
    IsReady,
    /// Sets a setting; `None` for a button, such as `newgame`.
    SetOption {
        /// The name of the setting, as the engine told it.
        name: String,
        /// The new value of the setting.
        value: Option<String>,
    },
    /// Announces another game: the next position is unrelated to those before (Fairy-Stockfish).
    NewGame,
    /// Sets the position: a start, usually after the last capture, and the moves played since.
    Position {
        /// The position from which the moves are played.
        start: Start,
        /// The moves played since.
        moves: Vec<String>,
    },
    /// Forbids these moves by the rule about repetition, until the next position is set.
    BanMoves(Vec<String>),
    /// Searches the position.
    Go(Go),
    /// Reports that the expected move was played.
    PonderHit {
        /// The opponent offers a draw with it.
        draw: bool,
    },
    /// Stops the search; the engine answers with its move.
    Stop,
    /// Asks for the entry of the transposition table for this position.
    Probe {
        /// The position from which the moves are played.
        start: Start,
        /// The moves played since.
        moves: Vec<String>,
    },
    /// Ends the engine.
    Quit,
}

/// Commands of one word.
const PLAIN: [(&str, ToEngine); 5] = [
    ("ucci", ToEngine::Ucci),
    ("isready", ToEngine::IsReady),
    ("uccinewgame", ToEngine::NewGame),
    ("stop", ToEngine::Stop),
    ("quit", ToEngine::Quit),
];

impl ToEngine {
    /// Reads a line; `None` for an empty one and for a command that we do not know.
    ///
    /// # Errors
    /// The errors of [`uci::ToEngine::read`].
    pub fn read(line: &str) -> Result<Option<ToEngine>, Fault> {
        let mut words = Words::of(line, MOST_LINE)?;
        let Some(command) = words.next() else { return Ok(None) };
        if let Some((_, plain)) = PLAIN.iter().find(|(word, _)| *word == command) {
            return Ok(Some(plain.clone()));
        }
        let position = |words: &mut Words| match uci::read_position(words)? {
            uci::ToEngine::Position { start, moves } => Ok((start, moves)),
            _ => unreachable!("a position was read"),
        };
        Ok(Some(match command {
            "position" => {
                let (start, moves) = position(&mut words)?;
                ToEngine::Position { start, moves }
            }
            "probe" => {
                let (start, moves) = position(&mut words)?;
                ToEngine::Probe { start, moves }
            }
            "banmoves" => ToEngine::BanMoves(words.rest()),
            "setoption" => {
                // Some programs write it as UCI has it.
                words.take("name");
                let name = words.needed("name")?.to_owned();
                words.take("value");
                let value = Some(words.rest().join(" ")).filter(|v| !v.is_empty());
                ToEngine::SetOption { name, value }
            }
            "ponderhit" => ToEngine::PonderHit { draw: words.take("draw") },
            "go" => ToEngine::Go(read_go(&mut words)?),
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
                let name = words(name).collect::<Vec<_>>().join("_");
                let value = value.as_deref().unwrap_or_default();
                let mut out = Sentence::new("setoption");
                // What looks like a word of UCI stands behind that word, as it is read.
                if name == "name" {
                    out.push("name");
                }
                out.push(&name);
                if words(value).next() == Some("value") {
                    out.push("value");
                }
                out.push(value).done()
            }
            ToEngine::Position { start, moves } => {
                uci::write_position(Sentence::new("position"), start, moves)
            }
            ToEngine::Probe { start, moves } => uci::write_position(Sentence::new("probe"), start, moves),
            ToEngine::BanMoves(moves) => Sentence::new("banmoves").push(&moves.join(" ")).done(),
            ToEngine::PonderHit { draw: true } => "ponderhit draw".to_owned(),
            ToEngine::PonderHit { draw: false } => "ponderhit".to_owned(),
            ToEngine::Go(go) => write_go(go),
            _ => unreachable!("commands of one word were written above"),
        }
    }
}

fn read_go(words: &mut Words) -> Result<Go, Fault> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        match word {
            "ponder" => go.aim = Aim::Ponder,
            "draw" => go.aim = Aim::Draw,
            "infinite" => go.infinite = true,
            "depth" if words.take("infinite") => go.infinite = true,
            "depth" => go.depth = Some(words.small("depth")?),
            "nodes" => go.nodes = Some(words.large("nodes")?),
            "time" => go.time[0] = Some(words.large("time")?),
            "opptime" => go.time[1] = Some(words.large("opptime")?),
            "movetime" => go.movetime = Some(words.large("movetime")?),
            "increment" => go.increment[0] = Some(words.large("increment")?),
            "oppincrement" => go.increment[1] = Some(words.large("oppincrement")?),
            "movestogo" => go.moves_to_go[0] = Some(words.small("movestogo")?),
            "oppmovestogo" => go.moves_to_go[1] = Some(words.small("oppmovestogo")?),
            _ => {}
        }
    }
    Ok(go)
}

fn write_go(go: &Go) -> String {
    let mut out = Sentence::new("go");
    match go.aim {
        Aim::Move => &mut out,
        Aim::Draw => out.push("draw"),
        Aim::Ponder => out.push("ponder"),
    };
    if go.infinite {
        out.push("infinite");
    }
    out.known("depth", go.depth).known("nodes", go.nodes).known("movetime", go.movetime);
    out.known("time", go.time[0]).known("movestogo", go.moves_to_go[0]);
    out.known("increment", go.increment[0]);
    out.known("opptime", go.time[1]).known("oppmovestogo", go.moves_to_go[1]);
    out.known("oppincrement", go.increment[1]).done()
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Best {
    /// The move it plays, as in `h2e2`.
    pub best: String,
    /// The answer that the engine expects.
    pub ponder: Option<String>,
    /// Set if the engine offers a draw, or accepts the offer that was made.
    pub draw: bool,
    /// Set if the engine resigns with this move.
    pub resign: bool,
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
    UcciOk,
    /// The answer to `isready`.
    ReadyOk,
    /// The progress of the search.
    Info(Info),
    /// The search is over.
    BestMove(Best),
    /// The search is over, and there is no move.
    NoBestMove,
    /// The engine ends; the answer to `quit`.
    Bye,
}

impl FromEngine {
    /// Reads a line; `None` for an empty one and for a command that we do not know.
    ///
    /// # Errors
    /// The errors of [`uci::FromEngine::read`].
    pub fn read(line: &str) -> Result<Option<FromEngine>, Fault> {
        let mut words = Words::of(line, MOST_LINE)?;
        Ok(Some(match words.next() {
            Some("id") => match words.next() {
                Some("name") => FromEngine::Name(words.rest().join(" ")),
                Some("author") => FromEngine::Author(words.rest().join(" ")),
                _ => return Ok(None),
            },
            Some("option") => FromEngine::Option(Setting::read(&mut words)?),
            Some("ucciok") => FromEngine::UcciOk,
            Some("readyok") => FromEngine::ReadyOk,
            Some("info") => FromEngine::Info(Info::read(&mut words)?),
            Some("nobestmove") => FromEngine::NoBestMove,
            Some("bye") => FromEngine::Bye,
            Some("bestmove") => {
                let mut best = Best { best: words.needed("bestmove")?.to_owned(), ..Best::default() };
                while let Some(word) = words.next() {
                    match word {
                        "ponder" => best.ponder = words.next().map(str::to_owned),
                        "draw" => best.draw = true,
                        "resign" => best.resign = true,
                        _ => {}
                    }
                }
                FromEngine::BestMove(best)
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
            FromEngine::Option(setting) => setting.line(Naming::Ucci),
            FromEngine::UcciOk => "ucciok".to_owned(),
            FromEngine::ReadyOk => "readyok".to_owned(),
            FromEngine::Info(info) => info.line(Scores::Ucci),
            FromEngine::NoBestMove => "nobestmove".to_owned(),
            FromEngine::Bye => "bye".to_owned(),
            FromEngine::BestMove(best) => {
                let mut out = Sentence::new("bestmove");
                out.push(&best.best).known("ponder", best.ponder.as_ref());
                if best.draw {
                    out.push("draw");
                }
                if best.resign {
                    out.push("resign");
                }
                out.done()
            }
        }
    }
}
