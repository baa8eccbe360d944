//! The state that every table works with, and the making of tables: one is opened, opened again, or read back from its log.

use std::sync::Arc;
use std::time::{Duration, Instant};

use edge::disk::DiskRoom;
use edge::limits::{Live, RateLimits};
use edge::network::Payer;
use edge::time::Time;
use edge::workers::in_place;
use kernel::Problem;
use people::secret::new_table_id;
use store::{Store, StoreError, Stored};
use table::{Entry, Event, Secret, Setup, State};
use wire::{How, Player};
use works::Works;
use works::maps::Loaded;

use crate::asleep::deadline;
use crate::cluster::Cluster;
use crate::cluster::talk::Word;
use crate::derived::{derived_id, seed_from};
use crate::lobby::Lobby;
use crate::opponents::Opponents;
use crate::outage::Outages;
use crate::persons::Persons;
use crate::queues::PlayNowQueues;
use crate::running::RunningPositions;

/// A game with extensions is played through again for this long at most.
const REPLAY: Duration = Duration::from_secs(20);
/// Attempts to find a free random id for a table; a collision is very unlikely.
const TRIES: usize = 4;

/// The state that every table needs. It knows no tables.
pub struct Context {
    pub(crate) store: Arc<Store>,
    /// The clock of the hall.
    pub(crate) time: Time,
    /// Limits on the requests of each client.
    pub(crate) limits: Arc<Live>,
    /// Counts what clients ask.
    pub(crate) rates: Arc<RateLimits>,
    /// The room for new data.
    pub(crate) disk: Arc<DiskRoom>,
    /// Maps with all that belongs to them.
    pub(crate) works: Arc<Works>,
    /// The people at tables.
    pub(crate) persons: Arc<dyn Persons>,
    /// The other nodes; `None` where this process is the whole hall.
    pub(crate) cluster: Option<Arc<Cluster>>,
    /// Open tables and games to watch.
    pub(crate) lobby: Lobby,
    /// Positions of running games between people, for which analysis is refused.
    pub(crate) running: RunningPositions,
    /// The last outage of the store.
    pub(crate) outages: Outages,
    /// Programs that sit down with people.
    pub(crate) opponents: Arc<Opponents>,
    /// The queues of people who want to play at once.
    pub(crate) play_now: PlayNowQueues,
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
    pub(crate) async fn open_rematch(&self, state: &State) -> Result<String, Problem> {
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
        self.disk.check()?;
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

    async fn create(
        &self,
        id: &str,
        setup: &Setup,
        mut log: Vec<Entry>,
        payer: Payer<'_>,
    ) -> Result<(), NotCreated> {
        if let Some(map) = &setup.map {
            self.persons.may_begin_on(&map.id)?;
        }
        let map = self.works.maps.map_of(setup.map.as_ref().map(|map| map.id.as_str()), payer).await?;
        let draws = |map: &Loaded| map.rules.has_bags() || setup.how != How::Screen && map.rules.has_chance();
        if map.as_deref().is_some_and(draws) {
            draw_secret(&mut log);
        }
        let (state, _) = self.replayed(id, setup.clone(), log.clone(), payer).await?;
        self.store.logs.create(id, setup, log, state.standing()).await.map_err(NotCreated::Store)?;
        // The clock of a slow game runs even if no visitor ever opens it, and so does the time for a first
        // move.
        if let Some(asleep) = deadline(&state, setup.created_ms) {
            self.store.tables.sleep(id, asleep).await.map_err(NotCreated::Store)?;
        }
        if state.is_on() {
            self.persons.begun(&state);
            self.persons.turn(&state);
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

/// Returns the log of a table at which those people sit down at that time, in Unix milliseconds.
#[must_use]
pub fn sittings(seats: &[Option<Player>; 2], at_ms: u64) -> Vec<Entry> {
    let mut log = Vec::new();
    for side in kernel::Side::BOTH {
        if let Some(who) = &seats[side.index()] {
            push(&mut log, at_ms, Event::Sit { side, who: who.clone(), secret: None });
        }
    }
    log
}

pub(crate) fn push(log: &mut Vec<Entry>, at_ms: u64, event: Event) {
    log.push(Entry { ver: log.len() as u64 + 1, at_ms, cmd: None, spent_ms: None, event });
}
