//! The hall's puzzles: what happens to the file of them, how a map's puzzle is opened, and new ones from the hall's finished games.
//!
//! Puzzles are taken from finished games, so players with a running rated game may solve them: they learn no more
//! about its positions than a book would tell ([`edge::fair`] is not asked).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use catalog::maps::{Rules, SAMPLES};
use edge::network::{Asker, Network};
use edge::workers::long;
use engine::Stop;
use kernel::{AnyGame, PlayError, Problem};
use puzzles::placed::PlacedRoom;
use puzzles::shelf::{Counted, Shelved};
use puzzles::{Effort, Puzzle, Shelf};
use serde::{Deserialize, Serialize};
use store::games::GameRow;
use thinking::{Answer, Ask, Asked, Search};
use wire::How;

use crate::copies::{Act, Copied, Keeps, apart};
use crate::hall::Hall;
use crate::maps::NoMap;
use crate::searches::{Purpose, Undone, Wanted};

/// The name under which the file remembers the finished games it has looked at.
const FINISHED: &str = "hall";
/// The least plies of a game that is searched for puzzles.
const LEAST_PLIES: u32 = 12;

/// The rules with which a puzzle's game is opened: those of its map, where it has one of the hall's.
#[derive(Clone)]
pub(crate) struct Opening(Option<Rules>);

impl Opening {
    /// Opens the game at a FEN, or at its usual start.
    pub(crate) fn open(&self, puzzle: &Puzzle, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Problem> {
        match &self.0 {
            Some(rules) => rules.open(fen),
            None => puzzles::puzzle::open(puzzle, fen),
        }
    }
}

/// A guard that stops the search when it is dropped, because the result is no longer awaited.
struct Stops(Stop);

impl Drop for Stops {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// An act on the puzzles.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum PuzzleAct {
    /// The addition of puzzles from the hall's games up to one; each with the player who missed it.
    Add {
        /// The puzzles, each with the public id of the player who missed it.
        found: Vec<(Puzzle, Option<String>)>,
        /// The number of the last game.
        to: i64,
        /// The time of the act, in Unix milliseconds.
        now_ms: u64,
    },
    /// A request for the puzzle of the day.
    Daily {
        /// The family of games.
        family: String,
        /// The time of the request, in Unix milliseconds.
        now_ms: u64,
        /// Maps that the staff has taken down.
        #[serde(default)]
        without: Vec<String>,
    },
    /// An answer to a puzzle.
    Answered {
        /// The public id of the person.
        person: String,
        /// The id of the puzzle.
        puzzle: String,
        /// Set if an author placed it on a map, so that it is not rated.
        placed: bool,
        /// Set if the answer was right.
        solved: bool,
        /// The time of the answer, in Unix milliseconds.
        now_ms: u64,
    },
    /// A puzzle that is set on a map.
    Place {
        /// The puzzle to place.
        puzzle: Box<Puzzle>,
        /// Public id of its author.
        owner: String,
        /// The most puzzles that may be placed.
        room: PlacedRoom,
        /// The time of the act, in Unix milliseconds.
        now_ms: u64,
    },
    /// The removal of a puzzle by its author.
    Remove {
        /// The id of the puzzle.
        puzzle: String,
        /// Public id of its author.
        owner: String,
    },
    /// The removal of all puzzles on maps that are gone.
    Maps {
        /// The ids of the maps.
        gone: Vec<String>,
    },
    /// The transfer of a guest's puzzles to the account they have now.
    Follow {
        /// Public id of the guest.
        guest: String,
        /// Public id of the account.
        account: String,
    },
    /// The removal of a closed account's data.
    Forget {
        /// Its public id.
        person: String,
    },
}

/// The outcome of an act on the puzzles.
#[derive(Debug)]
pub enum PuzzleDone {
    /// Success without a result.
    Done,
    /// The puzzle that was found.
    Found(Box<Shelved>),
    /// The result of an answer; `None`: it was not the first one.
    Counted(Option<Counted>),
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
        let done = |()| PuzzleDone::Done;
        apart(move || match self {
            PuzzleAct::Add { found, to, now_ms } => {
                shelf.add(&found, Some((FINISHED, to)), now_ms).map(|_| PuzzleDone::Done)
            }
            PuzzleAct::Daily { family, now_ms, without } => {
                shelf.daily(&family, &without, now_ms).map(Box::new).map(PuzzleDone::Found)
            }
            PuzzleAct::Answered { person, puzzle, placed: true, solved, .. } => {
                shelf.answered_placed(&person, &puzzle, solved).map(done)
            }
            PuzzleAct::Answered { person, puzzle, placed: false, solved, now_ms } => {
                shelf.answered(&person, &puzzle, solved, now_ms).map(PuzzleDone::Counted)
            }
            PuzzleAct::Place { puzzle, owner, room, now_ms } => {
                shelf.place(&puzzle, &owner, room, now_ms).map(done)
            }
            PuzzleAct::Remove { puzzle, owner } => shelf.remove_placed(&puzzle, &owner).map(done),
            PuzzleAct::Maps { gone } => shelf.remove_maps(&gone).map(done),
            PuzzleAct::Follow { guest, account } => shelf.follow(&guest, &account).map(done),
            PuzzleAct::Forget { person } => shelf.forget(&person).map(done),
        })
        .await
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

    /// Returns the rules with which the puzzles of a map are opened.
    ///
    /// # Errors
    /// The error of the map.
    pub(crate) async fn opening_of(&self, map: Option<&str>) -> Result<Opening, NoMap> {
        match map {
            Some(map) if SAMPLES.iter().all(|sample| sample.key != map) => {
                Ok(Opening(Some(self.map(map).await?.rules.clone())))
            }
            _ => Ok(Opening(None)),
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
            if let Ok(opening) = self.opening_of(row.setup.map.as_ref().map(|map| map.id.as_str())).await {
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
        let rules = opening.0;
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
        let about = Asked { key, options, map, rules, fen, game };
        let Effort { nodes, most, stop } = Effort::default();
        let _stops = Stops(stop.clone());
        let ask = Ask::Puzzles { nodes, most, source: row.id.clone(), named };
        let asker = Asker { network: Network::nobody(), person: "puzzles".to_owned() };
        let wanted = Wanted::new(Search { about, ask }, asker, Purpose::Background, stop);
        let found = match self.opponents.searches.run(&self.puzzle_turns, &wanted).await {
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
