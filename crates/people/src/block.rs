//! Relations between people: following, blocking, and private notes.

use kernel::Problem;

use crate::name::clean;

/// The most people whom one person may follow, block or keep notes about.
pub const MOST_RELATIONS: u32 = 1000;
/// The most letters of a note about a person.
pub const NOTE: usize = 500;

/// Returns a note as it is stored; `None` when it is empty after cleaning.
///
/// # Errors
/// `words-too-long`, with the `limit`.
pub fn note(text: &str) -> Result<Option<String>, Problem> {
    let clean = clean(text, NOTE)?;
    Ok((!clean.is_empty()).then_some(clean))
}
