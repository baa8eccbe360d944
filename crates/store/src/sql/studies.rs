//! Studies and their events as rows.

use sqlx::{QueryBuilder, Row};

use super::db::{self, Db, DbConnection, DbPool, DbRow};
use super::{Stock, failed, number};
use crate::studies::{Access, Shown, StoredStudy, Studies, StudyDeed, StudyRow, WantedStudies};
use crate::work::{Desk, Work};
use crate::{StoreError, Whose};

const ACCESS: [Access; 3] = [Access::Private, Access::Link, Access::Public];

fn access_number(access: Access) -> i64 {
    access as i64
}

pub(super) async fn carry_out(connection: &mut DbConnection, deed: &StudyDeed) -> Result<(), StoreError> {
    match deed {
        StudyDeed::Make { id, owner, shown, whole, most, at_ms } => {
            let known = db::query("SELECT 1 FROM study WHERE id = $1").bind(id);
            if known.fetch_optional(&mut *connection).await.map_err(failed)?.is_some() {
                return Err(StoreError::Taken);
            }
            let own = db::query("SELECT count(*) FROM study WHERE owner = $1").bind(owner);
            let row = own.fetch_one(&mut *connection).await.map_err(failed)?;
            if row.try_get::<i64, _>(0).map_err(failed)? >= i64::from(*most) {
                return Err(StoreError::Full(Whose::Visitor));
            }
            let sql = "INSERT INTO study (id, owner, name, access, games, chapters, ver, whole, whole_ver, made_ms, changed_ms)
                VALUES ($1, $2, $3, $4, $5, $6, 1, $7, 1, $8, $8)";
            let query = db::query(sql).bind(id).bind(owner).bind(&shown.name);
            let query = query.bind(access_number(shown.access)).bind(shown.games.join(" "));
            let query = query.bind(i64::from(shown.chapters)).bind(whole).bind(number(*at_ms));
            query.execute(&mut *connection).await.map_err(failed)?;
            beside(connection, id, shown).await
        }
        StudyDeed::Append { id, ver, entry, shown, whole, at_ms } => {
            let sql = "UPDATE study SET ver = $1, changed_ms = $2 WHERE id = $3 AND ver = $1 - 1";
            let query = db::query(sql).bind(number(*ver)).bind(number(*at_ms)).bind(id);
            let done = query.execute(&mut *connection).await.map_err(failed)?;
            if done.rows_affected() == 0 {
                let known = db::query("SELECT 1 FROM study WHERE id = $1").bind(id);
                let known = known.fetch_optional(&mut *connection).await.map_err(failed)?;
                return Err(if known.is_some() { StoreError::Conflict } else { StoreError::Missing });
            }
            let sql = "INSERT INTO study_entry (study, ver, body) VALUES ($1, $2, $3)";
            let query = db::query(sql).bind(id).bind(number(*ver)).bind(entry);
            query.execute(&mut *connection).await.map_err(failed)?;
            if let Some(whole) = whole {
                let sql = "DELETE FROM study_entry WHERE study = $1
                    AND ver <= (SELECT whole_ver FROM study WHERE id = $1)";
                db::query(sql).bind(id).execute(&mut *connection).await.map_err(failed)?;
                let query = db::query("UPDATE study SET whole = $1, whole_ver = $2 WHERE id = $3");
                let query = query.bind(whole).bind(number(*ver)).bind(id);
                query.execute(&mut *connection).await.map_err(failed)?;
            }
            let Some(shown) = shown else { return Ok(()) };
            let query =
                db::query("UPDATE study SET name = $1, access = $2, games = $3, chapters = $4 WHERE id = $5");
            let query = query.bind(&shown.name).bind(access_number(shown.access)).bind(shown.games.join(" "));
            let query = query.bind(i64::from(shown.chapters)).bind(id);
            query.execute(&mut *connection).await.map_err(failed)?;
            beside(connection, id, shown).await
        }
        StudyDeed::Delete { id, owner } => {
            let query = db::query("DELETE FROM study WHERE id = $1 AND owner = $2").bind(id).bind(owner);
            let done = query.execute(&mut *connection).await.map_err(failed)?;
            if done.rows_affected() == 0 {
                return Err(StoreError::Missing);
            }
            for sql in [
                "DELETE FROM study_entry WHERE study = $1",
                "DELETE FROM study_member WHERE study = $1",
                "DELETE FROM study_map WHERE study = $1",
            ] {
                db::query(sql).bind(id).execute(&mut *connection).await.map_err(failed)?;
            }
            Ok(())
        }
    }
}

/// Replaces the people and the maps of a study.
async fn beside(connection: &mut DbConnection, id: &str, shown: &Shown) -> Result<(), StoreError> {
    for (clear, add, all) in [
        (
            "DELETE FROM study_member WHERE study = $1",
            "INSERT INTO study_member (study, person) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            &shown.members,
        ),
        (
            "DELETE FROM study_map WHERE study = $1",
            "INSERT INTO study_map (study, map) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            &shown.maps,
        ),
    ] {
        db::query(clear).bind(id).execute(&mut *connection).await.map_err(failed)?;
        for one in all {
            db::query(add).bind(id).bind(one).execute(&mut *connection).await.map_err(failed)?;
        }
    }
    Ok(())
}

fn row_of(row: &DbRow) -> Result<StudyRow, sqlx::Error> {
    Ok(StudyRow {
        id: row.try_get(0)?,
        owner: row.try_get(1)?,
        owner_name: row.try_get(2)?,
        name: row.try_get(3)?,
        access: ACCESS.get(db::int::<usize>(row, 4)?).copied().unwrap_or_default(),
        games: row.try_get::<String, _>(5)?.split_whitespace().map(str::to_owned).collect(),
        chapters: db::int(row, 6)?,
        changed_ms: row.try_get::<i64, _>(7)?.cast_unsigned(),
    })
}

async fn wanted(readers: &DbPool, wanted: &WantedStudies) -> Result<(Vec<StudyRow>, u64), StoreError> {
    let mut query = QueryBuilder::<Db>::new(
        "SELECT s.id, s.owner, p.name, s.name, s.access, s.games, s.chapters, s.changed_ms",
    );
    from_wanted(&mut query, wanted);
    query.push(" ORDER BY s.changed_ms DESC, s.id LIMIT ").push_bind(i64::from(wanted.most));
    query.push(" OFFSET ").push_bind(i64::from(wanted.skip));
    let rows = query.build().fetch_all(readers).await.map_err(failed)?;
    let list = rows.iter().map(row_of).collect::<Result<_, _>>().map_err(failed)?;
    let mut query = QueryBuilder::<Db>::new("SELECT count(*)");
    from_wanted(&mut query, wanted);
    let count: i64 = query.build().fetch_one(readers).await.and_then(|row| row.try_get(0)).map_err(failed)?;
    Ok((list, count.cast_unsigned()))
}

/// Adds the studies `s` that are wanted, with their owners `p`, in any order.
fn from_wanted(query: &mut QueryBuilder<Db>, wanted: &WantedStudies) {
    query.push(" FROM study s LEFT JOIN person p ON p.id = s.owner WHERE ");
    match &wanted.person {
        Some(person) => {
            query.push("(s.owner = ").push_bind(person.clone());
            query.push(" OR s.id IN (SELECT study FROM study_member WHERE person = ");
            query.push_bind(person.clone()).push("))")
        }
        None => query.push("s.access = 2"),
    };
    if !wanted.search.is_empty() {
        let search = super::shelf::like(&wanted.search);
        query.push(" AND (lower(s.name) LIKE lower(").push_bind(search.clone()).push(") ESCAPE '\\'");
        query.push(" OR lower(p.name) LIKE lower(").push_bind(search).push(") ESCAPE '\\')");
    }
}

async fn study(readers: &DbPool, id: &str) -> Result<Option<StoredStudy>, StoreError> {
    let mut snapshot = db::snapshot(readers).await.map_err(failed)?;
    let query = db::query("SELECT whole, whole_ver FROM study WHERE id = $1").bind(id);
    let Some(row) = query.fetch_optional(&mut *snapshot).await.map_err(failed)? else { return Ok(None) };
    let (whole, ver): (String, i64) = (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?);
    let query = db::query("SELECT body FROM study_entry WHERE study = $1 AND ver > $2 ORDER BY ver");
    let rows = query.bind(id).bind(ver).fetch_all(&mut *snapshot).await.map_err(failed)?;
    let entries = rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(failed)?;
    Ok(Some(StoredStudy { whole, entries }))
}

async fn study_ver(readers: &DbPool, id: &str) -> Result<Option<u64>, StoreError> {
    let query = db::query("SELECT ver FROM study WHERE id = $1").bind(id);
    let row = query.fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| row.try_get::<i64, _>(0).map(i64::cast_unsigned).map_err(failed)).transpose()
}

async fn entries(readers: &DbPool, id: &str, since: u64) -> Result<Option<Vec<String>>, StoreError> {
    let mut snapshot = db::snapshot(readers).await.map_err(failed)?;
    let query = db::query("SELECT ver FROM study WHERE id = $1").bind(id);
    let Some(row) = query.fetch_optional(&mut *snapshot).await.map_err(failed)? else { return Ok(None) };
    let ver = row.try_get::<i64, _>(0).map_err(failed)?.cast_unsigned();
    let query = db::query("SELECT body FROM study_entry WHERE study = $1 AND ver > $2 ORDER BY ver");
    let rows = query.bind(id).bind(number(since)).fetch_all(&mut *snapshot).await.map_err(failed)?;
    if rows.len() as u64 != ver.saturating_sub(since) {
        return Ok(None);
    }
    rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map(Some).map_err(failed)
}

async fn studies_of(readers: &DbPool, owner: &str) -> Result<u64, StoreError> {
    let query = db::query("SELECT count(*) FROM study WHERE owner = $1").bind(owner);
    let count: i64 = query.fetch_one(readers).await.and_then(|row| row.try_get(0)).map_err(failed)?;
    Ok(count.cast_unsigned())
}

work!(StudyDeed => (), Works);

#[async_trait::async_trait]
impl Studies for Stock {
    async fn change_study(&self, deed: StudyDeed) -> Result<(), StoreError> {
        self.work(deed).await
    }

    async fn study(&self, id: &str) -> Result<Option<StoredStudy>, StoreError> {
        read!(self, readers => study(readers, id).await)
    }

    async fn study_ver(&self, id: &str) -> Result<Option<u64>, StoreError> {
        read!(self, readers => study_ver(readers, id).await)
    }

    async fn study_entries(&self, id: &str, since: u64) -> Result<Option<Vec<String>>, StoreError> {
        read!(self, readers => entries(readers, id, since).await)
    }

    async fn studies_wanted(&self, which: &WantedStudies) -> Result<(Vec<StudyRow>, u64), StoreError> {
        read!(self, readers => wanted(readers, which).await)
    }

    async fn studies_of(&self, owner: &str) -> Result<u64, StoreError> {
        read!(self, readers => studies_of(readers, owner).await)
    }
}
