//! The identification of the person behind a request, and the check of its origin.

use std::net::IpAddr;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use kernel::Problem;
use wire::Player;

use edge::acceptor::Peer;
use edge::limits::RequestKind;
use edge::network::{Asker, Network};
use edge::reach::{Host, Reach};
use members::client::{Client, PROOF_MS};
use members::identity::TokenRights;
use people::Secret;
use people::cookie::Credentials;
use people::secret::new_id;
use people::token::Scope;
use store::PersonRow;
use store::accounts::Session;

use crate::account::{credentials, secret_of};
use crate::app::App;
use crate::http::worker;
use crate::page;
use crate::refusal::Refusal;
use crate::scopes::{self, Needed};
use crate::signing::{NoSession, Way, refuse};

/// The address of a request: that of the connection, or the one that the proxy reports.
#[derive(Clone, Copy, Debug)]
pub struct ClientIp(pub IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for ClientIp {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(*parts.extensions.get::<ClientIp>().expect("the guard has put it there"))
    }
}

impl FromRequestParts<App> for Asker {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let ClientIp(address) = ClientIp::from_request_parts(parts, app).await?;
        let secret = secret_of(&parts.headers, app.jar()).ok().flatten();
        let network = Network::of(address);
        let known = match secret {
            Some(secret) => app.hall.person(&secret).await.unwrap_or_default(),
            None => None,
        };
        let person = known.map_or_else(|| network.to_string(), |player| player.id);
        Ok(Asker { network, person })
    }
}

/// Admits only requests of our own pages and of programs; counts them by address and person.
pub async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0.ip());
    let peer = peer.unwrap_or(IpAddr::from([127, 0, 0, 1]));
    // A balancer or a supervisor asks by whatever name it has, and beside the proxy; the answer holds nothing to keep.
    if scopes::needed(&request) == Needed::Probe {
        request.extensions_mut().insert(ClientIp(peer));
        return next.run(request).await;
    }
    let address = app.reach.address(request.headers(), peer);
    request.extensions_mut().insert(ClientIp(address));
    if let Err(refusal) = right_place(&app.reach, &request) {
        return refusal.into_response();
    }
    let kind = asked(request.uri().path());
    let secret = secret_of(request.headers(), app.jar()).ok().flatten().filter(|_| kind == RequestKind::Hall);
    let person = secret.and_then(|secret| app.hall.members.identity.remembered(&secret.hash()));
    // A worker's requests are counted by its key.
    let is_counted = !worker::has_key(&app, &mut request).await;
    if is_counted && let Err(wait) = app.hall.rates.request(kind, Network::of(address), person.as_deref()) {
        return if kind == RequestKind::Page && shows_pages(request.headers()) {
            page::later(wait.seconds())
        } else {
            Refusal::too_many(wait.seconds()).into_response()
        };
    }
    if scopes::is_preflight(&request) {
        return scopes::preflight();
    }
    next.run(request).await
}

/// Returns the budget in which a request for that path is counted.
fn asked(path: &str) -> RequestKind {
    if scopes::is_guarded(path) {
        RequestKind::Hall
    } else if page::is_file(path) {
        RequestKind::File
    } else {
        RequestKind::Page
    }
}

/// Returns true if the answer is shown to a person as a page, rather than read by a program.
fn shows_pages(headers: &HeaderMap) -> bool {
    headers
        .get(header::ACCEPT)
        .and_then(|v| v.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

/// Admits only requests for this machine's or the hall's own names: no page elsewhere can read the answer.
pub async fn our_host(State(app): State<App>, request: Request, next: Next) -> Response {
    match right_place(&app.reach, &request) {
        Err(refusal) => refusal.into_response(),
        Ok(()) => next.run(request).await,
    }
}

/// Checks the bearer of a token or of a program's session before anything else: an unknown or invalid secret is
/// refused, and a token may only do what its scopes name.
pub async fn bearer(State(app): State<App>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let path = request.uri().path();
    // What workers show is no secret of a person; their routes look at it.
    if !headers.contains_key(header::AUTHORIZATION) || !scopes::is_guarded(path) || worker::is_for(path) {
        return next.run(request).await;
    }
    match may_do(&app, scopes::needed(&request), headers).await {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

async fn may_do(app: &App, needed: Needed, headers: &HeaderMap) -> Result<(), Refusal> {
    // Other schemes are a proxy's affair.
    let Credentials::Bearer(secret) = credentials(headers, app.jar())? else { return Ok(()) };
    let known = app.hall.known(&secret).await.map_err(|_| Refusal::not_stored())?;
    let known = known.ok_or_else(|| refuse(Way::Token, NoSession::Unproved))?;
    let Some(token) = known.token else { return Ok(()) };
    match needed {
        Needed::Probe | Needed::Nothing => Ok(()),
        Needed::Public | Needed::Files(_) => allowed(token, Scope::Read),
        Needed::Scope(scope) => allowed(token, scope),
        Needed::Session => Err(Refusal::forbidden(Problem::new("token-not-here"))),
    }
}

fn allowed(token: TokenRights, scope: Scope) -> Result<(), Refusal> {
    if token.scopes.contains(scope) {
        return Ok(());
    }
    Err(Refusal::forbidden(Problem::new("token-scope").with("scope", scope.name())))
}

/// Keeps guests from making, playing and saying anything where only accounts play.
pub async fn accounts_only(State(app): State<App>, request: Request, next: Next) -> Response {
    if app.hall.members.staffed.rules().house().accounts_only && scopes::acts(&request) {
        let known = match secret_of(request.headers(), app.jar()).ok().flatten() {
            Some(secret) => app.hall.known(&secret).await.ok().flatten(),
            None => None,
        };
        if known.is_none_or(|known| known.kind == store::StoredPersonKind::Guest) {
            return Refusal::forbidden(Problem::new("accounts-only")).into_response();
        }
    }
    next.run(request).await
}

/// Returns the answer to a person who is kept out.
fn kept_out(problem: Problem) -> Refusal {
    match problem.key {
        "banned" | "suspended" => Refusal::forbidden(problem),
        _ => problem.into(),
    }
}

/// Refuses a request for another host, or one from another site that would act here.
fn right_place(reach: &Reach, request: &Request) -> Result<(), Refusal> {
    let (headers, uri) = (request.headers(), request.uri());
    let host = Host::of(headers, uri, reach.scheme())?;
    let Some(host) = host.filter(|host| reach.is_ours(host)) else {
        let named = headers.get(header::HOST).and_then(|v| v.to_str().ok());
        let named = named.or_else(|| uri.authority().map(axum::http::uri::Authority::as_str));
        // A client that names no host is not a browser, and means the server that it reached.
        if named.is_none() && reach.public_url.is_none() && !reach.loopback {
            return Ok(());
        }
        let problem = Problem::new("wrong-host").with("host", named.unwrap_or_default());
        return Err(Refusal::forbidden(problem));
    };
    let safe = matches!(*request.method(), Method::GET | Method::HEAD) && !is_handshake(headers);
    let Some(origin) = headers.get(header::ORIGIN).filter(|_| !safe) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    if scopes::is_preflight(request) || reach.is_own_page(origin, &host) {
        return Ok(());
    }
    Err(Refusal::forbidden(Problem::new("wrong-origin").with("origin", origin)))
}

fn is_handshake(headers: &HeaderMap) -> bool {
    headers.get(header::UPGRADE).is_some()
}

/// A person who may act: the request carries a secret.
pub struct Visitor {
    /// The person as others see them.
    pub player: Player,
    /// The kind of person.
    pub kind: store::StoredPersonKind,
    /// The key under which their requests are counted.
    pub asker: Asker,
}

impl Visitor {
    /// Checks that the person has an account: guests are forgotten one day, and their data would have no owner.
    ///
    /// # Errors
    /// 403 with that key.
    pub fn must_have_account(&self, key: &'static str) -> Result<(), Refusal> {
        match self.kind {
            store::StoredPersonKind::Account => Ok(()),
            _ => Err(Refusal::forbidden(Problem::new(key))),
        }
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        let secret = secret_of(&parts.headers, app.jar())?;
        let secret = secret.ok_or_else(Refusal::unauthorized)?;
        let ClientIp(address) = *parts.extensions.get::<ClientIp>().expect("the guard has put it there");
        let player = enter(app, &secret, address).await?;
        let known = app.hall.known(&secret).await.ok().flatten();
        let network = Network::of(address);
        app.hall.members.staffed.may_act(known.as_ref(), network).await.map_err(kept_out)?;
        let kind = known.map_or(store::StoredPersonKind::Guest, |known| known.kind);
        if kind == store::StoredPersonKind::Suspended {
            return Err(Refusal::forbidden(Problem::new("account-suspended")));
        }
        let asker = Asker { network, person: player.id.clone() };
        app.hall.members.neighbours.note(&asker.person, network);
        Ok(Visitor { player, kind, asker })
    }
}

/// A person who may only look: the request carries no secret, or one that the hall does not know.
pub struct Onlooker {
    /// The person as others see them.
    pub player: Player,
    /// The secret of the person, if the hall knows it.
    pub secret: Option<Secret>,
}

impl Onlooker {
    /// Returns an onlooker without a secret.
    #[must_use]
    pub fn nobody() -> Onlooker {
        let player = Player { id: new_id(), name: None, engine: None, program: false };
        Onlooker { player, secret: None }
    }
}

impl FromRequestParts<App> for Onlooker {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Self::Rejection> {
        let secret = secret_of(&parts.headers, app.jar()).ok().flatten();
        let known = match &secret {
            // A visitor of a table may sit down there, and must be recognised when they come again.
            Some(secret) if is_handshake(&parts.headers) => {
                let ClientIp(address) =
                    *parts.extensions.get::<ClientIp>().expect("the guard has put it there");
                match app.hall.known(secret).await {
                    // Moderators closed the account: it may look on.
                    Ok(Some(known)) if known.kind == store::StoredPersonKind::Suspended => None,
                    Ok(Some(known))
                        if app
                            .hall
                            .members
                            .staffed
                            .may_act(Some(&known), Network::of(address))
                            .await
                            .is_err() =>
                    {
                        None
                    }
                    _ => enter(app, secret, address).await.ok(),
                }
            }
            Some(secret) => app.hall.person(secret).await.unwrap_or_default(),
            None => None,
        };
        Ok(match known {
            Some(player) => Onlooker { player, secret },
            None => Onlooker::nobody(),
        })
    }
}

/// A person who is signed in on a device: an account or a guest that the store knows.
pub struct Signed {
    /// The session by which this device is signed in.
    pub session: Session,
    /// The person it belongs to, as the store has them.
    pub person: PersonRow,
    /// The hash of the session's secret.
    pub hash: [u8; 32],
    /// The key under which their requests are counted.
    pub asker: Asker,
}

impl Signed {
    /// Returns the person if they have an account, also a suspended one: its owner may look at it, appeal, and leave.
    ///
    /// # Errors
    /// 403 `not-an-account`.
    pub fn owner(self) -> Result<Signed, Refusal> {
        if self.person.kind == store::StoredPersonKind::Suspended { Ok(self) } else { self.account() }
    }

    /// Returns the person if they have an account that may act.
    ///
    /// # Errors
    /// 403 `not-an-account`, `account-suspended`.
    pub fn account(self) -> Result<Signed, Refusal> {
        match self.person.kind {
            store::StoredPersonKind::Account | store::StoredPersonKind::Program => Ok(self),
            store::StoredPersonKind::Suspended => Err(Refusal::forbidden(Problem::new("account-suspended"))),
            store::StoredPersonKind::Guest | store::StoredPersonKind::Closed => {
                Err(Refusal::forbidden(Problem::new("not-an-account")))
            }
        }
    }

    /// Returns true if the owner of the account has proved their identity lately.
    #[must_use]
    pub fn is_confirmed(&self, now_ms: u64) -> bool {
        self.session.proved_ms.is_some_and(|proved| now_ms.saturating_sub(proved) < PROOF_MS)
    }

    /// Returns the person if they have an account and have proved their identity lately.
    ///
    /// # Errors
    /// 403 `not-an-account`, `confirm-first`.
    pub fn confirmed(self, now_ms: u64) -> Result<Signed, Refusal> {
        let signed = self.owner()?;
        if signed.is_confirmed(now_ms) {
            Ok(signed)
        } else {
            Err(Refusal::forbidden(Problem::new("confirm-first")))
        }
    }
}

impl FromRequestParts<App> for Signed {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        let secret = secret_of(&parts.headers, app.jar())?;
        let secret = secret.ok_or_else(Refusal::unauthorized)?;
        let ClientIp(address) = *parts.extensions.get::<ClientIp>().expect("the guard has put it there");
        let hash = secret.hash();
        let found = app.hall.store.accounts.session(&hash).await.map_err(|_| Refusal::not_stored())?;
        let (session, person) = found.ok_or_else(Refusal::unauthorized)?;
        let asker = Asker { network: Network::of(address), person: person.id.clone() };
        Ok(Signed { session, person, hash, asker })
    }
}

impl FromRequestParts<App> for Client {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _app: &App) -> Result<Self, Self::Rejection> {
        let ClientIp(address) = *parts.extensions.get::<ClientIp>().expect("the guard has put it there");
        let agent = parts.headers.get(header::USER_AGENT).and_then(|v| v.to_str().ok()).unwrap_or_default();
        Ok(Client::new(Network::of(address), agent))
    }
}

/// Returns the person with that secret; a new guest, when the hall has not seen it before.
///
/// # Errors
/// An error when the store fails, or that address brings too many new guests.
pub async fn enter(app: &App, secret: &Secret, address: IpAddr) -> Result<Player, Refusal> {
    let known = app.hall.person(secret).await.map_err(|_| Refusal::not_stored())?;
    if let Some(known) = known {
        return Ok(known);
    }
    app.hall.members.staffed.may_act(None, Network::of(address)).await.map_err(kept_out)?;
    let counted = app.hall.rates.guest(Network::of(address));
    counted.map_err(|wait| Refusal::too_many(wait.seconds()))?;
    Ok(app.hall.enter(secret).await?)
}
