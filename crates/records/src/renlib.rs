//! RenLib libraries (`.lib`): trees of renju positions, binary.
//!
//! ```text
//! FF 'RenLib' FF 03 00 FF FF FF FF FF FF FF FF FF FF      the head: 20 bytes, with the version
//! 78 08  'g' 'o' 'o' 'd'  00 00                           a node: move, flags, and what the flags promise
//! ```
//!
//! A move byte holds the file from the left plus 1 in its low half and the row from the top in its high half, so 0 is
//! no point: the root, or a pass. What follows a node comes right behind it, unless the flag 40 says that nothing
//! does; the flag 80 says that another move at the same place comes after all that. A comment (08) and a text on the
//! board (01, with two bytes of its own before it, the second of which says whether there is a text) end with a zero
//! byte and fill up to an even number of bytes. 10 marks a node. A comment may have two parts, with the sign 8
//! between them. Comments of the oldest files (20) end with a sign whose highest bit is set. Files without a head,
//! files that end before all promised moves are there, and ones that promise more at their very end, are read as far
//! as they go: RenLib writes such.
//!
//! Source: the format as Rapfi reads it (`database/dbutils.cpp`) and the flags RenLib names. The file is one of
//! `gomoku/renju` on 15x15; other boards and starts with stones cannot be written. A text on the board becomes the
//! first line of the comment, in square brackets: `[A]`; a mark the line `[mark]` before it. All texts of a file
//! together tell in which encoding they are. Not kept: everything about the game as a whole but what was said at the
//! start.

use kernel::{Board, Notation, Problem};

use crate::charset::{Fields, Guess};
use crate::preorder::Growing;
use crate::record::MOST_COMMENT;
use crate::{NodeId, Record, Tree, charset, goban};

/// The first bytes of the file, up to the version.
const SIGN: &[u8] = b"\xffRenLib\xff";
/// The length of the whole head, in bytes.
const HEAD: usize = 20;
/// The version we write.
const VERSION: [u8; 2] = [3, 0];
/// Files and ranks.
const SIDE: u8 = 15;

const TEXT: u8 = 0x01;
const MARK: u8 = 0x10;
/// A comment, as newer and as older versions flag it.
const COMMENT: u8 = 0x08;
const OLD_COMMENT: u8 = 0x20;
const NOTHING_FOLLOWS: u8 = 0x40;
const ANOTHER_BESIDE: u8 = 0x80;

/// The characters that are no part of a text: its end, and the mark that editors put before it.
const UNSEEN: [char; 2] = ['\0', '\u{feff}'];

/// The separator between the parts of a comment.
const PART: char = '\u{8}';

/// The line of a comment that stands for a mark.
const MARK_LINE: &str = "[mark]";

/// Returns true if the bytes begin like such a file.
pub(crate) fn begins_like_one(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGN)
}

/// Reads a record.
///
/// ```
/// use records::renlib;
///
/// // The head of a file, a root without a point, and one move: 78 is h8.
/// let mut bytes = b"\xFFRenLib\xFF\x03\x00".to_vec();
/// bytes.resize(20, 0xFF);
/// bytes.extend([0x00, 0x00, 0x78, 0x40]);
/// let tree = renlib::read(&bytes)?.tree;
/// assert_eq!(tree.main_line().map(|id| &*tree[id].text).collect::<Vec<_>>(), ["h8"]);
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `lib-head`; `lib-point` for a move off the board and `lib-end` for a file that ends in the middle of a move, both
/// with the byte.
pub fn read(bytes: &[u8]) -> Result<Record, Problem> {
    let (record, fault, _) = read_part(bytes)?;
    fault.map_or(Ok(record), Err)
}

/// Reads a record, but keeps the part before a fault; returns the record, the fault, and the encoding of the texts,
/// where it was guessed.
pub(crate) fn read_part(bytes: &[u8]) -> Result<(Record, Option<Problem>, Guess), Problem> {
    let head = match begins_like_one(bytes) {
        true if bytes.len() < HEAD => return Err(Problem::new("lib-head")),
        true => HEAD,
        // Without a head: the centre, the empty root, or a point, and flags that are known.
        false if bytes.len() >= 2 && bytes[0] >> 4 < SIDE && bytes[1] & 0x02 == 0 && !is_text(bytes) => 0,
        false => return Err(Problem::new("lib-head")),
    };
    let mut file = Bytes { all: bytes, at: head };
    let mut growing = Growing::begin(String::new(), true);
    let mut said: Vec<(NodeId, Raw)> = Vec::new();
    let fault = read_nodes(&mut file, &mut growing, &mut said).err();
    if growing.tree.plies() == 0
        && let Some(fault) = fault
    {
        return Err(fault);
    }
    let mut fields = Fields::new();
    for (_, raw) in &said {
        fields.see(&raw.comment);
        fields.see(&raw.text);
    }
    let encoding = fields.encoding();
    let mut tree = growing.tree;
    for (id, raw) in said {
        tree[id].comment = raw.comment_in(encoding);
    }
    let mut record = Record { game: "gomoku/renju".to_owned(), tree, ..Record::default() };
    goban::agree_on_passes(&mut record);
    let guess =
        Some(encoding.name()).filter(|_| !matches!(*encoding.name().as_bytes(), [b'U', b'T', b'F', ..]));
    Ok((record, fault, guess.filter(|_| fields.any())))
}

fn read_nodes(file: &mut Bytes, growing: &mut Growing, said: &mut Vec<(NodeId, Raw)>) -> Result<(), Problem> {
    let mut first = file.node()?;
    if first.place == 0 {
        let follows = first.flags & NOTHING_FOLLOWS == 0;
        *growing = Growing::begin(String::new(), follows);
        said.push((Tree::START, std::mem::take(&mut first.raw)));
        if !follows {
            return Ok(());
        }
        if file.is_over() {
            return Ok(());
        }
        first = file.node()?;
    }
    let mut next = Some(first);
    while growing.open() {
        let node = match next.take() {
            Some(node) => node,
            // What was saved in part promises moves that are not there.
            None if file.is_over() => break,
            None => file.node()?,
        };
        let (follows, beside) = (node.flags & NOTHING_FOLLOWS == 0, node.flags & ANOTHER_BESIDE != 0);
        let id = growing.add(move_text(node.place), String::new(), follows, beside)?;
        if !node.raw.is_empty() {
            said.push((id, node.raw));
        }
    }
    Ok(())
}

/// Tells whether bytes are plain text rather than moves.
fn is_text(bytes: &[u8]) -> bool {
    let begin = &bytes[..bytes.len().min(64)];
    begin.iter().all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace())
}

/// Writes a record of gomoku.
///
/// ```
/// use records::{Format, Record, detect, read, renlib};
///
/// let record = read(Format::Text, b"Game: gomoku/renju\n\n1. h8 2. i9\n")?;
/// let bytes = renlib::write(&record)?;
/// assert_eq!(detect(&bytes), Some(Format::Lib));
/// assert_eq!(renlib::read(&bytes)?.tree, record.tree);
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `lib-game` for another game, `lib-board` for another board than 15x15 or one with stones, `lib-move` for a move that
/// is neither a point nor a pass, and the gomoku problem of a start that cannot be.
pub fn write(record: &Record) -> Result<Vec<u8>, Problem> {
    let rule = goban::rule_of(record);
    let rule = rule.ok_or_else(|| Problem::new("lib-game").with("found", &record.game))?;
    let start = goban::start_of(record, rule)?;
    let board = start.board();
    if (board.files, board.ranks) != (SIDE, SIDE) || !goban::is_empty(&start) {
        return Err(Problem::new("lib-board").with("side", SIDE));
    }
    let tree = &record.tree;
    let mut out = SIGN.to_vec();
    out.extend(VERSION);
    out.resize(HEAD, 0xff);
    push_node(&mut out, 0, flags(tree, Tree::START), &tree[Tree::START].comment);
    for id in tree.in_order() {
        let place = place_byte(&board, &tree[id].text)?;
        push_node(&mut out, place, flags(tree, id), &tree[id].comment);
    }
    Ok(out)
}

/// A node as it stands in the file.
struct Node {
    place: u8,
    flags: u8,
    raw: Raw,
}

/// The text of a node, in the bytes of the file.
#[derive(Default)]
struct Raw {
    mark: bool,
    text: Vec<u8>,
    comment: Vec<u8>,
}

impl Raw {
    fn is_empty(&self) -> bool {
        !self.mark && self.text.is_empty() && self.comment.is_empty()
    }

    fn comment_in(&self, encoding: &'static encoding_rs::Encoding) -> String {
        let plain = |bytes: &[u8]| {
            let text = charset::field(encoding, bytes).replace(UNSEEN, "");
            // A comment of one line and one of several, which RenLib shows one below the other.
            text.trim_matches(PART).replace(PART, "\n")
        };
        let said = NodeText {
            mark: self.mark,
            text: plain(&self.text).replace('\n', " "),
            comment: plain(&self.comment),
        };
        normal(&said.lines())
    }
}

/// The file, and how far it was read.
struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl Bytes<'_> {
    fn is_over(&self) -> bool {
        self.at >= self.all.len()
    }

    fn node(&mut self) -> Result<Node, Problem> {
        let at = self.at;
        let [place, flags] = self.pair()?;
        let off_board = place != 0 && (place & 0x0f == 0 || place >> 4 >= SIDE);
        if off_board {
            return Err(Problem::new("lib-point").with("byte", at + 1).with("found", format!("{place:02x}")));
        }
        let extended = if flags & TEXT != 0 { self.pair()? } else { [0, 0] };
        let comment = match flags & (COMMENT | OLD_COMMENT) {
            0 => Vec::new(),
            OLD_COMMENT => self.old_comment()?,
            _ => self.string()?,
        };
        let text = if extended[1] & TEXT != 0 { self.string()? } else { Vec::new() };
        Ok(Node { place, flags, raw: Raw { mark: flags & MARK != 0, text, comment } })
    }

    fn pair(&mut self) -> Result<[u8; 2], Problem> {
        let end = || Problem::new("lib-end").with("byte", self.all.len());
        let pair = self.all.get(self.at..self.at + 2).ok_or_else(end)?;
        self.at += 2;
        Ok([pair[0], pair[1]])
    }

    /// Pairs of bytes up to the first zero, without it. A file may end in its last comment.
    fn string(&mut self) -> Result<Vec<u8>, Problem> {
        let from = self.at;
        while !self.pair()?.contains(&0) {}
        let bytes = &self.all[from..self.at];
        let end = bytes.iter().position(|&b| b == 0).expect("a zero ended the pairs");
        Ok(bytes[..end].to_vec())
    }

    /// Pairs of bytes up to the one whose highest bit is set, which belongs to the text without that bit.
    fn old_comment(&mut self) -> Result<Vec<u8>, Problem> {
        let mut text = Vec::new();
        loop {
            for byte in self.pair()? {
                match byte {
                    0 => {}
                    byte if byte >= 0x80 => {
                        text.push(byte & 0x7f);
                        return Ok(text);
                    }
                    byte => text.push(byte),
                }
            }
        }
    }
}

/// The texts and the mark of a node, before they become one comment.
struct NodeText {
    mark: bool,
    text: String, // without line breaks
    comment: String,
}

impl NodeText {
    /// Takes a comment apart.
    fn of(comment: &str) -> NodeText {
        let (mark, rest) = match first_line(comment) {
            (MARK_LINE, rest) => (true, rest),
            _ => (false, comment),
        };
        let (line, behind) = first_line(rest);
        let text =
            line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).filter(|text| !text.is_empty());
        match text {
            Some(text) => NodeText { mark, text: text.to_owned(), comment: behind.to_owned() },
            None => NodeText { mark, text: String::new(), comment: rest.to_owned() },
        }
    }

    /// Returns the comment with the same parts.
    fn lines(&self) -> String {
        let text = if self.text.is_empty() { String::new() } else { format!("[{}]", self.text) };
        let lines = [if self.mark { MARK_LINE } else { "" }, &text, &self.comment];
        lines.into_iter().filter(|line| !line.is_empty()).collect::<Vec<&str>>().join("\n")
    }
}

/// Returns a comment as it reads back after writing, cut to the longest allowed.
fn normal(comment: &str) -> String {
    let mut text = NodeText::of(comment).lines();
    if text.len() > MOST_COMMENT {
        let end = (0..=MOST_COMMENT).rev().find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or(0));
        text = NodeText::of(&text).lines();
    }
    text
}

fn first_line(text: &str) -> (&str, &str) {
    text.split_once('\n').unwrap_or((text, ""))
}

fn move_text(place: u8) -> String {
    match place {
        0 => goban::PASS.to_owned(),
        _ => format!("{}{}", char::from(b'a' + (place & 0x0f) - 1), SIDE - (place >> 4)),
    }
}

fn place_byte(board: &Board, text: &str) -> Result<u8, Problem> {
    match goban::place(board, text) {
        Some((file, row)) => Ok(row << 4 | (file + 1)),
        None if text == goban::PASS => Ok(0),
        None => Err(Problem::new("lib-move").with("move", text)),
    }
}

/// Returns the flags of a node: whether another node follows it, and whether another one comes after it at the same
/// place.
fn flags(tree: &Tree, id: NodeId) -> u8 {
    let follows = if tree.next(id).is_empty() { NOTHING_FOLLOWS } else { 0 };
    let last_beside = tree.before(id).is_none_or(|before| tree.next(before).last() == Some(&id));
    follows | if last_beside { 0 } else { ANOTHER_BESIDE }
}

fn push_node(out: &mut Vec<u8>, place: u8, flags: u8, comment: &str) {
    let said = NodeText::of(comment);
    let has = |flag, yes| if yes { flag } else { 0 };
    let (text, comment) = (!said.text.is_empty(), !said.comment.is_empty());
    out.extend([place, flags | has(TEXT, text) | has(COMMENT, comment) | has(MARK, said.mark)]);
    if text {
        out.extend([0, TEXT]);
    }
    if comment {
        push_string(out, &said.comment);
    }
    if text {
        push_string(out, &said.text);
    }
}

/// A text with its zero byte, to an even number of bytes.
fn push_string(out: &mut Vec<u8>, text: &str) {
    let from = out.len();
    out.extend(text.replace(UNSEEN, "").bytes());
    out.push(0);
    if (out.len() - from) % 2 == 1 {
        out.push(0);
    }
}
