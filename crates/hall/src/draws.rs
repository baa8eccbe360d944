//! Openings that were drawn for tables whose game has not begun. A person who opens another table gets the same
//! opening, so that they cannot draw until they like one. Draws are kept in memory, and each node has its own.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use catalog::{Options, draws};
use edge::network::Payer;

use crate::hall::Hall;

/// The most draws that are remembered; beyond, all are forgotten.
const MOST: usize = 10_000;

/// The key of a draw: the person who drew, the game and the deck.
type Key = (String, String, i64);

/// The last draws of people who open tables.
#[derive(Default)]
pub struct Draws(Mutex<HashMap<Key, Drawn>>);

#[derive(Clone)]
struct Drawn {
    number: i64,
    table: String,
}

impl Draws {
    fn last(&self, key: &Key) -> Option<Drawn> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn note(&self, key: Key, drawn: Drawn) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST && !all.contains_key(&key) {
            all.clear();
        }
        all.insert(key, drawn);
    }
}

fn key(person: &str, game: &str, options: &Options) -> Key {
    (person.to_owned(), game.to_owned(), options.get(draws::DRAW).copied().unwrap_or(0))
}

impl Hall {
    /// Draws an opening where one is wanted: the previous one again, while the game at its table has not begun.
    pub(crate) async fn draw(&self, person: &str, game: &str, options: &mut Options, payer: Payer<'_>) {
        if !draws::is_open(options) {
            return;
        }
        if let Some(Drawn { number, table }) = self.draws.last(&key(person, game, options))
            && !matches!(self.look(&table, payer, |state: &table::State| state.started()).await, Ok(true))
        {
            options.insert(draws::DRAWN.to_owned(), number);
            return;
        }
        draws::draw(game, options, rand::random());
    }

    /// Remembers the opening that was drawn for a table.
    pub(crate) fn note_draw(&self, person: &str, game: &str, options: &Options, table: &str) {
        if let Some(&number) = options.get(draws::DRAWN) {
            self.draws.note(key(person, game, options), Drawn { number, table: table.to_owned() });
        }
    }
}
