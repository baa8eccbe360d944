//! Games of the engine against itself, which balance reports ask for and others play.

use std::sync::Arc;

use async_trait::async_trait;
use edge::fair::Fair;
use edge::network::Asker;
use engine::Stop;
use kernel::{AnyGame, Problem};
use workshop::{Plan, Played};

use crate::maps::Loaded;

/// A game of the engine against itself that a report needs.
pub struct NextGame {
    /// The map that it is played on.
    pub map: Arc<Loaded>,
    /// The start of the game.
    pub start: Box<dyn AnyGame>,
    /// The plan of the report.
    pub plan: Plan,
    /// The level of both sides, and the number of the game within it.
    pub number: (u8, u32),
}

/// The reasons why a game of a report was not played.
#[derive(Debug)]
pub enum NotPlayed {
    /// The address has too many games waiting; it may be tried again.
    Busy,
    /// The game cannot be played.
    Failed(Problem),
    /// The work broke off, or the hall is about to stop.
    Stopped,
}

/// A way to have games of reports played: the hall does it here, or leaves it to workers.
#[async_trait]
pub trait Plays: Send + Sync {
    /// Plays a game, here when there is a turn of `turns` for it.
    async fn play(
        &self,
        turns: &Arc<Fair>,
        game: &NextGame,
        asker: &Asker,
        stop: Stop,
    ) -> Result<Played, NotPlayed>;
}
