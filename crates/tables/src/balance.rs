//! Games of balance reports, played like other searches: here, or by a worker.

use std::sync::Arc;

use async_trait::async_trait;
use edge::fair::Fair;
use edge::network::Asker;
use engine::Stop;
use thinking::{Answer, Ask, GameSnapshot, Search};
use works::plays::{NextGame, NotPlayed, Plays};
use workshop::Played;

use crate::opponents::Opponents;
use crate::searches::{Purpose, Undone, WantedSearch};

#[async_trait]
impl Plays for Opponents {
    async fn play(
        &self,
        turns: &Arc<Fair>,
        game: &NextGame,
        asker: &Asker,
        stop: Stop,
    ) -> Result<Played, NotPlayed> {
        let about = GameSnapshot {
            key: catalog::maps::KEY.to_owned(),
            options: game.map.rules.options(),
            map: Some(game.map.line.id.clone()),
            rules: Some(game.map.rules.clone()),
            fen: None,
            game: game.start.boxed_clone(),
        };
        let ask = Ask::Balance { plan: game.plan.clone(), game: game.number };
        let wanted = WantedSearch::new(Search { about, ask }, asker.clone(), Purpose::Background, stop);
        match self.searches.run(turns, &wanted).await {
            Ok(Answer::Played(played)) => Ok(*played),
            Err(Undone::Failed(problem)) => Err(NotPlayed::Failed(problem)),
            Err(Undone::Busy) => Err(NotPlayed::Busy),
            Ok(_) | Err(Undone::Stopped | Undone::Broken) => Err(NotPlayed::Stopped),
        }
    }
}
