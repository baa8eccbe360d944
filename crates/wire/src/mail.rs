//! E-mail: the address of an account, and what links in letters do.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// How the asker is reached by letter: `GET /api/mail`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MailTold {
    /// Whether the hall sends letters at all.
    pub on: bool,
    /// The confirmed address of the asker's account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub address: Option<String>,
    /// The address that a link was sent to last, and that is not confirmed yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unconfirmed: Option<String>,
    /// Whether slow games that wait are told once a day.
    pub digest: bool,
}

/// Sends a link that confirms an address: `PUT /api/mail`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMail {
    /// The address; ASCII, at most 254 bytes.
    pub address: String,
    /// The language of letters: `en` or `zh`.
    pub lang: String,
}

/// Switches the digest of slow games that wait: `PUT /api/mail/digest`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDigest {
    /// Whether there is one.
    pub on: bool,
    /// The language of letters: `en` or `zh`.
    pub lang: String,
}

/// What a link in a letter ends with: `POST /api/mail/confirm`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MailLink {
    /// What stands behind `confirm=`.
    pub link: String,
}

/// An address that was confirmed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MailConfirmed {
    /// The address.
    pub address: String,
    /// The name of its account.
    pub name: String,
}

/// Asks for a link that sets a new password: `POST /api/session/mail`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct LostPassword {
    /// The confirmed address of the account.
    pub address: String,
}

/// Sets a new password by a link: `POST /api/session/mail/recover`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct RecoverByMail {
    /// What stands behind `recover=`.
    pub link: String,
    /// The new password.
    pub password: String,
    /// As in [`SignIn`](crate::SignIn).
    #[serde(default)]
    pub bring: bool,
}
