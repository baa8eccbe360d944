//! Extensions that people share.

use sqlx::Row;

use super::db::{self, DbConnection, DbPool, DbRow};
use super::{failed, number};
use crate::StoreError;
use crate::shelf::{Extension, ExtensionRoom, ExtensionUse, ExtensionVersion, NewExtension};

/// The columns from which an [`Extension`] is read.
macro_rules! extension_columns {
    () => {
        "SELECT e.name, e.owner, p.name, e.about, e.listed, e.newest, e.changed_ms,
    (SELECT count(*) FROM extension_use u JOIN map m ON m.id = u.map WHERE u.name = e.name AND NOT m.trial)
    FROM extension e LEFT JOIN person p ON p.id = e.owner"
    };
}
/// Versions of an extension that are listed.
const VERSIONS: i64 = 100;

pub(super) async fn publish(
    connection: &mut DbConnection,
    new: &NewExtension,
    room: ExtensionRoom,
) -> Result<(), StoreError> {
    let known = db::query("SELECT owner, newest FROM extension WHERE name = $1").bind(&new.name);
    let known = known.fetch_optional(&mut *connection).await.map_err(failed)?;
    let newest: u32 = match &known {
        None => 0,
        Some(row) if row.try_get::<String, _>(0).map_err(failed)? != new.owner => {
            return Err(StoreError::Missing);
        }
        Some(row) => db::int(row, 1).map_err(failed)?,
    };
    if newest != new.base {
        return Err(StoreError::Conflict);
    }
    fits(connection, new, room).await?;
    let n = i64::from(newest) + 1;
    let sql = "INSERT INTO extension (name, owner, about, newest, made_ms, changed_ms) VALUES ($1, $2, $3, $4, $5, $5)
        ON CONFLICT (name) DO UPDATE SET about = excluded.about, newest = excluded.newest,
            changed_ms = excluded.changed_ms";
    let query = db::query(sql).bind(&new.name).bind(&new.owner).bind(&new.about).bind(n);
    query.bind(number(new.at_ms)).execute(&mut *connection).await.map_err(failed)?;
    let sql = "INSERT INTO extension_version (name, n, note, at_ms, bytes) VALUES ($1, $2, $3, $4, $5)";
    let query = db::query(sql).bind(&new.name).bind(n).bind(&new.note).bind(number(new.at_ms));
    query.bind(&new.bytes).execute(connection).await.map(|_| ()).map_err(failed)
}

/// Checks that there is room for another version. [`StoreError::Full`]: there is none.
async fn fits(
    connection: &mut DbConnection,
    new: &NewExtension,
    room: ExtensionRoom,
) -> Result<(), StoreError> {
    let own =
        "SELECT count(*) FROM extension_version v JOIN extension e ON e.name = v.name WHERE e.owner = $1";
    let all = "SELECT count(*) FROM extension_version";
    let (own, all) = (db::query(own).bind(&new.owner), db::query(all));
    for (query, whose, most) in
        [(own, crate::Whose::Visitor, room.versions_each), (all, crate::Whose::All, room.versions)]
    {
        let row = query.fetch_one(&mut *connection).await.map_err(failed)?;
        if row.try_get::<i64, _>(0).map_err(failed)? >= i64::from(most) {
            return Err(StoreError::Full(whose));
        }
    }
    Ok(())
}

pub(super) async fn list(
    connection: &mut DbConnection,
    name: &str,
    owner: &str,
    listed: bool,
) -> Result<(), StoreError> {
    let query = db::query("UPDATE extension SET listed = $1 WHERE name = $2 AND owner = $3");
    let done = query.bind(listed).bind(name).bind(owner).execute(connection).await.map_err(failed)?;
    if done.rows_affected() == 0 { Err(StoreError::Missing) } else { Ok(()) }
}

pub(super) async fn delete(connection: &mut DbConnection, name: &str, owner: &str) -> Result<(), StoreError> {
    let known = db::query("SELECT 1 FROM extension WHERE name = $1 AND owner = $2").bind(name).bind(owner);
    known.fetch_optional(&mut *connection).await.map_err(failed)?.ok_or(StoreError::Missing)?;
    let sql = "SELECT EXISTS (SELECT 1 FROM extension_use u JOIN map m ON m.id = u.map
        WHERE u.name = $1 AND m.owner <> $2 AND NOT m.trial)";
    let row = db::query(sql).bind(name).bind(owner).fetch_one(&mut *connection).await.map_err(failed)?;
    if row.try_get(0).map_err(failed)? {
        return Err(StoreError::Conflict);
    }
    for sql in [
        "DELETE FROM extension_use WHERE name = $1",
        "DELETE FROM extension_version WHERE name = $1",
        "DELETE FROM extension WHERE name = $1",
    ] {
        db::query(sql).bind(name).execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(())
}

/// Records the extensions that a stored map uses; extensions that are not on the shelf are left out.
pub(super) async fn used(
    connection: &mut DbConnection,
    map: &str,
    uses: &[(String, u32)],
) -> Result<(), StoreError> {
    for (name, n) in uses {
        let sql = "INSERT INTO extension_use (map, name, n) SELECT $1, name, n FROM extension_version
            WHERE name = $2 AND n = $3 AND EXISTS (SELECT 1 FROM map WHERE id = $1)
            ON CONFLICT (map, name, n) DO NOTHING";
        let query = db::query(sql).bind(map).bind(name).bind(i64::from(*n));
        query.execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(())
}

fn extension(row: &DbRow) -> Result<Extension, StoreError> {
    let count = |at: usize| row.try_get::<i64, _>(at).map(i64::cast_unsigned).map_err(failed);
    Ok(Extension {
        name: row.try_get(0).map_err(failed)?,
        owner: row.try_get(1).map_err(failed)?,
        author: row.try_get(2).map_err(failed)?,
        about: row.try_get(3).map_err(failed)?,
        listed: row.try_get(4).map_err(failed)?,
        newest: db::int(row, 5).map_err(failed)?,
        changed_ms: count(6)?,
        maps: count(7)?,
    })
}

pub(super) async fn find(readers: &DbPool, name: &str) -> Result<Option<Extension>, StoreError> {
    let query = db::query(concat!(extension_columns!(), " WHERE e.name = $1")).bind(name);
    let row = query.fetch_optional(readers).await.map_err(failed)?;
    row.as_ref().map(extension).transpose()
}

/// Returns the extensions whose name or description holds `search`, the last changed first; an owner's unlisted ones,
/// too.
pub(super) async fn search(
    readers: &DbPool,
    search: &str,
    owner: Option<&str>,
    most: u32,
) -> Result<Vec<Extension>, StoreError> {
    const OWN: &str = concat!(
        extension_columns!(),
        " WHERE e.owner = $1 AND (lower(e.name) LIKE lower($2) ESCAPE '\\' OR lower(e.about) LIKE lower($2) ESCAPE '\\')
        ORDER BY e.changed_ms DESC, e.name LIMIT $3"
    );
    const LISTED: &str = concat!(
        extension_columns!(),
        " WHERE ",
        holds!("e.listed"),
        " AND (lower(e.name) LIKE lower($1) ESCAPE '\\' OR lower(e.about) LIKE lower($1) ESCAPE '\\')
        ORDER BY e.changed_ms DESC, e.name LIMIT $2"
    );
    let query = match owner {
        Some(owner) => db::query(OWN).bind(owner),
        None => db::query(LISTED),
    };
    let query = query.bind(super::shelf::like(search));
    let rows = query.bind(i64::from(most)).fetch_all(readers).await.map_err(failed)?;
    rows.iter().map(extension).collect()
}

pub(super) async fn versions(readers: &DbPool, name: &str) -> Result<Vec<ExtensionVersion>, StoreError> {
    let sql = "SELECT n, note, at_ms FROM extension_version WHERE name = $1 ORDER BY n DESC LIMIT $2";
    let rows = db::query(sql).bind(name).bind(VERSIONS).fetch_all(readers).await.map_err(failed)?;
    let version = |row: DbRow| {
        let at_ms = row.try_get::<i64, _>(2)?.cast_unsigned();
        Ok(ExtensionVersion { n: db::int(&row, 0)?, note: row.try_get(1)?, at_ms })
    };
    rows.into_iter().map(version).collect::<Result<_, _>>().map_err(failed)
}

pub(super) async fn file(readers: &DbPool, name: &str, n: u32) -> Result<Option<Vec<u8>>, StoreError> {
    let query = db::query("SELECT bytes FROM extension_version WHERE name = $1 AND n = $2");
    let row = query.bind(name).bind(i64::from(n)).fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| row.try_get(0).map_err(failed)).transpose()
}

pub(super) async fn uses(readers: &DbPool, map: &str) -> Result<Vec<ExtensionUse>, StoreError> {
    let sql = "SELECT u.name, u.n, p.name FROM extension_use u JOIN extension e ON e.name = u.name
        LEFT JOIN person p ON p.id = e.owner WHERE u.map = $1 ORDER BY u.name, u.n";
    let rows = db::query(sql).bind(map).fetch_all(readers).await.map_err(failed)?;
    let used = |row: DbRow| {
        Ok(ExtensionUse { name: row.try_get(0)?, n: db::int(&row, 1)?, author: row.try_get(2)? })
    };
    rows.into_iter().map(used).collect::<Result<_, _>>().map_err(failed)
}
