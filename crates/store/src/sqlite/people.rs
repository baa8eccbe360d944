//! People and their sessions.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection, SqlitePool};

use super::read::{self, link_of};
use super::{failed, games, number, unique};
use crate::chain::{self, Row as Link};
use crate::{Adoption, Kind, NewPerson, PersonRow, StoreError, format};

fn kind_text(kind: Kind) -> &'static str {
    match kind {
        Kind::Guest => "guest",
        Kind::Account => "account",
        Kind::Program => "program",
        Kind::Closed => "closed",
    }
}

fn kind(text: &str, person: &str) -> Result<Kind, StoreError> {
    Ok(match text {
        "guest" => Kind::Guest,
        "account" => Kind::Account,
        "program" => Kind::Program,
        "closed" => Kind::Closed,
        _ => {
            let what = format!("the kind {text:?} is not known to this hall");
            return Err(StoreError::damaged(
                what,
                format!("person {person}"),
                "start the hall that wrote it",
            ));
        }
    })
}

pub(super) async fn by_session(
    readers: &SqlitePool,
    hash: &[u8; 32],
) -> Result<Option<PersonRow>, StoreError> {
    let sql =
        "SELECT p.id, p.kind, p.name, p.made_ms, p.seen_ms FROM session s JOIN person p ON p.id = s.person
        WHERE s.hash = ?";
    let row = sqlx::query(sql).bind(&hash[..]).fetch_optional(readers).await.map_err(failed)?;
    row.map(read_person).transpose()
}

/// The person of that public id or name.
pub(super) async fn find(readers: &SqlitePool, name_or_id: &str) -> Result<Option<PersonRow>, StoreError> {
    // A name that looks like an id finds whoever has that id.
    let sql = "SELECT id, kind, name, made_ms, seen_ms, 0 AS by_name FROM person WHERE id = ?1
        UNION ALL SELECT id, kind, name, made_ms, seen_ms, 1 FROM person WHERE folded = ?2
        ORDER BY by_name LIMIT 1";
    let query = sqlx::query(sql).bind(name_or_id).bind(::people::name::fold(name_or_id));
    query.fetch_optional(readers).await.map_err(failed)?.map(read_person).transpose()
}

/// A row `id, kind, name, made_ms, seen_ms, …`.
fn read_person(row: SqliteRow) -> Result<PersonRow, StoreError> {
    let id: String = row.try_get(0).map_err(failed)?;
    let kind = kind(row.try_get(1).map_err(failed)?, &id)?;
    Ok(PersonRow {
        id,
        kind,
        name: row.try_get(2).map_err(failed)?,
        made_ms: row.try_get::<i64, _>(3).map_err(failed)?.cast_unsigned(),
        seen_ms: row.try_get::<i64, _>(4).map_err(failed)?.cast_unsigned(),
    })
}

pub(super) async fn enroll(connection: &mut SqliteConnection, person: &NewPerson) -> Result<(), StoreError> {
    let clash = "SELECT EXISTS (SELECT 1 FROM session WHERE hash = ?)
        OR EXISTS (SELECT 1 FROM person WHERE former_id = ?) OR EXISTS (SELECT 1 FROM sat WHERE person = ?)";
    let query = sqlx::query(clash).bind(&person.hash[..]).bind(&person.id).bind(&person.id);
    if query.fetch_one(&mut *connection).await.map_err(failed)?.try_get(0).map_err(failed)? {
        return Err(StoreError::Taken);
    }
    let sql = "INSERT INTO person (id, kind, name, folded, made_ms, seen_ms) VALUES (?, ?, ?, ?, ?, ?)";
    sqlx::query(sql)
        .bind(&person.id)
        .bind(kind_text(person.kind))
        .bind(&person.name)
        .bind(&person.folded)
        .bind(number(person.made_ms))
        .bind(number(person.made_ms))
        .execute(&mut *connection)
        .await
        .map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })?;
    open_session(connection, &person.hash, &person.id, person.label.as_deref(), person.made_ms).await
}

async fn open_session(
    connection: &mut SqliteConnection,
    hash: &[u8; 32],
    person: &str,
    label: Option<&str>,
    now_ms: u64,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO session (hash, person, label, made_ms, used_ms) VALUES (?, ?, ?, ?, ?)";
    sqlx::query(sql)
        .bind(&hash[..])
        .bind(person)
        .bind(label)
        .bind(number(now_ms))
        .bind(number(now_ms))
        .execute(connection)
        .await
        .map(|_| ())
        .map_err(failed)
}

pub(super) async fn seen(
    connection: &mut SqliteConnection,
    hash: &[u8; 32],
    now_ms: u64,
) -> Result<(), StoreError> {
    let query = sqlx::query("UPDATE session SET used_ms = max(used_ms, ?) WHERE hash = ? RETURNING person");
    let row = query.bind(number(now_ms)).bind(&hash[..]).fetch_optional(&mut *connection).await;
    let Some(row) = row.map_err(failed)? else { return Ok(()) };
    let person: &str = row.try_get(0).map_err(failed)?;
    let query = sqlx::query("UPDATE person SET seen_ms = max(seen_ms, ?) WHERE id = ?");
    query.bind(number(now_ms)).bind(person).execute(connection).await.map(|_| ()).map_err(failed)
}

pub(super) async fn rename(
    connection: &mut SqliteConnection,
    person: &str,
    name: Option<&str>,
    folded: Option<&str>,
) -> Result<(), StoreError> {
    // Guests of the time before sessions have no row until they have a name.
    let sql = "INSERT INTO person (id, kind, name, folded, made_ms, seen_ms)
            VALUES (?, 'guest', ?, ?, unixepoch() * 1000, unixepoch() * 1000)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, folded = excluded.folded";
    let query = sqlx::query(sql).bind(person).bind(name).bind(folded);
    let done = query.execute(connection).await;
    done.map(|_| ()).map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })
}

/// Whether an old id may be adopted.
pub(super) enum Claim {
    Free,
    Unknown,
    Before,
}

pub(super) async fn claim(connection: &mut SqliteConnection, old_id: &str) -> Result<Claim, StoreError> {
    let sql = "SELECT
        EXISTS (SELECT 1 FROM person WHERE former_id = ?1) OR EXISTS (SELECT 1 FROM session WHERE person = ?1)
            OR EXISTS (SELECT 1 FROM person WHERE id = ?1 AND (kind <> 'guest' OR former_id IS NOT NULL)),
        EXISTS (SELECT 1 FROM person WHERE id = ?1) OR EXISTS (SELECT 1 FROM sat WHERE person = ?1)
            OR EXISTS (SELECT 1 FROM map WHERE owner = ?1)";
    let row = sqlx::query(sql).bind(old_id).fetch_one(connection).await.map_err(failed)?;
    Ok(match (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?) {
        (true, _) => Claim::Before,
        (false, true) => Claim::Free,
        (false, false) => Claim::Unknown,
    })
}

pub(super) async fn adopt(
    connection: &mut SqliteConnection,
    old_id: &str,
    new_id: &str,
    hash: &[u8; 32],
    now_ms: u64,
) -> Result<Adoption, StoreError> {
    match claim(connection, old_id).await? {
        Claim::Unknown => return Ok(Adoption::Unknown),
        Claim::Before => return Ok(Adoption::Before),
        Claim::Free => {}
    }
    let taken = "SELECT EXISTS (SELECT 1 FROM person WHERE id = ?1 OR former_id = ?1)
        OR EXISTS (SELECT 1 FROM sat WHERE person = ?1) OR EXISTS (SELECT 1 FROM session WHERE hash = ?2)";
    let row = sqlx::query(taken).bind(new_id).bind(&hash[..]).fetch_one(&mut *connection).await;
    if row.map_err(failed)?.try_get(0).map_err(failed)? {
        return Err(StoreError::Taken);
    }
    let sql = "INSERT INTO person (id, kind, former_id, made_ms, seen_ms) VALUES (?, 'guest', ?, ?, ?)";
    let query = sqlx::query(sql).bind(new_id).bind(old_id).bind(number(now_ms)).bind(number(now_ms));
    query.execute(&mut *connection).await.map_err(failed)?;
    // A row of their own they have had only if they had a name.
    let sql = "UPDATE person SET (name, made_ms) = (SELECT name, made_ms FROM person WHERE id = ?2)
        WHERE id = ?1 AND EXISTS (SELECT 1 FROM person WHERE id = ?2)";
    sqlx::query(sql).bind(new_id).bind(old_id).execute(&mut *connection).await.map_err(failed)?;
    // The unique name passes from row to row, so the old one goes first.
    let sql = "DELETE FROM person WHERE id = ? RETURNING folded";
    let gone = sqlx::query(sql).bind(old_id).fetch_optional(&mut *connection).await.map_err(failed)?;
    if let Some(gone) = gone {
        let folded: Option<&str> = gone.try_get(0).map_err(failed)?;
        let query = sqlx::query("UPDATE person SET folded = ? WHERE id = ?").bind(folded).bind(new_id);
        query.execute(&mut *connection).await.map_err(failed)?;
    }
    open_session(connection, hash, new_id, None, now_ms).await?;

    let tables = sqlx::query("SELECT seating FROM sat WHERE person = ?").bind(old_id);
    let tables = tables.fetch_all(&mut *connection).await.map_err(failed)?;
    for row in &tables {
        rewrite(connection, row.try_get(0).map_err(failed)?, old_id, new_id).await?;
    }
    let sql =
        "SELECT s.id FROM sat JOIN seating s ON s.id = sat.seating WHERE sat.person = ? AND s.stage < 2";
    let rows = sqlx::query(sql).bind(old_id).fetch_all(&mut *connection).await.map_err(failed)?;
    let reload = rows.into_iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(failed)?;
    for sql in [
        "UPDATE seating SET first = ?1 WHERE first = ?2 AND id IN (SELECT seating FROM sat WHERE person = ?2)",
        "UPDATE seating SET second = ?1 WHERE second = ?2 AND id IN (SELECT seating FROM sat WHERE person = ?2)",
        "UPDATE map SET owner = ?1 WHERE owner = ?2",
        "UPDATE sat SET person = ?1 WHERE person = ?2",
    ] {
        sqlx::query(sql).bind(new_id).bind(old_id).execute(&mut *connection).await.map_err(failed)?;
    }
    games::adopt(connection, old_id, new_id).await?;
    Ok(Adoption::Done { reload })
}

/// Puts the new id in the place of the old one in the log of a table, and its checksums in order again. A log that is
/// damaged stays as it is: its new checksums would hide that.
async fn rewrite(
    connection: &mut SqliteConnection,
    table: &str,
    old_id: &str,
    new_id: &str,
) -> Result<(), StoreError> {
    let head = match read::load_by(connection, table).await {
        Ok(Some(_)) => read::head(connection, table).await?,
        Ok(None) | Err(StoreError::Damaged(_)) => None,
        Err(why) => return Err(why),
    };
    let Some(head) = head else { return Ok(()) };
    let sql = "SELECT ver, at_ms, person, cmd, spent_ms, format, body, sum FROM event WHERE seating = ? ORDER BY ver";
    let rows = sqlx::query(sql).bind(table).fetch_all(&mut *connection).await.map_err(failed)?;
    let (mut sum, mut changed) = (chain::start(table, head.format, &head.setup), false);
    for row in &rows {
        let link = link_of(row).map_err(failed)?;
        let person = if link.person == old_id { new_id } else { link.person };
        let body = renamed(&link, old_id, new_id);
        changed |= person != link.person || body.is_some();
        let link = match &body {
            Some(body) => Link { person, format: format::NEWEST, body, ..link },
            None => Link { person, ..link },
        };
        sum = chain::link(sum, table, &link);
        if !changed {
            continue;
        }
        let sql = "UPDATE event SET person = ?, format = ?, body = ?, sum = ? WHERE seating = ? AND ver = ?";
        sqlx::query(sql)
            .bind(link.person)
            .bind(link.format)
            .bind(link.body)
            .bind(sum.cast_signed())
            .bind(table)
            .bind(number(link.ver))
            .execute(&mut *connection)
            .await
            .map_err(failed)?;
    }
    let query = sqlx::query("UPDATE tip SET sum = ? WHERE seating = ?").bind(sum.cast_signed()).bind(table);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// The body with the new id, where the event is about whoever had the old one.
fn renamed(link: &Link, old_id: &str, new_id: &str) -> Option<String> {
    if !link.body.contains(old_id) {
        return None;
    }
    match format::event(link.format, link.body).ok()? {
        table::Event::Sit { side, mut who } if who.id == old_id && who.engine.is_none() => {
            new_id.clone_into(&mut who.id);
            Some(format::write_event(&table::Event::Sit { side, who }))
        }
        _ => None,
    }
}
