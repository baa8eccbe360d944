//! Maps and their files.
//!
//! The lines for lists are in one table, the files in another, so that a list never reads a file. File 0 is the map,
//! the others are its extensions in their order.

use catalog::maps::{Package, Source};
use sqlx::Row;
use wire::MapLine;

use super::db::{self, DbConnection, DbPool, DbRow};
use super::{Stock, failed};
use crate::work::{Desk, Work};
use crate::{MapRoom, Maps, NewMap, StoreError, StoredMap, Whose, format};

/// The most maps of an author that are only being tried out. One more replaces the oldest.
const TRIALS: i64 = 10;

/// Stores a map, unless it is there or the limits are reached; returns false if it was there. One that was only being
/// tried out is replaced by one that is published.
pub(super) async fn insert(
    connection: &mut DbConnection,
    map: &NewMap,
    room: MapRoom,
) -> Result<bool, StoreError> {
    let trial = map.version.is_none();
    let known = db::query("SELECT trial FROM map WHERE id = $1").bind(&map.line.id);
    let known =
        known.fetch_optional(&mut *connection).await.map_err(failed)?.map(|row| row.get::<bool, _>(0));
    if known.is_some_and(|was_trial| trial || !was_trial) {
        return Ok(false);
    }
    let files = files(&map.package);
    let bytes: u64 = files.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    let own =
        "SELECT count(*), CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM map WHERE owner = $1 AND NOT trial";
    let all = "SELECT count(*), CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM map";
    for (query, whose, maps, most) in [
        (db::query(own).bind(&map.owner), Whose::Visitor, room.maps_each, room.bytes_each),
        (db::query(all), Whose::All, room.maps, room.bytes),
    ] {
        // Trials have their own limit: the oldest goes.
        if trial && matches!(whose, Whose::Visitor) {
            continue;
        }
        let row = query.fetch_one(&mut *connection).await.map_err(failed)?;
        let (count, sum) = (row.get::<i64, _>(0).cast_unsigned(), row.get::<i64, _>(1).cast_unsigned());
        if count >= u64::from(maps) || sum + bytes > most {
            return Err(StoreError::Full(whose));
        }
    }
    forget_trials(connection, map).await?;
    db::query(
        "INSERT INTO map (id, owner, name, created_ms, bytes, old_names, trial, line, format)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&map.line.id)
    .bind(&map.owner)
    .bind(&map.line.name)
    .bind(map.line.created_ms.cast_signed())
    .bind(bytes.cast_signed())
    .bind(map.old_names)
    .bind(trial)
    .bind(format::write_map_line(&map.line))
    .bind(i64::from(format::NEWEST))
    .execute(&mut *connection)
    .await
    .map_err(failed)?;
    for (n, (file, bytes)) in (0i64..).zip(files) {
        db::query("INSERT INTO map_file (map, n, file, bytes) VALUES ($1, $2, $3, $4)")
            .bind(&map.line.id)
            .bind(n)
            .bind(file)
            .bind(bytes)
            .execute(&mut *connection)
            .await
            .map_err(failed)?;
    }
    Ok(true)
}

/// Makes room for `map`: for a trial the oldest ones of its author go, for another the trial of the same files does.
async fn forget_trials(connection: &mut DbConnection, map: &NewMap) -> Result<(), StoreError> {
    let gone = if map.version.is_none() {
        let old = "DELETE FROM map WHERE trial AND owner = $1 AND id NOT IN
            (SELECT id FROM map WHERE trial AND owner = $1 ORDER BY created_ms DESC, rowid DESC LIMIT $2)";
        db::query(old).bind(&map.owner).bind(TRIALS - 1)
    } else {
        db::query("DELETE FROM map WHERE trial AND id = $1").bind(&map.line.id)
    };
    if gone.execute(&mut *connection).await.map_err(failed)?.rows_affected() > 0 {
        let files = db::query("DELETE FROM map_file WHERE map NOT IN (SELECT id FROM map)");
        files.execute(&mut *connection).await.map_err(failed)?;
    }
    Ok(())
}

fn files(package: &Package) -> Vec<(&str, &[u8])> {
    let extensions = package.extensions.iter().map(|source| (source.file.as_str(), source.bytes.as_slice()));
    std::iter::once(("map.xlsx", package.map.as_slice())).chain(extensions).collect()
}

/// A map with its files.
pub(crate) async fn find(readers: &DbPool, id: &str) -> Result<Option<StoredMap>, StoreError> {
    // One snapshot for the map and its files.
    let mut snapshot = db::snapshot(readers).await.map_err(failed)?;
    find_by(&mut snapshot, id).await
}

/// Finds a map within a transaction, so that all parts are of one moment.
pub(crate) async fn find_by(
    connection: &mut DbConnection,
    id: &str,
) -> Result<Option<StoredMap>, StoreError> {
    let row = db::query("SELECT line, format, old_names, trial FROM map WHERE id = $1").bind(id);
    let Some(row) = row.fetch_optional(&mut *connection).await.map_err(failed)? else { return Ok(None) };
    let line = line(&row)?;
    let (old_names, trial) = (row.try_get(2).map_err(failed)?, row.try_get(3).map_err(failed)?);
    let files = db::query("SELECT file, bytes FROM map_file WHERE map = $1 ORDER BY n").bind(id);
    let files = files.fetch_all(&mut *connection).await.map_err(failed)?;
    let source = |row: DbRow| {
        Ok(Source { file: row.try_get(0).map_err(failed)?, bytes: row.try_get(1).map_err(failed)? })
    };
    let mut files = files.into_iter().map(source);
    let map = files.next().unwrap_or_else(|| Err(damaged("its file is missing", id)))?.bytes;
    let extensions = files.collect::<Result<_, StoreError>>()?;
    Ok(Some(StoredMap { line, package: Package { map, extensions }, old_names, trial }))
}

/// Maps whose name holds `search`, newest first.
pub(crate) async fn list(readers: &DbPool, search: &str, most: u32) -> Result<Vec<MapLine>, StoreError> {
    let mut wanted = String::from("%");
    for sign in search.chars() {
        // What means something to LIKE means itself.
        if matches!(sign, '%' | '_' | '\\') {
            wanted.push('\\');
        }
        wanted.push(sign);
    }
    wanted.push('%');
    let query = db::query(
        "SELECT line, format FROM map WHERE NOT trial AND lower(name) LIKE lower($1) ESCAPE '\\'
            AND NOT EXISTS (SELECT 1 FROM taken_down t JOIN work_version v ON v.work = t.work WHERE v.map = map.id)
            ORDER BY created_ms DESC, id LIMIT $2",
    );
    let rows = query.bind(wanted).bind(i64::from(most)).fetch_all(readers).await.map_err(failed)?;
    rows.iter().map(line).collect()
}

fn line(row: &DbRow) -> Result<MapLine, StoreError> {
    let (text, version) = (row.try_get(0).map_err(failed)?, db::int(row, 1).map_err(failed)?);
    format::map_line(version, text).map_err(|why| damaged(&why, text))
}

fn damaged(what: &str, id: &str) -> StoreError {
    let place: String = id.chars().take(80).collect();
    StoreError::damaged(what, format!("map {place}"), "upload the map again, or restore a backup")
}

/// Stores a map.
struct KeepMap {
    map: NewMap,
    room: MapRoom,
}

#[async_trait::async_trait]
impl Work<DbConnection> for KeepMap {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        &[Desk::Works]
    }

    fn is_large(&self) -> bool {
        true
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        super::shelf::keep(connection, &self.map, self.room).await
    }
}

#[async_trait::async_trait]
impl Maps for Stock {
    async fn keep_map(&self, map: NewMap, room: MapRoom) -> Result<(), StoreError> {
        self.work(KeepMap { map, room }).await
    }

    async fn map(&self, id: &str) -> Result<Option<StoredMap>, StoreError> {
        read!(self, readers => find(readers, id).await)
    }

    async fn search(&self, search: &str, most: u32) -> Result<Vec<MapLine>, StoreError> {
        read!(self, readers => list(readers, search, most).await)
    }

    async fn maps_of(&self, person: &str) -> Result<Vec<String>, StoreError> {
        const SQL: &str = "SELECT id FROM map WHERE owner = $1 ORDER BY id LIMIT $2";
        self.ids(SQL, Some(person), u32::MAX).await
    }

    async fn map_owner(&self, id: &str) -> Result<Option<(String, String)>, StoreError> {
        let sql = "SELECT owner, name FROM map WHERE id = $1";
        let row = read!(self, readers => {
            db::query(sql).bind(id).fetch_optional(readers).await.map_err(failed)
        })?;
        row.map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).transpose().map_err(failed)
    }
}
