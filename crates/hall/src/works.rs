//! Maps as works: one address, an owner, versions, forks, and the opinions of players.

use std::sync::Arc;

use edge::workers::blocking;
use kernel::Problem;
use people::pool;
use store::StoreError;
use store::shelf::{NewVersion, ShelfChange, Sorted, Wanted, Work};
use table::State;
use wire::{Gallery, How, MadeFrom, MapDiff, WorkInfo, WorkLine, WorkVersion};

use crate::hall::{Context, Hall};
use crate::maps::{Brought, Loaded, NoMap};

/// Works of a page.
const PAGE: u32 = 24;
/// The most pages.
const PAGES: u32 = 2_000;
/// Characters that are searched for.
const SEARCH: usize = 60;
/// Characters of a note.
const NOTE: usize = 500;
/// Tags of a work, and characters of each.
const TAGS: (usize, usize) = (8, 24);
/// The number of works among which the one of the day is chosen.
const OF_THE_DAY: u32 = 50;
const DAY_MS: u64 = 86_400_000;

/// The details that come with a version.
#[derive(Clone, Debug, Default)]
pub struct Said {
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

/// The reasons why a work is not available, or a change is refused.
#[derive(Debug)]
pub enum NoWork {
    /// The id is of no work, or of another person's.
    Unknown,
    /// The map is not valid, or was not stored.
    Map(NoMap),
    /// The request is refused.
    Refused(Problem),
}

impl From<NoMap> for NoWork {
    fn from(why: NoMap) -> Self {
        NoWork::Map(why)
    }
}

impl From<Problem> for NoWork {
    fn from(problem: Problem) -> Self {
        NoWork::Refused(problem)
    }
}

impl From<StoreError> for NoWork {
    fn from(why: StoreError) -> Self {
        match why {
            StoreError::Missing => NoWork::Unknown,
            other => NoWork::Map(NoMap::Store(other)),
        }
    }
}

impl Said {
    /// Cleans the note and the tags.
    ///
    /// # Errors
    /// `work-note` and `work-tags`.
    fn checked(mut self) -> Result<Said, Problem> {
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

fn line(work: Work) -> WorkLine {
    let mean = |sum: u64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
    WorkLine {
        id: work.id,
        name: work.name,
        author: work.author,
        tags: work.tags,
        listed: work.listed,
        version: work.version,
        map: work.line,
        changed_ms: work.changed_ms,
        games: work.games,
        players: work.players,
        plies: mean(work.plies, work.games),
        stars: mean(work.stars, work.starred),
        starred: work.starred,
        first_share: work.first_share.map(|thousandths| f64::from(thousandths) / 1000.0),
        rated: pool::is_played(work.play.players, work.play.games),
    }
}

impl Hall {
    /// Checks a map, plays its test games, stores it, and publishes it as a work or a work's next version.
    ///
    /// # Errors
    /// See [`NoWork`]; `work-newer-version` when another version came meanwhile.
    pub async fn publish(&self, brought: Brought, said: Said, owner: &str) -> Result<String, NoWork> {
        let said = said.checked()?;
        let shelf = self.shelf();
        if let Some(work) = &said.work {
            // Before anything is played.
            let known = shelf.work(work).await?.filter(|work| work.owner == owner).ok_or(NoWork::Unknown)?;
            self.may_begin_on(&known.id)?;
            if known.version != said.base && known.line.id != brought.id() {
                return Err(newer(&known).into());
            }
        }
        let fork_of = match &said.made_from {
            None => None,
            Some(id) => {
                let from = shelf.work(id).await?;
                let version = match &from {
                    None => None,
                    Some(work) => {
                        let versions = shelf.versions(&work.id).await?;
                        versions.iter().find(|version| version.map == *id).map(|version| version.n)
                    }
                };
                from.map(|work| (version.unwrap_or(work.version), work.id)).map(|(n, id)| (id, n))
            }
        };
        let name = brought.name.trim().to_owned();
        let map = self.keep_map(Brought { trial: false, ..brought }, owner).await?;
        let new = NewVersion {
            work: said.work.clone(),
            base: said.base,
            map: map.line.id.clone(),
            owner: owner.to_owned(),
            name,
            tags: said.tags,
            note: said.note,
            fork_of,
            at_ms: self.time.now_ms(),
        };
        match shelf.shelve(ShelfChange::Publish(Box::new(new))).await {
            Ok(()) => Ok(said.work.unwrap_or_else(|| map.line.id.clone())),
            Err(StoreError::Conflict) => {
                let id = said.work.as_deref().unwrap_or_default();
                let known = shelf.work(id).await?.ok_or(NoWork::Unknown)?;
                Err(newer(&known).into())
            }
            Err(why) => Err(why.into()),
        }
    }

    /// Returns a page of the gallery, from 0.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn gallery(
        &self,
        search: &str,
        sorted: Sorted,
        owner: Option<&str>,
        page: u32,
    ) -> Result<Gallery, NoWork> {
        let shelf = self.shelf();
        let wanted = Wanted {
            search: search.trim().chars().take(SEARCH).collect(),
            owner: owner.map(str::to_owned),
            sorted,
            skip: page.min(PAGES) * PAGE,
            most: PAGE,
        };
        let (works, of) = shelf.works(&wanted).await?;
        let first = page == 0 && wanted.search.is_empty() && owner.is_none();
        let of_the_day = if first { self.of_the_day().await? } else { None };
        Ok(Gallery { works: works.into_iter().map(line).collect(), of, of_the_day })
    }

    /// Returns one of the best-liked works, another one each day.
    async fn of_the_day(&self) -> Result<Option<WorkLine>, NoWork> {
        let wanted = Wanted { sorted: Sorted::Stars, most: OF_THE_DAY, ..Wanted::default() };
        let (works, _) = self.shelf().works(&wanted).await?;
        let played: Vec<Work> = works.into_iter().filter(|work| work.games > 0).collect();
        if played.is_empty() {
            return Ok(None);
        }
        let day = self.time.now_ms() / DAY_MS;
        // Days that follow each other are far apart.
        let at = (day.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) as usize % played.len();
        Ok(played.into_iter().nth(at).map(line))
    }

    /// Returns the details of a work, or of the work to which a version belongs.
    ///
    /// # Errors
    /// See [`NoWork`].
    pub async fn work(&self, id: &str, person: Option<&str>) -> Result<WorkInfo, NoWork> {
        let shelf = self.shelf();
        let work = shelf.work(id).await?.ok_or(NoWork::Unknown)?;
        if let Some(down) = self.rules().down(&work.id)
            && person != Some(work.owner.as_str())
        {
            return Err(crate::staff::taken_down(down).into());
        }
        let versions = shelf.versions(&work.id).await?;
        let forks = shelf.forks(&work.id).await?;
        let made_from = match &work.fork_of {
            None => None,
            Some((from, version)) => {
                let known = shelf.work(from).await?;
                let (name, author) = known.map(|work| (work.name, work.author)).unzip();
                Some(MadeFrom { work: from.clone(), version: *version, name, author: author.flatten() })
            }
        };
        let (my_stars, may_star) = match person {
            Some(person) => shelf.stars_of(&work.id, person).await?,
            None => (None, false),
        };
        let version =
            |v: store::shelf::Version| WorkVersion { n: v.n, map: v.map, note: v.note, at_ms: v.at_ms };
        Ok(WorkInfo {
            mine: person == Some(work.owner.as_str()),
            down: self.rules().down(&work.id).map(|down| down.reason.clone()),
            line: line(work),
            versions: versions.into_iter().map(version).collect(),
            made_from,
            forks: forks.into_iter().map(line).collect(),
            my_stars,
            may_star,
        })
    }

    /// Returns the differences of two maps, named by the ids of their files.
    ///
    /// # Errors
    /// See [`NoMap`]: a version that no longer loads cannot be compared, but plays on where it is loaded.
    pub async fn map_diff(&self, before: &str, after: &str) -> Result<MapDiff, NoMap> {
        let both = [self.files(before).await?.0.package, self.files(after).await?.0.package];
        let compared = blocking(move || -> Result<MapDiff, Vec<Problem>> {
            let maps = both.each_ref().map(|package| catalog::maps::check(&package.map));
            let [before, after] = maps.map(|reading| reading.map.ok_or(reading.errors));
            Ok(workshop::diff::between((&before?, &both[0]), (&after?, &both[1])))
        });
        let lost = |_| NoMap::Broken(vec![Problem::new("map-not-loaded")]);
        compared.await.map_err(lost)?.map_err(NoMap::Broken)
    }
}

fn newer(known: &Work) -> Problem {
    Problem::new("work-newer-version").with("version", known.version).with("name", &known.name)
}

impl Context {
    /// Counts a finished game on a published map; a game of one person on one screen does not count.
    pub(crate) fn count_finished(self: &Arc<Self>, state: &State) {
        let Some(map) = state.setup.map.as_ref().filter(|_| state.setup.how != How::Screen) else { return };
        let players = state.seats.iter().flatten().filter(|player| player.engine.is_none());
        let mut people: Vec<String> = players.map(|player| player.id.clone()).collect();
        people.sort();
        people.dedup();
        let plies = u32::try_from(state.record.len()).unwrap_or(u32::MAX);
        let (context, map) = (Arc::clone(self), map.id.clone());
        tokio::spawn(async move {
            let change = ShelfChange::Finished { map, people, plies };
            if let Err(why) = context.store.shelf.shelve(change).await {
                tracing::error!(%why, "a finished game was not counted on the shelf");
            }
        });
    }

    /// Publishes a map that came without details as a work of its own, unless it is one already.
    pub(crate) async fn put_on_shelf(&self, map: &Loaded, owner: &str) {
        let new = NewVersion {
            work: None,
            base: 0,
            map: map.line.id.clone(),
            owner: owner.to_owned(),
            name: map.line.name.clone(),
            tags: Vec::new(),
            note: String::new(),
            fork_of: None,
            at_ms: self.time.now_ms(),
        };
        if let Err(why) = self.store.shelf.shelve(ShelfChange::Publish(Box::new(new))).await {
            tracing::error!(%why, "a map was not put on the shelf");
        }
    }
}
