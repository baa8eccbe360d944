//! Questions that wait for their answers.

use sqlx::Row;

use super::db::{self, DbConnection, DbPool};
use super::{Stock, failed, number};
use crate::StoreError;
use crate::questions::{NewQuestion, QuestionDeed, Questions};
use crate::work::{Desk, Work};

pub(super) async fn carry_out(
    connection: &mut DbConnection,
    deed: &QuestionDeed,
) -> Result<Option<String>, StoreError> {
    match deed {
        QuestionDeed::Ask(question) => ask(connection, question).await.map(|()| None),
        QuestionDeed::Change { kind, hash, body, now_ms } => {
            let sql = "UPDATE question SET body = $1 WHERE kind = $2 AND hash = $3 AND until_ms > $4";
            let query = db::query(sql).bind(body).bind(*kind).bind(&hash[..]).bind(number(*now_ms));
            let done = query.execute(connection).await.map_err(failed)?;
            if done.rows_affected() == 0 { Err(StoreError::Missing) } else { Ok(None) }
        }
        QuestionDeed::Take { kind, hash, now_ms } => {
            let sql = "DELETE FROM question WHERE kind = $1 AND hash = $2 RETURNING body, until_ms";
            let query = db::query(sql).bind(*kind).bind(&hash[..]);
            let Some(row) = query.fetch_optional(connection).await.map_err(failed)? else {
                return Ok(None);
            };
            let counts = row.try_get::<i64, _>(1).map_err(failed)? > number(*now_ms);
            let body = row.try_get(0).map_err(failed)?;
            Ok(counts.then_some(body))
        }
    }
}

async fn ask(connection: &mut DbConnection, question: &NewQuestion) -> Result<(), StoreError> {
    let NewQuestion { kind, hash, asker, body, until_ms, most, most_each, now_ms } = question;
    forget(connection, *now_ms).await?;
    let sql = "DELETE FROM question WHERE kind = $1 AND asker = $2 AND hash NOT IN
        (SELECT hash FROM question WHERE kind = $1 AND asker = $2 ORDER BY until_ms DESC, hash LIMIT $3)";
    let query = db::query(sql).bind(*kind).bind(asker).bind(i64::from(*most_each) - 1);
    query.execute(&mut *connection).await.map_err(failed)?;
    let sql = "DELETE FROM question WHERE kind = $1 AND until_ms <= (SELECT until_ms FROM question WHERE kind = $1
        ORDER BY until_ms DESC, hash DESC LIMIT 1 OFFSET $2)
        AND hash NOT IN (SELECT hash FROM question WHERE kind = $1 ORDER BY until_ms DESC, hash DESC LIMIT $2)";
    let query = db::query(sql).bind(*kind).bind(i64::from(*most) - 1);
    query.execute(&mut *connection).await.map_err(failed)?;
    let sql = "INSERT INTO question (kind, hash, asker, body, until_ms) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (kind, hash) DO NOTHING";
    let query = db::query(sql).bind(*kind).bind(&hash[..]).bind(asker).bind(body).bind(number(*until_ms));
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Forgets what has expired.
pub(super) async fn forget(connection: &mut DbConnection, now_ms: u64) -> Result<(), StoreError> {
    let query = db::query("DELETE FROM question WHERE until_ms <= $1").bind(number(now_ms));
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

async fn body(
    readers: &DbPool,
    kind: &'static str,
    hash: [u8; 32],
    now_ms: u64,
) -> Result<Option<String>, StoreError> {
    let sql = "SELECT body FROM question WHERE kind = $1 AND hash = $2 AND until_ms > $3";
    let query = db::query(sql).bind(kind).bind(&hash[..]).bind(number(now_ms));
    let row = query.fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| row.try_get(0).map_err(failed)).transpose()
}

work!(QuestionDeed => Option<String>, Letters);

#[async_trait::async_trait]
impl Questions for Stock {
    async fn ask_question(&self, question: NewQuestion) -> Result<(), StoreError> {
        self.work(QuestionDeed::Ask(question)).await.map(|_| ())
    }

    async fn change_question(
        &self,
        kind: &'static str,
        hash: [u8; 32],
        body: String,
        now_ms: u64,
    ) -> Result<(), StoreError> {
        self.work(QuestionDeed::Change { kind, hash, body, now_ms }).await.map(|_| ())
    }

    async fn question(
        &self,
        kind: &'static str,
        hash: [u8; 32],
        now_ms: u64,
    ) -> Result<Option<String>, StoreError> {
        read!(self, readers => body(readers, kind, hash, now_ms).await)
    }

    async fn take_question(
        &self,
        kind: &'static str,
        hash: [u8; 32],
        now_ms: u64,
    ) -> Result<Option<String>, StoreError> {
        self.work(QuestionDeed::Take { kind, hash, now_ms }).await
    }
}
