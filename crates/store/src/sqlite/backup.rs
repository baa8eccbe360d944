//! Backups of a store, and checks of a folder.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use sqlx::{Connection, Row, SqliteConnection};
use table::{Stage, Standing};

use super::db::failed;
use super::sql::{maps, read};
use super::{open, rebuild, schema};
use crate::report::{Judge, Judged, Report, judged};
use crate::tip::{self, Tip};
use crate::{StoreError, Stored, StoredMap};

/// The number of tables that one query reads.
pub(super) const PAGE: i64 = 500;

/// Checks all data in `folder` and reports damage. A hall may be running there. `judge`, where given, replays each
/// log; the result must match the stored rows: the standing of the table, the row of the game, ratings.
///
/// # Errors
/// An error when the database cannot be opened or is of another version; damage is in the report.
pub async fn check(folder: &Path, judge: Option<Judge<'_>>) -> Result<Report, StoreError> {
    check_file(&folder.join("hall.db"), judge).await
}

/// Checks a folder that is not in use, and looks at its files, too: whether commits were lost with the write-ahead
/// log. The rest is as in [`check`].
///
/// # Errors
/// See [`check`].
pub async fn check_at_rest(folder: &Path, judge: Option<Judge<'_>>) -> Result<Report, StoreError> {
    let file = folder.join("hall.db");
    let is_there = std::fs::metadata(&file).is_ok_and(|file| file.len() > 0);
    let mut report = Report::default();
    let examined = open::examine_files(folder, is_there).await;
    let files_are_whole = examined.is_ok();
    let tip = report.keep(examined)?.flatten();
    if !is_there {
        return Ok(report);
    }
    let mut connection = open::looking(&file).await?;
    // Where the log is damaged, lost commits are no news.
    let lost = if files_are_whole { open::lost_commits(&mut connection, tip).await } else { Ok(()) };
    let misses_commits = matches!(lost, Err(StoreError::Damaged(_)));
    let checked = check_by(&mut connection, judge).await;
    let checked = match checked {
        // Without its log a database may look like that of an older hall, or like none.
        Err(StoreError::Failed(_)) if misses_commits || !files_are_whole => {
            report.keep(lost)?;
            return Ok(report);
        }
        checked => report.keep(checked)?,
    };
    let Some(checked) = checked else { return Ok(report) };
    report.keep(lost)?;
    let _ = connection.close().await;
    let Report { tables, events, commits, findings, more } = checked;
    findings.into_iter().for_each(|damage| report.note(damage));
    Ok(Report { tables, events, commits, more: report.more + more, ..report })
}

async fn check_file(file: &Path, judge: Option<Judge<'_>>) -> Result<Report, StoreError> {
    let mut connection = open::looking(file).await?;
    let report = check_by(&mut connection, judge).await;
    let _ = connection.close().await;
    report
}

async fn check_by(connection: &mut SqliteConnection, judge: Option<Judge<'_>>) -> Result<Report, StoreError> {
    let mut report = Report::default();
    schema::refuse_newer(connection).await?;
    let whole = open::quick_check(connection).await;
    report.keep(whole)?;
    if schema::version(connection).await? < schema::NEWEST {
        let why =
            "the data are of an older hall; start this one with them once, which brings them up to date";
        return Err(StoreError::Failed(why.to_owned()));
    }
    let commits = schema::commits(connection).await;
    report.commits = report.keep(commits)?.unwrap_or(0);
    let mut last = String::new();
    loop {
        let query = sqlx::query("SELECT id FROM seating WHERE id > ? ORDER BY id LIMIT ?");
        let found = query.bind(&last).bind(PAGE).fetch_all(&mut *connection).await.map_err(failed);
        let Some(rows) = report.keep(found)?.filter(|rows| !rows.is_empty()) else { break };
        for row in &rows {
            last = row.try_get(0).map_err(failed)?;
            report.tables += 1;
            let events = check_table(connection, &last, judge).await;
            report.events += report.keep(events)?.unwrap_or(0);
        }
    }
    let strays = "SELECT seating FROM (SELECT DISTINCT seating FROM event UNION SELECT seating FROM tip UNION SELECT seating FROM folded)
        WHERE seating NOT IN (SELECT id FROM seating) LIMIT 1000";
    let rows = sqlx::query(strays).fetch_all(&mut *connection).await.map_err(failed);
    for row in report.keep(rows)?.unwrap_or_default() {
        let id: String = row.try_get(0).map_err(failed)?;
        let found: Result<(), _> =
            Err(StoreError::damaged_table("there are entries, but the table itself is missing", &id, None));
        report.keep(found)?;
    }
    if judge.is_some() {
        let wrong = rebuild::wrong_ratings(connection).await;
        for what in report.keep(wrong)?.unwrap_or_default() {
            let place = "ratings";
            let advice = "run `qiguan admin ratings --recompute`";
            let found: Result<(), _> =
                Err(StoreError::damaged(format!("{what} is not what its games say"), place, advice));
            report.keep(found)?;
        }
    }
    Ok(report)
}

/// Checks a table and returns the number of its entries.
async fn check_table(
    connection: &mut SqliteConnection,
    id: &str,
    judge: Option<Judge<'_>>,
) -> Result<u64, StoreError> {
    let mut snapshot = connection.begin().await.map_err(failed)?;
    let Some(stored) = read::load_by(&mut snapshot, id).await? else { return Ok(0) };
    let Some(judge) = judge else { return Ok(stored.log.len() as u64) };
    let query = sqlx::query("SELECT stage, first, second FROM seating WHERE id = ?").bind(id);
    let row = query.fetch_one(&mut *snapshot).await.map_err(failed)?;
    let stage = match row.try_get::<i64, _>(0).map_err(failed)? {
        0 => Some(Stage::Waiting),
        1 => Some(Stage::Playing),
        2 => Some(Stage::Over),
        _ => None,
    };
    let seats = [row.try_get(1).map_err(failed)?, row.try_get(2).map_err(failed)?];
    let standing = stage.map(|stage| Standing { stage, seats });
    let map = map_of(&mut snapshot, &stored).await?;
    match judged(judge, id, &stored, map.as_ref()) {
        Ok(Judged { standing: replayed, finished, deadline }) if standing.as_ref() == Some(&replayed) => {
            let fault = match rebuild::fault(&mut snapshot, id, finished.as_ref()).await? {
                None => rebuild::deadline_fault(deadline, stored.asleep),
                fault => fault,
            };
            match fault {
                Some(what) => Err(StoreError::damaged_table(what, id, None)),
                None => Ok(stored.log.len() as u64),
            }
        }
        Ok(Judged { standing: replayed, .. }) => {
            let what = format!("the log adds up to {replayed:?}, but beside it stands {standing:?}");
            Err(StoreError::damaged_table(what, id, None))
        }
        Err(why) => {
            Err(StoreError::damaged_table(format!("the log does not follow the rules: {why}"), id, None))
        }
    }
}

/// The map that a table's setup names, where the store has it.
pub(super) async fn map_of(
    connection: &mut SqliteConnection,
    stored: &Stored,
) -> Result<Option<StoredMap>, StoreError> {
    match &stored.setup.map {
        Some(map) => maps::find_by(connection, &map.id).await,
        None => Ok(None),
    }
}

/// Writes a copy of what is in `folder` to the file `path`, which must not exist, and checks it. The copy is of one
/// moment; a hall may be at work in the folder. A table that is damaged there is damaged in the copy; the report names
/// it. Of `companions`, the names of other SQLite files of the folder, those that are there are copied to `path` with
/// a dot and their name after it, each of a moment of its own.
///
/// # Errors
/// An error when there is a file of that name, or one of them cannot be read or written.
pub async fn backup(folder: &Path, path: &Path, companions: &[&str]) -> Result<Report, StoreError> {
    let pairs: Vec<(PathBuf, PathBuf)> = companions
        .iter()
        .map(|name| (folder.join(name), companion(path, name)))
        .filter(|(from, _)| from.exists())
        .collect();
    for to in std::iter::once(path).chain(pairs.iter().map(|(_, to)| to.as_path())) {
        if to.exists() {
            return Err(file_failed(to, "there is a file of that name; choose another"));
        }
    }
    for (from, to) in &pairs {
        let part = copy(from, to).await?;
        let checked = check_companion(&part).await;
        finish(&part, to, checked).await?;
    }
    let part = copy(&folder.join("hall.db"), path).await?;
    let report = match open::stands_alone(&part).await {
        Ok(()) => check_file(&part, None).await,
        Err(why) => Err(why),
    };
    finish(&part, path, report).await
}

/// Returns the path where the backup `path` keeps the file `name`.
fn companion(path: &Path, name: &str) -> PathBuf {
    beside(path, &format!(".{name}"))
}

/// Copies one moment of a SQLite file to a file beside `to`.
async fn copy(from: &Path, to: &Path) -> Result<PathBuf, StoreError> {
    let part = beside(to, ".part");
    remove(&part)?;
    let text = part.to_str().ok_or_else(|| file_failed(to, "the path is not Unicode"))?;
    // SQLite would let everybody on the machine read it.
    for_its_owner(&part).map_err(|why| file_failed(to, &why))?;
    let mut connection = open::looking(from).await?;
    let written = sqlx::query("VACUUM INTO ?").bind(text).execute(&mut connection).await;
    let _ = connection.close().await;
    if let Err(why) = written {
        remove(&part)?;
        return Err(failed(why));
    }
    Ok(part)
}

/// Makes an empty file that only its owner may read.
fn for_its_owner(path: &Path) -> std::io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

async fn check_companion(file: &Path) -> Result<(), StoreError> {
    let mut connection = open::looking(file).await?;
    let checked = open::quick_check(&mut connection).await;
    let _ = connection.close().await;
    checked
}

/// Gives a checked copy its name, or removes what could not be checked.
async fn finish<T>(part: &Path, path: &Path, checked: Result<T, StoreError>) -> Result<T, StoreError> {
    // A database that was only looked at may leave empty files beside it.
    for end in ["-wal", "-shm"] {
        remove(&beside(part, end))?;
    }
    let checked = match checked {
        Ok(checked) => checked,
        Err(why) => {
            remove(part)?;
            return Err(why);
        }
    };
    let (from, to) = (part.to_owned(), path.to_owned());
    blocking(move || {
        File::open(&from)?.sync_all()?;
        std::fs::rename(&from, &to)?;
        sync_folder(&to)
    })
    .await
    .map_err(|why| file_failed(path, &why))?;
    Ok(checked)
}

/// Puts a backup in the place of what is in `folder`, which no hall may be using. What was there is moved to a folder
/// in it named `before-restore-` and the time in Unix milliseconds. Of `companions`, as [`backup`] has them, those that
/// the backup has are put back as well; the others stay as they are. What root restores belongs to whom the folder belongs.
///
/// # Errors
/// An error when the backup cannot be read or is no database, a hall uses the folder, or the file system refuses. The data in
/// `folder` are then as they were, or the next opening says that the restoring was not finished.
pub async fn restore(from: &Path, folder: &Path, companions: &[&str]) -> Result<Report, StoreError> {
    if std::fs::metadata(beside(from, "-wal")).is_ok_and(|file| file.len() > 0) {
        let why = "there is a write-ahead log beside it: this is a database in use and no backup";
        return Err(file_failed(from, why));
    }
    std::fs::create_dir_all(folder).map_err(|why| file_failed(folder, &why))?;
    let lock = File::create(folder.join("hall.lock")).map_err(|why| file_failed(folder, &why))?;
    lock.try_lock().map_err(|_| file_failed(folder, "a hall uses these data; stop it first"))?;
    let mut others = Vec::new();
    for name in companions {
        let kept = companion(from, name);
        if kept.exists() {
            let copy = brought(&kept, folder, name).await?;
            let checked = check_companion(&copy).await;
            looked_at(&copy, checked)?;
            others.push(((*name).to_owned(), copy));
        }
    }
    let copy = brought(from, folder, "hall.db").await?;
    let examined = examine_copy(&copy).await;
    let (report, commits) = looked_at(&copy, examined)?;
    let target = folder.to_owned();
    blocking(move || replace(&target, &copy, commits, &others))
        .await
        .map_err(|why| file_failed(folder, &why))?;
    drop(lock);
    Ok(report)
}

/// Copies a file into the folder, to a name that is not in use there.
async fn brought(from: &Path, folder: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let copy = folder.join(format!("{name}.part"));
    remove(&copy)?;
    let (source, target) = (from.to_owned(), copy.clone());
    blocking(move || {
        std::fs::copy(&source, &target)?;
        File::open(&target)?.sync_all()
    })
    .await
    .map_err(|why| file_failed(from, &why))?;
    Ok(copy)
}

/// Returns the result of the examination of a copy, and deletes a copy that is no good.
fn looked_at<T>(copy: &Path, found: Result<T, StoreError>) -> Result<T, StoreError> {
    for end in ["-wal", "-shm"] {
        remove(&beside(copy, end))?;
    }
    if found.is_err() {
        remove(copy)?;
    }
    found
}

/// Examines a backup: returns its report and its number of commits.
async fn examine_copy(copy: &Path) -> Result<(Report, u64), StoreError> {
    let mut connection = open::looking(copy).await?;
    let examined = async {
        schema::refuse_newer(&mut connection).await?;
        open::quick_check(&mut connection).await?;
        open::refuse_part(&mut connection).await?;
        let commits = schema::commits(&mut connection).await?;
        if schema::version(&mut connection).await? < schema::NEWEST {
            // The next opening brings it up to date.
            return Ok((Report { commits, ..Report::default() }, commits));
        }
        Ok((check_by(&mut connection, None).await?, commits))
    };
    let examined = examined.await;
    let _ = connection.close().await;
    examined
}

/// Puts the copy in the place of the database. The counter goes first: should this be interrupted, the next opening
/// finds no database where there should be one.
fn replace(folder: &Path, copy: &Path, commits: u64, others: &[(String, PathBuf)]) -> std::io::Result<()> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let aside = folder.join(format!("before-restore-{now}"));
    std::fs::create_dir(&aside)?;
    if tip::path(folder).exists() {
        std::fs::copy(tip::path(folder), aside.join("hall.tip"))?;
    }
    let copies = others.iter().map(|(_, copy)| copy.as_path()).chain([copy]);
    copies
        .chain([&*aside, &aside.join("hall.tip"), &folder.join("hall.lock")])
        .try_for_each(|made| give(folder, made))?;
    tip::write(folder, Tip { commits: commits.max(1) }, true)?;
    give(folder, &tip::path(folder))?;
    let names = others.iter().map(|(name, _)| name.as_str()).chain(["hall.db"]);
    for name in names.flat_map(|name| ["", "-wal", "-shm"].map(|end| format!("{name}{end}"))) {
        match std::fs::rename(folder.join(&name), aside.join(&name)) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => return Err(why),
            _ => {}
        }
    }
    for (name, copy) in others {
        std::fs::rename(copy, folder.join(name))?;
    }
    std::fs::rename(copy, folder.join("hall.db"))?;
    tip::write(folder, Tip { commits }, true)?;
    File::open(folder)?.sync_all()
}

/// Gives files that root made in a folder to the owner of the folder, because the hall of that user could not write
/// them otherwise.
#[cfg(unix)]
fn give(folder: &Path, made: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{MetadataExt, lchown};
    let owner = std::fs::metadata(folder)?;
    match std::fs::symlink_metadata(made) {
        Ok(file) if file.uid() == 0 && owner.uid() != 0 => lchown(made, Some(owner.uid()), Some(owner.gid())),
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(why),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn give(_folder: &Path, _made: &Path) -> std::io::Result<()> {
    Ok(())
}

async fn blocking(work: impl FnOnce() -> std::io::Result<()> + Send + 'static) -> Result<(), String> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|why| why.to_string()),
        Err(why) => Err(why.to_string()),
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    PathBuf::from(name)
}

fn sync_folder(path: &Path) -> std::io::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => File::open(".")?.sync_all(),
    }
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(file_failed(path, &why)),
        _ => Ok(()),
    }
}

fn file_failed(path: &Path, why: &(impl std::fmt::Display + ?Sized)) -> StoreError {
    StoreError::Failed(format!("{}: {why}", path.display()))
}
