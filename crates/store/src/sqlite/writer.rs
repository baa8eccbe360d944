//! All writing: one task, one connection, commits in groups.
//!
//! A commit waits for the disk (about 4 ms where this was measured), whether it holds one entry or a hundred. So one
//! task owns the only writing connection: while a commit waits, the next entries queue up, and all of them go into the
//! next commit. Nobody is answered before the commit that holds their entry is on disk.
//!
//! Statements are what a group costs beside the disk, so a group is written by few: the ends of the logs it touches
//! are kept in memory, and entries, checksums and ends go in by one statement each. What does not fit (a version, a
//! command seen before, a name that is taken) is refused alone; the others of its group are not harmed.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use sqlx::{Connection, QueryBuilder, Row, SqliteConnection, SqlitePool};
use table::{Entry, Event, Setup, Standing};
use tokio::sync::{mpsc, oneshot, watch};

use super::{failed, maps, number, open, people, unique, upkeep};
use crate::chain::{self, Row as Link};
use crate::tip::{self, Tip};
use crate::{Adoption, Asleep, Forgotten, MapRoom, NewMap, NewPerson, Retention, StoreError, format};

/// Entries of one commit at most.
const GROUP: usize = 256;
/// Entries that may wait for the writer; beyond that, tables wait.
pub(super) const QUEUE: usize = 4096;
/// Ends of logs that are remembered, some hundred bytes each.
const ENDS: usize = 20_000;

/// Something for the writer, and whom to tell.
pub(super) struct Job {
    pub(super) what: What,
    pub(super) done: oneshot::Sender<Result<Reply, StoreError>>,
}

pub(super) enum What {
    Create { id: String, setup: Setup, log: Vec<Entry>, standing: Standing },
    Append { id: String, entry: Entry, standing: Option<Standing> },
    Sleep { id: String, asleep: Asleep },
    Wake { id: String },
    Strike { id: String },
    Pardon { id: String },
    Beat { now_ms: u64 },
    Enroll { person: Box<NewPerson> },
    Seen { hash: [u8; 32], now_ms: u64 },
    Rename { person: String, name: Option<String>, folded: Option<String> },
    Adopt { old_id: String, new_id: String, hash: [u8; 32], now_ms: u64 },
    KeepMap { map: Box<NewMap>, room: MapRoom },
    KeepReport { id: String, ver: u64, body: String },
    Forget { retention: Retention, now_ms: u64 },
    Probe,
    Close,
}

impl What {
    /// Whether it changes logs by other ways than appending, so that it is committed alone.
    fn is_alone(&self) -> bool {
        matches!(self, What::Adopt { .. } | What::Forget { .. })
    }
}

pub(super) enum Reply {
    Done,
    Strikes(u32),
    Adopted(Adoption),
    Forgot(Forgotten),
}

/// The end of a log.
#[derive(Clone, Copy)]
struct End {
    ver: u64,
    sum: u64,
    at_ms: u64,
    asleep: bool,
}

pub(super) struct Writer {
    pub(super) folder: PathBuf,
    /// `None` while the disk is too full to write.
    pub(super) connection: Option<SqliteConnection>,
    pub(super) readers: watch::Sender<SqlitePool>,
    pub(super) read_only: Arc<AtomicBool>,
    /// Commits so far.
    pub(super) commits: u64,
    ends: HashMap<String, End>,
}

impl Writer {
    pub(super) fn new(
        folder: PathBuf,
        connection: Option<SqliteConnection>,
        commits: u64,
        readers: watch::Sender<SqlitePool>,
        read_only: Arc<AtomicBool>,
    ) -> Writer {
        Writer { folder, connection, readers, read_only, commits, ends: HashMap::new() }
    }

    /// Takes what has queued up, commits it, tells everybody, and so on until the store is closed or dropped.
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
        // Whoever still waits is told that the store is closed.
        drop(queue);
        if let Some(connection) = self.connection.take() {
            // Before closing: that writes the log back and deletes it.
            self.note(false, true).await;
            let _ = connection.close().await;
        }
        self.close_readers().await;
        for done in closers {
            let _ = done.send(Ok(Reply::Done));
        }
    }

    /// Commits a group and tells everybody.
    async fn serve(&mut self, group: Vec<Job>) {
        if group.is_empty() {
            return;
        }
        if self.connection.is_none() {
            let probes = group.iter().any(|job| matches!(job.what, What::Probe));
            if !probes || self.write_again().await.is_err() {
                for job in group {
                    let _ = job.done.send(Err(StoreError::DiskFull));
                }
                return;
            }
        }
        let begun = Instant::now();
        let all = self.commit(&group).await;
        metrics::histogram!("hall_commit_seconds").record(begun.elapsed().as_secs_f64());
        metrics::counter!("hall_commits_total").increment(1);
        let alone = group.len() == 1;
        match all {
            Ok(replies) => {
                for (job, reply) in group.into_iter().zip(replies) {
                    let _ = job.done.send(reply);
                }
            }
            Err(why) if alone => {
                for job in group {
                    let _ = job.done.send(Err(why.clone()));
                }
            }
            // Something spoiled the group: each for itself, so that only the culprit is refused.
            Err(_) => {
                for job in group {
                    let reply = self.commit(std::slice::from_ref(&job)).await;
                    let reply = reply.and_then(|mut replies| replies.pop().unwrap_or(Ok(Reply::Done)));
                    let _ = job.done.send(reply);
                }
            }
        }
    }

    /// Tells the file beside the database how far it is. A file that cannot be written does not stop the hall: the
    /// older counter in it is true, too.
    async fn note(&self, running: bool, durably: bool) {
        let (folder, tip) = (self.folder.clone(), Tip { running, commits: self.commits });
        let _ = tokio::task::spawn_blocking(move || tip::write(&folder, tip, durably)).await;
    }

    async fn close_readers(&self) {
        let readers = self.readers.borrow().clone();
        readers.close().await;
    }

    /// Opens the database for writing after the disk was full.
    async fn write_again(&mut self) -> Result<(), StoreError> {
        self.close_readers().await;
        let opened = open::writing(&self.folder).await;
        let (connection, readers, result) = match opened {
            Ok(opened) => {
                self.commits = opened.commits;
                (Some(opened.connection), open::readers(&self.folder), Ok(()))
            }
            Err(why) => (None, open::only_reader(&self.folder), Err(why)),
        };
        self.read_only.store(connection.is_none(), Ordering::Relaxed);
        self.connection = connection;
        self.readers.send_replace(readers);
        result
    }

    /// The group in one transaction. What does not fit is refused and left out; an error means that nothing of the
    /// group was stored.
    async fn commit(&mut self, group: &[Job]) -> Result<Vec<Result<Reply, StoreError>>, StoreError> {
        let Some(connection) = &mut self.connection else { return Err(StoreError::DiskFull) };
        let (ends, commits) = (&self.ends, self.commits + 1);
        let (replies, new_ends) = transaction(connection, async |connection| {
            let mut changes = Changes::new(connection, ends, group).await?;
            let mut replies = Vec::with_capacity(group.len());
            for job in group {
                match changes.take(connection, &job.what).await {
                    Ok(reply) => replies.push(Ok(reply)),
                    Err(why @ (StoreError::Failed(_) | StoreError::DiskFull | StoreError::Damaged(_))) => {
                        return Err(why);
                    }
                    Err(refused) => replies.push(Err(refused)),
                }
            }
            let new_ends = changes.write(connection).await?;
            count(connection, "commits", commits).await?;
            Ok((replies, new_ends))
        })
        .await?;
        self.commits = commits;
        // Before anybody is told, so that no acknowledged commit goes missing in silence. Once a second it waits for the
        // disk; in between the counter outlives the hall, though not the machine.
        self.note(true, group.iter().any(|job| matches!(job.what, What::Beat { .. }))).await;
        if self.ends.len() + new_ends.len() > ENDS {
            self.ends.clear();
        }
        self.ends.extend(new_ends);
        Ok(replies)
    }
}

/// All of it in one transaction, or nothing.
///
/// Begins and ends by plain statements: a full disk makes SQLite roll back by itself, and sqlx, which counts what it
/// began, would then refuse to begin ever again.
pub(super) async fn transaction<T>(
    connection: &mut SqliteConnection,
    fill: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await.map_err(failed)?;
    let mut done = fill(connection).await;
    if done.is_ok()
        && let Err(why) = sqlx::query("COMMIT").execute(&mut *connection).await
    {
        done = Err(failed(why));
    }
    if done.is_err() {
        // Fails where SQLite was faster.
        let _ = sqlx::query("ROLLBACK").execute(connection).await;
    }
    done
}

/// Sets a number of the table `hall`.
pub(super) async fn count(
    connection: &mut SqliteConnection,
    key: &'static str,
    value: u64,
) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO hall (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
    sqlx::query(sql).bind(key).bind(number(value)).execute(connection).await.map(|_| ()).map_err(failed)
}

/// An entry that is going to be written.
struct Line<'a> {
    id: &'a str,
    entry: &'a Entry,
    body: String,
    sum: u64,
}

/// What a group adds up to, before it is written.
struct Changes<'a> {
    known: &'a HashMap<String, End>,
    read: HashMap<String, End>,
    ends: HashMap<&'a str, End>,
    /// Commands that were fulfilled before, by table, person and id.
    fulfilled: HashMap<(&'a str, &'a str, &'a str), u64>,
    lines: Vec<Line<'a>>,
    sat: HashSet<(&'a str, &'a str)>,
    awake: HashSet<&'a str>,
}

impl<'a> Changes<'a> {
    /// Reads what has to be known about the group.
    async fn new(
        connection: &mut SqliteConnection,
        known: &'a HashMap<String, End>,
        group: &'a [Job],
    ) -> Result<Changes<'a>, StoreError> {
        let mut unknown = HashSet::new();
        let mut commands = Vec::new();
        for job in group {
            let id = match &job.what {
                What::Append { id, entry, .. } => {
                    if let Some(cmd) = &entry.cmd {
                        commands.push((id.as_str(), cmd.person.as_str(), cmd.id.as_str()));
                    }
                    id
                }
                What::Sleep { id, .. } | What::Wake { id } => id,
                _ => continue,
            };
            if !known.contains_key(id) {
                unknown.insert(id.as_str());
            }
        }
        let read = read_ends(connection, &unknown).await?;
        let fulfilled = fulfilled(connection, &commands).await?;
        Ok(Changes {
            known,
            read,
            ends: HashMap::new(),
            fulfilled,
            lines: Vec::with_capacity(group.len()),
            sat: HashSet::new(),
            awake: HashSet::new(),
        })
    }

    fn end(&self, id: &str) -> Result<End, StoreError> {
        let end = self.ends.get(id).or_else(|| self.known.get(id)).or_else(|| self.read.get(id));
        end.copied().ok_or(StoreError::Missing)
    }

    /// Fits one job in, and writes what is not written together.
    async fn take(&mut self, connection: &mut SqliteConnection, what: &'a What) -> Result<Reply, StoreError> {
        match what {
            What::Create { id, setup, log, standing } => {
                self.create(connection, id, setup, log, standing).await?;
            }
            What::Append { id, entry, standing } => {
                self.append(connection, id, entry, standing.as_ref()).await?;
            }
            What::Sleep { id, asleep } => self.sleep(connection, id, *asleep).await?,
            What::Wake { id } => {
                let end = self.end(id)?;
                if end.asleep {
                    self.awake.insert(id);
                    self.ends.insert(id, End { asleep: false, ..end });
                }
            }
            What::Strike { id } => return strike(connection, id).await,
            What::Pardon { id } => {
                let query = sqlx::query("UPDATE seating SET strikes = 0 WHERE id = ?").bind(id);
                query.execute(connection).await.map_err(failed)?;
            }
            What::Beat { now_ms } => count(connection, "beat_ms", *now_ms).await?,
            What::Enroll { person } => people::enroll(connection, person).await?,
            What::Seen { hash, now_ms } => people::seen(connection, hash, *now_ms).await?,
            What::Rename { person, name, folded } => {
                people::rename(connection, person, name.as_deref(), folded.as_deref()).await?;
            }
            What::Adopt { old_id, new_id, hash, now_ms } => {
                return people::adopt(connection, old_id, new_id, hash, *now_ms).await.map(Reply::Adopted);
            }
            What::KeepMap { map, room } => maps::keep(connection, map, *room).await?,
            What::KeepReport { id, ver, body } => keep_report(connection, id, *ver, body).await?,
            What::Forget { retention, now_ms } => {
                return upkeep::forget(connection, *retention, *now_ms).await.map(Reply::Forgot);
            }
            // The commit itself writes a row.
            What::Probe | What::Close => {}
        }
        Ok(Reply::Done)
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
        let mut commands = HashMap::new();
        for entry in log {
            if let Some(cmd) = &entry.cmd
                && let Some(ver) = commands.insert((cmd.person.as_str(), cmd.id.as_str()), entry.ver)
            {
                return Err(StoreError::Repeated(ver));
            }
        }
        let body = format::write_setup(setup);
        sqlx::query(
            "INSERT INTO seating (id, format, setup, created_ms, stage, first, second, room)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(id)
        .bind(format::NEWEST)
        .bind(&body)
        .bind(number(setup.created_ms))
        .bind(standing.stage as i64)
        .bind(&standing.seats[0])
        .bind(&standing.seats[1])
        .bind(setup.room.as_deref().map(::people::name::fold))
        .execute(connection)
        .await
        .map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })?;
        let sum = chain::start(id, format::NEWEST, &body);
        self.ends.insert(id, End { ver: 0, sum, at_ms: setup.created_ms, asleep: false });
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
        if let Some(cmd) = &entry.cmd
            && let Some(ver) = self.fulfilled.get(&(id, cmd.person.as_str(), cmd.id.as_str()))
        {
            return Err(StoreError::Repeated(*ver));
        }
        if entry.ver != end.ver + 1 {
            return Err(StoreError::Conflict);
        }
        if let Some(standing) = standing {
            stand(connection, id, standing).await?;
            self.note_sat(id, standing);
        }
        self.push(id, entry)
    }

    fn note_sat(&mut self, id: &'a str, standing: &'a Standing) {
        // Ids of programs have a hyphen, which those of people have not.
        let seated = standing.seats.iter().flatten().filter(|person| !person.contains('-'));
        self.sat.extend(seated.map(|person| (person.as_str(), id)));
    }

    /// Puts an entry after the last one of its table.
    fn push(&mut self, id: &'a str, entry: &'a Entry) -> Result<(), StoreError> {
        let end = self.end(id)?;
        let body = format::write_event(&entry.event);
        let link = Link {
            ver: entry.ver,
            at_ms: entry.at_ms,
            person: entry.cmd.as_ref().map_or("", |cmd| cmd.person.as_str()),
            cmd: entry.cmd.as_ref().map(|cmd| cmd.id.as_str()),
            spent_ms: entry.spent_ms,
            format: format::NEWEST,
            body: &body,
        };
        let sum = chain::link(end.sum, id, &link);
        if let Some(cmd) = &entry.cmd {
            self.fulfilled.insert((id, cmd.person.as_str(), cmd.id.as_str()), entry.ver);
        }
        if let Event::Sit { who, .. } = &entry.event
            && who.engine.is_none()
        {
            self.sat.insert((who.id.as_str(), id));
        }
        if end.asleep {
            self.awake.insert(id);
        }
        self.ends.insert(id, End { ver: entry.ver, sum, at_ms: entry.at_ms, asleep: false });
        self.lines.push(Line { id, entry, body, sum });
        Ok(())
    }

    async fn sleep(
        &mut self,
        connection: &mut SqliteConnection,
        id: &'a str,
        asleep: Asleep,
    ) -> Result<(), StoreError> {
        let end = self.end(id)?;
        let sql = "INSERT INTO asleep (seating, since_ms, deadline_ms) VALUES (?, ?, ?)
            ON CONFLICT (seating) DO UPDATE SET since_ms = excluded.since_ms, deadline_ms = excluded.deadline_ms";
        let query = sqlx::query(sql).bind(id).bind(number(asleep.since_ms)).bind(number(asleep.deadline_ms));
        query.execute(connection).await.map_err(failed)?;
        self.awake.remove(id);
        self.ends.insert(id, End { asleep: true, ..end });
        Ok(())
    }

    /// Writes what the group adds up to; few statements, however many jobs.
    async fn write(self, connection: &mut SqliteConnection) -> Result<Vec<(String, End)>, StoreError> {
        for part in self.lines.chunks(GROUP) {
            insert(connection, part).await?;
        }
        let ends: Vec<(&str, End)> = self.ends.into_iter().collect();
        for part in ends.chunks(GROUP) {
            let mut query = QueryBuilder::new("INSERT INTO tip (seating, ver, sum, at_ms) ");
            query.push_values(part, |mut row, (id, end)| {
                row.push_bind(*id)
                    .push_bind(number(end.ver))
                    .push_bind(end.sum.cast_signed())
                    .push_bind(number(end.at_ms));
            });
            query.push(
                " ON CONFLICT (seating) DO UPDATE SET ver = excluded.ver, sum = excluded.sum, at_ms = excluded.at_ms",
            );
            query.build().execute(&mut *connection).await.map_err(failed)?;
        }
        let sat: Vec<_> = self.sat.into_iter().collect();
        for part in sat.chunks(GROUP) {
            let mut query = QueryBuilder::new("INSERT OR IGNORE INTO sat (person, seating) ");
            query.push_values(part, |mut row, (person, id)| {
                row.push_bind(*person).push_bind(*id);
            });
            query.build().execute(&mut *connection).await.map_err(failed)?;
        }
        if !self.awake.is_empty() {
            let sql = "DELETE FROM asleep WHERE seating IN (SELECT value FROM json_each(?))";
            sqlx::query(sql).bind(json(&self.awake)).execute(connection).await.map_err(failed)?;
        }
        Ok(ends.into_iter().map(|(id, end)| (id.to_owned(), end)).collect())
    }
}

fn json(texts: &impl serde::Serialize) -> String {
    serde_json::to_string(texts).expect("texts are always JSON")
}

/// The ends of the logs that are not remembered.
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
        };
        Ok((row.try_get(0)?, end))
    };
    rows.into_iter().map(end).collect::<Result<_, sqlx::Error>>().map_err(failed)
}

/// Which of these commands, each of a table and a person, were fulfilled before, and by which version.
async fn fulfilled<'a>(
    connection: &mut SqliteConnection,
    commands: &[(&'a str, &'a str, &'a str)],
) -> Result<HashMap<(&'a str, &'a str, &'a str), u64>, StoreError> {
    if commands.is_empty() {
        return Ok(HashMap::new());
    }
    // Rows of the time before persons were written down have an empty one.
    let sql = "SELECT w.key, e.ver FROM json_each(?) w CROSS JOIN event e
        ON e.seating = w.value ->> 0 AND e.person IN (w.value ->> 1, '') AND e.cmd = w.value ->> 2";
    let rows = sqlx::query(sql).bind(json(&commands)).fetch_all(connection).await.map_err(failed)?;
    let mut found = HashMap::new();
    for row in rows {
        let at: i64 = row.try_get(0).map_err(failed)?;
        let ver: i64 = row.try_get(1).map_err(failed)?;
        if let Some(command) = usize::try_from(at).ok().and_then(|at| commands.get(at)) {
            found.insert(*command, ver.cast_unsigned());
        }
    }
    Ok(found)
}

/// Many entries with one statement; SQLite spends most of its time per statement.
async fn insert(connection: &mut SqliteConnection, lines: &[Line<'_>]) -> Result<(), StoreError> {
    let mut query = QueryBuilder::new(
        "INSERT INTO event (seating, ver, at_ms, person, cmd, spent_ms, format, body, sum) ",
    );
    query.push_values(lines, |mut row, Line { id, entry, body, sum }| {
        row.push_bind(*id)
            .push_bind(number(entry.ver))
            .push_bind(entry.at_ms.cast_signed())
            .push_bind(entry.cmd.as_ref().map_or("", |cmd| cmd.person.as_str()))
            .push_bind(entry.cmd.as_ref().map(|cmd| cmd.id.as_str()))
            .push_bind(entry.spent_ms.map(u64::cast_signed))
            .push_bind(format::NEWEST)
            .push_bind(body.as_str())
            .push_bind(sum.cast_signed());
    });
    let done = query.build().execute(connection).await;
    done.map_err(|e| {
        if unique(&e) { StoreError::Failed(format!("the end of a log is wrong: {e}")) } else { failed(e) }
    })?;
    Ok(())
}

async fn stand(connection: &mut SqliteConnection, id: &str, standing: &Standing) -> Result<(), StoreError> {
    sqlx::query("UPDATE seating SET stage = ?, first = ?, second = ? WHERE id = ?")
        .bind(standing.stage as i64)
        .bind(&standing.seats[0])
        .bind(&standing.seats[1])
        .bind(id)
        .execute(connection)
        .await
        .map(|_| ())
        .map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })
}

async fn strike(connection: &mut SqliteConnection, id: &str) -> Result<Reply, StoreError> {
    let query =
        sqlx::query("UPDATE seating SET strikes = strikes + 1 WHERE id = ? RETURNING strikes").bind(id);
    let row = query.fetch_optional(connection).await.map_err(failed)?.ok_or(StoreError::Missing)?;
    Ok(Reply::Strikes(row.try_get(0).map_err(failed)?))
}

async fn keep_report(
    connection: &mut SqliteConnection,
    id: &str,
    ver: u64,
    body: &str,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO report (seating, ver, body) VALUES (?, ?, ?)
        ON CONFLICT (seating) DO UPDATE SET ver = excluded.ver, body = excluded.body";
    let query = sqlx::query(sql).bind(id).bind(number(ver)).bind(body);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}
