//! The hall itself: finds tables, opens them, and puts them away.
//!
//! [`Context`] is what every table needs (store, time, lobby, programs); it knows no tables. [`Tables`] knows which tables
//! are in memory. [`Hall`] is both, and what requests need besides.

use std::collections::HashMap;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use catalog::maps::Loader;
use kernel::Problem;
use store::{Claim, Store, StoreError, Stored};
use table::{Entry, Event, Secret, Setup, State};
use tokio::sync::{OnceCell, mpsc, oneshot, watch};
use wire::{CreateTable, How, Player};

use edge::connections::Connections;
use edge::disk::DiskRoom;
use edge::fair::Fair;
use edge::limits::{Limits, Live, RateLimits};
use edge::network::Payer;
use edge::time::Time;
use edge::workers::in_place;
use members::Members;
use people::secret::new_table_id;
use works::Works;
use works::handed::Handed;
use works::maps::Loaded;
use works::plays::Plays;
use works::riddles::PuzzleAct;

use crate::account::{derived_id, room_name, seed_from};
use crate::cluster::Cluster;
use crate::cluster::talk::{Question, TableNews, Word};
use crate::copies::Copied;
use crate::events::Events;
use crate::files::FromRecord;
use crate::lobby::{Lobby, SLOW_WAITS_MS};
use crate::opponents::Opponents;
use crate::outage::Outages;
use crate::play_now::PlayNowQueues;
use crate::remembered;
use crate::running::RunningPositions;
use crate::saved::Saved;
use crate::shelves::LibraryAct;
use crate::study::{OWN_GAMES, Studies};
use crate::table_task::{self, Ask, Handle};

/// Tables that wait, listed after a restart at most.
const WAITING: u32 = 1000;
/// A game with extensions is played through again for this long at most.
const REPLAY: Duration = Duration::from_secs(20);
/// A table whose task failed this often is not opened again until the keeper of the hall pardons it.
pub(crate) const STRIKES: u32 = 3;
/// Attempts to find a free random id for a table; a collision is very unlikely.
const TRIES: usize = 4;

/// The state that every table needs.
pub struct Context {
    /// The store of all data that survive a restart.
    pub store: Arc<Store>,
    /// The clock of the hall.
    pub time: Time,
    /// Open tables and games to watch.
    pub lobby: Lobby,
    /// Limits on the requests of each client.
    pub limits: Arc<Live>,
    /// Positions of running games between people, for which analysis is refused.
    pub running: RunningPositions,
    /// Days for which finished games of guests are kept; 0: for ever.
    pub guest_games_days: AtomicU32,
    /// Days after which the rows of finished games are folded; 0: never.
    pub fold_days: AtomicU32,
    /// The last outage of the store.
    pub outages: Outages,
    /// The room for new data.
    pub disk: Arc<DiskRoom>,
    /// The reason why no data, or no new data, can be stored at present; sent to every connection.
    pub trouble: watch::Sender<Option<Problem>>,
    /// Maps with all that belongs to them: versions, extensions, reports.
    pub works: Works,
    /// Programs that sit down with people.
    pub opponents: Arc<Opponents>,
    /// Events of people, for their connections.
    pub events: Events,
    /// Accounts, letters and notices.
    pub members: Members,
    /// The other nodes; `None` where this process is the whole hall.
    pub cluster: Option<Arc<Cluster>>,
    /// Collections of games; empty where the hall has no folder for them.
    pub library: Copied<LibraryAct>,
    /// Puzzles; empty where the hall has no folder for them.
    pub puzzles: Copied<PuzzleAct>,
    /// Counts what clients ask.
    pub rates: Arc<RateLimits>,
    /// The queues of people who want to play at once.
    pub play_now: PlayNowQueues,
    /// Openings that were drawn for tables whose game has not begun.
    pub draws: crate::draws::Draws,
}

/// The state that all requests of the hall share.
pub struct Hall {
    context: Arc<Context>,
    /// Tables in memory.
    pub tables: Arc<Tables>,
    /// Hints, analyses and reports by our engine.
    pub studies: Studies,
    /// Studies that people save.
    pub saved: Saved,
    /// The queue of finished games that are searched for puzzles, one after the other.
    pub(crate) puzzle_turns: Arc<Fair>,
    /// The connections of each person, by public id.
    pub here: Arc<Connections<String>>,
    /// Set to true when the hall is about to stop.
    pub stopping: watch::Sender<bool>,
}

impl Deref for Hall {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

/// Tables in memory, by id. A cell is empty while its table is being read.
#[derive(Default)]
pub struct Tables(Mutex<HashMap<String, Arc<OnceCell<Handle>>>>);

/// The reasons why a table is not available.
#[derive(Debug)]
pub enum NoTable {
    /// The id is of no table.
    Unknown,
    /// The hall has too many tables open, or is about to stop.
    Busy,
    /// The task of this table has failed repeatedly.
    Quarantined,
    /// The stored table cannot be read.
    Broken(String),
}

impl Tables {
    /// Returns the number of tables in memory.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Returns true if no table is in memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Forgets a table whose task has ended.
    pub fn forget(&self, id: &str) {
        self.lock().remove(id);
    }

    /// Removes a table that is not in use; returns false if a request is just about to use it.
    pub fn put_away(&self, id: &str, queue: &mpsc::Receiver<Ask>) -> bool {
        let mut tables = self.lock();
        let known = tables.get(id).and_then(|cell| cell.get());
        // Handles are only cloned while the list is locked, and each asks within its life.
        if !queue.is_empty() || known.is_some_and(|handle| handle.0.strong_count() > 1) {
            return false;
        }
        tables.remove(id);
        true
    }

    /// Returns the place of a table in the list; `None` if that would be one table too many.
    fn cell(&self, id: &str, most: usize) -> Option<Arc<OnceCell<Handle>>> {
        let mut tables = self.lock();
        if !tables.contains_key(id) && tables.len() >= most {
            return None;
        }
        Some(Arc::clone(tables.entry(id.to_owned()).or_default()))
    }

    /// Removes a place that has stayed empty.
    fn drop_empty(&self, id: &str) {
        let mut tables = self.lock();
        if tables.get(id).is_some_and(|cell| cell.get().is_none()) {
            tables.remove(id);
        }
    }

    fn handles(&self) -> Vec<(String, Handle)> {
        self.lock().iter().filter_map(|(id, cell)| Some((id.clone(), cell.get().cloned()?))).collect()
    }

    /// Makes all tables check their clocks.
    pub(crate) async fn look_at_clock(&self) {
        for (_, handle) in self.handles() {
            let _ = handle.0.send(Ask::Look(Box::new(|_| ()))).await;
        }
    }

    /// Asks all tables to look at what has changed; one that has a full queue will come to look anyway.
    pub(crate) fn look_up(&self) {
        for (_, handle) in self.handles() {
            let _ = handle.0.try_send(Ask::Look(Box::new(|_| ())));
        }
    }

    /// Returns true if that table is in memory, or is being read.
    #[must_use]
    pub fn is_in_memory(&self, id: &str) -> bool {
        self.lock().contains_key(id)
    }

    pub(crate) fn handle(&self, id: &str) -> Option<Handle> {
        self.lock().get(id).and_then(|cell| cell.get().cloned())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<OnceCell<Handle>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Context {
    /// Replays a log and returns the table with its map. The time of extensions is charged to `payer`.
    ///
    /// # Errors
    /// The fault in map, options, start or log; `hall-busy` where extensions take too long, or the person has
    /// used up their time.
    pub async fn replayed(
        &self,
        id: &str,
        setup: Setup,
        log: Vec<Entry>,
        payer: Payer<'_>,
    ) -> Result<(State, Option<Arc<Loaded>>), Problem> {
        let map = self.works.maps.map_of(setup.map.as_ref().map(|map| map.id.as_str()), payer).await?;
        let new = || -> Result<State, Problem> {
            let rules = map.as_deref().map(|map| &map.rules);
            let game = catalog::find(&setup.game)?.open(rules, &setup.options, setup.fen.as_deref())?;
            let takes_back = rules.is_none_or(catalog::maps::Rules::takes_back);
            let opening = catalog::draws::told(&setup.game, &setup.options);
            let mut state = State::new(id.to_owned(), setup, takes_back, game);
            state.opening = opening;
            Ok(state)
        };
        if !map.as_deref().is_some_and(Loaded::waits) {
            let state = in_place(true, || new()?.replay(log))?;
            return Ok((state, map));
        }
        if let Some(asker) = payer.charged()
            && self.rates.work(asker).is_err()
        {
            return Err(Problem::new("hall-busy"));
        }
        let replay = || {
            let begun = Instant::now();
            let replayed = new().and_then(|state| replayed_within(state, log, begun + REPLAY));
            if let Some(asker) = payer.charged() {
                self.rates.worked(asker, begun.elapsed());
            }
            replayed
        };
        let state = self.works.maps.replay(payer, replay).await?;
        Ok((state, map))
    }

    /// Opens the table of the rematch: the same setup, with sides changed. Its id is derived from the old table's, so
    /// that after a crash before the rematch was noted the hall finds the same table again.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn open_rematch(&self, state: &State) -> Result<String, Problem> {
        let how = if state.setup.how == How::Room { How::Invite } else { state.setup.how };
        let began = state.setup.clone();
        let mut setup = Setup { created_ms: self.time.now_ms(), room: None, how, heading: None, ..began };
        let [first, second] = state.seats.clone();
        let seats = [second, first];
        let id = derived_id(&format!("rematch of {}", state.id));
        // Another game has other random numbers: the hall draws them when both sit down, and one screen
        // begins elsewhere; a seed that the hall did not draw stays.
        if how != How::Screen {
            for key in catalog::maps::SEEDS {
                setup.options.entry(key.to_owned()).and_modify(|seed| *seed = 0);
            }
        } else if let Some(seed) = setup.options.get_mut(catalog::maps::SEED).filter(|seed| **seed != 0) {
            *seed = seed_from(&id);
        }
        // Both sides play an opening that was drawn; the chance of another one follows from the id, too.
        let chance = [format!("draw of {id}"), id.clone()].map(|id| seed_from(&id).unsigned_abs());
        catalog::draws::draw_next(&setup.game, &mut setup.options, chance[0] << 32 | chance[1]);
        match self.store.logs.load(&id).await {
            Ok(Some(found)) if is_opened_as(&found, &setup, &seats) => return Ok(id),
            Ok(None) => {
                let log = sittings(&seats, setup.created_ms);
                if let Ok(()) = self.create(&id, &setup, log, Payer::Hall).await {
                    return Ok(id);
                }
            }
            // Another table has that id, which is very unlikely: a random id then.
            Ok(Some(_)) | Err(_) => {}
        }
        let log = sittings(&seats, setup.created_ms);
        self.store_new(setup, log, Payer::Hall).await
    }

    /// Keeps a new table under a random id.
    ///
    /// # Errors
    /// `room-taken`, `not-stored`, or what does not fit the rules.
    pub async fn store_new(
        &self,
        mut setup: Setup,
        log: Vec<Entry>,
        payer: Payer<'_>,
    ) -> Result<String, Problem> {
        self.has_room()?;
        catalog::draws::draw(&setup.game, &mut setup.options, rand::random());
        for _ in 0..TRIES {
            let id = new_table_id();
            match self.create(&id, &setup, log.clone(), payer).await {
                Ok(()) => return Ok(id),
                Err(NotCreated::Refused(why)) => return Err(why),
                Err(NotCreated::Store(StoreError::Taken)) => {
                    if let Some(room) = &setup.room
                        && let Ok(Some(_)) = self.store.tables.room(room).await
                    {
                        return Err(Problem::new("room-taken").with("room", room));
                    }
                }
                Err(NotCreated::Store(why)) => {
                    tracing::error!(%why, "a table was not stored");
                    return Err(Problem::new("not-stored"));
                }
            }
        }
        Err(Problem::new("not-stored"))
    }

    /// Notes that a person has come to a table at which they play, whichever node paired them.
    pub(crate) fn came(&self, person: &str, table: &str) {
        if let Some(cluster) = &self.cluster {
            cluster.tell_all(Word::Came { person: person.to_owned(), table: table.to_owned() });
        }
        self.play_now.came(person, table, self.time.now_ms());
    }

    /// Checks that the person has an account.
    ///
    /// # Errors
    /// `rated-needs-account`, `hall-busy`.
    pub async fn has_account(&self, person: &str) -> Result<(), Problem> {
        match self.members.accounts.has(person).await? {
            true => Ok(()),
            false => Err(Problem::new("rated-needs-account")),
        }
    }

    /// Checks that the disk has room for new data.
    ///
    /// # Errors
    /// `disk-low`.
    pub fn has_room(&self) -> Result<(), Problem> {
        self.disk.check()
    }

    /// Returns the times for which unused data are kept.
    #[must_use]
    pub fn retention(&self) -> store::Retention {
        let days = u64::from(self.guest_games_days.load(Ordering::Relaxed));
        let guest_tables_ms = (days > 0).then_some(days * 86_400_000);
        store::Retention { guest_tables_ms, ..store::Retention::default() }
    }

    /// Folds the rows of games that ended long enough ago: some at a time, with pauses, so that no move waits. One node of a hall
    /// does it for all.
    pub async fn fold_games(&self) {
        /// Between two commits.
        const PAUSE: Duration = Duration::from_millis(50);
        /// Commits of a round; the rest waits for the next one.
        const COMMITS: u32 = 4_000;
        let days = u64::from(self.fold_days.load(Ordering::Relaxed));
        let is_others = self.cluster.as_ref().is_some_and(|cluster| cluster.keeper("folding").is_some());
        if days == 0 || is_others || self.store.condition.is_read_only() {
            return;
        }
        let before_ms = self.time.now_ms().saturating_sub(days * 86_400_000);
        let (mut games, mut rows) = (0, 0);
        for _ in 0..COMMITS {
            match self.store.upkeep.fold(before_ms).await {
                Ok(folded) => {
                    games += folded.games;
                    rows += folded.rows;
                    if folded.waits {
                        tracing::info!("no game is folded while a node of an older program is at work");
                    }
                    if folded.is_done {
                        break;
                    }
                }
                Err(why) => {
                    tracing::warn!(%why, "finished games were not folded");
                    break;
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
        if games > 0 {
            metrics::counter!("hall_folded_games_total").increment(games);
            tracing::info!(games, rows, "finished games were folded");
        }
    }

    /// Measures the free space on the disk.
    pub async fn measure_disk(&self) {
        let Ok(size) = self.store.condition.size().await else { return };
        let low = self.limits.on && size.bytes_free_on_disk < self.limits.free_disk_bytes;
        if self.disk.note(low) {
            tracing::warn!(free = size.bytes_free_on_disk, low, "room on the disk");
        }
        metrics::gauge!("hall_disk_free_bytes").set(size.bytes_free_on_disk as f64);
        metrics::gauge!("hall_store_bytes").set(size.bytes_used as f64);
    }

    /// Tells every connection whether the store can be written, when that has changed. `writes`: the last attempt to
    /// write succeeded.
    pub fn tell_storage(&self, writes: bool) {
        let trouble = if self.store.condition.is_read_only() || !writes || self.waits() {
            Some(Problem::new("hall-read-only"))
        } else {
            self.has_room().err()
        };
        self.tell_trouble(trouble);
    }

    /// Returns true if this node of several waits for the database: its heartbeat has failed for a while.
    fn waits(&self) -> bool {
        self.cluster.as_ref().is_some_and(|cluster| !cluster.serves())
    }

    /// Tells every connection that this node waits for the database, before a move has waited in vain. The next
    /// successful write tells them that it is back.
    pub(crate) fn tell_waits(&self) {
        if self.waits() {
            self.tell_trouble(Some(Problem::new("hall-read-only")));
        }
    }

    fn tell_trouble(&self, trouble: Option<Problem>) {
        self.trouble.send_if_modified(|told| {
            let news = *told != trouble;
            *told = trouble;
            news
        });
    }

    async fn create(
        &self,
        id: &str,
        setup: &Setup,
        mut log: Vec<Entry>,
        payer: Payer<'_>,
    ) -> Result<(), NotCreated> {
        if let Some(map) = &setup.map {
            self.members.staffed.may_begin_on(&map.id)?;
        }
        let map = self.works.maps.map_of(setup.map.as_ref().map(|map| map.id.as_str()), payer).await?;
        if setup.how != How::Screen && map.is_some_and(|map| map.rules.has_chance()) {
            draw_secret(&mut log);
        }
        let (state, _) = self.replayed(id, setup.clone(), log.clone(), payer).await?;
        self.store.logs.create(id, setup, log, state.standing()).await.map_err(NotCreated::Store)?;
        // The clock of a slow game runs even if no visitor ever opens it, and so does the time for a first
        // move.
        if let Some(asleep) = table_task::deadline(&state, setup.created_ms) {
            self.store.tables.sleep(id, asleep).await.map_err(NotCreated::Store)?;
        }
        if state.is_on() {
            self.events.begun(&state);
            self.members.notices.turn(&state);
            self.events.turn(&state);
        }
        metrics::counter!("hall_tables_opened_total").increment(1);
        tracing::info!(table = %id, game = %setup.game, how = ?setup.how, "a table was opened");
        Ok(())
    }
}

/// Replays a log as [`State::replay`] does, and fails with `hall-busy` when it takes longer than until then.
fn replayed_within(mut state: State, log: Vec<Entry>, until: Instant) -> Result<State, Problem> {
    for entry in log {
        if Instant::now() > until {
            return Err(Problem::new("hall-busy"));
        }
        let ver = entry.ver;
        state.apply(entry).map_err(|why| why.with("version", ver))?;
    }
    state.replay(Vec::new())
}

enum NotCreated {
    Refused(Problem),
    Store(StoreError),
}

impl From<Problem> for NotCreated {
    fn from(why: Problem) -> Self {
        NotCreated::Refused(why)
    }
}

/// Returns true if that table was opened with this setup and these players.
fn is_opened_as(found: &Stored, setup: &Setup, seats: &[Option<Player>; 2]) -> bool {
    let began = Setup { created_ms: setup.created_ms, ..found.setup.clone() };
    let sat = found.log.iter().map(|entry| &entry.event);
    let ids = |event: &Event| match event {
        Event::Sit { side, who, .. } => Some((*side, who.id.clone())),
        _ => None,
    };
    let wanted = sittings(seats, 0);
    began == *setup && sat.take(wanted.len()).map(ids).eq(wanted.iter().map(|entry| ids(&entry.event)))
}

impl Hall {
    /// Opens a hall with that store; `loader` runs the extensions of maps, `opponents` are the programs that play.
    #[must_use]
    pub fn new(
        store: Arc<Store>,
        limits: Limits,
        loader: Option<Arc<dyn Loader>>,
        opponents: Opponents,
    ) -> Arc<Hall> {
        let time = Time::start(store::now_ms(), store.pulse.last_beat().unwrap_or(0));
        Hall::among(store, time, None, limits, loader, opponents)
    }

    /// Opens one node of a hall, whose time is that of all nodes.
    #[must_use]
    pub fn among(
        store: Arc<Store>,
        time: Time,
        cluster: Option<Arc<Cluster>>,
        limits: Limits,
        loader: Option<Arc<dyn Loader>>,
        opponents: Opponents,
    ) -> Arc<Hall> {
        let rates = Arc::new(RateLimits::new(&limits));
        let studies = Studies::new(&limits);
        opponents.searches.open(&store, &time);
        let running = RunningPositions::default();
        let opponents = Arc::new(opponents);
        let (limits, disk) = (Arc::new(Live::new(limits)), Arc::new(DiskRoom::default()));
        let (stopping, stops) = watch::channel(false);
        let works = Works::new(Handed {
            store: Arc::clone(&store),
            time: time.clone(),
            limits: Arc::clone(&limits),
            rates: Arc::clone(&rates),
            disk: Arc::clone(&disk),
            loader,
            player: Arc::clone(&opponents) as Arc<dyn Plays>,
            stopping: stops,
        });
        let members = Members::new(&members::handed::Handed {
            store: Arc::clone(&store),
            time: time.clone(),
            limits: Arc::clone(&limits),
            rates: Arc::clone(&rates),
        });
        let context = Context {
            store,
            time,
            lobby: Lobby::default(),
            limits,
            running,
            guest_games_days: AtomicU32::new(0),
            fold_days: AtomicU32::new(0),
            outages: Outages::default(),
            disk,
            trouble: watch::Sender::new(None),
            works,
            opponents,
            events: Events::default(),
            members,
            cluster,
            library: Copied::default(),
            puzzles: Copied::default(),
            rates,
            play_now: PlayNowQueues::default(),
            draws: crate::draws::Draws::default(),
        };
        Arc::new(Hall {
            context: Arc::new(context),
            tables: Arc::default(),
            studies,
            saved: Saved::default(),
            puzzle_turns: Fair::new(1, 1),
            here: Arc::default(),
            stopping,
        })
    }

    /// Lists the tables that wait for a player in the lobby, after a restart: rooms, and slow tables.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn list_waiting(&self) -> Result<(), StoreError> {
        let since_ms = self.time.now_ms().saturating_sub(SLOW_WAITS_MS);
        for id in self.store.tables.waiting_tables(since_ms, WAITING).await? {
            let stored = match self.store.logs.load(&id).await {
                Ok(Some(stored)) => stored,
                Ok(None) => continue,
                Err(why) => {
                    tracing::error!(table = %id, %why, "a table that waits is not listed");
                    continue;
                }
            };
            match self.replayed(&id, stored.setup, stored.log, Payer::Hall).await {
                Ok((state, _)) => {
                    if let Ok(Some(range)) = self.store.together.seek(&id).await {
                        self.lobby.set_range(&id, range);
                    }
                    self.lobby.set(&id, Some(table_task::line(&state)));
                    self.lobby.remove_unless_waiting(&id);
                }
                Err(why) => tracing::error!(table = %id, %why, "a stored table does not fit the rules"),
            }
        }
        Ok(())
    }

    /// Returns the table of that id, reading it from the store at the expense of `payer` when it is not in memory.
    ///
    /// # Errors
    /// See [`NoTable`].
    pub async fn table(&self, id: &str, payer: Payer<'_>) -> Result<Handle, NoTable> {
        if id.len() > 40 {
            return Err(NoTable::Unknown);
        }
        if *self.stopping.borrow() {
            return Err(NoTable::Busy);
        }
        let cell = self.tables.cell(id, self.limits.tables).ok_or(NoTable::Busy)?;
        let found = cell.get_or_try_init(|| self.read(id, payer)).await.cloned();
        if found.is_err() {
            self.tables.drop_empty(id);
        }
        // Who stops the hall does not see a table that is only being read.
        if let Ok(handle) = &found
            && *self.stopping.borrow()
        {
            let _ = handle.0.send(Ask::Stop(oneshot::channel().0)).await;
            return Err(NoTable::Busy);
        }
        found
    }

    async fn read(&self, id: &str, payer: Payer<'_>) -> Result<Handle, NoTable> {
        // First claimed, then read: earlier writes are read, and no other node writes after them.
        let adopted = match self.claim(id).await? {
            Claim::Kept | Claim::Taken { .. } => None,
            Claim::Adopted { beat_ms, epoch } => {
                tracing::info!(table = %id, epoch, "adopted from a node that died");
                Some(beat_ms)
            }
            Claim::Elsewhere(owner) => {
                let cluster = self.cluster.clone().ok_or(NoTable::Busy)?;
                let (context, tables) = (Arc::clone(&self.context), Arc::clone(&self.tables));
                return table_task::remote::follow(context, tables, cluster, id, owner, payer).await;
            }
        };
        let begun = Instant::now();
        let stored = self.store.logs.load(id).await.map_err(|why| {
            tracing::error!(table = %id, %why, "a stored table cannot be read");
            NoTable::Broken(why.to_string())
        })?;
        let Stored { setup, log, asleep, strikes } = stored.ok_or(NoTable::Unknown)?;
        if strikes >= STRIKES {
            return Err(NoTable::Quarantined);
        }
        let (state, map) = self.replayed(id, setup, log, payer).await.map_err(|why| {
            if why.key == "hall-busy" {
                tracing::warn!(table = %id, "a table is not opened now: its extensions take long");
                return NoTable::Busy;
            }
            tracing::error!(table = %id, %why, "a stored table does not fit the rules");
            NoTable::Broken(why.to_string())
        })?;
        metrics::histogram!("hall_table_load_seconds").record(begun.elapsed().as_secs_f64());
        if let Ok(Some(range)) = self.store.together.seek(id).await {
            self.lobby.set_range(id, range);
        }
        Ok(table_task::start(
            Arc::clone(&self.context),
            Arc::clone(&self.tables),
            state,
            map,
            asleep,
            adopted,
        ))
    }

    /// Claims a table, where several processes share the store.
    async fn claim(&self, id: &str) -> Result<Claim, NoTable> {
        if self.cluster.as_ref().is_some_and(|cluster| !cluster.serves()) {
            return Err(NoTable::Busy);
        }
        match self.store.claims.claim(id).await {
            Ok(claim) => Ok(claim),
            Err(StoreError::Missing) => Err(NoTable::Unknown),
            Err(StoreError::Fenced) => Err(NoTable::Busy),
            Err(why) => {
                tracing::error!(table = %id, %why, "a table cannot be claimed");
                Err(NoTable::Broken(why.to_string()))
            }
        }
    }

    /// Returns true if this node owns that table, or owns it from now on.
    pub(crate) async fn owns(&self, id: &str) -> bool {
        // Opened first: this adopts the table if its owner is dead, and the claim has to know that.
        self.table(id, Payer::Hall).await.is_ok() && matches!(self.claim(id).await, Ok(Claim::Kept))
    }

    /// Returns true if a person is connected, to this node or another one.
    #[must_use]
    pub fn is_here(&self, person: &str) -> bool {
        self.here.has(person) || self.cluster.as_ref().is_some_and(|cluster| cluster.is_here(person))
    }

    /// Sends a question to a table and returns the answer; reads the table again if its task has just ended.
    ///
    /// # Errors
    /// See [`NoTable`].
    pub async fn ask<T>(
        &self,
        id: &str,
        payer: Payer<'_>,
        question: impl Fn(oneshot::Sender<T>) -> Ask,
    ) -> Result<(Handle, T), NoTable> {
        for _ in 0..3 {
            let handle = self.table(id, payer).await?;
            let (reply, answer) = oneshot::channel();
            if handle.0.send(question(reply)).await.is_ok()
                && let Ok(answer) = answer.await
            {
                return Ok((handle, answer));
            }
        }
        Err(NoTable::Busy)
    }

    /// Reads from a table's state. `look` must be quick: the table waits meanwhile.
    ///
    /// # Errors
    /// See [`NoTable`].
    pub async fn look<T: Send + 'static>(
        &self,
        id: &str,
        payer: Payer<'_>,
        look: impl Fn(&State) -> T + Send + Clone + 'static,
    ) -> Result<T, NoTable> {
        let question = |reply: oneshot::Sender<T>| {
            let look = look.clone();
            Ask::Look(Box::new(move |state| {
                let _ = reply.send(look(state));
            }))
        };
        self.ask(id, payer, question).await.map(|(_, answer)| answer)
    }

    /// Opens a table on request; returns its id.
    ///
    /// # Errors
    /// The fault in the request.
    pub async fn open(&self, wish: CreateTable, opener: Player, payer: Payer<'_>) -> Result<String, Problem> {
        let entry = catalog::find(&wish.game)?;
        table::clock::check(wish.clock)?;
        let setting =
            if wish.how == How::Screen { catalog::Setting::Faithful } else { catalog::Setting::Online };
        let options = entry.settle(&wish.options, setting)?;
        let map = wish.map.as_deref();
        let (map, options) = self.on_map(options, &wish.options, map, wish.how, payer).await?;
        let room = self.room_name(&wish)?;
        let opponent = self.opponent(&wish, entry)?;
        let fen = wish.fen.as_deref().map(|text| records::pasted(entry.key, text)).transpose()?.flatten();
        let fen = fen.map(std::borrow::Cow::into_owned);
        let mut options = options;
        let draws_for_two = wish.how != How::Screen && opponent.is_none();
        if fen.is_some() {
            if catalog::draws::is_open(&options) {
                return Err(Problem::new("draw-and-position"));
            }
            catalog::draws::clear(&mut options);
        }
        if draws_for_two {
            self.draw(&opener.id, entry.key, &mut options, payer).await;
        }
        let drawn = draws_for_two.then(|| options.clone());
        let setup = Setup {
            game: wish.game,
            options,
            map: map.map(|map| map.name()),
            fen,
            how: wish.how,
            room,
            clock: wish.clock,
            rated: wish.rated,
            created_ms: self.time.now_ms(),
            heading: None,
        };
        if setup.rated {
            self.may_be_rated(&setup, opponent.is_some(), &opener.id).await?;
        }
        if opponent.is_some() {
            self.plays_no_rated_game(&setup.game, &opener.id, payer).await?;
        }
        // A program that is given a position answers it.
        if setup.fen.is_some() && opponent.is_some() {
            let (state, _) = self.replayed("", setup.clone(), Vec::new(), payer).await?;
            self.may_help(&setup, state.game.as_ref(), 0, &opener.id, payer).await?;
        }
        let by_lot = if rand::random() { wire::Side::First } else { wire::Side::Second };
        let side = wish.side.unwrap_or(by_lot);
        let mut seats = [None, None];
        seats[side.index()] = Some(opener.clone());
        seats[side.other().index()] = opponent;
        if wish.how == How::Screen {
            seats = [Some(opener.clone()), Some(opener.clone())];
        }
        let log = sittings(&seats, setup.created_ms);
        let id = self.store_new(setup, log, payer).await?;
        if let Some(options) = drawn {
            self.note_draw(&opener.id, entry.key, &options, &id);
        }
        Ok(id)
    }

    /// Returns the map of that id, and the options completed by the map. `chosen` are the options that the request
    /// names.
    ///
    /// # Errors
    /// The reason why the map is not available; `seed-chosen` if the request chooses the random seed of a game with
    /// another player.
    pub(crate) async fn on_map(
        &self,
        mut options: catalog::Options,
        chosen: &catalog::Options,
        map: Option<&str>,
        how: How,
        payer: Payer<'_>,
    ) -> Result<(Option<Arc<Loaded>>, catalog::Options), Problem> {
        // Against another player no one chooses the numbers that the hall draws.
        if how != How::Screen {
            catalog::draws::undraw(&mut options);
        }
        let map = self.works.maps.map_of(map, payer).await?;
        if let Some(map) = &map {
            map.settle(&mut options);
            let is_chosen = catalog::maps::seed(chosen) != 0;
            if how != How::Screen && is_chosen {
                return Err(Problem::new("seed-chosen"));
            }
            // Every game on one screen has random numbers of its own, unless its player asks for those of
            // another. Elsewhere the hall draws a secret, when both sit down.
            if how == How::Screen && map.waits() && !chosen.contains_key(catalog::maps::SEED) {
                options.insert(catalog::maps::SEED.to_owned(), rand::random::<u32>().into());
            }
        }
        Ok((map, options))
    }

    /// Checks that a table's result may count for ratings.
    ///
    /// # Errors
    /// `rated-not-usual`, `rated-map-later`, `rated-needs-account`.
    pub(crate) async fn may_be_rated(
        &self,
        setup: &Setup,
        against_program: bool,
        opener: &str,
    ) -> Result<(), Problem> {
        if against_program || remembered::pool(setup).is_none() {
            return Err(Problem::new("rated-not-usual"));
        }
        if let Some(map) = &setup.map {
            self.works.shelf.has_pool(&map.id).await?;
        }
        self.has_account(opener).await
    }

    /// Checks that the person plays no rated game of that kind now, in which a program would help them. Slow games do
    /// not count: they go on for weeks.
    ///
    /// # Errors
    /// `rated-game-runs`.
    async fn plays_no_rated_game(&self, game: &str, person: &str, payer: Payer<'_>) -> Result<(), Problem> {
        for table in self.store.tables.playing(person, OWN_GAMES).await.unwrap_or_default() {
            let game = game.to_owned();
            let look = move |state: &State| {
                let is_slow = remembered::speed(&state.setup) == Some(people::Speed::Correspondence);
                state.setup.rated && !is_slow && state.setup.game == game && state.is_on()
            };
            if self.look(&table, payer, look).await.is_ok_and(|runs| runs) {
                return Err(Problem::new("rated-game-runs"));
            }
        }
        Ok(())
    }

    /// Returns the program that sits down at once, if the request names one.
    fn opponent(&self, wish: &CreateTable, entry: &catalog::Entry) -> Result<Option<Player>, Problem> {
        match &wish.opponent {
            Some(_) if wish.how == How::Screen => Err(Problem::new("engine-on-screen")),
            Some(opponent) => self.opponents.player(opponent, entry).map(Some),
            None => Ok(None),
        }
    }

    fn room_name(&self, wish: &CreateTable) -> Result<Option<String>, Problem> {
        if wish.how != How::Room {
            return Ok(None);
        }
        let name = room_name(wish.room.as_deref().unwrap_or_default())?;
        let name = name.ok_or_else(|| Problem::new("room-without-name"))?;
        Ok(Some(name.as_str().to_owned()))
    }

    /// Opens a table at which moves were already played, by one person for both sides.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn open_record(
        &self,
        record: FromRecord,
        who: Player,
        payer: Payer<'_>,
    ) -> Result<String, Problem> {
        let FromRecord { setup, moves, end, .. } = record;
        let mut log = sittings(&[Some(who.clone()), Some(who)], setup.created_ms);
        for (by, text) in moves {
            push(&mut log, setup.created_ms, Event::Move { by, text, away: false });
        }
        if let Some(end) = end {
            push(&mut log, setup.created_ms, end);
        }
        self.store_new(setup, log, payer).await
    }

    /// Sends a message to a table that is in memory.
    pub(crate) async fn tell_table(&self, id: &str, what: impl Fn() -> Ask) {
        if let Some(handle) = self.tables.handle(id) {
            let _ = handle.0.send(what()).await;
        } else {
            self.ask_owner(id, Question::Vacation { table: id.to_owned() }).await;
        }
    }

    /// Sends a question to the node that owns a table, if that is another one.
    async fn ask_owner(&self, id: &str, question: Question) {
        let Some(cluster) = &self.cluster else { return };
        if let Ok(Some(owner)) = self.store.claims.owner(id).await
            && owner.incarnation != cluster.me
            && let Err(why) = cluster.ask(&owner.incarnation, &question).await
        {
            tracing::warn!(table = %id, %why, "the owner of a table was not told");
        }
    }

    /// Reads a table in memory again from its log, as after a change of a player's id in it.
    pub async fn reload(&self, id: &str) {
        self.reload_own(id).await;
        self.ask_owner(id, Question::Reload { table: id.to_owned() }).await;
    }

    /// Reads a table again that this node has in memory.
    pub(crate) async fn reload_own(&self, id: &str) {
        if let Some(handle) = self.tables.handle(id) {
            let (done, ended) = oneshot::channel();
            if handle.0.send(Ask::Stop(done)).await.is_ok() {
                let _ = ended.await;
            }
        }
    }

    /// Stops all tables: clocks are stored, readers are told.
    pub async fn stop(&self) {
        self.stopping.send_replace(true);
        let mut stopped = Vec::new();
        for (id, handle) in self.tables.handles() {
            let (done, ended) = oneshot::channel();
            if handle.0.send(Ask::Stop(done)).await.is_ok() {
                stopped.push((id, ended));
            }
        }
        for (id, ended) in stopped {
            let _ = ended.await;
            // Other nodes may take it at once, and clients at an edge connect again.
            if let Some(cluster) = &self.cluster
                && self.store.claims.release(&id).await == Ok(true)
            {
                cluster.tell_table(&id, &TableNews::Moved);
            }
        }
    }
}

/// Draws the secret of the random events when the second player sits down in that log.
fn draw_secret(log: &mut [Entry]) {
    let sits = log.iter_mut().filter_map(|entry| match &mut entry.event {
        Event::Sit { side, secret, .. } => Some((*side, secret)),
        _ => None,
    });
    let mut first = None;
    for (side, secret) in sits {
        if first.is_some_and(|other| other != side) {
            *secret = Some(Secret(rand::random()));
            return;
        }
        first = Some(side);
    }
}

pub(crate) fn sittings(seats: &[Option<Player>; 2], at_ms: u64) -> Vec<Entry> {
    let mut log = Vec::new();
    for side in kernel::Side::BOTH {
        if let Some(who) = &seats[side.index()] {
            push(&mut log, at_ms, Event::Sit { side, who: who.clone(), secret: None });
        }
    }
    log
}

fn push(log: &mut Vec<Entry>, at_ms: u64, event: Event) {
    log.push(Entry { ver: log.len() as u64 + 1, at_ms, cmd: None, spent_ms: None, event });
}

/// The data folder of a hall, which only one process may use.
pub struct Folder {
    /// The path of the folder.
    pub path: PathBuf,
    _locks: Vec<std::fs::File>,
}

impl Folder {
    /// Locks the folder, making it if it does not exist.
    ///
    /// The lock is on the folder itself, so that it cannot be removed by deleting a file; `hall.lock` is locked
    /// besides for halls of earlier versions.
    ///
    /// # Errors
    /// An error when it cannot be made, or another hall uses it.
    pub fn take(path: PathBuf) -> Result<Folder, Problem> {
        let shown = path.display().to_string();
        let unusable = |why: std::io::Error| {
            Problem::new("hall-folder-unusable").with("folder", &shown).with("why", why)
        };
        let taken = |_| Problem::new("hall-folder-in-use").with("folder", &shown);
        let mut making = std::fs::DirBuilder::new();
        making.recursive(true);
        // What people wrote to each other is not for others on this machine. A folder that is there keeps its rights.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut making, 0o700);
        making.create(&path).map_err(unusable)?;
        let folder = std::fs::File::open(&path).map_err(unusable)?;
        folder.try_lock().map_err(taken)?;
        let mut locks = vec![folder];
        // On a disk that is full there may be no room for it.
        if let Ok(file) = std::fs::File::options().create(true).append(true).open(path.join("hall.lock")) {
            file.try_lock().map_err(taken)?;
            locks.push(file);
        }
        Ok(Folder { path, _locks: locks })
    }
}
