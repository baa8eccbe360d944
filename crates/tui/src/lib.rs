//! The hall in a terminal.
//!
//! Three ways to play: on a screen ([`run`]), one line in and one line out ([`plain`]), and the console of the
//! five-in-a-row program that came before this project ([`console`]). [`lines`] is the second with pictures of the
//! board, for pipes.
//!
//! Reading order of the screen: `table` (a game here or in a hall, and what is shown of it), `walk` and `cursor` (from
//! touched places to a move), `board` (a board drawn, for any game), `paint` (themes), `keys` (the key table), `identity`
//! and `hall` (who one is in a hall, and its lobby), `screen` (what a key does), `terminal` (the real one). Nothing in it
//! knows which game is played, or judges a move: the view offers what may be done.

mod board;
mod clock;
pub mod console;
mod cursor;
mod files;
mod hall;
mod identity;
mod input;
mod keys;
pub mod lines;
pub mod opponent;
mod paint;
mod picture;
pub mod plain;
pub mod puzzles;
mod said;
mod screen;
mod table;
mod terminal;
mod walk;

use std::path::PathBuf;

use catalog::Entry;
use kernel::Problem;

pub use clock::parse as clock;
pub use paint::{Depth, Paint, Theme};
pub use screen::{Author, Settings, Start, address};
pub use table::{Opening, Visit, Wanted};
pub use terminal::{Failure, run};

/// The game of a key, or the first of a family where only that is named, as in `gomoku`.
///
/// # Errors
/// `unknown-game`.
pub fn entry(key: &str) -> Result<&'static Entry, Problem> {
    catalog::named(key)
}

/// Why something was not done, in words.
#[must_use]
pub fn refusal(language: texts::Language, refusal: &wire::Problem) -> String {
    said::refusal(language, refusal)
}

/// The game of a file, in whatever format it is.
///
/// # Errors
/// Why it cannot be read.
pub fn load(file: &std::path::Path) -> Result<records::Record, Problem> {
    files::load(file)
}

/// Where games are saved that nobody named, by the environment.
#[must_use]
pub fn folder() -> PathBuf {
    files::folder(|name| std::env::var(name).ok())
}
