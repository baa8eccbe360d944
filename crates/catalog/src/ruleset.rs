//! A game with its key and options settled, ready to be opened.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::{AnyGame, Problem, Side};

use crate::maps::{self, Loader, Package, Rules};
use crate::{Options, Setting};

/// A game with its options settled, or a game on a user's map. Clones share it.
#[derive(Clone)]
pub struct Ruleset {
    /// The key in the catalogue.
    pub key: String,
    /// Every option with its value.
    pub options: Options,
    /// The file of the map, for games that have one.
    pub map: Option<String>,
    open: Opener,
}

type Opener = Arc<dyn Fn(Option<&str>) -> Result<Box<dyn AnyGame>, Problem> + Send + Sync>;

impl Ruleset {
    /// Returns a game of the catalogue with these options, and the defaults for the others.
    ///
    /// # Errors
    /// An unknown game or option.
    pub fn new(key: &str, chosen: &Options) -> Result<Ruleset, Problem> {
        let entry = crate::find(key)?;
        let options = entry.settle(chosen, Setting::Faithful)?;
        let settled = options.clone();
        let open = Arc::new(move |fen: Option<&str>| entry.open(None, &settled, fen));
        Ok(Ruleset { key: key.to_owned(), options, map: None, open })
    }

    /// Returns the game on the map of that file, without extensions.
    ///
    /// # Errors
    /// The first fault in the file.
    pub fn of_map(file: &Path, chosen: &Options) -> Result<Ruleset, Problem> {
        Ruleset::of_files(file, &[], chosen, None)
    }

    /// Returns the game on the map of that file with those extensions, which `loader` runs.
    ///
    /// # Errors
    /// The first fault in a file.
    pub fn of_files(
        file: &Path,
        extensions: &[PathBuf],
        chosen: &Options,
        loader: Option<&dyn Loader>,
    ) -> Result<Ruleset, Problem> {
        let package = Package::of_files(file, extensions)?;
        let rules = Rules::load(&package, chosen, loader).map_err(|mut problems| problems.swap_remove(0))?;
        let open = Arc::new(move |fen: Option<&str>| rules.open(fen));
        let names = std::iter::once(file).chain(extensions.iter().map(PathBuf::as_path));
        let map = Some(names.map(|name| name.display().to_string()).collect::<Vec<_>>().join(" + "));
        Ok(Ruleset { key: maps::KEY.to_owned(), options: chosen.clone(), map, open })
    }

    /// Opens the game at its usual start, or at a FEN.
    ///
    /// # Errors
    /// The fault in the FEN.
    pub fn open(&self, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Problem> {
        (self.open)(fen)
    }

    /// Opens the game and plays moves.
    ///
    /// # Errors
    /// The fault in the FEN, or the reason why a move may not be played.
    pub fn play(&self, fen: Option<&str>, moves: &[String]) -> Result<Box<dyn AnyGame>, Problem> {
        let mut game = self.open(fen)?;
        for text in moves {
            game.play(text).map_err(kernel::PlayError::problem)?;
        }
        Ok(game)
    }

    /// Returns the same game without draws by the rules or by repetition: only its positions end it.
    #[must_use]
    pub fn past_draws(&self) -> Ruleset {
        let open = Arc::clone(&self.open);
        let open = move |fen: Option<&str>| {
            let mut game = open(fen)?;
            game.play_past_draws(true);
            Ok(game)
        };
        Ruleset { open: Arc::new(open), ..self.clone() }
    }

    /// Returns the family, the part of the key that games of one kind share.
    #[must_use]
    pub fn family(&self) -> &str {
        self.key.split('/').next().unwrap_or_default()
    }

    /// Returns the name of a side: `red`, `white`, `black`.
    #[must_use]
    pub fn colour(&self, side: Side) -> &'static str {
        crate::find(&self.key).map_or(["first", "second"], |entry| entry.sides)[side.index()]
    }
}
