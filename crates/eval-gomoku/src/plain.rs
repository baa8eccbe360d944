//! The game of gomoku that begins after an opening.

use std::borrow::Cow;

use ::gomoku::{Gomoku, Opened};
use kernel::{AnyGame, Game};

/// The game without its opening; `None` while that goes on, and for another game.
#[must_use]
pub fn plain(game: &dyn AnyGame) -> Option<Cow<'_, Game<Gomoku>>> {
    let any = game.as_any();
    if let Some(game) = any.downcast_ref::<Game<Gomoku>>() {
        return Some(Cow::Borrowed(game));
    }
    opened(any.downcast_ref::<Game<Opened>>()?).map(Cow::Owned)
}

/// The plain game that goes on once the opening is over; `None` before.
pub(super) fn opened(game: &Game<Opened>) -> Option<Game<Gomoku>> {
    let pos = game.position();
    pos.is_open().then(|| {
        let mut plain = Game::new(pos.stones());
        plain.play_past_draws(game.plays_past_draws());
        plain
    })
}
