//! Every address of the API, requested as a browser does. Would catch an answer that is cut off, compressed wrongly,
//! or of another kind, status or shape than the description says.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client::{Guest, Seat};
use reqwest::header;
use serde_json::{Value, json};
use wire::{Act, CreateTable, How, Side};

use crate::house::{House, done, gomoku, level, moves, soon};
use crate::rated::with_accounts;

/// The fields that a browser sends with a request of a page, beside the cookie.
const BROWSER: [(&str, &str); 7] = [
    ("accept", "*/*"),
    ("accept-encoding", "gzip, deflate, br, zstd"),
    ("accept-language", "zh-CN,zh;q=0.9,en;q=0.8"),
    ("sec-fetch-site", "same-origin"),
    ("sec-fetch-mode", "cors"),
    ("sec-fetch-dest", "empty"),
    ("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
];

/// A hall with something of every kind, and the ids of these.
struct World {
    house: House,
    /// The secrets of a person with an account, and of a guest.
    secrets: [String; 2],
    /// Names of path parts and their values, by the beginning of the path.
    parts: Vec<(&'static str, Value)>,
}

async fn post(guest: &Guest, path: &str, body: Value) -> Value {
    let parts: Vec<&str> = path.split('/').collect();
    guest.post(&parts, &body).await.unwrap_or_else(|why| panic!("{path}: {why:?}"))
}

impl World {
    async fn open() -> World {
        let (house, [ann, bob]) = with_accounts(["Ann", "Bob"]).await;
        let wish = CreateTable {
            how: How::Room,
            room: Some("Club".to_owned()),
            side: Some(Side::First),
            ..gomoku(How::Room)
        };
        let table = ann.open(&wish).await.expect("a table").id;
        let mut seats = [Seat::new(ann.clone(), &table), Seat::new(bob.clone(), &table)];
        done(&mut seats[1], Act::Sit { side: None }).await;
        level(&mut seats).await;
        moves(&mut seats, "h8 a1 h9 b1").await;
        let study = json!({"name": "All of it", "access": "public", "from": {"name": "One", "game": "gomoku/standard"}});
        let study = post(&ann, "api/studies", study).await["study"]["id"].clone();
        let collection = post(&ann, "api/library", json!({"name": "Mine", "access": "public"})).await;
        let key = collection["key"].as_str().expect("a key");
        let file = STANDARD.encode("Game: gomoku/standard\n\n1. h8 i9\n");
        let games = format!("api/library/collections/{key}/games");
        post(&ann, &games, json!({"name": "games.txt", "content": file})).await;
        let found = ann.get(&format!("/api/library/games?collection={key}")).await.expect("games");
        let game = found["games"][0]["id"].clone();
        let maps = ann.get("/api/maps").await.expect("maps");
        let puzzle = ann.get("/api/puzzles/daily?family=gomoku").await.expect("a puzzle")["id"].clone();
        let starter = catalog::maps::Draft::from(&catalog::maps::starter()).read().map.expect("a good map");
        let upload =
            json!({"name": "Steps", "map": STANDARD.encode(records::map::write(&starter).expect("writes"))});
        let work = post(&ann, "api/works", json!({"upload": upload})).await["line"]["id"].clone();
        let secrets = [ann.secret().to_owned(), house.guest().await.secret().to_owned()];
        let parts = vec![
            ("/api/people/{who}", json!("Ann")),
            ("/api/people/{who}/against/{other}", json!("Bob")),
            ("/api/relations/{who}", json!("Bob")),
            ("/api/rooms/{name}", json!("Club")),
            ("/api/extensions/{name}", json!("nothing")),
            ("/api/extensions/{name}/{n}", json!(1)),
            ("/api/library/games/{id}", game),
            ("/api/maps/{id}", maps[0]["id"].clone()),
            ("/api/maps/{id}/diff/{other}", maps[0]["id"].clone()),
            ("/api/maps/{id}/extensions/{n}", json!(0)),
            ("/api/maps/{id}/balance/{plot}", json!("shares.svg")),
            ("/api/puzzles/{id}", puzzle),
            ("/api/studies/{id}", study.clone()),
            ("/api/studies/{id}/chapters/{chapter}", json!(0)),
            ("/api/staff/people/{who}", json!("Ann")),
            ("/api/worker/maps/{id}", maps[0]["id"].clone()),
            ("/api/worker/weights/{hash}", json!("0".repeat(64))),
            ("/api/tables/{id}", json!(table)),
            ("/api/bot/game/stream/{id}", json!(table)),
            ("/api/works/{id}", work),
            ("/t/{file}", json!(format!("{table}.png"))),
            ("/rules/{file}", json!("gomoku.png")),
            ("/maps/{file}", json!(format!("{}.png", maps[0]["id"].as_str().expect("an id")))),
            ("/embed/{id}", json!(table)),
            ("/ws/studies/{id}", study),
        ];
        World { house, secrets, parts }
    }

    /// Returns the address of a described path; every part of it must be said above.
    fn address(&self, path: &str, described: &Value) -> String {
        let (mut address, mut before) = (String::new(), String::new());
        for part in path.split('/').skip(1) {
            before = format!("{before}/{part}");
            let known = self.parts.iter().find(|(at, _)| *at == before).map(|(_, known)| known);
            let value = match (part.starts_with('{'), known) {
                (false, _) => part.to_owned(),
                (true, Some(Value::String(text))) => text.clone(),
                (true, Some(Value::Number(number))) => number.to_string(),
                (true, _) => panic!("{path}: say in World::open what {before} is"),
            };
            address = format!("{address}/{value}");
        }
        let table = self.parts.iter().find(|(at, _)| *at == "/api/tables/{id}").expect("a table").1.as_str();
        let table = table.expect("an id");
        let url = format!("{}/t/{table}", self.house.base);
        let queries = described["parameters"].as_array().into_iter().flatten();
        let wanted = queries.filter(|one| one["in"] == "query" && one["required"] == true);
        let query: Vec<String> = wanted
            .map(|one| match one["name"].as_str().expect("a name") {
                "cell" => "cell=0".to_owned(),
                "family" => "family=gomoku".to_owned(),
                "format" => "format=json".to_owned(),
                "since" => "since=0".to_owned(),
                "table" => format!("table={table}"),
                "url" => format!("url={url}"),
                other => panic!("{path}: say what {other} is"),
            })
            .collect();
        if query.is_empty() { address } else { format!("{address}?{}", query.join("&")) }
    }

    async fn ask(&self, address: &str, secret: &str) -> reqwest::Response {
        let mut request = self.house.http.get(format!("{}{address}", self.house.base));
        for (name, value) in BROWSER {
            request = request.header(name, value);
        }
        let request = request.header(header::COOKIE, format!("qiguan={secret}"));
        soon(request.header(header::REFERER, format!("{}/", self.house.base)).send()).await.expect("answers")
    }
}

/// Returns the bytes of an answer that has come whole, unpacked as a browser does.
fn unpacked(how: Option<&str>, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    match how {
        None => out.extend(bytes),
        Some("gzip") => {
            flate2::read::GzDecoder::new(bytes).read_to_end(&mut out).expect("is whole");
        }
        // What is packed beforehand; there is no reader for it here.
        Some("br") => out.extend(bytes),
        Some(other) => panic!("nobody asked for {other}"),
    }
    out
}

/// Returns the first place that does not fit a schema of the description, and why.
fn misfit(all: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema = all.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("{name}"));
        return misfit(all, schema, value, at);
    }
    let every = |key: &str| schema[key].as_array().cloned().unwrap_or_default();
    for part in every("allOf") {
        if let Some(why) = misfit(all, &part, value, at) {
            return Some(why);
        }
    }
    for key in ["oneOf", "anyOf"] {
        let ways = every(key);
        let whys: Vec<_> = ways.iter().map(|way| misfit(all, way, value, at)).collect();
        if !ways.is_empty() && whys.iter().all(Option::is_some) {
            return Some(format!(
                "{at}: fits none of {}: {:?}",
                ways.len(),
                whys.into_iter().flatten().next()
            ));
        }
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is = |kind: &&str| match *kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{at}: {other}"),
    };
    if !kinds.is_empty() && !kinds.iter().any(is) {
        return Some(format!("{at}: {value} is no {kinds:?}"));
    }
    let values = every("enum");
    if !values.is_empty() && !values.contains(value) {
        return Some(format!("{at}: {value} is none of {values:?}"));
    }
    if let Some(fields) = value.as_object() {
        let described = schema["properties"].as_object();
        for name in every("required") {
            let name = name.as_str().expect("a name");
            if !fields.contains_key(name) {
                return Some(format!("{at}: no {name}"));
            }
        }
        for (name, field) in fields {
            let at = format!("{at}.{name}");
            let (own, other) = (described.and_then(|all| all.get(name)), &schema["additionalProperties"]);
            let schema = own.or_else(|| other.is_object().then_some(other));
            if let Some(why) = schema.and_then(|schema| misfit(all, schema, field, &at)) {
                return Some(why);
            }
            // What is flattened or chosen from is described elsewhere.
            let whole = schema.is_some() || described.is_none_or(serde_json::Map::is_empty);
            if !whole && at.matches('.').count() < 2 && every("allOf").is_empty() && every("oneOf").is_empty()
            {
                return Some(format!("{at} is not described"));
            }
        }
    }
    if let Some(items) = value.as_array() {
        let first = every("prefixItems");
        for (i, item) in items.iter().enumerate() {
            let schema = first.get(i).unwrap_or(&schema["items"]);
            if *schema == Value::Bool(false) {
                return Some(format!("{at}: more than {} items", first.len()));
            }
            if let Some(why) = misfit(all, schema, item, &format!("{at}[{i}]")) {
                return Some(why);
            }
        }
    }
    None
}

/// "Download everything" comes to its end in a browser, which accepts compressed answers, as it does in a program
/// that does not (H1).
#[tokio::test(flavor = "multi_thread")]
async fn every_address_answers_a_browser_to_the_end_as_it_is_described() {
    let world = World::open().await;
    let text = world.house.get("/api/openapi.json").await.text().await.expect("text");
    let described: Value = serde_json::from_str(&text).expect("JSON");
    let mut wrong = Vec::new();
    let mut good = 0;
    for (path, methods) in described["paths"].as_object().expect("paths") {
        let Some(described_get) = methods.get("get") else { continue };
        let address = world.address(path, described_get);
        for secret in &world.secrets {
            let mut answer = world.ask(&address, secret).await;
            let status = answer.status().as_u16();
            let field = |name: header::HeaderName| answer.headers().get(name).and_then(|v| v.to_str().ok());
            let kind = field(header::CONTENT_TYPE).unwrap_or_default().to_owned();
            let how = field(header::CONTENT_ENCODING).map(str::to_owned);
            let bytes = if path.contains("stream") && status == 200 {
                // It ends with the game, or never.
                soon(answer.chunk()).await.expect("a line").unwrap_or_default().to_vec()
            } else {
                match soon(answer.bytes()).await {
                    Ok(bytes) => unpacked(how.as_deref(), &bytes),
                    Err(why) => {
                        wrong.push(format!("{address}: {status}, then cut off: {why}"));
                        continue;
                    }
                }
            };
            let told = &described_get["responses"][status.to_string()];
            let Some(contents) = told["content"].as_object() else {
                wrong.push(format!("{path}: {status} is not described"));
                continue;
            };
            let bare = kind.split(';').next().unwrap_or_default();
            let Some(content) = contents.get(bare) else {
                wrong.push(format!("{path}: {status} is {kind}, described as {:?}", contents.keys()));
                continue;
            };
            good += u32::from(status == 200);
            if bare == "application/json" {
                let value: Value =
                    serde_json::from_slice(&bytes).unwrap_or_else(|why| panic!("{address}: {why}"));
                wrong.extend(misfit(&described, &content["schema"], &value, path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(good > 80, "only {good} answers were good ones");
}
