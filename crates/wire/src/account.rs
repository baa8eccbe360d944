//! Accounts: signing up and in, devices, tokens.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::Me;

/// The kinds of person.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PersonKind {
    /// A guest: known only by a cookie or a program's secret.
    #[default]
    Guest,
    /// An account with a name and a way to sign in.
    Account,
    /// A program with an account.
    Program,
    /// A closed account.
    Closed,
    /// An account that moderators suspended: it can read and appeal, but not act.
    Suspended,
}

/// A WebAuthn challenge for the browser to answer with a passkey.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PasskeyQuestion {
    /// The id to send back with the answer. The challenge expires after one answer or five minutes.
    pub id: String,
    /// Options for `navigator.credentials`, as the Web Authentication API writes them in JSON.
    #[ts(type = "{ publicKey: Record<string, unknown> }")]
    #[schema(value_type = Object)]
    pub question: serde_json::Value,
}

/// A browser's answer about a passkey.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PasskeyAnswer {
    /// The id of the challenge, from [`PasskeyQuestion`].
    pub id: String,
    /// The credential, as the Web Authentication API writes it in JSON.
    #[ts(type = "unknown")]
    #[schema(value_type = Object)]
    pub answer: serde_json::Value,
    /// The owner's label for a new passkey; absent: the name of the device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub label: Option<String>,
}

/// The wanted account name, sent to ask for a passkey to sign up with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct WantedName {
    /// The name: 2 to 20 letters.
    pub name: String,
}

/// A sign-up: makes an account of a guest, with a password, a passkey or an account elsewhere.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SignUp {
    /// The name: 2 to 20 letters.
    pub name: String,
    /// The password: at least ten letters.
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

/// The purposes of an OpenID Connect sign-in with an account at another provider.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OpenIdPurpose {
    /// Signs in, or signs up if no account here is linked to that identity.
    SignIn,
    /// Links the identity to the account of this device.
    Add,
    /// Confirms the identity of the signed-in user before a sensitive change.
    Confirm,
}

/// The OpenID Connect provider of this server, if there is one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenIdTold {
    /// The operator's name for the provider; absent: OpenID Connect sign-in is not available.
    pub name: Option<String>,
}

/// A request for the provider's authorization address.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenIdWish {
    /// The purpose of the sign-in.
    pub purpose: OpenIdPurpose,
    /// Set if the guest's games are to be moved to the account, as in [`SignIn`].
    #[serde(default)]
    pub bring: bool,
}

/// The authorization address to send the browser to. It comes back to `/account/openid` with `code` and `state`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenIdQuestion {
    /// The address at the provider.
    pub url: String,
}

/// The parameters with which the provider sent the browser back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenIdAnswer {
    /// The `state` parameter from the address, unchanged.
    pub state: String,
    /// The `code` parameter from the address, unchanged.
    pub code: String,
}

/// The result of an OpenID Connect sign-in.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct OpenIdDone {
    /// The purpose that the sign-in was started for.
    pub purpose: OpenIdPurpose,
    /// The session, if an account was signed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub signed_in: Option<SignedIn>,
    /// A ticket to sign up with, together with a name; present if no account here is linked to the identity. It is
    /// valid for five minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ticket: Option<String>,
    /// The user's name at the provider, if it is a valid name here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
}

/// Signs in by name and password.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SignIn {
    /// The name of the account, or one it had.
    pub name: String,
    /// The password of the account, in clear; the server stores only its hash.
    pub password: String,
    /// Set if the games that this device played as a guest are to be moved to the account.
    #[serde(default)]
    pub bring: bool,
}

/// Signs in by a passkey.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct PasskeySignIn {
    /// The answer to `POST /api/session/passkey/ask`.
    pub passkey: PasskeyAnswer,
    /// Set if the guest's games are to be moved to the account, as in [`SignIn`].
    #[serde(default)]
    pub bring: bool,
}

/// Signs in by a recovery code, which is used up, and gives the account a new password. All its other devices are signed out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct Recover {
    /// The name of the account, or one it had.
    pub name: String,
    /// The recovery code: sixteen letters; case, spaces and hyphens do not matter.
    pub code: String,
    /// The new password.
    pub password: String,
    /// Set if the guest's games are to be moved to the account, as in [`SignIn`].
    #[serde(default)]
    pub bring: bool,
}

/// Confirms the identity of the signed-in user again, by the password or by a passkey.
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

/// The result of a sign-in; the session cookie comes with it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SignedIn {
    /// The person who is signed in.
    pub me: Me,
    /// Recovery codes of a new account, shown only once; otherwise empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub recovery: Vec<String>,
    /// The secret of the session, for programs that asked with `Authorization: Bearer`. Pages have it in their cookie, where no
    /// script can read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub secret: Option<String>,
}

/// Recovery codes, shown once; all earlier codes become invalid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct RecoveryCodes {
    /// The codes; each is valid for one sign-in.
    pub codes: Vec<String>,
}

/// A request to change the password.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewPassword {
    /// The password: at least ten letters.
    pub password: String,
}

/// The kinds of credential.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CredentialKind {
    /// A password of the account.
    Password,
    /// A passkey (WebAuthn), kept by a device or a password manager.
    Passkey,
    /// An account at another provider (OpenID Connect).
    OpenId,
}

/// A credential of an account, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct CredentialLine {
    /// The id of the credential, used to remove it.
    pub id: String,
    /// The kind of the credential.
    pub kind: CredentialKind,
    /// The owner's label for it.
    pub label: Option<String>,
    /// The time at which it was added, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// The time of the last sign-in with it, in Unix milliseconds.
    #[ts(type = "number | null")]
    pub used_ms: Option<u64>,
}

/// A device that is signed in, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct SessionLine {
    /// The id of the session, used to sign the device out.
    pub id: String,
    /// The name that the device gave when it signed in.
    pub label: Option<String>,
    /// The time of the sign-in, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// The time of the last use, to the day, in Unix milliseconds.
    #[ts(type = "number")]
    pub used_ms: u64,
    /// True if it is the device that sent this request.
    pub here: bool,
}

/// An API token of a program, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct TokenLine {
    /// The id of the token, used to revoke it.
    pub id: String,
    /// The owner's label for it.
    pub name: String,
    /// The scopes of the token: `read`, `play`, `challenge`, `study`, `admin`.
    pub scopes: Vec<String>,
    /// The time at which it was made, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// The time at which it expires, in Unix milliseconds.
    #[ts(type = "number")]
    pub expires_ms: u64,
    /// The time of the last use, to the day, in Unix milliseconds.
    #[ts(type = "number | null")]
    pub used_ms: Option<u64>,
}

/// A request for a new API token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NewToken {
    /// The owner's label for it: 1 to 40 letters.
    pub name: String,
    /// The scopes of the token: `read`, `play`, `challenge`, `study`, `admin`; at least one.
    pub scopes: Vec<String>,
    /// The lifetime in days: 1 to 366.
    pub days: u32,
}

/// A new API token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct MadeToken {
    /// The token itself, for `Authorization: Bearer`. The server shows it only once.
    pub token: String,
    /// The token's entry in the list of tokens.
    pub line: TokenLine,
}

/// An entry in the audit log of an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct NotedLine {
    /// The number of the entry; numbers rise with time.
    #[ts(type = "number")]
    pub n: u64,
    /// The public id of the person the entry is about.
    pub person: String,
    /// The time of the action, in Unix milliseconds.
    #[ts(type = "number")]
    pub at_ms: u64,
    /// The action: the message `noted-<act>`.
    pub act: String,
    /// The network the request came from: an IPv4 address, or a /64 of IPv6.
    pub network: Option<String>,
    /// The device the request came from.
    pub device: Option<String>,
    /// The object of the action, such as the name of a token or of a role.
    pub detail: Option<String>,
}

/// An account, as its owner sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct AccountInfo {
    /// The public id.
    pub id: String,
    /// The name that others see, if there is one.
    pub name: Option<String>,
    /// The roles of the account: `moderator`, `admin`.
    pub roles: Vec<String>,
    /// The time of the person's first visit, in Unix milliseconds.
    #[ts(type = "number")]
    pub made_ms: u64,
    /// The number of days until the name may be changed; 0: now.
    pub rename_days: u32,
    /// The credentials of the account, such as passwords and passkeys.
    pub credentials: Vec<CredentialLine>,
    /// The number of unused recovery codes.
    pub recovery: u32,
    /// Devices that are signed in, the most recently used first.
    pub sessions: Vec<SessionLine>,
    /// API tokens of programs, the newest first.
    pub tokens: Vec<TokenLine>,
    /// The newest entries of the audit log, newest first; at most 50.
    pub noted: Vec<NotedLine>,
    /// True if the user confirmed their identity on this device recently enough to change credentials.
    pub confirmed: bool,
    /// True if browsers can create passkeys at the address of this server.
    pub passkeys: bool,
}

/// A device waiting to be signed in from another device.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DeviceWaits {
    /// The secret with which the waiting device asks again. Keep it secret.
    pub device: String,
    /// The code to type on a device that is signed in: eight letters.
    pub code: String,
    /// The lifetime of both, in seconds.
    pub seconds: u32,
}

/// A request that asks if the waiting device was confirmed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DeviceAsks {
    /// The secret from `POST /api/session/device`.
    pub device: String,
    /// Set if the games that the device played as a guest are to be moved to the account.
    #[serde(default)]
    pub bring: bool,
}

/// The code shown by a waiting device, typed on a device that is signed in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DeviceCode {
    /// The code; case, spaces and hyphens do not matter.
    pub code: String,
}

/// The state of a waiting device.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS, ToSchema)]
pub struct DeviceTold {
    /// The session with its secret; absent while the device still waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub signed_in: Option<SignedIn>,
}
