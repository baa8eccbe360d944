//! Numbers of the table `hall`, and the standing of tables, which several subjects and the writers change.

use sqlx::Row;
use table::Standing;

use super::db::{self, DbConnection};
use super::{failed, number, unique};
use crate::StoreError;

/// Sets a number of the table `hall`.
pub(crate) async fn count(
    connection: &mut DbConnection,
    key: &'static str,
    value: u64,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO hall (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    db::query(sql).bind(key).bind(number(value)).execute(connection).await.map(|_| ()).map_err(failed)
}

/// A number of the table `hall`.
pub(crate) async fn counted(
    connection: &mut DbConnection,
    key: &'static str,
) -> Result<Option<u64>, StoreError> {
    let query = db::query("SELECT value FROM hall WHERE key = $1").bind(key);
    let row = query.fetch_optional(connection).await.map_err(failed)?;
    row.map(|row| Ok(row.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned())).transpose()
}

/// Sets the standing of a table. [`Taken`](StoreError::Taken): it opens a room whose name another has.
pub(crate) async fn stand(
    connection: &mut DbConnection,
    id: &str,
    standing: &Standing,
) -> Result<(), StoreError> {
    db::query("UPDATE seating SET stage = $1, first = $2, second = $3 WHERE id = $4")
        .bind(standing.stage as i64)
        .bind(&standing.seats[0])
        .bind(&standing.seats[1])
        .bind(id)
        .execute(connection)
        .await
        .map(|_| ())
        .map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })
}
