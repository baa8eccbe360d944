//! Searches that wait for workers of all nodes, as rows; each worker skips the rows that others are taking.

use sqlx::Row;
use sqlx::postgres::PgRow;

use super::db::failed;
use super::stock::Postgres;
use crate::StoreError;
use crate::workers::{SearchOffer, SearchRow, SearchTaker, SearchWord, SharedSearches};

/// The age in milliseconds at which searches are forgotten, finished or not.
const FORGOTTEN_MS: i64 = 15 * 60_000;

fn offer(row: &PgRow) -> Result<SearchOffer, sqlx::Error> {
    Ok(SearchOffer {
        id: row.try_get(0)?,
        person: row.try_get(1)?,
        scope: row.try_get(2)?,
        rank: u8::try_from(row.try_get::<i64, _>(3)?).unwrap_or(u8::MAX),
        engine: row.try_get(4)?,
        extensions: row.try_get(5)?,
        but: row.try_get(6)?,
        body: row.try_get(7)?,
    })
}

fn taken(row: &PgRow) -> Result<SearchRow, sqlx::Error> {
    Ok(SearchRow {
        id: row.try_get(0)?,
        key: row.try_get(1)?,
        silent_ms: row.try_get::<i64, _>(2)?.max(0).cast_unsigned(),
        step: row.try_get::<i64, _>(3)?.cast_unsigned(),
        word: SearchWord { told: row.try_get(4)?, ended: row.try_get(5)? },
    })
}

#[async_trait::async_trait]
impl SharedSearches for Postgres {
    async fn offer_search(&self, offer: &SearchOffer) -> Result<(), StoreError> {
        // A person with many waiting searches comes after those with few: each person's searches have turns
        // one after the other, and no turn lies before those that are served now.
        let sql =
            "INSERT INTO search (id, node, person, scope, rank, engine, extensions, but, body, made_ms, turn)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now_ms(), GREATEST(
                coalesce((SELECT max(turn) + 1 FROM search WHERE person = $3 AND rank = $5), 0),
                coalesce((SELECT min(turn) FROM search WHERE taken_by IS NULL AND rank = $5), 0)))";
        let query =
            sqlx::query(sql).bind(&offer.id).bind(&self.shared.me).bind(&offer.person).bind(&offer.scope);
        let query = query.bind(i64::from(offer.rank)).bind(&offer.engine).bind(offer.extensions);
        let query = query.bind(&offer.but).bind(&offer.body);
        query.execute(&self.readers).await.map(|_| ()).map_err(failed)
    }

    async fn take_search(&self, taker: &SearchTaker) -> Result<Option<SearchOffer>, StoreError> {
        let sql = "UPDATE search SET taken_by = $1, heard_ms = now_ms() WHERE id = (
                SELECT s.id FROM search s WHERE s.taken_by IS NULL AND s.scope = ANY($2)
                    AND (s.engine IS NULL OR s.engine = ANY($3)) AND (NOT s.extensions OR $4)
                    AND s.but IS DISTINCT FROM $1
                    AND EXISTS (SELECT 1 FROM node n WHERE n.incarnation = s.node)
                ORDER BY s.rank, s.turn, s.n LIMIT 1 FOR UPDATE OF s SKIP LOCKED)
            RETURNING id, person, scope, rank, engine, extensions, but, body";
        let query = sqlx::query(sql).bind(&taker.key).bind(&taker.scopes).bind(&taker.engines);
        let row = query.bind(taker.extensions).fetch_optional(&self.readers).await.map_err(failed)?;
        row.as_ref().map(offer).transpose().map_err(failed)
    }

    async fn hear_search(&self, id: &str, key: &str, word: &SearchWord) -> Result<bool, StoreError> {
        let sql = "UPDATE search SET heard_ms = now_ms(), step = step + CASE WHEN $3::text IS NULL AND $4::text IS NULL
                THEN 0 ELSE 1 END, told = coalesce($3, told), ended = $4
            WHERE id = $1 AND taken_by = $2 AND ended IS NULL";
        let query = sqlx::query(sql).bind(id).bind(key).bind(&word.told).bind(&word.ended);
        Ok(query.execute(&self.readers).await.map_err(failed)?.rows_affected() == 1)
    }

    async fn taken_searches(&self) -> Result<Vec<SearchRow>, StoreError> {
        let sql = "SELECT id, taken_by, now_ms() - heard_ms, step, told, ended FROM search
            WHERE node = $1 AND taken_by IS NOT NULL";
        let rows = sqlx::query(sql).bind(&self.shared.me).fetch_all(&self.readers).await.map_err(failed)?;
        rows.iter().map(|row| taken(row).map_err(failed)).collect()
    }

    async fn withdraw_search(&self, id: &str, from_worker: bool) -> Result<bool, StoreError> {
        let sql = "DELETE FROM search WHERE id = $1 AND (taken_by IS NULL OR $2)";
        let query = sqlx::query(sql).bind(id).bind(from_worker);
        Ok(query.execute(&self.readers).await.map_err(failed)?.rows_affected() == 1)
    }

    async fn sweep_searches(&self) -> Result<(), StoreError> {
        let sql = "DELETE FROM search s WHERE s.made_ms < now_ms() - $1
            OR NOT EXISTS (SELECT 1 FROM node n WHERE n.incarnation = s.node)";
        sqlx::query(sql).bind(FORGOTTEN_MS).execute(&self.readers).await.map(|_| ()).map_err(failed)
    }
}
