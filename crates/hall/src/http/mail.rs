//! The e-mail address of an account, and the links in letters. No link has an effect by being opened: mail programs
//! and virus scanners open them all.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use edge::network::Asker;
use kernel::Problem;
use members::client::Client;
use people::account::Act;
use people::mail::{Address, Purpose, link_hash};
use people::secret::new_id;
use people::{Password, Secret};
use serde::Deserialize;
use store::StoreError;
use store::accounts::{Change, Credential, NewSession};
use store::mail::MailLink as StoredLink;
use texts::Language;
use wire::{LostPassword, MailConfirmed, MailLink, MailTold, NewDigest, NewMail, RecoverByMail};

use super::ask::{Body, UrlQuery};
use super::session::{new_password, signed_in};
use crate::app::App;
use crate::refusal::{Refusal, broken};
use crate::signing::{Attempt, NoSession, Proved, Signing, Way};
use crate::visitor::Signed;

fn slow_down(wait: edge::budget::Wait) -> Refusal {
    Refusal::too_many(wait.seconds())
}

/// Converts a problem to a refusal: letters may be off, which is not the client's fault.
fn refused(why: Problem) -> Refusal {
    if why.key == "mail-off" { Refusal::forbidden(why) } else { why.into() }
}

async fn told(app: &App, person: &str) -> Result<Json<MailTold>, Refusal> {
    Ok(Json(app.hall.members.letters.mail_of(person).await?))
}

pub(super) async fn mail(
    State(app): State<App>,
    signed: Result<Signed, Refusal>,
) -> Result<Json<MailTold>, Refusal> {
    match signed.and_then(Signed::owner) {
        Ok(signed) => told(&app, &signed.person.id).await,
        Err(_) => Ok(Json(MailTold { on: app.hall.members.letters.is_open(), ..MailTold::default() })),
    }
}

pub(super) async fn set_mail(
    State(app): State<App>,
    signed: Signed,
    Body(wish): Body<NewMail>,
) -> Result<(StatusCode, Json<MailTold>), Refusal> {
    let Signed { person, asker, .. } = signed.confirmed(app.hall.time.now_ms())?;
    let address = Address::read(&wish.address)?;
    let mailbox = app.hall.members.letters.mailbox(&address).map_err(refused)?;
    app.hall.rates.letter(&asker, mailbox).map_err(slow_down)?;
    let name = person.name.as_deref().unwrap_or_default();
    let language = Language::preferred(&wish.lang);
    app.hall.members.letters.ask_to_confirm(&person.id, name, &address, language).await.map_err(refused)?;
    Ok((StatusCode::ACCEPTED, told(&app, &person.id).await?))
}

pub(super) async fn remove_mail(
    State(app): State<App>,
    signed: Signed,
    client: Client,
) -> Result<Json<MailTold>, Refusal> {
    let now_ms = app.hall.time.now_ms();
    let Signed { person, .. } = signed.confirmed(now_ms)?;
    let before = app.hall.store.mail.mail_address(&person.id).await.map_err(broken)?;
    let note = client.note(&person.id, Act::MailRemoved, now_ms);
    let change = Change::RemoveMail { person: person.id.clone() };
    app.hall.store.accounts.change(change, Some(note)).await.map_err(|why| match why {
        StoreError::Missing => Refusal::unknown(Problem::new("mail-none")),
        why => broken(why),
    })?;
    app.hall.members.notices.count_devices(&person.id).await.map_err(broken)?;
    if let Some(before) = before {
        app.hall.members.letters.tell_replaced(&before, person.name.as_deref().unwrap_or_default());
    }
    told(&app, &person.id).await
}

pub(super) async fn set_digest(
    State(app): State<App>,
    signed: Signed,
    Body(wish): Body<NewDigest>,
) -> Result<Json<MailTold>, Refusal> {
    let signed = signed.account()?;
    let language = Language::preferred(&wish.lang);
    app.hall.members.letters.set_digest(&signed.person.id, wish.on, language).await.map_err(refused)?;
    told(&app, &signed.person.id).await
}

/// Returns the link whose last part this is, with the name of its account; `None` when it is no such link, or has expired.
async fn link(app: &App, text: &str, purpose: Purpose) -> Result<Option<(StoredLink, String)>, Refusal> {
    let Some(secret) = Secret::read(text) else { return Ok(None) };
    let found = app.hall.store.mail.mail_link(link_hash(&secret), app.hall.time.now_ms()).await;
    Ok(found.map_err(broken)?.filter(|(link, _)| link.purpose == purpose))
}

pub(super) async fn confirm(
    State(app): State<App>,
    client: Client,
    Body(wish): Body<MailLink>,
) -> Result<Json<MailConfirmed>, Refusal> {
    let expired = || Refusal::forbidden(Problem::new("mail-link"));
    let (link, name) = link(&app, &wish.link, Purpose::Confirm).await?.ok_or_else(expired)?;
    let before = app.hall.store.mail.mail_address(&link.person).await.map_err(broken)?;
    let now_ms = app.hall.time.now_ms();
    let note = client.note(&link.person, Act::MailConfirmed, now_ms);
    let change = Change::ConfirmMail { person: link.person.clone(), link: link.hash, now_ms };
    app.hall.store.accounts.change(change, Some(note)).await.map_err(|why| match why {
        StoreError::Missing => expired(),
        StoreError::Taken => Refusal::forbidden(Problem::new("held-back")),
        StoreError::Conflict => {
            let limit = people::mail::MOST_ACCOUNTS;
            Refusal::new(StatusCode::CONFLICT, Problem::new("mail-full").with("limit", limit))
        }
        why => broken(why),
    })?;
    if let Some(before) = before.filter(|before| before.mailbox != link.mailbox) {
        app.hall.members.letters.tell_replaced(&before, &name);
    }
    Ok(Json(MailConfirmed { address: link.address, name }))
}

#[derive(Deserialize)]
pub(super) struct Stop {
    letter: String,
    #[serde(default)]
    again: bool,
}

pub(super) async fn stop(
    State(app): State<App>,
    UrlQuery(wish): UrlQuery<Stop>,
) -> Result<StatusCode, Refusal> {
    app.hall.members.letters.stop_letters(&wish.letter, !wish.again).await.map_err(refused)?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn lost_password(
    State(app): State<App>,
    asker: Asker,
    Body(wish): Body<LostPassword>,
) -> Result<StatusCode, Refusal> {
    let address = Address::read(&wish.address)?;
    let mailbox = app.hall.members.letters.mailbox(&address).map_err(refused)?;
    app.hall.rates.letter(&asker, mailbox).map_err(slow_down)?;
    app.hall.members.letters.ask_to_recover(address).map_err(refused)?;
    Ok(StatusCode::ACCEPTED)
}

pub(super) async fn recover(
    State(app): State<App>,
    asker: Asker,
    client: Client,
    headers: HeaderMap,
    Body(wish): Body<RecoverByMail>,
) -> Result<Response, Refusal> {
    let (app, client, headers) = (&app, &client, &headers);
    let signing = Signing { app, client, headers, way: Way::Letter, bring: wish.bring };
    let begun = signing.end(by_letter(app, &asker, &wish).await).await?;
    let told = signed_in(app, client, &begun, Vec::new()).await?;
    Ok(begun.respond(Json(told)))
}

async fn by_letter(
    app: &App,
    asker: &Asker,
    wish: &RecoverByMail,
) -> Result<Proved<impl Fn(NewSession) -> Change>, NoSession> {
    let (link, name) = link(app, &wish.link, Purpose::Recover).await?.ok_or(NoSession::Unproved)?;
    let password = Password::choose(&wish.password, &name)?;
    let hash = app.work(asker, move |_| password.hash()).await?;
    let (person, now_ms) = (link.person, app.hall.time.now_ms());
    let (password, whose) = (new_password(hash, now_ms), person.clone());
    let change = move |session| Change::RecoverByMail {
        person: whose.clone(),
        link: link.hash,
        password: Credential { id: new_id(), ..password.clone() },
        session,
        now_ms,
    };
    Ok(Proved { person, attempt: Attempt::Free, new_name: None, change })
}
