//! Deletion of old data to make room.

use std::path::Path;

use sqlx::Row;

use super::db::{self, DbConnection, DbPool, DbRow};
use super::desk::What;
use super::{Stock, failed, number, questions};
use crate::work::{DESKS, Desk, Work};
use crate::{Folded, Forgotten, Report, Retention, StoreError, Upkeep};

/// Tables, or guests, deleted with one commit, at most.
const PART: usize = 40;
/// Tables, or guests, looked at with one query.
const LOOK: i64 = 1000;
/// Forgets the maps from before $1 that no table and no study uses.
pub(crate) const MAPS: &str = "DELETE FROM map WHERE created_ms < $1
    AND NOT EXISTS (SELECT 1 FROM seating s WHERE s.map = map.id)
    AND NOT EXISTS (SELECT 1 FROM study_map s WHERE s.map = map.id)";
/// The time for which notices are remembered, in milliseconds: 60 days.
const NOTICES_MS: u64 = 60 * 86_400_000;

/// A part of what is forgotten, for one commit. Tables and guests are looked for beside the writer, which may take long; the writer
/// only looks again at those that were found, so that no move waits for a search.
pub(crate) enum Part {
    /// All that there is little of, and what an index finds.
    Rest,
    /// A part of the tables to delete, by id.
    Tables(Vec<String>),
    /// A part of the guests to delete, by id.
    Guests(Vec<String>),
}

/// The moment before which a thing of that age is too old.
pub(crate) fn before(age: Option<u64>, now_ms: u64) -> Option<i64> {
    age.map(|age| number(now_ms.saturating_sub(age)))
}

/// Forgets one part of what is too old.
pub(crate) async fn forget(
    connection: &mut DbConnection,
    part: &Part,
    retention: Retention,
    now_ms: u64,
) -> Result<Forgotten, StoreError> {
    let before = |age: Option<u64>| before(age, now_ms);
    let mut done = Forgotten::default();
    match part {
        Part::Rest => {}
        Part::Tables(found) => {
            if let Some(before) = before(retention.guest_tables_ms) {
                done.tables = tables(connection, before, found).await?;
            }
            return Ok(done);
        }
        Part::Guests(found) => {
            if let Some(before) = before(retention.guests_ms) {
                done.guests = guests(connection, before, found).await?;
            }
            return Ok(done);
        }
    }
    if let Some(before) = before(retention.rooms_ms) {
        let sql = "UPDATE seating SET room = NULL WHERE room IS NOT NULL AND stage < 2 AND stage = 0
            AND created_ms < $1";
        let query = db::query(sql).bind(before);
        done.rooms = query.execute(&mut *connection).await.map_err(failed)?.rows_affected();
    }
    if let Some(before) = before(retention.maps_ms) {
        let query = db::query(MAPS).bind(before);
        done.maps = query.execute(&mut *connection).await.map_err(failed)?.rows_affected();
        if done.maps > 0 {
            let query = db::query("DELETE FROM map_file WHERE map NOT IN (SELECT id FROM map)");
            query.execute(&mut *connection).await.map_err(failed)?;
        }
    }
    // Notices that old are not read any more.
    let old = number(now_ms.saturating_sub(NOTICES_MS));
    let query = db::query("DELETE FROM notice WHERE made_ms < $1").bind(old);
    query.execute(&mut *connection).await.map_err(failed)?;
    questions::forget(connection, now_ms).await?;
    Ok(done)
}

/// A condition: the table `s`, whose log ends as `t` says, is over since before $1, and no account sat at it.
macro_rules! old_table {
    () => {
        "s.stage = 2 AND s.created_ms < $1 AND t.at_ms < $1 AND NOT EXISTS
            (SELECT 1 FROM sat JOIN person p ON p.id = sat.person
                WHERE sat.seating = s.id AND p.kind IN ('account', 'program', 'closed', 'suspended'))"
    };
}

/// A condition: the person `p` is a guest who was last seen before $1, sits at no table and owns no map.
macro_rules! old_guest {
    () => {
        "p.kind = 'guest' AND p.seen_ms < $1
            AND NOT EXISTS (SELECT 1 FROM sat WHERE sat.person = p.id)
            AND NOT EXISTS (SELECT 1 FROM map WHERE map.owner = p.id)"
    };
}

/// A page of what may be forgotten.
pub(crate) struct Page {
    /// The ids of what is to be forgotten, in parts for one commit each.
    pub(crate) parts: Vec<Vec<String>>,
    /// The last id that was looked at; `None` where nothing is left.
    pub(crate) last: Option<String>,
}

/// The next tables by their ids after that one, and which of them are to be forgotten.
pub(crate) async fn old_tables(readers: &DbPool, before: i64, after: &str) -> Result<Page, StoreError> {
    const SQL: &str = concat!(
        "SELECT s.id, CAST(CASE WHEN ",
        old_table!(),
        " THEN 1 ELSE 0 END AS BIGINT)
        FROM (SELECT id, stage, created_ms FROM seating WHERE id > $2 ORDER BY id LIMIT $3) s
            JOIN tip t ON t.seating = s.id ORDER BY s.id"
    );
    page(readers, SQL, before, after).await
}

/// The next guests by their ids after that one, and which of them are to be forgotten.
pub(crate) async fn old_guests(readers: &DbPool, before: i64, after: &str) -> Result<Page, StoreError> {
    const SQL: &str = concat!(
        "SELECT p.id, CAST(CASE WHEN ",
        old_guest!(),
        " THEN 1 ELSE 0 END AS BIGINT)
        FROM (SELECT id, kind, seen_ms FROM person WHERE id > $2 ORDER BY id LIMIT $3) p ORDER BY p.id"
    );
    page(readers, SQL, before, after).await
}

async fn page(readers: &DbPool, sql: &'static str, before: i64, after: &str) -> Result<Page, StoreError> {
    let query = db::query(sql).bind(before).bind(after).bind(LOOK);
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    let last = rows.last().map(|row| row.try_get(0)).transpose().map_err(failed)?;
    let mut found = Vec::new();
    for row in &rows {
        if row.try_get::<i64, _>(1).map_err(failed)? == 1 {
            found.push(row.try_get(0).map_err(failed)?);
        }
    }
    Ok(Page { parts: found.chunks(PART).map(<[String]>::to_vec).collect(), last })
}

fn ids(rows: &[DbRow]) -> Result<Vec<String>, StoreError> {
    rows.iter().map(|row| row.try_get(0).map_err(failed)).collect()
}

async fn tables(connection: &mut DbConnection, before: i64, found: &[String]) -> Result<u64, StoreError> {
    const SQL: &str = concat!(
        "SELECT s.id, t.ver FROM seating s JOIN tip t ON t.seating = s.id
            WHERE s.id IN (SELECT value FROM json_each($2)) AND ",
        old_table!()
    );
    let query = db::query(SQL).bind(before).bind(serde_json::json!(found).to_string());
    let rows = query.fetch_all(&mut *connection).await.map_err(failed)?;
    let ids = serde_json::json!(ids(&rows)?).to_string();
    let mut deleted = 0;
    for sql in [
        "DELETE FROM game_player WHERE n IN (SELECT n FROM game WHERE id IN (SELECT value FROM json_each($1)))",
        "DELETE FROM game WHERE id IN (SELECT value FROM json_each($1))",
        "DELETE FROM event WHERE seating IN (SELECT value FROM json_each($1))",
        "DELETE FROM folded WHERE seating IN (SELECT value FROM json_each($1))",
        "DELETE FROM tip WHERE seating IN (SELECT value FROM json_each($1))",
        "DELETE FROM sat WHERE seating IN (SELECT value FROM json_each($1))",
        "DELETE FROM asleep WHERE seating IN (SELECT value FROM json_each($1))",
        "DELETE FROM plan WHERE seating IN (SELECT value FROM json_each($1))",
        "DELETE FROM seat_note WHERE seating IN (SELECT value FROM json_each($1))",
        "DELETE FROM report WHERE seating IN (SELECT value FROM json_each($1))",
        "DELETE FROM said WHERE seating IN (SELECT value FROM json_each($1))",
        "DELETE FROM seek WHERE seating IN (SELECT value FROM json_each($1))",
        "DELETE FROM seating WHERE id IN (SELECT value FROM json_each($1))",
    ] {
        let query = db::query(sql).bind(&ids);
        deleted = query.execute(&mut *connection).await.map_err(failed)?.rows_affected();
    }
    Ok(deleted)
}

async fn guests(connection: &mut DbConnection, before: i64, found: &[String]) -> Result<u64, StoreError> {
    const SQL: &str = concat!(
        "SELECT p.id FROM person p WHERE p.id IN (SELECT value FROM json_each($2)) AND ",
        old_guest!()
    );
    let query = db::query(SQL).bind(before).bind(serde_json::json!(found).to_string());
    let rows = query.fetch_all(&mut *connection).await.map_err(failed)?;
    let ids = serde_json::json!(ids(&rows)?).to_string();
    let mut deleted = 0;
    for sql in [
        "DELETE FROM session WHERE person IN (SELECT value FROM json_each($1))",
        "DELETE FROM person WHERE id IN (SELECT value FROM json_each($1))",
    ] {
        let query = db::query(sql).bind(&ids);
        deleted = query.execute(&mut *connection).await.map_err(failed)?.rows_affected();
    }
    Ok(deleted)
}

/// Forgets one part of what is too old.
struct Forget {
    part: Part,
    retention: Retention,
    now_ms: u64,
}

#[async_trait::async_trait]
impl Work<DbConnection> for Forget {
    type Done = Forgotten;

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    fn is_alone(&self) -> bool {
        true
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<Forgotten, StoreError> {
        forget(connection, &self.part, self.retention, self.now_ms).await
    }
}

#[async_trait::async_trait]
impl Upkeep for Stock {
    async fn forget(&self, retention: Retention, now_ms: u64) -> Result<Forgotten, StoreError> {
        let mut all = self.work(Forget { part: Part::Rest, retention, now_ms }).await?;
        // In parts, so that entries get between them.
        if let Some(before) = before(retention.guest_tables_ms, now_ms) {
            let mut last = String::new();
            loop {
                let page = read!(self, readers => old_tables(readers, before, &last).await)?;
                let Some(end) = page.last else { break };
                last = end;
                for part in page.parts {
                    all.tables +=
                        self.work(Forget { part: Part::Tables(part), retention, now_ms }).await?.tables;
                }
            }
        }
        if let Some(before) = before(retention.guests_ms, now_ms) {
            let mut last = String::new();
            loop {
                let page = read!(self, readers => old_guests(readers, before, &last).await)?;
                let Some(end) = page.last else { break };
                last = end;
                for part in page.parts {
                    all.guests +=
                        self.work(Forget { part: Part::Guests(part), retention, now_ms }).await?.guests;
                }
            }
        }
        Ok(all)
    }

    async fn fold(&self, before_ms: u64) -> Result<Folded, StoreError> {
        self.answer(What::Fold { before_ms }).await
    }

    async fn backup(&self, path: &Path) -> Result<Report, StoreError> {
        self.copy_to(path).await
    }
}
