//! How a game at this keyboard begins.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use catalog::maps::{self, Loader, Package, Rules};
use catalog::{Options, Setting};
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
    /// The rules of a game that are a file of its user.
    pub(super) map: Option<Arc<Rules>>,
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

    /// The game of a map's file, with its extensions in order; without extensions no `loader` is needed.
    ///
    /// # Errors
    /// Everything that is wrong with the files.
    pub fn of_map(
        map: &Path,
        extensions: &[PathBuf],
        chosen: &Options,
        loader: Option<&dyn Loader>,
    ) -> Result<Opening, Vec<Problem>> {
        let package = Package::of_files(map, extensions).map_err(|problem| vec![problem])?;
        let rules = Rules::load(&package, chosen, loader)?;
        Ok(Opening {
            key: maps::KEY.to_owned(),
            sides: ["red", "blue"].map(str::to_owned),
            options: chosen.clone(),
            fen: None,
            clock: ClockSpec::None,
            map: Some(Arc::new(rules)),
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

    /// The same from that position, with that clock.
    #[must_use]
    pub fn from(self, fen: Option<String>, clock: ClockSpec) -> Opening {
        Opening { fen, clock, ..self }
    }

    /// The game at its start.
    ///
    /// # Errors
    /// What is wrong with the position, or with options that are fine each alone.
    pub fn open(&self) -> Result<Box<dyn AnyGame>, Problem> {
        let fen = self.fen.as_deref();
        match &self.map {
            Some(rules) => rules.open(fen),
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
