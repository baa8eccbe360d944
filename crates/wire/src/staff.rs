//! Staff tools, and the registration settings of the server.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{NotedLine, PersonKind, Player, ReportLine, SessionLine};

/// An announcement by the staff for all people.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct AnnouncementLine {
    /// The number of the announcement, by which clients remember that it was read.
    #[ts(type = "number")]
    pub n: u64,
    /// The text in English.
    pub en: String,
    /// The text in Chinese.
    pub zh: String,
    /// The time until which it is shown, in Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: u64,
}

/// The registration settings and the announcements of the server: `GET /api/house`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct HouseInfo {
    /// The registration mode: `open` (all may sign up), `invited` (with an invitation code) or `closed`.
    pub registration: String,
    /// True if guests can only watch.
    pub accounts_only: bool,
    /// The current announcements, the newest first.
    pub announcements: Vec<AnnouncementLine>,
}

/// The powers of the signed-in staff member: `GET /api/staff`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffMe {
    /// The roles: `moderator`, `admin`.
    pub roles: Vec<String>,
    /// The powers: the messages `staff-power-<key>`.
    pub powers: Vec<StaffPower>,
    /// True if the staff member has confirmed their identity recently.
    pub confirmed: bool,
}

/// A power of a staff member.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffPower {
    /// The key of the power.
    pub key: String,
    /// True if it needs a confirmation that is at most a quarter of an hour old: `POST /api/session/confirm`.
    pub strong: bool,
}

/// An account in a list of the staff.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffPersonLine {
    /// The person with the account.
    pub player: Player,
    /// The kind of person.
    pub kind: PersonKind,
    /// The time of their first visit, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// The time of their last visit, to the day, in Unix milliseconds.
    #[ts(type = "number")]
    pub seen_ms: u64,
    /// The networks that the person shares with the account searched for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub networks: Vec<String>,
    /// The devices of both accounts that were noted in these networks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub devices: Vec<String>,
}

/// A game in [`StaffPerson`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffGame {
    /// The id of its table.
    pub table: String,
    /// The key of the game.
    pub game: String,
    /// The players of the game.
    pub players: Vec<Player>,
    /// The time at which it ended, in Unix milliseconds.
    #[ts(type = "number")]
    pub ended_ms: u64,
}

/// A work in [`StaffPerson`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffWork {
    /// The id of the work, the last part of its link.
    pub work: String,
    /// The name of the work.
    pub name: String,
    /// True if it was taken down.
    pub down: bool,
}

/// A person as the staff sees them: `GET /api/staff/people/<name or id>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffPerson {
    /// The person's entry in lists.
    pub line: StaffPersonLine,
    /// The roles: `moderator`, `admin`.
    pub roles: Vec<String>,
    /// The time until which they are suspended, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub suspended_ms: Option<u64>,
    /// The kinds of their credentials: `password`, `passkey`, `openid`.
    pub credentials: Vec<String>,
    /// Devices that are signed in.
    pub sessions: Vec<SessionLine>,
    /// The number of their API tokens.
    pub tokens: u32,
    /// The audit log of the account, the newest first. Only admins see networks.
    pub noted: Vec<NotedLine>,
    /// Reports and decisions about them, the newest first.
    pub reports: Vec<ReportLine>,
    /// The number of reports sent by them that wait for a decision.
    pub sent: u32,
    /// The staff's actions on them, the newest first.
    pub log: Vec<StaffLogLine>,
    /// The latest finished games.
    pub games: Vec<StaffGame>,
    /// The maps that they made.
    pub works: Vec<StaffWork>,
}

/// A decision about a person without a report: `POST /api/staff/people/<name or id>/decision`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StaffDecide {
    /// The decision: `warn`, `mute`, `suspend`, `reset-ratings`, `close`; `reopen` undoes closings and suspensions.
    pub decision: String,
    /// The reason, shown to the person; at most 1000 letters.
    #[serde(default)]
    pub reason: String,
    /// The number of days of a mute or a suspension; at most 366.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub days: Option<u32>,
}

/// A request to give or take a role: `POST /api/staff/people/<name or id>/role`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRole {
    /// The role: `moderator` or `admin`.
    pub role: String,
    /// True to give the role, false to take it.
    pub give: bool,
}

/// A request to take a map down or restore it: `POST /api/staff/works/<id>`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeDown {
    /// True to take it down, false to restore it.
    pub down: bool,
    /// The reason, shown to the author; at most 1000 letters.
    #[serde(default)]
    pub reason: String,
}

/// A map that was taken down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct TakenDownLine {
    /// The id of the work.
    pub work: String,
    /// The name of the work; empty if its author has deleted it.
    pub name: String,
    /// The author of the work.
    pub owner: Player,
    /// The number of the decision.
    #[ts(type = "number")]
    pub decision: u64,
    /// The reason that was given.
    pub reason: String,
    /// The time of the decision, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
}

/// A request to ban addresses: `POST /api/staff/bans`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBan {
    /// An address, or a range such as `192.0.2.0/24`.
    pub network: String,
    /// The number of days; at most 366.
    pub days: u32,
    /// The reason, shown to people in that range; at most 1000 letters.
    #[serde(default)]
    pub reason: String,
    /// The age in days above which accounts are exempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub spares_days: Option<u32>,
    /// Set to confirm a range wider than a /16 of IPv4 or a /32 of IPv6.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub sure: bool,
}

/// A question about the people that a ban would affect: `POST /api/staff/bans/ask`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BanQuestion {
    /// The address or range, as in [`NewBan`].
    pub network: String,
}

/// The people that a ban would affect.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct BanHits {
    /// The range, normalized.
    pub network: String,
    /// True if the range is so wide that an admin has to confirm it.
    pub wide: bool,
    /// The number of people from there in the last day, or since the server started if that is less.
    pub people: u32,
    /// The number of them with an account.
    pub accounts: u32,
    /// True if the staff member who asks is in the range. Staff is exempt from bans.
    pub you: bool,
}

/// A ban of addresses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct BanLine {
    /// The number of the ban, used to lift it.
    #[ts(type = "number")]
    pub n: u64,
    /// The banned range.
    pub network: String,
    /// The staff member who made it; `null`: the operator of the server.
    pub by: Option<Player>,
    /// The reason that was given.
    pub reason: String,
    /// The time at which it was made, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// The time at which it ends, in Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: u64,
    /// The age in days above which accounts are exempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub spares_days: Option<u32>,
}

/// A suspended person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SuspendedLine {
    /// The person who is suspended.
    pub player: Player,
    /// The time until which they are suspended, in Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: u64,
    /// The reason that was given.
    pub reason: String,
}

/// The banned addresses and suspended people: `GET /api/staff/bans`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Bans {
    /// Bans of addresses, the newest first.
    pub addresses: Vec<BanLine>,
    /// Suspended people, by the end of the suspension.
    pub people: Vec<SuspendedLine>,
}

/// A new announcement: `POST /api/staff/announcements`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAnnouncement {
    /// The text in English, at most 300 letters.
    pub en: String,
    /// The text in Chinese, at most 300 letters.
    pub zh: String,
    /// The number of hours for which it is shown; at most 720.
    pub hours: u32,
}

/// New registration settings of the server: `PUT /api/staff/registration`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRegistration {
    /// The registration mode: `open`, `invited` or `closed`.
    pub registration: String,
    /// True if guests can only watch.
    pub accounts_only: bool,
}

/// A request for an invitation: `POST /api/staff/invitations`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewInvitation {
    /// The label, at most 60 letters.
    #[serde(default)]
    pub label: String,
    /// The number of accounts that can sign up with it; at most 1000.
    pub uses: u32,
    /// The number of days for which it is valid; at most 366.
    pub days: u32,
}

/// An invitation to sign up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct InvitationLine {
    /// The id of the invitation, used to revoke it.
    pub id: String,
    /// The label of the invitation.
    pub label: String,
    /// The staff member who made it; `null`: the operator of the server.
    pub by: Option<Player>,
    /// The time until which it is valid, in Unix milliseconds.
    #[ts(type = "number")]
    pub until_ms: u64,
    /// The number of accounts that can sign up with it.
    pub uses: u32,
    /// The number of accounts that have signed up with it.
    pub used: u32,
    /// The code; only in the response that creates the invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub code: Option<String>,
}

/// An entry in the staff log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct StaffLogLine {
    /// The number of the entry; numbers rise with time.
    #[ts(type = "number")]
    pub n: u64,
    /// The time of the action, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// The staff member; `null`: the operator of the server.
    pub by: Option<Player>,
    /// The action: the messages `staff-act-<key>`.
    pub act: String,
    /// The person it is about.
    pub about: Option<Player>,
    /// The details of the action, such as a role or a range.
    pub detail: Option<String>,
    /// The reason that was given.
    pub reason: Option<String>,
}
