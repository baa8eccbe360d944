//! CBR and CBL, the files of 象棋桥 (CCBridge): one game of xiangqi, and a library of many. They can be read.
//!
//! Facts from public descriptions of the format that were checked against libraries (a write-up on zhihu.com,
//! p/682174695, and what its readers mended), and from the reader of cchess. Numbers are little-endian, texts are
//! UTF-16 of fixed width up to a zero. What lies between the fields named here is whatever the program had in memory.
//!
//! | bytes of a game | what |
//! |---|---|
//! | 0 | `CCBridge Record` |
//! | 180 … 1652 | texts: title, event, players, date, … |
//! | 2076 | result: 1 Red won, 2 Black won, 3 a draw |
//! | 2112 | who moves first: 2 is Black |
//! | 2120–2209 | the points from Black's left corner: 1x Red, 2x Black; x = 1 rook, horse, elephant, advisor, general, cannon, 7 soldier |
//! | 2214– | the moves: flags, nothing, from, to as numbers of points |
//!
//! Flags: 1 the line ends here; 2 another move may replace this one, which stands after the line; 4 the length of a
//! comment in bytes follows, and the comment. The first one is no move, but carries the comment on the start.
//!
//! In a library the number of places in its list stands at byte 60; the list begins at 66 624 and has 276 bytes for
//! each place; then the games follow, each beginning at a multiple of 4096 bytes from the first.

use kernel::{Problem, Side};

use crate::Record;
use crate::charset::utf16_field;
use crate::points::{Point, Points, move_text, set_start};
use crate::preorder::Growing;
use crate::record::{MOST_COMMENT, within};
use crate::text::one_line;
use crate::xqf::ending;

const RECORD: &[u8] = b"CCBridge Record";
const LIBRARY: &[u8] = b"CCBridgeLibrary";
const MOVES_AT: usize = 2214;
/// The texts a record has tags for: where they begin, how many bytes they have, and the tag.
const TEXTS: [(usize, usize, &str); 16] = [
    (180, 128, "Title"),
    (308, 256, "Category"),
    (564, 64, "Source"),
    (692, 64, "Event"),
    (756, 64, "Round"),
    (820, 32, "Section"),
    (852, 32, "Board"),
    (948, 64, "Site"),
    (1140, 64, "RedTeam"),
    (1204, 64, "RedTime"),
    (1364, 64, "BlackTeam"),
    (1428, 64, "BlackTime"),
    (1524, 64, "Arbiter"),
    (1652, 64, "Annotator"),
    (1780, 64, "Author"),
    (2080, 32, "Termination"),
];
/// The byte at which the list of a library begins, and the length of an entry.
const LIST_AT: usize = 66_624;
const LIST_STEP: usize = 276;
/// The alignment of the games of a library, in bytes.
pub(crate) const BLOCK: usize = 4096;
/// The longest list, in entries: more than any library has.
const MOST_PLACES: usize = 1 << 20;

/// Returns true if the bytes begin like a single game.
pub(crate) fn is_record(bytes: &[u8]) -> bool {
    bytes.starts_with(RECORD)
}

/// Returns true if the bytes begin like a library.
pub(crate) fn is_library(bytes: &[u8]) -> bool {
    bytes.starts_with(LIBRARY)
}

/// The number of bytes of its head that tell where the games of a library begin.
pub(crate) const LIBRARY_HEAD: usize = 64;

/// Returns the byte at which the first game of a library begins, from its first [`LIBRARY_HEAD`] bytes.
///
/// # Errors
/// `cbl-not-one`, and `record-limit` when the list is longer than any.
pub(crate) fn games_at(head: &[u8]) -> Result<usize, Problem> {
    if !is_library(head) || head.len() < LIBRARY_HEAD {
        return Err(Problem::new("cbl-not-one"));
    }
    let places = u32::from_le_bytes([head[60], head[61], head[62], head[63]]);
    let places = usize::try_from(places).unwrap_or(usize::MAX);
    within("places", places, MOST_PLACES)?;
    Ok(LIST_AT + places * LIST_STEP)
}

/// Reads the first game of a library.
///
/// # Errors
/// `cbl-not-one`, `cbl-empty`, and what [`read`] says.
pub fn read_first(bytes: &[u8]) -> Result<Record, Problem> {
    let blocks = bytes.get(games_at(bytes)?..).unwrap_or_default().chunks(BLOCK);
    let before = blocks.take_while(|block| !is_record(block)).count();
    let rest = bytes.get(games_at(bytes)? + before * BLOCK..).unwrap_or_default();
    if rest.is_empty() {
        return Err(Problem::new("cbl-empty"));
    }
    read(rest)
}

/// Reads a record of `xiangqi`; bytes after its last move are ignored.
///
/// # Errors
/// `cbr-…` with the byte, from 0, of what does not fit; what the game says against the start.
pub fn read(bytes: &[u8]) -> Result<Record, Problem> {
    let (record, fault) = read_part(bytes)?;
    fault.map_or(Ok(record), Err)
}

/// Tells whether a record of a library is the heading of a chapter: it has neither moves nor a position that could be
/// played.
pub(crate) fn is_heading(bytes: &[u8]) -> bool {
    if !is_record(bytes) || bytes.len() < MOVES_AT {
        return false;
    }
    let mut growing = Growing::begin(String::new(), false);
    let whole = Stream { bytes, at: MOVES_AT }.moves(&mut growing).is_ok();
    let generals = [0x15, 0x25].iter().all(|general| bytes[2120..2210].contains(general));
    whole && growing.tree.plies() == 0 && !generals
}

/// Reads a record like [`read`], but keeps the part before a fault in the moves and returns the fault too.
pub(crate) fn read_part(bytes: &[u8]) -> Result<(Record, Option<Problem>), Problem> {
    if !is_record(bytes) {
        return Err(Problem::new("cbr-not-one"));
    }
    if bytes.len() < MOVES_AT {
        return Err(Problem::new("cbr-cut").with("byte", bytes.len()));
    }
    let points = pieces(bytes)?;
    let mut growing = Growing::begin(String::new(), false);
    let fault = Stream { bytes, at: MOVES_AT }.moves(&mut growing).err();
    if let Some(fault) = fault.as_ref().filter(|_| growing.tree.plies() == 0) {
        return Err(fault.clone());
    }
    let mut record = Record { game: "xiangqi".to_owned(), tree: growing.tree, ..Record::default() };
    let text = |at: usize, size: usize| one_line(&utf16_field(&bytes[at..at + size]));
    record.players = [text(1076, 64), text(1300, 64)];
    record.date = crate::said::date(&text(884, 64));
    record.clock = text(1012, 64);
    TEXTS.iter().for_each(|&(at, size, tag)| record.tag(tag, &text(at, size)));
    record.ending = ending(bytes[2076]);
    set_start(&mut record, &points, if bytes[2112] == 2 { Side::Second } else { Side::First })?;
    Ok((record, fault))
}

fn pieces(bytes: &[u8]) -> Result<Points, Problem> {
    let mut points = Points::empty();
    for (i, &byte) in bytes[2120..2210].iter().enumerate() {
        let letters: &[u8; 7] = match byte >> 4 {
            1 => b"RNBAKCP",
            2 => b"rnbakcp",
            _ => continue,
        };
        let letter = usize::from(byte & 0x0F).checked_sub(1).and_then(|kind| letters.get(kind));
        let letter = letter.ok_or_else(|| Problem::new("cbr-piece").with("byte", 2120 + i))?;
        let at = Point::new((i % 9) as u8, (i / 9) as u8);
        points.put(at.expect("there are ninety"), Some(*letter));
    }
    Ok(points)
}

fn point(number: u8) -> Option<Point> {
    Point::new(number % 9, number / 9)
}

/// The moves as they are read.
struct Stream<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Stream<'_> {
    fn moves(mut self, growing: &mut Growing) -> Result<(), Problem> {
        let (head, comment) = self.record()?;
        *growing = Growing::begin(comment, head[0] & 1 == 0);
        while growing.open() {
            let at = self.at;
            let ([flags, _, from, to], comment) = self.record()?;
            let (Some(from), Some(to)) = (point(from), point(to)) else {
                return Err(Problem::new("cbr-point").with("byte", at));
            };
            growing.add(move_text(from, to), comment, flags & 1 == 0, flags & 2 != 0)?;
        }
        Ok(())
    }

    fn record(&mut self) -> Result<([u8; 4], String), Problem> {
        let head = self.four()?;
        if head[0] & 4 == 0 {
            return Ok((head, String::new()));
        }
        let length = u32::from_le_bytes(self.four()?) as usize;
        let comment = self.take(length)?;
        let comment = utf16_field(comment).trim_end().to_owned();
        within("comment", comment.len(), MOST_COMMENT)?;
        Ok((head, comment))
    }

    fn four(&mut self) -> Result<[u8; 4], Problem> {
        Ok(self.take(4)?.try_into().expect("four were taken"))
    }

    fn take(&mut self, count: usize) -> Result<&[u8], Problem> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or_else(|| Problem::new("cbr-cut").with("byte", self.at))?;
        self.at += count;
        Ok(taken)
    }
}
