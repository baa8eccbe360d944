//! Openings that were drawn for tables whose game has not begun. A person who opens another table gets the same
//! opening, so that they cannot draw until they like one. Draws are kept in memory, and each node has its own.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use catalog::{Options, draws};

/// The most draws that are remembered; beyond, all are forgotten.
const MOST: usize = 10_000;

/// The key of a draw: the person who drew, the game and the deck.
type Key = (String, String, i64);

/// The last draws of people who open tables.
#[derive(Default)]
pub struct Draws(Mutex<HashMap<Key, Drawn>>);

/// An opening that was drawn.
#[derive(Clone)]
pub(crate) struct Drawn {
    /// The number of the opening in its deck.
    pub(crate) number: i64,
    /// The public id of the table for which it was drawn.
    pub(crate) table: String,
}

impl Draws {
    /// Returns the last draw of a person for that game with those options.
    pub(crate) fn last(&self, person: &str, game: &str, options: &Options) -> Option<Drawn> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&key(person, game, options)).cloned()
    }

    /// Remembers the opening that was drawn for a table.
    pub(crate) fn note(&self, person: &str, game: &str, options: &Options, table: &str) {
        let Some(&number) = options.get(draws::DRAWN) else { return };
        let key = key(person, game, options);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST && !all.contains_key(&key) {
            all.clear();
        }
        all.insert(key, Drawn { number, table: table.to_owned() });
    }
}

fn key(person: &str, game: &str, options: &Options) -> Key {
    (person.to_owned(), game.to_owned(), options.get(draws::DRAW).copied().unwrap_or(0))
}
