//! The client of a request, as the account's log and the list of devices have it.

use edge::network::Network;
use people::account::{Act, device};
use store::accounts::Note;

/// The time for which a proof of identity counts in a session, in milliseconds: a quarter of an hour.
pub const PROOF_MS: u64 = 15 * 60_000;

/// The network and the device of a request, as the audit log records them.
#[derive(Clone, Debug)]
pub struct Client {
    /// The network: an IPv4 address, or a /64 of IPv6.
    pub network: Network,
    /// The name of the device, from its `User-Agent`.
    pub device: Option<String>,
}

impl Client {
    /// Describes a request from that network with that `User-Agent`.
    #[must_use]
    pub fn new(network: Network, user_agent: &str) -> Client {
        Client { network, device: device(user_agent) }
    }

    /// Returns a note for the audit log: that person's act, at this time.
    #[must_use]
    pub fn note(&self, person: &str, act: Act, now_ms: u64) -> Note {
        let (network, device) = (Some(self.network.to_string()), self.device.clone());
        Note { network, device, ..Note::new(person, act, now_ms) }
    }
}
