//! Balance reports of maps, in the background: games of our engine against itself, one after the other, each on a
//! turn of a queue that is fair between addresses, on threads of low priority. Every game is kept, so that a report
//! continues from there when it is asked for after a restart.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use edge::fair::{Busy, Fair};
use edge::network::{Asker, Network, Payer};
use edge::workers::{in_place, long};
use engine::Stop;
use kernel::Problem;
use store::shelf::{BalanceGame, Shelf, ShelfChange};
use wire::BalanceReport;
use workshop::{Depth, Plan, Played};

use crate::handed::Handed;
use crate::maps::{Loaded, Maps, NoMap};
use crate::plays::{NextGame, NotPlayed};

/// The delay before a report tries again when too many games of its address wait.
const AGAIN: Duration = Duration::from_secs(1);
/// The number of games after which a report is summed up again.
const SUMMED: usize = 6;
/// The time after which no further game of a report begins; the report then covers the games that were played.
const LONGEST: Duration = Duration::from_secs(20 * 60);
/// The extent of the summary while games are still being played: shares and measures, no single position.
const SHALLOW: (usize, usize) = (0, 0);

/// The balance reports of a hall, and those that are being made.
pub struct Reports {
    maps: Maps,
    handed: Handed,
    turns: Arc<Fair>,
    going: Mutex<HashMap<String, Going>>,
}

/// A report as far as it has come, and from where it was asked for.
struct Going {
    network: Network,
    report: Arc<Mutex<BalanceReport>>,
}

/// The reasons why there is no report.
#[derive(Debug)]
pub enum NoReport {
    /// The map cannot be had.
    NoMap(NoMap),
    /// The report has not been started.
    NotBegun,
    /// The address of the asker has too many reports under way.
    Busy,
    /// The hall has no room for one more.
    Refused(Problem),
}

impl From<NoMap> for NoReport {
    fn from(why: NoMap) -> Self {
        NoReport::NoMap(why)
    }
}

impl From<Problem> for NoReport {
    fn from(why: Problem) -> Self {
        NoReport::Refused(why)
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

impl Reports {
    pub(crate) fn new(maps: Maps, handed: Handed) -> Reports {
        let limits = &handed.limits;
        let waiting = if limits.on { limits.searches_waiting } else { usize::MAX };
        Reports { maps, turns: Fair::new(1, waiting), handed, going: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Going>> {
        self.going.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the plan by which reports of this hall play their games.
    fn plan(&self) -> Plan {
        Plan { games: self.handed.limits.balance_games, ..Plan::default() }
    }

    fn shelf(&self) -> &dyn Shelf {
        &*self.handed.store.shelf
    }

    /// Returns the report about a map, as far as it has come; the first request with `begin` starts it.
    ///
    /// # Errors
    /// [`NoReport::NoMap`] where the map cannot be had; `hall-busy` when too many reports are being made;
    /// [`NoReport::Busy`] when this address has too many; [`NoReport::NotBegun`] without `begin` when the report has not
    /// been started.
    pub async fn report(
        self: &Arc<Self>,
        id: &str,
        payer: Payer<'_>,
        begin: bool,
    ) -> Result<(Arc<Loaded>, BalanceReport), NoReport> {
        let map = self.maps.map(id, payer).await?;
        let asker = payer.in_line();
        let id = map.line.id.as_str();
        if let Some(going) = self.lock().get(id) {
            return Ok((Arc::clone(&map), so_far(&going.report)));
        }
        let plan = self.plan();
        let key =
            format!("{} {}", env!("CARGO_PKG_VERSION"), serde_json::to_string(&plan).unwrap_or_default());
        let stored = |why| NoReport::NoMap(NoMap::Store(why));
        if let Some(body) = self.shelf().balance(id, &key).await.map_err(stored)?
            && let Ok(report) = serde_json::from_str(&body)
        {
            return Ok((map, report));
        }
        if !begin {
            return Err(NoReport::NotBegun);
        }
        self.handed.disk.check()?;
        let kept = self.shelf().balance_games(id, &key).await.map_err(stored)?;
        let games: Vec<Played> = kept.iter().filter_map(|body| serde_json::from_str(body).ok()).collect();
        let empty = BalanceReport { of: plan.count(), ..BalanceReport::default() };
        let report = Arc::new(Mutex::new(empty.clone()));
        {
            let mut going = self.lock();
            if let Some(other) = going.get(id) {
                return Ok((Arc::clone(&map), so_far(&other.report)));
            }
            let own = going.values().filter(|other| other.network == asker.network).count();
            if self.handed.limits.on && own >= self.handed.limits.balances_address {
                return Err(NoReport::Busy);
            }
            if going.len() >= self.handed.limits.balances {
                return Err(Problem::new("hall-busy").into());
            }
            going.insert(id.to_owned(), Going { network: asker.network, report: Arc::clone(&report) });
        }
        let (reports, map_of_task, asker) = (Arc::clone(self), Arc::clone(&map), asker.clone());
        tokio::spawn(async move {
            reports.make(&map_of_task, &plan, &key, games, &asker, &report).await;
            reports.lock().remove(&map_of_task.line.id);
        });
        Ok((map, empty))
    }

    /// Plays the remaining games of a report, and stores it once it is complete.
    async fn make(
        &self,
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
        &self,
        map: &Arc<Loaded>,
        plan: &Plan,
        game: (u8, u32),
        asker: &Asker,
    ) -> Option<Result<Played, Problem>> {
        let start = match in_place(map.waits(), || map.rules.open(None)) {
            Ok(start) => start,
            Err(problem) => return Some(Err(problem)),
        };
        let game = NextGame { map: Arc::clone(map), start, plan: plan.clone(), number: game };
        let stop = Stop::default();
        let _stops = Stops(stop.clone());
        let mut stopping = self.handed.stopping.clone();
        loop {
            let work = self.handed.player.play(&self.turns, &game, asker, stop.clone());
            let done = tokio::select! {
                done = work => done,
                _ = stopping.wait_for(|stopping| *stopping) => return None,
            };
            return match done {
                Ok(played) => Some(Ok(played)),
                Err(NotPlayed::Failed(problem)) => Some(Err(problem)),
                Err(NotPlayed::Busy) => {
                    tokio::time::sleep(AGAIN).await;
                    continue;
                }
                Err(NotPlayed::Stopped) => None,
            };
        }
    }

    /// Sums the games up; `None` when the hall stops meanwhile.
    async fn sum_up(
        &self,
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
        &self,
        asker: &Asker,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Option<T> {
        let turn = loop {
            match self.turns.take(asker.network, &asker.person).await {
                Ok(turn) => break turn,
                Err(Busy) => tokio::time::sleep(AGAIN).await,
            }
        };
        let stop = Stop::default();
        let _stops = Stops(stop.clone());
        let mut stopping = self.handed.stopping.clone();
        let work = long(move || {
            let _turn = turn;
            work(&stop)
        });
        tokio::select! {
            done = work => done?.inspect_err(|_| tracing::error!("the summary of a report panicked")).ok(),
            _ = stopping.wait_for(|stopping| *stopping) => None,
        }
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
