//! Challenges, relations, what was said, and reports.

use people::block::MOST_RELATIONS;
use people::challenge::{MOST_PAIR, MOST_RECEIVED, MOST_SENT, RatingRange};
use people::moderation::{Decision, MOST_OPEN, Subject};
use people::phrases::{self, ChatMessage};
use sqlx::Row;
use wire::Side;

use super::db::{self, DbConnection, DbPool, DbRow};
use super::people::read_person;
use super::{Stock, failed, number, unique};
use crate::together::{Challenge, Complaint, Decided, Deed, Relation, SaidRow, Together, Which};
use crate::work::{Desk, Work};
use crate::{PersonRow, StoreError, format};

/// The time for which games that a person left are remembered, in milliseconds: 30 days.
const LEFT_MS: u64 = 30 * 86_400_000;

fn time(row: &DbRow, at: usize) -> Result<u64, StoreError> {
    row.try_get::<i64, _>(at).map(i64::cast_unsigned).map_err(failed)
}

fn some_time(row: &DbRow, at: usize) -> Result<Option<u64>, StoreError> {
    Ok(row.try_get::<Option<i64>, _>(at).map_err(failed)?.map(i64::cast_unsigned))
}

fn damaged(what: impl Into<String>, at: String) -> StoreError {
    StoreError::damaged(what.into(), at, "start the hall that wrote it")
}

/// Columns of [`read_challenge`].
macro_rules! challenge_columns {
    () => {
        "SELECT id, challenger, challenged, format, setup, side, until_ms FROM challenge"
    };
}

fn read_challenge(row: &DbRow) -> Result<Challenge, StoreError> {
    let id: String = row.try_get(0).map_err(failed)?;
    let setup = format::setup(db::int(row, 3).map_err(failed)?, row.try_get(4).map_err(failed)?)
        .map_err(|why| damaged(why, format!("challenge {id}")))?;
    let side = row.try_get::<Option<i64>, _>(5).map_err(failed)?;
    Ok(Challenge {
        from: row.try_get(1).map_err(failed)?,
        to: row.try_get(2).map_err(failed)?,
        setup,
        side: side.map(|side| if side == 0 { Side::First } else { Side::Second }),
        until_ms: time(row, 6)?,
        id,
    })
}

pub(super) async fn challenge(
    readers: &DbPool,
    id: &str,
    now_ms: u64,
) -> Result<Option<Challenge>, StoreError> {
    let sql = concat!(challenge_columns!(), " WHERE id = $1 AND until_ms > $2");
    let query = db::query(sql).bind(id).bind(number(now_ms));
    query.fetch_optional(readers).await.map_err(failed)?.as_ref().map(read_challenge).transpose()
}

pub(super) async fn challenges(
    readers: &DbPool,
    person: &str,
    now_ms: u64,
) -> Result<Vec<Challenge>, StoreError> {
    let sql = concat!(
        challenge_columns!(),
        " WHERE (challenger = $1 OR challenged = $1) AND until_ms > $2 ORDER BY made_ms, id"
    );
    let query = db::query(sql).bind(person).bind(number(now_ms));
    query.fetch_all(readers).await.map_err(failed)?.iter().map(read_challenge).collect()
}

/// A row `follows, blocks, note` from column `at` on.
fn read_relation(row: &DbRow, at: usize) -> Result<Relation, StoreError> {
    Ok(Relation {
        follows: row.try_get(at).map_err(failed)?,
        blocks: row.try_get(at + 1).map_err(failed)?,
        note: row.try_get(at + 2).map_err(failed)?,
    })
}

pub(super) async fn relation(readers: &DbPool, person: &str, other: &str) -> Result<Relation, StoreError> {
    let sql = "SELECT follows, blocks, note FROM relation WHERE person = $1 AND other = $2";
    let row = db::query(sql).bind(person).bind(other).fetch_optional(readers).await.map_err(failed)?;
    row.map_or_else(|| Ok(Relation::default()), |row| read_relation(&row, 0))
}

pub(super) async fn relations(
    readers: &DbPool,
    person: &str,
) -> Result<Vec<(PersonRow, Relation)>, StoreError> {
    let sql = "SELECT p.id, p.kind, p.name, p.made_ms, p.seen_ms, r.follows, r.blocks, r.note
        FROM relation r JOIN person p ON p.id = r.other WHERE r.person = $1 ORDER BY p.folded NULLS FIRST, p.id";
    let rows = db::query(sql).bind(person).fetch_all(readers).await.map_err(failed)?;
    rows.into_iter()
        .map(|row| Ok((read_relation(&row, 5)?, row)))
        .map(|both| {
            let (relation, row) = both?;
            Ok((read_person(row)?, relation))
        })
        .collect()
}

/// Columns of [`read_said`].
macro_rules! said_columns {
    () => {
        "SELECT n, seating, person, name, place, phrase, body, at_ms FROM said"
    };
}

fn read_said(row: &DbRow) -> Result<SaidRow, StoreError> {
    let (n, body): (u64, &str) = (time(row, 0)?, row.try_get(6).map_err(failed)?);
    let said = if row.try_get(5).map_err(failed)? {
        phrases::phrase(body)
            .map_err(|_| damaged(format!("the phrase {body:?} is not known"), format!("words {n}")))?
    } else {
        ChatMessage::Words(body.to_owned())
    };
    Ok(SaidRow {
        n,
        table: row.try_get(1).map_err(failed)?,
        person: row.try_get(2).map_err(failed)?,
        name: row.try_get(3).map_err(failed)?,
        watching: row.try_get(4).map_err(failed)?,
        said,
        at_ms: time(row, 7)?,
    })
}

pub(super) async fn said(
    readers: &DbPool,
    table: &str,
    watching: bool,
    most: u32,
    now_ms: u64,
) -> Result<Vec<SaidRow>, StoreError> {
    let sql = concat!(
        said_columns!(),
        " WHERE seating = $1 AND place = $2 AND (phrase OR NOT EXISTS (SELECT 1 FROM complaint c
            WHERE c.about = said.person AND (c.decision = 'close' OR c.decision IN ('mute', 'suspend') AND c.until_ms > $3)))
            ORDER BY n DESC LIMIT $4"
    );
    let query = db::query(sql).bind(table).bind(watching);
    let query = query.bind(number(now_ms)).bind(i64::from(most));
    query.fetch_all(readers).await.map_err(failed)?.iter().rev().map(read_said).collect()
}

pub(super) async fn said_by(
    readers: &DbPool,
    person: &str,
    after: u64,
    most: u32,
) -> Result<Vec<SaidRow>, StoreError> {
    let sql = concat!(said_columns!(), " WHERE person = $1 AND n > $2 ORDER BY n LIMIT $3");
    let query = db::query(sql).bind(person).bind(number(after)).bind(i64::from(most));
    query.fetch_all(readers).await.map_err(failed)?.iter().map(read_said).collect()
}

pub(super) async fn said_around(readers: &DbPool, n: u64, most: u32) -> Result<Vec<SaidRow>, StoreError> {
    let sql = concat!(
        said_columns!(),
        " WHERE n <= $1 AND (seating, place) = (SELECT seating, place FROM said WHERE n = $1)
            ORDER BY n DESC LIMIT $2"
    );
    let query = db::query(sql).bind(number(n)).bind(i64::from(most));
    query.fetch_all(readers).await.map_err(failed)?.iter().rev().map(read_said).collect()
}

/// Columns of [`read_complaint`].
macro_rules! complaint_columns {
    () => {
        "SELECT n, by, about, subject, words, evidence, made_ms, decider, decision, reason, decided_ms, until_ms,
    appeal, appealed_ms FROM complaint"
    };
}

fn read_complaint(row: &DbRow) -> Result<Complaint, StoreError> {
    let n = time(row, 0)?;
    let at = || format!("report {n}");
    let subject: &str = row.try_get(3).map_err(failed)?;
    let subject = Subject::read(subject)
        .ok_or_else(|| damaged(format!("the subject {subject:?} is not known"), at()))?;
    let decision: Option<&str> = row.try_get(8).map_err(failed)?;
    let decided = match decision {
        None => None,
        Some(decision) => Some(Decided {
            decision: Decision::read(decision)
                .map_err(|_| damaged(format!("the decision {decision:?} is not known"), at()))?,
            by: row.try_get(7).map_err(failed)?,
            reason: row.try_get(9).map_err(failed)?,
            at_ms: time(row, 10)?,
            until_ms: some_time(row, 11)?,
        }),
    };
    let appeal: Option<String> = row.try_get(12).map_err(failed)?;
    Ok(Complaint {
        n,
        by: row.try_get(1).map_err(failed)?,
        about: row.try_get(2).map_err(failed)?,
        subject,
        words: row.try_get(4).map_err(failed)?,
        evidence: row.try_get(5).map_err(failed)?,
        made_ms: time(row, 6)?,
        decided,
        appeal: appeal.zip(some_time(row, 13)?),
    })
}

pub(super) async fn complaints(
    readers: &DbPool,
    which: Which<'_>,
    most: u32,
) -> Result<Vec<Complaint>, StoreError> {
    let query = match which {
        Which::Open => db::query(concat!(
            complaint_columns!(),
            " WHERE decided_ms IS NULL OR (appealed_ms IS NOT NULL AND appealed_ms > decided_ms) ORDER BY n LIMIT $1"
        )),
        Which::About(person) => {
            db::query(concat!(complaint_columns!(), " WHERE about = $1 ORDER BY n DESC LIMIT $2"))
                .bind(person.to_owned())
        }
        Which::By(person) => {
            db::query(concat!(complaint_columns!(), " WHERE by = $1 ORDER BY n DESC LIMIT $2"))
                .bind(person.to_owned())
        }
        Which::One(n) => db::query(concat!(complaint_columns!(), " WHERE n = $1 LIMIT $2")).bind(number(n)),
    };
    query.bind(i64::from(most)).fetch_all(readers).await.map_err(failed)?.iter().map(read_complaint).collect()
}

pub(super) async fn muted_until(
    readers: &DbPool,
    person: &str,
    now_ms: u64,
) -> Result<Option<u64>, StoreError> {
    let sql = "SELECT max(until_ms) FROM complaint WHERE about = $1 AND decision IN ('mute', 'suspend') AND until_ms > $2";
    let row = db::query(sql).bind(person).bind(number(now_ms)).fetch_one(readers).await.map_err(failed)?;
    some_time(&row, 0)
}

pub(super) async fn seek(readers: &DbPool, table: &str) -> Result<Option<RatingRange>, StoreError> {
    let query = db::query("SELECT min, max FROM seek WHERE seating = $1").bind(table);
    let row = query.fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| Ok(RatingRange { min: db::some_int(&row, 0)?, max: db::some_int(&row, 1)? }))
        .transpose()
        .map_err(failed)
}

pub(super) async fn left_since(readers: &DbPool, person: &str, since_ms: u64) -> Result<u32, StoreError> {
    let sql = "SELECT count(*) FROM left_game WHERE person = $1 AND at_ms >= $2";
    let row = db::query(sql).bind(person).bind(number(since_ms)).fetch_one(readers).await.map_err(failed)?;
    db::int(&row, 0).map_err(failed)
}

/// Carries out a change. Conflicts are found before anything is written: the transaction may hold the changes of
/// others.
pub(super) async fn carry_out(connection: &mut DbConnection, deed: &Deed) -> Result<u64, StoreError> {
    match deed {
        Deed::Challenge(challenge) => keep_challenge(connection, challenge).await?,
        Deed::EndChallenge { id } => {
            let query = db::query("DELETE FROM challenge WHERE id = $1").bind(id);
            there(query.execute(connection).await.map_err(failed)?.rows_affected())?;
        }
        Deed::Relate { person, other, relation, now_ms } => {
            relate(connection, person, other, relation, *now_ms).await?;
        }
        Deed::Say(row) => return say(connection, row).await,
        Deed::Complain(complaint) => return complain(connection, complaint).await,
        Deed::Appeal { n, person, words, now_ms } => {
            let sql = "SELECT appealed_ms IS NOT NULL FROM complaint
                WHERE n = $1 AND about = $2 AND decision IS NOT NULL AND decision <> 'nothing'";
            let query = db::query(sql).bind(number(*n)).bind(person);
            let row = query.fetch_optional(&mut *connection).await.map_err(failed)?;
            if row.ok_or(StoreError::Missing)?.try_get(0).map_err(failed)? {
                return Err(StoreError::Conflict);
            }
            let query = db::query("UPDATE complaint SET appeal = $1, appealed_ms = $2 WHERE n = $3");
            let query = query.bind(words).bind(number(*now_ms)).bind(number(*n));
            query.execute(connection).await.map_err(failed)?;
        }
        Deed::Leave { person, table, now_ms } => {
            let sql =
                "INSERT INTO left_game (person, at_ms, seating) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
            let query = db::query(sql).bind(person).bind(number(*now_ms)).bind(table);
            query.execute(&mut *connection).await.map_err(failed)?;
            let sql = "DELETE FROM left_game WHERE person = $1 AND at_ms < $2";
            let query = db::query(sql).bind(person).bind(number(now_ms.saturating_sub(LEFT_MS)));
            query.execute(connection).await.map_err(failed)?;
        }
        Deed::Seek { table, range } => {
            let sql = "INSERT INTO seek (seating, min, max) VALUES ($1, $2, $3)
                ON CONFLICT (seating) DO UPDATE SET min = excluded.min, max = excluded.max";
            let query =
                db::query(sql).bind(table).bind(range.min.map(i64::from)).bind(range.max.map(i64::from));
            query.execute(connection).await.map_err(failed)?;
        }
        Deed::BecomeProgram { person } => become_program(connection, person).await?,
    }
    Ok(0)
}

fn there(count: u64) -> Result<(), StoreError> {
    if count == 0 { Err(StoreError::Missing) } else { Ok(()) }
}

async fn keep_challenge(connection: &mut DbConnection, challenge: &Challenge) -> Result<(), StoreError> {
    let Challenge { id, from, to, setup, side, until_ms } = challenge;
    let query = db::query("DELETE FROM challenge WHERE until_ms <= $1").bind(number(setup.created_ms));
    query.execute(&mut *connection).await.map_err(failed)?;
    let sql = "SELECT (SELECT count(*) FROM challenge WHERE challenger = $1),
        (SELECT count(*) FROM challenge WHERE challenged = $2),
        (SELECT count(*) FROM challenge WHERE challenger = $1 AND challenged = $2)";
    let row = db::query(sql).bind(from).bind(to).fetch_one(&mut *connection).await.map_err(failed)?;
    for (at, most) in [MOST_SENT, MOST_RECEIVED, MOST_PAIR].into_iter().enumerate() {
        if time(&row, at)? >= u64::from(most) {
            return Err(StoreError::Conflict);
        }
    }
    let sql = "INSERT INTO challenge (id, challenger, challenged, format, setup, side, made_ms, until_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    db::query(sql)
        .bind(id)
        .bind(from)
        .bind(to)
        .bind(i64::from(format::NEWEST))
        .bind(format::write_setup(setup))
        .bind(side.map(|side| i64::from(side == Side::Second)))
        .bind(number(setup.created_ms))
        .bind(number(*until_ms))
        .execute(connection)
        .await
        .map(|_| ())
        .map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })
}

async fn relate(
    connection: &mut DbConnection,
    person: &str,
    other: &str,
    relation: &Relation,
    now_ms: u64,
) -> Result<(), StoreError> {
    if *relation == Relation::default() {
        let query =
            db::query("DELETE FROM relation WHERE person = $1 AND other = $2").bind(person).bind(other);
        return query.execute(connection).await.map(|_| ()).map_err(failed);
    }
    let sql = "SELECT count(*) FROM relation WHERE person = $1 AND other <> $2";
    let row = db::query(sql).bind(person).bind(other).fetch_one(&mut *connection).await.map_err(failed)?;
    if time(&row, 0)? >= u64::from(MOST_RELATIONS) {
        return Err(StoreError::Conflict);
    }
    let sql =
        "INSERT INTO relation (person, other, follows, blocks, note, at_ms) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (person, other) DO UPDATE SET follows = excluded.follows, blocks = excluded.blocks,
            note = excluded.note, at_ms = excluded.at_ms";
    db::query(sql)
        .bind(person)
        .bind(other)
        .bind(relation.follows)
        .bind(relation.blocks)
        .bind(&relation.note)
        .bind(number(now_ms))
        .execute(&mut *connection)
        .await
        .map_err(failed)?;
    if relation.blocks {
        // Neither has anything to answer to the other any more.
        let sql = "DELETE FROM challenge WHERE (challenger = $1 AND challenged = $2) OR (challenger = $2 AND challenged = $1)";
        db::query(sql).bind(person).bind(other).execute(connection).await.map_err(failed)?;
    }
    Ok(())
}

/// The most chat lines that are kept at one table; the oldest are deleted.
const MOST_SAID: u32 = 1000;

async fn say(connection: &mut DbConnection, row: &SaidRow) -> Result<u64, StoreError> {
    let (phrase, body) = match &row.said {
        ChatMessage::Phrase(key) => (true, *key),
        ChatMessage::Words(words) => (false, words.as_str()),
    };
    let sql = "INSERT INTO said (seating, person, name, place, phrase, body, at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING n";
    let query = db::query(sql).bind(&row.table).bind(&row.person).bind(&row.name).bind(row.watching);
    let query = query.bind(phrase).bind(body).bind(number(row.at_ms));
    let n = time(&query.fetch_one(&mut *connection).await.map_err(failed)?, 0)?;
    let sql = "DELETE FROM said WHERE seating = $1 AND n <= (SELECT n FROM said WHERE seating = $1 ORDER BY n DESC LIMIT 1 OFFSET $2)";
    db::query(sql).bind(&row.table).bind(i64::from(MOST_SAID)).execute(connection).await.map_err(failed)?;
    Ok(n)
}

async fn complain(connection: &mut DbConnection, complaint: &Complaint) -> Result<u64, StoreError> {
    let Complaint { by, about, subject, .. } = complaint;
    let sql = "SELECT (SELECT count(*) FROM complaint WHERE by = $1 AND decided_ms IS NULL),
        (SELECT count(*) FROM complaint WHERE by = $1 AND about = $2 AND subject = $3 AND decided_ms IS NULL)";
    let query = db::query(sql).bind(by).bind(about).bind(subject.key());
    let row = query.fetch_one(&mut *connection).await.map_err(failed)?;
    if time(&row, 0)? >= u64::from(MOST_OPEN) || time(&row, 1)? > 0 {
        return Err(StoreError::Conflict);
    }
    keep_complaint(connection, complaint).await
}

/// Keeps a report, from a person or from the staff; returns its number.
pub(super) async fn keep_complaint(
    connection: &mut DbConnection,
    complaint: &Complaint,
) -> Result<u64, StoreError> {
    let Complaint { by, about, subject, words, evidence, made_ms, .. } = complaint;
    let sql = "INSERT INTO complaint (by, about, subject, words, evidence, made_ms) VALUES ($1, $2, $3, $4, $5, $6) RETURNING n";
    let query = db::query(sql).bind(by).bind(about).bind(subject.key()).bind(words).bind(evidence);
    time(&query.bind(number(*made_ms)).fetch_one(connection).await.map_err(failed)?, 0)
}

/// The work whose map the evidence of a report names. [`StoreError::Taken`]: there is none, or it was taken down by another
/// decision than `but`.
pub(super) async fn work_of(
    connection: &mut DbConnection,
    evidence: &str,
    but: Option<u64>,
) -> Result<String, StoreError> {
    let evidence: wire::Evidence = serde_json::from_str(evidence).unwrap_or_default();
    let (map, _) = evidence.map.ok_or(StoreError::Taken)?;
    let sql = "SELECT v.work FROM work_version v JOIN work w ON w.id = v.work WHERE v.map = $1 OR v.work = $1
        ORDER BY w.made_ms, v.work LIMIT 1";
    let row = db::query(sql).bind(map).fetch_optional(&mut *connection).await.map_err(failed)?;
    let work: String = row.ok_or(StoreError::Taken)?.try_get(0).map_err(failed)?;
    let sql = "SELECT EXISTS (SELECT 1 FROM taken_down WHERE work = $1 AND decision <> $2)";
    let query = db::query(sql).bind(&work).bind(number(but.unwrap_or(0)));
    let row = query.fetch_one(connection).await.map_err(failed)?;
    if row.try_get(0).map_err(failed)? { Err(StoreError::Taken) } else { Ok(work) }
}

/// Decides about a report. Conflicts are found before anything is written.
pub(super) async fn decide(
    connection: &mut DbConnection,
    n: u64,
    decided: &Decided,
) -> Result<(), StoreError> {
    let query =
        db::query("SELECT about, decision, was, evidence FROM complaint WHERE n = $1").bind(number(n));
    let row = query.fetch_optional(&mut *connection).await.map_err(failed)?.ok_or(StoreError::Missing)?;
    let about: String = row.try_get(0).map_err(failed)?;
    let before: Option<String> = row.try_get(1).map_err(failed)?;
    let mut was: Option<String> = row.try_get(2).map_err(failed)?;
    let Decided { by, decision, reason, at_ms, until_ms } = decided;
    let work = match decision {
        Decision::TakeDown => Some(work_of(connection, row.try_get(3).map_err(failed)?, Some(n)).await?),
        _ => None,
    };
    if before.as_deref() == Some("take-down") {
        let query = db::query("DELETE FROM taken_down WHERE decision = $1").bind(number(n));
        query.execute(&mut *connection).await.map_err(failed)?;
    }
    if before.as_deref() == Some("close") && *decision != Decision::Close {
        // Another decision may have closed the account, too.
        let sql = "UPDATE person SET kind = coalesce(CAST($1 AS TEXT), 'account') WHERE id = $2 AND kind = 'suspended'
            AND NOT EXISTS (SELECT 1 FROM complaint WHERE about = $2 AND decision = 'close' AND n <> $3)";
        let query = db::query(sql).bind(&was).bind(&about).bind(number(n));
        query.execute(&mut *connection).await.map_err(failed)?;
    }
    match decision {
        Decision::Close => {
            let sql = "SELECT kind FROM person WHERE id = $1 AND kind IN ('account', 'program')";
            let row = db::query(sql).bind(&about).fetch_optional(&mut *connection).await.map_err(failed)?;
            if let Some(row) = row {
                was = Some(row.try_get(0).map_err(failed)?);
            }
            for sql in [
                "UPDATE person SET kind = 'suspended', roles = '' WHERE id = $1 AND kind IN ('account', 'program')",
                "DELETE FROM session WHERE person = $1",
                "DELETE FROM token WHERE person = $1",
                "DELETE FROM challenge WHERE challenger = $1",
                "DELETE FROM challenge WHERE challenged = $1",
            ] {
                db::query(sql).bind(&about).execute(&mut *connection).await.map_err(failed)?;
            }
        }
        Decision::ResetRatings => {
            let sql = "INSERT INTO rating_reset (person, after_n, at_ms)
                VALUES ($1, (SELECT coalesce(max(n), 0) FROM game), $2) ON CONFLICT DO NOTHING";
            let query = db::query(sql).bind(&about).bind(number(*at_ms));
            query.execute(&mut *connection).await.map_err(failed)?;
            let query = db::query("DELETE FROM rating WHERE person = $1").bind(&about);
            query.execute(&mut *connection).await.map_err(failed)?;
        }
        Decision::Suspend => {
            for sql in [
                "DELETE FROM session WHERE person = $1",
                "DELETE FROM challenge WHERE challenger = $1",
                "DELETE FROM challenge WHERE challenged = $1",
            ] {
                db::query(sql).bind(&about).execute(&mut *connection).await.map_err(failed)?;
            }
        }
        Decision::TakeDown => {
            let sql = "INSERT INTO taken_down (work, decision) VALUES ($1, $2)
                ON CONFLICT (work) DO UPDATE SET decision = excluded.decision";
            let query = db::query(sql).bind(work).bind(number(n));
            query.execute(&mut *connection).await.map_err(failed)?;
        }
        Decision::Nothing | Decision::Warn | Decision::Mute => {}
    }
    let sql = "UPDATE complaint SET decider = $1, decision = $2, reason = $3, decided_ms = $4, until_ms = $5, was = $6 WHERE n = $7";
    db::query(sql)
        .bind(by)
        .bind(decision.key())
        .bind(reason)
        .bind(number(*at_ms))
        .bind(until_ms.map(number))
        .bind(was)
        .bind(number(n))
        .execute(connection)
        .await
        .map(|_| ())
        .map_err(failed)
}

async fn become_program(connection: &mut DbConnection, person: &str) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM person WHERE id = $1 AND kind = 'account'),
        EXISTS (SELECT 1 FROM sat WHERE person = $1)";
    let row = db::query(sql).bind(person).fetch_one(&mut *connection).await.map_err(failed)?;
    if !row.try_get::<bool, _>(0).map_err(failed)? {
        return Err(StoreError::Missing);
    }
    if row.try_get(1).map_err(failed)? {
        return Err(StoreError::Conflict);
    }
    let query = db::query("UPDATE person SET kind = 'program' WHERE id = $1").bind(person);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

work!(Deed => u64, People, Together);

#[async_trait::async_trait]
impl Together for Stock {
    async fn deed(&self, deed: Deed) -> Result<u64, StoreError> {
        self.work(deed).await
    }

    async fn challenge(&self, id: &str, now_ms: u64) -> Result<Option<Challenge>, StoreError> {
        read!(self, readers => challenge(readers, id, now_ms).await)
    }

    async fn challenges(&self, person: &str, now_ms: u64) -> Result<Vec<Challenge>, StoreError> {
        read!(self, readers => challenges(readers, person, now_ms).await)
    }

    async fn relation(&self, person: &str, other: &str) -> Result<Relation, StoreError> {
        read!(self, readers => relation(readers, person, other).await)
    }

    async fn relations(&self, person: &str) -> Result<Vec<(PersonRow, Relation)>, StoreError> {
        read!(self, readers => relations(readers, person).await)
    }

    async fn blocked(&self, person: &str) -> Result<Vec<String>, StoreError> {
        self.ids(
            concat!("SELECT other FROM relation WHERE person = $1 AND ", holds!("blocks"), " LIMIT $2"),
            Some(person),
            u32::MAX,
        )
        .await
    }

    async fn apart(&self, person: &str) -> Result<Vec<String>, StoreError> {
        const SQL: &str = concat!(
            "SELECT other FROM (SELECT other FROM relation WHERE person = $1 AND ",
            holds!("blocks"),
            " UNION SELECT person FROM relation WHERE other = $1 AND ",
            holds!("blocks"),
            ") q LIMIT $2"
        );
        self.ids(SQL, Some(person), u32::MAX).await
    }

    async fn said(
        &self,
        table: &str,
        watching: bool,
        most: u32,
        now_ms: u64,
    ) -> Result<Vec<SaidRow>, StoreError> {
        read!(self, readers => said(readers, table, watching, most, now_ms).await)
    }

    async fn said_by(&self, person: &str, after: u64, most: u32) -> Result<Vec<SaidRow>, StoreError> {
        read!(self, readers => said_by(readers, person, after, most).await)
    }

    async fn said_around(&self, n: u64, most: u32) -> Result<Vec<SaidRow>, StoreError> {
        read!(self, readers => said_around(readers, n, most).await)
    }

    async fn complaints(&self, which: Which<'_>, most: u32) -> Result<Vec<Complaint>, StoreError> {
        read!(self, readers => complaints(readers, which, most).await)
    }

    async fn muted_until(&self, person: &str, now_ms: u64) -> Result<Option<u64>, StoreError> {
        read!(self, readers => muted_until(readers, person, now_ms).await)
    }

    async fn seek(&self, table: &str) -> Result<Option<RatingRange>, StoreError> {
        read!(self, readers => seek(readers, table).await)
    }

    async fn left_since(&self, person: &str, since_ms: u64) -> Result<u32, StoreError> {
        read!(self, readers => left_since(readers, person, since_ms).await)
    }
}
