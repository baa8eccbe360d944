//! Catches a hall of several nodes that loses a move, does one twice, or lets two nodes own a table.
//!
//! The nodes are halls in this process that share a PostgreSQL of the test's own; where it is not installed, the
//! tests return, which `scripts/test.sh` names as skipped.

#[path = "../../../store/tests/common/server.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod server;

use std::time::{Duration, Instant};

use client::{Connection, Guest, Seat};
use edge::limits::Limits;
use edge::reach::Reach;
use hall::{Running, Settings, Shared};
use members::notices::NoticeSettings;
use serde_json::json;
use store::Join;
use tempfile::TempDir;
use thinking::Foreign;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use wire::{Act, AnalysisMessage, ClockSpec, How, Side, StudyDone, StudyHear, StudySay};

use crate::analysis;
use crate::house::{done, gomoku, hear, level, moves, refused, soon, table_of, timed};
use crate::studies::hear as hear_study;

/// A node of a hall.
pub struct Node {
    running: Option<Running>,
    pub base: String,
    _data: TempDir,
}

impl Node {
    pub async fn open(database: &str, name: &str) -> Node {
        Node::open_at(database, name, "postgres").await
    }

    async fn open_at(database: &str, name: &str, bus: &str) -> Node {
        let server = server::server().expect("is there");
        server.make(database);
        let data = tempfile::tempdir().expect("a folder");
        let listen = ([127, 0, 0, 1], 0).into();
        let join = Join { url: server.url(database), node: name.to_owned() };
        let running = hall::serve(Settings {
            shared: Some(Shared { join, bus: bus::Address::new(bus) }),
            waiting: |_| {},
            keep: Default::default(),
            listen,
            admin: Some(listen),
            data: data.path().to_owned(),
            reach: Reach::default(),
            limits: Limits { on: false, ..Limits::default() },
            loader: None,
            foreign: Foreign::default(),
            notices: NoticeSettings { loopback: true, ..NoticeSettings::default() },
            tls: None,
            mail: None,
            openid: None,
        })
        .await
        .expect("opens");
        let base = format!("http://{}", running.address);
        Node { running: Some(running), base, _data: data }
    }

    pub async fn guest(&self) -> Guest {
        Guest::enter(&self.base).await.expect("lets everybody in")
    }

    pub async fn account(&self, name: &str) -> Guest {
        let wish = json!({"name": name, "password": "plays 7 games"});
        let made = self.guest().await.post(&["api", "account"], &wish).await.expect("an account");
        Guest::known(&self.base, made["secret"].as_str().expect("a secret")).await.expect("is known")
    }

    /// Returns the same person at this node.
    async fn welcome(&self, guest: &Guest) -> Guest {
        Guest::known(&self.base, guest.secret()).await.expect("is known everywhere")
    }

    /// Returns the number of messages on the bus that were dropped, of that kind, by all nodes in this process.
    async fn measured(&self, kind: &str) -> u64 {
        let admin = self.running.as_ref().and_then(|running| running.admin).expect("a listener of its own");
        let text = reqwest::get(format!("http://{admin}/metrics")).await.expect("answers").text().await;
        let text = text.expect("text");
        let name = format!("hall_bus_refused_total{{kind=\"{kind}\"}} ");
        let count = text.lines().find_map(|line| line.strip_prefix(&name)?.parse().ok());
        assert!(count.is_none() || text.contains("# HELP hall_bus_refused_total Messages"), "{text}");
        count.unwrap_or(0)
    }

    pub async fn stop(&mut self) {
        self.running.take().expect("is open").stop().await;
    }
}

/// A server of NATS that ends with the test.
struct NatsServer(std::process::Child, String);

impl NatsServer {
    async fn start() -> Option<NatsServer> {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port().to_string();
        drop(listener);
        let mut command = std::process::Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &port]).stderr(std::process::Stdio::null());
        let Ok(child) = command.spawn() else {
            eprintln!("skipped: there is no nats-server");
            return None;
        };
        let server = NatsServer(child, format!("nats://127.0.0.1:{port}"));
        soon(async {
            while bus::Nats::open(&bus::Address::new(&server.1)).await.is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
        .await;
        Some(server)
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn is_here() -> bool {
    let is_here = server::server().is_some();
    if !is_here {
        eprintln!("skipped: there is no PostgreSQL");
    }
    is_here
}

pub fn sql(database: &str, sql: &str) -> String {
    server::server().expect("is there").psql(database, sql).expect("is done")
}

/// Returns a table that `a` opens and owns, and two people who sit there, the first at `a` and the second at `b`.
async fn pair(a: &Node, b: &Node, wish: wire::CreateTable) -> ([Guest; 2], [Seat; 2]) {
    let guests = [a.guest().await, b.guest().await];
    let table = guests[0].open(&wish).await.expect("a table").id;
    let mut seats = guests.clone().map(|guest| Seat::new(guest, &table));
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    (guests, seats)
}

/// Returns the number of entries of the log, and the number of different ones.
fn log_of(database: &str, table: &str) -> (u64, u64) {
    let found =
        sql(database, &format!("SELECT count(*) || ' ' || max(ver) FROM event WHERE seating = '{table}'"));
    let (count, last) = found.split_once(' ').expect("two numbers");
    (count.parse().expect("a number"), last.parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_at_two_nodes_play_a_game() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("playing", "a").await, Node::open("playing", "b").await);
    let (_, mut seats) = pair(&a, &b, gomoku(How::Invite)).await;
    let table = table_of(&seats[0]);
    moves(&mut seats, "h8 a1 h9 a2").await;
    // What the owner refuses is refused at the edge, with the owner's reason.
    assert_eq!(
        refused(&mut seats[1], Act::Move { text: "c3".to_owned(), away: false }).await,
        "not-your-turn"
    );
    // Each sees that the other is there.
    for seat in &mut seats {
        soon(async {
            while seat.here != [true, true] {
                hear(seat).await;
            }
        })
        .await;
    }
    moves(&mut seats, "h10 a3 h11 a4 h12").await;
    assert!(seats.iter().all(|seat| seat.end.is_some()), "five in a row");
    assert_eq!(log_of("playing", &table), (11, 11));
    let nodes = sql(
        "playing",
        "SELECT string_agg(n.name || t.n, ' ' ORDER BY n.name) FROM node n, LATERAL
        (SELECT count(*) AS n FROM tip WHERE owner = n.incarnation) t",
    );
    assert_eq!(nodes, "a1 b0");
    // The keeper sees the same: programs as data, a browser as a page that names the table.
    let admin = b.running.as_ref().and_then(|running| running.admin).expect("a listener of its own");
    let ask = reqwest::Client::new().get(format!("http://{admin}/nodes"));
    let page = ask.try_clone().expect("is short").header("accept", "text/html,*/*").send();
    let page = page.await.expect("answers").text().await.expect("text");
    assert!(
        page.starts_with("<!doctype html>") && page.contains(&format!("<td>{table}<td>1<td>11")),
        "{page}"
    );
    let data = ask.send().await.expect("answers").text().await.expect("text");
    let data: serde_json::Value = serde_json::from_str(&data).expect("JSON");
    assert_eq!((&data[0]["name"], &data[0]["tables"]), (&"a".into(), &1.into()));
    a.stop().await;
    b.stop().await;
}

/// Checks that acts of the staff at one node, or of the keeper at none, end connections and sessions at all of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deeds_of_the_staff_are_heeded_by_every_node() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("staffed", "a").await, Node::open("staffed", "b").await);
    let (ann, bob) = (a.account("Ann").await, b.account("Bob").await);
    let cid = a.account("Cid").await;
    sql(
        "staffed",
        "UPDATE person SET roles = 'admin' WHERE id IN (SELECT id FROM person WHERE folded = 'ann')",
    );
    let lobby = async |node: &Node, who: &Guest| {
        let mut lobby = client::Connection::lobby(&node.base, who.secret()).await.expect("connects");
        soon(lobby.hear()).await.expect("hears");
        lobby
    };
    let mut ended = vec![lobby(&a, &bob).await, lobby(&b, &bob).await];
    // By the desk of one node.
    let wish = json!({"decision": "suspend", "days": 1, "reason": "floods"});
    let answer = reqwest::Client::new()
        .post(format!("{}/api/staff/people/bob/decision", a.base))
        .bearer_auth(ann.secret())
        .header("content-type", "application/json")
        .body(wish.to_string());
    assert_eq!(answer.send().await.expect("answers").status(), 204);
    // By the keeper, who is no node and has no bus.
    ended.extend([lobby(&a, &cid).await, lobby(&b, &cid).await]);
    let url = server::server().expect("is there").url("staffed");
    let join = Join { url, node: "admin-test".to_owned() };
    let keeper = store::Store::join(&join).await.expect("enters");
    let desk = members::staff::desk::Desk { store: &keeper, now_ms: store::now_ms() };
    let wish = members::staff::desk::StaffWish::Forget { who: "Cid".to_owned() };
    desk.carry_out(&people::staff::By::keeper(), wish).await.expect("done");
    let announced = wire::NewAnnouncement { en: "Soon.".into(), zh: "马上。".into(), hours: 1 };
    let wish = members::staff::desk::StaffWish::Announce(announced);
    desk.carry_out(&people::staff::By::keeper(), wish).await.expect("done");
    keeper.condition.close().await;
    let begun = Instant::now();
    for mut line in ended {
        while soon(line.hear()).await.is_ok() {}
    }
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    for node in [&a, &b] {
        for gone in [&bob, &cid] {
            assert!(Guest::signed_in(&node.base, gone.secret()).await.expect("answers").is_none());
        }
        soon(async {
            loop {
                let house = reqwest::get(format!("{}/api/house", node.base)).await.expect("answers");
                if house.text().await.expect("text").contains("Soon.") {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
        .await;
    }
    a.stop().await;
    b.stop().await;
}

/// A program answers a person who is connected at another node than the table's owner, though no clock hurries it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_answers_who_plays_at_another_node() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("answering", "a").await, Node::open("answering", "b").await);
    let guest = a.guest().await;
    let opponent = Some(wire::Opponent::Level(1));
    let wish = wire::CreateTable { opponent, side: Some(Side::First), ..gomoku(How::Invite) };
    let table = guest.open(&wish).await.expect("a table").id;
    let mut seat = Seat::new(b.welcome(&guest).await, &table);
    done(&mut seat, Act::Move { text: "h8".to_owned(), away: false }).await;
    soon(async {
        while seat.record.len() < 2 {
            hear(&mut seat).await;
        }
    })
    .await;
    a.stop().await;
    b.stop().await;
}

/// Help with a running game, or for a player of a rated one, is refused at every node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_other_node_helps_with_a_running_game() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("unhelped", "a").await, Node::open("unhelped", "b").await);
    let (ann, bob, eve) = (a.account("Ann").await, a.account("Bob").await, b.guest().await);
    let clock = ClockSpec::Fischer { base_ms: 600_000, increment_ms: 0 };
    let wish = wire::CreateTable { rated: true, side: Some(Side::First), clock, ..gomoku(How::Invite) };
    let table = ann.open(&wish).await.expect("a table").id;
    let mut seats = [&ann, &bob].map(|guest| Seat::new(guest.clone(), &table));
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    moves(&mut seats, "h8 a1 h9 a2 h10 a4 g8 o15").await;
    let fen = ann.get(&format!("/api/tables/{table}/fen")).await.expect("shown");
    let fen = fen["fen"].as_str().expect("text").to_owned();
    // The first row is the fifteenth, with the stone at o15 alone.
    let emptied = format!("15{}", &fen[fen.find('/').expect("rows")..]);
    let helped = async |who: &Guest, fen: Option<&str>| {
        let who = b.welcome(who).await;
        let copy = wire::CreateTable { fen: fen.map(str::to_owned), ..gomoku(How::Screen) };
        let copy = who.open(&copy).await.expect("a copy is no help").id;
        let path = format!("{}/api/tables/{copy}/lessons", b.base);
        let answer =
            reqwest::Client::new().get(path).bearer_auth(who.secret()).send().await.expect("answers");
        let text = answer.text().await.expect("text");
        let body: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        body["error"]["key"].as_str().unwrap_or("helped").to_owned()
    };
    assert_ne!(fen, emptied);
    assert_eq!(helped(&eve, Some(&fen)).await, "position-in-play");
    assert_eq!(helped(&eve, Some(&emptied)).await, "position-in-play", "one piece less");
    assert_eq!(helped(&eve, None).await, "helped", "another position");
    assert_eq!(helped(&ann, None).await, "rated-game-runs");
    // Who only watched there, and is not told of the end, is helped after it all the same.
    let mut watcher = Seat::new(b.welcome(&bob).await, &table);
    hear(&mut watcher).await;
    drop(watcher);
    done(&mut seats[0], Act::Resign { side: None }).await;
    assert_eq!(helped(&eve, Some(&fen)).await, "helped");
    assert_eq!(helped(&bob, None).await, "helped");
    a.stop().await;
    b.stop().await;
}

/// A program at one node stops helping a person who begins a rated game at another. Once it went on, since a node knew
/// only the rated games of its own tables.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rated_game_at_another_node_stops_a_program() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("stopping", "a").await, Node::open("stopping", "b").await);
    let (ann, bob) = (a.account("Ann").await, a.account("Bob").await);
    let elsewhere = b.welcome(&ann).await;
    let mut casual = Vec::new();
    for _ in 0..10 {
        let opponent = Some(wire::Opponent::Level(1));
        let wish = wire::CreateTable { opponent, side: Some(Side::First), ..gomoku(How::Invite) };
        let table = elsewhere.open(&wish).await.expect("a table").id;
        casual.push(Seat::new(elsewhere.clone(), &table));
    }
    let clock = ClockSpec::Fischer { base_ms: 600_000, increment_ms: 0 };
    let wish = wire::CreateTable { rated: true, side: Some(Side::First), clock, ..gomoku(How::Invite) };
    let table = ann.open(&wish).await.expect("a table").id;
    let mut seats = [&ann, &bob].map(|guest| Seat::new(guest.clone(), &table));
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    moves(&mut seats, "h8 a1").await;
    let answered = async |seat: &mut Seat| {
        while seat.record.len() < 2 {
            hear(seat).await;
        }
    };
    // The news may take a while; from then on no program answers.
    let mut refused = None;
    for mut seat in casual {
        done(&mut seat, Act::Move { text: "h8".to_owned(), away: false }).await;
        if tokio::time::timeout(Duration::from_secs(2), answered(&mut seat)).await.is_err() {
            refused = Some(seat);
            break;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let mut refused = refused.expect("a program that does not answer");
    done(&mut seats[0], Act::Resign { side: None }).await;
    soon(answered(&mut refused)).await;
    a.stop().await;
    b.stop().await;
}

/// An analysis under way at one node ends when its person begins a rated game at another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rated_game_at_another_node_ends_an_analysis() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("looking", "a").await, Node::open("looking", "b").await);
    let (ann, bob) = (a.account("Ann").await, a.account("Bob").await);
    let clock = ClockSpec::Fischer { base_ms: 600_000, increment_ms: 0 };
    let wish = wire::CreateTable { rated: true, side: Some(Side::First), clock, ..gomoku(How::Invite) };
    let table = ann.open(&wish).await.expect("a table").id;
    let mut seats = [&ann, &bob].map(|guest| Seat::new(guest.clone(), &table));
    let elsewhere = b.welcome(&ann).await;
    let screen = elsewhere.open(&gomoku(How::Screen)).await.expect("a table").id;
    let url = format!("{}/ws/study?table={screen}", b.base.replace("http", "ws"));
    let mut request = url.into_client_request().expect("an address");
    let bearer = format!("Bearer {}", elsewhere.secret()).parse().expect("text");
    request.headers_mut().insert("authorization", bearer);
    let mut socket = soon(tokio_tungstenite::connect_async(request)).await.expect("opens").0;
    analysis::look(&mut socket, 1, 0, 5).await;
    analysis::told(&mut socket, |word| match word {
        AnalysisMessage::Found { done, .. } => {
            assert!(!done, "an empty board takes longer");
            Some(())
        }
        AnalysisMessage::No { why, .. } => panic!("{}", why.key),
    })
    .await;
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    moves(&mut seats, "h8 a1").await;
    let key = analysis::told(&mut socket, |word| match word {
        AnalysisMessage::Found { done, .. } => {
            assert!(!done, "looked at to the end");
            None
        }
        AnalysisMessage::No { why, .. } => Some(why.key.to_string()),
    })
    .await;
    assert_eq!(key, "rated-game-runs");
    a.stop().await;
    b.stop().await;
}

/// A person sees that someone whom they follow is connected to another node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_followed_is_seen_at_every_node() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("seen", "a").await, Node::open("seen", "b").await);
    let (ann, bob) = (a.account("Ann").await, b.account("Bob").await);
    let path = format!("{}/api/relations/bob", a.base);
    let follows = reqwest::Client::new().put(path).bearer_auth(ann.secret());
    let follows = follows.header("content-type", "application/json").body(r#"{"follows":true}"#);
    assert_eq!(follows.send().await.expect("answers").status(), 200);
    let mut lobby = Connection::lobby(&b.base, bob.secret()).await.expect("connects");
    soon(lobby.hear()).await.expect("hears");
    soon(async {
        while ann.get("/api/relations").await.expect("answers")[0]["here"] != true {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await;
    a.stop().await;
    b.stop().await;
}

/// An owner that stops as it should frees its tables at once, and no player is charged for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_leaves_hands_its_tables_over() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("leaving", "a").await, Node::open("leaving", "b").await);
    let (guests, mut seats) =
        pair(&a, &b, timed(ClockSpec::Fischer { base_ms: 600_000, increment_ms: 0 })).await;
    moves(&mut seats, "h8 a1 h9 a2").await;
    let table = table_of(&seats[0]);
    let begun = Instant::now();
    a.stop().await;
    seats[0] = Seat::new(b.welcome(&guests[0]).await, &table);
    done(&mut seats[0], Act::Move { text: "h10".to_owned(), away: false }).await;
    assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
    level(&mut seats).await;
    moves(&mut seats, "a3 h11 a4 h12").await;
    assert!(seats.iter().all(|seat| seat.end.is_some()));
    b.stop().await;
}

/// The tables of an owner that falls silent, as when its machine hangs, go on at another node, and it stops. The
/// thinking is charged, the silence is not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_silent_is_buried_and_its_table_goes_on() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("buried", "a").await, Node::open("buried", "b").await);
    let (guests, mut seats) =
        pair(&a, &b, timed(ClockSpec::Fischer { base_ms: 600_000, increment_ms: 0 })).await;
    moves(&mut seats, "h8 a1 h9 a2").await;
    let table = table_of(&seats[0]);
    // As if its last beat had been long ago; it may say once more that it lives, so again and again.
    let mut tries = 0;
    while sql("buried", "SELECT count(*) FROM node WHERE name = 'a'") != "0" {
        let _ = server::server()
            .expect("is there")
            .psql("buried", "UPDATE node SET beat_ms = beat_ms - 60000 WHERE name = 'a'");
        tokio::time::sleep(Duration::from_millis(100)).await;
        tries += 1;
        assert!(tries < 100, "is buried");
    }
    // The owner learns it, and stops.
    let why = soon(a.running.as_mut().expect("is open").damaged()).await;
    assert_eq!(why, store::StoreError::Fenced);
    a.stop().await;
    seats[0] = Seat::new(b.welcome(&guests[0]).await, &table);
    done(&mut seats[0], Act::Move { text: "h10".to_owned(), away: false }).await;
    level(&mut seats).await;
    moves(&mut seats, "a3 h11 a4 h12").await;
    assert!(seats.iter().all(|seat| seat.end.is_some()));
    let pauses = sql(
        "buried",
        &format!("SELECT count(*) FROM event WHERE seating = '{table}' AND body LIKE '%pause%'"),
    );
    assert_eq!(pauses, "1", "the adoption is an event");
    b.stop().await;
}

/// The lobby, the queues of Play now and the sign-outs are the same at all nodes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_nodes_are_one_hall() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("one", "a").await, Node::open("one", "b").await);
    let (ann, bob) = (a.guest().await, b.guest().await);
    let table = ann.open(&gomoku(How::Open)).await.expect("a table").id;
    let mut seat = Seat::new(ann.clone(), &table);
    hear(&mut seat).await;
    soon(async {
        while !bob.tables().await.expect("answers").open.iter().any(|line| line.id == table) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    // Two who want the same meet, wherever they are.
    let wish = json!({
        "game": "gomoku/freestyle", "options": {}, "rated": false,
        "clock": { "kind": "fischer", "base_ms": 60000, "increment_ms": 0 },
    });
    let (one, other) = (b.guest().await, a.guest().await);
    let found = soon(async {
        loop {
            let ask = async |guest: &Guest| {
                guest
                    .post(&["api", "pool"], &wish)
                    .await
                    .ok()
                    .and_then(|told| told["table"].as_str().map(str::to_owned))
            };
            if let (Some(x), Some(y)) = (ask(&one).await, ask(&other).await) {
                return (x, y);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await;
    assert_eq!(found.0, found.1);
    let mut seats = [Seat::new(one, &found.0), Seat::new(other, &found.0)];
    level(&mut seats).await;
    let first = usize::from(seats[0].you != [Side::First]);
    seats.rotate_left(first);
    moves(&mut seats, "h8 a1").await;
    a.stop().await;
    b.stop().await;
}

/// A request to leave a queue reaches the node that keeps it, whichever node gets the request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_stops_waiting_waits_at_no_node() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("waiting", "a").await, Node::open("waiting", "b").await);
    let (ann, bob) = (a.account("Ann").await, a.account("Bob").await);
    let http = reqwest::Client::new();
    // Ann sees how many wait, and is not paired with Bob.
    let blocked = http.put(format!("{}/api/relations/bob", a.base)).bearer_auth(ann.secret());
    let blocked = blocked.json(&json!({ "blocks": true })).send().await.expect("answers");
    assert_eq!(blocked.status(), 200);
    let wish = json!({
        "game": "gomoku/renju", "options": {}, "rated": false,
        "clock": { "kind": "fischer", "base_ms": 60000, "increment_ms": 0 },
    });
    let waiting = async |guest: &Guest| {
        guest.post(&["api", "pool"], &wish).await.ok().and_then(|told| told["waiting"].as_u64())
    };
    for node in [&a, &b] {
        let (ann, bob) = (node.welcome(&ann).await, node.welcome(&bob).await);
        soon(async {
            loop {
                // Well before the queue would take him for gone because he is silent.
                let in_time = Instant::now() + Duration::from_millis(tables::queues::SILENCE_MS - 1_000);
                if (waiting(&bob).await, waiting(&ann).await) != (Some(2), Some(2)) {
                    continue;
                }
                let left = http.delete(format!("{}/api/pool", node.base)).bearer_auth(bob.secret());
                assert_eq!(left.send().await.expect("answers").status(), 204);
                while Instant::now() < in_time {
                    if waiting(&ann).await == Some(1) && Instant::now() < in_time {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        })
        .await;
    }
    a.stop().await;
    b.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_study_is_changed_at_two_nodes_at_once() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("studies", "a").await, Node::open("studies", "b").await);
    let (ann, bob) = (a.account("Ann").await, a.account("Bob").await);
    let bob = b.welcome(&bob).await;
    let wish =
        json!({"name": "Ours", "access": "private", "from": {"name": "One", "game": "gomoku/standard"}});
    let made = ann.post(&["api", "studies"], &wish).await.expect("is made");
    let id = made["study"]["id"].as_str().expect("an id").to_owned();
    let change = async |guest: &Guest, change: serde_json::Value| {
        let done =
            guest.post(&["api", "studies", &id, "changes"], &json!({"base": 0, "change": change})).await;
        serde_json::from_value::<StudyDone>(done.expect("is done")).expect("what was done")
    };
    change(&ann, json!({"t": "invite", "name": "Bob"})).await;

    // Who looks at one node hears what is done at the other, in order, and nothing twice.
    let mut looks = Vec::new();
    for (node, guest) in [(&a, &ann), (&b, &bob)] {
        let path = format!("/ws/studies/{id}?since=2");
        looks.push(Connection::to(&node.base, guest.secret(), &path).await.expect("may look"));
    }
    let work = async |guest: &Guest, file: char| {
        for rank in 1..=15 {
            change(guest, json!({"t": "play", "chapter": 0, "parent": 0, "text": format!("{file}{rank}")}))
                .await;
        }
    };
    tokio::join!(work(&ann, 'a'), work(&bob, 'b'));
    for look in &mut looks {
        for ver in 3..33 {
            let heard = hear_study(look).await;
            let StudyHear::Did { entry } = heard else { panic!("{heard:?}") };
            assert_eq!(entry.ver, ver);
        }
    }
    let seen = async |guest: &Guest| guest.get(&format!("/api/studies/{id}")).await.expect("is there");
    let (at_a, at_b) = (seen(&ann).await, seen(&bob).await);
    assert_eq!(at_a["study"], at_b["study"]);
    let nodes = at_a["study"]["chapters"][0]["nodes"].as_array().expect("nodes");
    let ids: std::collections::BTreeSet<_> = nodes.iter().map(|node| node["id"].as_u64()).collect();
    assert_eq!((nodes.len(), ids.len()), (31, 31), "each has an id of its own");

    // Where one looks, those at the other node hear.
    looks[1].say(&StudySay::At { chapter: 0, node: 1 }).await.expect("is heard");
    for look in &mut looks {
        assert!(matches!(hear_study(look).await, StudyHear::At { node: 1, .. }));
    }
    // Who is put out at one node is gone from the other.
    change(&ann, json!({"t": "dismiss", "id": at_b["study"]["members"][0]["id"]})).await;
    assert_eq!(hear_study(&mut looks[1]).await, StudyHear::Gone);
    a.stop().await;
    b.stop().await;
}

/// A table of staging is not listed in production's lobby (O6).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_halls_at_one_server_are_two_halls() {
    if !is_here() {
        return;
    }
    let Some(nats) = NatsServer::start().await else { return };
    let (mut a, mut b) =
        (Node::open_at("mine", "a", &nats.1).await, Node::open_at("mine", "b", &nats.1).await);
    let mut other = Node::open_at("theirs", "a", &nats.1).await;
    let (ann, bob, eve) = (a.guest().await, b.guest().await, other.guest().await);
    for _ in 0..3 {
        let table = ann.open(&gomoku(How::Open)).await.expect("a table").id;
        let mut seat = Seat::new(ann.clone(), &table);
        hear(&mut seat).await;
        soon(async {
            while !bob.tables().await.expect("answers").open.iter().any(|line| line.id == table) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
        .await;
        assert!(eve.tables().await.expect("answers").open.is_empty(), "what others play is not here");
    }
    for node in [&mut a, &mut b, &mut other] {
        node.stop().await;
    }
}

/// Returns the keys of a hall, as one who can read its database has them.
fn keys_of(database: &str) -> bus::Keys {
    let text = sql(database, "SELECT convert_from(body, 'UTF8') FROM hall_secret WHERE name = 'bus'");
    let row = bus::keys::Row::read(text.as_bytes()).expect("is whole");
    bus::Keys::new(&row, store::now_ms())
}

/// A forged message on the bus plays no move for another person (O1).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_forges_messages_plays_for_nobody() {
    if !is_here() {
        return;
    }
    let Some(nats) = NatsServer::start().await else { return };
    let (mut a, mut b) =
        (Node::open_at("forged", "a", &nats.1).await, Node::open_at("forged", "b", &nats.1).await);
    let forger = bus::Nats::open(&bus::Address::new(&nats.1)).await.expect("anybody may");
    let forger: std::sync::Arc<dyn bus::Bus> = std::sync::Arc::new(forger);
    let mut wire = forger.subscribe(">").await.expect("hears everything");
    let (_, mut seats) = pair(&a, &b, gomoku(How::Invite)).await;
    let table = table_of(&seats[0]);
    moves(&mut seats, "h8 a1 h9").await;
    // The second player's move on its way from the edge to the owner.
    let (subject, sealed) = soon(async {
        loop {
            let message = wire.next().await.expect("is open");
            let text = String::from_utf8_lossy(&message.body).into_owned();
            if text.contains(r#"\"q\":\"do\""#) && text.contains(r#"\"a1\""#) {
                return (message.subject, text);
            }
        }
    })
    .await;
    let (hall, owner) = subject.split_once('.').expect("the hall's name, and where");
    let (_, envelope) = sealed.split_once('\n').expect("a seal");
    let mut envelope = bus::Envelope::read(envelope.as_bytes()).expect("is one");
    let question = envelope.body.replace(r#""a1""#, r#""c3""#);
    let mut question: serde_json::Value = serde_json::from_str(&question).expect("JSON");
    (question["cmd"], question["ver"]) = ("forged".into(), seats[1].ver.into());
    envelope.body = question.to_string();
    let forged = envelope.write().expect("is short");

    let before = log_of("forged", &table);
    let mut stranger = bus::keys::Row::fresh(store::now_ms());
    stranger.hall = hall.to_owned();
    let stranger = std::sync::Arc::new(bus::Keys::new(&stranger, store::now_ms()));
    let stranger = bus::Signed::new(std::sync::Arc::clone(&forger), stranger);
    let edge = sql("forged", "SELECT replace(incarnation, '.', '_') FROM node WHERE name = 'b'");
    for (name, kind, said) in [
        ("without a seal", "form", forger.publish(&subject, forged.clone())),
        ("with another key", "forged", bus::Bus::publish(&stranger, owner, forged.clone())),
        ("once more", "replayed", forger.publish(&subject, sealed.clone().into_bytes())),
        ("to another", "forged", forger.publish(&format!("{hall}.node.{edge}"), sealed.clone().into_bytes())),
    ] {
        let counted = a.measured(kind).await;
        said.await.expect("the server takes anything");
        soon(async {
            while a.measured(kind).await == counted {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
        .await;
        assert_eq!(log_of("forged", &table), before, "{name}");
    }
    // The seal alone was missing.
    let node = bus::Signed::new(forger, std::sync::Arc::new(keys_of("forged")));
    bus::Bus::publish(&node, owner, forged).await.expect("says");
    soon(async {
        while log_of("forged", &table) == before {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    a.stop().await;
    b.stop().await;
}

/// Running nodes learn of a new bus key, and go on accepting each other's messages.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_keys_of_the_bus_are_made_once_and_can_be_new() {
    if !is_here() {
        return;
    }
    let (mut a, mut b) = (Node::open("keys", "a").await, Node::open("keys", "b").await);
    let (_, mut seats) = pair(&a, &b, gomoku(How::Invite)).await;
    moves(&mut seats, "h8 a1").await;
    let first = keys_of("keys");
    let join = Join { url: server::server().expect("is there").url("keys"), node: "admin".to_owned() };
    let store = store::Store::join(&join).await.expect("opens");
    let (hall, key) = tables::cluster::renew_keys(&store, false).await.expect("is stored");
    assert_eq!((hall.as_str(), key), (first.hall(), 2), "the name stays");
    moves(&mut seats, "h9 a2").await;
    let (copy, key) = tables::cluster::renew_keys(&store, true).await.expect("is stored");
    assert!(copy != hall && key == 1, "another hall");
    store.condition.close().await;
    a.stop().await;
    b.stop().await;
}
