//! The desk of the staff: would catch a route that forgets to ask for a role, a ban that leaves a connection, a map that is
//! found although it was taken down, and a deed that only one node hears of.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use catalog::maps::Draft;
use client::{Answer, Connection, Guest, Seat};
use edge::limits::Limits;
use edge::reach::Reach;
use hall::staff::line::{self, NotDone};
use members::staff::desk::{StaffAnswer, StaffWish};
use people::account::Role;
use people::staff::Power;
use reqwest::Method;
use serde_json::{Value, json};
use store::staff::{Logged, StaffDeed};
use wire::{Act, How, ServerMessage};

use crate::accounts::{Person, refused, text};
use crate::bots::Stream;
use crate::house::{House, done, gomoku, level, soon, until};
use crate::works::RIDDLE;

const PASSWORD: &str = "correct horse battery";

/// Gives a person a role, as the keeper would.
pub async fn give(store: &store::Store, person: &str, role: Role) {
    let logged = Logged {
        n: 0,
        at_ms: 1,
        by: String::new(),
        act: "role".to_owned(),
        about: Some(person.to_owned()),
        detail: None,
        reason: None,
    };
    let deed = StaffDeed::SetRole { person: person.to_owned(), role, give: true };
    store.staff.decide(deed, logged, true).await.expect("stored");
}

/// Sends a request to a hall by the socket in its folder.
pub async fn keeper(house: &House, wish: StaffWish) -> Result<StaffAnswer, String> {
    line::ask(house.data.path(), &wish, |_| Ok(())).await.map_err(|why| match why {
        NotDone::Refused(problem) => problem.key.to_string(),
        NotDone::Nobody(why) => panic!("{why}"),
    })
}

/// Opens a hall with Ann and Bob, who play, Meg, a moderator, and Sal, an admin; returns their secrets.
async fn staffed(reach: Reach) -> (House, Vec<String>) {
    let house = House::at(Limits { on: false, ..Limits::default() }, reach).await;
    let mut secrets = Vec::new();
    for name in ["Ann", "Bob", "Meg", "Sal"] {
        secrets.push(Person::account(&house, name).await.0.secret);
    }
    for (who, role) in [("meg", "moderator"), ("sal", "admin")] {
        let wish = StaffWish::Role { who: who.to_owned(), role: role.to_owned(), give: true };
        keeper(&house, wish).await.expect("done");
    }
    (house, secrets)
}

fn people<'a>(house: &'a House, secrets: &[String]) -> [Person<'a>; 4] {
    [0, 1, 2, 3].map(|i| Person::with(house, &secrets[i]))
}

/// Returns every route of the staff with its method, from the description.
fn routes() -> Vec<(Method, String)> {
    let api = serde_json::to_value(hall::http::api::description()).expect("JSON");
    let mut found = Vec::new();
    for (path, methods) in api["paths"].as_object().expect("paths") {
        let of_staff = ["/api/staff", "/api/moderation", "/api/admin"];
        if !of_staff.iter().any(|part| path.starts_with(part)) {
            continue;
        }
        let address = path.replace("{who}", "bob").replace("{n}", "1").replace("{id}", "x");
        for method in methods.as_object().expect("methods").keys() {
            found.push((
                Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method"),
                address.clone(),
            ));
        }
    }
    found
}

/// Returns a body with which that route could do something.
fn body(path: &str) -> Value {
    match path {
        "/api/staff/people/bob/decision" => json!({ "decision": "warn" }),
        "/api/staff/people/bob/role" => json!({ "role": "moderator", "give": true }),
        "/api/staff/works/x" => json!({ "down": true }),
        "/api/staff/bans" => json!({ "network": "192.0.2.1", "days": 1 }),
        "/api/staff/bans/ask" => json!({ "network": "192.0.2.1" }),
        "/api/staff/announcements" => json!({ "en": "a", "zh": "b", "hours": 1 }),
        "/api/staff/registration" => json!({ "registration": "closed", "accounts_only": true }),
        "/api/staff/invitations" => json!({ "uses": 1, "days": 1 }),
        "/api/admin/workers" => json!({ "name": "laptop" }),
        _ if path.starts_with("/api/moderation") => json!({ "decision": "warn" }),
        _ => Value::Null,
    }
}

/// Returns the power that each route needs, as in the table of roles.
fn power(method: &Method, path: &str) -> Option<Power> {
    Some(match (method.as_str(), path) {
        ("GET", "/api/staff/people") => Power::Search,
        ("GET", "/api/staff/people/bob") => Power::Look,
        ("POST", "/api/staff/people/bob/decision") => Power::Decide,
        ("POST", "/api/staff/people/bob/role") => Power::Roles,
        ("POST", "/api/staff/people/bob/forget") => Power::Forget,
        (_, "/api/staff/works" | "/api/staff/works/x") => Power::TakeDown,
        ("GET", "/api/staff/bans") => Power::Reports,
        ("POST", "/api/staff/bans") => Power::Ban,
        ("DELETE", "/api/staff/bans/1") => Power::Lift,
        (_, "/api/staff/announcements" | "/api/staff/announcements/1") => Power::Announce,
        (_, "/api/staff/registration" | "/api/staff/invitations" | "/api/staff/invitations/x") => {
            Power::Registration
        }
        ("GET", "/api/staff/log") => Power::Audit,
        ("GET", "/api/admin/workers") | ("DELETE", "/api/admin/workers/x") => Power::Workers,
        ("POST", "/api/admin/workers" | "/api/admin/workers/x/restore") => Power::Hire,
        _ => return None,
    })
}

#[tokio::test]
async fn nobody_without_a_role_passes_and_each_role_only_where_the_table_says() {
    let (house, secrets) = staffed(Reach::default()).await;
    let [ann, _, meg, sal] = people(&house, &secrets);
    let guest = Person::guest(&house).await;
    let token = ann.token(&["read", "play", "challenge", "study", "admin"]).await;
    let (stale, short) = (meg.token(&["admin"]).await, sal.token(&["read"]).await);
    let routes = routes();
    assert!(routes.len() >= 27, "{routes:?}");
    let mut seen = 0;
    for (method, path) in routes {
        let what = format!("{method} {path}");
        for who in [&guest, &ann, &token] {
            let answer = who.send(method.clone(), &path, body(&path)).await;
            assert!(["staff-only", "not-staff"].contains(&refused(&answer).1), "{what}: {answer:?}");
            assert_eq!(answer.0, 403, "{what}");
        }
        let stranger = Person::with(&house, "");
        assert_eq!(stranger.send(method.clone(), &path, body(&path)).await.0, 401, "{what}");
        assert_eq!(
            refused(&short.send(method.clone(), &path, body(&path)).await),
            (403, "token-scope"),
            "{what}"
        );
        let Some(power) = power(&method, &path) else { continue };
        seen += 1;
        let by_token = stale.send(method.clone(), &path, body(&path)).await;
        match (power.is_moderators(), power.is_strong()) {
            (false, _) => assert_eq!(refused(&by_token), (403, "staff-power"), "{what}"),
            (true, true) => assert_eq!(refused(&by_token), (403, "confirm-first"), "{what}"),
            (true, false) => assert!(by_token.0 != 403, "{what}: {by_token:?}"),
        }
        if !power.is_moderators() {
            assert_eq!(refused(&meg.send(method, &path, body(&path)).await), (403, "staff-power"), "{what}");
        }
    }
    assert!(seen >= 20, "{seen}");
    // A session that was proved too long ago does no strong deed.
    house.running.as_ref().expect("is open").pass(Duration::from_secs(16 * 60)).await;
    let ban = json!({ "network": "192.0.2.1", "days": 1 });
    assert_eq!(refused(&sal.post("/api/staff/bans", ban.clone()).await), (403, "confirm-first"));
    assert_eq!(sal.post("/api/session/confirm", json!({ "password": PASSWORD })).await.0, 204);
    assert_eq!(sal.post("/api/staff/bans", ban).await.0, 204);
}

#[tokio::test]
async fn who_is_suspended_watches_until_it_ends() {
    let (house, secrets) = staffed(Reach::default()).await;
    let [ann, bob, meg, sal] = people(&house, &secrets);
    let (a, b) = (guest(&house, &ann).await, guest(&house, &bob).await);
    let watching = b.clone();
    let table = a.open(&gomoku(How::Invite)).await.expect("a table").id;
    let mut seats = [Seat::new(a, &table), Seat::new(b, &table)];
    done(&mut seats[1], Act::Sit { side: None }).await;
    level(&mut seats).await;
    let mut line = watching.connect(&table, None).await.expect("connects");
    for (name, who, whom, wish, wanted) in [
        ("oneself", &meg, "meg", json!({ "decision": "suspend", "days": 3 }), (403, "staff-self")),
        ("an admin", &meg, "sal", json!({ "decision": "suspend", "days": 3 }), (403, "staff-needs-admin")),
        ("for ever", &meg, "bob", json!({ "decision": "suspend", "days": 900 }), (400, "decision-days")),
        ("without an end", &meg, "bob", json!({ "decision": "suspend" }), (400, "decision-days")),
        ("nobody", &meg, "nobody-of-that-name", json!({ "decision": "warn" }), (404, "no-such-person")),
        ("nothing to undo", &meg, "bob", json!({ "decision": "reopen" }), (409, "not-kept-out")),
        ("oneself as an admin", &sal, "sal", json!({ "decision": "close" }), (403, "staff-self")),
    ] {
        assert_eq!(
            refused(&who.post(&format!("/api/staff/people/{whom}/decision"), wish).await),
            wanted,
            "{name}"
        );
    }
    let wish = json!({ "decision": "suspend", "days": 3, "reason": "be kind" });
    assert_eq!(meg.post("/api/staff/people/bob/decision", wish).await.0, 204);
    // The session, the connection and the game end.
    while soon(line.hear()).await.is_ok() {}
    assert_eq!(refused(&bob.get("/api/me").await), (401, "bearer-unknown"));
    soon(async {
        while ann.get(&format!("/api/tables/{table}")).await.1["end"].is_null() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    let back = Person::guest(&house).await;
    let (_, told) = back.post("/api/session", json!({ "name": "bob", "password": PASSWORD })).await;
    let bob = Person::with(&house, &text(&told, "secret"));
    let open = serde_json::to_value(gomoku(How::Open)).expect("JSON");
    let (status, why) = bob.post("/api/tables", open.clone()).await;
    assert_eq!((status, refused(&(status, why.clone())).1), (403, "suspended"));
    assert!(
        text(&why, "message").contains("be kind") && text(&why["error"]["args"], "until").contains("UTC")
    );
    assert_eq!(bob.get(&format!("/api/tables/{table}")).await.0, 200, "watching stays");
    let decisions = bob.get("/api/account/decisions").await.1;
    let n = decisions[0]["n"].as_u64().expect("a number");
    assert_eq!(decisions[0]["decision"], "suspend");
    let appeal = format!("/api/account/decisions/{n}/appeal");
    assert_eq!(bob.post(&appeal, json!({ "words": "sorry" })).await.0, 204);
    assert_eq!(meg.get("/api/moderation/reports").await.1[0]["decided"]["appeal"], "sorry");
    let seen = meg.get("/api/staff/people/bob").await.1;
    assert!(seen["suspended_ms"].as_u64().is_some() && seen["log"][0]["act"] == "look", "{seen}");
    assert!(seen["noted"].as_array().expect("notes").iter().all(|note| note["network"].is_null()), "{seen}");
    assert!(!seen.to_string().contains(&bob.secret));
    assert_eq!(meg.post("/api/staff/people/bob/decision", json!({ "decision": "reopen" })).await.0, 204);
    assert_eq!(bob.post("/api/tables", open).await.0, 201);
    // Who closes whom, and what staff looks at, is in the log; a moderator does not read it.
    let log = sal.get("/api/staff/log").await.1;
    let acts: Vec<&str> =
        log.as_array().expect("lines").iter().filter_map(|line| line["act"].as_str()).collect();
    assert!(acts.starts_with(&["reopen", "look", "suspend"]), "{acts:?}");
    assert_eq!(refused(&meg.get("/api/staff/log").await), (403, "staff-power"));
    assert_eq!((&log[2]["by"]["name"], &log[2]["reason"]), (&json!("Meg"), &json!("be kind")));
}

async fn guest(house: &House, person: &Person<'_>) -> Guest {
    Guest::known(&house.base, &person.secret).await.expect("is known")
}

/// Sends a request with a client address for the proxy to report.
async fn from(
    house: &House,
    address: &str,
    method: Method,
    path: &str,
    secret: &str,
    sent: Value,
) -> (u16, Value) {
    let mut request =
        house.http.request(method, format!("{}{path}", house.base)).header("x-forwarded-for", address);
    if !secret.is_empty() {
        request = request.bearer_auth(secret);
    }
    if !sent.is_null() {
        request = request.header("content-type", "application/json").body(sent.to_string());
    }
    let response = soon(request.send()).await.expect("answers");
    let status = response.status().as_u16();
    (status, serde_json::from_str(&response.text().await.expect("text")).unwrap_or(Value::Null))
}

#[tokio::test]
async fn a_ban_of_addresses_keeps_newcomers_out_and_has_an_end() {
    let (house, secrets) = staffed(Reach { behind_proxy: true, ..Reach::default() }).await;
    let ask = async |address: &str, method, path: &str, secret: &str, sent| {
        from(&house, address, method, path, secret, sent).await
    };
    let (sal, meg) = (&secrets[3], &secrets[2]);
    let (home, away) = ("198.51.100.7", "192.0.2.7");
    let mut there = Vec::new();
    for n in 0..3 {
        let (_, made) = ask(&format!("192.0.2.{n}"), Method::POST, "/api/guests", "", Value::Null).await;
        let secret = text(&made, "secret");
        let open = serde_json::to_value(gomoku(How::Open)).expect("JSON");
        assert_eq!(ask(&format!("192.0.2.{n}"), Method::POST, "/api/tables", &secret, open).await.0, 201);
        there.push(secret);
    }
    // Whom it would hit is told before.
    let (_, hits) =
        ask(home, Method::POST, "/api/staff/bans/ask", sal, json!({ "network": "192.0.2.0/24" })).await;
    assert_eq!(
        (&hits["people"], &hits["accounts"], &hits["wide"]),
        (&json!(3), &json!(0), &json!(false)),
        "{hits}"
    );
    for (name, secret, wish, wanted) in [
        ("no range", sal, json!({ "network": "x", "days": 1 }), (400, "range-malformed")),
        ("the hall itself", sal, json!({ "network": "127.0.0.1", "days": 1 }), (400, "range-own")),
        ("everybody", sal, json!({ "network": "0.0.0.0/0", "days": 1 }), (400, "range-too-wide")),
        ("for ever", sal, json!({ "network": away, "days": 9999 }), (400, "ban-days")),
        ("a wide one", sal, json!({ "network": "10.0.0.0/12", "days": 1 }), (409, "range-wide")),
        (
            "a wide one by a moderator",
            meg,
            json!({ "network": "10.0.0.0/12", "days": 1, "sure": true }),
            (403, "staff-power"),
        ),
    ] {
        let answer = ask(home, Method::POST, "/api/staff/bans", secret, wish).await;
        assert_eq!(refused(&answer), wanted, "{name}");
    }
    let wish = json!({ "network": "192.0.2.0/24", "days": 2, "reason": "floods", "spares_days": 5 });
    assert_eq!(ask(home, Method::POST, "/api/staff/bans", meg, wish).await.0, 204);
    let open = serde_json::to_value(gomoku(How::Open)).expect("JSON");
    for (name, address, method, path, secret, wanted) in [
        ("a new guest", away, Method::POST, "/api/guests", "", 403),
        ("a guest who plays", "192.0.2.1", Method::POST, "/api/tables", there[1].as_str(), 403),
        ("an account that is new", away, Method::POST, "/api/tables", secrets[0].as_str(), 403),
        ("staff", away, Method::POST, "/api/tables", sal.as_str(), 201),
        ("somebody else", home, Method::POST, "/api/tables", secrets[0].as_str(), 201),
        ("whoever looks on", away, Method::GET, "/api/tables", "", 200),
        ("whoever opens the page", away, Method::GET, "/api/welcome", "", 200),
    ] {
        let sent = if path == "/api/tables" && method == Method::POST { open.clone() } else { Value::Null };
        let answer = ask(address, method, path, secret, sent).await;
        assert_eq!(answer.0, wanted, "{name}: {answer:?}");
        if wanted == 403 {
            assert_eq!(refused(&answer).1, "banned", "{name}");
        }
    }
    // An account that is older is let through, and the ban ends by itself.
    let pass = async |days: u64| {
        house.running.as_ref().expect("is open").pass(Duration::from_secs(days * 86_400)).await
    };
    let bans = ask(home, Method::GET, "/api/staff/bans", meg, Value::Null).await.1;
    assert_eq!(
        (&bans["addresses"][0]["network"], &bans["addresses"][0]["by"]["name"]),
        (&json!("192.0.2.0/24"), &json!("Meg"))
    );
    pass(3).await;
    assert_eq!(ask(away, Method::POST, "/api/guests", "", Value::Null).await.0, 201, "it has ended");
}

/// The desk once said after a restart that a range was empty.
#[tokio::test]
async fn whom_a_ban_would_hit_is_known_after_a_restart() {
    let (mut house, secrets) = staffed(Reach { behind_proxy: true, ..Reach::default() }).await;
    let sal = &secrets[3];
    let entry = json!({ "name": "ann", "password": PASSWORD });
    let (status, _) = from(&house, "192.0.2.7", Method::POST, "/api/session", "", entry).await;
    assert!((200..300).contains(&status), "{status}");
    house.restart().await;
    let hits = async |network: &str| {
        let asked = json!({ "network": network });
        let (_, hits) = from(&house, "", Method::POST, "/api/staff/bans/ask", sal, asked).await;
        (hits["people"].clone(), hits["accounts"].clone())
    };
    assert_eq!(hits("192.0.2.0/24").await, (json!(1), json!(1)));
    assert_eq!(hits("198.51.100.0/24").await, (json!(0), json!(0)));
    let wish = StaffWish::Hits { network: "192.0.2.0/24".to_owned() };
    let Ok(StaffAnswer::Hits(hits)) = keeper(&house, wish).await else { panic!("a count") };
    assert_eq!((hits.people, hits.accounts), (1, 1));
}

#[tokio::test]
async fn a_map_that_is_taken_down_is_found_and_begun_by_nobody() {
    let (house, secrets) = staffed(Reach::default()).await;
    let [ann, bob, meg, _] = people(&house, &secrets);
    let mut draft = Draft::from(&catalog::maps::starter());
    draft.cells[12] = 5;
    let file = STANDARD.encode(records::map::write(&draft.read().map.expect("a good map")).expect("writes"));
    let (status, made) =
        ann.post("/api/works", json!({ "upload": { "name": "Bad taste", "map": file } })).await;
    assert_eq!(status, 201, "{made}");
    let id = text(&made["line"], "id");
    let mut wish = gomoku(How::Open);
    (wish.game, wish.map) = ("jingbanqi".to_owned(), Some(id.clone()));
    wish.options.clear();
    let open = serde_json::to_value(&wish).expect("JSON");
    let (_, before) = bob.post("/api/tables", open.clone()).await;
    let puzzles = format!("/api/maps/{id}/puzzles");
    let wish = json!({ "fen": RIDDLE.0, "within": 1, "keep": true });
    let (status, kept) = ann.post(&puzzles, wish.clone()).await;
    assert_eq!(status, 201, "{kept}");
    let puzzle = format!("/api/puzzles/{}", text(&kept, "id"));
    let tried = format!("{puzzle}/try");
    let give_up = json!({ "moves": [], "give_up": true });
    let down = format!("/api/staff/works/{id}");
    assert_eq!(meg.post(&down, json!({ "down": true, "reason": "insults" })).await.0, 204);
    // Its puzzles were shown like any others.
    for answer in [
        bob.get(&puzzle).await,
        bob.post(&tried, give_up.clone()).await,
        bob.get(&puzzles).await,
        ann.post(&puzzles, wish).await,
    ] {
        assert_eq!(refused(&answer), (403, "map-taken-down"), "{answer:?}");
    }
    assert_eq!(refused(&meg.post(&down, json!({ "down": true })).await), (409, "work-not-so"), "once");
    assert_eq!(refused(&bob.post("/api/tables", open.clone()).await).1, "map-taken-down");
    assert_eq!(refused(&ann.post("/api/tables", open.clone()).await).1, "map-taken-down", "nor its author");
    assert_eq!(refused(&bob.get(&format!("/api/works/{id}")).await), (403, "map-taken-down"));
    assert_eq!(refused(&bob.get(&format!("/api/maps/{id}/map.xlsx")).await), (403, "map-taken-down"));
    assert_eq!(bob.get("/api/works?search=taste").await.1["works"], json!([]));
    let listed = bob.get("/api/maps?search=taste").await.1;
    assert_eq!(listed, json!([]), "not in the list of maps either");
    // What is played goes on, and the author sees why and appeals.
    assert_eq!(bob.get(&format!("/api/tables/{}", text(&before, "id"))).await.0, 200);
    assert_eq!(bob.get(&format!("/api/maps/{id}")).await.0, 200, "players may read the rules");
    assert_eq!(ann.get(&format!("/api/works/{id}")).await.1["down"], "insults");
    let decision = ann.get("/api/account/decisions").await.1[0].clone();
    assert_eq!((&decision["decision"], &decision["reason"]), (&json!("take-down"), &json!("insults")));
    let n = &decision["n"];
    assert_eq!(
        ann.post(&format!("/api/account/decisions/{n}/appeal"), json!({ "words": "no" })).await.0,
        204
    );
    assert_eq!(meg.get("/api/staff/works").await.1[0]["name"], "Bad taste");
    // Put back by the answer to the appeal, or by the desk.
    assert_eq!(
        meg.post(&format!("/api/moderation/reports/{n}"), json!({ "decision": "nothing" })).await.0,
        204
    );
    assert_eq!(bob.post("/api/tables", open.clone()).await.0, 201);
    assert_eq!(meg.post(&down, json!({ "down": true })).await.0, 204);
    assert_eq!(meg.post(&down, json!({ "down": false })).await.0, 204);
    assert_eq!(bob.get("/api/works?search=taste").await.1["works"][0]["id"], id.as_str());
    assert_eq!(bob.get(&puzzle).await.0, 200, "and its puzzles with it");
    assert_eq!(bob.get(&puzzles).await.1["puzzles"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn the_hall_decides_who_may_come() {
    let (house, secrets) = staffed(Reach::default()).await;
    let [ann, _, _, sal] = people(&house, &secrets);
    let up =
        |name: &str, code: Option<&str>| json!({ "name": name, "password": PASSWORD, "invitation": code });
    let set = async |how: &str, accounts_only: bool| {
        let wish = json!({ "registration": how, "accounts_only": accounts_only });
        let (status, told) = sal.send(Method::PUT, "/api/staff/registration", wish).await;
        assert_eq!(status, 204, "{told}");
    };
    set("closed", true).await;
    let guest = Person::guest(&house).await;
    assert_eq!(refused(&guest.post("/api/account", up("Cid", None)).await), (403, "registration-closed"));
    let open = serde_json::to_value(gomoku(How::Open)).expect("JSON");
    assert_eq!(refused(&guest.post("/api/tables", open.clone()).await), (403, "accounts-only"));
    let (status, made) = ann.post("/api/tables", open.clone()).await;
    assert_eq!(status, 201, "{made}");
    let seat = Guest::known(&house.base, &guest.secret).await.expect("is known");
    let mut seat = Seat::new(seat, &text(&made, "id"));
    level(std::slice::from_mut(&mut seat)).await;
    match soon(seat.wish(Act::Sit { side: None })).await {
        Ok(Answer::Refused(why)) => assert_eq!(why.key, "only-watching"),
        other => panic!("a guest only watches: {other:?}"),
    }
    set("invited", false).await;
    assert_eq!(guest.get("/api/house").await.1["registration"], "invited");
    assert_eq!(refused(&guest.post("/api/account", up("Cid", None)).await), (403, "registration-invited"));
    assert_eq!(
        refused(&guest.post("/api/account", up("Cid", Some("nonsense"))).await),
        (403, "invitation-unknown")
    );
    let (status, made) =
        sal.post("/api/staff/invitations", json!({ "uses": 1, "days": 2, "label": "club" })).await;
    assert_eq!(status, 201, "{made}");
    let code = text(&made, "code");
    assert_eq!(guest.post("/api/account", up("Cid", Some(&code.to_uppercase()))).await.0, 201);
    let other = Person::guest(&house).await;
    assert_eq!(
        refused(&other.post("/api/account", up("Dan", Some(&code))).await),
        (403, "invitation-unknown"),
        "once"
    );
    assert_eq!(sal.get("/api/staff/invitations").await.1, json!([]));
    set("open", false).await;
    assert_eq!(other.post("/api/account", up("Dan", None)).await.0, 201);
    assert_eq!(other.post("/api/tables", open).await.0, 401, "another secret now");
}

#[tokio::test]
async fn everybody_hears_an_announcement_once() {
    let (house, secrets) = staffed(Reach::default()).await;
    let [ann, bob, meg, sal] = people(&house, &secrets);
    let mut lobby = Connection::lobby(&house.base, &bob.secret).await.expect("connects");
    let mut stream = Stream::open(&ann, "/api/stream/event").await;
    let words = json!({ "en": "Back at ten.", "zh": "十点恢复。", "hours": 1 });
    assert_eq!(refused(&meg.post("/api/staff/announcements", words.clone()).await), (403, "staff-power"));
    let one = json!({ "en": "Back at ten.", "zh": " ", "hours": 1 });
    assert_eq!(refused(&sal.post("/api/staff/announcements", one).await), (400, "announcement-languages"));
    assert_eq!(sal.post("/api/staff/announcements", words).await.0, 204);
    let heard = |said| match said {
        ServerMessage::Bell { announced: Some(lines) } => Some(lines),
        _ => None,
    };
    assert_eq!(until(&mut lobby, heard).await[0].zh, "十点恢复。");
    assert_eq!(stream.until("announcement").await["announcement"]["en"], "Back at ten.");
    // A later visitor hears it, too, and everybody that it is withdrawn.
    let mut late = Connection::lobby(&house.base, &ann.secret).await.expect("connects");
    let n = until(&mut late, heard).await[0].n;
    assert_eq!(sal.delete(&format!("/api/staff/announcements/{n}")).await.0, 204);
    assert_eq!(until(&mut lobby, heard).await, []);
    assert_eq!(ann.get("/api/house").await.1["announcements"], json!([]));
}

#[tokio::test]
async fn the_keeper_asks_a_running_hall_by_its_socket() {
    let (house, secrets) = staffed(Reach::default()).await;
    let [ann, bob, _, sal] = people(&house, &secrets);
    let path = house.data.path().join(line::FILE);
    let mode =
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).expect("is there").permissions());
    assert_eq!(mode & 0o777, 0o600);
    let mut lobby = Connection::lobby(&house.base, &bob.secret).await.expect("connects");
    until(&mut lobby, |said| matches!(said, ServerMessage::Lobby { .. }).then_some(())).await;
    let mut lines = Vec::new();
    let wish = StaffWish::Export { who: "bob".to_owned() };
    let put = |line: &str| {
        lines.push(line.to_owned());
        Ok(())
    };
    line::ask(house.data.path(), &wish, put).await.expect("is whole");
    assert!(lines[0].contains("\"account\"") && lines.len() > 2, "{lines:?}");
    assert_eq!(
        keeper(&house, StaffWish::Forget { who: "nobody".to_owned() }).await,
        Err("no-such-person".to_owned())
    );
    keeper(&house, StaffWish::Forget { who: "bob".to_owned() }).await.expect("done");
    // The connection ends, and so does the session.
    while soon(lobby.hear()).await.is_ok() {}
    assert_eq!(refused(&bob.get("/api/me").await), (401, "bearer-unknown"));
    // The name stays taken, even for a guest.
    let guest = Person::guest(&house).await;
    assert_eq!(
        refused(&guest.send(Method::PUT, "/api/me", json!({ "name": "Bob" })).await),
        (409, "name-taken")
    );
    let up = json!({ "name": "BOB", "password": PASSWORD });
    assert_eq!(refused(&guest.post("/api/account", up).await), (409, "name-taken"));
    // Roles count at once, and the last admin stays one unless the keeper says otherwise.
    let role = |who: &str, give| StaffWish::Role { who: who.to_owned(), role: "admin".to_owned(), give };
    keeper(&house, role("ann", true)).await.expect("done");
    assert_eq!(
        sal.post("/api/staff/people/ann/role", json!({ "role": "admin", "give": false })).await.0,
        204
    );
    assert_eq!(refused(&ann.get("/api/staff/log").await), (403, "staff-only"));
    keeper(&house, role("sal", false)).await.expect("the keeper may");
    let StaffAnswer::Log(log) =
        keeper(&house, StaffWish::Audit { about: None, below: None }).await.expect("read")
    else {
        panic!("a log");
    };
    assert_eq!((log[0].act.as_str(), &log[0].by), ("role", &None));
    // Nonsense gets a sentence, and the hall goes on.
    let mut stream = tokio::net::UnixStream::connect(&path).await.expect("connects");
    tokio::io::AsyncWriteExt::write_all(&mut stream, b"nonsense\n").await.expect("writes");
    let mut answer = String::new();
    soon(tokio::io::AsyncReadExt::read_to_string(&mut stream, &mut answer)).await.expect("reads");
    assert!(answer.contains("keeper-wish"), "{answer}");
}

/// Keys of workers were made and removed without a line in the log, and beside a running hall not at all.
#[tokio::test]
async fn keys_of_workers_are_made_by_the_staff_and_logged() {
    let (house, secrets) = staffed(Reach::default()).await;
    let [_, _, meg, sal] = people(&house, &secrets);
    let wish = |name: &str| StaffWish::Hire(wire::NewWorkerKey { name: name.to_owned(), scopes: Vec::new() });
    let StaffAnswer::WorkerKey(made) = keeper(&house, wish("laptop")).await.expect("made") else {
        panic!("a key");
    };
    let asks = async |token: &str| {
        let asked = house.http.get(format!("{}/api/worker/key", house.base)).bearer_auth(token);
        soon(asked.send()).await.expect("answers").status().as_u16()
    };
    assert_eq!(asks(&made.token).await, 200, "it counts at once");
    assert_eq!(keeper(&house, wish(" ")).await, Err("worker-key-name".to_owned()));
    let (status, second) =
        sal.post("/api/admin/workers", json!({ "name": "club", "scopes": ["background"] })).await;
    assert_eq!(status, 201, "{second}");
    let second = text(&second["key"], "id");
    assert_eq!(refused(&meg.get("/api/admin/workers").await), (403, "staff-power"));
    assert_eq!(sal.post(&format!("/api/admin/workers/{second}/restore"), Value::Null).await.0, 204);
    assert_eq!(sal.delete(&format!("/api/admin/workers/{second}")).await.0, 204);
    let gone = sal.delete(&format!("/api/admin/workers/{second}")).await;
    assert_eq!(refused(&gone), (404, "worker-key-unknown-id"));
    let listed = sal.get("/api/admin/workers").await.1;
    assert_eq!((listed.as_array().map(Vec::len), &listed[0]["name"]), (Some(1), &json!("laptop")));
    assert!(listed[0]["seen_ms"].as_u64().is_some(), "what the running hall saw: {listed}");
    let StaffAnswer::WorkerKeys(keys) = keeper(&house, StaffWish::WorkerKeys).await.expect("listed") else {
        panic!("keys");
    };
    assert!(keys.len() == 1 && keys[0].seen_ms.is_some(), "{keys:?}");
    keeper(&house, StaffWish::Dismiss { id: made.key.id.clone() }).await.expect("removed");
    assert_eq!(asks(&made.token).await, 401, "it counts nowhere");
    let log = sal.get("/api/staff/log").await.1;
    let told: Vec<(&str, &str, &str)> = log.as_array().expect("lines")[..5]
        .iter()
        .map(|line| {
            let by = line["by"]["name"].as_str().unwrap_or("the keeper");
            (by, line["act"].as_str().unwrap_or_default(), line["detail"].as_str().unwrap_or_default())
        })
        .collect();
    let id = &made.key.id;
    assert_eq!(
        told,
        [
            ("the keeper", "worker-key-remove", format!("{id} laptop").as_str()),
            ("Sal", "worker-key-remove", &format!("{second} club")),
            ("Sal", "worker-key-restore", &format!("{second} club")),
            ("Sal", "worker-key-make", &format!("{second} club (background)")),
            ("the keeper", "worker-key-make", &format!("{id} laptop (play, study, background)")),
        ]
    );
    assert!(!log.to_string().contains(&made.token), "no secret stands in the log");
}

/// Two admins who take each other's role at once do not both succeed: one of them is refused.
#[tokio::test]
async fn two_admins_do_not_undo_each_other() {
    let (house, secrets) = staffed(Reach::default()).await;
    let [ann, _, _, sal] = people(&house, &secrets);
    let wish = StaffWish::Role { who: "ann".to_owned(), role: "admin".to_owned(), give: true };
    keeper(&house, wish).await.expect("done");
    let take = json!({ "role": "admin", "give": false });
    let (one, other) = tokio::join!(
        sal.post("/api/staff/people/ann/role", take.clone()),
        ann.post("/api/staff/people/sal/role", take)
    );
    let done = [&one, &other].into_iter().filter(|answer| answer.0 == 204).count();
    assert_eq!(done, 1, "{one:?} {other:?}");
    let log = [ann.get("/api/staff/log").await.0, sal.get("/api/staff/log").await.0];
    assert_eq!(log.iter().filter(|status| **status == 200).count(), 1);
}
