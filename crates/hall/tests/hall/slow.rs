//! A disk that is slow, or stands still for a while, and the clocks of the players.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use edge::limits::Limits;
use edge::network::Payer;
use hall::hall::Hall;
use hall::opponents::{Foreign, Opponents};
use hall::table_task::{Ask, Handle, Wished};
use people::vacation::Vacation;
use store::games::{Filter, Finished, GameRow, Games, Place, Plies, Tally};
use store::mail::{Mail, MailAddress, MailChange, MailLink, Mailbox, WaitingGame};
use store::notices::{Device, DueNotice, NoticeChange};
use store::slow::{SlowGame, SlowGames, StoredPlan};
use store::staff::{Logged, StaffDeed};
use store::together::{Challenge, Complaint, Deed, Relation, SaidRow, Together, Which};
use store::{
    Account, Adoption, Asleep, Change, Find, Forgotten, MapRoom, NewMap, NewPerson, Note, Notices, PersonRow,
    Report, Retention, SessionOf, Size, Sqlite, Store, StoreError, Stored, StoredMap, TokenOf,
};
use table::{Entry, Setup, Standing};
use tokio::sync::{oneshot, watch};
use wire::{Act, ClockFace, ClockSpec, CreateTable, How, MapLine, Offer, Player, Side};

use crate::house::{gomoku, mv, offer};

/// A store whose appends take long.
pub struct Slow {
    inner: Sqlite,
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

    async fn wait(&self) {
        tokio::time::sleep(Duration::from_millis(self.delay.load(Ordering::Relaxed))).await;
    }
}

#[async_trait::async_trait]
impl store::Claims for Slow {
    async fn claim(&self, id: &str) -> Result<store::Claim, StoreError> {
        self.inner.claim(id).await
    }

    async fn goes_on(&self, id: &str) -> Result<(), StoreError> {
        self.inner.goes_on(id).await
    }

    async fn release(&self, id: &str) -> Result<bool, StoreError> {
        self.inner.release(id).await
    }

    async fn owner(&self, id: &str) -> Result<Option<store::NodeRow>, StoreError> {
        self.inner.owner(id).await
    }

    async fn renew(&self) -> Result<(), StoreError> {
        self.inner.renew().await
    }

    async fn orphans(&self, most: u32) -> Result<Vec<String>, StoreError> {
        self.inner.orphans(most).await
    }

    async fn owned(&self, incarnation: &str, most: u32) -> Result<Vec<store::Owned>, StoreError> {
        self.inner.owned(incarnation, most).await
    }

    async fn nodes(&self) -> Result<Vec<store::NodeRow>, StoreError> {
        self.inner.nodes().await
    }

    async fn clock_ms(&self) -> Result<Option<u64>, StoreError> {
        self.inner.clock_ms().await
    }

    fn node(&self) -> Option<&str> {
        self.inner.node()
    }
}

#[async_trait::async_trait]
impl Games for Slow {
    async fn finish(
        &self,
        id: &str,
        entry: Entry,
        standing: Standing,
        game: Finished,
    ) -> Result<(), StoreError> {
        self.wait().await;
        self.answers().await?;
        if self.full.load(Ordering::Relaxed) {
            return Err(StoreError::DiskFull);
        }
        self.inner.finish(id, entry, standing, game).await
    }

    async fn find_person(&self, name_or_id: &str) -> Result<Option<PersonRow>, StoreError> {
        self.inner.find_person(name_or_id).await
    }

    async fn game(&self, id: &str) -> Result<Option<GameRow>, StoreError> {
        self.inner.game(id).await
    }

    async fn games(
        &self,
        person: &str,
        filter: &Filter,
        before: Option<Place>,
        most: u32,
    ) -> Result<Vec<GameRow>, StoreError> {
        self.inner.games(person, filter, before, most).await
    }

    async fn games_after(&self, n: u64, most: u32) -> Result<Vec<GameRow>, StoreError> {
        self.inner.games_after(n, most).await
    }

    async fn plies(&self, n: u64) -> Result<Option<Plies>, StoreError> {
        self.inner.plies(n).await
    }

    async fn tally(&self, person: &str, opponent: Option<&str>) -> Result<Vec<Tally>, StoreError> {
        self.inner.tally(person, opponent).await
    }

    async fn ratings(&self, person: &str) -> Result<Vec<(people::Pool, people::Rating)>, StoreError> {
        self.inner.ratings(person).await
    }

    async fn curves(&self, person: &str, most: u32) -> Result<store::games::Curves, StoreError> {
        self.inner.curves(person, most).await
    }
}

#[async_trait::async_trait]
impl SlowGames for Slow {
    async fn append_slow(
        &self,
        id: &str,
        entry: Entry,
        standing: Option<Standing>,
        asleep: Asleep,
    ) -> Result<(), StoreError> {
        self.wait().await;
        self.answers().await?;
        if self.full.load(Ordering::Relaxed) {
            return Err(StoreError::DiskFull);
        }
        self.inner.append_slow(id, entry, standing, asleep).await
    }

    async fn resume(&self, now_ms: u64) -> Result<u64, StoreError> {
        self.inner.resume(now_ms).await
    }

    async fn resume_from(&self, from_ms: u64, now_ms: u64) -> Result<u64, StoreError> {
        self.answers().await?;
        self.inner.resume_from(from_ms, now_ms).await
    }

    async fn slow_games(&self, person: &str, most: u32) -> Result<Vec<SlowGame>, StoreError> {
        self.inner.slow_games(person, most).await
    }

    async fn vacation(&self, person: &str) -> Result<Option<Vacation>, StoreError> {
        self.inner.vacation(person).await
    }

    async fn on_vacation(&self) -> Result<Vec<(String, Vacation)>, StoreError> {
        self.inner.on_vacation().await
    }

    async fn set_vacation(
        &self,
        person: &str,
        vacation: Vacation,
        now_ms: u64,
    ) -> Result<Vec<String>, StoreError> {
        self.inner.set_vacation(person, vacation, now_ms).await
    }

    async fn plans(&self, id: &str) -> Result<Vec<StoredPlan>, StoreError> {
        self.inner.plans(id).await
    }

    async fn set_plan(&self, id: &str, plan: StoredPlan) -> Result<(), StoreError> {
        self.inner.set_plan(id, plan).await
    }

    async fn plans_due(&self, most: u32) -> Result<Vec<String>, StoreError> {
        self.inner.plans_due(most).await
    }

    async fn seat_note(&self, id: &str, person: &str) -> Result<String, StoreError> {
        self.inner.seat_note(id, person).await
    }

    async fn set_seat_note(&self, id: &str, person: &str, text: &str) -> Result<(), StoreError> {
        self.inner.set_seat_note(id, person, text).await
    }
}

#[async_trait::async_trait]
impl store::StaffDesk for Slow {
    async fn staff(&self, deed: StaffDeed, logged: Logged, spares_last: bool) -> Result<u64, StoreError> {
        self.inner.staff(deed, logged, spares_last).await
    }

    async fn staff_version(&self) -> Result<u64, StoreError> {
        self.inner.staff_version().await
    }

    async fn house(&self, now_ms: u64) -> Result<store::staff::House, StoreError> {
        self.inner.house(now_ms).await
    }

    async fn staff_log(&self, of: store::staff::LogOf<'_>, most: u32) -> Result<Vec<Logged>, StoreError> {
        self.inner.staff_log(of, most).await
    }

    async fn staff_news(&self, after: u64, most: u32) -> Result<Vec<Logged>, StoreError> {
        self.inner.staff_news(after, most).await
    }

    async fn accounts_like(&self, folded: &str, most: u32) -> Result<Vec<PersonRow>, StoreError> {
        self.inner.accounts_like(folded, most).await
    }

    async fn accounts_sharing(
        &self,
        person: &str,
        most: u32,
    ) -> Result<Vec<store::staff::Sharing>, StoreError> {
        self.inner.accounts_sharing(person, most).await
    }

    async fn invitations(&self, now_ms: u64) -> Result<Vec<store::staff::Invitation>, StoreError> {
        self.inner.invitations(now_ms).await
    }

    async fn name_is_gone(&self, folded: &str) -> Result<bool, StoreError> {
        self.inner.name_is_gone(folded).await
    }

    async fn is_held(&self, key: &[u8], now_ms: u64) -> Result<bool, StoreError> {
        self.inner.is_held(key, now_ms).await
    }

    async fn account_since(&self, person: &str) -> Result<u64, StoreError> {
        self.inner.account_since(person).await
    }
}

#[async_trait::async_trait]
impl Together for Slow {
    async fn deed(&self, deed: Deed) -> Result<u64, StoreError> {
        self.inner.deed(deed).await
    }

    async fn challenge(&self, id: &str, now_ms: u64) -> Result<Option<Challenge>, StoreError> {
        self.inner.challenge(id, now_ms).await
    }

    async fn challenges(&self, person: &str, now_ms: u64) -> Result<Vec<Challenge>, StoreError> {
        self.inner.challenges(person, now_ms).await
    }

    async fn relation(&self, person: &str, other: &str) -> Result<Relation, StoreError> {
        self.inner.relation(person, other).await
    }

    async fn relations(&self, person: &str) -> Result<Vec<(PersonRow, Relation)>, StoreError> {
        self.inner.relations(person).await
    }

    async fn blocked(&self, person: &str) -> Result<Vec<String>, StoreError> {
        self.inner.blocked(person).await
    }

    async fn apart(&self, person: &str) -> Result<Vec<String>, StoreError> {
        self.inner.apart(person).await
    }

    async fn said(
        &self,
        table: &str,
        watching: bool,
        most: u32,
        now_ms: u64,
    ) -> Result<Vec<SaidRow>, StoreError> {
        self.inner.said(table, watching, most, now_ms).await
    }

    async fn said_by(&self, person: &str, after: u64, most: u32) -> Result<Vec<SaidRow>, StoreError> {
        self.inner.said_by(person, after, most).await
    }

    async fn said_around(&self, n: u64, most: u32) -> Result<Vec<SaidRow>, StoreError> {
        self.inner.said_around(n, most).await
    }

    async fn complaints(&self, which: Which<'_>, most: u32) -> Result<Vec<Complaint>, StoreError> {
        self.inner.complaints(which, most).await
    }

    async fn muted_until(&self, person: &str, now_ms: u64) -> Result<Option<u64>, StoreError> {
        self.inner.muted_until(person, now_ms).await
    }

    async fn seek(&self, table: &str) -> Result<Option<people::challenge::RatingRange>, StoreError> {
        self.inner.seek(table).await
    }

    async fn map_owner(&self, id: &str) -> Result<Option<(String, String)>, StoreError> {
        self.inner.map_owner(id).await
    }

    async fn left_since(&self, person: &str, since_ms: u64) -> Result<u32, StoreError> {
        self.inner.left_since(person, since_ms).await
    }
}

#[async_trait::async_trait]
impl Mail for Slow {
    async fn mail(&self, change: MailChange) -> Result<(), StoreError> {
        self.inner.mail(change).await
    }

    async fn mail_address(&self, person: &str) -> Result<Option<MailAddress>, StoreError> {
        self.inner.mail_address(person).await
    }

    async fn accounts_at(&self, mailbox: Mailbox) -> Result<Vec<(MailAddress, String)>, StoreError> {
        self.inner.accounts_at(mailbox).await
    }

    async fn unconfirmed(&self, person: &str, now_ms: u64) -> Result<Option<String>, StoreError> {
        self.inner.unconfirmed(person, now_ms).await
    }

    async fn mail_link(&self, hash: [u8; 32], now_ms: u64) -> Result<Option<(MailLink, String)>, StoreError> {
        self.inner.mail_link(hash, now_ms).await
    }

    async fn is_stopped(&self, mailbox: Mailbox) -> Result<bool, StoreError> {
        self.inner.is_stopped(mailbox).await
    }

    async fn digests_due(&self, now_ms: u64, most: u32) -> Result<Vec<MailAddress>, StoreError> {
        self.inner.digests_due(now_ms, most).await
    }

    async fn waiting_games(&self, person: &str, now_ms: u64) -> Result<Vec<WaitingGame>, StoreError> {
        self.inner.waiting_games(person, now_ms).await
    }
}

#[async_trait::async_trait]
impl Notices for Slow {
    async fn notice(&self, change: NoticeChange) -> Result<(), StoreError> {
        self.inner.notice(change).await
    }

    async fn noticed(&self, of: &[(String, String)]) -> Result<Vec<(String, String)>, StoreError> {
        self.inner.noticed(of).await
    }

    async fn hall_secret(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.inner.hall_secret(name).await
    }

    async fn devices(&self, person: &str) -> Result<Vec<Device>, StoreError> {
        self.inner.devices(person).await
    }

    async fn told_people(&self) -> Result<Vec<String>, StoreError> {
        self.inner.told_people().await
    }

    async fn quiet(&self, person: &str) -> Result<Option<people::notices::Quiet>, StoreError> {
        self.inner.quiet(person).await
    }

    async fn notices_due(
        &self,
        now_ms: u64,
        most: u32,
        but: &[String],
    ) -> Result<Vec<DueNotice>, StoreError> {
        self.inner.notices_due(now_ms, most, but).await
    }

    async fn nearly_out(&self, now_ms: u64, most: u32) -> Result<Vec<(String, String, u64)>, StoreError> {
        self.inner.nearly_out(now_ms, most).await
    }
}

#[async_trait::async_trait]
impl Store for Slow {
    fn shelf(&self) -> &dyn store::Shelf {
        self.inner.shelf()
    }

    fn studies(&self) -> &dyn store::Studies {
        self.inner.studies()
    }

    fn questions(&self) -> &dyn store::Questions {
        self.inner.questions()
    }

    fn worker_keys(&self) -> &dyn store::WorkerKeys {
        self.inner.worker_keys()
    }

    fn searches(&self) -> Option<&dyn store::SharedSearches> {
        self.inner.searches()
    }

    fn journals(&self) -> &dyn store::Journals {
        self.inner.journals()
    }

    async fn create(
        &self,
        id: &str,
        setup: &Setup,
        log: Vec<Entry>,
        standing: Standing,
    ) -> Result<(), StoreError> {
        self.inner.create(id, setup, log, standing).await
    }

    async fn append(&self, id: &str, entry: Entry, standing: Option<Standing>) -> Result<(), StoreError> {
        self.wait().await;
        self.answers().await?;
        if self.full.load(Ordering::Relaxed) {
            return Err(StoreError::DiskFull);
        }
        self.inner.append(id, entry, standing).await
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, StoreError> {
        self.answers().await?;
        self.inner.load(id).await
    }

    async fn log(&self, id: &str, since_ver: u64, most: u32) -> Result<Vec<Entry>, StoreError> {
        self.inner.log(id, since_ver, most).await
    }

    async fn room(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.inner.room(name).await
    }

    async fn waiting_tables(&self, since_ms: u64, most: u32) -> Result<Vec<String>, StoreError> {
        self.inner.waiting_tables(since_ms, most).await
    }

    async fn playing(&self, person: &str, most: u32) -> Result<Vec<String>, StoreError> {
        self.inner.playing(person, most).await
    }

    async fn sleep(&self, id: &str, asleep: Asleep) -> Result<(), StoreError> {
        self.inner.sleep(id, asleep).await
    }

    async fn wake(&self, id: &str) -> Result<(), StoreError> {
        self.inner.wake(id).await
    }

    async fn due(&self, now_ms: u64, most: u32) -> Result<Vec<String>, StoreError> {
        self.inner.due(now_ms, most).await
    }

    async fn strike(&self, id: &str) -> Result<u32, StoreError> {
        self.inner.strike(id).await
    }

    async fn pardon(&self, id: &str) -> Result<(), StoreError> {
        self.inner.pardon(id).await
    }

    async fn beat(&self, now_ms: u64) -> Result<(), StoreError> {
        self.answers().await?;
        self.inner.beat(now_ms).await
    }

    fn last_beat(&self) -> Option<u64> {
        self.inner.last_beat()
    }

    async fn person_by(&self, hash: &[u8; 32]) -> Result<Option<PersonRow>, StoreError> {
        self.inner.person_by(hash).await
    }

    async fn enroll(&self, person: NewPerson) -> Result<(), StoreError> {
        self.inner.enroll(person).await
    }

    async fn seen(&self, hash: &[u8; 32], now_ms: u64) -> Result<(), StoreError> {
        self.inner.seen(hash, now_ms).await
    }

    async fn name(&self, person: &str) -> Result<Option<String>, StoreError> {
        self.inner.name(person).await
    }

    async fn rename(&self, person: &str, name: Option<&str>, folded: Option<&str>) -> Result<(), StoreError> {
        self.inner.rename(person, name, folded).await
    }

    async fn adopt(
        &self,
        old_id: &str,
        new_id: &str,
        hash: &[u8; 32],
        now_ms: u64,
    ) -> Result<Adoption, StoreError> {
        self.inner.adopt(old_id, new_id, hash, now_ms).await
    }

    async fn account(&self, find: Find<'_>) -> Result<Option<Account>, StoreError> {
        self.inner.account(find).await
    }

    async fn session(&self, hash: &[u8; 32]) -> Result<Option<SessionOf>, StoreError> {
        self.inner.session(hash).await
    }

    async fn token(&self, hash: &[u8; 32]) -> Result<Option<TokenOf>, StoreError> {
        self.inner.token(hash).await
    }

    async fn change(&self, change: Change, note: Option<Note>) -> Result<(), StoreError> {
        self.inner.change(change, note).await
    }

    async fn noted(
        &self,
        person: Option<&str>,
        below: Option<u64>,
        most: u32,
    ) -> Result<Vec<(u64, Note)>, StoreError> {
        self.inner.noted(person, below, most).await
    }

    async fn tables_of(&self, person: &str, after: &str, most: u32) -> Result<Vec<String>, StoreError> {
        self.inner.tables_of(person, after, most).await
    }

    async fn maps_of(&self, person: &str) -> Result<Vec<String>, StoreError> {
        self.inner.maps_of(person).await
    }

    async fn merge(&self, guest: &str, account: &str) -> Result<(), StoreError> {
        self.inner.merge(guest, account).await
    }

    async fn merging(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.inner.merging().await
    }

    async fn merge_part(&self, guest: &str) -> Result<Option<Vec<String>>, StoreError> {
        self.inner.merge_part(guest).await
    }

    async fn closing(&self) -> Result<Vec<String>, StoreError> {
        self.inner.closing().await
    }

    async fn scrub(&self, person: &str) -> Result<Vec<String>, StoreError> {
        self.inner.scrub(person).await
    }

    async fn keep_map(&self, map: NewMap, room: MapRoom) -> Result<(), StoreError> {
        self.inner.keep_map(map, room).await
    }

    async fn map(&self, id: &str) -> Result<Option<StoredMap>, StoreError> {
        self.inner.map(id).await
    }

    async fn maps(&self, search: &str, most: u32) -> Result<Vec<MapLine>, StoreError> {
        self.inner.maps(search, most).await
    }

    async fn report(&self, id: &str) -> Result<Option<(u64, String)>, StoreError> {
        self.inner.report(id).await
    }

    async fn keep_report(&self, id: &str, ver: u64, body: &str) -> Result<(), StoreError> {
        self.inner.keep_report(id, ver, body).await
    }

    async fn forget(&self, retention: Retention, now_ms: u64) -> Result<Forgotten, StoreError> {
        self.inner.forget(retention, now_ms).await
    }

    async fn fold(&self, before_ms: u64) -> Result<store::Folded, StoreError> {
        self.inner.fold(before_ms).await
    }

    async fn size(&self) -> Result<Size, StoreError> {
        self.inner.size().await
    }

    fn strain(&self) -> store::Strain {
        self.inner.strain()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.inner.ping().await
    }

    async fn probe_write(&self) -> Result<(), StoreError> {
        self.inner.probe_write().await
    }

    fn is_read_only(&self) -> bool {
        self.read_only.load(Ordering::Relaxed)
    }

    async fn backup(&self, path: &Path) -> Result<Report, StoreError> {
        self.inner.backup(path).await
    }

    async fn damage(&self) -> StoreError {
        self.inner.damage().await
    }

    async fn close(&self) {
        self.inner.close().await
    }
}

pub fn person(id: &str) -> Player {
    Player { id: id.to_owned(), name: None, engine: None, program: false }
}

/// Opens a timed game between two people, both of whom have moved once.
pub async fn game(hall: &Arc<Hall>, clock: ClockSpec) -> (Handle, String) {
    let wish = CreateTable { clock, side: Some(Side::First), ..gomoku(How::Invite) };
    let id = hall.open(wish, person("ann"), Payer::Hall).await.expect("opens");
    let handle = hall.table(&id, Payer::Hall).await.expect("is there");
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
    hall.look(id, Payer::Hall, look).await.expect("is there")
}

pub fn hall(inner: Sqlite) -> (Arc<Hall>, Arc<Slow>) {
    let slow = Arc::new(Slow {
        inner,
        delay: AtomicU64::new(0),
        read_only: AtomicBool::new(false),
        full: AtomicBool::new(false),
        away: watch::Sender::new(None),
    });
    let opponents = Opponents::new(Foreign::default(), 8);
    let store: Arc<dyn Store> = slow.clone();
    (Hall::new(store, Limits { on: false, ..Limits::default() }, None, opponents), slow)
}

/// A slow disk costs no player time, although it takes half a second for each move.
#[tokio::test]
async fn nobody_pays_for_a_slow_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hall, slow) = hall(Sqlite::open(folder.path()).await.expect("opens"));
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
    let (hall, slow) = hall(Sqlite::open(folder.path()).await.expect("opens"));
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
    let (hall, slow) = hall(Sqlite::open(folder.path()).await.expect("opens"));
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
        hall.look(&id, Payer::Hall, |state| state.record.len()).await.ok()
    };
    assert_eq!(plies(hall.clone(), id.clone()).await, Some(2));
    assert_eq!(ask("another-wish").await, None, "who wants it still wishes anew");
    assert_eq!(plies(hall.clone(), id.clone()).await, Some(3));
}

/// Every connection is told about trouble with the store, and only when it changes.
#[tokio::test]
async fn trouble_with_the_store_is_told_until_it_is_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let (hall, slow) = hall(Sqlite::open(folder.path()).await.expect("opens"));
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
