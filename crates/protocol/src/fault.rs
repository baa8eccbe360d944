//! Error type for text of another program that could not be parsed.

use std::fmt;

/// The most characters of foreign text that a fault repeats.
const MOST_ECHO: usize = 80;

/// A parse error of a line or a message. A program reads the key; a caller with a user interface turns it into a
/// sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Stable kebab-case key such as `"number"`.
    pub key: &'static str,
    /// The text that was found there, cut to 80 characters.
    pub found: String,
}

impl Fault {
    pub(crate) fn new(key: &'static str, found: impl AsRef<str>) -> Self {
        let found = found.as_ref().chars().take(MOST_ECHO).collect();
        Fault { key, found }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.key, self.found)
    }
}

impl std::error::Error for Fault {}

/// `found`, unless it is longer than `most` bytes.
pub(crate) fn within<'a>(key: &'static str, found: &'a str, most: usize) -> Result<&'a str, Fault> {
    if found.len() <= most { Ok(found) } else { Err(Fault::new(key, found)) }
}

/// Parses a number of one to nine digits, without sign or blanks; nine digits fit in a `u32`.
pub(crate) fn number(text: &str) -> Result<u32, Fault> {
    let fits = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    if fits { Ok(text.parse().expect("nine digits fit")) } else { Err(Fault::new("number", text)) }
}
