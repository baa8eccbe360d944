//! Reports, the moderators' queue, and appeals.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use kernel::Problem;
use members::client::Client;
use members::staff::desk::{StaffAnswer, StaffWish};
use people::account::Act;
use people::staff::Power;
use serde::{Deserialize, Serialize};
use store::Change;
use store::accounts::Note;
use utoipa::ToSchema;
use wire::{Appeal, Decide, DecisionLine, FairPlay, NewReport, ReportLine};

use super::ask::{Body, Path, UrlQuery};
use super::staff::{Staff, ask, told};
use crate::app::App;
use crate::refusal::{Refusal, broken};
use crate::visitor::{Signed, Visitor};

fn refused(problem: Problem) -> Refusal {
    match problem.key {
        "no-such-person" | "no-such-words" | "no-such-map" | "no-such-report" => Refusal::unknown(problem),
        "reports-full" | "appealed-before" => Refusal::new(StatusCode::CONFLICT, problem),
        _ => problem.into(),
    }
}

/// A report that was stored.
#[derive(Serialize, ToSchema)]
pub(super) struct Kept {
    /// The number of the report.
    n: u64,
}

pub(super) async fn report(
    State(app): State<App>,
    visitor: Visitor,
    client: Client,
    Body(wish): Body<NewReport>,
) -> Result<(StatusCode, Json<Kept>), Refusal> {
    app.hall.rates.complaint(&visitor.asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
    let by = visitor.player.id;
    let n = app.hall.complain(wish, &by, (&visitor.asker).into()).await.map_err(refused)?;
    if visitor.kind != store::StoredPersonKind::Guest {
        let note = client.note(&by, Act::Reported, app.hall.time.now_ms());
        let note = Note { detail: Some(n.to_string()), ..note };
        app.hall.store.accounts.change(Change::Note, Some(note)).await.map_err(broken)?;
    }
    Ok((StatusCode::CREATED, Json(Kept { n })))
}

/// The person whose reports are requested.
#[derive(Deserialize)]
pub(super) struct About {
    about: Option<String>,
}

pub(super) async fn queue(
    staff: Staff,
    State(app): State<App>,
    UrlQuery(wish): UrlQuery<About>,
) -> Result<Json<Vec<ReportLine>>, Refusal> {
    told!(app, staff, StaffWish::Reports { about: wish.about }, Reports)
}

pub(super) async fn play(
    staff: Staff,
    State(app): State<App>,
    visitor: Visitor,
    Path(who): Path<String>,
) -> Result<Json<FairPlay>, Refusal> {
    staff.by.may(Power::Reports).map_err(super::staff::refused)?;
    Ok(Json(app.hall.fair_play(&who, &visitor.asker).await.map_err(refused)?))
}

pub(super) async fn decide(
    staff: Staff,
    State(app): State<App>,
    client: Client,
    Path(n): Path<u64>,
    Body(wish): Body<Decide>,
) -> Result<StatusCode, Refusal> {
    let detail = Some(format!("{n}: {}", wish.decision));
    let about = app.hall.decide(n, wish, &staff.by).await.map_err(super::staff::refused)?;
    let now_ms = app.hall.time.now_ms();
    // Where the moderator was is none of the other's business.
    for note in [client.note(&staff.by.person, Act::Decided, now_ms), Note::new(&about, Act::Decided, now_ms)]
    {
        let note = Note { detail: detail.clone(), ..note };
        app.hall.store.accounts.change(Change::Note, Some(note)).await.map_err(broken)?;
    }
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn decisions(
    State(app): State<App>,
    signed: Signed,
) -> Result<Json<Vec<DecisionLine>>, Refusal> {
    let Signed { person, .. } = signed.owner()?;
    Ok(Json(app.hall.members.moderation.decisions(&person.id).await.map_err(refused)?))
}

pub(super) async fn appeal(
    State(app): State<App>,
    signed: Signed,
    client: Client,
    Path(n): Path<u64>,
    Body(wish): Body<Appeal>,
) -> Result<StatusCode, Refusal> {
    let Signed { person, .. } = signed.owner()?;
    app.hall.members.moderation.appeal(n, &person.id, &wish.words).await.map_err(refused)?;
    let note = client.note(&person.id, Act::Appealed, app.hall.time.now_ms());
    let note = Note { detail: Some(n.to_string()), ..note };
    app.hall.store.accounts.change(Change::Note, Some(note)).await.map_err(broken)?;
    Ok(StatusCode::NO_CONTENT)
}
