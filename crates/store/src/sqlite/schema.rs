//! Migrations of the schema: from an empty file, and from every folder that a hall ever wrote.
//!
//! A migration is one transaction, and so is [`seal`], which adds the checksums to logs from the time before
//! checksums: a hall killed in between goes on at that point.

use std::borrow::Cow;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqlStr, SqliteConnection};

use super::db::failed;
use super::sql::read::link_of;
use super::sql::{self, counts};
use super::writer;
use crate::{StoreError, chain};

/// `user_version` after the migrations that are of SQLite alone.
const APART: i64 = 30;

/// `user_version` of the newest schema.
pub(super) const NEWEST: i64 = match sql::MIGRATIONS.last() {
    Some((number, ..)) => *number + 1,
    None => APART,
};

/// Brings the database to the newest schema.
pub(super) async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    run(connection, migrations()).await?;
    // A step with a lower number may have come later, and set its own.
    if version(connection).await? < NEWEST {
        let sql = format!("PRAGMA user_version = {NEWEST}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut *connection).await.map_err(failed)?;
    }
    if counts::counted(connection, "sealed").await?.is_none() {
        writer::transaction(connection, true, async |connection| seal(connection).await)
            .await
            .map_err(writer::Undone::why)?;
    }
    Ok(())
}

fn migrations() -> Vec<Migration> {
    let embedded = [
        (1, "hall", include_str!("../../migrations/0001_hall.sql")),
        (2, "checked", include_str!("../../migrations/0002_checked.sql")),
        (3, "commands", include_str!("../../migrations/0003_commands.sql")),
        (4, "accounts", include_str!("../../migrations/0004_accounts.sql")),
        (5, "games", include_str!("../../migrations/0005_games.sql")),
        (6, "slow", include_str!("../../migrations/0006_slow.sql")),
        (7, "together", include_str!("../../migrations/0007_together.sql")),
        (8, "notices", include_str!("../../migrations/0008_notices.sql")),
        (9, "profiles", include_str!("../../migrations/0009_profiles.sql")),
        (10, "mail", include_str!("../../migrations/0010_mail.sql")),
        (12, "shelf", include_str!("../../migrations/0012_shelf.sql")),
        (13, "studies", include_str!("../../migrations/0013_studies.sql")),
        (14, "extensions", include_str!("../../migrations/0014_extensions.sql")),
        (15, "pools", include_str!("../../migrations/0015_pools.sql")),
        (16, "merging", include_str!("../../migrations/0016_merging.sql")),
        (17, "maps", include_str!("../../migrations/0017_maps.sql")),
        (18, "staff", include_str!("../../migrations/0018_staff.sql")),
        (19, "questions", include_str!("../../migrations/0019_questions.sql")),
        (20, "journal", include_str!("../../migrations/0020_journal.sql")),
        (28, "workers", include_str!("../../migrations/0028_workers.sql")),
        (29, "folded", include_str!("../../migrations/0029_folded.sql")),
    ];
    let migration = |(version, name, sql)| {
        let sql = SqlStr::from_static(sql);
        Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, sql, false)
    };
    embedded.into_iter().chain(sql::MIGRATIONS.iter().copied()).map(migration).collect()
}

async fn run(connection: &mut SqliteConnection, migrations: Vec<Migration>) -> Result<(), StoreError> {
    let migrator = Migrator::with_migrations(migrations);
    migrator.run_direct(None, connection, false).await.map_err(|why| match why {
        MigrateError::Execute(why) | MigrateError::ExecuteMigration(why, _) => failed(why),
        MigrateError::VersionMissing(version) => StoreError::Newer(version),
        other => StoreError::Failed(format!("the data cannot be brought up to date: {other}")),
    })
}

/// Refuses the data of a newer hall.
pub(super) async fn refuse_newer(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let version = version(connection).await?;
    if version > NEWEST { Err(StoreError::Newer(version)) } else { Ok(()) }
}

pub(super) async fn version(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    let row = sqlx::query("PRAGMA user_version").fetch_one(connection).await.map_err(failed)?;
    row.try_get(0).map_err(failed)
}

/// The schema that first counted its commits.
const COUNTED: i64 = 3;

/// Returns the number of commits so far, by this schema and by every older one that counted them; 0 for one that did
/// not.
pub(super) async fn commits(connection: &mut SqliteConnection) -> Result<u64, StoreError> {
    if version(connection).await? < COUNTED {
        return Ok(0);
    }
    Ok(counts::counted(connection, "commits").await?.unwrap_or(0))
}

/// Tables that are sealed with one query.
const PAGE: i64 = 200;

/// Adds the checksums to each log, records the seats, and marks the database as sealed.
async fn seal(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut last = String::new();
    loop {
        let query = sqlx::query("SELECT id, format, setup FROM seating WHERE id > ? ORDER BY id LIMIT ?");
        let tables = query.bind(&last).bind(PAGE).fetch_all(&mut *connection).await.map_err(failed)?;
        let Some(end) = tables.last() else { break };
        last = end.try_get(0).map_err(failed)?;
        for row in &tables {
            seal_one(connection, row).await?;
        }
    }
    let sat = "INSERT OR IGNORE INTO sat (person, seating)
            SELECT first, id FROM seating WHERE first NOT LIKE '%-%'
            UNION SELECT second, id FROM seating WHERE second NOT LIKE '%-%';
        INSERT OR IGNORE INTO sat (person, seating)
            SELECT json_extract(body, '$.who.id'), seating FROM event
            WHERE body LIKE '{\"k\":\"sit\"%' AND json_valid(body)
                AND json_extract(body, '$.who.engine') IS NULL AND json_extract(body, '$.who.id') IS NOT NULL;
        INSERT INTO hall (key, value) VALUES ('sealed', 1);";
    sqlx::raw_sql(sat).execute(connection).await.map(|_| ()).map_err(failed)
}

async fn seal_one(connection: &mut SqliteConnection, row: &SqliteRow) -> Result<(), StoreError> {
    let (id, format, setup): (&str, u32, &str) =
        (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?, row.try_get(2).map_err(failed)?);
    let query = sqlx::query(
        "SELECT ver, at_ms, person, cmd, spent_ms, format, body FROM event WHERE seating = ? ORDER BY ver",
    );
    let rows = query.bind(id).fetch_all(&mut *connection).await.map_err(failed)?;
    let (mut ver, mut sum, mut at_ms) = (0, chain::start(id, format, setup), 0);
    for row in &rows {
        let Ok(link) = link_of(row) else {
            // The error is reported when the table is loaded.
            ver += 1;
            break;
        };
        sum = chain::link(sum, id, &link);
        (ver, at_ms) = (link.ver, link.at_ms);
        sqlx::query("UPDATE event SET sum = ? WHERE seating = ? AND ver = ?")
            .bind(sum.cast_signed())
            .bind(id)
            .bind(ver.cast_signed())
            .execute(&mut *connection)
            .await
            .map_err(failed)?;
    }
    sqlx::query("INSERT INTO tip (seating, ver, sum, at_ms) VALUES (?, ?, ?, ?)")
        .bind(id)
        .bind(ver.cast_signed())
        .bind(sum.cast_signed())
        .bind(at_ms.cast_signed())
        .execute(connection)
        .await
        .map(|_| ())
        .map_err(failed)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{Connection, Row, SqliteConnection};

    use super::super::sql::{shelf, upkeep};
    use super::*;
    use crate::shelf::MapPlay;
    use crate::tip::{self, Tip};
    use crate::{Store, check, restore};

    /// A folder of a hall from before migrations were counted.
    const OLD: &str = include_str!("../../tests/data/hall-2.sql");

    async fn connect(folder: &Path) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(folder.join("hall.db")).create_if_missing(true);
        SqliteConnection::connect_with(&options).await.expect("opens")
    }

    /// Makes a folder as the hall left it that knew the first `known` migrations, after `count` commits.
    async fn folder_of(known: usize, count: u64) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let mut connection = connect(folder.path()).await;
        sqlx::raw_sql(OLD).execute(&mut connection).await.expect("is done");
        run(&mut connection, migrations().into_iter().take(known).collect()).await.expect("migrates");
        if super::version(&mut connection).await.expect("reads") >= COUNTED {
            seal(&mut connection).await.expect("seals");
            counts::count(&mut connection, "commits", count).await.expect("counts");
            tip::write(folder.path(), Tip { commits: count }, true).expect("writes");
        }
        connection.close().await.expect("closes");
        folder
    }

    async fn tables(folder: &Path) -> i64 {
        let mut connection = connect(folder).await;
        let row =
            sqlx::query("SELECT count(*) FROM seating").fetch_one(&mut connection).await.expect("reads");
        let count = row.get(0);
        connection.close().await.expect("closes");
        count
    }

    /// A folder of each older schema opens. The acknowledged commits are counted in `hall.tip`; an older schema is no
    /// reason to think that some were lost.
    #[tokio::test]
    async fn the_folder_of_each_older_hall_opens() {
        for known in 1..=migrations().len() {
            let folder = folder_of(known, 40).await;
            let store = Store::open(folder.path()).await;
            store.unwrap_or_else(|why| panic!("{known} migrations: {why}")).condition.close().await;
            assert_eq!(tables(folder.path()).await, 5, "{known} migrations");
            let report = check(folder.path(), None).await.expect("reads");
            assert!(report.is_whole() && report.tables == 5, "{known} migrations: {report:?}");
            assert!(report.commits > if known > 1 { 40 } else { 0 }, "{known} migrations: {report:?}");
        }
    }

    /// A migration with a lower number may come later: two changes that were made in parallel have different numbers.
    #[tokio::test]
    async fn a_step_with_a_lower_number_may_come_later() {
        let folder = folder_of(0, 40).await;
        let mut connection = connect(folder.path()).await;
        let without = migrations().into_iter().filter(|migration| migration.version != 19).collect();
        run(&mut connection, without).await.expect("migrates");
        connection.close().await.expect("closes");
        Store::open(folder.path()).await.expect("opens").condition.close().await;
        let mut connection = connect(folder.path()).await;
        assert_eq!(super::version(&mut connection).await.expect("reads"), NEWEST);
        sqlx::query("SELECT kind FROM question").fetch_optional(&mut connection).await.expect("is there");
        connection.close().await.expect("closes");
    }

    /// A folder with an older schema is still refused where commits are missing.
    #[tokio::test]
    async fn an_older_database_in_the_place_of_a_newer_one_is_said() {
        for known in 2..=migrations().len() {
            let folder = folder_of(known, 40).await;
            tip::write(folder.path(), Tip { commits: 41 }, true).expect("writes");
            let why = Store::open(folder.path()).await.err().expect("is refused").to_string();
            assert!(why.contains("after commit 40 are missing"), "{known} migrations: {why}");
        }
    }

    /// The games counted for each map become the pool's counts, and games of guests are no longer counted.
    #[tokio::test]
    async fn pools_of_maps_begin_with_what_was_played() {
        let before = migrations().iter().filter(|migration| migration.version < 15).count();
        let folder = folder_of(before, 40).await;
        let mut connection = connect(folder.path()).await;
        let played = "INSERT INTO person (id, kind, name, folded, made_ms, seen_ms) VALUES
                ('p1', 'account', 'p1', 'p1', 1, 1), ('p2', 'account', 'p2', 'p2', 1, 1),
                ('p3', 'guest', NULL, NULL, 1, 1), ('p4', 'closed', NULL, NULL, 1, 1);
            INSERT INTO map_play (map, person, games) VALUES
                ('a', 'p1', 5), ('a', 'p2', 4), ('a', 'p3', 1), ('a', 'p4', 2), ('b', 'p3', 2), ('b', 'p4', 2);
            INSERT INTO work (id, owner, name, map, made_ms, changed_ms, players) VALUES ('w', 'p1', 'w', 'a', 1, 1, 0);
            INSERT INTO work_player (work, person, games) VALUES ('w', 'p1', 1), ('w', 'p3', 1), ('gone', 'p1', 1);";
        sqlx::raw_sql(played).execute(&mut connection).await.expect("is done");
        connection.close().await.expect("closes");
        let store = Store::open(folder.path()).await.expect("opens");
        for (map, players, games) in [("a", 2, 4), ("b", 0, 0)] {
            assert_eq!(store.shelf.map_play(map).await.expect("reads"), MapPlay { players, games }, "{map}");
        }
        store.condition.close().await;
        let mut connection = connect(folder.path()).await;
        let left = "SELECT group_concat(map || person, ' '), (SELECT players FROM work WHERE id = 'w'),
            (SELECT count(*) FROM work_player) FROM (SELECT map, person FROM map_play ORDER BY map, person)";
        let row = sqlx::query(left).fetch_one(&mut connection).await.expect("reads");
        assert_eq!((row.get::<&str, _>(0), row.get::<i64, _>(1), row.get::<i64, _>(2)), ("ap1 ap2", 2, 2));
        connection.close().await.expect("closes");
    }

    /// The migration fills the column with the map of a table, which was only in its setup before.
    #[tokio::test]
    async fn tables_know_their_maps() {
        let before = migrations().iter().filter(|migration| migration.version < 17).count();
        let folder = folder_of(before, 40).await;
        let mut connection = connect(folder.path()).await;
        let damaged = "UPDATE seating SET setup = 'no JSON' WHERE id = 'machine23456'";
        sqlx::raw_sql(damaged).execute(&mut connection).await.expect("is done");
        run(&mut connection, migrations()).await.expect("migrates");
        let maps = "SELECT group_concat(id || ' ' || map) FROM seating WHERE map IS NOT NULL";
        let row = sqlx::query(maps).fetch_one(&mut connection).await.expect("reads");
        assert_eq!(row.get::<&str, _>(0), "foreign23456 m1");
        connection.close().await.expect("closes");
    }

    /// Deleting a work reads no other tables; it once had the only writer read every table there was.
    #[tokio::test]
    async fn to_delete_maps_no_other_tables_are_read() {
        let folder = folder_of(migrations().len(), 40).await;
        let mut connection = connect(folder.path()).await;
        for sql in [
            shelf::PLAYED,
            shelf::FILES,
            upkeep::MAPS,
            // What the trigger does.
            "UPDATE work SET newest = 1 WHERE map = ?1",
        ] {
            let plan = sqlx::query(sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")));
            let steps = plan.fetch_all(&mut connection).await.expect("is planned");
            let steps: Vec<&str> = steps.iter().map(|row| row.get("detail")).collect();
            let whole = |step: &&&str| step.starts_with("SCAN") && !step.starts_with("SCAN CONSTANT");
            assert_eq!(steps.iter().find(whole), None, "{sql}\n{steps:#?}");
        }
        connection.close().await.expect("closes");
    }

    #[tokio::test]
    async fn a_backup_of_each_older_hall_is_restored() {
        for known in 2..=migrations().len() {
            let old = folder_of(known, 40).await;
            let now = folder_of(migrations().len(), 90).await;
            let report = restore(&old.path().join("hall.db"), now.path(), &[]).await.expect("is restored");
            assert_eq!(report.commits, 40, "{known} migrations");
            Store::open(now.path()).await.expect("opens").condition.close().await;
            assert_eq!(tables(now.path()).await, 5, "{known} migrations");
        }
    }
}
