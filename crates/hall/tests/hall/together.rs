//! Challenges by name, blocks, words at a table, reports.

use client::{Connection, Guest};
use edge::limits::Limits;
use serde_json::{Value, json};
use wire::{Act, ClientMessage, How, ServerMessage};

use crate::accounts::{Person, refused, text};
use crate::house::{House, done, gomoku, level, mv, soon, until};

fn game() -> Value {
    json!({ "game": "gomoku/freestyle", "clock": { "kind": "none" } })
}

fn blitz() -> Value {
    json!({ "game": "gomoku/renju", "clock": { "kind": "fischer", "base_ms": 180_000, "increment_ms": 2000 } })
}

#[tokio::test]
async fn a_challenge_is_answered_once() {
    let house = House::open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let (bob, _) = Person::account(&house, "Bob").await;
    let (eve, _) = Person::account(&house, "Eve").await;
    let guest = Person::guest(&house).await;
    for (name, who, whom, wish, wanted) in [
        ("nobody", &ann, "nobody-of-that-name", game(), (404, "no-such-person")),
        ("herself", &ann, "ann", game(), (400, "challenge-self")),
        ("a guest", &ann, guest.id().await.as_str(), game(), (400, "challenge-guest")),
        (
            "a game that is none",
            &ann,
            "bob",
            json!({ "game": "chess", "clock": { "kind": "none" } }),
            (400, "unknown-game"),
        ),
        (
            "a rated one by a guest",
            &guest,
            "bob",
            json!({ "game": "gomoku/renju", "rated": true, "clock": blitz()["clock"] }),
            (400, "rated-needs-account"),
        ),
    ] {
        assert_eq!(refused(&who.post(&format!("/api/challenge/{whom}"), wish).await), wanted, "{name}");
    }
    let (_, made) = ann.post("/api/challenge/BOB", game()).await;
    let id = text(&made, "id");
    let (_, listed) = bob.get("/api/challenges").await;
    assert_eq!(
        (&listed["received"][0]["id"], listed["sent"].as_array().map(Vec::len)),
        (&made["id"], Some(0)),
        "{listed}"
    );
    assert_eq!(ann.get("/api/challenges").await.1["sent"][0]["id"], made["id"]);
    assert_eq!(
        refused(&eve.post(&format!("/api/challenge/{id}/accept"), Value::Null).await),
        (404, "no-such-challenge")
    );
    let decline = format!("/api/challenge/{id}/decline");
    assert_eq!(refused(&bob.post(&decline, json!({ "reason": "because" })).await), (400, "decline-reason"));
    assert_eq!(bob.post(&decline, json!({ "reason": "later" })).await.0, 204);
    assert_eq!(refused(&bob.post(&decline, Value::Null).await), (404, "no-such-challenge"));

    // Two may wait for the same person, ten in all.
    let mut waiting = Vec::new();
    for _ in 0..2 {
        waiting.push(text(&ann.post("/api/challenge/bob", game()).await.1, "id"));
    }
    assert_eq!(refused(&ann.post("/api/challenge/bob", game()).await), (409, "challenges-full"));
    assert_eq!(
        refused(&bob.post(&format!("/api/challenge/{}/cancel", waiting[0]), Value::Null).await).0,
        404
    );
    assert_eq!(ann.post(&format!("/api/challenge/{}/cancel", waiting[0]), Value::Null).await.0, 204);
    let (status, created) = bob.post(&format!("/api/challenge/{}/accept", waiting[1]), Value::Null).await;
    assert_eq!((status, created["you"].as_array().map(Vec::len)), (201, Some(1)), "{created}");
    assert_eq!(ann.get("/api/me").await.1["playing"][0]["id"], created["id"]);

    // A game with a clock begins when both are here.
    let id = text(&ann.post("/api/challenge/bob", blitz()).await.1, "id");
    let accept = format!("/api/challenge/{id}/accept");
    assert_eq!(refused(&bob.post(&accept, Value::Null).await), (409, "challenger-away"));
    let _here = crate::bots::Stream::open(&ann, "/api/stream/event").await;
    assert_eq!(bob.post(&accept, Value::Null).await.0, 201);
}

#[tokio::test]
async fn challenges_outlive_the_hall() {
    let mut house = House::open().await;
    let (secret_a, secret_b) = {
        let ((ann, _), (bob, _)) =
            (Person::account(&house, "Ann").await, Person::account(&house, "Bob").await);
        assert_eq!(ann.post("/api/challenge/bob", game()).await.0, 201);
        (ann.secret, bob.secret)
    };
    house.restart().await;
    let (ann, bob) = (Person::with(&house, &secret_a), Person::with(&house, &secret_b));
    let id = text(&bob.get("/api/challenges").await.1["received"][0], "id");
    assert_eq!(bob.post(&format!("/api/challenge/{id}/accept"), Value::Null).await.0, 201);
    assert_eq!(ann.get("/api/challenges").await.1["sent"], json!([]));
}

/// A person in the lobby is told of challenges at once.
#[tokio::test]
async fn the_lobby_says_that_somebody_challenges() {
    let house = House::open().await;
    let ((ann, _), (bob, _)) = (Person::account(&house, "Ann").await, Person::account(&house, "Bob").await);
    let mut lobby = Connection::lobby(&house.base, &bob.secret).await.expect("connects");
    until(&mut lobby, |said| matches!(said, ServerMessage::Lobby { .. }).then_some(())).await;
    let (_, made) = ann.post("/api/challenge/bob", game()).await;
    let challenged = |said| match said {
        ServerMessage::Challenged { table, .. } => Some(table),
        _ => None,
    };
    assert_eq!(until(&mut lobby, challenged).await, None);
    let (_, created) = bob.post(&format!("/api/challenge/{}/accept", text(&made, "id")), Value::Null).await;
    assert_eq!(until(&mut lobby, challenged).await, Some(text(&created, "id")));
    // Signed out, the connection ends.
    assert_eq!(bob.delete("/api/session").await.0, 204);
    while soon(lobby.hear()).await.is_ok() {}
}

/// Says something; returns the line that everybody gets, or the key of the refusal.
async fn say(line: &mut Connection, what: ClientMessage) -> Result<wire::SaidLine, String> {
    line.say(&what).await.expect("is heard");
    let ClientMessage::Say { phrase, .. } = what else { panic!("says something") };
    until(line, |said| match said {
        // What others said before may come first.
        ServerMessage::Said(line) => (line.phrase == phrase).then_some(Ok(line)),
        ServerMessage::No { why, .. } => Some(Err(why.key.into_owned())),
        _ => None,
    })
    .await
}

fn phrase(key: &str) -> ClientMessage {
    ClientMessage::Say { cmd: "say-00001".to_owned(), phrase: Some(key.to_owned()), words: None }
}

fn words(text: &str) -> ClientMessage {
    ClientMessage::Say { cmd: "say-00002".to_owned(), phrase: None, words: Some(text.to_owned()) }
}

async fn chat(line: &mut Connection) -> Vec<String> {
    line.say(&ClientMessage::Chat).await.expect("is heard");
    until(line, |said| match said {
        ServerMessage::Chat { lines } => {
            Some(lines.into_iter().map(|line| line.phrase.or(line.words).unwrap_or_default()).collect())
        }
        _ => None,
    })
    .await
}

async fn at(house: &House, person: &Person<'_>, table: &str) -> Connection {
    let guest = Guest::known(&house.base, &person.secret).await.expect("known");
    guest.connect(table, None).await.expect("connects")
}

#[tokio::test]
async fn players_and_watchers_talk_apart() {
    let house = House::open().await;
    let ((ann, _), (bob, _)) = (Person::account(&house, "Ann").await, Person::account(&house, "Bob").await);
    let (eve, dan) = (Person::account(&house, "Eve").await.0, Person::guest(&house).await);
    let (_, made) = ann.post("/api/challenge/bob", game()).await;
    let (_, created) = bob.post(&format!("/api/challenge/{}/accept", text(&made, "id")), Value::Null).await;
    let table = text(&created, "id");
    let mut a = at(&house, &ann, &table).await;
    let mut b = at(&house, &bob, &table).await;
    let mut e = at(&house, &eve, &table).await;
    let mut d = at(&house, &dan, &table).await;
    let said = say(&mut a, phrase("hello")).await.expect("said");
    assert_eq!(
        (said.phrase.as_deref(), said.who.name.as_deref(), said.watching),
        (Some("hello"), Some("Ann"), false)
    );
    let said = say(&mut e, words("  what a\u{202e} <b>move</b>\n https://x.example ")).await.expect("said");
    assert_eq!((said.words.as_deref(), said.watching), (Some("what a <b>move</b> https://x.example"), true));
    for (name, what, wanted) in [
        ("no such phrase", phrase("insult"), "phrase-unknown"),
        ("nothing", words(" \u{200b} "), "words-empty"),
        ("too long", words(&"x".repeat(201)), "words-too-long"),
    ] {
        assert_eq!(say(&mut b, what).await.expect_err("refused"), wanted, "{name}");
    }
    assert_eq!(chat(&mut d).await.len(), 1);
    assert_eq!(say(&mut d, words("hello")).await.expect_err("a guest's words"), "words-need-account");
    assert_eq!(
        say(&mut d, phrase("wow")).await.expect("said").phrase.as_deref(),
        Some("wow"),
        "phrases are for all"
    );
    assert_eq!(chat(&mut b).await, ["hello"], "players hear players");
    assert_eq!(chat(&mut d).await, ["what a <b>move</b> https://x.example", "wow"], "watchers hear watchers");
    // Chat messages are no events: a move is based on the version before them.
    let before = house.full(&table).await;
    let ServerMessage::Full { v, .. } = before else { panic!("{before:?}") };
    assert_eq!(v, 2);

    // Blocked, her words are not shown any more, neither new nor old ones.
    assert_eq!(bob.send(reqwest::Method::PUT, "/api/relations/ann", json!({ "blocks": true })).await.0, 200);
    assert_eq!(chat(&mut b).await, Vec::<String>::new());
    say(&mut a, words("can you hear me?")).await.expect("said");
    say(&mut b, phrase("bye")).await.expect("he hears himself alone");
    assert_eq!(chat(&mut a).await, ["hello", "can you hear me?", "bye"]);
}

#[tokio::test]
async fn words_are_counted() {
    let house = House::with(Limits { said: 3, said_refill_s: 1000, ..Limits::default() }).await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let (_, table) = ann.post("/api/tables", serde_json::to_value(gomoku(How::Invite)).expect("JSON")).await;
    let mut line = at(&house, &ann, &text(&table, "id")).await;
    for _ in 0..3 {
        say(&mut line, phrase("hello")).await.expect("said");
    }
    assert_eq!(say(&mut line, phrase("hello")).await.expect_err("too many"), "too-many-requests");
}

#[tokio::test]
async fn who_is_blocked_is_not_met() {
    let house = House::open().await;
    let ((ann, _), (bob, _)) = (Person::account(&house, "Ann").await, Person::account(&house, "Bob").await);
    let put = async |person: &Person<'_>, whom: &str, relation: Value| {
        person.send(reqwest::Method::PUT, &format!("/api/relations/{whom}"), relation).await
    };
    assert_eq!(refused(&put(&ann, "ann", json!({ "blocks": true })).await), (400, "relation-self"));
    assert_eq!(refused(&put(&ann, "nobody-of-that-name", json!({})).await), (404, "no-such-person"));
    assert_eq!(refused(&put(&ann, "bob", json!({ "note": "x".repeat(501) })).await), (400, "words-too-long"));
    assert_eq!(
        refused(&put(&Person::guest(&house).await, "bob", json!({ "follows": true })).await),
        (403, "not-an-account")
    );
    assert_eq!(bob.post("/api/challenge/ann", game()).await.0, 201);
    assert_eq!(put(&ann, "bob", json!({ "blocks": true, "note": "slow" })).await.0, 200);
    assert_eq!(ann.get("/api/challenges").await.1["received"], json!([]), "his challenge is gone");
    assert_eq!(refused(&bob.post("/api/challenge/ann", game()).await), (403, "challenge-refused"));
    assert_eq!(refused(&ann.post("/api/challenge/bob", game()).await), (403, "blocked-by-you"));
    let (_, listed) = ann.get("/api/relations").await;
    assert_eq!(
        (&listed[0]["player"]["name"], &listed[0]["relation"]["note"]),
        (&json!("Bob"), &json!("slow"))
    );
    assert_eq!(bob.get("/api/relations").await.1, json!([]), "he is not told");
    // They wait for the same, and are not paired.
    let pool = json!({ "game": "gomoku/renju", "clock": blitz()["clock"], "rated": false });
    for _ in 0..3 {
        for person in [&ann, &bob] {
            let (status, told) = person.post("/api/pool", pool.clone()).await;
            assert_eq!((status, &told["table"]), (200, &Value::Null), "{told}");
        }
    }
    // Nor does one sit down at the other's table.
    let (_, table) = ann.post("/api/tables", serde_json::to_value(gomoku(How::Invite)).expect("JSON")).await;
    let table = text(&table, "id");
    let mut seat = client::Seat::new(Guest::known(&house.base, &bob.secret).await.expect("known"), &table);
    assert_eq!(crate::house::refused(&mut seat, Act::Sit { side: None }).await, "seat-refused");
    assert_eq!(put(&ann, "bob", json!({ "follows": true })).await.0, 200);
    done(&mut seat, Act::Sit { side: None }).await;
    assert_eq!(ann.get("/api/relations").await.1[0]["here"], true, "he is at the table");
    let dan = Person::account(&house, "Dan").await.0;
    assert_eq!(bob.send(reqwest::Method::PUT, "/api/relations/ann", json!({ "blocks": true })).await.0, 200);
    assert_eq!(ann.get("/api/relations").await.1[0]["here"], false, "who blocks one is not seen");
    drop(dan);
}

#[tokio::test]
async fn a_report_is_decided_and_appealed() {
    let mut house = House::open().await;
    let secrets = {
        let mut secrets = Vec::new();
        for name in ["Ann", "Bob", "Meg", "Sal"] {
            secrets.push(Person::account(&house, name).await.0.secret);
        }
        secrets
    };
    let meg = Person::with(&house, &secrets[2]).id().await;
    let sal = Person::with(&house, &secrets[3]).id().await;
    house
        .stored(async |store| {
            for (person, role) in
                [(meg, people::account::Role::Moderator), (sal, people::account::Role::Admin)]
            {
                crate::staff::give(store, &person, role).await;
            }
        })
        .await;
    let house = &house;
    let [ann, bob, meg, sal] = [0, 1, 2, 3].map(|i| Person::with(house, &secrets[i]));
    let (_, made) = ann.post("/api/challenge/bob", game()).await;
    let (_, created) = bob.post(&format!("/api/challenge/{}/accept", text(&made, "id")), Value::Null).await;
    let table = text(&created, "id");
    let mut a = at(house, &ann, &table).await;
    let mut b = at(house, &bob, &table).await;
    say(&mut b, phrase("hello")).await.expect("said");
    let insult = say(&mut b, words("you play like a <stone>")).await.expect("said");

    let report = |subject: &str| json!({ "subject": subject, "said": insult.n, "words": "rude" });
    for (name, who, what, wanted) in [
        ("a subject that is none", &ann, report("weather"), (400, "report-subject")),
        (
            "nobody",
            &ann,
            json!({ "subject": "person", "who": "nobody-of-that-name" }),
            (404, "no-such-person"),
        ),
        ("words that were not said", &ann, json!({ "subject": "text", "said": 999 }), (404, "no-such-words")),
        ("one's own words", &bob, report("text"), (400, "report-self")),
        ("words of others that one cannot hear", &meg, report("text"), (404, "no-such-words")),
        ("a map that is none", &ann, json!({ "subject": "map", "map": "x" }), (404, "no-such-map")),
        (
            "too much",
            &ann,
            json!({ "subject": "person", "who": "bob", "words": "x".repeat(1001) }),
            (400, "words-too-long"),
        ),
    ] {
        assert_eq!(refused(&who.post("/api/reports", what).await), wanted, "{name}");
    }
    let (status, kept) = ann.post("/api/reports", report("text")).await;
    assert_eq!(status, 201, "{kept}");
    let n = kept["n"].as_u64().expect("a number");
    assert_eq!(refused(&ann.post("/api/reports", report("text")).await), (409, "reports-full"), "once");

    // Only the staff sees it, with what was said.
    assert_eq!(refused(&ann.get("/api/moderation/reports").await), (403, "staff-only"));
    let (_, queue) = meg.get("/api/moderation/reports").await;
    assert_eq!(queue[0]["evidence"]["said"][1]["words"], "you play like a <stone>", "{queue}");
    assert_eq!((&queue[0]["evidence"]["table"], &queue[0]["before"]), (&json!(table), &json!(0)));
    let decide = async |who: &Person<'_>, n: u64, wish: Value| {
        who.post(&format!("/api/moderation/reports/{n}"), wish).await
    };
    for (name, who, n, wish, wanted) in [
        ("a player", &ann, n, json!({ "decision": "close" }), (403, "staff-only")),
        ("no such report", &meg, 99, json!({ "decision": "warn" }), (404, "no-such-report")),
        ("no such decision", &meg, n, json!({ "decision": "shout" }), (400, "decision-unknown")),
        ("for ever", &meg, n, json!({ "decision": "mute", "days": 10_000 }), (400, "decision-days")),
    ] {
        assert_eq!(refused(&decide(who, n, wish).await), wanted, "{name}");
    }
    assert_eq!(decide(&meg, n, json!({ "decision": "mute", "days": 2, "reason": "be kind" })).await.0, 204);
    assert_eq!(meg.get("/api/moderation/reports").await.1, json!([]));

    // At once: free words are not taken, old ones not shown; phrases are.
    assert_eq!(say(&mut b, words("hm")).await.expect_err("muted"), "muted");
    say(&mut b, phrase("sorry")).await.expect("said");
    assert_eq!(chat(&mut a).await, ["hello", "sorry"]);
    let (_, decisions) = bob.get("/api/account/decisions").await;
    assert_eq!((&decisions[0]["decision"], &decisions[0]["reason"]), (&json!("mute"), &json!("be kind")));
    let appeal = format!("/api/account/decisions/{n}/appeal");
    assert_eq!(refused(&ann.post(&appeal, json!({ "words": "not me" })).await), (404, "no-such-report"));
    assert_eq!(bob.post(&appeal, json!({ "words": "it was a joke" })).await.0, 204);
    assert_eq!(refused(&bob.post(&appeal, json!({ "words": "please" })).await), (409, "appealed-before"));
    assert_eq!(meg.get("/api/moderation/reports").await.1[0]["decided"]["appeal"], "it was a joke");
    assert_eq!(decide(&meg, n, json!({ "decision": "nothing" })).await.0, 204);
    say(&mut b, words("thank you")).await.expect("not muted any more");

    // A closed account is signed out everywhere, loses its games, and may do nothing but appeal.
    let (_, kept) = ann.post("/api/reports", json!({ "subject": "person", "who": "Bob" })).await;
    let n = kept["n"].as_u64().expect("a number");
    assert_eq!(decide(&meg, n, json!({ "decision": "close", "reason": "again" })).await.0, 204);
    while soon(b.hear()).await.is_ok() {}
    assert_eq!(refused(&bob.get("/api/me").await), (401, "bearer-unknown"));
    let ended = until(&mut a, |said| match said {
        ServerMessage::Ev(event) if event.end.is_some() => event.end,
        _ => None,
    });
    assert_ne!(ended.await.expect("an end").reason, "flag");
    let wish = json!({ "name": "bob", "password": "correct horse battery" });
    let back = Person::guest(house).await;
    let (status, told) = back.post("/api/session", wish).await;
    assert_eq!(status, 200, "{told}");
    let bob = Person::with(house, &text(&told, "secret"));
    assert_eq!(told["me"]["kind"], "suspended");
    for (name, path, sent) in [
        ("tables", "/api/tables", serde_json::to_value(gomoku(How::Open)).expect("JSON")),
        ("challenges", "/api/challenge/ann", game()),
        ("the pool", "/api/pool", json!({ "game": "gomoku/renju", "clock": blitz()["clock"] })),
        ("reports", "/api/reports", json!({ "subject": "person", "who": "ann" })),
    ] {
        assert_eq!(refused(&bob.post(path, sent).await), (403, "account-suspended"), "{name}");
    }
    let n = bob.get("/api/account/decisions").await.1[0]["n"].as_u64().expect("a number");
    assert_eq!(
        bob.post(&format!("/api/account/decisions/{n}/appeal"), json!({ "words": "sorry" })).await.0,
        204
    );
    assert_eq!(decide(&meg, n, json!({ "decision": "warn", "reason": "last time" })).await.0, 204);
    assert_eq!(bob.get("/api/me").await.1["kind"], "account", "restored");
    assert_eq!(bob.post("/api/challenge/ann", game()).await.0, 201);

    // Only an admin decides about staff, and no member of the staff about themselves.
    let (_, kept) = ann.post("/api/reports", json!({ "subject": "person", "who": "sal" })).await;
    let n = kept["n"].as_u64().expect("a number");
    assert_eq!(refused(&decide(&meg, n, json!({ "decision": "close" })).await), (403, "staff-needs-admin"));
    assert_eq!(refused(&decide(&sal, n, json!({ "decision": "nothing" })).await), (400, "report-self"));
    let (_, noted) = sal.get("/api/admin/noted").await;
    let acts: Vec<&str> =
        noted.as_array().expect("lines").iter().filter_map(|line| line["act"].as_str()).collect();
    for act in ["reported", "decided", "appealed"] {
        assert!(acts.contains(&act), "{act}: {acts:?}");
    }
}

/// A person who leaves games again and again waits longer for the next one.
#[tokio::test]
async fn leavers_wait() {
    let house = House::open().await;
    let (bob, _) = Person::account(&house, "Bob").await;
    let pool = json!({ "game": "gomoku/freestyle", "clock": blitz()["clock"], "rated": false });
    for name in ["Ann", "Cid", "Dan", "Eve"] {
        // Not the same opponent again, for whom one waits longer anyway.
        let (other, _) = Person::account(&house, name).await;
        assert_eq!(
            other.post("/api/pool", pool.clone()).await.1["table"],
            Value::Null,
            "{name} is the first"
        );
        let (_, told) = bob.post("/api/pool", pool.clone()).await;
        if name == "Eve" {
            assert_eq!(told["table"], Value::Null, "he has left three games");
            break;
        }
        let table = text(&told, "table");
        let mut seats = Vec::new();
        for secret in [&bob.secret, &other.secret] {
            seats.push(client::Seat::new(Guest::known(&house.base, secret).await.expect("known"), &table));
        }
        level(&mut seats).await;
        if seats[0].you == [wire::Side::Second] {
            done(&mut seats[1], mv("h8")).await;
            level(&mut seats).await;
        }
        done(&mut seats[0], Act::Abort).await;
    }
}

/// A seek names its rating range; others are told why they may not sit.
#[tokio::test]
async fn a_seek_asks_for_ratings() {
    let mut house = House::open().await;
    let table = {
        let (ann, _) = Person::account(&house, "Ann").await;
        let open = |how: &str, clock: Value, ratings: Value| json!({ "game": "gomoku/renju", "how": how, "clock": clock, "side": "first", "ratings": ratings });
        for (name, wish, wanted) in [
            ("exchanged", open("open", blitz()["clock"].clone(), json!([1600, 1500])), "rating-range"),
            (
                "without a clock",
                open("open", json!({ "kind": "none" }), json!([1600, null])),
                "rating-range-here",
            ),
            (
                "by invitation",
                open("invite", blitz()["clock"].clone(), json!([null, 1500])),
                "rating-range-here",
            ),
        ] {
            assert_eq!(refused(&ann.post("/api/tables", wish).await), (400, wanted), "{name}");
        }
        let wish = open("room", blitz()["clock"].clone(), json!([1600, null]));
        let wish = json!({ "room": "strong", "game": wish["game"], "how": "room", "clock": wish["clock"], "side": "first", "ratings": wish["ratings"] });
        let (status, made) = ann.post("/api/tables", wish).await;
        assert_eq!(status, 201, "{made}");
        text(&made, "id")
    };
    for restarted in [false, true] {
        let guest = house.guest().await;
        let mut seat = client::Seat::new(guest, &table);
        assert_eq!(
            crate::house::refused(&mut seat, Act::Sit { side: None }).await,
            "rating-too-low",
            "{restarted}"
        );
        let listed: Value =
            serde_json::from_str(&house.get("/api/tables").await.text().await.expect("text")).expect("JSON");
        assert_eq!(listed["open"][0]["ratings"], json!([1600, null]), "{restarted}: {listed}");
        drop(seat);
        if !restarted {
            house.restart().await;
        }
    }
}
