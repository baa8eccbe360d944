//! Play now: a person waits in a [queue](crate::queues) for any opponent, and gets a table with the first that fits.

use std::collections::BTreeSet;
use std::sync::Arc;

use edge::network::{Asker, Payer};
use kernel::{Problem, Side};
use people::pairing::{Waiting, leaver_waits_ms};
use store::StoreError;
use store::games::{Filter, GameRow};
use table::{Setup, State};
use wire::{How, PlayNow, PlayNowTold, Player, PoolLine};

use crate::Tables;
use crate::cluster::talk::{Answer, Question, Word};
use crate::context::sittings;
use crate::queues::{Held, QUEUES, key};

/// The time for which games that a person has left count: a week.
const LEFT_MS: u64 = 7 * 86_400_000;
/// The number of latest games from which a person's sides and opponents are taken.
const LATELY: u32 = 4;

impl Tables {
    /// Removes a person from all queues, at every node.
    pub fn leave_queues(&self, person: &str) {
        if let Some(cluster) = &self.context.cluster {
            cluster.tell_all(Word::Left { person: person.to_owned() });
        }
        self.context.play_now.leave(person);
    }

    /// Removes a person from all queues, at every node, and returns the table of a pairing from before that: the
    /// person has not heard of it yet, and the opponent waits there.
    pub async fn leave_pool(&self, person: &str, payer: Payer<'_>) -> Option<String> {
        self.leave_queues(person);
        if let Some(table) = self.left_here(person, payer).await {
            return Some(table);
        }
        let cluster = self.context.cluster.as_ref()?;
        for node in cluster.nodes() {
            if node.incarnation == cluster.me || node.is_expired() {
                continue;
            }
            let question = Question::Left { person: person.to_owned() };
            if let Ok(Answer::Left { table: Some(table) }) = cluster.ask(&node.incarnation, &question).await {
                return Some(table);
            }
        }
        None
    }

    /// Returns the part of [`Tables::leave_pool`] for the queues of this node.
    pub(crate) async fn left_here(&self, person: &str, payer: Payer<'_>) -> Option<String> {
        self.context.play_now.leave(person);
        let table = self.context.play_now.settled(person, self.context.time.now_ms()).await?;
        let is_on = self.look(&table, payer, |state: &State| state.is_on()).await.unwrap_or(false);
        is_on.then_some(table)
    }

    /// Waits for an opponent, or returns the table for which one was found. To be called every second until there is
    /// a table.
    ///
    /// # Errors
    /// The fault in the wish, `rated-needs-account`, `rated-not-usual`, `too-many-queues`, `hall-busy`.
    pub async fn play_now(
        self: &Arc<Self>,
        wish: PlayNow,
        who: Player,
        asker: &Asker,
    ) -> Result<PlayNowTold, Problem> {
        if let Some(cluster) = &self.context.cluster {
            // Mistakes in the wish are reported here; all requests for the same game wait at the same node.
            let setup = self.wanted(wish.clone(), &who.id, asker.into()).await?;
            if let Some(keeper) = cluster.keeper(&key(&setup)) {
                let address = Some(asker.network.address());
                return match cluster.ask(&keeper, &Question::PlayNow { wish, who, address }).await {
                    Ok(Answer::PlayNow { told }) => Ok(told),
                    Ok(Answer::Refused { key }) if key == "too-many-queues" => {
                        Err(Problem::new("too-many-queues").with("limit", QUEUES))
                    }
                    // The next request finds another keeper if this one has died.
                    _ => Err(Problem::new("hall-busy")),
                };
            }
        }
        self.play_now_here(wish, who, asker).await
    }

    /// Answers at the node that keeps the queue for this game.
    pub(crate) async fn play_now_here(
        self: &Arc<Self>,
        wish: PlayNow,
        who: Player,
        asker: &Asker,
    ) -> Result<PlayNowTold, Problem> {
        let queues = &self.context.play_now;
        let person = who.id.clone();
        let asked = queues.ask(&person);
        let setup = self.wanted(wish, &person, asker.into()).await?;
        let (key, now_ms) = (key(&setup), self.context.time.now_ms());
        if let Some(held) = queues.held(&person, now_ms) {
            let (table, is_deserted) = match held {
                Held::Table(table) => (table, false),
                Held::Deserted(table) => (table, true),
            };
            let look = |state: &State| (state.is_on(), state.in_earnest());
            let (is_on, in_earnest) = self.look(&table, asker.into(), look).await.unwrap_or_default();
            // A request after that game has ended asks for another one, and so does one after the opponent
            // never came.
            if is_on && (in_earnest || !is_deserted) {
                return Ok(PlayNowTold { table: Some(table), waited_ms: 0, waiting: 0 });
            }
            if is_on {
                self.leave(&table, &person, asker.into()).await;
            }
            queues.forget(&person, now_ms);
        }
        let since_ms = match queues.heard(&key, &person, now_ms) {
            Some(since_ms) => since_ms,
            None => {
                let waiting = self.waiting(&setup, &person, now_ms).await.map_err(|why| {
                    tracing::error!(%why, "who wants to play cannot be read");
                    Problem::new("hall-busy")
                })?;
                queues.join(&key, &asked, who, asker.network, waiting, now_ms)?;
                if let Some(line) = shown(&setup) {
                    queues.show(&key, line);
                }
                queues.heard(&key, &person, now_ms).unwrap_or(now_ms)
            }
        };
        let pairs = queues.pairs(&key, now_ms);
        if !pairs.is_empty() {
            let (tables, setup) = (Arc::clone(self), Setup { created_ms: now_ms, ..setup });
            // Who asked may go away before the tables are made; the others are told all the same.
            let seated = tokio::spawn(async move {
                for players in pairs {
                    tables.seat_pair(setup.clone(), &players, now_ms).await;
                }
            });
            if let Err(why) = seated.await {
                tracing::error!(%why, "a pair was not seated");
            }
        }
        let table = queues.found(&person, now_ms);
        // Whose table is being made stands in no queue, but waits.
        let waiting = u32::try_from(queues.count(&key)).unwrap_or(u32::MAX).max(u32::from(table.is_none()));
        Ok(PlayNowTold { table, waited_ms: now_ms.saturating_sub(since_ms), waiting })
    }

    /// Tells the lobby who waits in this node's queues; returns true if that is news.
    pub fn tell_pools(&self) -> bool {
        let pools = self.context.play_now.shown(self.context.time.now_ms());
        self.context.lobby.set_pools("", pools)
    }

    /// Makes the table of a pair. If that fails, their next requests put them into the queue again.
    async fn seat_pair(self: &Arc<Self>, setup: Setup, players: &[Player; 2], now_ms: u64) {
        let seats = players.clone().map(Some);
        match self.context.store_new(setup, sittings(&seats, now_ms), Payer::Hall).await {
            Ok(table) => self.context.play_now.note(players, &table, self.context.time.now_ms()),
            Err(why) => {
                tracing::error!(%why, "a pair was not seated");
                for player in players {
                    self.context.play_now.forget(&player.id, self.context.time.now_ms());
                }
            }
        }
    }

    /// Returns the setup that a request asks for.
    async fn wanted(&self, wish: PlayNow, person: &str, payer: Payer<'_>) -> Result<Setup, Problem> {
        let entry = catalog::find(&wish.game)?;
        table::clock::check(wish.clock)?;
        let mut options = entry.settle(&wish.options, catalog::Setting::Online)?;
        // What is drawn is drawn for both, when they are there.
        catalog::draws::undraw(&mut options);
        let (map, options) = match (&wish.map, entry.needs_map()) {
            (None, true) => return Err(Problem::new("map-needed")),
            (None, false) => (None, options),
            (Some(_), false) => return Err(Problem::new("map-not-needed").with("game", entry.key)),
            (Some(map), true) => {
                // Only maps with a rated pool have a queue: on others an opponent would hardly ever come.
                self.context.works.shelf.has_pool(map).await?;
                self.on_map(options, &wish.options, Some(map.as_str()), How::Open, payer).await?
            }
        };
        let setup = Setup {
            options,
            game: wish.game,
            map: map.map(|map| map.name()),
            fen: None,
            how: How::Open,
            room: None,
            clock: wish.clock,
            rated: wish.rated,
            created_ms: 0,
            heading: None,
        };
        // Options that are fine each alone may not go together: this is refused before the wait.
        if setup.map.is_none() {
            entry.open(None, &setup.options, None)?;
        }
        if setup.rated {
            self.may_be_rated(&setup, false, person).await?;
        }
        Ok(setup)
    }

    /// Returns the entry of a person for a queue.
    async fn waiting(&self, setup: &Setup, person: &str, now_ms: u64) -> Result<Waiting, StoreError> {
        let left = self.context.store.together.left_since(person, now_ms.saturating_sub(LEFT_MS)).await?;
        let rating = self.context.persons.rating_of(setup, person).await?;
        let filter = Filter { game: Some(setup.game.clone()), ..Filter::default() };
        let lately = self.context.store.games.list(person, &filter, None, LATELY).await?;
        let side = |row: &GameRow| {
            if row.players[0].id == person { Side::First } else { Side::Second }
        };
        let first_sides = lately.iter().map(|row| if side(row) == Side::First { 1 } else { -1 }).sum();
        let opponent = |row: &GameRow| row.players[side(row).other().index()].id.clone();
        let mut never: BTreeSet<String> =
            self.context.store.together.apart(person).await?.into_iter().collect();
        if setup.rated {
            never.extend(self.context.persons.rated_enough(person).await?);
        }
        Ok(Waiting {
            person: person.to_owned(),
            rating: rating.rating,
            since_ms: now_ms + leaver_waits_ms(left),
            first_sides,
            lately: lately.iter().take(1).map(opponent).collect(),
            never,
        })
    }
}

/// Returns the line that lists show for the queue of such a game; `None` for other options than the usual, which
/// cannot be found by the game and the time alone.
fn shown(setup: &Setup) -> Option<PoolLine> {
    let entry = catalog::find(&setup.game).ok()?;
    let mut usual = entry.settle(&catalog::Options::new(), catalog::Setting::Online).ok()?;
    catalog::draws::undraw(&mut usual);
    let Setup { game, clock, rated, .. } = setup;
    let is_usual = setup.map.is_none() && setup.options == usual;
    is_usual.then(|| PoolLine { game: game.clone(), clock: *clock, rated: *rated, waiting: 0 })
}
