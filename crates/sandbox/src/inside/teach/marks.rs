//! Mistakes of signs and lines in a text that is no Python: found by a walk over its characters, without a parser.
//!
//! It knows strings, comments, brackets and lines, as Python's tokenizer does, and looks at each logical line for what beginners
//! write. Words are CPython 3.13's.

use std::cmp::Ordering;

use super::{Spot, spot};
use crate::lesson::Lesson;

/// A mistake: its lesson, its place, the facts `found` and `near`, and Python's words.
pub(super) struct Fault {
    pub lesson: Lesson,
    pub at: Spot,
    pub found: String,
    pub near: String,
    pub words: String,
}

/// The signs of Chinese and typographic keyboards, and the ones of Python for them.
const MEANT: [(&str, &str); 44] = [
    ("，、﹐", ","),
    ("。．﹒", "."),
    ("：﹕∶", ":"),
    ("；﹔", ";"),
    ("（﹙", "("),
    ("）﹚", ")"),
    ("【［〔", "["),
    ("】］〕", "]"),
    ("｛", "{"),
    ("｝", "}"),
    ("“”„‟＂″「」『』«»", "\""),
    ("‘’‚‛＇′´`", "'"),
    ("＝", "="),
    ("＋", "+"),
    ("－−–—―﹣", "-"),
    ("＊×✕✖∗", "*"),
    ("／÷∕", "/"),
    ("＼", "\\"),
    ("％", "%"),
    ("＜〈《‹", "<"),
    ("＞〉》›", ">"),
    ("！", "!="),
    ("≠", "!="),
    ("≤≦", "<="),
    ("≥≧", ">="),
    ("≡", "=="),
    ("＆", "&"),
    ("｜", "|"),
    ("＾", "^"),
    ("～〜", "~"),
    ("＠", "@"),
    ("＃", "#"),
    ("∧", "and"),
    ("∨", "or"),
    ("¬", "not"),
    ("∈", "in"),
    ("∉", "not in"),
    ("→⇒", "->"),
    ("…", "..."),
    ("∞", "float('inf')"),
    ("√", "** 0.5"),
    ("²", "** 2"),
    ("³", "** 3"),
    ("·", "*"),
];

/// Returns what Python writes for a character, where there is something; a space for the spaces of other widths.
fn meant(c: char) -> Option<&'static str> {
    if is_space(c) {
        return Some(" ");
    }
    MEANT.iter().find(|(signs, _)| signs.contains(c)).map(|(_, sign)| *sign)
}

fn is_space(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// Returns true for characters that Python calls non-printable.
fn is_hidden(c: char) -> bool {
    is_space(c)
        || c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Python's words for a character that it does not know.
fn words_of(c: char) -> String {
    let code = c as u32;
    if is_hidden(c) {
        format!("SyntaxError: invalid non-printable character U+{code:04X}")
    } else {
        format!("SyntaxError: invalid character '{c}' (U+{code:04X})")
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TokenKind {
    Word,
    Number,
    Text,
    Sign,
}

/// A token of a logical line.
struct Token {
    kind: TokenKind,
    text: String,
    at: Spot,
    /// The number of brackets around it.
    depth: usize,
}

/// A logical line: its indentation and its tokens, at least one.
struct LogicalLine {
    indent: String,
    tokens: Vec<Token>,
}

struct Walk<'a> {
    text: &'a str,
    chars: Vec<(usize, char)>,
    at: usize,
    line: u32,
    /// The place in `chars` where the physical line begins.
    begins: usize,
    open: Vec<(char, Spot)>,
    lines: Vec<LogicalLine>,
    now: Vec<Token>,
    indent: String,
    signs: Vec<Fault>,
    other: Vec<Fault>,
}

/// Returns the mistakes that a walk over the text finds, the most certain kind alone; `last` is the line at which the parser gave
/// up.
pub(super) fn faults(text: &str, last: u32) -> Vec<Fault> {
    let mut walk = Walk {
        text,
        chars: text.char_indices().collect(),
        at: 0,
        line: 1,
        begins: 0,
        open: Vec::new(),
        lines: Vec::new(),
        now: Vec::new(),
        indent: String::new(),
        signs: Vec::new(),
        other: Vec::new(),
    };
    walk.go();
    if !walk.signs.is_empty() {
        return walk.signs;
    }
    let lines = lines(&walk.lines)
        .into_iter()
        .filter(|fault| fault.at.line <= last.max(1))
        .min_by_key(|fault| fault.at);
    // A bracket that is open to the end swallows what follows; a line before it is more certain.
    match (walk.other.into_iter().next(), lines) {
        (Some(open), Some(line)) => vec![if line.at < open.at { line } else { open }],
        (open, line) => open.or(line).into_iter().collect(),
    }
}

impl Walk<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).map(|&(_, c)| c)
    }

    fn here(&self) -> Spot {
        Spot { line: self.line, column: (self.at - self.begins) as u32 + 1 }
    }

    fn newline(&mut self) {
        self.at += 1;
        self.line += 1;
        self.begins = self.at;
    }

    fn sign(&mut self, at: Spot, c: char) {
        let near = meant(c).unwrap_or_default().to_owned();
        let lesson = if near.is_empty() { Lesson::BadCharacter } else { Lesson::FullWidth };
        let found = if is_hidden(c) { format!("U+{:04X}", c as u32) } else { c.to_string() };
        self.signs.push(Fault { lesson, at, found, near, words: words_of(c) });
    }

    fn go(&mut self) {
        let mut fresh = true;
        while let Some(c) = self.peek(0) {
            if fresh && self.open.is_empty() && self.now.is_empty() {
                self.indent.clear();
                while let Some(c @ (' ' | '\t' | '\u{c}')) = self.peek(0) {
                    self.indent.push(c);
                    self.at += 1;
                }
                fresh = false;
                continue;
            }
            match c {
                '\n' => {
                    self.newline();
                    if self.open.is_empty() {
                        self.end_line();
                        fresh = true;
                    }
                }
                ' ' | '\t' | '\u{c}' => self.at += 1,
                '#' => {
                    while self.peek(0).is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                '\\' if self.peek(1) == Some('\n') => {
                    self.at += 1;
                    self.newline();
                }
                '"' | '\'' => self.string(false),
                '_' | 'a'..='z' | 'A'..='Z' => self.word(),
                '0'..='9' => self.number(),
                '(' | '[' | '{' => self.opens(c),
                ')' | ']' | '}' => self.closes(c),
                c if c.is_ascii() => self.operator(c),
                c if c.is_alphanumeric() && meant(c).is_none() => self.word(),
                c => self.strange(c),
            }
        }
        self.end_line();
        if let Some((bracket, at)) = self.open.pop() {
            let words = format!("SyntaxError: '{bracket}' was never closed");
            let found = bracket.to_string();
            self.other.push(Fault { lesson: Lesson::BracketOpen, at, found, near: String::new(), words });
        }
    }

    fn end_line(&mut self) {
        if !self.now.is_empty() {
            let (indent, tokens) = (std::mem::take(&mut self.indent), std::mem::take(&mut self.now));
            self.lines.push(LogicalLine { indent, tokens });
        }
    }

    fn push(&mut self, kind: TokenKind, at: Spot, text: String) {
        let depth = self.open.len();
        self.now.push(Token { kind, text, at, depth });
    }

    fn word(&mut self) {
        let (at, from) = (self.here(), self.at);
        while self
            .peek(0)
            .is_some_and(|c| c == '_' || c.is_alphanumeric() && (c.is_ascii() || meant(c).is_none()))
        {
            self.at += 1;
        }
        let text: String = self.chars[from..self.at].iter().map(|&(_, c)| c).collect();
        let prefix = text.len() <= 2 && text.chars().all(|c| "rbuftRBUFT".contains(c));
        if prefix && matches!(self.peek(0), Some('"' | '\'')) {
            return self.string(text.contains(['f', 'F', 't', 'T']));
        }
        self.push(TokenKind::Word, at, text);
    }

    fn number(&mut self) {
        let (at, from) = (self.here(), self.at);
        while self.peek(0).is_some_and(|c| c.is_ascii_alphanumeric() || c == '.' || c == '_') {
            self.at += 1;
        }
        let text = self.chars[from..self.at].iter().map(|&(_, c)| c).collect();
        self.push(TokenKind::Number, at, text);
    }

    fn opens(&mut self, c: char) {
        let at = self.here();
        self.push(TokenKind::Sign, at, c.to_string());
        self.open.push((c, at));
        self.at += 1;
    }

    fn closes(&mut self, c: char) {
        let at = self.here();
        let partner = match c {
            ')' => '(',
            ']' => '[',
            _ => '{',
        };
        let differ = |near: String, words: String| Fault {
            lesson: Lesson::BracketsDiffer,
            at,
            found: c.to_string(),
            near,
            words,
        };
        match self.open.pop() {
            None => self.other.push(differ(String::new(), format!("SyntaxError: unmatched '{c}'"))),
            Some((open, from)) if open != partner => {
                let place =
                    if from.line == at.line { String::new() } else { format!(" on line {}", from.line) };
                let words = "SyntaxError: closing parenthesis";
                let words = format!("{words} '{c}' does not match opening parenthesis '{open}'{place}");
                self.other.push(differ(open.to_string(), words));
            }
            Some(_) => {}
        }
        self.at += 1;
        self.push(TokenKind::Sign, at, c.to_string());
    }

    fn operator(&mut self, c: char) {
        let at = self.here();
        let longest = [3, 2].into_iter().find_map(|length| {
            let (from, to) =
                (self.chars[self.at].0, self.chars.get(self.at + length).map_or(self.text.len(), |c| c.0));
            let text = self.text.get(from..to)?;
            SIGNS.contains(&text).then(|| text.to_owned())
        });
        let text = longest.unwrap_or_else(|| c.to_string());
        self.at += text.len();
        self.push(TokenKind::Sign, at, text);
    }

    /// A character that is none of Python's outside of strings.
    fn strange(&mut self, c: char) {
        let at = self.here();
        self.sign(at, c);
        self.at += 1;
        // Spaces and signs in a row are one mistake.
        while self.peek(0) == Some(c) && is_hidden(c) {
            self.at += 1;
        }
        match meant(c) {
            // What stands between quotation marks of the other kind is a text, too.
            Some("\"" | "'") => {
                let ahead: Vec<char> =
                    self.chars[self.at..].iter().map(|&(_, c)| c).take_while(|&c| c != '\n').collect();
                let ends = |c: &char| matches!(meant(*c), Some("\"" | "'")) || matches!(c, '"' | '\'');
                if let Some(end) = ahead.iter().position(ends) {
                    self.at += end;
                    let (at, c) = (self.here(), ahead[end]);
                    if !c.is_ascii() {
                        self.sign(at, c);
                    }
                    self.at += 1;
                }
                self.push(TokenKind::Text, at, c.to_string());
            }
            Some("#") => {
                while self.peek(0).is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
            }
            Some(bracket @ ("(" | "[" | "{")) => {
                let bracket = bracket.chars().next().unwrap_or('(');
                self.push(TokenKind::Sign, at, bracket.to_string());
                self.open.push((bracket, at));
            }
            Some(")" | "]" | "}") => {
                self.open.pop();
                self.push(TokenKind::Sign, at, ")".to_owned());
            }
            Some(sign) if sign != " " => self.push(TokenKind::Sign, at, sign.to_owned()),
            _ => {}
        }
    }

    fn string(&mut self, formatted: bool) {
        let (at, quote) = (self.here(), self.peek(0).unwrap_or('"'));
        let triple = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        let length = if triple { 3 } else { 1 };
        self.at += length;
        let mut fields: Vec<Spot> = Vec::new();
        let mut foreign = None;
        while let Some(c) = self.peek(0) {
            match c {
                '\\' if self.peek(1).is_some() => {
                    self.at += 1;
                    if self.peek(0) == Some('\n') {
                        self.newline()
                    } else {
                        self.at += 1
                    }
                    continue;
                }
                '\n' if !triple => break,
                '\n' => {
                    self.newline();
                    continue;
                }
                '{' if formatted && fields.is_empty() && self.peek(1) == Some('{') => self.at += 1,
                '{' if formatted => fields.push(self.here()),
                '}' if formatted => drop(fields.pop()),
                c if c == quote
                    && (!triple || (self.peek(1) == Some(quote) && self.peek(2) == Some(quote))) =>
                {
                    // A text inside the braces may use the same marks, where it is closed again.
                    if !fields.is_empty() && !triple && self.closed_within(quote) {
                        self.at += 1;
                        while self.peek(0).is_some_and(|c| c != quote) {
                            self.at += 1;
                        }
                        self.at += 1;
                        continue;
                    }
                    self.at += length;
                    if let Some(field) = fields.first() {
                        let words = "SyntaxError: f-string: expecting '}'".to_owned();
                        let (found, near) = ("{".to_owned(), String::new());
                        self.other.push(Fault {
                            lesson: Lesson::BracketOpen,
                            at: *field,
                            found,
                            near,
                            words,
                        });
                    }
                    return self.push(TokenKind::Text, at, quote.to_string());
                }
                c if foreign.is_none() && matches!(meant(c), Some("\"" | "'")) && c != '`' => {
                    foreign = Some((self.here(), c));
                }
                _ => {}
            }
            self.at += 1;
        }
        // The mark that should have ended it may be one of the other kind.
        if let (Some((at, c)), false) = (foreign, triple) {
            self.sign(at, c);
            return self.push(TokenKind::Text, at, quote.to_string());
        }
        let kind = match (formatted, triple) {
            (false, false) => "unterminated string literal",
            (false, true) => "unterminated triple-quoted string literal",
            (true, false) => "unterminated f-string literal",
            (true, true) => "unterminated triple-quoted f-string literal",
        };
        let words = format!("SyntaxError: {kind} (detected at line {})", self.line);
        let found = quote.to_string().repeat(length);
        self.other.push(Fault { lesson: Lesson::StringOpen, at, found, near: String::new(), words });
        self.push(TokenKind::Text, at, quote.to_string());
    }

    /// Returns true if a text that begins here in the braces of another is closed, and the braces after it, on this line.
    fn closed_within(&self, quote: char) -> bool {
        let rest = self.chars[self.at + 1..].iter().map(|&(_, c)| c).take_while(|&c| c != '\n');
        let rest: Vec<char> = rest.collect();
        let Some(end) = rest.iter().position(|&c| c == quote) else { return false };
        let after = &rest[end + 1..];
        let brace = after.iter().position(|&c| c == '}');
        brace.is_some_and(|brace| after[brace..].contains(&quote))
    }
}

/// The signs of several characters.
const SIGNS: [&str; 24] = [
    "**=", "//=", "<<=", ">>=", "...", "==", "!=", "<=", ">=", ":=", "->", "**", "//", "<<", ">>", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=",
];

/// The words that begin a block.
const BLOCKS: [&str; 12] =
    ["if", "elif", "else", "for", "while", "def", "class", "with", "try", "except", "finally", "async"];

impl LogicalLine {
    fn first(&self) -> &Token {
        &self.tokens[0]
    }

    fn last(&self) -> &Token {
        &self.tokens[self.tokens.len() - 1]
    }

    fn end(&self) -> Spot {
        let last = self.last();
        spot(last.at.line, last.at.column + last.text.chars().count() as u32)
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.text == text && token.kind != TokenKind::Text)
    }

    /// Returns true if there is a colon outside of brackets that is not a lambda's.
    fn has_colon(&self) -> bool {
        let mut lambdas = 0;
        self.tokens.iter().filter(|token| token.depth == 0 && token.kind != TokenKind::Text).any(|token| {
            lambdas += usize::from(token.text == "lambda");
            if token.text == ":" && lambdas > 0 {
                lambdas -= 1;
                return false;
            }
            token.text == ":"
        })
    }

    fn opens_block(&self) -> bool {
        self.last().text == ":" && self.last().kind == TokenKind::Sign
    }
}

/// Python's name for the block that a line begins.
fn block_name(line: &LogicalLine) -> String {
    match line.first().text.as_str() {
        "def" | "async" => format!("function definition on line {}", line.first().at.line),
        "class" => format!("class definition on line {}", line.first().at.line),
        word => format!("'{word}' statement on line {}", line.first().at.line),
    }
}

/// The mistakes of whole lines, each line's first.
fn lines(lines: &[LogicalLine]) -> Vec<Fault> {
    let mut faults: Vec<Fault> = lines.iter().filter_map(line).collect();
    let mut levels = vec![(0, 0)];
    for (number, line) in lines.iter().enumerate() {
        let (mut width, mut plain) = (0, 0);
        for c in line.indent.chars() {
            (width, plain) = if c == '\t' { (width / 8 * 8 + 8, plain + 1) } else { (width + 1, plain + 1) };
        }
        let above = number.checked_sub(1).map(|above| &lines[above]);
        let opened =
            above.filter(|above| above.opens_block() && BLOCKS.contains(&above.first().text.as_str()));
        let (last, last_plain) = levels[levels.len() - 1];
        let fault = |near: &str, words: String| Fault {
            lesson: Lesson::Indentation,
            at: line.first().at,
            found: line.first().text.clone(),
            near: near.to_owned(),
            words,
        };
        let mixed = match width.cmp(&last) {
            Ordering::Less => false,
            Ordering::Equal => plain != last_plain,
            Ordering::Greater => plain <= last_plain,
        };
        if mixed {
            let words = "TabError: inconsistent use of tabs and spaces in indentation".to_owned();
            faults.push(fault("tabs", words));
            break;
        }
        if let Some(opened) = opened
            && width <= last
        {
            let words = format!("IndentationError: expected an indented block after {}", block_name(opened));
            faults.push(fault("missing", words));
            break;
        }
        if width > last {
            // Whatever a line with a colon means, what follows may be further in.
            if above.is_none_or(|above| !above.opens_block()) {
                faults.push(fault("unexpected", "IndentationError: unexpected indent".to_owned()));
                break;
            }
            levels.push((width, plain));
        } else if width < last {
            while levels.len() > 1 && levels[levels.len() - 1].0 > width {
                levels.pop();
            }
            if levels[levels.len() - 1].0 != width {
                let words =
                    "IndentationError: unindent does not match any outer indentation level".to_owned();
                faults.push(fault("unmatched", words));
                break;
            }
        }
    }
    faults
}

/// Looks at one logical line by itself.
fn line(line: &LogicalLine) -> Option<Fault> {
    let fault = |lesson, at: Spot, found: &str, near: &str, words: &str| {
        let words = format!("SyntaxError: {words}");
        Some(Fault { lesson, at, found: found.to_owned(), near: near.to_owned(), words })
    };
    let first = line.first();
    if first.kind == TokenKind::Word {
        let word = first.text.as_str();
        if word == "else" && line.is(1, "if") {
            return fault(Lesson::ElseIf, line.first().at, "else if", "elif", "expected ':'");
        }
        if matches!(word, "elseif" | "elsif") && !line.is(1, "=") {
            return fault(Lesson::ElseIf, first.at, word, "elif", "invalid syntax");
        }
        let is_next_word =
            line.tokens.get(1).is_some_and(|next| next.kind == TokenKind::Word && next.depth == 0);
        if matches!(word, "function" | "func" | "fn" | "var" | "let" | "const" | "switch" | "int" | "float")
            && is_next_word
        {
            let near = match word {
                "function" | "func" | "fn" => "def",
                "switch" => "if",
                _ => "x = …",
            };
            return fault(Lesson::NotPython, first.at, word, near, "invalid syntax");
        }
        if word == "print"
            && line
                .tokens
                .get(1)
                .is_some_and(|next| next.kind == TokenKind::Text || is_next_word && !is_operator(&next.text))
        {
            let words = "Missing parentheses in call to 'print'. Did you mean print(...)?";
            return fault(Lesson::NotPython, first.at, "print …", "print(…)", words);
        }
    }
    if let Some(found) = foreign(line) {
        return Some(found);
    }
    if let Some(number) =
        line.tokens.iter().find(|token| token.kind == TokenKind::Number && !is_number(&token.text))
    {
        return fault(Lesson::Syntax, number.at, &number.text, "", "invalid decimal literal");
    }
    if first.kind != TokenKind::Word {
        return None;
    }
    let word = first.text.as_str();
    if matches!(word, "if" | "elif" | "while") {
        let equals = line.tokens.iter().enumerate().find(|(number, token)| {
            token.text == "="
                && token.kind == TokenKind::Sign
                && (token.depth == 0 || !in_call(&line.tokens[..*number]))
        });
        if let Some((_, token)) = equals {
            let words = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?";
            return fault(Lesson::OneEquals, token.at, "=", "==", words);
        }
        if let Some(then) =
            line.tokens.iter().find(|token| token.text == "then" && token.kind == TokenKind::Word)
        {
            return fault(Lesson::NotPython, then.at, "then", ":", "invalid syntax");
        }
    }
    if BLOCKS.contains(&word) && !line.has_colon() && !line.is(1, "=") {
        if line.last().text == "{" {
            return fault(Lesson::NotPython, line.last().at, "{", ":", "invalid syntax");
        }
        return fault(Lesson::NoColon, line.end(), word, ":", "expected ':'");
    }
    None
}

/// Returns true unless letters stand in a decimal number that have no place there.
fn is_number(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let digits = lower.trim_end_matches('j');
    lower.starts_with("0x") || lower.starts_with("0b") || lower.starts_with("0o") || {
        let (whole, power) = digits.split_once('e').unwrap_or((digits, "0"));
        whole.chars().chain(power.chars()).all(|c| c.is_ascii_digit() || matches!(c, '.' | '_'))
    }
}

fn is_operator(word: &str) -> bool {
    matches!(word, "in" | "is" | "and" | "or" | "not" | "if" | "else")
}

/// Returns true if the innermost bracket that is open after those tokens is one of a call.
fn in_call(tokens: &[Token]) -> bool {
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Sign) {
        match token.text.as_str() {
            "(" | "[" | "{" => open.push(at),
            ")" | "]" | "}" => drop(open.pop()),
            _ => {}
        }
    }
    let Some(&at) = open.last() else { return false };
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    // `lambda x=1:` in there has one, too.
    let lambda = tokens[at..].iter().any(|token| token.text == "lambda");
    lambda
        || tokens[at].text == "("
            && before.is_some_and(|before| match before.kind {
                TokenKind::Word => {
                    !is_operator(&before.text) && !matches!(before.text.as_str(), "elif" | "while" | "return")
                }
                _ => matches!(before.text.as_str(), ")" | "]"),
            })
}

/// The signs of other languages: pairs of tokens side by side, and the ones of Python.
const FOREIGN: [(&str, &str, &str); 9] = [
    ("&", "&", "and"),
    ("|", "|", "or"),
    ("=", "<", "<="),
    ("=", ">", ">="),
    ("<", ">", "!="),
    ("==", "=", "=="),
    ("!=", "=", "!="),
    ("+", "+", "+= 1"),
    ("-", "-", "-= 1"),
];

fn foreign(line: &LogicalLine) -> Option<Fault> {
    for (number, pair) in line.tokens.windows(2).enumerate() {
        let [one, two] = pair else { continue };
        let beside =
            one.at.line == two.at.line && one.at.column + one.text.chars().count() as u32 == two.at.column;
        if one.kind == TokenKind::Sign && one.text == "!" && !(two.kind == TokenKind::Sign && two.text == "=")
        {
            let (found, near) = ("!".to_owned(), "not".to_owned());
            let words = "SyntaxError: invalid syntax".to_owned();
            return Some(Fault { lesson: Lesson::NotPython, at: one.at, found, near, words });
        }
        if !beside || one.kind != TokenKind::Sign || two.kind != TokenKind::Sign {
            continue;
        }
        let known = FOREIGN.iter().find(|(first, second, _)| one.text == *first && two.text == *second);
        let Some((first, second, near)) = known else { continue };
        // `x = --y` and `a - -b` are Python; `x++` at the end of a line is none.
        if matches!(*first, "+" | "-") && number + 2 < line.tokens.len() {
            continue;
        }
        let words = "SyntaxError: invalid syntax".to_owned();
        let (found, near) = (format!("{first}{second}"), (*near).to_owned());
        return Some(Fault { lesson: Lesson::NotPython, at: one.at, found, near, words });
    }
    None
}
