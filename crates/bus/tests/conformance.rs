//! Conformance tests: every bus passes the same questions. They catch a bus that does not carry the hall's messages.
//!
//! PostgreSQL and NATS are started for the test where they are installed; elsewhere their rows are left out, which
//! `scripts/test.sh` names as skipped.

#[path = "../../store/tests/common/server.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod server;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bus::keys::{Dropped, HEAD_BYTES, Row};
use bus::{Address, Bus, BusError, Faulty, Keys, Local, MOST_BYTES, Nats, NotOpened, Notify, Post, Signed};

/// A server of NATS that ends with the test.
struct NatsServer(Child, u16);

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn nats(port: u16) -> Option<NatsServer> {
    nats_with(port, &[])
}

fn nats_with(port: u16, words: &[&str]) -> Option<NatsServer> {
    let started = Command::new("nats-server")
        .args(["-a", "127.0.0.1", "-p", &port.to_string()])
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    started.ok().map(|child| NatsServer(child, port))
}

/// Returns a port that is free now.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

async fn connected(port: u16) -> Nats {
    for _ in 0..100 {
        if let Ok(nats) = Nats::open(&Address::new(&format!("nats://127.0.0.1:{port}"))).await {
            return nats;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("NATS does not answer");
}

/// Opens the bus at an address, or returns its error; waits for a server that has just been started.
async fn at(address: &Address) -> Result<Nats, NotOpened> {
    for _ in 0..100 {
        match Nats::open(address).await {
            Err(NotOpened::Silent { .. }) => tokio::time::sleep(Duration::from_millis(50)).await,
            opened => return opened,
        }
    }
    panic!("NATS does not answer");
}

const DROPPED: [Dropped; 6] =
    [Dropped::Odd, Dropped::Form(0), Dropped::Key, Dropped::Forged, Dropped::Replayed, Dropped::Late];

const PATIENCE: Duration = Duration::from_secs(10);

/// Checks publishing, asking and answering between two processes on a bus.
async fn conforms(name: &str, one: Arc<dyn Bus>, other: Arc<dyn Bus>) {
    let mut heard = other.subscribe("table.x").await.expect("listens");
    let mut elsewhere = other.subscribe("table.y").await.expect("listens");
    // A bus may lose what is said before the server knows who listens.
    let reached = async {
        loop {
            one.publish("table.x", b"?".to_vec()).await.expect("says");
            if tokio::time::timeout(Duration::from_millis(100), heard.next()).await.is_ok() {
                return;
            }
        }
    };
    tokio::time::timeout(PATIENCE, reached).await.expect("in time");
    for n in 0..50 {
        one.publish("table.x", format!("{n} 棋").into_bytes()).await.expect("says");
    }
    for n in 0..50 {
        let message = loop {
            let message = tokio::time::timeout(PATIENCE, heard.next()).await.expect("in time").expect("open");
            if &*message.body != b"?" {
                break message;
            }
        };
        assert_eq!(message.subject, "table.x", "{name}");
        assert_eq!(&*message.body, format!("{n} 棋").as_bytes(), "{name}");
    }
    let long = "长".repeat((MOST_BYTES - HEAD_BYTES) / 3 - 1);
    one.publish("table.y", long.clone().into_bytes()).await.expect("says");
    let message = tokio::time::timeout(PATIENCE, elsewhere.next()).await.expect("in time").expect("open");
    assert!(&*message.body == long.as_bytes(), "{name}: a long one");
    let too_long = one.publish("table.y", vec![b'x'; MOST_BYTES + 1]).await;
    assert_eq!(too_long, Err(BusError::TooLong), "{name}");

    let (asker, answerer) = (Post::open(one).await.expect("opens"), Post::open(other).await.expect("opens"));
    let mut asked = answerer.listen("node.b").await.expect("listens");
    tokio::spawn(async move {
        while let Some(question) = asked.recv().await {
            let answer = format!("{}!", question.body);
            question.answer(answer).await;
        }
    });
    let reached =
        async { while asker.ask("node.b", String::new(), Duration::from_millis(500)).await.is_err() {} };
    tokio::time::timeout(PATIENCE, reached).await.expect("in time");
    for n in 0..20 {
        let answer = asker.ask("node.b", n.to_string(), PATIENCE).await;
        assert_eq!(answer, Ok(format!("{n}!")), "{name}");
    }
    let silence = asker.ask("node.nobody", String::new(), Duration::from_millis(50)).await;
    assert_eq!(silence, Err(BusError::Silence), "{name}");
    println!("conforms: {name}");
}

#[tokio::test]
async fn within_a_process() {
    let bus = Local::default();
    conforms("local", Arc::new(bus.clone()), Arc::new(bus)).await;
}

#[tokio::test]
async fn with_seals() {
    let bus = Arc::new(Local::default());
    let row = Row::fresh(0);
    let node = || {
        let keys = Arc::new(Keys::new(&row, 1_000));
        (Arc::clone(&keys), Arc::new(Signed::new(bus.clone(), keys)) as Arc<dyn Bus>)
    };
    let ((one_keys, one), (other_keys, other)) = (node(), node());
    conforms("sealed", one, other).await;
    for keys in [one_keys, other_keys] {
        assert!(DROPPED.iter().all(|why| keys.dropped(*why) == 0), "nothing was dropped");
    }
}

#[tokio::test]
async fn through_postgresql() {
    let Some(server) = server::server() else {
        eprintln!("skipped: there is no PostgreSQL");
        return;
    };
    server.make("bus");
    let url = server.url("bus");
    let open = async || Arc::new(Notify::open(&url).await.expect("opens")) as Arc<dyn Bus>;
    conforms("LISTEN and NOTIFY", open().await, open().await).await;
    let why = Notify::open("postgres://hall@%2Fnowhere/x").await.err();
    assert!(matches!(why, Some(NotOpened::Database { is_away: true, .. })), "{why:?}");
}

#[tokio::test]
async fn through_nats() {
    let Some(server) = nats(free_port()) else {
        eprintln!("skipped: there is no nats-server");
        return;
    };
    let (one, other) = (Arc::new(connected(server.1).await), Arc::new(connected(server.1).await));
    conforms("NATS", one.clone(), other.clone()).await;
    // A server that was killed is connected to again by itself, and listened to as before.
    let (port, mut heard) = (server.1, other.subscribe("again").await.expect("listens"));
    drop(server);
    tokio::time::sleep(Duration::from_millis(200)).await;
    let _ = one.publish("again", b"lost".to_vec()).await;
    let _server = nats(port).expect("starts again");
    let again = async {
        loop {
            let _ = one.publish("again", b"heard".to_vec()).await;
            if let Ok(Some(message)) = tokio::time::timeout(Duration::from_millis(100), heard.next()).await
                && &*message.body == b"heard"
            {
                return;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(20), again).await.expect("listens again");
}

#[tokio::test]
async fn an_address_that_is_none_says_what_to_do() {
    for (address, wanted) in [
        ("redis://u:secret@x", "bus-unknown"),
        ("postgres", "bus-without-database"),
        ("nats://u:secret@127.0.0.1:1", "bus-silent"),
        ("nats://u:secret@not a host", "bus-unknown"),
    ] {
        let why = bus::open(&Address::new(address), None).await.err().expect("is refused");
        let (key, facts) = why.sentence();
        assert_eq!(key, wanted, "{why:?}");
        assert!(facts.iter().all(|(_, fact)| !fact.contains("secret")), "{why:?}");
    }
    // Something that listens and is no NATS server.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let silent = tokio::spawn(async move {
        let mut kept = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            kept.push(stream);
        }
    });
    let address = Address::new(&format!("nats://u:secret@127.0.0.1:{port}"));
    let why = bus::open(&address, None).await.err().expect("is refused");
    assert_eq!(why.sentence().0, "bus-silent");
    assert!(!format!("{why:?}").contains("secret"), "{why:?}");
    silent.abort();
}

/// O1: credentials in an address are used; once, any were an "authorization violation".
#[tokio::test]
async fn nats_lets_in_who_has_the_credentials() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writes");
        Some(path)
    };
    let (right, wrong) = (file("right", "hall:s3cr@t\n"), file("wrong", "hall:secret"));
    let (token, other) = (file("token", "t0ken\n"), file("other", "t0ke"));
    let (passwords, tokens) = (free_port(), free_port());
    let Some(_by_password) = nats_with(passwords, &["--user", "hall", "--pass", "s3cr@t"]) else {
        eprintln!("skipped: there is no nats-server");
        return;
    };
    let _by_token = nats_with(tokens, &["--auth", "t0ken"]).expect("starts");
    let in_url = |port: u16, words: &str| Address::new(&format!("nats://{words}127.0.0.1:{port}"));
    let by_file = |port, creds: &Option<PathBuf>| Address { creds: creds.clone(), ..in_url(port, "") };
    for (name, address, wanted) in [
        ("a password", in_url(passwords, "hall:s3cr%40t@"), None),
        ("as it was typed", in_url(passwords, "hall:s3cr@t@"), None),
        ("another", in_url(passwords, "hall:secret@"), Some("bus-wrong-credentials")),
        ("none", in_url(passwords, ""), Some("bus-wants-credentials")),
        ("a file", by_file(passwords, &right), None),
        ("a wrong file", by_file(passwords, &wrong), Some("bus-wrong-credentials")),
        ("a token", in_url(tokens, "t0ken@"), None),
        ("another token", in_url(tokens, "t0ke@"), Some("bus-wrong-credentials")),
        ("a file of a token", by_file(tokens, &token), None),
        ("a file of another", by_file(tokens, &other), Some("bus-wrong-credentials")),
    ] {
        let found = at(&address).await.err();
        assert_eq!(found.as_ref().map(|why| why.sentence().0), wanted, "{name}: {found:?}");
        assert!(!format!("{address:?} {found:?}").contains("s3cr"), "{name}: {address:?} {found:?}");
    }
    let one: Arc<dyn Bus> = Arc::new(at(&in_url(passwords, "hall:s3cr@t@")).await.expect("lets in"));
    let other: Arc<dyn Bus> = Arc::new(at(&by_file(passwords, &right)).await.expect("lets in"));
    conforms("NATS with a password", one, other).await;
}

#[tokio::test]
async fn nats_is_encrypted_and_its_certificate_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let signed = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let (cert, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
    std::fs::write(&cert, signed.cert.pem()).expect("writes");
    std::fs::write(&key, signed.signing_key.serialize_pem()).expect("writes");
    let (port, plain_port) = (free_port(), free_port());
    let paths = [&cert, &key].map(|path| path.to_str().expect("is text").to_owned());
    let words =
        ["--tls", "--tlscert", &paths[0], "--tlskey", &paths[1], "--user", "hall", "--pass", "s3cret"];
    let Some(_server) = nats_with(port, &words) else {
        eprintln!("skipped: there is no nats-server");
        return;
    };
    let _plain = nats(plain_port).expect("starts");
    let to = |scheme: &str, host: &str, port: u16, ca: Option<&PathBuf>| Address {
        ca: ca.cloned(),
        ..Address::new(&format!("{scheme}://hall:s3cret@{host}:{port}"))
    };
    for (name, address, wanted) in [
        ("its certificate is known", to("tls", "localhost", port, Some(&cert)), None),
        ("also by nats://", to("nats", "localhost", port, Some(&cert)), None),
        ("nobody knows it", to("tls", "localhost", port, None), Some("bus-tls-failed")),
        ("of another host", to("tls", "127.0.0.1", port, Some(&cert)), Some("bus-tls-failed")),
        ("no certificate", to("tls", "localhost", port, Some(&key)), Some("bus-file-unreadable")),
        // A password is not sent where encryption was asked for and there is none.
        ("a plain server", to("tls", "127.0.0.1", plain_port, Some(&cert)), Some("bus-tls-failed")),
    ] {
        let found = at(&address).await.err();
        assert_eq!(found.as_ref().map(|why| why.sentence().0), wanted, "{name}: {found:?}");
    }
    let bus = async || Arc::new(at(&to("tls", "localhost", port, Some(&cert))).await.expect("lets in"));
    conforms("NATS with TLS", bus().await, bus().await).await;
}

/// Signs claims as NATS reads them: a JSON web token with an nkey's signature.
fn jwt(issuer: &nkeys::KeyPair, subject: &nkeys::KeyPair, claims: &str) -> String {
    let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let (iss, sub) = (issuer.public_key(), subject.public_key());
    let claims =
        format!(r#"{{"jti":"x","iat":1,"iss":"{iss}","name":"hall","sub":"{sub}","nats":{claims}}}"#);
    let head = encode(br#"{"typ":"JWT","alg":"ed25519-nkey"}"#);
    let signed = format!("{head}.{}", encode(claims.as_bytes()));
    let signature = issuer.sign(signed.as_bytes()).expect("has a seed");
    format!("{signed}.{}", encode(&signature))
}

/// A file of credentials that NATS has written lets a node in; it was refused with a sentence.
#[tokio::test]
async fn nats_lets_in_who_has_a_file_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let (operator, account) = (nkeys::KeyPair::new_operator(), nkeys::KeyPair::new_account());
    let (user, other) = (nkeys::KeyPair::new_user(), nkeys::KeyPair::new_user());
    let limits = r#"{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":-1,"leaf":-1}"#;
    let settings = format!(
        "operator: {}\nresolver: MEMORY\nresolver_preload: {{ {}: {} }}\n",
        jwt(&operator, &operator, r#"{"type":"operator","version":2}"#),
        account.public_key(),
        jwt(&operator, &account, &format!(r#"{{"limits":{limits},"type":"account","version":2}}"#)),
    );
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writes");
        path
    };
    let claims = r#"{"pub":{},"sub":{},"subs":-1,"data":-1,"payload":-1,"type":"user","version":2}"#;
    let creds = |key: &nkeys::KeyPair| {
        let token = jwt(&account, &user, claims);
        let seed = key.seed().expect("has a seed");
        format!(
            "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
        )
    };
    let (right, wrong) = (file("right.creds", &creds(&user)), file("wrong.creds", &creds(&other)));
    let broken = file("broken.creds", "-----BEGIN NATS USER JWT-----\nx\n");
    let (port, settings) = (free_port(), file("nats.conf", &settings));
    let Some(_server) = nats_with(port, &["-c", settings.to_str().expect("is text")]) else {
        eprintln!("skipped: there is no nats-server");
        return;
    };
    let by = |creds: Option<&PathBuf>| Address {
        creds: creds.cloned(),
        ..Address::new(&format!("nats://127.0.0.1:{port}"))
    };
    for (name, address, wanted) in [
        ("its own", by(Some(&right)), None),
        ("another's key", by(Some(&wrong)), Some("bus-wrong-credentials")),
        ("half of it", by(Some(&broken)), Some("bus-file-unreadable")),
        ("none", by(None), Some("bus-wants-credentials")),
    ] {
        let found = at(&address).await.err();
        assert_eq!(found.as_ref().map(|why| why.sentence().0), wanted, "{name}: {found:?}");
        let checked = bus::check(&address, None).err().map(|why| why.sentence().0);
        assert_eq!(checked, wanted.filter(|key| *key == "bus-file-unreadable"), "{name}, without connecting");
    }
    let bus = async || Arc::new(at(&by(Some(&right))).await.expect("lets in"));
    conforms("NATS with a JWT", bus().await, bus().await).await;
}

/// A server that asks its clients for a certificate lets a node in that has one.
#[tokio::test]
async fn nats_lets_in_who_shows_a_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writes");
        path
    };
    let made = || rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate");
    let (server, node) = (made(), made());
    let (server_cert, server_key) =
        (file("server.pem", server.cert.pem()), file("server.key", server.signing_key.serialize_pem()));
    let (cert, key) = (file("node.pem", node.cert.pem()), file("node.key", node.signing_key.serialize_pem()));
    let port = free_port();
    let paths = [&server_cert, &server_key, &cert].map(|path| path.to_str().expect("is text").to_owned());
    let words = ["--tlsverify", "--tlscert", &paths[0], "--tlskey", &paths[1], "--tlscacert", &paths[2]];
    let Some(_server) = nats_with(port, &words) else {
        eprintln!("skipped: there is no nats-server");
        return;
    };
    let by = |pair: Option<(&PathBuf, &PathBuf)>| Address {
        ca: Some(server_cert.clone()),
        certificate: pair.map(|(cert, key)| (cert.clone(), key.clone())),
        ..Address::new(&format!("tls://localhost:{port}"))
    };
    for (name, address, wanted) in [
        ("its own", by(Some((&cert, &key))), None),
        ("the server's", by(Some((&server_cert, &server_key))), Some("bus-tls-failed")),
        ("another's key", by(Some((&cert, &server_key))), Some("bus-tls-failed")),
        ("no key", by(Some((&cert, &cert))), Some("bus-file-unreadable")),
        ("no certificate", by(Some((&key, &key))), Some("bus-file-unreadable")),
        ("none", by(None), Some("bus-tls-failed")),
    ] {
        let found = at(&address).await.err();
        assert_eq!(found.as_ref().map(|why| why.sentence().0), wanted, "{name}: {found:?}");
    }
}

/// O6: two halls on one server receive nothing of each other; once they did.
#[tokio::test]
async fn two_halls_at_one_server_hear_nothing_of_each_other() {
    let Some(server) = nats(free_port()) else {
        eprintln!("skipped: there is no nats-server");
        return;
    };
    let hall = async |row: &Row| {
        let keys = Arc::new(Keys::new(row, 1_000));
        let bus = Arc::new(connected(server.1).await);
        (Arc::clone(&keys), Signed::new(bus, keys))
    };
    let (production, staging) = (Row::fresh(0), Row::fresh(0));
    let ((_, one), (keys, other), (_, third)) =
        (hall(&production).await, hall(&production).await, hall(&staging).await);
    let (mut heard, mut elsewhere) =
        (other.subscribe("hall").await.expect("listens"), third.subscribe("hall").await.expect("listens"));
    // The server loses messages until it knows the subscriptions.
    for (speaker, word, subscription) in
        [(&one, "production", &mut heard), (&third, "staging", &mut elsewhere)]
    {
        let reached = async {
            loop {
                speaker.publish("hall", word.as_bytes().to_vec()).await.expect("says");
                if tokio::time::timeout(Duration::from_millis(100), subscription.next()).await.is_ok() {
                    return;
                }
            }
        };
        tokio::time::timeout(PATIENCE, reached).await.expect("in time");
    }
    for n in 0..20 {
        third.publish("hall", b"staging".to_vec()).await.expect("says");
        one.publish("hall", n.to_string().into_bytes()).await.expect("says");
        let message = loop {
            let message = tokio::time::timeout(PATIENCE, heard.next()).await.expect("in time").expect("open");
            if &*message.body != b"production" {
                break message;
            }
        };
        assert_eq!((&*message.subject, &*message.body), ("hall", n.to_string().as_bytes()));
        let message = tokio::time::timeout(PATIENCE, elsewhere.next()).await.expect("in time").expect("open");
        assert_eq!(&*message.body, b"staging");
    }
    assert!(DROPPED.iter().all(|why| keys.dropped(*why) == 0), "they do not even hear each other");
}

/// O1: a message of a client that has access to the server, but no key, is dropped.
#[tokio::test]
async fn whoever_has_no_key_is_not_believed() {
    let bus: Arc<dyn Bus> = Arc::new(Local::default());
    let row = Row::fresh(0);
    let keys = Arc::new(Keys::new(&row, 1_000));
    let (one, other) =
        (Signed::new(Arc::clone(&bus), Arc::clone(&keys)), Signed::new(Arc::clone(&bus), keys.clone()));
    let whole = format!("{}.node.a", row.hall);
    let mut wire = bus.subscribe(&whole).await.expect("listens");
    let mut heard = other.subscribe("node.a").await.expect("listens");
    one.publish("node.a", b"once".to_vec()).await.expect("says");
    let sealed = wire.next().await.expect("is on the wire").body.to_vec();
    let mut forger = Row::fresh(0);
    forger.hall.clone_from(&row.hall);
    let forger = Signed::new(Arc::clone(&bus), Arc::new(Keys::new(&forger, 1_000)));
    forger.publish("node.a", b"forged".to_vec()).await.expect("says");
    bus.publish(&whole, sealed.clone()).await.expect("says");
    let plain = bus::Envelope::news("plain".to_owned()).write().expect("is short");
    bus.publish(&whole, plain).await.expect("says");
    let mut elsewhere = other.subscribe("node.b").await.expect("listens");
    bus.publish(&format!("{}.node.b", row.hall), sealed).await.expect("says");
    one.publish("node.a", b"last".to_vec()).await.expect("says");
    one.publish("node.b", b"last".to_vec()).await.expect("says");
    for wanted in [&b"once"[..], b"last"] {
        assert_eq!(&*heard.next().await.expect("open").body, wanted);
    }
    assert_eq!(&*elsewhere.next().await.expect("open").body, b"last");
    assert_eq!(DROPPED.map(|why| keys.dropped(why)), [0, 1, 0, 2, 1, 0]);
    // A hall from before there were seals is named, though it uses other subjects.
    one.notice_unsealed("hall").await.expect("listens");
    bus.publish("hall", b"{}".to_vec()).await.expect("says");
    let noticed = async {
        while keys.dropped(Dropped::Form(1)) == 1 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, noticed).await.expect("in time");
}

/// The seal on the message of a move costs little time from sender to receiver, apart from the transport.
#[tokio::test]
async fn a_seal_costs_little() {
    const MESSAGES: u32 = 20_000;
    let time = async |one: &dyn Bus, other: &dyn Bus| {
        let mut heard = other.subscribe("node.a").await.expect("listens");
        let begun = std::time::Instant::now();
        for _ in 0..MESSAGES {
            one.publish("node.a", vec![b'x'; 400]).await.expect("says");
            heard.next().await.expect("open");
        }
        begun.elapsed() / MESSAGES
    };
    let bus: Arc<dyn Bus> = Arc::new(Local::default());
    let row = Row::fresh(0);
    let sealed = || Signed::new(Arc::clone(&bus), Arc::new(Keys::new(&row, 1_000)));
    let plain = time(&*bus, &*bus).await;
    let with_seal = time(&sealed(), &sealed()).await;
    println!("a message of 400 bytes: {plain:?} plain, {with_seal:?} sealed and checked");
    assert!(with_seal < Duration::from_millis(1), "{with_seal:?}");
}

/// A question that a faulty bus loses is asked again, and a doubled one does no harm.
#[tokio::test]
async fn questions_survive_a_faulty_bus() {
    let bus = Arc::new(Local::default());
    for seed in 0..5 {
        let faulty = Arc::new(Faulty::new(bus.clone(), seed, 20));
        let (asker, answerer) = (
            Post::open(faulty.clone()).await.expect("opens"),
            Post::open(faulty.clone()).await.expect("opens"),
        );
        let mut asked = answerer.listen(&format!("node.{seed}")).await.expect("listens");
        tokio::spawn(async move {
            while let Some(question) = asked.recv().await {
                let answer = format!("{}!", question.body);
                question.answer(answer).await;
            }
        });
        for n in 0..40 {
            let mut answer = Err(BusError::Silence);
            for _ in 0..40 {
                answer = asker.ask(&format!("node.{seed}"), n.to_string(), Duration::from_millis(60)).await;
                if answer.is_ok() {
                    break;
                }
            }
            assert_eq!(answer, Ok(format!("{n}!")), "seed {seed}");
        }
        faulty.cut.store(true, Ordering::Relaxed);
        let cut = asker.ask(&format!("node.{seed}"), "x".to_owned(), Duration::from_millis(60)).await;
        assert_eq!(cut, Err(BusError::Silence));
    }
}
