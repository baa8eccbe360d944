//! How much one client may ask of the hall. The numbers stand in `docs/hall-protocol.md`.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};

/// The numbers.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Whether clients are limited at all; not for measurements on one's own machine.
    pub on: bool,
    /// Bytes of one WebSocket message.
    pub message_bytes: usize,
    /// WebSocket connections of one address.
    pub connections: u32,
    /// Connections of one address of any kind, silent ones too.
    pub raw_connections: u32,
    /// Events that are replayed one by one; more are replaced by everything at once.
    pub replay: u64,
    /// A table with more events than this is told as a whole rather than replayed.
    pub replayed_log: u64,
    /// Tables in memory.
    pub tables: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            on: true,
            message_bytes: 4096,
            connections: 200,
            raw_connections: 400,
            replay: 200,
            replayed_log: 4000,
            tables: 20_000,
        }
    }
}

/// Counts what addresses, guests and connections ask.
pub struct RateLimits {
    on: bool,
    requests: DefaultKeyedRateLimiter<IpAddr>,
    tables: DefaultKeyedRateLimiter<String>,
    tables_of_address: DefaultKeyedRateLimiter<IpAddr>,
    maps: DefaultKeyedRateLimiter<String>,
    maps_of_address: DefaultKeyedRateLimiter<IpAddr>,
    studies: DefaultKeyedRateLimiter<IpAddr>,
    guests: DefaultKeyedRateLimiter<IpAddr>,
}

/// Counts the messages of one connection.
pub struct Meter(Option<DefaultDirectRateLimiter>);

const fn burst(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).expect("a burst is not empty")
}

impl RateLimits {
    /// Nothing has been asked yet.
    #[must_use]
    pub fn new(limits: &Limits) -> RateLimits {
        let per_table = Duration::from_secs(20);
        let per_map = Duration::from_secs(10);
        RateLimits {
            on: limits.on,
            requests: RateLimiter::keyed(Quota::per_second(burst(8)).allow_burst(burst(240))),
            tables: RateLimiter::keyed(slow(per_table, 30)),
            tables_of_address: RateLimiter::keyed(slow(per_table / 10, 300)),
            maps: RateLimiter::keyed(slow(per_map, 20)),
            maps_of_address: RateLimiter::keyed(slow(per_map / 5, 60)),
            studies: RateLimiter::keyed(slow(Duration::from_secs(4), 10)),
            guests: RateLimiter::keyed(slow(Duration::from_secs(5), 200)),
        }
    }

    /// Counts one HTTP request; `Err`: the seconds to wait.
    ///
    /// # Errors
    /// When that address asked too much.
    pub fn request(&self, address: IpAddr) -> Result<(), u64> {
        if !self.on {
            return Ok(());
        }
        self.requests.check_key(&address).map_err(wait)
    }

    /// Counts one table opened; `Err`: the seconds to wait.
    ///
    /// # Errors
    /// When that guest, or all guests of that address, opened too many.
    pub fn table(&self, guest: &str, address: IpAddr) -> Result<(), u64> {
        if !self.on {
            return Ok(());
        }
        self.tables.check_key(&guest.to_owned()).map_err(wait)?;
        self.tables_of_address.check_key(&address).map_err(wait)
    }

    /// Counts one map brought or checked; `Err`: the seconds to wait.
    ///
    /// # Errors
    /// When that guest, or all guests of that address, brought too many.
    pub fn map(&self, guest: &str, address: IpAddr) -> Result<(), u64> {
        if !self.on {
            return Ok(());
        }
        self.maps.check_key(&guest.to_owned()).map_err(wait)?;
        self.maps_of_address.check_key(&address).map_err(wait)
    }

    /// Counts one hint; `Err`: the seconds to wait.
    ///
    /// # Errors
    /// When that address asked for too many.
    pub fn study(&self, address: IpAddr) -> Result<(), u64> {
        if !self.on {
            return Ok(());
        }
        self.studies.check_key(&address).map_err(wait)
    }

    /// Counts one new guest; `Err`: the seconds to wait.
    ///
    /// # Errors
    /// When that address brought too many.
    pub fn guest(&self, address: IpAddr) -> Result<(), u64> {
        if !self.on {
            return Ok(());
        }
        self.guests.check_key(&address).map_err(wait)
    }

    /// Forgets who has been quiet for a while, so that memory stays bounded.
    pub fn forget_quiet(&self) {
        self.requests.retain_recent();
        self.tables.retain_recent();
        self.tables_of_address.retain_recent();
        self.maps.retain_recent();
        self.maps_of_address.retain_recent();
        self.studies.retain_recent();
        self.guests.retain_recent();
    }
}

impl Meter {
    /// For a new connection.
    #[must_use]
    pub fn new(limits: &Limits) -> Meter {
        let quota = Quota::per_second(burst(5)).allow_burst(burst(100));
        Meter(limits.on.then(|| RateLimiter::direct(quota)))
    }

    /// Counts one message; false when it is one too many.
    #[must_use]
    pub fn admits(&self) -> bool {
        self.0.as_ref().is_none_or(|limiter| limiter.check().is_ok())
    }
}

fn slow(every: Duration, at_once: u32) -> Quota {
    Quota::with_period(every).expect("not zero").allow_burst(burst(at_once))
}

fn wait(not_until: governor::NotUntil<<DefaultClock as governor::clock::Clock>::Instant>) -> u64 {
    not_until.wait_time_from(DefaultClock::default().now()).as_secs() + 1
}
