//! People and their sessions.

use sqlx::{QueryBuilder, Row};

use super::db::{self, Db, DbConnection, DbPool, DbRow};
use super::read;
use super::{Stock, failed, fold, games, number, unique};
use crate::chain::{self, Row as Link};
use crate::work::{DESKS, Desk, Work};
use crate::{Adoption, NewPerson, People, PersonRow, StoreError, StoredPersonKind, format};

pub(super) fn kind_text(kind: StoredPersonKind) -> &'static str {
    match kind {
        StoredPersonKind::Guest => "guest",
        StoredPersonKind::Account => "account",
        StoredPersonKind::Program => "program",
        StoredPersonKind::Closed => "closed",
        StoredPersonKind::Suspended => "suspended",
    }
}

pub(super) fn kind(text: &str, person: &str) -> Result<StoredPersonKind, StoreError> {
    Ok(match text {
        "guest" => StoredPersonKind::Guest,
        "account" => StoredPersonKind::Account,
        "program" => StoredPersonKind::Program,
        "closed" => StoredPersonKind::Closed,
        "suspended" => StoredPersonKind::Suspended,
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

pub(super) async fn by_session(readers: &DbPool, hash: &[u8; 32]) -> Result<Option<PersonRow>, StoreError> {
    let sql =
        "SELECT p.id, p.kind, p.name, p.made_ms, p.seen_ms FROM session s JOIN person p ON p.id = s.person
        WHERE s.hash = $1";
    let row = db::query(sql).bind(&hash[..]).fetch_optional(readers).await.map_err(failed)?;
    row.map(read_person).transpose()
}

/// The person of that public id or name.
pub(super) async fn find(readers: &DbPool, name_or_id: &str) -> Result<Option<PersonRow>, StoreError> {
    // A name that looks like an id finds the person with that id.
    let sql = "SELECT id, kind, name, made_ms, seen_ms, 0 AS by_name FROM person WHERE id = $1
        UNION ALL SELECT id, kind, name, made_ms, seen_ms, 1 FROM person WHERE folded = $2
        UNION ALL SELECT id, kind, name, made_ms, seen_ms, 2 FROM person
            WHERE id = (SELECT person FROM former_name WHERE folded = $2)
        ORDER BY by_name LIMIT 1";
    let query = db::query(sql).bind(name_or_id).bind(::people::name::fold(name_or_id));
    query.fetch_optional(readers).await.map_err(failed)?.map(read_person).transpose()
}

/// A row `id, kind, name, made_ms, seen_ms, …`.
pub(super) fn read_person(row: DbRow) -> Result<PersonRow, StoreError> {
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

pub(super) async fn enroll(connection: &mut DbConnection, person: &NewPerson) -> Result<(), StoreError> {
    let clash = "SELECT EXISTS (SELECT 1 FROM session WHERE hash = $1)
        OR EXISTS (SELECT 1 FROM person WHERE former_id = $2) OR EXISTS (SELECT 1 FROM sat WHERE person = $3)";
    let query = db::query(clash).bind(&person.hash[..]).bind(&person.id).bind(&person.id);
    if query.fetch_one(&mut *connection).await.map_err(failed)?.try_get(0).map_err(failed)? {
        return Err(StoreError::Taken);
    }
    let sql = "INSERT INTO person (id, kind, name, folded, made_ms, seen_ms) VALUES ($1, $2, $3, $4, $5, $6)";
    db::query(sql)
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
    connection: &mut DbConnection,
    hash: &[u8; 32],
    person: &str,
    label: Option<&str>,
    now_ms: u64,
) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO session (hash, id, person, label, made_ms, used_ms) VALUES ($1, $2, $3, $4, $5, $6)";
    db::query(sql)
        .bind(&hash[..])
        .bind(::people::secret::new_id())
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
    connection: &mut DbConnection,
    hash: &[u8; 32],
    now_ms: u64,
) -> Result<(), StoreError> {
    let query = db::query("UPDATE session SET used_ms = max(used_ms, $1) WHERE hash = $2 RETURNING person");
    let row = query.bind(number(now_ms)).bind(&hash[..]).fetch_optional(&mut *connection).await;
    let Some(row) = row.map_err(failed)? else { return Ok(()) };
    let person: &str = row.try_get(0).map_err(failed)?;
    let query = db::query("UPDATE person SET seen_ms = max(seen_ms, $1) WHERE id = $2");
    query.bind(number(now_ms)).bind(person).execute(connection).await.map(|_| ()).map_err(failed)
}

pub(super) async fn rename(
    connection: &mut DbConnection,
    person: &str,
    name: Option<&str>,
    folded: Option<&str>,
) -> Result<(), StoreError> {
    // Guests of the time before sessions have no row until they have a name.
    let sql = "INSERT INTO person (id, kind, name, folded, made_ms, seen_ms)
            VALUES ($1, 'guest', $2, $3, $4, $4)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, folded = excluded.folded";
    let query = db::query(sql).bind(person).bind(name).bind(folded).bind(number(crate::now_ms()));
    let done = query.execute(connection).await;
    done.map(|_| ()).map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })
}

/// The answers to the question whether an old id may be adopted.
pub(super) enum Claim {
    Free,
    Unknown,
    Before,
}

pub(super) async fn claim(connection: &mut DbConnection, old_id: &str) -> Result<Claim, StoreError> {
    let sql = "SELECT
        EXISTS (SELECT 1 FROM person WHERE former_id = $1) OR EXISTS (SELECT 1 FROM session WHERE person = $1)
            OR EXISTS (SELECT 1 FROM person WHERE id = $1 AND (kind <> 'guest' OR former_id IS NOT NULL)),
        EXISTS (SELECT 1 FROM person WHERE id = $1) OR EXISTS (SELECT 1 FROM sat WHERE person = $1)
            OR EXISTS (SELECT 1 FROM map WHERE owner = $1)";
    let row = db::query(sql).bind(old_id).fetch_one(connection).await.map_err(failed)?;
    Ok(match (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?) {
        (true, _) => Claim::Before,
        (false, true) => Claim::Free,
        (false, false) => Claim::Unknown,
    })
}

pub(super) async fn adopt(
    connection: &mut DbConnection,
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
    let taken = "SELECT EXISTS (SELECT 1 FROM person WHERE id = $1 OR former_id = $1)
        OR EXISTS (SELECT 1 FROM sat WHERE person = $1) OR EXISTS (SELECT 1 FROM session WHERE hash = $2)";
    let row = db::query(taken).bind(new_id).bind(&hash[..]).fetch_one(&mut *connection).await;
    if row.map_err(failed)?.try_get(0).map_err(failed)? {
        return Err(StoreError::Taken);
    }
    let sql = "INSERT INTO person (id, kind, former_id, made_ms, seen_ms) VALUES ($1, 'guest', $2, $3, $4)";
    let query = db::query(sql).bind(new_id).bind(old_id).bind(number(now_ms)).bind(number(now_ms));
    query.execute(&mut *connection).await.map_err(failed)?;
    // A row of their own they have had only if they had a name.
    let sql = "UPDATE person SET (name, made_ms) = (SELECT name, made_ms FROM person WHERE id = $2)
        WHERE id = $1 AND EXISTS (SELECT 1 FROM person WHERE id = $2)";
    db::query(sql).bind(new_id).bind(old_id).execute(&mut *connection).await.map_err(failed)?;
    // The unique name passes from row to row, so the old one goes first.
    let sql = "DELETE FROM person WHERE id = $1 RETURNING folded";
    let gone = db::query(sql).bind(old_id).fetch_optional(&mut *connection).await.map_err(failed)?;
    if let Some(gone) = gone {
        let folded: Option<&str> = gone.try_get(0).map_err(failed)?;
        let query = db::query("UPDATE person SET folded = $1 WHERE id = $2").bind(folded).bind(new_id);
        query.execute(&mut *connection).await.map_err(failed)?;
    }
    open_session(connection, hash, new_id, None, now_ms).await?;

    let tables = db::query("SELECT seating FROM sat WHERE person = $1 ORDER BY seating").bind(old_id);
    let tables = tables.fetch_all(&mut *connection).await.map_err(failed)?;
    for row in &tables {
        rewrite(connection, row.try_get(0).map_err(failed)?, old_id, Rewrite::Id(new_id)).await?;
    }
    let sql =
        "SELECT s.id FROM sat JOIN seating s ON s.id = sat.seating WHERE sat.person = $1 AND s.stage < 2";
    let rows = db::query(sql).bind(old_id).fetch_all(&mut *connection).await.map_err(failed)?;
    let mut reload =
        rows.into_iter().map(|row| row.try_get(0)).collect::<Result<Vec<String>, _>>().map_err(failed)?;
    // A database gives rows in an order of its own.
    reload.sort_unstable();
    for sql in [
        "UPDATE seating SET first = $1 WHERE first = $2 AND id IN (SELECT seating FROM sat WHERE person = $2)",
        "UPDATE seating SET second = $1 WHERE second = $2 AND id IN (SELECT seating FROM sat WHERE person = $2)",
        "UPDATE map SET owner = $1 WHERE owner = $2",
        "UPDATE extension SET owner = $1 WHERE owner = $2",
        "UPDATE sat SET person = $1 WHERE person = $2",
    ] {
        db::query(sql).bind(new_id).bind(old_id).execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(Adoption::Done { reload })
}

/// Tables whose logs are rewritten with one commit, at most.
const PART: i64 = 50;
/// The most entries of logs that are rewritten or deleted with one commit: the moves of all tables wait meanwhile.
/// One log may have more.
const ENTRIES: i64 = 5_000;
/// Entries that are written with one statement.
const ROWS: usize = 256;

/// Returns the tables of these rows `table, entries` that fit in one commit: at least one.
pub(super) fn part(rows: &[DbRow]) -> Result<Vec<String>, StoreError> {
    let (mut tables, mut sum) = (Vec::new(), 0);
    for row in rows {
        sum += row.try_get::<i64, _>(1).map_err(failed)?;
        if sum > ENTRIES && !tables.is_empty() {
            break;
        }
        tables.push(row.try_get(0).map_err(failed)?);
    }
    Ok(tables)
}

/// Ends the sessions of a guest and gives the maps to an account. The games follow with [`merge_part`].
pub(super) async fn merge(
    connection: &mut DbConnection,
    guest: &str,
    account: &str,
) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM person WHERE id = $1 AND kind = 'guest')
        AND EXISTS (SELECT 1 FROM person WHERE id = $2 AND kind IN ('account', 'program'))
        AND NOT EXISTS (SELECT 1 FROM merging WHERE guest = $1)";
    let row = db::query(sql).bind(guest).bind(account).fetch_one(&mut *connection).await;
    if !row.map_err(failed)?.try_get::<bool, _>(0).map_err(failed)? {
        return Err(StoreError::Missing);
    }
    for sql in
        ["UPDATE map SET owner = $1 WHERE owner = $2", "UPDATE extension SET owner = $1 WHERE owner = $2"]
    {
        let query = db::query(sql).bind(account).bind(guest);
        query.execute(&mut *connection).await.map_err(failed)?;
    }
    let query = db::query("DELETE FROM session WHERE person = $1").bind(guest);
    query.execute(&mut *connection).await.map_err(failed)?;
    let query = db::query("INSERT INTO merging (guest, account, done) VALUES ($1, $2, '')");
    query.bind(guest).bind(account).execute(connection).await.map(|_| ()).map_err(failed)
}

/// Gives some of a guest's games to the account that is to have them, and returns their tables; none of those at which both
/// ever sat. `None`: nothing is left to be done.
pub(super) async fn merge_part(
    connection: &mut DbConnection,
    guest: &str,
) -> Result<Option<Vec<String>>, StoreError> {
    let row = db::query("SELECT account, done FROM merging WHERE guest = $1").bind(guest);
    let Some(row) = row.fetch_optional(&mut *connection).await.map_err(failed)? else { return Ok(None) };
    let (account, done): (&str, &str) = (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?);
    // An opponent waits where a game goes on, so these come first.
    let mut tables = to_merge(connection, OPEN, guest, account, "").await?;
    if tables.is_empty() {
        tables = to_merge(connection, AFTER, guest, account, done).await?;
        if tables.is_empty() && !done.is_empty() {
            tables = to_merge(connection, AFTER, guest, account, "").await?;
        }
        if let Some(last) = tables.last() {
            let query = db::query("UPDATE merging SET done = $1 WHERE guest = $2").bind(last).bind(guest);
            query.execute(&mut *connection).await.map_err(failed)?;
        }
    }
    for table in &tables {
        rewrite(connection, table, guest, Rewrite::Id(account)).await?;
        for sql in [
            "UPDATE seating SET first = $1 WHERE first = $2 AND id = $3",
            "UPDATE seating SET second = $1 WHERE second = $2 AND id = $3",
            "UPDATE sat SET person = $1 WHERE person = $2 AND seating = $3",
            "UPDATE plan SET person = $1 WHERE person = $2 AND seating = $3",
            "UPDATE seat_note SET person = $1 WHERE person = $2 AND seating = $3",
        ] {
            let query = db::query(sql).bind(account).bind(guest).bind(table);
            query.execute(&mut *connection).await.map_err(failed)?;
        }
    }
    if !tables.is_empty() {
        return Ok(Some(tables));
    }
    let sql =
        "UPDATE said SET person = $1 WHERE n IN (SELECT n FROM said WHERE person = $2 ORDER BY n LIMIT $3)";
    let query = db::query(sql).bind(account).bind(guest).bind(ENTRIES);
    if query.execute(&mut *connection).await.map_err(failed)?.rows_affected() > 0 {
        return Ok(Some(tables));
    }
    for sql in [
        "DELETE FROM person WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM sat WHERE person = $1)",
        "DELETE FROM merging WHERE guest = $1",
    ] {
        db::query(sql).bind(guest).execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(None)
}

/// Tables at which guest $1 sits and the game goes on, and account $2 never sat.
const OPEN: &str = "SELECT a.seating, coalesce(t.ver, 0) FROM (
        SELECT id FROM seating WHERE first = $1 AND stage < 2
        UNION SELECT id FROM seating WHERE second = $1 AND stage < 2
    ) o JOIN sat a ON a.seating = o.id AND a.person = $1 LEFT JOIN tip t ON t.seating = a.seating
    WHERE a.seating > $3 AND NOT EXISTS (SELECT 1 FROM sat b WHERE b.person = $2 AND b.seating = a.seating)
    ORDER BY a.seating LIMIT $4";
/// Tables after $3 at which guest $1 ever sat, and account $2 never.
const AFTER: &str = "SELECT a.seating, coalesce(t.ver, 0) FROM sat a LEFT JOIN tip t ON t.seating = a.seating
    WHERE a.person = $1 AND a.seating > $3
        AND NOT EXISTS (SELECT 1 FROM sat b WHERE b.person = $2 AND b.seating = a.seating)
    ORDER BY a.seating LIMIT $4";

async fn to_merge(
    connection: &mut DbConnection,
    sql: &'static str,
    guest: &str,
    account: &str,
    after: &str,
) -> Result<Vec<String>, StoreError> {
    let query = db::query(sql).bind(guest).bind(account).bind(after).bind(PART);
    part(&query.fetch_all(connection).await.map_err(failed)?)
}

/// Takes the name of a closed account out of some of its logs; empty where it is in none.
pub(super) async fn scrub(connection: &mut DbConnection, person: &str) -> Result<Vec<String>, StoreError> {
    let row = db::query("SELECT done FROM closing WHERE person = $1").bind(person);
    let Some(row) = row.fetch_optional(&mut *connection).await.map_err(failed)? else {
        return Ok(Vec::new());
    };
    let done: String = row.try_get(0).map_err(failed)?;
    let sql = "SELECT a.seating, coalesce(t.ver, 0) FROM sat a LEFT JOIN tip t ON t.seating = a.seating
        WHERE a.person = $1 AND a.seating > $2 ORDER BY a.seating LIMIT $3";
    let rows = db::query(sql).bind(person).bind(done).bind(PART).fetch_all(&mut *connection).await;
    let tables = part(&rows.map_err(failed)?)?;
    for table in &tables {
        rewrite(connection, table, person, Rewrite::Nameless).await?;
    }
    let query = match tables.last() {
        Some(last) => db::query("UPDATE closing SET done = $1 WHERE person = $2").bind(last).bind(person),
        None => db::query("DELETE FROM closing WHERE person = $1").bind(person),
    };
    query.execute(connection).await.map_err(failed)?;
    Ok(tables)
}

/// The ways to rewrite a person in a log.
#[derive(Clone, Copy)]
pub(crate) enum Rewrite<'a> {
    /// Replaces their id with another one.
    Id(&'a str),
    /// Removes their name.
    Nameless,
}

/// Rewrites a person in the log of a table and in the row of its game, and recomputes the checksums. A damaged log
/// stays as it is: its new checksums would hide the damage.
async fn rewrite(
    connection: &mut DbConnection,
    table: &str,
    old_id: &str,
    how: Rewrite<'_>,
) -> Result<(), StoreError> {
    // Another node, or another lane, that would append meanwhile waits for this, and reads the new end then.
    let lock = db::query("UPDATE tip SET sum = sum WHERE seating = $1").bind(table);
    lock.execute(&mut *connection).await.map_err(failed)?;
    games::rewrite(connection, table, old_id, how).await?;
    let head = match read::load_by(connection, table).await {
        Ok(Some(_)) => read::head(connection, table).await?,
        Ok(None) | Err(StoreError::Damaged(_)) => None,
        Err(why) => return Err(why),
    };
    let Some(head) = head else { return Ok(()) };
    let lines = read::lines(connection, table, &head).await?;
    let mut sum = chain::start(table, head.format, &head.setup);
    let mut changed = Vec::new();
    for line in &lines {
        let link = line.link();
        let person = match how {
            Rewrite::Id(new_id) if link.person == old_id => new_id,
            _ => link.person,
        };
        let body = renamed(&link, old_id, how);
        let is_new = person != link.person || body.is_some();
        let link = match &body {
            Some(body) => Link { person, format: format::NEWEST, body, ..link },
            None => Link { person, ..link },
        };
        sum = chain::link(sum, table, &link);
        // From the first change on, every checksum is another.
        if is_new || !changed.is_empty() {
            changed.push(Changed { ver: link.ver, person, format: link.format, sum, body });
        }
    }
    if let Some((ver, _)) = head.folded {
        let is_folded = |row: &Changed| row.ver <= ver;
        let of_folded = changed.partition_point(is_folded);
        let rest = changed.split_off(of_folded);
        let end = lines.partition_point(|line| line.ver <= ver);
        fold::refold(connection, table, &lines[..end], changed).await?;
        changed = rest;
    }
    for rows in changed.chunks(ROWS) {
        let mut query = QueryBuilder::<Db>::new("WITH v (ver, person, format, body, sum) AS (");
        query.push_values(rows, |mut to, row| {
            to.push_bind(number(row.ver))
                .push_bind(row.person)
                .push_bind(i64::from(row.format))
                .push_bind(row.body.as_deref())
                .push_bind(row.sum.cast_signed());
        });
        query.push(
            ") UPDATE event SET person = v.person, format = v.format, body = coalesce(v.body, event.body), sum = v.sum
                FROM v WHERE event.ver = v.ver AND event.seating = ",
        );
        query.push_bind(table).build().execute(&mut *connection).await.map_err(failed)?;
    }
    let query = db::query("UPDATE tip SET sum = $1 WHERE seating = $2").bind(sum.cast_signed()).bind(table);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// The new values of an entry of a log; without a body where that stays.
pub(super) struct Changed<'a> {
    pub(super) ver: u64,
    pub(super) person: &'a str,
    pub(super) format: u32,
    pub(super) sum: u64,
    pub(super) body: Option<String>,
}

/// Returns the rewritten body, if the event is about that person.
fn renamed(link: &Link, old_id: &str, how: Rewrite<'_>) -> Option<String> {
    if !link.body.contains(old_id) {
        return None;
    }
    match format::event(link.format, link.body).ok()? {
        table::Event::Sit { side, mut who, secret } if who.id == old_id && who.engine.is_none() => {
            match how {
                Rewrite::Id(new_id) => new_id.clone_into(&mut who.id),
                Rewrite::Nameless => who.name = None,
            }
            Some(format::write_event(&table::Event::Sit { side, who, secret }))
        }
        _ => None,
    }
}

/// Stores a new person with their first session.
struct Enroll(NewPerson);

#[async_trait::async_trait]
impl Work<DbConnection> for Enroll {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        &[Desk::People]
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        enroll(connection, &self.0).await
    }
}

/// Records the last visit of a session.
struct Seen {
    hash: [u8; 32],
    now_ms: u64,
}

#[async_trait::async_trait]
impl Work<DbConnection> for Seen {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        &[Desk::People]
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        seen(connection, &self.hash, self.now_ms).await
    }
}

/// Keeps the name a person chose.
struct Rename {
    person: String,
    name: Option<String>,
    folded: Option<String>,
}

#[async_trait::async_trait]
impl Work<DbConnection> for Rename {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        &[Desk::People]
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        rename(connection, &self.person, self.name.as_deref(), self.folded.as_deref()).await
    }
}

/// Gives a guest a session and a new public id.
struct Adopt {
    old_id: String,
    new_id: String,
    hash: [u8; 32],
    now_ms: u64,
}

#[async_trait::async_trait]
impl Work<DbConnection> for Adopt {
    type Done = Adoption;

    fn desks(&self) -> &'static [Desk] {
        DESKS
    }

    fn is_alone(&self) -> bool {
        true
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<Adoption, StoreError> {
        adopt(connection, &self.old_id, &self.new_id, &self.hash, self.now_ms).await
    }
}

#[async_trait::async_trait]
impl People for Stock {
    async fn person_by(&self, hash: &[u8; 32]) -> Result<Option<PersonRow>, StoreError> {
        read!(self, readers => by_session(readers, hash).await)
    }

    async fn find_person(&self, name_or_id: &str) -> Result<Option<PersonRow>, StoreError> {
        read!(self, readers => find(readers, name_or_id).await)
    }

    async fn enroll(&self, person: NewPerson) -> Result<(), StoreError> {
        self.work(Enroll(person)).await
    }

    async fn seen(&self, hash: &[u8; 32], now_ms: u64) -> Result<(), StoreError> {
        self.work(Seen { hash: *hash, now_ms }).await
    }

    async fn name(&self, person: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT name FROM person WHERE id = $1";
        let row = read!(self, readers => {
            db::query(sql).bind(person).fetch_optional(readers).await.map_err(failed)
        })?;
        row.map_or(Ok(None), |row| row.try_get(0).map_err(failed))
    }

    async fn rename(&self, person: &str, name: Option<&str>, folded: Option<&str>) -> Result<(), StoreError> {
        let (person, name, folded) = (person.to_owned(), name.map(str::to_owned), folded.map(str::to_owned));
        self.work(Rename { person, name, folded }).await
    }

    async fn adopt(
        &self,
        old_id: &str,
        new_id: &str,
        hash: &[u8; 32],
        now_ms: u64,
    ) -> Result<Adoption, StoreError> {
        // Most secrets of strangers belong to no person: the writer need not handle them.
        let (old_id, new_id, hash) = (old_id.to_owned(), new_id.to_owned(), *hash);
        let claim = read!(self, readers => match readers.acquire().await {
            Ok(mut reader) => claim(&mut reader, &old_id).await,
            Err(why) => Err(failed(why)),
        })?;
        match claim {
            Claim::Unknown => return Ok(Adoption::Unknown),
            Claim::Before => return Ok(Adoption::Before),
            Claim::Free => {}
        }
        self.work(Adopt { old_id, new_id, hash, now_ms }).await
    }
}
