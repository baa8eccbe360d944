//! Settings of an engine (`option`) as UCI and UCCI write them.

use crate::Fault;
use crate::words::{Sentence, Words, whole, words};

/// The most words a combo may offer: Fairy-Stockfish has some hundred variants.
const MOST_VALUES: usize = 4096;

/// A setting of an engine that the user can change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The name of the setting.
    pub name: String,
    /// The type of the setting, with its default and the values allowed.
    pub kind: OptionType,
}

/// The type of a setting, with its default and the values allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionType {
    /// `true` or `false`.
    Check(bool),
    /// A whole number in a range.
    Spin {
        /// The default value.
        usual: i64,
        /// The smallest value that may be set.
        min: i64,
        /// The largest value that may be set.
        max: i64,
    },
    /// One of these words.
    Combo {
        /// The default value.
        usual: String,
        /// The words allowed.
        values: Vec<String>,
    },
    /// A button: it starts an action and has no value.
    Button,
    /// Any text, with its default.
    Text(String),
}

/// The form of an option: with or without the word `name` before its name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// `option name Hash type …`
    Uci,
    /// `option Hash type …`
    Ucci,
}

/// The words that end a value.
const MARKS: [&str; 5] = ["type", "default", "min", "max", "var"];
/// The text that stands for an empty string.
const NOTHING: &str = "<empty>";

impl Setting {
    /// Reads what follows `option`; with or without the word `name`.
    pub(crate) fn read(words: &mut Words) -> Result<Setting, Fault> {
        words.take("name");
        let name = words.until(&["type"]);
        if name.is_empty() || !words.take("type") {
            return Err(Fault::new("argument-missing", if name.is_empty() { "name" } else { "type" }));
        }
        let kind = words.needed("type")?;
        let (mut usual, mut min, mut max, mut values) = (String::new(), None, None, Vec::new());
        while let Some(word) = words.next() {
            match word {
                "default" => usual = words.until(&MARKS),
                "min" => min = Some(words.whole("min")?),
                "max" => max = Some(words.whole("max")?),
                "var" if values.len() < MOST_VALUES => values.push(words.until(&MARKS)),
                _ => {}
            }
        }
        let kind = match kind {
            "check" => OptionType::Check(usual == "true"),
            "spin" => OptionType::Spin {
                usual: if usual.is_empty() { 0 } else { whole(&usual)? },
                min: min.unwrap_or(i64::MIN),
                max: max.unwrap_or(i64::MAX),
            },
            "combo" => OptionType::Combo { usual, values },
            "button" => OptionType::Button,
            "string" => OptionType::Text(if usual == NOTHING { String::new() } else { usual }),
            other => return Err(Fault::new("kind", other)),
        };
        Ok(Setting { name, kind })
    }

    pub(crate) fn line(&self, naming: Naming) -> String {
        let mut out = Sentence::new("option");
        // Without the word, a name that begins with it would lose it.
        if naming == Naming::Uci || words(&self.name).next() == Some("name") {
            out.push("name");
        }
        out.push(&self.name).push("type");
        match &self.kind {
            OptionType::Check(usual) => out.push("check").known("default", Some(usual)),
            OptionType::Spin { usual, min, max } => {
                out.push("spin").known("default", Some(usual));
                out.known("min", Some(min).filter(|&&n| n > i64::MIN));
                out.known("max", Some(max).filter(|&&n| n < i64::MAX))
            }
            OptionType::Combo { usual, values } => {
                out.push("combo").known("default", Some(usual));
                values.iter().for_each(|value| {
                    out.known("var", Some(value));
                });
                &mut out
            }
            OptionType::Button => out.push("button"),
            OptionType::Text(usual) => {
                let shown = if usual.trim().is_empty() { NOTHING } else { usual };
                out.push("string").known("default", Some(shown))
            }
        };
        out.done()
    }
}
