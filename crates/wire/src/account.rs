//! Accounts: signing up and in, devices, tokens.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::Me;

/// What sort of person somebody is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PersonKind {
    /// Known by a cookie, or a program's secret, only.
    #[default]
    Guest,
    /// Has a name and a way to sign in.
    Account,
    /// A program with an account.
    Program,
    /// Was an account.
    Closed,
    /// An account that moderators closed: it reads, and may appeal.
    Suspended,
}

/// A question to a browser about a passkey.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PasskeyQuestion {
    /// To be sent with the answer. The question is good for one answer, for five minutes.
    pub id: String,
    /// Options for `navigator.credentials`, as the Web Authentication API writes them in JSON.
    #[ts(type = "{ publicKey: Record<string, unknown> }")]
    #[schema(value_type = Object)]
    pub question: serde_json::Value,
}

/// A browser's answer about a passkey.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PasskeyAnswer {
    /// Of the question.
    pub id: String,
    /// The credential, as the Web Authentication API writes it in JSON.
    #[ts(type = "unknown")]
    #[schema(value_type = Object)]
    pub answer: serde_json::Value,
    /// What its owner calls a new passkey; absent: as the device is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub label: Option<String>,
}

/// A name, to be asked for a passkey with which somebody signs up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct WantedName {
    /// 2 to 20 letters.
    pub name: String,
}

/// Makes an account of a guest: with a password, a passkey or an account elsewhere.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SignUp {
    /// 2 to 20 letters.
    pub name: String,
    /// At least ten letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub password: Option<String>,
    /// The answer to `POST /api/account/passkeys/ask`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub passkey: Option<PasskeyAnswer>,
    /// The ticket that `POST /api/session/openid` answered with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub openid: Option<String>,
    /// The code of an invitation, where registration is by invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub invitation: Option<String>,
}

/// What somebody wants with an account elsewhere (OpenID Connect).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OpenIdPurpose {
    /// To sign in, or up where no account here knows it.
    SignIn,
    /// To add it to the account of this device.
    Add,
    /// To prove again whose the session is.
    Confirm,
}

/// Whether one can sign in by an account elsewhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenIdTold {
    /// What the keeper of the hall calls the provider; absent: one cannot.
    pub name: Option<String>,
}

/// Asks for the address at which the provider asks who one is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenIdWish {
    /// What for.
    pub purpose: OpenIdPurpose,
    /// As in [`SignIn`].
    #[serde(default)]
    pub bring: bool,
}

/// Where the browser is to go. It comes back to `/account/openid` with `code` and `state`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenIdQuestion {
    /// An address of the provider.
    pub url: String,
}

/// What the browser came back with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenIdAnswer {
    /// As it stands in the address.
    pub state: String,
    /// As it stands in the address.
    pub code: String,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenIdDone {
    /// What it was for.
    pub purpose: OpenIdPurpose,
    /// Somebody is signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub signed_in: Option<SignedIn>,
    /// No account here knows it yet: with this, and a name, one signs up. It is good for five minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ticket: Option<String>,
    /// What one is called there, where it may be a name here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
}

/// Signs in by name and password.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SignIn {
    /// The name of the account, or one it had.
    pub name: String,
    /// The password of the account, in clear; the hall keeps only its hash.
    pub password: String,
    /// Whether the games of the guest that this device was go to the account.
    #[serde(default)]
    pub bring: bool,
}

/// Signs in by a passkey.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PasskeySignIn {
    /// The answer to `POST /api/session/passkey/ask`.
    pub passkey: PasskeyAnswer,
    /// As in [`SignIn`].
    #[serde(default)]
    pub bring: bool,
}

/// Signs in by a recovery code, which is used up, and gives the account a new password. All its other devices are signed out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Recover {
    /// The name of the account, or one it had.
    pub name: String,
    /// Sixteen letters; case, spaces and hyphens do not matter.
    pub code: String,
    /// The new password.
    pub password: String,
    /// As in [`SignIn`].
    #[serde(default)]
    pub bring: bool,
}

/// Proves again whose the session is: by the password or by a passkey.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirm {
    /// The password of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub password: Option<String>,
    /// The answer to `POST /api/session/passkey/ask`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub passkey: Option<PasskeyAnswer>,
}

/// Somebody is signed in; the cookie comes with it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SignedIn {
    /// Who they are now.
    pub me: Me,
    /// Recovery codes of a new account, to be shown once; else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub recovery: Vec<String>,
    /// The secret of the session, for programs that asked with `Authorization: Bearer`. Pages have it in their cookie, where no
    /// script can read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub secret: Option<String>,
}

/// Recovery codes, shown once; earlier ones do not count any more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct RecoveryCodes {
    /// Each lets somebody in once.
    pub codes: Vec<String>,
}

/// A new password.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewPassword {
    /// At least ten letters.
    pub password: String,
}

/// What a way into an account is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CredentialKind {
    /// Something they know.
    Password,
    /// Something their device keeps.
    Passkey,
    /// An account elsewhere.
    OpenId,
}

/// A way into an account, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct CredentialLine {
    /// To remove it.
    pub id: String,
    /// What it is.
    pub kind: CredentialKind,
    /// What its owner calls it.
    pub label: Option<String>,
    /// When it was added, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// When somebody last signed in with it, in Unix milliseconds.
    #[ts(type = "number | null")]
    pub used_ms: Option<u64>,
}

/// A device that is signed in, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SessionLine {
    /// To sign it out.
    pub id: String,
    /// What the device calls itself.
    pub label: Option<String>,
    /// When it was signed in, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// When it was last used, to the day, in Unix milliseconds.
    #[ts(type = "number")]
    pub used_ms: u64,
    /// Whether it is the one that asks.
    pub here: bool,
}

/// A token of a program, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct TokenLine {
    /// To revoke it.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// `read`, `play`, `challenge`, `study`, `admin`.
    pub scopes: Vec<String>,
    /// When it was made, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// From when on it does not count any more, in Unix milliseconds.
    #[ts(type = "number")]
    pub expires_ms: u64,
    /// When it was last used, to the day, in Unix milliseconds.
    #[ts(type = "number | null")]
    pub used_ms: Option<u64>,
}

/// Makes a token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewToken {
    /// What its owner calls it: 1 to 40 letters.
    pub name: String,
    /// `read`, `play`, `challenge`, `study`, `admin`; at least one.
    pub scopes: Vec<String>,
    /// How long it is good for: 1 to 366.
    pub days: u32,
}

/// A token that was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MadeToken {
    /// For `Authorization: Bearer`. The hall shows it this once.
    pub token: String,
    /// What is known of it.
    pub line: TokenLine,
}

/// A line of what was noted about an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NotedLine {
    /// Rises with time.
    #[ts(type = "number")]
    pub n: u64,
    /// Public id of the person it is about.
    pub person: String,
    /// When, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// What: the message `noted-<act>`.
    pub act: String,
    /// Where it came from: an IPv4 address, or a /64 of IPv6.
    pub network: Option<String>,
    /// The device it came from.
    pub device: Option<String>,
    /// What exactly: the name of a token, of a role.
    pub detail: Option<String>,
}

/// An account, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct AccountInfo {
    /// The id that others may see.
    pub id: String,
    /// The name that others see, if there is one.
    pub name: Option<String>,
    /// What the account may do beyond playing: `moderator`, `admin`.
    pub roles: Vec<String>,
    /// When they first came, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// Days until the name may change; 0: now.
    pub rename_days: u32,
    /// Passwords and passkeys.
    pub credentials: Vec<CredentialLine>,
    /// Recovery codes that were not used yet.
    pub recovery: u32,
    /// Devices that are signed in, the one used last first.
    pub sessions: Vec<SessionLine>,
    /// Tokens of programs, the newest first.
    pub tokens: Vec<TokenLine>,
    /// What was noted, the newest first; at most 50.
    pub noted: Vec<NotedLine>,
    /// Whether this device has proved lately whose it is, as changes of credentials want it.
    pub confirmed: bool,
    /// Whether browsers make passkeys at the hall's address.
    pub passkeys: bool,
}

/// What a device shows that is to be signed in from another one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DeviceWaits {
    /// To ask again with; tell nobody.
    pub device: String,
    /// To be typed on a device that is signed in: eight letters.
    pub code: String,
    /// How long both are good for.
    pub seconds: u32,
}

/// Asks whether a device was confirmed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DeviceAsks {
    /// As `POST /api/session/device` gave it.
    pub device: String,
    /// Whether the games that the device has as a guest go to the account.
    #[serde(default)]
    pub bring: bool,
}

/// A code that a device shows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DeviceCode {
    /// Case, spaces and hyphens do not matter.
    pub code: String,
}

/// What became of a device that waits.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DeviceTold {
    /// Who it is now, and the secret; absent while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub signed_in: Option<SignedIn>,
}
