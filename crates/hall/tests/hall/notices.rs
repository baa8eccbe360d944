//! Web Push against a push service of the test's own, which decrypts messages as a browser would.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aes_gcm::aead::Aead;
use aes_gcm::{Aes128Gcm, KeyInit};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client::{Guest, Seat};
use edge::limits::Limits;
use hall::hall::Hall;
use hkdf::Hkdf;
use members::notices::NoticeSettings;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};
use people::Secret;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;
use store::Store;
use store::notices::NoticeChange;
use store::together::{Challenge, Deed};
use table::Setup;
use tables::opponents::Opponents;
use thinking::Foreign;
use tokio::sync::mpsc;
use wire::{Act, ClientMessage, ServerMessage};

use crate::accounts::{Person, refused, text};
use crate::house::{House, done, hear, mv, say, soon, until};

type Parcel = (String, HeaderMap, Bytes);

async fn take(
    State(tell): State<mpsc::UnboundedSender<Parcel>>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let status = uri.path().rsplit('/').next().and_then(|part| part.parse().ok());
    let _ = tell.send((uri.path().to_owned(), headers, body));
    StatusCode::from_u16(status.unwrap_or(201)).expect("a status")
}

/// A push service on loopback: passes on the requests it gets, and answers with the status that is in the path.
struct Service {
    base: String,
    got: mpsc::UnboundedReceiver<Parcel>,
}

impl Service {
    async fn open() -> Service {
        let (tell, got) = mpsc::unbounded_channel();
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let app = Router::new().fallback(take).with_state(tell);
        tokio::spawn(async move { axum::serve(listener, app).await });
        Service { base, got }
    }

    async fn next(&mut self) -> Parcel {
        soon(self.got.recv()).await.expect("the service is open")
    }
}

/// The keys of a browser's subscription.
struct Browser {
    key: SecretKey,
    secret: [u8; 16],
}

impl Browser {
    fn new() -> Browser {
        Browser { key: members::notices::push::new_key(), secret: rand::random() }
    }

    fn point(&self) -> Vec<u8> {
        self.key.public_key().to_sec1_point(false).as_bytes().to_vec()
    }

    fn subscription(&self, endpoint: &str, lang: &str) -> Value {
        let (p256dh, auth) = (URL_SAFE_NO_PAD.encode(self.point()), URL_SAFE_NO_PAD.encode(self.secret));
        json!({ "endpoint": endpoint, "p256dh": p256dh, "auth": auth, "lang": lang })
    }

    /// Decrypts a message by RFC 8291 as a browser does, independently of the hall's code.
    fn read(&self, body: &[u8]) -> Value {
        let (salt, rest) = body.split_at(16);
        let (size, rest) = rest.split_at(4);
        assert_eq!(size, [0, 0, 16, 0], "records of 4096 bytes");
        let (ours, sealed) = rest[1..].split_at(usize::from(rest[0]));
        let sender = PublicKey::from_sec1_bytes(ours).expect("a point");
        let shared = p256::ecdh::diffie_hellman(self.key.to_nonzero_scalar(), sender.as_affine());
        let derive = |salt: &[u8], material: &[u8], info: &[u8], out: &mut [u8]| {
            Hkdf::<Sha256>::new(Some(salt), material).expand(info, out).expect("short enough");
        };
        let mut material = [0; 32];
        let info = [b"WebPush: info\0".as_slice(), &self.point(), ours].concat();
        derive(&self.secret, shared.raw_secret_bytes(), &info, &mut material);
        let (mut key, mut nonce) = ([0; 16], [0; 12]);
        derive(salt, &material, b"Content-Encoding: aes128gcm\0", &mut key);
        derive(salt, &material, b"Content-Encoding: nonce\0", &mut nonce);
        let plain =
            Aes128Gcm::new(&key.into()).decrypt(&nonce.into(), sealed).expect("is meant for this browser");
        let (end, message) = plain.split_last().expect("a delimiter");
        assert_eq!(*end, 2, "the last record");
        serde_json::from_slice(message).expect("JSON")
    }
}

/// Checks the signature of a request (RFC 8292); returns its claims.
fn claims(headers: &HeaderMap, key: &str) -> Value {
    let field = headers["authorization"].to_str().expect("text");
    let (token, signer) =
        field.strip_prefix("vapid t=").expect("vapid").split_once(", k=").expect("two parts");
    assert_eq!(signer, key, "the key that browsers were told");
    let (signed, signature) = token.rsplit_once('.').expect("a signature");
    let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text).expect("Base64");
    let key = VerifyingKey::from_sec1_bytes(&bytes(key)).expect("a key");
    let signature = Signature::from_slice(&bytes(signature)).expect("a signature");
    key.verify(signed.as_bytes(), &signature).expect("the hall has signed it");
    let (head, claims) = signed.split_once('.').expect("two parts");
    let head: Value = serde_json::from_slice(&bytes(head)).expect("JSON");
    assert_eq!(head, json!({ "typ": "JWT", "alg": "ES256" }));
    serde_json::from_slice(&bytes(claims)).expect("JSON")
}

fn slow_game(side: &str) -> Value {
    json!({ "game": "gomoku/freestyle", "options": { "size": 15 }, "side": side,
        "clock": { "kind": "per-move", "turn_ms": 3 * 86_400_000 } })
}

async fn known(person: &Person<'_>) -> Guest {
    Guest::known(&person.house.base, &person.secret).await.expect("is known")
}

#[tokio::test]
async fn somebody_who_looks_elsewhere_is_told_what_only_their_browser_can_read() {
    let house = House::open().await;
    let mut service = Service::open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let (bob, _) = Person::account(&house, "Bob").await;
    let (_, before) = ann.get("/api/notices").await;
    let key = text(&before, "key");
    assert_eq!((&before["here"], &before["devices"]), (&json!(false), &json!(0)));
    let browser = Browser::new();
    let endpoint = format!("{}/ann", service.base);
    let (status, told) =
        ann.send(Method::PUT, "/api/notices/device", browser.subscription(&endpoint, "zh-CN")).await;
    assert_eq!((status, &told["here"], &told["devices"]), (200, &json!(true), &json!(1)), "{told}");

    let (status, made) = bob.post("/api/challenge/Ann", slow_game("first")).await;
    assert!(status < 300, "{made}");
    let (path, headers, body) = service.next().await;
    assert_eq!(path, "/ann");
    let claims = claims(&headers, &key);
    assert_eq!(claims["aud"], json!(service.base));
    let now_s =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_secs();
    let expires = claims["exp"].as_u64().expect("a time");
    assert!((now_s..=now_s + 86_400).contains(&expires), "at most a day from now: {expires}");
    for (name, wanted) in [("content-encoding", "aes128gcm"), ("urgency", "normal")] {
        assert_eq!(headers[name], wanted, "{name}");
    }
    assert!(
        headers["topic"].len() <= 32 && headers["ttl"].to_str().is_ok_and(|ttl| ttl.parse::<u64>().is_ok())
    );
    let challenge = browser.read(&body);
    assert_eq!(
        (&challenge["title"], &challenge["url"]),
        (&json!("有人向你挑战"), &json!("/")),
        "{challenge}"
    );
    assert!(challenge["body"].as_str().is_some_and(|body| body.contains("Bob")), "{challenge}");

    let (_, created) = ann.post(&format!("/api/challenge/{}/accept", text(&made, "id")), Value::Null).await;
    let table = text(&created, "id");
    let mut bob_sits = Seat::new(known(&bob).await, &table);
    hear(&mut bob_sits).await;
    done(&mut bob_sits, mv("h8")).await;
    let (_, _, body) = service.next().await;
    let turn = browser.read(&body);
    assert_eq!(
        (&turn["title"], &turn["url"]),
        (&json!("轮到你走了"), &json!(format!("/t/{table}"))),
        "{turn}"
    );

    // Who looks is not told: the next notice is one of something else.
    let mut ann_sits = Seat::new(known(&ann).await, &table);
    hear(&mut ann_sits).await;
    done(&mut ann_sits, mv("h9")).await;
    while bob_sits.ver < ann_sits.ver {
        hear(&mut bob_sits).await;
    }
    let seen = done(&mut bob_sits, mv("i8")).await;
    while ann_sits.ver < seen {
        hear(&mut ann_sits).await;
    }
    done(&mut ann_sits, mv("i9")).await;
    drop(ann_sits);
    while bob_sits.ver <= seen {
        hear(&mut bob_sits).await;
    }
    loop {
        // Until the hall has noticed that she left, it sends her no notice.
        let here = house.full(&table).await;
        let wire::ServerMessage::Full { here, .. } = here else { panic!("a table") };
        if here == [true, false] {
            break;
        }
        tokio::task::yield_now().await;
    }
    done(&mut bob_sits, mv("j8")).await;
    let (_, _, body) = service.next().await;
    let turn = browser.read(&body);
    assert_eq!(turn["tag"], json!(table), "{turn}");
    assert!(service.got.try_recv().is_err(), "nothing was told while she looked");
}

/// A person whose pages are all hidden is connected and still gets notices.
#[tokio::test]
async fn whose_pages_are_all_hidden_is_here_and_told() {
    let house = House::open().await;
    let mut service = Service::open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let (bob, _) = Person::account(&house, "Bob").await;
    let browser = Browser::new();
    let wish = browser.subscription(&format!("{}/ann", service.base), "en");
    assert_eq!(ann.send(Method::PUT, "/api/notices/device", wish).await.0, 200);
    let wish = json!({ "game": "gomoku/freestyle", "options": { "size": 15 }, "side": "second", "how": "invite",
        "clock": { "kind": "per-move", "turn_ms": 3 * 86_400_000 } });
    let (_, made) = ann.post("/api/tables", wish).await;
    let table = text(&made, "id");
    let mut page = known(&ann).await.connect(&table, None).await.expect("connects");
    let mut bob_sits = Seat::new(known(&bob).await, &table);
    hear(&mut bob_sits).await;
    done(&mut bob_sits, Act::Sit { side: None }).await;
    for (n, hidden, mine, theirs) in [(1, false, "h8", "h9"), (2, true, "i8", "i9"), (3, false, "j8", "j9")] {
        page.say(&ClientMessage::Hidden { hidden }).await.expect("is heard");
        page.say(&ClientMessage::Ping { n }).await.expect("is heard");
        until(&mut page, |m| (m == ServerMessage::Pong { n }).then_some(())).await;
        let ServerMessage::Full { here, .. } = house.full(&table).await else { panic!("a table") };
        assert_eq!(here, [true, true], "hidden: {hidden}");
        let ver = done(&mut bob_sits, mv(mine)).await;
        if hidden {
            let turn = browser.read(&service.next().await.2);
            assert_eq!(turn["tag"], json!(table), "{turn}");
        }
        until(&mut page, |m| matches!(m, ServerMessage::Ev(ev) if ev.v == ver).then_some(())).await;
        say(&mut page, &format!("command-{n}"), ver, mv(theirs)).await;
        while bob_sits.ver <= ver {
            hear(&mut bob_sits).await;
        }
    }
    assert!(service.got.try_recv().is_err(), "nothing was told while she looked");
}

#[tokio::test]
async fn a_service_that_knows_the_browser_no_more_ends_it() {
    let house = House::open().await;
    let mut service = Service::open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let (bob, _) = Person::account(&house, "Bob").await;
    let browser = Browser::new();
    let endpoint = format!("{}/410", service.base);
    ann.send(Method::PUT, "/api/notices/device", browser.subscription(&endpoint, "en")).await;
    bob.post("/api/challenge/Ann", slow_game("first")).await;
    service.next().await;
    soon(async {
        while ann.get("/api/notices").await.1["devices"] != json!(0) {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn the_key_outlives_the_hall_and_what_was_asked_is_kept() {
    let mut house = House::open().await;
    let service = Service::open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let secret = ann.secret.clone();
    let browser = Browser::new();
    let endpoint = format!("{}/ann", service.base);
    ann.send(Method::PUT, "/api/notices/device", browser.subscription(&endpoint, "en")).await;
    let quiet = json!({ "quiet": { "from_min": 1320, "to_min": 420, "zone": "Asia/Shanghai" } });
    let (status, before) = ann.send(Method::PUT, "/api/notices/quiet", quiet.clone()).await;
    assert_eq!((status, &before["quiet"]), (200, &quiet["quiet"]), "{before}");
    house.restart().await;
    let ann = Person::with(&house, &secret);
    assert_eq!(ann.get("/api/notices").await.1, before);
    let (_, after) = ann.delete("/api/notices/device").await;
    assert_eq!(
        (&after["here"], &after["devices"], &after["key"]),
        (&json!(false), &json!(0), &before["key"])
    );
    let (_, after) = ann.send(Method::PUT, "/api/notices/quiet", json!({})).await;
    assert_eq!(after.get("quiet"), None);
}

#[tokio::test]
async fn what_is_no_subscription_is_refused() {
    let house = House::open().await;
    let (ann, _) = Person::account(&house, "Ann").await;
    let guest = Person::guest(&house).await;
    let browser = Browser::new();
    let good = "https://push.example/abc";
    let put = async |who: &Person<'_>, path: &str, body: Value| {
        let answer = who.send(Method::PUT, &format!("/api/notices/{path}"), body).await;
        let (status, key) = refused(&answer);
        (status, key.to_owned())
    };
    let quiet =
        |from: u32, to: u32, zone: &str| json!({ "quiet": { "from_min": from, "to_min": to, "zone": zone } });
    let keys = |p256dh: &str| json!({ "endpoint": good, "p256dh": p256dh, "auth": "AAAA", "lang": "en" });
    for (name, who, path, body, wanted) in [
        ("a guest", &guest, "device", browser.subscription(good, "en"), (403, "not-an-account")),
        ("a guest's hours", &guest, "quiet", quiet(0, 60, "UTC"), (403, "not-an-account")),
        (
            "the hall's network",
            &ann,
            "device",
            browser.subscription("https://10.0.0.1/", "en"),
            (400, "push-endpoint"),
        ),
        (
            "what a cloud tells",
            &ann,
            "device",
            browser.subscription("http://169.254.169.254/latest", "en"),
            (400, "push-endpoint"),
        ),
        (
            "no https",
            &ann,
            "device",
            browser.subscription("http://push.example/", "en"),
            (400, "push-endpoint"),
        ),
        ("no keys", &ann, "device", keys(""), (400, "push-keys")),
        ("no minutes", &ann, "quiet", quiet(60, 1440, "UTC"), (400, "quiet-hours")),
        ("no zone", &ann, "quiet", quiet(0, 60, "Mars/Olympus"), (400, "quiet-zone")),
    ] {
        assert_eq!(put(who, path, body).await, (wanted.0, wanted.1.to_owned()), "{name}");
    }
    assert_eq!(ann.get("/api/notices").await.1["devices"], json!(0));
}

/// Notes when it is dropped.
struct GivenUp(Arc<AtomicBool>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Takes every request and answers none, until who asked gives up.
async fn hold(State((tell, given_up)): State<(mpsc::UnboundedSender<()>, Arc<AtomicBool>)>) -> StatusCode {
    let _until_dropped = GivenUp(given_up);
    let _ = tell.send(());
    std::future::pending().await
}

/// A push service that does not answer does not hold up others of its batch.
#[tokio::test]
async fn a_service_that_does_not_answer_holds_up_nobody_else() {
    let house = House::open().await;
    let mut service = Service::open().await;
    let (tell, mut taken) = mpsc::unbounded_channel();
    let given_up = Arc::new(AtomicBool::new(false));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let silent = format!("http://{}/ann", listener.local_addr().expect("an address"));
    let app = Router::new().fallback(hold).with_state((tell, Arc::clone(&given_up)));
    tokio::spawn(async move { axum::serve(listener, app).await });

    let (ann, _) = Person::account(&house, "Ann").await;
    let (bob, _) = Person::account(&house, "Bob").await;
    let (cyd, _) = Person::account(&house, "Cyd").await;
    for (person, endpoint) in [(&ann, silent), (&cyd, format!("{}/cyd", service.base))] {
        let wish = Browser::new().subscription(&endpoint, "en");
        assert_eq!(person.send(Method::PUT, "/api/notices/device", wish).await.0, 200);
    }
    bob.post("/api/challenge/Ann", slow_game("first")).await;
    soon(taken.recv()).await.expect("Ann's service is asked");
    bob.post("/api/challenge/Cyd", slow_game("first")).await;
    assert_eq!(service.next().await.0, "/cyd");
    assert!(!given_up.load(Ordering::SeqCst), "Cyd was told while Ann's service was still waited for");
}

#[tokio::test]
async fn what_a_service_could_not_take_is_tried_again_a_minute_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(Store::open(folder.path()).await.expect("opens"));
    let limits = Limits { on: false, ..Limits::default() };
    let whole: Arc<Store> = store.clone();
    let hall = Hall::new(whole, limits, None, Opponents::new(Foreign::default(), 8));
    let settings = NoticeSettings { loopback: true, ..NoticeSettings::default() };
    hall.members.notices.open(&settings, None).await.expect("opens");
    let mut service = Service::open().await;
    let (secret, now_ms) = (Secret::new(), hall.time.now_ms());
    let ann = hall.enter(&secret).await.expect("is let in").id;
    let bob = hall.enter(&Secret::new()).await.expect("is let in").id;
    let session = store.accounts.session(&secret.hash()).await.expect("reads").expect("a session").0.id;
    let wish = Browser::new().subscription(&format!("{}/503", service.base), "en");
    let wish = serde_json::from_value(wish).expect("a subscription");
    hall.members.notices.tell_in(&ann, &session, wish).await.expect("is told");
    let setup = Setup {
        game: "gomoku/freestyle".to_owned(),
        options: std::iter::once(("size".to_owned(), 15)).collect(),
        map: None,
        fen: None,
        how: wire::How::Invite,
        room: None,
        clock: wire::ClockSpec::None,
        rated: false,
        created_ms: now_ms,
        heading: None,
    };
    let until_ms = now_ms + 86_400_000;
    let challenge = Challenge { id: "c".into(), from: bob, to: ann.clone(), setup, side: None, until_ms };
    store.together.deed(Deed::Challenge(challenge)).await.expect("stored");
    let noticing = tokio::spawn({
        let hall = Arc::clone(&hall);
        async move { hall.members.keep_noticing().await }
    });
    hall.members.notices.challenged(&ann, "c", until_ms);
    assert_eq!(service.next().await.0, "/503");
    soon(async {
        let tries = async || {
            store.notices.notices_due(u64::MAX >> 2, 9, &[]).await.expect("reads").first().map(|n| n.tries)
        };
        while tries().await != Some(1) {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(store.notices.notices_due(now_ms + 59_000, 9, &[]).await.expect("reads"), [], "not at once");
    // As if the minute were over; another challenge makes the hall look.
    let again = NoticeChange::Again { person: ann.clone(), subject: "c".into(), due_ms: now_ms };
    store.notices.change(again).await.expect("stored");
    hall.members.notices.challenged(&ann, "another", until_ms);
    assert_eq!(service.next().await.0, "/503");
    noticing.abort();
}
