//! Chance at a table: the secret from which the hall draws, its commitment, and the draws themselves.

use std::collections::BTreeMap;

use kernel::Problem;
use wire::{Chance, How, View};

use crate::entry::Secret;
use crate::state::State;

/// The options of a record that hold the random seed of its chance: 32 bits each, the lowest first.
const SEEDS: [&str; 4] = ["seed", "seed-2", "seed-3", "seed-4"];

impl State {
    /// Begins the game again with chance decided by that secret; returns the previous view. Changes nothing once a
    /// move was played.
    pub(crate) fn begin_by(&mut self, secret: Secret) -> Result<Option<View>, Problem> {
        if !self.record.is_empty() {
            return Ok(None);
        }
        // On one screen the seed is that of the options.
        let seeded = if self.setup.how == How::Screen { None } else { self.game.seeded(secret.0) };
        if let Some(game) = seeded {
            if let Some(why) = game.postponed() {
                return Err(why);
            }
            self.game = game;
        }
        self.secret = Some(secret);
        Ok(Some(self.look()))
    }

    /// Returns true if the hall draws for this game: where it has chance and no player may choose how it falls, that is not
    /// where one person plays both sides; and where chance decides between moves.
    #[must_use]
    pub fn is_by_lot(&self) -> bool {
        self.game.has_outcomes() || self.setup.how != How::Screen && self.game.has_chance()
    }

    /// Returns the move that is played where a player chooses `text`: with what is drawn for it, if chance decides.
    ///
    /// # Errors
    /// `no-such-move` if `text` says what is drawn; `nothing-drawn-yet` where the secret is still missing.
    pub(crate) fn by_lot(&self, text: &str) -> Result<String, Problem> {
        if !self.game.has_outcomes() {
            return Ok(text.to_owned());
        }
        if self.game.chosen(text).is_some() {
            return Err(Problem::new("no-such-move").with("move", text));
        }
        let mut unknown = false;
        let drawn = kernel::by_lot(self.game.as_ref(), text, |sum| match self.secret {
            Some(secret) => secret.draw(&self.id, self.drawn, sum),
            None => {
                unknown = true;
                0
            }
        });
        if unknown { Err(Problem::new("nothing-drawn-yet")) } else { Ok(drawn) }
    }

    /// Returns true if one of the last `plies` plies drew something.
    pub(crate) fn drew_in(&self, plies: u32) -> bool {
        let kept = self.record.len().saturating_sub(plies as usize);
        self.draws.last().is_some_and(|&(ply, _)| ply as usize >= kept)
    }

    /// Returns the secret from which chance is decided here, once both sat down. Only the hall may see it.
    #[must_use]
    pub fn secret(&self) -> Option<Secret> {
        self.secret
    }

    /// Returns the public part of the secret: the commitment, and the secret itself once the game is over.
    #[must_use]
    pub fn chance(&self) -> Option<Chance> {
        let secret = self.secret?;
        let on_screen = self.setup.how == How::Screen && !self.game.has_outcomes();
        let told = self.end.is_some() || on_screen;
        Some(Chance { hash: secret.commitment(&self.id), secret: told.then(|| secret.text()) })
    }

    /// Returns the public options: with the seed of chance, once the game is over.
    #[must_use]
    pub fn options(&self) -> BTreeMap<String, i64> {
        let mut options = self.setup.options.clone();
        let told = self.chance().is_some_and(|chance| chance.secret.is_some());
        // On one screen the numbers of extensions begin with a seed of the options.
        let is_seeded = options.get(SEEDS[0]).is_some_and(|&seed| seed != 0);
        let told = told && !(self.setup.how == How::Screen && is_seeded);
        if let Some(Secret(seed)) = self.secret.filter(|_| told) {
            for (at, key) in SEEDS.into_iter().enumerate() {
                options.insert(key.to_owned(), i64::from((seed >> (32 * at)) as u32));
            }
        }
        options
    }
}
