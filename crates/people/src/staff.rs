//! Powers of a hall's staff in one table, and the limits of bans, announcements and invitations.
//!
//! The operator of the hall at its machine may do everything. An admin may do what the table contains; a moderator
//! the rows that say so. A power whose effect cannot easily be undone is *strong*: it needs the proof, not older than
//! a quarter of an hour, that the session is its owner's, so that a stolen session does little.

use std::net::{IpAddr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use kernel::Problem;

use crate::account::Role;
use crate::moderation::Decision;

macro_rules! powers {
    ($($(#[doc = $doc:literal])+ $name:ident: $key:literal, $moderator:literal, $strong:literal;)*) => {
        /// A power of members of the staff.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub enum Power { $($(#[doc = $doc])+ $name,)* }

        impl Power {
            /// All powers, in the order of the table.
            pub const ALL: &[Power] = &[$(Power::$name,)*];

            /// Returns its name in answers of the hall: the message `staff-power-<key>`.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $(Power::$name => $key,)* }
            }

            /// Returns true if moderators have it.
            #[must_use]
            pub const fn is_moderators(self) -> bool {
                match self { $(Power::$name => $moderator,)* }
            }

            /// Returns true if it needs a fresh proof that the session is its owner's.
            #[must_use]
            pub const fn is_strong(self) -> bool {
                match self { $(Power::$name => $strong,)* }
            }

            /// Returns its meaning, in English.
            #[must_use]
            pub fn meaning(self) -> String {
                match self { $(Power::$name => [$($doc),+].map(str::trim).join(" "),)* }
            }
        }
    };
}

powers! {
    /// Reads reports and appeals.
    Reports: "reports", true, false;
    /// Finds accounts by the beginning of their name, or by id.
    Search: "search", true, false;
    /// Finds accounts that share a network or a device, and sees the networks of a person.
    Networks: "networks", false, false;
    /// Opens the page of one person: what they did, without secrets.
    Look: "look", true, false;
    /// Decides: nothing, a warning, a mute, new ratings, a suspension with an end; reopens an account.
    Decide: "decide", true, false;
    /// Closes an account until it is reopened.
    Close: "close", true, true;
    /// Takes a map down, and puts it back.
    TakeDown: "take-down", true, false;
    /// Bans a range of addresses with an end: at most a /16 of IPv4 or a /32 of IPv6.
    Ban: "ban", true, true;
    /// Bans a wider range.
    BanWide: "ban-wide", false, true;
    /// Lifts a ban of addresses.
    Lift: "lift", true, false;
    /// Announces something to everybody, and withdraws it.
    Announce: "announce", false, true;
    /// Decides who may make an account and whether guests may play, and invites.
    Registration: "registration", false, true;
    /// Reads the log of the staff.
    Audit: "audit", false, false;
    /// Gives and takes roles.
    Roles: "roles", false, true;
    /// Exports everything the hall holds about an account.
    Export: "export", false, true;
    /// Closes an account for good: name, ways in and notes are deleted.
    Forget: "forget", false, true;
    /// Lists the keys of workers, and removes one.
    Workers: "workers", false, false;
    /// Makes a key for a worker, and gives one work again that was set aside.
    Hire: "hire", false, true;
}

impl Power {
    /// Returns the power that a decision requires.
    #[must_use]
    pub const fn to_decide(decision: Decision) -> Power {
        match decision {
            Decision::Close => Power::Close,
            Decision::TakeDown => Power::TakeDown,
            Decision::Nothing
            | Decision::Warn
            | Decision::Mute
            | Decision::ResetRatings
            | Decision::Suspend => Power::Decide,
        }
    }
}

/// The person who acts as staff.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct By {
    /// The public id; empty for the operator of the hall at its machine, who may do everything.
    pub person: String,
    /// The roles of that person.
    pub roles: Vec<Role>,
    /// True if they have lately proved that the session is theirs.
    pub confirmed: bool,
}

impl By {
    /// Returns the operator of the hall at its machine.
    #[must_use]
    pub fn keeper() -> By {
        By { person: String::new(), roles: Vec::new(), confirmed: true }
    }

    /// Returns true if it is the operator.
    #[must_use]
    pub fn is_keeper(&self) -> bool {
        self.person.is_empty()
    }

    /// Returns true if it is an admin, or the operator.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.is_keeper() || self.roles.contains(&Role::Admin)
    }

    /// Returns true if their role has that power, with or without a fresh proof.
    #[must_use]
    pub fn has(&self, power: Power) -> bool {
        self.is_admin() || self.roles.contains(&Role::Moderator) && power.is_moderators()
    }

    /// Checks that they have that power, and a fresh proof where it needs one.
    ///
    /// # Errors
    /// `staff-only` for a person without a role, `staff-power` for moderators, `confirm-first`.
    pub fn may(&self, power: Power) -> Result<(), Problem> {
        if !self.is_keeper() && self.roles.is_empty() {
            return Err(Problem::new("staff-only"));
        }
        if !self.has(power) {
            return Err(Problem::new("staff-power"));
        }
        if power.is_strong() && !self.confirmed { Err(Problem::new("confirm-first")) } else { Ok(()) }
    }

    /// Checks that they may act on that person, who has those roles.
    ///
    /// # Errors
    /// `staff-self`; `staff-needs-admin` for a moderator.
    pub fn may_touch(&self, person: &str, roles: &[Role]) -> Result<(), Problem> {
        if self.person == person {
            return Err(Problem::new("staff-self"));
        }
        if !roles.is_empty() && !self.is_admin() { Err(Problem::new("staff-needs-admin")) } else { Ok(()) }
    }
}

/// The rules for who may make an account.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Registration {
    /// Registration is open: a person needs no invitation to make an account.
    #[default]
    Open,
    /// Registration by invitation: a person needs a code to make an account.
    Invited,
    /// Registration is closed: no new accounts can be made.
    Closed,
}

impl Registration {
    /// All rules, in the order of their numbers in the store.
    pub const ALL: [Registration; 3] = [Registration::Open, Registration::Invited, Registration::Closed];

    /// Returns its name in requests and on the command line.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Registration::Open => "open",
            Registration::Invited => "invited",
            Registration::Closed => "closed",
        }
    }

    /// Returns the rule of that name.
    ///
    /// # Errors
    /// `registration-unknown`, with those that are `known`.
    pub fn read(key: &str) -> Result<Registration, Problem> {
        let known = || Registration::ALL.map(Registration::key).join(", ");
        let found = Registration::ALL.into_iter().find(|one| one.key() == key);
        found.ok_or_else(|| Problem::new("registration-unknown").with("known", known()))
    }
}

/// The most days that a ban or a suspension lasts.
pub const MOST_DAYS: u32 = 366;
/// The most bans of addresses that are in force.
pub const MOST_BANS: u32 = 1000;
/// The most announcements that are shown at the same time.
pub const MOST_ANNOUNCEMENTS: u32 = 5;
/// The most hours that an announcement is shown: thirty days.
pub const MOST_HOURS: u32 = 30 * 24;
/// The most letters of an announcement in each language.
pub const ANNOUNCEMENT: usize = 300;
/// The most invitations that are valid at the same time.
pub const MOST_INVITATIONS: u32 = 200;
/// The most accounts that one invitation makes.
pub const MOST_USES: u32 = 1000;
/// The most letters of the label of an invitation.
pub const LABEL: usize = 60;
/// The shortest prefixes of IPv4 and IPv6 that need no second confirmation.
pub const WIDE: (u8, u8) = (16, 32);
/// The shortest prefixes that are allowed at all.
pub const WIDEST: (u8, u8) = (8, 16);
/// The time for which mailboxes and OpenID accounts of closed accounts cannot be used again, in milliseconds: a year.
pub const HELD_MS: u64 = 365 * 86_400_000;
/// The longest text of a range that is read, in bytes.
const RANGE: usize = 64;

/// A range of addresses, as bans name it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range(IpNet);

impl Range {
    /// Parses an address or a range such as `192.0.2.0/24`. An IPv6 range narrower than a /64, which is what one
    /// customer is given, becomes that; IPv4 written as IPv6 becomes IPv4.
    ///
    /// # Errors
    /// `range-malformed`; `range-too-wide`; `range-own` for this machine's own addresses.
    pub fn read(text: &str) -> Result<Range, Problem> {
        let text = text.trim();
        let shown: String = text.chars().take(RANGE).collect();
        let malformed = || Problem::new("range-malformed").with("text", &shown);
        if text.len() > RANGE {
            return Err(malformed());
        }
        let net = match text.parse::<IpNet>() {
            Ok(net) => net,
            Err(_) => IpNet::from(text.parse::<IpAddr>().map_err(|_| malformed())?),
        };
        let net = match net.trunc() {
            IpNet::V6(net) if net.prefix_len() >= 96 && net.network().to_ipv4_mapped().is_some() => {
                let v4 = net.network().to_ipv4_mapped().expect("it is one");
                IpNet::V4(Ipv4Net::new(v4, net.prefix_len() - 96).expect("at most 32"))
            }
            IpNet::V6(net) if net.prefix_len() > 64 => {
                IpNet::V6(Ipv6Net::new(net.network(), 64).expect("64 is a length").trunc())
            }
            net => net,
        };
        let widest = if matches!(net, IpNet::V4(_)) { WIDEST.0 } else { WIDEST.1 };
        if net.prefix_len() < widest {
            return Err(Problem::new("range-too-wide").with("most", format!("/{widest}")));
        }
        let own = |address: IpAddr| address.is_loopback() || address.is_unspecified();
        if own(net.network()) || own(net.addr()) || net.contains(&IpAddr::from([127, 0, 0, 1])) {
            return Err(Problem::new("range-own"));
        }
        Ok(Range(net))
    }

    /// Returns true if it needs a second confirmation.
    #[must_use]
    pub fn is_wide(self) -> bool {
        match self.0 {
            IpNet::V4(net) => net.prefix_len() < WIDE.0,
            IpNet::V6(net) => net.prefix_len() < WIDE.1,
        }
    }

    /// Returns true if that address is in it.
    #[must_use]
    pub fn holds(self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }

    /// Returns true if that network is in it: an address, or a range that is written like one of these.
    #[must_use]
    pub fn holds_network(self, network: &str) -> bool {
        Range::read(network).is_ok_and(|other| self.0.contains(&other.0))
    }

    /// Returns its first and its last address as 32 hexadecimal digits each, IPv4 as `::ffff:a.b.c.d`.
    #[must_use]
    pub fn ends(self) -> (String, String) {
        let digits = |address: IpAddr| {
            let v6: Ipv6Addr = match address {
                IpAddr::V4(v4) => v4.to_ipv6_mapped(),
                IpAddr::V6(v6) => v6,
            };
            format!("{:032x}", u128::from(v6))
        };
        (digits(self.0.network()), digits(self.0.broadcast()))
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_and_bounded() {
        for (text, wanted) in [
            ("192.0.2.7", Ok("192.0.2.7/32")),
            (" 192.0.2.7/24 ", Ok("192.0.2.0/24")),
            ("2001:db8:1:2::7", Ok("2001:db8:1:2::/64")),
            ("2001:db8::/32", Ok("2001:db8::/32")),
            ("::ffff:192.0.2.7", Ok("192.0.2.7/32")),
            ("::ffff:192.0.2.0/120", Ok("192.0.2.0/24")),
            ("10.0.0.0/8", Ok("10.0.0.0/8")),
            ("10.0.0.0/7", Err("range-too-wide")),
            ("2001::/15", Err("range-too-wide")),
            ("0.0.0.0/0", Err("range-too-wide")),
            ("::/0", Err("range-too-wide")),
            ("127.0.0.1", Err("range-own")),
            ("127.0.0.0/8", Err("range-own")),
            ("::1", Err("range-own")),
            ("192.0.2.0/33", Err("range-malformed")),
            ("192.0.2", Err("range-malformed")),
            ("Hu", Err("range-malformed")),
            ("", Err("range-malformed")),
            (&"1".repeat(5000), Err("range-malformed")),
        ] {
            let read = Range::read(text).map(|range| range.to_string()).map_err(|why| why.key);
            assert_eq!(read.as_deref().map_err(|key| *key), wanted, "{text}");
        }
        let of = |text| Range::read(text).expect("a range");
        assert!(!of("10.1.0.0/16").is_wide() && of("10.0.0.0/15").is_wide());
        assert!(!of("2001:db8::/32").is_wide() && of("2001:d00::/24").is_wide());
        assert!(of("192.0.2.0/24").holds("::ffff:192.0.2.9".parse().expect("an address")));
        assert!(!of("192.0.2.0/24").holds("192.0.3.1".parse().expect("an address")));
        assert_eq!(of("192.0.2.0/24").ends().1, "00000000000000000000ffffc00002ff");
    }

    /// Powers follow from roles alone: each power with each set of roles, with a fresh proof and without.
    #[test]
    fn powers_follow_from_roles_alone() {
        let sets: [&[Role]; 4] = [&[], &[Role::Moderator], &[Role::Admin], &[Role::Moderator, Role::Admin]];
        for power in Power::ALL.iter().copied() {
            for roles in sets {
                for confirmed in [false, true] {
                    let by = By { person: "p".to_owned(), roles: roles.to_vec(), confirmed };
                    let wanted = match roles {
                        [] => Err("staff-only"),
                        [Role::Moderator] if !power.is_moderators() => Err("staff-power"),
                        _ if power.is_strong() && !confirmed => Err("confirm-first"),
                        _ => Ok(()),
                    };
                    assert_eq!(
                        by.may(power).map_err(|why| why.key),
                        wanted,
                        "{power:?} {roles:?} {confirmed}"
                    );
                }
            }
            assert_eq!(By::keeper().may(power), Ok(()), "{power:?}");
        }
        // What touches secrets, everybody, or the staff itself is for admins.
        for power in [
            Power::Networks,
            Power::BanWide,
            Power::Announce,
            Power::Registration,
            Power::Audit,
            Power::Roles,
            Power::Export,
            Power::Forget,
            Power::Workers,
            Power::Hire,
        ] {
            assert!(!power.is_moderators(), "{power:?}");
        }
        let moderator = By { person: "m".to_owned(), roles: vec![Role::Moderator], confirmed: true };
        let admin = By { person: "a".to_owned(), roles: vec![Role::Admin], confirmed: true };
        for (name, by, person, roles, wanted) in [
            ("a moderator about anybody", &moderator, "x", &[][..], Ok(())),
            ("a moderator about an admin", &moderator, "a", &[Role::Admin][..], Err("staff-needs-admin")),
            ("a moderator about another", &moderator, "n", &[Role::Moderator][..], Err("staff-needs-admin")),
            ("a moderator about themself", &moderator, "m", &[Role::Moderator][..], Err("staff-self")),
            ("an admin about a moderator", &admin, "m", &[Role::Moderator][..], Ok(())),
            ("an admin about themself", &admin, "a", &[Role::Admin][..], Err("staff-self")),
        ] {
            assert_eq!(by.may_touch(person, roles).map_err(|why| why.key), wanted, "{name}");
        }
        let keys: std::collections::BTreeSet<_> = Power::ALL.iter().map(|power| power.key()).collect();
        assert_eq!(keys.len(), Power::ALL.len());
    }
}
