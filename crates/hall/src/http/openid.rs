//! Signing in by an account at an OpenID provider: out to the provider, and back.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use kernel::Problem;
use members::client::Client;
use members::openid::{Identity, OpenId, Purpose};
use people::account::Act;
use people::name::{Name, NameKind};
use people::secret::new_id;
use store::accounts::{Change, Credential, CredentialKind, MOST_OPEN_IDS, Note};
use store::{Account, Find, StoreError};
use wire::{OpenIdAnswer, OpenIdDone, OpenIdPurpose, OpenIdQuestion, OpenIdTold, OpenIdWish};

use super::account::may_be_added;
use super::ask::Body;
use super::session::{proved_by, signed_in};
use crate::app::App;
use crate::links::Origin;
use crate::refusal::{Refusal, broken};
use crate::signing::{Attempt, NoSession, Signing, Way, refuse};
use crate::visitor::{Signed, Visitor};

fn provider(app: &App) -> Result<Arc<OpenId>, Refusal> {
    app.openid.get().ok_or_else(|| Refusal::forbidden(Problem::new("openid-off")))
}

/// Converts a problem to a refusal: the provider's faults are not the visitor's.
fn refused(why: Problem) -> Refusal {
    match why.key {
        "openid-unreachable" => Refusal::new(StatusCode::BAD_GATEWAY, why),
        "openid-refused" => Refusal::forbidden(why),
        _ => why.into(),
    }
}

/// Returns the attempt of a visitor, which counts from the way out to the way back: by the visitor, since a school sits
/// behind one address.
fn attempt_of(visitor: &Visitor) -> Attempt {
    Attempt::At(visitor.asker.network, format!("openid {}", visitor.player.id))
}

/// Makes the credential that is stored of an account at the provider.
pub(super) fn credential(app: &App, identity: Identity, now_ms: u64) -> Credential {
    let openid = app.openid.get();
    Credential {
        kind: CredentialKind::OpenId,
        id: new_id(),
        label: openid.as_ref().map(|openid| openid.name.clone()),
        body: openid.map(|openid| openid.issuer().to_owned()).unwrap_or_default(),
        key: Some(identity.key.to_vec()),
        made_ms: now_ms,
        used_ms: None,
    }
}

pub(super) async fn openid(State(app): State<App>) -> Json<OpenIdTold> {
    Json(OpenIdTold { name: app.openid.get().map(|openid| openid.name.clone()) })
}

pub(super) async fn ask(
    State(app): State<App>,
    visitor: Visitor,
    signed: Signed,
    Origin(own): Origin,
    Body(wish): Body<OpenIdWish>,
) -> Result<Json<OpenIdQuestion>, Refusal> {
    let openid = provider(&app)?;
    let now_ms = app.hall.time.now_ms();
    let purpose = match wish.purpose {
        OpenIdPurpose::SignIn => Purpose::SignIn { bring: wish.bring },
        OpenIdPurpose::Add => signed.confirmed(now_ms).map(|_| Purpose::Add)?,
        OpenIdPurpose::Confirm => signed.account().map(|_| Purpose::Confirm)?,
    };
    let network = visitor.asker.network;
    attempt_of(&visitor).begin(&app).map_err(|why| refuse(Way::OpenId, why))?;
    let store = app.hall.store.as_ref();
    let url = openid.ask(store, network, &visitor.player.id, purpose, &own, now_ms).await.map_err(refused)?;
    Ok(Json(OpenIdQuestion { url: url.into() }))
}

pub(super) async fn answer(
    State(app): State<App>,
    visitor: Visitor,
    signed: Signed,
    client: Client,
    headers: HeaderMap,
    Body(wish): Body<OpenIdAnswer>,
) -> Result<Response, Refusal> {
    let back = comes_back(&app, &visitor, &wish).await;
    let (purpose, identity, found) = back.map_err(|why| refuse(Way::OpenId, why))?;
    let now_ms = app.hall.time.now_ms();
    let (person, network) = (visitor.player.id, visitor.asker.network);
    let used = |account: &Account| {
        let is_used = |c: &&Credential| c.key.as_deref() == Some(&identity.key[..]);
        account.credentials.iter().find(is_used).map(|credential| (credential.id.clone(), None))
    };
    let done = |purpose| OpenIdDone { purpose, signed_in: None, ticket: None, name: None };
    match (purpose, found) {
        (Purpose::SignIn { bring }, Some(account)) => {
            let (app, client, headers) = (&app, &client, &headers);
            let signing = Signing { app, client, headers, way: Way::OpenId, bring };
            let used = used(&account);
            let begun = signing.end(Ok(proved_by(account.person.id, Attempt::Free, used, now_ms))).await?;
            let told = signed_in(app, client, &begun, Vec::new()).await?;
            Ok(begun.respond(Json(OpenIdDone { signed_in: Some(told), ..done(OpenIdPurpose::SignIn) })))
        }
        (Purpose::SignIn { .. }, None) => {
            if visitor.kind != store::StoredPersonKind::Guest {
                // An account that is signed in adds the provider on its own page.
                return Err(Refusal::new(StatusCode::CONFLICT, Problem::new("is-an-account")));
            }
            let name = identity.name.as_deref().and_then(|name| Name::read(name, NameKind::Account).ok());
            let name = name.map(|name| name.as_str().to_owned());
            let store = app.hall.store.as_ref();
            let openid = provider(&app)?;
            let ticket = Some(openid.keep(store, network, &person, identity, now_ms).await?);
            Ok(Json(OpenIdDone { ticket, name, ..done(OpenIdPurpose::SignIn) }).into_response())
        }
        (Purpose::Add, _) => {
            let credential = credential(&app, identity, now_ms);
            may_be_added(&app, &credential, now_ms).await?;
            let note = client.note(&person, Act::OpenIdAdded, now_ms);
            let note = Note { detail: credential.label.clone(), ..note };
            let change = Change::AddCredential { person, credential };
            app.hall.store.accounts.change(change, Some(note)).await.map_err(|why| match why {
                StoreError::Conflict => Problem::new("credentials-full").with("limit", MOST_OPEN_IDS).into(),
                StoreError::Taken => Refusal::new(StatusCode::CONFLICT, Problem::new("openid-taken")),
                why => broken(why),
            })?;
            Ok(Json(done(OpenIdPurpose::Add)).into_response())
        }
        (Purpose::Confirm, found) => {
            let own = found.filter(|account| account.person.id == person);
            let own = own.ok_or_else(|| Refusal::forbidden(Problem::new("openid-other")))?;
            let change = Change::Prove { hash: signed.hash, used: used(&own), now_ms };
            app.hall.store.accounts.change(change, None).await.map_err(broken)?;
            Ok(Json(done(OpenIdPurpose::Confirm)).into_response())
        }
    }
}

/// Returns the purpose and the identity of a visitor who comes back from the provider, with the account that has it.
async fn comes_back(
    app: &App,
    visitor: &Visitor,
    wish: &OpenIdAnswer,
) -> Result<(Purpose, Identity, Option<Account>), NoSession> {
    let openid = provider(app)?;
    let person = &visitor.player.id;
    let (store, now_ms) = (app.hall.store.as_ref(), app.hall.time.now_ms());
    let told = openid.answered(store, person, &wish.state, &wish.code, now_ms).await;
    let (purpose, identity) = told.map_err(refused)?;
    attempt_of(visitor).was_right(app);
    let found = app.hall.store.accounts.account(Find::OpenId(&identity.key)).await.map_err(broken)?;
    Ok((purpose, identity, found.filter(Account::is_account)))
}
