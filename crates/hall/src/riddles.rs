//! The hall's puzzles: the file of them, of which each node has a copy, and new ones from the hall's finished games.
//!
//! Puzzles are taken from finished games, so players with a running rated game may solve them: they learn no more
//! about its positions than a book would tell ([`edge::fair`] is not asked).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use edge::network::{Asker, Network, Payer};
use edge::workers::long;
use engine::Stop;
use kernel::{PlayError, Problem};
use puzzles::{Effort, Puzzle, Shelf};
use store::games::GameRow;
use tables::searches::{Purpose, Undone, WantedSearch};
use thinking::{Answer, Ask, GameSnapshot, Search};
use wire::How;
use works::riddles::{FINISHED, Opening, PuzzleAct, PuzzleDone};

use crate::copies::{Act, Copied, Keeps, apart};
use crate::hall::Hall;

/// The least plies of a game that is searched for puzzles.
const LEAST_PLIES: u32 = 12;

/// A guard that stops the search when it is dropped, because the result is no longer awaited.
struct Stops(Stop);

impl Drop for Stops {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Keeps<PuzzleAct> for Hall {
    fn copied(&self) -> &Copied<PuzzleAct> {
        &self.puzzles
    }
}

impl Act for PuzzleAct {
    type File = Shelf;
    type Done = PuzzleDone;
    const SUBJECT: &'static str = "puzzles";
    const CLOSED: &'static str = "puzzles-closed";

    async fn carry_out(
        self,
        _hall: &Hall,
        shelf: Arc<Shelf>,
        _brought: Vec<u8>,
        _entry: Option<(u64, String)>,
    ) -> Result<PuzzleDone, Problem> {
        apart(move || self.perform(&shelf)).await
    }
}

impl Hall {
    /// Opens the puzzles in the data folder. If the file cannot be opened, the log says so and the hall opens without
    /// it.
    pub(crate) async fn open_puzzles(self: &Arc<Self>, folder: &Path) {
        if let Err(why) = self.puzzles.open(self, folder).await {
            tracing::error!(%why, "the puzzles cannot be opened; the hall does without them");
        }
    }

    /// Searches finished games for puzzles, one at a time with pauses, as many an hour as the limits allow; none when
    /// that is 0.
    pub(crate) async fn keep_puzzles(self: &Arc<Self>) {
        let (Ok(shelf), games) = (self.puzzles.here(), self.limits.puzzle_games_hour) else { return };
        if games == 0 {
            return;
        }
        let mut ticks = tokio::time::interval(Duration::from_secs(3600 / games.min(3600)));
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if !self.puzzles.is_keeper(self) {
                continue;
            }
            if let Err(why) = self.look_at_next(&shelf).await {
                tracing::warn!(%why, "a finished game was not looked at for puzzles");
            }
        }
    }

    /// Searches the next finished game, if there is one.
    async fn look_at_next(self: &Arc<Self>, shelf: &Arc<Shelf>) -> Result<(), Problem> {
        let unread = |why: store::StoreError| Problem::new("puzzle-storage").with("detail", why);
        let mark = shelf.mark(FINISHED)?;
        let rows = self.store.games.games_after(mark.unsigned_abs(), 1).await.map_err(unread)?;
        let Some(row) = rows.into_iter().next() else { return Ok(()) };
        let to = i64::try_from(row.n).unwrap_or(i64::MAX);
        let mut found = Vec::new();
        if row.setup.how != How::Screen && row.plies >= LEAST_PLIES {
            let plies = self.store.games.plies(row.n).await.map_err(unread)?.unwrap_or_default();
            // A map that was thrown away has no puzzles.
            let map = row.setup.map.as_ref().map(|map| map.id.as_str());
            if let Ok(opening) = Opening::of(&self.works.maps, map, Payer::Hall).await {
                found = self.looked(&row, plies.into_iter().map(|(text, _)| text).collect(), opening).await?;
            }
        }
        let now_ms = self.time.now_ms();
        self.puzzles.act(self, PuzzleAct::Add { found, to, now_ms }, Vec::new()).await.map(drop)
    }

    async fn looked(
        &self,
        row: &GameRow,
        moves: Vec<String>,
        opening: Opening,
    ) -> Result<Vec<(Puzzle, Option<String>)>, Problem> {
        let setup = &row.setup;
        let map = setup.map.as_ref().map(|map| map.id.clone());
        let named = (setup.options.clone(), map.clone());
        let (key, fen) = (setup.game.clone(), setup.fen.clone());
        let rules = opening.rules().cloned();
        let entry = catalog::find(&key)?;
        let options = entry.settle(&setup.options, catalog::Setting::Faithful)?;
        let (own, settled, start) = (rules.clone(), options.clone(), fen.clone());
        // Rules that have changed since, or an extension that fails: such a game has no puzzles.
        let played = long(move || {
            let mut game = match &own {
                Some(rules) => rules.open(start.as_deref())?,
                None => entry.open(None, &settled, start.as_deref())?,
            };
            for text in &moves {
                game.play(text).map_err(PlayError::problem)?;
            }
            Ok::<_, Problem>(game)
        });
        let none = |why: Problem| {
            tracing::warn!(table = %row.id, %why, "no puzzles are made of a game");
            Ok(Vec::new())
        };
        let game = match played.await {
            Some(Ok(Ok(game))) => game,
            Some(Ok(Err(why))) => return none(why),
            _ => return Err(Problem::new("hall-busy")),
        };
        let about = GameSnapshot { key, options, map, rules, fen, game };
        let Effort { nodes, most, stop } = Effort::default();
        let _stops = Stops(stop.clone());
        let ask = Ask::Puzzles { nodes, most, source: row.id.clone(), named };
        let asker = Asker { network: Network::nobody(), person: "puzzles".to_owned() };
        let wanted = WantedSearch::new(Search { about, ask }, asker, Purpose::Background, stop);
        let found = match self.tables.opponents().searches.run(&self.puzzle_turns, &wanted).await {
            Ok(Answer::Puzzles(found)) => found,
            Err(Undone::Failed(why)) => return none(why),
            _ => return Err(Problem::new("hall-busy")),
        };
        let whose = |found: &puzzles::find::Found| {
            let player = &row.players[found.side.index()];
            (found.missed && player.engine.is_none()).then(|| player.id.clone())
        };
        Ok(found
            .into_iter()
            .map(|found| (whose(&found), found))
            .map(|(who, found)| (found.puzzle, who))
            .collect())
    }

    /// Transfers the puzzles of a guest to the account they have now.
    pub(crate) async fn follow_in_puzzles(self: &Arc<Self>, guest: &str, account: &str) {
        let follow = PuzzleAct::Follow { guest: guest.to_owned(), account: account.to_owned() };
        self.tell_puzzles(follow, "a guest's puzzles stay with the guest").await;
    }

    /// Removes the puzzles of maps that are gone.
    pub(crate) async fn forget_maps_in_puzzles(self: &Arc<Self>, gone: Vec<String>) {
        self.tell_puzzles(PuzzleAct::Maps { gone }, "puzzles of a map that is gone are still there").await;
    }

    /// Forgets the answers of a person.
    pub(crate) async fn forget_in_puzzles(self: &Arc<Self>, person: &str) {
        let forget = PuzzleAct::Forget { person: person.to_owned() };
        self.tell_puzzles(forget, "the answers of a closed account are still among the puzzles").await;
    }

    async fn tell_puzzles(self: &Arc<Self>, act: PuzzleAct, otherwise: &str) {
        if self.puzzles.here().is_ok()
            && let Err(why) = self.puzzles.act(self, act, Vec::new()).await
        {
            tracing::warn!(%why, "{otherwise}");
        }
    }
}
