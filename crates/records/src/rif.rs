//! RenjuNet's database (`.rif`): XML with the games of renju that are known, read only.
//!
//! ```xml
//! <database>
//!   <rules><rule id="1" name="RIF"/></rules>
//!   <players><player id="7" name="Ando" surname="Meritee"/></players>
//!   <tournaments><tournament id="3" name="World Championship" year="1999" month="8"/></tournaments>
//!   <games>
//!     <game id="9" tournament="3" round="2" rule="1" black="7" white="8" bresult="0.5">
//!       <move>h8 i9 j8</move><info>played in Beijing</info>
//!     </game>
//!   </games>
//! </database>
//! ```
//!
//! Names stand before the games, which refer to them by `id`. `bresult` is what Black made: 1, 0.5 or 0. Files run from
//! `a`, ranks from 1 at the bottom. There is no public schema: the elements and attributes are those that the files
//! have, and what is not known is passed over. Not kept: cities, publishers, and which of the offered fifth moves was
//! not taken.
//!
//! A file is read piece by piece: an element's tag, and the text behind it. Names and one game are in memory, each within
//! its limits. A fault in the markup costs its piece only, whatever quotes and brackets it opens: each element `game` that
//! begins is told, whole, in part or refused.

use std::collections::HashMap;
use std::io::BufRead;

use kernel::{Problem, Side};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::games::unreadable;
use crate::record::{MOST_BYTES, MOST_PLIES, MOST_TEXT, within};
use crate::{Ending, Ply, Record, Score, Tree, charset};

/// The game of such files.
const GAME: &str = "gomoku/renju";
/// The most names of a file.
const MOST_NAMES: usize = 500_000;
/// The most attributes of an element that are looked at.
const MOST_ATTRIBUTES: usize = 32;

/// The names from the part before the games, by kind of element and id.
#[derive(Default)]
pub(crate) struct Names {
    players: HashMap<String, String>,
    rules: HashMap<String, String>,
    openings: HashMap<String, String>,
    tournaments: HashMap<String, (String, String)>, // name and date
    encoding: Option<String>,                       // that the file declares
    ahead: Option<(Vec<u8>, bool)>,                 // a piece that was read already, and whether it is whole
    doubt: Option<Problem>,                         // what was wrong before the game that comes next
    lost: bool,
}

impl Names {
    /// Returns true if nothing more is read: the source failed, or has too many names.
    pub(crate) fn lost(&self) -> bool {
        self.lost
    }

    fn count(&self) -> usize {
        self.players.len() + self.rules.len() + self.openings.len() + self.tournaments.len()
    }

    /// Reads a piece outside of the games.
    fn see(&mut self, piece: &[u8]) -> Result<(), Problem> {
        if piece.starts_with(b"<?xml") {
            let (_, declared) = charset::text(piece).split_once("encoding=").map(own).unwrap_or_default();
            self.encoding = declared.split(['"', '\'']).nth(1).map(str::to_owned);
            return Ok(());
        }
        let (text, _) = charset::text_as(piece, self.encoding.as_deref());
        let mut reader = reader(&text);
        loop {
            match reader.read_event() {
                Ok(Event::Start(start)) => {
                    let element = start.name().as_ref().to_ascii_lowercase();
                    let has = Attributes::of(&start);
                    if let Some(why) = &has.fault {
                        self.doubt.get_or_insert_with(|| broken(why));
                    }
                    self.keep(&element, &has)?;
                }
                Ok(Event::Eof) => return Ok(()),
                Ok(_) => {}
                Err(why) => {
                    self.doubt.get_or_insert_with(|| broken(&why));
                    return Ok(());
                }
            }
        }
    }

    /// Keeps a name, if this element has one.
    fn keep(&mut self, element: &str, has: &Attributes) -> Result<(), Problem> {
        within("names", self.count(), MOST_NAMES)?;
        let id = has.get("id").to_owned();
        let name = has.get("name").to_owned();
        match element {
            "player" => {
                let words = [has.get("surname"), has.get("name")];
                let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
                self.players.insert(id, words.join(" "));
            }
            "rule" => drop(self.rules.insert(id, name)),
            "opening" => drop(self.openings.insert(id, name)),
            "tournament" => {
                let part = |name| has.get(name).parse::<u32>().ok().filter(|&n| n > 0);
                let date = match (part("year"), part("month")) {
                    (None, _) => String::new(),
                    (Some(year), None) => format!("{year:04}"),
                    (Some(year), Some(month)) => format!("{year:04}-{month:02}"),
                };
                self.tournaments.insert(id, (name, date));
            }
            _ => {}
        }
        Ok(())
    }
}

/// The attributes of an element.
struct Attributes {
    all: Vec<(String, String)>,
    /// The fault of the first attribute that cannot be read.
    fault: Option<String>,
}

impl Attributes {
    fn of(element: &BytesStart) -> Attributes {
        let mut has = Attributes { all: Vec::new(), fault: None };
        for attribute in element.attributes().with_checks(false).take(MOST_ATTRIBUTES) {
            match attribute {
                Ok(attribute) => {
                    let value =
                        quick_xml::escape::unescape(&attribute.value).unwrap_or(attribute.value.clone());
                    has.all.push((attribute.key.as_ref().to_owned(), cut(value.trim())));
                }
                Err(why) => {
                    has.fault.get_or_insert(why.to_string());
                }
            }
        }
        has
    }

    /// The value of that name; empty where there is none.
    fn get(&self, name: &str) -> &str {
        self.all.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

fn own((before, behind): (&str, &str)) -> (String, String) {
    (before.to_owned(), behind.to_owned())
}

fn broken(why: &dyn std::fmt::Display) -> Problem {
    Problem::new("rif-markup").with("detail", why)
}

/// A reader of a piece; its elements need not be closed in it.
fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.expand_empty_elements = true;
    reader
}

/// Cuts a text to the length that a record allows for a name.
fn cut(text: &str) -> String {
    let mut end = text.len().min(MOST_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

/// Returns true if a text begins like such a file.
pub(crate) fn begins_like_one(text: &[u8]) -> bool {
    let text = &text[..text.len().min(4096)];
    text.windows(9).any(|part| part.eq_ignore_ascii_case(b"<database"))
}

/// Reads the first game of a file, and what is wrong with it where a part of it is kept.
///
/// # Errors
/// `rif-none`, and what is wrong with the file.
pub(crate) fn read_part(bytes: &[u8]) -> Result<(Record, Option<Problem>), Problem> {
    let mut source = bytes;
    let game = next(&mut Names::default(), &mut source)?.ok_or_else(|| Problem::new("rif-none"))?;
    Ok((game.record, game.fault))
}

/// The text that is being read.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Nothing,
    Moves,
    Info,
}

/// A game that was read.
pub(crate) struct Game {
    pub(crate) record: Record,
    /// The fault of the game, where only a part is kept.
    pub(crate) fault: Option<Problem>,
    /// The warning about the game, where all of it is kept.
    pub(crate) doubt: Option<Problem>,
}

/// Reads on to the end of the next game; `None` at the end of the file.
pub(crate) fn next(names: &mut Names, source: &mut impl BufRead) -> Result<Option<Game>, Problem> {
    let mut open: Option<Open> = None;
    loop {
        let (piece, whole) = match names.ahead.take() {
            Some(ahead) => ahead,
            None => next_piece(source).inspect_err(|_| names.lost = true)?,
        };
        let begins = is_element(&piece, b"<game");
        match &mut open {
            None if piece.is_empty() => return Ok(None),
            None if begins => {
                let mut game = Open::default();
                game.see(names, &piece, whole);
                if is_empty_element(&piece) {
                    return game.ended(None).map(Some);
                }
                open = Some(game);
            }
            None => names.see(&piece).inspect_err(|_| names.lost = true)?,
            Some(game) if piece.is_empty() || begins => {
                let fault = if begins { "rif-open" } else { "rif-end" };
                names.ahead = begins.then_some((piece, whole));
                return std::mem::take(game).ended(Some(fault)).map(Some);
            }
            Some(game) => {
                game.see(names, &piece, whole);
                if is_element(&piece, b"</game") {
                    return std::mem::take(game).ended(None).map(Some);
                }
            }
        }
    }
}

/// Reads a tag with the text behind it, up to the next one; comments and quoted data are one piece. Of a longer one than a
/// game may be, false is told and the rest passed over. Nothing: the end of the source.
fn next_piece(source: &mut impl BufRead) -> Result<(Vec<u8>, bool), Problem> {
    let (mut piece, mut whole) = (Vec::new(), true);
    let mut looked = 0; // the end of a comment is not looked for twice
    let mut at_tag = true;
    loop {
        let buffer = match source.fill_buf() {
            Err(why) if why.kind() == std::io::ErrorKind::Interrupted => continue,
            buffer => buffer.map_err(|why| unreadable(&why))?,
        };
        if buffer.is_empty() {
            return Ok((piece, whole));
        }
        let from = usize::from(at_tag);
        let end = buffer[from..].iter().position(|&b| b == b'<').map(|at| from + at);
        let part = &buffer[..end.unwrap_or(buffer.len())];
        let room = MOST_BYTES - piece.len();
        whole &= part.len() <= room;
        piece.extend_from_slice(&part[..part.len().min(room)]);
        let taken = part.len();
        source.consume(taken);
        at_tag = end.is_some();
        if !at_tag {
            continue;
        }
        let closing: &[u8] = match () {
            () if piece.starts_with(b"<!--") => b"-->",
            () if piece.starts_with(b"<![CDATA[") => b"]]>",
            () => return Ok((piece, whole)),
        };
        let from = looked;
        looked = piece.len().saturating_sub(closing.len() - 1);
        if !whole || piece[from..].windows(closing.len()).any(|part| part == closing) {
            return Ok((piece, whole));
        }
    }
}

/// Tells whether a piece begins with that tag, whatever the case.
fn is_element(piece: &[u8], tag: &[u8]) -> bool {
    let behind = piece.get(tag.len());
    piece.get(..tag.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(tag))
        && behind.is_none_or(|&b| b.is_ascii_whitespace() || b == b'>' || b == b'/')
}

fn is_empty_element(piece: &[u8]) -> bool {
    let end = piece.iter().rposition(|&b| b == b'>').unwrap_or(0);
    piece[..end].ends_with(b"/")
}

/// A game that is being read.
#[derive(Default)]
struct Open {
    record: Option<Record>,
    moves: String,
    info: String,
    inside: Option<Inside>,
    bytes: usize,
    fault: Option<Problem>,
    doubt: Option<Problem>,
    /// A text that is neither move nor remark, and whether there were moves at all.
    stray: Option<String>,
    moved: bool,
}

impl Open {
    fn see(&mut self, names: &mut Names, piece: &[u8], whole: bool) {
        self.bytes += piece.len() + usize::from(!whole) * MOST_BYTES;
        if self.bytes > MOST_BYTES {
            return;
        }
        let (text, _) = charset::text_as(piece, names.encoding.as_deref());
        let mut reader = reader(&text);
        loop {
            match reader.read_event() {
                Ok(Event::Start(start)) => self.begin(names, &start),
                Ok(Event::Text(text)) => self.take(&text),
                Ok(Event::CData(text)) => self.take(&text),
                Ok(Event::GeneralRef(name)) => {
                    let written = format!("&{};", &*name);
                    self.take(&quick_xml::escape::unescape(&written).unwrap_or((&*written).into()));
                }
                Ok(Event::End(end)) => {
                    let known = ["move", "info", "game"]
                        .iter()
                        .any(|name| end.name().as_ref().eq_ignore_ascii_case(name));
                    if known || self.inside == Some(Inside::Nothing) {
                        self.inside = None;
                    }
                }
                Ok(Event::Eof) => return,
                Ok(_) => {}
                Err(why) => {
                    self.fault.get_or_insert_with(|| broken(&why));
                    return;
                }
            }
        }
    }

    fn begin(&mut self, names: &mut Names, start: &BytesStart) {
        match start.name().as_ref().to_ascii_lowercase().as_str() {
            "game" => {
                let has = Attributes::of(start);
                let fault = has.fault.as_ref().map(|why| broken(why));
                self.doubt = names.doubt.take().or(fault);
                self.record = Some(begun(names, &has));
            }
            "move" => {
                self.inside = Some(Inside::Moves);
                self.moved = true;
            }
            "info" => self.inside = Some(Inside::Info),
            other => {
                self.stray.get_or_insert_with(|| cut(other));
                self.inside.get_or_insert(Inside::Nothing);
            }
        }
    }

    fn take(&mut self, text: &str) {
        match self.inside {
            Some(Inside::Moves) => self.moves.push_str(text),
            Some(Inside::Info) => self.info.push_str(text),
            Some(Inside::Nothing) => {}
            None if text.trim().is_empty() => {}
            None => {
                self.stray.get_or_insert_with(|| cut(text.trim()));
            }
        }
    }

    /// The game, which ends with its element or with `fault`.
    ///
    /// # Errors
    /// The fault in the record, if no move of it is left.
    fn ended(self, fault: Option<&'static str>) -> Result<Game, Problem> {
        if self.bytes > MOST_BYTES {
            let problem = Problem::new("record-limit").with("what", "bytes");
            return Err(problem.with("found", format!("> {MOST_BYTES}")).with("most", MOST_BYTES));
        }
        let lost = || self.stray.as_ref().filter(|_| !self.moved).map(|stray| broken(stray));
        let fault = self.fault.clone().or_else(|| fault.map(Problem::new)).or_else(lost);
        let record = self.record.unwrap_or_else(|| Record { game: GAME.to_owned(), ..Record::default() });
        let mut record = ended(record, &self.moves)?;
        if !self.info.trim().is_empty() {
            record.tree[Tree::START].remark(self.info.trim());
            record.check()?;
        }
        match fault {
            Some(fault) if record.tree.plies() == 0 => Err(fault),
            fault => Ok(Game { record, fault, doubt: self.doubt }),
        }
    }
}

/// A record with what the attributes of a game say.
fn begun(names: &Names, has: &Attributes) -> Record {
    let name = |of: &HashMap<String, String>, id| of.get(has.get(id)).cloned().unwrap_or_default();
    let (event, date) = names.tournaments.get(has.get("tournament")).cloned().unwrap_or_default();
    let score = match has.get("bresult").parse::<f32>() {
        Ok(1.0) => Some(Score::Win(Side::First)),
        Ok(0.5) => Some(Score::Draw),
        Ok(0.0) => Some(Score::Win(Side::Second)),
        _ => None,
    };
    let mut record = Record {
        game: GAME.to_owned(),
        players: [name(&names.players, "black"), name(&names.players, "white")],
        ending: score.map(|score| Ending { score, reason: String::new() }),
        date,
        ..Record::default()
    };
    for (tag, value) in [
        ("Event", event.as_str()),
        ("Round", has.get("round")),
        ("Rule", &name(&names.rules, "rule")),
        ("Opening", &name(&names.openings, "opening")),
        ("RenjuNet", has.get("id")),
    ] {
        record.tag(tag, value);
    }
    record
}

fn ended(mut record: Record, moves: &str) -> Result<Record, Problem> {
    let mut last = Tree::START;
    for (count, text) in moves.split_whitespace().enumerate() {
        within("plies", count + 1, MOST_PLIES)?;
        last = record.tree.add(last, Ply { text: text.to_ascii_lowercase(), ..Ply::default() });
    }
    record.check()?;
    Ok(record)
}
