//! Tokens of programs: made, shown once, revoked.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kernel::Problem;
use members::client::Client;
use people::Secret;
use people::account::Act;
use people::secret::new_id;
use people::token::{Scope, Scopes};
use store::StoreError;
use store::accounts::{Change, MOST_TOKENS, Note, Token};
use wire::{MadeToken, NewToken, TokenLine};

use super::account::label;
use super::ask::{Body, Path};
use crate::app::App;
use crate::refusal::{Refusal, broken};
use crate::visitor::Signed;

/// The longest validity of a token, in days.
const MOST_DAYS: u32 = 366;
const DAY_MS: u64 = 86_400_000;
/// The number of attempts to find a free random id; a collision is very unlikely.
const TRIES: usize = 4;

/// Returns a token in the form for its owner.
pub(super) fn line(token: Token) -> TokenLine {
    TokenLine {
        id: token.id,
        name: token.label,
        scopes: token.scopes.iter().map(Scope::name).map(str::to_owned).collect(),
        made_ms: token.made_ms,
        expires_ms: token.expires_ms,
        used_ms: token.used_ms,
    }
}

pub(super) async fn make(
    State(app): State<App>,
    signed: Signed,
    client: Client,
    Body(wish): Body<NewToken>,
) -> Result<(StatusCode, Json<MadeToken>), Refusal> {
    let now_ms = app.hall.time.now_ms();
    let Signed { person, .. } = signed.confirmed(now_ms)?;
    let scopes = Scopes::read(wish.scopes.iter().map(String::as_str))?;
    let label = label(Some(&wish.name))?.ok_or_else(|| Problem::new("name-empty"))?;
    if !(1..=MOST_DAYS).contains(&wish.days) {
        return Err(Problem::new("token-days").with("limit", MOST_DAYS).into());
    }
    let note = client.note(&person.id, Act::TokenMade, now_ms);
    let note = Note { detail: Some(format!("{label}: {scopes}")), ..note };
    for _ in 0..TRIES {
        let secret = Secret::new_token();
        let token = Token {
            id: new_id(),
            label: label.clone(),
            scopes,
            made_ms: now_ms,
            expires_ms: now_ms + u64::from(wish.days) * DAY_MS,
            used_ms: None,
        };
        let change =
            Change::AddToken { person: person.id.clone(), hash: secret.hash(), token: token.clone() };
        match app.hall.store.accounts.change(change, Some(note.clone())).await {
            Ok(()) => {
                let made = MadeToken { token: secret.reveal().to_owned(), line: line(token) };
                return Ok((StatusCode::CREATED, Json(made)));
            }
            Err(StoreError::Taken) => {}
            Err(StoreError::Conflict) => {
                return Err(Problem::new("tokens-full").with("limit", MOST_TOKENS).into());
            }
            Err(why) => return Err(broken(why)),
        }
    }
    Err(Refusal::not_stored())
}

pub(super) async fn revoke(
    State(app): State<App>,
    signed: Signed,
    client: Client,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let Signed { person, .. } = signed.account()?;
    let note = client.note(&person.id, Act::TokenRevoked, app.hall.time.now_ms());
    let change = Change::RemoveToken { person: person.id.clone(), id };
    app.hall.store.accounts.change(change, Some(note)).await.map_err(|why| match why {
        StoreError::Missing => Refusal::unknown(Problem::new("token-unknown")),
        why => broken(why),
    })?;
    app.hall.changed(&person.id);
    Ok(StatusCode::NO_CONTENT)
}
