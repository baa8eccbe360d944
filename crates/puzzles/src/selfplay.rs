//! Games of our engine against itself, weak enough that one side errs and strong enough that the other sees it.

use std::collections::BTreeMap;

use engine::{Limits, Stop, TranspositionTable, native};
use kernel::{AnyGame, PlayError, Problem};

use crate::find::Played;
use crate::puzzle::{Opener, Puzzle};

/// The most turns of a game, after which it is cut off.
const MOST_TURNS: usize = 160;
/// The number of turns of the weakest level that begin a game, so that no two are the same.
const BEGIN: usize = 6;

/// The rules of the games, as a puzzle names them.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The key of the game in the catalogue.
    pub game: String,
    /// Options that differ from the usual ones.
    pub options: BTreeMap<String, i64>,
    /// A built-in map, for games that have one.
    pub map: Option<String>,
}

/// Opens a game of those rules at its start.
///
/// # Errors
/// An unknown game, option or map; a map that cannot be opened without its extensions.
pub fn start(rules: &Rules, open: &Opener) -> Result<Box<dyn AnyGame>, Problem> {
    let shell = Puzzle {
        id: String::new(),
        game: rules.game.clone(),
        options: rules.options.clone(),
        map: rules.map.clone(),
        fen: String::new(),
        last: Vec::new(),
        goal: crate::Goal::Win,
        line: Vec::new(),
        themes: Vec::new(),
        rating: 0,
        nodes: 0,
        proved: 0,
        source: String::new(),
        set: None,
    };
    open(&shell, None)
}

/// Plays game `number` of that seed: the same numbers give the same moves on every machine. `None` when it was
/// stopped.
///
/// # Errors
/// An unknown game or map.
pub fn game(
    rules: &Rules,
    seed: u64,
    number: u64,
    open: &Opener,
    stop: &Stop,
) -> Result<Option<Played>, Problem> {
    let mut game = start(rules, open)?;
    // Levels have a table of their own; this one stays empty.
    let memory = TranspositionTable::mebibytes(1);
    let chance = mixed(seed ^ mixed(number));
    let strengths = [part(chance, 0), part(chance, 1)].map(|part| 1.5 + part * 3.0);
    let mut turns = 0;
    while game.outcome().is_none() && turns < MOST_TURNS && !stop.is_raised() {
        let mover = game.turn();
        let scale = if turns < BEGIN { 0.5 } else { strengths[mover.index()] };
        let limits = Limits { scale: Some(scale), seed: chance, stop: stop.clone(), ..Limits::default() };
        for text in native::turn(game.as_ref(), &memory, &limits, &mut |_| {})? {
            game.play(&text).map_err(PlayError::problem)?;
        }
        turns += usize::from(game.turn() != mover);
    }
    let source = format!("selfplay {seed}/{number}");
    Ok((!stop.is_raised()).then(|| Played {
        game: rules.game.clone(),
        options: rules.options.clone(),
        map: rules.map.clone(),
        fen: None,
        moves: game.record(),
        source,
    }))
}

/// Computes the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
#[must_use]
pub const fn mixed(n: u64) -> u64 {
    let z = n.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Returns a number from 0 to 1, in steps of 1/65536, from one of the four parts of `chance`.
fn part(chance: u64, which: u32) -> f32 {
    f32::from((chance >> (16 * which)) as u16) / 65_536.0
}
