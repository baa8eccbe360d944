//! Games whose rules are a file of their user.

use std::io::Read;
use std::path::Path;

use kernel::{AnyGame, Problem};

pub use jingbanqi::{Kind, Map, Reading};

use crate::{LONGEST_FEN, Options};

/// The key of games that come with a map.
pub const KEY: &str = "jingbanqi";

/// The most bytes a map may have.
pub const MOST_BYTES: usize = jingbanqi::sheet::MOST_BYTES;

/// The option that makes the old names of places known without an extension.
const OLD_NAMES: &str = "old-names";

/// The bytes of a map's file: as many as a map may have and one more, so that a longer one is refused as such.
///
/// # Errors
/// `map-file` with the path and why it cannot be read.
pub fn file(path: &Path) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|why| Problem::new("map-file").with("place", path.display()).with("text", why))?;
    Ok(bytes)
}

/// Reads a map and says everything that is wrong with it.
#[must_use]
pub fn check(bytes: &[u8]) -> Reading {
    jingbanqi::read(bytes)
}

/// A game on that map, at its start or at `fen`.
///
/// # Errors
/// Everything that is wrong with the map, or what is wrong with an option or the FEN.
pub fn open(bytes: &[u8], options: &Options, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Vec<Problem>> {
    if let Some(key) = options.keys().find(|key| *key != OLD_NAMES) {
        return Err(vec![Problem::new("unknown-option").with("option", key).with("game", KEY)]);
    }
    if let Some(fen) = fen.filter(|f| f.len() > LONGEST_FEN) {
        return Err(vec![Problem::new("fen-too-long").with("length", fen.len()).with("limit", LONGEST_FEN)]);
    }
    let reading = jingbanqi::read(bytes);
    let map = reading.map.ok_or(reading.errors)?;
    let old_names = options.get(OLD_NAMES).is_some_and(|&on| on == 1);
    let start = jingbanqi::Jingbanqi::new(std::sync::Arc::new(jingbanqi::Rulebook::new(map, old_names)));
    crate::open(start, fen).map_err(|problem| vec![problem])
}
