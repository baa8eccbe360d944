//! The hall itself: all that requests work with, put together.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use catalog::maps::Loader;
use edge::connections::Connections;
use edge::disk::DiskRoom;
use edge::fair::Fair;
use edge::limits::{Limits, Live, RateLimits};
use edge::time::Time;
use kernel::Problem;
use members::Members;
use members::handed::Handed as MembersHanded;
use store::Store;
use tables::cluster::Cluster;
use tables::opponents::Opponents;
use tables::persons::Persons;
use tables::{Handed, Tables};
use tokio::sync::watch;
use works::Works;
use works::handed::Handed as WorksHanded;
use works::plays::Plays;
use works::riddles::PuzzleAct;

use crate::analysis::Analyses;
use crate::copies::Copied;
use crate::events::Events;
use crate::shelves::LibraryAct;
use crate::studies::Studies;
use crate::table_people::TablePeople;

/// The state that all requests of the hall share.
pub struct Hall {
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
    /// The other nodes; `None` where this process is the whole hall.
    pub cluster: Option<Arc<Cluster>>,
    /// Maps with all that belongs to them: versions, extensions, reports.
    pub works: Arc<Works>,
    /// Tables, the lobby, the queues for Play now, and programs that play.
    pub tables: Arc<Tables>,
    /// The answers about people that tables get.
    pub table_people: Arc<TablePeople>,
    /// Events of people, for their connections.
    pub events: Arc<Events>,
    /// Accounts, letters and notices, the rules of the staff, and what people are to each other.
    pub members: Arc<Members>,
    /// Collections of games; empty where the hall has no folder for them.
    pub library: Copied<LibraryAct>,
    /// Puzzles; empty where the hall has no folder for them.
    pub puzzles: Copied<PuzzleAct>,
    /// Days for which finished games of guests are kept; 0: for ever.
    pub guest_games_days: AtomicU32,
    /// Days after which the rows of finished games are folded; 0: never.
    pub fold_days: AtomicU32,
    /// The reason why no data, or no new data, can be stored at present; sent to every connection.
    pub trouble: watch::Sender<Option<Problem>>,
    /// Hints, analyses and reports by our engine.
    pub analyses: Analyses,
    /// Analyses that people save.
    pub studies: Studies,
    /// The queue of finished games that are searched for puzzles, one after the other.
    pub(crate) puzzle_turns: Arc<Fair>,
    /// The connections of each person, by public id.
    pub here: Arc<Connections<String>>,
    /// Set to true when the hall is about to stop.
    pub stopping: watch::Sender<bool>,
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
        let analyses = Analyses::new(&limits);
        opponents.searches.open(&store, &time);
        let opponents = Arc::new(opponents);
        let (limits, disk) = (Arc::new(Live::new(limits)), Arc::new(DiskRoom::default()));
        let stopping = watch::Sender::new(false);
        let works = Arc::new(Works::new(WorksHanded {
            store: Arc::clone(&store),
            time: time.clone(),
            limits: Arc::clone(&limits),
            rates: Arc::clone(&rates),
            disk: Arc::clone(&disk),
            loader,
            player: Arc::clone(&opponents) as Arc<dyn Plays>,
            stopping: stopping.subscribe(),
        }));
        let members = Arc::new(Members::new(&MembersHanded {
            store: Arc::clone(&store),
            time: time.clone(),
            limits: Arc::clone(&limits),
            rates: Arc::clone(&rates),
        }));
        let table_people = Arc::new(TablePeople {
            store: Arc::clone(&store),
            time: time.clone(),
            members: Arc::clone(&members),
            events: Arc::default(),
        });
        let tables = Tables::new(Handed {
            store: Arc::clone(&store),
            time: time.clone(),
            limits: Arc::clone(&limits),
            rates: Arc::clone(&rates),
            disk: Arc::clone(&disk),
            works: Arc::clone(&works),
            persons: Arc::clone(&table_people) as Arc<dyn Persons>,
            opponents,
            cluster: cluster.clone(),
            stopping: stopping.subscribe(),
        });
        Arc::new(Hall {
            store,
            time,
            limits,
            rates,
            disk,
            cluster,
            works,
            tables: Arc::new(tables),
            members,
            events: Arc::clone(&table_people.events),
            table_people,
            library: Copied::default(),
            puzzles: Copied::default(),
            guest_games_days: AtomicU32::new(0),
            fold_days: AtomicU32::new(0),
            trouble: watch::Sender::new(None),
            analyses,
            studies: Studies::default(),
            puzzle_turns: Fair::new(1, 1),
            here: Arc::default(),
            stopping,
        })
    }

    /// Returns true if a person is connected, to this node or another one.
    #[must_use]
    pub fn is_here(&self, person: &str) -> bool {
        self.here.has(person) || self.cluster.as_ref().is_some_and(|cluster| cluster.is_here(person))
    }

    /// Stops the hall: clocks are stored, readers are told.
    pub async fn stop(&self) {
        self.stopping.send_replace(true);
        self.tables.stop().await;
    }
}
