//! Opens the hall, and closes it gracefully.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use catalog::maps::Loader;
use edge::acceptor::Acceptor;
use edge::limits::Limits;
use edge::reach::Reach;
use edge::time::Time;
use edge::tls::{Tls, TlsFiles};
use kernel::Problem;
use members::mail::post::MailSettings;
use members::mail::post::Post;
use members::notices::NoticeSettings;
use members::openid::{OpenId, OpenIdSettings, Provider};
use tables::Tables;
use tables::cluster::{Cluster, open_keys};
use tables::lobby;
use tables::opponents::Opponents;
use tokio::net::TcpListener;
use tokio::sync::{oneshot, watch};

use crate::app::App;
use crate::config::Keep;
use crate::folder::Folder;
use crate::hall::Hall;
use crate::http::{admin_router, router};
use crate::measured;
use store::{Join, Store, StoreError};
use thinking::Foreign;

/// The first and the longest pause before another attempt to reach a bus that does not answer.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(10)];
/// The time that connections have to end when the hall stops.
const FAREWELL: Duration = Duration::from_secs(3);
/// Files and connections that the hall asks the system for.
const DESCRIPTORS: u64 = 1 << 16;
/// The number of descriptors that is assumed where the system does not tell.
const LEAST_DESCRIPTORS: u64 = 256;

/// The settings with which a hall is opened.
pub struct Settings {
    /// The address it listens on; port 0: any free one.
    pub listen: SocketAddr,
    /// The address of the keeper's listener for health and metrics; `None`: there is none.
    pub admin: Option<SocketAddr>,
    /// The data folder.
    pub data: PathBuf,
    /// The public addresses of the hall.
    pub reach: Reach,
    /// Limits on requests and resources.
    pub limits: Limits,
    /// The runner of extensions of users' games; without one, maps that have some are refused.
    pub loader: Option<Arc<dyn Loader>>,
    /// Other people's programs that play with people.
    pub foreign: Foreign,
    /// Settings of the notices that people get while they are not looking at the page.
    pub notices: NoticeSettings,
    /// The certificate for https at the hall itself; http when `None`.
    pub tls: Option<TlsFiles>,
    /// The mail server that letters are handed to; `None`: the hall sends none.
    pub mail: Option<MailSettings>,
    /// The OpenID provider by which people sign in; `None`: there is none.
    pub openid: Option<OpenIdSettings>,
    /// The time for which finished games are kept.
    pub keep: Keep,
    /// The database that several processes share; `None`: this process has its folder to itself.
    pub shared: Option<Shared>,
    /// The receiver of a sentence each time that the hall waits for the database or the bus.
    pub waiting: fn(&str),
}

/// The settings that a running hall follows when its keeper changes them.
pub struct Reload {
    /// Limits on requests and resources; those that are fixed at the start keep their old values.
    pub limits: Limits,
    /// The mail server that letters are handed to.
    pub mail: Option<MailSettings>,
    /// The provider of the accounts that let people in.
    pub openid: Option<OpenIdSettings>,
    /// The certificate, where the hall speaks https itself.
    pub tls: Option<TlsFiles>,
    /// The time for which finished games are kept.
    pub keep: Keep,
}

/// The settings that make a process one node of a hall.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The database, and the name of this node.
    pub join: Join,
    /// The address of the bus to the other nodes.
    pub bus: bus::Address,
}

/// An open hall.
pub struct Running {
    /// The address it listens on.
    pub address: SocketAddr,
    /// The address of the keeper's listener for health and metrics.
    pub admin: Option<SocketAddr>,
    stop: oneshot::Sender<()>,
    ended: tokio::task::JoinHandle<()>,
    damage: oneshot::Receiver<StoreError>,
    time: Time,
    tables: Arc<Tables>,
    hall: Arc<Hall>,
    openid: Arc<Provider>,
    tls: Option<Arc<Tls>>,
    public_url: Option<String>,
    loopback: bool,
}

impl Running {
    /// Applies changed settings, all of them or none.
    ///
    /// # Errors
    /// The fault, as a sentence; the previous settings stay in use.
    pub async fn reload(&self, wish: Reload) -> Result<(), String> {
        let said = |problem: &Problem| texts::problem(texts::Language::English, problem);
        let public_url = self.public_url.as_deref();
        let post = wish.mail.map(|mail| mail.open(public_url)).transpose()?;
        let openid = wish.openid.map(|openid| openid.open(public_url, self.loopback)).transpose()?;
        let tls = wish.tls.map(Tls::open).transpose().map_err(|problem| said(&problem))?;
        match post {
            Some(post) => self.hall.members.letters.open(post).await.map_err(|why| why.to_string())?,
            None => self.hall.members.letters.close(),
        }
        if let (Some(now), Some(new)) = (&self.tls, tls)
            && now.adopt(new)
        {
            tracing::info!("another certificate is in use now");
        }
        self.openid.replace(openid);
        self.hall.guest_games_days.store(wish.keep.guest_games_days, Ordering::Relaxed);
        self.hall.fold_days.store(wish.keep.fold_days, Ordering::Relaxed);
        self.hall.limits.replace(wish.limits);
        self.hall.rates.replace(&wish.limits);
        Ok(())
    }

    /// Lets that much of the hall's time pass at once, so that no test has to wait for it.
    #[doc(hidden)]
    pub async fn pass(&self, by: Duration) {
        self.time.pass(by);
        self.tables.memory().look_at_clock().await;
    }

    /// Waits until the data are found to be damaged, which may be never. The hall is to be stopped then: it would not
    /// start with damaged data either.
    pub async fn damaged(&mut self) -> StoreError {
        match (&mut self.damage).await {
            Ok(why) => why,
            Err(_) => std::future::pending().await,
        }
    }

    /// Stops the hall: clocks are stored, readers are told, the store is closed.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let _ = self.ended.await;
    }
}

/// The reasons why a hall was not opened.
#[derive(Debug)]
pub enum NotOpened {
    /// The data in that folder cannot be used.
    Data(PathBuf, StoreError),
    /// The folder or the database cannot be used at all: a key of `texts` and its facts.
    Place(Problem),
    /// The hall cannot listen on an address.
    Address(Problem),
    /// A setting cannot be applied.
    Setting(Problem),
    /// A setting cannot be applied; the sentence says which.
    Unfit(String),
    /// A service that the hall needs refuses it.
    Refused(Problem),
    /// The system has reported an error.
    Said(String),
}

impl std::fmt::Display for NotOpened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotOpened::Data(folder, why) => write!(f, "{}: {why}", folder.display()),
            NotOpened::Place(problem)
            | NotOpened::Address(problem)
            | NotOpened::Setting(problem)
            | NotOpened::Refused(problem) => f.write_str(&texts::problem(texts::Language::English, problem)),
            NotOpened::Unfit(why) | NotOpened::Said(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for NotOpened {}

impl From<String> for NotOpened {
    fn from(why: String) -> Self {
        NotOpened::Said(why)
    }
}

/// The parts of a hall that are made of settings alone, and of the files that these name.
struct Doors {
    tls: Option<Tls>,
    post: Option<Post>,
    openid: Option<OpenId>,
}

impl Doors {
    fn open(settings: &Settings) -> Result<Doors, NotOpened> {
        let tls = settings.tls.clone().map(Tls::open).transpose().map_err(NotOpened::Setting)?;
        if let Some(Shared { join, bus }) = &settings.shared {
            let unreadable = |why| NotOpened::Setting(Problem::new("hall-database").with("why", why));
            store::check_address(join).map_err(unreadable)?;
            bus::check(bus, Some(&join.url)).map_err(|why| NotOpened::Setting(no_bus(&why)))?;
        }
        let public = settings.reach.public_url.as_deref();
        if let (Some(_), Some(url)) = (&tls, public.filter(|url| !url.starts_with("https://"))) {
            return Err(NotOpened::Setting(Problem::new("tls-public-url").with("url", url)));
        }
        let post = settings.mail.clone().map(|mail| mail.open(public)).transpose();
        let loopback = settings.listen.ip().is_loopback();
        let openid = settings.openid.clone().map(|openid| openid.open(public, loopback)).transpose();
        Ok(Doors { tls, post: post.map_err(NotOpened::Unfit)?, openid: openid.map_err(NotOpened::Unfit)? })
    }
}

/// Checks the settings of a hall, and the files that they name, without opening it: nothing is written, connected or
/// listened on.
///
/// # Errors
/// The setting that cannot be applied.
pub fn check(settings: &Settings) -> Result<(), NotOpened> {
    Doors::open(settings).map(drop)
}

/// Checks the settings like [`check`], and whatever the hall will need: its folder is free, database and bus let it in,
/// and its addresses are free. Nothing is written; what answers now may be gone when the hall is opened.
///
/// # Errors
/// The setting that cannot be applied, or the first thing that is not to be had.
pub async fn check_connections(settings: &Settings) -> Result<(), NotOpened> {
    check(settings)?;
    Folder::check_free(&settings.data).map_err(NotOpened::Place)?;
    if let Some(Shared { join, bus }) = &settings.shared {
        let unusable = |why| NotOpened::Place(Problem::new("hall-database").with("why", why));
        store::check_connection(join).await.map_err(unusable)?;
        bus::open(bus, Some(&join.url)).await.map_err(|why| NotOpened::Refused(no_bus(&why)))?;
    }
    for address in [Some(settings.listen), settings.admin].into_iter().flatten() {
        listen(address).await.map_err(NotOpened::Address)?;
    }
    Ok(())
}

/// Opens a hall; returns once it answers.
///
/// # Errors
/// The thing that a person has to mend: the folder, the database, the address.
pub async fn serve(settings: Settings) -> Result<Running, NotOpened> {
    let Doors { tls, post, openid } = Doors::open(&settings)?;
    let (tls, public_url) = (tls.map(Arc::new), settings.reach.public_url.clone());
    let loopback = settings.listen.ip().is_loopback();
    let folder = Folder::take(settings.data).map_err(NotOpened::Place)?;
    let (store, time, cluster) = open_store(&folder.path, settings.shared, settings.waiting).await?;
    let limits = settings.limits;
    let hall = Hall::among(
        store,
        time,
        cluster.clone(),
        limits,
        settings.loader,
        Opponents::new(settings.foreign, limits.games_waiting),
    );
    hall.guest_games_days.store(settings.keep.guest_games_days, Ordering::Relaxed);
    hall.fold_days.store(settings.keep.fold_days, Ordering::Relaxed);
    if let Some(cluster) = &cluster {
        hall.tables.lobby().tell_others();
        hall.tables.running().tell_others();
        hall.events.tell_others(Arc::clone(cluster));
        hall.join_others(cluster).await.map_err(|why| NotOpened::Said(why.to_string()))?;
    }
    hall.members.staffed.open().await.map_err(|why| NotOpened::Data(folder.path.clone(), why))?;
    hall.resume().await.map_err(|why| NotOpened::Data(folder.path.clone(), why))?;
    let noticing = hall.members.notices.open(&settings.notices, settings.reach.public_url.as_deref()).await;
    noticing.map_err(|why| NotOpened::Data(folder.path.clone(), why))?;
    if let Some(post) = post {
        hall.members.letters.open(post).await.map_err(|why| NotOpened::Data(folder.path.clone(), why))?;
    }
    // A large file takes a while to fetch, and this node must not be taken for dead meanwhile.
    let fetching = hall.cluster.is_some().then(|| {
        let store = Arc::clone(&hall.store);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_millis(store::claims::RENEW_MS)).await;
                let _ = store.claims.renew().await;
            }
        })
    });
    hall.open_library(&folder.path).await;
    hall.open_puzzles(&folder.path).await;
    if let Some(fetching) = fetching {
        fetching.abort();
    }
    hall.tables.list_waiting().await.map_err(|why| NotOpened::Data(folder.path.clone(), why))?;
    let (listener, address) = listen(settings.listen).await.map_err(NotOpened::Address)?;
    let admin = match settings.admin {
        Some(admin) => Some(listen(admin).await.map_err(NotOpened::Address)?),
        None => None,
    };
    let descriptors = rlimit::increase_nofile_limit(DESCRIPTORS).unwrap_or(LEAST_DESCRIPTORS);
    let reach = Reach { loopback: address.ip().is_loopback(), tls: tls.is_some(), ..settings.reach };
    let mut acceptor = Acceptor::new(listener, &limits, reach.behind_proxy, descriptors);
    if let Some(tls) = &tls {
        acceptor = acceptor.encrypted(Arc::clone(tls), Arc::clone(&hall.rates));
    }
    let app = App::new(Arc::clone(&hall), reach, openid);
    let provider = Arc::clone(&app.openid);
    let connections = Arc::clone(&app.connections);
    let (stop, stopped) = oneshot::channel::<()>();
    let (close, closing) = watch::channel(false);
    let acceptor = tokio::spawn(acceptor.serve(router(app.clone()), closing.clone()));
    let admin_address = admin.as_ref().map(|(_, address)| *address);
    let admin = admin.map(|(listener, address)| {
        let reach = Reach { loopback: address.ip().is_loopback(), ..Reach::default() };
        let app = App { reach: Arc::new(reach), ..app };
        let acceptor = Acceptor::new(listener, &limits, false, descriptors);
        tokio::spawn(acceptor.serve(admin_router(app, measured::recorder()), closing))
    });
    let door = crate::staff::line::open(&folder.path, Arc::clone(&hall));
    let door = door.inspect_err(|why| {
        tracing::warn!(%why, "qiguan admin cannot ask this hall while it runs: there is no socket in the data folder");
    });
    // The first request need not wait for it, and no other answer waits behind it.
    let prepared = tokio::task::spawn_blocking(|| {
        people::password::prepare();
        crate::http::games::prepare();
    });
    let mut housekeeping =
        vec![tokio::spawn(housekeep(Arc::clone(&hall))), tokio::spawn(keep_store(Arc::clone(&hall)))];
    let (remembering, place) = (Arc::clone(&hall), folder.path.clone());
    housekeeping.push(tokio::spawn(async move { keep_seen(&remembering, &place).await }));
    let living = cluster.map(|cluster| {
        let (telling, polling) = (Arc::clone(&cluster), Arc::clone(&cluster));
        let (company, keys, beats) = (Arc::clone(&hall), Arc::clone(&hall), Arc::clone(&hall));
        housekeeping
            .push(tokio::spawn(async move { company.tables.keep_company(&telling, &company.here).await }));
        housekeeping.push(tokio::spawn(async move { polling.keep_keys(&keys.store).await }));
        tokio::spawn(async move { cluster.keep_living(&beats.store, || beats.tell_waits()).await })
    });
    housekeeping.extend(tls.clone().map(|tls| tokio::spawn(tls.keep_looking())));
    let (tell, damage) = oneshot::channel();
    let store = Arc::clone(&hall.store);
    // A node that was buried stops like a hall whose data are damaged: it must not go on.
    let beating = living.as_ref().map(tokio::task::JoinHandle::abort_handle);
    let looking = tokio::spawn(async move {
        let buried = async {
            match living {
                Some(living) => living.await.unwrap_or(StoreError::Fenced),
                None => std::future::pending().await,
            }
        };
        let why = tokio::select! {
            why = store.condition.damage() => why,
            why = buried => why,
        };
        let _ = tell.send(why);
    });
    let (time, tables, kept) = (hall.time.clone(), Arc::clone(&hall.tables), Arc::clone(&hall));
    let ended = tokio::spawn(async move {
        let _ = stopped.await;
        drop(door);
        looking.abort();
        housekeeping.iter().for_each(tokio::task::JoinHandle::abort);
        hall.stop().await;
        let _ = close.send(true);
        let cut_off = [Some(&acceptor), admin.as_ref()]
            .into_iter()
            .flatten()
            .map(tokio::task::JoinHandle::abort_handle);
        let cut_off: Vec<_> = cut_off.collect();
        // The acceptor does not wait for WebSockets, which have a last word to say.
        let silence = async {
            let _ = acceptor.await;
            if let Some(admin) = admin {
                let _ = admin.await;
            }
            while !connections.is_empty() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let _ = tokio::time::timeout(FAREWELL, silence).await;
        cut_off.iter().for_each(tokio::task::AbortHandle::abort);
        beating.iter().for_each(tokio::task::AbortHandle::abort);
        hall.store.condition.close().await;
        drop(folder);
    });
    let _ = prepared.await;
    Ok(Running {
        address,
        admin: admin_address,
        stop,
        ended,
        damage,
        time,
        tables,
        hall: kept,
        openid: provider,
        tls,
        public_url,
        loopback,
    })
}

/// Opens the store: the folder, or a database that others may share, whose clock is then this node's.
async fn open_store(
    folder: &Path,
    shared: Option<Shared>,
    waiting: fn(&str),
) -> Result<(Arc<Store>, Time, Option<Arc<Cluster>>), NotOpened> {
    let Some(Shared { join, bus }) = shared else {
        let store = Store::open(folder).await.map_err(|why| NotOpened::Data(folder.to_owned(), why))?;
        let time = Time::start(store::now_ms(), store.pulse.last_beat().unwrap_or(0));
        return Ok((Arc::new(store), time, None));
    };
    let said = |why: StoreError| NotOpened::Said(why.to_string());
    let bus = bus_when_there(&bus, &join.url, waiting).await?;
    let unusable = |why| NotOpened::Place(Problem::new("hall-database").with("why", why));
    let away = |why: &str| wait_for(why, waiting);
    let store = Store::join_when_there(&join, &away).await.map_err(unusable)?;
    let me = store.claims.node().map_or_else(String::new, str::to_owned);
    // Before anything is written, the database is held against what this folder has seen of it.
    store.claims.expect_beats(beats_seen(folder));
    store.claims.renew().await.map_err(unusable)?;
    let keys = open_keys(&store).await.map_err(said)?;
    let keys = keys.ok_or_else(|| NotOpened::Refused(Problem::new("bus-keys-damaged")))?;
    let _ = measured::recorder();
    let cluster = Cluster::join(bus, keys, me).await.map_err(|why| NotOpened::Said(why.to_string()))?;
    tracing::info!(node = %cluster.me, bus = %cluster.post.bus_name(), "one node of a hall");
    let time = Time::at(store.claims.clock_ms().await.map_err(said)?.unwrap_or(0));
    Ok((Arc::new(store), time, Some(Arc::new(cluster))))
}

/// Opens the bus as soon as it answers. An error that does not pass, such as a wrong password, ends the attempts at
/// once.
async fn bus_when_there(
    address: &bus::Address,
    database: &str,
    waiting: fn(&str),
) -> Result<Arc<dyn bus::Bus>, NotOpened> {
    let [mut pause, longest] = PAUSES;
    loop {
        match bus::open(address, Some(database)).await {
            Ok(bus) => return Ok(bus),
            Err(why) if why.is_away() => {
                wait_for(&texts::problem(texts::Language::English, &no_bus(&why)), waiting);
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(longest);
            }
            Err(why) => return Err(NotOpened::Refused(no_bus(&why))),
        }
    }
}

/// Reports that a service the hall needs is not available yet.
fn wait_for(why: &str, waiting: fn(&str)) {
    tracing::warn!("{why} The hall waits for it.");
    waiting(why);
}

/// The file in which a node stores the highest count it has seen in the database.
const SEEN: &str = "database.seen";

/// Returns the highest count that an earlier run has seen in the database; 0 if there is none.
fn beats_seen(folder: &Path) -> u64 {
    let text = std::fs::read_to_string(folder.join(SEEN)).unwrap_or_default();
    text.trim().parse().unwrap_or(0)
}

/// Stores it for the next run.
async fn keep_seen(hall: &Hall, folder: &Path) {
    const EVERY: Duration = Duration::from_secs(10);
    if hall.cluster.is_none() {
        return;
    }
    let mut looks = ticks(EVERY);
    loop {
        looks.tick().await;
        let written = async {
            let new = folder.join("database.seen.new");
            tokio::fs::write(&new, format!("{}\n", hall.store.claims.beats_seen())).await?;
            tokio::fs::rename(&new, folder.join(SEEN)).await
        };
        if let Err(why) = written.await {
            tracing::warn!(%why, "how far the database has counted was not remembered");
        }
    }
}

/// Returns the sentence about a bus that was not opened.
fn no_bus(why: &bus::NotOpened) -> Problem {
    let (key, facts) = why.sentence();
    facts.into_iter().fold(Problem::new(key), |problem, (name, fact)| problem.with(name, fact))
}

async fn listen(at: SocketAddr) -> Result<(TcpListener, SocketAddr), Problem> {
    let unheard = |why| Problem::new("hall-address").with("address", at).with("why", why);
    let listener = TcpListener::bind(at).await.map_err(unheard)?;
    let address = listener.local_addr().map_err(unheard)?;
    Ok((listener, address))
}

/// Runs the periodic work that never waits for the disk.
async fn housekeep(hall: Arc<Hall>) {
    let mut lobby = ticks(lobby::EVERY);
    let mut minutes = ticks(Duration::from_secs(60));
    loop {
        tokio::select! {
            _ = lobby.tick() => {
                // The other nodes are told beside this.
                if hall.cluster.is_none() {
                    hall.tables.tell_pools();
                }
                hall.tables.lobby().tell();
            }
            _ = minutes.tick() => {
                hall.rates.forget_quiet();
                hall.tables.opponents().tidy();
                measured::recorder().run_upkeep();
            }
        }
    }
}

/// Runs the periodic work with the store: sleeping tables that are due are woken, the heartbeat is written, disk
/// space and memory are measured, old data are deleted, and notices are sent. None of these waits for another.
async fn keep_store(hall: Arc<Hall>) {
    tokio::join!(
        hall.keep_beating(),
        keep_waking(&hall),
        keep_measuring(&hall),
        keep_forgetting(&hall),
        hall.members.keep_noticing(),
        hall.members.letters.keep_sending(),
        hall.keep_library(),
        hall.keep_staff(),
        hall.library.keep(&hall),
        hall.keep_puzzles(),
        hall.tables.opponents().searches.keep_workers(),
        hall.puzzles.keep(&hall)
    );
}

async fn keep_waking(hall: &Hall) {
    let mut seconds = ticks(Duration::from_secs(1));
    hall.tables.play_plans().await;
    loop {
        seconds.tick().await;
        hall.end_vacations().await;
        hall.tables.sweep().await;
    }
}

async fn keep_measuring(hall: &Hall) {
    let mut looks = ticks(Duration::from_secs(10));
    loop {
        looks.tick().await;
        thinking::memory::free_unused();
        hall.measure_disk().await;
        // A hall that was opened on a full disk writes again as soon as it can.
        if hall.store.condition.is_read_only() {
            let _ = hall.store.condition.probe_write().await;
        }
    }
}

async fn keep_forgetting(hall: &Arc<Hall>) {
    const HOUR: Duration = Duration::from_secs(3600);
    let mut hours = tokio::time::interval_at(tokio::time::Instant::now() + HOUR, HOUR);
    loop {
        // What a hall that stopped or could not write left undone, and what was closed while none ran.
        hall.finish_closing().await;
        hall.finish_merging().await;
        // Not before the hall opens: with a million games behind it, this takes a second.
        hall.tables.lobby().forget_old(hall.time.now_ms());
        match hall.store.upkeep.forget(hall.retention(), hall.time.now_ms()).await {
            Ok(store::Forgotten { tables: 0, .. }) => {}
            Ok(forgotten) => tracing::info!(games = forgotten.tables, "old games of guests were deleted"),
            Err(why) => tracing::warn!(%why, "what is old was not forgotten"),
        }
        hall.fold_games().await;
        hours.tick().await;
    }
}

fn ticks(every: Duration) -> tokio::time::Interval {
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    ticks
}
