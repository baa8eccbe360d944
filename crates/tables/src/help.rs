//! Permission for engine help with a position: none for a position that two people play now.
//!
//! [`running`] knows the positions of the tables of this node, and the other nodes are asked about theirs.

use std::sync::Arc;
use std::time::Duration;

use edge::network::Payer;
use futures_util::future::join_all;
use kernel::{AnyGame, Problem};
use table::{Setup, State};

use crate::Tables;
use crate::cluster::Cluster;
use crate::cluster::talk::{Answer, Question};
use crate::running::{self, Keys, PositionsAsked, Standing};

/// The number of running games of a person that are checked before they get help, the newest first.
pub(crate) const OWN_GAMES: u32 = 20;

/// Asks the other nodes whether a person may be helped. One that does not answer in a second forbids nothing.
async fn may_help_elsewhere(
    cluster: &Cluster,
    setup: &Setup,
    asked: &PositionsAsked,
    person: &str,
) -> Result<(), Problem> {
    const PATIENCE: Duration = Duration::from_secs(1);
    let others = cluster.nodes().into_iter().map(|node| node.incarnation);
    let others: Vec<String> = others.filter(|node| *node != cluster.me).collect();
    let plays = (person.to_owned(), setup.game.clone());
    let questions = Keys::of(asked).into_iter().map(|keys| Question::Runs { plays: plays.clone(), keys });
    let questions: Vec<Question> = questions.collect();
    let asks = others.iter().flat_map(|node| {
        let ask = |question| tokio::time::timeout(PATIENCE, cluster.ask(node, question));
        questions.iter().map(ask)
    });
    for answer in join_all(asks).await {
        match answer {
            Ok(Ok(Answer::Runs { rated: true, .. })) => return Err(Problem::new("rated-game-runs")),
            Ok(Ok(Answer::Runs { found, .. })) if found.has(asked) => {
                return Err(Problem::new("position-in-play"));
            }
            _ => {}
        }
    }
    Ok(())
}

impl Tables {
    /// Checks that `person` may be helped with that game: neither it nor a position up to `back` plies before it is
    /// one that two people play now, it is no move away from where they play themselves, and they play no rated game
    /// of its rules.
    ///
    /// # Errors
    /// `position-in-play`, `rated-game-runs`.
    pub async fn may_help(
        &self,
        setup: &Setup,
        game: &dyn AnyGame,
        back: usize,
        person: &str,
        payer: Payer<'_>,
    ) -> Result<(), Problem> {
        let from_ply = self.context.limits.no_help_from_ply;
        let layouts = Arc::new(Standing::layouts(setup, game));
        // Looking at a table that is not in memory reads it, and then it is known what runs there.
        for table in self.context.store.tables.playing(person, OWN_GAMES).await.unwrap_or_default() {
            let (setup, layouts) = (setup.clone(), Arc::clone(&layouts));
            let look = move |state: &State| running::is_next(state, &setup, &layouts, from_ply);
            if self.look(&table, payer, look).await.is_ok_and(|next| next) {
                return Err(Problem::new("position-in-play"));
            }
        }
        // The other nodes are asked themselves: what they have told may be older.
        if self.context.running.plays_rated_here(person, &setup.game) {
            return Err(Problem::new("rated-game-runs"));
        }
        let Some(cluster) = &self.context.cluster else {
            return self.context.running.check(setup, game, back);
        };
        let asked = running::asked(setup, game, back);
        if self.context.running.has(&asked) {
            return Err(Problem::new("position-in-play"));
        }
        may_help_elsewhere(cluster, setup, &asked, person).await
    }
}
