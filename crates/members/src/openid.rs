//! Signing in by an account elsewhere: the authorization code flow of OpenID Connect, with PKCE, state and nonce.
//!
//! The library [`openidconnect`] implements the protocol; this module holds the state between its two halves, the
//! requests to the provider, and their limits. A provider is named by the hall's keeper, so it may be in the hall's
//! own network; but its answers are not trusted: they are bounded in size and time, a few at a time are asked for,
//! and redirects are not followed.

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use edge::network::Network;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::http::Uri;
use hyper_util::rt::TokioIo;
use kernel::Problem;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreIdTokenVerifier, CoreJwsSigningAlgorithm, CoreProviderMetadata,
};
use openidconnect::{
    AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken, HttpRequest, HttpResponse,
    IssuerUrl, Nonce, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope, SignatureVerificationError,
    TokenResponse as _,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::{Store, StoreError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{Mutex, Semaphore};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;
use url::{Host, Url};

use crate::hidden::Hidden;
use crate::questions::Questions;
use crate::trust::TLS;

/// The time limit for one answer of a provider, from connecting to the last byte.
const PATIENCE: Duration = Duration::from_secs(5);
/// The largest answer, in bytes.
const ANSWER: usize = 256 << 10;
/// The largest head of an answer, in bytes.
const HEAD: usize = 16_384;
/// The most visitors for whom the provider is asked at the same time; others are told that the hall is busy.
const AT_ONCE: usize = 8;
/// The time for which a provider's metadata are valid.
const BELIEVED: Duration = Duration::from_secs(3600);
/// The least age of the metadata at which an unknown key makes the hall fetch them again.
const DOUBTED: Duration = Duration::from_secs(30);
/// The time for which a failure to fetch the metadata is reported again without another attempt.
const SILENT: Duration = Duration::from_secs(10);
/// The largest file that holds a secret, in bytes.
const MOST_SECRET: u64 = 4096;
/// Letters of a provider's name at most.
const MOST_NAME: usize = 30;
/// Bytes of a subject at most.
const MOST_SUBJECT: usize = 255;
/// Seconds by which the clocks of a provider and of the hall may differ.
const CLOCKS_DIFFER_S: i64 = 60;
/// Bytes of a code at most.
const MOST_CODE: usize = 4096;
/// The accepted signature algorithms. None with a shared secret: its holders could make tokens.
const SIGNATURES: [CoreJwsSigningAlgorithm; 4] = [
    CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256,
    CoreJwsSigningAlgorithm::RsaSsaPssSha256,
    CoreJwsSigningAlgorithm::EcdsaP256Sha256,
    CoreJwsSigningAlgorithm::EdDsa,
];

/// The section `[openid]` of the file that `qiguan serve --config` reads. Without it, signing in with an OpenID
/// account is off.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenIdSettings {
    /// The address by which the provider names itself: the part before `/.well-known/openid-configuration`.
    pub issuer: String,
    /// The client id of this hall at the provider.
    pub client_id: String,
    /// The secret of this hall; not set where the provider gave none.
    pub client_secret: Option<Hidden>,
    /// The file that holds the secret of this hall, and nothing else, in place of `client_secret`.
    pub client_secret_file: Option<PathBuf>,
    /// The name of the provider on the button.
    pub name: String,
    /// The public address of the hall; `--public-url` when it is not set, and on a hall for this machine alone the
    /// address that the browser used.
    pub public_url: Option<String>,
}

impl OpenIdSettings {
    /// Checks that the settings make sense.
    ///
    /// # Errors
    /// The fault, as a sentence.
    pub fn check(&self) -> Result<(), String> {
        let issuer = &self.issuer;
        let wrong = || format!("openid.issuer is \"{issuer}\": write the https address of the provider");
        let url = Url::parse(issuer).map_err(|_| wrong())?;
        if !may_ask(&url) || url.query().is_some() || url.fragment().is_some() {
            return Err(wrong());
        }
        if self.client_id.is_empty() {
            return Err("openid.client_id is empty: write what the provider calls this hall".to_owned());
        }
        if self.client_secret.is_some() && self.client_secret_file.is_some() {
            return Err(
                "openid.client_secret and openid.client_secret_file say the same: set one of them".to_owned()
            );
        }
        let length = self.name.trim().chars().count();
        if length == 0 || length > MOST_NAME || self.name.chars().any(char::is_control) {
            return Err(format!("openid.name has {length} letters: write 1 to {MOST_NAME}"));
        }
        self.public_url.as_deref().map_or(Ok(()), |text| base("openid.public_url", text).map(|_| ()))
    }

    /// Reads the secret. `public_url`: where people reach the hall, where the settings do not say; `loopback`: the hall
    /// is for this machine alone.
    ///
    /// # Errors
    /// The fault, or the missing part, as a sentence: the address of the hall, the file with the secret.
    pub fn open(self, public_url: Option<&str>, loopback: bool) -> Result<OpenId, String> {
        self.check()?;
        let home = match self.public_url.as_deref().or(public_url) {
            Some(text) => Some(base("openid.public_url", text)?),
            None if loopback => None,
            None => {
                return Err(
                    "openid.public_url is missing: write the address at which people reach the hall, or set \
                    --public-url"
                        .to_owned(),
                );
            }
        };
        let secret = self.client_secret_file.as_ref().map(|path| {
            let said = |why: io::Error| format!("openid.client_secret_file {}: {why}", path.display());
            if std::fs::metadata(path).map_err(said)?.len() > MOST_SECRET {
                return Err(format!(
                    "openid.client_secret_file {}: more than {MOST_SECRET} bytes",
                    path.display()
                ));
            }
            let text = std::fs::read_to_string(path).map_err(said)?;
            Ok(ClientSecret::new(text.trim_end_matches(['\r', '\n']).to_owned()))
        });
        let secret = match &self.client_secret {
            Some(secret) => Some(Ok(ClientSecret::new(secret.to_string()))),
            None => secret,
        };
        Ok(OpenId {
            issuer: IssuerUrl::new(self.issuer).map_err(|why| format!("openid.issuer: {why}"))?,
            client: ClientId::new(self.client_id),
            secret: secret.transpose()?,
            name: self.name.trim().to_owned(),
            home,
            known: Mutex::default(),
            places: Semaphore::new(AT_ONCE),
            open: Questions::of("openid"),
            tickets: Questions::of("openid-ticket"),
        })
    }
}

/// The provider in use, which the keeper may replace while the hall is open.
pub struct Provider(RwLock<Option<Arc<OpenId>>>);

impl Provider {
    /// Creates it with the provider that a hall opens with.
    #[must_use]
    pub fn new(openid: Option<OpenId>) -> Provider {
        Provider(RwLock::new(openid.map(Arc::new)))
    }

    /// Returns the provider in use; `None` if there is none.
    #[must_use]
    pub fn get(&self) -> Option<Arc<OpenId>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the provider, unless it is the same.
    pub fn replace(&self, openid: Option<OpenId>) {
        let mut now = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let same = match (&*now, &openid) {
            (Some(old), Some(new)) => old.is_like(new),
            (None, None) => true,
            _ => false,
        };
        if !same {
            *now = openid.map(Arc::new);
        }
    }
}

impl OpenId {
    fn is_like(&self, other: &OpenId) -> bool {
        let secret = |openid: &OpenId| openid.secret.as_ref().map(|secret| secret.secret().clone());
        self.issuer == other.issuer
            && self.client == other.client
            && self.name == other.name
            && self.home == other.home
            && secret(self) == secret(other)
    }
}

/// Checks the address of a hall and returns it without a slash at the end; it may have a path.
fn base(setting: &str, text: &str) -> Result<String, String> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "https" | "http"));
    let url = url.filter(|url| url.query().is_none() && url.fragment().is_none() && url.host().is_some());
    let origin =
        url.map(|url| format!("{}{}", url.origin().ascii_serialization(), url.path().trim_end_matches('/')));
    origin.ok_or_else(|| format!("{setting} is \"{text}\": write https://hall.example.org"))
}

/// Returns true if a provider may be asked at this address: over https, or on this machine.
fn may_ask(url: &Url) -> bool {
    let is_local = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(v4)) => IpAddr::from(v4).is_loopback(),
        Some(Host::Ipv6(v6)) => IpAddr::from(v6).is_loopback(),
        None => return false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_local)
}

/// The purposes for which a visitor is sent to the provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Purpose {
    /// Signing in or up.
    SignIn {
        /// Set if the games of the guest on this device go to the account.
        bring: bool,
    },
    /// Adding the OpenID account to the account here.
    Add,
    /// Proving their identity.
    Confirm,
}

/// A visitor who was sent to the provider.
#[derive(Serialize, Deserialize)]
struct SentAway {
    /// The public id of the visitor; the answer is accepted only from them.
    person: String,
    purpose: Purpose,
    redirect: RedirectUrl,
    nonce: Nonce,
    verifier: PkceCodeVerifier,
}

/// An account elsewhere, as its provider vouched for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// The hash of issuer and subject, the only stable part of an identity.
    pub key: [u8; 32],
    /// The person's name at the provider, which is only a suggestion.
    pub name: Option<String>,
}

/// A provider, and who is on the way to it.
pub struct OpenId {
    issuer: IssuerUrl,
    client: ClientId,
    secret: Option<ClientSecret>,
    /// The name of the provider on the button.
    pub name: String,
    home: Option<String>,
    known: Mutex<CachedProvider>,
    places: Semaphore,
    open: Questions<SentAway>,
    /// Identities without an account here, with the people who brought them.
    tickets: Questions<(String, Identity)>,
}

fn unreachable(why: impl std::fmt::Display) -> Problem {
    tracing::warn!(%why, "the OpenID provider could not be asked");
    Problem::new("openid-unreachable")
}

fn unkept(why: StoreError) -> Problem {
    tracing::error!(%why, "who is on the way to the OpenID provider was not read or stored");
    Problem::new("not-stored")
}

/// Takes a question if it belongs to the person who asks, so that no other person can use it up.
async fn theirs<T: Serialize + DeserializeOwned>(
    questions: &Questions<T>,
    store: &Store,
    id: &str,
    now_ms: u64,
    is_theirs: impl Fn(&T) -> bool,
) -> Result<Option<T>, Problem> {
    match questions.look(store, id, now_ms).await.map_err(unkept)? {
        Some(asked) if is_theirs(&asked) => questions.take(store, id, now_ms).await.map_err(unkept),
        _ => Ok(None),
    }
}

fn refused(why: impl std::fmt::Display) -> Problem {
    tracing::warn!(%why, "the OpenID provider's answer does not count");
    Problem::new("openid-refused")
}

impl OpenId {
    /// Returns the address by which the provider names itself.
    #[must_use]
    pub fn issuer(&self) -> &str {
        self.issuer.as_str()
    }

    /// Returns the address at the provider to which the browser is sent. `own`: the address it used for the hall.
    ///
    /// # Errors
    /// `openid-unreachable`, `hall-busy`.
    pub async fn ask(
        &self,
        store: &Store,
        from: Network,
        person: &str,
        purpose: Purpose,
        own: &str,
        now_ms: u64,
    ) -> Result<Url, Problem> {
        let _place = self.places.try_acquire().map_err(|_| Problem::new("hall-busy"))?;
        let provider = self.provider(BELIEVED).await?;
        if !may_ask(provider.authorization_endpoint().url()) {
            return Err(unreachable("its authorization endpoint is no https address"));
        }
        let redirect = format!("{}/account/openid", self.home.as_deref().unwrap_or(own));
        let redirect = RedirectUrl::new(redirect).map_err(unreachable)?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let nonce = Nonce::new_random();
        let (person, to) = (person.to_owned(), redirect.clone());
        let asked = SentAway { person, purpose, redirect: to, nonce: nonce.clone(), verifier };
        let state = self.open.put(store, from, &asked, now_ms).await.map_err(unkept)?;
        let client = CoreClient::from_provider_metadata((*provider).clone(), self.client.clone(), None)
            .set_redirect_uri(redirect);
        let (url, _, _) = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                move || CsrfToken::new(state),
                move || nonce,
            )
            .add_scope(Scope::new("profile".to_owned()))
            .set_pkce_challenge(challenge)
            .url();
        Ok(url)
    }

    /// Returns the purpose and the identity when the visitor comes back from the provider: the same person, once, in
    /// time.
    ///
    /// # Errors
    /// `openid-late`, `openid-unreachable`, `openid-refused`, `hall-busy`.
    pub async fn answered(
        &self,
        store: &Store,
        person: &str,
        state: &str,
        code: &str,
        now_ms: u64,
    ) -> Result<(Purpose, Identity), Problem> {
        let late = || Problem::new("openid-late");
        let _place = self.places.try_acquire().map_err(|_| Problem::new("hall-busy"))?;
        let asked = theirs(&self.open, store, state, now_ms, |asked| asked.person == person).await?;
        let SentAway { purpose, redirect, nonce, verifier, .. } = asked.ok_or_else(late)?;
        if code.len() > MOST_CODE {
            return Err(refused("a code that is too long"));
        }
        let provider = self.provider(BELIEVED).await?;
        let client =
            CoreClient::from_provider_metadata((*provider).clone(), self.client.clone(), self.secret.clone())
                .set_redirect_uri(redirect);
        let told = client
            .exchange_code(AuthorizationCode::new(code.to_owned()))
            .map_err(unreachable)?
            .set_pkce_verifier(verifier)
            .request_async(&fetch)
            .await;
        let told = told.map_err(|why| match why {
            openidconnect::RequestTokenError::Request(why) => unreachable(why),
            why => refused(why),
        })?;
        let token = told.id_token().ok_or_else(|| refused("it sent no ID token"))?;
        let mut provider = provider;
        let claims = match token.claims(&self.verifier(&provider), &nonce) {
            // A key that came after we asked.
            Err(ClaimsVerificationError::SignatureVerification(
                SignatureVerificationError::NoMatchingKey,
            )) => {
                provider = self.provider(DOUBTED).await?;
                token.claims(&self.verifier(&provider), &nonce)
            }
            claims => claims,
        };
        let claims = claims.map_err(refused)?;
        let subject = claims.subject().as_str();
        // OpenID Connect Core 1.0, 2: a name that is one, and no longer than this.
        if subject.trim().is_empty() || subject.len() > MOST_SUBJECT {
            return Err(refused("its ID token names nobody"));
        }
        let issued_s = claims.issue_time().timestamp();
        let now_s = jiff::Timestamp::now().as_second();
        if issued_s > now_s + CLOCKS_DIFFER_S {
            return Err(refused("its ID token is from the future"));
        }
        let key = Sha256::digest(format!("openid\n{}\n{subject}", self.issuer()).as_bytes()).into();
        let name = claims.preferred_username().map(|name| name.as_str().to_owned());
        Ok((purpose, Identity { key, name }))
    }

    /// Keeps an identity for the person who brought it until they have chosen a name.
    ///
    /// # Errors
    /// `not-stored`.
    pub async fn keep(
        &self,
        store: &Store,
        from: Network,
        person: &str,
        identity: Identity,
        now_ms: u64,
    ) -> Result<String, Problem> {
        self.tickets.put(store, from, &(person.to_owned(), identity), now_ms).await.map_err(unkept)
    }

    /// Returns the identity that a person brought, once.
    ///
    /// # Errors
    /// `openid-late`.
    pub async fn kept(
        &self,
        store: &Store,
        person: &str,
        ticket: &str,
        now_ms: u64,
    ) -> Result<Identity, Problem> {
        let kept = theirs(&self.tickets, store, ticket, now_ms, |(whose, _)| whose == person).await?;
        kept.map(|(_, identity)| identity).ok_or_else(|| Problem::new("openid-late"))
    }

    fn verifier<'a>(&self, provider: &CoreProviderMetadata) -> CoreIdTokenVerifier<'a> {
        CoreIdTokenVerifier::new_public_client(
            self.client.clone(),
            self.issuer.clone(),
            provider.jwks().clone(),
        )
        .set_allowed_algs(SIGNATURES)
    }

    /// Returns the provider's metadata, fetched again if they are older than `most`.
    async fn provider(&self, most: Duration) -> Result<Arc<CoreProviderMetadata>, Problem> {
        let mut known = self.known.lock().await;
        if let Some((since, provider)) = &known.provider
            && since.elapsed() < most
        {
            return Ok(Arc::clone(provider));
        }
        if let Some((since, problem)) = &known.failed
            && since.elapsed() < SILENT
        {
            return Err(problem.clone());
        }
        // One deadline for all that is asked: what it says of itself, and its keys.
        let asked = CoreProviderMetadata::discover_async(self.issuer.clone(), &fetch);
        let found = match tokio::time::timeout(PATIENCE, asked).await {
            Ok(found) => found.map(Arc::new).map_err(unreachable),
            Err(late) => Err(unreachable(late)),
        };
        match &found {
            Ok(found) => {
                *known = CachedProvider { provider: Some((Instant::now(), Arc::clone(found))), failed: None }
            }
            Err(problem) => known.failed = Some((Instant::now(), problem.clone())),
        }
        found
    }
}

/// The provider's metadata and the last failure to fetch them, each with its time.
#[derive(Default)]
struct CachedProvider {
    provider: Option<(Instant, Arc<CoreProviderMetadata>)>,
    failed: Option<(Instant, Problem)>,
}

/// Asks a provider; answers of another status than success are answers, too.
async fn fetch(request: HttpRequest) -> Result<HttpResponse, io::Error> {
    tokio::time::timeout(PATIENCE, attempt(request)).await?
}

async fn attempt(request: HttpRequest) -> Result<HttpResponse, io::Error> {
    let wrong = |why: &str| io::Error::new(io::ErrorKind::InvalidInput, why.to_owned());
    let url = Url::parse(&request.uri().to_string()).map_err(io::Error::other)?;
    if !may_ask(&url) {
        return Err(wrong("an address that is not https"));
    }
    let host = url.host_str().ok_or_else(|| wrong("no host"))?;
    let port = url.port_or_known_default().ok_or_else(|| wrong("no port"))?;
    // The brackets of an IPv6 address belong to the URL.
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((bare, port)).await?;
    if url.scheme() == "https" {
        let name = ServerName::try_from(bare.to_owned()).map_err(io::Error::other)?;
        exchange(TlsConnector::from(Arc::clone(&TLS)).connect(name, stream).await?, request).await
    } else {
        exchange(stream, request).await
    }
}

async fn exchange<S>(stream: S, request: HttpRequest) -> Result<HttpResponse, io::Error>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mut parts, body) = request.into_parts();
    let authority = parts.uri.authority().map(ToString::to_string).unwrap_or_default();
    parts.headers.insert("host", authority.parse().map_err(io::Error::other)?);
    let path = parts.uri.path_and_query().map_or("/", hyper::http::uri::PathAndQuery::as_str);
    parts.uri = path.parse::<Uri>().map_err(io::Error::other)?;
    let request = hyper::http::Request::from_parts(parts, Full::new(Bytes::from(body)));
    let mut http = hyper::client::conn::http1::Builder::new();
    let (mut sender, connection) =
        http.max_buf_size(HEAD).handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
    let read = async {
        let answer = sender.send_request(request).await.map_err(io::Error::other)?;
        let (parts, body) = answer.into_parts();
        let body = Limited::new(body, ANSWER).collect().await.map_err(io::Error::other)?;
        Ok(HttpResponse::from_parts(parts, body.to_bytes().to_vec()))
    };
    // The connection ends with this function, whatever else the provider has to say.
    tokio::pin!(read);
    tokio::select! {
        answer = &mut read => answer,
        ended = connection => match ended {
            // The answer may be whole all the same.
            Ok(()) => read.await,
            Err(why) => Err(io::Error::other(why)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked() {
        let good = OpenIdSettings {
            issuer: "https://id.example/realms/club".to_owned(),
            client_id: "qiguan".to_owned(),
            client_secret: None,
            client_secret_file: None,
            name: "Club".to_owned(),
            public_url: None,
        };
        assert_eq!(good.check(), Ok(()));
        let with = |change: fn(&mut OpenIdSettings)| {
            let mut settings = good.clone();
            change(&mut settings);
            settings.check().expect_err("is wrong")
        };
        for (why, part) in [
            (with(|s| s.issuer = "id.example".to_owned()), "openid.issuer"),
            (with(|s| s.issuer = "http://id.example".to_owned()), "openid.issuer"),
            (with(|s| s.issuer = "https://id.example/?a=b".to_owned()), "openid.issuer"),
            (with(|s| s.client_id = String::new()), "openid.client_id"),
            (with(|s| s.name = " ".to_owned()), "openid.name"),
            (with(|s| s.name = "x".repeat(31)), "openid.name"),
            (with(|s| s.public_url = Some("https://hall.example/?a=b".to_owned())), "openid.public_url"),
        ] {
            assert!(why.contains(part), "{why}");
        }
        let missing = good.clone().open(None, false).err().expect("nobody could come back");
        assert!(missing.contains("--public-url"), "{missing}");
        assert!(good.clone().open(None, true).is_ok());
        let secret = OpenIdSettings { client_secret_file: Some("/nowhere/secret".into()), ..good };
        let why = secret.open(None, true).err().expect("no such file");
        assert!(why.contains("openid.client_secret_file /nowhere/secret"), "{why}");
    }
}
