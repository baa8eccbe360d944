//! The catalogue of all games, by key such as `gomoku/freestyle`.
//!
//! [`ENTRIES`] is the one place that lists all games. The crates above ask for a key and get an [`AnyGame`]; none of
//! them knows which. Games whose rules are a file of their user are opened by [`maps`]. A program may bring a game of
//! its own: [`Shelf::add`].

pub mod addresses;
pub mod draws;
pub mod maps;
mod ruleset;
mod samples;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::OnceLock;

use kernel::{AnyGame, Problem, any_at as open};
use maps::Rules;
pub use ruleset::Ruleset;

/// A game of the catalogue.
#[derive(Clone, Copy)]
pub struct Entry {
    /// Stable key: the family, and the variant after a `/` where there are several.
    pub key: &'static str,
    /// The family of the game; games of one family share words and paint.
    pub family: &'static str,
    /// The names of the first and the second side: the messages `side-<name>`.
    pub sides: [&'static str; 2],
    /// The options of the game.
    pub options: &'static [OptionSpec],
    /// True where either side may make the first move of a game: the piece that is chosen first decides.
    pub either_begins: bool,
    /// The number of plies in a turn, which one side plays in a row.
    pub turn_plies: u32,
    open: Opener,
}

/// Opens a game with settled options at its usual start, or at a FEN of at most 4096 bytes.
pub type FromOptions = fn(&Options, Option<&str>) -> Result<Box<dyn AnyGame>, Problem>;

/// The ways to open a game.
#[derive(Clone, Copy)]
enum Opener {
    /// Opens the game by its options alone.
    Shelf(FromOptions),
    /// Opens the game with a map, whose rules were loaded with the options.
    Map,
}

/// An option of a game: a whole number; a switch when it runs from 0 to 1.
pub struct OptionSpec {
    /// Stable key: the message `option-<key>`.
    pub key: &'static str,
    /// The smallest value that is allowed.
    pub min: i64,
    /// The largest value that is allowed.
    pub max: i64,
    /// Names of the values from `min` on: the messages `option-<key>-<name>`. Empty: plain numbers.
    pub names: &'static [&'static str],
    /// The default by the official rules of the game.
    pub usual: i64,
    /// The default in online play, where a game should end.
    pub online: i64,
}

/// Every option of a game with its value.
pub type Options = BTreeMap<String, i64>;

/// The settings in which a game is played, which decide the defaults of its options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setting {
    /// Play by the official rules: the referee, a board between two people.
    Faithful,
    /// Play between people who do not see each other.
    Online,
}

/// The longest start position read, in bytes.
const LONGEST_FEN: usize = 4096;

/// One variant of draughts.
const fn variant<R: draughts::Rules>(open: FromOptions) -> Entry {
    Entry {
        key: R::CATALOGUE_KEY,
        family: "draughts",
        sides: match R::BEGINS {
            draughts::Colour::White => ["white", "black"],
            draughts::Colour::Black => ["black", "white"],
        },
        options: draws::options_of(R::CATALOGUE_KEY),
        either_begins: false,
        turn_plies: 1,
        open: Opener::Shelf(open),
    }
}

/// All games, with those variants of draughts.
macro_rules! entries {
    ($($rules:ident)*) => {
        &[
            Entry {
                key: "xiangqi",
                family: "xiangqi",
                sides: ["red", "black"],
                options: &[move_limit(XIANGQI_LIMIT)],
                either_begins: false,
                turn_plies: 1,
                open: Opener::Shelf(|options, fen| xiangqi_start(options, xiangqi::Rules::Asian, fen)),
            },
            Entry {
                key: "xiangqi/free",
                family: "xiangqi",
                sides: ["red", "black"],
                options: &[move_limit(0)],
                either_begins: true,
                turn_plies: 1,
                open: Opener::Shelf(|options, fen| xiangqi_start(options, xiangqi::Rules::Home, fen)),
            },
            Entry {
                key: "gomoku/freestyle",
                family: "gomoku",
                sides: ["black", "white"],
                options: &[size(20), RANKS, OPENING],
                either_begins: false,
                turn_plies: 1,
                open: Opener::Shelf(|options, fen| gomoku_start(options, gomoku::Rule::Freestyle, fen)),
            },
            Entry {
                key: "gomoku/standard",
                family: "gomoku",
                sides: ["black", "white"],
                options: &[size(15), RANKS, OPENING],
                either_begins: false,
                turn_plies: 1,
                open: Opener::Shelf(|options, fen| gomoku_start(options, gomoku::Rule::Standard, fen)),
            },
            Entry {
                key: "gomoku/renju",
                family: "gomoku",
                sides: ["black", "white"],
                options: &[size(15), RANKS, PASSES, DRAW_AT, RENJU_OPENING],
                either_begins: false,
                turn_plies: 1,
                open: Opener::Shelf(|options, fen| gomoku_start(options, gomoku::Rule::Renju, fen)),
            },
            Entry {
                key: "gomoku/caro",
                family: "gomoku",
                sides: ["black", "white"],
                options: &[size(15), RANKS, OPENING],
                either_begins: false,
                turn_plies: 1,
                open: Opener::Shelf(|options, fen| gomoku_start(options, gomoku::Rule::Caro, fen)),
            },
            Entry {
                key: "gomoku/caro-exact",
                family: "gomoku",
                sides: ["black", "white"],
                options: &[size(15), RANKS, OPENING],
                either_begins: false,
                turn_plies: 1,
                open: Opener::Shelf(|options, fen| gomoku_start(options, gomoku::Rule::CaroExact, fen)),
            },
            $(variant::<draughts::$rules>(|options, fen| {
                let game = <draughts::$rules as draughts::Rules>::CATALOGUE_KEY;
                draws::open(game, options, fen, |fen| {
                    draughts::open(<draughts::$rules as draughts::Rules>::KEY, fen)
                })
            }),)*
            Entry {
                key: "locked",
                family: "locked",
                sides: ["black", "white"],
                options: &[
                    OptionSpec { key: "repetition", min: 0, max: 1, names: &[], usual: 0, online: 1 },
                    OptionSpec { key: "turn-limit", min: 0, max: 5000, names: &[], usual: 0, online: 600 },
                ],
                either_begins: false,
                turn_plies: 5,
                open: Opener::Shelf(|options, fen| {
                    let turn_limit = u16::try_from(options["turn-limit"]).ok().filter(|&turns| turns > 0);
                    open(
                        locked::Locked::new(locked::Rules { repetition: options["repetition"] == 1, turn_limit }),
                        fen,
                    )
                }),
            },
            Entry {
                key: maps::KEY,
                family: "jingbanqi",
                sides: ["red", "blue"],
                options: &[
                    OptionSpec { key: maps::OLD_NAMES, min: 0, max: 1, names: &[], usual: 0, online: 0 },
                    seed_option(0),
                    seed_option(1),
                    seed_option(2),
                    seed_option(3),
                ],
                either_begins: false,
                turn_plies: 1,
                open: Opener::Map,
            },
        ]
    };
}

/// Builds one of the options that hold the random seed.
const fn seed_option(at: usize) -> OptionSpec {
    OptionSpec { key: maps::SEEDS[at], min: 0, max: maps::MOST_SEED, names: &[], usual: 0, online: 0 }
}

/// All games, in the order in which people see them.
pub static ENTRIES: Shelf = Shelf { ours: draughts::for_each_variant!(entries), all: OnceLock::new() };

/// The list of our games, and after them those that this program added.
pub struct Shelf {
    ours: &'static [Entry],
    all: OnceLock<Vec<Entry>>,
}

impl Shelf {
    /// Adds games after ours, once in the life of the process: before a hall or a table is opened.
    ///
    /// # Errors
    /// The games, when games were added before or one of the keys is taken.
    pub fn add(&self, games: Vec<Entry>) -> Result<(), Vec<Entry>> {
        let taken = |key: &str| self.ours.iter().any(|entry| entry.key == key);
        if games.iter().any(|entry| taken(entry.key)) {
            return Err(games);
        }
        let all = self.ours.iter().copied().chain(games.iter().copied()).collect();
        self.all.set(all).map_err(|_| games)
    }
}

impl Deref for Shelf {
    type Target = [Entry];

    fn deref(&self) -> &[Entry] {
        self.all.get().map_or(self.ours, Vec::as_slice)
    }
}

/// The limit of moves without a capture by the rules of xiangqi.
const XIANGQI_LIMIT: i64 = xiangqi::position::USUAL_LIMIT as i64;

/// Builds the option for the number of moves of each side without a capture that are a draw; 0: never. Online every
/// game should end.
const fn move_limit(usual: i64) -> OptionSpec {
    OptionSpec { key: "move-limit", min: 0, max: 500, names: &[], usual, online: XIANGQI_LIMIT }
}

fn xiangqi_start(
    options: &Options,
    rules: xiangqi::Rules,
    fen: Option<&str>,
) -> Result<Box<dyn AnyGame>, Problem> {
    let limit = u16::try_from(options["move-limit"]).expect("a settled limit is 0 to 500");
    open(xiangqi::Xiangqi::new(rules).with_limit(limit), fen)
}

const fn size(usual: i64) -> OptionSpec {
    OptionSpec { key: "size", min: 5, max: 26, names: &[], usual, online: usual }
}

/// Ranks of a board that is not square; 0: as many as files.
const RANKS: OptionSpec = OptionSpec { key: "ranks", min: 0, max: 26, usual: 0, online: 0, names: &[] };
/// The option that lets a side pass: the federation allows it, leagues of programs do not.
const PASSES: OptionSpec = OptionSpec { key: "passes", min: 0, max: 1, usual: 0, online: 0, names: &[] };
/// The number of stones at which the game is drawn; 0: only with a full board. Gomocup draws at 200.
const DRAW_AT: OptionSpec = OptionSpec { key: "draw-at", min: 0, max: 676, usual: 0, online: 0, names: &[] };

/// The opening rule of gomoku.
const OPENING: OptionSpec = opening(OPENINGS.split_at(6).0);
/// The opening rule of renju, which has openings of its own, too.
const RENJU_OPENING: OptionSpec = opening(&OPENINGS);

/// The names of the openings by the values of the option; they are never renumbered.
const OPENINGS: [&str; 10] = {
    let mut names = ["none"; 10];
    let mut i = 1;
    while i < names.len() {
        names[i] = gomoku::Opening::ALL[i - 1].key();
        i += 1;
    }
    names
};

const fn opening(names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { key: "opening", min: 0, max: names.len() as i64 - 1, names, usual: 0, online: 0 }
}

fn gomoku_start(
    options: &Options,
    rule: gomoku::Rule,
    fen: Option<&str>,
) -> Result<Box<dyn AnyGame>, Problem> {
    let number = |key: &str| options.get(key).copied().unwrap_or(0);
    let small = |key: &str| u8::try_from(number(key)).expect("settled options fit their range");
    let files = small("size");
    let ranks = if number("ranks") == 0 { files } else { small("ranks") };
    let stones = u16::try_from(number("draw-at")).expect("a settled count is small");
    let start = gomoku::Gomoku::new(rule, files, ranks)?.drawn_at(stones);
    let start = if number("passes") == 1 { start.with_passes() } else { start };
    let chosen = usize::from(small("opening")).checked_sub(1);
    match chosen.and_then(|i| gomoku::Opening::ALL.get(i)) {
        Some(&opening) => open(gomoku::Opened::new(opening, start)?, fen),
        None => open(start, fen),
    }
}

/// Returns the game with that key.
///
/// # Errors
/// `unknown-game`.
pub fn find(key: &str) -> Result<&'static Entry, Problem> {
    ENTRIES.iter().find(|e| e.key == key).ok_or_else(|| Problem::new("unknown-game").with("game", key))
}

/// Returns the game that a person means: a key, in upper or lower case; a family, which means its first game; or a
/// variant without its family, where only one family has it, as in `renju`.
///
/// # Errors
/// `unknown-game`.
pub fn named(name: &str) -> Result<&'static Entry, Problem> {
    let is = |text: &str| text.eq_ignore_ascii_case(name.trim());
    let variant = |entry: &Entry| entry.key.split_once('/').is_some_and(|(_, variant)| is(variant));
    let mut variants = ENTRIES.iter().filter(|entry| variant(entry));
    let only = || variants.next().filter(|_| variants.next().is_none());
    let whole = ENTRIES.iter().find(|entry| is(entry.key));
    let found = whole.or_else(|| ENTRIES.iter().find(|entry| is(entry.family))).or_else(only);
    found.ok_or_else(|| Problem::new("unknown-game").with("game", name))
}

impl Entry {
    /// Builds a game that is opened by its options alone.
    #[must_use]
    pub const fn new(
        key: &'static str,
        family: &'static str,
        sides: [&'static str; 2],
        options: &'static [OptionSpec],
        open: FromOptions,
    ) -> Entry {
        Entry { key, family, sides, options, either_begins: false, turn_plies: 1, open: Opener::Shelf(open) }
    }

    /// Returns the number of the move that the last of `plies` plies belongs to, as players count: two turns, one of
    /// each side, have one number. Offers and choices of an opening count as the turns that they are.
    #[must_use]
    pub const fn moves_in(&self, plies: u32) -> u32 {
        plies.div_ceil(2 * self.turn_plies)
    }

    /// Returns every option with its value: the chosen ones, and the default of `setting` for the others.
    ///
    /// # Errors
    /// `unknown-option`, or `option-out-of-range` with the range.
    pub fn settle(&self, chosen: &Options, setting: Setting) -> Result<Options, Problem> {
        let known = |key: &str| self.options.iter().any(|o| o.key == key);
        if let Some(key) = chosen.keys().find(|key| !known(key)) {
            return Err(Problem::new("unknown-option").with("option", key).with("game", self.key));
        }
        let value = |o: &OptionSpec| {
            let usual = if setting == Setting::Online { o.online } else { o.usual };
            let value = chosen.get(o.key).copied().unwrap_or(usual);
            if (o.min..=o.max).contains(&value) {
                return Ok((o.key.to_owned(), value));
            }
            let problem = Problem::new("option-out-of-range").with("option", o.key).with("value", value);
            Err(problem.with("min", o.min).with("max", o.max))
        };
        let mut all: Options = self.options.iter().map(value).collect::<Result<_, _>>()?;
        draws::settle(&mut all);
        Ok(all)
    }

    /// Returns true if the game needs a map.
    #[must_use]
    pub fn needs_map(&self) -> bool {
        matches!(self.open, Opener::Map)
    }

    /// Returns the map that shows typical games; `None` for games that need no map.
    #[must_use]
    pub fn usual_map(&self) -> Option<&'static Rules> {
        self.needs_map().then(maps::usual)
    }

    /// Returns every option with its value: the stored one, and the default for an option that the game did not have
    /// then, with which it is played as before. A stored value that is no option of the game any more is left out.
    fn filled(&self, stored: &Options) -> Result<Options, Problem> {
        let known = stored.iter().filter(|(key, _)| self.options.iter().any(|option| option.key == *key));
        let known: Options = known.map(|(key, value)| (key.clone(), *value)).collect();
        self.settle(&known, Setting::Faithful)
    }

    /// Opens a game at its usual start, or at `fen`. `options` come from [`settle`](Entry::settle), perhaps long ago;
    /// `map` is for games that need one; it was loaded with these options, except for the seeds.
    ///
    /// # Errors
    /// The fault in the FEN, or with an option, or with options that are fine each alone; `map-needed` and
    /// `map-not-needed`; `hall-busy` where the machine has no time for extensions just now.
    pub fn open(
        &self,
        map: Option<&Rules>,
        options: &Options,
        fen: Option<&str>,
    ) -> Result<Box<dyn AnyGame>, Problem> {
        match (&self.open, map) {
            (Opener::Map, Some(map)) => {
                let chosen = options.contains_key(maps::SEED);
                let game = if chosen { map.seeded(maps::seed(options)).open(fen) } else { map.open(fen) }?;
                game.postponed().map_or(Ok(game), Err)
            }
            (Opener::Map, None) => Err(Problem::new("map-needed")),
            (Opener::Shelf(_), Some(_)) => Err(Problem::new("map-not-needed").with("game", self.key)),
            (Opener::Shelf(open), None) => {
                if let Some(fen) = fen.filter(|f| f.len() > LONGEST_FEN) {
                    let problem = Problem::new("fen-too-long").with("length", fen.len());
                    return Err(problem.with("limit", LONGEST_FEN));
                }
                open(&self.filled(options)?, fen)
            }
        }
    }
}
