//! Web Push against a push service of the test's own, which reads what it is sent as a browser would.

use aes_gcm::aead::Aead;
use aes_gcm::{Aes128Gcm, KeyInit};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client::{Guest, Seat};
use hkdf::Hkdf;
use p256::ecdsa::signature::Verifier;
use p256::ecdsa::{Signature, VerifyingKey};
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::Sha256;
use tokio::sync::mpsc;

use crate::accounts::{Person, refused, text};
use crate::house::{House, done, hear, mv, soon};

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

/// A push service on loopback: tells what it gets, and answers with the status that stands in the path.
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

/// What a browser keeps for itself.
struct Browser {
    key: SecretKey,
    secret: [u8; 16],
}

impl Browser {
    fn new() -> Browser {
        Browser { key: hall::notices::push::new_key(), secret: rand::random() }
    }

    fn point(&self) -> Vec<u8> {
        self.key.public_key().to_sec1_point(false).as_bytes().to_vec()
    }

    fn subscription(&self, endpoint: &str, lang: &str) -> Value {
        let (p256dh, auth) = (URL_SAFE_NO_PAD.encode(self.point()), URL_SAFE_NO_PAD.encode(self.secret));
        json!({ "endpoint": endpoint, "p256dh": p256dh, "auth": auth, "lang": lang })
    }

    /// RFC 8291, from the browser's side: written apart from the hall's.
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

/// Checks the signature of a request (RFC 8292); returns what it claims.
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
        // Until the hall has noticed that she left, nobody needs to tell her.
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
