//! E-mail: the address of an account, and the links in messages.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// The e-mail settings of the user: `GET /api/mail`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MailTold {
    /// True if this server sends e-mail.
    pub on: bool,
    /// The confirmed address of the asker's account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub address: Option<String>,
    /// The address that the last confirmation link was sent to, if it is not confirmed yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unconfirmed: Option<String>,
    /// True if the user gets a daily digest of slow games in which it is their turn.
    pub digest: bool,
}

/// A request for a link that confirms an address: `PUT /api/mail`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMail {
    /// The address; ASCII, at most 254 bytes.
    pub address: String,
    /// The language of e-mails: `en` or `zh`.
    pub lang: String,
}

/// A request to switch the daily digest of slow games on or off: `PUT /api/mail/digest`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewDigest {
    /// True to switch the digest on.
    pub on: bool,
    /// The language of e-mails: `en` or `zh`.
    pub lang: String,
}

/// The token at the end of a confirmation link: `POST /api/mail/confirm`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MailLink {
    /// The token: the part of the link after `confirm=`.
    pub link: String,
}

/// An address that was confirmed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MailConfirmed {
    /// The confirmed address.
    pub address: String,
    /// The name of its account.
    pub name: String,
}

/// A request for a link that sets a new password: `POST /api/session/mail`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct LostPassword {
    /// The confirmed address of the account.
    pub address: String,
}

/// A request that sets a new password with the token of a link: `POST /api/session/mail/recover`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct RecoverByMail {
    /// The token: the part of the link after `recover=`.
    pub link: String,
    /// The new password.
    pub password: String,
    /// Set if the guest's games are to be moved to the account, as in [`SignIn`](crate::SignIn).
    #[serde(default)]
    pub bring: bool,
}
