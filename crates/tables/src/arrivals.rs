//! Arrivals and absences at the tables that Play now found.
//!
//! Each person who was paired is expected at the table. A person who has not come after [`ARRIVES_MS`] counts as
//! missing and is paired last for a while. An address from which more people go missing than come is doubted as a
//! whole, except for those of its people who have come before: otherwise fresh guests of one address who ask and
//! never come would be paired with everybody. A school class whose members come is not doubted.

use std::collections::{HashMap, VecDeque};

use edge::network::Network;

/// The time after which a person who has not come to the table that was made for them counts as missing, in
/// milliseconds.
pub const ARRIVES_MS: u64 = 10_000;
/// The time for which an arrival or an absence is remembered, in milliseconds.
pub(crate) const REMEMBERED_MS: u64 = 600_000;
/// Old arrivals are looked for this often: each question for an opponent tidies, and there may be [`MOST`] to look at.
const LOOKED_MS: u64 = 10_000;
/// The number of missing people from which on an address is doubted.
const DOUBTED: usize = 3;
/// The latest arrivals and absences of an address that count.
const LATEST: usize = 64;
/// People, and addresses, that are remembered; beyond, new ones are not.
const MOST: usize = 20_000;

/// The trust in a person who asks for an opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Came to the last table.
    Proven,
    /// Known neither to have come nor to have gone missing.
    New,
    /// Did not come to the last table, or is from an address of which many did not.
    Doubted,
}

/// People who are awaited, and the latest arrivals.
#[derive(Debug, Default)]
pub struct Arrivals {
    awaited: HashMap<String, Awaited>,
    /// The last arrival of each person: true where they came; and when that was found.
    people: HashMap<String, (bool, u64)>,
    /// The arrivals and absences of the latest people of an address, the oldest first.
    addresses: HashMap<Network, VecDeque<(bool, u64)>>,
    /// The time from which on old arrivals are looked for again.
    look_ms: u64,
}

/// A person for whom a table was made and who has not come yet.
#[derive(Debug)]
struct Awaited {
    network: Network,
    since_ms: u64,
    /// Set if the person has come to a table before.
    proven: bool,
}

impl Arrivals {
    /// Begins to wait for a person for whom a table was made.
    pub fn expect(&mut self, person: &str, network: Network, now_ms: u64) {
        let proven = self.standing(person, network, now_ms) == Standing::Proven;
        self.awaited.insert(person.to_owned(), Awaited { network, since_ms: now_ms, proven });
    }

    /// Notes that a person has come to the table that was made for them.
    pub fn came(&mut self, person: &str, network: Network, now_ms: u64) {
        let awaited = self.awaited.remove(person);
        let was_missing = matches!(self.people.get(person), Some((false, _)));
        if awaited.is_none() && was_missing {
            // Late, and there after all.
            let of_address = self.addresses.entry(network).or_default();
            if let Some(at) = of_address.iter().rposition(|(came, _)| !came) {
                of_address.remove(at);
            }
        }
        self.note(person, network, true, now_ms);
    }

    /// Notes the people who have not come in time, and forgets old arrivals.
    pub fn tidy(&mut self, now_ms: u64) {
        let is_late = |awaited: &Awaited| awaited.since_ms + ARRIVES_MS <= now_ms;
        for (person, awaited) in self.awaited.extract_if(|_, awaited| is_late(awaited)).collect::<Vec<_>>() {
            self.note(&person, awaited.network, false, now_ms);
        }
        if now_ms < self.look_ms {
            return;
        }
        self.look_ms = now_ms + LOOKED_MS;
        let is_recent = |at_ms: u64| at_ms + REMEMBERED_MS > now_ms;
        self.people.retain(|_, (_, at_ms)| is_recent(*at_ms));
        self.addresses.retain(|_, latest| {
            latest.retain(|(_, at_ms)| is_recent(*at_ms));
            !latest.is_empty()
        });
    }

    /// Rates a person by the table to which they were last expected, or else by their address.
    #[must_use]
    pub fn standing(&self, person: &str, network: Network, now_ms: u64) -> Standing {
        match self.people.get(person).filter(|(_, at_ms)| at_ms + REMEMBERED_MS > now_ms) {
            Some((true, _)) => return Standing::Proven,
            Some((false, _)) => return Standing::Doubted,
            None => {}
        }
        let Some(latest) = self.addresses.get(&network) else { return Standing::New };
        let came = latest.iter().filter(|(came, _)| *came).count();
        let missing = latest.len() - came;
        if missing >= DOUBTED && missing > came { Standing::Doubted } else { Standing::New }
    }

    /// Counts the people of an address who are awaited and not known yet.
    #[must_use]
    pub(crate) fn awaited_from(&self, network: Network) -> usize {
        self.awaited.values().filter(|awaited| awaited.network == network && !awaited.proven).count()
    }

    fn note(&mut self, person: &str, network: Network, came: bool, now_ms: u64) {
        if self.people.len() < MOST || self.people.contains_key(person) {
            self.people.insert(person.to_owned(), (came, now_ms));
        }
        if self.addresses.len() < MOST || self.addresses.contains_key(&network) {
            let latest = self.addresses.entry(network).or_default();
            if latest.len() == LATEST {
                latest.pop_front();
            }
            latest.push_back((came, now_ms));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(last: u8) -> Network {
        Network::of([192, 0, 2, last].into())
    }

    #[test]
    fn who_does_not_come_is_doubted_and_so_is_an_address_of_many() {
        let mut arrivals = Arrivals::default();
        for n in 0..4 {
            arrivals.expect(&format!("ghost{n}"), network(1), 0);
        }
        arrivals.expect("ann", network(2), 0);
        assert_eq!((arrivals.awaited_from(network(1)), arrivals.awaited_from(network(2))), (4, 1));
        arrivals.came("ann", network(2), 1_000);
        arrivals.tidy(ARRIVES_MS - 1);
        assert_eq!(
            arrivals.standing("fresh", network(1), ARRIVES_MS - 1),
            Standing::New,
            "they may come yet"
        );
        arrivals.tidy(ARRIVES_MS);
        for (name, person, address, standing) in [
            ("who did not come", "ghost0", 1, Standing::Doubted),
            ("a fresh guest of that address", "fresh", 1, Standing::Doubted),
            ("who came", "ann", 2, Standing::Proven),
            ("who came, at that address", "ann", 1, Standing::Proven),
            ("somebody else", "bob", 3, Standing::New),
        ] {
            assert_eq!(arrivals.standing(person, network(address), ARRIVES_MS), standing, "{name}");
        }
        arrivals.came("ghost0", network(1), ARRIVES_MS + 1);
        assert_eq!(
            arrivals.standing("ghost0", network(1), ARRIVES_MS + 1),
            Standing::Proven,
            "late, but there"
        );
        arrivals.tidy(ARRIVES_MS + REMEMBERED_MS + 1);
        assert!(arrivals.people.is_empty() && arrivals.addresses.is_empty() && arrivals.awaited.is_empty());
    }

    #[test]
    fn a_class_that_comes_is_doubted_by_nobody() {
        let mut arrivals = Arrivals::default();
        for n in 0..40 {
            let pupil = format!("pupil{n}");
            arrivals.expect(&pupil, network(1), n * 100);
            // One of four closes the page.
            if n % 4 != 0 {
                arrivals.came(&pupil, network(1), n * 100 + 900);
            }
        }
        arrivals.tidy(4_000 + ARRIVES_MS);
        assert_eq!(arrivals.standing("late", network(1), 4_000 + ARRIVES_MS), Standing::New);
        assert_eq!(
            arrivals.standing("pupil4", network(1), 4_000 + ARRIVES_MS),
            Standing::Doubted,
            "who left"
        );
    }
}
