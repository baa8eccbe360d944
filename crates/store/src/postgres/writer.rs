//! All writing: several lanes for the logs of tables, and a desk for everything else.
//!
//! A table always has the same lane. While the commit of a lane waits for the disk, the next entries queue up, and
//! all of them go into its next commit. Moves, which are nearly everything, go in by one statement that is its own
//! transaction: it moves the ends of the logs it knows, where this node still owns the tables and is not buried, and
//! inserts the entries of exactly those. All other changes of a table, and all requests to the desk, go in one
//! transaction for a group, each with a savepoint of its own, so that one that is refused does not affect the others.
//!
//! The outcome of a commit whose connection ends before the answer comes is looked up: an entry by its checksum, a
//! transaction by its number. No caller gets a guess.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection, Row};
use table::{Entry, Event, Setup, Stage, Standing};
use tokio::sync::mpsc;

use super::db::{failed, is_lost, number, unique};
use super::open;
use super::sql::desk::{self, Job, What};
use super::sql::{counts, games, slow};
use crate::chain::{self, Row as Link};
use crate::work::{DESKS, Desk, Reply};
use crate::{Folded, StoreError, format};

/// The most entries of one commit.
const GROUP: usize = 256;
/// The most jobs that may wait for a lane; beyond that, tables wait.
pub(super) const QUEUE: usize = 4096;
/// The number of lanes of one node.
pub(super) const LANES: usize = 3;
/// The most ends of logs that are kept in memory.
const ENDS: usize = 50_000;
/// The time to wait for a database that does not answer; then the callers are told that their requests failed.
const PATIENCE: Duration = Duration::from_secs(25);
/// The advisory lock that programs before the desks took, alone: each holder of one of the [desks](Desk) shares it.
const DESK_LOCK: i64 = 0x7169_6775_616e_0002;
/// The lock of the first desk; those of the others follow.
const FIRST_DESK: i64 = 0x7169_6775_616e_0100;

/// The desks that a job needs, in their order.
fn desks(what: &What) -> &'static [Desk] {
    match what {
        What::Work(work) => work.desks(),
        What::Append { entry, ended, .. } => {
            let counts = ended.is_some() || matches!(entry.event, Event::Withdraw { .. });
            if counts { &[Desk::Games] } else { &[] }
        }
        // Who folds locks the log, and counts nothing.
        What::Create { .. } | What::Sleep { .. } | What::Wake { .. } | What::Fold { .. } => &[],
        What::Beat { .. } | What::Probe => &[Desk::Hall],
        What::Resume { .. } | What::Close => DESKS,
    }
}

/// The state that all lanes and the desk of a node share.
pub(super) struct Shared {
    pub(super) options: PgConnectOptions,
    /// The incarnation of this node.
    pub(super) me: String,
    /// The ends of the logs of this node's tables.
    ends: Mutex<HashMap<String, End>>,
    pub(super) read_only: AtomicBool,
    /// True if others have buried this node, or it has left.
    pub(super) fenced: AtomicBool,
    /// The largest count of heartbeats that was seen.
    pub(super) seen: AtomicU64,
}

/// The end of a log of which this node is the owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct End {
    ver: u64,
    sum: u64,
    at_ms: u64,
    epoch: i64,
}

impl Shared {
    pub(super) fn new(options: PgConnectOptions, me: String) -> Shared {
        Shared {
            options,
            me,
            ends: Mutex::default(),
            read_only: AtomicBool::new(false),
            fenced: AtomicBool::new(false),
            seen: AtomicU64::new(0),
        }
    }

    /// Returns true if this node has that table, as far as it knows.
    pub(super) fn has(&self, id: &str) -> bool {
        self.ends().contains_key(id)
    }

    /// Forgets what is known about a table.
    pub(super) fn forget(&self, id: &str) {
        self.ends().remove(id);
    }

    fn set(&self, id: &str, end: End) {
        let mut ends = self.ends();
        // What is forgotten is read again.
        if ends.len() >= ENDS && !ends.contains_key(id) {
            ends.clear();
        }
        match ends.get_mut(id) {
            Some(known) => *known = end,
            None => drop(ends.insert(id.to_owned(), end)),
        }
    }

    fn ends(&self) -> std::sync::MutexGuard<'_, HashMap<String, End>> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A lane, or the desk.
pub(super) struct Lane {
    shared: Arc<Shared>,
    connection: Option<PgConnection>,
    is_desk: bool,
}

/// An entry that is to be written, with its checksum.
struct EntryRow<'a> {
    id: &'a str,
    entry: &'a Entry,
    body: String,
    sum: u64,
}

/// The entries that the plain appends of a group add to one log.
struct Growth<'a> {
    before: End,
    after: End,
    lines: Vec<EntryRow<'a>>,
    /// Places in the group.
    jobs: Vec<usize>,
}

type Answer = Result<Reply, StoreError>;

impl Lane {
    pub(super) fn new(shared: Arc<Shared>, is_desk: bool) -> Lane {
        Lane { shared, connection: None, is_desk }
    }

    /// Takes the queued jobs, commits them, answers them, and repeats that until the store is closed or dropped.
    pub(super) async fn run(mut self, mut queue: mpsc::Receiver<Job>) {
        let mut jobs = Vec::with_capacity(GROUP);
        while queue.recv_many(&mut jobs, GROUP).await > 0 {
            let begun = Instant::now();
            let mut closer = None;
            if let Some(at) = jobs.iter().position(|job| matches!(job.what, What::Close)) {
                closer = Some(jobs.split_off(at));
            }
            if !jobs.is_empty() {
                let answers = self.serve(&jobs).await;
                metrics::histogram!("hall_commit_seconds").record(begun.elapsed().as_secs_f64());
                metrics::counter!("hall_commits_total").increment(1);
                for (job, answer) in jobs.drain(..).zip(answers) {
                    let _ = job.done.send(answer);
                }
            }
            if let Some(closer) = closer {
                if let Some(connection) = self.connection.take() {
                    let _ = connection.close().await;
                }
                for job in closer {
                    let _ = job.done.send(Ok(Box::new(())));
                }
                return;
            }
        }
    }

    async fn serve(&mut self, group: &[Job]) -> Vec<Answer> {
        let mut answers: Vec<Option<Answer>> = group.iter().map(|_| None).collect();
        let (plain, rest): (Vec<usize>, Vec<usize>) =
            (0..group.len()).partition(|at| !self.is_desk && is_plain(&group[*at].what));
        if !plain.is_empty() {
            self.append_all(group, &plain, &mut answers).await;
        }
        if !rest.is_empty() {
            self.transact(group, &rest, &mut answers).await;
        }
        let full = |answer: &Option<Answer>| matches!(answer, Some(Err(StoreError::DiskFull)));
        if answers.iter().any(full) {
            self.shared.read_only.store(true, Ordering::Relaxed);
        } else if answers.iter().any(|answer| matches!(answer, Some(Ok(_)))) {
            self.shared.read_only.store(false, Ordering::Relaxed);
        }
        let lost = || Err(StoreError::Failed("the writer has no answer".to_owned()));
        answers.into_iter().map(|answer| answer.unwrap_or_else(lost)).collect()
    }

    /// A connection that works, as far as is known.
    async fn connected(&mut self) -> Result<&mut PgConnection, sqlx::Error> {
        if self.connection.is_none() {
            self.connection = Some(open::connect(&self.shared.options).await?);
        }
        self.connection.as_mut().ok_or(sqlx::Error::WorkerCrashed)
    }

    /// Drops a connection that has failed, and waits a little; returns false after `PATIENCE`.
    async fn again(&mut self, begun: Instant, why: &sqlx::Error) -> bool {
        self.connection = None;
        if begun.elapsed() > PATIENCE {
            return false;
        }
        tracing::warn!(%why, "waiting for the database");
        metrics::counter!("hall_store_waits_total").increment(1);
        tokio::time::sleep(Duration::from_millis(200)).await;
        true
    }

    // Moves.

    /// Appends plain entries: one statement for all of them, and a second one for logs that were changed by others.
    async fn append_all(&mut self, group: &[Job], plain: &[usize], answers: &mut [Option<Answer>]) {
        let begun = Instant::now();
        let mut open: Vec<usize> = plain.to_vec();
        // More rounds only where a connection ended, or a log was rewritten meanwhile.
        while !open.is_empty() {
            let grown = match self.grow(group, &open, answers).await {
                Ok(grown) => grown,
                Err(why) if is_lost(&why) && self.again(begun, &why).await => continue,
                Err(why) => {
                    let why = failed(why);
                    open.iter().for_each(|at| answers[*at] = Some(Err(why.clone())));
                    return;
                }
            };
            if grown.is_empty() {
                return;
            }
            let me = self.shared.me.clone();
            let moved = match self.connected().await {
                Ok(connection) => insert(connection, &me, &grown).await,
                Err(why) => Err(why),
            };
            let moved = match moved {
                Ok(moved) => moved,
                Err(why) if is_lost(&why) => {
                    // The logs say if it was committed: they are read again, and entries that are there are
                    // not written again.
                    for growth in grown.values() {
                        self.shared.forget(growth.lines[0].id);
                    }
                    if self.again(begun, &why).await {
                        continue;
                    }
                    let why = failed(why);
                    grown.values().flat_map(|g| &g.jobs).for_each(|at| answers[*at] = Some(Err(why.clone())));
                    return;
                }
                // A conflict with a transaction that changes several logs.
                Err(why) if is_again(&why) && begun.elapsed() < PATIENCE => continue,
                Err(why) => {
                    let why = failed(why);
                    for growth in grown.values() {
                        self.shared.forget(growth.lines[0].id);
                        growth.jobs.iter().for_each(|at| answers[*at] = Some(Err(why.clone())));
                    }
                    return;
                }
            };
            open.clear();
            for (id, growth) in grown {
                if moved.contains(id) {
                    self.shared.set(id, growth.after);
                    growth.jobs.iter().for_each(|at| answers[*at] = Some(Ok(Box::new(()))));
                } else {
                    // Read again in the next round, which says why; or it fits then.
                    self.shared.forget(id);
                    open.extend(growth.jobs);
                }
            }
            if begun.elapsed() > PATIENCE {
                let why = StoreError::Failed("the end of a log does not stand still".to_owned());
                open.iter().for_each(|at| answers[*at] = Some(Err(why.clone())));
                return;
            }
        }
    }

    /// Computes the additions of the entries at those places to their logs. Entries that do not fit are answered.
    async fn grow<'a>(
        &mut self,
        group: &'a [Job],
        open: &[usize],
        answers: &mut [Option<Answer>],
    ) -> Result<HashMap<&'a str, Growth<'a>>, sqlx::Error> {
        let unknown: BTreeSet<&str> = {
            // A log that nothing fits to is read again: perhaps it is another node's by now.
            let ends = self.shared.ends();
            let mut fits: HashMap<&str, bool> = HashMap::new();
            for at in open {
                let What::Append { id, entry, .. } = &group[*at].what else { continue };
                *fits.entry(id).or_default() |= ends.get(id).is_some_and(|end| entry.ver == end.ver + 1);
            }
            fits.into_iter().filter_map(|(id, fits)| (!fits).then_some(id)).collect()
        };
        let mut refused: HashMap<&str, StoreError> = HashMap::new();
        if !unknown.is_empty() {
            let me = self.shared.me.clone();
            let found = read_ends(self.connected().await?, &unknown).await?;
            for id in unknown {
                match found.get(id) {
                    None => drop(refused.insert(id, StoreError::Missing)),
                    Some((end, owner)) if owner.as_deref() == Some(&me) => self.shared.set(id, *end),
                    Some(_) => {
                        self.shared.forget(id);
                        refused.insert(id, StoreError::Fenced);
                    }
                }
            }
            if !found.is_empty() && !lives(self.connected().await?, &me).await? {
                self.shared.fenced.store(true, Ordering::Relaxed);
                refused.extend(
                    open.iter().filter_map(|at| Some((table_of(&group[*at].what)?, StoreError::Fenced))),
                );
            }
        }
        let mut grown: HashMap<&str, Growth> = HashMap::new();
        let mut settle = Vec::new();
        for at in open {
            let What::Append { id, entry, .. } = &group[*at].what else { continue };
            if let Some(why) = refused.get(id.as_str()) {
                answers[*at] = Some(Err(why.clone()));
                continue;
            }
            let known = grown
                .get(id.as_str())
                .map(|growth| growth.after)
                .or_else(|| self.shared.ends().get(id).copied());
            let Some(end) = known else {
                answers[*at] = Some(Err(StoreError::Fenced));
                continue;
            };
            if entry.ver != end.ver + 1 {
                // Perhaps it was written before the connection ended.
                if entry.ver <= end.ver {
                    settle.push((*at, id.as_str(), entry))
                }
                answers[*at] = Some(Err(StoreError::Conflict));
                continue;
            }
            let line = line(id, entry, end.sum);
            let after = End { ver: entry.ver, sum: line.sum, at_ms: entry.at_ms, ..end };
            let growth = grown.entry(id).or_insert_with(|| Growth {
                before: end,
                after,
                lines: Vec::new(),
                jobs: Vec::new(),
            });
            growth.after = after;
            growth.lines.push(line);
            growth.jobs.push(*at);
        }
        for (at, id, entry) in settle {
            if is_there(self.connected().await?, id, entry).await? {
                answers[at] = Some(Ok(Box::new(())));
            }
        }
        Ok(grown)
    }

    // Everything else.

    /// Carries out jobs in one transaction.
    async fn transact(&mut self, group: &[Job], rest: &[usize], answers: &mut [Option<Answer>]) {
        let begun = Instant::now();
        let mut number_of: Option<String> = None;
        let mut filled: Option<Vec<Answer>> = None;
        loop {
            let tried = async {
                let connection = self.connected().await?;
                // What became of a transaction whose end was not answered.
                if let Some(xid) = number_of.take() {
                    let sql = "SELECT pg_xact_status($1::text::xid8)";
                    let status: Option<String> =
                        sqlx::query(sql).bind(xid).fetch_one(&mut *connection).await?.try_get(0)?;
                    if status.as_deref() == Some("committed") {
                        return Ok(true);
                    }
                }
                filled = None;
                let shared = Arc::clone(&self.shared);
                let connection = self.connection.as_mut().ok_or(sqlx::Error::WorkerCrashed)?;
                let (replies, xid) = fill(connection, &shared, group, rest).await?;
                (filled, number_of) = (Some(replies), Some(xid));
                sqlx::query("COMMIT").execute(&mut *connection).await?;
                Ok(true)
            };
            let why: sqlx::Error = match tried.await {
                Ok(_) => break,
                Err(why) => why,
            };
            rest.iter().filter_map(|at| table_of(&group[*at].what)).for_each(|id| self.shared.forget(id));
            if let Some(connection) = &mut self.connection
                && !is_lost(&why)
            {
                number_of = None;
                let _ = sqlx::query("ROLLBACK").execute(connection).await;
                if is_again(&why) && begun.elapsed() < PATIENCE {
                    continue;
                }
                let why = failed(why);
                rest.iter().for_each(|at| answers[*at] = Some(Err(why.clone())));
                return;
            }
            if !self.again(begun, &why).await {
                let why = failed(why);
                rest.iter().for_each(|at| answers[*at] = Some(Err(why.clone())));
                return;
            }
        }
        // A log that was changed by other ways than appending has other checksums.
        if rest.iter().any(|at| group[*at].what.is_alone()) {
            self.shared.ends().clear();
        }
        for (at, answer) in rest.iter().zip(filled.into_iter().flatten()) {
            answers[*at] = Some(answer);
        }
    }
}

/// Returns true if a job only adds an entry.
fn is_plain(what: &What) -> bool {
    match what {
        What::Append { entry, standing: None, ended: None, asleep: None, .. } => {
            !matches!(entry.event, Event::Sit { .. })
        }
        _ => false,
    }
}

/// The table whose log or row a job changes.
fn table_of(what: &What) -> Option<&str> {
    match what {
        What::Create { id, .. } | What::Append { id, .. } | What::Sleep { id, .. } | What::Wake { id } => {
            Some(id)
        }
        _ => None,
    }
}

/// Returns true if two transactions were in conflict and this one was given up; it may be tried again.
fn is_again(why: &sqlx::Error) -> bool {
    let code = why.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| code == "40P01" || code == "40001")
}

fn link<'a>(entry: &'a Entry, body: &'a str) -> Link<'a> {
    Link {
        ver: entry.ver,
        at_ms: entry.at_ms,
        person: entry.cmd.as_ref().map_or("", |cmd| cmd.person.as_str()),
        cmd: entry.cmd.as_ref().map(|cmd| cmd.id.as_str()),
        spent_ms: entry.spent_ms,
        format: format::NEWEST,
        body,
    }
}

fn line<'a>(id: &'a str, entry: &'a Entry, before: u64) -> EntryRow<'a> {
    let body = format::write_event(&entry.event);
    let sum = chain::link(before, id, &link(entry, &body));
    EntryRow { id, entry, body, sum }
}

/// Moves the ends of these logs and inserts their entries, where this node owns the tables and was not buried.
/// Returns the tables of which that is so.
async fn insert(
    connection: &mut PgConnection,
    me: &str,
    grown: &HashMap<&str, Growth<'_>>,
) -> Result<HashSet<String>, sqlx::Error> {
    let sql = "WITH me AS MATERIALIZED (SELECT incarnation FROM node WHERE incarnation = $1 FOR KEY SHARE),
        grown AS (SELECT * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
            $8::bigint[]) AS g (seating, ver0, sum0, epoch, ver1, sum1, at_ms)),
        moved AS (UPDATE tip t SET ver = g.ver1, sum = g.sum1, at_ms = g.at_ms FROM grown g, me
            WHERE t.seating = g.seating AND t.ver = g.ver0 AND t.sum = g.sum0 AND t.epoch = g.epoch
                AND t.owner = me.incarnation
            RETURNING t.seating),
        woken AS (DELETE FROM asleep a USING moved m WHERE a.seating = m.seating),
        written AS (INSERT INTO event (seating, ver, at_ms, person, cmd, spent_ms, format, body, sum)
            SELECT e.seating, e.ver, e.at_ms, e.person, e.cmd, e.spent_ms, $16, e.body, e.sum
            FROM unnest($9::text[], $10::bigint[], $11::bigint[], $12::text[], $13::text[], $14::bigint[], $15::text[],
                $17::bigint[]) AS e (seating, ver, at_ms, person, cmd, spent_ms, body, sum)
            JOIN moved m ON m.seating = e.seating)
        SELECT seating FROM moved";
    let logs = || grown.iter();
    let lines = || grown.values().flat_map(|growth| &growth.lines);
    let rows = sqlx::query(sql)
        .bind(me)
        .bind(logs().map(|(id, _)| (*id).to_owned()).collect::<Vec<_>>())
        .bind(logs().map(|(_, g)| number(g.before.ver)).collect::<Vec<_>>())
        .bind(logs().map(|(_, g)| g.before.sum.cast_signed()).collect::<Vec<_>>())
        .bind(logs().map(|(_, g)| g.before.epoch).collect::<Vec<_>>())
        .bind(logs().map(|(_, g)| number(g.after.ver)).collect::<Vec<_>>())
        .bind(logs().map(|(_, g)| g.after.sum.cast_signed()).collect::<Vec<_>>())
        .bind(logs().map(|(_, g)| number(g.after.at_ms)).collect::<Vec<_>>())
        .bind(lines().map(|line| line.id.to_owned()).collect::<Vec<_>>())
        .bind(lines().map(|line| number(line.entry.ver)).collect::<Vec<_>>())
        .bind(lines().map(|line| line.entry.at_ms.cast_signed()).collect::<Vec<_>>())
        .bind(lines().map(|line| link(line.entry, "").person.to_owned()).collect::<Vec<_>>())
        .bind(lines().map(|line| line.entry.cmd.as_ref().map(|cmd| cmd.id.clone())).collect::<Vec<_>>())
        .bind(lines().map(|line| line.entry.spent_ms.map(u64::cast_signed)).collect::<Vec<_>>())
        .bind(lines().map(|line| line.body.clone()).collect::<Vec<_>>())
        .bind(i64::from(format::NEWEST))
        .bind(lines().map(|line| line.sum.cast_signed()).collect::<Vec<_>>())
        .fetch_all(connection)
        .await?;
    rows.into_iter().map(|row| row.try_get(0)).collect()
}

/// Reads the ends of logs, with their owners.
async fn read_ends(
    connection: &mut PgConnection,
    ids: &BTreeSet<&str>,
) -> Result<HashMap<String, (End, Option<String>)>, sqlx::Error> {
    let sql = "SELECT seating, ver, sum, at_ms, epoch, owner FROM tip WHERE seating = ANY($1)";
    let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    let rows = sqlx::query(sql).bind(ids).fetch_all(connection).await?;
    let end = |row: sqlx::postgres::PgRow| {
        let end = End {
            ver: row.try_get::<i64, _>(1)?.cast_unsigned(),
            sum: row.try_get::<i64, _>(2)?.cast_unsigned(),
            at_ms: row.try_get::<i64, _>(3)?.cast_unsigned(),
            epoch: row.try_get(4)?,
        };
        Ok((row.try_get(0)?, (end, row.try_get(5)?)))
    };
    rows.into_iter().map(end).collect()
}

/// Returns true if a node was not buried.
async fn lives(connection: &mut PgConnection, me: &str) -> Result<bool, sqlx::Error> {
    let sql = "SELECT EXISTS (SELECT 1 FROM node WHERE incarnation = $1)";
    sqlx::query(sql).bind(me).fetch_one(connection).await?.try_get(0)
}

/// Returns true if that very entry is in the log: the checksum before it gives its own.
async fn is_there(connection: &mut PgConnection, id: &str, entry: &Entry) -> Result<bool, sqlx::Error> {
    let sql = "SELECT e.sum, coalesce(b.sum, f.sum), s.format, s.setup FROM event e JOIN seating s ON s.id = e.seating
        LEFT JOIN event b ON b.seating = e.seating AND b.ver = e.ver - 1
        LEFT JOIN folded f ON f.seating = e.seating AND f.ver = e.ver - 1 WHERE e.seating = $1 AND e.ver = $2";
    let query = sqlx::query(sql).bind(id).bind(number(entry.ver));
    let Some(row) = query.fetch_optional(connection).await? else { return Ok(false) };
    let (sum, before): (i64, Option<i64>) = (row.try_get(0)?, row.try_get(1)?);
    let before = match before {
        Some(before) => before.cast_unsigned(),
        None => {
            let format = u32::try_from(row.try_get::<i64, _>(2)?).unwrap_or_default();
            chain::start(id, format, row.try_get(3)?)
        }
    };
    Ok(line(id, entry, before).sum == sum.cast_unsigned())
}

/// Begins a transaction and carries out these jobs in it, without the commit. Returns the answers, and the number of
/// the transaction. An error means that nothing of it may be committed.
async fn fill(
    connection: &mut PgConnection,
    shared: &Shared,
    group: &[Job],
    rest: &[usize],
) -> Result<(Vec<Answer>, String), sqlx::Error> {
    sqlx::raw_sql("BEGIN").execute(&mut *connection).await?;
    let needed: BTreeSet<Desk> = rest.iter().flat_map(|at| desks(&group[*at].what)).copied().collect();
    if !needed.is_empty() {
        // First of all: a transaction with these locks waits for no row of a lane that waits for one. And all
        // take them in one order.
        sqlx::query("SELECT pg_advisory_xact_lock_shared($1)")
            .bind(DESK_LOCK)
            .execute(&mut *connection)
            .await?;
        let locks: Vec<i64> = needed.iter().map(|desk| FIRST_DESK + *desk as i64).collect();
        let sql = "SELECT pg_advisory_xact_lock(desk) FROM unnest($1::bigint[]) AS desk";
        sqlx::query(sql).bind(locks).execute(&mut *connection).await?;
    }
    let sql = "SELECT pg_current_xact_id()::text";
    let xid: String = sqlx::query(sql).fetch_one(&mut *connection).await?.try_get(0)?;
    let sql = "SELECT 1 FROM node WHERE incarnation = $1 FOR KEY SHARE";
    let alive = sqlx::query(sql).bind(&shared.me).fetch_optional(&mut *connection).await?.is_some();
    let mut answers = Vec::with_capacity(rest.len());
    for at in rest {
        let what = &group[*at].what;
        if !alive {
            shared.fenced.store(true, Ordering::Relaxed);
            answers.push(Err(StoreError::Fenced));
            continue;
        }
        sqlx::raw_sql("SAVEPOINT job").execute(&mut *connection).await?;
        let answer = carry_out(connection, shared, what).await;
        match answer {
            Ok(reply) => {
                sqlx::raw_sql("RELEASE SAVEPOINT job").execute(&mut *connection).await?;
                answers.push(Ok(reply));
            }
            Err(why) => {
                if let Some(id) = table_of(what) {
                    shared.forget(id);
                }
                // Where the connection has ended, this says so, and all is tried again.
                sqlx::raw_sql("ROLLBACK TO SAVEPOINT job; RELEASE SAVEPOINT job")
                    .execute(&mut *connection)
                    .await?;
                answers.push(Err(why));
            }
        }
    }
    Ok((answers, xid))
}

async fn carry_out(connection: &mut PgConnection, shared: &Shared, what: &What) -> Answer {
    match what {
        What::Create { id, setup, log, standing } => {
            create(connection, shared, id, setup, log, standing).await?;
            Ok(Box::new(()))
        }
        What::Append { id, entry, standing, ended, asleep } => {
            append(connection, shared, id, entry, standing.as_ref()).await?;
            let goes_on = standing.as_ref().is_some_and(|standing| standing.stage != Stage::Over)
                && matches!(entry.event, Event::Withdraw { .. });
            let reopened: BTreeSet<&str> = goes_on.then_some(id.as_str()).into_iter().collect();
            let ended: Vec<&games::NewRow> = ended.as_deref().into_iter().collect();
            games::write(connection, &reopened, &ended).await?;
            if let Some(asleep) = asleep {
                slow::sleep(connection, id, *asleep).await?;
            }
            Ok(Box::new(()))
        }
        What::Sleep { id, asleep } => {
            may_touch(connection, shared, id).await?;
            slow::sleep(connection, id, *asleep).await?;
            Ok(Box::new(()))
        }
        What::Wake { id } => {
            may_touch(connection, shared, id).await?;
            wake(connection, id).await?;
            Ok(Box::new(()))
        }
        // Of several halls the latest counts.
        What::Beat { now_ms } => {
            let sql = "INSERT INTO hall (key, value) VALUES ('beat_ms', $1)
                ON CONFLICT (key) DO UPDATE SET value = greatest(hall.value, excluded.value)";
            sqlx::query(sql).bind(number(*now_ms)).execute(connection).await.map_err(failed)?;
            Ok(Box::new(()))
        }
        // While another hall ran, clocks ran.
        What::Resume { from_ms: None, .. } if others_live(connection, shared).await? => Ok(Box::new(0_u64)),
        What::Fold { .. } if !open::all_read_folded(connection).await? => {
            Ok(Box::new(Folded { is_done: true, waits: true, ..Folded::default() }))
        }
        other => desk::carry_out(connection, other).await,
    }
}

async fn others_live(connection: &mut PgConnection, shared: &Shared) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM node WHERE incarnation <> $1 AND beat_ms > now_ms() - $2)";
    let query = sqlx::query(sql).bind(&shared.me).bind(crate::claims::EXPIRES_MS.cast_signed());
    query.fetch_one(connection).await.map_err(failed)?.try_get(0).map_err(failed)
}

async fn create(
    connection: &mut PgConnection,
    shared: &Shared,
    id: &str,
    setup: &Setup,
    log: &[Entry],
    standing: &Standing,
) -> Result<(), StoreError> {
    if !log.iter().zip(1..).all(|(entry, ver)| entry.ver == ver) {
        return Err(StoreError::Conflict);
    }
    let body = format::write_setup(setup);
    sqlx::query(
        "INSERT INTO seating (id, format, setup, created_ms, stage, first, second, room, map)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(id)
    .bind(i64::from(format::NEWEST))
    .bind(&body)
    .bind(number(setup.created_ms))
    .bind(standing.stage as i64)
    .bind(&standing.seats[0])
    .bind(&standing.seats[1])
    .bind(setup.room.as_deref().map(::people::name::fold))
    .bind(setup.map.as_ref().map(|map| &map.id))
    .execute(&mut *connection)
    .await
    .map_err(|e| if unique(&e) { StoreError::Taken } else { failed(e) })?;
    let start = chain::start(id, format::NEWEST, &body);
    let mut end = End { ver: 0, sum: start, at_ms: setup.created_ms, epoch: 1 };
    note_sat(connection, id, Some(standing), log).await?;
    for entry in log {
        end = put(connection, id, entry, end).await?;
    }
    let sql = "INSERT INTO tip (seating, ver, sum, at_ms, owner, epoch) VALUES ($1, $2, $3, $4, $5, 1)";
    let query = sqlx::query(sql).bind(id).bind(number(end.ver)).bind(end.sum.cast_signed());
    query.bind(number(end.at_ms)).bind(&shared.me).execute(connection).await.map_err(failed)?;
    Ok(())
}

/// Appends one entry in a transaction, with its consequences except the row of its game.
async fn append(
    connection: &mut PgConnection,
    shared: &Shared,
    id: &str,
    entry: &Entry,
    standing: Option<&Standing>,
) -> Result<(), StoreError> {
    let sql = "SELECT ver, sum, at_ms, epoch, owner FROM tip WHERE seating = $1 FOR NO KEY UPDATE";
    let row = sqlx::query(sql).bind(id).fetch_optional(&mut *connection).await.map_err(failed)?;
    let row = row.ok_or(StoreError::Missing)?;
    let read = || -> Result<(End, Option<String>), sqlx::Error> {
        let end = End {
            ver: row.try_get::<i64, _>(0)?.cast_unsigned(),
            sum: row.try_get::<i64, _>(1)?.cast_unsigned(),
            at_ms: row.try_get::<i64, _>(2)?.cast_unsigned(),
            epoch: row.try_get(3)?,
        };
        Ok((end, row.try_get(4)?))
    };
    let (end, owner) = read().map_err(failed)?;
    if owner.as_deref() != Some(&shared.me) {
        return Err(StoreError::Fenced);
    }
    if entry.ver != end.ver + 1 {
        return Err(StoreError::Conflict);
    }
    if let Some(standing) = standing {
        counts::stand(connection, id, standing).await?;
    }
    note_sat(connection, id, standing, std::slice::from_ref(entry)).await?;
    let end = put(connection, id, entry, end).await?;
    let sql = "UPDATE tip SET ver = $2, sum = $3, at_ms = $4 WHERE seating = $1";
    let query = sqlx::query(sql).bind(id).bind(number(end.ver)).bind(end.sum.cast_signed());
    query.bind(number(end.at_ms)).execute(&mut *connection).await.map_err(failed)?;
    // What is known of its end is read again after the commit.
    shared.forget(id);
    wake(connection, id).await
}

/// Writes an entry after that end; returns the new one.
async fn put(connection: &mut PgConnection, id: &str, entry: &Entry, end: End) -> Result<End, StoreError> {
    let EntryRow { body, sum, .. } = line(id, entry, end.sum);
    let sql = "INSERT INTO event (seating, ver, at_ms, person, cmd, spent_ms, format, body, sum)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    sqlx::query(sql)
        .bind(id)
        .bind(number(entry.ver))
        .bind(entry.at_ms.cast_signed())
        .bind(link(entry, "").person)
        .bind(entry.cmd.as_ref().map(|cmd| cmd.id.as_str()))
        .bind(entry.spent_ms.map(u64::cast_signed))
        .bind(i64::from(format::NEWEST))
        .bind(&body)
        .bind(sum.cast_signed())
        .execute(connection)
        .await
        .map_err(|e| if unique(&e) { StoreError::Conflict } else { failed(e) })?;
    Ok(End { ver: entry.ver, sum, at_ms: entry.at_ms, ..end })
}

async fn note_sat(
    connection: &mut PgConnection,
    id: &str,
    standing: Option<&Standing>,
    log: &[Entry],
) -> Result<(), StoreError> {
    // Ids of programs have a hyphen, which those of people have not.
    let seated = standing.into_iter().flat_map(|standing| standing.seats.iter().flatten());
    let mut people: BTreeSet<String> = seated.filter(|person| !person.contains('-')).cloned().collect();
    people.extend(log.iter().filter_map(|entry| match &entry.event {
        Event::Sit { who, .. } if who.engine.is_none() => Some(who.id.clone()),
        _ => None,
    }));
    if people.is_empty() {
        return Ok(());
    }
    let people: Vec<String> = people.into_iter().collect();
    let sql =
        "INSERT INTO sat (person, seating) SELECT p, $2 FROM unnest($1::text[]) p ON CONFLICT DO NOTHING";
    sqlx::query(sql).bind(people).bind(id).execute(connection).await.map(|_| ()).map_err(failed)
}

async fn wake(connection: &mut PgConnection, id: &str) -> Result<(), StoreError> {
    let query = sqlx::query("DELETE FROM asleep WHERE seating = $1").bind(id);
    query.execute(connection).await.map(|_| ()).map_err(failed)
}

/// Checks that a table is owned by this node or by none that lives; its row is locked until the end of the
/// transaction. [`StoreError::Fenced`]: another node owns it.
async fn may_touch(connection: &mut PgConnection, shared: &Shared, id: &str) -> Result<(), StoreError> {
    let sql = "SELECT owner IS NULL OR owner = $2 OR NOT EXISTS (SELECT 1 FROM node n WHERE n.incarnation = tip.owner)
        FROM tip WHERE seating = $1 FOR NO KEY UPDATE";
    let row = sqlx::query(sql).bind(id).bind(&shared.me).fetch_optional(connection).await.map_err(failed)?;
    match row.ok_or(StoreError::Missing)?.try_get(0).map_err(failed)? {
        true => Ok(()),
        false => Err(StoreError::Fenced),
    }
}
