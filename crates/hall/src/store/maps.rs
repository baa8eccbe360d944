//! Maps and their files in SQLite.
//!
//! What lists show stands in one table, the files in another, so that a list never reads a file. File 0 is the map,
//! the others are its extensions in their order.

use catalog::maps::{Package, Source};
use sqlx::{Row, SqliteConnection, SqlitePool};
use wire::MapLine;

use super::sqlite::failed;
use super::{MapRoom, NewMap, StoreError, StoredMap, Whose};

pub(super) const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS map (
    id TEXT PRIMARY KEY NOT NULL,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    old_names INTEGER NOT NULL,
    trial INTEGER NOT NULL,
    line TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS map_owner ON map (owner);
CREATE INDEX IF NOT EXISTS map_created ON map (created_ms);
CREATE TABLE IF NOT EXISTS map_file (
    map TEXT NOT NULL REFERENCES map (id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    file TEXT NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (map, n)
);
";

/// A map that no table was opened with for three months makes room when the hall opens.
pub(super) const FORGOTTEN: &str = "
DELETE FROM map WHERE created_ms < (unixepoch() - 90 * 86400) * 1000 AND id NOT IN
    (SELECT json_extract(setup, '$.map.id') FROM seating WHERE json_extract(setup, '$.map.id') IS NOT NULL);
DELETE FROM map_file WHERE map NOT IN (SELECT id FROM map);
";

/// Maps of an author that are only tried. The oldest goes when another comes.
const TRIALS: i64 = 10;

/// Puts a map among the others, unless it is there or there is no room. What was only tried so far may be put on the
/// shelf.
pub(super) async fn keep(
    connection: &mut SqliteConnection,
    map: &NewMap,
    room: MapRoom,
) -> Result<(), StoreError> {
    let known = sqlx::query("SELECT trial FROM map WHERE id = ?").bind(&map.line.id);
    let known =
        known.fetch_optional(&mut *connection).await.map_err(failed)?.map(|row| row.get::<bool, _>(0));
    if known.is_some_and(|trial| map.trial || !trial) {
        return Ok(());
    }
    let files = files(&map.package);
    let bytes: u64 = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let own = "SELECT count(*), coalesce(sum(bytes), 0) FROM map WHERE owner = ? AND NOT trial";
    let all = "SELECT count(*), coalesce(sum(bytes), 0) FROM map";
    for (query, whose, maps, most) in [
        (sqlx::query(own).bind(&map.owner), Whose::Visitor, room.maps_each, room.bytes_each),
        (sqlx::query(all), Whose::All, room.maps, room.bytes),
    ] {
        // Trials have their own limit: the oldest goes.
        if map.trial && matches!(whose, Whose::Visitor) {
            continue;
        }
        let row = query.fetch_one(&mut *connection).await.map_err(failed)?;
        let (count, sum) = (row.get::<i64, _>(0).cast_unsigned(), row.get::<i64, _>(1).cast_unsigned());
        if count >= u64::from(maps) || sum + bytes > most {
            return Err(StoreError::Full(whose));
        }
    }
    forget_trials(connection, map).await?;
    sqlx::query(
        "INSERT INTO map (id, owner, name, created_ms, bytes, old_names, trial, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&map.line.id)
    .bind(&map.owner)
    .bind(&map.line.name)
    .bind(map.line.created_ms.cast_signed())
    .bind(bytes.cast_signed())
    .bind(map.old_names)
    .bind(map.trial)
    .bind(serde_json::to_string(&map.line).map_err(failed)?)
    .execute(&mut *connection)
    .await
    .map_err(failed)?;
    for (n, (file, bytes)) in (0i64..).zip(files) {
        sqlx::query("INSERT INTO map_file (map, n, file, bytes) VALUES (?, ?, ?, ?)")
            .bind(&map.line.id)
            .bind(n)
            .bind(file)
            .bind(bytes)
            .execute(&mut *connection)
            .await
            .map_err(failed)?;
    }
    Ok(())
}

/// Makes room for `map`: for a trial the oldest ones of its author go, for another the trial of the same files does.
async fn forget_trials(connection: &mut SqliteConnection, map: &NewMap) -> Result<(), StoreError> {
    let gone = if map.trial {
        let old = "DELETE FROM map WHERE trial AND owner = ?1 AND id NOT IN
            (SELECT id FROM map WHERE trial AND owner = ?1 ORDER BY created_ms DESC, rowid DESC LIMIT ?2)";
        sqlx::query(old).bind(&map.owner).bind(TRIALS - 1)
    } else {
        sqlx::query("DELETE FROM map WHERE trial AND id = ?").bind(&map.line.id)
    };
    if gone.execute(&mut *connection).await.map_err(failed)?.rows_affected() > 0 {
        let files = sqlx::query("DELETE FROM map_file WHERE map NOT IN (SELECT id FROM map)");
        files.execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(())
}

fn files(package: &Package) -> Vec<(&str, &[u8])> {
    let extensions = package.extensions.iter().map(|source| (source.file.as_str(), source.bytes.as_slice()));
    std::iter::once(("map.xlsx", package.map.as_slice())).chain(extensions).collect()
}

pub(super) async fn find(readers: &SqlitePool, id: &str) -> Result<Option<StoredMap>, StoreError> {
    let row = sqlx::query("SELECT line, old_names, trial FROM map WHERE id = ?").bind(id);
    let Some(row) = row.fetch_optional(readers).await.map_err(failed)? else { return Ok(None) };
    let (line, old_names, trial) =
        (serde_json::from_str(row.get(0)).map_err(failed)?, row.get(1), row.get(2));
    let files = sqlx::query("SELECT file, bytes FROM map_file WHERE map = ? ORDER BY n").bind(id);
    let files = files.fetch_all(readers).await.map_err(failed)?;
    let mut files = files.into_iter().map(|row| Source { file: row.get(0), bytes: row.get(1) });
    let map = files.next().ok_or_else(|| failed("a map without its file"))?.bytes;
    Ok(Some(StoredMap { line, package: Package { map, extensions: files.collect() }, old_names, trial }))
}

pub(super) async fn list(readers: &SqlitePool, search: &str, most: u32) -> Result<Vec<MapLine>, StoreError> {
    let mut wanted = String::from("%");
    for sign in search.chars() {
        // What means something to LIKE means itself.
        if matches!(sign, '%' | '_' | '\\') {
            wanted.push('\\');
        }
        wanted.push(sign);
    }
    wanted.push('%');
    let query = sqlx::query(
        "SELECT line FROM map WHERE NOT trial AND name LIKE ? ESCAPE '\\' ORDER BY created_ms DESC, id LIMIT ?",
    );
    let rows = query.bind(wanted).bind(most).fetch_all(readers).await.map_err(failed)?;
    rows.into_iter().map(|row| serde_json::from_str(row.get(0)).map_err(failed)).collect()
}
