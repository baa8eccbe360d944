//! Files of which every node of a hall has a copy: the library and the puzzles.
//!
//! In a hall of one process an act is carried out on the file, and that is all. In a hall of several nodes it goes
//! into a journal in the database first ([`store::journal`]), and each node carries out the acts of the journal on
//! its own copy, one after the other in the same order. So the copies are equal, numbers included, and any node
//! answers from its own. An act is answered when the caller's own node has carried it out; a reader at a node that is
//! behind waits until it has caught up, for a moment ([`Copied::now`]). A new node fetches the whole file as it was
//! after some act and goes on from there
//! ([ADR 0035](../../../docs/adr/0035-nodes-carry-out-one-journal-on-their-own-files.md)).
//!
//! An act may be carried out twice where a node is killed in between. It has the same result then, or notes itself in
//! the transaction of its change.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use edge::workers::long;
use kernel::Problem;
use people::secret::random_text;
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::StoreError;
use store::journal::{CHUNK, JournalDeed, JournalEntry, JournalHead};
use tokio::sync::oneshot;

use crate::hall::Hall;

/// Entries that are read at once.
const AT_ONCE: u32 = 50;
/// The interval at which a node checks the journal for acts of other nodes when no request does.
const EVERY: Duration = Duration::from_secs(1);
/// The longest wait for acts of other nodes; after it, the answer comes from this node's copy as it is.
const CATCHES_UP: Duration = Duration::from_secs(3);
/// The database is asked for this long where others have come to.
const ASKS: Duration = Duration::from_secs(2);
/// The number of entries after which a new base is uploaded.
const BASE_AFTER: u64 = 5_000;
/// The bytes of entries after which a new base is uploaded, whatever their number.
const BASE_BYTES: u64 = 64 << 20;
/// Attempts of a node to fetch a copy while other nodes change the base.
const TRIES: usize = 5;

/// A file of which there may be copies.
pub trait File: Sized + Send + Sync + 'static {
    /// The name of the file of a hall of one process.
    const NAME: &'static str;

    /// Opens it, or makes it.
    ///
    /// # Errors
    /// The error of the file.
    fn open(path: &Path, now_ms: u64) -> Result<Self, Problem>;

    /// Returns the number and the id of the entry that was carried out last; `None` in a file that is no copy.
    ///
    /// # Errors
    /// The error of the file.
    fn carried_out(&self) -> Result<Option<(u64, String)>, Problem>;

    /// Notes the entry that was carried out last.
    ///
    /// # Errors
    /// The error of the file.
    fn note_carried_out(&self, n: u64, id: &str) -> Result<(), Problem>;

    /// Writes it to another file, which is not there.
    ///
    /// # Errors
    /// The error of the file.
    fn copy_to(&self, path: &Path) -> Result<(), Problem>;
}

impl File for library::Library {
    const NAME: &'static str = library::Library::FILE;

    fn open(path: &Path, now_ms: u64) -> Result<Self, Problem> {
        crate::shelves::open(path, now_ms)
    }

    fn carried_out(&self) -> Result<Option<(u64, String)>, Problem> {
        self.carried_out()
    }

    fn note_carried_out(&self, n: u64, id: &str) -> Result<(), Problem> {
        self.note_carried_out(n, id)
    }

    fn copy_to(&self, path: &Path) -> Result<(), Problem> {
        self.copy_to(path)
    }
}

impl File for puzzles::Shelf {
    const NAME: &'static str = puzzles::Shelf::FILE;

    fn open(path: &Path, now_ms: u64) -> Result<Self, Problem> {
        puzzles::Shelf::open(path, now_ms)
    }

    fn carried_out(&self) -> Result<Option<(u64, String)>, Problem> {
        self.carried_out()
    }

    fn note_carried_out(&self, n: u64, id: &str) -> Result<(), Problem> {
        self.note_carried_out(n, id)
    }

    fn copy_to(&self, path: &Path) -> Result<(), Problem> {
        self.copy_to(path)
    }
}

/// An act on a file. Written down, it means the same to every node.
pub trait Act: Serialize + DeserializeOwned + Send + 'static {
    /// The file that the act changes.
    type File: File;
    /// The result for the caller.
    type Done: Send + 'static;
    /// The name of the journal.
    const SUBJECT: &'static str;
    /// The key of the problem when the file is not open.
    const CLOSED: &'static str;

    /// Returns true if a large file belongs to the act.
    fn brings(&self) -> bool {
        false
    }

    /// Carries it out. The result depends only on the act, the file that belongs to it (`brought`), the content of
    /// the copy, and rows of the store that never change. `entry` is its place in the journal, where there are
    /// several copies.
    ///
    /// # Errors
    /// The fault in the act; a key that ends in `-storage`, or `hall-busy`, where it is to be tried again.
    fn carry_out(
        self,
        hall: &Hall,
        file: Arc<Self::File>,
        brought: Vec<u8>,
        entry: Option<(u64, String)>,
    ) -> impl Future<Output = Result<Self::Done, Problem>> + Send;
}

type OutcomeSender<A> = oneshot::Sender<Result<<A as Act>::Done, Problem>>;

/// A file, or this node's copy of it.
pub struct Copied<A: Act> {
    file: OnceLock<Arc<A::File>>,
    /// The number of the last entry that was carried out.
    done: AtomicU64,
    /// The lock that is held while entries are carried out.
    turn: tokio::sync::Mutex<()>,
    /// The callers that wait for the outcome of an entry, by its id.
    waiting: Mutex<HashMap<String, OutcomeSender<A>>>,
    /// Set if entries are missing that this copy needs.
    lost: AtomicBool,
    folder: OnceLock<PathBuf>,
}

impl<A: Act> Default for Copied<A> {
    fn default() -> Self {
        Copied {
            file: OnceLock::new(),
            done: AtomicU64::new(0),
            turn: tokio::sync::Mutex::default(),
            waiting: Mutex::default(),
            lost: AtomicBool::new(false),
            folder: OnceLock::new(),
        }
    }
}

/// Access to the file of those acts that a hall keeps.
pub trait Keeps<A: Act> {
    /// Returns the file, or this node's copy of it.
    fn copied(&self) -> &Copied<A>;
}

fn of<A: Act>(hall: &Hall) -> &Copied<A>
where
    Hall: Keeps<A>,
{
    <Hall as Keeps<A>>::copied(hall)
}

fn unstored(why: &StoreError) -> Problem {
    tracing::warn!(%why, "the journal of a file was not read or written");
    Problem::new("not-stored")
}

fn busy() -> Problem {
    Problem::new("hall-busy")
}

/// Returns true if the act may succeed when it is tried again.
fn is_passing(why: &Problem) -> bool {
    why.key.ends_with("-storage") || matches!(why.key, "hall-busy" | "not-stored")
}

/// Runs long work with a file on a thread of its own.
///
/// # Errors
/// The errors of the act; `hall-busy` where there is no thread.
pub(crate) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    match long(work).await {
        Some(Ok(done)) => done,
        _ => Err(busy()),
    }
}

impl<A: Act> Copied<A>
where
    Hall: Keeps<A>,
{
    /// Opens the file in a folder, or this node's copy.
    ///
    /// # Errors
    /// The error of the file, or `not-stored`.
    pub(crate) async fn open(&self, hall: &Arc<Hall>, folder: &Path) -> Result<(), Problem> {
        let now_ms = hall.time.now_ms();
        let own = folder.join(A::File::NAME);
        let _ = self.folder.set(folder.to_owned());
        if hall.cluster.is_none() {
            let file = apart(move || A::File::open(&own, now_ms)).await?;
            let _ = self.file.set(Arc::new(file));
            return Ok(());
        }
        let (file, done) = self.copy(hall, folder).await?;
        self.done.store(done, Ordering::Release);
        let _ = self.file.set(Arc::new(file));
        self.catch_up(hall, None).await
    }

    /// This node's copy, and the last entry that it has carried out.
    async fn copy(&self, hall: &Hall, folder: &Path) -> Result<(A::File, u64), Problem> {
        let path = folder.join(format!("copy-{}", A::File::NAME));
        for _ in 0..TRIES {
            let head = hall.store.journals.journal_head(A::SUBJECT).await.map_err(|why| unstored(&why))?;
            let Some(head) = head else {
                self.begin(hall, folder).await?;
                continue;
            };
            if let Some((file, n)) = self.known(hall, &path, &head).await? {
                return Ok((file, n));
            }
            if let Some(file) = self.fetch(hall, &path, &head).await? {
                return Ok((file, head.base));
            }
        }
        Err(Problem::new("not-stored"))
    }

    /// Returns the copy that is here from an earlier run, where it belongs to this journal.
    async fn known(
        &self,
        hall: &Hall,
        path: &Path,
        head: &JournalHead,
    ) -> Result<Option<(A::File, u64)>, Problem> {
        if !path.exists() {
            return Ok(None);
        }
        let (path, now_ms) = (path.to_owned(), hall.time.now_ms());
        let opened = apart(move || {
            let file = A::File::open(&path, now_ms)?;
            let done = file.carried_out()?;
            Ok(done.map(|(n, id)| (file, n, id)))
        });
        // A file that cannot be read is fetched again.
        let Ok(Some((file, n, id))) = opened.await else { return Ok(None) };
        if n == head.base && id == head.base_id {
            return Ok(Some((file, n)));
        }
        let entries = hall.store.journals.journal_entries(A::SUBJECT, n, 1).await;
        let entries = entries.map_err(|why| unstored(&why))?;
        let is_of_it = n > 0 && entries.first().is_some_and(|entry| entry.n == n && entry.id == id);
        Ok(is_of_it.then_some((file, n)))
    }

    /// Fetches the base; `None` when another took its place meanwhile.
    async fn fetch(&self, hall: &Hall, path: &Path, head: &JournalHead) -> Result<Option<A::File>, Problem> {
        let new = path.with_extension("new");
        let unwritten = |why: std::io::Error| Problem::new("library-storage").with("detail", why);
        let mut out = tokio::fs::File::create(&new).await.map_err(unwritten)?;
        for at in 0..head.chunks {
            let part = hall.store.journals.journal_chunk(&head.upload, at).await;
            let Some(part) = part.map_err(|why| unstored(&why))? else { return Ok(None) };
            tokio::io::AsyncWriteExt::write_all(&mut out, &part).await.map_err(unwritten)?;
        }
        out.sync_all().await.map_err(unwritten)?;
        drop(out);
        let (path, now_ms) = (path.to_owned(), hall.time.now_ms());
        let (n, id) = (head.base, head.base_id.clone());
        tracing::info!(file = %path.display(), entry = n, "a copy was fetched");
        apart(move || {
            for ending in ["", "-wal", "-shm"] {
                let mut old = path.clone().into_os_string();
                old.push(ending);
                match std::fs::remove_file(old) {
                    Err(why) if why.kind() != std::io::ErrorKind::NotFound => return Err(unwritten(why)),
                    _ => {}
                }
            }
            std::fs::rename(&new, &path).map_err(unwritten)?;
            let file = A::File::open(&path, now_ms)?;
            file.note_carried_out(n, &id)?;
            Ok(Some(file))
        })
        .await
    }

    /// Uploads the file of the first node of a hall, which may be new, as the base.
    async fn begin(&self, hall: &Hall, folder: &Path) -> Result<(), Problem> {
        let (own, now_ms) = (folder.join(A::File::NAME), hall.time.now_ms());
        let file = apart(move || A::File::open(&own, now_ms)).await?;
        self.upload(hall, folder, Arc::new(file), 0, random_text(20)).await
    }

    /// Uploads the file as it is after an entry.
    async fn upload(
        &self,
        hall: &Hall,
        folder: &Path,
        file: Arc<A::File>,
        n: u64,
        id: String,
    ) -> Result<(), Problem> {
        let written = folder.join(format!("base-{}", A::File::NAME));
        let place = written.clone();
        apart(move || {
            let _ = std::fs::remove_file(&place);
            file.copy_to(&place)
        })
        .await?;
        let upload = random_text(20);
        let sent = self.send_file(hall, &written, &upload).await;
        let _ = std::fs::remove_file(&written);
        let deed = JournalDeed::Base { subject: A::SUBJECT.to_owned(), n, id, upload, chunks: sent? };
        match hall.store.journals.write(deed).await {
            // Another node was faster.
            Ok(_) | Err(StoreError::Conflict) => Ok(()),
            Err(why) => Err(unstored(&why)),
        }
    }

    async fn send_file(&self, hall: &Hall, path: &Path, upload: &str) -> Result<u32, Problem> {
        let unread = |why: std::io::Error| Problem::new("library-storage").with("detail", why);
        let mut file = tokio::fs::File::open(path).await.map_err(unread)?;
        let mut chunks = 0;
        loop {
            let mut part = Vec::new();
            let taken = tokio::io::AsyncReadExt::take(&mut file, CHUNK as u64);
            tokio::io::AsyncReadExt::read_to_end(&mut Box::pin(taken), &mut part).await.map_err(unread)?;
            if part.is_empty() {
                return Ok(chunks);
            }
            self.send_part(hall, upload, chunks, part).await?;
            chunks += 1;
        }
    }

    async fn send_part(&self, hall: &Hall, owner: &str, at: u32, body: Vec<u8>) -> Result<(), Problem> {
        let (subject, owner, now_ms) = (A::SUBJECT.to_owned(), owner.to_owned(), hall.time.now_ms());
        let deed = JournalDeed::Chunk { subject, owner, at, body, now_ms };
        hall.store.journals.write(deed).await.map(drop).map_err(|why| unstored(&why))
    }

    /// Returns the file as it is at this node.
    ///
    /// # Errors
    /// The problem that the file is closed.
    pub fn here(&self) -> Result<Arc<A::File>, Problem> {
        let is_lost = self.lost.load(Ordering::Relaxed);
        self.file.get().filter(|_| !is_lost).cloned().ok_or_else(|| Problem::new(A::CLOSED))
    }

    /// Returns the file, with what other nodes have done until now. Where that takes long, or the database does not
    /// answer, it is the file as it is here.
    ///
    /// # Errors
    /// The problem that the file is closed.
    pub async fn now(&self, hall: &Arc<Hall>) -> Result<Arc<A::File>, Problem> {
        let file = self.here()?;
        if hall.cluster.is_some() && self.is_behind(hall).await {
            let hall = Arc::clone(hall);
            // Who does not wait any more must not end it halfway.
            let catching = tokio::spawn(async move { of::<A>(&hall).catch_up(&hall, None).await });
            let _ = tokio::time::timeout(CATCHES_UP, catching).await;
        }
        Ok(file)
    }

    async fn is_behind(&self, hall: &Hall) -> bool {
        let head = tokio::time::timeout(ASKS, hall.store.journals.journal_head(A::SUBJECT)).await;
        let last = head.ok().and_then(Result::ok).flatten().map_or(0, |head| head.last);
        last > self.done.load(Ordering::Acquire)
    }

    /// Carries out an act, with the bytes that belong to it, and returns when it is done at this node. Other nodes
    /// carry it out with their next request, or within a second.
    ///
    /// # Errors
    /// The fault in the act; `not-stored`, `hall-busy` or that the file is closed.
    pub async fn act(&self, hall: &Arc<Hall>, act: A, brought: Vec<u8>) -> Result<A::Done, Problem> {
        let file = self.here()?;
        if hall.cluster.is_none() {
            return act.carry_out(hall, file, brought, None).await;
        }
        let id = random_text(20);
        let body =
            serde_json::to_string(&act).map_err(|why| Problem::new("library-storage").with("detail", why))?;
        let bytes = (body.len() + brought.len()) as u64;
        for (at, part) in (0..).zip(brought.chunks(CHUNK)) {
            self.send_part(hall, &id, at, part.to_vec()).await?;
        }
        let (tell, told) = oneshot::channel();
        self.waiting().insert(id.clone(), tell);
        let deed = JournalDeed::Add { subject: A::SUBJECT.to_owned(), id: id.clone(), body, bytes };
        let n = match hall.store.journals.write(deed).await {
            Ok(n) => n,
            Err(why) => {
                self.waiting().remove(&id);
                return Err(unstored(&why));
            }
        };
        let own = Arc::clone(hall);
        tokio::spawn(async move {
            if let Err(why) = of::<A>(&own).catch_up(&own, Some(n)).await {
                tracing::warn!(%why, "an act was not carried out yet");
                // It is in the journal, and will be.
                of::<A>(&own).waiting().remove(&id);
            }
        });
        told.await.unwrap_or_else(|_| Err(busy()))
    }

    /// Carries out the entries of the journal that this copy lacks, up to that entry or all of them.
    async fn catch_up(&self, hall: &Arc<Hall>, until: Option<u64>) -> Result<(), Problem> {
        let _turn = self.turn.lock().await;
        loop {
            let file = self.here()?;
            let done = self.done.load(Ordering::Acquire);
            if until.is_some_and(|n| done >= n) {
                return Ok(());
            }
            let entries = hall.store.journals.journal_entries(A::SUBJECT, done + 1, AT_ONCE).await;
            let entries = entries.map_err(|why| unstored(&why))?;
            if entries.is_empty() {
                return Ok(());
            }
            for entry in entries {
                if entry.n != self.done.load(Ordering::Acquire) + 1 {
                    self.lost.store(true, Ordering::Relaxed);
                    tracing::error!(
                        file = A::File::NAME,
                        "entries are missing that this node's copy needs: start the node again, and it fetches a new copy"
                    );
                    return Err(Problem::new(A::CLOSED));
                }
                self.carry_out(hall, &file, entry).await?;
            }
        }
    }

    async fn carry_out(
        &self,
        hall: &Arc<Hall>,
        file: &Arc<A::File>,
        entry: JournalEntry,
    ) -> Result<(), Problem> {
        let JournalEntry { n, id, body } = entry;
        let act: A = serde_json::from_str(&body).map_err(|why| {
            tracing::error!(%why, entry = n, file = A::File::NAME, "an act of a newer node; this one waits until it is replaced");
            busy()
        })?;
        let mut brought = Vec::new();
        let brings = act.brings();
        for at in (0..).take_while(|_| brings) {
            let part = hall.store.journals.journal_chunk(&id, at).await.map_err(|why| unstored(&why))?;
            let Some(part) = part else { break };
            brought.extend(part);
        }
        let done = act.carry_out(hall, Arc::clone(file), brought, Some((n, id.clone()))).await;
        if let Err(why) = &done
            && is_passing(why)
        {
            return Err(why.clone());
        }
        let (noted, of) = (Arc::clone(file), id.clone());
        apart(move || noted.note_carried_out(n, &of)).await?;
        self.done.store(n, Ordering::Release);
        if let Some(waits) = self.waiting().remove(&id) {
            // The requester may have gone.
            let _ = waits.send(done);
        }
        Ok(())
    }

    /// Returns true if this node does the work that one node does for all.
    pub(crate) fn is_keeper(&self, hall: &Hall) -> bool {
        hall.cluster.as_ref().is_none_or(|cluster| cluster.serves() && cluster.keeper(A::SUBJECT).is_none())
    }

    /// Carries out what other nodes did, again and again; one node uploads the file now and then.
    pub(crate) async fn keep(&self, hall: &Arc<Hall>) {
        if hall.cluster.is_none() || self.here().is_err() {
            return;
        }
        let mut ticks = tokio::time::interval(EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let Ok(Some(head)) = hall.store.journals.journal_head(A::SUBJECT).await else { continue };
            if head.last > self.done.load(Ordering::Acquire) {
                let own = Arc::clone(hall);
                let catching = tokio::spawn(async move { of::<A>(&own).catch_up(&own, None).await });
                if let Ok(Err(why)) = catching.await {
                    tracing::warn!(%why, file = A::File::NAME, "this node's copy is behind");
                }
            }
            if (head.last - head.base > BASE_AFTER || head.since > BASE_BYTES) && self.is_keeper(hall) {
                let own = Arc::clone(hall);
                let renewing = tokio::spawn(async move { of::<A>(&own).renew_base(&own).await });
                if let Ok(Err(why)) = renewing.await {
                    tracing::warn!(%why, file = A::File::NAME, "a new base was not uploaded");
                }
            }
        }
    }

    /// Uploads the file as it is.
    pub(crate) async fn renew_base(&self, hall: &Arc<Hall>) -> Result<(), Problem> {
        let _turn = self.turn.lock().await;
        let (file, folder) = (self.here()?, self.folder.get().cloned().unwrap_or_default());
        let Some((n, id)) = file.carried_out()? else { return Ok(()) };
        self.upload(hall, &folder, file, n, id).await
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<String, OutcomeSender<A>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
