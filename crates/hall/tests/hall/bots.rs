//! Programs with accounts: streams, challenges, moves; and the example program, which plays every family to the end.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use client::Guest;
use edge::limits::Limits;
use serde_json::{Value, json};
use wire::{ServerMessage, TableInfo};

use crate::accounts::{Person, refused, text};
use crate::house::{House, soon};

/// The stream of lines of one person.
pub struct Stream {
    response: reqwest::Response,
    rest: Vec<u8>,
    /// Empty lines so far.
    pub empty: u32,
}

impl Stream {
    pub async fn open(person: &Person<'_>, path: &str) -> Stream {
        let response = person.raw(reqwest::Method::GET, path, &Value::Null).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], "application/x-ndjson");
        Stream { response, rest: Vec::new(), empty: 0 }
    }

    /// Returns the next object; `None` when the stream has ended.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                if line.len() > 1 {
                    return Some(serde_json::from_slice(&line).expect("JSON"));
                }
                self.empty += 1;
            }
            match soon(self.response.chunk()).await {
                Ok(Some(part)) => self.rest.extend_from_slice(&part),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Returns the next object of that type.
    pub async fn until(&mut self, kind: &str) -> Value {
        loop {
            let event = self.next().await.expect("the stream goes on");
            if event["type"] == kind {
                return event;
            }
        }
    }
}

/// Returns an account that is a program's, with its token.
async fn program<'a>(house: &'a House, name: &str) -> (Person<'a>, Person<'a>) {
    let (owner, _) = Person::account(house, name).await;
    let bot = owner.token(&["read", "play", "challenge", "program"]).await;
    assert_eq!(bot.post("/api/bot/account/upgrade", Value::Null).await.0, 204);
    (owner, bot)
}

fn gomoku() -> Value {
    json!({ "game": "gomoku/freestyle", "clock": { "kind": "none" }, "side": "first" })
}

#[tokio::test]
async fn a_program_is_challenged_and_plays() {
    let house = House::open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let (_, bot) = program(&house, "Robo").await;
    let mut events = Stream::open(&bot, "/api/stream/event").await;

    let (status, made) = ann.post("/api/challenge/robo", gomoku()).await;
    assert_eq!(status, 201, "{made}");
    assert_eq!(made["to"]["program"], true, "it is marked");
    let told = events.until("challenge").await;
    assert_eq!(told["challenge"]["id"], made["id"]);
    assert_eq!(told["challenge"]["from"]["name"], "Ann");
    let id = text(&made, "id");
    assert_eq!(
        refused(&ann.post(&format!("/api/challenge/{id}/accept"), Value::Null).await).0,
        404,
        "her own"
    );
    let (status, created) = bot.post(&format!("/api/challenge/{id}/accept"), Value::Null).await;
    assert_eq!((status, &created["you"]), (201, &json!(["second"])), "{created}");
    let table = text(&created, "id");
    assert_eq!(events.until("gameStart").await["game"]["id"], table.as_str());

    let mut game = Stream::open(&bot, &format!("/api/bot/game/stream/{table}")).await;
    let full = game.until("gameFull").await;
    assert_eq!((&full["you"], &full["state"]["legal"]), (&json!(["second"]), &json!([])));
    let play = async |person: &Person<'_>, text: &str| {
        person.post(&format!("/api/bot/game/{table}/move/{text}"), Value::Null).await
    };
    assert_eq!(refused(&play(&bot, "h8").await), (400, "not-your-turn"));
    assert_eq!(refused(&play(&ann, "h8").await), (403, "not-a-program"));
    let mut seat = client::Seat::new(Guest::known(&house.base, &ann.secret).await.expect("known"), &table);
    crate::house::done(&mut seat, crate::house::mv("h8")).await;
    let state = game.until("gameState").await;
    assert_eq!((&state["moves"], &state["turn"]), (&json!(["h8"]), &json!("second")));
    assert!(state["legal"].as_array().expect("moves").contains(&json!("h9")));
    assert_eq!(refused(&play(&bot, "h8").await).0, 400, "taken");
    assert_eq!(play(&bot, "h9").await.0, 204);
    assert_eq!(game.until("gameState").await["legal"], json!([]));
    while seat.ver < 4 {
        crate::house::hear(&mut seat).await;
    }
    crate::house::done(&mut seat, crate::house::offer(wire::Offer::Draw)).await;
    assert_eq!(game.until("gameState").await["drawOffer"], true);
    assert_eq!(
        refused(&bot.post(&format!("/api/bot/game/{table}/draw/perhaps"), Value::Null).await),
        (400, "yes-or-no")
    );
    assert_eq!(bot.post(&format!("/api/bot/game/{table}/draw/no"), Value::Null).await.0, 204);
    assert_eq!(
        bot.post(&format!("/api/bot/game/{table}/chat"), json!({ "phrase": "good-game" })).await.0,
        204
    );
    assert_eq!(game.until("chatLine").await["phrase"], "good-game");
    assert_eq!(bot.post(&format!("/api/bot/game/{table}/resign"), Value::Null).await.0, 204);
    let end = game.until("gameState").await;
    assert_eq!((&end["winner"], &end["status"]), (&json!("first"), &json!("resign")));
    assert!(game.next().await.is_none(), "the stream ends with the game");
    assert_eq!(events.until("gameFinish").await["game"]["end"]["winner"], "first");
}

#[tokio::test]
async fn who_becomes_a_program_and_what_it_may() {
    let house = House::open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let guest = Person::guest(&house).await;
    assert_eq!(refused(&guest.post("/api/bot/account/upgrade", Value::Null).await), (403, "not-an-account"));
    let reader = ann.token(&["read"]).await;
    assert_eq!(refused(&reader.post("/api/bot/account/upgrade", Value::Null).await), (403, "token-scope"));
    // She has sat at a table.
    assert_eq!(
        ann.post("/api/tables", serde_json::to_value(crate::house::gomoku(wire::How::Invite)).expect("JSON"))
            .await
            .0,
        201
    );
    // A8: with a token to play anybody could make its owner's account a program's for good.
    let player = ann.token(&["read", "play", "challenge", "study"]).await;
    assert_eq!(refused(&player.post("/api/bot/account/upgrade", Value::Null).await), (403, "token-scope"));
    let (bob, _) = Person::account(&house, "Bob").await;
    assert_eq!(bob.post("/api/bot/account/upgrade", Value::Null).await.0, 204, "the owner decides");
    let token = ann.token(&["program"]).await;
    assert_eq!(
        refused(&token.post("/api/bot/account/upgrade", Value::Null).await),
        (409, "program-has-played")
    );
    let (owner, bot) = program(&house, "Robo").await;
    assert_eq!(owner.get("/api/me").await.1["kind"], "program");
    assert!(house.get("/api/people/Robo").await.text().await.expect("text").contains("\"program\""));
    let rated = json!({ "game": "gomoku/renju", "rated": true,
        "clock": { "kind": "fischer", "base_ms": 180_000, "increment_ms": 2000 } });
    assert_eq!(refused(&ann.post("/api/challenge/robo", rated.clone()).await), (400, "rated-needs-account"));
    assert_eq!(refused(&bot.post("/api/challenge/ann", rated).await), (400, "rated-needs-account"));
    assert_eq!(refused(&bot.get("/api/bot/game/stream/nowhere").await).0, 404);
}

/// A revoked token ends the streams that were opened with it, and so does one that expires.
#[tokio::test]
async fn streams_end_with_their_token_and_are_bounded() {
    let house = House::with(Limits { streams: 2, ..Limits::default() }).await;
    let (owner, bot) = program(&house, "Robo").await;
    let mut one = Stream::open(&bot, "/api/stream/event").await;
    let two = Stream::open(&bot, "/api/stream/event").await;
    assert_eq!(bot.get("/api/stream/event").await.0, 429, "one too many");
    drop(two);
    let mut third = 429;
    for _ in 0..100 {
        third = bot.raw(reqwest::Method::GET, "/api/stream/event", &Value::Null).await.status().as_u16();
        if third == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(third, 200, "what has ended is not counted");
    let tokens = owner.get("/api/account").await.1["tokens"].clone();
    let id = text(&tokens[0], "id");
    assert_eq!(owner.delete(&format!("/api/account/tokens/{id}")).await.0, 204);
    while one.next().await.is_some() {}
    assert_eq!(refused(&bot.get("/api/stream/event").await), (401, "bearer-unknown"));
}

/// The example program, with its output.
struct Example(Child);

impl Example {
    fn start(house: &House, bot: &Person<'_>) -> Option<Example> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/bot.py");
        let mut command = Command::new("python3");
        command.arg(path).arg(&house.base).env("QIGUAN_TOKEN", &bot.secret).stdout(Stdio::null());
        command.spawn().ok().map(Example)
    }
}

impl Drop for Example {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_plays_every_family_to_the_end() {
    if Command::new("python3").arg("-V").output().is_err() {
        let _ = writeln!(std::io::stderr(), "skipped: there is no python3");
        return;
    }
    let source = include_str!("../../../../examples/bot.py");
    assert!(source.lines().count() <= 60, "the example is meant to be read at one glance");
    let house = House::open().await;
    let (ann, ben) = (Person::account(&house, "Robo A").await.0, Person::account(&house, "Robo B").await.0);
    let scopes = ["read", "play", "challenge", "program"];
    let (ann, ben) = (ann.token(&scopes).await, ben.token(&scopes).await);
    let _programs = [Example::start(&house, &ann), Example::start(&house, &ben)];
    let map = house.get("/api/maps").await.text().await.expect("text");
    let maps: Value = serde_json::from_str(&map).expect("JSON");
    let map = maps.as_array().expect("maps").iter().find(|map| map["extensions"].as_u64().unwrap_or(0) == 0);
    let map = map.map(|map| map["id"].clone()).unwrap_or_default();
    for person in [&ann, &ben] {
        while person.get("/api/me").await.1["kind"] != "program" {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    let mut watching = Stream::open(&ann, "/api/stream/event").await;
    let games = ["xiangqi", "draughts/russian", "gomoku/freestyle", "locked", "jingbanqi"];
    for game in games {
        let mut wish =
            json!({ "game": game, "clock": { "kind": "fischer", "base_ms": 600_000, "increment_ms": 1000 } });
        if game == "jingbanqi" {
            wish["map"] = map.clone();
        }
        let (status, made) = ann.post("/api/challenge/Robo%20B", wish).await;
        assert_eq!(status, 201, "{game}: {made}");
        let table = text(&watching.until("gameStart").await["game"], "id");
        loop {
            match house.full(&table).await {
                ServerMessage::Full {
                    end: Some(end), table: TableInfo { game: played, .. }, record, ..
                } => {
                    assert_eq!(played, game);
                    assert!(
                        !end.void && end.reason != "flag" && record.len() > 4,
                        "{game} ended by {}",
                        end.reason
                    );
                    break;
                }
                _ => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
        assert_eq!(watching.until("gameFinish").await["game"]["id"], table.as_str(), "{game}");
    }
}
