//! Checks before a folder is used, and the handling of a full disk.
//!
//! All checks use a connection that may only read: closing one that may write would write the log back and delete it,
//! and with it the evidence.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqliteLockingMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection, Row, SqliteConnection, SqlitePool};
use tokio::sync::watch;

use super::db::{failed, is_locked};
use super::sql::counts;
use super::writer::{self, Undone};
use super::{disk, schema};
use crate::StoreError;
use crate::tip::{self, Tip};
use crate::wal::{self, Survey};

/// The options for opening a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// True to go on with the remains of damaged data. Lost data stay lost: copy the folder before.
    pub accept_damage: bool,
    /// The largest size of a database, in bytes, that is checked before it is used. A larger one, which would keep
    /// people waiting, is checked while it is used; [`Condition::damage`](crate::Condition::damage) returns the result.
    pub check_first_bytes: u64,
}

impl Default for Open {
    fn default() -> Self {
        Open { accept_damage: false, check_first_bytes: 256 << 20 }
    }
}

/// The number of the table `hall` that is 1 while a hall uses the database, and stays so when it is killed.
const IN_USE: &str = "in_use";

/// The number of steps of SQLite between two tests whether a check is to stop.
const CHECK_STEPS: i32 = 1000;

const ADVICE: &str = "keep a copy of the folder; run `qiguan admin check` to see what is left, restore a backup by \
    `qiguan admin restore`, or go on with what is left by accepting the damage";

/// Returns the options for opening the file. Without `synchronous=FULL` a commit would be on its way to the disk, not
/// on it.
fn options(folder: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(folder.join("hall.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(5))
        .pragma("wal_autocheckpoint", "4000")
        .pragma("journal_size_limit", "67108864")
        // Deleted data, such as the name of a person who leaves, is erased from the file.
        .pragma("secure_delete", "ON")
        .pragma("cache_size", "-8000")
}

/// Connections for reading beside a writer.
pub(super) fn readers(folder: &Path) -> SqlitePool {
    SqlitePoolOptions::new()
        .min_connections(0)
        .max_connections(2)
        .idle_timeout(Duration::from_secs(60))
        .connect_lazy_with(options(folder).read_only(true).create_if_missing(false))
}

/// A connection for reading where there is no writer and no room on the disk: it keeps in memory what others share in
/// a file.
pub(super) fn only_reader(folder: &Path) -> SqlitePool {
    SqlitePoolOptions::new().min_connections(0).max_connections(1).connect_lazy_with(
        options(folder).create_if_missing(false).locking_mode(SqliteLockingMode::Exclusive),
    )
}

/// Opens a connection for checks: it writes nothing, not even when it is closed. A database that another process has to
/// itself ([`only_reader`]) is [`StoreError::InUse`].
pub(super) async fn looking(file: &Path) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(false)
        .read_only(true)
        .busy_timeout(Duration::from_secs(5));
    let refused = |why| if is_locked(&why) { StoreError::InUse } else { failed(why) };
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(refused)?;
    // Other errors are found again by the first question that matters.
    match sqlx::query("SELECT count(*) FROM sqlite_schema").execute(&mut connection).await {
        Err(why) if is_locked(&why) => Err(StoreError::InUse),
        _ => Ok(connection),
    }
}

/// A database that can be written to.
pub(super) struct Opened {
    pub(super) connection: SqliteConnection,
    /// Commits so far.
    pub(super) commits: u64,
    /// The mark of the last group that was committed.
    pub(super) mark: Option<u64>,
    /// The last heartbeat of the previous run.
    pub(super) last_beat: Option<u64>,
}

/// Opens the database for writing, brings it up to date, and writes to it once.
pub(super) async fn writing(folder: &Path) -> Result<Opened, StoreError> {
    let mut connection = SqliteConnection::connect_with(&options(folder)).await.map_err(failed)?;
    schema::refuse_newer(&mut connection).await?;
    schema::migrate(&mut connection).await?;
    let last_beat = counts::counted(&mut connection, "beat_ms").await?;
    let mark = counts::counted(&mut connection, "mark").await?;
    let commits = counts::counted(&mut connection, "commits").await?.unwrap_or(0) + 1;
    let was_left_open = counts::counted(&mut connection, IN_USE).await? == Some(1);
    if !was_left_open {
        // First the counter: a process killed in between must not leave a database that seems to lack it.
        note(folder, commits - 1).await?;
    }
    writer::transaction(&mut connection, true, async |connection| {
        counts::count(connection, IN_USE, 1).await?;
        counts::count(connection, "commits", commits).await
    })
    .await
    .map_err(Undone::why)?;
    if !was_left_open {
        // Into the file itself, before any answer is given: a copy of that file alone must show that it is
        // incomplete. If another connection reads all the time, it gets there with the next pages that do.
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await.map_err(failed)?;
    }
    note(folder, commits).await?;
    Ok(Opened { connection, commits, mark, last_beat })
}

/// Writes the counter beside the database, and waits for the disk.
async fn note(folder: &Path, commits: u64) -> Result<(), StoreError> {
    let path = folder.to_owned();
    let written = tokio::task::spawn_blocking(move || tip::write(&path, Tip { commits }, true)).await;
    match written {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(why)) if why.kind() == std::io::ErrorKind::StorageFull => Err(StoreError::DiskFull),
        Ok(Err(why)) => Err(StoreError::Failed(format!("{}: {why}", tip::path(folder).display()))),
        Err(why) => Err(StoreError::Failed(why.to_string())),
    }
}

/// Closes the database, which is whole from then on without any other file.
pub(super) async fn leave(mut connection: SqliteConnection) -> Result<(), StoreError> {
    let noted = writer::transaction(&mut connection, true, async |connection| {
        counts::count(connection, IN_USE, 0).await
    });
    let noted = noted.await.map_err(Undone::why);
    connection.close().await.map_err(failed)?;
    noted
}

/// Marks a copy that `VACUUM INTO` made as complete without other files.
pub(super) async fn stands_alone(file: &Path) -> Result<(), StoreError> {
    let options = SqliteConnectOptions::new().filename(file).create_if_missing(false);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
    let said = if schema::commits(&mut connection).await? > 0 {
        counts::count(&mut connection, IN_USE, 0).await
    } else {
        Ok(())
    };
    connection.close().await.map_err(failed)?;
    said
}

/// Refuses a database that is only a part: one marked as in use, whose newest commits are in files beside it.
pub(super) async fn refuse_part(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    if schema::commits(connection).await? == 0 || counts::counted(connection, IN_USE).await? != Some(1) {
        return Ok(());
    }
    let what = "this looks like a copy of the file of a running hall, without the files that belonged to it: the newest \
        acknowledged events are missing";
    let advice = "copy a running hall by `qiguan admin backup`; put `hall.db-wal` and `hall.tip` of the same moment back \
        beside it, or go on with what is there by accepting the damage (`qiguan admin accept-damage`)";
    Err(StoreError::damaged(what, "hall.db", advice))
}

/// Returns true if the error means that nothing can be written, but a hall can be opened for reading.
pub(super) fn is_full(folder: &Path, why: &StoreError) -> bool {
    let named = match why {
        StoreError::Failed(why) => StoreError::DiskFailed(why.clone()),
        why => why.clone(),
    };
    matches!(disk::named(folder, named), StoreError::DiskFull | StoreError::FileTooLarge(_))
}

/// Examines the files before SQLite has touched them, and returns the counter of commits.
pub(super) async fn examine_files(folder: &Path, is_there: bool) -> Result<Option<Tip>, StoreError> {
    let path = folder.to_owned();
    let examined = tokio::task::spawn_blocking(move || examine_files_now(&path, is_there)).await;
    examined.map_err(|why| StoreError::Failed(why.to_string()))?
}

fn examine_files_now(folder: &Path, is_there: bool) -> Result<Option<Tip>, StoreError> {
    let place = |name: &str| folder.join(name).display().to_string();
    let tip = tip::read(folder).map_err(|why| {
        let what = format!("the counter of commits cannot be read: {why}");
        StoreError::damaged(what, place("hall.tip"), ADVICE)
    })?;
    if !is_there {
        let Some(tip) = tip.filter(|tip| tip.commits > 0) else { return Ok(tip) };
        let what = format!("the database is missing; it had {} commits", tip.commits);
        return Err(StoreError::damaged(what, place("hall.db"), ADVICE));
    }
    let survey = match File::open(folder.join("hall.db-wal")) {
        Ok(file) => wal::survey(BufReader::new(file)),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(Survey::Empty),
        Err(why) => Err(why),
    };
    let survey = survey.map_err(|why| StoreError::Failed(format!("{}: {why}", place("hall.db-wal"))))?;
    let what = match survey {
        Survey::NoHeader => {
            "the start of the write-ahead log is damaged: acknowledged events in it cannot be read".to_owned()
        }
        // One alone may have been under way when the machine stopped.
        Survey::Commits { whole, behind_damage } if behind_damage > 1 => format!(
            "the write-ahead log is damaged after its commit {whole}: acknowledged events of {} or more commits \
             behind that cannot be read",
            behind_damage - 1
        ),
        // Nothing to see: whether anything is missing, the counter tells. A hall that reopens its database on a full disk
        // may have been killed just then.
        Survey::Empty | Survey::Commits { .. } => return Ok(tip),
    };
    Err(StoreError::damaged(what, place("hall.db-wal"), ADVICE))
}

/// Examines the database with SQLite.
pub(super) async fn examine(
    folder: &Path,
    tip: Option<Tip>,
    how: Open,
    whole: bool,
) -> Result<(), StoreError> {
    let mut connection = looking(&folder.join("hall.db")).await?;
    let examined = examine_by(&mut connection, tip, how, whole).await;
    let _ = connection.close().await;
    examined
}

async fn examine_by(
    connection: &mut SqliteConnection,
    tip: Option<Tip>,
    how: Open,
    whole: bool,
) -> Result<(), StoreError> {
    schema::refuse_newer(connection).await?;
    if how.accept_damage {
        return Ok(());
    }
    if whole {
        quick_check(connection).await?;
    }
    lost_commits(connection, tip).await
}

/// Checks that the database has as many commits as were counted beside it.
pub(super) async fn lost_commits(
    connection: &mut SqliteConnection,
    tip: Option<Tip>,
) -> Result<(), StoreError> {
    let Some(tip) = tip else { return refuse_part(connection).await };
    let commits = schema::commits(connection).await?;
    if commits < tip.commits {
        let what = format!(
            "acknowledged events after commit {commits} are missing, and there were {} commits or more: the \
             write-ahead log was removed or damaged, or the database was replaced by an older one",
            tip.commits
        );
        return Err(StoreError::damaged(what, "hall.db", ADVICE));
    }
    Ok(())
}

/// Checks that the database is whole as a file.
pub(super) async fn quick_check(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let row = sqlx::query("PRAGMA quick_check(1)").fetch_one(connection).await.map_err(failed)?;
    let verdict: String = row.try_get(0).map_err(failed)?;
    if verdict == "ok" {
        return Ok(());
    }
    Err(StoreError::damaged(format!("SQLite found: {}", verdict.trim()), "hall.db", ADVICE))
}

/// Checks the whole database while it is used, and returns the damage.
pub(super) async fn check_beside(
    file: PathBuf,
    closed: Arc<AtomicBool>,
    found: watch::Sender<Option<StoreError>>,
) {
    let begun = Instant::now();
    match check_unless(&file, &closed).await {
        Ok(()) => tracing::info!(seconds = begun.elapsed().as_secs(), "the database is whole"),
        Err(why @ StoreError::Damaged(_)) => drop(found.send(Some(why))),
        Err(_) if closed.load(Ordering::Relaxed) => {}
        Err(why) => tracing::warn!(%why, "the database could not be checked"),
    }
}

async fn check_unless(file: &Path, closed: &Arc<AtomicBool>) -> Result<(), StoreError> {
    let mut connection = looking(file).await?;
    let closed = Arc::clone(closed);
    let mut handle = connection.lock_handle().await.map_err(failed)?;
    handle.set_progress_handler(CHECK_STEPS, move || !closed.load(Ordering::Relaxed));
    drop(handle);
    let checked = quick_check(&mut connection).await;
    let _ = connection.close().await;
    checked
}

/// Checks data that can only be read, and returns the last heartbeat.
pub(super) async fn read_only_beat(
    connection: &mut SqliteConnection,
    tip: Option<Tip>,
    how: Open,
    whole: bool,
) -> Result<Option<u64>, StoreError> {
    examine_by(connection, tip, how, whole).await?;
    let is_new = schema::version(connection).await? == schema::NEWEST
        && counts::counted(connection, "sealed").await?.is_some();
    if !is_new {
        let why = "the disk is full, and the data of an older hall must be brought up to date before they can be \
            read; make room on the disk";
        return Err(StoreError::Failed(why.to_owned()));
    }
    counts::counted(connection, "beat_ms").await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each commit waits for the disk. Killing the hall cannot tell whether a commit reached the disk; only this test
    /// can.
    #[tokio::test]
    async fn a_commit_waits_for_the_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut connection = SqliteConnection::connect_with(&options(folder.path())).await.expect("opens");
        let row = sqlx::query("PRAGMA synchronous").fetch_one(&mut connection).await.expect("answers");
        assert_eq!(row.get::<i64, _>(0), 2, "FULL");
        let row = sqlx::query("PRAGMA journal_mode").fetch_one(&mut connection).await.expect("answers");
        assert_eq!(row.get::<String, _>(0), "wal");
    }
}
