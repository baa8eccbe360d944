//! Access over HTTP: the right origins and hosts, the limits, and the headers of every answer.

use client::Guest;
use edge::limits::Limits;
use edge::reach::Reach;
use reqwest::{Method, Response, StatusCode, header};
use serde_json::Value;
use wire::{ClockSpec, How, ServerMessage};

use crate::house::{House, gomoku, moves, soon, table_of};

async fn send(house: &House, method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
    let mut request = house.http.request(method, format!("{}{path}", house.base)).body(body.to_owned());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    soon(request.send()).await.expect("answers")
}

async fn key_of(response: Response) -> String {
    let body: Value = serde_json::from_str(&response.text().await.expect("text")).unwrap_or_default();
    assert!(body["message"].as_str().is_some_and(|m| !m.is_empty()), "a refusal has words: {body}");
    body["error"]["key"].as_str().unwrap_or_default().to_owned()
}

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test]
async fn only_our_own_pages_may_act() {
    let house = House::open().await;
    let own = house.base.clone();
    let host = own.trim_start_matches("http://").to_owned();
    let table = house.guest().await.open(&gomoku(How::Open)).await.expect("a table").id;
    let ws = format!("/ws?table={table}");
    let shake = [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let evil = ("origin", "http://evil.example");
    for (name, method, path, headers, wanted) in [
        ("a program posts", Method::POST, "/api/guests", vec![], 201),
        ("our page posts", Method::POST, "/api/guests", vec![("origin", own.as_str())], 201),
        ("another page posts", Method::POST, "/api/guests", vec![evil], 403),
        ("a page of nowhere posts", Method::POST, "/api/guests", vec![("origin", "null")], 403),
        (
            "our name on another port posts",
            Method::POST,
            "/api/guests",
            vec![("origin", "http://127.0.0.1:1")],
            403,
        ),
        ("another page reads", Method::GET, "/api/games", vec![evil], 200),
        ("another page renames", Method::PUT, "/api/me", vec![evil], 403),
        ("a program shakes hands", Method::GET, &ws, shake.to_vec(), 101),
        ("our page shakes hands", Method::GET, &ws, [&shake[..], &[("origin", &own)]].concat(), 101),
        ("another page shakes hands", Method::GET, &ws, [&shake[..], &[evil]].concat(), 403),
        ("another page at the lobby", Method::GET, "/ws/lobby", [&shake[..], &[evil]].concat(), 403),
        ("another name of this machine", Method::GET, "/api/games", vec![("host", "evil.example")], 403),
        ("a probe by another name", Method::GET, "/ready", vec![("host", "10.0.0.5")], 200),
        ("a supervisor by another name", Method::GET, "/live", vec![("host", "hall.internal:8080")], 200),
        (
            "another name and its page",
            Method::POST,
            "/api/guests",
            vec![("host", "evil.example"), ("origin", "http://evil.example")],
            403,
        ),
        ("our name", Method::GET, "/", vec![("host", host.as_str())], 200),
        ("another name for the page", Method::GET, "/", vec![("host", "127.0.0.1.evil.example")], 403),
    ] {
        let response = send(&house, method, path, &headers, "").await;
        assert_eq!(response.status().as_u16(), wanted, "{name}");
    }
}

#[tokio::test]
async fn every_answer_is_guarded() {
    let house = House::open().await;
    for (path, status) in [
        ("/", 200),
        ("/t/whatever", 404),
        ("/missing.js", 404),
        ("/api/games", 200),
        ("/api/me", 200),
        ("/api/nothing", 404),
        ("/api/tables/nobody", 404),
        ("/health", 200),
        ("/metrics", 404),
        ("/api/metrics", 404),
        ("/ws?table=nobody", 400),
    ] {
        let response = house.get(path).await;
        assert_eq!(response.status().as_u16(), status, "{path}");
        for (name, wanted) in [
            ("content-security-policy", "default-src 'none'"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("cache-control", ""),
        ] {
            let value = response.headers().get(name).and_then(|v| v.to_str().ok());
            assert!(value.is_some_and(|v| v.starts_with(wanted)), "{path}: {name} is {value:?}");
        }
        let policy = response.headers()["content-security-policy"].to_str().expect("text");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
    }
}

#[tokio::test]
async fn a_cookie_is_the_account() {
    let house = House::open().await;
    for path in ["/", "/t/some-table", "/api/me"] {
        let response = house.get(path).await;
        let cookie = response.headers()[header::SET_COOKIE].to_str().expect("text").to_owned();
        for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
            assert!(cookie.contains(part), "{path}: {part} in {cookie}");
        }
        assert!(!cookie.contains("Secure"), "plain http on this machine");
        let pair = cookie.split(';').next().expect("a pair");
        let me = async || {
            let response = send(&house, Method::GET, "/api/me", &[("cookie", pair)], "").await;
            assert!(response.headers().get(header::SET_COOKIE).is_none(), "it has one");
            let me: wire::Me = serde_json::from_str(&response.text().await.expect("text")).expect("me");
            me.player
        };
        let before = me().await;
        assert_eq!(me().await, before, "{path}: the same guest");
        let headers = [("cookie", pair), JSON];
        let named = send(&house, Method::PUT, "/api/me", &headers, r#"{"name":" Ada  L. "}"#).await;
        assert_eq!(named.status(), 200);
        assert_eq!(me().await.name.as_deref(), Some("Ada L."));
        let secret = pair.split('=').nth(1).expect("a value");
        assert_ne!(secret, before.id, "the secret is not public");
        send(&house, Method::PUT, "/api/me", &headers, r#"{"name":""}"#).await;
        assert_eq!(me().await.name, None);
    }
}

#[tokio::test]
async fn bad_requests_are_refused_with_words() {
    let house = House::open().await;
    let guest: Value = serde_json::from_str(
        &send(&house, Method::POST, "/api/guests", &[], "").await.text().await.expect("text"),
    )
    .expect("a guest");
    let bearer = format!("Bearer {}", guest["secret"].as_str().expect("a secret"));
    let me = ("authorization", bearer.as_str());
    let table = house.guest().await.open(&gomoku(How::Open)).await.expect("a table").id;
    let large = format!("{{\"name\":\"{}\"}}", "x".repeat(20_000));
    let at = |rest: &str| format!("/api/tables/{table}/{rest}");
    type Row<'a> = (&'a str, Method, String, Vec<(&'a str, &'a str)>, &'a str, u16, &'a str);
    let rows: Vec<Row> = vec![
        ("nobody opens a table", Method::POST, "/api/tables".into(), vec![JSON], "{}", 401, "who-are-you"),
        ("nobody is renamed", Method::PUT, "/api/me".into(), vec![JSON], "{}", 401, "who-are-you"),
        (
            "no secret at all",
            Method::PUT,
            "/api/me".into(),
            vec![JSON, ("authorization", "Bearer x")],
            "{}",
            401,
            "session-bearer",
        ),
        ("no JSON", Method::POST, "/api/tables".into(), vec![JSON, me], "hello", 400, "bad-json"),
        ("half of it", Method::POST, "/api/tables".into(), vec![JSON, me], "{\"game\":", 400, "bad-json"),
        ("no type", Method::POST, "/api/tables".into(), vec![me], "{}", 400, "bad-json"),
        ("nothing in it", Method::POST, "/api/tables".into(), vec![JSON, me], "{}", 400, "bad-json"),
        ("a large body", Method::PUT, "/api/me".into(), vec![JSON, me], &large, 413, "body-too-large"),
        (
            "a long name",
            Method::PUT,
            "/api/me".into(),
            vec![JSON, me],
            r#"{"name":"1234567890123456789012345"}"#,
            400,
            "name-too-long",
        ),
        (
            "an invisible name",
            Method::PUT,
            "/api/me".into(),
            vec![JSON, me],
            "{\"name\":\"a\u{200b}\"}",
            400,
            "name-letter",
        ),
        ("no such address", Method::GET, "/api/nothing".into(), vec![], "", 404, "no-such-address"),
        ("no such picture", Method::GET, "/t/magnets.py".into(), vec![], "", 404, "no-such-address"),
        ("no such file", Method::GET, "/missing.js".into(), vec![], "", 404, "no-such-address"),
        ("posted to a page", Method::POST, "/somewhere".into(), vec![], "", 405, "no-such-method"),
        ("posted nowhere", Method::POST, "/api/nothing".into(), vec![], "", 404, "no-such-address"),
        ("no such table", Method::GET, "/api/tables/nobody".into(), vec![], "", 404, "no-such-table"),
        (
            "a long id",
            Method::GET,
            format!("/api/tables/{}", "x".repeat(2000)),
            vec![],
            "",
            404,
            "no-such-table",
        ),
        ("no such room", Method::GET, "/api/rooms/%00".into(), vec![], "", 404, "no-such-room"),
        ("a strange since", Method::GET, at("log?since=x"), vec![], "", 400, "bad-query"),
        ("a strange ply", Method::GET, at("fen?ply=-1"), vec![], "", 400, "bad-query"),
        ("a strange format", Method::GET, at("record?format=abc"), vec![], "", 400, "unknown-format"),
        ("another game's format", Method::GET, at("record?format=pgn"), vec![], "", 400, "pgn-game"),
    ];
    for (name, method, path, headers, body, status, key) in rows {
        let response = send(&house, method, &path, &headers, body).await;
        assert_eq!(response.status().as_u16(), status, "{name}");
        assert_eq!(key_of(response).await, key, "{name}");
    }
    let chinese = send(&house, Method::GET, "/api/tables/nobody", &[("accept-language", "zh-CN")], "").await;
    let said = chinese.text().await.expect("text");
    assert!(said.contains('没') || said.chars().any(|c| c > '\u{4e00}'), "{said}");
}

#[tokio::test]
async fn too_many_requests_are_told_to_wait() {
    let house = House::with(Limits::default()).await;
    let mut refused = None;
    for i in 0..400 {
        let response = house.get("/api/games").await;
        if response.status() == StatusCode::TOO_MANY_REQUESTS {
            refused = Some((i, response));
            break;
        }
    }
    let (after, response) = refused.expect("a limit");
    assert!(after >= 240, "after {after}");
    let wait: u64 = response.headers()[header::RETRY_AFTER].to_str().expect("text").parse().expect("seconds");
    assert!((1..=2).contains(&wait), "{wait} s");
    assert_eq!(key_of(response).await, "too-many-requests");
}

#[tokio::test]
async fn too_many_tables_and_connections_are_told_to_wait() {
    let house = House::with(Limits { connections: 3, ..Limits::default() }).await;
    let guest = house.guest().await;
    let mut table = String::new();
    for _ in 0..30 {
        table = guest.open(&gomoku(How::Invite)).await.expect("a table").id;
    }
    let Err(client::Error::Refused(why)) = guest.open(&gomoku(How::Invite)).await else { panic!("a limit") };
    assert_eq!(why.key, "too-many-requests");
    let other = house.guest().await;
    other.open(&gomoku(How::Invite)).await.expect("others may");
    let mut lines = Vec::new();
    for _ in 0..3 {
        lines.push(soon(other.connect(&table, None)).await.expect("opens"));
    }
    assert!(soon(other.connect(&table, None)).await.is_err(), "the fourth");
    lines.pop().expect("three").cut();
    let again = async {
        while other.connect(&table, None).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    soon(again).await;
}

#[tokio::test]
async fn silent_connections_are_counted_too() {
    use tokio::io::AsyncReadExt;
    let house = House::with(Limits { raw_connections: 3, ..Limits::default() }).await;
    let knock = || tokio::net::TcpStream::connect(house.base.trim_start_matches("http://"));
    let mut inside = Vec::new();
    for _ in 0..3 {
        inside.push(soon(knock()).await.expect("opens"));
    }
    let mut fourth = soon(knock()).await.expect("is heard");
    let turned_away = soon(fourth.read(&mut [0])).await;
    assert!(matches!(turned_away, Ok(0) | Err(_)), "the fourth is shown out: {turned_away:?}");
    drop(inside);
    let again = async {
        while house.http.get(format!("{}/health", house.base)).send().await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    soon(again).await;
}

#[tokio::test]
async fn the_description_lists_every_address() {
    let house = House::open().await;
    let text = house.get("/api/openapi.json").await.text().await.expect("text");
    let described: Value = serde_json::from_str(&text).expect("JSON");
    assert!(described["openapi"].as_str().is_some_and(|v| v.starts_with("3.")));
    for (path, methods) in [
        ("/api/games", &["get"][..]),
        ("/api/me", &["get", "put"]),
        ("/api/guests", &["post"]),
        ("/api/tables", &["get", "post"]),
        ("/api/rooms/{name}", &["get"]),
        ("/api/tables/{id}", &["get"]),
        ("/api/tables/{id}/replay", &["get"]),
        ("/api/tables/{id}/fen", &["get"]),
        ("/api/tables/{id}/record", &["get"]),
        ("/api/tables/{id}/log", &["get"]),
        ("/api/records", &["post"]),
        ("/health", &["get"]),
    ] {
        for method in methods {
            assert!(described["paths"][path][method]["responses"].is_object(), "{method} {path}");
        }
    }
    // Every reference leads somewhere.
    for part in text.split("\"$ref\":\"#").skip(1) {
        let pointer = part.split('"').next().expect("an end");
        assert!(described.pointer(pointer).is_some(), "{pointer}");
    }
}

#[tokio::test]
async fn health_and_metrics() {
    let house = House::open().await;
    assert_eq!(house.get("/health").await.text().await.expect("text"), "ok\n");
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8 a1").await;
    let admin = house.running.as_ref().and_then(|running| running.admin).expect("a listener of its own");
    let measured = house.http.get(format!("http://{admin}/metrics"));
    let text = soon(measured.send()).await.expect("answers").text().await.expect("text");
    for name in
        ["hall_moves_total", "hall_commits_total", "hall_connections", "hall_tables", "hall_move_seconds"]
    {
        assert!(text.contains(name), "{name}");
    }
    // S13: what is measured was public.
    let public = house.get("/metrics").await.text().await.expect("text");
    assert!(!public.contains("hall_moves_total"), "{public}");
    let elsewhere = house.http.get(format!("http://{admin}/metrics")).header("host", "evil.example");
    assert_eq!(
        soon(elsewhere.send()).await.expect("answers").status(),
        403,
        "a name that was made to point here"
    );
}

#[tokio::test]
async fn positions_and_films() {
    let house = House::open().await;
    let mut seats = house.pair(gomoku(How::Invite)).await;
    moves(&mut seats, "h8 a1 h9 b1").await;
    let table = table_of(&seats[0]);
    let guest: Guest = house.guest().await;
    let fen = async |at: &str| {
        let answer = guest.get(&format!("/api/tables/{table}/fen{at}")).await.expect("a position");
        (answer["ply"].as_u64().expect("a ply"), answer["fen"].as_str().expect("a text").to_owned())
    };
    let entry = catalog::find("gomoku/freestyle").expect("is there");
    let options = std::iter::once(("size".to_owned(), 15)).collect();
    let mut game = entry.open(None, &options, None).expect("the start");
    for (ply, text) in ["", "h8", "a1", "h9", "b1"].into_iter().enumerate() {
        if ply > 0 {
            game.play(text).expect("legal");
        }
        assert_eq!(fen(&format!("?ply={ply}")).await, (ply as u64, game.fen()));
    }
    assert_eq!(fen("").await, (4, game.fen()));
    assert_eq!(fen("?ply=99").await, (4, game.fen()), "there is no later one");
    let film: wire::Replay =
        serde_json::from_value(guest.get(&format!("/api/tables/{table}/replay")).await.expect("a film"))
            .expect("a film");
    let mut view = film.start;
    for patch in &film.patches {
        patch.apply(&mut view);
    }
    let ServerMessage::Full { view: now, .. } = house.full(&table).await else { panic!("full") };
    assert_eq!((view, film.patches.len()), (now, 4));
    let games: Vec<wire::GameInfo> =
        serde_json::from_value(guest.get("/api/games").await.expect("the catalogue")).expect("games");
    assert_eq!(games.len(), catalog::ENTRIES.len());
    assert!(ClockSpec::None == gomoku(How::Open).clock);
}

async fn asked_at(
    house: &House,
    path: &str,
    headers: &[(&str, &str)],
) -> (u16, reqwest::header::HeaderMap, String) {
    let response = send(house, Method::GET, path, headers, "").await;
    let (status, fields) = (response.status().as_u16(), response.headers().clone());
    (status, fields, response.text().await.expect("text"))
}

/// Capitals, a final dot and the usual port name the same host (H6).
#[tokio::test]
async fn the_hall_is_known_by_every_form_of_its_name() {
    let reach = Reach { public_url: Some("https://hall.example".into()), ..Reach::default() };
    let house = House::at(Limits { on: false, ..Limits::default() }, reach).await;
    for (host, origin, status) in [
        ("hall.example", "https://hall.example", 201),
        ("HALL.EXAMPLE", "https://hall.example", 201),
        ("hall.example:443", "https://hall.example", 201),
        ("hall.example.", "https://hall.example.", 201),
        ("hall.example", "https://evil.example", 403),
        ("hall.example:80", "https://hall.example", 403),
        ("evil.example", "https://hall.example", 403),
    ] {
        let headers = [("host", host), ("origin", origin)];
        let response = send(&house, Method::POST, "/api/guests", &headers, "").await;
        assert_eq!(response.status().as_u16(), status, "{host} {origin}");
    }
}

/// A request that names two hosts is refused, since a proxy may have read the other one (A12).
#[tokio::test]
async fn a_request_that_names_two_hosts_is_refused() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let house = House::open().await;
    let at = house.base.trim_start_matches("http://");
    let ask = async |head: &str| {
        let mut line = soon(tokio::net::TcpStream::connect(at)).await.expect("opens");
        line.write_all(head.as_bytes()).await.expect("is heard");
        let mut answer = String::new();
        soon(line.read_to_string(&mut answer)).await.expect("text");
        answer
    };
    let two =
        ask(&format!("GET /api/games HTTP/1.1\r\nHost: {at}\r\nHost: {at}\r\nConnection: close\r\n\r\n"))
            .await;
    assert!(two.starts_with("HTTP/1.1 400") && two.contains("host-twice"), "{two}");
    let other =
        format!("GET http://evil.example/api/games HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n");
    assert!(ask(&other).await.starts_with("HTTP/1.1 400"));
    let one = format!("GET http://{at}/api/guests HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n");
    assert!(!ask(&one).await.starts_with("HTTP/1.1 400"));
}

/// Other sites can read public data, but neither act nor read what belongs to a person (H6).
#[tokio::test]
async fn pages_elsewhere_read_what_is_public_and_nothing_else() {
    let house = House::open().await;
    let table = house.guest().await.open(&gomoku(How::Open)).await.expect("a table").id;
    let there = ("origin", "https://blog.example");
    let allowed = |fields: &reqwest::header::HeaderMap| {
        let field = |name: &str| fields.get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
        assert_eq!(field("access-control-allow-credentials"), None, "nobody is known elsewhere");
        field("access-control-allow-origin")
    };
    for (path, public) in [
        ("/api/games".to_owned(), true),
        ("/api/tables".to_owned(), true),
        (format!("/api/tables/{table}"), true),
        (format!("/api/tables/{table}/record?format=json"), true),
        ("/api/tables/nobody".to_owned(), true),
        ("/api/tv".to_owned(), true),
        ("/api/maps".to_owned(), true),
        ("/api/puzzles/daily?family=gomoku".to_owned(), true),
        (format!("/t/{table}.png"), true),
        (format!("/oembed?url={}/t/{table}", house.base), true),
        (format!("/t/{table}"), false),
        (format!("/api/tables/{table}/plan"), false),
        ("/".to_owned(), false),
        ("/api/me".to_owned(), false),
        ("/api/account".to_owned(), false),
        ("/api/account/export".to_owned(), false),
        ("/api/inbox".to_owned(), false),
        ("/api/challenges".to_owned(), false),
        ("/api/notices".to_owned(), false),
        ("/api/stream/event".to_owned(), false),
        ("/api/nothing".to_owned(), false),
        ("/health".to_owned(), false),
    ] {
        let (_, fields, _) = asked_at(&house, &path, &[there]).await;
        assert_eq!(allowed(&fields).as_deref(), public.then_some("*"), "{path}");
        for (wished, asks) in [("GET", public), ("POST", false), ("PUT", false), ("DELETE", false)] {
            let headers = [there, ("access-control-request-method", wished)];
            let first = send(&house, Method::OPTIONS, &path, &headers, "").await;
            assert_eq!(first.status().is_success(), asks, "{wished} {path}");
            assert_eq!(allowed(first.headers()).as_deref(), asks.then_some("*"), "{wished} {path}");
            let told = first.headers().get("access-control-allow-headers").map(|v| v.to_str().expect("text"));
            assert!(
                told.is_none_or(|told| !told.contains("authorization") && !told.contains('*')),
                "{told:?}"
            );
        }
    }
    let acts = send(&house, Method::POST, "/api/guests", &[there], "").await;
    assert_eq!((acts.status().as_u16(), allowed(acts.headers())), (403, None));
}

/// A hall needs no host of its own (H6).
#[tokio::test]
async fn a_hall_stands_under_a_path_whether_the_proxy_passes_it_on_or_not() {
    let reach = Reach { public_url: Some("https://club.example/games/".into()), ..Reach::default() };
    let house = House::at(Limits { on: false, ..Limits::default() }, reach).await;
    let host = ("host", "club.example");
    let ours = [host, ("origin", "https://club.example")];
    let guest = house.guest().await;
    let table = guest.open(&gomoku(How::Open)).await.expect("a table").id;
    for before in ["", "/games"] {
        for (path, status) in [
            ("/", 200),
            ("/api/games", 200),
            ("/api/nothing", 404),
            ("/icon.svg", 200),
            ("/nowhere", 404),
            (&*format!("/t/{table}"), 200),
            (&*format!("/t/{table}.png?size=200"), 200),
            (&*format!("/embed/{table}"), 200),
        ] {
            let (found, fields, text) = asked_at(&house, &format!("{before}{path}"), &[host]).await;
            if path != "/icon.svg" || found != 404 {
                assert_eq!(found, status, "{before}{path}");
            }
            if path == "/" || path.starts_with("/t/") && !path.contains('.') {
                let cookie = fields[header::SET_COOKIE].to_str().expect("text");
                assert!(
                    cookie.starts_with("__Secure-qiguan=") && cookie.contains("; Path=/games;"),
                    "{cookie}"
                );
                assert!(
                    text.contains("data-base=\"/games\"") && text.contains("https://club.example/games/"),
                    "{text}"
                );
                assert!(!text.contains("=\"./") && !text.contains("src=\"/assets"), "{text}");
            }
            if path.starts_with("/embed") {
                assert!(text.contains(&format!("href=\"/games/t/{table}\"")), "{text}");
                assert!(!text.contains("=\"/t/") && !text.contains("=\"/embed/"), "{text}");
            }
        }
        let acted = send(&house, Method::POST, &format!("{before}/api/guests"), &ours, "").await;
        assert_eq!(acted.status(), 201);
        let evil = [host, ("origin", "https://evil.example")];
        assert_eq!(
            send(&house, Method::POST, &format!("{before}/api/guests"), &evil, "").await.status(),
            403
        );
        // A program reaches it there, its sockets too.
        let program = Guest::enter(&format!("{}{before}/", house.base)).await.expect("lets everybody in");
        soon(program.connect(&table, None)).await.expect("connects");
        let link = format!("https://club.example/games/t/{table}");
        let (status, _, told) = asked_at(&house, &format!("{before}/oembed?url={link}"), &[host]).await;
        assert!(status == 200 && told.contains("https://club.example/games/embed/"), "{told}");
    }
    let (status, _, _) = asked_at(&house, "/gamesx", &[host]).await;
    assert_eq!(status, 404, "another name");
    let bare =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let bare = soon(bare.get(format!("{}/games?x=1", house.base)).send()).await.expect("answers");
    assert_eq!(
        (bare.status().as_u16(), &bare.headers()["location"]),
        (308, &"/games/?x=1".parse().expect("text"))
    );
}

/// A missing page is answered with 404, not 200 (H8).
#[tokio::test]
async fn a_page_of_nothing_is_told_as_missing() {
    let house = House::open().await;
    let guest = house.guest().await;
    let table = guest.open(&gomoku(How::Open)).await.expect("a table").id;
    let room = gomoku(How::Room);
    guest.open(&wire::CreateTable { room: Some("Club".into()), ..room }).await.expect("a room");
    let maps = guest.get("/api/maps").await.expect("maps");
    let map = maps[0]["id"].as_str().expect("an id");
    let puzzle = guest.get("/api/puzzles/daily?family=gomoku").await.expect("a puzzle");
    let puzzle = puzzle["id"].as_str().expect("an id");
    for there in [
        "",
        "inbox",
        "account",
        "account/sign-in",
        "account/mail",
        "account/openid",
        "people",
        "people/moderation",
        "maps",
        "workshop",
        "library",
        "puzzles",
        "studies",
        "studies/new",
        "rules/gomoku",
        "room/Club",
        &format!("t/{table}"),
        &format!("maps/{map}"),
        &format!("workshop/{map}"),
        &format!("puzzles/{puzzle}"),
        &format!("@/{}", guest.player.id),
    ] {
        assert_eq!(asked_at(&house, &format!("/{there}"), &[]).await.0, 200, "{there}");
    }
    for missing in [
        "nowhere",
        "t",
        "t/nobody",
        "t/nobody/more",
        "room/nowhere",
        "rules/chess",
        "maps/nothing",
        "workshop/nothing",
        "@/Nobody%20here",
        "@",
        "library/999999",
        "library/x",
        "puzzles/nothing",
        "studies/nothing",
        "studies/aaaaaaaaaaaa",
        "people/nobody",
        "account/elsewhere",
        "inbox/x",
        "a/b/c",
    ] {
        let (status, fields, text) = asked_at(&house, &format!("/{missing}"), &[]).await;
        assert_eq!(status, 404, "{missing}");
        assert!(fields["content-type"].to_str().expect("text").starts_with("text/html"), "{missing}");
        assert!(text.contains("noindex") && text.contains("<html"), "the page that says so: {missing}");
    }
}

/// A body that is not understood changes nothing (H8).
#[tokio::test]
async fn a_body_that_is_not_understood_changes_nothing() {
    let house = House::open().await;
    let (ann, _) = crate::accounts::Person::account(&house, "Ann").await;
    crate::accounts::Person::account(&house, "Bob").await;
    let hours = serde_json::json!({ "quiet": { "from_min": 1320, "to_min": 420, "zone": "Asia/Shanghai" } });
    assert_eq!(ann.send(Method::PUT, "/api/notices/quiet", hours.clone()).await.0, 200);
    let relation = serde_json::json!({ "follows": true, "blocks": false, "note": "a friend" });
    assert_eq!(ann.send(Method::PUT, "/api/relations/Bob", relation.clone()).await.0, 200);
    for (path, body) in [
        ("/api/notices/quiet", r#"{"from_min":1,"to_min":2,"zone":"UTC"}"#),
        ("/api/notices/quiet", r#"{"quite":{"from_min":1,"to_min":2,"zone":"UTC"}}"#),
        ("/api/notices/quiet", r#"{"quiet":{"from_min":1,"to_min":2,"zone":"UTC","x":1}}"#),
        ("/api/notices/quiet", r#"{"quiet":"never"}"#),
        ("/api/notices/quiet", "[]"),
        ("/api/notices/quiet", "null"),
        ("/api/notices/quiet", "\"\""),
        ("/api/notices/quiet", ""),
        ("/api/relations/Bob", r#"{"folows":false}"#),
        ("/api/relations/Bob", "[]"),
        ("/api/relations/Bob", ""),
        ("/api/me", r#"{"nam":"x"}"#),
        ("/api/me", "[]"),
    ] {
        let bearer = format!("Bearer {}", ann.secret);
        let headers = [JSON, ("authorization", bearer.as_str())];
        let response = send(&house, Method::PUT, path, &headers, body).await;
        assert!(response.status().is_client_error(), "{path} {body}");
        assert_eq!(key_of(response).await, "bad-json", "{path} {body}");
    }
    assert_eq!(ann.get("/api/notices").await.1["quiet"], hours["quiet"]);
    assert_eq!(ann.get("/api/relations/Bob").await.1, relation);
    assert_eq!(ann.get("/api/me").await.1["player"]["name"], "Ann");
}

/// Every refusal is a problem with a sentence, not plain text that clients do not show (A12).
#[tokio::test]
async fn every_refusal_has_words() {
    let house = House::open().await;
    for (method, path, status, key) in [
        (Method::GET, "/api/library/games/x", 404, "no-such-address"),
        (Method::GET, "/api/library/games/-1/record", 404, "no-such-address"),
        (Method::GET, "/api/maps/x/extensions/%FF", 404, "no-such-address"),
        (Method::GET, "/api/tables/%FF", 404, "no-such-address"),
        (Method::GET, "/api/extensions/a/99999999999", 404, "no-such-address"),
        (Method::GET, "/api/library?page=x", 400, "bad-query"),
        (Method::DELETE, "/api/games", 405, "no-such-method"),
        (Method::POST, "/api/tv", 405, "no-such-method"),
        (Method::GET, "/ws/lobby", 400, "no-websocket"),
    ] {
        let response = send(&house, method, path, &[], "").await;
        assert_eq!(response.status().as_u16(), status, "{path}");
        assert_eq!(key_of(response).await, key, "{path}");
    }
}
