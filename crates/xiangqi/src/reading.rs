//! Reader of move texts that people write; texts that name no move get the reason.
//!
//! A text says a few things about a move: a piece, a file or a place in it, a way, a goal. Each legal move is held
//! against what was said. The move whose own text it is comes first; a text that only leaves things out, such as a
//! missing 前, is understood when it fits one legal move and refused when it fits several. Nothing is guessed.
//!
//! Texts of squares, `h2e2`, and those of programs that come from chess, `Che2`, count ranks from 0 as ICCS does, or
//! from 1 as Fairy-Stockfish and its clients do. A text with a rank 10 is of the second kind; else the reader of a
//! file has to say which it is: [`Ranks`].

use kernel::{Notation, Position, Problem, Side};

use crate::position::paint;
use crate::text::{MoveParts, Place, Way, said_where};
use crate::{Kind, Move, Rules, Square, Xiangqi};

/// The number from which ranks are counted in texts that name squares.
///
/// ```
/// use xiangqi::{Move, Ranks, Rules, Xiangqi};
///
/// let start = Xiangqi::new(Rules::Asian);
/// assert_eq!(start.read_counted("h3e3", Ranks::FromOne), Move::named("h2e2"));
/// assert_eq!(start.read_counted("h3e3", Ranks::FromZero), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ranks {
    /// 0 to 9, as ICCS, UCCI and WinBoard have it.
    #[default]
    FromZero,
    /// 1 to 10, as Fairy-Stockfish, pychess and others have it.
    FromOne,
}

/// The longest move text that is read, in bytes.
const LONGEST: usize = 32;

/// The content of a move text, in the forms that are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Words {
    /// A move from one square to another.
    Squares(Move),
    /// The form of programs that come from chess: a kind, as much of the start square as is needed, and the end
    /// square.
    Goal { kind: Kind, file: Option<u8>, row: Option<u8>, to: Square },
    /// A piece, the way it goes, and its goal.
    Piece { kind: Option<Kind>, which: Which, way: Way, goal: u8 },
}

/// The ways to name one piece of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    /// The one on that file, from 1.
    File(u8),
    /// 前: the foremost of a crowded file.
    Front,
    /// 中: the second of three.
    Middle,
    /// 后: the last.
    Rear,
    /// 二兵: that soldier of the crowded ones, from 0.
    Nth(u8),
    /// 前五: the foremost soldier of that file, from 1.
    FrontOf(u8),
    /// 中五: the second of three soldiers of that file.
    MiddleOf(u8),
    /// 后五: the last soldier of that file.
    RearOf(u8),
    /// `25=6`: that soldier of a file, from 0, and the file, from 1.
    NthOfFile(u8, u8),
}

/// The legal move that `text` names.
pub(crate) fn read(pos: &Xiangqi, text: &str) -> Option<Move> {
    read_counted(pos, text, Ranks::FromZero)
}

/// The same in a text that counts ranks like that.
pub(crate) fn read_counted(pos: &Xiangqi, text: &str, ranks: Ranks) -> Option<Move> {
    match legal_candidates(pos, words(text, ranks)?).as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

impl Xiangqi {
    /// The legal move that `text` names, where ranks are counted like that.
    ///
    /// ```
    /// use xiangqi::{Move, Ranks, Rules, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// let cannon = Move::named("h2e2");
    /// for text in ["h2e2", "H2-E2", "C2=5", "c2.5", "炮二平五"] {
    ///     assert_eq!(start.read_counted(text, Ranks::FromZero), cannon);
    /// }
    /// ```
    #[must_use]
    pub fn read_counted(&self, text: &str, ranks: Ranks) -> Option<Move> {
        read_counted(self, text, ranks)
    }

    /// The reason why `text` is no legal move, where ranks are counted like that; `xiangqi-move-unreadable` when it is not of
    /// the form of a move at all, `xiangqi-move-ambiguous` with `moves` when it names several.
    ///
    /// ```
    /// use xiangqi::{Ranks, Rules, Xiangqi};
    ///
    /// let start = Xiangqi::new(Rules::Asian);
    /// let key = |text| start.refusal_counted(text, Ranks::FromZero).key;
    /// assert_eq!(key("castle"), "xiangqi-move-unreadable");
    /// assert_eq!(key("C5=6"), "xiangqi-no-such-move", "no cannon stands there");
    /// ```
    #[must_use]
    pub fn refusal_counted(&self, text: &str, ranks: Ranks) -> Problem {
        refusal_counted(self, text, ranks)
    }

    /// True when a text names squares, so that what it means depends on how ranks are counted.
    ///
    /// ```
    /// use xiangqi::Xiangqi;
    ///
    /// assert!(Xiangqi::names_squares("h2e2"));
    /// assert!(!Xiangqi::names_squares("C2=5"));
    /// ```
    #[must_use]
    pub fn names_squares(text: &str) -> bool {
        matches!(words(text, Ranks::FromZero), Some(Words::Squares(_) | Words::Goal { .. }))
            || matches!(words(text, Ranks::FromOne), Some(Words::Squares(_) | Words::Goal { .. }))
    }
}

/// The legal moves that the words may mean. Few moves fit the words, so the safety of the general, which takes
/// longest, is looked at last.
fn legal_candidates(pos: &Xiangqi, words: Words) -> Vec<Move> {
    let own = pos.army(pos.turn());
    let from = match words {
        _ if pos.general(pos.turn()).is_none() => return Vec::new(),
        Words::Squares(m) => {
            return if own.has(m.from) && pos.is_legal(m) { vec![m] } else { Vec::new() };
        }
        Words::Piece { kind: Some(kind), .. } | Words::Goal { kind, .. } => pos.pieces(pos.turn(), kind),
        Words::Piece { kind: None, .. } => own,
    };
    let reachable = || from.iter().flat_map(|from| pos.targets(from).iter().map(move |to| Move { from, to }));
    let fits = |strictly: bool| -> Vec<Move> {
        reachable().filter(|&m| matches(pos, words, m, strictly) && pos.is_legal(m)).collect()
    };
    let exact = fits(true);
    if exact.is_empty() { fits(false) } else { exact }
}

/// Returns the moves among `moves` that the words may mean.
fn candidates(pos: &Xiangqi, words: Words, moves: &[Move]) -> Vec<Move> {
    let fits = |strictly: bool| -> Vec<Move> {
        moves.iter().copied().filter(|&m| matches(pos, words, m, strictly)).collect()
    };
    let exact = fits(true);
    if exact.is_empty() { fits(false) } else { exact }
}

/// Returns true if the words fit `m`: in the very way its own text says it if `strictly`, otherwise at least without
/// contradiction.
fn matches(pos: &Xiangqi, words: Words, m: Move, strictly: bool) -> bool {
    let (kind, which, way, goal) = match words {
        Words::Squares(named) => return named == m,
        Words::Goal { kind, file, row, to } => {
            return to == m.to
                && file.is_none_or(|file| file == m.from.file())
                && row.is_none_or(|row| row == m.from.row())
                && pos.piece_at(m.from).is_some_and(|piece| piece.kind == kind);
        }
        Words::Piece { kind, which, way, goal } => (kind, which, way, goal),
    };
    let fits = |its: Kind, its_way: Way, its_goal: u8| {
        kind.is_none_or(|kind| kind == its) && way == its_way && goal == its_goal
    };
    let Some(said) = said_where(pos, m, fits) else { return false };
    if strictly { is_own_place(which, &said) } else { is_place(pos, which, &said, m.from) }
}

fn is_own_place(which: Which, said: &MoveParts) -> bool {
    match said.place {
        Place::Alone => which == Which::File(said.file),
        Place::Pair { front } => which == if front { Which::Front } else { Which::Rear },
        Place::Column { nth, of: 3 } => {
            which == [Which::Front, Which::Middle, Which::Rear][usize::from(nth.min(2))]
                || which == Which::NthOfFile(nth, said.file)
        }
        Place::Column { nth, .. } => which == Which::Nth(nth) || which == Which::NthOfFile(nth, said.file),
        Place::Columns { nth, overall } => {
            which == Which::Nth(overall) || which == Which::NthOfFile(nth, said.file)
        }
    }
}

/// Returns true if the words fit the piece in another way that people write: the file where 前 or 后 was due, 前 and 后
/// for advisors and elephants, 前 and 后 where soldiers crowd two files, numbers where 前 or 后 would do.
fn is_place(pos: &Xiangqi, which: Which, said: &MoveParts, from: Square) -> bool {
    let fellows = pos.pieces(said.side, said.kind).iter().filter(|s| s.file() == from.file());
    let (mut ahead, mut behind) = (0, 0);
    for fellow in fellows {
        let further = match said.side {
            Side::First => fellow.row() < from.row(),
            Side::Second => fellow.row() > from.row(),
        };
        match further {
            _ if fellow == from => {}
            true => ahead += 1,
            false => behind += 1,
        }
    }
    match which {
        Which::File(file) => file == said.file,
        Which::FrontOf(file) => file == said.file && ahead == 0 && behind > 0,
        Which::MiddleOf(file) => file == said.file && ahead == 1 && behind == 1,
        Which::RearOf(file) => file == said.file && behind == 0 && ahead > 0,
        Which::Front => ahead == 0 && behind > 0,
        Which::Middle => ahead == 1 && behind == 1,
        Which::Rear => behind == 0 && ahead > 0,
        // A number counts all crowded soldiers when two files are crowded, so it says nothing else there.
        Which::Nth(nth) => !matches!(said.place, Place::Columns { .. }) && ahead == nth && ahead + behind > 0,
        Which::NthOfFile(nth, file) => file == said.file && ahead == nth && ahead + behind > 0,
    }
}

/// Parses the text of a move; `None` when it is of no known form.
fn words(text: &str, ranks: Ranks) -> Option<Words> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let mut signs = ['\0'; LONGEST];
    let mut count = 0;
    for c in text.chars() {
        signs[count] = plain(c);
        count += 1;
    }
    let signs = &signs[..count];
    if let Some(words) = squares(signs, ranks) {
        return Some(words);
    }
    let &[a, b, c, d] = signs else { return None };
    let (way, goal) = (way(c)?, digit(d)?);
    // C2=5, 炮二平五; C+=5, 炮前平五; +C=5, 前炮平五, 二兵平五; 25=6.
    let (kind, which) = match (kind(a), kind(b), digit(a), digit(b)) {
        (Some(kind), _, _, Some(file)) => (Some(kind), Which::File(file)),
        (Some(kind), ..) => (Some(kind), end(b)?),
        (_, Some(Kind::Soldier), Some(nth), _) => (Some(Kind::Soldier), Which::Nth(nth - 1)),
        (_, Some(kind), ..) => (Some(kind), end(a)?),
        (_, _, None, Some(file)) => {
            let which = match end(a)? {
                Which::Front => Which::FrontOf(file),
                Which::Middle => Which::MiddleOf(file),
                _ => Which::RearOf(file),
            };
            (Some(Kind::Soldier), which)
        }
        (_, _, Some(nth), Some(file)) => (Some(Kind::Soldier), Which::NthOfFile(nth - 1, file)),
        _ => return None,
    };
    Some(Words::Piece { kind, which, way, goal })
}

/// Returns the meaning of a text of squares: `h2e2`, `H2-E2`, `Che2`, `Hb1xc3`, `c4`.
fn squares(signs: &[char], ranks: Ranks) -> Option<Words> {
    let behind = signs.iter().rev().take_while(|c| matches!(c, '+' | '#')).count();
    let signs = &signs[..signs.len() - behind];
    if !signs.last()?.is_ascii_digit() || !signs.iter().all(char::is_ascii) {
        return None;
    }
    let mut bytes = [0; LONGEST];
    for (byte, c) in bytes.iter_mut().zip(signs) {
        *byte = u8::try_from(*c).ok()?;
    }
    let text = std::str::from_utf8(&bytes[..signs.len()]).ok()?;
    let ranks = if text.contains("10") { Ranks::FromOne } else { ranks };
    let (before, to) = last_square(text, ranks)?;
    let before = before.trim_end_matches(['-', 'x', 'X', '=', '>', ':']);
    if let Some(("", from)) = last_square(before, ranks) {
        return Some(Words::Squares(Move { from, to }));
    }
    // Chess programs have pieces as capitals and files as small letters.
    if text.len() < 2 || !text.as_bytes()[before_square(text)].is_ascii_lowercase() {
        return None;
    }
    let (kind, rest) = match before.chars().next() {
        Some(letter) if letter.is_ascii_uppercase() => (kind(letter)?, &before[1..]),
        _ => (Kind::Soldier, before),
    };
    if let Some(("", from)) = last_square(rest, ranks) {
        return Some(Words::Goal { kind, file: Some(from.file()), row: Some(from.row()), to });
    }
    let letters = rest.bytes().take_while(u8::is_ascii_lowercase).count();
    let (file, row) = rest.split_at(letters);
    let file = match file.as_bytes() {
        [] => None,
        [file @ b'a'..=b'i'] => Some(file - b'a'),
        _ => return None,
    };
    let row = if row.is_empty() { None } else { Some(Square::counted(&format!("a{row}"), ranks)?.row()) };
    Some(Words::Goal { kind, file, row, to })
}

/// Returns the place at which the last square of a text begins.
fn before_square(text: &str) -> usize {
    text.trim_end_matches(|c: char| c.is_ascii_digit()).len().saturating_sub(1)
}

/// The square that a text ends with, and what stands before it.
fn last_square(text: &str, ranks: Ranks) -> Option<(&str, Square)> {
    let at = before_square(text);
    Some((text.get(..at)?, Square::counted(text.get(at..)?, ranks)?))
}

impl Square {
    /// The square of that name, with ranks counted like that.
    fn counted(name: &str, ranks: Ranks) -> Option<Square> {
        let number: u8 = name.get(1..).filter(|n| n.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()?;
        let rank = match ranks {
            Ranks::FromZero => number,
            Ranks::FromOne => number.checked_sub(1)?,
        };
        let file = name.as_bytes()[0].to_ascii_lowercase().checked_sub(b'a')?;
        Square::at(file as i8, 9_i8.checked_sub_unsigned(rank)?)
    }
}

/// The character in simplified writing and half width, signs as WXF has them.
fn plain(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '。' | '·' | '•' => '.',
        '帥' => '帅',
        '將' => '将',
        '馬' | '傌' | '㐷' => '马',
        '車' | '俥' | '伡' => '车',
        '砲' | '包' | '礮' | '砤' => '炮',
        '後' => '后',
        '進' => '进',
        _ => c,
    }
}

fn kind(c: char) -> Option<Kind> {
    Some(match c {
        '帅' | '将' => Kind::General,
        '仕' | '士' => Kind::Advisor,
        '相' | '象' => Kind::Elephant,
        '马' => Kind::Horse,
        '车' => Kind::Rook,
        '炮' => Kind::Cannon,
        '兵' | '卒' => Kind::Soldier,
        // Old books: G for guard, M for minister.
        'g' | 'G' => Kind::Advisor,
        'm' | 'M' => Kind::Elephant,
        _ => return Kind::lettered(c.to_ascii_lowercase()),
    })
}

fn way(c: char) -> Option<Way> {
    match c {
        '进' | '+' => Some(Way::Advance),
        '退' | '-' => Some(Way::Retreat),
        '平' | '=' | '.' => Some(Way::Traverse),
        _ => None,
    }
}

fn end(c: char) -> Option<Which> {
    match c {
        '前' | '+' => Some(Which::Front),
        '中' => Some(Which::Middle),
        '后' | '-' => Some(Which::Rear),
        _ => None,
    }
}

fn digit(c: char) -> Option<u8> {
    let n = match c {
        '1'..='9' => c as u32 - '0' as u32,
        _ => "一二三四五六七八九".chars().position(|han| han == c)? as u32 + 1,
    };
    Some(n as u8)
}

/// Returns the reason `text` is no legal move of `pos`.
pub(crate) fn refusal(pos: &Xiangqi, text: &str) -> Problem {
    refusal_counted(pos, text, Ranks::FromZero)
}

/// The same in a text that counts ranks like that.
fn refusal_counted(pos: &Xiangqi, text: &str, ranks: Ranks) -> Problem {
    let Some(words) = words(text, ranks) else {
        return Problem::new("xiangqi-move-unreadable").with("move", text.trim());
    };
    let possible = legal_candidates(pos, words);
    if possible.len() > 1 {
        let texts: Vec<String> = possible.iter().map(|&m| pos.move_text(m)).collect();
        return Problem::new("xiangqi-move-ambiguous")
            .with("move", text.trim())
            .with("moves", texts.join(", "));
    }
    let pieces = pos.army(pos.turn());
    let reachable: Vec<Move> =
        pieces.iter().flat_map(|from| pos.targets(from).iter().map(move |to| Move { from, to })).collect();
    match (words, candidates(pos, words, &reachable).as_slice()) {
        (_, [m, ..]) => forbidden(pos, *m),
        (Words::Squares(m), _) => unreachable(pos, m),
        _ => Problem::new("xiangqi-no-such-move").with("move", text.trim()),
    }
}

/// Returns the reason a move that its piece could make is not legal.
fn forbidden(pos: &Xiangqi, m: Move) -> Problem {
    let side = pos.turn();
    let mut next = pos.clone();
    next.play(m);
    let from = next.checkers(side).iter().next();
    let key = match from {
        _ if pos.rules() == Rules::Home => "xiangqi-game-over",
        Some(at) if Some(at) == next.general(side.other()) => "xiangqi-move-opens-file",
        _ if pos.in_check(side) => "xiangqi-still-in-check",
        _ => "xiangqi-exposes-general",
    };
    let at = from.map_or_else(String::new, |at| at.to_string());
    let piece = from.and_then(|at| next.piece_at(at)).map_or("", |piece| piece.kind.face());
    Problem::new(key).with("move", m).with("side", paint(side)).with("piece", piece).with("at", at)
}

/// Returns the reason a piece cannot go there at all.
fn unreachable(pos: &Xiangqi, m: Move) -> Problem {
    let side = pos.turn();
    match pos.piece_at(m.from) {
        None => Problem::new("xiangqi-nothing-there").with("square", m.from),
        Some(piece) if piece.side != side => {
            Problem::new("xiangqi-not-yours").with("square", m.from).with("side", paint(side))
        }
        Some(piece) => Problem::new("xiangqi-cannot-go")
            .with("piece", piece.kind.face())
            .with("from", m.from)
            .with("to", m.to),
    }
}

#[cfg(test)]
mod tests {
    use kernel::laws::Random;

    use super::*;
    use crate::text::{Script, Width, chinese, iccs, wxf};

    /// Texts of everything that could be played if generals did not matter, and texts with a word changed, mean the
    /// same whether all legal moves are held against them or only those of the pieces that are named.
    #[test]
    fn a_text_means_the_same_among_all_legal_moves() {
        let random = &mut Random(5);
        for rules in [Rules::Asian, Rules::Home] {
            let mut pos = Xiangqi::new(rules);
            for ply in 0..600 {
                let mut legal = Vec::new();
                pos.moves(&mut legal);
                if legal.is_empty() || ply % 120 == 119 {
                    pos = Xiangqi::new(rules);
                    continue;
                }
                let own = pos.army(pos.turn());
                let all =
                    own.iter().flat_map(|from| pos.targets(from).iter().map(move |to| Move { from, to }));
                let mut texts: Vec<String> = Vec::new();
                for m in all {
                    texts.extend([
                        chinese(&pos, m, Script::default(), Width::default()),
                        wxf(&pos, m),
                        iccs(m),
                    ]);
                }
                for text in texts.clone() {
                    let mut letters: Vec<char> = text.chars().collect();
                    let at = random.below(letters.len());
                    letters[at] = ['前', '后', '+', '-', '二', '3', '进', '兵', '='][random.below(9)];
                    texts.push(letters.into_iter().collect());
                }
                for text in texts {
                    let Some(words) = words(&text, Ranks::FromZero) else { continue };
                    let sorted = |mut moves: Vec<Move>| {
                        moves.sort_by_key(ToString::to_string);
                        moves
                    };
                    let (quick, slow) = (legal_candidates(&pos, words), candidates(&pos, words, &legal));
                    assert_eq!(sorted(quick), sorted(slow), "{text}");
                }
                pos.play(legal[random.below(legal.len())]);
            }
        }
    }
}
