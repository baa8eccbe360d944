//! Games that users make: their maps are checked, kept, and loaded once for all tables that play on them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, Weak};

use catalog::Options;
use catalog::maps::{self, Loader, Package, Rules, SAMPLES, Sample, built_in};
use edge::budget::Wait;
use edge::fair::{Fair, Turn};
use edge::loads::{self, Loads};
use edge::network::{Network, Payer};
use edge::workers::{in_place, long};
use engine::trial::Played;
use kernel::Problem;
use sha2::{Digest, Sha256};
use store::{MapRoom, Store, StoreError, StoredMap, Whose};
use wire::{Board, MapLine, MapName, View};

/// Maps that are read and loaded at the same time; each may keep a core busy.
const AT_ONCE: usize = 2;
/// Games with extensions that are played through again at the same time, for a film or after a restart.
const REPLAYS: usize = 4;
/// Loaded maps that are kept although no table plays on them, beside those of the house.
const RECENT: usize = 16;
/// The most of these that one address may have asked for.
const RECENT_EACH: usize = 4;
/// Maps that were played, and need not be played again when they are published, or asked about once more because the
/// answer came too late.
const PLAYED: usize = 16;
/// Bytes of a file's name.
const FILE: usize = 200;
/// Maps of a list.
const LISTED: u32 = 100;
/// Characters that are searched for.
const SEARCH: usize = 60;

/// The room for stored maps; the numbers are in `docs/hall-protocol.md`.
pub(crate) const ROOM: MapRoom =
    MapRoom { maps_each: 400, bytes_each: 64 << 20, maps: 20_000, bytes: 4 << 30 };

/// Loads maps, and remembers those that are in use. Clones share what they remember.
#[derive(Clone)]
pub struct Maps {
    store: Arc<Store>,
    /// The runner of extensions; without one, maps that have some are refused.
    loader: Option<Arc<dyn Loader>>,
    known: Arc<Mutex<KnownMaps>>,
    /// A lock for each map whose test games are being played, so that the same files are not played twice at the same
    /// time.
    players: Arc<Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>>,
    loads: Arc<Loads<Result<Arc<Loaded>, NoMap>>>,
    replays: Arc<Fair>,
}

#[derive(Default)]
struct KnownMaps {
    loaded: HashMap<String, Weak<Loaded>>,
    /// The maps of the house.
    ours: Vec<Arc<Loaded>>,
    /// Other maps, with the addresses that asked for them; the newest last.
    recent: VecDeque<(Network, Arc<Loaded>)>,
    /// The results of test games of maps, by id; the newest last.
    played: VecDeque<(String, Arc<Played>)>,
}

/// A map, ready to be played on.
#[derive(Debug)]
pub struct Loaded {
    /// The line that lists show.
    pub line: MapLine,
    /// Its rules, loaded with the extensions; tables of it share them.
    pub rules: Rules,
    /// Set if it is its author's trial and not published.
    pub trial: bool,
    start: OnceLock<(Board, View)>,
}

impl Loaded {
    /// Creates a map with those rules.
    #[must_use]
    pub fn new(line: MapLine, rules: Rules, trial: bool) -> Loaded {
        Loaded { line, rules, trial, start: OnceLock::new() }
    }

    /// Returns its board and its start, for a picture. The first call may wait for extensions.
    pub fn start(&self) -> &(Board, View) {
        self.start.get_or_init(|| {
            in_place(self.waits(), || {
                let game = self.rules.open(None).expect("the usual start needs no FEN");
                (game.board(), game.view())
            })
        })
    }

    /// Returns the id and the name, as tables have them.
    #[must_use]
    pub fn name(&self) -> MapName {
        MapName { id: self.line.id.clone(), name: self.line.name.clone() }
    }

    /// Sets the option that it was loaded with.
    pub fn settle(&self, options: &mut Options) {
        options.insert(maps::OLD_NAMES.to_owned(), i64::from(self.rules.old_names()));
    }

    /// Returns true if opening a game on it may take long.
    #[must_use]
    pub fn waits(&self) -> bool {
        !self.rules.extensions().is_empty()
    }
}

/// The reasons why a map is not available.
#[derive(Clone, Debug)]
pub enum NoMap {
    /// The id is of no map.
    Unknown,
    /// The map exists but cannot be loaded here: the hall has no extensions, or the rules have changed.
    Broken(Vec<Problem>),
    /// The map failed in the test games before its publication.
    Fails(Arc<Played>),
    /// The person or the address has stored too many maps lately.
    Later(Wait),
    /// The store failed.
    Store(StoreError),
}

impl NoMap {
    /// Returns the reason as one problem.
    #[must_use]
    pub fn problem(self) -> Problem {
        match self {
            NoMap::Unknown => Problem::new("no-such-map"),
            NoMap::Broken(problems) => {
                problems.into_iter().next().unwrap_or_else(|| Problem::new("no-such-map"))
            }
            NoMap::Fails(played) => NoMap::Broken(played.refusals()).problem(),
            NoMap::Later(wait) => Problem::new("too-many-requests").with("seconds", wait.seconds()),
            NoMap::Store(StoreError::Full(Whose::Visitor)) => {
                let problem = Problem::new("maps-full-visitor").with("maps", ROOM.maps_each);
                problem.with("mib", ROOM.bytes_each >> 20)
            }
            NoMap::Store(StoreError::Full(Whose::All)) => Problem::new("maps-full"),
            NoMap::Store(_) => Problem::new("not-stored"),
        }
    }
}

/// A map as it is uploaded.
#[derive(Clone, Debug)]
pub struct Brought {
    /// The name of the map.
    pub name: String,
    /// The files as they were uploaded.
    pub package: Package,
    /// Set if its files may use old names.
    pub old_names: bool,
    /// Set if it is its author's trial and not to be published.
    pub trial: bool,
}

impl Brought {
    /// Returns its id, the hash of its files.
    #[must_use]
    pub fn id(&self) -> String {
        id(&self.package, self.old_names)
    }

    /// Returns the options that it is loaded with.
    #[must_use]
    pub fn options(&self) -> Options {
        Options::from([(maps::OLD_NAMES.to_owned(), i64::from(self.old_names))])
    }

    /// Checks that lists can show the name and the file names.
    ///
    /// # Errors
    /// `map-name` and `map-file-name`.
    pub(crate) fn check_names(&self) -> Result<(), Problem> {
        let plain = |text: &str| !text.trim().is_empty() && !text.chars().any(char::is_control);
        people::Name::read(&self.name, people::name::NameKind::Map)?;
        let bad = |file: &&str| !plain(file) || file.len() > FILE || file.contains(['/', '\\', '"']);
        match self.package.extensions.iter().map(|source| source.file.as_str()).find(bad) {
            Some(file) => Err(Problem::new("map-file-name").with("text", file).with("most", FILE)),
            None => Ok(()),
        }
    }
}

impl From<StoredMap> for Brought {
    fn from(stored: StoredMap) -> Self {
        let StoredMap { line, package, old_names, trial } = stored;
        Brought { name: line.name, package, old_names, trial }
    }
}

/// Returns the id of a map: the same files have the same one. 128 bits of the SHA-256 of their lengths, names and
/// contents.
pub fn id(package: &Package, old_names: bool) -> String {
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(&[u8::from(old_names)]);
    add(&package.map);
    for source in &package.extensions {
        add(source.file.as_bytes());
        add(&source.bytes);
    }
    hash.finalize()[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The built-in maps by id: the house's own, then the examples.
static OURS: LazyLock<Vec<(String, &'static Sample)>> =
    LazyLock::new(|| built_in().map(|sample| (id(&sample.package(), false), sample)).collect());

/// Returns the built-in map of that id.
#[must_use]
pub fn ours(id: &str) -> Option<Brought> {
    let (_, sample) = OURS.iter().find(|(known, _)| known == id)?;
    Some(Brought { name: sample.name.to_owned(), package: sample.package(), old_names: false, trial: false })
}

/// Returns the ids of the built-in maps, in their order.
pub(crate) fn built_in_ids() -> impl Iterator<Item = (&'static str, &'static Sample)> {
    OURS.iter().map(|(id, sample)| (id.as_str(), *sample))
}

/// Returns the address of a map that puzzles name: built-in ones are named by their key.
#[must_use]
pub fn address(map: &str) -> String {
    let own = OURS.iter().find(|(_, sample)| sample.key == map);
    own.map_or_else(|| map.to_owned(), |(id, _)| id.clone())
}

impl Maps {
    /// Creates an empty cache of maps.
    #[must_use]
    pub fn new(store: Arc<Store>, loader: Option<Arc<dyn Loader>>) -> Maps {
        Maps {
            store,
            loader,
            known: Arc::default(),
            players: Arc::default(),
            loads: Arc::new(Loads::new(AT_ONCE)),
            replays: Fair::new(REPLAYS, usize::MAX),
        }
    }

    /// Returns the map of that id, loaded at the expense of `payer` unless it is remembered.
    ///
    /// # Errors
    /// See [`NoMap`].
    pub async fn map(&self, id: &str, payer: Payer<'_>) -> Result<Arc<Loaded>, NoMap> {
        if let Some(known) = self.known(id) {
            return Ok(known);
        }
        // An unknown map is refused without waiting for a turn.
        if ours(id).is_none() && self.store.maps.map_owner(id).await.map_err(NoMap::Store)?.is_none() {
            return Err(NoMap::Unknown);
        }
        let asker = payer.in_line();
        let load = |turn| {
            let (maps, store, id, from) =
                (self.clone(), Arc::clone(&self.store), id.to_owned(), asker.network);
            async move {
                // Another request may have loaded it while this one waited.
                if let Some(known) = maps.known(&id) {
                    return Ok(known);
                }
                let (brought, created_ms) = files(&store, &id).await?;
                let rules = maps.load(&brought, turn).await.map_err(NoMap::Broken)?;
                let line = line(&brought, &rules, created_ms);
                Ok(maps.remember(Loaded::new(line, rules, brought.trial), from))
            }
        };
        let loaded = self.loads.of(id, asker, load).await;
        loaded.unwrap_or_else(|| Err(NoMap::Broken(vec![Problem::new("map-not-loaded")])))
    }

    /// Returns the map of that id; `None` without an id.
    ///
    /// # Errors
    /// See [`NoMap::problem`].
    pub async fn map_of(&self, id: Option<&str>, payer: Payer<'_>) -> Result<Option<Arc<Loaded>>, Problem> {
        match id {
            Some(id) => self.map(id, payer).await.map(Some).map_err(NoMap::problem),
            None => Ok(None),
        }
    }

    /// Returns the id and the name of a map; without a name when it is gone.
    pub async fn name(&self, id: &str) -> MapName {
        let own = ours(id).map(|own| own.name);
        let name = match own {
            Some(name) => Some(name),
            None => self.store.maps.map_owner(id).await.ok().flatten().map(|(_, name)| name),
        };
        MapName { id: id.to_owned(), name: name.unwrap_or_default() }
    }

    /// Returns the files of that map, and the time at which they were stored.
    ///
    /// # Errors
    /// See [`NoMap`].
    pub async fn files(&self, id: &str) -> Result<(Brought, u64), NoMap> {
        files(&self.store, id).await
    }

    /// Loads an uploaded map; returns its rules, or all that is wrong with it.
    pub async fn check(&self, brought: &Brought, payer: Payer<'_>) -> Result<Rules, Vec<Problem>> {
        brought.check_names().map_err(|problem| vec![problem])?;
        let turn = self.loads.turn(payer.in_line()).await;
        self.load(brought, turn).await
    }

    /// Returns the house's own maps that can be played here, and the newest of the others whose names hold `search`.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn list(&self, search: &str, payer: Payer<'_>) -> Result<Vec<MapLine>, StoreError> {
        let search: String = search.trim().chars().take(SEARCH).collect();
        let mut lines = Vec::new();
        for (id, sample) in OURS.iter().take(SAMPLES.len()) {
            if sample.name.to_lowercase().contains(&search.to_lowercase()) {
                lines.extend(self.map(id, payer).await.ok().map(|map| map.line.clone()));
            }
        }
        lines.extend(self.store.maps.search(&search, LISTED).await?);
        Ok(lines)
    }

    /// Reads and loads an uploaded map, on a thread where it blocks no other work.
    async fn load(&self, brought: &Brought, turn: Turn) -> Result<Rules, Vec<Problem>> {
        let (brought, loader) = (brought.clone(), self.loader.clone());
        let load = move || {
            // Held until loading has really ended, even if no request waits for it any more.
            let _turn = turn;
            Rules::load(&brought.package, &brought.options(), loader.as_deref())
        };
        let loaded = tokio::task::spawn_blocking(load).await;
        loaded.unwrap_or_else(|why| {
            tracing::error!(%why, "loading a map ended early");
            Err(vec![Problem::new("map-not-loaded")])
        })
    }

    /// Plays the test games of a loaded map: random games and the engine's. Requests with the same files at the same
    /// time wait for the first one, and the games are played once.
    ///
    /// # Errors
    /// The fault in the start, or `map-not-loaded`.
    pub async fn play(&self, id: &str, rules: &Rules) -> Result<Arc<Played>, Problem> {
        let player = self.player(id);
        let _playing = player.lock().await;
        let known = self.lock().played.iter().find(|known| known.0 == id).map(|known| Arc::clone(&known.1));
        if let Some(known) = known {
            return Ok(known);
        }
        let rules = rules.clone();
        let played = long(move || Played::of(&rules)).await;
        let played = Arc::new(played.and_then(Result::ok).unwrap_or_else(|| {
            tracing::error!("playing a map ended early");
            Err(Problem::new("map-not-loaded"))
        })?);
        // What failed without a line may have been this machine's fault.
        if played.random.faults.iter().all(|seen| seen.fault.line.is_some()) {
            let known = &mut self.lock().played;
            known.push_back((id.to_owned(), Arc::clone(&played)));
            if known.len() > PLAYED {
                known.pop_front();
            }
        }
        Ok(played)
    }

    /// Returns the lock that is held while that map's test games are played.
    fn player(&self, id: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut players = self.players.lock().unwrap_or_else(PoisonError::into_inner);
        players.retain(|_, player| player.strong_count() > 0);
        let known = players.get(id).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let player = Arc::default();
            players.insert(id.to_owned(), Arc::downgrade(&player));
            player
        })
    }

    /// Replays a game with extensions on this thread, while other tasks go on: at most four at the same time.
    pub async fn replay<T>(&self, payer: Payer<'_>, play: impl FnOnce() -> T) -> T {
        let _turn = loads::turn(&self.replays, payer.in_line()).await;
        in_place(true, play)
    }

    fn known(&self, id: &str) -> Option<Arc<Loaded>> {
        self.lock().loaded.get(id).and_then(Weak::upgrade)
    }

    /// Keeps a loaded map in the cache for the address that asked for it.
    pub(crate) fn remember(&self, loaded: Loaded, from: Network) -> Arc<Loaded> {
        let loaded = Arc::new(loaded);
        self.lock().remember(&loaded, from);
        loaded
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, KnownMaps> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownMaps {
    fn remember(&mut self, loaded: &Arc<Loaded>, from: Network) {
        self.loaded.retain(|_, loaded| loaded.strong_count() > 0);
        self.loaded.insert(loaded.line.id.clone(), Arc::downgrade(loaded));
        if loaded.line.ours {
            self.ours.retain(|known| known.line.id != loaded.line.id);
            self.ours.push(Arc::clone(loaded));
            return;
        }
        self.recent.push_back((from, Arc::clone(loaded)));
        let count = |from: Network| self.recent.iter().filter(|(known, _)| *known == from).count();
        let too_many = if count(from) > RECENT_EACH {
            Some(from)
        } else if self.recent.len() > RECENT {
            // Of those with most, the first.
            self.recent.iter().rev().map(|(from, _)| *from).max_by_key(|from| count(*from))
        } else {
            None
        };
        if let Some(at) = self.recent.iter().position(|(from, _)| Some(*from) == too_many) {
            self.recent.remove(at);
        }
    }
}

async fn files(store: &Store, id: &str) -> Result<(Brought, u64), NoMap> {
    if let Some(ours) = ours(id) {
        return Ok((ours, 0));
    }
    let stored = store.maps.map(id).await.map_err(NoMap::Store)?.ok_or(NoMap::Unknown)?;
    let created_ms = stored.line.created_ms;
    Ok((Brought::from(stored), created_ms))
}

pub(crate) fn line(brought: &Brought, rules: &Rules, created_ms: u64) -> MapLine {
    let map = rules.map();
    let id = brought.id();
    MapLine {
        ours: ours(&id).is_some(),
        id,
        name: brought.name.clone(),
        rows: map.rows,
        cols: map.cols,
        kinds: u32::try_from(map.kinds.len()).unwrap_or(u32::MAX),
        extensions: rules.extensions().iter().map(|about| about.name.clone()).collect(),
        created_ms,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loaded(id: &str, ours: bool) -> Arc<Loaded> {
        let rules = Rules::load(&SAMPLES[0].package(), &Options::new(), None).expect("a good map");
        let brought = super::ours(&OURS[0].0).expect("one of ours");
        let line = MapLine { id: id.to_owned(), ours, ..line(&brought, &rules, 0) };
        Arc::new(Loaded::new(line, rules, false))
    }

    /// A person who asks for sixteen maps does not push the maps of others out of the cache.
    #[test]
    fn nobody_pushes_out_the_maps_of_others() {
        let (mut known, network) = (KnownMaps::default(), |n: u8| Network::of([192, 0, 2, n].into()));
        known.remember(&loaded("house", true), network(1));
        known.remember(&loaded("ann's", false), network(2));
        for n in 0..3 * RECENT {
            known.remember(&loaded(&format!("eve{n}"), false), network(1));
        }
        let kept =
            |known: &KnownMaps, id: &str| known.loaded.get(id).is_some_and(|map| map.strong_count() > 0);
        assert!(kept(&known, "house") && kept(&known, "ann's") && kept(&known, "eve47"));
        assert_eq!(known.recent.len(), 1 + RECENT_EACH);
        // Many addresses: those with most lose first.
        for n in 3..200 {
            known.remember(&loaded(&format!("other{n}"), false), network(n));
            assert!(known.recent.len() <= RECENT && kept(&known, &format!("other{n}")));
            assert_eq!(kept(&known, "eve47"), n < 18, "{n}");
        }
        assert!(kept(&known, "house"));
    }
}
