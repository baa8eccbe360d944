//! Parsing and writing of lines of words, as several protocols share it: a line is words with blanks between them.
//! Control characters count as blanks, when reading and when writing, so that a word arrives unchanged.

use std::collections::VecDeque;

use crate::Fault;
use crate::fault::within;

/// Returns true if a character separates words.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// The words of a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_blank).filter(|word| !word.is_empty())
}

/// The words of a line that were not read yet.
pub(crate) struct Words<'a>(VecDeque<&'a str>);

impl<'a> Words<'a> {
    /// Cuts a line of at most `most` bytes.
    pub(crate) fn of(line: &'a str, most: usize) -> Result<Self, Fault> {
        Ok(Words(within("line-too-long", line, most).map(words)?.collect()))
    }

    pub(crate) fn next(&mut self) -> Option<&'a str> {
        self.0.pop_front()
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.0.front().copied()
    }

    /// Takes the next word if it is that one.
    pub(crate) fn take(&mut self, word: &str) -> bool {
        let is = self.peek() == Some(word);
        if is {
            self.0.pop_front();
        }
        is
    }

    /// The next word as a value of `name`.
    pub(crate) fn needed(&mut self, name: &'static str) -> Result<&'a str, Fault> {
        self.next().ok_or_else(|| Fault::new("argument-missing", name))
    }

    /// The words up to one of `ends`, which stays, with one blank between them.
    pub(crate) fn until(&mut self, ends: &[&str]) -> String {
        let mut found = Vec::new();
        while let Some(word) = self.peek().filter(|word| !ends.contains(word)) {
            found.push(word);
            self.next();
        }
        found.join(" ")
    }

    /// The rest, one by one.
    pub(crate) fn rest(&mut self) -> Vec<String> {
        self.0.drain(..).map(str::to_owned).collect()
    }

    /// Takes a whole number of at most `u32`; a negative one counts as 0.
    pub(crate) fn small(&mut self, name: &'static str) -> Result<u32, Fault> {
        Ok(u32::try_from(self.large(name)?).unwrap_or(u32::MAX))
    }

    /// Takes a whole number; a negative one counts as 0, since a clock may have run out on the way.
    pub(crate) fn large(&mut self, name: &'static str) -> Result<u64, Fault> {
        Ok(u64::try_from(self.whole(name)?).unwrap_or(0))
    }

    pub(crate) fn whole(&mut self, name: &'static str) -> Result<i64, Fault> {
        whole(self.needed(name)?)
    }
}

/// The largest number that is distinguished from larger ones.
const MOST: i64 = 999_999_999_999_999_999;

/// Parses a whole number with or without a sign; one with more digits than [`MOST`] becomes that: programs send such
/// numbers to mean "without end".
pub(crate) fn whole(text: &str) -> Result<i64, Fault> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Fault::new("number", text));
    }
    let number = digits.parse::<i64>().unwrap_or(MOST).min(MOST);
    Ok(if text.starts_with('-') { -number } else { number })
}

/// A line under construction: words with a blank between them.
pub(crate) struct Sentence(String);

impl Sentence {
    pub(crate) fn new(word: &str) -> Self {
        Sentence(word.to_owned())
    }

    /// Adds text; each run of blanks and line breaks in it becomes one blank. An empty text adds nothing.
    pub(crate) fn push(&mut self, text: &str) -> &mut Self {
        for word in words(text) {
            self.0.push(' ');
            self.0.push_str(word);
        }
        self
    }

    /// Adds a name and its value when there is one.
    pub(crate) fn known(&mut self, name: &str, value: Option<impl ToString>) -> &mut Self {
        if let Some(value) = value {
            self.push(name).push(&value.to_string());
        }
        self
    }

    /// Adds a name and words when there are any.
    pub(crate) fn list(&mut self, name: &str, words: &[String]) -> &mut Self {
        if !words.is_empty() {
            self.push(name);
            words.iter().for_each(|word| {
                self.push(word);
            });
        }
        self
    }

    pub(crate) fn done(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}
