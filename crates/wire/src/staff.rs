//! The desk of the staff, and how a hall is open.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{NotedLine, PersonKind, Player, ReportLine, SessionLine};

/// Words of the staff for everybody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct AnnouncementLine {
    /// Its number: whoever has read it need not see it again.
    #[ts(type = "number")]
    pub n: u64,
    /// In English.
    pub en: String,
    /// In Chinese.
    pub zh: String,
    /// Until when it is shown, in Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: u64,
}

/// How the hall is open: `GET /api/house`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct HouseInfo {
    /// Who may make an account: `open`, `invited` (whoever has a code) or `closed`.
    pub registration: String,
    /// Whether guests only watch.
    pub accounts_only: bool,
    /// What is announced, the newest first.
    pub announcements: Vec<AnnouncementLine>,
}

/// What one may do as staff: `GET /api/staff`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffMe {
    /// `moderator`, `admin`.
    pub roles: Vec<String>,
    /// The powers one has: the messages `staff-power-<key>`.
    pub powers: Vec<StaffPower>,
    /// Whether one has lately proved that the session is one's own.
    pub confirmed: bool,
}

/// Something that one may do as staff.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffPower {
    /// Which.
    pub key: String,
    /// Whether it needs a proof that is not older than a quarter of an hour: `POST /api/session/confirm`.
    pub strong: bool,
}

/// An account in a list of the staff.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffPersonLine {
    /// Who.
    pub player: Player,
    /// What sort of person.
    pub kind: PersonKind,
    /// When they first came, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// When they were last here, to the day, in Unix milliseconds.
    #[ts(type = "number")]
    pub seen_ms: u64,
    /// Networks they share with whom others were looked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub networks: Vec<String>,
    /// Devices that were noted at these networks for both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub devices: Vec<String>,
}

/// A game in [`StaffPerson`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffGame {
    /// The id of its table.
    pub table: String,
    /// Key of the game.
    pub game: String,
    /// Who played.
    pub players: Vec<Player>,
    /// When it ended, in Unix milliseconds.
    #[ts(type = "number")]
    pub ended_ms: u64,
}

/// A work in [`StaffPerson`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffWork {
    /// Its address.
    pub work: String,
    /// What it is called.
    pub name: String,
    /// Whether it was taken down.
    pub down: bool,
}

/// One person, as the staff sees them: `GET /api/staff/people/<name or id>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffPerson {
    /// Who.
    pub line: StaffPersonLine,
    /// `moderator`, `admin`.
    pub roles: Vec<String>,
    /// Until when they are suspended, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub suspended_ms: Option<u64>,
    /// Ways in, by kind: `password`, `passkey`, `openid`.
    pub credentials: Vec<String>,
    /// Devices that are signed in.
    pub sessions: Vec<SessionLine>,
    /// How many tokens they have.
    pub tokens: u32,
    /// What was noted, the newest first. Only admins see networks.
    pub noted: Vec<NotedLine>,
    /// Reports and decisions about them, the newest first.
    pub reports: Vec<ReportLine>,
    /// How many of the reports they sent wait for a decision.
    pub sent: u32,
    /// What the staff did with them, the newest first.
    pub log: Vec<StaffLogLine>,
    /// Their last finished games.
    pub games: Vec<StaffGame>,
    /// Their maps.
    pub works: Vec<StaffWork>,
}

/// Decides about somebody without a report: `POST /api/staff/people/<name or id>/decision`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StaffDecide {
    /// `warn`, `mute`, `suspend`, `reset-ratings`, `close`; `reopen` undoes closings and suspensions.
    pub decision: String,
    /// Why, in words for whom it is about; at most 1000 letters.
    #[serde(default)]
    pub reason: String,
    /// For how many days somebody is muted or suspended; at most 366.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub days: Option<u32>,
}

/// Gives or takes a role: `POST /api/staff/people/<name or id>/role`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRole {
    /// `moderator` or `admin`.
    pub role: String,
    /// Whether it is given.
    pub give: bool,
}

/// Takes a map down or puts it back: `POST /api/staff/works/<id>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeDown {
    /// Whether it is taken down.
    pub down: bool,
    /// Why, in words for its author; at most 1000 letters.
    #[serde(default)]
    pub reason: String,
}

/// A map that was taken down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct TakenDownLine {
    /// The address of the work.
    pub work: String,
    /// What it is called; empty where its author has deleted it.
    pub name: String,
    /// Whose it is.
    pub owner: Player,
    /// The number of the decision.
    #[ts(type = "number")]
    pub decision: u64,
    /// Why.
    pub reason: String,
    /// When, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
}

/// Bans addresses: `POST /api/staff/bans`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBan {
    /// An address, or a range such as `192.0.2.0/24`.
    pub network: String,
    /// For how many days; at most 366.
    pub days: u32,
    /// Why, in words for whom it hits; at most 1000 letters.
    #[serde(default)]
    pub reason: String,
    /// Accounts that are older than that number of days are let through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub spares_days: Option<u32>,
    /// Says once more that a range wider than a /16 of IPv4 or a /32 of IPv6 is meant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub sure: bool,
}

/// Asks whom a ban would hit: `POST /api/staff/bans/ask`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BanQuestion {
    /// As in [`NewBan`].
    pub network: String,
}

/// Whom a ban would hit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct BanHits {
    /// The range as it would be banned.
    pub network: String,
    /// Whether it needs a second confirmation, of an admin.
    pub wide: bool,
    /// How many people were there in the last day, as far as this hall has run that long.
    pub people: u32,
    /// How many of them have accounts.
    pub accounts: u32,
    /// Whether one is there oneself. Staff is let through.
    pub you: bool,
}

/// A ban of addresses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct BanLine {
    /// To lift it.
    #[ts(type = "number")]
    pub n: u64,
    /// The range.
    pub network: String,
    /// Who banned it; `null`: the keeper of the hall.
    pub by: Option<Player>,
    /// Why.
    pub reason: String,
    /// When, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// When it ends, in Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: u64,
    /// Accounts that are older than that number of days are let through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub spares_days: Option<u32>,
}

/// Somebody who is suspended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SuspendedLine {
    /// Who.
    pub player: Player,
    /// Until when, in Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: u64,
    /// Why.
    pub reason: String,
}

/// Whom the hall keeps out: `GET /api/staff/bans`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Bans {
    /// Ranges of addresses, the newest first.
    pub addresses: Vec<BanLine>,
    /// People, by the end of it.
    pub people: Vec<SuspendedLine>,
}

/// Announces something: `POST /api/staff/announcements`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAnnouncement {
    /// In English, at most 300 letters.
    pub en: String,
    /// In Chinese, at most 300 letters.
    pub zh: String,
    /// For how many hours it is shown; at most 720.
    pub hours: u32,
}

/// Decides how the hall is open: `PUT /api/staff/registration`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRegistration {
    /// `open`, `invited` or `closed`.
    pub registration: String,
    /// Whether guests only watch.
    pub accounts_only: bool,
}

/// Makes an invitation: `POST /api/staff/invitations`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewInvitation {
    /// What it is called, at most 60 letters.
    #[serde(default)]
    pub label: String,
    /// How many accounts it makes; at most 1000.
    pub uses: u32,
    /// For how many days it counts; at most 366.
    pub days: u32,
}

/// An invitation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct InvitationLine {
    /// To take it back.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// Who made it; `null`: the keeper of the hall.
    pub by: Option<Player>,
    /// Until when it counts, in Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: u64,
    /// Accounts it makes at most.
    pub uses: u32,
    /// Accounts it has made.
    pub used: u32,
    /// The code, told once: to whoever makes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub code: Option<String>,
}

/// A line of the log of the staff.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffLogLine {
    /// Its number, which rises with time.
    #[ts(type = "number")]
    pub n: u64,
    /// When, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// Who did it; `null`: the keeper of the hall.
    pub by: Option<Player>,
    /// What: the messages `staff-act-<key>`.
    pub act: String,
    /// To whom.
    pub about: Option<Player>,
    /// What exactly.
    pub detail: Option<String>,
    /// Why.
    pub reason: Option<String>,
}
