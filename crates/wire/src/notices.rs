//! What somebody is told while they look elsewhere.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// How the asker is told: `GET /api/notices`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Notices {
    /// The hall's key, with which a browser subscribes: a point of P-256 in Base64. Absent where the hall tells nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub key: Option<String>,
    /// Whether the asker is told in this browser.
    pub here: bool,
    /// Browsers in which they are told.
    pub devices: u32,
    /// When they are not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub quiet: Option<QuietHours>,
}

/// Hours in which nothing is told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    /// When they begin, in minutes after midnight.
    pub from_min: u16,
    /// When they end; on the next day where it is less.
    pub to_min: u16,
    /// The IANA name of the time zone, as `Europe/Berlin`.
    pub zone: String,
}

/// Sets the hours in which nothing is told: `PUT /api/notices/quiet`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewQuietHours {
    /// Absent: there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub quiet: Option<QuietHours>,
}

/// A browser's subscription: `PUT /api/notices/device`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPush {
    /// The address of its push service.
    pub endpoint: String,
    /// Its public key, in Base64.
    pub p256dh: String,
    /// What it shares with the hall, in Base64.
    pub auth: String,
    /// The language to be told in: `en` or `zh`.
    pub lang: String,
}
