//! Signing in and out: by password, passkey, recovery code, or a code that another device confirms.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use edge::network::{Asker, Network};
use kernel::Problem;
use members::client::Client;
use members::questions::{CODE, QUESTION_MS, devices};
use people::account::Act;
use people::passkey::Using;
use people::recovery::Code;
use people::secret::{new_id, random_text};
use people::{Password, Secret};
use store::accounts::{Change, Credential, CredentialKind, NewSession};
use store::{Account, Find};
use wire::{
    Confirm, DeviceAsks, DeviceTold, DeviceWaits, PasskeyAnswer, PasskeyQuestion, PasskeySignIn, Recover,
    SignIn, SignedIn,
};

use super::ask::Body;
use super::people::who_is;
use crate::account::no_cookie;
use crate::app::App;
use crate::refusal::{Refusal, broken};
use crate::signing::{Attempt, Begun, NoSession, Proved, Signing, Way, refuse};
use crate::visitor::{ClientIp, Signed};

/// Returns the body of the answer to a person who is signed in now. `recovery`: the codes of a new account.
pub(super) async fn signed_in(
    app: &App,
    client: &Client,
    begun: &Begun,
    recovery: Vec<String>,
) -> Result<SignedIn, Refusal> {
    let known = app.hall.known(&begun.secret).await.map_err(broken)?.ok_or_else(Refusal::unauthorized)?;
    let me = who_is(app, known.player, known.kind, client.network).await;
    Ok(SignedIn { me, recovery, secret: begun.shown() })
}

/// Ends an attempt to sign in, and answers.
async fn answer<C: Fn(NewSession) -> Change>(
    signing: &Signing<'_>,
    proved: Result<Proved<C>, NoSession>,
) -> Result<Response, Refusal> {
    let begun = signing.end(proved).await?;
    let told = signed_in(signing.app, signing.client, &begun, Vec::new()).await?;
    Ok(begun.respond(Json(told)))
}

/// Returns a person who was proved by a credential, which is noted as used. `used`: its id, and its form to be stored
/// from now on.
pub(super) fn proved_by(
    person: String,
    attempt: Attempt,
    used: Option<(String, Option<String>)>,
    now_ms: u64,
) -> Proved<impl Fn(NewSession) -> Change> {
    let whose = person.clone();
    let change = move |session| Change::SignIn { person: whose.clone(), session, used: used.clone(), now_ms };
    Proved { person, attempt, new_name: None, change }
}

pub(super) async fn sign_in(
    State(app): State<App>,
    asker: Asker,
    client: Client,
    headers: HeaderMap,
    Body(wish): Body<SignIn>,
) -> Result<Response, Refusal> {
    let (app, client, headers) = (&app, &client, &headers);
    let signing = Signing { app, client, headers, way: Way::Password, bring: wish.bring };
    answer(&signing, by_password(app, &asker, &wish).await).await
}

async fn by_password(
    app: &App,
    asker: &Asker,
    wish: &SignIn,
) -> Result<Proved<impl Fn(NewSession) -> Change>, NoSession> {
    let password = Password::read(&wish.password)?;
    let attempt = Attempt::At(asker.network, people::name::fold(&wish.name)).begin(app)?;
    let account = app.hall.members.accounts.named(&wish.name).await.map_err(broken)?;
    let (account, credential) = proved(app, asker, account, password).await?.ok_or(NoSession::Unproved)?;
    let used = Some((credential, None));
    Ok(proved_by(account.person.id, attempt, used, app.hall.time.now_ms()))
}

/// Returns the account and the id of its password, if the password is right. Takes as long where there is no account,
/// or no password.
async fn proved(
    app: &App,
    asker: &Asker,
    account: Option<Account>,
    password: Password,
) -> Result<Option<(Account, String)>, Refusal> {
    let kept = account.as_ref().and_then(Account::password).map(str::to_owned);
    let fits = app.work(asker, move |_| password.is(kept.as_deref())).await?;
    let Some(account) = account.filter(|_| fits) else { return Ok(None) };
    let of = |credential: &&Credential| credential.kind == CredentialKind::Password;
    let id = account.credentials.iter().find(of).map(|credential| credential.id.clone());
    Ok(id.map(|id| (account, id)))
}

pub(super) async fn sign_out(
    State(app): State<App>,
    signed: Signed,
    client: Client,
) -> Result<Response, Refusal> {
    if signed.person.kind == store::StoredPersonKind::Guest {
        return Err(Refusal::new(StatusCode::CONFLICT, Problem::new("guest-sign-out")));
    }
    let note = client.note(&signed.person.id, Act::SignedOut, app.hall.time.now_ms());
    app.hall
        .store
        .accounts
        .change(Change::SignOut { hash: signed.hash }, Some(note))
        .await
        .map_err(broken)?;
    app.hall.changed(&signed.person.id);
    let clear = [(header::SET_COOKIE, no_cookie(app.jar()))];
    Ok((StatusCode::NO_CONTENT, clear).into_response())
}

pub(super) async fn end_others(
    State(app): State<App>,
    signed: Signed,
    client: Client,
) -> Result<StatusCode, Refusal> {
    let Signed { person, hash, .. } = signed.account()?;
    let note = client.note(&person.id, Act::OthersSignedOut, app.hall.time.now_ms());
    let change = Change::EndOthers { person: person.id.clone(), but: hash };
    app.hall.store.accounts.change(change, Some(note)).await.map_err(broken)?;
    app.hall.changed(&person.id);
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn ask_passkey(
    State(app): State<App>,
    ClientIp(address): ClientIp,
) -> Result<Json<PasskeyQuestion>, Refusal> {
    let passkeys = app.passkeys.as_ref().ok_or_else(no_passkeys)?;
    let (question, using) = passkeys.ask()?;
    let (store, now_ms) = (app.hall.store.as_ref(), app.hall.time.now_ms());
    let id = app.using.put(store, Network::of(address), &using, now_ms).await.map_err(broken)?;
    Ok(Json(PasskeyQuestion { id, question }))
}

pub(super) fn no_passkeys() -> Refusal {
    Refusal::forbidden(Problem::new("passkey-nowhere"))
}

/// Verifies a passkey's answer. Returns its account, its id, and its form to be stored from now on.
async fn passkey_of(
    app: &App,
    asker: &Asker,
    answered: PasskeyAnswer,
) -> Result<(Account, String, Option<String>), NoSession> {
    let passkeys = app.passkeys.clone().ok_or_else(no_passkeys)?;
    let late = || Problem::new("passkey-late");
    let (store, now_ms) = (app.hall.store.as_ref(), app.hall.time.now_ms());
    let using: Option<Using> = app.using.take(store, &answered.id, now_ms).await.map_err(broken)?;
    let using = using.ok_or_else(late)?;
    let answer = passkeys.read(answered.answer)?;
    let account = app.hall.store.accounts.account(Find::Passkey(&answer.key)).await.map_err(broken)?;
    let account = account.filter(|account| account.is_account() && account.person.id == answer.person);
    let account = account.ok_or(NoSession::Unproved)?;
    let credential = account.credentials.iter().find(|c| c.key.as_ref() == Some(&answer.key));
    let Credential { id, body, .. } = credential.cloned().ok_or(NoSession::Unproved)?;
    let checked = app.work(asker, move |_| passkeys.check(using, &answer, &body)).await?;
    Ok((account, id, checked.map_err(|why| Refusal::new(StatusCode::FORBIDDEN, why))?))
}

pub(super) async fn sign_in_by_passkey(
    State(app): State<App>,
    asker: Asker,
    client: Client,
    headers: HeaderMap,
    Body(wish): Body<PasskeySignIn>,
) -> Result<Response, Refusal> {
    let (app, client, headers) = (&app, &client, &headers);
    let signing = Signing { app, client, headers, way: Way::Passkey, bring: wish.bring };
    let proved = passkey_of(app, &asker, wish.passkey).await.map(|(account, id, body)| {
        proved_by(account.person.id, Attempt::Free, Some((id, body)), app.hall.time.now_ms())
    });
    answer(&signing, proved).await
}

pub(super) async fn recover(
    State(app): State<App>,
    asker: Asker,
    client: Client,
    headers: HeaderMap,
    Body(wish): Body<Recover>,
) -> Result<Response, Refusal> {
    let (app, client, headers) = (&app, &client, &headers);
    let signing = Signing { app, client, headers, way: Way::Recovery, bring: wish.bring };
    answer(&signing, by_recovery_code(app, &asker, &wish).await).await
}

async fn by_recovery_code(
    app: &App,
    asker: &Asker,
    wish: &Recover,
) -> Result<Proved<impl Fn(NewSession) -> Change>, NoSession> {
    let attempt = Attempt::From(asker.network).begin(app)?;
    let password = Password::choose(&wish.password, &wish.name)?;
    let account = app.hall.members.accounts.named(&wish.name).await.map_err(broken)?;
    let hash = app.work(asker, move |_| password.hash()).await?;
    let (account, code) = account.zip(Code::read(&wish.code)).ok_or(NoSession::Unproved)?;
    let (person, now_ms) = (account.person.id, app.hall.time.now_ms());
    let (password, whose) = (new_password(hash, now_ms), person.clone());
    let change = move |session| Change::Recover {
        person: whose.clone(),
        code: code.hash(&whose),
        password: Credential { id: new_id(), ..password.clone() },
        session,
        now_ms,
    };
    Ok(Proved { person, attempt, new_name: None, change })
}

/// Makes the stored form of a password.
pub(super) fn new_password(hash: String, now_ms: u64) -> Credential {
    Credential {
        kind: CredentialKind::Password,
        id: new_id(),
        label: None,
        body: hash,
        key: None,
        made_ms: now_ms,
        used_ms: None,
    }
}

pub(super) async fn confirm(
    State(app): State<App>,
    signed: Signed,
    Body(wish): Body<Confirm>,
) -> Result<StatusCode, Refusal> {
    let signed = signed.account()?;
    let way = if wish.passkey.is_some() { Way::Passkey } else { Way::Password };
    let used = confirmed_by(&app, &signed, wish).await.map_err(|why| refuse(way, why))?;
    let change = Change::Prove { hash: signed.hash, used: Some(used), now_ms: app.hall.time.now_ms() };
    app.hall.store.accounts.change(change, None).await.map_err(broken)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the credential by which the owner of a session was confirmed: its id, and its form to be stored from now on.
async fn confirmed_by(
    app: &App,
    signed: &Signed,
    wish: Confirm,
) -> Result<(String, Option<String>), NoSession> {
    let Signed { session, person, asker, .. } = signed;
    if let Some(passkey) = wish.passkey {
        let (account, id, body) = passkey_of(app, asker, passkey).await?;
        if account.person.id != person.id {
            return Err(Refusal::forbidden(Problem::new("sign-in-failed")).into());
        }
        return Ok((id, body));
    }
    let password = Password::read(&wish.password.unwrap_or_default())?;
    let attempt = Attempt::At(asker.network, format!("session {}", session.id)).begin(app)?;
    let account = app.hall.store.accounts.account(Find::Id(&person.id)).await.map_err(broken)?;
    let (_, id) = proved(app, asker, account, password).await?.ok_or(NoSession::Unproved)?;
    attempt.was_right(app);
    Ok((id, None))
}

pub(super) async fn device_waits(
    State(app): State<App>,
    ClientIp(address): ClientIp,
) -> Result<(StatusCode, Json<DeviceWaits>), Refusal> {
    let network = Network::of(address);
    let attempt = Attempt::At(network, format!("device {network}")).begin(&app);
    attempt.map_err(|why| refuse(Way::Device, why))?;
    let (secret, now_ms) = (Secret::new(), app.hall.time.now_ms());
    let code = random_text(CODE);
    let store = app.hall.store.as_ref();
    devices::wait(store, network, &secret, &code, now_ms).await.map_err(broken)?;
    let code = format!("{}-{}", &code[..CODE / 2], &code[CODE / 2..]);
    let seconds = u32::try_from(QUESTION_MS / 1000).unwrap_or(u32::MAX);
    let waits = DeviceWaits { device: secret.reveal().to_owned(), code, seconds };
    Ok((StatusCode::CREATED, Json(waits)))
}

pub(super) async fn device_asks(
    State(app): State<App>,
    client: Client,
    headers: HeaderMap,
    Body(wish): Body<DeviceAsks>,
) -> Result<Json<DeviceTold>, Refusal> {
    let (app, client, headers) = (&app, &client, &headers);
    let signing = Signing { app, client, headers, way: Way::Device, bring: wish.bring };
    let now_ms = app.hall.time.now_ms();
    let proved = match at_device(app, &wish.device, now_ms).await {
        // A device that still waits has not tried to sign in.
        Ok(None) => return Ok(Json(DeviceTold { signed_in: None })),
        Ok(Some(person)) => Ok(proved_by(person, Attempt::Free, None, now_ms)),
        Err(why) => Err(why),
    };
    let begun = signing.end(proved).await?;
    let told = signed_in(app, client, &begun, Vec::new()).await?;
    // The request comes from a program that waited, and has no other way to the secret.
    let secret = Some(begun.secret.reveal().to_owned());
    Ok(Json(DeviceTold { signed_in: Some(SignedIn { secret, ..told }) }))
}

/// Returns the person who was confirmed to be at a device; `None` while it waits.
async fn at_device(app: &App, device: &str, now_ms: u64) -> Result<Option<String>, NoSession> {
    let device = Secret::read(device).ok_or(NoSession::Unproved)?;
    let told = devices::told(app.hall.store.as_ref(), &device, now_ms).await.map_err(broken)?;
    told.ok_or(NoSession::Unproved)
}
