//! Cuts PDN into tokens, without copying a byte.
//!
//! The bytes may be the beginning of a longer file: then a token that touches their end is not cut yet.

/// A token of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`; the value still has its escapes.
    Tag(&'a [u8], &'a [u8]),
    /// `32-28`, `c3:e5`, `3228`.
    Move(&'a [u8]),
    /// A comment between braces, or behind a semicolon.
    Comment(&'a [u8]),
    /// `$7`, `!?`, `(?)`, and a star right behind a move.
    Nag(u8),
    /// `(`
    Open,
    /// `)`
    Close,
    /// A position between slashes.
    Setup(&'a [u8]),
    /// `1-0`, `1/2-1/2`, `*` …: the game ends.
    End(&'a [u8]),
    /// A number without a dot behind it: of a move, or one square of a move that is told without a separator.
    Number(&'a [u8]),
    /// `--` or `~`: no move was made, or the move is unknown.
    Null(&'a [u8]),
    /// Any other word that is no move, or a remark in other brackets than braces.
    Word(&'a [u8]),
}

/// The reasons for having no token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// More bytes are needed.
    More,
    /// The key of the problem and the byte where it is.
    Wrong(&'static str, usize),
}

/// Results a game may end with, as PDN 3.0's reading grammar has them, and more that files have.
const RESULTS: [&[u8]; 11] = [
    b"1-0",
    b"0-1",
    b"1/2-1/2",
    b"2-0",
    b"0-2",
    b"1-1",
    b"0-0",
    b"1/2",
    "½-½".as_bytes(),
    "½".as_bytes(),
    // In Latin 1.
    b"\xbd-\xbd",
];

#[derive(Clone, Copy)]
pub(super) struct Tokens<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// True if the file ends where the bytes end.
    pub(super) whole: bool,
    pub(super) closing: Closing,
}

/// A cache of the next closing sign of remarks and of positions, as far as it was searched, so that a file in which
/// many are opened and none is closed is not searched to its end for each.
#[derive(Clone, Copy, Default)]
pub(super) struct Closing {
    brace: Option<(usize, usize)>, // from where it was looked for, and where it is
    slash: Option<(usize, usize)>,
    nested: usize, // bytes that were looked at for braces in braces
}

/// The longest remark in other brackets than braces, in bytes.
const LONGEST_REMARK: usize = 4_000;
/// The most bytes of a block that are searched for nested braces, in all of its remarks together.
const MOST_NESTED: usize = 1 << 20;

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
                b'{' => self.comment().map(|text| Some(Token::Comment(text))),
                b'$' => self.nag().map(Some),
                b'!' | b'?' => {
                    let marks = self.run(|b| matches!(b, b'!' | b'?'))?;
                    Ok(Some(Token::Nag(strength(marks))))
                }
                b'(' => self.open().map(Some),
                b')' => Ok(Some(self.single(Token::Close))),
                b'[' => self.tag_or_remark().map(Some),
                b'<' => self.remark(b'>').map(Some),
                b'*' if self.sticks() => Ok(Some(self.single(Token::Nag(7)))),
                b'*' => {
                    self.at += 1;
                    Ok(Some(Token::End(b"*")))
                }
                b'/' => self.enclosed(b'/', "pdn-open-setup").map(|text| Some(Token::Setup(text))),
                b';' if self.is_between_turns()? => {
                    self.at += 1;
                    continue;
                }
                b';' => {
                    let line = self.run(|b| b != b'\n')?;
                    Ok(Some(Token::Comment(&line[1..])))
                }
                // A line with `%` is skipped; and so are the dots of `1. ... 18-23`.
                b'%' => {
                    self.run(|b| b != b'\n')?;
                    continue;
                }
                // And the zeros of a damaged file.
                b'.' | b',' | 0 => {
                    self.at += 1;
                    continue;
                }
                b'-' | b'~' => self.null().map(Some),
                _ => {
                    let ends = |b: u8| b.is_ascii_whitespace() || b.is_ascii_alphanumeric() || b >= 0x80;
                    let ends = |b: u8| ends(b) || matches!(b, b'{' | b'(' | b')' | b'[' | b';' | b'$' | b'<');
                    let from = self.at;
                    self.at += 1;
                    if self.bytes.get(self.at).is_some_and(|&b| !ends(b)) {
                        self.run(|b| !ends(b))?;
                    } else if self.at == self.bytes.len() {
                        self.end()?;
                    }
                    Ok(Some(Token::Word(&self.bytes[from..self.at])))
                }
            };
        }
    }

    /// Returns true if the next token is a tag, behind `%` lines, which are skipped.
    pub(super) fn at_tag(&mut self) -> Result<bool, Stop> {
        loop {
            self.skip_space()?;
            match self.bytes.get(self.at) {
                Some(b'%') => self.run(|b| b != b'\n')?,
                first => return Ok(first == Some(&b'[')),
            };
        }
    }

    /// The position that stands here in place of a tag, `W:W31,32:B1,2`; it is stepped over.
    pub(super) fn position_in_front(&mut self) -> Result<Option<&'a [u8]>, Stop> {
        if !matches!(self.bytes[self.at..], [b'W' | b'B' | b'w' | b'b', b':', b'W' | b'B' | b'w' | b'b', ..])
        {
            return Ok(None);
        }
        self.run(|b| !b.is_ascii_whitespace()).map(Some)
    }

    /// Steps over the rest of the line.
    pub(super) fn skip_line(&mut self) -> Result<(), Stop> {
        self.run(|b| b != b'\n').map(drop)
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

    /// Checks that the end of the bytes is the end of the file; otherwise more bytes are needed.
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

    /// A move, a result, a number or another word; `None` for the number of a move with its dot.
    #[inline]
    fn word(&mut self) -> Result<Option<Token<'a>>, Stop> {
        let from = self.at;
        let mut digits = self.word_part(from);
        // `1- 7`, `28 x 6`: a sign between two squares holds them together, whatever space is about it.
        // Behind a dot no square follows.
        while self.bytes.get(self.at) != Some(&b'.')
            && let Some(next) = self.beyond_separator(from)?
        {
            digits += self.word_part(next);
        }
        match self.bytes.get(self.at) {
            None => self.end()?,
            // `10-14-+`: a judgement behind the move.
            Some(b'+') if digits > 1 && self.bytes[self.at - 1] == b'-' => self.at -= 1,
            Some(_) => {}
        }
        let word = &self.bytes[from..self.at];
        if digits == word.len() {
            let dotted = self.bytes.get(self.at) == Some(&b'.');
            if dotted && digits <= 2 && self.is_dotted_move()? {
                self.at += 1;
                self.word_part(self.at);
                return Ok(Some(Token::Move(&self.bytes[from..self.at])));
            }
            return Ok(match digits {
                _ if dotted => None,
                0..=3 => Some(Token::Number(word)),
                _ => Some(Token::Move(word)),
            });
        }
        if is_result(word) {
            return Ok(Some(Token::End(word)));
        }
        // A word without a digit is not a move; a tag's name outside of brackets, say. Nor does a move begin with
        // letters beyond those of the squares.
        let like_a_square = matches!(word[0], b'0'..=b'9' | b'a'..=b'l' | b'A'..=b'L');
        if digits == 0 || !like_a_square {
            return Ok(Some(Token::Word(word)));
        }
        Ok(Some(Token::Move(word)))
    }

    /// Goes over the signs of a word from `from` on; how many of them are digits.
    #[inline]
    fn word_part(&mut self, from: usize) -> usize {
        let (mut digits, mut at) = (0, from);
        while let Some(&b) = self.bytes.get(at) {
            match b {
                b'0'..=b'9' => digits += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'-' | b':' | b'/' | 0x80.. => {}
                // `28*19` is a capture; a star behind a move says that it was forced.
                b'*' if at > from
                    && self.bytes[at - 1].is_ascii_digit()
                    && self.bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {}
                _ => break,
            }
            at += 1;
        }
        self.at = at;
        digits
    }

    /// Returns the position of the next square of this word, when a separator at its end or behind it promises one.
    #[inline]
    fn beyond_separator(&self, from: usize) -> Result<Option<usize>, Stop> {
        let word = &self.bytes[from..self.at];
        if !word.first().is_some_and(u8::is_ascii_digit) {
            return Ok(None);
        }
        let mut at = self.behind_blanks(self.at);
        let Some(&next) = self.bytes.get(at) else {
            self.end()?;
            return Ok(None);
        };
        if !ends_in_separator(word) {
            // Only a word that is a square yet goes on behind a gap, with a sign; most words are whole moves.
            if at == self.at || !(matches!(next, b'-' | b':' | b'x' | b'X') || next >= 0x80) {
                return Ok(None);
            }
            let square = word.rsplit(|b| !b.is_ascii_digit()).next().is_some_and(|last| last.len() <= 2);
            let Some(length) = separator_at(&self.bytes[at..]).filter(|_| square) else { return Ok(None) };
            at = self.behind_blanks(at + length);
        }
        if at == self.bytes.len() {
            self.end()?;
        }
        Ok(Some(at).filter(|&at| at > self.at && self.bytes.get(at).is_some_and(u8::is_ascii_digit)))
    }

    /// The place behind the blanks here.
    #[inline]
    fn behind_blanks(&self, mut at: usize) -> usize {
        while let Some(b' ' | b'\t') = self.bytes.get(at) {
            at += 1;
        }
        at
    }

    /// Tells whether the dot here stands between two squares, `32.28`, rather than behind the number of a move.
    fn is_dotted_move(&self) -> Result<bool, Stop> {
        let behind = &self.bytes[self.at + 1..];
        if behind.first().is_some_and(|b| !b.is_ascii_digit()) {
            return Ok(false);
        }
        let digits = behind.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits + 1 >= behind.len() {
            self.end()?;
        }
        let ends =
            behind.get(digits).is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'!' | b'?' | b'{'));
        // `1.32 - 28` has a number in front.
        let gap = behind[digits..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let more = separator_at(&behind[digits + gap..]).is_some();
        Ok((1..=2).contains(&digits) && ends && !more)
    }

    /// `--`, `~`, and dashes that stand alone.
    fn null(&mut self) -> Result<Token<'a>, Stop> {
        let text = self.run(|b| matches!(b, b'-' | b'~' | b'+'))?;
        Ok(if matches!(text, b"--" | b"~" | b"---") { Token::Null(text) } else { Token::Word(text) })
    }

    /// Returns the text between braces. Braces may lie in braces where all of them are closed.
    fn comment(&mut self) -> Result<&'a [u8], Stop> {
        let from = self.at + 1;
        let text = self.enclosed(b'}', "pdn-open-comment")?;
        // Many remarks may end at one brace, each as long as the rest of the file.
        if self.closing.nested >= MOST_NESTED {
            return Ok(text);
        }
        self.closing.nested += text.len();
        // The brace belongs to another game: this remark is not closed.
        if has_tags_of_a_game(text) {
            self.at = from - 1;
            return Err(Stop::Wrong("pdn-open-comment", from - 1));
        }
        let mut open = text.iter().filter(|&&b| b == b'{').count();
        if open == 0 {
            return Ok(text);
        }
        for (i, &b) in self.bytes[self.at..].iter().enumerate() {
            let here = self.at + i;
            self.closing.nested += 1;
            match b {
                b'{' => open += 1,
                b'}' if open == 1 => {
                    self.at = here + 1;
                    return Ok(&self.bytes[from..here]);
                }
                b'}' => open -= 1,
                // Behind the tags of another game no brace of this one is closed.
                b'[' if self.bytes[here - 1] == b'\n' => return Ok(text),
                _ if self.closing.nested >= MOST_NESTED => return Ok(text),
                _ => {}
            }
        }
        self.end().map(|()| text)
    }

    /// Reads a tag, or a remark in the brackets of a tag.
    fn tag_or_remark(&mut self) -> Result<Token<'a>, Stop> {
        match self.tag() {
            Ok(tag) => Ok(tag),
            Err(_) if !self.is_like_a_tag() => self.remark(b']'),
            Err(Stop::Wrong(..)) if !self.begins_line() && self.closing.nested < MOST_NESTED => {
                let line = self.bytes[self.at..].iter().take_while(|&&b| b != b'\n').count();
                self.closing.nested += line;
                self.remark(b']')
            }
            stop => stop,
        }
    }

    /// Behind an opening bracket: what stands in it, when that is a remark rather than moves. It is stepped over then.
    pub(super) fn remark_in_brackets(&mut self) -> Result<Option<&'a [u8]>, Stop> {
        let mut ahead = *self;
        let is_remark = loop {
            match ahead.next() {
                Ok(Some(Token::Word(text))) => break !matches!(text, b"." | b".." | b"..."),
                Ok(Some(Token::Number(_) | Token::Comment(_) | Token::Nag(_))) => {}
                Err(Stop::More) => return Err(Stop::More),
                _ => break false,
            }
        };
        self.closing = ahead.closing;
        let from = self.at;
        if !is_remark || self.closing.nested >= MOST_NESTED {
            return Ok(None);
        }
        let closed = self.skip_brackets()?;
        self.closing.nested += self.at - from;
        if closed {
            return Ok(Some(&self.bytes[from..self.at - 1]));
        }
        self.at = from;
        Ok(None)
    }

    /// Returns true if the semicolon here stands between two turns, `19-23; 2. 28x19`, and opens no remark: it follows a
    /// word at once, and a number follows it.
    fn is_between_turns(&self) -> Result<bool, Stop> {
        if self.at == 0 || self.bytes[self.at - 1].is_ascii_whitespace() {
            return Ok(false);
        }
        let from = self.behind_blanks(self.at + 1);
        let digits = self.bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let behind = self.bytes.get(from + digits);
        if behind.is_none() {
            self.end()?;
        }
        Ok((1..=3).contains(&digits) && behind == Some(&b'.'))
    }

    /// Behind an opening bracket: the digits in it where it holds nothing else, as in `(12)`. It is stepped over then.
    pub(super) fn number_in_brackets(&mut self) -> Result<Option<&'a [u8]>, Stop> {
        self.alone_in_brackets(|b| b.is_ascii_digit())
    }

    /// Behind an opening bracket: the digits and colons in it where it holds nothing else, as in `(0:03)`. It is stepped
    /// over then.
    pub(super) fn time_in_brackets(&mut self) -> Result<Option<&'a [u8]>, Stop> {
        let from = self.at;
        let text = self.alone_in_brackets(|b| b.is_ascii_digit() || b == b':')?;
        let is_part = |part: &[u8]| (1..=2).contains(&part.len());
        let is_time = |text: &&[u8]| text.contains(&b':') && text.split(|&b| b == b':').all(is_part);
        let time = text.filter(is_time);
        if time.is_none() {
            self.at = from;
        }
        Ok(time)
    }

    fn alone_in_brackets(&mut self, of_kind: impl Fn(u8) -> bool) -> Result<Option<&'a [u8]>, Stop> {
        let from = self.behind_blanks(self.at);
        let length = self.bytes[from..].iter().take_while(|&&b| of_kind(b)).count();
        let end = self.behind_blanks(from + length);
        match self.bytes.get(end) {
            Some(b')') if length > 0 => {
                self.at = end + 1;
                Ok(Some(&self.bytes[from..from + length]))
            }
            None => self.end().map(|()| None),
            Some(_) => Ok(None),
        }
    }

    /// Steps over what is left in a bracket, other brackets included; false where it is not closed before the next tag.
    pub(super) fn skip_brackets(&mut self) -> Result<bool, Stop> {
        let mut inner = 0;
        loop {
            let from = self.at;
            match self.next() {
                Ok(Some(Token::Open)) => inner += 1,
                Ok(Some(Token::Close)) if inner > 0 => inner -= 1,
                Ok(Some(Token::Close)) => return Ok(true),
                Ok(Some(Token::Tag(..))) => {
                    self.at = from;
                    return Ok(false);
                }
                Ok(None) | Err(Stop::Wrong(..)) => return Ok(false),
                Ok(Some(_)) => {}
                Err(Stop::More) => return Err(Stop::More),
            }
        }
    }

    /// Tells whether a name and a quote follow the bracket here.
    fn is_like_a_tag(&self) -> bool {
        let inside = self.bytes[self.at + 1..].trim_ascii_start();
        let name = inside.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        name > 0 && inside[name..].iter().find(|b| !matches!(b, b' ' | b'\t')) == Some(&b'"')
    }

    /// Tells whether nothing stands before this sign on its line.
    fn begins_line(&self) -> bool {
        let before = self.bytes[..self.at].iter().rev().find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
        before.is_none_or(|&b| b == b'\n')
    }

    /// Returns the text in other brackets on one line; the bracket alone where it is not closed.
    fn remark(&mut self, close: u8) -> Result<Token<'a>, Stop> {
        let from = self.at + 1;
        let most = LONGEST_REMARK.min(MOST_NESTED.saturating_sub(self.closing.nested));
        let length = self.bytes[from..].iter().take(most).position(|&b| b == close || b == b'\n');
        self.closing.nested += length.unwrap_or(most);
        match length {
            None if from + most > self.bytes.len() => self.end()?,
            None => {}
            Some(length) if self.bytes[from + length] == close => {
                self.at = from + length + 1;
                return Ok(Token::Comment(&self.bytes[from..from + length]));
            }
            Some(_) => {}
        }
        self.at = from;
        Ok(Token::Word(&self.bytes[from - 1..from]))
    }

    /// Returns true if this star follows a move immediately: it marks that the move was forced.
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
        // A number beyond those of the standard is a program's own: it stays as it is written.
        Ok(number.map_or(Token::Word(&self.bytes[from..self.at]), Token::Nag))
    }

    /// Reads the text between the sign here and the next `close`.
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
    // Told from moves by their first signs, so that hardly any move is compared.
    let may_be = matches!(
        word,
        [b'0'..=b'2', b'-' | b':', b'0'..=b'2'] | [_, b' ' | b'\t' | b'/' | 0x80.., ..] | [0x80..=0xff, ..]
    );
    if !may_be || word.len() > 24 {
        return false;
    }
    if RESULTS.contains(&word) {
        return true;
    }
    let bare: Vec<u8> = word.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
    std::str::from_utf8(&bare).is_ok_and(crate::said::is_end)
}

/// Tells whether the tags of another game stand in a text: a tag behind an empty line.
fn has_tags_of_a_game(text: &[u8]) -> bool {
    let mut from = 0;
    while let Some(length) = text[from..].iter().position(|&b| b == b'[') {
        let at = from + length;
        let before = text[..at].strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        if before.is_some_and(|line| line.ends_with(b"\n")) {
            let inside = &text[at + 1..];
            let name = inside.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
            if name > 0 && inside[name..].trim_ascii_start().starts_with(b"\"") {
                return true;
            }
        }
        from = at + 1;
    }
    false
}

/// Tells whether a word promises another square.
fn ends_in_separator(word: &[u8]) -> bool {
    match word.last() {
        Some(b'-' | b':' | b'x' | b'X') => true,
        Some(0x80..) => DASHES.iter().any(|dash| word.ends_with(dash)),
        _ => false,
    }
}

/// Signs between squares beyond ASCII: dashes, a minus, the sign of multiplication.
const DASHES: [&[u8]; 8] = [
    "\u{2010}".as_bytes(),
    "\u{2011}".as_bytes(),
    "\u{2012}".as_bytes(),
    "\u{2013}".as_bytes(),
    "\u{2014}".as_bytes(),
    "\u{2015}".as_bytes(),
    "\u{2212}".as_bytes(),
    "\u{d7}".as_bytes(),
];

/// Returns the length of the sign between two squares that begins here.
fn separator_at(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        // A second dash makes it no move.
        b'-' | b':' | b'x' | b'X' => (!matches!(bytes.get(1), Some(b'-' | b'x' | b':'))).then_some(1),
        _ => DASHES.iter().find(|dash| bytes.starts_with(dash)).map(|dash| dash.len()),
    }
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
