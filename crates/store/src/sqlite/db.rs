//! The SQLite side of the shared SQL: types, queries and errors.

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Row, Sqlite, SqliteConnection, SqlitePool, Transaction};

use crate::StoreError;

pub(super) type Db = Sqlite;
pub(super) type DbConnection = SqliteConnection;
pub(super) type DbPool = SqlitePool;
pub(super) type DbRow = SqliteRow;

/// A statement as it is written.
pub(super) fn query<'q>(sql: &'static str) -> Query<'q, Sqlite, SqliteArguments> {
    sqlx::query(sql)
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

/// Converts a number for SQLite, whose numbers are signed. Larger ones are cut off: times that never come.
pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Maps an error of the database to a [`StoreError`].
pub(super) fn failed(error: sqlx::Error) -> StoreError {
    // The codes of SQLite: https://www.sqlite.org/rescode.html
    match code(&error) {
        Some(13) => StoreError::DiskFull,
        Some(code) if code & 0xff == 10 => StoreError::DiskFailed(error.to_string()),
        Some(code) if matches!(code & 0xff, 11 | 26) => StoreError::damaged(
            format!("SQLite cannot make sense of the database ({error})"),
            "hall.db",
            "stop the hall, keep a copy of the folder, run `qiguan admin check`, and restore a backup by `qiguan \
             admin restore`",
        ),
        _ => StoreError::Failed(error.to_string()),
    }
}

/// Returns true if another connection holds a lock on the database.
pub(super) fn is_locked(error: &sqlx::Error) -> bool {
    code(error).is_some_and(|code| code & 0xff == 5)
}

fn code(error: &sqlx::Error) -> Option<u32> {
    error.as_database_error()?.code()?.parse().ok()
}

pub(super) fn unique(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}
