//! The protocol of Piskvork and Gomocup: brains for gomoku and renju on standard input and output.
//!
//! Sources: "New protocol of Piskvork" (`protocl2en.htm`) by Petr Laštovička, and the commands of Yixin and Rapfi that their
//! boards rely on. Coordinates count from 0 at the top left, `x` to the right, `y` down. A board comes in many lines,
//! so what a manager says is read by a [`Reader`] that remembers.
//!
//! ```
//! use protocol::gomocup::{Field, Point, Reader, ToBrain, Whose};
//!
//! let mut reader = Reader::default();
//! assert_eq!(reader.read("TURN 10,11"), Ok(Some(ToBrain::Turn(Point { x: 10, y: 11 }))));
//! assert_eq!(reader.read("BOARD"), Ok(None));
//! assert_eq!(reader.read("10,10,1"), Ok(None));
//! let stone = Field { at: Point { x: 10, y: 10 }, whose: Whose::Own };
//! assert_eq!(reader.read("DONE"), Ok(Some(ToBrain::Board { fields: vec![stone], think: true })));
//! ```

use crate::Fault;
use crate::fault::{number, within};

/// The longest line read, in bytes.
pub const MOST_LINE: usize = 4096;
/// The largest board spoken of, in lines.
pub const MOST_SIZE: u8 = 100;
/// The most stones of a board: one on each point of a board of 100.
const MOST_FIELDS: usize = MOST_SIZE as usize * MOST_SIZE as usize;

/// A point of the board, counted from 0 at the top left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    /// The column from the left, from 0.
    pub x: u8,
    /// The row from the top, from 0.
    pub y: u8,
}

impl Point {
    /// Reads `x,y`; blanks around the numbers do not matter.
    ///
    /// # Errors
    /// `point`.
    pub fn read(text: &str) -> Result<Point, Fault> {
        let wrong = || Fault::new("point", text);
        let (x, y) = text.split_once(',').ok_or_else(wrong)?;
        let line = |text: &str| {
            let n = number(text.trim()).ok().and_then(|n| u8::try_from(n).ok());
            n.filter(|&n| n < MOST_SIZE).ok_or_else(wrong)
        };
        Ok(Point { x: line(x)?, y: line(y)? })
    }

    /// Writes it as `x,y`.
    #[must_use]
    pub fn text(self) -> String {
        format!("{},{}", self.x, self.y)
    }
}

/// The owner of a stone on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// A stone of the engine that receives the board.
    Own,
    /// A stone of the other side.
    Opponent,
    /// Part of a winning line, or a forbidden point: no stone may be placed there.
    Marked,
}

/// A stone of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// The point of the stone.
    pub at: Point,
    /// The owner of the stone.
    pub whose: Whose,
}

/// A command from the manager to the brain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToBrain {
    /// Starts a game on a square board with this number of lines.
    Start(u8),
    /// Starts a game on a board with this number of columns and rows.
    RectStart(u8, u8),
    /// Starts another game on the same board.
    Restart,
    /// Asks the brain to play the first stone.
    Begin,
    /// Reports the opponent's move and asks for an answer.
    Turn(Point),
    /// Sets all stones, in the order in which they were played; the brain answers, unless it is Yixin's silent board.
    Board {
        /// The stones, one per line.
        fields: Vec<Field>,
        /// Set if the brain should answer with a move.
        think: bool,
    },
    /// Sends the stones of a swap2 opening so far; the brain answers with its choice.
    Swap2Board(Vec<Point>),
    /// Takes that stone back.
    TakeBack(Point),
    /// Makes the brain play the move it suggested, or the one the manager prefers.
    Play(Point),
    /// A setting or a fact for the brain; it sends no answer.
    Info {
        /// The name of the fact, one word in small letters.
        key: String,
        /// The value as it was written, without control characters.
        value: String,
    },
    /// Asks for the brain's name, version, author and country (`ABOUT`).
    About,
    /// Ends the engine.
    End,
    /// Stops the search; the brain plays its best move (`YXSTOP`, `STOP`).
    Stop,
    /// Asks for the points that are forbidden to Black (`YXSHOWFORBID`).
    ShowForbidden,
    /// Clears the transposition table (`YXHASHCLEAR`).
    ForgetTable,
    /// Asks for this number of best lines, then a move (`YXNBEST`).
    Best(u32),
    /// The swap2 opening as Yixin-Board plays it, step 1 to 3, on the board put up before: three stones, what is done after
    /// them, and which colour is taken after five.
    Swap2Step(u8),
    /// The Soosõrv-8 opening as Yixin-Board plays it, step 1 to 6.
    SoosorvStep {
        /// The number of the step, from 1 to 6.
        step: u8,
        /// The number of fifth moves that are offered; only in steps 4 and 5.
        count: u8,
        /// The stones so far, in the order they were played.
        points: Vec<Point>,
    },
    /// The opponent offers a draw (`YXDRAW`).
    Draw,
    /// The opponent gives up (`YXRESIGN`).
    Resign,
    /// Asks for the most threads and the largest table that the brain supports (`YXSHOWINFO`).
    ShowInfo,
    /// A list of Yixin-Board with its command, which our engine does not carry out.
    Unheard(String),
}

/// Commands of one word.
const PLAIN: [(&str, ToBrain); 14] = [
    ("RESTART", ToBrain::Restart),
    ("BEGIN", ToBrain::Begin),
    ("ABOUT", ToBrain::About),
    ("END", ToBrain::End),
    ("YXSTOP", ToBrain::Stop),
    ("STOP", ToBrain::Stop),
    ("YXSHOWFORBID", ToBrain::ShowForbidden),
    ("YXHASHCLEAR", ToBrain::ForgetTable),
    ("YXDRAW", ToBrain::Draw),
    ("YXRESIGN", ToBrain::Resign),
    ("YXSHOWINFO", ToBrain::ShowInfo),
    ("YXSWAP2STEP1", ToBrain::Swap2Step(1)),
    ("YXSWAP2STEP2", ToBrain::Swap2Step(2)),
    ("YXSWAP2STEP3", ToBrain::Swap2Step(3)),
];

/// Commands of Yixin-Board that are followed by a list of points and that we do not carry out. Those about its
/// database are further ones, except [`FILES`] and [`SAVE`].
const LISTS: [&str; 4] = ["YXBLOCK", "YXBLOCKUNDO", "YXBLOCKPATH", "YXBLOCKPATHUNDO"];
/// Commands of Yixin-Board that are followed by the name of a file on a line of its own.
const FILES: [&str; 6] = ["YXSETDATABASE", "YXHASHDUMP", "YXHASHLOAD", "YXDBTOPOS", "YXDBTOTXT", "YXTXTTODB"];
/// The words that begin and end a command about the database, and the one that stands alone.
const DATABASE: (&str, &str) = ("YX", "DATABASE");
const SAVE: &str = "YXSAVEDATABASE";

/// Returns true for a command with a list of points that we do not carry out.
fn has_list(word: &str) -> bool {
    let (begin, what) = DATABASE;
    LISTS.contains(&word) || (word.starts_with(begin) && word.contains(what) && word != SAVE)
}

/// Keys of `INFO` that only Yixin-Board sends to its engine.
const YIXIN_KEYS: [&str; 8] = [
    "show_detail",
    "usedatabase",
    "thread_split_depth",
    "caution_factor",
    "checkmate",
    "pondering",
    "hash_size",
    "nbestsym",
];

/// A board whose lines are still coming.
#[derive(Clone, Debug)]
enum Pending {
    Board {
        fields: Vec<Field>,
        think: bool,
    },
    Swap2(Vec<Point>),
    Soosorv {
        step: u8,
        count: u8,
        points: Vec<Point>,
    },
    Unheard {
        command: String,
        lines: usize,
    },
    /// The name of a file follows.
    File {
        command: String,
    },
}

/// A reader of a manager's commands, line by line.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    pending: Option<Pending>,
    is_yixin: bool,
}

impl Reader {
    /// Reads a line. `None` if no command is complete yet, as for an empty line and those of a board that has not
    /// ended.
    ///
    /// # Errors
    /// `unknown-command`, which is to be answered with `UNKNOWN`; `line-too-long`, `point`, `number`, `size`, `field`,
    /// `argument-missing` and `board-too-large`, with `ERROR`. A board with a fault is forgotten.
    pub fn read(&mut self, line: &str) -> Result<Option<ToBrain>, Fault> {
        let line = &plain(within("line-too-long", line, MOST_LINE)?);
        if line.is_empty() {
            return Ok(None);
        }
        match self.pending.take() {
            Some(pending) => self.continued(pending, line),
            None => self.command(line),
        }
    }

    /// Returns true if a board has begun and not ended, so that further lines belong to it.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.pending.is_some()
    }

    /// Returns true once a command came that only Yixin-Board sends; it numbers rules differently.
    #[must_use]
    pub fn is_yixin(&self) -> bool {
        self.is_yixin
    }

    fn continued(&mut self, mut pending: Pending, line: &str) -> Result<Option<ToBrain>, Fault> {
        if let Pending::File { command } = pending {
            return Ok(Some(ToBrain::Unheard(command)));
        }
        if line.eq_ignore_ascii_case("DONE") {
            return Ok(Some(match pending {
                Pending::Board { fields, think } => ToBrain::Board { fields, think },
                Pending::Swap2(points) => ToBrain::Swap2Board(points),
                Pending::Soosorv { step, count, points } => ToBrain::SoosorvStep { step, count, points },
                Pending::Unheard { command, .. } | Pending::File { command } => ToBrain::Unheard(command),
            }));
        }
        match &mut pending {
            Pending::Board { fields, .. } if fields.len() < MOST_FIELDS => fields.push(read_field(line)?),
            Pending::Swap2(points) | Pending::Soosorv { points, .. } if points.len() < MOST_FIELDS => {
                points.push(Point::read(line)?);
            }
            Pending::Unheard { lines, .. } if *lines < MOST_FIELDS => *lines += 1,
            _ => return Err(Fault::new("board-too-large", line)),
        }
        self.pending = Some(pending);
        Ok(None)
    }

    fn command(&mut self, line: &str) -> Result<Option<ToBrain>, Fault> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_ascii_uppercase(), rest.trim());
        self.is_yixin |= word.starts_with("YX");
        if let Some((_, plain)) = PLAIN.iter().find(|(name, _)| *name == word) {
            return Ok(Some(plain.clone()));
        }
        Ok(Some(match word.as_str() {
            // Yixin-Board tells both.
            "START" => match rest.split_once(|c: char| c.is_whitespace() || c == ',') {
                None => ToBrain::Start(size(rest)?),
                Some((width, height)) => {
                    let height = height.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
                    let start = ToBrain::RectStart(size(width)?, size(height)?);
                    self.is_yixin = true;
                    start
                }
            },
            "RECTSTART" => {
                let (width, height) = rest.split_once(',').ok_or_else(|| Fault::new("size", rest))?;
                ToBrain::RectStart(size(width.trim())?, size(height.trim())?)
            }
            "TURN" => ToBrain::Turn(Point::read(rest)?),
            "PLAY" => ToBrain::Play(Point::read(rest)?),
            "TAKEBACK" => ToBrain::TakeBack(Point::read(rest)?),
            "YXNBEST" => ToBrain::Best(number(rest)?),
            "INFO" => {
                let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                if key.is_empty() {
                    return Err(Fault::new("argument-missing", "key"));
                }
                let key = key.to_ascii_lowercase();
                self.is_yixin |= YIXIN_KEYS.contains(&key.as_str());
                ToBrain::Info { key, value: value.trim().to_owned() }
            }
            "BOARD" | "YXBOARD" => {
                self.pending = Some(Pending::Board { fields: Vec::new(), think: word == "BOARD" });
                return Ok(None);
            }
            "SWAP2BOARD" => {
                self.pending = Some(Pending::Swap2(Vec::new()));
                return Ok(None);
            }
            file if FILES.contains(&file) => {
                self.pending = Some(Pending::File { command: word });
                return Ok(None);
            }
            list if has_list(list) => {
                self.pending = Some(Pending::Unheard { command: word, lines: 0 });
                return Ok(None);
            }
            step => match step.strip_prefix("YXSOOSORVSTEP") {
                Some("1") => ToBrain::SoosorvStep { step: 1, count: 0, points: Vec::new() },
                Some(step @ ("2" | "3" | "4" | "5" | "6")) => {
                    let count = if rest.is_empty() { 0 } else { fifths(rest)? };
                    let step = step.as_bytes()[0] - b'0';
                    self.pending = Some(Pending::Soosorv { step, count, points: Vec::new() });
                    return Ok(None);
                }
                _ => return Err(Fault::new("unknown-command", line)),
            },
        }))
    }
}

/// The number of fifth moves that are offered: at most eight, as the opening's name says.
fn fifths(text: &str) -> Result<u8, Fault> {
    let count = number(text).ok().and_then(|n| u8::try_from(n).ok());
    count.filter(|n| (1..=8).contains(n)).ok_or_else(|| Fault::new("number", text))
}

fn size(text: &str) -> Result<u8, Fault> {
    let size = number(text).ok().and_then(|n| u8::try_from(n).ok());
    size.filter(|n| (1..=MOST_SIZE).contains(n)).ok_or_else(|| Fault::new("size", text))
}

fn read_field(line: &str) -> Result<Field, Fault> {
    let wrong = || Fault::new("field", line);
    let (point, whose) = line.rsplit_once(',').ok_or_else(wrong)?;
    let whose = match whose.trim() {
        "1" => Whose::Own,
        "2" => Whose::Opponent,
        "3" => Whose::Marked,
        _ => return Err(wrong()),
    };
    Ok(Field { at: Point::read(point)?, whose })
}

impl ToBrain {
    /// Writes it as lines, without the last line break.
    #[must_use]
    pub fn lines(&self) -> String {
        match self {
            ToBrain::Start(size) => format!("START {size}"),
            ToBrain::RectStart(width, height) => format!("RECTSTART {width},{height}"),
            ToBrain::Turn(at) => format!("TURN {}", at.text()),
            ToBrain::Play(at) => format!("PLAY {}", at.text()),
            ToBrain::TakeBack(at) => format!("TAKEBACK {}", at.text()),
            ToBrain::Best(lines) => format!("YXNBEST {lines}"),
            ToBrain::Info { key, value } => format!("INFO {} {}", plain(key), plain(value)),
            ToBrain::Board { fields, think } => {
                let mut out = String::from(if *think { "BOARD\n" } else { "YXBOARD\n" });
                for field in fields {
                    let whose = match field.whose {
                        Whose::Own => 1,
                        Whose::Opponent => 2,
                        Whose::Marked => 3,
                    };
                    out.push_str(&format!("{},{whose}\n", field.at.text()));
                }
                out + "DONE"
            }
            ToBrain::Swap2Board(points) => {
                let points: String = points.iter().map(|p| p.text() + "\n").collect();
                format!("SWAP2BOARD\n{points}DONE")
            }
            ToBrain::SoosorvStep { step, count, points } => {
                let count = if *count > 0 { format!(" {count}") } else { String::new() };
                let points: String = points.iter().map(|p| p.text() + "\n").collect();
                let list = if *step > 1 { format!("\n{points}DONE") } else { String::new() };
                format!("YXSOOSORVSTEP{step}{count}{list}")
            }
            ToBrain::Unheard(command) => format!("{command}\nDONE"),
            plain => {
                let found = PLAIN.iter().find(|(_, said)| said == plain);
                found.expect("all other commands have one word").0.to_owned()
            }
        }
    }
}

/// A message from the brain to the manager.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FromBrain {
    /// The game is set up.
    Ok,
    /// Places a stone; in a swap2 opening there may be several stones.
    Stones(Vec<Point>),
    /// Takes the other colour.
    Swap,
    /// Proposes a move, which the manager may confirm.
    Suggest(Point),
    /// Reports that the brain cannot carry out a command.
    Error(String),
    /// Reports that the brain does not know a command.
    Unknown(String),
    /// A message for the user.
    Message(String),
    /// A debug message for the brain's author.
    Debug(String),
    /// The points that are forbidden (`FORBID`).
    Forbidden(Vec<Point>),
    /// The facts about the brain: names and values.
    About(Vec<(String, String)>),
}

/// The most names of an `ABOUT` line.
const MOST_NAMES: usize = 32;

impl FromBrain {
    /// Reads a line; `None` for an empty one and for text that is not in the protocol, which brains do send.
    ///
    /// # Errors
    /// `line-too-long`, and `point` where points should stand.
    pub fn read(line: &str) -> Result<Option<FromBrain>, Fault> {
        let line = &plain(within("line-too-long", line, MOST_LINE)?);
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim().to_owned();
        Ok(Some(match word.to_ascii_uppercase().as_str() {
            "OK" => FromBrain::Ok,
            "SWAP" => FromBrain::Swap,
            "ERROR" => FromBrain::Error(rest),
            "UNKNOWN" => FromBrain::Unknown(rest),
            "MESSAGE" => FromBrain::Message(rest),
            "DEBUG" => FromBrain::Debug(rest),
            "SUGGEST" => FromBrain::Suggest(Point::read(&rest)?),
            "FORBID" => FromBrain::Forbidden(read_forbidden(&rest)?),
            _ if line.starts_with(|c: char| c.is_ascii_digit()) => {
                let points = line.split_whitespace().map(Point::read);
                FromBrain::Stones(points.collect::<Result<_, _>>()?)
            }
            _ => match read_about(line) {
                facts if facts.is_empty() => return Ok(None),
                facts => FromBrain::About(facts),
            },
        }))
    }

    /// Writes it as a line, without the line break.
    #[must_use]
    pub fn line(&self) -> String {
        let said = |word: &str, text: &str| format!("{word} {}", plain(text)).trim_end().to_owned();
        match self {
            FromBrain::Ok => "OK".to_owned(),
            FromBrain::Swap => "SWAP".to_owned(),
            FromBrain::Stones(points) => points.iter().map(|p| p.text()).collect::<Vec<_>>().join(" "),
            FromBrain::Suggest(at) => said("SUGGEST", &at.text()),
            FromBrain::Error(text) => said("ERROR", text),
            FromBrain::Unknown(text) => said("UNKNOWN", text),
            FromBrain::Message(text) => said("MESSAGE", text),
            FromBrain::Debug(text) => said("DEBUG", text),
            FromBrain::Forbidden(points) => {
                let digits: String = points.iter().map(|p| format!("{:02}{:02}", p.x, p.y)).collect();
                format!("FORBID {digits}.")
            }
            FromBrain::About(facts) => {
                let fact = |(name, value): &(String, String)| format!("{name}=\"{}\"", unquoted(value));
                facts.iter().map(fact).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// The search information of a brain in a [`FromBrain::Message`]. The protocol defines no format for it; these are
/// the two that most brains use: `depth 6-9 ev 174 n 1162 pv g9 g8` and
/// `Speed 497K | Depth 18-29 | Eval 126 | Node 484K`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thought {
    /// Plies searched in full.
    pub depth: u32,
    /// The greatest depth reached, in plies; 0 when it was not sent.
    pub furthest: u32,
    /// The evaluation of the position by the brain.
    pub value: Value,
    /// Positions looked at.
    pub nodes: u64,
}

/// An evaluation of a position for the brain that sends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A score on the brain's own scale.
    Points(i32),
    /// A win in this number of plies; a negative number is a loss.
    Wins(i32),
}

impl Thought {
    /// Reads the text of a message; `None` unless it has depth, value and positions.
    #[must_use]
    pub fn read(message: &str) -> Option<Thought> {
        let mut words =
            message.split(|c: char| c.is_whitespace() || c == '|').filter(|word| !word.is_empty());
        let (mut depths, mut value, mut nodes) = (None, None, None);
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_str() {
                "depth" => {
                    let told = words.next()?;
                    let (depth, furthest) = told.split_once('-').unwrap_or((told, "0"));
                    depths = Some((depth.parse().ok()?, furthest.parse().ok()?));
                }
                "ev" | "eval" => value = Some(read_value(words.next()?)?),
                "n" | "node" | "nodes" => nodes = Some(read_count(words.next()?)?),
                // The line that follows may have any word.
                "pv" => break,
                _ => {}
            }
        }
        let (depth, furthest) = depths?;
        Some(Thought { depth, furthest, value: value?, nodes: nodes? })
    }
}

/// Points, or `+M5` and `-M6`.
fn read_value(text: &str) -> Option<Value> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    match text.trim_start_matches(['+', '-']).strip_prefix(['M', 'm']) {
        Some(plies) => plies
            .parse::<u16>()
            .ok()
            .filter(|&plies| plies > 0)
            .map(|plies| Value::Wins(sign * i32::from(plies))),
        None => text.parse().ok().map(Value::Points),
    }
}

/// A number, perhaps of thousands (`484K`), millions or thousand millions.
fn read_count(text: &str) -> Option<u64> {
    let (digits, unit) = match text.as_bytes().last()? {
        b'K' | b'k' => (&text[..text.len() - 1], 1_000),
        b'M' | b'm' => (&text[..text.len() - 1], 1_000_000),
        b'G' | b'g' => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// Two digits each, and a dot at the end.
fn read_forbidden(text: &str) -> Result<Vec<Point>, Fault> {
    let wrong = || Fault::new("point", text);
    let digits = text.strip_suffix('.').ok_or_else(wrong)?;
    if digits.len() % 4 != 0 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    let two = |bytes: &[u8]| (bytes[0] - b'0') * 10 + (bytes[1] - b'0');
    Ok(digits.as_bytes().chunks_exact(4).map(|d| Point { x: two(d), y: two(&d[2..]) }).collect())
}

/// The pairs of `name="Wine", version="2.0"`; none when the line is not like that.
fn read_about(line: &str) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut rest = line;
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim_matches(|c: char| c == ',' || c.is_whitespace());
        let Some((value, after)) = after.trim_start().strip_prefix('"').and_then(|v| v.split_once('"'))
        else {
            break;
        };
        // A line that begins with a digit tells of stones.
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !is_name || facts.len() == MOST_NAMES {
            break;
        }
        facts.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        rest = after;
    }
    facts
}

/// Text on one line, read or written: control characters are blanks, and none stands at an end.
fn plain(text: &str) -> String {
    text.replace(char::is_control, " ").trim().to_owned()
}

fn unquoted(text: &str) -> String {
    plain(text).replace('"', "'")
}
