//! Signing in with an OpenID account, with a provider of the test's own: the right way, and each lie that a provider,
//! or a person in between, can tell.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use edge::limits::Limits;
use members::openid::OpenIdSettings;
use openidconnect::core::{CoreJwsSigningAlgorithm as Alg, CoreRsaPrivateSigningKey};
use openidconnect::{JsonWebKeyId, PrivateSigningKey as _};
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use url::Url;

use crate::accounts::{Person, refused, text};
use crate::house::House;

/// A key of this test alone.
const KEY: &str = include_str!("../keys/provider.pem");
const SECRET: &str = "what only the hall and its provider know";

/// The behaviour of the provider.
#[derive(Clone, Debug)]
struct Way {
    subject: &'static str,
    name: &'static str,
    algorithm: &'static str,
    issuer: Option<&'static str>,
    audience: Value,
    /// The expiry time of the token, in seconds from now on.
    expires: i64,
    /// The issue time of the token, in seconds from now on.
    issued: i64,
    nonce: Option<&'static str>,
    key: &'static str,
    /// The answer of the token endpoint in place of a token.
    instead: Option<&'static str>,
}

impl Way {
    fn of(subject: &'static str, name: &'static str) -> Way {
        Way {
            subject,
            name,
            algorithm: "RS256",
            issuer: None,
            audience: json!("qiguan"),
            expires: 300,
            issued: 0,
            nonce: None,
            key: "first",
            instead: None,
        }
    }
}

pub struct Provider {
    address: SocketAddr,
    way: Mutex<Way>,
}

impl Provider {
    pub async fn open() -> Arc<Provider> {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let provider = Arc::new(Provider { address, way: Mutex::new(Way::of("1", "ada")) });
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(says))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .with_state(Arc::clone(&provider));
        tokio::spawn(async move { axum::serve(listener, router).await });
        provider
    }

    fn issuer(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn settings(&self, folder: &std::path::Path) -> OpenIdSettings {
        let path = folder.join("secret");
        std::fs::write(&path, format!("{SECRET}\n")).expect("writes");
        OpenIdSettings {
            issuer: self.issuer(),
            client_id: "qiguan".to_owned(),
            client_secret: None,
            client_secret_file: Some(path),
            name: "Club".to_owned(),
            public_url: None,
        }
    }

    fn does(&self, way: Way) {
        *self.way.lock().expect("nobody panics") = way;
    }

    fn way(&self) -> Way {
        self.way.lock().expect("nobody panics").clone()
    }
}

async fn says(State(provider): State<Arc<Provider>>) -> Json<Value> {
    let issuer = provider.issuer();
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/ask"),
        "token_endpoint": format!("{issuer}/token"),
        "jwks_uri": format!("{issuer}/keys"),
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
    }))
}

fn rsa() -> CoreRsaPrivateSigningKey {
    CoreRsaPrivateSigningKey::from_pem(KEY, Some(JsonWebKeyId::new("first".to_owned()))).expect("a key")
}

fn p256() -> SigningKey {
    SigningKey::from_slice(&[7; 32]).expect("a key")
}

async fn keys(State(provider): State<Arc<Provider>>) -> Json<Value> {
    let point = p256().verifying_key().to_sec1_point(false);
    let coordinate = |at: std::ops::Range<usize>| URL_SAFE_NO_PAD.encode(&point.as_bytes()[at]);
    let ec = json!({ "kty": "EC", "crv": "P-256", "use": "sig", "kid": "second", "x": coordinate(1..33), "y": coordinate(33..65) });
    let mut rsa = serde_json::to_value(rsa().as_verification_key()).expect("JSON");
    rsa["use"] = json!("sig");
    // A key that comes later, once it is used.
    if provider.way().key == "third" {
        rsa["kid"] = json!("third");
    }
    Json(json!({ "keys": [rsa, ec] }))
}

#[derive(serde::Deserialize)]
struct Exchange {
    code: String,
    code_verifier: String,
    redirect_uri: String,
}

async fn token(State(provider): State<Arc<Provider>>, Form(told): Form<Exchange>) -> Response {
    let way = provider.way();
    match way.instead {
        Some("hangs") => std::future::pending().await,
        Some("refuses") => {
            return (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" }))).into_response();
        }
        Some("fails") => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some("floods") => return "x".repeat(1 << 20).into_response(),
        Some("redirects") => {
            let elsewhere = format!("{}/keys", provider.issuer());
            return (StatusCode::TEMPORARY_REDIRECT, [("location", elsewhere)]).into_response();
        }
        Some("babbles") => return "no JSON".into_response(),
        Some("forgets") => {
            return Json(json!({ "access_token": "x", "token_type": "bearer" })).into_response();
        }
        _ => {}
    }
    let code: Value =
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(&told.code).expect("ours")).expect("ours");
    assert!(told.redirect_uri.ends_with("/account/openid"), "{}", told.redirect_uri);
    // PKCE (RFC 7636).
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(told.code_verifier.as_bytes()));
    assert_eq!(json!(challenge), code["challenge"]);
    let now = i64::try_from(
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("later").as_secs(),
    )
    .expect("a time");
    let claims = json!({
        "iss": way.issuer.map_or_else(|| provider.issuer(), str::to_owned),
        "aud": way.audience,
        "sub": way.subject,
        "exp": now + way.expires,
        "iat": now + way.issued,
        "nonce": way.nonce.map_or_else(|| code["nonce"].clone(), |nonce| json!(nonce)),
        "preferred_username": way.name,
    });
    let header =
        json!({ "alg": way.algorithm, "kid": if way.algorithm == "ES256" { "second" } else { way.key } });
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(&header), part(&claims));
    let signature = match way.algorithm {
        "RS256" => rsa().sign(&Alg::RsaSsaPkcs1V15Sha256, signed.as_bytes()).expect("signs"),
        "ES256" => {
            let signature: Signature = p256().sign(signed.as_bytes());
            signature.to_bytes().to_vec()
        }
        "HS256" => hmac(SECRET.as_bytes(), signed.as_bytes()),
        _ => Vec::new(),
    };
    let mut token = format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature));
    if way.instead == Some("forges") {
        // Another subject under the same signature.
        let mut other = claims.clone();
        other["sub"] = json!("another");
        token =
            format!("{}.{}.{}", part(&header), part(&other), token.rsplit('.').next().expect("three parts"));
    }
    Json(json!({ "access_token": "x", "token_type": "bearer", "id_token": token })).into_response()
}

/// Computes an HMAC (RFC 2104).
fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mut block = [0; 64];
    block[..key.len()].copy_from_slice(key);
    let inner = Sha256::digest([&block.map(|b| b ^ 0x36)[..], message].concat());
    Sha256::digest([&block.map(|b| b ^ 0x5c)[..], &inner[..]].concat()).to_vec()
}

/// Follows the redirect to the provider and back, as a browser does.
pub async fn goes(person: &Person<'_>, wish: Value) -> Value {
    let (status, told) = person.post("/api/session/openid/ask", wish).await;
    assert_eq!(status, 200, "{told}");
    let url = Url::parse(&text(&told, "url")).expect("an address");
    let part =
        |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    assert_eq!(url.path(), "/ask");
    assert_eq!(part("response_type").as_deref(), Some("code"));
    assert_eq!(part("code_challenge_method").as_deref(), Some("S256"));
    assert_eq!(part("redirect_uri"), Some(format!("{}/account/openid", person.house.base)));
    let code = json!({ "nonce": part("nonce"), "challenge": part("code_challenge") }).to_string();
    json!({ "state": part("state"), "code": URL_SAFE_NO_PAD.encode(code) })
}

pub async fn comes_back(person: &Person<'_>, wish: Value) -> (u16, Value) {
    let answer = goes(person, wish).await;
    person.post("/api/session/openid", answer).await
}

pub fn sign_in() -> Value {
    json!({ "purpose": "sign-in", "bring": true })
}

/// Signs up a guest with an OpenID account.
async fn founded<'a>(house: &'a House, name: &str) -> Person<'a> {
    let guest = Person::guest(house).await;
    let (status, told) = comes_back(&guest, sign_in()).await;
    assert_eq!(status, 200, "{told}");
    let wish = json!({ "name": name, "openid": text(&told, "ticket") });
    let (status, told) = guest.post("/api/account", wish).await;
    assert_eq!(status, 201, "{told}");
    assert_eq!(told["recovery"].as_array().map(Vec::len), Some(8));
    Person::with(house, &text(&told, "secret"))
}

async fn house() -> (Arc<Provider>, House, tempfile::TempDir) {
    let (provider, folder) = (Provider::open().await, tempfile::tempdir().expect("a folder"));
    let house = House::with_openid(provider.settings(folder.path())).await;
    (provider, house, folder)
}

#[tokio::test]
async fn a_guest_signs_up_and_in_by_an_account_elsewhere() {
    let (provider, mut house, _folder) = house().await;
    {
        let guest = Person::guest(&house).await;
        assert_eq!(guest.get("/api/session/openid").await.1, json!({ "name": "Club" }));
        let id = guest.id().await;
        let (_, told) = comes_back(&guest, sign_in()).await;
        assert_eq!((text(&told, "name"), text(&told, "purpose")), ("ada".to_owned(), "sign-in".to_owned()));
        let ticket = text(&told, "ticket");
        // The ticket is valid for this guest only.
        let thief = Person::guest(&house).await;
        let wish = json!({ "name": "Thief", "openid": ticket });
        assert_eq!(refused(&thief.post("/api/account", wish).await), (400, "openid-late"));
        let wish = json!({ "name": "Ada", "openid": ticket });
        let (status, told) = guest.post("/api/account", wish).await;
        assert_eq!((status, text(&told["me"]["player"], "id")), (201, id), "{told}");
        let ada = Person::with(&house, &text(&told, "secret"));
        let (_, account) = ada.get("/api/account").await;
        assert_eq!(account["credentials"][0]["kind"], "openid");
        assert_eq!(account["credentials"][0]["label"], "Club");
        let last = text(&account["credentials"][0], "id");
        let answer = ada.delete(&format!("/api/account/credentials/{last}")).await;
        assert_eq!(refused(&answer), (409, "credential-last"));
    }
    // Another device; the provider has a key that the hall has not seen, and signs in another way.
    house.restart().await;
    for (algorithm, key) in [("RS256", "first"), ("ES256", "first")] {
        provider.does(Way { algorithm, key, name: "somebody else now", ..Way::of("1", "") });
        let other = Person::guest(&house).await;
        let (status, told) = comes_back(&other, sign_in()).await;
        assert_eq!(status, 200, "{told}");
        assert_eq!(told["signed_in"]["me"]["player"]["name"], "Ada", "{algorithm}: {told}");
        let here = Person::with(&house, &text(&told["signed_in"], "secret"));
        let (_, account) = here.get("/api/account").await;
        assert_eq!(account["noted"][0]["act"], "signed-in-openid");
    }
    // Another person there is another person here.
    provider.does(Way::of("2", "Ada"));
    let (_, told) = comes_back(&Person::guest(&house).await, sign_in()).await;
    assert!(told["ticket"].is_string() && told["signed_in"].is_null(), "{told}");
}

#[tokio::test]
async fn an_account_takes_another_way_in_and_proves_by_it() {
    let (provider, house, _folder) = house().await;
    let (bob, _) = Person::account(&house, "Bob").await;
    let add = json!({ "purpose": "add" });
    let (status, told) = comes_back(&bob, add.clone()).await;
    assert_eq!((status, text(&told, "purpose")), (200, "add".to_owned()), "{told}");
    let (_, account) = bob.get("/api/account").await;
    let kinds: Vec<&str> = account["credentials"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|c| c["kind"].as_str())
        .collect();
    assert_eq!(kinds, ["password", "openid"]);
    // It is Bob's, and cannot be anybody else's.
    assert_eq!(refused(&comes_back(&bob, add.clone()).await), (409, "openid-taken"));
    let (eve, _) = Person::account(&house, "Eve").await;
    assert_eq!(refused(&comes_back(&eve, add.clone()).await), (409, "openid-taken"));
    let confirm = json!({ "purpose": "confirm" });
    assert_eq!(refused(&comes_back(&eve, confirm.clone()).await), (403, "openid-other"));
    // A device that signed in so long ago that it must prove whose it is.
    let (status, told) = comes_back(&Person::guest(&house).await, sign_in()).await;
    assert_eq!(status, 200, "{told}");
    let device = Person::with(&house, &text(&told["signed_in"], "secret"));
    let (status, told) = comes_back(&device, confirm).await;
    assert_eq!((status, text(&told, "purpose")), (200, "confirm".to_owned()), "{told}");
    let password =
        account["credentials"].as_array().expect("a list").iter().find(|c| c["kind"] == "password");
    let id = text(password.expect("a password"), "id");
    assert_eq!(device.delete(&format!("/api/account/credentials/{id}")).await.0, 204);
    // A person who is signed in does not change accounts by signing in with an unknown identity.
    provider.does(Way::of("3", "carol"));
    assert_eq!(refused(&comes_back(&device, sign_in()).await), (409, "is-an-account"));
    // Guests have nothing to add it to.
    let guest = Person::guest(&house).await;
    let answer = guest.post("/api/session/openid/ask", add).await;
    assert_eq!(refused(&answer), (403, "not-an-account"));
}

#[tokio::test]
async fn no_lie_of_a_provider_lets_anybody_in() {
    let (provider, house, _folder) = house().await;
    drop(founded(&house, "Ada").await);
    let truth = Way::of("1", "ada");
    for (name, way, wanted) in [
        (
            "another issuer",
            Way { issuer: Some("http://127.0.0.1:1"), ..truth.clone() },
            (403, "openid-refused"),
        ),
        ("for another hall", Way { audience: json!("another"), ..truth.clone() }, (403, "openid-refused")),
        (
            "for others, too",
            Way { audience: json!(["qiguan", "x"]), ..truth.clone() },
            (403, "openid-refused"),
        ),
        ("too old", Way { expires: -10, ..truth.clone() }, (403, "openid-refused")),
        // A12: these two counted.
        ("nobody", Way { subject: "", ..truth.clone() }, (403, "openid-refused")),
        ("from the future", Way { issued: 3600, expires: 7200, ..truth.clone() }, (403, "openid-refused")),
        ("for another visit", Way { nonce: Some("another"), ..truth.clone() }, (403, "openid-refused")),
        ("not signed", Way { algorithm: "none", ..truth.clone() }, (403, "openid-refused")),
        (
            "signed with the hall's secret",
            Way { algorithm: "HS256", ..truth.clone() },
            (403, "openid-refused"),
        ),
        (
            "signed for somebody else",
            Way { instead: Some("forges"), ..truth.clone() },
            (403, "openid-refused"),
        ),
        ("a code that is none", Way { instead: Some("refuses"), ..truth.clone() }, (403, "openid-refused")),
        ("no token", Way { instead: Some("forgets"), ..truth.clone() }, (403, "openid-refused")),
        ("no JSON", Way { instead: Some("babbles"), ..truth.clone() }, (403, "openid-refused")),
        ("a fault", Way { instead: Some("fails"), ..truth.clone() }, (403, "openid-refused")),
        ("go elsewhere", Way { instead: Some("redirects"), ..truth.clone() }, (403, "openid-refused")),
        ("too much", Way { instead: Some("floods"), ..truth.clone() }, (502, "openid-unreachable")),
    ] {
        provider.does(way);
        let answer = comes_back(&Person::guest(&house).await, sign_in()).await;
        assert_eq!(refused(&answer), wanted, "{name}: {}", answer.1);
    }
    // The clocks of two machines differ a little.
    provider.does(Way { issued: 20, ..truth });
    let (status, told) = comes_back(&Person::guest(&house).await, sign_in()).await;
    assert_eq!(status, 200, "and the truth counts: {told}");
}

#[tokio::test]
async fn only_who_went_comes_back_and_once() {
    let (_provider, house, _folder) = house().await;
    let (a, b) = (Person::guest(&house).await, Person::guest(&house).await);
    let answer = goes(&a, sign_in()).await;
    assert_eq!(refused(&b.post("/api/session/openid", answer.clone()).await), (400, "openid-late"));
    assert_eq!(a.post("/api/session/openid", answer.clone()).await.0, 200, "the stranger took nothing away");
    assert_eq!(refused(&a.post("/api/session/openid", answer).await), (400, "openid-late"));
    let made_up = json!({ "state": "nothing", "code": "x" });
    assert_eq!(refused(&a.post("/api/session/openid", made_up).await), (400, "openid-late"));
    let mut long = goes(&a, sign_in()).await;
    long["code"] = json!("x".repeat(5000));
    assert_eq!(refused(&a.post("/api/session/openid", long).await), (403, "openid-refused"));
}

#[tokio::test]
async fn a_provider_that_hangs_or_is_gone_stops_nobody_else() {
    let (provider, house, _folder) = house().await;
    let guest = Person::guest(&house).await;
    let answer = goes(&guest, sign_in()).await;
    provider.does(Way { instead: Some("hangs"), ..Way::of("1", "ada") });
    let hanging = guest.post("/api/session/openid", answer);
    let (answer, healthy) = tokio::join!(hanging, async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        Person::account(&house, "Bob").await.0.get("/api/account").await.0
    });
    assert_eq!(healthy, 200);
    assert_eq!(refused(&answer), (502, "openid-unreachable"));

    let nobody =
        OpenIdSettings { issuer: "http://127.0.0.1:9".to_owned(), ..house.openid.clone().expect("set") };
    let house = House::with_openid(nobody).await;
    let guest = Person::guest(&house).await;
    let answer = guest.post("/api/session/openid/ask", sign_in()).await;
    assert_eq!(refused(&answer), (502, "openid-unreachable"));
    // And a provider whose issuer differs from the configured one.
    let liar = format!("http://localhost:{}", provider.address.port());
    let house =
        House::with_openid(OpenIdSettings { issuer: liar, ..house.openid.clone().expect("set") }).await;
    let answer = Person::guest(&house).await.post("/api/session/openid/ask", sign_in()).await;
    assert_eq!(refused(&answer), (502, "openid-unreachable"));
}

#[tokio::test]
async fn a_provider_that_says_nothing_is_asked_once_for_all_who_come() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let silent = OpenIdSettings {
        issuer: format!("http://{}", listener.local_addr().expect("an address")),
        client_id: "qiguan".to_owned(),
        client_secret: None,
        client_secret_file: None,
        name: "Club".to_owned(),
        public_url: None,
    };
    let asked = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            held.push(stream);
        }
    });
    let house = House::with_openid(silent).await;
    let (a, b) = (Person::guest(&house).await, Person::guest(&house).await);
    let both = tokio::join!(
        a.post("/api/session/openid/ask", sign_in()),
        b.post("/api/session/openid/ask", sign_in())
    );
    for answer in [both.0, both.1, a.post("/api/session/openid/ask", sign_in()).await] {
        assert_eq!(refused(&answer), (502, "openid-unreachable"));
    }
    assert_eq!(asked.load(std::sync::atomic::Ordering::SeqCst), 1, "nobody waits for what was just tried");
}

#[tokio::test]
async fn tries_of_one_visitor_are_not_those_of_the_next_one_at_the_same_address() {
    let (provider, folder) = (Provider::open().await, tempfile::tempdir().expect("a folder"));
    let limits = Limits { sign_ins: 3, ..Limits::default() };
    let house = House::with_openid_and(limits, provider.settings(folder.path())).await;
    let (a, b) = (Person::guest(&house).await, Person::guest(&house).await);
    for _ in 0..3 {
        let _ = goes(&a, sign_in()).await;
    }
    assert_eq!(refused(&a.post("/api/session/openid/ask", sign_in()).await), (429, "too-many-tries"));
    // What comes to its end is given back.
    for _ in 0..5 {
        assert_eq!(comes_back(&b, sign_in()).await.0, 200);
    }
}

#[tokio::test]
async fn a_hall_without_a_provider_says_so() {
    let house = House::open().await;
    let guest = Person::guest(&house).await;
    assert_eq!(guest.get("/api/session/openid").await.1, json!({ "name": null }));
    assert_eq!(refused(&guest.post("/api/session/openid/ask", sign_in()).await), (403, "openid-off"));
    let wish = json!({ "name": "Ada", "openid": "x" });
    assert_eq!(refused(&guest.post("/api/account", wish).await), (400, "openid-off"));
}
