//! Cuts PDN into tokens, without copying a byte.
//!
//! The bytes may be the beginning of a longer file: then a token that touches their end is not cut yet.

/// A piece of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`; the value still has its escapes.
    Tag(&'a [u8], &'a [u8]),
    /// `32-28`, `c3:e5`, `3228`.
    Move(&'a [u8]),
    /// What stands between braces, or behind a semicolon.
    Comment(&'a [u8]),
    /// `$7`, `!?`, `(?)`, and a star right behind a move.
    Nag(u8),
    /// `(`
    Open,
    /// `)`
    Close,
    /// What stands between slashes.
    Setup(&'a [u8]),
    /// `1-0`, `1/2-1/2`, `*` …: the game ends.
    End(&'a [u8]),
}

/// Why there is no token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// More bytes are needed.
    More,
    /// The key of the problem and the byte where it is.
    Wrong(&'static str, usize),
}

/// Results a game may end with, as PDN 3.0's reading grammar has them, and two more that files have.
const RESULTS: [&[u8]; 10] =
    [b"1-0", b"0-1", b"1/2-1/2", b"2-0", b"0-2", b"1-1", b"0-0", b"1/2", "½-½".as_bytes(), "½".as_bytes()];

#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// Whether the file ends where the bytes end.
    pub(super) whole: bool,
    pub(super) closing: Closing,
}

/// Where the next closing sign of remarks and of positions is, as far as it was looked for, so that a file in which many
/// are opened and none is closed is not searched to its end for each.
#[derive(Clone, Copy, Default)]
pub(super) struct Closing {
    brace: Option<(usize, usize)>, // from where it was looked for, and where it is
    slash: Option<(usize, usize)>,
}

impl Closing {
    /// The next `close` from `from` on; the end of the bytes where there is none.
    fn find(&mut self, close: u8, bytes: &[u8], from: usize) -> usize {
        let known = if close == b'}' { &mut self.brace } else { &mut self.slash };
        match *known {
            Some((begin, at)) if (begin..=at).contains(&from) => at,
            _ => {
                let length = bytes[from..].iter().position(|&b| b == close);
                let at = length.map_or(bytes.len(), |length| from + length);
                *known = Some((from, at));
                at
            }
        }
    }
}

impl<'a> Tokens<'a> {
    /// The next token; `None` at the end of the file.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<Token<'a>>, Stop> {
        loop {
            self.skip_space()?;
            let Some(&first) = self.bytes.get(self.at) else { return Ok(None) };
            return match first {
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | 0x80.. => match self.word()? {
                    Some(token) => Ok(Some(token)),
                    None => continue,
                },
                b'{' => self.enclosed(b'}', "pdn-open-comment").map(|text| Some(Token::Comment(text))),
                b'$' => self.nag().map(Some),
                b'!' | b'?' => {
                    let marks = self.run(|b| matches!(b, b'!' | b'?'))?;
                    Ok(Some(Token::Nag(strength(marks))))
                }
                b'(' => self.open().map(Some),
                b')' => Ok(Some(self.single(Token::Close))),
                b'[' => self.tag().map(Some),
                b'*' if self.sticks() => Ok(Some(self.single(Token::Nag(7)))),
                b'*' => {
                    self.at += 1;
                    Ok(Some(Token::End(b"*")))
                }
                b'/' => self.enclosed(b'/', "pdn-open-setup").map(|text| Some(Token::Setup(text))),
                b';' => {
                    let line = self.run(|b| b != b'\n')?;
                    Ok(Some(Token::Comment(&line[1..])))
                }
                // A line that is nobody's business; and the dots of `1. ... 18-23`.
                b'%' => {
                    self.run(|b| b != b'\n')?;
                    continue;
                }
                b'.' => {
                    self.at += 1;
                    continue;
                }
                _ => Err(Stop::Wrong("pdn-unexpected", self.at)),
            };
        }
    }

    /// Whether the next token is a tag, behind lines that are nobody's business.
    pub(super) fn at_tag(&mut self) -> Result<bool, Stop> {
        loop {
            self.skip_space()?;
            match self.bytes.get(self.at) {
                Some(b'%') => self.run(|b| b != b'\n')?,
                first => return Ok(first == Some(&b'[')),
            };
        }
    }

    #[inline]
    fn skip_space(&mut self) -> Result<(), Stop> {
        while let Some(b) = self.bytes.get(self.at) {
            if !b.is_ascii_whitespace() {
                return Ok(());
            }
            self.at += 1;
        }
        self.end()
    }

    /// Whether the end of the bytes is the end of the file.
    fn end(&self) -> Result<(), Stop> {
        if self.whole { Ok(()) } else { Err(Stop::More) }
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    /// The bytes from here on that are of that kind; at least one is.
    #[inline]
    fn run(&mut self, of_kind: impl Fn(u8) -> bool) -> Result<&'a [u8], Stop> {
        let from = self.at;
        while let Some(&b) = self.bytes.get(self.at) {
            if !of_kind(b) {
                return Ok(&self.bytes[from..self.at]);
            }
            self.at += 1;
        }
        self.end()?;
        Ok(&self.bytes[from..])
    }

    /// A move, a result, or a number, which says nothing: `None`.
    #[inline]
    fn word(&mut self) -> Result<Option<Token<'a>>, Stop> {
        let from = self.at;
        let (mut digits, mut at) = (0, from);
        while let Some(&b) = self.bytes.get(at) {
            match b {
                b'0'..=b'9' => digits += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'-' | b':' | b'/' | 0x80.. => {}
                _ => break,
            }
            at += 1;
        }
        self.at = at;
        if at == self.bytes.len() {
            self.end()?;
        }
        let word = &self.bytes[from..at];
        if digits == word.len() && (digits <= 3 || self.bytes.get(at) == Some(&b'.')) {
            return Ok(None);
        }
        if is_result(word) {
            return Ok(Some(Token::End(word)));
        }
        // A word without a digit is not a move; a tag's name outside of brackets, say.
        if digits == 0 {
            return Err(Stop::Wrong("pdn-unexpected", from));
        }
        Ok(Some(Token::Move(word)))
    }

    /// Whether this star stands right behind a move: it marks that the move was forced.
    fn sticks(&self) -> bool {
        let before = self.at.checked_sub(1).map(|i| self.bytes[i]);
        before.is_some_and(|b| b.is_ascii_digit() || matches!(b, b'!' | b'?'))
    }

    fn open(&mut self) -> Result<Token<'a>, Stop> {
        let mut ahead = Tokens { at: self.at + 1, ..*self };
        let marks = match ahead.bytes.get(ahead.at) {
            Some(b'!' | b'?') => ahead.run(|b| matches!(b, b'!' | b'?'))?,
            Some(_) => return Ok(self.single(Token::Open)),
            None => {
                self.end()?;
                return Ok(self.single(Token::Open));
            }
        };
        if ahead.bytes.get(ahead.at) == Some(&b')') {
            self.at = ahead.at + 1;
            return Ok(Token::Nag(strength(marks)));
        }
        Ok(self.single(Token::Open))
    }

    fn nag(&mut self) -> Result<Token<'a>, Stop> {
        let from = self.at;
        self.at += 1;
        let digits = match self.bytes.get(self.at) {
            Some(b'0'..=b'9') => self.run(|b| b.is_ascii_digit())?,
            Some(_) => b"",
            None => {
                self.end()?;
                b""
            }
        };
        let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        number.map(Token::Nag).ok_or(Stop::Wrong("pdn-nag", from))
    }

    /// What stands between the sign here and the next `close`.
    fn enclosed(&mut self, close: u8, open_key: &'static str) -> Result<&'a [u8], Stop> {
        let from = self.at + 1;
        let end = self.closing.find(close, self.bytes, from);
        if end == self.bytes.len() {
            self.end()?;
            return Err(Stop::Wrong(open_key, self.at));
        }
        self.at = end + 1;
        Ok(&self.bytes[from..end])
    }

    fn tag(&mut self) -> Result<Token<'a>, Stop> {
        let from = self.at;
        let wrong = Stop::Wrong("pdn-tag", from);
        let mut ahead = Tokens { at: from + 1, ..*self };
        ahead.skip_space()?;
        if !ahead.bytes.get(ahead.at).is_some_and(u8::is_ascii_alphabetic) {
            ahead.end_or(wrong)?;
            return Err(wrong);
        }
        let name = ahead.run(|b| b.is_ascii_alphanumeric() || b == b'_')?;
        ahead.skip_space()?;
        if ahead.bytes.get(ahead.at) != Some(&b'"') {
            return Err(wrong);
        }
        let value_from = ahead.at + 1;
        let mut at = value_from;
        // A quote ends the value when a bracket follows; sloppy files have others inside.
        loop {
            match ahead.bytes.get(at) {
                // A line ends behind a backslash, too.
                Some(b'\\') => at += if ahead.bytes.get(at + 1) == Some(&b'\n') { 1 } else { 2 },
                Some(b'"') => {
                    ahead.at = at + 1;
                    ahead.skip_space()?;
                    if ahead.bytes.get(ahead.at) == Some(&b']') {
                        self.at = ahead.at + 1;
                        return Ok(Token::Tag(name, &ahead.bytes[value_from..at]));
                    }
                    at += 1;
                }
                Some(b'\n') => return Err(wrong),
                Some(_) => at += 1,
                None => {
                    self.end()?;
                    return Err(wrong);
                }
            }
        }
    }

    /// More bytes may help if these are all there are so far.
    fn end_or(&self, wrong: Stop) -> Result<(), Stop> {
        if self.at < self.bytes.len() { Err(wrong) } else { self.end() }
    }
}

#[inline]
fn is_result(word: &[u8]) -> bool {
    // Told from moves by their second sign, so that hardly any move is compared.
    let may_be = matches!(word, [_, b'-', _] | [_, b'/', ..] | [0x80..=0xff, ..]);
    may_be && RESULTS.contains(&word)
}

/// The glyph of `!`, `?` and their pairs. PGN 10.
fn strength(marks: &[u8]) -> u8 {
    match marks {
        [b'!', b'?', ..] => 5,
        [b'?', b'!', ..] => 6,
        [b'!', b'!', ..] => 3,
        [b'?', b'?', ..] => 4,
        [b'!', ..] => 1,
        _ => 2,
    }
}
