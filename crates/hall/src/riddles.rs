//! The hall's puzzles: what happens to the file of them, how a map's puzzle is opened, and new ones from the hall's finished games.
//!
//! Puzzles are of games that have ended, so whoever has a rated game running may solve them: nothing is said about a
//! position of that game but what a book would say ([`crate::fair`] is not asked).

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use catalog::maps::{Rules, SAMPLES};
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
use crate::network::{Asker, Network};
use crate::refusal::Refusal;
use crate::searches::{Purpose, Undone, Wanted};
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

/// An act on the puzzles.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "act", rename_all = "kebab-case")]
pub enum PuzzleAct {
    /// Puzzles were made of the hall's games up to one; each with who missed it.
    Add {
        /// The puzzles.
        found: Vec<(Puzzle, Option<String>)>,
        /// The number of that game.
        to: i64,
        /// When, in Unix milliseconds.
        now_ms: u64,
    },
    /// A request for the puzzle of the day.
    Daily {
        /// The family of games.
        family: String,
        /// When, in Unix milliseconds.
        now_ms: u64,
        /// Maps that the staff has taken down.
        #[serde(default)]
        without: Vec<String>,
    },
    /// An answer to a puzzle.
    Answered {
        /// Public id of that person.
        person: String,
        /// The puzzle.
        puzzle: String,
        /// Tells whether somebody set it on a map, so that it is not rated.
        placed: bool,
        /// Tells whether the answer was right.
        solved: bool,
        /// When, in Unix milliseconds.
        now_ms: u64,
    },
    /// A puzzle that is set on a map.
    Place {
        /// The puzzle.
        puzzle: Box<Puzzle>,
        /// Public id of its author.
        owner: String,
        /// The most puzzles that there may be.
        room: PlacedRoom,
        /// When, in Unix milliseconds.
        now_ms: u64,
    },
    /// An author throws away what they set.
    Remove {
        /// The puzzle.
        puzzle: String,
        /// Public id of its author.
        owner: String,
    },
    /// Maps are gone, and what was set on them goes.
    Maps {
        /// Their ids.
        gone: Vec<String>,
    },
    /// The transfer of what a guest set to the account they have now.
    Follow {
        /// Public id of the guest.
        guest: String,
        /// Public id of the account.
        account: String,
    },
    /// An account was closed.
    Forget {
        /// Its public id.
        person: String,
    },
}

/// The outcome of an act on the puzzles.
#[derive(Debug)]
pub enum PuzzleDone {
    /// It was done.
    Done,
    /// That is the puzzle.
    Found(Box<Shelved>),
    /// So an answer counted; `None`: it was not the first.
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
    /// Opens the puzzles in the data folder. A file that cannot be opened is missed, and said so; the hall opens all the
    /// same.
    pub(crate) async fn open_puzzles(self: &Arc<Self>, folder: &Path) {
        if let Err(why) = self.puzzles.open(self, folder).await {
            tracing::error!(%why, "the puzzles cannot be opened; the hall does without them");
        }
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

    /// Looks at the next finished game, where there is one.
    async fn look_at_next(self: &Arc<Self>, shelf: &Arc<Shelf>) -> Result<(), Problem> {
        let unread = |why: store::StoreError| Problem::new("puzzle-storage").with("detail", why);
        let mark = shelf.mark(FINISHED)?;
        let rows = self.store.games_after(mark.unsigned_abs(), 1).await.map_err(unread)?;
        let Some(row) = rows.into_iter().next() else { return Ok(()) };
        let to = i64::try_from(row.n).unwrap_or(i64::MAX);
        let mut found = Vec::new();
        if row.setup.how != How::Screen && row.plies >= LEAST_PLIES {
            let plies = self.store.plies(row.n).await.map_err(unread)?.unwrap_or_default();
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

    /// What a guest set belongs to the account they have now.
    pub(crate) async fn follow_in_puzzles(self: &Arc<Self>, guest: &str, account: &str) {
        let follow = PuzzleAct::Follow { guest: guest.to_owned(), account: account.to_owned() };
        self.tell_puzzles(follow, "a guest's puzzles stay with the guest").await;
    }

    /// Throws away the puzzles of maps that are gone.
    pub(crate) async fn forget_maps_in_puzzles(self: &Arc<Self>, gone: Vec<String>) {
        self.tell_puzzles(PuzzleAct::Maps { gone }, "puzzles of a map that is gone are still there").await;
    }

    /// Forgets what a person answered.
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
