//! Accounts as they are stored, and the changes to them.
//!
//! A change is a value, carried out wholly or not at all, together with its note in the account's log. No secret is
//! stored: of sessions, tokens and recovery codes there are hashes, of passwords argon2id's.

use people::account::{Act, Role};
use people::token::Scopes;

use crate::{PersonRow, StoreError, StoredPersonKind};

/// The most sessions of one person; the one that was used longest ago ends where one more would be too many.
pub const MOST_SESSIONS: u32 = 100;
/// The most passkeys of one account.
pub const MOST_PASSKEYS: u32 = 20;
/// The most accounts of OpenID providers that can sign in to one account.
pub const MOST_OPEN_IDS: u32 = 5;
/// The most tokens of one account.
pub const MOST_TOKENS: u32 = 50;
/// The most notes that are kept about one account.
pub const MOST_NOTES: u32 = 500;

/// An account with everything about it that its owner may see, and the hashes that prove it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// The row that guests and programs have, too.
    pub person: PersonRow,
    /// The roles that allow more than playing.
    pub roles: Vec<Role>,
    /// The moment of the last change of their name, in Unix milliseconds; `None` for guests, and as long as it is the
    /// first name.
    pub named_ms: Option<u64>,
    /// The credentials, which are all ways to sign in.
    pub credentials: Vec<Credential>,
    /// The number of recovery codes that are unused.
    pub recovery: u32,
    /// Devices that are signed in, the one used last first.
    pub sessions: Vec<Session>,
    /// Tokens, the newest first; those that have expired, too.
    pub tokens: Vec<Token>,
}

impl Account {
    /// Returns the stored hash of the password.
    #[must_use]
    pub fn password(&self) -> Option<&str> {
        let password = self.credentials.iter().find(|credential| credential.kind == CredentialKind::Password);
        password.map(|password| password.body.as_str())
    }

    /// Returns true if it is an account, and not a guest or closed; one that moderators closed is an account.
    #[must_use]
    pub fn is_account(&self) -> bool {
        matches!(
            self.person.kind,
            StoredPersonKind::Account | StoredPersonKind::Program | StoredPersonKind::Suspended
        )
    }
}

/// The kinds of credentials.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CredentialKind {
    /// A password, of which an account has at most one.
    Password,
    /// A passkey that a device of the owner keeps.
    Passkey,
    /// An account elsewhere, by OpenID Connect.
    OpenId,
}

impl CredentialKind {
    /// All kinds of credentials.
    pub const ALL: [CredentialKind; 3] =
        [CredentialKind::Password, CredentialKind::Passkey, CredentialKind::OpenId];

    /// Its name in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CredentialKind::Password => "password",
            CredentialKind::Passkey => "passkey",
            CredentialKind::OpenId => "openid",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn read(name: &str) -> Option<CredentialKind> {
        CredentialKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A way into an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Credential {
    /// The kind of credential.
    pub kind: CredentialKind,
    /// The random id, which its owner sees.
    pub id: String,
    /// The name that its owner gave it.
    pub label: Option<String>,
    /// The hash of a password, the public key of a passkey, or the provider of an account elsewhere.
    pub body: String,
    /// The credential id of the passkey, or the hash of the account elsewhere; no two accounts have the same. `None`
    /// for a password.
    pub key: Option<Vec<u8>>,
    /// The moment at which it was added, in Unix milliseconds.
    pub made_ms: u64,
    /// The moment of the last sign-in with it, in Unix milliseconds.
    pub used_ms: Option<u64>,
}

/// A device that is signed in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Session {
    /// The random id, which is not the secret; its owner sees it.
    pub id: String,
    /// The public id of the person who is signed in.
    pub person: String,
    /// The name that the device gives itself.
    pub label: Option<String>,
    /// The moment of the sign-in, in Unix milliseconds.
    pub made_ms: u64,
    /// The moment of the last use, to the day, in Unix milliseconds.
    pub used_ms: u64,
    /// The moment at which its owner last confirmed their identity on this device, in Unix milliseconds.
    pub proved_ms: Option<u64>,
}

/// A token of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The random id, which is not the secret; its owner sees it.
    pub id: String,
    /// The name that its owner gave it.
    pub label: String,
    /// The scopes that it grants.
    pub scopes: Scopes,
    /// The moment at which it was made, in Unix milliseconds.
    pub made_ms: u64,
    /// The moment at which it expires, in Unix milliseconds.
    pub expires_ms: u64,
    /// The moment of the last use, to the day, in Unix milliseconds.
    pub used_ms: Option<u64>,
}

/// A session that is opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSession {
    /// SHA-256 of its secret.
    pub hash: [u8; 32],
    /// A random public id.
    pub id: String,
    /// The name that the device gives itself.
    pub label: Option<String>,
}

/// A line of the log of an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The public id of the person it is about.
    pub person: String,
    /// The moment of the act, in Unix milliseconds.
    pub at_ms: u64,
    /// The key of what happened: one of [`Act`]'s, or one of a newer hall.
    pub act: String,
    /// The network it came from: an IPv4 address, or a /64 of IPv6.
    pub network: Option<String>,
    /// The device it came from.
    pub device: Option<String>,
    /// The details of the act: the name of a token, of a role.
    pub detail: Option<String>,
}

impl Note {
    /// Builds a note of an act of a person at a time.
    #[must_use]
    pub fn new(person: &str, act: Act, at_ms: u64) -> Note {
        let (person, act) = (person.to_owned(), act.key().to_owned());
        Note { person, at_ms, act, network: None, device: None, detail: None }
    }
}

/// The keys by which an account is looked up.
#[derive(Clone, Copy, Debug)]
pub enum Find<'a> {
    /// The public id.
    Id(&'a str),
    /// The folded form of its name, or of one it had.
    Name(&'a str),
    /// The credential id of one of its passkeys.
    Passkey(&'a [u8]),
    /// The hash of an account elsewhere.
    OpenId(&'a [u8]),
}

/// The changes to an account. Times are Unix milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Turns a guest into an account with the same public id. Their session ends; `session` is the one that goes on.
    /// [`Taken`](crate::StoreError::Taken): another person has or had the name, or has the passkey;
    /// [`Conflict`](crate::StoreError::Conflict): they are no guest, or their games are being moved to an account.
    Found {
        /// Public id of the guest.
        person: String,
        /// The name as it is shown.
        name: String,
        /// The form of the name that must be unique.
        folded: String,
        /// The first credential of the account.
        credential: Credential,
        /// Hashes of recovery codes.
        recovery: Vec<[u8; 32]>,
        /// The first session of the account.
        session: NewSession,
        /// Hash of the code of the invitation by which it is made. [`Missing`](crate::StoreError::Missing): the
        /// invitation is not valid.
        invitation: Option<[u8; 32]>,
        /// Milliseconds since 1970, UTC.
        now_ms: u64,
    },
    /// Signs a device in. [`Missing`](crate::StoreError::Missing): there is no such account.
    SignIn {
        /// Public id of the account.
        person: String,
        /// The session it gets.
        session: NewSession,
        /// The credential that was used, and its new body if that has changed.
        used: Option<(String, Option<String>)>,
        /// Milliseconds since 1970, UTC.
        now_ms: u64,
    },
    /// Recovers an account by a recovery code, which is used up: the account has a new password, all its sessions
    /// end, and a device is signed in. [`Missing`](crate::StoreError::Missing): there is no such code.
    Recover {
        /// Public id of the account.
        person: String,
        /// Hash of the code.
        code: [u8; 32],
        /// The new password.
        password: Credential,
        /// The session of the device that used the code.
        session: NewSession,
        /// Milliseconds since 1970, UTC.
        now_ms: u64,
    },
    /// Confirms an e-mail address by a link in a letter, which is used up: the address becomes that of the account.
    /// [`Missing`](crate::StoreError::Missing): there is no such link of that account;
    /// [`Conflict`](crate::StoreError::Conflict): the mailbox has [too many](people::mail::MOST_ACCOUNTS) accounts.
    ConfirmMail {
        /// Public id of the account.
        person: String,
        /// Hash of the link's secret.
        link: [u8; 32],
        /// Milliseconds since 1970, UTC.
        now_ms: u64,
    },
    /// Removes the e-mail address of an account and its open links. [`Missing`](crate::StoreError::Missing): it had
    /// neither.
    RemoveMail {
        /// Public id of the account.
        person: String,
    },
    /// Sets a new password like [`Recover`](Change::Recover), by a link in a letter to the address that the account
    /// still has. All its links are used up. [`Missing`](crate::StoreError::Missing): there is no such link.
    RecoverByMail {
        /// Public id of the account.
        person: String,
        /// Hash of the link's secret.
        link: [u8; 32],
        /// The new password.
        password: Credential,
        /// The session of the device that followed the link.
        session: NewSession,
        /// Milliseconds since 1970, UTC.
        now_ms: u64,
    },
    /// Ends the session with that hash.
    SignOut {
        /// SHA-256 of its secret.
        hash: [u8; 32],
    },
    /// Ends a session of that person. [`Missing`](crate::StoreError::Missing): they have no such session.
    EndSession {
        /// Public id of the person.
        person: String,
        /// The id of the session.
        id: String,
    },
    /// Ends all sessions of that person but one.
    EndOthers {
        /// Public id of the person.
        person: String,
        /// SHA-256 of the secret of the one that goes on.
        but: [u8; 32],
    },
    /// Records that the owner of a session has confirmed their identity.
    Prove {
        /// SHA-256 of its secret.
        hash: [u8; 32],
        /// The credential that was used, as in `SignIn`.
        used: Option<(String, Option<String>)>,
        /// Milliseconds since 1970, UTC.
        now_ms: u64,
    },
    /// Adds a passkey or an account elsewhere, or sets the password instead of the one there was.
    /// [`Taken`](crate::StoreError::Taken): another account has the credential already;
    /// [`Conflict`](crate::StoreError::Conflict): there are [`MOST_PASSKEYS`] or [`MOST_OPEN_IDS`].
    AddCredential {
        /// Public id of the account.
        person: String,
        /// The credential to add.
        credential: Credential,
    },
    /// Removes a credential. [`Missing`](crate::StoreError::Missing): there is none of that id;
    /// [`Conflict`](crate::StoreError::Conflict): it is the last one.
    RemoveCredential {
        /// Public id of the account.
        person: String,
        /// The id of the credential.
        id: String,
    },
    /// Replaces the recovery codes.
    SetRecovery {
        /// Public id of the account.
        person: String,
        /// The hashes of the new codes.
        hashes: Vec<[u8; 32]>,
    },
    /// Keeps a token. [`Conflict`](crate::StoreError::Conflict): there are [`MOST_TOKENS`].
    AddToken {
        /// Public id of the account.
        person: String,
        /// SHA-256 of its secret.
        hash: [u8; 32],
        /// The token without its secret.
        token: Token,
    },
    /// Revokes a token. [`Missing`](crate::StoreError::Missing): there is none of that id.
    RemoveToken {
        /// Public id of the account.
        person: String,
        /// The id of the token.
        id: String,
    },
    /// Records that a token was used.
    TokenUsed {
        /// SHA-256 of its secret.
        hash: [u8; 32],
        /// Milliseconds since 1970, UTC.
        now_ms: u64,
    },
    /// Gives an account another name; the old one forwards to it. [`Taken`](crate::StoreError::Taken): another person
    /// has or had it; [`Conflict`](crate::StoreError::Conflict): the name was chosen after `before_ms`;
    /// [`Missing`](crate::StoreError::Missing): there is no such account.
    Rename {
        /// Public id of the account.
        person: String,
        /// The name as it is shown.
        name: String,
        /// The form of the name that must be unique.
        folded: String,
        /// The current name must have been chosen before.
        before_ms: u64,
        /// Milliseconds since 1970, UTC.
        now_ms: u64,
    },
    /// Closes an account: name, credentials, sessions, tokens and notes are deleted; the games stay. The name is
    /// removed from their logs by [`scrub`](crate::Accounts::scrub). [`Missing`](crate::StoreError::Missing): there is
    /// no such account. If the staff had closed or suspended it, its mailbox and accounts elsewhere are held back
    /// from the time of the note on.
    Close {
        /// Public id of the account.
        person: String,
    },
    /// Changes nothing: only the note is stored.
    Note,
}

/// A session with its person.
pub type SessionOf = (Session, PersonRow);

/// A token with its person.
pub type TokenOf = (Token, PersonRow);

/// Accounts, their sessions and tokens, and what becomes of guests who get one.
#[async_trait::async_trait]
pub trait Accounts: Send + Sync + 'static {
    /// An account, or a guest where one is looked for by id.
    async fn account(&self, find: Find<'_>) -> Result<Option<Account>, StoreError>;

    /// The session whose secret has that SHA-256.
    async fn session(&self, hash: &[u8; 32]) -> Result<Option<SessionOf>, StoreError>;

    /// The token whose secret has that SHA-256; also one that has expired.
    async fn token(&self, hash: &[u8; 32]) -> Result<Option<TokenOf>, StoreError>;

    /// Carries out a change to an account and records the note on it, in one transaction.
    async fn change(&self, change: Change, note: Option<Note>) -> Result<(), StoreError>;

    /// Returns the notes about one person, or about all, the newest first, each with its number; only those with a
    /// number below `below`.
    async fn noted(
        &self,
        person: Option<&str>,
        below: Option<u64>,
        most: u32,
    ) -> Result<Vec<(u64, Note)>, StoreError>;

    /// Ends the sessions of a guest, gives the maps to an account, and records that the games are to follow by
    /// [`merge_part`](crate::Accounts::merge_part). [`Missing`](StoreError::Missing): there is no such guest, or no such
    /// account, or the games are being moved already.
    async fn merge(&self, guest: &str, account: &str) -> Result<(), StoreError>;

    /// Public ids of guests whose games are on their way, each with that of the account.
    async fn merging(&self) -> Result<Vec<(String, String)>, StoreError>;

    /// Moves some of a guest's games to the account, unfinished ones first, and returns their tables, which may be
    /// held in memory. Tables at which both ever sat stay as they are. `None`: all is done.
    async fn merge_part(&self, guest: &str) -> Result<Option<Vec<String>>, StoreError>;

    /// Public ids of closed accounts whose name is still in logs.
    async fn closing(&self) -> Result<Vec<String>, StoreError>;

    /// Removes the name of a closed account from the logs of some of its tables, and returns these; empty where all
    /// is done.
    async fn scrub(&self, person: &str) -> Result<Vec<String>, StoreError>;
}
