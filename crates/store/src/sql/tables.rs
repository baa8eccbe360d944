//! Tables beside their logs.

use sqlx::Row;

use super::db::{self, DbConnection, DbRow};
use super::desk::What;
use super::{Stock, accounts, failed, number};
use crate::work::{DESKS, Desk, Work};
use crate::{Asleep, StoreError, Tables};

/// Counts a failure of a table's task.
struct Strike {
    id: String,
}

#[async_trait::async_trait]
impl Work<DbConnection> for Strike {
    type Done = u32;

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<u32, StoreError> {
        let query = db::query("UPDATE seating SET strikes = strikes + 1 WHERE id = $1 RETURNING strikes");
        let row = query.bind(&self.id).fetch_optional(connection).await.map_err(failed)?;
        db::int(&row.ok_or(StoreError::Missing)?, 0).map_err(failed)
    }
}

/// Forgets the failures of a table's task.
struct Pardon {
    id: String,
}

#[async_trait::async_trait]
impl Work<DbConnection> for Pardon {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        let query = db::query("UPDATE seating SET strikes = 0 WHERE id = $1").bind(&self.id);
        query.execute(connection).await.map(|_| ()).map_err(failed)
    }
}

/// Stores a report about a table, instead of an older one.
struct KeepReport {
    id: String,
    ver: u64,
    body: String,
}

#[async_trait::async_trait]
impl Work<DbConnection> for KeepReport {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        &[Desk::Hall]
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        let sql = "INSERT INTO report (seating, ver, body) VALUES ($1, $2, $3)
            ON CONFLICT (seating) DO UPDATE SET ver = excluded.ver, body = excluded.body";
        let query = db::query(sql).bind(&self.id).bind(number(self.ver)).bind(&self.body);
        query.execute(connection).await.map(|_| ()).map_err(failed)
    }
}

#[async_trait::async_trait]
impl Tables for Stock {
    async fn room(&self, name: &str) -> Result<Option<String>, StoreError> {
        const SQL: &str = "SELECT id FROM seating WHERE room = $1 AND stage < 2 LIMIT $2";
        let mut ids = self.ids(SQL, Some(&::people::name::fold(name)), 1).await?;
        if ids.is_empty() {
            // As rooms were written down before names were folded.
            ids = self.ids(SQL, Some(name), 1).await?;
        }
        Ok(ids.into_iter().next())
    }

    async fn waiting_tables(&self, since_ms: u64, most: u32) -> Result<Vec<String>, StoreError> {
        // By the indexes of those who sit, who are few where nothing has begun. Clocks of a day or more are those
        // of slow games.
        let sql = "SELECT id FROM (SELECT q.id, q.created_ms, p.kind,
                row_number() OVER (PARTITION BY q.who ORDER BY q.created_ms DESC, q.id) AS n FROM (
                SELECT id, created_ms, coalesce(first, second, '') AS who FROM seating
                    WHERE room IS NOT NULL AND stage < 2 AND stage = 0
                UNION
                SELECT s.id, s.created_ms, coalesce(s.first, s.second, '') FROM (
                    SELECT id FROM seating WHERE first IS NOT NULL AND stage < 2 AND stage = 0
                    UNION SELECT id FROM seating WHERE second IS NOT NULL AND stage < 2 AND stage = 0
                ) w JOIN seating s ON s.id = w.id
                WHERE s.created_ms > $1 AND (s.first IS NULL OR s.second IS NULL) AND json_valid(s.setup)
                    AND json_extract(s.setup, '$.how') = 'open'
                    AND json_extract(s.setup, '$.clock.kind') = 'per-move'
                    AND CAST(json_extract(s.setup, '$.clock.turn_ms') AS BIGINT) >= 86400000
            ) q LEFT JOIN person p ON p.id = q.who) r
            ORDER BY CASE WHEN n > 30 THEN 2 WHEN kind = 'account' THEN 0 ELSE 1 END, n, created_ms DESC, id LIMIT $2";
        let rows = read!(self, readers => {
            db::query(sql).bind(number(since_ms)).bind(i64::from(most)).fetch_all(readers).await.map_err(failed)
        })?;
        rows.into_iter().map(|row| row.try_get(0).map_err(failed)).collect()
    }

    async fn playing(&self, person: &str, most: u32) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT id FROM (
                SELECT id, created_ms FROM seating WHERE first = $1 AND stage < 2
                UNION SELECT id, created_ms FROM seating WHERE second = $1 AND stage < 2
            ) q ORDER BY created_ms DESC LIMIT $2";
        self.ids(sql, Some(person), most).await
    }

    async fn tables_of(&self, person: &str, after: &str, most: u32) -> Result<Vec<String>, StoreError> {
        read!(self, readers => accounts::tables_of(readers, person, after, most).await)
    }

    async fn sleep(&self, id: &str, asleep: Asleep) -> Result<(), StoreError> {
        self.tell(What::Sleep { id: id.to_owned(), asleep }).await
    }

    async fn wake(&self, id: &str) -> Result<(), StoreError> {
        self.tell(What::Wake { id: id.to_owned() }).await
    }

    async fn due(&self, now_ms: u64, most: u32) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT seating FROM asleep WHERE held_ms IS NULL AND deadline_ms <= $1
            ORDER BY deadline_ms, seating LIMIT $2";
        let rows = read!(self, readers => {
            db::query(sql).bind(number(now_ms)).bind(i64::from(most)).fetch_all(readers).await.map_err(failed)
        })?;
        rows.into_iter().map(|row| row.try_get(0).map_err(failed)).collect()
    }

    async fn strike(&self, id: &str) -> Result<u32, StoreError> {
        self.work(Strike { id: id.to_owned() }).await
    }

    async fn pardon(&self, id: &str) -> Result<(), StoreError> {
        self.work(Pardon { id: id.to_owned() }).await
    }

    async fn report(&self, id: &str) -> Result<Option<(u64, String)>, StoreError> {
        let sql = "SELECT ver, body FROM report WHERE seating = $1";
        let row = read!(self, readers => {
            db::query(sql).bind(id).fetch_optional(readers).await.map_err(failed)
        })?;
        let report = |row: DbRow| {
            Ok((row.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned(), row.try_get(1).map_err(failed)?))
        };
        row.map(report).transpose()
    }

    async fn keep_report(&self, id: &str, ver: u64, body: &str) -> Result<(), StoreError> {
        self.work(KeepReport { id: id.to_owned(), ver, body: body.to_owned() }).await
    }
}
