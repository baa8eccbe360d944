//! The search that plays a map: the one that won a match against the other when the map was put up.
//!
//! A line of `data/searches.txt`, or of a file of weights, is the word `search`, the print of a map with its
//! extensions, the half points of the search by playouts, and the games. Until a match was played, a map is searched by
//! alpha-beta.

use std::sync::{Mutex, PoisonError};

use engine_core::Method;
use jingbanqi::Jingbanqi;
use kernel::AnyGame;

use crate::learned;

/// The choices that come with the program.
pub(crate) const OURS: &str = include_str!("../data/searches.txt");
/// The most choices that are kept at run time; the oldest goes first.
const MOST: usize = 4_096;

/// Choices that were added at run time.
static BROUGHT: Mutex<Vec<Chosen>> = Mutex::new(Vec::new());

/// The result of the match between the two searches on a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// The [`print`](fn@print) of the map.
    pub print: u64,
    /// The half points of the search by playouts: two for a game that it won, one for a draw.
    pub half_points: u32,
    /// The number of games.
    pub games: u32,
}

/// The word that begins a line.
const WORD: &str = "search";
/// The fewest games by which playouts can win the match.
const FEWEST: u32 = 4;

impl Chosen {
    /// The search that plays the map: playouts if they made more than eleven points of twenty, in four games or more.
    #[must_use]
    pub fn method(&self) -> Method {
        let wins = self.games >= FEWEST && self.half_points * 10 > self.games * 11;
        if wins { Method::Playouts } else { Method::AlphaBeta }
    }

    /// The line that [`read`] reads.
    #[must_use]
    pub fn line(&self) -> String {
        format!("{WORD} {:016x} {} {}", self.print, self.half_points, self.games)
    }
}

/// Returns the fingerprint of a map with its extensions: the same files have the same one on every machine.
#[must_use]
pub fn print(pos: &Jingbanqi) -> u64 {
    let files = pos.extensions().map_or(0, |extensions| extensions.print());
    (learned::print(pos) ^ files).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Reads a line; `None` when it is not one.
#[must_use]
pub fn read(line: &str) -> Option<Chosen> {
    let mut words = line.split_ascii_whitespace();
    words.next().filter(|word| *word == WORD)?;
    let print = u64::from_str_radix(words.next()?, 16).ok()?;
    let half_points = words.next()?.parse().ok()?;
    let games = words.next()?.parse().ok().filter(|&games| games <= 1_000 && half_points <= 2 * games)?;
    words.next().is_none().then_some(Chosen { print, half_points, games })
}

/// The choice for a map; `None` until a match was played.
pub(crate) fn of(pos: &Jingbanqi) -> Option<Chosen> {
    let wanted = print(pos);
    let brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    let found = brought.iter().rev().find(|one| one.print == wanted).copied();
    found.or_else(|| OURS.lines().filter_map(read).find(|one| one.print == wanted))
}

/// The choice for the map of a game; `None` for another game, and until a match was played.
#[must_use]
pub fn of_game(game: &dyn AnyGame) -> Option<Chosen> {
    learned::position(game).and_then(of)
}

/// Returns the [`print`](fn@print) of the map of a game; 0 for another game.
#[must_use]
pub fn print_of(game: &dyn AnyGame) -> u64 {
    learned::position(game).map_or(0, print)
}

/// Takes the choices of a text and returns their number; lines of another form are skipped.
pub fn bring_lines(text: &str) -> usize {
    let found: Vec<Chosen> = text.lines().filter_map(read).take(MOST).collect();
    found.iter().copied().for_each(bring);
    found.len()
}

/// Takes a choice for the games on that map from now on.
pub fn bring(chosen: Chosen) {
    let mut brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    brought.retain(|one| one.print != chosen.print);
    if brought.len() == MOST {
        brought.remove(0);
    }
    brought.push(chosen);
    drop(brought);
    crate::map::forget(|known| known.print == chosen.print);
}
