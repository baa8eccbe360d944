//! Games whose rules are files of their users: a map, and the extensions that come with it.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use jingbanqi::extension::{About, Extensions, MOST_BYTES as MOST_EXTENSION_BYTES, MOST_EXTENSIONS};
use jingbanqi::{Jingbanqi, Rulebook};
use kernel::{AnyGame, Problem};

pub use jingbanqi::extension::{Loader, Source};
pub use jingbanqi::{Kind, Map, Reading};

use crate::Options;

/// The key of games that come with a map.
pub const KEY: &str = "jingbanqi";

/// The most bytes a map may have.
pub const MOST_BYTES: usize = jingbanqi::sheet::MOST_BYTES;

/// The option that makes the old names of places known without an extension.
const OLD_NAMES: &str = "old-names";

/// A game of its users' making, as files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Package {
    /// The .xlsx file.
    pub map: Vec<u8>,
    /// Its extensions, in the order in which they are asked.
    pub extensions: Vec<Source>,
}

impl Package {
    /// The files of those paths: as many bytes of each as it may have and one more, so that a longer one is refused as
    /// such.
    ///
    /// # Errors
    /// `map-file` or `map-extension-file` with the path and why it cannot be read.
    pub fn of_files(
        map: &Path,
        extensions: impl IntoIterator<Item = impl AsRef<Path>>,
    ) -> Result<Package, Problem> {
        let source = |path: &Path| {
            let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            let unread = |problem| Problem { key: "map-extension-file", ..problem };
            Ok(Source { file, bytes: file_bytes(path, MOST_EXTENSION_BYTES).map_err(unread)? })
        };
        let extensions =
            extensions.into_iter().map(|path| source(path.as_ref())).collect::<Result<_, _>>()?;
        Ok(Package { map: file(map)?, extensions })
    }
}

/// The bytes of a map's file: as many as a map may have and one more, so that a longer one is refused as such.
///
/// # Errors
/// `map-file` with the path and why it cannot be read.
pub fn file(path: &Path) -> Result<Vec<u8>, Problem> {
    file_bytes(path, MOST_BYTES)
}

fn file_bytes(path: &Path, most: usize) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path);
    let read = file.and_then(|file| file.take(most as u64 + 1).read_to_end(&mut bytes));
    read.map_err(|why| Problem::new("map-file").with("place", path.display()).with("text", why))?;
    Ok(bytes)
}

/// Reads a map and says everything that is wrong with it.
#[must_use]
pub fn check(bytes: &[u8]) -> Reading {
    jingbanqi::read(bytes)
}

/// A package that was read, compiled and loaded: games can begin.
#[derive(Clone, Debug)]
pub struct Rules {
    book: Arc<Rulebook>,
    extensions: Option<Arc<dyn Extensions>>,
    warnings: Vec<Problem>,
}

impl Rules {
    /// Reads, compiles and loads. Without extensions no `loader` is needed.
    ///
    /// # Errors
    /// Everything that is wrong with the map, an option or an extension.
    pub fn load(
        package: &Package,
        options: &Options,
        loader: Option<&dyn Loader>,
    ) -> Result<Rules, Vec<Problem>> {
        if let Some(key) = options.keys().find(|key| *key != OLD_NAMES) {
            return Err(vec![Problem::new("unknown-option").with("option", key).with("game", KEY)]);
        }
        within_limits(&package.extensions)?;
        let reading = jingbanqi::read(&package.map);
        let map = reading.map.ok_or(reading.errors)?;
        let old_names = options.get(OLD_NAMES).is_some_and(|&on| on == 1);
        let book = Arc::new(Rulebook::new(map, old_names));
        let extensions = match (package.extensions.first(), loader) {
            (None, _) => None,
            (Some(_), Some(loader)) => Some(loader.load(&book, &package.extensions)?),
            (Some(first), None) => {
                return Err(vec![Problem::new("map-extensions-not-run").with("text", &first.file)]);
            }
        };
        // What the sheet alone leaves unexplained, an extension may supply.
        let supplied: Vec<&str> = extensions
            .iter()
            .flat_map(|e| e.about())
            .flat_map(|about| &about.places)
            .map(String::as_str)
            .collect();
        let unexplained = |problem: &Problem| problem.key == "map-uses-undefined-rule";
        let mut warnings: Vec<Problem> = reading.warnings.into_iter().filter(|w| !unexplained(w)).collect();
        let old: &[&str] = if old_names { &jingbanqi::rulebook::OLD_BUILT_IN } else { &[] };
        let known: Vec<&str> = supplied.iter().chain(old).copied().collect();
        warnings.extend(book.map().warnings(&known).into_iter().filter(unexplained));
        Ok(Rules { book, extensions, warnings })
    }

    /// A game at its start or at `fen`.
    ///
    /// # Errors
    /// What is wrong with the FEN.
    pub fn open(&self, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Problem> {
        let start = match &self.extensions {
            Some(extensions) => Jingbanqi::with_extensions(Arc::clone(&self.book), Arc::clone(extensions)),
            None => Jingbanqi::new(Arc::clone(&self.book)),
        };
        kernel::any_at(start, fen)
    }

    /// The map.
    #[must_use]
    pub fn map(&self) -> &jingbanqi::Map {
        self.book.map()
    }

    /// What the extensions tell of themselves, in order.
    #[must_use]
    pub fn extensions(&self) -> &[About] {
        self.extensions.as_ref().map_or(&[], |extensions| extensions.about())
    }

    /// What an author should know although the map can be played.
    #[must_use]
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }
}

fn within_limits(sources: &[Source]) -> Result<(), Vec<Problem>> {
    if sources.len() > MOST_EXTENSIONS {
        let problem = Problem::new("map-too-many-extensions").with("text", sources.len());
        return Err(vec![problem.with("most", MOST_EXTENSIONS)]);
    }
    let large = sources.iter().filter(|source| source.bytes.len() > MOST_EXTENSION_BYTES);
    let problems: Vec<Problem> = large
        .map(|source| {
            let problem = Problem::new("map-extension-too-large").with("place", &source.file);
            problem.with("text", source.bytes.len()).with("most", MOST_EXTENSION_BYTES)
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
