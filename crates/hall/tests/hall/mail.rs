//! Letters, against a mail server of the test's own on loopback.

use std::net::SocketAddr;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use edge::limits::Limits;
use members::mail::post::MailSettings;
use members::mail::post::TlsMode;
use people::notices::Topic;
use reqwest::Method;
use serde_json::{Value, json};
use store::notices::{NewNotice, NoticeChange};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, ReadHalf, WriteHalf,
};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::accounts::{Person, refused, text};
use crate::house::{House, done, hear, soon};

/// A letter as a mail server got it.
#[derive(Debug)]
pub struct Got {
    to: Vec<String>,
    head: String,
    body: String,
}

impl Got {
    fn field(&self, name: &str) -> Option<String> {
        let head = self.head.replace("\r\n ", " ");
        head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")).map(str::to_owned))
    }

    /// Returns the secret in the one link with `#what=`.
    pub fn link(&self, what: &str) -> String {
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

/// A mail server: accepts letters, refuses `full@…` for good, and does not answer at all where it is to hang.
pub struct Server {
    at: SocketAddr,
    got: mpsc::UnboundedReceiver<Got>,
}

impl Server {
    pub async fn open(hangs: bool) -> Server {
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

    pub fn settings(&self) -> MailSettings {
        MailSettings {
            server: "127.0.0.1".into(),
            port: Some(self.at.port()),
            tls: TlsMode::None,
            user: None,
            password: None,
            password_file: None,
            ca_file: None,
            from: "Qiguan <hall@hall.example>".into(),
            public_url: Some("https://hall.example".into()),
        }
    }

    pub async fn next(&mut self) -> Got {
        soon(self.got.recv()).await.expect("the server is open")
    }
}

/// Serves a connection by RFC 5321, as far as a sender needs it.
async fn serve<S>(stream: S, tell: mpsc::UnboundedSender<Got>) -> Option<()>
where
    S: AsyncRead + AsyncWrite + Send + Unpin,
{
    let (read, mut write) = tokio::io::split(stream);
    write.write_all(b"220 mail.example\r\n").await.ok()?;
    converse((read, write), tell).await
}

/// Serves a connection after the greeting.
async fn converse<S>(
    (read, mut write): (ReadHalf<S>, WriteHalf<S>),
    tell: mpsc::UnboundedSender<Got>,
) -> Option<()>
where
    S: AsyncRead + AsyncWrite + Send + Unpin,
{
    let mut lines = BufReader::new(read).lines();
    let mut to = Vec::new();
    while let Some(line) = lines.next_line().await.ok()? {
        let said = match line.split_once([' ', ':']).map_or(line.as_str(), |(word, _)| word) {
            "EHLO" => "250 mail.example",
            "MAIL" => "250 yes",
            "RCPT" if line.contains("<full@") => "550 no such mailbox",
            "RCPT" if line.contains("<later@") => "450 try again",
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

/// Sets the mail address of a person, by the link that goes there.
pub async fn confirm(server: &mut Server, person: &Person<'_>, address: &str) -> Got {
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
    // On another device, which is not signed in.
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
    // The unknown address first: a letter to it would come first.
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
            let before_ms = now_ms - 5 * 3_600_000;
            let looked = vec![(person.clone(), subject.clone())];
            let tell = vec![NewNotice { person, subject, topic: Topic::Turn, due_ms: before_ms }];
            let words = NoticeChange::Words { looked, tell, now_ms: before_ms };
            store.notices.change(words).await.expect("stored");
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
    // No account has these addresses: there is nothing to send, and nothing waits.
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
    assert_eq!(ask(&ann, "later@example.org").await.0, 202);
    confirm(&mut server, &ann, "ann@example.org").await;
    // Letters leave one after the other, so that the server has put the one before off; it counts as waiting all the same.
    let admin = house.running.as_ref().and_then(|running| running.admin).expect("a listener of its own");
    let waits = async {
        loop {
            let told = house.http.get(format!("http://{admin}/metrics")).send().await.expect("answers");
            let told = told.text().await.expect("is text");
            if told.lines().any(|line| line == r#"hall_queue{queue="letters"} 1"#) {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    soon(waits).await;
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

/// The ways in which a server offers encryption, and answers the command to start it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Starts {
    /// Offers STARTTLS and encrypts, as RFC 3207 says.
    Encrypts,
    /// Offers no STARTTLS.
    OffersNothing,
    /// Offers STARTTLS and then refuses it.
    Refuses,
    /// Encrypts from the beginning.
    Encrypted,
}

/// Starts a mail server with a self-signed certificate.
async fn encrypted(starts: Starts) -> (Server, String) {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let pem = made.cert.pem();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the usual versions")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .expect("they belong together");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let (tell, got) = mpsc::unbounded_channel();
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let at = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (tell, acceptor) = (tell.clone(), acceptor.clone());
            tokio::spawn(async move {
                let stream =
                    if starts == Starts::Encrypted { stream } else { greeted(stream, starts).await? };
                // After STARTTLS the greeting is not said again; what a sender reads too much of, it forgets.
                let stream = acceptor.accept(stream).await.ok()?;
                if starts == Starts::Encrypted {
                    serve(stream, tell).await
                } else {
                    serve_on(stream, tell).await
                }
            });
        }
    });
    (Server { at, got }, pem)
}

/// Serves the part of a conversation in the clear; `None` where it does not come to encryption.
async fn greeted(mut stream: TcpStream, starts: Starts) -> Option<TcpStream> {
    stream.write_all(b"220 mail.example\r\n").await.ok()?;
    let mut said = Vec::new();
    loop {
        let mut byte = [0];
        stream.read_exact(&mut byte).await.ok()?;
        said.push(byte[0]);
        if byte[0] != b'\n' {
            continue;
        }
        let line = String::from_utf8_lossy(&std::mem::take(&mut said)).into_owned();
        let answer: &[u8] = match line.split_whitespace().next().unwrap_or_default() {
            "EHLO" if starts == Starts::OffersNothing => b"250 mail.example\r\n",
            "EHLO" => b"250-mail.example\r\n250 STARTTLS\r\n",
            "STARTTLS" if starts == Starts::Refuses => b"454 not now\r\n",
            "STARTTLS" => {
                stream.write_all(b"220 go on\r\n").await.ok()?;
                return Some(stream);
            }
            "QUIT" => return None,
            // In the clear nothing else may be said.
            other => panic!("{other} was said in the clear"),
        };
        stream.write_all(answer).await.ok()?;
    }
}

/// Serves a connection like [`serve`], without a greeting.
async fn serve_on<S>(stream: S, tell: mpsc::UnboundedSender<Got>) -> Option<()>
where
    S: AsyncRead + AsyncWrite + Send + Unpin,
{
    converse(tokio::io::split(stream), tell).await
}

#[tokio::test]
async fn letters_go_encrypted_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let ca = folder.path().join("ca.pem");
    let settings = |server: &Server, tls: TlsMode, trusts: bool| MailSettings {
        server: "localhost".into(),
        tls,
        ca_file: trusts.then(|| ca.clone()),
        ..server.settings()
    };
    for (name, starts, tls, trusts, comes) in [
        ("begun in the clear", Starts::Encrypts, TlsMode::Starttls, true, true),
        ("encrypted from the beginning", Starts::Encrypted, TlsMode::Implicit, true, true),
        ("an authority nobody knows", Starts::Encrypts, TlsMode::Starttls, false, false),
        ("the same from the beginning", Starts::Encrypted, TlsMode::Implicit, false, false),
        ("nothing is offered", Starts::OffersNothing, TlsMode::Starttls, true, false),
        ("what is offered is refused", Starts::Refuses, TlsMode::Starttls, true, false),
    ] {
        let (mut server, pem) = encrypted(starts).await;
        std::fs::write(&ca, pem).expect("writes");
        let house = House::with_mail(unlimited(), settings(&server, tls, trusts)).await;
        let (ada, _) = Person::account(&house, "Ada").await;
        assert_eq!(ask(&ada, "ada@mail.example").await.0, 202, "{name}");
        if comes {
            assert_eq!(server.next().await.to, ["ada@mail.example"], "{name}");
        } else {
            let nothing = tokio::time::timeout(std::time::Duration::from_secs(1), server.got.recv()).await;
            assert!(nothing.is_err(), "{name}: {nothing:?}");
        }
    }
}

#[test]
fn a_file_of_authorities_is_read_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let ca = folder.path().join("ca.pem");
    let settings = MailSettings {
        server: "localhost".into(),
        port: None,
        tls: TlsMode::Starttls,
        user: None,
        password: None,
        password_file: None,
        ca_file: Some(ca.clone()),
        from: "hall@hall.example".into(),
        public_url: Some("https://hall.example".into()),
    };
    let why = |name: &str| settings.open(None).err().unwrap_or_else(|| panic!("{name}"));
    assert!(why("no file").contains("mail.ca_file"));
    std::fs::write(&ca, "no certificate").expect("writes");
    assert!(why("no certificate").contains("holds no certificate"));
    std::fs::write(&ca, vec![b'x'; 300 << 10]).expect("writes");
    assert!(why("too large").contains("more than"));
}

/// A reload switches letters on, sends letters that waited for a missing server to the new one, and switches them
/// off; a wrong setting changes nothing (O5).
#[tokio::test]
async fn a_reload_changes_the_mail_server() {
    let gone = Server { at: ([127, 0, 0, 1], 1).into(), got: mpsc::unbounded_channel().1 };
    let mut server = Server::open(false).await;
    let house = House::open().await;
    let reload = |mail: Option<MailSettings>| hall::Reload {
        limits: unlimited(),
        mail,
        openid: None,
        tls: None,
        keep: Default::default(),
    };
    let running = house.running.as_ref().expect("is open");
    let (ann, _) = Person::account(&house, "Ann").await;
    assert_eq!(ann.get("/api/mail").await.1["on"], json!(false));
    running.reload(reload(Some(gone.settings()))).await.expect("is followed");
    assert_eq!(ann.get("/api/mail").await.1["on"], json!(true));
    assert_eq!(ask(&ann, "ann@example.org").await.0, 202);
    let broken = MailSettings { from: "nobody".into(), ..server.settings() };
    let why = running.reload(reload(Some(broken))).await.expect_err("is refused");
    assert!(why.contains("mail.from"), "{why}");
    assert_eq!(ann.get("/api/mail").await.1["on"], json!(true), "as before");
    running.reload(reload(Some(server.settings()))).await.expect("is followed");
    assert_eq!(server.next().await.to, ["ann@example.org"], "what waited goes to the new server");
    running.reload(reload(None)).await.expect("is followed");
    assert_eq!(ann.get("/api/mail").await.1["on"], json!(false));
}
