//! The hall itself: finds tables, opens them, and puts them away.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use kernel::Problem;
use tokio::sync::{OnceCell, mpsc, oneshot, watch};
use wire::{CreateTable, Event, How, Player};

use crate::account::{random_text, text_from, tidy_room};
use crate::limits::{Limits, RateLimits};
use crate::lobby::Lobby;
use crate::maps::{Loaded, Maps, NoMap};
use crate::opponents::Opponents;
use crate::running::RunningPositions;
use crate::store::{Entry, Setup, Store, StoreError};
use crate::study::Studies;
use crate::table::{self, Ask, Handle, State};
use crate::time::Time;

/// Letters of a table's id: 50 bits, not to be guessed by trying.
const ID: usize = 10;
/// Rooms that wait, listed after a restart at most.
const ROOMS: u32 = 100;

/// Everything the hall's requests share.
pub struct Hall {
    /// What survives a restart.
    pub store: Arc<dyn Store>,
    /// What time it is.
    pub time: Time,
    /// Open tables and games to watch.
    pub lobby: Lobby,
    /// How much one client may ask.
    pub limits: Limits,
    /// Counts what they ask.
    pub rates: Arc<RateLimits>,
    /// Where games between people stand, with which nobody is helped.
    pub running: RunningPositions,
    /// Games that users make.
    pub maps: Maps,
    /// Programs that sit down with people.
    pub opponents: Arc<Opponents>,
    /// What our engine is asked about games.
    pub studies: Studies,
    /// Turns true when the hall is about to stop.
    pub stopping: watch::Sender<bool>,
    tables: Mutex<HashMap<String, Arc<OnceCell<Handle>>>>,
}

/// Why a table cannot be had.
#[derive(Debug)]
pub enum NoTable {
    /// There is none of that id.
    Unknown,
    /// The hall has too many on its hands, or is about to stop.
    Busy,
    /// It cannot be read.
    Broken(String),
}

impl Hall {
    /// A hall with that store; `maps` loads the games that users make, `opponents` sit down where nobody else does.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, limits: Limits, maps: Maps, opponents: Opponents) -> Arc<Hall> {
        Arc::new(Hall {
            store,
            time: Time::set(),
            lobby: Lobby::default(),
            rates: Arc::new(RateLimits::new(&limits)),
            running: RunningPositions::default(),
            maps,
            opponents: Arc::new(opponents),
            studies: Studies::new(&limits),
            limits,
            stopping: watch::channel(false).0,
            tables: Mutex::default(),
        })
    }

    /// Puts the rooms that wait for a player into the lobby, after a restart.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list_rooms(&self) -> Result<(), StoreError> {
        for id in self.store.waiting_rooms(ROOMS).await? {
            let Some(stored) = self.store.load(&id).await? else { continue };
            match self.replayed(&id, stored.setup, stored.log).await {
                Ok(state) => self.lobby.set(&id, Some(table::line(&state))),
                Err(why) => tracing::error!(table = %id, %why, "a stored table does not fit the rules"),
            }
        }
        Ok(())
    }

    /// The table of that id, read from the store when nobody is at it.
    ///
    /// # Errors
    /// See [`NoTable`].
    pub async fn table(self: &Arc<Self>, id: &str) -> Result<Handle, NoTable> {
        if id.len() > 40 || *self.stopping.borrow() {
            return Err(if id.len() > 40 { NoTable::Unknown } else { NoTable::Busy });
        }
        let cell = {
            let mut tables = self.lock();
            let full = tables.len() >= self.limits.tables;
            match tables.get(id) {
                Some(cell) => Arc::clone(cell),
                None if full => return Err(NoTable::Busy),
                None => Arc::clone(tables.entry(id.to_owned()).or_default()),
            }
        };
        let found = cell.get_or_try_init(|| self.read(id)).await.cloned();
        if found.is_err() {
            let mut tables = self.lock();
            if tables.get(id).is_some_and(|cell| cell.get().is_none()) {
                tables.remove(id);
            }
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

    async fn read(self: &Arc<Self>, id: &str) -> Result<Handle, NoTable> {
        let stored = self.store.load(id).await.map_err(|why| NoTable::Broken(why.to_string()))?;
        let stored = stored.ok_or(NoTable::Unknown)?;
        let state = self.replayed(id, stored.setup, stored.log).await;
        let state = state.map_err(|why| {
            tracing::error!(table = %id, %why, "a stored table does not fit the rules");
            NoTable::Broken(why.to_string())
        })?;
        Ok(table::start(Arc::clone(self), state))
    }

    /// The table that this log adds up to, with its map.
    ///
    /// # Errors
    /// What is wrong with map, options, start or log.
    pub async fn replayed(&self, id: &str, setup: Setup, log: Vec<Entry>) -> Result<State, Problem> {
        let map = self.map_of(setup.map.as_ref().map(|map| map.id.as_str())).await?;
        let played = map.clone();
        self.maps.replay(played.as_deref(), || State::replayed(id.to_owned(), setup, map, log)).await
    }

    /// The map of that id, where there is to be one.
    ///
    /// # Errors
    /// See [`NoMap::problem`].
    pub async fn map_of(&self, id: Option<&str>) -> Result<Option<Arc<Loaded>>, Problem> {
        match id {
            Some(id) => self.map(id).await.map(Some).map_err(NoMap::problem),
            None => Ok(None),
        }
    }

    /// Asks a table, reading it anew when its task has just ended.
    ///
    /// # Errors
    /// See [`NoTable`].
    pub async fn ask<T>(
        self: &Arc<Self>,
        id: &str,
        question: impl Fn(oneshot::Sender<T>) -> Ask,
    ) -> Result<(Handle, T), NoTable> {
        for _ in 0..3 {
            let handle = self.table(id).await?;
            let (reply, answer) = oneshot::channel();
            if handle.0.send(question(reply)).await.is_ok()
                && let Ok(answer) = answer.await
            {
                return Ok((handle, answer));
            }
        }
        Err(NoTable::Busy)
    }

    /// Looks at a table's state.
    ///
    /// # Errors
    /// See [`NoTable`].
    pub async fn look<T: Send + 'static>(
        self: &Arc<Self>,
        id: &str,
        look: impl Fn(&State) -> T + Send + Clone + 'static,
    ) -> Result<T, NoTable> {
        let question = |reply: oneshot::Sender<T>| {
            let look = look.clone();
            Ask::Look(Box::new(move |state| {
                let _ = reply.send(look(state));
            }))
        };
        self.ask(id, question).await.map(|(_, answer)| answer)
    }

    /// Opens a table as somebody wishes; returns its id.
    ///
    /// # Errors
    /// What is wrong with the wish.
    pub async fn open(&self, wish: CreateTable, opener: Player) -> Result<String, Problem> {
        let entry = catalog::find(&wish.game)?;
        crate::clock::check(wish.clock)?;
        let setting =
            if wish.how == How::Screen { catalog::Setting::Faithful } else { catalog::Setting::Online };
        let mut options = entry.settle(&wish.options, setting)?;
        let map = self.map_of(wish.map.as_deref()).await?;
        // A map has been loaded with its own options.
        options.extend(map.iter().flat_map(|map| map.rules.options()));
        let room = self.room_name(&wish)?;
        let opponent = self.opponent(&wish, entry)?;
        let setup = Setup {
            game: wish.game,
            options,
            map: map.map(|map| map.name()),
            fen: wish.fen,
            how: wish.how,
            room,
            clock: wish.clock,
            created_ms: self.time.now_ms(),
        };
        let by_lot = if rand::random() { wire::Side::First } else { wire::Side::Second };
        let side = kernel::Side::from(wish.side.unwrap_or(by_lot));
        let mut seats = [None, None];
        seats[side.index()] = Some(opener.clone());
        seats[side.other().index()] = opponent;
        if wish.how == How::Screen {
            seats = [Some(opener.clone()), Some(opener)];
        }
        self.open_with(setup, seats).await
    }

    /// The program that sits down at once.
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
        let name = tidy_room(wish.room.as_deref().unwrap_or_default())?;
        name.ok_or_else(|| Problem::new("room-without-name")).map(Some)
    }

    /// Opens the table on which the rematch is played: the same, with sides changed. Its id follows from the old
    /// table's, so that a hall which fell before it could note the rematch finds that table again.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn open_rematch(&self, state: &State) -> Result<String, Problem> {
        let how = if state.setup.how == How::Room { How::Invite } else { state.setup.how };
        let setup = Setup { created_ms: self.time.now_ms(), room: None, how, ..state.setup.clone() };
        let [first, second] = state.seats.clone();
        let log = sittings(&[second, first], setup.created_ms);
        let id = text_from(&format!("rematch of {}", state.id), ID);
        self.store_new(id, setup, log).await
    }

    /// Opens a table at which moves were already played, by one person for both sides.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn open_record(
        &self,
        setup: Setup,
        moves: Vec<(kernel::Side, String)>,
        who: Player,
    ) -> Result<String, Problem> {
        let mut log = sittings(&[Some(who.clone()), Some(who)], setup.created_ms);
        for (by, text) in moves {
            push(&mut log, setup.created_ms, Event::Move { by: by.into(), text });
        }
        self.store_new(random_text(ID), setup, log).await
    }

    async fn open_with(&self, setup: Setup, seats: [Option<Player>; 2]) -> Result<String, Problem> {
        let log = sittings(&seats, setup.created_ms);
        self.store_new(random_text(ID), setup, log).await
    }

    async fn store_new(&self, id: String, setup: Setup, log: Vec<Entry>) -> Result<String, Problem> {
        let standing = self.replayed(&id, setup.clone(), log.clone()).await?.standing();
        match self.store.create(&id, &setup, log, standing).await {
            Ok(()) => {
                metrics::counter!("hall_tables_opened_total").increment(1);
                tracing::info!(table = %id, game = %setup.game, how = ?setup.how, "a table was opened");
                Ok(id)
            }
            Err(StoreError::Taken) => match setup.room {
                Some(room) => Err(Problem::new("room-taken").with("room", room)),
                // Only a rematch's id comes twice, and then its table is there already.
                None => Ok(id),
            },
            Err(why) => {
                tracing::error!(%why, "a table was not stored");
                Err(Problem::new("not-stored"))
            }
        }
    }

    /// Forgets a table whose task has ended.
    pub fn forget(&self, id: &str) {
        self.lock().remove(id);
    }

    /// Forgets a table nobody uses; false when somebody is just on the way in.
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

    /// Stops all tables: clocks are written down, readers told.
    pub async fn stop(&self) {
        self.stopping.send_replace(true);
        let handles: Vec<Handle> = self.lock().values().filter_map(|cell| cell.get().cloned()).collect();
        let mut stopped = Vec::with_capacity(handles.len());
        for handle in handles {
            let (done, ended) = oneshot::channel();
            if handle.0.send(Ask::Stop(done)).await.is_ok() {
                stopped.push(ended);
            }
        }
        for ended in stopped {
            let _ = ended.await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<OnceCell<Handle>>>> {
        self.tables.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn sittings(seats: &[Option<Player>; 2], at_ms: u64) -> Vec<Entry> {
    let mut log = Vec::new();
    for side in kernel::Side::BOTH {
        if let Some(who) = &seats[side.index()] {
            push(&mut log, at_ms, Event::Sit { side: side.into(), who: who.clone() });
        }
    }
    log
}

fn push(log: &mut Vec<Entry>, at_ms: u64, event: Event) {
    log.push(Entry { ver: log.len() as u64 + 1, at_ms, cmd: None, spent_ms: None, event });
}

/// The data of one hall, which only one process may use.
pub struct Folder {
    /// Where.
    pub path: PathBuf,
    _lock: std::fs::File,
}

impl Folder {
    /// Takes the folder into possession, making it when it is not there.
    ///
    /// # Errors
    /// When it cannot be made, or another hall uses it.
    pub fn take(path: PathBuf) -> Result<Folder, String> {
        let shown = path.display();
        std::fs::create_dir_all(&path).map_err(|e| format!("cannot make the folder {shown}: {e}"))?;
        let file = std::fs::File::create(path.join("hall.lock"))
            .map_err(|e| format!("cannot write to {shown}: {e}"))?;
        file.try_lock().map_err(|_| {
            format!("another hall uses the data in {shown}; stop it or choose another --data")
        })?;
        Ok(Folder { path, _lock: file })
    }
}
