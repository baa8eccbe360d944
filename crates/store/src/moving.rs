//! Moves the data of a folder into an empty database of PostgreSQL: every row of every table, in one transaction.
//!
//! The columns are read from both schemas, so that a new migration needs no change here. A column of one side that
//! the other side does not have is an error and is not left out.

use std::collections::BTreeMap;
use std::path::Path;

use futures_util::TryStreamExt;
use futures_util::future::join_all;
use sqlx::postgres::{PgArguments, PgConnectOptions};
use sqlx::query::Query;
use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row, SqliteConnection};

use crate::{Join, Store, StoreError};

/// The number of rows that one statement inserts.
const BATCH: usize = 500;
/// Keys of the table `hall` that are about the file itself and are not moved.
const OF_THE_FILE: &str = "'commits', 'sealed', 'mark'";
/// Tables whose rows are numbered by the database.
const NUMBERED: [&str; 6] = ["noted", "said", "complaint", "ban", "announcement", "staff_log"];

/// The number of tables of games that are compared at a time.
const TOGETHER: usize = 16;
/// The interval of progress reports of a migration, in rows.
const TELL: u64 = 20_000;

/// The progress of a migration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moved<'a> {
    /// Rows of a table of the database were written.
    Written {
        /// The name of that table.
        table: &'a str,
        /// Rows so far.
        rows: u64,
        /// Rows in all.
        of: u64,
    },
    /// Tables of games were read again in both places.
    Compared {
        /// Tables so far.
        tables: u64,
        /// Tables in all.
        of: u64,
    },
}

/// A callback for the progress of a migration, called each time that it is noticeably further, and at the end of each
/// part.
pub type OnProgress<'a> = &'a (dyn Fn(Moved<'_>) + Send + Sync);

/// Moves what is in `folder`, which no hall may be using, into the empty database of `join`. Returns how many rows each
/// table has. Where this fails, nothing was moved; the folder stays as it is anyway.
///
/// # Errors
/// An error when either cannot be used, the database is not empty, or what was moved does not read as what was there.
pub async fn move_to_postgres(
    folder: &Path,
    join: &Join,
    told: OnProgress<'_>,
) -> Result<BTreeMap<String, u64>, StoreError> {
    let old = Store::open(folder).await?;
    let opened = Store::join(join).await;
    let moved = match &opened {
        Ok(new) => move_between(folder, join, &old, new, told).await,
        Err(why) => Err(why.clone()),
    };
    old.condition.close().await;
    if let Ok(new) = opened {
        new.condition.close().await;
    }
    moved
}

async fn move_between(
    folder: &Path,
    join: &Join,
    old: &Store,
    new: &Store,
    told: OnProgress<'_>,
) -> Result<BTreeMap<String, u64>, StoreError> {
    let failed = |why: sqlx::Error| StoreError::Failed(format!("nothing was moved: {why}"));
    let options = SqliteConnectOptions::new().filename(folder.join("hall.db")).read_only(true);
    let mut from = SqliteConnection::connect_with(&options).await.map_err(failed)?;
    let options: PgConnectOptions = join.url.parse().map_err(failed)?;
    let mut connection = PgConnection::connect_with(&options).await.map_err(failed)?;
    let mut to = connection.begin().await.map_err(failed)?;
    let sql = "SELECT (SELECT count(*) FROM node) - 1, EXISTS (SELECT 1 FROM seating) OR EXISTS (SELECT 1 FROM person)
        OR EXISTS (SELECT 1 FROM map) OR EXISTS (SELECT 1 FROM game) OR EXISTS (SELECT 1 FROM hall_secret)";
    let row = sqlx::query(sql).fetch_one(&mut *to).await.map_err(failed)?;
    let (others, used): (i64, bool) = (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?);
    if used || others > 0 {
        let why = "the database is used by a hall already, and nothing was moved; make an empty one with \
            `createdb`, and start no hall with it before its data are in it";
        return Err(StoreError::Failed(why.to_owned()));
    }
    sqlx::query("DELETE FROM hall").execute(&mut *to).await.map_err(failed)?;
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name NOT LIKE '_sqlx_%' AND substr(name, 1, 12) <> '_litestream_' ORDER BY name";
    let tables = sqlx::query(sql).fetch_all(&mut from).await.map_err(failed)?;
    let mut counts = BTreeMap::new();
    for row in tables {
        let table: String = row.try_get(0).map_err(failed)?;
        let count = move_table(&table, &mut from, &mut to, told).await?;
        let sql = format!("SELECT count(*) FROM {table}");
        let there = sqlx::query(AssertSqlSafe(sql)).fetch_one(&mut *to).await.map_err(failed)?;
        let there = there.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned();
        if there != count {
            let why = format!("nothing was moved: {there} rows of {count} in table {table}");
            return Err(StoreError::Failed(why));
        }
        counts.insert(table, count);
    }
    for table in NUMBERED {
        let sql = format!(
            "SELECT setval(pg_get_serial_sequence('{table}', 'n'), coalesce(max(n), 0) + 1, false) FROM {table}"
        );
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *to).await.map_err(failed)?;
    }
    to.commit().await.map_err(failed)?;
    compare(&mut from, old, new, told).await?;
    let _ = (from.close().await, connection.close().await);
    Ok(counts)
}

/// Moves one table; returns how many rows it has.
async fn move_table(
    table: &str,
    from: &mut SqliteConnection,
    to: &mut PgConnection,
    told: OnProgress<'_>,
) -> Result<u64, StoreError> {
    let failed = |why: sqlx::Error| StoreError::Failed(format!("nothing was moved: table {table}: {why}"));
    let sql = "SELECT column_name::text, data_type::text FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = $1";
    let rows = sqlx::query(sql).bind(table).fetch_all(&mut *to).await.map_err(failed)?;
    let kinds: BTreeMap<String, String> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    let sql = format!("SELECT name FROM pragma_table_info('{table}')");
    let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut *from).await.map_err(failed)?;
    let columns: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let mut typed = Vec::new();
    for column in &columns {
        let Some(kind) = kinds.get(column) else {
            let why = format!("nothing was moved: PostgreSQL has no place for {table}.{column}");
            return Err(StoreError::Failed(why));
        };
        typed.push((column.as_str(), kind.as_str()));
    }
    let list = columns.join(", ");
    // Maps came in an order, which decides which trial of an author goes first.
    let suffix = match table {
        "map" => " ORDER BY rowid".to_owned(),
        "hall" => format!(" WHERE key NOT IN ({OF_THE_FILE})"),
        _ => String::new(),
    };
    let places: Vec<String> = typed.iter().zip(1..).map(|((_, kind), n)| format!("${n}::{kind}[]")).collect();
    let insert = format!("INSERT INTO {table} ({list}) SELECT * FROM unnest({})", places.join(", "));
    let select = format!("SELECT {list} FROM {table}{suffix}");
    let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {table}{suffix})");
    let of = sqlx::query(AssertSqlSafe(sql)).fetch_one(&mut *from).await.map_err(failed)?;
    let of = of.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned();
    let (mut count, mut said) = (0, 0);
    let mut rows = sqlx::query(AssertSqlSafe(select)).fetch(from);
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        let row = rows.try_next().await.map_err(failed)?;
        let ended = row.is_none();
        batch.extend(row);
        if batch.len() == BATCH || ended && !batch.is_empty() {
            let mut query = sqlx::query(AssertSqlSafe(insert.clone()));
            for (at, (_, kind)) in typed.iter().enumerate() {
                query = bind(query, &batch, at, kind).map_err(failed)?;
            }
            query.execute(&mut *to).await.map_err(failed)?;
            count += batch.len() as u64;
            batch.clear();
        }
        if ended || count >= said + TELL {
            said = count;
            told(Moved::Written { table, rows: count, of: of.max(count) });
        }
        if ended {
            return Ok(count);
        }
    }
}

/// Binds a column of these rows as a list.
fn bind<'q>(
    query: Query<'q, sqlx::Postgres, PgArguments>,
    rows: &[SqliteRow],
    at: usize,
    kind: &str,
) -> Result<Query<'q, sqlx::Postgres, PgArguments>, sqlx::Error> {
    fn column<'r, T>(rows: &'r [SqliteRow], at: usize) -> Result<Vec<Option<T>>, sqlx::Error>
    where
        T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
    {
        rows.iter().map(|row| row.try_get_unchecked::<Option<T>, _>(at)).collect()
    }
    Ok(match kind {
        "bigint" => query.bind(column::<i64>(rows, at)?),
        "text" => query.bind(column::<String>(rows, at)?),
        "bytea" => query.bind(column::<Vec<u8>>(rows, at)?),
        "boolean" => query.bind(column::<bool>(rows, at)?),
        "double precision" => query.bind(column::<f64>(rows, at)?),
        other => return Err(sqlx::Error::Decode(format!("no column may be of type {other}").into())),
    })
}

/// Checks that every table reads the same in the new database as in the old one; the checksums of its log are checked
/// in both.
async fn compare(
    from: &mut SqliteConnection,
    old: &Store,
    new: &Store,
    told: OnProgress<'_>,
) -> Result<(), StoreError> {
    let failed = |why: sqlx::Error| StoreError::Failed(why.to_string());
    let of = sqlx::query("SELECT count(*) FROM seating").fetch_one(&mut *from).await.map_err(failed)?;
    let of = of.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned();
    let (mut last, mut count, mut said) = (String::new(), 0, 0);
    loop {
        let sql = "SELECT id FROM seating WHERE id > ? ORDER BY id LIMIT ?";
        let query = sqlx::query(sql).bind(&last).bind(TOGETHER as i64);
        let rows = query.fetch_all(&mut *from).await.map_err(failed)?;
        let ids: Vec<String> =
            rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(failed)?;
        let Some(newest) = ids.last() else { break };
        last.clone_from(newest);
        let both = ids.iter().map(async |id| {
            // What is damaged here is damaged there, in the same way.
            let (here, there) = (old.logs.load(id).await, new.logs.load(id).await);
            here.is_ok() && here == there || here.is_err() && there.is_err()
        });
        let same = join_all(both).await;
        if let Some((id, _)) = ids.iter().zip(same).find(|(_, same)| !same) {
            let node = new.claims.node().unwrap_or_default();
            let why = format!("table {id} does not read in {node} as before; drop that database");
            return Err(StoreError::Failed(why));
        }
        count += ids.len() as u64;
        if count >= said + TELL / 10 {
            said = count;
            told(Moved::Compared { tables: count, of });
        }
    }
    told(Moved::Compared { tables: count, of });
    Ok(())
}
