//! The API of the staff, and the rules for registration.
//!
//! Every route under `/api/staff` goes through [`Staff`]: a person without a role is refused before anything is read,
//! and the desk decides what a role may do.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use edge::network::Network;
use kernel::Problem;
use members::staff::desk::{StaffAnswer, StaffWish};
use people::staff::{By, Power};
use serde::Deserialize;
use wire::{
    BanHits, BanQuestion, Bans, HouseInfo, InvitationLine, NewAnnouncement, NewBan, NewInvitation,
    NewRegistration, NewRole, StaffDecide, StaffLogLine, StaffMe, StaffPerson, StaffPersonLine, StaffPower,
    TakeDown, TakenDownLine,
};

use super::ask::{Body, Path, UrlQuery};
use crate::account::secret_of;
use crate::app::App;
use crate::refusal::{Refusal, broken};
use crate::visitor::Visitor;

/// A member of the staff, with the network of the request, and a flag for a recent proof that the session is theirs.
pub(super) struct Staff {
    pub by: By,
    pub network: Network,
}

impl FromRequestParts<App> for Staff {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        let roles = app.hall.members.moderation.roles(&visitor.player.id).await?;
        if roles.is_empty() {
            return Err(Refusal::forbidden(Problem::new("staff-only")));
        }
        app.hall.rates.staff(&visitor.asker).map_err(|wait| Refusal::too_many(wait.seconds()))?;
        let secret = secret_of(&parts.headers, app.jar())?.ok_or_else(Refusal::unauthorized)?;
        // A token proves nothing.
        let session = app.hall.store.accounts.session(&secret.hash()).await.map_err(broken)?;
        let now_ms = app.hall.time.now_ms();
        let confirmed = session.is_some_and(|(session, _)| {
            session.proved_ms.is_some_and(|at_ms| now_ms.saturating_sub(at_ms) < members::client::PROOF_MS)
        });
        let by = By { person: visitor.player.id, roles, confirmed };
        Ok(Staff { by, network: visitor.asker.network })
    }
}

/// Converts a problem of the desk to a refusal, with the status that fits.
pub(super) fn refused(problem: Problem) -> Refusal {
    match problem.key {
        "staff-only" | "staff-power" | "staff-needs-admin" | "staff-self" | "confirm-first"
        | "last-admin" => Refusal::forbidden(problem),
        "no-such-person"
        | "no-such-report"
        | "no-such-map"
        | "no-such-ban"
        | "no-such-announcement"
        | "no-such-invitation"
        | "worker-key-unknown-id" => Refusal::unknown(problem),
        "work-not-so" | "not-kept-out" | "bans-full" | "announcements-full" | "invitations-full"
        | "range-wide" | "worker-keys-full" => Refusal::new(StatusCode::CONFLICT, problem),
        _ => problem.into(),
    }
}

pub(super) async fn ask(app: &App, staff: &Staff, wish: StaffWish) -> Result<StaffAnswer, Refusal> {
    app.hall.staff(&staff.by, wish).await.map_err(refused)
}

/// Returns the answer of the desk to an action; another kind of answer is a bug.
macro_rules! told {
    ($app:ident, $staff:ident, $wish:expr, $kind:ident) => {
        match ask(&$app, &$staff, $wish).await? {
            StaffAnswer::$kind(told) => Ok(Json(told)),
            _ => Err(Refusal::busy()),
        }
    };
}
pub(super) use told;

pub(super) async fn done(app: &App, staff: &Staff, wish: StaffWish) -> Result<StatusCode, Refusal> {
    ask(app, staff, wish).await.map(|_| StatusCode::NO_CONTENT)
}

pub(super) async fn house(State(app): State<App>) -> Json<HouseInfo> {
    Json(app.hall.members.staffed.rules().info(app.hall.time.now_ms()))
}

pub(super) async fn me(staff: Staff) -> Json<StaffMe> {
    let powers = Power::ALL.iter().filter(|power| staff.by.has(**power));
    let powers = powers.map(|power| StaffPower { key: power.key().to_owned(), strong: power.is_strong() });
    let roles = staff.by.roles.iter().map(|role| role.name().to_owned()).collect();
    Json(StaffMe { roles, powers: powers.collect(), confirmed: staff.by.confirmed })
}

/// The query parameters of a search for people.
#[derive(Deserialize)]
pub(super) struct Sought {
    #[serde(default)]
    search: String,
    sharing: Option<String>,
}

pub(super) async fn search(
    staff: Staff,
    State(app): State<App>,
    UrlQuery(sought): UrlQuery<Sought>,
) -> Result<Json<Vec<StaffPersonLine>>, Refusal> {
    let wish = match sought.sharing {
        Some(who) => StaffWish::Sharing { who },
        None => StaffWish::Search { text: sought.search },
    };
    told!(app, staff, wish, People)
}

pub(super) async fn person(
    staff: Staff,
    State(app): State<App>,
    Path(who): Path<String>,
) -> Result<Json<StaffPerson>, Refusal> {
    match ask(&app, &staff, StaffWish::Person { who }).await? {
        StaffAnswer::Person(told) => Ok(Json(*told)),
        _ => Err(Refusal::busy()),
    }
}

pub(super) async fn decide(
    staff: Staff,
    State(app): State<App>,
    Path(who): Path<String>,
    Body(decide): Body<StaffDecide>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Decide { who, decide }).await
}

pub(super) async fn role(
    staff: Staff,
    State(app): State<App>,
    Path(who): Path<String>,
    Body(NewRole { role, give }): Body<NewRole>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Role { who, role, give }).await
}

pub(super) async fn forget(
    staff: Staff,
    State(app): State<App>,
    Path(who): Path<String>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Forget { who }).await
}

pub(super) async fn down(staff: Staff, State(app): State<App>) -> Result<Json<Vec<TakenDownLine>>, Refusal> {
    told!(app, staff, StaffWish::Down, Down)
}

pub(super) async fn work(
    staff: Staff,
    State(app): State<App>,
    Path(id): Path<String>,
    Body(wish): Body<TakeDown>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Map { id, wish }).await
}

pub(super) async fn bans(staff: Staff, State(app): State<App>) -> Result<Json<Bans>, Refusal> {
    told!(app, staff, StaffWish::Bans, Bans)
}

pub(super) async fn hits(
    staff: Staff,
    State(app): State<App>,
    Body(BanQuestion { network }): Body<BanQuestion>,
) -> Result<Json<BanHits>, Refusal> {
    if !staff.by.has(Power::Ban) {
        return Err(refused(Problem::new("staff-power")));
    }
    app.hall.ban_hits(&network, staff.network).await.map(Json).map_err(refused)
}

pub(super) async fn ban(
    staff: Staff,
    State(app): State<App>,
    Body(wish): Body<NewBan>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Ban(wish)).await
}

pub(super) async fn lift(
    staff: Staff,
    State(app): State<App>,
    Path(n): Path<u64>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Lift { n }).await
}

pub(super) async fn announce(
    staff: Staff,
    State(app): State<App>,
    Body(wish): Body<NewAnnouncement>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Announce(wish)).await
}

pub(super) async fn withdraw(
    staff: Staff,
    State(app): State<App>,
    Path(n): Path<u64>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Withdraw { n }).await
}

pub(super) async fn register(
    staff: Staff,
    State(app): State<App>,
    Body(wish): Body<NewRegistration>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Register(wish)).await
}

pub(super) async fn invitations(
    staff: Staff,
    State(app): State<App>,
) -> Result<Json<Vec<InvitationLine>>, Refusal> {
    told!(app, staff, StaffWish::Invitations, Invitations)
}

pub(super) async fn invite(
    staff: Staff,
    State(app): State<App>,
    Body(wish): Body<NewInvitation>,
) -> Result<(StatusCode, Json<InvitationLine>), Refusal> {
    match ask(&app, &staff, StaffWish::Invite(wish)).await? {
        StaffAnswer::Invitation(line) => Ok((StatusCode::CREATED, Json(line))),
        _ => Err(Refusal::busy()),
    }
}

pub(super) async fn uninvite(
    staff: Staff,
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    done(&app, &staff, StaffWish::Uninvite { id }).await
}

/// The query parameters that select lines of the log.
#[derive(Deserialize)]
pub(super) struct Lines {
    about: Option<String>,
    below: Option<u64>,
}

pub(super) async fn log(
    staff: Staff,
    State(app): State<App>,
    UrlQuery(Lines { about, below }): UrlQuery<Lines>,
) -> Result<Json<Vec<StaffLogLine>>, Refusal> {
    told!(app, staff, StaffWish::Audit { about, below }, Log)
}
