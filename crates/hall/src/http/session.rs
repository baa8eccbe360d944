//! Signing in and out: by password, passkey, recovery code, or a code that another device confirms.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use edge::network::{Asker, Network};
use kernel::Problem;
use people::account::Act;
use people::passkey::Using;
use people::recovery::Code;
use people::secret::{new_id, random_text};
use people::{Password, Secret};
use serde::Serialize;
use store::accounts::{Change, Credential, CredentialKind, NewSession, Note};
use store::{Account, Find, StoreError};
use wire::{
    Confirm, DeviceAsks, DeviceTold, DeviceWaits, PasskeyAnswer, PasskeyQuestion, PasskeySignIn, Recover,
    SignIn, SignedIn,
};

use super::ask::Body;
use super::people::who_is;
use crate::account::{cookie, no_cookie, secret_of};
use crate::accounts::{CODE, Client, QUESTION_MS, devices};
use crate::app::App;
use crate::refusal::Refusal;
use crate::visitor::{ClientIp, Signed};

/// Returns 503, for a store that fails.
pub(super) fn broken(why: StoreError) -> Refusal {
    tracing::error!(%why, "an account was not read or stored");
    Refusal::not_stored()
}

/// Returns 429, for too many tries.
pub(super) fn slow_down(wait: edge::budget::Wait) -> Refusal {
    let seconds = wait.seconds();
    let problem = Problem::new("too-many-tries").with("seconds", seconds);
    Refusal { retry_after: Some(seconds), ..Refusal::new(StatusCode::TOO_MANY_REQUESTS, problem) }
}

/// The client that asks to be signed in, with its address and headers.
pub(super) struct Door<'a> {
    pub app: &'a App,
    pub client: &'a Client,
    pub headers: &'a HeaderMap,
}

impl Door<'_> {
    /// Signs an account in on this device. An earlier sign-in on the device ends; the games of a guest come along
    /// when they wish. `wrap` makes the body of the answer.
    pub async fn open<T: Serialize>(
        &self,
        person: &str,
        act: Act,
        used: Option<(String, Option<String>)>,
        bring: bool,
        wrap: impl FnOnce(SignedIn) -> T,
    ) -> Result<Response, Refusal> {
        let now_ms = self.app.hall.time.now_ms();
        let note = self.client.note(person, act, now_ms);
        let change = |session: NewSession| Change::SignIn {
            person: person.to_owned(),
            session,
            used: used.clone(),
            now_ms,
        };
        let secret = self.app.hall.open_session(self.client, note, change).await.map_err(broken)?;
        self.leave_former(person, bring).await;
        self.answer_with(&secret, Vec::new(), StatusCode::OK, wrap).await
    }

    /// Ends the earlier session of this device: a guest's games go to the account when they wish; another sign-in
    /// ends.
    pub async fn leave_former(&self, person: &str, bring: bool) {
        let hall = &self.app.hall;
        let Ok(Some(former)) = secret_of(self.headers, self.app.jar()) else { return };
        let Ok(Some(known)) = hall.known(&former).await else { return };
        let id = known.player.id;
        match known.kind {
            store::Kind::Guest if bring => hall.bring(&id, person).await,
            store::Kind::Guest => {}
            _ => drop(hall.store.accounts.change(Change::SignOut { hash: former.hash() }, None).await),
        }
        hall.changed(&id);
    }

    /// Answers a person who is signed in now, with the new cookie.
    pub async fn answer(
        &self,
        secret: &Secret,
        recovery: Vec<String>,
        status: StatusCode,
    ) -> Result<Response, Refusal> {
        self.answer_with(secret, recovery, status, |told| told).await
    }

    async fn answer_with<T: Serialize>(
        &self,
        secret: &Secret,
        recovery: Vec<String>,
        status: StatusCode,
        wrap: impl FnOnce(SignedIn) -> T,
    ) -> Result<Response, Refusal> {
        let told = wrap(self.told(secret, recovery).await?);
        let mut response = (status, Json(told)).into_response();
        if !self.is_program() {
            let cookie = cookie(secret, self.app.jar());
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        Ok(response)
    }

    async fn told(&self, secret: &Secret, recovery: Vec<String>) -> Result<SignedIn, Refusal> {
        let known = self.app.hall.known(secret).await.map_err(broken)?.ok_or_else(Refusal::unauthorized)?;
        let me = who_is(self.app, known.player, known.kind, self.client.network).await;
        // A page never sees the secret: a script that got in could read it.
        let secret = self.is_program().then(|| secret.reveal().to_owned());
        Ok(SignedIn { me, recovery, secret })
    }

    fn is_program(&self) -> bool {
        self.headers.contains_key(header::AUTHORIZATION)
    }
}

pub(super) async fn sign_in(
    State(app): State<App>,
    asker: Asker,
    client: Client,
    headers: HeaderMap,
    Body(wish): Body<SignIn>,
) -> Result<Response, Refusal> {
    let password = Password::read(&wish.password)?;
    let key = people::name::fold(&wish.name);
    app.hall.rates.sign_in(asker.network, &key).map_err(slow_down)?;
    let account = app.hall.account_named(&wish.name).await.map_err(broken)?;
    let Some((account, credential)) = proved(&app, &asker, account, password).await? else {
        return Err(Refusal::forbidden(Problem::new("sign-in-failed")));
    };
    app.hall.rates.signed_in(asker.network, &key);
    let door = Door { app: &app, client: &client, headers: &headers };
    door.open(&account.person.id, Act::SignedIn, Some((credential, None)), wish.bring, |told| told).await
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
    if signed.person.kind == store::Kind::Guest {
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
) -> Result<(Account, String, Option<String>), Refusal> {
    let passkeys = app.passkeys.clone().ok_or_else(no_passkeys)?;
    let late = || Problem::new("passkey-late");
    let (store, now_ms) = (app.hall.store.as_ref(), app.hall.time.now_ms());
    let using: Option<Using> = app.using.take(store, &answered.id, now_ms).await.map_err(broken)?;
    let using = using.ok_or_else(late)?;
    let answer = passkeys.read(answered.answer)?;
    let unknown = || Refusal::forbidden(Problem::new("passkey-unknown"));
    let account = app.hall.store.accounts.account(Find::Passkey(&answer.key)).await.map_err(broken)?;
    let account = account.filter(|account| account.is_account() && account.person.id == answer.person);
    let account = account.ok_or_else(unknown)?;
    let credential = account.credentials.iter().find(|c| c.key.as_ref() == Some(&answer.key));
    let Credential { id, body, .. } = credential.cloned().ok_or_else(unknown)?;
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
    let (account, id, body) = passkey_of(&app, &asker, wish.passkey).await?;
    let door = Door { app: &app, client: &client, headers: &headers };
    door.open(&account.person.id, Act::SignedInByPasskey, Some((id, body)), wish.bring, |told| told).await
}

pub(super) async fn recover(
    State(app): State<App>,
    asker: Asker,
    client: Client,
    headers: HeaderMap,
    Body(wish): Body<Recover>,
) -> Result<Response, Refusal> {
    app.hall.rates.recovery(asker.network).map_err(slow_down)?;
    let password = Password::choose(&wish.password, &wish.name)?;
    let account = app.hall.account_named(&wish.name).await.map_err(broken)?;
    let hash = app.work(&asker, move |_| password.hash()).await?;
    let failed = || Refusal::forbidden(Problem::new("recovery-failed"));
    let (account, code) = account.zip(Code::read(&wish.code)).ok_or_else(failed)?;
    let (person, now_ms) = (account.person.id, app.hall.time.now_ms());
    let password = new_password(hash, now_ms);
    let change = |session| Change::Recover {
        person: person.clone(),
        code: code.hash(&person),
        password: Credential { id: new_id(), ..password.clone() },
        session,
        now_ms,
    };
    let note = client.note(&person, Act::Recovered, now_ms);
    let secret = app.hall.open_session(&client, note, change).await.map_err(|why| match why {
        StoreError::Missing => failed(),
        why => broken(why),
    })?;
    app.hall.rates.recovered(asker.network);
    app.hall.changed(&person);
    let door = Door { app: &app, client: &client, headers: &headers };
    door.leave_former(&person, wish.bring).await;
    door.answer(&secret, Vec::new(), StatusCode::OK).await
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
    let Signed { session, person, hash, asker } = signed.account()?;
    let failed = || Refusal::forbidden(Problem::new("sign-in-failed"));
    let used = match (wish.passkey, wish.password) {
        (Some(passkey), _) => {
            let (account, id, body) = passkey_of(&app, &asker, passkey).await?;
            if account.person.id != person.id {
                return Err(failed());
            }
            (id, body)
        }
        (None, password) => {
            let password = Password::read(&password.unwrap_or_default())?;
            let key = format!("session {}", session.id);
            app.hall.rates.sign_in(asker.network, &key).map_err(slow_down)?;
            let account = app.hall.store.accounts.account(Find::Id(&person.id)).await.map_err(broken)?;
            let (_, id) = proved(&app, &asker, account, password).await?.ok_or_else(failed)?;
            app.hall.rates.signed_in(asker.network, &key);
            (id, None)
        }
    };
    let change = Change::Prove { hash, used: Some(used), now_ms: app.hall.time.now_ms() };
    app.hall.store.accounts.change(change, None).await.map_err(broken)?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn device_waits(
    State(app): State<App>,
    ClientIp(address): ClientIp,
) -> Result<(StatusCode, Json<DeviceWaits>), Refusal> {
    let network = Network::of(address);
    app.hall.rates.sign_in(network, &format!("device {network}")).map_err(slow_down)?;
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
    let gone = || Refusal::unknown(Problem::new("device-code"));
    let now_ms = app.hall.time.now_ms();
    let device = Secret::read(&wish.device).ok_or_else(gone)?;
    let told = devices::told(app.hall.store.as_ref(), &device, now_ms).await.map_err(broken)?;
    let Some(person) = told.ok_or_else(gone)? else { return Ok(Json(DeviceTold { signed_in: None })) };
    let note = Note { detail: Some("device".to_owned()), ..client.note(&person, Act::SignedIn, now_ms) };
    let change = |session| Change::SignIn { person: person.clone(), session, used: None, now_ms };
    let secret = app.hall.open_session(&client, note, change).await.map_err(broken)?;
    let door = Door { app: &app, client: &client, headers: &headers };
    door.leave_former(&person, wish.bring).await;
    let told = door.told(&secret, Vec::new()).await?;
    // The request comes from a program that waited, and has no other way to the secret.
    Ok(Json(DeviceTold { signed_in: Some(SignedIn { secret: Some(secret.reveal().to_owned()), ..told }) }))
}
