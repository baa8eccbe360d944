//! The hall of the built program under attack, while two people play there, two look for an opponent and one solves
//! puzzles and imports records: none of their moves is refused or lost, none of their requests is refused, `/health`
//! answers, and the hall lives. The times of moves and pairings are printed and fail nothing.
//!
//! Attackers come from addresses of their own, 127.0.0.2 and so on, as strangers do. Strangers also bring processors of
//! their own: here their threads have a low priority, and the honest wait in threads of their own, so that what is measured
//! is the hall. A short form; the long one when `QIGUAN_DEEP` is set (`scripts/attack.sh`).
#![cfg(target_os = "linux")]

#[path = "attacks/honest.rs"]
mod honest;
mod running;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use honest::{PATIENCE, Seen, Shared, at_once, cell, gomoku, p99};
use reqwest::Method;
use running::Hall;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use wire::{EventKind, Opponent, ServerMessage, Side};

/// A stranger with an address.
#[derive(Clone)]
struct Attacker {
    address: Ipv4Addr,
    hall: SocketAddr,
    http: reqwest::Client,
}

/// A guest of theirs.
type Secret = String;

impl Attacker {
    fn at(url: &str, number: u8) -> Attacker {
        let address = Ipv4Addr::new(127, 0, 0, number);
        let http = reqwest::Client::builder().local_address(Some(address.into())).timeout(PATIENCE);
        let hall = url.trim_start_matches("http://").parse().expect("an address");
        Attacker { address, hall, http: http.build().expect("a client") }
    }

    /// Status, where it is answered, and body.
    async fn ask(&self, method: Method, path: &str, who: &str, body: Option<String>) -> (u16, Value) {
        let mut request = self.http.request(method, format!("http://{}{path}", self.hall));
        if !who.is_empty() {
            request = request.bearer_auth(who);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        let Ok(answer) = request.send().await else { return (0, Value::Null) };
        let status = answer.status().as_u16();
        let text = answer.text().await.unwrap_or_default();
        (status, serde_json::from_str(&text).unwrap_or_default())
    }

    async fn guest(&self) -> Option<Secret> {
        let (_, answer) = self.ask(Method::POST, "/api/guests", "", None).await;
        answer["secret"].as_str().map(str::to_owned)
    }

    async fn open(&self, who: &str, wish: &wire::CreateTable) -> (u16, Option<String>) {
        let wish = serde_json::to_string(wish).expect("plain data");
        let (status, answer) = self.ask(Method::POST, "/api/tables", who, Some(wish)).await;
        (status, answer["id"].as_str().map(str::to_owned))
    }

    async fn tcp(&self) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((self.address, 0).into())?;
        socket.connect(self.hall).await
    }

    async fn socket(&self, path: &str, who: &str) -> Option<WebSocketStream<TcpStream>> {
        let mut request = format!("ws://{}{path}", self.hall).into_client_request().ok()?;
        request.headers_mut().insert("authorization", format!("Bearer {who}").parse().ok()?);
        request.headers_mut().insert("sec-websocket-protocol", wire::SUBPROTOCOL.parse().ok()?);
        let stream = self.tcp().await.ok()?;
        tokio_tungstenite::client_async(request, stream).await.ok().map(|(socket, _)| socket)
    }
}

async fn hear(socket: &mut WebSocketStream<TcpStream>) -> Option<ServerMessage> {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await.ok()??.ok()?;
        match message {
            Message::Text(text) => return serde_json::from_str(&text).ok(),
            Message::Close(_) => return None,
            _ => {}
        }
    }
}

/// Returns the number of answers with each status; 0: no answer.
fn counted(statuses: impl IntoIterator<Item = u16>) -> String {
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    statuses.into_iter().for_each(|status| *counts.entry(status).or_default() += 1);
    let counts: Vec<String> = counts.iter().map(|(status, count)| format!("{count}x {status}")).collect();
    counts.join(", ")
}

/// The outcome of an attack, for the table; an error where it hurt an honest person.
type Came = Result<String, String>;

#[test]
fn honest_people_play_on_under_attack() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::start(data.path());
    // As low as the searches of the hall, which must not inherit it.
    let lower = || {
        let _ = rustix::process::nice(10);
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().on_thread_start(lower).build();
    let runtime = runtime.expect("a runtime");
    let attack = runtime.spawn(attack(hall, std::env::var_os("QIGUAN_DEEP").is_some()));
    let suffered = runtime.block_on(attack).expect("attackers do not panic");
    assert!(suffered.is_empty(), "{}", suffered.join("\n"));
}

async fn attack(mut hall: Hall, deep: bool) -> Vec<String> {
    let url = hall.url.clone();
    let (seen, over) = (Shared::default(), Arc::new(AtomicBool::new(false)));
    let honest = [
        alone(honest::play(url.clone(), Arc::clone(&seen), Arc::clone(&over))),
        alone(honest::feel(url.clone(), Arc::clone(&seen), Arc::clone(&over))),
        alone(honest::seek(url.clone(), Arc::clone(&seen), Arc::clone(&over))),
        alone(honest::study(url.clone(), Arc::clone(&seen), Arc::clone(&over))),
    ];
    let mut all = Vec::new();
    println!(
        "| attack | what happened | moves p99 | slowest | /health slowest | pairing slowest | puzzles, records p99 | memory | verdict |\n|---|---|---|---|---|---|---|---|---|"
    );
    for (number, name) in NAMES.into_iter().enumerate() {
        let before = mark(&seen);
        let came = match number {
            0 => nobody(&seen).await,
            1 => chosen_ids(&Attacker::at(&url, 2), if deep { 6 } else { 2 }).await,
            2 => imports(&Attacker::at(&url, 3), deep).await,
            3 => strong_programs(&Attacker::at(&url, 4), &url, deep).await,
            4 => reports(&Attacker::at(&url, 5), deep).await,
            5 => half_heads(&Attacker::at(&url, 6), &url, deep).await,
            6 => lobby(&Attacker::at(&url, 7), deep).await,
            7 => malformed_messages(&Attacker::at(&url, 8), deep).await,
            8 => malformed_requests(&Attacker::at(&url, 9), deep).await,
            9 => ghosts(&Attacker::at(&url, 21), deep).await,
            10 => mailbox(&Attacker::at(&url, 22), &url).await,
            11 => sign_ups(&Attacker::at(&url, 23), deep).await,
            _ => everything(&url, deep).await,
        };
        // At least one move and one question after it.
        after(&seen).await;
        let Seen { moves, pulses, pairings, others, mut suffered } = since(&seen, before);
        if !hall.is_alive() {
            suffered.push("the hall died".to_owned());
        }
        let came = came.unwrap_or_else(|why| {
            suffered.push(why.clone());
            why
        });
        let slowest = |waits: &[Duration]| waits.iter().max().copied().unwrap_or_default();
        let verdict = match suffered.as_slice() {
            [] if p99(&moves) >= Duration::from_millis(250)
                || slowest(&pairings) >= Duration::from_secs(5) =>
            {
                "stands, slowly".to_owned()
            }
            [] => "stands".to_owned(),
            suffered => format!("FAILED: {}", suffered.join("; ")),
        };
        println!(
            "| {name} | {came} | {:.0?} of {} | {:.0?} | {:.0?} | {:.1?} of {} | {:.0?} of {} | {} MB | {verdict} |",
            p99(&moves),
            moves.len(),
            slowest(&moves),
            slowest(&pulses),
            slowest(&pairings),
            pairings.len(),
            p99(&others),
            others.len(),
            hall.memory() / 1024
        );
        all.extend(suffered.into_iter().map(|why| format!("{name}: {why}")));
        if !hall.is_alive() {
            break;
        }
    }
    if deep {
        // Tables without visitors are put away after a minute.
        tokio::time::sleep(Duration::from_secs(90)).await;
        println!("memory of the hall a minute and a half later: {} MB", hall.memory() / 1024);
    }
    over.store(true, Ordering::Relaxed);
    let before = mark(&seen);
    for thread in honest {
        thread.join().expect("honest people do not panic");
    }
    all.extend(since(&seen, before).suffered);
    all
}

/// Runs work on a thread of its own.
fn alone(work: impl Future<Output = ()> + Send + 'static) -> std::thread::JoinHandle<()> {
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(work);
    })
}

const NAMES: [&str; 13] = [
    "none, to compare",
    "command ids of programs",
    "imports and replays",
    "games of level 10",
    "reports by nobody",
    "half heads, silence",
    "the lobby",
    "malformed messages",
    "malformed requests",
    "ghosts at play now",
    "a mailbox filled",
    "accounts and codes",
    "all of them at once",
];

/// Returns the numbers of entries seen so far.
fn mark(seen: &Shared) -> [usize; 5] {
    let Seen { moves, pulses, pairings, others, suffered } = &*seen.lock().expect("nobody panics");
    [moves.len(), pulses.len(), pairings.len(), others.len(), suffered.len()]
}

fn since(seen: &Shared, mark: [usize; 5]) -> Seen {
    let Seen { moves, pulses, pairings, others, suffered } = &*seen.lock().expect("nobody panics");
    Seen {
        moves: moves[mark[0]..].to_vec(),
        pulses: pulses[mark[1]..].to_vec(),
        pairings: pairings[mark[2]..].to_vec(),
        others: others[mark[3]..].to_vec(),
        suffered: suffered[mark[4]..].to_vec(),
    }
}

/// Waits until a move and an answer of `/health` that were sent after this call have come, or an honest person has
/// suffered.
async fn after(seen: &Shared) {
    let [moves, pulses, .., suffered] = mark(seen);
    let since = Instant::now();
    loop {
        let now = mark(seen);
        let heard = now[0] > moves + 1 && now[1] > pulses + 1;
        if heard || now[4] > suffered || since.elapsed() > PATIENCE * 2 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Runs all attacks at the same time, from ten addresses.
async fn everything(url: &str, deep: bool) -> Came {
    let attackers: Vec<Attacker> = (11..=20).map(|number| Attacker::at(url, number)).collect();
    let beside = tokio::spawn(more_at_once(url.to_owned(), deep));
    let came = tokio::join!(
        chosen_ids(&attackers[0], if deep { 6 } else { 2 }),
        imports(&attackers[1], deep),
        imports(&attackers[2], deep),
        strong_programs(&attackers[3], url, deep),
        reports(&attackers[4], deep),
        half_heads(&attackers[5], url, deep),
        lobby(&attackers[6], deep),
        malformed_messages(&attackers[7], deep),
        malformed_requests(&attackers[8], deep),
        malformed_requests(&attackers[9], deep),
    );
    let (a, b, c, d, e, f, g, h, i, j) = came;
    let beside = beside.await.expect("attackers do not panic");
    let came = [a, b, c, d, e, f, g, h, i, j].into_iter().chain(beside);
    let came = came.collect::<Result<Vec<String>, String>>()?;
    Ok(format!("{} attackers did as above", came.len()))
}

/// Runs further attacks from the same addresses, beside the others.
async fn more_at_once(url: String, deep: bool) -> Vec<Came> {
    let attackers: Vec<Attacker> = (11..=13).map(|number| Attacker::at(&url, number)).collect();
    let came = tokio::join!(
        ghosts(&attackers[0], deep),
        mailbox(&attackers[1], &url),
        sign_ups(&attackers[2], deep)
    );
    vec![came.0, came.1, came.2]
}

/// Guests who look for an opponent as honest people do, and come to no table.
async fn ghosts(attacker: &Attacker, deep: bool) -> Came {
    let mut guests = Vec::new();
    for _ in 0..30 {
        guests.extend(attacker.guest().await);
    }
    let wish = serde_json::to_string(&at_once()).expect("plain data");
    let (mut statuses, mut tables) = (Vec::new(), 0);
    for _ in 0..if deep { 40 } else { 12 } {
        for who in &guests {
            let (status, told) = attacker.ask(Method::POST, "/api/pool", who, Some(wish.clone())).await;
            statuses.push(status);
            tables += usize::from(told["table"].is_string());
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    Ok(format!("{} guests asked: {}; {tables} times told a table", guests.len(), counted(statuses)))
}

/// Challenges one person from fifty guests; then an honest person challenges them.
async fn mailbox(attacker: &Attacker, url: &str) -> Came {
    let said = |why: client::Error| format!("an honest person: {why}");
    let guest = client::Guest::enter(url).await.map_err(said)?;
    let name = format!("Victim{}", attacker.address.octets()[3]);
    let signing_up = json!({"name": name, "password": "long enough a password"});
    let account = guest.post(&["api", "account"], &signing_up).await.map_err(said)?;
    let secret = account["secret"].as_str().ok_or("no account")?;
    let victim = client::Guest::signed_in(url, secret).await.map_err(said)?.ok_or("not signed in")?;
    let path = format!("/api/challenge/{}", victim.player.id);
    let wish = json!({"game": "gomoku/freestyle", "clock": {"kind": "none"}});
    let mut statuses = Vec::new();
    for _ in 0..50 {
        let Some(who) = attacker.guest().await else { continue };
        statuses.push(attacker.ask(Method::POST, &path, &who, Some(wish.to_string())).await.0);
    }
    let friend = client::Guest::enter(url).await.map_err(said)?;
    let made = friend.post(&["api", "challenge", &victim.player.id], &wish).await.map_err(said)?;
    let waiting = victim.get("/api/challenges").await.map_err(said)?;
    let received = waiting["received"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !received.iter().any(|line| line["id"] == made["id"]) {
        return Err("an honest challenge did not arrive".to_owned());
    }
    Ok(format!("{}; {} wait, an honest one among them", counted(statuses), received.len()))
}

/// Makes accounts, whose passwords cost processor time, and guesses recovery codes.
async fn sign_ups(attacker: &Attacker, deep: bool) -> Came {
    let mut all = JoinSet::new();
    for number in 0..if deep { 80 } else { 16 } {
        let attacker = attacker.clone();
        all.spawn(async move {
            let Some(who) = attacker.guest().await else { return (0, 0) };
            let name = format!("Flood{}x{number}", attacker.address.octets()[3]);
            let wish = json!({"name": name, "password": "long enough a password"}).to_string();
            let made = attacker.ask(Method::POST, "/api/account", &who, Some(wish)).await.0;
            let guess = json!({"name": name, "code": "AAAA-BBBB-CCCC-DDDD", "password": "another password"});
            (made, attacker.ask(Method::POST, "/api/session/recovery", "", Some(guess.to_string())).await.0)
        });
    }
    let (made, guessed): (Vec<u16>, Vec<u16>) = all.join_all().await.into_iter().unzip();
    Ok(format!("accounts: {}; guessed codes: {}", counted(made), counted(guessed)))
}

async fn nobody(seen: &Shared) -> Came {
    for _ in 0..3 {
        after(seen).await;
    }
    Ok("two people play".to_owned())
}

/// Sends commands with ids like those of the program at the table: once, the table's task never ended, or the program
/// never moved.
async fn chosen_ids(attacker: &Attacker, offsets: u64) -> Came {
    let who = attacker.guest().await.ok_or("no guest")?;
    let mut tried = 0;
    for offset in 1..=offsets {
        for (moves, offers) in
            [("declines", "agrees"), ("move", "agrees"), ("agrees", "declines"), ("move", "move")]
        {
            let wish = wire::CreateTable { side: Some(Side::First), ..gomoku(Some(Opponent::Level(1))) };
            let (status, id) = attacker.open(&who, &wish).await;
            let id = id.ok_or_else(|| format!("a table was refused: {status}"))?;
            let socket = attacker.socket(&format!("/ws?table={id}"), &who).await;
            let mut socket = socket.ok_or("no connection")?;
            let Some(ServerMessage::Full { v, .. }) = hear(&mut socket).await else {
                return Err("a table begins with everything".to_owned());
            };
            let wished = json!({"t": "do", "cmd": format!("engine-{moves}-{}", v + offset), "ver": v,
                "act": {"k": "move", "move": "h8"}});
            let v = answered(&mut socket, &wished, EventKind::Move).await?;
            // What is offered is agreed to, and taken back.
            let wished = json!({"t": "do", "cmd": format!("engine-{offers}-{}", v + offset - 1), "ver": v,
                "act": {"k": "offer", "what": "takeback"}});
            answered(&mut socket, &wished, EventKind::Takeback).await?;
            let (status, _) = attacker.ask(Method::GET, &format!("/api/tables/{id}"), "", None).await;
            if status != 200 {
                return Err(format!("the table answers {status} afterwards"));
            }
            tried += 1;
        }
    }
    Ok(format!("{tried} tables: each program moved and agreed"))
}

/// Waits until the program has done its part; returns the version then.
async fn answered(
    socket: &mut WebSocketStream<TcpStream>,
    wish: &Value,
    kind: EventKind,
) -> Result<u64, String> {
    socket.send(Message::text(wish.to_string())).await.map_err(|why| why.to_string())?;
    loop {
        match hear(socket).await {
            Some(ServerMessage::Ev(happened)) if happened.k == kind && happened.cmd.is_none() => {
                return Ok(happened.v);
            }
            Some(ServerMessage::Ev(happened)) if happened.k == EventKind::Decline => {
                return Err(format!("the program declined after {wish}"));
            }
            Some(ServerMessage::No { why, .. }) => return Err(format!("{wish} was refused: {}", why.key)),
            Some(_) => {}
            None => return Err(format!("the program did not answer {wish}")),
        }
    }
}

/// Returns a record of `plies` plies; after 400 no longer a game. The cells begin in the middle of the board, not as
/// those of the honest, since a position that others are playing is refused.
fn record(plies: usize) -> String {
    let moves: Vec<String> = (0..plies).map(|ply| cell((200 + ply) % 400)).collect();
    let record = json!({"format": "qiguan-record", "version": 1, "game": "gomoku/freestyle", "options": {"size": 20},
        "moves": moves});
    json!({"content": record.to_string()}).to_string()
}

async fn imports(attacker: &Attacker, deep: bool) -> Came {
    let who = attacker.guest().await.ok_or("no guest")?;
    let imported = async |plies| attacker.ask(Method::POST, "/api/records", &who, Some(record(plies))).await;
    let (long, _) = imported(20_000).await;
    let (status, table) = imported(400).await;
    // With several attacks at once the limit for records may be used up already.
    let Some(id) = table["id"].as_str() else { return Ok(format!("records are refused: {status}")) };
    let id = id.to_owned();
    let mut flood = JoinSet::new();
    for i in 0..if deep { 600 } else { 120 } {
        let (attacker, who, path) = (attacker.clone(), who.clone(), format!("/api/tables/{id}/replay"));
        flood.spawn(async move {
            if i % 4 == 0 {
                (0, attacker.ask(Method::POST, "/api/records", &who, Some(record(400))).await.0)
            } else {
                (1, attacker.ask(Method::GET, &path, "", None).await.0)
            }
        });
    }
    let answers = flood.join_all().await;
    let of = |kind| counted(answers.iter().filter(|(k, _)| *k == kind).map(|(_, status)| *status));
    Ok(format!("20 000 plies: {long}; 400 plies each: {}; replays: {}", of(0), of(1)))
}

async fn strong_programs(attacker: &Attacker, url: &str, deep: bool) -> Came {
    let mut tables = JoinSet::new();
    for _ in 0..if deep { 30 } else { 6 } {
        let attacker = attacker.clone();
        tables.spawn(async move {
            let who = attacker.guest().await?;
            let wish = wire::CreateTable {
                game: "xiangqi".to_owned(),
                options: BTreeMap::new(),
                ..gomoku(Some(Opponent::Level(10)))
            };
            let (_, id) = attacker.open(&who, &wish).await;
            attacker.socket(&format!("/ws?table={}", id?), &who).await
        });
    }
    let sockets: Vec<_> = tables.join_all().await.into_iter().flatten().collect();
    let waited = honest::wait_for_a_program(url, if deep { 10 } else { 3 }).await?;
    Ok(format!("{} games; an honest person waited {waited:.1?} for a program", sockets.len()))
}

async fn reports(attacker: &Attacker, deep: bool) -> Came {
    let who = attacker.guest().await.ok_or("no guest")?;
    let mut statuses = (Vec::new(), Vec::new());
    for _ in 0..if deep { 36 } else { 6 } {
        let (status, table) = attacker.ask(Method::POST, "/api/records", &who, Some(record(300))).await;
        let Some(id) = table["id"].as_str() else {
            statuses.0.push(status);
            continue;
        };
        // Only games that are over are judged.
        let socket = attacker.socket(&format!("/ws?table={id}"), &who).await;
        let mut socket = socket.ok_or("no connection")?;
        let Some(ServerMessage::Full { v, .. }) = hear(&mut socket).await else {
            return Err("a table begins with everything".to_owned());
        };
        let wish = json!({"t": "do", "cmd": "give-it-up", "ver": v, "act": {"k": "resign"}});
        socket.send(Message::text(wish.to_string())).await.map_err(|why| why.to_string())?;
        while !matches!(hear(&mut socket).await.ok_or("no answer")?, ServerMessage::Ev(_)) {}
        let path = format!("/api/tables/{id}/report");
        statuses.0.push(attacker.ask(Method::POST, &path, "", None).await.0);
        statuses.1.push(attacker.ask(Method::POST, &path, &who, None).await.0);
    }
    if statuses.0.contains(&200) {
        return Err("a report was begun for nobody".to_owned());
    }
    Ok(format!("without a person: {}; with one: {}", counted(statuses.0), counted(statuses.1)))
}

async fn half_heads(attacker: &Attacker, url: &str, deep: bool) -> Came {
    let mut open = Vec::new();
    let mut refused = 0;
    for i in 0..if deep { 600 } else { 150 } {
        let Ok(mut stream) = attacker.tcp().await else {
            refused += 1;
            continue;
        };
        if i % 2 == 0 {
            let _ = stream.write_all(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: ").await;
        }
        open.push(stream);
    }
    let held = open.len();
    client::Guest::enter(url).await.map_err(|why| format!("an honest guest was kept out: {why}"))?;
    if !deep {
        return Ok(format!("{held} connections held, {refused} refused; an honest guest came in"));
    }
    let mut waits = JoinSet::new();
    for mut stream in open {
        waits.spawn(async move {
            let mut answer = Vec::new();
            let end = tokio::time::timeout(Duration::from_secs(100), stream.read_to_end(&mut answer));
            end.await.is_ok()
        });
    }
    let closed = waits.join_all().await.into_iter().filter(|closed| *closed).count();
    Ok(format!("{held} connections held, {refused} refused; {closed} were closed within 100 s"))
}

async fn lobby(attacker: &Attacker, deep: bool) -> Came {
    let (bytes, told) = (Arc::new(Mutex::new(0_usize)), Arc::new(AtomicUsize::new(0)));
    let mut watchers = JoinSet::new();
    let mut watching = 0;
    let who = attacker.guest().await.ok_or("no guest")?;
    for _ in 0..if deep { 180 } else { 40 } {
        let Some(mut socket) = attacker.socket("/ws/lobby", &who).await else { continue };
        watching += 1;
        let (bytes, told) = (Arc::clone(&bytes), Arc::clone(&told));
        watchers.spawn(async move {
            let mut texts = 0;
            while let Some(Ok(message)) = socket.next().await {
                *bytes.lock().expect("nobody panics") += message.len();
                texts += usize::from(message.is_text());
                if message.is_text() && texts == 2 {
                    told.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
    }
    let begun = Instant::now();
    let mut openers = JoinSet::new();
    for opener in 0..if deep { 20 } else { 8 } {
        let attacker = attacker.clone();
        openers.spawn(async move {
            let Some(who) = attacker.guest().await else { return vec![0] };
            let (mut statuses, mut here) = (Vec::new(), Vec::new());
            for table in 0..20 {
                // A person must be present, or it is not listed.
                let room = Some(format!("flood {opener} {table}"));
                let wish = wire::CreateTable { how: wire::How::Room, room, ..gomoku(None) };
                let (status, id) = attacker.open(&who, &wish).await;
                statuses.push(status);
                let Some(id) = id else { continue };
                here.extend(attacker.socket(&format!("/ws?table={id}"), &who).await);
            }
            statuses
        });
    }
    let statuses = counted(openers.join_all().await.into_iter().flatten());
    let seconds = begun.elapsed().as_secs_f64();
    let since = Instant::now();
    while told.load(Ordering::Relaxed) < watching && since.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let told = told.load(Ordering::Relaxed);
    watchers.shutdown().await;
    let megabytes = *bytes.lock().expect("nobody panics") as f64 / 1e6;
    Ok(format!(
        "{watching} watchers, {told} were told; tables: {statuses} in {seconds:.1} s; {megabytes:.1} MB to the watchers"
    ))
}

async fn malformed_messages(attacker: &Attacker, deep: bool) -> Came {
    let who = attacker.guest().await.ok_or("no guest")?;
    let (status, id) = attacker.open(&who, &gomoku(None)).await;
    let id = id.ok_or_else(|| format!("a table was refused: {status}"))?;
    let long = "x".repeat(5000);
    let messages = [
        Message::text(""),
        Message::text("{"),
        Message::text("null"),
        Message::text("[".repeat(4000)),
        Message::text("{\"t\":".repeat(800)),
        Message::text(r#"{"t":"do","cmd":"","ver":-1,"act":{"k":"move","move":"h8"}}"#),
        Message::text(
            r#"{"t":"do","cmd":"12345678","ver":18446744073709551615,"act":{"k":"move","move":"h8"}}"#,
        ),
        Message::text(r#"{"t":"do","cmd":"12345678","ver":1e400,"act":{"k":"sit","side":"third"}}"#),
        Message::text(
            r#"{"t":"do","cmd":"12345678","ver":1,"act":{"k":"move","move":"\u0000\ud83d\ude00"}}"#,
        ),
        Message::text(
            r#"{"t":"do","cmd":"12345678","ver":1,"act":{"k":"offer","what":"takeback","plies":4294967295}}"#,
        ),
        Message::text(r#"{"t":"ping","n":99999999999999999999}"#),
        Message::text(long.clone()),
        Message::binary(vec![0xff; 4000]),
        Message::binary(long.into_bytes()),
    ];
    let (mut sent, mut closed) = (0, 0);
    for _ in 0..if deep { 20 } else { 2 } {
        for message in &messages {
            let Some(mut socket) = attacker.socket(&format!("/ws?table={id}"), &who).await else { continue };
            let _ = socket.send(message.clone()).await;
            let _ = socket.send(Message::text(r#"{"t":"ping","n":7}"#)).await;
            sent += 1;
            let pong = async {
                loop {
                    match hear(&mut socket).await {
                        Some(ServerMessage::Pong { n: 7 }) => break true,
                        Some(_) => {}
                        None => break false,
                    }
                }
            };
            closed += usize::from(!pong.await);
        }
    }
    Ok(format!("{sent} sent; {closed} connections were closed, the others went on"))
}

async fn malformed_requests(attacker: &Attacker, deep: bool) -> Came {
    let who = attacker.guest().await.ok_or("no guest")?;
    let long = "a".repeat(20_000);
    let bodies =
        ["", "{", "null", "[]", r#"{"game":7}"#, &"[".repeat(10_000), &format!("{{\"game\":\"{long}\"}}")];
    let paths = [
        "/api/tables",
        "/api/records",
        "/api/positions",
        "/api/maps",
        "/api/maps/check",
        "/api/workshop/read",
    ];
    let mut statuses = Vec::new();
    for path in paths {
        for body in bodies {
            statuses.push(attacker.ask(Method::POST, path, &who, Some(body.to_owned())).await.0);
        }
    }
    for path in [
        "/api/tables/%00",
        "/api/tables/..%2f..%2fhall.db",
        "/api/rooms/%ff%fe",
        "/ws?table=%20",
        "/%2e%2e/hall.db",
    ] {
        statuses.push(attacker.ask(Method::GET, path, &who, None).await.0);
    }
    let (mut raw, mut unanswered) = (0, 0);
    for _ in 0..if deep { 50 } else { 3 } {
        for bytes in [
            &b"\0\x01\x02\xff\xfe\r\n\r\n"[..],
            b"GET / HTTP/9.9\r\n\r\n",
            b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
            b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        ] {
            let Ok(mut stream) = attacker.tcp().await else { continue };
            let _ = stream.write_all(bytes).await;
            let _ = stream.shutdown().await;
            raw += 1;
            let end = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut Vec::new())).await;
            unanswered += usize::from(end.is_err());
        }
    }
    if statuses.contains(&500) {
        return Err(format!("an error of the hall's own: {}", counted(statuses)));
    }
    Ok(format!("{}; {raw} of raw bytes, {unanswered} left open", counted(statuses)))
}
