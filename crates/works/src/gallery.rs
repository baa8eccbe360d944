//! The shelf: maps as works with one address, an owner, versions and forks, and the opinions of players.

use std::sync::{Arc, LazyLock};

use catalog::maps::SAMPLES;
use edge::time::Time;
use edge::workers::{blocking, in_place};
use kernel::Problem;
use people::pool;
use store::Store;
use store::shelf::{MapPlay, ShelfChange, Sorted, WantedWorks, Work};
use wire::{Gallery, MadeFrom, MapDiff, MapLine, MapPool, WorkInfo, WorkLine, WorkVersion};

use crate::maps::{Maps, NoMap, built_in_ids};
use crate::refused::NoWork;

/// Works of a page.
const PAGE: u32 = 24;
/// The most pages.
const PAGES: u32 = 2_000;
/// Characters that are searched for.
const SEARCH: usize = 60;
/// The number of works among which the one of the day is chosen.
const OF_THE_DAY: u32 = 50;
const DAY_MS: u64 = 86_400_000;

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

/// The built-in maps as the gallery shows them: the house's own, then the examples. No extension is run for this.
static BUILT_IN: LazyLock<Vec<WorkLine>> = LazyLock::new(|| {
    let line = |(id, sample): (&str, &catalog::maps::Sample)| {
        let map = catalog::maps::check(&sample.package().map).map.expect("a built-in map is a good map");
        WorkLine {
            id: id.to_owned(),
            name: sample.name.to_owned(),
            author: None,
            tags: sample.tags.iter().map(|&tag| tag.to_owned()).collect(),
            listed: true,
            version: 1,
            map: MapLine {
                id: id.to_owned(),
                name: sample.name.to_owned(),
                rows: map.rows,
                cols: map.cols,
                kinds: u32::try_from(map.kinds.len()).unwrap_or(u32::MAX),
                extensions: sample.extension_names(),
                created_ms: 0,
                ours: true,
            },
            changed_ms: 0,
            games: 0,
            players: 0,
            plies: None,
            stars: None,
            starred: 0,
            first_share: None,
            rated: false,
        }
    };
    built_in_ids().map(line).collect()
});

/// Returns the built-in maps. The first call reads their workbooks.
fn built_in() -> &'static [WorkLine] {
    in_place(true, || &BUILT_IN)
}

/// Returns the examples that hold that text.
fn examples(search: &str) -> Vec<WorkLine> {
    let found = built_in_ids().zip(built_in()).skip(SAMPLES.len());
    found.filter(|((_, sample), _)| sample.is_found_by(search)).map(|(_, line)| line.clone()).collect()
}

/// The shelf of a hall.
pub struct Shelf {
    maps: Maps,
    store: Arc<Store>,
    time: Time,
}

impl Shelf {
    pub(crate) fn new(maps: Maps, store: Arc<Store>, time: Time) -> Shelf {
        Shelf { maps, store, time }
    }

    /// Returns a page of the gallery, from 0.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn page(
        &self,
        search: &str,
        sorted: Sorted,
        owner: Option<&str>,
        page: u32,
    ) -> Result<Gallery, NoWork> {
        let shelf = &*self.store.shelf;
        let wanted = WantedWorks {
            search: search.trim().chars().take(SEARCH).collect(),
            owner: owner.map(str::to_owned),
            sorted,
            skip: page.min(PAGES) * PAGE,
            most: PAGE,
        };
        let (works, of) = shelf.works(&wanted).await?;
        let first = page == 0 && owner.is_none();
        let of_the_day = if first && wanted.search.is_empty() { self.of_the_day().await? } else { None };
        let examples = if first { examples(&wanted.search) } else { Vec::new() };
        Ok(Gallery { works: works.into_iter().map(line).collect(), of, of_the_day, examples })
    }

    /// Returns one of the best-liked works, another one each day.
    async fn of_the_day(&self) -> Result<Option<WorkLine>, NoWork> {
        let wanted = WantedWorks { sorted: Sorted::Stars, most: OF_THE_DAY, ..WantedWorks::default() };
        let (works, _) = self.store.shelf.works(&wanted).await?;
        let played: Vec<Work> = works.into_iter().filter(|work| work.games > 0).collect();
        if played.is_empty() {
            return Ok(None);
        }
        let day = self.time.now_ms() / DAY_MS;
        // Days that follow each other are far apart.
        let at = (day.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) as usize % played.len();
        Ok(played.into_iter().nth(at).map(line))
    }

    /// Returns the details of a work, or of the work to which a version belongs; not whether the staff has taken it
    /// down. A built-in map is a work without an author, of one version.
    ///
    /// # Errors
    /// See [`NoWork`].
    pub async fn work(&self, id: &str, person: Option<&str>) -> Result<WorkInfo, NoWork> {
        let shelf = &*self.store.shelf;
        if let Some(own) = built_in().iter().find(|own| own.id == id) {
            let version = WorkVersion { n: 1, map: own.id.clone(), note: String::new(), at_ms: 0 };
            return Ok(WorkInfo {
                line: own.clone(),
                versions: vec![version],
                made_from: None,
                forks: shelf.forks(id).await?.into_iter().map(line).collect(),
                mine: false,
                down: None,
                my_stars: None,
                may_star: false,
            });
        }
        let work = shelf.work(id).await?.ok_or(NoWork::Unknown)?;
        let versions = shelf.versions(&work.id).await?;
        let forks = shelf.forks(&work.id).await?;
        let made_from = match &work.fork_of {
            None => None,
            Some((from, version)) => {
                let own = built_in().iter().find(|own| own.id == *from).map(|own| (own.name.clone(), None));
                let known = match own {
                    None => shelf.work(from).await?.map(|work| (work.name, work.author)),
                    own => own,
                };
                let (name, author) = known.unzip();
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
            down: None,
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
    pub async fn diff(&self, before: &str, after: &str) -> Result<MapDiff, NoMap> {
        let both = [self.maps.files(before).await?.0.package, self.maps.files(after).await?.0.package];
        let compared = blocking(move || -> Result<MapDiff, Vec<Problem>> {
            let maps = both.each_ref().map(|package| catalog::maps::check(&package.map));
            let [before, after] = maps.map(|reading| reading.map.ok_or(reading.errors));
            Ok(workshop::diff::between((&before?, &both[0]), (&after?, &both[1])))
        });
        let lost = |_| NoMap::Broken(vec![Problem::new("map-not-loaded")]);
        compared.await.map_err(lost)?.map_err(NoMap::Broken)
    }

    /// Returns the numbers of accounts and games of a version of a map, and whether its games may be rated.
    ///
    /// # Errors
    /// `not-stored` when the store fails.
    pub async fn pool(&self, map: &str) -> Result<MapPool, Problem> {
        let MapPlay { players, games } = self.store.shelf.map_play(map).await.map_err(|why| {
            tracing::error!(%why, "who plays a map cannot be read");
            Problem::new("not-stored")
        })?;
        let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        Ok(MapPool {
            open: pool::is_played(players, games),
            players: small(players),
            games: small(games),
            needs_players: pool::MAP_PLAYERS,
            needs_games: pool::MAP_GAMES,
        })
    }

    /// Checks that enough people play a version of a map for a rating pool.
    ///
    /// # Errors
    /// `rated-map-later` with what is missing.
    pub async fn has_pool(&self, map: &str) -> Result<(), Problem> {
        let pool = self.pool(map).await?;
        if pool.open {
            return Ok(());
        }
        let problem = Problem::new("rated-map-later").with("players", pool.players).with("games", pool.games);
        Err(problem.with("needs_players", pool.needs_players).with("needs_games", pool.needs_games))
    }

    /// Counts a finished game on a published map. `people`: the public ids of those who played it, each once, programs
    /// left out.
    pub fn finished(&self, map: String, people: Vec<String>, plies: u32) {
        let store = Arc::clone(&self.store);
        tokio::spawn(async move {
            let change = ShelfChange::Finished { map, people, plies };
            if let Err(why) = store.shelf.shelve(change).await {
                tracing::error!(%why, "a finished game was not counted on the shelf");
            }
        });
    }
}
