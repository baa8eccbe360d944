//! Load test of a server: many tables at once, each with two players who move as fast as the server answers, or at a
//! given pace.
//!
//! The players fill a gomoku board in a pattern that never makes five, and play again when it is full.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use hyper::Method;
use indicatif::{ProgressBar, ProgressStyle};
use wire::{Act, ClientMessage, ClockSpec, CreateTable, EventKind, Happened, How, ServerMessage, Side};

use crate::{Connection, Error, Guest, Http};

/// The load to generate, and how to measure it.
pub struct Load {
    /// The server's base URLs, such as `http://127.0.0.1:8080`: one for each of its nodes. If there are several, the
    /// two players of a table use different nodes.
    pub bases: Vec<String>,
    /// The number of spectators, all of the first table, spread over all nodes.
    pub watchers: usize,
    /// The address of the server's metrics (`--admin-listen`); without it, memory is not measured.
    pub admin: Option<String>,
    /// The number of tables; each has two connections.
    pub tables: usize,
    /// The time for which moves are counted.
    pub time: Duration,
    /// The rate in moves per second for all tables together; `None`: as fast as they are answered.
    pub rate: Option<f64>,
    /// Set to only connect and stay idle, which measures memory.
    pub idle: bool,
    /// The number of profile pages requested per second beside the moves: of the people that `qiguan load --people`
    /// makes.
    pub profiles: Option<f64>,
}

/// The results of a load test.
#[derive(Debug, Default)]
pub struct Measured {
    /// The number of connections that were opened.
    pub connections: usize,
    /// The number of moves that the server acknowledged in the measured time.
    pub moves: u64,
    /// The measured time, in seconds.
    pub seconds: f64,
    /// The latencies from sending a move to its acknowledgement, sorted, in microseconds.
    pub waits_us: Vec<u64>,
    /// The number of WebSocket bytes of all connections for these moves.
    pub bytes: u64,
    /// The latencies from requesting the data of a profile page to having all of it, sorted, in microseconds.
    pub profiles_us: Vec<u64>,
    /// The latencies from sending a move to its arrival at a spectator, sorted, in microseconds.
    pub watched_us: Vec<u64>,
    /// The server's memory before and with the connections, if it is known.
    pub memory: Option<(u64, u64)>,
}

impl Measured {
    /// Returns the `percent`-th percentile of the latency of a move, in milliseconds; 0 if no move was acknowledged.
    #[must_use]
    pub fn percentile_ms(&self, percent: f64) -> f64 {
        percentile_ms(&self.waits_us, percent)
    }
}

/// Returns the `percent`-th percentile of sorted microseconds, in milliseconds; 0 if there are none.
#[must_use]
pub fn percentile_ms(sorted_us: &[u64], percent: f64) -> f64 {
    let last = sorted_us.len().saturating_sub(1);
    let at = (last as f64 * percent / 100.0).round() as usize;
    sorted_us.get(at).map_or(0.0, |us| *us as f64 / 1000.0)
}

/// Runs a load test, showing a progress bar.
///
/// # Errors
/// Fails when the server does not answer or refuses.
pub async fn run(load: Load) -> Result<Measured, Error> {
    let http = Http::default();
    let before = memory(&http, load.admin.as_deref()).await;
    let tables = sit_down(&http, &load).await?;
    let connections = tables.len() * 2 + load.watchers;
    tokio::time::sleep(Duration::from_millis(500)).await;
    let with = memory(&http, load.admin.as_deref()).await;
    let mut seen = Measured { connections, memory: before.zip(with), ..Measured::default() };
    if !load.idle {
        let asking = load.profiles.map(|rate| {
            tokio::spawn(ask_for_profiles(
                http.clone(),
                load.bases[0].clone(),
                rate,
                Instant::now() + load.time,
            ))
        });
        play(&load, tables, &mut seen).await?;
        if let Some(asking) = asking {
            seen.profiles_us = asking.await.expect("does not panic")?;
        }
    }
    Ok(seen)
}

/// Requests profile pages at a steady rate, even while earlier requests are unanswered; every tenth request is for
/// the person with the most games. Returns the latencies, sorted, in microseconds.
async fn ask_for_profiles(http: Http, base: String, rate: f64, end: Instant) -> Result<Vec<u64>, Error> {
    // Who there is at most: the numbers of names go on without a gap.
    let mut most = 1_u32;
    while person(&http, &base, most).await.is_ok() {
        most = most.saturating_mul(2);
    }
    let mut beat = tokio::time::interval(Duration::from_secs_f64(1.0 / rate));
    let mut asked = tokio::task::JoinSet::new();
    let mut count = 0_u32;
    while Instant::now() < end {
        beat.tick().await;
        let who = if count.is_multiple_of(10) { 0 } else { rand::random::<u32>() % (most / 2).max(1) };
        count += 1;
        let (http, base) = (http.clone(), base.clone());
        asked.spawn(async move {
            let begun = Instant::now();
            person(&http, &base, who)
                .await
                .map(|()| u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX))
        });
    }
    let mut took = Vec::new();
    while let Some(done) = asked.join_next().await {
        took.push(done.expect("does not panic")?);
    }
    took.sort_unstable();
    Ok(took)
}

/// Requests the data that a profile page loads first.
async fn person(http: &Http, base: &str, number: u32) -> Result<(), Error> {
    let ask = async |path: String| {
        let url = format!("{base}/api/people/{path}");
        let heard = http.ask(Method::GET, &url, None, None).await?;
        if heard.is_success { Ok(()) } else { Err(Error::Strange(url)) }
    };
    ask(format!("Sample{number}")).await?;
    ask(format!("Sample{number}/games")).await
}

/// Two players at a table with their connections.
struct Pair {
    guests: [Guest; 2],
    lines: [Connection; 2],
    ver: u64,
    ply: usize,
    table: String,
}

async fn sit_down(http: &Http, load: &Load) -> Result<Vec<Pair>, Error> {
    let bar = bar(load.tables as u64, "tables opened");
    let mut pairs = Vec::with_capacity(load.tables);
    let mut at_work = tokio::task::JoinSet::new();
    let mut left = load.tables;
    while left > 0 || !at_work.is_empty() {
        while left > 0 && at_work.len() < 32 {
            let at = |n: usize| load.bases[(left + n) % load.bases.len()].clone();
            at_work.spawn(open_table(http.clone(), [at(0), at(1)]));
            left -= 1;
        }
        if let Some(done) = at_work.join_next().await {
            pairs.push(done.expect("a player does not panic")?);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(pairs)
}

async fn open_table(http: Http, bases: [String; 2]) -> Result<Pair, Error> {
    let guests =
        [Guest::enter_with(http.clone(), &bases[0]).await?, Guest::enter_with(http, &bases[1]).await?];
    let wish = CreateTable {
        game: "gomoku/standard".to_owned(),
        options: std::iter::once(("size".to_owned(), SIZE as i64)).collect(),
        map: None,
        fen: None,
        how: How::Invite,
        room: None,
        clock: ClockSpec::None,
        side: Some(Side::First),
        opponent: None,
        rated: false,
    };
    let table = guests[0].open(&wish).await?.id;
    let mut lines = [guests[0].connect(&table, None).await?, guests[1].connect(&table, None).await?];
    // Who has heard everything hears of every event from then on; the first player waits for one.
    let mut ver = 0;
    for line in &mut lines {
        let ServerMessage::Full { v, .. } = hear(line).await? else {
            return Err(Error::Strange("a table begins with everything".to_owned()));
        };
        ver = v;
    }
    say(&mut lines[1], ver, Act::Sit { side: None }).await?;
    let ver = until(&mut lines[1], EventKind::Sit).await?;
    until(&mut lines[0], EventKind::Sit).await?;
    Ok(Pair { guests, lines, ver, ply: 0, table })
}

async fn say(line: &mut Connection, ver: u64, act: Act) -> Result<(), Error> {
    let cmd = format!("{:012x}", rand::random::<u64>() >> 16);
    line.say(&ClientMessage::Do { cmd, ver, act }).await
}

/// The longest time to wait for a message that has to come.
const SILENCE: Duration = Duration::from_secs(60);

/// Receives the next message; fails after [`SILENCE`] without one.
async fn hear(line: &mut Connection) -> Result<ServerMessage, Error> {
    let heard = tokio::time::timeout(SILENCE, line.hear()).await;
    heard.unwrap_or_else(|_| Err(Error::Lost(format!("no word for {} s", SILENCE.as_secs()))))
}

/// Receives messages until an event of that kind; returns its version.
async fn until(line: &mut Connection, wanted: EventKind) -> Result<u64, Error> {
    loop {
        match hear(line).await? {
            ServerMessage::Ev(event) if event.k == wanted => return Ok(event.v),
            ServerMessage::No { why, .. } => return Err(Error::Refused(why)),
            _ => {}
        }
    }
}

async fn play(load: &Load, mut tables: Vec<Pair>, seen: &mut Measured) -> Result<(), Error> {
    let moves = Arc::new(AtomicU64::new(0));
    let waits = Arc::new(Mutex::new(Vec::new()));
    let bytes = Arc::new(AtomicU64::new(0));
    let watching = Arc::new(Watched::default());
    let watched = tables.first().map_or(String::new(), |pair| pair.table.clone());
    let watchers = watch(load, &watched, &watching).await?;
    if load.watchers > 0 {
        // The players' connections were not read meanwhile, and the hall may have closed them.
        for pair in &mut tables {
            connect(pair).await?;
        }
    }
    let begun = Instant::now();
    let end = begun + load.time;
    let pause = load.rate.map(|rate| Duration::from_secs_f64(tables.len() as f64 / rate));
    let mut players = tokio::task::JoinSet::new();
    for (i, pair) in tables.into_iter().enumerate() {
        let start = pause
            .map_or(begun, |pause| begun + pause.mul_f64(rand::random()) + Duration::from_micros(i as u64));
        let (moves, waits, bytes) = (Arc::clone(&moves), Arc::clone(&waits), Arc::clone(&bytes));
        let watching = (i == 0 && load.watchers > 0).then(|| Arc::clone(&watching));
        players.spawn(async move {
            let mut mine = Vec::new();
            let result = play_table(pair, start, end, pause, (&moves, &bytes, watching), &mut mine).await;
            waits.lock().unwrap_or_else(std::sync::PoisonError::into_inner).append(&mut mine);
            result
        });
    }
    let bar = bar(load.time.as_secs(), "seconds of play");
    while Instant::now() < end {
        tokio::time::sleep(Duration::from_millis(250).min(end - Instant::now())).await;
        let elapsed = begun.elapsed().as_secs_f64();
        bar.set_position(elapsed as u64);
        bar.set_message(format!("{:.0} moves/s", moves.load(Ordering::Relaxed) as f64 / elapsed));
    }
    seen.seconds = begun.elapsed().as_secs_f64();
    seen.moves = moves.load(Ordering::Relaxed);
    seen.bytes = bytes.load(Ordering::Relaxed);
    bar.finish_and_clear();
    while let Some(done) = players.join_next().await {
        done.expect("a player does not panic")?;
    }
    seen.waits_us = std::mem::take(&mut *waits.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    seen.waits_us.sort_unstable();
    // The last news get a moment to arrive.
    tokio::time::sleep(Duration::from_millis(500)).await;
    drop(watchers);
    seen.watched_us = std::mem::take(&mut *lock(&watching.took_us));
    seen.watched_us.sort_unstable();
    Ok(())
}

/// The times at which moves of the watched table were sent, by version, and their latencies to the spectators.
#[derive(Default)]
struct Watched {
    sent: Mutex<std::collections::HashMap<u64, Instant>>,
    took_us: Mutex<Vec<u64>>,
}

fn lock<T>(what: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    what.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Connects the spectators; they watch until the returned value is dropped.
async fn watch(load: &Load, table: &str, watching: &Arc<Watched>) -> Result<tokio::task::JoinSet<()>, Error> {
    let mut watchers = tokio::task::JoinSet::new();
    let http = Http::default();
    let bar = bar(load.watchers as u64, "watchers");
    let mut lines = tokio::task::JoinSet::new();
    let mut left = load.watchers;
    while left > 0 || !lines.is_empty() {
        while left > 0 && lines.len() < 64 {
            let (http, base, table) =
                (http.clone(), load.bases[left % load.bases.len()].clone(), table.to_owned());
            lines.spawn(async move { Guest::enter_with(http, &base).await?.connect(&table, None).await });
            left -= 1;
        }
        let Some(line) = lines.join_next().await else { break };
        let (mut line, watching) = (line.expect("does not panic")?, Arc::clone(watching));
        bar.inc(1);
        watchers.spawn(async move {
            while let Ok(message) = line.hear().await {
                if let ServerMessage::Ev(event) = message
                    && event.k == EventKind::Move
                    && let Some(sent) = lock(&watching.sent).get(&event.v).copied()
                {
                    let took = u64::try_from(sent.elapsed().as_micros()).unwrap_or(u64::MAX);
                    lock(&watching.took_us).push(took);
                }
            }
        });
    }
    bar.finish_and_clear();
    Ok(watchers)
}

async fn play_table(
    mut pair: Pair,
    start: Instant,
    end: Instant,
    pause: Option<Duration>,
    (moves, bytes, watching): (&AtomicU64, &AtomicU64, Option<Arc<Watched>>),
    waits_us: &mut Vec<u64>,
) -> Result<(), Error> {
    let mut due = start;
    while Instant::now() < end {
        if let Some(pause) = pause {
            tokio::time::sleep_until(due.into()).await;
            due += pause;
        }
        if pair.ply == SIZE * SIZE {
            again(&mut pair).await?;
        }
        let mover = pair.ply % 2;
        let before = pair.lines[0].bytes + pair.lines[1].bytes;
        let text = cell(pair.ply);
        let sent = Instant::now();
        if let Some(watching) = &watching {
            lock(&watching.sent).insert(pair.ver + 1, sent);
        }
        say(&mut pair.lines[mover], pair.ver, Act::Move { text, away: false }).await?;
        let v = until(&mut pair.lines[mover], EventKind::Move).await?;
        let wait = sent.elapsed();
        until(&mut pair.lines[1 - mover], EventKind::Move).await?;
        pair.ver = v;
        pair.ply += 1;
        if Instant::now() < end {
            moves.fetch_add(1, Ordering::Relaxed);
            bytes.fetch_add(pair.lines[0].bytes + pair.lines[1].bytes - before, Ordering::Relaxed);
            waits_us.push(u64::try_from(wait.as_micros()).unwrap_or(u64::MAX));
        }
    }
    Ok(())
}

/// Starts a rematch once the board is full.
async fn again(pair: &mut Pair) -> Result<(), Error> {
    let rematch = wire::Offer::Rematch;
    say(&mut pair.lines[0], pair.ver, Act::Offer { what: rematch, plies: None }).await?;
    // Accepting an offer states the version in which it was seen.
    let ver = until(&mut pair.lines[1], EventKind::Offer).await?;
    say(&mut pair.lines[1], ver, Act::Accept { what: rematch }).await?;
    let table = loop {
        match hear(&mut pair.lines[1]).await? {
            ServerMessage::Ev(Happened { next: Some(table), .. }) => break table,
            ServerMessage::No { why, .. } => return Err(Error::Refused(why)),
            _ => {}
        }
    };
    pair.guests.swap(0, 1);
    pair.table = table;
    pair.ply = 0;
    connect(pair).await
}

/// Opens new connections to the table.
async fn connect(pair: &mut Pair) -> Result<(), Error> {
    for (guest, line) in pair.guests.iter().zip(&mut pair.lines) {
        *line = guest.connect(&pair.table, None).await?;
        if let ServerMessage::Full { v, .. } = hear(line).await? {
            pair.ver = v;
        }
    }
    Ok(())
}

/// The number of files and of ranks of the board that is filled.
pub(crate) const SIZE: usize = 20;

/// Returns the cell of that ply. Black takes the cells where `x / 2 + y` is even and White the others, so that no
/// line of either colour is longer than two.
pub(crate) fn cell(ply: usize) -> String {
    let half = SIZE / 2;
    let (row, k) = (ply / 2 / half, ply / 2 % half);
    let pair = k / 2 * 2 + (row + ply) % 2;
    format!("{}{}", char::from(b'a' + (pair * 2 + k % 2) as u8), row + 1)
}

/// Returns the resident memory of the server, from its metrics.
async fn memory(http: &Http, admin: Option<&str>) -> Option<u64> {
    let heard = http.ask(Method::GET, &format!("{}/metrics", admin?), None, None).await.ok()?;
    let text = std::str::from_utf8(&heard.body).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("process_resident_memory_bytes "))?;
    line.trim().parse::<f64>().ok().map(|bytes| bytes as u64)
}

fn bar(length: u64, what: &'static str) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{prefix} {bar:40} {pos}/{len} {msg}").expect("a plain template");
    ProgressBar::new(length).with_style(style).with_prefix(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_fills_the_board_without_a_five() {
        let mut board = [[None; SIZE]; SIZE];
        for ply in 0..SIZE * SIZE {
            let name = cell(ply);
            let x = usize::from(name.as_bytes()[0] - b'a');
            let y: usize = name[1..].parse::<usize>().expect("a number") - 1;
            assert!(board[y][x].is_none(), "{name} is taken twice");
            board[y][x] = Some(ply % 2);
        }
        for (dx, dy) in [(1_i32, 0_i32), (0, 1), (1, 1), (1, -1)] {
            for y in 0..SIZE as i32 {
                for x in 0..SIZE as i32 {
                    let at =
                        |k: i32| board.get((y + k * dy) as usize).and_then(|r| r.get((x + k * dx) as usize));
                    let run = (0..5).map(at).collect::<Option<Vec<_>>>();
                    assert!(
                        run.is_none_or(|r| r.iter().any(|c| *c != r[0])),
                        "five from {x},{y} by {dx},{dy}"
                    );
                }
            }
        }
    }
}
