//! SQLite: write-ahead log, `synchronous=FULL`, one writer that commits in groups.
//!
//! Reading order: `open` (checks before a folder is used), `schema` (migrations), `writer` (all writing), `db` (the
//! SQLite side of the shared SQL in `sql`), `backup`, `rebuild` (derived rows).

mod backup;
mod db;
mod disk;
mod open;
mod rebuild;
mod schema;
mod writer;

/// Runs a read with the pool of readers; if the readers were closed meanwhile because the database is reopened, runs
/// it again with the new ones.
macro_rules! read {
    ($store:ident, $readers:ident => $read:expr) => {{
        let mut tries = 0;
        loop {
            let $readers = &$store.readers();
            let found = $read;
            if found.is_ok() || !$readers.is_closed() || tries == 40 {
                break found;
            }
            tries += 1;
            tokio::time::sleep(std::time::Duration::from_millis(25)).await;
        }
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

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use sqlx::SqlitePool;
use tokio::sync::{mpsc, oneshot, watch};

use crate::claims::{Claim, Claims, NodeRow, Owned};
use crate::{Size, StoreError, Stored};

pub(crate) use backup::judged;
pub use backup::{Judge, Judged, Report, backup, check, check_at_rest, restore};
use desk::{Job, Reply, What};
pub use open::Open;
pub use rebuild::{Rebuilt, rebuild, recompute_ratings};

/// The longest time that a check of the whole file may take to notice that it is to end.
const CHECK_ENDS: Duration = Duration::from_secs(2);

/// The name by which the shared SQL refers to this store.
type Stock = Sqlite;

/// The store in one file.
pub struct Sqlite {
    folder: PathBuf,
    readers: watch::Receiver<SqlitePool>,
    writer: mpsc::Sender<Job>,
    read_only: Arc<AtomicBool>,
    doubtful: writer::Doubtful,
    last_beat: Option<u64>,
    /// The damage that a check of the whole file found while it is used.
    damage: watch::Receiver<Option<StoreError>>,
    /// Ends that check.
    closed: Arc<AtomicBool>,
}

impl Sqlite {
    /// Opens `hall.db` in `folder`, making it when it is not there.
    ///
    /// # Errors
    /// When the file cannot be opened, is not a hall's, or is damaged.
    pub async fn open(folder: &Path) -> Result<Sqlite, StoreError> {
        Sqlite::open_with(folder, Open::default()).await
    }

    async fn ask(&self, what: What) -> Result<Reply, StoreError> {
        let (done, answer) = oneshot::channel();
        let gone = || StoreError::Failed("the store is closed".to_owned());
        self.writer.send(Job { what, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    async fn tell(&self, what: What) -> Result<(), StoreError> {
        self.ask(what).await.map(|_| ())
    }

    fn readers(&self) -> SqlitePool {
        self.readers.borrow().clone()
    }

    /// Returns true if the last entry of that table is unknown, because the outcome of a commit is.
    fn is_doubtful(&self, id: &str) -> bool {
        self.doubtful.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
    }

    async fn load_table(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        if self.is_doubtful(id) {
            return Err(StoreError::DiskFull);
        }
        let loaded = read!(self, readers => read::load(readers, id).await);
        if self.is_doubtful(id) { Err(StoreError::DiskFull) } else { loaded }
    }

    fn common_searches(&self) -> Option<&dyn crate::workers::SharedSearches> {
        None
    }

    fn latest_beat(&self) -> Option<u64> {
        self.last_beat
    }

    fn how_busy(&self) -> crate::Strain {
        let readers = self.readers();
        crate::Strain {
            // The writer has one of its own.
            connections: readers.size() + 1,
            idle: u32::try_from(readers.num_idle()).unwrap_or(u32::MAX),
            queued: self.writer.max_capacity() - self.writer.capacity(),
        }
    }

    async fn disk(&self) -> Result<Size, StoreError> {
        disk::size(&self.folder)
    }

    fn can_only_read(&self) -> bool {
        self.read_only.load(Ordering::Relaxed)
    }

    async fn copy_to(&self, path: &Path) -> Result<Report, StoreError> {
        backup::backup(&self.folder, path, &[]).await
    }

    async fn found_damage(&self) -> StoreError {
        let mut damage = self.damage.clone();
        let found = damage.wait_for(Option::is_some).await.ok().and_then(|found| found.clone());
        match found {
            Some(why) => why,
            None => std::future::pending().await,
        }
    }

    async fn shut(&self) {
        self.closed.store(true, Ordering::Relaxed);
        // Only the last connection tidies up, and that must be one which may write.
        let mut checked = self.damage.clone();
        let ended = async { while checked.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(CHECK_ENDS, ended).await;
        // Fails when it is closed already.
        let _ = self.tell(What::Close).await;
    }
}

/// One process has the folder to itself, so every table is its own.
#[async_trait::async_trait]
impl Claims for Sqlite {
    async fn claim(&self, _id: &str) -> Result<Claim, StoreError> {
        Ok(Claim::Kept)
    }

    async fn goes_on(&self, _id: &str) -> Result<(), StoreError> {
        Ok(())
    }

    async fn release(&self, _id: &str) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn owner(&self, _id: &str) -> Result<Option<NodeRow>, StoreError> {
        Ok(None)
    }

    async fn renew(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn orphans(&self, _most: u32) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    async fn nodes(&self) -> Result<Vec<NodeRow>, StoreError> {
        Ok(Vec::new())
    }

    async fn owned(&self, _incarnation: &str, _most: u32) -> Result<Vec<Owned>, StoreError> {
        Ok(Vec::new())
    }

    async fn clock_ms(&self) -> Result<Option<u64>, StoreError> {
        Ok(None)
    }

    fn node(&self) -> Option<&str> {
        None
    }
}

/// Converts a number for SQLite, whose numbers are signed. Larger ones are cut off: times that never come.
fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn odd() -> StoreError {
    StoreError::Failed("the writer gave the answer to another question".to_owned())
}

/// Maps an error of the database to a [`StoreError`].
fn failed(error: sqlx::Error) -> StoreError {
    // The codes of SQLite: https://www.sqlite.org/rescode.html
    match code(&error) {
        Some(13) => StoreError::DiskFull,
        Some(code) if code & 0xff == 10 => StoreError::DiskFailed(error.to_string()),
        Some(code) if matches!(code & 0xff, 11 | 26) => StoreError::damaged(
            format!("SQLite cannot make sense of the database ({error})"),
            "hall.db",
            "stop the hall, keep a copy of the folder, run `qiguan admin check`, and restore a backup by `qiguan \
             admin restore`",
        ),
        _ => StoreError::Failed(error.to_string()),
    }
}

fn code(error: &sqlx::Error) -> Option<u32> {
    error.as_database_error()?.code()?.parse().ok()
}

fn unique(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}
