//! Studies that people save: the way of a change to an event that all readers get.
//!
//! The database decides the order: an event is stored as the next version, or the store says that another node was
//! faster; then the new events are read and the change is decided again. So every node may take changes, and a node
//! that has missed the messages of the others still loses nothing. The bus only says that there is something to read.
//!
//! Reading order: `readers` (the studies in memory), this file (rights, changes).

mod readers;

use std::sync::Arc;

use edge::network::Payer;
use edge::workers::in_place;
use kernel::{AnyGame, Problem};
use store::StoreError;
use store::studies::{Access, Shown, StudyDeed};
use study::kept;
use tables::cluster::talk::Word;
use wire::{Study, StudyAccess, StudyChapter, StudyEntry, StudyEvent, StudyHear, StudyMember, StudyRole};
use works::maps::{Loaded, NoMap};

use crate::hall::Hall;
pub(crate) use readers::Guard;
pub use readers::Studies;
use readers::{Held, LONGEST_TOLD, words};

/// The number of events after which the whole study is stored again.
const WHOLE_EVERY: u64 = 64;
/// The bytes of events after which the whole study is stored again, whatever their number.
const WHOLE_BYTES: usize = 256 << 10;
/// Attempts to decide a change again because another node was faster. Eight were too few where people change a study
/// at two nodes as fast as they can.
pub(crate) const TRIES: usize = 40;

/// The reasons why a study is not available, or a change is refused.
#[derive(Debug)]
pub enum NoStudy {
    /// The id is of no study that the person may see.
    Unknown,
    /// The request is refused.
    Refused(Problem),
    /// The store failed.
    Store(StoreError),
}

impl From<Problem> for NoStudy {
    fn from(problem: Problem) -> Self {
        NoStudy::Refused(problem)
    }
}

impl From<StoreError> for NoStudy {
    fn from(why: StoreError) -> Self {
        match why {
            StoreError::Missing => NoStudy::Unknown,
            why => NoStudy::Store(why),
        }
    }
}

/// Returns the role of that person in a study; `None`: they may not read it.
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

/// Returns the parts of a study that lists show.
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

/// Returns true if an event changes what lists show.
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

/// The rules with which the chapters of a study are opened: those of their map, where they have one.
#[derive(Clone, Default)]
pub(crate) struct Rules(Option<Arc<Loaded>>);

impl Rules {
    /// Returns the rules of a map.
    pub(crate) fn of(map: Arc<Loaded>) -> Rules {
        Rules(Some(map))
    }

    /// Opens a chapter's game at its start.
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

impl Hall {
    /// Returns the rules of a chapter.
    ///
    /// # Errors
    /// The error of its map.
    pub(crate) async fn rules_of(&self, chapter: &StudyChapter, payer: Payer<'_>) -> Result<Rules, Problem> {
        match &chapter.map {
            Some(map) => Ok(Rules(Some(self.works.maps.map(&map.id, payer).await.map_err(NoMap::problem)?))),
            None => Ok(Rules(None)),
        }
    }
}

impl Hall {
    /// Returns a study in its present version, locked.
    ///
    /// # Errors
    /// See [`NoStudy`].
    pub(crate) async fn hold(&self, id: &str) -> Result<Guard, NoStudy> {
        let mut guard = self.studies.cell(id).lock_owned().await;
        if guard.is_some() && self.cluster.is_some() {
            self.catch_up(id, &mut guard).await?;
        }
        if guard.is_none() {
            let read = self.read_study(id).await?;
            // It was forgotten, perhaps because a change failed that is stored all the same.
            self.studies.tell_anew(id, read.study.ver);
            *guard = Some(read);
        }
        Ok(guard)
    }

    async fn read_study(&self, id: &str) -> Result<Held, NoStudy> {
        let found = self.store.studies.study(id).await?.ok_or(NoStudy::Unknown)?;
        in_place(found.whole.len() > WHOLE_BYTES, || {
            let mut study = kept::read(&found.whole)?;
            let (whole_ver, mut bytes) = (study.ver, 0);
            for entry in &found.entries {
                study::apply(&mut study, &kept::read_entry(entry)?);
                bytes += entry.len();
            }
            Ok(Held { study, bytes, whole_ver })
        })
    }

    /// Reads the events of other nodes and tells the readers here. A study that was deleted is forgotten.
    async fn catch_up(&self, id: &str, guard: &mut Guard) -> Result<(), NoStudy> {
        let Some(held) = guard.as_mut() else { return Ok(()) };
        let Some(entries) = self.store.studies.study_entries(id, held.study.ver).await? else {
            match self.read_study(id).await {
                Ok(read) => {
                    self.studies.tell_anew(id, read.study.ver);
                    **guard = Some(read);
                    return Ok(());
                }
                Err(why) => {
                    **guard = None;
                    if matches!(why, NoStudy::Unknown) {
                        self.studies.gone(id);
                    }
                    return Err(why);
                }
            }
        };
        for text in entries {
            let entry = kept::read_entry(&text)?;
            study::apply(&mut held.study, &entry);
            held.bytes += text.len();
            self.studies.tell_entry(id, &entry);
        }
        Ok(())
    }

    /// Reads the events of other nodes that the bus has not reported, now and then, however many readers the study
    /// has.
    pub(crate) async fn look_after_study(&self, id: &str) {
        if self.cluster.is_some() && self.studies.is_due(id) {
            self.study_moved(id).await;
        }
    }

    /// Handles the message that another node has added to a study.
    pub(crate) async fn study_moved(&self, id: &str) {
        if self.studies.is_watched(id)
            && let Err(why) = self.hold(id).await
        {
            tracing::debug!(study = id, ?why, "what another node added is not read");
        }
    }

    /// Stores an event that was decided for a study, and sends it to readers. `None`: another node was faster; the
    /// study now has its events, and the change is to be decided again.
    ///
    /// # Errors
    /// See [`NoStudy`].
    pub(crate) async fn add_to_study(
        &self,
        guard: &mut Guard,
        by: &str,
        event: StudyEvent,
    ) -> Result<Option<StudyEntry>, NoStudy> {
        let held = guard.as_ref().ok_or(NoStudy::Unknown)?;
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
        match self.store.studies.change_study(deed).await {
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
        let held = guard.as_mut().ok_or(NoStudy::Unknown)?;
        match next {
            Some(study) => held.study = study,
            None => study::apply(&mut held.study, &entry),
        }
        held.bytes = if whole { 0 } else { bytes };
        held.whole_ver = if whole { entry.ver } else { held.whole_ver };
        self.studies.tell_entry(&id, &entry);
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Study { id, at: None });
        }
        Ok(Some(entry))
    }

    /// Shows the other readers the place that a member points out.
    pub(crate) fn show_at(&self, id: &str, who: StudyMember, chapter: u32, node: u32) {
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Study { id: id.to_owned(), at: Some((who.clone(), chapter, node)) });
        }
        self.studies.tell_at(id, who, chapter, node);
    }

    /// Returns the role of a person in a study.
    ///
    /// # Errors
    /// See [`NoStudy`]: `Unknown` where they may not see it.
    pub(crate) async fn role_in(&self, id: &str, person: &str) -> Result<StudyRole, NoStudy> {
        if !people::secret::is_id(id) {
            return Err(NoStudy::Unknown);
        }
        let guard = self.hold(id).await?;
        guard.as_ref().and_then(|held| role(&held.study, person)).ok_or(NoStudy::Unknown)
    }

    /// Returns the events of a study after a version, as messages to readers, and its present version.
    ///
    /// # Errors
    /// See [`NoStudy`].
    pub(crate) async fn since(&self, id: &str, ver: u64) -> Result<(Vec<Arc<str>>, u64), NoStudy> {
        let guard = self.hold(id).await?;
        let now = guard.as_ref().map_or(0, |held| held.study.ver);
        if now == ver {
            return Ok((Vec::new(), now));
        }
        let entries = self.store.studies.study_entries(id, ver).await?;
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
    /// See [`NoStudy`].
    pub(crate) async fn delete_study(&self, id: &str, owner: &str) -> Result<(), NoStudy> {
        let mut guard = self.hold(id).await?;
        let deed = StudyDeed::Delete { id: id.to_owned(), owner: owner.to_owned() };
        self.store.studies.change_study(deed).await?;
        *guard = None;
        self.studies.gone(id);
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Study { id: id.to_owned(), at: None });
        }
        Ok(())
    }
}
