//! Deletion of old data to make room.

use sqlx::Row;

use super::db::{self, DbConnection};
use super::{failed, number, people, questions};
use crate::{Forgotten, Retention, StoreError};

/// Tables, or guests, deleted with one commit, at most.
const PART: i64 = 100;
/// Forgets the maps from before ?1 that no table and no study uses.
pub(super) const MAPS: &str = "DELETE FROM map WHERE created_ms < ?1
    AND NOT EXISTS (SELECT 1 FROM seating s WHERE s.map = map.id)
    AND NOT EXISTS (SELECT 1 FROM study_map s WHERE s.map = map.id)";
/// The time for which notices are remembered, in milliseconds: 60 days.
const NOTICES_MS: u64 = 60 * 86_400_000;

/// Deletes one part of the old data. Nothing is left when all its counts are 0.
pub(super) async fn forget(
    connection: &mut DbConnection,
    retention: Retention,
    now_ms: u64,
) -> Result<Forgotten, StoreError> {
    let before = |age: Option<u64>| age.map(|age| number(now_ms.saturating_sub(age)));
    let mut done = Forgotten::default();
    if let Some(before) = before(retention.rooms_ms) {
        let sql = "UPDATE seating SET room = NULL WHERE room IS NOT NULL AND stage < 2 AND stage = 0
            AND created_ms < ?";
        let query = db::query(sql).bind(before);
        done.rooms = query.execute(&mut *connection).await.map_err(failed)?.rows_affected();
    }
    if let Some(before) = before(retention.guest_tables_ms) {
        done.tables = tables(connection, before).await?;
    }
    if let Some(before) = before(retention.maps_ms) {
        let query = db::query(MAPS).bind(before);
        done.maps = query.execute(&mut *connection).await.map_err(failed)?.rows_affected();
        if done.maps > 0 {
            let query = db::query("DELETE FROM map_file WHERE map NOT IN (SELECT id FROM map)");
            query.execute(&mut *connection).await.map_err(failed)?;
        }
    }
    if let Some(before) = before(retention.guests_ms) {
        done.guests = guests(connection, before).await?;
    }
    // Notices that old are not read any more.
    let old = number(now_ms.saturating_sub(NOTICES_MS));
    let query = db::query("DELETE FROM notice WHERE made_ms < ?").bind(old);
    query.execute(&mut *connection).await.map_err(failed)?;
    questions::forget(connection, now_ms).await?;
    Ok(done)
}

async fn tables(connection: &mut DbConnection, before: i64) -> Result<u64, StoreError> {
    let sql = "SELECT s.id, t.ver FROM seating s JOIN tip t ON t.seating = s.id
        WHERE s.stage = 2 AND s.created_ms < ?1 AND t.at_ms < ?1 AND NOT EXISTS
            (SELECT 1 FROM sat JOIN person p ON p.id = sat.person
                WHERE sat.seating = s.id AND p.kind IN ('account', 'program', 'closed', 'suspended'))
        LIMIT ?2";
    let rows = db::query(sql).bind(before).bind(PART).fetch_all(&mut *connection).await.map_err(failed)?;
    let ids = serde_json::json!(people::part(&rows)?).to_string();
    let mut deleted = 0;
    for sql in [
        "DELETE FROM game_player WHERE n IN (SELECT n FROM game WHERE id IN (SELECT value FROM json_each(?)))",
        "DELETE FROM game WHERE id IN (SELECT value FROM json_each(?))",
        "DELETE FROM event WHERE seating IN (SELECT value FROM json_each(?))",
        "DELETE FROM tip WHERE seating IN (SELECT value FROM json_each(?))",
        "DELETE FROM sat WHERE seating IN (SELECT value FROM json_each(?))",
        "DELETE FROM asleep WHERE seating IN (SELECT value FROM json_each(?))",
        "DELETE FROM plan WHERE seating IN (SELECT value FROM json_each(?))",
        "DELETE FROM seat_note WHERE seating IN (SELECT value FROM json_each(?))",
        "DELETE FROM report WHERE seating IN (SELECT value FROM json_each(?))",
        "DELETE FROM said WHERE seating IN (SELECT value FROM json_each(?))",
        "DELETE FROM seek WHERE seating IN (SELECT value FROM json_each(?))",
        "DELETE FROM seating WHERE id IN (SELECT value FROM json_each(?))",
    ] {
        let query = db::query(sql).bind(&ids);
        deleted = query.execute(&mut *connection).await.map_err(failed)?.rows_affected();
    }
    Ok(deleted)
}

async fn guests(connection: &mut DbConnection, before: i64) -> Result<u64, StoreError> {
    let sql = "SELECT json_group_array(id) FROM (SELECT p.id FROM person p
        WHERE p.kind = 'guest' AND p.seen_ms < ?
            AND NOT EXISTS (SELECT 1 FROM sat WHERE sat.person = p.id)
            AND NOT EXISTS (SELECT 1 FROM map WHERE map.owner = p.id)
        LIMIT ?) q";
    let row = db::query(sql).bind(before).bind(PART).fetch_one(&mut *connection).await.map_err(failed)?;
    let ids: String = row.try_get(0).map_err(failed)?;
    let mut deleted = 0;
    for sql in [
        "DELETE FROM session WHERE person IN (SELECT value FROM json_each(?))",
        "DELETE FROM person WHERE id IN (SELECT value FROM json_each(?))",
    ] {
        let query = db::query(sql).bind(&ids);
        deleted = query.execute(&mut *connection).await.map_err(failed)?.rows_affected();
    }
    Ok(deleted)
}
