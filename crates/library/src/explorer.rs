//! Opening explorer: the moves that were played in a position, how often, and with which results.

use std::collections::{BTreeMap, HashSet};

use kernel::Problem;
use rusqlite::Connection;

use crate::fold::fold;
use crate::runs::{self, Sum};
use crate::search::result_numbered;
use crate::{Day, Library, fault};

/// A query for the moves played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExplorerQuery {
    /// The numbers of the collections to search.
    pub collections: Vec<i64>,
    /// The key of the position: see [`crate::walk::position_key`].
    pub position: u64,
    /// A part of a player's name; empty for the games of all players.
    pub player: String,
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The machine text of the move.
    pub text: String,
    /// The number of games.
    pub games: u32,
    /// The numbers of games that the first and the second side won.
    pub wins: [u32; 2],
    /// The number of games that were drawn.
    pub draws: u32,
    /// The average rating, where one is known.
    pub rating: Option<u32>,
    /// The day on which it was last played.
    pub last: Day,
    /// The value that an opening book gives the move, for the side that makes it, in the unit of that book.
    pub value: Option<i32>,
}

/// The moves that were played in a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    /// The number of games that went on; a game that returned to the position and went on differently counts for each
    /// time.
    pub games: u32,
    /// The number of games that ended in this position.
    pub ended: u32,
    /// The moves, the most played first.
    pub moves: Vec<Move>,
}

impl Library {
    /// Returns the moves that were played in a position, with their results.
    ///
    /// # Errors
    /// `library-storage`.
    pub fn explore(&self, wish: &ExplorerQuery) -> Result<Explored, Problem> {
        let reader = self.reader()?;
        let moment = reader.unchecked_transaction().map_err(fault)?;
        let mut sums: BTreeMap<u32, Sum> = BTreeMap::new();
        let mut values: BTreeMap<u32, i32> = BTreeMap::new();
        let only = if wish.player.trim().is_empty() { None } else { Some(games_of(&moment, &wish.player)?) };
        for &collection in &wish.collections {
            // Who played the games of a book is not known.
            if only.is_none() {
                for (play, sum, value) in of_books(&moment, collection, wish.position)? {
                    sums.entry(play).or_default().add(&sum);
                    values.insert(play, value);
                }
            }
            for run in runs::of_collection(&moment, collection)? {
                let directory = self.directory(&moment, run.id)?;
                for entry in runs::lookup(&moment, &directory, wish.position)? {
                    let sum = match &only {
                        None => entry.sum,
                        Some(only) => sum_of(&moment, &entry, only)?,
                    };
                    if sum.games > 0 {
                        sums.entry(entry.play).or_default().add(&sum);
                    }
                }
            }
        }
        let ended = sums.remove(&runs::END).map_or(0, |sum| sum.games);
        let mut moves = Vec::with_capacity(sums.len());
        for (play, sum) in sums {
            moves.push(Move {
                text: text_of(&moment, play)?,
                games: sum.games,
                wins: sum.wins,
                draws: sum.draws,
                rating: (sum.rated > 0).then(|| (sum.rating / u64::from(sum.rated)) as u32),
                last: Day(sum.last),
                value: values.get(&play).copied(),
            });
        }
        moves.sort_by(|a, b| {
            b.games.cmp(&a.games).then(b.value.cmp(&a.value)).then_with(|| a.text.cmp(&b.text))
        });
        Ok(Explored { games: moves.iter().map(|m| m.games).sum(), ended, moves })
    }
}

/// Returns the moves that opening books of a collection have in a position: number, games, value.
fn of_books(reader: &Connection, collection: i64, position: u64) -> Result<Vec<(u32, Sum, i32)>, Problem> {
    let mut read = reader
        .prepare_cached(
            "SELECT play, games, first_wins, second_wins, draws, value FROM book
             WHERE collection = ?1 AND position = ?2",
        )
        .map_err(fault)?;
    let rows = read.query_map([collection, position.cast_signed()], |row| {
        let sum = Sum {
            games: row.get(1)?,
            wins: [row.get(2)?, row.get(3)?],
            draws: row.get(4)?,
            ..Sum::default()
        };
        Ok((row.get(0)?, sum, row.get(5)?))
    });
    rows.and_then(Iterator::collect).map_err(fault)
}

/// Returns the games of players of that name.
fn games_of(reader: &Connection, name: &str) -> Result<HashSet<u32>, Problem> {
    let mut read = reader
        .prepare_cached(
            "WITH named AS MATERIALIZED (SELECT id FROM player WHERE instr(folded, ?1))
             SELECT game.id FROM named CROSS JOIN game ON game.first = named.id
             UNION SELECT game.id FROM named CROSS JOIN game ON game.second = named.id",
        )
        .map_err(fault)?;
    let rows = read.query_map([fold(name)], |row| row.get(0)).map_err(fault)?;
    rows.collect::<Result<_, _>>().map_err(fault)
}

/// Computes the sum of an entry over some games only.
fn sum_of(reader: &Connection, entry: &runs::Entry, only: &HashSet<u32>) -> Result<Sum, Problem> {
    let mut read =
        reader.prepare_cached("SELECT result, rating, day FROM game WHERE id = ?1").map_err(fault)?;
    let mut sum = Sum::default();
    for hit in runs::hits(reader, entry)?.iter().filter(|hit| only.contains(&hit.game)) {
        let one = read
            .query_row([hit.game], |row| Ok(Sum::one(row.get(0)?, row.get(1)?, row.get(2)?)))
            .map_err(fault)?;
        sum.add(&one);
    }
    Ok(sum)
}

/// Returns the text of the move with that number.
pub(crate) fn text_of(reader: &Connection, play: u32) -> Result<String, Problem> {
    reader
        .prepare_cached("SELECT text FROM move WHERE id = ?1")
        .and_then(|mut read| read.query_row([play], |row| row.get(0)))
        .map_err(fault)
}

impl Move {
    /// Returns the share of points that the first side made: 1 for a win, ½ for a draw; `None` without a result.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let decided = self.wins[0] + self.wins[1] + self.draws;
        (decided > 0).then(|| (f64::from(self.wins[0]) + f64::from(self.draws) / 2.0) / f64::from(decided))
    }
}

/// Returns the name of a result, for lists.
#[must_use]
pub fn result_key(number: u8) -> &'static str {
    result_numbered(number).map_or("", records::Score::key)
}
