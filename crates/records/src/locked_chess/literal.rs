//! Python literals, read and never evaluated: numbers, strings, `True`, `None`, lists, tuples and sets.
//!
//! Names, calls, operators and dictionaries are refused, so a hostile text is only ever a value or an error.

use std::fmt;

/// The longest text that is read, in bytes.
pub const LONGEST: usize = 64 * 1024;
/// How many brackets may stand inside one another.
pub const DEEPEST: usize = 8;

/// A Python value.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a point or an exponent.
    Float(f64),
    /// Text.
    Str(String),
    /// `[…]`.
    List(Vec<Literal>),
    /// `(…)`.
    Tuple(Vec<Literal>),
    /// `{…}` with something in it, or `set()`. In the order written; equal members are kept.
    Set(Vec<Literal>),
    /// `{}`, the empty dictionary: the one dictionary that is read.
    EmptyDict,
}

/// Why a text is not a literal: what was wrong, and at which byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiteralError {
    /// What was wrong.
    pub what: &'static str,
    /// Where, in bytes from 0.
    pub at: usize,
}

impl fmt::Display for LiteralError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.what, self.at)
    }
}

impl std::error::Error for LiteralError {}

/// Reads one literal and nothing after it.
///
/// # Errors
/// What does not fit, and where.
///
/// ```
/// use records::locked_chess::literal::{Literal, parse};
/// assert_eq!(parse("(4, -1)"), Ok(Literal::Tuple(vec![Literal::Int(4), Literal::Int(-1)])));
/// assert!(parse("__import__('os')").is_err());
/// ```
pub fn parse(text: &str) -> Result<Literal, LiteralError> {
    if text.len() > LONGEST {
        return Err(LiteralError { what: "too long", at: LONGEST });
    }
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.space();
    if reader.at < text.len() { Err(reader.wrong("something after the value")) } else { Ok(value) }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn wrong(&self, what: &'static str) -> LiteralError {
        LiteralError { what, at: self.at }
    }

    fn space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\n', '\r', '\x0c']).len();
    }

    fn took(&mut self, word: &str) -> bool {
        let is_next = self.rest().starts_with(word);
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    fn value(&mut self, depth: usize) -> Result<Literal, LiteralError> {
        if depth > DEEPEST {
            return Err(self.wrong("too many brackets inside one another"));
        }
        self.space();
        match self.rest().chars().next() {
            Some('[') => self.items(']', depth).map(|(items, _)| Literal::List(items)),
            Some('(') => self.items(')', depth).map(|(mut items, comma)| {
                // One value in round brackets is that value, unless a comma follows it.
                if items.len() == 1 && !comma { items.remove(0) } else { Literal::Tuple(items) }
            }),
            Some('{') => self.items('}', depth).and_then(|(items, _)| self.set(items)),
            Some('\'' | '"') => self.string(),
            Some('0'..='9' | '-' | '+' | '.') => self.number(),
            _ => self.word(),
        }
    }

    fn items(&mut self, close: char, depth: usize) -> Result<(Vec<Literal>, bool), LiteralError> {
        self.at += 1;
        let mut items = Vec::new();
        let mut comma = false;
        loop {
            self.space();
            if self.rest().starts_with(close) {
                self.at += 1;
                return Ok((items, comma));
            }
            if !items.is_empty() && !comma {
                return Err(self.wrong("no comma or closing bracket"));
            }
            items.push(self.value(depth + 1)?);
            self.space();
            comma = self.took(",");
        }
    }

    fn set(&self, items: Vec<Literal>) -> Result<Literal, LiteralError> {
        if items.is_empty() {
            return Ok(Literal::EmptyDict);
        }
        if !items.iter().all(is_hashable) {
            return Err(self.wrong("a set cannot hold lists or sets"));
        }
        Ok(Literal::Set(items))
    }

    fn word(&mut self) -> Result<Literal, LiteralError> {
        let words = [
            ("None", Literal::None),
            ("True", Literal::Bool(true)),
            ("False", Literal::Bool(false)),
            ("set()", Literal::Set(Vec::new())),
        ];
        for (word, value) in words {
            if self.took(word) {
                return Ok(value);
            }
        }
        Err(self.wrong("not a value"))
    }

    fn number(&mut self) -> Result<Literal, LiteralError> {
        let len = self.rest().find(|c: char| !matches!(c, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'));
        let digits = &self.rest()[..len.unwrap_or(self.rest().len())];
        let bare = digits.trim_start_matches(['+', '-']);
        let value = if bare.bytes().all(|b| b.is_ascii_digit()) {
            let is_padded = bare.len() > 1 && bare.starts_with('0') && bare.bytes().any(|b| b != b'0');
            digits.parse().ok().filter(|_| !is_padded).map(Literal::Int)
        } else {
            digits.parse().ok().map(Literal::Float)
        };
        let value = value.ok_or_else(|| self.wrong("not a number that is read here"))?;
        self.at += digits.len();
        Ok(value)
    }

    fn string(&mut self) -> Result<Literal, LiteralError> {
        let start = self.at;
        let mut chars = self.text[start..].char_indices();
        let quote = chars.next().expect("a quote is next").1;
        let mut out = String::new();
        while let Some((i, c)) = chars.next() {
            let at = start + i;
            match c {
                c if c == quote => {
                    self.at = at + 1;
                    return Ok(Literal::Str(out));
                }
                '\n' | '\r' => return Err(LiteralError { what: "a string ends on its line", at }),
                '\\' => {
                    out.push(escape(&mut chars).ok_or(LiteralError { what: "not an escape read here", at })?)
                }
                c => out.push(c),
            }
        }
        Err(LiteralError { what: "a string is not closed", at: start })
    }
}

fn escape(chars: &mut std::str::CharIndices<'_>) -> Option<char> {
    let hex = |chars: &mut std::str::CharIndices<'_>, digits: usize| {
        let mut code = 0;
        for _ in 0..digits {
            code = code * 16 + chars.next()?.1.to_digit(16)?;
        }
        char::from_u32(code)
    };
    match chars.next()?.1 {
        c @ ('\\' | '\'' | '"') => Some(c),
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        'x' => hex(chars, 2),
        'u' => hex(chars, 4),
        'U' => hex(chars, 8),
        _ => None,
    }
}

fn is_hashable(value: &Literal) -> bool {
    match value {
        Literal::List(_) | Literal::Set(_) | Literal::EmptyDict => false,
        Literal::Tuple(items) => items.iter().all(is_hashable),
        _ => true,
    }
}

/// As Python's `repr` writes it; a set in the order it was read.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |items: &[Literal]| items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Literal::None => f.write_str("None"),
            Literal::Bool(true) => f.write_str("True"),
            Literal::Bool(false) => f.write_str("False"),
            Literal::Int(n) => write!(f, "{n}"),
            Literal::Float(x) => write!(f, "{x:?}"),
            Literal::Str(text) => write_str(f, text),
            Literal::List(items) => write!(f, "[{}]", joined(items)),
            Literal::Tuple(items) if items.len() == 1 => write!(f, "({},)", items[0]),
            Literal::Tuple(items) => write!(f, "({})", joined(items)),
            Literal::Set(items) if items.is_empty() => f.write_str("set()"),
            Literal::Set(items) => write!(f, "{{{}}}", joined(items)),
            Literal::EmptyDict => f.write_str("{}"),
        }
    }
}

/// Single quotes, unless the text holds one and no double quote.
fn write_str(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    write!(f, "{quote}")?;
    for c in text.chars() {
        match c {
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c if c == quote => write!(f, "\\{c}")?,
            c if c.is_control() => write!(f, "\\x{:02x}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    write!(f, "{quote}")
}
