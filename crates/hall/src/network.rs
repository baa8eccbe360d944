//! Who counts as one neighbour: an IPv4 address, or 64 bits of an IPv6 address, which is what one customer is given.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// The part of an address that limits are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Network(IpAddr);

impl Network {
    /// The network of who is not connected: all of them together count as one.
    #[must_use]
    pub fn nobody() -> Network {
        Network(IpAddr::from([0, 0, 0, 0]))
    }

    /// An address of it.
    #[must_use]
    pub fn address(self) -> IpAddr {
        self.0
    }

    /// The network of that address. An IPv4 address that is written as an IPv6 one stays itself.
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

/// Who asks for something: what is fair, and what is too much, is counted by both parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asker {
    /// Where they are.
    pub network: Network,
    /// Their public id; the address for those who do not say who they are, and count as one person there.
    pub person: String,
}

impl Asker {
    /// Tells whether they say who they are.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.person != self.network.to_string()
    }
}

/// For whom something is done. Whatever is done for a request knows it, so that turns are given fairly to those who cannot
/// be asked any more.
#[derive(Clone, Copy, Debug)]
pub struct Behalf {
    /// Where the request came from.
    pub network: Network,
    /// The hash of the secret it came with.
    pub session: Option<[u8; 32]>,
}

tokio::task_local! {
    static BEHALF: Behalf;
}

impl Behalf {
    /// For whom this is done; `None` where the hall does it by itself.
    #[must_use]
    pub fn current() -> Option<Behalf> {
        BEHALF.try_with(|behalf| *behalf).ok()
    }

    /// For whom this is done, who is `asker` as far as that is known.
    #[must_use]
    pub fn of(asker: &Asker) -> Behalf {
        Behalf::current().unwrap_or(Behalf { network: asker.network, session: None })
    }

    /// Does that for them.
    pub fn during<T>(self, work: impl Future<Output = T>) -> impl Future<Output = T> {
        BEHALF.scope(self, work)
    }
}

/// Work for a task of its own, for whom it would be done here.
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
