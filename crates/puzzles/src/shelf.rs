//! The file of puzzles: found by family, theme and rating; with the tries, ratings and streaks of people.
//!
//! A file of its own beside the database, as the library is (docs/adr/0032): puzzles can be made again, and a hall
//! opens without them. People's rows go with their accounts.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kernel::Problem;
use people::rating::{self, Rating, Score};
use rusqlite::{Connection, OptionalExtension, params};

use crate::placed;
use crate::puzzle::{Puzzle, open};
use crate::selfplay::mixed;
use crate::starter;

const VERSION: i64 = 2;
const PATIENCE: Duration = Duration::from_secs(20);
/// The most puzzles of a file.
pub const MOST: u64 = 300_000;
/// The rating deviation of a puzzle before the first try: its rating is a guess.
const GUESS: f64 = 250.0;
/// The distances from a person's rating at which puzzles are sought: first near, then further.
const NEAR: [f64; 3] = [150.0, 400.0, 4000.0];
/// The milliseconds of a day.
const DAY_MS: u64 = 86_400_000;

const TABLES: &str = "
CREATE TABLE puzzle (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    family TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    rated_ms INTEGER NOT NULL,
    missed TEXT,
    body TEXT NOT NULL
);
CREATE INDEX puzzle_rating ON puzzle (family, rating);
CREATE INDEX puzzle_missed ON puzzle (missed) WHERE missed IS NOT NULL;
CREATE TABLE theme (family TEXT NOT NULL, theme TEXT NOT NULL, puzzle INTEGER NOT NULL, PRIMARY KEY (family, theme, puzzle)) WITHOUT ROWID;
CREATE TABLE person (
    id TEXT NOT NULL,
    family TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    tries INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    rated_ms INTEGER NOT NULL,
    run INTEGER NOT NULL DEFAULT 0,
    best_run INTEGER NOT NULL DEFAULT 0,
    days INTEGER NOT NULL DEFAULT 0,
    last_day INTEGER NOT NULL DEFAULT -9,
    PRIMARY KEY (id, family)
) WITHOUT ROWID;
CREATE TABLE try (person TEXT NOT NULL, puzzle INTEGER NOT NULL, solved INTEGER NOT NULL, at_ms INTEGER NOT NULL, PRIMARY KEY (person, puzzle)) WITHOUT ROWID;
CREATE TABLE daily (day INTEGER NOT NULL, family TEXT NOT NULL, puzzle INTEGER NOT NULL, PRIMARY KEY (day, family)) WITHOUT ROWID;
CREATE TABLE mark (source TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
";

/// A file of puzzles; may be used from many threads, one at a time.
pub struct Shelf {
    file: Mutex<Connection>,
}

/// A puzzle with the rating and the count that follow from people's answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Shelved {
    /// The puzzle itself.
    pub puzzle: Puzzle,
    /// Its rating, on the scale of Elo.
    pub rating: f64,
    /// The number of people who tried it.
    pub tries: u32,
}

/// The criteria for the next puzzle.
#[derive(Clone, Default, Debug)]
pub struct PuzzleFilter {
    /// The family of games.
    pub family: String,
    /// The theme; empty for any.
    pub theme: String,
    /// The person who asks: puzzles they tried are left out. `None` for an anonymous request.
    pub person: Option<String>,
    /// True for only the puzzles that this person missed in a game of theirs.
    pub mine: bool,
    /// The rating to look near; `None`: that of `person`.
    pub near: Option<f64>,
    /// A random number that decides among those that fit.
    pub chance: u64,
    /// Maps whose puzzles are left out.
    pub without: Vec<String>,
}

/// A person's rating and counts with the puzzles of a family.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Standing {
    /// The rating, on the scale of Elo.
    pub rating: f64,
    /// True while the rating is provisional, from too few answers.
    pub provisional: bool,
    /// The number of puzzles tried.
    pub tries: u32,
    /// The number of puzzles solved at the first try.
    pub solved: u32,
    /// The current number of right answers in a row.
    pub run: u32,
    /// The longest such run.
    pub best_run: u32,
    /// The number of days in a row on which a puzzle was solved.
    pub days: u32,
}

/// The effect of an answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Counted {
    /// The rating before and after.
    pub rating: [f64; 2],
    /// The person's rating and counts now.
    pub standing: Standing,
}

/// The number of puzzles of a family.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The family of games.
    pub family: String,
    /// The number of all its puzzles.
    pub count: u32,
    /// The numbers by theme.
    pub themes: Vec<(String, u32)>,
}

pub(crate) fn fault(why: rusqlite::Error) -> Problem {
    Problem::new("puzzle-storage").with("detail", why)
}

pub(crate) fn unknown(id: &str) -> Problem {
    Problem::new("unknown-puzzle").with("puzzle", id)
}

impl Shelf {
    /// The name of the file in a data folder.
    pub const FILE: &str = "puzzles.sqlite";

    /// Opens a file, or makes one that has the starter's puzzles.
    ///
    /// # Errors
    /// `puzzle-storage`, and `puzzle-newer` for a file of a later version of this program.
    pub fn open(path: &Path, now_ms: u64) -> Result<Shelf, Problem> {
        Shelf::of(Connection::open(path).map_err(fault)?, now_ms)
    }

    /// Opens a file in memory, with the starter's puzzles.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn in_memory(now_ms: u64) -> Result<Shelf, Problem> {
        Shelf::of(Connection::open_in_memory().map_err(fault)?, now_ms)
    }

    fn of(file: Connection, now_ms: u64) -> Result<Shelf, Problem> {
        file.busy_timeout(PATIENCE).map_err(fault)?;
        // An answer is on the disk before it is acknowledged.
        file.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192;",
        )
        .map_err(fault)?;
        let version: i64 = file.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(fault)?;
        if version > VERSION {
            return Err(Problem::new("puzzle-newer").with("version", version));
        }
        let shelf = Shelf { file: Mutex::new(file) };
        if version < VERSION {
            let mut file = shelf.lock();
            let all = file.transaction().map_err(fault)?;
            if version == 0 {
                all.execute_batch(TABLES).map_err(fault)?;
                for puzzle in starter::puzzles() {
                    insert(&all, &puzzle, None, now_ms)?;
                }
            }
            all.execute_batch(placed::TABLES).map_err(fault)?;
            all.pragma_update(None, "user_version", VERSION).map_err(fault)?;
            all.commit().map_err(fault)?;
        }
        Ok(shelf)
    }

    /// Locks the connection, even after a panic: SQLite rolls back a transaction that was not committed.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Connection> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds puzzles, and returns the number of new ones; those that are there already stay as they are. Each comes
    /// with the person who missed it in a game, if any. A mark is stored in the same transaction.
    ///
    /// # Errors
    /// `puzzles-full`, `puzzle-storage`.
    pub fn add(
        &self,
        found: &[(Puzzle, Option<String>)],
        mark: Option<(&str, i64)>,
        now_ms: u64,
    ) -> Result<usize, Problem> {
        let mut file = self.lock();
        let all = file.transaction().map_err(fault)?;
        let count: i64 = all.query_row("SELECT count(*) FROM puzzle", [], |row| row.get(0)).map_err(fault)?;
        if count.unsigned_abs() + found.len() as u64 > MOST {
            return Err(Problem::new("puzzles-full").with("most", MOST));
        }
        let mut added = 0;
        for (puzzle, missed) in found {
            added += usize::from(insert(&all, puzzle, missed.as_deref(), now_ms)?);
        }
        if let Some((source, at)) = mark {
            all.execute(
                "INSERT INTO mark (source, at) VALUES (?1, ?2) ON CONFLICT (source) DO UPDATE SET at = ?2",
                params![source, at],
            )
            .map_err(fault)?;
        }
        all.commit().map_err(fault)?;
        Ok(added)
    }

    /// Returns the position up to which a source was read; 0 if it was not read yet.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn mark(&self, source: &str) -> Result<i64, Problem> {
        let file = self.lock();
        let found = file.query_row("SELECT at FROM mark WHERE source = ?1", [source], |row| row.get(0));
        found.optional().map(Option::unwrap_or_default).map_err(fault)
    }

    /// Returns the numbers of puzzles, by family and theme.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn tally(&self) -> Result<Vec<Tally>, Problem> {
        let file = self.lock();
        let mut rows = file
            .prepare_cached("SELECT family, count(*) FROM puzzle GROUP BY family ORDER BY family")
            .map_err(fault)?;
        let families = rows.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, u32>(1)?)));
        let families: Vec<(String, u32)> =
            families.map_err(fault)?.collect::<Result<_, _>>().map_err(fault)?;
        let mut rows = file
            .prepare_cached("SELECT theme, count(*) FROM theme WHERE family = ?1 GROUP BY theme")
            .map_err(fault)?;
        let mut told = Vec::new();
        for (family, count) in families {
            let themes = rows.query_map([&family], |row| Ok((row.get(0)?, row.get(1)?))).map_err(fault)?;
            let themes = themes.collect::<Result<_, _>>().map_err(fault)?;
            told.push(Tally { family, count, themes });
        }
        Ok(told)
    }

    /// Returns a puzzle by its id, made by the engine or [set](crate::placed) by a person.
    ///
    /// # Errors
    /// `unknown-puzzle`, `puzzle-storage`.
    pub fn puzzle(&self, id: &str) -> Result<Shelved, Problem> {
        let file = self.lock();
        let found = file.query_row("SELECT body, rating, tries FROM puzzle WHERE id = ?1", [id], shelved);
        match found.optional().map_err(fault)? {
            Some(found) => Ok(found),
            None => {
                drop(file);
                self.placed(id).map(Shelved::from)
            }
        }
    }

    /// Returns the puzzle of the day of a family, where it was chosen already.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn chosen_daily(&self, family: &str, now_ms: u64) -> Result<Option<Shelved>, Problem> {
        of_day(&self.lock(), family, (now_ms / DAY_MS) as i64)
    }

    /// Returns the puzzle of the day of a family: the same for all people, chosen at the first request, and another
    /// one where that is of a map in `without`.
    ///
    /// # Errors
    /// `no-puzzle`, `puzzle-storage`.
    pub fn daily(&self, family: &str, without: &[String], now_ms: u64) -> Result<Shelved, Problem> {
        let day = (now_ms / DAY_MS) as i64;
        let file = self.lock();
        if let Some(found) = of_day(&file, family, day)?.filter(|found| found.puzzle.is_on_none_of(without)) {
            return Ok(found);
        }
        let maps = listed(without);
        // Of those that were not a puzzle of the day, or of all when each was.
        let rows = |free: &str| -> Result<Option<i64>, Problem> {
            let sql = format!(
                "SELECT n FROM puzzle WHERE family = ?1 AND ?3 = ?3 {} {free}
                 ORDER BY (n * 7919 + ?2 * 104729) % 1000003 LIMIT 1",
                but(without, 3)
            );
            file.query_row(&sql, params![family, day, maps], |row| row.get(0)).optional().map_err(fault)
        };
        let chosen = match rows("AND n NOT IN (SELECT puzzle FROM daily)")? {
            Some(n) => n,
            None => rows("")?.ok_or_else(|| Problem::new("no-puzzle"))?,
        };
        file.execute(
            "INSERT OR REPLACE INTO daily (day, family, puzzle) VALUES (?1, ?2, ?3)",
            params![day, family, chosen],
        )
        .map_err(fault)?;
        of_day(&file, family, day)?.ok_or_else(|| Problem::new("no-puzzle"))
    }

    /// Returns a puzzle that fits the criteria, near in rating; puzzles that the person tried come only when there is
    /// no other.
    ///
    /// # Errors
    /// `no-puzzle`, `puzzle-storage`.
    pub fn next(&self, wanted: &PuzzleFilter, now_ms: u64) -> Result<Shelved, Problem> {
        let near = match (wanted.near, &wanted.person) {
            (Some(near), _) => near,
            (None, Some(person)) => self.standing(person, &wanted.family, now_ms)?.rating,
            (None, None) => rating::START,
        };
        let person = wanted.person.as_deref().unwrap_or_default();
        let file = self.lock();
        let mut sql = "SELECT body, rating, tries FROM puzzle WHERE family = ?1 AND rating BETWEEN ?2 AND ?3"
            .to_owned();
        if !wanted.theme.is_empty() {
            sql.push_str(" AND EXISTS (SELECT 1 FROM theme WHERE theme.family = ?1 AND theme = ?6 AND theme.puzzle = n)");
        }
        if wanted.mine {
            sql.push_str(" AND missed = ?4");
        }
        sql.push_str(&but(&wanted.without, 7));
        let maps = listed(&wanted.without);
        let fresh = " AND NOT EXISTS (SELECT 1 FROM try WHERE person = ?4 AND try.puzzle = n)";
        let order = " AND ?7 = ?7 AND ?6 = ?6 AND ?4 = ?4 ORDER BY (n * 7919 + ?5) % 1000003 LIMIT 1";
        let chance = (mixed(wanted.chance) >> 24) as i64;
        for free in [fresh, ""] {
            for by in NEAR {
                let sql = format!("{sql}{free}{order}");
                let mut row = file.prepare_cached(&sql).map_err(fault)?;
                let found = row.query_row(
                    params![wanted.family, near - by, near + by, person, chance, wanted.theme, maps],
                    shelved,
                );
                if let Some(found) = found.optional().map_err(fault)? {
                    return Ok(found);
                }
            }
        }
        Err(Problem::new("no-puzzle"))
    }

    /// Returns a person's rating and counts in a family.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn standing(&self, person: &str, family: &str, now_ms: u64) -> Result<Standing, Problem> {
        Ok(self::person(&self.lock(), person, family, now_ms)?.told(now_ms))
    }

    /// Counts a person's first answer to a puzzle; `None` when they had answered it before.
    ///
    /// # Errors
    /// `unknown-puzzle`, `puzzle-storage`.
    pub fn answered(
        &self,
        person: &str,
        id: &str,
        solved: bool,
        now_ms: u64,
    ) -> Result<Option<Counted>, Problem> {
        let mut file = self.lock();
        let all = file.transaction().map_err(fault)?;
        let found = all.query_row(
            "SELECT n, family, rating, deviation, volatility, tries, rated_ms FROM puzzle WHERE id = ?1",
            [id],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, rating_of(row, 2)?)),
        );
        let (n, family, own) = found.optional().map_err(fault)?.ok_or_else(|| unknown(id))?;
        let new = all.execute(
            "INSERT OR IGNORE INTO try (person, puzzle, solved, at_ms) VALUES (?1, ?2, ?3, ?4)",
            params![person, n, solved, now_ms as i64],
        );
        if new.map_err(fault)? == 0 {
            return Ok(None);
        }
        let mut who = self::person(&all, person, &family, now_ms)?;
        let score = if solved { Score::Win } else { Score::Loss };
        let [after, puzzle] = rating::rate(&who.rating, &own, score, now_ms);
        let before = who.rating.rating;
        who.rating = after;
        let day = (now_ms / DAY_MS) as i64;
        if solved {
            who.solved += 1;
            who.run += 1;
            who.best_run = who.best_run.max(who.run);
            if who.last_day != day {
                who.days = if who.last_day == day - 1 { who.days + 1 } else { 1 };
                who.last_day = day;
            }
        } else {
            who.run = 0;
        }
        let r = &who.rating;
        all.execute(
            "INSERT OR REPLACE INTO person (id, family, rating, deviation, volatility, tries, solved, rated_ms, run, best_run, days, last_day)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            params![
                person, family, r.rating, r.deviation, r.volatility, r.games, who.solved, now_ms as i64, who.run,
                who.best_run, who.days, who.last_day
            ],
        )
        .map_err(fault)?;
        all.execute(
            "UPDATE puzzle SET rating = ?2, deviation = ?3, volatility = ?4, tries = ?5, rated_ms = ?6 WHERE n = ?1",
            params![n, puzzle.rating, puzzle.deviation, puzzle.volatility, puzzle.games, now_ms as i64],
        )
        .map_err(fault)?;
        all.commit().map_err(fault)?;
        Ok(Some(Counted { rating: [before, r.rating], standing: who.told(now_ms) }))
    }

    /// Deletes a person's rows: their answers, their ratings, the puzzles they missed, and their authorship of
    /// puzzles.
    ///
    /// # Errors
    /// `puzzle-storage`.
    pub fn forget(&self, person: &str) -> Result<(), Problem> {
        let mut file = self.lock();
        let all = file.transaction().map_err(fault)?;
        for sql in [
            "DELETE FROM try WHERE person = ?1",
            "DELETE FROM person WHERE id = ?1",
            "UPDATE puzzle SET missed = NULL WHERE missed = ?1",
            "DELETE FROM placed_try WHERE person = ?1",
            "UPDATE placed SET owner = '' WHERE owner = ?1",
        ] {
            all.execute(sql, [person]).map_err(fault)?;
        }
        all.commit().map_err(fault)
    }

    /// Calls `each` with every puzzle, in the order in which they were added.
    ///
    /// # Errors
    /// `puzzle-storage`, and whatever `each` answers.
    pub fn each(&self, each: &mut dyn FnMut(Puzzle) -> Result<(), Problem>) -> Result<(), Problem> {
        let file = self.lock();
        let mut rows = file.prepare("SELECT body, rating, tries FROM puzzle ORDER BY n").map_err(fault)?;
        for row in rows.query_map([], shelved).map_err(fault)? {
            each(row.map_err(fault)?.puzzle)?;
        }
        Ok(())
    }
}

/// The row of a person in the table of solvers.
struct Row {
    rating: Rating,
    solved: u32,
    run: u32,
    best_run: u32,
    days: u32,
    last_day: i64,
}

impl Row {
    fn told(&self, now_ms: u64) -> Standing {
        let today = (now_ms / DAY_MS) as i64;
        Standing {
            rating: self.rating.rating,
            provisional: self.rating.is_provisional(now_ms),
            tries: self.rating.games,
            solved: self.solved,
            run: self.run,
            best_run: self.best_run,
            days: if self.last_day >= today - 1 { self.days } else { 0 },
        }
    }
}

fn person(file: &Connection, person: &str, family: &str, now_ms: u64) -> Result<Row, Problem> {
    let found = file.query_row(
        "SELECT rating, deviation, volatility, tries, rated_ms, solved, run, best_run, days, last_day
         FROM person WHERE id = ?1 AND family = ?2",
        [person, family],
        |row| {
            Ok(Row {
                rating: rating_of(row, 0)?,
                solved: row.get(5)?,
                run: row.get(6)?,
                best_run: row.get(7)?,
                days: row.get(8)?,
                last_day: row.get(9)?,
            })
        },
    );
    let new = || Row {
        rating: Rating::first(std::iter::empty(), now_ms),
        solved: 0,
        run: 0,
        best_run: 0,
        days: 0,
        last_day: -9,
    };
    Ok(found.optional().map_err(fault)?.unwrap_or_else(new))
}

/// The maps as the JSON that [`but`] reads.
fn listed(maps: &[String]) -> String {
    serde_json::to_string(maps).unwrap_or_default()
}

/// The condition that leaves out puzzles of the maps in the parameter of that number; empty where there are none, so that
/// nothing is read for it.
fn but(maps: &[String], number: u32) -> String {
    if maps.is_empty() {
        return String::new();
    }
    format!(" AND coalesce(json_extract(body, '$.map'), '') NOT IN (SELECT value FROM json_each(?{number}))")
}

fn of_day(file: &Connection, family: &str, day: i64) -> Result<Option<Shelved>, Problem> {
    let sql = "SELECT body, rating, tries FROM daily JOIN puzzle ON n = daily.puzzle WHERE day = ?1 AND daily.family = ?2";
    file.query_row(sql, params![day, family], shelved).optional().map_err(fault)
}

fn rating_of(row: &rusqlite::Row, first: usize) -> rusqlite::Result<Rating> {
    Ok(Rating {
        rating: row.get(first)?,
        deviation: row.get(first + 1)?,
        volatility: row.get(first + 2)?,
        games: row.get(first + 3)?,
        at_ms: row.get::<_, i64>(first + 4)?.unsigned_abs(),
    })
}

fn shelved(row: &rusqlite::Row) -> rusqlite::Result<Shelved> {
    let body: String = row.get(0)?;
    let puzzle = serde_json::from_str(&body).map_err(|why| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(why))
    })?;
    Ok(Shelved { puzzle, rating: row.get(1)?, tries: row.get(2)? })
}

fn insert(file: &Connection, puzzle: &Puzzle, missed: Option<&str>, now_ms: u64) -> Result<bool, Problem> {
    let body =
        serde_json::to_string(puzzle).map_err(|why| Problem::new("puzzle-format").with("detail", why))?;
    let first = Rating::first(std::iter::empty(), now_ms);
    let new = file.execute(
        "INSERT OR IGNORE INTO puzzle (id, family, rating, deviation, volatility, rated_ms, missed, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            puzzle.id,
            puzzle.family(),
            f64::from(puzzle.rating),
            GUESS,
            first.volatility,
            now_ms as i64,
            missed,
            body
        ],
    );
    if new.map_err(fault)? == 0 {
        return Ok(false);
    }
    let n = file.last_insert_rowid();
    for theme in &puzzle.themes {
        file.execute(
            "INSERT OR IGNORE INTO theme (family, theme, puzzle) VALUES (?1, ?2, ?3)",
            params![puzzle.family(), theme, n],
        )
        .map_err(fault)?;
    }
    Ok(true)
}

/// Checks that every puzzle of the starter can be played, and returns their number; for tests and after a change of
/// rules.
///
/// # Errors
/// The fault of the first puzzle that cannot be played.
pub fn check_starter() -> Result<usize, Problem> {
    starter::puzzles().try_fold(0, |count, puzzle| puzzle.check(&open).map(|()| count + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A11: an answer that was acknowledged is on the disk; with NORMAL it was only on its way there.
    #[test]
    fn an_answer_that_is_acknowledged_is_on_the_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let shelf = Shelf::open(&folder.path().join(Shelf::FILE), 0).expect("opens");
        let number: i64 =
            shelf.lock().query_row("PRAGMA synchronous", [], |row| row.get(0)).expect("a number");
        assert_eq!(number, 2, "FULL");
    }
}
