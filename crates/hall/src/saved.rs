//! Studies that people save: which are in memory, who looks at them, and how a change becomes an event that all hear.
//!
//! The database orders: an event is stored as the next version, or the store says that another node was faster; then what came
//! is read and the change is decided again. So every node may take changes, and a node that has heard nothing of the others
//! still loses nothing. The bus only says that there is something to read.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use kernel::{AnyGame, Problem};
use store::StoreError;
use store::studies::{Access, Shown, StudyDeed};
use study::kept;
use tokio::sync::{OwnedMutexGuard, broadcast};
use wire::{Study, StudyAccess, StudyChapter, StudyEntry, StudyEvent, StudyHear, StudyMember, StudyRole};

use crate::cluster::talk::Word;
use crate::hall::{Context, Hall};
use crate::maps::{Loaded, NoMap, apart};

/// Studies in memory beside those that somebody looks at.
const RECENT: usize = 16;
/// Events that a connection may fall behind.
const BEHIND: usize = 64;
/// The whole is stored again after so many events.
const WHOLE_EVERY: u64 = 64;
/// Or after events of so many bytes.
const WHOLE_BYTES: usize = 256 << 10;
/// A longer event is not told: whoever listens reads the study again.
const LONGEST_TOLD: usize = 64 << 10;
/// How often a study that is looked at is held against the database, where the bus may have lost something.
const ASKED_EVERY: Duration = Duration::from_secs(10);
/// How often a change is decided again because another node was faster. Eight were too few where people change a study at two
/// nodes as fast as they can.
pub(crate) const TRIES: usize = 40;

/// A study in memory.
pub(crate) struct Held {
    pub(crate) study: Study,
    /// Bytes of events since the whole was stored.
    bytes: usize,
    /// The version at which it was.
    whole_ver: u64,
}

type Cell = Arc<tokio::sync::Mutex<Option<Held>>>;

/// A study that is held, so that nothing happens to it meanwhile on this node.
pub(crate) type Guard = OwnedMutexGuard<Option<Held>>;

/// Who looks at a study.
struct Room {
    told: broadcast::Sender<Told>,
    present: HashMap<u64, Option<StudyMember>>,
    at: Option<(StudyMember, u32, u32)>,
    /// When it was last asked whether other nodes have added something.
    asked: Instant,
}

/// What those who look at a study hear.
#[derive(Clone)]
pub(crate) struct Told {
    /// The message.
    pub(crate) words: Arc<str>,
    /// The version of the study that it tells of, where it tells of one.
    pub(crate) ver: Option<u64>,
    /// Who may read it has changed.
    pub(crate) who_may: bool,
}

/// All of them.
#[derive(Default)]
pub struct Saved {
    cells: Mutex<HashMap<String, (Instant, Cell)>>,
    rooms: Arc<Mutex<HashMap<String, Room>>>,
    count: std::sync::atomic::AtomicU64,
}

/// Somebody who looks at a study, until it is dropped.
pub(crate) struct Looking {
    rooms: Arc<Mutex<HashMap<String, Room>>>,
    id: String,
    number: u64,
    /// What happens.
    pub(crate) told: broadcast::Receiver<Told>,
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

fn words(what: &StudyHear) -> Arc<str> {
    serde_json::to_string(what).expect("messages are plain data").into()
}

/// Why a study cannot be had, or not be changed so.
#[derive(Debug)]
pub enum NoSaved {
    /// There is none of that id that the asker may see.
    Unknown,
    /// It may not be.
    Refused(Problem),
    /// The store failed.
    Store(StoreError),
}

impl From<Problem> for NoSaved {
    fn from(problem: Problem) -> Self {
        NoSaved::Refused(problem)
    }
}

impl From<StoreError> for NoSaved {
    fn from(why: StoreError) -> Self {
        match why {
            StoreError::Missing => NoSaved::Unknown,
            why => NoSaved::Store(why),
        }
    }
}

/// What that person may do in a study; `None`: not even read it.
#[must_use]
pub fn role(study: &Study, person: &str) -> Option<StudyRole> {
    if study.owner.id == person {
        Some(StudyRole::Owner)
    } else if study.members.iter().any(|member| member.id == person) {
        Some(StudyRole::Contributor)
    } else {
        (study.access != StudyAccess::Private).then_some(StudyRole::Reader)
    }
}

/// What lists show of a study.
pub(crate) fn shown(study: &Study) -> Shown {
    let mut games: Vec<String> = study.chapters.iter().map(|chapter| chapter.game.clone()).collect();
    games.sort_unstable();
    games.dedup();
    let maps = study.chapters.iter().filter_map(|chapter| chapter.map.as_ref()).map(|map| map.id.clone());
    let access = match study.access {
        StudyAccess::Private => Access::Private,
        StudyAccess::Link => Access::Link,
        StudyAccess::Public => Access::Public,
    };
    Shown {
        name: study.name.clone(),
        access,
        games,
        chapters: u32::try_from(study.chapters.len()).unwrap_or(u32::MAX),
        maps: maps.collect(),
        members: study.members.iter().map(|member| member.id.clone()).collect(),
    }
}

/// Whether an event changes what lists show.
fn is_shown(event: &StudyEvent) -> bool {
    matches!(
        event,
        StudyEvent::ChapterAdded { .. }
            | StudyEvent::ChapterRemoved { .. }
            | StudyEvent::Named { .. }
            | StudyEvent::AccessSet { .. }
            | StudyEvent::Invited { .. }
            | StudyEvent::Dismissed { .. }
    )
}

impl Saved {
    fn cell(&self, id: &str) -> Cell {
        let mut cells = lock(&self.cells);
        if !cells.contains_key(id) {
            // Nobody who holds the rooms waits for the cells.
            let rooms = lock(&self.rooms);
            if cells.len() >= RECENT + rooms.len() {
                // Those who use it hold it: it is only forgotten here.
                let idle = cells
                    .iter()
                    .filter(|(id, (_, cell))| Arc::strong_count(cell) == 1 && !rooms.contains_key(*id));
                let oldest = idle.min_by_key(|(_, (used, _))| *used).map(|(id, _)| id.clone());
                oldest.map(|id| cells.remove(&id));
            }
        }
        let entry = cells.entry(id.to_owned()).or_insert_with(|| (Instant::now(), Cell::default()));
        entry.0 = Instant::now();
        Arc::clone(&entry.1)
    }

    /// Looks at a study from now on; `member`: as one who may change it.
    pub(crate) fn look(&self, id: &str, member: Option<StudyMember>) -> Looking {
        let number = self.count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mut rooms = lock(&self.rooms);
        let room = rooms.entry(id.to_owned()).or_insert_with(|| Room {
            told: broadcast::channel(BEHIND).0,
            present: HashMap::new(),
            at: None,
            asked: Instant::now(),
        });
        let told = room.told.subscribe();
        room.present.insert(number, member);
        room.tell_here();
        Looking { rooms: Arc::clone(&self.rooms), id: id.to_owned(), number, told }
    }

    /// Where somebody showed last that they look.
    pub(crate) fn at(&self, id: &str) -> Option<StudyHear> {
        let at = lock(&self.rooms).get(id)?.at.clone();
        at.map(|(who, chapter, node)| StudyHear::At { who, chapter, node })
    }

    /// Tells those who look at a study on this node where somebody looks.
    pub(crate) fn tell_at(&self, id: &str, who: StudyMember, chapter: u32, node: u32) {
        if let Some(room) = lock(&self.rooms).get_mut(id) {
            room.at = Some((who.clone(), chapter, node));
            let _ = room.told.send(Told::plain(&StudyHear::At { who, chapter, node }));
        }
    }

    fn tell_entry(&self, id: &str, entry: &StudyEntry) {
        let rooms = lock(&self.rooms);
        let Some(room) = rooms.get(id) else { return };
        let who_may = matches!(
            entry.event,
            StudyEvent::AccessSet { .. } | StudyEvent::Dismissed { .. } | StudyEvent::Invited { .. }
        );
        let mut told = words(&StudyHear::Did { entry: Box::new(entry.clone()) });
        if told.len() > LONGEST_TOLD {
            told = words(&StudyHear::Anew { ver: entry.ver });
        }
        let _ = room.told.send(Told { words: told, ver: Some(entry.ver), who_may });
    }

    /// Tells those who look at a study on this node that it is to be read again, where they have not heard of that version.
    fn tell_anew(&self, id: &str, ver: u64) {
        if let Some(room) = lock(&self.rooms).get(id) {
            let words = words(&StudyHear::Anew { ver });
            let _ = room.told.send(Told { words, ver: Some(ver), who_may: true });
        }
    }

    /// Whether it is time to ask what other nodes have added, for all who look at it here together.
    fn is_due(&self, id: &str) -> bool {
        let mut rooms = lock(&self.rooms);
        let Some(room) = rooms.get_mut(id).filter(|room| room.asked.elapsed() >= ASKED_EVERY) else {
            return false;
        };
        room.asked = Instant::now();
        true
    }

    fn is_watched(&self, id: &str) -> bool {
        lock(&self.rooms).contains_key(id)
    }

    /// A study has gone.
    fn gone(&self, id: &str) {
        lock(&self.cells).remove(id);
        if let Some(room) = lock(&self.rooms).get(id) {
            let _ = room.told.send(Told { words: words(&StudyHear::Gone), ver: None, who_may: true });
        }
    }
}

impl Told {
    fn plain(what: &StudyHear) -> Told {
        Told { words: words(what), ver: None, who_may: false }
    }
}

impl Room {
    fn tell_here(&self) {
        let mut who: Vec<StudyMember> = self.present.values().flatten().cloned().collect();
        who.sort_by(|a, b| a.id.cmp(&b.id));
        who.dedup_by(|a, b| a.id == b.id);
        let watchers = u32::try_from(self.present.len()).unwrap_or(u32::MAX);
        let _ = self.told.send(Told::plain(&StudyHear::Here { who, watchers }));
    }
}

impl Looking {
    /// Is seen among those who may change it, or not any more.
    pub(crate) fn is_now(&self, member: Option<StudyMember>) {
        let mut rooms = lock(&self.rooms);
        if let Some(room) = rooms.get_mut(&self.id) {
            room.present.insert(self.number, member);
            room.tell_here();
        }
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        let mut rooms = lock(&self.rooms);
        let Some(room) = rooms.get_mut(&self.id) else { return };
        room.present.remove(&self.number);
        if room.present.is_empty() {
            rooms.remove(&self.id);
        } else {
            room.tell_here();
        }
    }
}

/// What opens the chapters of a study: the rules of their map, where it has one.
#[derive(Clone, Default)]
pub(crate) struct Rules(Option<Arc<Loaded>>);

impl Rules {
    /// Those of a map.
    pub(crate) fn of(map: Arc<Loaded>) -> Rules {
        Rules(Some(map))
    }

    /// A chapter's game at its start.
    pub(crate) fn open(&self, chapter: &StudyChapter) -> Result<Box<dyn AnyGame>, Problem> {
        let entry = catalog::find(&chapter.game)?;
        let mut options = entry.settle(&chapter.options, catalog::Setting::Faithful)?;
        let map = self.0.as_deref();
        if let Some(map) = map {
            map.settle(&mut options);
        }
        entry.open(map.map(|map| &map.rules), &options, chapter.fen.as_deref())
    }
}

impl Context {
    /// The rules of a chapter.
    ///
    /// # Errors
    /// That of its map.
    pub(crate) async fn rules_of(&self, chapter: &StudyChapter) -> Result<Rules, Problem> {
        match &chapter.map {
            Some(map) => Ok(Rules(Some(self.map(&map.id).await.map_err(NoMap::problem)?))),
            None => Ok(Rules(None)),
        }
    }
}

impl Hall {
    /// A study as it is now, held.
    ///
    /// # Errors
    /// See [`NoSaved`].
    pub(crate) async fn hold(&self, id: &str) -> Result<Guard, NoSaved> {
        let mut guard = self.saved.cell(id).lock_owned().await;
        if guard.is_some() && self.cluster.is_some() {
            self.catch_up(id, &mut guard).await?;
        }
        if guard.is_none() {
            let read = self.read_study(id).await?;
            // It was forgotten, perhaps because a change failed that is stored all the same.
            self.saved.tell_anew(id, read.study.ver);
            *guard = Some(read);
        }
        Ok(guard)
    }

    async fn read_study(&self, id: &str) -> Result<Held, NoSaved> {
        let found = self.store.studies().study(id).await?.ok_or(NoSaved::Unknown)?;
        apart(found.whole.len() > WHOLE_BYTES, || {
            let mut study = kept::read(&found.whole)?;
            let (whole_ver, mut bytes) = (study.ver, 0);
            for entry in &found.entries {
                study::apply(&mut study, &kept::read_entry(entry)?);
                bytes += entry.len();
            }
            Ok(Held { study, bytes, whole_ver })
        })
    }

    /// Reads what other nodes added; tells those who look at it here. A study that has gone is forgotten.
    async fn catch_up(&self, id: &str, guard: &mut Guard) -> Result<(), NoSaved> {
        let Some(held) = guard.as_mut() else { return Ok(()) };
        let Some(entries) = self.store.studies().study_entries(id, held.study.ver).await? else {
            match self.read_study(id).await {
                Ok(read) => {
                    self.saved.tell_anew(id, read.study.ver);
                    **guard = Some(read);
                    return Ok(());
                }
                Err(why) => {
                    **guard = None;
                    if matches!(why, NoSaved::Unknown) {
                        self.saved.gone(id);
                    }
                    return Err(why);
                }
            }
        };
        for text in entries {
            let entry = kept::read_entry(&text)?;
            study::apply(&mut held.study, &entry);
            held.bytes += text.len();
            self.saved.tell_entry(id, &entry);
        }
        Ok(())
    }

    /// Reads what other nodes have added and the bus has not said, now and then, however many look at the study.
    pub(crate) async fn look_after_study(&self, id: &str) {
        if self.cluster.is_some() && self.saved.is_due(id) {
            self.study_moved(id).await;
        }
    }

    /// Another node has added to a study.
    pub(crate) async fn study_moved(&self, id: &str) {
        if self.saved.is_watched(id)
            && let Err(why) = self.hold(id).await
        {
            tracing::debug!(study = id, ?why, "what another node added is not read");
        }
    }

    /// Stores an event that was decided for a study, and tells it. `None`: another node was faster; the study has what came,
    /// and the change is to be decided again.
    ///
    /// # Errors
    /// See [`NoSaved`].
    pub(crate) async fn add_to_study(
        &self,
        guard: &mut Guard,
        by: &str,
        event: StudyEvent,
    ) -> Result<Option<StudyEntry>, NoSaved> {
        let held = guard.as_ref().ok_or(NoSaved::Unknown)?;
        let id = held.study.id.clone();
        let entry =
            StudyEntry { ver: held.study.ver + 1, at_ms: self.time.now_ms(), by: by.to_owned(), event };
        let text = kept::write_entry(&entry);
        let bytes = held.bytes + text.len();
        let whole = entry.ver >= held.whole_ver + WHOLE_EVERY || bytes > WHOLE_BYTES;
        let mut next = None;
        if whole || is_shown(&entry.event) {
            let mut study = held.study.clone();
            study::apply(&mut study, &entry);
            next = Some(study);
        }
        let deed = StudyDeed::Append {
            id: id.clone(),
            ver: entry.ver,
            entry: text,
            shown: next.as_ref().filter(|_| is_shown(&entry.event)).map(shown),
            whole: next.as_ref().filter(|_| whole).map(kept::write),
            at_ms: entry.at_ms,
        };
        match self.store.studies().change_study(deed).await {
            Ok(()) => {}
            Err(StoreError::Conflict) => {
                self.catch_up(&id, guard).await?;
                return Ok(None);
            }
            Err(why) => {
                // What is on the disk is the truth.
                **guard = None;
                return Err(why.into());
            }
        }
        let held = guard.as_mut().ok_or(NoSaved::Unknown)?;
        match next {
            Some(study) => held.study = study,
            None => study::apply(&mut held.study, &entry),
        }
        held.bytes = if whole { 0 } else { bytes };
        held.whole_ver = if whole { entry.ver } else { held.whole_ver };
        self.saved.tell_entry(&id, &entry);
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Study { id, at: None });
        }
        Ok(Some(entry))
    }

    /// Shows the others where somebody looks.
    pub(crate) fn show_at(&self, id: &str, who: StudyMember, chapter: u32, node: u32) {
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Study { id: id.to_owned(), at: Some((who.clone(), chapter, node)) });
        }
        self.saved.tell_at(id, who, chapter, node);
    }

    /// What somebody may do in a study.
    ///
    /// # Errors
    /// See [`NoSaved`]: `Unknown` where they may not see it.
    pub(crate) async fn role_in(&self, id: &str, person: &str) -> Result<StudyRole, NoSaved> {
        if !people::secret::is_id(id) {
            return Err(NoSaved::Unknown);
        }
        let guard = self.hold(id).await?;
        guard.as_ref().and_then(|held| role(&held.study, person)).ok_or(NoSaved::Unknown)
    }

    /// What happened in a study after a version, as those who look at it hear it, and the version it has now.
    ///
    /// # Errors
    /// See [`NoSaved`].
    pub(crate) async fn since(&self, id: &str, ver: u64) -> Result<(Vec<Arc<str>>, u64), NoSaved> {
        let guard = self.hold(id).await?;
        let now = guard.as_ref().map_or(0, |held| held.study.ver);
        if now == ver {
            return Ok((Vec::new(), now));
        }
        let entries = self.store.studies().study_entries(id, ver).await?;
        let read = |text: &String| {
            kept::read_entry(text).map(|entry| words(&StudyHear::Did { entry: Box::new(entry) }))
        };
        // Another node may have added more than is held here; that is told with what comes.
        let known = usize::try_from(now.saturating_sub(ver)).unwrap_or(usize::MAX);
        let told: Option<Vec<Arc<str>>> = match &entries {
            Some(entries) if ver < now => {
                Some(entries.iter().take(known).map(read).collect::<Result<_, _>>()?)
            }
            _ => None,
        };
        let told = told.filter(|told| told.iter().map(|words| words.len()).sum::<usize>() <= LONGEST_TOLD);
        Ok((told.unwrap_or_else(|| vec![words(&StudyHear::Anew { ver: now })]), now))
    }

    /// Deletes a study of that owner.
    ///
    /// # Errors
    /// See [`NoSaved`].
    pub(crate) async fn delete_study(&self, id: &str, owner: &str) -> Result<(), NoSaved> {
        let mut guard = self.hold(id).await?;
        let deed = StudyDeed::Delete { id: id.to_owned(), owner: owner.to_owned() };
        self.store.studies().change_study(deed).await?;
        *guard = None;
        self.saved.gone(id);
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Study { id: id.to_owned(), at: None });
        }
        Ok(())
    }
}
