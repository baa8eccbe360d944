//! Puzzles on maps: what happens to the file of puzzles, how a map's puzzle is opened, and the proof of one that is set
//! by hand.

use catalog::maps::{Rules, built_in, sample};
use edge::limits::Limits;
use edge::network::Payer;
use edge::workers::Deadline;
use kernel::{AnyGame, Problem};
use puzzles::placed::PlacedRoom;
use puzzles::set::{self, Aim, Verdict};
use puzzles::shelf::{Counted, Shelved};
use puzzles::{Puzzle, Shelf};
use serde::{Deserialize, Serialize};
use store::Store;
use wire::{NewPuzzle, PuzzleProved};

use crate::maps::{Loaded, Maps, NoMap, address, ours};

/// The name under which the file remembers the finished games that were looked at.
pub const FINISHED: &str = "hall";
/// The source of puzzles that people set.
const SOURCE: &str = "set by hand";

/// The rules with which a puzzle's game is opened: those of its map, where it has one of the hall's.
#[derive(Clone)]
pub struct Opening(Option<Rules>);

impl Opening {
    /// Returns the rules with which the puzzles of a map are opened.
    ///
    /// # Errors
    /// The error of the map.
    pub async fn of(maps: &Maps, map: Option<&str>, payer: Payer<'_>) -> Result<Opening, NoMap> {
        match map {
            Some(map) if sample(map).is_none_or(|own| !own.is_plain()) => {
                Ok(Opening(Some(maps.map(&address(map), payer).await?.rules.clone())))
            }
            _ => Ok(Opening(None)),
        }
    }

    /// Returns the rules of the map; `None` where the game has none of the hall's.
    #[must_use]
    pub fn rules(&self) -> Option<&Rules> {
        self.0.as_ref()
    }

    /// Opens the game at a FEN, or at its usual start.
    ///
    /// # Errors
    /// The fault in the FEN, or the error of an extension.
    pub fn open(&self, puzzle: &Puzzle, fen: Option<&str>) -> Result<Box<dyn AnyGame>, Problem> {
        match &self.0 {
            Some(rules) => rules.open(fen),
            None => puzzles::puzzle::open(puzzle, fen),
        }
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

impl PuzzleAct {
    /// Carries the act out; waits for the disk.
    ///
    /// # Errors
    /// The fault in the act, or the error of the file.
    pub fn perform(self, shelf: &Shelf) -> Result<PuzzleDone, Problem> {
        let done = |()| PuzzleDone::Done;
        match self {
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
        }
    }
}

/// The reasons why a puzzle that was set is not accepted.
#[derive(Debug)]
pub enum Unproved {
    /// The position or the aim is not valid.
    Wrong(Problem),
    /// The aim is not reached by force: the line that prevents it.
    Refuted(Problem),
    /// The proof took too long.
    GivenUp,
}

impl From<Problem> for Unproved {
    fn from(problem: Problem) -> Self {
        Unproved::Wrong(problem)
    }
}

/// Proves a puzzle on a map: the side to move wins, or takes a piece, within a number of moves against any answer.
/// Returns the puzzle too if the wish is to keep it. Takes long.
///
/// # Errors
/// See [`Unproved`].
pub fn prove(
    map: &Loaded,
    wish: &NewPuzzle,
    deadline: &Deadline,
) -> Result<(Option<Box<Puzzle>>, PuzzleProved), Unproved> {
    let aim = Aim { within: wish.within, takes: wish.takes };
    let game = map.rules.open(Some(&wish.fen))?;
    let verdict = set::prove(game.as_ref(), aim, &|| deadline.check().is_ok())?;
    if let Some(why) = verdict.refusal(aim) {
        return Err(Unproved::Refuted(why));
    }
    let Verdict::Proved { within, line, firsts } = verdict else { return Err(Unproved::GivenUp) };
    let moves = line.iter().flatten().cloned().collect();
    let puzzle = set::puzzle(game.as_ref(), &named(&map.line.id), aim, within, line, SOURCE.to_owned());
    let told = PuzzleProved { id: wish.keep.then(|| puzzle.id.clone()), within, line: moves, firsts };
    Ok((wish.keep.then(|| Box::new(puzzle)), told))
}

/// Returns the room for puzzles that people set.
#[must_use]
pub fn room(limits: &Limits) -> PlacedRoom {
    PlacedRoom {
        each: limits.most(limits.set_puzzles),
        of_map: limits.most(limits.set_puzzles_map),
        all: limits.most(limits.set_puzzles_all),
    }
}

/// Returns the names, in puzzles, of a map and of the other versions of its work.
///
/// # Errors
/// An error when the store fails.
pub async fn versions(store: &Store, map: &str) -> Result<Vec<String>, NoMap> {
    let shelf = &*store.shelf;
    let mut maps = vec![named(map)];
    if let Some(work) = shelf.work(map).await.map_err(NoMap::Store)? {
        let versions = shelf.versions(&work.id).await.map_err(NoMap::Store)?;
        maps.extend(versions.into_iter().map(|version| version.map).filter(|other| other != map));
    }
    Ok(maps)
}

/// Returns the name of a map in puzzles: built-in ones have their key.
fn named(id: &str) -> String {
    let own = ours(id).and_then(|own| built_in().find(|sample| sample.name == own.name));
    own.map_or_else(|| id.to_owned(), |sample| sample.key.to_owned())
}
