//! Weights that were fitted for single maps by `qiguan learn fit --map`, and won a match against the general ones.
//!
//! A line of `data/learned.txt` is the print of a map and its weights. The print follows from the pieces, the rules and the
//! start, so that another version of a map has the general weights until its own are fitted.

use std::sync::{Mutex, PoisonError};

use jingbanqi::Jingbanqi;

use crate::terms::MOST_WEIGHTS;

/// The weights that come with the program.
const OURS: &str = include_str!("../data/learned.txt");
/// The most maps whose weights are kept at run time, and the most weights of one.
const MOST: (usize, usize) = (4_096, MOST_WEIGHTS);
/// The largest weight that is accepted, in sixteenths of a hundredth.
const LARGEST: i32 = 1 << 20;

/// Weights that were added at run time.
static BROUGHT: Mutex<Vec<(u64, Vec<i32>)>> = Mutex::new(Vec::new());

/// Returns the fingerprint of a map: the same files have the same one on every machine.
#[must_use]
pub fn print(pos: &Jingbanqi) -> u64 {
    let book = pos.book();
    let text = format!("{:?} {} {}", book.map(), book.old_names(), pos.extensions().is_some());
    // FNV-1a, 64 bits.
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The weights of a map, if some were fitted.
pub(crate) fn of(pos: &Jingbanqi) -> Option<Vec<i32>> {
    let wanted = print(pos);
    let brought = BROUGHT.lock().unwrap_or_else(PoisonError::into_inner);
    let found = brought.iter().find(|(print, _)| *print == wanted).map(|(_, weights)| weights.clone());
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
        brought.push(found);
    }
    brought.len() - before
}
