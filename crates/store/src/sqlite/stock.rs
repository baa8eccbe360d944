//! The store in one file: its readers, and the way to its writer.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use sqlx::SqlitePool;
use tokio::sync::{mpsc, oneshot, watch};

use super::db::failed;
use super::open::{self, Open};
use super::sql::desk::{Job, What};
use super::sql::read;
use super::writer::{Doubtful, QUEUE, Writer};
use super::{backup, disk};
use crate::claims::{Claim, Claims, NodeRow, Owned};
use crate::work::Reply;
use crate::{Report, Size, Store, StoreError, Stored, Strain};

/// The longest time that a check of the whole file may take to notice that it is to end.
const CHECK_ENDS: Duration = Duration::from_secs(2);

/// The store in one file.
pub(crate) struct Sqlite {
    folder: PathBuf,
    readers: watch::Receiver<SqlitePool>,
    writer: mpsc::Sender<Job>,
    read_only: Arc<AtomicBool>,
    doubtful: Doubtful,
    last_beat: Option<u64>,
    /// The damage that a check of the whole file found while it is used.
    damage: watch::Receiver<Option<StoreError>>,
    /// Ends that check.
    closed: Arc<AtomicBool>,
}

impl Store {
    /// Opens `hall.db` in `folder`, making it when it is not there.
    ///
    /// # Errors
    /// An error when the file cannot be opened, is not a hall's, or is damaged.
    pub async fn open(folder: &Path) -> Result<Store, StoreError> {
        Store::open_with(folder, Open::default()).await
    }

    /// Opens `hall.db` in `folder`, making it when it is not there.
    ///
    /// # Errors
    /// An error when the file cannot be opened, is not a hall's, or is damaged and `how` does not accept that.
    pub async fn open_with(folder: &Path, how: Open) -> Result<Store, StoreError> {
        Ok(Store::of(Arc::new(Sqlite::open_with(folder, how).await?), None))
    }
}

impl Sqlite {
    /// Opens `hall.db` in a folder; see [`Store::open_with`].
    async fn open_with(folder: &Path, how: Open) -> Result<Sqlite, StoreError> {
        let bytes = std::fs::metadata(folder.join("hall.db")).map_or(0, |file| file.len());
        let is_there = bytes > 0;
        let check_first = bytes <= how.check_first_bytes;
        let tip = if how.accept_damage { None } else { open::examine_files(folder, is_there).await? };
        if is_there {
            match open::examine(folder, tip, how, check_first).await {
                Ok(()) => {}
                Err(why) if open::is_full(folder, &why) => {}
                Err(why) => return Err(why),
            }
        }
        let (opened, pool) = match open::writing(folder).await {
            Ok(opened) => (Some(opened), open::readers(folder)),
            Err(why) if is_there && open::is_full(folder, &why) => (None, open::only_reader(folder)),
            Err(why) => return Err(disk::named(folder, why)),
        };
        let (connection, commits, last_beat) = match opened {
            Some(opened) => (Some(opened.connection), opened.commits, opened.last_beat),
            None => {
                let mut connection = pool.acquire().await.map_err(failed)?;
                (None, 0, open::read_only_beat(&mut connection, tip, how, check_first).await?)
            }
        };
        let read_only = Arc::new(AtomicBool::new(connection.is_none()));
        let (pools, readers) = watch::channel(pool);
        let (sender, queue) = mpsc::channel(QUEUE);
        let doubtful = Doubtful::default();
        let writer = Writer::new(
            folder.to_owned(),
            connection,
            commits,
            pools,
            Arc::clone(&read_only),
            Arc::clone(&doubtful),
        );
        tokio::spawn(writer.run(queue));
        let closed = Arc::new(AtomicBool::new(false));
        let (found, damage) = watch::channel(None);
        if is_there && !check_first && !how.accept_damage {
            tokio::spawn(open::check_beside(folder.join("hall.db"), Arc::clone(&closed), found));
        }
        let folder = folder.to_owned();
        Ok(Sqlite { folder, readers, writer: sender, read_only, doubtful, last_beat, damage, closed })
    }

    pub(super) async fn ask(&self, what: What) -> Result<Reply, StoreError> {
        let (done, answer) = oneshot::channel();
        let gone = || StoreError::Failed("the store is closed".to_owned());
        self.writer.send(Job { what, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    pub(super) fn readers(&self) -> SqlitePool {
        self.readers.borrow().clone()
    }

    /// Returns true if the last entry of that table is unknown, because the outcome of a commit is.
    fn is_doubtful(&self, id: &str) -> bool {
        self.doubtful.lock().unwrap_or_else(PoisonError::into_inner).contains(id)
    }

    pub(super) async fn load_table(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        if self.is_doubtful(id) {
            return Err(StoreError::DiskFull);
        }
        let loaded = read!(self, readers => read::load(readers, id).await);
        if self.is_doubtful(id) { Err(StoreError::DiskFull) } else { loaded }
    }

    pub(super) fn latest_beat(&self) -> Option<u64> {
        self.last_beat
    }

    pub(super) fn how_busy(&self) -> Strain {
        let readers = self.readers();
        Strain {
            // The writer has one of its own.
            connections: readers.size() + 1,
            idle: u32::try_from(readers.num_idle()).unwrap_or(u32::MAX),
            queued: self.writer.max_capacity() - self.writer.capacity(),
        }
    }

    pub(super) async fn disk(&self) -> Result<Size, StoreError> {
        disk::size(&self.folder)
    }

    pub(super) fn can_only_read(&self) -> bool {
        self.read_only.load(Ordering::Relaxed)
    }

    pub(super) async fn copy_to(&self, path: &Path) -> Result<Report, StoreError> {
        backup::backup(&self.folder, path, &[]).await
    }

    pub(super) async fn found_damage(&self) -> StoreError {
        let mut damage = self.damage.clone();
        let found = damage.wait_for(Option::is_some).await.ok().and_then(|found| found.clone());
        match found {
            Some(why) => why,
            None => std::future::pending().await,
        }
    }

    pub(super) async fn shut(&self) {
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
