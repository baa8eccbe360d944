//! Programs that play against people: ours at ten levels, and other people's.
//!
//! A table that waits for a program calls [`Opponents::think`] and goes on with its work; the
//! [search](crate::searches) runs elsewhere, as soon as there is room for it, and ends when the table does not want
//! it any more. Its result is an action like a person's: the table decides about it as about any other.
//!
//! Reading order: this file, `seat` (a move for a table).

pub mod seat;

use std::sync::Arc;

use catalog::Entry;
use engine::Level;
use kernel::Problem;
use wire::{EngineInfo, Opponent, Player};

use thinking::{EnginePool, Foreign, plays};

use crate::searches::Searches;

use edge::fair::Fair;

/// The programs that the hall can seat at a table.
pub struct Opponents {
    /// The searches that programs think with.
    pub searches: Arc<Searches>,
    /// The queue of searches for games that are being played.
    pub(crate) games: Arc<Fair>,
}

/// The most letters of a program's name at a table.
const NAME: usize = 24;

impl Opponents {
    /// Creates the programs without searches. `waiting` is the most searches of one address that may wait for a turn.
    #[must_use]
    pub fn new(foreign: Foreign, waiting: usize) -> Opponents {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Opponents {
            searches: Arc::new(Searches::new(EnginePool::new(foreign))),
            // One core stays for the moves of people.
            games: Fair::new((cores - 1).max(1), waiting),
        }
    }

    /// Ends foreign programs that have been idle for a while.
    pub fn tidy(&self) {
        self.searches.pool.tidy();
    }

    /// Lists the programs, each with its games.
    #[must_use]
    pub fn list(&self) -> Vec<EngineInfo> {
        let all = || catalog::ENTRIES.iter().map(|entry| entry.key.to_owned()).collect();
        let ours = Level::all().map(|level| Opponent::Level(level.number()));
        let ours = ours.map(|opponent| EngineInfo { opponent, games: all() });
        let foreign = self.searches.pool.configs().iter().map(|config| EngineInfo {
            opponent: Opponent::Engine(config.name.clone()),
            games: catalog::ENTRIES
                .iter()
                .filter(|entry| plays(config, entry))
                .map(|e| e.key.to_owned())
                .collect(),
        });
        ours.chain(foreign).collect()
    }

    /// Returns true if that foreign program plays a game.
    pub fn knows(&self, name: &str, game: &str) -> bool {
        let entry = catalog::find(game);
        entry.is_ok_and(|entry| self.searches.pool.config(name).is_some_and(|config| plays(config, entry)))
    }

    /// Returns that program as a player, for the free seat of a table.
    ///
    /// # Errors
    /// `unknown-level`, `no-such-engine`, and `engine-plays-not` when it does not know that game.
    pub fn player(&self, opponent: &Opponent, entry: &Entry) -> Result<Player, Problem> {
        let (id, name) = match opponent {
            Opponent::Level(number) => {
                let level =
                    Level::new(*number).ok_or_else(|| Problem::new("unknown-level").with("level", number))?;
                (format!("level-{}", level.number()), None)
            }
            Opponent::Engine(name) => {
                let config = self
                    .searches
                    .pool
                    .config(name)
                    .ok_or_else(|| Problem::new("no-such-engine").with("name", name))?;
                if !plays(config, entry) {
                    return Err(Problem::new("engine-plays-not").with("name", name));
                }
                (format!("engine-{name}"), Some(name.chars().take(NAME).collect()))
            }
        };
        // Ids of people have no hyphen, so that none of them is equal to one of these.
        Ok(Player { id, name, engine: Some(opponent.clone()), program: false })
    }
}
