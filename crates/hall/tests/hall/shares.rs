//! The shares of one address, or one person, in common resources: mailboxes, sign-in, names, pages of lists, ratings.

use client::{Guest, Seat};
use edge::limits::Limits;
use edge::reach::Reach;
use reqwest::Method;
use serde_json::{Value, json};
use wire::{Act, ClockSpec, CreateTable, How};

use crate::accounts::text;
use crate::house::{House, done, gomoku, hear, level, moves, refused, soon};

const PASSWORD: &str = "correct horse battery";

/// Behind a proxy that tells where requests come from.
async fn proxied(limits: Limits) -> House {
    House::at(limits, Reach { behind_proxy: true, ..Reach::default() }).await
}

/// A person at an address of their own.
struct Neighbour<'a> {
    house: &'a House,
    address: String,
    secret: String,
}

impl<'a> Neighbour<'a> {
    async fn guest(house: &'a House, address: &str) -> Neighbour<'a> {
        let mut guest = Neighbour { house, address: address.to_owned(), secret: String::new() };
        let (status, told) = guest.post("/api/guests", Value::Null).await;
        assert_eq!(status, 201, "{told}");
        guest.secret = text(&told, "secret");
        guest
    }

    async fn account(house: &'a House, address: &str, name: &str) -> (Neighbour<'a>, Value) {
        let guest = Neighbour::guest(house, address).await;
        let (status, told) = guest.post("/api/account", json!({ "name": name, "password": PASSWORD })).await;
        assert_eq!(status, 201, "{told}");
        let secret = text(&told, "secret");
        (Neighbour { secret, ..guest }, told)
    }

    async fn send(&self, method: Method, path: &str, sent: &Value) -> (u16, Value) {
        let request = self.house.http.request(method, format!("{}{path}", self.house.base));
        let mut request = request.header("x-forwarded-for", &self.address);
        if !self.secret.is_empty() {
            request = request.bearer_auth(&self.secret);
        }
        if !sent.is_null() {
            request = request.header("content-type", "application/json").body(sent.to_string());
        }
        let answer = soon(request.send()).await.expect("answers");
        let status = answer.status().as_u16();
        (status, serde_json::from_str(&answer.text().await.expect("text")).unwrap_or(Value::Null))
    }

    async fn post(&self, path: &str, sent: Value) -> (u16, Value) {
        self.send(Method::POST, path, &sent).await
    }

    async fn get(&self, path: &str) -> Value {
        self.send(Method::GET, path, &Value::Null).await.1
    }
}

fn why((status, body): &(u16, Value)) -> (u16, &str) {
    (*status, body["error"]["key"].as_str().unwrap_or_default())
}

/// Fifty challenges of fresh guests do not close a person's mailbox (A4).
#[tokio::test]
async fn challenges_of_guests_close_nobodys_mailbox() {
    let house = proxied(Limits::default()).await;
    let (victim, _) = Neighbour::account(&house, "198.51.100.1", "Victim").await;
    let (friend, _) = Neighbour::account(&house, "198.51.100.2", "Friend").await;
    let wish = || json!({ "game": "gomoku/freestyle", "clock": { "kind": "none" } });
    let mut taken = 0;
    for _ in 0..60 {
        let guest = Neighbour::guest(&house, "203.0.113.78").await;
        taken += usize::from(guest.post("/api/challenge/victim", wish()).await.0 == 201);
    }
    assert_eq!(taken, people::challenge::MOST_FROM_GUESTS);
    assert_eq!(friend.post("/api/challenge/victim", wish()).await.0, 201, "an account has room of its own");
    let other = Neighbour::guest(&house, "203.0.113.79").await;
    assert_eq!(other.post("/api/challenge/victim", wish()).await.0, 201, "another address, another share");
    let waiting = victim.get("/api/challenges").await;
    let received = waiting["received"].as_array().expect("a list");
    assert_eq!(received.len(), people::challenge::MOST_FROM_GUESTS + 1, "one of the greedy gave way");
    let full = Neighbour::guest(&house, "203.0.113.78").await.post("/api/challenge/victim", wish()).await;
    assert_eq!(why(&full), (409, "challenges-full"));
}

/// Ten wrong recovery codes do not lock the owner out (A5).
#[tokio::test]
async fn wrong_recovery_codes_lock_nobody_out() {
    let house = proxied(Limits::default()).await;
    let (_, told) = Neighbour::account(&house, "198.51.100.1", "Ada").await;
    let asked = |code: &str| json!({ "name": "Ada", "code": code, "password": "another horse battery" });
    let thief = Neighbour::guest(&house, "203.0.113.78").await;
    let mut last = (0, String::new());
    for _ in 0..60 {
        let answer = thief.post("/api/session/recovery", asked("aaaa-aaaa-aaaa-aaaa")).await;
        last = (answer.0, why(&answer).1.to_owned());
        if last.0 == 429 {
            break;
        }
        assert_eq!(last, (403, "recovery-failed".to_owned()));
    }
    assert_eq!(last.0, 429, "an address has so many tries");
    let owner = Neighbour::guest(&house, "198.51.100.9").await;
    let code = told["recovery"][0].as_str().expect("a code");
    assert_eq!(owner.post("/api/session/recovery", asked(code)).await.0, 200);
}

/// A private collection does not take its name from others, invisible letters are refused, and one address does not
/// fill the list (A7).
#[tokio::test]
async fn collections_are_called_as_their_owners_like_and_listed_fairly() {
    let limits = Limits { collections_address: 6, library_lines: 3, ..Limits::default() };
    let house = proxied(limits).await;
    let (ann, _) = Neighbour::account(&house, "198.51.100.1", "Ann").await;
    let (eve, _) = Neighbour::account(&house, "203.0.113.9", "Eve").await;
    let make = async |who: &Neighbour<'_>, name: &str, access: &str| {
        who.post("/api/library", json!({ "name": name, "access": access })).await
    };
    assert_eq!(make(&ann, "My games", "private").await.0, 201);
    assert_eq!(why(&make(&ann, "my  GAMES", "public").await), (400, "library-name-taken"));
    let (status, own) = make(&eve, "My games", "public").await;
    assert_eq!(status, 201, "nobody else's name is taken: {own}");
    for (name, key) in [
        ("a\u{202e}b", "name-letter"),
        ("\u{200b}", "name-letter"),
        ("My\u{2066} games", "name-letter"),
        ("HALL", "name-reserved"),
        ("", "name-empty"),
        ("Pаris games", "name-scripts"),
    ] {
        assert_eq!(why(&make(&eve, name, "public").await), (400, key), "{name:?}");
    }
    let game = |n: u32| {
        use base64::Engine as _;
        let text = format!("Game: gomoku/standard\n\n1. a{n} b{n}\n");
        let content = base64::engine::general_purpose::STANDARD.encode(text);
        json!({ "name": "games.txt", "content": content, "game": "" })
    };
    // Of five that Eve makes each has a game but the last; Ann's one comes among the first of the list all the same.
    let mut made = vec![own];
    for n in 0..4 {
        made.push(make(&eve, &format!("BUY GOLD {n}"), "public").await.1);
    }
    for (n, collection) in (1..).zip(&made[..4]) {
        let path = format!("/api/library/collections/{}/games", text(collection, "key"));
        for more in 0..2 {
            assert_eq!(eve.post(&path, game(n + 5 * more)).await.0, 200);
        }
    }
    let (_, shown) = make(&ann, "Openings", "public").await;
    let path = format!("/api/library/collections/{}/games", text(&shown, "key"));
    assert_eq!(ann.post(&path, game(15)).await.0, 200);
    let names = |list: &Value| -> Vec<String> {
        let lines = list.as_array().expect("a list");
        lines.iter().filter(|line| line["hall"] != true).map(|line| text(line, "name")).collect()
    };
    let visitor = Neighbour::guest(&house, "192.0.2.7").await;
    let first = names(&visitor.get("/api/library").await);
    assert_eq!(first.len(), 3, "{first:?}");
    assert!(first[..2].contains(&"Openings".to_owned()), "the first of each owner comes first: {first:?}");
    let second = names(&visitor.get("/api/library?page=1").await);
    assert_eq!(second.len(), 2, "one that is empty is shown to nobody: {second:?}");
    assert_eq!(names(&eve.get("/api/library").await).len(), 6, "to its owner it is");
    // The address has had its day.
    let neighbour = Neighbour::account(&house, "203.0.113.9", "Mallory").await.0;
    assert_eq!(make(&neighbour, "More", "public").await.0, 201);
    assert_eq!(make(&neighbour, "Still more", "public").await.0, 429);
}

/// Names of studies and chapters, comments and notes take no invisible letters (A7).
#[tokio::test]
async fn nothing_that_people_name_or_note_hides_letters() {
    let house = proxied(Limits::default()).await;
    let (ann, _) = Neighbour::account(&house, "198.51.100.1", "Ann").await;
    let new =
        |name: &str| json!({ "name": name, "access": "private", "from": { "name": "", "game": "xiangqi" } });
    assert_eq!(why(&ann.post("/api/studies", new("My\u{202e} study")).await), (400, "name-letter"));
    let (status, made) = ann.post("/api/studies", new("My study")).await;
    assert_eq!(status, 201, "{made}");
    let id = text(&made["study"], "id");
    let chapter = made["study"]["chapters"][0]["id"].clone();
    let change = async |change: Value| {
        ann.post(&format!("/api/studies/{id}/changes"), json!({ "base": 1, "change": change })).await
    };
    let named = change(json!({ "t": "name-chapter", "chapter": chapter, "name": "a\u{200f}b" })).await;
    assert_eq!(why(&named), (400, "name-letter"));
    let comment =
        json!({ "t": "comment", "chapter": chapter, "node": 0, "text": "good\u{202e} move\u{200b}" });
    let (status, told) = change(comment).await;
    assert_eq!(status, 200, "{told}");
    assert!(told.to_string().contains("good move"), "{told}");
}

/// Published maps are limited by address and day, so that one address cannot use up the room of all (A9).
#[tokio::test]
async fn maps_that_are_kept_are_counted_by_address_and_day() {
    let house = proxied(Limits { maps_kept_address: 3, maps_kept: 2, ..Limits::default() }).await;
    let map = |n: usize| {
        let mut map = catalog::maps::starter();
        map.kinds[0].name = format!("{}{n}", map.kinds[0].name);
        use base64::Engine as _;
        let file = records::map::write(&map).expect("is written");
        let file = base64::engine::general_purpose::STANDARD.encode(file);
        json!({ "name": format!("Map {n}"), "map": file, "extensions": [] })
    };
    let (one, two) =
        (Neighbour::guest(&house, "203.0.113.9").await, Neighbour::guest(&house, "203.0.113.9").await);
    let elsewhere = Neighbour::guest(&house, "203.0.113.10").await;
    for (who, n, status) in
        [(&one, 0, 201), (&one, 1, 201), (&one, 2, 429), (&two, 2, 201), (&two, 3, 429), (&elsewhere, 3, 201)]
    {
        let answer = who.post("/api/maps", map(n)).await;
        assert_eq!(answer.0, status, "map {n}: {}", answer.1);
    }
    assert!(two.post("/api/maps", map(0)).await.0 < 300, "what is there already costs nothing");
}

/// Events have a quota in bytes (A9).
#[tokio::test]
async fn wishes_at_tables_are_counted_in_bytes() {
    let house = proxied(Limits { event_bytes: 1_000, ..Limits::default() }).await;
    let guest = Guest::enter(&house.base).await.expect("lets everybody in");
    let table = guest.open(&gomoku(How::Screen)).await.expect("a table").id;
    let mut seat = Seat::new(guest, &table);
    hear(&mut seat).await;
    for text in ["h8", "h9", "i8", "i9"] {
        done(&mut seat, crate::house::mv(text)).await;
    }
    for _ in 0..2 {
        assert_eq!(refused(&mut seat, crate::house::mv("j8")).await, "too-many-requests");
    }
}

/// Two accounts of one address cannot make a rating by losing to each other: 29 games in one second gave 2011 (A10).
#[tokio::test]
async fn a_rating_is_not_made_by_losing_to_oneself() {
    let house = proxied(Limits::default()).await;
    let (ann, ann_told) = Neighbour::account(&house, "203.0.113.78", "Ann").await;
    let (bob, _) = Neighbour::account(&house, "203.0.113.78", "Bob").await;
    let wish = CreateTable {
        clock: ClockSpec::Fischer { base_ms: 60_000, increment_ms: 0 },
        rated: true,
        options: Default::default(),
        ..gomoku(How::Invite)
    };
    let guest_of =
        async |who: &Neighbour<'_>| Guest::known(&house.base, &who.secret).await.expect("is known");
    let (first, second) = (guest_of(&ann).await, guest_of(&bob).await);
    // They connect from this machine, both from one address.
    let play = async |texts: &str| -> Result<(), String> {
        let (status, made) = ann.post("/api/tables", serde_json::to_value(&wish).expect("JSON")).await;
        assert_eq!(status, 201, "{made}");
        let table = text(&made, "id");
        let mut seats = [Seat::new(first.clone(), &table), Seat::new(second.clone(), &table)];
        level(&mut seats).await;
        match soon(seats[1].wish(Act::Sit { side: None })).await.expect("the protocol is kept") {
            client::Answer::Refused(why) => return Err(why.key.into_owned()),
            client::Answer::Done(_) => {}
        }
        level(&mut seats).await;
        moves(&mut seats, texts).await;
        done(&mut seats[1], Act::Resign { side: None }).await;
        Ok(())
    };
    let profile = format!("/api/people/{}", text(&ann_told["me"]["player"], "id"));
    play("h8 a1").await.expect("a short one");
    assert_eq!(ann.get(&profile).await["ratings"].as_array().map_or(0, Vec::len), 0, "two plies are no game");
    let mut played = 1;
    let refusal = loop {
        match play("h8 a1 h9 a2 h10 a4").await {
            Ok(()) => played += 1,
            Err(why) => break why,
        }
        assert!(played < 30, "nobody stopped them");
    };
    assert_eq!((refusal.as_str(), played), ("rated-neighbours", people::pool::NEIGHBOURS_A_DAY));
    assert_eq!(ann.get(&profile).await["ratings"][0]["games"], people::pool::NEIGHBOURS_A_DAY - 1);
}

/// The rooms of one address do not fill the first page of the lobby (A12).
#[tokio::test]
async fn one_address_does_not_fill_the_first_page() {
    let house = proxied(Limits { lobby_lines: 10, ..Limits::default() }).await;
    let room = |name: String| json!(CreateTable { room: Some(name), ..gomoku(How::Room) });
    let honest = Neighbour::guest(&house, "198.51.100.1").await;
    assert_eq!(honest.post("/api/tables", room("Honest".to_owned())).await.0, 201);
    for n in 0..40 {
        let guest = Neighbour::guest(&house, "203.0.113.78").await;
        assert_eq!(guest.post("/api/tables", room(format!("Spam {n}"))).await.0, 201);
    }
    // Fewer than one address may have among the first stand before it.
    let mut path = "/api/tables?most=13".to_owned();
    let mut seen = Vec::new();
    loop {
        let answer = house.get(&path).await;
        let link = answer.headers().get("link").map(|link| link.to_str().expect("text").to_owned());
        let page: wire::Tables = serde_json::from_str(&answer.text().await.expect("text")).expect("tables");
        seen.extend(page.open.into_iter().map(|line| line.room.unwrap_or_default()));
        let Some(link) = link else { break };
        path = link[1..link.find('>').expect("an end")].to_owned();
    }
    let place = seen.iter().position(|name| name == "Honest").expect("is listed");
    assert!(place <= 12, "{place} of {seen:?}");
    assert_eq!(seen.len(), 41, "every page tells others");
    assert_eq!(seen.iter().collect::<std::collections::BTreeSet<_>>().len(), 41);
}
