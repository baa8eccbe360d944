//! The PostgreSQL side of the shared SQL: types, queries and errors. Functions that only SQLite has are defined in the
//! schema.

use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{PgConnection, PgPool, Postgres, Row, Transaction};

use crate::StoreError;

pub(super) type Db = Postgres;
pub(super) type DbConnection = PgConnection;
pub(super) type DbPool = PgPool;
pub(super) type DbRow = PgRow;

/// A statement as it is written.
pub(super) fn query<'q>(sql: &'static str) -> Query<'q, Postgres, PgArguments> {
    sqlx::query(sql)
}

/// A column that holds a small number.
pub(super) fn int<T: TryFrom<i64>>(row: &PgRow, at: usize) -> Result<T, sqlx::Error> {
    small(row.try_get(at)?)
}

/// A column that may hold a small number.
pub(super) fn some_int<T: TryFrom<i64>>(row: &PgRow, at: usize) -> Result<Option<T>, sqlx::Error> {
    row.try_get::<Option<i64>, _>(at)?.map(small).transpose()
}

fn small<T: TryFrom<i64>>(number: i64) -> Result<T, sqlx::Error> {
    T::try_from(number).map_err(|_| sqlx::Error::Decode(format!("{number} is out of range").into()))
}

/// A transaction for reading: all that is read in it is of one moment.
pub(super) async fn snapshot(readers: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    readers.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await
}

/// Converts a number for PostgreSQL, whose numbers are signed. Larger ones are cut off: times that never come.
pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Maps an error of the database to a [`StoreError`].
pub(super) fn failed(error: sqlx::Error) -> StoreError {
    // The codes of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html
    let code = error.as_database_error().and_then(|error| error.code()).unwrap_or_default();
    match &*code {
        "53100" => StoreError::DiskFull,
        "XX001" | "XX002" => StoreError::damaged(
            format!("PostgreSQL cannot make sense of the database ({error})"),
            "the database",
            "stop all halls, keep a copy, and restore a backup",
        ),
        _ => StoreError::Failed(error.to_string()),
    }
}

pub(super) fn unique(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}

/// Returns true if the connection has ended, or the server is about to stop: the request may be repeated on another
/// connection.
pub(super) fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::Protocol(_)
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(why) => {
            // Class 57: an administrator ends connections, the server stops or starts; 08: the connection; 25006: the
            // server has become a standby.
            let code = why.code().unwrap_or_default();
            matches!(&*code, "57P01" | "57P02" | "57P03" | "53300" | "25006" | "25P03")
                || code.starts_with("08")
        }
        _ => false,
    }
}
