//! PGN for xiangqi: tags, moves in Chinese, WXF or ICCS, remarks, variations.
//!
//! Sources: the PGN standard of 1994 (import format, with `;`, `%`, `$` and nested variations), and for xiangqi what
//! ElephantEye's documents and samples say: `[Game "Chinese Chess"]`, `Red` and `Black`, `RedTeam`, `ECCO`,
//! `Opening`, and `Format` as `Chinese`, `WXF` or `ICCS`.
//!
//! Which notation a move is written in is for the game to see, move by move, whatever `Format` says. Files come in
//! UTF-8 and in GBK. Of a file with several games the first is read here; see [`crate::Games`] for all. A remark may
//! hold a thinking time, `[%emt 0:00:01.2]`. What might have been played before the first move cannot be said, so a
//! remark that opens a variation goes to its first move.
//!
//! A variation that the game does not allow is written as a remark, machine text in brackets, so that one slip in a
//! file does not cost the rest. Not kept in writing: in a remark of several lines a closing brace, which becomes a
//! full-width one, since PGN has no way to say it.

use kernel::{Notation, Position, Problem, Side};
use xiangqi::Xiangqi;

use crate::points::opened;
use crate::record::{MOST_PLIES, within};
use crate::text::{Places, one_line, place};
use crate::{Ending, NodeId, Ply, Record, Score, Tree};

/// Where a line of moves is broken, in columns of a terminal.
const WIDTH: usize = 80;
/// The tags that stand first in a written file, in this order; the others follow by name.
const FIRST_TAGS: [&str; 6] = ["Event", "Site", "Date", "Round", "RedTeam", "Red"];
const THEN_TAGS: [&str; 6] = ["BlackTeam", "Black", "Result", "ECCO", "Opening", "Variation"];
/// Signs behind a move and their numbers: the standard's section 8.2.3.8 and 10.
const SUFFIXES: [(&str, u8); 6] = [("!!", 3), ("??", 4), ("!?", 5), ("?!", 6), ("!", 1), ("?", 2)];

const SIGNS: [char; 4] = ['!', '?', '！', '？'];
/// What is longer is no move, in bytes.
const LONGEST_WORD: usize = 60;
/// Before a thinking time in a remark.
const TIME: &str = "[%emt ";
/// What is longer is no thinking time, in bytes.
const LONGEST_TIME: usize = 40;
/// How much of a line that the game does not allow is kept as a remark, in plies.
const MOST_REFUSED: usize = 60;

/// A notation that moves are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// 炮二平五.
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

/// Whether a text that begins with a tag is one of xiangqi rather than of another game with PGN-like files.
pub(crate) fn is_one(text: &str) -> bool {
    let mut reader = Reader::new(text);
    let tags = reader.tags().unwrap_or_default();
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

/// Reads the first game of a text.
///
/// # Errors
/// `pgn-…` with line and column of what does not fit; what the game says against the start.
pub fn read(text: &str) -> Result<Record, Problem> {
    let (record, fault) = read_as(text, false)?;
    fault.map_or(Ok(record), Err)
}

/// The same, but what comes before a fault is kept, and the fault is told besides.
///
/// # Errors
/// As [`read`], when nothing comes before the fault.
pub(crate) fn read_partial(text: &str) -> Result<(Record, Option<Problem>), Problem> {
    read_as(text, true)
}

fn read_as(text: &str, keeps: bool) -> Result<(Record, Option<Problem>), Problem> {
    let mut reader = Reader::new(text);
    let tags = reader.tags()?;
    let (mut record, start) = begin(text, &tags)?;
    let mut moves = Moves::begin(reader, start);
    moves.keeps = keeps;
    let result = moves.read()?;
    let fault = moves.fault;
    if let Some(passed) = moves.passed {
        record.start = Some(passed);
    }
    record.tree = moves.tree;
    if record.ending.is_none() {
        record.ending = result.map(|score| Ending { score, reason: String::new() });
    }
    end(&mut record);
    if record.players.iter().all(String::is_empty) && tags.is_empty() && record.tree.plies() == 0 {
        return Err(Problem::new("pgn-none"));
    }
    Ok((record, fault))
}

/// Writes a record of xiangqi.
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

/// What the tags say: the record without its moves, and the position they begin at.
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
            "date" => record.date = read_date(value),
            "result" => {
                record.ending = read_result(value).map(|score| Ending { score, reason: String::new() })
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
    let usual = opened(&record.game, None)?.fen();
    record.start = Some(start.fen()).filter(|fen| *fen != usual);
    Ok((record, start))
}

/// Puts `Termination` where a record has it, when it is one of our keys rather than somebody's words.
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

/// What the standard writes where nothing is known.
pub(crate) fn is_unknown(value: &str) -> bool {
    matches!(value.trim(), "" | "?" | "-" | "????.??.??")
}

fn read_result(text: &str) -> Option<Score> {
    match text.trim() {
        "1-0" | "红胜" | "红先胜" => Some(Score::Win(Side::First)),
        "0-1" | "黑胜" | "红先负" => Some(Score::Win(Side::Second)),
        "1/2-1/2" | "1/2" | "和棋" | "和" | "红先和" => Some(Score::Draw),
        _ => None,
    }
}

const fn score_text(score: Score) -> &'static str {
    match score {
        Score::Win(Side::First) => "1-0",
        Score::Win(Side::Second) => "0-1",
        Score::Draw => "1/2-1/2",
        Score::Void => "*",
    }
}

/// `1997.11.16` as `1997-11-16`, and `1997.??.??` as `1997`; another text as it is.
pub(crate) fn read_date(value: &str) -> String {
    let value = one_line(value);
    let parts: Vec<&str> = value.split('.').collect();
    let known: Vec<&str> = parts.iter().copied().take_while(|part| !part.contains('?')).collect();
    let digits = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let rest = parts[known.len()..].iter().all(|part| part.bytes().all(|b| b == b'?'));
    if parts.len() == 3 && rest && known.iter().all(digits) { known.join("-") } else { value }
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
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Reader { text, at: 0, places: Places::of(text) }
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

    fn at_line_start(&self) -> bool {
        let before = self.text[..self.at].trim_end_matches(is_space_in_line);
        before.is_empty() || before.ends_with(is_line_end)
    }

    /// The tags in front, with the byte each stands at.
    fn tags(&mut self) -> Result<Vec<(String, String, usize)>, Problem> {
        let mut tags = Vec::new();
        while self.skip_space() == Some('[') {
            let from = self.at;
            tags.push(self.tag().ok_or_else(|| self.problem("pgn-tag", from))?);
        }
        Ok(tags)
    }

    /// A name and a value in quotes, on one line. A backslash counts before a quote and before itself.
    fn tag(&mut self) -> Option<(String, String, usize)> {
        let from = self.at;
        let inside = self.rest()[1..].trim_start_matches(is_space_in_line);
        let name = &inside[..inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?];
        let rest = inside[name.len()..].trim_start_matches(is_space_in_line);
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '“' | '”'))?;
        let mut value = String::new();
        let mut chars = rest.char_indices().skip(1).peekable();
        let behind = loop {
            let (i, c) = chars.next().filter(|(_, c)| !is_line_end(*c))?;
            // Files whose writers know no backslash may have quotes inside; the last one closes.
            let closed = || rest[i + c.len_utf8()..].trim_start_matches(is_space_in_line).strip_prefix(']');
            match c {
                '\\' if matches!(chars.peek(), Some((_, '"' | '\\'))) => {
                    value.extend(chars.next().map(|(_, c)| c))
                }
                '"' | '“' | '”' if c == quote || quote != '"' => match closed() {
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
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ';' | '[' | ']');
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn is_space_in_line(c: char) -> bool {
    c.is_whitespace() && !is_line_end(c)
}

/// Where the moves are, and where they were before the last one.
#[derive(Clone)]
struct Line {
    last: NodeId,
    before: Xiangqi,
    now: Xiangqi,
}

/// The moves as they are read.
struct Moves<'a> {
    reader: Reader<'a>,
    tree: Tree,
    line: Line,
    open: Vec<Line>,      // where to go on when a variation closes
    waiting: Vec<String>, // remarks that opened this variation
    fresh: bool,          // whether this variation has no move yet
    keeps: bool,          // whether what comes before a fault is kept
    fault: Option<Problem>,
    passed: Option<String>, // the start, when the side to move there passed
}

impl<'a> Moves<'a> {
    fn begin(reader: Reader<'a>, start: Xiangqi) -> Self {
        let line = Line { last: Tree::START, before: start.clone(), now: start };
        Moves {
            reader,
            tree: Tree::default(),
            line,
            open: Vec::new(),
            waiting: Vec::new(),
            fresh: false,
            keeps: false,
            fault: None,
            passed: None,
        }
    }

    /// Reads the moves up to the result, the next game or the end.
    fn read(&mut self) -> Result<Option<Score>, Problem> {
        loop {
            match self.read_on() {
                Err(problem) if self.keeps && self.tree.plies() > 0 => {
                    // A variation can be left out; behind a move of the game nothing fits any more.
                    let left = problem.key == "pgn-move" && !self.open.is_empty() && self.leave_variation();
                    if !left || self.fault.is_none() {
                        self.fault = Some(problem);
                    }
                    if !left {
                        return Ok(None);
                    }
                }
                done => return done,
            }
        }
    }

    /// Steps over what is left of the variation; whether it has an end.
    fn leave_variation(&mut self) -> bool {
        let mut inner = 0;
        while let Some(first) = self.reader.skip_space() {
            match first {
                '{' | ';' if self.reader.comment().is_err() => return false,
                '{' | ';' => {}
                '(' => {
                    inner += 1;
                    self.reader.at += 1;
                }
                ')' if inner == 0 => return self.close_variation().is_ok(),
                ')' => {
                    inner -= 1;
                    self.reader.at += 1;
                }
                first if self.reader.word().is_empty() => self.reader.at += first.len_utf8(),
                _ => {}
            }
        }
        false
    }

    fn read_on(&mut self) -> Result<Option<Score>, Problem> {
        while let Some(first) = self.reader.skip_space() {
            let at = self.reader.at;
            match first {
                '{' | ';' => {
                    let comment = self.reader.comment()?;
                    self.remark(comment);
                }
                '(' => self.open_variation()?,
                ')' => self.close_variation()?,
                '[' if self.open.is_empty() && self.reader.at_line_start() => break,
                '}' | '[' | ']' => return Err(self.reader.problem("pgn-unexpected", at)),
                _ => {
                    let word = self.reader.word();
                    // The sign of a game that goes on may stand right behind a move.
                    let (moves, end) = match word.strip_suffix(['*', '＊']) {
                        Some(moves) if !moves.is_empty() => (moves, Some("*".to_owned())),
                        _ => (word, Some(narrow(word)).filter(|word| is_result(word))),
                    };
                    if end.is_none() || moves.len() < word.len() {
                        self.read_word(moves, at)?;
                    }
                    if let Some(end) = end.filter(|_| self.open.is_empty()) {
                        return Ok(read_result(&end));
                    }
                }
            }
        }
        if self.open.is_empty() {
            Ok(None)
        } else {
            Err(self.reader.problem("pgn-open-variation", self.reader.at))
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

    fn open_variation(&mut self) -> Result<(), Problem> {
        let before = self.tree.before(self.line.last).filter(|_| !self.fresh);
        let last = before.ok_or_else(|| self.reader.problem("pgn-variation", self.reader.at))?;
        let start = self.line.before.clone();
        let inside = Line { last, before: start.clone(), now: start };
        self.open.push(std::mem::replace(&mut self.line, inside));
        self.fresh = true;
        self.reader.at += 1;
        Ok(())
    }

    fn close_variation(&mut self) -> Result<(), Problem> {
        let back = self.open.pop();
        self.line = back.ok_or_else(|| self.reader.problem("pgn-close", self.reader.at))?;
        self.fresh = false;
        self.waiting.clear();
        self.reader.at += 1;
        Ok(())
    }

    fn read_word(&mut self, word: &str, at: usize) -> Result<(), Problem> {
        if without_number(word) == "--" && self.tree.plies() == 0 && self.passed.is_none() {
            return self.pass(at);
        }
        if let Some(number) = word.strip_prefix('$') {
            let nag = number.parse().map_err(|_| self.reader.problem("pgn-nag", at).with("found", word))?;
            self.judge(Some(nag));
            return Ok(());
        }
        let mut rest = word;
        while !rest.is_empty() {
            rest = self.read_move(rest, at)?;
        }
        Ok(())
    }

    /// The side to move at the start passes, which is how files say that the other one begins.
    fn pass(&mut self, at: usize) -> Result<(), Problem> {
        let fen = self.line.now.fen();
        let (board, rest) = fen.split_once(' ').unwrap_or((&fen, "w"));
        let turn = if rest.starts_with('w') { 'b' } else { 'w' };
        let passed = self.line.now.read_fen(&format!("{board} {turn}{}", rest.get(1..).unwrap_or_default()));
        let passed = passed.map_err(|_| self.reader.problem("pgn-move", at).with("move", "--"))?;
        self.passed = Some(passed.fen());
        self.line = Line { last: Tree::START, before: passed.clone(), now: passed };
        Ok(())
    }

    /// Reads the move that the word is, or begins with; what is left of it.
    fn read_move<'w>(&mut self, word: &'w str, at: usize) -> Result<&'w str, Problem> {
        let bare = without_number(word);
        if word.len() <= LONGEST_WORD {
            let (plain, nag) = without_sign(word);
            let bare = without_number(plain);
            // 15=6 names a soldier, 1.C2=5 has a number in front: what the game knows is a move.
            let now = &self.line.now;
            if let Some(m) = now.read_move(plain).or_else(|| now.read_move(bare)) {
                self.play(m)?;
                self.judge(nag);
                return Ok("");
            }
            if bare.is_empty() {
                self.judge(nag);
                return Ok("");
            }
        }
        // Some texts leave no space between Chinese moves, which have four signs each.
        let (first, rest) = bare.split_at(bare.char_indices().nth(4).map_or(bare.len(), |(i, _)| i));
        let found =
            Some(first).filter(|first| !first.is_ascii()).and_then(|first| self.line.now.read_move(first));
        let m = found.ok_or_else(|| self.reader.problem("pgn-move", at).with("move", bare))?;
        self.play(m)?;
        let behind = rest.trim_start_matches(SIGNS);
        self.judge(without_sign(&rest[..rest.len() - behind.len()]).1);
        Ok(behind)
    }

    fn play(&mut self, m: <Xiangqi as Position>::Move) -> Result<(), Problem> {
        within("plies", self.tree.plies() + 1, MOST_PLIES)?;
        let mut after = self.line.now.clone();
        after.play(m);
        let ply = Ply { text: self.line.now.move_text(m), ..Ply::default() };
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

/// The word with full-width signs as plain ones.
fn narrow(word: &str) -> String {
    let plain = |c: char| match c {
        '！'..='～' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        c => c,
    };
    word.chars().map(plain).collect()
}

fn is_result(word: &str) -> bool {
    matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*")
}

/// The word without the number of its move: `12.`, `12...`.
fn without_number(word: &str) -> &str {
    let dots = ['.', '…', '．', '、'];
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit() || ('０'..='９').contains(&c));
    if rest.is_empty() || rest.starts_with(dots) { rest.trim_start_matches(dots) } else { word }
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

/// What is still to be written.
enum Task {
    /// What follows this place, where that position stands.
    After(NodeId, Xiangqi, Told),
    /// A variation that begins with this ply.
    Variation(NodeId, Xiangqi, Told),
    Close,
}

/// What a reader of the moves so far knows.
#[derive(Clone, Copy)]
struct Told {
    ply: usize,   // of the next move, from 1, with Red's odd
    number: bool, // whether the number of the next move is plain
    main: bool,   // whether this is the main line
}

fn write_moves(words: &mut Words, record: &Record, start: Xiangqi, style: Style) -> Result<(), Problem> {
    let tree = &record.tree;
    let number = start.fen().rsplit(' ').next().and_then(|n| n.parse::<usize>().ok()).unwrap_or(1).max(1);
    let ply = 2 * number - usize::from(start.turn() == Side::First);
    words.push_comment(&tree[Tree::START], false);
    let mut tasks = vec![Task::After(Tree::START, start, Told { ply, number: false, main: true })];
    while let Some(task) = tasks.pop() {
        match task {
            Task::After(id, pos, told) => {
                let Some((&main, variations)) = tree.next(id).split_first() else { continue };
                match words.push_ply(&tree[main], &pos, told, style) {
                    Ok(after) => {
                        let number = !words.told && variations.is_empty();
                        tasks.push(Task::After(main, after, Told { ply: told.ply + 1, number, ..told }));
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
                let told = Told { number: false, main: false, ..told };
                let after = words.push_ply(&tree[id], &pos, told, style)?;
                let told = Told { ply: told.ply + 1, number: !words.told, ..told };
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
    fn push_ply(&mut self, ply: &Ply, pos: &Xiangqi, told: Told, style: Style) -> Result<Xiangqi, Problem> {
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
