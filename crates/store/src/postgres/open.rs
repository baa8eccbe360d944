//! Checks before a database is used, and migrations of its schema.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, PgPool, Row};

use super::db::failed;
use super::sql::{self, counts};
use crate::StoreError;
use crate::claims::{BREAK_MS, EXPIRES_MS};

/// The oldest version of the server that has all features in use; `server_version_num`.
const OLDEST_SERVER: i32 = 140_000;
/// The migrations of the schema with their numbers, the oldest first. A number may be missing, and come later.
const MIGRATIONS: &[(i64, &str)] = &[
    (1, include_str!("../../migrations/postgres/0001_hall.sql")),
    (2, include_str!("../../migrations/postgres/0002_shelf.sql")),
    (3, include_str!("../../migrations/postgres/0003_studies.sql")),
    (4, include_str!("../../migrations/postgres/0004_extensions.sql")),
    (5, include_str!("../../migrations/postgres/0005_pools.sql")),
    (6, include_str!("../../migrations/postgres/0006_merging.sql")),
    (7, include_str!("../../migrations/postgres/0007_maps.sql")),
    (8, include_str!("../../migrations/postgres/0008_staff.sql")),
    (9, include_str!("../../migrations/postgres/0009_questions.sql")),
    (10, include_str!("../../migrations/postgres/0010_journal.sql")),
    (11, include_str!("../../migrations/postgres/0011_silence.sql")),
    (18, include_str!("../../migrations/postgres/0018_workers.sql")),
    (FOLDED, include_str!("../../migrations/postgres/0019_folded.sql")),
];
/// The number of the newest migration that is of PostgreSQL alone.
const APART: i64 = 19;
const _: () = assert!(
    MIGRATIONS[MIGRATIONS.len() - 1].0 == APART,
    "write the new number here and into docs/releasing.md"
);

/// Returns all migrations, with those that both databases share.
fn migrations() -> impl Iterator<Item = (i64, &'static str)> {
    MIGRATIONS.iter().copied().chain(sql::MIGRATIONS.iter().map(|(number, _, sql)| (*number, *sql)))
}

/// The step that brought folded games. Programs before it cannot read them.
const FOLDED: i64 = 19;
/// The advisory lock for changes of the schema, held for the length of a transaction.
const SCHEMA_LOCK: i64 = 0x7169_6775_616e_0001;
/// The time to wait for a database that is starting, for callers that do not wait for ever.
const STARTING: Duration = Duration::from_secs(15);
/// The first and the longest pause between attempts to reach a database that does not answer.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(10)];
/// The time to wait for an earlier node of the same name that was killed: until others may bury it, and a little
/// longer.
const NAMESAKE: Duration = Duration::from_millis(EXPIRES_MS + 2_000);

/// The address of the database, and the name of the node that joins.
#[derive(Clone, Debug)]
pub struct Join {
    /// The URL of the database, as `postgres://user:password@host:port/database`, with the parameters of libpq.
    pub url: String,
    /// The name that the keeper gives this node; no two nodes that live have the same name.
    pub node: String,
}

/// A database that may be used.
pub(super) struct Opened {
    pub(super) options: PgConnectOptions,
    pub(super) pool: PgPool,
    pub(super) incarnation: String,
    pub(super) last_beat: Option<u64>,
}

/// Formats the address for messages: without the password.
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

/// A callback that is called with a sentence each time that a database does not answer yet.
pub(super) type Waiting<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// Parses the address of the database.
fn read(join: &Join) -> Result<PgConnectOptions, StoreError> {
    let is_url = join.url.starts_with("postgres://") || join.url.starts_with("postgresql://");
    let options = PgConnectOptions::from_str(&join.url)
        .ok()
        .filter(|_| is_url)
        .ok_or_else(|| StoreError::Failed("write postgres://user:password@host:5432/database".to_owned()))?;
    // Poolers refuse parameters that they do not know, such as this one, which nothing here needs.
    Ok(options.application_name(&format!("qiguan {}", join.node)).extra_float_digits(None))
}

/// The parameters of an address that name PEM files, and what such a file holds.
const FILES: [(&str, &str); 3] =
    [("sslrootcert", "CERTIFICATE-----"), ("sslcert", "CERTIFICATE-----"), ("sslkey", "PRIVATE KEY-----")];

/// Checks the address of a database and the files that it names, without connecting.
///
/// # Errors
/// Fails when it is no address of PostgreSQL, or a file with a certificate or a key cannot be used.
pub fn check_address(join: &Join) -> Result<(), StoreError> {
    let options = read(join)?;
    let (_, parameters) = join.url.split_once('?').unwrap_or_default();
    for (name, value) in parameters.split('&').filter_map(|pair| pair.split_once('=')) {
        let Some((_, part)) = FILES.iter().find(|(known, _)| name.replace('-', "") == *known) else {
            continue;
        };
        // Anything else in the value is read by the library alone.
        if value.contains(['%', '+']) {
            continue;
        }
        let unusable = |why: String| said(&place(&options), &format!("{name}={value} cannot be used: {why}"));
        let text = std::fs::read_to_string(value).map_err(|why| unusable(why.to_string()))?;
        if !text.contains(part) {
            return Err(unusable(format!("there is no -----BEGIN {part} in it")));
        }
    }
    Ok(())
}

/// Connects to a database once, and checks that a hall can work with it. Nothing is written.
///
/// # Errors
/// Fails when it does not answer, does not let this user in, or does not suit a hall.
pub async fn check_connection(join: &Join) -> Result<(), StoreError> {
    let options = read(join)?;
    let place = place(&options);
    let mut connection =
        connect(&options).await.map_err(|why| not_connected(&why, &code_of(&why), &place))?;
    examine(&mut connection, &place).await?;
    examine_pooling(&mut connection, &options, &place).await?;
    connection.close().await.map_err(failed)
}

/// `waiting`: the database is waited for until it answers, rather than for [`STARTING`].
pub(super) async fn open(join: &Join, waiting: Option<Waiting<'_>>) -> Result<Opened, StoreError> {
    let options = read(join)?;
    let place = place(&options);
    let mut connection = connect_patiently(&options, &place, waiting).await?;
    examine(&mut connection, &place).await?;
    examine_pooling(&mut connection, &options, &place).await?;
    migrate(&mut connection, &place).await?;
    let incarnation = enter(&mut connection, &join.node, &place).await?;
    let last_beat = counts::counted(&mut connection, "beat_ms").await?;
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
async fn connect_patiently(
    options: &PgConnectOptions,
    place: &str,
    waiting: Option<Waiting<'_>>,
) -> Result<PgConnection, StoreError> {
    let begun = tokio::time::Instant::now();
    let [mut pause, longest] = PAUSES;
    loop {
        let why = match connect(options).await {
            Ok(connection) => return Ok(connection),
            Err(why) => why,
        };
        let code = code_of(&why);
        let starts = matches!(why, sqlx::Error::Io(_)) || matches!(code.as_str(), "57P03" | "53300");
        // One that takes a connection and says nothing is only waited for by who has the time.
        let is_away = starts || matches!(why, sqlx::Error::PoolTimedOut) && waiting.is_some();
        let sentence = not_connected(&why, &code, place);
        if !is_away || waiting.is_none() && begun.elapsed() > STARTING {
            return Err(sentence);
        }
        if let Some(told) = waiting {
            told(&sentence.to_string());
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(longest);
        } else {
            tokio::time::sleep(pause).await;
        }
    }
}

/// Returns the code of an error in PostgreSQL; empty where it is none of the database.
fn code_of(why: &sqlx::Error) -> String {
    why.as_database_error().and_then(|error| error.code()).unwrap_or_default().into_owned()
}

fn not_connected(why: &sqlx::Error, code: &str, place: &str) -> StoreError {
    let advice = match code {
        "28P01" | "28000" => {
            "it does not let this user in; check user and password in --store, and pg_hba.conf"
        }
        // A name of a prepared statement that another transaction has used on the same connection.
        "42P05" | "26000" => POOLED,
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

/// Sets up each new connection: a commit waits for the disk, and no forgotten transaction holds others up. A database
/// or a role may ask for more than `on`, as `remote_apply`, and gets it.
async fn prepare(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let sql = "SELECT set_config('idle_in_transaction_session_timeout', '10s', false),
        set_config('statement_timeout', '30s', false),
        CASE WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN
            set_config('synchronous_commit', 'on', false) END";
    sqlx::query(sql).execute(connection).await.map(|_| ())
}

/// Checks that the server is suitable: its version, encoding and settings.
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

/// The reason why a hall cannot work with a pooler, for messages.
const POOLED: &str = "a pooler stands before it that gives each transaction another connection, and a hall's settings of a \
    connection, such as that a commit waits for the disk, would be another's; set pool_mode = session for this database in \
    PgBouncer, or name the server itself in --store: a node opens a dozen connections and keeps them";

/// Refuses a pooler that gives each transaction another connection. It is tested in the simplest form of a query,
/// which prepares nothing: two queries in a row are answered by one server process, and no other connection's by the
/// same.
async fn examine_pooling(
    connection: &mut PgConnection,
    options: &PgConnectOptions,
    place: &str,
) -> Result<(), StoreError> {
    let pooled = || said(place, POOLED);
    let is_shared = |why: &sqlx::Error| {
        why.as_database_error()
            .and_then(|error| error.code())
            .is_some_and(|code| matches!(&*code, "42P05" | "26000"))
    };
    let mut other = match connect(options).await {
        Ok(other) => other,
        Err(why) if is_shared(&why) => return Err(pooled()),
        Err(why) => {
            let code =
                why.as_database_error().and_then(|error| error.code()).unwrap_or_default().into_owned();
            return Err(not_connected(&why, &code, place));
        }
    };
    let first = server_process(connection).await?;
    let again = server_process(connection).await?;
    sqlx::raw_sql("BEGIN").execute(&mut other).await.map_err(failed)?;
    let others = server_process(&mut other).await?;
    sqlx::raw_sql("COMMIT").execute(&mut other).await.map_err(failed)?;
    let _ = other.close().await;
    if first == again && again != others { Ok(()) } else { Err(pooled()) }
}

/// The process of the server that answers on this connection.
async fn server_process(connection: &mut PgConnection) -> Result<i32, StoreError> {
    let row = sqlx::raw_sql("SELECT pg_backend_pid()").fetch_one(connection).await.map_err(failed)?;
    row.try_get(0).map_err(failed)
}

/// Brings the schema up to date, all of it or nothing; nodes that open at once wait for each other.
async fn migrate(connection: &mut PgConnection, place: &str) -> Result<(), StoreError> {
    let newest = migrations().last().map_or(0, |(number, _)| number);
    let done = async {
        let mut changing = connection.begin().await?;
        sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(SCHEMA_LOCK).execute(&mut *changing).await?;
        let sql = "SELECT to_regclass('hall_schema') IS NOT NULL";
        let has: bool = sqlx::query(sql).fetch_one(&mut *changing).await?.try_get(0)?;
        let mut done: Vec<(i64, i64)> = Vec::new();
        if has {
            let sql = "SELECT version, oldest FROM hall_schema ORDER BY version";
            let rows = sqlx::query(sql).fetch_all(&mut *changing).await?;
            done = rows
                .iter()
                .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
                .collect::<Result<_, sqlx::Error>>()?;
        }
        let (version, oldest) = done.last().copied().unwrap_or_default();
        // A newer schema says which programs it still serves: the ones before it go on while nodes are exchanged.
        if version > newest && oldest > newest {
            return Ok(Some(version));
        }
        let is_done = |number: i64| done.iter().any(|(version, _)| *version == number);
        for (number, sql) in migrations().filter(|(number, _)| !is_done(*number)) {
            if number == 1 {
                let sql = "CREATE TABLE IF NOT EXISTS hall_schema (version BIGINT PRIMARY KEY, oldest BIGINT NOT NULL)";
                sqlx::query(sql).execute(&mut *changing).await?;
            }
            sqlx::raw_sql(sql).execute(&mut *changing).await?;
            let sql = "INSERT INTO hall_schema (version, oldest)
                VALUES ($1, (SELECT coalesce(max(oldest), 1) FROM hall_schema))";
            sqlx::query(sql).bind(number).execute(&mut *changing).await?;
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

/// Tells whether all nodes can read folded games. Where they can, no program that cannot enters any more once the transaction is
/// committed.
pub(super) async fn all_read_folded(connection: &mut PgConnection) -> Result<bool, StoreError> {
    let lock = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(SCHEMA_LOCK);
    lock.execute(&mut *connection).await.map_err(failed)?;
    let query = sqlx::query("SELECT NOT EXISTS (SELECT 1 FROM node WHERE folds < $1)");
    let query = query.bind(i64::from(crate::folded::NEWEST));
    let all: bool = query.fetch_one(&mut *connection).await.map_err(failed)?.try_get(0).map_err(failed)?;
    if all {
        let sql = "UPDATE hall_schema SET oldest = $1 WHERE oldest < $1
            AND version = (SELECT max(version) FROM hall_schema)";
        sqlx::query(sql).bind(FOLDED).execute(connection).await.map_err(failed)?;
    }
    Ok(all)
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
        bury_namesake(connection, name).await?;
        let sql =
            "INSERT INTO node (incarnation, name, begun_ms, beat_ms, since_ms, folds) VALUES ($1, $2, now_ms(), now_ms(), now_ms(), $3)
            ON CONFLICT (name) DO NOTHING";
        let query = sqlx::query(sql).bind(&incarnation).bind(name).bind(i64::from(crate::folded::NEWEST));
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

/// Buries, in the name of the node `me`, every node whose heartbeat is too old: it waits for their commits in flight,
/// and after it no commit of theirs finds their row. It buries none if `me` was cut off itself not long ago. Returns
/// the number of buried nodes.
pub(super) async fn bury_expired(connection: &mut PgConnection, me: &str) -> Result<u64, StoreError> {
    let sql = "WITH gone AS (DELETE FROM node WHERE beat_ms < now_ms() - $1 AND EXISTS (SELECT 1 FROM node m
            WHERE m.incarnation = $2 AND m.since_ms <= now_ms() - $1 AND m.beat_ms >= now_ms() - $3)
            RETURNING incarnation, name, beat_ms)
        INSERT INTO buried (incarnation, name, beat_ms, at_ms)
            SELECT incarnation, name, beat_ms, now_ms() FROM gone ON CONFLICT DO NOTHING";
    let query = sqlx::query(sql).bind(EXPIRES_MS.cast_signed()).bind(me).bind(BREAK_MS.cast_signed());
    Ok(query.execute(connection).await.map_err(failed)?.rows_affected())
}

/// Buries a silent node of that name: its keeper starts it again, so the previous run has ended.
async fn bury_namesake(connection: &mut PgConnection, name: &str) -> Result<(), StoreError> {
    let sql =
        "WITH gone AS (DELETE FROM node WHERE beat_ms < now_ms() - $1 AND name = $2 RETURNING incarnation, name, beat_ms)
        INSERT INTO buried (incarnation, name, beat_ms, at_ms)
            SELECT incarnation, name, beat_ms, now_ms() FROM gone ON CONFLICT DO NOTHING";
    let query = sqlx::query(sql).bind(EXPIRES_MS.cast_signed()).bind(name);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}
