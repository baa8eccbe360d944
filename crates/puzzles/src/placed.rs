//! Puzzles that people set on maps, in the same file: the authors, and the numbers of solvers. They are not rated,
//! and not drawn among the others: an author could earn a rating with them.

use kernel::Problem;
use rusqlite::{OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};

use crate::puzzle::Puzzle;
use crate::shelf::{Shelf, Shelved, fault, unknown};

/// The most puzzles of a list.
const LISTED: usize = 200;

pub(crate) const TABLES: &str = "
CREATE TABLE placed (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    map TEXT NOT NULL,
    made_ms INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    solved INTEGER NOT NULL DEFAULT 0,
    body TEXT NOT NULL
);
CREATE INDEX placed_map ON placed (map);
CREATE INDEX placed_owner ON placed (owner);
CREATE TABLE placed_try (person TEXT NOT NULL, puzzle INTEGER NOT NULL, PRIMARY KEY (person, puzzle)) WITHOUT ROWID;
CREATE INDEX placed_try_puzzle ON placed_try (puzzle);
";

/// The limits on the number of puzzles that people may set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlacedRoom {
    /// The most puzzles of one author.
    pub each: u32,
    /// The most puzzles of one map.
    pub of_map: u32,
    /// The most puzzles of all authors together.
    pub all: u32,
}

/// A puzzle that a person set.
#[derive(Clone, PartialEq, Debug)]
pub struct Placed {
    /// The puzzle itself.
    pub puzzle: Puzzle,
    /// The public id of the author; empty when their account is closed.
    pub owner: String,
    /// The time at which it was set, in Unix milliseconds.
    pub made_ms: u64,
    /// The number of people with an account who tried it.
    pub tries: u32,
    /// The number of them who solved it at the first try.
    pub solved: u32,
}

const COLUMNS: &str = "SELECT body, owner, made_ms, tries, solved FROM placed";

fn placed(row: &rusqlite::Row) -> rusqlite::Result<Placed> {
    let body: String = row.get(0)?;
    let puzzle = serde_json::from_str(&body).map_err(|why| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(why))
    })?;
    let made_ms = row.get::<_, i64>(2)?.unsigned_abs();
    Ok(Placed { puzzle, owner: row.get(1)?, made_ms, tries: row.get(3)?, solved: row.get(4)? })
}

impl Shelf {
    /// Stores a puzzle that a person set.
    ///
    /// # Errors
    /// `puzzle-set-known`: the same is there already; `puzzle-set-full`, with `of`: `person`, `map` or `all`;
    /// `puzzle-storage`.
    pub fn place(&self, puzzle: &Puzzle, owner: &str, room: PlacedRoom, now_ms: u64) -> Result<(), Problem> {
        let mut file = self.lock();
        let all = file.transaction().map_err(fault)?;
        let map = puzzle.map.as_deref().unwrap_or_default();
        let count = |sql: &str, of: &str| -> Result<u32, Problem> {
            all.query_row(sql, [of], |row| row.get(0)).map_err(fault)
        };
        if count("SELECT count(*) FROM placed WHERE id = ?1", &puzzle.id)? > 0 {
            return Err(Problem::new("puzzle-set-known"));
        }
        for (of, sql, whose, most) in [
            ("person", "SELECT count(*) FROM placed WHERE owner = ?1", owner, room.each),
            ("map", "SELECT count(*) FROM placed WHERE map = ?1", map, room.of_map),
            ("all", "SELECT count(*) FROM placed WHERE ?1 = ?1", "", room.all),
        ] {
            if count(sql, whose)? >= most {
                return Err(Problem::new("puzzle-set-full").with("of", of).with("most", most));
            }
        }
        let body =
            serde_json::to_string(puzzle).map_err(|why| Problem::new("puzzle-format").with("detail", why))?;
        all.execute(
            "INSERT INTO placed (id, owner, map, made_ms, body) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![puzzle.id, owner, map, now_ms as i64, body],
        )
        .map_err(fault)?;
        all.commit().map_err(fault)
    }

    /// Returns the puzzles that were set on maps, the newest first, at most 200.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn placed_on(&self, maps: &[String]) -> Result<Vec<Placed>, Problem> {
        let file = self.lock();
        let mut found = Vec::new();
        let mut rows = file
            .prepare_cached(&format!("{COLUMNS} WHERE map = ?1 ORDER BY n DESC LIMIT {LISTED}"))
            .map_err(fault)?;
        for map in maps {
            let of_map = rows.query_map([map], placed).map_err(fault)?;
            found.extend(of_map.collect::<Result<Vec<_>, _>>().map_err(fault)?);
        }
        found.sort_by_key(|placed| std::cmp::Reverse(placed.made_ms));
        found.truncate(LISTED);
        Ok(found)
    }

    /// Returns a puzzle that a person set.
    ///
    /// # Errors
    /// `unknown-puzzle`, `puzzle-storage`.
    pub fn placed(&self, id: &str) -> Result<Placed, Problem> {
        let file = self.lock();
        let found = file.query_row(&format!("{COLUMNS} WHERE id = ?1"), [id], placed);
        found.optional().map_err(fault)?.ok_or_else(|| unknown(id))
    }

    /// Deletes a puzzle of that author.
    ///
    /// # Errors
    /// `unknown-puzzle`: there is none of that author; `puzzle-storage`.
    pub fn remove_placed(&self, id: &str, owner: &str) -> Result<(), Problem> {
        let mut file = self.lock();
        let all = file.transaction().map_err(fault)?;
        let gone = remove(&all, "id = ?1 AND owner = ?2", &[id, owner])?;
        all.commit().map_err(fault)?;
        if gone == 0 { Err(unknown(id)) } else { Ok(()) }
    }

    /// Deletes the puzzles on maps that are gone.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn remove_maps(&self, maps: &[String]) -> Result<(), Problem> {
        let mut file = self.lock();
        let all = file.transaction().map_err(fault)?;
        for map in maps {
            remove(&all, "map = ?1", &[map])?;
        }
        all.commit().map_err(fault)
    }

    /// Counts the first answer of a person; their own puzzles are not counted.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn answered_placed(&self, person: &str, id: &str, solved: bool) -> Result<(), Problem> {
        let mut file = self.lock();
        let all = file.transaction().map_err(fault)?;
        let sql = "INSERT OR IGNORE INTO placed_try (person, puzzle) SELECT ?1, n FROM placed WHERE id = ?2 AND owner <> ?1";
        if all.execute(sql, params![person, id]).map_err(fault)? > 0 {
            let sql = "UPDATE placed SET tries = tries + 1, solved = solved + ?2 WHERE id = ?1";
            all.execute(sql, params![id, solved]).map_err(fault)?;
        }
        all.commit().map_err(fault)
    }

    /// Transfers the puzzles of a guest to the account they have now.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn follow(&self, guest: &str, account: &str) -> Result<(), Problem> {
        let sql = "UPDATE placed SET owner = ?2 WHERE owner = ?1";
        self.lock().execute(sql, params![guest, account]).map(drop).map_err(fault)
    }
}

fn remove(all: &Transaction, which: &str, whose: &[&str]) -> Result<usize, Problem> {
    let tries = format!("DELETE FROM placed_try WHERE puzzle IN (SELECT n FROM placed WHERE {which})");
    all.execute(&tries, rusqlite::params_from_iter(whose)).map_err(fault)?;
    let gone = format!("DELETE FROM placed WHERE {which}");
    all.execute(&gone, rusqlite::params_from_iter(whose)).map_err(fault)
}

impl From<Placed> for Shelved {
    fn from(placed: Placed) -> Shelved {
        Shelved { rating: f64::from(placed.puzzle.rating), tries: placed.tries, puzzle: placed.puzzle }
    }
}
