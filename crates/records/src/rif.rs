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
//! A file is read event by event; names and one game are in memory, each within its limits.

use std::collections::HashMap;
use std::io::{BufRead, Read};

use kernel::{Problem, Side};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::games::unreadable;
use crate::record::{MOST_BYTES, MOST_PLIES, MOST_TEXT, within};
use crate::{Ending, Ply, Record, Score, Tree};

/// The game of such files.
const GAME: &str = "gomoku/renju";
/// The most names of a file.
const MOST_NAMES: usize = 500_000;
/// The most attributes of an element that are looked at.
const MOST_ATTRIBUTES: usize = 32;

/// What stands before the games, by kind of element and id.
#[derive(Default)]
pub(crate) struct Names {
    players: HashMap<String, String>,
    rules: HashMap<String, String>,
    openings: HashMap<String, String>,
    tournaments: HashMap<String, (String, String)>, // name and date
    lost: bool,
}

impl Names {
    /// Whether nothing of the file can be found any more, since its markup is broken.
    pub(crate) fn lost(&self) -> bool {
        self.lost
    }

    fn count(&self) -> usize {
        self.players.len() + self.rules.len() + self.openings.len() + self.tournaments.len()
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
struct Attributes(Vec<(String, String)>);

impl Attributes {
    fn of(element: &BytesStart) -> Attributes {
        let mut all = element.attributes();
        let both = all.with_checks(false).flatten().take(MOST_ATTRIBUTES).map(|attribute| {
            let value = quick_xml::escape::unescape(&attribute.value).unwrap_or(attribute.value.clone());
            (attribute.key.as_ref().to_owned(), cut(value.trim()))
        });
        Attributes(both.collect())
    }

    /// The value of that name; empty where there is none.
    fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }
}

/// As much of a text as a record may hold as a name.
fn cut(text: &str) -> String {
    let mut end = text.len().min(MOST_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].to_owned()
}

/// Whether a text begins as such a file does.
pub(crate) fn begins_like_one(text: &[u8]) -> bool {
    let text = &text[..text.len().min(4096)];
    text.windows(9).any(|part| part.eq_ignore_ascii_case(b"<database"))
}

/// Reads the first game of a file.
///
/// # Errors
/// `rif-none`, and what is wrong with the file.
pub fn read(bytes: &[u8]) -> Result<Record, Problem> {
    let mut source = bytes;
    next(&mut Names::default(), &mut source)?.ok_or_else(|| Problem::new("rif-none"))
}

/// Which text is being read.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Nothing,
    Moves,
    Info,
}

/// Reads on to the end of the next game; `None` at the end of the file.
pub(crate) fn next(names: &mut Names, source: &mut impl BufRead) -> Result<Option<Record>, Problem> {
    // One event at a time is in memory, and no game is longer than others may be.
    let mut reader = Reader::from_reader(Bounded { source, left: MOST_BYTES });
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.expand_empty_elements = true;
    let mut open: Option<(Record, String)> = None;
    let mut inside = Inside::Nothing;
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(why) => {
                names.lost = true;
                return Err(match why {
                    quick_xml::Error::Io(why) => unreadable(&why),
                    why => Problem::new("rif-markup").with("detail", why),
                });
            }
        };
        match event {
            Event::Start(start) => {
                let element = start.name().as_ref().to_ascii_lowercase();
                match (element.as_str(), &open) {
                    ("game", _) => open = Some((begun(names, &Attributes::of(&start)), String::new())),
                    ("move", Some(_)) => inside = Inside::Moves,
                    ("info", Some(_)) => inside = Inside::Info,
                    (element, None) => {
                        let kept = names.keep(element, &Attributes::of(&start));
                        names.lost = kept.is_err();
                        kept?;
                        // What stands before the games is bounded by the number of names.
                        reader.get_mut().left = MOST_BYTES;
                    }
                    _ => {}
                }
            }
            Event::Text(text) => {
                let text: &str = &text;
                match (&mut open, inside) {
                    (Some((_, moves)), Inside::Moves) => moves.push_str(text),
                    (Some((record, _)), Inside::Info) if !text.trim().is_empty() => {
                        record.tree[Tree::START].remark(text.trim());
                    }
                    _ => {}
                }
            }
            Event::End(end) => {
                inside = Inside::Nothing;
                if end.name().as_ref().eq_ignore_ascii_case("game")
                    && let Some((record, moves)) = open.take()
                {
                    return ended(record, &moves).map(Some);
                }
            }
            Event::Eof if open.is_some() => {
                names.lost = true;
                return Err(Problem::new("rif-end"));
            }
            Event::Eof => return Ok(None),
            _ => {}
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

/// A source that ends with a problem where one game has too many bytes.
struct Bounded<'a, R> {
    source: &'a mut R,
    left: usize,
}

impl<R> Bounded<'_, R> {
    fn check(&self) -> std::io::Result<()> {
        if self.left > 0 {
            return Ok(());
        }
        let problem = Problem::new("record-limit").with("what", "bytes");
        let problem = problem.with("found", format!("> {MOST_BYTES}")).with("most", MOST_BYTES);
        Err(std::io::Error::other(problem))
    }
}

impl<R: BufRead> Read for Bounded<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.check()?;
        let read = self.source.read(out)?;
        self.left = self.left.saturating_sub(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Bounded<'_, R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.check()?;
        let most = self.left;
        let part = self.source.fill_buf()?;
        Ok(&part[..part.len().min(most)])
    }

    fn consume(&mut self, amount: usize) {
        self.left = self.left.saturating_sub(amount);
        self.source.consume(amount);
    }
}
