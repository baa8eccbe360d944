//! The SQLite side of the shared SQL: types and query functions.

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Row, Sqlite, SqliteConnection, SqlitePool, Transaction};

pub(super) type Db = Sqlite;
pub(super) type DbConnection = SqliteConnection;
pub(super) type DbPool = SqlitePool;
pub(super) type DbRow = SqliteRow;

/// Joins what comes before it to the next table in the order in which they are written, which the planner keeps.
pub(super) const IN_ORDER: &str = ") p CROSS JOIN";

/// A statement as it is written.
pub(super) fn query<'q>(sql: &'static str) -> Query<'q, Sqlite, SqliteArguments> {
    sqlx::query(sql)
}

/// A statement of parts that are all written in the code.
pub(super) fn query_made<'q>(sql: String) -> Query<'q, Sqlite, SqliteArguments> {
    sqlx::query(sqlx::AssertSqlSafe(sql))
}

/// A column that holds a small number.
pub(super) fn int<T: TryFrom<i64>>(row: &SqliteRow, at: usize) -> Result<T, sqlx::Error> {
    small(row.try_get(at)?)
}

/// A column that may hold a small number.
pub(super) fn some_int<T: TryFrom<i64>>(row: &SqliteRow, at: usize) -> Result<Option<T>, sqlx::Error> {
    row.try_get::<Option<i64>, _>(at)?.map(small).transpose()
}

fn small<T: TryFrom<i64>>(number: i64) -> Result<T, sqlx::Error> {
    T::try_from(number).map_err(|_| sqlx::Error::Decode(format!("{number} is out of range").into()))
}

/// A transaction for reading: all that is read in it is of one moment.
pub(super) async fn snapshot(readers: &SqlitePool) -> Result<Transaction<'static, Sqlite>, sqlx::Error> {
    readers.begin().await
}
