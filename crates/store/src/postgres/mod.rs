//! PostgreSQL: the same promises as in one file, for several processes that share one database.
//!
//! Reading order: `open` (checks before a database is used, and the start of a node), `writer` (all writing, and its
//! fencing), `claimed` (ownership of tables), `searches` (searches that wait for workers), `db` (the PostgreSQL side
//! of the shared SQL in `sql`).

mod claimed;
mod db;
mod open;
mod searches;
mod writer;

/// Runs a read with the pool of readers.
macro_rules! read {
    ($store:ident, $readers:ident => $read:expr) => {{
        let $readers = &$store.readers();
        $read
    }};
}

#[path = "../sql/accounts.rs"]
mod accounts;
#[path = "../sql/asked.rs"]
mod asked;
#[path = "../sql/desk.rs"]
mod desk;
#[path = "../sql/extensions.rs"]
mod extensions;
#[path = "../sql/fold.rs"]
mod fold;
#[path = "../sql/games.rs"]
#[allow(dead_code, reason = "rows are made anew from logs in SQLite's folder only")]
mod games;
#[path = "../sql/journal.rs"]
mod journal;
#[path = "../sql/mail.rs"]
mod mail;
#[path = "../sql/maps.rs"]
mod maps;
#[path = "../sql/notices.rs"]
mod notices;
#[path = "../sql/people.rs"]
mod people;
#[path = "../sql/questions.rs"]
mod questions;
#[path = "../sql/read.rs"]
mod read;
#[path = "../sql/shelf.rs"]
mod shelf;
#[path = "../sql/slow.rs"]
mod slow;
#[path = "../sql/staff.rs"]
mod staff;
#[path = "../sql/studies.rs"]
mod studies;
#[path = "../sql/together.rs"]
mod together;
#[path = "../sql/upkeep.rs"]
mod upkeep;
#[path = "../sql/workers.rs"]
mod workers;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use sqlx::{PgPool, Row};
use tokio::sync::{mpsc, oneshot};

use crate::sqlite::judged;
use crate::{Damage, Judge, Report, Size, StoreError, Stored};
use desk::{Job, Reply, What};
pub use open::Join;
use writer::{LANES, Lane, QUEUE, Shared};

/// The name by which the shared SQL refers to this store.
type Stock = Postgres;

/// The store of one node in a database.
pub struct Postgres {
    shared: Arc<Shared>,
    readers: PgPool,
    lanes: Vec<mpsc::Sender<Job>>,
    desk: mpsc::Sender<Job>,
    /// The desk for large requests.
    files: mpsc::Sender<Job>,
    last_beat: Option<u64>,
}

impl Postgres {
    /// Opens a database as a node, and brings its schema up to date.
    ///
    /// # Errors
    /// In a sentence that says what to do: a wrong address, an old server, missing rights, a newer schema, a name
    /// that another node has.
    pub async fn open(join: &Join) -> Result<Postgres, StoreError> {
        Ok(Postgres::entered(open::open(join, None).await?))
    }

    /// Opens a database like [`Postgres::open`], but waits until it answers, with longer and longer pauses; `waiting`
    /// is called each time. An error that waiting cannot mend, such as a wrong password, ends it at once.
    ///
    /// # Errors
    /// As [`Postgres::open`].
    pub async fn open_when_there(
        join: &Join,
        waiting: &(dyn Fn(&str) + Send + Sync),
    ) -> Result<Postgres, StoreError> {
        Ok(Postgres::entered(open::open(join, Some(waiting)).await?))
    }

    fn entered(opened: open::Opened) -> Postgres {
        let shared = Arc::new(Shared::new(opened.options, opened.incarnation));
        let start = |is_desk| {
            let (sender, queue) = mpsc::channel(QUEUE);
            tokio::spawn(Lane::new(Arc::clone(&shared), is_desk).run(queue));
            sender
        };
        let lanes = (0..LANES).map(|_| start(false)).collect();
        let (desk, files) = (start(true), start(true));
        Postgres { shared, readers: opened.pool, lanes, desk, files, last_beat: opened.last_beat }
    }

    /// Reads all tables and compares them with the results of `judge`, which replays them by the rules. Halls may be
    /// running.
    ///
    /// # Errors
    /// When the database cannot be read. What is damaged is in the report.
    pub async fn check(&self, judge: Judge<'_>) -> Result<Report, StoreError> {
        let mut report = Report::default();
        let mut last = String::new();
        loop {
            let sql = "SELECT id FROM seating WHERE id > $1 ORDER BY id LIMIT 500";
            let rows = sqlx::query(sql).bind(&last).fetch_all(&self.readers).await.map_err(failed)?;
            if rows.is_empty() {
                return Ok(report);
            }
            for row in rows {
                last = row.try_get(0).map_err(failed)?;
                let Some(stored) = report.keep(self.load_table(&last).await)?.flatten() else { continue };
                report.tables += 1;
                report.events += stored.log.len() as u64;
                let map = match &stored.setup.map {
                    Some(map) => report.keep(maps::find(&self.readers, &map.id).await)?.flatten(),
                    None => None,
                };
                if let Err(why) = judged(judge, &last, &stored, map.as_ref()) {
                    report.note(Damage { what: why, place: format!("table {last}"), advice: String::new() });
                }
            }
        }
    }

    /// Returns the writer that is responsible for a request.
    fn writer(&self, what: &What) -> &mpsc::Sender<Job> {
        match what {
            What::Create { id, .. }
            | What::Append { id, .. }
            | What::Sleep { id, .. }
            | What::Wake { id } => {
                let mut hash = DefaultHasher::new();
                id.hash(&mut hash);
                &self.lanes[(hash.finish() % LANES as u64) as usize]
            }
            // A megabyte of a file holds up no other write.
            What::Journal(_) | What::KeepMap { .. } | What::Shelf(_) | What::Fold { .. } => &self.files,
            _ => &self.desk,
        }
    }

    async fn ask(&self, what: What) -> Result<Reply, StoreError> {
        let (done, answer) = oneshot::channel();
        let gone = || StoreError::Failed("the store is closed".to_owned());
        self.writer(&what).send(Job { what, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    async fn tell(&self, what: What) -> Result<(), StoreError> {
        self.ask(what).await.map(|_| ())
    }

    fn readers(&self) -> PgPool {
        self.readers.clone()
    }

    async fn load_table(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        read::load(&self.readers, id).await
    }

    fn common_searches(&self) -> Option<&dyn crate::workers::SharedSearches> {
        Some(self)
    }

    fn latest_beat(&self) -> Option<u64> {
        self.last_beat
    }

    fn how_busy(&self) -> crate::Strain {
        let writers = self.lanes.iter().chain([&self.desk, &self.files]);
        crate::Strain {
            // Each writer has one of its own.
            connections: self.readers.size() + u32::try_from(LANES + 1).unwrap_or(u32::MAX),
            idle: u32::try_from(self.readers.num_idle()).unwrap_or(u32::MAX),
            queued: writers.map(|writer| writer.max_capacity() - writer.capacity()).sum(),
        }
    }

    /// Returns the size of the database. The free space on the disk of its server is not known.
    async fn disk(&self) -> Result<Size, StoreError> {
        let query = sqlx::query("SELECT pg_database_size(current_database())");
        let row = query.fetch_one(&self.readers).await.map_err(failed)?;
        let bytes: i64 = row.try_get(0).map_err(failed)?;
        Ok(Size { bytes_used: bytes.cast_unsigned(), bytes_free_on_disk: i64::MAX.cast_unsigned() })
    }

    fn can_only_read(&self) -> bool {
        self.shared.read_only.load(Ordering::Relaxed)
    }

    async fn copy_to(&self, _path: &Path) -> Result<Report, StoreError> {
        Err(StoreError::Failed("a database in PostgreSQL is copied by pg_dump or pg_basebackup".to_owned()))
    }

    async fn found_damage(&self) -> StoreError {
        std::future::pending().await
    }

    /// Waits for pending writes, gives all tables back and deletes the row of this node.
    async fn shut(&self) {
        for writer in self.lanes.iter().chain([&self.desk, &self.files]) {
            let (done, answer) = oneshot::channel();
            if writer.send(Job { what: What::Close, done }).await.is_ok() {
                let _ = answer.await;
            }
        }
        if !self.shared.fenced.swap(true, Ordering::Relaxed) {
            self.leave().await;
        }
        self.readers.close().await;
    }
}

/// Converts a number for PostgreSQL, whose numbers are signed. Larger ones are cut off: times that never come.
fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn odd() -> StoreError {
    StoreError::Failed("the writer gave the answer to another question".to_owned())
}

/// Maps an error of the database to a [`StoreError`].
fn failed(error: sqlx::Error) -> StoreError {
    // The codes of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html
    let code = error.as_database_error().and_then(|error| error.code()).unwrap_or_default();
    match &*code {
        "53100" => StoreError::DiskFull,
        "XX001" | "XX002" => StoreError::damaged(
            format!("PostgreSQL cannot make sense of the database ({error})"),
            "the database",
            "stop all halls, keep a copy, and restore a backup",
        ),
        _ => StoreError::Failed(error.to_string()),
    }
}

fn unique(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}

/// Returns true if the connection has ended, or the server is about to stop: the request may be repeated on another
/// connection.
fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::Protocol(_)
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(why) => {
            // Class 57: an administrator ends connections, the server stops or starts; 08: the connection; 25006: the
            // server has become a standby.
            let code = why.code().unwrap_or_default();
            matches!(&*code, "57P01" | "57P02" | "57P03" | "53300" | "25006" | "25P03")
                || code.starts_with("08")
        }
        _ => false,
    }
}
