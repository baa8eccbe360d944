//! The hall of the built program and authors of maps: test games before publication, and the remains of hostile
//! extensions.
#![cfg(target_os = "linux")]

mod running;

use std::time::{Duration, Instant};

use reqwest::header::CONTENT_TYPE;
use running::Hall;
use serde_json::{Value, json};

const STARTER: &[u8] = include_bytes!("../../../maps/starter.xlsx");
/// Longer than a check takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// A person who uploads maps.
struct Author<'a> {
    hall: &'a Hall,
    http: reqwest::Client,
    secret: String,
}

impl<'a> Author<'a> {
    async fn of(hall: &'a Hall) -> Author<'a> {
        let http = reqwest::Client::builder().timeout(PATIENCE).build().expect("a client");
        let answer = http.post(format!("{}/api/guests", hall.url)).send().await.expect("answers");
        let guest: Value = serde_json::from_str(&answer.text().await.expect("text")).expect("a guest");
        Author { hall, http, secret: guest["secret"].as_str().expect("a secret").to_owned() }
    }

    /// Returns the answer, once there is one: a hall on a machine that does much else may ask for patience.
    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let patience = Instant::now() + PATIENCE;
        loop {
            let (status, told) = self.ask(path, body).await;
            if status != 503 || Instant::now() > patience {
                return (status, told);
            }
        }
    }

    async fn ask(&self, path: &str, body: &Value) -> (u16, Value) {
        let request = self.http.post(format!("{}{path}", self.hall.url)).bearer_auth(&self.secret);
        let answer = request.header(CONTENT_TYPE, "application/json").body(body.to_string()).send().await;
        let answer = answer.expect("answers");
        let status = answer.status().as_u16();
        (status, serde_json::from_str(&answer.text().await.expect("text")).expect("JSON"))
    }

    async fn publish(&self, extension: &str) -> (u16, Value) {
        self.post("/api/maps", &upload(extension)).await
    }
}

fn upload(extension: &str) -> Value {
    let text = format!("EX_NAME = 'x'\n{extension}");
    json!({"name": "A game", "map": base64(STARTER), "extensions": [{"file": "x.py", "base64": base64(text.as_bytes())}]})
}

/// Encodes as Base64 (RFC 4648), with padding.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().fold(0, |bits, &byte| bits << 8 | usize::from(byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let sign = SIGNS[bits >> (18 - 6 * place) & 63];
            text.push(if place <= three.len() { char::from(sign) } else { '=' });
        }
    }
    text
}

/// Extensions that are refused for publication: description, lines below `EX_NAME`, hook, line and a part of the
/// reason.
const REFUSED: &[(&str, &str, &str, &str, &str)] = &[
    (
        "an endless loop",
        "def check_can_go(c, p, a):\n    while True: pass\n",
        "check_can_go",
        "3",
        "TimeLimit",
    ),
    ("nothing given back", "def check_can_go(c, p, a):\n    return None\n", "check_can_go", "2", "TypeError"),
    ("no function", "check_can_go = 5\n", "load", "2", "TypeError"),
    (
        "a place that is not there, one time in many",
        "def check_can_go(c, p, a):\n    import random\n    if random.random() < 0.001:\n        return c[len(c)]\n    return c\n",
        "check_can_go",
        "5",
        "IndexError",
    ),
    (
        "an attribute that only some pieces have, where what is kept cannot be saved",
        "count = iter(range(10**9))\ndef after_move(a, b):\n    if b[0] == 3:\n        JBQ.get_chess_by_arr(b).attr['none']\n",
        "after_move",
        "5",
        "KeyError",
    ),
    ("all memory", "def after_move(a, b):\n    x = [0] * 10**10\n", "after_move", "3", ""),
];

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_when_it_is_played_does_not_reach_the_shelf() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::start_with(data.path(), &["--limits", "off"]);
    for &(name, text, hook, line, why) in REFUSED {
        let author = Author::of(&hall).await;
        let (status, told) = author.publish(text).await;
        assert_eq!((status, &told["ok"]), (422, &json!(false)), "{name}: {told}");
        let error = &told["errors"][0];
        assert_eq!(error["key"], "map-extension-failed", "{name}: {told}");
        let of = |fact: &str| error["args"][fact].as_str().unwrap_or_default().to_owned();
        assert_eq!((&*of("place"), &*of("hook"), &*of("line")), ("x.py", hook, line), "{name}: {told}");
        assert!(of("text").contains(why), "{name}: {told}");
    }
    // What prints and works is kept, and its author reads what it printed.
    let author = Author::of(&hall).await;
    let works = "def after_move(a, b):\n    print('from', a)\n";
    let (status, told) = author.post("/api/maps/check", &upload(works)).await;
    assert_eq!((status, &told["ok"]), (200, &json!(true)), "{told}");
    assert!(told["played"]["prints"].as_str().is_some_and(|prints| prints.contains("from (")), "{told}");
    let other = Author::of(&hall).await;
    let ((one, told), (two, _)) = tokio::join!(author.publish(works), other.publish(works));
    assert_eq!((one, two), (201, 201), "two at once: {told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_much_is_refused_and_memory_comes_back() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::start_with(data.path(), &["--limits", "off"]);
    let long = format!("x = '{}'\n", "a".repeat(1 << 20));
    let (status, told) = Author::of(&hall).await.publish(&long).await;
    assert_eq!((status, &told["errors"][0]["key"]), (422, &json!("map-extension-too-large")), "{told}");
    // What any hall takes once it has read maps, started workers and opened tables.
    for number in 0..5 {
        let author = Author::of(&hall).await;
        let (status, map) = author.publish(&format!("# {number}\n")).await;
        assert_eq!(status, 201, "{map}");
        let table =
            json!({"game": "jingbanqi", "map": map["id"], "how": "screen", "clock": {"kind": "none"}});
        let (status, told) = author.post("/api/tables", &table).await;
        assert_eq!(status, 201, "{told}");
    }
    let before = hall.memory();
    let begun = Instant::now();
    let many = if std::env::var_os("QIGUAN_DEEP").is_some() { 50 } else { HOSTILE.len() };
    for number in 0..many {
        let hostile = format!("{}# {number}\n", HOSTILE[number % HOSTILE.len()]);
        let author = Author::of(&hall).await;
        let (status, told) = author.publish(&hostile).await;
        assert_eq!(status, 422, "{hostile}: {told}");
        // What is only tried is loaded and played on.
        let mut trial = upload(&hostile);
        trial["trial"] = json!(true);
        let (status, map) = author.post("/api/maps", &trial).await;
        if status == 201 {
            let table =
                json!({"game": "jingbanqi", "map": map["id"], "how": "screen", "clock": {"kind": "none"}});
            let (status, told) = author.post("/api/tables", &table).await;
            assert!(matches!(status, 201 | 400 | 422), "{hostile}: {told}");
        }
    }
    // The last workers have been told to go.
    let patience = Instant::now() + PATIENCE;
    while hall.children() > 0 && Instant::now() < patience {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (after, workers) = (hall.memory(), hall.children());
    println!("{before} kB before, {after} kB after {:?}; {workers} workers", begun.elapsed());
    assert!(after < before * 13 / 10 + 4096, "{before} kB became {after} kB");
    assert_eq!(workers, 0, "nobody plays");
}

/// Extensions that use as much of a resource as they can.
const HOSTILE: &[&str] = &[
    "x = [0] * 10**10\n",
    "def after_move(a, b):\n    while True: pass\n",
    "def after_move(a, b):\n    x = []\n    while True: x.append([])\n",
    "def check_can_go(c, p, a):\n    return [[(i, j) for i in range(900) for j in range(900)]] * 99\n",
    "def after_move(a, b):\n    print('x' * 10**6)\n    raise ValueError('y' * 10**6)\n",
    "EX_NAME = 'n' * 10**6\nHELP = 'h' * 10**6\ndef check_can_go(c, p, a):\n    return None\n",
    "def after_move(a, b):\n    JBQ.get_chess_by_arr(b).attr.update({str(i): 'v' * 9999 for i in range(999)})\n    [][1]\n",
    "def after_move(a, b):\n    while True: JBQ.add_chess(1, (2, 2))\n",
    "def after_move(a, b):\n    10**10**8\n",
    "class C:\n    def __str__(self):\n        while True: pass\ndef after_move(a, b):\n    raise ValueError(C())\n",
];
