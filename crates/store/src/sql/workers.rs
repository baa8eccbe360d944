//! Keys of workers.

use sqlx::Row;

use super::db::{self, DbConnection, DbPool, DbRow};
use super::{Stock, failed, number, unique};
use crate::StoreError;
use crate::work::{Desk, Work};
use crate::workers::{KeyDeed, KeyRow, MOST_KEYS, WorkerKeys};

pub(super) async fn carry_out(connection: &mut DbConnection, deed: &KeyDeed) -> Result<(), StoreError> {
    let done = match deed {
        KeyDeed::Add { key, hash } => {
            let count = db::query("SELECT count(*) FROM worker_key").fetch_one(&mut *connection).await;
            let count: i64 = count.and_then(|row| row.try_get(0)).map_err(failed)?;
            if count >= i64::from(MOST_KEYS) {
                return Err(StoreError::Conflict);
            }
            let known = db::query("SELECT 1 FROM worker_key WHERE id = $1 OR hash = $2")
                .bind(&key.id)
                .bind(&hash[..]);
            if known.fetch_optional(&mut *connection).await.map_err(failed)?.is_some() {
                return Err(StoreError::Taken);
            }
            let sql = "INSERT INTO worker_key (id, name, hash, scopes, made_ms) VALUES ($1, $2, $3, $4, $5)";
            let query = db::query(sql).bind(&key.id).bind(&key.name).bind(&hash[..]).bind(&key.scopes);
            query.bind(number(key.made_ms)).execute(connection).await
        }
        KeyDeed::Remove { id } => {
            db::query("DELETE FROM worker_key WHERE id = $1").bind(id).execute(connection).await
        }
        KeyDeed::Aside { id, why } => {
            let (since, why) = why.as_ref().map(|(since, why)| (number(*since), why)).unzip();
            let query = db::query("UPDATE worker_key SET aside_ms = $1, aside = $2 WHERE id = $3");
            query.bind(since).bind(why).bind(id).execute(connection).await
        }
    };
    let done = done.map_err(|why| if unique(&why) { StoreError::Taken } else { failed(why) })?;
    if done.rows_affected() == 0 { Err(StoreError::Missing) } else { Ok(()) }
}

fn key(row: &DbRow) -> Result<KeyRow, sqlx::Error> {
    let since: Option<i64> = row.try_get(4)?;
    let why: Option<String> = row.try_get(5)?;
    Ok(KeyRow {
        id: row.try_get(0)?,
        name: row.try_get(1)?,
        scopes: row.try_get(2)?,
        made_ms: row.try_get::<i64, _>(3)?.max(0).cast_unsigned(),
        aside: since.map(|since| (since.max(0).cast_unsigned(), why.unwrap_or_default())),
    })
}

async fn keys(readers: &DbPool) -> Result<Vec<KeyRow>, StoreError> {
    let sql = "SELECT id, name, scopes, made_ms, aside_ms, aside FROM worker_key ORDER BY made_ms, id";
    let rows = db::query(sql).fetch_all(readers).await.map_err(failed)?;
    rows.iter().map(|row| key(row).map_err(failed)).collect()
}

async fn by_hash(readers: &DbPool, hash: &[u8; 32]) -> Result<Option<KeyRow>, StoreError> {
    let sql = "SELECT id, name, scopes, made_ms, aside_ms, aside FROM worker_key WHERE hash = $1";
    let row = db::query(sql).bind(&hash[..]).fetch_optional(readers).await.map_err(failed)?;
    row.as_ref().map(key).transpose().map_err(failed)
}

work!(KeyDeed => (), Letters);

#[async_trait::async_trait]
impl WorkerKeys for Stock {
    async fn change_worker_key(&self, deed: KeyDeed) -> Result<(), StoreError> {
        self.work(deed).await
    }

    async fn worker_keys(&self) -> Result<Vec<KeyRow>, StoreError> {
        read!(self, readers => keys(readers).await)
    }

    async fn worker_key(&self, hash: &[u8; 32]) -> Result<Option<KeyRow>, StoreError> {
        read!(self, readers => by_hash(readers, hash).await)
    }
}
