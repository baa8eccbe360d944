//! The tables of a hall: games that are played, the lobby where they wait, the queues of people who want to play at
//! once, programs that play, and the tables of other nodes.
//!
//! Nothing here knows how a person signs in, or a request. What the crate needs of the hall is [`Handed`] down: the
//! store, the clock, the limits, loaded maps and a way to the other nodes. What it asks about people and tells them goes
//! up through one trait, [`Persons`].
//!
//! Reading order: [`ask`] (the messages of a table's task), [`table_task`] (one game being played; one task owns it),
//! `audience` (the people connected to it),
//! [`context`] (what every task works with; tables are made and read),
//! [`memory`] (the tables in memory), [`Tables`] (finds and opens them), [`opening`] (a table on request), [`persons`],
//! [`lobby`] and [`alone`] (tables that wait), [`queues`], [`play_now`] and [`arrivals`] (opponents for who wants to play
//! at once), [`draws`] (openings by lot), [`running`] and [`help`] (positions for which there is no help), [`sweep`] and
//! [`asleep`] (slow games), [`outage`] (outages of the store, which no player pays for), [`opponents`] (programs that
//! play), [`searches`] (where they think: here, or workers on other machines), [`balance`] (games of balance reports),
//! [`remembered`] (what is kept of a game that ended), [`cluster`] and [`nodes`] (several processes that are one hall),
//! [`traces`], [`message`], [`derived`].

pub mod alone;
pub mod arrivals;
pub mod ask;
pub mod asleep;
mod audience;
pub mod balance;
pub mod cluster;
pub mod context;
pub mod derived;
pub mod draws;
pub mod help;
pub mod lobby;
pub mod memory;
pub mod message;
pub mod nodes;
pub mod opening;
pub mod opponents;
pub mod outage;
pub mod persons;
pub mod play_now;
pub mod queues;
pub mod remembered;
pub mod running;
pub mod searches;
pub mod sweep;
pub mod table_task;
pub mod traces;

use std::sync::Arc;
use std::time::Instant;

use edge::disk::DiskRoom;
use edge::limits::{Live, RateLimits};
use edge::network::Payer;
use edge::time::Time;
use kernel::Problem;
use people::secret::new_id;
use store::{Claim, Store, StoreError, Stored};
use table::{Entry, Setup, State};
use tokio::sync::{oneshot, watch};
use wire::Player;
use works::Works;

use crate::ask::{Ask, Handle, Wished};
use crate::cluster::Cluster;
use crate::cluster::talk::{Question, TableNews};
use crate::context::Context;
use crate::draws::Draws;
use crate::lobby::{Lobby, SLOW_WAITS_MS, line};
use crate::memory::{Memory, NoTable, STRIKES};
use crate::opponents::Opponents;
use crate::outage::Outages;
use crate::persons::Persons;
use crate::queues::PlayNowQueues;
use crate::running::RunningPositions;

/// Tables that wait, listed after a restart at most.
const WAITING: u32 = 1000;
/// Attempts to give up a table at which a player may move in between.
const LEAVES: usize = 4;

/// The parts of a hall that its tables work with.
pub struct Handed {
    /// The store of all data that survive a restart.
    pub store: Arc<Store>,
    /// The clock of the hall.
    pub time: Time,
    /// Limits on the requests of each client.
    pub limits: Arc<Live>,
    /// Counts what clients ask.
    pub rates: Arc<RateLimits>,
    /// The room for new data.
    pub disk: Arc<DiskRoom>,
    /// Maps with all that belongs to them.
    pub works: Arc<Works>,
    /// The people at tables.
    pub persons: Arc<dyn Persons>,
    /// Programs that sit down with people.
    pub opponents: Arc<Opponents>,
    /// The other nodes; `None` where this process is the whole hall.
    pub cluster: Option<Arc<Cluster>>,
    /// Set to true when the hall is about to stop.
    pub stopping: watch::Receiver<bool>,
}

/// The tables of a hall.
pub struct Tables {
    pub(crate) context: Arc<Context>,
    pub(crate) memory: Arc<Memory>,
    /// Openings that were drawn for tables whose game has not begun.
    pub(crate) draws: Draws,
    pub(crate) stopping: watch::Receiver<bool>,
}

impl Tables {
    /// Creates the tables of a hall; none is in memory yet.
    #[must_use]
    pub fn new(handed: Handed) -> Tables {
        let Handed { store, time, limits, rates, disk, works, persons, opponents, cluster, stopping } =
            handed;
        let context = Context {
            store,
            time,
            limits,
            rates,
            disk,
            works,
            persons,
            cluster,
            lobby: Lobby::default(),
            running: RunningPositions::default(),
            outages: Outages::default(),
            opponents,
            play_now: PlayNowQueues::default(),
        };
        Tables { context: Arc::new(context), memory: Arc::default(), draws: Draws::default(), stopping }
    }

    /// Returns the tables in memory.
    #[must_use]
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns open tables and games to watch.
    #[must_use]
    pub fn lobby(&self) -> &Lobby {
        &self.context.lobby
    }

    /// Returns the positions of running games between people, for which analysis is refused.
    #[must_use]
    pub fn running(&self) -> &RunningPositions {
        &self.context.running
    }

    /// Returns the programs that sit down with people.
    #[must_use]
    pub fn opponents(&self) -> &Arc<Opponents> {
        &self.context.opponents
    }

    /// Returns the queues of people who want to play at once.
    #[must_use]
    pub fn play_now_queues(&self) -> &PlayNowQueues {
        &self.context.play_now
    }

    /// Returns the last outage of the store.
    #[must_use]
    pub fn outages(&self) -> &Outages {
        &self.context.outages
    }

    /// Stops the clocks of all tables, for the store is away since `from_ms`; returns false where that was known.
    #[must_use]
    pub fn begin_outage(&self, from_ms: u64) -> bool {
        let is_new = self.context.outages.begin(from_ms);
        if is_new {
            self.memory.look_up();
        }
        is_new
    }

    /// Lets clocks run again, for the store has taken something again at `to_ms`.
    pub fn end_outage(&self, to_ms: u64) {
        self.context.outages.end(to_ms);
        self.memory.look_up();
    }

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
    ) -> Result<State, Problem> {
        self.context.replayed(id, setup, log, payer).await.map(|(state, _)| state)
    }

    /// Keeps a new table under a random id.
    ///
    /// # Errors
    /// `room-taken`, `not-stored`, or what does not fit the rules.
    pub async fn store_new(
        &self,
        setup: Setup,
        log: Vec<Entry>,
        payer: Payer<'_>,
    ) -> Result<String, Problem> {
        self.context.store_new(setup, log, payer).await
    }

    /// Lists the tables that wait for a player in the lobby, after a restart: rooms, and slow tables.
    ///
    /// # Errors
    /// An error when the store fails.
    pub async fn list_waiting(&self) -> Result<(), StoreError> {
        let since_ms = self.context.time.now_ms().saturating_sub(SLOW_WAITS_MS);
        for id in self.context.store.tables.waiting_tables(since_ms, WAITING).await? {
            let stored = match self.context.store.logs.load(&id).await {
                Ok(Some(stored)) => stored,
                Ok(None) => continue,
                Err(why) => {
                    tracing::error!(table = %id, %why, "a table that waits is not listed");
                    continue;
                }
            };
            match self.context.replayed(&id, stored.setup, stored.log, Payer::Hall).await {
                Ok((state, _)) => {
                    if let Ok(Some(range)) = self.context.store.together.seek(&id).await {
                        self.context.lobby.set_range(&id, range);
                    }
                    self.context.lobby.set(&id, Some(line(&state)));
                    self.context.lobby.remove_unless_waiting(&id);
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
        let cell = self.memory.cell(id, self.context.limits.tables).ok_or(NoTable::Busy)?;
        let found = cell.get_or_try_init(|| self.read(id, payer)).await.cloned();
        if found.is_err() {
            self.memory.drop_empty(id);
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
                let cluster = self.context.cluster.clone().ok_or(NoTable::Busy)?;
                let (context, memory) = (Arc::clone(&self.context), Arc::clone(&self.memory));
                return table_task::remote::follow(context, memory, cluster, id, owner, payer).await;
            }
        };
        let begun = Instant::now();
        let stored = self.context.store.logs.load(id).await.map_err(|why| {
            tracing::error!(table = %id, %why, "a stored table cannot be read");
            NoTable::Broken(why.to_string())
        })?;
        let Stored { setup, log, asleep, strikes } = stored.ok_or(NoTable::Unknown)?;
        if strikes >= STRIKES {
            return Err(NoTable::Quarantined);
        }
        let (state, map) = self.context.replayed(id, setup, log, payer).await.map_err(|why| {
            if why.key == "hall-busy" {
                tracing::warn!(table = %id, "a table is not opened now: its extensions take long");
                return NoTable::Busy;
            }
            tracing::error!(table = %id, %why, "a stored table does not fit the rules");
            NoTable::Broken(why.to_string())
        })?;
        metrics::histogram!("hall_table_load_seconds").record(begun.elapsed().as_secs_f64());
        if let Ok(Some(range)) = self.context.store.together.seek(id).await {
            self.context.lobby.set_range(id, range);
        }
        Ok(table_task::start(
            Arc::clone(&self.context),
            Arc::clone(&self.memory),
            state,
            map,
            asleep,
            adopted,
        ))
    }

    /// Claims a table, where several processes share the store.
    async fn claim(&self, id: &str) -> Result<Claim, NoTable> {
        if self.context.cluster.as_ref().is_some_and(|cluster| !cluster.serves()) {
            return Err(NoTable::Busy);
        }
        match self.context.store.claims.claim(id).await {
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
    pub async fn owns(&self, id: &str) -> bool {
        // Opened first: this adopts the table if its owner is dead, and the claim has to know that.
        self.table(id, Payer::Hall).await.is_ok() && matches!(self.claim(id).await, Ok(Claim::Kept))
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

    /// Sends a message to a table that is in memory.
    pub async fn tell_table(&self, id: &str, what: impl Fn() -> Ask) {
        if let Some(handle) = self.memory.handle(id) {
            let _ = handle.0.send(what()).await;
        } else {
            self.ask_owner(id, Question::Vacation { table: id.to_owned() }).await;
        }
    }

    /// Sends a question to the node that owns a table, if that is another one.
    async fn ask_owner(&self, id: &str, question: Question) {
        let Some(cluster) = &self.context.cluster else { return };
        if let Ok(Some(owner)) = self.context.store.claims.owner(id).await
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
        if let Some(handle) = self.memory.handle(id) {
            let (done, ended) = oneshot::channel();
            if handle.0.send(Ask::Stop(done)).await.is_ok() {
                let _ = ended.await;
            }
        }
    }

    /// Stops all tables: clocks are stored, readers are told. None is opened once the hall says that it stops.
    pub async fn stop(&self) {
        let mut stopped = Vec::new();
        for (id, handle) in self.memory.handles() {
            let (done, ended) = oneshot::channel();
            if handle.0.send(Ask::Stop(done)).await.is_ok() {
                stopped.push((id, ended));
            }
        }
        for (id, ended) in stopped {
            let _ = ended.await;
            // Other nodes may take it at once, and clients at an edge connect again.
            if let Some(cluster) = &self.context.cluster
                && self.context.store.claims.release(&id).await == Ok(true)
            {
                cluster.tell_table(&id, &TableNews::Moved);
            }
        }
    }

    /// Reads from a table's state without keeping the table in memory.
    ///
    /// # Errors
    /// See [`NoTable`].
    pub async fn glance<T: Send + 'static>(
        &self,
        id: &str,
        payer: Payer<'_>,
        look: impl Fn(&State) -> T + Send + Clone + 'static,
    ) -> Result<T, NoTable> {
        if self.memory.is_in_memory(id) {
            return self.look(id, payer, look).await;
        }
        let stored =
            self.context.store.logs.load(id).await.map_err(|why| NoTable::Broken(why.to_string()))?;
        let stored = stored.ok_or(NoTable::Unknown)?;
        // The rules of a map are another process's, which tables share.
        if stored.setup.map.is_some() {
            return self.look(id, payer, look).await;
        }
        let replayed = self.context.replayed(id, stored.setup, stored.log, payer).await;
        let (state, _) = replayed.map_err(|why| NoTable::Broken(why.key.to_owned()))?;
        Ok(look(&state))
    }

    /// Gives up a table for a person, according to the state of its game: their seat, the game, or its result.
    pub async fn leave(&self, table: &str, person: &str, payer: Payer<'_>) {
        let who = Player { id: person.to_owned(), name: None, engine: None, program: false };
        // A player may move in between.
        for _ in 0..LEAVES {
            let look = |state: &table::State| (state.ver, state.started(), state.in_earnest());
            let Ok((ver, started, in_earnest)) = self.look(table, payer, look).await else { return };
            let act = match (started, in_earnest) {
                (false, _) => wire::Act::Leave,
                (true, false) => wire::Act::Abort,
                (true, true) => wire::Act::Resign { side: None },
            };
            let cmd = new_id();
            let wish = |reply: oneshot::Sender<_>| {
                Ask::Do(Box::new(Wished {
                    who: who.clone(),
                    cmd: cmd.clone(),
                    ver,
                    act: act.clone(),
                    arrived_ms: self.context.time.now_ms(),
                    lag_ms: 0,
                    reply,
                    span: traces::wish(table, &act, None),
                }))
            };
            match self.ask(table, payer, wish).await {
                Ok((_, None)) => return,
                Ok((_, Some(_))) => {}
                Err(why) => {
                    tracing::warn!(%table, ?why, "a person could not leave a table");
                    return;
                }
            }
        }
    }
}
