//! The PostgreSQL side of the shared SQL: types, and translation of statements.
//!
//! The shared SQL is written for SQLite. [`query`] translates it for PostgreSQL: numbered parameters, and the few
//! places where the two have no common syntax. Functions that only SQLite has are defined in the schema.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{PgConnection, PgPool, Postgres, Row, Transaction};

pub(super) type Db = Postgres;
pub(super) type DbConnection = PgConnection;
pub(super) type DbPool = PgPool;
pub(super) type DbRow = PgRow;

/// Joins what comes before it to the next table; the planner finds the order.
pub(super) const IN_ORDER: &str = ") p JOIN";

/// Builds a statement of the shared SQL. Each is translated once.
pub(super) fn query<'q>(sql: &'static str) -> Query<'q, Postgres, PgArguments> {
    static KNOWN: Mutex<Option<HashMap<(usize, usize), &'static str>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    // The address tells statements apart, as they are all written in the code; so few are kept as there are.
    let translated = *known
        .entry((sql.as_ptr() as usize, sql.len()))
        .or_insert_with(|| Box::leak(translated(sql).into_boxed_str()));
    sqlx::query(translated)
}

/// A statement of parts that are all written in the code.
pub(super) fn query_made<'q>(sql: String) -> Query<'q, Postgres, PgArguments> {
    sqlx::query(sqlx::AssertSqlSafe(translated(&sql)))
}

/// Words of the shared SQL, each with its PostgreSQL form. Truth values are numbers in SQLite, and its planner keeps
/// the order of a `CROSS JOIN` with a condition, which PostgreSQL does not know.
const WORDS: [(&str, &str); 8] = [
    ("blocks = 1", "blocks"),
    ("digest = 1", "digest"),
    ("phrase = 1", "phrase"),
    ("listed = 1", "listed"),
    ("name LIKE", "name ILIKE"),
    ("tags LIKE", "tags ILIKE"),
    ("about LIKE", "about ILIKE"),
    ("CROSS JOIN rating_change", "JOIN rating_change"),
];

fn translated(sql: &str) -> String {
    let mut text = String::with_capacity(sql.len() + 16);
    let mut count = 0;
    let mut quoted = false;
    let mut signs = sql.chars().peekable();
    while let Some(sign) = signs.next() {
        quoted ^= sign == '\'';
        if sign != '?' || quoted {
            text.push(sign);
            continue;
        }
        text.push('$');
        if !signs.peek().is_some_and(char::is_ascii_digit) {
            count += 1;
            text.push_str(&count.to_string());
        }
    }
    WORDS.iter().fold(text, |text, (from, to)| text.replace(from, to))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_and_words_are_said_otherwise() {
        for (said, told) in [
            ("SELECT a FROM b WHERE c = ? AND d > ?", "SELECT a FROM b WHERE c = $1 AND d > $2"),
            ("x = ?2 AND y = ?1 OR z = ?12", "x = $2 AND y = $1 OR z = $12"),
            ("x LIKE '?' AND y = ?", "x LIKE '?' AND y = $1"),
            ("m.digest = 1 AND x = ?", "m.digest AND x = $1"),
        ] {
            assert_eq!(translated(said), told);
        }
    }
}
