//! XQF, the files of 象棋演播室 (XQStudio): xiangqi with comments and variations. They can be read.
//!
//! Sources: the author's own description of version 1.0 ("XQF 1.0", 2001), which ElephantEye keeps in XQFTOOLS/XQF.TXT;
//! for the versions from 1.1 on, which are scrambled, the formulas that the readers of ElephantEye and cchess agree
//! on. Numbers are little-endian, texts are GBK.
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

use kernel::{Problem, Side};

use crate::charset::gbk_field;
use crate::points::{IN_ORDER, Point, Points, move_text, set_start};
use crate::preorder::Growing;
use crate::record::{MOST_COMMENT, within};
use crate::text::one_line;
use crate::{Ending, Record, Score};

/// Where the moves begin.
const MOVES_AT: usize = 0x400;
/// The first version that is scrambled.
const SCRAMBLED: u8 = 11;
/// The first version that also shifts the list of the pieces.
const SHIFTED: u8 = 12;
/// What the scrambled moves are scrambled with, under the key.
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

/// Whether the bytes begin as such a file does.
pub(crate) fn begins_like_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"XQ") && bytes.get(2).is_some_and(|&version| version < 0x20)
}

/// Reads a record of `xiangqi`.
///
/// # Errors
/// `xqf-…` with the byte, from 0, of what does not fit; what the game says against the start.
pub fn read(bytes: &[u8]) -> Result<Record, Problem> {
    if !begins_like_one(bytes) {
        return Err(Problem::new("xqf-not-one"));
    }
    if bytes.len() < MOVES_AT {
        return Err(Problem::new("xqf-cut").with("byte", bytes.len()));
    }
    let keys = Keys::of(bytes);
    let points = pieces(bytes, &keys)?;
    let tree = Stream { bytes, at: MOVES_AT, keys }.moves()?;
    let mut record = Record { game: "xiangqi".to_owned(), tree, ..Record::default() };
    let text = |at: usize, size: usize| {
        let length = usize::from(bytes[at]).min(size - 1);
        one_line(&gbk_field(&bytes[at + 1..=at + length]))
    };
    record.players = [text(0x130, 16), text(0x140, 16)];
    record.date = text(0x110, 16);
    record.clock = text(0x150, 64);
    TEXTS.iter().for_each(|&(at, size, tag)| record.tag(tag, &text(at, size)));
    record.ending = ending(bytes[51]);
    set_start(&mut record, &points, if bytes[50] == 1 { Side::Second } else { Side::First })?;
    Ok(record)
}

/// How it ended, by the number that XQF and the files of CCBridge have for it.
pub(crate) fn ending(number: u8) -> Option<Ending> {
    let score = match number {
        1 => Score::Win(Side::First),
        2 => Score::Win(Side::Second),
        3 => Score::Draw,
        _ => return None,
    };
    Some(Ending { score, reason: String::new() })
}

/// What has to be taken off each byte.
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

/// The moves as they are read and unscrambled.
struct Stream<'a> {
    bytes: &'a [u8],
    at: usize,
    keys: Keys,
}

impl Stream<'_> {
    fn moves(mut self) -> Result<crate::Tree, Problem> {
        let (_, follows, _, comment) = self.record()?;
        let mut growing = Growing::begin(comment, follows);
        // Some programs promise one move more than they write.
        while growing.open() && self.at < self.bytes.len() {
            let at = self.at;
            let ([from, to], follows, beside, comment) = self.record()?;
            let from = point(from.wrapping_sub(24).wrapping_sub(self.keys.from));
            let to = point(to.wrapping_sub(32).wrapping_sub(self.keys.to));
            let (Some(from), Some(to)) = (from, to) else {
                return Err(Problem::new("xqf-point").with("byte", at));
            };
            growing.add(move_text(from, to), comment, follows, beside)?;
        }
        Ok(growing.tree)
    }

    /// From and to as they stand there, whether a move follows, whether one stands beside, and the comment.
    fn record(&mut self) -> Result<([u8; 2], bool, bool, String), Problem> {
        let head = self.take(4)?;
        let scrambled = self.keys.version >= SCRAMBLED;
        let flags = head[2];
        let (follows, beside, remarked) = if scrambled {
            (flags & 0x80 != 0, flags & 0x40 != 0, flags & 0x20 != 0)
        } else {
            (flags & 0xF0 != 0, flags & 0x0F != 0, true)
        };
        let comment = if remarked { self.comment()? } else { String::new() };
        Ok(([head[0], head[1]], follows, beside, comment))
    }

    fn comment(&mut self) -> Result<String, Problem> {
        let at = self.at;
        let length = self.take(4)?;
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
        let length = length.wrapping_sub(self.keys.comment);
        // A length below nothing is one of a very large number.
        if usize::try_from(length).map_or(true, |length| length > self.bytes.len() - self.at) {
            return Err(Problem::new("xqf-comment").with("byte", at));
        }
        let comment = gbk_field(&self.take(length as usize)?).trim_end().to_owned();
        within("comment", comment.len(), MOST_COMMENT)?;
        Ok(comment)
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
