//! Journals of files that every node has a copy of.

use sqlx::Row;

use super::db::{self, DbConnection, DbPool, DbRow};
use super::{Stock, failed, number};
use crate::StoreError;
use crate::journal::{JournalDeed, JournalEntry, JournalHead, Journals};
use crate::work::{Desk, Work};

/// Parts whose upload was given up are forgotten after this long, in milliseconds: an hour.
const GIVEN_UP_MS: u64 = 3_600_000;

pub(super) async fn carry_out(connection: &mut DbConnection, deed: &JournalDeed) -> Result<u64, StoreError> {
    match deed {
        JournalDeed::Chunk { subject, owner, at, body, now_ms } => {
            let sql =
                "INSERT INTO journal_chunk (owner, at, subject, body, made_ms) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (owner, at) DO NOTHING";
            let query = db::query(sql).bind(owner).bind(i64::from(*at)).bind(subject).bind(&body[..]);
            query.bind(number(*now_ms)).execute(connection).await.map_err(failed)?;
            Ok(0)
        }
        JournalDeed::Base { subject, n, id, upload, chunks } => {
            base(connection, subject, *n, id, upload, *chunks).await.map(|()| 0)
        }
        JournalDeed::Add { subject, id, body, bytes } => add(connection, subject, id, body, *bytes).await,
    }
}

async fn base(
    connection: &mut DbConnection,
    subject: &str,
    n: u64,
    id: &str,
    upload: &str,
    chunks: u32,
) -> Result<(), StoreError> {
    let query = db::query("SELECT base, upload FROM journal WHERE subject = $1").bind(subject);
    let before = query.fetch_optional(&mut *connection).await.map_err(failed)?;
    let Some(before) = before else {
        let sql = "INSERT INTO journal (subject, last, base, base_id, upload, chunks, since)
            VALUES ($1, $2, $2, $3, $4, $5, 0)";
        let query = db::query(sql).bind(subject).bind(number(n)).bind(id).bind(upload);
        let query = query.bind(i64::from(chunks));
        return query.execute(connection).await.map(|_| ()).map_err(failed);
    };
    let (old, old_upload): (i64, String) =
        (before.try_get(0).map_err(failed)?, before.try_get(1).map_err(failed)?);
    if old >= number(n) {
        return Err(StoreError::Conflict);
    }
    // Nodes that are a base behind find what they need: entries stay for one base more, what they brought with them.
    for sql in [
        "DELETE FROM journal_chunk WHERE owner IN (SELECT id FROM journal_entry WHERE subject = $1 AND n <= $2)",
        "DELETE FROM journal_entry WHERE subject = $1 AND n <= $2",
    ] {
        db::query(sql).bind(subject).bind(old).execute(&mut *connection).await.map_err(failed)?;
    }
    db::query("DELETE FROM journal_chunk WHERE owner = $1")
        .bind(&old_upload)
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
    let sql =
        "UPDATE journal SET base = $1, base_id = $2, upload = $3, chunks = $4, since = 0 WHERE subject = $5";
    let query = db::query(sql).bind(number(n)).bind(id).bind(upload).bind(i64::from(chunks)).bind(subject);
    query.execute(&mut *connection).await.map_err(failed)?;
    // Uploads that were begun and not finished.
    let sql = "DELETE FROM journal_chunk WHERE subject = $1 AND owner <> $2
        AND made_ms < (SELECT max(made_ms) FROM journal_chunk WHERE owner = $2) - $3
        AND owner NOT IN (SELECT id FROM journal_entry WHERE subject = $1)";
    let query = db::query(sql).bind(subject).bind(upload).bind(number(GIVEN_UP_MS));
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

async fn add(
    connection: &mut DbConnection,
    subject: &str,
    id: &str,
    body: &str,
    bytes: u64,
) -> Result<u64, StoreError> {
    let query = db::query("SELECT n FROM journal_entry WHERE id = $1").bind(id);
    if let Some(row) = query.fetch_optional(&mut *connection).await.map_err(failed)? {
        return row.try_get::<i64, _>(0).map(i64::cast_unsigned).map_err(failed);
    }
    let sql = "UPDATE journal SET last = last + 1, since = since + $1 WHERE subject = $2 RETURNING last";
    let query = db::query(sql).bind(number(bytes)).bind(subject);
    let row = query.fetch_optional(&mut *connection).await.map_err(failed)?.ok_or(StoreError::Missing)?;
    let n: i64 = row.try_get(0).map_err(failed)?;
    let query = db::query("INSERT INTO journal_entry (subject, n, id, body) VALUES ($1, $2, $3, $4)");
    query.bind(subject).bind(n).bind(id).bind(body).execute(connection).await.map_err(failed)?;
    Ok(n.cast_unsigned())
}

async fn head(readers: &DbPool, subject: &str) -> Result<Option<JournalHead>, StoreError> {
    let sql = "SELECT last, base, base_id, upload, chunks, since FROM journal WHERE subject = $1";
    let row = db::query(sql).bind(subject).fetch_optional(readers).await.map_err(failed)?;
    let head = |row: DbRow| {
        Ok(JournalHead {
            last: row.try_get::<i64, _>(0)?.cast_unsigned(),
            base: row.try_get::<i64, _>(1)?.cast_unsigned(),
            base_id: row.try_get(2)?,
            upload: row.try_get(3)?,
            chunks: db::int(&row, 4)?,
            since: row.try_get::<i64, _>(5)?.cast_unsigned(),
        })
    };
    row.map(head).transpose().map_err(failed)
}

async fn entries(
    readers: &DbPool,
    subject: &str,
    from: u64,
    most: u32,
) -> Result<Vec<JournalEntry>, StoreError> {
    let sql = "SELECT n, id, body FROM journal_entry WHERE subject = $1 AND n >= $2 ORDER BY n LIMIT $3";
    let query = db::query(sql).bind(subject).bind(number(from)).bind(i64::from(most));
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    let entry = |row: &DbRow| {
        let n = row.try_get::<i64, _>(0)?.cast_unsigned();
        Ok(JournalEntry { n, id: row.try_get(1)?, body: row.try_get(2)? })
    };
    rows.iter().map(entry).collect::<Result<_, sqlx::Error>>().map_err(failed)
}

async fn chunk(readers: &DbPool, owner: &str, at: u32) -> Result<Option<Vec<u8>>, StoreError> {
    let query = db::query("SELECT body FROM journal_chunk WHERE owner = $1 AND at = $2");
    let row = query.bind(owner).bind(i64::from(at)).fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| row.try_get(0).map_err(failed)).transpose()
}

#[async_trait::async_trait]
impl Work<DbConnection> for JournalDeed {
    type Done = u64;

    fn desks(&self) -> &'static [Desk] {
        &[Desk::Journal]
    }

    fn is_large(&self) -> bool {
        true
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<u64, StoreError> {
        carry_out(connection, self).await
    }
}

#[async_trait::async_trait]
impl Journals for Stock {
    async fn write(&self, deed: JournalDeed) -> Result<u64, StoreError> {
        self.work(deed).await
    }

    async fn journal_head(&self, subject: &str) -> Result<Option<JournalHead>, StoreError> {
        read!(self, readers => head(readers, subject).await)
    }

    async fn journal_entries(
        &self,
        subject: &str,
        from: u64,
        most: u32,
    ) -> Result<Vec<JournalEntry>, StoreError> {
        read!(self, readers => entries(readers, subject, from, most).await)
    }

    async fn journal_chunk(&self, owner: &str, at: u32) -> Result<Option<Vec<u8>>, StoreError> {
        read!(self, readers => chunk(readers, owner, at).await)
    }
}
