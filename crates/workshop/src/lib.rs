//! Analysis of games that users make: reports about a map before and after other people play it.
//!
//! A report begins with games of our engine against itself at several strengths ([`selfplay`]), each a function of the map,
//! the plan, its level and its number, so that games can be kept, and a report that was interrupted goes on. What the games
//! tell is worked out afterwards ([`report`](mod@report)): shares with intervals ([`stats`]), measures of length, choice and
//! lead (`measure`), the worth of pieces (`worth`), rules that never mattered (`idle`), positions that decided (`moments`),
//! and openings that win by force ([`forced`]). [`plot`] draws it, [`html`] makes one page of it.
//!
//! Beside reports: [`cases`] (positions with what is expected), [`diff`] (two versions of a map) and [`picture`] (a board for
//! lists). Nothing here reads or writes a file.

pub mod cases;
pub mod diff;
pub mod forced;
pub mod html;
mod idle;
mod measure;
mod moments;
pub mod picture;
pub mod plot;
pub mod report;
pub mod selfplay;
pub mod stats;
mod trace;
mod worth;

pub use report::{Depth, report};
pub use selfplay::{Plan, Played, play};

/// A function that translates a message of `texts` into the reader's language: its key and its facts go in.
pub type Say<'a> = dyn Fn(&str, &[(&str, &str)]) -> String + 'a;
