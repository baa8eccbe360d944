//! Python literals, read and never evaluated: numbers, strings, `True`, `None`, lists, tuples and sets.
//!
//! Names, calls, operators and dictionaries are refused, so a hostile text is only ever a value or an error.

use std::fmt;

/// The longest text that is read, in bytes.
pub const LONGEST: usize = 64 * 1024;
/// The greatest depth of nested brackets.
pub const DEEPEST: usize = 8;

/// A Python value.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// The value `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a point or an exponent.
    Float(f64),
    /// A text in quotes.
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

/// The reason for which a text is not a literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiteralError {
    /// The description of the error.
    pub what: &'static str,
    /// The position of the error, in bytes from 0.
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
/// The part that does not fit, and its place.
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

impl From<&str> for Literal {
    fn from(text: &str) -> Literal {
        Literal::Str(text.to_owned())
    }
}

impl Literal {
    /// Returns the value as Python's `str` writes it: a text without quotes, anything else like its `repr`.
    #[must_use]
    pub fn str(&self) -> String {
        match self {
            Literal::Str(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// Returns true if Python's `==` holds: `1`, `1.0` and `True` are equal, a list and a tuple never are.
    ///
    /// ```
    /// use records::locked_chess::Literal;
    /// assert!(Literal::Float(1.0).equals(&Literal::Bool(true)));
    /// ```
    #[must_use]
    pub fn equals(&self, other: &Literal) -> bool {
        let pairwise =
            |a: &[Literal], b: &[Literal]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.equals(b));
        let is_within = |a: &[Literal], b: &[Literal]| a.iter().all(|m| b.iter().any(|n| m.equals(n)));
        match (self, other) {
            (Literal::List(a), Literal::List(b)) | (Literal::Tuple(a), Literal::Tuple(b)) => pairwise(a, b),
            (Literal::Set(a), Literal::Set(b)) => is_within(a, b) && is_within(b, a),
            (Literal::Float(a), Literal::Float(b)) => a == b,
            _ => match (self.whole(), other.whole()) {
                (Some(a), Some(b)) => a == b,
                _ => self == other,
            },
        }
    }

    /// The whole number that is equal to it: 1 for `1`, `1.0` and `True`.
    #[must_use]
    pub fn whole(&self) -> Option<i64> {
        // Beyond 2^53 a float no longer tells one whole number from the next.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        match self {
            Literal::Int(n) => Some(*n),
            Literal::Bool(b) => Some(i64::from(*b)),
            Literal::Float(x) if x.fract() == 0.0 && x.abs() <= EXACT => Some(*x as i64),
            _ => None,
        }
    }
}

/// Writes the value as Python's `repr` does; a set in the order it was read.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |items: &[Literal]| items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Literal::None => f.write_str("None"),
            Literal::Bool(true) => f.write_str("True"),
            Literal::Bool(false) => f.write_str("False"),
            Literal::Int(n) => write!(f, "{n}"),
            Literal::Float(x) => write_float(f, *x),
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

/// The fewest digits that read back as the same number; an exponent below 1e-4 and from 1e16 on.
fn write_float(f: &mut fmt::Formatter<'_>, x: f64) -> fmt::Result {
    if !x.is_finite() {
        // Rust writes a capital N.
        return f.write_str(&x.to_string().to_lowercase());
    }
    let text = format!("{x:e}");
    let (digits, exponent) = text.split_once('e').expect("that form has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    if (-4..16).contains(&exponent) {
        return write!(f, "{x:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    write!(f, "{digits}e{sign}{:02}", exponent.abs())
}

/// Returns the result of Python's `str.isprintable`, up to characters that only one of the two knows.
fn is_printable(c: char) -> bool {
    // Rust escapes the same classes of letters, but combining marks only at the beginning of a text; so not here.
    c != '\0' && !format!("a{c}").escape_debug().skip(1).collect::<String>().starts_with("\\u{")
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
            c if is_printable(c) => write!(f, "{c}")?,
            c => match u32::from(c) {
                code @ ..0x100 => write!(f, "\\x{code:02x}")?,
                code @ 0x100..0x10000 => write!(f, "\\u{code:04x}")?,
                code => write!(f, "\\U{code:08x}")?,
            },
        }
    }
    write!(f, "{quote}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts and what `repr(ast.literal_eval(text))` of CPython 3.11 gives.
    #[test]
    fn written_like_python() {
        for (text, repr) in [
            ("-0", "0"),
            ("1.0", "1.0"),
            ("-0.0", "-0.0"),
            ("1e15", "1000000000000000.0"),
            ("1e16", "1e+16"),
            ("123456789012345678.0", "1.2345678901234568e+17"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("1.5e-7", "1.5e-07"),
            ("1e100", "1e+100"),
            ("5e-324", "5e-324"),
            ("1e999", "inf"),
            ("-1e999", "-inf"),
            ("'a'", "'a'"),
            ("\"it's\"", "\"it's\""),
            (r#"'a"b'"#, r#"'a"b'"#),
            (r#"'\'"'"#, r#"'\'"'"#),
            (r"'\\ \n\r\t'", r"'\\ \n\r\t'"),
            (r"'\x00\x7f\xa0\xad\xe9'", r"'\x00\x7f\xa0\xadé'"),
            (r"'\u200b\u2028\u3000\ufeff\ue000'", r"'\u200b\u2028\u3000\ufeff\ue000'"),
            (r"'\U0001f600\U000e0001\U0010ffff'", "'😀\\U000e0001\\U0010ffff'"),
            (r"'\u0301e\u0301黑'", "'\u{301}e\u{301}黑'"),
            ("(1,)", "(1,)"),
            ("( 1 )", "1"),
            ("()", "()"),
            ("[None, True, False]", "[None, True, False]"),
            ("{ ( 4,4 ) , }", "{(4, 4)}"),
            ("set()", "set()"),
            ("{}", "{}"),
        ] {
            assert_eq!(parse(text).map(|v| v.to_string()).as_deref(), Ok(repr), "{text}");
        }
    }

    #[test]
    fn equal_like_python() {
        for (a, b, equal) in [
            ("1", "1.0", true),
            ("True", "1", true),
            ("0", "False", true),
            ("(1, 'a')", "(1.0, 'a')", true),
            ("[1]", "(1,)", false),
            ("{1, 2, 2}", "{2.0, 1}", true),
            ("{1, 2}", "{1}", false),
            ("'1'", "1", false),
            ("None", "0", false),
            ("0.5", "0", false),
            ("1e999", "1e999", true),
            ("9007199254740993", "9007199254740992.0", false),
        ] {
            assert_eq!(parse(a).unwrap().equals(&parse(b).unwrap()), equal, "{a} {b}");
        }
    }
}
