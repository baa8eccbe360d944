//! What is checked before a database is used, and how its schema is brought up to date.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, PgPool, Row};

use super::{desk, failed};
use crate::StoreError;
use crate::claims::EXPIRES_MS;

/// The oldest server that knows all that is asked of it; `server_version_num`.
const OLDEST_SERVER: i32 = 140_000;
/// The schemas, the oldest first.
const MIGRATIONS: [&str; 8] = [
    include_str!("../../migrations/postgres/0001_hall.sql"),
    include_str!("../../migrations/postgres/0002_shelf.sql"),
    include_str!("../../migrations/postgres/0003_studies.sql"),
    include_str!("../../migrations/postgres/0004_extensions.sql"),
    include_str!("../../migrations/postgres/0005_pools.sql"),
    include_str!("../../migrations/postgres/0006_merging.sql"),
    include_str!("../../migrations/postgres/0007_maps.sql"),
    include_str!("../../migrations/postgres/0008_staff.sql"),
];
/// The lock of whoever changes the schema, for the length of a transaction.
const SCHEMA_LOCK: i64 = 0x7169_6775_616e_0001;
/// A database that is starting is waited for this long.
const STARTING: Duration = Duration::from_secs(15);
/// An earlier node of the same name, which was killed, is waited for until others may bury it, and a little longer.
const NAMESAKE: Duration = Duration::from_millis(EXPIRES_MS + 2_000);

/// Where the database is, and who comes.
#[derive(Clone, Debug)]
pub struct Join {
    /// As `postgres://user:password@host:port/database`, with the parameters of libpq.
    pub url: String,
    /// What the keeper calls this node; no two nodes that live have the same name.
    pub node: String,
}

/// A database that may be used.
pub(super) struct Opened {
    pub(super) options: PgConnectOptions,
    pub(super) pool: PgPool,
    pub(super) incarnation: String,
    pub(super) last_beat: Option<u64>,
}

/// The place as it may be shown: without the password.
fn place(options: &PgConnectOptions) -> String {
    let at = match options.get_socket() {
        Some(socket) => socket.display().to_string(),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    };
    format!("{} at {at}, as {}", options.get_database().unwrap_or("its own database"), options.get_username())
}

fn said(place: &str, what: &str) -> StoreError {
    StoreError::Failed(format!("PostgreSQL ({place}): {what}"))
}

pub(super) async fn open(join: &Join) -> Result<Opened, StoreError> {
    let is_url = join.url.starts_with("postgres://") || join.url.starts_with("postgresql://");
    let options = PgConnectOptions::from_str(&join.url).ok().filter(|_| is_url).ok_or_else(|| {
        StoreError::Failed(
            "the address of the database cannot be read; write it as postgres://user:password@host:5432/database"
                .to_owned(),
        )
    })?;
    let options = options.application_name(&format!("qiguan {}", join.node));
    let place = place(&options);
    let mut connection = connect_patiently(&options, &place).await?;
    examine(&mut connection, &place).await?;
    migrate(&mut connection, &place).await?;
    let incarnation = enter(&mut connection, &join.node, &place).await?;
    let last_beat = desk::counted(&mut connection, "beat_ms").await?;
    let _ = connection.close().await;
    let pool = PgPoolOptions::new()
        .max_connections(6)
        .min_connections(0)
        .acquire_timeout(Duration::from_secs(10))
        .idle_timeout(Duration::from_secs(120))
        .after_connect(|connection, _| Box::pin(prepare(connection)))
        .connect_lazy_with(options.clone());
    Ok(Opened { options, pool, incarnation, last_beat })
}

/// Connects; a server that is only starting, or not there yet, is asked again.
async fn connect_patiently(options: &PgConnectOptions, place: &str) -> Result<PgConnection, StoreError> {
    let begun = tokio::time::Instant::now();
    loop {
        let why = match connect(options).await {
            Ok(connection) => return Ok(connection),
            Err(why) => why,
        };
        let code = why.as_database_error().and_then(|error| error.code()).unwrap_or_default().into_owned();
        let starts = matches!(why, sqlx::Error::Io(_)) || matches!(code.as_str(), "57P03" | "53300");
        if !starts || begun.elapsed() > STARTING {
            return Err(not_connected(&why, &code, place));
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

fn not_connected(why: &sqlx::Error, code: &str, place: &str) -> StoreError {
    let advice = match code {
        "28P01" | "28000" => {
            "it does not let this user in; check user and password in --store, and pg_hba.conf"
        }
        "3D000" => "there is no such database; make it with `createdb`, or name another in --store",
        "53300" => "it has no connection left; raise max_connections, or stop other programs",
        _ => "it does not answer; is it running, and are host and port in --store right?",
    };
    said(place, &format!("{advice} ({why})"))
}

pub(super) async fn connect(options: &PgConnectOptions) -> Result<PgConnection, sqlx::Error> {
    let connecting = async {
        let mut connection = PgConnection::connect_with(options).await?;
        prepare(&mut connection).await?;
        Ok(connection)
    };
    match tokio::time::timeout(Duration::from_secs(5), connecting).await {
        Ok(connected) => connected,
        Err(_) => Err(sqlx::Error::PoolTimedOut),
    }
}

/// What each connection is told first: a commit waits for the disk, and no forgotten transaction holds others up. A
/// database or a role may ask for more than `on`, as `remote_apply`, and gets it.
async fn prepare(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let sql = "SELECT set_config('idle_in_transaction_session_timeout', '10s', false),
        set_config('statement_timeout', '30s', false),
        CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN
            set_config('synchronous_commit', 'on', false) END";
    sqlx::query(sql).execute(connection).await.map(|_| ())
}

/// Whether the server will do.
async fn examine(connection: &mut PgConnection, place: &str) -> Result<(), StoreError> {
    let sql = "SELECT current_setting('server_version_num')::int, current_setting('server_version'),
        pg_is_in_recovery(), current_setting('server_encoding'), current_setting('fsync')";
    let row = sqlx::query(sql).fetch_one(connection).await.map_err(failed)?;
    let (number, version): (i32, String) = (row.try_get(0).map_err(failed)?, row.try_get(1).map_err(failed)?);
    if number < OLDEST_SERVER {
        return Err(said(
            place,
            &format!("this is version {version}, and a hall needs 14 or newer; upgrade the server"),
        ));
    }
    if row.try_get(2).map_err(failed)? {
        return Err(said(place, "this is a standby, which cannot be written; name the primary in --store"));
    }
    let encoding: String = row.try_get(3).map_err(failed)?;
    if encoding != "UTF8" {
        return Err(said(
            place,
            &format!(
                "the database is in {encoding}; make one with `createdb --encoding=UTF8 --template=template0`"
            ),
        ));
    }
    if row.try_get::<String, _>(4).map_err(failed)? == "off" {
        tracing::warn!(%place, "fsync is off: what is acknowledged may be lost with the machine");
    }
    Ok(())
}

/// Brings the schema up to date, all of it or nothing; nodes that open at once wait for each other.
async fn migrate(connection: &mut PgConnection, place: &str) -> Result<(), StoreError> {
    let newest = MIGRATIONS.len() as i64;
    let done = async {
        let mut changing = connection.begin().await?;
        sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(SCHEMA_LOCK).execute(&mut *changing).await?;
        let sql = "SELECT to_regclass('hall_schema') IS NOT NULL";
        let has: bool = sqlx::query(sql).fetch_one(&mut *changing).await?.try_get(0)?;
        let (mut version, mut oldest) = (0_i64, 0_i64);
        if has {
            let sql = "SELECT version, oldest FROM hall_schema ORDER BY version DESC LIMIT 1";
            if let Some(row) = sqlx::query(sql).fetch_optional(&mut *changing).await? {
                (version, oldest) = (row.try_get(0)?, row.try_get(1)?);
            }
        }
        // A newer schema says which programs it still serves: the ones before it go on while nodes are exchanged.
        if version > newest && oldest > newest {
            return Ok(Some(version));
        }
        for (number, sql) in (1_i64..).zip(MIGRATIONS).filter(|(number, _)| *number > version) {
            if number == 1 {
                let sql = "CREATE TABLE IF NOT EXISTS hall_schema (version BIGINT PRIMARY KEY, oldest BIGINT NOT NULL)";
                sqlx::query(sql).execute(&mut *changing).await?;
            }
            sqlx::raw_sql(sql).execute(&mut *changing).await?;
            sqlx::query("INSERT INTO hall_schema (version, oldest) VALUES ($1, 1)")
                .bind(number)
                .execute(&mut *changing)
                .await?;
        }
        changing.commit().await?;
        Ok(None)
    };
    match done.await {
        Ok(None) => Ok(()),
        Ok(Some(version)) => Err(StoreError::Newer(version)),
        Err(why) => {
            let why: sqlx::Error = why;
            let denied = why.as_database_error().and_then(|error| error.code()).is_some_and(|c| c == "42501");
            Err(if denied {
                let what = "this user may not make or change the hall's tables; let it own the database: \
                    ALTER DATABASE … OWNER TO …";
                said(place, &format!("{what} ({why})"))
            } else {
                said(place, &format!("the schema cannot be brought up to date, nothing was changed ({why})"))
            })
        }
    }
}

/// Enters this node's name; one of the same name that was killed is waited for and buried.
async fn enter(connection: &mut PgConnection, name: &str, place: &str) -> Result<String, StoreError> {
    let is_name = (1..=40).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if !is_name {
        let why = "the name of a node is 1 to 40 letters, digits, -, _ or .; choose another --node";
        return Err(StoreError::Failed(format!("{name:?}: {why}")));
    }
    let incarnation = format!("{name}.{}", people::secret::new_id());
    let begun = tokio::time::Instant::now();
    loop {
        bury_expired(connection).await?;
        let sql =
            "INSERT INTO node (incarnation, name, begun_ms, beat_ms) VALUES ($1, $2, now_ms(), now_ms())
            ON CONFLICT (name) DO NOTHING";
        let query = sqlx::query(sql).bind(&incarnation).bind(name);
        if query.execute(&mut *connection).await.map_err(failed)?.rows_affected() == 1 {
            return Ok(incarnation);
        }
        if begun.elapsed() > NAMESAKE {
            return Err(said(
                place,
                &format!("a node named {name} is at work; stop it, or choose another name with --node"),
            ));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Buries every node whose beat is too old: it waits for their commits in flight, and after it no commit of theirs
/// finds their row.
pub(super) async fn bury_expired(connection: &mut PgConnection) -> Result<u64, StoreError> {
    let sql =
        "WITH gone AS (DELETE FROM node WHERE beat_ms < now_ms() - $1 RETURNING incarnation, name, beat_ms)
        INSERT INTO buried (incarnation, name, beat_ms, at_ms)
            SELECT incarnation, name, beat_ms, now_ms() FROM gone ON CONFLICT DO NOTHING";
    let query = sqlx::query(sql).bind(EXPIRES_MS.cast_signed());
    Ok(query.execute(connection).await.map_err(failed)?.rows_affected())
}
