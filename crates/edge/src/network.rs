//! The unit of address limits: an IPv4 address, or the first 64 bits of an IPv6 address, the share of one customer.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::LazyLock;

/// The part of an address that limits are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Network(IpAddr);

impl Network {
    /// Returns the network that stands for no connection: all requests without one count together.
    #[must_use]
    pub fn nobody() -> Network {
        Network(IpAddr::from([0, 0, 0, 0]))
    }

    /// Returns an address in it.
    #[must_use]
    pub fn address(self) -> IpAddr {
        self.0
    }

    /// Returns the network of that address. An IPv4 address that is written as an IPv6 one counts as IPv4.
    #[must_use]
    pub fn of(address: IpAddr) -> Network {
        Network(match address.to_canonical() {
            IpAddr::V6(v6) => {
                let [a, b, c, d, ..] = v6.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            v4 => v4,
        })
    }
}

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Self {
        Network::of(address)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V4(v4) => v4.fmt(f),
            IpAddr::V6(v6) => write!(f, "{v6}/64"),
        }
    }
}

/// The origin of a request: limits and fair turns are counted both by network and by person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker {
    /// The network of the request.
    pub network: Network,
    /// Their public id; for people who do not identify themselves the address, where they count as one person.
    pub person: String,
}

impl Asker {
    /// Returns true if the person has identified themselves.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.person != self.network.to_string()
    }
}

/// The one who pays for work: turns, places and time are counted by it. A function that works for a person is told who
/// pays, so that turns are fair also where the request itself is out of reach.
#[derive(Clone, Copy, Debug)]
pub enum Payer<'a> {
    /// The origin of a request.
    Asker(&'a Asker),
    /// The hall itself.
    Hall,
}

static HALL: LazyLock<Asker> = LazyLock::new(|| Asker { network: Network::nobody(), person: String::new() });

impl<'a> Payer<'a> {
    /// Returns the asker who is charged for time; `None` for the hall, which is charged nothing.
    #[must_use]
    pub fn charged(self) -> Option<&'a Asker> {
        match self {
            Payer::Asker(asker) => Some(asker),
            Payer::Hall => None,
        }
    }

    /// Returns the asker by whom turns are counted. The hall takes turns like a person at a network of its own.
    #[must_use]
    pub fn in_line(self) -> &'a Asker {
        self.charged().unwrap_or_else(|| &*HALL)
    }
}

impl<'a> From<&'a Asker> for Payer<'a> {
    fn from(asker: &'a Asker) -> Self {
        Payer::Asker(asker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_told_apart() {
        let of = |text: &str| Network::of(text.parse().expect("an address"));
        for (name, a, b, same) in [
            ("one IPv4 address", "192.0.2.1", "192.0.2.1", true),
            ("two IPv4 addresses", "192.0.2.1", "192.0.2.2", false),
            ("one customer's /64", "2001:db8:0:1::1", "2001:db8:0:1:ffff::9", true),
            ("the next /64", "2001:db8:0:1::1", "2001:db8:0:2::1", false),
            ("IPv4 written as IPv6", "::ffff:192.0.2.1", "192.0.2.1", true),
            ("two of those", "::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
        ] {
            assert_eq!(of(a) == of(b), same, "{name}");
        }
        assert_eq!(of("2001:db8::7").to_string(), "2001:db8::/64");
    }
}
