//! Accounts: roles, the interval between changes of name, names of devices, and the events that are logged about an
//! account.

/// The rights that a person may have beyond playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Sees reports and decides about them.
    Moderator,
    /// Sees what is logged about every account.
    Admin,
}

impl Role {
    /// All roles, from moderator to admin.
    pub const ALL: [Role; 2] = [Role::Moderator, Role::Admin];

    /// Returns the name of the role, in requests, on the command line and in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Role::Moderator => "moderator",
            Role::Admin => "admin",
        }
    }

    /// Returns the role of that name.
    #[must_use]
    pub fn read(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// The events that are logged about an account, each with its time, its network and its device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A guest became an account.
    Made,
    /// Signed in by password.
    SignedIn,
    /// Signed in by a passkey.
    SignedInByPasskey,
    /// Signed in by an account elsewhere.
    SignedInByOpenId,
    /// Signed in by a recovery code, which gave the account a new password.
    Recovered,
    /// Signed in by a link in a letter, which gave the account a new password.
    RecoveredByMail,
    /// An e-mail address was confirmed.
    MailConfirmed,
    /// The e-mail address was removed.
    MailRemoved,
    /// A device was signed in by a code that was confirmed on another.
    DeviceConfirmed,
    /// The device at hand was signed out by its owner.
    SignedOut,
    /// Another device was signed out, or all others.
    OthersSignedOut,
    /// The password was set.
    PasswordSet,
    /// The password was removed.
    PasswordRemoved,
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// An account at an OpenID provider was linked.
    OpenIdAdded,
    /// An account at an OpenID provider was unlinked.
    OpenIdRemoved,
    /// New recovery codes were made; the old ones are no longer valid.
    RecoveryMade,
    /// A token was made.
    TokenMade,
    /// A token was revoked.
    TokenRevoked,
    /// The name changed.
    Renamed,
    /// A role was given or removed.
    RoleChanged,
    /// The data that the hall holds about the account was exported.
    Exported,
    /// The account was closed.
    Closed,
    /// The account was converted to a program's.
    BecameProgram,
    /// The owner of the account reported a person.
    Reported,
    /// A moderator decided about a report.
    Decided,
    /// A decision was appealed.
    Appealed,
}

impl Act {
    /// All events, in a fixed order.
    pub const ALL: [Act; 28] = [
        Act::Made,
        Act::SignedIn,
        Act::SignedInByPasskey,
        Act::SignedInByOpenId,
        Act::Recovered,
        Act::RecoveredByMail,
        Act::MailConfirmed,
        Act::MailRemoved,
        Act::DeviceConfirmed,
        Act::SignedOut,
        Act::OthersSignedOut,
        Act::PasswordSet,
        Act::PasswordRemoved,
        Act::PasskeyAdded,
        Act::PasskeyRemoved,
        Act::OpenIdAdded,
        Act::OpenIdRemoved,
        Act::RecoveryMade,
        Act::TokenMade,
        Act::TokenRevoked,
        Act::Renamed,
        Act::RoleChanged,
        Act::Exported,
        Act::Closed,
        Act::BecameProgram,
        Act::Reported,
        Act::Decided,
        Act::Appealed,
    ];

    /// Returns its key in the store and on the page: the message `noted-<key>`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Act::Made => "made",
            Act::SignedIn => "signed-in",
            Act::SignedInByPasskey => "signed-in-passkey",
            Act::SignedInByOpenId => "signed-in-openid",
            Act::Recovered => "recovered",
            Act::RecoveredByMail => "recovered-mail",
            Act::MailConfirmed => "mail-confirmed",
            Act::MailRemoved => "mail-removed",
            Act::DeviceConfirmed => "device-confirmed",
            Act::SignedOut => "signed-out",
            Act::OthersSignedOut => "others-signed-out",
            Act::PasswordSet => "password-set",
            Act::PasswordRemoved => "password-removed",
            Act::PasskeyAdded => "passkey-added",
            Act::PasskeyRemoved => "passkey-removed",
            Act::OpenIdAdded => "openid-added",
            Act::OpenIdRemoved => "openid-removed",
            Act::RecoveryMade => "recovery-made",
            Act::TokenMade => "token-made",
            Act::TokenRevoked => "token-revoked",
            Act::Renamed => "renamed",
            Act::RoleChanged => "role-changed",
            Act::Exported => "exported",
            Act::Closed => "closed",
            Act::BecameProgram => "became-program",
            Act::Reported => "reported",
            Act::Decided => "decided",
            Act::Appealed => "appealed",
        }
    }
}

/// The least time between two changes of a name, in milliseconds: thirty days.
pub const RENAME_MS: u64 = 30 * 86_400_000;

/// Returns the number of days until a name that was chosen at `named_ms` may change again; 0 when it may now.
#[must_use]
pub fn days_to_rename(named_ms: u64, now_ms: u64) -> u64 {
    (named_ms + RENAME_MS).saturating_sub(now_ms).div_ceil(86_400_000)
}

/// The programs by their signs in `User-Agent`, the more special ones first: several name others there.
const PROGRAMS: [(&str, &str); 11] = [
    ("qiguan/", "Qiguan"),
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
    ("python", "Python"),
];
/// The operating systems by their signs in `User-Agent`, the more special ones first.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
];

/// Returns the name of a device that sends this `User-Agent`: program and system, such as `Firefox, Linux`. `None`
/// when it names neither. The name helps people to tell their devices apart; it proves nothing.
#[must_use]
pub fn device(user_agent: &str) -> Option<String> {
    let find = |list: &[(&str, &'static str)]| {
        list.iter().find(|(sign, _)| user_agent.contains(sign)).map(|(_, name)| *name)
    };
    let found: Vec<&str> = [find(&PROGRAMS), find(&SYSTEMS)].into_iter().flatten().collect();
    (!found.is_empty()).then(|| found.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_have_names() {
        for (agent, wanted) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                Some("Firefox, Linux"),
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0",
                Some("Edge, Windows"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 (KHTML, like Gecko) Version/18.0 Safari/604",
                Some("Safari, iPhone"),
            ),
            ("curl/8.5.0", Some("curl")),
            ("", None),
            ("\u{202e}<script>", None),
        ] {
            assert_eq!(device(agent).as_deref(), wanted, "{agent}");
        }
    }

    #[test]
    fn a_name_is_kept_for_thirty_days() {
        const DAY: u64 = 86_400_000;
        for (now, days) in [(0, 30), (1, 30), (DAY, 29), (30 * DAY - 1, 1), (30 * DAY, 0), (99 * DAY, 0)] {
            assert_eq!(days_to_rename(5 * DAY, 5 * DAY + now), days, "{now}");
        }
    }

    #[test]
    fn roles_and_acts_have_keys_of_their_own() {
        let keys: std::collections::BTreeSet<_> = Act::ALL.map(Act::key).into();
        assert_eq!(keys.len(), Act::ALL.len());
        for role in Role::ALL {
            assert_eq!(Role::read(role.name()), Some(role));
        }
    }
}
