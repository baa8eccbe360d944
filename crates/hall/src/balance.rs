//! Balance reports of maps, in the background: games of our engine against itself, one after the other, each on a
//! turn of a queue that is fair between addresses, on threads of low priority. Every game is kept, so that a report
//! continues from there when it is asked for after a restart.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use edge::fair::{Busy, Fair};
use edge::limits::Limits;
use edge::network::{Asker, Network};
use engine::Stop;
use kernel::Problem;
use store::shelf::{BalanceGame, Shelf, ShelfChange};
use thinking::{Answer, Ask, Asked, Search};
use wire::BalanceReport;
use workshop::{Depth, Plan, Played};

use crate::hall::Hall;
use crate::maps::{Loaded, NoMap};
use crate::opponents::seat::apart;
use crate::searches::{Purpose, Undone, Wanted};

/// The delay before a report tries again when too many games of its address wait.
const AGAIN: Duration = Duration::from_secs(1);
/// The number of games after which a report is summed up again.
const SUMMED: usize = 6;
/// The time after which no further game of a report begins; the report then covers the games that were played.
const LONGEST: Duration = Duration::from_secs(20 * 60);
/// The extent of the summary while games are still being played: shares and measures, no single position.
const SHALLOW: (usize, usize) = (0, 0);

/// Reports that are being made.
pub struct Balances {
    turns: Arc<Fair>,
    going: Mutex<HashMap<String, Going>>,
}

/// A report as far as it has come, and from where it was asked for.
struct Going {
    network: Network,
    report: Arc<Mutex<BalanceReport>>,
}

impl Balances {
    /// Creates an empty list of reports.
    #[must_use]
    pub fn new(limits: &Limits) -> Balances {
        let waiting = if limits.on { limits.searches_waiting } else { usize::MAX };
        Balances { turns: Fair::new(1, waiting), going: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Going>> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reasons why there is no report.
#[derive(Debug)]
pub enum NoBalance {
    /// The map cannot be had.
    NoMap(NoMap),
    /// The report has not been started.
    NotBegun,
    /// The address of the asker has too many reports under way.
    Busy,
    /// The hall has no room for one more.
    Refused(Problem),
}

impl From<NoMap> for NoBalance {
    fn from(why: NoMap) -> Self {
        NoBalance::NoMap(why)
    }
}

impl From<Problem> for NoBalance {
    fn from(why: Problem) -> Self {
        NoBalance::Refused(why)
    }
}

fn so_far(report: &Mutex<BalanceReport>) -> BalanceReport {
    report.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A guard that stops the running game when it is dropped, because its result is no longer awaited.
struct Stops(Stop);

impl Drop for Stops {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Hall {
    /// Returns the plan by which reports of this hall play their games.
    fn balance_plan(&self) -> Plan {
        Plan { games: self.limits.balance_games, ..Plan::default() }
    }

    /// Returns the shelf of this hall's store.
    pub fn shelf(&self) -> &dyn Shelf {
        &*self.store.shelf
    }

    /// Returns the report about a map, as far as it has come; the first request with `begin` starts it.
    ///
    /// # Errors
    /// [`NoBalance::NoMap`] where the map cannot be had; `hall-busy` when too many reports are being made; [`NoBalance::Busy`] when this
    /// address has too many; [`NoBalance::NotBegun`] without `begin` when the report has not been started.
    pub async fn balance(
        self: &Arc<Self>,
        id: &str,
        asker: &Asker,
        begin: bool,
    ) -> Result<(Arc<Loaded>, BalanceReport), NoBalance> {
        let map = self.map(id).await?;
        let id = map.line.id.as_str();
        if let Some(going) = self.balances.lock().get(id) {
            return Ok((Arc::clone(&map), so_far(&going.report)));
        }
        let plan = self.balance_plan();
        let key =
            format!("{} {}", env!("CARGO_PKG_VERSION"), serde_json::to_string(&plan).unwrap_or_default());
        let stored = |why| NoBalance::NoMap(NoMap::Store(why));
        if let Some(body) = self.shelf().balance(id, &key).await.map_err(stored)?
            && let Ok(report) = serde_json::from_str(&body)
        {
            return Ok((map, report));
        }
        if !begin {
            return Err(NoBalance::NotBegun);
        }
        self.has_room()?;
        let kept = self.shelf().balance_games(id, &key).await.map_err(stored)?;
        let games: Vec<Played> = kept.iter().filter_map(|body| serde_json::from_str(body).ok()).collect();
        let empty = BalanceReport { of: plan.count(), ..BalanceReport::default() };
        let report = Arc::new(Mutex::new(empty.clone()));
        {
            let mut going = self.balances.lock();
            if let Some(other) = going.get(id) {
                return Ok((Arc::clone(&map), so_far(&other.report)));
            }
            let own = going.values().filter(|other| other.network == asker.network).count();
            if self.limits.on && own >= self.limits.balances_address {
                return Err(NoBalance::Busy);
            }
            if going.len() >= self.limits.balances {
                return Err(Problem::new("hall-busy").into());
            }
            going.insert(id.to_owned(), Going { network: asker.network, report: Arc::clone(&report) });
        }
        let (hall, map_of_task, asker) = (Arc::clone(self), Arc::clone(&map), asker.clone());
        tokio::spawn(async move {
            hall.make_balance(&map_of_task, &plan, &key, games, &asker, &report).await;
            hall.balances.lock().remove(&map_of_task.line.id);
        });
        Ok((map, empty))
    }

    /// Plays the remaining games of a report, and stores it once it is complete.
    async fn make_balance(
        self: &Arc<Self>,
        map: &Arc<Loaded>,
        plan: &Plan,
        key: &str,
        mut games: Vec<Played>,
        asker: &Asker,
        report: &Arc<Mutex<BalanceReport>>,
    ) {
        let shelf = self.shelf();
        let (begun, id) = (Instant::now(), &map.line.id);
        let done: HashSet<(u8, u32)> = games.iter().map(|game| (game.level, game.number)).collect();
        let left: Vec<(u8, u32)> = plan.games().filter(|game| !done.contains(game)).collect();
        for (at, game) in left.into_iter().enumerate() {
            if begun.elapsed() > LONGEST {
                break;
            }
            let played = match self.play_one(map, plan, game, asker).await {
                Some(Ok(played)) => played,
                None => return,
                Some(Err(problem)) => {
                    tracing::warn!(map = %id, key = problem.key, "a game of a report was not played");
                    return;
                }
            };
            if let Ok(body) = serde_json::to_string(&played) {
                let game = BalanceGame {
                    map: id.clone(),
                    plan: key.to_owned(),
                    level: played.level,
                    number: played.number,
                    body,
                };
                if let Err(why) = shelf.shelve(ShelfChange::BalanceGame(Box::new(game))).await {
                    tracing::error!(map = %id, %why, "a game of a report was not stored");
                    return;
                }
            }
            games.push(played);
            if at % SUMMED == 0 {
                self.sum_up(map, plan, &games, asker, report, false).await;
            } else {
                report.lock().unwrap_or_else(PoisonError::into_inner).done = count(games.len());
            }
        }
        if self.sum_up(map, plan, &games, asker, report, true).await.is_none() {
            return;
        }
        let told = so_far(report);
        let Ok(body) = serde_json::to_string(&told) else { return };
        let first_share = (told.all.first.value * 1000.0).round() as u32;
        let change = ShelfChange::Balance { map: id.clone(), plan: key.to_owned(), body, first_share };
        if let Err(why) = shelf.shelve(change).await {
            tracing::error!(map = %id, %why, "a report was not stored");
        }
    }

    /// Plays a game of a report, here or by a worker; `None` when the hall stops.
    async fn play_one(
        self: &Arc<Self>,
        map: &Arc<Loaded>,
        plan: &Plan,
        game: (u8, u32),
        asker: &Asker,
    ) -> Option<Result<Played, Problem>> {
        let start = match crate::maps::apart(map.waits(), || map.rules.open(None)) {
            Ok(start) => start,
            Err(problem) => return Some(Err(problem)),
        };
        let about = Asked {
            key: catalog::maps::KEY.to_owned(),
            options: map.rules.options(),
            map: Some(map.line.id.clone()),
            rules: Some(map.rules.clone()),
            fen: None,
            game: start,
        };
        let search = Arc::new(Search { about, ask: Ask::Balance { plan: plan.clone(), game } });
        let stop = Stop::default();
        let _stops = Stops(stop.clone());
        let wanted = Wanted::of(search, asker.clone(), Purpose::Background, stop);
        let mut stopping = self.stopping.subscribe();
        loop {
            let work = self.opponents.searches.run(&self.balances.turns, &wanted);
            let done = tokio::select! {
                done = work => done,
                _ = stopping.wait_for(|stopping| *stopping) => return None,
            };
            return match done {
                Ok(Answer::Played(played)) => Some(Ok(*played)),
                Err(Undone::Failed(problem)) => Some(Err(problem)),
                Err(Undone::Busy) => {
                    tokio::time::sleep(AGAIN).await;
                    continue;
                }
                Ok(_) | Err(Undone::Stopped | Undone::Broken) => None,
            };
        }
    }

    /// Sums the games up; `None` when the hall stops meanwhile.
    async fn sum_up(
        self: &Arc<Self>,
        map: &Arc<Loaded>,
        plan: &Plan,
        games: &[Played],
        asker: &Asker,
        report: &Arc<Mutex<BalanceReport>>,
        whole: bool,
    ) -> Option<()> {
        let (rules, own, games) = (map.rules.clone(), plan.clone(), games.to_vec());
        let told = self.in_turn(asker, move |stop| {
            let depth = Depth { stop: stop.clone(), ..Depth::default() };
            let (moments, proof) = SHALLOW;
            let depth = if whole { depth } else { Depth { moments, proof, rehearsed: 0, ..depth } };
            workshop::report(&rules, &own, &games, &depth)
        });
        let told = told.await?;
        *report.lock().unwrap_or_else(PoisonError::into_inner) = told;
        Some(())
    }

    /// Runs one piece of the work on a turn of its own; `None` when the hall stops.
    async fn in_turn<T: Send + 'static>(
        self: &Arc<Self>,
        asker: &Asker,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Option<T> {
        let turn = loop {
            match self.balances.turns.take(asker.network, &asker.person).await {
                Ok(turn) => break turn,
                Err(Busy) => tokio::time::sleep(AGAIN).await,
            }
        };
        let stop = Stop::default();
        let _stops = Stops(stop.clone());
        let mut stopping = self.stopping.subscribe();
        let work = apart(move || {
            let _turn = turn;
            work(&stop)
        });
        tokio::select! {
            done = work => done,
            _ = stopping.wait_for(|stopping| *stopping) => None,
        }
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
