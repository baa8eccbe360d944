//! What there is to choose about an engine, as UCI and UCCI tell it.

use crate::Fault;
use crate::words::{Sentence, Words, whole, words};

/// The most words a combo may offer: Fairy-Stockfish has some hundred variants.
const MOST_VALUES: usize = 4096;

/// Something to choose about an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// What it is called.
    pub name: String,
    /// What it may be.
    pub kind: Kind,
}

/// What kind of value a setting has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Check(bool),
    /// A whole number between two.
    Spin {
        /// Unless somebody says otherwise.
        usual: i64,
        /// The smallest value that may be set.
        min: i64,
        /// The largest value that may be set.
        max: i64,
    },
    /// One of these words.
    Combo {
        /// Unless somebody says otherwise.
        usual: String,
        /// All of them.
        values: Vec<String>,
    },
    /// Something to press.
    Button,
    /// Any text, with its default.
    Text(String),
}

/// Whether the word `name` stands before a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// `option name Hash type …`
    Uci,
    /// `option Hash type …`
    Ucci,
}

/// What ends a value.
const MARKS: [&str; 5] = ["type", "default", "min", "max", "var"];
/// How a text without signs is written.
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
            "check" => Kind::Check(usual == "true"),
            "spin" => Kind::Spin {
                usual: if usual.is_empty() { 0 } else { whole(&usual)? },
                min: min.unwrap_or(i64::MIN),
                max: max.unwrap_or(i64::MAX),
            },
            "combo" => Kind::Combo { usual, values },
            "button" => Kind::Button,
            "string" => Kind::Text(if usual == NOTHING { String::new() } else { usual }),
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
            Kind::Check(usual) => out.push("check").known("default", Some(usual)),
            Kind::Spin { usual, min, max } => {
                out.push("spin").known("default", Some(usual));
                out.known("min", Some(min).filter(|&&n| n > i64::MIN));
                out.known("max", Some(max).filter(|&&n| n < i64::MAX))
            }
            Kind::Combo { usual, values } => {
                out.push("combo").known("default", Some(usual));
                values.iter().for_each(|value| {
                    out.known("var", Some(value));
                });
                &mut out
            }
            Kind::Button => out.push("button"),
            Kind::Text(usual) => {
                let shown = if usual.trim().is_empty() { NOTHING } else { usual };
                out.push("string").known("default", Some(shown))
            }
        };
        out.done()
    }
}
