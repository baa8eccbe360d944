//! How a game at this keyboard begins.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use catalog::{Options, Setting, maps};
use kernel::{AnyGame, Problem};
use records::Record;
use wire::ClockSpec;

/// Which game, with what options, from where, and how long one may think.
#[derive(Clone)]
pub struct Opening {
    /// Catalogue key.
    pub key: String,
    /// What the sides are called.
    pub sides: [String; 2],
    /// Every option with its value.
    pub options: Options,
    /// The start position, when it is not the usual one.
    pub fen: Option<String>,
    /// The clock.
    pub clock: ClockSpec,
    /// The map of a game whose rules are a file.
    pub(crate) map: Option<Arc<Vec<u8>>>,
}

impl Opening {
    /// The game of that key, or the first of a family; `chosen` are options that differ from the usual ones.
    ///
    /// # Errors
    /// `unknown-game`, or what is wrong with an option.
    pub fn of(key: &str, chosen: &Options) -> Result<Opening, Problem> {
        if key == maps::KEY {
            return Err(Problem::new("map-needed"));
        }
        let entry = crate::entry(key)?;
        Ok(Opening {
            key: entry.key.to_owned(),
            sides: entry.sides.map(str::to_owned),
            options: entry.settle(chosen, Setting::Faithful)?,
            fen: None,
            clock: ClockSpec::None,
            map: None,
        })
    }

    /// The game of a map's file.
    ///
    /// # Errors
    /// Everything that is wrong with the file.
    pub fn of_map(path: &Path, chosen: &Options) -> Result<Opening, Vec<Problem>> {
        let bytes = maps::file(path).map_err(|problem| vec![problem])?;
        maps::open(&bytes, chosen, None)?;
        Ok(Opening {
            key: maps::KEY.to_owned(),
            sides: ["red", "blue"].map(str::to_owned),
            options: chosen.clone(),
            fen: None,
            clock: ClockSpec::None,
            map: Some(Arc::new(bytes)),
        })
    }

    /// The start of a record, whose moves are not played yet.
    ///
    /// # Errors
    /// When its game is not on the shelf, or its options are none of that game.
    pub fn of_record(record: &Record) -> Result<Opening, Problem> {
        let opening = Opening::of(&record.game, &record.options)?;
        Ok(Opening { fen: record.start.clone(), ..opening })
    }

    /// The game at its start.
    ///
    /// # Errors
    /// What is wrong with the position, or with options that are fine each alone.
    pub fn open(&self) -> Result<Box<dyn AnyGame>, Problem> {
        let fen = self.fen.as_deref();
        match &self.map {
            Some(bytes) => {
                let first = |mut problems: Vec<Problem>| problems.swap_remove(0);
                maps::open(bytes, &self.options, fen).map_err(first)
            }
            None => catalog::find(&self.key)?.open(&self.options, fen),
        }
    }

    /// The options that differ from the usual ones, as records keep them.
    pub(crate) fn told_options(&self) -> BTreeMap<String, i64> {
        let Ok(entry) = catalog::find(&self.key) else { return self.options.clone() };
        let usual = |key: &str| entry.options.iter().find(|o| o.key == key).map(|o| o.usual);
        self.options
            .iter()
            .filter(|(key, value)| usual(key) != Some(**value))
            .map(|(k, v)| (k.clone(), *v))
            .collect()
    }
}
