//! The asker's own account: made of a guest, shown, changed, exported, closed.

use axum::Json;
use axum::body::Bytes as Part;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kernel::Problem;
use members::client::Client;
use members::questions::devices;
use people::Password;
use people::account::{Act, Role, days_to_rename};
use people::name::{Name, NameKind};
use people::recovery::Code;
use people::secret::new_id;
use serde::Deserialize;
use store::accounts::{Change, Credential, CredentialKind, MOST_PASSKEYS, NewSession, Note};
use store::{Account, Find, StoreError};
use tokio::sync::mpsc;
use wire::{
    AccountInfo, CredentialLine, DeviceCode, NewName, NewPassword, NotedLine, PasskeyAnswer, PasskeyQuestion,
    RecoveryCodes, SessionLine, SignUp, WantedName,
};

use super::ask::{Body, Path, UrlQuery};
use super::session::{new_password, no_passkeys, signed_in};
use super::streamed::streamed;
use super::token;
use crate::account::no_cookie;
use crate::app::App;
use crate::refusal::{Refusal, broken};
use crate::signing::{Attempt, NoSession, Proved, Signing, Way};
use crate::visitor::{Signed, Visitor};

/// The number of lines of the log that are shown with an account.
const NOTED: u32 = 50;
/// The most lines of the log in one answer to the staff.
const NOTED_ALL: u32 = 200;
/// The most letters of a label.
const LABEL: usize = 40;

/// Returns a label as it is stored; `None` when it is empty after cleaning.
pub(super) fn label(text: Option<&str>) -> Result<Option<String>, Problem> {
    let clean: String =
        text.unwrap_or_default().chars().filter(|c| !c.is_control()).take(LABEL + 1).collect();
    if clean.chars().count() > LABEL {
        return Err(Problem::new("label-too-long").with("limit", LABEL));
    }
    let clean = clean.trim();
    Ok((!clean.is_empty()).then(|| clean.to_owned()))
}

/// Validates the name of an account. The store checks that it is free.
fn account_name(text: &str) -> Result<Name, Problem> {
    Name::read(text, NameKind::Account)
}

fn taken(name: &Name) -> Refusal {
    Refusal::new(StatusCode::CONFLICT, Problem::new("name-taken").with("name", name))
}

pub(super) async fn sign_up(
    State(app): State<App>,
    visitor: Visitor,
    client: Client,
    headers: HeaderMap,
    Body(wish): Body<SignUp>,
) -> Result<Response, Refusal> {
    let (app, client, headers) = (&app, &client, &headers);
    let signing = Signing { app, client, headers, way: Way::SignUp, bring: false };
    let codes = Code::eight();
    let begun = signing.end(founded(app, visitor, client, wish, &codes).await).await?;
    let told = signed_in(app, client, &begun, codes.iter().map(Code::reveal).collect()).await?;
    Ok(begun.respond((StatusCode::CREATED, Json(told))))
}

/// Returns a guest who may become an account, with the change that makes it.
async fn founded(
    app: &App,
    visitor: Visitor,
    client: &Client,
    wish: SignUp,
    codes: &[Code],
) -> Result<Proved<impl Fn(NewSession) -> Change>, NoSession> {
    let Visitor { player, kind, asker } = visitor;
    if kind != store::StoredPersonKind::Guest {
        return Err(Refusal::new(StatusCode::CONFLICT, Problem::new("is-an-account")).into());
    }
    let invitation =
        app.hall.members.staffed.may_register(wish.invitation.as_deref()).map_err(Refusal::forbidden)?;
    let name = account_name(&wish.name)?;
    // Before the long work, so that most are told at once.
    name_is_free(app, &name, &player.id).await?;
    let now_ms = app.hall.time.now_ms();
    let credential = match (wish.passkey, wish.openid) {
        (Some(passkey), _) => made_passkey(app, &player.id, client, passkey, now_ms).await?,
        (None, Some(ticket)) => {
            let openid = app.openid.get().ok_or_else(|| Problem::new("openid-off"))?;
            let kept = openid.kept(app.hall.store.as_ref(), &player.id, &ticket, now_ms).await?;
            super::openid::credential(app, kept, now_ms)
        }
        (None, None) => {
            let password = Password::choose(wish.password.as_deref().unwrap_or_default(), name.as_str())?;
            let hash = app.work(&asker, move |_| password.hash()).await?;
            new_password(hash, now_ms)
        }
    };
    may_be_added(app, &credential, now_ms).await?;
    app.hall.rates.account(asker.network).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let hashes: Vec<[u8; 32]> = codes.iter().map(|code| code.hash(&player.id)).collect();
    let (whose, new_name, folded) = (player.id.clone(), name.as_str().to_owned(), name.fold());
    let named = new_name.clone();
    let change = move |session| Change::Found {
        person: whose.clone(),
        name: named.clone(),
        folded: folded.clone(),
        credential: credential.clone(),
        recovery: hashes.clone(),
        session,
        invitation,
        now_ms,
    };
    Ok(Proved { person: player.id, attempt: Attempt::Free, new_name: Some(new_name), change })
}

/// Checks that no other person has or had that name.
async fn name_is_free(app: &App, name: &Name, person: &str) -> Result<(), Refusal> {
    match app.hall.store.accounts.account(Find::Name(&name.fold())).await.map_err(broken)? {
        Some(other) if other.person.id != person => Err(taken(name)),
        // The name of a closed account stays taken, even for guests.
        None if app.hall.store.staff.name_is_gone(&name.fold()).await.map_err(broken)? => Err(taken(name)),
        _ => Ok(()),
    }
}

/// Renames a guest at once, an account once in thirty days. Names of accounts are unique.
pub(super) async fn rename(
    app: &App,
    visitor: &Visitor,
    client: &Client,
    wish: &NewName,
) -> Result<Option<String>, Refusal> {
    let id = &visitor.player.id;
    if visitor.kind == store::StoredPersonKind::Guest {
        let name = crate::account::guest_name(&wish.name)?;
        if let Some(name) = &name {
            name_is_free(app, name, id).await?;
        }
        let name = name.map(|name| name.as_str().to_owned());
        app.hall.members.identity.rename(id, name.as_deref()).await.map_err(broken)?;
        return Ok(name);
    }
    let name = account_name(&wish.name)?;
    let account = app.hall.store.accounts.account(Find::Id(id)).await.map_err(broken)?;
    let now_ms = app.hall.time.now_ms();
    let days = account.and_then(|account| account.named_ms).map_or(0, |named| days_to_rename(named, now_ms));
    let soon = || Refusal::new(StatusCode::CONFLICT, Problem::new("name-too-soon").with("days", days.max(1)));
    if days > 0 {
        return Err(soon());
    }
    let note = Note { detail: Some(name.to_string()), ..client.note(id, Act::Renamed, now_ms) };
    let change = Change::Rename {
        person: id.clone(),
        name: name.as_str().to_owned(),
        folded: name.fold(),
        before_ms: now_ms.saturating_sub(people::account::RENAME_MS),
        now_ms,
    };
    app.hall.store.accounts.change(change, Some(note)).await.map_err(|why| match why {
        StoreError::Taken => taken(&name),
        StoreError::Conflict => soon(),
        why => broken(why),
    })?;
    app.hall.changed(id);
    Ok(Some(name.as_str().to_owned()))
}

pub(super) async fn account(State(app): State<App>, signed: Signed) -> Result<Json<AccountInfo>, Refusal> {
    let now_ms = app.hall.time.now_ms();
    let confirmed = signed.is_confirmed(now_ms);
    let Signed { session, person, .. } = signed.owner()?;
    let found = app.hall.store.accounts.account(Find::Id(&person.id)).await.map_err(broken)?;
    let Account { person, roles, named_ms, credentials, recovery, sessions, tokens } =
        found.ok_or_else(Refusal::unauthorized)?;
    let noted = app.hall.store.accounts.noted(Some(&person.id), None, NOTED).await.map_err(broken)?;
    let rename_days = named_ms.map_or(0, |named| days_to_rename(named, now_ms));
    Ok(Json(AccountInfo {
        id: person.id,
        name: person.name,
        roles: roles.iter().map(|role| role.name().to_owned()).collect(),
        made_ms: person.made_ms,
        rename_days: u32::try_from(rename_days).unwrap_or(u32::MAX),
        credentials: credentials
            .into_iter()
            .map(|c| CredentialLine {
                id: c.id,
                kind: match c.kind {
                    CredentialKind::Password => wire::CredentialKind::Password,
                    CredentialKind::Passkey => wire::CredentialKind::Passkey,
                    CredentialKind::OpenId => wire::CredentialKind::OpenId,
                },
                label: c.label,
                made_ms: c.made_ms,
                used_ms: c.used_ms,
            })
            .collect(),
        recovery,
        sessions: sessions
            .into_iter()
            .map(|s| SessionLine {
                here: s.id == session.id,
                id: s.id,
                label: s.label,
                made_ms: s.made_ms,
                used_ms: s.used_ms,
            })
            .collect(),
        tokens: tokens.into_iter().map(token::line).collect(),
        noted: noted.into_iter().map(noted_line).collect(),
        confirmed,
        passkeys: app.passkeys.is_some(),
    }))
}

fn noted_line((n, note): (u64, Note)) -> NotedLine {
    let Note { person, at_ms, act, network, device, detail } = note;
    NotedLine { n, person, at_ms, act, network, device, detail }
}

pub(super) async fn set_password(
    State(app): State<App>,
    signed: Signed,
    client: Client,
    Body(wish): Body<NewPassword>,
) -> Result<StatusCode, Refusal> {
    let now_ms = app.hall.time.now_ms();
    let Signed { person, asker, .. } = signed.confirmed(now_ms)?;
    let password = Password::choose(&wish.password, person.name.as_deref().unwrap_or_default())?;
    let hash = app.work(&asker, move |_| password.hash()).await?;
    let change = Change::AddCredential { person: person.id.clone(), credential: new_password(hash, now_ms) };
    let note = client.note(&person.id, Act::PasswordSet, now_ms);
    app.hall.store.accounts.change(change, Some(note)).await.map_err(broken)?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn set_recovery(
    State(app): State<App>,
    signed: Signed,
    client: Client,
) -> Result<(StatusCode, Json<RecoveryCodes>), Refusal> {
    let now_ms = app.hall.time.now_ms();
    let Signed { person, .. } = signed.confirmed(now_ms)?;
    let codes = Code::eight();
    let hashes = codes.iter().map(|code| code.hash(&person.id)).collect();
    let note = client.note(&person.id, Act::RecoveryMade, now_ms);
    let change = Change::SetRecovery { person: person.id, hashes };
    app.hall.store.accounts.change(change, Some(note)).await.map_err(broken)?;
    Ok((StatusCode::CREATED, Json(RecoveryCodes { codes: codes.iter().map(Code::reveal).collect() })))
}

pub(super) async fn ask_new_passkey(
    State(app): State<App>,
    visitor: Visitor,
    Body(wish): Body<WantedName>,
) -> Result<Json<PasskeyQuestion>, Refusal> {
    let passkeys = app.passkeys.as_ref().ok_or_else(no_passkeys)?;
    let (person, network) = (visitor.player.id, visitor.asker.network);
    let account = app.hall.store.accounts.account(Find::Id(&person)).await.map_err(broken)?;
    let account = account.filter(Account::is_account);
    let name = match account.as_ref().and_then(|account| account.person.name.clone()) {
        Some(name) => name,
        None => {
            let name = account_name(&wish.name)?;
            name_is_free(&app, &name, &person).await?;
            name.as_str().to_owned()
        }
    };
    let known: Vec<&str> = account
        .iter()
        .flat_map(|account| &account.credentials)
        .filter(|credential| credential.kind == CredentialKind::Passkey)
        .map(|credential| credential.body.as_str())
        .collect();
    let (question, adding) = passkeys.add(&person, &name, &known)?;
    let (store, now_ms) = (app.hall.store.as_ref(), app.hall.time.now_ms());
    let id = app.adding.put(store, network, &(person, adding), now_ms).await.map_err(broken)?;
    Ok(Json(PasskeyQuestion { id, question }))
}

/// Verifies the passkey that was made for that person.
async fn made_passkey(
    app: &App,
    person: &str,
    client: &Client,
    answered: PasskeyAnswer,
    now_ms: u64,
) -> Result<Credential, Refusal> {
    let passkeys = app.passkeys.as_ref().ok_or_else(no_passkeys)?;
    let label = label(answered.label.as_deref())?.or_else(|| client.device.clone());
    let asked = app.adding.take(app.hall.store.as_ref(), &answered.id, now_ms).await.map_err(broken)?;
    let asked = asked.filter(|(whose, _)| whose == person);
    let (_, adding) = asked.ok_or_else(|| Problem::new("passkey-late"))?;
    let made = passkeys.added(&adding, answered.answer)?;
    Ok(Credential {
        kind: CredentialKind::Passkey,
        id: new_id(),
        label,
        body: made.body,
        key: Some(made.key),
        made_ms: now_ms,
        used_ms: None,
    })
}

/// Refuses a passkey or an account elsewhere that is held back: the staff had closed or suspended the account that had it.
pub(super) async fn may_be_added(app: &App, credential: &Credential, now_ms: u64) -> Result<(), Refusal> {
    match &credential.key {
        Some(key) if app.hall.store.staff.is_held(key, now_ms).await.map_err(broken)? => {
            Err(Refusal::forbidden(Problem::new("held-back")))
        }
        _ => Ok(()),
    }
}

pub(super) async fn add_passkey(
    State(app): State<App>,
    signed: Signed,
    client: Client,
    Body(wish): Body<PasskeyAnswer>,
) -> Result<StatusCode, Refusal> {
    let now_ms = app.hall.time.now_ms();
    let Signed { person, .. } = signed.confirmed(now_ms)?;
    let credential = made_passkey(&app, &person.id, &client, wish, now_ms).await?;
    may_be_added(&app, &credential, now_ms).await?;
    let note = client.note(&person.id, Act::PasskeyAdded, now_ms);
    let note = Note { detail: credential.label.clone(), ..note };
    let change = Change::AddCredential { person: person.id, credential };
    app.hall.store.accounts.change(change, Some(note)).await.map_err(|why| match why {
        StoreError::Conflict => Problem::new("credentials-full").with("limit", MOST_PASSKEYS).into(),
        StoreError::Taken => Problem::new("passkey-malformed").into(),
        why => broken(why),
    })?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn remove_credential(
    State(app): State<App>,
    signed: Signed,
    client: Client,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let now_ms = app.hall.time.now_ms();
    let Signed { person, .. } = signed.confirmed(now_ms)?;
    let unknown = || Refusal::unknown(Problem::new("credential-unknown"));
    let account = app.hall.store.accounts.account(Find::Id(&person.id)).await.map_err(broken)?;
    let account = account.ok_or_else(Refusal::unauthorized)?;
    let credential = account.credentials.iter().find(|credential| credential.id == id).ok_or_else(unknown)?;
    let act = match credential.kind {
        CredentialKind::Password => Act::PasswordRemoved,
        CredentialKind::Passkey => Act::PasskeyRemoved,
        CredentialKind::OpenId => Act::OpenIdRemoved,
    };
    let note = Note { detail: credential.label.clone(), ..client.note(&person.id, act, now_ms) };
    let change = Change::RemoveCredential { person: person.id, id };
    app.hall.store.accounts.change(change, Some(note)).await.map_err(|why| match why {
        StoreError::Missing => unknown(),
        StoreError::Conflict => Refusal::new(StatusCode::CONFLICT, Problem::new("credential-last")),
        why => broken(why),
    })?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn end_session(
    State(app): State<App>,
    signed: Signed,
    client: Client,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let Signed { person, .. } = signed.account()?;
    let note = client.note(&person.id, Act::OthersSignedOut, app.hall.time.now_ms());
    let change = Change::EndSession { person: person.id.clone(), id };
    app.hall.store.accounts.change(change, Some(note)).await.map_err(|why| match why {
        StoreError::Missing => Refusal::unknown(Problem::new("session-unknown")),
        why => broken(why),
    })?;
    app.hall.changed(&person.id);
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn confirm_device(
    State(app): State<App>,
    signed: Signed,
    client: Client,
    Body(wish): Body<DeviceCode>,
) -> Result<StatusCode, Refusal> {
    let now_ms = app.hall.time.now_ms();
    let Signed { person, asker, .. } = signed.confirmed(now_ms)?;
    let key = format!("code {}", person.id);
    app.hall.rates.sign_in(asker.network, &key).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let code: String = wish.code.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    let unknown = || Refusal::unknown(Problem::new("device-code"));
    let store = app.hall.store.as_ref();
    let device = devices::shown(store, &code.to_ascii_lowercase(), now_ms).await.map_err(broken)?;
    let device = device.ok_or_else(unknown)?;
    let note = client.note(&person.id, Act::DeviceConfirmed, now_ms);
    app.hall.store.accounts.change(Change::Note, Some(note)).await.map_err(broken)?;
    if !devices::confirm(store, device, &person.id, now_ms).await.map_err(broken)? {
        return Err(unknown());
    }
    app.hall.rates.signed_in(asker.network, &key);
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn export(
    State(app): State<App>,
    signed: Signed,
    client: Client,
) -> Result<Response, Refusal> {
    let now_ms = app.hall.time.now_ms();
    let signed = if signed.person.kind == store::StoredPersonKind::Guest {
        signed
    } else {
        signed.confirmed(now_ms)?
    };
    let person = signed.person.id;
    app.hall.rates.map(&signed.asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    if signed.person.kind != store::StoredPersonKind::Guest {
        let note = client.note(&person, Act::Exported, now_ms);
        app.hall.store.accounts.change(Change::Note, Some(note)).await.map_err(broken)?;
    }
    let (lines, read) = mpsc::channel::<Result<Part, std::io::Error>>(4);
    let hall = app.hall.clone();
    tokio::spawn(async move {
        let put = |line: String| {
            let lines = lines.clone();
            async move { lines.send(Ok(Part::from(line))).await.is_ok() }
        };
        if let Err(why) = crate::export::write(hall.store.as_ref(), &person, put).await {
            tracing::warn!(%why, "an export broke off");
            // Who reads must not take the part for the whole.
            let _ = lines.send(Err(std::io::Error::other("the store failed"))).await;
        }
    });
    let parts = futures_util::stream::unfold(read, async |mut read| Some((read.recv().await?, read)));
    let headers = [
        (header::CONTENT_TYPE, "application/jsonl; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"qiguan.jsonl\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, streamed(parts)).into_response())
}

pub(super) async fn close(
    State(app): State<App>,
    signed: Signed,
    Body(wish): Body<WantedName>,
) -> Result<Response, Refusal> {
    let now_ms = app.hall.time.now_ms();
    let Signed { person, .. } = signed.confirmed(now_ms)?;
    if person.name.as_deref().map(people::name::fold) != Some(people::name::fold(&wish.name)) {
        return Err(Problem::new("closing-name").into());
    }
    // No game waits for who is gone.
    app.hall.stop_vacation(&person.id).await?;
    // Without address and device: nothing of the person is kept.
    let note = Note::new(&person.id, Act::Closed, now_ms);
    app.hall
        .store
        .accounts
        .change(Change::Close { person: person.id.clone() }, Some(note))
        .await
        .map_err(broken)?;
    app.hall.changed(&person.id);
    let hall = app.hall.clone();
    tokio::spawn(async move { hall.finish_closing().await });
    let clear = [(header::SET_COOKIE, no_cookie(app.jar()))];
    Ok((StatusCode::NO_CONTENT, clear).into_response())
}

#[derive(Deserialize)]
pub(super) struct Below {
    person: Option<String>,
    below: Option<u64>,
}

pub(super) async fn noted(
    State(app): State<App>,
    visitor: Visitor,
    UrlQuery(wish): UrlQuery<Below>,
) -> Result<Json<Vec<NotedLine>>, Refusal> {
    let account = app.hall.store.accounts.account(Find::Id(&visitor.player.id)).await.map_err(broken)?;
    if !account.is_some_and(|account| account.roles.contains(&Role::Admin)) {
        return Err(Refusal::forbidden(Problem::new("not-staff")));
    }
    let found =
        app.hall.store.accounts.noted(wish.person.as_deref(), wish.below, NOTED_ALL).await.map_err(broken)?;
    Ok(Json(found.into_iter().map(noted_line).collect()))
}
