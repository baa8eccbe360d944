//! Ownership of tables by nodes, by rows of the database and by its clock alone.

use std::sync::atomic::Ordering;

use sqlx::Row;
use sqlx::postgres::PgRow;

use super::db::failed;
use super::open;
use super::stock::Postgres;
use crate::StoreError;
use crate::claims::{BREAK_MS, Claim, Claims, MOST_TRIED, NodeRow, Owned};

/// A row `incarnation, name, silent_ms, tables, begun_ms`.
fn node(row: &PgRow) -> Result<NodeRow, sqlx::Error> {
    Ok(NodeRow {
        incarnation: row.try_get(0)?,
        name: row.try_get(1)?,
        silent_ms: row.try_get::<i64, _>(2)?.max(0).cast_unsigned(),
        tables: row.try_get::<i64, _>(3)?.cast_unsigned(),
        begun_ms: row.try_get::<i64, _>(4)?.cast_unsigned(),
    })
}

impl Postgres {
    /// Counts a heartbeat, and detects a database that has counted fewer than this node has seen: a copy of an older
    /// day took its place, or a standby that lacks the last commits of its primary.
    async fn count_beat(&self) -> Result<(), StoreError> {
        let sql = "INSERT INTO hall (key, value) VALUES ('beats', 1)
            ON CONFLICT (key) DO UPDATE SET value = hall.value + 1 RETURNING value";
        let row = sqlx::query(sql).fetch_one(&self.readers).await.map_err(failed)?;
        let now = row.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned();
        let seen = self.shared.seen.fetch_max(now, Ordering::Relaxed);
        if now > seen {
            return Ok(());
        }
        self.shared.fenced.store(true, Ordering::Relaxed);
        let what = format!(
            "the database is an older copy: it has counted {now} beats of its nodes, and this node has seen {seen}; what was \
             acknowledged in between is missing"
        );
        let advice = "restore a newer copy, or let the standby follow that has more; to go on with this one, delete the file \
            `database.seen` in the data folder of each node, and start them again";
        Err(StoreError::damaged(what, "table hall", advice))
    }

    /// Gives all tables back and deletes this node's row.
    pub(super) async fn leave(&self) {
        let me = &self.shared.me;
        for sql in ["UPDATE tip SET owner = NULL WHERE owner = $1", "DELETE FROM node WHERE incarnation = $1"]
        {
            if let Err(why) = sqlx::query(sql).bind(me).execute(&self.readers).await {
                tracing::warn!(%why, "this node could not take its leave; the others will bury it");
                return;
            }
        }
    }
}

#[async_trait::async_trait]
impl Claims for Postgres {
    async fn claim(&self, id: &str) -> Result<Claim, StoreError> {
        if self.shared.fenced.load(Ordering::Relaxed) {
            return Err(StoreError::Fenced);
        }
        if self.shared.has(id) {
            return Ok(Claim::Kept);
        }
        // Twice: the table of an owner that was just declared dead has no owner in the second round.
        for _ in 0..2 {
            let sql = "WITH me AS (SELECT incarnation FROM node WHERE incarnation = $2 FOR KEY SHARE),
                old AS (SELECT seating, owner FROM tip WHERE seating = $1 FOR NO KEY UPDATE)
                UPDATE tip t SET owner = me.incarnation, epoch = t.epoch + 1,
                    tried = CASE WHEN old.owner IS NULL THEN 0 ELSE t.tried + 1 END FROM old, me
                WHERE t.seating = old.seating AND (old.owner IS NULL
                    OR NOT EXISTS (SELECT 1 FROM node n WHERE n.incarnation = old.owner))
                RETURNING t.epoch, old.owner, (SELECT b.beat_ms FROM buried b WHERE b.incarnation = old.owner),
                    t.tried";
            let query = sqlx::query(sql).bind(id).bind(&self.shared.me);
            if let Some(row) = query.fetch_optional(&self.readers).await.map_err(failed)? {
                self.shared.forget(id);
                let epoch = row.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned();
                let beat: Option<i64> = row.try_get(2).map_err(failed)?;
                metrics::counter!("hall_claims_total").increment(1);
                if row.try_get::<i64, _>(3).map_err(failed)? > i64::from(MOST_TRIED) {
                    tracing::error!(table = %id, "nodes died with this table one after the other; it is left alone");
                    metrics::counter!("hall_quarantined_total").increment(1);
                    let sql = "UPDATE seating SET strikes = 3 WHERE id = $1";
                    sqlx::query(sql).bind(id).execute(&self.readers).await.map_err(failed)?;
                    self.goes_on(id).await?;
                }
                return Ok(match beat {
                    Some(beat) => Claim::Adopted { epoch, beat_ms: beat.cast_unsigned() },
                    None => Claim::Taken { epoch },
                });
            }
            match self.owner(id).await? {
                Some(owner) if owner.incarnation == self.shared.me => return Ok(Claim::Kept),
                Some(owner) if !owner.is_expired() => return Ok(Claim::Elsewhere(owner)),
                Some(_) => {
                    let mut connection = self.readers.acquire().await.map_err(failed)?;
                    if open::bury_expired(&mut connection, &self.shared.me).await? == 0
                        && let Some(owner) = self.owner(id).await?
                    {
                        // It may only have been cut off from the database, as this node was.
                        return Ok(Claim::Elsewhere(owner));
                    }
                }
                None => {
                    let sql = "SELECT EXISTS (SELECT 1 FROM tip WHERE seating = $1),
                        EXISTS (SELECT 1 FROM node WHERE incarnation = $2)";
                    let query = sqlx::query(sql).bind(id).bind(&self.shared.me);
                    let row = query.fetch_one(&self.readers).await.map_err(failed)?;
                    if !row.try_get::<bool, _>(0).map_err(failed)? {
                        return Err(StoreError::Missing);
                    }
                    if !row.try_get::<bool, _>(1).map_err(failed)? {
                        self.shared.fenced.store(true, Ordering::Relaxed);
                        return Err(StoreError::Fenced);
                    }
                }
            }
        }
        Err(StoreError::Failed("the owner of a table does not stand still".to_owned()))
    }

    async fn goes_on(&self, id: &str) -> Result<(), StoreError> {
        let sql = "UPDATE tip SET tried = 0 WHERE seating = $1 AND tried > 0 AND owner = $2";
        let query = sqlx::query(sql).bind(id).bind(&self.shared.me);
        query.execute(&self.readers).await.map(|_| ()).map_err(failed)
    }

    async fn release(&self, id: &str) -> Result<bool, StoreError> {
        self.shared.forget(id);
        let sql = "UPDATE tip SET owner = NULL WHERE seating = $1 AND owner = $2";
        let query = sqlx::query(sql).bind(id).bind(&self.shared.me);
        Ok(query.execute(&self.readers).await.map_err(failed)?.rows_affected() > 0)
    }

    async fn owner(&self, id: &str) -> Result<Option<NodeRow>, StoreError> {
        let sql = "SELECT n.incarnation, n.name, now_ms() - n.beat_ms, 0::bigint, n.begun_ms
            FROM tip t JOIN node n ON n.incarnation = t.owner WHERE t.seating = $1";
        let row = sqlx::query(sql).bind(id).fetch_optional(&self.readers).await.map_err(failed)?;
        row.as_ref().map(node).transpose().map_err(failed)
    }

    async fn renew(&self) -> Result<(), StoreError> {
        self.count_beat().await?;
        let sql =
            "UPDATE node SET since_ms = CASE WHEN beat_ms < now_ms() - $2 THEN now_ms() ELSE since_ms END,
            beat_ms = now_ms() WHERE incarnation = $1";
        let query = sqlx::query(sql).bind(&self.shared.me).bind(BREAK_MS.cast_signed());
        let done = query.execute(&self.readers).await.map_err(failed)?;
        if done.rows_affected() == 0 {
            self.shared.fenced.store(true, Ordering::Relaxed);
            metrics::counter!("hall_fenced_total").increment(1);
            return Err(StoreError::Fenced);
        }
        let mut connection = self.readers.acquire().await.map_err(failed)?;
        let buried = open::bury_expired(&mut connection, &self.shared.me).await?;
        if buried > 0 {
            tracing::warn!(buried, "nodes that did not answer were buried");
            metrics::counter!("hall_buried_total").increment(buried);
        }
        Ok(())
    }

    async fn orphans(&self, most: u32) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT t.seating FROM tip t JOIN seating s ON s.id = t.seating
            WHERE t.owner IN (SELECT incarnation FROM buried) AND s.stage = 1 AND s.strikes < 3
                AND NOT EXISTS (SELECT 1 FROM asleep a WHERE a.seating = t.seating)
            LIMIT $1 FOR UPDATE OF t SKIP LOCKED";
        let query = sqlx::query(sql).bind(i64::from(most));
        let rows = query.fetch_all(&self.readers).await.map_err(failed)?;
        rows.iter().map(|row| row.try_get(0).map_err(failed)).collect()
    }

    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        let sql = "SELECT n.incarnation, n.name, now_ms() - n.beat_ms,
            (SELECT count(*) FROM tip WHERE owner = n.incarnation), n.begun_ms FROM node n ORDER BY n.name";
        let rows = sqlx::query(sql).fetch_all(&self.readers).await.map_err(failed)?;
        rows.iter().map(node).collect::<Result<_, _>>().map_err(failed)
    }

    async fn owned(&self, incarnation: &str, most: u32) -> Result<Vec<Owned>, StoreError> {
        let sql = "SELECT seating, epoch, ver, at_ms FROM tip WHERE owner = $1 ORDER BY at_ms DESC LIMIT $2";
        let query = sqlx::query(sql).bind(incarnation).bind(i64::from(most));
        let rows = query.fetch_all(&self.readers).await.map_err(failed)?;
        let owned = |row: &PgRow| {
            Ok(Owned {
                id: row.try_get(0)?,
                epoch: row.try_get::<i64, _>(1)?.cast_unsigned(),
                ver: row.try_get::<i64, _>(2)?.cast_unsigned(),
                at_ms: row.try_get::<i64, _>(3)?.cast_unsigned(),
            })
        };
        rows.iter().map(owned).collect::<Result<_, _>>().map_err(failed)
    }

    async fn clock_ms(&self) -> Result<Option<u64>, StoreError> {
        let row = sqlx::query("SELECT now_ms()").fetch_one(&self.readers).await.map_err(failed)?;
        Ok(Some(row.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned()))
    }

    fn node(&self) -> Option<&str> {
        Some(&self.shared.me)
    }

    fn beats_seen(&self) -> u64 {
        self.shared.seen.load(Ordering::Relaxed)
    }

    fn expect_beats(&self, beats: u64) {
        self.shared.seen.fetch_max(beats, Ordering::Relaxed);
    }
}
