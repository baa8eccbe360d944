//! The terminal client: games at this keyboard and in a hall.
//!
//! Three ways to play: on a screen ([`run`]), one line in and one line out ([`plain`]), and the console of the
//! five-in-a-row program that came before this project ([`console`]). [`lines`] is like the second, with pictures of
//! the board, for pipes.
//!
//! Reading order of the screen: `table` (a game here or in a hall, and the data shown of it), `walk` and `cursor`
//! (from touched places to a move), `board` (drawing a board, for any game), `paint` (themes), `keys` (the key
//! table), `identity` and `hall` (the user's identity in a hall, and its lobby), `screen` (the effects of keys),
//! `terminal` (the real terminal). No part of it knows which game is played, or judges a move: the view offers the
//! possible moves.

mod board;
mod clock;
pub mod console;
mod cursor;
mod drawn;
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
pub use table::{Destination, Opening, Visit};
pub use terminal::{Failure, run};

/// Returns the game with that key, or the first game of a family such as `gomoku`.
///
/// # Errors
/// `unknown-game`.
pub fn entry(key: &str) -> Result<&'static Entry, Problem> {
    catalog::named(key)
}

/// Returns the reason of a refusal in words.
#[must_use]
pub fn refusal(language: texts::Language, refusal: &wire::Problem) -> String {
    said::refusal(language, refusal)
}

/// Loads the game of a file in any known format.
///
/// # Errors
/// The problem because of which the file cannot be read.
pub fn load(file: &std::path::Path) -> Result<records::Record, Problem> {
    files::load(file)
}

/// Returns the default folder for saved games, by the environment.
#[must_use]
pub fn folder() -> PathBuf {
    files::folder(|name| std::env::var(name).ok())
}
