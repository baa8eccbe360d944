//! Folding: the rows of finished games become one compressed row each, oldest game first.
//!
//! Games have numbers in the order in which they ended, so a round begins where the last one stopped and looks at
//! nothing twice. A game is folded in one transaction, under the lock of its log: a reader finds either the rows or
//! what they were folded into. The end of the log stays as it is, so that a later append needs no change; what comes
//! then is a row as before.

use sqlx::Row;

use super::db::{self, DbConnection};
use super::people::Changed;
use super::{counts, failed, number, read};
use crate::folded::{self, LogRow};
use crate::{Folded, StoreError};

/// Games that are folded with one commit, at most.
const GAMES: i64 = 8;
/// Rows that are folded with one commit: no further game is begun after that many.
const ROWS: u64 = 600;
/// The number of the last game that was looked at, in the table `hall`.
const DONE: &str = "folded_n";

/// Folds the next games that ended before that moment.
pub(super) async fn fold(connection: &mut DbConnection, before_ms: u64) -> Result<Folded, StoreError> {
    let mut last = counts::counted(connection, DONE).await?.unwrap_or(0);
    let query = db::query("SELECT n, id, ended_ms FROM game WHERE n > $1 ORDER BY n LIMIT $2");
    let query = query.bind(number(last)).bind(GAMES);
    let games = query.fetch_all(&mut *connection).await.map_err(failed)?;
    let mut done = Folded { is_done: games.len() < usize::try_from(GAMES).unwrap_or(0), ..Folded::default() };
    let mut looked = false;
    for game in &games {
        let (n, ended_ms): (i64, i64) = (game.try_get(0).map_err(failed)?, game.try_get(2).map_err(failed)?);
        if ended_ms >= number(before_ms) {
            done.is_done = true;
            break;
        }
        if done.rows >= ROWS {
            done.is_done = false;
            break;
        }
        let rows = fold_one(connection, game.try_get(1).map_err(failed)?).await?;
        done.games += u64::from(rows > 0);
        done.rows += rows;
        (last, looked) = (n.cast_unsigned(), true);
    }
    if looked {
        counts::count(connection, DONE, last).await?;
    }
    Ok(done)
}

/// Folds one game; returns how many rows became one. A log that is damaged, or not one of a finished game, stays as it is.
async fn fold_one(connection: &mut DbConnection, id: &str) -> Result<u64, StoreError> {
    let lock = db::query("UPDATE tip SET sum = sum WHERE seating = $1").bind(id);
    lock.execute(&mut *connection).await.map_err(failed)?;
    let query = db::query("SELECT 1 FROM seating WHERE id = $1 AND stage = 2").bind(id);
    if query.fetch_optional(&mut *connection).await.map_err(failed)?.is_none() {
        return Ok(0);
    }
    let head = match read::load_by(connection, id).await {
        Ok(Some(_)) => read::head(connection, id).await?,
        Ok(None) | Err(StoreError::Damaged(_)) => None,
        Err(why) => return Err(why),
    };
    let Some(head) = head.filter(|head| head.folded.is_none_or(|(ver, _)| ver < head.ver)) else {
        return Ok(0);
    };
    let lines = read::lines(connection, id, &head).await?;
    if lines.is_empty() || !write(connection, id, &lines, head.sum).await? {
        return Ok(0);
    }
    let query = db::query("DELETE FROM event WHERE seating = $1").bind(id);
    Ok(query.execute(connection).await.map_err(failed)?.rows_affected())
}

/// Writes what these rows fold into, the last of which has that checksum; false where they cannot be folded.
async fn write(
    connection: &mut DbConnection,
    id: &str,
    lines: &[LogRow],
    sum: u64,
) -> Result<bool, StoreError> {
    // Read once before the rows go.
    let body =
        folded::fold(lines).filter(|body| folded::unfold(folded::NEWEST, body).as_deref() == Ok(lines));
    let Some(body) = body else { return Ok(false) };
    let sql = "INSERT INTO folded (seating, ver, sum, format, body) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (seating) DO UPDATE SET ver = excluded.ver, sum = excluded.sum, format = excluded.format,
            body = excluded.body";
    db::query(sql)
        .bind(id)
        .bind(number(lines.len() as u64))
        .bind(sum.cast_signed())
        .bind(i64::from(folded::NEWEST))
        .bind(body)
        .execute(connection)
        .await
        .map_err(failed)?;
    Ok(true)
}

/// Writes the folded part of a log with what has changed in it; its last row is among that.
pub(super) async fn refold(
    connection: &mut DbConnection,
    id: &str,
    lines: &[LogRow],
    changed: Vec<Changed<'_>>,
) -> Result<(), StoreError> {
    let Some(sum) = changed.last().map(|last| last.sum) else { return Ok(()) };
    let mut lines = lines.to_vec();
    for Changed { ver, person, format, body, .. } in changed {
        let Some(line) = lines.iter_mut().find(|line| line.ver == ver) else { continue };
        person.clone_into(&mut line.person);
        line.format = format;
        if let Some(body) = body {
            line.body = body;
        }
    }
    match write(connection, id, &lines, sum).await? {
        true => Ok(()),
        false => Err(StoreError::Failed(format!("table {id} cannot be folded again"))),
    }
}
