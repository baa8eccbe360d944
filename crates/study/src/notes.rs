//! Arrows, circles and evaluations in the comments of files, as other programs write them there.
//!
//! `[%csl Gd4,Rd5] [%cal Gc2c3] [%eval 0.35,20] It is time to attack.` has two circles, an arrow, an evaluation and a text.
//! A colour is `G`, `R`, `Y` or `B`; a place is called as the board calls it, and where names run into each other a hyphen
//! stands between them, as in `G32-28`. `[%eval #-3]` is a win of the second side in three moves. A command that does not fit
//! the board stays text.
//!
//! What a person writes that looks like a command is written with one more `%`, as `[%%cal`, and loses it when it is read.

use kernel::Board;
use wire::{MarkColour, StudyEval, StudyMark, Worth};

use crate::MOST_MARKS;
use crate::decide::is_on;

/// The parts of a comment in a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// The text for readers, without commands.
    pub text: String,
    /// Arrows and circles, each place once.
    pub marks: Vec<StudyMark>,
    /// The evaluation of the position.
    pub eval: Option<StudyEval>,
}

const COLOURS: [(char, MarkColour); 4] =
    [('G', MarkColour::Green), ('R', MarkColour::Red), ('Y', MarkColour::Yellow), ('B', MarkColour::Blue)];
/// The names of the commands that are understood.
const COMMANDS: [&str; 3] = ["cal", "csl", "eval"];
/// The largest evaluation, in hundredths or moves; beyond it evaluations are cut.
const MOST_WORTH: i32 = 100_000;

/// Returns the evaluation, limited to what can be written.
#[must_use]
pub fn sane(eval: StudyEval) -> StudyEval {
    let worth = match eval.worth {
        Worth::Hundredths(n) => Worth::Hundredths(n.clamp(-MOST_WORTH, MOST_WORTH)),
        Worth::Wins(0) => Worth::Hundredths(0),
        Worth::Wins(n) => Worth::Wins(n.clamp(-MOST_WORTH, MOST_WORTH)),
    };
    StudyEval { worth, ..eval }
}

/// Parses the comment of a file.
#[must_use]
pub fn read(comment: &str, board: &Board) -> Notes {
    let mut notes = Notes::default();
    let (mut rest, mut cut) = (comment, false);
    while let Some(at) = rest.find("[%") {
        let behind = &rest[at + 2..];
        let percents = behind.len() - behind.trim_start_matches('%').len();
        let end = behind.find(']');
        if percents > 0 && is_command(&behind[percents..]) {
            notes.text.push_str(&rest[..at]);
            notes.text.push_str("[%");
            notes.text.push_str(&behind[1..percents]);
            rest = &behind[percents..];
        } else if let Some(end) = end.filter(|&end| notes.take(&behind[..end], board)) {
            // The gap on one side of a command goes with it.
            let before = &rest[..at];
            notes.text.push_str(before);
            rest = &behind[end + 1..];
            cut = true;
            if notes.text.is_empty() || notes.text.ends_with(char::is_whitespace) {
                rest = rest.strip_prefix(' ').unwrap_or(rest);
            }
        } else {
            notes.text.push_str(&rest[..at + 2]);
            rest = behind;
        }
    }
    notes.text.push_str(rest);
    notes.marks.sort_by_key(|mark| mark.to.is_some());
    if cut {
        notes.text = notes.text.trim().to_owned();
    }
    notes
}

/// Writes the text, marks and evaluation of a node as the comment of a file.
#[must_use]
pub fn write(notes: &Notes, board: &Board) -> String {
    let mut out = String::new();
    let circles = notes.marks.iter().filter(|mark| mark.to.is_none());
    push(&mut out, "csl", circles.map(|mark| mark_text(mark, board)));
    let arrows = notes.marks.iter().filter(|mark| mark.to.is_some());
    push(&mut out, "cal", arrows.map(|mark| mark_text(mark, board)));
    push(&mut out, "eval", notes.eval.iter().map(|eval| eval_text(*eval)));
    if !out.is_empty() && !notes.text.is_empty() {
        out.push(' ');
    }
    out.push_str(&escaped(&notes.text));
    out
}

fn push(out: &mut String, command: &str, values: impl Iterator<Item = String>) {
    let values: Vec<String> = values.collect();
    if !values.is_empty() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&format!("[%{command} {}]", values.join(",")));
    }
}

/// Returns true if the text behind `[%` would be parsed as one of our commands.
fn is_command(behind: &str) -> bool {
    COMMANDS.iter().any(|name| behind.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))
}

/// Returns the text with one more `%` at each place that looks like a command.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("[%") {
        let behind = &rest[at + 2..];
        out.push_str(&rest[..at + 2]);
        if is_command(behind.trim_start_matches('%')) {
            out.push('%');
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

impl Notes {
    /// Takes in a command; returns false if it is unknown, or does not fit the board.
    fn take(&mut self, command: &str, board: &Board) -> bool {
        let Some((name, value)) = command.split_once(' ') else { return false };
        match name {
            "cal" | "csl" => {
                let read = value.split(',').map(|word| read_mark(word.trim(), name == "cal", board));
                let Some(marks) = read.collect::<Option<Vec<_>>>() else { return false };
                if self.marks.len() + marks.len() > MOST_MARKS {
                    return false;
                }
                for mark in marks {
                    self.marks.retain(|old| (old.from, old.to) != (mark.from, mark.to));
                    self.marks.push(mark);
                }
                true
            }
            "eval" if self.eval.is_none() => {
                self.eval = read_eval(value.trim());
                self.eval.is_some()
            }
            _ => false,
        }
    }
}

fn read_mark(word: &str, is_arrow: bool, board: &Board) -> Option<StudyMark> {
    let sign = word.chars().next()?;
    let colour = COLOURS.iter().find(|(letter, _)| *letter == sign)?.1;
    let places = &word[sign.len_utf8()..];
    let (from, to) = match is_arrow {
        false => (places, None),
        true => {
            let (from, to) = places.split_once('-').or_else(|| two_names(places))?;
            (from, Some(to))
        }
    };
    let to = match to {
        Some(to) => Some(cell(to, board)?),
        None => None,
    };
    let mark = StudyMark { from: cell(from, board)?, to, colour };
    is_on(board, mark).then_some(mark)
}

/// Returns the place with exactly that name.
fn cell(name: &str, board: &Board) -> Option<u16> {
    let at = board.cell_named(&name.replace(':', ","))?;
    (plain_name(board, at) == name).then_some(at)
}

/// Returns the name of a place with a colon for the comma, which separates marks.
fn plain_name(board: &Board, cell: u16) -> String {
    board.name(cell).replace(',', ":")
}

/// Splits `c2c3` into `c2` and `c3`: a letter begins each name.
fn two_names(places: &str) -> Option<(&str, &str)> {
    let at = places.char_indices().skip(1).find(|(_, c)| c.is_ascii_lowercase())?.0;
    Some(places.split_at(at))
}

fn mark_text(mark: &StudyMark, board: &Board) -> String {
    let letter = COLOURS.iter().find(|(_, colour)| *colour == mark.colour).map_or('G', |(letter, _)| *letter);
    let from = plain_name(board, mark.from);
    let Some(to) = mark.to else { return format!("{letter}{from}") };
    let to = plain_name(board, to);
    let apart = if from.starts_with(|c: char| c.is_ascii_lowercase()) { "" } else { "-" };
    format!("{letter}{from}{apart}{to}")
}

/// Parses `0.35`, `-1.2,20`, `#3` or `#-3`.
fn read_eval(text: &str) -> Option<StudyEval> {
    let (worth, depth) = match text.split_once(',') {
        Some((worth, depth)) => (worth, Some(depth.parse().ok()?)),
        None => (text, None),
    };
    let worth = match worth.strip_prefix('#') {
        Some(moves) => {
            let moves: i32 = moves.parse().ok().filter(|n: &i32| *n != 0 && n.abs() <= MOST_WORTH / 2)?;
            Worth::Wins(moves.signum() * (moves.abs() * 2 - 1))
        }
        None => Worth::Hundredths(hundredths(worth)?),
    };
    Some(StudyEval { worth, depth })
}

fn hundredths(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let fits = |digits: &str| (1..=6).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if !fits(whole) || !fits(part) {
        return None;
    }
    let part: i32 = format!("{part:0<2}")[..2].parse().ok()?;
    let number = whole.parse::<i32>().ok()? * 100 + part;
    (number <= MOST_WORTH).then_some(if text.starts_with('-') { -number } else { number })
}

fn eval_text(eval: StudyEval) -> String {
    let depth = eval.depth.map(|depth| format!(",{depth}")).unwrap_or_default();
    match sane(eval).worth {
        Worth::Hundredths(n) => {
            let sign = if n < 0 { "-" } else { "" };
            format!("{sign}{}.{:02}{depth}", n.abs() / 100, n.abs() % 100)
        }
        Worth::Wins(n) => format!("#{}{depth}", n.signum() * ((n.abs() + 1) / 2).max(1)),
    }
}
