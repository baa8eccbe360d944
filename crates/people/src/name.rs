//! The one rule for names of people, and of all that people name: rooms, maps, collections, studies and chapters.
//!
//! A name is kept in Unicode's normal form NFKC, trimmed, with single spaces. It holds letters or digits that can be seen,
//! from one script a word ([UTS 39](https://www.unicode.org/reports/tr39/), "highly restrictive": Latin may stand beside Chinese,
//! Japanese or Korean), and people are not called what the hall's programs and its staff are called. [`fold`] is the key
//! under which two names are the same.
//!
//! Decisions:
//!
//! - Emoji of one code point may stand in a name beside a letter or a digit. Sequences (joiners, variation selectors, flags made
//!   of tags) are refused, as all that cannot be seen is; so are the joiners of Persian and Indic writing, without which names
//!   remain readable.
//! - Scripts are compared a word at a time, so that a room may be called `Анна – Bob`.
//! - Letters are counted as code points of the normal form.

mod reserved;

use std::fmt;

use kernel::Problem;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};
use unicode_script::{Script, ScriptExtension, UnicodeScript};
use unicode_security::GeneralSecurityProfile;
use unicode_security::general_security_profile::IdentifierType;
use unicode_security::mixed_script::AugmentedScriptSet;

/// The longest text that is examined, in bytes.
const MOST_BYTES: usize = 1024;
/// The most marks in a row that stack above or below a letter, as accents do.
const MOST_STACKED: usize = 2;
/// The most marks of any kind in a row: Burmese and Tibetan syllables have four.
const MOST_MARKS: usize = 4;

/// The kinds of names, each with its own limits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NameKind {
    /// A guest: 1 to 24 letters.
    Guest,
    /// A person with an account: 2 to 20 letters.
    Account,
    /// A room: 1 to 40 letters.
    Room,
    /// A map: 1 to 60 letters.
    Map,
    /// A collection of games: 1 to 60 letters.
    Collection,
    /// A study or a chapter of one: 1 to 100 letters.
    Study,
}

impl NameKind {
    /// Returns the fewest and the most letters.
    #[must_use]
    pub const fn letters(self) -> (usize, usize) {
        match self {
            NameKind::Guest => (1, 24),
            NameKind::Account => (2, 20),
            NameKind::Room => (1, 40),
            NameKind::Map | NameKind::Collection => (1, 60),
            NameKind::Study => (1, 100),
        }
    }

    const fn is_person(self) -> bool {
        matches!(self, NameKind::Guest | NameKind::Account)
    }
}

/// A name that may be shown to everybody.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(String);

impl Name {
    /// Validates and normalises a name that a person typed.
    ///
    /// # Errors
    /// `name-empty`; `name-too-short` and `name-too-long`, with the `limit`; `name-letter` for a letter that cannot be seen, with its
    /// `code`, its `place` counted from 1, and `why`: `control`, `private`, `unassigned`, `invisible`, or `technical` (letters of phonetics); `name-marks`, for accents
    /// without a letter or in a stack, with the `place`; `name-no-letter`; `name-scripts`, with the `word`, the `letter` of another
    /// script, its `code` and its `script`; `name-reserved`, with the `name`.
    pub fn read(text: &str, kind: NameKind) -> Result<Name, Problem> {
        let (fewest, most) = kind.letters();
        let too_long = || Problem::new("name-too-long").with("limit", most);
        if text.len() > MOST_BYTES {
            return Err(too_long());
        }
        // Before normalisation, so that the letter and its place are those that were typed; and after, for what came of them.
        check_letters(text)?;
        let tidy = tidy(text);
        check_letters(&tidy)?;
        match tidy.chars().count() {
            0 => return Err(Problem::new("name-empty")),
            count if count < fewest => return Err(Problem::new("name-too-short").with("limit", fewest)),
            count if count > most => return Err(too_long()),
            _ => {}
        }
        check_marks(&tidy)?;
        if !tidy.chars().any(is_letter_or_digit) {
            return Err(Problem::new("name-no-letter"));
        }
        words(&tidy).try_for_each(check_scripts)?;
        if kind.is_person() && reserved::is_reserved(&tidy) {
            return Err(Problem::new("name-reserved").with("name", &tidy));
        }
        Ok(Name(tidy))
    }

    /// Returns the name as it is shown and stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the key under which the name is found: see [`fold`].
    #[must_use]
    pub fn fold(&self) -> String {
        fold(&self.0)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the key under which two names are the same: normal form, case and look-alikes (the skeleton of UTS 39) are
/// ignored, and so is the difference between `l`, `i` and `1`, which many typefaces do not show. The key is not a
/// name and is not for people to read.
///
/// The tables of Unicode grow: a store of keys must compute them again when a version of this program folds
/// differently.
#[must_use]
pub fn fold(name: &str) -> String {
    let mut key = tidy(name);
    // Look-alikes of look-alikes: a few rounds reach what does not change any more.
    for _ in 0..8 {
        let next = fold_once(&key);
        if next == key {
            break;
        }
        key = next;
    }
    key
}

fn fold_once(text: &str) -> String {
    // Capitals of different scripts look alike where their small letters do not: В, Н, Т of Cyrillic and B, H, T.
    let capitals: String = unicode_security::skeleton(&text.to_uppercase()).collect();
    let small = caseless::default_case_fold_str(&capitals);
    let skeleton: String = unicode_security::skeleton(&small).collect();
    let small = caseless::default_case_fold_str(&skeleton);
    tidy(&small).chars().map(|c| if c == 'l' { 'i' } else { c }).collect()
}

/// Returns the text in NFKC, trimmed, with single spaces.
fn tidy(text: &str) -> String {
    // Normalisation makes spaces of other letters, so it goes first; spaces that go do not undo it, for marks behind them are kept apart.
    let normal: String = text.nfkc().collect();
    normal.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_letter_or_digit(c: char) -> bool {
    matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// Cleans text that a person wrote, to one line that may be shown: without control, bidirectional and other invisible
/// letters, with single spaces, and without stacks of marks that reach into the lines above. Empty where nothing is
/// left.
///
/// # Errors
/// `words-too-long`, with the `limit`, where more than `most` letters are left.
pub fn clean(text: &str, most: usize) -> Result<String, Problem> {
    let too_long = || Problem::new("words-too-long").with("limit", most);
    // A letter has at most four bytes, and most of a text is seen.
    if text.len() > most * 8 {
        return Err(too_long());
    }
    let mut clean = String::with_capacity(text.len());
    let mut marks = 0;
    for c in text.nfc().filter(|c| why_hidden(*c).is_none_or(|why| why == "technical")) {
        let c = if c.is_whitespace() { ' ' } else { c };
        marks = if is_mark(c) { marks + 1 } else { 0 };
        if marks > MOST_STACKED || (c == ' ' && (clean.is_empty() || clean.ends_with(' '))) {
            continue;
        }
        clean.push(c);
    }
    let clean = clean.trim_end();
    if clean.chars().count() > most { Err(too_long()) } else { Ok(clean.to_owned()) }
}

/// Cleans text of several lines that a person wrote: each line as with [`clean`], no two empty lines in a row, and
/// none before the first and after the last line of text.
///
/// # Errors
/// `words-too-long`, with the `limit`, where more than `most` letters are left.
pub fn clean_lines(text: &str, most: usize) -> Result<String, Problem> {
    let too_long = || Problem::new("words-too-long").with("limit", most);
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = clean(line, most)?;
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    let all = lines.join("\n");
    let all = all.trim_end();
    if all.chars().count() > most { Err(too_long()) } else { Ok(all.to_owned()) }
}

fn is_mark(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Mark
}

fn code(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

fn check_letters(text: &str) -> Result<(), Problem> {
    let hidden = |(place, c): (usize, char)| Some((place, c, why_hidden(c)?));
    match text.chars().enumerate().find_map(hidden) {
        None => Ok(()),
        Some((place, c, why)) => {
            Err(Problem::new("name-letter").with("code", code(c)).with("place", place + 1).with("why", why))
        }
    }
}

/// Returns the reason why a letter is refused, if it is invisible or of no language.
fn why_hidden(c: char) -> Option<&'static str> {
    if c.is_whitespace() {
        return None;
    }
    match c.general_category() {
        GeneralCategory::Control => Some("control"),
        GeneralCategory::PrivateUse | GeneralCategory::Surrogate => Some("private"),
        GeneralCategory::Format => Some("invisible"),
        _ if is_invisible(c) => Some("invisible"),
        GeneralCategory::Unassigned => Some("unassigned"),
        // Small capitals and their like, which no table of look-alikes knows.
        GeneralCategory::LowercaseLetter
        | GeneralCategory::UppercaseLetter
        | GeneralCategory::OtherLetter
            if c.identifier_type() == Some(IdentifierType::Technical) =>
        {
            Some("technical")
        }
        _ => None,
    }
}

/// Returns true for `Default_Ignorable_Code_Point` of Unicode's `DerivedCoreProperties.txt`, and for letters that are
/// drawn as nothing or as a substitute.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}'
        // Braille without dots, a musical note without a head, fillers, and what stands for something that is not there.
        | '\u{2800}' | '\u{1d159}' | '\u{16fe4}' | '\u{fffc}'..='\u{fffd}')
}

/// Checks that marks belong to a letter, and do not stack up into the lines above.
fn check_marks(text: &str) -> Result<(), Problem> {
    let (mut all, mut stacked) = (0, 0);
    let mut last = ' ';
    for (place, c) in text.chars().enumerate() {
        if is_mark(c) {
            all += 1;
            // Classes 1 to 9 are inside a letter: nukta, virama. 0 stands beside it.
            stacked += usize::from(canonical_combining_class(c) > 9);
            if last == ' ' || last == c || all > MOST_MARKS || stacked > MOST_STACKED {
                return Err(Problem::new("name-marks").with("place", place + 1).with("code", code(c)));
            }
        } else {
            (all, stacked) = (0, 0);
        }
        last = c;
    }
    Ok(())
}

/// Splits a text into words, at spaces, punctuation and symbols.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = |c: char| !is_letter_or_digit(c) && !is_mark(c);
    text.split(parts).filter(|word| !word.is_empty())
}

/// Checks that a word has one script, or Latin beside those of East Asia.
fn check_scripts(word: &str) -> Result<(), Problem> {
    let mut others = AugmentedScriptSet::default();
    let mut has_latin = false;
    for c in word.chars() {
        let scripts = AugmentedScriptSet::for_char(c);
        if scripts.is_all() {
            continue;
        }
        if ScriptExtension::from(c).contains_script(Script::Latin) {
            has_latin = true;
        } else {
            others.intersect_with(scripts);
        }
        let is_eastern = others.hanb || others.jpan || others.kore;
        if others.is_empty() || has_latin && !is_eastern {
            let problem = Problem::new("name-scripts").with("word", word).with("letter", c);
            return Err(problem.with("code", code(c)).with("script", c.script().full_name()));
        }
    }
    Ok(())
}
