//! The hall's puzzles: the file of them, how a map's puzzle is opened, and new ones from the hall's finished games.
//!
//! Puzzles are of games that have ended, so whoever has a rated game running may solve them: nothing is said about a
//! position of that game but what a book would say ([`crate::fair`] is not asked).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use catalog::maps::{Rules, SAMPLES};
use engine::Stop;
use kernel::{AnyGame, Problem};
use puzzles::find::Played;
use puzzles::{Effort, Puzzle, Shelf};
use store::games::GameRow;
use wire::How;

use crate::hall::Hall;
use crate::opponents::memory::{Size, with};
use crate::opponents::seat::apart;
use crate::refusal::Refusal;
use crate::workers::long;

/// Under this name the file remembers which finished games it has looked at.
const FINISHED: &str = "hall";
/// Games shorter than this have no puzzle.
const LEAST_PLIES: u32 = 12;

/// How a puzzle's game is opened: the rules of its map, where it has one of the hall's.
#[derive(Clone)]
pub(crate) struct Opening(Option<Rules>);

impl Opening {
    /// The game at a FEN, or at its usual start.
    pub(crate) fn open(&self, puzzle: &Puzzle, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Problem> {
        match &self.0 {
            Some(rules) => rules.open(fen),
            None => puzzles::puzzle::open(puzzle, fen),
        }
    }
}

/// Stops the search when nobody waits for it any more.
struct Stops(Stop);

impl Drop for Stops {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Hall {
    /// Opens the puzzles in the data folder. A file that cannot be opened is missed, and said so; the hall opens all the
    /// same.
    pub(crate) async fn open_puzzles(&self, folder: &Path) {
        let (file, now_ms) = (folder.join(Shelf::FILE), self.time.now_ms());
        match long(move || Shelf::open(&file, now_ms)).await {
            Some(Ok(Ok(shelf))) => drop(self.puzzles.set(Arc::new(shelf))),
            Some(Ok(Err(why))) => {
                tracing::error!(%why, "the puzzles cannot be opened; the hall does without them")
            }
            _ => tracing::error!("the puzzles cannot be opened; the hall does without them"),
        }
    }

    /// The puzzles.
    ///
    /// # Errors
    /// `puzzles-closed`.
    pub fn riddles(&self) -> Result<Arc<Shelf>, Problem> {
        self.puzzles.get().cloned().ok_or_else(|| Problem::new("puzzles-closed"))
    }

    /// How a puzzle is opened.
    ///
    /// # Errors
    /// That of the map.
    pub(crate) async fn opening_of(&self, map: Option<&str>) -> Result<Opening, Refusal> {
        match map {
            Some(map) if SAMPLES.iter().all(|sample| sample.key != map) => {
                Ok(Opening(Some(self.map(map).await?.rules.clone())))
            }
            _ => Ok(Opening(None)),
        }
    }

    /// Looks at finished games, one at a time with pauses, as many an hour as the limits say; none when that is 0.
    pub(crate) async fn keep_puzzles(&self) {
        let (Ok(shelf), games) = (self.riddles(), self.limits.puzzle_games_hour) else { return };
        if games == 0 {
            return;
        }
        let mut ticks = tokio::time::interval(Duration::from_secs(3600 / games.min(3600)));
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(why) = self.look_at_next(&shelf).await {
                tracing::warn!(%why, "a finished game was not looked at for puzzles");
            }
        }
    }

    /// Looks at the next finished game, where there is one.
    async fn look_at_next(&self, shelf: &Arc<Shelf>) -> Result<(), Problem> {
        let unread = |why: store::StoreError| Problem::new("puzzle-storage").with("detail", why);
        let mark = shelf.mark(FINISHED)?;
        let rows = self.store.games_after(mark.unsigned_abs(), 1).await.map_err(unread)?;
        let Some(row) = rows.into_iter().next() else { return Ok(()) };
        let at = i64::try_from(row.n).unwrap_or(i64::MAX);
        let mut found = Vec::new();
        if row.setup.how != How::Screen && row.plies >= LEAST_PLIES {
            let plies = self.store.plies(row.n).await.map_err(unread)?.unwrap_or_default();
            // A map that was thrown away has no puzzles.
            if let Ok(opening) = self.opening_of(row.setup.map.as_ref().map(|map| map.id.as_str())).await {
                found = self.looked(&row, plies.into_iter().map(|(text, _)| text).collect(), opening).await?;
            }
        }
        let (shelf, now_ms) = (Arc::clone(shelf), self.time.now_ms());
        match long(move || shelf.add(&found, Some((FINISHED, at)), now_ms)).await {
            Some(Ok(added)) => added.map(drop),
            _ => Err(Problem::new("hall-busy")),
        }
    }

    async fn looked(
        &self,
        row: &GameRow,
        moves: Vec<String>,
        opening: Opening,
    ) -> Result<Vec<(puzzles::find::Found, Option<String>)>, Problem> {
        let setup = &row.setup;
        let played = Played {
            game: setup.game.clone(),
            options: setup.options.clone(),
            map: setup.map.as_ref().map(|map| map.id.clone()),
            fen: setup.fen.clone(),
            moves,
            source: row.id.clone(),
        };
        let effort = Effort::default();
        let _stops = Stops(effort.stop.clone());
        let search = move || {
            let open = |puzzle: &Puzzle, fen: Option<&str>| opening.open(puzzle, fen);
            with(Size::Large, |memory| puzzles::find(&played, &effort, &open, memory))
        };
        let found = apart(search).await.ok_or_else(|| Problem::new("hall-busy"))?;
        // Rules that have changed since, or an extension that fails: such a game has no puzzles.
        let found = found.unwrap_or_else(|why| {
            tracing::warn!(table = %row.id, %why, "no puzzles are made of a game");
            Vec::new()
        });
        let whose = |found: &puzzles::find::Found| {
            let player = &row.players[found.side.index()];
            (found.missed && player.engine.is_none()).then(|| player.id.clone())
        };
        Ok(found.into_iter().map(|found| (whose(&found), found)).map(|(who, found)| (found, who)).collect())
    }

    /// What a guest set belongs to the account they have now.
    pub(crate) async fn follow_in_puzzles(&self, guest: &str, account: &str) {
        let Ok(shelf) = self.riddles() else { return };
        let (guest, account) = (guest.to_owned(), account.to_owned());
        if let Some(Ok(Err(why))) = long(move || shelf.follow(&guest, &account)).await {
            tracing::warn!(%why, "a guest's puzzles stay with the guest");
        }
    }

    /// Throws away the puzzles of maps that are gone.
    pub(crate) async fn forget_maps_in_puzzles(&self, maps: Vec<String>) {
        let Ok(shelf) = self.riddles() else { return };
        if let Some(Ok(Err(why))) = long(move || shelf.remove_maps(&maps)).await {
            tracing::warn!(%why, "puzzles of a map that is gone are still there");
        }
    }

    /// Forgets what a person answered.
    pub(crate) async fn forget_in_puzzles(&self, person: &str) {
        let Ok(shelf) = self.riddles() else { return };
        let person = person.to_owned();
        if let Some(Ok(Err(why))) = long(move || shelf.forget(&person)).await {
            tracing::warn!(%why, "the answers of a closed account are still among the puzzles");
        }
    }
}
