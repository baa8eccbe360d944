//! The studies in memory, and their readers at this node. It knows no hall and no store.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedMutexGuard, broadcast};
use wire::{Study, StudyEntry, StudyEvent, StudyHear, StudyMember};

/// Studies that are kept in memory beside those with readers.
const RECENT: usize = 16;
/// Events that a connection may fall behind.
const BEHIND: usize = 64;
/// The longest event that is sent to readers, in bytes; after a longer one they read the study again.
pub(super) const LONGEST_TOLD: usize = 64 << 10;
/// The interval at which a study with readers is compared with the database, in case the bus has lost a message.
const ASKED_EVERY: Duration = Duration::from_secs(10);

/// A study in memory.
pub(crate) struct Held {
    pub(crate) study: Study,
    /// Bytes of events since the whole was stored.
    pub(super) bytes: usize,
    /// The version at which the whole was stored.
    pub(super) whole_ver: u64,
}

/// The place of a study in memory.
pub(super) type Cell = Arc<tokio::sync::Mutex<Option<Held>>>;

/// A locked study, so that it does not change meanwhile on this node.
pub(crate) type Guard = OwnedMutexGuard<Option<Held>>;

/// The readers of a study at this node.
struct Room {
    told: broadcast::Sender<StudyMessage>,
    present: HashMap<u64, Option<StudyMember>>,
    at: Option<(StudyMember, u32, u32)>,
    /// The time at which the database was last asked for events of other nodes.
    asked: Instant,
}

/// A message to the readers of a study.
#[derive(Clone)]
pub(crate) struct StudyMessage {
    /// The text of the message.
    pub(crate) words: Arc<str>,
    /// The version of the study that it brings, if any.
    pub(crate) ver: Option<u64>,
    /// Set if the rights to read the study have changed.
    pub(crate) who_may: bool,
}

/// The studies in memory.
#[derive(Default)]
pub struct Studies {
    cells: Mutex<HashMap<String, (Instant, Cell)>>,
    rooms: Arc<Mutex<HashMap<String, Room>>>,
    count: std::sync::atomic::AtomicU64,
}

/// A reader of a study, until it is dropped.
pub(crate) struct Looking {
    rooms: Arc<Mutex<HashMap<String, Room>>>,
    id: String,
    number: u64,
    /// The messages to readers.
    pub(crate) told: broadcast::Receiver<StudyMessage>,
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the text of a message to readers.
pub(super) fn words(what: &StudyHear) -> Arc<str> {
    serde_json::to_string(what).expect("messages are plain data").into()
}

impl Studies {
    /// Returns the place of a study in memory, which may be empty.
    pub(super) fn cell(&self, id: &str) -> Cell {
        let mut cells = lock(&self.cells);
        if !cells.contains_key(id) {
            // Lock order: code that holds the rooms never waits for the cells.
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

    /// Subscribes to a study; `member`: a reader who may change it.
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

    /// Returns the place in a study that was last pointed out.
    pub(crate) fn at(&self, id: &str) -> Option<StudyHear> {
        let at = lock(&self.rooms).get(id)?.at.clone();
        at.map(|(who, chapter, node)| StudyHear::At { who, chapter, node })
    }

    /// Tells the readers of a study at this node the place that a member points out.
    pub(crate) fn tell_at(&self, id: &str, who: StudyMember, chapter: u32, node: u32) {
        if let Some(room) = lock(&self.rooms).get_mut(id) {
            room.at = Some((who.clone(), chapter, node));
            let _ = room.told.send(StudyMessage::plain(&StudyHear::At { who, chapter, node }));
        }
    }

    /// Sends a new event to the readers of a study at this node.
    pub(super) fn tell_entry(&self, id: &str, entry: &StudyEntry) {
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
        let _ = room.told.send(StudyMessage { words: told, ver: Some(entry.ver), who_may });
    }

    /// Tells the readers of a study at this node to read it again, unless they have that version.
    pub(super) fn tell_anew(&self, id: &str, ver: u64) {
        if let Some(room) = lock(&self.rooms).get(id) {
            let words = words(&StudyHear::Anew { ver });
            let _ = room.told.send(StudyMessage { words, ver: Some(ver), who_may: true });
        }
    }

    /// Returns true if the database is to be asked for events of other nodes, on behalf of all readers here.
    pub(super) fn is_due(&self, id: &str) -> bool {
        let mut rooms = lock(&self.rooms);
        let Some(room) = rooms.get_mut(id).filter(|room| room.asked.elapsed() >= ASKED_EVERY) else {
            return false;
        };
        room.asked = Instant::now();
        true
    }

    /// Returns true if a study has readers at this node.
    pub(super) fn is_watched(&self, id: &str) -> bool {
        lock(&self.rooms).contains_key(id)
    }

    /// Removes a study that was deleted.
    pub(super) fn gone(&self, id: &str) {
        lock(&self.cells).remove(id);
        if let Some(room) = lock(&self.rooms).get(id) {
            let _ = room.told.send(StudyMessage { words: words(&StudyHear::Gone), ver: None, who_may: true });
        }
    }
}

impl StudyMessage {
    fn plain(what: &StudyHear) -> StudyMessage {
        StudyMessage { words: words(what), ver: None, who_may: false }
    }
}

impl Room {
    fn tell_here(&self) {
        let mut who: Vec<StudyMember> = self.present.values().flatten().cloned().collect();
        who.sort_by(|a, b| a.id.cmp(&b.id));
        who.dedup_by(|a, b| a.id == b.id);
        let watchers = u32::try_from(self.present.len()).unwrap_or(u32::MAX);
        let _ = self.told.send(StudyMessage::plain(&StudyHear::Here { who, watchers }));
    }
}

impl Looking {
    /// Shows the reader among those who may change the study, or no longer.
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
