//! Plain text: header lines, an empty line, numbered turns.
//!
//! ```text
//! Game: locked
//! First: Wu
//! Second: Xiao
//! Result: first no-moves
//!
//! 1. ul d4 dr {a good stone} 2. dd i9 @4200ms uu ( 2. ll )
//! ```
//!
//! A number begins a turn; the plies up to the next number were made by the same side. In a word of small letters
//! each letter is a ply. `{…}` is a comment on the ply before it and `@…ms` its thinking time; `( … )` holds what
//! might have been played instead of that ply. `=` before a move takes it as it is, up to the next space. In a
//! comment `\` takes away the meaning of `}` and of itself. `$1` judges the ply before it, by PGN's numbers. Header
//! lines that we do not know are kept as tags.

use std::cell::Cell;

use kernel::Problem;

use crate::record::{MOST_PLIES, within};
use crate::{Ending, MapOf, NodeId, Ply, Record, Score, Tree};

/// The width at which a line of moves is broken, in characters.
const WIDTH: usize = 80;

/// Returns true if the first line is a header line.
pub(crate) fn begins_like_one(text: &[u8]) -> bool {
    let line = text.split(|&b| b == b'\n').next().unwrap_or_default();
    let name: Vec<u8> = line.iter().copied().take_while(|&b| b != b':').collect();
    name.len() < line.len() && !name.is_empty() && name.iter().all(u8::is_ascii_alphabetic)
}

/// Reads a record.
///
/// ```
/// let record = records::text::read("Game: locked\nFirst: Wu\n\n1. ul d4 dr {a good stone}\n")?;
/// let plies: Vec<&str> = record.tree.main_line().map(|id| &*record.tree[id].text).collect();
/// assert_eq!(plies, ["u", "l", "d4", "d", "r"]);
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `record-text-…` with the line, and in the moves the column, of what does not fit.
pub fn read(text: &str) -> Result<Record, Problem> {
    let mut record = Record::default();
    let mut moves_at = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        moves_at += line.len();
        if line.trim().is_empty() {
            break;
        }
        read_header(line.trim(), &mut record).map_err(|problem| problem.with("line", number))?;
    }
    let mut moves =
        Moves { text, at: moves_at, tree: Tree::default(), last: Tree::START, turn: false, open: Vec::new() };
    moves.read()?;
    record.tree = moves.tree;
    Ok(record)
}

/// Writes a record. Names, clock and date lose their line breaks; nothing else is lost.
///
/// ```
/// use records::{pos, text};
///
/// let text = text::write(&pos::read("h8i9")?);
/// assert!(text.contains("Game: gomoku/freestyle") && text.contains("1. h8"));
/// # Ok::<(), kernel::Problem>(())
/// ```
#[must_use]
pub fn write(record: &Record) -> String {
    let options: Vec<String> = record.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    // The files themselves have no place in a text: its reader must have them.
    let map = record.map.as_ref().map(|map| format!("{} {}", map.id, map.name)).unwrap_or_default();
    let result = record.ending.as_ref().map(|e| format!("{} {}", e.score.key(), e.reason));
    let mut out = String::new();
    for (name, value) in [
        ("Game", record.game.as_str()),
        ("Map", &map),
        ("Options", &options.join(" ")),
        ("Start", record.start.as_deref().unwrap_or_default()),
        ("First", &record.players[0]),
        ("Second", &record.players[1]),
        ("Result", &result.unwrap_or_default()),
        ("Clock", &record.clock),
        ("Date", &record.date),
    ] {
        push_header(&mut out, name, value);
    }
    record.tags.iter().for_each(|(name, value)| push_header(&mut out, name, value));
    out.push('\n');
    let words = write_moves(&record.tree);
    push_wrapped(&mut out, &words);
    out
}

fn push_header(out: &mut String, name: &str, value: &str) {
    let value = one_line(value);
    if !value.is_empty() {
        out.push_str(&format!("{name}: {value}\n"));
    }
}

/// `text` without control characters and without spaces around it.
pub(crate) fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.trim().to_owned()
}

fn read_header(line: &str, record: &mut Record) -> Result<(), Problem> {
    let Some((name, value)) = line.split_once(':') else {
        return Err(Problem::new("record-text-header").with("found", line));
    };
    let value = one_line(value);
    match name.trim().to_ascii_lowercase().as_str() {
        "game" => record.game = value,
        "map" => {
            let (id, name) = value.split_once(' ').unwrap_or((&value, ""));
            record.map = (!id.is_empty()).then(|| MapOf {
                id: id.to_owned(),
                name: name.trim().to_owned(),
                files: None,
            });
        }
        "start" => record.start = Some(value).filter(|fen| !fen.is_empty()),
        "first" => record.players[0] = value,
        "second" => record.players[1] = value,
        "clock" => record.clock = value,
        "date" => record.date = value,
        "result" => record.ending = read_ending(&value)?,
        "options" => {
            for word in value.split_whitespace() {
                let (name, number) = read_option(word)?;
                record.options.insert(name, number);
            }
        }
        _ => record.tag(name.trim(), &value),
    }
    Ok(())
}

fn read_ending(value: &str) -> Result<Option<Ending>, Problem> {
    let (score, reason) = value.split_once(' ').unwrap_or((value, ""));
    if score.is_empty() || score == "*" {
        return Ok(None);
    }
    let score = Score::keyed(score).ok_or_else(|| Problem::new("record-text-result").with("found", score))?;
    Ok(Some(Ending { score, reason: reason.trim().to_owned() }))
}

fn read_option(word: &str) -> Result<(String, i64), Problem> {
    let option = word.split_once('=').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    option.ok_or_else(|| Problem::new("record-text-option").with("found", word))
}

/// The moves as they are read.
struct Moves<'a> {
    text: &'a str,
    at: usize, // byte
    tree: Tree,
    last: NodeId,
    turn: bool,        // whether a number stood since the last ply
    open: Vec<NodeId>, // where to go on when a variation closes
}

impl Moves<'_> {
    fn read(&mut self) -> Result<(), Problem> {
        while let Some(first) = self.skip_space() {
            match first {
                '{' => self.read_comment()?,
                '(' => self.open_variation()?,
                ')' => self.close_variation()?,
                _ => self.read_word()?,
            }
        }
        if self.open.is_empty() { Ok(()) } else { Err(self.problem("record-text-open-variation", self.at)) }
    }

    fn skip_space(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start();
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next()
    }

    fn read_comment(&mut self) -> Result<(), Problem> {
        let from = self.at;
        let mut comment = String::new();
        let mut chars = self.text[from..].char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '}' => {
                    self.at = from + i + 1;
                    self.tree[self.last].remark(&comment);
                    return Ok(());
                }
                '\\' => comment.extend(chars.next().map(|(_, c)| c)),
                c => comment.push(c),
            }
        }
        Err(self.problem("record-text-open-comment", from))
    }

    fn open_variation(&mut self) -> Result<(), Problem> {
        let before = self.tree.before(self.last);
        let before = before.ok_or_else(|| self.problem("record-text-variation", self.at))?;
        self.open.push(self.last);
        self.last = before;
        self.turn = false;
        self.at += 1;
        Ok(())
    }

    fn close_variation(&mut self) -> Result<(), Problem> {
        let back = self.open.pop();
        self.last = back.ok_or_else(|| self.problem("record-text-close", self.at))?;
        self.turn = false;
        self.at += 1;
        Ok(())
    }

    fn read_word(&mut self) -> Result<(), Problem> {
        let rest = &self.text[self.at..];
        let from = self.at;
        // A number may stick to its move, as in `1.h8`.
        if let Some(length) = number_length(rest) {
            self.turn = true;
            self.at += length;
            return Ok(());
        }
        let literal = rest.starts_with('=');
        let ends = |c: char| c.is_whitespace() || (!literal && matches!(c, '{' | '}' | '(' | ')'));
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += word.len();
        match word.chars().next() {
            None => Err(self.problem("record-text-close", from)),
            Some('=') => self.add(&word[1..]),
            Some('@') => self.read_time(&word[1..], from),
            Some('$') => self.read_nag(&word[1..], from),
            _ if is_letters(word) => word.split_inclusive(|_| true).try_for_each(|letter| self.add(letter)),
            _ => self.add(word),
        }
    }

    fn read_time(&mut self, time: &str, from: usize) -> Result<(), Problem> {
        let spent = time.strip_suffix("ms").and_then(|ms| ms.parse().ok());
        if spent.is_none() || self.last == Tree::START {
            return Err(self.problem("record-text-time", from).with("found", time));
        }
        self.tree[self.last].spent_ms = spent;
        Ok(())
    }

    fn read_nag(&mut self, number: &str, from: usize) -> Result<(), Problem> {
        match number.parse() {
            Ok(nag) if self.last != Tree::START => self.tree[self.last].judge(nag),
            _ => return Err(self.problem("record-text-nag", from).with("found", number)),
        }
        Ok(())
    }

    fn add(&mut self, text: &str) -> Result<(), Problem> {
        within("plies", self.tree.plies() + 1, MOST_PLIES)?;
        let same_turn = !std::mem::take(&mut self.turn);
        self.last = self.tree.add(self.last, Ply { text: text.to_owned(), same_turn, ..Ply::default() });
        Ok(())
    }

    fn problem(&self, key: &'static str, at: usize) -> Problem {
        let (line, column) = place(self.text, at);
        Problem::new(key).with("line", line).with("column", column)
    }
}

/// Line and column, in characters, of a byte; both from 1.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The places of a text that is read from front to back, for readers that continue after a fault. Each is counted
/// from the last.
pub(crate) struct Places<'a> {
    text: &'a str,
    last: Cell<(usize, usize, usize)>, // byte, line and column
}

impl<'a> Places<'a> {
    pub(crate) fn of(text: &'a str) -> Places<'a> {
        Places { text, last: Cell::new((0, 1, 1)) }
    }

    /// Returns the line and the column of a byte, like the function [`place`].
    pub(crate) fn place(&self, at: usize) -> (usize, usize) {
        let (from, line, column) = self.last.get();
        let (line, column) = match self.text.get(from..at) {
            Some(between) => {
                let lines = between.matches('\n').count();
                let in_line = between.rfind('\n').map_or(between, |i| &between[i + 1..]).chars().count();
                (line + lines, if lines == 0 { column } else { 1 } + in_line)
            }
            None => place(self.text, at),
        };
        self.last.set((at, line, column));
        (line, column)
    }
}

/// Returns the length of the number in front, with its dots: `12.` or `12...`.
fn number_length(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let dots = text[digits..].bytes().take_while(|&b| b == b'.').count();
    (digits > 0 && dots > 0).then_some(digits + dots)
}

fn is_letters(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_lowercase())
}

/// The parts that remain to be written.
enum Task {
    /// The moves that follow this node, which ends the turn of that number.
    After(NodeId, usize),
    /// A variation that begins with this ply, after the turn of that number.
    Variation(NodeId, usize),
    Close,
}

fn write_moves(tree: &Tree) -> Vec<String> {
    let mut words = Words::default();
    words.push_comment(&tree[Tree::START].comment);
    let mut tasks = vec![Task::After(Tree::START, 0)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::After(id, turn) => {
                let Some((&main, variations)) = tree.next(id).split_first() else { continue };
                let now = words.push_ply(&tree[main], turn);
                tasks.push(Task::After(main, now));
                tasks.extend(variations.iter().rev().map(|&id| Task::Variation(id, turn)));
            }
            Task::Variation(id, turn) => {
                words.push("(".to_owned());
                let now = words.push_ply(&tree[id], turn);
                tasks.extend([Task::Close, Task::After(id, now)]);
            }
            Task::Close => words.push(")".to_owned()),
        }
    }
    words.all
}

/// The words of the moves, and whether a letter may still be put to the last one.
#[derive(Default)]
struct Words {
    all: Vec<String>,
    growing: bool,
}

impl Words {
    fn push(&mut self, word: String) {
        self.all.push(word);
        self.growing = false;
    }

    /// Writes a ply that follows turn number `turn`; returns the number of its own turn.
    fn push_ply(&mut self, ply: &Ply, turn: usize) -> usize {
        let now = turn + usize::from(!ply.same_turn);
        if !ply.same_turn {
            self.push(format!("{now}."));
        }
        match self.all.last_mut() {
            Some(word) if self.growing && is_letter(&ply.text) => word.push_str(&ply.text),
            _ => self.push(move_word(&ply.text)),
        }
        self.growing = is_letter(&ply.text);
        if let Some(ms) = ply.spent_ms {
            self.push(format!("@{ms}ms"));
        }
        ply.nags.iter().for_each(|nag| self.push(format!("${nag}")));
        self.push_comment(&ply.comment);
        now
    }

    fn push_comment(&mut self, comment: &str) {
        if !comment.is_empty() {
            self.push(format!("{{{}}}", comment.replace('\\', "\\\\").replace('}', "\\}")));
        }
    }
}

fn is_letter(text: &str) -> bool {
    text.len() == 1 && is_letters(text)
}

/// The move, with `=` before it where it would be read as something else.
fn move_word(text: &str) -> String {
    let strange = text.contains(['{', '}', '(', ')']) || text.starts_with(['=', '@', '$']);
    let literal = strange || number_length(text).is_some() || (is_letters(text) && !is_letter(text));
    if literal { format!("={text}") } else { text.to_owned() }
}

fn push_wrapped(out: &mut String, words: &[String]) {
    let mut column = 0;
    for word in words {
        let width = word.chars().count();
        if column > 0 {
            let fits = column + 1 + width <= WIDTH;
            out.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        out.push_str(word);
        column += width;
    }
    out.push('\n');
}
