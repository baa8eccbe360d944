//! Honest people while the hall is attacked: two who play, two who look for an opponent, and others who solve
//! puzzles, import records and check the hall's health.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use client::{Connection, Guest};
use wire::{
    Act, ClientMessage, ClockSpec, CreateTable, Event, How, LogLine, Opponent, PlayNow, ServerMessage, Side,
};

/// Lines a side of the board.
const SIZE: usize = 20;
/// The time between two moves: as much as the limits allow one connection.
const PACE: Duration = Duration::from_millis(110);
/// The time between two health checks.
const PULSE: Duration = Duration::from_millis(250);
/// The time between two requests for an opponent, as the page makes them.
const AGAIN: Duration = Duration::from_secs(1);
/// Puzzles of one person to each record that they bring.
const RECORDS: usize = 6;
/// The time between two puzzles of one person.
const LEISURE: Duration = Duration::from_secs(2);
/// The longest wait that counts as an answer.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// The experience of honest people.
#[derive(Default)]
pub struct Seen {
    /// Times from sending a move to its acknowledgement.
    pub moves: Vec<Duration>,
    /// Times from a request for `/health` to its answer.
    pub pulses: Vec<Duration>,
    /// Times from looking for an opponent to sitting at one table with a person who came.
    pub pairings: Vec<Duration>,
    /// Times from asking for a puzzle, or importing a record, to the answer.
    pub others: Vec<Duration>,
    /// Failures: a move refused or lost, a request refused, or `/health` without an answer.
    pub suffered: Vec<String>,
}

pub type Shared = Arc<Mutex<Seen>>;

/// Returns the wait that 99 of a hundred did not exceed.
pub fn p99(waits: &[Duration]) -> Duration {
    let mut sorted = waits.to_vec();
    sorted.sort_unstable();
    let rank = (sorted.len() * 99).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// Returns a request for a game of gomoku between two people, or against a program that moves first.
pub fn gomoku(opponent: Option<Opponent>) -> CreateTable {
    CreateTable {
        game: "gomoku/standard".to_owned(),
        options: std::iter::once(("size".to_owned(), SIZE as i64)).collect(),
        map: None,
        fen: None,
        how: How::Invite,
        room: None,
        clock: ClockSpec::None,
        side: Some(if opponent.is_some() { Side::Second } else { Side::First }),
        opponent,
        rated: false,
    }
}

/// Returns a request for a game at once, against any opponent.
pub fn at_once() -> PlayNow {
    let clock = ClockSpec::Fischer { base_ms: 300_000, increment_ms: 5_000 };
    PlayNow { game: "gomoku/freestyle".to_owned(), map: None, options: BTreeMap::new(), clock, rated: false }
}

/// Returns the cell of that ply: Black takes those where `x / 2 + y` is even and White the others, so that neither
/// side ever has three in a row.
pub fn cell(ply: usize) -> String {
    let (row, k) = (ply / 2 / 10, ply / 2 % 10);
    let pair = k / 2 * 2 + (row + ply) % 2;
    format!("{}{}", char::from(b'a' + u8::try_from(pair * 2 + k % 2).expect("a file")), row + 1)
}

/// Checks the hall's health again and again.
pub async fn feel(base: String, seen: Shared, over: Arc<AtomicBool>) {
    let http = reqwest::Client::builder().timeout(PATIENCE).build().expect("a client");
    while !over.load(Ordering::Relaxed) {
        let asked = Instant::now();
        let answer = http.get(format!("{base}/health")).send().await;
        {
            let mut seen = seen.lock().expect("nobody panics");
            seen.pulses.push(asked.elapsed());
            match answer {
                Ok(answer) if answer.status().is_success() => {}
                Ok(answer) => seen.suffered.push(format!("/health: {}", answer.status())),
                Err(why) => seen.suffered.push(format!("/health: {why}")),
            }
        }
        tokio::time::sleep(PULSE).await;
    }
}

/// Plays game after game until `over`, and compares the logs with what was acknowledged.
pub async fn play(base: String, seen: Shared, over: Arc<AtomicBool>) {
    while !over.load(Ordering::Relaxed) {
        if let Err(why) = game(&base, &seen, &over).await {
            seen.lock().expect("nobody panics").suffered.push(why);
            return;
        }
    }
}

async fn game(base: &str, seen: &Shared, over: &AtomicBool) -> Result<(), String> {
    let said = |why: client::Error| why.to_string();
    let guests = [Guest::enter(base).await.map_err(said)?, Guest::enter(base).await.map_err(said)?];
    let id = guests[0].open(&gomoku(None)).await.map_err(said)?.id;
    let mut lines = [
        guests[0].connect(&id, None).await.map_err(said)?,
        guests[1].connect(&id, None).await.map_err(said)?,
    ];
    let mut ver = 0;
    for line in &mut lines {
        let ServerMessage::Full { v, .. } = line.hear().await.map_err(said)? else {
            return Err("a table begins with everything".to_owned());
        };
        ver = v;
    }
    tell(&mut lines[1], "sit-down-here", ver, Act::Sit { side: None }).await?;
    ver = until(&mut lines[1], ver).await?;
    until(&mut lines[0], ver - 1).await?;
    let mut done = Vec::new();
    while done.len() < SIZE * SIZE && !over.load(Ordering::Relaxed) {
        let (mover, text) = (done.len() % 2, cell(done.len()));
        let sent = Instant::now();
        tell(
            &mut lines[mover],
            &format!("move-{:04}", done.len()),
            ver,
            Act::Move { text: text.clone(), away: false },
        )
        .await?;
        let next = until(&mut lines[mover], ver).await?;
        seen.lock().expect("nobody panics").moves.push(sent.elapsed());
        until(&mut lines[1 - mover], ver).await?;
        ver = next;
        done.push(text);
        tokio::time::sleep(PACE).await;
    }
    let mut log: Vec<LogLine> = Vec::new();
    loop {
        let since = log.last().map_or(0, |line| line.v);
        let page = guests[0].get(&format!("/api/tables/{id}/log?since={since}")).await.map_err(said)?;
        let page: Vec<LogLine> = serde_json::from_value(page).map_err(|why| why.to_string())?;
        if page.is_empty() {
            break;
        }
        log.extend(page);
    }
    let kept = log.into_iter().filter_map(|line| match line.e {
        Event::Move { text, .. } => Some(text),
        _ => None,
    });
    let kept: Vec<String> = kept.collect();
    if kept == done { Ok(()) } else { Err(format!("acknowledged {done:?}, but in the log are {kept:?}")) }
}

async fn tell(line: &mut Connection, cmd: &str, ver: u64, act: Act) -> Result<(), String> {
    line.say(&ClientMessage::Do { cmd: cmd.to_owned(), ver, act }).await.map_err(|why| why.to_string())
}

/// Reads messages until an event after `ver`, and returns its version.
async fn until(line: &mut Connection, ver: u64) -> Result<u64, String> {
    let heard = async {
        loop {
            match line.hear().await.map_err(|why| why.to_string())? {
                ServerMessage::Ev(happened) if happened.v > ver => return Ok(happened.v),
                ServerMessage::No { why, .. } => return Err(format!("an honest wish was refused: {why:?}")),
                _ => {}
            }
        }
    };
    tokio::time::timeout(PATIENCE, heard)
        .await
        .unwrap_or_else(|_| Err("an honest wish was not answered".to_owned()))
}

/// Waits as one person for a program's first move; returns the time it took.
pub async fn wait_for_a_program(base: &str, level: u8) -> Result<Duration, String> {
    let said = |why: client::Error| why.to_string();
    let guest = Guest::enter(base).await.map_err(said)?;
    let since = Instant::now();
    let id = guest.open(&gomoku(Some(Opponent::Level(level)))).await.map_err(said)?.id;
    let mut line = guest.connect(&id, None).await.map_err(said)?;
    let ServerMessage::Full { v, record, .. } = line.hear().await.map_err(said)? else {
        return Err("a table begins with everything".to_owned());
    };
    if record.is_empty() {
        until(&mut line, v).await?;
    }
    Ok(since.elapsed())
}

/// Two people who look for an opponent again and again, as do attackers who never come.
pub async fn seek(base: String, seen: Shared, over: Arc<AtomicBool>) {
    while !over.load(Ordering::Relaxed) {
        match paired(&base, &over).await {
            Ok(Some(waited)) => seen.lock().expect("nobody panics").pairings.push(waited),
            Ok(None) => return,
            Err(why) => {
                seen.lock().expect("nobody panics").suffered.push(format!("looking for an opponent: {why}"));
                return;
            }
        }
        tokio::time::sleep(LEISURE * 2).await;
    }
}

/// Waits until both are at one table; `None` when `over` is set before.
async fn paired(base: &str, over: &AtomicBool) -> Result<Option<Duration>, String> {
    let said = |why: client::Error| why.to_string();
    let guests = [Guest::enter(base).await.map_err(said)?, Guest::enter(base).await.map_err(said)?];
    let since = Instant::now();
    let mut here: [Option<(String, Connection)>; 2] = [None, None];
    while !over.load(Ordering::Relaxed) {
        for (guest, here) in guests.iter().zip(&mut here) {
            let told = guest.post(&["api", "pool"], &at_once()).await.map_err(said)?;
            let Some(table) = told["table"].as_str() else { continue };
            if here.as_ref().is_none_or(|(id, _)| id != table) {
                *here = Some((table.to_owned(), guest.connect(table, None).await.map_err(said)?));
            }
        }
        if let [Some((one, _)), Some((other, _))] = &here
            && one == other
        {
            return Ok(Some(since.elapsed()));
        }
        if since.elapsed() > PATIENCE {
            return Err("nobody was found".to_owned());
        }
        tokio::time::sleep(AGAIN).await;
    }
    Ok(None)
}

/// Looks at puzzles and their answers, and brings a record now and then.
pub async fn study(base: String, seen: Shared, over: Arc<AtomicBool>) {
    let mut number = 0;
    let who = Guest::enter(&base).await;
    while !over.load(Ordering::Relaxed) {
        let asked = Instant::now();
        number += 1;
        let came = match &who {
            Ok(who) => studied(who, number).await,
            Err(why) => Err(why.to_string()),
        };
        {
            let mut seen = seen.lock().expect("nobody panics");
            seen.others.push(asked.elapsed());
            if let Err(why) = came {
                seen.suffered.push(format!("a puzzle and a record: {why}"));
                return;
            }
        }
        tokio::time::sleep(LEISURE).await;
    }
}

async fn studied(who: &Guest, number: usize) -> Result<(), String> {
    let said = |why: client::Error| why.to_string();
    let family = ["xiangqi", "draughts", "gomoku", "locked"][number % 4];
    let found = who.get(&format!("/api/puzzles/next?family={family}")).await.map_err(said)?;
    let puzzle = found["id"].as_str().ok_or_else(|| format!("no puzzle: {found}"))?;
    let given_up = serde_json::json!({"moves": [], "give_up": true});
    who.post(&["api", "puzzles", puzzle, "try"], &given_up).await.map_err(said)?;
    if number % RECORDS != 1 {
        return Ok(());
    }
    let moves: Vec<String> = (0..40).map(cell).collect();
    let record = serde_json::json!({"format": "qiguan-record", "version": 1, "game": "gomoku/freestyle",
        "options": {"size": SIZE}, "moves": moves});
    let brought = serde_json::json!({"content": record.to_string()});
    who.post(&["api", "records"], &brought).await.map_err(said).map(drop)
}
