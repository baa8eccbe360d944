//! What people are to each other: whom somebody follows, blocks, or keeps a note about.

use kernel::Problem;

use crate::name::clean;

/// People whom one person may follow, block or keep notes about.
pub const MOST_RELATIONS: u32 = 1000;
/// Letters of a note about somebody.
pub const NOTE: usize = 500;

/// A note as it is kept; `None` when nothing is left of it.
///
/// # Errors
/// `words-too-long`, with the `limit`.
pub fn note(text: &str) -> Result<Option<String>, Problem> {
    let clean = clean(text, NOTE)?;
    Ok((!clean.is_empty()).then_some(clean))
}
