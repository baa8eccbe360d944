//! The rules in force: bans, suspensions, what was taken down, announcements, registration.

use std::collections::HashMap;
use std::net::IpAddr;

use kernel::Problem;
use people::staff::Range;
use store::staff::{Ban, House, TakenDown};
use wire::{AnnouncementLine, HouseInfo};

/// The decisions in force, indexed for lookups.
#[derive(Default)]
pub struct Rules {
    house: House,
    ranges: Vec<(Range, usize)>,
    suspended: HashMap<String, usize>,
    /// The indexes of taken-down works, by work and by each of its maps.
    down: HashMap<String, usize>,
}

impl Rules {
    /// Indexes the decisions in the store.
    #[must_use]
    pub fn new(house: House) -> Rules {
        let ranges = house.bans.iter().enumerate();
        let ranges = ranges.filter_map(|(at, ban)| Some((Range::read(&ban.network).ok()?, at))).collect();
        // The last end counts.
        let suspended =
            house.suspended.iter().enumerate().map(|(at, one)| (one.person.clone(), at)).collect();
        let mut down = HashMap::new();
        for (at, one) in house.taken_down.iter().enumerate() {
            for id in one.maps.iter().chain([&one.work]) {
                down.insert(id.clone(), at);
            }
        }
        Rules { house, ranges, suspended, down }
    }

    /// Returns the decisions as the store has them.
    #[must_use]
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Returns the longest ban that contains an address.
    #[must_use]
    pub fn ban(&self, address: IpAddr, now_ms: u64) -> Option<&Ban> {
        let holds = self.ranges.iter().filter(|(range, _)| range.holds(address));
        let bans = holds.map(|(_, at)| &self.house.bans[*at]).filter(|ban| ban.until_ms > now_ms);
        bans.max_by_key(|ban| (ban.spares_days.is_none(), ban.until_ms))
    }

    /// Returns a person's suspension in force, with its end and its reason.
    #[must_use]
    pub(crate) fn suspension(&self, person: &str, now_ms: u64) -> Option<&store::staff::Suspended> {
        let one = &self.house.suspended[*self.suspended.get(person)?];
        (one.until_ms > now_ms).then_some(one)
    }

    /// Returns the decision about a work that is down, by its id or the id of one of its maps.
    #[must_use]
    pub fn down(&self, id: &str) -> Option<&TakenDown> {
        self.down.get(id).map(|at| &self.house.taken_down[*at])
    }

    /// Ids of all maps whose works are down.
    #[must_use]
    pub fn maps_down(&self) -> Vec<String> {
        self.house.taken_down.iter().flat_map(|down| down.maps.iter().cloned()).collect()
    }

    /// Returns the announcements that are shown now.
    #[must_use]
    pub fn announced(&self, now_ms: u64) -> Vec<AnnouncementLine> {
        let now = self.house.announcements.iter().filter(|one| one.until_ms > now_ms);
        now.map(|one| AnnouncementLine {
            n: one.n,
            en: one.en.clone(),
            zh: one.zh.clone(),
            until_ms: one.until_ms,
        })
        .collect()
    }

    /// Returns the rules for registration and guests, and the announcements, as everybody may see them.
    #[must_use]
    pub fn info(&self, now_ms: u64) -> HouseInfo {
        HouseInfo {
            registration: self.house.registration.key().to_owned(),
            accounts_only: self.house.accounts_only,
            announcements: self.announced(now_ms),
        }
    }
}

/// Formats a time for sentences: `2026-12-01 09:30 UTC`.
#[must_use]
pub fn moment(at_ms: u64) -> String {
    let at = i64::try_from(at_ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    at.map_or_else(String::new, |at| at.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

/// Returns the problem for a map that was taken down.
#[must_use]
pub fn taken_down(down: &TakenDown) -> Problem {
    Problem::new("map-taken-down").with("reason", &down.reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ban(network: &str, until_ms: u64, spares_days: Option<u32>) -> Ban {
        let reason = String::new();
        Ban { n: 1, network: network.to_owned(), by: None, reason, at_ms: 0, until_ms, spares_days }
    }

    #[test]
    fn bans_end_by_themselves_and_the_hardest_counts() {
        let bans = vec![
            ban("192.0.2.0/24", 100, None),
            ban("192.0.2.7/32", 200, None),
            ban("192.0.2.8/32", 300, Some(7)),
        ];
        let rules = Rules::new(House { bans, ..House::default() });
        let until = |address: &str, now_ms| {
            rules.ban(address.parse().expect("an address"), now_ms).map(|ban| ban.until_ms)
        };
        for (address, now_ms, wanted) in [
            ("192.0.2.1", 50, Some(100)),
            ("192.0.2.1", 100, None),
            ("192.0.2.7", 50, Some(200)),
            ("192.0.2.7", 150, Some(200)),
            ("192.0.2.8", 50, Some(100)),
            ("192.0.2.8", 150, Some(300)),
            ("192.0.3.1", 50, None),
            ("::ffff:192.0.2.1", 50, Some(100)),
            ("2001:db8::1", 50, None),
        ] {
            assert_eq!(until(address, now_ms), wanted, "{address} {now_ms}");
        }
        assert_eq!(moment(1_764_500_000_000), "2025-11-30 10:53 UTC");
    }
}
