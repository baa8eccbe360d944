//! Files of any length, a game at a time: the memory of one game and a block is enough.

use std::io::{BufRead, Read};

use encoding_rs::Decoder;
use kernel::Problem;

use super::game::{Checked, Failure, Game, Seats, read, survey};
use super::layout::keyed;
use super::tokens::{Closing, Tokens};
use crate::record::MOST_BYTES;
use crate::{Record, charset};

/// The number of bytes that are read at once.
const BLOCK: usize = 256 << 10;

/// The part of a file that is in memory, and what is known of the rest.
#[derive(Default)]
pub(crate) struct Stream {
    bytes: Vec<u8>,
    at: usize,
    whole: bool,
    /// Lines before `at`.
    line: usize,
    /// Characters of its line before `at`.
    column: usize,
    closing: Closing,
    seats: Seats,
    /// Set after a game that could not be read: true if the line before was a tag.
    lost: Option<bool>,
    done: bool,
    /// Set if the part before a fault is kept, in a game with one.
    pub(crate) keeps: bool,
    alphabet: Alphabet,
    /// True when the beginning of the file was looked at for what its games are.
    surveyed: bool,
    /// Remarks on the file as a whole that were not told yet.
    notes: Vec<Problem>,
    /// The line on which the last game begins, read or not, from 1.
    begun: usize,
}

/// The encoding of the file, as far as it is known.
#[derive(Default)]
enum Alphabet {
    /// The file was all ASCII so far.
    #[default]
    Plain,
    /// UTF-8, or Latin 1 in places.
    Told,
    /// Another one, which was guessed.
    Guessed(Decoder),
}

impl Stream {
    /// The name of the encoding that was guessed for a file that is not UTF-8.
    pub(crate) fn guessed(&self) -> Option<&'static str> {
        match &self.alphabet {
            Alphabet::Guessed(decoder) => Some(decoder.encoding().name()),
            _ => None,
        }
    }

    /// Games are of that variant, whatever their tags say; false where it is none of draughts.
    pub(crate) fn of(&mut self, game: &str) -> bool {
        self.seats.named = game.strip_prefix("draughts/").and_then(keyed);
        self.seats.named.is_some()
    }

    /// The line on which the last game begins, read or not, from 1.
    pub(crate) fn begun(&self) -> usize {
        self.begun
    }

    /// Returns the remarks on the file as a whole since the last call.
    pub(crate) fn notes(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.notes)
    }

    /// Looks at the games that are in memory: what they are, and in which order their results are written.
    fn survey(&mut self) {
        self.surveyed = true;
        let (usual, turned) = survey(&self.bytes, self.at, self.whole, self.seats.named);
        if let Some(usual) = usual {
            self.notes.push(Problem::new("record-game-guessed").with("game", usual.variant.key));
        }
        if turned {
            self.notes.push(Problem::new("pdn-results-turned"));
        }
        (self.seats.usual, self.seats.turned) = (usual, turned);
    }

    /// Brings what was read from `from` on into UTF-8, where that is needed.
    fn decode(&mut self, from: usize) {
        if let Alphabet::Plain = self.alphabet
            && let Some(first) = self.bytes[from..].iter().position(|b| !b.is_ascii())
        {
            let known = match std::str::from_utf8(&self.bytes[from + first..]) {
                Ok(_) => None,
                // Cut in the middle of a sign.
                Err(e) if e.error_len().is_none() && e.valid_up_to() > 0 => None,
                Err(_) => charset::beyond_latin(&self.bytes[from..]),
            };
            self.alphabet = known
                .map_or(Alphabet::Told, |known| Alphabet::Guessed(known.new_decoder_without_bom_handling()));
        }
        if let Alphabet::Guessed(decoder) = &mut self.alphabet {
            let part = self.bytes.split_off(from);
            let mut text =
                String::with_capacity(decoder.max_utf8_buffer_length(part.len()).unwrap_or(part.len()));
            let (_, read, _) = decoder.decode_to_string(&part, &mut text, false);
            debug_assert_eq!(read, part.len(), "there was room for all of it");
            self.bytes.append(&mut text.into_bytes());
        }
    }

    /// The next game; `None` at the end of the file. `build`: its record is wanted, too.
    ///
    /// A game that cannot be read is a problem, with the line of the file; the next one is found by its tags.
    pub(crate) fn next(
        &mut self,
        source: &mut impl Read,
        build: bool,
    ) -> Option<Result<(Checked, Option<Record>), Problem>> {
        if self.done {
            return None;
        }
        let next = self.next_game(source, build).transpose();
        self.done |= next.is_none();
        next
    }

    fn next_game(
        &mut self,
        source: &mut impl Read,
        build: bool,
    ) -> Result<Option<(Checked, Option<Record>)>, Problem> {
        loop {
            if let Some(tag) = self.lost {
                if !self.find_tags(tag) {
                    self.fill(source)?;
                    continue;
                }
                self.lost = None;
            }
            if self.bytes.is_empty() && !self.whole {
                self.fill(source)?;
                if self.bytes.starts_with("\u{feff}".as_bytes()) {
                    self.at = 3;
                }
            }
            if !self.surveyed && !self.bytes.is_empty() {
                self.survey();
            }
            let skipped = self.bytes[self.at..].iter().take_while(|b| b.is_ascii_whitespace());
            self.begun = self.line + skipped.filter(|&&b| b == b'\n').count() + 1;
            let (at, whole, closing) = (self.at, self.whole, self.closing);
            let mut tokens = Tokens { bytes: &self.bytes, at, whole, closing };
            let result = read(&mut tokens, &mut self.seats, build, self.keeps);
            let end = tokens.at;
            self.closing = tokens.closing;
            match result {
                Ok(None) => return Ok(None),
                Ok(Some(Game { is_nothing: true, .. })) => self.advance(end),
                Ok(Some(Game { mut checked, record, fault, .. })) => {
                    let cut = fault.as_ref().is_some_and(|fault| fault.ends);
                    checked.fault = fault.map(|fault| self.placed(fault.problem, fault.at));
                    checked.line = self.begun;
                    self.advance(end);
                    if cut {
                        self.lost = Some(self.is_in_tag(self.at));
                    }
                    return Ok(Some((checked, record)));
                }
                Err(Failure::More) => self.fill(source)?,
                Err(Failure::Wrong(problem, at) | Failure::TooMuch(problem, at)) => {
                    let problem = self.placed(problem, at);
                    // What was read is not read again, or one remark could be the end of many games.
                    self.advance(at.max(end).min(self.bytes.len()));
                    self.lost = Some(self.is_in_tag(self.at));
                    return Err(problem);
                }
            }
        }
    }

    /// The problem with its line and column.
    fn placed(&self, problem: Problem, at: usize) -> Problem {
        let (line, column) = self.place(at.clamp(self.at, self.bytes.len()));
        problem.with("line", line + 1).with("column", column + 1)
    }

    /// Lines before a byte behind `at`, and characters of its line.
    fn place(&self, to: usize) -> (usize, usize) {
        let passed = &self.bytes[self.at..to];
        let (before, rest) = match passed.iter().rposition(|&b| b == b'\n') {
            Some(end) => (0, &passed[end..][1..]),
            None => (self.column, passed),
        };
        let lines = ends_of_lines(passed);
        (self.line + lines, before + String::from_utf8_lossy(rest).chars().count())
    }

    fn line_start(&self, at: usize) -> usize {
        self.bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1)
    }

    /// Returns true if the line of that byte is a tag.
    fn is_in_tag(&self, at: usize) -> bool {
        self.bytes[self.line_start(at)..].starts_with(b"[")
    }

    /// Goes on to the first tag of the next game: a line with a tag behind one without. False when more bytes are
    /// needed.
    fn find_tags(&mut self, mut tag: bool) -> bool {
        while let Some(end) = self.bytes[self.at..].iter().position(|&b| b == b'\n') {
            self.advance(self.at + end + 1);
            let rest = &self.bytes[self.at..];
            if rest.len() < 2 && !self.whole {
                break;
            }
            // An empty line tells nothing; a bracket in a remark, `[%clk 1:00]`, is no tag.
            match rest {
                [b'[', b'A'..=b'Z' | b'a'..=b'z', ..] if !tag => return true,
                [b'[', b'A'..=b'Z' | b'a'..=b'z', ..] => tag = true,
                [b'\n' | b'\r', ..] => {}
                _ => tag = false,
            }
        }
        if self.whole {
            self.advance(self.bytes.len());
        }
        self.lost = Some(tag);
        self.whole
    }

    fn advance(&mut self, to: usize) {
        (self.line, self.column) = self.place(to);
        self.at = to;
    }

    /// Drops the bytes that were parsed and reads more; sets `done` at the end of the file.
    fn fill(&mut self, source: &mut impl Read) -> Result<(), Problem> {
        self.bytes.drain(..self.at);
        self.at = 0;
        self.closing = Closing::default();
        let held = self.bytes.len();
        if held > MOST_BYTES {
            self.done = true;
            let problem = Problem::new("record-limit").with("what", "bytes");
            return Err(problem.with("found", format!("> {MOST_BYTES}")).with("most", MOST_BYTES));
        }
        // A long game is read in growing steps, since each step reads it from its beginning.
        let mut wanted = BLOCK.max(held);
        let begin = held;
        while wanted > 0 {
            let from = self.bytes.len();
            self.bytes.resize(from + wanted.min(BLOCK), 0);
            let read = source.read(&mut self.bytes[from..]);
            self.bytes.truncate(from + read.as_ref().copied().unwrap_or(0));
            match read {
                Ok(0) => {
                    self.whole = true;
                    self.decode(begin);
                    return Ok(());
                }
                Ok(read) => wanted = wanted.saturating_sub(read),
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => {
                    self.done = true;
                    return Err(Problem::new("record-file").with("detail", e));
                }
            }
        }
        self.decode(begin);
        Ok(())
    }
}

/// The number of line ends in these bytes.
fn ends_of_lines(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    let mut lines = 0;
    // This looks at many bytes at once.
    while rest.skip_until(b'\n').is_ok_and(|passed| passed > 0) {
        lines += usize::from(bytes[bytes.len() - rest.len() - 1] == b'\n');
    }
    lines
}

/// The games of a file, each played to its end and then forgotten: whether they are right, and what they are.
///
/// ```
/// use records::pdn::Check;
///
/// let file = b"[White \"Ann\"]\n1. 32-28 19-23 *\n\n[White \"Bo\"]\n1. 32-28 32-28 *\n";
/// let mut games = Check::new(&file[..]);
/// assert!(games.next().unwrap().is_ok());
/// assert_eq!(games.next().unwrap().unwrap_err().key, "pdn-move");
/// ```
pub struct Check<R> {
    stream: Stream,
    source: R,
}

impl<R: Read> Check<R> {
    /// The games of that file. Nothing needs to be buffered.
    pub fn new(source: R) -> Self {
        Check { stream: Stream::default(), source }
    }
}

impl<R: Read> Iterator for Check<R> {
    type Item = Result<Checked, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.stream.next(&mut self.source, false)?;
        Some(next.map(|(checked, _)| checked))
    }
}
