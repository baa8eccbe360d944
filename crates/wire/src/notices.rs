//! Web Push notifications.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// The notification settings of the person who asks: `GET /api/notices`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Notices {
    /// The server's public key for a browser's push subscription: a point of P-256 in Base64. Absent if the server
    /// sends no notifications.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub key: Option<String>,
    /// True if this browser gets notifications.
    pub here: bool,
    /// The number of browsers that get notifications.
    pub devices: u32,
    /// The hours without notifications.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub quiet: Option<QuietHours>,
}

/// Quiet hours, in which no notifications are sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    /// The beginning, in minutes after midnight.
    pub from_min: u16,
    /// The end, in minutes after midnight; on the next day if it is less than the beginning.
    pub to_min: u16,
    /// The IANA name of the time zone, such as `Europe/Berlin`.
    pub zone: String,
}

/// Sets the quiet hours: `PUT /api/notices/quiet`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewQuietHours {
    /// The quiet hours; absent: there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub quiet: Option<QuietHours>,
}

/// A browser's push subscription: `PUT /api/notices/device`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPush {
    /// The address at the browser's push service.
    pub endpoint: String,
    /// The public key of the subscription, in Base64.
    pub p256dh: String,
    /// The authentication secret that the browser shares with the server, in Base64.
    pub auth: String,
    /// The language of notifications: `en` or `zh`.
    pub lang: String,
}
