//! The unit of address limits: an IPv4 address, or the first 64 bits of an IPv6 address, the share of one customer.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

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

/// The request on whose behalf work is done. Work that a request causes carries it along, so that turns are fair also
/// after the request itself is out of reach.
#[derive(Clone, Copy, Debug)]
pub struct Behalf {
    /// The network of the request.
    pub network: Network,
    /// The hash of the secret it came with.
    pub session: Option<[u8; 32]>,
}

tokio::task_local! {
    static BEHALF: Behalf;
}

impl Behalf {
    /// Returns the request on whose behalf the current task works; `None` for the hall's own work.
    #[must_use]
    pub fn current() -> Option<Behalf> {
        BEHALF.try_with(|behalf| *behalf).ok()
    }

    /// Returns the same, or one made from `asker` if it is unknown.
    #[must_use]
    pub fn of(asker: &Asker) -> Behalf {
        Behalf::current().unwrap_or(Behalf { network: asker.network, session: None })
    }

    /// Runs `work` on behalf of this request.
    pub fn during<T>(self, work: impl Future<Output = T>) -> impl Future<Output = T> {
        BEHALF.scope(self, work)
    }
}

/// Wraps work for another task, so that it runs on behalf of the same request as the current task.
pub fn carried<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    let behalf = Behalf::current();
    async move {
        match behalf {
            Some(behalf) => behalf.during(work).await,
            None => work.await,
        }
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
