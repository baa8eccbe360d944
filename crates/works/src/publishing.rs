//! The one way by which maps become public: as a version of a work, with their files, in one transaction.

use std::sync::Arc;

use edge::network::Payer;
use kernel::Problem;
use store::shelf::{NewVersion, Work};
use store::{NewMap, StoreError};
use wire::MapLine;

use crate::extensions::copied;
use crate::handed::Handed;
use crate::maps::{Brought, Loaded, Maps, NoMap, ROOM, line, ours};
use crate::refused::NoWork;

/// Characters of a note.
const NOTE: usize = 500;
/// Tags of a work, and characters of each.
const TAGS: (usize, usize) = (8, 24);

/// The details that come with a version.
#[derive(Clone, Debug, Default)]
pub struct PublicationNotes {
    /// The work of which this is the next version; `None`: a new work.
    pub work: Option<String>,
    /// The version that its author saw last.
    pub base: u32,
    /// The author's note.
    pub note: String,
    /// The tags of the work.
    pub tags: Vec<String>,
    /// The map that it was made from.
    pub made_from: Option<String>,
}

impl PublicationNotes {
    /// Cleans the note and the tags.
    ///
    /// # Errors
    /// `work-note` and `work-tags`.
    fn checked(mut self) -> Result<PublicationNotes, Problem> {
        let note = people::name::clean_lines(&self.note, NOTE);
        self.note = note.map_err(|_| Problem::new("work-note").with("most", NOTE))?;
        let plain = |tag: &String| {
            let count = tag.chars().count();
            (1..=TAGS.1).contains(&count) && tag.chars().all(|c| c.is_alphanumeric() || c == '-')
        };
        self.tags = self.tags.iter().map(|tag| tag.trim().to_lowercase()).collect();
        self.tags.dedup();
        if self.tags.len() > TAGS.0 || !self.tags.iter().all(plain) {
            return Err(Problem::new("work-tags").with("most", TAGS.0).with("letters", TAGS.1));
        }
        Ok(self)
    }
}

/// A map that was published.
pub struct Published {
    /// The id of the work of which it is a version.
    pub work: String,
    /// The map, loaded.
    pub map: Arc<Loaded>,
}

/// Keeps maps: for their authors alone, or for everybody.
pub struct Publishing {
    maps: Maps,
    handed: Handed,
}

impl Publishing {
    pub(crate) fn new(maps: Maps, handed: Handed) -> Publishing {
        Publishing { maps, handed }
    }

    /// Checks a map and stores it for its author to try out: it is on no list, and no test games are played. A map that
    /// is there already stays as it is.
    ///
    /// # Errors
    /// See [`NoMap`].
    pub async fn try_out(
        &self,
        brought: Brought,
        owner: &str,
        payer: Payer<'_>,
    ) -> Result<Arc<Loaded>, NoMap> {
        self.handed.disk.check().map_err(|why| NoMap::Broken(vec![why]))?;
        match self.maps.map(&brought.id(), payer).await {
            Err(NoMap::Unknown) => self.keep(brought, None, owner, payer).await,
            known => known,
        }
    }

    /// Publishes a map as a work, or as a work's next version: the one way by which a map becomes public, whether an
    /// author publishes it or a record brings it. It is checked and its test games are played; then its files, the
    /// extensions it uses and its work are stored in one transaction. The same files are the same work, even if another
    /// person uploads them again.
    ///
    /// # Errors
    /// See [`NoWork`]; `work-newer-version` when another version came meanwhile.
    pub async fn publish(
        &self,
        mut brought: Brought,
        said: PublicationNotes,
        owner: &str,
        payer: Payer<'_>,
    ) -> Result<Published, NoWork> {
        let said = said.checked()?;
        let (shelf, id) = (&*self.handed.store.shelf, brought.id());
        if let Some(work) = &said.work {
            // Before anything is played.
            let known = shelf.work(work).await?.filter(|work| work.owner == owner).ok_or(NoWork::Unknown)?;
            if known.version != said.base && known.line.id != id {
                return Err(newer(&known).into());
            }
        }
        let fork_of = self.fork_of(said.made_from.as_deref()).await?;
        self.handed.disk.check().map_err(|why| NoMap::Broken(vec![why]))?;
        let known = match self.maps.map(&id, payer).await {
            Err(NoMap::Unknown) => None,
            Ok(known) if known.trial => None,
            known => Some(known?),
        };
        if let Some(map) = &known {
            // The house's own maps are no works.
            if map.line.ours && said.work.is_some() {
                return Err(NoWork::Unknown);
            }
            if said.work.is_none() {
                let work =
                    if map.line.ours { Some(id.clone()) } else { shelf.work(&id).await?.map(|work| work.id) };
                if let Some(work) = work {
                    return Ok(Published { work, map: Arc::clone(map) });
                }
            }
        }
        let PublicationNotes { work, base, note, tags, .. } = said;
        let version = NewVersion { work: work.clone(), base, tags, note, fork_of };
        let stored = match known {
            None => self.keep(brought, Some(version), owner, payer).await,
            Some(map) => {
                brought.name = brought.name.trim().to_owned();
                brought.check_names().map_err(|problem| NoMap::Broken(vec![problem]))?;
                let Brought { name, package, old_names, .. } = brought;
                let line = MapLine { name, created_ms: self.handed.time.now_ms(), ..map.line.clone() };
                let (owner, uses) = (owner.to_owned(), Vec::new());
                let new = NewMap { line, owner, package, old_names, uses, version: Some(version) };
                self.store(new).await.map(|()| map)
            }
        };
        match stored {
            Ok(map) => Ok(Published { work: work.unwrap_or(id), map }),
            Err(NoMap::Store(StoreError::Conflict)) => {
                let known = shelf.work(&work.unwrap_or_default()).await?.ok_or(NoWork::Unknown)?;
                Err(newer(&known).into())
            }
            Err(NoMap::Store(why)) => Err(why.into()),
            Err(why) => Err(why.into()),
        }
    }

    /// Checks a map that is not there yet and stores it: with a version it is published, after its test games, and
    /// without one it is only tried out.
    ///
    /// # Errors
    /// See [`NoMap`].
    async fn keep(
        &self,
        mut brought: Brought,
        version: Option<NewVersion>,
        owner: &str,
        payer: Payer<'_>,
    ) -> Result<Arc<Loaded>, NoMap> {
        let id = brought.id();
        brought.name = brought.name.trim().to_owned();
        let uses = copied(&*self.handed.store.shelf, &brought.package).await?;
        let rules = self.maps.check(&brought, payer).await.map_err(NoMap::Broken)?;
        if version.is_some() {
            let played = self.maps.play(&id, &rules).await.map_err(|problem| NoMap::Broken(vec![problem]))?;
            if !played.refusals().is_empty() {
                return Err(NoMap::Fails(played));
            }
        }
        let asker = payer.in_line();
        self.handed.rates.kept_map(asker).map_err(NoMap::Later)?;
        let (line, trial) = (line(&brought, &rules, self.handed.time.now_ms()), version.is_none());
        let Brought { package, old_names, .. } = brought;
        let new = NewMap { line: line.clone(), owner: owner.to_owned(), package, old_names, uses, version };
        self.store(new).await?;
        tracing::info!(map = %id, "a map was kept");
        Ok(self.maps.remember(Loaded::new(line, rules, trial), asker.network))
    }

    /// Stores a map, or publishes one that is there.
    ///
    /// # Errors
    /// See [`NoMap::Store`].
    async fn store(&self, new: NewMap) -> Result<(), NoMap> {
        self.handed.store.maps.keep_map(new, ROOM).await.map_err(|why| {
            if let StoreError::Failed(_) = why {
                tracing::error!(%why, "a map was not stored");
            }
            NoMap::Store(why)
        })
    }

    /// Returns the work and the version that a map was made from, if it was made from one on the shelf or a built-in
    /// map.
    async fn fork_of(&self, made_from: Option<&str>) -> Result<Option<(String, u32)>, StoreError> {
        let shelf = &*self.handed.store.shelf;
        let Some(id) = made_from else { return Ok(None) };
        if ours(id).is_some() {
            return Ok(Some((id.to_owned(), 1)));
        }
        let Some(work) = shelf.work(id).await? else { return Ok(None) };
        let versions = shelf.versions(&work.id).await?;
        let version =
            versions.iter().find(|version| version.map == id).map_or(work.version, |version| version.n);
        Ok(Some((work.id, version)))
    }
}

fn newer(known: &Work) -> Problem {
    Problem::new("work-newer-version").with("version", known.version).with("name", &known.name)
}
