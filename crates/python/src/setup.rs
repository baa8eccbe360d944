//! A game of the catalogue with everything chosen about it, opened as often as one likes.

use std::path::PathBuf;
use std::sync::Arc;

use catalog::maps::{self, Loader, Package, Rules};
use catalog::{Entry, Options};
use kernel::{AnyGame, Problem};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::problem::raised;

/// A game, its options, and its map. Clones share the map.
#[derive(Clone)]
pub struct Setup {
    pub entry: &'static Entry,
    pub options: Options,
    map: Option<Arc<Loaded>>,
}

/// A map that was read, and the program that was named to run its extensions.
struct Loaded {
    package: Package,
    rules: Rules,
    program: Option<PathBuf>,
}

impl Setup {
    /// Reads the arguments of `qiguan.Game`.
    pub fn of(
        py: Python<'_>,
        name: &str,
        options: Option<&Bound<'_, PyDict>>,
        map: Option<&Bound<'_, PyAny>>,
        extensions: Option<Vec<PathBuf>>,
        program: Option<PathBuf>,
    ) -> PyResult<Setup> {
        let entry = catalog::named(name).map_err(|p| raised(py, "unknown-game", &p))?;
        let chosen = options.map_or_else(|| Ok(Options::new()), chosen)?;
        let package = match map {
            Some(map) => Some(package(py, map, extensions)?),
            None if entry.needs_map() => return Err(raised(py, "bad-request", &Problem::new("map-needed"))),
            None => None,
        };
        Setup::with(entry, &chosen, package, program).map_err(|(kind, p)| raised(py, kind, &p))
    }

    /// The game with those options, and the map of those files, whose extensions `program` runs.
    pub fn with(
        entry: &'static Entry,
        chosen: &Options,
        package: Option<Package>,
        program: Option<PathBuf>,
    ) -> Result<Setup, (&'static str, Problem)> {
        let settled = entry.settle(chosen, catalog::Setting::Faithful);
        let options = settled.map_err(|p| ("bad-request", p))?;
        let Some(package) = package else { return Ok(Setup { entry, options, map: None }) };
        if !entry.needs_map() {
            return Err(("bad-request", Problem::new("map-not-needed").with("game", entry.key)));
        }
        let loaded = Loaded::new(package, &options, program)?;
        Ok(Setup { entry, options, map: Some(Arc::new(loaded)) })
    }

    /// A game at its usual start, or at a FEN.
    pub fn open(&self, fen: Option<&str>) -> Result<Box<dyn AnyGame>, (&'static str, Problem)> {
        // Options that are fine each alone may not fit together: an opening and the size of a board.
        let kind = if fen.is_some() { "bad-fen" } else { "bad-request" };
        let rules = self.map.as_deref().map(|map| &map.rules);
        self.entry.open(rules, &self.options, fen).map_err(|p| (kind, p))
    }

    /// The files of the map.
    pub fn package(&self) -> Option<&Package> {
        self.map.as_deref().map(|map| &map.package)
    }

    /// The program that runs its extensions, if one was named.
    pub fn program(&self) -> Option<&PathBuf> {
        self.map.as_deref()?.program.as_ref()
    }
}

impl Loaded {
    fn new(
        package: Package,
        options: &Options,
        program: Option<PathBuf>,
    ) -> Result<Loaded, (&'static str, Problem)> {
        let loader = if package.extensions.is_empty() { None } else { program_to_run(program.as_ref()) };
        let loader = loader.map(sandbox::Sandbox::new);
        let rules = Rules::load(&package, options, loader.as_ref().map(|l| l as &dyn Loader));
        let rules = rules.map_err(|problems| {
            let problem = problems.into_iter().next().unwrap_or_else(|| Problem::new("map-needed"));
            let kind = if problem.key.starts_with("map-extension") { "bad-extension" } else { "bad-map" };
            (kind, problem)
        })?;
        Ok(Loaded { package, rules, program })
    }
}

/// The program whose workers run extensions: the one that was named, that of the variable QIGUAN, or `qiguan` on PATH.
fn program_to_run(named: Option<&PathBuf>) -> Option<PathBuf> {
    let variable = || std::env::var_os("QIGUAN").map(PathBuf::from);
    let on_path = || {
        let paths = std::env::var_os("PATH")?;
        std::env::split_paths(&paths).map(|folder| folder.join("qiguan")).find(|file| file.is_file())
    };
    named.cloned().or_else(variable).or_else(on_path)
}

/// Whole numbers by name; `move_limit` is `move-limit`, `True` is 1.
fn chosen(options: &Bound<'_, PyDict>) -> PyResult<Options> {
    let mut chosen = Options::new();
    for (name, value) in options {
        let name: String = name.extract()?;
        let number: i64 = value.extract().map_err(|_| {
            PyTypeError::new_err(format!(
                "option {name:?} must be a whole number of 64 bits, not {}",
                of_type(&value)
            ))
        })?;
        chosen.insert(name.replace('_', "-"), number);
    }
    Ok(chosen)
}

/// Returns the Python name of the type of a value.
pub fn of_type(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string())
}

/// A built-in map by its name, a file by its path, or the bytes of one.
fn package(py: Python<'_>, map: &Bound<'_, PyAny>, extensions: Option<Vec<PathBuf>>) -> PyResult<Package> {
    let refused = |problem: Problem| {
        let kind = if problem.key.starts_with("map-extension") { "bad-extension" } else { "bad-map" };
        raised(py, kind, &problem)
    };
    if let Ok(name) = map.cast::<PyString>() {
        let name = name.to_str()?;
        if let Some(sample) = maps::sample(name) {
            if extensions.is_some() {
                return Err(PyValueError::new_err("a built-in map brings its own extensions"));
            }
            return Ok(sample.package());
        }
    }
    let extensions = extensions.unwrap_or_default();
    if let Ok(bytes) = map.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        let sources = extensions_of(&extensions).map_err(refused)?;
        // One byte more than a map may have is refused as too large.
        let most = bytes.len().min(maps::MOST_BYTES + 1);
        return Ok(Package { map: bytes[..most].to_vec(), extensions: sources });
    }
    let path: PathBuf = map.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "map must be a path, the bytes of a workbook, or the name of a built-in map, not {}",
            of_type(map)
        ))
    })?;
    Package::of_files(&path, &extensions).map_err(refused)
}

/// Extensions without their map.
fn extensions_of(paths: &[PathBuf]) -> Result<Vec<maps::Source>, Problem> {
    paths
        .iter()
        .map(|path| {
            let bytes = maps::file(path).map_err(|p| Problem { key: "map-extension-file", ..p })?;
            let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            Ok(maps::Source { file, bytes })
        })
        .collect()
}
