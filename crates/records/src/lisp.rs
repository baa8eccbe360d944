//! Parser of lists as Emacs prints them. Tolerant, because `format "%s"` omits the quotes of texts.

use kernel::Problem;

use crate::record::within;
use crate::text::place;

/// The greatest depth of nested lists.
const MOST_DEPTH: usize = 40;
/// The most values of a file.
const MOST_VALUES: usize = 200_000;

/// A value. Values in brackets of either kind, or in `#s(…)`, are a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// A symbol, a number, or a text without its quotes.
    Word(String),
    /// Several values; of `(a . b)` the two without the dot.
    List(Vec<Value>),
}

impl Value {
    pub fn word(&self) -> Option<&str> {
        match self {
            Value::Word(word) => Some(word),
            Value::List(_) => None,
        }
    }

    /// The values of a list; `nil` is an empty one.
    pub fn list(&self) -> Option<&[Value]> {
        match self {
            Value::List(list) => Some(list),
            Value::Word(word) => (word == "nil").then_some(&[]),
        }
    }

    /// Returns the value that follows that name in `(name value name value …)`.
    pub fn property(&self, name: &str) -> Option<&Value> {
        let list = self.list()?;
        list.chunks(2).find(|pair| pair[0].word() == Some(name)).and_then(|pair| pair.get(1))
    }
}

/// Reads the first value of a text.
///
/// # Errors
/// `chess-…` with line and column, and `record-limit`.
pub(crate) fn read(text: &str) -> Result<Value, Problem> {
    let problem = |key, at| {
        let (line, column) = place(text, at);
        Problem::new(key).with("line", line).with("column", column)
    };
    let mut open: Vec<(char, Vec<Value>)> = Vec::new();
    let mut at = 0;
    let mut count = 0;
    loop {
        at += blank(&text[at..]);
        let Some(sign) = text[at..].chars().next() else { return Err(problem("chess-open", text.len())) };
        count += 1;
        within("values", count, MOST_VALUES)?;
        let value = match sign {
            '(' | '[' => {
                within("depth", open.len() + 1, MOST_DEPTH)?;
                open.push((if sign == '(' { ')' } else { ']' }, Vec::new()));
                at += 1;
                continue;
            }
            ')' | ']' => {
                let list = open.pop().filter(|(close, _)| *close == sign);
                let (_, list) = list.ok_or_else(|| problem("chess-close", at))?;
                at += 1;
                Value::List(list)
            }
            '"' => {
                let (string, length) = quoted(&text[at..]).ok_or_else(|| problem("chess-quote", at))?;
                at += length;
                Value::Word(string)
            }
            '\'' | '`' | ',' => {
                at += 1;
                continue;
            }
            _ => {
                let rest = &text[at..];
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | '"');
                let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
                at += word.len();
                // `#s(` and `#(` begin a list with a mark in front; the dot of a pair says nothing further.
                if word == "." || (word.starts_with('#') && text[at..].starts_with('(')) {
                    continue;
                }
                Value::Word(word.to_owned())
            }
        };
        match open.last_mut() {
            Some((_, list)) => list.push(value),
            None => return Ok(value),
        }
    }
}

/// Returns the length of the white space and the comments in front.
fn blank(text: &str) -> usize {
    let mut rest = text.trim_start();
    while rest.starts_with(';') {
        rest = rest.find('\n').map_or("", |end| &rest[end..]).trim_start();
    }
    text.len() - rest.len()
}

/// The text between the quotes in front, and its length with them.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut string = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((i, c)) = chars.next() {
        match c {
            '"' => return Some((string, i + 1)),
            '\\' => string.extend(chars.next().map(|(_, c)| c)),
            c => string.push(c),
        }
    }
    None
}
