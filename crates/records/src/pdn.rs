//! PDN 3.0: draughts among other programs, one game or a million.
//!
//! Sources: the PDN 3.0 standard of Wieger Wesselink (github.com/wiegerw/pdn) with its reading grammar and its list
//! of parsing issues; what lidraughts, PlayOK and Turbo Dambase write.
//!
//! Reading follows the moves as it goes: each is played, in variations too, and the record holds machine texts. The
//! tag `GameType` says which game it is, in a private number of lidraughts perhaps, and where squares are counted
//! from; programs disagree about the corner, so where the first moves make no sense the usual one is tried, then our
//! own. Without the tag (and without `Variant`, which we write for games that have no number) the variants are tried
//! in order. These are read: results of both kinds, the result or a star behind the moves or nothing at all, `%`
//! lines, UTF-8 and Latin 1, moves by number, by letter or without separators, captures with any number of
//! intermediate squares.
//!
//! Signs between squares are punctuation: `10x14` may be a plain move, `28*19` and `32.28` are moves, space may stand
//! about them or be all that does. A capture that fits several ways is the one behind which the game goes on. What is
//! no move costs only itself: words, signs and remarks in other brackets become remarks. Where no tag tells the game,
//! what most of the first games of the file can be is taken, and `Games::of` goes before everything.
//!
//! The first number of a result is that of the side that begins (PDN 3.0, "Result"), which is Black in English, pool
//! and Thai draughts. Where the games of a file whose last position is decided all say otherwise, the file has
//! White's first, and that is told.
//!
//! Two things look alike and are told apart: `1-1` and its kin are results, since no such move exists; a star right
//! behind a move says that it was forced (`$7`), a star that stands alone ends the game.
//!
//! Writing keeps the restrictions: long moves only where the short one is ambiguous, the result or a star
//! between games, no tags without values, and each number once: readers such as pydraughts' take a number that is
//! repeated behind a remark for a move. Not kept: position commands in the middle of a game (refused), nothing else.

mod clock;
mod game;
mod layout;
mod seat;
mod stream;
mod tokens;
mod write;

pub use game::Checked;
pub(crate) use seat::Seat;
pub use stream::Check;
pub(crate) use stream::Stream;

use draughts::rules::Places;
use kernel::Problem;

use crate::Record;

/// Reads the first game of a file.
///
/// ```
/// let record = records::pdn::read(b"[White \"Ann\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 *")?;
/// assert_eq!((record.game.as_str(), record.players[0].as_str()), ("draughts/international", "Ann"));
/// assert_eq!(record.tree.plies(), 3);
/// assert_eq!(records::pdn::read(b"1. 32-28 32-28 *").unwrap_err().key, "pdn-move");
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `pdn-…` with line and column of what does not fit, `pdn-move` and `pdn-ambiguous` for a move that the game does
/// not allow or that names several, and what the game says against the start.
pub fn read(mut bytes: &[u8]) -> Result<Record, Problem> {
    let first = Stream::default().next(&mut bytes, true).ok_or_else(|| Problem::new("pdn-none"))?;
    let (_, record) = first?;
    Ok(record.expect("it was asked for"))
}

/// Reads the first game, but keeps the part before a fault and returns the fault too.
///
/// # Errors
/// The errors of [`read`], if nothing comes before the fault.
pub(crate) fn read_partial(mut bytes: &[u8], named: &str) -> Result<(Record, Option<Problem>), Problem> {
    let mut stream = Stream::default();
    stream.keeps = true;
    stream.of(named);
    let first = stream.next(&mut bytes, true).ok_or_else(|| Problem::new("pdn-none"))?;
    let (checked, record) = first?;
    Ok((record.expect("it was asked for"), checked.fault))
}

/// Writes a record of draughts.
///
/// ```
/// let record = records::pdn::read(b"1. 32-28 19-23 2. 28x19 *")?;
/// let text = records::pdn::write(&record)?;
/// assert!(text.contains("[GameType \"20"));
/// assert!(text.contains("1. 32-28 19-23 2. 28x19"));
/// # Ok::<(), kernel::Problem>(())
/// ```
///
/// # Errors
/// `pdn-game` for another game, `pdn-refused` for a move that the game does not allow where it stands, and what the
/// game says against the start.
pub fn write(record: &Record) -> Result<String, Problem> {
    write::write(record)
}

/// The side and the squares of the board of that game of draughts, and a seat to play it at.
pub(crate) fn variant_seat(game: &str) -> Option<(u8, Places, Box<dyn Seat>)> {
    let variant = layout::VARIANTS.iter().find(|variant| variant.key == game)?;
    Some((variant.side, variant.places, (variant.open)()))
}

/// Returns true if a text begins with a position of draughts, such as `W:W31,32:B1,2`.
pub(crate) fn is_position(text: &str) -> bool {
    matches!(text.as_bytes(), [b'W' | b'B' | b'w' | b'b', b':', b'W' | b'B' | b'w' | b'b', ..])
}

/// Returns true if a text that begins with a tag, a number or a line comment is draughts rather than another game.
pub(crate) fn is_one(text: &str) -> bool {
    let told = |name: &str| text.lines().any(|line| line.trim_start().starts_with(name));
    if told("[GameType ") {
        return true;
    }
    if told("[Variant ") {
        let value = text.lines().find_map(|line| line.trim_start().strip_prefix("[Variant "));
        return value.and_then(|v| v.split('"').nth(1)).and_then(layout::keyed).is_some();
    }
    // Two squares of draughts behind the tags: `1. 32-28`, `11x18`, `1. c3-d4`; pieces of chess have names.
    let moves = text.lines().filter(|line| !line.trim_start().starts_with(['[', '%']) && !is_position(line));
    let words = moves.flat_map(str::split_whitespace).map(|word| {
        word.trim_start_matches(|c: char| c.is_ascii_digit())
            .strip_prefix('.')
            .unwrap_or(word)
            .trim_matches('.')
    });
    let mut words = words.filter(|word| !word.is_empty() && !word.bytes().all(|b| b.is_ascii_digit()));
    words.next().is_some_and(|word| {
        let mut squares = word.trim_end_matches(['!', '?', '*']).split(['-', 'x', ':']);
        let square = |text: &str| {
            let digits = text.trim_start_matches(|c: char| matches!(c, 'a'..='l'));
            text.len() - digits.len() <= 1
                && matches!(digits.len(), 1..=2)
                && digits.bytes().all(|b| b.is_ascii_digit())
        };
        squares.clone().count() >= 2 && squares.all(square)
    })
}
