//! The API for programs: streams of events and games, moves, offers. The paths are those that authors of programs
//! know from Lichess; see `docs/bots.md`.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use edge::acceptor::Streams;
use futures_util::stream;
use kernel::Problem;
use members::client::Client;
use people::Secret;
use people::account::Act as Noted;
use serde::Deserialize;
use store::together::Deed;
use store::{Change, StoreError, StoredPersonKind};
use table::State as Table;
use tokio::sync::mpsc;
use utoipa::ToSchema;
use wire::{Act, Offer};

use super::ask::{Body as AskedBody, Path};
use super::streamed::streamed;
use crate::account::secret_of;
use crate::app::App;
use crate::bots::{answer, side_of};
use crate::refusal::{Refusal, broken};
use crate::visitor::Visitor;
use crate::wrong::Wrong;

/// The most lines that a reader may fall behind; then the writer waits.
const BEHIND: usize = 16;

/// Checks that the visitor is a program.
fn program(visitor: Visitor) -> Result<Visitor, Refusal> {
    if visitor.kind == StoredPersonKind::Program {
        Ok(visitor)
    } else {
        Err(Refusal::forbidden(Problem::new("not-a-program")))
    }
}

fn secret(app: &App, headers: &HeaderMap) -> Result<Secret, Refusal> {
    secret_of(headers, app.jar())?.ok_or_else(Refusal::unauthorized)
}

/// Makes a body of lines, and the channel for them. `counted` is dropped when the body ends.
fn lines<T: Send + 'static>(counted: T) -> (mpsc::Sender<String>, Response) {
    let (sender, receiver) = mpsc::channel::<String>(BEHIND);
    let next = async |(mut receiver, counted): (mpsc::Receiver<String>, T)| {
        let line = receiver.recv().await?;
        Some((Ok::<_, std::convert::Infallible>(Bytes::from(line)), (receiver, counted)))
    };
    let body = streamed(stream::unfold((receiver, counted), next));
    let head = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    let mut response = (head, body).into_response();
    response.extensions_mut().insert(Streams);
    (sender, response)
}

/// Counts a stream among those of the person and the connections of the address.
fn counted(app: &App, visitor: &Visitor) -> Result<impl Send + 'static + use<>, Refusal> {
    let limits = &app.hall.limits;
    let of_address = app.connections.admit(visitor.asker.network, limits.on.then_some(limits.connections));
    let of_person = app.streams.admit(visitor.player.id.clone(), limits.on.then_some(limits.streams));
    let counted = of_address.zip(of_person).ok_or_else(|| Refusal::too_many(30))?;
    Ok((counted, app.hall.here.admit(visitor.player.id.clone(), None)))
}

pub(super) async fn events(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let secret = secret(&app, &headers)?;
    let (sender, response) = lines(counted(&app, &visitor)?);
    tokio::spawn(Arc::clone(&app.hall).stream_events(visitor.player, secret, sender));
    Ok(response)
}

pub(super) async fn game(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let visitor = program(visitor)?;
    let secret = secret(&app, &headers)?;
    let person = visitor.player.id.clone();
    let sits = move |table: &Table| side_of(table, &person).map(drop);
    app.hall.tables.look(&id, (&visitor.asker).into(), sits).await??;
    let (sender, response) = lines(counted(&app, &visitor)?);
    let hall = Arc::clone(&app.hall);
    tokio::spawn(async move {
        if let Err(why) = hall.stream_game(id, visitor.player, visitor.asker, secret, sender).await {
            tracing::debug!(?why, "a stream of a game has not begun");
        }
    });
    Ok(response)
}

pub(super) async fn upgrade(
    State(app): State<App>,
    visitor: Visitor,
    client: Client,
) -> Result<StatusCode, Refusal> {
    let person = visitor.player.id;
    match app.hall.store.together.deed(Deed::BecomeProgram { person: person.clone() }).await {
        Ok(_) => {}
        Err(StoreError::Missing) => return Err(Refusal::forbidden(Problem::new("not-an-account"))),
        Err(StoreError::Conflict) => {
            return Err(Refusal::new(StatusCode::CONFLICT, Problem::new("program-has-played")));
        }
        Err(why) => return Err(broken(why)),
    }
    let note = client.note(&person, Noted::BecameProgram, app.hall.time.now_ms());
    app.hall.store.accounts.change(Change::Note, Some(note)).await.map_err(broken)?;
    app.hall.changed(&person);
    Ok(StatusCode::NO_CONTENT)
}

impl From<Wrong> for Refusal {
    fn from(why: Wrong) -> Self {
        match why {
            Wrong::NoTable(why) => why.into(),
            Wrong::Problem(problem) => problem.into(),
            Wrong::Said(problem) => Refusal::said(problem),
        }
    }
}

async fn wish(
    app: &App,
    visitor: Visitor,
    id: &str,
    act: impl Fn(&Table, &str) -> Result<Act, Problem> + Send + Sync + Clone + 'static,
) -> Result<StatusCode, Refusal> {
    let Visitor { player, asker, .. } = program(visitor)?;
    app.hall.rates.event(&asker, 0).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let person = player.id.clone();
    app.hall.wish(id, &player, (&asker).into(), move |table| act(table, &person)).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn play(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, text)): Path<(String, String)>,
) -> Result<StatusCode, Refusal> {
    wish(&app, visitor, &id, move |table, person| {
        side_of(table, person)?;
        Ok(Act::Move { text: text.clone(), away: false })
    })
    .await
}

/// A chat message of a program: one of `phrase` and `text`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// A preset phrase: the message `phrase-<key>`.
    phrase: Option<String>,
    /// A text in free words.
    text: Option<String>,
}

pub(super) async fn chat(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    AskedBody(words): AskedBody<Words>,
) -> Result<StatusCode, Refusal> {
    let Visitor { player, asker, .. } = program(visitor)?;
    app.hall.say(&id, &player, &asker, words.phrase.as_deref(), words.text.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn abort(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    wish(&app, visitor, &id, |table, person| side_of(table, person).map(|_| Act::Abort)).await
}

pub(super) async fn resign(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    wish(&app, visitor, &id, |table, person| side_of(table, person).map(|_| Act::Resign { side: None })).await
}

fn is_yes(text: &str) -> Result<bool, Problem> {
    match text {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        _ => Err(Problem::new("yes-or-no")),
    }
}

pub(super) async fn draw(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, yes)): Path<(String, String)>,
) -> Result<StatusCode, Refusal> {
    let yes = is_yes(&yes)?;
    wish(&app, visitor, &id, move |table, person| answer(table, person, Offer::Draw, yes)).await
}

pub(super) async fn takeback(
    State(app): State<App>,
    visitor: Visitor,
    Path((id, yes)): Path<(String, String)>,
) -> Result<StatusCode, Refusal> {
    let yes = is_yes(&yes)?;
    wish(&app, visitor, &id, move |table, person| answer(table, person, Offer::Takeback, yes)).await
}
