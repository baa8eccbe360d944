//! The games that the menu offers: those of the catalogue and the built-in maps.

use catalog::maps::{self, Rules, Sample};
use catalog::{Entry, Options};
use kernel::{AnyGame, Problem};
use texts::Language;

use crate::said;
use crate::screen::Settings;
use crate::table::Opening;

/// A family and its games.
pub(super) struct Family {
    pub key: &'static str,
    pub games: Vec<Game>,
    /// The index of the selected game.
    pub chosen: usize,
}

/// Returns every family, in the order of the catalogue.
pub(super) fn families() -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for entry in catalog::ENTRIES.iter() {
        let games = match entry.needs_map() {
            true => maps::SAMPLES.iter().map(Game::Map).collect(),
            false => vec![Game::Shelf(entry)],
        };
        match families.iter_mut().find(|family| family.key == entry.family) {
            Some(family) => family.games.extend(games),
            None => families.push(Family { key: entry.family, games, chosen: 0 }),
        }
    }
    families
}

/// A game that the menu offers.
#[derive(Clone, Copy)]
pub(super) enum Game {
    /// A game of the catalogue.
    Shelf(&'static Entry),
    /// A built-in map.
    Map(&'static Sample),
}

impl Game {
    /// Returns the start of the game.
    ///
    /// # Errors
    /// Fails when a map has extensions that cannot be run here.
    pub fn opening(self, settings: &Settings) -> Result<Opening, Vec<Problem>> {
        match self {
            Game::Shelf(entry) => Opening::of(entry.key, &Options::new()).map_err(|problem| vec![problem]),
            Game::Map(sample) => Opening::of_sample(sample, settings.loader.as_deref()),
        }
    }

    /// Returns the start position for the preview; for a map without its extensions, which would have to be started
    /// first.
    pub fn preview(self) -> Option<Box<dyn AnyGame>> {
        match self {
            Game::Shelf(entry) => Opening::of(entry.key, &Options::new()).ok()?.open().ok(),
            Game::Map(sample) => {
                let bare = maps::Package { extensions: Vec::new(), ..sample.package() };
                Rules::load(&bare, &Options::new(), None).ok()?.open(None).ok()
            }
        }
    }

    /// Returns the names of the sides.
    pub fn sides(self) -> [&'static str; 2] {
        match self {
            Game::Shelf(entry) => entry.sides,
            Game::Map(_) => catalog::find(maps::KEY).map_or(["first", "second"], |entry| entry.sides),
        }
    }

    pub fn name(self, language: Language) -> String {
        match self {
            Game::Shelf(entry) => texts::game(language, entry.key),
            Game::Map(sample) => sample.name.to_owned(),
        }
    }

    /// Returns the description of the game; empty if there is none.
    pub fn about(self, language: Language) -> String {
        let key = match self {
            Game::Shelf(entry) => entry.key,
            Game::Map(_) => maps::KEY,
        };
        said::known(language, &format!("about-{}", key.replace('/', "-")), "")
    }
}
