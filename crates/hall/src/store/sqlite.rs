//! SQLite: write-ahead log, `synchronous=FULL`, one writer that commits in groups.
//!
//! A commit waits for the disk (about 4 ms where this was measured), whether it holds one entry or a hundred. So one
//! task owns the only writing connection: while a commit waits, the next entries queue up, and all of them go into the
//! next commit. Nobody is answered before the commit that holds their entry is on disk.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection, QueryBuilder, Row, SqliteConnection, SqlitePool};
use tokio::sync::{mpsc, oneshot};

use super::{Entry, MapRoom, NewMap, Setup, Standing, Store, StoreError, Stored, StoredMap, maps};

/// Entries of one commit at most.
const GROUP: usize = 256;
/// Entries that may wait for the writer; beyond that, tables wait.
const QUEUE: usize = 4096;

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS seating (
    id TEXT PRIMARY KEY NOT NULL,
    setup TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    stage INTEGER NOT NULL,
    first TEXT,
    second TEXT,
    room TEXT
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seating_first ON seating (first, stage) WHERE first IS NOT NULL AND stage < 2;
CREATE INDEX IF NOT EXISTS seating_second ON seating (second, stage) WHERE second IS NOT NULL AND stage < 2;
CREATE UNIQUE INDEX IF NOT EXISTS seating_room ON seating (room) WHERE room IS NOT NULL AND stage < 2;
CREATE TABLE IF NOT EXISTS event (
    seating TEXT NOT NULL,
    ver INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    cmd TEXT,
    spent_ms INTEGER,
    body TEXT NOT NULL,
    PRIMARY KEY (seating, ver)
) WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS event_cmd ON event (seating, cmd) WHERE cmd IS NOT NULL;
CREATE TABLE IF NOT EXISTS guest (
    id TEXT PRIMARY KEY NOT NULL,
    name TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS report (
    seating TEXT PRIMARY KEY NOT NULL,
    ver INTEGER NOT NULL,
    body TEXT NOT NULL
) WITHOUT ROWID;
PRAGMA user_version = 2;
";

/// A room nobody has come to for a week gives its name back when the hall opens; its link works as before.
const FORGOTTEN_ROOMS: &str = "UPDATE seating SET room = NULL
    WHERE room IS NOT NULL AND stage = 0 AND created_ms < (unixepoch() - 7 * 86400) * 1000";

/// The store in one file.
pub struct Sqlite {
    readers: SqlitePool,
    writer: mpsc::Sender<Write>,
}

/// Something for the writer, and whom to tell.
struct Write {
    what: What,
    done: oneshot::Sender<Result<(), StoreError>>,
}

enum What {
    Create { id: String, setup: Setup, log: Vec<Entry>, standing: Standing },
    Append { id: String, entry: Entry, standing: Option<Standing> },
    Rename { guest: String, name: Option<String> },
    KeepMap { map: Box<NewMap>, room: MapRoom },
    KeepReport { id: String, ver: u64, body: String },
}

impl Sqlite {
    /// Opens `hall.db` in `folder`, making it when it is not there.
    ///
    /// # Errors
    /// When the file cannot be opened or is not a hall's.
    pub async fn open(folder: &Path) -> Result<Sqlite, StoreError> {
        let options = options(folder);
        let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
        let version: i64 =
            sqlx::query("PRAGMA user_version").fetch_one(&mut connection).await.map_err(failed)?.get(0);
        if version > 2 {
            let why = format!(
                "the data are of a newer hall (version {version}); start that one, or use another folder"
            );
            return Err(StoreError::Failed(why));
        }
        sqlx::raw_sql(SCHEMA).execute(&mut connection).await.map_err(failed)?;
        sqlx::raw_sql(maps::SCHEMA).execute(&mut connection).await.map_err(failed)?;
        sqlx::raw_sql(FORGOTTEN_ROOMS).execute(&mut connection).await.map_err(failed)?;
        sqlx::raw_sql(maps::FORGOTTEN).execute(&mut connection).await.map_err(failed)?;
        let readers = SqlitePoolOptions::new()
            .min_connections(0)
            .max_connections(2)
            .idle_timeout(Duration::from_secs(60))
            .connect_lazy_with(options.read_only(true).create_if_missing(false));
        let (writer, queue) = mpsc::channel(QUEUE);
        tokio::spawn(write(connection, queue));
        Ok(Sqlite { readers, writer })
    }

    async fn ask(&self, what: What) -> Result<(), StoreError> {
        let (done, answer) = oneshot::channel();
        let gone = || StoreError::Failed("the writer has ended".to_owned());
        self.writer.send(Write { what, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    async fn ids(&self, sql: &'static str, key: Option<&str>, most: u32) -> Result<Vec<String>, StoreError> {
        let query = sqlx::query(sql);
        let query = if let Some(key) = key { query.bind(key) } else { query };
        let rows = query.bind(most).fetch_all(&self.readers).await.map_err(failed)?;
        Ok(rows.into_iter().map(|row| row.get(0)).collect())
    }
}

#[async_trait::async_trait]
impl Store for Sqlite {
    async fn create(
        &self,
        id: &str,
        setup: &Setup,
        log: Vec<Entry>,
        standing: Standing,
    ) -> Result<(), StoreError> {
        self.ask(What::Create { id: id.to_owned(), setup: setup.clone(), log, standing }).await
    }

    async fn append(&self, id: &str, entry: Entry, standing: Option<Standing>) -> Result<(), StoreError> {
        self.ask(What::Append { id: id.to_owned(), entry, standing }).await
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        let row = sqlx::query("SELECT setup FROM seating WHERE id = ?").bind(id);
        let Some(row) = row.fetch_optional(&self.readers).await.map_err(failed)? else { return Ok(None) };
        let setup = serde_json::from_str(row.get(0)).map_err(failed)?;
        let events =
            sqlx::query("SELECT ver, at_ms, cmd, spent_ms, body FROM event WHERE seating = ? ORDER BY ver")
                .bind(id);
        let rows = events.fetch_all(&self.readers).await.map_err(failed)?;
        let entry = |row: sqlx::sqlite::SqliteRow| {
            Ok(Entry {
                ver: row.get::<i64, _>(0).cast_unsigned(),
                at_ms: row.get::<i64, _>(1).cast_unsigned(),
                cmd: row.get(2),
                spent_ms: row.get::<Option<i64>, _>(3).map(i64::cast_unsigned),
                event: serde_json::from_str(row.get(4)).map_err(failed)?,
            })
        };
        let log = rows.into_iter().map(entry).collect::<Result<_, _>>()?;
        Ok(Some(Stored { setup, log }))
    }

    async fn room(&self, name: &str) -> Result<Option<String>, StoreError> {
        let ids =
            self.ids("SELECT id FROM seating WHERE room = ? AND stage < 2 LIMIT ?", Some(name), 1).await?;
        Ok(ids.into_iter().next())
    }

    async fn waiting_rooms(&self, most: u32) -> Result<Vec<String>, StoreError> {
        let sql =
            "SELECT id FROM seating WHERE room IS NOT NULL AND stage = 0 ORDER BY created_ms DESC LIMIT ?";
        self.ids(sql, None, most).await
    }

    async fn playing(&self, guest: &str, most: u32) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT id FROM (
                SELECT id, created_ms FROM seating WHERE first = ?1 AND stage < 2
                UNION SELECT id, created_ms FROM seating WHERE second = ?1 AND stage < 2
            ) ORDER BY created_ms DESC LIMIT ?2";
        self.ids(sql, Some(guest), most).await
    }

    async fn name(&self, guest: &str) -> Result<Option<String>, StoreError> {
        let query = sqlx::query("SELECT name FROM guest WHERE id = ?").bind(guest);
        Ok(query.fetch_optional(&self.readers).await.map_err(failed)?.map(|row| row.get(0)))
    }

    async fn rename(&self, guest: &str, name: Option<&str>) -> Result<(), StoreError> {
        self.ask(What::Rename { guest: guest.to_owned(), name: name.map(str::to_owned) }).await
    }

    async fn keep_map(&self, map: NewMap, room: MapRoom) -> Result<(), StoreError> {
        self.ask(What::KeepMap { map: Box::new(map), room }).await
    }

    async fn map(&self, id: &str) -> Result<Option<StoredMap>, StoreError> {
        maps::find(&self.readers, id).await
    }

    async fn maps(&self, search: &str, most: u32) -> Result<Vec<wire::MapLine>, StoreError> {
        maps::list(&self.readers, search, most).await
    }

    async fn report(&self, id: &str) -> Result<Option<(u64, String)>, StoreError> {
        let query = sqlx::query("SELECT ver, body FROM report WHERE seating = ?").bind(id);
        let row = query.fetch_optional(&self.readers).await.map_err(failed)?;
        Ok(row.map(|row| (row.get::<i64, _>(0).cast_unsigned(), row.get(1))))
    }

    async fn keep_report(&self, id: &str, ver: u64, body: &str) -> Result<(), StoreError> {
        self.ask(What::KeepReport { id: id.to_owned(), ver, body: body.to_owned() }).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.readers).await.map(|_| ()).map_err(failed)
    }
}

/// How the file is opened. Without `synchronous=FULL` a commit would be on its way to the disk, not on it.
fn options(folder: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(folder.join("hall.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(5))
        .pragma("wal_autocheckpoint", "4000")
        .pragma("cache_size", "-2000")
}

/// The writer: takes what has queued up, commits it, tells everybody, and so on until the store is dropped.
async fn write(mut connection: SqliteConnection, mut queue: mpsc::Receiver<Write>) {
    let mut group = Vec::with_capacity(GROUP);
    while queue.recv_many(&mut group, GROUP).await > 0 {
        let begun = Instant::now();
        let all = commit(&mut connection, &group).await;
        metrics::histogram!("hall_commit_seconds").record(begun.elapsed().as_secs_f64());
        metrics::counter!("hall_commits_total").increment(1);
        if all.is_ok() || group.len() == 1 {
            let mut result = Some(all);
            for write in group.drain(..) {
                // Only a group of one can fail here.
                let _ = write.done.send(result.take().unwrap_or(Ok(())));
            }
            continue;
        }
        // One entry spoiled the group: each for itself, so that only the culprit is refused.
        for write in std::mem::take(&mut group) {
            let alone = commit(&mut connection, std::slice::from_ref(&write)).await;
            let _ = write.done.send(alone);
        }
    }
    let _ = connection.close().await;
}

/// All of the group in one transaction, or nothing of it.
///
/// Begins and ends by plain statements: a full disk makes SQLite roll back by itself, and sqlx, which counts what it
/// began, would then refuse to begin ever again.
async fn commit(connection: &mut SqliteConnection, group: &[Write]) -> Result<(), StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await.map_err(failed)?;
    let mut done = fill(connection, group).await;
    if done.is_ok() {
        done = sqlx::query("COMMIT").execute(&mut *connection).await.map(|_| ()).map_err(failed);
    }
    if done.is_err() {
        // Fails where SQLite was faster.
        let _ = sqlx::query("ROLLBACK").execute(connection).await;
    }
    done
}

async fn fill(connection: &mut SqliteConnection, group: &[Write]) -> Result<(), StoreError> {
    let mut events = Vec::with_capacity(group.len());
    for write in group {
        match &write.what {
            What::Create { id, setup, log, standing } => {
                create(connection, id, setup, standing).await?;
                events.extend(log.iter().map(|entry| (id, entry)));
            }
            What::Append { id, entry, standing } => {
                events.push((id, entry));
                if let Some(standing) = standing {
                    stand(connection, id, standing).await?;
                }
            }
            What::KeepMap { map, room } => maps::keep(connection, map, *room).await?,
            What::KeepReport { id, ver, body } => keep_report(connection, id, *ver, body).await?,
            What::Rename { guest, name } => rename(connection, guest, name.as_deref()).await?,
        }
    }
    for part in events.chunks(GROUP) {
        insert(connection, part).await?;
    }
    Ok(())
}

async fn keep_report(
    connection: &mut SqliteConnection,
    id: &str,
    ver: u64,
    body: &str,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO report (seating, ver, body) VALUES (?, ?, ?)
        ON CONFLICT (seating) DO UPDATE SET ver = excluded.ver, body = excluded.body";
    let query = sqlx::query(sql).bind(id).bind(ver.cast_signed()).bind(body);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

async fn create(
    connection: &mut SqliteConnection,
    id: &str,
    setup: &Setup,
    standing: &Standing,
) -> Result<(), StoreError> {
    let body = serde_json::to_string(setup).map_err(failed)?;
    sqlx::query("INSERT INTO seating (id, setup, created_ms, stage, first, second, room) VALUES (?, ?, ?, ?, ?, ?, ?)")
        .bind(id)
        .bind(body)
        .bind(setup.created_ms.cast_signed())
        .bind(standing.stage as i64)
        .bind(&standing.seats[0])
        .bind(&standing.seats[1])
        .bind(&setup.room)
        .execute(connection)
        .await
        .map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })?;
    Ok(())
}

async fn stand(connection: &mut SqliteConnection, id: &str, standing: &Standing) -> Result<(), StoreError> {
    sqlx::query("UPDATE OR IGNORE seating SET stage = ?, first = ?, second = ? WHERE id = ?")
        .bind(standing.stage as i64)
        .bind(&standing.seats[0])
        .bind(&standing.seats[1])
        .bind(id)
        .execute(connection)
        .await
        .map_err(failed)?;
    Ok(())
}

async fn rename(
    connection: &mut SqliteConnection,
    guest: &str,
    name: Option<&str>,
) -> Result<(), StoreError> {
    match name {
        Some(name) => {
            sqlx::query("INSERT OR REPLACE INTO guest (id, name) VALUES (?, ?)").bind(guest).bind(name)
        }
        None => sqlx::query("DELETE FROM guest WHERE id = ?").bind(guest),
    }
    .execute(connection)
    .await
    .map_err(failed)?;
    Ok(())
}

/// Many entries with one statement; SQLite spends most of its time per statement.
async fn insert(connection: &mut SqliteConnection, entries: &[(&String, &Entry)]) -> Result<(), StoreError> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut bodies = Vec::with_capacity(entries.len());
    for (_, entry) in entries {
        bodies.push(serde_json::to_string(&entry.event).map_err(failed)?);
    }
    let mut query = QueryBuilder::new("INSERT INTO event (seating, ver, at_ms, cmd, spent_ms, body) ");
    query.push_values(entries.iter().zip(bodies), |mut row, ((id, entry), body)| {
        row.push_bind(id.as_str())
            .push_bind(entry.ver.cast_signed())
            .push_bind(entry.at_ms.cast_signed())
            .push_bind(entry.cmd.as_deref())
            .push_bind(entry.spent_ms.map(u64::cast_signed))
            .push_bind(body);
    });
    let done = query.build().execute(connection).await;
    done.map_err(|e| if unique(&e) { StoreError::Conflict } else { failed(e) })?;
    Ok(())
}

fn unique(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}

pub(super) fn failed(error: impl std::fmt::Display) -> StoreError {
    StoreError::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Killing the hall cannot tell whether a commit reached the disk; only this can.
    #[tokio::test]
    async fn a_commit_waits_for_the_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut connection = SqliteConnection::connect_with(&options(folder.path())).await.expect("opens");
        let row = sqlx::query("PRAGMA synchronous").fetch_one(&mut connection).await.expect("answers");
        assert_eq!(row.get::<i64, _>(0), 2, "FULL");
        let row = sqlx::query("PRAGMA journal_mode").fetch_one(&mut connection).await.expect("answers");
        assert_eq!(row.get::<String, _>(0), "wal");
    }
}
