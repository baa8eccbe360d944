//! A disk that is slow, or stands still for a while, and the clocks of the players.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use edge::limits::Limits;
use edge::network::Payer;
use hall::hall::Hall;
use store::games::Finished;
use store::{Asleep, Condition, Logs, Pulse, Size, Store, StoreError, Stored, Strain};
use table::{Entry, Setup, Standing};
use tables::ask::{Ask, Handle, Wished};
use tables::opponents::Opponents;
use thinking::Foreign;
use tokio::sync::{oneshot, watch};
use wire::{Act, ClockFace, ClockSpec, CreateTable, How, Offer, Player, Side};

use crate::house::{gomoku, mv, offer};

/// The handles of a store whose appends take long, and which may be away.
pub struct Slow {
    /// The store behind it, which is never slow.
    pub inner: Store,
    /// The delay of each append, in milliseconds.
    delay: AtomicU64,
    /// Set if the store reports itself read-only, as when the disk was full when it was opened.
    read_only: AtomicBool,
    /// Set if appends fail for want of room.
    full: AtomicBool,
    /// The way in which the store is away, if it is.
    pub away: watch::Sender<Option<Away>>,
}

/// The ways in which a store can be away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Away {
    /// Each request fails.
    Refusing,
    /// Each request waits until the store is back.
    Silent,
}

impl Slow {
    /// Fails while the store refuses; waits while it is silent.
    async fn answers(&self) -> Result<(), StoreError> {
        let mut away = self.away.subscribe();
        if *away.borrow() == Some(Away::Refusing) {
            return Err(StoreError::Failed("the store is away".to_owned()));
        }
        let _ = away.wait_for(Option::is_none).await;
        Ok(())
    }

    /// Takes as long as an append, and fails where it would.
    async fn appends(&self) -> Result<(), StoreError> {
        tokio::time::sleep(Duration::from_millis(self.delay.load(Ordering::Relaxed))).await;
        self.answers().await?;
        if self.full.load(Ordering::Relaxed) { Err(StoreError::DiskFull) } else { Ok(()) }
    }
}

#[async_trait::async_trait]
impl Logs for Slow {
    async fn create(
        &self,
        id: &str,
        setup: &Setup,
        log: Vec<Entry>,
        standing: Standing,
    ) -> Result<(), StoreError> {
        self.inner.logs.create(id, setup, log, standing).await
    }

    async fn append(&self, id: &str, entry: Entry, standing: Option<Standing>) -> Result<(), StoreError> {
        self.appends().await?;
        self.inner.logs.append(id, entry, standing).await
    }

    async fn finish(
        &self,
        id: &str,
        entry: Entry,
        standing: Standing,
        game: Finished,
    ) -> Result<(), StoreError> {
        self.appends().await?;
        self.inner.logs.finish(id, entry, standing, game).await
    }

    async fn append_slow(
        &self,
        id: &str,
        entry: Entry,
        standing: Option<Standing>,
        asleep: Asleep,
    ) -> Result<(), StoreError> {
        self.appends().await?;
        self.inner.logs.append_slow(id, entry, standing, asleep).await
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        self.answers().await?;
        self.inner.logs.load(id).await
    }

    async fn log(&self, id: &str, since_ver: u64, most: u32) -> Result<Vec<Entry>, StoreError> {
        self.inner.logs.log(id, since_ver, most).await
    }
}

#[async_trait::async_trait]
impl Pulse for Slow {
    async fn beat(&self, now_ms: u64) -> Result<(), StoreError> {
        self.answers().await?;
        self.inner.pulse.beat(now_ms).await
    }

    fn last_beat(&self) -> Option<u64> {
        self.inner.pulse.last_beat()
    }

    async fn resume(&self, now_ms: u64) -> Result<u64, StoreError> {
        self.inner.pulse.resume(now_ms).await
    }

    async fn resume_from(&self, from_ms: u64, now_ms: u64) -> Result<u64, StoreError> {
        self.answers().await?;
        self.inner.pulse.resume_from(from_ms, now_ms).await
    }
}

#[async_trait::async_trait]
impl Condition for Slow {
    async fn size(&self) -> Result<Size, StoreError> {
        self.inner.condition.size().await
    }

    fn strain(&self) -> Strain {
        self.inner.condition.strain()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.inner.condition.ping().await
    }

    async fn probe_write(&self) -> Result<(), StoreError> {
        self.inner.condition.probe_write().await
    }

    fn is_read_only(&self) -> bool {
        self.read_only.load(Ordering::Relaxed)
    }

    async fn damage(&self) -> StoreError {
        self.inner.condition.damage().await
    }

    async fn close(&self) {
        self.inner.condition.close().await;
    }
}

pub fn person(id: &str) -> Player {
    Player { id: id.to_owned(), name: None, engine: None, program: false }
}

/// Opens a timed game between two people, both of whom have moved once.
pub async fn game(hall: &Arc<Hall>, clock: ClockSpec) -> (Handle, String) {
    let wish = CreateTable { clock, side: Some(Side::First), ..gomoku(How::Invite) };
    let id = hall.tables.open(wish, person("ann"), Payer::Hall).await.expect("opens");
    let handle = hall.tables.table(&id, Payer::Hall).await.expect("is there");
    ask(hall, &handle, "bob", Act::Sit { side: None }).await;
    ask(hall, &handle, "ann", mv("h8")).await;
    ask(hall, &handle, "bob", mv("a1")).await;
    (handle, id)
}

/// Sends an act that has just arrived; the answer comes later.
pub async fn send(
    hall: &Arc<Hall>,
    handle: &Handle,
    who: &str,
    act: Act,
) -> oneshot::Receiver<Option<String>> {
    static NAMES: AtomicU64 = AtomicU64::new(0);
    let cmd = format!("wish-{:04}", NAMES.fetch_add(1, Ordering::Relaxed));
    send_as(hall, handle, who, act, cmd).await
}

async fn send_as(
    hall: &Arc<Hall>,
    handle: &Handle,
    who: &str,
    act: Act,
    cmd: String,
) -> oneshot::Receiver<Option<String>> {
    let (reply, answer) = oneshot::channel();
    let (told, heard) = oneshot::channel();
    let arrived_ms = hall.time.now_ms();
    let wish = Wished {
        who: person(who),
        cmd,
        ver: u64::MAX,
        act,
        arrived_ms,
        lag_ms: 0,
        reply,
        span: tracing::Span::none(),
    };
    let wish = Ask::Do(Box::new(wish));
    assert!(handle.0.send(wish).await.is_ok(), "the table is there");
    tokio::spawn(async move {
        let _ = told.send(answer.await.expect("is answered").map(|words| words.to_string()));
    });
    heard
}

pub async fn ask(hall: &Arc<Hall>, handle: &Handle, who: &str, act: Act) {
    let answer = send(hall, handle, who, act).await.await.expect("is answered");
    assert_eq!(answer, None, "it was done");
}

pub async fn face(hall: &Arc<Hall>, id: &str) -> (ClockFace, Vec<Option<u64>>, Option<String>) {
    let look = |state: &table::State| {
        let spent = state.record.iter().map(|ply| ply.2).collect();
        let end = state.end.as_ref().map(|end| end.reason.to_string());
        (state.clock.face(0).expect("clocks"), spent, end)
    };
    hall.tables.look(id, Payer::Hall, look).await.expect("is there")
}

pub fn hall(inner: Store) -> (Arc<Hall>, Arc<Slow>) {
    let slow = Arc::new(Slow {
        inner: inner.clone(),
        delay: AtomicU64::new(0),
        read_only: AtomicBool::new(false),
        full: AtomicBool::new(false),
        away: watch::Sender::new(None),
    });
    let (logs, pulse, condition) = (slow.clone(), slow.clone(), slow.clone());
    let store = Store { logs, pulse, condition, ..inner };
    let (opponents, limits) =
        (Opponents::new(Foreign::default(), 8), Limits { on: false, ..Limits::default() });
    (Hall::new(Arc::new(store), limits, None, opponents), slow)
}

/// A slow disk costs no player time, although it takes half a second for each move.
#[tokio::test]
async fn nobody_pays_for_a_slow_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hall, slow) = hall(Store::open(folder.path()).await.expect("opens"));
    let (handle, id) = game(&hall, ClockSpec::Fischer { base_ms: 60_000, increment_ms: 0 }).await;
    slow.delay.store(500, Ordering::Relaxed);
    for (who, text) in [("ann", "h9"), ("bob", "a2"), ("ann", "h10"), ("bob", "a3")] {
        ask(&hall, &handle, who, mv(text)).await;
    }
    let (_, spent, _) = face(&hall, &id).await;
    // The first of them waited for nothing but this test.
    assert!(spent[3..].iter().all(|ms| ms.is_some_and(|ms| ms < 250)), "{spent:?}");
}

/// A move that arrived while there was time left counts, although the disk stood still over a draw offer and the move
/// was handled when there was none.
#[tokio::test]
async fn a_flag_does_not_beat_a_move_that_had_arrived() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hall, slow) = hall(Store::open(folder.path()).await.expect("opens"));
    let (handle, id) = game(&hall, ClockSpec::Fischer { base_ms: 1_500, increment_ms: 0 }).await;
    slow.delay.store(3_000, Ordering::Relaxed);
    let offered = send(&hall, &handle, "bob", offer(Offer::Draw)).await;
    let moved = send(&hall, &handle, "ann", mv("h9")).await;
    assert_eq!(offered.await.expect("is answered"), None);
    slow.delay.store(0, Ordering::Relaxed);
    assert_eq!(moved.await.expect("is answered"), None, "the move counts");
    let (_, _, end) = face(&hall, &id).await;
    assert_eq!(end, None);
    // Whose time is up without a move loses as ever.
    tokio::time::sleep(Duration::from_millis(2_300)).await;
    let (_, _, end) = face(&hall, &id).await;
    assert_eq!(end.as_deref(), Some("flag"));
}

/// A client that got a `full` before its answer sends its command again. A client that was told `not-stored` must not
/// find the move played by that copy.
#[tokio::test]
async fn what_was_not_stored_is_not_done_by_a_copy_of_the_wish() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hall, slow) = hall(Store::open(folder.path()).await.expect("opens"));
    let (handle, id) = game(&hall, ClockSpec::None).await;
    let ask = async |cmd: &str| {
        let answer = send_as(&hall, &handle, "ann", mv("h9"), cmd.to_owned()).await;
        answer.await.expect("is answered")
    };
    slow.full.store(true, Ordering::Relaxed);
    let first = ask("the-wish").await.expect("is refused");
    assert!(first.contains("not-stored"), "{first}");
    slow.full.store(false, Ordering::Relaxed);
    assert_eq!(ask("the-wish").await, Some(first), "the copy is answered as the wish was");
    let plies = |hall: Arc<Hall>, id: String| async move {
        hall.tables.look(&id, Payer::Hall, |state| state.record.len()).await.ok()
    };
    assert_eq!(plies(hall.clone(), id.clone()).await, Some(2));
    assert_eq!(ask("another-wish").await, None, "who wants it still wishes anew");
    assert_eq!(plies(hall.clone(), id.clone()).await, Some(3));
}

/// Every connection is told about trouble with the store, and only when it changes.
#[tokio::test]
async fn trouble_with_the_store_is_told_until_it_is_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hall, slow) = hall(Store::open(folder.path()).await.expect("opens"));
    let mut told = hall.trouble.subscribe();
    // Name, opened read-only, room is low, the last write went well, what is told.
    let rows = [
        ("all is well", false, false, true, None),
        ("little room", false, true, true, Some("disk-low")),
        ("no room when it was opened", true, true, true, Some("hall-read-only")),
        ("it can write again, with little room", false, true, true, Some("disk-low")),
        ("a write failed", false, true, false, Some("hall-read-only")),
        ("still", false, false, false, Some("hall-read-only")),
        ("all is well again", false, false, true, None),
    ];
    let mut before = None;
    for (name, read_only, low, writes, wanted) in rows {
        slow.read_only.store(read_only, Ordering::Relaxed);
        hall.disk.note(low);
        hall.tell_storage(writes);
        assert_eq!(told.has_changed().expect("the hall is there"), before != wanted, "{name}");
        assert_eq!(told.borrow_and_update().as_ref().map(|why| why.key), wanted, "{name}");
        before = wanted;
    }
}
