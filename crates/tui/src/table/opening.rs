//! The start of a game on this terminal.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use catalog::maps::{self, Loader, Package, Rules, Sample};
use catalog::{Options, Setting};
use kernel::{AnyGame, Problem};
use records::{Files, MapOf, Record};
use wire::ClockSpec;

/// A game to start: its key, options, start position and clock.
#[derive(Clone)]
pub struct Opening {
    /// The key of the game in the catalogue, such as `draughts/russian`.
    pub key: String,
    /// The names of the sides.
    pub sides: [String; 2],
    /// Every option with its value.
    pub options: Options,
    /// The start position, when it is not the usual one.
    pub fen: Option<String>,
    /// The thinking time of each side.
    pub clock: ClockSpec,
    /// The map, in games that come with one.
    pub(super) map: Option<Arc<Made>>,
}

/// A loaded map and its files, which go with a record of the game.
pub(super) struct Made {
    name: String,
    files: Package,
    rules: Rules,
}

impl Opening {
    /// Returns the game with that key, or the first of a family; `chosen` are options that differ from the usual
    /// ones.
    ///
    /// # Errors
    /// `unknown-game`, or what is wrong with an option.
    pub fn of(key: &str, chosen: &Options) -> Result<Opening, Problem> {
        if key == maps::KEY {
            return Err(Problem::new("map-needed"));
        }
        let entry = crate::entry(key)?;
        let mut options = entry.settle(chosen, Setting::Faithful)?;
        catalog::draws::draw(entry.key, &mut options, RandomState::new().hash_one(key));
        Ok(Opening {
            key: entry.key.to_owned(),
            sides: entry.sides.map(str::to_owned),
            options,
            fen: None,
            clock: ClockSpec::None,
            map: None,
        })
    }

    /// Loads the game of a map's file, with its extensions in order; without extensions no `loader` is needed.
    ///
    /// # Errors
    /// All faults of the files.
    pub fn of_map(
        map: &Path,
        extensions: &[PathBuf],
        chosen: &Options,
        loader: Option<&dyn Loader>,
    ) -> Result<Opening, Vec<Problem>> {
        let files = Package::of_files(map, extensions).map_err(|problem| vec![problem])?;
        let name = map.file_stem().unwrap_or(map.as_os_str()).to_string_lossy().into_owned();
        Opening::of_files(name, files, chosen, loader)
    }

    /// Loads the game of a built-in map.
    ///
    /// # Errors
    /// Fails when it has extensions and there is no `loader`.
    pub fn of_sample(sample: &Sample, loader: Option<&dyn Loader>) -> Result<Opening, Vec<Problem>> {
        Opening::of_files(sample.name.to_owned(), sample.package(), &Options::new(), loader)
    }

    fn of_files(
        name: String,
        files: Package,
        chosen: &Options,
        loader: Option<&dyn Loader>,
    ) -> Result<Opening, Vec<Problem>> {
        let entry = catalog::find(maps::KEY).map_err(|problem| vec![problem])?;
        let options = entry.settle(chosen, Setting::Faithful).map_err(|problem| vec![problem])?;
        let rules = Rules::load(&files, &options, loader)?;
        Ok(Opening {
            key: entry.key.to_owned(),
            sides: entry.sides.map(str::to_owned),
            options,
            fen: None,
            clock: ClockSpec::None,
            map: Some(Arc::new(Made { name, files, rules })),
        })
    }

    /// Returns the start of a record; its moves are not played yet.
    ///
    /// # Errors
    /// Fails when its game is not in the catalogue, an option does not belong to that game, or its map is missing or
    /// cannot be played.
    pub fn of_record(record: &Record, loader: Option<&dyn Loader>) -> Result<Opening, Problem> {
        let files = record.map.as_ref().and_then(|map| Some((map.name.clone(), map.files.clone()?)));
        let opening = match files {
            Some((name, Files { map, extensions })) => {
                let made = Opening::of_files(name, Package { map, extensions }, &record.options, loader);
                made.map_err(|problems| problems.into_iter().next().expect("a refusal has a reason"))?
            }
            None => Opening::of(&record.game, &record.options)?,
        };
        Ok(Opening { fen: record.start.clone(), ..opening })
    }

    /// Returns the same game from that position, with that clock.
    #[must_use]
    pub fn from(self, fen: Option<String>, clock: ClockSpec) -> Opening {
        Opening { fen, clock, ..self }
    }

    /// Opens the game at its start.
    ///
    /// # Errors
    /// The problem of the position, or of options that are valid each alone but not together.
    pub fn open(&self) -> Result<Box<dyn AnyGame>, Problem> {
        match &self.map {
            Some(made) => made.rules.open(self.fen.as_deref()),
            None => {
                let fen =
                    self.fen.as_deref().map(|text| records::pasted(&self.key, text)).transpose()?.flatten();
                catalog::find(&self.key)?.open(None, &self.options, fen.as_deref())
            }
        }
    }

    /// Returns the name of the map, in games that come with one.
    pub(crate) fn map_name(&self) -> Option<&str> {
        self.map.as_ref().map(|made| made.name.as_str())
    }

    /// Returns the map's name and its files, in games that come with one.
    #[must_use]
    pub fn files(&self) -> Option<(String, Package)> {
        self.map.as_ref().map(|made| (made.name.clone(), made.files.clone()))
    }

    /// Returns the map in the form of records, with its files.
    pub(crate) fn told_map(&self) -> Option<MapOf> {
        let Made { name, files, .. } = &**self.map.as_ref()?;
        let Package { map, extensions } = files.clone();
        Some(MapOf { id: String::new(), name: name.clone(), files: Some(Files { map, extensions }) })
    }

    /// Returns the options that differ from the usual ones, in the form of records.
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
