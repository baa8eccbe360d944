//! Rows that follow from other rows: whether they are what they should be, and making them anew.
//!
//! A game's row follows from its log, a rating from the rows of rated games in the order of their numbers. Numbers of
//! rows that are there stay as they are: they say in which order games were rated, which no log says.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use people::{Pool, Rating, Score};
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, Row, SqliteConnection};

use super::backup::{Judge, PAGE, map_of};
use super::games::{self, Change, NewRow, Ratings};
use super::{failed, open, read, schema, writer};
use crate::games::Finished;
use crate::{Damage, StoreError};

/// Rated games that are read with one query.
const GAMES: i64 = 10_000;
/// Findings that are listed at most.
const MOST_FINDINGS: usize = 1000;

/// What was made anew.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Rebuilt {
    /// Games that have a row now.
    pub games: u64,
    /// Rows that were missing.
    pub made: u64,
    /// Rows that were not what the log says.
    pub mended: u64,
    /// Rows of games that have not ended, or are not there.
    pub deleted: u64,
    /// Ratings and changes of ratings that were missing or wrong.
    pub ratings: u64,
    /// Tables that cannot be read; their rows stayed as they are. The first thousand.
    pub unread: Vec<Damage>,
}

/// Makes the row of each game that has ended from its log, and then all ratings. Nobody may use the folder.
///
/// # Errors
/// When the database cannot be opened or written.
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
        writer::count(connection, "games_since_ms", 0).await
    })
    .await
    .map_err(writer::Undone::why)?;
    done.ratings = write_ratings(&mut connection).await?;
    let row = sqlx::query("SELECT count(*) FROM game").fetch_one(&mut connection).await.map_err(failed)?;
    done.games = row.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned();
    let _ = connection.close().await;
    Ok(done)
}

/// Makes all ratings, and every change of one, from the rows of the rated games. Nobody may use the folder. Returns how
/// many were missing or wrong.
///
/// # Errors
/// When the database cannot be opened or written.
pub async fn recompute_ratings(folder: &Path) -> Result<u64, StoreError> {
    let mut connection = open::writing(folder).await?.connection;
    let wrong = write_ratings(&mut connection).await;
    let _ = connection.close().await;
    wrong
}

async fn rebuild_one(
    connection: &mut SqliteConnection,
    id: &str,
    judge: Judge<'_>,
    done: &mut Rebuilt,
    late: &mut Vec<NewRow>,
) -> Result<(), StoreError> {
    let expected = match expected(connection, id, judge).await {
        Ok(expected) => expected,
        Err(StoreError::Damaged(damage)) => {
            if done.unread.len() < MOST_FINDINGS {
                done.unread.push(*damage);
            }
            return Ok(());
        }
        Err(why) => return Err(why),
    };
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
) -> Result<Option<NewRow>, StoreError> {
    let Some(stored) = read::load_by(connection, id).await? else { return Ok(None) };
    let map = map_of(connection, &stored).await?;
    let judged = judge(id, &stored, map.as_ref()).map_err(|why| {
        StoreError::damaged_table(format!("the log does not follow the rules: {why}"), id, None)
    })?;
    match judged.finished {
        Some(finished) => counted(connection, &finished).await.map(Some),
        None => Ok(None),
    }
}

/// The row of a game, with the pool only where both players have accounts.
async fn counted(connection: &mut SqliteConnection, finished: &Finished) -> Result<NewRow, StoreError> {
    let mut row = NewRow::of(finished);
    if row.pool.is_some() && !games::are_accounts(connection, &row.people).await? {
        row.pool = None;
    }
    Ok(row)
}

/// What is wrong with the row of a game that `finished` says has ended, or with that there is none; `None` when all is well.
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
            // Before there were such rows, nobody wrote them.
            let since_ms = schema::number(connection, "games_since_ms").await?.unwrap_or(0);
            (finished.game.ended_ms >= since_ms)
                .then(|| "the row of the game that ended is missing".to_owned())
        }
        (Some(finished), Some((_, stored, lines))) => {
            let row = counted(connection, finished).await?;
            let lists = || {
                (lines != games::lines(&row))
                    .then(|| "the rows of its players are not what the log says".to_owned())
            };
            difference(&row, &stored).or_else(lists)
        }
    };
    Ok(what.map(|what| format!("{what}; `qiguan admin rebuild` makes it anew")))
}

/// Where a stored row is not the one that the log asks for.
fn difference(row: &NewRow, stored: &NewRow) -> Option<String> {
    let field = row.difference(stored)?;
    Some(format!("the row of its game says something else than the log: {field}"))
}

/// A rating, or a change of one, as it is stored: the numbers to the bit.
type Numbers = [u64; 8];

/// All ratings, and all changes, by person, pool and number of the game; 0 for the rating itself.
type Written = BTreeMap<(String, String, i64), Numbers>;

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

/// Every change that the rated games ask for, in their order, by groups that `each` takes; and the ratings after them.
async fn replay(
    connection: &mut SqliteConnection,
    mut each: impl FnMut(Change),
) -> Result<Ratings, StoreError> {
    let mut ratings = Ratings::default();
    let mut last = 0;
    loop {
        let sql = "SELECT n, first, second, winner, pool, ended_ms FROM game
            WHERE n > ? AND pool IS NOT NULL ORDER BY n LIMIT ?";
        let rows =
            sqlx::query(sql).bind(last).bind(GAMES).fetch_all(&mut *connection).await.map_err(failed)?;
        if rows.is_empty() {
            return Ok(ratings);
        }
        for row in &rows {
            let (n, people, pool, score, ended_ms) = rated(row)?;
            last = n;
            ratings.play(n, &people, &pool, score, ended_ms).into_iter().for_each(&mut each);
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

/// What is stored, and what should be.
async fn both(connection: &mut SqliteConnection) -> Result<(Written, Written, Vec<Change>), StoreError> {
    let (mut wanted, mut changes) = (Written::new(), Vec::new());
    let ratings = replay(connection, |change| {
        wanted.insert((change.person.clone(), change.pool.to_string(), change.n), numbers_of(&change));
        changes.push(change);
    })
    .await?;
    for (person, pools) in ratings.0 {
        for (pool, rating) in pools {
            wanted.insert((person.clone(), pool.to_string(), 0), numbers(&rating));
        }
    }
    let mut found = Written::new();
    let sql = "SELECT person, pool, n, rating_before, deviation_before, volatility_before, rating, deviation,
        volatility, at_ms, 0 FROM rating_change WHERE cause = 'game'
        UNION ALL SELECT person, pool, 0, rating, deviation, volatility, 0.0, 0.0, 0.0, at_ms, games FROM rating";
    let rows = sqlx::query(sql).fetch_all(connection).await.map_err(failed)?;
    for row in &rows {
        let key = (row.try_get(0), row.try_get(1), row.try_get(2));
        let key = (key.0.map_err(failed)?, key.1.map_err(failed)?, key.2.map_err(failed)?);
        let mut numbers = [0; 8];
        for (i, number) in numbers.iter_mut().enumerate().take(6) {
            *number = row.try_get::<f64, _>(i + 3).map_err(failed)?.to_bits();
        }
        for (i, number) in numbers.iter_mut().enumerate().skip(6) {
            *number = row.try_get::<i64, _>(i + 3).map_err(failed)?.cast_unsigned();
        }
        found.insert(key, numbers);
    }
    Ok((wanted, found, changes))
}

fn wrong(wanted: &Written, found: &Written) -> Vec<String> {
    let missing =
        wanted.iter().filter(|(key, numbers)| found.get(*key) != Some(*numbers)).map(|(key, _)| key);
    let strange = found.keys().filter(|key| !wanted.contains_key(*key));
    let told = |(person, pool, n): &(String, String, i64)| match n {
        0 => format!("the rating of {person} in {pool}"),
        n => format!("the change of the rating of {person} in {pool} by game {n}"),
    };
    missing.chain(strange).map(told).collect()
}

/// What of the ratings is not what the rated games ask for.
pub(super) async fn wrong_ratings(connection: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    let (wanted, found, _) = both(connection).await?;
    Ok(wrong(&wanted, &found))
}

async fn write_ratings(connection: &mut SqliteConnection) -> Result<u64, StoreError> {
    writer::transaction(connection, true, async |connection| {
        let (wanted, found, changes) = both(connection).await?;
        let wrong = wrong(&wanted, &found).len() as u64;
        if wrong > 0 {
            for sql in ["DELETE FROM rating_change WHERE cause = 'game'", "DELETE FROM rating"] {
                sqlx::query(sql).execute(&mut *connection).await.map_err(failed)?;
            }
            games::insert_changes(connection, &changes).await?;
        }
        Ok(wrong)
    })
    .await
    .map_err(writer::Undone::why)
}
