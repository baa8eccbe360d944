//! Notices of people as rows.

use ::people::notices::{Quiet, Topic, WARNING_MOST_MS, WARNING_PART, warning_ms};
use sqlx::{QueryBuilder, Row};

use super::db::{self, Db, DbConnection, DbPool, DbRow};
use super::slow::weekend_pause;
use super::{Stock, failed, number, slow};
use crate::StoreError;
use crate::notices::{Device, DueNotice, MOST_DEVICES, MOST_FAILURES, NewNotice, NoticeChange, Notices};
use crate::work::{Desk, Work};

/// Rows written, or asked for, with one statement.
const ROWS: usize = 256;

pub(super) async fn secret(readers: &DbPool, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let query = db::query("SELECT body FROM hall_secret WHERE name = $1").bind(name);
    let row = query.fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| row.try_get(0).map_err(failed)).transpose()
}

pub(super) async fn devices(readers: &DbPool, person: &str) -> Result<Vec<Device>, StoreError> {
    let sql = "SELECT session, person, endpoint, point, secret, lang FROM push WHERE person = $1
        ORDER BY made_ms DESC, session LIMIT $2";
    let query = db::query(sql).bind(person).bind(i64::from(MOST_DEVICES));
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    let device = |row: DbRow| {
        Ok(Device {
            session: row.try_get(0)?,
            person: row.try_get(1)?,
            endpoint: row.try_get(2)?,
            point: row.try_get(3)?,
            secret: row.try_get(4)?,
            lang: row.try_get(5)?,
        })
    };
    rows.into_iter().map(device).collect::<Result<_, _>>().map_err(failed)
}

pub(super) async fn told_people(readers: &DbPool) -> Result<Vec<String>, StoreError> {
    let query = db::query(concat!(
        "SELECT person FROM push UNION SELECT person FROM mail_address WHERE ",
        holds!("digest")
    ));
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    rows.into_iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(failed)
}

pub(super) async fn quiet(readers: &DbPool, person: &str) -> Result<Option<Quiet>, StoreError> {
    let query = db::query("SELECT from_min, to_min, zone FROM quiet WHERE person = $1").bind(person);
    let Some(row) = query.fetch_optional(readers).await.map_err(failed)? else { return Ok(None) };
    let (from, to): (u16, u16) = (db::int(&row, 0).map_err(failed)?, db::int(&row, 1).map_err(failed)?);
    let zone: String = row.try_get(2).map_err(failed)?;
    // A time zone may leave the tz database; notices are sent all the same.
    Ok(Quiet::new(from, to, &zone).ok())
}

/// Returns due notices, also those that no longer apply, so that they can be deleted.
pub(super) async fn due(
    readers: &DbPool,
    now_ms: u64,
    most: u32,
    but: &[String],
) -> Result<Vec<DueNotice>, StoreError> {
    let but = serde_json::to_string(but).expect("plain texts");
    let sql = "SELECT n.person, n.subject, n.topic, n.tries,
            coalesce(json_extract(s.setup, '$.game'), json_extract(c.setup, '$.game'), ''),
            coalesce(a.deadline_ms, c.until_ms, 0), other.name
        FROM notice n
        LEFT JOIN seating s ON n.topic <> 'challenge' AND s.id = n.subject AND s.stage = 1 AND json_valid(s.setup)
        LEFT JOIN asleep a ON a.seating = s.id AND a.held_ms IS NULL
            AND n.person = CASE a.turn WHEN 0 THEN s.first WHEN 1 THEN s.second END
        LEFT JOIN challenge c ON n.topic = 'challenge' AND c.id = n.subject AND c.challenged = n.person
            AND c.until_ms > $1 AND json_valid(c.setup)
        LEFT JOIN person other ON other.id =
            CASE WHEN c.id IS NOT NULL THEN c.challenger WHEN s.first = n.person THEN s.second ELSE s.first END
        WHERE n.sent_ms IS NULL AND n.due_ms <= $1 AND n.person NOT IN (SELECT value FROM json_each($3))
        ORDER BY n.due_ms, n.person, n.subject LIMIT $2";
    let query = db::query(sql).bind(number(now_ms)).bind(i64::from(most)).bind(but);
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    let notice = |row: DbRow| {
        let until_ms: i64 = row.try_get(5)?;
        let topic: &str = row.try_get(2)?;
        let topic = Topic::from_key(topic);
        Ok(DueNotice {
            person: row.try_get(0)?,
            subject: row.try_get(1)?,
            // What a newer hall wanted to tell is not told.
            holds: until_ms > 0 && topic.is_some(),
            topic: topic.unwrap_or(Topic::Turn),
            tries: db::int(&row, 3)?,
            until_ms: until_ms.cast_unsigned(),
            game: row.try_get(4)?,
            other: row.try_get(6)?,
        })
    };
    rows.into_iter().map(notice).collect::<Result<_, _>>().map_err(failed)
}

/// The longest time that a weekend pause adds to a warning, in milliseconds.
const WEEKEND_MS: u64 = 2 * 86_400_000;

pub(super) async fn nearly_out(
    readers: &DbPool,
    now_ms: u64,
    most: u32,
) -> Result<Vec<(String, String, u64)>, StoreError> {
    // What `people::notices::warning_ms` says. The index of deadlines gives those of the longest warning, which may have a
    // weekend in it. Time that is not counted on weekends is counted below.
    let sql = concat!(
        "SELECT p.id, a.seating, a.deadline_ms, a.since_ms, CAST(CASE WHEN ",
        weekend_pause!(),
        " THEN 1 ELSE 0 END AS BIGINT)
        FROM asleep a JOIN seating s ON s.id = a.seating
        JOIN person p ON p.id = CASE a.turn WHEN 0 THEN s.first WHEN 1 THEN s.second END
        WHERE a.held_ms IS NULL AND a.turn IS NOT NULL AND s.stage = 1
            AND a.deadline_ms > $1 AND a.deadline_ms <= $1 + $4
            AND (a.deadline_ms - $1 <= (a.deadline_ms - a.since_ms) / $3 AND a.deadline_ms <= $1 + $2 OR ",
        weekend_pause!(),
        ") AND (EXISTS (SELECT 1 FROM push WHERE push.person = p.id)
                OR EXISTS (SELECT 1 FROM mail_address m WHERE m.person = p.id AND m.digest))
            AND NOT EXISTS (SELECT 1 FROM notice n WHERE n.person = p.id AND n.subject = a.seating AND n.topic = 'clock')
        ORDER BY a.deadline_ms, a.seating LIMIT 10000"
    );
    let query = db::query(sql).bind(number(now_ms)).bind(number(WARNING_MOST_MS));
    let query = query.bind(number(WARNING_PART)).bind(number(WARNING_MOST_MS + WEEKEND_MS));
    let rows = query.fetch_all(readers).await.map_err(failed)?;
    let one = |row: DbRow| {
        let time = |at| row.try_get::<i64, _>(at).map(i64::cast_unsigned);
        let (until_ms, since_ms, is_paused) = (time(2)?, time(3)?, time(4)? == 1);
        let counted_ms = |from_ms| slow::WITHOUT_WEEKENDS.counted_ms(from_ms, until_ms);
        let is_due = !is_paused || counted_ms(now_ms) <= warning_ms(counted_ms(since_ms));
        Ok(if is_due { Some((row.try_get(0)?, row.try_get(1)?, until_ms)) } else { None })
    };
    rows.into_iter()
        .filter_map(|row| one(row).transpose())
        .take(most as usize)
        .collect::<Result<_, _>>()
        .map_err(failed)
}

pub(super) async fn carry_out(
    connection: &mut DbConnection,
    change: &NoticeChange,
) -> Result<(), StoreError> {
    let query = match change {
        NoticeChange::Device { device, now_ms } => return keep(connection, device, *now_ms).await,
        NoticeChange::NoDevice { session } => db::query("DELETE FROM push WHERE session = $1").bind(session),
        NoticeChange::Delivered { session, done: true } => {
            db::query("UPDATE push SET failures = 0 WHERE session = $1 AND failures > 0").bind(session)
        }
        NoticeChange::Delivered { session, done: false } => {
            let query = db::query("UPDATE push SET failures = failures + 1 WHERE session = $1").bind(session);
            query.execute(&mut *connection).await.map_err(failed)?;
            let sql = "DELETE FROM push WHERE session = $1 AND failures >= $2";
            db::query(sql).bind(session).bind(i64::from(MOST_FAILURES))
        }
        NoticeChange::Quiet { person, quiet: None } => {
            db::query("DELETE FROM quiet WHERE person = $1").bind(person)
        }
        NoticeChange::Quiet { person, quiet: Some(quiet) } => {
            let sql = "INSERT INTO quiet (person, from_min, to_min, zone) VALUES ($1, $2, $3, $4)
                ON CONFLICT (person) DO UPDATE SET from_min = excluded.from_min, to_min = excluded.to_min, zone = excluded.zone";
            db::query(sql)
                .bind(person)
                .bind(i64::from(quiet.from_min()))
                .bind(i64::from(quiet.to_min()))
                .bind(quiet.zone())
        }
        NoticeChange::Words { looked, tell, now_ms } => {
            return words(connection, looked, tell, *now_ms).await;
        }
        NoticeChange::Sent { person, subject, now_ms } => {
            let sql = "UPDATE notice SET sent_ms = $1 WHERE person = $2 AND subject = $3";
            db::query(sql).bind(number(*now_ms)).bind(person).bind(subject)
        }
        NoticeChange::Again { person, subject, due_ms } => {
            let sql = "UPDATE notice SET due_ms = $1, tries = tries + 1, sent_ms = NULL WHERE person = $2 AND subject = $3";
            db::query(sql).bind(number(*due_ms)).bind(person).bind(subject)
        }
        NoticeChange::Secret { name, body } => {
            let sql = "INSERT INTO hall_secret (name, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            db::query(sql).bind(name).bind(body)
        }
        NoticeChange::NewSecret { name, before, body } => {
            let sql = "UPDATE hall_secret SET body = $1 WHERE name = $2 AND body = $3";
            db::query(sql).bind(body).bind(name).bind(before)
        }
    };
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

async fn words(
    connection: &mut DbConnection,
    looked: &[(String, String)],
    tell: &[NewNotice],
    now_ms: u64,
) -> Result<(), StoreError> {
    for (person, subject) in looked {
        let query = db::query("DELETE FROM notice WHERE person = $1 AND subject = $2");
        query.bind(person).bind(subject).execute(&mut *connection).await.map_err(failed)?;
    }
    for part in tell.chunks(ROWS) {
        let mut query =
            QueryBuilder::<Db>::new("INSERT INTO notice (person, subject, topic, made_ms, due_ms) ");
        query.push_values(part, |mut to, new| {
            to.push_bind(new.person.as_str())
                .push_bind(new.subject.as_str())
                .push_bind(new.topic.key())
                .push_bind(number(now_ms))
                .push_bind(number(new.due_ms));
        });
        query.push(
            " ON CONFLICT (person, subject) DO UPDATE SET topic = excluded.topic, made_ms = excluded.made_ms,
                due_ms = excluded.due_ms, tries = 0, sent_ms = NULL
                WHERE excluded.topic = 'clock' AND notice.topic <> 'clock'",
        );
        query.build().execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(())
}

pub(super) async fn noticed(
    readers: &DbPool,
    of: &[(String, String)],
) -> Result<Vec<(String, String)>, StoreError> {
    let mut found = Vec::new();
    for part in of.chunks(ROWS) {
        let mut query = QueryBuilder::<Db>::new("WITH v (person, subject) AS (");
        query.push_values(part, |mut to, (person, subject)| {
            to.push_bind(person.as_str()).push_bind(subject.as_str());
        });
        query.push(
            ") SELECT n.person, n.subject FROM v JOIN notice n ON n.person = v.person AND n.subject = v.subject",
        );
        for row in query.build().fetch_all(readers).await.map_err(failed)? {
            found.push((row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?));
        }
    }
    Ok(found)
}

async fn keep(connection: &mut DbConnection, device: &Device, now_ms: u64) -> Result<(), StoreError> {
    let query = db::query("SELECT 1 FROM session WHERE id = $1 AND person = $2");
    let query = query.bind(&device.session).bind(&device.person);
    // It was signed out meanwhile: nothing would end this with it.
    query.fetch_optional(&mut *connection).await.map_err(failed)?.ok_or(StoreError::Missing)?;
    let query = db::query("DELETE FROM push WHERE session = $1 OR endpoint = $2");
    let query = query.bind(&device.session).bind(&device.endpoint);
    query.execute(&mut *connection).await.map_err(failed)?;
    let sql = "INSERT INTO push (session, person, endpoint, point, secret, lang, made_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    db::query(sql)
        .bind(&device.session)
        .bind(&device.person)
        .bind(&device.endpoint)
        .bind(&device.point)
        .bind(&device.secret)
        .bind(&device.lang)
        .bind(number(now_ms))
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
    let sql = "DELETE FROM push WHERE person = $1 AND session NOT IN
        (SELECT session FROM push WHERE person = $1 ORDER BY made_ms DESC, session = $3 DESC, session LIMIT $2)";
    let query = db::query(sql).bind(&device.person).bind(i64::from(MOST_DEVICES)).bind(&device.session);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

work!(NoticeChange => (), Letters);

#[async_trait::async_trait]
impl Notices for Stock {
    async fn change(&self, change: NoticeChange) -> Result<(), StoreError> {
        self.work(change).await
    }

    async fn noticed(&self, of: &[(String, String)]) -> Result<Vec<(String, String)>, StoreError> {
        read!(self, readers => noticed(readers, of).await)
    }

    async fn hall_secret(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        read!(self, readers => secret(readers, name).await)
    }

    async fn devices(&self, person: &str) -> Result<Vec<Device>, StoreError> {
        read!(self, readers => devices(readers, person).await)
    }

    async fn told_people(&self) -> Result<Vec<String>, StoreError> {
        read!(self, readers => told_people(readers).await)
    }

    async fn quiet(&self, person: &str) -> Result<Option<Quiet>, StoreError> {
        read!(self, readers => quiet(readers, person).await)
    }

    async fn notices_due(
        &self,
        now_ms: u64,
        most: u32,
        but: &[String],
    ) -> Result<Vec<DueNotice>, StoreError> {
        read!(self, readers => due(readers, now_ms, most, but).await)
    }

    async fn nearly_out(&self, now_ms: u64, most: u32) -> Result<Vec<(String, String, u64)>, StoreError> {
        read!(self, readers => nearly_out(readers, now_ms, most).await)
    }
}
