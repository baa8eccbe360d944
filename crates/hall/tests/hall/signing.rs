//! Every way to sign in: would catch one that ends otherwise than the others, without a line in the log, without a
//! cookie, beside the earlier sign-in of the device, or uncounted.

use edge::limits::Limits;
use reqwest::header;
use serde_json::{Value, json};

use crate::accounts::{Person, text};
use crate::authenticator::Authenticator;
use crate::house::{House, soon};
use crate::{mail, openid, passkeys};

const PASSWORD: &str = "correct horse battery";
const ADDRESS: &str = "ann@example.org";

/// An account that every way leads to.
struct Ann<'a> {
    person: Person<'a>,
    codes: Vec<String>,
    key: Authenticator,
}

/// Returns the path and the body of the request that ends a sign-in in that way at the device of `at`.
async fn proof(
    way: &str,
    ann: &mut Ann<'_>,
    letters: &mut mail::Server,
    at: &Person<'_>,
) -> (&'static str, Value) {
    match way {
        "password" => ("/api/session", json!({ "name": "Ann", "password": PASSWORD })),
        "passkey" => ("/api/session/passkey", passkeys::answer(at.house, &mut ann.key).await),
        "openid" => ("/api/session/openid", openid::goes(at, openid::sign_in()).await),
        "device" => {
            let (_, waits) = Person::with(at.house, "").post("/api/session/device", Value::Null).await;
            let code = json!({ "code": text(&waits, "code") });
            assert_eq!(ann.person.post("/api/account/device", code).await.0, 204);
            ("/api/session/device/poll", json!({ "device": text(&waits, "device") }))
        }
        "recovery" => {
            let code = ann.codes.pop().expect("a code is left");
            ("/api/session/recovery", json!({ "name": "Ann", "code": code, "password": PASSWORD }))
        }
        "letter" => {
            let lost = at.post("/api/session/mail", json!({ "address": ADDRESS })).await;
            assert_eq!(lost.0, 202, "{}", lost.1);
            let link = letters.next().await.link("recover");
            ("/api/session/mail/recover", json!({ "link": link, "password": PASSWORD }))
        }
        way => panic!("{way}"),
    }
}

/// Returns that body with a proof that proves nothing.
fn spoilt(way: &str, body: &Value) -> Value {
    let mut body = body.clone();
    match way {
        "password" => body["password"] = json!("wrong horse battery"),
        "passkey" => body["passkey"]["id"] = json!("a".repeat(20)),
        "openid" => body["state"] = json!("a".repeat(20)),
        "device" => body["device"] = json!("a".repeat(32)),
        "recovery" => body["code"] = json!("aaaa-aaaa-aaaa-aaaa"),
        "letter" => body["link"] = json!("a".repeat(32)),
        way => panic!("{way}"),
    }
    body
}

/// Returns the number of attempts with that outcome, of all halls of this process.
async fn counted(house: &House, way: &str, outcome: &str) -> u64 {
    let admin = house.running.as_ref().and_then(|running| running.admin).expect("a listener of its own");
    let answer = soon(house.http.get(format!("http://{admin}/metrics")).send()).await.expect("answers");
    let all = answer.text().await.expect("text");
    let labels = [format!("way=\"{way}\""), format!("outcome=\"{outcome}\"")];
    let is_this = |line: &&str| labels.iter().all(|label| line.contains(label.as_str()));
    let line = all.lines().filter(|line| line.starts_with("hall_sign_ins_total{")).find(is_this);
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or(0)
}

#[tokio::test]
async fn every_way_to_sign_in_ends_alike() {
    let mut letters = mail::Server::open(false).await;
    let provider = openid::Provider::open().await;
    let folder = tempfile::tempdir().expect("a folder");
    let unlimited = Limits { on: false, ..Limits::default() };
    let settings = provider.settings(folder.path());
    let house = House::with_mail_and_openid(unlimited, letters.settings(), settings).await;
    let (person, codes) = Person::account(&house, "Ann").await;
    let mut key = Authenticator::new("http://localhost", [21; 32]);
    let passkey = passkeys::made(&person, "Ann", &mut key).await;
    assert_eq!(person.post("/api/account/passkeys", passkey).await.0, 204);
    assert_eq!(openid::comes_back(&person, json!({ "purpose": "add" })).await.0, 200);
    mail::confirm(&mut letters, &person, ADDRESS).await;
    let mut ann = Ann { person, codes, key };
    let id = ann.person.id().await;
    for (n, (way, act, ends_others, refusal)) in [
        ("password", "signed-in", false, "sign-in-failed"),
        ("passkey", "signed-in-passkey", false, "passkey-late"),
        ("openid", "signed-in-openid", false, "openid-late"),
        ("device", "signed-in", false, "device-code"),
        ("recovery", "recovered", true, "recovery-failed"),
        ("letter", "recovered-mail", true, "mail-link"),
    ]
    .into_iter()
    .enumerate()
    {
        for is_page in [false, true] {
            let name = format!("{way}, {}", if is_page { "a page" } else { "a program" });
            // The device of another account, whose sign-in there ends.
            let (bob, _) = Person::account(&house, &format!("Bob{n}{}", u8::from(is_page))).await;
            let before = [counted(&house, way, "begun").await, counted(&house, way, "refused").await];
            let (path, right) = proof(way, &mut ann, &mut letters, &bob).await;
            let send = async |body: &Value| {
                let request = house.http.post(format!("{}{path}", house.base));
                let request = match is_page {
                    true => request.header(header::COOKIE, format!("qiguan={}", bob.secret)),
                    false => request.bearer_auth(&bob.secret),
                };
                let request = request.header(header::CONTENT_TYPE, "application/json").body(body.to_string());
                let answer = soon(request.send()).await.expect("answers");
                let cookie = answer.headers().get(header::SET_COOKIE);
                let cookie = cookie.map(|cookie| cookie.to_str().expect("text").to_owned());
                let (status, body) = (answer.status().as_u16(), answer.text().await.expect("text"));
                (status, cookie, serde_json::from_str::<Value>(&body).expect("JSON"))
            };
            let (status, cookie, told) = send(&spoilt(way, &right)).await;
            assert!((400..=404).contains(&status) && cookie.is_none(), "{name}: {status} {cookie:?}");
            assert_eq!(told["error"]["key"], refusal, "{name}");
            assert_eq!(bob.get("/api/account").await.0, 200, "{name}: a refusal leaves everything as it was");

            let (status, cookie, told) = send(&right).await;
            assert_eq!(status, 200, "{name}: {told}");
            let told = if told["signed_in"].is_object() { &told["signed_in"] } else { &told };
            assert_eq!(told["me"]["player"]["id"], json!(id), "{name}: {told}");
            // A terminal that waited has no other way to its secret than the answer.
            let shows = !is_page || way == "device";
            assert_eq!(told["secret"].is_string(), shows, "{name}: no script of a page may read the secret");
            assert_eq!(cookie.is_some(), is_page && way != "device", "{name}: {cookie:?}");
            let secret = match cookie {
                Some(cookie) => {
                    let (pair, _) = cookie.split_once(';').expect("attributes");
                    pair.strip_prefix("qiguan=").expect("the hall's cookie").to_owned()
                }
                None => text(told, "secret"),
            };
            let here = Person::with(&house, &secret);
            let (_, account) = here.get("/api/account").await;
            assert_eq!(account["noted"][0]["act"], act, "{name}: the owner can read of it");
            assert_eq!(account["confirmed"], true, "{name}: who has just signed in is confirmed");
            assert_eq!(bob.get("/api/account").await.0, 401, "{name}: the earlier sign-in has ended");
            assert_eq!(ann.person.get("/api/account").await.0 == 401, ends_others, "{name}");
            let again = Person::with(&house, "").post(path, right).await;
            assert_eq!(again.0 == 200, way == "password", "{name}: only a password is right twice");
            let after = [counted(&house, way, "begun").await, counted(&house, way, "refused").await];
            assert!(after[0] > before[0] && after[1] > before[1], "{name}: {before:?} {after:?}");
            ann.person = here;
        }
    }
    // A token begins no session; one that is not known is counted and refused in the same way.
    let before = counted(&house, "token", "refused").await;
    let answer = Person::with(&house, &format!("qg_{}", "a".repeat(32))).get("/api/account").await;
    assert_eq!(answer.0, 401, "{}", answer.1);
    assert!(counted(&house, "token", "refused").await > before);
}
