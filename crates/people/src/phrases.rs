//! Chat at a table: preset phrases, which each reader sees in their own language, and free words.

use kernel::Problem;

use crate::name::clean;

/// The preset phrases: the messages `phrase-<key>`.
pub const PHRASES: [&str; 16] = [
    "hello",
    "good-luck",
    "have-fun",
    "your-turn",
    "well-played",
    "good-game",
    "thanks",
    "sorry",
    "wow",
    "oops",
    "one-moment",
    "take-your-time",
    "rematch",
    "no-thanks",
    "must-go",
    "bye",
];
/// The most letters of free words.
pub const WORDS: usize = 200;

/// A message at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChatMessage {
    /// A preset phrase of [`PHRASES`].
    Phrase(&'static str),
    /// Free words, cleaned.
    Words(String),
}

/// Returns the phrase with that key.
///
/// # Errors
/// `phrase-unknown`.
pub fn phrase(key: &str) -> Result<ChatMessage, Problem> {
    let found = PHRASES.into_iter().find(|phrase| *phrase == key);
    found.map(ChatMessage::Phrase).ok_or_else(|| Problem::new("phrase-unknown"))
}

/// Cleans free words to the line that is shown, without control, bidirectional or invisible letters.
///
/// # Errors
/// `words-empty`; `words-too-long`, with the `limit`.
pub fn words(text: &str) -> Result<ChatMessage, Problem> {
    let clean = clean(text, WORDS)?;
    if clean.is_empty() { Err(Problem::new("words-empty")) } else { Ok(ChatMessage::Words(clean)) }
}
