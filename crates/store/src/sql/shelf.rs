//! The shelf of maps.

use sqlx::{QueryBuilder, Row};

use super::db::{self, Db, DbConnection, DbPool, DbRow};
use super::{Stock, extensions, failed, maps, number};
use crate::shelf::{
    BalanceGame, Extension, ExtensionUse, ExtensionVersion, MapPlay, NewVersion, Shelf, ShelfChange, Sorted,
    Version, WantedWorks, Work,
};
use crate::work::{self, Desk};
use crate::{MapRoom, NewMap, StoreError, format};

const VERSIONS: i64 = 200;
const FORKS: i64 = 100;
/// The columns of a [`Work`], and what they are read from.
macro_rules! work_columns {
    () => {
        "SELECT w.id, w.owner, p.name, w.name, w.tags, w.listed, w.newest, m.line, m.format, w.fork, w.fork_n,
    w.made_ms, w.changed_ms, w.games, w.plies, w.players, w.stars, w.starred, w.first_share,
    coalesce(o.players, 0), coalesce(o.games, 0)
    FROM work w JOIN map m ON m.id = w.map LEFT JOIN person p ON p.id = w.owner LEFT JOIN map_pool o ON o.map = w.map"
    };
}

pub(crate) async fn carry_out(connection: &mut DbConnection, change: &ShelfChange) -> Result<(), StoreError> {
    match change {
        ShelfChange::List { work, owner, listed } => {
            let query = db::query("UPDATE work SET listed = $1 WHERE id = $2 AND owner = $3");
            let done =
                query.bind(*listed).bind(work).bind(owner).execute(connection).await.map_err(failed)?;
            if done.rows_affected() == 0 { Err(StoreError::Missing) } else { Ok(()) }
        }
        ShelfChange::Delete { work, owner } => delete(connection, work, owner).await,
        ShelfChange::Star { work, person, stars } => star(connection, work, person, *stars).await,
        ShelfChange::Finished { map, people, plies } => finished(connection, map, people, *plies).await,
        ShelfChange::PublishExtension(new, room) => extensions::publish(connection, new, *room).await,
        ShelfChange::ListExtension { name, owner, listed } => {
            extensions::list(connection, name, owner, *listed).await
        }
        ShelfChange::DeleteExtension { name, owner } => extensions::delete(connection, name, owner).await,
        ShelfChange::BalanceGame(game) => balance_game(connection, game).await,
        ShelfChange::Balance { map, plan, body, first_share } => {
            let sql = "INSERT INTO balance (map, plan, body) VALUES ($1, $2, $3)
                ON CONFLICT (map, plan) DO UPDATE SET body = excluded.body";
            let query = db::query(sql).bind(map).bind(plan).bind(body);
            query.execute(&mut *connection).await.map_err(failed)?;
            let query = db::query("DELETE FROM balance_game WHERE map = $1").bind(map);
            query.execute(&mut *connection).await.map_err(failed)?;
            let query = db::query("UPDATE work SET first_share = $1 WHERE map = $2")
                .bind(i64::from(*first_share))
                .bind(map);
            query.execute(connection).await.map(|_| ()).map_err(failed)
        }
    }
}

async fn balance_game(connection: &mut DbConnection, game: &BalanceGame) -> Result<(), StoreError> {
    let sql = "INSERT INTO balance_game (map, plan, level, number, body) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (map, plan, level, number) DO UPDATE SET body = excluded.body";
    let query = db::query(sql)
        .bind(&game.map)
        .bind(&game.plan)
        .bind(i64::from(game.level))
        .bind(i64::from(game.number));
    query.bind(&game.body).execute(connection).await.map(|_| ()).map_err(failed)
}

/// Stores a map with the extensions that it uses, unless it is there or the limits are reached, and publishes it if it
/// comes with a version.
pub(super) async fn keep(
    connection: &mut DbConnection,
    map: &NewMap,
    room: MapRoom,
) -> Result<(), StoreError> {
    // What may be refused is checked before anything is written: other jobs of the transaction are committed.
    let publication = match &map.version {
        Some(new) => Some((new, next(connection, map, new).await?)),
        None => None,
    };
    if maps::insert(connection, map, room).await? {
        extensions::used(connection, &map.line.id, &map.uses).await?;
    }
    match publication {
        Some((new, publication)) => publish(connection, map, new, publication).await,
        None => Ok(()),
    }
}

/// The change that a published map makes on the shelf.
enum Publication {
    /// Files that are a work already: nothing changes.
    None,
    /// Another name and other tags for the work whose newest version has the same files.
    Names,
    /// A work, or a version of one, with that number.
    Version(u32),
}

/// Returns the change that publishing a map as that version makes; writes nothing. [`StoreError::Missing`]: no such
/// work of that owner; [`StoreError::Conflict`]: another version was published first.
async fn next(
    connection: &mut DbConnection,
    map: &NewMap,
    new: &NewVersion,
) -> Result<Publication, StoreError> {
    let Some(work) = &new.work else {
        // The same files are the same work, even if another person uploads them again.
        let known = db::query("SELECT 1 FROM work_version WHERE map = $1").bind(&map.line.id);
        let known = known.fetch_optional(connection).await.map_err(failed)?.is_some();
        return Ok(if known { Publication::None } else { Publication::Version(1) });
    };
    let row =
        db::query("SELECT newest, map FROM work WHERE id = $1 AND owner = $2").bind(work).bind(&map.owner);
    let row = row.fetch_optional(connection).await.map_err(failed)?.ok_or(StoreError::Missing)?;
    let (newest, known): (u32, String) = (db::int(&row, 0).map_err(failed)?, row.try_get(1).map_err(failed)?);
    match (known == map.line.id, newest == new.base) {
        (true, _) => Ok(Publication::Names),
        (false, true) => Ok(Publication::Version(newest + 1)),
        (false, false) => Err(StoreError::Conflict),
    }
}

/// Publishes a map whose files are stored.
async fn publish(
    connection: &mut DbConnection,
    map: &NewMap,
    new: &NewVersion,
    publication: Publication,
) -> Result<(), StoreError> {
    let NewMap { line, owner, .. } = map;
    let (at_ms, tags) = (number(line.created_ms), format!(" {} ", new.tags.join(" ")));
    let n = match (&new.work, publication) {
        (_, Publication::None) => return Ok(()),
        (work, Publication::Names) => {
            let query = db::query("UPDATE work SET name = $1, tags = $2 WHERE id = $3");
            let query = query.bind(&line.name).bind(tags).bind(work);
            return query.execute(connection).await.map(|_| ()).map_err(failed);
        }
        (None, Publication::Version(n)) => {
            let sql = "INSERT INTO work (id, owner, name, tags, map, fork, fork_n, made_ms, changed_ms)
                VALUES ($1, $2, $3, $4, $1, $5, $6, $7, $7)";
            let (fork, fork_n) = new.fork_of.clone().unzip();
            let query = db::query(sql).bind(&line.id).bind(owner).bind(&line.name).bind(tags);
            let query = query.bind(fork).bind(fork_n.map(i64::from)).bind(at_ms);
            query.execute(&mut *connection).await.map_err(failed)?;
            n
        }
        (Some(work), Publication::Version(n)) => {
            let sql =
                "UPDATE work SET newest = $1, map = $2, name = $3, tags = $4, changed_ms = $5, first_share = NULL
                WHERE id = $6";
            let query = db::query(sql).bind(i64::from(n)).bind(&line.id).bind(&line.name).bind(tags);
            query.bind(at_ms).bind(work).execute(&mut *connection).await.map_err(failed)?;
            n
        }
    };
    let sql = "INSERT INTO work_version (work, n, map, note, at_ms) VALUES ($1, $2, $3, $4, $5)";
    let query = db::query(sql).bind(new.work.as_ref().unwrap_or(&line.id)).bind(i64::from(n)).bind(&line.id);
    query.bind(&new.note).bind(at_ms).execute(connection).await.map(|_| ()).map_err(failed)
}

/// Tests whether a person other than $2 has a seat at a table on a version of work $1.
pub(crate) const PLAYED: &str = "SELECT
    EXISTS (SELECT 1 FROM work_version v JOIN seating s ON s.map = v.map AND s.first < $2 WHERE v.work = $1)
    OR EXISTS (SELECT 1 FROM work_version v JOIN seating s ON s.map = v.map AND s.first > $2 WHERE v.work = $1)
    OR EXISTS (SELECT 1 FROM work_version v JOIN seating s ON s.map = v.map AND s.second < $2 WHERE v.work = $1)
    OR EXISTS (SELECT 1 FROM work_version v JOIN seating s ON s.map = v.map AND s.second > $2 WHERE v.work = $1)";
/// Files of work $1 that go with it: those that another work uses, or a table of the owner, or a study, stay.
pub(crate) const FILES: &str = "SELECT v.map FROM work_version v WHERE v.work = $1
    AND NOT EXISTS (SELECT 1 FROM work_version o WHERE o.map = v.map AND o.work <> v.work)
    AND NOT EXISTS (SELECT 1 FROM seating s WHERE s.map = v.map)
    AND NOT EXISTS (SELECT 1 FROM study_map s WHERE s.map = v.map)";

async fn delete(connection: &mut DbConnection, work: &str, owner: &str) -> Result<(), StoreError> {
    let known = db::query("SELECT games FROM work WHERE id = $1 AND owner = $2").bind(work).bind(owner);
    let row = known.fetch_optional(&mut *connection).await.map_err(failed)?.ok_or(StoreError::Missing)?;
    let games: i64 = row.try_get(0).map_err(failed)?;
    if games > 0 {
        return Err(StoreError::Conflict);
    }
    let query = db::query(PLAYED).bind(work).bind(owner);
    let played: bool =
        query.fetch_one(&mut *connection).await.and_then(|row| row.try_get(0)).map_err(failed)?;
    if played {
        return Err(StoreError::Conflict);
    }
    // The trigger takes what hangs on them.
    let rows = db::query(FILES).bind(work).fetch_all(&mut *connection).await.map_err(failed)?;
    for sql in ["DELETE FROM work_version WHERE work = $1", "DELETE FROM work WHERE id = $1"] {
        db::query(sql).bind(work).execute(&mut *connection).await.map_err(failed)?;
    }
    for row in rows {
        let map: String = row.try_get(0).map_err(failed)?;
        for sql in ["DELETE FROM map_file WHERE map = $1", "DELETE FROM map WHERE id = $1"] {
            db::query(sql).bind(&map).execute(&mut *connection).await.map_err(failed)?;
        }
    }
    Ok(())
}

async fn star(connection: &mut DbConnection, work: &str, person: &str, stars: u8) -> Result<(), StoreError> {
    let sql = "UPDATE work_player SET stars = $1 WHERE work = $2 AND person = $3";
    let query = db::query(sql).bind(i64::from(stars)).bind(work).bind(person);
    if query.execute(&mut *connection).await.map_err(failed)?.rows_affected() == 0 {
        return Err(StoreError::Missing);
    }
    let sql = "UPDATE work SET
        stars = (SELECT coalesce(sum(stars), 0) FROM work_player WHERE work = $1),
        starred = (SELECT count(stars) FROM work_player WHERE work = $1) WHERE id = $1";
    db::query(sql).bind(work).execute(connection).await.map(|_| ()).map_err(failed)
}

async fn finished(
    connection: &mut DbConnection,
    map: &str,
    people: &[String],
    plies: u32,
) -> Result<(), StoreError> {
    // Built-in maps are no works, and may be rated, too.
    finished_for_pool(connection, map, people).await?;
    // The same files may be versions of several works, as when a fork goes back: the oldest one counts.
    let sql = "SELECT v.work FROM work_version v JOIN work w ON w.id = v.work WHERE v.map = $1 ORDER BY w.made_ms LIMIT 1";
    let row = db::query(sql).bind(map).fetch_optional(&mut *connection).await.map_err(failed)?;
    let Some(row) = row else { return Ok(()) };
    let work: String = row.try_get(0).map_err(failed)?;
    let sql = "INSERT INTO work_player (work, person, games) VALUES ($1, $2, 1)
        ON CONFLICT (work, person) DO UPDATE SET games = work_player.games + 1 RETURNING games";
    let new = newcomers(connection, sql, &work, people).await?;
    let sql = "UPDATE work SET games = games + 1, plies = plies + $1, players = players + $2 WHERE id = $3";
    let query = db::query(sql).bind(i64::from(plies)).bind(new).bind(&work);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Counts a game for the pool of its map, if all who played it have accounts now.
async fn finished_for_pool(
    connection: &mut DbConnection,
    map: &str,
    people: &[String],
) -> Result<(), StoreError> {
    if people.len() < 2 {
        return Ok(());
    }
    for person in people {
        let query = db::query("SELECT 1 FROM person WHERE id = $1 AND kind = 'account'").bind(person);
        if query.fetch_optional(&mut *connection).await.map_err(failed)?.is_none() {
            return Ok(());
        }
    }
    let sql = "INSERT INTO map_play (map, person, games) VALUES ($1, $2, 1)
        ON CONFLICT (map, person) DO UPDATE SET games = map_play.games + 1 RETURNING games";
    let new = newcomers(connection, sql, map, people).await?;
    let sql = "INSERT INTO map_pool (map, players, games) VALUES ($1, $2, 1)
        ON CONFLICT (map) DO UPDATE SET players = map_pool.players + excluded.players, games = map_pool.games + 1";
    db::query(sql).bind(map).bind(new).execute(connection).await.map(|_| ()).map_err(failed)
}

/// Counts a game of each of `people` by `sql`, which returns how many they have then. Returns for how many it is the first.
async fn newcomers(
    connection: &mut DbConnection,
    sql: &'static str,
    of: &str,
    people: &[String],
) -> Result<i64, StoreError> {
    let mut new = 0;
    for person in people {
        let query = db::query(sql).bind(of).bind(person);
        let row = query.fetch_one(&mut *connection).await.map_err(failed)?;
        new += i64::from(row.try_get::<i64, _>(0).map_err(failed)? == 1);
    }
    Ok(new)
}

fn work_of(row: &DbRow) -> Result<Work, StoreError> {
    let count = |at: usize| row.try_get::<i64, _>(at).map(i64::cast_unsigned).map_err(failed);
    let text = |at: usize| row.try_get::<String, _>(at).map_err(failed);
    let line = format::map_line(db::int(row, 8).map_err(failed)?, row.try_get(7).map_err(failed)?);
    let id = text(0)?;
    let line = line.map_err(|why| {
        StoreError::damaged(&why, format!("work {id}"), "upload the map again, or restore a backup")
    })?;
    let fork: Option<String> = row.try_get(9).map_err(failed)?;
    let fork_n: Option<u32> = db::some_int(row, 10).map_err(failed)?;
    Ok(Work {
        owner: text(1)?,
        author: row.try_get(2).map_err(failed)?,
        name: text(3)?,
        tags: text(4)?.split_whitespace().map(str::to_owned).collect(),
        listed: row.try_get(5).map_err(failed)?,
        version: db::int(row, 6).map_err(failed)?,
        line,
        fork_of: fork.zip(fork_n),
        made_ms: count(11)?,
        changed_ms: count(12)?,
        games: count(13)?,
        plies: count(14)?,
        players: count(15)?,
        stars: count(16)?,
        starred: count(17)?,
        first_share: db::some_int(row, 18).map_err(failed)?,
        play: MapPlay { players: count(19)?, games: count(20)? },
        id,
    })
}

/// Returns the LIKE pattern that finds the text itself anywhere, with its wildcards escaped.
pub(crate) fn like(search: &str) -> String {
    let mut wanted = String::from("%");
    for sign in search.chars() {
        if matches!(sign, '%' | '_' | '\\') {
            wanted.push('\\');
        }
        wanted.push(sign);
    }
    wanted.push('%');
    wanted
}

pub(crate) async fn works(readers: &DbPool, wanted: &WantedWorks) -> Result<(Vec<Work>, u64), StoreError> {
    let order = match wanted.sorted {
        Sorted::Newest => "w.changed_ms DESC",
        Sorted::Played => "w.games DESC, w.changed_ms DESC",
        Sorted::Stars => "(w.stars + 6.0) / (w.starred + 2.0) DESC, w.starred DESC",
        Sorted::Even => "w.first_share IS NULL, abs(w.first_share - 500)",
        Sorted::Name => "lower(w.name)",
    };
    // Works are sorted alone; only those of the page are joined with their maps, authors and pools.
    let mut query = QueryBuilder::<Db>::new(concat!(work_columns!(), " WHERE w.id IN (SELECT w.id"));
    from_wanted(&mut query, wanted);
    query.push(" ORDER BY ").push(order).push(", w.id LIMIT ").push_bind(i64::from(wanted.most));
    query.push(" OFFSET ").push_bind(i64::from(wanted.skip)).push(") ORDER BY ").push(order).push(", w.id");
    let rows = query.build().fetch_all(readers).await.map_err(failed)?;
    let list = rows.iter().map(work_of).collect::<Result<_, _>>()?;
    let mut query = QueryBuilder::<Db>::new("SELECT count(*)");
    from_wanted(&mut query, wanted);
    let count: i64 = query.build().fetch_one(readers).await.and_then(|row| row.try_get(0)).map_err(failed)?;
    Ok((list, count.cast_unsigned()))
}

/// Adds the works `w` that are wanted, in any order.
fn from_wanted(query: &mut QueryBuilder<Db>, wanted: &WantedWorks) {
    query.push(" FROM work w WHERE ");
    match &wanted.owner {
        Some(owner) => query.push("w.owner = ").push_bind(owner.clone()),
        None => query.push(concat!(
            holds!("w.listed"),
            " AND NOT EXISTS (SELECT 1 FROM taken_down t WHERE t.work = w.id)"
        )),
    };
    if wanted.search.is_empty() {
        return;
    }
    let mut found = |begin, column| {
        query.push(begin).push("lower(").push(column).push(") LIKE lower(").push_bind(like(&wanted.search));
        query.push(") ESCAPE '\\'");
    };
    found(" AND (", "w.name");
    found(" OR ", "w.tags");
    // One's own works are not looked for by one's own name.
    if wanted.owner.is_none() {
        found(" OR EXISTS (SELECT 1 FROM person p WHERE p.id = w.owner AND ", "p.name");
        query.push(")");
    }
    query.push(")");
}

pub(crate) async fn work(readers: &DbPool, id: &str) -> Result<Option<Work>, StoreError> {
    let sql = concat!(
        work_columns!(),
        " WHERE w.id = coalesce((SELECT id FROM work WHERE id = $1),
            (SELECT v.work FROM work_version v JOIN work o ON o.id = v.work WHERE v.map = $1 ORDER BY o.made_ms LIMIT 1))"
    );
    let row = db::query(sql).bind(id).fetch_optional(readers).await.map_err(failed)?;
    row.as_ref().map(work_of).transpose()
}

pub(crate) async fn versions(readers: &DbPool, work: &str) -> Result<Vec<Version>, StoreError> {
    let sql = "SELECT n, map, note, at_ms FROM work_version WHERE work = $1 ORDER BY n DESC LIMIT $2";
    let rows = db::query(sql).bind(work).bind(VERSIONS).fetch_all(readers).await.map_err(failed)?;
    let version = |row: DbRow| {
        Ok(Version {
            n: db::int(&row, 0)?,
            map: row.try_get(1)?,
            note: row.try_get(2)?,
            at_ms: row.try_get::<i64, _>(3)?.cast_unsigned(),
        })
    };
    rows.into_iter().map(version).collect::<Result<_, _>>().map_err(failed)
}

pub(crate) async fn forks(readers: &DbPool, work: &str) -> Result<Vec<Work>, StoreError> {
    let sql = concat!(
        work_columns!(),
        " WHERE w.fork = $1 AND ",
        holds!("w.listed"),
        "
            AND NOT EXISTS (SELECT 1 FROM taken_down t WHERE t.work = w.id) ORDER BY w.made_ms, w.id LIMIT $2"
    );
    let query = db::query(sql).bind(work).bind(FORKS);
    query.fetch_all(readers).await.map_err(failed)?.iter().map(work_of).collect()
}

pub(crate) async fn stars_of(
    readers: &DbPool,
    work: &str,
    person: &str,
) -> Result<(Option<u8>, bool), StoreError> {
    let query =
        db::query("SELECT stars FROM work_player WHERE work = $1 AND person = $2").bind(work).bind(person);
    match query.fetch_optional(readers).await.map_err(failed)? {
        Some(row) => Ok((db::some_int(&row, 0).map_err(failed)?, true)),
        None => Ok((None, false)),
    }
}

pub(crate) async fn map_play(readers: &DbPool, map: &str) -> Result<MapPlay, StoreError> {
    let query = db::query("SELECT players, games FROM map_pool WHERE map = $1").bind(map);
    let Some(row) = query.fetch_optional(readers).await.map_err(failed)? else {
        return Ok(MapPlay::default());
    };
    let count = |at: usize| row.try_get::<i64, _>(at).map(i64::cast_unsigned).map_err(failed);
    Ok(MapPlay { players: count(0)?, games: count(1)? })
}

pub(crate) async fn balance(readers: &DbPool, map: &str, plan: &str) -> Result<Option<String>, StoreError> {
    let query = db::query("SELECT body FROM balance WHERE map = $1 AND plan = $2").bind(map).bind(plan);
    let row = query.fetch_optional(readers).await.map_err(failed)?;
    row.map(|row| row.try_get(0).map_err(failed)).transpose()
}

pub(crate) async fn balance_games(
    readers: &DbPool,
    map: &str,
    plan: &str,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT body FROM balance_game WHERE map = $1 AND plan = $2 ORDER BY level, number";
    let rows = db::query(sql).bind(map).bind(plan).fetch_all(readers).await.map_err(failed)?;
    rows.into_iter().map(|row| row.try_get(0).map_err(failed)).collect()
}

#[async_trait::async_trait]
impl work::Work<DbConnection> for ShelfChange {
    type Done = ();

    fn desks(&self) -> &'static [Desk] {
        &[Desk::Works]
    }

    fn is_large(&self) -> bool {
        true
    }

    async fn carry_out(&self, connection: &mut DbConnection) -> Result<(), StoreError> {
        carry_out(connection, self).await
    }
}

#[async_trait::async_trait]
impl Shelf for Stock {
    async fn shelve(&self, change: ShelfChange) -> Result<(), StoreError> {
        self.work(change).await
    }

    async fn works(&self, wanted: &WantedWorks) -> Result<(Vec<Work>, u64), StoreError> {
        read!(self, readers => works(readers, wanted).await)
    }

    async fn work(&self, id: &str) -> Result<Option<Work>, StoreError> {
        read!(self, readers => work(readers, id).await)
    }

    async fn versions(&self, work: &str) -> Result<Vec<Version>, StoreError> {
        read!(self, readers => versions(readers, work).await)
    }

    async fn forks(&self, work: &str) -> Result<Vec<Work>, StoreError> {
        read!(self, readers => forks(readers, work).await)
    }

    async fn stars_of(&self, work: &str, person: &str) -> Result<(Option<u8>, bool), StoreError> {
        read!(self, readers => stars_of(readers, work, person).await)
    }

    async fn balance(&self, map: &str, plan: &str) -> Result<Option<String>, StoreError> {
        read!(self, readers => balance(readers, map, plan).await)
    }

    async fn balance_games(&self, map: &str, plan: &str) -> Result<Vec<String>, StoreError> {
        read!(self, readers => balance_games(readers, map, plan).await)
    }

    async fn map_play(&self, map: &str) -> Result<MapPlay, StoreError> {
        read!(self, readers => map_play(readers, map).await)
    }

    async fn extension(&self, name: &str) -> Result<Option<Extension>, StoreError> {
        read!(self, readers => extensions::find(readers, name).await)
    }

    async fn extensions(
        &self,
        search: &str,
        owner: Option<&str>,
        most: u32,
    ) -> Result<Vec<Extension>, StoreError> {
        read!(self, readers => extensions::search(readers, search, owner, most).await)
    }

    async fn extension_versions(&self, name: &str) -> Result<Vec<ExtensionVersion>, StoreError> {
        read!(self, readers => extensions::versions(readers, name).await)
    }

    async fn extension_file(&self, name: &str, n: u32) -> Result<Option<Vec<u8>>, StoreError> {
        read!(self, readers => extensions::file(readers, name, n).await)
    }

    async fn extension_uses(&self, map: &str) -> Result<Vec<ExtensionUse>, StoreError> {
        read!(self, readers => extensions::uses(readers, map).await)
    }
}
