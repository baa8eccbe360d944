//! Checks and recomputation of derived rows, which follow from other rows.
//!
//! A game's row follows from its log, a rating from the rows of rated games in the order of their numbers. Numbers of
//! rows that are there stay as they are: they give the order in which games were rated, which no log has.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use futures_util::TryStreamExt;
use people::{Pool, Rating, Score};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};
use wire::ClockSpec;

use super::backup::{PAGE, map_of};
use super::db::failed;
use super::sql::games::{self, Change, NewRow, Ratings};
use super::sql::{counts, read, slow};
use super::{open, writer};
use crate::games::Finished;
use crate::report::{Judge, judged};
use crate::{Asleep, Damage, StoreError};

/// Rated games that are read with one query.
const GAMES: i64 = 10_000;
/// Findings that are listed at most.
const MOST_FINDINGS: usize = 1000;

/// The numbers of rows that were rebuilt.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Rebuilt {
    /// The number of games that have a row now.
    pub games: u64,
    /// The number of rows that were missing.
    pub made: u64,
    /// The number of rows that differed from the log.
    pub mended: u64,
    /// The number of rows of games that have not ended, or are not there.
    pub deleted: u64,
    /// The number of ratings and changes of ratings that were missing or wrong.
    pub ratings: u64,
    /// The number of deadlines of slow games that were missing, wrong, or of games that do not go on.
    pub deadlines: u64,
    /// Tables that cannot be read; their rows stayed as they are. The first thousand.
    pub unread: Vec<Damage>,
}

/// Makes the row of each game that has ended from its log, and then all ratings. No other process may use the folder.
///
/// # Errors
/// An error when the database cannot be opened or written.
pub async fn rebuild(folder: &Path, judge: Judge<'_>) -> Result<Rebuilt, StoreError> {
    let mut connection = open::writing(folder).await?.connection;
    let mut done = Rebuilt::default();
    let mut late = Vec::new();
    let mut last = String::new();
    loop {
        let query =
            sqlx::query("SELECT id FROM seating WHERE id > ? ORDER BY id LIMIT ?").bind(&last).bind(PAGE);
        let rows = query.fetch_all(&mut connection).await.map_err(failed)?;
        let ids =
            rows.iter().map(|row| row.try_get(0)).collect::<Result<Vec<String>, _>>().map_err(failed)?;
        let Some(end) = ids.last() else { break };
        last.clone_from(end);
        writer::transaction(&mut connection, true, async |connection| {
            for id in &ids {
                rebuild_one(connection, id, judge, &mut done, &mut late).await?;
            }
            Ok(())
        })
        .await
        .map_err(writer::Undone::why)?;
    }
    // Rated games whose number is lost are rated in the order in which they ended.
    late.sort_by(|a: &NewRow, b: &NewRow| (a.ended_ms, &a.id).cmp(&(b.ended_ms, &b.id)));
    writer::transaction(&mut connection, true, async |connection| {
        for row in &late {
            let n = next(connection).await?;
            games::insert(connection, &[(n, row)], &BTreeSet::from([n])).await?;
        }
        for sql in [
            "DELETE FROM game_player WHERE n NOT IN (SELECT n FROM game)",
            "DELETE FROM game_player WHERE n IN (SELECT n FROM game WHERE id NOT IN (SELECT id FROM seating))",
        ] {
            sqlx::query(sql).execute(&mut *connection).await.map_err(failed)?;
        }
        let query = sqlx::query("DELETE FROM game WHERE id NOT IN (SELECT id FROM seating)");
        done.deleted += query.execute(&mut *connection).await.map_err(failed)?.rows_affected();
        counts::count(connection, "games_since_ms", 0).await
    })
    .await
    .map_err(writer::Undone::why)?;
    done.ratings = write_ratings(&mut connection).await?;
    let row = sqlx::query("SELECT count(*) FROM game").fetch_one(&mut connection).await.map_err(failed)?;
    done.games = row.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned();
    open::leave(connection).await?;
    Ok(done)
}

/// Makes all ratings, and every change of one, from the rows of the rated games. No other process may use the folder.
/// Returns how many were missing or wrong.
///
/// # Errors
/// An error when the database cannot be opened or written.
pub async fn recompute_ratings(folder: &Path) -> Result<u64, StoreError> {
    let mut connection = open::writing(folder).await?.connection;
    let wrong = write_ratings(&mut connection).await;
    open::leave(connection).await?;
    wrong
}

async fn rebuild_one(
    connection: &mut SqliteConnection,
    id: &str,
    judge: Judge<'_>,
    done: &mut Rebuilt,
    late: &mut Vec<NewRow>,
) -> Result<(), StoreError> {
    let (expected, deadline) = match expected(connection, id, judge).await {
        Ok(expected) => expected,
        Err(StoreError::Damaged(damage)) => {
            if done.unread.len() < MOST_FINDINGS {
                done.unread.push(*damage);
            }
            return Ok(());
        }
        Err(why) => return Err(why),
    };
    if rebuild_deadline(connection, id, deadline).await? {
        done.deadlines += 1;
    }
    let found = games::stored(connection, id).await?;
    match (expected, found) {
        (None, None) => {}
        (Some(row), None) => {
            done.made += 1;
            if row.pool.is_some() {
                late.push(row);
            } else {
                let n = next(connection).await?;
                games::insert(connection, &[(n, &row)], &BTreeSet::new()).await?;
            }
        }
        (None, Some((n, ..))) => {
            done.deleted += 1;
            remove(connection, n).await?;
        }
        (Some(row), Some((n, stored, lines))) => {
            let row = row.rated_as_before(&stored);
            if difference(&row, &stored).is_none() && lines == games::lines(&row) {
                return Ok(());
            }
            done.mended += 1;
            remove(connection, n).await?;
            let rated = row.pool.iter().map(|_| n).collect();
            games::insert(connection, &[(n, &row)], &rated).await?;
        }
    }
    Ok(())
}

async fn next(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    let row = sqlx::query("SELECT coalesce(max(n), 0) + 1 FROM game").fetch_one(connection).await;
    row.map_err(failed)?.try_get(0).map_err(failed)
}

async fn remove(connection: &mut SqliteConnection, n: i64) -> Result<(), StoreError> {
    for sql in ["DELETE FROM game_player WHERE n = ?", "DELETE FROM game WHERE n = ?"] {
        sqlx::query(sql).bind(n).execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(())
}

/// The row that the log of a table asks for, whose pool is there where the game counts.
async fn expected(
    connection: &mut SqliteConnection,
    id: &str,
    judge: Judge<'_>,
) -> Result<(Option<NewRow>, Deadline), StoreError> {
    let Some(stored) = read::load_by(connection, id).await? else { return Ok((None, Deadline::default())) };
    let map = map_of(connection, &stored).await?;
    let judged = judged(judge, id, &stored, map.as_ref()).map_err(|why| {
        StoreError::damaged_table(format!("the log does not follow the rules: {why}"), id, None)
    })?;
    let row = match judged.finished {
        Some(finished) => Some(counted(connection, &finished).await?),
        None => None,
    };
    let clock = stored.setup.clock;
    Ok((row, Deadline { expected: judged.deadline, stored: stored.asleep, clock }))
}

/// A deadline as the log asks for it, and as it is stored.
struct Deadline {
    expected: Option<Asleep>,
    stored: Option<Asleep>,
    clock: ClockSpec,
}

impl Default for Deadline {
    fn default() -> Deadline {
        Deadline { expected: None, stored: None, clock: ClockSpec::None }
    }
}

/// Returns the fault of the deadline of a slow game, or of its absence. Its time is not compared: it moves with
/// vacations and with the outages of a hall.
pub(super) fn deadline_fault(expected: Option<Asleep>, stored: Option<Asleep>) -> Option<String> {
    // Other games have such a row while they sleep, without a side.
    let stored = stored.and_then(|asleep| asleep.turn);
    match (expected.and_then(|asleep| asleep.turn), stored) {
        (expected, stored) if expected == stored => None,
        (Some(_), None) => Some("a slow game that goes on has no deadline".to_owned()),
        (None, _) => Some("there is a deadline of a slow game that does not go on".to_owned()),
        (Some(_), Some(_)) => Some("the deadline of a slow game is that of the other side".to_owned()),
    }
}

/// Writes the deadline that the log asks for, where it is not there; returns whether it was not. The time until the
/// hall was last seen alive is charged to neither player.
async fn rebuild_deadline(
    connection: &mut SqliteConnection,
    id: &str,
    Deadline { expected, stored, clock }: Deadline,
) -> Result<bool, StoreError> {
    if deadline_fault(expected, stored).is_none() {
        return Ok(false);
    }
    let Some(expected) = expected else {
        let query = sqlx::query("DELETE FROM asleep WHERE seating = ?").bind(id);
        query.execute(connection).await.map_err(failed)?;
        return Ok(true);
    };
    let beat_ms = counts::counted(connection, "beat_ms").await?.unwrap_or(0);
    let asleep = expected.stood_still(clock, expected.since_ms, beat_ms.max(expected.since_ms));
    slow::sleep(connection, id, asleep).await?;
    Ok(true)
}

/// The row of a game, with the pool only where both players have accounts.
async fn counted(connection: &mut SqliteConnection, finished: &Finished) -> Result<NewRow, StoreError> {
    let mut row = NewRow::of(finished);
    if row.pool.is_some() && !games::are_accounts(connection, &row.people).await? {
        row.pool = None;
    }
    Ok(row)
}

/// Returns the fault of the row of a game that `finished` says has ended, or of its absence; `None` when all is well.
pub(super) async fn fault(
    connection: &mut SqliteConnection,
    id: &str,
    finished: Option<&Finished>,
) -> Result<Option<String>, StoreError> {
    let found = games::stored(connection, id).await?;
    let what = match (finished, found) {
        (None, None) => None,
        (None, Some(_)) => Some("there is a row of a game that has not ended".to_owned()),
        (Some(finished), None) => {
            // Games from before there were such rows have none.
            let since_ms = counts::counted(connection, "games_since_ms").await?.unwrap_or(0);
            (finished.game.ended_ms >= since_ms)
                .then(|| "the row of the game that ended is missing".to_owned())
        }
        (Some(finished), Some((_, stored, lines))) => {
            let row = counted(connection, finished).await?.rated_as_before(&stored);
            let lists = || {
                (lines != games::lines(&row))
                    .then(|| "the rows of its players are not what the log says".to_owned())
            };
            difference(&row, &stored).or_else(lists)
        }
    };
    Ok(what.map(|what| format!("{what}; `qiguan admin rebuild` makes it anew")))
}

/// Returns the difference between a stored row and the one that the log asks for.
fn difference(row: &NewRow, stored: &NewRow) -> Option<String> {
    let field = row.difference(stored)?;
    Some(format!("the row of its game says something else than the log: {field}"))
}

/// The numbers of a rating, or of a change of one, to the bit.
type Numbers = [u64; 8];

fn numbers_of(change: &Change) -> Numbers {
    let Change { before, after, .. } = change;
    [
        before.rating.to_bits(),
        before.deviation.to_bits(),
        before.volatility.to_bits(),
        after.rating.to_bits(),
        after.deviation.to_bits(),
        after.volatility.to_bits(),
        after.at_ms,
        0,
    ]
}

fn numbers(rating: &Rating) -> Numbers {
    let bits = [rating.rating, rating.deviation, rating.volatility].map(f64::to_bits);
    [bits[0], bits[1], bits[2], 0, 0, 0, rating.at_ms, rating.games.into()]
}

/// All ratings and all changes in compact form: a hall may have millions. The key is the number of the game for a
/// change, 0 for the rating itself; the value is a hash of the numbers.
#[derive(Default)]
struct Written(HashMap<(u32, i64), u64>);

impl Written {
    fn keep(&mut self, whose: u32, n: i64, numbers: Numbers) {
        let mut hash = DefaultHasher::new();
        numbers.hash(&mut hash);
        self.0.insert((whose, n), hash.finish());
    }
}

/// Short numbers for the people in each pool.
#[derive(Default)]
struct Whose(HashMap<(String, String), u32>);

impl Whose {
    fn of(&mut self, person: &str, pool: &str) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry((person.to_owned(), pool.to_owned())).or_insert(next)
    }

    fn names(self) -> HashMap<u32, (String, String)> {
        self.0.into_iter().map(|(names, short)| (short, names)).collect()
    }
}

/// A replay of the rated games in their order.
#[derive(Default)]
struct Replay {
    ratings: Ratings,
    /// The number of the last game.
    last: i64,
    /// The rating resets, each with the number of the game after which it applies, in order; `None` before they were
    /// read.
    resets: Option<VecDeque<(i64, String)>>,
}

impl Replay {
    /// Returns the rating changes of the next games; empty after the last one.
    async fn next(&mut self, connection: &mut SqliteConnection) -> Result<Vec<Change>, StoreError> {
        let sql = "SELECT n, first, second, winner, pool, ended_ms FROM game
            WHERE n > ? AND pool IS NOT NULL ORDER BY n LIMIT ?";
        let query = sqlx::query(sql).bind(self.last).bind(GAMES);
        let rows = query.fetch_all(&mut *connection).await.map_err(failed)?;
        if self.resets.is_none() {
            let query = sqlx::query("SELECT after_n, person FROM rating_reset ORDER BY after_n, person");
            let resets = query.fetch_all(connection).await.map_err(failed)?;
            let reset = |row: &SqliteRow| Ok((row.try_get(0)?, row.try_get(1)?));
            self.resets = Some(resets.iter().map(reset).collect::<Result<_, sqlx::Error>>().map_err(failed)?);
        }
        let mut changes = Vec::with_capacity(2 * rows.len());
        for row in &rows {
            let (n, people, pool, score, ended_ms) = rated(row)?;
            self.reset_before(n);
            self.last = n;
            changes.extend(self.ratings.play(n, &people, &pool, score, ended_ms));
        }
        if rows.is_empty() {
            self.reset_before(i64::MAX);
        }
        Ok(changes)
    }

    /// Applies the rating resets that come before game `n`.
    fn reset_before(&mut self, n: i64) {
        let resets = self.resets.get_or_insert_default();
        while let Some((_, person)) = resets.pop_front_if(|(after, _)| *after < n) {
            self.ratings.0.remove(&person);
        }
    }
}

/// A row `n, first, second, winner, pool, ended_ms`.
fn rated(row: &SqliteRow) -> Result<(i64, [String; 2], Pool, Score, i64), StoreError> {
    let n = row.try_get(0).map_err(failed)?;
    let people = [row.try_get(1).map_err(failed)?, row.try_get(2).map_err(failed)?];
    let winner: Option<i64> = row.try_get(3).map_err(failed)?;
    let text: &str = row.try_get(4).map_err(failed)?;
    let pool = Pool::read(text).ok_or_else(|| {
        StoreError::damaged(
            format!("the pool {text:?} is none"),
            format!("game {n}"),
            "run `qiguan admin rebuild`",
        )
    })?;
    let score = games::score(winner.map(|side| usize::from(side != 0)));
    Ok((n, people, pool, score, row.try_get(5).map_err(failed)?))
}

/// Returns descriptions of the ratings that differ from what the rated games ask for.
pub(super) async fn wrong_ratings(connection: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    let (mut whose, mut wanted, mut replay) = (Whose::default(), Written::default(), Replay::default());
    loop {
        let changes = replay.next(connection).await?;
        if changes.is_empty() {
            break;
        }
        for change in &changes {
            wanted.keep(whose.of(&change.person, &change.pool.to_string()), change.n, numbers_of(change));
        }
    }
    for (person, pools) in &replay.ratings.0 {
        for (pool, rating) in pools {
            wanted.keep(whose.of(person, &pool.to_string()), 0, numbers(rating));
        }
    }
    let mut found = Written::default();
    let sql = "SELECT person, pool, n, rating_before, deviation_before, volatility_before, rating, deviation,
        volatility, at_ms, 0 FROM rating_change WHERE cause = 'game'
        UNION ALL SELECT person, pool, 0, rating, deviation, volatility, 0.0, 0.0, 0.0, at_ms, games FROM rating";
    let mut rows = sqlx::query(sql).fetch(connection);
    while let Some(row) = rows.try_next().await.map_err(failed)? {
        let (person, pool) = (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?);
        let mut numbers = [0; 8];
        for (i, number) in numbers.iter_mut().enumerate().take(6) {
            *number = row.try_get::<f64, _>(i + 3).map_err(failed)?.to_bits();
        }
        for (i, number) in numbers.iter_mut().enumerate().skip(6) {
            *number = row.try_get::<i64, _>(i + 3).map_err(failed)?.cast_unsigned();
        }
        found.keep(whose.of(person, pool), row.try_get(2).map_err(failed)?, numbers);
    }
    drop(rows);
    let missing = wanted.0.iter().filter(|(key, hash)| found.0.get(*key) != Some(*hash)).map(|(key, _)| *key);
    let strange = found.0.keys().filter(|key| !wanted.0.contains_key(*key)).copied();
    let mut wrong: Vec<(u32, i64)> = missing.chain(strange).collect();
    wrong.sort_unstable();
    let names = whose.names();
    let told = |(whose, n): (u32, i64)| {
        let (person, pool) = &names[&whose];
        match n {
            0 => format!("the rating of {person} in {pool}"),
            n => format!("the change of the rating of {person} in {pool} by game {n}"),
        }
    };
    Ok(wrong.into_iter().map(told).collect())
}

async fn write_ratings(connection: &mut SqliteConnection) -> Result<u64, StoreError> {
    let wrong = wrong_ratings(connection).await?.len() as u64;
    if wrong == 0 {
        return Ok(0);
    }
    writer::transaction(connection, true, async |connection| {
        for sql in ["DELETE FROM rating_change WHERE cause = 'game'", "DELETE FROM rating"] {
            sqlx::query(sql).execute(&mut *connection).await.map_err(failed)?;
        }
        let mut replay = Replay::default();
        loop {
            let changes = replay.next(connection).await?;
            if changes.is_empty() {
                let sql = "DELETE FROM rating WHERE NOT EXISTS (SELECT 1 FROM rating_change c
                    WHERE c.person = rating.person AND c.pool = rating.pool AND c.n >
                        (SELECT coalesce(max(after_n), -1) FROM rating_reset r WHERE r.person = rating.person))";
                sqlx::query(sql).execute(connection).await.map_err(failed)?;
                return Ok(wrong);
            }
            games::insert_changes(connection, &changes).await?;
        }
    })
    .await
    .map_err(writer::Undone::why)
}
