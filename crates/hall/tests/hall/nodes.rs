//! Catches what one node of a hall knows and another does not: a question that only the node which asked it can take the answer
//! of, a collection or a standing that is a file of one node, and any route of the API that answers otherwise at another node.

use std::time::Duration;

use base64::Engine as _;
use client::Guest;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use wire::{Act, How};

use crate::cluster::{Node, is_here, sql};
use crate::house::{done, gomoku, level, moves, soon, table_of};
use client::Seat;

/// Routes whose answers are left out of the comparison, and why.
const OTHERWISE: [(&str, &str); 6] = [
    ("get /api/account/export", "has a line for each time that it was asked"),
    ("get /api/tables/{id}/qr", "a picture of the address that was asked"),
    ("get /api/puzzles/next", "one of many puzzles, by chance"),
    ("get /api/stream/event", "does not end"),
    ("get /api/bot/game/stream/{id}", "does not end"),
    ("post /api/maps/{id}/balance", "half a minute of games"),
];
/// The fields of an answer that tell the moment in which it was given, and how long that took.
const MOMENT: [&str; 3] = ["now_ms", "seen_ms", "used_ms"];

/// Returns the answer to a request: status, and JSON without the moment, or text.
async fn ask(base: &str, who: Option<&str>, method: &Method, path: &str, sent: &Value) -> (u16, String) {
    let request = Client::new().request(method.clone(), format!("{base}{path}"));
    let request = if let Some(secret) = who { request.bearer_auth(secret) } else { request };
    let request = if *method == Method::GET {
        request
    } else {
        request.header("content-type", "application/json").body(sent.to_string())
    };
    let answer = soon(request.send()).await.expect("answers");
    let status = answer.status().as_u16();
    // Each node of this test is asked at an address of its own; behind a balancer it is one.
    let host = base.trim_start_matches("http://");
    let text = soon(answer.text()).await.unwrap_or_default().replace(host, "hall.example");
    let Ok(mut body) = serde_json::from_str::<Value>(&text) else { return (status, text) };
    still(&mut body);
    (status, body.to_string())
}

fn still(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !MOMENT.contains(&name.as_str()));
            fields.values_mut().for_each(still);
        }
        Value::Array(values) => values.iter_mut().for_each(still),
        _ => {}
    }
}

fn key(answer: &(u16, String)) -> (u16, String) {
    let body: Value = serde_json::from_str(&answer.1).unwrap_or_default();
    (answer.0, body["error"]["key"].as_str().unwrap_or_default().to_owned())
}

/// Asks each node the same until all answers agree, for five seconds; returns `None` then, and otherwise the last
/// answers, cut to the place where they differ.
async fn differ(nodes: &[Node], who: Option<&str>, path: &str) -> Option<Vec<(u16, String)>> {
    let mut said = Vec::new();
    for _ in 0..25 {
        said.clear();
        for node in nodes {
            said.push(ask(&node.base, who, &Method::GET, path, &Value::Null).await);
        }
        if said.iter().all(|one| *one == said[0]) {
            return None;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let is_same =
        |at: &usize| said.iter().all(|(_, text)| text.as_bytes().get(*at) == said[0].1.as_bytes().get(*at));
    let same = (0..said[0].1.len()).take_while(is_same).count().saturating_sub(40);
    let part = |text: &str| text.chars().skip(same).take(160).collect();
    Some(said.iter().map(|(status, text)| (*status, part(text))).collect())
}

async fn three(database: &str) -> Vec<Node> {
    let mut nodes = Vec::new();
    for name in ["a", "b", "c"] {
        nodes.push(Node::open(database, name).await);
    }
    nodes
}

async fn stop(nodes: Vec<Node>) {
    for mut node in nodes {
        node.stop().await;
    }
}

/// Signing in may begin at one node and end at another: a code that one node showed, or a passkey that it asked for,
/// is known to the others (O2).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signing_in_begins_at_one_node_and_ends_at_another() {
    if !is_here() {
        return;
    }
    let nodes = three("signing").await;
    let ann = nodes[0].account("Ann").await;
    for round in 0..3 {
        let [asks, confirms, polls] =
            [round % 3, (round + 1) % 3, (round + 2) % 3].map(|n: usize| &nodes[n].base);
        let waits = ask(asks, None, &Method::POST, "/api/session/device", &json!({})).await;
        assert_eq!(waits.0, 201, "{waits:?}");
        let waits: Value = serde_json::from_str(&waits.1).expect("JSON");
        let poll = json!({ "device": waits["device"], "bring": false });
        let told = ask(polls, None, &Method::POST, "/api/session/device/poll", &poll).await;
        assert_eq!(told, (200, "{}".to_owned()), "nobody has confirmed it");
        let code = json!({ "code": waits["code"] });
        let said = ask(confirms, Some(ann.secret()), &Method::POST, "/api/account/device", &code).await;
        assert_eq!(said.0, 204, "round {round}: {said:?}");
        let again = ask(asks, Some(ann.secret()), &Method::POST, "/api/account/device", &code).await;
        assert_eq!(key(&again), (404, "device-code".to_owned()), "a code is good once, at any node");
        let told = ask(polls, None, &Method::POST, "/api/session/device/poll", &poll).await;
        let told: Value = serde_json::from_str(&told.1).expect("JSON");
        assert_eq!(told["signed_in"]["me"]["player"]["name"], "Ann", "{told}");
        let again = ask(asks, None, &Method::POST, "/api/session/device/poll", &poll).await;
        assert_eq!(key(&again), (404, "device-code".to_owned()));
        // A passkey: its question is known elsewhere, and gone after one answer, whatever that was.
        let guest = nodes[round % 3].guest().await;
        let sent = json!({ "name": format!("Bob{round}") });
        let asked = ask(asks, Some(guest.secret()), &Method::POST, "/api/account/passkeys/ask", &sent).await;
        assert_eq!(asked.0, 200, "{asked:?}");
        let asked: Value = serde_json::from_str(&asked.1).expect("JSON");
        let wish = json!({ "name": format!("Bob{round}"), "passkey": { "id": asked["id"], "answer": {} } });
        let answers = async |base: &str| {
            key(&ask(base, Some(guest.secret()), &Method::POST, "/api/account", &wish).await)
        };
        assert_eq!(answers(confirms).await, (400, "passkey-malformed".to_owned()));
        assert_eq!(answers(polls).await, (400, "passkey-late".to_owned()), "it was taken");
    }
    assert_eq!(sql("signing", "SELECT count(*) FROM question"), "0");
    stop(nodes).await;
}

const GAMES: &str = "Game: gomoku/freestyle\nFirst: Hu\nSecond: Lu\n\n1. h8 2. i9 3. h9 4. i8 5. h10\n\n\
    Game: gomoku/freestyle\nFirst: Hu\nSecond: Wu\n\n1. h8 2. a1 3. h9 4. a2 5. h10 6. a4 7. h11 8. a6 9. h12\n\n";

/// Makes a collection at one node, fills it at the second, reads it at the third, and checks that it stays when its
/// maker dies.
async fn collection(nodes: &[Node], who: &str) -> (String, u64) {
    let wish = json!({ "name": "Round robin", "access": "public" });
    let made = ask(&nodes[0].base, Some(who), &Method::POST, "/api/library", &wish).await;
    assert_eq!(made.0, 201, "{made:?}");
    let made: Value = serde_json::from_str(&made.1).expect("JSON");
    let key = made["key"].as_str().expect("a key").to_owned();
    let content = base64::engine::general_purpose::STANDARD.encode(GAMES);
    let sent = json!({ "name": "games.txt", "content": content, "game": "" });
    let games = format!("/api/library/collections/{key}/games");
    let brought = ask(&nodes[1].base, Some(who), &Method::POST, &games, &sent).await;
    assert_eq!(brought.0, 200, "{brought:?}");
    let brought: Value = serde_json::from_str(&brought.1).expect("JSON");
    assert_eq!((&brought["added"], &brought["done"]), (&2.into(), &true.into()), "{brought}");
    // At once: who asks elsewhere waits until that node has come so far.
    let search = format!("/api/library/games?collection={key}");
    let found = ask(&nodes[2].base, Some(who), &Method::GET, &search, &Value::Null).await;
    let found: Value = serde_json::from_str(&found.1).expect("JSON");
    assert_eq!(found["games"].as_array().map(Vec::len), Some(2), "{found}");
    (key, found["games"][0]["id"].as_u64().expect("a number"))
}

/// The library and the puzzles are the same at all nodes (O2): a collection made at the first gave 404 at two of
/// three, and a rating was 1211 at one node and 1500 at the others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_library_and_the_puzzles_are_the_halls_and_not_a_nodes() {
    if !is_here() {
        return;
    }
    let mut nodes = three("shelves").await;
    let ann = nodes[0].account("Ann").await;
    let who = Some(ann.secret());
    let (collection, game) = collection(&nodes, ann.secret()).await;
    assert_eq!(
        differ(&nodes, who, &format!("/api/library/games/{game}?collection={collection}")).await,
        None
    );
    let puzzle =
        ask(&nodes[0].base, who, &Method::GET, "/api/puzzles/daily?family=gomoku", &Value::Null).await;
    let puzzle: Value = serde_json::from_str(&puzzle.1).expect("JSON");
    let id = puzzle["id"].as_str().expect("a puzzle");
    let gives_up = json!({ "moves": [], "give_up": true });
    let tries = format!("/api/puzzles/{id}/try");
    let told = ask(&nodes[1].base, who, &Method::POST, &tries, &gives_up).await;
    let told: Value = serde_json::from_str(&told.1).expect("JSON");
    let rating = told["counted"]["standing"]["rating"].as_u64().expect("it counts");
    assert!(rating < 1500, "{told}");
    for node in [&nodes[2], &nodes[0]] {
        let own = ask(&node.base, who, &Method::GET, "/api/puzzles", &Value::Null).await;
        let own: Value = serde_json::from_str(&own.1).expect("JSON");
        let mut families = own["families"].as_array().expect("a list").iter();
        let gomoku = families.find(|family| family["family"] == "gomoku").expect("is there");
        assert_eq!(gomoku["standing"]["rating"], rating, "at once, at any node");
        let told = ask(&node.base, who, &Method::POST, &tries, &gives_up).await;
        assert!(
            told.1.contains(r#""state":"shown""#) && !told.1.contains("standing"),
            "counted once: {}",
            told.1
        );
    }
    // The node at which it was made is gone, with its disk. A new one has all of it.
    let mut gone = nodes.remove(0);
    gone.stop().await;
    drop(gone);
    nodes.push(Node::open("shelves", "d").await);
    let search = format!("/api/library/games?collection={collection}");
    let found = ask(&nodes[2].base, who, &Method::GET, &search, &Value::Null).await;
    assert!(found.0 == 200 && found.1.contains(&format!("\"id\":{game},")), "{found:?}");
    assert_eq!(differ(&nodes, who, &search).await, None);
    assert_eq!(differ(&nodes, who, "/api/puzzles").await, None);
    // Deleted at one, it is gone at all.
    let path = format!("/api/library/collections/{collection}");
    assert_eq!(ask(&nodes[1].base, who, &Method::DELETE, &path, &Value::Null).await.0, 200);
    for node in &nodes {
        let gone = key(&ask(&node.base, who, &Method::GET, &search, &Value::Null).await);
        assert_eq!(gone, (400, "library-no-collection".to_owned()));
    }
    stop(nodes).await;
}

/// Every route of the description answers at each of three nodes as one hall would. A new route is included
/// automatically.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_answers_the_same_at_every_node() {
    if !is_here() {
        return;
    }
    let nodes = three("routes").await;
    let (ann, bob) = (nodes[0].account("Ann").await, nodes[1].account("Bob").await);
    let (collection, game) = collection(&nodes, ann.secret()).await;
    let table = ann.open(&gomoku(How::Open)).await.expect("a table").id;
    let mut seats = [Seat::new(ann.clone(), &table), Seat::new(bob.clone(), &table)];
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    moves(&mut seats, "h8 a1 h9 a2 h10 a4 h11 a6 h12").await;
    let over = table_of(&seats[0]);
    let waiting = bob.open(&gomoku(How::Open)).await.expect("a table").id;
    let study = ann.post(&["api", "studies"], &json!({ "name": "Study", "access": "public" })).await;
    let study = study
        .ok()
        .and_then(|made| Some(made["id"].as_str()?.to_owned()))
        .unwrap_or_else(|| "nothing".to_owned());
    let guest = nodes[2].guest().await;
    let person = |guest: &Guest| {
        let (base, secret) = (nodes[0].base.clone(), guest.secret().to_owned());
        async move {
            let me = ask(&base, Some(&secret), &Method::GET, "/api/me", &Value::Null).await;
            let me: Value = serde_json::from_str(&me.1).expect("JSON");
            me["player"]["id"].as_str().expect("an id").to_owned()
        }
    };
    let (ann_id, bob_id) = (person(&ann).await, person(&bob).await);
    let maps = ask(&nodes[0].base, None, &Method::GET, "/api/maps", &Value::Null).await;
    let maps: Value = serde_json::from_str(&maps.1).expect("JSON");
    let first = maps.as_array().or_else(|| maps["maps"].as_array()).and_then(|all| all.first().cloned());
    let map =
        first.and_then(|map| Some(map["id"].as_str()?.to_owned())).unwrap_or_else(|| "nothing".to_owned());
    let puzzle =
        ask(&nodes[0].base, None, &Method::GET, "/api/puzzles/daily?family=xiangqi", &Value::Null).await;
    let puzzle: Value = serde_json::from_str(&puzzle.1).expect("JSON");
    let puzzle = puzzle["id"].as_str().unwrap_or("nothing").to_owned();
    let description: Value = serde_json::from_str(include_str!("../../openapi.json")).expect("JSON");
    let paths = description["paths"].as_object().expect("paths");
    let (mut walked, mut wrong) = (0, Vec::new());
    for (path, methods) in paths {
        let filled = |of_table: &str| {
            let id = match path.split('/').nth(2).unwrap_or_default() {
                "tables" | "bot" => of_table,
                "maps" => &map,
                "puzzles" => &puzzle,
                "studies" => &study,
                "library" => &game.to_string(),
                _ => "nothing",
            };
            let mut path = path.replace("{id}", id).replace("{key}", &collection).replace("{who}", &bob_id);
            path = path.replace("{other}", &ann_id).replace("{chapter}", "1").replace("{n}", "1");
            path = path.replace("{plot}", "wins.svg").replace("{file}", &format!("{of_table}.svg"));
            path.replace("{name}", "nothing").replace("{yes}", "yes").replace("{move}", "h8")
        };
        for method in methods.as_object().expect("methods").keys() {
            let route = format!("{method} {path}");
            if OTHERWISE.iter().any(|(known, _)| *known == route) {
                continue;
            }
            walked += 1;
            if method == "get" {
                for (asks, of_table) in [(Some(ann.secret()), &over), (Some(guest.secret()), &waiting)] {
                    if let Some(said) = differ(&nodes, asks, &filled(of_table)).await {
                        wrong.push(format!("{route}: {said:#?}"));
                    }
                }
                continue;
            }
            // Requests that change something come from another person each time, so that each gets the same
            // answer.
            let method: Method = method.to_uppercase().parse().expect("a method");
            let path = if method == Method::DELETE { path.replace("{key}", "999") } else { path.clone() };
            let path = if path.contains("{key}") { path.replace("{key}", "999") } else { path };
            let filled = path.replace("{id}", if path.contains("tables") { &over } else { "nothing" });
            let filled = ["{who}", "{n}", "{chapter}", "{name}", "{yes}", "{move}"]
                .iter()
                .fold(filled, |path, part| path.replace(part, "1"));
            let mut said = Vec::new();
            for node in &nodes {
                let guest = nodes[walked % 3].guest().await;
                said.push(key(&ask(&node.base, Some(guest.secret()), &method, &filled, &json!({})).await));
            }
            if said.iter().any(|one| *one != said[0]) {
                wrong.push(format!("{route}: {said:?}"));
            }
        }
    }
    assert!(walked > 120, "{walked}");
    assert!(wrong.is_empty(), "{} of {walked}: {}", wrong.len(), wrong.join("\n"));
    stop(nodes).await;
}
