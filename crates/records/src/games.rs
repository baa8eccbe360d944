//! Files with many games, read one game at a time: the memory of one is enough for any file.

use std::io::BufRead;

use encoding_rs::Encoding;
use kernel::Problem;

use crate::charset::Narrowed;
use crate::record::{MOST_FEN, most_bytes};
use crate::{Format, Record, ccbridge, charset, pdn, pos, rif, wxf};

/// The games of a file, in order. A game that cannot be read gives a problem; the games after it are read.
///
/// ```
/// use records::{Format, Games};
///
/// let file = "Game: locked\n\n1. u\n\nGame: locked\n\n1. d\n";
/// let games: Result<Vec<_>, _> = Games::new(Format::Text, file.as_bytes()).collect();
/// assert_eq!(games.unwrap().len(), 2);
/// ```
pub struct Games<R> {
    format: Format,
    source: Narrowed<R>,
    game: String, // of positions
    cut: Cut,
    ahead: Vec<u8>,      // the line or block that begins the next game
    lines_before: usize, // lines that were given out before this game
    begun: usize,        // the line on which the last game began
    done: bool,
    keeps: bool,
    fault: Option<Problem>,
    doubt: Option<Problem>,
    /// The encoding that was guessed for the file, or for the last game that was not UTF-8.
    guess: Option<&'static Encoding>,
    /// True when the file was looked at for its encoding.
    looked: bool,
    /// A game that no line announces, and the number of lines before it.
    rest: Option<(String, usize)>,
    /// True when no game of the file was begun yet.
    first: bool,
}

/// The ways in which a file is divided into games.
enum Cut {
    /// The file is one game.
    Whole,
    /// A line begins the next game.
    Lines(Lines),
    /// A bracket closes the game.
    Brackets { open: u8, close: u8, quote: u8, until: u8 },
    /// Each line is a game.
    EachLine,
    /// The moves decide, which are played as they are read.
    Played(Box<pdn::Stream>),
    /// An XML element is a game; the elements before the first game have the names of players and rules.
    Elements(Box<rif::Names>),
    /// A block of [`ccbridge::BLOCK`] bytes begins the next game; `true` once the head was read.
    Blocks(bool),
}

/// The state of the lines read so far, in formats where a line begins the next game.
#[derive(Default)]
struct Lines {
    moves: bool,   // whether there was something beside tags
    comment: bool, // whether a remark in braces is open
    wide: bool,    // whether signs beyond ASCII have two bytes
    blank: bool,   // whether the last line was empty
}

/// Tells whether a line is a tag rather than a remark in square brackets.
fn is_tag(line: &[u8]) -> bool {
    let name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    // In full width, too, in UTF-8 and in GBK.
    let brackets = [&b"["[..], "［".as_bytes(), b"\xa3\xdb"];
    let Some(inside) = brackets.iter().find_map(|bracket| line.strip_prefix(*bracket)) else { return false };
    let behind = &inside[inside.iter().take_while(|b| name(b)).count()..];
    behind.len() < inside.len() && !behind.starts_with(b"]") && !inside[0].is_ascii_digit()
}

/// Tells whether a line of a format with brackets begins a game, wherever it stands: a record of ours, or an SGF tree
/// with a property that only its root has.
fn begins_line(format: Format, line: &[u8]) -> bool {
    if format == Format::Json {
        return line.starts_with(b"{\"format\":\"qiguan-record\"");
    }
    let Some(root) = line.strip_prefix(b"(;") else { return false };
    let root = root.trim_ascii_start();
    [&b"FF["[..], b"GM[", b"CA[", b"AP[", b"SZ["].iter().any(|name| root.starts_with(name))
}

impl<R: BufRead> Games<R> {
    /// The games of a file in that format.
    ///
    /// ```
    /// use records::{Format, Games};
    ///
    /// let games: Vec<_> = Games::new(Format::Pos, &b"h8i9\nh8h9j10\n"[..]).collect();
    /// assert_eq!(games.len(), 2);
    /// assert_eq!(games[1].as_ref().unwrap().tree.plies(), 3);
    /// ```
    pub fn new(format: Format, source: R) -> Self {
        let cut = match format {
            Format::Json => Cut::Brackets { open: b'{', close: b'}', quote: b'"', until: b'"' },
            Format::Sgf => Cut::Brackets { open: b'(', close: b')', quote: b'[', until: b']' },
            Format::Text | Format::Pgn | Format::Dpxq | Format::Wxf => Cut::Lines(Lines::default()),
            Format::Fen | Format::Pos | Format::Opening => Cut::EachLine,
            Format::Cbl => Cut::Blocks(false),
            Format::Pdn => Cut::Played(Box::default()),
            Format::Rif => Cut::Elements(Box::default()),
            Format::Rows | Format::Numbers | Format::Letters | Format::Locked => Cut::Whole,
            Format::Xqf | Format::Cbr | Format::Cbf | Format::Chess | Format::Psq | Format::Lib => Cut::Whole,
        };
        Games {
            format,
            source: Narrowed::new(source, format.is_text()),
            game: String::new(),
            cut,
            ahead: Vec::new(),
            lines_before: 0,
            begun: 0,
            done: false,
            keeps: false,
            fault: None,
            doubt: None,
            guess: None,
            looked: false,
            rest: None,
            first: true,
        }
    }

    /// Sets the game, a key of the catalogue, for all positions and games, whatever the file says; empty: the file
    /// decides.
    ///
    /// ```
    /// use records::{Format, Games};
    ///
    /// let mut games = Games::new(Format::Fen, &b"W:W31-50:B1-20\n"[..]).of("draughts/international");
    /// let record = games.next().unwrap()?;
    /// assert_eq!(record.start.as_deref(), Some("W:W31-50:B1-20"));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn of(mut self, game: &str) -> Self {
        game.clone_into(&mut self.game);
        if let Cut::Played(stream) = &mut self.cut {
            stream.of(game);
        }
        self
    }

    /// Keeps the part before a move that is not possible, instead of refusing the whole game; see
    /// [`fault`](Games::fault).
    ///
    /// ```
    /// use records::{Format, Games};
    ///
    /// let mut games = Games::new(Format::Pdn, &b"1. 32-28 19-23 2. 28-17 *"[..]).keeping();
    /// assert_eq!(games.next().unwrap()?.tree.plies(), 2);
    /// assert_eq!(games.fault().map(|problem| problem.key), Some("pdn-move"));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn keeping(mut self) -> Self {
        self.keeps = true;
        if let Cut::Played(stream) = &mut self.cut {
            stream.keeps = true;
        }
        self
    }

    /// Takes out the problem of the last game, of which only a part was kept.
    pub fn fault(&mut self) -> Option<Problem> {
        self.fault.take()
    }

    /// Takes out the warning about the last game, all of which is kept.
    pub fn doubt(&mut self) -> Option<Problem> {
        self.doubt.take()
    }

    /// Takes out the findings about the file as a whole: the game that was guessed, and the side whose points come
    /// first in its results.
    pub fn notes(&mut self) -> Vec<Problem> {
        match &mut self.cut {
            Cut::Played(stream) => stream.notes(),
            _ => Vec::new(),
        }
    }

    /// The encoding that was guessed for a file that is not UTF-8, by the name that browsers have for it.
    ///
    /// ```
    /// use records::{Format, Games};
    ///
    /// let mut games = Games::new(Format::Pgn, &b"[Red \"\xBA\xFA\xC8\xD9\xBB\xAA\"]\n1. h2e2 h9g7 *\n"[..]);
    /// assert_eq!(games.next().unwrap()?.players[0], "胡荣华");
    /// assert_eq!(games.guessed(), Some("gb18030"));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn guessed(&self) -> Option<&'static str> {
        match &self.cut {
            Cut::Played(stream) => stream.guessed(),
            _ => self.guess.map(Encoding::name),
        }
    }

    /// The line on which the game begins that came last, read or not, from 1; 0 in files that have no lines.
    ///
    /// ```
    /// use records::{Format, Games};
    ///
    /// let mut games = Games::new(Format::Pos, &b"h8i9\nh8h9j10\n"[..]);
    /// let lines: Vec<usize> = std::iter::from_fn(|| games.next().map(|_| games.line())).collect();
    /// assert_eq!(lines, [1, 2]);
    /// ```
    #[must_use]
    pub fn line(&self) -> usize {
        self.begun
    }

    fn next_record(&mut self) -> Result<Option<Record>, Problem> {
        if let Cut::Played(stream) = &mut self.cut {
            let next = stream.next(&mut self.source, true).transpose();
            self.begun = stream.begun();
            return Ok(next?.and_then(|(checked, record)| {
                self.doubt = checked.doubt;
                let mut record = record?;
                if let Some(fault) = &checked.fault {
                    record.mark_cut(fault);
                }
                self.fault = checked.fault;
                Some(record)
            }));
        }
        if let Cut::Elements(names) = &mut self.cut {
            let next = rif::next(names, &mut self.source).inspect_err(|_| self.done = names.lost())?;
            let Some(rif::Game { mut record, fault, doubt }) = next else { return Ok(None) };
            self.doubt = doubt;
            let Some(fault) = fault else { return Ok(Some(record)) };
            if !self.keeps {
                return Err(fault);
            }
            record.mark_cut(&fault);
            self.fault = Some(fault);
            return Ok(Some(record));
        }
        let (bytes, before) = match self.rest.take() {
            Some((text, before)) => {
                self.begun = before + 1;
                (text.into_bytes(), before)
            }
            None => loop {
                let before = self.lines_before;
                let Some(bytes) = self.next_bytes()? else { return Ok(None) };
                // Chapters of a library have headings, which look like games without anything in them.
                if self.format != Format::Cbl || !ccbridge::is_heading(&bytes) {
                    break (bytes, before);
                }
            },
        };
        let record = match self.format {
            Format::Fen => self.a_position(&bytes),
            format => {
                let format = if format == Format::Cbl { Format::Cbr } else { format };
                self.learn_encoding(&bytes);
                match crate::read_reading(format, &bytes, &self.game, self.guess) {
                    Ok(reading) => self.taken(reading, before),
                    Err(problem) => Err(problem),
                }
            }
        };
        record.map(Some).map_err(|problem| in_file(problem, before))
    }

    /// Returns the record of a reading; keeps its remaining text and its guess of the encoding for the next game.
    fn taken(&mut self, reading: crate::Reading, before: usize) -> Result<Record, Problem> {
        let crate::Reading { mut record, fault, guess, rest } = reading;
        self.rest = rest.map(|(text, lines)| (text, before + lines));
        if let Some(guess) = guess {
            self.guess = Encoding::for_label(guess.as_bytes()).or(self.guess);
        }
        let Some(fault) = fault else { return Ok(record) };
        if !self.keeps {
            return Err(fault);
        }
        let fault = in_file(fault, before);
        record.mark_cut(&fault);
        self.fault = Some(fault);
        Ok(record)
    }

    /// Detects the encoding from the first game of a file of text that is not UTF-8; it applies to all games after
    /// it, however short they are.
    fn learn_encoding(&mut self, bytes: &[u8]) {
        let lines = matches!(self.format, Format::Pgn | Format::Dpxq | Format::Wxf);
        if !lines || self.looked || std::str::from_utf8(bytes).is_ok() || Encoding::for_bom(bytes).is_some() {
            return;
        }
        self.looked = true;
        self.guess = Some(charset::guess(bytes)).filter(|&guess| guess != encoding_rs::UTF_8);
    }

    fn a_position(&self, line: &[u8]) -> Result<Record, Problem> {
        if self.game.is_empty() {
            return Err(Problem::new("record-fen-alone"));
        }
        let start = charset::text(line).trim().to_owned();
        let record = Record { game: self.game.clone(), start: Some(start), ..Record::default() };
        record.check()?;
        Ok(record)
    }

    /// The bytes of the next game; `None` at the end of the file.
    fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        loop {
            let (bytes, whole) = match &self.cut {
                Cut::Whole | Cut::Played(_) | Cut::Elements(_) => self.whole()?,
                Cut::Lines(_) => self.lines()?,
                &Cut::Brackets { open, close, quote, until } => self.brackets(open, close, quote, until)?,
                Cut::EachLine => self.each_line()?,
                Cut::Blocks(_) => self.blocks()?,
            };
            if self.format.is_text() {
                let blank = bytes.len() - bytes.trim_ascii_start().len();
                self.begun = self.lines_before + bytes[..blank].iter().filter(|&&b| b == b'\n').count() + 1;
            }
            self.lines_before += bytes.iter().filter(|&&b| b == b'\n').count();
            if !whole {
                let problem = Problem::new("record-limit").with("what", "bytes");
                let most = most_bytes(self.format);
                return Err(problem.with("found", format!("> {most}")).with("most", most));
            }
            if bytes.is_empty() {
                return Ok(None);
            }
            // A line of a list of positions that begins with this sign is about them.
            if self.format == Format::Fen && bytes.trim_ascii_start().starts_with(b"#") {
                continue;
            }
            // Behind the last bracket stands no game, and before the first one none begins.
            let open = if self.format == Format::Sgf { b'(' } else { b'{' };
            let no_game = matches!(self.cut, Cut::Brackets { .. }) && !bytes.contains(&open);
            if no_game && !self.first {
                continue;
            }
            if !bytes.trim_ascii().is_empty() {
                self.first = false;
                return Ok(Some(bytes));
            }
        }
    }

    fn whole(&mut self) -> Result<(Vec<u8>, bool), Problem> {
        let mut game = Game::of(self.format);
        while self.step(|buffer| (buffer.len(), game.take(buffer)))?.is_some() {}
        Ok(game.end())
    }

    fn lines(&mut self) -> Result<(Vec<u8>, bool), Problem> {
        let mut game = Game::of(self.format);
        let mut line = std::mem::take(&mut self.ahead);
        self.cut = Cut::Lines(Lines::default());
        loop {
            if line.is_empty() && !self.read_line(&mut line)? {
                return Ok(game.end());
            }
            let Cut::Lines(lines) = &mut self.cut else { return Ok(game.end()) };
            if !game.is_empty() && lines.begins(self.format, &line) {
                self.ahead = line;
                return Ok(game.end());
            }
            lines.wide |= !lines.wide && std::str::from_utf8(&line).is_err();
            lines.see(self.format, &line);
            game.take(&line);
            line.clear();
        }
    }

    /// Reads a line with its end, as much of it as a game may have; false at the end of the file.
    fn read_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Problem> {
        let mut any = false;
        let most = most_bytes(self.format);
        loop {
            let ended = self.step(|buffer| {
                let end = buffer.iter().position(|&b| b == b'\n');
                let part = &buffer[..end.map_or(buffer.len(), |i| i + 1)];
                // One byte too many is enough to refuse the game.
                let room = (most + 1).saturating_sub(line.len());
                line.extend_from_slice(&part[..part.len().min(room)]);
                (part.len(), end.is_some())
            })?;
            match ended {
                None => return Ok(any),
                Some(true) => return Ok(true),
                Some(false) => any = true,
            }
        }
    }

    fn each_line(&mut self) -> Result<(Vec<u8>, bool), Problem> {
        let mut line = std::mem::take(&mut self.ahead);
        if line.is_empty() {
            self.read_line(&mut line)?;
        }
        let mut whole = line.len() <= MOST_FEN + 2;
        // A game of numbered moves may go on with the next number on the next line.
        let is_numbered = self.format == Format::Pos && pos::is_numbered(&line);
        while whole && is_numbered {
            let mut next = Vec::new();
            self.read_line(&mut next)?;
            if !pos::goes_on(&next) {
                self.ahead = next;
                break;
            }
            line.extend(next);
            whole = line.len() <= most_bytes(self.format);
        }
        Ok((line, whole))
    }

    fn brackets(&mut self, open: u8, close: u8, quote: u8, until: u8) -> Result<(Vec<u8>, bool), Problem> {
        let mut game = Game::of(self.format);
        let (mut depth, mut quoted, mut escaped) = (0_u64, false, false);
        let mut closes = |byte: u8| {
            if quoted {
                quoted = escaped || byte != until;
                escaped = !escaped && byte == b'\\';
            } else if byte == quote && depth > 0 {
                quoted = true;
            } else if byte == open {
                depth += 1;
            } else if byte == close && depth > 0 {
                depth -= 1;
                return depth == 0;
            }
            false
        };
        let format = self.format;
        let mut at_line_start = false;
        loop {
            let ended = self.step(|buffer| {
                // Where a bracket is missing, the next game begins all the same.
                if at_line_start && begins_line(format, buffer) && game.bytes.contains(&open) {
                    return (0, true);
                }
                let line = buffer.iter().position(|&byte| byte == b'\n').map_or(buffer.len(), |i| i + 1);
                let end = buffer[..line].iter().position(|&byte| closes(byte));
                let part = &buffer[..end.map_or(line, |i| i + 1)];
                at_line_start = part.ends_with(b"\n");
                game.take(part);
                (part.len(), end.is_some())
            })?;
            if ended != Some(false) {
                return Ok(game.end());
            }
        }
    }

    fn blocks(&mut self) -> Result<(Vec<u8>, bool), Problem> {
        if let Cut::Blocks(begun @ false) = &mut self.cut {
            *begun = true;
            let head = self.block(ccbridge::LIBRARY_HEAD)?;
            let mut between = ccbridge::games_at(&head)? - head.len();
            while between > 0 {
                let skipped = self.block(between.min(ccbridge::BLOCK))?.len();
                if skipped == 0 {
                    break;
                }
                between -= skipped;
            }
        }
        let mut game = Game::of(self.format);
        let mut block = std::mem::take(&mut self.ahead);
        loop {
            if block.is_empty() {
                block = self.block(ccbridge::BLOCK)?;
            }
            if block.is_empty() || (!game.is_empty() && ccbridge::is_record(&block)) {
                self.ahead = block;
                return Ok(game.end());
            }
            // Text before the first game, or after one that was given up, belongs to no game.
            if !game.is_empty() || ccbridge::is_record(&block) {
                game.take(&block);
            }
            block.clear();
        }
    }

    /// Reads that many bytes, or all that is left.
    fn block(&mut self, size: usize) -> Result<Vec<u8>, Problem> {
        let mut block = Vec::with_capacity(size);
        while block.len() < size {
            let room = size - block.len();
            let read = self.step(|buffer| {
                let part = &buffer[..buffer.len().min(room)];
                block.extend_from_slice(part);
                (part.len(), ())
            })?;
            if read.is_none() {
                break;
            }
        }
        Ok(block)
    }

    /// Examines the bytes that the source has ready; `None` at its end. `f` returns how many of them were used.
    fn step<T>(&mut self, f: impl FnOnce(&[u8]) -> (usize, T)) -> Result<Option<T>, Problem> {
        let buffer = loop {
            match self.source.fill_buf() {
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => {
                    self.done = true;
                    return Err(unreadable(&e));
                }
                Ok(_) => break self.source.fill_buf().unwrap_or_default(),
            }
        };
        if buffer.is_empty() {
            return Ok(None);
        }
        let (used, answer) = f(buffer);
        self.source.consume(used);
        Ok(Some(answer))
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        self.fault = None;
        self.doubt = None;
        if self.done {
            return None;
        }
        let next = self.next_record().transpose();
        self.done |= next.is_none() || matches!(self.cut, Cut::Whole);
        next
    }
}

/// Converts an error of a source into a problem; a problem inside the error is returned as it is.
pub(crate) fn unreadable(why: &std::io::Error) -> Problem {
    let told = why.get_ref().and_then(|inner| inner.downcast_ref::<Problem>());
    told.cloned().unwrap_or_else(|| Problem::new("record-file").with("detail", why))
}

/// The bytes of one game, no more than a game may have.
struct Game {
    bytes: Vec<u8>,
    over: bool,
    most: usize,
}

impl Game {
    fn of(format: Format) -> Game {
        Game { bytes: Vec::new(), over: false, most: most_bytes(format) }
    }

    fn take(&mut self, part: &[u8]) {
        self.over |= self.bytes.len() + part.len() > self.most;
        if !self.over {
            self.bytes.extend_from_slice(part);
        }
    }

    fn is_empty(&self) -> bool {
        self.bytes.is_empty() && !self.over
    }

    fn end(self) -> (Vec<u8>, bool) {
        (self.bytes, !self.over)
    }
}

impl Lines {
    /// Returns true if that line begins another game than the lines before it.
    fn begins(&self, format: Format, line: &[u8]) -> bool {
        let first = line.trim_ascii_start();
        match format {
            // Behind an empty line the first tag of a game begins one, whatever brace was left open.
            Format::Pgn => {
                let surely =
                    || self.blank && [&b"[Event \""[..], b"[Game \""].iter().any(|t| first.starts_with(t));
                self.moves && is_tag(first) && (!self.comment || surely())
            }
            Format::Dpxq => self.moves && first.windows(9).take(1 << 10).any(|part| part == b"[DhtmlXQ]"),
            Format::Wxf => self.moves && wxf::begins(first),
            _ => self.moves && line.get(..5).is_some_and(|name| name.eq_ignore_ascii_case(b"Game:")),
        }
    }

    fn see(&mut self, format: Format, line: &[u8]) {
        let plain = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
        self.blank = plain.is_empty();
        match format {
            Format::Pgn => {
                if self.comment || !(plain.is_empty() || is_tag(plain) || plain.starts_with(b"%")) {
                    self.moves = true;
                    self.see_remarks(plain);
                }
            }
            Format::Dpxq => self.moves |= plain.windows(8).any(|part| part == b"[DhtmlXQ"),
            Format::Wxf => self.moves |= !plain.is_empty(),
            // An empty line ends the header lines.
            _ => self.moves |= plain.is_empty(),
        }
    }

    /// Follows the braces of a line of moves. A byte of GBK may look like one, so the line is read as text.
    fn see_remarks(&mut self, line: &[u8]) {
        // In the Chinese encodings of two bytes the second one may look like a brace.
        let wide = self.wide;
        let mut second = false;
        let signs = line.iter().map(|&b| {
            let first = wide && !second && b >= 0x81;
            let plain = !second;
            second = first;
            if plain { char::from(b) } else { ' ' }
        });
        for c in signs {
            match c {
                '}' => self.comment = false,
                ';' if !self.comment => return,
                '{' => self.comment = true,
                _ => {}
            }
        }
    }
}

/// The problem with its line counted from the beginning of the file.
fn in_file(mut problem: Problem, before: usize) -> Problem {
    for (name, value) in &mut problem.args {
        if let ("line", Ok(line)) = (*name, value.parse::<usize>()) {
            *value = (line + before).to_string();
        }
    }
    problem
}
