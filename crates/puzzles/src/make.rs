//! Puzzles from many games, one after the other, on a few threads; the file remembers the progress.

use std::time::{SystemTime, UNIX_EPOCH};

use engine::TranspositionTable;
use kernel::Problem;

use crate::find::{Effort, Found, Played, find};
use crate::puzzle::{Opener, Puzzle};
use crate::selfplay::{self, Rules};
use crate::shelf::Shelf;

/// The size of each thread's transposition table, in MiB.
pub const MEMORY: usize = 16;

/// A game to look at, or to play first.
#[derive(Clone, Debug)]
pub enum Work {
    /// The game was played before.
    Played(Box<Played>),
    /// The engine plays the game: rules, seed, number.
    Selfplay(Rules, u64, u64),
}

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// The number of games that were searched in this run.
    pub games: u64,
    /// The number of games that could not be replayed.
    pub refused: u64,
    /// The number of new puzzles of this run.
    pub puzzles: u64,
}

/// A source of games, under a name that never changes.
pub struct Source<'a> {
    /// The name under which the file remembers the progress.
    pub name: String,
    /// Returns the games after a mark, at most the given number, in rising order of their marks; an empty list at the
    /// end of the source.
    pub after: &'a mut dyn FnMut(i64, usize) -> Result<Vec<(i64, Work)>, Problem>,
}

/// Returns an endless source of games of the engine against itself: those of a seed, by number.
pub fn by_ourselves(rules: Rules, seed: u64) -> impl FnMut(i64, usize) -> Result<Vec<(i64, Work)>, Problem> {
    move |after, most| {
        let numbers = (after + 1..).take(most);
        Ok(numbers.map(|n| (n, Work::Selfplay(rules.clone(), seed, n.unsigned_abs()))).collect())
    }
}

/// Searches game after game for puzzles until the source ends, `watch` answers `false` or the effort is stopped. The
/// puzzles are stored game by game; a later run goes on after the last game.
///
/// # Errors
/// `puzzle-storage`, `puzzles-full`, or what is wrong with the source.
pub fn make(
    source: Source,
    shelf: &Shelf,
    effort: &Effort,
    threads: usize,
    open: &Opener,
    watch: &mut dyn FnMut(Progress) -> bool,
) -> Result<Progress, Problem> {
    let mut progress = Progress::default();
    let mut tables: Vec<TranspositionTable> =
        (0..threads.max(1)).map(|_| TranspositionTable::mebibytes(MEMORY)).collect();
    while watch(progress) && !effort.stop.is_raised() {
        let works = (source.after)(shelf.mark(&source.name)?, tables.len())?;
        let Some(&(mark, _)) = works.last() else { break };
        let looked = std::thread::scope(|scope| {
            let pairs = tables.iter_mut().zip(&works);
            let threads: Vec<_> =
                pairs.map(|(table, (_, work))| scope.spawn(|| look(work, effort, open, table))).collect();
            threads.into_iter().map(|thread| thread.join()).collect::<Vec<_>>()
        });
        if effort.stop.is_raised() {
            break;
        }
        let mut all: Vec<(Puzzle, Option<String>)> = Vec::new();
        for looked in looked {
            progress.games += 1;
            match looked {
                Ok(Ok(found)) => all.extend(found.into_iter().map(|found| (found.puzzle, None))),
                // A game that cannot be replayed, or over which the engine stumbles, is passed over.
                Ok(Err(_)) | Err(_) => progress.refused += 1,
            }
        }
        progress.puzzles += shelf.add(&all, Some((&source.name, mark)), now_ms())? as u64;
    }
    Ok(progress)
}

fn look(
    work: &Work,
    effort: &Effort,
    open: &Opener,
    table: &TranspositionTable,
) -> Result<Vec<Found>, Problem> {
    match work {
        Work::Played(played) => find(played, effort, open, table),
        Work::Selfplay(rules, seed, number) => {
            match selfplay::game(rules, *seed, *number, open, &effort.stop)? {
                Some(played) => find(&played, effort, open, table),
                None => Ok(Vec::new()),
            }
        }
    }
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
