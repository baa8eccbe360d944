//! Passkeys of an authenticator in software: would catch one that lets in where a password does not, one that is used twice, and
//! one that the staff's decision did not reach.

use edge::limits::Limits;
use edge::reach::Reach;
use members::staff::desk::StaffWish;
use serde_json::{Value, json};
use wire::How;

use crate::accounts::{Person, refused, text};
use crate::authenticator::Authenticator;
use crate::house::{House, gomoku};
use crate::staff::keeper;

const PASSWORD: &str = "correct horse battery";

/// Returns what that guest or account is asked, answered by that authenticator.
pub async fn made(person: &Person<'_>, name: &str, key: &mut Authenticator) -> Value {
    let (status, asked) = person.post("/api/account/passkeys/ask", json!({ "name": name })).await;
    assert_eq!(status, 200, "{asked}");
    json!({ "id": asked["id"], "answer": key.make(&asked["question"]) })
}

/// An account that has a passkey and a password.
async fn account<'a>(house: &'a House, name: &str, seed: u8) -> (Person<'a>, Authenticator) {
    let (person, _) = Person::account(house, name).await;
    let mut key = Authenticator::new("http://localhost", [seed; 32]);
    let passkey = made(&person, name, &mut key).await;
    let (status, told) = person.post("/api/account/passkeys", passkey).await;
    assert_eq!(status, 204, "{told}");
    (person, key)
}

/// The answer to the hall's question who signs in.
pub async fn answer(house: &House, key: &mut Authenticator) -> Value {
    let stranger = Person::with(house, "");
    let (status, asked) = stranger.post("/api/session/passkey/ask", Value::Null).await;
    assert_eq!(status, 200, "{asked}");
    json!({ "passkey": { "id": asked["id"], "answer": key.sign(&asked["question"]) } })
}

async fn by_passkey(house: &House, key: &mut Authenticator) -> (u16, Value) {
    let wish = answer(house, key).await;
    Person::guest(house).await.post("/api/session/passkey", wish).await
}

async fn by_password(house: &House, name: &str) -> (u16, Value) {
    Person::guest(house).await.post("/api/session", json!({ "name": name, "password": PASSWORD })).await
}

#[tokio::test]
async fn an_account_is_made_and_entered_by_a_passkey() {
    let house = House::open().await;
    let guest = Person::guest(&house).await;
    let id = guest.id().await;
    let mut key = Authenticator::new("http://localhost", [1; 32]);
    let passkey = made(&guest, "Ada", &mut key).await;
    let (status, told) = guest.post("/api/account", json!({ "name": "Ada", "passkey": passkey })).await;
    assert_eq!(status, 201, "{told}");
    for _ in 0..2 {
        let (status, told) = by_passkey(&house, &mut key).await;
        assert_eq!((status, text(&told["me"]["player"], "id")), (200, id.clone()), "{told}");
    }
    // Each question has one answer.
    let wish = answer(&house, &mut key).await;
    let guest = Person::guest(&house).await;
    assert_eq!(guest.post("/api/session/passkey", wish.clone()).await.0, 200);
    let again = Person::guest(&house).await.post("/api/session/passkey", wish).await;
    assert_eq!(refused(&again), (400, "passkey-late"));
    // Another key, another place, and an authenticator that counts backwards, as a copy of one does.
    for (name, mut other) in [
        ("another key", Authenticator::new("http://localhost", [2; 32])),
        ("elsewhere", Authenticator::new("https://hall.example", [1; 32])),
        ("a copy", Authenticator::new("http://localhost", [1; 32])),
    ] {
        other.handle = key.handle.clone();
        let answer = by_passkey(&house, &mut other).await;
        assert!((400..404).contains(&answer.0), "{name}: {answer:?}");
    }
}

/// The note on passkeys in the guide for keepers: a person whom the staff keeps out is kept out by either way in.
#[tokio::test]
async fn a_passkey_opens_no_more_than_the_password() {
    let house = House::at(Limits { on: false, ..Limits::default() }, Reach::default()).await;
    let open = serde_json::to_value(gomoku(How::Open)).expect("JSON");
    for (n, decision) in ["nothing", "suspend", "close", "forget"].into_iter().enumerate() {
        let name = format!("Ann{n}");
        let (_, mut key) = account(&house, &name, 10 + u8::try_from(n).expect("few")).await;
        if decision != "nothing" {
            let days = (decision == "suspend").then_some(3);
            let first = if decision == "forget" { "close" } else { decision };
            let decide = wire::StaffDecide { decision: first.to_owned(), reason: "be kind".to_owned(), days };
            keeper(&house, StaffWish::Decide { who: name.clone(), decide }).await.expect("decided");
        }
        if decision == "forget" {
            keeper(&house, StaffWish::Forget { who: name.clone() }).await.expect("done");
        }
        let mut ways = Vec::new();
        for (status, told) in [by_password(&house, &name).await, by_passkey(&house, &mut key).await] {
            let mut way = vec![status];
            if status == 200 {
                let person = Person::with(&house, &text(&told, "secret"));
                way.push(person.get("/api/account").await.0);
                way.push(person.get("/api/account/decisions").await.0);
                way.push(person.post("/api/tables", open.clone()).await.0);
            }
            ways.push(way);
        }
        assert_eq!(ways[0], ways[1], "{decision}");
        let plays = ways[1].last() == Some(&201);
        assert_eq!(plays, decision == "nothing", "{decision}: {ways:?}");
        assert_eq!(ways[1][0] == 200, decision != "forget", "who is kept out may read why: {decision}");
    }
}

/// A passkey of an account that was closed could be added to another one.
#[tokio::test]
async fn a_passkey_that_is_held_back_makes_no_account_and_is_added_to_none() {
    let house = House::open().await;
    let (_, _) = account(&house, "Bob", 7).await;
    let decide = wire::StaffDecide { decision: "close".to_owned(), reason: "be kind".to_owned(), days: None };
    keeper(&house, StaffWish::Decide { who: "Bob".to_owned(), decide }).await.expect("decided");
    keeper(&house, StaffWish::Forget { who: "Bob".to_owned() }).await.expect("done");
    let mut key = Authenticator::new("http://localhost", [7; 32]);
    let guest = Person::guest(&house).await;
    let passkey = made(&guest, "Rob", &mut key).await;
    let answer = guest.post("/api/account", json!({ "name": "Rob", "passkey": passkey })).await;
    assert_eq!(refused(&answer), (403, "held-back"));
    let (other, _) = Person::account(&house, "Rob").await;
    let passkey = made(&other, "Rob", &mut key).await;
    assert_eq!(refused(&other.post("/api/account/passkeys", passkey).await), (403, "held-back"));
}
