//! Weights that were fitted for single maps by `qiguan learn fit --map`, and won a match against the general ones.
//!
//! A line of `data/learned.txt` is the print of a map and its weights. The print follows from the pieces, the rules and the
//! start, so that another version of a map has the general weights until its own are fitted.

use std::sync::{Mutex, PoisonError};

use jingbanqi::Jingbanqi;
use kernel::{AnyGame, Game};
use sha2::{Digest, Sha256};

use crate::terms::MOST_WEIGHTS;

/// The weights that come with the program.
pub(super) const OURS: &str = include_str!("../data/learned.txt");
/// The most maps whose weights are kept at run time, and the most weights of one.
const MOST: (usize, usize) = (4_096, MOST_WEIGHTS);
/// The largest weight that is accepted, in sixteenths of a hundredth.
const LARGEST: i32 = 1 << 20;

/// Weights that were added at run time.
static BROUGHT: Mutex<Vec<Brought>> = Mutex::new(Vec::new());

/// The weights of a map that were added at run time.
struct Brought {
    print: u64,
    weights: Vec<i32>,
    /// The hash of their [`line`].
    hash: String,
}

impl Brought {
    fn new((print, weights): (u64, Vec<i32>)) -> Brought {
        let hash = Sha256::digest(line(print, &weights)).iter().map(|byte| format!("{byte:02x}")).collect();
        Brought { print, weights, hash }
    }
}

/// Returns the fingerprint of a map: the same files have the same one on every machine.
#[must_use]
pub fn print(pos: &Jingbanqi) -> u64 {
    let book = pos.book();
    // Names as they were when the first weights were fitted: a map of level 1 keeps its print, and the weights that people have.
    let map = format!("{:?}", book.map()).replace(", level2: None", "").replace("PieceKind {", "Kind {");
    let text = format!("{map} {} {}", book.old_names(), pos.extensions().is_some());
    // FNV-1a, 64 bits.
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The weights of a map, if some were fitted.
pub(crate) fn of(pos: &Jingbanqi) -> Option<Vec<i32>> {
    let wanted = print(pos);
    let brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    let found = brought.iter().find(|one| one.print == wanted).map(|one| one.weights.clone());
    found.or_else(|| OURS.lines().filter_map(read).find(|(print, _)| *print == wanted).map(|found| found.1))
}

/// Reads a line: the print in hexadecimal, then the weights. `None` when it is not one.
#[must_use]
pub fn read(line: &str) -> Option<(u64, Vec<i32>)> {
    let mut words = line.split_ascii_whitespace();
    let print = u64::from_str_radix(words.next()?, 16).ok()?;
    let weights: Vec<i32> = words
        .take(MOST.1 + 1)
        .map(|word| word.parse().ok().filter(|weight: &i32| weight.abs() <= LARGEST))
        .collect::<Option<_>>()?;
    (!weights.is_empty() && weights.len() <= MOST.1).then_some((print, weights))
}

/// The line that [`read`] reads.
#[must_use]
pub fn line(print: u64, weights: &[i32]) -> String {
    let weights: Vec<String> = weights.iter().map(|weight| weight.to_string()).collect();
    format!("{print:016x} {}", weights.join(" "))
}

/// Adds weights for the maps that are opened from now on and returns their number; lines of another form are skipped.
pub fn bring(text: &str) -> usize {
    let mut brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    let before = brought.len();
    for found in text.lines().filter_map(read) {
        if brought.len() == MOST.0 {
            break;
        }
        brought.push(Brought::new(found));
    }
    brought.len() - before
}

pub(crate) fn position(game: &dyn AnyGame) -> Option<&Jingbanqi> {
    game.as_any().downcast_ref::<Game<Jingbanqi>>().map(Game::position)
}

/// The hash of the weights that were brought for the map of a game.
pub(crate) fn brought_hash(game: &dyn AnyGame) -> Option<String> {
    let pos = position(game)?;
    if BROUGHT.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
        return None;
    }
    let wanted = print(pos);
    let brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    brought.iter().find(|one| one.print == wanted).map(|one| one.hash.clone())
}

/// The line with that hash among those that were brought.
pub(crate) fn brought_line(hash: &str) -> Option<String> {
    let brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    brought.iter().find(|one| one.hash == hash).map(|one| line(one.print, &one.weights))
}

/// Takes a line as the only weights of the map of a game, or none. What is no line for that map changes nothing, nor does
/// one beyond the most maps.
pub(crate) fn bring_for(game: &dyn AnyGame, text: Option<&str>) {
    let Some(pos) = position(game) else { return };
    let wanted = print(pos);
    let found = match text {
        Some(text) => match read(text).filter(|(print, _)| *print == wanted) {
            Some(found) => Some(found),
            None => return,
        },
        None => None,
    };
    let mut brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    brought.retain(|one| one.print != wanted);
    if let Some(found) = found.filter(|_| brought.len() < MOST.0) {
        brought.push(Brought::new(found));
    }
    drop(brought);
    // Found out again by the new weights.
    crate::map::forget_map_of(pos);
}
