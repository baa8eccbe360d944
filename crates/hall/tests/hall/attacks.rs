//! Attacks of strangers on the hall's HTTP interface, and their right outcome.

use std::collections::BTreeSet;
use std::net::SocketAddr;

use client::Seat;
use edge::limits::Limits;
use edge::reach::Reach;
use reqwest::{Method, Response, StatusCode, header};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use wire::{Act, CreateTable, How, Replay, ServerMessage, Side, Tables};

use crate::house::{House, done, gomoku, hear, level, moves, mv, soon, table_of};

/// A person with an address of their own, which the proxy before the hall reports.
struct Stranger<'a> {
    house: &'a House,
    address: &'a str,
    secret: String,
}

impl<'a> Stranger<'a> {
    async fn at(house: &'a House, address: &'a str) -> Stranger<'a> {
        let mut stranger = Stranger { house, address, secret: String::new() };
        let guest = body(stranger.post("/api/guests", &Value::Null).await).await;
        stranger.secret = guest["secret"].as_str().expect("a secret").to_owned();
        stranger
    }

    async fn send(&self, method: Method, path: &str, sent: Option<&Value>) -> Response {
        let mut request = self.house.http.request(method, format!("{}{path}", self.house.base));
        request = request.header("x-forwarded-for", self.address);
        if !self.secret.is_empty() {
            request = request.bearer_auth(&self.secret);
        }
        if let Some(sent) = sent {
            request = request.header("content-type", "application/json").body(sent.to_string());
        }
        soon(request.send()).await.expect("answers")
    }

    async fn get(&self, path: &str) -> Response {
        self.send(Method::GET, path, None).await
    }

    async fn post(&self, path: &str, sent: &Value) -> Response {
        self.send(Method::POST, path, Some(sent)).await
    }

    /// Imports a record of `plies` plies; returns the new table's id, or the status and the key of the refusal.
    async fn import(&self, plies: usize) -> Result<String, (u16, String)> {
        let response = self.post("/api/records", &json!({ "content": record(plies) })).await;
        let (status, body) = (response.status().as_u16(), body(response).await);
        match body["id"].as_str() {
            Some(id) => Ok(id.to_owned()),
            None => Err((status, body["error"]["key"].as_str().unwrap_or_default().to_owned())),
        }
    }
}

async fn body(response: Response) -> Value {
    serde_json::from_str(&response.text().await.expect("text")).expect("JSON")
}

async fn refusal(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    (status, body(response).await["error"]["key"].as_str().unwrap_or_default().to_owned())
}

/// Behind a proxy that tells where requests come from.
async fn proxied(limits: Limits) -> House {
    House::at(limits, Reach { behind_proxy: true, ..Reach::default() }).await
}

/// Returns a game of `plies` plies in which neither side ever has three in a row.
fn record(plies: usize) -> String {
    let cell = |ply: usize| {
        let (row, k) = (ply / 2 / 10, ply / 2 % 10);
        let pair = k / 2 * 2 + (row + ply) % 2;
        format!("{}{}", char::from(b'a' + u8::try_from(pair * 2 + k % 2).expect("a file")), row + 1)
    };
    let moves: Vec<String> = (0..plies).map(cell).collect();
    json!({
        "format": "qiguan-record", "version": 1, "game": "gomoku/freestyle", "options": {"size": 20}, "moves": moves,
    })
    .to_string()
}

/// The film of a long game comes in parts, not as a whole of 43 MB from a thread that others need (S3).
#[tokio::test]
async fn a_film_comes_in_parts() {
    for (name, limits, wanted) in [
        ("by plies", Limits { replay_plies: 150, ..Limits::default() }, vec![150, 150, 60]),
        ("by bytes", Limits { replay_bytes: 4000, ..Limits::default() }, vec![]),
    ] {
        let house = proxied(limits).await;
        let me = Stranger::at(&house, "192.0.2.1").await;
        let table = me.import(360).await.expect("imports");
        let part = async |query: &str| -> Replay {
            let response = me.get(&format!("/api/tables/{table}/replay{query}")).await;
            assert_eq!(response.status(), 200, "{name}");
            let text = response.text().await.expect("text");
            assert!(text.len() < 100_000, "{name}: {} bytes", text.len());
            serde_json::from_str(&text).expect("a film")
        };
        let (mut view, mut ply, mut parts) = (None, 0, Vec::new());
        loop {
            let film = part(&format!("?from={ply}")).await;
            assert_eq!((film.from, film.of), (ply, 360), "{name}");
            assert_eq!(view.get_or_insert(film.start.clone()), &film.start, "{name}: parts fit together");
            for patch in &film.patches {
                patch.apply(view.as_mut().expect("there is one"));
            }
            parts.push(film.patches.len());
            ply += u32::try_from(film.patches.len()).expect("few");
            if ply == 360 {
                break;
            }
            assert!(!film.patches.is_empty(), "{name}: there is always some progress");
        }
        assert!(parts.len() > 2 && (wanted.is_empty() || parts == wanted), "{name}: {parts:?}");
        let ServerMessage::Full { view: now, .. } = house.full(&table).await else { panic!("full") };
        assert_eq!(view, Some(now), "{name}");
        let few = part("?from=10&plies=3").await;
        assert_eq!((few.from, few.patches.len()), (10, 3), "{name}");
        for beyond in ["?from=360", "?from=9999", "?from=18446744073709551615&plies=18446744073709551615"] {
            let nothing = part(beyond).await;
            assert_eq!((nothing.from, nothing.patches.len()), (360, 0), "{name}: {beyond}");
        }
        assert_eq!(refusal(me.get(&format!("/api/tables/{table}/replay?from=-1")).await).await.0, 400);
    }
}

/// Limits count plies and bytes, not requests (S3, S7).
#[tokio::test]
async fn plies_and_bytes_are_counted() {
    let limits =
        Limits { record_plies: 100, import_plies: 150, import_plies_address: 250, ..Limits::default() };
    let house = proxied(limits).await;
    let (one, two) = (Stranger::at(&house, "2001:db8::1").await, Stranger::at(&house, "2001:db8::2").await);
    let elsewhere = Stranger::at(&house, "2001:db8:0:1::1").await;
    let limit = |key: &str, status: u16| Some((status, key.to_owned()));
    for (name, who, plies, wanted) in [
        ("a record that is too long", &one, 101, limit("record-limit", 400)),
        ("as long as may be", &one, 100, None),
        ("more than a person's share", &one, 100, limit("too-many-requests", 429)),
        ("the rest of that share", &one, 50, None),
        ("their neighbour's share", &two, 100, None),
        ("more than the address' share", &two, 50, limit("too-many-requests", 429)),
        ("another address", &elsewhere, 100, None),
    ] {
        assert_eq!(who.import(plies).await.err(), wanted, "{name}");
    }
    let house = proxied(Limits { upload_bytes: 1000, ..Limits::default() }).await;
    let me = Stranger::at(&house, "192.0.2.1").await;
    assert_eq!(me.import(100).await.err(), None);
    assert_eq!(me.import(100).await.err(), limit("too-many-requests", 429), "bytes count, too");
    let response = me.post("/api/records", &json!({ "content": record(100) })).await;
    let wait = response.headers()[header::RETRY_AFTER].to_str().expect("text").parse::<u64>();
    assert!(wait.expect("seconds") > 60);
}

/// Long work waits in a queue of its own address, and is refused for that address only (S3, S8).
#[tokio::test]
async fn one_address_does_not_stall_another() {
    let limits = Limits { workers: 1, workers_waiting: 2, requests: 10_000, ..Limits::default() };
    let house = proxied(limits).await;
    let greedy = Stranger::at(&house, "192.0.2.1").await;
    let honest = Stranger::at(&house, "198.51.100.1").await;
    let table = greedy.import(390).await.expect("imports");
    let path = format!("/api/tables/{table}/replay");
    let mut flood = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let request = house.http.get(format!("{}{path}", house.base)).header("x-forwarded-for", "192.0.2.1");
        flood.spawn(request.send());
    }
    let mut refused = None;
    while let Some(answer) = flood.join_next().await {
        let answer = answer.expect("ends").expect("answers");
        assert_eq!(honest.get(&path).await.status(), 200, "never refused because of others");
        if answer.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
        }
    }
    let refused = refused.expect("forty at once are too many for two places");
    assert!(refused.headers().contains_key(header::RETRY_AFTER));
    assert_eq!(refusal(refused).await.1, "hall-busy");
    assert_eq!(house.get("/health").await.status(), 200);
}

/// A person who has used up their time waits until it is earned again (S3).
#[tokio::test]
async fn time_is_counted() {
    let limits = Limits { work_ms: 1, work_ms_refill_s: 1_000_000, ..Limits::default() };
    let house = proxied(limits).await;
    let (me, other) = (Stranger::at(&house, "192.0.2.1").await, Stranger::at(&house, "192.0.2.2").await);
    // Its thousands of cells take more than a millisecond.
    let mut told = me.import(390).await;
    for _ in 0..20 {
        told = me.import(390).await;
    }
    assert_eq!(told.err(), Some((429, "too-many-requests".to_owned())));
    assert!(other.import(10).await.is_ok());
}

/// Reports need a known person, and one address cannot take all places (S8).
#[tokio::test]
async fn reports_are_for_people_and_bounded_by_address() {
    let house = proxied(Limits { reports_address: 1, searches: 1, ..Limits::default() }).await;
    let (one, two) = (Stranger::at(&house, "192.0.2.1").await, Stranger::at(&house, "192.0.2.1").await);
    let elsewhere = Stranger::at(&house, "192.0.2.2").await;
    let mut reports = Vec::new();
    for _ in 0..2 {
        let guest = house.guest().await;
        let table = guest.open(&gomoku(How::Screen)).await.expect("a table").id;
        let mut seat = Seat::new(guest, &table);
        for text in "h8 a1 i8 a3 j8 a5 m2 b7 m4 b9".split(' ') {
            done(&mut seat, mv(text)).await;
        }
        done(&mut seat, Act::Resign { side: Some(Side::First) }).await;
        reports.push(format!("/api/tables/{table}/report"));
    }
    let nobody = Stranger { house: &house, address: "192.0.2.1", secret: String::new() };
    assert_eq!(refusal(nobody.post(&reports[0], &Value::Null).await).await, (401, "who-are-you".to_owned()));
    assert_eq!(one.post(&reports[0], &Value::Null).await.status(), 200);
    assert_eq!(two.post(&reports[0], &Value::Null).await.status(), 200, "that one goes on already");
    assert_eq!(refusal(two.post(&reports[1], &Value::Null).await).await, (429, "hall-busy".to_owned()));
    assert_eq!(elsewhere.post(&reports[1], &Value::Null).await.status(), 200);
}

#[tokio::test]
async fn analyses_are_bounded_by_person_and_address() {
    let house = proxied(Limits { analyses: 3, analyses_person: 2, ..Limits::default() }).await;
    let (one, two) = (Stranger::at(&house, "192.0.2.1").await, Stranger::at(&house, "192.0.2.1").await);
    let elsewhere = Stranger::at(&house, "192.0.2.2").await;
    let table = one.import(10).await.expect("imports");
    let mut open = Vec::new();
    for (name, who, opens) in [
        ("one", &one, true),
        ("another one", &one, true),
        ("a third one of a person", &one, false),
        ("of a neighbour", &two, true),
        ("a fourth one of the address", &two, false),
        ("of another address", &elsewhere, true),
    ] {
        let url = format!("{}/ws/study?table={table}", house.base.replace("http", "ws"));
        let mut request = url.into_client_request().expect("an address");
        request.headers_mut().insert("x-forwarded-for", who.address.parse().expect("text"));
        request
            .headers_mut()
            .insert("authorization", format!("Bearer {}", who.secret).parse().expect("text"));
        let opened = soon(tokio_tungstenite::connect_async(request)).await;
        assert_eq!(opened.is_ok(), opens, "{name}");
        open.extend(opened.ok());
    }
}

/// Plain cookies and pages that came over http are not accepted on https, and answers tell browsers to stay on https
/// (S12).
#[tokio::test]
async fn on_https_only_https_counts() {
    let reach = Reach { public_url: Some("https://hall.example".into()), ..Reach::default() };
    let house = House::at(Limits::default(), reach).await;
    let secret = "2".repeat(32);
    let send = async |method: Method, path: &str, name: &str, value: &str| {
        let request = house.http.request(method, format!("{}{path}", house.base));
        let request = request.header("host", "hall.example").header(name.to_owned(), value.to_owned());
        soon(request.send()).await.expect("answers")
    };
    for (name, method, path, header, value, status) in [
        ("our page posts", Method::POST, "/api/guests", "origin", "https://hall.example".to_owned(), 201),
        (
            "our name over http posts",
            Method::POST,
            "/api/guests",
            "origin",
            "http://hall.example".to_owned(),
            403,
        ),
        ("another page posts", Method::POST, "/api/guests", "origin", "https://evil.example".to_owned(), 403),
        (
            "our name over http reads",
            Method::GET,
            "/api/games",
            "origin",
            "http://hall.example".to_owned(),
            200,
        ),
    ] {
        let response = send(method, path, header, &value).await;
        assert_eq!(response.status().as_u16(), status, "{name}");
        let told = response.headers().get("strict-transport-security").and_then(|v| v.to_str().ok());
        assert!(told.is_some_and(|told| told.starts_with("max-age=")), "{name}: {told:?}");
    }
    for (name, cookie, known) in [
        ("the cookie that https keeps", format!("__Host-qiguan={secret}"), true),
        ("a cookie that anybody can set", format!("qiguan={secret}"), false),
        ("both, the other one first", format!("qiguan={}; __Host-qiguan={secret}", "3".repeat(32)), true),
    ] {
        let response = send(Method::GET, "/api/me", "cookie", &cookie).await;
        let set = response.headers().get(header::SET_COOKIE).and_then(|v| v.to_str().ok()).map(str::to_owned);
        assert_eq!(set.is_none(), known, "{name}: {set:?}");
        assert!(
            set.is_none_or(|set| set.starts_with("__Host-qiguan=") && set.contains("; Secure")),
            "{name}"
        );
    }
    let plain = House::open().await;
    assert!(!plain.get("/").await.headers().contains_key("strict-transport-security"));
}

/// The health check is answered, whatever else comes from its address (S11).
#[tokio::test]
async fn health_is_told_when_nothing_else_is() {
    let house = House::with(Limits { requests: 5, ..Limits::default() }).await;
    while house.get("/api/engines").await.status() != 429 {}
    for _ in 0..50 {
        assert_eq!(house.get("/health").await.status(), 200);
    }
}

/// Requests of strangers at an address take nothing from those who play there, and a refused page is a page (M1).
#[tokio::test]
async fn neighbours_of_a_flood_play_on() {
    let house = House::with(Limits { requests: 5, pages: 5, ..Limits::default() }).await;
    let guest = house.guest().await;
    while house.get("/api/games").await.status() != 429 {}
    for _ in 0..20 {
        guest.get("/api/me").await.expect("whoever plays is known, and has requests of their own");
        assert_ne!(house.get("/assets/none.js").await.status(), 429, "files cost none of them");
    }
    let page = async || {
        let asked = house.http.get(format!("{}/", house.base)).header("accept", "text/html");
        asked.send().await.expect("answers")
    };
    let mut refused = page().await;
    while refused.status() != 429 {
        refused = page().await;
    }
    assert!(refused.headers().contains_key("retry-after"));
    let said = refused.text().await.expect("text");
    for words in ["http-equiv=\"refresh\"", "tries again", "自动重试"] {
        assert!(said.contains(words), "{words} in {said}");
    }
}

/// The record of a running game cannot be imported and analysed (S16).
#[tokio::test]
async fn a_position_that_two_people_play_is_nobodys_to_analyse() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8 a1 i8 b1 h9 c3 i9").await;
    let table = table_of(&seats[0]);
    let record =
        house.get(&format!("/api/tables/{table}/record?format=json")).await.text().await.expect("text");
    let cheat = Stranger::at(&house, "127.0.0.1").await;
    let copy = body(cheat.post("/api/records", &json!({ "content": record })).await).await;
    let copy = copy["id"].as_str().expect("a copy is no help").to_owned();
    let asks = async |table: &str, ply: u32| {
        let hint = refusal(cheat.post(&format!("/api/tables/{table}/hint"), &Value::Null).await).await;
        let aside = json!({ "ply": ply, "moves": [] });
        let aside = refusal(cheat.post(&format!("/api/tables/{table}/aside"), &aside).await).await;
        (hint, aside)
    };
    let refused = (400, "position-in-play".to_owned());
    assert_eq!(asks(&copy, 7).await, (refused.clone(), refused.clone()), "the position itself");
    // It is played on: the moves that might be played are no secret, but what comes of them is.
    let bearer = client::Guest::known(&house.base, &cheat.secret).await.expect("is known");
    let mut alone = Seat::new(bearer, &copy);
    hear(&mut alone).await;
    done(&mut alone, mv("o15")).await;
    assert_eq!(asks(&copy, 8).await, (refused.clone(), refused.clone()), "a position after it");
    assert_eq!(asks(&copy, 3).await.1.0, 200, "the opening is everybody's");
    done(&mut alone, Act::Resign { side: Some(Side::First) }).await;
    let report = cheat.post(&format!("/api/tables/{copy}/report"), &Value::Null).await;
    assert_eq!(refusal(report).await, refused, "the same game, given up elsewhere");
    // An empty table is not free for analysis either.
    seats.iter_mut().for_each(Seat::cut);
    assert_eq!(asks(&copy, 7).await.1, refused);
    done(&mut seats[0], Act::Resign { side: None }).await;
    assert_eq!(asks(&copy, 7).await.1.0, 200, "when it is over, it is everybody's");
    let report = cheat.post(&format!("/api/tables/{copy}/report"), &Value::Null).await;
    assert_eq!(report.status(), 200);
}

/// A player cannot set up their running game, or the position after one more move, and analyse it, also after a
/// restart while the table is not in memory yet (S16). Rules that differ in the length of a game are no way out.
#[tokio::test]
async fn a_player_sets_up_their_running_game_in_vain() {
    let mut house = House::open().await;
    let (player, other) = (house.guest().await, house.guest().await);
    let xiangqi =
        CreateTable { game: "xiangqi".to_owned(), options: Default::default(), ..gomoku(How::Invite) };
    let table = player.open(&xiangqi).await.expect("a table").id;
    let mut seats = [Seat::new(player.clone(), &table), Seat::new(other, &table)];
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    let text = "h2e2 h9g7 h0g2 i9h9 g3g4 c6c5";
    moves(&mut seats, text).await;
    let after = |more: &str| {
        let entry = catalog::find("xiangqi").expect("is there");
        let options = entry.settle(&Default::default(), catalog::Setting::Online).expect("the usual");
        let mut game = entry.open(None, &options, None).expect("the start");
        text.split(' ').chain(more.split_whitespace()).for_each(|text| game.play(text).expect("legal"));
        game.fen()
    };
    let other = std::iter::once(("move-limit".to_owned(), 99)).collect::<std::collections::BTreeMap<_, _>>();
    let refused = Err((400, "position-in-play".to_owned()));
    for restarts in 0..2 {
        let player = client::Guest::known(&house.base, player.secret()).await.expect("is known");
        let post = async |path: &str, sent: &Value| {
            let request = house.http.post(format!("{}{path}", house.base)).bearer_auth(player.secret());
            let request = request.header("content-type", "application/json").body(sent.to_string());
            let answer = soon(request.send()).await.expect("answers");
            if answer.status().is_success() { Ok(body(answer).await) } else { Err(refusal(answer).await) }
        };
        let ask = async |fen: String, options: &std::collections::BTreeMap<String, i64>| {
            let wish = CreateTable {
                fen: Some(fen),
                how: How::Screen,
                options: options.clone(),
                side: None,
                ..xiangqi.clone()
            };
            let copy = post("/api/tables", &json!(wish)).await.expect("a copy is no help");
            post(&format!("/api/tables/{}/hint", copy["id"].as_str().expect("an id")), &Value::Null).await
        };
        // First what is found only by looking at the player's own games.
        assert_eq!(ask(after("b2d2"), &Default::default()).await, refused, "{restarts}: one move on");
        assert_eq!(ask(after(""), &Default::default()).await, refused, "{restarts}: where it stands");
        assert_eq!(ask(after(""), &other).await, refused, "{restarts}: under other limits");
        let answers = CreateTable {
            fen: Some(after("")),
            opponent: Some(wire::Opponent::Level(10)),
            ..xiangqi.clone()
        };
        assert_eq!(post("/api/tables", &json!(answers)).await, refused, "{restarts}: a program that answers");
        let elsewhere = after("b2d2 b9c7 a0a1");
        assert!(
            ask(elsewhere, &Default::default()).await.is_ok(),
            "{restarts}: three moves on is another game"
        );
        house.restart().await;
    }
}

/// The first address to connect does not shut the others out when descriptors are few (S9).
#[tokio::test]
async fn who_came_first_does_not_keep_others_out() {
    let house = House::with(Limits { all_connections: 6, ..Limits::default() }).await;
    let hall: SocketAddr = house.base.trim_start_matches("http://").parse().expect("an address");
    let mut silent = Vec::new();
    for _ in 0..6 {
        silent.push(soon(TcpStream::connect(hall)).await.expect("connects"));
    }
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(([127, 0, 0, 2], 0).into()).expect("another address of this machine");
    let mut honest = soon(socket.connect(hall)).await.expect("connects");
    let request = format!("GET /health HTTP/1.1\r\nhost: {hall}\r\nconnection: close\r\n\r\n");
    honest.write_all(request.as_bytes()).await.expect("is heard");
    let mut answer = String::new();
    soon(honest.read_to_string(&mut answer)).await.expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    // The oldest silent connection has given way.
    let told = soon(silent[0].read(&mut [0])).await;
    assert!(matches!(told, Ok(0) | Err(_)), "{told:?}");
}

/// Answers are compressed, and the catalogue is not sent again and again (P16).
#[tokio::test]
async fn large_answers_are_packed_and_known_ones_are_not_sent() {
    let house = House::open().await;
    let get = async |path: &str, name: &str, value: &str| {
        let request =
            house.http.get(format!("{}{path}", house.base)).header(name.to_owned(), value.to_owned());
        soon(request.send()).await.expect("answers")
    };
    let plain = house.get("/api/games").await;
    let etag = plain.headers()["etag"].to_str().expect("text").to_owned();
    let length = plain.bytes().await.expect("bytes").len();
    let packed = get("/api/games", "accept-encoding", "gzip, br").await;
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    assert!(packed.headers()["vary"].to_str().expect("text").contains("accept-encoding"));
    let packed = packed.bytes().await.expect("bytes").len();
    assert!(packed * 4 < length, "{packed} of {length}");
    let small = get("/health", "accept-encoding", "gzip").await;
    assert!(small.headers().get("content-encoding").is_none());
    let known = get("/api/games", "if-none-match", &etag).await;
    assert_eq!((known.status().as_u16(), known.bytes().await.expect("none").len()), (304, 0));
    assert_eq!(get("/api/games", "if-none-match", "W/\"other\"").await.status(), 200);
}

/// The newest hundred rooms do not hide all others (S14).
#[tokio::test]
async fn the_lobby_can_be_read_to_its_end() {
    let house = House::with(Limits { lobby_lines: 3, on: false, ..Limits::default() }).await;
    let guest = house.guest().await;
    let mut tables = BTreeSet::new();
    let mut seats = Vec::new();
    for _ in 0..8 {
        let id = guest.open(&CreateTable { ..gomoku(How::Open) }).await.expect("a table").id;
        let mut seat = Seat::new(guest.clone(), &id);
        hear(&mut seat).await;
        tables.insert(id);
        seats.push(seat);
    }
    let mut path = "/api/tables".to_owned();
    let mut found = Vec::new();
    loop {
        let response = house.get(&path).await;
        let links: Vec<String> =
            response.headers().get_all("link").iter().map(|v| v.to_str().expect("text").to_owned()).collect();
        let page: Tables = serde_json::from_str(&response.text().await.expect("text")).expect("tables");
        assert!(page.open.len() <= 3 && page.live.is_empty());
        found.extend(page.open.into_iter().map(|line| line.id));
        let Some(next) = links.first() else { break };
        assert!(next.contains("kind=open") && next.ends_with("rel=\"next\""), "{links:?}");
        path = next[1..next.find('>').expect("an end")].to_owned();
    }
    assert_eq!(found.len(), 8);
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), tables);
    assert_eq!(house.get("/api/tables?kind=live&most=2").await.status(), 200);
    for bad in ["?kind=lost", "?after=yesterday", "?most=-1"] {
        assert_eq!(house.get(&format!("/api/tables{bad}")).await.status(), 400, "{bad}");
    }
}
