//! Writer and reader of move texts: PDN, Hub and the variants people use. §10.
//!
//! ```text
//! 32-28           a move                           c3-d4          the same by letters
//! 28x19           a capture                        c3:e5          as Russian players have it
//! 47x38x24x13x36  a capture written out, because 47x36 would fit two
//! 28x19x23        Hub: from, to, what is captured, in any order
//! ```
//!
//! Source: PDN 3.0, the grammar with its restrictions 6 to 9 (github.com/wiegerw/pdn). A move is written short, from
//! and to; only where that fits several captures is it written out: where the piece turns the square of the turn,
//! where it goes straight on the square right behind the captured piece, none behind the last. Readers take more:
//! any squares the piece walks over, in order, as many as one likes; numbers or letters; no separators; whatever
//! dash, cross, colon, star or dot stands between the squares, for programs disagree about them. A sign of capture
//! decides only between a quiet move and a capture with the same ends. A capture may be told up to a square on its
//! way, and by the file it begins on, `cd4`. A text that fits several moves names none of them.

use kernel::Position;

use crate::bits::Bits;
use crate::moves::Move;
use crate::position::Draughts;
use crate::rules::Rules;
use crate::square::{Square, all, shift_by};

/// The most squares in a text: a capture of every piece of the largest board, with from and to.
const MOST_SQUARES: usize = 34;
/// The longest text that is read, in bytes.
const MOST_TEXT: usize = 4 * MOST_SQUARES;

/// The result of looking a text up among the legal moves.
///
/// ```
/// use draughts::{Draughts, International, Named};
///
/// let start = Draughts::<International>::start();
/// assert!(matches!(start.named("32-28"), Named::One(_)));
/// assert_eq!(start.named("32-27x"), Named::Nonsense);
/// assert_eq!(start.named("32-23"), Named::None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named<R: Rules> {
    /// Exactly one legal move.
    One(Move<R>),
    /// Several captures fit; these are they.
    Several(Vec<Move<R>>),
    /// The text has the form of a move, but fits no legal one.
    None,
    /// The text does not have the form of a move.
    Nonsense,
}

impl<R: Rules> Draughts<R> {
    /// The move as PDN has it: short, or written out where the short text fits another of `moves`, the legal ones.
    /// By letters in the variants that are written so.
    ///
    /// ```
    /// use draughts::{Draughts, International, Russian};
    /// use kernel::Position;
    ///
    /// let mut moves = Vec::new();
    /// let start = Draughts::<Russian>::start();
    /// start.moves(&mut moves);
    /// let texts: Vec<String> = moves.iter().map(|&m| start.pdn(&moves, m)).collect();
    /// assert_eq!(texts, ["a3-b4", "c3-d4", "e3-f4", "g3-h4", "c3-b4", "e3-d4", "g3-f4"]);
    /// ```
    #[must_use]
    pub fn pdn(&self, moves: &[Move<R>], m: Move<R>) -> String {
        self.people_text(moves, m, R::LETTERS)
    }

    /// The same with the squares named as asked: by letter and rank, or by number from the top left.
    ///
    /// ```
    /// use draughts::{Draughts, Russian};
    /// use kernel::{Notation, Position};
    ///
    /// let (start, mut moves) = (Draughts::<Russian>::start(), Vec::new());
    /// start.moves(&mut moves);
    /// let m = start.read_move("c3-d4").unwrap();
    /// assert_eq!(start.people_text(&moves, m, true), "c3-d4");
    /// assert_eq!(start.people_text(&moves, m, false), "22-18");
    /// ```
    #[must_use]
    pub fn people_text(&self, moves: &[Move<R>], m: Move<R>, letters: bool) -> String {
        let short = |other: &&Move<R>| (other.from, other.to) == (m.from, m.to);
        let ambiguous = m.is_capture() && moves.iter().filter(short).nth(1).is_some();
        let squares = if ambiguous { self.route(m) } else { vec![m.from(), m.to()] };
        let name = |&square: &Square| {
            if letters { square.letters::<R>() } else { square.number().to_string() }
        };
        let separator = if m.is_capture() { takes_sign::<R>(letters) } else { "-" };
        squares.iter().map(name).collect::<Vec<_>>().join(separator)
    }

    /// Returns the move a text names among `moves`, the legal ones. No memory is allocated for a short text.
    ///
    /// ```
    /// use draughts::{Draughts, International, Named};
    /// use kernel::Position;
    ///
    /// let (start, mut moves) = (Draughts::<International>::start(), Vec::new());
    /// start.moves(&mut moves);
    /// let Named::One(m) = start.named_among(&moves, b"3228") else { panic!("signs may be left out") };
    /// assert_eq!(start.pdn(&moves, m), "32-28");
    /// ```
    #[must_use]
    #[inline]
    pub fn named_among(&self, moves: &[Move<R>], text: &[u8]) -> Named<R> {
        let Some(text) = Text::read::<R>(text) else { return Named::Nonsense };
        if let Some(file) = text.from_file {
            return from_file(moves, &text, file);
        }
        let named =
            if text.between().is_empty() { short(moves, &text) } else { self.written_out(moves, &text) };
        match named {
            Named::None => self.begun(moves, &text),
            named => named,
        }
    }

    /// The capture that walks over all squares of the text, its last one too, and goes on from there.
    fn begun(&self, moves: &[Move<R>], text: &Text) -> Named<R> {
        let over: Vec<Square> = text.squares()[1..].iter().map(|&bit| Square::of_bit::<R>(bit)).collect();
        let goes = |m: &&Move<R>| m.from == text.from() && m.captures() > 1 && self.passes(**m, &over);
        let fitting: Vec<Move<R>> = moves.iter().filter(goes).copied().collect();
        one_of(fitting)
    }

    fn written_out(&self, moves: &[Move<R>], text: &Text) -> Named<R> {
        if let Some(m) = hub(moves, text) {
            return Named::One(m);
        }
        let ends = |m: &&Move<R>| (m.from, m.to) == (text.from(), text.to()) && m.is_capture();
        let candidates: Vec<Move<R>> = moves.iter().filter(ends).copied().collect();
        // What we write ourselves names the move it was written for, even where it leads along the way of another.
        let squares: Vec<Square> = text.squares().iter().map(|&bit| Square::of_bit::<R>(bit)).collect();
        if let Some(&m) = candidates.iter().find(|&&m| self.route(m) == squares) {
            return Named::One(m);
        }
        let over = &squares[1..squares.len() - 1];
        let mut fitting: Vec<Move<R>> = candidates.into_iter().filter(|&m| self.passes(m, over)).collect();
        // Then comes a text that has a square for each jump.
        if fitting.iter().any(|m| is_full(m, text.squares())) {
            fitting.retain(|m| is_full(m, text.squares()));
        }
        // People name the squares on which a piece comes down; that it passes them elsewhere counts for less.
        let stops = |m: &Move<R>| {
            let route = self.route(*m);
            over.iter().all(|square| route.contains(square))
        };
        if fitting.len() > 1 && fitting.iter().any(stops) {
            fitting.retain(stops);
        }
        one_of(fitting)
    }

    /// Returns the move a text names now.
    ///
    /// ```
    /// use draughts::{Draughts, International, Named};
    /// use kernel::Notation;
    ///
    /// let pos = Draughts::<International>::start().read_fen("W:W28:B23,14")?;
    /// assert!(matches!(pos.named("28:10"), Named::One(m) if m.captures() == 2));
    /// # Ok::<(), kernel::Problem>(())
    /// ```
    #[must_use]
    pub fn named(&self, text: &str) -> Named<R> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        self.named_among(&moves, text.as_bytes())
    }
}

/// Returns true if there is one captured piece between each square and the next, another each time.
fn is_full<R: Rules>(m: &Move<R>, squares: &[u8]) -> bool {
    let jumped: Vec<R::Bits> =
        squares.windows(2).map(|pair| between::<R>(pair[0], pair[1]) & m.taken).collect();
    let all = jumped.iter().fold(R::Bits::NONE, |set, &one| set | one);
    all == m.taken && jumped.iter().all(|one| one.count() == 1) && jumped.len() == all.count() as usize
}

/// Returns the squares between two squares of one line; empty when they are not of one line.
fn between<R: Rules>(from: u8, to: u8) -> R::Bits {
    let ray = |d: usize| {
        let mut at = shift_by::<R>(R::Bits::bit(from), d) & all::<R>();
        let mut passed = R::Bits::NONE;
        while at.any() && at != R::Bits::bit(to) {
            passed |= at;
            at = shift_by::<R>(at, d) & all::<R>();
        }
        at.any().then_some(passed)
    };
    (0..8).find_map(ray).unwrap_or(R::Bits::NONE)
}

/// The only move of these, if there is just one.
fn one_of<R: Rules>(fitting: Vec<Move<R>>) -> Named<R> {
    match fitting.as_slice() {
        [] => Named::None,
        &[m] => Named::One(m),
        _ => Named::Several(fitting),
    }
}

/// Returns the move from a file, named by its letter, to a square: `cd4`.
fn from_file<R: Rules>(moves: &[Move<R>], text: &Text, file: u8) -> Named<R> {
    let fits = |m: &&Move<R>| m.to == text.to() && m.from().file::<R>() == file;
    one_of(moves.iter().filter(fits).copied().collect())
}

/// Returns the move named by its start and end. The sign between them counts only where both a quiet move and a
/// capture fit.
///
/// Where several captures fit, each but one has squares that it is written out with; the capture of a single piece
/// has none, so a text without any is that one.
#[inline]
fn short<R: Rules>(moves: &[Move<R>], text: &Text) -> Named<R> {
    let (from, to) = (text.from(), text.to());
    let mut fitting = moves.iter().filter(|m| m.from == from && m.to == to).copied();
    match (fitting.next(), fitting.next()) {
        (None, _) => Named::None,
        (Some(m), None) => Named::One(m),
        (Some(one), Some(other)) => {
            let mut several: Vec<Move<R>> = [one, other].into_iter().chain(fitting).collect();
            if several.iter().any(|m| m.is_capture() == text.takes) {
                several.retain(|m| m.is_capture() == text.takes);
            }
            if let [m] = several[..] {
                return Named::One(m);
            }
            let single = several.iter().copied().find(|m| m.captures() == 1);
            single.map_or(Named::Several(several), Named::One)
        }
    }
}

/// The capture that is told as Hub does it: from, to, and exactly these captured pieces, in any order. No other
/// text looks like it: what a piece walks over is empty, what it captures is not.
fn hub<R: Rules>(moves: &[Move<R>], text: &Text) -> Option<Move<R>> {
    let &[from, to, ref victims @ ..] = text.squares() else { return None };
    let taken = victims.iter().fold(R::Bits::NONE, |set, &bit| set | R::Bits::bit(bit));
    let distinct = taken.count() as usize == victims.len();
    moves.iter().copied().find(|m| distinct && (m.from, m.to, m.taken) == (from, to, taken))
}

/// Returns the sign between the squares of a capture: `x`, but `-` in Thai draughts, and `:` in Russian where it is
/// written by letters. PDN 3.0, the table of game types.
fn takes_sign<R: Rules>(letters: bool) -> &'static str {
    match R::GAME_TYPE {
        Some(25) if letters => ":",
        Some(31) => "-",
        _ => "x",
    }
}

/// The first and the last square that a text names; `None` when it is not of the form of a move.
pub(crate) fn ends_of<R: Rules>(text: &str) -> Option<(Square, Square)> {
    let text = Text::read::<R>(text.as_bytes()).filter(|text| text.from_file.is_none())?;
    Some((Square::of_bit::<R>(text.from()), Square::of_bit::<R>(text.to())))
}

/// A move text, cut into squares, by their bits.
struct Text {
    squares: [u8; MOST_SQUARES],
    many: usize,
    /// True if the text has a sign of capture.
    takes: bool,
    /// The file it begins on, from 0, where nothing else is told of the first square.
    from_file: Option<u8>,
}

impl Text {
    #[inline]
    fn read<R: Rules>(text: &[u8]) -> Option<Text> {
        if text.len() > MOST_TEXT {
            return None;
        }
        let mut read = Text { squares: [0; MOST_SQUARES], many: 0, takes: false, from_file: None };
        if text.len() >= 4 && text.iter().all(u8::is_ascii_digit) {
            read.pairs::<R>(text)?;
        } else {
            read.separated::<R>(text.trim_ascii())?;
        }
        (read.many >= 2).then_some(read)
    }

    /// Reads squares written as two digits each, without signs between them (`3228`).
    fn pairs<R: Rules>(&mut self, text: &[u8]) -> Option<()> {
        if text.len() % 2 == 1 {
            return None;
        }
        text.chunks_exact(2).try_for_each(|pair| {
            let number = (pair[0] - b'0') * 10 + (pair[1] - b'0');
            self.push(Square::new::<R>(number)?.bit::<R>())
        })
    }

    #[inline]
    fn separated<R: Rules>(&mut self, mut text: &[u8]) -> Option<()> {
        loop {
            let lettered = text.first()?.is_ascii_alphabetic();
            let (letter, rest) = text.split_at(usize::from(lettered));
            let digits = rest.iter().take(2).take_while(|b| b.is_ascii_digit()).count();
            let number = rest[..digits].iter().fold(0, |n, b| n * 10 + (b - b'0'));
            match *letter {
                // `a03` is not a square, but a leading zero is harmless in numbers: `01-07`.
                [letter] if digits > 0 => {
                    let file = letter.to_ascii_lowercase().checked_sub(b'a')?;
                    self.push(Square::at::<R>(file, R::SIDE.checked_sub(number)?)?.bit::<R>())?;
                }
                [letter] if self.many == 0 => {
                    self.from_file = letter.to_ascii_lowercase().checked_sub(b'a').filter(|&f| f < R::SIDE);
                    self.from_file?;
                    self.push(u8::MAX)?;
                }
                _ => self.push(Square::new::<R>(number)?.bit::<R>())?,
            }
            text = match &rest[digits..] {
                [] => return Some(()),
                [b'-', rest @ ..] => rest,
                rest => self.separator(rest, lettered)?,
            };
            if text.first().is_some_and(u8::is_ascii_whitespace) {
                text = text.trim_ascii_start();
            }
        }
    }

    /// Skips the sign between two squares (`x`, `:`, `-`); returns the text after it, or `None` without such a sign.
    fn separator<'t>(&mut self, text: &'t [u8], lettered: bool) -> Option<&'t [u8]> {
        let bare = text.trim_ascii_start();
        let (rest, takes) = match bare {
            [b'x' | b'X' | b':' | b'*', rest @ ..] => (rest, true),
            // The sign of multiplication, as careful typists have it, and the Cyrillic letter that looks like it.
            [0xc3, 0x97, rest @ ..] | [0xd1, 0x85, rest @ ..] | [0xd0, 0xa5, rest @ ..] => (rest, true),
            [0xe2, 0x9c, 0x95 | 0x96, rest @ ..] | [0xd7, rest @ ..] => (rest, true),
            // Dashes of every length, in UTF-8 and in Windows-1252, and the minus sign.
            [b'-', rest @ ..] | [0xe2, 0x80, 0x90..=0x95, rest @ ..] | [0xe2, 0x88, 0x92, rest @ ..] => {
                (rest, false)
            }
            [0x96 | 0x97, rest @ ..] => (rest, false),
            // `32.28`, and squares with nothing but space between them.
            [b'.', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit) => (rest, false),
            [b, ..] if bare.len() < text.len() && b.is_ascii_alphanumeric() => (bare, false),
            // Letters need no separators: a3b4, cd4.
            [b, ..] if lettered && b.is_ascii_alphabetic() => (bare, false),
            _ => return None,
        };
        self.takes |= takes;
        Some(rest)
    }

    #[inline]
    fn push(&mut self, square: u8) -> Option<()> {
        *self.squares.get_mut(self.many)? = square;
        self.many += 1;
        Some(())
    }

    fn squares(&self) -> &[u8] {
        &self.squares[..self.many]
    }

    fn from(&self) -> u8 {
        self.squares[0]
    }

    fn to(&self) -> u8 {
        self.squares[self.many - 1]
    }

    fn between(&self) -> &[u8] {
        &self.squares[1..self.many - 1]
    }
}
