//! Draws of games that are played in this terminal alone.

use std::hash::{BuildHasher as _, RandomState};

use kernel::AnyGame;

/// Returns the move that is played where a player chose `text`: with what is drawn for it, if chance decides.
pub(crate) fn by_lot(game: &dyn AnyGame, text: &str) -> String {
    // Each state has keys of its own, which the system drew.
    kernel::by_lot(game, text, |sum| RandomState::new().hash_one(game.plies()) % sum)
}
