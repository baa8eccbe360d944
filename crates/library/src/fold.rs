//! Normalisation of names for search: without case, accents, and compatibility forms.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Returns the key under which a name is found: compatibility forms decomposed, marks removed, small letters, single
/// spaces.
///
/// ```
/// assert_eq!(library::fold::fold("  Ton  SIJBRÄNDS "), "ton sijbrands");
/// assert_eq!(library::fold::fold("胡荣华"), "胡荣华");
/// ```
#[must_use]
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        let words: Vec<&str> = name.split_ascii_whitespace().collect();
        return words.join(" ").to_ascii_lowercase();
    }
    let plain: String = name.nfkd().filter(|&c| !is_combining_mark(c)).collect();
    let small: String = caseless::default_case_fold_str(&plain).nfc().collect();
    small.split_whitespace().collect::<Vec<_>>().join(" ")
}
