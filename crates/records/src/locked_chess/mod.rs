//! The saved games of the locked chess reference program, and its Python API.
//!
//! A saved game is a position without the moves before it: as a record its start, and the end of the main line of one
//! that is written.
//!
//! Writing is [`locked::json::state_json`]; reading is [`load`], whose inner texts are Python literals that
//! [`literal`] reads and never evaluates, and whose values [`variables`] checks. [`facade`]
//! has the names, variables and error texts of the reference program, for those who have programs from there.

pub mod literal;

pub mod variables;

pub mod load;

pub mod facade;

pub use facade::LockedChessClass;
pub use literal::Literal;
pub use load::loads_game;

use kernel::{Game, Notation as _, Problem};
use locked::Locked;
use locked::json::state_json;

use crate::Record;

/// The game these positions are of.
const GAME: &str = "locked";

/// Tells a saved game by its beginning: an object with two of its names near the beginning.
pub(crate) fn begins_like_one(text: &[u8]) -> bool {
    const NEAR: usize = 4096;
    let near = &text[..text.len().min(NEAR)];
    let has = |name: &[u8]| near.windows(name.len()).any(|part| part == name);
    let names: [&[u8]; 3] = [b"\"operation_number\"", b"\"operation_oppsite\"", b"\"choose_chess_locate\""];
    names.into_iter().filter(|name| has(name)).count() >= 2 && !has(b"\"qiguan-record\"")
}

/// Reads a saved game as a record that starts there.
///
/// # Errors
/// The errors of [`loads_game`].
pub(crate) fn read(text: &str) -> Result<Record, Problem> {
    let fen = loads_game(text).map_err(|error| error.problem())?.fen();
    let start = Some(fen).filter(|fen| *fen != Locked::default().fen());
    Ok(Record { game: GAME.to_owned(), start, ..Record::default() })
}

/// Writes the position at the end of a record's main line, as `return_game()` gives it.
///
/// # Errors
/// `locked-json-game` for another game, and what the game says against the record.
pub(crate) fn write(record: &Record) -> Result<String, Problem> {
    if record.game != GAME {
        return Err(Problem::new("locked-json-game").with("found", &record.game));
    }
    let start = match &record.start {
        Some(fen) => Locked::default().read_fen(fen)?,
        None => Locked::default(),
    };
    let game = record.replay(Box::new(Game::new(start)))?;
    Ok(state_json(&Locked::default().read_fen(&game.fen())?))
}
