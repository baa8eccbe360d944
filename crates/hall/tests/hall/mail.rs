//! Letters, against a mail server of the test's own on loopback.

use std::net::SocketAddr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hall::limits::Limits;
use hall::mail::MailSettings;
use hall::mail::post::TlsMode;
use people::notices::Topic;
use reqwest::Method;
use serde_json::{Value, json};
use store::notices::{NoticeChange, Notices};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::accounts::{Person, refused, text};
use crate::house::{House, done, hear, soon};

/// A letter as a mail server got it.
#[derive(Debug)]
struct Got {
    to: Vec<String>,
    head: String,
    body: String,
}

impl Got {
    fn field(&self, name: &str) -> Option<String> {
        let head = self.head.replace("\r\n ", " ");
        head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")).map(str::to_owned))
    }

    /// What stands behind `#what=` of a link, up to its end.
    fn link(&self, what: &str) -> String {
        let mut found = self.links(what);
        assert_eq!(found.len(), 1, "{what} in {}", self.body);
        found.remove(0)
    }

    fn links(&self, what: &str) -> Vec<String> {
        let sign = format!("https://hall.example/account/mail#{what}=");
        let rest = self.body.split(&sign).skip(1);
        rest.map(|rest| rest.split_whitespace().next().unwrap_or_default().to_owned()).collect()
    }
}

/// A mail server: takes what it is given, refuses `full@…` for good, and says nothing at all where it is to hang.
struct Server {
    at: SocketAddr,
    got: mpsc::UnboundedReceiver<Got>,
}

impl Server {
    async fn open(hangs: bool) -> Server {
        let (tell, got) = mpsc::unbounded_channel();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let at = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            let mut silent = Vec::new();
            while let Ok((stream, _)) = listener.accept().await {
                if hangs {
                    silent.push(stream);
                } else {
                    tokio::spawn(serve(stream, tell.clone()));
                }
            }
        });
        Server { at, got }
    }

    fn settings(&self) -> MailSettings {
        MailSettings {
            server: "127.0.0.1".into(),
            port: Some(self.at.port()),
            tls: TlsMode::None,
            user: None,
            password_file: None,
            from: "Qiguan <hall@hall.example>".into(),
            public_url: Some("https://hall.example".into()),
        }
    }

    async fn next(&mut self) -> Got {
        soon(self.got.recv()).await.expect("the server is open")
    }
}

/// RFC 5321, as far as a sender needs it.
async fn serve(stream: TcpStream, tell: mpsc::UnboundedSender<Got>) -> Option<()> {
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut to = Vec::new();
    write.write_all(b"220 mail.example\r\n").await.ok()?;
    while let Some(line) = lines.next_line().await.ok()? {
        let said = match line.split_once([' ', ':']).map_or(line.as_str(), |(word, _)| word) {
            "EHLO" => "250 mail.example",
            "MAIL" => "250 yes",
            "RCPT" if line.contains("<full@") => "550 no such mailbox",
            "RCPT" => {
                to.push(line.split(['<', '>']).nth(1).unwrap_or_default().to_owned());
                "250 yes"
            }
            "DATA" => {
                write.write_all(b"354 go on\r\n").await.ok()?;
                let mut letter = String::new();
                loop {
                    let line = lines.next_line().await.ok()??;
                    if line == "." {
                        break;
                    }
                    letter += &line;
                    letter += "\r\n";
                }
                let (head, body) = letter.split_once("\r\n\r\n").expect("a head and a body");
                let body = STANDARD.decode(body.replace("\r\n", "")).expect("Base64");
                let body = String::from_utf8(body).expect("UTF-8");
                tell.send(Got { to: std::mem::take(&mut to), head: head.to_owned(), body }).ok()?;
                "250 taken"
            }
            "QUIT" => "221 bye",
            _ => "250 as you like",
        };
        write.write_all(format!("{said}\r\n").as_bytes()).await.ok()?;
    }
    Some(())
}

fn unlimited() -> Limits {
    Limits { on: false, ..Limits::default() }
}

async fn open() -> (Server, House) {
    let server = Server::open(false).await;
    let house = House::with_mail(unlimited(), server.settings()).await;
    (server, house)
}

async fn ask(person: &Person<'_>, address: &str) -> (u16, Value) {
    person.send(Method::PUT, "/api/mail", json!({ "address": address, "lang": "en" })).await
}

/// Gives a person that address, by the link that goes there.
async fn confirm(server: &mut Server, person: &Person<'_>, address: &str) -> Got {
    let (status, told) = ask(person, address).await;
    assert_eq!(status, 202, "{told}");
    let letter = server.next().await;
    let (status, told) = person.post("/api/mail/confirm", json!({ "link": letter.link("confirm") })).await;
    assert_eq!((status, &told["address"]), (200, &json!(address)), "{told}");
    letter
}

const NEW: &str = "another horse battery";

#[tokio::test]
async fn an_address_is_confirmed_by_its_letter_and_by_nothing_else() {
    let (mut server, house) = open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    assert_eq!(ann.get("/api/mail").await.1, json!({ "on": true, "digest": false }));
    let (status, told) = ask(&ann, " Ann@Example.org ").await;
    assert_eq!((status, &told["unconfirmed"]), (202, &json!("Ann@example.org")), "{told}");
    assert_eq!(told.get("address"), None, "not before it is confirmed");
    let letter = server.next().await;
    assert_eq!(letter.to, ["Ann@example.org"]);
    assert_eq!(letter.field("To").as_deref(), Some("Ann@example.org"));
    assert_eq!(letter.field("From").as_deref(), Some("Qiguan <hall@hall.example>"));
    assert_eq!(letter.field("Auto-Submitted").as_deref(), Some("auto-generated"));
    let stop = letter.link("stop");
    let unsubscribe = format!("<https://hall.example/api/mail/stop?letter={stop}>");
    assert_eq!(letter.field("List-Unsubscribe"), Some(unsubscribe));
    assert_eq!(letter.field("List-Unsubscribe-Post").as_deref(), Some("List-Unsubscribe=One-Click"));
    let link = letter.link("confirm");
    // What a guard of mailboxes does with every link it sees.
    for path in ["/account/mail", "/api/mail/confirm", &format!("/api/mail/confirm?link={link}")] {
        house.get(path).await;
    }
    assert_eq!(ann.get("/api/mail").await.1.get("address"), None);
    let stranger = Person::guest(&house).await;
    for (name, text) in [("nothing", ""), ("another", &"a".repeat(32)), ("no link", "../../x")] {
        let answer = stranger.post("/api/mail/confirm", json!({ "link": text })).await;
        assert_eq!(refused(&answer), (403, "mail-link"), "{name}");
    }
    let answer = stranger.post("/api/session/mail/recover", json!({ "link": link, "password": NEW })).await;
    assert_eq!(refused(&answer), (403, "mail-link"), "it lets nobody in");
    // On another device, where nobody is signed in.
    let (status, told) = stranger.post("/api/mail/confirm", json!({ "link": link })).await;
    assert_eq!((status, told), (200, json!({ "address": "Ann@example.org", "name": "Ann" })));
    let again = stranger.post("/api/mail/confirm", json!({ "link": link })).await;
    assert_eq!(refused(&again), (403, "mail-link"), "it counts once");
    let told = ann.get("/api/mail").await.1;
    assert_eq!(told, json!({ "on": true, "address": "Ann@example.org", "digest": false }));
    assert_eq!(stranger.get("/api/mail").await.1, json!({ "on": true, "digest": false }));
    let export = ann.raw(Method::GET, "/api/account/export", &Value::Null).await;
    assert!(export.text().await.expect("text").contains("Ann@example.org"));
}

#[tokio::test]
async fn a_lost_password_is_set_by_a_letter_that_only_its_owner_gets() {
    let (mut server, house) = open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let (bob, _) = Person::account(&house, "Bob").await;
    confirm(&mut server, &ann, "both@example.org").await;
    confirm(&mut server, &bob, "both@example.org").await;
    let stranger = Person::guest(&house).await;
    let lost = async |address: &str| stranger.post("/api/session/mail", json!({ "address": address })).await;
    // Nobody's first: a letter to that address would come first.
    let (unknown, known) = (lost("nobody@example.org").await, lost("BOTH@example.org").await);
    assert_eq!(unknown, known, "the same answer");
    assert_eq!(known.0, 202);
    let letter = server.next().await;
    assert_eq!(letter.to, ["BOTH@example.org"]);
    assert!(letter.body.contains("Ann:") && letter.body.contains("Bob:"), "{}", letter.body);
    let links = letter.links("recover");
    assert_eq!(links.len(), 2);
    let recover = async |link: &str, password: &str| {
        stranger.post("/api/session/mail/recover", json!({ "link": link, "password": password })).await
    };
    assert_eq!(refused(&recover(&links[0], "short").await), (400, "password-too-short"));
    let (status, told) = recover(&links[0], NEW).await;
    assert_eq!((status, &told["me"]["player"]["name"]), (200, &json!("Ann")), "{told}");
    let now = Person::with(&house, &text(&told, "secret"));
    assert_eq!(ann.get("/api/account").await.0, 401, "the old session has ended");
    assert_eq!(bob.get("/api/account").await.0, 200, "Bob's has not");
    assert_eq!(refused(&recover(&links[0], NEW).await), (403, "mail-link"), "it counts once");
    let (status, told) = stranger.post("/api/session", json!({ "name": "Ann", "password": NEW })).await;
    assert_eq!(status, 200, "{told}");
    let (_, account) = now.get("/api/account").await;
    let acts: Vec<&str> =
        account["noted"].as_array().expect("notes").iter().filter_map(|note| note["act"].as_str()).collect();
    assert!(acts.contains(&"recovered-mail") && acts.contains(&"mail-confirmed"), "{acts:?}");
}

#[tokio::test]
async fn an_address_of_before_is_told_and_lets_nobody_in() {
    let (mut server, house) = open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    confirm(&mut server, &ann, "old@example.org").await;
    let stranger = Person::guest(&house).await;
    stranger.post("/api/session/mail", json!({ "address": "old@example.org" })).await;
    let recovery = server.next().await.link("recover");
    confirm(&mut server, &ann, "new@example.org").await;
    let told = server.next().await;
    assert_eq!(told.to, ["old@example.org"]);
    assert!(told.links("recover").is_empty() && told.body.contains("Ann"), "{}", told.body);
    let answer =
        stranger.post("/api/session/mail/recover", json!({ "link": recovery, "password": NEW })).await;
    assert_eq!(refused(&answer), (403, "mail-link"));
    let (status, told) = ann.delete("/api/mail").await;
    assert_eq!((status, told.get("address")), (200, None), "{told}");
    assert_eq!(server.next().await.to, ["new@example.org"]);
    assert_eq!(refused(&ann.delete("/api/mail").await), (404, "mail-none"));
}

#[tokio::test]
async fn who_wants_no_letters_gets_none_but_a_new_password() {
    let (mut server, house) = open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let stop = confirm(&mut server, &ann, "ann@example.org").await.link("stop");
    let (status, told) = ann.send(Method::PUT, "/api/mail/digest", json!({ "on": true, "lang": "zh" })).await;
    assert_eq!((status, &told["digest"]), (200, &json!(true)), "{told}");
    let stranger = Person::guest(&house).await;
    for (name, link) in
        [("nothing", String::new()), ("a guess", "A".repeat(48)), ("cut off", stop[..40].into())]
    {
        let answer = stranger.post(&format!("/api/mail/stop?letter={link}"), Value::Null).await;
        assert_eq!(refused(&answer), (400, "mail-stop"), "{name}");
    }
    // As a mail program asks (RFC 8058).
    let request = house.http.post(format!("{}/api/mail/stop?letter={stop}", house.base));
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let answer = soon(request.body("List-Unsubscribe=One-Click").send()).await.expect("answers");
    assert_eq!(answer.status(), 204);
    assert_eq!(ann.get("/api/mail").await.1["digest"], json!(false));
    // A letter to confirm it would come before that about the password.
    assert_eq!(ask(&ann, "ANN@example.org").await.0, 202);
    stranger.post("/api/session/mail", json!({ "address": "ann@example.org" })).await;
    let letter = server.next().await;
    assert_eq!(letter.links("recover").len(), 1, "{}", letter.body);
    assert!(letter.body.contains("你好"), "in the language of the account: {}", letter.body);
    let (status, _) = stranger.post(&format!("/api/mail/stop?letter={stop}&again=true"), Value::Null).await;
    assert_eq!(status, 204);
    confirm(&mut server, &ann, "ann@example.org").await;
}

#[tokio::test]
async fn a_digest_names_the_games_that_wait() {
    let (mut server, mut house) = open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let (bob, _) = Person::account(&house, "Bob").await;
    confirm(&mut server, &ann, "ann@example.org").await;
    ann.send(Method::PUT, "/api/mail/digest", json!({ "on": true, "lang": "en" })).await;
    let (_, made) = bob
        .post(
            "/api/challenge/Ann",
            json!({ "game": "gomoku/freestyle", "side": "first", "clock": { "kind": "per-move", "turn_ms": 259_200_000 } }),
        )
        .await;
    let (_, created) = ann.post(&format!("/api/challenge/{}/accept", text(&made, "id")), Value::Null).await;
    let table = text(&created, "id");
    let known = client::Guest::known(&house.base, &bob.secret).await.expect("is known");
    let mut seat = client::Seat::new(known, &table);
    hear(&mut seat).await;
    done(&mut seat, crate::house::mv("h8")).await;
    drop(seat);
    let id = ann.id().await;
    // As if that had been five hours ago.
    house
        .stored(async |store| {
            let now_ms = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let now_ms = u64::try_from(now_ms.expect("after 1970").as_millis()).expect("a time");
            let (person, subject) = (id, table.clone());
            let looked = NoticeChange::Looked { person: person.clone(), subject: subject.clone() };
            store.notice(looked).await.expect("stored");
            let before_ms = now_ms - 5 * 3_600_000;
            let notice = NoticeChange::Notice {
                person,
                subject,
                topic: Topic::Turn,
                now_ms: before_ms,
                due_ms: before_ms,
            };
            store.notice(notice).await.expect("stored");
        })
        .await;
    let letter = server.next().await;
    assert_eq!(letter.to, ["ann@example.org"]);
    for part in ["Ann", "Bob", "days left", &format!("https://hall.example/t/{table}")] {
        assert!(letter.body.contains(part), "{part} in {}", letter.body);
    }
    house.restart().await;
    // Whatever is sent now comes after a second digest.
    let stranger = Person::guest(&house).await;
    stranger.post("/api/session/mail", json!({ "address": "ann@example.org" })).await;
    assert_eq!(server.next().await.links("recover").len(), 1, "one a day");
}

#[tokio::test]
async fn letters_are_counted_by_whom_and_to_whom() {
    let mut server = Server::open(false).await;
    let limits = Limits { letters: 3, letters_address: 100, letters_mailbox: 2, ..Limits::default() };
    let house = House::with_mail(limits, server.settings()).await;
    let (ann, _) = Person::account(&house, "Ann").await;
    confirm(&mut server, &ann, "ann@example.org").await;
    let (bob, _) = Person::account(&house, "Bob").await;
    let token_of = |person: &Person<'_>| person.secret.clone();
    let bob = Person::with(&house, &token_of(&bob));
    for (name, who, address, status) in [
        ("a second letter there", &bob, "ann@example.org", 202),
        ("a third, by somebody else", &bob, "ANN@example.org", 429),
        ("nobody's mailbox", &ann, "nobody@example.org", 202),
        ("once more", &ann, "nobody@example.org", 202),
        ("her own have run out", &ann, "third@example.org", 429),
    ] {
        let (found, told) = who.post("/api/session/mail", json!({ "address": address })).await;
        assert_eq!(found, status, "{name}: {told}");
    }
}

#[tokio::test]
async fn a_server_that_hangs_or_refuses_hurts_nobody() {
    let server = Server::open(true).await;
    let mut house = House::with_mail(unlimited(), server.settings()).await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let mut statuses = std::collections::BTreeMap::<u16, u32>::new();
    for n in 0..200 {
        let (status, _) =
            ann.post("/api/session/mail", json!({ "address": format!("a{n}@example.org") })).await;
        *statuses.entry(status).or_default() += 1;
    }
    // Nobody has these addresses: there is nothing to send, and nothing waits.
    assert_eq!(statuses.keys().collect::<Vec<_>>(), [&202]);
    statuses.clear();
    for n in 0..600 {
        let (status, _) = ask(&ann, &format!("a{n}@example.org")).await;
        *statuses.entry(status).or_default() += 1;
    }
    let taken = statuses[&202];
    assert!((256..=520).contains(&taken) && statuses.keys().all(|s| [202, 503].contains(s)), "{statuses:?}");
    assert_eq!(ann.get("/api/me").await.0, 200);
    soon(house.running.take().expect("is open").stop()).await;

    let mut server = Server::open(false).await;
    let house = House::with_mail(unlimited(), server.settings()).await;
    let (ann, _) = Person::account(&house, "Ann").await;
    assert_eq!(ask(&ann, "full@example.org").await.0, 202);
    confirm(&mut server, &ann, "ann@example.org").await;
}

#[tokio::test]
async fn what_does_not_fit_is_refused() {
    let (_server, house) = open().await;
    let plain = House::open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let (bob, _) = Person::account(&plain, "Bob").await;
    let guest = Person::guest(&house).await;
    let digest = json!({ "on": true, "lang": "en" });
    let at = |address: &str| json!({ "address": address, "lang": "en" });
    for (name, who, method, path, body, wanted) in [
        ("a guest", &guest, Method::PUT, "/api/mail", at("a@example.org"), (403, "not-an-account")),
        (
            "a guest's digest",
            &guest,
            Method::PUT,
            "/api/mail/digest",
            digest.clone(),
            (403, "not-an-account"),
        ),
        ("no address", &ann, Method::PUT, "/api/mail", at("ann"), (400, "mail-address")),
        (
            "two lines",
            &ann,
            Method::PUT,
            "/api/mail",
            at("a@b.example\r\nBcc: c@d.example"),
            (400, "mail-address"),
        ),
        (
            "two addresses",
            &ann,
            Method::PUT,
            "/api/mail",
            at("a@b.example,c@d.example"),
            (400, "mail-address"),
        ),
        ("a long one", &ann, Method::PUT, "/api/mail", at(&"a".repeat(9000)), (400, "mail-address")),
        (
            "lost, two lines",
            &ann,
            Method::POST,
            "/api/session/mail",
            at("a@b.example\nX"),
            (400, "mail-address"),
        ),
        ("a digest to nowhere", &ann, Method::PUT, "/api/mail/digest", digest.clone(), (400, "mail-none")),
        ("letters are off", &bob, Method::PUT, "/api/mail", at("b@example.org"), (403, "mail-off")),
        ("and digests", &bob, Method::PUT, "/api/mail/digest", digest, (403, "mail-off")),
        ("and links", &bob, Method::POST, "/api/session/mail", at("b@example.org"), (403, "mail-off")),
        ("and their end", &bob, Method::POST, "/api/mail/stop?letter=x", Value::Null, (403, "mail-off")),
    ] {
        let answer = who.send(method, path, body).await;
        assert_eq!(refused(&answer), wanted, "{name}: {}", answer.1);
    }
    assert_eq!(bob.get("/api/mail").await.1, json!({ "on": false, "digest": false }));
    let token = ann.token(&["read", "play"]).await;
    assert_eq!(refused(&token.get("/api/mail").await), (403, "token-not-here"));
}
