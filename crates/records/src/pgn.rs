//! PGN for xiangqi: tags, moves in Chinese, WXF or ICCS, remarks, variations.
//!
//! Sources: the PGN standard of 1994 (import format, with `;`, `%`, `$` and nested variations), and for xiangqi what
//! ElephantEye's documents and samples say: `[Game "Chinese Chess"]`, `Red` and `Black`, `RedTeam`, `ECCO`,
//! `Opening`, and `Format` as `Chinese`, `WXF` or `ICCS`.
//!
//! Which notation a move is written in is for the game to see, move by move, whatever `Format` says: Chinese in every
//! script and width, WXF, ICCS, and the texts of programs that come from chess, `Che2` and `h3e3`, whose ranks begin
//! at 0 or at 1: where one way of counting leads to a move that is not possible, the other is tried. Texts without
//! tags are read, too, with the header lines that 东萍 and XQStudio write. What is no move costs only itself: it
//! becomes a remark. Behind a result more moves belong to the game, which is told, unless they begin another one with
//! a number 1. Of a file with several games the first is read here; see [`crate::Games`] for all. A remark may hold a
//! thinking time, `[%emt 0:00:01.2]`. What might have been played before the first move cannot be said, so a remark
//! that opens a variation goes to its first move.
//!
//! A variation that the game does not allow is written as a remark, machine text in brackets, so that one slip in a
//! file does not cost the rest. Not kept in writing: in a remark of several lines a closing brace, which becomes a
//! full-width one, since PGN has no way to say it.

use std::borrow::Cow;

use kernel::{Notation, Position, Problem, Side};
use xiangqi::{Ranks, Xiangqi};

use crate::points::opened;
use crate::record::{MOST_PLIES, turn_number, within};
use crate::text::{Places, one_line, place};
use crate::{Ending, NodeId, Ply, Record, Score, Tree, charset, said};

/// The width at which a line of moves is broken, in columns of a terminal.
const WIDTH: usize = 80;
/// The tags that stand first in a written file, in this order; the others follow by name.
const FIRST_TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "RedTeam", "Red"];
const THEN_TAGS: [&str; 6] = ["BlackTeam", "Black", "Result", "ECCO", "Opening", "Variation"];
/// Signs behind a move and their numbers: the standard's section 8.2.3.8 and 10.
const SUFFIXES: [(&str, u8); 6] = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];

const SIGNS: [char; 4] = ['!', '?', '！', '？'];
/// The longest word that may be a move, in bytes.
const LONGEST_WORD: usize = 60;
/// The longest text of a move, in signs.
const LONGEST_MOVE: usize = 8;
/// The prefix of a thinking time in a remark.
const TIME: &str = "[%emt ";
/// The longest text that may be a thinking time, in bytes.
const LONGEST_TIME: usize = 40;
/// The most plies of an illegal line that are kept as a remark.
const MOST_REFUSED: usize = 60;

/// A notation that moves are written in.
///
/// ```
/// use records::pgn::Style;
///
/// assert_eq!(Style::keyed("wxf"), Some(Style::Wxf));
/// assert_eq!(Style::ALL.map(Style::key), ["chinese", "wxf", "iccs"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// The Chinese notation, such as 炮二平五.
    #[default]
    Chinese,
    /// `C2=5`.
    Wxf,
    /// `H2-E2`.
    Iccs,
}

impl Style {
    /// Every notation, the usual one first.
    pub const ALL: [Style; 3] = [Style::Chinese, Style::Wxf, Style::Iccs];

    /// The key that the game has for it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Style::Chinese => "chinese",
            Style::Wxf => "wxf",
            Style::Iccs => "iccs",
        }
    }

    /// The notation with that key.
    #[must_use]
    pub fn keyed(key: &str) -> Option<Style> {
        Style::ALL.into_iter().find(|style| style.key() == key)
    }

    const fn tag(self) -> &'static str {
        match self {
            Style::Chinese => "Chinese",
            Style::Wxf => "WXF",
            Style::Iccs => "ICCS",
        }
    }
}

/// Returns true if a text that begins with a tag is one of xiangqi rather than of another game with PGN-like files.
pub(crate) fn is_one(text: &str) -> bool {
    let mut reader = Reader::new(text);
    let tags = reader.tags(true).map(|(tags, _)| tags).unwrap_or_default();
    let told = |name: &str| tags.iter().any(|(tag, value, _)| tag == name && is_xiangqi(value));
    let has = |names: &[&str]| tags.iter().any(|(tag, ..)| names.contains(&tag.as_str()));
    if told("Game") || told("Variant") {
        return true;
    }
    if has(&["GameType", "White", "Variant"]) {
        return false;
    }
    has(&["Red", "RedTeam", "ECCO", "Format"]) || reader.text[reader.at..].contains(['平', '进', '退', '進'])
}

/// Tells whether the tags of a text say that it is xiangqi.
pub(crate) fn is_told(text: &str) -> bool {
    let tags = Reader::new(text).tags(true).map(|(tags, _)| tags).unwrap_or_default();
    tags.iter().any(|(tag, value, _)| matches!(tag.as_str(), "Game" | "Variant") && is_xiangqi(value))
}

/// Tells whether a text without tags has moves of xiangqi in Chinese.
pub(crate) fn has_moves(text: &str) -> bool {
    const PIECES: &str = "车車俥马馬傌炮砲包兵卒相象仕士帅帥将將前后後中";
    const DIGITS: &str = "一二三四五六七八九123456789１２３４５６７８９";
    let signs: Vec<char> = text.chars().take(20_000).filter(|&c| !charset::is_unseen(c)).collect();
    signs.windows(4).any(|four| {
        let which = PIECES.contains(four[0]) || DIGITS.contains(four[0]);
        let who = PIECES.contains(four[1]) || DIGITS.contains(four[1]);
        which && who && matches!(four[2], '平' | '进' | '退' | '進') && DIGITS.contains(four[3])
    })
}

/// Tells whether a text without tags begins with moves of xiangqi in letters: `C2.5 H8+7`, `h2e2 h9g7`, `1. H2-E2 H9-G7`.
/// The first two must be possible from the start, for points of a gomoku board look alike; behind a position one is enough.
pub(crate) fn spells_moves(text: &str) -> bool {
    if begins_with_position(text) {
        return read_part(text, true).is_ok_and(|part| part.record.tree.plies() > 0);
    }
    let words: Vec<&str> = text.split_whitespace().take(6).collect();
    words.len() > 1 && read_part(&words.join(" "), true).is_ok_and(|part| part.record.tree.plies() > 1)
}

/// Reads the first game of a text.
///
/// ```
/// use records::pgn;
///
/// for text in ["1. 炮二平五 马8进7 *", "1. C2=5 H8+7 *", "1. H2-E2 H9-G7 *"] {
///     let tree = pgn::read(text)?.tree;
///     assert_eq!(tree.main_line().map(|id| &*tree[id].text).collect::<Vec<_>>(), ["h2e2", "h9g7"]);
/// }
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `pgn-…` with line and column of what does not fit; what the game says against the start.
pub fn read(text: &str) -> Result<Record, Problem> {
    let part = read_part(text, false)?;
    part.fault.map_or(Ok(part.record), Err)
}

/// A game of a text, and what is behind it.
pub(crate) struct Part {
    pub(crate) record: Record,
    /// The fault in the game, where the part before it was kept.
    pub(crate) fault: Option<Problem>,
    /// The place of the next game that has no tags, in bytes of the text that [`plain`] makes of it.
    pub(crate) rest: Option<usize>,
}

/// The text without signs that have no width.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    // All of them begin with these bytes; most texts have none of them.
    let may_have = |pair: &[u8]| matches!(pair, [0xc2, 0xad] | [0xe2, 0x80 | 0x81] | [0xef, 0xbb] | [0, _]);
    if text.as_bytes().windows(2).any(may_have) && text.contains(charset::is_unseen) {
        Cow::Owned(text.chars().filter(|&c| !charset::is_unseen(c)).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// Reads the first game. `keeps`: what comes before a fault is kept, and the fault is told besides.
///
/// # Errors
/// The errors of [`read`], if nothing comes before the fault.
pub(crate) fn read_part(text: &str, keeps: bool) -> Result<Part, Problem> {
    let text = &*plain(text);
    let first = read_counted(text, keeps, Ranks::FromZero);
    if !matches!(&first, Ok((part, _)) if part.fault.is_none())
        && let Some(at) = chess_at(text)
    {
        return Err(located(text, "pgn-other-game", at).with("found", "chess"));
    }
    let plies =
        |read: &Result<(Part, bool), Problem>| read.as_ref().map_or(0, |(part, _)| part.record.tree.plies());
    // Whether ranks are counted from 0 or from 1 shows at the first move that makes no sense.
    let squares = match &first {
        Ok((part, squares)) => {
            *squares && part.fault.as_ref().is_some_and(|fault| fault.arg("move").is_some())
        }
        Err(problem) => problem.arg("move").is_some_and(Xiangqi::names_squares),
    };
    if squares {
        let second = read_counted(text, keeps, Ranks::FromOne);
        if plies(&second) > plies(&first) {
            return second.map(|(part, _)| part);
        }
    }
    first.map(|(part, _)| part)
}

/// Returns the place of the first move that only chess has, such as `O-O`, `exd5` and `Qxf7`, where no tag says that the
/// game is xiangqi.
fn chess_at(text: &str) -> Option<usize> {
    if is_told(text) {
        return None;
    }
    let mut reader = Reader::new(text);
    let _ = reader.tags(true);
    let between = |c: char| c.is_whitespace() || c == '.';
    let mut at = reader.at;
    let is_square = |word: &[u8]| matches!(word, [b'a'..=b'h', b'1'..=b'8', ..]);
    let is_chess = |word: &str| match word.as_bytes() {
        [b'O', b'-', b'O', ..] => true,
        [b'a'..=b'h', b'x', square @ ..] => is_square(square),
        [b'Q', b'x', square @ ..] | [b'Q', square @ ..] => is_square(square),
        _ => false,
    };
    for _ in 0..MOST_WORDS_OF_CHESS {
        let rest = text[at..].trim_start_matches(between);
        at = text.len() - rest.len();
        let word = &rest[..rest.find(between).unwrap_or(rest.len())];
        if word.is_empty() {
            return None;
        }
        if is_chess(word) {
            return Some(at);
        }
        at += word.len();
    }
    None
}

/// The words of a game among which a move of chess is looked for.
const MOST_WORDS_OF_CHESS: usize = 400;

/// Reads the game with ranks counted that way; also returns whether there were moves that depend on it.
fn read_counted(text: &str, keeps: bool, ranks: Ranks) -> Result<(Part, bool), Problem> {
    let mut reader = Reader::new(text);
    let (mut tags, bad_tag) = reader.tags(keeps)?;
    if tags.is_empty() {
        tags = reader.header_lines();
    }
    let (mut record, start) = begin(text, &tags)?;
    let mut moves = Moves::begin(reader, start);
    moves.keeps = keeps;
    moves.ranks = ranks;
    moves.fault = bad_tag;
    moves.read()?;
    moves.keep_words();
    let Moves { mut fault, rest, squares, result, heading, passed, unread, tree, .. } = moves;
    if let Some((word, at)) = unread.filter(|_| tree.plies() == 0) {
        fault = fault.or_else(|| Some(located(text, "pgn-unread", at).with("found", word)));
    }
    if let Some(passed) = passed {
        record.start = Some(passed);
    }
    record.tree = tree;
    if record.ending.is_none() {
        let score = result.flatten().or(heading);
        record.ending = score.map(|score| Ending { score, reason: String::new() });
    }
    end(&mut record);
    if record.players.iter().all(String::is_empty) && tags.is_empty() && record.tree.plies() == 0 {
        return Err(fault.unwrap_or_else(|| Problem::new("pgn-none")));
    }
    Ok((Part { record, fault, rest }, squares))
}

/// Writes a record of xiangqi.
///
/// ```
/// use records::pgn::{Style, read, write};
///
/// let text = write(&read("1. h2e2 h9g7 *")?, Style::Chinese)?;
/// assert!(text.contains("炮二平五 马8进7"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `pgn-game` for another game, `pgn-refused` for a move of the main line that the game does not allow where it stands,
/// and what the game says against the start.
pub fn write(record: &Record, style: Style) -> Result<String, Problem> {
    if !is_ours(&record.game) {
        return Err(Problem::new("pgn-game").with("found", &record.game));
    }
    let start = opened(&record.game, record.start.as_deref())?;
    let mut out = String::from("[Game \"Chinese Chess\"]\n");
    if record.game == "xiangqi/free" {
        push_tag(&mut out, "Variant", "Free");
    }
    let result = record.ending.as_ref().map_or("*", |ending| score_text(ending.score));
    let value = |name: &str| match name {
        "Red" => known_name(&record.players[0]),
        "Black" => known_name(&record.players[1]),
        "Date" => date_text(&record.date),
        "Result" => result.to_owned(),
        name => {
            let tag = record.tags.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name));
            tag.map(|(_, value)| one_line(value)).unwrap_or_default()
        }
    };
    let always = ["Red", "Black", "Result"];
    for name in FIRST_TAGS.iter().chain(&THEN_TAGS) {
        push_known(&mut out, name, &value(name), always.contains(name));
    }
    for (name, text) in record.tags.iter().filter(|(name, _)| !is_written(name)) {
        push_known(&mut out, name, &one_line(text), false);
    }
    push_known(&mut out, "TimeControl", &one_line(&record.clock), false);
    push_known(&mut out, "Termination", &termination(record), false);
    let usual = opened(&record.game, None)?.fen();
    let fen = start.fen();
    push_known(&mut out, "FEN", if fen == usual { "" } else { &fen }, false);
    push_tag(&mut out, "Format", style.tag());
    out.push('\n');
    let mut words = Words::default();
    write_moves(&mut words, record, start, style)?;
    words.push(result);
    out.push_str(&words.text);
    out.push('\n');
    Ok(out)
}

/// A name, or what the standard has for one that is not known.
fn known_name(name: &str) -> String {
    let name = one_line(name);
    if name.is_empty() { "?".to_owned() } else { name }
}

fn is_ours(game: &str) -> bool {
    matches!(game, "xiangqi" | "xiangqi/free")
}

fn is_xiangqi(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["chinese", "xiangqi", "象棋"].iter().any(|known| name.contains(known))
}

/// The tags that are written from elsewhere, or in their own place.
fn is_written(name: &str) -> bool {
    let elsewhere = ["Game", "Variant", "TimeControl", "Termination", "FEN", "Format", "SetUp"];
    FIRST_TAGS.iter().chain(&THEN_TAGS).chain(&elsewhere).any(|known| known.eq_ignore_ascii_case(name))
}

/// Reads the tags: returns the record without its moves, and the position they begin at.
fn begin(text: &str, tags: &[(String, String, usize)]) -> Result<(Record, Xiangqi), Problem> {
    let mut record = Record { game: "xiangqi".to_owned(), ..Record::default() };
    let mut fen = None;
    for (name, value, at) in tags {
        let other = || located(text, "pgn-other-game", *at).with("found", value);
        match name.to_ascii_lowercase().as_str() {
            "game" if !is_xiangqi(value) => return Err(other()),
            "variant" => match value.to_ascii_lowercase().as_str() {
                "free" | "xiangqi/free" => record.game = "xiangqi/free".to_owned(),
                name if is_xiangqi(name) => {}
                _ => return Err(other()),
            },
            "game" | "format" | "setup" | "gametype" => {}
            "red" | "white" | "black" if is_unknown(value) => {}
            "red" | "white" => record.players[0] = one_line(value),
            "black" => record.players[1] = one_line(value),
            "date" => record.date = said::date(value),
            "result" => {
                record.ending = said::score(value).map(|score| Ending { score, reason: String::new() })
            }
            "timecontrol" => record.clock = one_line(value),
            "fen" => fen = Some((one_line(value), *at)).filter(|(fen, _)| !fen.is_empty()),
            _ if is_unknown(value) => {}
            _ => record.tag(name, value),
        }
    }
    let start = match &fen {
        Some((fen, at)) => {
            let (line, _) = place(text, *at);
            opened(&record.game, Some(fen)).map_err(|problem| problem.with("line", line))?
        }
        None => opened(&record.game, None)?,
    };
    if fen.is_some() {
        let usual = opened(&record.game, None)?.fen();
        record.start = Some(start.fen()).filter(|fen| *fen != usual);
    }
    Ok((record, start))
}

/// Moves the tag `Termination` to the ending of the record, when its value is one of our keys rather than free text.
fn end(record: &mut Record) {
    let Some(reason) = record.tags.get("Termination").cloned() else { return };
    let is_key = |text: &str| text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    match (&mut record.ending, reason.strip_prefix("void").map(str::trim)) {
        (ending @ None, Some(rest)) if is_key(rest) => {
            *ending = Some(Ending { score: Score::Void, reason: rest.to_owned() });
        }
        (Some(ending), _) if is_key(&reason) => ending.reason = reason,
        _ => return,
    }
    record.tags.remove("Termination");
}

fn termination(record: &Record) -> String {
    let told = match &record.ending {
        Some(Ending { score: Score::Void, reason }) => one_line(&format!("void {reason}")),
        ending => ending.as_ref().map(|ending| one_line(&ending.reason)).unwrap_or_default(),
    };
    let words = || record.tags.get("Termination").map(|words| one_line(words)).unwrap_or_default();
    if told.is_empty() { words() } else { told }
}

/// Returns true if a value is one that the standard writes for unknown.
pub(crate) fn is_unknown(value: &str) -> bool {
    matches!(value.trim(), "" | "?" | "-" | "????.??.??")
}

const fn score_text(score: Score) -> &'static str {
    match score {
        Score::Win(Side::First) => "1-0",
        Score::Win(Side::Second) => "0-1",
        Score::Draw => "1/2-1/2",
        Score::Void => "*",
    }
}

pub(crate) fn date_text(date: &str) -> String {
    let date = one_line(date);
    let mut parts: Vec<&str> = date.split('-').collect();
    let fits = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if parts.len() > 3 || parts[0].len() != 4 || !parts.iter().all(fits) {
        return date;
    }
    parts.resize(3, "??");
    parts.join(".")
}

fn push_known(out: &mut String, name: &str, value: &str, always: bool) {
    if always || !value.is_empty() {
        push_tag(out, name, value);
    }
}

pub(crate) fn push_tag(out: &mut String, name: &str, value: &str) {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    out.push_str(&format!("[{name} \"{value}\"]\n"));
}

fn located(text: &str, key: &'static str, at: usize) -> Problem {
    let (line, column) = place(text, at);
    Problem::new(key).with("line", line).with("column", column)
}

/// Cuts a text into tags and words.
struct Reader<'a> {
    text: &'a str,
    at: usize, // byte
    places: Places<'a>,
    /// The number of signs that may still be looked at behind brackets that are not closed.
    budget: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Reader { text, at: 0, places: Places::of(text), budget: MOST_BRACKETED }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn problem(&self, key: &'static str, at: usize) -> Problem {
        let (line, column) = self.places.place(at);
        Problem::new(key).with("line", line).with("column", column)
    }

    /// Steps over white space and lines that begin with `%`; the sign that follows.
    fn skip_space(&mut self) -> Option<char> {
        loop {
            let trimmed = self.rest().trim_start();
            self.at = self.text.len() - trimmed.len();
            let first = trimmed.chars().next()?;
            if first != '%' || !self.at_line_start() {
                return Some(first);
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// Tells whether a name and a value in quotes follow the bracket here.
    fn is_at_tag(&self) -> bool {
        let mut ahead = Reader { at: self.at, ..Reader::new(self.text) };
        ahead.tag().is_some()
    }

    fn at_line_start(&self) -> bool {
        self.begins_line(self.at)
    }

    /// Returns true if nothing but blanks stands before that byte on its line.
    fn begins_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches(is_space_in_line);
        before.is_empty() || before.ends_with(is_line_end)
    }

    /// The tags in front, with the byte each stands at, and what is wrong with the first of those that are none.
    /// `keeps`: such a line is passed over.
    fn tags(&mut self, keeps: bool) -> Result<(Vec<TagAt>, Option<Problem>), Problem> {
        let (mut tags, mut wrong) = (Vec::new(), None);
        while let Some('[' | '［') = self.skip_space() {
            let from = self.at;
            match self.tag() {
                Some(tag) => tags.push(tag),
                None if keeps => {
                    wrong = wrong.or_else(|| Some(self.problem("pgn-tag", from)));
                    self.skip_line();
                }
                None => return Err(self.problem("pgn-tag", from)),
            }
        }
        Ok((tags, wrong))
    }

    /// Returns the head of a text without tags: lines such as `赛事: …`, of which those with known names
    /// are taken as tags, lines of dashes, and a title before them. A line may hold several: `红方：甲 黑方：乙`.
    fn header_lines(&mut self) -> Vec<TagAt> {
        let mut tags: Vec<TagAt> = Vec::new();
        if let Some(title) = self.title() {
            tags.push(("Event".to_owned(), title.to_owned(), self.at));
            self.skip_line();
        }
        while self.skip_space().is_some() {
            let line = self.rest().split(is_line_end).next().unwrap_or_default();
            let is_rule = line.trim().chars().all(|c| matches!(c, '-' | '=' | '─' | '*' | '—' | '_'));
            if let Some((fen, length)) = position_in_front(line) {
                tags.push(("FEN".to_owned(), fen.to_owned(), self.at));
                self.at += length;
                break;
            }
            if is_field(line) || !known_fields(line).is_empty() {
                for (tag, value) in known_fields(line) {
                    // Of two lines for one thing the later says it alone: 红方 has a team in front, 红方姓名 has none.
                    tags.retain(|(name, ..)| name != tag);
                    tags.push((tag.to_owned(), value.to_owned(), self.at));
                }
            } else if !is_rule || line.trim().chars().count() <= 2 {
                break;
            }
            self.skip_line();
        }
        tags
    }

    /// Returns the line here where it is a title: words without a move in front of a line with known names.
    fn title(&mut self) -> Option<&'a str> {
        self.skip_space()?;
        let mut lines = self.rest().split(is_line_end).map(str::trim).filter(|line| !line.is_empty());
        let (title, next) = (lines.next()?, lines.next()?);
        let is_title = title.chars().count() <= LONGEST_TITLE
            && !is_field(title)
            && known_fields(title).is_empty()
            && !has_moves(title);
        (is_title && !known_fields(next).is_empty()).then_some(title)
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find(is_line_end).unwrap_or(self.rest().len());
    }

    /// Reads the text between the bracket here and the one that closes it, brackets of its kind inside included, and
    /// steps over it. `None` where it is not closed.
    fn bracketed(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let open = rest.chars().next()?;
        let close = closing(open);
        let mut depth = 0;
        let most = LONGEST_BRACKET.min(self.budget);
        for (i, c) in rest.char_indices().take(most) {
            if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
                if depth == 0 {
                    self.at += i + c.len_utf8();
                    return Some(&rest[open.len_utf8()..i]);
                }
            }
        }
        self.budget -= most;
        None
    }

    /// A name and a value in quotes, on one line. A backslash counts before a quote and before itself.
    fn tag(&mut self) -> Option<(String, String, usize)> {
        let from = self.at;
        let bracket = self.rest().chars().next()?;
        let inside = self.rest()[bracket.len_utf8()..].trim_start_matches(is_space_in_line);
        let name = &inside[..inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?];
        let rest = inside[name.len()..].trim_start_matches(is_space_in_line);
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '“' | '”' | '＂'))?;
        let mut value = String::new();
        let mut chars = rest.char_indices().skip(1).peekable();
        let behind = loop {
            let (i, c) = chars.next().filter(|(_, c)| !is_line_end(*c))?;
            // Files whose writers know no backslash may have quotes inside; the last one closes.
            let closed =
                || rest[i + c.len_utf8()..].trim_start_matches(is_space_in_line).strip_prefix([']', '］']);
            match c {
                '\\' if matches!(chars.peek(), Some((_, '"' | '\\'))) => {
                    value.extend(chars.next().map(|(_, c)| c))
                }
                '"' | '“' | '”' | '＂' if c == quote || quote != '"' => match closed() {
                    Some(behind) => break behind,
                    None => value.push(c),
                },
                c => value.push(c),
            }
        };
        self.at = self.text.len() - behind.len();
        (!name.is_empty()).then(|| (name.to_owned(), value, from))
    }

    /// The remark in braces, or behind the semicolon up to the end of the line.
    fn comment(&mut self) -> Result<&'a str, Problem> {
        let rest = self.rest();
        let (length, close) = if rest.starts_with('{') {
            let end = rest.find('}').ok_or_else(|| self.problem("pgn-open-comment", self.at))?;
            (end, 1)
        } else {
            (rest.find(['\n', '\r']).unwrap_or(rest.len()), 0)
        };
        self.at += length + close;
        Ok(&rest[1..length])
    }

    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let ends = |c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '{' | '}' | '(' | ')' | ';' | '[' | ']' | '（' | '）' | '【' | '】' | '［' | '］'
                )
                || POINTS.contains(&c)
        };
        let mut end = rest.len();
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            // A comma holds two moves apart, `炮二平五,马8进7`; in a remark a blank follows it.
            let next = chars.peek().map(|(_, next)| *next);
            if ends(c) || (c == ',' && at > 0 && next.is_some_and(|next| !ends(next))) {
                end = at;
                break;
            }
        }
        let word = &rest[..end];
        self.at += word.len();
        word
    }

    /// Returns true if the semicolon here stands between two turns, `马8进7; 2. 马二进三`, and opens no remark: it
    /// follows a word at once, and a number follows it.
    fn is_between_turns(&self) -> bool {
        let behind = self.rest()[1..].trim_start_matches(is_space_in_line);
        let number = behind.trim_start_matches(is_digit);
        !self.text[..self.at].ends_with(char::is_whitespace)
            && number.len() < behind.len()
            && number.starts_with(NUMBER_ENDS)
    }
}

/// The points of Chinese print that end a word and say nothing of a move.
const POINTS: [char; 5] = ['，', '。', '；', '、', '：'];

/// The sign that closes a bracket.
const fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '（' => '）',
        '[' => ']',
        '［' => '］',
        '【' => '】',
        '<' => '>',
        '《' => '》',
        c => c,
    }
}

/// A tag: its name, its value, and the byte it stands at.
type TagAt = (String, String, usize);

/// The longest remark in other brackets than braces, in signs.
const LONGEST_BRACKET: usize = 4_000;

/// The number of signs that are looked at in all behind brackets that are not closed.
const MOST_BRACKETED: usize = 1 << 20;

/// The header lines of texts without tags, and the tags that say the same.
/// The most letters of a title.
const LONGEST_TITLE: usize = 60;

/// Tells whether a line begins with a name of two to eight signs and a colon, and no move of an unknown name follows.
fn is_field(line: &str) -> bool {
    line.split_once([':', '：']).is_some_and(|(name, value)| {
        let name = name.trim();
        let beginning: String = value.trim().chars().take(8).collect();
        (2..=8).contains(&name.chars().count())
            && name.chars().all(|c| !c.is_ascii() && !is_digit(c))
            && (HEADER_LINES.iter().any(|(known, _)| *known == name) || !has_moves(&beginning))
    })
}

/// Tells whether a text begins with a position of xiangqi.
pub(crate) fn begins_with_position(text: &str) -> bool {
    text.lines().next().is_some_and(|line| position_in_front(line).is_some())
}

/// Returns the position that a line begins with, and the bytes up to the moves from it: a FEN, perhaps behind the words
/// by which programs ask each other, `position fen … moves …`.
fn position_in_front(line: &str) -> Option<(&str, usize)> {
    let mut begin = line.len() - line.trim_start().len();
    for word in ["position", "fen", "FEN:", "FEN"] {
        if let Some(rest) = line[begin..].strip_prefix(word) {
            begin = line.len() - rest.trim_start().len();
        }
    }
    let board = line[begin..].split(char::is_whitespace).next()?;
    let signs = |b: u8| b.is_ascii_alphanumeric() || b == b'/';
    if board.matches('/').count() != 9 || !board.bytes().all(signs) {
        return None;
    }
    let length = line[begin..].find(" moves").unwrap_or(line.len() - begin);
    let behind = begin + length + line[begin + length..].strip_prefix(" moves").map_or(0, |_| " moves".len());
    Some((line[begin..begin + length].trim(), behind))
}

/// Returns the tags and values in a line such as `红方：甲 黑方：乙`, by the names of [`HEADER_LINES`]. A name begins the
/// line or follows a blank.
fn known_fields(line: &str) -> Vec<(&'static str, &str)> {
    let mut found: Vec<(usize, usize, &'static str)> = Vec::new();
    for (colon, sign) in line.char_indices().filter(|(_, c)| matches!(c, ':' | '：')) {
        let name = line[..colon].trim_end();
        let name = name.rsplit(char::is_whitespace).next().unwrap_or(name);
        if let Some((_, tag)) = HEADER_LINES.iter().find(|(known, _)| *known == name) {
            let begins = line[..colon].rfind(name).unwrap_or(colon);
            found.push((begins, colon + sign.len_utf8(), tag));
        }
    }
    // A blank in place of the colon, where no move follows: `红方 张三`.
    let line_begins = line.trim_start();
    if found.is_empty()
        && let Some((name, value)) = line_begins.split_once(char::is_whitespace)
        && let Some((_, tag)) = HEADER_LINES.iter().find(|(known, _)| *known == name)
        && !has_moves(value)
    {
        return vec![(*tag, value.trim())];
    }
    let ends = found.iter().skip(1).map(|(begins, ..)| *begins).chain([line.len()]);
    found.iter().zip(ends).map(|((_, from, tag), to)| (*tag, line[*from..to].trim())).collect()
}

const HEADER_LINES: [(&str, &str); 26] = [
    ("标题", "Title"),
    ("棋局名称", "Title"),
    ("分类", "Category"),
    ("赛事", "Event"),
    ("比赛", "Event"),
    ("赛事名称", "Event"),
    ("轮次", "Round"),
    ("布局", "Opening"),
    ("开局", "Opening"),
    ("红方", "Red"),
    ("黑方", "Black"),
    ("红方姓名", "Red"),
    ("黑方姓名", "Black"),
    ("红方棋手", "Red"),
    ("黑方棋手", "Black"),
    ("红方团体", "RedTeam"),
    ("黑方团体", "BlackTeam"),
    ("红方用时", "RedTime"),
    ("黑方用时", "BlackTime"),
    ("结果", "Result"),
    ("比赛结果", "Result"),
    ("日期", "Date"),
    ("比赛日期", "Date"),
    ("地点", "Site"),
    ("比赛地点", "Site"),
    ("评注", "Annotator"),
];

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn is_space_in_line(c: char) -> bool {
    c.is_whitespace() && !is_line_end(c)
}

/// The current node and position, and the position before the last move.
#[derive(Clone)]
struct VariationState {
    last: NodeId,
    before: Xiangqi,
    now: Xiangqi,
}

/// The moves as they are read.
struct Moves<'a> {
    reader: Reader<'a>,
    tree: Tree,
    line: VariationState,
    open: Vec<VariationState>, // where to go on when a variation closes
    waiting: Vec<String>,      // remarks that opened this variation
    fresh: bool,               // whether this variation has no move yet
    ply: usize,                // plies from the start to here
    counts: Vec<usize>,        // the same where variations were opened
    keeps: bool,               // whether what comes before a fault is kept
    fault: Option<Problem>,
    passed: Option<String>, // the start, when the side to move there passed
    ranks: Ranks,
    squares: bool, // whether a move was read that depends on how ranks are counted
    result: Option<Option<Score>>, // what ended the game, once something did
    heading: Option<Score>, // a result in front of the moves
    unread: Option<(String, usize)>, // the first word behind a number, where it is no move, and its place
    restarts: bool, // whether a line begins with number 1 again
    number: usize, // of the last move that was numbered
    words: Vec<String>, // words in a row that are no moves
    rest: Option<usize>, // where the next game begins
}

impl<'a> Moves<'a> {
    fn begin(reader: Reader<'a>, start: Xiangqi) -> Self {
        let line = VariationState { last: Tree::START, before: start.clone(), now: start };
        Moves {
            reader,
            tree: Tree::default(),
            line,
            open: Vec::new(),
            waiting: Vec::new(),
            fresh: false,
            ply: 0,
            counts: Vec::new(),
            keeps: false,
            fault: None,
            passed: None,
            ranks: Ranks::FromZero,
            squares: false,
            result: None,
            heading: None,
            unread: None,
            restarts: false,
            number: 0,
            words: Vec::new(),
            rest: None,
        }
    }

    /// Reads the moves up to the next game or the end.
    fn read(&mut self) -> Result<(), Problem> {
        loop {
            let Err(problem) = self.read_on() else { return Ok(()) };
            if !self.keeps {
                return Err(problem);
            }
            // What was no move and no variation costs itself: it was stepped over.
            let small = matches!(problem.key, "pgn-close" | "pgn-unexpected" | "pgn-variation");
            if !small && self.tree.plies() == 0 {
                return Err(problem);
            }
            // A variation can be left out; behind a move of the game nothing fits any more.
            let is_move = matches!(problem.key, "pgn-move" | "pgn-ambiguous" | "pgn-null");
            let left = small || (is_move && !self.open.is_empty() && self.leave_variation());
            if !left || self.fault.is_none() {
                self.fault = Some(problem);
            }
            if !left {
                return Ok(());
            }
        }
    }

    /// Skips the rest of the variation; returns true if it has an end.
    fn leave_variation(&mut self) -> bool {
        let mut inner = 0;
        while let Some(first) = self.reader.skip_space() {
            match first {
                '{' | ';' if self.reader.comment().is_err() => return false,
                '{' | ';' => {}
                '(' | '（' => {
                    inner += 1;
                    self.reader.at += first.len_utf8();
                }
                ')' | '）' if inner == 0 => return self.close_variation(first).is_ok(),
                ')' | '）' => {
                    inner -= 1;
                    self.reader.at += first.len_utf8();
                }
                first if self.reader.word().is_empty() => self.reader.at += first.len_utf8(),
                _ => {}
            }
        }
        false
    }

    fn read_on(&mut self) -> Result<(), Problem> {
        while let Some(first) = self.reader.skip_space() {
            let at = self.reader.at;
            match first {
                ';' if self.reader.is_between_turns() => self.reader.at += 1,
                '{' | ';' => {
                    self.keep_words();
                    let comment = self.reader.comment()?;
                    self.remark(comment);
                }
                '(' | '（' => {
                    self.keep_words();
                    self.open_bracket(first)?;
                }
                ')' | '）' => {
                    self.keep_words();
                    self.close_variation(first)?;
                }
                '[' | '［'
                    if self.open.is_empty() && self.reader.at_line_start() && self.reader.is_at_tag() =>
                {
                    break;
                }
                '[' | '［' | '【' | '<' => match self.reader.bracketed() {
                    Some(remark) => {
                        self.keep_words();
                        self.remark(remark);
                    }
                    None => self.reader.at += first.len_utf8(),
                },
                ',' => self.reader.at += first.len_utf8(),
                first if POINTS.contains(&first) => self.reader.at += first.len_utf8(),
                '}' | ']' | '］' | '】' => {
                    self.reader.at += first.len_utf8();
                    return Err(self.reader.problem("pgn-unexpected", at));
                }
                _ => {
                    let word = self.reader.word();
                    // The sign of a game that goes on may stand right behind a move.
                    let (moves, end) = match word.strip_suffix(['*', '＊']) {
                        Some(moves) if !moves.is_empty() => (moves, Some("*")),
                        _ => (word, Some(word).filter(|word| said::is_end(word))),
                    };
                    if end.is_none() || moves.len() < word.len() {
                        self.read_word(moves, at)?;
                    }
                    if self.rest.is_some() {
                        break;
                    }
                    if let Some(end) = end.filter(|_| self.open.is_empty()) {
                        self.keep_words();
                        // In front of the moves it says how the game ends, and ends nothing.
                        if self.tree.plies() == 0 {
                            self.heading = self.heading.or(said::score(end));
                        } else {
                            self.result = self.result.or(Some(said::score(end)));
                        }
                    }
                }
            }
        }
        self.keep_words();
        if self.open.is_empty() {
            Ok(())
        } else {
            Err(self.reader.problem("pgn-open-variation", self.reader.at))
        }
    }

    /// Opens a variation, or keeps what stands in the bracket where that is a remark.
    fn open_bracket(&mut self, open: char) -> Result<(), Problem> {
        let at = self.reader.at;
        let inside = &self.reader.rest()[open.len_utf8()..];
        match bracket_begins(inside, &self.line.before) {
            Inside::Moves if self.fresh || self.tree.before(self.line.last).is_none() => {
                // It replaces nothing.
                if self.reader.bracketed().is_none() {
                    self.reader.at += open.len_utf8();
                }
                Err(self.reader.problem("pgn-variation", at))
            }
            Inside::Moves => self.open_variation(open),
            inside => {
                match (self.reader.bracketed(), inside) {
                    (Some(remark), Inside::Remark) => self.remark(remark),
                    (Some(_), _) => {}
                    (None, _) => self.reader.at += open.len_utf8(),
                }
                Ok(())
            }
        }
    }

    /// Keeps the words in a row that were no moves as one remark.
    fn keep_words(&mut self) {
        if !self.words.is_empty() {
            let words = std::mem::take(&mut self.words).join(" ");
            self.remark(&words);
        }
    }

    fn remark(&mut self, comment: &str) {
        let (spent, comment) = take_time(&comment.replace("\r\n", "\n").replace('\r', "\n"));
        let ply = &mut self.tree[self.line.last];
        if self.fresh {
            self.waiting.push(comment);
            return;
        }
        if self.line.last != Tree::START {
            ply.spent_ms = spent.or(ply.spent_ms);
        }
        if spent.is_none() || !comment.is_empty() {
            ply.remark(&comment);
        }
    }

    fn open_variation(&mut self, open: char) -> Result<(), Problem> {
        let before = self.tree.before(self.line.last).filter(|_| !self.fresh);
        let last = before.ok_or_else(|| self.reader.problem("pgn-variation", self.reader.at))?;
        let start = self.line.before.clone();
        let inside = VariationState { last, before: start.clone(), now: start };
        self.open.push(std::mem::replace(&mut self.line, inside));
        self.counts.push(self.ply);
        self.ply -= 1;
        self.fresh = true;
        self.reader.at += open.len_utf8();
        Ok(())
    }

    fn close_variation(&mut self, close: char) -> Result<(), Problem> {
        let at = self.reader.at;
        self.reader.at += close.len_utf8();
        self.line = self.open.pop().ok_or_else(|| self.reader.problem("pgn-close", at))?;
        self.ply = self.counts.pop().unwrap_or_default();
        self.fresh = false;
        self.waiting.clear();
        Ok(())
    }

    fn read_word(&mut self, word: &str, at: usize) -> Result<(), Problem> {
        // `炮二平五$1$14`: signs may stand right behind a move.
        let (word, signs) = word.split_at(word.find('$').unwrap_or(word.len()));
        if let Some(number) = number_of(word) {
            let again = number == 1 && self.ply > 1 && self.open.is_empty();
            self.restarts = again && self.reader.begins_line(at);
            self.number = number;
        }
        let bare = without_number(word);
        // Every third word counts a turn.
        if bare.is_empty() && signs.is_empty() {
            return Ok(());
        }
        let is_rule = |c: char| matches!(c, '-' | '=' | '─' | '—' | '_' | '*');
        if matches!(bare, "--" | "——" | "~" | "0000" | "null") {
            self.null(bare, at)?;
        } else if !(is_turn(word) || word.len() > 3 && word.chars().all(is_rule)) {
            let mut rest = word;
            while !rest.is_empty() && self.rest.is_none() {
                rest = self.read_move(rest, at)?;
            }
        }
        for sign in signs.split('$').skip(1) {
            match sign.parse() {
                Ok(nag) => self.judge(Some(nag)),
                Err(_) => self.words.push(format!("${sign}")),
            }
        }
        Ok(())
    }

    /// Handles a null move: before the first one it says that the other side begins.
    fn null(&mut self, word: &str, at: usize) -> Result<(), Problem> {
        if self.tree.plies() == 0 && self.passed.is_none() && word == "--" {
            return self.pass(at);
        }
        let more = self.reader.skip_space().is_some_and(|c| !matches!(c, ')' | '）' | '['));
        let next = self.reader.rest().split_whitespace().next().unwrap_or_default();
        if !more || said::is_end(next) {
            self.words.push(word.to_owned());
            return Ok(());
        }
        Err(self.placed("pgn-null", at).with("move", word))
    }

    /// A problem with the line of the game and the number of the turn it is in.
    fn placed(&self, key: &'static str, at: usize) -> Problem {
        let line = if self.open.is_empty() { "main" } else { "side" };
        let turn = turn_number(self.ply, self.line.now.turn());
        self.reader.problem(key, at).with("where", line).with("turn", turn)
    }

    /// The side to move at the start passes, which is how files say that the other one begins.
    fn pass(&mut self, at: usize) -> Result<(), Problem> {
        let fen = self.line.now.fen();
        let (board, rest) = fen.split_once(' ').unwrap_or((&fen, "w"));
        let turn = if rest.starts_with('w') { 'b' } else { 'w' };
        let passed = self.line.now.read_fen(&format!("{board} {turn}{}", rest.get(1..).unwrap_or_default()));
        let passed = passed.map_err(|_| self.reader.problem("pgn-move", at).with("move", "--"))?;
        self.passed = Some(passed.fen());
        self.line = VariationState { last: Tree::START, before: passed.clone(), now: passed };
        Ok(())
    }

    /// The move that a text names here.
    fn named(&mut self, text: &str) -> Option<<Xiangqi as Position>::Move> {
        let m = self.line.now.read_counted(text, self.ranks)?;
        self.squares |= !self.squares && text.is_ascii() && Xiangqi::names_squares(text);
        Some(m)
    }

    /// Tells whether a text has the form of a move, or begins with one in Chinese.
    fn is_move_like(&self, text: &str) -> bool {
        let four: String = text.chars().take(4).collect();
        let known = |text: &str| {
            self.line.now.refusal_counted(text, self.ranks).key != "xiangqi-move-unreadable"
                || is_like_a_move(text)
        };
        known(text.trim_end_matches(CHECKS)) || known(&four)
    }

    /// Reads the move that the word is, or begins with; what is left of it.
    fn read_move<'w>(&mut self, word: &'w str, at: usize) -> Result<&'w str, Problem> {
        // No notation has moves of one sign.
        let mut signs = word.chars();
        if let (Some(only), None) = (signs.next(), signs.next())
            && !is_digit(only)
            && !SIGNS.contains(&only)
            && !NUMBER_ENDS.contains(&only)
        {
            self.words.push(word.to_owned());
            return Ok("");
        }
        let bare = without_number(word);
        // A number 1 behind a result begins another game, and so does one that begins a line; other moves behind a result
        // belong to this one, which is strange.
        let ended = self.result.is_some() || self.restarts;
        if ended && self.open.is_empty() && self.number == 1 && self.ply > 1 {
            let four: String = without_sign(bare).0.chars().take(LONGEST_MOVE).collect();
            if !bare.is_empty() && self.is_move_like(&four) {
                self.rest = Some(at);
                return Ok("");
            }
        }
        if word.len() <= LONGEST_WORD {
            let (plain, nag) = without_sign(word);
            let bare = without_number(plain);
            // 15=6 names a soldier, 1.C2=5 has a number in front: what the game knows is a move.
            let shorter = |longer: &str, text: &'w str| Some(text).filter(|text| text.len() < longer.len());
            let m =
                self.named(plain).or_else(|| shorter(plain, bare).and_then(|bare| self.named(bare))).or_else(
                    || shorter(bare, bare.trim_end_matches(CHECKS)).and_then(|checked| self.named(checked)),
                );
            if let Some(m) = m {
                return self.play(m, at).map(|()| {
                    self.judge(nag);
                    ""
                });
            }
            if bare.is_empty() {
                self.judge(nag);
                return Ok("");
            }
        }
        // Some texts leave no space between Chinese moves, which have four signs each.
        let (first, rest) = bare.split_at(bare.char_indices().nth(4).map_or(bare.len(), |(i, _)| i));
        let found = if first.is_ascii() { None } else { self.named(first) };
        let Some(m) = found else { return self.unread(word, bare, at).map(|()| "") };
        self.play(m, at)?;
        let signs = |c: char| SIGNS.contains(&c) || CHECKS.contains(&c);
        let behind = rest.trim_start_matches(signs);
        let sign = rest[..rest.len() - behind.len()].trim_matches(CHECKS);
        self.judge(without_sign(sign).1);
        // A result may stand right behind a move.
        if said::is_end(behind) && self.open.is_empty() {
            self.result = self.result.or(Some(said::score(behind)));
            return Ok("");
        }
        Ok(behind)
    }

    /// Handles a word that names no move here: an impossible move, an ambiguous one, or no move at all.
    fn unread(&mut self, word: &str, bare: &str, at: usize) -> Result<(), Problem> {
        let bare = without_sign(bare).0.trim_end_matches(CHECKS);
        let why = self.line.now.refusal_counted(bare, self.ranks);
        if why.key == "xiangqi-move-unreadable" && !is_like_a_move(bare) {
            if self.tree.plies() == 0 && self.number > 0 {
                self.unread.get_or_insert_with(|| (word.to_owned(), at));
            }
            self.words.push(word.to_owned());
            return Ok(());
        }
        if let Some(m) = self.turned(bare) {
            self.play(m, at)?;
            self.remark(word);
            return Ok(());
        }
        self.squares |= Xiangqi::names_squares(bare);
        Err(match why.arg("moves") {
            Some(moves) => self.placed("pgn-ambiguous", at).with("move", bare).with("moves", moves),
            None => self.placed("pgn-move", at).with("move", bare).with("because", why.key),
        })
    }

    /// Returns the move of a text that confuses advance and retreat: as it is written it would leave the board,
    /// whatever the position, so that only the other way can be meant. The text is kept as a remark.
    fn turned(&self, text: &str) -> Option<<Xiangqi as Position>::Move> {
        let other: String = text
            .chars()
            .map(|c| match c {
                '进' | '進' => '退',
                '退' => '进',
                c => c,
            })
            .collect();
        let m = self.line.now.read_counted(&other, self.ranks).filter(|_| other != text)?;
        let squares = self.line.now.move_text(m).into_bytes();
        let rank = |at: usize| squares.get(at).filter(|b| b.is_ascii_digit()).map(|b| i32::from(b - b'0'));
        let (from, to) = (rank(1)?, rank(3)?);
        (!(0..=9).contains(&(2 * from - to))).then_some(m)
    }

    fn play(&mut self, m: <Xiangqi as Position>::Move, at: usize) -> Result<(), Problem> {
        // Moves behind a result belong to the game.
        if self.result.is_some() && self.open.is_empty() {
            let strange = self.placed("pgn-after-result", at);
            if !self.keeps {
                return Err(strange);
            }
            self.fault.get_or_insert(strange);
        }
        self.keep_words();
        within("plies", self.tree.plies() + 1, MOST_PLIES)?;
        let mut after = self.line.now.clone();
        after.play(m);
        let ply = Ply { text: self.line.now.move_text(m), ..Ply::default() };
        self.ply += 1;
        self.line.before = std::mem::replace(&mut self.line.now, after);
        self.line.last = self.tree.add(self.line.last, ply);
        let ply = &mut self.tree[self.line.last];
        self.waiting.drain(..).for_each(|comment| ply.remark(&comment));
        self.fresh = false;
        Ok(())
    }

    /// Judges the last move of this line, if it has one.
    fn judge(&mut self, nag: Option<u8>) {
        if let Some(nag) = nag.filter(|_| self.line.last != Tree::START && !self.fresh) {
            self.tree[self.line.last].judge(nag);
        }
    }
}

/// The word without `!` and `?` behind it, and what they mean.
fn without_sign(word: &str) -> (&str, Option<u8>) {
    let plain = word.trim_end_matches(SIGNS);
    let signs = word[plain.len()..].replace('！', "!").replace('？', "?");
    (plain, SUFFIXES.iter().find(|(sign, _)| signs.starts_with(sign)).map(|&(_, nag)| nag))
}

/// Tells whether a text is meant as a move, although it is none: four signs with a way in the third place.
fn is_like_a_move(word: &str) -> bool {
    let signs: Vec<char> = word.chars().take(5).collect();
    signs.len() >= 4
        && !signs[0].is_ascii()
        && matches!(signs[2], '平' | '进' | '退' | '進' | '＋' | '－' | '＝')
}

/// The content of a bracket.
enum Inside {
    Moves,
    Number,
    Remark,
}

/// Returns the content that a bracket begins with, where `before` is the position that a variation would begin at.
fn bracket_begins(inside: &str, before: &Xiangqi) -> Inside {
    let mut rest = inside.trim_start();
    loop {
        let first = rest.chars().next();
        match first {
            None => return Inside::Moves,
            Some('(' | '（') => return Inside::Moves,
            Some('{') => match rest.find('}') {
                Some(end) => rest = rest[end + 1..].trim_start(),
                None => return Inside::Moves,
            },
            Some(')' | '）') if rest.len() < inside.trim_start().len() => return Inside::Number,
            Some(')' | '）') => return Inside::Moves,
            Some(_) => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '（' | '）' | '{' | '}');
                let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
                if word.is_empty() {
                    return Inside::Remark;
                }
                let bare = without_number(word);
                if bare.is_empty() || is_turn(word) {
                    rest = rest[word.len()..].trim_start();
                    continue;
                }
                let plain = without_sign(bare).0.trim_end_matches(['*', '＊']).trim_end_matches(CHECKS);
                let four: String = plain.chars().take(4).collect();
                let known = |text: &str| {
                    // No notation has moves of two letters.
                    text.chars().nth(2).is_some()
                        && (before.refusal_counted(text, Ranks::FromZero).key != "xiangqi-move-unreadable"
                            || Xiangqi::names_squares(text)
                            || is_like_a_move(text))
                };
                let is_move = matches!(bare, "--" | "~") || known(plain) || known(&four);
                return if is_move { Inside::Moves } else { Inside::Remark };
            }
        }
    }
}

/// The number of the move that a word begins with: `12.`, `12...炮8平5`, `第12回合`.
fn number_of(word: &str) -> Option<usize> {
    if let Some(number) = word.chars().next().and_then(enclosed_number) {
        return Some(number);
    }
    if !word.starts_with(|c| is_digit(c) || c == '第') {
        return None;
    }
    let word = word.strip_prefix('第').unwrap_or(word);
    let rest = word.trim_start_matches(is_digit);
    if !(rest.is_empty() || rest.starts_with(NUMBER_ENDS) || rest.starts_with('回')) {
        return None;
    }
    let digits = word[..word.len() - rest.len()].chars().take(5).map(|c| half(c).to_digit(10));
    digits.reduce(|number, digit| Some(10 * number? + digit?)).flatten().map(|number| number as usize)
}

fn half(c: char) -> char {
    if ('０'..='９').contains(&c) { char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c) } else { c }
}

/// Tells whether a word only counts: `第4回合`, `第四着：`.
fn is_turn(word: &str) -> bool {
    if !word.starts_with('第') {
        return false;
    }
    let inside = word.trim_end_matches([':', '：', '.', '、', '．']);
    let inside =
        inside.strip_suffix("回合").or_else(|| inside.strip_suffix(['着', '步', '手'])).unwrap_or(inside);
    let Some(number) = inside.strip_prefix('第') else { return false };
    !number.is_empty() && number.chars().all(|c| is_digit(c) || "〇零一二三四五六七八九十百".contains(c))
}

/// The number that is one sign: `③`, `⑶`, `⒊`.
const fn enclosed_number(c: char) -> Option<usize> {
    match c {
        '\u{2460}'..='\u{249b}' => Some((c as usize - 0x2460) % 20 + 1),
        _ => None,
    }
}

/// Signs between the number of a move and the move.
const NUMBER_ENDS: [char; 6] = ['.', '…', '．', '、', '。', ')'];

/// Signs of check and mate behind a move.
const CHECKS: [char; 6] = ['+', '#', '＋', '＃', '†', '‡'];

/// The word without the number of its move: `12.`, `12...`.
fn without_number(word: &str) -> &str {
    if let Some(first) = word.chars().next().filter(|&c| enclosed_number(c).is_some()) {
        return word[first.len_utf8()..].trim_start_matches(NUMBER_ENDS);
    }
    let rest = word.trim_start_matches(is_digit);
    if rest.is_empty() || rest.starts_with(NUMBER_ENDS) { rest.trim_start_matches(NUMBER_ENDS) } else { word }
}

/// Takes each `[%emt h:m:s]` out of a remark: the milliseconds of the first, and the rest.
fn take_time(comment: &str) -> (Option<u64>, String) {
    let mut first = None;
    let mut out = String::new();
    let mut rest = comment;
    while let Some((before, after)) = rest.split_once(TIME) {
        out.push_str(before);
        match read_time(after) {
            Some((ms, length)) => {
                first = first.or(Some(ms));
                rest = &after[length..];
                rest = rest.strip_prefix(' ').unwrap_or(rest);
            }
            None => {
                out.push_str(TIME);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    (first, out)
}

/// The milliseconds of `h:m:s]` in front, and its length in bytes.
fn read_time(text: &str) -> Option<(u64, usize)> {
    let length = text.bytes().take(LONGEST_TIME + 1).position(|b| b == b']')?;
    let mut ms = 0_f64;
    for part in text[..length].trim().split(':') {
        let number: f64 = part.parse().ok().filter(|n: &f64| (0.0..1e6).contains(n))?;
        ms = ms * 60.0 + number * 1000.0;
    }
    (ms < 1e12).then(|| (ms.round() as u64, length + 1))
}

pub(crate) fn time_text(ms: u64) -> String {
    let (seconds, ms) = (ms / 1000, ms % 1000);
    let rest = if ms == 0 { String::new() } else { format!(".{ms:03}") };
    format!("[%emt {}:{:02}:{:02}{rest}]", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The parts that remain to be written.
enum Task {
    /// The moves that follow this node, with its position.
    After(NodeId, Xiangqi, ReaderState),
    /// A variation that begins with this ply.
    Variation(NodeId, Xiangqi, ReaderState),
    Close,
}

/// The state that a reader of the moves so far has.
#[derive(Clone, Copy)]
struct ReaderState {
    ply: usize,   // of the next move, from 1, with Red's odd
    number: bool, // whether the number of the next move is plain
    main: bool,   // whether this is the main line
}

fn write_moves(words: &mut Words, record: &Record, start: Xiangqi, style: Style) -> Result<(), Problem> {
    let tree = &record.tree;
    let number = start.fen().rsplit(' ').next().and_then(|n| n.parse::<usize>().ok()).unwrap_or(1).max(1);
    let ply = 2 * number - usize::from(start.turn() == Side::First);
    words.push_comment(&tree[Tree::START], false);
    let mut tasks = vec![Task::After(Tree::START, start, ReaderState { ply, number: false, main: true })];
    while let Some(task) = tasks.pop() {
        match task {
            Task::After(id, pos, told) => {
                let Some((&main, variations)) = tree.next(id).split_first() else { continue };
                match words.push_ply(&tree[main], &pos, told, style) {
                    Ok(after) => {
                        let number = !words.told && variations.is_empty();
                        tasks.push(Task::After(
                            main,
                            after,
                            ReaderState { ply: told.ply + 1, number, ..told },
                        ));
                    }
                    Err(refused) if told.main => return Err(refused),
                    Err(_) => words.push_refused(tree, main),
                }
                tasks.extend(variations.iter().rev().map(|&id| Task::Variation(id, pos.clone(), told)));
            }
            Task::Variation(id, pos, told) => {
                if pos.read_move(&tree[id].text).is_none() {
                    words.push_refused(tree, id);
                    continue;
                }
                words.push("(");
                words.glued = true;
                let told = ReaderState { number: false, main: false, ..told };
                let after = words.push_ply(&tree[id], &pos, told, style)?;
                let told = ReaderState { ply: told.ply + 1, number: !words.told, ..told };
                tasks.extend([Task::Close, Task::After(id, after, told)]);
            }
            Task::Close => words.push_close(),
        }
    }
    Ok(())
}

/// The words of the moves, broken into lines.
#[derive(Default)]
struct Words {
    text: String,
    column: usize,
    told: bool,  // whether a remark stands behind the last move
    glued: bool, // whether the next word follows without a space
    line: bool,  // whether the line must end here
}

impl Words {
    fn push(&mut self, word: &str) {
        let width: usize = word.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
        if self.column > 0 && !std::mem::take(&mut self.glued) {
            let fits = !self.line && self.column + 1 + width <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.line = false;
        self.text.push_str(word);
        self.column += width;
    }

    fn push_close(&mut self) {
        self.glued = !self.line;
        self.push(")");
    }

    /// Writes a ply; returns the position behind it.
    fn push_ply(
        &mut self,
        ply: &Ply,
        pos: &Xiangqi,
        told: ReaderState,
        style: Style,
    ) -> Result<Xiangqi, Problem> {
        let m = pos.read_move(&ply.text);
        let m =
            m.ok_or_else(|| Problem::new("pgn-refused").with("move", &ply.text).with("fen", pos.fen()))?;
        let red = pos.turn() == Side::First;
        if red || !told.number {
            self.push(&format!("{}{}", told.ply.div_ceil(2), if red { "." } else { "..." }));
        }
        let names = pos.texts(m);
        let name = names.iter().find(|(key, _)| *key == style.key());
        self.push(name.map_or(&ply.text, |(_, name)| name));
        ply.nags.iter().for_each(|nag| self.push(&format!("${nag}")));
        self.push_comment(ply, true);
        let mut after = pos.clone();
        after.play(m);
        Ok(after)
    }

    /// Writes a line that the game does not allow as a remark.
    fn push_refused(&mut self, tree: &Tree, first: NodeId) {
        let line = std::iter::successors(Some(first), |&id| tree.next(id).first().copied());
        let line: Vec<&str> = line.take(MOST_REFUSED).map(|id| tree[id].text.as_str()).collect();
        let remark = Ply { comment: format!("({})", line.join(" ")), ..Ply::default() };
        self.push_comment(&remark, false);
    }

    fn push_comment(&mut self, ply: &Ply, timed: bool) {
        let time = ply.spent_ms.filter(|_| timed).map(time_text);
        self.told = time.is_some() || !ply.comment.is_empty();
        if let Some(time) = time {
            self.push(&format!("{{{time}}}"));
        }
        if ply.comment.is_empty() {
            return;
        }
        if ply.comment.contains('}') && !ply.comment.contains('\n') {
            // Behind a semicolon a brace means nothing.
            self.push(&format!(";{}", ply.comment));
            self.line = true;
        } else {
            self.push(&format!("{{{}}}", ply.comment.replace('}', "｝")));
        }
    }
}
