//! The store of one node: its readers, and the ways to its writers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use sqlx::{PgPool, Row};
use tokio::sync::{mpsc, oneshot};

use super::db::failed;
use super::open::{self, Join};
use super::sql::desk::{Job, What};
use super::sql::{maps, read};
use super::writer::{LANES, Lane, QUEUE, Shared};
use crate::report::{Judge, Report, judged};
use crate::work::Reply;
use crate::{Damage, Size, Store, StoreError, Stored, Strain};

/// The store of one node in a database.
pub(crate) struct Postgres {
    pub(super) shared: Arc<Shared>,
    pub(super) readers: PgPool,
    lanes: Vec<mpsc::Sender<Job>>,
    desk: mpsc::Sender<Job>,
    /// The desk for large requests.
    files: mpsc::Sender<Job>,
    last_beat: Option<u64>,
}

impl Store {
    /// Opens a database as a node, and brings its schema up to date.
    ///
    /// # Errors
    /// A sentence that says what to do: a wrong address, an old server, missing rights, a newer schema, a name
    /// that another node has.
    pub async fn join(join: &Join) -> Result<Store, StoreError> {
        Ok(handed_out(Postgres::entered(open::open(join, None).await?)))
    }

    /// Opens a database like [`Store::join`], but waits until it answers, with longer and longer pauses; `waiting`
    /// is called each time. An error that waiting cannot mend, such as a wrong password, ends it at once.
    ///
    /// # Errors
    /// The errors of [`Store::join`].
    pub async fn join_when_there(
        join: &Join,
        waiting: &(dyn Fn(&str) + Send + Sync),
    ) -> Result<Store, StoreError> {
        Ok(handed_out(Postgres::entered(open::open(join, Some(waiting)).await?)))
    }
}

fn handed_out(database: Postgres) -> Store {
    let database = Arc::new(database);
    Store::of(Arc::clone(&database), Some(database))
}

/// Opens a database as a node, reads all tables and compares them with the results of `judge`, which replays them by the
/// rules. Halls may be running.
///
/// # Errors
/// An error when the database cannot be opened, as by [`Store::join`], or cannot be read. What is damaged is in the report.
pub async fn check_database(join: &Join, judge: Judge<'_>) -> Result<Report, StoreError> {
    let database = Postgres::entered(open::open(join, None).await?);
    let checked = database.check(judge).await;
    database.shut().await;
    checked
}

impl Postgres {
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

    /// See [`check_database`].
    async fn check(&self, judge: Judge<'_>) -> Result<Report, StoreError> {
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
            What::Fold { .. } => &self.files,
            What::Work(work) if work.is_large() => &self.files,
            _ => &self.desk,
        }
    }

    pub(super) async fn ask(&self, what: What) -> Result<Reply, StoreError> {
        let (done, answer) = oneshot::channel();
        let gone = || StoreError::Failed("the store is closed".to_owned());
        self.writer(&what).send(Job { what, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    pub(super) fn readers(&self) -> PgPool {
        self.readers.clone()
    }

    pub(super) async fn load_table(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        read::load(&self.readers, id).await
    }

    pub(super) fn latest_beat(&self) -> Option<u64> {
        self.last_beat
    }

    pub(super) fn how_busy(&self) -> Strain {
        let writers = self.lanes.iter().chain([&self.desk, &self.files]);
        Strain {
            // Each writer has one of its own.
            connections: self.readers.size() + u32::try_from(LANES + 1).unwrap_or(u32::MAX),
            idle: u32::try_from(self.readers.num_idle()).unwrap_or(u32::MAX),
            queued: writers.map(|writer| writer.max_capacity() - writer.capacity()).sum(),
        }
    }

    /// Returns the size of the database. The free space on the disk of its server is not known.
    pub(super) async fn disk(&self) -> Result<Size, StoreError> {
        let query = sqlx::query("SELECT pg_database_size(current_database())");
        let row = query.fetch_one(&self.readers).await.map_err(failed)?;
        let bytes: i64 = row.try_get(0).map_err(failed)?;
        Ok(Size { bytes_used: bytes.cast_unsigned(), bytes_free_on_disk: i64::MAX.cast_unsigned() })
    }

    pub(super) fn can_only_read(&self) -> bool {
        self.shared.read_only.load(Ordering::Relaxed)
    }

    pub(super) async fn copy_to(&self, _path: &Path) -> Result<Report, StoreError> {
        Err(StoreError::Failed("a database in PostgreSQL is copied by pg_dump or pg_basebackup".to_owned()))
    }

    pub(super) async fn found_damage(&self) -> StoreError {
        std::future::pending().await
    }

    /// Waits for pending writes, gives all tables back and deletes the row of this node.
    pub(super) async fn shut(&self) {
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
