//! The promise of the hall under SIGKILL: acknowledged commands are in the log exactly once, in order.
//!
//! Pairs of players keep games of every kind going, and people beside them do everything else that a hall
//! acknowledges; a killer ends the real program at random moments and starts it again on the same data. Before it
//! dies it may be frozen, or its disk slow (in the long run also full); its remaining files may be damaged, in a
//! copy. Afterwards all acknowledgements to players are compared with the logs, in the style of Jepsen. 20 kills; 200
//! when `QIGUAN_DEEP` is set; `QIGUAN_SEED` repeats the choices of a run.

#![cfg(unix)]

#[path = "crash/beside.rs"]
mod beside;
#[path = "crash/checker.rs"]
mod checker;
#[path = "crash/faults.rs"]
mod faults;
#[path = "crash/player.rs"]
mod player;

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use checker::{Board, History};
use client::Guest;
use faults::Faults;
use kernel::laws::Random;
use player::{Player, Report, Shared};
use wire::{ClockSpec, CreateTable, How, LogLine};

/// A clock longer than any of these games: a flag that falls was charged for an outage.
const LONG: ClockSpec = ClockSpec::Fischer { base_ms: 600_000, increment_ms: 1_000 };
const BYO_YOMI: ClockSpec = ClockSpec::ByoYomi { base_ms: 60_000, period_ms: 30_000, periods: 9 };
/// Games that do not end by then will not end.
const PATIENCE: Duration = Duration::from_secs(180);

#[test]
fn no_acknowledged_event_is_lost() {
    let deep = std::env::var_os("QIGUAN_DEEP").is_some();
    let kills = if deep { 200 } else { 20 };
    let seed = std::env::var("QIGUAN_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or_else(seed);
    println!("seed {seed}");
    let begun = Instant::now();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let (history, reports, faults) = runtime.block_on(play_under_fire(kills, seed));
    let games = history.boards.len();
    let acks = history.wishes.iter().filter(|wish| matches!(wish.answer, checker::Answer::Done(_))).count();
    let open = history.wishes.iter().filter(|wish| wish.answer == checker::Answer::Unknown).count();
    let events: usize = history.boards.values().map(|board| board.log.len()).sum();
    let connections: u32 = reports.iter().map(|report| report.connections).sum();
    println!(
        "{faults}; {acks} acknowledged wishes, {open} of unknown fate, {events} events, {games} games, \
         {connections} connections, {:.1} s",
        begun.elapsed().as_secs_f64()
    );
    let complaints = history.complaints();
    assert!(complaints.is_empty(), "seed {seed}:\n{}", complaints.join("\n"));
    assert!(acks > 100, "only {acks} wishes were acknowledged: nothing was tried");
    assert!(connections as usize > reports.len() * 2, "the players hardly noticed the kills");
}

/// Plays and kills; returns all that was seen, and the logs in the end.
async fn play_under_fire(kills: u32, seed: u64) -> (History, Vec<Report>, Faults) {
    let mut random = Random(seed);
    let data = tempfile::tempdir().expect("a folder");
    let address = free_address(&mut random);
    let base = format!("http://{address}");
    let mut hall = Process::start(address, data.path());
    let keeper = tokio::time::timeout(PATIENCE, until_open(&base)).await.expect("the hall opens");
    let shelf = keeper.get("/api/maps").await.expect("a shelf");
    let map = shelf[0]["id"].as_str().expect("a map");
    let over = Arc::new(AtomicBool::new(false));
    let mut first_tables = Vec::new();
    let mut players = tokio::task::JoinSet::new();
    for (i, entry) in catalog::ENTRIES.iter().enumerate() {
        for (how, clock) in [(How::Invite, ClockSpec::None), (How::Open, LONG), (How::Room, BYO_YOMI)] {
            let wish = table(entry, map, how, clock, i);
            let pair = [until_open(&base).await, until_open(&base).await];
            let id = pair[0].open(&wish).await.expect("a table").id;
            first_tables.push(id.clone());
            let idle = Arc::default();
            for (i, guest) in pair.into_iter().enumerate() {
                let shared = Shared { place: i, idle: Arc::clone(&idle), over: Arc::clone(&over) };
                let player = Player::new(guest, &id, Random(random.bits()), shared);
                players.spawn(player.play());
            }
        }
    }
    let mut others = tokio::task::JoinSet::new();
    let pairs = tokio::join!(
        beside::Pair::enter(&base, Random(random.bits())),
        beside::Pair::enter(&base, Random(random.bits()))
    );
    for pair in [pairs.0, pairs.1] {
        others.spawn(pair.live(Arc::clone(&over)));
    }
    let mut faults = Faults::default();
    let mut wrong = Vec::new();
    let mut done = 0;
    while done < kills {
        faults.trouble(hall.0.id(), data.path(), &mut random).await;
        // A hall that did not start, as when its port was still taken, does not count.
        if hall.kill() {
            done += 1;
            faults.killed();
        }
        if random.below(8) == 0 {
            wrong.extend(faults.damage(data.path(), &first_tables, &mut random).await);
        }
        hall = Process::start(address, data.path());
    }
    over.store(true, Ordering::Relaxed);
    let mut promises = beside::Promises::default();
    while let Some(told) = others.join_next().await {
        promises.join(told.expect("nobody panics"));
    }
    println!("acknowledged beside the games: {:?}", promises.told);
    wrong.extend(promises.complaints(&base).await);
    if promises.told.len() < 10 {
        wrong.push(format!("not every kind was tried: {:?}", promises.told.keys()));
    }
    let mut reports = Vec::new();
    let all = async {
        while let Some(report) = players.join_next().await {
            reports.push(report.expect("a player does not panic"));
        }
    };
    let finished = tokio::time::timeout(PATIENCE, all).await.is_ok();
    if !finished {
        tell_unfinished(&keeper, &first_tables).await;
    }
    let mut history = History { finished, wrong, ..History::default() };
    for report in &reports {
        history.wishes.extend(report.wishes.iter().cloned());
        history.seats.extend(report.seats.iter().cloned());
    }
    let tables: std::collections::BTreeSet<_> = history.seats.iter().map(|seat| seat.table.clone()).collect();
    for id in tables {
        let now = keeper.get(&format!("/api/tables/{id}")).await.expect("the table is there");
        let now = serde_json::from_value(now).expect("a full message");
        history.boards.insert(id.clone(), Board { log: log(&keeper, &id).await, now });
    }
    (history, reports, faults)
}

/// Prints the state of each table whose game has not come to its end.
async fn tell_unfinished(keeper: &Guest, tables: &[String]) {
    for first in tables {
        let mut id = first.clone();
        loop {
            let now = keeper.get(&format!("/api/tables/{id}")).await.expect("the table is there");
            match now["info"]["next"].as_str() {
                Some(next) => id = next.to_owned(),
                None if now["end"].is_null() => break println!("unfinished: {now}"),
                None => break,
            }
        }
    }
}

fn table(entry: &catalog::Entry, map: &str, how: How, clock: ClockSpec, i: usize) -> CreateTable {
    // Small boards and few turns: games end, and there is a rematch to be crashed.
    let short = |o: &catalog::OptionSpec| match o.key {
        "size" => Some((o.key.to_owned(), 7)),
        "turn-limit" => Some((o.key.to_owned(), 12)),
        _ => None,
    };
    CreateTable {
        game: entry.key.to_owned(),
        options: entry.options.iter().filter_map(short).collect(),
        map: entry.needs_map().then(|| map.to_owned()),
        fen: None,
        how,
        room: (how == How::Room).then(|| format!("room {i}")),
        clock,
        side: None,
        opponent: None,
        rated: false,
    }
}

/// Waits until the hall lets a guest in, and returns the guest.
async fn until_open(base: &str) -> Guest {
    loop {
        if let Ok(guest) = Guest::enter(base).await {
            return guest;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn log(keeper: &Guest, id: &str) -> Vec<LogLine> {
    let mut log: Vec<LogLine> = Vec::new();
    loop {
        let since = log.last().map_or(0, |line| line.v);
        let page = keeper.get(&format!("/api/tables/{id}/log?since={since}")).await.expect("the log");
        let page: Vec<LogLine> = serde_json::from_value(page).expect("log lines");
        if page.is_empty() {
            return log;
        }
        log.extend(page);
    }
}

/// Returns a free port below those that are given to outgoing connections, so that it stays free while the hall is
/// down.
fn free_address(random: &mut Random) -> SocketAddr {
    let port = |random: &mut Random| u16::try_from(10_000 + random.below(20_000)).expect("small");
    let mut tries = std::iter::repeat_with(|| SocketAddr::from(([127, 0, 0, 1], port(random))));
    tries.find(|address| TcpListener::bind(address).is_ok()).expect("some port is free")
}

fn seed() -> u64 {
    let since = std::time::UNIX_EPOCH.elapsed().expect("after 1970");
    u64::from(since.subsec_nanos()) ^ since.as_secs()
}

/// The running program. It dies with its owner.
struct Process(Child);

impl Process {
    fn start(address: SocketAddr, data: &Path) -> Process {
        let child = Command::new(env!("CARGO_BIN_EXE_qiguan"))
            .args(["serve", "--limits", "off", "--listen", &address.to_string()])
            .arg("--data")
            .arg(data)
            .env("RUST_LOG", "error")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn();
        Process(child.expect("the program was built with this test"))
    }

    /// SIGKILL; whether it was alive.
    fn kill(&mut self) -> bool {
        let alive = matches!(self.0.try_wait(), Ok(None));
        let _ = self.0.kill();
        let _ = self.0.wait();
        alive
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
