//! XQF, the files of 象棋演播室 (XQStudio): xiangqi with comments and variations.
//!
//! Sources: the author's own description of version 1.0 ("XQF 1.0", 2001), which ElephantEye keeps in XQFTOOLS/XQF.TXT;
//! for the versions from 1.1 on, which are scrambled, the formulas that the readers of ElephantEye and cchess agree
//! on. Numbers are little-endian. Texts are in whatever the author's Windows used, GBK mostly: all of a file together
//! tell which.
//!
//! | bytes | what |
//! |---|---|
//! | 0 | `XQ` |
//! | 2 | version: 10 is 1.0; from 11 on scrambled |
//! | 3 | mask of the key |
//! | 8–11 | what is put over the key |
//! | 12–15 | the key: sum, pieces, from, to |
//! | 16–47 | where the 32 pieces stand: file times ten and rank from Red's side; from 90 on: taken |
//! | 50 | who moves: 1 is Black |
//! | 51 | result: 1 Red won, 2 Black won, 3 a draw |
//! | 80–495 | texts, their length first |
//! | 1024– | the moves, each before what follows it, then what might have been played instead |
//!
//! A move is four bytes: from plus 24, to plus 32, flags, nothing; then the length of a comment and the comment.
//! The first one is no move, but carries the comment on the start.

use kernel::{Notation, Position, Problem, Side};

use crate::charset::{Fields, Guess, field};
use crate::points::{IN_ORDER, Point, Points, move_text, opened, points_of, set_start};
use crate::preorder::Growing;
use crate::record::MOST_COMMENT;
use crate::text::one_line;
use crate::{Ending, NodeId, Record, Score, Tree, said};

/// The byte at which the moves begin.
const MOVES_AT: usize = 0x400;
/// The first version that is scrambled.
const SCRAMBLED: u8 = 11;
/// The first version that also shifts the list of the pieces.
const SHIFTED: u8 = 12;
/// The text that the moves are scrambled with, together with the key.
const STREAM: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";
/// The texts a record has tags for: where they begin, how long they may be, and the tag.
const TEXTS: [(usize, usize, &str); 8] = [
    (0x50, 64, "Title"),
    (0xD0, 64, "Event"),
    (0x120, 16, "Site"),
    (0x190, 16, "RedTime"),
    (0x1A0, 16, "BlackTime"),
    (0x1D0, 16, "Annotator"),
    (0x1E0, 16, "Author"),
    (0x90, 64, "Subtitle"),
];

/// Returns true if the bytes begin like such a file.
pub(crate) fn begins_like_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"XQ") && bytes.get(2).is_some_and(|&version| version < 0x20)
}

/// Reads a record of `xiangqi`.
///
/// ```
/// use records::{pgn, xqf};
///
/// let record = pgn::read("1. h2e2 h9g7 *")?;
/// let again = xqf::read(&xqf::write(&record)?)?;
/// assert_eq!(again.tree, record.tree);
/// assert_eq!(xqf::read(b"XQ").unwrap_err().key, "xqf-not-one");
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `xqf-…` with the byte, from 0, of what does not fit; what the game says against the start.
pub fn read(bytes: &[u8]) -> Result<Record, Problem> {
    let (record, fault, _) = read_part(bytes)?;
    fault.map_or(Ok(record), Err)
}

/// Reads a record, but keeps the part before a fault in the moves; returns the record, the fault, and the encoding of
/// the texts, where it is not the usual one.
pub(crate) fn read_part(bytes: &[u8]) -> Result<(Record, Option<Problem>, Guess), Problem> {
    if !begins_like_one(bytes) {
        return Err(Problem::new("xqf-not-one"));
    }
    if bytes.len() < MOVES_AT {
        return Err(Problem::new("xqf-cut").with("byte", bytes.len()));
    }
    let keys = Keys::of(bytes);
    let points = pieces(bytes, &keys)?;
    let text = |at: usize, size: usize| {
        let length = usize::from(bytes[at]).min(size - 1);
        &bytes[at + 1..=at + length]
    };
    let names = [(0x130, 16), (0x140, 16), (0x110, 16), (0x150, 64)];
    let mut fields = Fields::new();
    names.iter().for_each(|&(at, size)| fields.see(text(at, size)));
    TEXTS.iter().for_each(|&(at, size, _)| fields.see(text(at, size)));
    let mut stream = Stream { bytes, at: MOVES_AT, keys, comments: Vec::new() };
    let mut growing = Growing::begin(String::new(), false);
    let fault = match stream.moves(&mut growing) {
        Err(fault) if growing.tree.plies() == 0 => return Err(fault),
        read => read.err(),
    };
    stream.comments.iter().for_each(|(_, comment)| fields.see(comment));
    let encoding = fields.encoding();
    let text = |at: usize, size: usize| one_line(&field(encoding, text(at, size)));
    let mut record = Record { game: "xiangqi".to_owned(), tree: growing.tree, ..Record::default() };
    for (id, comment) in &stream.comments {
        let mut comment = field(encoding, comment).trim_end().to_owned();
        cut_to(&mut comment, MOST_COMMENT);
        record.tree[*id].comment = comment;
    }
    record.players = [text(0x130, 16), text(0x140, 16)];
    record.date = said::date(&text(0x110, 16));
    record.clock = text(0x150, 64);
    TEXTS.iter().for_each(|&(at, size, tag)| record.tag(tag, &text(at, size)));
    record.ending = ending(bytes[51]);
    set_start(&mut record, &points, if bytes[50] == 1 { Side::Second } else { Side::First })?;
    let usual = [encoding_rs::GB18030, encoding_rs::GBK].contains(&encoding);
    Ok((record, fault, if usual { None } else { Some(encoding.name()) }))
}

/// Cuts a text to that many bytes.
fn cut_to(text: &mut String, most: usize) {
    if text.len() > most {
        let end = (0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
    }
}

/// Returns the ending for the number that XQF and the files of CCBridge have for it.
pub(crate) fn ending(number: u8) -> Option<Ending> {
    let score = match number {
        1 => Score::Win(Side::First),
        2 => Score::Win(Side::Second),
        3 => Score::Draw,
        _ => return None,
    };
    Some(Ending { score, reason: String::new() })
}

/// The numbers that are subtracted from the bytes of a scrambled file.
struct Keys {
    version: u8,
    piece: u8,
    from: u8,
    to: u8,
    comment: u32,
    stream: [u8; 32],
}

impl Keys {
    fn of(bytes: &[u8]) -> Keys {
        let version = bytes[2];
        if version < SCRAMBLED {
            return Keys { version, piece: 0, from: 0, to: 0, comment: 0, stream: [0; 32] };
        }
        let [sum, piece, from, to] = [12, 13, 14, 15].map(|at| bytes[at]);
        let stretched = |key: u8| key.wrapping_mul(key).wrapping_mul(54).wrapping_add(221);
        let piece_key = stretched(piece).wrapping_mul(piece);
        let from_key = stretched(from).wrapping_mul(piece_key);
        let mut stream = *STREAM;
        for (i, byte) in stream.iter_mut().enumerate() {
            *byte &= bytes[8 + i % 4] | (bytes[12 + i % 4] & bytes[3]);
        }
        Keys {
            version,
            piece: piece_key,
            from: from_key,
            to: stretched(to).wrapping_mul(from_key),
            comment: (u32::from(sum) * 256 + u32::from(piece)) % 32000 + 767,
            stream,
        }
    }
}

fn pieces(bytes: &[u8], keys: &Keys) -> Result<Points, Problem> {
    let mut points = Points::empty();
    for (i, &byte) in bytes[16..48].iter().enumerate() {
        let shift = if keys.version < SHIFTED { 0 } else { usize::from(keys.piece) + 1 };
        let letter = IN_ORDER[(i + shift) % 32];
        let Some(at) = point(byte.wrapping_sub(keys.piece)) else { continue };
        if points.at(at).is_some() {
            return Err(Problem::new("xqf-two-on-one").with("byte", 16 + i));
        }
        points.put(at, Some(letter));
    }
    Ok(points)
}

/// Files from Red's left and ranks from Red's side, times ten and one.
fn point(number: u8) -> Option<Point> {
    Point::new(number / 10, 9 - number % 10)
}

/// A move as it is stored: from and to, whether one follows, whether one stands beside, and the comment.
type Stored = ([u8; 2], bool, bool, Option<Vec<u8>>);

/// The moves as they are read and unscrambled.
struct Stream<'a> {
    bytes: &'a [u8],
    at: usize,
    keys: Keys,
    comments: Vec<(NodeId, Vec<u8>)>,
}

impl Stream<'_> {
    fn moves(&mut self, growing: &mut Growing) -> Result<(), Problem> {
        let (_, follows, _, comment) = self.record()?;
        *growing = Growing::begin(String::new(), follows);
        self.comments.extend(comment.map(|comment| (Tree::START, comment)));
        // Some programs promise one move more than they write.
        while growing.open() && self.at < self.bytes.len() {
            let at = self.at;
            let ([from, to], follows, beside, comment) = self.record()?;
            let from = point(from.wrapping_sub(24).wrapping_sub(self.keys.from));
            let to = point(to.wrapping_sub(32).wrapping_sub(self.keys.to));
            let (Some(from), Some(to)) = (from, to) else {
                return Err(Problem::new("xqf-point").with("byte", at));
            };
            let id = growing.add(move_text(from, to), String::new(), follows, beside)?;
            self.comments.extend(comment.map(|comment| (id, comment)));
        }
        Ok(())
    }

    /// Reads an entry: from and to as they are stored, whether a move follows, whether one comes beside it, and the
    /// comment.
    fn record(&mut self) -> Result<Stored, Problem> {
        let head = self.take(4)?;
        let scrambled = self.keys.version >= SCRAMBLED;
        let flags = head[2];
        let (follows, beside, remarked) = if scrambled {
            (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
        } else {
            (flags & 0xF0 != 0, flags & 0x0F != 0, true)
        };
        let comment = if remarked { self.comment()? } else { Vec::new() };
        Ok(([head[0], head[1]], follows, beside, Some(comment).filter(|comment| !comment.is_empty())))
    }

    fn comment(&mut self) -> Result<Vec<u8>, Problem> {
        let at = self.at;
        let length = self.take(4)?;
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        let length = length.wrapping_sub(self.keys.comment);
        // A length below nothing is one of a very large number.
        if usize::try_from(length).map_or(true, |length| length > self.bytes.len() - self.at) {
            return Err(Problem::new("xqf-comment").with("byte", at));
        }
        self.take(length as usize)
    }

    fn take(&mut self, count: usize) -> Result<Vec<u8>, Problem> {
        let taken = self.bytes.get(self.at..self.at + count);
        let taken = taken.ok_or_else(|| Problem::new("xqf-cut").with("byte", self.bytes.len()))?;
        // The moves begin at a multiple of 32, so a place in the file is a place in the stream.
        let clear = |(i, &byte): (usize, &u8)| byte.wrapping_sub(self.keys.stream[(self.at + i) % 32]);
        let taken = taken.iter().enumerate().map(clear).collect();
        self.at += count;
        Ok(taken)
    }
}

/// Writes a record of xiangqi as version 1.0, which every reader knows and which is not scrambled; texts are GB 18030.
///
/// Not kept: thinking times, signs of judgement, tags that the format has no place for, and what is longer than its
/// place.
///
/// ```
/// use records::{Format, detect, pgn, xqf};
///
/// let bytes = xqf::write(&pgn::read("1. h2e2 h9g7 *")?)?;
/// assert_eq!(detect(&bytes), Some(Format::Xqf));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `xqf-game` for another game, `xqf-refused` for a move that is none, and what the game says against the start.
pub fn write(record: &Record) -> Result<Vec<u8>, Problem> {
    if !matches!(record.game.as_str(), "xiangqi" | "xiangqi/free") {
        return Err(Problem::new("xqf-game").with("found", &record.game));
    }
    let start = opened(&record.game, record.start.as_deref())?;
    let mut out = vec![0_u8; MOVES_AT];
    out[..3].copy_from_slice(&[b'X', b'Q', 10]);
    out[16..48].fill(0xFF);
    for piece in start.all_pieces() {
        let letter = letter_of(&piece);
        let (file, row) = ((piece.at % 9) as u8, (piece.at / 9) as u8);
        let free = IN_ORDER.iter().enumerate().position(|(i, &l)| l == letter && out[16 + i] == 0xFF);
        let free = free.ok_or_else(|| Problem::new("xqf-pieces").with("found", char::from(letter)))?;
        out[16 + free] = file * 10 + (9 - row);
    }
    out[50] = u8::from(start.turn() == Side::Second);
    out[51] = match record.ending.as_ref().map(|ending| ending.score) {
        Some(Score::Win(Side::First)) => 1,
        Some(Score::Win(Side::Second)) => 2,
        Some(Score::Draw) => 3,
        _ => 0,
    };
    let mut put = |at: usize, size: usize, text: &str| {
        let bytes = encoded(text, size - 1);
        out[at] = bytes.len() as u8;
        out[at + 1..at + 1 + bytes.len()].copy_from_slice(&bytes);
    };
    put(0x130, 16, &record.players[0]);
    put(0x140, 16, &record.players[1]);
    put(0x110, 16, &record.date);
    put(0x150, 64, &record.clock);
    for &(at, size, tag) in &TEXTS {
        put(at, size, record.tags.get(tag).map_or("", String::as_str));
    }
    let tree = &record.tree;
    push_move(&mut out, tree, Tree::START, [24, 32]);
    for id in tree.in_order() {
        let text = &tree[id].text;
        let points = points_of(text).ok_or_else(|| Problem::new("xqf-refused").with("move", text))?;
        let [from, to] = points.map(|p| p.file * 10 + (9 - p.row));
        push_move(&mut out, tree, id, [from + 24, to + 32]);
    }
    Ok(out)
}

/// The letter of a piece in a FEN.
fn letter_of(piece: &kernel::Piece) -> u8 {
    let kind = xiangqi::Kind::faced(&piece.face).map_or('p', xiangqi::Kind::letter);
    let letter = if piece.owner == Some(Side::First) { kind.to_ascii_uppercase() } else { kind };
    letter as u8
}

/// A text in GB 18030, as many whole signs as fit.
fn encoded(text: &str, most: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for c in one_line(text).chars() {
        let mut one = [0; 4];
        let bytes = encoding_rs::GB18030.encode(c.encode_utf8(&mut one)).0;
        if out.len() + bytes.len() > most {
            break;
        }
        out.extend_from_slice(&bytes);
    }
    out
}

fn push_move(out: &mut Vec<u8>, tree: &Tree, id: NodeId, squares: [u8; 2]) {
    let follows = if tree.next(id).is_empty() { 0 } else { 0xF0 };
    let last = tree.before(id).is_none_or(|before| tree.next(before).last() == Some(&id));
    out.extend([squares[0], squares[1], follows | if last { 0 } else { 0x0F }, 0]);
    let comment = encoding_rs::GB18030.encode(&tree[id].comment).0;
    out.extend((comment.len() as u32).to_le_bytes());
    out.extend_from_slice(&comment);
}
