//! The decks that federations draw openings from, as options of a game.
//!
//! [`DRAW`] says which deck, by the order of the names of that option; [`DRAWN`] which opening of it, from 1, 0 until one
//! is drawn; [`LEG`] which game of a pair it is. As is the custom with ballots, both sides play each: two games have one
//! opening, with sides changed, and then another is drawn. What a federation bars is not in the decks.

use std::sync::OnceLock;

use kernel::{AnyGame, Problem};

use crate::{OptionSpec, Options};

/// The option that says which deck is drawn from; 0: none.
pub const DRAW: &str = "draw";
/// The option with the number of the opening that was drawn.
pub const DRAWN: &str = "drawn";
/// The option that says whether it is the first or the second game with this opening.
pub const LEG: &str = "leg";

/// The largest number of openings of a deck.
const MOST: i64 = 4_000;

/// An opening of a deck, or of a file of such.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// The FEN of the position it begins with; `None`: the usual start.
    pub start: Option<String>,
    /// The moves from that position.
    pub moves: Vec<String>,
    /// A description: the number that the federation gives it, and perhaps a name.
    pub name: String,
}

impl Opening {
    /// Reads a line: moves, perhaps behind a FEN in quotes, and behind a `#` what is said about it. `None` for a line
    /// without an opening.
    ///
    /// # Errors
    /// The line itself, if quotes are not closed.
    pub fn read(line: &str) -> Result<Option<Opening>, &str> {
        let (line, name) = line.split_once('#').unwrap_or((line, ""));
        let (line, name) = (line.trim(), name.trim().to_owned());
        if line.is_empty() {
            return Ok(None);
        }
        let (start, rest) = match line.strip_prefix('"') {
            Some(quoted) => {
                let (fen, rest) = quoted.split_once('"').ok_or(line)?;
                (Some(fen.to_owned()), rest)
            }
            None => (None, line),
        };
        let moves = rest.split_whitespace().map(str::to_owned).collect();
        Ok(Some(Opening { start, moves, name }))
    }
}

/// A deck: the file of a federation's openings, which is read when it is first drawn from.
struct Deck {
    text: &'static str,
    openings: OnceLock<Vec<Opening>>,
}

impl Deck {
    const fn of(text: &'static str) -> Deck {
        Deck { text, openings: OnceLock::new() }
    }

    fn openings(&self) -> &[Opening] {
        self.openings.get_or_init(|| {
            let lines = self.text.lines().filter(|line| !line.starts_with("game:"));
            lines.filter_map(|line| Opening::read(line).ok().flatten()).collect()
        })
    }
}

static ENGLISH: [Deck; 2] = [
    Deck::of(include_str!("../../../openings/draughts-english-3-move.txt")),
    Deck::of(include_str!("../../../openings/draughts-english-11-man.txt")),
];
static RUSSIAN: [Deck; 2] = [
    Deck::of(include_str!("../../../openings/draughts-russian-basic.txt")),
    Deck::of(include_str!("../../../openings/draughts-russian.txt")),
];
static BRAZILIAN: [Deck; 1] = [Deck::of(include_str!("../../../openings/draughts-brazilian.txt"))];

/// The decks of a game, in the order of the option's names behind the first, which is none.
fn decks(game: &str) -> &'static [Deck] {
    match game {
        "draughts/english" => &ENGLISH,
        "draughts/russian" => &RUSSIAN,
        "draughts/brazilian" => &BRAZILIAN,
        _ => &[],
    }
}

const fn options(names: &'static [&'static str]) -> [OptionSpec; 3] {
    let most = names.len() as i64 - 1;
    [
        OptionSpec { key: DRAW, min: 0, max: most, names, usual: 0, online: 0 },
        OptionSpec { key: DRAWN, min: 0, max: MOST, names: &[], usual: 0, online: 0 },
        OptionSpec { key: LEG, min: 1, max: 2, names: &[], usual: 1, online: 1 },
    ]
}

/// The options of a game with decks; none of another.
pub(crate) const fn options_of(game: &str) -> &'static [OptionSpec] {
    const ENGLISH: [OptionSpec; 3] = options(&["usual", "three-move", "eleven-man"]);
    const RUSSIAN: [OptionSpec; 3] = options(&["usual", "basic", "tables"]);
    const BRAZILIAN: [OptionSpec; 3] = options(&["usual", "tables"]);
    match game.as_bytes() {
        b"draughts/english" => &ENGLISH,
        b"draughts/russian" => &RUSSIAN,
        b"draughts/brazilian" => &BRAZILIAN,
        _ => &[],
    }
}

/// Leaves out of settled options what says nothing where nothing is drawn.
pub(crate) fn settle(options: &mut Options) {
    if options.get(DRAW) == Some(&0) {
        clear(options);
    }
}

fn deck_of(game: &str, options: &Options) -> Option<&'static Deck> {
    let at = options.get(DRAW).copied().unwrap_or(0).checked_sub(1)?;
    decks(game).get(usize::try_from(at).ok()?)
}

/// The opening that was drawn, once one was.
#[must_use]
pub fn drawn(game: &str, options: &Options) -> Option<&'static Opening> {
    let number = usize::try_from(*options.get(DRAWN)?).ok()?.checked_sub(1)?;
    deck_of(game, options)?.openings().get(number)
}

/// The drawn opening in the words of its federation: number, name, moves. Where it is a position, the number alone.
#[must_use]
pub fn told(game: &str, options: &Options) -> Option<String> {
    let Opening { moves, name, .. } = drawn(game, options)?;
    Some(if moves.is_empty() { name.clone() } else { format!("{name}: {}", moves.join(" ")) })
}

/// Tells whether an opening is wanted, but not drawn yet.
#[must_use]
pub fn is_open(options: &Options) -> bool {
    options.get(DRAW).is_some_and(|&deck| deck > 0) && options.get(DRAWN) == Some(&0)
}

/// Takes back what was drawn, so that another is drawn for the first game of a pair.
pub fn undraw(options: &mut Options) {
    for (key, value) in [(DRAWN, 0), (LEG, 1)] {
        options.entry(key.to_owned()).and_modify(|told| *told = value);
    }
}

/// Leaves the draw out, as for a game that begins at a position of its own.
pub fn clear(options: &mut Options) {
    options.retain(|key, _| ![DRAW, DRAWN, LEG].contains(&key.as_str()));
}

/// Draws an opening where one is wanted and none is drawn yet, each as likely as another; `chance` is a random number of
/// all that 64 bits can say.
pub fn draw(game: &str, options: &mut Options, chance: u64) {
    let Some(deck) = deck_of(game, options).filter(|_| is_open(options)) else { return };
    let count = deck.openings().len() as u128;
    let number = (u128::from(chance) * count) >> 64;
    options.insert(DRAWN.to_owned(), number as i64 + 1);
}

/// The options of the game after this one: the second with this opening, or the first with another.
pub fn draw_next(game: &str, options: &mut Options, chance: u64) {
    let Some(leg) = options.get_mut(LEG) else { return };
    *leg = 3 - *leg;
    if *leg == 1 {
        options.insert(DRAWN.to_owned(), 0);
        draw(game, options, chance);
    }
}

/// A game at its usual start, at `fen`, or at the end of the opening that was drawn.
pub(crate) fn open(
    game: &'static str,
    options: &Options,
    fen: Option<&str>,
    open: impl Fn(Option<&str>) -> Result<Box<dyn AnyGame>, Problem>,
) -> Result<Box<dyn AnyGame>, Problem> {
    if fen.is_some() {
        return open(fen);
    }
    let number = options.get(DRAWN).copied().unwrap_or(0);
    let Some(deck) = deck_of(game, options).filter(|_| number > 0) else { return open(None) };
    let Some(Opening { start, moves, .. }) = drawn(game, options) else {
        let problem = Problem::new("option-out-of-range").with("option", DRAWN).with("value", number);
        return Err(problem.with("min", 0).with("max", deck.openings().len()));
    };
    let mut begun = open(start.as_deref())?;
    for text in moves {
        begun.play(text).map_err(kernel::PlayError::problem)?;
    }
    open(Some(&begun.fen()))
}
