//! Games whose rules are files of their users: a map, and its extensions.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use jingbanqi::extension::{Extensions, MOST_EXTENSIONS};
use jingbanqi::{Jingbanqi, Rulebook};
use kernel::{AnyGame, Problem, View};

pub use jingbanqi::extension::{About, Fault, Loader, Plan, Rehearsal, Seen, Source, Timing};
pub use jingbanqi::level2::Sheets2;
pub use jingbanqi::{Draft, DraftKind, Map, Reading, Value};
pub use jingbanqi::{api, limits};

use crate::Options;
pub(crate) use crate::samples::usual;
pub use crate::samples::{EXAMPLES, SAMPLES, Sample, built_in, sample, starter};

/// The key of games that come with a map.
pub const KEY: &str = "jingbanqi";

/// The most bytes a map may have.
pub const MOST_BYTES: usize = jingbanqi::sheet::MOST_BYTES;
/// The most bytes of an extension.
pub const MOST_EXTENSION_BYTES: usize = jingbanqi::extension::MOST_BYTES;

/// The option that makes the old names of places known without an extension.
pub const OLD_NAMES: &str = "old-names";

/// The options with the random seed of extensions: 32 bits each, the lowest first. They are part of the record, so a
/// replay is the same game.
pub const SEEDS: [&str; 4] = ["seed", "seed-2", "seed-3", "seed-4"];
/// The first of them, which is enough for a seed that a person chooses.
pub const SEED: &str = SEEDS[0];
/// The largest value of each of these options: every client can write it.
pub const MOST_SEED: i64 = u32::MAX as i64;

/// Returns the random seed that those options give.
#[must_use]
pub fn seed(options: &Options) -> u128 {
    let word = |key: &str| options.get(key).map_or(0, |&word| u128::from(word as u32));
    SEEDS.iter().rev().fold(0, |seed, key| seed << 32 | word(key))
}

/// Sets the options that hold the random seed.
pub fn set_seed(options: &mut Options, seed: u128) {
    for (at, key) in SEEDS.into_iter().enumerate() {
        options.insert(key.to_owned(), i64::from((seed >> (32 * at)) as u32));
    }
}

/// The files of a game that a user made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Package {
    /// The map, as an .xlsx file.
    pub map: Vec<u8>,
    /// The extensions, in the order in which they are called.
    pub extensions: Vec<Source>,
}

impl Package {
    /// Reads the files at those paths: of each the most bytes that it may have and one more, so that a longer one is
    /// refused as such.
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

/// Returns the paths of extensions beside a map that are meant for it: those with the name of the map, `leap.py`
/// beside `leap.xlsx`, or with names that begin with it. No file is read.
#[must_use]
pub fn beside(map: &Path) -> Vec<std::path::PathBuf> {
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let (Some(folder), Some(called)) = (map.parent(), stem(map)) else { return Vec::new() };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<_> = entries
        .take(1000)
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("py")))
        .filter(|path| stem(path).is_some_and(|stem| stem.starts_with(&called)))
        .collect();
    found.sort();
    found
}

/// Reads the file of a map: the most bytes that a map may have and one more, so that a longer one is refused as such.
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

/// Reads a map and returns all its errors and warnings.
#[must_use]
pub fn check(bytes: &[u8]) -> Reading {
    compared(jingbanqi::read(bytes))
}

/// Adds the error of a map of both levels that does not play alike in both.
fn compared(mut reading: Reading) -> Reading {
    let differs = reading.map.as_ref().and_then(|map| jingbanqi::level2::alike(map).err());
    if let Some(problem) = differs {
        reading.map = None;
        reading.errors.push(problem);
    }
    reading
}

/// Reads a map, loads its extensions, and returns all their errors and warnings.
#[must_use]
pub fn check_package(package: &Package, loader: Option<&dyn Loader>) -> Reading {
    let reading = check(&package.map);
    if reading.map.is_none() || package.extensions.is_empty() {
        return reading;
    }
    match Rules::load(package, &Options::new(), loader) {
        Ok(rules) => Reading { warnings: rules.warnings, ..reading },
        Err(errors) => Reading { map: None, errors, ..reading },
    }
}

/// The look of a map without extensions.
pub struct Preview {
    /// Descriptions of the pieces, sentence by sentence.
    pub details: Vec<Vec<Problem>>,
    /// The view of the start.
    pub view: View,
    /// The board of a map before any move.
    pub board: kernel::Board,
}

/// Returns the look of a map without extensions.
#[must_use]
pub fn preview(map: Map) -> Preview {
    let details = jingbanqi::words::kinds(&map, &[]);
    let start = kernel::any(Jingbanqi::new(Arc::new(Rulebook::new(map, false))));
    Preview { details, view: start.view(), board: start.board() }
}

/// The rules of a package that was read, compiled and loaded: games can begin.
#[derive(Clone, Debug)]
pub struct Rules {
    book: Arc<Rulebook>,
    extensions: Option<Arc<dyn Extensions>>,
    warnings: Vec<Problem>,
}

impl Rules {
    /// Reads, compiles and loads a package. Without extensions no `loader` is needed.
    ///
    /// # Errors
    /// All faults of the map, the options and the extensions.
    pub fn load(
        package: &Package,
        options: &Options,
        loader: Option<&dyn Loader>,
    ) -> Result<Rules, Vec<Problem>> {
        if let Some(key) =
            options.keys().find(|key| key.as_str() != OLD_NAMES && !SEEDS.contains(&key.as_str()))
        {
            return Err(vec![Problem::new("unknown-option").with("option", key).with("game", KEY)]);
        }
        within_limits(&package.extensions)?;
        let Reading { map, errors, warnings: found } = jingbanqi::read(&package.map);
        let map = map.ok_or(errors)?;
        let old_names = options.get(OLD_NAMES).is_some_and(|&on| on == 1);
        let book = Arc::new(Rulebook::new(map, old_names).with_seed(seed(options)));
        let extensions = match (package.extensions.first(), loader) {
            (None, _) => None,
            (Some(_), Some(loader)) => Some(loader.load(&book, &package.extensions)?),
            (Some(first), None) => {
                return Err(vec![Problem::new("map-extensions-not-run").with("text", &first.file)]);
            }
        };
        // What the sheet alone leaves unexplained, an extension may supply.
        let unexplained = |problem: &Problem| problem.key == "map-uses-undefined-rule";
        let mut warnings: Vec<Problem> = found.into_iter().filter(|w| !unexplained(w)).collect();
        let known = known(extensions.as_ref().map_or(&[], |extensions| extensions.about()), old_names);
        warnings.extend(book.map().warnings(&known).into_iter().filter(unexplained));
        if package.extensions.iter().any(decides) {
            warnings.retain(|warning| warning.key != "map-warn-no-captain");
        }
        warnings.extend(extensions.iter().flat_map(|extensions| extensions.warnings()).cloned());
        Ok(Rules { book, extensions, warnings })
    }

    /// Opens a game at its start or at `fen`.
    ///
    /// # Errors
    /// The fault in the FEN.
    pub fn open(&self, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Problem> {
        let start = match &self.extensions {
            Some(extensions) => Jingbanqi::with_extensions(Arc::clone(&self.book), Arc::clone(extensions)),
            None => Jingbanqi::new(Arc::clone(&self.book)),
        };
        kernel::any_at(start, fen)
    }

    /// Returns the same rules for games whose extensions have that random seed. The extensions are not loaded again.
    #[must_use]
    pub fn seeded(&self, seed: u128) -> Rules {
        let mut rules = self.clone();
        if seed != self.book.seed()
            && let Some(extensions) = &self.extensions
        {
            let book = Arc::new(Rulebook::clone(&self.book).with_seed(seed));
            if let Some(extensions) = extensions.by_book(&book) {
                rules.extensions = Some(extensions);
                rules.book = book;
            }
        }
        rules
    }

    /// Returns true if the old names of places are known: the option that a map is loaded with. Its games may differ
    /// in their [`SEEDS`].
    #[must_use]
    pub fn old_names(&self) -> bool {
        self.book.old_names()
    }

    /// Returns the options it was loaded with.
    #[must_use]
    pub fn options(&self) -> Options {
        let mut options = Options::from([(OLD_NAMES.to_owned(), i64::from(self.book.old_names()))]);
        set_seed(&mut options, self.book.seed());
        options
    }

    /// Returns true if its games may have chance.
    #[must_use]
    pub fn has_chance(&self) -> bool {
        self.has_bags() || self.extensions.as_ref().is_some_and(|extensions| extensions.chance())
    }

    /// Returns true if pieces of its games are drawn from bags: chance decides between moves then.
    #[must_use]
    pub fn has_bags(&self) -> bool {
        self.map().level2.as_ref().is_some_and(|level2| !level2.in_bags.is_empty())
    }

    /// Returns true if the author allows takebacks.
    #[must_use]
    pub fn takes_back(&self) -> bool {
        self.book.map().undo
    }

    /// Returns descriptions of the pieces of the table, in its order, sentence by sentence.
    #[must_use]
    pub fn details(&self) -> Vec<Vec<Problem>> {
        jingbanqi::words::kinds(self.map(), &self.known())
    }

    /// Returns names of places that extensions or options explain beside the built-in ones.
    fn known(&self) -> Vec<&str> {
        known(self.extensions(), self.book.old_names())
    }

    /// Returns the map that these rules play.
    #[must_use]
    pub fn map(&self) -> &jingbanqi::Map {
        self.book.map()
    }

    /// Returns the descriptions that the extensions give of themselves, in order.
    #[must_use]
    pub fn extensions(&self) -> &[About] {
        self.extensions.as_ref().map_or(&[], |extensions| extensions.about())
    }

    /// Returns warnings for the author about a map that can be played.
    #[must_use]
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }
}

/// The random games that are played before a map is put on the shelf.
pub const PLAN: Plan = Plan { games: 200, longest: 200, seed: 1 };

impl Rules {
    /// Plays random games from the start and returns their statistics and faults, within some seconds: it finds
    /// faults that reading the files cannot. A map with [`Rehearsal::faults`] is not fit for the shelf; [`refused`]
    /// gives the reasons.
    #[must_use]
    pub fn rehearse(&self, plan: Plan) -> Rehearsal {
        let Some(extensions) = &self.extensions else { return self.play_by_the_map(plan) };
        extensions.rehearse(plan).unwrap_or_else(|fault| {
            let seen = Seen { fault, games: 1, first: (1, 0), trace: Vec::new() };
            Rehearsal { faults: vec![seen], ..Rehearsal::default() }
        })
    }

    fn play_by_the_map(&self, plan: Plan) -> Rehearsal {
        use kernel::Position as _;
        let start = Jingbanqi::new(Arc::clone(&self.book));
        let mut told = Rehearsal::default();
        let mut random = plan.seed | 1;
        let mut moves = Vec::new();
        for _ in 0..plan.games {
            let (mut pos, mut plies) = (start.clone(), 0);
            while plies < plan.longest {
                if let Some(outcome) = pos.outcome() {
                    told.ended += 1;
                    if outcome.reason() == "stuck" {
                        told.stuck[pos.turn().index()] += 1;
                    }
                    break;
                }
                moves.clear();
                pos.moves(&mut moves);
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                pos.play(moves[(random % moves.len() as u64) as usize]);
                plies += 1;
            }
            told.lengths.push(plies);
        }
        told.games = plan.games;
        told
    }
}

/// Returns the reasons why a map is not put on the shelf after such games: its faults, as `map-extension-failed`.
#[must_use]
pub fn refused(told: &Rehearsal) -> Vec<Problem> {
    told.faults.iter().map(|seen| seen.fault.problem()).collect()
}

fn known(extensions: &[About], old_names: bool) -> Vec<&str> {
    let old: &[&str] = if old_names { &jingbanqi::rulebook::OLD_BUILT_IN } else { &[] };
    let supplied = extensions.iter().flat_map(|about| &about.places).map(String::as_str);
    supplied.chain(old.iter().copied()).collect()
}

/// Returns true if an extension may end a game, or make captains: a side without a captain can lose by it.
fn decides(source: &Source) -> bool {
    let text = String::from_utf8_lossy(&source.bytes);
    [".win(", ".stalemate(", ".is_captain"].iter().any(|word| text.contains(word))
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

/// Returns the board and every piece's moves as text, in words of rows and columns.
#[must_use]
pub fn show(map: &jingbanqi::Map) -> String {
    jingbanqi::show::show(map)
}
