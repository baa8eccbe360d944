//! Games as files: bytes to a tree of moves, and back.
//!
//! A [`Record`] holds what any format may say: game, start, players, ending, and a tree of move texts with
//! comments. Each format is one room that turns text into a record and a record into text. No room decides
//! what is legal: [`Record::replay`] asks the game, move by move.
//!
//! Reading order: [`record`] (the tree and its limits), [`json`] (our own format), [`text`] (the same for
//! people), [`sgf`] (gomoku among other programs).

pub mod json;
pub mod locked_chess;
pub mod record;
pub mod sgf;
pub mod text;

pub use record::{Ending, NodeId, Ply, Record, Score, Tree};

use kernel::Problem;
use record::MOST_BYTES;

/// The formats records are read from and written to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Our own, complete: see [`json`].
    Json,
    /// Header lines and numbered moves: see [`text`].
    Text,
    /// FF\[4\] GM\[4\], gomoku only: see [`sgf`].
    Sgf,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 3] = [Format::Json, Format::Text, Format::Sgf];

    /// What such a file is called on the web.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Format::Json => "application/json",
            Format::Text => "text/plain; charset=utf-8",
            Format::Sgf => "application/x-go-sgf; charset=utf-8",
        }
    }

    /// The stable key, also the usual ending of such a file's name.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Text => "txt",
            Format::Sgf => "sgf",
        }
    }
}

/// What the bytes look like, from their first sign; `None` when they are like nothing we read.
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<Format> {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    match text.first()? {
        b'{' => Some(Format::Json),
        b'(' => Some(Format::Sgf),
        _ => text::begins_like_one(text).then_some(Format::Text),
    }
}

/// Reads a record and checks its limits. It may hold moves that no game allows; see [`Record::replay`].
///
/// # Errors
/// What does not fit and where; `record-limit` and `record-not-utf8` before a format is asked.
pub fn read(format: Format, bytes: &[u8]) -> Result<Record, Problem> {
    record::within("bytes", bytes.len(), MOST_BYTES)?;
    let record = match format {
        Format::Json => json::read(utf8(bytes)?),
        Format::Text => text::read(utf8(bytes)?),
        Format::Sgf => sgf::read(utf8(bytes)?),
    }?;
    record.check()?;
    Ok(record)
}

/// The text of a file in UTF-8, without the mark that some editors put before it.
fn utf8(bytes: &[u8]) -> Result<&str, Problem> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| Problem::new("record-not-utf8").with("byte", e.valid_up_to() + 1))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Writes a record within its limits. What the format has no place for is left out; each room says what.
///
/// # Errors
/// `record-limit` and the like when the record breaks a limit, and what this format cannot say at all.
pub fn write(format: Format, record: &Record) -> Result<Vec<u8>, Problem> {
    record.check()?;
    Ok(match format {
        Format::Json => json::write(record).into_bytes(),
        Format::Text => text::write(record).into_bytes(),
        Format::Sgf => sgf::write(record)?.into_bytes(),
    })
}
