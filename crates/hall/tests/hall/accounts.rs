//! Accounts over HTTP: signing up and in, devices, tokens, closing; and what strangers try.

use client::{Guest, Seat};
use edge::limits::Limits;
use people::Secret;
use people::account::Role;
use people::token::Scopes;
use reqwest::{Method, Response, StatusCode, header};
use serde_json::{Value, json};
use store::accounts::{Change, Token};
use wire::{Act, How};

use crate::house::{House, done, gomoku, hear, level, moves, soon, table_of};

const PASSWORD: &str = "correct horse battery";

/// A person with a secret, who makes requests as a program does.
pub struct Person<'a> {
    pub house: &'a House,
    pub secret: String,
}

impl<'a> Person<'a> {
    pub fn with(house: &'a House, secret: &str) -> Person<'a> {
        Person { house, secret: secret.to_owned() }
    }

    pub async fn guest(house: &'a House) -> Person<'a> {
        let mut person = Person::with(house, "");
        let made = person.post("/api/guests", Value::Null).await;
        person.secret = text(&made.1, "secret");
        person
    }

    /// Signs up a guest; returns the account and its recovery codes.
    pub async fn account(house: &'a House, name: &str) -> (Person<'a>, Vec<String>) {
        let guest = Person::guest(house).await;
        let wish = json!({ "name": name, "password": PASSWORD });
        let (status, told) = guest.post("/api/account", wish).await;
        assert_eq!(status, 201, "{told}");
        let codes = told["recovery"].as_array().expect("codes").iter();
        let codes = codes.map(|code| code.as_str().expect("text").to_owned()).collect();
        (Person::with(house, &text(&told, "secret")), codes)
    }

    pub async fn raw(&self, method: Method, path: &str, sent: &Value) -> Response {
        let mut request = self.house.http.request(method, format!("{}{path}", self.house.base));
        if !self.secret.is_empty() {
            request = request.bearer_auth(&self.secret);
        }
        if !sent.is_null() {
            request = request.header("content-type", "application/json").body(sent.to_string());
        }
        soon(request.send()).await.expect("answers")
    }

    pub async fn send(&self, method: Method, path: &str, sent: Value) -> (u16, Value) {
        let response = self.raw(method, path, &sent).await;
        let status = response.status().as_u16();
        let body = response.text().await.expect("text");
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    pub async fn post(&self, path: &str, sent: Value) -> (u16, Value) {
        self.send(Method::POST, path, sent).await
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        self.send(Method::GET, path, Value::Null).await
    }

    pub async fn delete(&self, path: &str) -> (u16, Value) {
        self.send(Method::DELETE, path, Value::Null).await
    }

    /// Returns the public id.
    pub async fn id(&self) -> String {
        text(&self.get("/api/me").await.1["player"], "id")
    }

    pub async fn token(&self, scopes: &[&str]) -> Person<'a> {
        let wish = json!({ "name": "bot", "scopes": scopes, "days": 30 });
        let (status, made) = self.post("/api/account/tokens", wish).await;
        assert_eq!(status, 201, "{made}");
        Person::with(self.house, &text(&made, "token"))
    }
}

pub fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_else(|| panic!("{key} in {value}")).to_owned()
}

/// Returns the status and the key of a refusal.
pub fn refused(answer: &(u16, Value)) -> (u16, &str) {
    (answer.0, answer.1["error"]["key"].as_str().unwrap_or_default())
}

fn hash_of(secret: &str) -> [u8; 32] {
    Secret::read_bearer(secret).expect("a secret").hash()
}

fn password_of(name: &str, password: &str) -> Value {
    json!({ "name": name, "password": password })
}

#[tokio::test]
async fn a_guest_becomes_an_account_and_keeps_the_games() {
    let house = House::open().await;
    let guest = Person::guest(&house).await;
    let id = guest.id().await;
    let (_, table) = guest.post("/api/tables", serde_json::to_value(gomoku(How::Open)).expect("JSON")).await;
    let (status, told) = guest.post("/api/account", password_of("Ada", PASSWORD)).await;
    assert_eq!(status, 201, "{told}");
    assert_eq!(
        (text(&told["me"]["player"], "id"), text(&told["me"], "kind")),
        (id.clone(), "account".to_owned())
    );
    assert_eq!(told["me"]["playing"][0]["id"], table["id"]);
    assert_eq!(told["recovery"].as_array().expect("codes").len(), 8);
    assert_eq!(refused(&guest.get("/api/me").await), (401, "bearer-unknown"), "the guest's secret has ended");

    // On another device, which was a guest with a game of its own.
    let other = Person::guest(&house).await;
    let (_, second) = other.post("/api/tables", serde_json::to_value(gomoku(How::Open)).expect("JSON")).await;
    let (status, told) =
        other.post("/api/session", json!({ "name": "ada", "password": PASSWORD, "bring": true })).await;
    assert_eq!(status, 200, "{told}");
    let other = Person::with(&house, &text(&told, "secret"));
    assert_eq!(other.id().await, id);
    let playing = other.get("/api/me").await.1["playing"].clone();
    let mut playing: Vec<String> =
        playing.as_array().expect("tables").iter().map(|table| text(table, "id")).collect();
    let mut wanted = [text(&table, "id"), text(&second, "id")];
    playing.sort();
    wanted.sort();
    assert_eq!(playing, wanted, "both games");
    let (_, account) = other.get("/api/account").await;
    assert_eq!(account["sessions"].as_array().expect("devices").len(), 2);
    let acts: Vec<&str> =
        account["noted"].as_array().expect("lines").iter().filter_map(|n| n["act"].as_str()).collect();
    assert_eq!(acts, ["signed-in", "made"]);
    assert_eq!(account["noted"][0]["network"], "127.0.0.1");
}

#[tokio::test]
async fn pages_never_see_the_secret() {
    let house = House::open().await;
    let first = soon(house.http.get(format!("{}/api/me", house.base)).send()).await.expect("answers");
    let cookie = |response: &Response| {
        let set = response.headers()[header::SET_COOKIE].to_str().expect("text").to_owned();
        assert!(set.contains("HttpOnly"), "{set}");
        set.split(';').next().expect("a pair").to_owned()
    };
    let guest = cookie(&first);
    let send = async |method: Method, path: &str, cookie: &str, sent: Value| {
        let request = house.http.request(method, format!("{}{path}", house.base)).header("cookie", cookie);
        soon(request.header("content-type", "application/json").body(sent.to_string()).send())
            .await
            .expect("answers")
    };
    let signed_up = send(Method::POST, "/api/account", &guest, password_of("Ada", PASSWORD)).await;
    assert_eq!(signed_up.status(), StatusCode::CREATED);
    let account = cookie(&signed_up);
    assert_ne!(account, guest, "a new secret");
    let told = signed_up.text().await.expect("text");
    let secret = account.split('=').nth(1).expect("a value");
    assert!(!told.contains(secret) && !told.contains("\"secret\""), "{told}");
    let out = send(Method::DELETE, "/api/session", &account, Value::Null).await;
    assert_eq!(out.status(), StatusCode::NO_CONTENT);
    assert!(cookie(&out).ends_with('='), "the browser forgets it");
    let after = send(Method::GET, "/api/account", &account, Value::Null).await;
    assert_eq!(after.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn what_does_not_fit_is_refused_with_the_reason() {
    let house = House::open().await;
    let (ada, _) = Person::account(&house, "Ada").await;
    let guest = Person::guest(&house).await;
    for (name, sent, wanted) in [
        ("no password", json!({ "name": "Bob" }), (400, "password-too-short")),
        ("a short one", password_of("Bob", "short"), (400, "password-too-short")),
        ("a known one", password_of("Bob", "password123"), (400, "password-known")),
        ("one like the name", password_of("Hildegard", "Hildegard1"), (400, "password-like-name")),
        ("a letter for a name", password_of("B", PASSWORD), (400, "name-too-short")),
        ("a long name", password_of(&"b".repeat(21), PASSWORD), (400, "name-too-long")),
        ("letters from right to left", password_of("Bob\u{202e}", PASSWORD), (400, "name-letter")),
        ("letters without width", password_of("B\u{200b}ob", PASSWORD), (400, "name-letter")),
        ("staff", password_of("Admin", PASSWORD), (400, "name-reserved")),
        ("somebody's name", password_of("ADA", PASSWORD), (409, "name-taken")),
        ("one that looks like it", password_of("Аdа", PASSWORD), (400, "name-scripts")),
        ("look-alikes of one script", password_of("АDА", PASSWORD), (400, "name-scripts")),
        (
            "a passkey nobody asked for",
            json!({ "name": "Bob", "passkey": { "id": "x", "answer": {} } }),
            (400, "passkey-late"),
        ),
    ] {
        assert_eq!(refused(&guest.post("/api/account", sent).await), wanted, "{name}");
    }
    assert_eq!(
        refused(&ada.post("/api/account", password_of("Eve", PASSWORD)).await),
        (409, "is-an-account")
    );
    assert_eq!(refused(&guest.get("/api/account").await), (403, "not-an-account"));
    assert_eq!(refused(&guest.delete("/api/session").await), (409, "guest-sign-out"));
    let rename = async |person: &Person<'_>, name: &str| {
        person.send(Method::PUT, "/api/me", json!({ "name": name })).await
    };
    assert_eq!(
        refused(&rename(&guest, "ada").await),
        (409, "name-taken"),
        "a guest is not called like an account"
    );
    // H8: to sign up counted as a change of the name.
    assert_eq!(ada.get("/api/account").await.1["rename_days"], 0);
    assert_eq!(rename(&ada, "Ada Lovelace").await.0, 200);
    assert_eq!(ada.get("/api/account").await.1["rename_days"], 30);
    assert_eq!(refused(&rename(&ada, "Eve").await), (409, "name-too-soon"));
    assert_eq!(rename(&guest, "Bob").await.0, 200);
}

#[tokio::test]
async fn an_unknown_name_is_answered_like_a_wrong_password() {
    let house = House::open().await;
    Person::account(&house, "Ada").await;
    let guest = Person::guest(&house).await;
    let known = guest.post("/api/session", password_of("Ada", "wrong horse battery")).await;
    let unknown = guest.post("/api/session", password_of("Nobody", "wrong horse battery")).await;
    assert_eq!(refused(&known), (403, "sign-in-failed"));
    assert_eq!(known, unknown, "the same words");
    let asked = json!({ "name": "Ada", "code": "aaaa-aaaa-aaaa-aaaa", "password": PASSWORD });
    let known = guest.post("/api/session/recovery", asked).await;
    let asked = json!({ "name": "Nobody", "code": "no code", "password": PASSWORD });
    assert_eq!(known, guest.post("/api/session/recovery", asked).await);
    assert_eq!(refused(&known), (403, "recovery-failed"));
}

#[tokio::test]
async fn guesses_lock_nobody_out_of_a_device_that_is_signed_in() {
    let limits = Limits { sign_ins: 3, requests: 100_000, ..Limits::default() };
    let house = House::with(limits).await;
    let (ada, codes) = Person::account(&house, "Ada").await;
    let thief = Person::guest(&house).await;
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(thief.post("/api/session", password_of("Ada", "wrong horse battery")).await);
    }
    let keys: Vec<_> = answers.iter().map(|answer| refused(answer).1).collect();
    assert_eq!(keys[..3], ["sign-in-failed"; 3]);
    assert_eq!(keys[3..], ["too-many-tries"; 2]);
    let right = thief.raw(Method::POST, "/api/session", &password_of("Ada", PASSWORD)).await;
    assert_eq!(right.status(), StatusCode::TOO_MANY_REQUESTS, "not even the right one is looked at");
    assert!(right.headers().contains_key(header::RETRY_AFTER));
    // The device that is signed in does everything, and a recovery code lets in.
    assert_eq!(ada.get("/api/account").await.0, 200);
    assert_eq!(ada.post("/api/session/confirm", json!({ "password": PASSWORD })).await.0, 204);
    let asked = json!({ "name": "Ada", "code": codes[0], "password": "another horse battery" });
    assert_eq!(thief.post("/api/session/recovery", asked).await.0, 200);
}

#[tokio::test]
async fn a_recovery_code_opens_the_account_once_and_ends_other_devices() {
    let house = House::open().await;
    let (ada, codes) = Person::account(&house, "Ada").await;
    let guest = Person::guest(&house).await;
    let asked = |code: &str| json!({ "name": "Ada", "code": code, "password": "another horse battery" });
    let (status, told) = guest.post("/api/session/recovery", asked(&codes[0].to_uppercase())).await;
    assert_eq!(status, 200, "{told}");
    assert_eq!(ada.get("/api/me").await.0, 401, "the other device was signed out");
    let ada = Person::with(&house, &text(&told, "secret"));
    assert_eq!(ada.get("/api/account").await.1["recovery"], 7);
    let other = Person::guest(&house).await;
    assert_eq!(
        refused(&other.post("/api/session/recovery", asked(&codes[0])).await),
        (403, "recovery-failed")
    );
    assert_eq!(
        refused(&other.post("/api/session", password_of("Ada", PASSWORD)).await),
        (403, "sign-in-failed")
    );
    assert_eq!(other.post("/api/session", password_of("Ada", "another horse battery")).await.0, 200);
    assert_eq!(ada.post("/api/account/recovery", Value::Null).await.0, 201);
    let other = Person::guest(&house).await;
    assert_eq!(refused(&other.post("/api/session/recovery", asked(&codes[1])).await).0, 403, "an old code");
}

#[tokio::test]
async fn devices_are_listed_and_signed_out_at_once() {
    let house = House::open().await;
    let (ada, _) = Person::account(&house, "Ada").await;
    let (_, told) = Person::guest(&house).await.post("/api/session", password_of("Ada", PASSWORD)).await;
    let phone = text(&told, "secret");
    let guest = Guest::known(&house.base, &phone).await.expect("is known");
    let table = guest.open(&gomoku(How::Invite)).await.expect("a table").id;
    let mut seat = Seat::new(guest, &table);
    level(std::slice::from_mut(&mut seat)).await;
    let (_, account) = ada.get("/api/account").await;
    let sessions = account["sessions"].as_array().expect("devices");
    let there = sessions.iter().find(|s| s["here"] == false).expect("the phone");
    assert_eq!(ada.delete(&format!("/api/account/sessions/{}", text(there, "id"))).await.0, 204);
    assert_eq!(refused(&Person::with(&house, &phone).get("/api/me").await), (401, "bearer-unknown"));
    // Its connection ends as well, and comes no more.
    while let Ok(Some(_)) = soon(seat.hear_once()).await {}
    assert!(!matches!(soon(seat.hear_once()).await, Ok(Some(_))));
    let gone = ada.delete(&format!("/api/account/sessions/{}", text(there, "id"))).await;
    assert_eq!(refused(&gone), (404, "session-unknown"));
    Person::guest(&house).await.post("/api/session", password_of("Ada", PASSWORD)).await;
    assert_eq!(ada.delete("/api/session/others").await.0, 204);
    assert_eq!(ada.get("/api/account").await.1["sessions"].as_array().expect("devices").len(), 1);
}

#[tokio::test]
async fn what_changes_credentials_wants_a_fresh_proof() {
    let mut house = House::open().await;
    let secret = Person::account(&house, "Ada").await.0.secret;
    // As the store has it after a quarter of an hour.
    house
        .stored(async |store| {
            let prove = Change::Prove { hash: hash_of(&secret), used: None, now_ms: 0 };
            store.accounts.change(prove, None).await.expect("changed");
        })
        .await;
    let ada = Person::with(&house, &secret);
    let password = json!({ "password": "another horse battery" });
    let token = json!({ "name": "x", "scopes": ["read"], "days": 1 });
    let calls = [
        (Method::PUT, "/api/account/password", password.clone()),
        (Method::POST, "/api/account/tokens", token),
        (Method::POST, "/api/account/recovery", Value::Null),
        (Method::POST, "/api/account/passkeys", json!({ "id": "x", "answer": {} })),
        (Method::POST, "/api/account/device", json!({ "code": "abcd" })),
        (Method::DELETE, "/api/account/credentials/x", Value::Null),
        (Method::DELETE, "/api/account", json!({ "name": "Ada" })),
        (Method::GET, "/api/account/export", Value::Null),
    ];
    for (method, path, sent) in calls {
        assert_eq!(refused(&ada.send(method, path, sent).await), (403, "confirm-first"), "{path}");
    }
    assert_eq!(ada.get("/api/account").await.1["confirmed"], false);
    let wrong = json!({ "password": "wrong horse battery" });
    assert_eq!(refused(&ada.post("/api/session/confirm", wrong).await), (403, "sign-in-failed"));
    assert_eq!(ada.post("/api/session/confirm", json!({ "password": PASSWORD })).await.0, 204);
    assert_eq!(ada.send(Method::PUT, "/api/account/password", password).await.0, 204);
    let (_, account) = ada.get("/api/account").await;
    let only = text(&account["credentials"][0], "id");
    let gone = ada.delete(&format!("/api/account/credentials/{only}")).await;
    assert_eq!(refused(&gone), (409, "credential-last"));
    assert_eq!(
        ada.get("/api/account").await.0,
        200,
        "other devices stay signed in when the password changes"
    );
}

#[tokio::test]
async fn tokens_do_what_their_scopes_name() {
    let house = House::open().await;
    let (ada, _) = Person::account(&house, "Ada").await;
    let reader = ada.token(&["read"]).await;
    let opener = ada.token(&["read", "challenge"]).await;
    assert!(reader.secret.starts_with("qg_"));
    assert_eq!(reader.id().await, ada.id().await);
    let table = serde_json::to_value(gomoku(How::Invite)).expect("JSON");
    let refusal = reader.raw(Method::POST, "/api/tables", &table).await;
    let challenge = refusal.headers()[header::WWW_AUTHENTICATE].to_str().expect("text").to_owned();
    assert_eq!(challenge, r#"Bearer realm="qiguan", error="insufficient_scope", scope="challenge""#);
    assert_eq!(refusal.status(), StatusCode::FORBIDDEN);
    assert_eq!(opener.post("/api/tables", table).await.0, 201);
    for (method, path) in [
        (Method::GET, "/api/account"),
        (Method::DELETE, "/api/session"),
        (Method::POST, "/api/account/tokens"),
        (Method::PUT, "/api/me"),
        (Method::GET, "/api/account/export"),
    ] {
        let all = ada.token(&["read", "play", "challenge", "study", "admin"]).await;
        let answer = all.send(method, path, json!({ "name": "x" })).await;
        assert_eq!(refused(&answer), (403, "token-not-here"), "{path}");
    }
    assert_eq!(refused(&opener.get("/api/admin/noted").await), (403, "token-scope"));
    let (_, account) = ada.get("/api/account").await;
    let tokens = account["tokens"].as_array().expect("tokens").clone();
    assert!(!serde_json::to_string(&account).expect("JSON").contains(&reader.secret), "shown once");
    for token in tokens {
        assert_eq!(ada.delete(&format!("/api/account/tokens/{}", text(&token, "id"))).await.0, 204);
    }
    let refusal = reader.raw(Method::GET, "/api/me", &Value::Null).await;
    assert_eq!(refusal.status(), StatusCode::UNAUTHORIZED);
    let challenge = refusal.headers()[header::WWW_AUTHENTICATE].to_str().expect("text");
    assert_eq!(challenge, r#"Bearer realm="qiguan", error="invalid_token""#);
    for (name, sent) in [
        ("no scope", json!({ "name": "x", "scopes": [], "days": 1 })),
        ("an unknown scope", json!({ "name": "x", "scopes": ["all"], "days": 1 })),
        ("no name", json!({ "name": " ", "scopes": ["read"], "days": 1 })),
        ("no day", json!({ "name": "x", "scopes": ["read"], "days": 0 })),
        ("too many days", json!({ "name": "x", "scopes": ["read"], "days": 367 })),
    ] {
        assert_eq!(ada.post("/api/account/tokens", sent).await.0, 400, "{name}");
    }
}

#[tokio::test]
async fn secrets_that_count_nowhere_are_answered_alike() {
    let mut house = House::open().await;
    let person = Person::account(&house, "Ada").await.0.id().await;
    let expired = Secret::new_token();
    house
        .stored(async |store| {
            let scopes = Scopes::read(["read"]).expect("a scope");
            let (id, label) = ("expired".to_owned(), "bot".to_owned());
            let token = Token { id, label, scopes, made_ms: 0, expires_ms: 1, used_ms: None };
            let add = Change::AddToken { person: person.clone(), hash: expired.hash(), token };
            store.accounts.change(add, None).await.expect("changed");
        })
        .await;
    let expired = expired.reveal().to_owned();
    let foreign = format!("qg_{}", "a".repeat(32));
    for (name, secret) in [("expired", expired), ("foreign", foreign), ("a session's", "a".repeat(32))] {
        for path in ["/api/me", "/api/tables", "/ws?table=x", "/ws/lobby"] {
            let refusal = Person::with(&house, &secret).raw(Method::GET, path, &Value::Null).await;
            assert_eq!(refusal.status(), StatusCode::UNAUTHORIZED, "{name} {path}");
            let challenge = refusal.headers()[header::WWW_AUTHENTICATE].to_str().expect("text");
            assert!(challenge.contains("invalid_token"), "{name} {path}: {challenge}");
        }
    }
    let nobody = Person::with(&house, "").raw(Method::GET, "/api/account", &Value::Null).await;
    assert_eq!(nobody.headers()[header::WWW_AUTHENTICATE], r#"Bearer realm="qiguan""#);
    assert_eq!(house.get("/api/tables").await.status(), StatusCode::OK, "whoever says nothing may look on");
}

#[tokio::test]
async fn a_closed_account_gives_up_its_games_and_leaves_no_name() {
    let house = House::open().await;
    let (ada, _) = Person::account(&house, "Ada").await;
    let mut seats = {
        let ada = Guest::known(&house.base, &ada.secret).await.expect("is known");
        let bob = house.guest().await;
        let table = ada.open(&gomoku(How::Invite)).await.expect("a table").id;
        let mut seats = [Seat::new(ada, &table), Seat::new(bob, &table)];
        done(&mut seats[1], Act::Sit { side: None }).await;
        level(&mut seats).await;
        seats
    };
    moves(&mut seats, "h8 h9 i8 i9").await;
    let table = table_of(&seats[0]);
    let [_, mut bob] = seats;
    let open = serde_json::to_value(gomoku(How::Open)).expect("JSON");
    let (_, waiting) = ada.post("/api/tables", open).await;
    let wrong = ada.send(Method::DELETE, "/api/account", json!({ "name": "Bob" })).await;
    assert_eq!(refused(&wrong), (400, "closing-name"));
    assert_eq!(ada.send(Method::DELETE, "/api/account", json!({ "name": "ada" })).await.0, 204);
    assert_eq!(ada.get("/api/me").await.0, 401);
    // The other side wins, without doing anything.
    while bob.end.is_none() {
        hear(&mut bob).await;
    }
    assert!(format!("{:?}", bob.end).contains("Second"), "{:?}", bob.end);
    // Her name is in no log.
    soon(async {
        loop {
            let log = house.get(&format!("/api/tables/{table}/log")).await.text().await.expect("text");
            if !log.contains("Ada") {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await;
    let gone = house.get(&format!("/api/tables/{}", text(&waiting, "id"))).await.text().await.expect("text");
    assert!(!gone.contains("Ada"), "{gone}");
    let guest = Person::guest(&house).await;
    assert_eq!(refused(&guest.post("/api/account", password_of("Ada", PASSWORD)).await), (409, "name-taken"));
    assert_eq!(
        refused(&guest.post("/api/session", password_of("Ada", PASSWORD)).await),
        (403, "sign-in-failed")
    );
}

#[tokio::test]
async fn an_export_has_everything_but_secrets() {
    let house = House::open().await;
    let (ada, codes) = Person::account(&house, "Ada").await;
    let token = ada.token(&["read"]).await;
    let open = serde_json::to_value(gomoku(How::Open)).expect("JSON");
    let (_, table) = ada.post("/api/tables", open).await;
    let response = ada.raw(Method::GET, "/api/account/export", &Value::Null).await;
    assert_eq!(response.status(), StatusCode::OK);
    let text = soon(response.text()).await.expect("text");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let kinds: Vec<&str> = lines.iter().filter_map(|line| line["kind"].as_str()).collect();
    assert_eq!(kinds, ["account", "credential", "session", "token", "noted", "noted", "noted", "table"]);
    assert_eq!(lines[7]["id"], table["id"]);
    assert_eq!(lines[7]["log"][0]["e"]["k"], "sit");
    for secret in [&ada.secret, &token.secret, &codes[0], &"$argon2".to_owned()] {
        assert!(!text.contains(secret.as_str()), "{secret}");
    }
    let guest = Person::guest(&house).await;
    let response = guest.raw(Method::GET, "/api/account/export", &Value::Null).await;
    assert_eq!(response.status(), StatusCode::OK, "guests may ask, too");
}

#[tokio::test]
async fn a_terminal_is_signed_in_by_a_code() {
    let house = House::open().await;
    let (ada, _) = Person::account(&house, "Ada").await;
    // The terminal was a guest with a game of its own.
    let terminal = Person::guest(&house).await;
    let game = serde_json::to_value(gomoku(How::Open)).expect("JSON");
    let (_, table) = terminal.post("/api/tables", game).await;
    let (status, waits) = terminal.post("/api/session/device", Value::Null).await;
    assert_eq!(status, 201);
    let ask = json!({ "device": text(&waits, "device"), "bring": true });
    assert_eq!(terminal.post("/api/session/device/poll", ask.clone()).await, (200, json!({})));
    let guest = Person::guest(&house).await;
    let code = json!({ "code": text(&waits, "code").to_uppercase().replace('-', " ") });
    assert_eq!(refused(&guest.post("/api/account/device", code.clone()).await), (403, "not-an-account"));
    let wrong = ada.post("/api/account/device", json!({ "code": "zzzz-zzzz" })).await;
    assert_eq!(refused(&wrong), (404, "device-code"));
    assert_eq!(ada.post("/api/account/device", code.clone()).await.0, 204);
    assert_eq!(refused(&ada.post("/api/account/device", code).await), (404, "device-code"), "once");
    let (_, told) = terminal.post("/api/session/device/poll", ask.clone()).await;
    let secret = text(&told["signed_in"], "secret");
    let signed_in = Person::with(&house, &secret);
    assert_eq!(signed_in.id().await, ada.id().await);
    assert_eq!(
        signed_in.get("/api/me").await.1["playing"][0]["id"],
        table["id"],
        "the guest's game came along"
    );
    let again = Person::with(&house, "").post("/api/session/device/poll", ask).await;
    assert_eq!(refused(&again), (404, "device-code"), "once");
}

#[tokio::test]
async fn the_staff_sees_what_was_noted() {
    let mut house = House::open().await;
    let secret = Person::account(&house, "Ada").await.0.secret;
    let bob = Person::account(&house, "Bob").await.0.secret;
    let person = {
        let ada = Person::with(&house, &secret);
        assert_eq!(refused(&ada.get("/api/admin/noted").await), (403, "not-staff"));
        ada.id().await
    };
    house
        .stored(async |store| {
            crate::staff::give(store, &person, Role::Admin).await;
        })
        .await;
    let (ada, bob) = (Person::with(&house, &secret), Person::with(&house, &bob));
    let (status, lines) = ada.get("/api/admin/noted").await;
    assert_eq!((status, lines.as_array().expect("lines").len()), (200, 2));
    let (_, lines) = ada.get(&format!("/api/admin/noted?person={}", bob.id().await)).await;
    assert_eq!(lines.as_array().expect("lines").len(), 1);
    assert_eq!(refused(&bob.get("/api/admin/noted").await), (403, "not-staff"));
    let token = ada.token(&["admin"]).await;
    assert_eq!(token.get("/api/admin/noted").await.0, 200);
}
