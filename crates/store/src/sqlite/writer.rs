//! All writing: one task, one connection, commits in groups.
//!
//! A commit waits for the disk (about 4 ms where this was measured), whether it holds one entry or a hundred. So one
//! task owns the only writing connection: while a commit waits, the next entries queue up, and all of them go into
//! the next commit. No caller gets an answer before the commit that holds its entry is on disk.
//!
//! Beside the disk, the statements cost most of the time of a group, so few are used: the ends of the logs it touches
//! are kept in memory, and entries, checksums and ends go in by one statement each. A job that is refused (a wrong
//! version, a name that is taken) does not affect the others of its group.
//!
//! A commit that SQLite says has failed, as on a full disk, may be whole in the write-ahead log all the same, and
//! reappear when the database is opened next. So the database is reopened at once, for reading if need be, and the
//! callers are told which entries are there. Until that is known, those tables cannot be read.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::{Connection, Row, SqliteConnection, SqlitePool};
use table::{Entry, Event, Setup, Stage, Standing};
use tokio::sync::{mpsc, watch};

use super::db::{failed, number, unique};
use super::sql::desk::{self, Job, What};
use super::sql::{counts, games, slow};
use super::{disk, open};
use crate::chain::{self, Row as Link};
use crate::tip::{self, Tip};
use crate::work::Reply;
use crate::{Asleep, StoreError, format};

/// The most entries of one commit.
const GROUP: usize = 256;
/// Entries that may wait for the writer; beyond that, tables wait.
pub(super) const QUEUE: usize = 4096;
/// The most ends of logs that are kept in memory, some hundred bytes each.
const ENDS: usize = 20_000;
/// The interval at which it is tested on a full disk whether there is room again.
const AGAIN: Duration = Duration::from_secs(1);
/// The time without any write but heartbeats after which the memory of a rush is given back.
const REST: Duration = Duration::from_secs(20);

/// The end of a log.
#[derive(Clone, Copy)]
struct End {
    ver: u64,
    sum: u64,
    at_ms: u64,
    asleep: bool,
    /// The commit that wrote it, or 0 when it was only read.
    commit: u64,
}

pub(super) struct Writer {
    pub(super) folder: PathBuf,
    /// The writing connection; `None` while the disk is too full to write.
    pub(super) connection: Option<SqliteConnection>,
    pub(super) readers: watch::Sender<SqlitePool>,
    pub(super) read_only: Arc<AtomicBool>,
    /// Commits so far.
    pub(super) commits: u64,
    /// The file of [`tip`], as it was opened for the last write that waited for the disk.
    tip: Option<std::fs::File>,
    ends: HashMap<String, End>,
    /// The reason why there is no connection.
    hindrance: StoreError,
    /// The time of the last attempt to write on a full disk.
    tried: Instant,
    /// The time of the last write other than a heartbeat; `None` once the memory for it has been given back.
    worked: Option<Instant>,
    /// A commit whose outcome is unknown. While it is set, there is no connection.
    unsettled: Option<Unsettled>,
    /// The tables in that commit.
    doubtful: Doubtful,
}

/// The tables whose last entry is unknown, because the outcome of a commit is.
pub(super) type Doubtful = Arc<Mutex<HashSet<String>>>;

/// A group whose commit has failed, as SQLite reports.
struct Unsettled {
    /// The mark that the commit would have left in the table `hall`.
    mark: u64,
    group: Vec<Job>,
    replies: Vec<Result<Reply, StoreError>>,
}

/// The ways in which a group can fail to be committed.
enum Uncommitted {
    /// The group was refused: nothing of it will ever be visible.
    Refused(StoreError),
    /// The outcome is unknown: the replies if it was committed, the mark to look for, and the error.
    Perhaps(Vec<Result<Reply, StoreError>>, u64, StoreError),
}

impl Writer {
    pub(super) fn new(
        folder: PathBuf,
        connection: Option<SqliteConnection>,
        commits: u64,
        readers: watch::Sender<SqlitePool>,
        read_only: Arc<AtomicBool>,
        doubtful: Doubtful,
    ) -> Writer {
        Writer {
            folder,
            connection,
            readers,
            read_only,
            commits,
            tip: None,
            ends: HashMap::new(),
            hindrance: StoreError::DiskFull,
            tried: Instant::now(),
            worked: Some(Instant::now()),
            unsettled: None,
            doubtful,
        }
    }

    /// Takes the queued jobs, commits them, answers them, and repeats that until the store is closed or dropped.
    pub(super) async fn run(mut self, mut queue: mpsc::Receiver<Job>) {
        let mut jobs = Vec::with_capacity(GROUP);
        let mut closers = Vec::new();
        while closers.is_empty() && queue.recv_many(&mut jobs, GROUP).await > 0 {
            let mut group = Vec::with_capacity(jobs.len());
            for job in jobs.drain(..) {
                if matches!(job.what, What::Close) {
                    closers.push(job.done);
                } else if job.what.is_alone() {
                    self.serve(std::mem::take(&mut group)).await;
                    self.serve(vec![job]).await;
                    self.ends.clear();
                } else {
                    group.push(job);
                }
            }
            self.serve(group).await;
        }
        // Requests that still wait are told that the store is closed.
        drop(queue);
        // The last connection to close writes the log back, and that must be the one which may write.
        self.close_readers().await;
        if let Some(connection) = self.connection.take() {
            // Before closing: that writes the log back and deletes it.
            self.note(true).await;
            let _ = open::leave(connection).await;
        }
        for done in closers {
            let _ = done.send(Ok(Box::new(())));
        }
    }

    /// Commits a group and answers its jobs.
    async fn serve(&mut self, group: Vec<Job>) {
        if group.is_empty() {
            return;
        }
        let rests = group.iter().all(|job| matches!(job.what, What::Beat { .. }));
        if !rests {
            self.worked = Some(Instant::now());
        }
        if self.connection.is_none() {
            let probes = group.iter().any(|job| matches!(job.what, What::Probe));
            if !(probes || self.tried.elapsed() > AGAIN) || self.write_again().await.is_err() {
                return tell_all(group, &self.hindrance);
            }
        }
        let begun = Instant::now();
        let all = self.commit(&group).await;
        metrics::histogram!("hall_commit_seconds").record(begun.elapsed().as_secs_f64());
        metrics::counter!("hall_commits_total").increment(1);
        let alone = group.len() == 1;
        match all {
            Ok(replies) => tell(group, replies),
            Err(Uncommitted::Perhaps(replies, mark, why)) => {
                self.settle_later(group, replies, mark, why).await;
            }
            Err(Uncommitted::Refused(why)) if alone => tell_all(group, &why),
            // Something spoiled the group: each for itself, so that only the culprit is refused.
            Err(Uncommitted::Refused(_)) => {
                for job in group {
                    match self.commit(std::slice::from_ref(&job)).await {
                        Ok(replies) => tell(vec![job], replies),
                        Err(Uncommitted::Perhaps(replies, mark, why)) => {
                            self.settle_later(vec![job], replies, mark, why).await;
                        }
                        Err(Uncommitted::Refused(why)) => tell_all(vec![job], &why),
                    }
                }
            }
        }
        if rests && self.worked.is_some_and(|worked| worked.elapsed() > REST) {
            self.give_back_memory().await;
        }
    }

    /// Gives back the pages that SQLite keeps of the last rush. The next write reads again what it needs.
    async fn give_back_memory(&mut self) {
        self.worked = None;
        self.ends = HashMap::new();
        if let Some(connection) = &mut self.connection {
            // It has no result that matters: without it, the memory merely stays in use.
            let _ = sqlx::query("PRAGMA shrink_memory").execute(&mut *connection).await;
            let _ = connection.clear_cached_statements().await;
        }
    }

    /// Reopens the database, which shows what became of the group, at once or when there is room.
    async fn settle_later(
        &mut self,
        group: Vec<Job>,
        replies: Vec<Result<Reply, StoreError>>,
        mark: u64,
        why: StoreError,
    ) {
        self.hindrance = disk::named(&self.folder, why);
        if let Some(connection) = self.connection.take() {
            let _ = connection.close().await;
        }
        // Only for entries it matters whether they are there; other requests may be repeated.
        let (mut waiting, mut due) = (Vec::new(), Vec::new());
        for (job, reply) in group.into_iter().zip(replies) {
            if let What::Append { id, .. } = &job.what {
                self.doubtful.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone());
                waiting.push(job);
                due.push(reply);
            } else {
                tell_all(vec![job], &self.hindrance);
            }
        }
        self.unsettled = Some(Unsettled { mark, group: waiting, replies: due });
        let _ = self.write_again().await;
    }

    /// Answers the waiting jobs by the state of a database that was reopened after their commit had failed.
    fn settle(&mut self, found: Option<u64>) {
        let Some(Unsettled { mark, group, replies }) = self.unsettled.take() else { return };
        if found == Some(mark) {
            tell(group, replies)
        } else {
            tell_all(group, &self.hindrance)
        }
        self.doubtful.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Answers the waiting jobs in the same way where the database can only be read. It takes a moment until the
    /// other connections are closed.
    async fn settle_by_reading(&mut self) {
        for _ in 0..20 {
            let readers = self.readers.borrow().clone();
            if let Ok(mut connection) = readers.acquire().await
                && let Ok(found) = counts::counted(&mut connection, "mark").await
            {
                return self.settle(found);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Writes the number of commits to the file beside the database. A file that cannot be written does not stop the
    /// hall: the older counter in it is true, too.
    async fn note(&mut self, durably: bool) {
        let tip = Tip { commits: self.commits };
        if let (false, Some(file)) = (durably, &mut self.tip) {
            // Some bytes in the page cache: quicker than asking another thread.
            if tip::overwrite(file, tip).is_ok() {
                return;
            }
        }
        let folder = self.folder.clone();
        let written = tokio::task::spawn_blocking(move || tip::write(&folder, tip, durably)).await;
        self.tip = written.ok().and_then(Result::ok);
    }

    async fn close_readers(&self) {
        let readers = self.readers.borrow().clone();
        readers.close().await;
    }

    /// Opens the database for writing after the disk was full.
    async fn write_again(&mut self) -> Result<(), StoreError> {
        self.tried = Instant::now();
        self.close_readers().await;
        let opened = open::writing(&self.folder).await;
        let (connection, readers, result) = match opened {
            Ok(opened) => {
                self.settle(opened.mark);
                self.commits = opened.commits;
                (Some(opened.connection), open::readers(&self.folder), Ok(()))
            }
            Err(why) => {
                let why = disk::named(&self.folder, why);
                self.hindrance = why.clone();
                (None, open::only_reader(&self.folder), Err(why))
            }
        };
        self.read_only.store(connection.is_none(), Ordering::Relaxed);
        self.connection = connection;
        self.readers.send_replace(readers);
        if self.connection.is_none() && self.unsettled.is_some() {
            self.settle_by_reading().await;
        }
        result
    }

    /// Commits the group in one transaction. Jobs that are refused are left out; an error means that nothing of the
    /// group was stored.
    async fn commit(&mut self, group: &[Job]) -> Result<Vec<Result<Reply, StoreError>>, Uncommitted> {
        let Some(connection) = &mut self.connection else {
            return Err(Uncommitted::Refused(self.hindrance.clone()));
        };
        let mark = u64::from(rand::random::<u32>()) << 24 | (self.commits & 0xff_ffff);
        if self.ends.len() > ENDS {
            self.ends.clear();
        }
        let (ends, commit) = (&mut self.ends, self.commits + 1);
        // Entries alone are checked without the database, and the transaction begins when they are written.
        let is_plain = |job: &Job| match &job.what {
            What::Append { id, standing: None, asleep: None, .. } => ends.contains_key(id),
            _ => false,
        };
        let begun = !group.iter().all(is_plain);
        let done = transaction(connection, begun, async |connection| {
            let mut changes = Changes::new(connection, ends, commit, group).await?;
            let mut replies = Vec::with_capacity(group.len());
            for job in group {
                match changes.take(connection, &job.what).await {
                    Ok(reply) => replies.push(Ok(reply)),
                    Err(why @ (StoreError::Failed(_) | StoreError::Damaged(_))) => return Err(why),
                    Err(why) if why.is_about_the_disk() => return Err(why),
                    Err(refused) => replies.push(Err(refused)),
                }
            }
            changes.write(connection, !begun, mark).await?;
            Ok(replies)
        })
        .await;
        if done.is_err() {
            self.ends.clear();
        }
        let replies = match done {
            Ok(replies) => replies,
            Err(Undone::Wholly(why)) => return Err(Uncommitted::Refused(disk::named(&self.folder, why))),
            Err(Undone::Perhaps(replies, why)) => return Err(Uncommitted::Perhaps(replies, mark, why)),
        };
        self.commits = commit;
        // Before anybody is told, so that no acknowledged commit goes missing in silence. Once a second it waits for the
        // disk; in between the counter outlives the hall, though not the machine.
        self.note(group.iter().any(|job| matches!(job.what, What::Beat { .. }))).await;
        Ok(replies)
    }
}

fn tell(group: Vec<Job>, replies: Vec<Result<Reply, StoreError>>) {
    for (job, reply) in group.into_iter().zip(replies) {
        let _ = job.done.send(reply);
    }
}

fn tell_all(group: Vec<Job>, why: &StoreError) {
    for job in group {
        let _ = job.done.send(Err(why.clone()));
    }
}

/// The ways in which a transaction can fail.
pub(super) enum Undone<T> {
    /// The transaction had no effect: nothing of it will ever be visible.
    Wholly(StoreError),
    /// The outcome of the commit is unknown: SQLite reports a failure, but after the next opening the transaction may
    /// be there.
    Perhaps(T, StoreError),
}

impl<T> Undone<T> {
    /// Returns the error, without the distinction between the two ways to fail.
    pub(super) fn why(self) -> StoreError {
        let (Undone::Wholly(why) | Undone::Perhaps(_, why)) = self;
        why
    }
}

/// Runs `fill` in one transaction, all of it or nothing.
///
/// Begins and ends by plain statements: a full disk makes SQLite roll back by itself, and sqlx, which counts what it
/// began, would then refuse to begin ever again.
///
/// `fill` begins by itself where `begun` is false.
pub(super) async fn transaction<T>(
    connection: &mut SqliteConnection,
    begun: bool,
    fill: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, StoreError>,
) -> Result<T, Undone<T>> {
    if begun {
        let begun = sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await;
        begun.map_err(|why| Undone::Wholly(failed(why)))?;
    }
    let done = match fill(connection).await {
        Ok(filled) => match sqlx::query("COMMIT").execute(&mut *connection).await {
            Ok(_) => Ok(filled),
            Err(why) => Err(Undone::Perhaps(filled, failed(why))),
        },
        Err(why) => Err(Undone::Wholly(why)),
    };
    if done.is_err() {
        // Fails where SQLite was faster.
        let _ = sqlx::query("ROLLBACK").execute(connection).await;
    }
    done
}

/// An entry that is going to be written: the columns of the table `event`.
#[derive(serde::Serialize)]
struct EventRow<'a>(&'a str, i64, i64, &'a str, Option<&'a str>, Option<i64>, u32, String, i64);

macro_rules! entries {
    () => {
        "INSERT OR ROLLBACK INTO event (seating, ver, at_ms, person, cmd, spent_ms, format, body, sum)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
                value ->> 7, value ->> 8
            FROM json_each(?);"
    };
}

macro_rules! ends {
    () => {
        "INSERT OR ROLLBACK INTO tip (seating, ver, sum, at_ms)
            SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true
            ON CONFLICT (seating) DO UPDATE
                SET ver = excluded.ver, sum = excluded.sum, at_ms = excluded.at_ms;"
    };
}

macro_rules! numbers {
    () => {
        "INSERT OR ROLLBACK INTO hall (key, value) VALUES ('commits', ?), ('mark', ?)
            ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    };
}

/// The combined changes of a group, before it is written.
struct Changes<'a> {
    /// The ends of logs as they will be after the commit.
    ends: &'a mut HashMap<String, End>,
    commit: u64,
    /// Tables whose ends are new.
    changed: Vec<&'a str>,
    lines: Vec<EventRow<'a>>,
    sat: HashSet<(&'a str, &'a str)>,
    awake: HashSet<&'a str>,
    /// Games that have ended, and tables at which a game that had ended goes on.
    ended: Vec<&'a games::NewRow>,
    reopened: BTreeSet<&'a str>,
}

impl<'a> Changes<'a> {
    /// Reads the rows that the group depends on.
    async fn new(
        connection: &mut SqliteConnection,
        ends: &'a mut HashMap<String, End>,
        commit: u64,
        group: &'a [Job],
    ) -> Result<Changes<'a>, StoreError> {
        let mut unknown = HashSet::new();
        for job in group {
            let (What::Append { id, .. } | What::Sleep { id, .. } | What::Wake { id }) = &job.what else {
                continue;
            };
            if !ends.contains_key(id) {
                unknown.insert(id.as_str());
            }
        }
        ends.extend(read_ends(connection, &unknown).await?);
        Ok(Changes {
            ends,
            commit,
            changed: Vec::new(),
            lines: Vec::with_capacity(group.len()),
            sat: HashSet::new(),
            awake: HashSet::new(),
            ended: Vec::new(),
            reopened: BTreeSet::new(),
        })
    }

    fn end(&self, id: &str) -> Result<End, StoreError> {
        self.ends.get(id).copied().ok_or(StoreError::Missing)
    }

    fn set_end(&mut self, id: &'a str, end: End) {
        if end.commit != self.commit {
            self.changed.push(id);
        }
        let end = End { commit: self.commit, ..end };
        match self.ends.get_mut(id) {
            Some(known) => *known = end,
            None => drop(self.ends.insert(id.to_owned(), end)),
        }
    }

    /// Adds one job to the changes, and writes the parts that are not written together.
    async fn take(&mut self, connection: &mut SqliteConnection, what: &'a What) -> Result<Reply, StoreError> {
        match what {
            What::Create { id, setup, log, standing } => {
                self.create(connection, id, setup, log, standing).await?;
            }
            What::Append { id, entry, standing, ended, asleep } => {
                self.append(connection, id, entry, standing.as_ref()).await?;
                self.ended.extend(ended.as_deref());
                if let Some(asleep) = asleep {
                    self.sleep(connection, id, *asleep).await?;
                }
            }
            What::Sleep { id, asleep } => self.sleep(connection, id, *asleep).await?,
            What::Wake { id } => {
                let end = self.end(id)?;
                if end.asleep {
                    self.awake.insert(id);
                    self.set_end(id, End { asleep: false, ..end });
                }
            }
            // The commit itself writes a row.
            What::Probe | What::Close => {}
            other => return desk::carry_out(connection, other).await,
        }
        Ok(Box::new(()))
    }

    async fn create(
        &mut self,
        connection: &mut SqliteConnection,
        id: &'a str,
        setup: &Setup,
        log: &'a [Entry],
        standing: &'a Standing,
    ) -> Result<(), StoreError> {
        if !log.iter().zip(1..).all(|(entry, ver)| entry.ver == ver) {
            return Err(StoreError::Conflict);
        }
        let body = format::write_setup(setup);
        sqlx::query(
            "INSERT INTO seating (id, format, setup, created_ms, stage, first, second, room, map)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(id)
        .bind(format::NEWEST)
        .bind(&body)
        .bind(number(setup.created_ms))
        .bind(standing.stage as i64)
        .bind(&standing.seats[0])
        .bind(&standing.seats[1])
        .bind(setup.room.as_deref().map(::people::name::fold))
        .bind(setup.map.as_ref().map(|map| &map.id))
        .execute(connection)
        .await
        .map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })?;
        let sum = chain::start(id, format::NEWEST, &body);
        self.set_end(id, End { ver: 0, sum, at_ms: setup.created_ms, asleep: false, commit: 0 });
        self.note_sat(id, standing);
        for entry in log {
            self.push(id, entry)?;
        }
        Ok(())
    }

    async fn append(
        &mut self,
        connection: &mut SqliteConnection,
        id: &'a str,
        entry: &'a Entry,
        standing: Option<&'a Standing>,
    ) -> Result<(), StoreError> {
        let end = self.end(id)?;
        if entry.ver != end.ver + 1 {
            return Err(StoreError::Conflict);
        }
        if let Some(standing) = standing {
            counts::stand(connection, id, standing).await?;
            self.note_sat(id, standing);
            if standing.stage != Stage::Over && matches!(entry.event, Event::Withdraw { .. }) {
                self.reopened.insert(id);
            }
        }
        self.push(id, entry)
    }

    fn note_sat(&mut self, id: &'a str, standing: &'a Standing) {
        // Ids of programs have a hyphen, which those of people have not.
        let seated = standing.seats.iter().flatten().filter(|person| !person.contains('-'));
        self.sat.extend(seated.map(|person| (person.as_str(), id)));
    }

    /// Appends an entry to the changes, after the last one of its table.
    fn push(&mut self, id: &'a str, entry: &'a Entry) -> Result<(), StoreError> {
        let end = self.end(id)?;
        let body = format::write_event(&entry.event);
        let person = entry.cmd.as_ref().map_or("", |cmd| cmd.person.as_str());
        let cmd = entry.cmd.as_ref().map(|cmd| cmd.id.as_str());
        let link = Link {
            ver: entry.ver,
            at_ms: entry.at_ms,
            person,
            cmd,
            spent_ms: entry.spent_ms,
            format: format::NEWEST,
            body: &body,
        };
        let sum = chain::link(end.sum, id, &link);
        if let Event::Sit { who, .. } = &entry.event
            && who.engine.is_none()
        {
            self.sat.insert((who.id.as_str(), id));
        }
        if end.asleep {
            self.awake.insert(id);
        }
        self.set_end(id, End { ver: entry.ver, sum, at_ms: entry.at_ms, asleep: false, ..end });
        self.lines.push(EventRow(
            id,
            number(entry.ver),
            entry.at_ms.cast_signed(),
            person,
            cmd,
            entry.spent_ms.map(u64::cast_signed),
            format::NEWEST,
            body,
            sum.cast_signed(),
        ));
        Ok(())
    }

    async fn sleep(
        &mut self,
        connection: &mut SqliteConnection,
        id: &'a str,
        asleep: Asleep,
    ) -> Result<(), StoreError> {
        let end = self.end(id)?;
        slow::sleep(connection, id, asleep).await?;
        self.awake.remove(id);
        self.set_end(id, End { asleep: true, ..end });
        Ok(())
    }

    /// Writes the changes of the group, beginning the transaction where that has not been done: one query, however
    /// many jobs, because each is two switches between threads. Rows travel as JSON, as one value for each table; a
    /// violated constraint fails the whole group, so that SQLite need not be able to undo a statement alone.
    async fn write(
        self,
        connection: &mut SqliteConnection,
        begin: bool,
        mark: u64,
    ) -> Result<(), StoreError> {
        let ends = &*self.ends;
        let ends = self.changed.iter().filter_map(|id| {
            let end = ends.get(*id)?;
            Some((*id, number(end.ver), end.sum.cast_signed(), number(end.at_ms)))
        });
        let ends: Vec<_> = ends.collect();
        let sql = match (begin, self.lines.is_empty()) {
            (true, _) => concat!("BEGIN IMMEDIATE;", entries!(), ends!(), numbers!()),
            (false, false) => concat!(entries!(), ends!(), numbers!()),
            (false, true) => concat!(ends!(), numbers!()),
        };
        let mut query = sqlx::query(sql);
        if begin || !self.lines.is_empty() {
            query = query.bind(json(&self.lines));
        }
        let query = query.bind(json(&ends)).bind(number(self.commit)).bind(number(mark));
        query.execute(&mut *connection).await.map_err(|e| {
            if unique(&e) { StoreError::Failed(format!("the end of a log is wrong: {e}")) } else { failed(e) }
        })?;
        if !self.sat.is_empty() {
            let sql = "INSERT OR IGNORE INTO sat (person, seating)
                SELECT value ->> 0, value ->> 1 FROM json_each(?)";
            sqlx::query(sql).bind(json(&self.sat)).execute(&mut *connection).await.map_err(failed)?;
        }
        if !self.awake.is_empty() {
            let sql = "DELETE FROM asleep WHERE seating IN (SELECT value FROM json_each(?))";
            sqlx::query(sql).bind(json(&self.awake)).execute(&mut *connection).await.map_err(failed)?;
        }
        games::write(connection, &self.reopened, &self.ended).await
    }
}

fn json(texts: &impl serde::Serialize) -> String {
    serde_json::to_string(texts).expect("texts are always JSON")
}

/// Reads the ends of the logs that are not in memory.
async fn read_ends(
    connection: &mut SqliteConnection,
    ids: &HashSet<&str>,
) -> Result<HashMap<String, End>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = "SELECT t.seating, t.ver, t.sum, t.at_ms, a.seating IS NOT NULL
        FROM json_each(?) w CROSS JOIN tip t ON t.seating = w.value LEFT JOIN asleep a ON a.seating = t.seating";
    let rows = sqlx::query(sql).bind(json(ids)).fetch_all(connection).await.map_err(failed)?;
    let end = |row: sqlx::sqlite::SqliteRow| {
        let end = End {
            ver: row.try_get::<i64, _>(1)?.cast_unsigned(),
            sum: row.try_get::<i64, _>(2)?.cast_unsigned(),
            at_ms: row.try_get::<i64, _>(3)?.cast_unsigned(),
            asleep: row.try_get(4)?,
            commit: 0,
        };
        Ok((row.try_get(0)?, end))
    };
    rows.into_iter().map(end).collect::<Result<_, sqlx::Error>>().map_err(failed)
}
